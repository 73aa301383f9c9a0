//! Hosts that are behind the others.
//!
//! Method: distance from the median of the other hosts in units of their median absolute deviation (B. Iglewicz, D. Hoaglin, *How
//! to Detect and Handle Outliers*, 1993). The bounds are simulated for each number of hosts.

use super::host::{HostOutcome, ran_the_same};
use super::joined::CommonWindow;
use crate::finding::Finding;
use serde::{Deserialize, Serialize};

/// Host that is behind the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Straggler {
    /// Name of the host.
    pub host: String,
    /// By how much it is behind.
    pub lag: Lag,
    /// Finding of this host, and of fewer than half of the others, that can be the reason; `None` if there is none.
    pub finding: Option<Finding>,
}

/// By how much a host is behind the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Lag {
    /// The host is slower while all hosts run.
    Slower {
        /// Number of the phase, from 0.
        phase: u32,
        /// I/Os per second of the host.
        iops: f64,
        /// Median of the other hosts.
        others_iops: f64,
    },
    /// The host ends later.
    Later {
        /// Time of its end after the common start, seconds.
        done_s: f64,
        /// Median of the other hosts.
        others_done_s: f64,
    },
}

impl Lag {
    /// Returns the difference to the median of the others, percent of that median.
    pub fn percent(&self) -> f64 {
        match self {
            Lag::Slower { iops, others_iops, .. } => 100.0 * (others_iops - iops) / others_iops,
            Lag::Later { done_s, others_done_s } => 100.0 * (done_s - others_done_s) / others_done_s,
        }
    }
}

/// Difference that is never named, as a share of the median.
const LEAST_SHARE: f64 = 0.05;
/// Difference of ends that is never named, seconds: half of the time in which a worker notices its end.
const LEAST_SECONDS: f64 = 0.1;
/// Number of hosts, and the distance from the median of the others, in standard deviations by their median absolute deviation,
/// that the last of so many normally distributed hosts exceeds in one of twenty runs (20,000 simulated runs each).
const BOUNDS: [(usize, f64); 14] = [
    (3, 36.0),
    (5, 10.2),
    (6, 9.6),
    (7, 6.5),
    (8, 6.4),
    (10, 5.2),
    (12, 4.8),
    (15, 4.2),
    (20, 4.0),
    (30, 3.8),
    (50, 3.7),
    (100, 3.7),
    (300, 3.8),
    (1000, 4.0),
];
/// Standard deviation of the normal distribution in units of its median absolute deviation.
const DEVIATIONS: f64 = 1.4826;

/// Returns the hosts that are behind the others: in the windows common to all hosts, or at the end. Lost hosts are left out; none
/// is behind if the hosts ran different jobs.
pub fn stragglers(hosts: &[HostOutcome], windows: &[CommonWindow]) -> Vec<Straggler> {
    if !ran_the_same(hosts) {
        return Vec::new();
    }
    let there: Vec<&HostOutcome> = hosts.iter().filter(|host| host.lost.is_none()).collect();
    let mut found = Vec::new();
    let mut name = |host: &HostOutcome, lag: Lag| {
        let finding = own_reason(host, &there);
        found.push(Straggler { host: host.name.clone(), lag, finding });
    };
    for window in windows {
        let mut rates = Vec::new();
        for host in &there {
            let all = host.result.iter().flat_map(|result| &result.series);
            if let Some(series) = all.into_iter().find(|series| series.phase == window.phase) {
                let own = series.rates_between(window.from_ns, window.to_ns);
                let iops: f64 = own.iter().map(|rate| rate.iops).sum();
                let noise = series.series.half_width_percent().unwrap_or(0.0) / 100.0 * iops;
                rates.push((*host, iops, noise));
            }
        }
        // What is slower has less, what ends later has more.
        let lags: Vec<(f64, f64)> = rates.iter().map(|(_, iops, noise)| (-iops, *noise)).collect();
        for (at, median) in behind(&lags) {
            let (host, iops, _) = rates[at];
            name(host, Lag::Slower { phase: window.phase, iops, others_iops: -median });
        }
    }
    let ends: Vec<(&HostOutcome, f64)> =
        there.iter().filter_map(|host| Some((*host, host.done_ms()? as f64 / 1e3))).collect();
    let lags: Vec<(f64, f64)> = ends.iter().map(|(_, done_s)| (*done_s, LEAST_SECONDS)).collect();
    for (at, median) in behind(&lags) {
        let (host, done_s) = ends[at];
        name(host, Lag::Later { done_s, others_done_s: median });
    }
    found
}

