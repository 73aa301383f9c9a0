//! What limits the meaning of rates of operations on names.

use super::{FilesAsked, FilesMount, FilesPhase, FilesPhaseResult};
use crate::finding::Grade;
use serde::{Deserialize, Serialize};

/// Half-width of the interval of a rate, percent, above which it is a caveat.
pub const WIDE: f64 = 10.0;
/// Half-width above which the rate holds only under conditions.
const VERY_WIDE: f64 = 20.0;

/// Whether data and names are on stable storage when an operation has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Files and directories were synced after each change.
    Synced,
    /// The mount writes each change through (`sync`).
    SyncMount,
    /// Files were synced, directories were not: a name may be lost.
    NamesNotSynced,
    /// Directories were synced, files were not: contents may be lost.
    DataNotSynced,
    /// The server decides when a name is durable; files were not synced by the client.
    ServerDecides,
    /// Nothing was synced.
    Not,
}

impl Durability {
    /// Returns the durability on a mount.
    pub fn of(asked: &FilesAsked, mount: &FilesMount) -> Durability {
        // Empty files have no data to lose.
        let data = asked.fsync || asked.bytes == 0;
        match (data, asked.fsync_dir) {
            _ if mount.has("sync") && !mount.is_network() => Durability::SyncMount,
            (true, true) => Durability::Synced,
            (false, true) => Durability::DataNotSynced,
            // A server of NFS answers only when it has done the operation; Ceph, when the journal has it or before.
            _ if mount.is_network() => Durability::ServerDecides,
            (true, false) if asked.fsync => Durability::NamesNotSynced,
            _ => Durability::Not,
        }
    }
}

/// What limits the meaning of the figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "evidence", rename_all = "snake_case")]
pub enum FilesCaveat {
    /// The file system keeps its files in memory.
    Memory {
        /// Type of the file system.
        file_system: String,
    },
    /// The phases read what this client had just made: its caches answered them.
    ClientCaches {
        /// Phases concerned.
        phases: Vec<FilesPhase>,
        /// Whether a server would have answered otherwise.
        network: bool,
        /// Whether the workers took each other's names, which share the caches of one client.
        shifted: bool,
    },
    /// Changes were not durable when the operations ended.
    NotDurable {
        /// What was synced.
        durability: Durability,
    },
    /// The 95 % interval of the rate of a phase is wide.
    WideInterval {
        /// Phase with the widest interval.
        phase: FilesPhase,
        /// Half-width, percent of the rate.
        half_percent: f64,
        /// Number of iterations.
        iterations: u32,
    },
    /// One iteration: the variation of the rates is not known.
    OneIteration,
}

impl FilesCaveat {
    /// Returns the best grade of a result with the caveat.
    pub fn grade(&self) -> Grade {
        match self {
            FilesCaveat::Memory { .. } | FilesCaveat::OneIteration => Grade::Conditions,
            FilesCaveat::ClientCaches { network: true, .. } => Grade::Conditions,
            FilesCaveat::WideInterval { half_percent, .. } if *half_percent > VERY_WIDE => Grade::Conditions,
            _ => Grade::Caveats,
        }
    }

    /// Returns the caveats of the figures, worst first.
    pub fn of(asked: &FilesAsked, mount: &FilesMount, phases: &[FilesPhaseResult]) -> Vec<FilesCaveat> {
        let mut caveats = Vec::new();
        if mount.is_memory() {
            caveats.push(FilesCaveat::Memory { file_system: mount.file_system.clone() });
        }
        let answered: Vec<FilesPhase> =
            phases.iter().map(|result| result.phase).filter(|phase| phase.is_answered_by_caches()).collect();
        if !answered.is_empty() && !asked.drop_caches && !mount.is_memory() {
            caveats.push(FilesCaveat::ClientCaches {
                phases: answered,
                network: mount.is_network(),
                shifted: asked.shift > 0 && asked.workers > 1,
            });
        }
        let durability = Durability::of(asked, mount);
        let changes =
            phases.iter().any(|result| result.phase.changes_names() || result.phase == FilesPhase::Write);
        if changes && !matches!(durability, Durability::Synced | Durability::SyncMount) && !mount.is_memory()
        {
            caveats.push(FilesCaveat::NotDurable { durability });
        }
        // The trees have few directories, and their figures are not those of interest.
        let rates = || phases.iter().filter(|result| !result.phase.is_of_tree());
        if rates().any(|result| result.rates.len() < 2) {
            caveats.push(FilesCaveat::OneIteration);
        } else if let Some(widest) =
            rates().max_by(|a, b| a.rate.half_percent().total_cmp(&b.rate.half_percent()))
        {
            let half_percent = widest.rate.half_percent();
            if half_percent > WIDE {
                caveats.push(FilesCaveat::WideInterval {
                    phase: widest.phase,
                    half_percent,
                    iterations: widest.rates.len() as u32,
                });
            }
        }
        caveats.sort_by_key(|caveat| std::cmp::Reverse(caveat.grade()));
        caveats
    }
}
