//! `fathom report` from outside, with files of fio's and of ours, in every language, and what it says of what it cannot
//! draw.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{self, Ran};
use testbed::{Need, Sandbox, skip_without};

fn fathom(args: &[&str], dir: &Path) -> Ran {
    // A hundred pictures take their time without optimization.
    let mut command = crate::common::optimized();
    child::run(command.args(args).current_dir(dir).env("LC_ALL", "C.UTF-8"), Duration::from_secs(60)).unwrap()
}

fn good(ran: Ran) -> String {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stdout
}

fn a_run(dir: &Path) {
    good(fathom(
        &[
            "run",
            "--name=a",
            "--ioengine=null",
            "--rw=randrw",
            "--bs=4k",
            "--size=1g",
            "--number_ios=20000",
            "--store=s",
        ],
        dir,
    ));
}

#[test]
fn what_it_cannot_draw_it_says_in_one_line() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    a_run(dir);
    std::fs::write(dir.join("empty.json"), "").unwrap();
    std::fs::write(dir.join("other.json"), "{\"a\": 1}").unwrap();
    std::fs::write(dir.join("half.json"), "{\"fio version\": \"fio-3.33\", \"jobs\": [{\"jobname\"").unwrap();
    std::fs::create_dir(dir.join("nothing")).unwrap();
    let cases: [(&[&str], i32, &str); 8] = [
        (&["R1", "--store=s"], 2, "-o FILE"),
        (&["R9", "--store=s", "-o", "x"], 1, "R9"),
        (&["R1", "--store=none", "-o", "x"], 1, "none"),
        (&["wrong", "-o", "x"], 1, "wrong"),
        (&["empty.json", "-o", "x"], 1, "empty.json"),
        (&["other.json", "-o", "x"], 1, "other.json"),
        (&["half.json", "-o", "x"], 1, "half.json"),
        (&["nothing", "-o", "x"], 1, "nothing"),
    ];
    for (args, code, named) in cases {
        let ran = fathom(&[&["report"], args].concat(), dir);
        assert_eq!(ran.code, Some(code), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(named) && ran.stderr.lines().count() == 1, "{args:?}: {ran:?}");
        assert!(ran.stdout.is_empty() && !dir.join("x").exists(), "{args:?}: {ran:?}");
    }
    let ran = fathom(&["report", "R1", "--store=s", "-o", "no/such/place"], dir);
    assert!(ran.code == Some(5) && ran.stderr.contains("no/such/place"), "{ran:?}");
}

/// An answer has no charts: what would show nothing is refused, with the command that shows the answer.
#[test]
fn answer_without_charts_is_refused() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let fathom = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(args).current_dir(dir).env("LC_ALL", "C.UTF-8");
        child::run(&mut command, Duration::from_secs(60)).unwrap()
    };
    a_run(dir);
    let explained = fathom(&["explain", "model:servers=8;law=constant:100us", "--store=s"]);
    assert!(explained.code.is_some_and(|code| [0, 6].contains(&code)), "{explained:?}");
    for args in [&["R2", "--charts"][..], &["R2", "--svg=d"], &["R1", "R2", "-o", "x"]] {
        let ran = fathom(&[&["report", "--store=s"], args].concat());
        assert!(ran.code == Some(1) && ran.stderr.contains("fathom show R2"), "{args:?}: {ran:?}");
        assert!(ran.stdout.is_empty() && !dir.join("x").exists() && !dir.join("d").exists(), "{ran:?}");
    }
    good(fathom(&["report", "R2", "--store=s", "-o", "answer"]));
    assert!(std::fs::read_to_string(dir.join("answer")).unwrap().contains("fathom explain"));
}

