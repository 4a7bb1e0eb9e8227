//! A case with a program, ready to be timed: by the VM, and by hand.

use crate::support::cases::Case;
use crate::support::hand::{Hand, HandBone, HandMesh, Sliders};
use glam::{DAffine3, Vec3};
use jounce::compile::compile;
use jounce::eval::blocks::Blocks;
use jounce::eval::{Bound, ConstantMotion, Moment, Parameters, Posed, Setup, Skinning};
use jounce::graph::{Document, built_in_style};
use jounce::ir::{Number, Program};
use jounce::motion::BoneMotion;
use jounce::rig::Pose;
use jounce::script::Library;

pub fn velocity_skinning() -> Program {
    let document: Document = built_in_style("velocity-skinning").unwrap();
    let compiled = compile(&document.style, &Library::built_in());
    assert!(compiled.problems.is_empty());
    compiled.program
}

/// A character and a program, bound, at one moment.
pub struct Scene<'a> {
    pub program: Program,
    pub bound: Bound,
    parameters: Parameters,
    motion: ConstantMotion,
    case: &'a Case,
}

impl<'a> Scene<'a> {
    pub fn new(case: &'a Case, program: Program) -> Scene<'a> {
        let bound = Bound::new(&program, &case.character, &Default::default()).unwrap();
        let motion = ConstantMotion::steady(case.velocities.clone());
        let parameters = Parameters::new(&program);
        Scene { program, bound, parameters, motion, case }
    }

    pub fn moment(&self) -> Moment<'_> {
        self.moment_of(&self.case.pose, &self.motion)
    }

    pub fn moment_of<'b>(&'b self, pose: &'b Pose, motion: &'b ConstantMotion) -> Moment<'b> {
        Moment::new(
            Setup::new(&self.program, &self.case.character, &self.bound),
            &self.parameters,
            pose,
            motion,
            0.0,
        )
    }
}

pub fn sliders(scene: &Scene) -> Sliders {
    let parameters = &scene.program.tables.parameters;
    let of = |node: &str, port: &str| {
        let found = parameters.iter().find(|p| p.node == node && p.port == port);
        match found.map(|p| p.value) {
            Some(Number::Float(x)) => x,
            _ => panic!("no slider {node}.{port}"),
        }
    };
    Sliders {
        floppy: of("floppy", "value"),
        max_angle: of("max-angle", "value"),
        squash: of("squash", "value"),
        max_stretch: of("stretch", "max stretch"),
        size: scene.bound.size,
    }
}

/// The kernel by hand at one moment. What each frame brings is prepared in every frame, as by the VM.
pub struct ByHand<'a> {
    mesh: HandMesh<'a>,
    scene_from_bind: &'a [DAffine3],
    moment: &'a Moment<'a>,
    velocities: &'a [BoneMotion],
    sliders: Sliders,
}

impl<'a> ByHand<'a> {
    pub fn new(
        case: &'a Case,
        moment: &'a Moment<'a>,
        blocks: &'a Blocks,
        sliders: Sliders,
    ) -> ByHand<'a> {
        let Skinning::Posed(Posed { scene_from_bind, .. }) = &moment.skinning else {
            panic!("a character is posed")
        };
        let (positions, velocities) = (&case.character.mesh.positions, &case.velocities);
        let mesh = HandMesh::new(blocks, positions, scene_from_bind.len(), velocities.len());
        ByHand { mesh, scene_from_bind, moment, velocities, sliders }
    }

    fn matrices(&self) -> Vec<f32> {
        let mut matrices = Vec::with_capacity(self.scene_from_bind.len() * 12);
        for matrix in self.scene_from_bind {
            matrices.extend(matrix.to_cols_array().map(|x| x as f32));
        }
        matrices
    }

    fn bones(&self) -> Vec<HandBone> {
        let moment = self.moment;
        let bone = |(bone, motion): (usize, &BoneMotion)| {
            let (origin, centroid) = (moment.bone_origins[bone], moment.bone_centroids[bone]);
            HandBone::new(&self.sliders, origin, centroid, motion.linear, motion.angular)
        };
        self.velocities.iter().enumerate().map(bone).collect()
    }

    /// Velocity skinning.
    pub fn deform(&self, out: &mut [Vec3]) {
        let (matrices, bones) = (&self.matrices(), &self.bones());
        let hand = Hand { mesh: &self.mesh, matrices, bones, sliders: self.sliders };
        // Safety: `main` has looked for the features, and all bones are there.
        unsafe { hand.deform(out) }
    }

    /// Plain skinning.
    pub fn lbs(&self, out: &mut [Vec3]) {
        let matrices = &self.matrices();
        let hand = Hand { mesh: &self.mesh, matrices, bones: &[], sliders: self.sliders };
        // Safety: as above.
        unsafe { hand.lbs(out) }
    }
}
