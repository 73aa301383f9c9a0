//! `fathom objects s3://BUCKET[/PREFIX]` and `fathom objects rados:POOL`: rates and latencies of operations on objects.

use crate::host_switches::HostSwitches;
use crate::live::OwnWatch;
use crate::output::print;
use crate::stored::{Keep, title_of};
use crate::{duration, hosts, signal, terminal};
use ::hosts::{AgentCommand, AgentOutcome, AgentSide, HostPlace};
use job::unit::whole;
use lab::objects::{AccessRequest, ObjectLoad, ObjectPlace, RadosLoad, S3Load, find_access, measure};
use report::Lang;
use run::output;
use stats::answer::Answer;
use stats::host_answer::HostAnswer;
use stats::object_load::{ObjectEnd, ObjectMix, ObjectOperation, ObjectResult, ObjectSizes};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// How fast does object storage put, get, stat, delete, list?
///
/// Works as warp's mixed load and cosbench do: writes objects, then keeps `--jobs` operations in flight, drawn by their
/// weights. Prints requests per second, and the time to the first and to the last byte by operation. Every object that is
/// read is compared with what was written. All objects are made below a prefix of their own, which is removed at the end;
/// what a killed run left is removed by the next one.
///
/// The key comes from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from a profile in ~/.aws/credentials; with --hosts, from
/// those of each host.
#[derive(clap::Args)]
pub struct Arguments {
    /// Bucket with a prefix, or pool of Ceph: s3://BUCKET[/PREFIX], rados:POOL. It must exist
    #[arg(value_name = "TARGET")]
    target: String,
    /// Server, http://HOST:PORT or https://HOST; several share the load and have figures of their own
    /// [default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, or AWS]
    #[arg(long, value_name = "URL")]
    endpoint: Vec<String>,
    /// Region of the signature [default: AWS_REGION, AWS_DEFAULT_REGION, or us-east-1]
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// Profile of the credentials file [default: the variables, AWS_PROFILE, or default]
    #[arg(long, value_name = "NAME", conflicts_with = "unsigned")]
    profile: Option<String>,
    /// Send requests without a signature
    #[arg(long)]
    unsigned: bool,
    /// Accept any certificate of the server
    #[arg(long)]
    insecure: bool,
    /// Weights of the operations
    #[arg(long, value_name = "LIST", default_value = "put=15,get=45,stat=30,delete=10", value_parser = mix)]
    mix: ObjectMix,
    /// Sizes of objects: 4m; 4k-1m (uniform); 4k:3,1m:1 (with weights); lognormal:MEDIAN:SIGMA:LARGEST
    #[arg(long, value_name = "SIZES", default_value = "1m", value_parser = sizes)]
    sizes: ObjectSizes,
    /// Size of the parts in which larger objects are written (S3: 5m at least) [default: one request per object]
    #[arg(long, value_name = "SIZE", value_parser = part)]
    part: Option<u64>,
    /// Number of objects that are written before the load
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(..=100_000_000))]
    objects: u64,
    /// Number of prefixes among which the names are spread
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=65536))]
    prefixes: u32,
    /// Number of operations in flight
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=4096))]
    jobs: u32,
    /// Measuring time after the objects are written
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration::measuring)]
    time: Duration,
    /// Seed of names, sizes, contents and the order of operations [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run the load beside objects that fathom did not write, which are never touched; the value is the target
    #[arg(long, value_name = "TARGET")]
    allow_destroy: Option<String>,
    /// Print what would be written, or, with --hosts, the commands that start the agents; send nothing
    #[arg(long)]
    dry_run: bool,
    /// The hosts that measure.
    #[command(flatten)]
    hosts: HostSwitches,
    #[command(flatten)]
    store: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Option<u64> {
    whole(text, 1024)
}

fn part(text: &str) -> Result<u64, &'static str> {
    size(text).filter(|size| *size > 0).ok_or("give a size, e.g. 5m or 64m")
}

fn sizes(text: &str) -> Result<ObjectSizes, &'static str> {
    const WRONG: &str = "give 4m, 4k-1m, 4k:3,1m:1 or lognormal:1m:0.8:64m";
    let parsed = if let Some(rest) = text.strip_prefix("lognormal:") {
        let parts: Vec<&str> = rest.split(':').collect();
        match parts[..] {
            [median, sigma, most] => match (size(median), sigma.parse(), size(most)) {
                (Some(median), Ok(sigma), Some(most)) => Some(ObjectSizes::LogNormal { median, sigma, most }),
                _ => None,
            },
            _ => None,
        }
    } else if text.contains(':') {
        let entry = |part: &str| {
            let (bytes, weight) = part.split_once(':')?;
            Some((size(bytes)?, weight.parse().ok()?))
        };
        text.split(',').map(entry).collect::<Option<Vec<_>>>().map(ObjectSizes::Weighted)
    } else if let Some((least, most)) = text.split_once('-') {
        size(least).zip(size(most)).map(|(least, most)| ObjectSizes::Range { least, most })
    } else {
        size(text).map(ObjectSizes::Fixed)
    };
    parsed.ok_or(WRONG)
}

