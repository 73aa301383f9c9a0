//! Rates of several hosts on one clock.

use super::host::HostRate;
use crate::series::{Series, Window};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Rate over time of a host in one phase, on the clock of all hosts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostSeries {
    /// Name of the job, if the phase had only one; otherwise empty.
    pub name: String,
    /// Number of the phase, from 0.
    pub phase: u32,
    /// Beginning of the first window, nanoseconds after the common start of the first phase.
    pub began_ns: i64,
    /// Windows in which all workers of the host did I/O.
    pub series: Series,
}

/// I/Os of three directions, then their bytes.
type Counts = [u64; 6];

fn counts(window: &Window) -> Counts {
    let ([a, b, c], [d, e, f]) = (window.ios, window.bytes);
    [a, b, c, d, e, f]
}

impl HostSeries {
    /// Returns the end of the last window, nanoseconds after the common start of the first phase.
    pub fn ended_ns(&self) -> i64 {
        let nanos: u64 = self.series.windows.iter().map(|window| window.nanos).sum();
        self.began_ns.saturating_add_unsigned(nanos)
    }

    /// Returns the counts up to each of these ascending times. A window across a time counts in proportion, rounded down.
    fn up_to(&self, times: impl Iterator<Item = i64>) -> impl Iterator<Item = Counts> {
        let mut windows = self.series.windows.iter();
        let mut now = windows.next();
        let (mut from_ns, mut before) = (self.began_ns, Counts::default());
        times.map(move |time| {
            while let Some(window) =
                now.filter(|window| from_ns.saturating_add_unsigned(window.nanos) <= time)
            {
                from_ns = from_ns.saturating_add_unsigned(window.nanos);
                before.iter_mut().zip(counts(window)).for_each(|(sum, more)| *sum += more);
                now = windows.next();
            }
            let Some((window, part)) = now.zip(u64::try_from(time - from_ns).ok().filter(|part| *part > 0))
            else {
                return before;
            };
            let mut sum = before;
            for (sum, count) in sum.iter_mut().zip(counts(window)) {
                *sum += (u128::from(count) * u128::from(part) / u128::from(window.nanos)) as u64;
            }
            sum
        })
    }

    /// Returns the rates between two times, [read, write, trim].
    pub fn rates_between(&self, from_ns: i64, to_ns: i64) -> [HostRate; 3] {
        let mut edges = self.up_to([from_ns, to_ns].into_iter());
        let (first, last) = (edges.next().unwrap_or_default(), edges.next().unwrap_or_default());
        let seconds = (to_ns - from_ns).max(1) as f64 / 1e9;
        std::array::from_fn(|d| {
            let [ios, bytes] = [d, d + 3].map(|at| last[at] - first[at]);
            HostRate { ios, iops: ios as f64 / seconds, bytes_per_second: bytes as f64 / seconds }
        })
    }
}

/// Time in which all hosts ran at once in one phase, and their rates in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommonWindow {
    /// Name of the job, if the phase had only one; otherwise empty.
    pub name: String,
    /// Number of the phase, from 0.
    pub phase: u32,
    /// Time at which the last host began, nanoseconds after the common start of the first phase.
    pub from_ns: i64,
    /// Time at which the first host ended, nanoseconds after the common start of the first phase.
    pub to_ns: i64,
    /// Number of hosts.
    pub hosts: u32,
    /// Rates of the hosts together, [read, write, trim].
    pub rates: [HostRate; 3],
}

/// Returns the time in which all of these hosts ran, with their summed rates; `None` without such a time.
pub fn common_window(hosts: &[&HostSeries]) -> Option<CommonWindow> {
    let from_ns = hosts.iter().map(|host| host.began_ns).max()?;
    let to_ns = hosts.iter().map(|host| host.ended_ns()).min().filter(|to| *to > from_ns)?;
    let mut rates = [HostRate::default(); 3];
    for host in hosts {
        for (sum, own) in rates.iter_mut().zip(host.rates_between(from_ns, to_ns)) {
            sum.ios += own.ios;
            sum.iops += own.iops;
            sum.bytes_per_second += own.bytes_per_second;
        }
    }
    let (name, phase) = (hosts[0].name.clone(), hosts[0].phase);
    Some(CommonWindow { name, phase, from_ns, to_ns, hosts: hosts.len() as u32, rates })
}

