//! The width of the terminal is obeyed: cards, tables, help and the live line, in every language; a pipe gets all of it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME};
use testbed::{Pty, Sandbox, pty};

const WIDTHS: [u16; 4] = [40, 60, 80, 120];
const LANGS: [&str; 4] = ["en", "zh", "ru", "de"];
const LIMIT: Duration = Duration::from_secs(60);

fn fathom(args: &[&str], dir: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(args).current_dir(dir).env(DATA_HOME, dir.join("data")).env("LC_ALL", "C.UTF-8");
    command
}

/// Columns that the text takes on a terminal.
fn columns(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Text without what sets colours.
fn plain(sent: &str) -> String {
    let mut parts = sent.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// Lines as the program sent them, before a terminal breaks those that are too long.
fn lines(sent: &str) -> Vec<String> {
    plain(sent)
        .split('\n')
        .map(|line| line.trim_end_matches('\r').rsplit('\r').next().unwrap_or_default().to_string())
        .collect()
}

/// No line is wider than the screen, but for one word that cannot be broken.
fn assert_fits(sent: &str, width: u16, what: &str) {
    for line in lines(sent) {
        // clap keeps the usage in one line, as a shell would read it.
        let one_word = line.split_whitespace().count() <= 1 || line.starts_with("Usage: fathom ");
        assert!(
            one_word || columns(&line) <= usize::from(width),
            "{what} on {width}: {line:?} of {}",
            columns(&line)
        );
    }
}

/// A store with a run, a run of two jobs with long names, and a study.
fn store(dir: &Path) {
    let file = dir.join("target");
    std::fs::write(&file, vec![7; 1 << 20]).unwrap();
    let name = format!("--filename={}", file.display());
    let long = format!("--name={}", "a-long-name-of-a-job-".repeat(4));
    let ran = |args: &[&str]| {
        let ran = child::run(&mut fathom(args, dir), LIMIT).unwrap();
        assert!(!ran.overran && !ran.stdout.is_empty(), "{args:?}: {ran:?}");
    };
    ran(&["run", "--name=a", &name, "--rw=randread", "--bs=4k", "--size=64k", "--ioengine=psync"]);
    ran(&[
        "run",
        &long,
        &name,
        "--rw=read",
        "--bs=4k",
        "--size=64k",
        "--ioengine=psync",
        "--name=b",
        &name,
        "--rw=read",
        "--size=64k",
    ]);
    ran(&[
        "explore",
        "model:servers=8;law=constant:10ms",
        "--budget=1m",
        "--patterns=4k-randread,4k-randrw70",
        "--questions=depth,bs",
    ]);
}

#[test]
fn no_line_is_wider_than_the_terminal_in_any_language() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    store(dir);
    let commands: &[&[&str]] = &[
        &["list"],
        &["show", "R1", "--charts"],
        &["show", "R2"],
        &["show", "S1", "--charts"],
        &["compare", "R1", "R2", "--anyway"],
        &["doctor", "."],
        &["report", "R1", "--charts"],
    ];
    for (number, lang) in LANGS.into_iter().enumerate() {
        // Each width with each command once; each language with a quarter of them.
        for (at, args) in commands.iter().enumerate() {
            for (n, width) in WIDTHS.into_iter().enumerate() {
                if (at + n) % 4 != number && std::env::var_os("FATHOM_ALL_SCREENS").is_none() {
                    continue;
                }
                let args = [*args, &["--lang", lang]].concat();
                let shown = pty::run(&mut fathom(&args, dir), width, LIMIT).unwrap();
                assert!(shown.status.is_some() && !shown.rows.is_empty(), "{args:?}: {shown:?}");
                assert_fits(&shown.sent, width, &args.join(" "));
            }
        }
    }
}

#[test]
fn help_is_as_wide_as_the_terminal() {
    let sandbox = Sandbox::in_memory().unwrap();
    let all: &[&[&str]] =
        &[&["help"], &["help", "run"], &["help", "status"], &["explore", "--help"], &["compare", "--help"]];
    for (at, args) in all.iter().enumerate() {
        for width in [WIDTHS[at % 4], WIDTHS[(at + 1) % 4]] {
            let shown = pty::run(&mut fathom(args, sandbox.path()), width, LIMIT).unwrap();
            assert_eq!(shown.status.and_then(|s| s.code()), Some(0), "{args:?}: {shown:?}");
            assert_fits(&shown.sent, width, &args.join(" "));
        }
    }
}

#[test]
fn a_run_into_a_terminal_leaves_its_card_and_no_pieces_of_the_live_line() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let name = format!("--name={}", "long".repeat(20));
    let job =
        ["--ioengine=null", "--rw=randread", "--bs=4k", "--size=1m", "--time_based", "--runtime=1500ms"];
    for (width, lang) in [(40, "--lang=zh"), (60, "--lang=de")] {
        let args = [&["run", &name, lang, "--no-store"][..], &job].concat();
        let shown = pty::run(&mut fathom(&args, dir), width, LIMIT).unwrap();
        assert_eq!(shown.status.and_then(|s| s.code()), Some(0), "{shown:?}");
        assert!(shown.sent.matches('\r').count() > 4, "no live line: {:?}", shown.sent);
        let card = lines(&shown.sent).iter().filter(|line| !line.is_empty()).count();
        assert!(shown.rows.iter().filter(|row| !row.is_empty()).count() <= card, "{:?}", shown.rows);
        assert!(shown.rows[0].starts_with("fathom "), "{:?}", shown.rows);
        // Each time it is drawn it takes one row.
        let drawn = shown.sent.split("fathom ").next().unwrap_or_default();
        assert!(drawn.split('\r').all(|line| columns(line) < usize::from(width)), "{drawn:?}");
    }
    // fio's own line, on standard output.
    let args = [&["fio", &name][..], &job].concat();
    let shown = pty::run(&mut fathom(&args, dir), 30, LIMIT).unwrap();
    let pieces = shown.rows.iter().filter(|row| row.contains("eta 00m") || row.starts_with("Jobs: ")).count();
    assert!(
        pieces <= 1 && shown.sent.contains("\rJobs: 1") | shown.sent.contains("\nJobs: 1"),
        "{:?}",
        shown.rows
    );
}

