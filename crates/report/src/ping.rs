//! Output of `fathom ping`: what ioping prints, word for word, and below its statistics the percentiles, the slow requests
//! and the memory that served reads.

use crate::catalog::say;
use crate::scale::{bytes, time};
use crate::words::run::refusal;
use crate::{Lang, fill, lay, prose_width};
use run::job_error::errno_text;
use rustix::io::Errno;
use stats::request_times::{RequestLoad, RequestSums};
use tools::evidence::Bottom;
use tools::ping::{
    Cause, MemoryReads, NumberFault, OptionFault, Outlier, PingFault, PingResult, PingSettings, Pinged,
    ReadSource, RequestFault, Requests, TargetError, TargetNames, Verdict,
};

/// ioping's help without the options that fathom does not have.
pub const HELP: &str = " Usage: ioping [options...] directory|file|device
        ioping -h | -v

 options:
      -C, -cached                use cached I/O (no cache flush/drop)
      -D, -direct                use direct I/O (O_DIRECT)
      -G, -read-write            read-write ping-pong mode
      -L, -linear                use sequential operations
      -W, -write                 use write I/O (please read manpage)
      -Y, -sync                  use sync I/O (O_SYNC)
      -y, -dsync                 use data sync I/O (O_DSYNC)
      -R, -rapid                 test with rapid I/O during 3s (-q -i 0 -w 3)
      -k, -keep                  keep and reuse temporary file (ioping.tmp)

 parameters:
      -a, -warmup <count>        ignore <count> first requests (1)
      -b, -burst <count>         make <count> requsts without delay (0)
      -c, -count <count>         stop after <count> requests
      -e, -entropy <seed>        seed for random number generator (0)
      -i, -interval <time>       interval between requests (1s)
      -s, -size <size>           request size (4k)
      -S, -work-size <size>      working set size (1m)
      -o, -work-offset <size>    working set offset (0)
      -w, -work-time <time>      stop after <time> passed
      -l, -speed-limit <size>    limit speed with <size> per second
      -r, -rate-limit <count>    limit rate with <count> per second
      -t, -min-time <time>       minimal valid request time (0us)
      -T, -max-time <time>       maximum valid request time

 output:
      -B, -batch                 print final statistics in raw format
      -I, -time [format]         print current time for every request
      -J, -json                  print output in JSON format
      -p, -print-count <count>   print statistics for every <count> requests
      -P, -print-interval <time> print statistics for every <time>
      -q, -quiet                 suppress human-readable output
      -h, -help                  display this message and exit
      -v, -version               display version and exit

";

/// Version of ioping whose output this is.
pub const VERSION: &str = "ioping 1.3\n";

/// Number of slow requests that are shown one by one.
const MOST_SHOWN: usize = 5;

const TIMES: [(u64, &str); 6] = [
    (86_400_000_000_000, "day"),
    (3_600_000_000_000, "hour"),
    (60_000_000_000, "min"),
    (1_000_000_000, "s"),
    (1_000_000, "ms"),
    (1_000, "us"),
];

const SIZES: [(u64, &str); 6] = [
    (1 << 60, "EiB"),
    (1 << 50, "PiB"),
    (1 << 40, "TiB"),
    (1 << 30, "GiB"),
    (1 << 20, "MiB"),
    (1 << 10, "KiB"),
];

const COUNTS: [(u64, &str); 6] = [
    (1_000_000_000_000_000_000, "E"),
    (1_000_000_000_000_000, "P"),
    (1_000_000_000_000, "T"),
    (1_000_000_000, "G"),
    (1_000_000, "M"),
    (1_000, "k"),
];

/// Returns a number with the largest unit below it: whole if it is a multiple, else three or four digits.
fn scaled(value: u64, units: &[(u64, &str)], smallest: &str) -> String {
    let Some((factor, unit)) = units.iter().find(|(factor, _)| value >= *factor) else {
        return format!("{value}{smallest}");
    };
    let figure = value as f64 / *factor as f64;
    if value.is_multiple_of(*factor) {
        format!("{} {unit}", value / factor)
    } else if figure < 10.0 {
        format!("{figure:.2} {unit}")
    } else {
        format!("{figure:.1} {unit}")
    }
}

fn duration(nanos: u64) -> String {
    scaled(nanos, &TIMES, " ns")
}

fn size(bytes: u64) -> String {
    scaled(bytes, &SIZES, " B")
}

