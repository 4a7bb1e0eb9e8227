//! Scripts that want to hold the program up, or to bring it down. Each must be accepted or refused
//! within 100 ms, on a thread with a stack of 2 MB. Test builds are not optimised and share the
//! machine with other tests, so here the best of three tries may take [`SLACK`] times as long.

use crate::support::random::Random;
use jounce::script::{ScriptError, ScriptOrigin, node_type};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(100);
const SLACK: u32 = if cfg!(debug_assertions) { 3 } else { 1 };

const HEAD: &str = "node(\"N\", \"T\"); input(\"a\", FLOAT, 1); output(\"r\", FLOAT);\n";

fn body(text: &str) -> String {
    format!("{HEAD}fn eval(a) {{ {text} }}")
}

fn declarations(text: &str) -> String {
    format!("{HEAD}{text}\nfn eval(a) {{ a }}")
}

fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap();
    thread.join().expect("no script makes it panic")
}

fn read(text: &str) -> (Result<(), ScriptError>, Duration) {
    let text = text.to_owned();
    on_small_stack(move || {
        let start = Instant::now();
        let result = node_type(&text, "hostile.rhai", ScriptOrigin::BuiltIn).map(drop);
        (result, start.elapsed())
    })
}

/// The result and the best time of up to three tries.
fn within_limit(name: &str, text: &str) -> (Result<(), ScriptError>, Duration) {
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let (result, time) = read(text);
        best = best.min(time);
        if best < LIMIT {
            if let Err(error) = &result {
                assert!(error.message.chars().count() <= 401, "{name}: a message like a novel");
                assert!(!error.message.is_empty(), "{name}: no message");
            }
            return (result, best);
        }
    }
    assert!(best < LIMIT * SLACK, "{name} took {best:?}");
    (read(text).0, best)
}

fn repeated(open: &str, inner: &str, close: &str, times: usize) -> String {
    format!("{}{inner}{}", open.repeat(times), close.repeat(times))
}

/// Functions that each call the next twice, in different ways.
fn doubling(levels: usize, call: impl Fn(usize) -> String) -> String {
    let mut text = HEAD.to_owned();
    for level in 0..levels {
        text.push_str(&format!("fn f{level}(x) {{ {} }}\n", call(level + 1)));
    }
    format!("{text}fn f{levels}(x) {{ x }}\nfn eval(a) {{ f0(a) }}")
}

