//! fathom's own commands.

use crate::output::{not_written, print};
use crate::prefill::{self, When};
use crate::stored::{self, Keep};
use crate::{compare, doctor, duration, explore, fio, guess, lang, quick, report, terminal};
use ::report::Lang;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use stats::StoredId;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// A storage performance tool for Linux: runs fio's jobs, and answers in twenty seconds without any.
#[derive(Parser)]
#[command(name = "fathom", version, after_help = AFTER_HELP)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Own>,
    /// Directory, file or block device to check [default: current directory]. Devices and existing files are only
    /// read; in a directory, an unnamed scratch file is written and read
    target: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// Draw small charts below the card
    #[arg(long, conflicts_with = "json")]
    charts: bool,
    /// Measuring time of the check, all patterns together: 16, 30s, 1m
    #[arg(long, value_name = "TIME", default_value = "16s", value_parser = measured)]
    seconds: Duration,
    /// Fill unwritten ranges of an existing file before reading it
    #[arg(long, value_enum, default_value_t, value_name = "yes|no|ask", hide_possible_values = true)]
    prefill: When,
    /// Store the result in this file instead of your own store (see `fathom list`)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Do not store the result
    #[arg(long, conflicts_with = "store")]
    no_store: bool,
    /// Language of the output: English, Chinese, Russian or German [default: from LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, global = true, value_name = "en|zh|ru|de", value_parser = lang::parse)]
    lang: Option<Lang>,
}

