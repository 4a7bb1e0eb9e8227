//! The binary half of a file: numbers laid out one array after the other, and the views and
//! accessors that say where.

use serde_json::{Value, json};

#[derive(Default)]
pub struct Bytes {
    pub data: Vec<u8>,
    pub views: Vec<Value>,
    pub accessors: Vec<Value>,
    /// The first number met that no file may hold.
    pub not_finite: Option<f32>,
}

/// What a view is bound to when drawn.
#[derive(Clone, Copy, PartialEq)]
pub enum ViewTarget {
    None,
    Vertices,
    Indices,
}

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

impl Bytes {
    /// Returns the accessor's index. `width` 16 is a matrix.
    pub fn floats(
        &mut self,
        numbers: &[f32],
        width: usize,
        target: ViewTarget,
        range: bool,
    ) -> usize {
        let bad = numbers.iter().copied().find(|number| !number.is_finite());
        self.not_finite = self.not_finite.or(bad);
        let view = self.view(numbers.iter().flat_map(|number| number.to_le_bytes()), target);
        let kind = match width {
            1 => "SCALAR",
            3 => "VEC3",
            16 => "MAT4",
            _ => "VEC4",
        };
        let mut accessor = accessor(view, FLOAT, numbers.len() / width, kind);
        if range {
            let fold = |pick: fn(f32, f32) -> f32, start: f32| -> Vec<f32> {
                (0..width)
                    .map(|i| numbers.iter().skip(i).step_by(width).copied().fold(start, pick))
                    .collect()
            };
            accessor["min"] = json!(fold(f32::min, f32::INFINITY));
            accessor["max"] = json!(fold(f32::max, f32::NEG_INFINITY));
        }
        self.push(accessor)
    }

    pub fn joints(&mut self, joints: &[u16], wide: bool) -> usize {
        let (view, kind) = if wide {
            let bytes = joints.iter().flat_map(|joint| joint.to_le_bytes());
            (self.view(bytes, ViewTarget::Vertices), UNSIGNED_SHORT)
        } else {
            let bytes = joints.iter().map(|&joint| joint as u8);
            (self.view(bytes, ViewTarget::Vertices), UNSIGNED_BYTE)
        };
        self.push(accessor(view, kind, joints.len() / 4, "VEC4"))
    }

    pub fn indices(&mut self, indices: &[u32], vertex_count: usize) -> usize {
        // 65535 would mean "restart" in the short form.
        let (view, kind) = if vertex_count < usize::from(u16::MAX) {
            let bytes = indices.iter().flat_map(|&index| (index as u16).to_le_bytes());
            (self.view(bytes, ViewTarget::Indices), UNSIGNED_SHORT)
        } else {
            let bytes = indices.iter().flat_map(|index| index.to_le_bytes());
            (self.view(bytes, ViewTarget::Indices), UNSIGNED_INT)
        };
        self.push(accessor(view, kind, indices.len(), "SCALAR"))
    }

    fn push(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: ViewTarget) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let start = self.data.len();
        self.data.extend(bytes);
        let mut view = json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.data.len() - start,
        });
        match target {
            ViewTarget::None => {}
            ViewTarget::Vertices => view["target"] = json!(34962),
            ViewTarget::Indices => view["target"] = json!(34963),
        }
        self.views.push(view);
        self.views.len() - 1
    }
}

fn accessor(view: usize, component: u32, count: usize, kind: &str) -> Value {
    json!({ "bufferView": view, "componentType": component, "count": count, "type": kind })
}
