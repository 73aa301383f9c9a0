//! Short labels for access patterns, block sizes, targets and questions of a study.

use crate::Lang;
use crate::catalog::word;
use stats::study::{Access, Question, Study};

/// Returns a block size in fio's notation: `4k`, `1M`.
pub(crate) fn block(bs: u64) -> String {
    match bs {
        b if b >= 1 << 20 && b.is_multiple_of(1 << 20) => format!("{}M", b >> 20),
        b if b >= 1024 && b.is_multiple_of(1024) => format!("{}k", b >> 10),
        b => b.to_string(),
    }
}

/// Returns the label of an access pattern: `4k randread`.
pub(crate) fn pattern(access: &Access) -> String {
    let bs = block(access.bs);
    let reads = access.reads.map(|r| format!(" {r}%")).unwrap_or_default();
    let sync = access.sync.map(|sync| format!(" {sync}")).unwrap_or_default();
    format!("{bs} {}{reads}{sync}", access.rw)
}

/// Returns the label of a pattern on a target: `2: 4k randread`, without the number if the study has one target.
pub(crate) fn pattern_on(study: &Study, target: usize, access: &Access) -> String {
    let number = if study.targets.len() > 1 { format!("{}: ", target + 1) } else { String::new() };
    format!("{number}{}", pattern(access))
}

/// Returns the names of the targets of a study.
pub(crate) fn targets(study: &Study) -> Vec<String> {
    if study.targets.is_empty() {
        study.asked.targets.clone()
    } else {
        study.targets.iter().map(|t| t.name.clone()).collect()
    }
}

/// Returns the I/Os in flight on two targets: `32`, or `64/16` if they differ.
pub(crate) fn depths([first, second]: [u32; 2]) -> String {
    if first == second { first.to_string() } else { format!("{first}/{second}") }
}

/// Returns the subject of a question: `queue depth`.
pub(crate) fn question(lang: Lang, question: Question) -> &'static str {
    match question {
        Question::Depth => word!(lang, "explore-depth"),
        Question::Bs => word!(lang, "explore-bs"),
        Question::Runtime => word!(lang, "explore-runtime"),
        Question::Jobs => word!(lang, "explore-jobs"),
        Question::Span => word!(lang, "explore-span"),
        Question::Grid => word!(lang, "explore-grid"),
        Question::Axis => word!(lang, "explore-axis"),
        Question::Targets => word!(lang, "explore-targets"),
        Question::Repeat => word!(lang, "explore-repeat"),
        Question::Slo => word!(lang, "explore-slo"),
        Question::Hosts => word!(lang, "explore-hosts"),
    }
}
