//! What other people's scripts read: fields cut from terse lines, json+ turned into a table, fio-plot's charts.

use serde_json::Value;
use std::path::Path;
use std::process::Command;
use testbed::{Bounded, Need, Sandbox, TOOL_LIMIT, skip_without};

fn fathom(sandbox: &Sandbox, args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_fathom"))
        .arg("fio")
        .args(args)
        .current_dir(sandbox.path())
        .output_within(TOOL_LIMIT)
        .unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// What a shell command makes of `input`.
fn piped(input: &str, command: &str) -> String {
    let out = Command::new("sh").args(["-c", command]).output_of_input(input.as_bytes(), TOOL_LIMIT).unwrap();
    String::from_utf8(out.stdout).unwrap()
}

/// The recipes found in blogs and monitoring plugins: version 3 by default, fields by number. The JSON of the same run is
/// held against fio's by the oracle.
#[test]
fn fields_cut_from_terse_lines_are_what_recipes_take_them_for() {
    let sandbox = Sandbox::new().unwrap();
    let both = fathom(
        &sandbox,
        &[
            "--output-format=terse,json",
            "--name=a",
            "--rw=randrw",
            "--rwmixread=70",
            "--bs=4k",
            "--size=8m",
            "--ioengine=libaio",
            "--iodepth=8",
            "--name=b",
            "--stonewall",
            "--rw=write",
            "--bs=64k",
            "--size=4m",
        ],
    );
    let json: String = both.lines().skip_while(|l| *l != "{").map(|l| format!("{l}\n")).collect();
    let terse: String = both.lines().take_while(|l| *l != "{").map(|l| format!("{l}\n")).collect();
    let document: Value = serde_json::from_str(&json).unwrap();
    let jobs = document["jobs"].as_array().unwrap();
    assert_eq!(piped(&terse, "cut -d';' -f1,3"), "3;a\n3;b\n");
    for (field, direction, key) in [
        (6, "read", "io_kbytes"),
        (7, "read", "bw"),
        (8, "read", "iops"),
        (9, "read", "runtime"),
        (47, "write", "io_kbytes"),
        (48, "write", "bw"),
        (49, "write", "iops"),
        (50, "write", "runtime"),
    ] {
        let cut = piped(&terse, &format!("cut -d';' -f{field}"));
        let got: Vec<u64> = cut.lines().map(|l| l.parse().unwrap()).collect();
        let real: Vec<u64> = jobs.iter().map(|j| j[direction][key].as_f64().unwrap() as u64).collect();
        assert_eq!(got, real, "field {field}");
    }
    // Means in microseconds: clat of reads is 16, lat 40; of writes 57 and 81.
    for (field, direction, kind) in
        [(16, "read", "clat_ns"), (40, "read", "lat_ns"), (57, "write", "clat_ns"), (81, "write", "lat_ns")]
    {
        let awk = piped(&terse, &format!("awk -F';' '{{print ${field}}}'"));
        for (shown, job) in awk.lines().zip(jobs) {
            let (shown, real) =
                (shown.parse::<f64>().unwrap(), job[direction][kind]["mean"].as_f64().unwrap() / 1e3);
            assert!((shown - real).abs() <= 0.001 + real * 1e-6, "field {field}: {shown} {real}");
        }
    }
    let p99 = piped(&terse, "awk -F';' '{print $30}' | grep -o '^99.000000%=[0-9]*' | head -n 1");
    let real = jobs[0]["read"]["clat_ns"]["percentile"]["99.000000"].as_u64().unwrap() / 1000;
    assert_eq!(p99.trim(), format!("99.000000%={real}"));
}

const JSON_PLUS: [&str; 9] = [
    "--output-format=json+",
    "--name=a",
    "--rw=randrw",
    "--bs=4k",
    "--size=8m",
    "--ioengine=libaio",
    "--iodepth=4",
    "--slat_percentiles=1",
    "--lat_percentiles=1",
];

/// fio's own converter, as Debian ships it.
#[test]
fn bins_of_json_plus_make_a_table_that_sums_to_the_ios() {
    skip_without!(Need::Program("fio_jsonplus_clat2csv"));
    let sandbox = Sandbox::new().unwrap();
    let text = fathom(&sandbox, &JSON_PLUS);
    std::fs::write(sandbox.join("run.json"), &text).unwrap();
    let convert = Command::new("fio_jsonplus_clat2csv")
        .args(["run.json", "run.csv"])
        .current_dir(sandbox.path())
        .output_within(TOOL_LIMIT)
        .unwrap();
    assert!(convert.status.success(), "{}", String::from_utf8_lossy(&convert.stderr));
    let table = std::fs::read_to_string(sandbox.join("run_job0.csv")).unwrap();
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().unwrap().split(',').map(str::trim).collect();
    let rows: Vec<Vec<&str>> = lines.map(|l| l.split(',').map(str::trim).collect()).collect();
    let document: Value = serde_json::from_str(&text).unwrap();
    for direction in ["read", "write"] {
        let of = &document["jobs"][0][direction];
        for kind in ["slat_ns", "clat_ns", "lat_ns"] {
            let column =
                |what: &str| columns.iter().position(|c| *c == format!("{direction}_{kind}_{what}")).unwrap();
            let (count, share) = (column("count"), column("percentile"));
            let bins: Vec<(f64, u64, f64)> = rows
                .iter()
                .filter(|row| !row[count].is_empty())
                .map(|row| {
                    (row[0].parse().unwrap(), row[count].parse().unwrap(), row[share].parse().unwrap())
                })
                .collect();
            let sum: u64 = bins.iter().map(|b| b.1).sum();
            assert_eq!(Some(sum), of["total_ios"].as_u64(), "{direction} {kind}");
            for (label, value) in of[kind]["percentile"].as_object().unwrap() {
                let (p, value) = (label.parse::<f64>().unwrap() / 100.0, value.as_f64().unwrap());
                let bin = bins.iter().find(|b| b.2 >= p - 1e-9).unwrap_or(&bins[bins.len() - 1]).0;
                assert!(
                    (bin - value).abs() <= value / 128.0 + 1.0,
                    "{direction} {kind} p{label}: {bin} {value}"
                );
            }
        }
    }
}

/// fio-plot from PyPI, which `scripts/test --long` installs under target/. Its charts of our files are drawn like those of
/// fio's.
#[test]
#[ignore = "fio-plot is fetched by scripts/test --long"]
fn fio_plot_draws_our_files() {
    let plot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fio-plot/bin/fio-plot");
    if !plot.exists() {
        println!("SKIP fathom::fio_plot_draws_our_files: no {}", plot.display());
        return;
    }
    let sandbox = Sandbox::new().unwrap();
    for (depth, jobs) in [(1, 1), (1, 2), (4, 1), (4, 2)] {
        let (d, n, out) = (
            format!("--iodepth={depth}"),
            format!("--numjobs={jobs}"),
            format!("--output=randread-{depth}-{jobs}.json"),
        );
        fathom(
            &sandbox,
            &[
                "--output-format=json+",
                "--name=a",
                "--filename=data",
                "--rw=randread",
                "--bs=4k",
                "--size=8m",
                "--ioengine=libaio",
                "--group_reporting",
                &d,
                &n,
                &out,
            ],
        );
    }
    for (at, chart) in ["-L -t iops", "-l -n 1 --show-cpu", "-N -d 4", "-H -d 4 -n 1"].iter().enumerate() {
        let picture = sandbox.join(&format!("{at}.png"));
        let drawn = Command::new(&plot)
            .args(["-i", ".", "-T", "ours", "-r", "randread", "-o"])
            .arg(&picture)
            .args(chart.split(' '))
            .current_dir(sandbox.path())
            .output_within(TOOL_LIMIT)
            .unwrap();
        let said =
            String::from_utf8_lossy(&drawn.stdout).into_owned() + &String::from_utf8_lossy(&drawn.stderr);
        assert!(drawn.status.success() && !said.contains("Traceback"), "{chart}: {said}");
        assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"), "{chart}: {said}");
    }
}
