//! Several targets of one job on the command line of `fathom run`: each has a job of its own, so that each is measured
//! by itself. fio has one job that alternates between its files, at the rate of the slowest.

use crate::spec::{JobSpec, Place, Typed};
use std::path::Path;

/// Options that describe one job over several files; with one of them the job keeps its files together.
const TOGETHER: [&str; 6] = ["file_service_type", "nrfiles", "openfiles", "opendir", "read_iolog", "profile"];
/// Engines whose `filename` is no list of files.
const NO_FILES: [&str; 2] = ["net", "netsplice"];

/// Adds targets to the files of a job.
pub(crate) fn add(spec: &mut JobSpec, targets: &[String]) {
    if !targets.is_empty() {
        let mut names = spec.filename.take().unwrap_or_default();
        names.extend(targets.iter().cloned());
        set(spec, names);
    }
}

/// Sets the files of a job, as if they had been typed.
fn set(spec: &mut JobSpec, names: Vec<String>) {
    let typed: Vec<String> = names.iter().map(|name| name.replace(':', "\\:")).collect();
    let value = Some(typed.join(":"));
    spec.typed.push(Typed { name: "filename", value, place: Place::CommandLine });
    spec.filename = Some(names);
}

/// Returns one job for each of several files of a job; only the job itself if it has one file or describes how it
/// serves its files.
pub(crate) fn parts(spec: &JobSpec) -> Vec<JobSpec> {
    let names = spec.filename.clone().unwrap_or_default();
    let mut distinct = names.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let name = spec.name.clone().unwrap_or_default();
    let together = spec.typed.iter().any(|typed| TOGETHER.contains(&typed.name));
    if distinct.len() < names.len() || together || NO_FILES.contains(&spec.engine()) || names.len() < 2 {
        let mut spec = spec.clone();
        if let [only] = names.as_slice() {
            spec.name = Some(if name.is_empty() { label(only, &names) } else { name });
        }
        return vec![spec];
    }
    let part = |(at, file): (usize, &String)| {
        let mut part = spec.clone();
        let label = label(file, &names);
        part.name = Some(if name.is_empty() { label } else { format!("{name}-{label}") });
        set(&mut part, vec![file.clone()]);
        if at > 0 {
            // All of them start together.
            (part.stonewall, part.new_group) = (None, None);
        }
        part
    };
    names.iter().enumerate().map(part).collect()
}

/// Returns the name of a file without its directory, or its path if another file has the same name.
fn label(file: &str, all: &[String]) -> String {
    let base = |path: &str| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
    let mine = base(file);
    let alone = all.iter().filter(|other| base(other) == mine).count() == 1;
    mine.filter(|_| alone).unwrap_or_else(|| file.to_owned())
}
