//! fio's report in its formats, and the lines that fio prints during a run.

use crate::output::{Sink, print, write};
use crate::{signal, terminal};
use ::report::Lang;
use job::{CommandLine, Eta, Format, IdleProf};
use run::{Notice, Watch};
use stats::job_error::ErrorCause;
use stats::note::NoteKind;
use stats::{FIO_VERSION, Live, RunResult};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Writes the report in every format of `--output-format`, always in fio's order: terse, JSON, normal.
pub fn render(out: &mut Sink, line: &CommandLine, result: &RunResult) {
    let wanted = |format| line.switches.formats.contains(&format);
    if wanted(Format::Terse) {
        write(out, &report::terse::render(result, line.switches.terse_version));
    }
    if wanted(Format::Json) || wanted(Format::JsonPlus) {
        write(out, &report::json::render(result, wanted(Format::JsonPlus)));
    }
    if wanted(Format::Normal) {
        write(out, &report::text::render(result));
    }
}

/// Returns the first lines of fio's output: the version, and the number of threads and processes that start.
pub fn starting(threads: u32, processes: u32) -> String {
    format!("{FIO_VERSION}\n{}", report::starting(threads, processes))
}

/// Sets the fields of `result` that depend on the program and its command line: version, global options, elapsed and
/// wall clock time, and per-CPU idle times.
pub fn complete(result: &mut RunResult, line: &CommandLine, began: Instant) {
    let p = &mut result.provenance;
    p.version = env!("CARGO_PKG_VERSION").into();
    p.global_options.clone_from(&line.global_options);
    p.elapsed_ms = began.elapsed().as_millis() as u64;
    p.time = ctime();
    result.each_cpu = line.switches.idle_prof == Some(IdleProf::PerCpu);
}

/// Returns the current local time in the format of `ctime`.
fn ctime() -> String {
    jiff::Zoned::now().strftime("%a %b %e %H:%M:%S %Y").to_string()
}

/// Observer of a run that prints fio's output: notices, the ETA line, and reports on request.
pub struct FioWatch<'a> {
    /// Language of fathom's own messages; fio's lines are English.
    pub lang: Lang,
    /// The command line, for the formats and intervals of the reports.
    pub line: &'a CommandLine,
    /// Start of the program; elapsed time in reports counts from here.
    pub began: Instant,
    /// Time of the last report due to `--status-interval`.
    pub last_status: Instant,
    /// Set by SIGUSR1: a report is due; cleared when it is printed.
    pub report_wanted: Arc<AtomicBool>,
    /// Path of fio's trigger file, `fio-dump-status`: a report is due when it appears.
    pub dump: PathBuf,
    /// Destination of notices, errors and reports: standard output or the file of `--output`.
    pub out: Sink,
    /// Lines of fathom's own to print on standard error when the jobs start.
    pub at_once: Vec<String>,
    /// Whether `normal` is among the formats, so that notices are printed.
    pub normal: bool,
    /// Whether the ETA line is shown.
    pub eta: bool,
    /// Period of the ETA line.
    pub interval: Duration,
    /// Period of `--eta-newline`, after which the ETA line ends with a newline.
    pub newline: Option<Duration>,
    /// Time of the last newline after the ETA line.
    pub last_newline: Instant,
    /// Width of the ETA line on the screen, in columns, to be blanked.
    pub shown: usize,
}

impl FioWatch<'_> {
    /// Blanks the ETA line.
    pub fn clear(&mut self) {
        if self.shown > 0 {
            let width = self.shown.min(terminal::live_width(&std::io::stdout()));
            print(&format!("\r{:width$}\r", ""));
            self.shown = 0;
        }
    }
}

