//! Findings about a run with their evidence, their order, and the grade of the run.

mod claim;
mod grade;

pub use claim::{Claim, LEAST_IOS, Unmeasured};
pub use grade::Grade;
use serde::{Deserialize, Serialize};

/// Circumstance that distorts a figure or that the reader of the figure has to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the job that the finding is about; empty for the whole run.
    pub job: String,
    /// The claim with its evidence.
    pub claim: Claim,
    /// Hosts that have the finding, in the sum of a run on several hosts; `None` elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found_on: Option<FoundOn>,
}

impl Finding {
    /// Returns a finding about the job with this name, or about the whole run if the name is empty.
    pub fn new(job: String, claim: Claim) -> Finding {
        Finding { job, claim, found_on: None }
    }
}

/// Hosts that have a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundOn {
    /// Their names, in the order of the command line.
    pub hosts: Vec<String>,
    /// Whether these are all hosts of the run that have a result.
    pub all: bool,
    /// Host whose figures the claim has, if the figures of the others differ.
    pub figures_of: Option<String>,
}

/// Kind of the statement of a claim. Findings of one grade are listed in this order of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// States the reason for the figures.
    Cause,
    /// Statement about the conditions of the measurement that is true for every such run on this target.
    Setting,
    /// Other work on the machine or device, which changes the figures but does not explain their level.
    Noise,
    /// States only how the figures look.
    Symptom,
}

impl Claim {
    fn kind(&self) -> Kind {
        use Claim::*;
        match self {
            Memory { .. }
            | BelowMemory { .. }
            | Overlay { .. }
            | ExportUnknown { .. }
            | SoftMount { .. }
            | SyncedAtEnd => Kind::Setting,
            OtherLoad { .. } | Rebuilding { .. } | CpuContention { .. } | CpusBusy { .. } => Kind::Noise,
            StepDown { .. }
            | Unsteady { .. }
            | RateDropped { .. }
            | TooShort { .. }
            | MeanHides { .. }
            | Stall { .. }
            | ServerSilent { .. }
            | Shallow { .. } => Kind::Symptom,
            _ => Kind::Cause,
        }
    }

    /// Returns whether the claim can be the reason why one machine is slower than others that run the same jobs.
    pub fn slows(&self) -> bool {
        use Claim::*;
        matches!(
            self,
            Generator { .. }
                | CpuTakenAway { .. }
                | CpuContention { .. }
                | CpusBusy { .. }
                | Stopped { .. }
                | FarNode { .. }
                | SlowedByHeat { .. }
                | SlowLink { .. }
                | Misaligned { .. }
                | PartialSector { .. }
                | Split { .. }
                | OtherLoad { .. }
                | Rebuilding { .. }
                | Cap { .. }
                | Bursts { .. }
                | LinkLimit { .. }
                | ShaperLimit { .. }
                | RateOfLink { .. }
                | SegmentsRepeated { .. }
                | ClusterBusy { .. }
                | RequestsRepeated { .. }
                | Reconnected { .. }
                | ServerSilent { .. }
                | NearlyFull { .. }
                | CopyOnWrite { .. }
                | Failed { .. }
                | Stall { .. }
                | Pauses { .. }
                | StartedLate { .. }
        )
    }
}

/// Sorts findings by grade, worst first, and then causes before settings, other load and symptoms. Further findings of the same
/// kind (for other jobs) follow at the end.
pub fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by_key(|f| (std::cmp::Reverse(f.claim.grade()), f.claim.kind()));
    let mut said = Vec::new();
    let repeats = |f: &mut Finding| {
        let claim = std::mem::discriminant(&f.claim);
        let known = said.contains(&claim);
        said.push(claim);
        known
    };
    let again: Vec<Finding> = findings.extract_if(.., repeats).collect();
    findings.extend(again);
}

/// Returns the grade of a run with these findings: the worst of their grades, A without findings.
pub fn grade_of(findings: &[Finding]) -> Grade {
    findings.iter().map(|f| f.claim.grade()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_one_grade_cause_stands_before_setting_and_symptom() {
        let finding = |claim| Finding::new(String::new(), claim);
        let hides = finding(Claim::MeanHides { mean_ns: 3.0, p50_ns: 1, max_ns: 9 });
        let overlay = finding(Claim::Overlay { path: "/a".into() });
        let merged = finding(Claim::Merged { device: "loop0".into(), ratio: 8.0, block: 4096 });
        let queue = finding(Claim::Shallow { reached: 1.0, asked: 4.0 });
        let depth = finding(Claim::NoQueue { engine: "psync".into(), asked: 4, reached: 1.0 });
        let mut all = vec![hides.clone(), queue.clone(), overlay.clone(), merged.clone(), depth.clone()];
        sort(&mut all);
        assert_eq!(all, [depth, merged.clone(), overlay.clone(), queue.clone(), hides]);
        // The limit explains the rate; I/O of another process only disturbs it.
        let others = finding(Claim::OtherLoad {
            device: "loop0".into(),
            device_bytes: [200, 0],
            app_bytes: [100, 0],
            file_system: false,
        });
        let cap = finding(Claim::Cap {
            device: "loop0".into(),
            server: false,
            iops: true,
            limit: 200,
            seen: 199.0,
        });
        let mut all = vec![queue.clone(), others.clone(), overlay.clone(), cap.clone()];
        sort(&mut all);
        assert_eq!(all, [cap, others, overlay, queue]);
        let short = |job: &str| {
            Finding::new(job.into(), Claim::TooShort { ios: 9, seconds: 0.1, half_width_percent: None })
        };
        let mut all = vec![short("a"), short("b"), merged.clone()];
        sort(&mut all);
        assert_eq!(all, [short("a"), merged, short("b")]);
    }

    #[test]
    fn a_run_is_as_good_as_its_worst_finding_and_letters_read_back() {
        let finding = |claim| Finding::new(String::new(), claim);
        assert_eq!(grade_of(&[]), Grade::Trusted);
        let durable = finding(Claim::NotDurable { device: "sda".into() });
        let cached = |storage| finding(Claim::PageCache { app: 100, storage, span: 1, memory: 2 });
        assert_eq!(grade_of(std::slice::from_ref(&durable)), Grade::Caveats);
        assert_eq!(grade_of(&[durable.clone(), cached(80)]), Grade::Conditions);
        assert_eq!(grade_of(&[cached(20), durable]), Grade::NotTheDevice);
        for grade in Grade::ALL {
            assert_eq!(Grade::from_letter(grade.letter()), Some(grade));
        }
        assert_eq!(Grade::from_letter("b"), Some(Grade::Caveats));
        assert_eq!(Grade::from_letter("D"), None);
    }
}
