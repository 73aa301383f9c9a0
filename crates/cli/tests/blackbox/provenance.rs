//! The page of a result says where it came from: host, kernel, disks, command line, program and date, all escaped.

use crate::common::{document, fathom as fio_command, words};
use serde_json::Value;
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

/// Rows of the page's table of provenance, as the page escapes them.
fn facts(page: &str) -> Vec<(String, String)> {
    let section =
        page.split("<section id=\"provenance\"").nth(1).unwrap().split("</section>").next().unwrap();
    let row = |row: &str| {
        let (name, value) = row.split_once("</th><td>")?;
        Some((name.to_owned(), value.split("</td>").next()?.to_owned()))
    };
    section.split("<th scope=\"row\">").skip(1).filter_map(row).collect()
}

fn kernel_says(name: &str) -> String {
    std::fs::read_to_string(format!("/proc/sys/kernel/{name}")).unwrap().trim().to_owned()
}

#[test]
fn a_page_names_host_kernel_disks_command_version_and_date_escaped() {
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let hostile = "<script>alert(1)</script>";
    let file = dir.join("target");
    std::fs::write(&file, vec![7; 1 << 20]).unwrap();
    let file = file.to_string_lossy().into_owned();
    let name = format!("--description={hostile}");
    let job = [
        "run",
        "--name=a",
        &name,
        "--rw=read",
        "--bs=64k",
        "--size=64k",
        "--ioengine=psync",
        "--filename",
        &file,
    ];
    assert_eq!(fathom(&job, dir).code, Some(0));
    assert_eq!(fathom(&[&file, "--seconds=1s", "--prefill=no"], dir).code, Some(0));
    let study = [
        "explore",
        "model:servers=2;law=constant:10ms",
        "--budget=1m",
        "--patterns=4k-randread",
        "--questions=depth",
    ];
    assert_eq!(fathom(&study, dir).code, Some(0));
    for (id, command) in [("R1", "fathom run --name=a "), ("R2", "--seconds=1s"), ("S1", "fathom explore ")] {
        let page = dir.join(format!("{id}.html"));
        let made = fathom(&["report", id, "-o", &page.to_string_lossy()], dir);
        assert_eq!(made.code, Some(0), "{made:?}");
        let text = std::fs::read_to_string(&page).unwrap();
        let facts = facts(&text);
        let of = |name: &str| facts.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        assert_eq!(of("host"), Some(kernel_says("hostname")), "{id}: {facts:?}");
        assert_eq!(of("kernel"), Some(kernel_says("osrelease")), "{id}: {facts:?}");
        assert!(of("program").is_some_and(|v| v.starts_with("fathom 0.")), "{id}: {facts:?}");
        assert!(of("command").is_some_and(|v| v.contains(command)), "{id}: {facts:?}");
        let year = text.split("20").skip(1).any(|rest| rest.as_bytes().get(2) == Some(&b'-'));
        assert!(year, "{id}: no date");
        if id != "S1" {
            // The file lies on whatever the temporary directory lies on: its size and its layers are named.
            assert!(
                facts.iter().any(|(name, value)| name.contains("target") && value.contains("MB")),
                "{id}: {facts:?}"
            );
        }
        assert!(!text.contains(hostile), "{id}: not escaped");
    }
}

#[test]
fn the_disk_under_a_target_is_named() {
    testbed::skip_without!(Need::Root, Need::Loop);
    let sandbox = Sandbox::new().unwrap();
    let dir = sandbox.path();
    let device = testbed::LoopDevice::new(4 << 20).unwrap();
    let path = device.path().to_string_lossy().into_owned();
    let ran = fathom(&["run", "--name=a", "--rw=read", "--bs=64k", "--size=64k", "--filename", &path], dir);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let data: Value = serde_json::from_str(&fathom(&["export", "R1", "--json"], dir).stdout).unwrap();
    let text = data.to_string();
    let name = path.trim_start_matches("/dev/").to_owned();
    assert!(text.contains(&format!("\"disks\":[\"{name}\"")), "{name}: {text}");
}

/// Keys of an object and of those in it, down to two levels.
fn keys(value: &Value) -> Vec<String> {
    let Some(object) = value.as_object() else { return Vec::new() };
    let inner = |(key, value): (&String, &Value)| {
        std::iter::once(key.clone())
            .chain(keys(value).into_iter().map(|k| format!("{key}.{k}")))
            .collect::<Vec<_>>()
    };
    object.iter().flat_map(inner).collect()
}

#[test]
fn unified_reporting_with_splice_has_fios_keys_and_figures() {
    testbed::skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    let dir = sandbox.path();
    for (rw, kind) in [("read", "1"), ("write", "mixed"), ("rw", "both")] {
        let line = format!(
            "--name=a --ioengine=splice --rw={rw} --bs=4k --size=64k --filename=f-{rw} --unified_rw_reporting={kind} \
             --output-format=json"
        );
        let args = words(&line);
        let limit = Duration::from_secs(60);
        let ours = child::run(fio_command().args(&args).current_dir(dir), limit).unwrap();
        let theirs = child::run(Command::new("fio").args(&args).current_dir(dir), limit).unwrap();
        assert_eq!(ours.code, theirs.code, "{line}: {ours:?} {theirs:?}");
        let [ours, theirs] = [document(&ours), document(&theirs)].map(|all| all["jobs"][0].clone());
        // Only what is ours is beside fio's.
        let fios: Vec<String> = keys(&ours).into_iter().filter(|key| !key.starts_with("fathom")).collect();
        assert_eq!(fios, keys(&theirs), "{line}");
        // Which I/Os of a mix are reads is drawn, and not by the same stream: there only the sum is the same.
        let compared = if rw == "rw" { &["mixed"][..] } else { &["mixed", "read", "write"] };
        for direction in compared {
            for figure in ["io_bytes", "total_ios", "short_ios"] {
                assert_eq!(
                    ours[direction][figure], theirs[direction][figure],
                    "{line}: {direction} {figure}"
                );
            }
        }
    }
}
