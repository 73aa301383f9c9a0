//! Servers of network storage, started by the project's own scripts (`scripts/servers/KIND up|down DIR`) and ended on
//! drop. The directory's name contains the pid; servers of killed test processes end before the next one starts.

use crate::bounded::{Bounded, TOOL_LIMIT};
use crate::names::{PREFIX, own_name, stale};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Directory of the servers: in memory, with a short name, because the paths of sockets have at most 107 bytes.
const PLACE: &str = "/dev/shm";
/// Status of a script whose server is not installed.
const NOT_INSTALLED: i32 = 77;
/// Libraries of the clients of the servers, which the tests of a server load: kind, name, package of Debian.
const CLIENTS: [(&str, &str, &str); 5] = [
    ("nbd", "libnbd.so.0", "libnbd0"),
    ("ceph", "librados.so.2", "librados2"),
    ("ceph", "librbd.so.1", "librbd1"),
    ("nfs", "libnfs.so.13", "libnfs13"),
    ("iscsi", "libiscsi.so.7", "libiscsi7"),
];
/// Longest time that a server takes to start or to end.
const LIMIT: Duration = Duration::from_secs(120);

/// A running server.
#[derive(Debug)]
pub struct Server {
    kind: &'static str,
    dir: PathBuf,
    values: BTreeMap<String, String>,
}

/// Starts a server of this kind ([`Server::up`]), or ends the test with the reason why there is none.
#[macro_export]
macro_rules! server {
    ($kind:expr, $settings:expr) => {
        match $crate::Server::up($kind, $settings) {
            Ok(server) => server,
            Err(reason) => return $crate::skip(&reason),
        }
    };
}

impl Server {
    /// Starts a server by `scripts/servers/KIND up DIR` with these environment variables.
    ///
    /// # Errors
    /// The reason why the server cannot run on this machine, for [`crate::skip`].
    ///
    /// # Panics
    /// The script failed for another reason than a missing program.
    pub fn up(kind: &'static str, settings: &[(&str, &str)]) -> Result<Server, String> {
        sweep();
        if let Some(reason) = missing_client(kind) {
            return Err(reason);
        }
        let mut server = Server {
            kind,
            dir: Path::new(PLACE).join(format!("{}.{kind}", own_name())),
            values: BTreeMap::new(),
        };
        let mut up = command(kind, "up".as_ref(), &server.dir);
        let output =
            up.envs(settings.iter().copied()).output_within(LIMIT).expect("the script of the server starts");
        let (text, error) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        if output.status.code() == Some(NOT_INSTALLED) {
            return Err(error.trim().into());
        }
        assert!(output.status.success(), "scripts/servers/{kind}: {error}");
        let values = text.lines().filter_map(|line| line.split_once('='));
        server.values = values.map(|(key, value)| (key.into(), value.into())).collect();
        Ok(server)
    }

    /// Returns a value that the script printed as `KEY=VALUE`.
    ///
    /// # Panics
    /// The script did not print it.
    pub fn value(&self, key: &str) -> &str {
        self.values.get(key).unwrap_or_else(|| panic!("scripts/servers/{} prints no {key}", self.kind))
    }

    /// Runs a tool of Ceph on a server of the kind `ceph`, and returns its output.
    ///
    /// # Panics
    /// The tool failed.
    pub fn tool(&self, command: &str) -> Vec<u8> {
        let mut words = command.split_whitespace();
        let mut tool = Command::new(words.next().unwrap_or_default());
        tool.args(words).env("CEPH_CONF", self.value("CEPH_CONF"));
        match tool.output_within(TOOL_LIMIT) {
            Ok(output) if output.status.success() => output.stdout,
            failed => panic!("{command}: {failed:?}"),
        }
    }

    /// Returns counters of the first OSD of a server of the kind `ceph`, read from its admin socket.
    ///
    /// # Panics
    /// The OSD does not answer, or has no such counter.
    pub fn osd_counters<const N: usize>(&self, names: [&str; N]) -> [u64; N] {
        let ask = || -> std::io::Result<String> {
            let mut socket = UnixStream::connect(self.value("ASOK_osd.0"))?;
            socket.write_all(b"{\"prefix\":\"perf dump\",\"logger\":\"osd\"}\0")?;
            let mut answer = Vec::new();
            socket.read_to_end(&mut answer)?;
            // The length of the text comes first.
            Ok(String::from_utf8_lossy(answer.get(4..).unwrap_or_default()).into_owned())
        };
        let text = ask().unwrap_or_else(|e| panic!("the OSD does not answer: {e}"));
        names.map(|name| {
            let value = text.split_once(&format!("\"{name}\":")).map(|(_, rest)| rest.trim_start());
            let digits = value.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next());
            digits
                .and_then(|digits| digits.parse().ok())
                .unwrap_or_else(|| panic!("no counter {name}: {text}"))
        })
    }

    /// Returns the directory of the server, with its log and the file `pids`.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Returns the process numbers of the server, in the order in which its processes were started.
    pub fn pids(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.dir.join("pids")).unwrap_or_default();
        text.lines().filter_map(|line| line.trim().parse().ok()).collect()
    }

    /// Sends a signal to all processes of the server.
    pub fn signal(&self, signal: rustix::process::Signal) {
        for pid in self.pids().into_iter().filter_map(rustix::process::Pid::from_raw) {
            // A process that has ended needs no signal.
            let _ = rustix::process::kill_process(pid, signal);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        down(self.kind, &self.dir);
    }
}

/// Returns the reason why no client of this kind of server works on this machine; `None` if its libraries are there.
pub fn missing_client(kind: &str) -> Option<String> {
    let missing = CLIENTS.iter().find(|(of, library, _)| *of == kind && !loads(library));
    missing.map(|(_, library, package)| format!("{library} is not installed (package {package})"))
}

/// Returns whether the loader of programs finds a library; it warns of one that it cannot load before a program.
fn loads(library: &str) -> bool {
    let output = Command::new("true").env("LD_PRELOAD", library).output_within(LIMIT);
    output.is_ok_and(|output| output.stderr.is_empty())
}

fn command(kind: &str, verb: &OsStr, dir: &Path) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/servers").join(kind);
    let mut command = Command::new(script);
    command.arg(verb).arg(dir);
    command
}

fn down(kind: &str, dir: &Path) {
    let _ = command(kind, "down".as_ref(), dir).output_within(LIMIT);
}

/// Ends the servers of test processes that no longer run.
fn sweep() {
    for entry in fs::read_dir(PLACE).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX) && stale(name)) else {
            continue;
        };
        if let Some((_, kind)) = name.rsplit_once('.') {
            down(kind, &entry.path());
        }
    }
}
