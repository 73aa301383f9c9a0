//! FNV-1a of 64 bits: numbers that stand for texts and are the same in all versions of fathom. They are no secrets.

/// Returns the hash of a text.
pub fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    /// Values of the reference (Fowler, Noll, Vo: test vectors of FNV-1a, 64 bits).
    #[test]
    fn hashes_are_those_of_the_reference() {
        assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    }
}