#[test]
fn files_of_fio_give_the_charts_of_the_tools_that_people_draw_them_with() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for depth in ["1", "4"] {
        for jobs in ["1", "2"] {
            let mut fio = Command::new("fio");
            fio.current_dir(dir).args([
                "--name=x",
                "--ioengine=null",
                "--size=1g",
                "--rw=randrw",
                "--bs=4k",
                "--time_based",
            ]);
            fio.args(["--runtime=1", "--group_reporting", "--log_avg_msec=100", "--output-format=json+"]);
            fio.args([format!("--iodepth={depth}"), format!("--numjobs={jobs}")]);
            fio.arg(format!("--output=randrw-{depth}-{jobs}.json"));
            for log in ["bw", "iops", "lat"] {
                fio.arg(format!("--write_{log}_log=randrw-iodepth-{depth}-numjobs-{jobs}"));
            }
            let ran = child::run(&mut fio, Duration::from_secs(30)).unwrap();
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    }
    good(fathom(&["report", ".", "--svg=svg", "--png=png", "-o", "p.html"], dir));
    let names: Vec<String> = std::fs::read_dir(dir.join("svg"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    for begin in [
        "by-depth-iops",
        "by-jobs-iops",
        "grid-iops",
        "grid-latency",
        "histogram",
        "latency-cdf",
        "percentiles",
        "log-bw",
        "log-iops",
        "log-lat",
        "bars-iops",
    ] {
        assert!(names.iter().any(|n| n.starts_with(begin)), "no {begin}: {names:?}");
    }
    assert_eq!(std::fs::read_dir(dir.join("png")).unwrap().count(), names.len());
    // The number in the page is the one in fio's file.
    let fio: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(dir.join("randrw-4-1.json")).unwrap()).unwrap();
    let page = std::fs::read_to_string(dir.join("p.html")).unwrap();
    let iops = fio["jobs"][0]["read"]["iops"].as_f64().unwrap();
    assert!(page.contains(&iops.to_string()), "{iops}");
    // Two sides of fio's can be compared, and say that they differ in depth.
    let ran = fathom(&["compare", "randrw-4-1.json", "randrw-1-1.json"], dir);
    assert!(ran.code == Some(1) && ran.stderr.contains("depth"), "{ran:?}");
}

#[test]
fn every_language_has_its_page_and_charts_with_the_same_data() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    a_run(dir);
    let numbers = |lang: &str| {
        let page = format!("{lang}.html");
        good(fathom(&["report", "R1", "--lang", lang, "--store=s", "-o", &page], dir));
        let text = std::fs::read_to_string(dir.join(page)).unwrap();
        assert!(text.contains(&format!("<html lang=\"{lang}\">")), "{lang}");
        let begin = text.find("id=\"data-charts\">").unwrap() + 17;
        let data = &text[begin..begin + text[begin..].find("</script>").unwrap()];
        let charts: serde_json::Value = serde_json::from_str(data).unwrap();
        let points: Vec<serde_json::Value> = charts
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|c| c["form"]["series"].as_array().unwrap().iter().map(|s| s["points"].clone()))
            .collect();
        (charts[0]["section"].clone(), points)
    };
    let (section, points) = numbers("en");
    for lang in ["zh", "ru", "de"] {
        let (other, same) = numbers(lang);
        assert!(other != section, "{other}");
        assert_eq!(same, points, "{lang}");
    }
}

#[test]
fn small_charts_stand_below_the_card_where_they_are_asked_for() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    a_run(dir);
    let bare = good(fathom(&["show", "R1", "--store=s"], dir));
    let with = good(fathom(&["show", "R1", "--store=s", "--charts"], dir));
    assert!(with.starts_with(&bare) && with.contains('█') && with.len() > 2 * bare.len(), "{with}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.args(["show", "R1", "--store=s", "--charts"]).current_dir(dir).env("LC_ALL", "C");
    let plain = good(child::run(&mut command, Duration::from_secs(20)).unwrap());
    let charts = &plain[bare.len()..];
    assert!(charts.is_ascii() && charts.lines().all(|l| l.len() <= 80) && charts.contains('#'), "{charts}");
    let run =
        good(fathom(&["run", "--name=b", "--ioengine=null", "--size=4m", "--no-store", "--charts"], dir));
    assert!(run.contains('█'), "{run}");
}

#[test]
fn measures_ten_thousand_runs_are_listed_at_once() {
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    a_run(dir);
    let db = rusqlite::Connection::open(dir.join("s")).unwrap();
    db.execute_batch(
        "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO runs (began_ms, kind, version, grade, title, result)
         SELECT began_ms + i, kind, version, grade, title, result FROM runs, n WHERE id = 1;",
    )
    .unwrap();
    drop(db);
    for args in [&["list", "--store=s"][..], &["list", "--store=s", "--limit=10000"][..]] {
        let mut took = Vec::new();
        for _ in 0..3 {
            let begin = Instant::now();
            let mut command = crate::common::optimized();
            command.args(args).current_dir(dir).env("LC_ALL", "C.UTF-8");
            let text = good(child::run(&mut command, Duration::from_secs(20)).unwrap());
            took.push(begin.elapsed());
            assert!(text.contains("\nR10000 "), "{}", &text[..100]);
        }
        let best = took.iter().min().unwrap();
        println!("{args:?}: {took:?}");
        assert!(*best < Duration::from_millis(200), "{args:?}: {took:?}");
    }
}
