//! Scenarios with unwritten, zero or compressible data.
use super::plant::{Draw, MIB, Run, Seen, settle, written};
use anyhow::Result;
use rustix::fs::{FallocateFlags, fallocate};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use testbed::{FileSystem, LoopDevice, Mount, Zram, sandbox};

/// Size of the pieces of a file that are written or left empty, bytes.
const PIECE: u64 = 256 << 10;

fn untouched(s: &Seen) -> bool {
    s.device_share().is_some_and(|share| share < 0.95)
}

fn reads(d: &mut Draw) -> String {
    let rw = d.dice.one(&["randread", "randread", "read"]);
    let bs = if rw == "read" { "64k" } else { d.dice.one(&["4k", "8k", "16k"]) };
    let (engine, depth) = (d.async_engine(), d.dice.one(&[1, 2, 4]));
    format!("--rw={rw} --bs={bs} --ioengine={engine} --iodepth={depth} --direct=1 {}", d.time())
}

/// Writes `path` in pieces: noise, except for `empty` percent of the pieces, which are written by `piece`.
fn patchy(
    d: &mut Draw,
    path: &Path,
    size: u64,
    empty: u64,
    piece: fn(&File, u64) -> Result<()>,
) -> Result<()> {
    let noise = sandbox::noise_of(PIECE as usize);
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    if file.metadata()?.is_file() {
        file.set_len(size)?;
    }
    for at in (0..size).step_by(PIECE as usize) {
        if d.dice.between(1, 100) <= empty {
            piece(&file, at)?;
        } else {
            file.write_all_at(&noise, at)?;
        }
    }
    settle(path)
}

/// M8: reads of a file with holes. Control: a file without holes.
pub(super) fn holes(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160, 192]) * MIB;
    let share = d.dice.one(&[20, 40, 60, 80, 100]);
    let options = reads(d);
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs, FileSystem::Btrfs])?;
    let file = mount.path().join(d.file());
    patchy(d, &file, size, if d.guilty() { share } else { 0 }, |_, _| Ok(()))?;
    let options = d.job(&file, &options);
    // Holes read as zero blocks, which M9 reports.
    let too = if d.guilty() { &["M9"][..] } else { &[] };
    Ok(Run::within(mount, options).told(format!("{share} % holes when planted")).allow(too).proof(untouched))
}

/// M8: reads of a file that is reserved (fallocate) but not written. Control: a written file.
pub(super) fn fallocated(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160, 192]) * MIB;
    let options = reads(d);
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    if d.guilty() {
        fallocate(File::create(&file)?, FallocateFlags::empty(), 0, size)?;
        settle(&file)?;
    } else {
        written(&file, size)?;
    }
    let options = d.job(&file, &options);
    let too = if d.guilty() { &["M9"][..] } else { &[] };
    Ok(Run::within(mount, options).allow(too).proof(untouched))
}

/// M9: blocks of zeros, which a device may answer from its map. Control: data with few or no zero blocks.
pub(super) fn zero_blocks(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160, 192]) * MIB;
    let share = d.dice.one(&[30, 50, 80, 100]);
    let options = reads(d);
    let zeros = |file: &File, at| Ok(file.write_all_at(&[0; PIECE as usize], at)?);
    let empty = match (d.guilty(), d.variant(2)) {
        (true, _) => share,
        (_, 1) => 2,
        _ => 0,
    };
    let told = format!("{empty} % zeros");
    if d.coin() {
        let device = LoopDevice::in_memory(size, false, None)?;
        patchy(d, device.backing(), size, empty, zeros)?;
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).told(told));
    }
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    patchy(d, &file, size, empty, zeros)?;
    let options = d.job(&file, &options);
    Ok(Run::within(mount, options).told(told))
}

/// Returns options that make written data compressible.
fn compressible(d: &mut Draw) -> String {
    let percent = d.dice.between(50, 95);
    let drawn = d.dice.below(3);
    match (d.guilty(), drawn) {
        (false, _) => "--refill_buffers".into(),
        (_, 0) => "--zero_buffers".into(),
        (_, 1) => format!("--buffer_compress_percentage={percent} --refill_buffers"),
        _ => "--buffer_pattern=0xdeadbeef".into(),
    }
}

/// M11: compressible data written to zram. Control: incompressible data.
pub(super) fn compress_zram(d: &mut Draw) -> Result<Run> {
    let zram = Zram::new(d.dice.one(&[160, 192]) * MIB)?;
    let bs = d.dice.one(&["4k", "16k", "64k"]);
    let rw = d.dice.one(&["randwrite", "write"]);
    let (engine, contents) = (d.sync_engine(), compressible(d));
    let options = format!("--rw={rw} --bs={bs} --ioengine={engine} --direct=1 {contents} {}", d.time());
    let options = d.job(&zram.path(), &options);
    let name = zram.name().to_string();
    let small = move |_: &Seen| Zram::stored_by(&name).is_ok_and(|(stored, taken)| taken * 4 < stored * 3);
    Ok(Run { disk: Some(zram.name().into()), ..Run::new(options) }.keep(zram).proof(small))
}

/// M11: compressible data written to btrfs with compression. btrfs compresses data from the page cache, so the job is
/// buffered; it syncs so often that the device receives all data. Control: incompressible data.
pub(super) fn compress_btrfs(d: &mut Draw) -> Result<Run> {
    let how = d.dice.one(&["compress-force=zstd:1", "compress=lzo", "compress-force=lzo"]);
    let device = LoopDevice::in_memory(768 * MIB, false, None)?;
    let mount = Mount::on(FileSystem::Btrfs, device, &format!("noatime,{how}"))?;
    let file = mount.path().join(d.file());
    let bs = d.dice.one(&["64k", "128k", "256k"]);
    let (engine, contents) = (d.sync_engine(), compressible(d));
    let options = format!(
        "--rw=write --bs={bs} --size=128m --ioengine={engine} --direct=0 --fallocate=none --fsync=32 {contents} {}",
        d.time()
    );
    let options = d.job(&file, &options);
    // Buffered data goes through memory (M1) and moves in the sizes of the file system's extents (M27).
    Ok(Run::within(mount, options)
        .told(how)
        .allow(&["M1", "M27"])
        .proof(|s| s.device_share().is_some_and(|x| x < 0.8)))
}
