//! What the language means: each row once with everything known, folded while compiling, and once
//! with inputs that are only known at run time. Both must give the numbers in the table.

use crate::support::conformance::{program_of_maps, run, script, shown};
use glam::{DVec3, dvec3};
use jounce::ir::{Builder, Number, Type};
use jounce::script::{NodeType, Val, evaluate_node};

const INPUTS: [(&str, Type); 4] =
    [("a", Type::Float), ("b", Type::Float), ("v", Type::Vec3), ("u", Type::Vec3)];

/// a, b, v and u: what every row is given.
const A: f64 = 2.0;
const B: f64 = -3.0;
const V: DVec3 = dvec3(1.0, 2.0, 3.0);
const U: DVec3 = dvec3(-4.0, 0.0, 0.5);

fn folded(node_type: &NodeType) -> DVec3 {
    let mut builder = Builder::default();
    let floats = [("a", A), ("b", B)].map(|(n, x)| (n.to_owned(), Val::Float(builder.float(x))));
    let vectors = [("v", V), ("u", U)]
        .map(|(name, v)| (name.to_owned(), Val::Vec3(builder.constant(Number::Vec3(v)))));
    let ports: Vec<(String, Val)> = floats.into_iter().chain(vectors).collect();
    let result = evaluate_node(node_type, &mut builder, &ports, false).ok().unwrap();
    let position = shown(&mut builder, &result);
    match builder.as_constant(position) {
        Some(Number::Vec3(v)) => v,
        other => panic!("not folded: {other:?}"),
    }
}

fn at_run_time(node_type: &NodeType) -> DVec3 {
    let row = [vec![A, B], V.to_array().to_vec(), U.to_array().to_vec()].concat();
    run(&program_of_maps(node_type, &INPUTS), &[row])[0]
}

fn check(rows: &[(&str, &str, DVec3)]) {
    for &(helpers, body, expected) in rows {
        let node_type = script(helpers, &INPUTS, body).unwrap_or_else(|e| panic!("{body}: {e}"));
        for (how, found) in [("folded", folded(&node_type)), ("run", at_run_time(&node_type))] {
            let close = (found - expected).abs().max_element() <= 1e-6 * (1.0 + expected.length());
            assert!(close, "{helpers}\n{body}\n{how}: {found}, expected {expected}");
        }
    }
}

fn floats(rows: &[(&str, f64)]) {
    let rows: Vec<_> = rows.iter().map(|&(body, x)| ("", body, DVec3::splat(x))).collect();
    check(&rows);
}

fn with_helpers(rows: &[(&str, &str, f64)]) {
    let rows: Vec<_> = rows.iter().map(|&(h, body, x)| (h, body, DVec3::splat(x))).collect();
    check(&rows);
}

#[test]
fn numbers() {
    floats(&[
        ("1 / 2", 0.5),
        ("7 / 2", 3.5),
        ("6 / 2", 3.0),
        ("2 * 3.5", 7.0),
        ("-3 % 2", 1.0),
        ("3 % -2", -1.0),
        ("-3 % -2", -1.0),
        ("-3.0 % 2.0", 1.0),
        ("3.0 % -2.0", -1.0),
        ("-3.0 % -2.0", -1.0),
        ("b % a", 1.0),
        ("b % -a", -1.0),
        ("5 % 0", 0.0),
        ("a % 0", 0.0),
        ("5 / 0", 0.0),
        ("a / 0", 0.0),
        ("2 ** 3", 8.0),
        ("2 ** -1", 0.5),
        ("a ** 3", 8.0),
        ("b ** 2", 9.0),
        ("b ** 3", -27.0),
        ("(-3) ** 2", 9.0),
        ("b ** 1", -3.0),
        ("b ** 0", 1.0),
        ("4 ** 0.5", 2.0),
        ("a ** b", 0.125),
        ("-a ** 2", 4.0),
        ("1 + 2 * 3 - 4", 3.0),
        ("(1 + 2) * 3", 9.0),
        ("1 - 2 - 3", -4.0),
        ("a + 1", 3.0),
        ("1 - a", -1.0),
        ("+a - -b", -1.0),
        ("1_000 + 0x10", 1016.0),
        ("PI - TAU / 2", 0.0),
        ("log(E)", 1.0),
        ("1e3 + 1.5e-1", 1000.15),
        ("9223372 * 9999999 * 9999999 / 9999999 / 9999999", 9223372.0),
    ]);
}

