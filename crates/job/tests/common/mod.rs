//! What the tests of the language share: a machine on disk, a machine in memory, and fio beside.
#![allow(dead_code, reason = "each test file uses a part")]

use job::plan::{FileKind, Inspect, PathState};
use job::{CommandLine, Dialect, Files, Parsed, UsageError, command_line};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The real machine, with relative paths below `cwd`.
pub struct Disk {
    pub cwd: PathBuf,
}

impl Files for Disk {
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(self.cwd.join(path))
    }
    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        Ok(Vec::new())
    }
    fn is_dir(&mut self, path: &Path) -> bool {
        self.cwd.join(path).is_dir()
    }
    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// A machine of a few files.
#[derive(Default)]
pub struct Memory {
    pub files: HashMap<PathBuf, Vec<u8>>,
    pub env: HashMap<String, String>,
}

impl Memory {
    pub fn with(name: &str, text: &str) -> Self {
        let mut memory = Memory::default();
        memory.files.insert(name.into(), text.as_bytes().to_vec());
        memory
    }
}

impl Files for Memory {
    fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::from_raw_os_error(2))
    }
    fn stdin(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.files.get(Path::new("-")).cloned().unwrap_or_default())
    }
    fn is_dir(&mut self, path: &Path) -> bool {
        path == Path::new("/tmp")
    }
    fn is_block_device(&mut self, path: &Path) -> bool {
        path.starts_with("dev")
    }
    fn env(&self, name: &str) -> Option<String> {
        self.env.get(name).cloned()
    }
    fn ncpus(&self) -> u32 {
        4
    }
    fn memory_mb(&self) -> u64 {
        1000
    }
    fn entropy(&mut self) -> u64 {
        42
    }
}

/// Paths for `plan`: kind and size by name; what is not listed does not exist.
#[derive(Default)]
pub struct Shelf(pub HashMap<PathBuf, (FileKind, u64)>);

impl Shelf {
    pub fn of(list: &[(&str, FileKind, u64)]) -> Self {
        Shelf(list.iter().map(|(name, kind, size)| (PathBuf::from(name), (*kind, *size))).collect())
    }
}

impl Inspect for Shelf {
    fn inspect(&mut self, path: &Path) -> io::Result<PathState> {
        Ok(match self.0.get(path) {
            Some((kind, size)) => PathState { kind: *kind, exists: true, size: *size },
            None => PathState { kind: FileKind::Regular, exists: false, size: 0 },
        })
    }
}

pub fn words(line: &str) -> Vec<OsString> {
    line.split_whitespace().map(OsString::from).collect()
}

pub fn parse(args: &[OsString], files: &mut dyn Files) -> Result<Parsed, UsageError> {
    command_line(args, "fio", Dialect::Fio, files)
}

/// A command line that must be good.
pub fn run(line: &str, files: &mut dyn Files) -> CommandLine {
    match parse(&words(line), files) {
        Ok(Parsed::Run(command)) => *command,
        other => panic!("{line}: {other:?}"),
    }
}

/// A job file that must be good.
pub fn file(text: &str) -> CommandLine {
    run("j.fio", &mut Memory::with("j.fio", text))
}

/// stdout, stderr, exit status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

/// Paths as they are below `cwd`.
pub struct Below(pub PathBuf);

impl Inspect for Below {
    fn inspect(&mut self, path: &Path) -> io::Result<PathState> {
        use std::os::unix::fs::FileTypeExt;
        match std::fs::metadata(self.0.join(path)) {
            Ok(meta) => {
                let kind = match meta.file_type() {
                    t if t.is_block_device() => FileKind::Block,
                    t if t.is_char_device() => FileKind::Char,
                    _ => FileKind::Regular,
                };
                Ok(PathState {
                    kind,
                    exists: true,
                    size: if kind == FileKind::Char { 0 } else { meta.len() },
                })
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                Ok(PathState { kind: FileKind::Regular, exists: false, size: 0 })
            }
            Err(e) => Err(e),
        }
    }
}

/// fio 3.33, if it is installed; otherwise the reason is printed and the test has nothing to compare with.
pub fn fio_is_here() -> bool {
    let version = Command::new("fio").arg("--version").output();
    let here = version.is_ok_and(|out| out.stdout.starts_with(job::FIO_VERSION.as_bytes()));
    if !here {
        // Past the harness's capture, for the list at the end of scripts/test.
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("test");
        let _ = writeln!(io::stderr(), "SKIP job::{test}: the program fio is not fio-3.33");
    }
    here
}

/// What fio does with a command line, in `cwd`. Its jobs are killed with it: a time limit that leaves clones behind
/// would block the next test.
pub fn fio(args: &[OsString], cwd: &Path) -> Seen {
    let (out, err) = (cwd.join(".out"), cwd.join(".err"));
    let open = |path: &Path| Stdio::from(std::fs::File::create(path).unwrap());
    let status = Command::new("timeout")
        .args(["20", "fio"])
        .args(args)
        .current_dir(cwd)
        .stdin(Stdio::null())
        .stdout(open(&out))
        .stderr(open(&err))
        .status()
        .unwrap();
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    Seen { stdout: read(&out), stderr: read(&err), code: status.code().unwrap_or(-1) }
}

/// A directory of its own, removed at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("fathom-job-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Place(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
