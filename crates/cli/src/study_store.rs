//! The place of a study in the store while it is measured, and unfinished studies.

use crate::stored::{StoreChoice, StoreFault};
use lab::explore::job_runner::{JobRunner, ReopenError};
use lab::explore::runner::{Journal, Progress};
use lab::target::JobContext;
use report::Lang;
use report::words::lab::{other_target, target_error};
use stats::StoredId;
use stats::study::{Point, Study, StudyTarget};
use store::{Store, StoreError, StudyLock};

/// The study's place in the store. An error of the store does not stop the study; it is reported at the end.
pub struct Kept {
    /// The open store; `None` if the study is not stored.
    pub store: Option<Store>,
    /// Number of the study; 0 if it is not stored.
    pub id: i64,
    /// Error of the store.
    pub trouble: Option<StoreFault>,
    /// Prevents other processes from resuming this study.
    _lock: Option<StudyLock>,
}

impl Kept {
    /// Returns the place of a resumed study.
    pub fn resumed(store: Store, id: i64, lock: StudyLock) -> Kept {
        Kept { store: Some(store), id, trouble: None, _lock: Some(lock) }
    }

    /// Begins `study` in the store and sets its id, unless `keep` is [`StoreChoice::No`].
    pub fn begin(keep: &StoreChoice, study: &mut Study) -> Kept {
        let begun = keep.place().and_then(|path| {
            let Some(path) = path else { return Ok(None) };
            let mut store = Store::open(path)?;
            let id = store.begin_study(study)?;
            Ok(Some((store, id)))
        });
        match begun {
            Ok(Some((store, id))) => {
                study.id = id;
                let lock = store.lock_study(id);
                Kept { store: Some(store), id, trouble: None, _lock: lock }
            }
            // Without a home directory (as on a CI runner) no default store exists, and none was requested.
            Ok(None) | Err(StoreFault::Store(StoreError::NoPlace)) => {
                Kept { store: None, id: 0, trouble: None, _lock: None }
            }
            Err(e) => Kept { store: None, id: 0, trouble: Some(e), _lock: None },
        }
    }

    /// Stores no further points after an error of the store.
    pub fn give_up(&mut self, why: StoreError) {
        self.trouble = Some(why.into());
        self.store = None;
    }
}

impl Journal for Kept {
    fn add(&mut self, point: &Point) {
        if let Some(store) = &mut self.store
            && let Err(e) = store.add_point(self.id, point)
        {
            self.give_up(e);
        }
    }
}

/// Opens the targets of a new study, or those of the stored study `resumed` if they are still the same. Returns the
/// runner and, for a new study, the description of each target.
///
/// # Errors
/// A line for the user and the exit status.
pub fn open_targets<'a>(
    lang: Lang,
    names: &[String],
    resumed: Option<&Study>,
    context: JobContext,
    watch: &'a mut dyn Progress,
) -> Result<(JobRunner<'a>, Vec<StudyTarget>), (String, i32)> {
    let Some(study) = resumed else {
        return JobRunner::open(names, context, watch).map_err(|e| (target_error(lang, &e), e.exit_code()));
    };
    match JobRunner::reopen(study, context, watch) {
        Ok(mut runner) => {
            runner.use_engine(&study.asked.engine);
            Ok((runner, Vec::new()))
        }
        Err(ReopenError::Target(e)) => Err((target_error(lang, &e), e.exit_code())),
        Err(ReopenError::Other { target, other }) => {
            Err((other_target(lang, study.id, &target, &other), job::exit_status::REFUSED))
        }
    }
}

/// Opens the unfinished study named `which` (`S12`, or `last` for the newest that is not being measured), locks and
/// reads it. Sweeps and other studies are resumed by their own commands.
///
/// # Errors
/// A line for the user.
pub fn unfinished(
    lang: Lang,
    keep: &StoreChoice,
    which: &str,
    sweeps: bool,
) -> Result<(Store, Study, StudyLock), String> {
    let wrong = |e| report::words::store::error(lang, &e);
    let path = keep.place().map_err(|e| e.words(lang))?.ok_or("--resume needs a store")?;
    let store = Store::open_existing(path).map_err(wrong)?;
    let (id, lock) = match which {
        "last" => {
            let mut ids = store.unfinished().map_err(wrong)?;
            ids.retain(|id| store.study(*id).is_ok_and(|study| study.asked.sweep.is_some() == sweeps));
            let newest = ids.first().copied().ok_or("no study is unfinished")?;
            let free = ids.into_iter().find_map(|id| Some((id, store.lock_study(id)?)));
            free.ok_or_else(|| format!("S{newest} is being measured by another process"))?
        }
        name => match name.parse::<StoredId>() {
            Ok(StoredId::Study(id)) => {
                let lock = store.lock_study(id);
                (id, lock.ok_or_else(|| format!("S{id} is being measured by another process"))?)
            }
            _ => return Err(format!("{name:?} names no study: S12, as fathom list has it")),
        },
    };
    // The study is read after it is locked, so that no other process can add points in between.
    let study = store.study(id).map_err(wrong)?;
    if study.complete {
        return Err(format!("S{id} came to its end: fathom show S{id}"));
    }
    match (study.asked.sweep.is_some(), sweeps) {
        (true, false) => Err(format!("S{id} is a sweep: fathom sweep --resume S{id}")),
        (false, true) => Err(format!("S{id} is no sweep: fathom explore --resume S{id}")),
        _ => Ok((store, study, lock)),
    }
}