fn hostile() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, text: String| all.push((name.to_owned(), text));
    add("endless loop", declarations("loop { }"));
    add("endless while", declarations("while true { let x = 1; }"));
    add("endless for", declarations("for i in 0..9223372036854775807 { }"));
    add("endless function", declarations("fn f(x) { loop { } } f(1);"));
    add("endless recursion", declarations("fn f(x) { f(x + 1) } f(1);"));
    add("endless texts", declarations("let t = \"a\"; loop { t += t; }"));
    add("endless lists", declarations("let l = [1]; loop { l = [l, l]; }"));
    add(
        "slow copies",
        declarations("let l = [1,2,3,4]; for i in 0..100000 { let m = l; m[0] = l; l = m; }"),
    );
    for depth in [100, 1000, 7000] {
        for (name, open, inner, close) in [
            ("parentheses", "(", "a", ")"),
            ("blocks", "{", "a", "}"),
            ("lists", "[", "a", "]"),
            ("maps", "#{x:", "a", "}"),
            ("calls", "sin(", "a", ")"),
            ("minus", "- ", "a", ""),
            ("not", "!", "true", ""),
            ("ifs", "if a>0{", "a", "}"),
            ("else ifs", "if a>0{1}else ", "{2}", ""),
            ("conditions", "if ", "a>0", "{true}else{false}"),
            ("index", "[0][", "0", "]"),
            ("fors", "for i in 0..2{", "a", "}"),
            ("power", "a**", "a", ""),
            ("closures", "|x|", "x", ""),
            ("interpolation", "`${", "a", "}`"),
            ("comments", "/*", "", "*/"),
        ] {
            add(&format!("{depth} {name}"), body(&repeated(open, inner, close, depth)));
            add(&format!("{depth} {name} open"), body(&open.repeat(depth)));
            add(
                &format!("{depth} {name} outside"),
                declarations(&repeated(open, "1", close, depth)),
            );
        }
        add(&format!("{depth} summands"), body(&format!("a{}", "+a".repeat(depth))));
        add(
            &format!("{depth} summands outside"),
            declarations(&format!("let x = 1{};", "+1".repeat(depth))),
        );
        add(&format!("{depth} fields"), body(&format!("a{}", ".x".repeat(depth))));
        add(&format!("{depth} methods"), body(&format!("a{}", ".sin()".repeat(depth))));
        add(&format!("{depth} indices"), body(&format!("a{}", "[0]".repeat(depth))));
        add(
            &format!("{depth} conditions in a row"),
            body(&format!("if a>0{} {{1}} else {{2}}", "&&a>0".repeat(depth))),
        );
        add(&format!("{depth} lets"), body(&format!("{}x", "let x = a;".repeat(depth))));
        add(
            &format!("{depth} ifs in a row"),
            body(&format!("let x = a;{}x", "if x>0{x=x+1;}".repeat(depth))),
        );
        let many = |make: &dyn Fn(usize) -> String| (0..depth).map(make).collect::<String>();
        add(&format!("{depth} functions"), declarations(&many(&|i| format!("fn f{i}(){{}}"))));
        add(&format!("{depth} constants"), declarations(&many(&|i| format!("const C{i}=1;"))));
        add(
            &format!("{depth} inputs"),
            declarations(&many(&|i| format!("input(\"a{i}\",FLOAT);"))),
        );
        add(
            &format!("{depth} outputs"),
            declarations(&many(&|i| format!("output(\"a{i}\",FLOAT);"))),
        );
        add(
            &format!("{depth} states"),
            declarations(&many(&|i| format!("state(\"a{i}\",FLOAT);"))),
        );
        add(&format!("{depth} words"), declarations(&many(&|i| format!("also(\"a{i}\");"))));
        add(
            &format!("{depth} list values"),
            body(&format!("let l=[{}];a", many(&|i| format!("{i},")))),
        );
    }
    let many = |count: usize, make: &dyn Fn(usize) -> String| (0..count).map(make).collect();
    let mistakes: String = many(2_000, &|i| format!("let a{i:03x}=z{i:03x};"));
    add("2000 mistakes", body(&mistakes));
    let switches: String = many(32, &|i| format!("input(\"s{i}\",BOOL,true);"));
    add("2000 mistakes and 32 switches", format!("{HEAD}{switches}\nfn eval(a) {{ {mistakes} }}"));
    let lets: String = many(1_500, &|i| format!("let a{i:03x}=1;"));
    let mistakes: String = many(2_000, &|i| format!("z{i:03x}=1;"));
    add("2000 mistakes beside 1500 variables", body(&format!("{lets}{mistakes}")));
    add("2500 unknown functions", body(&many(2_500, &|i| format!("f{i:03x}(1);"))));
    let choices: String = many(1_000, &|i| format!("\"c{i:03x}\","));
    add(
        "6500 comparisons with what is none of 1000 choices",
        format!(
            "{HEAD}input(\"m\",CHOICE).choices([{choices}]);\nfn eval(m) {{ {} }}",
            "m==\"d\";".repeat(6_500)
        ),
    );
    add(
        "1000 × 1000",
        body("let s = 0; for i in 0..1000 { for j in 0..1000 { s += a * i * j; } } s"),
    );
    add("1000 × 1000 × nothing", body("for i in 0..1000 { for j in 0..1000 { } } a"));
    add(
        "noise in loops",
        body("let s = 0; for i in 0..1000 { for j in 0..9 { s += noise3(a).x; } } s"),
    );
    add("noises in loops", body("let s = 0; for i in 0..1000 { s += noise3(a + i).x; } s"));
    add("ifs in loops", body("let s = a; for i in 0..1000 { if s > i { s += 1; } } s"));
    add("returns in loops", body("for i in 0..1000 { if a > i { return i; } } a"));
    add(
        "maps of maps",
        body(&format!("let m = #{{x:a,y:a}};{} m.x", "m = #{x:m,y:m};".repeat(40))),
    );
    add("lists of lists", body(&format!("let l = [a,a];{} a", "l = [l,l];".repeat(40))));
    add("lists in parts", body(&format!("let l = [a,a];{} a", "l[0] = l; l[1] = l;".repeat(40))));
    add(
        "long copies",
        body("let l = 0..1024; for i in 0..1024 { let a=l; let b=l; let c=[l,l]; } a"),
    );
    add("long names in maps", body(&format!("let m = #{{{}:1}}; m.b", "a".repeat(30_000))));
    add("doubling calls", doubling(60, |next| format!("f{next}(x) + f{next}(x + 1)")));
    add("doubling shared calls", doubling(60, |next| format!("f{next}(f{next}(x))")));
    add("deep helpers", doubling(200, |next| format!("f{next}(x);")));
    add(
        "deep helpers in blocks",
        doubling(200, |next| repeated("{", &format!("f{next}(x)"), "}", 30)),
    );
    add(
        "deep helpers in ifs",
        doubling(200, |next| repeated("if x>0{", &format!("f{next}(x);"), "}", 20)),
    );
    let mut constants = "const C0 = 1;".to_owned();
    (1..60).for_each(|i| constants.push_str(&format!("const C{i} = C{0} + C{0};", i - 1)));
    add("doubling constants", format!("{HEAD}{constants}\nfn eval(a) {{ C59 + a }}"));
    add("a constant of itself", declarations("const A = A;"));
    add("constants in a circle", declarations("const A = B; const B = A;"));
    add(
        "a huge product",
        body(
            "1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*1e12*a",
        ),
    );
    add("1e308", body("1e308 * 1e308 * a"));
    add("1e999", body("1e999 * a"));
    add("overflow", body("9223372036854775807 + 1"));
    add("overflow of products", body("(1000000000000 * 1000000000000 * 1000000000000) % 7"));
    add("overflow of powers", body("2 ** 100000 + 10 ** 18 * a"));
    add("the least whole number", body("(-9223372036854775807 - 1) / -1"));
    add("rest of the least", body("let x = 0 - 999999999999; x = x * 9223372; x % -1"));
    add("overflow outside", declarations("let x = 9223372036854775807 + 1;"));
    add("shifts", declarations("let x = 1 << 9999999999; let y = 1 << -1;"));
    add("long number", body(&format!("a + {}", "9".repeat(5000))));
    add("long fraction", body(&format!("a + 0.{}", "3".repeat(5000))));
    add("long name", body(&"n".repeat(50_000)));
    // Where it does not parse, the line is searched for habits of other languages.
    add("long name and another", body(&format!("{} q", "n".repeat(50_000))));
    add("long name of f", body(&format!("{} q", "f".repeat(50_000))));
    add("long function name", body(&format!("{}(a)", "n".repeat(50_000))));
    add("long text of 10 MB", body(&format!("let t = \"{}\"; a", "x".repeat(10 << 20))));
    add("long text of 50 KB", body(&format!("let t = \"{}\"; a", "x".repeat(50 << 10))));
    add("long port name", declarations(&format!("input(\"{}\", FLOAT);", "x".repeat(10_000))));
    add("1 MB of one line", declarations(&"let x = 1; ".repeat(100_000)));
    add("59 KB of one line", declarations(&"let x = 1; ".repeat(5_300)));
    add("many empty lines", format!("{}{}", "\n".repeat(60_000), body("q")));
    add("nothing", String::new());
    add("spaces", " \n\t\r\n ".to_owned());
    add("a null", "\0".to_owned());
    add("nulls", "\0".repeat(50_000));
    add(
        "garbage",
        String::from_utf8_lossy(&(0..=255_u8).cycle().take(20_000).collect::<Vec<u8>>())
            .into_owned(),
    );
    add("unicode", body("let größe = a; größe"));
    add("a letter of two bytes behind a number", body("a * 2π\n"));
    add("accents behind a number", body("a * 2é\n+ 3éé;\n"));
    add("emoji", "🦒".repeat(10_000));
    add("backwards writing", body("\u{202e}a\u{202c}"));
    add("byte order mark", format!("\u{feff}{}", body("a")));
    all
}

