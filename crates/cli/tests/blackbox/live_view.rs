//! The full-screen view of a run, on a pseudo terminal with keys.

use crate::common::optimized;
use rustix::process::Signal;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME};
use testbed::{Pty, Sandbox};

/// Far more than the view needs, also on a loaded machine.
const LIMIT: Duration = Duration::from_secs(60);
const FOOTER: &str = "v: leave this view";

/// A run without a device that would last a minute.
fn job(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    run_of(&mut command, sandbox, args);
    command
}

fn run_of(command: &mut Command, sandbox: &Sandbox, args: &[&str]) {
    command.args(["run", "--no-store", "--name=a", "--ioengine=null", "--rate_iops=500", "--size=1g"]);
    command
        .args(["--rw=randread", "--iodepth=8", "--time_based", "--runtime=60"])
        .args(args)
        .current_dir(sandbox.path());
    command
        .env(DATA_HOME, sandbox.path().join("data"))
        .env("LC_ALL", "C.UTF-8")
        .env("TERM", "xterm-256color");
    command.env_remove("NO_COLOR");
}

fn shows(pty: &Pty, text: &str) -> bool {
    pty.rows().iter().any(|row| row.contains(text))
}

fn state(pid: u32) -> char {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit_once(") ").unwrap().1.chars().next().unwrap()
}

/// Returns the CPU time of a process, seconds, in steps of 10 ms.
fn cpu_time_s(pid: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<f64> =
        stat.rsplit_once(") ").unwrap().1.split(' ').skip(11).take(2).map(|n| n.parse().unwrap()).collect();
    fields.iter().sum::<f64>() / 100.0
}

#[test]
fn the_view_opens_closes_and_leaves_the_terminal_as_it_was() {
    let sandbox = Sandbox::new().unwrap();
    let mut pty = Pty::interactive(&mut job(&sandbox, &[]), 80, 24).unwrap();
    assert!(pty.read_until(LIMIT, |pty| shows(pty, "left")).unwrap(), "{:?}", pty.rows());
    assert!(!pty.on_alternate_screen());
    for _ in 0..2 {
        pty.type_keys(b"v").unwrap();
        let figures =
            |pty: &Pty| shows(pty, FOOTER) && shows(pty, "read latency: p50 ") && shows(pty, "asked 8");
        assert!(pty.read_until(LIMIT, figures).unwrap(), "{:?}", pty.rows());
        assert!(pty.on_alternate_screen());
        pty.type_keys(b"v").unwrap();
        assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen()).unwrap());
    }
    assert!(!pty.has_line_mode().unwrap());
    pty.type_keys(b"v").unwrap();
    assert!(pty.read_until(LIMIT, Pty::on_alternate_screen).unwrap());
    // Ctrl-C ends the run with its card on the normal screen.
    pty.type_keys(b"\x03").unwrap();
    assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen() && shows(pty, "trust")).unwrap());
    assert!(pty.has_line_mode().unwrap());
    let shown = pty.finish(LIMIT).unwrap();
    assert_eq!(shown.status.and_then(|status| status.code()), Some(128), "{:?}", shown.rows);
}

#[test]
fn the_end_of_the_run_restores_the_terminal() {
    let sandbox = Sandbox::new().unwrap();
    let mut pty = Pty::interactive(&mut job(&sandbox, &["--live", "--runtime=3"]), 80, 24).unwrap();
    assert!(pty.read_until(LIMIT, |pty| shows(pty, FOOTER)).unwrap(), "{:?}", pty.rows());
    assert!(!pty.has_line_mode().unwrap());
    assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen() && shows(pty, "trust")).unwrap());
    assert!(pty.has_line_mode().unwrap());
    let shown = pty.finish(LIMIT).unwrap();
    assert_eq!(shown.status.and_then(|status| status.code()), Some(0), "{:?}", shown.rows);
}

#[test]
fn the_view_keeps_within_every_size_of_the_terminal() {
    let sandbox = Sandbox::new().unwrap();
    let mut command = job(&sandbox, &["--live"]);
    let mut pty = Pty::interactive(command.env("NO_COLOR", "1"), 80, 24).unwrap();
    assert!(pty.read_until(LIMIT, |pty| shows(pty, FOOTER)).unwrap(), "{:?}", pty.rows());
    for (columns, rows) in [(120, 40), (1, 1), (65535, 65535)] {
        pty.resize_to(columns, rows).unwrap();
        let before = pty.sent().len();
        // It is drawn anew at the next samples, and the program lives.
        assert!(pty.read_until(LIMIT, |pty| pty.sent().len() > before + 8).unwrap());
    }
    pty.resize_to(40, 10).unwrap();
    let head = &FOOTER[..16];
    assert!(pty.read_until(LIMIT, |pty| shows(pty, "…") && shows(pty, head)).unwrap(), "{:?}", pty.rows());
    pty.type_keys(b"q").unwrap();
    assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen()).unwrap());
    // Bold is no colour.
    let sent = pty.sent();
    assert!(
        sent.contains("\u{1b}[1m") && !sent.contains("\u{1b}[38") && !sent.contains("\u{1b}[36m"),
        "{sent:?}"
    );
}

