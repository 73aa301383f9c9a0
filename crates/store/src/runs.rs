//! Runs of jobs and checks in the store.

use crate::studies::insert_windows;
use crate::{Document, FormFault, Store, StoreError, int, parsed, whole};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use stats::answer::Answer;
use stats::quick::RowError;
use stats::{
    Direction, Grade, JobOutcome, Latency, Listed, QuickCard, QuickRow, RunResult, StoredId, StoredKind,
};

/// A result stored under the number of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Recorded {
    /// A run of jobs.
    Run(Box<RunResult>),
    /// A check of twenty seconds.
    Check(Box<QuickCard>),
    /// An answer of `fathom fit`, `explain` or `cloud`.
    Answer(Box<Answer>),
}

/// Values of a row of the table `runs`.
struct Row<'a> {
    began_ms: u64,
    kind: StoredKind,
    version: &'a str,
    grade: Grade,
    title: &'a str,
    result: &'a str,
}

impl Store {
    /// Stores a run under a title of one line (its arguments) and returns its number. The run survives a kill of
    /// fathom from then on, and a loss of power as soon as the kernel has written it to disk.
    ///
    /// # Errors
    /// The run cannot be serialized or written; nothing is stored.
    pub fn add_run(&mut self, result: &RunResult, title: &str) -> Result<i64, StoreError> {
        let text = whole(Document::NewRun, result)?;
        let p = &result.provenance;
        let row = Row {
            began_ms: p.timestamp_ms.saturating_sub(p.elapsed_ms),
            kind: StoredKind::Run,
            version: &p.version,
            grade: result.grade(),
            title,
            result: &text,
        };
        self.record(&row, |step, id| {
            for (entry, job) in result.entries().iter().enumerate() {
                insert_job(step, id, entry, job)?;
            }
            for (phase, (_, series)) in result.series.iter().enumerate() {
                let keys = [("run", id), ("phase", int(phase as u64))];
                insert_windows(step, "run_windows", keys, &series.windows)?;
            }
            Ok(())
        })
    }

    /// Stores a check under a title (its target) and returns its number, which is counted with those of runs.
    /// `began_ms` is its start in milliseconds since the epoch.
    ///
    /// # Errors
    /// As [`Store::add_run`].
    pub fn add_check(&mut self, card: &QuickCard, title: &str, began_ms: u64) -> Result<i64, StoreError> {
        let text = whole(Document::NewCheck, card)?;
        let row = Row {
            began_ms,
            kind: StoredKind::Check,
            version: &card.version,
            grade: card.grade(),
            title,
            result: &text,
        };
        self.record(&row, |step, id| {
            card.rows.iter().enumerate().try_for_each(|(entry, row)| insert_row(step, id, entry, row))
        })
    }

    /// Stores an answer under a title (its target) and returns its number, which is counted with those of runs.
    /// `began_ms` is its start in milliseconds since the epoch.
    ///
    /// # Errors
    /// As [`Store::add_run`].
    pub fn add_answer(&mut self, answer: &Answer, title: &str, began_ms: u64) -> Result<i64, StoreError> {
        let text = whole(Document::NewAnswer, answer)?;
        let row = Row {
            began_ms,
            kind: answer.kind(),
            version: answer.version(),
            grade: answer.grade(),
            title,
            result: &text,
        };
        self.record(&row, |_, _| Ok(()))
    }

    /// Stores one row and the rows of `more` without waiting for the disk: neither the commit nor the close of the
    /// connection writes beyond the journal, which the next reader or study checkpoints.
    fn record(
        &mut self,
        row: &Row<'_>,
        more: impl FnOnce(&Transaction<'_>, i64) -> rusqlite::Result<()>,
    ) -> Result<i64, StoreError> {
        let path = &self.path;
        let wrong = |e| StoreError::of(path, &e);
        self.db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(wrong)?;
        self.db.pragma_update(None, "synchronous", "NORMAL").map_err(wrong)?;
        let stored = (|| {
            let step = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let insert = "INSERT INTO runs (began_ms, kind, version, grade, title, result) \
                          VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let values = params![
                int(row.began_ms),
                row.kind.name(),
                row.version,
                row.grade.letter(),
                row.title,
                row.result
            ];
            step.execute(insert, values)?;
            let id = step.last_insert_rowid();
            more(&step, id)?;
            step.commit()?;
            Ok(id)
        })();
        // A point that is stored later waits for the disk again.
        self.db.pragma_update(None, "synchronous", "FULL").map_err(wrong)?;
        stored.map_err(wrong)
    }

    /// Returns the run or check with this number.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] if the number does not exist; otherwise the store or the document cannot be read.
    pub fn run(&self, id: i64) -> Result<Recorded, StoreError> {
        let row = self
            .db
            .query_row("SELECT kind, result FROM runs WHERE id = ?1", [id], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
            })
            .optional()
            .map_err(|e| StoreError::of(&self.path, &e))?;
        let name = StoredId::Run(id);
        let (kind, text) = row.ok_or_else(|| StoreError::Unknown { path: self.path.clone(), id: name })?;
        match StoredKind::from_name(&kind) {
            Some(StoredKind::Run) => Ok(Recorded::Run(parsed(Document::Stored(name), &text)?)),
            Some(StoredKind::Check) => Ok(Recorded::Check(parsed(Document::Stored(name), &text)?)),
            Some(
                StoredKind::Fit
                | StoredKind::Explain
                | StoredKind::Cloud
                | StoredKind::Rank
                | StoredKind::Characterize
                | StoredKind::Files
                | StoredKind::Objects
                | StoredKind::Hosts,
            ) => Ok(Recorded::Answer(parsed(Document::Stored(name), &text)?)),
            _ => Err(StoreError::Unreadable { what: Document::Stored(name), why: FormFault::Kind(kind) }),
        }
    }
}

