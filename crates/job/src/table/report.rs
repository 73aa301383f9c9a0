//! Rows of the options for errors, traces, placement and reports.

use crate::bad_value::BadValue;
use crate::errnos;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

const PROFILES: &[Choice] =
    &[choice("tiobench", "tiotest/tiobench benchmark"), choice("act", "ACT Aerospike like benchmark")];
const CONTINUE: &[Choice] = &[
    choice("none", "every error ends the job"),
    choice("read", "read errors are counted"),
    choice("write", "write errors are counted"),
    choice("io", "both are"),
    choice("verify", "verification errors are"),
    choice("all", "all are"),
    choice("0", "none"),
    choice("1", "all"),
];

fn set_continue_on_error(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    store(&mut job.continue_on_error, value)?;
    job.errors_let_pass = job.continue_on_error.as_ref().map(|chosen| match chosen.name {
        "read" => 1,
        "write" => 2,
        "io" => 3,
        "verify" => 4,
        "all" | "1" => 7,
        _ => 0,
    });
    Ok(())
}

/// Sets `ignore_error`. Every listed kind of error becomes non-fatal; a later `continue_on_error` overrides this, as in
/// fio.
fn set_ignore_error(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    // fio reports errors in a list when it creates the job, not when it reads the option; `resolve` does the same.
    if let Value::Text(text) = &value
        && let Ok(lists) = errnos::lists(text)
    {
        let kinds = (0..3).filter(|kind| !lists[*kind].is_empty()).map(|kind| 1 << kind).sum::<i64>();
        job.errors_let_pass = Some(job.errors_let_pass.unwrap_or(0) | kinds);
    }
    store(&mut job.ignore_error, value)
}

const UNIFIED: &[Choice] = &[
    choice("none", "each direction by itself"),
    choice("mixed", "all directions as one"),
    choice("both", "each by itself, then all as one"),
    choice("0", "none"),
    choice("1", "mixed"),
    choice("2", "both"),
];

const PLACEMENTS: &[Choice] =
    &[choice("none", "no directive"), choice("fdp", "Flexible Data Placement"), choice("streams", "Streams")];
