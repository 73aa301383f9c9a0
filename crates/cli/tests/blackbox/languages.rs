//! `--lang`, and without it the locale, decide in which language a person reads the answer; data has none.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::{self, DATA_HOME, Ran};

const FATHOM: &str = env!("CARGO_BIN_EXE_fathom");
const JOB: [&str; 6] = ["--name=a", "--ioengine=null", "--size=64k", "--bs=4k", "--rw=read", "--thread"];

/// The line with the grade of a run without storage, by language.
const TRUST: [(&str, &str); 4] = [
    ("en", "trust        C ("),
    ("zh", "可信度   C ("),
    ("ru", "доверие     C ("),
    ("de", "Bewertung      C ("),
];

/// Runs the program with these and no other variables of the locale.
fn fathom(args: &[&str], locale: &[(&str, &str)], dir: &Path) -> Ran {
    let mut command = Command::new(FATHOM);
    command.args(args).current_dir(dir).env(DATA_HOME, dir.join("data"));
    ["LC_MESSAGES", "LANG"].iter().for_each(|name| {
        command.env_remove(name);
    });
    // An empty LC_ALL is none.
    command.env("LC_ALL", "").envs(locale.iter().copied());
    child::run(&mut command, Duration::from_secs(60)).unwrap()
}

fn job<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&[command][..], &JOB, more].concat()
}

#[test]
fn the_card_is_in_the_language_asked_for_or_of_the_locale() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for (lang, trust) in TRUST {
        let asked = format!("--lang={lang}");
        // What is asked for comes before the locale, whatever that is.
        let said = fathom(&job("run", &[&asked, "--no-store"]), &[("LC_ALL", "ru_RU.UTF-8")], dir);
        assert!(said.code == Some(0) && said.stdout.contains(trust), "{said:?}");
        let locale = format!("{lang}_XX.UTF-8");
        for set in [
            &[("LANG", locale.as_str())][..],
            &[("LC_MESSAGES", &locale), ("LANG", "zh_CN")],
            &[("LC_ALL", &locale), ("LC_MESSAGES", "de_DE"), ("LANG", "zh_CN")],
        ] {
            let said = fathom(&job("run", &["--no-store"]), set, dir);
            assert!(said.stdout.contains(trust), "{set:?}: {said:?}");
        }
        let empty = fathom(&["list", "--lang", lang], &[], dir).stdout;
        assert_eq!(fathom(&["--lang", lang, "list"], &[], dir).stdout, empty, "before the command");
        assert_eq!(empty == "nothing is stored yet\n", lang == "en", "{empty}");
    }
    let said = fathom(&job("run", &["--no-store"]), &[("LC_ALL", "fr_FR.UTF-8"), ("LANG", "de_DE")], dir);
    assert!(said.stdout.contains("trust "), "{said:?}");
    // What was kept has no language: it is shown in any.
    fathom(&job("run", &["--lang=de"]), &[], dir);
    let place = dir.to_string_lossy().into_owned();
    let doctor = fathom(&["doctor", &place, "--lang=de"], &[], dir);
    assert!(doctor.stdout.contains("\nZiel und Dateisystem\n"), "{doctor:?}");
    let shown = fathom(&["show", "R1", "--lang=zh"], &[], dir);
    assert!(shown.stdout.contains("可信度"), "{shown:?}");
}

#[test]
fn data_and_fio_are_english_and_an_unknown_language_is_one_clear_error() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let german = [("LC_ALL", "de_DE.UTF-8")];
    let json = fathom(&job("run", &["--json", "--lang=de", "--no-store"]), &[], dir);
    assert!(
        json.stdout.contains("no storage was used") && !json.stdout.contains("Lastgenerator"),
        "{json:?}"
    );
    let fio = fathom(&job("fio", &[]), &german, dir);
    assert!(fio.stdout.contains("Run status group 0") && fio.stderr.is_empty(), "{fio:?}");
    let wrong = fathom(&job("run", &["--lang=fr"]), &german, dir);
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(1), ""), "{wrong:?}");
    assert_eq!(wrong.stderr, "fathom run: --lang=fr: one of en, zh, ru or de is right\n");
    let wrong = fathom(&["list", "--lang=fr"], &german, dir);
    assert!(wrong.code == Some(2) && wrong.stderr.contains("one of en, zh, ru or de is right"), "{wrong:?}");
    // fio has no such option.
    assert_ne!(fathom(&job("fio", &["--lang=de"]), &[], dir).code, Some(0));
}
