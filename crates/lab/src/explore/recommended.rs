//! Recommended loads: for each pattern and target the load at its knee, and a fio job file that measures it again.

use stats::converge::pooled;
use stats::study::{
    Access, Caveat, Cell, Conclusion, Estimate, Question, RecommendedLoad, Study, StudyClaim,
};
use std::fmt::Write;

/// Beginning of every recommended job file.
pub const HEAD: &str = "; Recommended by fathom";

/// Returns the recommended load of each pattern and target: the knee (or the depth of another answer), and a sufficient
/// runtime; none for a pattern of which I/Os failed.
pub(super) fn loads(study: &Study) -> Vec<RecommendedLoad> {
    let every = (0..study.targets.len()).flat_map(|t| study.asked.patterns.iter().map(move |a| (t, a)));
    every.filter_map(|(target, access)| load(study, target, access)).collect()
}

fn load(study: &Study, target: usize, access: &Access) -> Option<RecommendedLoad> {
    let mine = |q: Question| {
        let is_it = move |c: &&Conclusion| c.target == target && c.access == *access && c.question == q;
        study.conclusions.iter().filter(is_it)
    };
    let failed = |caveat: &Caveat| matches!(caveat, Caveat::Errors { .. });
    let conclusions = study.conclusions.iter().filter(|c| c.target == target && c.access == *access);
    if conclusions.flat_map(|c| &c.caveats).any(failed) {
        return None;
    }
    let found = mine(Question::Depth).find_map(|c| {
        let most = c.estimate;
        let noisy = c.caveats.contains(&Caveat::WithinNoise);
        let later = c.caveats.iter().find_map(|caveat| match caveat {
            Caveat::Changed { now } => Some(*now),
            _ => None,
        });
        let (depth, jobs, told) = Some(match c.claim {
            // Of the depths that noise does not distinguish, take the lowest that reaches the lower end of the
            // maximum's interval, unless that is far below the maximum itself.
            StudyClaim::Knee { in_flight, there, between: Some([least, _]), .. } if noisy => {
                let enough = (least..in_flight).find(|depth| {
                    let cell = Cell::of(target, access, *depth, 1);
                    visited(study, &cell)
                        .is_some_and(|rate| rate.value >= (0.95 * most.low).max(0.85 * most.value))
                });
                (enough.unwrap_or(in_flight), 1, there)
            }
            // Take the next step if the knee itself loses more than three percent.
            StudyClaim::Knee { in_flight, there, .. } if there.value < 0.97 * most.value => {
                let next = super::depth::GRID.into_iter().find(|n| *n > in_flight);
                (next.unwrap_or(in_flight), 1, most)
            }
            StudyClaim::Knee { in_flight, there, .. } => (in_flight, 1, there),
            StudyClaim::Drifts { in_flight, .. } => (in_flight, 1, most),
            StudyClaim::NoKnee { up_to, .. } => (up_to, 1, most),
            StudyClaim::OneLimit { .. } => (1, 1, most),
            StudyClaim::Generator { in_flight, jobs, .. } => (in_flight.div_ceil(jobs), jobs, most),
            _ => return None,
        })?;
        Some((depth, jobs, told, later))
    });
    let (depth, jobs, told, later) = found?;
    let cell = Cell::of(target, access, depth * jobs, jobs);
    // Use the visits of exactly this load, if there are some; after a change, use the present rate.
    let moved = mine(Question::Depth).any(|c| matches!(c.claim, StudyClaim::Moved { .. }));
    let measured = visited(study, &cell).filter(|_| told.value > 0.0 && jobs == 1 && !moved).unwrap_or(told);
    let iops = later.map_or(measured, |now| Estimate { value: now, low: 0.0, high: 2.0 * now });
    let length = mine(Question::Runtime)
        .find_map(|c| matches!(c.claim, StudyClaim::Runtime { .. }).then_some(c.estimate.value));
    // The depth is that of the jobs on each host.
    let hosts = study.asked.hosts.len().max(1) as u32;
    Some(RecommendedLoad {
        target,
        access: access.clone(),
        iodepth: cell.depth.div_ceil(hosts),
        numjobs: cell.jobs,
        runtime_s: (length.unwrap_or(0.0).ceil() as u64).clamp(10, 600),
        iops,
        mean_ns: f64::from(cell.in_flight()) / iops.value * 1e9,
    })
}

/// Returns the rate of a load, pooled over its visits for the depth question.
fn visited(study: &Study, cell: &Cell) -> Option<Estimate> {
    let visits = study.points.iter().filter(|p| p.cell == *cell && p.question == Question::Depth);
    let (rates, seconds): (Vec<_>, Vec<_>) = visits.map(|p| (p.iops, p.seconds - p.cut_s)).unzip();
    pooled(&rates, &seconds)
}

