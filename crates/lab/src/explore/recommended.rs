//! A job file of fio that measures again what a study recommends.

use stats::study::{Access, Cell, Claim, Question, Study};
use std::fmt::Write;

/// One job for each pattern and target at its knee, long enough; runs under fio and fathom alike.
pub(super) fn job_file(study: &Study) -> String {
    let mut text = format!(
        "; Recommended by fathom {}: each pattern at the fewest in flight that reach 95 % of the most.\n[global]\nioengine={}\ndirect=1\nnorandommap\ntime_based\ngroup_reporting\n",
        study.version,
        if study.asked.engine == "model" { "null" } else { &study.asked.engine }
    );
    let mut jobs = 0;
    for (at, target) in study.targets.iter().enumerate() {
        for access in &study.asked.patterns {
            let mine = |q: Question| {
                let is_it = move |c: &&stats::study::Conclusion| {
                    c.target == at && c.access == *access && c.question == q
                };
                study.conclusions.iter().filter(is_it)
            };
            let depth = mine(Question::Depth).find_map(|c| match c.claim {
                // The next step where the knee itself leaves out more than three percent.
                Claim::Knee { in_flight, there, .. } if there.value < 0.97 * c.estimate.value => {
                    Some((super::depth::GRID.into_iter().find(|n| *n > in_flight).unwrap_or(in_flight), 1))
                }
                Claim::Knee { in_flight, .. } | Claim::Drifts { in_flight, .. } => Some((in_flight, 1)),
                Claim::NoKnee { up_to, .. } => Some((up_to, 1)),
                Claim::OneLimit { .. } => Some((1, 1)),
                Claim::Generator { in_flight, jobs, .. } => Some((in_flight.div_ceil(jobs), jobs)),
                _ => None,
            });
            let Some((depth, numjobs)) = depth else { continue };
            let Cell { depth, jobs: numjobs, .. } = Cell::of(at, access, depth * numjobs, numjobs);
            let seconds = mine(Question::Runtime)
                .find_map(|c| matches!(c.claim, Claim::Runtime { .. }).then_some(c.estimate.value))
                .unwrap_or(10.0);
            let _ = write!(
                text,
                "\n[{}{}]\nstonewall\n",
                name(access),
                if at > 0 { format!("-{}", at + 1) } else { String::new() }
            );
            if target.scratch {
                // The scratch file of the study is gone: fio makes one of the same size.
                let _ = writeln!(text, "filename=fathom-scratch.{at}\nsize={}", target.size);
            } else if study.asked.engine == "model" {
                let _ = writeln!(text, "size=1g");
            } else {
                let name = target.name.replace('\\', "\\\\").replace(':', "\\:");
                let _ = writeln!(text, "filename={name}\nsize={}", target.size);
            }
            let _ = writeln!(text, "rw={}\nbs={}", access.rw, access.bs);
            if let Some(sync) = access.sync {
                let _ = writeln!(text, "{sync}");
            }
            if let Some(reads) = access.reads {
                let _ = writeln!(text, "rwmixread={reads}");
            }
            let _ = writeln!(
                text,
                "iodepth={depth}\nnumjobs={numjobs}\nramp_time=1\nruntime={}",
                (seconds.ceil() as u64).clamp(10, 600)
            );
            jobs += 1;
        }
    }
    if jobs == 0 { String::new() } else { text }
}

/// `4k-randread`.
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
