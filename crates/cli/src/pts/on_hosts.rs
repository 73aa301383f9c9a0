//! `fathom pts --hosts`: each host tests its own devices, and the coordinator stores and prints the studies of all.

use super::{
    Arguments, Ended, Source, asked, claim_all, job_context, new_study, several, tests_and_devices, usage,
};
use crate::live::restore_kernel_settings;
use crate::stored::title;
use crate::{hosts, signal};
use ::hosts::{AgentCommand, AgentOutcome, AgentSide, HostPlace, Refused, WrittenTarget};
use facts::SysRoot;
use job::host_share::HostShare;
use lab::pts::error::PtsError;
use lab::pts::several::shared;
use lab::pts::{PtsBench, PtsJournal};
use lab::target::MODEL;
use report::Lang;
use run::{StartGate, output};
use stats::host_answer::{HostAnswer, PtsPart};
use stats::pts::{PtsPoint, PtsStudy};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use store::{Store, StoreError};

/// Sends the steps of a study to the coordinator, which stores them.
struct HostJournal<'a> {
    side: &'a AgentSide,
    /// Number of the study among those of this host.
    study: usize,
}

impl PtsJournal for HostJournal<'_> {
    fn add(&mut self, point: &PtsPoint) -> bool {
        let point = Box::new(point.clone());
        self.side.answer(HostAnswer::Pts(PtsPart::Step { study: self.study, point }));
        true
    }
}

/// Returns the names of a device by which the hosts agree on it: those of a partition, and of its disk. Partitions of one disk are
/// refused as those of one machine are.
fn with_disks(mut names: Vec<String>) -> Vec<String> {
    let disk = |name: &String| Some(name.rsplit_once(":part")?.0.to_owned());
    let disks: Vec<String> = names.iter().filter_map(disk).collect();
    names.extend(disks);
    names
}

/// Tests the devices of this host, together with other hosts; steps, and lines for the user, go to the coordinator as they come.
/// Returns the exit status, or the reason not to begin and its status.
pub fn on_this_host(
    lang: Lang,
    a: &Arguments,
    side: &Arc<AgentSide>,
    interrupt: &Arc<AtomicUsize>,
) -> Result<AgentOutcome, Refused> {
    let failed = |e: PtsError| (report::pts_run::error(lang, &e), e.exit_code());
    let (tests, devices) = tests_and_devices(&a.words).map_err(|why| (why, 2))?;
    let root = SysRoot::machine();
    let shared = shared(&devices, &root).map_err(failed)?;
    shared.iter().filter_map(|one| report::pts_run::shared(lang, one)).for_each(|line| side.say(&line));
    restore_kernel_settings(lang);
    let context = job_context(a, interrupt.clone());
    let work: Vec<(Source, String)> =
        devices.iter().map(|name| (Source::New(asked(a, tests.clone())), name.clone())).collect();
    let claimed = claim_all(a, &work, &context).map_err(failed)?;
    let real = devices.iter().filter(|name| !name.starts_with(MODEL));
    let written = |name: &String| WrittenTarget {
        path: name.clone(),
        names: with_disks(facts::shared_name::of(&root, Path::new(name))),
    };
    side.will_write(real.map(written).collect());
    // The devices stay claimed while the other hosts check theirs.
    if !side.checked() {
        return Err((report::hosts::refused(lang), 1));
    }
    let mut benches = Vec::new();
    let mut studies = Vec::new();
    for ((bench, device), name) in claimed.into_iter().zip(&devices) {
        let study = new_study(asked(a, tests.clone()), name, &bench, device);
        let wear = super::planned_wear(&study, name, &root);
        wear.iter().for_each(|wear| side.say(&report::words::wear::planned(lang, wear)));
        benches.push(bench);
        studies.push(study);
    }
    side.answer(HostAnswer::Pts(PtsPart::Begun(studies.clone())));
    // Stopped before the common start, the studies have no step.
    if side.reached(0) {
        side.prepared(0);
        side.wait(0);
    }
    let statuses: Vec<i32> = std::thread::scope(|scope| {
        let threads: Vec<_> = benches
            .into_iter()
            .zip(studies)
            .enumerate()
            .map(|(number, (bench, study))| {
                scope.spawn(move || carry_out(lang, bench, &study, number, side, interrupt))
            })
            .collect();
        let ended = threads.into_iter().zip(&devices).map(|(thread, name)| {
            thread.join().unwrap_or_else(|_| {
                side.say(&report::pts_run::panicked(lang, name));
                1
            })
        });
        ended.collect()
    });
    let status = statuses.into_iter().find(|status| *status != 0).unwrap_or(0);
    Ok(AgentOutcome::ended(status, interrupt.load(Relaxed)))
}