/// Returns a job file with one job for each recommended load, for fio and fathom; empty without recommended loads.
pub(super) fn job_file(study: &Study) -> String {
    let mut text = format!(
        "{HEAD} {}: each pattern at its recommended queue depth.\n[global]\nioengine={}\ndirect=1\nnorandommap\ntime_based\ngroup_reporting\n",
        study.version,
        if study.asked.engine == "model" { "null" } else { &study.asked.engine }
    );
    // Scratch objects on a server are gone, and a job does not write the objects that it reads.
    let gone = |load: &RecommendedLoad| {
        let target = &study.targets[load.target];
        target.scratch && job::remote::is_remote_target(&target.name)
    };
    for (index, load) in study.loads.iter().enumerate().filter(|(_, load)| !gone(load)) {
        let (at, access) = (load.target, &load.access);
        let target = &study.targets[at];
        let number = if at > 0 { format!("-{}", at + 1) } else { String::new() };
        let _ = write!(text, "\n[{}{number}]\nstonewall\n", name(access));
        if target.scratch {
            // The scratch file of the study is deleted: the job file has a file of the same size created in the same
            // directory. The last job of the target removes it; fio creates the files of all jobs before the first.
            let directory = std::path::absolute(&target.name).unwrap_or_else(|_| target.name.clone().into());
            let directory = escaped(&directory.to_string_lossy());
            let _ =
                writeln!(text, "directory={directory}\nfilename=fathom-scratch.{at}\nsize={}", target.size);
            if study.loads[index + 1..].iter().all(|later| later.target != at) {
                let _ = writeln!(text, "unlink=1");
            }
        } else if study.asked.engine == "model" {
            let _ = writeln!(text, "size=1g");
        } else if let Some(options) = job::remote::target_options(&target.name) {
            // The engine is one of them, and options of an engine come after it.
            for option in options {
                let _ = writeln!(text, "{}", option.trim_start_matches('-'));
            }
            let _ = writeln!(text, "size={}", target.size);
        } else {
            let _ = writeln!(text, "filename={}\nsize={}", escaped(&target.name), target.size);
        }
        let _ = writeln!(text, "rw={}\nbs={}", access.rw, access.bs);
        if let Some(sync) = access.sync {
            let _ = writeln!(text, "{sync}");
        }
        if let Some(reads) = access.reads {
            let _ = writeln!(text, "rwmixread={reads}");
        }
        let (depth, jobs, runtime_s) = (load.iodepth, load.numjobs, load.runtime_s);
        let _ = writeln!(text, "iodepth={depth}\nnumjobs={jobs}\nramp_time=1\nruntime={runtime_s}");
    }
    if study.loads.iter().all(gone) { String::new() } else { text }
}

/// Returns a path as a value of `filename` or `directory`, in which colons separate paths.
fn escaped(path: &str) -> String {
    path.replace('\\', "\\\\").replace(':', "\\:")
}

/// Returns the name of a pattern, such as `4k-randread`.
pub(crate) fn name(access: &Access) -> String {
    let bs = match access.bs {
        b if b >= 1 << 20 && b % (1 << 20) == 0 => format!("{}m", b >> 20),
        b if b >= 1024 && b % 1024 == 0 => format!("{}k", b >> 10),
        b => b.to_string(),
    };
    let reads = access.reads.map(|r| r.to_string()).unwrap_or_default();
    let sync = access.sync.map(|sync| format!("-{sync}")).unwrap_or_default();
    format!("{bs}-{}{reads}{sync}", access.rw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::study::StudyTarget;

    /// Run from another directory, the jobs create the file where the study had it, and the last one removes it.
    #[test]
    fn scratch_file_is_in_the_directory_of_the_target_and_removed() {
        let load = |rw: &str| RecommendedLoad {
            target: 0,
            access: Access { bs: 4096, rw: rw.into(), ..Access::default() },
            iodepth: 8,
            numjobs: 1,
            runtime_s: 10,
            iops: Estimate::bare(1000.0),
            mean_ns: 8e6,
        };
        let target =
            StudyTarget { name: "/srv/a:b".into(), size: 1 << 30, scratch: true, ..StudyTarget::default() };
        let study = Study {
            targets: vec![target],
            loads: vec![load("randread"), load("randwrite")],
            ..Study::default()
        };
        let text = job_file(&study);
        let jobs: Vec<&str> = text.split("\n[").skip(2).collect();
        assert_eq!(jobs.len(), 2, "{text}");
        let place = "directory=/srv/a\\:b\nfilename=fathom-scratch.0\n";
        assert!(jobs.iter().all(|job| job.contains(place)), "{text}");
        let removes: Vec<bool> = jobs.iter().map(|job| job.contains("unlink=1")).collect();
        assert_eq!(removes, [false, true], "{text}");
    }
}
