//! `fathom fit [PROFILE] [TARGET]`: whether a target is good enough for a workload.

use crate::environment::patience;
use crate::host_switches::HostSwitches;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::stored::Keep;
use crate::study_hosts;
use crate::wear::{self, WearLimit};
use crate::{duration, signal, terminal};
use hosts::StudyCommand;
use lab::fit::profile::{FitProfile, ProfileError, ProfileJob, own_directory};
use lab::fit::{FitRequest, fit};
use lab::host_jobs::JobHosts;
use lab::target::{JobContext, planned_wear};
use report::Lang;
use run::consent::{Consent, Policy};
use stats::answer::Answer;
use stats::fit::{FitCard, FitVerdict};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Exit status if the target is not good enough.
const NO: i32 = 4;
/// Exit status if the measurement cannot decide.
const NOT_SURE: i32 = 6;

/// Is this disk good enough for etcd, PostgreSQL, Kafka, Ceph ...?
///
/// Without arguments, the workloads are listed.
#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the workload in the list, or `all`
    profile: Option<String>,
    /// Directory, file, block device, or target on a server (rbd:POOL/IMAGE ..., docs/network.md). In a directory, an unnamed scratch file is written and read
    #[arg(default_value = ".")]
    target: PathBuf,
    /// Size of the workload, in the unit that the list names: commits per second, streams, users
    #[arg(long, value_name = "N", value_parser = above_zero, visible_aliases = ["clients", "commits", "streams", "users"])]
    scale: Option<f64>,
    /// Longest measuring time of a workload; a certain verdict ends it after a quarter
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::measuring)]
    seconds: Duration,
    /// Allow writing to this device or file, which destroys its data
    #[arg(long, value_name = "TARGET")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    #[command(flatten)]
    keep: Keep,
    /// Print the result as JSON; an array with `all`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    view: ViewSwitch,
    #[command(flatten)]
    hosts: HostSwitches,
    /// With --hosts: print the commands that start the agents, and measure nothing
    #[arg(long)]
    dry_run: bool,
}

fn above_zero(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|n: &f64| n.is_finite() && *n > 0.0);
    number.ok_or("give a number above 0, e.g. 500")
}

impl lab::fit::Progress for OwnWatch {
    fn filling(&mut self) {
        lab::quick::Progress::filling(self);
    }

    fn measuring(&mut self, job: &str) {
        job.clone_into(&mut self.what);
    }
}

/// Runs the command and returns the exit status: 0 if the target is good enough.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let own = own_directory();
    let Some(name) = &asked.profile else {
        let all = FitProfile::all(own.as_deref());
        print(&match asked.json {
            true => report::fit::list_json(&all),
            false => report::fit::list(lang, &all, terminal::width()),
        });
        return 0;
    };
    let all = name == "all";
    let found =
        if all { FitProfile::all(own.as_deref()) } else { vec![FitProfile::find(name, own.as_deref())] };
    let mut profiles = Vec::new();
    for profile in found {
        match profile {
            Ok(profile) => profiles.push(profile),
            Err(error) => {
                let text = match &error {
                    // The first argument is the profile, also where only a target is given.
                    ProfileError::Unknown { name, .. } if Path::new(name).exists() => {
                        report::fit::target_as_profile(lang, name)
                    }
                    error => report::fit::profile_error(lang, error),
                };
                eprintln!("fathom fit: {text}");
                return 2;
            }
        }
    }
    if asked.scale.is_some() && !all && profiles.iter().all(|profile| profile.scale.is_none()) {
        eprintln!("fathom fit: {}", report::fit::no_scale(lang, name));
        return 2;
    }
    let hosts = match study_hosts::asked(
        (&asked.hosts, asked.dry_run),
        StudyCommand::Fit,
        &asked.allow_destroy,
        lang,
    ) {
        Ok(hosts) => hosts,
        Err(status) => return status,
    };
    if hosts.is_some() && asked.limit.wear_budget.is_some() {
        eprintln!("fathom fit: {}", report::hosts::not_with_study(lang, "--wear-budget"));
        return 2;
    }
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let mut watch = OwnWatch::new(lang).with_view(asked.view);
    let began_ms = run::wall_clock::epoch_ms();
    let mut cards: Vec<FitCard> = Vec::new();
    let allowance = wear::allowance(asked.limit.wear_budget);
    for profile in profiles {
        let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
        context.scratch_named = crate::live::scratch_named(lang);
        context.consent = Consent::new(Policy::Own, asked.allow_destroy.clone()).of_named_devices();
        context.allowance = allowance.clone();
        let writes = profile.jobs.iter().any(ProfileJob::writes);
        let time = asked.seconds.as_secs_f64();
        match &hosts {
            None => wear::print(lang, &planned_wear(&asked.target, writes, time, &context)),
            Some(hosts) => {
                hosts.will_write(writes);
                context.hosts = Some(hosts.clone());
            }
        }
        let scale = asked.scale.filter(|_| !all && profile.scale.is_some());
        let request =
            FitRequest { target: asked.target.clone(), profile, scale, measure: asked.seconds, context };
        let fitted = fit(&request, &mut watch);
        watch.clear();
        match fitted {
            Ok(mut card) => {
                card.version = env!("CARGO_PKG_VERSION").into();
                card.hosts = hosts.as_ref().map(|hosts| hosts.names().to_vec()).unwrap_or_default();
                cards.push(card);
            }
            Err(error) => {
                eprintln!("fathom fit: {}", report::words::lab::target_error(lang, &error));
                return error.exit_code();
            }
        }
        if interrupt.load(Relaxed) != 0 {
            break;
        }
    }
    print(&match cards.as_slice() {
        [card] if !all && asked.json => report::fit::json(card),
        [card] if !all => report::fit::render(lang, card, terminal::width()),
        cards if asked.json => report::fit::json_of(cards),
        cards => report::fit::table_of(lang, cards, terminal::width()),
    });
    if interrupt.load(Relaxed) != 0 {
        return 128;
    }
    let verdict = cards.iter().map(FitCard::verdict).max();
    let failed = cards.iter().any(|card| card.error.is_some());
    let lost = asked.keep.choice().answer(&Answer::Fit(cards), &asked.target, began_ms, lang);
    status(verdict, failed, lost)
}

/// Returns the exit status of the worst verdict, which is that of `all`, too; `failed`: an error ended a job; `lost`: the
/// answer could not be stored.
fn status(verdict: Option<FitVerdict>, failed: bool, lost: bool) -> i32 {
    match verdict {
        _ if failed => 1,
        Some(FitVerdict::Yes) if lost => run::output::NOT_WRITTEN,
        Some(FitVerdict::Yes) => 0,
        Some(FitVerdict::No) => NO,
        _ => NOT_SURE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The workloads of `all` have the status of the worst verdict among them.
    #[test]
    fn status_is_that_of_the_worst_verdict() {
        use FitVerdict::{No, NotSure, Yes};
        let of = |verdicts: &[FitVerdict]| status(verdicts.iter().copied().max(), false, false);
        assert_eq!((of(&[Yes, Yes]), of(&[Yes, NotSure]), of(&[No, NotSure, Yes])), (0, NOT_SURE, NO));
        assert_eq!(status(Some(Yes), false, true), run::output::NOT_WRITTEN);
        assert_eq!(status(Some(No), false, true), NO);
        assert_eq!((status(Some(NotSure), true, false), status(Some(Yes), true, false)), (1, 1));
    }
}
