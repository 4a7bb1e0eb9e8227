//! Many, large, and on the device.

use super::*;

fn differing(a: &image::RgbaImage, b: &image::RgbaImage) -> usize {
    let is_other = |(a, b): &(&image::Rgba<u8>, &image::Rgba<u8>)| {
        a.0.iter().zip(&b.0).any(|(a, b)| a.abs_diff(*b) > 12)
    };
    a.pixels().zip(b.pixels()).filter(is_other).count()
}

#[test]
fn a_crowd_is_computed_where_it_is_drawn_each_at_its_own_time() {
    let mut harness = in_motion("default");
    let alone = harness.render().unwrap();
    harness.state_mut().state.viewport.crowd.layout.count = 4;
    run(&mut harness, "Crowd");
    harness.run();
    picture(&mut harness, "crowd");
    assert_eq!(state(&harness).viewport.herd.work(), Some((1, 4)), "one dispatch for all four");
    let on_device = harness.render().unwrap();
    assert!(differing(&on_device, &alone) > 2000);
    // What is exaggerated comes from the CPU, and by so little it looks the same.
    harness.state_mut().state.viewport.compare.exaggeration = 1.0001;
    harness.run();
    let on_cpu = harness.render().unwrap();
    let off = differing(&on_device, &on_cpu);
    assert!(off < 200, "{off} pixels differ");
    harness.state_mut().state.viewport.compare.exaggeration = 1.0;
    harness.state_mut().state.viewport.crowd.layout.spacing_secs = Some(0.0);
    harness.run();
    let all_at_once = harness.render().unwrap();
    assert!(differing(&on_device, &all_at_once) > 500, "each at its own time");
    harness.state_mut().state.playhead.time_secs += 0.2;
    harness.run();
    assert!(differing(&harness.render().unwrap(), &all_at_once) > 500, "they move");
}

#[test]
fn four_thousand_are_shown_or_as_many_as_a_software_adapter_can_draw() {
    let mut harness = in_motion("cow-bouncy");
    harness.state_mut().state.viewport.crowd.layout.count = 4000;
    run(&mut harness, "Crowd");
    harness.run();
    let is_software = state(&harness).device.as_ref().unwrap().gpu.is_software;
    let crowd = &state(&harness).viewport.crowd;
    let (shown, all) = (crowd.shown().count(), crowd.layout.count());
    assert_eq!(all, 4000);
    assert_eq!(shown == all, !is_software, "{shown}");
    let adapter = state(&harness).device.as_ref().unwrap().gpu.adapter.clone();
    let hint = crowd.hint(&adapter);
    assert_eq!(hint.is_some(), is_software);
    if let Some(hint) = hint {
        assert!(hint.contains(&format!("{shown} of 4000")) && hint.contains(&adapter), "{hint}");
        assert!(shown >= 9);
    }
    let (dispatches, members) = state(&harness).viewport.herd.work().unwrap();
    assert_eq!((dispatches, members), (1, shown));
    picture(&mut harness, "herd");
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
pub fn multiplied(character: &Character, times: u32) -> Character {
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
