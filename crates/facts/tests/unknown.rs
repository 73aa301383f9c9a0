//! The judge of unknown data: what fio and random generators write is accepted, what programs keep is refused.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use facts::unknown::{SECTOR, first_foreign_sector};
use std::collections::HashSet;
use std::process::Command;
use std::time::Duration;
use testbed::child::run;
use testbed::{Draw, Need, Sandbox, skip_without};

const WORDS: &[&str] = &[
    "the",
    "disk",
    "of",
    "a",
    "record",
    "customer",
    "and",
    "is",
    "payment",
    "2026-11-23",
    "kernel:",
    "error",
    "0x1f",
    "München",
    "naïve",
    "письмо",
    "данные",
    "数据",
    "磁盘",
    "id",
    "name",
    "value",
    "true",
    "null",
    "42",
    "3.1415",
];

fn text(draw: &mut Draw, length: usize) -> Vec<u8> {
    let mut text = String::new();
    while text.len() < length {
        text += draw.pick(WORDS);
        text += draw.pick(&[" ", " ", " ", "\n", ", ", "\t", ". "]);
    }
    text.into_bytes()[..length].to_vec()
}

/// Returns whether a stretch of a program differs from everything that the judge accepts. Programs also have what
/// nobody can tell from generated data: tables of one word and zeros, rows and texts that repeat within a pattern's
/// length, and tables that look random, such as the powers of five with which numbers are parsed. Machine code has up to
/// 6.5 bits of entropy per byte, 512 random bytes have 7.6.
fn is_distinct(stretch: &[u8]) -> bool {
    let mut counts = [0usize; 256];
    stretch.iter().for_each(|byte| counts[usize::from(*byte)] += 1);
    let shares = counts.iter().filter(|n| **n > 0).map(|n| *n as f64 / stretch.len() as f64);
    let entropy: f64 = shares.map(|share| -share * share.log2()).sum();
    let windows: HashSet<&[u8]> = stretch.windows(8).collect();
    (1.5..6.7).contains(&entropy) && windows.len() * 2 > stretch.len()
}

const KINDS: &[&str] = &[
    "text", "json", "utf16", "program", "tar", "page", "bitmap", "sparse", "floats", "doubles", "counters",
    "pointers", "base64", "hex", "sound", "pixels", "table",
];

