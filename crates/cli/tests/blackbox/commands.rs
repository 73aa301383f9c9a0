//! Words that are no command, help, lengths of time, several targets, and what refuses with which status.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME, Ran};
use testbed::{Need, Sandbox};

fn fathom(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    child::run(command.args(args).current_dir(dir).env(DATA_HOME, dir.join("data")), Duration::from_secs(60))
        .unwrap()
}

#[test]
fn a_misspelt_command_is_guessed_and_measures_nothing() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for (args, meant) in [
        (&["reprot", "R1"][..], "unknown command 'reprot'; did you mean report?"),
        (&["docter", "."], "unknown command 'docter'; did you mean doctor?"),
        (&["shwo"], "unknown command 'shwo'; did you mean show?"),
        (&["rnu", "job.fio"], "unknown command 'rnu'; did you mean run?"),
        (&["--lang=de", "expolre"], "unknown command 'expolre'; did you mean explore?"),
        (&["help", "comapre"], "unknown command 'comapre'; did you mean compare?"),
        (&["check", "."], "unknown command 'check'; to check a target: fathom ."),
    ] {
        let ran = fathom(args, dir);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
        assert!(
            ran.stderr.starts_with(&format!("fathom: {meant}")) && ran.stderr.lines().count() == 1,
            "{ran:?}"
        );
    }
    // What is there is a target, whatever it is called.
    std::fs::write(dir.join("reprot"), vec![7; 2 << 20]).unwrap();
    let ran = fathom(&["reprot", "--seconds=1s", "--prefill=no", "--no-store"], dir);
    assert!(ran.code == Some(0) && ran.stdout.starts_with("reprot "), "{ran:?}");
}

#[test]
fn help_of_each_command_is_there_and_statuses_are_in_one_place() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let help = |args: &[&str]| {
        let ran = fathom(args, dir);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{args:?}: {ran:?}");
        ran.stdout
    };
    let all = help(&["help"]);
    assert_eq!(all, help(&["--help"]));
    assert!(!all.contains("refused for safety"), "{all}");
    assert_eq!(help(&["help", "doctor"]), help(&["doctor", "--help"]));
    let run = help(&["run", "--help"]);
    assert_eq!(run, help(&["help", "run"]));
    for part in ["--fail-under", "--layers", "--output-format", "--cmdhelp", "man fathom"] {
        assert!(run.contains(part), "{part}: {run}");
    }
    let fio = help(&["fio", "--help"]);
    assert_eq!(fio, help(&["help", "fio"]));
    let statuses = help(&["help", "status"]);
    let man =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../man/fathom.1")).unwrap();
    for (status, meaning) in job::exit_status::EXIT_STATUS {
        assert!(statuses.contains(&format!("  {status} ")), "{status}: {statuses}");
        assert!(man.contains(&format!(".B {status}\n{}", &meaning.replace('-', "\\-"))), "{status}");
    }
}

#[test]
fn times_take_units_everywhere_and_wrong_ones_are_usage() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    std::fs::write(dir.join("f"), vec![7; 2 << 20]).unwrap();
    let ran = fathom(&["f", "--seconds", "1000ms", "--prefill=no", "--no-store"], dir);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for args in [
        &["f", "--seconds=2h"][..],
        &["f", "--seconds=1x"],
        &["f", "--seconds=0"],
        &["explore", "--budget=x"],
    ] {
        let ran = fathom(args, dir);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{args:?}: {ran:?}");
    }
    let model = "model:servers=2;law=constant:10ms";
    let ran = fathom(
        &["explore", model, "--budget=0.5m", "--patterns=4k-randread", "--questions=depth", "--json"],
        dir,
    );
    assert!(ran.code == Some(0) && ran.stdout.contains("\"budget_s\": 30.0"), "{ran:?}");
}

#[test]
fn the_doctor_looks_at_the_current_directory_or_at_several_targets() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let none = fathom(&["doctor"], dir);
    assert!(none.stdout.starts_with(". ") || none.stdout.starts_with(".: "), "{none:?}");
    std::fs::write(dir.join("f"), vec![7; 1 << 20]).unwrap();
    let two = fathom(&["doctor", ".", "f"], dir);
    assert!(two.stdout.contains("\n\nf: "), "{two:?}");
    let both: serde_json::Value =
        serde_json::from_str(&fathom(&["doctor", ".", "f", "--json"], dir).stdout).unwrap();
    let targets: Vec<&str> = both.as_array().unwrap().iter().filter_map(|d| d["target"].as_str()).collect();
    assert_eq!(targets, [".", "f"]);
    let missing = fathom(&["doctor", "f", "gone"], dir);
    assert!(
        missing.code == Some(1) && missing.stderr.contains("gone") && missing.stdout.contains("f: "),
        "{missing:?}"
    );
}

