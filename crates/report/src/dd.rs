//! The text of `dd`, word for word, and the lines of `fathom dd` about what its statistics leave out.

use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::{bytes, percent, time};
use run::job_error::errno_text;
use stats::dd::{CopyAccount, CopyCounts, CopySink, CopySource, Medium};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;
use tools::dd::StandardNames;
use tools::dd::message::{Event, Message};
use tools::dd::operands::{Exclusion, OperandFault, Remark, SymbolKind};

/// Names of standard input and output.
pub const STANDARD_NAMES: StandardNames =
    StandardNames { input: "standard input", output: "standard output" };

/// How the text of `dd` is written: the name in front, and the characters that the terminal shows.
#[derive(Clone, Debug)]
pub struct Voice {
    /// Name by which the program was called.
    pub program: Vec<u8>,
    /// Whether the character set is UTF-8.
    pub utf8: bool,
    /// Decimal separator.
    pub radix: String,
}

impl Voice {
    fn line(&self, text: &[u8], errno: Option<i32>) -> Vec<u8> {
        let mut line = [&self.program[..], b": ", text].concat();
        if let Some(errno) = errno {
            line.extend_from_slice(format!(": {}", errno_text(errno)).as_bytes());
        }
        line.push(b'\n');
        line
    }

    /// Returns the line of a message.
    pub fn message(&self, message: &Message) -> Vec<u8> {
        let always = self.shell(&message.file, true);
        let needed = self.shell(&message.file, false);
        let before = |text: &str| [text.as_bytes(), b" ", &always].concat();
        let after = |text: &str| [&needed[..], b": ", text.as_bytes()].concat();
        let text = match message.event {
            Event::Open => before("failed to open"),
            Event::SetFlags => before("setting flags for"),
            Event::Read => before("error reading"),
            Event::Write => before("error writing"),
            Event::WriteOutputBlock => before("writing to"),
            Event::SkipBeyondEnd => after("cannot skip to specified offset"),
            Event::Skip => after("cannot skip"),
            Event::Seek => after("cannot seek"),
            Event::OffsetTooLarge { blocks, block } => {
                let length = format!("cannot truncate to a length of seek={blocks} ({block}-byte) blocks");
                format!("offset too large: {length}").into_bytes()
            }
            Event::Truncate { bytes } => {
                before(&format!("failed to truncate to {bytes} bytes in output file"))
            }
            Event::Memory { input, bytes } => {
                let kind = if input { "input" } else { "output" };
                let size = human(bytes, 1, 1, Base::Binary, &self.radix);
                format!("memory exhausted by {kind} buffer of size {bytes} bytes ({size})").into_bytes()
            }
            Event::PartialRead { bytes } => {
                let unit = if bytes == 1 { "byte" } else { "bytes" };
                format!("warning: partial read ({bytes} {unit}); suggest iflag=fullblock").into_bytes()
            }
            Event::InvalidOffset => b"warning: invalid file offset after failed read".to_vec(),
            Event::ClearDirect => before("failed to turn off O_DIRECT:"),
            Event::FlushData => before("fdatasync failed for"),
            Event::Flush => before("fsync failed for"),
            Event::DropCache => [b"failed to discard cache for: ", &needed[..]].concat(),
            Event::CloseInput => before("closing input file"),
            Event::CloseOutput => before("closing output file"),
        };
        self.line(&text, message.errno)
    }