/// Returns a number followed by a blank, for the word behind it.
fn count(n: u64) -> String {
    format!("{} ", scaled(n, &COUNTS, ""))
}

fn target(names: &TargetNames) -> String {
    let TargetNames { path, kind, device, device_size } = names;
    let device_size = size(*device_size);
    format!("{path} ({kind} {device} {device_size})")
}

/// Returns the line of a request.
pub fn request(names: &TargetNames, pinged: &Pinged) -> String {
    let note = match pinged.verdict {
        Verdict::Counts | Verdict::Short => "",
        Verdict::Warmup => " (warmup)",
        Verdict::TooFast => " (too fast)",
        Verdict::TooSlow => " (too slow)",
    };
    let arrows = if pinged.write { ">>>" } else { "<<<" };
    let (took, name) = (duration(pinged.nanos), target(names));
    let (n, moved) = (pinged.number, size(pinged.bytes));
    format!("{moved} {arrows} {name}: request={n} time={took}{note}\n")
}

/// Returns the error line for a request that transferred fewer bytes than requested.
pub fn short(pinged: &Pinged) -> String {
    format!("ioping: request returned less than expected: {}", pinged.bytes)
}

/// Returns the line of raw statistics.
pub fn raw(sums: &RequestSums, load: &RequestLoad) -> String {
    format!(
        "{} {} {:.0} {:.0} {} {:.0} {} {:.0} {} {}\n",
        sums.count,
        sums.nanos,
        sums.iops(),
        sums.bandwidth(),
        sums.min,
        sums.mean(),
        sums.max,
        sums.deviation(),
        load.count,
        load.nanos
    )
}

/// Returns ioping's statistics at the end.
pub fn statistics(s: &PingSettings, names: &TargetNames, result: &PingResult) -> String {
    let (sums, load) = (&result.sums, &result.load);
    let moved = match s.requests {
        Requests::Reads => " read",
        Requests::Writes => " written",
        Requests::Alternating => "",
    };
    let dropped = |n: u64, what: &str| if n > 0 { format!("{}{what}, ", count(n)) } else { String::new() };
    format!(
        "\n--- {} ioping statistics ---\n\
         {}requests completed in {}, {}{moved}, {}iops, {}/s\n\
         {}{}generated {}requests in {}, {}, {}iops, {}/s\n\
         min/avg/max/mdev = {} / {} / {} / {}\n",
        target(names),
        count(sums.count),
        duration(sums.nanos),
        size(sums.bytes),
        count(sums.iops() as u64),
        size(sums.bandwidth() as u64),
        dropped(result.too_fast, "too fast"),
        dropped(result.too_slow, "too slow"),
        count(load.count),
        duration(load.nanos),
        size(load.bytes),
        count(load.iops() as u64),
        size(load.bandwidth() as u64),
        duration(sums.min),
        duration(sums.mean() as u64),
        duration(sums.max),
        duration(sums.deviation() as u64),
    )
}

/// Returns fathom's lines below the statistics, in lines of at most `width` columns.
pub fn below(lang: Lang, names: &TargetNames, result: &PingResult, width: usize) -> String {
    let mut lines = Vec::new();
    if !result.percentiles.is_empty() {
        let labels: Vec<String> = result.percentiles.iter().map(|p| format!("p{}", p.percent)).collect();
        let values: Vec<String> = result.percentiles.iter().map(|p| duration(p.nanos)).collect();
        let (labels, values) = (labels.join("/"), values.join(" / "));
        let mut line = format!("{labels}/max = {values} / {}", duration(result.sums.max));
        if let Some(n) = result.percentiles_of {
            line = say!(lang, "ping-percentiles-of", line, n);
        }
        lines.push(line);
    }
    lines.extend(slow(lang, names, result));
    lines.extend(memory(lang, names, result));
    let width = prose_width(width);
    lay(&lines.iter().flat_map(|line| fill("", line, width)).collect::<Vec<_>>())
}

/// Returns what is known of the slow requests.
fn slow(lang: Lang, names: &TargetNames, result: &PingResult) -> Vec<String> {
    let Some(found) = result.outliers else { return Vec::new() };
    let median = duration(found.median);
    if found.count == 0 {
        return vec![say!(lang, "ping-no-outlier", median)];
    }
    let (n, of) = (found.count, result.sums.count);
    let mut lines = vec![say!(lang, "ping-outliers", n, of, median)];
    lines.extend(result.explained.iter().take(MOST_SHOWN).map(|one| outlier(lang, names, result, one)));
    let more = found.count.saturating_sub(result.explained.len().min(MOST_SHOWN) as u64);
    if more > 0 {
        lines.push(say!(lang, "ping-more-outliers", n = more));
    }
    lines
}