impl Store {
    /// Returns the newest runs and checks that have the same title (arguments or target) and kind as one of `of` and
    /// are not in `of`, newest first for each title; at most about `limit` per title.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn repeats(&self, of: &[StoredId], limit: usize) -> Result<Vec<StoredId>, StoreError> {
        let numbers: Vec<i64> =
            of.iter().filter_map(|id| if let StoredId::Run(n) = id { Some(*n) } else { None }).collect();
        let wrong = |e| StoreError::of(&self.path, &e);
        let sql = "SELECT id FROM runs WHERE (title, kind) = (SELECT title, kind FROM runs WHERE id = ?1) \
                   ORDER BY began_ms DESC, id DESC LIMIT ?2";
        let mut select = self.db.prepare(sql).map_err(wrong)?;
        let mut found: Vec<StoredId> = Vec::new();
        for number in &numbers {
            let limit = int((limit + numbers.len()) as u64);
            let rows = select.query_map(params![number, limit], |row| row.get::<_, i64>(0)).map_err(wrong)?;
            for id in rows {
                let id = id.map_err(wrong)?;
                if !numbers.contains(&id) && !found.contains(&StoredId::Run(id)) {
                    found.push(StoredId::Run(id));
                }
            }
        }
        Ok(found)
    }
}

const INSERT: &str = "INSERT INTO run_jobs (run, entry, direction, name, depth, depth_reached, iops, bytes_per_second, \
                      ios, bytes, runtime_ms, mean_ns, p50_ns, p99_ns, p999_ns, max_ns, error) \
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)";

/// Inserts a row for each direction of a report entry with issued I/Os; for a job with an error and without I/O, one
/// row for reads, which holds the error.
fn insert_job(step: &Transaction<'_>, run: i64, entry: usize, job: &JobOutcome) -> rusqlite::Result<()> {
    let error = job.error.as_ref().map(|e| e.text.as_str());
    for direction in Direction::ALL {
        let d = &job.directions[direction as usize];
        let only = direction == Direction::Read && job.issued() == 0 && error.is_some();
        if d.issued == 0 && !only {
            continue;
        }
        // lat if it was measured, else clat: the same choice as on the card.
        let latency: &Latency = if d.lat.moments.n > 0 { &d.lat } else { &d.clat };
        let some = latency.moments.n > 0;
        let quantile = |p| latency.histogram.quantile(p).map(int);
        step.execute(
            INSERT,
            params![
                run,
                int(entry as u64),
                direction.name(),
                job.name,
                job.iodepth,
                job.depth_reached,
                d.iops(),
                int(d.bytes_per_second()),
                int(d.ios),
                int(d.bytes),
                int(d.runtime_ms),
                some.then(|| latency.moments.mean()),
                quantile(50.0),
                quantile(99.0),
                quantile(99.9),
                some.then(|| int(latency.moments.max())),
                error
            ],
        )?;
    }
    Ok(())
}

fn insert_row(step: &Transaction<'_>, run: i64, entry: usize, row: &QuickRow) -> rusqlite::Result<()> {
    step.execute(
        INSERT,
        params![
            run,
            int(entry as u64),
            row.direction.name(),
            row.pattern,
            row.depth,
            row.depth_reached,
            row.iops,
            int(row.bytes_per_second),
            None::<i64>,
            None::<i64>,
            int(row.runtime_ms),
            row.mean_ns,
            row.p50_ns.map(int),
            row.p99_ns.map(int),
            None::<i64>,
            None::<i64>,
            row.error.as_ref().map(RowError::text)
        ],
    )?;
    Ok(())
}

/// Returns the newest `limit` runs and checks, newest first; of a damaged row, its name.
pub fn list(db: &Connection, limit: usize) -> rusqlite::Result<Vec<Result<Listed, StoredId>>> {
    let mut newest = db.prepare(
        "SELECT id, began_ms, kind, version, grade, title FROM runs ORDER BY began_ms DESC, id DESC LIMIT ?1",
    )?;
    let one = |row: &rusqlite::Row<'_>, id| -> rusqlite::Result<Listed> {
        let (kind, grade): (String, String) = (row.get(2)?, row.get(4)?);
        Ok(Listed {
            id,
            kind: StoredKind::from_name(&kind).unwrap_or(StoredKind::Run),
            began_ms: row.get::<_, i64>(1)?.unsigned_abs(),
            version: row.get(3)?,
            title: row.get(5)?,
            grade: Grade::from_letter(&grade),
            points: None,
            complete: true,
        })
    };
    let listed = newest.query_map([int(limit as u64)], |row| {
        let id = StoredId::Run(row.get(0)?);
        Ok(one(row, id).map_err(|_| id))
    })?;
    listed.collect()
}
