//! Role Value, Rigid Pieces, Firm Parts and the maps of looseness.

use super::*;
use jounce_base::Role;

#[test]
fn a_number_per_role_is_that_of_each_bone_and_can_be_corrected() {
    let inputs: Vec<(&str, Setting)> =
        Role::ALL.iter().map(|role| (role.name(), Setting::Float(1.0 + role.number()))).collect();
    let roles = tube().roles().automatic();
    assert!(roles.contains(&Role::Trunk) && roles.contains(&Role::Free), "{roles:?}");
    let none = CharacterSettings::default();
    let found = bone_means("Role Value", &inputs, "value", "skin", &none);
    let number = |role: Role| DVec3::splat(1.0 + role.number());
    assert_close(&found, &expected_sum("skin", |b| number(roles[b])), "roles");
    for role in Role::ALL {
        let mut corrected = CharacterSettings::default();
        corrected.roles.insert("Middle".to_owned(), role);
        let found = bone_means("Role Value", &inputs, "value", "skin", &corrected);
        let of = |b: usize| if b == 0 { number(roles[0]) } else { number(role) };
        assert_close(&found, &expected_sum("skin", of), role.name());
    }
    // Free chains rise from the root to the tip, and only they.
    let rising: Vec<(&str, Setting)> =
        inputs.iter().cloned().chain([("rise", Setting::Float(1.0))]).collect();
    let found = bone_means("Role Value", &rising, "value", "skin", &none);
    let loose = tube().roles().looseness_of_bones(roles);
    let of = |b: usize| match roles[b] {
        Role::Free => number(Role::Free) * loose[b].end,
        role => number(role),
    };
    assert_close(&found, &expected_sum("skin", of), "rise");
    assert!(loose[1].end < loose[2].end && loose[2].end == 1.0);
}

#[test]
fn maps_bring_looseness_and_what_stands_out() {
    let roles = tube().roles().automatic();
    let looseness = tube().roles().looseness(tube(), roles);
    let protrusion = tube().roles().protrusion(tube(), roles);
    for (source, expected) in [("looseness", &looseness), ("protrusion", &protrusion)] {
        let found = plain("Map", &[("source", text(source))], "value");
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found.x as f32, *expected, "{source}");
        }
    }
    assert!(looseness.iter().any(|x| *x > 0.95) && looseness.contains(&0.0));
    let mut still = CharacterSettings::default();
    still.roles.insert("Middle".to_owned(), Role::Trunk);
    let found = plain_with("Map", &[("source", text("looseness"))], "value", &still);
    assert!(found.iter().all(|x| x.x == 0.0), "a trunk is not loose");
}

#[test]
fn rigid_pieces_have_the_middle_of_their_piece_as_position() {
    // All of the tube is one piece on three bones.
    let rest: Vec<DVec3> = tube().rest().positions.iter().map(|p| p.as_dvec3()).collect();
    assert_eq!(plain("Rigid Pieces", &[], "position"), rest);
    assert!(plain("Rigid Pieces", &[], "rigid").iter().all(|x| x.x == 0.0));
}

/// firm = min(1, Σ up_j firm_j) (1 − Σ w_j free_j), and the centroid Σ up_j firm_j c_j / Σ up_j firm_j as far as it is firm.
#[test]
fn firm_parts_are_measured_at_their_middles_and_what_hangs_free_on_them_is_not() {
    let rest = tube().rest_pose();
    let centroids = tube().centroids().evaluate(tube(), rest);
    for [middle, high] in [
        [Role::Head, Role::Head],
        [Role::Hand, Role::Finger],
        [Role::Head, Role::Free],
        [Role::Neck, Role::Head],
        [Role::Trunk, Role::Leg],
    ] {
        let mut corrected = CharacterSettings::default();
        corrected.roles.insert("Low".to_owned(), Role::Trunk);
        corrected.roles.insert("Middle".to_owned(), middle);
        corrected.roles.insert("High".to_owned(), high);
        let roles = [Role::Trunk, middle, high];
        let is_firm = |bone: usize| {
            DVec3::splat(f64::from(u8::from(matches!(roles[bone], Role::Head | Role::Hand))))
        };
        let is_free = |bone: usize| DVec3::splat(f64::from(u8::from(roles[bone] == Role::Free)));
        let counts = expected_sum("upward", is_firm);
        let free = expected_sum("skin", is_free);
        let sums = expected_sum("upward", |bone| centroids[bone] * is_firm(bone));
        let firm: Vec<DVec3> = counts
            .iter()
            .zip(&free)
            .map(|(count, free)| count.min(all(1.0)) * (1.0 - free))
            .collect();
        let case = format!("{middle:?} {high:?}");
        assert_close(&plain_with("Firm Parts", &[], "firm", &corrected), &firm, &case);
        let middle_of = |vertex: usize| {
            let p = tube().rest().positions[vertex].as_dvec3();
            let part = if counts[vertex].x > 0.0 { sums[vertex] / counts[vertex] } else { p };
            p.lerp(part, firm[vertex].x)
        };
        let expected: Vec<DVec3> = (0..tube().vertex_count()).map(middle_of).collect();
        assert_close(&plain_with("Firm Parts", &[], "centroid", &corrected), &expected, &case);
        let has_firm_parts = roles.contains(&Role::Head) || roles.contains(&Role::Hand);
        assert_eq!(firm.iter().any(|firm| firm.x > 0.9), has_firm_parts, "{case}");
    }
}
