//! Conversion of a text to a value of an option's kind.

use crate::bad_value::{BadValue, ForeignUnit, Item, Listed, Needed, NotBuilt};
use crate::byte_pattern;
use crate::choice::Choice;
use crate::files::Files;
use crate::numa;
use crate::option::{Kind, Opt};
use crate::unit::{self, NotANumber, Number, Size};
use crate::value::Value;

/// Context of the reading of a value.
pub struct Reading<'a> {
    /// `kb_base` of the section: 1024 or 1000.
    pub kb_base: u32,
    /// Whether `--parse-only` was given: values that depend on the machine are not checked, as in fio.
    pub parse_only: bool,
    /// Access to the machine's files, directories and CPUs.
    pub files: &'a mut dyn Files,
}

/// Value, and the rest of the text that was not examined.
type Read<'t> = Result<(Value, &'t str), BadValue>;

impl Opt {
    /// Returns the value of the option in `text`, and the text after a number, which fio does not examine either.
    ///
    /// # Errors
    /// The value is not of this kind or out of bounds.
    pub fn read<'t>(&self, text: Option<&'t str>, with: &mut Reading<'_>) -> Read<'t> {
        let Some(text) = text else {
            return match self.kind {
                Kind::Flag => Ok((Value::Bool(true), "")),
                Kind::Prefix => Ok((Value::Text(String::new()), "")),
                Kind::Choice { choices, .. } => Err(BadValue::NoSuchChoice { choices, near: None }),
                _ => Err(BadValue::Missing { option: self.name, example: self.example }),
            };
        };
        match self.kind {
            Kind::Text | Kind::Prefix => Ok((Value::Text(text.to_owned()), "")),
            Kind::Pattern => Ok((Value::Pattern(byte_pattern::read(text, false, with.files)?), "")),
            Kind::OffsetPattern => Ok((Value::Pattern(byte_pattern::read(text, true, with.files)?), "")),
            Kind::Paths | Kind::Directories if text.is_empty() => {
                Err(BadValue::NoPath { option: self.name, example: self.example })
            }
            Kind::Paths => Ok((Value::Paths(paths(text)), "")),
            Kind::Directories => directories(text, with),
            Kind::Flag => {
                number(text, with.kb_base, self.example).map(|n| (Value::Bool(n.value != 0), n.rest))
            }
            Kind::Bool => {
                // fio accepts no units here: `1m` is 1.
                let body = text.trim_start().trim_start_matches(['-', '+']);
                let hex = body.starts_with("0x") || body.starts_with("0X");
                let end = body.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0 && !hex);
                let rest = end.map_or("", |end| &body[end..]);
                let n = number(&text[..text.len() - rest.len()], with.kb_base, "0 or 1")?;
                within(None, n.value, 0, 1)?;
                Ok((Value::Bool(n.value != 0), if rest.is_empty() { n.rest } else { rest }))
            }
            Kind::Int { min, max } => {
                let n = number(text, with.kb_base, self.example)?;
                if min > 0 && n.rest.starts_with('%') {
                    return Err(BadValue::ForeignUnit { unit: ForeignUnit::Percent, example: self.example });
                }
                no_zones(&n, self.example)?;
                within(Some(self.name), n.value, min, max)?;
                Ok((Value::Int(n.value), n.rest))
            }
            Kind::Ints { min, max } => self.ints(text, with.kb_base, min, max),
            Kind::Ranges => self.ranges(text, with.kb_base),
            Kind::Range => {
                self.range(text, with.kb_base).map(|(low, high, rest)| (Value::Range(low, high), rest))
            }
            Kind::Size => self.size(text, with.kb_base),
            Kind::Time { unit } => {
                let n = nanos(unit::time(text, unit), self.example)?;
                no_zones(&n, self.example)?;
                Ok((Value::Time(n.value as u64), n.rest))
            }
            Kind::Times => {
                let (low, high) = text.split_once('-').unwrap_or((text, text));
                let second = stats::unit::SECOND;
                let (low, high) = (
                    nanos(unit::time(low, second), self.example)?,
                    nanos(unit::time(high, second), self.example)?,
                );
                let (a, b) = (low.value as u64, high.value as u64);
                Ok((Value::Times(a.min(b), a.max(b)), high.rest))
            }
            Kind::Choice { choices, tail } => choose(text, choices, tail),
            Kind::Floats { max, count } => floats(text, max, count),
            Kind::Cpus => cpus(text, with),
            Kind::CpuMask => {
                let n = number(text, with.kb_base, self.example)?;
                within(Some(self.name), n.value, 0, i64::from(u32::MAX))?;
                let last = with.files.ncpus().saturating_sub(1);
                match (0..32).find(|cpu| n.value >> cpu & 1 == 1 && *cpu > last) {
                    Some(cpu) if !with.parse_only => Err(BadValue::NoSuchCpu { cpu, last }),
                    _ => Ok((Value::Int(n.value), n.rest)),
                }
            }
            // With --parse-only, fio checks neither.
            Kind::Nodes { policy } if !with.parse_only => {
                numa::check(text, policy, with.files)?;
                Ok((Value::Text(text.into()), ""))
            }
            Kind::Nodes { .. } => Ok((Value::Text(text.into()), "")),
        }
    }

    fn ints<'t>(&self, text: &'t str, kb_base: u32, min: i64, max: i64) -> Read<'t> {
        let mut list = [None; 3];
        let mut rest = "";
        // fio reads `4k-8k` as `4k,8k` here; a leading dash is a sign.
        let minus = text.len() - text.trim_start().trim_start_matches('-').len();
        let comma = |(at, c): (usize, char)| c == ',' || (c == '-' && at >= minus);
        let cuts: Vec<usize> = text.char_indices().filter(|cut| comma(*cut)).map(|(at, _)| at).collect();
        let from = [0].into_iter().chain(cuts.iter().map(|cut| cut + 1));
        let parts: Vec<&str> =
            from.zip(cuts.iter().copied().chain([text.len()])).map(|(a, b)| &text[a..b]).collect();
        for (at, part) in parts.iter().take(3).enumerate() {
            if !part.is_empty() {
                let n = number(part, kb_base, self.example)?;
                no_zones(&n, self.example)?;
                within(Some(self.name), n.value, min, max)?;
                (list[at], rest) = (Some(n.value), n.rest);
            }
        }
        if list == [None; 3] {
            return Err(BadValue::Needs { what: Needed::Number, example: self.example });
        }
        spread(&mut list, parts.len());
        Ok((Value::Ints(list), rest))
    }

    fn ranges<'t>(&self, text: &'t str, kb_base: u32) -> Read<'t> {
        let mut list = [None; 3];
        let parts: Vec<&str> = text.split(',').collect();
        for (at, part) in parts.iter().take(3).enumerate() {
            if !part.is_empty() {
                if !part.contains(['-', ':']) {
                    return Err(BadValue::Needs { what: Needed::Range, example: self.example });
                }
                let (low, high, _) = self.range(part, kb_base)?;
                list[at] = Some((low, high));
            }
        }
        if list == [None; 3] {
            return Err(BadValue::Needs { what: Needed::Range, example: self.example });
        }
        spread(&mut list, parts.len());
        Ok((Value::Ranges(list), ""))
    }

    fn range<'t>(&self, text: &'t str, kb_base: u32) -> Result<(u64, u64, &'t str), BadValue> {
        let (low, high) = text.split_once(['-', ':']).unwrap_or((text, text));
        let (low, high) = (number(low, kb_base, self.example)?, number(high, kb_base, self.example)?);
        let (a, b) = (low.value as u64, high.value as u64);
        Ok((a.min(b), a.max(b), high.rest))
    }

    fn size<'t>(&self, text: &'t str, kb_base: u32) -> Read<'t> {
        let text = last_of_list(text);
        let n = number(text, kb_base, self.example)?;
        match n.rest.strip_prefix('%') {
            Some(rest) if (0..=100).contains(&n.value) => {
                Ok((Value::Size(Size::Percent(n.value as u8)), rest))
            }
            Some(_) => Err(BadValue::PercentOfSize),
            None if n.rest.starts_with('z') => Err(BadValue::NotBuilt(NotBuilt::SizeInZones)),
            None => Ok((Value::Size(Size::Bytes(n.value as u64)), n.rest)),
        }
    }
}

