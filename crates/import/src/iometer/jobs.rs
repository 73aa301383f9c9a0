//! Document to jobs: one job for each target of a worker in each test; the jobs of a test run together, the tests one
//! after the other.

use super::cycle::{Active, points};
use super::document::*;
use super::fault::ConversionFault;
use job::access_spec;
use stats::iometer::TestPlace;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Name of the file in a directory, as Iometer calls it.
pub const FILE_NAME: &str = "iobw.tst";
/// First line of a job file that was made from a configuration file.
const HEAD: &str = "; fathom iometer";
/// Bytes of a sector.
const SECTOR: u64 = 512;
/// Runtime of a test without run time, which ends when it is stopped.
const ENDLESS: &str = "365d";

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A directory.
    Directory,
    /// A device, or a file that is not empty.
    Filled,
    /// Nothing, or an empty file.
    Empty,
}

/// Places of the targets of a document.
pub struct Places<'a> {
    /// `TARGET=PATH` or `TARGET=PATH,SIZE`, as typed.
    pub typed: &'a [String],
    /// Returns what a path is.
    pub look: &'a dyn Fn(&Path) -> Place,
}

/// A target with its place.
struct Found {
    path: PathBuf,
    size: Option<u64>,
}

/// Names by which a target may be called, in lower case: the whole name, what stands before the label, and the label.
fn names(target: &str) -> Vec<String> {
    let mut names = vec![target.to_lowercase()];
    if let Some((before, label)) = target.split_once('"') {
        let before = before.trim();
        names.push(before.to_lowercase());
        names.push(before.trim_end_matches(':').to_lowercase());
        names.push(label.trim_end_matches('"').to_lowercase());
    } else {
        names.push(target.trim_end_matches(':').to_lowercase());
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns whether `typed` names the target of this manager.
fn is_called(typed: &str, manager: &str, target: &str) -> bool {
    let typed = typed.trim().to_lowercase();
    let own = typed.strip_prefix(&manager.to_lowercase()).and_then(|rest| rest.strip_prefix('/'));
    let names = names(target);
    names.contains(&typed) || own.is_some_and(|own| names.iter().any(|name| name == own))
}

fn targets(document: &Document) -> Vec<(&str, &str)> {
    let managers = document.managers.as_deref().unwrap_or_default();
    let mut all = Vec::new();
    for manager in managers {
        for target in manager.workers.iter().filter(|w| !w.specs.is_empty()).flat_map(|w| &w.targets) {
            let pair = (manager.name.as_str(), target.name.as_str());
            if !all.contains(&pair) {
                all.push(pair);
            }
        }
    }
    all
}

/// Returns the names of the targets without a place.
pub fn unmapped(document: &Document, typed: &[String]) -> Vec<String> {
    let has_place = |(manager, target): &(&str, &str)| {
        typed.iter().any(|text| splits(text).any(|(name, _)| is_called(name, manager, target)))
    };
    let mut names: Vec<String> = Vec::new();
    for (_, target) in targets(document).into_iter().filter(|target| !has_place(target)) {
        if !names.iter().any(|name| name == target) {
            names.push(target.to_owned());
        }
    }
    names
}

/// Returns the ways to cut `TARGET=PATH`: a name may contain an equals sign.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..]))
}

/// Returns the place of each target, in the order of [`targets`].
fn places(document: &Document, places: &Places<'_>) -> Result<Vec<Found>, ConversionFault> {
    let all = targets(document);
    let mut strangers = Vec::new();
    let mut of: Vec<Option<&str>> = vec![None; all.len()];
    for typed in places.typed {
        let called = |name: &str| -> Vec<usize> {
            (0..all.len()).filter(|at| is_called(name, all[*at].0, all[*at].1)).collect()
        };
        let found =
            splits(typed).map(|(name, path)| (name, path, called(name))).find(|(_, _, of)| !of.is_empty());
        let Some((name, path, called)) = found else {
            strangers.push(typed.split('=').next().unwrap_or_default().to_owned());
            continue;
        };
        let mut distinct: Vec<&str> = called.iter().map(|at| all[*at].1).collect();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.len() > 1 {
            let targets = distinct.into_iter().map(str::to_owned).collect();
            return Err(ConversionFault::Ambiguous { named: name.to_owned(), targets });
        }
        called.into_iter().for_each(|at| of[at] = Some(path));
    }
    if !strangers.is_empty() {
        let targets = unmapped(document, &[]);
        return Err(ConversionFault::NoSuchTarget { named: strangers, targets });
    }
    let missing = unmapped(document, places.typed);
    if !missing.is_empty() {
        return Err(ConversionFault::Unmapped { targets: missing });
    }
    of.into_iter().map(|path| place(path.unwrap_or_default())).collect()
}

/// Returns whether a text was meant as a size: digits behind a sign or none, and the letters of a unit.
fn is_like_size(text: &str) -> bool {
    let number = text.strip_prefix(['-', '+']).unwrap_or(text);
    let unit = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    number.starts_with(|c: char| c.is_ascii_digit())
        && unit.len() <= "KiB".len()
        && unit.chars().all(|c| c.is_ascii_alphabetic())
}

fn place(text: &str) -> Result<Found, ConversionFault> {
    let sized = text.rsplit_once(',').and_then(|(path, size)| {
        let number = job::unit::integer(size.trim(), 1024).ok().filter(|number| number.rest.is_empty())?;
        Some((path, u64::try_from(number.value).ok().filter(|size| *size > 0)?))
    });
    if sized.is_none()
        && let Some((_, size)) = text.rsplit_once(',').filter(|(_, size)| is_like_size(size.trim()))
    {
        return Err(ConversionFault::BadSize { text: text.to_owned(), size: size.trim().to_owned() });
    }
    let (path, size) = sized.map_or((text, None), |(path, size)| (path, Some(size)));
    // A job file would cut or replace the path at these.
    let cut = |c: char| c.is_control() || ";#$".contains(c);
    if path.is_empty() || path.trim() != path || path.contains(cut) {
        return Err(ConversionFault::BadPath { text: text.to_owned() });
    }
    Ok(Found { path: path.into(), size })
}

/// Returns the job file of a document.
///
/// # Errors
/// The document has nothing to run, something that fathom does not do, or targets without a place.
pub fn job_file(document: &Document, stated: &Places<'_>) -> Result<String, ConversionFault> {
    let setup = document.setup.clone().unwrap_or_default();
    let managers = document.managers.as_deref().unwrap_or_default();
    if managers.iter().all(|manager| manager.workers.is_empty()) {
        return Err(ConversionFault::NoWorkers);
    }
    for worker in
        managers.iter().flat_map(|manager| &manager.workers).filter(|worker| !worker.specs.is_empty())
    {
        let worker_name = || worker.name.clone();
        if matches!(worker.kind, Some(WorkerKind::Network(_))) {
            return Err(ConversionFault::Network { worker: worker_name() });
        }
        if worker.settings.as_ref().and_then(|settings| settings.queue).is_some_and(|queue| queue.1) {
            return Err(ConversionFault::ConnectionRate { worker: worker_name() });
        }
    }
    let points = points(document)?;
    let tests = managers.iter().flat_map(|m| &m.workers).map(|worker| worker.specs.len()).max().unwrap_or(0);
    let found = places(document, stated)?;
    let seconds = setup.run_s();
    let mut text = format!("{HEAD}\n[global]\nioengine=libaio\ndirect=1\ntime_based=1\n");
    let runtime = if seconds > 0 { format!("{seconds}s") } else { ENDLESS.to_owned() };
    let _ = writeln!(text, "runtime={runtime}");
    if let Some(ramp) = setup.ramp_s.filter(|ramp| *ramp > 0) {
        let _ = writeln!(text, "ramp_time={ramp}s");
    }
    let targets = targets(document).into_iter().zip(found).collect();
    let maker = Maker { document, setup: &setup, managers, targets, look: stated.look };
    let mut number = 0;
    for test in 0..tests {
        for point in &points {
            number += u32::from(maker.test(&mut text, test, point, number + 1)?);
        }
    }
    if number == 0 { Err(ConversionFault::NothingToRun) } else { Ok(text) }
}

struct Maker<'a> {
    document: &'a Document,
    setup: &'a TestSetup,
    managers: &'a [Manager],
    /// Manager, name and place of each target.
    targets: Vec<((&'a str, &'a str), Found)>,
    look: &'a dyn Fn(&Path) -> Place,
}

