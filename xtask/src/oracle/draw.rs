//! Random jobs from the cross product of the options that plain jobs use.

use super::features;
use crate::dice::Dice;

/// Counts that the options determine, independently of random generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// Whether the number of I/Os is determined.
    pub ios: bool,
    /// Whether the number of bytes is determined.
    pub bytes: bool,
    /// Whether the number of syncs is determined.
    pub syncs: bool,
    /// Whether the sizes of files are determined. They are not if only random writes, which may miss the last block,
    /// extend a file.
    pub files: bool,
    /// Whether the offsets and sizes of the I/Os, in order, are determined.
    pub order: bool,
}

impl Fixed {
    pub fn both(self, other: Fixed) -> Fixed {
        Fixed {
            ios: self.ios && other.ios,
            bytes: self.bytes && other.bytes,
            syncs: self.syncs && other.syncs,
            files: self.files && other.files,
            order: self.order && other.order,
        }
    }
}

/// Random command line or job file, with the counts that must be equal in both tools.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Options of the first job as key and value, in order.
    pub options: Vec<(String, String)>,
    /// Options of a second job after a stonewall.
    pub second: Option<Vec<(String, String)>>,
    /// Whether the job is written as a job file.
    pub in_file: bool,
    /// Counts that must be equal in both tools.
    pub fixed: Fixed,
    /// Files that are there before the run, with their contents.
    pub inputs: Vec<(String, Vec<u8>)>,
    /// Whether the speed of the machine determines the counts, so that they cannot be compared.
    pub timed: bool,
    /// Text of the job file, if it is given.
    pub raw: Option<String>,
}

impl Drawn {
    /// Returns a job from a command line given by the user, of one or several jobs; counts that its options determine
    /// must be equal.
    pub fn given(text: &str) -> Drawn {
        let mut options: Vec<(String, String)> = text
            .split_whitespace()
            .map(|word| {
                let word = word.trim_start_matches('-');
                word.split_once('=').map_or((word.into(), String::new()), |(k, v)| (k.into(), v.into()))
            })
            .collect();
        if options.first().is_some_and(|(key, _)| key == "name") {
            options.remove(0);
        }
        let fixed = options
            .split(|(key, _)| key == "name")
            .map(fixed)
            .fold(Fixed { ios: true, bytes: true, syncs: true, files: true, order: true }, Fixed::both);
        let inputs = if text.contains("in.iolog") { features::example_trace() } else { Vec::new() };
        Drawn { options, second: None, in_file: false, fixed, inputs, timed: false, raw: None }
    }

    /// Returns the text of the job file.
    pub fn file(&self) -> String {
        if let Some(text) = &self.raw {
            return text.clone();
        }
        let mut text = String::from("[a]\n");
        let lines = |text: &mut String, options: &[(String, String)]| {
            for (key, value) in options {
                text.push_str(key);
                if !value.is_empty() {
                    text.push('=');
                    text.push_str(value);
                }
                text.push('\n');
            }
        };
        lines(&mut text, &self.options);
        if let Some(second) = &self.second {
            text.push_str("\n; the second\n[b]\nstonewall\n");
            lines(&mut text, second);
        }
        text
    }

    /// Returns the arguments; a job file has the name `job.fio` in the working directory.
    pub fn args(&self) -> Vec<String> {
        if self.in_file {
            return vec!["job.fio".into()];
        }
        let mut args = vec!["--name=a".to_string()];
        let words = |args: &mut Vec<String>, options: &[(String, String)]| {
            args.extend(
                options
                    .iter()
                    .map(|(k, v)| if v.is_empty() { format!("--{k}") } else { format!("--{k}={v}") }),
            );
        };
        words(&mut args, &self.options);
        if let Some(second) = &self.second {
            args.extend(["--name=b".to_string(), "--stonewall".into()]);
            words(&mut args, second);
        }
        args
    }

