//! Trees of bench-fio: results that are read, and the cells that a sweep adds in the same layout,
//! `DIR/TARGET/MODE/BS/MODE-D-N.json`.

use lab::explore::job_runner::JobRunner;
use lab::explore::runner::{Journal, Measurement, Runner};
use report::Lang;
use run::output::{OutputError, check, check_against, check_own, write};
use run::output_kind;
use stats::converge::StopRule;
use stats::failure::Failure;
use stats::finding::{Claim, Unmeasured};
use stats::output_fault::OutputFault;
use stats::study::{Access, Cell, Point, Question};
use stats::sweep::{SweepAsked, SweepCell, SweepRow, combined, row_of_file};
use stats::{Measured, RunResult};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;
use store::Exported;

/// The directory of a target in a tree.
pub fn of_target(tree: &Path, target: &str) -> PathBuf {
    if target.starts_with(lab::target::MODEL) {
        return tree.join("model");
    }
    let named = |path: &Path| path.file_name().map(std::ffi::OsStr::to_os_string);
    // `.` and `..` have no name of their own.
    let name = named(Path::new(target)).or_else(|| named(&std::fs::canonicalize(target).ok()?));
    tree.join(name.unwrap_or("root".into()))
}

fn block(bs: u64) -> String {
    match bs {
        b if b >= 1 << 20 && b.is_multiple_of(1 << 20) => format!("{}m", b >> 20),
        b if b >= 1024 && b.is_multiple_of(1024) => format!("{}k", b >> 10),
        b => b.to_string(),
    }
}

/// Returns the path of the result of a cell.
fn path_of(directory: &Path, cell: &SweepCell) -> PathBuf {
    let rw = &cell.access.rw;
    let mix = cell.access.reads.map(|reads| reads.to_string()).unwrap_or_default();
    let name = format!("{rw}-{}-{}.json", cell.iodepth, cell.numjobs);
    directory.join(format!("{rw}{mix}")).join(block(cell.access.bs)).join(name)
}

/// Returns the path of the result of a visit, which exists until its cell has all visits.
fn path_of_visit(path: &Path, ordinal: usize) -> PathBuf {
    path.with_extension(format!("visit-{ordinal}"))
}

/// Checks that a sweep of `target` in this visiting order would replace only results of fio or fathom.
///
/// # Errors
/// A file in the place of a result is the target, an output of another kind, or of a kind that no output replaces.
pub fn check_places(
    directory: &Path,
    asked: &SweepAsked,
    order: &[usize],
    target: &str,
) -> Result<(), OutputError> {
    let mut cells: Vec<usize> = order.to_vec();
    cells.sort_unstable();
    cells.dedup();
    for cell in cells.into_iter().map(|at| &asked.cells[at]).filter(|cell| cell.percent.is_none()) {
        check_place(&path_of(directory, cell), target, &output_kind::json)?;
    }
    for (ordinal, at) in order.iter().enumerate() {
        let cell = &asked.cells[*at];
        if cell.percent.is_some() {
            continue;
        }
        let path = path_of(directory, cell);
        check_place(&path_of_visit(&path, ordinal), target, &output_kind::exported_run)?;
    }
    Ok(())
}

fn check_place(path: &Path, target: &str, is_own: &dyn Fn(&[u8]) -> bool) -> Result<(), OutputError> {
    check(path)?;
    check_against(path, [Path::new(target)], OutputFault::FileOfJob)?;
    check_own(path, is_own)
}

/// Reads the cells of a sweep that the directory of its target has. Results that contain an error do not count; they and
/// files that cannot be read are named on standard error.
pub fn read(directory: &Path, cells: &[SweepCell], lang: Lang) -> Vec<SweepRow> {
    let Ok(found) = import::read(&[directory.to_path_buf()]) else { return Vec::new() };
    for (file, why) in &found.skipped {
        eprintln!("fathom: {}: {}", file.display(), report::words::import::remark(lang, why));
    }
    let mut known: Vec<SweepRow> = Vec::new();
    for load in found.measured {
        let is_it = |cell: &&SweepCell| {
            let Access { rw, bs, reads, .. } = &cell.access;
            let mixed = rw.ends_with("rw");
            cell.percent.is_none()
                && (rw, bs) == (&load.access.rw, &load.access.bs)
                && (!mixed || *reads == load.access.reads)
                && (cell.iodepth, cell.numjobs) == (load.depth, load.jobs)
        };
        let Some(at) = cells.iter().position(|cell| is_it(&cell)) else { continue };
        if has_error(&load) {
            eprintln!("fathom: {}", report::sweep::again(lang, Path::new(&load.source)));
        } else if known.iter().all(|one| one.cell != at) {
            known.push(row_of_file(at, &load));
        }
    }
    known
}

fn has_error(load: &Measured) -> bool {
    let failed = |claim: &Claim| {
        matches!(claim, Claim::Failed { .. } | Claim::NotMeasured { why: Unmeasured::Failed })
    };
    load.flows.is_empty() || load.findings.iter().any(|finding| failed(&finding.claim))
}