/// Carries out a study of this host, restores the settings of its device, and returns the exit status.
fn carry_out(
    lang: Lang,
    mut bench: PtsBench,
    study: &PtsStudy,
    number: usize,
    side: &AgentSide,
    interrupt: &AtomicUsize,
) -> i32 {
    let say = |line: &str| side.say(&format!("{}: {line}", study.device.name));
    let mut watch = several::SideWatch { lang, say: &say };
    let mut journal = HostJournal { side, study: number };
    let done = bench.run(&study.asked, &study.device, &mut Vec::new(), &mut journal, &mut watch);
    bench.restore_settings().iter().for_each(|fact| say(&report::words::note::note(lang, fact)));
    match done {
        Err(e) => {
            side.say(&report::pts_run::error(lang, &e));
            e.exit_code()
        }
        Ok(()) if interrupt.load(Relaxed) != 0 => 128,
        Ok(()) => 0,
    }
}

/// A study of a host, as far as its steps have arrived. It needs no lock in the store: nothing resumes it.
struct Arrived {
    study: PtsStudy,
    points: Vec<PtsPoint>,
    /// Number in the store; `None` if it is not stored.
    id: Option<i64>,
}

/// The studies of all hosts.
struct Studies {
    /// `None` if they are not stored, or no longer.
    store: Option<Store>,
    /// Names of the hosts.
    names: Vec<String>,
    /// Command line.
    command: String,
    /// Those of each host, in the order of its devices.
    of_hosts: Vec<Vec<Arrived>>,
    /// Error of the store, which does not end the studies.
    trouble: Option<StoreError>,
}

impl Studies {
    /// Receives a part of the answer of a host.
    fn take(&mut self, host: usize, part: PtsPart) {
        match part {
            PtsPart::Begun(studies) => {
                let arrived = studies.into_iter().map(|study| self.named(host, study)).collect();
                if let Some(own) = self.of_hosts.get_mut(host) {
                    *own = arrived;
                }
            }
            PtsPart::Step { study, point } => {
                // All hosts begin together: the studies are numbered in the order of the hosts.
                self.begin();
                let of_host = self.of_hosts.get_mut(host);
                let Some(arrived) = of_host.and_then(|of_host| of_host.get_mut(study)) else { return };
                let stored = match (&mut self.store, arrived.id) {
                    (Some(store), Some(id)) => store.add_pts_point(id, &point),
                    _ => Ok(()),
                };
                arrived.points.push(*point);
                if let Err(e) = stored {
                    self.give_up(e);
                }
            }
        }
    }

    /// Returns a study with the name of its host.
    fn named(&self, host: usize, mut study: PtsStudy) -> Arrived {
        let name = self.names.get(host).cloned().unwrap_or_default();
        study.device.name = format!("{name}:{}", study.device.name);
        study.on_host = Some(name);
        study.host.command.clone_from(&self.command);
        Arrived { study, points: Vec::new(), id: None }
    }

    /// Begins, in the store, the studies that have not begun there.
    fn begin(&mut self) {
        let Some(store) = &mut self.store else { return };
        for arrived in self.of_hosts.iter_mut().flatten().filter(|arrived| arrived.id.is_none()) {
            match store.begin_pts(&arrived.study) {
                Ok(id) => {
                    arrived.study.id = id;
                    arrived.id = Some(id);
                }
                Err(e) => return self.give_up(e),
            }
        }
    }

    fn give_up(&mut self, error: StoreError) {
        self.store = None;
        self.trouble = Some(error);
    }

