//! An independent implementation of skinning and the deformers in f64, written from the
//! equations and sharing no code with the library: what the library is judged by.

use glam::{DAffine3, DQuat, DVec3};

/// A skinned mesh with one frame of motion. Bones have parents before children.
pub struct Rig {
    pub rest: Vec<DVec3>,
    pub triangles: Vec<[usize; 3]>,
    /// Per vertex (bone, weight).
    pub skin: Vec<Vec<(usize, f64)>>,
    pub parents: Vec<Option<usize>>,
    pub scene_from_bone: Vec<DAffine3>,
    pub bone_from_bind: Vec<DAffine3>,
    pub omega: Vec<DVec3>,
    pub v: Vec<DVec3>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Around {
    Axis,
    Centroid,
}

impl Rig {
    pub fn matrices(&self) -> Vec<DAffine3> {
        let pairs = self.scene_from_bone.iter().zip(&self.bone_from_bind);
        pairs.map(|(scene, bind)| *scene * *bind).collect()
    }

    pub fn lbs(&self) -> Vec<DVec3> {
        let matrices = self.matrices();
        let blend = |(r, list): (&DVec3, &Vec<(usize, f64)>)| {
            list.iter().map(|&(j, a)| matrices[j].transform_point3(*r) * a).sum()
        };
        self.rest.iter().zip(&self.skin).map(blend).collect()
    }

    /// Rigid bones only. Signs are aligned with the first influence of each vertex.
    pub fn dqs(&self) -> Vec<DVec3> {
        let parts: Vec<(DQuat, DQuat)> = self
            .matrices()
            .iter()
            .map(|m| {
                let (_, q, t) = m.to_scale_rotation_translation();
                (q, DQuat::from_xyzw(t.x, t.y, t.z, 0.0) * q * 0.5)
            })
            .collect();
        let blend = |(r, list): (&DVec3, &Vec<(usize, f64)>)| {
            let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let first = parts[list[0].0].0;
            let (mut real, mut dual) = (zero, zero);
            for &(j, a) in list {
                let a = if parts[j].0.dot(first) < 0.0 { -a } else { a };
                real += parts[j].0 * a;
                dual += parts[j].1 * a;
            }
            let n = real.length();
            let (real, dual) = (real * (1.0 / n), dual * (1.0 / n));
            let t = dual * real.conjugate() * 2.0;
            real * *r + DVec3::new(t.x, t.y, t.z)
        };
        self.rest.iter().zip(&self.skin).map(blend).collect()
    }

    /// up_j(u), dense: per vertex one number per bone.
    pub fn upward(&self) -> Vec<Vec<f64>> {
        let of_vertex = |list: &Vec<(usize, f64)>| {
            let mut up = vec![0.0; self.parents.len()];
            for &(bone, weight) in list {
                up[bone] += weight;
            }
            for bone in (0..up.len()).rev() {
                if let Some(parent) = self.parents[bone] {
                    up[parent] += up[bone];
                }
            }
            up
        };
        self.skin.iter().map(of_vertex).collect()
    }

    /// The exact centroids on the posed mesh; the joint where a bone moves nothing.
    pub fn centroids(&self, posed: &[DVec3]) -> Vec<DVec3> {
        let up = self.upward();
        let centroid = |bone: usize| {
            let (mut sum, mut total) = (DVec3::ZERO, 0.0);
            for &[a, b, c] in &self.triangles {
                let (p, q, r) = (posed[a], posed[b], posed[c]);
                let area = (q - p).cross(r - p).length() / 2.0;
                let share = (up[a][bone] + up[b][bone] + up[c][bone]) * area;
                sum += (p + q + r) / 3.0 * share;
                total += share;
            }
            if total > 1e-12 { sum / total } else { self.scene_from_bone[bone].translation }
        };
        (0..self.parents.len()).map(centroid).collect()
    }

    /// p + Σ_j up_j ψ_j(p), over the bones that move faster than `threshold`.
    pub fn deform(
        &self,
        base: &[DVec3],
        threshold: f64,
        psi: impl Fn(usize, usize, DVec3) -> DVec3,
    ) -> Vec<DVec3> {
        let up = self.upward();
        let moves = |j: usize| self.omega[j].length() > threshold || self.v[j].length() > threshold;
        let moving: Vec<usize> = (0..self.parents.len()).filter(|&j| moves(j)).collect();
        let displaced = |(u, &p): (usize, &DVec3)| {
            p + moving.iter().map(|&j| psi(u, j, p) * up[u][j]).sum::<DVec3>()
        };
        base.iter().enumerate().map(displaced).collect()
    }

