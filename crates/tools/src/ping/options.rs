//! The words of a command line as getopt_long_only(3) of glibc reads them: long options with one or two dashes and by
//! unique beginnings, clustered short options, operands in any place.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// No value.
    Nothing,
    /// A value: the rest of the word, behind `=`, or the next word.
    Value,
    /// A value only in the same word.
    Optional,
}

/// One option: its letter, its long name, and whether it takes a value.
pub type Declared = (u8, &'static str, Takes);

/// Options of ioping in the order in which messages name them.
pub const OPTIONS: [Declared; 34] = [
    (b'h', "help", Takes::Nothing),
    (b'v', "version", Takes::Nothing),
    (b'k', "keep", Takes::Nothing),
    (b'q', "quiet", Takes::Nothing),
    (b'B', "batch", Takes::Nothing),
    (b'I', "time", Takes::Optional),
    (b'J', "json", Takes::Nothing),
    (b'R', "rapid", Takes::Nothing),
    (b'L', "linear", Takes::Nothing),
    (b'D', "direct", Takes::Nothing),
    (b'C', "cached", Takes::Nothing),
    (b'Y', "sync", Takes::Nothing),
    (b'y', "dsync", Takes::Nothing),
    (b'A', "async", Takes::Nothing),
    (b'N', "nowait", Takes::Nothing),
    (b'H', "hipri", Takes::Nothing),
    (b'W', "write", Takes::Nothing),
    (b'G', "read-write", Takes::Nothing),
    (b's', "size", Takes::Value),
    (b'S', "work-size", Takes::Value),
    (b'o', "work-offset", Takes::Value),
    (b'w', "work-time", Takes::Value),
    (b'l', "speed-limit", Takes::Value),
    (b'r', "rate-limit", Takes::Value),
    (b't', "min-time", Takes::Value),
    (b'T', "max-time", Takes::Value),
    (b'a', "warmup", Takes::Value),
    (b'b', "burst", Takes::Value),
    (b'c', "count", Takes::Value),
    (b'e', "entropy", Takes::Value),
    (b'i', "interval", Takes::Value),
    (b'p', "print-count", Takes::Value),
    (b'P', "print-interval", Takes::Value),
    (b'?', "", Takes::Nothing),
];

/// Reason why the words cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionFault {
    /// No option has this name (with its dashes).
    Unrecognized(String),
    /// No option has this letter.
    Invalid(String),
    /// Several long options begin so; the option and the names, with dashes.
    Ambiguous(String, Vec<String>),
    /// The long option takes no value.
    NoValueAllowed(String),
    /// The long option has no value.
    ValueMissing(String),
    /// The letter has no value.
    LetterValueMissing(String),
}

/// One option of the command line, or an operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Letter of an option and its value.
    Option(u8, Option<OsString>),
    /// Word that is no option.
    Operand(OsString),
    /// The rest cannot be read.
    Fault(OptionFault),
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn owned(bytes: &[u8]) -> OsString {
    OsString::from_vec(bytes.to_vec())
}

fn letter(c: u8) -> Option<Declared> {
    OPTIONS.into_iter().find(|(letter, name, _)| *letter == c && !name.is_empty())
}

/// Returns options and faults in order, and the operands behind them, as getopt sorts them.
pub fn read(args: &[OsString]) -> Vec<Word> {
    let (mut words, mut operands) = (Vec::new(), Vec::new());
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let bytes = arg.as_bytes();
        if bytes == b"--" {
            operands.extend(rest.by_ref().cloned());
            break;
        }
        if bytes.len() < 2 || bytes.first() != Some(&b'-') {
            operands.push(arg.clone());
            continue;
        }
        let second = bytes.get(1).copied().unwrap_or_default();
        let long = second == b'-' || bytes.len() > 2 || letter(second).is_none();
        let (prefix, name) = bytes.split_at(if second == b'-' { 2 } else { 1 });
        let read = if long { long_option(prefix, name, &mut rest) } else { None };
        match read {
            Some(word) => words.push(word),
            None => short_options(&bytes[1..], &mut rest, &mut words),
        }
    }
    words.into_iter().chain(operands.into_iter().map(Word::Operand)).collect()
}

/// Reads a long option; `None` if the word is to be read as letters.
fn long_option<'a>(
    prefix: &[u8],
    text: &[u8],
    rest: &mut impl Iterator<Item = &'a OsString>,
) -> Option<Word> {
    let end = text.iter().position(|c| *c == b'=').unwrap_or(text.len());
    let (name, value) = (&text[..end], text.get(end + 1..));
    let dashed = |name: &str| format!("{}{name}", shown(prefix));
    let known = || OPTIONS.into_iter().filter(|(_, long, _)| !long.is_empty());
    let begin: Vec<Declared> = known().filter(|(_, long, _)| long.as_bytes().starts_with(name)).collect();
    let exact = known().find(|(_, long, _)| long.as_bytes() == name);
    let (c, long, takes) = match (exact, begin.as_slice()) {
        (Some(found), _) => found,
        (None, [found]) => *found,
        (None, []) => {
            let as_letters = prefix == b"-" && text.first().is_some_and(|c| letter(*c).is_some());
            let unknown = Word::Fault(OptionFault::Unrecognized(dashed(&shown(text))));
            return (!as_letters).then_some(unknown);
        }
        (None, several) => {
            let names = several.iter().map(|(_, long, _)| dashed(long)).collect();
            return Some(Word::Fault(OptionFault::Ambiguous(dashed(&shown(text)), names)));
        }
    };
    Some(match (takes, value) {
        (Takes::Nothing, Some(_)) => Word::Fault(OptionFault::NoValueAllowed(dashed(long))),
        (Takes::Nothing, None) | (Takes::Optional, None) => Word::Option(c, None),
        (_, Some(value)) => Word::Option(c, Some(owned(value))),
        (Takes::Value, None) => match rest.next() {
            Some(next) => Word::Option(c, Some(next.clone())),
            None => Word::Fault(OptionFault::ValueMissing(dashed(long))),
        },
    })
}

fn short_options<'a>(letters: &[u8], rest: &mut impl Iterator<Item = &'a OsString>, words: &mut Vec<Word>) {
    for (at, c) in letters.iter().enumerate() {
        let behind = letters.get(at + 1..).unwrap_or_default();
        match letter(*c) {
            None => {
                words.push(Word::Fault(OptionFault::Invalid(shown(&[*c]))));
                return;
            }
            Some((c, _, Takes::Nothing)) => words.push(Word::Option(c, None)),
            Some((c, _, Takes::Optional)) => {
                words.push(Word::Option(c, (!behind.is_empty()).then(|| owned(behind))));
                return;
            }
            Some((c, _, Takes::Value)) => {
                let value = if behind.is_empty() { rest.next().cloned() } else { Some(owned(behind)) };
                words.push(match value {
                    Some(value) => Word::Option(c, Some(value)),
                    None => Word::Fault(OptionFault::LetterValueMissing(shown(&[c]))),
                });
                return;
            }
        }
    }
}
