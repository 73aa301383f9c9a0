//! Connections to Ceph clusters, and what a cluster says about itself.

use super::completion_queue::{CompletionQueue, Place};
use super::{OPEN_LIMIT, RemoteError};
use libc::{c_char, c_int, c_void};
use std::ffi::{CStr, CString};
use std::path::PathBuf;
use std::ptr;
use std::time::Duration;
use sys::errno::errno_text;
use sys::librados::{self, IoContext, Librados, RadosCompletion, RadosHandle};
pub use sys::librados::{ClusterStat, PoolStat};

/// Option of librados that limits the time of an operation, in seconds; 0 = no limit.
const OPERATION_TIMEOUT: &str = "rados_osd_op_timeout";

/// Address of a Ceph cluster, and the name under which it is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterTarget {
    /// Name of the cluster, which names its files in /etc/ceph; `None` = ceph.
    pub cluster: Option<String>,
    /// Name of the client; `client.` is put before a name without a type. `None` = client.admin.
    pub client: Option<String>,
    /// Path of the configuration file; `None` = that of the variable CEPH_CONF, or in /etc/ceph.
    pub conf: Option<PathBuf>,
}

/// Connection to a cluster.
#[derive(Debug)]
pub struct Cluster {
    api: &'static Librados,
    handle: RadosHandle,
    /// Name of the client, and the addresses of the monitors.
    client: String,
    monitors: String,
    /// Configured limit of the time of an operation in seconds.
    operation_timeout: String,
}

// SAFETY: librados allows calls on a handle from any thread.
unsafe impl Send for Cluster {}

/// Answer to a command: its output, and its status text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Output, JSON if the command asked for it.
    pub output: String,
    /// Status text of the server.
    pub status: String,
}

impl Cluster {
    /// Connects to a cluster, to ask it: each call on the connection ends after [`OPEN_LIMIT`].
    ///
    /// # Errors
    /// The library is not installed, the configuration cannot be read, no monitor answers, or the key is wrong.
    pub fn connect(target: &ClusterTarget) -> Result<Self, RemoteError> {
        let api = Librados::load()
            .map_err(|missing| RemoteError::NoLibrary { missing, package: librados::PACKAGE })?;
        let client = match target.client.as_deref().unwrap_or("admin") {
            name if name.contains('.') => name.to_string(),
            name => format!("client.{name}"),
        };
        let name = c_string("rados_create2", &client)?;
        let cluster = c_string("rados_create2", target.cluster.as_deref().unwrap_or("ceph"))?;
        let mut handle = ptr::null_mut();
        // SAFETY: the texts are null-terminated and live across the call.
        let made = unsafe { (api.create2)(&raw mut handle, cluster.as_ptr(), name.as_ptr(), 0) };
        check("rados_create2", made, || client.clone())?;
        // From here on, a failure ends the handle.
        let mut made =
            Cluster { api, handle, client, monitors: String::new(), operation_timeout: String::new() };
        made.configure(target)?;
        made.operation_timeout = made.option(OPERATION_TIMEOUT).unwrap_or_default();
        // Below the limit of the waits here, so that the library itself ends a call, and the connection can be closed.
        let seconds = (OPEN_LIMIT.as_secs() - 2).to_string();
        made.set("client_mount_timeout", &seconds);
        made.set("rados_mon_op_timeout", &seconds);
        made.set(OPERATION_TIMEOUT, &seconds);
        // Errors are returned; as text, they would be mixed with the output.
        made.set("log_to_stderr", "false");
        made.set("err_to_stderr", "false");
        made.monitors = made.option("mon_host").unwrap_or_default();
        // SAFETY: the handle is configured and not connected.
        let connected = unsafe { (api.connect)(made.handle) };
        check("rados_connect", connected, || made.describe(""))?;
        Ok(made)
    }

    /// Sets the limit of the time of an operation to that of the configuration, by default none: from now on, an
    /// operation waits for its server, as in every client of Ceph.
    pub(crate) fn wait_for_servers(&self) {
        self.set(OPERATION_TIMEOUT, &self.operation_timeout);
    }

    /// Limits the time of the operations that end the connection.
    pub(crate) fn begin_end(&self) {
        self.set(OPERATION_TIMEOUT, "5");
    }