fn mix(text: &str) -> Result<ObjectMix, String> {
    let mut mix = ObjectMix::default();
    for part in text.split(',') {
        let (name, weight) = part.split_once('=').unwrap_or((part, ""));
        let operation = ObjectOperation::ALL.into_iter().find(|operation| operation.name() == name.trim());
        let (Some(operation), Ok(weight)) = (operation, weight.trim().parse()) else {
            let names = ObjectOperation::ALL.map(ObjectOperation::name).join("=N,");
            return Err(format!("give weights as {names}=N"));
        };
        *mix.weight_mut(operation) = weight;
    }
    Ok(mix)
}

/// Returns the place that the target names, or the line that says why there is none.
fn place(lang: Lang, target: &str, asked: &AccessRequest, part: Option<u64>) -> Result<ObjectPlace, String> {
    if let Some(pool) = RadosLoad::of_target(target) {
        return Ok(ObjectPlace::Rados(pool));
    }
    if !target.starts_with("s3://") {
        return Err(report::objects::no_target(lang, target));
    }
    let access = find_access(asked, &|name| std::env::var(name).ok())
        .map_err(|error| report::words::objects::access_error(lang, &error))?;
    let bucket = S3Load::of_target(target, access).ok_or_else(|| report::objects::no_target(lang, target))?;
    Ok(ObjectPlace::S3(Box::new(S3Load { part, ..bucket })))
}

impl Arguments {
    /// Returns the load that the arguments order.
    ///
    /// # Errors
    /// The line that says why it cannot be made, and the exit status.
    fn load(self, lang: Lang, seed: u64) -> Result<ObjectLoad, (String, i32)> {
        let target = self.target;
        if let Some(consent) = self.allow_destroy.as_ref().filter(|consent| **consent != target) {
            return Err((report::objects::other_consent(lang, consent, &target), 2));
        }
        let asked = AccessRequest {
            endpoints: self.endpoint,
            region: self.region,
            profile: self.profile,
            insecure: self.insecure,
            unsigned: self.unsigned,
        };
        let place = place(lang, &target, &asked, self.part).map_err(|text| (text, 2))?;
        Ok(ObjectLoad {
            place,
            mix: self.mix,
            sizes: self.sizes,
            prepared: self.objects,
            prefixes: self.prefixes,
            concurrency: self.jobs as usize,
            duration: self.time,
            seed: self.seed.unwrap_or(seed),
            allow_destroy: self.allow_destroy.is_some(),
            gate: None,
        })
    }
}

/// Returns the exit status of a load: 128 after a signal, 1 if a request failed or something was not removed.
fn status(result: &ObjectResult) -> i32 {
    match result.end {
        ObjectEnd::Signal => 128,
        _ => i32::from(result.failed()),
    }
}

/// Runs the load on this host, together with others, and returns its result; or the reason not to begin, and the exit status.
pub fn on_this_host(
    lang: Lang,
    arguments: Arguments,
    place: &HostPlace,
    side: &Arc<AgentSide>,
    interrupt: &Arc<AtomicUsize>,
) -> Result<AgentOutcome, (String, i32)> {
    let mut load = arguments.load(lang, 0)?;
    // Otherwise all hosts would write the same contents.
    load.seed = load.seed.wrapping_add(u64::from(place.number));
    load.gate = Some(side.clone());
    let measured = measure(&load, &|| interrupt.load(Relaxed) != 0, &mut |_| {});
    let failed = |error| (report::words::objects::error(lang, &error), error.exit_code());
    let mut result = measured.map_err(failed)?;
    result.version = env!("CARGO_PKG_VERSION").into();
    let status = status(&result);
    Ok(AgentOutcome::answered(HostAnswer::Objects(Box::new(result)), status, interrupt.load(Relaxed)))
}

