//! SCSI commands through the `sg` driver (`sg`): asynchronous on character devices `/dev/sgN`, in the call (`SG_IO`) on
//! block devices of disks. No file system, page cache, partition or I/O scheduler is between the job and the driver.

pub(crate) mod command;
#[cfg(test)]
mod tests;

pub use command::{Commands, WriteCommand};

use crate::sync::Perform;
use crate::{Blocks, Completion, Engine, Kind, MachineClock, Op, RingDead, last_errno};
use command::UNMAP_LIST;
use stats::scsi::ScsiStatus;
use std::os::fd::{BorrowedFd, RawFd};
use sys::scsi::{self, Capacity, Header, SENSE, Transfer};

/// A disk in the engine's table.
#[derive(Clone, Copy, Debug)]
struct Disk {
    fd: RawFd,
    capacity: Capacity,
    stream: u16,
    /// Number of commands that the driver holds.
    in_kernel: u32,
    /// Whether the driver refused a command since it last completed one: it takes no more of them.
    full: bool,
}

impl Disk {
    const NONE: Disk =
        Disk { fd: -1, capacity: Capacity { blocks: 0, shift: 0 }, stream: 0, in_kernel: 0, full: false };

    /// Replaces the disk by the one behind `fd`; -1 removes it. Opens and closes the stream of `commands`, if it has no
    /// identifier.
    fn set(&mut self, fd: RawFd, commands: &Commands) -> Result<(), RingDead> {
        let own_stream = commands.write == WriteCommand::Stream && commands.stream == 0;
        if own_stream && self.stream != 0 {
            // SAFETY: the old descriptor is still open: the worker takes it out of the table before it closes it. An
            // error cannot be helped any more; the device closes its streams at a reset.
            let _ = scsi::close_stream(unsafe { BorrowedFd::borrow_raw(self.fd) }, self.stream);
        }
        *self = Disk { fd, stream: commands.stream, ..Disk::NONE };
        if fd < 0 {
            return Ok(());
        }
        // SAFETY: `fd` is open: the worker takes it out of the table before it closes it.
        let device = unsafe { BorrowedFd::borrow_raw(fd) };
        let dead =
            |call| move |e: std::io::Error| RingDead { call, errno: e.raw_os_error().unwrap_or(libc::EIO) };
        self.capacity = scsi::capacity(device).map_err(dead("ioctl(SG_IO, READ CAPACITY)"))?;
        if own_stream {
            self.stream = scsi::open_stream(device).map_err(dead("ioctl(SG_IO, STREAM CONTROL)"))?;
        }
        Ok(())
    }
}

/// A command with its buffers, at a fixed place, because the driver holds their addresses.
#[derive(Clone, Copy, Debug)]
struct Request {
    op: Op,
    header: Header,
    command: [u8; scsi::COMMAND],
    sense: [u8; SENSE],
    list: [u8; UNMAP_LIST],
}

impl Request {
    const NONE: Request = Request {
        op: Op::NONE,
        header: Header::EMPTY,
        command: [0; scsi::COMMAND],
        sense: [0; SENSE],
        list: [0; UNMAP_LIST],
    };

    /// Prepares the command of an operation, except for the addresses of `command` and `sense`.
    ///
    /// # Errors
    /// EINVAL if the operation does not consist of whole blocks.
    fn prepare(&mut self, o: &Op, disk: &Disk, commands: &Commands, blocks: &Blocks) -> Result<(), i32> {
        let command = commands.of(disk.capacity, disk.stream, o)?;
        self.op = *o;
        self.command = command.block;
        let data = match o.kind {
            Kind::Trim => {
                self.list = command::unmap_list(command::blocks(disk.capacity, o).unwrap_or_default());
                self.list.as_ptr() as u64
            }
            _ if command.transfer == Transfer::None => 0,
            _ => blocks.address(o.slot, o.done) as u64,
        };
        self.header = Header {
            transfer: command.transfer as i32,
            command_len: command.len,
            sense_room: SENSE as u8,
            data_len: command.data_len,
            data,
            command: self.command.as_ptr() as u64,
            sense: self.sense.as_mut_ptr() as u64,
            flags: command.flags,
            user: o.slot.into(),
            ..Header::EMPTY
        };
        Ok(())
    }