fn outlier(lang: Lang, names: &TargetNames, result: &PingResult, one: &Outlier) -> String {
    let (number, took) = (one.number, duration(one.nanos));
    let causes: Vec<String> =
        one.causes.iter().map(|cause| cause_words(lang, names, result, *cause)).collect();
    let why = match &result.bottom {
        _ if !causes.is_empty() => causes.join("; "),
        _ if !one.watched => say!(lang, "ping-not-watched"),
        Bottom::Disks(disks) => say!(lang, "ping-nothing-seen", disk = disks.join(", ")),
        Bottom::Memory(_) | Bottom::Unknown => say!(lang, "ping-nothing-visible"),
    };
    say!(lang, "ping-outlier", number, took, why)
}

fn cause_words(lang: Lang, names: &TargetNames, result: &PingResult, cause: Cause) -> String {
    let disk = disks(result);
    match cause {
        Cause::CpuWait(nanos) => say!(lang, "ping-cpu-wait", waited = time(nanos as f64)),
        Cause::Memory(ReadSource::Gap) => say!(lang, "ping-from-gap"),
        Cause::Memory(ReadSource::PageCache) => say!(lang, "ping-from-page-cache"),
        Cause::Memory(ReadSource::BelowTop) => {
            let top = result.top.as_ref().unwrap_or(&names.path);
            say!(lang, "ping-from-below", disk, top)
        }
        Cause::Flushes(n) => say!(lang, "ping-flushes", n, disk),
        Cause::OtherIo { read, written, with_own } => {
            let (read, written) = (bytes(read), bytes(written));
            if with_own {
                say!(lang, "ping-io-with-own", disk, read, written)
            } else {
                say!(lang, "ping-other-io", disk, read, written)
            }
        }
    }
}

fn disks(result: &PingResult) -> String {
    match &result.bottom {
        Bottom::Disks(disks) => disks.join(", "),
        Bottom::Memory(name) => name.clone(),
        Bottom::Unknown => String::new(),
    }
}

/// Returns from which memory reads were served, and where writes ended.
fn memory(lang: Lang, names: &TargetNames, result: &PingResult) -> Vec<String> {
    let mut lines = Vec::new();
    if let Bottom::Memory(name) = &result.bottom {
        lines.push(say!(lang, "finding-below-memory", device = &names.path, kind = name));
    }
    let of = result.reads;
    let numbers = |reads: &MemoryReads| {
        let mut named: Vec<String> = reads.named.iter().map(u64::to_string).collect();
        if reads.count > named.len() as u64 && !named.is_empty() {
            named.push("...".into());
        }
        named.join(", ")
    };
    let mut served = |reads: &MemoryReads, line: &dyn Fn(u64, String) -> String| {
        if reads.count == 0 {
            return;
        }
        let numbers = numbers(reads);
        let known = if numbers.is_empty() { numbers } else { say!(lang, "ping-requests", numbers) };
        let line = line(reads.count, if known.is_empty() { known } else { format!(" {known}") });
        lines.push(line);
    };
    served(&result.gap_reads, &|n, known| say!(lang, "ping-gap-reads", n, of, known));
    served(&result.cached_reads, &|n, known| say!(lang, "ping-cached-reads", n, of, known));
    let (disk, top) = (disks(result), result.top.as_ref().unwrap_or(&names.path));
    served(&result.below_reads, &|n, known| say!(lang, "ping-below-reads", n, of, known, disk = &disk, top));
    if result.empty > 0 {
        lines.push(say!(lang, "ping-empty", n = result.empty));
    }
    if result.cached_writes > 0 {
        lines.push(say!(lang, "ping-cached-writes", n = result.cached_writes));
    }
    lines
}

/// Texts of one object of JSON: wall-clock time of the object, as text and in seconds.
pub struct JsonTime {
    /// Seconds since 1970.
    pub seconds: f64,
    /// Local time, ISO 8601.
    pub local: String,
}

