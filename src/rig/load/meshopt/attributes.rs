//! Mode ATTRIBUTES: differences between consecutive elements, byte by byte.
//!
//! ```text
//!  header │ block │ block │ … │ padding │ first element │ channel modes (version 1)
//!           └─ control, 2 bits per byte of the element (version 1)
//!              deltas of byte 0 │ deltas of byte 1 │ … │ deltas of byte stride−1
//!                └─ 2 bits per group of 16 elements, then the groups
//! ```
//! Four bytes of an element are a channel. In version 0 every byte is its own number; version 1
//! may join two of them, or all four.

use super::Reason;
use super::reader::Reader;

const VERSIONS: [u8; 2] = [0xa0, 0xa1];
const SMALLEST_TAIL: [usize; 2] = [32, 24];
const GROUP: usize = 16;
const LARGEST_BLOCK: usize = 256;

/// How the deltas of one byte are stored for the elements of a block.
#[derive(Clone, Copy)]
enum Packing {
    /// Each group has the number of bits per delta that its 2 header bits choose.
    Groups([u32; 4]),
    AllZero,
    Literal,
}

const PACKING_V0: Packing = Packing::Groups([0, 2, 4, 8]);
const PACKING_V1: [Packing; 4] = [
    Packing::Groups([0, 1, 2, 4]),
    Packing::Groups([1, 2, 4, 8]),
    Packing::AllZero,
    Packing::Literal,
];

/// How the four deltas of a channel change its four bytes.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Halves,
    Xor { rotation: u32 },
}

pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, Reason> {
    let tail_size = |version| stride + if version == 1 { stride / 4 } else { 0 };
    let padded = |version| tail_size(version).max(SMALLEST_TAIL[version]);
    let (mut reader, version, tail) = Reader::between(bytes, &VERSIONS, padded)?;
    let (first, modes) = tail[tail.len() - tail_size(version)..].split_at(stride);
    let channels: Vec<Channel> = match version {
        0 => vec![Channel::Bytes; stride / 4],
        _ => modes.iter().map(|mode| Channel::new(*mode)).collect::<Result<_, _>>()?,
    };

    let mut last = first.as_chunks::<4>().0.to_vec();
    let mut elements = vec![0; count * stride];
    let block_elements = (8192 / stride / GROUP * GROUP).min(LARGEST_BLOCK);
    for block in elements.chunks_mut(block_elements * stride) {
        let control = match version {
            0 => None,
            _ => Some(reader.take(stride / 4)?),
        };
        for (index, (channel, last)) in channels.iter().zip(&mut last).enumerate() {
            let mut deltas = [[0; LARGEST_BLOCK]; 4];
            for (byte, deltas) in deltas.iter_mut().enumerate() {
                let packing = match control {
                    None => PACKING_V0,
                    Some(control) => PACKING_V1[usize::from(control[index] >> (2 * byte) & 3)],
                };
                packing.read(&mut reader, &mut deltas[..block.len() / stride])?;
            }
            for (at, element) in block.chunks_exact_mut(stride).enumerate() {
                *last = channel.next(*last, deltas.each_ref().map(|deltas| deltas[at]));
                element[4 * index..4 * index + 4].copy_from_slice(last);
            }
        }
    }
    reader.finish()?;
    Ok(elements)
}

impl Packing {
    /// One delta per element of the block; `deltas` are zero before.
    fn read(self, reader: &mut Reader, deltas: &mut [u8]) -> Result<(), Reason> {
        match self {
            Packing::AllZero => {}
            Packing::Literal => deltas.copy_from_slice(reader.take(deltas.len())?),
            Packing::Groups(widths) => {
                let groups = deltas.len().div_ceil(GROUP);
                let header = reader.take(groups.div_ceil(4))?;
                for (index, deltas) in deltas.chunks_mut(GROUP).enumerate() {
                    let choice = header[index / 4] >> (2 * (index % 4)) & 3;
                    let group = read_group(reader, widths[usize::from(choice)])?;
                    deltas.copy_from_slice(&group[..deltas.len()]);
                }
            }
        }
        Ok(())
    }
}

/// A group always holds 16 deltas; those past the last element mean nothing.
fn read_group(reader: &mut Reader, width: u32) -> Result<[u8; GROUP], Reason> {
    let mut group = [0; GROUP];
    if width == 8 {
        group.copy_from_slice(reader.take(GROUP)?);
        return Ok(group);
    }
    if width == 0 {
        return Ok(group);
    }
    let packed = reader.take(2 * width as usize)?;
    let per_byte = 8 / width as usize;
    // All bits set: the delta did not fit and follows as a whole byte.
    let sentinel = (1 << width) - 1;
    for (index, delta) in group.iter_mut().enumerate() {
        // Single bits begin at the low end of their byte, pairs and fours at the high end.
        let place = match width {
            1 => index % per_byte,
            _ => per_byte - 1 - index % per_byte,
        };
        let small = packed[index / per_byte] >> (place * width as usize) & sentinel;
        *delta = if small == sentinel { reader.byte()? } else { small };
    }
    Ok(group)
}

impl Channel {
    fn new(mode: u8) -> Result<Channel, Reason> {
        match (mode & 0xf, mode >> 4) {
            (0, 0) => Ok(Channel::Bytes),
            (1, 0) => Ok(Channel::Halves),
            (2, rotation) => Ok(Channel::Xor { rotation: rotation.into() }),
            _ => Err("it has a channel of unknown kind"),
        }
    }

    fn next(self, last: [u8; 4], deltas: [u8; 4]) -> [u8; 4] {
        match self {
            Channel::Bytes => std::array::from_fn(|i| {
                let delta = (deltas[i] >> 1) ^ (deltas[i] & 1).wrapping_neg();
                last[i].wrapping_add(delta)
            }),
            Channel::Halves => {
                let next = |i: usize| {
                    let delta = u16::from_le_bytes([deltas[i], deltas[i + 1]]);
                    let delta = (delta >> 1) ^ (delta & 1).wrapping_neg();
                    let last = u16::from_le_bytes([last[i], last[i + 1]]);
                    last.wrapping_add(delta).to_le_bytes()
                };
                let ([a, b], [c, d]) = (next(0), next(2));
                [a, b, c, d]
            }
            Channel::Xor { rotation } => {
                let delta = u32::from_le_bytes(deltas).rotate_right(rotation);
                (u32::from_le_bytes(last) ^ delta).to_le_bytes()
            }
        }
    }
}
