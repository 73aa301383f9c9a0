//! Traces: both text versions, blktrace files in both byte orders, and each fault at its line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "common/any_trace.rs"]
mod any_trace;

use job::job::ReplaySpec;
use job::trace::{Action, Names, Record, Replayed, TraceFault, TraceFaultKind as Kind, TraceQuantity, scan};
use std::num::NonZeroU64;

fn spec() -> ReplaySpec {
    ReplaySpec {
        traces: vec!["-".into()],
        no_stall: false,
        redirect: None,
        scale: NonZeroU64::MIN,
        align: NonZeroU64::MIN,
        time_scale: NonZeroU64::new(100).unwrap(),
        skip: [false; 4],
    }
}

fn records(trace: &[u8], spec: &ReplaySpec) -> Result<Vec<Record>, TraceFault> {
    let (mut names, mut records) = (Names::default(), Vec::new());
    let mut replayed = Replayed::new(trace, spec)?;
    while let Some(record) = replayed.next(&mut names)? {
        records.push(record);
    }
    Ok(records)
}

/// Time in microseconds, action, file, offset and length of each record.
fn short(trace: &str) -> Vec<(u64, Action, u32, u64, u32)> {
    let all = records(trace.as_bytes(), &spec()).unwrap();
    all.iter().map(|r| (r.nanos / 1000, r.action, r.file, r.offset, r.length)).collect()
}

#[test]
fn waits_of_version_2_add_up_and_short_waits_are_ignored() {
    use Action::*;
    let trace = "fio version 2 iolog\na add\nb add\na open\nb open\na read 0 4096\na wait 200 0\nb write 512 1024\n\
                 b wait 99 0\na wait 1000 0\na datasync 0 0\na close\n";
    let expected = [
        (0, Open, 0, 0, 0),
        (0, Open, 1, 0, 0),
        (0, Read, 0, 0, 4096),
        (200, Write, 1, 512, 1024),
        (1200, Datasync, 0, 0, 0),
        (1200, Close, 0, 0, 0),
    ];
    assert_eq!(short(trace), expected);
}

/// Times of version 3 never go back, an appended recording begins where the one before it ended, and as in fio fields
/// behind the last are ignored.
#[test]
fn times_of_version_3_never_go_back_and_appended_recordings_follow() {
    use Action::*;
    let trace = "fio version 3 iolog\r\n0 a add\n5 a open\n\n90 a read 0 1 more\n20 a trim 7 4294967295\n100 a close\n\
                 fio version 3 iolog\n0 a add\n3 a open\n8 a sync 4096 0\n";
    let expected = [
        (5, Open, 0, 0, 0),
        (90, Read, 0, 0, 1),
        (90, Trim, 0, 7, 4_294_967_295),
        (100, Close, 0, 0, 0),
        (103, Open, 0, 0, 0),
        (108, Sync, 0, 0, 0),
    ];
    assert_eq!(short(trace), expected);
}

#[test]
fn each_fault_is_named_with_its_line() {
    let (v2, v3) = ("fio version 2 iolog\na add\na open\n", "fio version 3 iolog\n0 a add\n0 a open\n");
    let action = |found: &str, version| Kind::Action { found: found.into(), version };
    let number = |found: &str, quantity| Kind::Number { found: found.into(), quantity };
    let cases = [
        (String::new(), 1, Kind::NoHeader { found: String::new() }),
        ("0, 0, 4096\n".into(), 1, Kind::NoHeader { found: "0, 0, 4096".into() }),
        ("fio version 4 iolog\n".into(), 1, Kind::NoHeader { found: "fio version 4 iolog".into() }),
        (v3.into(), 0, Kind::NoIo),
        (format!("{v3}1 a frob 0 1\n"), 4, action("1 a frob 0 1", 3)),
        (format!("{v3}1 a read 0\n"), 4, action("1 a read 0", 3)),
        (format!("{v2}a read\n"), 4, action("a read", 2)),
        (format!("{v3}x a read 0 1\n"), 4, number("x", TraceQuantity::Timestamp)),
        (format!("{v3}1 a read -1 1\n"), 4, number("-1", TraceQuantity::Offset)),
        (format!("{v3}1 a read 0 1k\n"), 4, number("1k", TraceQuantity::Length)),
        (format!("{v2}a wait ten 0\n"), 4, number("ten", TraceQuantity::Wait)),
        (
            format!("{v2}a wait 99999999999999999999 0\n"),
            4,
            number("99999999999999999999", TraceQuantity::Wait),
        ),
        (format!("{v3}1 a wait 5 0\n"), 4, Kind::WaitInVersion3),
        (format!("{v3}1 b read 0 1\n"), 4, Kind::NotAdded { file: "b".into() }),
        (format!("{v3}1 a close\n2 a read 0 1\n"), 5, Kind::NotOpen { file: "a".into() }),
        (format!("{v3}1 a read 0 0\n"), 4, Kind::Length { bytes: 0, most: job::trace::MOST_BYTES }),
        (
            format!("{v3}1 a trim 0 4294967296\n"),
            4,
            Kind::Length { bytes: 1 << 32, most: job::trace::MOST_TRIM },
        ),
        (
            format!("{v3}1 a read 9223372036854775807 1\n"),
            4,
            Kind::OffsetTooLarge { offset: i64::MAX as u64 },
        ),
        (format!("{v3}{}\n", "x".repeat(70_000)), 4, Kind::LineTooLong { most: 65_536 }),
    ];
    for (trace, at, kind) in cases {
        let found = scan(trace.as_bytes(), &spec()).map(|summary| summary.ios);
        assert_eq!(found, Err(TraceFault { at, kind }), "{trace}");
    }
}