    fn configure(&self, target: &ClusterTarget) -> Result<(), RemoteError> {
        let path = match &target.conf {
            Some(path) => Some(c_string("rados_conf_read_file", &path.to_string_lossy())?),
            None => None,
        };
        // SAFETY: the path is null or null-terminated; null is the default path.
        let read = unsafe {
            (self.api.conf_read_file)(self.handle, path.as_ref().map_or(ptr::null(), |path| path.as_ptr()))
        };
        // SAFETY: null is the variable CEPH_ARGS.
        let parsed = unsafe { (self.api.conf_parse_env)(self.handle, ptr::null()) };
        check("rados_conf_parse_env", parsed, || "CEPH_ARGS".into())?;
        // Without a file, the options in CEPH_ARGS can be sufficient.
        if read < 0 && (path.is_some() || self.option("mon_host").is_none_or(|host| host.is_empty())) {
            let named = target.conf.as_ref().map(|path| path.display().to_string());
            let variable = || std::env::var("CEPH_CONF").ok();
            let cluster = target.cluster.as_deref().unwrap_or("ceph");
            return check("rados_conf_read_file", read, || {
                named.or_else(variable).unwrap_or_else(|| format!("/etc/ceph/{cluster}.conf"))
            });
        }
        Ok(())
    }

    /// Sets an option of the library; options that this version lacks have no effect.
    pub(crate) fn set(&self, option: &str, value: &str) {
        if let (Ok(option), Ok(value)) = (CString::new(option), CString::new(value)) {
            // SAFETY: the texts are null-terminated and live across the call.
            unsafe { (self.api.conf_set)(self.handle, option.as_ptr(), value.as_ptr()) };
        }
    }

    /// Returns the value of an option of the library for this connection; `None` if this version lacks the option.
    pub fn option(&self, option: &str) -> Option<String> {
        let option = CString::new(option).ok()?;
        let mut buffer = vec![0_u8; 4096];
        // SAFETY: the library writes at most as many bytes as the buffer has.
        let got = unsafe {
            (self.api.conf_get)(self.handle, option.as_ptr(), buffer.as_mut_ptr().cast(), buffer.len())
        };
        let text = CStr::from_bytes_until_nul(&buffer).ok()?;
        (got >= 0).then(|| text.to_string_lossy().into_owned())
    }

    /// Returns the name of an object of the cluster with the addresses of the monitors and the client's name, for an
    /// error.
    pub(crate) fn describe(&self, what: &str) -> String {
        let place = if what.is_empty() { String::new() } else { format!("{what} at ") };
        format!("{place}{} as {}", self.monitors, self.client)
    }

    /// Returns the error of a call on this connection.
    pub(crate) fn refused(&self, call: &'static str, errno: i32, what: &str) -> RemoteError {
        refused(call, errno, &self.describe(what))
    }

    /// Opens a pool, or a namespace in it (`pool/namespace`).
    ///
    /// # Errors
    /// ENOENT if the pool does not exist.
    pub(crate) fn pool(&self, name: &str) -> Result<Pool, RemoteError> {
        let (pool, namespace) = name.split_once('/').unwrap_or((name, ""));
        let c_pool = c_string("rados_ioctx_create", pool)?;
        let c_namespace = c_string("rados_ioctx_create", namespace)?;
        let mut io = ptr::null_mut();
        // SAFETY: the handle is connected; the texts are null-terminated and live across the calls.
        let created = unsafe { (self.api.ioctx_create)(self.handle, c_pool.as_ptr(), &raw mut io) };
        check("rados_ioctx_create", created, || self.describe(pool))?;
        // SAFETY: as above.
        unsafe { (self.api.ioctx_set_namespace)(io, c_namespace.as_ptr()) };
        Ok(Pool { api: self.api, io })
    }

    /// Returns the number of this client's instance, which the cluster names in lists of watchers.
    pub(crate) fn instance(&self) -> u64 {
        // SAFETY: the handle is connected.
        unsafe { (self.api.instance_id)(self.handle) }
    }

    /// Returns the identifier of the cluster.
    ///
    /// # Errors
    /// The library's error.
    pub fn fsid(&self) -> Result<String, RemoteError> {
        let mut buffer = [0_u8; 64];
        // SAFETY: the library writes at most as many bytes as the buffer has.
        let got = unsafe { (self.api.cluster_fsid)(self.handle, buffer.as_mut_ptr().cast(), buffer.len()) };
        check("rados_cluster_fsid", got, || self.describe(""))?;
        let text = CStr::from_bytes_until_nul(&buffer).unwrap_or_default();
        Ok(text.to_string_lossy().into_owned())
    }

