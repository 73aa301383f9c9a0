//! Which targets need the user's consent before they are written.

/// Which targets need the user's consent before they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// `fathom fio`: devices are guarded, files are fio's business.
    Fio,
    /// Our own commands: devices and foreign files are guarded.
    Own,
    /// `FATHOM_FIO_UNGUARDED=1`: what fio does, which refuses a mounted device by its exact name and nothing else.
    Unguarded,
}
