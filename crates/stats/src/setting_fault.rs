//! Reasons why a kernel setting of a disk could not be changed.

use serde::{Deserialize, Serialize};

/// Reason why a setting in the `queue` directory of a disk could not be changed. Every `errno` is positive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingFault {
    /// The file of the setting, or the record of its old value, could not be read or written.
    File {
        /// Path of the file.
        path: String,
        /// Error of the failed call.
        errno: i32,
    },
    /// The old value could not be recorded, so the setting was not changed.
    NotRecorded {
        /// Path of the setting.
        path: String,
        /// Directory of the records.
        directory: String,
        /// Error of the failed call.
        errno: i32,
    },
    /// Another fathom process varies the setting.
    Busy {
        /// Kernel name of the disk.
        disk: String,
        /// Name of the setting.
        setting: String,
        /// Process id of the other fathom process.
        pid: u32,
    },
    /// The kernel refuses the value.
    Value {
        /// Path of the setting.
        path: String,
        /// Value that was written.
        value: String,
        /// Error of the failed call.
        errno: i32,
    },
}
