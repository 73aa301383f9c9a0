//! `fathom files [DIRECTORY]`: rates and latencies of operations on names and small files.

use crate::environment::patience;
use crate::host_switches::HostSwitches;
use crate::live::OwnWatch;
use crate::output::print;
use crate::stored::{Keep, title_of};
use crate::{duration, hosts, signal, terminal};
use ::hosts::{AgentCommand, AgentOutcome, AgentSide, HostPlace};
use job::unit::whole;
use lab::files::{FilesError, FilesRequest, Leftover, may_begin, measure, measure_samples, prepare};
use report::Lang;
use run::output;
use stats::answer::Answer;
use stats::files::{FilesAsked, FilesCard, FilesEnd, FilesPhase};
use stats::host_answer::HostAnswer;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// Number of iterations on several hosts.
const HOSTS_ITERATIONS: u32 = 5;

/// How fast does a mount create, stat, open, list, remove files?
///
/// Works as mdtest does, on any mount (local, NFS, CephFS): workers make trees of directories, then all make one kind of
/// operation per phase. Prints operations per second with their spread over the iterations, and the latency of single
/// operations. Everything is made in a scratch directory of its own, which is removed at the end; what a killed run left
/// is removed by the next one. With --hosts, each host has trees of its own, and all begin each phase together.
#[derive(clap::Args)]
pub struct Arguments {
    /// Directory on the mount
    #[arg(value_name = "DIRECTORY", default_value = ".")]
    directory: PathBuf,
    /// Number of workers (threads)
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1024))]
    workers: u32,
    /// Levels of directories below the root of each tree (mdtest -z)
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=32))]
    depth: u32,
    /// Directories in each directory above the lowest level (mdtest -b)
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    branching: u32,
    /// Files, and before them empty directories, of each worker in each directory (mdtest -I)
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    files: u64,
    /// Files only in the directories of the lowest level (mdtest -L)
    #[arg(long)]
    leaves_only: bool,
    /// Bytes written to and read from each file (mdtest -w, -e); 0: empty files
    #[arg(long, value_name = "SIZE", default_value = "4k", value_parser = size)]
    bytes: u64,
    /// One tree for all workers instead of one each (mdtest without -u)
    #[arg(long)]
    shared: bool,
    /// After the writes, let worker i work on the files of worker i + N (mdtest -N)
    #[arg(long, value_name = "N", default_value_t = 0)]
    shift: u32,
    /// Take the names in random order after they were made (mdtest -R)
    #[arg(long)]
    random: bool,
    /// Write the bytes when a file is created, as mdtest does, not in a phase of its own
    #[arg(long)]
    write_on_create: bool,
    /// Sync each file (fsync) before it is closed (mdtest -y)
    #[arg(long)]
    fsync: bool,
    /// Sync the directory (open, fsync, close) after each change of a name in it
    #[arg(long)]
    fsync_dir: bool,
    /// Drop the caches of the kernel before the phases that they could answer; needs root
    #[arg(long)]
    drop_caches: bool,
    /// Phases to report [default: all]: dir-create, dir-stat, dir-rename, dir-remove, create, write, stat, read,
    /// rename, list, list-stat, remove, tree-create, tree-remove
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = phase)]
    phases: Vec<FilesPhase>,
    /// Number of iterations (mdtest -i) [default: until all rates are known to ±3 %; with --hosts: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    iterations: Option<u32>,
    /// Time for all iterations [default: 30s; with --iterations or --keep: no limit]
    #[arg(long, value_name = "TIME", value_parser = duration::measuring)]
    seconds: Option<Duration>,
    /// Seed of the random order [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Leave the tree of the last iteration; one iteration unless --iterations is given
    #[arg(long)]
    keep: bool,
    /// Print what would be made and measured, or, with --hosts, the commands that start the agents; make nothing
    #[arg(long)]
    dry_run: bool,
    /// The hosts that measure.
    #[command(flatten)]
    hosts: HostSwitches,
    #[command(flatten)]
    store: Keep,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<u64, &'static str> {
    whole(text, 1024).ok_or("give a size, e.g. 0, 4k or 1m")
}

