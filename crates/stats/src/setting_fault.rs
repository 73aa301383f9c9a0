//! Why a kernel setting of a disk could not be changed.

use serde::{Deserialize, Serialize};

/// Why a setting in the `queue` directory of a disk could not be changed. Every `errno` is positive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingFault {
    /// A file could not be read or written: that of the setting, or the record of its old value.
    File {
        /// Its path.
        path: String,
        /// Why.
        errno: i32,
    },
    /// The old value could not be recorded, so the setting was left as it was.
    NotRecorded {
        /// Path of the setting.
        path: String,
        /// Directory of the records.
        directory: String,
        /// Why.
        errno: i32,
    },
    /// Another fathom varies the setting.
    Busy {
        /// Kernel name of the disk.
        disk: String,
        /// Name of the setting.
        setting: String,
        /// Process of the other fathom.
        pid: u32,
    },
    /// The kernel refuses the value.
    Value {
        /// Path of the setting.
        path: String,
        /// Value that was written.
        value: String,
        /// Why.
        errno: i32,
    },
}
