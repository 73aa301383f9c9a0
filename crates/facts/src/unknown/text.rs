//! Detection of text: as a repeated pattern, and as words between random bytes.

/// Length in bytes from which a repeated pattern without a space or line break counts as text.
const LONG: usize = 16;
/// Evidence in tenths of a bit at which a stretch counts as words: 17 small letters. Among random bytes one position in
/// 2^48 reaches it (Wald's bound for a likelihood ratio), that is, one in a million stretches of 256 MiB.
const WORDS: i32 = 480;

/// Returns whether a repeated pattern is text: UTF-8 without control characters, with a space, a line break or
/// [`LONG`] bytes in it. fio's `buffer_pattern="abcd"` is not text in this sense.
pub(super) fn is_text(pattern: &[u8]) -> bool {
    let space = |byte: &u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
    if pattern.iter().any(|byte| byte.is_ascii_control() && !space(byte)) {
        return false;
    }
    // The pattern may begin and end within a character.
    let replaced = String::from_utf8_lossy(pattern).matches(char::REPLACEMENT_CHARACTER).count();
    let long = pattern.len() >= LONG && replaced <= 4;
    long || (replaced == 0 && pattern.iter().any(space))
}

/// Returns whether words of a language in Latin letters stand between the bytes: the logarithm of the likelihood ratio
/// between text and random bytes, summed from the best start (CUSUM; Page 1954), reaches [`WORDS`].
pub(super) fn has_words(bytes: &[u8]) -> bool {
    let mut sum = 0;
    bytes.iter().any(|byte| {
        sum = (sum + evidence(*byte)).max(0);
        sum >= WORDS
    })
}

/// Returns the evidence for text of one byte in tenths of a bit: log2 of the ratio between its probability in text
/// (small letters and space 0.65, other printable characters 0.34, the rest 0.01, each evenly) and 1/256.
fn evidence(byte: u8) -> i32 {
    match byte {
        b'a'..=b'z' | b' ' => 26,
        b'\t' | b'\n' => 3,
        _ if byte.is_ascii_graphic() => 3,
        _ => -57,
    }
}
