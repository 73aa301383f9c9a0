//! Differences between the conditions under which two loads were measured.

use super::Shape;
use crate::finding::{Claim, Finding, Grade};
use crate::measured::Measured;
use serde::{Deserialize, Serialize};

/// CPU time of the load generator, percent of wall time, from which a side counts as nearly CPU-bound, so that a
/// CPU-bound other side is no difference.
const NEARLY_BUSY: f64 = 75.0;

/// Difference between the conditions of the two sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unequal {
    /// The sides have no load in common.
    NothingInCommon,
    /// Each side has a single load, and the two differ.
    Load {
        /// Properties of the load on each side.
        shapes: Box<[Shape; 2]>,
    },
    /// Only one side used direct I/O.
    Direct {
        /// Index of the side with direct I/O: 0 = A, 1 = B.
        side: usize,
    },
    /// One side did not measure the device.
    NotTheDevice {
        /// Index of the side: 0 = A, 1 = B.
        side: usize,
        /// Finding that shows the difference.
        finding: Finding,
    },
    /// One side read unwritten ranges or only zeros.
    NeverWritten {
        /// Index of the side: 0 = A, 1 = B.
        side: usize,
        /// Finding that shows the difference.
        finding: Finding,
    },
    /// The CPU limited one side.
    Generator {
        /// Index of the side: 0 = A, 1 = B.
        side: usize,
        /// Finding that shows the difference.
        finding: Finding,
    },
    /// The targets differ.
    Target {
        /// Path on each side.
        paths: [String; 2],
    },
    /// The sizes of the regions differ.
    Span {
        /// Size of the region on each side, bytes.
        bytes: [u64; 2],
    },
    /// The engines differ.
    Engine {
        /// Name on each side.
        names: [String; 2],
    },
    /// The kernels differ.
    Kernel {
        /// Name on each side.
        names: [String; 2],
    },
    /// The hosts differ.
    Host {
        /// Name on each side.
        names: [String; 2],
    },
    /// The sides were measured by different programs or versions.
    By {
        /// Name on each side.
        names: [String; 2],
    },
    /// The storage stacks under the targets differ.
    Stack {
        /// Layers on each side, top down.
        layers: [Vec<String>; 2],
    },
    /// One side holds only under conditions that its findings state.
    Grade {
        /// Index of the side: 0 = A, 1 = B.
        side: usize,
        /// Worst grade of the side.
        grade: Grade,
        /// Rules of the findings with grade C or worse, without repetition.
        rules: Vec<String>,
    },
}

impl Unequal {
    /// Returns whether this difference makes a ratio of the two sides meaningless.
    pub fn refuses(&self) -> bool {
        match self {
            Unequal::NothingInCommon
            | Unequal::Load { .. }
            | Unequal::Direct { .. }
            | Unequal::NotTheDevice { .. }
            | Unequal::NeverWritten { .. }
            | Unequal::Generator { .. } => true,
            Unequal::Span { bytes } => !spans_alike(Some(bytes[0]), Some(bytes[1])),
            // A file system and a raw device are not the same kind of target.
            Unequal::Stack { layers: [a, b] } => begins_with_file_system(a) != begins_with_file_system(b),
            Unequal::Target { .. }
            | Unequal::Engine { .. }
            | Unequal::Kernel { .. }
            | Unequal::Host { .. }
            | Unequal::By { .. }
            | Unequal::Grade { .. } => false,
        }
    }
}

/// Returns whether the uppermost layer is a file system: devices have their kind in parentheses.
fn begins_with_file_system(layers: &[String]) -> bool {
    layers.first().is_some_and(|layer| !layer.contains('('))
}

/// Returns whether the larger region is at most twice the smaller; true if one is not known.
pub(super) fn spans_alike(a: Option<u64>, b: Option<u64>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a.max(b) <= a.min(b).saturating_mul(2))
}

