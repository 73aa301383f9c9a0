//! The runner of a study: cells as jobs in fio's language on its subjects, real or simulated.

use super::bench::{Measured, Progress, Runner, Until};
use crate::subject::{Place, Subject, SubjectError};
use facts::layers::Stack;
use facts::queue::Queue;
use run::RunError;
use run::consent::check_one;
use run::kernel_settings::{KernelSettings, in_force};
use stats::converge::Stop;
use stats::study::{Access, Cell, Question, StudyTarget};
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Longest wait for a quiet target.
const PATIENCE: Duration = Duration::from_secs(5);
/// What has not become less for so long is not ours.
const STALE: Duration = Duration::from_millis(200);
/// Dirty pages that nobody minds.
const DIRTY: u64 = 4 << 20;

/// Subjects and how they are loaded.
pub struct Machine<'a> {
    subjects: Vec<Subject>,
    place: Place,
    watch: &'a mut dyn Progress,
    /// Settings of the kernel that a study varies.
    settings: KernelSettings,
}

impl<'a> Machine<'a> {
    /// Opens the targets, fills scratch files: what a study says of them beside.
    pub fn open(
        names: &[String],
        mut place: Place,
        watch: &'a mut dyn Progress,
    ) -> Result<(Machine<'a>, Vec<StudyTarget>), SubjectError> {
        // Twenty windows are the least of an interval.
        place.window = Duration::from_millis(20);
        let (mut subjects, mut targets) = (Vec::new(), Vec::new());
        for name in names {
            let mut subject = Subject::open(name.as_ref(), &place.root)?;
            if subject.is_scratch() {
                subject.fill(&place, watch)?;
            }
            let stack = Stack::under(&place.root, &subject.path).ok();
            targets.push(StudyTarget {
                name: name.clone(),
                size: subject.size,
                sector: sector(&place, stack.as_ref(), &subject),
                stack: stack.map(|s| s.words()).unwrap_or_default(),
                scratch: subject.is_scratch(),
                direct: subject.kind.map(|_| subject.direct),
            });
            subjects.push(subject);
        }
        let settings = KernelSettings::of(&place.root);
        Ok((Machine { subjects, place, watch, settings }, targets))
    }

    /// Whether the targets may be written to: said before anything is measured. Errors: the refusal.
    pub fn may_write(&self) -> Result<(), SubjectError> {
        let Place { consent, root, .. } = &self.place;
        let real = self.subjects.iter().filter(|s| s.kind.is_some() && !s.is_scratch());
        for subject in real {
            check_one(&subject.path, "explore", consent, root).map_err(RunError::Refused)?;
        }
        Ok(())
    }

    /// The engine of the first target.
    pub fn engine(&self) -> String {
        self.subjects.first().map(|s| s.engine.clone()).unwrap_or_default()
    }

    /// Why the engine is not io_uring, where the user has not chosen one.
    pub fn engine_note(&self) -> Option<String> {
        self.subjects.iter().find_map(|s| s.engine_note.clone())
    }

    /// Another engine than the usual one, for real targets.
    pub fn use_engine(&mut self, engine: &str) {
        for subject in self.subjects.iter_mut().filter(|s| s.kind.is_some()) {
            subject.engine = engine.into();
            subject.engine_note = None;
        }
    }

    /// The targets as a study that goes on knows them: a scratch file made anew is no larger than the one before was.
    pub fn as_before(&mut self, targets: &[StudyTarget]) {
        for (subject, target) in self.subjects.iter_mut().zip(targets) {
            subject.size = subject.size.min(target.size);
        }
    }

    fn simulated(&self) -> bool {
        self.subjects.iter().any(|s| s.kind.is_none())
    }

    /// The disk whose queue a target has, and the path of its setting.
    fn setting(&self, target: usize, setting: &str) -> Result<(String, PathBuf), String> {
        let stack = Stack::under(&self.place.root, &self.subjects[target].path).map_err(|e| e.to_string())?;
        let device = stack.devices().find_map(|d| d.whole(&self.place.root).or(Some(d.clone())));
        let device = device.ok_or("no block device under the target has settings")?;
        let path = self.place.root.path(format!("/sys/block/{}/queue/{setting}", device.name));
        Ok((device.name, path))
    }

    /// Gives every setting of the kernel its old value again; a line for each that cannot get it.
    pub fn put_settings_back(&mut self) -> Vec<String> {
        self.settings.put_back()
    }
}

/// `name=a,b,c` as name and values.
pub fn axis_values(axis: &str) -> (String, Vec<String>) {
    let (name, values) = axis.split_once('=').unwrap_or((axis, ""));
    (name.to_string(), values.split(',').filter(|v| !v.is_empty()).map(String::from).collect())
}

fn sector(place: &Place, stack: Option<&Stack>, subject: &Subject) -> u64 {
    let device = stack.and_then(|s| s.devices().next().cloned());
    // A file system works in blocks of its own: smaller direct I/O on a file may be read, changed and written.
    let least = device.and_then(|d| Queue::of(&place.root, &d).logical_block_bytes).unwrap_or(512);
    u64::from(if subject.is_scratch() { least.max(512) } else { least })
}

