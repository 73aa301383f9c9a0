//! fio's layout of a JSON document: `"key" : value`, two blanks a level, floats with six decimals.

use serde::Serialize;
use serde_json::{Value, ser::Formatter};
use std::io::{Result, Write};

/// Returns the document in fio's layout, newline at the end.
pub(crate) fn render(document: &Value) -> String {
    let mut out = Vec::new();
    // Writing into memory does not fail, and a `Value` has no key that is not a text.
    let _ = document.serialize(&mut serde_json::Serializer::with_formatter(&mut out, FioLayout::default()));
    out.push(b'\n');
    String::from_utf8(out).unwrap_or_default()
}

#[derive(Default)]
struct FioLayout {
    level: usize,
    /// Whether the next value has a key.
    has_key: bool,
}

impl FioLayout {
    fn line<W: ?Sized + Write>(&self, out: &mut W) -> Result<()> {
        write!(out, "\n{:width$}", "", width = 2 * self.level)
    }

    fn open<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> Result<()> {
        self.level += 1;
        out.write_all(bracket)
    }

    fn item<W: ?Sized + Write>(&self, out: &mut W, first: bool) -> Result<()> {
        out.write_all(if first { b"" } else { b"," })?;
        self.line(out)
    }

    fn close<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> Result<()> {
        self.level -= 1;
        self.line(out)?;
        out.write_all(bracket)
    }
}

impl Formatter for FioLayout {
    // JSON has no NaN and no infinity: serde_json makes them null. A key of ours is left out if its value is unknown,
    // so that only such a figure is null under a key, and readers of fio's output expect a number there.
    fn write_null<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        if self.has_key { self.write_f64(out, 0.0) } else { out.write_all(b"null") }
    }

    fn write_f64<W: ?Sized + Write>(&mut self, out: &mut W, value: f64) -> Result<()> {
        write!(out, "{value:.6}")
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.open(out, b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.has_key = false;
        self.item(out, first)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.close(out, b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.open(out, b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> Result<()> {
        self.item(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.has_key = true;
        out.write_all(b" : ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.close(out, b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_text_and_any_number_is_valid_json() {
        let all: String =
            (0u32..0x300).filter_map(char::from_u32).chain(['\u{fffd}', '\u{2028}', '\u{10ffff}']).collect();
        let document = json!({
            &all: all, "nan": f64::NAN, "floats": [f64::NAN, -0.5], "whole": u64::MAX, "empty": {}, "none": [],
        });
        let parsed: Value = serde_json::from_str(&render(&document)).unwrap();
        assert_eq!(parsed[&all], all.as_str());
        assert_eq!(parsed["nan"], 0.0);
        assert_eq!(parsed["floats"], json!([null, -0.5]));
        assert_eq!(parsed["whole"], u64::MAX);
    }
}
