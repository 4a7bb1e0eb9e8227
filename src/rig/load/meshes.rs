//! Primitives → one mesh in the order of the contract, with its skin weights and maps.

use super::accessor::Source;
use super::error::{LoadError, limit};
use super::nodes::Tree;
use super::skin_weights;
use super::skins::Rig;
use crate::normals::creased_normals;
use crate::{Influences, Map, Materials, Mesh, MorphTarget, Part, Pose, TextureUse};
use glam::{Vec2, Vec3};
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, accessor::Accessor};

#[derive(Default)]
pub(super) struct Built {
    pub mesh: Mesh,
    pub skin: Influences,
    pub maps: Vec<Map>,
    /// How many offsets the morph targets hold so far.
    morph_offsets: u64,
}

/// What was met on the way, told once at the end.
#[derive(Default)]
pub(super) struct Oddities {
    pub without_positions: usize,
    pub without_triangles: usize,
    pub without_normals: usize,
    pub not_normalised: usize,
    pub without_weights: usize,
    pub negative_weights: usize,
    pub hidden_maps: usize,
    pub without_uvs: usize,
}

pub(super) fn read(
    source: Source,
    tree: &Tree,
    rig: &Rig,
    materials: Materials,
    notes: &mut Vec<String>,
) -> Result<Built, LoadError> {
    let mut built = Built::default();
    built.mesh.materials = materials;
    let mut odd = Oddities::default();
    let rest = Pose::rest(&rig.skeleton, tree.rest_morph_weights.clone());
    for &node in &tree.mesh_nodes {
        let Some(mesh) = source.root.nodes[node].mesh.and_then(|mesh| source.root.get(mesh)) else {
            continue; // a missing mesh was refused when the nodes were read
        };
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            let name = mesh.name.as_deref().unwrap_or(&rig.skeleton.nodes[node].name);
            let name =
                if mesh.primitives.len() > 1 { format!("{name}.{index}") } else { name.to_owned() };
            let reader = PrimitiveReader { source, rig, node, primitive, name: &name };
            reader.read_into(&mut built, &mut odd, &rest)?;
        }
    }
    let Mesh { positions, uvs, .. } = &mut built.mesh;
    for uvs in uvs.iter_mut().filter(|uvs| !uvs.is_empty()) {
        uvs.resize(positions.len(), Vec2::ZERO);
    }
    odd.tell(notes);
    let hidden =
        source.root.nodes.iter().filter(|node| node.mesh.is_some()).count() - tree.mesh_nodes.len();
    if hidden > 0 {
        notes.push(format!("{hidden} meshes are not in the file's scene and are left out"));
    }
    Ok(built)
}

pub(super) struct PrimitiveReader<'a> {
    pub source: Source<'a>,
    pub rig: &'a Rig,
    pub node: usize,
    pub primitive: &'a Primitive,
    pub name: &'a str,
}

