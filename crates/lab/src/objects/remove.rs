//! Removal of the objects of a run, at its end or, if it was killed, before the next one.

use super::run_id::{NAME, RunId};
use super::store::{Action, Answer, LISTED, ObjectStore, StoreError, call};
use facts::SysRoot;
use std::time::Duration;

/// Starts an operation for each name, as many at once as the store has slots.
fn each(
    store: &mut dyn ObjectStore,
    names: &[String],
    action: fn(String) -> Action,
    answered: &mut dyn FnMut(usize, Result<Answer, StoreError>),
) {
    let mut free: Vec<usize> = (0..store.slots()).collect();
    let mut of_slot = vec![0; store.slots()];
    let mut next = 0;
    loop {
        while next < names.len()
            && let Some(slot) = free.pop()
        {
            of_slot[slot] = next;
            store.start(slot, action(names[next].clone()));
            next += 1;
        }
        if store.pending() == 0 {
            return;
        }
        store.wait(Duration::from_secs(1));
        while let Some((slot, result)) = store.take() {
            answered(of_slot[slot], result);
            free.push(slot);
        }
    }
}

/// Removes objects and returns how many were removed, with the first error.
fn remove(store: &mut dyn ObjectStore, names: &[String]) -> (u64, Option<StoreError>) {
    let (mut removed, mut first) = (0, None);
    each(store, names, Action::Delete, &mut |_, result| match result {
        Ok(_) => removed += 1,
        // Another start of fathom may have removed it meanwhile.
        Err(error) if error.missing => {}
        Err(error) => drop(first.get_or_insert(error)),
    });
    (removed, first)
}

/// Removes all objects and unfinished uploads below `keys`, which is the beginning of the names of this run; returns how
/// many objects, and why some could not be removed.
pub(super) fn own(store: &mut dyn ObjectStore, keys: &str) -> (u64, Option<StoreError>) {
    let uploads = store.remove_uploads(keys, &|_| true).err();
    let mut removed = 0;
    // A request that failed may have written its object all the same, so that the server is asked what there is.
    loop {
        let names = match call(store, Action::List { prefix: keys.into(), most: LISTED, after: None }) {
            Ok(answer) => answer.names,
            Err(error) => return (removed, Some(error)),
        };
        if names.is_empty() {
            return (removed, uploads);
        }
        let (now, error) = remove(store, &names);
        removed += now;
        if error.is_some() {
            return (removed, error);
        }
    }
}

/// Removes the objects and unfinished uploads of runs whose processes have ended and returns how many. An object is
/// removed only if it carries the run of its name; uploads carry nothing, and are removed by their name.
///
/// # Errors
/// The server refuses a list or a removal.
pub(super) fn leftovers(
    store: &mut dyn ObjectStore,
    prefix: &str,
    root: &SysRoot,
) -> Result<u64, StoreError> {
    let below = format!("{prefix}{NAME}");
    let of_ended = |key: &str| RunId::of_key(key, prefix).is_some_and(|run| run.ended(root));
    let (mut removed, mut after) = (store.remove_uploads(&below, &of_ended)?, None);
    loop {
        let page = call(store, Action::List { prefix: below.clone(), most: LISTED, after })?;
        let names: Vec<String> = page.names.into_iter().filter(|key| of_ended(key)).collect();
        let mut own = vec![false; names.len()];
        let mut failed = None;
        each(store, &names, Action::Run, &mut |at, result| match result {
            Ok(answer) => {
                let run = RunId::of_key(&names[at], prefix).map(|run| run.to_string());
                own[at] = run.is_some() && answer.run == run;
            }
            Err(error) if error.missing => {}
            Err(error) => drop(failed.get_or_insert(error)),
        });
        let names: Vec<String> =
            names.into_iter().zip(own).filter(|(_, own)| *own).map(|(name, _)| name).collect();
        let (now, error) = remove(store, &names);
        removed += now;
        if let Some(error) = failed.or(error) {
            return Err(error);
        }
        after = page.continuation;
        if after.is_none() {
            return Ok(removed);
        }
    }
}
