//! The English text about values, until the messages of sections are data that `report` puts into words.

use crate::bad_value::*;
use crate::choice::{built_names, valid_values};
use crate::unit::NotANumber;
use stats::plan_error::PathFault;

/// fio's lines about a value, and ours.
#[derive(Default)]
pub(crate) struct ValueText {
    /// fio's lines on standard output.
    pub fio_stdout: String,
    /// fio's lines on standard error.
    pub fio_stderr: String,
    /// Why the value is refused and what would be right.
    pub ours: String,
}

/// Returns the text about a value.
pub(crate) fn value_text(bad: &BadValue) -> ValueText {
    let fio = fio_lines(bad);
    ValueText { fio_stdout: fio.stdout, fio_stderr: fio.stderr, ours: ours(bad) }
}

#[derive(Default)]
struct ValueLines {
    stdout: String,
    stderr: String,
}

/// Returns why a value is refused and what would be right.
fn ours(bad: &BadValue) -> String {
    match bad {
        BadValue::Missing { option, example } => format!("needs a value, e.g. {option}={example}"),
        BadValue::NoPath { option, example } => format!("needs a name, e.g. {option}={example}"),
        BadValue::Needs { what, example } => needs(*what, example),
        BadValue::NotANumber { why, example } => {
            let why = match why {
                NotANumber::NoDigits => "not a number",
                NotANumber::TooLarge => "beyond 9223372036854775807, the largest number",
            };
            format!("{why}; right would be e.g. {example}")
        }
        BadValue::Malformed { text, what, example } => match what {
            Item::Cpu => format!("`{text}` is no CPU; right would be e.g. {example}"),
            Item::Skip => {
                format!("`{text}` is no number of bytes or zones; right would be e.g. {example} or 2z")
            }
            Item::LawParameter(_) => format!("`{text}` is no number; right would be e.g. {example}"),
            Item::Zone => format!("`{text}` is no zone; right would be e.g. {example}"),
            Item::BlockSize => format!("`{text}` has no size; right would be e.g. {example}"),
        },
        BadValue::ForeignUnit { unit, example } => {
            let why = match unit {
                ForeignUnit::Percent => "takes no percentage",
                ForeignUnit::Zones => "cannot be given in zones (z)",
            };
            format!("{why}; right would be e.g. {example}")
        }
        BadValue::OutOfRange { value, min, .. } if value < min => {
            format!("must be at least {least}", least = min)
        }
        BadValue::OutOfRange { max, .. } => format!("must be at most {most}", most = max),
        BadValue::FloatOutOfRange { value, .. } if *value < 0.0 => "each must be at least 0".into(),
        BadValue::FloatOutOfRange { max, .. } => format!("each must be at most {most}", most = max),
        BadValue::NotAFloat { .. } => "needs numbers separated by `:`, e.g. 50:99:99.9".into(),
        BadValue::TooMany { what: Listed::Numbers, most, given } => {
            format!("at most {most} numbers, got {given}")
        }
        BadValue::TooMany { what: Listed::Blocks, most, given } => {
            format!("at most {most} blocks, got {given}")
        }
        BadValue::PercentOfSize => "percent must be 1 to 100".into(),
        BadValue::BlockSize { bytes, most } => {
            format!("a block of {bytes} bytes; must be 1 to {most}", bytes = bytes)
        }
        BadValue::NoDirectory { path } => format!("{path} must be a directory that is there"),
        BadValue::NoSuchChoice { choices, near } => {
            let names = built_names(choices);
            match near {
                None => format!("must be one of {names}"),
                Some(near) => format!("must be one of {names}; did you mean {near}?"),
            }
        }
        BadValue::NotBuilt(NotBuilt::Choice(choices)) => {
            format!("not built yet; must be one of {names}", names = built_names(choices))
        }
        BadValue::NotBuilt(NotBuilt::SizeInZones) => "not built yet; sizes in zones".into(),
        BadValue::NoSuchCpu { last, .. } => format!("CPUs here are 0 to {last}"),
        BadValue::Law(fault) => law(fault).into(),
        BadValue::SyncRangeFlag { flags } => {
            format!(
                "must be {names}, joined by commas, and after how many writes, e.g. write:8",
                names = built_names(flags)
            )
        }
        BadValue::TooManyErrorLists => "three lists at most: reads, writes, verification".into(),
        BadValue::UnknownErrno { .. } => {
            "needs names from EPERM to ERANGE or numbers, e.g. EIO:ENOSPC,EIO:28".into()
        }
        BadValue::Model(fault) => model(fault),
        BadValue::Nodes { .. } => {
            "must be NUMA nodes of this machine like 0,2-3, or all (see /sys/devices/system/node)".into()
        }
        BadValue::Policy(_) => "must be default, local, prefer:NODE, bind:NODES or interleave:NODES".into(),
        BadValue::Pattern(fault) => pattern(fault),
        BadValue::PriorityEntry { text } => format!(
            "`{text}`: right would be e.g. 4k/50 or 4k/50/1/3 (size, percent, class, level), with a hint 4k/50/1/3/2"
        ),
        BadValue::PrioritySum { bytes, percent } => {
            format!("{percent} percent of the I/Os of {bytes} bytes", bytes = bytes)
        }
        BadValue::Removed { instead, .. } => format!("use {instead}"),
        BadValue::WrongRow => "the option table is wrong here; please report it".into(),
    }
}

