//! Visits to a cell as one run.

use crate::finding::Finding;
use crate::result::RunResult;

/// Returns runs of the same jobs, one after the other, as one run: counts and latencies are those of all runs, and times
/// are added. What cannot be combined is left out: statistics of disks and the rate over time. `None` without runs.
pub fn combined(visits: &[RunResult]) -> Option<RunResult> {
    let (first, others) = visits.split_first()?;
    let mut all = first.clone();
    if others.is_empty() {
        return Some(all);
    }
    all.disks.clear();
    all.series.clear();
    for other in others {
        for (job, more) in all.jobs.iter_mut().zip(&other.jobs) {
            let members = job.members;
            let times: Vec<u64> = job
                .directions
                .iter()
                .zip(&more.directions)
                .map(|(a, b)| a.runtime_ms + b.runtime_ms)
                .collect();
            job.merge(more);
            job.members = members;
            for (direction, runtime_ms) in job.directions.iter_mut().zip(times) {
                direction.runtime_ms = runtime_ms;
                // Those of a group would add up rates that followed each other.
                (direction.bw_group, direction.iops_group) = (None, None);
            }
        }
        let new = |finding: &&Finding| all.findings.iter().all(|f| f.claim.rule() != finding.claim.rule());
        let more: Vec<Finding> = other.findings.iter().filter(new).cloned().collect();
        all.findings.extend(more);
        all.provenance.timestamp_ms = other.provenance.timestamp_ms;
        all.provenance.time.clone_from(&other.provenance.time);
        all.provenance.elapsed_ms += other.provenance.elapsed_ms;
    }
    let visits = visits.len() as f64;
    for job in &mut all.jobs {
        job.depth_reached /= visits;
    }
    Some(all)
}
