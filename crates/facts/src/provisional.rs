//! English for the facts that `run` and `lab` still put into sentences of their own; `report::words::facts` has the words of
//! every language. To be removed with the last sentence of those crates.

use crate::extents::RangesError;
use crate::file_usage::FileUse;
use crate::signature::Signature;
use crate::usage::Use;
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

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Use::Mounted { device, at } => write!(f, "{device} is mounted on {}", at.display()),
            Use::Swap { device } => write!(f, "{device} is in use as swap"),
            Use::Held { device, by } => write!(f, "{device} is part of {by}"),
            Use::Loop { device, by } => write!(f, "{device} is what {by} lies on"),
            Use::SameFile { by, used: None } => write!(f, "{by} lies on the same part of the same file"),
            Use::SameFile { by, used: Some(used) } => {
                write!(f, "{by} lies on the same part of the same file, and {used}")
            }
            Use::Opened { program, pid } => {
                write!(f, "{program} (process {pid}) has it open for writing")
            }
            Use::Partitioned { device, partitions } => {
                write!(f, "the kernel knows partitions of {device} ({})", listed(partitions))
            }
            Use::Unknown { offset, at_end } => {
                let end = if *at_end { "last" } else { "first" };
                write!(f, "its {end} MiB holds data of an unknown kind (at byte {offset})")
            }
            Use::Carries(signature) => write!(f, "it carries: {signature}"),
        }
    }
}

/// Names of partitions, the first of them where there are many.
fn listed(names: &[String]) -> String {
    const MOST: usize = 8;
    match names.len().checked_sub(MOST) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..MOST].join(", ")),
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
