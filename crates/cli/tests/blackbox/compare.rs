//! Two results beside each other: unequal ones are refused in one line, equal ones judged, and a script learns it by the
//! status.

use crate::common::words;
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::{self, DATA_HOME, Ran};

fn fathom(args: &str, dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(words(args)).current_dir(dir).env(DATA_HOME, dir.join("data"));
    child::run(&mut command, Duration::from_secs(60)).unwrap()
}

/// A run on a simulated device with this cap, kept in the store: R1, R2, ...
fn capped(iops: u32, seed: u32, dir: &Path) {
    let job = format!(
        "run --name=load --ioengine=model --model_law=exponential:1ms --model_servers=64 --model_iops={iops} --size=1g \
         --rw=randread --bs=4k --iodepth=16 --norandommap --runtime=20 --time_based --randseed={seed}"
    );
    assert_eq!(fathom(&job, dir).code, Some(0));
}

#[test]
fn equal_ones_are_judged_and_the_status_says_whether_one_is_slower() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for (seed, iops) in [500, 500, 550].into_iter().enumerate() {
        capped(iops, seed as u32 + 1, dir);
    }
    let same = fathom("compare R1 R2", dir);
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), ""), "{same:?}");
    assert!(same.stdout.contains("no difference") && !same.stdout.contains("B is "), "{same:?}");
    assert!(same.stdout.lines().all(|line| line.chars().count() <= 100), "{same:?}");
    let rate = |ran: &Ran| ran.stdout.lines().find(|l| l.contains("IOPS")).map(str::to_string).unwrap();
    assert!(rate(&fathom("compare r1 R3", dir)).ends_with("B is faster"));
    assert!(rate(&fathom("compare R3 R1", dir)).ends_with("B is slower"));
    for (args, code) in [
        // One pair of equal runs: nothing is slower, and what runs differ by could hide five percent.
        ("R1 R2 --fail-if-slower 5%", 6),
        ("R1 R2 --fail-if-slower 50%", 0),
        ("R1 R3 --fail-if-slower 5%", 0),
        ("R3 R1 --fail-if-slower 5%", 4),
        ("R3 R1 --fail-if-slower 15", 6),
        ("R3 R1 --fail-if-slower 25", 0),
        ("R3 R2 R1 --fail-if-slower=5%", 4),
        ("R3 R1", 0),
    ] {
        let ran = fathom(&format!("compare {args}"), dir);
        assert_eq!(ran.code, Some(code), "{args}: {ran:?}");
        let line = "fathom compare: R1 is more than 5 % slower than R3: ";
        assert_eq!(ran.stderr.contains(line), code == 4, "{args}: {ran:?}");
    }
    // Files are as good as names in the store; runs with commas between are one side.
    for id in ["R1", "R3"] {
        let data = fathom(&format!("export {id} --json"), dir).stdout;
        std::fs::write(dir.join(format!("{id}.json")), data).unwrap();
    }
    let files = fathom("compare R1.json R3.json --json", dir);
    let found: Value = serde_json::from_str(&files.stdout).unwrap();
    let row = &found[0]["rows"][0];
    assert_eq!((row["metric"].as_str(), row["verdict"].as_str()), (Some("iops"), Some("more")), "{found}");
    let ratio = row["ratio"]["value"].as_f64().unwrap();
    assert!((ratio / 1.1 - 1.0).abs() < 0.01, "{ratio}");
    let repeated: Value = serde_json::from_str(&fathom("compare R1,R2 R3 --json", dir).stdout).unwrap();
    assert_eq!(repeated[0]["pairs"][0]["repeats"], serde_json::json!([2, 1]));
    // One and the same run, from the store and from a file; a run on both sides of several; two runs that only look alike.
    let said = |sides: &str| fathom(&format!("compare {sides}"), dir).stdout;
    assert!(said("R1 R1").contains("are the same run"), "{}", said("R1 R1"));
    assert!(said("R1 R1.json").contains("are the same run"), "{}", said("R1 R1.json"));
    assert!(said("R1,R2 R1").contains("1 run is on both sides"), "{}", said("R1,R2 R1"));
    assert!(
        !said("R1 R2").contains("same run") && !said("R1 R2").contains("both sides"),
        "{}",
        said("R1 R2")
    );
}

