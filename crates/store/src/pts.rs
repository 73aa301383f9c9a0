//! Studies of `fathom pts`: rows of `studies` whose `asked` names tests, with their completed steps in `points`.

use crate::{Document, Store, StoreError, int, parsed, whole};
use rusqlite::{OptionalExtension, params};
use stats::StoredId;
use stats::pts::{PtsBlock, PtsEvent, PtsPoint, PtsStudy};

/// Query whose value, in parentheses, is the condition for a study of `fathom pts`: those of `fathom explore` ask questions.
pub const IS_PTS: &str =
    "SELECT CASE WHEN json_valid(asked) THEN json_type(asked, '$.tests') IS NOT NULL ELSE 0 END";

impl Store {
    /// Carries out the changes of `work` as one, which takes one synchronisation of the file instead of one for each. Nothing is
    /// changed if it fails.
    ///
    /// # Errors
    /// That of `work`; or the changes cannot be written.
    pub fn together<R>(
        &mut self,
        work: impl FnOnce(&mut Store) -> Result<R, StoreError>,
    ) -> Result<R, StoreError> {
        let path = self.path.clone();
        let wrong = |e| StoreError::of(&path, &e);
        self.db.execute_batch("BEGIN IMMEDIATE").map_err(wrong)?;
        let done = work(self).and_then(|done| {
            self.db.execute_batch("COMMIT").map_err(wrong)?;
            Ok(done)
        });
        if done.is_err() && !self.db.is_autocommit() {
            // An error of the end of the transaction would hide the first one.
            let _ = self.db.execute_batch("ROLLBACK");
        }
        done
    }

    /// Stores a new study of `fathom pts` without steps, and returns its number.
    ///
    /// # Errors
    /// The study cannot be serialized or written.
    pub fn begin_pts(&mut self, study: &PtsStudy) -> Result<i64, StoreError> {
        let insert = "INSERT INTO studies (began_ms, version, targets, complete, spent_s, asked, recommended, notes, \
                      conclusions, unanswered, study) VALUES (?1, ?2, ?3, 0, 0, ?4, '', '[]', '[]', '[]', ?5)";
        let values = params![
            int(study.began_ms),
            study.version,
            whole(Document::NewStudy, &vec![study.device.name.clone()])?,
            whole(Document::NewStudy, &study.asked)?,
            whole(Document::NewStudy, &head(study))?
        ];
        self.db.execute(insert, values).map_err(|e| StoreError::of(&self.path, &e))?;
        Ok(self.db.last_insert_rowid())
    }

    /// Stores a completed step; it is on stable storage when this returns, except within [`Store::together`].
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the study already has a step with this number, [`StoreError::NotFinite`] for an infinite
    /// figure; otherwise the step cannot be written.
    pub fn add_pts_point(&mut self, id: i64, point: &PtsPoint) -> Result<(), StoreError> {
        let text = whole(Document::NewPoint { ordinal: point.ordinal }, point)?;
        let sample = point.sample();
        let (rw, bytes, reads, depth, jobs) = match sample.map(|sample| &sample.load) {
            Some(load) => {
                let block = match load.block {
                    PtsBlock::Bytes(bytes) => bytes,
                    PtsBlock::Composite => 0,
                };
                let rw = if load.random { "randrw" } else { "rw" };
                (rw, block, Some(load.reads), load.depth, load.threads)
            }
            None => match point.event {
                PtsEvent::Purged(_) => ("purge", 0, None, 0, 0),
                _ => ("cache", 0, None, 0, 0),
            },
        };
        let insert = "INSERT INTO points (study, ordinal, began_ms, question, target, rw, bs, reads_percent, depth, jobs, \
                      rest_s, seconds, cut_s, iops, iops_low, iops_high, bytes_per_second, mean_ns, cpu_percent, ios, \
                      bytes, grade, point) VALUES (?1, ?2, ?3, ?4, 0, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, ?12, ?12, ?12, \
                      ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
        let figure = |of: fn(&stats::pts::PtsSample) -> f64| sample.map_or(0.0, of);
        let count = |of: fn(&stats::pts::PtsSample) -> [u64; 2]| {
            sample.map_or(0, |sample| int(of(sample).iter().sum()))
        };
        let path = &self.path;
        let wrong = |e| StoreError::of_point(path, id, point.ordinal, &e);
        let values: &[&dyn rusqlite::ToSql] = params![
            id,
            point.ordinal,
            int(point.began_ms),
            format!("pts-{}", point.test.name()),
            rw,
            int(bytes),
            reads,
            depth,
            jobs,
            figure(|s| s.idle_s),
            figure(|s| s.seconds),
            figure(|s| s.iops),
            figure(|s| s.bytes_per_second),
            figure(|s| s.mean_ns),
            figure(|s| s.cpu_percent),
            count(|s| s.ios),
            count(|s| s.bytes),
            sample.map_or("-", |s| s.grade().letter()),
            text
        ];
        self.db.execute(insert, values).map(|_| ()).map_err(wrong)
    }

