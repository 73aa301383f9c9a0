//! Sweeps of simulated devices in virtual time: rates and latencies that follow from the device's law, intervals that
//! hold them, the offered-rate curve beside M/D/k theory, and sweeps that go on.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod quiet;

use lab::explore::job_runner::JobRunner;
use lab::explore::runner::{Journal, NoJournal};
use lab::sweep::sweep;
use lab::target::JobContext;
use quiet::Quiet;
use stats::study::{Access, Point, Study, StudyAsked};
use stats::sweep::{Arrivals, SweepAsked, SweepCell, SweepRow, SweepTable, rows};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

fn context() -> JobContext {
    JobContext::here(Arc::new(AtomicUsize::new(0)), Duration::from_secs(30), ToString::to_string)
}

fn cell(iodepth: u32, numjobs: u32, runtime_s: f64) -> SweepCell {
    let access = Access { rw: "randread".into(), bs: 4096, ..Access::default() };
    SweepCell { access, iodepth, numjobs, runtime_s, percent: None }
}

fn asked(device: &str, cells: Vec<SweepCell>, repeats: u32, seed: u64) -> Study {
    let sweep = SweepAsked { cells, repeats, ramp_s: 0.5, ..SweepAsked::default() };
    let targets = vec![format!("model:{device}")];
    let asked =
        StudyAsked { targets, seed, engine: "model".into(), sweep: Some(sweep), ..StudyAsked::default() };
    Study { asked, ..Study::default() }
}

fn goes_on(study: Study, context: JobContext, journal: &mut dyn Journal) -> Study {
    let mut quiet = Quiet;
    let (mut runner, targets) = JobRunner::open(&study.asked.targets.clone(), context, &mut quiet).unwrap();
    if study.asked.sweep.as_ref().is_some_and(|asked| asked.arrivals == Arrivals::Uniform) {
        runner.add_options(&["--rate_process=linear".into()]);
    }
    sweep(Study { targets, ..study }, &mut runner, journal)
}

fn rows_of(study: Study) -> Vec<SweepRow> {
    let done = goes_on(study, context(), &mut NoJournal);
    assert!(done.complete, "{:?}", done.unanswered);
    rows(&done)
}

/// Draws numbers from a seed.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

const LAWS: [&str; 4] = ["constant", "exponential", "uniform", "two-point"];

/// Returns a device of `servers` servers with a law of this mean service time.
fn device(law: &str, servers: u64, mean_us: u64) -> String {
    let law = match law {
        "constant" => format!("constant:{mean_us}us"),
        "exponential" => format!("exponential:{mean_us}us"),
        "uniform" => format!("uniform:{}us-{}us", mean_us / 2, 2 * mean_us - mean_us / 2),
        // Nine in ten take half, one takes 5.5 times the mean.
        _ => format!("mixture:90/{}ns:10/{}ns", 500 * mean_us, 5500 * mean_us),
    };
    format!("servers={servers};law={law}")
}

/// Rows of a law whose interval holds the true rate.
#[derive(Default)]
struct Held {
    rows: usize,
    rates: usize,
    latencies: usize,
    width: f64,
}

/// Sweeps drawn devices until each law has `least` rows.
fn coverage(seed: u64, least: usize, repeats: &[u32], runtime_s: f64) -> Vec<(&'static str, u32, Held)> {
    let mut draws = Draws(seed);
    let mut all = Vec::new();
    for law in LAWS {
        for &repeats in repeats {
            let mut held = Held::default();
            while held.rows < least {
                let (servers, mean_us) = (draws.of(&[1, 2, 4, 7, 16]), 500 + draws.below(4000));
                let cells: Vec<SweepCell> = [(1, 1), (2, 1), (4, 1), (3, 2), (16, 1), (8, 4)]
                    .map(|(depth, jobs)| cell(depth, jobs, runtime_s))
                    .to_vec();
                let found = rows_of(asked(
                    &device(law, servers, mean_us),
                    cells.clone(),
                    repeats,
                    draws.below(1 << 30),
                ));
                for row in found {
                    let in_flight = u64::from(cells[row.cell].in_flight());
                    let truth = in_flight.min(servers) as f64 / (mean_us as f64 / 1e6);
                    let latency = in_flight as f64 / truth * 1e9;
                    held.rows += 1;
                    held.rates += usize::from(row.iops.holds(truth));
                    held.latencies += usize::from(
                        row.mean_ns.holds(latency) || (row.mean_ns.value / latency - 1.0).abs() < 1e-3,
                    );
                    held.width += row.iops.half_percent();
                }
            }
            all.push((law, repeats, held));
        }
    }
    all
}