/// Returns the indexes of the values that are larger than the others by more than the spread explains, with the median of the
/// others. Each value has a difference to it that is explained by its own variation. Empty for fewer than three values.
fn behind(values: &[(f64, f64)]) -> Vec<(usize, f64)> {
    let mut sorted: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let Some((_, bound)) = BOUNDS.iter().rev().find(|(hosts, _)| *hosts <= sorted.len()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, (value, noise)) in values.iter().enumerate() {
        let mut others = sorted.clone();
        others.remove(sorted.partition_point(|other| other < value));
        let median = median(&others);
        let least = noise.max(LEAST_SHARE * median.abs());
        // The deviations of a thousand hosts are sorted only for those that may be behind.
        if value - median <= least {
            continue;
        }
        let mut off: Vec<f64> = others.iter().map(|other| (other - median).abs()).collect();
        off.sort_by(f64::total_cmp);
        if value - median > bound * DEVIATIONS * self::median(&off) || unmistakable(*value, &others) {
            found.push((at, median));
        }
    }
    found
}

/// Share of the slowest other host's rate below which a host is behind, whatever the others' spread is.
const UNMISTAKABLE: f64 = 0.5;

/// Returns whether a rate (negative: what is slower has less) is below half of the slowest of the others, or an end after twice the time
/// of the last of them. The spread of few hosts is not known well enough to exclude that otherwise.
fn unmistakable(value: f64, sorted_others: &[f64]) -> bool {
    sorted_others.last().is_some_and(|worst| match value < 0.0 || *worst < 0.0 {
        true => -value < UNMISTAKABLE * -worst,
        false => value * UNMISTAKABLE > *worst,
    })
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    (sorted[middle] + sorted[(sorted.len() - 1) / 2]) / 2.0
}

/// Returns the first finding of the host that makes a run slower and that fewer than half of the other hosts have.
fn own_reason(host: &HostOutcome, all: &[&HostOutcome]) -> Option<Finding> {
    let own = findings(host).iter().find(|own| {
        let kind = std::mem::discriminant(&own.claim);
        let has = |other: &&&HostOutcome| {
            findings(other).iter().any(|theirs| std::mem::discriminant(&theirs.claim) == kind)
        };
        let others = all.iter().filter(|other| other.name != host.name);
        own.claim.slows() && 2 * others.filter(has).count() < all.len() - 1
    });
    own.cloned()
}

