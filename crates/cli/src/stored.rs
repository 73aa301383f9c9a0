//! Storing of results, and the commands that read the store: `fathom list`, `show` and `export`.

use crate::charts::{below_loads, below_pts, below_study};
use crate::output::print;
use crate::terminal;
use ::report::{Lang, export, words};
use run::output::OutputError;
use stats::answer::Answer;
use stats::{Measured, QuickCard, RunResult, StoredId};
use std::path::{Path, PathBuf};
use store::{Recorded, Store, StoreError};

/// The store selected by `--store` and `--no-store`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreChoice {
    /// The user's own store.
    #[default]
    Default,
    /// The store at this path.
    In(PathBuf),
    /// No store.
    No,
}

/// Switches of the commands whose answers are stored.
#[derive(clap::Args)]
pub struct Keep {
    /// Read from and write to this store instead of your own
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    pub store: Option<PathBuf>,
    /// Do not store the answer
    #[arg(long)]
    pub no_store: bool,
}

impl Keep {
    /// Returns the store to write to.
    pub fn choice(&self) -> StoreChoice {
        StoreChoice::of_switches(self.store.clone(), self.no_store)
    }
}

/// Reason why the store cannot be used.
pub enum StoreFault {
    /// An error of the store itself.
    Store(StoreError),
    /// The path is not that of a store, such as a device or directory.
    Path(PathBuf, OutputError),
    /// The result has no rows for CSV.
    NoRows(StoredId),
    /// The result has no form of Iometer's.
    NotIometer(StoredId),
}

impl From<StoreError> for StoreFault {
    fn from(e: StoreError) -> StoreFault {
        StoreFault::Store(e)
    }
}

impl StoreFault {
    /// Returns the reason as one line in `lang`.
    pub fn words(&self, lang: Lang) -> String {
        match self {
            StoreFault::Store(e) => words::store::error(lang, e),
            StoreFault::NoRows(id) => ::report::stored::no_rows(lang, *id),
            StoreFault::NotIometer(id) => ::report::stored::not_iometer(lang, *id),
            StoreFault::Path(path, e) => words::store::not_writable(
                lang,
                path,
                &words::run::output_fault(lang, &e.clone().into_fault()),
            ),
        }
    }
}

/// Largest number of hosts that a title names.
const NAMED: usize = 3;

/// Returns the title of a result about `target`, which was measured on these hosts, or on this machine if there are none.
pub fn title_of(target: &Path, hosts: &[String]) -> String {
    match hosts {
        // A relative path such as `.` would not identify the target in `fathom list`.
        [] => std::fs::canonicalize(target).unwrap_or_else(|_| target.into()).to_string_lossy().into_owned(),
        // On hosts the path may lead to something else than here.
        [..] => {
            let named = hosts[..hosts.len().min(NAMED)].join(",");
            let more = hosts.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(",+{more}") } else { String::new() };
            format!("{named}{more}: {}", target.display())
        }
    }
}

impl StoreChoice {
    /// Returns the choice made by `--store` and `--no-store`.
    pub fn of_switches(store: Option<PathBuf>, no: bool) -> StoreChoice {
        match store {
            _ if no => StoreChoice::No,
            Some(path) => StoreChoice::In(path),
            None => StoreChoice::Default,
        }
    }

    /// Stores a run under `title` and returns whether a store named by the user could not be written.
    pub fn run(&self, result: &RunResult, title: &str, lang: Lang) -> bool {
        self.add(lang, |store| store.add_run(result, title))
    }

    /// Stores a check that began at `began_ms` (milliseconds since the epoch) and returns whether a store named by the
    /// user could not be written.
    pub fn check(&self, card: &QuickCard, began_ms: u64, lang: Lang) -> bool {
        let title = title_of(Path::new(&card.target), &card.hosts);
        self.add(lang, |store| store.add_check(card, &title, began_ms))
    }

    /// Stores an answer about `target` that began at `began_ms` (milliseconds since the epoch) and returns whether a
    /// store named by the user could not be written.
    pub fn answer(&self, answer: &Answer, target: &Path, began_ms: u64, lang: Lang) -> bool {
        let hosts = match answer {
            Answer::Fit(cards) => cards.first().map_or(&[][..], |card| card.hosts.as_slice()),
            _ => &[],
        };
        self.titled(answer, &title_of(target, hosts), began_ms, lang)
    }

    /// Stores an answer under `title` that began at `began_ms` (milliseconds since the epoch) and returns whether a store
    /// named by the user could not be written.
    pub fn titled(&self, answer: &Answer, title: &str, began_ms: u64, lang: Lang) -> bool {
        self.add(lang, |store| store.add_answer(answer, title, began_ms))
    }

