//! The list of devices from report to report, and what grew between two readings.

use super::cgroups::Cgroups;
use super::counters::Files;
use super::nature::nature;
use super::processes::Processes;
use super::{Listed, Naming, Selection, names};
use facts::SysRoot;
use stats::io_counters::{CpuCounters, CpuShares, DeviceNature, DeviceRow, DiskCounters, IoReport, RowKind};

/// A device or group of the list.
struct Entry {
    /// Name below `/dev`, or of the group.
    name: String,
    /// What it is sorted by.
    order: String,
    group: bool,
    /// Whether it is in the group that follows it.
    member: bool,
    /// Named by the user.
    explicit: bool,
    /// Whether its partitions are read, too.
    partitions: bool,
    /// Whether it has a directory of its own in `/sys/block`.
    disk: bool,
    number: (u32, u32),
    nature: Option<DeviceNature>,
    before: Option<DiskCounters>,
    now: Option<DiskCounters>,
}

/// Reads the counters and returns what grew since the last reading.
pub struct Collector {
    files: Files,
    selection: Selection,
    entries: Vec<Entry>,
    /// Whether there is a group. New devices are then its members, in the order in which they were found, and not
    /// sorted by name.
    grouped: bool,
    uptime: u64,
    cpu: CpuCounters,
    first: bool,
    processes: Processes,
    cgroups: Cgroups,
}

impl Collector {
    /// Returns a collector whose first report covers the time since the system was booted.
    pub fn new(root: SysRoot, selection: Selection) -> Self {
        let mut collector = Self {
            files: Files::new(root, &selection.source),
            grouped: false,
            entries: Vec::new(),
            selection,
            uptime: 0,
            cpu: CpuCounters::default(),
            first: true,
            processes: Processes::default(),
            cgroups: Cgroups::default(),
        };
        for listed in collector.selection.listed.clone() {
            match listed {
                Listed::Device { name, given, partitions } => {
                    let mapped = collector.selection.naming == Naming::Mapper;
                    let at = collector.place(&name, if mapped { &given } else { &name });
                    collector.entries[at].explicit = true;
                    collector.entries[at].partitions |= partitions;
                }
                Listed::Group(name) => {
                    if collector.entries.iter().any(|entry| entry.group && entry.name == name) {
                        continue;
                    }
                    collector.entries.push(Entry {
                        order: name.clone(),
                        name,
                        group: true,
                        member: false,
                        explicit: true,
                        partitions: false,
                        disk: false,
                        number: (0, 0),
                        nature: None,
                        before: None,
                        now: None,
                    });
                    collector.grouped = true;
                }
            }
        }
        collector
    }

    /// Returns the index of the device `name`, which is added to the list if it is new: before the first that `order`
    /// precedes if the list is sorted, else at its end, but before a group that ends it.
    fn place(&mut self, name: &str, order: &str) -> usize {
        if let Some(at) = self.entries.iter().position(|entry| !entry.group && entry.name == name) {
            return at;
        }
        let end = self.entries.len() - usize::from(self.entries.last().is_some_and(|entry| entry.group));
        let sorted = !self.grouped && !self.selection.with_partitions;
        let later = |entry: &Entry| entry.order.as_str() > order;
        let at = if sorted { self.entries.iter().position(later).unwrap_or(end) } else { end };
        let entry = Entry {
            name: name.to_owned(),
            order: order.to_owned(),
            group: false,
            member: self.grouped,
            explicit: false,
            partitions: false,
            disk: self.files.is_disk(name),
            number: names::number(self.files.root(), name),
            nature: None,
            before: None,
            now: None,
        };
        self.entries.insert(at, entry);
        at
    }

    fn read(&mut self) {
        self.entries.iter_mut().for_each(|entry| entry.now = None);
        let named = self.entries.iter().any(|entry| entry.explicit && !entry.group);
        if self.selection.with_partitions {
            for line in self.files.table() {
                let at = self.place(&line.name, &line.name);
                self.entries[at].number = line.number;
                self.entries[at].now = Some(line.counters);
            }
            return;
        }
        if !named || self.selection.all {
            for (name, counters) in self.files.disks() {
                let at = self.place(&name, &name);
                self.entries[at].now = Some(counters);
            }
        }
        let wanted: Vec<(String, bool)> = self
            .entries
            .iter()
            .filter(|entry| entry.explicit && !entry.group)
            .map(|entry| (entry.name.clone(), entry.partitions))
            .collect();
        for (name, partitions) in wanted {
            let at = self.place(&name, &name);
            let entry = &mut self.entries[at];
            entry.now =
                if entry.disk { self.files.of_disk(&name) } else { self.files.of_number(entry.number) };
            if partitions {
                for (partition, counters) in self.files.partitions(&name) {
                    let at = self.place(&partition, &partition);
                    self.entries[at].now = Some(counters);
                }
            }
        }
    }

