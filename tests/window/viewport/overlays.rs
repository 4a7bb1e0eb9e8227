//! What is drawn over the character, read back from the pixels.

use super::*;
use image::RgbaImage;
use jounce::session::overlays::AXIS_LENGTH;

fn pixel(picture: &RgbaImage, at: Pos2) -> [i32; 3] {
    let [r, g, b, _] = picture.get_pixel(at.x as u32, at.y as u32).0;
    [r, g, b].map(i32::from)
}

fn apart(a: [i32; 3], b: [i32; 3]) -> i32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).max().unwrap()
}

/// Pixels of the viewport that are other ones.
fn differing(harness: &Harness<'static, Editor>, a: &RgbaImage, b: &RgbaImage) -> usize {
    let rect = screen(harness).rect.shrink(1.0);
    let rows = rect.top() as u32..rect.bottom() as u32;
    let all = rows.flat_map(|y| (rect.left() as u32..rect.right() as u32).map(move |x| (x, y)));
    let place = |(x, y): (u32, u32)| egui::pos2(x as f32, y as f32);
    all.map(place).filter(|&at| apart(pixel(a, at), pixel(b, at)) > 16).count()
}

#[test]
fn wireframe_skeleton_axes_and_centroids_are_drawn_and_go_away() {
    let mut harness = in_motion("default");
    let plain = harness.render().unwrap();
    for (action, least) in
        [("Wireframe", 3000), ("Skeleton", 800), ("Bone Axes", 300), ("Centroids", 300)]
    {
        run(&mut harness, action);
        let with_it = harness.render().unwrap();
        picture(&mut harness, &action.to_lowercase());
        let pixels = differing(&harness, &plain, &with_it);
        assert!(pixels > least, "{action}: {pixels} pixels differ");
        run(&mut harness, action);
        let again = harness.render().unwrap();
        assert_eq!(differing(&harness, &plain, &again), 0, "{action} goes away");
    }
}

#[test]
fn axes_begin_at_joints_and_end_where_the_frames_of_bones_say() {
    let mut harness = in_motion("default");
    let plain = harness.render().unwrap();
    run(&mut harness, "Bone Axes");
    let with_axes = harness.render().unwrap();
    let (screen, state) = (screen(&harness), state(&harness));
    let (character, pose) = (state.show.character(), state.shown.pose.as_ref().unwrap());
    let length = character.size() as f32 * AXIS_LENGTH;
    let mut lines = Vec::new();
    for bone in 0..character.skeleton.bones.len() {
        let origin = character.bone_origin(pose, bone).as_vec3();
        let frame = character.bone_rotation(pose, bone).as_mat3();
        for (axis, name) in [(frame.x_axis, 'x'), (frame.y_axis, 'y'), (frame.z_axis, 'z')] {
            let ends = [origin, origin + axis * length].map(|it| screen.project(it).unwrap());
            lines.push((bone, name, ends));
        }
    }
    let mut seen = 0;
    for (place, &(bone, name, [from, to])) in lines.iter().enumerate() {
        let is_alone = |at: Pos2| {
            let others = lines.iter().enumerate().filter(|(other, _)| *other != place);
            others.into_iter().all(|(_, (.., line))| distance_to_line(at, *line) > 4.0)
        };
        // One that points at the eye is a dot.
        if from.distance(to) < 12.0 {
            continue;
        }
        let along = (to - from).normalized();
        let (inside, beyond) = (to - along * 2.0, to + along * 3.0);
        if !is_alone(inside) || !is_alone(beyond) || !screen.rect.shrink(4.0).contains(beyond) {
            continue;
        }
        seen += 1;
        let [r, g, b] = pixel(&with_axes, inside);
        let is_its_color = match name {
            'x' => r > g + 40 && r > b + 40,
            'y' => g > r + 25 && g > b + 25,
            _ => b > r + 40 && b > g + 20,
        };
        assert!(is_its_color, "{name} of bone {bone} at {inside:?} is {r} {g} {b}");
        let (before, after) = (pixel(&plain, beyond), pixel(&with_axes, beyond));
        assert!(apart(before, after) < 12, "{name} of bone {bone} goes on at {beyond:?}");
    }
    assert!(seen >= 10, "{seen} axes stand alone");
}
