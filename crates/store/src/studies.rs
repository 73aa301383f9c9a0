//! Studies and their points in the store.

use crate::pts::IS_PTS;
use crate::{Document, Store, StoreError, int, parsed, whole};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use stats::series::Window;
use stats::study::{Point, Study};
use stats::{Grade, Listed, StoredId, StoredKind};

impl Store {
    /// Stores a new study, with the points that it already has, and returns its number.
    ///
    /// # Errors
    /// The study cannot be serialized or written; nothing is stored.
    pub fn begin_study(&mut self, study: &Study) -> Result<i64, StoreError> {
        let texts = Texts::of(study)?;
        let points: Vec<(&Point, String)> =
            study.points.iter().map(|p| Ok((p, text_of(p)?))).collect::<Result<_, StoreError>>()?;
        let path = &self.path;
        let wrong = |e| StoreError::of(path, &e);
        let step = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        let values = params![
            int(study.began_ms),
            study.version,
            texts.targets,
            study.complete,
            study.spent_s,
            texts.asked,
            study.recommended,
            texts.notes,
            texts.conclusions,
            texts.unanswered,
            texts.whole
        ];
        let insert = "INSERT INTO studies (began_ms, version, targets, complete, spent_s, asked, recommended, notes, \
                      conclusions, unanswered, study) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        step.execute(insert, values).map_err(wrong)?;
        let id = step.last_insert_rowid();
        for (point, text) in points {
            insert_point(&step, id, point, &text)
                .map_err(|e| StoreError::of_point(path, id, point.ordinal, &e))?;
        }
        step.commit().map_err(wrong)?;
        Ok(id)
    }

    /// Stores a point with its windows; the point is on stable storage when this returns.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the study already has a point with this number, [`StoreError::NotFinite`] for an
    /// infinite figure; otherwise the point cannot be written. Nothing of the point is stored.
    pub fn add_point(&mut self, study: i64, point: &Point) -> Result<(), StoreError> {
        let text = text_of(point)?;
        let path = &self.path;
        let wrong = |e| StoreError::of(path, &e);
        let step = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        insert_point(&step, study, point, &text)
            .map_err(|e| StoreError::of_point(path, study, point.ordinal, &e))?;
        step.commit().map_err(wrong)
    }

    /// Stores the final state of a study. Its points are already stored; their intervals are updated, because later
    /// points may have changed them.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] if the study does not exist, [`StoreError::NotFinite`] for an infinite figure;
    /// otherwise the study cannot be written. The stored state does not change.
    pub fn finish_study(&mut self, id: i64, study: &Study) -> Result<(), StoreError> {
        let texts = Texts::of(study)?;
        let values = params![
            int(study.began_ms),
            study.version,
            texts.targets,
            study.complete,
            study.spent_s,
            texts.asked,
            study.recommended,
            texts.notes,
            texts.conclusions,
            texts.unanswered,
            texts.whole,
            id
        ];
        let update = "UPDATE studies SET began_ms = ?1, version = ?2, targets = ?3, complete = ?4, spent_s = ?5, \
                      asked = ?6, recommended = ?7, notes = ?8, conclusions = ?9, unanswered = ?10, study = ?11 \
                      WHERE id = ?12";
        let points = study.points.iter().map(text_of).collect::<Result<Vec<_>, _>>()?;
        let path = &self.path;
        let wrong = |e| StoreError::of(path, &e);
        let step = self.db.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        if step.execute(update, values).map_err(wrong)? == 0 {
            drop(step);
            return Err(self.unknown(id));
        }
        let update =
            "UPDATE points SET iops_low = ?1, iops_high = ?2, point = ?3 WHERE study = ?4 AND ordinal = ?5";
        for (point, text) in study.points.iter().zip(points) {
            let values = params![point.iops.low, point.iops.high, text, id, point.ordinal];
            step.execute(update, values).map_err(wrong)?;
        }
        step.commit().map_err(wrong)
    }

    /// Returns a study with its points as they were stored. Of a series, only its windows are stored.
    ///
    /// # Errors
    /// [`StoreError::Unknown`] if the study does not exist; otherwise the store or a document cannot be read.
    pub fn study(&self, id: i64) -> Result<Study, StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let text: Option<String> = self
            .db
            .query_row("SELECT study FROM studies WHERE id = ?1", [id], |row| row.get(0))
            .optional()
            .map_err(wrong)?;
        let name = StoredId::Study(id);
        let mut study: Study = parsed(Document::Stored(name), &text.ok_or_else(|| self.unknown(id))?)?;
        study.id = id;
        let mut points =
            self.db.prepare("SELECT point FROM points WHERE study = ?1 ORDER BY ordinal").map_err(wrong)?;
        let texts = points.query_map([id], |row| row.get::<_, String>(0)).map_err(wrong)?;
        for text in texts {
            let what = Document::StoredPoint { study: id, ordinal: study.points.len() };
            study.points.push(parsed(what, &text.map_err(wrong)?)?);
        }
        Ok(study)
    }

    /// Returns the numbers of the studies of `fathom explore` that are not complete, newest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn unfinished(&self) -> Result<Vec<i64>, StoreError> {
        let wrong = |e| StoreError::of(&self.path, &e);
        let sql = format!("SELECT id FROM studies WHERE complete = 0 AND NOT ({IS_PTS}) ORDER BY id DESC");
        let mut studies = self.db.prepare(&sql).map_err(wrong)?;
        let ids = studies.query_map([], |row| row.get(0)).map_err(wrong)?;
        ids.collect::<Result<_, _>>().map_err(wrong)
    }

    fn unknown(&self, id: i64) -> StoreError {
        StoreError::Unknown { path: self.path.clone(), id: StoredId::Study(id) }
    }
}