    /// Returns the number of writes between two syncs of the job with this name, and the number of clones in an entry
    /// of its report. `None` if chance does not decide whether the job syncs.
    pub fn syncs_of(&self, name: &str) -> Option<(f64, f64)> {
        let options = match name {
            "a" => Some(&self.options),
            "b" => self.second.as_ref(),
            _ => None,
        }?;
        let mixed = matches!(value(options, "rw"), Some("rw" | "randrw" | "readwrite"));
        let every = value(options, "fsync").or(value(options, "fdatasync"));
        let range = value(options, "sync_file_range").and_then(|v| v.split_once(':')).map(|(_, n)| n);
        let every = every.or(range)?;
        let grouped = value(options, "group_reporting").is_some();
        let clones = value(options, "numjobs").filter(|_| grouped).map_or(1, bytes);
        (mixed && value(options, "name").is_none()).then(|| (bytes(every) as f64, clones as f64))
    }

    /// Returns whether a job sets the option `key`.
    pub fn sets(&self, key: &str) -> bool {
        self.options.iter().chain(self.second.iter().flatten()).any(|(k, _)| k == key)
    }

    /// Returns whether the first job may have several I/Os in flight.
    pub fn is_deep(&self) -> bool {
        !is_depth_one(&self.options)
    }

    /// Returns the same job with another seed for its generators, and with `randrepeat=0`: fio's `randrepeat` (on by
    /// default) overrides `randseed` in part, so that 20 seeds may give the same sequence of offsets.
    pub fn with_seed(&self, seed: u64) -> Drawn {
        let mut other = self.clone();
        if let Some(text) = &mut other.raw {
            text.insert_str(0, &format!("[global]\nrandrepeat=0\nrandseed={seed}\n"));
        }
        for options in std::iter::once(&mut other.options).chain(other.second.as_mut()) {
            options.retain(|(k, _)| !matches!(k.as_str(), "randseed" | "randrepeat" | "allrandrepeat"));
            let named = (0..options.len()).rev().filter(|at| options[*at].0 == "name").collect::<Vec<_>>();
            for behind in named.into_iter().map(|at| at + 1).chain([0]) {
                options.insert(behind, ("randseed".into(), seed.to_string()));
                options.insert(behind, ("randrepeat".into(), "0".into()));
            }
        }
        other
    }
}

/// Options that sync after a number of writes.
pub const SYNCS: [&str; 3] = ["fsync", "fdatasync", "sync_file_range"];

/// Returns the value of an option; the last occurrence counts.
pub fn value<'a>(options: &'a [(String, String)], key: &str) -> Option<&'a str> {
    options.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
}

/// Parses a size such as `4k`, `2m` or `512`, in bytes.
fn bytes(text: &str) -> u64 {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "k" => 1 << 10,
        "m" => 1 << 20,
        _ => 1,
    };
    digits.parse::<u64>().unwrap_or(0) * unit
}

fn is_depth_one(options: &[(String, String)]) -> bool {
    matches!(value(options, "iodepth"), None | Some("1"))
        || matches!(
            value(options, "ioengine"),
            None | Some("psync" | "sync" | "vsync" | "pvsync" | "pvsync2" | "splice")
        )
}

/// Options with which random I/O does not use the random map.
pub const PAST_THE_MAP: [&str; 6] =
    ["norandommap", "random_distribution", "percentage_random", "random_generator", "ba", "bs_unaligned"];

