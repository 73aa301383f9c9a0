//! `--profile`: jobs that imitate another benchmark.

use crate::defaults::{default_text, or_default};
use crate::spec::JobSpec;
use crate::unit;
use stats::unit::SECOND;

/// Returns the options, as name and value, that fio 3.33 adds to the command line for `--profile=tiobench`. `size_mib`
/// is the size per file in MiB, `memory_mb` the memory of the machine in MiB.
pub(crate) fn tiobench(
    global: &JobSpec,
    size_mib: Option<u64>,
    memory_mb: u64,
) -> Vec<(&'static str, String)> {
    let number = |field: Option<i64>, default: i64| field.filter(|n| *n > 0).unwrap_or(default).to_string();
    // fio's own default: as many pages of 4 KiB as the machine has MiB of memory.
    let size = size_mib.map_or(memory_mb.saturating_mul(4096), |mib| mib << 20);
    let mut words = vec![
        ("buffered", "0".to_owned()),
        ("size", size.to_string()),
        ("bs", number(global.block_of_profile, 4096)),
        ("loops", number(global.numruns, 1)),
        ("directory", global.dir.clone().unwrap_or_else(|| "./".into())),
        ("numjobs", number(global.threads, 1)),
        ("runtime", "600".into()),
        ("overwrite", "1".into()),
        ("filename", ".fio.tio.1:.fio.tio.2:.fio.tio.3:.fio.tio.4".into()),
        ("ioengine", "sync".into()),
    ];
    for (job, rw) in
        [("seqwrite", "write"), ("randwrite", "randwrite"), ("seqread", "read"), ("randread", "randread")]
    {
        words.extend([("name", job.to_owned()), ("rw", rw.to_owned()), ("stonewall", "1".to_owned())]);
        if rw.ends_with("write") {
            words.push(("end_fsync", "1".into()));
        }
    }
    words
}

/// Number of reads per second and device at `load=1`.
const READS: u64 = 2000;

/// Returns the options, as name and value, that fio 3.33 adds to the command line for `--profile=act`; empty without
/// devices.
pub(crate) fn act(global: &JobSpec) -> Vec<(&'static str, String)> {
    let number = |field: Option<i64>, option: &str| or_default(&field, option).max(1) as u64;
    let devices: Vec<&str> = global
        .device_names
        .as_deref()
        .unwrap_or_default()
        .split(',')
        .filter(|name| !name.is_empty())
        .collect();
    let mut words = vec![
        ("direct", "1".to_owned()),
        ("ioengine", "sync".into()),
        ("random_generator", "lfsr".into()),
        ("group_reporting", "1".into()),
        ("thread", "1".into()),
    ];
    if devices.is_empty() {
        return Vec::new();
    }
    if global.prep.unwrap_or(false) {
        for (kind, device) in devices.iter().flat_map(|device| [("zeroes", device), ("salt", device)]) {
            words.extend([("name", format!("act-prep-{kind}-{device}")), ("filename", (*device).to_owned())]);
            words.extend(match kind {
                "zeroes" => {
                    vec![("bs", "1048576".into()), ("zero_buffers", "1".into()), ("rw", "write".into())]
                }
                _ => vec![
                    ("stonewall", "1".into()),
                    ("bs", "4096".into()),
                    ("ioengine", "libaio".into()),
                    ("iodepth", "64".into()),
                    ("rw", "randwrite".into()),
                ],
            });
        }
        return words;
    }
    let default = || unit::time(default_text("test-duration"), SECOND).map_or(0, |time| time.value as u64);
    let duration = global.test_duration.map_or_else(default, |time| time.0);
    words.extend([("runtime", unit::duration(duration)), ("time_based", "1".into())]);
    let load = number(global.load_of_profile, "load");
    let threads = number(global.threads_per_queue, "threads-per-queue");
    let read = 512 * number(global.read_blocks, "read-req-num-512-blocks");
    let write = number(global.large_block, "large-block-op-kbytes");
    let reads = READS.saturating_mul(load);
    // Half as many bytes are written as read.
    let writes = reads.saturating_mul(read).div_ceil(write.saturating_mul(2));
    for device in devices {
        words.extend([
            ("name", format!("act-read-{device}")),
            ("filename", device.to_owned()),
            ("rw", "randread".into()),
            ("numjobs", threads.to_string()),
            ("rate_iops", (reads / threads).to_string()),
            ("bs", read.to_string()),
            ("name", format!("act-write-{device}")),
            ("filename", device.to_owned()),
            ("rw", "randwrite".into()),
            ("rate_iops", writes.to_string()),
            ("bs", write.to_string()),
        ]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Nanos;

    /// Rates and sizes that fio 3.33 was observed to set (`--debug=parse`).
    #[test]
    fn rates_of_act_are_those_of_fio() {
        for (load, threads, blocks, large, rates) in [
            (1, 8, 3, 131_072, ["250", "12"]),
            (3, 7, 8, 131_072, ["857", "94"]),
            (1, 2, 3, 65_536, ["1000", "24"]),
            (5, 2, 3, 262_144, ["5000", "30"]),
            (1, 2, 3, 100_000, ["1000", "16"]),
            (1, 2, 3, 12_800_000, ["1000", "1"]),
        ] {
            let global = JobSpec {
                device_names: Some("a".into()),
                load_of_profile: Some(load),
                threads_per_queue: Some(threads),
                read_blocks: Some(blocks),
                large_block: Some(large),
                test_duration: Some(Nanos(3_000_000_000)),
                ..JobSpec::default()
            };
            let words = act(&global);
            let of = |wanted: &str| -> Vec<String> {
                words.iter().filter(|(name, _)| *name == wanted).map(|(_, value)| value.clone()).collect()
            };
            assert_eq!(of("rate_iops"), rates);
            assert_eq!(of("bs"), [(512 * blocks).to_string(), large.to_string()]);
            assert_eq!(
                (of("runtime"), of("name")),
                (vec!["3s".into()], vec!["act-read-a".into(), "act-write-a".into()])
            );
        }
    }
}
