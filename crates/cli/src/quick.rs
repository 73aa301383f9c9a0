//! The twenty-second check: `fathom`, `fathom DIR`, `fathom DEVICE`, `fathom FILE`.

use crate::charts::below_loads;
use crate::environment::patience;
use crate::host_switches::HostSwitches;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::prefill::{PrefillMode, before_check};
use crate::run_command::{GRADE_TOO_LOW, RequiredGrade};
use crate::stored::{StoreChoice, provenance};
use crate::{signal, study_hosts, terminal, wear};
use ::report::Lang;
use hosts::StudyCommand;
use lab::host_jobs::JobHosts;
use stats::QuickCaveat;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Switches of the check.
pub struct CheckSwitches {
    /// Whether the result is printed as JSON.
    pub json: bool,
    /// Whether charts are drawn below the card.
    pub charts: bool,
    /// Measuring time.
    pub seconds: Duration,
    /// What happens to unwritten ranges of a file.
    pub prefill: PrefillMode,
    /// The required grade.
    pub required: RequiredGrade,
    /// The full-screen view.
    pub view: ViewSwitch,
    /// The hosts that check the target together.
    pub hosts: HostSwitches,
    /// Whether the commands that start the agents are printed, and nothing is measured.
    pub dry_run: bool,
}

/// Runs the check on `target` and returns the exit status.
pub fn main(lang: Lang, target: PathBuf, asked: CheckSwitches, keep: &StoreChoice) -> i32 {
    if let Err((why, status)) = keep.may_be_written(lang) {
        eprintln!("fathom: {why}");
        return status;
    }
    let hosts = match study_hosts::asked((&asked.hosts, asked.dry_run), StudyCommand::Check, &[], lang) {
        Ok(hosts) => hosts,
        Err(status) => return status,
    };
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let said =
        match hosts.as_ref().map_or_else(|| before_check(lang, &target, asked.prefill), |_| Ok(Vec::new())) {
            Ok(said) => said,
            Err(code) => return code,
        };
    let mut watch = OwnWatch::new(lang).with_view(asked.view);
    let mut context =
        lab::target::JobContext::here(interrupt.clone(), patience(), ::report::words::lab::stored);
    context.scratch_named = crate::live::scratch_named(lang);
    if let Some(hosts) = &hosts {
        context.hosts = Some(hosts.clone());
    }
    let request = lab::quick::QuickRequest { target, measure: asked.seconds, context };
    let began_ms = run::wall_clock::epoch_ms();
    if hosts.is_none() {
        wear::print_scratch(lang, &request);
    }
    let checked = lab::quick::check(&request, &mut watch);
    watch.clear();
    match checked {
        Ok(mut card) => {
            card.version = env!("CARGO_PKG_VERSION").into();
            card.hosts = hosts.as_ref().map(|hosts| hosts.names().to_vec()).unwrap_or_default();
            let target = card.target.clone();
            provenance(&mut card.host, std::iter::once(target.as_str()));
            card.caveats.splice(0..0, said.into_iter().map(QuickCaveat::Text));
            print(&if asked.json {
                ::report::quick::json(&card)
            } else {
                ::report::quick::render(lang, &card, terminal::width())
            });
            if asked.charts {
                print(&below_loads(&stats::Measured::of_check("", &card), lang));
            }
            let lost = keep.check(&card, began_ms, lang);
            // As for a job, 128 means that a signal ended the check early.
            let interrupted = if interrupt.load(Relaxed) == 0 { 0 } else { 128 };
            match interrupted + i32::from(card.rows.iter().any(|row| row.error.is_some())) {
                0 if lost => run::output::NOT_WRITTEN,
                0 if asked.required.fails(card.grade()) => GRADE_TOO_LOW,
                status => status,
            }
        }
        Err(e) => {
            eprintln!("fathom: {}", ::report::words::lab::target_error(lang, &e));
            e.exit_code()
        }
    }
}
