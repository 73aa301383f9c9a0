//! `fathom stat`, and iostat under its own name: reports of the block devices.

mod arguments;
mod watch;

use crate::output::not_written;
use crate::{lang, screen, terminal};
use arguments::{Refusal, Request};
use facts::SysRoot;
use report::Lang;
use report::stat::{
    Colours, Format, HISTORY_HEAD, HistoryFault, Host, INVALID_PERSISTENT_NAME, added, closing,
    devices_and_cpu, history_line, opening, read_history, separator, usage, version,
};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use stats::io_counters::IoReport;
use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Write};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tools::stat::{Collector, Listed};

/// Exit status of iostat for a wrong command line.
const WRONG: i32 = 1;
/// Exit status for a wrong value of one of fathom's own options.
const WRONG_OWN: i32 = 2;

/// Name of the command, where it is not called as iostat.
const OWN_NAME: &str = "fathom stat";
/// Options that iostat does not have.
const OWN_OPTIONS: &str =
    "--help | --plain | --top[=N] | --cgroup | --history FILE | --from FILE | --watch | --lang LANG";

const HELP: &str = "\
Show iostat's report of the block devices, and what its figures mean

Usage: fathom stat [OPTIONS] [DEVICE]... [INTERVAL [COUNT]]

The options are iostat's (man iostat): -c -d -x -s -k -m -t -y -z -h -N -p [DEV,...|ALL] -j ID -g GROUP -H
-f DIR +f DIR -o JSON --human --pretty --compact --dec=0|1|2 -V. A link named iostat to this program has these only.

Options of fathom:
  --plain          Print only what iostat prints
  --top[=N]        Show the N processes that read and wrote most [default: 10]
  --cgroup         Show the I/O of each control group
  --history FILE   Append each report to FILE, one JSON document a line
  --from FILE      Show the reports of such a file
  --watch          Show the devices on the whole screen: q quits, up and down choose a device, p pauses
  --lang en|zh|ru|de
                   Language of what fathom adds [default: from the locale]
";

/// Runs the command with the words behind `fathom stat`, or behind the name iostat, and returns the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let called = std::env::args_os().next().unwrap_or_default();
    let strict = Path::new(&called).file_name().is_some_and(|name| name == "iostat");
    let words: Vec<String> = args.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let program = if strict { called.to_string_lossy().into_owned() } else { OWN_NAME.to_owned() };
    let root = SysRoot::machine();
    let request = match arguments::read(&words, &root, !strict) {
        Ok(request) => request,
        Err(refusal) => return refused(&refusal, &program),
    };
    let lang = lang::or_locale(request.lang);
    if let Some(file) = &request.from {
        return show_history(lang, file, &request);
    }
    if request.watch {
        if !screen::available() {
            eprintln!("fathom stat: {}", report::stat::no_terminal(lang));
            return WRONG_OWN;
        }
        return watch::main(lang, root, request);
    }
    report(lang, root, request, strict)
}

fn refused(refusal: &Refusal, program: &str) -> i32 {
    let lang = lang::or_locale(None);
    match refusal {
        Refusal::Usage => {
            eprint!("{}", usage(program));
            if program == OWN_NAME {
                eprintln!("[ {OWN_OPTIONS} ]");
            }
            WRONG
        }
        Refusal::NoSuchNames => {
            eprint!("{INVALID_PERSISTENT_NAME}");
            WRONG
        }
        Refusal::Version => {
            print(&version(env!("CARGO_PKG_VERSION")));
            0
        }
        Refusal::Help => {
            print(HELP);
            0
        }
        Refusal::NeedsValue(option) => {
            eprintln!("fathom stat: {}", report::stat::needs_value(lang, option));
            WRONG_OWN
        }
        Refusal::Excluded(first, second) => {
            eprintln!("fathom stat: {}", report::stat::excluded(lang, first, second));
            WRONG_OWN
        }
        Refusal::BadTop => {
            eprintln!("fathom stat: {}", report::stat::bad_top(lang));
            WRONG_OWN
        }
        Refusal::BadLanguage => {
            eprintln!("fathom stat: --lang: one of {} is right", lang::SPOKEN);
            WRONG_OWN
        }
    }
}

/// Writes to standard output; returns whether later reports can be written, too. A reader that closed the pipe wants no
/// more.
fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => true,
        Err(e) if e.kind() == ErrorKind::BrokenPipe => false,
        Err(e) => {
            not_written(format_args!("the report could not be written to standard output: {e}"));
            false
        }
    }
}