/// Prints the result and stores it; returns the exit status, which was `status` before.
fn conclude(
    lang: Lang,
    result: ObjectResult,
    json: bool,
    status: i32,
    store: &dyn Fn(&Answer) -> bool,
) -> i32 {
    print(&if json {
        report::objects::json(&result)
    } else {
        report::objects::render(lang, &result, terminal::width())
    });
    let lost = store(&Answer::Objects(Box::new(result)));
    if status == 0 && lost { output::NOT_WRITTEN } else { status }
}

/// Runs the load on several hosts and returns the exit status; `typed` are the words of the command line.
fn on_hosts(lang: Lang, arguments: &Arguments, typed: &[OsString]) -> i32 {
    let (began_ms, target) = (run::wall_clock::epoch_ms(), &arguments.target);
    let seed = [format!("--seed={began_ms}")];
    let before = if arguments.seed.is_none() { &seed[..] } else { &[] };
    let own = |answer| match answer {
        HostAnswer::Objects(own) => Some(*own),
        _ => None,
    };
    let words = (before, typed);
    let ran = hosts::answers(lang, AgentCommand::Objects, &arguments.hosts, words, arguments.dry_run, own);
    let hosts = match ran {
        Ok(Some(hosts)) => hosts,
        Ok(None) => return 0,
        Err(status) => return status,
    };
    let status = hosts::status(&hosts);
    let names: Vec<String> = hosts.iter().map(|host| host.name.clone()).collect();
    let title = title_of(Path::new(target), &names);
    let Some(result) = ObjectResult::of_hosts(target, hosts) else { return status };
    let store = |answer: &Answer| arguments.store.choice().titled(answer, &title, began_ms, lang);
    conclude(lang, result, arguments.json, status, &store)
}

/// Runs the command and returns the exit status; `typed` are the words of its command line.
pub fn main(lang: Lang, arguments: Arguments, typed: &[OsString]) -> i32 {
    let failed = |(text, status): (String, i32)| {
        eprintln!("fathom objects: {text}");
        status
    };
    let keep = arguments.store.choice();
    if let Err(refused) = keep.may_be_written(lang) {
        return failed(refused);
    }
    if arguments.hosts.is_asked() {
        return on_hosts(lang, &arguments, typed);
    }
    if let Some(switch) = arguments.hosts.without_hosts() {
        return failed((report::hosts::only_with_hosts(lang, switch), 2));
    }
    let (target, json, dry_run) = (PathBuf::from(&arguments.target), arguments.json, arguments.dry_run);
    let began_ms = run::wall_clock::epoch_ms();
    let load = match arguments.load(lang, began_ms) {
        Ok(load) => load,
        Err(refused) => return failed(refused),
    };
    if dry_run {
        print(&report::objects::plan(lang, &load, terminal::width()));
        return 0;
    }
    let interrupt = signal::watch();
    let mut watch = OwnWatch::new(lang);
    let measured = measure(&load, &|| interrupt.load(Relaxed) != 0, &mut |progress| {
        let text = report::objects::measuring(lang, progress);
        watch.progress(&text);
    });
    watch.clear();
    let mut result = match measured {
        Ok(result) => result,
        Err(error) => return failed((report::words::objects::error(lang, &error), error.exit_code())),
    };
    result.version = env!("CARGO_PKG_VERSION").into();
    let status = status(&result);
    conclude(lang, result, json, status, &|answer| keep.answer(answer, &target, began_ms, lang))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_their_four_forms() {
        assert_eq!(sizes("4k"), Ok(ObjectSizes::Fixed(4096)));
        assert_eq!(sizes("4k-1m"), Ok(ObjectSizes::Range { least: 4096, most: 1 << 20 }));
        assert_eq!(sizes("4k:3,1m:1"), Ok(ObjectSizes::Weighted(vec![(4096, 3.0), (1 << 20, 1.0)])));
        let law = ObjectSizes::LogNormal { median: 1 << 20, sigma: 0.8, most: 64 << 20 };
        assert_eq!(sizes("lognormal:1m:0.8:64m"), Ok(law));
        for wrong in ["", "x", "4k-", "4k:", "4k:3,", "lognormal:1m", "lognormal:1m:x:2m", "-1"] {
            assert!(sizes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn weights_are_read_by_the_names_of_operations() {
        let warp = ObjectMix { put: 15, get: 45, stat: 30, delete: 10, list: 0 };
        assert_eq!(mix("put=15,get=45,stat=30,delete=10"), Ok(warp));
        assert_eq!(mix("list=1"), Ok(ObjectMix { list: 1, ..ObjectMix::default() }));
        for wrong in ["", "put", "put=x", "push=1", "put=1,"] {
            assert!(mix(wrong).is_err(), "{wrong}");
        }
    }
}