#[test]
fn a_stop_gives_the_terminal_back_and_the_view_returns_after_it() {
    let sandbox = Sandbox::new().unwrap();
    let mut pty = Pty::interactive(&mut job(&sandbox, &["--live"]), 80, 24).unwrap();
    assert!(pty.read_until(LIMIT, |pty| shows(pty, FOOTER)).unwrap(), "{:?}", pty.rows());
    pty.type_keys(b"\x1a").unwrap();
    assert!(pty.read_until(LIMIT, |pty| state(pty.pid()) == 'T').unwrap());
    assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen()).unwrap());
    assert!(pty.has_line_mode().unwrap());
    let pid = rustix::process::Pid::from_raw(pty.pid() as i32).unwrap();
    rustix::process::kill_process(pid, Signal::CONT).unwrap();
    assert!(pty.read_until(LIMIT, |pty| pty.on_alternate_screen() && shows(pty, FOOTER)).unwrap());
    pty.type_keys(b"p").unwrap();
    assert!(pty.read_until(LIMIT, |pty| shows(pty, "paused")).unwrap(), "{:?}", pty.rows());
}

/// The end by a fault, too, leaves the terminal as it was, and the shell learns of the signal.
#[test]
fn a_fault_restores_the_terminal_and_ends_the_run_by_its_signal() {
    let sandbox = Sandbox::new().unwrap();
    for signal in [Signal::ABORT, Signal::SEGV, Signal::BUS] {
        let mut pty = Pty::interactive(&mut job(&sandbox, &["--live"]), 80, 24).unwrap();
        assert!(pty.read_until(LIMIT, |pty| shows(pty, FOOTER)).unwrap(), "{:?}", pty.rows());
        assert!(!pty.has_line_mode().unwrap());
        let pid = rustix::process::Pid::from_raw(pty.pid() as i32).unwrap();
        rustix::process::kill_process(pid, signal).unwrap();
        assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen()).unwrap(), "{signal:?}");
        assert!(pty.read_until(LIMIT, |pty| pty.has_line_mode().unwrap()).unwrap(), "{signal:?}");
        let shown = pty.finish(LIMIT).unwrap();
        assert_eq!(shown.status.and_then(|status| status.signal()), Some(signal.as_raw()));
        assert!(shown.sent.contains("\u{1b}[?25h"), "{signal:?}: the cursor is hidden");
    }
}

/// A terminal that goes away ends the run as without the view: with its result, and without a panic.
#[test]
fn a_hangup_ends_the_run_as_without_the_view() {
    let sandbox = Sandbox::new().unwrap();
    let ended = |view: &[&str], shown: &str| {
        let mut pty = Pty::interactive(&mut job(&sandbox, view), 80, 24).unwrap();
        assert!(pty.read_until(LIMIT, |pty| shows(pty, shown)).unwrap(), "{:?}", pty.rows());
        pty.hang_up(LIMIT).unwrap().and_then(|status| status.code())
    };
    let without = ended(&[], "left");
    assert_eq!(ended(&["--live"], FOOTER), without);
    assert_eq!(without, Some(5));
}

#[test]
fn without_a_terminal_the_view_is_plain_text() {
    let sandbox = Sandbox::new().unwrap();
    let ran = child::run(&mut job(&sandbox, &["--live", "--runtime=1"]), LIMIT).unwrap();
    assert!(ran.code == Some(0) && !ran.overran, "{ran:?}");
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
}

/// CPU time of the program that is shown, beside that of the same run without the view, which the device does not limit.
#[test]
fn measures_the_view_takes_less_than_one_percent_of_a_core() {
    let sandbox = Sandbox::new().unwrap();
    let seconds = 8.0;
    let cpu_s = |view: &[&str]| {
        let mut command = optimized();
        run_of(&mut command, &sandbox, view);
        let mut pty = Pty::interactive(&mut command, 120, 40).unwrap();
        assert!(pty.read_until(LIMIT, |pty| shows(pty, " s elapsed")).unwrap());
        let before = cpu_time_s(pty.pid());
        let end = std::time::Instant::now() + Duration::from_secs_f64(seconds);
        while std::time::Instant::now() < end {
            pty.read_for(Duration::from_millis(100)).unwrap();
        }
        cpu_time_s(pty.pid()) - before
    };
    let (with, without) = (cpu_s(&["--live"]), cpu_s(&[]));
    let share = 100.0 * (with - without) / seconds;
    println!("view: {with:.2} s of CPU in {seconds} s, without {without:.2} s: {share:.2} % of a core");
    assert!(share < 1.0, "{share:.2} % of a core: {with:.2} s, {without:.2} s");
}

