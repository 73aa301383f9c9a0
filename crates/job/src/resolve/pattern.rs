//! Directions, offsets and sizes of a job.

use super::engine::write_shares;
use super::{Refusal, ResolveContext, chosen, is, refuse};
use crate::access_spec;
use crate::defaults::{default_text, or_default};
use crate::diagnostic::Diagnostic;
use crate::distribution::{self, Law, Places, Sizes, Zones};
use crate::job::*;
use crate::job_fault::JobFault;
use crate::nvme::NvmeFault;
use crate::spec::JobSpec;
use crate::sprandom::SprandomFault;
use crate::unit;
use crate::verify::VerifySpec;
use crate::zoned::ZonedFault;

pub(super) fn pattern(
    spec: &JobSpec,
    around: &ResolveContext,
    warnings: &mut Vec<Diagnostic>,
) -> Result<PatternSpec, Refusal> {
    let rw = chosen(&spec.rw).unwrap_or(default_text("rw"));
    let reads = or_default(&spec.reads, "rwmixread").clamp(0, 100) as u8;
    let mix = match rw {
        "read" | "randread" => Mix::Read,
        "write" | "randwrite" => Mix::Write,
        "trim" | "randtrim" => Mix::Trim,
        "trimwrite" | "randtrimwrite" => Mix::TrimWrite,
        _ => Mix::ReadWrite { reads },
    };
    let random = rw.starts_with("rand");
    let tail = spec.rw.as_ref().and_then(|chosen| chosen.tail.as_deref());
    let order = match tail {
        None if random => Order::Random { run: 1 },
        None => Order::Sequential { skip: 0 },
        // fio reads this one with atoi: what is no number is no run.
        Some(run) if random => {
            Order::Random { run: unit::integer(run, 1024).map_or(1, |n| n.value.clamp(1, 1 << 31) as u32) }
        }
        Some(skip) => match unit::integer(skip, spec.base_of("rw")) {
            Ok(n) => Order::Sequential { skip: n.value },
            Err(_) => return Err(refuse(spec, "rw", JobFault::NoSkip { rw })),
        },
    };
    let usual: [Option<i64>; 3] = or_default(&None, "bs");
    let one = |direction: usize| {
        let size = spec.bs.and_then(|typed| typed[direction]).or(usual[direction]);
        let size = size.unwrap_or_default().unsigned_abs();
        (size, size)
    };
    let mut block = std::array::from_fn(one);
    let ranges = block.iter_mut().zip(spec.block.unwrap_or_default());
    ranges.for_each(|(size, range)| *size = range.unwrap_or(*size));
    let mut sizes = Sizes {
        unaligned: spec.bs_unaligned.unwrap_or(false),
        seq_rand: spec.bs_is_seq_rand.unwrap_or(false),
        ..Sizes::default()
    };
    // What could not be read was refused where it was typed.
    if let Some(Ok(split)) =
        spec.bssplit.as_deref().map(|text| distribution::split(text, spec.base_of("bssplit")))
    {
        sizes.split = split.map(Option::unwrap_or_default);
    }
    let law = spec
        .random_distribution
        .as_ref()
        .and_then(|law| distribution::law(law, spec.base_of("random_distribution")).ok());
    let law = match law {
        Some(Law::Sequence { blocks, .. }) => {
            Some(Law::Sequence { blocks, stride: spec.random_sequence_stride.unwrap_or(false) })
        }
        law => law,
    };
    let places = Places {
        align: spec.ba.unwrap_or_default().map(|n| n.unwrap_or(0).unsigned_abs()),
        law: law.filter(|_| random).unwrap_or_default(),
        ordered: spec
            .percentage_random
            .unwrap_or_default()
            .map(|percent| if random { (100 - percent.unwrap_or(100).clamp(0, 100)) as u8 } else { 0 }),
        identical: is(&spec.rw_sequencer, "identical"),
        each_once: is(&spec.random_generator, "lfsr"),
        zones: zones(spec)?,
    };
    let aligned = block.iter().zip(places.align).any(|(range, align)| align != 0 && align != range.0);
    let mut random_map =
        random && places.law == Law::Even && (places.each_once || !spec.norandommap.unwrap_or(false));
    if aligned && random_map {
        warnings.push(Diagnostic::RandomMapOff);
        random_map = false;
    }
    let repeat = or_default(&spec.allrandrepeat.or(spec.randrepeat), "randrepeat");
    let seed = match spec.randseed {
        Some(seed) => seed as u64,
        None if repeat => 0x89,
        None => around.entropy,
    };
    let lines = lines(spec)?;
    if let Some(of_lines) = OfLines::new(&lines) {
        let OfLines { rw, mix, order, block } = of_lines;
        return Ok(PatternSpec {
            rw: rw.to_owned(),
            mix,
            order,
            block,
            sizes: Sizes::default(),
            places: Places::default(),
            zoned: None,
            sprandom: None,
            lines,
            trim_ranges: 0,
            random_map: false,
            seed,
        });
    }
    let zoned = zoned(spec, mix, &block)?.map(Box::new);
    let sprandom = sprandom(spec, (mix, order), &block)?.map(Box::new);
    random_map &= sprandom.is_none();
    Ok(PatternSpec {
        rw: if rw == "readwrite" { "rw" } else { rw }.to_owned(),
        mix,
        order,
        block,
        sizes,
        places,
        zoned,
        sprandom,
        lines,
        trim_ranges: trim_ranges(spec, mix, &block)?,
        random_map,
        seed,
    })
}

