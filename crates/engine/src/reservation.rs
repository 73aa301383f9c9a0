//! Persistent reservations of SCSI (SPC-4, 5.13): what PERSISTENT RESERVE IN tells of the initiators that use a LUN together.

use rustix::fd::{AsFd, AsRawFd};
use sys::scsi::{self, Header, Transfer, op};

/// Service actions of PERSISTENT RESERVE IN (SPC-4, 6.15).
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Read {
    /// Keys of all registrations.
    Keys = 0,
    /// The reservation.
    Reservation = 1,
    /// All registrations with their initiators.
    FullStatus = 3,
}

/// Bytes that are read of an answer.
pub(crate) const ANSWER: usize = 4096;
/// Bytes before the list in an answer.
const HEAD: usize = 8;

impl Read {
    /// Returns the command that reads up to [`ANSWER`] bytes.
    pub(crate) fn command(self) -> [u8; 10] {
        let size = (ANSWER as u16).to_be_bytes();
        [op::PERSISTENT_RESERVE_IN, self as u8, 0, 0, 0, 0, 0, size[0], size[1], 0]
    }
}

/// Returns the list in an answer; `None` if the answer is too short.
pub(crate) fn list(answer: &[u8]) -> Option<&[u8]> {
    let length = u32::from_be_bytes(answer.get(4..HEAD)?.try_into().ok()?) as usize;
    answer.get(HEAD..answer.len().min(length.saturating_add(HEAD)))
}

/// Registration of an initiator with a LUN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Registration {
    /// Name of the initiator; empty if the target does not tell it.
    pub(crate) initiator: String,
    pub(crate) key: u64,
    /// Whether it holds the reservation.
    pub(crate) holds: bool,
}

impl std::fmt::Display for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Registration { initiator, key, holds } = self;
        let separator = if initiator.is_empty() { "" } else { " " };
        let what = if *holds { "reservation" } else { "registration" };
        write!(f, "{initiator}{separator}{what} {key:#x}")
    }
}

/// Returns the registrations in the list of [`Read::FullStatus`].
pub(crate) fn registrations(mut list: &[u8]) -> Vec<Registration> {
    /// Bytes of a descriptor before the name of the initiator (SPC-4, table 214).
    const DESCRIPTOR: usize = 24;
    let mut found = Vec::new();
    while let Some(one) = list.get(..DESCRIPTOR) {
        let length = u32::from_be_bytes([one[20], one[21], one[22], one[23]]) as usize;
        let end = DESCRIPTOR.saturating_add(length).min(list.len());
        // An iSCSI name, with the session's number after it, stands behind four bytes (SPC-4, 7.6.4.6).
        let name = list[DESCRIPTOR..end].get(4..).unwrap_or_default();
        let name: Vec<u8> = name.iter().copied().take_while(|byte| (0x21..0x7f).contains(byte)).collect();
        found.push(Registration {
            initiator: String::from_utf8_lossy(&name).into_owned(),
            key: key(one),
            holds: one[12] & 1 != 0,
        });
        list = &list[end..];
    }
    found
}

/// Returns the registrations in the list of [`Read::Keys`].
pub(crate) fn registered_keys(list: &[u8]) -> Vec<Registration> {
    let registration =
        |bytes: &[u8]| Registration { initiator: String::new(), key: key(bytes), holds: false };
    list.chunks_exact(8).map(registration).collect()
}

/// Returns the number in the first eight bytes, which must be there.
fn key(bytes: &[u8]) -> u64 {
    bytes[..8].iter().fold(0, |key, byte| key << 8 | u64::from(*byte))
}

/// A persistent reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// Name of the initiator that holds it; empty if the target does not tell it.
    pub holder: String,
    /// Key of its registration.
    pub key: u64,
    /// Type, in the words of SPC.
    pub kind: &'static str,
}

impl Reservation {
    /// Returns the reservation in the list of [`Read::Reservation`], whose holder is among `registrations`; `None` without one.
    pub(crate) fn of(list: &[u8], registrations: &[Registration]) -> Option<Reservation> {
        let kind = match list.get(13)? & 0xf {
            1 => "Write Exclusive",
            3 => "Exclusive Access",
            5 => "Write Exclusive, registrants only",
            6 => "Exclusive Access, registrants only",
            7 => "Write Exclusive, all registrants",
            8 => "Exclusive Access, all registrants",
            _ => "unknown type",
        };
        let holder = registrations.iter().find(|registration| registration.holds);
        let holder = holder.map(|registration| registration.initiator.clone()).unwrap_or_default();
        Some(Reservation { holder, key: key(list), kind })
    }

    /// Returns the reservation of the disk behind an open block device or SCSI character device; `None` without one, and for
    /// devices that do not take the command.
    pub fn of_disk(open: impl AsFd) -> Option<Reservation> {
        let read = |what: Read| answer(open.as_fd().as_raw_fd(), what);
        let reservation = read(Read::Reservation)?;
        let full = read(Read::FullStatus).unwrap_or_default();
        Reservation::of(list(&reservation)?, &registrations(list(&full).unwrap_or_default()))
    }
}

/// Returns what a disk answers to PERSISTENT RESERVE IN.
fn answer(fd: i32, what: Read) -> Option<Vec<u8>> {
    let (command, mut data, mut sense) = (what.command(), vec![0; ANSWER], [0u8; scsi::SENSE]);
    let mut header = Header {
        transfer: Transfer::FromDevice as i32,
        command_len: command.len() as u8,
        command: command.as_ptr() as u64,
        data_len: data.len() as u32,
        data: data.as_mut_ptr() as u64,
        sense_room: sense.len() as u8,
        sense: sense.as_mut_ptr() as u64,
        ..Header::EMPTY
    };
    // SAFETY: command, data and sense are as long as the header says, and live across the call.
    unsafe { scsi::call(fd, &mut header) }.ok()?;
    data.truncate(ANSWER.saturating_sub(header.residual.max(0) as usize));
    (!header.failed()).then_some(data)
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
        let found = registrations(&list);
        let host = "iqn.2026-01.test:host1";
        let texts: Vec<String> = found.iter().map(Registration::to_string).collect();
        assert_eq!(
            texts,
            [
                format!("{host} registration 0xabc"),
                format!("{host} reservation 0x7"),
                "registration 0x9".into()
            ]
        );
        assert_eq!(registrations(&list[..20]), []);
        // A list that was cut off in a name.
        assert_eq!(registrations(&list[..30]).len(), 1);
        let mut reservation = 7u64.to_be_bytes().to_vec();
        reservation.extend([0, 0, 0, 0, 0, 5, 0, 0]);
        let kind = "Write Exclusive, registrants only";
        let held = Reservation { holder: host.into(), key: 7, kind };
        assert_eq!(Reservation::of(&reservation, &found), Some(held));
        // A LUN without a reservation answers with an empty list.
        assert_eq!(Reservation::of(&[], &found), None);
    }

    #[test]
    fn lists_have_the_length_that_their_head_says() {
        assert_eq!(list(&[0, 0, 0, 1, 0, 0, 0, 2, 8, 9, 10]), Some(&[8, 9][..]));
        assert_eq!(list(&[0, 0, 0, 1, 0, 0, 0, 9, 8]), Some(&[8][..]));
        assert_eq!(list(&[0, 0, 0, 1, 0, 0]), None);
    }

    #[test]
    fn device_without_scsi_has_no_reservation() {
        let null = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(Reservation::of_disk(&null), None);
    }
}