/// Returns the counts that the options determine: one direction and one block size determine I/Os and bytes; a range of
/// block sizes with the random map determines bytes; at depth 1 the number of syncs follows from the number of writes.
pub fn fixed(options: &[(String, String)]) -> Fixed {
    let rw = value(options, "rw").unwrap_or("read");
    let direction = rw.split(':').next().unwrap_or(rw);
    let one_way = !matches!(direction, "rw" | "randrw" | "readwrite");
    let many_sizes = value(options, "bsrange").is_some() || value(options, "bssplit").is_some();
    let random = direction.starts_with("rand");
    // Sequential runs (`randwrite:3`) bypass the map: fio's bytes then differ from seed to seed.
    let map = random && direction == rw && PAST_THE_MAP.iter().all(|option| value(options, option).is_none());
    let limited_by_count = value(options, "number_ios").is_some();
    let limited = limited_by_count || value(options, "io_size").is_some();
    let depth_one = is_depth_one(options);
    // A run that reaches a partial block ends the pass; when this happens depends on the starts of the runs.
    let count = value(options, "filename").map_or(1, |names| names.split(':').count() as u64);
    let count = value(options, "nrfiles").map_or(count, bytes);
    let (size, block) = (value(options, "size").map_or(0, bytes), value(options, "bs").map_or(4096, bytes));
    let cut_run = random && direction != rw && !(size / count).is_multiple_of(block);
    // Beyond depth 1, fio's number of syncs depends on the I/Os in flight, and fio counts syncs against number_ios.
    let syncs = SYNCS.iter().any(|key| value(options, key).is_some());
    let counts_syncs = limited_by_count && syncs && !depth_one;
    // With one map for directions of different block sizes, the end of a pass depends on the generator.
    let uneven =
        ["bs", "bsrange", "bssplit"].iter().filter_map(|key| value(options, key)).any(|v| v.contains(','));
    // Random I/O in a zone cut by the end of the file ends the pass when it reaches that end.
    let zones = value(options, "zonemode").is_some() && (random || many_sizes);
    // In fio, sequential I/O that reaches a partial block ends the pass.
    let ordered = value(options, "percentage_random").is_some() && !(size / count).is_multiple_of(block);
    // With rw_sequencer and several block sizes, the end of the pass depends on the sizes drawn.
    let walks = value(options, "rw_sequencer").is_some() && many_sizes;
    // Without a map, fio's last write may be to a file that was trimmed to its end.
    let trims = direction == "randtrimwrite" && value(options, "norandommap").is_some();
    // Without a map, the blocks to verify are those that no later write replaces.
    let replaced = value(options, "verify").is_some() && random && !map;
    let chance =
        replaced || cut_run || counts_syncs || random && uneven || zones || ordered || walks || trims;
    let certain = one_way && !chance;
    // With several block sizes, a random pass may end before that number of I/Os.
    let ios = certain && (!many_sizes || limited_by_count && !random);
    // A limit in bytes ends with a whole block of any size.
    let bytes = certain && (!many_sizes || (map && !limited));
    let reserved = !matches!(value(options, "fallocate"), Some("none" | "keep"));
    // How far the writes of a limited job reach depends on their sizes and offsets.
    let holes = !random && direction != rw;
    // Where the last I/O of a zone ends depends on the sizes.
    let cut = value(options, "zonemode").is_some() && many_sizes;
    let whole = if cut {
        false
    } else if limited || holes {
        !random && !many_sizes
    } else {
        map || !random
    };
    // With a distribution over files, the first file depends on chance, and with few open files it is the only one.
    let by_law = value(options, "file_service_type").is_some_and(|law| law.contains(':'));
    let files = (reserved || whole && !by_law) || direction == "randread";
    // In this case fio omits the sync that is due between two loops (docs/compat.md).
    let between = value(options, "percentage_random").is_some() && value(options, "loops").is_some();
    let order = certain && !random && !many_sizes && depth_one;
    Fixed { ios, bytes, syncs: certain && !many_sizes && depth_one && !between, files, order }
}