#[derive(Subcommand)]
enum Own {
    /// Show the storage stack under a target and what in it distorts measurements; reads only, needs no root
    Doctor {
        /// Directories, files or block devices [default: current directory]
        #[arg(value_name = "TARGET", default_value = ".")]
        targets: Vec<PathBuf>,
        /// Print the result as JSON; an array if there are several targets
        #[arg(long)]
        json: bool,
    },
    Prefill(prefill::Arguments),
    Explore(Box<explore::Arguments>),
    Report(report::Arguments),
    Compare(compare::Arguments),
    /// List stored results, newest first: runs and checks (R7), studies (S12)
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
    /// Show the card of a stored result again
    Show {
        /// Name of the result in `fathom list`: R7, S12
        id: StoredId,
        /// Draw small charts below the card
        #[arg(long)]
        charts: bool,
        #[command(flatten)]
        place: Place,
    },
    /// Print a stored result as one JSON document, or its rows as CSV
    Export {
        /// Name of the result in `fathom list`: R7, S12
        id: StoredId,
        #[command(flatten)]
        form: Form,
        #[command(flatten)]
        place: Place,
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
}

const AFTER_HELP: &str = "\
Other commands:
  fathom run ARGS...     Run fio's options and job files, print a card with a grade (fathom run --help)
  fathom fio ARGS...     Run fio's command line with fio's report and exit status (fathom fio --help)
  fathom help [COMMAND]  Print this text or the help of a command; `fathom help status`: exit statuses

A link named fio to this program behaves like `fathom fio`.";

/// Reads `--seconds`.
fn measured(text: &str) -> Result<Duration, String> {
    let time = duration::parse(text)?;
    let right = Duration::from_secs(1)..=Duration::from_secs(3600);
    if right.contains(&time) { Ok(time) } else { Err("the measuring time must be from 1s to 1h".to_owned()) }
}

/// The parser of the own commands; its help is as wide as the terminal.
fn parser() -> clap::Command {
    Arguments::command().term_width(terminal::width().clamp(20, 100))
}

/// Every switch of the own commands as `crates/job/src/own.txt` has it, for the man page and the completions: command
/// (nothing for the check), switch, value, help, between tabs; a line without a switch is the command itself.
#[cfg(test)]
fn switches() -> String {
    use crate::run_help;
    let whole = Arguments::command();
    let mut text = String::new();
    for (name, command) in
        std::iter::once(("", &whole)).chain(whole.get_subcommands().map(|c| (c.get_name(), c)))
    {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        text += &format!("{name}\t\t\t{about}\n");
        for arg in command.get_arguments() {
            let Some(long) = arg.get_long().filter(|long| !matches!(*long, "help" | "version")) else {
                continue;
            };
            let takes = arg.get_action().takes_values();
            let value = arg.get_value_names().and_then(|names| names.first()).filter(|_| takes);
            let value = value.map(ToString::to_string).unwrap_or_default();
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            text += &format!("{name}\t{long}\t{value}\t{}\n", help.replace('\n', " "));
        }
    }
    text += &format!("run\t\t\t{}\n", run_help::ABOUT);
    for (switch, value, help) in run_help::SWITCHES.iter().filter(|(switch, ..)| *switch != "help") {
        text += &format!("run\t{switch}\t{value}\t{help}\n");
    }
    text
}

/// Why a word is no command of ours, if it looks like a misspelt one.
fn unknown(word: &OsStr, next: Option<&OsString>) -> Option<String> {
    let command = Arguments::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    let word = word.to_str()?;
    if names.contains(&word) {
        return None;
    }
    guess::unknown(word, next.and_then(|next| next.to_str()), names.into_iter().chain(["run", "fio", "help"]))
}

fn usage(line: &str) -> i32 {
    eprintln!("fathom: {line} (fathom help lists the commands)");
    2
}

/// `fathom help [COMMAND]`; the exit status.
pub fn help(args: &[OsString]) -> i32 {
    let command = args.first().and_then(|word| word.to_str()).unwrap_or_default();
    match command {
        "" | "help" => main(&["--help".into()]),
        "fio" => fio::main(&["--help".into()], "fio", job::Dialect::Fio),
        "run" => fio::main(&["--help".into()], "fathom run", job::Dialect::Run),
        "status" => {
            let rows =
                job::manual::EXIT_STATUS.map(|(status, meaning)| (status.to_owned(), meaning.to_owned()));
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

/// Runs an own command; the exit status.
pub fn main(args: &[OsString]) -> i32 {
    if let Some(line) = args.first().and_then(|word| unknown(word, args.get(1))) {
        return usage(&line);
    }
    let argv = std::iter::once(OsString::from("fathom")).chain(args.iter().cloned());
    let parsed = parser().try_get_matches_from(argv).and_then(|found| Arguments::from_arg_matches(&found));
    let lang = lang::or_locale(parsed.as_ref().ok().and_then(|a| a.lang));
    match parsed {
        Ok(Arguments { command: Some(Own::Prefill(a)), .. }) => prefill::main(lang, a),
        Ok(Arguments { command: Some(Own::Explore(a)), .. }) => explore::main(lang, *a),
        Ok(Arguments { command: Some(Own::Report(a)), .. }) => report::main(a, lang),
        Ok(Arguments { command: Some(Own::Compare(a)), .. }) => compare::main(&a, lang),
        Ok(Arguments { command: Some(Own::Doctor { targets, json }), .. }) => {
            doctor::main(lang, &targets, json)
        }
        Ok(Arguments { command: Some(Own::List { place, limit, json }), .. }) => {
            stored::list(lang, &Keep::asked(place.store, false), limit, json)
        }
        Ok(Arguments { command: Some(Own::Show { id, charts, place }), .. }) => {
            stored::show(lang, &Keep::asked(place.store, false), id, charts)
        }
        Ok(Arguments { command: Some(Own::Export { id, form, place }), .. }) => {
            stored::export(&Keep::asked(place.store, false), id, form.csv)
        }
        Ok(a) => {
            if let Some(line) = a.target.as_ref().and_then(|target| unknown(target.as_os_str(), None)) {
                return usage(&line);
            }
            let keep = Keep::asked(a.store, a.no_store);
            quick::main(
                lang,
                a.target.unwrap_or_else(|| ".".into()),
                a.json,
                a.seconds,
                a.prefill,
                &keep,
                a.charts,
            )
        }
        Err(e) => {
            if e.use_stderr() {
                // It repeats what was typed.
                eprint!("{}", e.render());
            } else if let Err(why) = e.print().and_then(|()| std::io::stdout().flush()) {
                not_written(format_args!("the help could not be written to standard output: {why}"));
            }
            e.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    #[allow(clippy::unwrap_used)]
    fn the_man_page_and_the_completions_know_every_switch() {
        let top = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (path, text) = (top.join("crates/job/src/own.txt"), super::switches());
        if std::env::var_os("FATHOM_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == text,
            "own.txt is stale; FATHOM_BLESS=1 cargo test -p fathom, then -p fathom-job writes all"
        );
        let page = |name: &str| std::fs::read_to_string(top.join(name)).unwrap();
        let (man, bash, zsh, fish) = (
            page("man/fathom.1"),
            page("completions/fathom.bash"),
            page("completions/_fathom"),
            page("completions/fathom.fish"),
        );
        for line in text.lines() {
            let mut cells = line.split('\t');
            let (command, switch) = (cells.next().unwrap(), cells.next().unwrap());
            if switch.is_empty() {
                assert!(
                    man.contains(&format!("fathom {command}").trim_end().replace('-', "\\-")),
                    "{command}"
                );
                continue;
            }
            assert!(man.contains(&format!("\\-\\-{}", switch.replace('-', "\\-"))), "{command} --{switch}");
            assert!(bash.contains(&format!("--{switch}")), "{command} --{switch}");
            assert!(zsh.contains(&format!("--{switch}")), "{command} --{switch}");
            assert!(fish.contains(&format!("-l {switch}")), "{command} --{switch}");
        }
    }
}
