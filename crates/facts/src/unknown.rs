//! Data that nobody knows, told from what fathom and fio write.

/// Bytes of a sector.
const SECTOR: usize = 512;

/// Index of the first sector of `piece` that holds neither zeros only nor noise.
pub fn first_foreign_sector(piece: &[u8]) -> Option<usize> {
    piece.chunks(SECTOR).position(|sector| !is_zero(sector) && !is_noise(sector))
}

fn is_zero(sector: &[u8]) -> bool {
    sector.iter().all(|byte| *byte == 0)
}

/// 512 random bytes have 222 different values on average, and 190 nearly always; text has fewer than 100.
fn is_noise(sector: &[u8]) -> bool {
    let mut seen = [false; 256];
    sector.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    let different = seen.iter().filter(|seen| **seen).count() as f64;
    let expected = 256.0 * (1.0 - (-(sector.len() as f64) / 256.0).exp());
    different >= 0.8 * expected - 4.0 && (sector.len() < 32 || sector.iter().any(|byte| *byte >= 128))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_and_noise_are_known_and_a_letter_is_foreign() {
        let mut piece = testbed::sandbox::noise_of(1 << 16);
        piece[4096..8192].fill(0);
        assert_eq!(first_foreign_sector(&piece), None);
        let letter = b"Dear Sir or Madam, this is a letter and must not be lost. ".repeat(10);
        piece[1024..1536].copy_from_slice(&letter[..512]);
        assert_eq!(first_foreign_sector(&piece), Some(2));
    }
}