/// A file that fathom has not made is read without a switch, refused with `--write`, and written when it is named again.
#[test]
fn explore_writes_to_a_foreign_file_only_when_it_is_named_again() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let content = vec![7; 16 << 20];
    let study = ["--budget=4s", "--patterns=4k-randwrite", "--questions=jobs", "--no-store", "--json"];
    for (switch, written) in [(None, false), (Some("--write"), false), (Some("--allow-destroy=f"), true)] {
        std::fs::write(dir.join("f"), &content).unwrap();
        let args: Vec<&str> = ["explore", "f"].into_iter().chain(study).chain(switch).collect();
        let ran = fathom(&args, dir);
        let refused = ran.code == Some(3) && ran.stderr.contains("--allow-destroy=f");
        assert_eq!(refused, switch == Some("--write"), "{args:?}: {ran:?}");
        assert_eq!(std::fs::read(dir.join("f")).unwrap() != content, written, "{args:?}: {ran:?}");
    }
}

#[test]
fn a_read_only_mount_is_called_read_only() {
    testbed::skip_without!(Need::Root);
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    let script = "mount -t tmpfs -o size=64m,ro none \"$1\" && exec \"$2\" \"$1\" --no-store";
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", script, "sh", &dir.to_string_lossy(), env!("CARGO_BIN_EXE_fathom")]);
    let ran = child::run(&mut command, Duration::from_secs(60)).unwrap();
    assert!(ran.code == Some(1) && ran.stderr.contains("mounted read-only"), "{ran:?}");
}

#[test]
fn a_refusal_is_status_three_in_every_command_that_writes() {
    testbed::skip_without!(Need::Root, Need::Loop, Need::Program("mkfs.ext4"));
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let device = testbed::LoopDevice::new(16 << 20).unwrap();
    let path = device.path().to_string_lossy().into_owned();
    let made =
        child::run(Command::new("mkfs.ext4").args(["-q", "-F", &path]), Duration::from_secs(60)).unwrap();
    assert_eq!(made.code, Some(0), "{made:?}");
    let file = format!("--filename={path}");
    let job = ["--name=a", "--rw=write", "--bs=4k", "--size=64k", &file];
    for args in [
        &[&["run"][..], &job].concat()[..],
        &[&["fio"][..], &job].concat(),
        &["prefill", &path, "--yes"],
        &[
            "explore",
            &path,
            "--write",
            "--budget=4s",
            "--patterns=4k-randwrite",
            "--questions=jobs",
            "--no-store",
        ],
    ] {
        let ran = fathom(args, dir);
        assert_eq!(ran.code, Some(3), "{args:?}: {ran:?}");
    }
}

/// A reader that has read enough of a help is no error: `fathom fit -h | head -3`.
#[test]
fn help_to_a_closed_pipe_ends_quietly() {
    let sandbox = Sandbox::in_memory().unwrap();
    for help in ["fit -h", "--help", "help", "help fit", "run --help"] {
        let mut shell = Command::new("sh");
        // The reader is gone before the help begins.
        let script = format!("{{ sleep 0.2; \"$0\" {help}; echo $? > status; }} | true");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_fathom")]).current_dir(sandbox.path());
        let ran = child::run(&mut shell, Duration::from_secs(20)).unwrap();
        let status = std::fs::read_to_string(sandbox.join("status")).unwrap();
        assert_eq!((status.trim(), ran.stderr.as_str()), ("0", ""), "{help}: {ran:?}");
    }
}

/// A word that is no job file is told under our name, with the option that measures a file.
#[test]
fn file_that_run_cannot_read_is_told_under_our_name() {
    let sandbox = Sandbox::in_memory().unwrap();
    let ran = fathom(&["run", "a.img", "b.img"], sandbox.path());
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(1), 1), "{ran:?}");
    assert!(
        ran.stderr.starts_with("fathom run: a.img: ") && ran.stderr.contains("--filename=a.img"),
        "{ran:?}"
    );
}
