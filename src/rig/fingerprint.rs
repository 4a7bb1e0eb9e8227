//! A short number that tells a mesh from others: it stands in documents beside what was painted on it.

use super::Mesh;
use jounce_base::MeshFingerprint;

/// Of the vertices in their order and the triangles between them. What weights, clips and materials say does not
/// count: a map fits the mesh all the same. The number is the same on every machine and in every version.
pub fn fingerprint(mesh: &Mesh) -> MeshFingerprint {
    // FNV-1a over words (Fowler, Noll, Vo 1991), with the high bits folded down: words differ in those, too.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |word: u32| {
        hash = (hash ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3);
        hash ^= hash >> 29;
    };
    add(mesh.positions.len() as u32);
    for position in &mesh.positions {
        // −0 and 0 are the same place.
        (*position + glam::Vec3::ZERO).to_array().map(f32::to_bits).into_iter().for_each(&mut add);
    }
    mesh.triangles.as_flattened().iter().copied().for_each(&mut add);
    MeshFingerprint(hash)
}