    /// Returns the lines about a command line that is refused.
    pub fn fault(&self, fault: &OperandFault) -> Vec<u8> {
        let quoted = |text: &str, given: &[u8]| [text.as_bytes(), b" ", &self.quote(given)].concat();
        let (text, usage) = match fault {
            // The switches are quoted by the C library, which escapes nothing.
            OperandFault::UnknownSwitch(given) => {
                ([b"unrecognized option '", given.as_bytes(), b"'"].concat(), true)
            }
            OperandFault::UnknownLetter(letter) => {
                ([&b"invalid option -- '"[..], &[*letter], b"'"].concat(), true)
            }
            OperandFault::NeedlessValue(name) => {
                (format!("option '--{name}' doesn't allow an argument").into_bytes(), true)
            }
            OperandFault::MissingValue(name) => {
                (format!("option '{name}' requires an argument").into_bytes(), true)
            }
            OperandFault::Unrecognized(given) => (quoted("unrecognized operand", given.as_bytes()), true),
            OperandFault::UnknownSymbol { kind, given } => {
                let text = match kind {
                    SymbolKind::Conversion => "invalid conversion:",
                    SymbolKind::InputFlag => "invalid input flag:",
                    SymbolKind::OutputFlag => "invalid output flag:",
                    SymbolKind::Status => "invalid status level:",
                };
                (quoted(text, given.as_bytes()), true)
            }
            OperandFault::Number { given, too_large } => {
                let text = quoted("invalid number:", given.as_bytes());
                let errno = too_large.then_some(rustix::io::Errno::OVERFLOW.raw_os_error());
                return self.line(&text, errno);
            }
            OperandFault::Exclusive(exclusion) => {
                let text = match exclusion {
                    Exclusion::CharacterSets => "cannot combine any two of {ascii,ebcdic,ibm}",
                    Exclusion::Blocks => "cannot combine block and unblock",
                    Exclusion::Cases => "cannot combine lcase and ucase",
                    Exclusion::Creation => "cannot combine excl and nocreat",
                    Exclusion::Caching => "cannot combine direct and nocache",
                };
                (text.as_bytes().to_vec(), false)
            }
        };
        let mut lines = self.line(&text, None);
        if usage {
            lines.extend_from_slice(b"Try '");
            lines.extend_from_slice(&self.program);
            lines.extend_from_slice(b" --help' for more information.\n");
        }
        lines
    }

    /// Returns the line of a remark.
    pub fn remark(&self, remark: Remark) -> Vec<u8> {
        match remark {
            Remark::ZeroMultiplier => {
                let (zero, right) = (self.quote(b"0x"), self.quote(b"00x"));
                let text = [
                    b"warning: ",
                    &zero[..],
                    b" is a zero multiplier; use ",
                    &right,
                    b" if that is intended",
                ];
                self.line(&text.concat(), None)
            }
            Remark::AppendTruncates => self.line(b"you probably want conv=notrunc with oflag=append", None),
        }
    }

    /// Returns the line with bytes, time and rate, without its end; the time in whole seconds for `progress`.
    pub fn transfer(&self, counts: &CopyCounts, elapsed: Duration, progress: bool) -> String {
        let written = counts.written;
        let si = human(written, 1, 1, Base::Decimal, &self.radix);
        let iec = human(written, 1, 1, Base::Binary, &self.radix);
        let unit = if written == 1 { "byte" } else { "bytes" };
        // A size without a prefix says nothing new.
        let sizes = match (si.ends_with(" B"), iec.ends_with(" B")) {
            (true, _) => String::new(),
            (false, true) => format!(" ({si})"),
            (false, false) => format!(" ({si}, {iec})"),
        };
        let nanos = elapsed.as_nanos() as u64;
        let rate = if nanos == 0 {
            "Infinity B".to_owned()
        } else {
            human(written, 1_000_000_000, nanos, Base::Decimal, &self.radix)
        };
        let seconds = nanos as f64 / 1e9;
        let seconds = if progress { format!("{seconds:.0}") } else { general(seconds, &self.radix) };
        format!("{written} {unit}{sizes} copied, {seconds} s, {rate}/s")
    }

    /// Quotes an argument for a message: C escapes between the quotation marks of the locale.
    fn quote(&self, text: &[u8]) -> Vec<u8> {
        let (open, close) = if self.utf8 { ("‘", "’") } else { ("'", "'") };
        let mut out = open.as_bytes().to_vec();
        for piece in self.pieces(text) {
            match piece {
                Piece::Shown(b"\\") => out.extend_from_slice(b"\\\\"),
                Piece::Shown(b"'") if !self.utf8 => out.extend_from_slice(b"\\'"),
                Piece::Shown(shown) => out.extend_from_slice(shown),
                Piece::Hidden(byte) => out.extend_from_slice(escaped(byte).as_bytes()),
            }
        }
        out.extend_from_slice(close.as_bytes());
        out
    }

