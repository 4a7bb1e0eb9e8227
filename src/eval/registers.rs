//! Where the interpreter keeps its numbers.
//!
//! ```text
//! one per value: frame, bone │ LANES per value: vertices, pairs
//! ```
//! A register has no type of its own; the address knows it. Lanes of [`Number`]s took twice as long
//! (measured together with how the lanes are passed, so the cause may be either).

use glam::DVec3;
use jounce_ir::{Number, Type, Value};

/// Vertices, or pairs of one vertex, that go side by side.
pub const LANES: usize = 16;

const PLACE_BITS: u32 = 28;
/// So many values have an address for every register of every lane.
pub const MOST_VALUES: usize = (1 << PLACE_BITS) / (LANES + 1);

/// From the highest bit: which lane is meant (2 bits), the type (2), the place of lane 0 (28).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneOf {
    None,
    Vertex,
    Pair,
}

/// The lanes at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lanes {
    pub vertex: usize,
    pub pair: usize,
}

impl Address {
    /// Of a value among `count`.
    pub fn new(value: Value, ty: Type, lane: LaneOf, count: usize) -> Address {
        let (lane, place) = match lane {
            LaneOf::None => (0, value.index()),
            LaneOf::Vertex => (1, count + value.index() * LANES),
            LaneOf::Pair => (2, count + value.index() * LANES),
        };
        let ty = match ty {
            Type::Float => 0,
            Type::Bool => 1,
            Type::Vec3 => 2,
        };
        Address(lane << 30 | ty << PLACE_BITS | place as u32)
    }

    #[inline(always)]
    fn place(self, lanes: Lanes) -> usize {
        let first = (self.0 & ((1 << PLACE_BITS) - 1)) as usize;
        first
            + match self.0 >> 30 {
                0 => 0,
                1 => lanes.vertex,
                _ => lanes.pair,
            }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Registers(Vec<[f64; 3]>);

impl Registers {
    /// For frame and bones: without lanes.
    pub fn new(values: usize) -> Registers {
        Registers(vec![[0.0; 3]; values])
    }

    /// The same values, and room for lanes.
    pub fn with_lanes(&self) -> Registers {
        let mut registers = vec![[0.0; 3]; self.0.len() * (1 + LANES)];
        registers[..self.0.len()].copy_from_slice(&self.0);
        Registers(registers)
    }

    #[inline(always)]
    pub fn get(&self, address: Address, lanes: Lanes) -> Number {
        let [x, y, z] = self.0[address.place(lanes)];
        match address.0 >> PLACE_BITS & 3 {
            0 => Number::Float(x),
            1 => Number::Bool(x != 0.0),
            _ => Number::Vec3(DVec3::new(x, y, z)),
        }
    }

    #[inline(always)]
    pub fn set(&mut self, address: Address, lanes: Lanes, number: Number) {
        let register = &mut self.0[address.place(lanes)];
        match number {
            Number::Float(x) => register[0] = x,
            Number::Bool(b) => register[0] = f64::from(u8::from(b)),
            Number::Vec3(v) => *register = v.to_array(),
        }
    }

    /// Makes it 0.
    pub fn clear(&mut self, address: Address, lanes: Lanes) {
        self.0[address.place(lanes)] = [0.0; 3];
    }

    /// sum += weight · summand, for float and vec3 alike.
    #[inline(always)]
    pub fn add_weighted(&mut self, sum: Address, weight: f64, summand: Address, lanes: Lanes) {
        let summand = self.0[summand.place(lanes)];
        let sum = &mut self.0[sum.place(lanes)];
        for (sum, summand) in sum.iter_mut().zip(summand) {
            *sum += weight * summand;
        }
    }

    /// All three numbers of a register, whatever they mean.
    pub fn raw(&self, address: Address, lanes: Lanes) -> [f64; 3] {
        self.0[address.place(lanes)]
    }

    pub fn set_raw(&mut self, address: Address, lanes: Lanes, raw: [f64; 3]) {
        self.0[address.place(lanes)] = raw;
    }
}