fn json_head(names: &TargetNames, at: &JsonTime, first: bool) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    format!(
        "{}{{\n  \"timestamp\": {:.6},\n  \"localtime\": {},\n  \"target\": {{\n    \"path\": {},\n    \"fstype\": {},\n    \"device\": {},\n    \"device_size\": {}\n  }},\n",
        if first { "[" } else { "}," },
        at.seconds,
        text(&at.local),
        text(&names.path),
        text(&names.kind),
        text(&names.device),
        names.device_size
    )
}

/// Returns the JSON object of a request, without its end; `first`: it is the first one of the array.
pub fn json_request(names: &TargetNames, pinged: &Pinged, at: &JsonTime, first: bool) -> String {
    let operation = if pinged.write { "write" } else { "read" };
    format!(
        "{}  \"io\": {{\n    \"request\": {},\n    \"operation\": \"{operation}\",\n    \"size\": {},\n    \"time\": {},\n    \"ignored\": {}\n  }}\n",
        json_head(names, at, first),
        pinged.number,
        pinged.bytes,
        pinged.nanos,
        pinged.verdict != Verdict::Counts
    )
}

/// Returns the JSON object of statistics, without its end.
pub fn json_statistics(
    names: &TargetNames,
    sums: &RequestSums,
    load: &RequestLoad,
    at: &JsonTime,
    first: bool,
) -> String {
    format!(
        "{}  \"stat\": {{\n    \"count\": {},\n    \"size\": {},\n    \"time\": {},\n    \"iops\": {:.6},\n    \"bps\": {:.0},\n    \"min\": {},\n    \"avg\": {:.0},\n    \"max\": {},\n    \"mdev\": {:.0}\n  }},\n  \"load\": {{\n    \"count\": {},\n    \"size\": {},\n    \"time\": {},\n    \"iops\": {:.6},\n    \"bps\": {:.0}\n  }}\n",
        json_head(names, at, first),
        sums.count,
        sums.bytes,
        sums.nanos,
        sums.iops(),
        sums.bandwidth(),
        sums.min,
        sums.mean(),
        sums.max,
        sums.deviation(),
        load.count,
        load.bytes,
        load.nanos,
        load.iops(),
        load.bandwidth()
    )
}

/// Returns fathom's member of the last JSON object, to be put before its last line break.
pub fn json_below(result: &PingResult) -> String {
    let percentiles: serde_json::Map<String, serde_json::Value> =
        result.percentiles.iter().map(|p| (format!("p{}", p.percent), p.nanos.into())).collect();
    let outliers = result.outliers.map(|found| found.count);
    let fathom = serde_json::json!({
        "percentiles": percentiles,
        "outliers": outliers,
        "reads": result.reads,
        "requests_without_data": result.empty,
        "reads_of_holes": result.gap_reads.count,
        "reads_from_page_cache": result.cached_reads.count,
        "reads_from_memory_below": result.below_reads.count,
    });
    format!(",\n  \"fathom\": {fathom}")
}

const NO_MEMORY: &str = "ioping: buffer allocation failed";

fn system(e: Errno) -> String {
    errno_text(e.raw_os_error())
}

/// Returns the error line of a refused command line, and whether the help follows on standard error.
pub fn fault(lang: Lang, fault: &PingFault) -> (String, bool) {
    match fault {
        PingFault::Nothing => (String::new(), false),
        PingFault::Options(fault) => (format!("ioping: {}", option_fault(fault)), true),
        PingFault::Number(NumberFault::Suffix(text)) => {
            (format!("ioping: invalid suffix: \"{text}\""), false)
        }
        PingFault::Number(NumberFault::Overflow(text)) => {
            (format!("ioping: integer overflow at parsing argument: {text}"), false)
        }
        PingFault::NoTarget => ("ioping: no destination specified".into(), false),
        PingFault::SeveralTargets => ("ioping: more than one destination specified".into(), false),
        PingFault::NoSize => ("ioping: request size must be greater than zero".into(), false),
        PingFault::NotSupported(option) => {
            let option = *option;
            (format!("fathom ping: {}", say!(lang, "ping-not-supported", option)), false)
        }
    }
}

