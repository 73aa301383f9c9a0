//! Conversions of the copied bytes: character sets, case, pairs of bytes, lines and records.

use super::operands::Conversions;

/// EBCDIC to ASCII (POSIX, `dd`).
#[rustfmt::skip]
const TO_ASCII: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x9c, 0x09, 0x86, 0x7f, 0x97, 0x8d, 0x8e, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x9d, 0x85, 0x08, 0x87, 0x18, 0x19, 0x92, 0x8f, 0x1c, 0x1d, 0x1e, 0x1f,
    0x80, 0x81, 0x82, 0x83, 0x84, 0x0a, 0x17, 0x1b, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9a, 0x9b, 0x14, 0x15, 0x9e, 0x1a,
    0x20, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xd5, 0x2e, 0x3c, 0x28, 0x2b, 0x7c,
    0x26, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0, 0xb1, 0x21, 0x24, 0x2a, 0x29, 0x3b, 0x7e,
    0x2d, 0x2f, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xcb, 0x2c, 0x25, 0x5f, 0x3e, 0x3f,
    0xba, 0xbb, 0xbc, 0xbd, 0xbe, 0xbf, 0xc0, 0xc1, 0xc2, 0x60, 0x3a, 0x23, 0x40, 0x27, 0x3d, 0x22,
    0xc3, 0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
    0xca, 0x6a, 0x6b, 0x6c, 0x6d, 0x6e, 0x6f, 0x70, 0x71, 0x72, 0x5e, 0xcc, 0xcd, 0xce, 0xcf, 0xd0,
    0xd1, 0xe5, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0xd2, 0xd3, 0xd4, 0x5b, 0xd6, 0xd7,
    0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0x5d, 0xe6, 0xe7,
    0x7b, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0xe8, 0xe9, 0xea, 0xeb, 0xec, 0xed,
    0x7d, 0x4a, 0x4b, 0x4c, 0x4d, 0x4e, 0x4f, 0x50, 0x51, 0x52, 0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xf3,
    0x5c, 0x9f, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9,
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff,
];

/// ASCII to EBCDIC: the inverse of [`TO_ASCII`].
const TO_EBCDIC: [u8; 256] = {
    let mut map = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        map[TO_ASCII[byte] as usize] = byte as u8;
        byte += 1;
    }
    map
};

/// Bytes in which IBM's variant of EBCDIC differs from [`TO_EBCDIC`].
const IBM: [(u8, u8); 5] = [(0x5e, 0x5f), (0x7e, 0xa1), (0xcb, 0x9a), (0xd5, 0xad), (0xe5, 0xbd)];

const NEWLINE: u8 = b'\n';
const SPACE: u8 = b' ';

/// Map of bytes.
#[derive(Clone, Debug)]
pub struct ByteMap {
    map: [u8; 256],
    /// Byte that ends a line of the input.
    newline: u8,
    /// Byte that fills a record.
    space: u8,
}

impl ByteMap {
    /// Returns the map of these conversions, and whether they change bytes.
    pub fn of(conversions: Conversions) -> (ByteMap, bool) {
        let mut map: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        let mut changes = false;
        let (mut newline, mut space) = (NEWLINE, SPACE);
        if conversions.to_ascii() {
            map = TO_ASCII;
            changes = true;
        }
        if conversions.has(Conversions::UCASE) {
            map = map.map(|byte| byte.to_ascii_uppercase());
            changes = true;
        } else if conversions.has(Conversions::LCASE) {
            map = map.map(|byte| byte.to_ascii_lowercase());
            changes = true;
        }
        if conversions.to_ebcdic() || conversions.to_ibm() {
            let ebcdic = if conversions.to_ibm() { ibm() } else { TO_EBCDIC };
            map = map.map(|byte| ebcdic[usize::from(byte)]);
            (newline, space) = (TO_EBCDIC[usize::from(NEWLINE)], TO_EBCDIC[usize::from(SPACE)]);
            changes = true;
        }
        (ByteMap { map, newline, space }, changes)
    }

    /// Maps every byte.
    pub fn apply(&self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.map[usize::from(*byte)];
        }
    }
}

