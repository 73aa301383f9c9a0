//! What `fathom run` and `fathom fio` do differently, on one host and on several.

use crate::environment::unguarded;
use job::{Diagnostic, Dialect};
use report::{Lang, words};
use run::consent::Policy;

/// Returns the name under which fio's parser tells its errors.
pub fn argv0(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Run => "fathom run",
        Dialect::Fio => "fio",
    }
}

/// Returns the messages about the command line.
pub fn diagnostics(dialect: Dialect, lang: Lang, found: &[Diagnostic]) -> words::job::Printed {
    match dialect {
        Dialect::Run => words::job::diagnostics_of_run(lang, found),
        Dialect::Fio => words::job::diagnostics(lang, found),
    }
}

/// Returns what a run may overwrite without being told.
pub fn policy(dialect: Dialect) -> Policy {
    match dialect {
        Dialect::Run => Policy::Own,
        Dialect::Fio if unguarded() => Policy::Unguarded,
        Dialect::Fio => Policy::Fio,
    }
}