/// Sum of the rates of the hosts over time in one phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JoinedSeries {
    /// Name of the job, if the phase had only one; otherwise empty.
    pub name: String,
    /// Number of the phase, from 0.
    pub phase: u32,
    /// Beginning of the first window, nanoseconds after the common start of the first phase.
    pub began_ns: i64,
    /// By how much the times of a host may be wrong, nanoseconds: the largest uncertainty of the clocks.
    pub uncertainty_ns: u64,
    /// Number of hosts that ran in the middle of each window.
    pub hosts: Vec<u32>,
    /// Sums over the hosts. Windows of hosts that lie across the end of a window count in proportion in both; no I/O is lost.
    pub series: Series,
}

impl JoinedSeries {
    /// Returns the windows that lie between two times.
    pub fn within(&self, from_ns: i64, to_ns: i64) -> Series {
        let mut at_ns = self.began_ns;
        let inside = |window: &&Window| {
            let begin_ns = at_ns;
            at_ns = begin_ns.saturating_add_unsigned(window.nanos);
            from_ns <= begin_ns && at_ns <= to_ns
        };
        let mut within = Series::with(Duration::from_nanos(self.series.period));
        within.windows = self.series.windows.iter().filter(inside).copied().collect();
        within
    }
}

/// Returns the sum of the hosts' series of one phase; `None` without windows.
pub fn join(hosts: &[&HostSeries], uncertainty_ns: u64) -> Option<JoinedSeries> {
    /// Largest number of windows.
    const MOST: u64 = 512;
    let began_ns = hosts.iter().map(|host| host.began_ns).min()?;
    let ended_ns = hosts.iter().map(|host| host.ended_ns()).max()?;
    let length_ns = ended_ns.abs_diff(began_ns);
    let period = hosts.iter().map(|host| host.series.period).max()?.max(length_ns.div_ceil(MOST)).max(1);
    let number = length_ns.div_ceil(period);
    let edge = |at: u64| began_ns.saturating_add_unsigned((at * period).min(length_ns));
    let mut sums = vec![Counts::default(); number as usize + 1];
    let mut running = vec![0; number as usize];
    for host in hosts {
        for (sum, own) in sums.iter_mut().zip(host.up_to((0..=number).map(edge))) {
            sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let runs = host.began_ns..host.ended_ns();
        for (at, count) in running.iter_mut().enumerate() {
            let (from, to) = (edge(at as u64), edge(at as u64 + 1));
            *count += u32::from(runs.contains(&(from + (to - from) / 2)));
        }
    }
    let windows = sums.windows(2).zip(0..).map(|(pair, at)| {
        let grown = |first: usize| std::array::from_fn(|d| pair[1][first + d] - pair[0][first + d]);
        Window { nanos: edge(at + 1).abs_diff(edge(at)), ios: grown(0), bytes: grown(3) }
    });
    let mut series = Series::with(Duration::from_nanos(period));
    series.windows = windows.collect();
    let (name, phase) = (hosts[0].name.clone(), hosts[0].phase);
    (number > 0).then_some(JoinedSeries { name, phase, began_ns, uncertainty_ns, hosts: running, series })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A host whose rate is constant in pieces: (nanoseconds, I/Os per second of reads), sampled in windows of any length.
    fn host(began_ns: i64, pieces: &[(u64, u64)], cuts: &[u64]) -> HostSeries {
        let length: u64 = pieces.iter().map(|(nanos, _)| nanos).sum();
        let done = |time: u64| {
            let (mut left, mut ios) = (time, 0u128);
            for (nanos, rate) in pieces {
                ios += u128::from(left.min(*nanos)) * u128::from(*rate);
                left = left.saturating_sub(*nanos);
            }
            (ios / 1_000_000_000) as u64
        };
        let mut series = Series::default();
        let (mut from, mut turn) = (0, cuts.iter().cycle());
        while from < length {
            let to = (from + turn.next().unwrap()).min(length);
            let ios = done(to) - done(from);
            series.windows.push(Window { nanos: to - from, ios: [ios, 0, 0], bytes: [4096 * ios, 0, 0] });
            from = to;
        }
        series.period = cuts.iter().copied().max().unwrap();
        HostSeries { began_ns, series, ..HostSeries::default() }
    }

    const SECOND: u64 = 1_000_000_000;

    proptest! {
        /// The summed rate in the common window is that of the rates from which the series were made; the answer is computed from
        /// the rates, not from windows. The joined series has every I/O.
        #[test]
        fn rate_in_the_common_window_is_the_sum_of_the_true_rates(
            hosts in prop::collection::vec((0..SECOND, 2 * SECOND..6 * SECOND, 1_000u64..1_000_000), 2..8),
            cuts in prop::collection::vec(10_000_000u64..60_000_000, 1..9),
        ) {
            let made: Vec<HostSeries> =
                hosts.iter().map(|(began, length, rate)| host(*began as i64, &[(*length, *rate)], &cuts)).collect();
            let parts: Vec<&HostSeries> = made.iter().collect();
            let found = common_window(&parts).unwrap();
            let (from, to) = (hosts.iter().map(|h| h.0).max().unwrap(), hosts.iter().map(|h| h.0 + h.1).min().unwrap());
            prop_assert_eq!((found.from_ns, found.to_ns), (from as i64, to as i64));
            let truth: u64 = hosts.iter().map(|h| h.2).sum();
            // Each host's counts are whole I/Os: two windows and two ends round by less than one each.
            let seconds = (to - from) as f64 / 1e9;
            prop_assert!((found.rates[0].iops - truth as f64).abs() <= 4.0 * hosts.len() as f64 / seconds);
            let joined = join(&parts, 7).unwrap();
            let all = |series: &Series| series.windows.iter().fold(Window::default(), |sum, w| sum.plus(w));
            let sum = made.iter().map(|host| all(&host.series)).fold(Window::default(), |sum, w| sum.plus(&w));
            prop_assert_eq!((all(&joined.series).ios, all(&joined.series).bytes), (sum.ios, sum.bytes));
            prop_assert!(joined.series.windows.len() <= 512 && joined.uncertainty_ns == 7);
            for (at, window) in joined.series.windows.iter().enumerate() {
                let time = joined.began_ns as u64 + at as u64 * joined.series.period;
                let inside = |h: &&(u64, u64, u64)| h.0 <= time && time + window.nanos <= h.0 + h.1;
                let outside = |h: &&(u64, u64, u64)| time + window.nanos <= h.0 || h.0 + h.1 <= time;
                if hosts.iter().all(|h| inside(&h) || outside(&h)) {
                    let truth: u64 = hosts.iter().filter(inside).map(|h| h.2).sum();
                    let seconds = window.nanos as f64 / 1e9;
                    prop_assert!((window.iops() - truth as f64).abs() <= 4.0 * hosts.len() as f64 / seconds);
                    prop_assert_eq!(joined.hosts[at] as usize, hosts.iter().filter(inside).count());
                }
            }
        }
    }

    /// A rate that changes is cut at the right place: the first host doubles its rate after the first end of the second.
    #[test]
    fn rates_outside_the_common_window_do_not_count() {
        let cuts = [50_000_000];
        let one = host(0, &[(4 * SECOND, 1000), (4 * SECOND, 2000)], &cuts);
        let other = host(SECOND as i64, &[(3 * SECOND, 500)], &cuts);
        let found = common_window(&[&one, &other]).unwrap();
        assert_eq!((found.from_ns, found.to_ns), (SECOND as i64, 4 * SECOND as i64));
        assert_eq!((found.rates[0].ios, found.rates[0].iops), (4500, 1500.0));
        assert_eq!(
            common_window(&[&host(0, &[(SECOND, 1)], &cuts), &host(SECOND as i64, &[(SECOND, 1)], &cuts)]),
            None
        );
    }
}
