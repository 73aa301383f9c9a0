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
use std::sync::mpsc::{Receiver, channel};
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

/// The studies of all hosts. They belong to a thread of their own: while the store writes, messages of the hosts go on to be read, and
/// none of them is taken for silent.
struct Studies {
    lang: Lang,
    /// `None` if they are not stored, or no longer.
    store: Option<Store>,
    /// Names of the hosts.
    names: Vec<String>,
    /// Command line.
    command: String,
    /// Those of each host, in the order of its devices.
    of_hosts: Vec<Vec<Arrived>>,
    /// Whether an error of the store, which does not end the studies, was printed.
    failed: bool,
}

impl Studies {
    /// Receives the parts of the answers of hosts until there are no more, and returns the studies, evaluated.
    fn receive(mut self, parts: &Receiver<(usize, PtsPart)>) -> (Vec<Ended>, bool) {
        while let Ok(first) = parts.recv() {
            // What arrived while the store was writing is written at once.
            let arrived = std::iter::once(first).chain(parts.try_iter());
            self.take(arrived.collect());
        }
        let ended = self.finish();
        (ended, self.failed)
    }

    fn take(&mut self, parts: Vec<(usize, PtsPart)>) {
        let mut steps = Vec::new();
        for (host, part) in parts {
            match part {
                PtsPart::Begun(studies) => {
                    let arrived = studies.into_iter().map(|study| self.named(host, study)).collect();
                    if let Some(own) = self.of_hosts.get_mut(host) {
                        *own = arrived;
                    }
                }
                PtsPart::Step { study, point } => steps.push((host, study, *point)),
                PtsPart::Lost(loss) => {
                    let of_host = self.of_hosts.get_mut(host).into_iter().flatten();
                    of_host.for_each(|arrived| arrived.study.lost = Some(loss.clone()));
                }
            }
        }
        if steps.is_empty() {
            return;
        }
        // All hosts begin together: the studies are numbered in the order of the hosts.
        let of_hosts = &mut self.of_hosts;
        let stored = self.store.as_mut().map(|store| {
            store.together(|store| {
                begin(store, of_hosts)?;
                let id = |host: usize, study: usize| of_hosts.get(host)?.get(study)?.id;
                let numbered =
                    steps.iter().filter_map(|(host, study, point)| Some((id(*host, *study)?, point)));
                numbered.into_iter().try_for_each(|(id, point)| store.add_pts_point(id, point))
            })
        });
        for (host, study, point) in steps {
            if let Some(arrived) = self.of_hosts.get_mut(host).and_then(|own| own.get_mut(study)) {
                arrived.points.push(point);
            }
        }
        self.check(stored);
    }

    /// Returns a study with the name of its host.
    fn named(&self, host: usize, mut study: PtsStudy) -> Arrived {
        let name = self.names.get(host).cloned().unwrap_or_default();
        study.device.name = format!("{name}:{}", study.device.name);
        study.on_host = Some(name);
        study.host.command.clone_from(&self.command);
        Arrived { study, points: Vec::new(), id: None }
    }

    /// Prints an error of the store, which is not used any more.
    fn check(&mut self, stored: Option<Result<(), StoreError>>) {
        if let Some(Err(e)) = stored {
            self.store = None;
            self.failed = true;
            let why = report::words::store::error(self.lang, &e);
            eprintln!("fathom pts: {}", report::pts_run::no_longer_stored(self.lang, &why));
        }
    }

    /// Evaluates the studies and stores which of them are complete.
    fn finish(&mut self) -> Vec<Ended> {
        let mut all = Vec::new();
        for mut arrived in std::mem::take(&mut self.of_hosts).into_iter().flatten() {
            arrived.study.evaluate(&arrived.points);
            all.push(Ended { study: arrived.study, id: arrived.id, status: 0 });
        }
        let stored = self.store.as_mut().map(|store| {
            store.together(|store| {
                let numbered = all.iter().filter_map(|ended| Some((ended.id?, &ended.study)));
                numbered.into_iter().try_for_each(|(id, study)| store.finish_pts(id, study))
            })
        });
        self.check(stored);
        if self.failed {
            // The store has them in part: they are not those that are printed.
            all.iter_mut().for_each(|ended| (ended.id, ended.study.id) = (None, 0));
        }
        all
    }
}

/// Begins, in the store, the studies that have not begun there.
fn begin(store: &mut Store, of_hosts: &mut [Vec<Arrived>]) -> Result<(), StoreError> {
    for arrived in of_hosts.iter_mut().flatten().filter(|arrived| arrived.id.is_none()) {
        let id = store.begin_pts(&arrived.study)?;
        arrived.study.id = id;
        arrived.id = Some(id);
    }
    Ok(())
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
    let studies = Studies { lang, store, names, command, of_hosts, failed: false };
    let (sender, parts) = channel();
    let receiver = std::thread::spawn(move || studies.receive(&parts));
    let mut take = |host, answer| {
        if let HostAnswer::Pts(part) = answer {
            // The receiver lives until the sender is dropped.
            let _ = sender.send((host, part));
        }
    };
    let words = (&[][..], typed);
    let ran = hosts::each_answer(lang, AgentCommand::Pts, &a.hosts, words, a.dry_run, &mut take);
    for (number, host) in ran.iter().flatten().flatten().enumerate() {
        let lost = host.lost.clone().map(PtsPart::Lost);
        let _ = lost.map(|part| sender.send((number, part)));
    }
    drop(sender);
    let received = receiver.join();
    let hosts = match ran {
        Ok(Some(hosts)) => hosts,
        Ok(None) => return 0,
        Err(status) => return status,
    };
    let Ok((ended, store_failed)) = received else {
        let all: Vec<&str> = hosts.iter().map(|host| host.name.as_str()).collect();
        eprintln!("fathom pts: {}", report::pts_run::panicked(lang, &all.join(", ")));
        return 1;
    };
    several::show(lang, a.json, &ended);
    let unfinished: Vec<String> = ended.iter().filter(|one| !one.study.complete).map(Ended::name).collect();
    if !unfinished.is_empty() {
        eprintln!("fathom pts: {}", report::pts_run::not_resumable(lang, &unfinished.join(", ")));
    }
    match hosts::status(&hosts) {
        _ if signal::asked() => 128,
        0 if store_failed => output::NOT_WRITTEN,
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
