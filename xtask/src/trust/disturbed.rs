//! Scenarios with disturbances from outside or at some moments: load below and beside the target, busy CPUs, pauses, an
//! early drop of the rate, a limit that no file shows; and targets that are not a disk.
use super::outside_view::in_memory;
use super::plant::{Draw, MIB, Run, Seen, written};
use anyhow::Result;
use std::time::Duration;
use testbed::fuse::{Law, Model, Nature};
use testbed::loopdev::Setup;
use testbed::{FileSystem, LoopDevice, Mount};

/// M12: credits that are used up in the first tenth of the run. Control: a disk with a constant rate.
pub(super) fn early_drop(d: &mut Draw) -> Result<Run> {
    let servers = d.dice.one(&[1, 2, 4]);
    let each = Duration::from_micros(d.dice.one(&[500, 800]));
    let law = Law::Bimodal { fast: each, slow: each * 2, slow_share: 0.1 };
    let fast = servers as f64 / (law.mean().as_secs_f64() + 60e-6);
    let ms = d.dice.one(&[5000, 6000]);
    let at = ms as f64 / 1000.0 * d.dice.between(6, 9) as f64 / 100.0;
    let slow = fast / d.dice.one(&[2.0, 3.0, 5.0]);
    let nature = if d.guilty() {
        Nature::Credits { requests: ((fast - slow) * at) as u64, per_second: slow }
    } else {
        Nature::Plain
    };
    let disk = d.disk(Model { size_bytes: 128 * MIB, servers, law, nature, ..Model::default() })?;
    let options = format!(
        "--rw=randread --bs=4k --ioengine={} --iodepth={servers} --direct=1 --time_based --runtime={ms}ms",
        d.async_engine()
    );
    let options = d.job(disk.path(), &options);
    let run = Run::known(disk, options).told(format!("{fast:.0} IOPS, {nature:?}"));
    Ok(if d.guilty() { run.allow(&["M17", "M33"]) } else { run })
}

/// M22: other processes keep all CPUs busy. Control: no other processes.
pub(super) fn busy_processors(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[160, 192])?;
    let (bs, depth) = (d.dice.one(&["4k", "8k"]), d.dice.one(&[1, 4]));
    let options =
        format!("--rw=randread --bs={bs} --ioengine=io_uring --iodepth={depth} --direct=1 {}", d.time());
    let options = d.job(device.path(), &options);
    let hogs = d.dice.one(&[4, 6, 8]);
    let hog = "--name=hog --thread --ioengine=cpuio --cpuload=100 --time_based --runtime=60";
    let beside = d.guilty().then(|| format!("{hog} --numjobs={hogs}"));
    let starved = |s: &Seen| s.starved > 0.5;
    Ok(Run { beside, ..Run::on(device, options) }.told(format!("{hogs} busy threads")).proof(starved))
}

/// M31: a disk that stops responding at times. Control: a disk without pauses, and one with short pauses.
pub(super) fn pauses(d: &mut Draw) -> Result<Run> {
    let each = Duration::from_micros(d.dice.one(&[400, 800]));
    let servers = d.dice.one(&[1, 4]);
    let (every, pause) = d.dice.one(&[(5000, 300), (7000, 900), (2000, 400), (3000, 600)]);
    let ms = |ms: u64| Duration::from_millis(ms);
    let nature = match (d.guilty(), d.variant(2)) {
        (true, _) => Nature::Pauses { every: ms(every), pause: ms(pause) },
        (_, 1) => Nature::Pauses { every: ms(1000), pause: ms(60) },
        _ => Nature::Plain,
    };
    let law = Law::Exponential(each);
    let disk = d.disk(Model { size_bytes: 64 * MIB, servers, law, nature, ..Model::default() })?;
    let runtime = every + pause + 1000;
    let options = format!(
        "--rw=randread --bs=4k --ioengine={} --iodepth={servers} --direct=1 --time_based --runtime={runtime}ms",
        d.async_engine()
    );
    let options = d.job(disk.path(), &options);
    Ok(Run::known(disk, options).told(format!("{nature:?}")).allow(&["M17", "M3"]))
}

