//! NVMe commands through io_uring (`io_uring_cmd`), on the generic character device of a namespace. No file system, page
//! cache, partition or I/O scheduler is between the job and the driver.

mod command;
mod guard;
#[cfg(test)]
mod tests;

pub use command::{Commands, Directive, Protection, WriteCommand, WriteMix, errno_of_status};

use crate::ring::{CountedRing, UringOptions};
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead};
use guard::Protected;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use stats::note::NoteFact;
use std::io;
use std::os::fd::{BorrowedFd, RawFd};
use sys::nvme::{Command, Namespace};
use sys::uring::{self, Sqe, op};

/// Options of the commands of a job.
#[derive(Clone, Copy, Debug, Default)]
pub struct NvmeOptions {
    /// Commands.
    pub commands: Commands,
    /// Bytes of the buffer for the metadata of one operation; 0 = no metadata is transferred apart from the data.
    pub metadata: u32,
    /// Largest number of ranges of a trim, at most 256; 0 or 1 = the range of the operation.
    pub trim_ranges: u16,
    /// Commands of writes with their shares, and the seed of the draws; `None` if all writes are [`Commands::write`].
    pub mix: Option<(WriteMix, u64)>,
}

impl NvmeOptions {
    fn appends(&self) -> bool {
        let append = |command: &WriteCommand| *command == WriteCommand::Append;
        append(&self.commands.write)
            || self
                .mix
                .is_some_and(|(mix, _)| mix.iter().any(|(command, percent)| *percent > 0 && append(command)))
    }
}

/// The ring of one worker with entries for commands, created, used and dropped on the worker's own thread.
pub struct Nvme {
    // Dropped first: closing the ring cancels the requests in flight before the buffers are freed.
    requests: CountedRing<true>,
    clock: MachineClock,
    blocks: Blocks,
    files: Vec<(RawFd, Namespace)>,
    /// Size of a zone of each file in bytes, if there are Zone Appends; 0 without zones.
    zones: Vec<u64>,
    options: NvmeOptions,
    /// Draws of the commands of writes.
    random: Xoshiro256PlusPlus,
    /// Offset at which a completed Zone Append was written, by slot; empty without them. Before completion, and for
    /// other commands, `None`.
    appended: Box<[Option<u64>]>,
    /// Operations in flight, by slot.
    ops: Box<[Op]>,
    /// Vectors by slot, with `vectored`; boxed, as all buffers below, because requests hold their addresses.
    vectors: Box<[libc::iovec]>,
    /// Ranges of trims by slot, [`NvmeOptions::trim_ranges`] each.
    ranges: Box<[[u8; 16]]>,
    /// Ranges of trims in bytes by slot, if a trim has several: offset and length.
    listed: Box<[Vec<(u64, u32)>]>,
    /// Identifiers of the directives of writes by slot; empty without directives.
    directives: Box<[u16]>,
    /// Metadata of all slots.
    metadata: Box<[u8]>,
    /// Completions of operations that were not sent, because they are not whole blocks.
    refused: Vec<Completion>,
    notes: Vec<NoteFact>,
}