/// Directions, order and block sizes of the lines of an access specification.
struct OfLines {
    rw: &'static str,
    mix: Mix,
    order: Order,
    block: [(u64, u64); 3],
}

impl OfLines {
    /// Returns `None` without lines.
    fn new(lines: &[AccessLine]) -> Option<Self> {
        let ranges = access_spec::sizes(lines);
        let any = ranges.iter().flatten().copied().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        let random = lines.iter().any(|line| line.share > 0 && line.random > 0);
        let reads = access_spec::reads_percent(lines).round() as u8;
        let (mix, rw) = match access_spec::directions(lines) {
            [true, false] => (Mix::Read, ["read", "randread"]),
            [false, true] => (Mix::Write, ["write", "randwrite"]),
            _ => (Mix::ReadWrite { reads }, ["rw", "randrw"]),
        };
        Some(Self {
            rw: rw[usize::from(random)],
            mix,
            order: if random { Order::Random { run: 1 } } else { Order::Sequential { skip: 0 } },
            block: [ranges[0].unwrap_or(any), ranges[1].unwrap_or(any), any],
        })
    }
}

/// Returns the lines of `access_spec`; none without it. They state sizes, directions and order, so that options which
/// state them otherwise contradict them.
fn lines(spec: &JobSpec) -> Result<Vec<AccessLine>, Refusal> {
    let Some(text) = &spec.access_spec else { return Ok(Vec::new()) };
    // What could not be read was refused where it was typed.
    let lines = access_spec::access_spec(text, spec.base_of("access_spec")).unwrap_or_default();
    let on = |field: Option<bool>| field.unwrap_or(false);
    let excluded: [(bool, &[&str]); 10] = [
        (spec.rw.is_some(), &["rw"]),
        (spec.bs.is_some() || spec.block.is_some() || spec.bssplit.is_some(), &["bs", "bsrange", "bssplit"]),
        (on(spec.bs_unaligned) || on(spec.bs_is_seq_rand), &["bs_unaligned", "bs_is_seq_rand"]),
        (spec.reads.is_some(), &["rwmixread", "rwmixwrite"]),
        (spec.percentage_random.is_some() || spec.ba.is_some(), &["percentage_random", "ba"]),
        (spec.random_distribution.is_some(), &["random_distribution"]),
        (on(spec.sprandom) || spec.num_range.is_some(), &["sprandom", "num_range"]),
        (!matches!(chosen(&spec.zonemode), None | Some("none")), &["zonemode"]),
        (spec.verify.is_some() || spec.read_iolog.is_some(), &["verify", "read_iolog"]),
        (
            [spec.fsync, spec.fdatasync].iter().any(|every| every.unwrap_or(0) > 0)
                || spec.sync_file_range.is_some()
                || on(spec.serialize_overlap),
            &["fsync", "fdatasync", "sync_file_range", "serialize_overlap"],
        ),
    ];
    match excluded.iter().find(|(set, _)| *set) {
        Some((_, options)) => Err(refuse(spec, "access_spec", JobFault::Excludes(options))),
        None => Ok(lines),
    }
}