#[test]
fn variables() {
    floats(&[
        ("let x = a; x", 2.0),
        ("let x = a; let x = x + 1; x", 3.0),
        ("let x = a; { let x = 7; } x", 2.0),
        ("let x = a; { x = 7; } x", 7.0),
        ("let x = a; { let x = 5; x = 6; } x", 2.0),
        ("let x = { let y = a; y * 3 }; x", 6.0),
        ("const K = 3; a * K", 6.0),
        ("let x = a; x += 1; x -= 5; x *= 3; x /= 4; x", -1.5),
        ("let x = 7; x %= 4; x **= 2; x", 9.0),
        ("a += 1; a", 3.0),
        ("let w = v; w.x += 1; w.x * 100 + w.y * 10 + w.z", 223.0),
        ("let w = v; w.y = 9; w.z *= 2; w.x + w.y + w.z + v.z", 19.0),
        ("let w = v; let t = w; t.x = 0; w.x", 1.0),
        ("v[0] + v[2]", 4.0),
        ("let x; x = 3; x", 3.0),
    ]);
}

#[test]
fn lists_and_maps() {
    floats(&[
        ("let l = [a, b, 5]; l[0] + l[1] + l[2]", 4.0),
        ("let l = [1, 2, 3]; l[1] = a * 10; l[0] + l[1] + l[2]", 24.0),
        ("let l = [[1, 2], [3, a]]; l[1][1] += 1; l[1][1] * 10 + l[0][1]", 32.0),
        ("let m = #{ near: a, far: 10 }; m.near + m.far", 12.0),
        ("let m = #{ p: v, l: [1, 2] }; m.p.x = 9; m.l[0] = 4; m.p.x * 10 + m.l[0] + v.x", 95.0),
        ("let m = #{ x: 1 }; m.y = 2; m.x += 5; m.x * m.y", 12.0),
        ("let m = #{ x: 4 }; m[\"x\"]", 4.0),
        ("[4, 5, 6].len", 3.0),
        ("let l = [v, u]; l[1].x", -4.0),
        ("let m = #{ a: #{ b: [#{ c: 7 }] } }; m.a.b[0].c", 7.0),
    ]);
}

#[test]
fn loops() {
    floats(&[
        ("let s = 0; for i in 0..4 { s += i; } s", 6.0),
        ("let s = 0; for i in 0..=4 { s += i * a; } s", 20.0),
        ("let s = 0; for i in 3..0 { s += 1; } s", 0.0),
        ("let s = 0; for x in [a, b, 10] { s += x; } s", 9.0),
        ("let s = 0; for (x, i) in [5, 6, 7] { s += x * i; } s", 20.0),
        ("let s = 0; for i in 0..10 { if i == 3 { break; } s += i; } s", 3.0),
        ("let s = 0; for i in 0..5 { if i % 2 == 0 { continue; } s += i; } s", 4.0),
        ("let s = 0; for i in 0..3 { for j in 0..3 { if j > i { break; } s += 1; } } s", 6.0),
        ("let s = 0; for i in 0..4 { if a > i { s += 1; } } s", 2.0),
        ("let s = a; for i in 0..3 { let s = 100; } s", 2.0),
        ("for i in 0..5 { if a < i { return i; } } -1", 3.0),
        ("for i in 0..5 { if i == 4 { return i * a; } } -1", 8.0),
        ("let n = [1, 2].len; let s = 0; for i in 0..n { s += 1; } s", 2.0),
    ]);
}

