//! Text from files and names is shown as text: no character that a terminal or a browser would obey comes through; and a
//! job file's programs are not started unseen.

use crate::common::side_by_side;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};
use testbed::child::{Ran, run};
use testbed::{Bounded, Sandbox};

const LIMIT: Duration = Duration::from_secs(30);

/// What must not be seen as it is: control characters, separators, marks of direction, invisible characters.
fn obeyed(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
        || ('\u{e0000}'..='\u{e007f}').contains(&c)
}

const PIECES: [&str; 18] = [
    "\x1b[31m",
    "\x1b]0;t\x07",
    "\x08",
    "\x7f",
    "\r",
    "\u{9b}2J",
    "\u{85}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{200f}",
    "\u{2028}",
    "\u{feff}",
    "\u{e0041}",
    "<b>",
    "&",
    "\"",
    "é",
];

/// A text without `/`, line break, NUL and what ends a value in a job file.
fn draw(seed: u64) -> String {
    let mut state = seed | 1;
    let mut text = String::from("t");
    for _ in 0..6 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        text += PIECES[(state >> 33) as usize % PIECES.len()];
        text.push((b'a' + (state >> 20) as u8 % 26) as char);
    }
    // One at least is never shown as it is.
    text + "\u{202e}\x1b[0mz"
}

#[track_caller]
fn is_text(bytes: &[u8], what: &str) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|e| panic!("{what}: {e}"));
    if let Some(at) = text.find(obeyed) {
        let from = text[..at].char_indices().rev().nth(60).map_or(0, |(n, _)| n);
        panic!("{what}: {:?} is not shown as text: {:?}", text[at..].chars().next(), &text[from..at + 4]);
    }
}

/// Runs `fathom args` in `dir`; both streams are text. Standard output.
fn said(dir: &Path, args: &[&OsStr], env: Option<(&str, &str)>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(args).current_dir(dir).envs(env).env("FATHOM_FINDINGS", "1");
    let out = command.env_remove("HOME").env_remove("XDG_DATA_HOME").output_within(LIMIT).unwrap();
    is_text(&out.stdout, &format!("stdout of {args:?}"));
    is_text(&out.stderr, &format!("stderr of {args:?}"));
    String::from_utf8(out.stdout).unwrap()
}

fn everywhere(text: &str, pages: bool) {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let say = |args: &[&str]| said(dir, &args.iter().map(OsStr::new).collect::<Vec<_>>(), None);
    let (name, about) = (format!("--name={text}"), format!("--description={text}"));
    let job = [name.as_str(), about.as_str(), "--ioengine=null", "--size=64k", "--rw=randread"];
    let fio = say(&[&["fio"], &job[..]].concat());
    assert!(fio.contains("\\u{202e}\\x1b[0mz"), "{fio}");
    say(&[&["fio", "--output-format=terse,csv"], &job[..]].concat());
    let json = say(&[&["fio", "--output-format=json"], &job[..]].concat());
    let value: serde_json::Value = serde_json::from_str(&json[json.find('{').unwrap()..]).unwrap();
    assert_eq!(value["jobs"][0]["jobname"].as_str().unwrap(), text, "JSON means what was typed");
    std::fs::write(sandbox.join("result.json"), &json).unwrap();
    let file = format!("[{text}]\ndescription={text}\nioengine=null\nsize=64k\n");
    std::fs::write(sandbox.join("good.fio"), &file).unwrap();
    say(&["run", "--store=s", "good.fio"]);
    say(&["list", "--store=s"]);
    say(&["show", "R1", "--store=s", "--charts"]);
    say(&["export", "R1", "--csv", "--store=s"]);
    for (n, line) in
        [format!("{text}=1"), format!("bs={text}"), format!("ioengine={text}"), format!("include {text}")]
            .iter()
            .enumerate()
    {
        let bad = format!("bad{n}.fio");
        std::fs::write(sandbox.join(&bad), format!("[{text}]\nsize=64k\n{line}\n")).unwrap();
        say(&["fio", &bad]);
        say(&["run", "--no-store", &bad]);
    }
    std::fs::write(sandbox.join(text), b"{\"jobs\": 1}").unwrap();
    let option = format!("--{text}=1");
    let lang = format!("--lang={text}");
    let rw = format!("--rw={text}");
    for args in [
        &["fio", text][..],
        &["fio", &option],
        &["fio", &name, &rw],
        &["run", &lang],
        &[text],
        &[&lang],
        &[&option],
        &["doctor", text],
        &["report", text, "--charts"],
        &["compare", text, "result.json"],
        &["show", text],
        &["explore", "--questions", text, "."],
        &["prefill", text, "--size", text],
    ] {
        say(args);
    }
    let odd = OsString::from_vec([text.as_bytes(), b"\xff\xfe"].concat());
    for command in ["fio", "doctor", "report"] {
        said(dir, &[OsStr::new(command), &odd], None);
    }
    said(dir, &[OsStr::new("list")], Some(("LC_ALL", text)));
    if pages {
        say(&["report", "result.json", "-o", "page.html", "--svg", "svg"]);
        let page = std::fs::read(sandbox.join("page.html")).unwrap();
        is_text(&page, "page");
        let mut drawings = 0;
        for entry in std::fs::read_dir(sandbox.join("svg")).unwrap().flatten() {
            is_text(&std::fs::read(entry.path()).unwrap(), "SVG");
            drawings += 1;
        }
        assert!(drawings > 0, "{text:?}");
    }
}

