//! Placement identifiers of an NVMe namespace with Flexible Data Placement (NVMe base specification, TP4146).

use crate::nvme::{self, Command, Namespace};
use rustix::fd::AsFd;
use std::io;

/// Opcode of I/O Management Receive.
const IO_MANAGEMENT_RECEIVE: u8 = 0x12;
/// Management operation: reclaim unit handle status.
const HANDLE_STATUS: u32 = 1;
/// Bytes of the head of the reclaim unit handle status, and of each descriptor that follows.
const HEAD: usize = 16;
const DESCRIPTOR: usize = 32;
/// Largest number of placement identifiers that are read.
const MOST: usize = 128;

/// Returns the placement identifiers of the namespace, in the order of its list of reclaim unit handles.
///
/// # Errors
/// EIO if the controller refuses the command: it has no Flexible Data Placement, or it is not enabled.
pub fn identifiers<Fd: AsFd>(device: Fd, space: &Namespace) -> io::Result<Vec<u16>> {
    let mut data = vec![0u8; HEAD + MOST * DESCRIPTOR];
    let command = receive(space, &mut data);
    // SAFETY: the command fills the bytes of `data`, which lives across the call.
    unsafe { nvme::io_command(device, command)? };
    Ok(parse(&data))
}

fn receive(space: &Namespace, data: &mut [u8]) -> Command {
    Command {
        opcode: IO_MANAGEMENT_RECEIVE,
        nsid: space.id,
        addr: data.as_mut_ptr() as u64,
        data_len: data.len() as u32,
        cdw10: HANDLE_STATUS,
        cdw11: (data.len() / 4 - 1) as u32,
        ..Command::default()
    }
}

fn parse(data: &[u8]) -> Vec<u16> {
    let count = usize::from(u16::from_le_bytes([data[14], data[15]]));
    let descriptors = data[HEAD..].chunks_exact(DESCRIPTOR).take(count);
    descriptors.map(|descriptor| u16::from_le_bytes([descriptor[0], descriptor[1]])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields as in the figures of I/O Management Receive.
    #[test]
    fn handle_status_is_requested_as_the_specification_says() {
        let mut data = vec![0; HEAD + MOST * DESCRIPTOR];
        let command = receive(&Namespace { id: 3, ..Namespace::default() }, &mut data);
        let fields = [command.nsid, command.cdw10, command.cdw11, command.cdw12, command.data_len];
        assert_eq!((command.opcode, fields), (0x12, [3, 1, 1027, 0, 4112]));
    }

    /// Number of descriptors in bytes 15:14; a descriptor begins with its placement identifier.
    #[test]
    fn identifiers_are_read_from_the_descriptors() {
        let mut data = vec![0xff; HEAD + 4 * DESCRIPTOR];
        data[14..16].copy_from_slice(&[3, 0]);
        for (at, id) in [7u16, 0, 0x8001].into_iter().enumerate() {
            data[HEAD + at * DESCRIPTOR..][..2].copy_from_slice(&id.to_le_bytes());
        }
        assert_eq!(parse(&data), [7, 0, 0x8001]);
    }
}
