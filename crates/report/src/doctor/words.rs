//! English for each fact.

mod device;
mod host;
mod place;

use stats::doctor::*;

/// What is said of one line. Reason and advice are shown where the fact is more than fine.
pub(super) struct Words {
    pub fact: String,
    pub why: String,
    pub act: String,
}

fn say(fact: impl Into<String>, why: impl Into<String>, act: impl Into<String>) -> Words {
    Words { fact: fact.into(), why: why.into(), act: act.into() }
}

/// Sizes that are powers of two, exact: `4096 bytes`, `64 KiB`, `1 MiB`.
fn exact(n: u64) -> String {
    match n {
        n if n >= 1 << 30 && n.is_multiple_of(1 << 30) => format!("{} GiB", n >> 30),
        n if n >= 1 << 20 && n.is_multiple_of(1 << 20) => format!("{} MiB", n >> 20),
        n if n > 4096 && n.is_multiple_of(1024) => format!("{} KiB", n >> 10),
        n => format!("{n} bytes"),
    }
}

fn errno(n: i32) -> String {
    match n {
        1 => "not permitted".into(),
        11 => "no room left".into(),
        12 => "no memory that may be locked".into(),
        13 => "permission denied".into(),
        38 => "the kernel has it not".into(),
        n => format!("errno {n}"),
    }
}

pub(super) fn of(line: &Line) -> Words {
    match line.topic {
        Topic::Alignment => place::alignment(&line.fact),
        Topic::Ground => place::ground(line),
        Topic::Queue => device::queue(&line.fact),
        Topic::BlockSize => device::block_size(&line.fact),
        Topic::Device => device::device(line),
        Topic::Load => host::load(&line.fact),
        Topic::Limits => host::limits(&line.fact),
        Topic::Host => host::host(line),
    }
}

/// A fact in a topic that is not its own: shown as data rather than not at all.
fn raw(fact: &Fact) -> Words {
    say(serde_json::to_string(fact).unwrap_or_default(), "", "")
}