impl PrimitiveReader<'_> {
    fn read_into(
        &self,
        built: &mut Built,
        odd: &mut Oddities,
        rest: &Pose,
    ) -> Result<(), LoadError> {
        let Some(positions) = self.attribute(&Semantic::Positions) else {
            odd.without_positions += 1;
            return Ok(());
        };
        let positions = self.source.vec3s(positions)?;
        let first = built.mesh.positions.len();
        let total = (first + positions.len()) as u64;
        limit::check("vertices", total, limit::VERTICES)?;

        let mut triangles = self.triangles(positions.len())?;
        odd.without_triangles += usize::from(triangles.is_empty());
        let normals = self.normals(&positions, &triangles, odd)?;
        let skin = skin_weights::read(self, positions.len(), odd)?;
        if self.is_mirrored_at_rest(&skin, rest) {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        self.maps(first, positions.len(), &mut built.maps, odd)?;
        self.morph_targets(
            first,
            positions.len(),
            &mut built.mesh.morph_targets,
            &mut built.morph_offsets,
        )?;

        let mesh = &mut built.mesh;
        mesh.colors.extend(self.colors(positions.len())?);
        let material = self.primitive.material.map(|material| material.value());
        let material = material.filter(|&material| material < mesh.materials.list.len());
        self.uvs(mesh, material, positions.len(), odd);
        let first_triangle = mesh.triangles.len();
        let count = (first_triangle + triangles.len()) as u64;
        limit::check("triangles", count, limit::TRIANGLES)?;
        let shift = first as u32;
        mesh.triangles.extend(triangles.iter().map(|corners| corners.map(|v| v + shift)));
        mesh.parts.push(Part {
            name: self.name.to_owned(),
            node: self.node,
            vertices: first..first + positions.len(),
            triangles: first_triangle..mesh.triangles.len(),
            material,
        });
        mesh.positions.extend(positions);
        mesh.normals.extend(normals);
        built.skin.append(skin);
        let weights = built.skin.entries().len() as u64;
        limit::check("skin weights", weights, limit::SKIN_WEIGHTS)
    }

    pub(super) fn attribute(&self, semantic: &Semantic) -> Option<Index<Accessor>> {
        self.primitive.attributes.get(&Checked::Valid(semantic.clone())).copied()
    }

    pub(super) fn invalid(&self, what: &str) -> LoadError {
        LoadError::invalid(format!("mesh \"{}\" {what}", self.name))
    }

    pub(super) fn same_count(
        &self,
        what: &str,
        found: usize,
        vertices: usize,
    ) -> Result<(), LoadError> {
        if found == vertices {
            return Ok(());
        }
        Err(self.invalid(&format!("has {vertices} positions but {found} {what}")))
    }

    fn triangles(&self, vertices: usize) -> Result<Vec<[u32; 3]>, LoadError> {
        let corners = match self.primitive.indices {
            Some(accessor) => self.source.indices(accessor, 1)?,
            None => (0..vertices as u32).collect(),
        };
        if let Some(corner) = corners.iter().find(|&&corner| corner as usize >= vertices) {
            return Err(self.invalid(&format!("has a triangle at vertex {corner} of {vertices}")));
        }
        let Checked::Valid(mode) = self.primitive.mode else {
            return Err(self.invalid("is of an unknown kind"));
        };
        let triangle = |a, b, c| [corners[a], corners[b], corners[c]];
        let strips = corners.len().saturating_sub(2);
        Ok(match mode {
            Mode::Triangles => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            // Every second triangle of a strip runs the other way round.
            Mode::TriangleStrip => {
                (0..strips).map(|i| triangle(i, i + 1 + i % 2, i + 2 - i % 2)).collect()
            }
            Mode::TriangleFan => (0..strips).map(|i| triangle(i + 1, i + 2, 0)).collect(),
            Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip => Vec::new(),
        })
    }

    fn normals(
        &self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        odd: &mut Oddities,
    ) -> Result<Vec<Vec3>, LoadError> {
        let given = match self.attribute(&Semantic::Normals) {
            Some(accessor) => self.source.vec3s(accessor)?,
            None => Vec::new(),
        };
        if !given.is_empty() {
            self.same_count("normals", given.len(), positions.len())?;
            let units: Vec<Vec3> = given.iter().map(|normal| normal.normalize_or_zero()).collect();
            if units.iter().all(|normal| *normal != Vec3::ZERO) {
                return Ok(units);
            }
        }
        odd.without_normals += 1;
        let computed = creased_normals(positions, triangles);
        // Keep what the file says where it says something.
        let or_given = |(v, computed): (usize, Vec3)| match given.get(v) {
            Some(given) => given.try_normalize().unwrap_or(computed),
            None => computed,
        };
        Ok(computed.into_iter().enumerate().map(or_given).collect())
    }

    /// A mirror in the transform turns triangles inside out; they are turned back at load, so that
    /// the winding is outward in the scene.
    fn is_mirrored_at_rest(&self, skin: &Influences, rest: &Pose) -> bool {
        let Some(influence) = skin.lists().next().and_then(|list| list.first()) else {
            return false;
        };
        let binding = &self.rig.bindings[influence.index as usize];
        let scene_from_bind = rest.scene_from_node[binding.node] * binding.node_from_bind;
        scene_from_bind.matrix3.determinant() < 0.0
    }

    fn colors(&self, vertices: usize) -> Result<Vec<[f32; 4]>, LoadError> {
        let material = self.primitive.material.and_then(|m| self.source.root.get(m));
        let base = material.map_or([1.0; 4], |m| m.pbr_metallic_roughness.base_color_factor.0);
        let Some(accessor) = self.attribute(&Semantic::Colors(0)) else {
            return Ok(vec![base; vertices]);
        };
        let (values, width) = self.source.floats(accessor, &[3, 4])?;
        self.same_count("colours", values.len() / width, vertices)?;
        let tinted = |c: &[f32]| {
            let alpha = c.get(3).copied().unwrap_or(1.0);
            [base[0] * c[0], base[1] * c[1], base[2] * c[2], base[3] * alpha]
        };
        Ok(values.chunks_exact(width).map(tinted).collect())
    }

    /// The texture coordinates that a material goes by. Where they are missing or broken, the surface has
    /// the colour of one place of its textures.
    fn uvs(&self, mesh: &mut Mesh, material: Option<usize>, vertices: usize, odd: &mut Oddities) {
        let first = mesh.positions.len();
        let Mesh { materials, uvs, .. } = mesh;
        let textures = material.map(|material| materials.list[material].textures());
        let is_used = |set: usize, texture: &TextureUse| texture.uv_set == set;
        let textures: Vec<TextureUse> = textures.into_iter().flatten().copied().collect();
        for (set, uvs) in uvs.iter_mut().enumerate() {
            if !textures.iter().any(|texture| is_used(set, texture)) {
                continue;
            }
            let read = self.attribute(&Semantic::TexCoords(set as u32));
            let read = read.and_then(|accessor| self.source.floats(accessor, &[2]).ok());
            let read = read.filter(|(values, _)| values.len() == 2 * vertices);
            let Some((values, _)) = read else {
                odd.without_uvs += 1;
                continue;
            };
            uvs.resize(first, Vec2::ZERO);
            uvs.extend(values.chunks_exact(2).map(Vec2::from_slice));
        }
    }

    /// `_FLOPPY` becomes the map `floppy`; vectors and colours one map per component.
    fn maps(
        &self,
        first: usize,
        vertices: usize,
        maps: &mut Vec<Map>,
        odd: &mut Oddities,
    ) -> Result<(), LoadError> {
        let grown = maps.len() as u64 * (first + vertices) as u64;
        limit::check("map values", grown, limit::MAP_VALUES)?;
        for map in maps.iter_mut() {
            map.values.resize(first + vertices, 0.0);
        }
        for (semantic, accessor) in &self.primitive.attributes {
            let (attribute, name, components) = match semantic {
                Checked::Valid(Semantic::Extras(name)) => {
                    (format!("_{name}"), name.to_lowercase(), ["_x", "_y", "_z", "_w"])
                }
                Checked::Valid(Semantic::Colors(0)) => {
                    ("COLOR_0".to_owned(), "color".to_owned(), ["_r", "_g", "_b", "_a"])
                }
                _ => continue,
            };
            let (values, width) = self.source.floats(*accessor, &[1, 2, 3, 4])?;
            self.same_count(&format!("values of {attribute}"), values.len() / width, vertices)?;
            for (component, suffix) in components.into_iter().enumerate().take(width) {
                let name = if width == 1 { name.clone() } else { format!("{name}{suffix}") };
                let values = values.iter().skip(component).step_by(width).copied();
                let map = match maps.iter().position(|map| map.name == name) {
                    // `_Floppy` beside `_FLOPPY`: two attributes cannot be one map.
                    Some(known) if maps[known].attribute != attribute => {
                        odd.hidden_maps += 1;
                        continue;
                    }
                    Some(known) => &mut maps[known],
                    None => {
                        let total = (maps.len() as u64 + 1) * (first + vertices) as u64;
                        limit::check("map values", total, limit::MAP_VALUES)?;
                        let attribute = attribute.clone();
                        let values = vec![0.0; first + vertices];
                        maps.push(Map { name, attribute, values });
                        let last = maps.len() - 1;
                        &mut maps[last]
                    }
                };
                map.values.truncate(first);
                map.values.extend(values);
            }
        }
        Ok(())
    }

    fn morph_targets(
        &self,
        first: usize,
        vertices: usize,
        targets: &mut Vec<MorphTarget>,
        kept: &mut u64,
    ) -> Result<(), LoadError> {
        let given = self.primitive.targets.as_deref().unwrap_or_default();
        let to_read = (given.len() * vertices) as u64;
        limit::check("morph offsets", to_read, 4 * limit::MORPH_OFFSETS)?;
        for (index, target) in given.iter().enumerate() {
            let offsets = |accessor: Option<Index<Accessor>>| -> Result<Vec<Vec3>, LoadError> {
                match accessor {
                    Some(accessor) => {
                        let offsets = self.source.vec3s(accessor)?;
                        self.same_count("morph offsets", offsets.len(), vertices)?;
                        Ok(offsets)
                    }
                    None => Ok(vec![Vec3::ZERO; vertices]),
                }
            };
            let (positions, normals) = (offsets(target.positions)?, offsets(target.normals)?);
            let mut read = MorphTarget {
                weight: self.rig.skeleton.nodes[self.node].first_morph_weight + index,
                ..MorphTarget::default()
            };
            for (vertex, (&position, &normal)) in positions.iter().zip(&normals).enumerate() {
                if position != Vec3::ZERO || normal != Vec3::ZERO {
                    read.vertices.push((first + vertex) as u32);
                    read.position_offsets.push(position);
                    read.normal_offsets.push(normal);
                }
            }
            *kept += read.vertices.len() as u64;
            limit::check("morph offsets", *kept, limit::MORPH_OFFSETS)?;
            // Targets without effect, which a file can have in any number, need no memory.
            if !read.vertices.is_empty() {
                targets.push(read);
            }
        }
        Ok(())
    }
}

impl Oddities {
    fn tell(&self, notes: &mut Vec<String>) {
        let told = [
            (self.without_positions, "primitive", "without positions is left out"),
            (
                self.without_triangles,
                "primitive",
                "without triangles: its points are moved but not drawn",
            ),
            (
                self.without_normals,
                "primitive",
                "without complete normals: they are computed with a crease angle of 40°",
            ),
            (self.not_normalised, "vertex", "with skin weights that do not sum to 1: normalised"),
            (
                self.without_weights,
                "vertex",
                "without skin weight: it follows the first joint it names",
            ),
            (self.negative_weights, "skin weight", "below 0: taken as 0"),
            (
                self.without_uvs,
                "primitive",
                "without the texture coordinates that its material goes by: it shows one colour of the texture",
            ),
            (self.hidden_maps, "attribute", "with the name of another map: left out"),
        ];
        for (count, what, why) in told {
            if count > 0 {
                notes.push(format!("{count} × {what} {why}"));
            }
        }
    }
}