#[test]
fn a_table_in_markdown_has_as_many_cells_in_each_row() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for seed in [1, 2] {
        let job = format!(
            "run --name=a|b --ioengine=model --model_law=exponential:1ms --size=1g --rw=randrw --bs=4k --iodepth=4 \
             --norandommap --runtime=5 --time_based --randseed={seed}"
        );
        assert_eq!(fathom(&job, dir).code, Some(0));
    }
    let ran = fathom("compare R1 R2 --markdown", dir);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let table: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with('|')).collect();
    // A bar in a name is no end of a cell.
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(table.len() >= 2 + 2 * 4 && table.iter().all(|line| cells(line) == 9), "{}", ran.stdout);
    assert!(table[1].trim_matches('|').split('|').all(|c| c.trim_matches(':').chars().all(|c| c == '-')));
    assert!(table[2].contains("a\\|b") && table.iter().any(|line| line.contains("| write |")), "{table:?}");
    let start = ran.stdout.find("\n\n|").unwrap();
    assert!(start > 0, "a table begins after an empty line");
}

/// A real file, through the page cache and past it.
#[test]
fn page_cached_against_direct_is_refused_as_unequal() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    std::fs::write(
        dir.join("f"),
        (0..4u32 << 20).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect::<Vec<u8>>(),
    )
    .unwrap();
    let run = |options: &str| {
        let job = format!(
            "run --name=j --filename=f --rw=randread --bs=4k --ioengine=psync --time_based {options}"
        );
        let ran = fathom(&job, dir);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    };
    run("--direct=1 --runtime=1");
    // The direct run has dropped what the cache had.
    std::fs::read(dir.join("f")).unwrap();
    run("--direct=0 --runtime=1 --invalidate=0");
    let ran = fathom("compare R1 R2", dir);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{ran:?}");
    let start = "fathom compare: R1 (A) and R2 (B) were not measured under equal conditions: A bypassed the page cache (direct=1), B used it";
    assert!(ran.stderr.starts_with(start) && ran.stderr.contains("--anyway"), "{ran:?}");
    let data: Value = serde_json::from_str(&fathom("compare R1 R2 --json", dir).stdout).unwrap();
    assert_eq!(
        (&data[0]["unequal"][0]["kind"], data[0]["rows"].as_array().map(Vec::len)),
        (&"direct".into(), Some(0))
    );
    assert_eq!(fathom("compare R1 R2 --fail-if-slower 5%", dir).code, Some(1));
    let anyway = fathom("compare R1 R2 --anyway", dir);
    assert!(anyway.code == Some(0) && anyway.stdout.contains("unequal   A bypassed"), "{anyway:?}");
    // The ratio of the two is that of two different things, not of the device.
    assert!(!anyway.stdout.contains("B is") && anyway.stdout.contains(" unequal\n"), "{anyway:?}");
    // Both through the cache: equal, and what the cache answered is told of both.
    run("--direct=0 --runtime=1 --invalidate=0");
    // Beside other tests one of them may wait for the processor; nothing else tells them apart.
    let both = fathom("compare R2 R3 --anyway", dir);
    assert_eq!(both.code, Some(0), "{both:?}");
    assert!(both.stdout.contains("A has grade X") && both.stdout.contains("B has grade X"), "{both:?}");
    let data: Value = serde_json::from_str(&fathom("compare R2 R3 --anyway --json", dir).stdout).unwrap();
    let kinds: Vec<&Value> = data[0]["unequal"].as_array().unwrap().iter().map(|u| &u["kind"]).collect();
    assert!(kinds.iter().all(|k| **k != "direct" && **k != "not_the_device"), "{kinds:?}");
}