    /// Returns the bytes of the completed operation, or -errno. As in fio, each failure of the device is EIO.
    fn result(&self) -> i32 {
        if self.header.failed() {
            return -libc::EIO;
        }
        let bytes = (self.op.len - self.op.done) as i32;
        let whole = self.header.data_len as i32 == bytes;
        match self.op.kind {
            // The rest of a transfer that the device cut short.
            Kind::Read | Kind::Write if whole => bytes - self.header.residual.clamp(0, bytes),
            Kind::Read | Kind::Write | Kind::Trim => bytes,
            _ => 0,
        }
    }

    fn status(&self) -> Option<ScsiStatus> {
        let Header { status, host_status, driver_status, sense_len, data_len, residual, .. } = self.header;
        self.header.failed().then_some(ScsiStatus {
            status,
            host: host_status,
            driver: driver_status,
            sense_len,
            sense: self.sense,
            data: [data_len, residual.max(0) as u32],
            command: self.command,
        })
    }
}

/// Commands on block devices, each of which ends in its call.
#[derive(Debug)]
pub struct SgCall {
    blocks: Blocks,
    disks: Vec<Disk>,
    commands: Commands,
    request: Box<Request>,
}

impl SgCall {
    /// Returns calls that transfer from and to these blocks, on `files` files.
    pub fn new(blocks: Blocks, files: usize, commands: Commands) -> Self {
        Self { blocks, disks: vec![Disk::NONE; files], commands, request: Box::new(Request::NONE) }
    }
}

impl Perform for SgCall {
    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.disks[index].set(fd, &self.commands)
    }

    fn perform(&mut self, op: &Op) -> i32 {
        let disk = &self.disks[op.file as usize];
        self.request.header = Header::EMPTY;
        if op.kind == Kind::SyncRange && op.range().2 == 0 {
            return 0;
        }
        if let Err(errno) = self.request.prepare(op, disk, &self.commands, &self.blocks) {
            return -errno;
        }
        // SAFETY: command, sense and list are in the boxed request, the data in the slot's block, which is ours until
        // reaped and holds at least as many bytes: all live across the call.
        match unsafe { scsi::call(disk.fd, &mut self.request.header) } {
            Ok(()) => self.request.result(),
            Err(errno) => -errno,
        }
    }

    fn scsi_status(&self, _: u16) -> Option<ScsiStatus> {
        self.request.status()
    }
}

/// Commands written to and read back from character devices. The driver copies the data of a read when the completed
/// command is received, and holds no memory of the job: nothing has to be awaited before the memory is freed.
#[derive(Debug)]
pub struct Sg {
    clock: MachineClock,
    blocks: Blocks,
    disks: Vec<Disk>,
    commands: Commands,
    /// Commands by slot; boxed, because the driver holds addresses in them.
    requests: Box<[Request]>,
    /// Slots of the commands that the driver did not take yet.
    queued: Vec<u16>,
    /// Completions of operations that were not sent.
    answered: Vec<Completion>,
    /// Devices to wait for, a place for each file.
    polled: Vec<libc::pollfd>,
    in_kernel: u32,
}

impl Sg {
    /// Returns an engine for at most `depth` operations in flight on `files` files.
    pub fn new(blocks: Blocks, depth: usize, files: usize, commands: Commands) -> Self {
        Self {
            clock: MachineClock::best(),
            blocks,
            disks: vec![Disk::NONE; files],
            commands,
            requests: vec![Request::NONE; depth].into(),
            queued: Vec::with_capacity(depth),
            answered: Vec::with_capacity(depth),
            polled: Vec::with_capacity(files),
            in_kernel: 0,
        }
    }

    /// Sends the queued commands; those for devices that take no more of them stay queued.
    fn send(&mut self) {
        let mut kept = 0;
        for at in 0..self.queued.len() {
            let slot = self.queued[at];
            let request = &self.requests[usize::from(slot)];
            let disk = &mut self.disks[request.op.file as usize];
            let sent = if disk.full {
                Err(libc::EDOM)
            } else {
                // SAFETY: command, sense and list are in the boxed request, the data in the slot's block. Both live as
                // long as the engine and the arena, and belong to this command until it is reaped.
                unsafe { scsi::send(disk.fd, &request.header) }
            };
            match sent {
                Ok(()) => {
                    disk.in_kernel += 1;
                    self.in_kernel += 1;
                }
                // The driver takes 16 commands of an open file at a time; completions make room.
                Err(libc::EDOM | libc::EAGAIN | libc::ENOMEM) if disk.in_kernel > 0 => {
                    disk.full = true;
                    self.queued[kept] = slot;
                    kept += 1;
                }
                Err(errno) => self.answered.push(Completion { slot, res: -errno }),
            }
        }
        self.queued.truncate(kept);
    }

