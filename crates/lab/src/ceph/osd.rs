//! OSDs of this host: their processes, the limits and counters of their devices, and the counters that each OSD keeps.

use super::cluster::OsdMetadata;
use engine::remote::ceph::Cluster;
use facts::SysRoot;
use facts::cgroup;
use facts::layers::DeviceNumber;
use serde_json::Value;
use stats::ceph::{CephOsd, DeviceLimits, OsdCounters, OsdWork};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns the process of an OSD if it runs on this host: its host name is ours, and it has the device open, or, without a
/// device, its number is in its address.
pub(super) fn process(root: &SysRoot, of: &OsdMetadata) -> Option<u32> {
    let host = root.read("/proc/sys/kernel/hostname").unwrap_or_default();
    if host.trim().split('.').next() != of.osd.host.split('.').next() {
        return None;
    }
    let device = std::fs::canonicalize(&of.osd.device).ok().filter(|_| !of.osd.device.is_empty());
    let number = of.address.rsplit_once('/').map(|(_, number)| number);
    root.names("/proc").into_iter().filter_map(|name| name.parse::<u32>().ok()).find(|pid| {
        let dir = Path::new("/proc").join(pid.to_string());
        if root.read(dir.join("comm")).is_ok_and(|name| name.trim() != "ceph-osd") {
            return false;
        }
        match &device {
            Some(device) => {
                let files = std::fs::read_dir(root.path(dir.join("fd"))).into_iter().flatten().flatten();
                files.filter_map(|file| std::fs::read_link(file.path()).ok()).any(|file| file == *device)
            }
            None => of.osd.device.is_empty() && number == Some(&pid.to_string()),
        }
    })
}

/// Returns the number of a block device; `None` if the path is none.
fn device_number(path: &str) -> Option<DeviceNumber> {
    use std::os::unix::fs::FileTypeExt;
    let meta = std::fs::metadata(path).ok().filter(|meta| meta.file_type().is_block_device())?;
    Some(DeviceNumber::from_raw(meta.rdev()))
}

/// Returns the limits that the control group of the OSD sets for its device.
pub(super) fn limits(root: &SysRoot, osd: &CephOsd) -> Option<DeviceLimits> {
    let number = device_number(&osd.device)?;
    let limits = cgroup::limits_of(root, &osd.pid?.to_string());
    let limit = limits.io.into_iter().find(|limit| limit.device == number)?;
    Some(DeviceLimits { iops: limit.iops, bytes_per_second: limit.bytes_per_second })
}

/// State of an OSD and its device at one time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sample {
    counters: Option<OsdCounters>,
    ios: Option<[u64; 2]>,
    merges: Option<[u64; 2]>,
    bytes: Option<[u64; 2]>,
    cpu_s: Option<f64>,
}

