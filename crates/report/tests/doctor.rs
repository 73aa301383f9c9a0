//! Every fact of a diagnosis in words, in one golden file, and lines of several disks that say the same.
#![allow(clippy::unwrap_used)]

#[path = "samples/facts.rs"]
mod facts;

use facts::{all, line};
use stats::doctor::*;
use std::path::Path;

fn text(lines: Vec<Line>) -> String {
    let stack = vec![
        LayerRow { name: "/data".into(), kind: "xfs".into(), size: None, model: None },
        LayerRow { name: "md0".into(), kind: "raid5".into(), size: Some(8_000_000_000_000), model: None },
        LayerRow {
            name: "sda".into(),
            kind: "disk".into(),
            size: Some(4_000_000_000_000),
            model: Some("ATA WDC".into()),
        },
    ];
    let d = Diagnosis { version: "0.1.0".into(), target: "/data/file".into(), stack, lines };
    serde_json::from_str::<Diagnosis>(&report::doctor::json(&d)).map(|read| assert_eq!(read, d)).unwrap();
    report::doctor::render(report::Lang::En, &d, 100)
}

/// `FATHOM_BLESS=1` writes it anew; read the difference before committing it.
#[test]
fn every_fact_has_a_reason_and_advice_where_it_is_a_problem() {
    let lines = all();
    for l in &lines {
        let said = text(vec![l.clone()]);
        assert!(!said.contains("\"fact\""), "{said}");
        let asks = l.severity != Severity::Fine;
        assert_eq!((said.contains("why: "), said.contains("do:  ")), (asks, asks), "{said}");
    }
    let said = text(lines);
    assert!(said.lines().all(|l| l.chars().count() <= 100));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/doctor.txt");
    if std::env::var_os("FATHOM_BLESS").is_some() {
        std::fs::write(&path, &said).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap();
    for (a, b) in golden.lines().zip(said.lines()) {
        assert_eq!(a, b);
    }
    assert_eq!(golden, said);
}

#[test]
fn disks_with_equal_facts_share_a_line() {
    let sata = |device: &str, tenths, severity| {
        line(
            Topic::Host,
            severity,
            Fact::Sata { device: device.into(), tenths, limit_tenths: None, bytes_per_second: 0 },
        )
    };
    let said = text(vec![
        sata("sda", 60, Severity::Fine),
        sata("sdb", 30, Severity::Spoils),
        sata("sdc", 60, Severity::Fine),
    ]);
    assert!(said.contains("ok       sda, sdc: SATA at 6.0 Gbit/s"), "{said}");
    assert!(said.contains("CRITICAL sdb: SATA at 3.0 Gbit/s"), "{said}");
    assert_eq!(said.matches("SATA").count(), 2, "{said}");
    // A control character in a name does not reach the terminal.
    let said = text(vec![sata("s\u{1b}[31m", 60, Severity::Fine)]);
    assert!(!said.contains('\u{1b}'), "{said}");
}
