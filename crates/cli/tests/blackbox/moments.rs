//! Every signal at every stage of every command, and a disk that is full from any moment on. strace delivers the signal,
//! or the error, at one system call of the first thread; the call is drawn from those of a stage. Judged are the exit
//! status, standard error, the files of the directory, the temporary directory and the store, foreign bytes, kernel settings,
//! processes that are left, and the mount.

use crate::cases::{Bench, CASES, Case, FATHOM, LIMIT, Template, Wrong, judge_files, lines, tree};
use crate::common::{draws, side_by_side};
use rustix::process::Pid;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use testbed::child::{Ran, Running};
use testbed::traced::{self, Call, Event, Log, Moment};
use testbed::{Need, skip_without};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// The report comes, then status 128.
    Ends,
    /// The kernel ends the program.
    Kills,
    /// The program stops until SIGCONT.
    Stops,
    /// Nothing.
    Passes,
}

/// Every signal that the kernel has, real-time signals but for their first, a middle one and the last.
fn signals() -> Vec<(Event, Effect)> {
    use Effect::{Ends, Kills, Passes, Stops};
    let of =
        |effect, signals: &[i32]| signals.iter().map(|s| (Event::Signal(*s), effect)).collect::<Vec<_>>();
    let real_time = [libc::SIGRTMIN(), 50, libc::SIGRTMAX()];
    [
        of(Ends, &crate::signals::ENDING),
        of(Ends, &real_time),
        vec![(Event::SignalTwice(libc::SIGINT), Ends), (Event::SignalTwice(libc::SIGTERM), Ends)],
        of(Kills, &[libc::SIGKILL, libc::SIGABRT, libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE]),
        of(Kills, &[libc::SIGILL, libc::SIGSYS, libc::SIGTRAP]),
        of(Stops, &[libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU]),
        of(Passes, &[libc::SIGUSR1, libc::SIGXFSZ, libc::SIGPIPE, libc::SIGCHLD, libc::SIGWINCH]),
        of(Passes, &[libc::SIGURG, libc::SIGCONT]),
    ]
    .concat()
}

/// The calls of a run by the stage they belong to: indices into `calls`.
fn stages(calls: &[Call]) -> BTreeMap<&'static str, Vec<usize>> {
    const WORK: [&str; 12] = [
        "io_uring_setup",
        "io_uring_enter",
        "io_setup",
        "io_submit",
        "io_getevents",
        "pread64",
        "preadv",
        "futex",
        "clock_nanosleep",
        "clone3",
        "poll",
        "ppoll",
    ];
    let mut stage = "parse";
    let mut found = Vec::new();
    for call in calls {
        let line = &call.line;
        let has = |part: &str| line.contains(part);
        let wrote = |part: &str| has(part) && (call.name.starts_with("write") || has("O_CREAT"));
        stage = match stage {
            _ if has("store.sqlite") => "store",
            _ if has("/queue/") && (has("O_WRONLY") || call.name == "write") || has("/records/") => {
                "settings"
            }
            _ if wrote("/page") || wrote("/out>") || wrote("/job\"") || wrote("/log_") => "output",
            _ if call.name == "write" && line.starts_with("write(1<") => "output",
            "parse" if line.starts_with("rt_sigaction(SIGTERM, {sa_handler=0x") => "look",
            "parse" => "parse",
            _ if has("O_TMPFILE") || has("O_EXCL") || call.name == "fallocate" => "layout",
            "layout" if call.name == "pwrite64" => "layout",
            "look" | "layout" | "work" | "settings" if WORK.contains(&call.name.as_str()) => "work",
            same => same,
        };
        found.push(stage);
    }
    let last_work = calls.iter().rposition(|call| WORK[..5].contains(&call.name.as_str()));
    let mut all = BTreeMap::<_, Vec<usize>>::new();
    for (index, call) in calls.iter().enumerate() {
        let stage = match found.get(index) {
            Some(&"work") if last_work.is_some_and(|last| index > last) => "stop",
            Some(&stage) => stage,
            None => continue,
        };
        if !matches!(call.name.as_str(), "execve" | "exit_group") && !call.name.starts_with("syscall_") {
            all.entry(stage).or_default().push(index);
        }
    }
    all
}

impl Bench {
    fn log(&self) -> PathBuf {
        self.own.join("log")
    }

