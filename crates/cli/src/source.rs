//! Sources of `fathom report` and `fathom compare`: stored results, and files that fathom or fio wrote.

use crate::stored::{StoreChoice, StoreFault};
use import::Found;
use report::{Lang, words};
use stats::answer::Answer;
use stats::pts::PtsStudy;
use stats::study::Study;
use stats::{Measured, QuickCard, RunResult, StoredId};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use store::{Exported, Recorded};

/// Largest number of bytes read to see whether a file is a JSON document.
const HEAD: u64 = 1 << 20;
/// Largest number of bytes read from a JSON document.
const LONGEST_DOCUMENT: u64 = 1 << 30;

/// A result named on the command line.
pub struct Source {
    /// Name of the stored result (`R7`), or the path as given.
    pub name: String,
    /// Start of the measurement, in milliseconds since the epoch; 0 if unknown.
    pub began_ms: u64,
    /// Data of the result.
    pub what: What,
}

/// Kind of a result, with its data.
pub enum What {
    /// A study of `fathom explore`.
    Study(Box<Study>),
    /// A study of `fathom pts`.
    Pts(Box<PtsStudy>),
    /// Run of jobs.
    Run(Box<RunResult>),
    /// A twenty-second check.
    Check(Box<QuickCard>),
    /// An answer of `fathom fit`, `explain`, `cloud` or `rank`.
    Answer(Box<Answer>),
    /// JSON and logs written by fio.
    Fio(Box<Found>),
}

impl Source {
    /// Returns the measured loads of the source.
    pub fn loads(&self) -> Vec<Measured> {
        match &self.what {
            What::Study(study) => Measured::of_study(&self.name, study),
            What::Run(run) => Measured::of_run(&self.name, run),
            What::Check(card) => Measured::of_check(&self.name, card),
            What::Answer(answer) => answer.loads(&self.name),
            What::Fio(found) => found.measured.clone(),
            // Its figures belong to a measurement window, and are compared with those of the same test only.
            What::Pts(_) => Vec::new(),
        }
    }
}

/// Reads the results `names`, in their order. A name that is both a file and a stored result means the file. Remarks
/// about fio's files are printed on standard error.
///
/// # Errors
/// A message in `lang` for the first result that does not exist or cannot be read.
pub fn read(names: &[String], keep: &StoreChoice, lang: Lang) -> Result<Vec<Source>, String> {
    names.iter().map(|name| one(name, keep, lang)).collect()
}

/// Returns the study of `fathom pts` with this name, stored or in a file that fathom exported; `None` for anything else.
pub fn pts(name: &str, keep: &StoreChoice) -> Option<Box<PtsStudy>> {
    let path = Path::new(name);
    if path.exists() {
        return match store::exported(&json_text(path)?)? {
            Ok(Exported::Pts(study)) => Some(study),
            _ => None,
        };
    }
    match name.parse() {
        Ok(StoredId::Study(n)) => Some(Box::new(keep.open().ok()?.pts(n).ok()??.0)),
        _ => None,
    }
}

fn one(name: &str, keep: &StoreChoice, lang: Lang) -> Result<Source, String> {
    let path = Path::new(name);
    if path.exists() {
        return file(name, path, lang);
    }
    match name.parse::<StoredId>() {
        Ok(id) => stored(id, keep).map_err(|e| e.words(lang)),
        Err(_) => Err(format!(
            "{name}: there is no such file, and a stored result is named like R7 or S12 (fathom list)"
        )),
    }
}

fn stored(id: StoredId, keep: &StoreChoice) -> Result<Source, StoreFault> {
    let store = keep.open()?;
    let what = match id {
        StoredId::Study(n) if let Some((study, _)) = store.pts(n)? => What::Pts(Box::new(study)),
        StoredId::Study(n) => What::Study(Box::new(store.study(n)?)),
        StoredId::Run(n) => match store.run(n)? {
            Recorded::Run(run) => What::Run(run),
            Recorded::Check(card) => What::Check(card),
            Recorded::Answer(answer) => What::Answer(answer),
        },
    };
    Ok(Source { name: id.to_string(), began_ms: store.began_ms(id)?, what })
}

/// Returns at most the first [`LONGEST_DOCUMENT`] bytes of a regular file that begins like a JSON object and is UTF-8;
/// `None` for any other file, after reading only its beginning.
fn json_text(path: &Path) -> Option<String> {
    // Opening a FIFO without a writer would block forever.
    std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD).read_to_end(&mut bytes).ok()?;
    // The head may end within a character.
    let is_text = std::str::from_utf8(&bytes).map_or_else(|fault| fault.error_len().is_none(), |_| true);
    if !is_text || bytes.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return None;
    }
    file.take(LONGEST_DOCUMENT - HEAD).read_to_end(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

/// Reads a JSON document of fathom (`fathom export`, `--json`), else files of fio. Files of fio that cannot be read are
/// reported on standard error.
fn file(name: &str, path: &Path, lang: Lang) -> Result<Source, String> {
    let ours = json_text(path).and_then(|text| store::exported(&text));
    let what = match ours {
        Some(Ok(Exported::Study(study))) => What::Study(study),
        Some(Ok(Exported::Run(run))) => What::Run(run),
        Some(Ok(Exported::Check(card))) => What::Check(card),
        Some(Ok(Exported::Pts(study))) => What::Pts(study),
        Some(Err(e)) => return Err(format!("{name}: {}", words::store::error(lang, &e))),
        None => {
            let found = import::read(&[path.into()]).map_err(|e| words::import::error(lang, &e))?;
            for (file, why) in found.skipped.iter().chain(&found.notes) {
                eprintln!("fathom: {}: {}", file.display(), words::import::remark(lang, why));
            }
            What::Fio(Box::new(found))
        }
    };
    let began_ms = match &what {
        What::Study(study) => study.began_ms,
        What::Pts(study) => study.began_ms,
        What::Run(run) => run.provenance.timestamp_ms.saturating_sub(run.provenance.elapsed_ms),
        What::Check(_) | What::Answer(_) => 0,
        What::Fio(found) => found.measured.iter().map(|m| m.began_ms).filter(|ms| *ms > 0).min().unwrap_or(0),
    };
    Ok(Source { name: name.to_string(), began_ms, what })
}
