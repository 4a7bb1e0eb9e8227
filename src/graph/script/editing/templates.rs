//! Scripts to begin with.

/// What a new Expression says.
pub const EXPRESSION_START: &str = "\
input(\"value\", FLOAT, 0);
output(\"result\", FLOAT);
fn eval(value) {
    value
}
";

pub struct Template {
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    text: &'static str,
    pub is_library: bool,
}

/// The name of the node, in the texts.
const NAME: &str = "NAME";

impl Template {
    /// As a node script, or as a library, of that name.
    pub fn script(&self, name: &str) -> String {
        self.text.replace(NAME, name)
    }

    /// For an Expression: without the line that gives a node its name.
    pub fn expression(&self) -> String {
        let lines = self.text.lines().filter(|line| !line.starts_with("node("));
        lines.map(|line| format!("{line}\n")).collect()
    }
}

pub const TEMPLATES: &[Template] = &[
    Template {
        name: "Move Vertices",
        about: "Moves each vertex: here to and fro, the more the higher it is.",
        text: "\
//! Sways: the higher, the farther.
node(\"NAME\", \"My nodes\");
input(\"amount\", FLOAT, 0.08).soft(0, 0.3).help(\"of the character's size\");
input(\"rate\", FLOAT, 1).soft(0, 4).unit(\"Hz\");
input(\"position\", VEC3, SKINNED_POSITION);
output(\"displacement\", VEC3);
fn eval(amount, rate, position) {
    let height = max(0, position.y / CHARACTER_SIZE);
    let wave = sin(TAU * fract(rate * TIME));
    vec3(1, 0, 0) * (amount * wave * height * height * CHARACTER_SIZE)
}
",
        is_library: false,
    },
    Template {
        name: "Follow Bones",
        about: "Every bone moves the skin that hangs on it: here against its velocity. The sum is one value per vertex.",
        text: "\
//! Lets the skin of bones that move quickly lag behind.
node(\"NAME\", \"My nodes\");
input(\"lag\", FLOAT, 0.05).soft(0, 0.2).unit(\"s\");
input(\"linear\", VEC3, BONE_LINEAR_VELOCITY);
input(\"angular\", VEC3, BONE_ANGULAR_VELOCITY);
output(\"displacement\", VEC3).sum();
fn eval(lag, linear, angular) {
    // How fast this bone carries the vertex.
    let velocity = linear + cross(angular, SKINNED_POSITION - BONE_ORIGIN);
    // So far and no farther, however fast it moves.
    let way = velocity * -lag;
    let most = 0.1 * CHARACTER_SIZE;
    way * (most / (most + length(way)))
}
",
        is_library: false,
    },
    Template {
        name: "Compute a Value",
        about: "A number or vector from others, such as a mask or an amount.",
        text: "\
//! 0 at the ground, 1 at the height of the character.
node(\"NAME\", \"My nodes\");
input(\"from\", FLOAT, 0).soft(0, 1);
input(\"to\", FLOAT, 1).soft(0, 1);
input(\"position\", VEC3, REST_POSITION);
output(\"mask\", FLOAT);
fn eval(from, to, position) {
    smoothstep(from, to, position.y / CHARACTER_SIZE)
}
",
        is_library: false,
    },
    Template {
        name: "Remember",
        about: "Keeps a value from step to step: here one that follows another, late and softly.",
        text: "\
//! Follows a value, late and softly.
node(\"NAME\", \"My nodes\");
input(\"value\", VEC3, BONE_LINEAR_VELOCITY);
input(\"seconds\", FLOAT, 0.2).soft(0.01, 1).hard(0.001, 10).unit(\"s\");
output(\"late\", VEC3);
state(\"kept\", VEC3);
fn eval(value, seconds) {
    kept = mix(kept, value, 1 - exp(-dt / seconds));
    kept
}
",
        is_library: false,
    },
    Template {
        name: "Library",
        about: "Functions that other scripts share: they write uses(\"name\");",
        text: "\
//! Functions that scripts share. Write uses(\"NAME\"); in a script to call them.
library(\"NAME\");

// Up and down once per second, from 0 to 1 and back.
fn pulse(rate) {
    0.5 - 0.5 * cos(TAU * fract(rate * TIME))
}
",
        is_library: true,
    },
];