impl Watch for FioWatch<'_> {
    fn notice(&mut self, notice: Notice) {
        if let Notice::Starting { .. } = notice {
            self.at_once.drain(..).for_each(|line| eprintln!("{line}"));
        }
        let text = match notice {
            Notice::Starting { threads, processes } if self.normal => starting(threads, processes),
            Notice::Layout { job, files, bytes } if self.normal => report::layout_notice(&job, files, bytes),
            // fio prints this line above its JSON, too.
            Notice::Said(line) => format!("{}\n", report::words::run::line(self.lang, &line)),
            Notice::Line(line) => {
                // A line about a damaged block is several lines of text.
                for line in report::words::run::line(self.lang, &line).lines() {
                    eprintln!("{line}");
                }
                return;
            }
            Notice::Note(note) => {
                let line = format!("{}\n", report::words::note::note(self.lang, &note.fact));
                match note.kind {
                    // fio prints such a note above its JSON, too, which is then not valid.
                    NoteKind::FioStart if self.normal => line,
                    NoteKind::FioStart | NoteKind::Fio => {
                        eprint!("{line}");
                        return;
                    }
                    NoteKind::Fallback | NoteKind::Remark => return,
                }
            }
            Notice::Failed { pid, error, lines } => {
                for line in &lines {
                    eprintln!("{}", report::words::run::line(self.lang, line));
                }
                // fio, too, tells of a state that cannot be loaded on standard error only.
                if matches!(error.cause.as_deref(), Some(ErrorCause::StateFile { .. })) {
                    let why = report::words::run::job_error(self.lang, &error);
                    eprintln!("fathom: {}: {why}", error.function);
                    return;
                }
                if let Some(ErrorCause::Remote { text }) = error.cause.as_deref() {
                    eprintln!("fathom: {text}");
                }
                let line = report::error_line(pid, &error);
                if pid == 0 {
                    eprint!("{line}");
                    return;
                }
                line
            }
            _ => return,
        };
        self.clear();
        write(&mut self.out, &text);
    }

    fn look(&mut self, live: &Live) {
        if !self.eta {
            return;
        }
        let width = terminal::live_width(&std::io::stdout());
        let line = report::live::cut(&report::live::eta_line(live), width);
        let newline = self.newline.is_some_and(|period| self.last_newline.elapsed() >= period);
        if newline {
            self.last_newline = Instant::now();
        }
        let blank = self.shown.min(width);
        print(&format!("{line:blank$}{}", if newline { '\n' } else { '\r' }));
        self.shown = if newline { 0 } else { line.chars().count() };
    }

    fn report_due(&mut self) -> bool {
        let period = self.line.switches.status_interval.map(Duration::from_nanos);
        let periodic = period.is_some_and(|period| self.last_status.elapsed() >= period);
        if periodic {
            self.last_status = Instant::now();
        }
        let asked = self.report_wanted.swap(false, Relaxed);
        // fio removes the file to acknowledge it; a file that cannot be removed would request a report at every look.
        let file = self.dump.exists() && std::fs::remove_file(&self.dump).is_ok();
        periodic || asked || file
    }

    fn report(&mut self, mut result: RunResult) {
        complete(&mut result, self.line, self.began);
        self.clear();
        render(&mut self.out, self.line, &result);
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

/// Returns an observer that prints fio's output to `out`; `normal` is whether normal text is among the formats.
pub fn fio_watch(lang: Lang, line: &CommandLine, began: Instant, out: Sink, normal: bool) -> FioWatch<'_> {
    let switches = &line.switches;
    let eta = match switches.eta {
        Eta::Always => true,
        Eta::Never => false,
        Eta::Auto => normal && switches.output.is_none() && io::stdout().is_terminal(),
    };
    let directory = ["TMPDIR", "TEMP"].iter().find_map(std::env::var_os).unwrap_or_else(|| "/tmp".into());
    FioWatch {
        lang,
        line,
        began,
        last_status: Instant::now(),
        report_wanted: signal::report_wanted(),
        dump: Path::new(&directory).join("fio-dump-status"),
        out,
        at_once: Vec::new(),
        normal,
        eta,
        interval: Duration::from_nanos(if switches.eta_interval == 0 {
            1_000_000_000
        } else {
            switches.eta_interval
        }),
        newline: switches.eta_newline.map(|nanos| Duration::from_nanos(nanos.get())),
        last_newline: Instant::now(),
        shown: 0,
    }
}
