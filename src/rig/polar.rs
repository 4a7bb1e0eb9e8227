//! The rotation in a matrix that may also scale, shear and mirror.

use glam::{DMat3, DQuat, DVec3};

/// The rotation Q of the polar decomposition M = Q P, orthogonal and possibly a mirror (det −1).
///
/// Newton's iteration Q ← (Q + Q⁻ᵀ)/2 (Higham 1986) converges quadratically; a matrix that
/// flattens space has no unique rotation and gets the best one its columns allow.
pub fn polar_rotation(m: DMat3) -> DMat3 {
    let size = m.x_axis.length().max(m.y_axis.length()).max(m.z_axis.length());
    if !(size > 0.0) || !size.is_finite() {
        return DMat3::IDENTITY;
    }
    let mut q = m * (1.0 / size);
    if q.determinant().abs() < 1e-12 {
        return orthonormal_columns(q);
    }
    for _ in 0..64 {
        let next = (q + q.inverse().transpose()) * 0.5;
        let change =
            (next - q).to_cols_array().iter().fold(0.0, |worst: f64, x| worst.max(x.abs()));
        q = next;
        if change < 1e-15 {
            break;
        }
    }
    q
}

/// A right-handed frame from two columns of a flat matrix that are not parallel.
fn orthonormal_columns(m: DMat3) -> DMat3 {
    let x = m.x_axis.try_normalize();
    let y = m.y_axis.try_normalize();
    let z = m.z_axis.try_normalize();
    match (x, y, z) {
        (Some(x), Some(y), _) if x.cross(y).length() > 1e-6 => {
            let z = x.cross(y).normalize();
            DMat3::from_cols(x, z.cross(x), z)
        }
        (_, Some(y), Some(z)) if y.cross(z).length() > 1e-6 => {
            let x = y.cross(z).normalize();
            DMat3::from_cols(x, y, x.cross(y))
        }
        (Some(x), _, Some(z)) if z.cross(x).length() > 1e-6 => {
            let y = z.cross(x).normalize();
            DMat3::from_cols(y.cross(z), y, z)
        }
        _ => DMat3::IDENTITY,
    }
}

/// The proper rotation of the polar decomposition, and −1 where the matrix mirrors: Q = sign · R.
pub fn signed_rotation(m: DMat3) -> (DMat3, f64) {
    let orthogonal = polar_rotation(m);
    let sign = if orthogonal.determinant() < 0.0 { -1.0 } else { 1.0 };
    (orthogonal * sign, sign)
}

/// As [`signed_rotation`], without the mirror.
pub fn proper_rotation(m: DMat3) -> DQuat {
    DQuat::from_mat3(&signed_rotation(m).0).normalize()
}

/// Carries an angular velocity (a pseudovector) through the rotation of a matrix: under a mirror
/// Q (a × b) = −(Q a × Q b), so that with Q = −R it is R that carries it.
pub fn turn_axis(m: DMat3, angular: DVec3) -> DVec3 {
    if angular == DVec3::ZERO {
        return angular;
    }
    signed_rotation(m).0 * angular
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polar_rotation_of_a_scaled_mirror_keeps_the_mirror() {
        let rotation = DMat3::from_quat(DQuat::from_euler(glam::EulerRot::XYZ, 0.3, -1.2, 2.0));
        let scaled = rotation * DMat3::from_diagonal(DVec3::new(0.01, 100.0, 3.0));
        assert!((polar_rotation(scaled) - rotation).to_cols_array().iter().all(|x| x.abs() < 1e-9));
        let mirrored = rotation * DMat3::from_diagonal(DVec3::splat(-2.0));
        assert!(polar_rotation(mirrored).determinant() < 0.0);
        assert!(polar_rotation(DMat3::ZERO).is_finite());
    }
}