    /// Stores whether the study is complete.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] if the study does not exist; otherwise it cannot be written.
    pub fn finish_pts(&mut self, id: i64, study: &PtsStudy) -> Result<(), StoreError> {
        let spent_s = study.ended_ms.saturating_sub(study.began_ms) as f64 / 1e3;
        let values = params![study.complete, spent_s, whole(Document::NewStudy, &head(study))?, id];
        let update = "UPDATE studies SET complete = ?1, spent_s = ?2, study = ?3 WHERE id = ?4";
        match self.db.execute(update, values).map_err(|e| StoreError::of(&self.path, &e))? {
            0 => Err(StoreError::Unknown { path: self.path.clone(), id: StoredId::Study(id) }),
            _ => Ok(()),
        }
    }

    /// Returns a study of `fathom pts`, evaluated, with its completed steps; `None` if the study is one of `fathom
    /// explore`.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] if the study does not exist; otherwise the store or a document cannot be read.
    pub fn pts(&self, id: i64) -> Result<Option<(PtsStudy, Vec<PtsPoint>)>, StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let query = format!("SELECT ({IS_PTS}), study FROM studies WHERE id = ?1");
        let row =
            self.db.query_row(&query, [id], |row| Ok((row.get::<_, bool>(0)?, row.get::<_, String>(1)?)));
        let unknown = || StoreError::Unknown { path: self.path.clone(), id: StoredId::Study(id) };
        let (is_pts, text) = row.optional().map_err(wrong)?.ok_or_else(unknown)?;
        if !is_pts {
            return Ok(None);
        }
        let mut study: PtsStudy = parsed(Document::Stored(StoredId::Study(id)), &text)?;
        study.id = id;
        let query = "SELECT point FROM points WHERE study = ?1 ORDER BY ordinal";
        let mut rows = self.db.prepare(query).map_err(wrong)?;
        let texts = rows.query_map([id], |row| row.get::<_, String>(0)).map_err(wrong)?;
        let mut points: Vec<PtsPoint> = Vec::new();
        for text in texts {
            let what = Document::StoredPoint { study: id, ordinal: points.len() };
            points.push(parsed(what, &text.map_err(wrong)?)?);
        }
        study.evaluate(&points);
        Ok(Some((study, points)))
    }

    /// Returns the numbers of the unfinished studies of `fathom pts` that one command measured, in the order of their
    /// devices; none for group 0.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn unfinished_pts_of(&self, group: u64) -> Result<Vec<i64>, StoreError> {
        if group == 0 {
            return Ok(Vec::new());
        }
        let wrong = |e| StoreError::of(&self.path, &e);
        let query = format!(
            "SELECT id FROM studies WHERE complete = 0 AND ({IS_PTS}) AND \
             CASE WHEN json_valid(study) THEN json_extract(study, '$.group') = ?1 ELSE 0 END ORDER BY id"
        );
        let mut studies = self.db.prepare(&query).map_err(wrong)?;
        let ids = studies.query_map([int(group)], |row| row.get(0)).map_err(wrong)?;
        ids.collect::<Result<_, _>>().map_err(wrong)
    }

    /// Returns the numbers of the studies of `fathom pts` that are not complete and can be resumed, newest first: those of several
    /// hosts cannot.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn unfinished_pts(&self) -> Result<Vec<i64>, StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let query = format!(
            "SELECT id FROM studies WHERE complete = 0 AND ({IS_PTS}) AND \
             CASE WHEN json_valid(study) THEN json_extract(study, '$.on_host') IS NULL ELSE 1 END ORDER BY id DESC"
        );
        let mut studies = self.db.prepare(&query).map_err(wrong)?;
        let ids = studies.query_map([], |row| row.get(0)).map_err(wrong)?;
        ids.collect::<Result<_, _>>().map_err(wrong)
    }
}

/// Returns the study without its results, which follow from its steps.
fn head(study: &PtsStudy) -> PtsStudy {
    PtsStudy { runs: Vec::new(), findings: Vec::new(), ..study.clone() }
}