fn options(dice: &mut Dice) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut set = |key: &str, value: &str| out.push((key.to_string(), value.to_string()));
    let engine = dice.one(&[
        "psync", "sync", "vsync", "pvsync", "pvsync2", "splice", "libaio", "io_uring", "io_uring",
        "posixaio", "null",
    ]);
    if engine != "psync" || dice.rarely(2) {
        set("ioengine", engine);
    }
    let rw = dice.one(&[
        "read",
        "write",
        "randread",
        "randwrite",
        "randread",
        "randwrite",
        "rw",
        "randrw",
        "readwrite",
        "read:4k",
        "write:8k",
        "randread:4",
        "randwrite:3",
    ]);
    // Files cannot be trimmed.
    let rw = match dice.below(4) {
        0 if engine == "null" => dice.one(&["trim", "randtrim", "trimwrite", "randtrimwrite", "randtrim:3"]),
        _ => rw,
    };
    set("rw", rw);
    let random = rw.starts_with("rand");
    let mixed = matches!(rw, "rw" | "randrw" | "readwrite");
    let writes = mixed || rw.contains("write");
    let (mut uneven, mut many_sizes, mut counted, mut deep) = (false, false, false, false);
    // Whether the block size divides the zone sizes below.
    let mut divides = true;
    match dice.below(6) {
        0 => {
            many_sizes = true;
            set("bsrange", dice.one(&["1k-8k", "4k-16k", "512-4k"]));
        }
        // The few large I/Os of a mix may all have one direction, and the report then has other lines.
        1 => {
            let sizes: &[&str] = if mixed { &["1k", "16k", "12k"] } else { &["1k", "16k", "64k", "12k"] };
            let size = dice.one(sizes);
            divides = size == "1k";
            set("bs", size);
        }
        2 => {
            many_sizes = true;
            let split = dice.one(&["4k/60:16k/40", "4k/:8k/50:32k/", "4k/90:8k,16k"]);
            uneven = split.contains(',');
            set("bssplit", split);
        }
        _ => set("bs", "4k"),
    }
    let size = dice.one(&["1m", "2m", "4m", "1500k", "4100k", "3m"]);
    set("size", size);
    match dice.below(8) {
        // If a run of four passes the end of a part, fio may end (docs/compat.md).
        0 | 3 if random && rw.contains(':') => {}
        0 if mixed => set("io_size", dice.one(&["5m", "1m"])),
        0 => set("io_size", dice.one(&["512k", "5m", "1m"])),
        1 if !mixed => {
            counted = true;
            set("number_ios", dice.one(&["1", "17", "100"]));
        }
        2 => set("loops", "2"),
        3 => set("offset", dice.one(&["512k", "64k"])),
        _ => {}
    }
    let files = dice.below(6);
    let several = matches!(files, 0 | 2);
    match files {
        0 => {
            set("nrfiles", dice.one(&["2", "3"]));
            if dice.rarely(2) {
                set("openfiles", dice.one(&["1", "2"]));
            }
        }
        1 => set("filename", "target"),
        2 => set("filename", "one:two"),
        _ => {}
    }
    // docs/compat.md states how zones differ for random I/O of several sizes, for several files and for clones.
    let stated = several || rw.contains(':') || random && (many_sizes || !divides);
    let zoned = !stated && dice.rarely(6);
    if zoned {
        set("zonemode", "strided");
        let zone = dice.one(&["64k", "256k", "100k"]);
        set("zonesize", zone);
        match dice.below(3) {
            // In fio, a range smaller than the zone has another meaning (docs/compat.md).
            0 => set("zonerange", if zone == "256k" { "256k" } else { dice.one(&["128k", "256k"]) }),
            1 => set("zoneskip", dice.one(&["64k", "1z"])),
            _ => {}
        }
    }
    if !zoned && dice.rarely(3) {
        set("numjobs", dice.one(&["2", "3"]));
        if dice.rarely(2) {
            set("group_reporting", "");
        }
    }
    if matches!(engine, "libaio" | "io_uring" | "posixaio" | "null") {
        let depth = dice.one(&["1", "4", "8", "16", "32"]);
        deep = depth != "1";
        set("iodepth", depth);
        match dice.below(6) {
            0 => set("iodepth_batch", dice.one(&["2", "4"])),
            1 => set("iodepth_batch_complete_max", "8"),
            2 => set("iodepth_low", "1"),
            _ => {}
        }
        // With trims before writes, or several sizes, fio omits some I/Os (docs/compat.md).
        if dice.rarely(5) && !rw.contains("trimwrite") && !many_sizes {
            set("serialize_overlap", "1");
        }
    }
    // With few I/Os per direction, all may have one priority, and the report then has other lines.
    if matches!(engine, "libaio" | "io_uring") && !mixed && dice.rarely(4) {
        set("cmdprio_percentage", "50");
        // The default class, realtime, is reserved for root.
        set("cmdprio_class", "2");
        set("cmdprio", dice.one(&["0", "3"]));
    }
    if engine != "null" && dice.rarely(3) {
        set("direct", "1");
        // Offsets of a direct transfer are multiples of the sector.
    }
    if random && dice.rarely(3) {
        set("norandommap", "");
    }
    if random {
        match dice.below(8) {
            // fio's zipf does not reach all offsets of a zone, and with zipf and pareto fio leaves strided zones
            // (docs/compat.md).
            0 if zoned => set("random_distribution", "zoned:60/10:40/90"),
            // If the block size does not divide the sizes of several files, fio does not reach the end
            // (docs/compat.md).
            0 if !uneven => {
                let law = dice.one(&["zipf:1.2", "pareto:0.3:0.5", "normal", "zoned:60/10:40/90"]);
                set("random_distribution", if several && law != "normal" { "zoned:60/10:40/90" } else { law })
            }
            1 => set("percentage_random", dice.one(&["50", "0", "90,10"])),
            // fio's lfsr fails if directions have different block sizes (docs/compat.md).
            2 if !uneven => set("random_generator", dice.one(&["lfsr", "tausworthe64"])),
            3 => set("ba", dice.one(&["8k", "64k"])),
            4 => set("rw_sequencer", dice.one(&["identical", "sequential"])),
            _ => {}
        }
    }
    if dice.rarely(3) {
        set("randrepeat", dice.one(&["0", "1"]));
    }
    if dice.rarely(3) {
        // Not 12345, with which fio's lfsr fails if randrepeat=0 (docs/compat.md).
        set("randseed", dice.one(&["1", "2024"]));
    }
    if mixed && dice.rarely(2) {
        set("rwmixread", dice.one(&["70", "30", "90"]));
    }
    if writes {
        // fio counts syncs in flight as I/Os of number_ios; with its null engine, closing may fail (docs/compat.md).
        let in_flight = matches!(engine, "io_uring" | "posixaio");
        match dice.below(9) {
            0 | 1 if counted && in_flight => {}
            0 => set("fsync", dice.one(&["4", "16"])),
            1 => set("fdatasync", dice.one(&["8", "32"])),
            2 => set("end_fsync", "1"),
            3 => set("sync", "1"),
            4 if engine != "null" => set("fsync_on_close", "1"),
            // Beyond depth 1, fio does more of these calls than requested and counts them as I/Os of number_ios.
            5 if !(counted && deep) => {
                set("sync_file_range", dice.one(&["write:8", "wait_before,write,wait_after:4"]))
            }
            _ => {}
        }
        match dice.below(9) {
            0 => set("refill_buffers", ""),
            1 => set("zero_buffers", ""),
            2 => set("scramble_buffers", "0"),
            3 => {
                set("buffer_compress_percentage", dice.one(&["50", "100", "0"]));
                if dice.rarely(2) {
                    set("buffer_compress_chunk", dice.one(&["4k", "1000"]));
                }
            }
            4 => set("buffer_pattern", dice.one(&["0xdeadbeef", "\"abc\"-7"])),
            5 => set("dedupe_percentage", dice.one(&["30", "100"])),
            _ => {}
        }
        if dice.rarely(4) {
            set("fallocate", dice.one(&["none", "native"]));
        }
        if dice.rarely(5) {
            set("overwrite", "1");
        }
    }
    match dice.below(10) {
        0 => set("percentile_list", dice.one(&["50:99:99.9", "1.0:99.999"])),
        1 => set("disable_lat", "1"),
        2 => set("disable_clat", "1"),
        3 => set("disable_slat", "1"),
        4 => set("gtod_reduce", "1"),
        5 => set("disable_bw_measurement", "1"),
        _ => {}
    }
    if dice.rarely(4) {
        set("thread", "");
    }
    if dice.rarely(6) {
        set("invalidate", "0");
    }
    aside(dice, &mut out);
    out
}

