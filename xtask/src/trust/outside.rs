//! Scenarios with other load on the device, limits on it, writes that may be lost, and jobs that affect each other.
use super::plant::{Draw, MIB, Run, Seen, job_file, written};
use anyhow::Result;
use std::time::Duration;
use testbed::fuse::{Law, Model, Nature};
use testbed::{Cap, Cgroup, FileSystem};

/// M32: another process on the same device. Control: no other process, or one on another device.
pub(super) fn other_load(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[192, 256])?;
    let (bs, depth) = (d.dice.one(&["4k", "8k", "16k"]), d.dice.one(&[1, 2]));
    let theirs = d.dice.one(&["randread", "read", "randwrite"]);
    let (rate, their_bs) = (d.dice.between(250, 1200), d.dice.one(&["64k", "128k"]));
    let options = format!(
        "--rw=randread --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {}",
        d.async_engine(),
        d.time()
    );
    let options = d.job(device.path(), &options);
    let elsewhere = d.variant(2) == 1;
    let other = if elsewhere { Some(d.device(&[64])?) } else { None };
    let where_to = other.as_ref().map_or(device.path(), |o| o.path()).display().to_string();
    let beside = format!(
        "--name=other --filename={where_to} --thread --rw={theirs} --bs={their_bs} --rate_iops={rate} --ioengine=psync \
         --direct=1 --time_based --runtime=60"
    );
    let told = match (d.guilty(), elsewhere) {
        (true, _) => format!("beside it {theirs} {their_bs} at {rate}/s"),
        (_, true) => format!("on another device {theirs} {their_bs} at {rate}/s"),
        _ => "nobody beside it".into(),
    };
    let beside = (d.guilty() || elsewhere).then_some(beside);
    let more = |s: &Seen| s.device_share().is_some_and(|share| share > 1.05);
    Ok(Run { beside, ..Run::on(device, options) }.keep(other).told(told).proof(more))
}

/// M33: a limit of the block cgroup. Control: no limit, or one that is not reached.
pub(super) fn io_cap(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[160, 192])?;
    let write = d.dice.rarely(3);
    let by_bytes = d.coin();
    let (iops, rate) = (d.dice.between(500, 3000), d.dice.between(8, 40) * MIB);
    let bs = if by_bytes { d.dice.one(&["16k", "32k"]) } else { d.dice.one(&["4k", "8k"]) };
    let cap = match (write, by_bytes) {
        (false, false) => Cap::ReadIops(iops),
        (false, true) => Cap::ReadBytes(rate),
        (true, false) => Cap::WriteIops(iops),
        (true, true) => Cap::WriteBytes(rate),
    };
    let far = if write { Cap::WriteIops(9_000_000) } else { Cap::ReadIops(9_000_000) };
    let (rw, sync) = if write { ("randwrite", "--end_fsync=1") } else { ("randread", "") };
    let depth = d.dice.one(&[1, 4, 8]);
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={} --iodepth={depth} --direct=1 {sync} {}",
        d.async_engine(),
        d.time()
    );
    let options = d.job(device.path(), &options);
    let limit = match (d.guilty(), d.variant(2)) {
        (true, _) => Some(cap),
        (_, 1) => Some(far),
        _ => None,
    };
    let cgroup = Cgroup::new()?;
    if let Some(limit) = limit {
        cgroup.limit(&device.number()?, limit)?;
    }
    let limited = move |s: &Seen| {
        let got = if by_bytes { s.bytes / rate as f64 } else { s.ios / iops as f64 };
        // The kernel does not limit the first tenth of a second.
        (0.8..1.25).contains(&(got / s.seconds))
    };
    let told = limit.map_or("no limit".into(), |l| format!("{l:?}"));
    Ok(Run { cgroup: Some(cgroup), ..Run::on(device, options) }.told(told).proof(limited))
}

