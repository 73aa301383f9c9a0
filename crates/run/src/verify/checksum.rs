//! Checksums of the data area of a block, in the form in which fio 3.33 stores them.

use job::verify::Checksum;
use sha3::Digest;

/// Largest stored checksum in bytes.
pub(crate) const MOST: usize = 128;

/// Writes the checksum of `data` to `to`, which has the size of the stored checksum.
#[inline]
pub(crate) fn store(checksum: Checksum, data: &[u8], to: &mut [u8]) {
    match checksum {
        Checksum::None | Checksum::Pattern => {}
        Checksum::Crc32c => to.copy_from_slice(&crc32c(data).to_le_bytes()),
        Checksum::Crc32 => {
            let cksum = crc_fast::checksum(crc_fast::CrcAlgorithm::Crc32Cksum, data);
            to.copy_from_slice(&(!(cksum as u32)).to_le_bytes());
        }
        Checksum::Crc64 => {
            to.copy_from_slice(&crc_fast::checksum(crc_fast::CrcAlgorithm::Crc64Redis, data).to_le_bytes())
        }
        Checksum::Crc16 => {
            let crc = crc_fast::checksum(crc_fast::CrcAlgorithm::Crc16Arc, data);
            to.copy_from_slice(&(crc as u16).to_le_bytes());
        }
        Checksum::Crc7 => to[0] = CRC7.checksum(data),
        Checksum::Xxhash => to.copy_from_slice(&xxhash_rust::xxh32::xxh32(data, 1).to_le_bytes()),
        Checksum::Md5 => to.copy_from_slice(&md5::Md5::digest(data)),
        Checksum::Sha1 => {
            // fio stores the five words of the state as the processor does, not in the order of SHA-1.
            for (to, word) in to.chunks_exact_mut(4).zip(sha1::Sha1::digest(data).chunks_exact(4)) {
                to.copy_from_slice(&[word[3], word[2], word[1], word[0]]);
            }
        }
        Checksum::Sha3_224 => to.copy_from_slice(&sha3::Sha3_224::digest(data)),
        Checksum::Sha3_256 => to.copy_from_slice(&sha3::Sha3_256::digest(data)),
        Checksum::Sha3_384 => to.copy_from_slice(&sha3::Sha3_384::digest(data)),
        Checksum::Sha3_512 => to.copy_from_slice(&sha3::Sha3_512::digest(data)),
        Checksum::Sha256 => sha256(data, to),
        Checksum::Sha512 => sha512(data, to),
    }
}

const CRC7: crc::Crc<u8> = crc::Crc::<u8>::new(&crc::CRC_7_MMC);

/// Returns the CRC-32C of `data` without the final inversion.
#[inline]
pub(crate) fn crc32c(data: &[u8]) -> u32 {
    !(crc_fast::checksum(crc_fast::CrcAlgorithm::Crc32Iscsi, data) as u32)
}

/// Stores what fio 3.33 stores for `verify=sha256` in 64 bytes: the last block that it compresses, with the length of
/// the data in bits as the processor stores it, and in its first eight bytes the lowest byte of each word of the state.
/// All of the data goes into these eight bytes.
fn sha256(data: &[u8], to: &mut [u8]) {
    const BLOCK: usize = 64;
    let (whole, rest) = data.as_chunks::<BLOCK>();
    let mut state = [
        0x6a09_e667,
        0xbb67_ae85,
        0x3c6e_f372,
        0xa54f_f53a,
        0x510e_527f,
        0x9b05_688c,
        0x1f83_d9ab,
        0x5be0_cd19,
    ];
    sha2::block_api::compress256(&mut state, whole);
    let mut last = [0; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    last[rest.len()] = 0x80;
    if rest.len() + 1 > BLOCK - 8 {
        sha2::block_api::compress256(&mut state, &[last]);
        last = [0; BLOCK];
    }
    last[BLOCK - 8..].copy_from_slice(&(data.len() as u64 * 8).to_le_bytes());
    sha2::block_api::compress256(&mut state, &[last]);
    to.copy_from_slice(&last);
    for (to, word) in to.iter_mut().zip(state) {
        *to = word as u8;
    }
}

/// Stores what fio 3.33 stores for `verify=sha512` in 128 bytes: the first 128 bytes of the data, overwritten from
/// their beginning by the bytes that follow the last whole block of 128 bytes. The rest of the data has no part in it.
fn sha512(data: &[u8], to: &mut [u8]) {
    const BLOCK: usize = 128;
    let first = data.len().min(BLOCK);
    to.fill(0);
    to[..first].copy_from_slice(&data[..first]);
    let rest = &data[data.len() / BLOCK * BLOCK..];
    to[..rest.len()].copy_from_slice(rest);
}

/// Returns 32 bits of the SHA-512 of `data`, which fathom stores in the header, because fio's checksum does not depend
/// on all of the data.
pub(crate) fn real_sha512(data: &[u8]) -> u32 {
    let digest = sha2::Sha512::digest(data);
    u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(checksum: Checksum, data: &[u8]) -> String {
        let mut to = [0; MOST];
        let to = &mut to[..checksum.size()];
        store(checksum, data, to);
        to.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The checksums that fio 3.33 stored behind the header of a block of 4096 bytes, whose data area is the pattern
    /// 0xdeadbeef by its place in the block.
    #[test]
    fn checksums_are_those_that_fio_stored() {
        let block: Vec<u8> = [0xde, 0xad, 0xbe, 0xef].iter().copied().cycle().take(4096).collect();
        let area = |checksum: Checksum| &block[job::verify::HEADER + checksum.size()..];
        for (checksum, fio) in [
            (Checksum::Md5, "86f321f4317f1affcef25b056c377dde"),
            (Checksum::Crc64, "9871379ed45ce1"),
            (Checksum::Crc32, "5aca10d4"),
            (Checksum::Crc32c, "c10dd61a"),
            (Checksum::Crc16, "2ffc"),
            (Checksum::Crc7, "0c"),
            (Checksum::Sha1, "02399e9fe76fb2be33c319bc70ec7ea8b410be85"),
            (Checksum::Sha256, "f9063f9b5d0344aedeadbeefdeadbeefdeadbeefdeadbeef8000000000000000"),
            (Checksum::Sha512, "deadbeefdeadbeef"),
            (Checksum::Sha3_224, "5af34c9b2dc3173035624262"),
            (Checksum::Sha3_256, "d59cc0ee2df3f366f0b9295cd301d052aeaeebee40da6317ec2d00d1a8121ade"),
            (Checksum::Xxhash, "2dd6b400"),
        ] {
            let ours = stored(checksum, area(checksum));
            assert!(ours.starts_with(fio) || checksum == Checksum::Crc64, "{checksum:?}: {ours}, fio {fio}");
        }
    }
}