#[test]
fn what_cannot_be_read_or_is_no_comparison_is_one_line() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    capped(500, 1, dir);
    std::fs::write(dir.join("x.json"), "{}").unwrap();
    for (args, code, part) in [
        ("R1 R9", 1, "there is no R9"),
        ("R1 x.json", 1, "x.json: no output of fio"),
        ("R1 nowhere", 1, "nowhere: there is no such file"),
        ("R1", 2, "2 values required"),
        ("R1 R1 --fail-if-slower much", 2, "a share like 5% is wanted"),
        ("R1 R1 --json --markdown", 2, "cannot be used with"),
    ] {
        let ran = fathom(&format!("compare {args}"), dir);
        assert!(
            ran.code == Some(code) && ran.stderr.contains(part) && ran.stdout.is_empty(),
            "{args}: {ran:?}"
        );
        assert!(code == 2 || ran.stderr.lines().count() == 1, "{args}: {ran:?}");
    }
}

/// fio's own JSON has no interval: several files a side make one, and of one each nothing is told but the ratio.
#[test]
fn files_of_fio_are_told_apart_where_they_repeat_each_other() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for (name, iops) in [("a", 500), ("b", 550)] {
        for seed in 1..=3 {
            let job = format!(
                "fio --name=load --ioengine=model --model_law=exponential:1ms --model_servers=64 --model_iops={iops} --size=1g \
                 --rw=randread --bs=4k --iodepth=16 --norandommap --runtime=20 --time_based --randseed={seed} \
                 --output-format=json --output={name}{seed}.json"
            );
            assert_eq!(fathom(&job, dir).code, Some(0));
        }
    }
    let rate = |args: &str| {
        let ran = fathom(&format!("compare {args}"), dir);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout.lines().find(|l| l.contains("IOPS")).map(str::to_string).unwrap()
    };
    assert!(rate("a1.json,a2.json,a3.json b1.json,b2.json,b3.json").ends_with("B is faster"));
    let single = rate("a1.json b1.json");
    assert!(single.contains("1.100  -") && single.ends_with("cannot tell"), "{single}");
    // Slower, but one run each cannot tell: a status of its own.
    let ran = fathom("compare b1.json a1.json --fail-if-slower 5%", dir);
    assert!(
        ran.code == Some(6)
            && ran
                .stderr
                .contains("cannot tell whether a1.json is more than 5 % slower than b1.json: read IOPS"),
        "{ran:?}"
    );
}

/// A disk image is refused after its head, and targets and answers are told from results.
#[test]
fn files_that_are_no_results_are_refused_at_once() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    // Random bytes, beyond them a hole: 1 GiB that a reader of the whole file would have to search.
    let mut random = 1u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as u8
    })
    .take(2 << 20)
    .collect();
    for (name, head) in [("a.img", bytes.as_slice()), ("b.img", &bytes)] {
        std::fs::write(dir.join(name), head).unwrap();
        std::fs::File::options().write(true).open(dir.join(name)).unwrap().set_len(1 << 30).unwrap();
    }
    std::fs::create_dir(dir.join("empty")).unwrap();
    let takes = "fathom compare takes stored results (R7, S12)";
    for (args, parts) in [
        ("compare a.img b.img", [takes, "no output of fio"]),
        ("compare empty empty", [takes, "fathom explore A B"]),
        ("compare /dev/null /dev/zero", ["/dev/null is a device", "fathom explore A B"]),
        ("audit a.img", ["known are fio, dd,", "winsat"]),
    ] {
        let began = std::time::Instant::now();
        let ran = fathom(args, dir);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{args}: {ran:?}");
        assert!(parts.iter().all(|part| ran.stderr.contains(part)), "{args}: {ran:?}");
        assert!(began.elapsed() < Duration::from_secs(10), "{args}: {:?}", began.elapsed());
    }
    // A file that does not exist has no results to speak of.
    let ran = fathom("audit nothing.txt", dir);
    assert_eq!((ran.code, ran.stderr.lines().count()), (Some(1), 1), "{ran:?}");
}

#[test]
fn answers_of_fit_are_no_loads_to_compare_or_explain() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    fathom("fit etcd . --seconds 1", dir);
    let ran = fathom("compare R1 R1", dir);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("R1 is an answer of fathom fit"), "{ran:?}");
    let ran = fathom("explain R1", dir);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("fathom explain ."), "{ran:?}");
    let ran = fathom("fit /dev/null", dir);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("fathom fit PROFILE /dev/null"), "{ran:?}");
}