#[test]
fn hostile_scripts_end_in_time() {
    let all = hostile();
    let mut slowest = (Duration::ZERO, String::new());
    for (name, text) in &all {
        let (_, time) = within_limit(name, text);
        slowest = slowest.max((time, name.clone()));
    }
    println!("{} hostile scripts, the slowest: {} in {:?}", all.len(), slowest.1, slowest.0);
}

/// So that the list above cannot quietly stop being hostile.
#[test]
fn most_of_them_are_refused() {
    let accepted: Vec<String> = hostile()
        .into_iter()
        .filter(|(_, text)| read(text).0.is_ok())
        .map(|(name, _)| name)
        .collect();
    for name in [
        "doubling calls",
        "1000 × 1000",
        "endless loop",
        "7000 parentheses",
        "7000 summands",
        "lists of lists",
        "nothing",
    ] {
        assert!(!accepted.iter().any(|accepted| accepted == name), "{name} is accepted");
    }
    println!("accepted: {}", accepted.join(", "));
}

#[test]
fn line_ends_and_a_missing_last_newline_do_not_matter() {
    for text in [body("let b = a;\r\nb * 2"), body("a\r"), body("a\n"), body("a // end") + "\n}"] {
        let text = text.replace(" }\n}", "\n}");
        assert!(read(&text).0.is_ok(), "{text:?}: {:?}", read(&text).0);
    }
    let windows = "node(\"N\", \"T\");\r\noutput(\"r\", FLOAT);\r\nfn eval() {\r\n    nothing\r\n}";
    let error = read(windows).0.unwrap_err();
    assert_eq!((error.place.line, error.place.column), (4, 5), "{error}");
}

