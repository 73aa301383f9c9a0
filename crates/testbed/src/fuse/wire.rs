//! The part of the kernel's FUSE protocol (7.31) that a single file needs, as bytes in and bytes out.

/// Operation codes of the kernel's `fuse_opcode`.
pub const FORGET: u32 = 2;
pub const GETATTR: u32 = 3;
pub const SETATTR: u32 = 4;
pub const OPEN: u32 = 14;
pub const READ: u32 = 15;
pub const WRITE: u32 = 16;
pub const STATFS: u32 = 17;
pub const RELEASE: u32 = 18;
pub const FSYNC: u32 = 20;
pub const FLUSH: u32 = 25;
pub const INIT: u32 = 26;
pub const ACCESS: u32 = 34;
pub const INTERRUPT: u32 = 36;
pub const DESTROY: u32 = 38;
pub const BATCH_FORGET: u32 = 42;

/// Largest single read or write, bytes: 256 pages, so that 1 MiB stays one request.
pub const MAX_IO_BYTES: usize = 1 << 20;
/// Largest size of a request: header, arguments and the data of one write.
pub const MAX_REQUEST_BYTES: usize = MAX_IO_BYTES + 4096;

const IN_HEADER_BYTES: usize = 40;

const ASYNC_READ: u32 = 1 << 0;
const BIG_WRITES: u32 = 1 << 5;
const ASYNC_DIO: u32 = 1 << 15;
const MAX_PAGES: u32 = 1 << 22;

const FOPEN_DIRECT_IO: u32 = 1 << 0;
const FOPEN_PARALLEL_DIRECT_WRITES: u32 = 1 << 6;

const FATTR_SIZE: u32 = 1 << 3;

/// Request as read from `/dev/fuse`.
pub struct Request<'a> {
    /// FUSE opcode of the requested operation.
    pub opcode: u32,
    /// Number that identifies the request in its reply.
    pub unique: u64,
    body: &'a [u8],
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl<'a> Request<'a> {
    /// Splits a request into header and body; returns `None` if it is too short.
    pub fn parse(bytes: &'a [u8]) -> Option<Request<'a>> {
        let body = bytes.get(IN_HEADER_BYTES..)?;
        Some(Request { opcode: u32_at(bytes, 4), unique: u64_at(bytes, 8), body })
    }

    /// Returns the byte offset of a READ or WRITE.
    pub fn offset(&self) -> u64 {
        u64_at(self.body, 8)
    }

    /// Returns the length in bytes of a READ or WRITE.
    pub fn len(&self) -> usize {
        u32_at(self.body, 16) as usize
    }

    /// Returns the data of a WRITE.
    pub fn payload(&self) -> &'a [u8] {
        self.body.get(40..40 + self.len()).unwrap_or(&[])
    }

    /// Returns the file size that a SETATTR sets, if it sets one.
    pub fn new_size(&self) -> Option<u64> {
        (u32_at(self.body, 0) & FATTR_SIZE != 0).then(|| u64_at(self.body, 16))
    }

    /// Returns the reply to INIT: asynchronous direct I/O, 512 requests in flight, 1 MiB each.
    pub fn init_reply(&self) -> Vec<u8> {
        let offered = u32_at(self.body, 12);
        let mut out = Vec::with_capacity(64);
        out.extend(7u32.to_le_bytes());
        out.extend(31u32.to_le_bytes());
        out.extend(0u32.to_le_bytes()); // no read-ahead: each read of the program is one of ours
        out.extend((offered & (ASYNC_READ | BIG_WRITES | ASYNC_DIO | MAX_PAGES)).to_le_bytes());
        out.extend(512u16.to_le_bytes());
        out.extend(512u16.to_le_bytes());
        out.extend((MAX_IO_BYTES as u32).to_le_bytes());
        out.extend(1u32.to_le_bytes());
        out.extend(((MAX_IO_BYTES / 4096) as u16).to_le_bytes());
        out.resize(64, 0);
        out
    }
}

/// Returns a reply with its header; `error` is 0 or a positive errno.
pub fn reply(unique: u64, error: i32, body: &[u8]) -> Vec<u8> {
    let len = 16 + body.len();
    let mut out = Vec::with_capacity(len);
    out.extend((len as u32).to_le_bytes());
    out.extend((-error).to_le_bytes());
    out.extend(unique.to_le_bytes());
    out.extend(body);
    out
}

/// Returns the attributes of the file.
pub fn attributes(size_bytes: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(104);
    out.extend(3600u64.to_le_bytes());
    out.extend([0; 8]);
    for word in [1, size_bytes, size_bytes.div_ceil(512), 0, 0, 0] {
        out.extend(word.to_le_bytes());
    }
    for word in [0u32, 0, 0, 0o100_644, 1, 0, 0, 0, 4096, 0] {
        out.extend(word.to_le_bytes());
    }
    out
}

/// Returns the reply to OPEN: the file bypasses the page cache and accepts parallel writes.
pub fn opened() -> Vec<u8> {
    let mut out = vec![0; 8];
    out.extend((FOPEN_DIRECT_IO | FOPEN_PARALLEL_DIRECT_WRITES).to_le_bytes());
    out.extend([0; 4]);
    out
}

/// Returns the reply to a WRITE of this many bytes.
pub fn written(bytes: usize) -> Vec<u8> {
    u64::to_le_bytes(bytes as u64).to_vec()
}

/// Returns the reply to STATFS: ample free space.
pub fn statfs() -> Vec<u8> {
    let mut out = Vec::with_capacity(80);
    for word in [1u64 << 24, 1 << 24, 1 << 24, 1 << 20, 1 << 20] {
        out.extend(word.to_le_bytes());
    }
    for word in [4096u32, 255, 4096, 0] {
        out.extend(word.to_le_bytes());
    }
    out.resize(80, 0);
    out
}