/// M32: another process reads or writes on the disk of a loop device's file. Control: no other process.
pub(super) fn load_below(d: &mut Draw) -> Result<Run> {
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let (backing, other) = (mount.path().join(d.file()), mount.path().join("elsewhere"));
    written(&backing, 128 * MIB)?;
    written(&other, 64 * MIB)?;
    let upper = LoopDevice::from_file(&backing, Setup { direct_io: true, ..Setup::default() })?;
    let (bs, depth) = (d.dice.one(&["4k", "8k", "16k"]), d.dice.one(&[1, 4]));
    let options =
        format!("--rw=randread --bs={bs} --ioengine=io_uring --iodepth={depth} --direct=1 {}", d.time());
    let options = d.job(upper.path(), &options);
    let (theirs, rate) = (d.dice.one(&["randread", "randwrite", "write"]), d.dice.between(400, 1500));
    let beside = d.guilty().then(|| {
        format!(
            "--name=other --filename={} --thread --rw={theirs} --bs=128k --rate_iops={rate} --ioengine=psync --direct=1 \
             --time_based --runtime=60",
            other.display()
        )
    });
    let lower = mount.device().map(LoopDevice::name);
    let more = |s: &Seen| s.lower.is_some_and(|l| (l.read_bytes() + l.write_bytes()) as f64 > 1.05 * s.bytes);
    let run = Run { beside, lower, ..Run::on(upper, options) }.keep(mount);
    Ok(run.told(format!("{theirs} at {rate}/s below")).proof(more))
}

/// M32: another process writes to another file of the same file system. Control: no other process.
pub(super) fn writes_beside(d: &mut Draw) -> Result<Run> {
    let mount = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let (file, other) = (mount.path().join(d.file()), mount.path().join("elsewhere"));
    written(&file, 128 * MIB)?;
    written(&other, 64 * MIB)?;
    let (bs, depth) = (d.dice.one(&["4k", "8k"]), d.dice.one(&[1, 2]));
    let sync = d.dice.one(&["--fsync=64", "--end_fsync=1"]);
    // The job is paced, so that the other process reaches its rate.
    let options = format!(
        "--rw=randwrite --bs={bs} --ioengine=io_uring --iodepth={depth} --direct=1 --rate_iops=4000 {sync} {}",
        d.time()
    );
    let options = d.job(&file, &options);
    let rate = d.dice.between(600, 1500);
    // Direct I/O of the other process, or write-back of its dirty pages by the kernel.
    let how = d.dice.one(&["--direct=1", "--direct=0 --sync_file_range=write:16"]);
    let beside = d.guilty().then(|| {
        format!(
            "--name=other --filename={} --thread --rw=randwrite --bs=64k --rate_iops={rate} --ioengine=psync {how} \
             --time_based --runtime=60",
            other.display()
        )
    });
    let more = |s: &Seen| s.device_share().is_some_and(|share| share > 1.5);
    Ok(Run { beside, ..Run::within(mount, options) }
        .told(format!("writes at {rate}/s beside, {how}"))
        .proof(more))
}

