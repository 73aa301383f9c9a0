//! Counters of block devices as the kernel keeps them, and the rates that follow from two readings.
//!
//! The arithmetic is that of iostat(1) of sysstat 12.6: what it prints and what is computed here are the same numbers.
//! Documentation of the counters: Linux, Documentation/admin-guide/iostats.rst.

mod cpu;
mod report;

pub use cpu::{CpuCounters, CpuShares};
pub use report::{CgroupIo, DeviceNature, DeviceRow, IoReport, ProcessIo, RowKind};

use serde::{Deserialize, Serialize};

/// Counters of a block device: the fields of `/proc/diskstats` and `/sys/block/*/stat`, in their order. A sector has
/// 512 bytes. A difference of two readings has the same fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskCounters {
    /// Reads completed, after merging.
    pub reads: u64,
    /// Reads that were merged into another request.
    pub reads_merged: u64,
    /// Sectors read.
    pub read_sectors: u64,
    /// Time of all reads in milliseconds, each from its start to its completion; 32 bits.
    pub read_ms: u64,
    /// Writes completed, after merging.
    pub writes: u64,
    /// Writes that were merged into another request.
    pub writes_merged: u64,
    /// Sectors written.
    pub write_sectors: u64,
    /// Time of all writes in milliseconds; 32 bits.
    pub write_ms: u64,
    /// Requests in flight at the time of the reading: the only field that is not a counter.
    pub in_flight: u64,
    /// Time with at least one request in flight, in milliseconds; 32 bits.
    pub busy_ms: u64,
    /// Time of all requests in milliseconds; 32 bits.
    pub queue_ms: u64,
    /// Discards completed, after merging (Linux 4.18 and later).
    pub discards: u64,
    /// Discards that were merged into another request.
    pub discards_merged: u64,
    /// Sectors discarded.
    pub discard_sectors: u64,
    /// Time of all discards in milliseconds; 32 bits.
    pub discard_ms: u64,
    /// Cache flushes completed (Linux 5.5 and later); 0 for partitions.
    pub flushes: u64,
    /// Time of all flushes in milliseconds; 32 bits.
    pub flush_ms: u64,
}

/// Returns the growth of a counter of 32 bits, which starts again at 0 after 2^32 - 1.
fn grown_32(now: u64, before: u64) -> u64 {
    u64::from((now as u32).wrapping_sub(before as u32))
}

impl DiskCounters {
    /// Returns the counters from the fields of a `stat` file: 4 (old partitions: reads, sectors read, writes, sectors
    /// written), 11, 15 or 17 fields, as the kernel's version has them. `None` for another number of fields below 11.
    pub fn from_fields(fields: &[u64]) -> Option<Self> {
        if let [reads, read_sectors, writes, write_sectors] = *fields {
            return Some(Self { reads, read_sectors, writes, write_sectors, ..Self::default() });
        }
        if fields.len() < 11 {
            return None;
        }
        let mut counters = Self {
            reads: fields[0],
            reads_merged: fields[1],
            read_sectors: fields[2],
            read_ms: fields[3],
            writes: fields[4],
            writes_merged: fields[5],
            write_sectors: fields[6],
            write_ms: fields[7],
            in_flight: fields[8],
            busy_ms: fields[9],
            queue_ms: fields[10],
            ..Self::default()
        };
        if let Some([discards, discards_merged, discard_sectors, discard_ms]) = fields.get(11..15) {
            (counters.discards, counters.discards_merged) = (*discards, *discards_merged);
            (counters.discard_sectors, counters.discard_ms) = (*discard_sectors, *discard_ms);
        }
        if let Some([flushes, flush_ms]) = fields.get(15..17) {
            (counters.flushes, counters.flush_ms) = (*flushes, *flush_ms);
        }
        Some(counters)
    }

    /// Returns the growth of each counter since `before`. Times wrap at 2^32 ms. If a number of requests or sectors
    /// fell, the device was replaced by another of its name, and all of its counters are growth.
    pub fn since(&self, before: &Self) -> Self {
        let counted = |c: &Self| {
            [
                c.reads,
                c.reads_merged,
                c.read_sectors,
                c.writes,
                c.writes_merged,
                c.write_sectors,
                c.discards,
                c.discards_merged,
                c.discard_sectors,
                c.flushes,
            ]
        };
        if counted(self).iter().zip(counted(before)).any(|(now, before)| *now < before) {
            return *self;
        }
        Self {
            reads: self.reads - before.reads,
            reads_merged: self.reads_merged - before.reads_merged,
            read_sectors: self.read_sectors - before.read_sectors,
            read_ms: grown_32(self.read_ms, before.read_ms),
            writes: self.writes - before.writes,
            writes_merged: self.writes_merged - before.writes_merged,
            write_sectors: self.write_sectors - before.write_sectors,
            write_ms: grown_32(self.write_ms, before.write_ms),
            in_flight: self.in_flight,
            busy_ms: grown_32(self.busy_ms, before.busy_ms),
            queue_ms: grown_32(self.queue_ms, before.queue_ms),
            discards: self.discards - before.discards,
            discards_merged: self.discards_merged - before.discards_merged,
            discard_sectors: self.discard_sectors - before.discard_sectors,
            discard_ms: grown_32(self.discard_ms, before.discard_ms),
            flushes: self.flushes - before.flushes,
            flush_ms: grown_32(self.flush_ms, before.flush_ms),
        }
    }

