//! Findings about a study, collected from its steps: limits of control groups, other load on the device, and lack of CPU.

use super::sample::PtsSample;
use crate::finding::{Claim, Finding, Grade, grade_of};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// A finding with the number of steps for which it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PtsFinding {
    /// Rule that made the finding, such as `M33`.
    pub rule: String,
    /// Best grade that a study with this finding can have.
    pub grade: Grade,
    /// The finding, with the evidence of all these steps together.
    pub finding: Finding,
    /// Number of measured steps for which it holds.
    pub steps: u32,
    /// Number of all measured steps.
    pub all_steps: u32,
}

impl PtsFinding {
    /// Returns the findings of these samples, each once, the worst first.
    pub fn of(samples: &[&PtsSample]) -> Vec<PtsFinding> {
        let mut found: Vec<PtsFinding> = Vec::new();
        for finding in samples.iter().flat_map(|sample| &sample.findings) {
            match found.iter_mut().find(|known| same(&known.finding.claim, &finding.claim)) {
                Some(known) => {
                    known.steps += 1;
                    add(&mut known.finding.claim, &finding.claim);
                }
                None => found.push(PtsFinding {
                    rule: finding.claim.rule().to_owned(),
                    grade: Grade::default(),
                    finding: Finding::new(String::new(), finding.claim.clone()),
                    steps: 1,
                    all_steps: samples.len() as u32,
                }),
            }
        }
        for known in &mut found {
            known.grade = known.finding.claim.grade();
        }
        found.sort_by_key(|known| (Reverse(known.grade), Reverse(known.steps)));
        found
    }

    /// Returns the grade of a study with these findings.
    pub fn grade_of(found: &[PtsFinding]) -> Grade {
        found.iter().map(|known| known.grade).max().unwrap_or_default()
    }
}

impl PtsSample {
    /// Returns the grade of the step.
    pub fn grade(&self) -> Grade {
        grade_of(&self.findings)
    }
}

/// Returns whether two steps have the same finding, with evidence of their own.
fn same(a: &Claim, b: &Claim) -> bool {
    use Claim::*;
    match (a, b) {
        (Cap { device, iops, limit, .. }, Cap { device: other, iops: unit, limit: its, .. }) => {
            (device, iops, limit) == (other, unit, its)
        }
        (OtherLoad { device, .. }, OtherLoad { device: other, .. })
        | (Rebuilding { device, .. }, Rebuilding { device: other, .. }) => device == other,
        _ => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Adds the evidence of another step: sums of bytes and times, the largest of shares.
fn add(to: &mut Claim, more: &Claim) {
    use Claim::*;
    match (to, more) {
        (
            OtherLoad { device_bytes, app_bytes, .. },
            OtherLoad { device_bytes: device_more, app_bytes: app_more, .. },
        ) => {
            for at in [0, 1] {
                device_bytes[at] = device_bytes[at].saturating_add(device_more[at]);
                app_bytes[at] = app_bytes[at].saturating_add(app_more[at]);
            }
        }
        (CpuContention { waited_percent }, CpuContention { waited_percent: other }) => {
            *waited_percent = waited_percent.max(*other);
        }
        (Generator { percent }, Generator { percent: other }) => *percent = percent.max(*other),
        (
            CpuTakenAway { throttled_ms, steal_percent },
            CpuTakenAway { throttled_ms: other_ms, steal_percent: other },
        ) => {
            *throttled_ms = throttled_ms.saturating_add(*other_ms);
            *steal_percent = steal_percent.max(*other);
        }
        (Stopped { stopped_ms, share_percent }, Stopped { stopped_ms: other_ms, share_percent: other }) => {
            *stopped_ms = stopped_ms.saturating_add(*other_ms);
            *share_percent = share_percent.max(*other);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pts::{PtsLoad, PtsPhase, PtsPlace};

    fn sample(claims: &[Claim]) -> PtsSample {
        let finding = |claim: &Claim| Finding::new("pts".into(), claim.clone());
        PtsSample {
            place: PtsPlace { phase: PtsPhase::Round, part: 0, round: 1, cell: 0 },
            load: PtsLoad::random(0, 4096, 1, 1),
            began_ms: 0,
            idle_s: 0.0,
            seconds: 1.0,
            ios: [0, 1],
            bytes: [0, 4096],
            iops: 1.0,
            bytes_per_second: 4096.0,
            mean_ns: 1.0,
            max_ns: 1,
            p99999_ns: None,
            cpu_percent: 0.0,
            errors: 0,
            celsius: None,
            findings: claims.iter().map(finding).collect(),
            latencies: Default::default(),
        }
    }

    /// Each finding is said once, with the number of its steps and the evidence of all of them.
    #[test]
    fn findings_of_steps_are_collected_with_their_number() {
        let cap = |limit, seen| Claim::Cap { device: "loop0".into(), server: false, iops: true, limit, seen };
        let waited = |waited_percent| Claim::CpuContention { waited_percent };
        let load = |more: u64| Claim::OtherLoad {
            device: "loop0".into(),
            device_bytes: [100 + more, 0],
            app_bytes: [100, 0],
            file_system: false,
        };
        let samples = [
            sample(&[cap(2000, 1999.0), waited(12.0)]),
            sample(&[cap(2000, 1990.0), load(5)]),
            sample(&[cap(2000, 2001.0), waited(20.0), load(15)]),
            sample(&[]),
        ];
        let found = PtsFinding::of(&samples.iter().collect::<Vec<_>>());
        let short: Vec<_> = found.iter().map(|f| (f.rule.as_str(), f.grade.letter(), f.steps)).collect();
        assert_eq!(short, [("M33", "C", 3), ("M22", "B", 2), ("M32", "B", 2)]);
        assert!(found.iter().all(|f| f.all_steps == 4 && f.finding.job.is_empty()), "{found:?}");
        assert_eq!(found[1].finding.claim, waited(20.0));
        let Claim::OtherLoad { device_bytes, app_bytes, .. } = &found[2].finding.claim else { panic!() };
        assert_eq!((device_bytes, app_bytes), (&[220, 0], &[200, 0]));
        assert_eq!(PtsFinding::grade_of(&found), Grade::Conditions);
        assert_eq!(PtsFinding::of(&[]), []);
    }
}