/// Options that affect neither the kind nor the number of I/Os, with their values.
const ASIDE: [(&str, &[&str]); 37] = [
    ("description", &["of a drawn job"]),
    ("kb_base", &["1000"]),
    ("unit_base", &["1", "8"]),
    ("significant_figures", &["5", "6"]),
    ("unified_rw_reporting", &["1"]),
    ("slat_percentiles", &["1"]),
    ("lat_percentiles", &["1"]),
    ("clat_percentiles", &["0"]),
    ("stats", &["1"]),
    ("disk_util", &["0"]),
    ("bwavgtime", &["500"]),
    ("iopsavgtime", &["250"]),
    ("file_service_type", &["roundrobin:4", "sequential", "random", "zipf:1.2"]),
    // In fio 3.33, clones that share the files of a format do nothing (docs/compat.md).
    ("filename_format", &["f.$jobnum.$filenum"]),
    ("unlink", &["1"]),
    ("unlink_each_loop", &["1"]),
    ("pre_read", &["1"]),
    ("create_fsync", &["0"]),
    ("create_serialize", &["0"]),
    ("fadvise_hint", &["0", "random", "sequential"]),
    ("allow_file_create", &["1"]),
    ("softrandommap", &["1"]),
    ("allrandrepeat", &["1"]),
    ("write_barrier", &["4"]),
    ("continue_on_error", &["all", "read", "io"]),
    ("ignore_error", &["ENOSPC"]),
    ("max_latency", &["100s"]),
    ("nice", &["5"]),
    ("prio", &["3"]),
    ("prioclass", &["2"]),
    ("cpus_allowed", &["0", "0-1"]),
    ("cpumask", &["1"]),
    ("mem", &["shm", "mmap", "mmapshared"]),
    ("iomem_align", &["4k", "64k"]),
    ("clocksource", &["clock_gettime", "gettimeofday"]),
    ("startdelay", &["100ms"]),
    ("exec_prerun", &["true"]),
];

