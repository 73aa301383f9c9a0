//! The logs that the program itself writes and reads: the total bandwidth (`--bandwidth-log`), and the text of
//! compressed logs (`--inflate-log`).

use crate::output::not_written;
use import::InflatedLog;
use run::output::{self, OutputError};
use run::{Notice, Watch};
use stats::{Direction, Live, RunResult, Series};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Interval of the lines of `--bandwidth-log`.
const INTERVAL: Duration = Duration::from_millis(500);
/// Exit status of fio for a log that zlib does not understand: -3, its error for wrong data.
const NOT_ZLIB: i32 = 253;

/// Prints the text of the compressed log `path`, and returns the exit status. The lines about errors are fio's.
pub fn inflate(path: &Path) -> i32 {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) => {
            let why = e.raw_os_error().map_or_else(|| e.to_string(), run::job_error::errno_text);
            eprintln!("fopen: {why}");
            return 1;
        }
    };
    let mut log = InflatedLog::new(BufReader::new(file));
    let mut out = io::stdout().lock();
    let mut part = vec![0; 64 * 1024];
    loop {
        match log.read(&mut part) {
            Ok(0) => return 0,
            Ok(n) => {
                if let Err(e) = out.write_all(&part[..n]).and_then(|()| out.flush()) {
                    if e.kind() != ErrorKind::BrokenPipe {
                        not_written(e);
                    }
                    return 0;
                }
            }
            Err(e) if e.kind() == ErrorKind::InvalidData => {
                eprintln!("fio: failed inflating log: -3");
                return NOT_ZLIB;
            }
            Err(_) => {
                eprintln!("fio: short read on reading log");
                return 1;
            }
        }
    }
}

/// The files of `--bandwidth-log`, one for each direction.
pub struct BandwidthLog {
    files: [(File, PathBuf); 3],
    began: Instant,
}

impl BandwidthLog {
    /// Returns the paths of the files with names that begin with `prefix`.
    pub fn paths(prefix: &str) -> [PathBuf; 3] {
        Direction::ALL.map(|direction| PathBuf::from(format!("{prefix}-{}_bw.log", direction.name())))
    }

    /// Creates the files with names that begin with `prefix`; `began` is the start of the program.
    ///
    /// # Errors
    /// A file cannot be created, or must not be overwritten.
    pub fn create(prefix: &str, began: Instant) -> Result<Self, OutputError> {
        let file = |path: PathBuf| Ok((output::open(&path)?, path));
        let [read, write, trim] = Self::paths(prefix).map(file);
        Ok(Self { files: [read?, write?, trim?], began })
    }

    fn append(&mut self, live: &Live) {
        let ms = self.began.elapsed().as_millis();
        for (d, (file, path)) in self.files.iter_mut().enumerate() {
            let line = format!("{ms}, {}, {d}, 0, 0\n", live.bytes_per_second[d] / 1024);
            if let Err(e) = file.write_all(line.as_bytes()) {
                not_written(format_args!("{}: {e}", path.display()));
            }
        }
    }
}

/// A watcher whose figures are also written to the log of the total bandwidth, if there is one.
pub struct Logged<'a, W> {
    /// The watcher.
    pub watch: &'a mut W,
    /// The log.
    pub log: Option<BandwidthLog>,
}

impl<W: Watch> Watch for Logged<'_, W> {
    fn notice(&mut self, notice: Notice) {
        self.watch.notice(notice);
    }

    fn look(&mut self, live: &Live) {
        if let Some(log) = &mut self.log {
            log.append(live);
        }
        self.watch.look(live);
    }

    fn detailed(&self) -> bool {
        self.watch.detailed()
    }

    fn report_due(&mut self) -> bool {
        self.watch.report_due()
    }

    fn report(&mut self, result: RunResult) {
        self.watch.report(result);
    }

    fn enough(&mut self, series: &Series) -> bool {
        self.watch.enough(series)
    }

    fn interval(&self) -> Duration {
        match self.log {
            Some(_) => self.watch.interval().min(INTERVAL),
            None => self.watch.interval(),
        }
    }
}
