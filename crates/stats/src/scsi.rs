//! Result of a SCSI command that failed.

/// Result of a SCSI command that failed, as the `sg` driver tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScsiStatus {
    /// SCSI status of the device; 2 = check condition, 0 = good.
    pub status: u8,
    /// Status of the host adapter (DID_*); 0 = good.
    pub host: u16,
    /// Status of the driver; 8 = sense data are valid.
    pub driver: u16,
    /// Number of bytes of sense data.
    pub sense_len: u8,
    /// Sense data.
    pub sense: [u8; 64],
    /// Bytes of the command's data, and how many of them were not transferred.
    pub data: [u32; 2],
    /// The command.
    pub command: [u8; 16],
}

impl ScsiStatus {
    /// Returns the sense data that the device sent.
    pub fn sense(&self) -> &[u8] {
        &self.sense[..usize::from(self.sense_len).min(self.sense.len())]
    }
}
