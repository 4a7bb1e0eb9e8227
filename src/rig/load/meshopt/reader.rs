//! Bytes taken one after the other from the front of a stream.

use super::Reason;

pub(super) const TOO_SHORT: Reason = "its bytes end too early";

pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Over what lies between the header byte, which must be one of `headers`, and the tail of
    /// a size that the header decides. Returns the index of the header and the tail with it.
    pub fn between(
        bytes: &'a [u8],
        headers: &[u8],
        tail_size: impl Fn(usize) -> usize,
    ) -> Result<(Reader<'a>, usize, &'a [u8]), Reason> {
        let (header, rest) = bytes.split_first().ok_or(TOO_SHORT)?;
        let version = headers
            .iter()
            .position(|known| known == header)
            .ok_or("its first byte does not name a known version")?;
        let body_size = rest.len().checked_sub(tail_size(version));
        let (body, tail) = rest.split_at(body_size.ok_or(TOO_SHORT)?);
        Ok((Reader { rest: body }, version, tail))
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Reason> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(TOO_SHORT)?;
        self.rest = rest;
        Ok(taken)
    }

    pub fn byte(&mut self) -> Result<u8, Reason> {
        Ok(self.take(1)?[0])
    }

    /// LEB128: seven bits per byte, the lowest first; what exceeds 32 bits is dropped.
    pub fn varint(&mut self) -> Result<u32, Reason> {
        let mut value = 0;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("one of its indices is longer than five bytes")
    }

    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// A stream with bytes to spare was cut from something else.
    pub fn finish(self) -> Result<(), Reason> {
        if self.rest.is_empty() { Ok(()) } else { Err("bytes remain after its last element") }
    }
}
