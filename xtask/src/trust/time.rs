//! Scenarios with rates that do not last, and with runs that end too early.
use super::plant::{Draw, MIB, Run, Seen};
use anyhow::Result;
use std::time::Duration;
use testbed::fuse::{Law, Model, Nature};

/// Returns a random disk, and its rate at depth `servers` in IOPS.
fn pace(d: &mut Draw) -> (Model, f64) {
    let servers = d.dice.one(&[1, 2, 4]);
    let each = Duration::from_micros(d.dice.one(&[500, 800, 1000]));
    // A little noise, as in every device.
    let law = Law::Bimodal { fast: each, slow: each * 2, slow_share: 0.1 };
    let rate = servers as f64 / (law.mean().as_secs_f64() + 60e-6);
    (Model { size_bytes: 256 * MIB, servers, law, ..Model::default() }, rate)
}

/// Returns the milliseconds of a run with a change, and the time of the change in seconds.
fn change(d: &mut Draw) -> (u64, f64) {
    let ms = d.dice.one(&[2400, 2800]);
    (ms, ms as f64 / 1000.0 * d.dice.between(35, 55) as f64 / 100.0)
}

/// M12: reads with credits that are used up. Control: a disk that is always fast or always slow.
pub(super) fn burst_credits(d: &mut Draw) -> Result<Run> {
    let (model, fast) = pace(d);
    let (ms, at) = change(d);
    let slow = fast / d.dice.one(&[1.7, 2.0, 3.0, 5.0, 8.0]);
    let nature = match (d.guilty(), d.variant(2)) {
        (true, _) => Nature::Credits { requests: ((fast - slow) * at) as u64, per_second: slow },
        // A disk that has no credits from the start.
        (_, 1) => Nature::Credits { requests: 1, per_second: slow },
        _ => Nature::Plain,
    };
    let depth = model.servers;
    let disk = d.disk(Model { nature, ..model })?;
    let options = format!(
        "--rw=randread --bs=4k --ioengine={} --iodepth={depth} --direct=1 --time_based --runtime={ms}ms",
        d.async_engine()
    );
    let options = d.job(disk.path(), &options);
    let told = format!("{fast:.0} IOPS, {nature:?}");
    // The rate without credits is a limit, which M33 may report.
    let too: &[&str] = if nature == Nature::Plain { &[] } else { &["M33"] };
    let run = Run::known(disk, options).told(told).allow(too);
    Ok(if d.guilty() { run.allow(&["M17"]) } else { run })
}

/// M13: writes to a cache that fills up. Control: a disk with a constant write rate.
pub(super) fn write_cache(d: &mut Draw) -> Result<Run> {
    let (model, fast) = pace(d);
    let (ms, at) = change(d);
    let bs = d.dice.one(&[4u64, 16, 64]) << 10;
    let slow = fast / d.dice.one(&[1.7, 2.0, 3.0, 5.0, 8.0]);
    let nature = if d.guilty() {
        let (bytes, per_second) = (((fast - slow) * at) as u64 * bs, slow * bs as f64);
        Nature::WriteCache { bytes, per_second }
    } else {
        Nature::Plain
    };
    let depth = model.servers;
    let disk = d.disk(Model { nature, ..model })?;
    let rw = d.dice.one(&["randwrite", "write"]);
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={} --iodepth={depth} --direct=1 --end_fsync=1 --time_based --runtime={ms}ms",
        d.async_engine()
    );
    let options = d.job(disk.path(), &options);
    let run = Run::known(disk, options).told(format!("{fast:.0} IOPS, {nature:?}"));
    Ok(if d.guilty() { run.allow(&["M17"]) } else { run })
}

/// M17: a run of less than a second, or with too few I/Os for a percentile. Control: a run that is long enough, on a
/// steady device.
pub(super) fn too_short(d: &mut Draw) -> Result<Run> {
    let ms = d.dice.between(200, 700);
    let long = d.time();
    let few = d.dice.rarely(3);
    let (engine, bs) = (d.async_engine(), d.dice.one(&["4k", "8k"]));
    if few {
        let slow = Duration::from_millis(d.dice.one(&[20, 30, 50]));
        let law = if d.guilty() { slow } else { Duration::from_micros(400) };
        let disk = d.disk(Model { size_bytes: 160 * MIB, law: Law::Exponential(law), ..Model::default() })?;
        let options =
            d.job(disk.path(), &format!("--rw=randread --bs={bs} --ioengine={engine} --direct=1 {long}"));
        return Ok(Run::known(disk, options).told(format!("{law:?} each")).proof(|s| s.ios < 500.0));
    }
    let device = d.device(&[160, 192])?;
    let depth = d.dice.one(&[1, 4]);
    let time = if d.guilty() { format!("--time_based --runtime={ms}ms") } else { long };
    let options = format!("--rw=randread --bs={bs} --ioengine={engine} --iodepth={depth} --direct=1 {time}");
    let options = d.job(device.path(), &options);
    Ok(Run::on(device, options).proof(|s| s.seconds < 1.0))
}

/// M18: all data was read before the runtime was over. Control: a job that reads the data repeatedly, and a job
/// without a runtime.
pub(super) fn size_ran_out(d: &mut Draw) -> Result<Run> {
    let device = d.device(&[256, 320])?;
    let bytes = d.dice.one(&[128, 160, 192]) * MIB;
    let asked = d.dice.between(20, 60);
    let time = d.time();
    let engine = d.sync_engine();
    let rw = d.dice.one(&["randread", "randread", "read"]);
    let how = match (d.guilty(), d.variant(2)) {
        (true, _) => format!("--runtime={asked}"),
        (_, 1) => String::new(),
        _ => time,
    };
    let options = format!("--rw={rw} --bs=4k --size={bytes} --ioengine={engine} --direct=1 {how}");
    let options = d.job(device.path(), &options);
    let ended = move |s: &Seen| how_long(&s.document).is_some_and(|ms| s.seconds < ms / 1000.0 * 0.9);
    Ok(Run::on(device, options).proof(ended))
}

/// Returns the runtime requested by a job, milliseconds, from the options echoed in the document.
fn how_long(document: &serde_json::Value) -> Option<f64> {
    let text = document["jobs"][0]["job options"]["runtime"].as_str()?;
    match text.strip_suffix("ms") {
        Some(ms) => ms.parse().ok(),
        None => text.parse::<f64>().ok().map(|s| s * 1000.0),
    }
}
