//! Functions of Open MPI that return at once: messages of bytes between the ranks of the world.

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;
use sys::library::libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY};

/// Library of Open MPI 3, 4 and 5. Other MPIs have other names, and other types in the same functions.
const SONAME: &str = "libmpi.so.40";
/// Debian's package of the library.
const PACKAGE: &str = "libopenmpi3";

const ANY: c_int = -1;
const THREAD_FUNNELED: c_int = 1;
/// Longest name of a processor with its null, bytes.
const LONGEST_NAME: usize = 256;

type Handle = *mut c_void;

/// `MPI_Status` of Open MPI.
#[repr(C)]
struct Status {
    source: c_int,
    tag: c_int,
    error: c_int,
    cancelled: c_int,
    bytes: usize,
}

sys::c_library! {
    struct Libmpi = "libmpi.so.40" {
        init_thread = MPI_Init_thread: fn(*mut c_int, *mut *mut *mut c_char, c_int, *mut c_int) -> c_int;
        comm_rank = MPI_Comm_rank: fn(Handle, *mut c_int) -> c_int;
        comm_size = MPI_Comm_size: fn(Handle, *mut c_int) -> c_int;
        processor_name = MPI_Get_processor_name: fn(*mut c_char, *mut c_int) -> c_int;
        iprobe = MPI_Iprobe: fn(c_int, c_int, Handle, *mut c_int, *mut Status) -> c_int;
        get_count = MPI_Get_count: fn(*const Status, Handle, *mut c_int) -> c_int;
        isend = MPI_Isend: fn(*const c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
        irecv = MPI_Irecv: fn(*mut c_void, c_int, Handle, c_int, c_int, Handle, *mut Handle) -> c_int;
        test = MPI_Test: fn(*mut Handle, *mut c_int, *mut Status) -> c_int;
        abort = MPI_Abort: fn(Handle, c_int) -> c_int;
        finalize = MPI_Finalize: fn() -> c_int;
    }
}

/// Reason why there is no MPI.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum MpiError {
    /// The library is missing.
    #[error("{SONAME} (Open MPI) is missing: install {PACKAGE}")]
    NoLibrary,
    /// The library lacks a function or constant.
    #[error("{SONAME} has no {0}: it is not that of Open MPI 4 (package {PACKAGE})")]
    Lacks(&'static str),
    /// MPI_Init_thread failed.
    #[error("MPI_Init_thread returned {0}")]
    NotStarted(i32),
}

/// The ranks that were started together. An error of MPI ends the process: that is Open MPI's default.
#[derive(Debug)]
pub struct World {
    mpi: &'static Libmpi,
    comm: Handle,
    byte: Handle,
    /// Number of this process.
    pub rank: u32,
    /// Number of processes.
    pub size: u32,
}

/// Message that can be received.
#[derive(Clone, Copy, Debug)]
pub struct Arriving {
    /// Rank of the sender.
    pub source: u32,
    /// Kind of message.
    pub tag: i32,
    bytes: c_int,
}

/// Message on its way, with its bytes.
#[derive(Debug)]
pub struct Transfer {
    bytes: Vec<u8>,
    request: Handle,
    done: bool,
}

impl World {
    /// Starts MPI, which may take until all ranks have been started.
    ///
    /// # Errors
    /// Open MPI is not installed, or does not start.
    pub fn start() -> Result<World, MpiError> {
        // SAFETY: the library's initialisers have no requirements. Plugins of Open MPI that are not linked to it find its symbols
        // only if they are global, which they stay when `Libmpi::load` opens it again.
        let library = unsafe { Library::open(Some(SONAME), RTLD_GLOBAL | RTLD_LAZY) };
        let library = std::mem::ManuallyDrop::new(library.map_err(|_| MpiError::NoLibrary)?);
        let mpi = Libmpi::load()
            .map_err(|missing| missing.function.map_or(MpiError::NoLibrary, MpiError::Lacks))?;
        let address = |name: &'static str| {
            // SAFETY: only the address of the object is taken, which is the handle in Open MPI's header.
            let symbol = unsafe { library.get::<Handle>(name.as_bytes()) };
            symbol.map(|symbol| symbol.into_raw()).map_err(|_| MpiError::Lacks(name))
        };
        let (comm, byte) = (address("ompi_mpi_comm_world")?, address("ompi_mpi_byte")?);
        let (mut rank, mut size, mut provided) = (0, 0, 0);
        let none = std::ptr::null_mut();
        // SAFETY: MPI accepts null for the arguments; the other pointers are to integers of the type that is declared. This
        // process calls MPI from one thread, because `World` and `Transfer` hold pointers and cannot be sent to others.
        unsafe {
            match (mpi.init_thread)(none, none.cast(), THREAD_FUNNELED, &mut provided) {
                0 => {}
                status => return Err(MpiError::NotStarted(status)),
            }
            (mpi.comm_rank)(comm, &mut rank);
            (mpi.comm_size)(comm, &mut size);
        }
        Ok(World { mpi, comm, byte, rank: rank as u32, size: size as u32 })
    }

    /// Returns the name of the machine.
    pub fn processor_name(&self) -> String {
        let mut name = [0u8; LONGEST_NAME];
        let mut length = 0;
        // SAFETY: the buffer has the size that the header demands.
        unsafe { (self.mpi.processor_name)(name.as_mut_ptr().cast(), &mut length) };
        String::from_utf8_lossy(&name[..(length as usize).min(LONGEST_NAME)]).into_owned()
    }

    /// Returns the next message that can be received, if any; with `tag`, only one of this kind.
    pub fn probe(&self, tag: Option<i32>) -> Option<Arriving> {
        let (mut is_there, mut bytes) = (0, 0);
        let mut status = MaybeUninit::<Status>::uninit();
        // SAFETY: the pointers are to values of the declared types; the status is written if there is a message.
        let status = unsafe {
            (self.mpi.iprobe)(ANY, tag.unwrap_or(ANY), self.comm, &mut is_there, status.as_mut_ptr());
            if is_there == 0 {
                return None;
            }
            (self.mpi.get_count)(status.as_ptr(), self.byte, &mut bytes);
            status.assume_init()
        };
        Some(Arriving { source: status.source as u32, tag: status.tag, bytes })
    }

    /// Begins to receive a message that [`probe`](Self::probe) has returned last.
    pub fn receive(&self, arriving: Arriving) -> Transfer {
        let mut bytes = vec![0; arriving.bytes.max(0) as usize];
        let mut request = std::ptr::null_mut();
        // SAFETY: the bytes are on the heap, as long as the message, and stay there until the transfer is done: see `Drop`.
        unsafe {
            (self.mpi.irecv)(
                bytes.as_mut_ptr().cast(),
                arriving.bytes,
                self.byte,
                arriving.source as c_int,
                arriving.tag,
                self.comm,
                &mut request,
            )
        };
        Transfer { bytes, request, done: false }
    }

    /// Begins to send a message.
    pub fn send(&self, rank: u32, tag: i32, bytes: Vec<u8>) -> Transfer {
        let mut request = std::ptr::null_mut();
        // SAFETY: the bytes are on the heap, and stay there unchanged until the transfer is done: see `Drop`.
        unsafe {
            (self.mpi.isend)(
                bytes.as_ptr().cast(),
                bytes.len() as c_int,
                self.byte,
                rank as c_int,
                tag,
                self.comm,
                &mut request,
            )
        };
        Transfer { bytes, request, done: false }
    }

    /// Returns whether the transfer is done.
    pub fn is_done(&self, transfer: &mut Transfer) -> bool {
        if !transfer.done {
            let mut done = 0;
            // SAFETY: the request is one of this library that is not done; MPI accepts null for the status.
            unsafe { (self.mpi.test)(&mut transfer.request, &mut done, std::ptr::null_mut()) };
            transfer.done = done != 0;
        }
        transfer.done
    }

    /// Ends all ranks.
    pub fn abort(&self, status: i32) {
        // SAFETY: MPI is initialised; it does not return.
        unsafe { (self.mpi.abort)(self.comm, status) };
    }

    /// Ends MPI, when all ranks do.
    pub fn finish(self) {
        // SAFETY: MPI is initialised, and called no more.
        unsafe { (self.mpi.finalize)() };
    }
}

impl Transfer {
    /// Returns the bytes of a transfer that is done.
    pub fn into_bytes(mut self) -> Vec<u8> {
        debug_assert!(self.done);
        std::mem::take(&mut self.bytes)
    }
}

impl Drop for Transfer {
    fn drop(&mut self) {
        if !self.done {
            // MPI may still read or write them.
            std::mem::forget(std::mem::take(&mut self.bytes));
        }
    }
}
