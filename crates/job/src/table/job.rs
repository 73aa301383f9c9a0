//! Rows of the options for units, jobs and time.

use crate::bad_value::BadValue;
use crate::option::*;
use crate::spec::*;
use crate::value::*;
use stats::unit::{MICROSECOND, SECOND};

const KB_BASE: &[Choice] =
    &[choice("1024", "k and kb are 1024, kib is 1000"), choice("1000", "k and kb are 1000, kib is 1024")];
const UNIT_BASE: &[Choice] = &[choice("0", "as the engine would"), choice("8", "bytes"), choice("1", "bits")];
const CPU_POLICY: &[Choice] =
    &[choice("shared", "every clone may use all"), choice("split", "one each, in turn")];
const CLOCKS: &[Choice] = &[
    choice("gettimeofday", "whole microseconds"),
    choice("clock_gettime", "the monotonic clock"),
    choice("cpu", "the processor's counter"),
];

const EXIT_WHAT: &[Choice] = &[
    choice("group", "exit_all=1 default behaviour"),
    choice("stonewall", "quit all currently running jobs; continue with next stonewall"),
    choice("all", "Quit everything"),
];

/// Sets `cpumask` and clears `cpus_allowed`: the option given last wins.
fn set_cpumask(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    job.cpus_allowed = None;
    store(&mut job.cpumask, value)
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "kb_base",
        section: Section::Units,
        kind: Kind::Choice { choices: KB_BASE, tail: false },
        default: "1024",
        help: "What k, m, g mean in sizes, and which prefix the report prefers",
        doc: "With 1024 (the default) `k` and `kb` are 1024 and `kib` is 1000; with 1000 the two change places. Read before every other option of its section.",
        example: "1000",
        ..field!(kb_base)
    },
    Opt {
        name: "unit_base",
        section: Section::Units,
        kind: Kind::Choice { choices: UNIT_BASE, tail: false },
        default: "0",
        help: "Whether the report gives rates in bytes (8) or bits (1)",
        example: "8",
        ..field!(unit_base)
    },
    Opt {
        name: "name",
        section: Section::Jobs,
        help: "Name of the job",
        doc: "On the command line it opens a new job; in a job file it replaces the title of the section in the report and in generated file names.",
        example: "randread4k",
        ..field!(name)
    },
    Opt {
        name: "description",
        section: Section::Jobs,
        help: "Text that the report repeats",
        example: "disk 4",
        ..field!(description)
    },
    Opt {
        name: "hosts",
        section: Section::Jobs,
        help: "Hosts of fathom run --hosts on which the job runs, separated by commas; without it, all",
        doc: "Each phase (stonewall) begins on all hosts together when the one before has ended on all.",
        example: "h1,h2",
        compat: Compat::Ours,
        ..field!(hosts)
    },
    Opt {
        name: "numjobs",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "How many clones of the job run side by side",
        doc: "Each clone has its own thread, its own random numbers and, unless filename is given, its own files.",
        example: "4",
        ..field!(numjobs)
    },
    Opt {
        name: "thread",
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "Clones are threads rather than processes",
        doc: "fathom always uses threads; the line `Starting N threads` follows the option.",
        example: "1",
        ..field!(thread)
    },
    Opt {
        name: "group_reporting",
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "One report entry for all clones and jobs of a reporting group",
        example: "1",
        ..field!(group_reporting)
    },
    Opt {
        name: "new_group",
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "Start a new reporting group at this job",
        example: "1",
        ..field!(new_group)
    },
    Opt {
        name: "stonewall",
        aliases: &["wait_for_previous"],
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "Start only when all earlier jobs have ended; begins a new reporting group",
        example: "1",
        ..field!(stonewall)
    },
    Opt {
        name: "exitall",
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "When this job ends, end those that exit_what says",
        doc: "Without effect with ioengine=model, whose jobs end in virtual time.",
        example: "1",
        ..field!(exitall)
    },
    Opt {
        name: "loops",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Repeat the job so many times",
        example: "3",
        ..field!(loops)
    },
    Opt {
        name: "nice",
        section: Section::Jobs,
        kind: Kind::Int { min: -20, max: 19 },
        default: "0",
        help: "nice value of the job",
        example: "5",
        ..field!(nice)
    },
    Opt {
        name: "cpus_allowed",
        section: Section::Jobs,
        kind: Kind::Cpus,
        help: "CPUs the job may run on",
        example: "0",
        ..field!(cpus_allowed)
    },
    Opt {
        name: "cpus_allowed_policy",
        section: Section::Jobs,
        kind: Kind::Choice { choices: CPU_POLICY, tail: false },
        default: "shared",
        help: "Whether clones share cpus_allowed or take one CPU each",
        example: "split",
        ..field!(cpus_allowed_policy)
    },
    Opt {
        name: "lockmem",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Memory to lock beside the job, which leaves less for the page cache",
        example: "64m",
        ..field!(lockmem)
    },
    Opt {
        name: "runtime",
        aliases: &["timeout"],
        section: Section::Time,
        kind: Kind::Time { unit: SECOND },
        default: "0",
        help: "Stop issuing after this time",
        doc: "Counts from the start of the job, after ramp_time. A fraction is cut off: 1.5 is one second, 0.3s is none.",
        example: "30s",
        ..field!(runtime)
    },
    Opt {
        name: "time_based",
        section: Section::Time,
        kind: Kind::Flag,
        help: "Go over the region again until runtime ends",
        example: "1",
        ..field!(time_based)
    },
    Opt {
        name: "ramp_time",
        section: Section::Time,
        kind: Kind::Time { unit: SECOND },
        default: "0",
        help: "Run this long before measuring",
        example: "5s",
        compat: Compat::Differs("ends exactly then; fio ends it at its next 1 s tick"),
        ..field!(ramp_time)
    },
    Opt {
        name: "startdelay",
        section: Section::Time,
        kind: Kind::Times,
        default: "0",
        help: "Do not start before this long after the start of the run",
        doc: "Counted from the start of the run, not from the end of what stonewall waits for. With a range each clone draws its own.",
        example: "2",
        ..field!(startdelay)
    },
    Opt {
        name: "clocksource",
        section: Section::Time,
        kind: Kind::Choice { choices: CLOCKS, tail: false },
        help: "Clock to read",
        doc: "Default: cpu, where the processor's counter can be relied on, else clock_gettime.",
        example: "clock_gettime",
        ..field!(clocksource)
    },
    Opt {
        name: "gtod_reduce",
        section: Section::Time,
        kind: Kind::Bool,
        default: "0",
        help: "Measure rates only: no latencies, no samples",
        example: "1",
        ..field!(gtod_reduce)
    },
    Opt {
        name: "wait_for",
        section: Section::Jobs,
        help: "Start when all clones of the named earlier job have ended",
        doc: "The name must be that of exactly one job defined before.",
        example: "warmup",
        ..field!(wait_for)
    },
    Opt {
        name: "exit_what",
        section: Section::Jobs,
        kind: Kind::Choice { choices: EXIT_WHAT, tail: false },
        default: "group",
        help: "Which jobs exitall and exitall_on_error end",
        example: "all",
        ..field!(exit_what)
    },
    Opt {
        name: "exitall_on_error",
        section: Section::Jobs,
        kind: Kind::Flag,
        help: "When this job ends in error, end those that exit_what says",
        example: "1",
        ..field!(exitall_on_error)
    },
    Opt {
        name: "stats",
        section: Section::Jobs,
        kind: Kind::Bool,
        default: "1",
        help: "0 leaves the job out of the report and its sums",
        example: "0",
        ..field!(stats)
    },
    Opt {
        name: "comm",
        section: Section::Jobs,
        help: "Name of the job's thread, as ps and top show it",
        doc: "The kernel keeps 15 bytes of it. Without it the thread has the name of the job.",
        example: "reader",
        compat: Compat::Newer,
        ..field!(comm)
    },
    Opt {
        name: "prio",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: 7 },
        help: "I/O priority, 0 the highest",
        doc: "Without prioclass the class is best effort.",
        example: "2",
        ..field!(prio)
    },
    Opt {
        name: "prioclass",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: 3 },
        help: "I/O priority class: 1 real time, 2 best effort, 3 idle",
        example: "2",
        ..field!(prioclass)
    },
    Opt {
        name: "priohint",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: 1023 },
        help: "I/O priority hint: the index of a command duration limit of the device",
        doc: "Without prioclass the class is best effort. Kernels before 6.6 refuse hints.",
        example: "2",
        compat: Compat::Newer,
        ..field!(priohint)
    },
    Opt {
        name: "uid",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "User to become before opening files",
        example: "65534",
        compat: Compat::Differs(
            "the thread of the job alone becomes that user, as fio's processes do, also with thread=1",
        ),
        ..field!(uid)
    },
    Opt {
        name: "gid",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Group to become before opening files",
        example: "65534",
        compat: Compat::Differs(
            "the thread of the job alone becomes that group, as fio's processes do, also with thread=1",
        ),
        ..field!(gid)
    },
    Opt {
        name: "cgroup",
        section: Section::Jobs,
        help: "Control group to run in, made if it is not there",
        example: "fathom",
        compat: Compat::Differs(
            "only below a version 1 blkio hierarchy, whose groups hold single threads; a machine with version 2 alone refuses it, for its groups hold whole processes",
        ),
        ..field!(cgroup)
    },
    Opt {
        name: "cgroup_weight",
        section: Section::Jobs,
        kind: Kind::Int { min: 100, max: 1000 },
        help: "blkio.weight of the group",
        example: "500",
        compat: Compat::Differs(
            "where the kernel's groups have no blkio.weight the error is ENOENT; fio's is EACCES",
        ),
        ..field!(cgroup_weight)
    },
    Opt {
        name: "cgroup_nodelete",
        section: Section::Jobs,
        kind: Kind::Bool,
        default: "0",
        help: "Leave the group behind",
        example: "1",
        ..field!(cgroup_nodelete)
    },
    Opt {
        name: "cpumask",
        section: Section::Jobs,
        kind: Kind::CpuMask,
        help: "CPUs the job may run on, as a mask of bits",
        example: "3",
        set: set_cpumask,
        get: get!(cpumask),
        ..OPT
    },
    Opt {
        name: "numa_cpu_nodes",
        section: Section::Jobs,
        kind: Kind::Nodes { policy: false },
        help: "NUMA nodes whose CPUs the job may run on",
        example: "all",
        ..field!(numa_cpu_nodes)
    },
    Opt {
        name: "numa_mem_policy",
        section: Section::Jobs,
        kind: Kind::Nodes { policy: true },
        help: "NUMA nodes that the job's memory comes from",
        example: "interleave:all",
        ..field!(numa_mem_policy)
    },
    Opt {
        name: "exec_prerun",
        section: Section::Jobs,
        help: "Command for the shell before the job",
        doc: "Its output goes to `JOBNAME.prerun.txt` in the working directory. The job does not run where it fails.",
        example: "date",
        ..field!(exec_prerun)
    },
    Opt {
        name: "exec_postrun",
        section: Section::Jobs,
        help: "Command for the shell after the job",
        doc: "Its output goes to `JOBNAME.postrun.txt` in the working directory.",
        example: "date",
        ..field!(exec_postrun)
    },
    Opt {
        name: "flow",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: 1000 },
        default: "0",
        help: "Weight of each clone in the I/Os of its flow; 0 = not in a flow",
        doc: "The clones that run and have the same flow_id share their I/Os in the ratio of their weights: a clone stalls \
              while its share is too large. The counts go back to the start of each clone, so that one that ran alone waits \
              until the others have caught up. Clones that have ended no longer count.",
        example: "3",
        compat: Compat::Differs(
            "a job counts from its own start; in fio 3.33, jobs that wait for startdelay or stonewall count already, and others \
             stall until they begin",
        ),
        ..field!(flow)
    },
    Opt {
        name: "flow_id",
        section: Section::Jobs,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Flow that the job belongs to, if it has a weight (flow)",
        example: "1",
        ..field!(flow_id)
    },
    Opt {
        name: "flow_sleep",
        section: Section::Jobs,
        kind: Kind::Time { unit: MICROSECOND },
        default: "0",
        help: "Sleep of a job that its flow stalls, once no I/O is in flight; in microseconds without a unit",
        doc: "0: the job looks again at once and burns processor time meanwhile.",
        example: "100us",
        ..field!(flow_sleep)
    },
    Opt {
        name: "flow_watermark",
        section: Section::Jobs,
        help: "Removed: largest difference between the members of a flow",
        example: "1024",
        compat: Compat::Accepted(
            "fio 3.33 has no such limit any more, says that the option is deprecated and goes on",
        ),
        ..field!(flow_watermark)
    },
    Opt {
        name: "ramp_size",
        section: Section::Time,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Move so many bytes before measuring",
        doc: "With group_reporting the bytes of all members together, who must all say the same. Not together with ramp_time. The bytes count for size, not for the report; a job that ends before is reported in full, as with ramp_time.",
        example: "64m",
        compat: Compat::Newer,
        ..field!(ramp_size)
    },
    Opt {
        name: "gtod_cpu",
        section: Section::Time,
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "CPU that only publishes time",
        example: "1",
        compat: Compat::Accepted(
            "the clock is read where it is needed, without a call into the kernel, and always right; with fio 3.33 latencies are 0 or tens of milliseconds, and no job is kept off that CPU either, though its manual says so",
        ),
        ..field!(gtod_cpu)
    },
    Opt {
        name: "job_start_clock_id",
        section: Section::Time,
        kind: Kind::Int { min: 0, max: 0x7fff_ffff },
        default: "0",
        help: "Clock of the JSON key job_start, by the kernel's number",
        doc: "0 is the wall clock, 1 the monotonic one, 7 the time since boot. A job has the key job_start, in milliseconds, where this is given.",
        example: "1",
        compat: Compat::Newer,
        ..field!(job_start_clock_id)
    },
];
