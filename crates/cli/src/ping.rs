//! `fathom ping`: ioping's requests with ioping's command line, text and exit status.

use crate::output::print;
use crate::{lang, signal, terminal};
use facts::SysRoot;
use report::Lang;
use report::ping::JsonTime;
use rustix::process::Signal;
use std::ffi::OsString;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{SystemTime, UNIX_EPOCH};
use tools::ping::arguments::LARGEST_TRANSFER;
use tools::ping::{
    Generator, PingEvent, PingFault, PingRequest, PingResult, PingSettings, Pinged, RequestFault, Target,
    TargetError, Verdict, measure, open, request,
};

/// Exit status of ioping for a wrong command line.
const USAGE: i32 = 1;

/// Exit status of ioping for a target that cannot be used.
const PREPARATION: i32 = 2;

/// Exit status of ioping for a request that failed.
const RUNTIME: i32 = 3;

/// Runs the command with the words behind its name and returns the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let lang = lang::or_locale(None);
    match request(args) {
        Ok(PingRequest::Help) => {
            print(report::ping::HELP);
            0
        }
        Ok(PingRequest::Version) => {
            print(report::ping::VERSION);
            0
        }
        Ok(PingRequest::Measure(settings)) => ping(lang, &settings),
        Err(PingFault::Nothing) => {
            print(report::ping::HELP);
            USAGE
        }
        Err(fault) => {
            let (line, with_help) = report::ping::fault(lang, &fault);
            eprintln!("{line}");
            if with_help {
                eprint!("\n{}", report::ping::HELP);
            }
            USAGE
        }
    }
}

fn ping(lang: Lang, s: &PingSettings) -> i32 {
    if s.beyond_system_call {
        eprintln!("{}", report::ping::beyond_system_call(LARGEST_TRANSFER));
    }
    let asked = signal::watch();
    let root = SysRoot::machine();
    let mut random = Generator::new(s.seed);
    let target = match open(s, &root, &mut |bytes| random.fill(bytes)) {
        Ok(target) => target,
        Err(why) => {
            eprintln!("{}", report::ping::target_error(lang, &why));
            return match &why {
                TargetError::Refused(refusal) => refusal.exit_code(),
                TargetError::NotAllowed(_)
                | TargetError::Replaced(_)
                | TargetError::KeptFile(_)
                | TargetError::ForeignFile(_) => job::exit_status::REFUSED,
                _ => PREPARATION,
            };
        }
    };
    let mut printer = Printer { s, target: &target, first: true };
    let stop = || asked.load(Relaxed) != 0;
    let result = measure(s, &target, &root, random, &stop, &mut |event| printer.event(&event));
    match result {
        Ok(result) => printer.end(lang, &result),
        Err(fault) => {
            eprintln!("{}", report::ping::request_fault(fault));
            return if fault == RequestFault::Memory { PREPARATION } else { RUNTIME };
        }
    }
    // ioping ends well after an interrupt from the keyboard.
    let signal = asked.load(Relaxed);
    if signal == 0 || signal == Signal::INT.as_raw() as usize { 0 } else { 128 }
}

/// Prints lines of requests and statistics.
struct Printer<'a> {
    s: &'a PingSettings,
    target: &'a Target,
    /// Whether the next JSON object is the first one.
    first: bool,
}

impl Printer<'_> {
    fn event(&mut self, event: &PingEvent) {
        let (names, out) = (&self.target.names, &self.s.output);
        match event {
            PingEvent::Request(pinged) => self.request(pinged),
            PingEvent::BurstEnd if !out.quiet && !out.json => print("\n"),
            PingEvent::BurstEnd => {}
            PingEvent::Period(sums, load, at) if out.json => {
                let first = std::mem::replace(&mut self.first, false);
                print(&report::ping::json_statistics(names, sums, load, &json_time(*at), first));
            }
            PingEvent::Period(sums, load, _) => print(&report::ping::raw(sums, load)),
        }
    }

    fn request(&mut self, pinged: &Pinged) {
        let (names, out) = (&self.target.names, &self.s.output);
        if pinged.verdict == Verdict::Short {
            eprintln!("{}", report::ping::short(pinged));
        }
        if out.quiet {
            return;
        }
        if out.json {
            let first = std::mem::replace(&mut self.first, false);
            print(&report::ping::json_request(names, pinged, &json_time(pinged.at), first));
            return;
        }
        let time = out.time.as_ref().map(|format| format!("{} ", formatted(pinged.at, format)));
        print(&format!("{}{}", time.unwrap_or_default(), report::ping::request(names, pinged)));
    }

    fn end(&mut self, lang: Lang, result: &PingResult) {
        let (names, out) = (&self.target.names, &self.s.output);
        let periodic = out.every_count > 0 || out.every_nanos > 0;
        if out.json {
            let time = json_time(result.at);
            let text = report::ping::json_statistics(names, &result.sums, &result.load, &time, self.first);
            let more = report::ping::json_below(result);
            print(&format!("{}{more}\n}}]\n", text.trim_end_matches('\n')));
        } else if out.batch {
            print(&report::ping::raw(&result.sums, &result.load));
        } else if !(out.quiet && periodic) {
            print(&report::ping::statistics(self.s, names, result));
            print(&report::ping::below(lang, names, result, terminal::width()));
        }
    }
}

fn json_time(at: SystemTime) -> JsonTime {
    let seconds = at.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    JsonTime { seconds, local: formatted(at, "%Y-%m-%dT%H:%M:%S%z") }
}

/// Returns a time as strftime(3); empty if the format is invalid.
fn formatted(at: SystemTime, format: &str) -> String {
    let zoned = jiff::Timestamp::try_from(at).map(|time| time.to_zoned(jiff::tz::TimeZone::system()));
    zoned.ok().and_then(|time| jiff::fmt::strtime::format(format, &time).ok()).unwrap_or_default()
}
