//! `fathom cloud [TARGET]`: the limits of a cloud volume, and whether a target reaches them.

use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::stored::Keep;
use crate::wear::{self, WearLimit};
use crate::{duration, signal, terminal};
use lab::cloud::measure::{may_write, measure};
use lab::cloud::names;
use lab::cloud::recognise::CloudClaims;
use lab::cloud::table::{self, ProviderTable};
use lab::cloud::{CloudRequest, limits};
use lab::target::{JobContext, planned_wear};
use report::Lang;
use run::consent::{Consent, Policy};
use stats::answer::Answer;
use stats::cloud::{CloudLoad, CloudVerdict};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Exit status if the promise of the provider is not kept.
const NOT_KEPT: i32 = 4;
/// Exit status if the verdict is only likely, or the measurement cannot decide.
const NOT_SURE: i32 = 6;

/// What does this cloud volume promise, and does it keep it?
///
/// Computes the limits of volume and instance (AWS, Azure, Google Cloud ...) from their formulas; with a target, measures
/// whether it reaches them.
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory, file, block device or target on a server to measure; without it, only the limits are computed. In a directory, an unnamed
    /// scratch file is written and read
    target: Option<PathBuf>,
    /// Cloud provider, if the machine does not tell it: aws, azure, gcp ...
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// Type of the volume: gp3, premium, pd-ssd ...
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// Size of the volume in GiB (GB where the provider counts in GB): 500, 500G, 0.5T [default: of the target's disk]
    #[arg(long, value_name = "SIZE", value_parser = volume_size)]
    size: Option<f64>,
    /// IOPS that were ordered
    #[arg(long, value_name = "N", value_parser = above_zero)]
    iops: Option<f64>,
    /// Throughput that was ordered, in the provider's unit (MiB/s or MB/s)
    #[arg(long, value_name = "N", value_parser = above_zero)]
    throughput: Option<f64>,
    /// Type of the machine, if the machine does not tell it: m5.large, n2-standard-8 ...
    #[arg(long, value_name = "TYPE")]
    instance: Option<String>,
    /// Number of such volumes that the machine uses together; with a target, of which it is a stripe
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=128))]
    volumes: u32,
    /// Ask the provider's metadata service at its link-local address
    #[arg(long)]
    metadata: bool,
    /// List the providers and types of the tables; with --provider, the types of one
    #[arg(long, conflicts_with_all = ["target", "kind", "size", "iops", "throughput", "instance", "volumes", "metadata"])]
    list: bool,
    /// Longest measuring time; patterns with a clear result end after a quarter of their share
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::measuring)]
    seconds: Duration,
    /// Allow writing to this device or file, which destroys its data
    #[arg(long, value_name = "TARGET")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    #[command(flatten)]
    keep: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    view: ViewSwitch,
}

fn above_zero(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or("give a number above 0, e.g. 500")
}

/// Returns a size in the provider's unit, which `G`, `GB` and `GiB` all mean; `T`, `TB` and `TiB` are 1024 of it.
fn volume_size(text: &str) -> Result<f64, &'static str> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match text[number.len()..].to_ascii_lowercase().as_str() {
        "" | "g" | "gb" | "gib" => 1.0,
        "t" | "tb" | "tib" => 1024.0,
        _ => 0.0,
    };
    let size = above_zero(number.trim_end()).map_or(0.0, |number| number * factor);
    if size > 0.0 { Ok(size) } else { Err("give a size above 0, e.g. 500, 500G or 0.5T") }
}

impl lab::cloud::Progress for OwnWatch {
    fn filling(&mut self) {
        lab::quick::Progress::filling(self);
    }

    fn measuring(&mut self, load: CloudLoad, block: u64, depth: u32) {
        self.what = report::cloud::measuring(self.lang, load, block, depth);
    }
}

/// Runs the command and returns the exit status: 0 if the promise is kept, or only the limits were asked for; 1 if an error
/// ended a job.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let wrong = |error| {
        eprintln!("fathom cloud: {}", report::cloud::error(lang, &error));
        2
    };
    if asked.list {
        let tables: Vec<&ProviderTable> = match &asked.provider {
            None => table::providers().iter().collect(),
            Some(name) => match table::provider(name) {
                Ok(table) => vec![table],
                Err(error) => return wrong(error),
            },
        };
        print(&if asked.json {
            report::cloud::list_json(&tables)
        } else {
            report::cloud::list(lang, &tables, terminal::width())
        });
        return 0;
    }
    let began_ms = run::wall_clock::epoch_ms();
    let interrupt = signal::watch();
    // Azure's names of tiers hold the size.
    let tier = match asked.kind.as_deref().map(|kind| names::tier(kind, asked.size)).transpose() {
        Ok(tier) => tier.flatten(),
        Err(error) => return wrong(error),
    };
    let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    context.consent = Consent::new(Policy::Own, asked.allow_destroy);
    context.allowance = wear::allowance(asked.limit.wear_budget);
    let request = CloudRequest {
        claims: CloudClaims {
            provider: asked.provider.or(tier.map(|_| "azure".to_owned())),
            kind: tier.map(|(kind, _)| kind.to_owned()).or(asked.kind),
            size: tier.map(|(_, size)| size).or(asked.size),
            iops: asked.iops,
            throughput: asked.throughput,
            instance: asked.instance,
            volumes: asked.volumes,
        },
        target: asked.target,
        metadata: asked.metadata,
        measure: asked.seconds,
        context,
    };
    let mut card = match limits(&request) {
        Ok(card) => card,
        Err(error) => return wrong(error),
    };
    card.version = env!("CARGO_PKG_VERSION").into();
    if let Some(target) = &request.target {
        restore_kernel_settings(lang);
        let writes = may_write(target, &request);
        wear::print(lang, &planned_wear(target, writes, asked.seconds.as_secs_f64(), &request.context));
        let mut watch = OwnWatch::new(lang).with_view(asked.view);
        let measured = measure(&mut card, &request, &mut watch);
        watch.clear();
        if let Err(error) = measured {
            eprintln!("fathom cloud: {}", report::words::lab::target_error(lang, &error));
            return error.exit_code();
        }
    }
    print(&if asked.json {
        report::cloud::json(&card)
    } else {
        report::cloud::render(lang, &card, terminal::width())
    });
    if interrupt.load(Relaxed) != 0 {
        return 128;
    }
    let status = match card.verdict() {
        _ if card.error.is_some() => 1,
        None | Some(CloudVerdict::Kept) => 0,
        Some(CloudVerdict::NotKept) => NOT_KEPT,
        Some(CloudVerdict::LikelyKept | CloudVerdict::NotSure | CloudVerdict::LikelyNotKept) => NOT_SURE,
    };
    // Computed limits alone are no result.
    let lost = request.target.as_ref().is_some_and(|target| {
        asked.keep.choice().answer(&Answer::Cloud(Box::new(card)), target, began_ms, lang)
    });
    if lost && status == 0 { run::output::NOT_WRITTEN } else { status }
}

#[cfg(test)]
mod tests {
    use super::volume_size;

    #[test]
    fn size_takes_the_units_of_providers() {
        for (text, size) in [
            ("500", 500.0),
            ("500G", 500.0),
            ("500GB", 500.0),
            ("500 GiB", 500.0),
            ("0.5T", 512.0),
            ("1tib", 1024.0),
        ] {
            assert_eq!(volume_size(text), Ok(size), "{text}");
        }
        for text in ["", "G", "0", "-1G", "500M", "inf", "nan", "5GG", "1e400T"] {
            assert!(volume_size(text).is_err(), "{text}");
        }
    }
}
