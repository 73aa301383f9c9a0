//! The commands and switches of `fathom`, declared for clap, and the dispatch to each command.

use crate::host_switches::HostSwitches;
use crate::live::ViewSwitch;
use crate::output::{not_written, print};
use crate::prefill::{self, PrefillMode};
use crate::run_command::RequiredGrade;
use crate::stored::{self, StoreChoice};
use crate::{
    agent, audit, catalog, ceph, characterize, cloud, compare, dd, doctor, duration, explain, explore, files,
    fio, fit, guess, hdparm, lang, objects, ping, pts, quick, rank, report, run_command, stat, sweep,
    terminal, trace,
};
use ::report::Lang;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use stats::StoredId;
use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::time::Duration;

/// A storage performance tool for Linux: runs fio's jobs, or checks a target in about twenty seconds.
#[derive(Parser)]
#[command(name = "fathom", version, after_help = AFTER_HELP)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Directory, file, block device, or target on a server (rbd:POOL/IMAGE, nbd://HOST/EXPORT ..., docs/network.md) to
    /// check [default: current directory]. Devices, existing files and servers are read, not written; in a directory,
    /// an unnamed scratch file is written and read
    target: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Draw small charts below the card
    #[arg(long, conflicts_with = "json")]
    charts: bool,
    /// Measuring time of the check: 16, 30s, 1m [default: 16s]
    #[arg(long, value_name = "TIME", default_value = "16s", hide_default_value = true, value_parser = duration::measuring)]
    seconds: Duration,
    /// Fill unwritten ranges of a file first [default: ask]
    #[arg(long, value_enum, default_value_t, value_name = "yes|no|ask", hide_possible_values = true)]
    #[arg(hide_default_value = true)]
    prefill: PrefillMode,
    #[command(flatten)]
    required: RequiredGrade,
    /// Store the result in this file, not in your own store
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Do not store the result
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    #[command(flatten)]
    view: ViewSwitch,
    #[command(flatten)]
    hosts: HostSwitches,
    /// With --hosts: print the commands that start the agents, and measure nothing
    #[arg(long)]
    dry_run: bool,
    /// Language of the output [default: from the locale]
    #[arg(long, global = true, value_name = "en|zh|ru|de", value_parser = lang::parse)]
    lang: Option<Lang>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the storage stack of a target and what distorts results
    ///
    /// Reads only, and needs no root.
    Doctor {
        /// Directories, files, block devices or targets on servers
        #[arg(value_name = "TARGET", default_value = ".")]
        targets: Vec<PathBuf>,
        /// Print the result as JSON; an array if there are several targets
        #[arg(long)]
        json: bool,
    },
    Prefill(prefill::Arguments),
    Explore(Box<explore::Arguments>),
    Sweep(Box<sweep::Arguments>),
    Explain(Box<explain::Arguments>),
    Fit(fit::Arguments),
    Audit(audit::Arguments),
    Ceph(Box<ceph::Arguments>),
    Cloud(Box<cloud::Arguments>),
    Characterize(Box<characterize::Arguments>),
    Files(Box<files::Arguments>),
    Objects(Box<objects::Arguments>),
    Catalog(catalog::Arguments),
    Rank(rank::Arguments),
    Pts(Box<pts::Arguments>),
    Report(report::Arguments),
    Compare(compare::Arguments),
    /// List stored results
    ///
    /// Newest first: runs and checks (R7), studies (S12).
    List {
        #[command(flatten)]
        place: Place,
        /// List at most N results
        #[arg(long, value_name = "N", default_value_t = 30)]
        limit: usize,
        /// Print the list as JSON
        #[arg(long)]
        json: bool,
    },
    /// Show a stored result again
    Show {
        /// Name of the result in `fathom list`: R7, S12
        #[arg(value_parser = stored_id)]
        id: StoredId,
        /// Draw small charts below the card
        #[arg(long)]
        charts: bool,
        /// Print one JSON document, as `fathom export --json` does
        #[arg(long, conflicts_with = "charts")]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Print a stored result as JSON or CSV
    Export {
        /// Name of the result in `fathom list`: R7, S12
        #[arg(value_parser = stored_id)]
        id: StoredId,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        place: Place,
    },
    Trace(trace::Arguments),
    /// Measure for a command with `--hosts` on another host
    #[command(hide = true)]
    Agent,
    Run(run_command::Arguments),
    /// Time reads of a device as hdparm -t and -T do
    #[command(
        disable_help_flag = true,
        override_usage = "fathom hdparm [-t] [-T] [--direct] [--offset GIB] DEVICE..."
    )]
    Hdparm {
        /// hdparm's flags and devices
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            hide = true,
            value_name = "HDPARM'S ARGUMENTS"
        )]
        words: Vec<OsString>,
    },
    /// Measure the latency of one request after the other as ioping does
    #[command(disable_help_flag = true, override_usage = "fathom ping [OPTIONS] DIRECTORY|FILE|DEVICE")]
    Ping {
        /// ioping's options and target
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            hide = true,
            value_name = "IOPING'S ARGUMENTS"
        )]
        words: Vec<OsString>,
    },
    /// Run fio's command line with fio's report and exit status
    ///
    /// With --hosts before the first job, on several hosts: the switches about hosts are those of fathom run.
    #[command(disable_help_flag = true, override_usage = "fathom fio [SWITCHES] [JOB OPTIONS] [JOB FILES]")]
    Fio {
        /// fio's switches, job options and job files
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            hide = true,
            value_name = "FIO'S ARGUMENTS"
        )]
        fios: Vec<OsString>,
    },
    /// Copy as dd does, and show what its figures leave out
    ///
    /// Operands, messages, statistics and exit status are those of dd of GNU coreutils 9.1. Below the statistics,
    /// standard error says how much of the input came from the page cache or needed no read, how much of the output
    /// was not on the device yet, and whether all bytes were zeros. A block device that is not empty is written only
    /// with --allow-destroy.
    #[command(disable_help_flag = true)]
    #[command(override_usage = "fathom dd [if=FILE] [of=FILE] [bs=BYTES] [count=N] [OPERAND]...")]
    Dd {
        /// Operands of dd, --allow-destroy=DEVICE, --sync-after, --plain, --help, --version
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            hide = true,
            value_name = "OPERANDS OF DD"
        )]
        operands: Vec<OsString>,
    },
    /// Show iostat's report of the block devices, and what its figures mean
    ///
    /// The options are iostat's; a link named iostat to this program has these only. Those of fathom: --plain prints only
    /// what iostat prints, --top[=N] and --cgroup show processes and control groups, --history FILE appends each report to a
    /// file that --from FILE shows again, --watch shows the devices on the whole screen.
    #[command(
        disable_help_flag = true,
        override_usage = "fathom stat [OPTIONS] [DEVICE]... [INTERVAL [COUNT]]"
    )]
    Stat {
        /// iostat's options, devices, interval and count
        #[arg(
            trailing_var_arg = true,
            allow_hyphen_values = true,
            hide = true,
            value_name = "IOSTAT'S ARGUMENTS"
        )]
        words: Vec<OsString>,
    },
}

