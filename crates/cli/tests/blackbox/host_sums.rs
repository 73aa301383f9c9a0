//! The result of `fathom run --hosts` is the exact sum of what its hosts measured, and each host measured what its own loop device
//! counted.

use crate::hosts::{Hosts, array, document};
use serde_json::Value;
use std::collections::BTreeMap;
use testbed::{Draw, LoopDevice, Need, skip_without};

const NAMES: [&str; 3] = ["a", "b", "c"];

/// Figures of all jobs of a result in one direction.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sums {
    ios: u64,
    bytes: u64,
    /// Number, sum, least and most of the completion latencies, nanoseconds.
    latencies: Option<(u64, u64, u64, u64)>,
    /// Number of latencies by bin.
    bins: BTreeMap<u64, u64>,
}

impl Sums {
    /// Returns the sums of the jobs of a result, with the total latencies of each job, or those of all jobs together.
    fn of(result: &Value, direction: usize) -> Sums {
        let jobs = array(&result["jobs"]).iter().fold(Sums::default(), |sums, job| {
            let flow = &job["directions"][direction];
            let whole = |key: &str| flow[key].as_u64().unwrap_or_else(|| panic!("{key} in {flow}"));
            sums.and(Sums { ios: whole("ios"), bytes: whole("bytes"), ..Sums::of_latency(&flow["lat"]) })
        });
        jobs.and(Sums::of_latency(&result["latency"][direction]))
    }

    fn of_latency(latency: &Value) -> Sums {
        let moments = |key: &str| latency["moments"][key].as_u64();
        let bins = latency["histogram"].as_array().into_iter().flatten();
        let whole = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value} in {latency}"));
        Sums {
            latencies: moments("n")
                .filter(|n| *n > 0)
                .and_then(|n| Some((n, moments("sum")?, moments("least")?, moments("most")?))),
            bins: bins.map(|bin| (whole(&bin[0]), whole(&bin[1]))).collect(),
            ..Sums::default()
        }
    }

    fn and(mut self, other: Sums) -> Sums {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.latencies = match (self.latencies, other.latencies) {
            (Some(a), Some(b)) => Some((a.0 + b.0, a.1 + b.1, a.2.min(b.2), a.3.max(b.3))),
            (one, other) => one.or(other),
        };
        for (bin, count) in other.bins {
            *self.bins.entry(bin).or_insert(0) += count;
        }
        self
    }
}

/// Asserts that totals, extremes and histogram of the merged result are those of the hosts together, and returns the number of I/Os.
pub(crate) fn assert_merged_is_the_sum(document: &Value, direction: usize, what: &str) -> u64 {
    let of_hosts = array(&document["hosts"]).iter().map(|host| Sums::of(&host["result"], direction));
    let merged = Sums::of(&document["merged"], direction);
    assert_eq!(merged, of_hosts.fold(Sums::default(), Sums::and), "{what}");
    assert_eq!(merged.bins.values().sum::<u64>(), merged.ios, "{what}");
    merged.ios
}

/// Runs drawn jobs on three hosts, each on a loop device of its own.
fn drawn_jobs(jobs: usize) {
    let hosts = Hosts::new(&NAMES);
    let disks = NAMES.map(|name| {
        let device = LoopDevice::in_memory(16 << 20, true, None).unwrap();
        std::os::unix::fs::symlink(device.path(), hosts.dir(name).join("disk")).unwrap();
        device
    });
    let mut draw = Draw::fresh();
    for _ in 0..jobs {
        let rw = draw.pick(&["read", "write", "randread", "randwrite", "randrw", "rw"]);
        let bs = draw.pick(&["4k", "512", "16k", "4k-64k", "128k"]);
        let engine = draw.pick(&["psync", "io_uring", "libaio", "pvsync2"]);
        let (depth, clones, ios) = (draw.whole(1, 8), draw.whole(1, 3), draw.whole(1, 400));
        let job = format!(
            "--name=j --filename=disk --direct=1 --rw={rw} --bs={bs} --ioengine={engine} --iodepth={depth} --numjobs={clones} --number_ios={ios} {}",
            draw.pick(&["", "--group_reporting=1", "--norandommap=1 --rate_iops=2000"])
        );
        let before = disks.each_ref().map(|disk| disk.stats().unwrap());
        let ran = hosts.run(&format!("--json --allow-destroy=disk {job}"));
        assert_eq!(ran.code, Some(0), "{job}: {ran:#?}");
        let document = document(&ran);
        let each = array(&document["hosts"]);
        assert_eq!(each.len(), NAMES.len());
        for (direction, name) in ["reads", "writes"].into_iter().enumerate() {
            let sums = each.iter().map(|host| Sums::of(&host["result"], direction));
            for ((sums, disk), before) in sums.zip(&disks).zip(&before) {
                let counted = disk.stats().unwrap().since(before);
                let bytes = if direction == 0 { counted.read_bytes() } else { counted.write_bytes() };
                // What looks at a target before and after the run reads it, too.
                let right = if direction == 0 { sums.bytes <= bytes } else { sums.bytes == bytes };
                assert!(right, "{job}: {} bytes of {name}, the device counted {counted:?}", sums.bytes);
            }
            assert_merged_is_the_sum(&document, direction, &format!("{job}: {name}"));
        }
    }
}

/// Totals, extremes and histograms of five drawn jobs.
#[test]
fn merged_result_is_the_sum_of_the_hosts_and_of_their_devices() {
    skip_without!(Need::Loop);
    drawn_jobs(5);
}

#[test]
#[ignore = "the same with 20 more drawn jobs"]
fn merged_result_of_20_drawn_jobs_is_the_sum_of_the_hosts() {
    skip_without!(Need::Loop);
    drawn_jobs(20);
}