/// Returns the time of day in milliseconds since 1970.
fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// How dates and times are written: those of the locale C, or of ISO 8601 (`S_TIME_FORMAT=ISO`).
struct Clock {
    iso: bool,
}

impl Clock {
    fn from_environment() -> Clock {
        Clock { iso: std::env::var_os("S_TIME_FORMAT").is_some_and(|format| format == "ISO") }
    }

    fn written(ms: i64, format: &str) -> String {
        let time = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
        time.to_zoned(jiff::tz::TimeZone::system()).strftime(format).to_string()
    }

    fn date(&self, ms: i64) -> String {
        Self::written(ms, if self.iso { "%Y-%m-%d" } else { "%m/%d/%y" })
    }

    fn time(&self, ms: i64) -> String {
        Self::written(ms, if self.iso { "%Y-%m-%dT%H:%M:%S%z" } else { "%m/%d/%y %H:%M:%S" })
    }
}

fn host(root: &SysRoot, date: String) -> Host {
    let uname = rustix::system::uname();
    let text = |part: &std::ffi::CStr| part.to_string_lossy().into_owned();
    let is_cpu = |name: &String| {
        let number = name.strip_prefix("cpu");
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Host {
        system: text(uname.sysname()),
        release: text(uname.release()),
        node: text(uname.nodename()),
        machine: text(uname.machine()),
        cpus: root.names("/sys/devices/system/cpu").iter().filter(|name| is_cpu(name)).count(),
        date,
    }
}

/// Returns the attributes of the environment, if colours are wanted.
fn colours() -> Option<Colours> {
    let wanted = match std::env::var("S_COLORS").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => std::io::stdout().is_terminal(),
    };
    wanted.then(|| Colours::with(&std::env::var("S_COLORS_SGR").unwrap_or_default()))
}

/// Prints reports with iostat's line breaks between them.
struct Reports {
    lang: Lang,
    format: Format,
    clock: Clock,
    /// Whether fathom's own lines follow each report.
    own: bool,
}

impl Reports {
    fn new(lang: Lang, request: &Request, strict: bool) -> Reports {
        let format = Format { colours: colours(), ..request.format.clone() };
        let own = !strict && !request.plain && !format.json && format.devices;
        Reports { lang, format, clock: Clock::from_environment(), own }
    }

    fn text(&self, report: &IoReport) -> String {
        let mut text = devices_and_cpu(&self.format, report, &self.clock.time(report.time_ms));
        if self.own {
            text += &added(self.lang, report, terminal::width());
        }
        text
    }
}

/// A signal that ends the reports, of which the last one is then complete.
struct Interrupt {
    /// End of a pipe that becomes readable when a signal arrives.
    pipe: UnixStream,
    /// Number of the signal that has to end the program afterwards; 0 for none.
    fatal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Takes SIGINT, which ends the reports with status 0 as in iostat, and for JSON also SIGTERM, of which iostat dies
    /// and leaves half a document.
    fn new(json: bool) -> Option<Interrupt> {
        let (pipe, write) = UnixStream::pair().ok()?;
        let fatal = Arc::new(AtomicUsize::new(0));
        if json {
            let term = Signal::TERM.as_raw();
            signal_hook::flag::register_usize(term, Arc::clone(&fatal), term as usize).ok()?;
            signal_hook::low_level::pipe::register(term, write.try_clone().ok()?).ok()?;
        }
        signal_hook::low_level::pipe::register(Signal::INT.as_raw(), write).ok()?;
        Some(Interrupt { pipe, fatal })
    }

    /// Ends the program by the signal that arrived, if it is one that ends it.
    fn end(&self) {
        let signal = self.fatal.load(Relaxed);
        if signal > 0 {
            let _ = signal_hook::low_level::emulate_default_handler(signal as i32);
        }
    }
}

/// Waits until `deadline`; returns whether a signal arrived.
fn interrupted(pipe: Option<&UnixStream>, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let Some(pipe) = pipe else {
            std::thread::sleep(left);
            return false;
        };
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut polled = [PollFd::new(pipe, PollFlags::IN)];
        if poll(&mut polled, Some(&left)).is_ok_and(|ready| ready > 0) {
            return true;
        }
    }
}