/// The store to read.
#[derive(clap::Args)]
struct Place {
    /// Read this store instead of your own ($XDG_DATA_HOME or ~/.local/share, fathom/store.sqlite)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

/// The output format.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
struct Form {
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// One row per point of a study, or per job and direction of a run
    #[arg(long)]
    csv: bool,
    /// The form of Iometer's results.csv
    #[arg(long)]
    iometer: bool,
    /// Anonymous record of the device under this name, for `fathom catalog --add`: no host, path, serial number or time
    #[arg(long, value_name = "NAME")]
    share: Option<String>,
}

/// Commands that take the command lines of other tools as they are.
const TOOLS: [&str; 5] = ["fio", "dd", "hdparm", "ping", "stat"];

/// Commands by the question that they answer, in the order of the help.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Measure", &["run", "explore", "sweep", "files", "objects", "characterize", "pts", "prefill"]),
    ("Decide", &["fit", "explain", "audit", "cloud", "ceph"]),
    ("Look and compare", &["doctor", "trace", "compare", "rank", "catalog", "report"]),
    (STORED, &["list", "show", "export"]),
    (OTHER_TOOLS, &TOOLS),
];

const AFTER_HELP: &str = "\
fathom help [COMMAND] prints this text or the help of a command, `fathom help status` the exit statuses.

Links named fio, dd, hdparm, ioping and iostat to this program behave like these tools.";

/// Returns the declaration of every command and switch.
pub fn declaration() -> clap::Command {
    Arguments::command()
}

