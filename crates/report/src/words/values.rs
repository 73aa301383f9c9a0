//! Texts for refused values of options.

use super::path_fault::path_fault;
use crate::Lang;
use crate::catalog::{say, word};
use job::bad_value::{
    AccessFault, BadValue, ForeignUnit, Item, LawFault, Listed, ModelFault, Needed, NotBuilt, PatternFault,
};
use job::option::built_names;
use job::unit::NotANumber;

/// Returns the reason why a value is refused, and the valid values.
pub fn bad_value(lang: Lang, bad: &BadValue) -> String {
    match bad {
        BadValue::Missing { option, example } => say!(lang, "values-missing", option, example),
        BadValue::NoPath { option, example } => say!(lang, "values-no-path", option, example),
        BadValue::Needs { what, example } => needs(lang, *what, example),
        BadValue::NotANumber { why, example } => {
            let why = match why {
                NotANumber::NoDigits => word!(lang, "values-no-digits"),
                NotANumber::TooLarge => word!(lang, "values-too-large"),
            };
            say!(lang, "values-right-would-be", why, example)
        }
        BadValue::Malformed { text, what, example } => match what {
            Item::Cpu => say!(lang, "values-no-cpu", text, example),
            Item::Skip => say!(lang, "values-no-skip", text, example),
            Item::LawParameter(_) => say!(lang, "values-no-number", text, example),
            Item::Zone => say!(lang, "values-no-zone", text, example),
            Item::BlockSize => say!(lang, "values-no-block-size", text, example),
            Item::WriteShare => say!(lang, "values-no-write-share", example),
        },
        BadValue::ForeignUnit { unit, example } => {
            let why = match unit {
                ForeignUnit::Percent => word!(lang, "values-takes-no-percentage"),
                ForeignUnit::Zones => word!(lang, "values-takes-no-zones"),
            };
            say!(lang, "values-right-would-be", why, example)
        }
        BadValue::OutOfRange { value, min, .. } if value < min => {
            say!(lang, "values-at-least", least = min.to_string())
        }
        BadValue::OutOfRange { max, .. } => say!(lang, "values-at-most", most = max.to_string()),
        BadValue::FloatOutOfRange { value, .. } if *value < 0.0 => {
            word!(lang, "values-each-at-least-0").into()
        }
        BadValue::FloatOutOfRange { max, .. } => say!(lang, "values-each-at-most", most = max.to_string()),
        BadValue::NotAFloat { .. } => word!(lang, "values-needs-floats").into(),
        BadValue::TooMany { what: Listed::Numbers, most, given } => {
            say!(lang, "values-too-many-numbers", most, given)
        }
        BadValue::TooMany { what: Listed::Blocks, most, given } => {
            say!(lang, "values-too-many-blocks", most, given)
        }
        BadValue::PercentOfSize => word!(lang, "values-percent-of-size").into(),
        BadValue::BlockSize { bytes, most } => {
            say!(lang, "values-block-size", bytes = bytes.to_string(), most)
        }
        BadValue::NoDirectory { path } => say!(lang, "values-no-directory", path),
        BadValue::NoSuchChoice { choices, near } => {
            let names = built_names(choices);
            match near {
                None => say!(lang, "values-one-of", names),
                Some(near) => say!(lang, "values-one-of-near", names, near),
            }
        }
        BadValue::NotBuilt(NotBuilt::Choice(choices)) => {
            say!(lang, "values-not-built", names = built_names(choices))
        }
        BadValue::NotBuilt(NotBuilt::Needs { what, choices }) => {
            say!(lang, "values-needs", what, names = built_names(choices))
        }
        BadValue::NotBuilt(NotBuilt::SizeInZones) => word!(lang, "values-not-built-zones").into(),
        BadValue::NoSuchCpu { last, .. } => say!(lang, "values-no-such-cpu", last),
        BadValue::Law(fault) => law(lang, fault).into(),
        BadValue::SyncRangeFlag { flags } => say!(lang, "values-sync-range-flag", names = built_names(flags)),
        BadValue::SkipKind { .. } => word!(lang, "values-skip-kind").into(),
        BadValue::OnePerTrace { given, traces, .. } => {
            say!(lang, "values-one-per-trace", given = *given as u64, traces = *traces as u64)
        }
        BadValue::MergePercentage => word!(lang, "values-merge-percentage").into(),
        BadValue::MergePasses => word!(lang, "values-merge-passes").into(),
        BadValue::NotAPowerOfTwo { .. } => word!(lang, "values-power-of-two").into(),
        BadValue::TooManyErrorLists => word!(lang, "values-too-many-error-lists").into(),
        BadValue::UnknownErrno { .. } => word!(lang, "values-unknown-errno").into(),
        BadValue::Model(fault) => model(lang, fault),
        BadValue::Access(AccessFault::Line(line)) => say!(lang, "values-access-line", line),
        BadValue::Access(AccessFault::TooMany) => {
            say!(lang, "values-access-too-many", most = job::access_spec::MOST_LINES)
        }
        BadValue::Access(AccessFault::Sum(sum)) => say!(lang, "values-access-sum", sum),
        BadValue::Nodes { .. } => word!(lang, "values-nodes").into(),
        BadValue::Policy(_) => word!(lang, "values-policy").into(),
        BadValue::Pattern(fault) => pattern(lang, fault),
        BadValue::Steady(_) => word!(lang, "values-steady").into(),
        BadValue::PriorityEntry { text } => say!(lang, "values-priority-entry", text),
        BadValue::PrioritySum { bytes, percent } => {
            say!(lang, "values-priority-sum", percent, bytes = bytes.to_string())
        }
        BadValue::Removed { instead, .. } => say!(lang, "values-removed", instead),
        BadValue::WrongRow => word!(lang, "values-wrong-row").into(),
    }
}

