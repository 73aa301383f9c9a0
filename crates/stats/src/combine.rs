//! Combination of concurrent jobs into one load: rates are summed, latencies are those of all I/Os. A figure that
//! cannot be combined, such as a percentile without histogram, is left out and never averaged.

use crate::direction::Direction;
use crate::estimate::Estimate;
use crate::histogram::Histogram;
use crate::measured::{Flow, Measured, Quantile, Spread};
use crate::outcome::LatencyRanges;

/// Returns concurrent jobs as one load, with the name and conditions of the first. `None` without jobs.
pub fn combine_jobs(jobs: &[Measured]) -> Option<Measured> {
    let first = jobs.first()?;
    if jobs.len() == 1 {
        return Some(first.clone());
    }
    let flow = |direction: Direction| {
        let flows = || jobs.iter().flat_map(|j| &j.flows).filter(move |f| f.direction == direction);
        let spread = |pick: fn(&Flow) -> Option<&Spread>| spread(flows().filter_map(pick));
        let sum = |pick: fn(&Flow) -> f64| flows().map(pick).sum::<f64>();
        let value = sum(|f| f.iops.value);
        // The rates of concurrent jobs are correlated, so their intervals give no interval of the sum.
        flows().next().map(|_| Flow {
            direction,
            ios: flows().fold(0, |n, f| n.saturating_add(f.ios)),
            bytes: flows().fold(0, |n, f| n.saturating_add(f.bytes)),
            iops: Estimate { value, low: value, high: value },
            bytes_per_second: sum(|f| f.bytes_per_second),
            slat: spread(|f| f.slat.as_ref()),
            clat: spread(|f| f.clat.as_ref()),
            lat: spread(|f| f.lat.as_ref()),
            sync: spread(|f| f.sync.as_ref()),
            commit: spread(|f| f.commit.as_ref()),
        })
    };
    let cpu: Vec<[f64; 2]> = jobs.iter().filter_map(|j| j.cpu_percent).collect();
    let share = |which: usize| cpu.iter().map(|c| c[which]).sum::<f64>() / cpu.len() as f64;
    Some(Measured {
        jobs: jobs.iter().fold(0, |n: u32, j| n.saturating_add(j.jobs.max(1))),
        began_ms: jobs.iter().map(|j| j.began_ms).min().unwrap_or(0),
        seconds: jobs.iter().map(|j| j.seconds).fold(0.0, f64::max),
        flows: Direction::ALL.into_iter().filter_map(flow).collect(),
        cpu_percent: (!cpu.is_empty()).then(|| [share(0), share(1)]),
        findings: jobs.iter().flat_map(|j| j.findings.clone()).collect(),
        series: None,
        ranges: ranges(&jobs.iter().map(|j| (ios(j), j.ranges)).collect::<Vec<_>>()),
        ..first.clone()
    })
}

fn ios(job: &Measured) -> f64 {
    job.flows.iter().map(|f| f.ios as f64).sum()
}

/// Returns the distribution of the latencies of all I/Os of several jobs; `None` without I/Os.
fn spread<'a>(of: impl Iterator<Item = &'a Spread>) -> Option<Spread> {
    let of: Vec<&Spread> = of.filter(|s| s.n > 0).collect();
    if of.len() < 2 {
        return of.first().map(|s| (*s).clone());
    }
    let n = of.iter().fold(0u64, |n, s| n.saturating_add(s.n));
    let count = |s: &Spread| s.n as f64;
    let mean = of.iter().map(|s| s.mean_ns * count(s)).sum::<f64>() / n as f64;
    // Deviations are of samples (over n - 1), as fio has them.
    let squares = |s: &Spread| s.stddev_ns.powi(2) * (count(s) - 1.0) + count(s) * (s.mean_ns - mean).powi(2);
    let squares: f64 = of.iter().map(|s| squares(s)).sum();
    let histogram = of.iter().map(|s| s.histogram.as_ref()).collect::<Option<Vec<_>>>().map(|all| {
        let mut sum = Histogram::default();
        all.into_iter().for_each(|h| sum.merge(h));
        sum
    });
    // The percentiles of the jobs, computed from the histogram of all I/Os.
    let min_ns = of.iter().map(|s| s.min_ns).fold(f64::INFINITY, f64::min);
    let max_ns = of.iter().map(|s| s.max_ns).fold(0.0, f64::max);
    let quantile = |h: &Histogram, percent: f64| {
        h.quantile(percent).map(|ns| Quantile {
            percent,
            ns: (ns as f64).max(min_ns).min(max_ns),
            between: None,
        })
    };
    let quantiles = histogram
        .iter()
        .flat_map(|h| of[0].quantiles.iter().filter_map(|q| quantile(h, q.percent)).collect::<Vec<_>>());
    Some(Spread {
        n,
        min_ns,
        mean_ns: mean,
        max_ns,
        stddev_ns: (squares / (n as f64 - 1.0)).sqrt(),
        quantiles: quantiles.collect(),
        ranges: ranges(&of.iter().map(|s| (count(s), s.ranges)).collect::<Vec<_>>()),
        histogram,
    })
}

