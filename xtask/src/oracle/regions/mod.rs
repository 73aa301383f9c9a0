//! Test that fathom touches no byte outside the region that fio touches: random jobs over files of known content.

mod cases;

use super::side_by_side;
use crate::Tally;
use crate::dice::Dice;
use crate::tool::{Overran, Tool};
use anyhow::{Context as _, Result};
use cases::{Case, Prepared};
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use testbed::loopdev::Setup;
use testbed::{FileSystem, LoopDevice, Mount, Need, Sandbox, missing};

/// Time limit of a random job; some jobs never end in fio.
const LIMIT: Duration = Duration::from_secs(10);
/// Largest number of seeds with which fio runs to determine the region that fio can touch.
const SEEDS_OF_FIO: u64 = 200;
/// Largest number of seeds with which fathom runs until it reaches as far as fio.
const SEEDS_OF_OURS: u64 = 12;
/// Number of comparisons at the same time: fio sleeps for most of its 0.4 s.
const AT_A_TIME: usize = 12;
/// Size of the file system in which the jobs run, bytes.
const ROOM: u64 = 2 << 30;
/// End of the range in which extents are searched, bytes: beyond the end of every file, because `fallocate=keep`
/// reserves space there.
const EXTENTS_END: u64 = 16 << 20;
/// Largest number of holes kept, more than the files of a case have.
const MOST_HOLES: usize = 16 * 1024;
/// Byte that every job writes (`buffer_pattern`); prepared content has neither this byte nor zeros.
const WRITTEN: u8 = 0xff;

/// Compares `count` random jobs, or the jobs in `given`.
///
/// # Errors
/// A tool cannot run, or a given job is not valid.
pub fn run(fathom: &Tool, fio: &Tool, seed: u64, count: usize, given: &[String]) -> Result<Tally> {
    let drawn: Vec<Case> = if given.is_empty() {
        println!("regions: seed {seed} (repeat with --seed {seed})");
        let mut dice = Dice::new(seed);
        (0..count).map(|_| cases::draw(&mut dice)).collect()
    } else {
        given.iter().map(|text| Case::given(text)).collect::<Result<_>>()?
    };
    let mut tally = Tally::default();
    let place = Place::new()?;
    println!("regions: files on {}", place.kind());
    let endless = AtomicUsize::new(0);
    let crashed = AtomicUsize::new(0);
    let both = Both { fathom, fio, place: &place, endless: &endless, crashed: &crashed };
    let done = AtomicUsize::new(0);
    let check = |case: &Case| {
        let count = done.fetch_add(1, Relaxed);
        if count > 0 && count.is_multiple_of(100) {
            println!("     {count} of {} jobs", drawn.len());
        }
        let problems = both.compare(case)?;
        if !problems.is_empty() {
            // Printed in one call, because other threads print, too.
            let lines: String = problems.iter().take(12).map(|problem| format!("\n     {problem}")).collect();
            println!("FAIL xtask oracle --region '{}'{lines}", case.text());
        }
        Ok(problems)
    };
    for problems in side_by_side(&drawn, AT_A_TIME, check) {
        tally.add(problems?.is_empty());
    }
    let (endless, crashed) = (endless.into_inner(), crashed.into_inner());
    println!(
        "regions: {} jobs, {} like fio, {} not; {endless} of them never end in fio, in {crashed} fio crashes",
        drawn.len(),
        tally.passed,
        tally.failed
    );
    Ok(tally)
}

/// Directory of the files: an ext4 in memory, whose extents can be read; without root a directory in memory.
struct Place {
    path: PathBuf,
    mount: Option<Mount>,
    // Dropped after the mount: the directory of its backing file.
    _sandbox: Sandbox,
}

impl Place {
    fn new() -> Result<Place> {
        let sandbox = Sandbox::in_memory()?;
        if missing(&[Need::Loop, Need::Program("mkfs.ext4")]).is_some() {
            return Ok(Place { path: sandbox.path().to_owned(), mount: None, _sandbox: sandbox });
        }
        let backing = sandbox.sparse("backing", ROOM)?;
        let device = LoopDevice::from_file(&backing, Setup::default())?;
        let mount = Mount::on(FileSystem::Ext4, device, "defaults")?;
        Ok(Place { path: mount.path().to_owned(), mount: Some(mount), _sandbox: sandbox })
    }

    fn kind(&self) -> &'static str {
        if self.mount.is_some() { "ext4 in memory" } else { "a directory in memory" }
    }
}

