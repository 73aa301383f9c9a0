//! The rules by which a write to a target needs the user's consent.

/// Rules by which a write to a target needs the user's consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// `fathom fio`: devices need consent, files do not, as in fio.
    Fio,
    /// fathom's other commands: devices and files that fathom did not create need consent.
    Own,
    /// `FATHOM_FIO_UNGUARDED=1`: the rules of fio, which refuses a mounted device by its exact name and nothing else.
    Unguarded,
}