/// Completed I/Os per second of a run with these switches, and CPU time of its job per I/O in nanoseconds. The result goes to a
/// file, and the view to a terminal.
fn figures(sandbox: &Sandbox, args: &[&str]) -> (f64, f64) {
    let result = sandbox.join("result.json");
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" > result.json", "sh"]).arg(optimized().get_program());
    command.args(["run", "--no-store", "--json", "--name=a", "--rw=randread", "--size=1g"]).args(args);
    command.env(DATA_HOME, sandbox.join("data")).env("LC_ALL", "C.UTF-8").env("TERM", "xterm-256color");
    command.current_dir(sandbox.path());
    let shown = Pty::interactive(&mut command, 120, 40).unwrap().finish(LIMIT).unwrap();
    assert_eq!(shown.status.and_then(|status| status.code()), Some(0), "{:?}", shown.rows);
    assert_eq!(shown.sent.contains("\u{1b}[?1049h"), args.contains(&"--live"), "{:?}", shown.sent);
    let text = std::fs::read_to_string(&result).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let job = &json["jobs"][0];
    let number = |figure: &serde_json::Value| figure.as_f64().unwrap_or_else(|| panic!("{text}"));
    let cpu_percent = number(&job["usr_cpu"]) + number(&job["sys_cpu"]);
    let cpu_ns = cpu_percent / 100.0 * number(&job["job_runtime"]) * 1e6;
    (number(&job["read"]["iops"]), cpu_ns / number(&job["read"]["total_ios"]))
}

fn median(mut of: Vec<f64>) -> f64 {
    of.sort_by(f64::total_cmp);
    of[of.len() / 2]
}

/// In interleaved pairs, the rate with the view is that without it within 0.5 % where the job bounds the rate. An engine
/// without a device shows the rest of the machine in its rate; there, the CPU time that an I/O takes is compared, which
/// still depends on the other users of the caches.
#[test]
fn measures_the_same_figures_with_the_view_as_without_it() {
    let sandbox = Sandbox::new().unwrap();
    let bounded = ["--ioengine=null", "--iodepth=8", "--rate_iops=2000", "--time_based", "--runtime=1"];
    let unbounded = ["--ioengine=null", "--iodepth=8", "--time_based", "--runtime=500ms"];
    let pair = |load: &[&str], nth: usize| {
        let with = || figures(&sandbox, &[load, &["--live"]].concat());
        let without = || figures(&sandbox, load);
        if nth.is_multiple_of(2) {
            (with(), without())
        } else {
            let without = without();
            (with(), without)
        }
    };
    let percent = |a: f64, b: f64| 100.0 * (a / b - 1.0);
    let rates: Vec<f64> = (0..2).map(|nth| pair(&bounded, nth)).map(|(a, b)| percent(a.0, b.0)).collect();
    println!("bounded: with the view {rates:.3?} % IOPS");
    assert!(rates.iter().all(|rate| rate.abs() < 0.5), "{rates:?}");
    let cpu: Vec<f64> = (0..5).map(|nth| pair(&unbounded, nth)).map(|(a, b)| percent(a.1, b.1)).collect();
    println!("unbounded: with the view {cpu:.1?} % CPU time per I/O, median {:.1} %", median(cpu.clone()));
    assert!(median(cpu.clone()) < 15.0, "{cpu:?}");
}

/// `fathom characterize` issues its own operations: the view shows them, and the part that is being measured.
#[test]
fn characterize_shows_its_operations() {
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.file("disk", 64 << 20).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(["characterize", "--no-store", "--live"]).arg(&file).env("LC_ALL", "C.UTF-8");
    command.env(DATA_HOME, sandbox.join("data")).env("TERM", "xterm-256color");
    let mut pty = Pty::interactive(&mut command, 120, 40).unwrap();
    let figures = |pty: &Pty| {
        let parts = ["surface", "rotation", "seek time", "read latency", "read cache"];
        shows(pty, FOOTER) && shows(pty, "read latency: p50 ") && parts.iter().any(|part| shows(pty, part))
    };
    let shown = pty.read_until(LIMIT, figures).unwrap();
    // The card follows on the normal screen.
    assert!(pty.read_until(LIMIT, |pty| !pty.on_alternate_screen() && shows(pty, "95 % intervals")).unwrap());
    assert!(pty.has_line_mode().unwrap());
    let ended = pty.finish(LIMIT).unwrap();
    assert!(shown || ended.sent.contains("read latency: p50"), "{:?}", ended.sent);
    assert_eq!(ended.status.and_then(|status| status.code()), Some(0), "{:?}", ended.rows);
}