fn phase(text: &str) -> Result<FilesPhase, String> {
    FilesPhase::from_name(text).ok_or_else(|| {
        let names = FilesPhase::ALL.map(FilesPhase::name).join(", ");
        format!("no such phase; there are {names}")
    })
}

impl Arguments {
    fn asked(&self, seed: u64) -> FilesAsked {
        // Hosts end together only if the number is known before.
        let several = self.hosts.is_asked().then_some(HOSTS_ITERATIONS);
        let default = (self.iterations.is_none() && !self.keep).then_some(Duration::from_secs(30));
        FilesAsked {
            workers: self.workers,
            depth: self.depth,
            branching: self.branching,
            files: self.files,
            leaves_only: self.leaves_only,
            bytes: self.bytes,
            shared: self.shared,
            shift: self.shift % self.workers,
            random: self.random,
            fsync: self.fsync,
            fsync_dir: self.fsync_dir,
            write_on_create: self.write_on_create,
            drop_caches: self.drop_caches,
            phases: if self.phases.is_empty() { FilesPhase::ALL.to_vec() } else { self.phases.clone() },
            iterations: self.iterations.or(self.keep.then_some(1)).or(several),
            seconds: self.seconds.or(default).map(|time| time.as_secs_f64()),
            seed: self.seed.unwrap_or(seed),
        }
    }
}

impl lab::files::Progress for OwnWatch {
    fn leftover(&mut self, leftover: &Leftover) {
        let text = report::files::leftover(self.lang, leftover);
        self.clear();
        eprintln!("fathom files: {text}");
    }

    fn look(&mut self, phase: FilesPhase, iteration: u32, operations: u64) {
        let text = report::files::measuring(self.lang, phase, iteration, operations);
        self.progress(&text);
    }
}

/// Passes what happens during a measurement on to the coordinator.
struct AgentProgress<'a> {
    side: &'a AgentSide,
    lang: Lang,
}

impl lab::files::Progress for AgentProgress<'_> {
    fn leftover(&mut self, leftover: &Leftover) {
        self.side.say(&report::files::leftover(self.lang, leftover));
    }

    fn look(&mut self, _: FilesPhase, _: u32, _: u64) {}
}

/// Returns the exit status of a measurement that ended in this way.
fn status(ended: Option<&FilesEnd>) -> i32 {
    match ended {
        Some(FilesEnd::Interrupted) => 128,
        Some(FilesEnd::Failed { .. } | FilesEnd::Stuck { .. }) => 1,
        None => 0,
    }
}

/// Measures on this host, together with others, and returns what it measured; or the reason not to begin, and the exit status.
pub fn on_this_host(
    lang: Lang,
    arguments: Arguments,
    place: &HostPlace,
    side: &Arc<AgentSide>,
    interrupt: &Arc<AtomicUsize>,
) -> Result<AgentOutcome, (String, i32)> {
    let failed = |error: FilesError| (report::files::error(lang, &error), error.exit_code());
    let mut asked = arguments.asked(0);
    // Otherwise all hosts would write the same bytes.
    asked.seed = asked.seed.wrapping_add(u64::from(place.number));
    let mut request = FilesRequest {
        asked,
        directory: arguments.directory,
        keep: arguments.keep,
        root: facts::SysRoot::machine(),
        interrupt: interrupt.clone(),
        patience: patience(),
        sharers: 1,
        gate: Some(side.clone()),
    };
    let mut prepared = prepare(&request).map_err(failed)?;
    if prepared.mount.is_network() {
        request.sharers = place.hosts.max(1);
        prepared = prepare(&request).map_err(failed)?;
    }
    let mut progress = AgentProgress { side, lang };
    let mut measured = measure_samples(&prepared, &request, &mut progress).map_err(failed)?;
    measured.card.version = env!("CARGO_PKG_VERSION").into();
    let status = status(measured.card.ended.as_ref());
    Ok(AgentOutcome::answered(HostAnswer::Files(Box::new(measured)), status, interrupt.load(Relaxed)))
}