    /// Returns the sums of both, as for a group of devices.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            reads: self.reads.saturating_add(other.reads),
            reads_merged: self.reads_merged.saturating_add(other.reads_merged),
            read_sectors: self.read_sectors.saturating_add(other.read_sectors),
            read_ms: self.read_ms.saturating_add(other.read_ms),
            writes: self.writes.saturating_add(other.writes),
            writes_merged: self.writes_merged.saturating_add(other.writes_merged),
            write_sectors: self.write_sectors.saturating_add(other.write_sectors),
            write_ms: self.write_ms.saturating_add(other.write_ms),
            in_flight: self.in_flight.saturating_add(other.in_flight),
            busy_ms: self.busy_ms.saturating_add(other.busy_ms),
            queue_ms: self.queue_ms.saturating_add(other.queue_ms),
            discards: self.discards.saturating_add(other.discards),
            discards_merged: self.discards_merged.saturating_add(other.discards_merged),
            discard_sectors: self.discard_sectors.saturating_add(other.discard_sectors),
            discard_ms: self.discard_ms.saturating_add(other.discard_ms),
            flushes: self.flushes.saturating_add(other.flushes),
            flush_ms: self.flush_ms.saturating_add(other.flush_ms),
        }
    }

    /// Returns whether the device completed a read, write or discard.
    pub fn used(&self) -> bool {
        self.reads > 0 || self.writes > 0 || self.discards > 0
    }
}

/// Figures of one direction over an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flow {
    /// Requests completed per second.
    pub per_second: f64,
    /// Sectors of 512 bytes per second.
    pub sectors_per_second: f64,
    /// Requests merged per second.
    pub merged_per_second: f64,
    /// Merged requests in percent of those that were submitted.
    pub merged_percent: f64,
    /// Mean time of a request in milliseconds, from its start to its completion (`await`); 0 without requests.
    pub await_ms: f64,
    /// Mean size of a request in KiB; 0 without requests.
    pub request_kib: f64,
}