/// Returns the differences between the conditions of two groups of repetitions.
pub(super) fn differences(a: &[Measured], b: &[Measured]) -> Vec<Unequal> {
    let mut found = Vec::new();
    let (Some(one), Some(other)) = (a.first(), b.first()) else { return found };
    let shapes = [Shape::of(one), Shape::of(other)];
    if !shapes[0].agrees(&shapes[1]) {
        found.push(Unequal::Load { shapes: Box::new(shapes) });
    }
    let direct = |loads: &[Measured]| loads.iter().find_map(|l| l.conditions.direct);
    if let (Some(mine), Some(theirs)) = (direct(a), direct(b))
        && mine != theirs
    {
        found.push(Unequal::Direct { side: usize::from(theirs) });
    }
    let findings = |loads: &[Measured]| -> Vec<Finding> {
        loads.iter().flat_map(|l| l.findings.iter().cloned()).collect()
    };
    let all = [findings(a), findings(b)];
    let mut one_sided = |is_it: fn(&Claim) -> bool, wrap: fn(usize, Finding) -> Unequal| {
        let of = all.each_ref().map(|list| list.iter().find(|f| is_it(&f.claim)));
        match of {
            [Some(finding), None] => found.push(wrap(0, finding.clone())),
            [None, Some(finding)] => found.push(wrap(1, finding.clone())),
            _ => {}
        }
    };
    one_sided(is_unwritten, |side, finding| Unequal::NeverWritten { side, finding });
    one_sided(
        |claim| claim.grade() == Grade::NotTheDevice && !is_unwritten(claim) && !is_generator(claim),
        |side, finding| Unequal::NotTheDevice { side, finding },
    );
    one_sided(is_generator, |side, finding| Unequal::Generator { side, finding });
    // A side just below the threshold of the finding is not a real difference.
    let busy = [a, b]
        .map(|loads| loads.iter().filter_map(|l| l.cpu_percent).map(|[u, s]| u + s).fold(0.0, f64::max));
    found.retain(|what| !matches!(what, Unequal::Generator { side, .. } if busy[1 - side] >= NEARLY_BUSY));
    if let (Some(mine), Some(theirs)) = (one.conditions.span, other.conditions.span)
        && mine.abs_diff(theirs) > mine.max(theirs) / 100
    {
        found.push(Unequal::Span { bytes: [mine, theirs] });
    }
    let (mine, theirs) = (&one.conditions, &other.conditions);
    let names =
        |a: &str, b: &str| (a != b && !a.is_empty() && !b.is_empty()).then(|| [a.to_string(), b.to_string()]);
    let text = |t: &Option<String>| t.clone().unwrap_or_default();
    found.extend(names(&mine.target, &theirs.target).map(|paths| Unequal::Target { paths }));
    let engines = names(&text(&mine.engine), &text(&theirs.engine));
    found.extend(engines.map(|names| Unequal::Engine { names }));
    found.extend(names(&mine.host, &theirs.host).map(|names| Unequal::Host { names }));
    let kernels = names(&text(&mine.kernel), &text(&theirs.kernel));
    found.extend(kernels.map(|names| Unequal::Kernel { names }));
    found.extend(names(&mine.by, &theirs.by).map(|names| Unequal::By { names }));
    if mine.stack != theirs.stack && !mine.stack.is_empty() && !theirs.stack.is_empty() {
        found.push(Unequal::Stack { layers: [mine.stack.clone(), theirs.stack.clone()] });
    }
    for (side, list) in all.iter().enumerate() {
        let grade = crate::finding::grade_of(list);
        if grade >= Grade::Conditions {
            let mut rules: Vec<String> = Vec::new();
            for finding in list.iter().filter(|f| f.claim.grade() >= Grade::Conditions) {
                let rule = finding.claim.rule().to_string();
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
            found.push(Unequal::Grade { side, grade, rules });
        }
    }
    found
}

fn is_unwritten(claim: &Claim) -> bool {
    matches!(claim, Claim::NeverWritten { .. } | Claim::Zeros { .. })
}

fn is_generator(claim: &Claim) -> bool {
    matches!(claim, Claim::Generator { .. } | Claim::CpuTakenAway { .. })
}
