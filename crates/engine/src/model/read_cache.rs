//! The read cache of a simulated controller: lines of data, of which the least recently used one is replaced.

use super::law::ReadCacheRules;
use std::collections::{BTreeMap, HashMap};

/// Lines in the cache by their number, and by the time of their last use.
#[derive(Clone, Debug)]
pub(super) struct ReadCache {
    rules: ReadCacheRules,
    used: HashMap<u64, u64>,
    order: BTreeMap<u64, u64>,
    uses: u64,
}

impl ReadCache {
    pub(super) fn new(rules: ReadCacheRules) -> Self {
        Self { rules, used: HashMap::new(), order: BTreeMap::new(), uses: 0 }
    }

    /// Takes the lines of `bytes` bytes at `place` into the cache, and returns whether all of them were in it.
    pub(super) fn touch(&mut self, place: u64, bytes: u64) -> bool {
        let line = self.rules.line.max(1);
        let most = (self.rules.bytes / line).max(1);
        let mut hit = true;
        for number in place / line..place.saturating_add(bytes.max(1)).div_ceil(line) {
            self.uses += 1;
            match self.used.insert(number, self.uses) {
                Some(before) => {
                    self.order.remove(&before);
                }
                None => {
                    hit = false;
                    if self.used.len() as u64 > most
                        && let Some((_, oldest)) = self.order.pop_first()
                    {
                        self.used.remove(&oldest);
                    }
                }
            }
            self.order.insert(self.uses, number);
        }
        hit
    }
}