/// Figures of a device, or of a group of devices, over an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiskRates {
    /// Reads.
    pub read: Flow,
    /// Writes.
    pub write: Flow,
    /// Discards.
    pub discard: Flow,
    /// Reads, writes and discards together (`tps`).
    pub all: Flow,
    /// Sectors written or discarded per second.
    pub written_or_discarded: f64,
    /// Flushes per second.
    pub flushes_per_second: f64,
    /// Mean time of a flush in milliseconds.
    pub flush_await_ms: f64,
    /// Mean number of requests in flight (`aqu-sz`).
    pub in_flight: f64,
    /// Time with at least one request in flight, in percent of the interval (`%util`), not limited to 100.
    pub busy_percent: f64,
    /// Mean number of requests in flight while there was at least one; 0 if there was none.
    pub in_flight_while_busy: f64,
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl DiskRates {
    /// Returns the figures of the growth `grown` of the counters of `devices` devices during `centiseconds` (the unit of
    /// `/proc/uptime`). An interval of 0 counts as 1.
    pub fn of(grown: &DiskCounters, centiseconds: u64, devices: usize) -> Self {
        let interval = centiseconds.max(1) as f64;
        let per_second = |n: u64| n as f64 / interval * 100.0;
        let flow = |ios: u64, merged: u64, sectors: u64, ms: u64| Flow {
            per_second: per_second(ios),
            sectors_per_second: per_second(sectors),
            merged_per_second: per_second(merged),
            merged_percent: ratio(merged, merged.saturating_add(ios)) * 100.0,
            await_ms: ratio(ms, ios),
            request_kib: ratio(sectors, ios) / 2.0,
        };
        let g = grown;
        let ios = g.reads.saturating_add(g.writes).saturating_add(g.discards);
        let sectors = g.read_sectors.saturating_add(g.write_sectors).saturating_add(g.discard_sectors);
        let merged = g.reads_merged.saturating_add(g.writes_merged).saturating_add(g.discards_merged);
        let ms = g.read_ms.saturating_add(g.write_ms).saturating_add(g.discard_ms);
        Self {
            read: flow(g.reads, g.reads_merged, g.read_sectors, g.read_ms),
            write: flow(g.writes, g.writes_merged, g.write_sectors, g.write_ms),
            discard: flow(g.discards, g.discards_merged, g.discard_sectors, g.discard_ms),
            all: flow(ios, merged, sectors, ms),
            written_or_discarded: per_second(g.write_sectors.saturating_add(g.discard_sectors)),
            flushes_per_second: per_second(g.flushes),
            flush_await_ms: ratio(g.flush_ms, g.flushes),
            in_flight: per_second(g.queue_ms) / 1000.0,
            busy_percent: per_second(g.busy_ms) / 10.0 / devices.max(1) as f64,
            in_flight_while_busy: ratio(g.queue_ms, g.busy_ms),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [u64; 17] = [
        12345, 678, 2345678, 54321, 9876, 543, 876543, 98765, 3, 45678, 160000, 321, 12, 65432, 987, 222,
        3333,
    ];

    #[test]
    fn fields_of_every_kernel_are_read() {
        for n in 0..20 {
            let fields: Vec<u64> = FIELDS.iter().copied().chain([1, 2, 3]).take(n).collect();
            let read = DiskCounters::from_fields(&fields);
            assert_eq!(read.is_some(), n == 4 || n >= 11, "{n}");
            if let Some(c) = read.filter(|_| n >= 11) {
                assert_eq!((c.reads, c.queue_ms), (12345, 160000));
                assert_eq!((c.discards, c.discard_ms), if n >= 15 { (321, 987) } else { (0, 0) });
                assert_eq!((c.flushes, c.flush_ms), if n >= 17 { (222, 3333) } else { (0, 0) });
            }
        }
        let old = DiskCounters::from_fields(&[1, 2, 3, 4]).unwrap();
        assert_eq!((old.reads, old.read_sectors, old.writes, old.write_sectors), (1, 2, 3, 4));
    }

    /// Figures that iostat 12.6.1 printed for these counters after 512.34 s.
    #[test]
    fn rates_since_boot_are_those_of_iostat() {
        let rates = DiskRates::of(&DiskCounters::from_fields(&FIELDS).unwrap(), 51234, 1);
        let shown = |values: &[f64]| values.iter().map(|v| format!("{v:.2}")).collect::<Vec<_>>().join(" ");
        let r = rates.read;
        assert_eq!(
            shown(&[
                r.per_second,
                r.sectors_per_second / 2.0,
                r.merged_per_second,
                r.merged_percent,
                r.await_ms,
                r.request_kib
            ]),
            "24.10 2289.18 1.32 5.21 4.40 95.01"
        );
        assert_eq!(
            shown(&[
                rates.flushes_per_second,
                rates.flush_await_ms,
                rates.in_flight,
                rates.busy_percent,
                rates.all.per_second,
                rates.all.await_ms
            ]),
            "0.43 15.01 0.31 8.92 44.00 6.83"
        );
    }

    #[test]
    fn times_wrap_at_32_bits_and_a_replaced_device_starts_at_zero() {
        let before = DiskCounters { reads: 10, busy_ms: 4_294_967_200, ..Default::default() };
        let now = DiskCounters { reads: 12, busy_ms: 90, ..Default::default() };
        assert_eq!(now.since(&before), DiskCounters { reads: 2, busy_ms: 186, ..Default::default() });
        let replaced = DiskCounters { reads: 3, busy_ms: 5, ..Default::default() };
        assert_eq!(replaced.since(&before), replaced);
    }

    /// Little's law: the mean in flight is the sum over the directions of rate times time.
    #[test]
    fn mean_in_flight_is_rate_times_time() {
        let grown = DiskCounters {
            reads: 1000,
            read_ms: 6000,
            writes: 500,
            write_ms: 12_000,
            queue_ms: 18_000,
            busy_ms: 900,
            ..Default::default()
        };
        let rates = DiskRates::of(&grown, 200, 1);
        let little = (rates.read.per_second * rates.read.await_ms
            + rates.write.per_second * rates.write.await_ms)
            / 1000.0;
        assert!((rates.in_flight - little).abs() < 1e-9 && (little - 9.0).abs() < 1e-9);
        assert!((rates.in_flight_while_busy - 20.0).abs() < 1e-9);
        assert!((DiskRates::of(&grown, 200, 2).busy_percent - 22.5).abs() < 1e-9);
    }

    #[test]
    fn no_traffic_and_no_time_give_zero_not_nan() {
        let rates = DiskRates::of(&DiskCounters::default(), 0, 0);
        assert_eq!(rates, DiskRates::default());
        let most = DiskCounters::from_fields(&[u64::MAX; 17]).unwrap();
        assert!(DiskRates::of(&most, 1, 1).all.await_ms.is_finite());
        let one = DiskCounters { reads: 2010, ..Default::default() };
        assert!((DiskRates::of(&one, 0, 1).read.per_second - 201_000.0).abs() < 1e-6);
    }
}