/// Adds up to three of these options at random.
fn aside(dice: &mut Dice, out: &mut Vec<(String, String)>) {
    for _ in 0..dice.below(4) {
        let (key, values) = ASIDE[dice.below(ASIDE.len())];
        let value = dice.one(values);
        let has = |wanted: &str| out.iter().any(|(k, _)| k == wanted);
        let engine = self::value(out, "ioengine");
        let (null, splice) = (engine == Some("null"), engine == Some("splice"));
        let mixed = matches!(self::value(out, "rw"), Some("rw" | "randrw" | "readwrite"));
        let fits = match key {
            // fio 3.33 pre-reads with blocks that direct=1 rejects, and fails if a file is short.
            "pre_read" => !null && !splice && !has("direct") && !has("fallocate"),
            // With kb_base=1000, blocks of 4k have 4000 bytes.
            "kb_base" => !has("direct"),
            "file_service_type" => has("nrfiles") || has("filename"),
            // A shared file is created before the start in any case (docs/compat.md).
            "filename_format" | "create_serialize" => !has("filename"),
            // A first read of an empty file fails, and with the null engine fio has no file to delete. If a loop of
            // fathom does not end with the region, no file is deleted in between (docs/compat.md).
            "unlink_each_loop" => {
                let runs = self::value(out, "rw").is_some_and(|rw| rw.contains(':'));
                let mapped = !runs && PAST_THE_MAP.iter().all(|key| !has(key));
                !has("filename") && !mixed && !null && !has("io_size") && mapped
            }
            // In fio, the first clone that ends deletes files that others have yet to open.
            "unlink" => !(has("filename") && has("numjobs")),
            // These options need the latency to be measured.
            "max_latency" => !has("gtod_reduce") && !has("disable_lat"),
            _ => true,
        };
        if fits && !has(key) {
            out.push((key.to_string(), value.to_string()));
        }
    }
}

/// Returns one random job, or two in sequence; half of the single ones have a feature beside plain I/O.
pub fn draw(dice: &mut Dice) -> Drawn {
    let first = options(dice);
    let second = dice.rarely(4).then(|| options(dice));
    let in_file = dice.rarely(3);
    let alone = second.is_none();
    let fixed = fixed(&first);
    let mut job =
        Drawn { options: first, second, in_file, fixed, inputs: Vec::new(), timed: false, raw: None };
    if alone && dice.rarely(2) {
        features::add(dice, &mut job);
    }
    job.fixed =
        job.second.iter().fold(self::fixed(&job.options), |law, second| law.both(self::fixed(second)));
    job
}