/// Built-in scripts with damage: bytes changed, words swapped, lines lost. `JOUNCE_FUZZ_ROUNDS`
/// says how often.
#[test]
fn damaged_scripts_never_panic() {
    let rounds = std::env::var("JOUNCE_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok());
    let rounds: usize = rounds.unwrap_or(600);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/nodes");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    let scripts: Vec<String> = files.iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    on_small_stack(move || {
        let mut random = Random(20_260_101);
        for round in 0..rounds {
            let text = damaged(&scripts[random.below(scripts.len())], &scripts, &mut random);
            let start = Instant::now();
            let _ = node_type(&text, "damaged.rhai", ScriptOrigin::BuiltIn);
            assert!(start.elapsed() < LIMIT * SLACK * 2, "round {round} is slow:\n{text}");
        }
    });
}

fn damaged(text: &str, others: &[String], random: &mut Random) -> String {
    if random.below(2) == 0 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            let (at, other) = (random.below(bytes.len()), random.below(bytes.len()));
            match random.below(4) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes.swap(at, other),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"(){}[];,.\"+-*/=#`\n"[random.below(18)]),
            }
        }
        return String::from_utf8_lossy(&bytes).into_owned();
    }
    let words = |text: &str| -> Vec<String> {
        let ends = |c: char| !c.is_alphanumeric() && c != '_';
        text.split_inclusive(ends).map(str::to_owned).collect()
    };
    let mut own = words(text);
    let foreign = words(&others[random.below(others.len())]);
    for _ in 0..1 + random.below(4) {
        let (at, other) = (random.below(own.len()), random.below(own.len()));
        match random.below(4) {
            0 => own.swap(at, other),
            1 => drop(own.remove(at)),
            2 => own.insert(at, foreign[random.below(foreign.len())].clone()),
            _ => {
                own[at] =
                    ["1e12", "vec3(0)", "a.x", "\"text\"", "[1, 2]", "true", "0..8", "fn eval(a) {"]
                        [random.below(8)]
                    .to_owned()
            }
        }
    }
    own.concat()
}
