//! A square with materials, as a file: 2 wide and high, upright, seen from +Z, on one joint.

use image::{DynamicImage, ImageFormat, RgbaImage};
use jounce::rig::{Character, load};
use serde_json::{Value, json};
use std::io::Cursor;

pub fn encoded(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::ImageRgba8(image.clone());
    match format {
        ImageFormat::Jpeg => image.to_rgb8().write_to(&mut bytes, format).unwrap(),
        _ => image.write_to(&mut bytes, format).unwrap(),
    }
    bytes.into_inner()
}

pub fn png(image: &RgbaImage) -> Vec<u8> {
    encoded(image, ImageFormat::Png)
}

/// One colour.
pub fn plain_png(color: [u8; 4]) -> Vec<u8> {
    png(&RgbaImage::from_pixel(4, 4, image::Rgba(color)))
}

/// A document, and the blob that is its buffer.
#[derive(Clone)]
pub struct Square {
    pub json: Value,
    pub blob: Vec<u8>,
}

impl Square {
    /// `material` names textures 0, 1 … which are the images, in their order.
    pub fn new(material: Value, images: &[Vec<u8>]) -> Square {
        let mut square = Square {
            json: json!({
                "asset": { "version": "2.0" },
                "scene": 0,
                "scenes": [{ "nodes": [0, 1] }],
                "nodes": [{ "mesh": 0, "skin": 0 }, { "name": "joint" }],
                "skins": [{ "joints": [1] }],
                "materials": [material],
                "accessors": [], "bufferViews": [], "images": [], "textures": [],
            }),
            blob: Vec::new(),
        };
        let corners = [[-1.0_f32, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let positions: Vec<f32> = corners.iter().flat_map(|[x, y]| [*x, *y, 0.0]).collect();
        let normals = [0.0_f32, 0.0, 1.0].repeat(4);
        let uvs: Vec<f32> =
            corners.iter().flat_map(|[x, y]| [(x + 1.0) / 2.0, (1.0 - y) / 2.0]).collect();
        let halves: Vec<f32> = uvs.iter().map(|uv| uv * 0.5).collect();
        let attributes = json!({
            "POSITION": square.floats(&positions, 3),
            "NORMAL": square.floats(&normals, 3),
            "TEXCOORD_0": square.floats(&uvs, 2),
            "TEXCOORD_1": square.floats(&halves, 2),
            "JOINTS_0": square.accessor(&[0; 16], 5121, 4, 4),
            "WEIGHTS_0": square.floats(&[1.0, 0.0, 0.0, 0.0].repeat(4), 4),
        });
        let indices: Vec<u8> =
            [0_u16, 1, 2, 0, 2, 3].iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = square.accessor(&indices, 5123, 1, 6);
        square.json["meshes"] = json!([{
            "primitives": [{ "attributes": attributes, "indices": indices, "material": 0 }]
        }]);
        for (number, image) in images.iter().enumerate() {
            let view = square.view(image);
            square.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
            square.push("textures", json!({ "source": number }));
        }
        square
    }

    pub fn push(&mut self, list: &str, item: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        while !self.blob.len().is_multiple_of(4) {
            self.blob.push(0);
        }
        let at = self.blob.len();
        self.blob.extend(bytes);
        self.push(
            "bufferViews",
            json!({ "buffer": 0, "byteOffset": at, "byteLength": bytes.len() }),
        )
    }

    pub fn accessor(&mut self, bytes: &[u8], kind: u32, width: usize, count: usize) -> usize {
        let view = self.view(bytes);
        let shape = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][width];
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": kind, "count": count, "type": shape }),
        )
    }

    pub fn floats(&mut self, values: &[f32], width: usize) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, width, values.len() / width)
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{ "byteLength": self.blob.len() }]);
        let header = gltf::binary::Header { magic: *b"glTF", version: 2, length: 0 };
        let (json, bin) = (json.to_string().into_bytes(), Some((&self.blob[..]).into()));
        gltf::Glb { header, json: json.into(), bin }.to_vec().unwrap()
    }

    pub fn load(&self) -> Character {
        load::load_bytes("square", self.glb(), None).unwrap()
    }
}