#[test]
fn a_window_that_gets_narrower_keeps_the_live_line_in_one_row() {
    let sandbox = Sandbox::in_memory().unwrap();
    let name = format!("--name={}", "long".repeat(20));
    let args = [
        "run",
        &name,
        "--no-store",
        "--ioengine=null",
        "--rw=randread",
        "--bs=4k",
        "--size=1m",
        "--time_based",
    ];
    let mut command = fathom(&args, sandbox.path());
    let mut pty = Pty::start(command.arg("--runtime=2"), 120).unwrap();
    pty.read_for(Duration::from_millis(900)).unwrap();
    assert!(pty.rows().len() <= 1, "{:?}", pty.rows());
    pty.resize(25).unwrap();
    pty.read_for(Duration::from_millis(700)).unwrap();
    // What was drawn before the window changed may still stand in rows of its own; nothing is added to it.
    assert!(pty.rows().len() <= 2, "{:?}", pty.rows());
    let shown = pty.finish(LIMIT).unwrap();
    assert_eq!(shown.status.and_then(|s| s.code()), Some(0), "{shown:?}");
}

#[test]
fn nothing_is_cut_in_a_pipe() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    store(dir);
    for args in [
        &["list"][..],
        &["show", "R1"],
        &["show", "R2"],
        &["show", "S1"],
        &["doctor", "."],
        &["compare", "R1", "R2", "--anyway"],
    ] {
        let ran = child::run(&mut fathom(args, dir), LIMIT).unwrap();
        assert!(!ran.stdout.contains('…') && !ran.stdout.is_empty(), "{args:?}: {}", ran.stdout);
    }
    let long = "a-long-name-of-a-job-".repeat(4);
    let list = child::run(&mut fathom(&["list"], dir), LIMIT).unwrap().stdout;
    assert!(list.lines().count() == 4 && list.contains(&long), "{list}");
    let card = child::run(&mut fathom(&["show", "R2"], dir), LIMIT).unwrap().stdout;
    assert!(card.contains(&long), "{card}");
}