    /// Runs the case; the end of its tracer is waited for.
    fn run(&self, args: &str, moment: Option<&Moment>) -> (Ran, Log) {
        let mut command = traced::command(Path::new(FATHOM), &self.log(), moment);
        let running = Running::start(self.prepare(&mut command, args, &self.view)).unwrap();
        let pid = Pid::from_raw(running.pid() as i32).unwrap();
        let ended = AtomicBool::new(false);
        let ran = std::thread::scope(|scope| {
            if moment.is_some_and(|m| effect(m.event) == Effect::Stops) {
                scope.spawn(|| {
                    while !ended.load(Relaxed) {
                        std::thread::sleep(Duration::from_millis(30));
                        let _ = rustix::process::kill_process(pid, rustix::process::Signal::CONT);
                    }
                });
            }
            let ran = running.finish(LIMIT).unwrap();
            ended.store(true, Relaxed);
            ran
        });
        let began = Instant::now();
        // The tracer, too, belongs to the group, and ends after the program.
        while group_runs(pid) {
            assert!(began.elapsed() < Duration::from_secs(5), "{args}: {moment:?}: a process is left");
            std::thread::sleep(Duration::from_millis(2));
        }
        let log = Log::read(&self.log()).unwrap();
        (ran, log)
    }
}

/// Whether a process of the group runs. One that has ended and was not reaped yet does not.
fn group_runs(group: Pid) -> bool {
    let of_group = |text: &str| {
        let mut fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
        let state = fields.next();
        let number = fields.nth(1).and_then(|number| number.parse().ok());
        number == Some(group.as_raw_nonzero().get()) && !matches!(state, Some("Z" | "X"))
    };
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut stats = processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats.any(|text| of_group(&text))
}

fn effect(event: Event) -> Effect {
    signals().into_iter().find(|(other, _)| *other == event).map_or(Effect::Passes, |(_, effect)| effect)
}

/// What a command does without a signal.
pub struct Usual {
    pub code: Option<i32>,
    pub lines: usize,
    calls: Vec<Call>,
    stages: BTreeMap<&'static str, Vec<usize>>,
}

pub fn usual(template: &Template, case: &Case) -> Usual {
    let bench = template.bench(case);
    let (ran, log) = bench.run(case.args, None);
    assert!(ran.code.is_some_and(|code| code <= 1), "{}: {ran:?}", case.args);
    let stages = stages(&log.calls);
    Usual { code: ran.code, lines: lines(&ran), calls: log.calls, stages }
}

/// Judges the status and standard error after a signal.
fn judge_signal(wrong: &mut Wrong, cell: &Cell<'_>, ran: &Ran, log: &Log) {
    let Cell { usual, stage, moment: Moment { event, at: (call, _) }, .. } = cell;
    let (Event::Signal(signal) | Event::SignalTwice(signal)) = *event else { return };
    let killed = ran.signal == Some(signal);
    let as_usual = ran.code == usual.code;
    // Handlers are set one after the other.
    let setting_up = call == "rt_sigaction" && !log.handled;
    let right = match effect(*event) {
        // Rust's runtime takes the first SIGSEGV and SIGBUS: from outside they end nothing.
        Effect::Kills if matches!(signal, libc::SIGSEGV | libc::SIGBUS) => killed || as_usual,
        Effect::Kills => killed,
        // Before anything is made, and in commands that make nothing but an output.
        Effect::Ends if !log.watched || setting_up => killed,
        Effect::Ends => as_usual || matches!(ran.code, Some(128..=130)),
        Effect::Stops => as_usual,
        Effect::Passes => as_usual || killed && *stage == "parse" && !log.handled,
    };
    wrong.unless(right, || format!("status {:?}, signal {:?}: {}", ran.code, ran.signal, ran.stderr));
    let said = lines(ran);
    wrong.unless(said <= usual.lines + 1, || format!("{said} lines on standard error: {}", ran.stderr));
}

/// Judges them where a disk was full.
fn judge_full(wrong: &mut Wrong, case: &Case, usual: &Usual, ran: &Ran) {
    let as_usual = ran.code == usual.code;
    wrong.unless(as_usual || matches!(ran.code, Some(1 | 2 | 3 | 5)), || {
        format!("status {:?}, signal {:?}: {}", ran.code, ran.signal, ran.stderr)
    });
    let said = lines(ran);
    // The job's line, and one that the result is not stored; fio's own two lines about a file that cannot be laid out.
    wrong.unless(said <= usual.lines + 2, || format!("{said} lines on standard error: {}", ran.stderr));
    // fio's line about a failed job stands in its report.
    let told = said > usual.lines || case.args.starts_with("fio") && ran.stdout.contains("No space left");
    wrong.unless(as_usual || told, || format!("status {:?} without a line: {}", ran.code, ran.stdout));
}