    /// Stores a result with `add`. It is printed already, so an error is only reported, on standard error. Returns
    /// whether a store named by the user could not be written.
    fn add(&self, lang: Lang, add: impl FnOnce(&mut Store) -> Result<i64, StoreError>) -> bool {
        if *self == StoreChoice::No {
            return false;
        }
        let kept = self.path().and_then(|path| {
            if matches!(self, StoreChoice::In(_)) {
                check_parent(&path).map_err(|e| StoreFault::Path(path.clone(), e))?;
            }
            let mut store = Store::open(path)?;
            add(&mut store)?;
            // A file that the user has named may be copied or archived: it must not depend on a journal beside it.
            if matches!(self, StoreChoice::In(_)) { Ok(store.checkpoint()?) } else { Ok(()) }
        });
        match kept {
            // Without a home directory no default store exists, and none was requested.
            Ok(_) | Err(StoreFault::Store(StoreError::NoPlace)) => false,
            Err(e) => {
                eprintln!("fathom: this result is not stored: {}", e.words(lang));
                matches!(self, StoreChoice::In(_))
            }
        }
    }

    fn path(&self) -> Result<PathBuf, StoreFault> {
        let path = match self {
            StoreChoice::In(path) => path.clone(),
            StoreChoice::Default | StoreChoice::No => Store::default_path()?,
        };
        match run::output::check_regular(&path) {
            Ok(()) => Ok(path),
            Err(e) => Err(StoreFault::Path(path, e)),
        }
    }

    /// Checks, before a measurement, that the file of `--store` can be a store; its directory has to exist.
    ///
    /// # Errors
    /// A line for the user and the exit status if the path is not that of a regular file.
    pub fn may_be_written(&self, lang: Lang) -> Result<(), (String, i32)> {
        match self {
            StoreChoice::In(path) => run::output::check_regular(path)
                .and_then(|()| check_parent(path))
                .map_err(|e| (format!("--store: {}", words::run::output_error(lang, &e)), e.exit_code())),
            StoreChoice::Default | StoreChoice::No => Ok(()),
        }
    }

    /// Returns the path of the store; `None` for [`StoreChoice::No`].
    ///
    /// # Errors
    /// No home directory for the default store, or the path is not that of a regular file.
    pub fn place(&self) -> Result<Option<PathBuf>, StoreFault> {
        if *self == StoreChoice::No { Ok(None) } else { self.path().map(Some) }
    }

    /// Opens the store, which has to exist, for reading.
    ///
    /// # Errors
    /// The store does not exist or cannot be read.
    pub fn open(&self) -> Result<Store, StoreFault> {
        Ok(Store::open_existing(self.path()?)?)
    }
}

/// Checks that the directory of a store that the user has named exists: a mistyped path creates nothing.
fn check_parent(path: &Path) -> Result<(), OutputError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    match parent.map(Path::metadata) {
        Some(Err(e)) => Err(run::output::failed(path, &e)),
        _ => Ok(()),
    }
}

/// Runs `fathom list` and returns the exit status.
pub fn list(lang: Lang, keep: &StoreChoice, limit: usize, json: bool) -> i32 {
    let found = match keep.open() {
        // Without a default store nothing was measured yet, which is no failure; a missing store that was named is one.
        Err(StoreFault::Store(StoreError::Absent { .. })) if *keep == StoreChoice::Default => {
            Ok((Vec::new(), Vec::new(), 0))
        }
        Err(e) => Err(e),
        Ok(store) => {
            let list = || Ok((store.list(limit)?, store.count()?));
            list().map(|((listed, damaged), all)| (listed, damaged, all)).map_err(StoreFault::Store)
        }
    };
    let mut lost = Vec::new();
    let status = answer(
        lang,
        "list",
        found.map(|(listed, damaged, all)| {
            let readable = all.saturating_sub(damaged.len());
            lost = damaged;
            if json {
                ::report::stored::json(&listed)
            } else {
                ::report::stored::render(lang, &listed, readable, local_time, terminal::width())
            }
        }),
    );
    if lost.is_empty() {
        return status;
    }
    eprintln!("fathom list: {}", ::report::stored::damaged(lang, &lost));
    1
}

/// Runs `fathom show ID` and returns the exit status.
pub fn show(lang: Lang, keep: &StoreChoice, id: StoredId, charts: bool) -> i32 {
    answer(
        lang,
        "show",
        keep.open().and_then(|store| {
            let name = id.to_string();
            let below = |draw: &dyn Fn() -> String| if charts { draw() } else { String::new() };
            Ok(match id {
                StoredId::Study(n) if let Some((study, _)) = store.pts(n)? => {
                    let card = ::report::pts_run::card(lang, &study, terminal::width());
                    let tables = ::report::pts::tables::text(&study, lang, terminal::width());
                    format!("{card}\n{tables}") + &below(&|| below_pts(&study, lang))
                }
                StoredId::Study(n) => {
                    let study = store.study(n)?;
                    ::report::study::reasons(lang, &study, terminal::width())
                        + &below(&|| below_study(&study, lang))
                }
                StoredId::Run(n) => match store.run(n)? {
                    Recorded::Run(result) => {
                        ::report::card::render(lang, &result, terminal::width())
                            + &below(&|| below_loads(&Measured::of_run(&name, &result), lang))
                    }
                    Recorded::Check(card) => {
                        ::report::quick::render(lang, &card, terminal::width())
                            + &below(&|| below_loads(&Measured::of_check(&name, &card), lang))
                    }
                    Recorded::Answer(answer) => {
                        ::report::answer::render(lang, &answer, terminal::width())
                            + &below(&|| crate::charts::below_answer(&answer, lang))
                    }
                },
            })
        }),
    )
}

