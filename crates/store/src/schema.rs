//! The tables of the store, and the upgrade of a store of an older version.

use crate::error::{ForeignFile, StoreError, WriteFault};
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// SQLite application id ("ftmS"), which marks the file as a store of fathom; `file` and SQLite's tools show it.
const APPLICATION: i64 = 0x6674_6d53;

/// One step per version: the first makes version 1 of an empty file. A step that has shipped is never changed.
const STEPS: [&str; 1] = [
    // Long texts are the last columns: SQLite reads the columns before them without loading the texts.
    "CREATE TABLE studies (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began_ms INTEGER NOT NULL,      -- since the epoch
        version TEXT NOT NULL,          -- of fathom
        targets TEXT NOT NULL,          -- JSON: names
        complete INTEGER NOT NULL,      -- it came to its end
        spent_s REAL NOT NULL,
        asked TEXT NOT NULL,            -- JSON
        recommended TEXT NOT NULL,      -- job file
        notes TEXT NOT NULL,            -- JSON
        conclusions TEXT NOT NULL,      -- JSON
        unanswered TEXT NOT NULL,       -- JSON
        study TEXT NOT NULL             -- JSON: all of it but its points
    );
    CREATE TABLE points (
        study INTEGER NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        ordinal INTEGER NOT NULL,       -- from 0
        began_ms INTEGER NOT NULL,
        question TEXT NOT NULL,
        target INTEGER NOT NULL,        -- place in studies.targets
        rw TEXT NOT NULL,
        bs INTEGER NOT NULL,            -- bytes
        reads_percent INTEGER,
        depth INTEGER NOT NULL,         -- of each job
        jobs INTEGER NOT NULL,
        span INTEGER,                   -- bytes; NULL: all
        setting TEXT,
        setting_value TEXT,
        rest_s REAL NOT NULL,
        seconds REAL NOT NULL,
        cut_s REAL NOT NULL,
        iops REAL NOT NULL,
        iops_low REAL NOT NULL,         -- 95 % interval
        iops_high REAL NOT NULL,
        bytes_per_second REAL NOT NULL,
        mean_ns REAL NOT NULL,
        p50_ns INTEGER,
        p99_ns INTEGER,
        p999_ns INTEGER,
        util_percent REAL,
        await_ms REAL,
        queue REAL,
        cpu_percent REAL NOT NULL,
        ios INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        grade TEXT NOT NULL,            -- A, B, C, X
        point TEXT NOT NULL,            -- JSON: all of it
        UNIQUE (study, ordinal)
    );
    CREATE TABLE windows (
        study INTEGER NOT NULL,
        ordinal INTEGER NOT NULL,
        n INTEGER NOT NULL,             -- from 0
        nanos INTEGER NOT NULL,         -- length
        read_ios INTEGER NOT NULL,
        write_ios INTEGER NOT NULL,
        trim_ios INTEGER NOT NULL,
        read_bytes INTEGER NOT NULL,
        write_bytes INTEGER NOT NULL,
        trim_bytes INTEGER NOT NULL,
        PRIMARY KEY (study, ordinal, n),
        FOREIGN KEY (study, ordinal) REFERENCES points (study, ordinal) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        began_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,             -- run, check, fit, explain, cloud
        version TEXT NOT NULL,
        grade TEXT NOT NULL,
        title TEXT NOT NULL,            -- arguments of a run, target of a check
        result TEXT NOT NULL            -- JSON: all of it
    );
    CREATE INDEX runs_began ON runs (began_ms);
    CREATE TABLE run_jobs (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        entry INTEGER NOT NULL,         -- place in the report, from 0
        direction TEXT NOT NULL,        -- read, write, trim
        name TEXT NOT NULL,             -- of the job; the pattern of a check
        depth INTEGER NOT NULL,
        depth_reached REAL NOT NULL,
        iops REAL NOT NULL,
        bytes_per_second INTEGER NOT NULL,
        ios INTEGER,
        bytes INTEGER,
        runtime_ms INTEGER NOT NULL,
        mean_ns REAL,
        p50_ns INTEGER,
        p99_ns INTEGER,
        p999_ns INTEGER,
        max_ns INTEGER,
        error TEXT,
        PRIMARY KEY (run, entry, direction)
    ) WITHOUT ROWID;
    CREATE TABLE run_windows (
        run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
        phase INTEGER NOT NULL,         -- from 0
        n INTEGER NOT NULL,
        nanos INTEGER NOT NULL,
        read_ios INTEGER NOT NULL,
        write_ios INTEGER NOT NULL,
        trim_ios INTEGER NOT NULL,
        read_bytes INTEGER NOT NULL,
        write_bytes INTEGER NOT NULL,
        trim_bytes INTEGER NOT NULL,
        PRIMARY KEY (run, phase, n)
    ) WITHOUT ROWID;",
];

/// Newest version of the tables.
const KNOWN: i64 = STEPS.len() as i64;

/// Checks that the file is a store of fathom or empty, and creates the missing tables.
///
/// # Errors
/// The file is not a store of fathom, has newer tables, or cannot be read or written.
pub fn prepare(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let wrong = |e| StoreError::of(path, &e);
    db.pragma_update(None, "foreign_keys", true).map_err(wrong)?;
    db.pragma_update(None, "synchronous", "FULL").map_err(wrong)?;
    // Both values are read in one transaction: another process may be creating the tables.
    let moment = db.transaction().map_err(wrong)?;
    let found = version(&moment, path)?;
    drop(moment);
    // WAL may be impossible (a network file system has no shared memory). The rollback journal is as safe.
    let _ = db.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()));
    if found == KNOWN {
        return Ok(());
    }
    let step = db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
    // Another process may have created the tables meanwhile.
    let found = version(&step, path)?;
    for sql in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        step.execute_batch(sql).map_err(wrong)?;
    }
    step.pragma_update(None, "application_id", APPLICATION).map_err(wrong)?;
    step.pragma_update(None, "user_version", KNOWN).map_err(wrong)?;
    step.commit().map_err(wrong)
}

/// Checks that the file is a store of fathom with all tables; writes nothing.
///
/// # Errors
/// The file is not a store of fathom, has tables of another version, or cannot be read.
pub fn check(db: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let moment = db.transaction().map_err(|e| StoreError::of(path, &e))?;
    match version(&moment, path)? {
        KNOWN => Ok(()),
        found => {
            let why = WriteFault::OlderTables { found, known: KNOWN };
            Err(StoreError::NotWritable { path: path.into(), why })
        }
    }
}

/// Returns the version of the tables, 0 for an empty file. The caller has opened a transaction.
fn version(db: &Connection, path: &Path) -> Result<i64, StoreError> {
    let wrong = |e| StoreError::of(path, &e);
    let number = |sql: &str| db.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(wrong);
    let (application, found) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let foreign = || StoreError::Foreign { path: path.into(), is: ForeignFile::OtherProgram };
    match application {
        APPLICATION if found > KNOWN => Err(StoreError::Newer { path: path.into(), found, known: KNOWN }),
        APPLICATION if (1..=KNOWN).contains(&found) => Ok(found),
        0 if found == 0 && number("SELECT count(*) FROM sqlite_master")? == 0 => Ok(0),
        _ => Err(foreign()),
    }
}