/// JSON texts of a study's columns.
struct Texts {
    targets: String,
    asked: String,
    notes: String,
    conclusions: String,
    unanswered: String,
    whole: String,
}

impl Texts {
    fn of(study: &Study) -> Result<Texts, StoreError> {
        let names: Vec<String> = if study.targets.is_empty() {
            study.asked.targets.clone()
        } else {
            study.targets.iter().map(|t| t.name.clone()).collect()
        };
        let mut head = study.clone();
        head.points.clear();
        Ok(Texts {
            targets: whole(Document::NewStudy, &names)?,
            asked: whole(Document::NewStudy, &study.asked)?,
            notes: whole(Document::NewStudy, &study.notes)?,
            conclusions: whole(Document::NewStudy, &study.conclusions)?,
            unanswered: whole(Document::NewStudy, &study.unanswered)?,
            whole: whole(Document::NewStudy, &head)?,
        })
    }
}

fn text_of(point: &Point) -> Result<String, StoreError> {
    whole(Document::NewPoint { ordinal: point.ordinal }, point)
}

fn insert_point(step: &Transaction<'_>, study: i64, point: &Point, text: &str) -> rusqlite::Result<()> {
    let cell = &point.cell;
    let setting = cell.setting.as_ref();
    let insert = "INSERT INTO points (study, ordinal, began_ms, question, target, rw, bs, reads_percent, depth, jobs, \
                  span, setting, setting_value, rest_s, seconds, cut_s, iops, iops_low, iops_high, bytes_per_second, \
                  mean_ns, p50_ns, p99_ns, p999_ns, util_percent, await_ms, queue, cpu_percent, ios, bytes, grade, \
                  point) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, \
                  ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)";
    step.execute(
        insert,
        params![
            study,
            point.ordinal,
            int(point.began_ms),
            point.question.name(),
            int(cell.target as u64),
            cell.access.rw,
            int(cell.access.bs),
            cell.access.reads,
            cell.depth,
            cell.jobs,
            cell.span.map(int),
            setting.map(|(name, _)| name),
            setting.map(|(_, value)| value),
            point.rest_s,
            point.seconds,
            point.cut_s,
            point.iops.value,
            point.iops.low,
            point.iops.high,
            point.bytes_per_second,
            point.mean_ns,
            point.p50_ns.map(int),
            point.p99_ns.map(int),
            point.p999_ns.map(int),
            point.util_percent,
            point.await_ms,
            point.queue,
            point.cpu_percent,
            int(point.ios),
            int(point.bytes),
            point.grade.letter(),
            text
        ],
    )?;
    insert_windows(
        step,
        "windows",
        [("study", study), ("ordinal", point.ordinal.into())],
        &point.series.windows,
    )
}

/// Inserts windows into `table`; `keys` are its two key columns with their values.
pub fn insert_windows(
    step: &Transaction<'_>,
    table: &str,
    keys: [(&str, i64); 2],
    windows: &[Window],
) -> rusqlite::Result<()> {
    if windows.is_empty() {
        return Ok(());
    }
    let [(first, one), (second, two)] = keys;
    let mut insert = step.prepare(&format!(
        "INSERT INTO {table} ({first}, {second}, n, nanos, read_ios, write_ios, trim_ios, read_bytes, \
         write_bytes, trim_bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    ))?;
    for (n, w) in windows.iter().enumerate() {
        let ([a, b, c], [d, e, f]) = (w.ios.map(int), w.bytes.map(int));
        insert.execute([one, two, int(n as u64), int(w.nanos), a, b, c, d, e, f])?;
    }
    Ok(())
}

/// Returns the newest `limit` studies, newest first; of a damaged row, its name.
pub fn list(db: &Connection, limit: usize) -> rusqlite::Result<Vec<Result<Listed, StoredId>>> {
    let mut newest = db.prepare(&format!(
        "SELECT id, began_ms, version, targets, complete, \
         (SELECT count(*) FROM points WHERE points.study = studies.id), ({IS_PTS}), \
         (SELECT max(grade) FROM points WHERE points.study = studies.id) \
         FROM studies ORDER BY began_ms DESC, id DESC LIMIT ?1",
    ))?;
    let one = |row: &Row<'_>, id| -> rusqlite::Result<Listed> {
        let targets: String = row.get(3)?;
        let names: Vec<String> = serde_json::from_str(&targets).unwrap_or_default();
        // A study of `fathom explore` has conclusions, each from some of its points, and no grade of its own.
        let grade: Option<String> = if row.get(6)? { row.get(7)? } else { None };
        Ok(Listed {
            id,
            kind: if row.get(6)? { StoredKind::Pts } else { StoredKind::Study },
            began_ms: row.get::<_, i64>(1)?.unsigned_abs(),
            version: row.get(2)?,
            title: names.join(" "),
            grade: grade.as_deref().and_then(Grade::from_letter),
            points: Some(row.get::<_, i64>(5)?.unsigned_abs()),
            complete: row.get(4)?,
        })
    };
    let listed = newest.query_map([int(limit as u64)], |row| {
        let id = StoredId::Study(row.get(0)?);
        Ok(one(row, id).map_err(|_| id))
    })?;
    listed.collect()
}
