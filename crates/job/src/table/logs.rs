//! Rows of the options for logs over time.

use crate::option::*;
use crate::spec::*;

const VALUES: &[Choice] = &[
    choice("avg", "mean of the interval"),
    choice("max", "largest value of the interval"),
    choice("both", "mean and largest value, in two columns"),
    choice("0", "avg"),
    choice("1", "max"),
];

/// Row of an option that names a log.
const NAMED: Opt = Opt { section: Section::Report, kind: Kind::Prefix, example: "run1", ..OPT };

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "per_job_logs",
        section: Section::Report,
        kind: Kind::Bool,
        default: "1",
        help: "Write the logs of each job to files of their own, with the number of the job in their names",
        doc: "With 0, jobs with the same prefix append to the same files, and a file of an earlier run is kept.",
        example: "0",
        compat: Compat::Differs(
            "0: rows of jobs that run at the same time are mixed, because they are written during the run",
        ),
        ..field!(per_job_logs)
    },
    Opt {
        name: "write_bw_log",
        help: "Write a log of the bandwidth; the value is the beginning of its name",
        doc: "The log is PREFIX_bw.N.log, where N is the number of the job; the default prefix is the name of the job. docs/logs.md describes the columns.",
        compat: Compat::Differs(
            "a log that cannot be created is an error before the run (fio prints `fopen log` after it), and rows are written during the run; without log_avg_msec, the samples of the report are those without a log (in fio, each I/O is one); with log_avg_msec, an interval without I/O has a row with 0, rows are at multiples of the interval, and the last, shorter interval has a row too",
        ),
        ..Opt { set: set!(write_bw_log), get: get!(write_bw_log), ..NAMED }
    },
    Opt {
        name: "write_lat_log",
        help: "Write logs of the latencies; the value is the beginning of their names",
        doc: "The logs are PREFIX_slat.N.log, PREFIX_clat.N.log and PREFIX_lat.N.log, without those that disable_slat, disable_clat or disable_lat turns off. Values are in nanoseconds.",
        compat: Compat::Differs("jobs with cpuio and exec, which do no I/O, have no rows"),
        ..Opt { set: set!(write_lat_log), get: get!(write_lat_log), ..NAMED }
    },
    Opt {
        name: "write_iops_log",
        help: "Write a log of the I/O rate; the value is the beginning of its name",
        doc: "The log is PREFIX_iops.N.log. Without log_avg_msec it has a row with the value 1 for each I/O.",
        compat: Compat::Differs("with log_avg_msec as write_bw_log"),
        ..Opt { set: set!(write_iops_log), get: get!(write_iops_log), ..NAMED }
    },
    Opt {
        name: "write_hist_log",
        help: "Write a log of histograms of the completion latency; the value is the beginning of its name",
        doc: "The log is PREFIX_clat_hist.N.log. It is empty without log_hist_msec.",
        compat: Compat::Differs(
            "rows are at multiples of log_hist_msec, and the last, shorter interval has a row too; with log_store_compressed, the log is text (the values in fio's are addresses)",
        ),
        ..Opt { set: set!(write_hist_log), get: get!(write_hist_log), ..NAMED }
    },
    Opt {
        name: "log_avg_msec",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "0",
        help: "Milliseconds per row of bandwidth, latency and rate logs; 0 writes a row for each I/O",
        example: "1000",
        ..field!(log_avg_msec)
    },
    Opt {
        name: "log_hist_msec",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "0",
        help: "Milliseconds per row of write_hist_log; 0 writes no rows",
        example: "1000",
        ..field!(log_hist_msec)
    },
    Opt {
        name: "log_hist_coarseness",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "0",
        help: "Number of times that the bins of write_hist_log are halved",
        doc: "A row has 1856 bins with 0, 928 with 1, 464 with 2 and so on.",
        example: "2",
        ..field!(log_hist_coarseness)
    },
    Opt {
        name: "log_max_value",
        section: Section::Report,
        kind: Kind::Choice { choices: VALUES, tail: false },
        default: "0",
        help: "Latency in a row of log_avg_msec: mean (0), largest (1), or both",
        doc: "fio 3.33 has the values 0 and 1. Bandwidth and rate are of the whole interval in any case; with both, they have two equal columns.",
        example: "1",
        ..field!(log_max_value)
    },
    Opt {
        name: "log_window_value",
        section: Section::Report,
        kind: Kind::Choice { choices: VALUES, tail: false },
        default: "avg",
        help: "Latency in a row of log_avg_msec: mean (avg), largest (max), or both",
        doc: "The name of log_max_value in newer versions of fio.",
        example: "both",
        compat: Compat::Newer,
        ..field!(log_max_value)
    },
    Opt {
        name: "log_offset",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Add a column with the offset of the I/O",
        example: "1",
        ..field!(log_offset)
    },
    Opt {
        name: "log_prio",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Write the I/O priority as a number (0x2004) instead of 1 for the highest class and 0",
        example: "1",
        ..field!(log_prio)
    },
    Opt {
        name: "log_issue_time",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Add a column with the time at which the I/O was issued, in nanoseconds",
        doc: "Requires write_lat_log and log_offset.",
        example: "1",
        compat: Compat::Newer,
        ..field!(log_issue_time)
    },
    Opt {
        name: "log_entries",
        section: Section::Report,
        kind: Kind::Int { min: 1024, max: 1048576 },
        default: "1024",
        help: "I/Os per buffer of a log; each job has four such buffers",
        example: "4096",
        compat: Compat::Differs(
            "memory is bounded: a job waits for the writer of its logs if all buffers are full (a note says so); fio allocates more",
        ),
        ..field!(log_entries)
    },
    Opt {
        name: "log_compression",
        section: Section::Report,
        kind: Kind::Int { min: 1024, max: 536870912 },
        help: "Bytes of a log that log_store_compressed compresses at a time",
        doc: "The default is 1 MiB.",
        example: "64k",
        compat: Compat::Differs(
            "without log_store_compressed it has no effect: logs are written during the run and take no memory",
        ),
        ..field!(log_compression)
    },
    Opt {
        name: "log_compression_cpus",
        section: Section::Report,
        kind: Kind::Cpus,
        help: "CPUs of the thread that writes and compresses logs",
        example: "0",
        compat: Compat::Differs(
            "one thread writes the logs of all jobs: it may run on the CPUs of all their lists",
        ),
        ..field!(log_compression_cpus)
    },
    Opt {
        name: "log_store_compressed",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Compress the logs, to files with the suffix .fz for --inflate-log",
        example: "1",
        compat: Compat::Differs(
            "works without log_compression too; the files have no columns for log_issue_time and log_max_value=both; with log_avg_msec the bandwidth is that of the interval (in fio 3.33, a mean of single I/Os)",
        ),
        ..field!(log_store_compressed)
    },
    Opt {
        name: "log_unix_epoch",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Count the times of logs from 1970 instead of the start of the job",
        example: "1",
        ..field!(log_unix_epoch)
    },
    Opt {
        name: "log_alternate_epoch",
        section: Section::Report,
        kind: Kind::Bool,
        default: "0",
        help: "Count the times of logs by the clock log_alternate_epoch_clock_id instead of from the start of the job",
        example: "1",
        ..field!(log_alternate_epoch)
    },
    Opt {
        name: "log_alternate_epoch_clock_id",
        section: Section::Report,
        kind: Kind::Int { min: 0, max: u32::MAX as i64 },
        default: "0",
        help: "Number of the clock of log_alternate_epoch, as in clock_gettime(2)",
        example: "1",
        compat: Compat::Differs("a number that is not a clock of the time is refused"),
        ..field!(log_alternate_epoch_clock_id)
    },
];