    /// Quotes a file name so that a shell reads it; only if it has to be, unless `always`.
    fn shell(&self, name: &OsStr, always: bool) -> Vec<u8> {
        let text = name.as_bytes();
        let pieces = self.pieces(text);
        let hidden = pieces.iter().any(|piece| matches!(piece, Piece::Hidden(_)));
        let special = |at: usize, byte: u8| match byte {
            b'#' | b'~' => at == 0,
            b'{' | b'}' => text.len() == 1,
            _ => b" !\"$&()*;<=>[^`|?\\':".contains(&byte),
        };
        let plain =
            !text.is_empty() && !hidden && !text.iter().enumerate().any(|(at, byte)| special(at, *byte));
        if plain && !always {
            return text.to_vec();
        }
        // An apostrophe is readable between double quotation marks, in which some characters are special.
        if text.contains(&b'\'') && !hidden && !text.iter().any(|byte| b"\"$`\\!".contains(byte)) {
            return [b"\"", text, b"\""].concat();
        }
        let mut out = vec![b'\''];
        let mut escape = false;
        for piece in pieces {
            match piece {
                Piece::Hidden(byte) => {
                    if !escape {
                        out.extend_from_slice(b"'$'");
                        escape = true;
                    }
                    out.extend_from_slice(escaped(byte).as_bytes());
                }
                Piece::Shown(shown) => {
                    if escape {
                        out.extend_from_slice(b"''");
                        escape = false;
                    }
                    if shown == b"'" {
                        out.extend_from_slice(b"'\\''");
                    } else {
                        out.extend_from_slice(shown);
                    }
                }
            }
        }
        out.push(b'\'');
        out
    }

    fn pieces<'a>(&self, mut text: &'a [u8]) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        while let Some(&first) = text.first() {
            let width =
                if self.utf8 { printable_width(text) } else { usize::from((0x20..0x7f).contains(&first)) };
            if width == 0 {
                pieces.push(Piece::Hidden(first));
                text = &text[1..];
            } else {
                pieces.push(Piece::Shown(&text[..width]));
                text = &text[width..];
            }
        }
        pieces
    }
}

/// A character of a name: shown as it is, or a byte that is escaped.
enum Piece<'a> {
    Shown(&'a [u8]),
    Hidden(u8),
}

/// Returns the bytes of the first character if it is printable, else 0.
fn printable_width(text: &[u8]) -> usize {
    (1..=text.len().min(4))
        .find_map(|width| std::str::from_utf8(&text[..width]).ok())
        .and_then(|first| first.chars().next())
        .filter(|first| !first.is_control())
        .map_or(0, char::len_utf8)
}

fn escaped(byte: u8) -> String {
    match byte {
        7 => "\\a".into(),
        8 => "\\b".into(),
        b'\t' => "\\t".into(),
        b'\n' => "\\n".into(),
        11 => "\\v".into(),
        12 => "\\f".into(),
        b'\r' => "\\r".into(),
        _ => format!("\\{byte:03o}"),
    }
}

/// Returns the lines with the numbers of records.
pub fn records(counts: &CopyCounts) -> String {
    let mut text = format!(
        "{}+{} records in\n{}+{} records out\n",
        counts.full_in, counts.partial_in, counts.full_out, counts.partial_out
    );
    if counts.truncated > 0 {
        let unit = if counts.truncated == 1 { "record" } else { "records" };
        text += &format!("{} truncated {unit}\n", counts.truncated);
    }
    text
}

/// Base of the prefixes of a size.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// kB, MB.
    Decimal,
    /// KiB, MiB.
    Binary,
}

