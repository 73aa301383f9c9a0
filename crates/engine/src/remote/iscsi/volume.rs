//! A LUN outside a run: what it holds, what it says of itself, and which initiators use it.

use super::session::Session;
use super::{IscsiInfo, IscsiTarget};
use crate::remote::{RemoteError, Volume, peer};
use stats::server_fact::ServerFact;
use sys::scsi::op;

/// Bytes of one READ of [`IscsiVolume::read_at`].
const READ_BYTES: usize = 1 << 20;

/// Session with a LUN outside a run.
#[derive(Debug)]
pub struct IscsiVolume {
    session: Session,
}

impl IscsiVolume {
    /// Logs in to the LUN.
    ///
    /// # Errors
    /// The library is missing, the target refuses the login, or the LUN is not a disk.
    pub fn open(target: &IscsiTarget, url: &str) -> Result<Self, RemoteError> {
        Session::open(url, target).map(|session| Self { session })
    }

    /// Returns what the LUN says of itself.
    pub fn inquiry(&self) -> &IscsiInfo {
        &self.session.info
    }

    fn blocks(&mut self, first: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let blocks = (into.len() >> self.session.capacity.shift) as u32;
        let mut command = [0; 16];
        command[0] = op::READ_16;
        command[2..10].copy_from_slice(&first.to_be_bytes());
        command[10..14].copy_from_slice(&blocks.to_be_bytes());
        match self.session.read("READ(16)", &command, into) {
            // Old disks know only the short command.
            Err(error) if error.errno() == libc::EOPNOTSUPP && first + u64::from(blocks) < 1 << 32 => {
                let mut command = [0; 10];
                command[0] = op::READ_10;
                command[2..6].copy_from_slice(&(first as u32).to_be_bytes());
                command[7..9].copy_from_slice(&(blocks as u16).to_be_bytes());
                self.session.read("READ(10)", &command, into)
            }
            read => read,
        }
    }
}

impl Volume for IscsiVolume {
    fn size(&self) -> Option<u64> {
        Some(self.session.info.bytes)
    }

    fn layers(&self) -> Vec<String> {
        let IscsiInfo { portal, lun, vendor, product, .. } = &self.session.info;
        vec![format!("iscsi (LUN {lun}, {vendor} {product})"), portal.clone()]
    }

    fn server_facts(&mut self, _: bool) -> Vec<ServerFact> {
        let write_cache = self.write_cache();
        let info = &self.session.info;
        vec![ServerFact::Lun {
            target: info.target.clone(),
            lun: info.lun,
            model: [&info.vendor, &info.product, &info.revision]
                .map(String::as_str)
                .join(" ")
                .trim()
                .to_owned(),
            block: info.block,
            physical_block: info.block.saturating_mul(info.physical_blocks),
            thin: info.thin,
            unmap: info.unmap,
            write_cache,
            rotation_rate: info.rotation_rate,
        }]
    }

    fn servers(&mut self) -> Vec<String> {
        peer(self.session.socket().fd)
    }

    fn library(&self) -> &'static str {
        "libiscsi"
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let (shift, block) = (self.session.capacity.shift, self.session.info.block as usize);
        let end = self.session.info.bytes.min(offset.saturating_add(into.len() as u64));
        let mut buffer = vec![0; READ_BYTES.max(block)];
        let mut done = 0;
        while offset + (done as u64) < end {
            let at = offset + done as u64;
            let skipped = at as usize & (block - 1);
            let wanted = ((end - at) as usize + skipped).next_multiple_of(block).min(buffer.len());
            let got = self.blocks(at >> shift, &mut buffer[..wanted])?;
            let part = got.saturating_sub(skipped).min((end - at) as usize);
            if part == 0 {
                break;
            }
            into[done..done + part].copy_from_slice(&buffer[skipped..skipped + part]);
            done += part;
        }
        Ok(done)
    }

    /// Returns the initiators that have registered with the LUN or reserved it, as clusters do. Sessions without a
    /// registration are not visible to other initiators.
    fn users(&mut self) -> Result<Vec<String>, RemoteError> {
        let mut users = match self.reserve_in(READ_FULL_STATUS)? {
            Some(data) => registrants(&data),
            None => Vec::new(),
        };
        if users.is_empty() {
            // Targets without the full status list the keys.
            let data = self.reserve_in(READ_KEYS)?.unwrap_or_default();
            let keys = data.chunks_exact(8).filter_map(|key| Some(u64::from_be_bytes(key.try_into().ok()?)));
            users = keys.map(|key| format!("registration {key:#x}")).collect();
        }
        // A reservation of the old kind (RESERVE) has no list; it fails commands of the other initiators.
        match self.session.read("TEST_UNIT_READY", &[op::TEST_UNIT_READY, 0, 0, 0, 0, 0], &mut []) {
            Err(error) if error.errno() == libc::EBADE && users.is_empty() => {
                users.push("reservation".into())
            }
            Err(error) if self.session.lost.is_some() => return Err(error),
            _ => {}
        }
        Ok(users)
    }
}