/// Returns the last number of a list (`4k-16k`, `1,2`), which fio uses where a single number is expected.
fn last_of_list(text: &str) -> &str {
    // A dash at the beginning is a sign.
    let sign = text.len() - text.trim_start().trim_start_matches('-').len();
    let behind = text[sign..].rfind([',', ':', '-']).map_or(0, |at| sign + at + 1);
    if text[behind..].trim().is_empty() { text } else { &text[behind..] }
}

/// Refuses a number of zones (`8z`), which only options of sizes and offsets may have.
fn no_zones(n: &Number<'_>, example: &'static str) -> Result<(), BadValue> {
    if n.rest.starts_with(['z', 'Z']) {
        return Err(BadValue::ForeignUnit { unit: ForeignUnit::Zones, example });
    }
    Ok(())
}

/// Fills missing values at the end of a list with the value before them; a comma leaves a value unset.
fn spread<T: Copy>(list: &mut [Option<T>; 3], typed: usize) {
    for at in typed.max(1)..3 {
        list[at] = list[at - 1];
    }
}

fn number<'t>(text: &'t str, kb_base: u32, example: &'static str) -> Result<Number<'t>, BadValue> {
    nanos(unit::integer(text, kb_base), example)
}

fn nanos<'t>(read: Result<Number<'t>, NotANumber>, example: &'static str) -> Result<Number<'t>, BadValue> {
    read.map_err(|why| BadValue::NotANumber { why, example })
}