/// Returns `n * from / to` with a prefix: one decimal below 10, and below 100 where the quotient is no whole number.
fn human(n: u64, from: u64, to: u64, base: Base, radix: &str) -> String {
    let step: u128 = if base == Base::Binary { 1024 } else { 1000 };
    let (n, from, to) = (u128::from(n), u128::from(from), u128::from(to));
    let (figure, power) = if from % to == 0 {
        whole(n * (from / to), step, radix)
    } else {
        fractional(n as f64 * (from as f64 / to as f64), step as f64, radix)
    };
    let prefix = match (power, base) {
        (0, _) => "",
        (1, Base::Decimal) => "k",
        (power, _) => ["K", "M", "G", "T", "P", "E", "Z", "Y"][power - 1],
    };
    let binary = if power > 0 && base == Base::Binary { "i" } else { "" };
    format!("{figure} {prefix}{binary}B")
}

/// Returns a whole number with at most three digits, and the power of `step` behind it. Halves are rounded to even.
fn whole(number: u128, step: u128, radix: &str) -> (String, usize) {
    let mut power = 0;
    let mut unit = 1;
    while number / unit >= step && power < 8 {
        unit *= step;
        power += 1;
    }
    let rounded = |per_unit: u128| {
        let (quotient, rest) = (number * per_unit / unit, number * per_unit % unit);
        let up = 2 * rest > unit || 2 * rest == unit && quotient % 2 == 1;
        quotient + u128::from(up)
    };
    if power > 0 && number / unit < 10 {
        let tenths = rounded(10);
        if tenths < 100 {
            return (format!("{}{radix}{}", tenths / 10, tenths % 10), power);
        }
    }
    match rounded(1) {
        figure if figure == step && power < 8 => (format!("1{radix}0"), power + 1),
        figure => (figure.to_string(), power),
    }
}

/// Returns a number with a fraction, in thousands at least.
fn fractional(number: f64, step: f64, radix: &str) -> (String, usize) {
    let (mut unit, mut power) = (step, 1);
    while unit * step <= number && power < 8 {
        unit *= step;
        power += 1;
    }
    let figure = format!("{:.1}", number / unit);
    let figure = if figure.len() > 4 { format!("{:.0}", number / unit) } else { figure };
    (figure.replace('.', radix), power)
}

/// Returns a number as `%g` of printf does.
fn general(number: f64, radix: &str) -> String {
    const DIGITS: i32 = 6;
    if number == 0.0 {
        return "0".into();
    }
    let scientific = format!("{:.*e}", DIGITS as usize - 1, number);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').replace('.', radix),
        false => text.to_owned(),
    };
    if (-4..DIGITS).contains(&exponent) {
        trimmed(&format!("{number:.*}", (DIGITS - 1 - exponent) as usize))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs())
    }
}

/// Returns the help, with the switches that `dd` lacks.
pub fn help(program: &str) -> String {
    format!(
        "Usage: {program} [OPERAND]...
  or:  {program} OPTION
Copies a file, converted and formatted as the operands say, as dd of GNU coreutils 9.1 does.

  if=FILE, of=FILE   input and output file [default: standard input and output]
  bs=BYTES           size of input and output blocks [default: 512]; overrides ibs and obs
  ibs=BYTES          size of input blocks
  obs=BYTES          size of output blocks
  cbs=BYTES          size of records for block and unblock
  count=N            copy N input blocks
  skip=N, iseek=N    skip N input blocks
  seek=N, oseek=N    seek over N output blocks
  conv=LIST          ascii ebcdic ibm block unblock lcase ucase sparse swab sync excl nocreat notrunc noerror
                     fdatasync fsync
  iflag=LIST, oflag=LIST
                     append direct directory dsync sync fullblock nonblock noatime nocache noctty nofollow
                     count_bytes skip_bytes seek_bytes
  status=LEVEL       none (errors only), noxfer (records only), progress (every second)

N and BYTES take c=1, w=2, b=512, kB=1000, K=1024, MB=1000*1000, M=1024*1024, and so on for G, T, P, E, Z, Y;
KiB=K, MiB=M; 3xM is a product. N that contains a B counts bytes instead of blocks. SIGUSR1 prints statistics.

  --allow-destroy=DEVICE  overwrite this device or file in spite of its contents or use
  --sync-after            flush the output after the copy and print the rate with the flush
  --plain                 print nothing that dd does not print
  --help, --version       print this text, or the version
"
    )
}