impl Runner for Machine<'_> {
    fn measure(&mut self, cell: &Cell, seed: u64, most: Duration, stop: Stop) -> Result<Measured, String> {
        if let Some((setting, value)) = &cell.setting {
            let (disk, _) = self.setting(cell.target, setting)?;
            self.settings.set(&disk, setting, value)?;
        }
        let began = Instant::now();
        let before = self.place.models.now();
        let subject = &self.subjects[cell.target];
        let region = cell.span.unwrap_or(subject.size).min(subject.size);
        let mut options = vec![
            format!("--rw={}", cell.access.rw),
            format!("--bs={}", cell.access.bs),
            format!("--iodepth={}", cell.depth),
            format!("--numjobs={}", cell.jobs),
            format!("--randseed={seed}"),
            format!("--runtime={}us", most.as_micros()),
            "--time_based".into(),
            format!("--ramp_time={}us", stop.warm_up_nanos / 1000),
            "--group_reporting".into(),
            // A device that fails some I/Os is measured, and what failed is told.
            "--continue_on_error=io".into(),
        ];
        if cell.access.random() {
            options.push("--norandommap".into());
            options.push(format!("--size={region}"));
        } else {
            // Clones side by side: each a part of its own, as one reader of all would have it.
            let part = (region / u64::from(cell.jobs) / cell.access.bs * cell.access.bs).max(cell.access.bs);
            options.push(format!("--size={part}"));
            if cell.jobs > 1 {
                options.push(format!("--offset_increment={part}"));
            }
        }
        if let Some(reads) = cell.access.reads {
            options.push(format!("--rwmixread={reads}"));
        }
        if let Some(sync) = cell.access.sync {
            options.push(format!("--{sync}"));
        }
        if let Some(rate) = cell.rate {
            let each = |percent: u32| (rate / 100 * u64::from(percent) / u64::from(cell.jobs)).max(1);
            let reads = cell.access.reads.unwrap_or(50);
            options.push(match cell.access.rw.ends_with("rw") {
                true => format!("--rate={},{}", each(reads), each(100 - reads)),
                false => format!("--rate={}", (rate / u64::from(cell.jobs)).max(1)),
            });
            options.push("--rate_process=poisson".into());
        }
        // A simulated device does not look at what is written.
        if cell.access.writes() && subject.kind.is_some() {
            options.push("--refill_buffers".into());
        }
        let began_ms = match subject.kind {
            None => before.as_millis() as u64,
            Some(_) => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64,
        };
        let mut watch = Until { stop, satisfied: false, watch: &mut *self.watch };
        let result = subject.job("point", &self.place, &options, &mut watch).map_err(|e| e.to_string())?;
        if let Some(error) = result.jobs.iter().find_map(|j| j.error.as_ref()) {
            return Err(error.text.clone());
        }
        let wall_s = match subject.kind {
            None => (self.place.models.now() - before).as_secs_f64(),
            Some(_) => began.elapsed().as_secs_f64(),
        };
        Ok(Measured {
            result,
            satisfied: watch.satisfied,
            began_ms,
            wall_s,
            state: self.place.models.levels(),
        })
    }

    fn rest(&mut self, target: usize) -> f64 {
        if self.simulated() {
            return 0.0;
        }
        let began = Instant::now();
        let root = &self.place.root;
        let stack = Stack::under(root, &self.subjects[target].path).ok();
        let names: Vec<String> = stack.iter().flat_map(|s| s.devices()).map(|d| d.name.clone()).collect();
        let flying = || {
            let of = |name: &String| {
                let text = root.read(format!("/sys/class/block/{name}/inflight")).unwrap_or_default();
                text.split_whitespace().any(|n| n != "0")
            };
            names.iter().any(of)
        };
        let unwritten = || facts::memory::unwritten_bytes(root).unwrap_or(0);
        let (mut least, mut since) = (u64::MAX, Instant::now());
        while began.elapsed() < PATIENCE && !self.interrupted() {
            let dirty = unwritten();
            if dirty < least.saturating_sub(DIRTY / 4) {
                (least, since) = (dirty, Instant::now());
            }
            // Pages and requests that do not get fewer are somebody else's, and may never end.
            if dirty <= DIRTY && !flying() || since.elapsed() > STALE {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        began.elapsed().as_secs_f64()
    }

    fn wait(&mut self, until_ms: u64) {
        const LOOK: Duration = Duration::from_millis(50);
        if self.simulated() {
            let now = self.place.models.now();
            return self.place.models.rest(Duration::from_millis(until_ms).saturating_sub(now));
        }
        let until = UNIX_EPOCH + Duration::from_millis(until_ms);
        while let Ok(left) = until.duration_since(SystemTime::now())
            && !self.interrupted()
        {
            std::thread::sleep(left.min(LOOK));
        }
    }

    fn restore(&mut self, state: &[f64]) {
        self.place.models.restore(state);
    }

    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64) {
        self.watch.question(question, access, target, left_s);
    }

    fn interrupted(&self) -> bool {
        self.place.interrupt.load(Relaxed) != 0
    }
}

/// What `--axis` says as `name=a,b,c`, the value in force first: given values, or those that are usually tried.
pub fn axis(text: &str, machine: &Machine<'_>) -> Result<String, String> {
    const KNOWN: [&str; 3] = ["read_ahead_kb", "scheduler", "nr_requests"];
    let (name, given) = axis_values(text);
    if !KNOWN.contains(&name.as_str()) {
        return Err(format!("{name:?} is none of {}", KNOWN.join(", ")));
    }
    let (_, path) = machine.setting(0, &name)?;
    let now = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (listed, now) = (now.trim().to_string(), in_force(&now));
    let mut values = vec![now.clone()];
    let usual: Vec<String> = match name.as_str() {
        "scheduler" => listed.split_whitespace().map(|s| s.trim_matches(['[', ']']).to_string()).collect(),
        "read_ahead_kb" => ["0", "128", "1024", "4096"].map(String::from).into(),
        _ => {
            let n: u64 = now.parse().unwrap_or(64);
            vec![(n / 4).max(4).to_string(), (n * 4).to_string()]
        }
    };
    for value in if given.is_empty() { usual } else { given } {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.len() < 2 {
        return Err(format!("{} knows no other value than {now}", path.display()));
    }
    Ok(format!("{name}={}", values.join(",")))
}