    /// Returns the space of the cluster.
    ///
    /// # Errors
    /// The server's error.
    pub fn space(&self) -> Result<ClusterStat, RemoteError> {
        let mut stat = ClusterStat::default();
        // SAFETY: the structure lives across the call.
        let got = unsafe { (self.api.cluster_stat)(self.handle, &raw mut stat) };
        check("rados_cluster_stat", got, || self.describe(""))?;
        Ok(stat)
    }

    /// Returns the names of the pools.
    ///
    /// # Errors
    /// The library's error.
    pub fn pools(&self) -> Result<Vec<String>, RemoteError> {
        let mut buffer: Vec<u8> = Vec::new();
        loop {
            // SAFETY: the library writes at most as many bytes as the buffer has.
            let needed =
                unsafe { (self.api.pool_list)(self.handle, buffer.as_mut_ptr().cast(), buffer.len()) };
            check("rados_pool_list", needed, || self.describe(""))?;
            if needed as usize <= buffer.len() {
                return Ok(texts(&buffer));
            }
            buffer.resize(needed as usize, 0);
        }
    }

    /// Returns the name of the pool with this number; `None` if no pool has it.
    pub fn pool_name(&self, id: i64) -> Option<String> {
        let mut buffer = vec![0_u8; 1024];
        // SAFETY: the library writes at most as many bytes as the buffer has.
        let got = unsafe { (self.api.pool_name)(self.handle, id, buffer.as_mut_ptr().cast(), buffer.len()) };
        let text = CStr::from_bytes_until_nul(&buffer).ok()?;
        (got >= 0).then(|| text.to_string_lossy().into_owned())
    }

    /// Returns the statistics of a pool.
    ///
    /// # Errors
    /// The pool does not exist, or the server's error.
    pub fn pool_stat(&self, pool: &str) -> Result<PoolStat, RemoteError> {
        let io = self.pool(pool)?;
        let mut stat = PoolStat::default();
        // SAFETY: the structure lives across the call.
        let got = unsafe { (self.api.ioctx_pool_stat)(io.io, &raw mut stat) };
        check("rados_ioctx_pool_stat", got, || self.describe(pool))?;
        Ok(stat)
    }

    /// Sends a command in JSON to a monitor, as `{"prefix":"osd pool ls","format":"json"}`.
    ///
    /// # Errors
    /// The monitor's error with its status text.
    pub fn mon_command(&self, json: &str) -> Result<Answer, RemoteError> {
        self.command("rados_mon_command", None, json)
    }

    /// Sends a command in JSON to the active manager.
    ///
    /// # Errors
    /// The manager's error with its status text; ETIMEDOUT if none is active.
    pub fn mgr_command(&self, json: &str) -> Result<Answer, RemoteError> {
        self.command("rados_mgr_command", None, json)
    }

    /// Sends a command in JSON to an OSD.
    ///
    /// # Errors
    /// The OSD's error with its status text.
    pub fn osd_command(&self, osd: i32, json: &str) -> Result<Answer, RemoteError> {
        self.command("rados_osd_command", Some(osd), json)
    }

    /// Sends a command by the function `call` of the library; with a number, to this OSD.
    fn command(&self, call: &'static str, osd: Option<i32>, json: &str) -> Result<Answer, RemoteError> {
        let command = c_string(call, json)?;
        let commands = [command.as_ptr()];
        let mut parts = [(ptr::null_mut(), 0); 2];
        let [(output, output_len), (status, status_len)] = &mut parts;
        let (commands, input) = (commands.as_ptr(), c"".as_ptr());
        // SAFETY: the handle is connected; command and results live across the call.
        let sent = unsafe {
            match osd {
                Some(osd) => (self.api.osd_command)(
                    self.handle,
                    osd,
                    commands,
                    1,
                    input,
                    0,
                    output,
                    output_len,
                    status,
                    status_len,
                ),
                None => {
                    let monitor = call == "rados_mon_command";
                    let send = if monitor { self.api.mon_command } else { self.api.mgr_command };
                    send(self.handle, commands, 1, input, 0, output, output_len, status, status_len)
                }
            }
        };
        let [output, status] = parts.map(|(text, len)| self.take_buffer(text, len));
        let answer = Answer { output, status };
        check(call, sent, || {
            let said: Vec<&str> = answer.status.split_whitespace().collect();
            self.describe(&said.join(" "))
        })?;
        Ok(answer)
    }

