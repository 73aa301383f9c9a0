//! ioping's command line: options, their defaults and what is wrong with them.

use super::numbers::{Kind, NumberFault, parse, seed};
use super::options::{OptionFault, Word, read};
use crate::allow_destroy;
use std::ffi::OsString;
use std::path::PathBuf;

/// Direction of the requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requests {
    /// Reads only.
    Reads,
    /// Writes only.
    Writes,
    /// A write, then a read, and so on.
    Alternating,
}

/// What is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PingOutput {
    /// No line per request.
    pub quiet: bool,
    /// Raw statistics only.
    pub batch: bool,
    /// JSON.
    pub json: bool,
    /// Format of the time before each line (strftime); `None` for no time.
    pub time: Option<String>,
    /// Raw statistics for each so many requests; 0 for none.
    pub every_count: u64,
    /// Raw statistics for each so many nanoseconds; 0 for none.
    pub every_nanos: u64,
}

/// Load of a ping. Sizes in bytes, times in nanoseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PingSettings {
    /// Directory, file or device.
    pub target: PathBuf,
    /// Direction of the requests.
    pub requests: Requests,
    /// Number of `-W`: a file or device is written only from 3 on.
    pub write_switches: u32,
    /// Paths of `--allow-destroy`.
    pub allow_destroy: Vec<PathBuf>,
    /// Size of a request.
    pub size: u64,
    /// Whether the size that was asked for exceeds [`LARGEST_TRANSFER`], to which it is reduced.
    pub beyond_system_call: bool,
    /// Size of the range in which requests lie; `None` for the default of the target.
    pub work_size: Option<u64>,
    /// Size of the range for a directory without `-S`.
    pub directory_size: u64,
    /// Offset of this range.
    pub offset: u64,
    /// Whether offsets ascend.
    pub linear: bool,
    /// Whether the page cache is bypassed (O_DIRECT).
    pub direct: bool,
    /// Whether the page cache is kept before reads, and writes are not flushed.
    pub cached: bool,
    /// Whether writes are synchronous with metadata (O_SYNC).
    pub sync: bool,
    /// Whether writes are synchronous (O_DSYNC).
    pub dsync: bool,
    /// Whether the file in a directory is kept and used again.
    pub keep: bool,
    /// Seed of offsets and contents; 0 for a random one.
    pub seed: u64,
    /// Time from the start of a request to the start of the next one.
    pub interval: u64,
    /// Number of requests after which the interval is kept; 0 for each.
    pub burst: u64,
    /// Number of requests; 0 for no end.
    pub count: u64,
    /// Time until the end; 0 for no end.
    pub deadline: u64,
    /// First requests that do not count.
    pub warmup: u64,
    /// Shortest valid time.
    pub min_time: u64,
    /// Longest valid time.
    pub max_time: Option<u64>,
    /// What is printed.
    pub output: PingOutput,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PingRequest {
    /// Measure.
    Measure(Box<PingSettings>),
    /// Print the help (`-h`).
    Help,
    /// Print the version (`-v`).
    Version,
}

/// Reason why a command line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PingFault {
    /// There are no arguments at all: ioping prints its help.
    Nothing,
    /// The options cannot be read.
    Options(OptionFault),
    /// A number cannot be read.
    Number(NumberFault),
    /// There is no target.
    NoTarget,
    /// There are several targets.
    SeveralTargets,
    /// Requests of no bytes.
    NoSize,
    /// An option of ioping that fathom does not have.
    NotSupported(&'static str),
}

/// Largest transfer of one system call (read(2)).
pub const LARGEST_TRANSFER: u64 = 0x7fff_f000;

/// Largest count, ioping's `int`.
const LARGEST_COUNT: u64 = i32::MAX as u64;

const SECOND: u64 = 1_000_000_000;

/// Options as given; what is absent has a default that depends on others.
#[derive(Default)]
struct Given {
    size: Option<u64>,
    interval: Option<u64>,
    deadline: Option<u64>,
    speed: Option<u64>,
    rate: Option<u64>,
    rapid: bool,
    writes: u32,
    alternating: bool,
    targets: Vec<OsString>,
}