/// Returns the version.
pub fn version(version: &str) -> String {
    format!("dd (fathom {version}), compatible with dd (coreutils) 9.1\n")
}

/// Returns the lines about what the statistics leave out; empty if nothing was copied or nothing is known.
pub fn account(lang: Lang, account: &CopyAccount) -> Vec<String> {
    if account.counts.written == 0 && account.counts.read == 0 {
        return Vec::new();
    }
    let mut lines: Vec<String> = input(lang, account).into_iter().collect();
    lines.extend(output(lang, account));
    if let (true, CopySink::Storage { compresses, medium, .. }) = (account.all_zeros(), &account.sink) {
        match (compresses, medium) {
            (Some(layer), _) => lines.push(say!(lang, "dd-zeros-compressed", layer)),
            (None, Some(Medium::NoDevice { .. })) => {}
            (None, _) => lines.push(word!(lang, "dd-zeros").into()),
        }
    }
    lines
}

fn input(lang: Lang, account: &CopyAccount) -> Option<String> {
    let read = account.counts.read;
    let (place, medium, fetched, direct) = match &account.source {
        CopySource::Zero => return Some(word!(lang, "dd-input-zero").into()),
        CopySource::NoStorage => return Some(word!(lang, "dd-input-no-storage").into()),
        CopySource::Stream => return None,
        CopySource::Storage { .. } if read == 0 => return None,
        CopySource::Storage { place, medium, fetched, direct } => (place, medium, fetched, *direct),
    };
    let mut text = match account.source.needed_no_device(read) {
        None => word!(lang, "dd-input-unknown").into(),
        Some(0) if place.cached == Some(0) && place.gaps() == 0 => {
            say!(lang, "dd-input-nothing", total = bytes(read))
        }
        Some(0) if direct => {
            let cached = bytes(place.cached.unwrap_or(0).min(read));
            say!(lang, "dd-input-direct", total = bytes(read), cached)
        }
        Some(free) => {
            let share = percent(100.0 * free as f64 / read as f64);
            let (total, cached) = (bytes(read), bytes(place.cached.unwrap_or(0).min(read)));
            let gaps = bytes(place.gaps().min(read));
            let bound = fetched.is_some_and(|fetched| fetched > 0) && free < read;
            if bound {
                say!(lang, "dd-input-at-least", share, total, cached, gaps)
            } else {
                say!(lang, "dd-input", share, total, cached, gaps)
            }
        }
    };
    if let Some(medium) = medium {
        text += &format!("; {}", below(lang, medium));
    }
    Some(text)
}

fn below(lang: Lang, medium: &Medium) -> String {
    match medium {
        Medium::Loop { device, cached: Some(cached) } => {
            say!(lang, "dd-below-loop", device, cached = bytes(*cached))
        }
        Medium::Loop { device, cached: None } => say!(lang, "dd-below-loop-unknown", device),
        Medium::Memory { device } => say!(lang, "dd-below-memory", device),
        Medium::NoDevice { file_system } => say!(lang, "dd-below-no-device", name = file_system),
    }
}