fn needs(lang: Lang, what: Needed, example: &str) -> String {
    match what {
        Needed::Number => say!(lang, "values-needs-number", example),
        Needed::Range => say!(lang, "values-needs-range", example),
        Needed::Times => say!(lang, "values-needs-times", example),
        Needed::BlockSizes => say!(lang, "values-needs-block-sizes", example),
        Needed::Cpus => say!(lang, "values-needs-cpus", example),
        Needed::SequenceBlocks => say!(lang, "values-needs-sequence", example),
    }
}

fn law(lang: Lang, fault: &LawFault) -> &'static str {
    match fault {
        LawFault::NoZones { .. } => word!(lang, "values-law-no-zones"),
        LawFault::ThetaIsOne(_) => word!(lang, "values-law-theta"),
        LawFault::ParetoInput => word!(lang, "values-law-pareto"),
        LawFault::Deviation => word!(lang, "values-law-deviation"),
        LawFault::Centre => word!(lang, "values-law-centre"),
        LawFault::ZonesPerDirection => word!(lang, "values-law-zones-per-direction"),
        LawFault::ZonePercents => word!(lang, "values-law-zone-percents"),
        LawFault::AccessPercents { .. } => word!(lang, "values-law-access-percents"),
    }
}

fn model(lang: Lang, fault: &ModelFault) -> String {
    match fault {
        ModelFault::Law => word!(lang, "values-model-law").into(),
        ModelFault::NoTime => word!(lang, "values-model-no-time").into(),
        ModelFault::MixturePercents { sum } => say!(lang, "values-model-mixture", sum = sum.to_string()),
        ModelFault::Burst => word!(lang, "values-model-burst").into(),
        ModelFault::Cache => word!(lang, "values-model-cache").into(),
        ModelFault::Cliff => word!(lang, "values-model-cliff").into(),
        ModelFault::Step => word!(lang, "values-model-step").into(),
        ModelFault::Stall => word!(lang, "values-model-stall").into(),
        ModelFault::Disk => word!(lang, "values-model-disk").into(),
        ModelFault::Hit => word!(lang, "values-model-hit").into(),
        ModelFault::Ftl => word!(lang, "values-model-ftl").into(),
        ModelFault::FtlTimes => word!(lang, "values-model-ftl-times").into(),
        ModelFault::Surface => word!(lang, "values-model-surface").into(),
        ModelFault::Slc => word!(lang, "values-model-slc").into(),
        ModelFault::ReadCache => word!(lang, "values-model-read-cache").into(),
    }
}