    /// Returns the text in a buffer of the library, which is freed.
    fn take_buffer(&self, buffer: *mut c_char, len: usize) -> String {
        if buffer.is_null() {
            return String::new();
        }
        // SAFETY: the library allocated `len` bytes at this address, and gave them to the caller.
        unsafe {
            let text = String::from_utf8_lossy(std::slice::from_raw_parts(buffer.cast(), len)).into_owned();
            (self.api.buffer_free)(buffer);
            text
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // SAFETY: the handle is not used any more: pools and images are closed before.
        unsafe { (self.api.shutdown)(self.handle) };
    }
}

/// An open pool; closed before its [`Cluster`].
#[derive(Debug)]
pub(crate) struct Pool {
    api: &'static Librados,
    /// Handle of the pool.
    pub io: IoContext,
}

// SAFETY: librados allows calls on a pool from any thread.
unsafe impl Send for Pool {}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: the handle is not used any more.
        unsafe { (self.api.ioctx_destroy)(self.io) };
    }
}

impl Pool {
    /// Functions of librados.
    pub fn api(&self) -> &'static Librados {
        self.api
    }

    /// Returns a completion of librados that hands its result over to the place `argument` of a queue. It is released by
    /// the worker, because a call can be cancelled as long as its completion exists.
    #[inline(always)]
    pub fn completion(&self, argument: *mut c_void) -> RadosCompletion {
        let mut completion = ptr::null_mut();
        // SAFETY: the library returns 0 at all times.
        unsafe { (self.api.create_completion)(argument, completed, &raw mut completion) };
        completion
    }

    /// Calls `start` with a completion and waits for it, for [`OPEN_LIMIT`] at most. Returns the result, -ETIMEDOUT if it
    /// does not come in time; the memory that the call uses is free then, too.
    pub fn wait(&self, start: impl FnOnce(RadosCompletion) -> c_int) -> i32 {
        let mut queue = CompletionQueue::new(1, false);
        let completion = self.completion(queue.begin(0, 0));
        let started = start(completion);
        let result = if started < 0 {
            queue.refuse(0, started);
            Some(started)
        } else {
            queue.wait_for_one(OPEN_LIMIT)
        };
        if result.is_none() {
            // SAFETY: the completion exists. A cancelled call ends at once.
            unsafe { (self.api.cancel)(self.io, completion) };
            queue.wait_for_one(Duration::MAX);
        }
        // SAFETY: the call is complete, and its callback has run.
        unsafe { (self.api.release)(completion) };
        result.unwrap_or(-libc::ETIMEDOUT)
    }
}

/// Callback of all asynchronous calls of librados.
unsafe extern "C" fn completed(completion: RadosCompletion, argument: *mut c_void) {
    if let Ok(api) = Librados::load() {
        // SAFETY: the library calls this once, with its completion and the argument given to it.
        unsafe { Place::complete(argument, (api.return_value)(completion)) };
    }
}

/// Returns the error of a call.
pub(crate) fn refused(call: &'static str, errno: i32, what: &str) -> RemoteError {
    RemoteError::Refused { call, errno, text: format!("{what}: {}", errno_text(errno)) }
}

/// Returns the result of a call, or its error, in which `what` names the object of the call.
///
/// # Errors
/// `result` is negative: -errno.
pub(crate) fn check(
    call: &'static str,
    result: c_int,
    what: impl FnOnce() -> String,
) -> Result<(), RemoteError> {
    if result < 0 { Err(refused(call, -result, &what())) } else { Ok(()) }
}

/// Returns a text for a call.
///
/// # Errors
/// EINVAL if the text contains a null.
pub(crate) fn c_string(call: &'static str, text: &str) -> Result<CString, RemoteError> {
    CString::new(text).map_err(|_| refused(call, libc::EINVAL, &text.replace('\0', "?")))
}

/// Returns the null-terminated texts of a buffer, up to an empty one.
pub(crate) fn texts(buffer: &[u8]) -> Vec<String> {
    let parts = buffer.split(|byte| *byte == 0).take_while(|part| !part.is_empty());
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}