/// Measures on several hosts and returns the exit status; `typed` are the words of the command line.
fn on_hosts(lang: Lang, arguments: &Arguments, typed: &[OsString]) -> i32 {
    let began_ms = run::wall_clock::epoch_ms();
    let keep = arguments.store.choice();
    if let Err((line, status)) = keep.may_be_written(lang) {
        eprintln!("fathom files: {line}");
        return status;
    }
    let seed = [format!("--seed={}", arguments.seed.unwrap_or(began_ms))];
    let before = if arguments.seed.is_none() { &seed[..] } else { &[] };
    let own = |answer| match answer {
        HostAnswer::Files(own) => Some(*own),
        _ => None,
    };
    let words = (before, typed);
    let ran = hosts::answers(lang, AgentCommand::Files, &arguments.hosts, words, arguments.dry_run, own);
    let hosts = match ran {
        Ok(Some(hosts)) => hosts,
        Ok(None) => return 0,
        Err(status) => return status,
    };
    let status = hosts::status(&hosts);
    let target = arguments.directory.display().to_string();
    let Some(card) = FilesCard::of_hosts(&target, hosts) else { return status };
    print(&if arguments.json {
        report::files::json(&card)
    } else {
        report::files::render(lang, &card, terminal::width())
    });
    let names: Vec<String> = card.hosts.iter().map(|host| host.name.clone()).collect();
    let title = title_of(&arguments.directory, &names);
    let lost = keep.titled(&Answer::Files(Box::new(card)), &title, began_ms, lang);
    if status == 0 && lost { output::NOT_WRITTEN } else { status }
}

/// Runs the command and returns the exit status; `typed` are the words of its command line.
pub fn main(lang: Lang, arguments: Arguments, typed: &[OsString]) -> i32 {
    if arguments.hosts.is_asked() {
        return on_hosts(lang, &arguments, typed);
    }
    if let Some(switch) = arguments.hosts.without_hosts() {
        eprintln!("fathom files: {}", report::hosts::only_with_hosts(lang, switch));
        return 2;
    }
    let failed = |error: &FilesError| {
        eprintln!("fathom files: {}", report::files::error(lang, error));
        error.exit_code()
    };
    let keep = arguments.store.choice();
    if let Err((line, status)) = keep.may_be_written(lang) {
        eprintln!("fathom files: {line}");
        return status;
    }
    let began_ms = run::wall_clock::epoch_ms();
    let interrupt = signal::watch();
    let request = FilesRequest {
        asked: arguments.asked(began_ms),
        directory: arguments.directory,
        keep: arguments.keep,
        root: facts::SysRoot::machine(),
        interrupt: interrupt.clone(),
        patience: patience(),
        sharers: 1,
        gate: None,
    };
    let prepared = match prepare(&request) {
        Ok(prepared) => prepared,
        Err(error) => return failed(&error),
    };
    if arguments.dry_run {
        let refused = may_begin(&prepared, &request).err();
        let why = |lang| refused.as_ref().map(|error| report::files::error(lang, error));
        let target = request.directory.display().to_string();
        print(&if arguments.json {
            report::files::plan_json(&target, &request.asked, &prepared, why(Lang::En).as_deref())
        } else {
            let width = terminal::width();
            report::files::plan(lang, &target, &request.asked, &prepared, why(lang).as_deref(), width)
        });
        return 0;
    }
    let mut watch = OwnWatch::new(lang);
    let measured = measure(&prepared, &request, &mut watch);
    watch.clear();
    let mut card = match measured {
        Ok(card) => card,
        Err(error) => return failed(&error),
    };
    card.version = env!("CARGO_PKG_VERSION").into();
    let ended = card.ended.clone();
    print(&if arguments.json {
        report::files::json(&card)
    } else {
        report::files::render(lang, &card, terminal::width())
    });
    let lost = keep.answer(&Answer::Files(Box::new(card)), &request.directory, began_ms, lang);
    match status(ended.as_ref()) {
        _ if interrupt.load(Relaxed) != 0 => 128,
        0 if lost => output::NOT_WRITTEN,
        status => status,
    }
}
