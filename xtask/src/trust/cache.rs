//! Scenarios in which memory responds instead of the device.
use super::plant::{Draw, MIB, Run, Seen, written};
use anyhow::Result;
use std::time::Duration;
use testbed::fuse::{Law, Model};
use testbed::loopdev::Setup;
use testbed::{FileSystem, LoopDevice, Mount};

/// M1: buffered reads from the page cache. Control: direct reads, and buffered reads of a tmpfs.
pub(super) fn page_cache(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160, 192]) * MIB;
    let (rw, bs) = d.dice.one(&[("randread", "4k"), ("randread", "16k"), ("read", "64k"), ("read", "128k")]);
    let engine = d.dice.one(&["psync", "sync", "io_uring"]);
    let raw = d.coin() && rw == "read";
    let direct = u8::from(!d.guilty());
    let options =
        format!("--rw={rw} --bs={bs} --ioengine={engine} --invalidate=0 --direct={direct} {}", d.time());
    // Until all data is in memory, read-ahead requests are larger than those of the job.
    let too = if direct == 0 && rw == "read" { &["M27"][..] } else { &[] };
    let answered = |s: &Seen| s.device_share().is_some_and(|share| share < 0.9);
    if d.variant(3) == 1 {
        let memory = Mount::new(FileSystem::Tmpfs, size + 16 * MIB)?;
        let file = memory.path().join(d.file());
        written(&file, size)?;
        let options = d.job(&file, &options.replace("--direct=1", "--direct=0"));
        return Ok(Run::within(memory, options).told("a tmpfs, buffered").proof(answered));
    }
    if raw {
        let device = d.device(&[size / MIB])?;
        let options = d.job(device.path(), &options);
        // The device is held open, as by a file system or a database; otherwise the kernel drops its pages each time a
        // job closes it.
        let held = std::fs::File::open(device.path())?;
        let run = Run { disk: Some(device.name()), ..Run::new(options) }.keep(held).keep(device);
        return Ok(run.told("a device that is held open").allow(too).proof(answered));
    }
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    written(&file, size)?;
    std::fs::read(&file)?;
    let options = d.job(&file, &options);
    Ok(Run::within(mount, options).told("a file that was read before").allow(too).proof(answered))
}

/// M2: a loop device whose file is in the page cache, as below a virtual machine. Control: a loop device with direct
/// I/O, over a file system or over memory.
pub(super) fn lower_cache(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160, 192]) * MIB;
    let (bs, depth) = (d.dice.one(&["4k", "8k", "32k"]), d.dice.one(&[1, 2, 4]));
    let rw = d.dice.one(&["randread", "randread", "read"]);
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {}",
        d.async_engine(),
        d.time()
    );
    let answered = |s: &Seen| {
        let below = |lower: testbed::witness::DiskStats| (lower.read_bytes() as f64) < 0.5 * s.bytes;
        s.lower.is_some_and(below)
    };
    if d.variant(2) == 1 {
        let device = d.device(&[size / MIB])?;
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).told("loop over tmpfs, direct").proof(answered));
    }
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let backing = mount.path().join(d.file());
    written(&backing, size)?;
    if d.guilty() {
        std::fs::read(&backing)?;
    }
    let upper = LoopDevice::from_file(&backing, Setup { direct_io: !d.guilty(), ..Setup::default() })?;
    let options = d.job(upper.path(), &options);
    let lower = mount.device().map(LoopDevice::name);
    let how = if d.guilty() { "buffered" } else { "direct" };
    Ok(Run { lower, ..Run::on(upper, options) }
        .keep(mount)
        .told(format!("loop over a file, {how}"))
        .proof(answered))
}

/// M3: a few MiB of a large device are read many times. Control: reads of the whole device, and a small, slow disk
/// that is read less than once.
pub(super) fn tiny_span(d: &mut Draw) -> Result<Run> {
    let span = d.dice.one(&[1, 2, 4, 8, 16, 24]) * MIB;
    let at = d.dice.between(0, 100) * MIB;
    let (bs, depth) = (d.dice.one(&["4k", "8k"]), d.dice.one(&[1, 4, 8]));
    let options = format!(
        "--rw=randread --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {}",
        d.async_engine(),
        d.time()
    );
    if d.variant(3) == 1 {
        // One server with 1 ms per request reads at most 8 MiB in two seconds: less than one pass.
        let ms = Duration::from_millis(1);
        let disk = d.disk(Model { size_bytes: 48 * MIB, law: Law::Exponential(ms), ..Model::default() })?;
        let options = d.job(disk.path(), &options.replace("--bs=8k", "--bs=4k"));
        return Ok(Run::known(disk, options).told("a small disk that is slow"));
    }
    let device = d.device(&[192, 256, 320])?;
    if !d.guilty() {
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options));
    }
    let options = d.job(device.path(), &format!("--size={span} --offset={at} {options}"));
    Ok(Run { span: Some(span), ..Run::on(device, options) }.proof(move |s| s.bytes > 3.0 * span as f64))
}
