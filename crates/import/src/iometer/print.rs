//! Document to text, in the form in which Iometer writes it.

use super::document::*;
use super::parse::switch;
use std::fmt::{self, Formatter, Write as _};

/// Length of the line that begins a section.
const RULE: usize = 80;

impl fmt::Display for Version {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Version::Number(a, b, c) => write!(f, "{a}.{b}.{c}"),
            Version::Date(year, month, day) => write!(f, "{year}.{month:02}.{day:02}"),
        }
    }
}

impl fmt::Display for Spawn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Spawn::Cpus => f.write_str("NUMBER_OF_CPUS"),
            Spawn::Number(n) => write!(f, "{n}"),
        }
    }
}

/// Text of a file.
struct Text(String);

impl Text {
    fn line(&mut self, text: &str) {
        self.0 += text;
        self.0.push('\n');
    }

    fn section(&mut self, name: &str) {
        let start = format!("'{name} ");
        self.line(&format!("{start:=<RULE$}"));
    }

    fn key(&mut self, key: &str) {
        self.line(&format!("'{key}"));
    }

    fn value(&mut self, value: impl fmt::Display) {
        let _ = writeln!(self.0, "\t{value}");
    }

    /// Prints keys, which may be several lines, and the value if there is one.
    fn entry<T: fmt::Display>(&mut self, keys: &[&str], value: Option<T>) {
        if let Some(value) = value {
            keys.iter().for_each(|key| self.key(key));
            self.value(value);
        }
    }
}

/// Returns the document as the text of a file.
pub fn print(document: &Document) -> String {
    let mut text = Text(String::new());
    let version = format!("Version {} ", document.version);
    text.line(&version);
    if let Some(setup) = &document.setup {
        print_setup(&mut text, setup);
    }
    if let Some(display) = &document.display {
        text.section("RESULTS DISPLAY");
        for (key, values) in &display.entries {
            text.key(key);
            values.iter().for_each(|value| text.value(value));
        }
        text.key("END results display");
    }
    if let Some(specs) = &document.specs {
        text.section("ACCESS SPECIFICATIONS");
        specs.iter().for_each(|spec| print_spec(&mut text, spec));
        text.key("END access specifications");
    }
    if let Some(managers) = &document.managers {
        text.section("MANAGER LIST");
        managers.iter().for_each(|manager| print_manager(&mut text, manager));
        text.key("END manager list");
    }
    text.line(&version);
    text.0
}

fn print_setup(text: &mut Text, setup: &TestSetup) {
    text.section("TEST SETUP");
    text.key("Test Description");
    if setup.description.is_empty() {
        text.value("");
    }
    setup.description.iter().for_each(|line| text.value(line));
    let time = setup.run_time.map(|[hours, minutes, seconds]| format!("{hours:<10} {minutes:<10} {seconds}"));
    text.entry(&["Run Time", "\thours      minutes    seconds"], time);
    text.entry(&["Ramp Up Time (s)"], setup.ramp_s);
    text.entry(&["Default Disk Workers to Spawn"], setup.disk_workers);
    text.entry(&["Default Network Workers to Spawn"], setup.network_workers);
    text.entry(&["Default Workers to Spawn"], setup.workers);
    text.entry(&["Record Results"], setup.record.map(Record::name));
    let cycling = |c: Cycling| format!("{:<10} {:<10} {}", c.start, c.step, c.kind.name());
    let steps = "\tstart      step       step type";
    text.entry(&["Worker Cycling", steps], setup.worker_cycling.map(cycling));
    text.entry(&["Disk Cycling", steps], setup.disk_cycling.map(cycling));
    let queue = |c: QueueCycling| format!("{:<10} {:<10} {:<10} {}", c.start, c.end, c.step, c.kind.name());
    let steps = "\tstart      end        step       step type";
    text.entry(&["Queue Depth Cycling", steps], setup.queue_cycling.map(queue));
    text.entry(&["Test Type"], setup.test_type.map(TestType::name));
    text.key("END test setup");
}

fn print_spec(text: &mut Text, spec: &AccessSpec) {
    text.key("Access specification name,default assignment");
    text.value(format_args!("{},{}", spec.name, spec.assignment.name()));
    text.key("size,% of size,% reads,% random,delay,burst,align,reply");
    for l in &spec.lines {
        text.value(format_args!(
            "{},{},{},{},{},{},{},{}",
            l.size, l.share, l.reads, l.random, l.delay_ms, l.burst, l.align, l.reply
        ));
    }
}

fn print_manager(text: &mut Text, manager: &Manager) {
    text.key("Manager ID, manager name");
    text.value(format_args!("{},{}", manager.id, manager.name));
    text.key("Manager network address");
    text.value(manager.address.as_deref().unwrap_or_default());
    manager.workers.iter().for_each(|worker| print_worker(text, worker));
    text.key("End manager");
}

fn print_worker(text: &mut Text, worker: &Worker) {
    text.key("Worker");
    text.value(&worker.name);
    text.entry(&["Worker type"], worker.kind.map(WorkerKind::name));
    if let Some(settings) = &worker.settings {
        print_settings(text, settings);
    }
    text.key("Assigned access specs");
    worker.specs.iter().for_each(|spec| text.value(spec));
    text.key("End assigned access specs");
    text.key("Target assignments");
    for target in &worker.targets {
        text.key("Target");
        text.value(&target.name);
        text.entry(&["Target type"], target.kind.as_ref());
        text.key("End target");
    }
    text.key("End target assignments");
    text.key("End worker");
}

fn print_settings(text: &mut Text, settings: &Settings) {
    text.key("Default target settings for worker");
    if let Some((outstanding, rate, transactions)) = settings.queue {
        let values = format!("{outstanding},{},{transactions}", switch(rate));
        let key = "Number of outstanding IOs,test connection rate,transactions per connection";
        match settings.seed {
            Some((fixed, seed)) => {
                text.key(&format!("{key},use fixed seed,fixed seed value"));
                text.value(format_args!("{values},{},{seed}", switch(fixed)));
            }
            None => text.entry(&[key], Some(values)),
        }
    }
    if let Some(DiskSettings { sectors, start, pattern }) = settings.disk {
        match pattern {
            Some(pattern) => text.entry(
                &["Disk maximum size,starting sector,Data pattern"],
                Some(format_args!("{sectors},{start},{pattern}")),
            ),
            None => {
                text.entry(&["Disk maximum size,starting sector"], Some(format_args!("{sectors},{start}")));
            }
        }
    }
    text.key("End default target settings for worker");
}