const SELECTIONS: &[Choice] = &[
    choice("random", "at random"),
    choice("roundrobin", "one after the other"),
    choice("scheme", "by offset, from the file dp_scheme"),
];

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "continue_on_error",
        section: Section::Errors,
        kind: Kind::Choice { choices: CONTINUE, tail: false },
        default: "none",
        help: "Errors that are counted rather than ending the job",
        example: "io",
        set: set_continue_on_error,
        get: get!(continue_on_error),
        ..OPT
    },
    Opt {
        name: "percentile_list",
        section: Section::Report,
        kind: Kind::Floats { max: 100.0, count: 20 },
        default: "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
        help: "Percentiles to report",
        example: "50:99:99.9",
        ..field!(percentile_list)
    },
    Opt {
        name: "clat_percentiles",
        section: Section::Report,
        kind: Kind::Bool,
        default: "1",
        help: "Report percentiles of completion latency",
        example: "0",
        ..field!(clat_percentiles)
    },
    Opt {
        name: "lat_percentiles",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Report percentiles of total latency",
        example: "1",
        ..field!(lat_percentiles)
    },
    Opt {
        name: "slat_percentiles",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Report percentiles of submission latency",
        example: "1",
        ..field!(slat_percentiles)
    },
    Opt {
        name: "significant_figures",
        section: Section::Report,
        kind: Kind::Int { min: 1, max: 10 },
        default: "4",
        help: "Digits of numbers in the text report",
        example: "6",
        ..field!(significant_figures)
    },
    Opt {
        name: "disable_lat",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Do not measure total latency",
        example: "1",
        ..field!(disable_lat)
    },
    Opt {
        name: "disable_clat",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Do not measure completion latency",
        example: "1",
        ..field!(disable_clat)
    },
    Opt {
        name: "disable_slat",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Do not measure submission latency",
        example: "1",
        ..field!(disable_slat)
    },
    Opt {
        name: "disable_bw_measurement",
        aliases: &["disable_bw"],
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Take no samples of bandwidth and rate",
        example: "1",
        ..field!(disable_bw)
    },
    Opt {
        name: "bwavgtime",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "500",
        help: "Milliseconds per sample of bandwidth",
        example: "1000",
        compat: Compat::Differs(
            "kept exactly; fio 3.33 takes fewer samples where the period is below 250 ms and iopsavgtime is longer (100 ms beside the default 500: one in 170 ms)",
        ),
        ..field!(bwavgtime)
    },
    Opt {
        name: "iopsavgtime",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "500",
        help: "Milliseconds per sample of the I/O rate",
        example: "1000",
        ..field!(iopsavgtime)
    },
    Opt {
        name: "disk_util",
        section: Section::Report,
        kind: Kind::Bool,
        default: "1",
        help: "Report what the disks did",
        example: "0",
        ..field!(disk_util)
    },
    Opt {
        name: "unified_rw_reporting",
        section: Section::Report,
        kind: Kind::Choice { choices: UNIFIED, tail: false },
        default: "none",
        help: "Report all directions as one",
        example: "mixed",
        compat: Compat::Differs(
            "`both`: the mixed line of the text has figures (fio 3.33 prints `IOPS=0, BW=0 (0)`), and its share (`per=`, `bw_agg`) is of all directions",
        ),
        ..field!(unified_rw_reporting)
    },
    Opt {
        name: "ignore_error",
        section: Section::Errors,
        help: "Errors that are counted rather than ending the job, by name or number",
        doc: "Up to three lists separated by `,`: of reads, of writes, of verification. Errors in a list are separated by `:`. A list takes the place of EIO and EILSEQ, which continue_on_error lets pass, and needs no continue_on_error. Names reach from EPERM to ERANGE (34).",
        example: "EIO:ENOSPC,28",
        set: set_ignore_error,
        get: get!(ignore_error),
        ..OPT
    },
    Opt {
        name: "error_dump",
        section: Section::Errors,
        kind: Kind::Bool,
        default: "0",
        help: "Print a line for errors that do not end the job too",
        example: "1",
        ..field!(error_dump)
    },
    Opt {
        name: "fdp",
        section: Section::Placement,
        kind: Kind::Bool,
        default: "0",
        help: "Write with Flexible Data Placement, as dataplacement=fdp",
        example: "1",
        compat: Compat::Newer,
        ..field!(fdp)
    },
    Opt {
        name: "dataplacement",
        aliases: &["data_placement"],
        section: Section::Placement,
        kind: Kind::Choice { choices: PLACEMENTS, tail: false },
        default: "none",
        help: "Directive of write commands, by which the device places data",
        doc: "With io_uring_cmd and write_mode=write. fdp: each write has a placement identifier of the device's list (reclaim unit handle status), which is read before the start; a device without Flexible Data Placement, or an index that its list does not have, is refused. streams: each write has a stream identifier of `plids`.",
        example: "fdp",
        compat: Compat::Newer,
        ..field!(dataplacement)
    },
    Opt {
        name: "plid_select",
        aliases: &["fdp_pli_select"],
        section: Section::Placement,
        kind: Kind::Choice { choices: SELECTIONS, tail: false },
        default: "roundrobin",
        help: "Selection of the placement identifier of a write",
        example: "random",
        compat: Compat::Newer,
        ..field!(plid_select)
    },
    Opt {
        name: "plids",
        aliases: &["fdp_pli"],
        section: Section::Placement,
        help: "Placement identifiers of the job: numbers and ranges, at most 128",
        doc: "With dataplacement=fdp indices of the device's list, by default all; with streams the identifiers, which have to be given.",
        example: "0,2-4",
        compat: Compat::Newer,
        ..field!(plids)
    },
    Opt {
        name: "dp_scheme",
        section: Section::Placement,
        help: "File with the placement identifier of each range of offsets, for plid_select=scheme",
        doc: "A line is `START, END, ID`, in bytes: writes from START up to END have that identifier (fdp: the index). The first range that has the offset counts; other writes have the identifier 0. `plids` is ignored.",
        example: "/tmp/scheme",
        compat: Compat::Newer,
        ..field!(dp_scheme)
    },
    Opt {
        compat: Compat::Refused("libcudart (CUDA)"),
        ..later(Section::Placement, "gpu_dev_id", Kind::Text, "0", "GPU of the buffers of cudamalloc")
    },
    Opt {
        name: "profile",
        section: Section::Report,
        kind: Kind::Choice { choices: PROFILES, tail: false },
        help: "Jobs that make up another benchmark; its own options follow",
        doc: "On the command line only. tiobench writes and reads four files of `size` MiB together in `dir`, in order and at random, one job after the other. act reads and writes the devices of `device-names` at fixed rates, and says at the end whether they pass: in no hour may more than 5 % of the I/Os take longer than 1 ms, 1 % longer than 8 ms, or 0.1 % longer than 64 ms.",
        example: "tiobench",
        compat: Compat::Differs(
            "the bounds of act are those that its authors publish; brings its own jobs and goes with no others (fio 3.33 gives its first job their name and drops them), and is refused in a job file (fio ignores it there)",
        ),
        ..field!(profile)
    },
];