    fn rows(&mut self) -> Vec<DeviceRow> {
        let show_unused =
            self.selection.all || self.entries.iter().any(|entry| entry.explicit && !entry.group);
        let moved = |c: &DiskCounters| c.used() || c.flushes > 0;
        let mut rows = Vec::new();
        // Growth and counters of the members of the next group.
        let (mut sum, mut total, mut devices) = (DiskCounters::default(), DiskCounters::default(), 0);
        for entry in &mut self.entries {
            if entry.group {
                if (show_unused || moved(&total)) && (!self.selection.omit_idle || moved(&sum)) {
                    let kind = RowKind::Group { devices };
                    let nature = DeviceNature::Unknown;
                    rows.push(DeviceRow { name: entry.name.clone(), kind, nature, grown: sum });
                }
                (sum, total, devices) = (DiskCounters::default(), DiskCounters::default(), 0);
                continue;
            }
            let Some(now) = entry.now else {
                // A device of this name that comes later is another one.
                entry.before = None;
                continue;
            };
            let grown = now.since(&entry.before.unwrap_or_default());
            entry.before = Some(now);
            if entry.member {
                (sum, total) = (sum.plus(&grown), total.plus(&now));
                devices += 1;
            }
            if self.selection.groups_only
                || (!show_unused && !moved(&now))
                || (self.selection.omit_idle && !moved(&grown))
            {
                continue;
            }
            let root = self.files.root();
            let nature = *entry.nature.get_or_insert_with(|| nature(root, &entry.name));
            let name = names::shown(root, &self.selection.naming, &entry.name, entry.number);
            rows.push(DeviceRow { name, kind: RowKind::Device, nature, grown });
        }
        rows
    }

