//! What was measured before: kept when it ends, listed, shown again, handed out as data.

use crate::charts::{below_loads, below_study};
use crate::output::print;
use crate::terminal;
use ::report::{Lang, export, words};
use run::output::OutputError;
use stats::{Measured, QuickCard, RunResult, StoredId};
use std::path::PathBuf;
use store::{Recorded, Store, StoreError};

/// Where a result is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreChoice {
    /// In the store of the user.
    #[default]
    Default,
    /// In this one.
    In(PathBuf),
    /// Nowhere.
    No,
}

/// Why the store cannot be used.
pub enum StoreFault {
    /// What the store says.
    Store(StoreError),
    /// The path is that of something else.
    Path(PathBuf, OutputError),
}

impl From<StoreError> for StoreFault {
    fn from(e: StoreError) -> StoreFault {
        StoreFault::Store(e)
    }
}

impl StoreFault {
    /// One line in the language of the user.
    pub fn words(&self, lang: Lang) -> String {
        match self {
            StoreFault::Store(e) => words::store::error(lang, e),
            StoreFault::Path(path, e) => words::store::not_writable(
                lang,
                path,
                &words::run::output_fault(lang, &e.clone().into_fault()),
            ),
        }
    }
}

impl StoreChoice {
    /// As `--store` and `--no-store` say.
    pub fn of_switches(store: Option<PathBuf>, no: bool) -> StoreChoice {
        match store {
            _ if no => StoreChoice::No,
            Some(path) => StoreChoice::In(path),
            None => StoreChoice::Default,
        }
    }

    /// Keeps a run; whether the store was named and could not be written.
    pub fn run(&self, result: &RunResult, title: &str, lang: Lang) -> bool {
        self.add(lang, |store| store.add_run(result, title))
    }

    /// Keeps a check that began at `began_ms` since the epoch; whether the store was named and could not be written.
    pub fn check(&self, card: &QuickCard, began_ms: u64, lang: Lang) -> bool {
        // In a list `.` says nothing.
        let target = std::fs::canonicalize(&card.target).unwrap_or_else(|_| card.target.clone().into());
        self.add(lang, |store| store.add_check(card, &target.to_string_lossy(), began_ms))
    }

    /// The result is out already: what is in the way of keeping it is a line, and a failure where the store was named.
    fn add(&self, lang: Lang, add: impl FnOnce(&mut Store) -> Result<i64, StoreError>) -> bool {
        if *self == StoreChoice::No {
            return false;
        }
        let kept = self.path().and_then(|path| Ok(add(&mut Store::open(path)?)?));
        match kept {
            // A machine without a home has no store, and nobody asked for one.
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

    /// Whether the file may be a store. A command that measures asks before it does, and ends with the line and the
    /// exit status.
    ///
    /// # Errors
    /// What is in the way, and the exit status of the refusal.
    pub fn may_be_written(&self, lang: Lang) -> Result<(), (String, i32)> {
        match self {
            StoreChoice::In(path) => run::output::check_regular(path)
                .map_err(|e| (format!("--store: {}", words::run::output_error(lang, &e)), e.exit_code())),
            StoreChoice::Default | StoreChoice::No => Ok(()),
        }
    }

    /// Where, unless nowhere.
    pub fn place(&self) -> Result<Option<PathBuf>, StoreFault> {
        if *self == StoreChoice::No { Ok(None) } else { self.path().map(Some) }
    }

    /// The store to look into.
    ///
    /// # Errors
    /// What is in the way.
    pub fn open(&self) -> Result<Store, StoreFault> {
        Ok(Store::open_existing(self.path()?)?)
    }
}

/// `fathom list`; the exit status.
pub fn list(lang: Lang, keep: &StoreChoice, limit: usize, json: bool) -> i32 {
    let found = match keep.open() {
        // Nothing was measured yet, which is no failure; a store that was named and is not there is one.
        Err(StoreFault::Store(StoreError::Absent { .. })) if *keep == StoreChoice::Default => {
            Ok((Vec::new(), 0))
        }
        Err(e) => Err(e),
        Ok(store) => {
            store.list(limit).and_then(|listed| Ok((listed, store.count()?))).map_err(StoreFault::from)
        }
    };
    answer(
        lang,
        "list",
        found.map(|(listed, all)| {
            if json {
                ::report::stored::json(&listed)
            } else {
                ::report::stored::render(lang, &listed, all, local_time, terminal::width())
            }
        }),
    )
}

/// `fathom show ID`; the exit status.
pub fn show(lang: Lang, keep: &StoreChoice, id: StoredId, charts: bool) -> i32 {
    answer(
        lang,
        "show",
        keep.open().and_then(|store| {
            let name = id.to_string();
            let below = |draw: &dyn Fn() -> String| if charts { draw() } else { String::new() };
            Ok(match id {
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
                },
            })
        }),
    )
}

/// `fathom export ID`, as JSON or CSV; the exit status.
pub fn export(lang: Lang, keep: &StoreChoice, id: StoredId, csv: bool) -> i32 {
    answer(
        lang,
        "export",
        keep.open().and_then(|store| {
            Ok(match id {
                StoredId::Study(n) => {
                    let study = store.study(n)?;
                    if csv { export::study_csv(&study) } else { ::report::study::json(&study) }
                }
                StoredId::Run(n) => match store.run(n)? {
                    Recorded::Run(result) if csv => export::run_csv(&result),
                    Recorded::Run(result) => export::json(&result),
                    Recorded::Check(card) if csv => export::check_csv(&card),
                    Recorded::Check(card) => ::report::quick::json(&card),
                },
            })
        }),
    )
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

/// The zone of this machine: looked for once, not for each line of a long list.
static ZONE: std::sync::LazyLock<jiff::tz::TimeZone> = std::sync::LazyLock::new(jiff::tz::TimeZone::system);

/// `2026-11-22 19:09`, local time.
pub fn local_time(ms: u64) -> String {
    let stamp = i64::try_from(ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    stamp.map_or_else(
        || "?".into(),
        |stamp| stamp.to_zoned(ZONE.clone()).strftime("%Y-%m-%d %H:%M").to_string(),
    )
}

/// Notes in the provenance of a result what this program was called with, and the disks under its targets.
pub fn provenance<'p>(host: &mut stats::Host, targets: impl Iterator<Item = &'p str>) {
    /// Targets that are looked at; a job may have 100,000 files.
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

/// A command line as a shell reads it, in one line.
pub fn title(args: &[std::ffi::OsString]) -> String {
    let word = |arg: &std::ffi::OsString| {
        let text = arg.to_string_lossy().replace(['\n', '\r'], " ");
        let plain = |c: char| c.is_alphanumeric() || "-_=./,:+@%^~".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    args.iter().map(word).collect::<Vec<_>>().join(" ")
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
