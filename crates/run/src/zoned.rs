//! The rules of `zonemode=zbd` for one worker: each operation that the pattern draws is moved to a place where its zone
//! accepts it.

use crate::zones::{NOBODY, ZoneControl, ZoneTable, ZonedDevice};
use engine::{Kind, Op};
use job::job::ZonedSpec;
use std::ops::Range;
use std::sync::Arc;

/// Command to a zone that precedes an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZoneCommand {
    /// Index of the file.
    pub(crate) file: u32,
    /// Offset of the zone in bytes.
    pub(crate) start: u64,
    /// Whether the zone is finished; else it is reset.
    pub(crate) finish: bool,
}

/// Result of the search for a place for an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Placed {
    /// The operation at its place.
    At(Op),
    /// I/Os in flight, of this or another job, have to complete first.
    Busy,
    /// No place is left in this pass.
    Over,
}

/// A file of a worker with its zones.
#[derive(Debug)]
pub(crate) struct ZonedFile {
    pub(crate) device: Arc<ZonedDevice>,
    /// Commands to the zones of a zoned device; `None` for all other devices.
    pub(crate) control: Option<ZoneControl>,
    /// Zones of the region, by index.
    pub(crate) zones: Range<usize>,
    /// Number of the worker among those of the device.
    pub(crate) worker: u64,
    /// Zone of the last sequential I/O per direction; `None` before the first of a pass.
    last: [Option<usize>; 2],
}

impl ZonedFile {
    /// Returns the file of a worker that uses these zones.
    pub(crate) fn new(device: Arc<ZonedDevice>, control: Option<ZoneControl>, zones: Range<usize>) -> Self {
        let worker = device.new_worker();
        Self { device, control, zones, worker, last: [None; 2] }
    }

    /// Returns the largest number of zones that all jobs of the device may write to at a time; 0 = any number.
    fn most_open(&self, spec: &ZonedSpec) -> u32 {
        match (spec.max_open, self.device.most_open) {
            (asked, _) if spec.ignore_limits => asked,
            (0, limit) => limit,
            (asked, _) => asked,
        }
    }
}

impl Drop for ZonedFile {
    /// Leaves the zones to other jobs.
    fn drop(&mut self) {
        let mut table = self.device.table();
        for zone in &mut table.zones {
            for worker in [&mut zone.owner, &mut zone.commanded] {
                if *worker == self.worker {
                    *worker = NOBODY;
                }
            }
        }
    }
}

/// The rules for all files of a worker.
#[derive(Debug)]
pub(crate) struct Zoned {
    spec: ZonedSpec,
    pub(crate) files: Vec<ZonedFile>,
    /// Smallest block of reads and of writes, in bytes.
    least: [u64; 2],
    sequential: bool,
    /// Whether a read that finds no data becomes a write.
    mixed: bool,
    /// Number of writes since the share of written data reached the threshold.
    writes: u64,
    commands: Vec<ZoneCommand>,
    /// Zones, by file and index, whose write pointer is not known since a write failed.
    lost: Vec<(u32, usize)>,
}

