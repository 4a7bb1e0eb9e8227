//! Streams from the specification and from the reference encoder, and then damaged ones.

use super::*;

/// 40 elements of 8 bytes (see [`sample`]) as meshoptimizer writes them.
const ATTRIBUTES_V0: &str = "a01f005a5e54585c52565a5e54585c52565a5e54585c52565a5e54585c52565a5e54\
    ffff0000585c52565a5e5458153aabaaba040404aeaaeaae040404aaea000004152aaaaaaaaaaaaaaaaaaa00000100\
    08000000002f0000ff8080404040402020202020202020101010101010101010101010101010f88888880000000010\
    05308000007e80000000000000000000000000000000000000000000000000000000e803faff00000000";
/// The same: all four packings, a channel of halves and one of rotated XOR.
const ATTRIBUTES_V1: &str = "a19768005a5e54585c52565a5e54585c52565a5e54585c52565a5e54585c52565a5e\
    54585c52565a5e5458152aaaaaaaaaaaaaaaaaaa0000152aaaaaaaaaaaaaaaaaaa00000112000f1f1a0ffff8f8f4c4\
    f4c4c02010f018381cf262e262f262e2627c1edddd00003e0307030000000000000000000000000000e803faff0000\
    00000162";
/// A grid of 4 × 4 squares and two stray triangles, see [`grid`].
const TRIANGLES: &str = "e1fe1e001e001e001ede0e061e051e041ede0e041e041e041ede0e041e041e041efffff0\
    0affe0028103ee02f4fb02c801007687566778a9866589689801690000";
const SEQUENCE: &str = "d100910304050405c0018b03f889110500000000";
const SEQUENCE_INDICES: [u32; 10] = [0, 100, 1, 101, 2, 102, 50, 3, 70000, 4];

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().map(|c| (c as char).to_digit(16).unwrap() as u8).collect();
    digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

fn sample() -> Vec<u8> {
    let element = |i: u16| {
        let [a, b] = [1000 + 300 * i + i * i % 7, 65530_u16.wrapping_add(i)].map(u16::to_le_bytes);
        [a, b].concat().into_iter().chain((0.5 * f32::from(i)).to_le_bytes())
    };
    (0..40).flat_map(element).collect()
}

fn grid() -> Vec<u32> {
    let corner = |x: u32, y: u32| 5 * y + x;
    let squares = (0..4).flat_map(|y| (0..4).map(move |x| (x, y)));
    let mut indices: Vec<u32> = squares
        .flat_map(|(x, y)| {
            let (a, b, c) = (corner(x, y), corner(x + 1, y), corner(x, y + 1));
            [a, c, b, b, c, corner(x + 1, y + 1)]
        })
        .collect();
    indices.extend([200, 7, 190, 0, 100, 24]);
    indices
}

/// A triangle may begin at any of its corners.
fn same_triangles(a: &[u32], b: &[u32]) -> bool {
    let turned = |t: &[u32], by: usize| [t[by % 3], t[(by + 1) % 3], t[(by + 2) % 3]];
    let pairs = || a.chunks_exact(3).zip(b.chunks_exact(3));
    a.len() == b.len() && pairs().all(|(a, b)| (0..3).any(|by| turned(a, by) == turned(b, 0)))
}

