//! No byte is touched outside the region that fio touches: drawn jobs over files of known content.

mod cases;

use super::side_by_side;
use crate::Tally;
use crate::dice::Dice;
use crate::tool::{Overran, Tool};
use anyhow::Result;
use cases::{Case, Prepared};
use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::Path;
use std::time::Duration;
use testbed::Sandbox;

/// No drawn job takes longer than this, unless it never ends.
const LIMIT: Duration = Duration::from_secs(10);
/// How many seeds of fio's generators span the region that it can touch.
const SEEDS_OF_FIO: u64 = 24;
/// How many of ours are tried until they reach as far as fio did.
const SEEDS_OF_OURS: u64 = 12;
/// What every job writes (`buffer_pattern`); prepared content has no such byte, and no zero.
const WRITTEN: u8 = 0xff;

/// Compares `count` drawn jobs, or the given ones.
pub fn run(fathom: &Tool, fio: &Tool, seed: u64, count: usize, given: &[String]) -> Result<Tally> {
    let drawn: Vec<Case> = if given.is_empty() {
        println!("regions: seed {seed} (repeat with --seed {seed})");
        let mut dice = Dice::new(seed);
        (0..count).map(|_| cases::draw(&mut dice)).collect()
    } else {
        given.iter().map(|text| Case::given(text)).collect::<Result<_>>()?
    };
    let mut tally = Tally::default();
    let check = |case: &Case| {
        let problems = compare(fathom, fio, case)?;
        if !problems.is_empty() {
            // In one piece: others print beside it.
            let lines: String = problems.iter().take(12).map(|problem| format!("\n     {problem}")).collect();
            println!("FAIL xtask oracle --region '{}'{lines}", case.text());
        }
        Ok(problems)
    };
    for problems in side_by_side(&drawn, check) {
        tally.add(problems?.is_empty());
    }
    println!("regions: {} jobs, {} like fio, {} not", drawn.len(), tally.passed, tally.failed);
    Ok(tally)
}

/// What a run did to one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    /// Length in bytes afterwards.
    size: u64,
    /// Bytes that are allocated.
    allocated: u64,
    /// Ranges that are not as they were before: written, zeroed, or cut off.
    touched: Vec<Range<u64>>,
}

/// How a run ended, and the files it left.
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

/// The byte that a prepared file has there.
fn before(file: &Prepared, at: u64) -> u8 {
    if file.hole { 0 } else { 1 + (at / 64 % 251) as u8 }
}

fn perform(tool: &Tool, case: &Case, seed: Option<u64>) -> Result<After> {
    let sandbox = Sandbox::in_memory()?;
    case.files.iter().try_for_each(|file| prepare(sandbox.path(), file))?;
    let ran = tool.run(&case.args(seed), sandbox.path(), None, LIMIT)?;
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(sandbox.path())? {
        let (path, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name().to_string_lossy().into_owned())
        };
        let meta = std::fs::metadata(&path)?;
        let now = std::fs::read(&path)?;
        let known = case.files.iter().find(|file| file.name == name);
        let touched = touched(known, &now);
        files.insert(name, Found { size: meta.len(), allocated: meta.blocks() * 512, touched });
    }
    Ok(After { fine: ran.code == Some(0), stderr: ran.stderr, files })
}

/// Ranges of `now` that differ from what was there before; behind the former end those that are not zero.
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

/// Both lists together, in order and without overlaps.
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

/// The parts of `a` that are not in `b` (which has no overlaps).
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

fn compare(fathom: &Tool, fio: &Tool, case: &Case) -> Result<Vec<String>> {
    let theirs = match perform(fio, case, None) {
        // Some jobs never end in fio 3.33: there is nothing to compare with.
        Err(e) if e.is::<Overran>() => {
            println!("n/a  {e}");
            return Ok(Vec::new());
        }
        done => done?,
    };
    let ours = match perform(fathom, case, None) {
        Err(e) if e.is::<Overran>() => return Ok(vec![e.to_string()]),
        done => done?,
    };
    let mut out = Vec::new();
    if theirs.fine != ours.fine {
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
        by_chance(fathom, fio, case, theirs, ours, &mut out)?;
    }
    Ok(out)
}

/// Every byte, length and allocation is the same; of jobs that fail in both, nothing of ours is beyond fio's.
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
            out.push(format!("{name}: {} bytes allocated by fio, {} by fathom", a.allocated, b.allocated));
        }
    }
}

/// Where generators decide: ours stays in what some seed of fio's touches, and reaches as far as fio's did.
fn by_chance(
    fathom: &Tool,
    fio: &Tool,
    case: &Case,
    theirs: After,
    ours: After,
    out: &mut Vec<String>,
) -> Result<()> {
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
        false => beyond(&inner.touched, &outer.touched).is_empty() && inner.size <= outer.size,
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
            sum.size = sum.size.max(found.size);
        }
    };
    let unlimited = case.unlimited();
    let mut known = theirs.files;
    let mut seed = 0;
    while seed < SEEDS_OF_FIO && open(&first_of_ours, &known, &inside) {
        seed += 1;
        match perform(fio, &unlimited, Some(seed * 7919)) {
            Err(e) if e.is::<Overran>() => break,
            done => add(&mut known, &done?),
        }
    }
    for (name, found) in &first_of_ours {
        let sum = known.get(name).unwrap_or(&nothing);
        if !inside(found, sum) {
            let more = beyond(&found.touched, &sum.touched);
            out.push(format!(
                "{name}: fathom touches {} and fio, over {seed} seeds, does not; {} bytes long, with fio at most {}",
                shown(&more),
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
        add(&mut known, &perform(fathom, &unlimited, Some(seed * 7919))?);
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