/// M35: writes to a device with a volatile write cache, without a sync. Control: writes with any kind of sync, and a
/// device that reports no such cache.
pub(super) fn no_fsync(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[160, 192]) * MIB;
    let (rw, bs) = d.dice.one(&[("randwrite", "4k"), ("randwrite", "16k"), ("write", "64k")]);
    let (in_file, buffered) = (d.coin(), d.dice.rarely(3));
    let engine = if buffered { d.sync_engine() } else { d.async_engine() };
    let kept = d.dice.one(&["--end_fsync=1", "--fsync=32", "--fdatasync=16", "--sync=1"]);
    let through = d.variant(3) == 1 && !in_file && !buffered;
    let how = if d.guilty() || through { "" } else { kept };
    let direct = u8::from(!buffered);
    let options = format!("--rw={rw} --bs={bs} --ioengine={engine} --direct={direct} {how} {}", d.time());
    // Buffered data stays in memory for a while and is written back in other sizes.
    let too = if buffered { &["M1", "M27"][..] } else { &[] };
    if in_file {
        let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
        let file = mount.path().join(d.file());
        written(&file, size)?;
        let options = d.job(&file, &options);
        return Ok(Run::within(mount, options).allow(too));
    }
    let device = d.device(&[size / MIB])?;
    if through {
        device.tune("write_cache", "write through")?;
    }
    let cache = std::fs::read_to_string(format!("/sys/block/{}/queue/write_cache", device.name()))?;
    let back = cache.trim() == "write back";
    let options = d.job(device.path(), &options);
    let lost = move |s: &Seen| back && s.disk.is_some_and(|disk| disk.flushes == 0);
    Ok(Run::on(device, options).told(format!("the device says {}", cache.trim())).allow(too).proof(lost))
}

/// M38: a sequential read of data that random writes have just fragmented. Control: the jobs in the other order, or on
/// different data.
pub(super) fn overwritten(d: &mut Draw) -> Result<Run> {
    let (size, bs) = (d.dice.one(&[128, 160]) * MIB, d.dice.one(&["64k", "128k", "256k"]));
    let small = d.dice.one(&["4k", "8k"]);
    let engine = d.async_engine();
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    let elsewhere = mount.path().join("elsewhere");
    written(&file, size)?;
    let apart = d.variant(2) == 1;
    if apart {
        written(&elsewhere, size)?;
    }
    let scanned = if apart { &elsewhere } else { &file };
    let write = |first: &str| {
        format!("[overwrite]\n{first}filename={}\nrw=randwrite\nbs={small}\nend_fsync=1\n", file.display())
    };
    let scan = |first: &str| format!("[scan]\n{first}filename={}\nrw=read\nbs={bs}\n", scanned.display());
    let wait = "stonewall\n";
    let jobs = if d.guilty() || apart { write("") + &scan(wait) } else { scan("") + &write(wait) };
    let text =
        format!("[global]\nioengine={engine}\ndirect=1\nsize={size}\ntime_based\nruntime=1200ms\n{jobs}");
    let (sandbox, path) = job_file(&text)?;
    let options = format!("--allow-destroy={} {path}", file.display());
    let told = text.replace('\n', " ");
    Ok(Run::within(mount, options).keep(sandbox).told(told))
}

/// M40: random reads are faster than sequential reads, because neighbouring blocks are in one object and an object is
/// on one server. Control: a device where any server serves any block, and a disk with a head.
pub(super) fn random_beats(d: &mut Draw) -> Result<Run> {
    let servers = d.dice.one(&[4, 8]);
    let law = Law::Exponential(Duration::from_micros(d.dice.one(&[800, 1200])));
    let object = d.dice.one(&[4, 8]) * MIB;
    let nature = match (d.guilty(), d.variant(2)) {
        (true, _) => Nature::Objects(object),
        (_, 1) => Nature::Seek(Duration::from_millis(4)),
        _ => Nature::Plain,
    };
    let disk = d.disk(Model { size_bytes: 256 * MIB, servers, law, nature, ..Model::default() })?;
    let bs = d.dice.one(&["4k", "8k"]);
    let engine = d.async_engine();
    let path = disk.path().display();
    let text = format!(
        "[global]\nfilename={path}\nioengine={engine}\niodepth={servers}\ndirect=1\nbs={bs}\ntime_based\nruntime=1300ms\n\
         [sequential]\nrw=read\n[random]\nstonewall\nrw=randread\n"
    );
    let (sandbox, options) = job_file(&text)?;
    let told = text.replace('\n', " ");
    Ok(Run::known(disk, options).keep(sandbox).told(format!("{nature:?}: {told}")))
}
