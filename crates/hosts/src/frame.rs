//! Frames: a length of four bytes, lowest first, and as many bytes of JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// Largest length of a frame, bytes. A result of a thousand jobs has some megabytes.
const LONGEST: usize = 256 << 20;

/// Writes a message, and flushes.
///
/// # Errors
/// The other end is gone, or the message is too long.
pub(crate) fn write<T: Serialize>(out: &mut dyn Write, message: &T) -> io::Result<()> {
    write_body(out, &serde_json::to_vec(message)?)
}

/// Writes a frame with this content, and flushes.
///
/// # Errors
/// The other end is gone, or the content is too long.
pub fn write_body(out: &mut dyn Write, body: &[u8]) -> io::Result<()> {
    write_with_head(out, &[], body)
}

/// Writes `head` and a frame with this content at once, and flushes.
pub(crate) fn write_with_head(out: &mut dyn Write, head: &[u8], body: &[u8]) -> io::Result<()> {
    if body.len() > LONGEST {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut frame = head.to_vec();
    frame.extend((body.len() as u32).to_le_bytes());
    frame.extend(body);
    out.write_all(&frame)?;
    out.flush()
}

/// Reads a message; `None` at the end of the input.
///
/// # Errors
/// The input ends inside a message, or is not a message of this protocol.
pub(crate) fn read<T: DeserializeOwned>(input: &mut dyn Read) -> io::Result<Option<T>> {
    let Some(body) = read_body(input)? else { return Ok(None) };
    Ok(Some(serde_json::from_slice(&body)?))
}

/// Reads the content of a frame; `None` at the end of the input.
///
/// # Errors
/// The input ends inside a frame, or is no frame.
pub fn read_body(input: &mut dyn Read) -> io::Result<Option<Vec<u8>>> {
    let Some(length) = read_number(input)? else { return Ok(None) };
    if length as usize > LONGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = Vec::new();
    input.take(u64::from(length)).read_to_end(&mut body)?;
    if body.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(body))
}

/// Reads a number of four bytes, lowest first; `None` at the end of the input.
pub(crate) fn read_number(input: &mut dyn Read) -> io::Result<Option<u32>> {
    let mut bytes = [0; 4];
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) if filled == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(Some(u32::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_written_is_read(texts in prop::collection::vec(".*", 0..5)) {
            let mut bytes = Vec::new();
            texts.iter().for_each(|text| write(&mut bytes, text).unwrap());
            let mut input = bytes.as_slice();
            for text in &texts {
                let got: Option<String> = read(&mut input).unwrap();
                prop_assert_eq!(got.as_ref(), Some(text));
            }
            prop_assert_eq!(read::<String>(&mut input).unwrap(), None);
        }

        /// Whatever a login shell prints before the agent is an error, and neither a panic nor gigabytes of memory.
        #[test]
        fn other_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 1..64)) {
            let _ = read::<String>(&mut bytes.as_slice());
        }
    }

    #[test]
    fn end_inside_a_message_is_an_error() {
        let mut bytes = Vec::new();
        write(&mut bytes, &"abc").unwrap();
        for cut in 1..bytes.len() {
            assert!(read::<String>(&mut &bytes[..cut]).is_err(), "{cut}");
        }
    }
}