    /// Reads all counters and returns their growth since the last call; `time_ms` is the time of day.
    pub fn next(&mut self, time_ms: i64) -> IoReport {
        let (uptime, cpu) = (self.files.uptime(), self.files.cpu());
        self.read();
        let report = IoReport {
            time_ms,
            centiseconds: uptime.wrapping_sub(self.uptime),
            since_boot: self.first,
            cpu: CpuShares::between(&self.cpu, &cpu),
            devices: self.rows(),
            processes: (self.selection.processes > 0)
                .then(|| self.processes.next(self.files.root(), self.selection.processes)),
            cgroups: self.selection.cgroups.then(|| self.cgroups.next(self.files.root())),
        };
        (self.uptime, self.cpu, self.first) = (uptime, cpu, false);
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat::CounterSource;
    use testbed::Sandbox;

    /// Fields of a `stat` file: reads, writes and busy time.
    fn fields(reads: u64, writes: u64, busy_ms: u64) -> String {
        format!("{reads} 0 {} 0 {writes} 0 0 0 0 {busy_ms} {busy_ms} 0 0 0 0 0 0", reads * 8)
    }

    struct Machine(Sandbox);

    impl Machine {
        fn new() -> Machine {
            let machine = Machine(Sandbox::in_memory().unwrap());
            machine.put("proc/stat", "cpu  100 0 0 300 0 0 0 0 0 0\n");
            machine.put("proc/uptime", "100.50 1.0\n");
            machine
        }

        fn put(&self, path: &str, text: &str) {
            std::fs::create_dir_all(self.0.join(path).parent().unwrap()).unwrap();
            std::fs::write(self.0.join(path), text).unwrap();
        }

        fn collector(&self, selection: Selection) -> Collector {
            Collector::new(SysRoot::at(self.0.path()), selection)
        }
    }

    fn names(report: &IoReport) -> Vec<&str> {
        report.devices.iter().map(|row| row.name.as_str()).collect()
    }

    fn device(name: &str) -> Listed {
        Listed::Device { name: name.into(), given: name.into(), partitions: false }
    }

    #[test]
    fn second_report_is_the_difference_of_two_readings() {
        let machine = Machine::new();
        for (name, text) in [("sdb", fields(10, 0, 5)), ("sda", fields(5, 5, 50)), ("loop0", fields(0, 0, 0))]
        {
            machine.put(&format!("sys/block/{name}/stat"), &text);
        }
        let mut collector = machine.collector(Selection::default());
        let first = collector.next(1);
        assert_eq!(names(&first), ["sda", "sdb"]);
        assert_eq!((first.centiseconds, first.since_boot), (10_050, true));
        machine.put("sys/block/sda/stat", &fields(25, 5, 1050));
        machine.put("sys/block/sdc/stat", &fields(3, 0, 0));
        std::fs::remove_dir_all(machine.0.join("sys/block/sdb")).unwrap();
        machine.put("proc/uptime", "102.50 1.0\n");
        machine.put("proc/stat", "cpu  150 0 0 350 0 0 0 0 0 0\n");
        let second = collector.next(2);
        assert_eq!(names(&second), ["sda", "sdc"]);
        let rates = second.rates(&second.devices[0]);
        assert_eq!((rates.read.per_second, rates.write.per_second, rates.busy_percent), (10.0, 0.0, 50.0));
        assert_eq!((second.cpu.user, second.cpu.idle, second.since_boot), (50.0, 50.0, false));
        let third = collector.next(3);
        assert_eq!(third.rates(&third.devices[0]).busy_percent, 0.0);
    }

    #[test]
    fn groups_sum_the_devices_listed_behind_them() {
        let machine = Machine::new();
        for (name, reads) in [("sda", 10), ("sdb", 20), ("sdc", 0), ("sdd", 40)] {
            machine.put(&format!("sys/block/{name}/stat"), &fields(reads, 0, 0));
        }
        let group = |name: &str| Listed::Group(name.into());
        let listed = vec![device("sda"), group("A"), device("sdd"), device("sdb")];
        let report = machine.collector(Selection { listed, ..Selection::default() }).next(0);
        assert_eq!(names(&report), ["sda", "sdd", "sdb", "A"]);
        assert_eq!(
            (report.devices[3].grown.reads, report.devices[3].kind),
            (60, RowKind::Group { devices: 2 })
        );
        // The last group has every device that is not listed.
        let listed = vec![group("A"), device("sdb"), group("B")];
        let mut all =
            machine.collector(Selection { listed: listed.clone(), all: true, ..Selection::default() });
        let report = all.next(0);
        assert_eq!((names(&report)[..2].to_vec(), names(&report).len()), (vec!["sdb", "A"], 6));
        assert_eq!((report.devices[5].name.as_str(), report.devices[5].grown.reads), ("B", 50));
        let only = Selection { listed, groups_only: true, all: true, ..Selection::default() };
        assert_eq!(names(&machine.collector(only).next(0)), ["A", "B"]);
    }

    #[test]
    fn partitions_come_from_the_table_or_the_disks_directory() {
        let machine = Machine::new();
        machine.put("sys/block/sda/stat", &fields(9, 0, 0));
        machine.put("sys/block/sda/sda2/stat", &fields(2, 0, 0));
        machine.put("sys/block/sda/sda1/stat", &fields(1, 0, 0));
        machine.put("sys/block/sda/queue/rotational", "0\n");
        let line = |n: u32, name: &str, reads| format!("   8       {n} {name} {}\n", fields(reads, 0, 0));
        let table = [line(0, "sda", 9), line(2, "sda2", 2), line(1, "sda1", 1), line(3, "sda3", 0)].concat();
        machine.put("proc/diskstats", &table);
        let listed = vec![Listed::Device { name: "sda".into(), given: "sda".into(), partitions: true }];
        let of_disk = Selection { listed, ..Selection::default() };
        assert_eq!(names(&machine.collector(of_disk).next(0)), ["sda", "sda1", "sda2"]);
        let table = Selection { with_partitions: true, ..Selection::default() };
        assert_eq!(names(&machine.collector(table.clone()).next(0)), ["sda", "sda2", "sda1"]);
        let all = Selection { all: true, ..table };
        assert_eq!(names(&machine.collector(all).next(0)), ["sda", "sda2", "sda1", "sda3"]);
    }

    #[test]
    fn a_directory_replaces_the_kernels_files_or_adds_to_them() {
        let machine = Machine::new();
        machine.put("sys/block/sda/stat", &fields(9, 0, 0));
        machine.put("user/block/ufo/stat", &fields(5, 0, 0));
        let dir = machine.0.join("user");
        for (source, expected) in [
            (CounterSource::Kernel, vec!["sda"]),
            (CounterSource::Directory(dir.clone()), vec!["ufo"]),
            (CounterSource::Both(dir), vec!["sda", "ufo"]),
        ] {
            let mut collector = machine.collector(Selection { source, ..Selection::default() });
            assert_eq!(names(&collector.next(0)), expected);
        }
    }
}