impl Zoned {
    /// Returns the rules for `files`; `least` is the smallest block of reads and of writes, in bytes.
    pub(crate) fn new(
        spec: ZonedSpec,
        files: Vec<ZonedFile>,
        least: [u64; 2],
        sequential: bool,
        mixed: bool,
    ) -> Self {
        Self {
            spec,
            files,
            least: least.map(|n| n.max(1)),
            sequential,
            mixed,
            writes: 0,
            commands: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Begins a pass.
    pub(crate) fn begin_pass(&mut self) {
        self.files.iter_mut().for_each(|file| file.last = [None; 2]);
    }

    /// Returns the commands that precede the operations that were placed last.
    pub(crate) fn take_commands(&mut self) -> std::vec::Drain<'_, ZoneCommand> {
        self.commands.drain(..)
    }

    /// Records that a command has been executed.
    pub(crate) fn executed(&mut self, command: &ZoneCommand) {
        let device = &self.files[command.file as usize].device;
        device.table().executed((command.start / device.size) as usize, command.finish);
    }

    /// Returns the zones that are reset before the operations that were placed last: their files, offsets and bytes. Only
    /// devices with zones of their own lose data by that.
    pub(crate) fn resets(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        let loses =
            |command: &&ZoneCommand| !command.finish && self.files[command.file as usize].device.strict;
        let zone = |command: &ZoneCommand| {
            (command.file, command.start, self.files[command.file as usize].device.size)
        };
        self.commands.iter().filter(loses).map(zone)
    }

    /// Finds the place of a read or write, and records it as in flight. `unwritten` is the offset where a write that
    /// replaces a read goes on, in bytes.
    pub(crate) fn place(&mut self, op: Op, unwritten: u64) -> Placed {
        if op.kind == Kind::Write {
            return self.place_write(op);
        }
        match self.place_read(op) {
            Placed::Over if self.mixed && !self.spec.read_beyond_wp => {
                self.place_write(Op { kind: Kind::Write, offset: unwritten, ..op })
            }
            placed => placed,
        }
    }

    fn place_read(&mut self, op: Op) -> Placed {
        let least = self.least[0];
        let file = &mut self.files[op.file as usize];
        let device = Arc::clone(&file.device);
        let table = &mut *device.table();
        let drawn = (op.offset / device.size) as usize;
        // Number of bytes of a zone that may be read: those of writes in flight are not there yet.
        let readable = |at: usize| -> u64 {
            let zone = &table.zones[at];
            match (zone.conventional || self.spec.read_beyond_wp, zone.dead) {
                (_, true) => 0,
                // As in fio, reads beyond the write pointer reach beyond the capacity, too.
                (true, _) => zone.length,
                (false, _) if device.strict => (zone.write_pointer - zone.start).saturating_sub(zone.pending),
                (false, _) => zone.write_pointer - zone.start,
            }
        };
        let within = |at: usize| op.offset.saturating_sub(table.zones[at].start);
        let found = if self.sequential {
            let first = skipped(file, 0, drawn, self.spec.skip / device.size.max(1));
            let fits = |at: &usize| {
                let from = if *at == drawn { within(drawn) } else { 0 };
                readable(*at).saturating_sub(from) >= least
            };
            (first..file.zones.end).find(fits)
        } else {
            let all = (drawn..file.zones.end).chain(file.zones.start..drawn.min(file.zones.end));
            all.into_iter().find(|at| readable(*at) >= least)
        };
        let Some(at) = found else { return Placed::Over };
        let (start, readable) = (table.zones[at].start, readable(at));
        let within = match self.sequential {
            true if at == drawn => within(at),
            true => 0,
            false => {
                let within = op.offset.saturating_sub(device.size * drawn as u64);
                if within + least > readable { within / least % (readable / least) * least } else { within }
            }
        };
        file.last[0] = Some(at);
        table.zones[at].ios += 1;
        let len = u64::from(op.len).min(readable - within) / least * least;
        Placed::At(Op { offset: start + within, len: len as u32, ..op })
    }

    fn place_write(&mut self, op: Op) -> Placed {
        let least = self.least[1];
        let number = op.file;
        let file = &mut self.files[number as usize];
        let device = Arc::clone(&file.device);
        let table = &mut *device.table();
        let drawn = (op.offset / device.size) as usize;
        let mut at = drawn;
        let remainder = u64::from(self.spec.remainder);
        // Bytes of the write that fills the rest of a zone in which no block fits.
        let rest = |left: u64| if remainder > 0 && left.is_multiple_of(remainder) { left } else { 0 };
        let full = |table: &ZoneTable, at: usize| {
            let zone = &table.zones[at];
            let left = zone.end - zone.write_pointer;
            !zone.conventional && left < least && rest(left) == 0
        };
        if self.sequential {
            at = skipped(file, 1, at, self.spec.skip / device.size.max(1));
            // Behind the capacity of a zone, or in the rest of a full one, the next zone follows.
            let over = |table: &ZoneTable, at: usize| {
                let zone = &table.zones[at];
                zone.dead
                    || at == drawn && op.offset > zone.start && (op.offset >= zone.end || full(table, at))
            };
            while at < file.zones.end && over(table, at) {
                at += 1;
            }
        }
        if !self.sequential {
            let all = || (at..file.zones.end).chain(file.zones.start..at);
            at = all().find(|at| !table.zones[*at].dead).unwrap_or(at);
        }
        if at >= file.zones.end || table.zones[at].dead {
            return Placed::Over;
        }
        if table.zones[at].conventional {
            let zone = &mut table.zones[at];
            let offset = op.offset.min(zone.end.saturating_sub(least)).max(zone.start);
            let len = u64::from(op.len).min(zone.end - offset);
            zone.ios += 1;
            zone.writes += 1;
            zone.pending += len;
            file.last[1] = Some(at);
            return Placed::At(Op { offset, len: len as u32, ..op });
        }
        let (parallel, worker) = (self.spec.parallel, file.worker);
        let busy = |table: &ZoneTable, at: usize| {
            let zone = &table.zones[at];
            let commanded = zone.commanded != NOBODY && zone.commanded != worker;
            zone.lost || commanded || device.strict && !parallel && zone.writes > 0
        };
        // A zone that is full is reset before it is written again.
        let unusable = |table: &ZoneTable, at: usize| {
            let zone = &table.zones[at];
            busy(table, at) || full(table, at) && device.strict && (zone.ios > 0 || zone.commanded != NOBODY)
        };
        let (own, most) = (self.spec.job_max_open as usize, file.most_open(&self.spec) as usize);
        let range = file.zones.clone();
        let ours = |table: &ZoneTable, at: &usize| table.zones[*at].owner == worker;
        let own_full = own > 0 && table.open.iter().filter(|at| ours(table, at)).count() >= own;
        // A zone that is finished, so that another one can be opened.
        let mut finished = None;
        if !table.open.contains(&at) || own_full && !ours(table, &at) {
            let reached = most > 0 && table.open.len() >= most;
            let idle = |table: &ZoneTable, at: usize| {
                table.zones[at].ios == 0 && table.zones[at].commanded == NOBODY
            };
            if reached && !own_full {
                // The rest of a zone may be too small for a block.
                finished = table.open.iter().copied().find(|at| full(table, *at) && idle(table, *at));
            }
            if own_full || reached && finished.is_none() {
                let candidate = |at: &usize| {
                    let zone = &table.zones[*at];
                    let room = !zone.dead && zone.write_pointer < zone.end;
                    room && range.contains(at) && (!own_full || ours(table, at))
                };
                let candidates = || table.open.iter().copied().filter(candidate);
                let writable = || candidates().filter(|at| !busy(table, *at));
                match writable().count() {
                    0 if candidates().next().is_some() => return Placed::Busy,
                    // All open zones are in other parts of the device, or full as soon as their writes complete.
                    0 => {
                        let left = |at: &usize| table.zones[*at].owner == NOBODY && idle(table, *at);
                        finished = table.open.iter().copied().find(left);
                        if finished.is_none() {
                            return Placed::Busy;
                        }
                    }
                    several => at = writable().nth(at % several).unwrap_or(at),
                }
            }
        }
        if unusable(table, at) && !self.sequential {
            let other = |other: &usize| {
                range.contains(other) && !unusable(table, *other) && (own == 0 || ours(table, other))
            };
            at = table.open.iter().copied().find(other).unwrap_or(at);
        }
        if unusable(table, at) {
            return Placed::Busy;
        }
        if let Some(old) = finished.filter(|_| !table.open.contains(&at)) {
            self.commands.push(ZoneCommand { file: number, start: table.zones[old].start, finish: true });
            table.finish(old, worker);
        }
        let region = device.size * file.zones.len() as u64;
        let periodic =
            self.spec.reset_every > 0 && table.valid as f64 >= self.spec.reset_threshold * region as f64 && {
                self.writes += 1;
                self.writes.is_multiple_of(self.spec.reset_every)
            };
        let written = table.zones[at].write_pointer > table.zones[at].start;
        let quiet = !device.strict || table.zones[at].ios == 0 && table.zones[at].commanded == NOBODY;
        if full(table, at) || periodic && written && quiet {
            self.commands.push(ZoneCommand { file: number, start: table.zones[at].start, finish: false });
            table.reset(at, worker);
        }
        let zone = &table.zones[at];
        let (offset, left) = (zone.write_pointer, zone.end - zone.write_pointer);
        let len = match left / least {
            0 => rest(left),
            blocks => u64::from(op.len).min(blocks * least),
        };
        if len == 0 {
            // The zone is smaller than a block.
            return Placed::Over;
        }
        table.write(at, len, file.worker);
        file.last[1] = Some(at);
        Placed::At(Op { offset, len: len as u32, ..op })
    }

    /// Records that a write has failed, which is still in flight as far as its zone is concerned: where the write pointer
    /// is, is not known until all writes of the zone have ended.
    pub(crate) fn failed(&mut self, op: &Op) {
        if !self.spec.recovers || op.kind != Kind::Write {
            return;
        }
        let Some(file) = self.files.get(op.file as usize) else { return };
        let at = (op.offset / file.device.size) as usize;
        if let Some(zone) = file.device.table().zones.get_mut(at).filter(|zone| !zone.conventional) {
            zone.lost = file.device.strict;
        }
    }

    /// Takes the next zone whose write pointer has to be asked for: its file, index and first byte.
    pub(crate) fn take_lost(&mut self) -> Option<(u32, usize, u64)> {
        let (file, at) = self.lost.pop()?;
        Some((file, at, self.files[file as usize].device.table().zones[at].start))
    }

    /// Continues zone `at` of a file at the offset `write_pointer`.
    pub(crate) fn recover(&mut self, file: u32, at: usize, write_pointer: u64) {
        self.files[file as usize].device.table().move_pointer(at, write_pointer);
    }

    /// Records that `op` is no longer in flight.
    pub(crate) fn completed(&mut self, op: &Op) {
        if !matches!(op.kind, Kind::Read | Kind::Write) {
            return;
        }
        let Some(file) = self.files.get(op.file as usize) else { return };
        let mut table = file.device.table();
        let at = (op.offset / file.device.size) as usize;
        let Some(zone) = table.zones.get_mut(at) else { return };
        zone.ios = zone.ios.saturating_sub(1);
        if op.kind == Kind::Write {
            zone.writes = zone.writes.saturating_sub(1);
            zone.pending = zone.pending.saturating_sub(u64::from(op.len));
            if zone.writes == 0 && zone.lost {
                self.lost.push((op.file, at));
                return;
            }
            // Only now is the zone full on the device, too, so that another one may be opened.
            if zone.writes == 0 && zone.write_pointer == zone.end {
                table.open.retain(|open| *open != at);
            }
        }
    }
}

/// Returns the zone of a sequential I/O that was drawn in zone `drawn`: `zoneskip` skips `zones` zones after each one.
fn skipped(file: &ZonedFile, direction: usize, drawn: usize, zones: u64) -> usize {
    match file.last[direction] {
        Some(last) if zones > 0 && drawn == last + 1 => drawn.saturating_add(zones as usize),
        _ => drawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Size and capacity of a zone, and size of the smallest block, in bytes.
    const ZONE: u64 = 100;
    const CAPACITY: u64 = 80;
    const BLOCK: u64 = 8;

    fn rules(most: (u32, u32)) -> ZonedSpec {
        ZonedSpec {
            size: 0,
            capacity: 0,
            skip: 0,
            read_beyond_wp: false,
            max_open: most.0,
            job_max_open: most.1,
            ignore_limits: false,
            reset_threshold: 0.5,
            reset_every: 7,
            parallel: false,
            recovers: false,
            remainder: 0,
        }
    }

    fn zoned(device: &Arc<ZonedDevice>, zones: Range<usize>, most: (u32, u32), sequential: bool) -> Zoned {
        with_rules(device, zones, rules(most), sequential)
    }

    fn with_rules(
        device: &Arc<ZonedDevice>,
        zones: Range<usize>,
        spec: ZonedSpec,
        sequential: bool,
    ) -> Zoned {
        let files = vec![ZonedFile::new(Arc::clone(device), None, zones)];
        Zoned::new(spec, files, [BLOCK; 2], sequential, true)
    }

    /// A simulated zone takes the rest in which no block fits as one write, if the rest consists of whole units.
    #[test]
    fn rest_of_a_zone_is_written_in_whole_units() {
        for (unit, lengths) in [
            (0, vec![16, 16, 16, 16]),
            (1, vec![16, 16, 16, 16, 6]),
            (3, vec![16, 16, 16, 16, 6]),
            (4, vec![16, 16, 16, 16]),
        ] {
            let device = Arc::new(ZonedDevice::uniform(ZONE, ZONE, 70, true).unwrap());
            let spec = ZonedSpec { remainder: unit, ..rules((0, 0)) };
            let mut job = with_rules(&device, 0..1, spec, true);
            let mut written = Vec::new();
            while let Placed::At(op) =
                job.place(Op { kind: Kind::Write, offset: 8 * written.len() as u64, len: 16, ..Op::NONE }, 0)
                && job.take_commands().count() == 0
            {
                written.push(op.len);
                job.completed(&op);
            }
            assert_eq!(written, lengths, "{unit}");
        }
    }

    proptest! {
        /// Writes that fail after a part of their bytes, one or several at a time in a zone: the next write is at the
        /// pointer of the device, and the number of open zones stays within the limit.
        #[test]
        fn writes_continue_where_failed_ones_left_the_pointer(
            parallel: bool, sequential: bool, most in 0u32..4, remainder in 0u32..2,
            steps in proptest::collection::vec((0u64..600, 1u64..4, 0usize..6, 0u64..40), 1..400),
        ) {
            let device = Arc::new(ZonedDevice::uniform(6 * ZONE, ZONE, CAPACITY, true).unwrap());
            let spec = ZonedSpec { parallel, recovers: true, remainder, ..rules((most, 0)) };
            let mut job = with_rules(&device, 0..6, spec, sequential);
            // Pointers of the device, which takes the writes of a zone in the order of their completion.
            let (mut pointers, mut in_flight) = ([0u64; 6], Vec::<Op>::new());
            for (at, blocks, completes, fails) in steps {
                let op = Op { kind: Kind::Write, offset: at / BLOCK * BLOCK, len: (blocks * BLOCK) as u32, ..Op::NONE };
                let placed = job.place(op, op.offset);
                for command @ ZoneCommand { start, finish, .. } in job.take_commands().collect::<Vec<_>>() {
                    job.executed(&command);
                    prop_assert!(in_flight.iter().all(|op| op.offset / ZONE != start / ZONE));
                    pointers[(start / ZONE) as usize] = if finish { CAPACITY } else { 0 };
                }
                if let Placed::At(op) = placed {
                    let zone = (op.offset / ZONE) as usize;
                    let earlier = in_flight.iter().filter(|op| (op.offset / ZONE) as usize == zone);
                    let pending: u64 = earlier.clone().map(|op| u64::from(op.len)).sum();
                    prop_assert!(parallel || pending == 0, "two writes in zone {}", zone);
                    prop_assert!(op.len > 0 && pointers[zone] + pending + u64::from(op.len) <= CAPACITY);
                    if pending == 0 {
                        prop_assert_eq!(op.offset % ZONE, pointers[zone]);
                    }
                    in_flight.push(op);
                    let used = |zone: usize| (1..CAPACITY).contains(&pointers[zone]) || in_flight.iter().any(|op| (op.offset / ZONE) as usize == zone);
                    let open = (0..6).filter(|zone| used(*zone)).count();
                    prop_assert!(most == 0 || open <= most as usize, "{} zones open", open);
                }
                if !in_flight.is_empty() && completes > 0 {
                    let op = in_flight.remove(completes % in_flight.len());
                    let pointer = &mut pointers[(op.offset / ZONE) as usize];
                    if fails < u64::from(op.len) {
                        *pointer += fails;
                        job.failed(&op);
                    } else {
                        *pointer += u64::from(op.len);
                    }
                    job.completed(&op);
                    while let Some((file, at, start)) = job.take_lost() {
                        job.recover(file, at, start + pointers[at]);
                    }
                }
            }
        }

        /// Two jobs, one of them sequential, on one device: each write is at the write pointer that the commands and
        /// the completed writes define, alone in its zone, and in no open zone too many; reads find completed writes.
        #[test]
        fn operations_are_placed_where_the_device_takes_them(
            most in 0u32..4, own in 0u32..3, halves: bool,
            steps in proptest::collection::vec((0usize..2, any::<bool>(), 0u64..600, 1u64..4, 0usize..6), 1..400),
        ) {
            let device = Arc::new(ZonedDevice::uniform(6 * ZONE, ZONE, CAPACITY, true).unwrap());
            let parts = if halves { [0..3, 3..6] } else { [0..6, 0..6] };
            let mut jobs = [(0, own), (1, 0)].map(|(job, own)| zoned(&device, parts[job].clone(), (most, own), job == 1));
            let (mut written, mut in_flight) = ([0u64; 6], Vec::<(usize, Op)>::new());
            for (job, reads, at, blocks, completes) in steps {
                let region = parts[job].start as u64 * ZONE..parts[job].end as u64 * ZONE;
                let offset = (region.start + at % (region.end - region.start)) / BLOCK * BLOCK;
                let kind = if reads { Kind::Read } else { Kind::Write };
                let op = Op { kind, offset: offset.max(region.start), len: (blocks * BLOCK) as u32, ..Op::NONE };
                let placed = jobs[job].place(op, op.offset);
                let commands: Vec<_> = jobs[job].take_commands().collect();
                if let Placed::At(op) = placed {
                    for command @ ZoneCommand { start, finish, .. } in commands {
                        jobs[job].executed(&command);
                        let zone = (start / ZONE) as usize;
                        prop_assert!(in_flight.iter().all(|(_, op)| (op.offset / ZONE) as usize != zone));
                        written[zone] = if finish { CAPACITY } else { 0 };
                    }
                    let zone = (op.offset / ZONE) as usize;
                    prop_assert!(op.len > 0 && parts[job].contains(&zone));
                    let (from, to) = (op.offset % ZONE, op.offset % ZONE + u64::from(op.len));
                    let writing = |zone: usize| {
                        in_flight.iter().any(|(_, op)| op.kind == Kind::Write && (op.offset / ZONE) as usize == zone)
                    };
                    if op.kind == Kind::Write {
                        prop_assert!(!writing(zone), "two writes in zone {}", zone);
                        prop_assert_eq!(from, written[zone]);
                        prop_assert!(to <= CAPACITY);
                    } else {
                        prop_assert!(to <= written[zone], "a read up to {} of {}", to, written[zone]);
                    }
                    in_flight.push((job, op));
                    let partly = |zone: usize| (1..CAPACITY).contains(&written[zone]);
                    let writes = |zone: usize| in_flight.iter().any(|(_, op)| op.kind == Kind::Write && (op.offset / ZONE) as usize == zone);
                    let open = (0..6).filter(|zone| partly(*zone) || writes(*zone)).count();
                    prop_assert!(most == 0 || open <= most as usize, "{} zones open", open);
                } else {
                    prop_assert!(commands.is_empty(), "a command without an operation");
                }
                if !in_flight.is_empty() && completes > 0 {
                    let (job, op) = in_flight.remove(completes % in_flight.len());
                    if op.kind == Kind::Write {
                        written[(op.offset / ZONE) as usize] += u64::from(op.len);
                    }
                    jobs[job].completed(&op);
                }
            }
        }
    }
}