/// Returns the parser of the command line; its help is as wide as the terminal.
fn parser() -> clap::Command {
    let width = terminal::width().clamp(20, 100);
    let with_fios = |run: clap::Command| run.after_help(run_command::help_of_fios(width));
    let mut parser = declaration().term_width(width).mut_subcommand("run", with_fios);
    // The list of commands and the options of the check fit on a screen.
    for rare in ["hostfile", "transport", "rsh", "agent", "on_loss", "share", "dry_run"] {
        parser = parser.mut_arg(rare, |arg| arg.hide(true));
    }
    let about = "Check the target from these hosts simultaneously; `fathom fit --help` has the other switches about hosts";
    parser = parser.mut_arg("hosts", |arg| arg.help(about).long_help(about));
    let commands = grouped(&parser, width);
    parser = parser.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{commands}Arguments:\n{{positionals}}\n\nOptions:\n{{options}}{{after-help}}"
    ));
    // Global switches become those of each command.
    parser.build();
    parser
}

/// Group whose commands are listed in one line: their users know what they do.
const OTHER_TOOLS: &str = "Other tools";

/// Group whose commands are listed in one line: their names say what they do.
const STORED: &str = "Stored results";

/// Columns before the description of a command.
const INDENT: usize = 15;

/// Returns the commands with their descriptions, by question, in lines of at most `width` columns.
fn grouped(parser: &clap::Command, width: usize) -> String {
    let mut text = String::new();
    for (question, names) in GROUPS {
        let how = match question {
            OTHER_TOOLS => Some("with the command lines of these tools"),
            STORED => Some("as JSON or CSV"),
            _ => None,
        };
        if let Some(how) = how {
            let line = format!("{question}: {} ({how})", names.join(", "));
            text += &::report::paragraph(&line, width.max(10));
            continue;
        }
        text += &format!("{question}:\n");
        for name in names {
            let about = parser.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let lines = ::report::paragraph(&about, width.saturating_sub(INDENT).max(10));
            for (nth, line) in lines.lines().enumerate() {
                let label = if nth == 0 { name } else { "" };
                text += &format!("  {label:<12} {}\n", line.trim());
            }
        }
    }
    text + "\n"
}

/// Returns `args` in the form that clap accepts: fio's arguments follow a `--`.
fn words(parser: &clap::Command, args: &[OsString]) -> Vec<OsString> {
    let own = match (args.first().and_then(|word| word.to_str()), parser.find_subcommand("run")) {
        (Some("run"), Some(run)) => run_command::switches_first(run, &args[1..]),
        (Some(tool), _) if TOOLS.contains(&tool) => {
            std::iter::once("--".into()).chain(args[1..].iter().cloned()).collect()
        }
        _ => return args.to_vec(),
    };
    std::iter::once(args[0].clone()).chain(own).collect()
}

/// Returns `args` with leading `--lang` and switches about hosts moved behind the command: the parser takes switches before a
/// command for switches of the check. Of the other tools, `fio` alone takes switches about hosts.
fn switches_behind_command(args: &[OsString]) -> Vec<OsString> {
    let command = Arguments::command();
    let hosts = HostSwitches::augment_args(clap::Command::new("hosts"));
    let word = |at: usize| args.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    let (mut length, mut of_hosts) = (0, true);
    while let Some(name) = word(length).strip_prefix("--") {
        let long = name.split('=').next().unwrap_or_default();
        let Some(takes_value) = (match long {
            "lang" => Some(true),
            "dry-run" => Some(false),
            _ => hosts
                .get_arguments()
                .find(|arg| arg.get_long() == Some(long))
                .map(|arg| arg.get_action().takes_values()),
        }) else {
            break;
        };
        of_hosts &= !matches!(long, "lang" | "dry-run");
        length += if takes_value && !name.contains('=') { 2 } else { 1 };
    }
    let mut args = args.to_vec();
    let follows = args.get(length).and_then(|word| word.to_str()).unwrap_or_default();
    let moves = match follows {
        "fio" => of_hosts,
        tool if TOOLS.contains(&tool) => false,
        name => command.find_subcommand(name).is_some(),
    };
    if length > 0 && moves {
        args[..=length].rotate_right(1);
    }
    args
}

/// Returns the error message for `word` if it looks like a misspelt command; `next` is the following argument.
fn unknown(word: &OsStr, next: Option<&OsString>) -> Option<String> {
    let command = Arguments::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let word = word.to_str()?;
    if names.contains(&word) {
        return None;
    }
    guess::unknown(word, next.and_then(|next| next.to_str()), names.into_iter().chain(["help"]))
}

fn usage(line: &str) -> i32 {
    eprintln!("fathom: {line} (fathom help lists the commands)");
    2
}

