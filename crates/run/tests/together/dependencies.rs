//! Jobs that wait for others and jobs that end with others; behaviour compared with fio 3.33.

use crate::plans::setup;
use job::job::{Dependencies, EngineChoice, ExitWhat, Job, Mix};
use job::plan::{FileKind, Layout, Plan, PlannedFile, PlannedJob};
use run::consent::Policy;
use run::line::Line;
use run::{Notice, Silent, Watch};
use std::num::NonZeroU64;
use std::time::Instant;
use testbed::Sandbox;

const MS: u64 = 1_000_000;

fn timed(name: &str, runtime_ms: u64) -> Job {
    let mut job = crate::plans::job(name, Mix::Read);
    job.engine = EngineChoice::Null { jitter: false };
    (job.limits.runtime, job.limits.time_based) = (NonZeroU64::new(runtime_ms * MS), true);
    job
}

fn plan(jobs: Vec<Job>) -> Plan {
    let clones = (0..jobs.len())
        .map(|job| {
            let file = PlannedFile {
                path: "none".into(),
                kind: FileKind::None,
                size: 1 << 20,
                start: 0,
                length: 1 << 20,
                layout: Layout::Keep,
            };
            PlannedJob {
                job,
                clone: 0,
                seed: 7 + job as u64,
                files: vec![file],
                interleave: None,
                io_bytes: 1 << 20,
                lays_out_late: false,
                replay: None,
            }
        })
        .collect();
    Plan { jobs, clones }
}

/// Returns the milliseconds that each job ran, and the milliseconds of the whole run.
fn run(jobs: Vec<Job>, watch: &mut dyn Watch) -> (Vec<u64>, u64) {
    let setup = setup(Policy::Own);
    let began = Instant::now();
    let result = run::run(&plan(jobs), &setup, watch).unwrap();
    assert!(result.jobs.iter().all(|job| job.error.is_none()));
    (result.jobs.iter().map(|job| job.runtime_ms).collect(), began.elapsed().as_millis() as u64)
}

fn dependencies(job: Job, dependencies: Dependencies) -> Job {
    Job { dependencies, ..job }
}

/// A job starts when all jobs that it waits for have ended; other jobs do not wait.
#[test]
fn job_starts_when_awaited_jobs_have_ended() {
    let after = |name: &str| Dependencies { wait_for: Some(name.into()), ..Dependencies::default() };
    let jobs = vec![
        timed("a", 300),
        dependencies(timed("b", 300), after("a")),
        dependencies(timed("c", 300), after("b")),
        timed("d", 600),
    ];
    let (ran, all) = run(jobs, &mut Silent);
    assert!(ran.iter().zip([300, 300, 300, 600]).all(|(ran, asked)| *ran >= asked), "{ran:?}");
    // One after the other: 900; with d behind them it would be 1500.
    assert!((900..1450).contains(&all), "{all}");
}

#[test]
fn an_end_takes_along_the_group_or_what_runs_or_all() {
    let go = |exit_what| {
        let ends = dependencies(
            timed("a", 200),
            Dependencies { exitall: true, exit_what, ..Dependencies::default() },
        );
        let waits = Dependencies { wait_for: Some("a".into()), ..Dependencies::default() };
        let other = Job { group: 1, ..timed("other", 800) };
        let later = Job { group: 2, stonewall: true, ..timed("later", 100) };
        run(
            vec![ends, timed("mate", 3000), dependencies(timed("waits", 300), waits), other, later],
            &mut Silent,
        )
        .0
    };
    let group = go(ExitWhat::Group);
    assert!(group[1] < 2000 && group[2] < 100 && group[3] >= 800 && group[4] >= 100, "{group:?}");
    let running = go(ExitWhat::Running);
    assert!(running[1] < 2000 && running[2] >= 300 && running[3] < 800 && running[4] >= 100, "{running:?}");
    let all = go(ExitWhat::All);
    assert!(all[1] < 2000 && all[2] < 100 && all[3] < 800 && all[4] == 0, "{all:?}");
}

/// A delay counts from the start of the run, and each clone draws a delay of its own.
#[test]
fn delay_counts_from_run_start_and_differs_per_clone() {
    let mut late = Job { stonewall: true, ..timed("late", 100) };
    (late.limits.startdelay, late.limits.startdelay_most) = (300 * MS, 300 * MS);
    let (_, all) = run(vec![timed("first", 400), late.clone()], &mut Silent);
    assert!((500..790).contains(&all), "{all}");
    late.limits.startdelay_most = 600 * MS;
    let drawn: Vec<u64> = (0..64)
        .map(|seed| {
            PlannedJob {
                job: 0,
                clone: 0,
                seed,
                files: Vec::new(),
                interleave: None,
                io_bytes: 0,
                lays_out_late: false,
                replay: None,
            }
            .startdelay(&late)
        })
        .collect();
    assert!(drawn.iter().all(|d| (300 * MS..=600 * MS).contains(d)), "{drawn:?}");
    assert!(drawn.iter().any(|d| *d < 375 * MS) && drawn.iter().any(|d| *d > 525 * MS), "{drawn:?}");
}

#[derive(Default)]
struct Lines(Vec<Line>);

impl Watch for Lines {
    fn notice(&mut self, notice: Notice) {
        if let Notice::Said(line) = notice {
            self.0.push(line);
        }
    }
    fn look(&mut self, _: &stats::Live) {}
}

/// A failed `exec_prerun` prevents the job from running, and `stats=0` hides a job.
#[test]
fn failed_prerun_prevents_job_and_stats_0_hides_job() {
    let sandbox = Sandbox::new().unwrap();
    let name = sandbox.join("a").display().to_string();
    let mut before = timed(&name, 50);
    before.host.prerun = Some("echo here".into());
    before.host.postrun = Some("echo gone >&2; false".into());
    let mut broken = timed(&sandbox.join("b").display().to_string(), 50);
    broken.host.prerun = Some("false".into());
    let hidden = dependencies(timed("c", 50), Dependencies { stats: false, ..Dependencies::default() });
    let mut lines = Lines::default();
    let (ran, _) = run(vec![before, broken, hidden], &mut lines);
    assert!(ran[0] >= 50 && ran[1] == 0 && ran[2] == 0, "{ran:?}");
    assert_eq!(std::fs::read_to_string(format!("{name}.prerun.txt")).unwrap(), "here\n");
    assert!(
        lines.0.contains(&Line::HookOutput {
            job: name.clone(),
            when: "prerun",
            file: format!("{name}.prerun.txt")
        }),
        "{lines:?}",
        lines = lines.0
    );
    assert!(std::path::Path::new(&format!("{name}.postrun.txt")).exists());
}