fn output(lang: Lang, account: &CopyAccount) -> Vec<String> {
    let CopySink::Storage { pending, durable, lost, direct, medium, .. } = &account.sink else {
        return Vec::new();
    };
    let written = account.counts.written;
    if written == 0 {
        return Vec::new();
    }
    let no_device = matches!(medium, Some(Medium::NoDevice { .. }));
    let mut text = match pending {
        _ if *lost => word!(lang, "dd-output-lost").into(),
        _ if no_device => word!(lang, "dd-output").into(),
        _ if *durable => word!(lang, "dd-output-durable").into(),
        Some(0) if *direct => word!(lang, "dd-output-direct").into(),
        Some(0) => word!(lang, "dd-output-none-pending").into(),
        Some(pending) => {
            let share = percent(100.0 * *pending as f64 / written as f64);
            say!(lang, "dd-output-pending", pending = bytes(*pending), share)
        }
        None => word!(lang, "dd-output-unknown").into(),
    };
    match medium {
        Some(Medium::Loop { device, .. }) => {
            text += &format!("; {}", say!(lang, "dd-output-loop", device));
        }
        Some(other) => text += &format!("; {}", below(lang, other)),
        None => {}
    }
    let mut lines = vec![text];
    if let (Some(flush), Some(rate)) = (account.flush_ns, account.rate_with_flush()) {
        lines.push(say!(lang, "dd-flushed", flush = time(flush as f64), rate = bytes(rate as u64)));
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn voice(utf8: bool) -> Voice {
        Voice { program: b"dd".to_vec(), utf8, radix: ".".into() }
    }

    #[test]
    fn sizes_are_rounded_as_dd_rounds_them() {
        let both = |n| (human(n, 1, 1, Base::Decimal, "."), human(n, 1, 1, Base::Binary, "."));
        for (n, si, iec) in [
            (0, "0 B", "0 B"),
            (999, "999 B", "999 B"),
            (1000, "1.0 kB", "1000 B"),
            (1050, "1.0 kB", "1.0 KiB"),
            (1150, "1.2 kB", "1.1 KiB"),
            (9949, "9.9 kB", "9.7 KiB"),
            (9950, "10 kB", "9.7 KiB"),
            (10_500, "10 kB", "10 KiB"),
            (11_500, "12 kB", "11 KiB"),
            (999_499, "999 kB", "976 KiB"),
            (999_500, "1.0 MB", "976 KiB"),
            (1_048_576, "1.0 MB", "1.0 MiB"),
            (524_288_000, "524 MB", "500 MiB"),
            (u64::MAX, "18 EB", "16 EiB"),
        ] {
            assert_eq!(both(n), (si.to_owned(), iec.to_owned()), "{n}");
        }
    }

    #[test]
    fn the_transfer_line_is_dds() {
        let counts = |written| CopyCounts { written, ..CopyCounts::default() };
        let line =
            |written, nanos| voice(false).transfer(&counts(written), Duration::from_nanos(nanos), false);
        assert_eq!(line(0, 26_019), "0 bytes copied, 2.6019e-05 s, 0.0 kB/s");
        assert_eq!(line(1, 1_000_000), "1 byte copied, 0.001 s, 1.0 kB/s");
        assert_eq!(line(1000, 81_411), "1000 bytes (1.0 kB) copied, 8.1411e-05 s, 12.3 MB/s");
        assert_eq!(line(5000, 132_597), "5000 bytes (5.0 kB, 4.9 KiB) copied, 0.000132597 s, 37.7 MB/s");
        assert_eq!(
            line(524_288_000, 1_234_567_890),
            "524288000 bytes (524 MB, 500 MiB) copied, 1.23457 s, 425 MB/s"
        );
        assert_eq!(line(5, 0), "5 bytes copied, 0 s, Infinity B/s");
        let long = voice(false).transfer(&counts(5_000_000), Duration::from_millis(123_456_789), true);
        assert_eq!(long, "5000000 bytes (5.0 MB, 4.8 MiB) copied, 123457 s, 0.0 kB/s");
    }

    #[test]
    fn names_are_quoted_as_dd_quotes_them() {
        let shell = |name: &[u8], always| {
            String::from_utf8(voice(false).shell(OsStr::from_bytes(name), always)).unwrap()
        };
        assert_eq!(shell(b"a", true), "'a'");
        assert_eq!(shell(b"a", false), "a");
        assert_eq!(shell(b"standard input", false), "'standard input'");
        assert_eq!(shell(b"it's", true), "\"it's\"");
        assert_eq!(shell(b"it's$", true), "'it'\\''s$'");
        assert_eq!(shell(b"new\nline", true), "'new'$'\\n''line'");
        assert_eq!(shell(b"\x01", true), "''$'\\001'");
        assert_eq!(shell(b"", false), "''");
        let quote = |utf8, text: &str| String::from_utf8(voice(utf8).quote(text.as_bytes())).unwrap();
        assert_eq!(quote(false, "fo\no"), "'fo\\no'");
        assert_eq!(quote(false, "''"), "'\\'\\''");
        assert_eq!(quote(true, "foo"), "‘foo’");
    }
}