/// State of one file after a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Length after the run, bytes.
    size: u64,
    /// Ranges that are allocated, written or reserved, in bytes.
    allocated: Vec<Range<u64>>,
    /// Ranges that the run changed: written, zeroed, or cut off.
    touched: Vec<Range<u64>>,
}

/// Result of a run: success, messages, and the files afterwards.
struct After {
    fine: bool,
    stderr: String,
    files: BTreeMap<String, Found>,
}

fn prepare(dir: &Path, file: &Prepared) -> Result<()> {
    let open = std::fs::File::create(dir.join(&file.name))?;
    open.set_len(file.size)?;
    if !file.hole {
        let content: Vec<u8> = (0..file.size).map(|at| before(file, at)).collect();
        open.write_all_at(&content, 0)?;
    }
    Ok(())
}

/// Returns the byte of a prepared file at an offset.
fn before(file: &Prepared, at: u64) -> u8 {
    if file.hole { 0 } else { 1 + (at / 64 % 251) as u8 }
}

fn perform(tool: &Tool, place: &Place, case: &Case, seed: Option<u64>) -> Result<After> {
    let sandbox = Sandbox::within(&place.path)?;
    case.files.iter().try_for_each(|file| prepare(sandbox.path(), file))?;
    let ran = tool.run(&case.args(seed), sandbox.path(), None, LIMIT)?;
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(sandbox.path())? {
        let (path, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name().to_string_lossy().into_owned())
        };
        let now = std::fs::read(&path)?;
        let known = case.files.iter().find(|file| file.name == name);
        let found =
            Found { size: now.len() as u64, allocated: allocated(&path)?, touched: touched(known, &now) };
        files.insert(name, found);
    }
    Ok(After { fine: ran.code == Some(0), stderr: ran.stderr, files })
}

/// Returns the ranges of a file outside all holes.
fn allocated(path: &Path) -> Result<Vec<Range<u64>>> {
    let file = std::fs::File::open(path)?;
    let holes = facts::extents::gaps(&file, 0, EXTENTS_END, MOST_HOLES)?
        .with_context(|| format!("{}: its file system tells no holes", path.display()))?;
    let holes = holes.list.iter().filter(|gap| !gap.reserved);
    let holes: Vec<Range<u64>> = holes.map(|gap| gap.start..gap.start + gap.length).collect();
    Ok(beyond(std::slice::from_ref(&(0..EXTENTS_END)), &holes))
}

/// Returns the ranges in which `now` differs from the former content; after the former end, the ranges that were
/// written.
fn touched(known: Option<&Prepared>, now: &[u8]) -> Vec<Range<u64>> {
    let mut out: Vec<Range<u64>> = Vec::new();
    let was = known.map_or(0, |file| file.size);
    for at in 0..was.max(now.len() as u64) {
        let same = match (now.get(at as usize), known) {
            (None, _) => false,
            (Some(byte), Some(file)) if at < was => *byte == before(file, at),
            (Some(byte), _) => *byte != WRITTEN,
        };
        match out.last_mut() {
            _ if same => {}
            Some(last) if last.end == at => last.end += 1,
            _ => out.push(at..at + 1),
        }
    }
    out
}

/// Returns the union of two lists of ranges, in order and without overlaps.
fn union(a: &[Range<u64>], b: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut all: Vec<Range<u64>> = a.iter().chain(b).cloned().collect();
    all.sort_by_key(|range| range.start);
    let mut out: Vec<Range<u64>> = Vec::new();
    for range in all {
        match out.last_mut() {
            Some(last) if last.end >= range.start => last.end = last.end.max(range.end),
            _ => out.push(range),
        }
    }
    out
}

/// Returns the parts of `a` outside `b`, which has no overlaps.
fn beyond(a: &[Range<u64>], b: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut out = Vec::new();
    for range in a {
        let mut from = range.start;
        for other in b.iter().filter(|other| other.end > range.start && other.start < range.end) {
            if other.start > from {
                out.push(from..other.start);
            }
            from = from.max(other.end);
        }
        if from < range.end {
            out.push(from..range.end);
        }
    }
    out
}

fn shown(ranges: &[Range<u64>]) -> String {
    let mut text: Vec<String> = ranges.iter().take(6).map(|r| format!("{}-{}", r.start, r.end)).collect();
    if ranges.len() > 6 {
        text.push(format!("... ({} ranges up to {})", ranges.len(), ranges.last().map_or(0, |r| r.end)));
    }
    format!("[{}]", text.join(" "))
}

