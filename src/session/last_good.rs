//! What plays while an Expression is being written: its last version that worked.
//!
//! The document has the text as it was typed, mistakes and all. Here is what each node was before, so that a
//! half-written line takes neither the result nor the ports and wires away.

use jounce_graph::document::{EXPRESSION_TYPE, GraphRef, Style};
use jounce_graph::script::{Library, NodeType};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

#[derive(Clone, Default)]
pub struct LastGood {
    by_node: HashMap<(GraphRef, String), Arc<NodeType>>,
}

impl LastGood {
    /// Looks at all Expressions of a style, and tells the library what stands in for those that have a mistake.
    pub fn follow(&mut self, style: &Style, library: &mut Library) {
        let mut stand_ins = BTreeMap::new();
        for (graph_ref, graph) in style.graphs() {
            for (id, node) in &graph.nodes {
                if node.node_type != EXPRESSION_TYPE {
                    continue;
                }
                let place = (graph_ref.clone(), id.clone());
                let Some(code) = &node.code else {
                    let own = library.get(EXPRESSION_TYPE).cloned();
                    self.by_node.extend(own.map(|own| (place, own)));
                    continue;
                };
                match library.expression(code) {
                    Ok(good) => {
                        self.by_node.insert(place, good);
                    }
                    Err(_) => {
                        // A copy of a node has no past, but the same text.
                        let before = self.by_node.get(&place).or(library.stand_in(code));
                        stand_ins.extend(before.map(|good| (code.clone(), good.clone())));
                    }
                }
            }
        }
        library.set_stand_ins(stand_ins);
    }
}