fn draw_and_try(count: u64) {
    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64;
    println!("seed {seed}");
    let texts: Vec<(u64, String)> =
        (0..count).map(|n| (n, draw(seed.wrapping_add(n.wrapping_mul(0x9e37_79b9_7f4a_7c15))))).collect();
    side_by_side(&texts, |(n, text)| everywhere(text, n % 4 == 0));
}

#[test]
fn drawn_hostile_texts_are_shown_as_text_everywhere() {
    draw_and_try(4);
}

#[test]
#[ignore = "long: a hundred texts through every place"]
fn a_hundred_hostile_texts_are_shown_as_text_everywhere() {
    draw_and_try(100);
}

fn fathom_in(dir: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    run(command.args(args).current_dir(dir), LIMIT).unwrap()
}

/// A line break in a name does not begin a message of its own.
#[test]
fn a_line_break_in_a_path_or_name_stays_in_its_line() {
    let sandbox = Sandbox::in_memory().unwrap();
    let fathom = |args: &[&str]| fathom_in(sandbox.path(), args);
    for args in [
        &["doctor", "a\nforged: line"][..],
        &["report", "a\nforged: line", "--charts"],
        &["fio", "a\nforged: line"],
    ] {
        let ran = fathom(args);
        assert!(ran.code != Some(0), "{ran:?}");
        assert!(ran.stderr.lines().all(|line| !line.starts_with("forged")), "{ran:?}");
        assert!(ran.stderr.contains("a\\nforged"), "{ran:?}");
    }
    let ran = fathom(&[
        "fio",
        "--name=a\nforged: line",
        "--ioengine=null",
        "--size=64k",
        "--description=b\nforged",
    ]);
    assert!(ran.stdout.lines().all(|line| !line.starts_with("forged")), "{ran:?}");
}

/// `--readonly` starts no program and deletes nothing; `fathom run` names the programs of a job file before it starts them.
#[test]
fn readonly_starts_no_program_and_deletes_nothing() {
    let sandbox = Sandbox::in_memory().unwrap();
    let fathom = |args: &[&str]| fathom_in(sandbox.path(), args);
    let made = sandbox.join("made");
    let null = "ioengine=null\nsize=64k\n";
    for section in [
        format!("{null}exec_prerun=touch made\n"),
        format!("{null}exec_postrun=touch made\n"),
        "ioengine=exec\nprogram=touch\narguments=made\n".to_owned(),
    ] {
        std::fs::write(sandbox.join("j.fio"), format!("[global]\n[a]\n{section}[b]\n{section}")).unwrap();
        for command in ["fio", "run"] {
            let ran = fathom(&[command, "--readonly", "j.fio"]);
            assert!(ran.code == Some(3) && ran.stderr.lines().count() == 1, "{section}: {ran:?}");
            assert!(ran.stderr.contains("starts no program") && !made.exists(), "{section}: {ran:?}");
        }
        let ran = fathom(&["run", "--no-store", "j.fio"]);
        assert!(ran.code == Some(0) && made.exists(), "{section}: {ran:?}");
        let first = ran.stderr.lines().next().unwrap_or_default();
        assert!(first.starts_with("fathom: these jobs start programs: `touch made` (job a)"), "{ran:?}");
        assert_eq!(ran.stderr.matches("these jobs start programs").count(), 1, "{ran:?}");
        std::fs::remove_file(&made).unwrap();
        assert!(!fathom(&["fio", "j.fio"]).stderr.contains("start programs"));
        std::fs::remove_file(&made).unwrap();
    }
    let path = sandbox.file("data", 64 << 10).unwrap();
    for option in ["--unlink=1", "--unlink_each_loop=1"] {
        let ran =
            fathom(&["fio", "--readonly", "--name=r", "--rw=read", "--filename=data", "--loops=2", option]);
        assert!(ran.code == Some(0) && path.exists(), "{option}: {ran:?}");
    }
}