fn within(option: Option<&'static str>, value: i64, min: i64, max: i64) -> Result<(), BadValue> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(BadValue::OutOfRange { option, value, min, max }) }
}

/// Splits a list of paths at colons that are not escaped with a backslash.
pub fn paths(text: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' if letters.peek() == Some(&':') => {
                letters.next();
                list.iter_mut().last().into_iter().for_each(|path| path.push(':'));
            }
            ':' => list.push(String::new()),
            _ => list.iter_mut().last().into_iter().for_each(|path| path.push(c)),
        }
    }
    list.retain(|path| !path.is_empty());
    list
}

fn directories<'t>(text: &'t str, with: &mut Reading<'_>) -> Read<'t> {
    let list = paths(text);
    let missing = list.iter().find(|path| !with.parse_only && !with.files.is_dir(path.as_ref()));
    match missing {
        Some(path) => Err(BadValue::NoDirectory { path: path.clone() }),
        None => Ok((Value::Paths(list), "")),
    }
}

fn choose<'t>(text: &'t str, choices: &'static [Choice], tail: bool) -> Read<'t> {
    let (name, after) = match text.split_once(':') {
        Some((name, after)) if tail => (name, Some(after.to_owned())),
        _ => (text, None),
    };
    match choices.iter().find(|choice| choice.name == name) {
        // `external:PATH` names a shared object.
        None if text.starts_with("external:") && choices.iter().any(|choice| choice.name == "external") => {
            choose("external", choices, tail)
        }
        None => {
            let near = crate::suggest::nearest(
                name.trim(),
                choices.iter().filter(|choice| choice.built).map(|choice| choice.name),
            );
            Err(BadValue::NoSuchChoice { choices, near })
        }
        Some(choice) if !choice.needs.is_empty() => {
            Err(BadValue::NotBuilt(NotBuilt::Needs { what: choice.needs, choices }))
        }
        Some(choice) if !choice.built => Err(BadValue::NotBuilt(NotBuilt::Choice(choices))),
        Some(choice) => Ok((Value::Choice(choice.name, after), "")),
    }
}

fn floats<'t>(text: &'t str, max: f64, count: usize) -> Read<'t> {
    let mut list = Vec::new();
    for part in text.split(':') {
        let Some(n) = part.trim().parse::<f64>().ok().filter(|n| n.is_finite()) else {
            return Err(BadValue::NotAFloat { text: part.to_owned() });
        };
        if n > max || n < 0.0 {
            return Err(BadValue::FloatOutOfRange { value: n, max });
        }
        list.push(n);
    }
    if list.len() > count {
        return Err(BadValue::TooMany { what: Listed::Numbers, most: count, given: list.len() });
    }
    Ok((Value::Floats(list), ""))
}

/// Example of a valid list of CPUs.
const CPUS: &str = "0,2-3";

fn cpus<'t>(text: &'t str, with: &mut Reading<'_>) -> Read<'t> {
    let mut list = Vec::new();
    let last = with.files.ncpus().saturating_sub(1);
    for part in text.split([',', ':']).filter(|part| !part.trim().is_empty()) {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let read = |n: &str| {
            n.trim().parse::<u32>().map_err(|_| BadValue::Malformed {
                text: part.to_owned(),
                what: Item::Cpu,
                example: CPUS.into(),
            })
        };
        let (low, high) = (read(low)?, read(high)?);
        if !with.parse_only && high.max(low) > last {
            let cpu = high.max(low);
            return Err(BadValue::NoSuchCpu { cpu, last });
        }
        list.extend(low..=high.min(1 << 16));
    }
    list.sort_unstable();
    list.dedup();
    if list.is_empty() {
        return Err(BadValue::Needs { what: Needed::Cpus, example: CPUS });
    }
    Ok((Value::Cpus(list), ""))
}
