//! Texts for the errors of the store.

use crate::Lang;
use crate::catalog::{say, word};
use run::job_error::errno_text;
use rustix::io::Errno;
use std::path::Path;
use store::{Document, ForeignFile, FormFault, StoreError, WriteFault};

/// Returns the reason why a result is not stored or cannot be read.
pub fn error(lang: Lang, error: &StoreError) -> String {
    match error {
        StoreError::NoPlace => word!(lang, "store-no-place").into(),
        StoreError::Absent { path } => say!(lang, "store-absent", path = path.to_string_lossy()),
        StoreError::Foreign { path, is } => {
            let why = match is {
                ForeignFile::NotSqlite => word!(lang, "store-not-sqlite"),
                ForeignFile::OtherProgram => word!(lang, "store-other-program"),
            };
            say!(lang, "store-foreign", path = path.to_string_lossy(), why)
        }
        StoreError::Newer { path, found, known } => {
            let (path, found, known) = (path.to_string_lossy(), found.to_string(), known.to_string());
            say!(lang, "store-newer", path, found, known)
        }
        StoreError::Full { path } => say!(lang, "store-full", path = path.to_string_lossy()),
        StoreError::NotWritable { path, why } => not_writable(lang, path, &write_fault(lang, why)),
        StoreError::Busy { path } => say!(lang, "store-busy", path = path.to_string_lossy()),
        StoreError::Damaged { path, why } => say!(lang, "store-damaged", path = path.to_string_lossy(), why),
        StoreError::Unknown { path, id } => {
            say!(lang, "store-unknown", path = path.to_string_lossy(), id = id.to_string())
        }
        StoreError::Exists { study, ordinal } => {
            say!(lang, "store-exists", study = study.to_string(), ordinal = ordinal.to_string())
        }
        StoreError::NotFinite { what } => say!(lang, "store-not-finite", what = document(lang, what)),
        StoreError::Unreadable { what, why } => {
            let why = match why {
                FormFault::Json(why) => why.clone(),
                FormFault::Kind(kind) => say!(lang, "store-unknown-kind", kind),
            };
            say!(lang, "store-unreadable", what = document(lang, what), why)
        }
        StoreError::Other { path, why } => format!("{}: {why}", path.display()),
    }
}

/// Returns the message that the store cannot be written; `why` is its reason as text.
pub fn not_writable(lang: Lang, path: &Path, why: &str) -> String {
    say!(lang, "store-not-writable", path = path.to_string_lossy(), why)
}

fn write_fault(lang: Lang, fault: &WriteFault) -> String {
    let system = |errno: &Errno| errno_text(errno.raw_os_error());
    match fault {
        WriteFault::Directory => word!(lang, "store-directory").into(),
        WriteFault::File(errno) => system(errno),
        WriteFault::JournalDirectory(errno) => say!(lang, "store-journal-directory", why = system(errno)),
        WriteFault::OlderTables { found, known } => {
            say!(lang, "store-older-tables", found = found.to_string(), known = known.to_string())
        }
        WriteFault::Sqlite(why) => why.clone(),
    }
}

fn document(lang: Lang, document: &Document) -> String {
    match document {
        Document::NewRun => word!(lang, "store-document-run").into(),
        Document::NewCheck => word!(lang, "store-document-check").into(),
        Document::NewAnswer => word!(lang, "store-document-answer").into(),
        Document::NewStudy => word!(lang, "store-document-study").into(),
        Document::NewPoint { ordinal } => say!(lang, "store-document-point", ordinal = ordinal.to_string()),
        Document::Stored(id) => id.to_string(),
        Document::StoredPoint { study, ordinal } => {
            say!(lang, "store-document-point-of", ordinal = ordinal.to_string(), study = study.to_string())
        }
        Document::Exported => word!(lang, "store-document-exported").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::StoredId;
    use std::path::PathBuf;

    #[test]
    fn english_words_of_every_store_error() {
        let path = || PathBuf::from("/s");
        let not_writable = |why| StoreError::NotWritable { path: path(), why };
        let errors = [
            (
                StoreError::NoPlace,
                "no place for the store: neither XDG_DATA_HOME nor HOME is set; name one with --store FILE",
            ),
            (StoreError::Absent { path: path() }, "/s: there is no store"),
            (
                StoreError::Foreign { path: path(), is: ForeignFile::NotSqlite },
                "/s: not a store of fathom's: not a SQLite database; it is left as it is",
            ),
            (
                StoreError::Foreign { path: path(), is: ForeignFile::OtherProgram },
                "/s: not a store of fathom's: another program's database; it is left as it is",
            ),
            (
                StoreError::Newer { path: path(), found: 9, known: 1 },
                "/s: written by a newer fathom (its tables are version 9, this one knows version 1); it is left as \
                 it is",
            ),
            (
                StoreError::Full { path: path() },
                "/s: no space is left for it; what was stored before is still there",
            ),
            (not_writable(WriteFault::Directory), "/s: cannot be written: it is a directory"),
            (not_writable(WriteFault::File(Errno::ROFS)), "/s: cannot be written: Read-only file system"),
            (
                not_writable(WriteFault::JournalDirectory(Errno::NOTDIR)),
                "/s: cannot be written: its directory, where SQLite keeps a journal beside it: Not a directory",
            ),
            (
                not_writable(WriteFault::OlderTables { found: 1, known: 2 }),
                "/s: cannot be written: its tables are version 1 and would have to be converted to version 2",
            ),
            (not_writable(WriteFault::Sqlite("locked".into())), "/s: cannot be written: locked"),
            (StoreError::Busy { path: path() }, "/s: another process keeps it locked"),
            (StoreError::Damaged { path: path(), why: "malformed".into() }, "/s: damaged: malformed"),
            (
                StoreError::Unknown { path: path(), id: StoredId::Run(9) },
                "/s: there is no R9; `fathom list` shows what is stored",
            ),
            (StoreError::Exists { study: 1, ordinal: 0 }, "study S1 already has a point 0"),
            (
                StoreError::NotFinite { what: Document::NewPoint { ordinal: 0 } },
                "point 0 is not stored: a figure in it is infinite or not a number",
            ),
            (
                StoreError::Unreadable {
                    what: Document::StoredPoint { study: 3, ordinal: 2 },
                    why: FormFault::Json("missing field".into()),
                },
                "point 2 of S3 is stored in a form that this version cannot read: missing field",
            ),
            (
                StoreError::Unreadable {
                    what: Document::Stored(StoredId::Run(4)),
                    why: FormFault::Kind("trace".into()),
                },
                "R4 is stored in a form that this version cannot read: its kind is \"trace\"",
            ),
        ];
        for (found, expected) in errors {
            assert_eq!(error(Lang::En, &found), expected, "{found:?}");
        }
    }
}