impl Maker<'_> {
    /// Appends the jobs of one test; returns whether there are any.
    fn test(
        &self,
        text: &mut String,
        test: usize,
        point: &[Active],
        number: u32,
    ) -> Result<bool, ConversionFault> {
        let mut any = false;
        for active in point {
            let worker = &self.managers[active.manager].workers[active.worker];
            let Some(spec) = worker.specs.get(test) else { continue };
            for target in &worker.targets[..active.targets] {
                self.job(text, active, (spec, target), (number, !any && number > 1))?;
                any = true;
            }
        }
        Ok(any)
    }

    fn job(
        &self,
        text: &mut String,
        active: &Active,
        (spec, target): (&str, &Target),
        (number, waits): (u32, bool),
    ) -> Result<(), ConversionFault> {
        let manager = &self.managers[active.manager];
        let worker = &manager.workers[active.worker];
        let settings = worker.settings.clone().unwrap_or_default();
        let disk = settings.disk.unwrap_or_default();
        let specs = self.document.specs.as_deref().unwrap_or_default();
        let Some(of) = specs.iter().find(|known| known.name == spec) else { return Ok(()) };
        let place = TestPlace {
            test: number,
            test_type: position(&TestType::ALL, self.setup.test_type.unwrap_or_default()),
            record: self.setup.record.unwrap_or_default().name().to_owned(),
            title: self.setup.description.join(" "),
            spec: of.name.clone(),
            assignment: position(&Assignment::ALL, of.assignment),
            manager_id: manager.id,
            manager: manager.name.clone(),
            worker_number: self.worker_number(active),
            worker: worker.name.clone(),
            target: target.name.clone(),
            starting_sector: disk.start,
            sectors: disk.sectors,
        };
        let title = format!("{number}. {spec}, {}, {}, {}", manager.name, worker.name, target.name);
        let plain = |c: char| if c.is_alphanumeric() || " .,:%-_".contains(c) { c } else { '_' };
        let plain = title.chars().filter(|c| *c != '"').map(plain);
        let _ = writeln!(text, "\n[{}]", plain.collect::<String>());
        let mut option = |name: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(text, "{name}={value}");
        };
        if waits {
            option("stonewall", &1);
        }
        option("description", &place.encode());
        option("access_spec", &access_spec::text(&of.lines));
        option("iodepth", &active.outstanding);
        let is_it = |known: &&((&str, &str), Found)| known.0 == (&manager.name, &target.name);
        let Some((_, found)) = self.targets.iter().find(is_it) else { return Ok(()) };
        let in_directory = (self.look)(&found.path) == Place::Directory;
        let path = if in_directory { found.path.join(FILE_NAME) } else { found.path.clone() };
        let size = if disk.sectors > 0 { Some(disk.sectors * SECTOR) } else { found.size };
        if in_directory && size.is_none() && (self.look)(&path) != Place::Filled {
            return Err(ConversionFault::NoSize { target: target.name.clone() });
        }
        option("filename", &path.display().to_string().replace('\\', "\\\\").replace(':', "\\:"));
        if disk.start > 0 {
            option("offset", &(disk.start * SECTOR));
        }
        if let Some(size) = size {
            option("size", &size);
        }
        match settings.seed {
            Some((true, seed)) => option("randseed", &seed),
            _ => option("randrepeat", &0),
        }
        match disk.pattern {
            Some(1) => option("scramble_buffers", &0),
            Some(2) => option("refill_buffers", &1),
            _ => option("buffer_pattern", &"0x61"),
        }
        Ok(())
    }

    /// Returns the number of a worker among all workers of the document, from 1.
    fn worker_number(&self, active: &Active) -> u32 {
        let before: usize = self.managers[..active.manager].iter().map(|manager| manager.workers.len()).sum();
        (before + active.worker + 1) as u32
    }
}

fn position<T: PartialEq>(all: &[T], one: T) -> u32 {
    all.iter().position(|other| *other == one).unwrap_or(0) as u32
}