/// M33: a limit that no file of the system shows, and that lets I/Os through in slices of time. Control: the same disk
/// without it, a disk with rare pauses, and a disk with I/Os that are slow at random.
pub(super) fn hidden_limit(d: &mut Draw) -> Result<Run> {
    let servers = d.dice.one(&[1, 2, 4]);
    let each = Duration::from_micros(d.dice.one(&[200, 300, 400]));
    let fast = servers as f64 / (each.as_secs_f64() + 100e-6);
    let every = Duration::from_millis(d.dice.one(&[80, 100, 120]));
    let requests = (fast * every.as_secs_f64() / d.dice.one(&[4.0, 6.0, 8.0])) as u64;
    let slow_share = d.dice.one(&[0.02, 0.05]);
    let mut law = Law::Exponential(each);
    let nature = match (d.guilty(), d.variant(3)) {
        (true, _) => Nature::Slices { every, requests },
        (_, 1) => Nature::Pauses { every: Duration::from_secs(1), pause: Duration::from_millis(70) },
        (_, 2) => {
            law = Law::Bimodal { fast: each, slow: every, slow_share };
            Nature::Plain
        }
        _ => Nature::Plain,
    };
    let disk = d.disk(Model { size_bytes: 128 * MIB, servers, law, nature, ..Model::default() })?;
    // At least twelve time slices for each I/O in flight.
    let ms = (12 * servers as u64 * every.as_millis() as u64).max(2500);
    let options = format!(
        "--rw=randread --bs=4k --ioengine={} --iodepth={servers} --direct=1 --time_based --runtime={ms}ms",
        d.async_engine()
    );
    let options = d.job(disk.path(), &options);
    // The rate per window varies, because the slices of the limit and the windows do not start together (M17).
    Ok(Run::known(disk, options).told(format!("{fast:.0} IOPS, {law:?}, {nature:?}")).allow(&["M17"]))
}

/// Memory: a device whose data is in memory. Control: a loop device over a simulated disk.
pub(super) fn memory_below(d: &mut Draw) -> Result<Run> {
    let (rw, depth) = (d.dice.one(&["randread", "randwrite"]), d.dice.one(&[1, 4]));
    let (bs, engine) = (d.dice.one(&["4k", "8k", "16k"]), d.async_engine());
    let sync = if rw == "randwrite" { "--fsync=64" } else { "" };
    let options =
        format!("--rw={rw} --bs={bs} --ioengine={engine} --iodepth={depth} --direct=1 {sync} {}", d.time());
    if d.guilty() {
        let device = d.device(&[128, 160, 192])?;
        let options = d.job(device.path(), &options);
        let path = device.path().to_owned();
        return Ok(Run::on(device, options).proof(move |_| in_memory(&path)));
    }
    let law = Law::Constant(Duration::from_micros(d.dice.one(&[200, 400])));
    let disk = d.disk(Model { size_bytes: 128 * MIB, law, servers: depth, ..Model::default() })?;
    let device = LoopDevice::from_file(disk.path(), Setup { direct_io: true, ..Setup::default() })?;
    let options = d.job(device.path(), &options);
    let path = device.path().to_owned();
    Ok(Run::on(device, options).keep(disk).proof(move |_| in_memory(&path)))
}

/// Overlay: a file on an overlay. Control: a file on the file system itself.
pub(super) fn overlaid(d: &mut Draw) -> Result<Run> {
    let below = d.mounted(&[FileSystem::Ext4, FileSystem::Xfs])?;
    let mount = if d.guilty() { Mount::overlay(below)? } else { below };
    let file = mount.path().join(d.file());
    written(&file, 128 * MIB)?;
    let (rw, depth) = (d.dice.one(&["randread", "randwrite", "read"]), d.dice.one(&[1, 4]));
    let sync = if rw == "randwrite" { "--fsync=64" } else { "" };
    let options = format!(
        "--rw={rw} --bs=16k --ioengine={} --iodepth={depth} --direct=1 {sync} {}",
        d.async_engine(),
        d.time()
    );
    let options = d.job(&file, &options);
    let told = if d.guilty() { "an overlay" } else { "no overlay" };
    let overlay = move |_: &Seen| {
        let kind = rustix::fs::statfs(&file).map(|s| s.f_type as u64);
        kind.is_ok_and(|kind| kind == OVERLAY)
    };
    Ok(Run::within(mount, options).told(told).proof(overlay))
}

/// Type of overlay file systems in the result of `statfs`.
const OVERLAY: u64 = 0x794c_7630;
