//! Choice of an asynchronous engine that this process may use. Each engine is tried, because the seccomp filter of a
//! container cannot be read.

use facts::machine::{self, Available};
use stats::note::NoteFact;

/// Engine for a measurement that fathom itself defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsableEngine {
    /// Name of the engine, as in `ioengine=`.
    pub engine: &'static str,
    /// Note for the result if the engine is not io_uring; `None` for io_uring.
    pub note: Option<NoteFact>,
}

/// Returns io_uring if this process may use it, else libaio, else psync.
pub fn best_engine() -> UsableEngine {
    choose(machine::io_uring(), machine::libaio)
}

fn choose(uring: Available, aio: impl FnOnce() -> Available) -> UsableEngine {
    let Available::No(errno) = uring else { return UsableEngine { engine: "io_uring", note: None } };
    let (engine, note) = match aio() {
        Available::Yes => ("libaio", NoteFact::MeasuredWithLibaio { errno }),
        Available::No(libaio_errno) => {
            ("psync", NoteFact::MeasuredWithPsync { uring_errno: errno, libaio_errno })
        }
    };
    UsableEngine { engine, note: Some(note) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_engine_is_taken_where_one_is_forbidden() {
        let (eperm, enosys) = (Available::No(1), Available::No(38));
        assert_eq!(choose(Available::Yes, || eperm), UsableEngine { engine: "io_uring", note: None });
        let libaio = choose(eperm, || Available::Yes);
        assert_eq!(libaio.engine, "libaio");
        assert_eq!(libaio.note, Some(NoteFact::MeasuredWithLibaio { errno: 1 }));
        assert_eq!(choose(enosys, || enosys).engine, "psync");
    }
}