/// Returns the parameters of `sprandom`; `None` without it.
fn sprandom(
    spec: &JobSpec,
    (mix, order): (Mix, Order),
    block: &[(u64, u64); 3],
) -> Result<Option<SprandomSpec>, Refusal> {
    if !spec.sprandom.unwrap_or(false) {
        return Ok(None);
    }
    let wrong = |option, fault| Err(refuse(spec, option, JobFault::Sprandom(fault)));
    if mix != Mix::Write || order != (Order::Random { run: 1 }) {
        return wrong("sprandom", SprandomFault::NotRandomWrites);
    }
    if chosen(&spec.random_generator).is_some_and(|generator| generator != "lfsr") {
        return wrong("random_generator", SprandomFault::OtherGenerator);
    }
    let on = |field: Option<bool>| field.unwrap_or(false);
    let several = block[1].0 != block[1].1 || spec.bssplit.is_some() || on(spec.bs_is_seq_rand);
    if several || on(spec.bs_unaligned) {
        return wrong("sprandom", SprandomFault::SeveralBlockSizes);
    }
    // These choose offsets in another way, or come between the writes.
    let excluded: [(bool, &[&str]); 6] = [
        (!matches!(chosen(&spec.random_distribution), None | Some("random")), &["random_distribution"]),
        (spec.percentage_random.is_some(), &["percentage_random"]),
        (spec.ba.is_some(), &["ba"]),
        (!matches!(chosen(&spec.zonemode), None | Some("none")), &["zonemode"]),
        ([spec.fsync, spec.fdatasync].iter().any(|every| every.unwrap_or(0) > 0), &["fsync", "fdatasync"]),
        (
            spec.sync_file_range.is_some() || on(spec.serialize_overlap),
            &["sync_file_range", "serialize_overlap"],
        ),
    ];
    if let Some((_, options)) = excluded.iter().find(|(set, _)| *set) {
        return Err(refuse(spec, "sprandom", JobFault::Excludes(options)));
    }
    let ratio = or_default(&spec.spr_op, "spr_op").first().copied().unwrap_or(0.0);
    if !(ratio > 0.0 && ratio < 1.0) {
        return wrong("spr_op", SprandomFault::OverProvisioning);
    }
    Ok(Some(SprandomSpec {
        regions: or_default(&spec.spr_num_regions, "spr_num_regions").clamp(1, 1 << 20) as u32,
        over_provisioning: ratio,
        cache: spec.spr_cs.unwrap_or(0).max(0) as u64,
    }))
}

/// Returns the largest number of ranges of a trim.
fn trim_ranges(spec: &JobSpec, mix: Mix, block: &[(u64, u64); 3]) -> Result<u16, Refusal> {
    let most = or_default(&spec.num_range, "num_range") as u16;
    let wrong = |fault| Err(refuse(spec, "num_range", JobFault::Nvme(fault)));
    if most > 1 && mix != Mix::Trim {
        return wrong(NvmeFault::RangesWithoutTrims);
    }
    if most > 1 && !matches!(spec.engine(), "io_uring_cmd" | "model") {
        return wrong(NvmeFault::RangesOfEngine { engine: spec.engine() });
    }
    let largest = i32::MAX as u64 / block[2].1.max(1);
    if most > 1 && u64::from(most) > largest {
        return wrong(NvmeFault::RangesTooLong { most: largest });
    }
    Ok(most)
}

/// Returns the zones of `zonemode=strided`; `None` without zones.
pub(super) fn zones(spec: &JobSpec) -> Result<Option<Zones>, Refusal> {
    let size = spec.zonesize.unwrap_or(0).max(0) as u64;
    if is(&spec.zonemode, "zbd") {
        return Ok(None);
    }
    if !is(&spec.zonemode, "strided") {
        return if size == 0 { Ok(None) } else { Err(refuse(spec, "zonesize", JobFault::ZonesNotStrided)) };
    }
    if size == 0 {
        return Err(refuse(spec, "zonemode", JobFault::StridedWithoutSize));
    }
    let range = spec.zonerange.filter(|range| *range > 0).map_or(size, |range| range as u64);
    let skip = spec
        .zoneskip
        .as_deref()
        .and_then(|text| distribution::zone_skip(text, spec.base_of("zoneskip"), size).ok());
    Ok(Some(Zones { size, range, skip: skip.unwrap_or(0) }))
}