#[test]
fn redirected_files_are_one_open_file_and_offsets_are_scaled_then_aligned() {
    let trace = "fio version 3 iolog\n0 a add\n0 b add\n0 a open\n0 b open\n1 a read 4096000 12288\n2 b write 5000 4096\n\
                 3 a close\n4 b close\n";
    let changed = ReplaySpec {
        redirect: Some("c".into()),
        scale: NonZeroU64::new(3).unwrap(),
        align: NonZeroU64::new(4096).unwrap(),
        time_scale: NonZeroU64::new(50).unwrap(),
        ..spec()
    };
    let all = records(trace.as_bytes(), &changed).unwrap();
    // The offsets as fio 3.33 logged them for these options.
    let seen: Vec<_> = all.iter().map(|r| (r.nanos, r.action, r.file, r.offset)).collect();
    use Action::*;
    let expected = [(0, Open, 0, 0), (2000, Read, 0, 1_363_968), (4000, Write, 0, 0), (8000, Close, 0, 0)];
    assert_eq!(seen, expected);
    let skipped = ReplaySpec { skip: [true, false, false, false], ..spec() };
    assert!(records(trace.as_bytes(), &skipped).unwrap().iter().all(|r| r.action != Read));
}

/// An event of `struct blk_io_trace` of linux/blktrace_api.h, followed by `data`.
fn event(big: bool, nanos: u64, sector: u64, bytes: u32, action: u32, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut put = |mut field: Vec<u8>| {
        if big {
            field.reverse();
        }
        out.extend(field);
    };
    put(0x6561_7407u32.to_le_bytes().to_vec());
    put(1u32.to_le_bytes().to_vec());
    put(nanos.to_le_bytes().to_vec());
    put(sector.to_le_bytes().to_vec());
    put(bytes.to_le_bytes().to_vec());
    put(action.to_le_bytes().to_vec());
    put(77u32.to_le_bytes().to_vec());
    put((8u32 << 20 | 17).to_le_bytes().to_vec());
    put(0u32.to_le_bytes().to_vec());
    put(0u16.to_le_bytes().to_vec());
    put((data.len() as u16).to_le_bytes().to_vec());
    out.extend(data);
    out
}

#[test]
fn blktrace_has_queued_ios_of_either_byte_order() {
    const QUEUE: u32 = 1;
    let tc = |bit: u32| 1 << (bit + 16);
    for big in [false, true] {
        let event =
            |nanos, sector, bytes, action, data: &[u8]| event(big, nanos, sector, bytes, action, data);
        let trace = [
            event(5, 0, 0, tc(10) | 1, b"process name"),
            event(1000, 8, 4096, QUEUE | tc(0), &[]),
            event(1500, 8, 4096, 8 | tc(0) | tc(7), &[]),
            event(2000, 16, 8192, QUEUE | tc(1) | tc(3), b"data"),
            event(2500, 0, 1 << 31, QUEUE | tc(13) | tc(1), &[]),
            event(3000, 0, 0, QUEUE | tc(2) | tc(1), &[]),
            event(3500, 0, 512, QUEUE | tc(9), &[]),
        ]
        .concat();
        let all = records(&trace, &spec()).unwrap();
        use Action::*;
        let seen: Vec<_> = all.iter().map(|r| (r.nanos, r.action, r.offset, r.length)).collect();
        let expected = [
            (0, Open, 0, 0),
            (0, Read, 4096, 4096),
            (1000, Write, 8192, 8192),
            (1500, Trim, 0, 1 << 31),
            (2000, Sync, 0, 0),
        ];
        assert_eq!(seen, expected, "big {big}");
        let names = scan(trace.as_slice(), &spec()).unwrap().names;
        assert_eq!(names.files(), [job::trace::TraceFile::Device(8, 17)]);
        assert_eq!(Names::of_keys(&names.keys()).files(), names.files());
        // The first four bytes of the data are in the place of an event.
        let cut = [&trace[..48 + 12 + 48 + 20]].concat();
        assert_eq!(records(&cut, &spec()), Err(TraceFault { at: 3, kind: Kind::Event }), "big {big}");
        let broken =
            [&trace[..48 + 12], b"no event, but just as long as an event would be, and longer".as_slice()];
        assert_eq!(records(&broken.concat(), &spec()), Err(TraceFault { at: 2, kind: Kind::Event }));
    }
}

/// The corpus of the fuzz target, and each of its files with one byte changed or cut off.
#[test]
fn corpus_of_the_fuzz_target_keeps_its_laws() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/trace");
    let files: Vec<_> = std::fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= 4, "{files:?}");
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        any_trace::trace(&bytes);
        for at in 0..bytes.len() {
            any_trace::trace(&bytes[..at]);
            for change in [1, 16, 128, b'0' ^ bytes[at], b' ' ^ bytes[at]] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                any_trace::trace(&changed);
            }
        }
    }
}