/// Service actions of PERSISTENT RESERVE IN (SPC-4, 6.15).
const READ_KEYS: u8 = 0;
const READ_FULL_STATUS: u8 = 3;

impl IscsiVolume {
    /// Returns the list that PERSISTENT RESERVE IN reads, without its head; `None` if the LUN does not know the command.
    fn reserve_in(&mut self, action: u8) -> Result<Option<Vec<u8>>, RemoteError> {
        let mut data = vec![0; 4096];
        let size = (data.len() as u16).to_be_bytes();
        let command = [op::PERSISTENT_RESERVE_IN, action, 0, 0, 0, 0, 0, size[0], size[1], 0];
        match self.session.read("PERSISTENT_RESERVE_IN", &command, &mut data) {
            Ok(bytes) if bytes >= 8 => {
                let length = u32::from_be_bytes([data[4], data[5], data[6], data[7]]) as usize;
                data.truncate(bytes.min(length.saturating_add(8)));
                Ok(Some(data.split_off(8)))
            }
            Err(error) if self.session.lost.is_some() => Err(error),
            _ => Ok(None),
        }
    }

    /// Returns whether the LUN has a volatile write cache (caching mode page, WCE); `None` if it does not say.
    fn write_cache(&mut self) -> Option<bool> {
        /// Number of the caching mode page (SBC-3, 6.5.6), and bytes of the head of MODE SENSE(6).
        const CACHING: u8 = 8;
        const HEAD: usize = 4;
        let mut data = [0; 64];
        let command = [op::MODE_SENSE_6, 0, CACHING, 0, data.len() as u8, 0];
        let bytes = self.session.read("MODE SENSE(6)", &command, &mut data).ok()?;
        // Block descriptors may stand before the page.
        let page = data.get(HEAD + usize::from(data[3])..bytes)?;
        (page.len() > 2 && page[0] & 0x3f == CACHING).then(|| page[2] & 4 != 0)
    }
}

/// Returns the registrations in the list of READ FULL STATUS: initiator, key, and whether it holds a reservation.
fn registrants(mut list: &[u8]) -> Vec<String> {
    /// Bytes of a descriptor before the name of the initiator (SPC-4, table 214).
    const HEAD: usize = 24;
    let mut found = Vec::new();
    while let Some(one) = list.get(..HEAD) {
        let key = u64::from_be_bytes([one[0], one[1], one[2], one[3], one[4], one[5], one[6], one[7]]);
        let length = u32::from_be_bytes([one[20], one[21], one[22], one[23]]) as usize;
        let end = HEAD.saturating_add(length).min(list.len());
        // An iSCSI name, with the session's number after it, stands behind four bytes (SPC-4, 7.6.4.6).
        let name = list[HEAD..end].get(4..).unwrap_or_default();
        let name: Vec<u8> = name.iter().copied().take_while(|byte| (0x21..0x7f).contains(byte)).collect();
        let name = String::from_utf8_lossy(&name);
        let holds = if one[12] & 1 != 0 { "reservation" } else { "registration" };
        let separator = if name.is_empty() { "" } else { " " };
        found.push(format!("{name}{separator}{holds} {key:#x}"));
        list = &list[end..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registrations_name_the_initiator_and_the_reservation() {
        let one = |key: u64, holder: u8, name: &[u8]| {
            let mut bytes = key.to_be_bytes().to_vec();
            bytes.extend([0, 0, 0, 0, holder, 0, 0, 0, 0, 0, 0, 1]);
            bytes.extend((name.len() as u32).to_be_bytes());
            bytes.extend(name);
            bytes
        };
        let id = b"\x05\0\0\x18iqn.2026-01.test:host1\0";
        let list = [one(0xabc, 0, id), one(7, 1, id), one(9, 0, b"")].concat();
        let found = registrants(&list);
        let host = "iqn.2026-01.test:host1";
        assert_eq!(
            found,
            [
                format!("{host} registration 0xabc"),
                format!("{host} reservation 0x7"),
                "registration 0x9".into()
            ]
        );
        assert_eq!(registrants(&list[..20]), [""; 0]);
        // A list that was cut off in a name.
        assert_eq!(registrants(&list[..30]).len(), 1);
    }
}
