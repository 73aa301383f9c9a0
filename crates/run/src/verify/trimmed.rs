//! Check of blocks that were trimmed (`trim_percentage`): they have to contain only zeros.

use super::check::{Checker, FLIPPED, Found, Place, SECTOR, Verdict};
use super::checksum::crc32c;
use super::contents::first_difference;
use super::header::{Header, MAGIC};
use job::verify::{HEADER, Method};
use stats::verification::{Damage, Fault};

/// Returns the position of the first byte that is not zero.
pub(super) fn first_set(part: &[u8]) -> Option<usize> {
    // Whole words first: nearly all blocks are zeros.
    let (words, rest) = part.as_chunks::<64>();
    if words.iter().all(|word| *word == [0; 64]) && rest.iter().all(|byte| *byte == 0) {
        return None;
    }
    part.iter().position(|byte| *byte != 0)
}

impl Checker {
    /// Checks one block that was trimmed.
    pub(super) fn check_trimmed(&self, part: &[u8], place: &Place<'_>) -> Verdict {
        if !self.zeros {
            return Verdict::Unjudged;
        }
        let Some(at) = first_set(part) else { return Verdict::Good };
        let damage = self.damage_of_trimmed(part, place);
        let fault = Fault::Trim { at: at as u32 };
        Verdict::Bad(Box::new(Found { fault, damage, wanted: Some(vec![0; part.len()]) }))
    }

    /// Returns what a trimmed block contains instead of zeros.
    fn damage_of_trimmed(&self, part: &[u8], place: &Place<'_>) -> Damage {
        let bits: u32 = part.iter().map(|byte| byte.count_ones()).sum();
        if bits <= FLIPPED {
            return Damage::Flip { bits };
        }
        let partly = part.chunks(SECTOR).any(|sector| first_set(sector).is_none());
        let old = if partly { Damage::Torn } else { Damage::Untrimmed };
        if self.method == Method::Pattern {
            let difference = |at| first_difference(self.contents.pattern(), part, 0, (at, place.offset));
            return match self.contents.positions().any(|at| difference(at).is_none()) {
                true => old,
                false if partly => Damage::Torn,
                false => Damage::Foreign,
            };
        }
        let fields = part.get(self.layout.at..).and_then(|from| from.first_chunk::<HEADER>());
        let Some(fields) = fields else { return Damage::Foreign };
        let header = Header::read(fields);
        let ours = header.magic == MAGIC
            && header.crc == crc32c(&fields[..HEADER - 4])
            && header.is_ours()
            && place.keys.contains(&header.key());
        match ours {
            true if header.offset != place.offset || header.key() != place.key => {
                Damage::Misdirected { from: header.offset }
            }
            true => old,
            // The sectors behind a trimmed header are still there.
            false if partly => Damage::Torn,
            false => Damage::Foreign,
        }
    }
}
