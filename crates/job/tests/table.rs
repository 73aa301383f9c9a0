//! Laws over the option table.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should stop")]

mod common;

use common::Memory;
use job::option::{Compat, Kind, Opt, Section};
use job::sections::read_alone;
use job::table;
use std::collections::HashSet;
use std::process::Command;

#[test]
fn names_and_aliases_are_unique() {
    let mut seen = HashSet::new();
    for row in table::rows() {
        for name in [&row.name].into_iter().chain(row.aliases) {
            assert!(seen.insert(*name), "{name} is there twice");
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c)), "{name}");
        }
        assert!(!row.help.is_empty(), "{} has no help", row.name);
    }
}

/// What is said to be newer than fio 3.33 is what that calls unknown, among the options that it can be asked about.
#[test]
fn what_is_newer_is_what_fio_does_not_know() {
    if !common::fio_is_here() {
        return;
    }
    let place = common::Place::new("newer");
    // fio names all bad options of a section at once.
    let unknown = |engine: &str, names: &[&str]| -> HashSet<String> {
        let options: String = names.iter().map(|name| format!("{name}=1\n")).collect();
        std::fs::write(place.0.join("j.fio"), format!("[a]\nioengine={engine}\n{options}")).unwrap();
        let said = common::fio(&["--parse-only".into(), "j.fio".into()], &place.0).stderr;
        let bad = said.lines().filter_map(|line| line.strip_prefix("Bad option <")?.split('=').next());
        bad.map(str::to_owned).collect()
    };
    let names = |engine: &str| -> Vec<&'static str> {
        let of = |row: &&Opt| {
            if engine.is_empty() { row.engines.is_empty() } else { row.engines.contains(&engine) }
        };
        let rows = table::rows().filter(|row| row.compat != Compat::Ours && row.section != Section::Profile);
        rows.filter(of).flat_map(|row| [&row.name].into_iter().chain(row.aliases)).copied().collect()
    };
    let listed = Command::new("fio").arg("--enghelp").output().unwrap().stdout;
    let listed = String::from_utf8(listed).unwrap();
    let engines = listed.lines().skip(1).map(str::trim).filter(|engine| !names(engine).is_empty());
    let (mut asked, mut known) = (HashSet::new(), HashSet::new());
    for engine in std::iter::once("").chain(engines) {
        let names = names(engine);
        let unknown = unknown(if engine.is_empty() { "null" } else { engine }, &names);
        known.extend(names.iter().copied().filter(|name| !unknown.contains(*name)));
        asked.extend(names);
    }
    assert!(asked.len() > 250 && known.len() > 200, "{} {}", asked.len(), known.len());
    for row in table::rows().filter(|row| asked.contains(row.name)) {
        let theirs = [&row.name].into_iter().chain(row.aliases).any(|name| known.contains(name));
        assert_eq!(row.newer(), !theirs, "{}", row.name);
    }
    for row in table::rows().filter(|row| row.compat == Compat::Newer) {
        assert!(row.newer(), "{}", row.name);
    }
}

#[test]
fn defaults_and_examples_parse_and_come_back() {
    for row in table::rows().filter(|row| row.compat.works()) {
        assert!(!row.example.is_empty(), "{} has no example", row.name);
        let texts = [row.default, row.example].into_iter().filter(|text| !text.is_empty());
        for text in texts {
            let machine = &mut Memory::default();
            let (spec, _) =
                read_alone(row, text, machine).unwrap_or_else(|bad| panic!("{}={text}: {bad}", row.name));
            let got = (row.get)(&spec).unwrap_or_else(|| panic!("{}={text} is not to be had back", row.name));
            let (again, _) = read_alone(row, &got.to_string(), machine)
                .unwrap_or_else(|bad| panic!("{}={got}: {bad}", row.name));
            assert!(spec.means_the_same(&again), "{}={text} came back as {got}", row.name);
            assert!(!spec.means_the_same(&Default::default()), "{}={text} was not stored", row.name);
        }
    }
}

#[test]
fn bounds_hold() {
    for row in table::rows().filter(|row| row.compat.works()) {
        let (min, max) = match row.kind {
            Kind::Int { min, max } | Kind::Ints { min, max } => (min, max),
            Kind::Bool => (0, 1),
            _ => continue,
        };
        for (n, good) in
            [(Some(min), true), (Some(max), true), (min.checked_sub(1), false), (max.checked_add(1), false)]
        {
            // i64::MIN has no positive twin that a reader of digits could negate.
            let Some(n) = n.filter(|n| *n != i64::MIN) else { continue };
            let read = read_alone(row, &n.to_string(), &mut Memory::default());
            assert_eq!(read.is_ok(), good, "{}={n}: {read:?}", row.name);
        }
    }
}

#[test]
fn every_option_that_fio_lists_is_a_row() {
    if !common::fio_is_here() {
        return;
    }
    let ask = |arg: String| String::from_utf8(Command::new("fio").arg(arg).output().unwrap().stdout).unwrap();
    let first = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.contains(':') && !line.starts_with("IO engine"))
            .map(|line| line.split([' ', ':']).find(|word| !word.is_empty()).unwrap().to_owned())
            .collect()
    };
    let mut names = first(&ask("--cmdhelp=all".into()));
    assert!(names.len() > 200, "{names:?}");
    for engine in ask("--enghelp".into()).lines().skip(1) {
        let engine = engine.trim();
        let row = table::find("ioengine").unwrap();
        let Kind::Choice { choices: words, .. } = row.kind else { panic!("ioengine is no word") };
        assert!(words.iter().any(|word| word.name == engine), "engine {engine} is not known");
        names.extend(first(&ask(format!("--enghelp={engine}"))));
    }
    let missing: Vec<&String> = names.iter().filter(|name| table::find(name).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
