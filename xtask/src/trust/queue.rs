//! Scenarios with queues less deep than requested, clones that affect each other, and load threads without CPU time.
use super::plant::{Draw, MIB, Run, Seen, written};
use anyhow::Result;
use testbed::{Cgroup, FileSystem, Mount};

/// M4: a depth that a synchronous engine cannot have. Control: depth 1, several jobs, and an asynchronous engine.
pub(super) fn sync_depth(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[160, 192])?;
    let depth = d.dice.one(&[2, 4, 8, 16, 32, 64]);
    let jobs = d.dice.one(&[1, 1, 2]);
    let bs = d.dice.one(&["4k", "16k", "64k"]);
    let engine = d.sync_engine();
    let queue = match (d.guilty(), d.variant(3)) {
        (true, _) => format!("--ioengine={engine} --iodepth={depth}"),
        (_, 1) => format!("--ioengine={} --iodepth={}", d.async_engine(), depth.min(8)),
        _ => format!("--ioengine={engine} --iodepth=1"),
    };
    let options = format!("--rw=randread --bs={bs} --numjobs={jobs} --direct=1 {queue} {}", d.time());
    let options = d.job(device.path(), &options);
    Ok(Run::on(device, options))
}

/// M5: libaio without direct I/O, whose submission waits for each I/O. Control: the same job with direct I/O.
pub(super) fn buffered_aio(d: &mut Draw) -> Result<Run> {
    let size = d.dice.one(&[160, 192]) * MIB;
    let depth = d.dice.one(&[4, 8, 16, 32]);
    let (rw, bs) =
        d.dice.one(&[("randread", "4k"), ("randread", "16k"), ("randwrite", "4k"), ("read", "64k")]);
    let direct = u8::from(!d.guilty());
    let sync = if rw == "randwrite" { "--end_fsync=1" } else { "" };
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine=libaio --iodepth={depth} --direct={direct} {sync} {}",
        d.time()
    );
    // Buffered data is in memory from the second pass on, and is transferred in other sizes than the job's.
    let too = if d.guilty() { &["M1", "M27"][..] } else { &[] };
    if d.coin() {
        let device = d.device(&[size / MIB])?;
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).allow(too));
    }
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let file = mount.path().join(d.file());
    written(&file, size)?;
    let options = d.job(&file, &options);
    Ok(Run::within(mount, options).allow(too))
}

/// M20: sequential clones that all start at the same offset. Control: clones with a part each, random clones, and a
/// single clone.
pub(super) fn clones_overlap(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[320, 360])?;
    let jobs = d.dice.one(&[2, 3, 4]);
    let part = 320 / jobs * MIB;
    let bs = d.dice.one(&["16k", "64k", "128k"]);
    let rw = d.dice.one(&["read", "read", "write"]);
    let engine = d.sync_engine();
    let (mut how, mut what) = (format!("--numjobs={jobs}"), rw.to_string());
    match (d.guilty(), d.variant(4)) {
        (true, _) => {}
        (_, 1) => what = format!("rand{rw}"),
        (_, 2) => how = "--numjobs=1".into(),
        _ => how = format!("--numjobs={jobs} --offset_increment={part}"),
    }
    let sync = if rw == "write" { "--end_fsync=1" } else { "" };
    let options = format!(
        "--rw={what} --bs={bs} --size={part} {how} --ioengine={engine} --direct=1 {sync} {}",
        d.time()
    );
    let options = d.job(device.path(), &options);
    Ok(Run::on(device, options))
}

/// M22: a load thread without enough CPU time: under a quota, or because the target is memory and the CPU is the limit.
/// Control: no quota, and a quota that is not reached.
pub(super) fn cpu_short(d: &mut Draw) -> Result<Run> {
    let bs = d.dice.one(&["4k", "8k"]);
    let percent = d.dice.between(4, 9);
    let by_quota = d.coin();
    let time = d.time();
    let short = |s: &Seen| s.throttled as f64 > s.seconds * 10.0 * 0.3 || s.cpu > 0.9;
    if by_quota {
        let device = d.device(&[160, 192])?;
        let engine = d.async_engine();
        let options = format!("--rw=randread --bs={bs} --ioengine={engine} --iodepth=8 --direct=1 {time}");
        let options = d.job(device.path(), &options);
        let quota = match (d.guilty(), d.variant(2)) {
            (true, _) => Some(percent),
            (_, 1) => Some(200),
            _ => None,
        };
        let cgroup = quota.map(Cgroup::with_cpu_quota).transpose()?;
        let told = quota.map_or("no quota".into(), |q| format!("a quota of {q} % of a CPU"));
        return Ok(Run { cgroup, ..Run::on(device, options) }.told(told).proof(short));
    }
    let options = format!("--rw=randread --bs={bs} --ioengine=psync {time}");
    if !d.guilty() {
        // A device with direct I/O, for which the generator has to wait.
        let device = d.device(&[160])?;
        let options = d.job(device.path(), &format!("--direct=1 {options}"));
        return Ok(Run::on(device, options).proof(short));
    }
    let memory = Mount::new(FileSystem::Tmpfs, 192 * MIB)?;
    let file = memory.path().join(d.file());
    written(&file, 160 * MIB)?;
    let options = d.job(&file, &format!("--direct=0 {options}"));
    Ok(Run::within(memory, options).told("a file in memory").proof(short))
}
