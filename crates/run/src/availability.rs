//! Which asynchronous engine this process may use: an attempt decides, for the filter of a container cannot be read.

use crate::tally::errno_text;
use std::io;

/// The engine for a measurement of our own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Available {
    /// Name, as in `ioengine=`.
    pub engine: &'static str,
    /// What the reader of the result has to know where it is not io_uring.
    pub note: Option<String>,
}

/// Returns io_uring where it may be used, else libaio, else psync.
pub fn best_engine() -> Available {
    choose(sys::uring::Ring::probe(), sys::aio::Context::probe)
}

fn choose(uring: io::Result<()>, aio: impl FnOnce() -> io::Result<()>) -> Available {
    let why = |e: &io::Error| e.raw_os_error().map_or_else(|| e.to_string(), errno_text);
    let Err(no_ring) = uring else { return Available { engine: "io_uring", note: None } };
    let no_ring = why(&no_ring);
    let (engine, note) = match aio() {
        Ok(()) => {
            ("libaio", format!("io_uring may not be used here ({no_ring}): measured with ioengine=libaio"))
        }
        Err(e) => (
            "psync",
            format!(
                "neither io_uring ({no_ring}) nor libaio ({}) may be used here: measured with ioengine=psync, which has \
                 one I/O in flight whatever the queue depth",
                why(&e)
            ),
        ),
    };
    Available { engine, note: Some(note) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_engine_is_taken_where_one_is_forbidden() {
        let forbidden = |errno| Err(io::Error::from_raw_os_error(errno));
        let (eperm, enosys) = (1, 38);
        assert_eq!(choose(Ok(()), || forbidden(eperm)), Available { engine: "io_uring", note: None });
        let libaio = choose(forbidden(eperm), || Ok(()));
        assert_eq!(libaio.engine, "libaio");
        assert!(libaio.note.is_some_and(|note| note.contains("Operation not permitted")));
        assert_eq!(choose(forbidden(enosys), || forbidden(enosys)).engine, "psync");
    }
}