fn print(table: &[(&'static str, u32, Held)]) {
    println!(
        "| law | visits | rows | intervals that hold the rate | ... the mean latency | mean half-width |"
    );
    println!("|---|---|---|---|---|---|");
    for (law, visits, held) in table {
        let percent = |n: usize| 100.0 * n as f64 / held.rows as f64;
        println!(
            "| {law} | {visits} | {} | {:.1} % | {:.1} % | {:.2} % |",
            held.rows,
            percent(held.rates),
            percent(held.latencies),
            held.width / held.rows as f64
        );
    }
}

#[test]
fn intervals_of_rows_hold_the_rate_of_the_device() {
    let table = coverage(7, 12, &[3], 1.0);
    print(&table);
    let (rows, held) = table.iter().fold((0, 0), |(n, h), (.., one)| (n + one.rows, h + one.rates));
    assert!(rows >= 48 && held as f64 >= 0.88 * rows as f64, "{held} of {rows}");
}

#[test]
#[ignore = "takes minutes: scripts/test --long"]
fn intervals_of_many_rows_hold_the_rate_of_the_device() {
    let seed = std::env::var("FATHOM_SEED").ok().and_then(|text| text.parse().ok());
    let seed = seed.unwrap_or_else(|| std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
    println!("FATHOM_SEED={seed}");
    let table = coverage(seed, 240, &[2, 3, 5], 1.0);
    print(&table);
    for (law, visits, held) in &table {
        let share = held.rates as f64 / held.rows as f64;
        assert!(share > 0.91, "{law}, {visits} visits: {share}");
    }
}

/// 64 I/Os at a server that takes 10 ms for each wait 640 ms: a visit of one second would see the queue fill.
#[test]
fn slow_deep_visit_is_counted_with_its_queue_full_for_twenty_latencies() {
    let found = rows_of(asked("servers=1;law=constant:10ms", vec![cell(64, 1, 1.0), cell(1, 1, 1.0)], 3, 1));
    let deep = &found[0];
    assert!((deep.mean_ns.value / 640e6 - 1.0).abs() < 0.002, "{deep:?}");
    assert!((deep.iops.value / 100.0 - 1.0).abs() < 0.01 && deep.iops.holds(100.0), "{deep:?}");
    assert!(deep.seconds >= 3.0 * 0.9 * 20.0 * 0.64, "{}", deep.seconds);
    assert!((found[1].mean_ns.value / 10e6 - 1.0).abs() < 0.001);
}

/// Jobs of which some wait long for their first I/O after the ramp: a visit of one second counts neither the ramp nor a
/// fraction of its runtime only.
#[test]
fn short_visit_of_many_jobs_has_the_rate_of_the_disk() {
    let disk = "size=4g;law=constant:60us;transfer=180000000;disk=15ms:8330us:32";
    let sequential = Access { rw: "read".into(), bs: 65_536, ..Access::default() };
    for jobs in [8, 16] {
        let read = |runtime_s| SweepCell { access: sequential.clone(), ..cell(1, jobs, runtime_s) };
        let cells = vec![read(1.0), cell(1, jobs, 1.0), cell(1, jobs, 30.0)];
        let found = rows_of(asked(disk, cells, 3, 1));
        assert!(found[0].bytes_per_second.value < 1.01 * 180e6, "{jobs}: {:?}", found[0].bytes_per_second);
        let (short, long) = (found[1].iops.value, found[2].iops.value);
        assert!((short / long - 1.0).abs() < 0.2, "{jobs}: {short} {long}");
        for row in found {
            let wanted = 3.0 * if row.cell == 2 { 30.0 } else { 1.0 };
            assert!(row.seconds > 0.9 * wanted, "{jobs} jobs: {} s counted", row.seconds);
        }
    }
}

/// Requests a stop after so many visits.
struct Ends(usize, Arc<AtomicUsize>);

impl Journal for Ends {
    fn add(&mut self, _: &Point) {
        self.0 -= 1;
        if self.0 == 0 {
            self.1.store(15, Relaxed);
        }
    }
}

/// Rows of a sweep that was stopped after drawn visits and went on, and of the whole one: the same, number by number.
#[test]
fn resumed_sweep_has_the_rows_of_an_uninterrupted_one() {
    // Credits run out on the way; the head of the disk lies where it was left.
    let devices = [
        "servers=64;law=exponential:1ms;iops=5000;burst=40000:1500",
        "law=constant:60us;transfer=180000000;disk=15ms:8330us:32",
        "servers=1;law=constant:10ms",
    ];
    let mut draws = Draws(11);
    for device in devices {
        let mut cells: Vec<SweepCell> = [1, 4, 32].map(|depth| cell(depth, 1, 1.0)).to_vec();
        cells.push(SweepCell { percent: Some(50.0), ..cell(4, 1, 1.0) });
        let ask = || asked(device, cells.clone(), 3, 5);
        let whole = goes_on(ask(), context(), &mut NoJournal);
        assert!(whole.complete && whole.points.len() == 12, "{:?}", whole.unanswered);
        for _ in 0..3 {
            let cut = 1 + draws.below(11) as usize;
            let stopped = context();
            let part = goes_on(ask(), stopped.clone(), &mut Ends(cut, stopped.interrupt.clone()));
            assert!(!part.complete && part.points.len() == cut, "{cut}: {}", part.points.len());
            let points = serde_json::from_str(&serde_json::to_string(&part.points).unwrap()).unwrap();
            let again = goes_on(Study { points, ..ask() }, context(), &mut NoJournal);
            let plain = |study: &Study| serde_json::to_string(&(&study.points, rows(study))).unwrap();
            assert!(plain(&again) == plain(&whole), "{device} after {cut} visits");
        }
    }
}

/// Mean time in the system of M/D/k in units of the service time, by the stationary distribution of the number in the
/// system at distances of one service (Crommelin 1932).
fn sojourn(busy: f64, servers: usize) -> f64 {
    const STATES: usize = 1500;
    let rate = busy * servers as f64;
    let mut arrivals = vec![(-rate).exp()];
    while arrivals.len() < STATES {
        let n = arrivals.len() as f64;
        arrivals.push(arrivals[arrivals.len() - 1] * rate / n);
    }
    let mut p = vec![0.0; STATES];
    p[0] = 1.0;
    for _ in 0..20_000 {
        let idle: f64 = p[..=servers].iter().sum();
        let mut next = vec![0.0; STATES];
        let reach = arrivals.iter().rposition(|a| *a > 1e-18).unwrap_or(0);
        for (j, a) in arrivals[..=reach].iter().enumerate() {
            next[j] += idle * a;
        }
        for (i, share) in p.iter().enumerate().skip(servers + 1).filter(|(_, share)| **share > 1e-18) {
            for (j, a) in arrivals[..=reach].iter().enumerate() {
                if i - servers + j < STATES {
                    next[i - servers + j] += share * a;
                }
            }
        }
        let moved: f64 = next.iter().zip(&p).map(|(a, b)| (a - b).abs()).sum();
        p = next;
        if moved < 1e-13 {
            break;
        }
    }
    let waiting: f64 =
        p.iter().enumerate().skip(servers).map(|(n, share)| (n - servers) as f64 * share).sum();
    1.0 + waiting / rate
}

/// Returns the latencies of a curve in services, beside those of theory: percent, measured, theory.
fn curve(
    servers: usize,
    percents: &[f64],
    runtime_s: f64,
    arrivals: Arrivals,
    seed: u64,
) -> Vec<(f64, f64, f64)> {
    let device = format!("servers={servers};law=constant:1ms");
    let all = std::iter::once(None).chain(percents.iter().copied().map(Some));
    // A generator of few slots holds arrivals back itself; their latency counts from the time when they were due.
    let cells = all.map(|percent| SweepCell {
        percent,
        ..cell(256, 1, if percent.is_none() { 30.0 } else { runtime_s })
    });
    let mut study = asked(&device, cells.collect(), 3, seed);
    let sweep = study.asked.sweep.as_mut().unwrap();
    (sweep.table, sweep.arrivals, sweep.ramp_s) = (SweepTable::Curve, arrivals, 5.0);
    let found = rows_of(study);
    let maximum = found[0].iops.value;
    assert!((maximum / (1000.0 * servers as f64) - 1.0).abs() < 0.005, "{maximum}");
    let theory = |percent: f64| match arrivals {
        Arrivals::Poisson => sojourn(percent / 100.0, servers),
        Arrivals::Uniform => 1.0,
    };
    let of = |(row, percent): (&SweepRow, &f64)| (*percent, row.mean_ns.value / 1e6, theory(*percent));
    found[1..].iter().zip(percents).map(of).collect()
}

#[test]
fn theory_of_one_server_is_that_of_pollaczek_and_khinchine() {
    for busy in [0.1, 0.5, 0.9] {
        let exact = 1.0 + busy / (2.0 * (1.0 - busy));
        assert!((sojourn(busy, 1) / exact - 1.0).abs() < 1e-6, "{busy}: {} {exact}", sojourn(busy, 1));
    }
}

fn near(points: &[(f64, f64, f64)], servers: usize) {
    for (percent, measured, theory) in points {
        println!(
            "| {servers} | {percent} % | {measured:.4} | {theory:.4} | {:+.2} % |",
            100.0 * (measured / theory - 1.0)
        );
        assert!(
            (measured / theory - 1.0).abs() < 0.03,
            "{servers} servers, {percent} %: {measured}, not {theory}"
        );
    }
}

#[test]
fn curve_has_the_latency_of_theory() {
    for servers in [1, 4] {
        near(&curve(servers, &[20.0, 50.0, 70.0], 20.0, Arrivals::Poisson, 3), servers);
    }
    near(&curve(2, &[50.0, 90.0], 5.0, Arrivals::Uniform, 3), 2);
}

#[test]
#[ignore = "takes minutes: scripts/test --long"]
fn curve_up_to_nine_tenths_has_the_latency_of_theory() {
    let percents: Vec<f64> = (1..=9).map(|n| f64::from(n) * 10.0).collect();
    println!("| servers | offered | latency in services | M/D/k | difference |\n|---|---|---|---|---|");
    for servers in [1, 2, 4] {
        near(&curve(servers, &percents, 600.0, Arrivals::Poisson, 17), servers);
    }
}

/// Service times of a law with shares in percent, in units of its mean of 1 ms: microseconds.
type Law = &'static [(u32, f64)];

/// Laws that neither a formula of M/D/k nor one of M/M/k describes: one service in twenty is 21 times as long as the
/// others, and a tail of three decades.
const GENERAL: [(&str, Law); 2] = [
    ("two-point", &[(95, 500.0), (5, 10_500.0)]),
    ("heavy tail", &[(80, 250.0), (15, 1200.0), (4, 8000.0), (1, 30_000.0)]),
];

/// Mean time in the system of M/G/k in milliseconds at `per_ms` arrivals: the recursion of Kiefer and Wolfowitz (1955)
/// over the work left at each server, which knows nothing of the simulated device.
fn simulated_sojourn(law: Law, servers: usize, per_ms: f64, arrivals: u32, draws: &mut Draws) -> f64 {
    let mut uniform = || (draws.below(1 << 31) as f64 + 0.5) / f64::from(1u32 << 31);
    let mut work = vec![0.0f64; servers];
    let (warm_up, mut total) = (arrivals / 20, 0.0);
    for n in 0..arrivals {
        let mut share = 100.0 * uniform();
        let service = law.iter().find(|(percent, _)| {
            share -= f64::from(*percent);
            share <= 0.0
        });
        let service = service.unwrap_or(&law[law.len() - 1]).1 / 1000.0;
        let least = (0..servers).min_by(|a, b| work[*a].total_cmp(&work[*b])).unwrap();
        if n >= warm_up {
            total += work[least] + service;
        }
        work[least] += service;
        let gap = -uniform().ln() / per_ms;
        work.iter_mut().for_each(|left| *left = (*left - gap).max(0.0));
    }
    total / f64::from(arrivals - warm_up)
}

#[test]
fn simulated_theory_is_that_of_pollaczek_and_khinchine() {
    for (name, law) in GENERAL {
        let moment = |power: i32| -> f64 {
            law.iter().map(|(percent, us)| f64::from(*percent) / 100.0 * (us / 1000.0).powi(power)).sum()
        };
        assert!((moment(1) - 1.0).abs() < 1e-9, "{name}: {}", moment(1));
        let exact = 1.0 + 0.4 * moment(2) / (2.0 * (1.0 - 0.4));
        let found = simulated_sojourn(law, 1, 0.4, 2_000_000, &mut Draws(5));
        assert!((found / exact - 1.0).abs() < 0.015, "{name}: {found} {exact}");
    }
    // Without a queue, the time in the system is the service.
    let (_, law) = GENERAL[0];
    let idle = simulated_sojourn(law, 16, 0.01, 1_000_000, &mut Draws(6));
    assert!((idle - 1.0).abs() < 0.01, "{idle}");
}

/// Compares a curve on a device of a general law with the simulated theory at the rates that were offered.
fn near_general(name: &str, law: Law, servers: usize, percents: &[f64], (runtime_s, arrivals): (f64, u32)) {
    let parts = law.iter().map(|(percent, us)| format!("{percent}/{us}us")).collect::<Vec<_>>().join(":");
    let device = format!("servers={servers};law=mixture:{parts}");
    let all = std::iter::once(None).chain(percents.iter().copied().map(Some));
    let cells = all.map(|percent| SweepCell {
        percent,
        ..cell(256, 1, if percent.is_none() { 10.0 } else { runtime_s })
    });
    let mut study = asked(&device, cells.collect(), 3, 23);
    let sweep = study.asked.sweep.as_mut().unwrap();
    (sweep.table, sweep.ramp_s) = (SweepTable::Curve, 5.0);
    for (row, percent) in rows_of(study)[1..].iter().zip(percents) {
        let per_ms = row.offered.unwrap() / 1000.0;
        let theory = simulated_sojourn(law, servers, per_ms, arrivals, &mut Draws(9));
        let measured = row.mean_ns.value / 1e6;
        let apart = 100.0 * (measured / theory - 1.0);
        println!("| {name} | {servers} | {percent} % | {measured:.4} | {theory:.4} | {apart:+.2} % |");
        assert!(apart.abs() < 3.0, "{name}, {servers} servers, {percent} %: {measured}, not {theory}");
    }
}

#[test]
fn curve_of_general_service_times_has_the_latency_of_theory() {
    let (name, law) = GENERAL[0];
    near_general(name, law, 4, &[30.0, 60.0], (60.0, 500_000));
}

#[test]
#[ignore = "takes minutes: scripts/test --long"]
fn curve_of_general_services_up_to_six_tenths_has_the_latency_of_theory() {
    println!(
        "| law | servers | offered | latency, ms | theory, ms | difference |\n|---|---|---|---|---|---|"
    );
    for (name, law) in GENERAL {
        for servers in [1, 2, 4] {
            near_general(name, law, servers, &[20.0, 40.0, 60.0], (1000.0, 5_000_000));
        }
    }
}
