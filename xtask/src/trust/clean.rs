//! Runs of sensible jobs on healthy devices, to see what fathom finds without a planted mistake.
use super::plant::{Draw, MIB, Run};
use super::{Bench, Side, allowed};
use crate::Tally;
use crate::tool::STARVED;
use anyhow::{Context as _, Result};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use testbed::LoopDevice;
use testbed::fuse::{Law, Model};
use testbed::loopdev::Setup;

/// Default number of random devices.
pub const DEVICES: usize = 20;
/// Largest number of runs of a device while CPUs are short.
const ATTEMPTS: usize = 3;

/// Returns the options of a job for a device that serves `servers` requests at a time, and whether the job writes.
fn job(d: &mut Draw, servers: usize) -> (String, bool) {
    let rw = d.dice.one(&["randread", "randread", "randread", "read", "randwrite", "randrw"]);
    let writes = rw.ends_with("write") || rw == "randrw";
    let depth = servers * d.dice.one(&[1, 2]);
    let (bs, engine) = (d.dice.one(&["4k", "8k", "16k"]), d.async_engine());
    // Periodic syncs make the writes durable.
    let sync = if writes { "--fsync=256" } else { "" };
    let seconds = d.dice.between(5, 10);
    let options = format!(
        "--rw={rw} --bs={bs} --ioengine={engine} --iodepth={depth} --direct=1 {sync} --time_based --runtime={seconds}s"
    );
    (options, writes)
}

/// Returns a random device with a job on it.
fn draw(d: &mut Draw, number: usize) -> Result<Run> {
    let servers = d.dice.one(&[1, 2, 4]);
    let each = Duration::from_micros(d.dice.one(&[200, 400, 700]));
    let law = match d.dice.below(3) {
        0 => Law::Constant(each),
        1 => Law::Exponential(each),
        _ => Law::Uniform(each * 2),
    };
    let (options, _) = job(d, servers);
    let told = format!("{servers} x {law:?}");
    if number % 10 >= 7 {
        let us = each.as_micros();
        let law = match law {
            Law::Constant(_) => format!("constant:{us}us"),
            Law::Uniform(_) => format!("uniform:0-{}us", 2 * us),
            _ => format!("exponential:{us}us"),
        };
        let options = options.replace("--ioengine=io_uring", "").replace("--ioengine=libaio", "");
        let options = format!(
            "--name=clean --ioengine=model --size=1g --model_servers={servers} --model_law={law} {options}"
        );
        return Ok(Run::new(options).told(format!("simulated, {told}")));
    }
    let disk = d.disk(Model { size_bytes: 256 * MIB, servers, law, ..Model::default() })?;
    if number % 10 >= 4 {
        let device = LoopDevice::from_file(disk.path(), Setup { direct_io: true, ..Setup::default() })?;
        let options = d.job(device.path(), &options);
        return Ok(Run::on(device, options).keep(disk).told(format!("loop device, {told}")));
    }
    let options = d.job(disk.path(), &options);
    Ok(Run::known(disk, options).told(format!("disk, {told}")))
}

impl Bench {
    /// Tests healthy devices: each must have grade A, or grade B for a reason that outside observation confirms.
    pub(super) fn clean(&self, count: usize) -> Result<Tally> {
        let (began, mut tally) = (Instant::now(), Tally::default());
        println!("grade  findings (a reason that outsiders did not see is FALSE)  device and job");
        for number in 0..count {
            let mut attempt = 1;
            loop {
                let mut draw = self.choices("clean", Side::Innocent, number);
                let run = self::draw(&mut draw, number).context("a clean device cannot be made")?;
                let seen = self.watch(&run)?;
                let simulated = run.options.contains("--ioengine=model");
                // No finding is true of a simulated device, whose law is steady.
                let true_here = if simulated { BTreeSet::new() } else { allowed(&run, &seen) };
                let grade = seen.document["fathom"]["grade"].as_str().unwrap_or("none").to_string();
                let list = seen.document["fathom"]["findings"].as_array().context("no findings")?;
                let mut fine = matches!(grade.as_str(), "A" | "B");
                let mut words = Vec::new();
                for finding in list {
                    let rule = finding["rule"].as_str().unwrap_or_default();
                    let own = finding["grade"].as_str().unwrap_or_default();
                    let confirmed = own == "A" || true_here.contains(rule);
                    fine &= confirmed;
                    words.push(format!("{rule} {own}{}", if confirmed { "" } else { " FALSE" }));
                }
                if !fine && seen.starved >= STARVED {
                    if attempt < ATTEMPTS {
                        attempt += 1;
                        continue;
                    }
                    println!(
                        "SKIP xtask::trust clean {number}: processors were short in every try: {words:?}"
                    );
                    break;
                }
                let words = if words.is_empty() { "none".into() } else { words.join(", ") };
                println!("{grade:<6} {words:<24} {}: {}  {}", run.told, run.options, tally.add(fine));
                if !fine {
                    println!("       {}", super::outsiders(&seen));
                }
                break;
            }
        }
        println!("trust: {count} clean devices in {:.0} s", began.elapsed().as_secs_f64());
        Ok(tally)
    }
}
