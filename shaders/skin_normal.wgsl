// The sign of the determinant keeps a normal outside under a mirror. It is scaled to unit size
// before it is normalised: the cofactors of a small scale are its square.
fn jn_turned_normal(row_x: vec3f, row_y: vec3f, row_z: vec3f, normal: vec3f) -> vec3f {
    let cofactors_x = cross(row_y, row_z);
    let turned = vec3f(
        dot(cofactors_x, normal),
        dot(cross(row_z, row_x), normal),
        dot(cross(row_x, row_y), normal),
    );
    let largest = max(max(abs(turned.x), abs(turned.y)), abs(turned.z));
    if (!(largest > 0.0 && largest < 1e30)) {
        return normal;
    }
    return normalize(turned / largest) * select(1.0, -1.0, dot(row_x, cofactors_x) < 0.0);
}