    /// Evaluates the studies and stores which of them are complete.
    fn finish(&mut self) -> Vec<Ended> {
        let mut all = Vec::new();
        for mut arrived in std::mem::take(&mut self.of_hosts).into_iter().flatten() {
            arrived.study.evaluate(&arrived.points);
            if let (Some(store), Some(id)) = (&mut self.store, arrived.id)
                && let Err(e) = store.finish_pts(id, &arrived.study)
            {
                self.give_up(e);
            }
            all.push(Ended { study: arrived.study, id: arrived.id, status: 0 });
        }
        if self.trouble.is_some() {
            // The store has them in part: they are not those that are printed.
            all.iter_mut().for_each(|ended| (ended.id, ended.study.id) = (None, 0));
        }
        all
    }
}

fn not_stored(lang: Lang, error: &StoreError) -> String {
    report::pts_run::no_longer_stored(lang, &report::words::store::error(lang, error))
}

/// Tests the devices of several hosts and returns the exit status; `typed` are the words of the command line.
pub fn main(lang: Lang, a: &Arguments, typed: &[OsString]) -> i32 {
    let unfit = [("--resume", a.resume.is_some()), ("--live", a.view.live)];
    if let Some((switch, _)) = unfit.iter().find(|(_, given)| *given) {
        return usage(&report::hosts::not_with_hosts(lang, switch));
    }
    // Refused before a store is made.
    if a.hosts.share != HostShare::Own {
        return usage(&report::hosts::no_share(lang));
    }
    let names = match a.hosts.names(lang) {
        Ok(names) => names,
        Err(why) => return usage(&why),
    };
    // The hosts would refuse the same words, each for itself.
    let first = HostPlace { name: names[0].clone(), number: 0, hosts: names.len() as u32 };
    let words: Vec<String> = a.words.iter().map(|word| first.fill(word)).collect();
    if let Err(why) = tests_and_devices(&words) {
        return usage(&why);
    }
    let keep = a.keep.choice();
    if let Err((line, status)) = keep.may_be_written(lang) {
        eprintln!("fathom pts: {line}");
        return status;
    }
    // Hours of work must not be lost because of a store that cannot be opened.
    let opened = match a.dry_run {
        true => Ok(None),
        false => keep.place().and_then(|path| Ok(path.map(Store::open).transpose()?)),
    };
    let store = match opened {
        Ok(store) => store,
        Err(e) => {
            eprintln!("fathom pts: {}", e.words(lang));
            return output::NOT_WRITTEN;
        }
    };
    let command = format!("fathom pts {}", title(typed));
    let of_hosts = names.iter().map(|_| Vec::new()).collect();
    let mut studies = Studies { store, names, command, of_hosts, trouble: None };
    let mut take = |host, answer| {
        let HostAnswer::Pts(part) = answer else { return None };
        let before = studies.trouble.is_some();
        studies.take(host, part);
        let trouble = studies.trouble.as_ref().filter(|_| !before);
        trouble.map(|e| not_stored(lang, e))
    };
    let words = (&[][..], typed);
    let ran = hosts::each_answer(lang, AgentCommand::Pts, &a.hosts, words, a.dry_run, &mut take);
    let hosts = match ran {
        Ok(Some(hosts)) => hosts,
        Ok(None) => return 0,
        Err(status) => return status,
    };
    let before = studies.trouble.is_some();
    let ended = studies.finish();
    if let Some(e) = studies.trouble.as_ref().filter(|_| !before) {
        eprintln!("fathom pts: {}", not_stored(lang, e));
    }
    several::show(lang, a.json, &ended);
    let unfinished: Vec<String> = ended.iter().filter(|one| !one.study.complete).map(Ended::name).collect();
    if !unfinished.is_empty() {
        eprintln!("fathom pts: {}", report::pts_run::not_resumable(lang, &unfinished.join(", ")));
    }
    match hosts::status(&hosts) {
        _ if signal::asked() => 128,
        0 if studies.trouble.is_some() => output::NOT_WRITTEN,
        status => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partition_has_the_name_of_its_disk_as_well() {
        let of = |names: &[&str]| with_disks(names.iter().map(|name| (*name).to_owned()).collect());
        assert_eq!(of(&["boot:x:1:0", "naa.5:part2@4096"]), ["boot:x:1:0", "naa.5:part2@4096", "naa.5"]);
        assert_eq!(of(&["boot:x:1:0", "naa.5"]), ["boot:x:1:0", "naa.5"]);
    }
}
