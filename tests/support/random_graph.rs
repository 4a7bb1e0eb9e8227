//! Graphs that nobody would draw: any node, any setting, any port to any port.

use super::random::Random;
use jounce::graph::{Link, Node, PortRef, Style};
use jounce::script::{Library, Setting};

pub fn random_style(random: &mut Random, library: &Library) -> Style {
    let types: Vec<_> = library.types().collect();
    let mut style = Style::default();
    style.graph.nodes.insert("out".to_owned(), Node::new("Output"));
    let count = 1 + random.below(12);
    for i in 0..count {
        let ty = types[random.below(types.len())];
        if ty.name == "Output" {
            continue;
        }
        let mut node = Node::new(ty.name.clone());
        node.muted = random.below(10) == 0;
        for input in &ty.inputs {
            if random.below(4) == 0 {
                let setting = match random.below(6) {
                    0 => Setting::Bool(true),
                    1 => Setting::Vec3([1.0, -2.0, random.between(-9.0, 9.0)]),
                    2 => Setting::Text("branch".to_owned()),
                    3 => Setting::Text(input.choices.first().cloned().unwrap_or_default()),
                    _ => Setting::Float(random.between(-3.0, 3.0)),
                };
                node.settings.insert(input.name.clone(), setting);
            }
        }
        let node_id = format!("n{i:02}");
        style.graph.nodes.insert(node_id, node);
    }
    // Forward only, so that there is no circle; any port to any port.
    let ids: Vec<String> = style.graph.nodes.keys().cloned().collect();
    for _ in 0..random.below(30) {
        let (a, b) = (random.below(ids.len()), random.below(ids.len()));
        let (from, to) = (&ids[a.min(b)], &ids[a.max(b)]);
        let types = [from, to].map(|id| library.get(&style.graph.nodes[id].node_type).unwrap());
        if from == to || types[1].inputs.is_empty() {
            continue;
        }
        let output = &types[0].outputs[random.below(types[0].outputs.len())];
        let input = &types[1].inputs[random.below(types[1].inputs.len())];
        let link = Link::new(PortRef::new(from, &output.name), PortRef::new(to, &input.name));
        style.graph.links.insert(link);
    }
    style
}
