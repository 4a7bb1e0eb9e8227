//! Many, large, and on the device.

use super::*;

#[test]
fn a_crowd_stands_on_a_grid_each_at_its_own_time() {
    let mut harness = in_motion("default");
    harness.state_mut().state.viewport.crowd.layout.count = 4;
    run(&mut harness, "Crowd");
    harness.run();
    picture(&mut harness, "crowd");
    let time_secs = state(&harness).playhead.time_secs;
    let duration_secs = state(&harness).show.duration_secs();
    let drawn = state(&harness).viewport.drawn.members.clone();
    assert_eq!(drawn.len(), 4);
    let middle = |positions: &[Vec3]| positions.iter().sum::<Vec3>() / positions.len() as f32;
    for (member, drawn) in drawn.iter().enumerate() {
        let ahead_secs = duration_secs * member as f64 / 4.0;
        let expected = harness.state_mut().state.show.at(time_secs + ahead_secs).unwrap();
        let shift = middle(drawn) - middle(&expected.deformed.positions);
        let moved: Vec<Vec3> = expected.deformed.positions.iter().map(|p| *p + shift).collect();
        let apart = farthest(drawn, &moved);
        assert!(apart < 1e-4, "{member}: {apart}");
    }
    assert!(drawn[0][0].distance(drawn[1][0]) > 0.5, "side by side");
}

#[test]
fn what_the_device_computes_is_what_the_cpu_would() {
    let mut harness = in_motion("default");
    let before = state(&harness).shown.deformed.positions.clone();
    let plain_picture = harness.render().unwrap();
    harness.state_mut().state.viewport.force_device(true);
    harness.run();
    assert!(state(&harness).viewport.is_on_device());
    assert!(state(&harness).shown.deformed.positions.is_empty(), "nothing comes back");
    let on_device = harness.render().unwrap();
    let differing = plain_picture
        .pixels()
        .zip(on_device.pixels())
        .filter(|(a, b)| a.0.iter().zip(&b.0).any(|(a, b)| a.abs_diff(*b) > 12))
        .count();
    assert!(differing < 200, "{differing} pixels differ");
    let positions = harness.state_mut().state.positions().unwrap().to_vec();
    assert!(farthest(&positions, &before) < 1e-6, "for who asks they are there");
    harness.state_mut().state.viewport.tool = Tool::Look;
    harness.state_mut().state.selection.vertex = Some(0);
    harness.run();
    assert!(!state(&harness).viewport.is_on_device(), "a selected vertex needs the lists");
}

/// The same character so many times in one mesh, one in the other.
fn multiplied(character: &Character, times: u32) -> Character {
    let mut parts: jounce::rig::CharacterParts = (**character).clone();
    let one = (**character).clone();
    let vertices = one.mesh.positions.len() as u32;
    for copy in 1..times {
        let mesh = &mut parts.mesh;
        mesh.positions.extend(&one.mesh.positions);
        mesh.normals.extend(&one.mesh.normals);
        mesh.colors.extend(&one.mesh.colors);
        let shifted = |triangle: &[u32; 3]| triangle.map(|corner| corner + copy * vertices);
        mesh.triangles.extend(one.mesh.triangles.iter().map(shifted));
        parts.skin.append(one.skin.clone());
        for (map, of_one) in parts.maps.iter_mut().zip(&one.maps) {
            map.values.extend(&of_one.values);
        }
    }
    Character::new(parts).unwrap()
}

#[test]
fn a_large_character_hardly_keeps_the_main_thread_busy() {
    let mut harness = example("default");
    let state = &mut harness.state_mut().state;
    let large = multiplied(state.show.character(), 21);
    assert!(large.vertex_count() > 150_000);
    state.session.set_cast(jounce::session::Cast::of("cow", large));
    state.playhead.is_playing = true;
    harness.run_steps(4);
    assert!(harness.state().state.viewport.is_on_device());
    let mut least = [f64::INFINITY; 2];
    for _ in 0..8 {
        let begun = clock::thread_secs();
        harness.state_mut().state.advance(1.0 / 60.0);
        let advanced = clock::thread_secs();
        harness.step();
        let stepped = clock::thread_secs();
        least = [least[0].min(advanced - begun), least[1].min(stepped - advanced)];
    }
    let [evaluated, window] = least.map(|secs| secs * 1e3);
    eprintln!("evaluated in {evaluated:.2} ms, the whole window in {window:.2} ms of this thread");
    assert!(evaluated < 8.0, "{evaluated} ms");
}

/// Numbers of bones are read in every frame: what the device keeps of the vertices stays.
#[test]
fn a_centroid_that_is_moved_moves_what_the_device_computes() {
    let mut harness = in_motion("default");
    harness.state_mut().state.viewport.force_device(true);
    harness.run();
    let before = state(&harness).viewport.is_on_device();
    let key = state(&harness).session.character_settings_key();
    let session = &mut harness.state_mut().state.session;
    for bone in ["Spine", "Neck", "Head"] {
        let (character, bone, offset) = (key.clone(), bone.to_owned(), Some([0.4, 0.5, -0.6]));
        let command = jounce::graph::Command::SetCentroidOffset { character, bone, offset };
        assert!(session.perform("Move centroid", command));
    }
    harness.run();
    assert!(before && state(&harness).viewport.is_on_device());
    let on_device = harness.render().unwrap();
    harness.state_mut().state.viewport.force_device(false);
    harness.run();
    assert!(!state(&harness).viewport.is_on_device());
    let on_cpu = harness.render().unwrap();
    let is_other = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(&b.0).any(|(a, b)| a.abs_diff(*b) > 12)
    };
    let differing = on_device.pixels().zip(on_cpu.pixels()).filter(is_other).count();
    assert!(differing < 200, "{differing} pixels differ");
}