#[test]
fn the_example_of_the_specification_decodes_to_its_deltas() {
    // Four data blocks, each one group: the first with 4 bits per delta, the others all zero.
    let mut stream = bytes("a002175ff0bc77a9210034b5000000");
    stream.extend([0; 32]);
    let elements = attributes::decode(&stream, 16, 4).unwrap();
    let deltas = [-1_i8, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let mut value = 0_i8;
    for (element, delta) in elements.chunks_exact(4).zip(deltas) {
        value = value.wrapping_add(delta);
        assert_eq!(element, [value as u8, 0, 0, 0]);
    }
}

#[test]
fn attributes_of_both_versions_decode() {
    for stream in [ATTRIBUTES_V0, ATTRIBUTES_V1] {
        assert_eq!(attributes::decode(&bytes(stream), 40, 8).unwrap(), sample());
    }
}

#[test]
fn elements_carry_on_from_block_to_block() {
    // Stride 256 has blocks of 32 elements, two groups. The first byte grows by one at the first
    // element of each group (2 bits per delta), the others never.
    let mut stream = vec![0xa0];
    for _ in 0..2 {
        stream.extend(bytes("058000000080000000"));
        stream.extend([0; 255]);
    }
    stream.extend([7; 256]);
    let elements = attributes::decode(&stream, 64, 256).unwrap();
    for (index, element) in elements.chunks_exact(256).enumerate() {
        assert_eq!(usize::from(element[0]), 8 + index / 16, "element {index}");
        assert!(element[1..].iter().all(|byte| *byte == 7));
    }
}

#[test]
fn triangles_decode() {
    let indices = indices::triangles(&bytes(TRIANGLES), grid().len()).unwrap();
    assert!(same_triangles(&indices, &grid()), "{indices:?}");
}

#[test]
fn index_sequences_decode_and_short_indices_keep_the_low_half() {
    let indices = indices::sequence(&bytes(SEQUENCE), 10).unwrap();
    assert_eq!(indices, SEQUENCE_INDICES);
    assert_eq!(indices::to_bytes(vec![70000], 2), [0x70, 0x11]);
    assert_eq!(indices::to_bytes(vec![70000], 4), [0x70, 0x11, 1, 0]);
}

fn filtered<const N: usize, T, const SIZE: usize>(
    filter: Filter,
    numbers: [T; N],
    write: fn(T) -> [u8; SIZE],
) -> Vec<u8> {
    let mut data = numbers.map(write).as_flattened().to_vec();
    let stride = data.len();
    assert!(filter.takes(stride));
    filter.apply(&mut data, stride);
    data
}

#[test]
fn octahedral_vectors_unfold_to_unit_length() {
    let short = |v: [i8; 4]| filtered(Filter::Octahedral, v, i8::to_le_bytes);
    assert_eq!(short([0, 0, 127, 5]), [0, 0, 127, 5]);
    assert_eq!(short([-127, 0, 127, -1]), [-127_i8 as u8, 0, 0, 255]);
    // The corners of the square are the lower pole; 7 is 1.0 in four bits.
    assert_eq!(short([7, -7, 7, 0]), [0, 0, -127_i8 as u8, 0]);
    let long = filtered(Filter::Octahedral, [255_i16, 255, 511, 9], i16::to_le_bytes);
    let (numbers, _) = long.as_chunks::<2>();
    let [x, y, z, w] = [0, 1, 2, 3].map(|i| i16::from_le_bytes(numbers[i]));
    // x = y = 255/511, z = 1/511, then normalised.
    assert_eq!([x, y, z, w], [23170, 23170, 91, 9]);
}

#[test]
fn quaternions_regain_their_largest_component() {
    let turned = |v: [i16; 4]| {
        let data = filtered(Filter::Quaternion, v, i16::to_le_bytes);
        let (numbers, _) = data.as_chunks::<2>();
        [0, 1, 2, 3].map(|i| i16::from_le_bytes(numbers[i]))
    };
    assert_eq!(turned([0, 0, 0, 32767]), [0, 0, 0, 32767]);
    // The missing component is x; the others are y, z, w in turn, here in 12 bits.
    assert_eq!(turned([2047, 0, 0, 2044]), [23170, 23170, 0, 0]);
    assert_eq!(turned([0, 0, -2047, 2045]), [-23170, 23170, 0, 0]);
}

#[test]
fn exponential_numbers_are_exact() {
    let number = |exponent: i32, mantissa: i32| {
        let packed = exponent << 24 | mantissa & 0xff_ffff;
        let data = filtered(Filter::Exponential, [packed], i32::to_le_bytes);
        f32::from_le_bytes([data[0], data[1], data[2], data[3]])
    };
    assert_eq!(number(-1, 3), 1.5);
    assert_eq!(number(0, -8_388_608), -8_388_608.0);
    assert_eq!(number(-100, 1), 2_f32.powi(-100));
    assert_eq!(number(100, -5), -5.0 * 2_f32.powi(100));
    assert_eq!(number(-128, 0), 0.0);
}

#[test]
fn colours_return_from_luma_and_chroma() {
    let color = |v: [u8; 4]| filtered(Filter::Color, v, u8::to_le_bytes);
    assert_eq!(color([200, 0, 0, 0xff]), [200, 200, 200, 255]);
    assert_eq!(color([100, 20, -10_i8 as u8, 0x85]), [130, 90, 90, 11]);
    // Nine bits in sixteen: 511 is full.
    let long = filtered(Filter::Color, [511_u16, 0, 0, 0x1ff], u16::to_le_bytes);
    assert_eq!(long, [0xff; 8]);
}

type Decoder = fn(&[u8]) -> Result<Vec<u8>, Reason>;

fn streams() -> [(&'static str, usize, Decoder); 4] {
    let attributes: Decoder = |bytes| attributes::decode(bytes, 40, 8);
    [
        (ATTRIBUTES_V0, 320, attributes),
        (ATTRIBUTES_V1, 320, attributes),
        (TRIANGLES, 102 * 4, |bytes| Ok(indices::to_bytes(indices::triangles(bytes, 102)?, 4))),
        (SEQUENCE, 40, |bytes| Ok(indices::to_bytes(indices::sequence(bytes, 10)?, 4))),
    ]
}

#[test]
fn a_stream_of_any_other_length_is_refused() {
    for (stream, _, decode) in streams() {
        let whole = bytes(stream);
        for length in 0..whole.len() {
            assert!(decode(&whole[..length]).is_err(), "{stream} cut to {length}");
        }
        assert!(decode(&[&whole[..], &[0]].concat()).is_err(), "{stream} and a byte");
    }
}

#[test]
fn damaged_streams_never_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    for (stream, size, decode) in streams() {
        let whole = bytes(stream);
        for _ in 0..20_000 {
            let mut damaged = whole.clone();
            for _ in 0..1 + random(4) {
                let at = random(damaged.len());
                damaged[at] = random(256) as u8;
            }
            if let Ok(decoded) = decode(&damaged) {
                assert_eq!(decoded.len(), size);
            }
        }
    }
    let filters = [
        (Filter::Octahedral, 4),
        (Filter::Octahedral, 8),
        (Filter::Quaternion, 8),
        (Filter::Exponential, 12),
        (Filter::Color, 4),
        (Filter::Color, 8),
    ];
    for (filter, stride) in filters {
        let mut data: Vec<u8> = (0..stride * 10_000).map(|_| random(256) as u8).collect();
        filter.apply(&mut data, stride);
        filter.apply(&mut vec![0; stride], stride);
    }
}

fn document(extension: &str, packed: Value) -> Document {
    let stream = bytes(ATTRIBUTES_V0);
    Document {
        json: json!({
            "buffers": [{ "byteLength": stream.len() }, { "byteLength": 320 }],
            "bufferViews": [
                { "buffer": 0, "byteLength": 4 },
                {
                    "buffer": 1, "byteOffset": 64, "byteLength": 320, "byteStride": 8,
                    "extensions": { extension: packed },
                },
            ],
        }),
        buffers: vec![stream, Vec::new()],
    }
}

fn packed_sample() -> Value {
    let length = ATTRIBUTES_V0.len() / 2;
    json!({ "buffer": 0, "byteLength": length, "byteStride": 8, "count": 40, "mode": "ATTRIBUTES" })
}

#[test]
fn a_compressed_view_becomes_a_plain_one_over_a_new_buffer() {
    for extension in [EXTENSION, EXTENSION_KHR] {
        let mut document = document(extension, packed_sample());
        unpack(&mut document).unwrap();
        let views = &document.json["bufferViews"];
        assert_eq!(views[0], json!({ "buffer": 0, "byteLength": 4 }));
        let plain = json!({ "buffer": 2, "byteOffset": 0, "byteLength": 320, "byteStride": 8 });
        assert_eq!(views[1], plain);
        assert_eq!(document.buffers[2], sample());
        assert_eq!(document.json["buffers"][2]["byteLength"], 320);
    }
}

#[test]
fn numbers_that_break_the_rules_are_refused_before_anything_is_decoded() {
    let huge = 1_u64 << 62;
    let broken = [
        ("byteStride", json!(6), "multiple of 4"),
        ("byteStride", json!(0), "multiple of 4"),
        ("byteStride", json!(260), "multiple of 4"),
        ("count", json!(huge), "more elements than"),
        ("count", json!(-1), "invalid value"),
        ("count", Value::Null, "invalid type"),
        ("buffer", json!(9), "bytes are missing"),
        ("byteOffset", json!(huge), "bytes are missing"),
        ("byteLength", json!(huge), "bytes are missing"),
        ("byteLength", json!(3), "end too early"),
        ("mode", json!("TRIANGLES"), "must be 2 or 4"),
        ("mode", json!("POINTS"), "unknown variant"),
        ("filter", json!("SPHERICAL"), "unknown variant"),
    ];
    for (name, value, expected) in broken {
        let mut packed = packed_sample();
        packed[name] = value;
        let text = unpack(&mut document(EXTENSION, packed)).unwrap_err().to_string();
        assert!(text.contains(expected), "{name}: {text}");
    }
}

#[test]
fn all_views_together_have_a_limit() {
    let mut document = document(EXTENSION, packed_sample());
    let mut huge = document.json["bufferViews"][1].clone();
    for name in ["byteLength", "count"] {
        huge["extensions"][EXTENSION][name] = json!(u64::MAX);
    }
    let views = document.json["bufferViews"].as_array_mut().unwrap();
    views.push(huge);
    let error = unpack(&mut document).unwrap_err();
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
}

#[test]
fn filters_and_strides_that_do_not_go_together_are_refused() {
    let check = |mode, filter, byte_stride, count| {
        let packed = Packed {
            buffer: 0,
            byte_offset: 0,
            byte_length: 1000,
            byte_stride,
            count,
            mode,
            filter,
        };
        packed.check()
    };
    assert_eq!(check(Mode::Triangles, Filter::None, 2, 6), Ok(12));
    assert!(check(Mode::Triangles, Filter::None, 2, 7).is_err());
    assert!(check(Mode::Triangles, Filter::Exponential, 4, 6).is_err());
    assert!(check(Mode::Indices, Filter::None, 8, 6).is_err());
    assert!(check(Mode::Attributes, Filter::Quaternion, 4, 6).is_err());
    assert!(check(Mode::Attributes, Filter::Octahedral, 12, 6).is_err());
    assert!(check(Mode::Attributes, Filter::Color, 16, 6).is_err());
    assert_eq!(check(Mode::Attributes, Filter::Exponential, 12, 6), Ok(72));
}
