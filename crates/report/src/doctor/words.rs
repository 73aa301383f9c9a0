//! Texts for each fact of a diagnosis.

mod device;
mod host;
mod network;
mod place;

use crate::Lang;
use crate::catalog::{say, word};
use stats::doctor::*;

/// Text of a fact, its reason and its advice. Reason and advice are shown if the severity is above `Fine`.
pub(super) struct Words {
    pub fact: String,
    pub why: String,
    pub act: String,
}

/// Returns the message of this key as the fact, that of `KEY-why` as the reason and that of `KEY-do` as the advice:
/// `advised!(lang, KEY, variable, other = expression)`.
macro_rules! advised {
    ($lang:expr, $key:literal $($variables:tt)*) => {
        $crate::doctor::words::told(
            $crate::catalog::say!($lang, $key $($variables)*),
            $crate::catalog::plain($lang, concat!($key, "-why")),
            $crate::catalog::plain($lang, concat!($key, "-do")),
        )
    };
}
use advised;

fn told(fact: impl Into<String>, why: impl Into<String>, act: impl Into<String>) -> Words {
    Words { fact: fact.into(), why: why.into(), act: act.into() }
}

/// Returns a size with an exact binary unit: `4096 bytes`, `64 KiB`, `1 MiB`.
fn exact(lang: Lang, n: u64) -> String {
    match n {
        n if n >= 1 << 30 && n.is_multiple_of(1 << 30) => format!("{} GiB", n >> 30),
        n if n >= 1 << 20 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n > 4096 && n.is_multiple_of(1024) => format!("{} KiB", n >> 10),
        n => say!(lang, "doctor-exact", n),
    }
}

fn errno(lang: Lang, n: i32) -> String {
    match n {
        1 => word!(lang, "doctor-errno-not-permitted").into(),
        11 => word!(lang, "doctor-errno-no-free-slot").into(),
        12 => word!(lang, "doctor-errno-memlock").into(),
        13 => word!(lang, "doctor-errno-permission-denied").into(),
        38 => word!(lang, "doctor-errno-not-supported").into(),
        n => format!("errno {n}"),
    }
}

pub(super) fn of(lang: Lang, line: &Line) -> Words {
    match line.topic {
        Topic::Alignment => place::alignment(lang, &line.fact),
        Topic::Ground => place::ground(lang, line),
        Topic::Queue => device::queue(lang, &line.fact),
        Topic::BlockSize => device::block_size(lang, &line.fact),
        Topic::Device => device::device(lang, line),
        Topic::Network => network::network(lang, line),
        Topic::Load => host::load(lang, &line.fact),
        Topic::Limits => host::limits(lang, &line.fact),
        Topic::Host => host::host(lang, line),
    }
}

/// Returns a fact as data, so that a fact in an unexpected topic is still shown.
fn raw(fact: &Fact) -> Words {
    told(serde_json::to_string(fact).unwrap_or_default(), "", "")
}
