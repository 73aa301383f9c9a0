//! Spellings that fio takes: every abbreviation of its options on the command line, values of each type, forms of a line in
//! a job file. `answers.txt` holds what fio 3.33 answered, so that this needs no fio; where fio is installed, cases drawn
//! at random are asked again. FATHOM_BLESS=1 with `--ignored record` asks fio for all of them anew.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should stop")]

mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/ours.rs"]
mod ours;

use cases::{Case, all};
use common::{Disk, Place, fio, fio_is_here};
use ours::ours;
use std::collections::HashMap;
use std::ffi::OsString;

const ANSWERS: &str = include_str!("answers.txt");

/// Words that fio calls ambiguous because it has two options of that name; fathom knows one of them.
const TAKEN: [&str; 1] = ["--siz="];
/// Values that fio takes and that mean nothing: a number below its range, of which fio prints an error and goes on, and a
/// text of which it reads the beginning. fathom refuses them and says what would be right. Sizes
/// in zones are not built.
const REFUSED: [&str; 6] =
    ["=-1", "--percentile_list=", "--sync=1,", "--fallocate=1,", "--bssplit=0", "--size=1024z"];

/// Whether the two may differ.
fn may_differ(text: &str, fio_takes: bool) -> bool {
    let among = |parts: &[&str]| parts.iter().any(|part| text.contains(part));
    if fio_takes { among(&REFUSED) } else { among(&TAKEN) }
}

fn words(case: &Case, place: &Place) -> Vec<OsString> {
    let base = ["--parse-only"];
    let line: Vec<String> = match case {
        Case::Word(word) => {
            let before = ["--name=a", "--ioengine=null", "--size=64k"];
            before.iter().map(ToString::to_string).chain([word.clone()]).collect()
        }
        Case::Line(line) => {
            std::fs::write(place.0.join("j.fio"), format!("[a]\nioengine=null\nsize=64k\n{line}\n")).unwrap();
            vec!["j.fio".into()]
        }
    };
    base.iter().map(ToString::to_string).chain(line).map(OsString::from).collect()
}

fn fathom_takes(case: &Case, place: &Place) -> bool {
    let words = words(case, place);
    ours(&words, &mut Disk { cwd: place.0.clone() }, &place.0).code == 0
}

fn fio_takes(case: &Case, place: &Place) -> bool {
    fio(&words(case, place), &place.0).code == 0
}

/// What fio answered to each case, by its text.
fn answers() -> HashMap<String, bool> {
    let line = |line: &str| Some((line.get(1..)?.to_owned(), line.starts_with('+')));
    ANSWERS.lines().filter_map(line).collect()
}

#[test]
fn spellings_are_taken_and_refused_as_fio_does() {
    let (place, answers) = (Place::new("spellings"), answers());
    let mut wrong = Vec::new();
    let cases = all();
    for case in &cases {
        let text = case.text();
        match answers.get(&text) {
            None => wrong.push(format!("{text}: fio was not asked; record its answer")),
            Some(taken) if *taken != fathom_takes(case, &place) && !may_differ(&text, *taken) => {
                wrong.push(format!("{text}: fio {}", if *taken { "takes it" } else { "refuses it" }));
            }
            Some(_) => {}
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn recorded_answers_are_those_of_the_fio_that_is_here() {
    if !fio_is_here() {
        return;
    }
    let (place, answers, cases) = (Place::new("spellings-again"), answers(), all());
    let seed = std::process::id() as usize;
    println!("seed {seed}");
    for n in 0..12 {
        let case = &cases[(seed + n * 7919) % cases.len()];
        assert_eq!(answers.get(&case.text()), Some(&fio_takes(case, &place)), "{}", case.text());
    }
}

#[test]
#[ignore = "asks fio some thousand times; FATHOM_BLESS=1 writes the answers"]
fn record_the_answers_of_fio() {
    if !fio_is_here() || std::env::var_os("FATHOM_BLESS").is_none() {
        return;
    }
    let cases = all();
    let part = |(number, part): (usize, &[Case])| -> String {
        let place = Place::new(&format!("spellings-record-{number}"));
        let sign = |case| if fio_takes(case, &place) { '+' } else { '-' };
        part.iter().map(|case| format!("{}{}\n", sign(case), case.text())).collect()
    };
    let text: String = std::thread::scope(|scope| {
        let parts: Vec<_> = cases
            .chunks(cases.len().div_ceil(4))
            .enumerate()
            .map(|one| scope.spawn(move || part(one)))
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).collect()
    });
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/spellings/answers.txt");
    std::fs::write(path, text).unwrap();
}