/// Returns the latency ranges of all I/Os, percent: the mean of the jobs' shares weighted by their I/Os. `None` if a
/// job has no ranges.
fn ranges(of: &[(f64, Option<LatencyRanges>)]) -> Option<LatencyRanges> {
    let whole: f64 = of.iter().map(|(n, _)| n).sum();
    let all: Vec<(f64, LatencyRanges)> =
        of.iter().map(|(n, r)| r.map(|r| (n / whole, r))).collect::<Option<_>>()?;
    let sum = |pick: &dyn Fn(&LatencyRanges) -> f64| all.iter().map(|(w, r)| w * pick(r)).sum::<f64>();
    (whole > 0.0).then(|| LatencyRanges {
        ns: std::array::from_fn(|at| sum(&|r| r.ns[at])),
        us: std::array::from_fn(|at| sum(&|r| r.us[at])),
        ms: std::array::from_fn(|at| sum(&|r| r.ms[at])),
        below_2_us: sum(&|r| r.below_2_us),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job(latencies: &[u64], whole: bool) -> Measured {
        let n = latencies.len() as f64;
        let mean = latencies.iter().sum::<u64>() as f64 / n;
        let squares: f64 = latencies.iter().map(|l| (*l as f64 - mean).powi(2)).sum();
        let mut histogram = Histogram::default();
        latencies.iter().for_each(|l| histogram.record(*l, 1));
        let quantile = |percent: f64| Quantile {
            percent,
            ns: (histogram.quantile(percent).unwrap_or(0) as f64)
                .max(latencies.iter().copied().min().unwrap_or(0) as f64)
                .min(latencies.iter().copied().max().unwrap_or(0) as f64),
            between: None,
        };
        let spread = Spread {
            n: latencies.len() as u64,
            min_ns: latencies.iter().copied().min().unwrap_or(0) as f64,
            mean_ns: mean,
            max_ns: latencies.iter().copied().max().unwrap_or(0) as f64,
            stddev_ns: (squares / (n - 1.0)).sqrt(),
            quantiles: [50.0, 99.0].map(quantile).to_vec(),
            histogram: whole.then_some(histogram),
            ranges: None,
        };
        let iops = Estimate { value: n, low: n, high: n };
        let flow = Flow {
            ios: latencies.len() as u64,
            bytes: 7,
            iops,
            bytes_per_second: 7.0,
            clat: Some(spread),
            ..Flow::default()
        };
        Measured { jobs: 1, seconds: 1.0, flows: vec![flow], ..Measured::default() }
    }

    #[test]
    fn percentiles_that_only_each_job_has_are_none_of_all() {
        let (fast, slow) = (vec![100; 1000], vec![1_000_000; 10]);
        let one = combine_jobs(&[job(&fast, false), job(&slow, false)]).unwrap();
        let clat = one.flows[0].clat.as_ref().unwrap();
        assert!(clat.quantiles.is_empty() && clat.histogram.is_none());
        assert_eq!((one.jobs, one.flows[0].ios, one.flows[0].iops.value), (2, 1010, 1010.0));
        // The average of the two 99th percentiles is 500 us; of 1010 I/Os 99 % took 100 ns.
        let one = combine_jobs(&[job(&fast, true), job(&slow, true)]).unwrap();
        assert_eq!(one.flows[0].clat.as_ref().unwrap().quantiles[1].ns, 100.0);
    }

    proptest! {
        #[test]
        fn together_is_as_if_one_job_had_done_all(a in prop::collection::vec(0u64..1 << 30, 2..80), b in prop::collection::vec(0u64..1 << 30, 2..80)) {
            let two = combine_jobs(&[job(&a, true), job(&b, true)]).unwrap();
            let one = job(&[a, b].concat(), true);
            let (two, one) = (two.flows[0].clat.clone().unwrap(), one.flows[0].clat.clone().unwrap());
            prop_assert!((two.mean_ns - one.mean_ns).abs() <= 1e-9 * one.mean_ns);
            prop_assert!((two.stddev_ns - one.stddev_ns).abs() <= 1e-6 * one.stddev_ns + 1e-6);
            prop_assert_eq!((two.min_ns, two.max_ns, two.quantiles, two.histogram), (one.min_ns, one.max_ns, one.quantiles, one.histogram));
        }
    }
}
