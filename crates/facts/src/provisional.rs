//! English for the facts that `run` still puts into sentences of their own; `report::words::facts` has the words of
//! every language. To be removed with the last sentence of that crate.

use crate::extents::RangesError;
use crate::file_usage::FileUse;
use crate::signature::Signature;
use stats::contents::ContentsClass;
use std::{fmt, io};

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = match self.what.class {
            ContentsClass::Other => String::new(),
            ContentsClass::EmptyPartitionTable => "partition table without partitions".to_owned(),
            ContentsClass::Swap => "swap area".to_owned(),
            ContentsClass::SuspendedSystem => "suspended system image".to_owned(),
            ContentsClass::RaidMember => "RAID member".to_owned(),
            class => format!("{class:?}").chars().fold(String::new(), |text, c| {
                if c.is_uppercase() && !text.is_empty() {
                    text + " " + &c.to_lowercase().to_string()
                } else {
                    text + &c.to_lowercase().to_string()
                }
            }),
        };
        write!(f, "{} (signature at byte {})", format!("{} {class}", self.what.name).trim(), self.offset)
    }
}

impl fmt::Display for FileUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileUse::Loop { by } => write!(f, "it is the backing file of {by}"),
            FileUse::Swap => f.write_str("it is in use as swap"),
            FileUse::Mounted { at } => write!(f, "it is mounted on {}", at.display()),
        }
    }
}

impl From<RangesError> for io::Error {
    fn from(e: RangesError) -> io::Error {
        match e {
            RangesError::Io(e) => e,
            RangesError::TooMany { zeros: false, most } => {
                io::Error::other(format!("more than {most} separate holes"))
            }
            RangesError::TooMany { zeros: true, most } => {
                io::Error::other(format!("more than {most} separate stretches of zeros"))
            }
        }
    }
}
