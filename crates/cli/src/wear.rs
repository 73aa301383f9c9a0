//! `--wear-budget`, and the lines about the wear of flash drives before a test that writes.

use lab::quick::QuickRequest;
use lab::target::planned_wear;
use report::Lang;
use run::wear::WriteAllowance;
use stats::wear::{DriveWear, WearBudget};
use std::sync::Arc;

/// Switch of the commands that write.
#[derive(clap::Args, Clone, Copy)]
pub struct WearLimit {
    /// Write at most this amount (10G), or this share of the drive's rated endurance (0.1%)
    #[arg(long, value_name = "BYTES|PERCENT%", value_parser = budget)]
    pub wear_budget: Option<WearBudget>,
}

fn budget(text: &str) -> Result<WearBudget, &'static str> {
    job::wear_budget(text).ok_or("give bytes, as 10G, or a percentage, as 0.1%")
}

/// Returns the allowance that all writes of the command share; `None` without a budget.
pub fn allowance(budget: Option<WearBudget>) -> Option<Arc<WriteAllowance>> {
    budget.map(|budget| Arc::new(WriteAllowance::new(budget)))
}

/// Returns the lines about these writes.
pub fn lines(lang: Lang, wear: &[DriveWear]) -> Vec<String> {
    wear.iter().map(|wear| format!("fathom: {}", report::words::wear::planned(lang, wear))).collect()
}

/// Prints the lines about a check, which writes only in a directory.
pub fn print_scratch(lang: Lang, asked: &QuickRequest) {
    let (target, time) = (&asked.target, asked.measure.as_secs_f64());
    print(lang, &planned_wear(target, target.is_dir(), time, &asked.context));
}

/// Prints the lines about these writes on standard error.
pub fn print(lang: Lang, wear: &[DriveWear]) {
    lines(lang, wear).iter().for_each(|line| eprintln!("{line}"));
}
