//! Typed value of an option, and its text form.

use crate::byte_pattern::BytePattern;
use crate::unit::{self, Size};
use std::fmt;

/// Value of an option after reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Value of [`Kind::Flag`] or [`Kind::Bool`].
    Bool(bool),
    /// Value of [`Kind::Int`] or [`Kind::CpuMask`].
    Int(i64),
    /// Value of [`Kind::Ints`] for reads, writes and trims; `None` leaves the default.
    Ints([Option<i64>; 3]),
    /// Value of [`Kind::Ranges`], in bytes, for reads, writes and trims; `None` leaves the default.
    Ranges([Option<(u64, u64)>; 3]),
    /// Value of [`Kind::Range`]: smallest and largest number of bytes.
    Range(u64, u64),
    /// Value of [`Kind::Size`].
    Size(Size),
    /// Value of [`Kind::Time`], in nanoseconds.
    Time(u64),
    /// Value of [`Kind::Times`]: shortest and longest time, in nanoseconds.
    Times(u64, u64),
    /// Value of [`Kind::Choice`]: the name, and the text after a colon, if any.
    Choice(&'static str, Option<String>),
    /// Value of [`Kind::Floats`].
    Floats(Vec<f64>),
    /// Value of [`Kind::Cpus`]: numbers of the CPUs.
    Cpus(Vec<u32>),
    /// Value of [`Kind::Paths`] or [`Kind::Directories`].
    Paths(Vec<String>),
    /// Value of [`Kind::Text`].
    Text(String),
    /// Value of [`Kind::Pattern`].
    Pattern(BytePattern),
}

fn join<T>(f: &mut fmt::Formatter<'_>, items: &[T], by: &str, show: impl Fn(&T) -> String) -> fmt::Result {
    f.write_str(&items.iter().map(show).collect::<Vec<_>>().join(by))
}

impl fmt::Display for Value {
    /// Writes the value as a user would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |(low, high): (u64, u64)| format!("{}-{}", unit::size(low), unit::size(high));
        match self {
            Value::Bool(on) => write!(f, "{}", u8::from(*on)),
            Value::Int(n) => write!(f, "{n}"),
            Value::Ints(list) => join(f, list, ",", |n| n.map(|n| n.to_string()).unwrap_or_default()),
            Value::Ranges(list) => join(f, list, ",", |r| r.map(range).unwrap_or_default()),
            Value::Range(low, high) => f.write_str(&range((*low, *high))),
            Value::Size(Size::Bytes(n)) => f.write_str(&unit::size(*n)),
            Value::Size(Size::Percent(n)) => write!(f, "{n}%"),
            Value::Time(n) => f.write_str(&unit::duration(*n)),
            Value::Times(a, b) => write!(f, "{}-{}", unit::duration(*a), unit::duration(*b)),
            Value::Choice(name, None) => f.write_str(name),
            Value::Choice(name, Some(tail)) => write!(f, "{name}:{tail}"),
            Value::Floats(list) => join(f, list, ":", f64::to_string),
            Value::Cpus(list) => join(f, list, ",", u32::to_string),
            Value::Paths(list) => join(f, list, ":", |path| path.replace(':', "\\:")),
            Value::Text(text) => f.write_str(text),
            Value::Pattern(pattern) => f.write_str(&pattern.text),
        }
    }
}