impl Nvme {
    /// Returns an engine for at most `depth` operations in flight on `files` namespaces.
    ///
    /// # Errors
    /// errno of io_uring_setup(2) or mmap(2); EINVAL before Linux 5.19.
    pub fn new(
        blocks: Blocks,
        depth: usize,
        files: usize,
        ring_options: UringOptions,
        options: NvmeOptions,
    ) -> io::Result<Self> {
        let mut notes = Vec::new();
        let features = ring_options.features;
        let requests = CountedRing::new(&blocks, depth, files, ring_options, &mut notes)?;
        let no_vector = libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 };
        Ok(Self {
            requests,
            clock: MachineClock::best(),
            blocks,
            files: vec![(-1, Namespace::default()); files],
            zones: vec![0; files],
            random: Xoshiro256PlusPlus::seed_from_u64(options.mix.map_or(0, |(_, seed)| seed)),
            appended: vec![None; if options.appends() { depth } else { 0 }].into(),
            options,
            ops: vec![Op::NONE; depth].into(),
            vectors: vec![no_vector; if features.vectored { depth } else { 0 }].into(),
            ranges: vec![[0; 16]; depth * usize::from(options.trim_ranges.max(1))].into(),
            listed: match usize::from(options.trim_ranges) {
                0 | 1 => Box::default(),
                most => (0..depth).map(|_| Vec::with_capacity(most)).collect(),
            },
            directives: match options.commands.write {
                WriteCommand::Directed(_) => vec![0; depth].into(),
                _ => Box::default(),
            },
            metadata: vec![0; options.metadata as usize * depth].into(),
            refused: Vec::with_capacity(depth),
            notes,
        })
    }

    /// Returns the command and the kind of ioctl of an operation.
    ///
    /// # Errors
    /// EINVAL if the operation does not consist of whole blocks, or its metadata do not fit into their buffer.
    fn command(&mut self, o: &Op) -> Result<(Command, u32), i32> {
        let space = self.files[o.file as usize].1;
        let commands = self.options.commands;
        if !matches!(o.kind, Kind::Read | Kind::Write | Kind::Trim) {
            return Ok((commands.of(&space, o.kind, (0, 0), || 0), sys::nvme::URING_IO));
        }
        let slot = usize::from(o.slot);
        let commands = if o.kind == Kind::Write { self.commands_of_write() } else { commands };
        if o.kind == Kind::Trim && !self.listed.is_empty() {
            return self.ranged_trim(o, &space).map(|command| (command, sys::nvme::URING_IO));
        }
        let mut at @ (_, blocks) = commands.blocks(&space, o).ok_or(libc::EINVAL)?;
        if o.kind == Kind::Write && commands.write == WriteCommand::Append {
            let zone = self.zones[o.file as usize];
            let start = o.offset.checked_rem(zone).map(|within| o.offset - within).ok_or(libc::EINVAL)?;
            at.0 = start >> space.shift;
            // The offset that is expected, until the completion names the one that the write got.
            self.appended[slot] = Some(o.offset);
        } else if let Some(appended) = self.appended.get_mut(slot) {
            *appended = None;
        }
        let mut command = commands.of(&space, o.kind, at, || self.directives[slot]);
        if o.kind == Kind::Trim {
            self.ranges[slot] = command::range(at);
            (command.addr, command.data_len) = (self.ranges[slot].as_ptr() as u64, 16);
            return Ok((command, sys::nvme::URING_IO));
        }
        if !commands.transfers(o.kind) {
            return Ok((command, sys::nvme::URING_IO));
        }
        let separate = commands.separate(&space) * blocks;
        if separate > 0 {
            if separate > self.options.metadata {
                return Err(libc::EINVAL);
            }
            let start = slot * self.options.metadata as usize;
            command.metadata = self.metadata[start..].as_mut_ptr() as u64;
            command.metadata_len = separate;
        }
        if o.kind == Kind::Write {
            self.protect(o, &space, at.0, |block, commands| {
                block.write(&space, commands);
                true
            });
        }
        (command.addr, command.data_len) = (self.blocks.address(o.slot, 0) as u64, o.len);
        let Some(vector) = self.vectors.get_mut(slot) else { return Ok((command, sys::nvme::URING_IO)) };
        vector.iov_base = command.addr as *mut libc::c_void;
        vector.iov_len = o.len as usize;
        (command.addr, command.data_len) = (&raw const *vector as u64, 1);
        Ok((command, sys::nvme::URING_IO_VEC))
    }

    /// Returns the commands of the job with that of the next write.
    fn commands_of_write(&mut self) -> Commands {
        let commands = self.options.commands;
        let Some((mix, _)) = &self.options.mix else { return commands };
        let mut drawn = (((self.random.next_u64() >> 32) * 100) >> 32) as u8;
        for (write, percent) in mix {
            if drawn < *percent {
                return Commands { write: *write, ..commands };
            }
            drawn -= percent;
        }
        commands
    }

    /// Returns the command of a trim with the ranges that were set for its slot.
    ///
    /// # Errors
    /// EINVAL if a range does not consist of whole blocks.
    fn ranged_trim(&mut self, o: &Op, space: &Namespace) -> Result<Command, i32> {
        let (slot, commands) = (usize::from(o.slot), self.options.commands);
        let first = slot * usize::from(self.options.trim_ranges);
        let listed = &self.listed[slot];
        let ranges = &mut self.ranges[first..first + listed.len()];
        for (range, (offset, len)) in ranges.iter_mut().zip(listed) {
            let part = Op { offset: *offset, len: *len, ..*o };
            *range = command::range(commands.blocks(space, &part).ok_or(libc::EINVAL)?);
        }
        let n = ranges.len() as u32;
        Ok(Command { addr: ranges.as_ptr() as u64, ..commands.trim(space, n) })
    }

    /// Applies `each` to the blocks of an operation whose protection information the host makes; returns whether it
    /// returned true for all.
    fn protect(
        &mut self,
        o: &Op,
        space: &Namespace,
        first: u64,
        each: impl Fn(&mut Protected<'_>, &Commands) -> bool,
    ) -> bool {
        let commands = self.options.commands;
        if space.protection == 0 || commands.protection.action || space.metadata < command::TUPLE {
            return true;
        }
        let (unit, data, apart) =
            (commands.unit(space) as usize, 1usize << space.shift, commands.separate(space) as usize);
        // SAFETY: the slot's block has at least `len` bytes, is initialised, and belongs to the engine: its request is
        // not queued yet, or is complete and was not handed out.
        let buffer =
            unsafe { std::slice::from_raw_parts_mut(self.blocks.address(o.slot, 0), o.len as usize) };
        let start = usize::from(o.slot) * self.options.metadata as usize;
        let mut separate = self.metadata[start..].chunks_exact_mut(apart.max(1));
        for (number, block) in (first..).zip(buffer.chunks_exact_mut(unit)) {
            let (data, behind) = block.split_at_mut(data);
            let metadata = if apart > 0 { separate.next() } else { Some(behind) };
            let Some(metadata) = metadata else { return false };
            if !each(&mut Protected { data, metadata, number }, &commands) {
                return false;
            }
        }
        true
    }

    fn push(&mut self, o: &Op) -> Result<(), i32> {
        if o.kind == Kind::SyncRange && o.range().2 == 0 {
            self.ops[usize::from(o.slot)] = *o;
            let request = Sqe { opcode: op::NOP, user_data: o.slot.into(), ..Sqe::default() };
            // SAFETY: as below; the request names no memory.
            unsafe { self.requests.ring.push(request) };
            return Ok(());
        }
        let (command, ioctl) = self.command(o)?;
        self.ops[usize::from(o.slot)] = *o;
        let fixed = self.requests.fixed_buffers && command.data_len > 0 && o.kind != Kind::Trim;
        let mut request = Sqe {
            opcode: op::URING_CMD,
            flags: if self.requests.fixed_files { uring::FIXED_FILE } else { 0 },
            fd: if self.requests.fixed_files { o.file as i32 } else { self.files[o.file as usize].0 },
            off: u64::from(ioctl),
            user_data: u64::from(o.slot),
            op_flags: if fixed { uring::COMMAND_FIXED } else { 0 },
            ..Sqe::default()
        };
        self.requests.force_async(&mut request);
        // SAFETY: the command points into the arena, or to the slot's part of a boxed buffer, all of which outlive the
        // ring, at a slot that is ours until reaped; the worker never has more than `depth` <= entries in flight, so the
        // queue cannot be full.
        unsafe { self.requests.ring.push_command(request, o.slot, &command.bytes()) };
        Ok(())
    }

    /// Returns the result of a completed operation: its bytes, or -errno.
    fn result(&mut self, slot: u16, res: i32) -> i32 {
        let o = self.ops[usize::from(slot)];
        match res {
            0 if o.kind == Kind::Read && !self.read_checks(&o) => -libc::EILSEQ,
            0 if matches!(o.kind, Kind::Read | Kind::Write | Kind::Trim) => o.len as i32,
            1.. => -errno_of_status(res as u32),
            errno => errno,
        }
    }

    fn read_checks(&mut self, o: &Op) -> bool {
        let space = self.files[o.file as usize].1;
        let Some((first, _)) = self.options.commands.blocks(&space, o) else { return true };
        self.protect(o, &space, first, |block, commands| block.check(&space, commands))
    }

    fn drain(&mut self, out: &mut [Completion]) -> usize {
        let refused = self.refused.len().min(out.len());
        out[..refused].copy_from_slice(&self.refused[..refused]);
        self.refused.drain(..refused);
        let out = &mut out[refused..];
        let n = (self.requests.ring.ready() as usize).min(out.len());
        for (nth, completion) in out[..n].iter_mut().enumerate() {
            let answer = self.requests.ring.answer(nth as u32);
            let slot = answer.user_data as u16;
            if let Some(Some(offset)) = self.appended.get_mut(usize::from(slot))
                && answer.res == 0
            {
                let file = self.ops[usize::from(slot)].file;
                *offset = self.requests.ring.result(nth as u32) << self.files[file as usize].1.shift;
            }
            *completion = Completion { slot, res: self.result(slot, answer.res) };
        }
        self.requests.ring.advance(n as u32);
        self.requests.in_kernel -= n;
        refused + n
    }
}