/// Runs `fathom help [COMMAND]` with the arguments after `help` and returns the exit status.
pub fn help(args: &[OsString]) -> i32 {
    let command = args.first().and_then(|word| word.to_str()).unwrap_or_default();
    match command {
        "" | "help" => main(&["--help".into()]),
        "status" => {
            let rows = job::exit_status::EXIT_STATUS
                .map(|(status, meaning)| (status.to_owned(), meaning.to_owned()));
            print(&::report::definitions(&rows, terminal::width()));
            0
        }
        name if Arguments::command().find_subcommand(name).is_some() => main(&[name.into(), "--help".into()]),
        name => {
            let line = unknown(OsStr::new(name), None);
            usage(&line.unwrap_or_else(|| format!("unknown command '{name}'")))
        }
    }
}

/// Returns what the command line `args` (without the program's name) orders of an agent.
///
/// # Errors
/// The parser does not accept it, or the command does not run on agents.
fn ordered(args: &[OsString]) -> Result<agent::OtherCommand, clap::Error> {
    let mut parser = parser();
    let argv = std::iter::once(OsString::from("fathom")).chain(words(&parser, args));
    let found = parser.try_get_matches_from_mut(argv)?;
    match Arguments::from_arg_matches(&found)?.command {
        Some(Command::Files(arguments)) => Ok(agent::OtherCommand::Files(arguments)),
        Some(Command::Objects(arguments)) => Ok(agent::OtherCommand::Objects(arguments)),
        Some(Command::Pts(arguments)) => Ok(agent::OtherCommand::Pts(arguments)),
        _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
    }
}

/// Runs the command that `args` (without the program's name) name and returns the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let args = &switches_behind_command(args);
    if let Some(line) = args.first().and_then(|word| unknown(word, args.get(1))) {
        return usage(&line);
    }
    let mut parser = parser();
    let argv = std::iter::once(OsString::from("fathom")).chain(words(&parser, args));
    let parsed = parser.try_get_matches_from_mut(argv).and_then(|found| Arguments::from_arg_matches(&found));
    let lang = lang::or_locale(parsed.as_ref().ok().and_then(|a| a.lang));
    match parsed {
        Ok(Arguments { command: Some(Command::Prefill(a)), .. }) => prefill::main(lang, a),
        Ok(Arguments { command: Some(Command::Explore(a)), .. }) => explore::main(lang, *a),
        Ok(Arguments { command: Some(Command::Sweep(a)), .. }) => sweep::main(lang, *a),
        Ok(Arguments { command: Some(Command::Fit(a)), .. }) => fit::main(lang, a),
        Ok(Arguments { command: Some(Command::Audit(a)), .. }) => audit::main(lang, a),
        Ok(Arguments { command: Some(Command::Cloud(a)), .. }) => cloud::main(lang, *a),
        Ok(Arguments { command: Some(Command::Characterize(a)), .. }) => characterize::main(lang, *a),
        Ok(Arguments { command: Some(Command::Ceph(a)), .. }) => ceph::main(lang, *a),
        Ok(Arguments { command: Some(Command::Files(a)), .. }) => {
            files::main(lang, *a, args.get(1..).unwrap_or_default())
        }
        Ok(Arguments { command: Some(Command::Objects(a)), .. }) => {
            objects::main(lang, *a, args.get(1..).unwrap_or_default())
        }
        Ok(Arguments { command: Some(Command::Catalog(a)), .. }) => catalog::main(lang, &a),
        Ok(Arguments { command: Some(Command::Rank(a)), .. }) => rank::main(lang, &a),
        Ok(Arguments { command: Some(Command::Pts(a)), .. }) => {
            pts::main(lang, *a, args.get(1..).unwrap_or_default())
        }
        Ok(Arguments { command: Some(Command::Explain(a)), .. }) => explain::main(lang, *a),
        Ok(Arguments { command: Some(Command::Report(a)), .. }) => report::main(a, lang),
        Ok(Arguments { command: Some(Command::Compare(a)), .. }) => compare::main(&a, lang),
        Ok(Arguments { command: Some(Command::Doctor { targets, json }), .. }) => {
            doctor::main(lang, &targets, json)
        }
        Ok(Arguments { command: Some(Command::List { place, limit, json }), .. }) => {
            stored::list(lang, &StoreChoice::of_switches(place.store, false), limit, json)
        }
        Ok(Arguments { command: Some(Command::Show { id, json: true, place, .. }), .. }) => {
            stored::export(lang, &StoreChoice::of_switches(place.store, false), id, false)
        }
        Ok(Arguments { command: Some(Command::Show { id, charts, place, .. }), .. }) => {
            stored::show(lang, &StoreChoice::of_switches(place.store, false), id, charts)
        }
        Ok(Arguments {
            command: Some(Command::Export { id, form: Form { share: Some(name), .. }, place }),
            ..
        }) => catalog::share(lang, id, &name, place.store),
        Ok(Arguments {
            command: Some(Command::Export { id, form: Form { iometer: true, .. }, place }),
            ..
        }) => stored::export_iometer(lang, &StoreChoice::of_switches(place.store, false), id),
        Ok(Arguments { command: Some(Command::Export { id, form, place }), .. }) => {
            stored::export(lang, &StoreChoice::of_switches(place.store, false), id, form.csv)
        }
        Ok(Arguments { command: Some(Command::Agent), .. }) => agent::main(&ordered),
        Ok(Arguments { command: Some(Command::Trace(a)), .. }) => trace::main(lang, &a),
        Ok(Arguments { command: Some(Command::Run(a)), .. }) => {
            fio::run(lang, a, args.get(1..).unwrap_or_default())
        }
        Ok(Arguments { command: Some(Command::Fio { fios }), .. }) => fio::fio(&fios),
        Ok(Arguments { command: Some(Command::Dd { operands }), .. }) => {
            dd::main(OsStr::new("dd"), &operands)
        }
        Ok(Arguments { command: Some(Command::Hdparm { words }), .. }) => hdparm::command(&words),
        Ok(Arguments { command: Some(Command::Ping { words }), .. }) => ping::main(&words),
        Ok(Arguments { command: Some(Command::Stat { words }), .. }) => stat::main(&words),
        Ok(a) => {
            if let Some(line) = a.target.as_ref().and_then(|target| unknown(target.as_os_str(), None)) {
                return usage(&line);
            }
            let keep = StoreChoice::of_switches(a.store, a.no_store);
            let asked = quick::CheckSwitches {
                json: a.json,
                charts: a.charts,
                seconds: a.seconds,
                prefill: a.prefill,
                required: a.required,
                view: a.view,
                hosts: a.hosts,
                dry_run: a.dry_run,
            };
            quick::main(lang, a.target.unwrap_or_else(|| ".".into()), asked, &keep)
        }
        Err(e) if e.use_stderr() && args.first().is_some_and(|word| word == "run") => {
            eprintln!("{}", run_command::refusal("run", &e));
            1
        }
        Err(e) => {
            if e.use_stderr() {
                // The message quotes the command line: `eprint!` of this crate escapes control characters.
                eprint!("{}", e.render());
            } else if let Err(why) = e.print().and_then(|()| std::io::stdout().flush()) {
                // `fathom fit -h | head`: the reader has what it wants.
                if why.kind() == ErrorKind::BrokenPipe {
                    crate::signal::reader_went_away();
                    return e.exit_code();
                }
                not_written(format_args!("the help could not be written to standard output: {why}"));
            }
            e.exit_code()
        }
    }
}