/// fathom and fio, which run the same cases, and the directory in which they run.
struct Both<'a> {
    fathom: &'a Tool,
    fio: &'a Tool,
    place: &'a Place,
    /// Number of jobs that never end in fio.
    endless: &'a AtomicUsize,
    /// Number of jobs in which a signal ends fio.
    crashed: &'a AtomicUsize,
}

impl Both<'_> {
    fn compare(&self, case: &Case) -> Result<Vec<String>> {
        let theirs = match perform(self.fio, self.place, case, None) {
            // Some jobs never end in fio 3.33, so that nothing can be compared.
            Err(e) if e.is::<Overran>() => {
                self.endless.fetch_add(1, Relaxed);
                println!("n/a  {e}");
                return Ok(Vec::new());
            }
            done => done?,
        };
        let ours = match perform(self.fathom, self.place, case, None) {
            Err(e) if e.is::<Overran>() => return Ok(vec![e.to_string()]),
            done => done?,
        };
        let mut out = Vec::new();
        // If fio was terminated by a signal, its exit status is not compared; the bytes that it touched are.
        let crashed = theirs.stderr.contains("got signal=");
        if crashed {
            self.crashed.fetch_add(1, Relaxed);
            println!("n/a  exit status: fio dies from a signal: {}", case.text());
        }
        if theirs.fine != ours.fine && !crashed && !self.may_end_so(case, ours.fine)? {
            let said = |after: &After| after.stderr.lines().next().unwrap_or_default().to_string();
            let word = |after: &After| if after.fine { "succeeds" } else { "fails" };
            out.push(format!(
                "exit: fio {} {:?}, fathom {} {:?}",
                word(&theirs),
                said(&theirs),
                word(&ours),
                said(&ours)
            ));
        }
        if case.certain() {
            exact(&theirs, &ours, case.keeps_region(), &mut out);
        } else {
            self.by_chance(case, theirs, ours, &mut out)?;
        }
        Ok(out)
    }

    /// Returns whether some seed makes fio end with the given success, for jobs with random file lengths.
    fn may_end_so(&self, case: &Case, fine: bool) -> Result<bool> {
        for seed in (1..=SEEDS_OF_FIO).filter(|_| case.draws_lengths()) {
            match perform(self.fio, self.place, case, Some(seed * 7919)) {
                Err(e) if e.is::<Overran>() => return Ok(false),
                done => {
                    if done?.fine == fine {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Compares jobs with random choices: fathom must stay within the region that fio touches with any seed, and reach
    /// as far as fio.
    fn by_chance(&self, case: &Case, theirs: After, ours: After, out: &mut Vec<String>) -> Result<()> {
        let reached = |found: &Found| {
            let (first, last) = (found.touched.first(), found.touched.last());
            (first.map_or(u64::MAX, |r| r.start), last.map_or(0, |r| r.end), found.size)
        };
        let within = |inner: &Found, outer: &Found| {
            let (a, b) = (reached(inner), reached(outer));
            a.0 >= b.0 && a.1 <= b.1 && a.2 <= b.2
        };
        let inside = |inner: &Found, outer: &Found| match case.scattered() {
            true => within(inner, outer),
            false => {
                let allocated = beyond(&inner.allocated, &outer.allocated).is_empty();
                allocated && beyond(&inner.touched, &outer.touched).is_empty() && inner.size <= outer.size
            }
        };
        let both = theirs.fine && ours.fine;
        let nothing = Found::default();
        let (first_of_fio, first_of_ours) = (theirs.files.clone(), ours.files.clone());
        let open = |wanted: &BTreeMap<String, Found>,
                    known: &BTreeMap<String, Found>,
                    fits: &dyn Fn(&Found, &Found) -> bool| {
            wanted.iter().any(|(name, found)| !fits(found, known.get(name).unwrap_or(&nothing)))
        };
        let add = |known: &mut BTreeMap<String, Found>, more: &After| {
            for (name, found) in &more.files {
                let sum = known.entry(name.clone()).or_default();
                sum.touched = union(&sum.touched, &found.touched);
                sum.allocated = union(&sum.allocated, &found.allocated);
                sum.size = sum.size.max(found.size);
            }
        };
        let mut known = theirs.files;
        let mut seed = 0;
        while seed < SEEDS_OF_FIO && open(&first_of_ours, &known, &inside) {
            seed += 1;
            match perform(self.fio, self.place, &case.unlimited(seed % 2 == 0), Some(seed * 7919)) {
                Err(e) if e.is::<Overran>() => break,
                done => add(&mut known, &done?),
            }
        }
        for (name, found) in &first_of_ours {
            let sum = known.get(name).unwrap_or(&nothing);
            if !inside(found, sum) {
                let touched = beyond(&found.touched, &sum.touched);
                let allocated = beyond(&found.allocated, &sum.allocated);
                out.push(format!(
                "{name}: fathom touches {}, allocates {} and fio, over {seed} seeds, does not; {} bytes long, with fio at most {}",
                shown(&touched),
                shown(&allocated),
                found.size,
                sum.size
            ));
            }
        }
        if !both || !case.reaches_all() {
            return Ok(());
        }
        let mut known = ours.files;
        let mut seed = 0;
        while seed < SEEDS_OF_OURS && open(&first_of_fio, &known, &within) {
            seed += 1;
            add(
                &mut known,
                &perform(self.fathom, self.place, &case.unlimited(seed % 2 == 0), Some(seed * 7919))?,
            );
        }
        for (name, found) in &first_of_fio {
            let sum = known.get(name).unwrap_or(&nothing);
            if !within(found, sum) {
                out.push(format!(
                    "{name}: fio touches {:?} (first, end, length), fathom over {seed} seeds {:?}",
                    reached(found),
                    reached(sum)
                ));
            }
        }
        Ok(())
    }
}

/// Compares jobs without random choices: every byte, length and allocation must be the same. If a job fails in both
/// tools, fathom must only stay within fio's region.
fn exact(theirs: &After, ours: &After, both_ways: bool, out: &mut Vec<String>) {
    let nothing = Found::default();
    let names: std::collections::BTreeSet<&String> = theirs.files.keys().chain(ours.files.keys()).collect();
    for name in names {
        let (a, b) = (theirs.files.get(name), ours.files.get(name));
        if theirs.fine && ours.fine && a.is_some() != b.is_some() {
            out.push(format!("{name}: there after fio: {}, after fathom: {}", a.is_some(), b.is_some()));
        }
        let (a, b) = (a.unwrap_or(&nothing), b.unwrap_or(&nothing));
        let more = beyond(&b.touched, &a.touched);
        if !more.is_empty() {
            out.push(format!("{name}: fathom touches {} and fio does not", shown(&more)));
        }
        if !theirs.fine || !ours.fine || !both_ways {
            continue;
        }
        let less = beyond(&a.touched, &b.touched);
        if !less.is_empty() {
            out.push(format!("{name}: fio touches {} and fathom does not", shown(&less)));
        }
        if a.size != b.size {
            out.push(format!("{name}: {} bytes long after fio, {} after fathom", a.size, b.size));
        }
        if a.allocated != b.allocated {
            let (more, less) = (beyond(&b.allocated, &a.allocated), beyond(&a.allocated, &b.allocated));
            out.push(format!(
                "{name}: fathom allocates {} more and {} less than fio",
                shown(&more),
                shown(&less)
            ));
        }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)] // a list of ranges may have one
mod tests {
    use super::*;

    #[test]
    fn ranges_are_joined_and_subtracted() {
        let joined = union(&[0..4, 10..12], &[4..6, 11..20]);
        assert_eq!(joined, [0..6, 10..20]);
        assert_eq!(beyond(&[0..30], &joined), [6..10, 20..30]);
        assert!(beyond(&[1..3, 12..20], &joined).is_empty());
    }

    #[test]
    fn a_case_is_its_text() {
        let mut dice = Dice::new(7);
        for _ in 0..200 {
            let case = cases::draw(&mut dice);
            assert_eq!(Case::given(&case.text()).unwrap().text(), case.text());
        }
    }

    #[test]
    fn bytes_that_changed_or_are_gone_are_touched() {
        let file = Prepared { name: "t".into(), size: 1000, hole: false };
        let mut now: Vec<u8> = (0..900).map(|at| before(&file, at)).collect();
        now[10..20].fill(WRITTEN);
        now[30] = 0;
        assert_eq!(touched(Some(&file), &now), [10..20, 30..31, 900..1000]);
        assert_eq!(touched(None, &[0, 0, WRITTEN]), [2..3]);
    }
}
