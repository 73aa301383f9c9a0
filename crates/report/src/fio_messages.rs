//! fio's own messages, word for word and in English, because scripts search for them.

use job::Diagnostic;
use job::bad_value::{BadValue, Drawn, Item, LawFault, NodeFault, NodesOf, PolicyFault, SteadyFault};
use job::diagnostic::{IncludeFault, ProfileFault, SwitchFault, WaitFault, WordFault};
use job::job_fault::JobFault;
use job::option::valid_values;
use job::refused_value::{FioEnd, RefusedValue};
use run::job_error::errno_text;
use run::line::{Dumped, MissedRate};
use rustix::io::Errno;
use stats::SteadyQuantity;
use stats::note::NoteFact;
use stats::plan_error::{PathFault, PlanError, PlanFault};
use stats::scsi::ScsiStatus;
use stats::slow_ios::SlowIos;
use stats::verification::{Fault, Mismatch};
use std::path::Path;

const TOO_MANY_JOBS: &str = "error: maximum number of jobs reached.\n";

// Values of options.

/// Lines of fio about a refused value, before its line `failed parsing`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ValueLines {
    /// Lines on standard output.
    pub stdout: String,
    /// Lines on standard error.
    pub stderr: String,
}

/// Returns fio's messages about a refused value.
pub(crate) fn refused_value(value: &RefusedValue) -> ValueLines {
    match &value.fio_end {
        FioEnd::Silent => bad_value(&value.bad),
        FioEnd::FailedParsing(shown) => {
            let mut lines = bad_value(&value.bad);
            lines.stderr += &format!("fio: failed parsing {shown}\n");
            lines
        }
        FioEnd::NoEngine(engine) => ValueLines {
            stdout: String::new(),
            stderr: format!("fio: engine {engine} not loadable\nfio: failed to load engine\n"),
        },
    }
}