fn stored_id(text: &str) -> Result<StoredId, &'static str> {
    text.parse().map_err(|_| "a run is called R and its number, a study S and its number: R7, S12")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn switches_about_hosts_and_language_may_precede_the_command() {
        let moved = |line: &str| {
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let words = switches_behind_command(&words);
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(moved("--hosts a,b --dry-run run j.fio"), "run --hosts a,b --dry-run j.fio");
        assert_eq!(moved("--lang=de --rsh=x --hosts=a explore ."), "explore --lang=de --rsh=x --hosts=a .");
        assert_eq!(moved("--hosts a,b fio j.fio"), "fio --hosts a,b j.fio");
        for unmoved in [
            "--hosts a,b .",
            "--hosts a dd",
            "--hosts a,b --json run",
            "run --hosts a",
            "--lang de fio x",
            "--hosts",
        ] {
            assert_eq!(moved(unmoved), unmoved);
        }
    }

    #[test]
    fn help_lists_every_command_in_one_group_on_one_screen() {
        let mut named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        named.sort_unstable();
        let declared = declaration();
        // The agent is started by the program itself.
        let shown = declared.get_subcommands().filter(|command| !command.is_hide_set());
        let mut all: Vec<&str> = shown.map(clap::Command::get_name).collect();
        all.sort_unstable();
        assert_eq!(named, all);
        let lines = grouped(&declared, 80);
        // Without the options of the check, the commands fit a terminal of 25 lines.
        assert!(lines.lines().count() <= 25, "{lines}");
        assert!(lines.lines().all(|line| line.chars().count() <= 80), "{lines}");
    }
}