fn findings(host: &HostOutcome) -> &[Finding] {
    host.result.as_ref().map_or(&[], |result| &result.findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Claim;
    use crate::hosts::host::HostResult;
    use crate::hosts::joined::{HostSeries, common_window};
    use crate::series::{Series, Window};
    use proptest::prelude::*;
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

    const SECONDS: u64 = 8;

    /// A host with this rate in I/Os per second.
    fn host(number: usize, iops: f64, took_ms: u64, claims: Vec<Claim>) -> HostOutcome {
        let window = Window { nanos: 50_000_000, ios: [(iops / 20.0) as u64, 0, 0], bytes: [0; 3] };
        let mut series = Series::default();
        series.windows = vec![window; 20 * SECONDS as usize];
        let findings = claims.into_iter().map(|claim| Finding::new(String::new(), claim)).collect();
        let series = vec![HostSeries { series, ..HostSeries::default() }];
        let result = HostResult { series, took_ms, findings, ..HostResult::default() };
        HostOutcome { name: format!("h{number}"), result: Some(result), ..HostOutcome::default() }
    }

    fn named(hosts: &[HostOutcome]) -> Vec<Straggler> {
        let series: Vec<&HostSeries> =
            hosts.iter().flat_map(|h| &h.result.as_ref().unwrap().series).collect();
        stragglers(hosts, &[common_window(&series).unwrap()])
    }

    /// Returns about normally distributed numbers from uniform ones (sum of twelve).
    fn normal(uniform: &[f64]) -> f64 {
        uniform.iter().sum::<f64>() - 6.0
    }

    fn draws(hosts: usize) -> impl Strategy<Value = Vec<f64>> {
        prop::collection::vec(prop::collection::vec(0.0..1.0f64, 12).prop_map(|u| normal(&u)), hosts)
    }

    proptest! {
        /// A host that is slowed by half is named, with the median of the others, and no other is, while the others vary by 1 %.
        #[test]
        fn host_that_is_slowed_is_named_with_by_how_much(
            noise in (5usize..40).prop_flat_map(draws),
            which in any::<prop::sample::Index>(),
            share in 0.3..0.7f64,
        ) {
            let slow = which.index(noise.len());
            let rate = |at: usize| 100_000.0 * (1.0 + 0.01 * noise[at]) * if at == slow { share } else { 1.0 };
            let busy = || vec![Claim::CpuContention { waited_percent: 20.0 }];
            let taken = Claim::CpuTakenAway { throttled_ms: 4000, steal_percent: 0.0 };
            let quota = || [busy(), vec![taken.clone()]].concat();
            let hosts: Vec<HostOutcome> =
                (0..noise.len()).map(|at| host(at, rate(at), 8000, if at == slow { quota() } else { busy() })).collect();
            let found = named(&hosts);
            prop_assert_eq!(found.len(), 1, "{:?}", found);
            prop_assert_eq!(&found[0].host, &format!("h{slow}"));
            prop_assert!((found[0].lag.percent() - 100.0 * (1.0 - share)).abs() < 4.0, "{:?}", found[0]);
            // The claim that the others have, too, is of the same rule.
            let reason = found[0].finding.as_ref().map(|finding| &finding.claim);
            prop_assert_eq!(reason, Some(&taken));
        }
    }

    /// Of hosts that differ by chance only, one is named in few runs, also if the spread is far above the least share.
    #[test]
    fn spread_of_equal_hosts_is_not_named() {
        let mut runner =
            TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
        for hosts in [3, 5, 8, 20, 100] {
            let mut runs = 0;
            for _ in 0..200 {
                let noise = draws(hosts).new_tree(&mut runner).unwrap().current();
                let each: Vec<HostOutcome> = noise
                    .iter()
                    .enumerate()
                    .map(|(at, z)| host(at, 100_000.0 * (1.0 + 0.2 * z).max(0.01), 8000, vec![]))
                    .collect();
                runs += usize::from(!named(&each).is_empty());
            }
            // One of twenty is ten of two hundred; twenty are more than three standard deviations above.
            assert!(runs <= 20, "{hosts} hosts: named in {runs} of 200 runs");
        }
    }

    #[test]
    fn host_that_ends_later_is_named_and_a_common_finding_is_no_reason() {
        let busy = || {
            vec![Claim::OtherLoad {
                device: "a".into(),
                device_bytes: [9, 0],
                app_bytes: [1, 0],
                file_system: false,
            }]
        };
        let took = [8000, 8010, 8020, 7990, 8005, 12_000];
        let hosts: Vec<HostOutcome> =
            took.iter().enumerate().map(|(at, ms)| host(at, 1000.0, *ms, busy())).collect();
        let found = named(&hosts);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].host.as_str(), &found[0].finding), ("h5", &None));
        assert_eq!(found[0].lag, Lag::Later { done_s: 12.0, others_done_s: 8.005 });
    }
}