impl Sample {
    /// Reads the counters of an OSD.
    pub(super) fn of(root: &SysRoot, cluster: &Cluster, osd: &CephOsd) -> Sample {
        let dump = cluster.osd_command(osd.id, r#"{"prefix":"perf dump","format":"json"}"#).ok();
        let dump = dump.and_then(|answer| serde_json::from_str(&answer.output).ok());
        let mut sample = Sample { counters: dump.as_ref().map(counters), ..Sample::default() };
        let Some(pid) = osd.pid else { return sample };
        sample.cpu_s = cpu(root, pid);
        let number = device_number(&osd.device);
        if let Some(stat) = number.and_then(|number| root.read(number.sysfs().join("stat")).ok()) {
            let field: Vec<u64> = stat.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if let [reads, read_merges, read_sectors, _, writes, write_merges, write_sectors, ..] = field[..]
            {
                sample.ios = Some([reads, writes]);
                sample.merges = Some([read_merges, write_merges]);
                sample.bytes = Some([read_sectors * 512, write_sectors * 512]);
            }
        }
        sample
    }

    /// Returns what the OSD did since an earlier sample.
    pub(super) fn since(&self, earlier: &Sample, id: i32) -> OsdWork {
        let pair = |now: Option<[u64; 2]>, before: Option<[u64; 2]>| {
            let (now, before) = now.zip(before)?;
            Some([now[0].saturating_sub(before[0]), now[1].saturating_sub(before[1])])
        };
        let counters = self.counters.zip(earlier.counters).map(|(now, before)| {
            let n = |now: u64, before: u64| now.saturating_sub(before);
            OsdCounters {
                client_ops: pair(Some(now.client_ops), Some(before.client_ops)).unwrap_or_default(),
                replica_writes: n(now.replica_writes, before.replica_writes),
                replica_bytes: n(now.replica_bytes, before.replica_bytes),
                client_bytes: pair(Some(now.client_bytes), Some(before.client_bytes)).unwrap_or_default(),
                deferred_ops: n(now.deferred_ops, before.deferred_ops),
                deferred_bytes: n(now.deferred_bytes, before.deferred_bytes),
                wal_bytes: n(now.wal_bytes, before.wal_bytes),
                table_bytes: n(now.table_bytes, before.table_bytes),
                commits: n(now.commits, before.commits),
                latency_s: [0, 1].map(|at| (now.latency_s[at] - before.latency_s[at]).max(0.0)),
            }
        });
        OsdWork {
            id,
            counters,
            device_ios: pair(self.ios, earlier.ios),
            device_merges: pair(self.merges, earlier.merges),
            device_bytes: pair(self.bytes, earlier.bytes),
            cpu_s: self.cpu_s.zip(earlier.cpu_s).map(|(now, before)| now - before),
        }
    }
}

/// Returns the counters in the answer to `perf dump`.
fn counters(dump: &Value) -> OsdCounters {
    let n = |section: &str, name: &str| dump[section][name].as_u64().unwrap_or(0);
    let sum = |section: &str, name: &str| dump[section][name]["sum"].as_f64().unwrap_or(0.0);
    OsdCounters {
        client_ops: [n("osd", "op_r"), n("osd", "op_w")],
        replica_writes: n("osd", "subop_w"),
        replica_bytes: n("osd", "subop_w_in_bytes"),
        client_bytes: [n("osd", "op_r_out_bytes"), n("osd", "op_w_in_bytes")],
        // Since Ceph 17, the writes are counted when they are issued.
        deferred_ops: n("bluestore", "deferred_write_ops").max(n("bluestore", "issued_deferred_writes")),
        deferred_bytes: n("bluestore", "deferred_write_bytes")
            .max(n("bluestore", "issued_deferred_write_bytes")),
        wal_bytes: n("bluefs", "bytes_written_wal"),
        table_bytes: n("bluefs", "bytes_written_sst"),
        commits: dump["bluestore"]["kv_sync_lat"]["avgcount"].as_u64().unwrap_or(0),
        latency_s: [sum("osd", "op_r_latency"), sum("osd", "op_w_latency")],
    }
}

/// Returns the CPU time of a process in seconds, user and system.
fn cpu(root: &SysRoot, pid: u32) -> Option<f64> {
    let stat = root.read(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (u64, u64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) as f64 / rustix::param::clock_ticks_per_second().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use stats::ceph::CephPattern;

    #[test]
    fn counters_are_read_from_the_perf_dump_of_an_osd() {
        let dump = json!({
            "osd": { "op_r": 7, "op_w": 5, "subop_w": 3, "subop_w_in_bytes": 8192, "op_w_in_bytes": 20480, "op_w_latency": { "avgcount": 5, "sum": 0.5 } },
            "bluestore": { "deferred_write_ops": 2, "deferred_write_bytes": 8192, "kv_sync_lat": { "avgcount": 4, "sum": 0.1 } },
            "bluefs": { "bytes_written_wal": 10000, "bytes_written_sst": 1 },
        });
        let later = Sample { counters: Some(counters(&dump)), ..Sample::default() };
        let before = Sample { counters: Some(OsdCounters::default()), ..Sample::default() };
        let work = later.since(&before, 4);
        let found = work.counters.expect("counters");
        assert_eq!((work.id, found.client_ops, found.replica_writes), (4, [7, 5], 3));
        assert_eq!(
            (found.deferred_ops, found.deferred_bytes, found.wal_bytes, found.commits),
            (2, 8192, 10000, 4)
        );
        assert_eq!((found.latency_s, work.operations(CephPattern::RandomWrite)), ([0.0, 0.5], Some(8.0)));
    }

    #[test]
    fn missing_counters_are_unknown_and_not_zero() {
        let work = Sample::default().since(&Sample::default(), 0);
        assert_eq!((work.counters, work.device_ios, work.cpu_s), (None, None, None));
        assert_eq!(work.device_factor(CephPattern::RandomRead, 1.0), None);
    }
}