fn pattern(lang: Lang, fault: &PatternFault) -> String {
    let why = match fault {
        PatternFault::Empty => return word!(lang, "values-pattern-empty").into(),
        PatternFault::Unclosed(mark) => say!(lang, "values-pattern-unclosed", mark),
        PatternFault::TooLong { most } => say!(lang, "values-pattern-too-long", most),
        PatternFault::File { path, fault } => {
            say!(lang, "values-pattern-file", path, why = path_fault(lang, fault))
        }
        PatternFault::NoHexDigits => word!(lang, "values-pattern-no-hex-digits").into(),
        PatternFault::NotAPattern { text } => say!(lang, "values-pattern-none", text),
        PatternFault::NumberTooLarge { text } => say!(lang, "values-pattern-number-too-large", text),
    };
    say!(lang, "values-pattern", why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fio_messages::{self, ValueLines};
    use job::bad_value::{Drawn, NodeFault, NodesOf, PolicyFault};
    use job::files::NoFiles;
    use stats::plan_error::PathFault;

    fn lines(stderr: &str) -> ValueLines {
        ValueLines { stdout: String::new(), stderr: stderr.into() }
    }

    /// Tests the values that the table refuses when it reads them: fio's lines on standard error, and fathom's.
    #[test]
    fn values_refused_by_the_table_in_english() {
        let cases = [
            ("iodepth=x", "", "not a number; right would be e.g. 32"),
            (
                "iodepth=99999999999999999999",
                "",
                "beyond 9223372036854775807, the largest number; right would be e.g. 32",
            ),
            ("iodepth=10%", "", "takes no percentage; right would be e.g. 32"),
            ("iodepth=4z", "", "cannot be given in zones (z); right would be e.g. 32"),
            ("iodepth=0", "iodepth: min value out of range: 0 (1 min)\n", "must be at least 1"),
            ("direct=2", "max value out of range: 2 (1 max)\n", "must be at most 1"),
            (
                "iodepth=4294967296",
                "iodepth: min value out of range: 4294967296 (1 min)\n",
                "must be at most 2147483647",
            ),
            ("bs=,", "", "needs a number, e.g. 16k"),
            ("bsrange=0-0", "", "a block of 0 bytes; must be 1 to 2147479552"),
            ("bssplit=,", "", "names no size; right would be e.g. 4k/60:16k/40"),
            (
                "bssplit=a/50",
                "fio: split conversion failed\n",
                "`a/50` has no size; right would be e.g. 4k/60:16k/40",
            ),
            ("size=200%", "", "percent must be 1 to 100"),
            ("size=8z", "", "not built yet; sizes in zones"),
            (
                "percentile_list=a",
                "not a floating point value: a\n",
                "needs numbers separated by `:`, e.g. 50:99:99.9",
            ),
            (
                "percentile_list=101",
                "value out of range: 101.000000 (range max: 100.000000)\n",
                "each must be at most 100",
            ),
            (
                "percentile_list=-1",
                "value out of range: -1.000000 (range min: 0.000000)\n",
                "each must be at least 0",
            ),
            ("cpus_allowed=a", "", "`a` is no CPU; right would be e.g. 0,2-3"),
            ("cpus_allowed=,", "", "names no CPU; right would be e.g. 0,2-3"),
            (
                "random_distribution=zipf:x",
                "fio: random postfix parsing failed\n",
                "`x` is no number; right would be e.g. 1.1",
            ),
            (
                "file_service_type=zipf:x",
                "fio: file service type random postfix parsing failed",
                "`x` is no number; right would be e.g. 1.1",
            ),
            (
                "random_distribution=zoned",
                "fio: mismatch in zoned input <zoned>\n",
                "must name zones, e.g. zoned:60/10:40/90",
            ),
            (
                "random_distribution=zoned:60/10:20/90",
                "fio: access percentage don't add up to 100 for zoned random distribution (got=80)\n",
                "percents of access must add up to 100, e.g. 60/10:40/90",
            ),
            ("random_distribution=sequence:a", "", "must list numbers of blocks, e.g. sequence:2,0,1"),
            ("zoneskip=x", "", "`x` is no number of bytes or zones; right would be e.g. 1m or 2z"),
            ("max_latency=x", "", "needs a time, or one each for reads, writes, trims, e.g. 50ms"),
            (
                "sync_file_range=foo:4",
                "",
                "must be wait_before, write, wait_after, joined by commas, and after how many writes, e.g. write:8",
            ),
            (
                "buffer_pattern=\"a",
                "",
                "a \" is missing; right would be e.g. 0xdeadface, \"text\", -12, 'file', or several joined",
            ),
            ("model_hit=x", "", "must be PERCENT:TIME, e.g. 30:20us"),
            (
                "steadystate=iops",
                "fio: steadystate threshold must be specified in addition to criterion\n",
                "needs a limit after a colon: a number, or a number and %, e.g. iops:2%",
            ),
            (
                "steadystate=bw:x",
                "fio: steadystate BW threshold postfix parsing failed\n",
                "needs a limit after a colon: a number, or a number and %, e.g. iops:2%",
            ),
            (
                "steadystate=bw:x%",
                "fio: could not parse steadystate threshold percentage\n",
                "needs a limit after a colon: a number, or a number and %, e.g. iops:2%",
            ),
            ("rwmixcycle=4", "", "use rwmixread"),
        ];
        for (typed, fio, ours) in cases {
            let (name, value) = typed.split_once('=').unwrap_or_default();
            let row = job::table::find(name).unwrap_or_else(|| panic!("{name}"));
            let Err(bad) = job::sections::read_alone(row, value, &mut NoFiles) else {
                panic!("{typed} is read");
            };
            assert_eq!(bad_value(Lang::En, &bad), ours, "{typed}");
            assert_eq!(fio_messages::bad_value(&bad).stderr, fio, "{typed}");
        }
    }

    /// Tests the values that are refused later, because they depend on the machine or on other options.
    #[test]
    fn values_refused_later_in_english() {
        let nodes = |fault| BadValue::Nodes { of: NodesOf::Cpus, fault };
        let list = "must be NUMA nodes of this machine like 0,2-3, or all (see /sys/devices/system/node)";
        let cases = [
            (
                BadValue::UnknownErrno { name: "EFOO".into() },
                "Unknown error EFOO, please use number value\n",
                "needs names from EPERM to ERANGE or numbers, e.g. EIO:ENOSPC,EIO:28",
            ),
            (
                BadValue::TooManyErrorLists,
                "Illegal error type\n",
                "three lists at most: reads, writes, verification",
            ),
            (
                BadValue::PrioritySum { bytes: 4096, percent: 130 },
                "fio: cmdprio_bssplit total percentage for bs: 4096 exceeds 100\n",
                "130 percent of the I/Os of 4096 bytes",
            ),
            (
                BadValue::NoSuchCpu { cpu: 9, last: 3 },
                "fio: CPU 9 too large (max=3)\n",
                "CPUs here are 0 to 3",
            ),
            (
                BadValue::Policy(PolicyFault::NeedsNodes { policy: "bind" }),
                "fio: a nodelist is needed for 'bind'\n",
                "must be default, local, prefer:NODE, bind:NODES or interleave:NODES",
            ),
            (nodes(NodeFault::TextBehind), "fio: numa_parse_nodestring failed\n", list),
            (
                nodes(NodeFault::NoNode { node: 1, in_range: false }),
                "libnuma: Warning: node argument 1 is out of range\n\nfio: numa_parse_nodestring failed\n",
                list,
            ),
            (
                nodes(NodeFault::RangeBeyond { last: 9 }),
                "libnuma: Warning: node argument 9 out of range\n\nfio: numa_parse_nodestring failed\n",
                list,
            ),
            (
                nodes(NodeFault::Unparseable { text: "same".into() }),
                "libnuma: Warning: unparseable node description `same'\n\nfio: numa_parse_nodestring failed\n",
                list,
            ),
            (
                nodes(NodeFault::NoLast { text: String::new() }),
                "libnuma: Warning: missing node argument \n\nfio: numa_parse_nodestring failed\n",
                list,
            ),
            (
                BadValue::Pattern(PatternFault::File {
                    path: "/x".into(),
                    fault: PathFault::Errno(rustix::io::Errno::NOENT.raw_os_error()),
                }),
                "",
                "cannot read /x: No such file or directory (os error 2); right would be e.g. 0xdeadface, \"text\", -12, 'file', or several joined",
            ),
        ];
        for (bad, fio, ours) in cases {
            assert_eq!(fio_messages::bad_value(&bad), ValueLines { stdout: stdout_of(&bad), ..lines(fio) });
            assert_eq!(bad_value(Lang::En, &bad), ours);
        }
        let theta = |drawn| fio_messages::bad_value(&BadValue::Law(LawFault::ThetaIsOne(drawn))).stderr;
        assert_eq!(theta(Drawn::Offsets), "fio: zipf theta must different than 1.0\n");
        assert_eq!(theta(Drawn::Files), "fio: zipf theta must be different than 1.0\n");
    }

    fn stdout_of(bad: &BadValue) -> String {
        match bad {
            BadValue::Nodes { .. } => {
                "fio: file:options.c:803, func=str_numa_cpunodes_cb, error=Operation not permitted\n".into()
            }
            _ => String::new(),
        }
    }
}