/// What is wrong after `moment`; `None` where it did not come.
fn judged(template: &Template, cell: &Cell<'_>) -> Option<Vec<String>> {
    let Cell { case, usual, moment, .. } = cell;
    let bench = template.bench(case);
    let dir = bench.mount.path();
    let before = tree(dir);
    let (ran, log) = bench.run(case.args, Some(moment));
    let unmount = || rustix::mount::unmount(&bench.view, rustix::mount::UnmountFlags::empty());
    let mut unmounted = unmount();
    // Of a program that a signal killed the kernel gives the rings up later, in a thread of its own.
    let killed = Instant::now();
    while ran.code.is_none() && unmounted.is_err() && killed.elapsed() < Duration::from_secs(2) {
        std::thread::sleep(Duration::from_millis(20));
        unmounted = unmount();
    }
    if log.signals.is_empty() && log.failed == 0 {
        return None;
    }
    let mut wrong = Wrong::default();
    wrong.unless(unmounted.is_ok(), || format!("unmount: {unmounted:?}"));
    wrong.unless(!ran.overran && !ran.stderr.contains("panicked"), || format!("{ran:?}"));
    if let Event::Errors(_) = moment.event {
        judge_full(&mut wrong, case, usual, &ran);
    } else {
        judge_signal(&mut wrong, cell, &ran, &log);
    }
    let cut_short = ran.code.is_none() || matches!(moment.event, Event::SignalTwice(_));
    if case.args.contains("--json") && !ran.stdout.is_empty() && !cut_short {
        let parsed = serde_json::from_str::<serde_json::Value>(&ran.stdout);
        wrong.unless(parsed.is_ok(), || format!("JSON: {}", ran.stdout));
    }
    let told = ran.stdout.contains("cannot be put back");
    judge_settings(&mut wrong, &bench, cut_short || told);
    judge_files(&mut wrong, case, &bench, &before);
    Some(wrong.0)
}

/// The next start says what a killed one left changed, and changes it back.
fn judge_settings(wrong: &mut Wrong, bench: &Bench, cut_short: bool) {
    if bench.device.is_none() {
        return;
    }
    let changed = || {
        let now = |path: &PathBuf| std::fs::read_to_string(path).unwrap_or_default();
        bench.settings.iter().filter(|(old, path)| now(path) != *old).count()
    };
    let left = changed();
    wrong.unless(left == 0 || cut_short, || format!("{left} kernel settings stay changed"));
    let next = bench.next("doctor DEVICE");
    let said = next.stderr.lines().filter(|line| line.contains(" again (it was ")).count();
    wrong.unless(changed() == 0, || format!("a kernel setting is changed after the next start: {next:?}"));
    wrong.unless((said > 0) == (left > 0), || format!("{left} settings were left: {next:?}"));
    let records = tree(&bench.own.join("records"));
    wrong.unless(records.keys().all(|name| name.starts_with('.')), || format!("records: {records:?}"));
}

struct Cell<'a> {
    case: &'a Case,
    usual: &'a Usual,
    stage: &'static str,
    moment: Moment,
}

