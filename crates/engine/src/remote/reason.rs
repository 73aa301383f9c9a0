//! Reasons for which a connection is refused or given up by this program; errors of servers have the servers' own texts.

use std::time::Duration;

/// A reason, as the text of a [`RemoteError`](super::RemoteError).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Reason {
    #[error("no answer within {} s", .0.as_secs_f32())]
    Silent(Duration),
    #[error("connection lost: {0}")]
    Lost(String),
    #[error("the connection was lost before")]
    LostBefore,
    #[error("{0}: a null byte in the text")]
    NullByte(String),
    #[error("{url}: NFS version {version} is not supported; versions are 3 and 4")]
    Version { url: String, version: String },
    #[error("{0}; this version of libnfs cannot send larger writes by NFSv4: use version=3 in the URL")]
    LargeWrite(String),
    #[error("{text} (export {export})")]
    Export { text: String, export: String },
    #[error("{text} (file {file})")]
    File { text: String, file: String },
    #[error("the file exists")]
    Exists,
    #[error("the export is read-only")]
    ReadOnly,
    #[error("the server has no {0}")]
    Unsupported(&'static str),
    #[error("{name}: {initiator:?} is not a name of an initiator")]
    Initiator { name: String, initiator: String },
    #[error("the LUN is not a disk: its peripheral device type is {0:#04x}")]
    NotADisk(u8),
    #[error("last block {last} with {block} bytes per block is not a valid capacity")]
    Capacity { last: u64, block: u32 },
    #[error("the LUN has another capacity than before the connection was lost")]
    OtherCapacity,
    #[error("offset {offset} and length {len} are not multiples of the LUN's block size, {block} bytes")]
    NotWhole { offset: u64, len: u32, block: u32 },
    #[error("the URL does not begin with iscsi://")]
    NotIscsi,
    #[error("{0}: the URL is not iscsi://[USER[%PASSWORD]@]HOST[:PORT]/TARGET/LUN")]
    Url(String),
    #[error("{path}: {lun:?} is not the number of a LUN")]
    Lun { path: String, lun: String },
    #[error("{0}: a % in the name of the target has no two hexadecimal digits")]
    Percent(String),
}