#[test]
fn conditions() {
    floats(&[
        ("if a > 0 { 1 } else { 2 }", 1.0),
        ("if b > 0 { 1 } else if a > 0 { 2 } else { 3 }", 2.0),
        ("let x = if 1 < 2 { a } else { b }; x", 2.0),
        ("let x = 1; if a > 0 { x = 5; } x", 5.0),
        ("let x = 1; if b > 0 { x = 5; } else { x += 1; } x", 2.0),
        ("let x = 0; if a > 0 { if b > 0 { x = 1; } else { x = 2; } } x", 2.0),
        ("let w = v; if a > 0 { w.x = 9; } w.x + w.y", 11.0),
        ("let l = [1, 2]; if a > 0 { l[0] = 8; } l[0] + l[1]", 10.0),
        ("let m = #{ x: 1, y: v }; if a > 0 { m.x = 3; m.y = u; } m.x + m.y.x", -1.0),
        ("if a > 0 { let x = 3; } a", 2.0),
        ("if a > 0 && b < 0 { 1 } else { 0 }", 1.0),
        ("if a > 0 && b > 0 { 1 } else { 0 }", 0.0),
        ("if a < 0 || b < 0 { 1 } else { 0 }", 1.0),
        ("if !(a < 0) { 1 } else { 0 }", 1.0),
        ("if (a > 0) == (b > 0) { 1 } else { 0 }", 0.0),
        ("if (a > 0) != (b > 0) { 1 } else { 0 }", 1.0),
        ("let yes = a >= 2; if yes & true { 1 } else { 0 }", 1.0),
        ("if a == 2 { 1 } else { 0 }", 1.0),
        ("if a != 2 { 1 } else { 0 }", 0.0),
        ("if a <= 2 && a >= 2 { 1 } else { 0 }", 1.0),
        ("select(a > 0, 4, b)", 4.0),
        ("if \"x\" == \"x\" { a } else { vec3(1) }", 2.0),
    ]);
}

#[test]
fn early_returns() {
    floats(&[
        ("return a;", 2.0),
        ("if a > 0 { return 7; } 8", 7.0),
        ("if b > 0 { return 7; } 8", 8.0),
        ("if a > 0 { return 7; } else { return 8; }", 7.0),
        ("if b > 0 { return 1; } if a > 0 { return 2; } 3", 2.0),
        ("if a > 0 { return 1; } if b < 0 { return 2; } 3", 1.0),
        ("if a > 0 { if b > 0 { return 1; } } 2", 2.0),
        ("if a > 0 { if b < 0 { return 1; } } 2", 1.0),
        ("let x = 1; if b > 0 { x = 5; return x; } x += 1; x", 2.0),
        ("let x = 1; if a > 0 { x = 5; return x; } x += 1; x", 5.0),
        ("let x = 1; if b > 0 { return 9; } else { x = 4; } x", 4.0),
        ("let x = 1; if a > 0 { x = 4; } else { return 9; } x", 4.0),
        ("let y = if a > 0 { if b < 0 { return 5; } 2 } else { 3 }; y * 10", 5.0),
        ("{ { if a > 1 { return 6; } } } 0", 6.0),
        ("let y = if true { return 5; } else { 2 }; y", 5.0),
        ("1 + if a > 0 { return 5; } else { 2 }", 5.0),
        ("let s = 0; for i in 0..5 { s += if i == 2 { break; } else { 1 }; } s", 2.0),
        ("let s = 0; for i in 0..5 { s += if i == 2 { continue; } else { a }; } s", 8.0),
    ]);
}