/// Result of the last run, which the journal writes when its point is stored.
pub type LastRun = Rc<RefCell<Option<RunResult>>>;

/// Runner that keeps the result of its last run.
pub struct KeepingRunner<'a, 'b> {
    /// Runner that measures.
    pub inner: &'a mut JobRunner<'b>,
    /// Result of the last run.
    pub last: LastRun,
}

impl Runner for KeepingRunner<'_, '_> {
    fn measure(
        &mut self,
        cell: &Cell,
        seed: u64,
        most: Duration,
        stop: StopRule,
    ) -> Result<Measurement, Failure> {
        let measured = self.inner.measure(cell, seed, most, stop)?;
        *self.last.borrow_mut() = Some(measured.result.clone());
        Ok(measured)
    }

    fn rest(&mut self, target: usize) -> f64 {
        self.inner.rest(target)
    }

    fn wait(&mut self, until_ms: u64) {
        self.inner.wait(until_ms);
    }

    fn restore(&mut self, state: &[f64]) {
        self.inner.restore(state);
    }

    fn interrupted(&self) -> bool {
        self.inner.interrupted()
    }

    fn question(&mut self, question: Question, access: &Access, target: &str, left_s: f64) {
        self.inner.question(question, access, target, left_s);
    }
}

/// Journal that also writes a cell's result into a tree when all its visits are made. Until then, each visit is a file
/// beside it, so that a sweep that goes on has the visits of the process before it.
pub struct TreeJournal<'a> {
    /// Journal of the store.
    pub inner: &'a mut dyn Journal,
    /// Directory of the target; `None` without a tree.
    pub directory: Option<PathBuf>,
    /// Target of the sweep.
    pub target: String,
    /// Request of the sweep.
    pub asked: SweepAsked,
    /// Cell of every visit.
    pub order: Vec<usize>,
    /// Result of the last run.
    pub last: LastRun,
    /// Number of results written.
    pub written: usize,
    /// First error of a file.
    pub trouble: Option<OutputError>,
}

impl TreeJournal<'_> {
    fn keep(&mut self, ordinal: u32, result: &RunResult) -> Result<(), OutputError> {
        let Some(directory) = &self.directory else { return Ok(()) };
        let Some(of) = self.order.get(ordinal as usize).copied() else { return Ok(()) };
        let cell = &self.asked.cells[of];
        if cell.percent.is_some() {
            return Ok(());
        }
        let path = path_of(directory, cell);
        let of_visit = |ordinal: usize| path_of_visit(&path, ordinal);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|e| run::output::failed(parent, &e))?;
        }
        let own = of_visit(ordinal as usize);
        let target = &self.target;
        check_place(&own, target, &output_kind::exported_run)?;
        check_place(&path, target, &output_kind::json)?;
        write(&own, report::export::compact(result).as_bytes())?;
        let visits: Vec<PathBuf> =
            (0..self.order.len()).filter(|n| self.order[*n] == of).map(of_visit).collect();
        let read = |path: &PathBuf| match store::exported(&std::fs::read_to_string(path).ok()?) {
            Some(Ok(Exported::Run(run))) => Some(*run),
            _ => None,
        };
        let results: Vec<RunResult> = visits.iter().filter_map(read).collect();
        if results.len() < visits.len() {
            return Ok(());
        }
        if let Some(all) = combined(&results) {
            write(&path, report::json::render(&all, true).as_bytes())?;
            self.written += 1;
        }
        for visit in visits {
            std::fs::remove_file(&visit).map_err(|e| run::output::failed(&visit, &e))?;
        }
        Ok(())
    }
}

impl Journal for TreeJournal<'_> {
    fn add(&mut self, point: &Point) {
        let last = self.last.borrow_mut().take();
        if let Some(result) = last
            && let Err(e) = self.keep(point.ordinal, &result)
        {
            self.trouble.get_or_insert(e);
        }
        self.inner.add(point);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_that_of_bench_fio() {
        let cell = |rw: &str, reads, bs| SweepCell {
            access: Access { rw: rw.into(), bs, reads, sync: None },
            iodepth: 8,
            numjobs: 2,
            runtime_s: 1.0,
            percent: None,
        };
        let directory = of_target(Path::new("/t"), "/dev/sdb");
        let path = |cell| path_of(&directory, &cell).display().to_string();
        assert_eq!(path(cell("randread", None, 4096)), "/t/sdb/randread/4k/randread-8-2.json");
        let here = std::env::current_dir().unwrap();
        assert_eq!(of_target(Path::new("/t"), "."), Path::new("/t").join(here.file_name().unwrap()));
        assert_eq!(of_target(Path::new("/t"), "model:servers=1"), Path::new("/t/model"));
        assert_eq!(path(cell("randrw", Some(75), 1 << 20)), "/t/sdb/randrw75/1m/randrw-8-2.json");
    }
}
