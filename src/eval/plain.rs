//! Plain skinning as a performer: a program that leaves every vertex where it is, and what computes that.

use super::skinning::Skinning;
use super::vm::Wanted;
use super::{Backend, Deformed, EvalError, Moment, Setup};
use jounce_base::Base;
use jounce_ir::{Builder, Program, Source};
use jounce_rig::skinning::{skin_positions, skin_vertices};

/// Leaves every vertex where skinning has it.
pub fn plain_program() -> Program {
    let mut builder = Builder::default();
    let position = builder.source(Source::SkinnedPosition);
    builder.finish(position, Base::Lbs)
}

/// Computes [`plain_program`] to the last bit as [`jounce_rig::Character::skin`] does.
pub(super) struct PlainSkinning;

impl Backend for PlainSkinning {
    fn prepare(&self, _setup: Setup) -> Result<(), EvalError> {
        Ok(())
    }

    fn deform_into(
        &self,
        setup: Setup,
        moments: &[Moment],
        wanted: Wanted,
        out: &mut Vec<Deformed>,
    ) -> Result<(), EvalError> {
        out.resize_with(moments.len(), Deformed::default);
        for (moment, Deformed { positions, skinned }) in moments.iter().zip(out) {
            let Skinning::Posed(posed) = &moment.skinning else {
                let (found, expected) = (0, setup.character.vertex_count());
                return Err(EvalError::Count { what: "list of matrices", found, expected });
            };
            let (mesh, skin) = (&setup.character.mesh, &setup.character.skin);
            let morphed = posed.morphed.as_deref();
            let bind =
                morphed.map_or((&mesh.positions, &mesh.normals), |it| (&it.positions, &it.normals));
            let matrices = &posed.scene_from_bind;
            match wanted.skinned_normals {
                true => {
                    *skinned = skin_vertices((bind.0, bind.1), skin, matrices, posed.base);
                    positions.clone_from(&skinned.positions);
                }
                false => {
                    skin_positions(bind.0, skin, matrices, posed.base, positions);
                    skinned.normals.clear();
                    match wanted.skinned_positions {
                        true => skinned.positions.clone_from(positions),
                        false => skinned.positions.clear(),
                    }
                }
            }
        }
        Ok(())
    }
}