/// Ends the last line of a history if an earlier report was cut off: the next one begins a line of its own.
fn with_line_end(mut file: File, path: &Path) -> std::io::Result<File> {
    let found = file.metadata()?;
    let mut last = [b'\n'];
    if found.is_file() && found.len() > 0 {
        // A history that may be written but not read is taken as it is.
        let _ = File::open(path).and_then(|file| file.read_exact_at(&mut last, found.len() - 1));
    }
    if last != [b'\n'] {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// Appends to the history.
struct History {
    file: Option<File>,
}

impl History {
    fn open(path: Option<&Path>, lang: Lang) -> Result<History, i32> {
        let open = |path: &Path| {
            let file = run::output::append(path, HISTORY_HEAD).map_err(|e| {
                eprintln!("fathom stat: {}", report::words::run::output_error(lang, &e));
                e.exit_code()
            })?;
            with_line_end(file, path).map_err(|e| {
                not_written(report::stat::history_lost(lang, &path.display().to_string(), &e.to_string()));
                run::output::NOT_WRITTEN
            })
        };
        Ok(History { file: path.map(open).transpose()? })
    }

    fn append(&mut self, report: &IoReport, path: Option<&Path>, lang: Lang) {
        let (Some(file), Some(path)) = (&mut self.file, path) else { return };
        // One write, so that a reader never sees half of a line.
        if let Err(e) = file.write_all(history_line(report).as_bytes()) {
            not_written(report::stat::history_lost(lang, &path.display().to_string(), &e.to_string()));
            self.file = None;
        }
    }
}

fn report(lang: Lang, root: SysRoot, request: Request, strict: bool) -> i32 {
    let path = request.history.as_deref();
    let mut history = match History::open(path, lang) {
        Ok(history) => history,
        Err(status) => return status,
    };
    let reports = Reports::new(lang, &request, strict);
    let interrupt = request.interval.and_then(|_| Interrupt::new(reports.format.json));
    if !print(&opening(&reports.format, &host(&root, reports.clock.date(now_ms())))) {
        return run::output::NOT_WRITTEN;
    }
    let mut collector = Collector::new(root, request.selection.clone());
    let began = Instant::now();
    let mut left = request.count;
    for nth in 1_u32.. {
        let report = collector.next(now_ms());
        let shown = nth > 1 || !request.omit_first || request.interval.is_none();
        if shown {
            history.append(&report, path, lang);
            if !print(&reports.text(&report)) {
                return run::output::NOT_WRITTEN;
            }
            left = left.map(|left| left - 1);
        }
        let mut more = left != Some(0);
        match request.interval {
            Some(seconds) if more => {
                let wait = Duration::from_secs(seconds).saturating_mul(nth);
                let deadline =
                    began.checked_add(wait).unwrap_or_else(|| began + Duration::from_secs(1 << 31));
                more = !interrupted(interrupt.as_ref().map(|interrupt| &interrupt.pipe), deadline);
            }
            _ => more = false,
        }
        if !print(separator(&reports.format, shown, more)) {
            return run::output::NOT_WRITTEN;
        }
        if !more {
            break;
        }
    }
    let written = print(closing(&reports.format));
    if let Some(interrupt) = &interrupt {
        interrupt.end();
    }
    if written { 0 } else { run::output::NOT_WRITTEN }
}

/// Shows the reports of a history as if they were measured now.
fn show_history(lang: Lang, file: &Path, request: &Request) -> i32 {
    let name = file.display().to_string();
    let read = File::open(file).map_err(HistoryFault::System);
    let mut history = match read.and_then(|file| read_history(std::io::BufReader::new(file))) {
        Ok(history) => history,
        Err(fault) => {
            let text = match fault {
                HistoryFault::System(e) => report::stat::no_history(lang, &name, &e.to_string()),
                HistoryFault::Line(line) => report::stat::bad_history(lang, &name, line),
            };
            eprintln!("fathom stat: {text}");
            return WRONG;
        }
    };
    let listed: Vec<&String> = request
        .selection
        .listed
        .iter()
        .map(|listed| match listed {
            Listed::Device { name, .. } | Listed::Group(name) => name,
        })
        .collect();
    if request.omit_first {
        history.retain(|report| !report.since_boot);
    }
    if !listed.is_empty() {
        history.iter_mut().for_each(|report| report.devices.retain(|row| listed.contains(&&row.name)));
    }
    let reports = Reports::new(lang, request, false);
    let first = history.first().map_or_else(now_ms, |report| report.time_ms);
    let mut whole = opening(&reports.format, &host(&SysRoot::machine(), reports.clock.date(first)));
    for (nth, report) in history.iter().enumerate() {
        whole += &reports.text(report);
        whole += separator(&reports.format, true, nth + 1 < history.len());
    }
    if print(&(whole + closing(&reports.format))) { 0 } else { run::output::NOT_WRITTEN }
}
