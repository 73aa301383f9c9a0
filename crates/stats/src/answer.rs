//! Stored answers of `fathom fit`, `explain`, `cloud`, `rank`, `characterize`, `files`, `objects` and `run --hosts`.

use crate::bottleneck::BottleneckCard;
use crate::characterize::DeviceCharacter;
use crate::cloud::CloudCard;
use crate::files::FilesCard;
use crate::finding::Grade;
use crate::fit::FitCard;
use crate::hosts::HostsResult;
use crate::measured::Measured;
use crate::object_load::ObjectResult;
use crate::ranking::Ranking;
use crate::stored::StoredKind;
use serde::{Deserialize, Serialize};

/// Answer of a command that decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", content = "card", rename_all = "snake_case")]
pub enum Answer {
    /// Whether a disk is good enough: one card per workload.
    Fit(Vec<FitCard>),
    /// What limits a load.
    Explain(Box<BottleneckCard>),
    /// Whether a cloud volume keeps its promise.
    Cloud(Box<CloudCard>),
    /// Which class of devices a disk resembles.
    Rank(Box<Ranking>),
    /// Characteristics of a device.
    Characterize(Box<DeviceCharacter>),
    /// Rates of operations on names and small files.
    Files(Box<FilesCard>),
    /// Requests and times of a load on objects.
    Objects(Box<ObjectResult>),
    /// Result of a run on several hosts.
    Hosts(Box<HostsResult>),
}

impl Answer {
    /// Returns the kind under which the answer is listed.
    pub fn kind(&self) -> StoredKind {
        match self {
            Answer::Fit(_) => StoredKind::Fit,
            Answer::Explain(_) => StoredKind::Explain,
            Answer::Cloud(_) => StoredKind::Cloud,
            Answer::Rank(_) => StoredKind::Rank,
            Answer::Characterize(_) => StoredKind::Characterize,
            Answer::Files(_) => StoredKind::Files,
            Answer::Objects(_) => StoredKind::Objects,
            Answer::Hosts(_) => StoredKind::Hosts,
        }
    }

    /// Returns the version of fathom that measured.
    pub fn version(&self) -> &str {
        match self {
            Answer::Fit(cards) => cards.first().map_or("", |card| &card.version),
            Answer::Explain(card) => &card.version,
            Answer::Cloud(card) => &card.version,
            Answer::Rank(ranking) => &ranking.version,
            Answer::Characterize(character) => &character.version,
            Answer::Files(card) => &card.version,
            Answer::Objects(result) => &result.version,
            Answer::Hosts(result) => &result.merged.provenance.version,
        }
    }

    /// Returns the grade: of several workloads, the worst.
    pub fn grade(&self) -> Grade {
        match self {
            Answer::Fit(cards) => cards.iter().map(FitCard::grade).max().unwrap_or(Grade::Trusted),
            Answer::Explain(card) => card.grade(),
            Answer::Cloud(card) => card.grade(),
            Answer::Rank(ranking) => ranking.grade(),
            Answer::Characterize(character) => character.grade(),
            Answer::Files(card) => card.grade(),
            Answer::Objects(result) => result.grade(),
            Answer::Hosts(result) => result.merged.grade(),
        }
    }

    /// Returns the measured loads of the answer, called `source`; only the ranking of a target has loads.
    pub fn loads(&self, source: &str) -> Vec<Measured> {
        match self {
            Answer::Rank(ranking) => ranking.loads(source),
            Answer::Fit(_)
            | Answer::Explain(_)
            | Answer::Cloud(_)
            | Answer::Characterize(_)
            | Answer::Files(_)
            | Answer::Objects(_)
            | Answer::Hosts(_) => Vec::new(),
        }
    }
}
