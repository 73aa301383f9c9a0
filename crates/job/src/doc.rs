//! Help on the command line, generated from the option table.

use crate::choice::{Choice, valid_values};
use crate::diagnostic::Diagnostic;
use crate::invocation::Parsed;
use crate::option::{Compat, Kind, Opt, Section};
use crate::{suggest, table};
use std::fmt::Write as _;

impl Section {
    /// Returns the heading of the section in the documents and in the help.
    pub fn title(self) -> &'static str {
        match self {
            Section::Units => "Units",
            Section::Jobs => "Jobs, processes and order",
            Section::Time => "Time",
            Section::Files => "Files and devices",
            Section::Pattern => "Direction, size and offsets",
            Section::Blocks => "Block size",
            Section::Queue => "Engine and queue",
            Section::Rate => "Rate, think time, latency goals",
            Section::Buffers => "Buffers and memory",
            Section::Verify => "Verification",
            Section::Errors => "Errors",
            Section::Trace => "Traces",
            Section::Zones => "Zones",
            Section::Placement => "Placement",
            Section::Report => "Measurement, reports and logs",
            Section::Engine => "Options of engines",
            Section::Profile => "Options of profiles",
        }
    }
}

/// Returns the switches of the program with their help texts, in the order of `--help`.
pub fn switch_help() -> impl Iterator<Item = (&'static str, &'static str)> {
    SWITCH_HELP.into_iter()
}

const SWITCH_HELP: [(&str, &str); 21] = [
    ("--output=FILE", "Write the report to FILE"),
    ("--output-format=TYPE", "normal, terse, json, json+, or several of them (normal,json)"),
    ("--minimal", "The same as --output-format=terse"),
    ("--append-terse", "Also print terse output"),
    ("--terse-version=N", "2, 3 (the default), 4 or 5"),
    ("--readonly", "Refuse jobs that write, and the creation of files before a run"),
    ("--parse-only", "Parse options and job files, run no job"),
    ("--showcmd", "Print job files as one command line"),
    ("--section=NAME", "Run this section of the job files only (may be repeated)"),
    ("--cmdhelp[=OPTION]", "Explain an option; without a name, or `all`: list them"),
    ("--enghelp[=ENGINE[,OPTION]]", "Explain the options of an engine; without a name: list engines"),
    ("--idle-prof=HOW", "Report idle CPU time: system, percpu; calibrate: time the unit of work, run no job"),
    ("--status-interval=TIME", "Print the report so far at this interval (SIGUSR1: once, now)"),
    ("--eta=WHEN", "Progress line: always, never, auto"),
    ("--eta-interval=TIME", "Interval of the progress line"),
    ("--eta-newline=TIME", "Interval at which the progress line starts a new line"),
    ("--warnings-fatal", "Exit at a warning"),
    ("--allow-destroy=PATH", "Allow overwriting PATH, which destroys its data (may be repeated)"),
    (
        "--wear-budget=BYTES|PERCENT%",
        "Write at most this amount, or this share of the drive's rated endurance",
    ),
    ("--version", "Version"),
    ("--help", "This text"),
];

/// Returns the text of `--help`.
pub fn usage(argv0: &str) -> String {
    let mut text = format!("{argv0} [options] [job options] <job file(s)>\n");
    for (name, help) in switch_help() {
        let _ = writeln!(text, "  {name:<21}  {help}");
    }
    text + "Job options may be given in the same way, as --name=JOB --rw=randread ...; --cmdhelp lists them.\n"
}

/// Help text of an option that fio has removed.
pub const REMOVED: &str = "fio has removed it and refuses it too";

/// Returns the type of an option's value in the words of fio's `--cmdhelp`.
fn kind(opt: &Opt) -> &'static str {
    match opt.kind {
        Kind::Bool => "boolean value (opt=1)",
        Kind::Flag => "empty or boolean value ([0|1])",
        Kind::Int { .. } | Kind::Ints { .. } | Kind::CpuMask => "integer value (opt=100)",
        Kind::Ranges => "one to three ranges (opt=1k-4k[,4k-8k[,1k-8k]])",
        Kind::Size => "size in bytes or percent (opt=4k or opt=50%)",
        Kind::Time { .. } | Kind::Times => "string with time postfix (opt=10s)",
        Kind::Floats { .. } => "list of floating point values separated by ':' (opt=5.9:7.8)",
        _ => "string (opt=bla)",
    }
}

/// Returns the bounds of a number that the option takes.
pub fn bounds(opt: &Opt) -> Option<String> {
    match opt.kind {
        Kind::Int { min, max } | Kind::Ints { min, max } => Some(match max {
            i64::MAX => format!("min={min}"),
            _ => format!("min={min}, max={max}"),
        }),
        Kind::Floats { max, .. } if max < 1e9 => Some(format!("min=0, max={max}")),
        _ => None,
    }
}

