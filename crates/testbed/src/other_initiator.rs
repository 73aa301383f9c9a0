//! An iSCSI initiator beside the one under test.

use std::io::{Read, Write};
use std::net::TcpStream;

/// A session of an initiator without any library, which registers with a LUN.
#[derive(Debug)]
pub struct OtherInitiator {
    connection: TcpStream,
    command: u32,
}

impl OtherInitiator {
    /// Logs in to a target of this machine.
    ///
    /// # Panics
    /// The target refuses the login.
    pub fn log_in(port: u16, target: &str) -> OtherInitiator {
        let mut connection = TcpStream::connect(("127.0.0.1", port)).expect("the target answers");
        let target = format!("TargetName={target}");
        let keys =
            ["InitiatorName=iqn.2026-01.test:other", "SessionType=Normal", &target, "ImmediateData=Yes"];
        let text = keys.map(|key| format!("{key}\0")).concat();
        // Login, immediate; from the operational stage to the full feature phase.
        let mut header = [0; 48];
        (header[0], header[1], header[8], header[12]) = (0x43, 0x87, 0x80, 1);
        header[5..8].copy_from_slice(&(text.len() as u32).to_be_bytes()[1..]);
        connection.write_all(&header).expect("the target answers");
        let padded = [text.as_bytes(), &[0; 3][..text.len().next_multiple_of(4) - text.len()]].concat();
        connection.write_all(&padded).expect("the target answers");
        let mut initiator = OtherInitiator { connection, command: 0 };
        let answer = initiator.receive();
        assert_eq!((answer[0], answer[1] & 0x83, answer[36]), (0x23, 0x83, 0), "login");
        initiator.command = u32::from_be_bytes(answer[28..32].try_into().expect("the target answers"));
        initiator
    }

    fn receive(&mut self) -> [u8; 48] {
        let mut header = [0; 48];
        self.connection.read_exact(&mut header).expect("the target answers");
        let length = u32::from_be_bytes([0, header[5], header[6], header[7]]) as usize;
        self.connection.read_exact(&mut vec![0; length.next_multiple_of(4)]).expect("the target answers");
        header
    }

    /// Registers with a LUN by PERSISTENT RESERVE OUT.
    ///
    /// # Panics
    /// The LUN refuses the command.
    pub fn register(&mut self, lun: u8, key: u64) {
        let ready = (0..5).any(|_| self.command(lun, &[0; 6], &[]) == 0);
        assert!(ready, "unit attentions do not end");
        // The new key is in bytes 8 to 15 of the parameters.
        let mut parameters = [0; 24];
        parameters[8..16].copy_from_slice(&key.to_be_bytes());
        assert_eq!(self.command(lun, &[0x5f, 0, 0, 0, 0, 0, 0, 0, 24, 0], &parameters), 0);
    }

    /// Reserves a LUN with which it has registered, for its own writes.
    ///
    /// # Panics
    /// The LUN refuses the command.
    pub fn reserve(&mut self, lun: u8, key: u64) {
        let mut parameters = [0; 24];
        parameters[..8].copy_from_slice(&key.to_be_bytes());
        assert_eq!(self.command(lun, &[0x5f, 1, 1, 0, 0, 0, 0, 0, 24, 0], &parameters), 0);
    }

    /// Sends a command with data and returns its SCSI status.
    fn command(&mut self, lun: u8, command: &[u8], data: &[u8]) -> u8 {
        let mut header = [0; 48];
        (header[0], header[9]) = (0x01, lun);
        header[1] = if data.is_empty() { 0x81 } else { 0xa1 };
        header[5..8].copy_from_slice(&(data.len() as u32).to_be_bytes()[1..]);
        header[16..20].copy_from_slice(&(self.command + 1).to_be_bytes());
        header[20..24].copy_from_slice(&(data.len() as u32).to_be_bytes());
        header[24..28].copy_from_slice(&self.command.to_be_bytes());
        header[32..32 + command.len()].copy_from_slice(command);
        self.command += 1;
        self.connection.write_all(&[&header, data].concat()).expect("the target answers");
        let answer = self.receive();
        assert_eq!(answer[0], 0x21, "a response of a command");
        answer[3]
    }
}