fn option_fault(fault: &OptionFault) -> String {
    match fault {
        OptionFault::Unrecognized(name) => format!("unrecognized option '{name}'"),
        OptionFault::Invalid(letter) => format!("invalid option -- '{letter}'"),
        OptionFault::Ambiguous(name, names) => {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            format!("option '{name}' is ambiguous; possibilities: {}", names.join(" "))
        }
        OptionFault::NoValueAllowed(name) => format!("option '{name}' doesn't allow an argument"),
        OptionFault::ValueMissing(name) => format!("option '{name}' requires an argument"),
        OptionFault::LetterValueMissing(letter) => format!("option requires an argument -- '{letter}'"),
    }
}

/// Returns the line about a request size that one system call cannot transfer.
pub fn beyond_system_call(most: u64) -> String {
    format!("ioping: this platform supports requests {most} bytes at most")
}

/// Returns the error line of a target that cannot be used.
pub fn target_error(lang: Lang, error: &TargetError) -> String {
    match error {
        TargetError::Stat(path, e) => format!("ioping: stat \"{}\" failed: {}", path.display(), system(*e)),
        TargetError::Open(path, e) => {
            format!("ioping: failed to open \"{}\": {}", path.display(), system(*e))
        }
        TargetError::Direct(e) => format!("ioping: fcntl failed: {}", system(*e)),
        TargetError::Temporary(path, e) => {
            format!("ioping: failed to create temporary file at \"{}\": {}", path.display(), system(*e))
        }
        TargetError::Fill(e) => format!("ioping: preparation write failed: {}", system(*e)),
        TargetError::Sync(e) => format!("ioping: fsync failed: {}", system(*e)),
        TargetError::Size(e) => format!("ioping: block get size ioctl failed: {}", system(*e)),
        TargetError::Memory => NO_MEMORY.into(),
        TargetError::RequestTooBig => "ioping: request size is too big for this target".into(),
        TargetError::TooSmall => "ioping: target is too small for this".into(),
        TargetError::NotSupported(path) => {
            format!("ioping: unsupported destination: \"{}\"", path.display())
        }
        TargetError::NotShredded => "ioping: think twice, then use -WWW to shred this target".into(),
        TargetError::Refused(why) => format!("fathom ping: {}", refusal(lang, why)),
        TargetError::NotAllowed(path) => {
            let path = path.display().to_string();
            format!("fathom ping: {}", say!(lang, "ping-not-allowed", path))
        }
        TargetError::Replaced(path) => {
            let path = path.display().to_string();
            format!("fathom ping: {}", say!(lang, "ping-replaced", path))
        }
        TargetError::KeptFile(path) => {
            let path = path.display().to_string();
            format!("fathom ping: {}", say!(lang, "ping-kept-file", path))
        }
        TargetError::ForeignFile(path) => {
            let path = path.display().to_string();
            format!("fathom ping: {}", say!(lang, "ping-foreign-file", path))
        }
    }
}

/// Returns the error line of a failed request.
pub fn request_fault(fault: RequestFault) -> String {
    match fault {
        RequestFault::Memory => NO_MEMORY.into(),
        RequestFault::Request(e) => format!("ioping: request failed: {}", system(e)),
        RequestFault::Flush(e) => {
            format!("ioping: fdatasync failed, please retry with option -C: {}", system(e))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures that ioping 1.3 printed.
    #[test]
    fn numbers_have_iopings_units() {
        let times = [(455_400, "455.4 us"), (185, "185 ns"), (1_001_000_000, "1.00 s"), (0, "0 ns")];
        times.iter().for_each(|(nanos, text)| assert_eq!(duration(*nanos), *text));
        assert_eq!(duration(7_240_000), "7.24 ms");
        let sizes =
            [(4096, "4 KiB"), (1997, "1.95 KiB"), (270_553_174_016, "252.0 GiB"), (134 << 20, "134 MiB")];
        sizes.iter().for_each(|(n, text)| assert_eq!(size(*n), *text));
        assert_eq!(
            (count(2), count(4394), count(686_100)),
            ("2 ".into(), "4.39 k ".into(), "686.1 k ".into())
        );
    }

    /// Two requests as ioping printed them raw: 201019 and 264172 ns.
    #[test]
    fn raw_statistics_are_iopings() {
        let mut sums = RequestSums::default();
        [201_019, 264_172].iter().for_each(|nanos| sums.add(4096, *nanos));
        let load = RequestLoad { count: 3, bytes: 12288, nanos: 20_685_321 };
        assert_eq!(raw(&sums, &load), "2 465191 4299 17609971 201019 232596 264172 31576 3 20685321\n");
    }
}