#[test]
fn functions() {
    with_helpers(&[
        ("fn double(x) { x * 2 }", "double(a) + double(3)", 10.0),
        ("fn f(x) { if x > 0 { return 1; } -1 }", "f(a) * 10 + f(b)", 9.0),
        ("fn f(x) { g(x) + 1 } fn g(x) { x * x }", "f(b)", 10.0),
        ("fn f(x) { x } fn f(x, y) { x + y }", "f(1) + f(a, b)", 0.0),
        ("fn f(x) { x = x + 1; x }", "let x = a; f(x) * 10 + x", 32.0),
        ("fn f() { #{ p: 3, q: [1, 2] } }", "f().p + f().q[1]", 5.0),
        ("fn twice(x) { x * 2 }", "a.twice() + 1", 5.0),
        ("fn length(x) { 42 }", "length(v)", 42.0),
        ("const K = 4; const L = K * 2;", "K + L + a", 14.0),
        ("const UP = [0, 1, 0];", "UP[1] + a", 3.0),
        ("const HALF = PI / 2;", "sin(HALF)", 1.0),
        ("const K = 4; fn f(x) { x * K }", "f(a)", 8.0),
        ("const K = 4;", "let K = 5; K", 5.0),
        ("", "v.length() - length(v)", 0.0),
        ("", "v.cross(u).dot(v)", 0.0),
        ("", "a.max(b).min(1)", 1.0),
    ]);
}

#[test]
fn vectors_and_rotations() {
    check(&[
        ("", "v + u", V + U),
        ("", "v - u", V - U),
        ("", "v * u", V * U),
        ("", "v * a", V * A),
        ("", "a * v", V * A),
        ("", "v / a", V / A),
        ("", "v / v", DVec3::ONE),
        ("", "1 / v", 1.0 / V),
        ("", "v + 1", V + 1.0),
        ("", "1 - v", 1.0 - V),
        ("", "-v", -V),
        ("", "v % 2", dvec3(1.0, 0.0, 1.0)),
        ("", "v ** 2", V * V),
        ("", "u ** 2", U * U),
        ("", "let w = v; w += u; w *= 2; w", (V + U) * 2.0),
        ("", "vec3(a, b, 1)", dvec3(A, B, 1.0)),
        ("", "quat(vec3(0, 0, 1), PI / 2) * vec3(1, 0, 0)", DVec3::Y),
        ("", "let q = quat(u, a); (q * conjugate(q)) * v", V),
        ("", "let p = quat(u, a); let q = quat(v, b); (p * q) * v - p * (q * v)", DVec3::ZERO),
        ("", "let q = quat(v, b); mat3(q) * u - q * u", DVec3::ZERO),
        ("", "mat3(v, u, v) * vec3(0, 1, 0)", U),
        ("", "(mat3(v, u, v) + mat3(u, u, u)) * vec3(1, 0, 0)", V + U),
        ("", "(mat3(v, u, v) - mat3(u, u, u)) * vec3(1, 0, 0)", V - U),
        ("", "(mat3(v, u, v) * a) * vec3(1, 0, 0)", V * A),
        ("", "(a * mat3(v, u, v)) * vec3(1, 0, 0)", V * A),
        ("", "(mat3(v, u, v) / a) * vec3(1, 0, 0)", V / A),
        ("", "(-mat3(v, u, v)) * vec3(1, 0, 0)", -V),
        ("", "let m = mat3(v, u, vec3(0, 0, 1)); (m * m) * v - m * (m * v)", DVec3::ZERO),
        ("", "transpose(mat3(v, u, v)).x", dvec3(1.0, -4.0, 1.0)),
        ("", "mat3(v, u, v)[1]", U),
        ("", "let q = quat(0, 0, 0, 2); vec3(q.x, q.y, q.w)", DVec3::Z),
        ("", "let q = if a > 0 { quat(v, 0) } else { quat(u, 1) }; q * v", V),
        ("", "if a > 0 { v } else { u }", V),
        ("", "if b > 0 { v } else { 1 }", DVec3::ONE),
        ("", "select(b > 0, v, u)", U),
    ]);
}

#[test]
fn what_is_decided_is_not_looked_at_further() {
    floats(&[
        (
            "let l = [1.0, 5.0]; let s = 0.0; for i in 0..2 { if i > 0 && l[i - 1] < a { s = l[i]; } } s",
            5.0,
        ),
        ("let l = [7.0]; if 1 > 0 || l[3] > 0 { 2.0 } else { 3.0 }", 2.0),
    ]);
    // Functions of one name that take more or less are different functions.
    with_helpers(&[("fn f(x) { f(x, 2) } fn f(x, y) { x * y }", "f(a)", 4.0)]);
}