fn ibm() -> [u8; 256] {
    let mut map = TO_EBCDIC;
    for (byte, other) in IBM {
        map[usize::from(byte)] = other;
    }
    map
}

/// Swap of every pair of bytes of a stream that arrives in pieces.
#[derive(Debug, Default)]
pub struct Swap {
    /// First byte of a pair whose second one has not arrived.
    waiting: Option<u8>,
}

impl Swap {
    /// Swaps the pairs of `bytes` in place. A byte that waits for the second of its pair moves to the next piece.
    pub fn apply(&mut self, bytes: &mut Vec<u8>) {
        if let Some(first) = self.waiting.take() {
            bytes.insert(0, first);
        }
        if bytes.len() % 2 == 1 {
            self.waiting = bytes.pop();
        }
        bytes.chunks_exact_mut(2).for_each(|pair| pair.swap(0, 1));
    }

    /// Returns the last byte of a stream of odd length.
    pub fn finish(&mut self) -> Option<u8> {
        self.waiting.take()
    }
}

/// Conversion between lines and records of fixed size.
#[derive(Debug)]
pub struct Records {
    size: u64,
    newline: u8,
    space: u8,
    /// Column of the next byte.
    column: u64,
    /// Spaces that are left out if they end the record.
    spaces: u64,
    /// Number of records that were cut.
    pub truncated: u64,
}

impl Records {
    /// Returns a conversion with records of `size` bytes.
    pub fn new(size: u64, map: &ByteMap) -> Records {
        Records { size, newline: map.newline, space: map.space, column: 0, spaces: 0, truncated: 0 }
    }

    /// Turns lines into records.
    pub fn block<E>(&mut self, bytes: &[u8], out: &mut dyn FnMut(u8) -> Result<(), E>) -> Result<(), E> {
        for byte in bytes {
            if *byte == self.newline {
                self.pad(out)?;
            } else {
                if self.column == self.size {
                    self.truncated += 1;
                } else if self.column < self.size {
                    out(*byte)?;
                }
                self.column += 1;
            }
        }
        Ok(())
    }

    fn pad<E>(&mut self, out: &mut dyn FnMut(u8) -> Result<(), E>) -> Result<(), E> {
        while self.column < self.size {
            out(self.space)?;
            self.column += 1;
        }
        self.column = 0;
        Ok(())
    }

    /// Ends the last record.
    pub fn finish_block<E>(&mut self, out: &mut dyn FnMut(u8) -> Result<(), E>) -> Result<(), E> {
        if self.column > 0 { self.pad(out) } else { Ok(()) }
    }

    /// Turns records into lines without trailing spaces.
    pub fn unblock<E>(&mut self, bytes: &[u8], out: &mut dyn FnMut(u8) -> Result<(), E>) -> Result<(), E> {
        for byte in bytes {
            if self.column == self.size {
                out(self.newline)?;
                (self.column, self.spaces) = (0, 0);
            }
            self.column += 1;
            if *byte == self.space {
                self.spaces += 1;
            } else {
                while self.spaces > 0 {
                    out(self.space)?;
                    self.spaces -= 1;
                }
                out(*byte)?;
            }
        }
        Ok(())
    }

    /// Ends the last line.
    pub fn finish_unblock<E>(&mut self, out: &mut dyn FnMut(u8) -> Result<(), E>) -> Result<(), E> {
        if self.column > 0 { out(self.newline) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_converted_before_the_character_set() {
        let (map, changes) = ByteMap::of(Conversions::EBCDIC.with(Conversions::UCASE));
        let mut text = *b"aB1 ";
        map.apply(&mut text);
        assert!(changes && text == [0xc1, 0xc2, 0xf1, 0x40], "{text:x?}");
        assert!(!ByteMap::of(Conversions::SWAB).1);
    }

    #[test]
    fn pairs_are_swapped_across_pieces() {
        let mut swap = Swap::default();
        let mut all = Vec::new();
        for piece in ["abc", "d", "efg"] {
            let mut bytes = piece.as_bytes().to_vec();
            swap.apply(&mut bytes);
            all.extend(bytes);
        }
        all.extend(swap.finish());
        assert_eq!(all, b"badcfeg");
    }
}
