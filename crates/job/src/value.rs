//! The value of an option, and its text.

use crate::byte_pattern::BytePattern;
use crate::unit::{self, Size};
use std::fmt;

/// A value that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// [`Kind::Flag`], [`Kind::Bool`].
    Bool(bool),
    /// [`Kind::Int`].
    Int(i64),
    /// [`Kind::Ints`]; `None` = stays at its default.
    Ints([Option<i64>; 3]),
    /// [`Kind::Ranges`].
    Ranges([Option<(u64, u64)>; 3]),
    /// [`Kind::Range`].
    Range(u64, u64),
    /// [`Kind::Size`].
    Size(Size),
    /// [`Kind::Time`], nanoseconds.
    Time(u64),
    /// [`Kind::Times`], nanoseconds.
    Times(u64, u64),
    /// [`Kind::Choice`].
    Choice(&'static str, Option<String>),
    /// [`Kind::Floats`].
    Floats(Vec<f64>),
    /// [`Kind::Cpus`].
    Cpus(Vec<u32>),
    /// [`Kind::Paths`] and [`Kind::Directories`].
    Paths(Vec<String>),
    /// [`Kind::Text`].
    Text(String),
    /// [`Kind::Pattern`].
    Pattern(BytePattern),
}

fn join<T>(f: &mut fmt::Formatter<'_>, items: &[T], by: &str, show: impl Fn(&T) -> String) -> fmt::Result {
    f.write_str(&items.iter().map(show).collect::<Vec<_>>().join(by))
}

impl fmt::Display for Value {
    /// As one would type it.
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