    pub fn joint(&self, bone: usize) -> DVec3 {
        self.scene_from_bone[bone].translation
    }
}

/// The least that 1 + s may become: negative k at high speed would turn the body inside out.
const LEAST_STRETCH: f64 = 0.2;

fn limited(s: f64) -> f64 {
    s.max(LEAST_STRETCH - 1.0)
}

/// −k v (eq. 13).
pub fn floppy_t(k: f64, v: DVec3) -> DVec3 {
    -v * k
}

/// Turns the part of p − p_j across ω by −k |ω × (p − p_j)|, limited (eq. 16, 17).
pub fn floppy_r(k: f64, p: DVec3, pj: DVec3, omega: DVec3, max_angle: f64) -> DVec3 {
    let Some(axis) = omega.try_normalize() else {
        return DVec3::ZERO;
    };
    let arm = p - pj;
    let across = arm - axis * arm.dot(axis);
    let angle = -(k * omega.cross(arm).length()).clamp(-max_angle, max_angle);
    DQuat::from_axis_angle(axis, angle) * across - across
}

/// Stretches along v about the centroid, keeping the volume (eq. 14, 15).
pub fn squash_t(k: f64, p: DVec3, c: DVec3, v: DVec3) -> DVec3 {
    let Some(along) = v.try_normalize() else {
        return DVec3::ZERO;
    };
    let s = limited(k * v.length());
    let par = along * (p - c).dot(along);
    let perp = (p - c) - par;
    par * s + perp * (1.0 / (1.0 + s).sqrt() - 1.0)
}

/// Stretches across the medial axis, in the direction the bone sweeps, and flattens across both.
pub fn squash_r(k: f64, p: DVec3, pj: DVec3, c: DVec3, omega: DVec3, around: Around) -> DVec3 {
    let (Some(m), Some(axis)) = ((c - pj).try_normalize(), omega.try_normalize()) else {
        return DVec3::ZERO;
    };
    let sine = m.cross(axis).length();
    let Some(e) = m.cross(axis).try_normalize() else {
        return DVec3::ZERO;
    };
    let q = m.cross(e);
    let s = limited(k * omega.cross(p - pj).length());
    let x = match around {
        Around::Axis => p - pj,
        Around::Centroid => p - c,
    };
    let fade = (sine / 0.1).clamp(0.0, 1.0);
    let fade = fade * fade * (3.0 - 2.0 * fade);
    (e * (s * x.dot(e)) + q * ((1.0 / (1.0 + s) - 1.0) * x.dot(q))) * fade
}

/// Shorter than this has no direction.
const SHORTEST: f64 = 1e-10;

fn direction(v: DVec3) -> Option<DVec3> {
    (v.length() >= SHORTEST).then(|| v / v.length())
}

/// Turns p about the medial axis (p_j, m) by −k (ω·m) y with y = (p − p_j)·m, limited.
pub fn twist(k: f64, p: DVec3, pj: DVec3, c: DVec3, omega: DVec3, max_angle: f64) -> DVec3 {
    let Some(m) = direction(c - pj) else {
        return DVec3::ZERO;
    };
    let arm = p - pj;
    let angle = (-k * omega.dot(m) * arm.dot(m)).clamp(-max_angle, max_angle);
    DQuat::from_axis_angle(m, angle) * arm - arm
}

/// k |v| sin 2π(f t − y/(λℓ)) across the medial axis, in the direction of motion's rejection from m;
/// fades out where the motion is along m.
pub fn wave(k: f64, p: DVec3, pj: DVec3, c: DVec3, v: DVec3, turns: f64, length: f64) -> DVec3 {
    let (Some(m), Some(way)) = (direction(c - pj), direction(v)) else {
        return DVec3::ZERO;
    };
    let rejection = way - m * way.dot(m);
    let Some(sideways) = direction(rejection) else {
        return DVec3::ZERO;
    };
    let fade = (rejection.length() / 0.1).clamp(0.0, 1.0);
    let fade = fade * fade * (3.0 - 2.0 * fade);
    let phase = turns - (p - pj).dot(m) / length;
    sideways * (k * v.length() * fade * (std::f64::consts::TAU * phase).sin())
}