fn needs(what: Needed, example: &str) -> String {
    match what {
        Needed::Number => format!("needs a number, e.g. {example}"),
        Needed::Range => format!("needs a range, e.g. {example}"),
        Needed::Times => format!("needs a time, or one each for reads, writes, trims, e.g. {example}"),
        Needed::BlockSizes => format!("names no size; right would be e.g. {example}"),
        Needed::Cpus => format!("names no CPU; right would be e.g. {example}"),
        Needed::SequenceBlocks => format!("must list numbers of blocks, e.g. {example}"),
    }
}

fn law(fault: &LawFault) -> &'static str {
    match fault {
        LawFault::NoZones { .. } => "must name zones, e.g. zoned:60/10:40/90",
        LawFault::ThetaIsOne(_) => "theta may be any number but 1, e.g. zipf:1.2",
        LawFault::ParetoInput => "must lie between 0 and 1, e.g. pareto:0.2",
        LawFault::Deviation => "the deviation is a percentage below 100, e.g. normal:20",
        LawFault::Centre => "the center must be 0 to 1",
        LawFault::ZonesPerDirection => "zones per direction: not built yet (fio 3.33 refuses them too)",
        LawFault::ZonePercents => "percents must add up to 100, e.g. 60/10:40/90",
        LawFault::AccessPercents { .. } => "percents of access must add up to 100, e.g. 60/10:40/90",
    }
}

fn model(fault: &ModelFault) -> String {
    match fault {
        ModelFault::Law => "must be constant:T, uniform:A-B, exponential:MEAN or mixture:PERCENT/T:PERCENT/T:..., e.g. mixture:90/10ms:10/100ms".into(),
        ModelFault::MixturePercents { sum } => format!("percents must add up to 100, not {sum}", sum = sum),
        ModelFault::Burst => "must be IOS:IOS_PER_SECOND, both at least 1, e.g. 5000:100".into(),
        ModelFault::Cache => "must be BYTES:BYTES_PER_SECOND or BYTES:BYTES_PER_SECOND:TIME, e.g. 1g:200m:50us".into(),
        ModelFault::Cliff => "must be BYTES:FACTOR, the factor above 0 and at most 1000000, e.g. 10g:4".into(),
        ModelFault::Step => "must be TIME:SHARE, the share from 0.001 to 1000, e.g. 60s:0.4".into(),
        ModelFault::Stall => "must be EVERY:FOR, the second shorter than the first, e.g. 5s:200ms".into(),
        ModelFault::Disk => "must be FULL_SEEK:ROTATION, behind them QUEUE and BYTES if wanted, e.g. 16ms:8300us:32:1t".into(),
        ModelFault::Hit => "must be PERCENT:TIME, e.g. 30:20us".into(),
    }
}

fn pattern(fault: &PatternFault) -> String {
    let why = match fault {
        PatternFault::Empty => return "the pattern is empty (fio aborts here)".into(),
        PatternFault::Unclosed(mark) => format!("a {mark} is missing"),
        PatternFault::TooLong { most } => format!("a pattern has at most {most} bytes"),
        PatternFault::File { path, fault } => {
            format!("cannot read {path}: {why}", why = path_words(fault))
        }
        PatternFault::NoHexDigits => "0x needs digits".into(),
        PatternFault::NotAPattern { text } => format!("`{text}` is no pattern"),
        PatternFault::NumberTooLarge { text } => format!("`{text}` has more than 32 bits"),
    };
    format!("{why}; right would be e.g. 0xdeadface, \"text\", -12, 'file', or several joined")
}

fn path_words(fault: &PathFault) -> String {
    match fault {
        PathFault::Errno(errno) => std::io::Error::from_raw_os_error(*errno).to_string(),
        PathFault::Other(text) => text.clone(),
        other => format!("{other:?}"),
    }
}

