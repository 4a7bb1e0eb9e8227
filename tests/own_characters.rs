//! Scratch while modelling: replaced below by the laws of each character.
#[test]
fn dump() {
    let Ok(folder) = std::env::var("OWN_DUMP") else {
        return;
    };
    let names = std::env::var("OWN_NAMES").unwrap_or_else(|_| jounce::rig::own::names().join(" "));
    for name in names.split(' ') {
        let start = std::time::Instant::now();
        let target = std::env::var("OWN_TARGET").ok().and_then(|t| t.parse().ok());
        let c = jounce::rig::own::make(name, target).unwrap();
        let made = start.elapsed();
        std::fs::write(format!("{folder}/{name}.glb"), jounce::rig::write_glb(&c).unwrap())
            .unwrap();
        println!(
            "{name}: {} vertices {} triangles {:?}",
            c.vertex_count(),
            c.mesh.triangles.len(),
            made
        );
    }
}
