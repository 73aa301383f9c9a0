//! `fathom prefill`, and filling of sparse files before a read test, with a question to the user.

use crate::live::{OwnWatch, restore_kernel_settings};
use crate::output::print;
use crate::wear::{self, WearLimit};
use crate::{signal, terminal};
use facts::SysRoot;
use job::plan::Plan;
use job::unit::whole;
use lab::filled::state_directory;
use lab::prefill::{Answer, PrefillError, PrefillRequest, Prefilling, Sparse, sparse_files};
use report::Lang;
use run::wear::WriteAllowance;
use run::{Notice, Watch};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use stats::note::{NoteFact, NoteKind};
use stats::wear::DriveWear;
use stats::{Note, Prefill, PrefillEnd};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Fill unwritten ranges of a file or device before a read test
///
/// The data are incompressible, so that read tests reach the disk.
#[derive(clap::Args)]
pub struct Arguments {
    /// File or block device. In a file only holes, unwritten extents and zeros are written; data stays as it is
    target: PathBuf,
    /// Start offset, in bytes or with a unit (4k, 1G)
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "0")]
    offset: u64,
    /// Length to fill [default: up to the end]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    size: Option<u64>,
    /// Fill a file without asking
    #[arg(long)]
    yes: bool,
    /// Allow filling this device, which destroys its data
    #[arg(long, value_name = "DEVICE")]
    allow_destroy: Vec<PathBuf>,
    #[command(flatten)]
    limit: WearLimit,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn bytes(text: &str) -> Result<u64, String> {
    whole(text, 1024).ok_or_else(|| "give bytes, or a number with a unit: 4096, 4k, 1G".into())
}

/// Value of `--prefill` of `fathom run` and of the check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum PrefillMode {
    /// Fill without asking
    Yes,
    /// Do not fill
    No,
    /// Ask on a terminal; otherwise only report it
    #[default]
    Ask,
}

/// Asks the user before filling, and shows the progress.
struct Conversation {
    lang: Lang,
    watch: OwnWatch,
    agreed: bool,
    /// See [`PrefillRequest::interrupt`].
    interrupt: Arc<AtomicUsize>,
}

impl Prefilling for Conversation {
    fn consent(&mut self, found: &Prefill) -> Answer {
        if self.agreed {
            Answer::Yes
        } else {
            ask(&report::prefill::question(self.lang, found), &self.interrupt)
        }
    }

    fn planned(&mut self, wear: &[DriveWear]) {
        wear::print(self.lang, wear);
    }

    fn wrote(&mut self, done: u64, total: u64) {
        self.watch.notice(Notice::LayoutProgress { done, total });
    }
}

fn conversation(lang: Lang, agreed: bool, interrupt: &Arc<AtomicUsize>) -> Conversation {
    let mut watch = OwnWatch::new(lang);
    watch.what = "prefill".into();
    Conversation { lang, watch, agreed, interrupt: interrupt.clone() }
}

/// Returns whether a question can be asked: standard input and standard error are terminals.
fn terminal() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks `question` on the terminal and returns the answer: any reply except `y` and `yes`, or a signal, is no;
/// [`Answer::Nobody`] without a terminal.
fn ask(question: &str, interrupt: &AtomicUsize) -> Answer {
    if !terminal() {
        return Answer::Nobody;
    }
    eprint!("{question}");
    // If the terminal was closed, the read below returns nothing, which is no.
    let _ = io::stderr().flush();
    let stdin = io::stdin();
    // A blocking read would be restarted after a signal's handler, so the loop polls with a timeout.
    let mut waiting = [PollFd::new(&stdin, PollFlags::IN)];
    while interrupt.load(Relaxed) == 0 {
        let wait = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        match poll(&mut waiting, Some(&wait)) {
            Ok(0) | Err(Errno::INTR) => {}
            _ => break,
        }
    }
    if interrupt.load(Relaxed) != 0 {
        eprintln!();
        return Answer::No;
    }
    // A single read: a reply without a newline (Ctrl-D) is an answer, too.
    let mut typed = [0; 256];
    let n = stdin.lock().read(&mut typed).unwrap_or(0);
    let line = String::from_utf8_lossy(&typed[..n]);
    if matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes") { Answer::Yes } else { Answer::No }
}

/// Runs `fathom prefill` and returns the exit status.
pub fn main(lang: Lang, a: Arguments) -> i32 {
    let interrupt = signal::watch();
    restore_kernel_settings(lang);
    let asked = PrefillRequest {
        target: a.target,
        offset: a.offset,
        size: a.size,
        allow_destroy: a.allow_destroy,
        state: state_directory(),
        allowance: wear::allowance(a.limit.wear_budget),
        root: SysRoot::machine(),
        interrupt,
    };
    let mut conversation = conversation(lang, a.yes, &asked.interrupt);
    let done = lab::prefill::prefill(&asked, &mut conversation);
    conversation.watch.clear();
    match done {
        Ok(mut p) => {
            p.version = env!("CARGO_PKG_VERSION").into();
            print(&if a.json {
                report::prefill::json(&p)
            } else {
                report::prefill::render(lang, &p, terminal::width())
            });
            match p.end {
                PrefillEnd::Interrupted => 128,
                // A script that starts its read test only after a successful fill must not start it.
                PrefillEnd::Declined => 3,
                _ => 0,
            }
        }
        Err(e) => {
            eprintln!("{}", error_line(lang, &e));
            e.exit_code()
        }
    }
}