    /// Receives completed commands without waiting; returns their number. Then sends commands for which there is room
    /// now.
    fn receive(&mut self, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = 0;
        for disk in &mut self.disks {
            while n < out.len() && disk.in_kernel > 0 {
                // SAFETY: the buffers of all commands are alive, see `send`.
                let received = match unsafe { scsi::receive(disk.fd) } {
                    Ok(Some(header)) => header,
                    Ok(None) | Err(libc::EINTR) => break,
                    Err(errno) => return Err(RingDead { call: "read(sg)", errno }),
                };
                disk.in_kernel -= 1;
                disk.full = false;
                self.in_kernel -= 1;
                let request = &mut self.requests[received.user as usize];
                request.header = received;
                out[n] = Completion { slot: received.user as u16, res: request.result() };
                n += 1;
            }
        }
        if n > 0 && !self.queued.is_empty() {
            self.send();
        }
        Ok(n)
    }

    fn hand_out(&mut self, out: &mut [Completion]) -> usize {
        crate::hand_out(&mut self.answered, out)
    }

    /// Waits until a command is complete, at most for `nanos` nanoseconds; returns false if none is.
    fn wait(&mut self, nanos: Option<u64>) -> bool {
        self.polled.clear();
        let waits = self.disks.iter().filter(|disk| disk.in_kernel > 0);
        self.polled.extend(waits.map(|disk| libc::pollfd { fd: disk.fd, events: libc::POLLIN, revents: 0 }));
        let time = nanos.map(|nanos| libc::timespec {
            tv_sec: (nanos / 1_000_000_000) as libc::time_t,
            tv_nsec: (nanos % 1_000_000_000) as libc::c_long,
        });
        let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the array and the time live across the call.
        unsafe {
            libc::ppoll(self.polled.as_mut_ptr(), self.polled.len() as libc::nfds_t, time, std::ptr::null())
                > 0
        }
    }
}

impl Engine for Sg {
    type Clock = MachineClock;
    const SYNC: bool = false;
    const TRIMS_IN_CALL: bool = false;

    fn clock(&self) -> MachineClock {
        self.clock
    }

    fn set_file(&mut self, index: usize, fd: RawFd) -> Result<(), RingDead> {
        self.disks[index].set(fd, &self.commands)?;
        // SAFETY: F_SETFL takes an int; the descriptor is open.
        if fd >= 0 && unsafe { libc::fcntl(fd, libc::F_SETFL, libc::O_NONBLOCK) } < 0 {
            return Err(RingDead { call: "fcntl(O_NONBLOCK)", errno: last_errno() });
        }
        Ok(())
    }

    fn queue(&mut self, ops: &[Op]) {
        for o in ops {
            let request = &mut self.requests[usize::from(o.slot)];
            request.header = Header::EMPTY;
            if o.kind == Kind::SyncRange && o.range().2 == 0 {
                self.answered.push(Completion { slot: o.slot, res: 0 });
                continue;
            }
            match request.prepare(o, &self.disks[o.file as usize], &self.commands, &self.blocks) {
                Ok(()) => self.queued.push(o.slot),
                Err(errno) => self.answered.push(Completion { slot: o.slot, res: -errno }),
            }
        }
    }

    fn submit(&mut self) -> Result<(), RingDead> {
        self.send();
        Ok(())
    }

    fn reap(&mut self, min: usize, out: &mut [Completion]) -> Result<usize, RingDead> {
        let mut n = self.hand_out(out);
        let min = min.min(out.len());
        loop {
            // Commands that may be complete are received at once; with a wait, only after it.
            if min == 0 || n < min && self.in_kernel > 0 && self.wait(None) {
                n += self.receive(&mut out[n..])?;
                n += self.hand_out(&mut out[n..]);
                if n < min && self.in_kernel > 0 {
                    continue;
                }
            }
            // Also after a signal.
            return Ok(n);
        }
    }

    fn reap_within(&mut self, nanos: u64, out: &mut [Completion]) -> Result<usize, RingDead> {
        let n = self.reap(0, out)?;
        if n > 0 || nanos == 0 || self.in_kernel == 0 || !self.wait(Some(nanos)) {
            return Ok(n);
        }
        self.reap(0, out)
    }

    fn scsi_status(&self, slot: u16) -> Option<ScsiStatus> {
        self.requests[usize::from(slot)].status()
    }
}