/// Completes the rules of `zonemode=zbd` by what verification and errors allow, and refuses options of writes that need
/// these rules.
pub(super) fn zone_writes(
    spec: &JobSpec,
    pattern: &mut PatternSpec,
    engine: &EngineChoice,
    verify: Option<&VerifySpec>,
    tolerance: &Tolerance,
) -> Result<(), Refusal> {
    let wrong = |option, fault| Err(refuse(spec, option, JobFault::Zoned(fault)));
    let appends = matches!(engine, EngineChoice::UringCmd(spec) if spec.writes.has(NvmeWrite::Append));
    let Some(zoned) = pattern.zoned.as_deref_mut() else {
        return if appends { wrong("write_mode", ZonedFault::AppendWithoutZones) } else { Ok(()) };
    };
    if zoned.recovers && verify.is_some() {
        return Err(refuse(spec, "recover_zbd_write_error", JobFault::Excludes(&["verify"])));
    }
    if zoned.recovers && tolerance.errnos[1].is_none() {
        return wrong("recover_zbd_write_error", ZonedFault::RecoveryWithoutTolerance);
    }
    if let Some(verify) = verify {
        // The header of a block has its offset, which has to be known before the write.
        zoned.parallel = false;
        zoned.remainder *= verify.interval;
    }
    Ok(())
}

/// Returns the rules of `zonemode=zbd`; `None` in all other modes.
fn zoned(spec: &JobSpec, mix: Mix, block: &[(u64, u64); 3]) -> Result<Option<ZonedSpec>, Refusal> {
    if !is(&spec.zonemode, "zbd") {
        return Ok(None);
    }
    let bytes = |field: Option<i64>| field.unwrap_or(0).max(0) as u64;
    let (size, capacity) = (bytes(spec.zonesize), bytes(spec.zonecapacity));
    let wrong = |option, fault| Err(refuse(spec, option, JobFault::Zoned(fault)));
    if (1..512).contains(&size) {
        return wrong("zonesize", ZonedFault::SizeBelow512);
    }
    if size > 0 && capacity > size {
        return wrong("zonecapacity", ZonedFault::CapacityAboveSize { size });
    }
    if mix.has(stats::Direction::Trim) {
        return wrong("rw", ZonedFault::Trims);
    }
    let used = |d: usize| mix.has(stats::Direction::ALL[d]);
    if size > 0 && (0..2).any(|d| used(d) && block[d].1 > size) {
        return wrong("bs", ZonedFault::BlockAboveZone { size });
    }
    let text = spec.zoneskip.as_deref();
    let skip = text.and_then(|text| distribution::zone_skip(text, spec.base_of("zoneskip"), size).ok());
    let skip = skip.unwrap_or(0);
    if skip > 0 && (size == 0 || !skip.is_multiple_of(size)) {
        return wrong("zoneskip", ZonedFault::SkipNotWhole { size });
    }
    let first = |list: &Option<Vec<f64>>| list.as_ref().and_then(|list| list.first().copied()).unwrap_or(0.0);
    let frequency = first(&spec.zone_reset_frequency);
    Ok(Some(ZonedSpec {
        size,
        capacity,
        skip,
        read_beyond_wp: spec.read_beyond_wp.unwrap_or(false),
        max_open: spec.max_open_zones.unwrap_or(0).max(0) as u32,
        job_max_open: spec.job_max_open_zones.unwrap_or(0).max(0) as u32,
        ignore_limits: spec.ignore_zone_limits.unwrap_or(false),
        reset_threshold: first(&spec.zone_reset_threshold),
        reset_every: if frequency > 0.0 { (1.0 / frequency).round() as u64 } else { 0 },
        parallel: spec.engine() == "io_uring_cmd" && write_shares(spec).only() == Some(NvmeWrite::Append),
        recovers: spec.recover_zbd_write_error.unwrap_or(false) && mix.has(stats::Direction::Write),
        remainder: u32::from(spec.write_zone_remainder.unwrap_or(false)),
    }))
}