/// Returns fio's messages about an invalid option value, without fio's last line (such as `failed parsing`).
pub(crate) fn bad_value(bad: &BadValue) -> ValueLines {
    let out = |stdout: String| ValueLines { stdout, ..ValueLines::default() };
    let line = |stderr: String| ValueLines { stderr: stderr + "\n", ..ValueLines::default() };
    match bad {
        BadValue::Missing { option, .. } => line(format!("Option {option} requires an argument")),
        BadValue::OutOfRange { option, value, min, max } => {
            let lead = option.map(|option| format!("{option}: ")).unwrap_or_default();
            // fio keeps a value with this bound in 32 bits, so that a value that is too large becomes negative.
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
        // fio ends this line without a line feed.
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
        BadValue::SkipKind { text } => line(format!("Unknown skip type: {text}")),
        BadValue::MergePercentage | BadValue::MergePasses => ValueLines::default(),
        BadValue::OnePerTrace { option, given, traces } => {
            line(format!("fio: {option}({given}) != nr_logs({traces})"))
        }
        BadValue::NotAPowerOfTwo { option } => line(format!("{option}: must be a power-of-2")),
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
        BadValue::Steady(SteadyFault::NoLimit) => {
            line("fio: steadystate threshold must be specified in addition to criterion".into())
        }
        BadValue::Steady(SteadyFault::Percentage) => {
            line("fio: could not parse steadystate threshold percentage".into())
        }
        BadValue::Steady(SteadyFault::Limit(quantity)) => {
            let quantity = match quantity {
                SteadyQuantity::Iops => "IOPS",
                SteadyQuantity::Bandwidth => "BW",
                SteadyQuantity::Latency => "latency",
            };
            line(format!("fio: steadystate {quantity} threshold postfix parsing failed"))
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
        | BadValue::Malformed { what: Item::WriteShare, .. }
        | BadValue::NotBuilt(_)
        | BadValue::Model(_)
        | BadValue::Access(_)
        | BadValue::Pattern(_)
        | BadValue::WrongRow => ValueLines::default(),
    }
}

/// Returns libnuma's message about a list of nodes; `None` for text after a number, about which libnuma prints
/// nothing.
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

// Sections, job files, the command line.

/// Returns fio's lines on standard error about a command line or job file; empty if fio prints none.
pub(crate) fn diagnostic(diagnostic: &Diagnostic) -> String {
    match diagnostic {
        Diagnostic::Word { argv0, word, fault, near } => {
            let mut lines =
                format!("{}{argv0}: unrecognized option '{word}'\n", word_fault(argv0, word, fault));
            if let Some(near) = near {
                lines += &format!("Did you mean {near}?\n");
            }
            lines
        }
        Diagnostic::Switch { name, value, fault } => switch_fault(name, value, fault),
        Diagnostic::NoValue { option, .. } => format!("fio: option {option} requires an argument\n"),
        Diagnostic::Profile { name, fault: ProfileFault::Unknown } => {
            format!("fio: profile '{name}' not found\n")
        }
        Diagnostic::Profile { name, fault: ProfileFault::NoDevices } => format!(
            "{name}: you need to set IO target(s) with the device-names option.\nfio: profile {name} prep failed\n"
        ),
        Diagnostic::UnknownOption { text, near, .. } | Diagnostic::ForeignOption { text, near } => {
            let near = near.map(|near| format!("Did you mean {near}?\n")).unwrap_or_default();
            format!("Bad option <{text}>\n{near}")
        }
        Diagnostic::SectionDropped { name } => format!("fio: job {name} dropped\n"),
        Diagnostic::TooManyJobs => TOO_MANY_JOBS.into(),
        Diagnostic::WaitFor { job, waitee, fault } => match fault {
            WaitFault::Itself => format!("{job}: a job cannot wait for itself (wait_for={waitee}).\n"),
            WaitFault::Unknown => format!("{job}: waitee job {waitee} unknown.\n"),
            WaitFault::Several => format!(
                "{job}: multiple waitees {waitee} found,\nplease avoid duplicates when using wait_for option.\n"
            ),
        },
        Diagnostic::Opendir { option, .. } => format!("fio: failed parsing {option}\n"),
        Diagnostic::JobFile { name, .. } => format!("fio: unable to open '{name}' job file\n"),
        Diagnostic::OutsideSection { text, .. } => {
            format!("fio: option <{text}> outside of [] job section\n")
        }
        Diagnostic::Include { file, fault: IncludeFault::Unreadable(_), .. } => {
            format!("fio: unable to open '{file}' job file\nError 1 while parsing include file {file}\n")
        }
        Diagnostic::Job { job, option, typed, fault } => {
            job_fault(job, option, typed.as_ref().map_or("", |typed| &typed.1), fault)
        }
        Diagnostic::RandomMapOff => "fio: Any use of blockalign= turns off randommap\n".into(),
        Diagnostic::TimeBasedIgnored => "fio: time_based requires a runtime/timeout setting\n".into(),
        // fio does not end this line.
        Diagnostic::NoCommand { name } => format!("No such command: {name}"),
        Diagnostic::NoEngine { engine } => format!("fio: engine {engine} not loadable\n"),
        Diagnostic::NoJobs { .. } => "No job(s) defined\n\n".into(),
        Diagnostic::Value(_)
        | Diagnostic::Corrected { .. }
        | Diagnostic::Option { .. }
        | Diagnostic::ProfileSize { .. }
        | Diagnostic::RampSizes { .. }
        | Diagnostic::SteadyStates { .. }
        | Diagnostic::FilesFound { .. }
        | Diagnostic::JobPerTarget { .. }
        | Diagnostic::Include { .. }
        | Diagnostic::SectionInIncluded { .. }
        | Diagnostic::Profile { .. } => String::new(),
    }
}

/// Returns fio's lines about an option of a job, which was typed as `typed`.
fn job_fault(job: &str, option: &str, typed: &str, fault: &JobFault) -> String {
    match fault {
        JobFault::WritesUnderReadonly => format!(
            "fio: job <{job}> has write or trim bit set, but fio is in read-only mode\nfio: failed parsing {typed}\n"
        ),
        JobFault::AboveMost(_) if option == "numjobs" => TOO_MANY_JOBS.into(),
        JobFault::Excludes(_) if option == "rate_iops" => {
            "fio: rate and rate_iops are mutually exclusive\n".into()
        }
        JobFault::WorkingSetWithoutSize => {
            "fio: pregenerated dedupe working set requires size to be set\n".into()
        }
        JobFault::WorkingSetOfFiles { files } => format!(
            "fio: dedupe working set mode supported with single file per job, but {files} files provided\n"
        ),
        JobFault::WorkingSetTooLarge { dedupe, set } => format!(
            "fio: impossible to reach expected dedupe percentage {dedupe} since {set} percentage of size is reserved to dedupe working set (those are unique pages)\n"
        ),
        JobFault::PartOfPage { page } => format!(
            "fio: mmap options dictate a minimum block size of {page} bytes\nfio: io engine mmap init failed.\n"
        ),
        JobFault::NoSkip { .. } => format!("fio: rw postfix parsing failed\nfio: failed parsing {typed}\n"),
        JobFault::ZonesNotStrided => "fio: --zonemode=none and --zonesize are not compatible.\n".into(),
        JobFault::StridedWithoutSize => {
            "fio: --zonesize must be specified when using --zonemode=strided.\n".into()
        }
        JobFault::MinimumAboveRate { directions, .. } => {
            directions.iter().map(|d| format!("fio: minimum rate exceeds rate, ddir {d}\n")).collect()
        }
        JobFault::SizeBelowBlock { size, block } => {
            format!("fio: size too small, must not be less than minimum block size: {size} < {block}\n")
        }
        JobFault::NetDirection => NET_RANDOM.into(),
        JobFault::NetListens => NET_LISTEN.into(),
        JobFault::NetPortOfUnix => NET_PORT_OF_UNIX.into(),
        JobFault::NetWithoutPort => NET_PORT.into(),
        JobFault::NetWithoutHost => NET_HOST.into(),
        JobFault::NetWithoutPath => NET_PATH.into(),
        JobFault::NetHostOfReceiver => NET_RECEIVER.into(),
        JobFault::NamesUnderReadonly { .. }
        | JobFault::ProgramUnderReadonly { .. }
        | JobFault::MovesNoBytes { .. }
        | JobFault::CheckInterval
        | JobFault::AboveMost(_)
        | JobFault::BelowLeast(_)
        | JobFault::Excludes(_)
        | JobFault::NoClock
        | JobFault::RemoteWithout { .. }
        | JobFault::IssueTimeAlone
        | JobFault::OneHead
        | JobFault::Zoned(_)
        | JobFault::AccessFiles
        | JobFault::Sprandom(_)
        | JobFault::Nvme(_)
        | JobFault::OffloadPolled
        | JobFault::OffloadEngine { .. }
        | JobFault::AtomicEngine { .. }
        | JobFault::VerifyWithoutPattern
        | JobFault::VerifyUnaligned
        | JobFault::VerifyWithoutData { .. }
        | JobFault::VerifyBlockTooSmall { .. }
        | JobFault::StandardStream => String::new(),
    }
}

/// Returns fio's line on standard output about a command line or job file, if it prints one there.
pub(crate) fn diagnostic_stdout(diagnostic: &Diagnostic) -> Option<String> {
    match diagnostic {
        Diagnostic::Opendir { directory, why, .. } => {
            Some(format!("fio: file:filesetup.c:1977, func=opendir({directory}), error={why}\n"))
        }
        // fio cuts its message off after 127 bytes.
        Diagnostic::SteadyStates { .. } => Some(
            "fio: file:steadystate.c:338, func=job rejected: steadystate options must be consistent within reporting groups, error=Invalid argume\n".into(),
        ),
        Diagnostic::FilesFound { files } => Some(format!("fio: opendir added {files} files\n")),
        _ => None,
    }
}

/// Returns the line that getopt prints before fio's own.
fn word_fault(argv0: &str, word: &str, fault: &WordFault) -> String {
    match fault {
        WordFault::Unknown => format!("{argv0}: unrecognized option '{word}'\n"),
        WordFault::TakesNoValue { name } => format!("{argv0}: option '--{name}' doesn't allow an argument\n"),
        WordFault::NeedsValue => format!("{argv0}: option '{word}' requires an argument\n"),
        WordFault::NotUtf8 => format!("{argv0}: '{word}' is not UTF-8; rename the file, or link to it\n"),
        WordFault::Ambiguous { names } => {
            let names: String = names.iter().map(|name| format!(" '--{name}'")).collect();
            format!("{argv0}: option '{word}' is ambiguous; possibilities:{names}\n")
        }
    }
}

fn switch_fault(name: &str, value: &str, fault: &SwitchFault) -> String {
    match fault {
        // fio does not have the switch `--wear-budget`.
        SwitchFault::NotBuilt | SwitchFault::WearBudget => String::new(),
        SwitchFault::NoTime if name.starts_with("eta") => format!("fio: failed parsing eta time {value}\n"),
        SwitchFault::NoTime => format!("fio: failed parsing time {value}\n"),
        SwitchFault::EtaIntervalTooShort => "fio: eta interval time too short (250msec min)\n".into(),
        SwitchFault::StatusIntervalTooShort => "fio: status interval too small\n".into(),
        SwitchFault::GlobalSection => "fio: can't use global as only section\n".into(),
        SwitchFault::TerseVersion => "fio: bad terse version format\n".into(),
        SwitchFault::IdleProf => format!("fio: incorrect idle-prof option: {value}\n"),
        SwitchFault::Format { word } => {
            format!("fio: invalid output format {word}\nfio: failed parsing output-format\n")
        }
    }
}

/// Returns fio's lines on standard error about jobs that cannot be planned; empty if fio has no such error. `why`
/// returns the English text for a path that cannot be examined.
pub(crate) fn plan_error(error: &PlanError, why: impl Fn(&PathFault) -> String) -> String {
    let job = &error.job;
    match &error.fault {
        PlanFault::TooManyClones { .. } => TOO_MANY_JOBS.into(),
        PlanFault::TooManyFiles { .. } | PlanFault::FillWithoutSize | PlanFault::NoHosts => String::new(),
        PlanFault::Path { fault, .. } => {
            let errno = match fault {
                PathFault::Errno(errno) => *errno,
                _ => Errno::IO.raw_os_error(),
            };
            let why = why(fault);
            format!("fio: pid=0, err={errno}/file:plan.rs, func=stat, error={why}\n")
        }
        PlanFault::MmapAppends => "fio: can't append/extent with IO engine mmap\n".into(),
        PlanFault::NoSize { .. } => format!(
            "{job}: you need to specify size=\nfio: pid=0, err={}/file:plan.rs, func=total_file_size, error=Invalid argument\n",
            Errno::INVAL.raw_os_error()
        ),
        PlanFault::NoNamespace { .. } => {
            "ioengine io_uring_cmd only works with nvme ns generic char devices (/dev/ngXnY)\n".into()
        }
        PlanFault::NoFlash { path } => format!(
            "libmtd: error!: \"{path}\" is not a character device\nfio: pid=0, err={}/file:mtd.c, func=mtd_get_dev_info, error=Invalid argument\n",
            Errno::INVAL.raw_os_error()
        ),
        PlanFault::NoDaxDevice { path } => format!("{job}: {path} not a DAX device!\n"),
        PlanFault::NoDevice { .. } => {
            const WRONG_TYPE: &str = "file:engines/sg.c:1399, func=wrong file type, error=Invalid argument";
            format!(
                "ioengine sg only works on block or character devices\n{WRONG_TYPE}\nfio: pid=0, err={}/{WRONG_TYPE}\n",
                Errno::INVAL.raw_os_error()
            )
        }
        PlanFault::NoScsiDisk { .. } => {
            "ioengine sg unable to successfully execute read capacity to get block size and maximum lba\nfile:engines/sg.c:1406, func=fio_sgio_read_capacity, error=Success\n".into()
        }
        // fio 3.33 sends the commands to the disk.
        PlanFault::PartOfScsiDisk { .. } => String::new(),
        PlanFault::OffsetBeyondEnd { .. } => format!("{job}: you need to specify valid offset=\n"),
        PlanFault::NoBlock { .. } => "fio: blocksize is larger than data set range\n".into(),
        PlanFault::Trace { .. } => format!(
            "fio: pid=0, err={}/file:iolog.rs, func=failed initializing iolog, error=Invalid argument\n",
            Errno::INVAL.raw_os_error()
        ),
        PlanFault::RegionBelowCache { .. } | PlanFault::Server(_) => String::new(),
        PlanFault::SequenceBlock { path, block, blocks } => format!(
            "fio: sequence access block {block} in base pattern out of bounds (max {blocks}) for file {path}\n",
        ),
    }
}

// Runs.

/// Returns the refusal of a mounted device without `allow_mounted_write`.
pub fn mounted(path: &Path) -> String {
    format!("fio: {} appears mounted, and 'allow_mounted_write' isn't set. Aborting.", path.display())
}

const NET_RANDOM: &str = "fio: network IO can't be random\n";
const NET_LISTEN: &str = "fio: listen only valid for TCP proto IO\n";
const NET_PORT_OF_UNIX: &str = "fio: network IO port not valid with unix socket\n";
const NET_PORT: &str = "fio: network IO requires port for tcp or udp\n";
const NET_HOST: &str = "fio: connect with no host to connect to.\n";
const NET_PATH: &str = "fio: UNIX sockets need host/filename\n";
const NET_RECEIVER: &str = "fio: hostname not valid for non-multicast inbound network IO\n";

/// fio's line about a job that waits for a connection.
pub(crate) const AWAITS_CONNECTION: &str = "fio: waiting for connection";

/// Line of fio if huge pages are not available.
pub(crate) const NO_HUGE_PAGES: &str =
    "fio: no huge pages available, do you need to allocate some? See HOWTO. (/proc/sys/vm/nr_hugepages)";

/// Returns the line about a failed I/O.
pub(crate) fn failed_io(path: &Path, error: &str, operation: &str, offset: u64, length: u32) -> String {
    format!(
        "fio: io_u error on file {}: {error}: {operation} offset={offset}, buflen={length}",
        path.display()
    )
}

/// Returns the line about a SCSI command that failed. Parts without a report are left out, as in fio.
pub(crate) fn scsi_failed(status: &ScsiStatus) -> String {
    const SENSE: u16 = 8;
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!(" {byte:02x}")).collect::<String>();
    let mut text = String::from("fio: ");
    if status.host != 0 {
        text += &format!("SG Host Status: 0x{:02x}; . ", status.host);
    }
    if status.driver != 0 {
        let name = if status.driver == SENSE { "SG_ERR_DRIVER_SENSE; " } else { "" };
        text += &format!("SG Driver Status: 0x{:02x}; {name}. ", status.driver);
    }
    if status.status != 0 {
        let name = match status.status {
            0x02 => "CHECK_CONDITION",
            0x08 => "BUSY",
            0x18 => "RESERVATION_CONFLICT",
            0x28 => "TASK_SET_FULL",
            0x40 => "TASK_ABORTED",
            _ => "UNKNOWN",
        };
        text += &format!("SG SCSI Status: 0x{:02x}; {name}. ", status.status);
    }
    if status.sense_len > 0 {
        text += &format!("Sense Data ({} bytes):{}. ", status.sense_len, hex(status.sense()));
    }
    let [all, missing] = status.data;
    if missing > 0 {
        text += &format!("SG Driver: {missing} bytes out of {all} not transferred. ");
    }
    text + &format!("cdb:{}. ", hex(&status.command))
}

/// Returns the lines about a block that does not contain what it should, each with its end of line.
pub(crate) fn mismatch(mismatch: &Mismatch, dumped: &[Dumped]) -> String {
    let Mismatch { offset, length, read: (from, bytes), .. } = mismatch;
    let file = stats::plain::line(&mismatch.file);
    let place = format!(
        "at file {file} offset {offset}, length {length} (requested block: offset={from}, length={bytes}"
    );
    let header = |what: String| format!("verify: bad {what} {place})\n");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut kinds_differ = None;
    let mut text = match &mismatch.fault {
        Fault::Magic { found } => header(format!("magic header {found:x}, wanted acca")),
        Fault::Length { found, wanted } => header(format!("header length {found}, wanted {wanted}")),
        Fault::Seed { found, wanted } => header(format!("header rand_seed {found}, wanted {wanted}")),
        Fault::Offset { found, wanted } => header(format!("header offset {found}, wanted {wanted}")),
        Fault::Header { found, calculated } => {
            header(format!("header crc {found:x}, calculated {calculated:x}"))
        }
        Fault::Checksum { name, stored, calculated, kinds } => {
            kinds_differ = *kinds;
            let (stored, calculated) = (hex(stored), hex(calculated));
            format!(
                "{name}: verify failed {place}, flags=8)\n       Expected CRC: {stored}\n       Received CRC: {calculated}\n"
            )
        }
        Fault::Pattern { found, wanted, at, .. } => {
            let bits = (found ^ wanted).count_ones();
            format!(
                "fio: got pattern '{found:02x}', wanted '{wanted:02x}'. Bad bits {bits}\nfio: bad pattern block offset {at}\n\
                 pattern: verify failed {place}, flags=8)\n"
            )
        }
        Fault::Trim { at } => {
            format!(
                "trim: verify failed at file {file} offset {offset}, length {length}, block offset {at}\n"
            )
        }
    };
    for file in dumped.iter().filter(|file| file.failed.is_none()) {
        let data =
            if file.kind == "hdr_fail" { "hdr_fail data".to_owned() } else { format!("{} data", file.kind) };
        text += &format!("       {data} dumped as {}\n", stats::plain::line(&file.file));
    }
    if let Some((media, given)) = kinds_differ {
        text += &format!("fio: verify type mismatch ({media} media, {given} given)\n");
    }
    text
}

/// Returns the table of slow I/Os of the profile `act`, and its verdict. fio has each figure twice, for all of an I/O and
/// for the device; with the profile's engine they are the same.
pub(crate) fn slow_ios(slow: &SlowIos) -> String {
    let mut table = String::from(
        "        trans                   device\n        %>(ms)                  %>(ms)\n \
         slice\t  1\t  8\t 64\t  1\t  8\t 64\n -----  -----   -----  ------   -----   -----  ------\n",
    );
    for (at, slice) in slow.slices.iter().enumerate() {
        let figures = slice.percents().map(|percent| format!("\t{percent:.2}")).concat();
        table += &format!("{:5}{figures}{figures}\n", at + 1);
    }
    let verdict = if slow.passes() { "PASSED" } else { "FAILED" };
    table + &format!("\nact: test complete, device(s): {verdict}")
}

/// Returns the line about an I/O that took longer than `max_latency`; both times are in nanoseconds.
pub(crate) fn too_slow(
    path: &Path,
    operation: &str,
    offset: u64,
    length: u32,
    latency: u64,
    most: u64,
) -> String {
    let path = path.display();
    format!(
        "fio: latency of {latency} nsec exceeds specified max ({most} nsec): {path} {operation} {offset} {length}"
    )
}

/// Returns the line about a minimum rate that was missed.
pub(crate) fn rate_missed(job: &str, missed: &MissedRate) -> String {
    match missed {
        MissedRate::Bytes { least, got } => format!("{job}: rate_min={least}B/s not met, got {got}B/s"),
        MissedRate::Ios { least, got } => format!("{job}: rate_iops_min={least} not met, got {got} IOPS"),
    }
}

/// Returns the line about an engine that cannot be set up.
pub(crate) fn engine_init_failed(engine: &str) -> String {
    format!("fio: io engine {engine} init failed.")
}

/// Returns fio's line for a note; `None` if fio has no such line.
pub(crate) fn note(fact: &NoteFact) -> Option<String> {
    let line = match fact {
        NoteFact::DepthOfOne => {
            "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth will be capped at 1"
        }
        NoteFact::OnlyFiles => "fio: only files are supported",
        NoteFact::OnlyDirectories => "fio: only directories are supported",
        NoteFact::DirectoryUnderReadonly => "fio: refusing to make a directory due to read-only",
        NoteFact::FileUnderReadonly => "fio: refusing extend of file due to read-only",
        NoteFact::CreationDisallowed => "fio: file creation disallowed by allow_file_create=0",
        NoteFact::LayoutFull => "fio: ENOSPC on laying out file, stopping",
        NoteFact::NoDirectory { path, errno } => {
            return Some(format!("fio: failed to create dir ({path}): {}", errno_text(*errno)));
        }
        NoteFact::NotReserved { errno } => {
            return Some(format!("fio: posix_fallocate fails: {}", errno_text(*errno)));
        }
        _ => return None,
    };
    Some(line.into())
}

/// Lines of fio about a file system without O_DIRECT.
pub(crate) const NO_DIRECT_IO: &str = "fio: looks like your file system does not support direct=1/buffered=0\nfio: destination does not support O_DIRECT";
/// Error text of fio for `ioengine=cpuio` without `cpuload`.
pub(crate) const NO_CPULOAD: &str = "cpu thread needs rate (cpuload=)";
/// Error text of fio for `ioengine=exec` without `program`.
pub(crate) const NO_PROGRAM: &str = "no program is defined, it is mandatory to define one";

/// fio's line about `ioengine=e4defrag` without `donorname`.
pub(crate) const NO_DONOR: &str = "'donorname' options required";

/// Returns the line about an empty file, which the job does not use.
pub(crate) fn file_ignored(path: &Path) -> String {
    format!("fio: file {} may be ignored", path.display())
}

/// Returns the line about the output of `exec_prerun` or `exec_postrun`.
pub(crate) fn hook_output(job: &str, when: &str, file: &str) -> String {
    format!("{job} : Saving output of {when} in {file}")
}

/// Returns the line about a job of `ioengine=cpuio`.
pub(crate) fn busy_cpu(job: &str, sort: bool, load: u32, cycle_us: u64) -> String {
    let mode = if sort { "qsort" } else { "noop" };
    format!("{job} ({mode}): ioengine=cpuio, cpuload={load}, cpucycle={cycle_us}")
}

/// Returns the line about the program that a job of `ioengine=exec` starts.
pub(crate) fn program_runs(job: &str, command: &str, redirected: bool) -> String {
    if redirected {
        format!("{job} : Saving output of {command} : stdout={job}.stdout stderr={job}.stderr")
    } else {
        format!("{job} : Running {command}")
    }
}
