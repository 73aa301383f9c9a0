//! Damage planted in blocks is found and named, and whole blocks pass.

use super::*;
use engine::{Kind, Op};
use job::job::PayloadSpec;
use job::verify::OffsetPattern;
use proptest::prelude::*;
use stats::verification::Damage;

const KEYS: [u32; 2] = [0x8765_4321, 0x1111_1111];
const RUN: u32 = 77;

fn spec(method: Method, interval: u32, offset: u32, pattern: &[u8]) -> VerifySpec {
    VerifySpec {
        method,
        read_back: true,
        only: false,
        interval,
        offset,
        pattern: OffsetPattern { bytes: pattern.to_vec(), ..OffsetPattern::default() },
        fatal: false,
        dump: false,
        checks: true,
        backlog: None,
        trims: None,
        save_state: false,
        load_state: false,
        policy: job::verify::Policy::Completed,
        threads: 0,
        thread_cpus: Vec::new(),
        seed: true,
    }
}

fn checker(spec: &VerifySpec, largest: usize, run: u32) -> Checker {
    let contents = Contents::new(
        &PayloadSpec::NOISE,
        spec.pattern.clone(),
        (largest, spec.interval as usize),
        Some(run),
    );
    Checker::new(spec, contents, false, false)
}

/// Returns the block that a write of `length` bytes with this number makes at `offset`.
fn block(checker: &Checker, key: u32, write: u32, offset: u64, length: usize) -> Vec<u8> {
    let mut block = vec![0; length];
    checker.contents().fill(&mut block);
    let op = Op { offset, len: length as u32, kind: Kind::Write, ..Op::NONE };
    checker.stamp(&op, &mut block, key, write);
    block
}

fn verdict(checker: &Checker, part: &[u8], offset: u64, at: usize, expected: Expected<'_>) -> Verdict {
    let place = Place { offset, at, key: KEYS[0], keys: &KEYS, expected: Some(expected) };
    checker.check(&mut part.to_vec(), place)
}

fn methods() -> impl Strategy<Value = Method> {
    let checksums: Vec<Checksum> = Checksum::ALL.iter().map(|(_, checksum)| *checksum).collect();
    let header = prop::sample::select(checksums)
        .prop_filter("has a checksum", |c| {
            !matches!(c, Checksum::None | Checksum::Pattern | Checksum::Crc7 | Checksum::Crc16)
        })
        .prop_map(Method::Header);
    header.boxed()
}

/// Damage of one kind in a block of `n` bytes, and its name.
#[derive(Clone, Debug)]
enum Planted {
    Flip(Vec<u32>),
    Torn(usize, bool),
    TornToZero(usize),
    Lost(u32),
    EarlierRun,
    Misdirected(u64),
    OtherFile,
    Zeroed,
    Shifted(usize),
    ShiftedBack(usize),
    Foreign(u64),
}