/// Runs `fathom export ID`, which prints JSON or CSV, and returns the exit status.
pub fn export(lang: Lang, keep: &StoreChoice, id: StoredId, csv: bool) -> i32 {
    answer(
        lang,
        "export",
        keep.open().and_then(|store| {
            Ok(match id {
                StoredId::Study(n) if let Some((study, _)) = store.pts(n)? => {
                    if csv {
                        ::report::pts::csv::csv(&study)
                    } else {
                        ::report::pts_run::json(&study)
                    }
                }
                StoredId::Study(n) => {
                    let study = store.study(n)?;
                    if csv { export::study_csv(&study) } else { ::report::study::json(&study) }
                }
                StoredId::Run(n) => match store.run(n)? {
                    Recorded::Run(result) if csv => export::run_csv(&result),
                    Recorded::Run(result) => export::run_json(&result),
                    Recorded::Check(card) if csv => export::check_csv(&card),
                    Recorded::Check(card) => ::report::quick::json(&card),
                    Recorded::Answer(_) if csv => return Err(StoreFault::NoRows(id)),
                    Recorded::Answer(answer) => ::report::answer::json(&answer),
                },
            })
        }),
    )
}

/// Runs `fathom export ID --iometer` and returns the exit status.
pub fn export_iometer(lang: Lang, keep: &StoreChoice, id: StoredId) -> i32 {
    let text = keep.open().and_then(|store| match id {
        StoredId::Run(n) => match store.run(n)? {
            Recorded::Run(result) => Ok(crate::iometer::csv(&result)),
            Recorded::Check(_) | Recorded::Answer(_) => Err(StoreFault::NotIometer(id)),
        },
        StoredId::Study(_) => Err(StoreFault::NotIometer(id)),
    });
    answer(lang, "export", text)
}

fn answer(lang: Lang, command: &str, text: Result<String, StoreFault>) -> i32 {
    match text {
        Ok(text) => {
            print(&text);
            0
        }
        Err(e) => {
            eprintln!("fathom {command}: {}", e.words(lang));
            1
        }
    }
}

/// Time zone of this machine, determined once rather than for each line of a list.
static ZONE: std::sync::LazyLock<jiff::tz::TimeZone> = std::sync::LazyLock::new(jiff::tz::TimeZone::system);

/// Returns `ms`, milliseconds since the epoch, as local time such as `2026-11-22 19:09`; `?` if out of range.
pub fn local_time(ms: u64) -> String {
    let stamp = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    stamp.map_or_else(
        || "?".into(),
        |stamp| stamp.to_zoned(ZONE.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

/// Adds the command line of this process and the disks under `targets` to the provenance of a result.
pub fn provenance<'p>(host: &mut stats::Host, targets: impl Iterator<Item = &'p str>) {
    /// Largest number of targets whose disks are determined; a job may have 100,000 files.
    const MOST: usize = 16;
    let args: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    host.command = format!("fathom {}", title(&args)).trim_end().to_owned();
    let root = facts::SysRoot::machine();
    for disk in targets.take(MOST).flat_map(|target| facts::machine::disks(&root, target.as_ref())) {
        if !host.disks.contains(&disk) {
            host.disks.push(disk);
        }
    }
}

/// Returns a command line in one line, quoted for a shell.
pub fn title(args: &[std::ffi::OsString]) -> String {
    let args: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
    let shown: Vec<String> =
        job::secret::all_shown(&args).map(|text| text.replace(['\n', '\r'], " ")).collect();
    words::shell::line(shown.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_title_is_what_a_shell_reads() {
        let words =
            ["--name=a", "--filename=my file", "", "it's", "two\nlines"].map(std::ffi::OsString::from);
        assert_eq!(title(&words), r"--name=a '--filename=my file' '' 'it'\''s' 'two lines'");
    }

    #[test]
    fn what_was_asked_decides_where_it_is_kept() {
        assert_eq!(StoreChoice::of_switches(None, false), StoreChoice::Default);
        assert_eq!(StoreChoice::of_switches(Some("/s".into()), true), StoreChoice::No);
        assert_eq!(
            StoreChoice::of_switches(Some("/s".into()), false).path().map(|p| p == Path::new("/s")).ok(),
            Some(true)
        );
    }
}
