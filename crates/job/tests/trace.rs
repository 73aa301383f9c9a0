//! Traces: both text versions, blktrace files in both byte orders, and each fault at its line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "common/any_trace.rs"]
mod any_trace;

use job::job::ReplaySpec;
use job::trace::{
    Action, MergeSource, MergeSpec, Merged, Names, Record, Replayed, TraceFault, TraceFaultKind as Kind,
    TraceFile, TraceQuantity, scan,
};
use std::io::Read;
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
        merge: None,
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

/// Each collection, with and without its heading: the same reads and writes at the same times.
#[test]
fn collections_are_recognised_by_their_first_line() {
    use Action::*;
    let texts = [
        "Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\n\
         128166372003061629,usr,0,Read,7014609920,24576,41286\n\
         128166372016382155,usr,0,Write,1317441536,8192,1963\n",
        "device_id,opcode,offset,length,timestamp\n\
         419,R,7014609920,24576,1577808000000000\n419,W,1317441536,8192,1577808001332052\n",
        "Timestamp,Offset,Size,IOType,VolumeID\n\
         1538323200,13700410,48,0,1063\n1538323201,2573128,16,1,1063\n",
        "Timestamp,Response,IOType,LUN,Offset,Size\n\
         1455592817.181302000,0.0041286,R,2,7014609920,24576\n\
         1455592818.513354600,,W,2,1317441536,8192\n",
    ];
    let second = [1_332_052_600, 1_332_052_000, 1_000_000_000, 1_332_052_600];
    let volumes = ["usr_0", "419", "1063", "2"];
    for ((text, nanos), volume) in texts.into_iter().zip(second).zip(volumes) {
        let rows = text.split_once('\n').unwrap().1;
        for text in [text, rows, &rows.replace('\n', "\r\n")] {
            let all = records(text.as_bytes(), &spec()).unwrap();
            let seen: Vec<_> = all.iter().map(|r| (r.nanos, r.action, r.offset, r.length)).collect();
            let reads = (0, Read, 7_014_609_920, 24_576);
            assert_eq!(seen, [(0, Open, 0, 0), reads, (nanos, Write, 1_317_441_536, 8192)], "{text}");
            let files = scan(text.as_bytes(), &spec()).unwrap().names;
            assert_eq!(files.files(), [TraceFile::Volume(volume.into())]);
            assert_eq!(Names::of_keys(&files.keys()).files(), files.files());
        }
        let bad = format!("{rows}{}", rows.replace(',', ";"));
        let fault = records(bad.as_bytes(), &spec()).unwrap_err();
        assert!(fault.at == 3 && matches!(fault.kind, Kind::Row { .. }), "{fault:?}");
    }
    let two = "419,R,0,4096,1\n420,R,0,4096,2\n421,W,0,4096,3\n";
    let fault = scan(two.as_bytes(), &spec()).unwrap_err();
    let names: Box<[String]> = ["419", "420", "421"].map(str::to_owned).into();
    assert_eq!(fault.kind, Kind::Volumes { count: 3, names: names.clone() });
    let found = job::trace::profile(two.as_bytes(), Some("421")).unwrap();
    assert_eq!((found.ios, found.files), ([0, 1, 0], vec!["421".to_owned()]));
    let fault = job::trace::profile(two.as_bytes(), Some("7")).unwrap_err();
    assert_eq!(fault.kind, Kind::NoSuchVolume { volume: "7".into(), found: names });
}

/// The merged trace is the queued I/Os of all passes of all sources, sorted by their scaled times and then by the
/// sources, as little-endian events without data; computed here the slow way.
#[test]
fn merged_trace_is_the_sorted_union_of_scaled_passes() {
    const QUEUE: u32 = 1 | 1 << 16;
    let percents = [50.0, 100.0, 300.0];
    let passes = [3, 1, 2];
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let (mut files, mut expected) = (Vec::new(), Vec::new());
    for source in 0..3 {
        let (mut bytes, mut times) = (Vec::new(), Vec::new());
        let mut time = 1_000_000 + draw(1 << 40);
        for i in 0..200u64 {
            // Some I/Os of the same time, and between them events that are not queued I/Os.
            time += 2 * draw(4) * draw(1000);
            times.push((time, i, 512 * (1 + draw(8)) as u32));
            let (_, sector, length) = times[i as usize];
            bytes.extend(event(source == 1, time, sector, length, QUEUE, &[9; 5][..draw(6) as usize]));
            bytes.extend(event(source == 1, time + 1, sector, length, 8 | 1 << 16, &[]));
        }
        let first = times[0].0;
        let scaled = |time: u64| ((time - first) as f64 * percents[source] / 100.0) as u64;
        let length = scaled(time);
        for pass in 0..passes[source] {
            for (time, sector, bytes) in &times {
                let time = pass * length + scaled(*time);
                expected.push((time, source, event(false, time, *sector, *bytes, QUEUE, &[])));
            }
        }
        files.push(bytes);
    }
    expected.sort_by_key(|(time, source, _)| (*time, *source));
    let expected: Vec<u8> = expected.into_iter().flat_map(|(_, _, event)| event).collect();
    let source =
        |i: usize| MergeSource { path: i.to_string().into(), time_percent: percents[i], passes: passes[i] };
    let merge = MergeSpec { file: "m".into(), sources: (0..3).map(source).collect() };
    let open = |path: &std::path::Path| {
        let number: usize = path.to_str().unwrap().parse().unwrap();
        Ok(Box::new(std::io::Cursor::new(files[number].clone())) as Box<dyn std::io::BufRead>)
    };
    let mut merged = Vec::new();
    Merged::new(&merge, open).unwrap().read_to_end(&mut merged).unwrap();
    assert_eq!(merged.len(), 48 * 200 * 6);
    assert!(merged == expected);
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
