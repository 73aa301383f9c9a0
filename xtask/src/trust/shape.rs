//! Scenarios with I/Os that have another size than requested, and with disks of which only a small part is used.
use super::plant::{Draw, MIB, Run, Seen, written};
use anyhow::Result;
use std::time::Duration;
use testbed::fuse::{Law, Model, Nature};
use testbed::loopdev::Setup;
use testbed::{FileSystem, LoopDevice, Partition};

/// M19: a small part of a disk with a head. Control: the whole disk.
pub(super) fn short_stroke(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[320, 400, 448]) * MIB;
    let percent = d.dice.between(2, 4);
    let span = size / 100 * percent / MIB * MIB;
    let full = Duration::from_millis(d.dice.between(14, 22));
    // Half a rotation on average, in addition to a seek.
    let law = Law::Uniform(Duration::from_secs(60) / d.dice.one(&[5400, 7200, 10_000]));
    let disk = d.disk(Model { size_bytes: size, law, nature: Nature::Seek(full), ..Model::default() })?;
    let bs = d.dice.one(&["4k", "8k"]);
    let options = format!("--rw=randread --bs={bs} --ioengine={} --direct=1 {}", d.async_engine(), d.time());
    let corner = if d.guilty() { format!("--size={span} {options}") } else { options };
    let told = format!("{percent} % of a disk with {full:?} for a full stroke, when planted");
    let span = d.guilty().then_some(span);
    let device = LoopDevice::from_file(disk.path(), Setup { direct_io: true, ..Setup::default() })?;
    device.tune("rotational", "1")?;
    let options = d.job(device.path(), &corner);
    Ok(Run { span, ..Run::on(device, options) }.keep(disk).told(format!("{told}, as a rotational device")))
}

/// M26: a partition that starts at an odd sector. Control: an aligned partition.
pub(super) fn misaligned(d: &mut Draw) -> Result<Run> {
    let odd = d.dice.one(&[63, 63, 34, 2049]);
    let even = if d.variant(2) == 1 { 64 } else { 2048 };
    let device = d.device(&[160, 192])?;
    let partition = Partition::new(device, if d.guilty() { odd } else { even })?;
    let (rw, bs) = (d.dice.one(&["randread", "randwrite"]), d.dice.one(&["4k", "8k", "16k"]));
    let sync = if rw == "randwrite" { "--end_fsync=1" } else { "" };
    let depth = d.dice.one(&[1, 4]);
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {sync} {}",
        d.async_engine(),
        d.time()
    );
    let options = d.job(partition.path(), &options);
    let disk = partition.device().name();
    let start = format!("/sys/block/{disk}/{disk}p1/start");
    let start: u64 = std::fs::read_to_string(start)?.trim().parse()?;
    let run = Run { disk: Some(disk), ..Run::new(options) };
    Ok(run.keep(partition).told(format!("starts at sector {start}")).proof(move |_| !start.is_multiple_of(8)))
}

/// M26: writes smaller than a 4 KiB sector, which need a read first: in the page cache above the device, or in a loop
/// device with smaller sectors over it. Control: whole sectors, and small writes on small sectors.
pub(super) fn read_modify_write(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[128, 160]) * MIB;
    let bs = if d.guilty() { d.dice.one(&["512", "1k", "2k"]) } else { d.dice.one(&["4k", "8k", "4k"]) };
    let stacked = d.coin();
    let engine = d.sync_engine();
    let time = d.time();
    let read = |disk: Option<testbed::witness::DiskStats>| disk.is_some_and(|disk| disk.reads > 100);
    if d.variant(3) == 1 {
        let device = d.device(&[size / MIB])?;
        let options = format!("--rw=randwrite --bs=512 --ioengine={engine} --direct=1 --end_fsync=1 {time}");
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).told("sectors of 512").proof(move |s| read(s.disk)));
    }
    let lower = LoopDevice::in_memory(size, true, Some(4096))?;
    if stacked {
        let upper =
            LoopDevice::from_file(lower.path(), Setup { sector_bytes: Some(512), ..Setup::default() })?;
        let options = format!("--rw=randwrite --bs={bs} --ioengine={engine} --direct=1 --end_fsync=1 {time}");
        let options = d.job(upper.path(), &options);
        let run = Run { lower: Some(lower.name()), ..Run::on(upper, options) };
        // The upper device uses the page cache of the lower one, which reads the sector first.
        return Ok(run.keep(lower).told("512 over 4096").allow(&["M2"]).proof(move |s| read(s.lower)));
    }
    // Buffered, because the device rejects direct I/O of this size; periodic syncs make the writes reach the device.
    let options = format!("--rw=randwrite --bs={bs} --ioengine={engine} --direct=0 --fsync=64 {time}");
    let options = d.job(lower.path(), &options);
    Ok(Run::on(lower, options).told("buffered on 4096").allow(&["M1", "M27"]).proof(move |s| read(s.disk)))
}

fn other_size(s: &Seen) -> bool {
    s.device_size().is_some_and(|ratio| !(0.9..1.1).contains(&ratio))
}

/// M27: blocks larger than the device's largest request. Control: smaller blocks.
pub(super) fn split(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[192, 256])?;
    let most = d.dice.one(&[32, 64, 128]);
    let bs = d.dice.one(&["256k", "320k", "512k"]);
    let (rw, depth) = (d.dice.one(&["read", "randread"]), d.dice.one(&[1, 2]));
    if d.guilty() {
        device.tune("max_sectors_kb", &most.to_string())?;
    }
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {}",
        d.async_engine(),
        d.time()
    );
    let options = d.job(device.path(), &options);
    Ok(Run::on(device, options).told(format!("{most} KiB at once when planted")).proof(other_size))
}

/// M27: small sequential blocks that the page cache merges. Control: direct I/O with small, random or large blocks.
pub(super) fn merged(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[192, 256]) * MIB;
    let rw = d.dice.one(&["read", "read", "write"]);
    let engine = d.sync_engine();
    let sync = if rw == "write" { "--end_fsync=1" } else { "" };
    let what = match (d.guilty(), d.variant(3)) {
        (true, _) => format!("--rw={rw} --bs=4k --direct=0"),
        (_, 1) => format!("--rw=rand{rw} --bs=4k --direct=1"),
        (_, 2) => format!("--rw={rw} --bs=256k --direct=1"),
        _ => format!("--rw={rw} --bs=4k --direct=1"),
    };
    let options = format!("{what} --ioengine={engine} {sync} {}", d.time());
    // Buffered: from the second pass on, the data is in memory.
    let too = if d.guilty() { &["M1"][..] } else { &[] };
    if d.coin() {
        let device = d.device(&[size / MIB])?;
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).allow(too).proof(other_size));
    }
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    written(&file, size)?;
    let options = d.job(&file, &options);
    Ok(Run::within(mount, options).allow(too).proof(other_size))
}