/// Data as programs keep it, of `kind` and about `length` bytes.
fn structure(draw: &mut Draw, kind: &str, length: usize, program: &[u8]) -> Vec<u8> {
    let numbers = |draw: &mut Draw, make: &mut dyn FnMut(&mut Draw, usize) -> Vec<u8>| {
        let mut all = Vec::new();
        let mut number = 0;
        while all.len() < length {
            all.extend(make(draw, number));
            number += 1;
        }
        all
    };
    match kind {
        "text" => text(draw, length),
        "json" => numbers(draw, &mut |draw, n| {
            format!("{{\"id\":{n},\"name\":\"{}\",\"score\":{}}}\n", draw.pick(WORDS), draw.below(1000))
                .into_bytes()
        }),
        "utf16" => {
            let text = String::from_utf8_lossy(&text(draw, length)).into_owned();
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        "program" => loop {
            let at = draw.below(program.len() / 2) / SECTOR * SECTOR;
            let stretch = &program[at..at + length];
            if is_distinct(stretch) {
                return stretch.to_vec();
            }
        },
        "tar" => {
            let mut header = vec![0u8; 512];
            header[..9].copy_from_slice(b"etc/hosts");
            header[100..107].copy_from_slice(b"0000644");
            header[257..263].copy_from_slice(b"ustar\0");
            [header, text(draw, length)].concat()
        }
        "page" => numbers(draw, &mut |draw, n| {
            let mut page = vec![0u8; 4096];
            let cells = 1 + draw.below(40);
            page[0] = 13;
            page[3..5].copy_from_slice(&(cells as u16).to_be_bytes());
            for cell in 0..cells {
                let at = 4096 - (cell + 1) * 60;
                page[8 + 2 * cell..10 + 2 * cell].copy_from_slice(&(at as u16).to_be_bytes());
                let row = text(draw, 50);
                page[at] = n as u8;
                page[at + 4..at + 54].copy_from_slice(&row);
            }
            page
        }),
        "bitmap" => {
            let mut map = vec![0u8; length];
            let set = 1 + draw.below(length - 1);
            map[..set].fill(0xff);
            map[set] = 0x0f;
            for _ in 0..draw.below(8) {
                let at = draw.below(set);
                map[at] = !(1 << draw.below(8));
            }
            map
        }
        "sparse" => {
            let mut all = vec![0u8; length];
            for at in (0..length).step_by(64 << draw.below(4)) {
                let fields = [draw.below(100_000) as u32, 1 + draw.below(50) as u32, 0x0001_0002];
                for (i, field) in fields.iter().enumerate().take((length - at) / 4) {
                    all[at + 4 * i..at + 4 * i + 4].copy_from_slice(&field.to_le_bytes());
                }
            }
            all
        }
        "floats" => numbers(draw, &mut |draw, _| (draw.below(1 << 24) as f32 / 1e7).to_le_bytes().to_vec()),
        "doubles" => numbers(draw, &mut |draw, _| (draw.next() as f64 / 1e15).to_le_bytes().to_vec()),
        "counters" => {
            let first = draw.below(1 << 30);
            numbers(draw, &mut |_, n| ((first + n) as u32).to_le_bytes().to_vec())
        }
        "pointers" => numbers(draw, &mut |draw, _| {
            (0x7f00_0000_0000 + draw.below(1 << 30) as u64 * 16).to_le_bytes().to_vec()
        }),
        "base64" | "hex" => {
            let digits: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+/";
            let base = if kind == "hex" { 16 } else { 64 };
            (0..length).map(|_| digits[draw.below(base)]).collect()
        }
        "sound" => {
            let (pitch, loud) = (0.01 + draw.below(100) as f64 / 1000.0, 100.0 + draw.below(20_000) as f64);
            numbers(draw, &mut |draw, n| {
                let sample = (n as f64 * pitch).sin() * loud + draw.below(64) as f64;
                (sample as i16).to_le_bytes().repeat(2)
            })
        }
        "pixels" => {
            let mut level = 128i32;
            numbers(draw, &mut |draw, _| {
                level = (level + draw.below(9) as i32 - 4).clamp(0, 255);
                [level, (level + 10).min(255), level / 2].map(|c| c as u8).to_vec()
            })
        }
        _ => numbers(draw, &mut |draw, n| {
            let mut row = (n as u64).to_le_bytes().to_vec();
            row.extend(draw.bytes(16));
            row.extend((draw.below(5) as u64).to_le_bytes());
            row
        }),
    }
}

fn no_structure_is_missed(cases: usize) {
    let mut draw = Draw::fresh();
    let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
    let mut missed = Vec::new();
    for case in 0..cases {
        let kind = draw.pick(KINDS);
        let length = [SECTOR, 1000, 4096, 16_384][draw.below(4)] + draw.below(200);
        let data = structure(&mut draw, kind, length, &program);
        let mut piece = match draw.below(3) {
            0 => vec![0; 64 << 10],
            1 => vec![0xff; 64 << 10],
            _ => draw.bytes(64 << 10),
        };
        // Data is written in sectors: what is behind its end is zero.
        let sectors = data.len().div_ceil(SECTOR) * SECTOR;
        let room = piece.len() - sectors.min(piece.len());
        let at = draw.below(room / SECTOR + 1) * SECTOR;
        let length = sectors.min(piece.len());
        piece[at..at + length].fill(0);
        let length = data.len().min(length);
        piece[at..at + length].copy_from_slice(&data[..length]);
        // A program has stretches of zeros; what counts is that something of it is seen.
        if data.iter().filter(|byte| **byte != 0).count() > 8
            && first_foreign_sector(&piece).is_none_or(|found| found < at || found >= at + sectors)
        {
            missed.push((case, kind, data.len(), at, first_foreign_sector(&piece)));
        }
    }
    let by_kind = |kind: &&&str| missed.iter().filter(|m| m.1 == **kind).count();
    let counts: Vec<_> = KINDS.iter().map(|kind| (kind, by_kind(&kind))).filter(|c| c.1 > 0).collect();
    assert!(
        missed.is_empty(),
        "{} of {cases}: {counts:?}; {:?}",
        missed.len(),
        &missed[..missed.len().min(8)]
    );
}

#[test]
fn drawn_structures_are_all_foreign() {
    no_structure_is_missed(2000);
}

#[test]
#[ignore = "ten times as many as by default"]
fn many_drawn_structures_are_all_foreign() {
    no_structure_is_missed(20_000);
}

/// Data that a user may need although it resembles that of a test.
fn resembling(draw: &mut Draw, kind: &str) -> Vec<u8> {
    let mut piece = match kind {
        "magic after zeros" | "few bytes" => vec![0; 256 << 10],
        _ => draw.bytes(256 << 10),
    };
    let at = SECTOR * draw.below(400);
    match kind {
        "repeated text" => {
            let length = 24 + draw.below(200);
            let line = text(draw, length);
            let length = SECTOR * (2 + draw.below(40));
            piece[at..at + length].fill(0);
            let copies: Vec<u8> = line.iter().copied().cycle().take(length).collect();
            piece[at..at + length].copy_from_slice(&copies);
        }
        "few bytes" => {
            let length = 1 + draw.below(64);
            let byte = 1 + draw.below(255) as u8;
            piece[at..at + length].fill(byte);
        }
        "words" => {
            let words = b"the password of the old server is kept in the second drawer";
            let words = &words[..20 + draw.below(words.len() - 20)];
            let place = at + draw.below(SECTOR - words.len());
            piece[place..place + words.len()].copy_from_slice(words);
        }
        _ => {
            let magic: &[u8] = [
                &b"\xff\xd8\xff\xe0\0\x10JFIF"[..],
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03",
                b"\xfd7zXZ\0",
                b"PK\x03\x04\x14\0",
                b"\x28\xb5\x2f\xfd",
                b"\0\0\0\x20ftypisom",
            ][draw.below(6)];
            let length = 3 * SECTOR + draw.below(3000);
            let body = draw.bytes(length);
            piece[at..at + body.len()].copy_from_slice(&body);
            piece[at..at + magic.len()].copy_from_slice(magic);
        }
    }
    piece
}

#[test]
fn data_that_resembles_a_test_is_foreign() {
    let mut draw = Draw::fresh();
    for kind in ["repeated text", "few bytes", "words", "magic after zeros", "magic"] {
        for case in 0..100 {
            let piece = resembling(&mut draw, kind);
            assert!(first_foreign_sector(&piece).is_some(), "{kind}, case {case}");
        }
    }
}

fn noise_is_accepted(devices: usize, bytes: usize) {
    let mut draw = Draw::fresh();
    for device in 0..devices {
        let noise = draw.bytes(bytes);
        assert_eq!(first_foreign_sector(&noise), None, "device {device}");
    }
}

#[test]
fn noise_devices_are_accepted() {
    noise_is_accepted(500, 64 << 10);
}

#[test]
#[ignore = "20,000 devices of 2 MiB"]
fn many_noise_devices_are_accepted() {
    noise_is_accepted(20_000, 2 << 20);
}

/// Options of a job that writes a payload of some kind.
fn payload(draw: &mut Draw) -> Vec<String> {
    let mut args: Vec<String> = Vec::new();
    let mut add = |arg: String| args.push(arg);
    let percent = [0, 1, 5, 10, 25, 33, 50, 66, 75, 80, 90, 95, 99, 100][draw.below(14)];
    let chunk = ["512", "1000", "4096", "300", "64", "3000", "64k"][draw.below(7)];
    let pattern = draw.pick(&[
        "0xdeadbeef",
        "0x00",
        "\"fathom\"",
        "-120",
        "0xff00",
        "0x00112233445566778899aabbccddeeff0123456789",
        "171",
    ]);
    match draw.below(9) {
        0 => {}
        1 => add("--refill_buffers".into()),
        2 => {
            add("--zero_buffers".into());
            add(format!("--scramble_buffers={}", draw.below(2)));
        }
        3 => {
            add(format!("--buffer_pattern={pattern}"));
            if draw.below(2) == 0 {
                add("--scramble_buffers=1".into());
            }
        }
        4 => {
            add(format!("--buffer_compress_percentage={percent}"));
            if draw.below(4) > 0 {
                add(format!("--buffer_compress_chunk={chunk}"));
            }
        }
        5 => {
            // Not recognised yet, and so refused: a pattern beside noise in chunks that are no multiple of a sector.
            // And a long pattern of which a chunk has less than two copies.
            let chunk = if matches!(chunk, "512" | "4096" | "64k") { chunk } else { "512" };
            let pattern = if pattern.len() > 20 { "0x0011223344" } else { pattern };
            add(format!("--buffer_compress_percentage={percent}"));
            add(format!("--buffer_compress_chunk={chunk}"));
            add(format!("--buffer_pattern={pattern}"));
        }
        6 => add(format!("--dedupe_percentage={}", draw.below(101))),
        7 => {
            let kinds = [
                "md5", "crc64", "crc32c", "crc32", "crc16", "crc7", "xxhash", "sha512", "sha256", "sha1",
                "sha3-256", "sha3-512", "null",
            ];
            add(format!("--verify={}", draw.pick(&kinds)));
            add("--do_verify=0".into());
            match draw.below(3) {
                0 => add("--verify_interval=512".into()),
                1 => add("--verify_interval=1024".into()),
                _ => {}
            }
            if draw.below(2) == 0 {
                add(format!(
                    "--verify_pattern={}",
                    draw.pick(&["0xdeadbeef", "\"hello\"%o", "%o", "0xab%o\"zz\""])
                ));
            }
        }
        _ => {
            add("--verify=pattern".into());
            add("--do_verify=0".into());
            add(format!(
                "--verify_pattern={}",
                draw.pick(&["0xdeadbeef", "\"hello\"%o", "%o", "0xab%o\"zz\""])
            ));
        }
    }
    add(format!("--rw={}", draw.pick(&["write", "randwrite", "write"])));
    add(format!("--bs={}", draw.pick(&["512", "4k", "64k", "1M", "8k", "1536"])));
    add(format!("--iodepth={}", [1, 4, 16][draw.below(3)]));
    add(format!("--randseed={}", draw.below(1 << 30)));
    add(format!("--io_size={}k", [64, 300, 1024, 2048][draw.below(4)]));
    args
}

fn what_fio_writes_is_accepted(jobs: usize) {
    skip_without!(Need::Program("fio"));
    let mut draw = Draw::fresh();
    let sandbox = Sandbox::in_memory().unwrap();
    let mut refused = Vec::new();
    for job in 0..jobs {
        let path = sandbox.sparse("target", 2 << 20).unwrap();
        let args = payload(&mut draw);
        let mut fio = Command::new("fio");
        fio.args(["--name=w", "--ioengine=libaio", "--size=2M", "--overwrite=1", "--verify_state_save=0"]);
        let ran = run(
            fio.arg("--output=/dev/null").args(&args).arg("--filename").arg(&path),
            Duration::from_secs(20),
        )
        .unwrap();
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:#?}");
        let written = std::fs::read(&path).unwrap();
        for (at, piece) in [(0, &written[..1 << 20]), (1 << 20, &written[1 << 20..])] {
            if let Some(found) = first_foreign_sector(piece) {
                refused.push(format!("job {job}: {} at {}", args.join(" "), at + found));
                break;
            }
        }
    }
    // Chunks with a few constant bytes, or too few to tell, are refused rather than risked.
    assert!(
        refused.len() * 10 <= jobs,
        "{} of {jobs}:\n{}",
        refused.len(),
        refused[..refused.len().min(12)].join("\n")
    );
}

#[test]
fn what_fio_writes_is_generated() {
    what_fio_writes_is_accepted(20);
}

#[test]
#[ignore = "thirty times as many as by default"]
fn what_fio_writes_in_many_ways_is_generated() {
    what_fio_writes_is_accepted(600);
}

/// A volume of zeros may end within a sector.
#[test]
fn zeros_in_an_unfinished_sector_are_no_data() {
    for bytes in [4097, 4100, 8193, 12_289, (2 << 20) + 1] {
        assert_eq!(first_foreign_sector(&vec![0; bytes]), None, "{bytes}");
    }
    let mut text = vec![0; 4097];
    text[4096] = b'a';
    assert_eq!(first_foreign_sector(&text), Some(4096));
}
