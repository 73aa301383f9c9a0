//! A LUN outside a run: what it holds, what it says of itself, and which initiators use it.

use super::session::Session;
use super::{IscsiInfo, IscsiTarget};
use crate::remote::{RemoteError, Volume, peer};
use crate::reservation::{ANSWER, Read, Registration, Reservation, list, registered_keys, registrations};
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
        let full = self.reserve_in(Read::FullStatus)?.unwrap_or_default();
        let mut found = registrations(list(&full).unwrap_or_default());
        if found.is_empty() {
            // Targets without the full status list the keys.
            let keys = self.reserve_in(Read::Keys)?.unwrap_or_default();
            found = registered_keys(list(&keys).unwrap_or_default());
        }
        let mut users: Vec<String> = found.iter().map(Registration::to_string).collect();
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

    fn reservation(&mut self) -> Result<Option<Reservation>, RemoteError> {
        let Some(reservation) = self.reserve_in(Read::Reservation)? else { return Ok(None) };
        let full = self.reserve_in(Read::FullStatus)?.unwrap_or_default();
        let registrations = registrations(list(&full).unwrap_or_default());
        Ok(list(&reservation).and_then(|list| Reservation::of(list, &registrations)))
    }
}

impl IscsiVolume {
    /// Returns the answer to PERSISTENT RESERVE IN; `None` if the LUN does not know the command.
    fn reserve_in(&mut self, what: Read) -> Result<Option<Vec<u8>>, RemoteError> {
        let mut data = vec![0; ANSWER];
        match self.session.read("PERSISTENT_RESERVE_IN", &what.command(), &mut data) {
            Ok(bytes) => {
                data.truncate(bytes);
                Ok(Some(data))
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