impl Engine for Nvme {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        let space = if fd < 0 {
            Namespace::default()
        } else {
            // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
            let device = unsafe { BorrowedFd::borrow_raw(fd) };
            let errno = |e: io::Error| e.raw_os_error().unwrap_or(libc::EIO);
            sys::nvme::namespace(device)
                .map_err(|e| RingDead { call: "ioctl(NVMe identify)", errno: errno(e) })?
        };
        if fd >= 0 && self.options.appends() {
            // SAFETY: as above.
            let device = unsafe { BorrowedFd::borrow_raw(fd) };
            let limits = sys::nvme_zones::limits(device, &space).map_err(|e| RingDead {
                call: "ioctl(NVMe identify)",
                errno: e.raw_os_error().unwrap_or(libc::EIO),
            })?;
            // With metadata in the data's buffer, offsets are not those of the data.
            self.zones[index] = limits.filter(|_| !space.extended).map_or(0, |limits| limits.size);
        }
        self.files[index] = (fd, space);
        self.requests.register(index, fd)
    }

    fn queue(&mut self, ops: &[Op]) {
        for o in ops {
            match self.push(o) {
                Ok(()) => self.requests.unsubmitted += 1,
                Err(errno) => self.refused.push(Completion { slot: o.slot, res: -errno }),
            }
        }
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        if self.requests.features.thread { self.requests.publish() } else { self.requests.submit() }
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.drain(out);
        if n >= min.max(1) || n == out.len() || self.requests.in_kernel + self.requests.unsubmitted == 0 {
            return Ok(n);
        }
        if self.requests.features.thread && min == 0 {
            return Ok(n);
        }
        self.requests.wait(min - n.min(min))?;
        Ok(n + self.drain(&mut out[n..]))
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        // With IOPOLL, completions are polled for and not waited for.
        if n > 0
            || nanos == 0
            || self.requests.features.polled
            || self.requests.in_kernel + self.requests.unsubmitted == 0
        {
            return Ok(n);
        }
        self.requests.wait_within(nanos)?;
        Ok(self.drain(out))
    }

    fn set_directive(&mut self, slot: u16, id: u16) {
        if let Some(directive) = self.directives.get_mut(usize::from(slot)) {
            *directive = id;
        }
    }

    fn appended_at(&self, slot: u16) -> Option<u64> {
        self.appended.get(usize::from(slot)).copied().flatten()
    }

    fn set_trim_ranges(&mut self, slot: u16, ranges: &[(u64, u32)]) {
        if let Some(listed) = self.listed.get_mut(usize::from(slot)) {
            listed.clear();
            listed.extend_from_slice(&ranges[..ranges.len().min(usize::from(self.options.trim_ranges))]);
        }
    }

    fn notes(&self) -> &[NoteFact] {
        &self.notes
    }
}
