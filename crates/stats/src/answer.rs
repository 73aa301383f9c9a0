//! Stored answers of `fathom fit`, `explain`, `cloud` and `rank`.

use crate::bottleneck::BottleneckCard;
use crate::characterize::DeviceCharacter;
use crate::cloud::CloudCard;
use crate::finding::Grade;
use crate::fit::FitCard;
use crate::measured::Measured;
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
        }
    }

    /// Returns the measured loads of the answer, called `source`; only the ranking of a target has loads.
    pub fn loads(&self, source: &str) -> Vec<Measured> {
        match self {
            Answer::Rank(ranking) => ranking.loads(source),
            Answer::Fit(_) | Answer::Explain(_) | Answer::Cloud(_) | Answer::Characterize(_) => Vec::new(),
        }
    }
}