/// Returns the names that the option takes as its value; empty if the option takes another kind of value.
pub fn choices(opt: &Opt) -> &'static [Choice] {
    match opt.kind {
        Kind::Choice { choices, .. } => choices,
        _ => &[],
    }
}

/// Returns the remark behind the name of a choice that is not built; empty if it is.
pub fn unbuilt(choice: &Choice) -> String {
    match (choice.built, choice.needs) {
        (true, _) => String::new(),
        (false, "") => " (not built yet)".to_owned(),
        (false, what) => format!(" (refused: needs {what})"),
    }
}

/// Returns the text of `--cmdhelp=NAME`.
pub fn explain(opt: &Opt) -> String {
    let mut text = format!("{:>20}: {}\n", opt.name, opt.help);
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:>20}: {value}");
    };
    if !opt.aliases.is_empty() {
        line("alias", &opt.aliases.join(", "));
    }
    line("type", kind(opt));
    line("default", if opt.default.is_empty() { "no default" } else { opt.default });
    if let Some(bounds) = bounds(opt) {
        line("range", &bounds);
    }
    match opt.compat {
        Compat::NotYet => line("fathom", "not built yet"),
        Compat::Refused(what) => line("fathom", &format!("refused: needs {what}")),
        Compat::Removed => line("fathom", REMOVED),
        Compat::Differs(how) => line("fathom", how),
        Compat::Accepted(why) => line("fathom", &format!("accepted; {why}")),
        Compat::Newer => line("fathom", "newer than fio 3.33"),
        Compat::Ours => line("fathom", "not an option of fio"),
        Compat::Same => {}
    }
    if !opt.doc.is_empty() {
        line("more", opt.doc);
    }
    match choices(opt) {
        [] => text + "\n",
        choices => text + &valid_values(choices),
    }
}

fn print(stdout: String) -> Parsed {
    Parsed::Print { stdout, diagnostics: Vec::new(), code: 0 }
}

fn list<'a>(rows: impl Iterator<Item = &'a Opt>) -> String {
    rows.map(|row| format!("{:<24}: {}\n", row.name, row.help)).collect()
}

/// Returns the output of `--cmdhelp`; with a profile (empty = none) and no option name, the profile's options.
pub fn cmdhelp(name: &str, profile: &str) -> Parsed {
    if (name.is_empty() || name == "all") && !profile.is_empty() {
        let size = format!("{:<24}: Size in MiB\n", "size");
        let rows =
            table::rows().filter(|row| row.section == Section::Profile && row.engines.contains(&profile));
        let size = if profile == "tiobench" { size } else { String::new() };
        return print(size + &list(rows) + "\n");
    }
    if name.is_empty() || name == "all" {
        return print(list(table::rows().filter(|row| row.engines.is_empty())));
    }
    if let Some(opt) = table::find(name) {
        return print(explain(opt));
    }
    let names = table::rows().flat_map(|row| [&row.name].into_iter().chain(row.aliases)).copied();
    let near = suggest::nearest(name, names).and_then(table::find);
    let stdout = near.map_or("\n".into(), |near| format!(" - showing closest match\n{}", explain(near)));
    Parsed::Print { stdout, diagnostics: vec![Diagnostic::NoCommand { name: name.into() }], code: 0 }
}

/// Returns the output of `--enghelp`.
pub fn enghelp(what: &str) -> Parsed {
    let engines = table::find("ioengine").map_or(&[][..], choices);
    let (engine, option) = what.split_once(',').unwrap_or((what, ""));
    let of_engine =
        || table::rows().filter(|row| row.section == Section::Engine && row.engines.contains(&engine));
    if engine.is_empty() {
        let line = |choice: &Choice| format!("\t{}{}\n", choice.name, unbuilt(choice));
        return print(format!("Available IO engines:\n{}", engines.iter().map(line).collect::<String>()));
    }
    if !engines.iter().any(|choice| choice.name == engine) {
        let stdout = format!("IO engine {engine} not found\n");
        let diagnostics = vec![Diagnostic::NoEngine { engine: engine.into() }];
        return Parsed::Print { stdout, diagnostics, code: 1 };
    }
    if !option.is_empty() {
        return match of_engine().find(|row| row.is_called(option)) {
            Some(row) => print(explain(row)),
            None => {
                let diagnostics = vec![Diagnostic::NoCommand { name: option.into() }];
                Parsed::Print { stdout: "\n".into(), diagnostics, code: 1 }
            }
        };
    }
    match of_engine().next() {
        None => Parsed::Print {
            stdout: format!("IO engine {engine} has no options\n"),
            diagnostics: Vec::new(),
            code: 1,
        },
        Some(_) => print(list(of_engine())),
    }
}