/// Tries each cell and prints what is wrong, then the number of cells of each stage.
fn run_cells(template: &Template, cells: &[Cell<'_>]) {
    let began = Instant::now();
    let (wrong, tried) = (Mutex::new(Vec::new()), Mutex::new(BTreeMap::<&str, (u32, u32)>::new()));
    side_by_side(cells, |cell| {
        let Cell { case, stage, moment, .. } = cell;
        let began = Instant::now();
        let found = judged(template, cell);
        if std::env::var_os("FATHOM_TIMES").is_some() {
            println!("{:?} {} [{stage}] {moment:?}", began.elapsed(), case.args);
        }
        let mut tried = tried.lock().unwrap();
        let counts = tried.entry(stage).or_default();
        counts.0 += 1;
        counts.1 += u32::from(found.is_none());
        for text in found.into_iter().flatten() {
            let text = format!("{} [{stage}] {moment:?}: {text}", case.args);
            println!("WRONG {text}");
            wrong.lock().unwrap().push(text);
        }
    });
    println!(
        "{} cells in {:?}; by stage (tried, signal not delivered): {:?}",
        cells.len(),
        began.elapsed(),
        tried.into_inner().unwrap()
    );
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
}

fn moment(usual: &Usual, calls: &[usize], draw: &mut impl FnMut(usize) -> usize, event: Event) -> Moment {
    let call = &usual.calls[calls[draw(calls.len())]];
    Moment { event, at: (call.name.clone(), call.nth) }
}

#[test]
fn a_signal_at_a_drawn_call_changes_and_leaves_nothing() {
    skip_without!(Need::Loop, Need::Program("strace"));
    let mut draw = draws(crate::common::fresh_seed("moments"));
    let template = Template::new();
    let quick: Vec<&Case> = CASES.iter().filter(|case| case.quick).collect();
    let drawn: Vec<&Case> = (0..4).map(|_| quick[draw(quick.len())]).collect();
    let usual: Vec<Usual> = std::thread::scope(|scope| {
        let started: Vec<_> = drawn.iter().map(|case| scope.spawn(|| usual(&template, case))).collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let signals = signals();
    let mut cells = Vec::new();
    for index in 0..20 {
        let (case, usual) = (drawn[index % 4], &usual[index % 4]);
        let (event, _) = signals[draw(signals.len())];
        let names: Vec<_> = usual.stages.keys().copied().collect();
        let stage = names[draw(names.len())];
        let moment = moment(usual, &usual.stages[stage], &mut draw, event);
        cells.push(Cell { case, usual, stage, moment });
    }
    run_cells(&template, &cells);
}

/// All cases, or those that begin with `FATHOM_MOMENTS`.
fn all_cases(template: &Template) -> Vec<(&'static Case, Usual)> {
    let only = std::env::var("FATHOM_MOMENTS").unwrap_or_default();
    let cases = CASES.iter().filter(|case| case.args.starts_with(&only));
    let all: Vec<_> = cases.map(|case| (case, usual(template, case))).collect();
    for (case, usual) in &all {
        let counts: Vec<_> = usual.stages.iter().map(|(stage, calls)| (stage, calls.len())).collect();
        println!("{}: status {:?}, calls by stage {counts:?}", case.args, usual.code);
    }
    all
}

#[test]
#[ignore = "long: every signal at every stage of every command, some 3,000 cells"]
fn every_signal_at_every_stage_changes_and_leaves_nothing() {
    skip_without!(Need::Loop, Need::Program("strace"));
    let mut draw = draws(crate::common::fresh_seed("moments"));
    let template = Template::new();
    let all = all_cases(&template);
    let mut cells = Vec::new();
    for (case, usual) in &all {
        for (event, _) in signals() {
            for (&stage, calls) in &usual.stages {
                cells.push(Cell { case, usual, stage, moment: moment(usual, calls, &mut draw, event) });
            }
        }
    }
    run_cells(&template, &cells);
}

/// Calls that need space.
fn takes_space(call: &Call) -> bool {
    let makes = call.line.contains("O_CREAT") || call.line.contains("O_TMPFILE");
    match call.name.as_str() {
        "pwrite64" | "fallocate" | "ftruncate" | "fsync" | "fdatasync" | "mkdir" | "linkat" | "rename"
        | "fsetxattr" => true,
        "write" => !["write(1<", "write(2<"].iter().any(|to| call.line.starts_with(to)),
        "open" | "openat" => makes,
        _ => false,
    }
}

/// Each call that takes space fails, and all later ones of its name.
#[test]
#[ignore = "long: a disk that is full from any moment on, some 800 cells"]
fn a_disk_that_is_full_from_any_call_on_is_one_line() {
    skip_without!(Need::Loop, Need::Program("strace"));
    let template = Template::new();
    let all = all_cases(&template);
    let mut cells = Vec::new();
    for (case, usual) in &all {
        for (&stage, calls) in
            usual.stages.iter().filter(|(stage, _)| **stage != "parse" || case.makes == ["page"])
        {
            for call in calls.iter().map(|&index| &usual.calls[index]).filter(|call| takes_space(call)) {
                // Opening for reading fails for other reasons.
                let last =
                    usual.calls.iter().filter(|other| other.name == call.name).count() as u64 == call.nth;
                if matches!(call.name.as_str(), "open" | "openat") && !last {
                    continue;
                }
                let moment = Moment { event: Event::Errors("ENOSPC"), at: (call.name.clone(), call.nth) };
                cells.push(Cell { case, usual, stage, moment });
            }
        }
    }
    run_cells(&template, &cells);
}
