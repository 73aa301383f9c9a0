//! Report and comparison of studies of `fathom pts`: the header on every printed page, the data, and the exit statuses.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, Ran};
use testbed::{Browser, Need, Sandbox, View, skip_without};

fn fathom(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    child::run(command.args(args).current_dir(dir).env("LC_ALL", "C.UTF-8"), Duration::from_secs(120))
        .unwrap()
}

fn good(ran: &Ran) -> &str {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    &ran.stdout
}

/// Measures tests of a simulated device whose service time is `service`, with durations divided by `scale`.
fn measure(dir: &Path, tests: &[&str], service: &str, scale: &str) {
    let device = format!("model:servers=8;law=constant:{service};size=64m");
    let scale = format!("--scale=1/{scale}");
    good(&fathom(&[&["pts"], tests, &[&device, &scale, "--store=s"]].concat(), dir));
}

/// Every page of the printed report has the header that the specification requires, and states what the result is.
#[test]
fn pdf_of_pts_has_the_header_on_every_page() {
    skip_without!(Need::Program("chromium"), Need::Program("pdftotext"));
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    measure(dir, &["throughput", "latency"], "1ms", "600");
    good(&fathom(&["report", "S1", "--store=s", "--tested-by=J. Doe, Lab 3", "-o", "p.html"], dir));
    let mut browser = Browser::start(dir).unwrap();
    let url = format!("file://{}", dir.join("p.html").display());
    let mut tab = browser.open(&url, View::DESK, dir).unwrap();
    tab.js("fathom.ready").unwrap();
    let album = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    std::fs::create_dir_all(&album).unwrap();
    std::fs::write(album.join("pts.png"), tab.picture(View::DESK).unwrap()).unwrap();
    let pdf = album.join("pts.pdf");
    std::fs::write(&pdf, tab.printed().unwrap()).unwrap();
    let troubles = tab.troubles().unwrap();
    assert!(troubles.is_empty(), "{troubles:?}");
    let text =
        child::run(Command::new("pdftotext").args(["-layout"]).arg(&pdf).arg("-"), Duration::from_secs(60))
            .unwrap();
    let text = good(&text);
    let pages: Vec<&str> = text.split('\u{c}').filter(|page| !page.trim().is_empty()).collect();
    assert!(pages.len() > 3, "{} pages", pages.len());
    let fields = [
        "PTS-derived, not conformant",
        "divided by 600",
        "J. Doe, Lab 3",
        "test run date",
        "serial number",
        "firmware",
        "capacity",
        "purge",
        "(WIPC)",
        "(WDPC)",
        "write cache",
        "active range",
        "TC / QD / OIO",
        "data pattern",
        "test sequence",
        "fathom ",
        "1/600",
    ];
    for (number, page) in pages.iter().enumerate() {
        for field in fields {
            assert!(page.contains(field), "page {} lacks {field}:\n{page}", number + 1);
        }
    }
}

#[test]
fn compare_of_pts_gives_ratios_and_refuses_other_scales() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    measure(dir, &["latency"], "1ms", "600");
    measure(dir, &["latency"], "2ms", "600");
    measure(dir, &["latency"], "1ms", "300");
    let found = fathom(&["compare", "S1", "S2", "--store=s"], dir);
    let text = good(&found);
    assert!(text.contains("S2 is slower than S1") && text.contains("ART RND 4k 0/100"), "{text}");
    let bound = fathom(&["compare", "S1", "S2", "--store=s", "--fail-if-slower=5%"], dir);
    assert_eq!(bound.code, Some(4), "{bound:?}");
    assert!(bound.stderr.contains("S2 is more than 5 % slower than S1"), "{bound:?}");
    assert_eq!(fathom(&["compare", "S2", "S1", "--store=s", "--fail-if-slower=5%"], dir).code, Some(0));
    let other = fathom(&["compare", "S1", "S3", "--store=s"], dir);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.stderr.contains("1/600 and 1/300") && other.stdout.is_empty(), "{other:?}");
    good(&fathom(&["compare", "S1", "S3", "--store=s", "--anyway"], dir));
    // Figures of a test are compared with those of the same test only.
    let job = ["run", "--name=a", "--ioengine=null", "--rw=randread", "--size=1m", "--store=s"];
    good(&fathom(&job, dir));
    let mixed = fathom(&["compare", "S1", "R1", "--store=s"], dir);
    assert_eq!(mixed.code, Some(1), "{mixed:?}");
    assert!(mixed.stderr.contains("another study of fathom pts"), "{mixed:?}");
    // One page with both devices.
    good(&fathom(&["report", "S1", "S2", "--store=s", "-o", "both.html"], dir));
    let page = std::fs::read_to_string(dir.join("both.html")).unwrap();
    assert!(page.contains("pts-latency-ratio-s1-s2") && page.contains("S2 is slower than S1"));
}

/// The time until recovery is one value per study and has no interval: alone it leaves nothing open.
#[test]
fn equal_recovery_time_of_xsr_leaves_no_bound_open() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    measure(dir, &["xsr"], "2ms", "6000");
    measure(dir, &["xsr"], "1ms", "6000");
    let bound = fathom(&["compare", "S1", "S2", "--store=s", "--fail-if-slower=5%"], dir);
    assert_eq!(bound.code, Some(0), "{bound:?}");
    assert!(bound.stdout.contains("minutes until 95 % recovery"), "{bound:?}");
}

#[test]
fn pts_study_is_exported_as_json_and_csv() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    measure(dir, &["throughput"], "1ms", "600");
    let json = fathom(&["export", "S1", "--json", "--store=s"], dir);
    std::fs::write(dir.join("s.json"), good(&json)).unwrap();
    let study: stats::pts::PtsStudy = serde_json::from_str(&json.stdout).unwrap();
    let csv = fathom(&["export", "S1", "--csv", "--store=s"], dir);
    let rows = good(&csv).lines().skip(1).filter(|line| line.contains(",round,")).count();
    let stats::pts::PtsResult::Throughput(parts) = &study.runs[0].result else { panic!("{study:?}") };
    assert_eq!(rows, parts.iter().map(|part| 2 * part.matrix.rounds.len()).sum::<usize>());
    // The file is a source like the stored study; its charts are files as well.
    good(&fathom(&["report", "s.json", "--svg", "svg"], dir));
    let drawn = std::fs::read_to_string(dir.join("svg/pts-throughput-by-block-size.svg")).unwrap();
    assert!(drawn.contains("PTS-derived, scale 1/600"), "{drawn}");
}
