//! Vectored synchronous calls: readv, preadv, preadv2 and their counterparts for writing, with a vector of one block.

use crate::sync::{Call, other, seek};
use crate::{Blocks, Kind, Op};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::os::fd::RawFd;

/// `RWF_*` flags of preadv2 and pwritev2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Flags of every call.
    pub always: i32,
    /// Additional flags of some calls.
    pub sometimes: i32,
    /// Percentage of the calls with the additional flags.
    pub percent: u8,
    /// Additional flags of every write.
    pub writes: i32,
}

/// Vectored calls: with `SEEK` lseek, readv and writev (fio's `vsync`), with `FLAGS` preadv2 and pwritev2
/// (`pvsync2`), with neither preadv and pwritev.
#[derive(Debug)]
pub struct Vectored<const SEEK: bool, const FLAGS: bool> {
    blocks: Blocks,
    flags: Flags,
    /// Random numbers, if the flags are not those of `always` for all calls.
    dice: Option<Box<Xoshiro256PlusPlus>>,
}

impl<const SEEK: bool, const FLAGS: bool> Vectored<SEEK, FLAGS> {
    /// Returns calls that transfer from and to these blocks; `seed` determines which calls have the additional flags.
    pub fn new(blocks: Blocks, mut flags: Flags, seed: u64) -> Self {
        let drawn = flags.sometimes != 0 && (1..100).contains(&flags.percent);
        if !drawn && flags.percent > 0 {
            flags.always |= flags.sometimes;
        }
        if !drawn {
            flags.percent = 0;
        }
        let dice = (drawn || flags.writes != 0).then(|| Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)));
        Self { blocks, flags, dice }
    }

    #[inline(never)]
    fn drawn(flags: Flags, dice: &mut Xoshiro256PlusPlus, kind: Kind) -> i32 {
        let own = if kind == Kind::Write { flags.writes } else { 0 };
        let roll = (u128::from(dice.next_u64()) * 100) >> 64;
        own | if roll < u128::from(flags.percent) { flags.always | flags.sometimes } else { flags.always }
    }
}

impl<const SEEK: bool, const FLAGS: bool> Call for Vectored<SEEK, FLAGS> {
    #[inline(always)]
    fn call(&mut self, fd: RawFd, op: &Op) -> Result<i32, i32> {
        let call = match (op.kind, SEEK, FLAGS) {
            (Kind::Read, true, _) => libc::SYS_readv,
            (Kind::Write, true, _) => libc::SYS_writev,
            (Kind::Read, _, false) => libc::SYS_preadv,
            (Kind::Write, _, false) => libc::SYS_pwritev,
            (Kind::Read, _, true) => libc::SYS_preadv2,
            (Kind::Write, _, true) => libc::SYS_pwritev2,
            _ => return Ok(other(fd, op)),
        };
        let at = op.offset + u64::from(op.done);
        let vector = libc::iovec {
            iov_base: self.blocks.address(op.slot, op.done).cast(),
            iov_len: (op.len - op.done) as usize,
        };
        if SEEK {
            seek(fd, at)?;
        }
        let flags = match &mut self.dice {
            Some(dice) if FLAGS => Self::drawn(self.flags, dice, op.kind),
            _ if FLAGS => self.flags.always,
            _ => 0,
        };
        let vector = &raw const vector as usize;
        // The offset is passed in two halves; the upper half counts only on 32-bit machines.
        let high = if usize::BITS == 32 { (at >> 32) as usize } else { 0 };
        let arguments = [fd as usize, vector, 1, at as usize, high, flags as usize];
        // SAFETY: the vector lives across the call and names the slot's block, which is ours until reaped and holds
        // the rest of the operation. Calls with fewer arguments ignore the rest.
        Ok(unsafe { sys::raw::syscall(call, arguments) as i32 })
    }
}