/// Reads the words behind the program's name.
///
/// # Errors
/// The first thing that is wrong, in the order in which ioping looks.
pub fn request(args: &[OsString]) -> Result<PingRequest, PingFault> {
    if args.is_empty() {
        return Err(PingFault::Nothing);
    }
    let (args, allow_destroy) = allow_destroy::taken(args)
        .ok_or_else(|| PingFault::Options(OptionFault::ValueMissing(allow_destroy::NAME.into())))?;
    let mut given = Given::default();
    let mut s = PingSettings {
        target: PathBuf::new(),
        requests: Requests::Reads,
        write_switches: 0,
        allow_destroy,
        size: 4096,
        beyond_system_call: false,
        work_size: None,
        directory_size: 1 << 20,
        offset: 0,
        linear: false,
        direct: false,
        cached: false,
        sync: false,
        dsync: false,
        keep: false,
        seed: 0,
        interval: SECOND,
        burst: 0,
        count: 0,
        deadline: 0,
        warmup: 1,
        min_time: 0,
        max_time: None,
        output: PingOutput::default(),
    };
    for word in read(&args) {
        match word {
            Word::Fault(fault) => return Err(PingFault::Options(fault)),
            Word::Operand(target) => given.targets.push(target),
            Word::Option(b'h', _) => return Ok(PingRequest::Help),
            Word::Option(b'v', _) => return Ok(PingRequest::Version),
            Word::Option(option, value) => apply(option, value, &mut s, &mut given)?,
        }
    }
    if given.targets.len() > 1 {
        return Err(PingFault::SeveralTargets);
    }
    s.target = given.targets.pop().ok_or(PingFault::NoTarget)?.into();
    complete(&mut s, &given)?;
    Ok(PingRequest::Measure(Box::new(s)))
}

fn apply(
    option: u8,
    value: Option<OsString>,
    s: &mut PingSettings,
    given: &mut Given,
) -> Result<(), PingFault> {
    let text = value.map(|value| value.to_string_lossy().into_owned());
    let number = |kind| parse(text.as_deref().unwrap_or_default(), kind).map_err(PingFault::Number);
    let count = || match number(Kind::Count)? {
        n if n > LARGEST_COUNT => {
            Err(PingFault::Number(NumberFault::Overflow(text.clone().unwrap_or_default())))
        }
        n => Ok(n),
    };
    match option {
        b'k' => s.keep = true,
        b'q' => s.output.quiet = true,
        b'B' => (s.output.batch, s.output.quiet) = (true, true),
        b'J' => s.output.json = true,
        b'I' => s.output.time = Some(text.unwrap_or_else(|| "%b %d %T".into())),
        b'R' => given.rapid = true,
        b'L' => s.linear = true,
        b'D' => s.direct = true,
        b'C' => s.cached = true,
        b'Y' => s.sync = true,
        b'y' => s.dsync = true,
        b'A' => return Err(PingFault::NotSupported("-A")),
        b'N' => return Err(PingFault::NotSupported("-N")),
        b'H' => return Err(PingFault::NotSupported("-H")),
        b'W' => given.writes += 1,
        b'G' => given.alternating = true,
        b's' => given.size = Some(number(Kind::Size)?).filter(|size| *size > 0 || is_nan(text.as_deref())),
        b'S' => s.work_size = Some(number(Kind::Size)?).filter(|size| *size > 0),
        b'o' => s.offset = number(Kind::Size)?,
        b'w' => given.deadline = Some(number(Kind::Time)?),
        b'l' => given.speed = Some(number(Kind::Size)?),
        b'r' => given.rate = Some(count()?),
        b't' => s.min_time = number(Kind::Time)?,
        b'T' => s.max_time = Some(number(Kind::Time)?),
        b'a' => s.warmup = count()?,
        b'b' => s.burst = count()?,
        b'c' => s.count = count()?,
        b'e' => s.seed = seed(text.as_deref().unwrap_or_default()),
        b'i' => given.interval = Some(number(Kind::Time)?),
        b'p' => s.output.every_count = count()?,
        b'P' => s.output.every_nanos = number(Kind::Time)?,
        _ => {}
    }
    Ok(())
}

fn is_nan(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.trim_start().to_ascii_lowercase().starts_with("nan"))
}

/// Fills in the defaults that depend on other options.
fn complete(s: &mut PingSettings, given: &Given) -> Result<(), PingFault> {
    s.size = given.size.unwrap_or(if s.linear { 256 << 10 } else { 4096 });
    if s.size == 0 {
        return Err(PingFault::NoSize);
    }
    s.beyond_system_call = s.size > LARGEST_TRANSFER;
    s.size = s.size.min(LARGEST_TRANSFER);
    let limited = given.speed.is_some() || given.rate.is_some();
    let unlimited = if limited || given.rapid { 0 } else { SECOND };
    s.interval = given.interval.unwrap_or(unlimited);
    let each = |count: u64, of: Option<u64>| {
        let of = of.filter(|of| *of > 0)?;
        u64::try_from(u128::from(count) * u128::from(SECOND) / u128::from(of)).ok()
    };
    s.interval = s.interval.max(each(s.size, given.speed).unwrap_or(0)).max(each(1, given.rate).unwrap_or(0));
    s.deadline = given.deadline.unwrap_or(if given.rapid { 3 * SECOND } else { 0 });
    if given.rapid {
        s.output.quiet = true;
        s.directory_size = 64 << 20;
    }
    s.directory_size = s.directory_size.max(s.size);
    s.write_switches = given.writes;
    s.requests = match (given.alternating, given.writes) {
        (true, _) => Requests::Alternating,
        (false, 0) => Requests::Reads,
        _ => Requests::Writes,
    };
    Ok(())
}
