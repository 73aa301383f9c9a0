//! Typed value of an option, and its text form.

use crate::byte_pattern::BytePattern;
use crate::unit::{self, Size};
use std::fmt;

/// Value of an option after reading.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Value of `option::Kind::Flag` or `option::Kind::Bool`.
    Bool(bool),
    /// Value of `option::Kind::Int` or `option::Kind::CpuMask`.
    Int(i64),
    /// Value of `option::Kind::Ints` for reads, writes and trims; `None` leaves the default.
    Ints([Option<i64>; 3]),
    /// Value of `option::Kind::Ranges`, in bytes, for reads, writes and trims; `None` leaves the default.
    Ranges([Option<(u64, u64)>; 3]),
    /// Value of `option::Kind::Range`: smallest and largest number of bytes.
    Range(u64, u64),
    /// Value of `option::Kind::Size`.
    Size(Size),
    /// Value of `option::Kind::Time`, in nanoseconds.
    Time(u64),
    /// Value of `option::Kind::Times`: shortest and longest time, in nanoseconds.
    Times(u64, u64),
    /// Value of `option::Kind::Choice`: the name, and the text after a colon, if any.
    Choice(&'static str, Option<String>),
    /// Value of `option::Kind::Floats`.
    Floats(Vec<f64>),
    /// Value of `option::Kind::Cpus`: numbers of the CPUs.
    Cpus(Vec<u32>),
    /// Value of `option::Kind::Paths` or `option::Kind::Directories`.
    Paths(Vec<String>),
    /// Value of `option::Kind::Text`.
    Text(String),
    /// Value of `option::Kind::Pattern`.
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