fn error_line(lang: Lang, e: &PrefillError) -> String {
    let words = report::words::lab::prefill_error(lang, e);
    match e {
        PrefillError::Refused { .. } | PrefillError::Unchecked(_) => words,
        _ => format!("fathom: {words}"),
    }
}

/// Handles files with unwritten ranges that `plan` reads, according to `mode`: fills them, asks the user, or adds a
/// note to the job that reads them.
///
/// # Errors
/// The exit status if the run must not start: a signal arrived, or a requested fill failed.
pub fn before_run(
    lang: Lang,
    plan: &mut Plan,
    mode: PrefillMode,
    allowance: Option<&Arc<WriteAllowance>>,
) -> Result<(), i32> {
    let may_write = plan.jobs.iter().all(|job| !job.target.readonly);
    for (job, text) in before(lang, sparse_files(plan), mode, may_write, allowance)? {
        if let Some(job) = plan.jobs.get_mut(job) {
            job.notes.push(Note::new(NoteKind::Remark, job.name.clone(), NoteFact::Text(text)));
        }
    }
    Ok(())
}

/// Handles unwritten ranges of the file at `path` before the check reads it, as [`before_run`] does, and returns the
/// remarks for its card.
///
/// # Errors
/// The exit status if the check must not start.
pub fn before_check(lang: Lang, path: &Path, mode: PrefillMode) -> Result<Vec<String>, i32> {
    let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
    let found = lab::prefill::sparse(path, 0..size, 0).into_iter().collect();
    Ok(before(lang, found, mode, true, None)?.into_iter().map(|(_, text)| text).collect())
}

fn before(
    lang: Lang,
    found: Vec<Sparse>,
    mode: PrefillMode,
    may_write: bool,
    allowance: Option<&Arc<WriteAllowance>>,
) -> Result<Vec<(usize, String)>, i32> {
    if mode == PrefillMode::No || found.is_empty() {
        return Ok(Vec::new());
    }
    let interrupt = signal::watch();
    let (ours, theirs): (Vec<Sparse>, Vec<Sparse>) = found.into_iter().partition(|s| s.scratch && may_write);
    let mut fill = ours;
    let mut said = Vec::new();
    if !theirs.is_empty() {
        let answer = match mode {
            _ if !may_write => Answer::Nobody,
            PrefillMode::Yes => Answer::Yes,
            _ => ask(&question(lang, &theirs), &interrupt),
        };
        if interrupt.load(Relaxed) != 0 {
            return Err(128);
        }
        match answer {
            Answer::Yes => fill.extend(theirs),
            Answer::No => {}
            Answer::Nobody => {
                said.extend(theirs.iter().take(1).map(|s| {
                    let more = match theirs.len() {
                        1 => String::new(),
                        n => format!(" (and {} files more)", n - 1),
                    };
                    let path = s.path.display().to_string();
                    (s.job, report::prefill::advice(s.percent(), &path) + &more)
                }));
            }
        }
    }
    for sparse in fill {
        let end = sparse.offset + sparse.length;
        let offset = sparse.offset / lab::prefill::BLOCK * lab::prefill::BLOCK;
        let asked = PrefillRequest {
            target: sparse.path.clone(),
            offset,
            size: Some((end - offset).next_multiple_of(lab::prefill::BLOCK)),
            allow_destroy: Vec::new(),
            state: None,
            allowance: allowance.cloned(),
            root: SysRoot::machine(),
            interrupt: interrupt.clone(),
        };
        let mut conversation = conversation(lang, true, &asked.interrupt);
        let done = lab::prefill::prefill(&asked, &mut conversation);
        conversation.watch.clear();
        match done {
            Ok(p) if p.end == PrefillEnd::Interrupted => return Err(128),
            Ok(p) if p.end == PrefillEnd::Filled => {
                said.push((sparse.job, report::prefill::filled_before(&p)));
            }
            Ok(_) => {}
            // Scratch files are filled without a request: a failure is only noted. A failure of a requested fill ends
            // the command.
            Err(e) if sparse.scratch => {
                said.push((sparse.job, report::prefill::not_filled(&e)));
            }
            Err(e) => {
                eprintln!("{}", error_line(lang, &e));
                return Err(e.exit_code());
            }
        }
    }
    Ok(said)
}

fn question(lang: Lang, theirs: &[Sparse]) -> String {
    let missing: u64 = theirs.iter().map(|s| s.missing).sum();
    let length: u64 = theirs.iter().map(|s| s.length).sum();
    let share = 100.0 * missing as f64 / length.max(1) as f64;
    let of = match theirs {
        [one] => one.path.display().to_string(),
        [first, ..] => report::prefill::several(lang, theirs.len(), &first.path.display().to_string()),
        [] => String::new(),
    };
    report::prefill::question_before(lang, share, &of, missing)
}