fn damages() -> impl Strategy<Value = Planted> {
    prop_oneof![
        prop::collection::vec(any::<u32>(), 1..9).prop_map(Planted::Flip),
        (1usize..8, any::<bool>()).prop_map(|(at, front)| Planted::Torn(at, front)),
        (1usize..8).prop_map(Planted::TornToZero),
        (1u32..500).prop_map(Planted::Lost),
        Just(Planted::EarlierRun),
        (0u64..100).prop_map(Planted::Misdirected),
        Just(Planted::OtherFile),
        Just(Planted::Zeroed),
        (1usize..60).prop_map(Planted::Shifted),
        (1usize..60).prop_map(Planted::ShiftedBack),
        any::<u64>().prop_map(Planted::Foreign),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    /// Each kind of damage gets its name, whatever the checksum and the place of the header.
    #[test]
    fn planted_damage_is_found_and_named(
        method in methods(),
        header_at in prop::sample::select(vec![0u32, 256, 1000]),
        parts in 1usize..4,
        part in 0usize..4,
        write in 501u32..1000,
        planted in damages(),
    ) {
        const INTERVAL: usize = 4096;
        let spec = spec(method, INTERVAL as u32, header_at, b"");
        let (this, other) = (checker(&spec, 4 * INTERVAL, RUN), checker(&spec, 4 * INTERVAL, RUN + 1));
        let (offset, length) = (1 << 20, parts * INTERVAL);
        let at = part % parts * INTERVAL;
        let place = offset + at as u64;
        let right = block(&this, KEYS[0], write, offset, length);
        prop_assert_eq!(verdict(&this, &right[at..at + INTERVAL], place, at, Expected::Write(write)), Verdict::Good);
        let right = &right[at..at + INTERVAL];
        let mut part = right.to_vec();
        let kind = match planted {
            Planted::Flip(bits) => {
                let bits: std::collections::BTreeSet<usize> = bits.iter().map(|bit| *bit as usize % (8 * INTERVAL)).collect();
                bits.iter().for_each(|bit| part[bit / 8] ^= 1 << (bit % 8));
                Damage::Flip { bits: bits.len() as u32 }.kind()
            }
            Planted::Torn(sector, front) => {
                // The other part is that of an earlier write.
                let older = block(&this, KEYS[0], write - 500, offset, length);
                let cut = sector * SECTOR;
                let range = if front { 0..cut } else { cut..INTERVAL };
                part[range.clone()].copy_from_slice(&older[at..at + INTERVAL][range]);
                Damage::Torn.kind()
            }
            Planted::TornToZero(sector) => {
                part[sector * SECTOR..].fill(0);
                Damage::Torn.kind()
            }
            Planted::Lost(back) => {
                part = block(&this, KEYS[0], write - back, offset, length)[at..at + INTERVAL].to_vec();
                Damage::Lost.kind()
            }
            Planted::EarlierRun => {
                part = block(&other, KEYS[0], write, offset, length)[at..at + INTERVAL].to_vec();
                Damage::Lost.kind()
            }
            Planted::Misdirected(blocks) => {
                let from = blocks * length as u64;
                part = block(&this, KEYS[0], write + 1, from, length)[at..at + INTERVAL].to_vec();
                Damage::Misdirected { from: from + at as u64 }.kind()
            }
            Planted::OtherFile => {
                part = block(&this, KEYS[1], write, offset, length)[at..at + INTERVAL].to_vec();
                Damage::Misdirected { from: place }.kind()
            }
            Planted::Zeroed => {
                part.fill(0);
                Damage::Zeroed.kind()
            }
            Planted::Shifted(words) => {
                part.rotate_right(8 * words);
                part[..8 * words].fill(0);
                Damage::Shifted { by: 8 * words as i64 }.kind()
            }
            Planted::ShiftedBack(words) => {
                part.rotate_left(8 * words);
                part[INTERVAL - 8 * words..].fill(0xee);
                Damage::Shifted { by: -8 * words as i64 }.kind()
            }
            Planted::Foreign(seed) => {
                let mut words = vec![0; INTERVAL / 8];
                engine::noise::Noise::new(seed).fill(&mut words);
                part = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                Damage::Foreign.kind()
            }
        };
        match verdict(&this, &part, place, at, Expected::Write(write)) {
            Verdict::Bad(found) => prop_assert_eq!(found.damage.kind(), kind, "{:?}", found.damage),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    /// Copies into mapped memory mix byte by byte; a byte of neither is damage.
    #[test]
    fn mapped_writes_mix_byte_by_byte(method in methods(), mixed in prop::collection::vec(any::<bool>(), 4096)) {
        if method != Method::Null && method != Method::Pattern {
            let spec = spec(method, 4096, 0, b"");
            let this = Checker { piece: 1, ..checker(&spec, 4096, RUN) };
            let [one, other] = [5, 6].map(|write| block(&this, KEYS[0], write, 8192, 4096));
            let mut part: Vec<u8> =
                mixed.iter().enumerate().map(|(at, other_one)| if *other_one { other[at] } else { one[at] }).collect();
            let judge = |part: &[u8]| verdict(&this, part, 8192, 0, Expected::AnyOf(&[5, 6]));
            prop_assert!(!matches!(judge(&part), Verdict::Bad(_)));
            part[2000] = (0..).find(|byte| *byte != one[2000] && *byte != other[2000]).unwrap_or_default();
            prop_assert!(matches!(judge(&part), Verdict::Bad(_)));
        }
    }

    /// Of two writes that overlapped, either passes, and a mixture of their sectors is not judged; an earlier one fails.
    #[test]
    fn either_of_two_overlapping_writes_passes(method in methods(), first in 2u32..90, mixed in prop::collection::vec(any::<bool>(), 8)) {
        let spec = spec(method, 4096, 0, b"");
        let this = checker(&spec, 4096, RUN);
        let writes = [first, first + 1];
        let made = writes.map(|write| block(&this, KEYS[0], write, 8192, 4096));
        let judge = |part: &[u8]| verdict(&this, part, 8192, 0, Expected::AnyOf(&writes));
        prop_assert_eq!(judge(&made[0]), Verdict::Good);
        prop_assert_eq!(judge(&made[1]), Verdict::Good);
        let mut part = made[0].clone();
        for sector in (0..8).filter(|sector| mixed[*sector]) {
            part[sector * SECTOR..(sector + 1) * SECTOR].copy_from_slice(&made[1][sector * SECTOR..(sector + 1) * SECTOR]);
        }
        prop_assert!(!matches!(judge(&part), Verdict::Bad(_)));
        let older = block(&this, KEYS[0], first - 1, 8192, 4096);
        prop_assert!(matches!(judge(&older), Verdict::Bad(found) if found.damage == Damage::Lost));
    }

    /// Patterns with and without offsets pass where they were written, and a changed byte is found at its place.
    #[test]
    fn patterns_are_compared_byte_by_byte(
        bytes in prop::collection::vec(any::<u8>(), 8..40),
        offsets in any::<bool>(),
        header in any::<bool>(),
        parts in 1usize..4,
        changed in 0usize..4096,
        by in 1u8..=255,
    ) {
        let method = if header { Method::Header(Checksum::Pattern) } else { Method::Pattern };
        let mut spec = spec(method, 4096, 0, &bytes);
        spec.pattern.offsets = if offsets { vec![0] } else { Vec::new() };
        let this = checker(&spec, 4 * 4096, RUN);
        let made = block(&this, KEYS[0], 5, 65_536, parts * 4096);
        for at in (0..parts).map(|part| part * 4096) {
            let place = 65_536 + at as u64;
            let mut part = made[at..at + 4096].to_vec();
            prop_assert_eq!(verdict(&this, &part, place, at, Expected::Write(5)), Verdict::Good);
            part[changed] ^= by;
            let Verdict::Bad(found) = verdict(&this, &part, place, at, Expected::Write(5)) else {
                return Err(TestCaseError::fail("not found"));
            };
            prop_assert!(matches!(found.damage, Damage::Flip { bits } if bits == by.count_ones()), "{:?} {:?}", found.damage, found.fault);
        }
    }
}

/// A trimmed block that is not zero is named for what it contains; without `trim_verify_zero` it is not judged.
#[test]
fn trimmed_blocks_are_named_for_what_they_contain() {
    const TRIM: u32 = 7 | 1 << 28;
    let trims = Some(job::verify::TrimSpec { percent: 50, zeros: true, backlog: None });
    for (method, offset, pattern) in [
        (Method::Header(Checksum::Crc32c), 0, &b""[..]),
        (Method::Header(Checksum::Md5), 256, b""),
        (Method::Pattern, 0, b"abc"),
    ] {
        let spec = VerifySpec { trims, ..spec(method, 4096, offset, pattern) };
        let checker = checker(&spec, 4096, RUN);
        let named = |part: &[u8], expected| match verdict(&checker, part, 8192, 0, expected) {
            Verdict::Bad(found) => Ok(found.damage),
            other => Err(other),
        };
        let old = block(&checker, KEYS[0], 6, 8192, 4096);
        let mut flipped = vec![0; 4096];
        flipped[1000] = 4;
        let half: Vec<u8> = old[..2048].iter().copied().chain([0; 2048]).collect();
        let junk = engine_noise();
        let trimmed = Expected::Write(TRIM);
        assert_eq!(named(&[0; 4096], trimmed), Err(Verdict::Good));
        assert_eq!(named(&old, trimmed), Ok(Damage::Untrimmed), "{method:?}");
        assert_eq!(named(&flipped, trimmed), Ok(Damage::Flip { bits: 1 }));
        assert_eq!(named(&half, trimmed), Ok(Damage::Torn));
        assert_eq!(named(&junk, trimmed), Ok(Damage::Foreign));
        // A write and a trim that overlapped in time: either may be the last one.
        let either = Expected::AnyOf(&[6, TRIM]);
        assert_eq!(named(&[0; 4096], either), Err(Verdict::Good));
        assert_eq!(named(&old, either), Err(Verdict::Good));
        assert!(named(&junk, either).is_ok());
        if let Method::Header(_) = method {
            let other = block(&checker, KEYS[0], 6, 4096, 4096);
            assert_eq!(named(&other, trimmed), Ok(Damage::Misdirected { from: 4096 }));
        }
    }
    let unchecked = VerifySpec {
        trims: trims.map(|trims| job::verify::TrimSpec { zeros: false, ..trims }),
        ..spec(Method::Header(Checksum::Md5), 4096, 0, b"")
    };
    let junk = engine_noise();
    let verdict = verdict(&checker(&unchecked, 4096, RUN), &junk, 8192, 0, Expected::Write(TRIM));
    assert_eq!(verdict, Verdict::Unjudged);
}

fn engine_noise() -> Vec<u8> {
    (0..4096u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8 | 1).collect()
}
