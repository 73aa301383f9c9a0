//! Whether bytes are generated data (what fathom, fio and similar tools write) or data of an unknown kind, which somebody
//! may want. Known signatures are the subject of [`crate::signature`].

/// Bytes of a sector, the grain of the judgement.
pub const SECTOR: usize = 512;

/// Returns the byte offset in `piece` of the first 512-byte sector that no generator explains; `None` if all of it is
/// generated. A piece begins at a multiple of 512 bytes of its device or file; 64 KiB to 1 MiB are a good length.
pub fn first_foreign_sector(piece: &[u8]) -> Option<usize> {
    let foreign = |sector: &[u8]| {
        let constant = sector.iter().all(|byte| *byte == sector[0]);
        !constant && distinct(sector) * 10 < expected_distinct(sector.len()) * 8
    };
    piece.chunks(SECTOR).position(foreign).map(|number| number * SECTOR)
}

fn distinct(bytes: &[u8]) -> usize {
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// Different values among so many random bytes.
fn expected_distinct(length: usize) -> usize {
    (256.0 * (1.0 - (255.0_f64 / 256.0).powi(length as i32))) as usize
}