fn fio_lines(bad: &BadValue) -> ValueLines {
    let out = |stdout: String| ValueLines { stdout, ..ValueLines::default() };
    let line = |stderr: String| ValueLines { stderr: stderr + "\n", ..ValueLines::default() };
    match bad {
        BadValue::Missing { option, .. } => line(format!("Option {option} requires an argument")),
        BadValue::OutOfRange { option, value, min, max } => {
            let lead = option.map(|option| format!("{option}: ")).unwrap_or_default();
            // fio keeps a value with this bound in 32 bits, where one that is too large comes out below zero.
            if value < min || *max == i64::from(i32::MAX) {
                line(format!("{lead}min value out of range: {value} ({min} min)"))
            } else {
                line(format!("{lead}max value out of range: {value} ({max} max)"))
            }
        }
        BadValue::FloatOutOfRange { value, max } if value > max => {
            line(format!("value out of range: {value:.6} (range max: {max:.6})"))
        }
        BadValue::FloatOutOfRange { value, .. } => {
            line(format!("value out of range: {value:.6} (range min: {:.6})", 0.0))
        }
        BadValue::NotAFloat { text } => line(format!("not a floating point value: {text}")),
        BadValue::Malformed { what: Item::LawParameter(Drawn::Offsets), .. } => {
            line("fio: random postfix parsing failed".into())
        }
        // fio ends this one without a line feed.
        BadValue::Malformed { what: Item::LawParameter(Drawn::Files), .. } => ValueLines {
            stderr: "fio: file service type random postfix parsing failed".into(),
            ..ValueLines::default()
        },
        BadValue::Malformed { what: Item::Zone | Item::BlockSize, .. } => {
            line("fio: split conversion failed".into())
        }
        BadValue::NoDirectory { path } => line(format!("fio: {path} is not a directory")),
        BadValue::NoSuchChoice { choices, .. } | BadValue::SyncRangeFlag { flags: choices } => {
            out(valid_values(choices))
        }
        BadValue::NoSuchCpu { cpu, last } => line(format!("fio: CPU {cpu} too large (max={last})")),
        BadValue::Law(fault) => match fault {
            LawFault::NoZones { law } => line(format!("fio: mismatch in zoned input <{law}>")),
            LawFault::ThetaIsOne(Drawn::Offsets) => line("fio: zipf theta must different than 1.0".into()),
            LawFault::ThetaIsOne(Drawn::Files) => line("fio: zipf theta must be different than 1.0".into()),
            LawFault::ParetoInput => line("fio: pareto input out of range (0 < input < 1.0)".into()),
            LawFault::Deviation => line("fio: normal deviation out of range (0 <= input < 100.0)".into()),
            LawFault::Centre => line("fio: distribution center out of range (0 <= center <= 1.0)".into()),
            LawFault::ZonesPerDirection => ValueLines::default(),
            LawFault::ZonePercents => line("fio: zone_split percentages add to more than 100%".into()),
            LawFault::AccessPercents { sum } => line(format!(
                "fio: access percentage don't add up to 100 for zoned random distribution (got={sum})"
            )),
        },
        BadValue::TooManyErrorLists => line("Illegal error type".into()),
        BadValue::UnknownErrno { name } => line(format!("Unknown error {name}, please use number value")),
        BadValue::Nodes { of, fault } => {
            let place = match of {
                NodesOf::Cpus => "options.c:803, func=str_numa_cpunodes_cb",
                NodesOf::Memory => "options.c:902, func=str_numa_memnodes_cb",
            };
            let warning =
                libnuma(fault).map(|why| format!("libnuma: Warning: {why}\n\n")).unwrap_or_default();
            ValueLines {
                stdout: format!("fio: file:{place}, error=Operation not permitted\n"),
                ..line(format!("{warning}fio: numa_parse_nodestring failed"))
            }
        }
        BadValue::Policy(fault) => line(match fault {
            PolicyFault::TakesNoNodes => "fio: NO nodelist for 'local'".into(),
            PolicyFault::NeedsNode => "fio: one node is needed for 'prefer'".into(),
            PolicyFault::NeedsOneNode => "fio: one node only for 'prefer'".into(),
            PolicyFault::NeedsNodes { policy } => format!("fio: a nodelist is needed for '{policy}'"),
            PolicyFault::Unknown => {
                "fio: memory policy should be: default, prefer, bind, interleave, local".into()
            }
        }),
        BadValue::PriorityEntry { .. } => {
            line("fio: split conversion failed\nfio: failed to parse cmdprio_bssplit entry".into())
        }
        BadValue::PrioritySum { bytes, .. } => {
            line(format!("fio: cmdprio_bssplit total percentage for bs: {bytes} exceeds 100"))
        }
        BadValue::Removed { option, .. } => out(format!("Option {option} is deprecated\n")),
        BadValue::NoPath { .. }
        | BadValue::Needs { .. }
        | BadValue::NotANumber { .. }
        | BadValue::Malformed { what: Item::Cpu | Item::Skip, .. }
        | BadValue::ForeignUnit { .. }
        | BadValue::TooMany { .. }
        | BadValue::PercentOfSize
        | BadValue::BlockSize { .. }
        | BadValue::NotBuilt(_)
        | BadValue::Model(_)
        | BadValue::Pattern(_)
        | BadValue::WrongRow => ValueLines::default(),
    }
}

/// Returns libnuma's words about a list of nodes; it has none for text behind a number.
fn libnuma(fault: &NodeFault) -> Option<String> {
    match fault {
        NodeFault::TextBehind => None,
        NodeFault::Unparseable { text } => Some(format!("unparseable node description `{text}'")),
        NodeFault::NoLast { text } => Some(format!("missing node argument {text}")),
        NodeFault::RangeBeyond { last } => Some(format!("node argument {last} out of range")),
        NodeFault::NoNode { node, in_range: true } => Some(format!("node argument {node} out of range")),
        NodeFault::NoNode { node, in_range: false } => Some(format!("node argument {node} is out of range")),
    }
}
