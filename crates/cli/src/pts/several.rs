//! Several devices under test at the same time: a thread per study, and the comparison at the end.

use super::{Arguments, Ended, Opened, begins_line};
use crate::output::print;
use crate::terminal;
use lab::pts::PtsWatch;
use report::Lang;
use run::{Notice, Watch};
use stats::Live;
use stats::pts::comparison::compare;
use stats::pts::{PtsOrder, PtsProgress, PtsStudy, PtsTest};
use std::sync::atomic::AtomicUsize;

/// Passes the progress of one of several devices on as lines.
pub(super) struct SideWatch<'a> {
    pub(super) lang: Lang,
    pub(super) say: &'a dyn Fn(&str),
}

impl Watch for SideWatch<'_> {
    fn notice(&mut self, _: Notice) {}
    fn look(&mut self, _: &Live) {}
}

impl PtsWatch for SideWatch<'_> {
    fn measuring(&mut self, test: PtsTest, order: &PtsOrder, progress: &PtsProgress) {
        if begins_line(order.place) {
            (self.say)(&report::pts_run::measuring(self.lang, test, order, progress));
        }
    }

    fn purging(&mut self, test: PtsTest) {
        (self.say)(&report::pts_run::purging(self.lang, test));
    }
}

/// Carries out the studies at the same time, each to its own end, and prints them and their comparison. Returns the exit
/// status of the first device that has one other than 0.
pub fn main(lang: Lang, a: &Arguments, opened: Vec<Opened>, interrupt: &AtomicUsize) -> i32 {
    let names: Vec<String> = opened.iter().map(|study| study.name.clone()).collect();
    let ended: Vec<Option<Ended>> = std::thread::scope(|scope| {
        let threads: Vec<_> = opened
            .into_iter()
            .map(|study| {
                scope.spawn(move || {
                    let device = study.name.clone();
                    let say = |what: &str| eprintln!("fathom pts: {device}: {what}");
                    study.carry_out(lang, &mut SideWatch { lang, say: &say }, interrupt)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().ok()).collect()
    });
    let mut status = 0;
    for (name, ended) in names.iter().zip(&ended) {
        if ended.is_none() {
            eprintln!("fathom pts: {}", report::pts_run::panicked(lang, name));
        }
        if status == 0 {
            status = ended.as_ref().map_or(1, |ended| ended.status);
        }
    }
    let ended: Vec<Ended> = ended.into_iter().flatten().collect();
    show(lang, a.json, &ended);
    ended.iter().for_each(|ended| ended.say_resumable(lang));
    status
}

/// Prints the studies, and the comparison of each complete one with the first.
pub(super) fn show(lang: Lang, json: bool, ended: &[Ended]) {
    let studies: Vec<&PtsStudy> = ended.iter().map(|ended| &ended.study).collect();
    if json {
        print(&report::export::json(&studies));
    } else {
        let cards = studies.iter().map(|study| report::pts_run::card(lang, study, terminal::width()));
        print(&cards.chain(comparisons(lang, ended)).collect::<Vec<_>>().join("\n"));
    }
}

/// Returns the comparisons of the complete studies, each with the first.
fn comparisons(lang: Lang, ended: &[Ended]) -> Vec<String> {
    let complete: Vec<(String, &PtsStudy)> =
        ended.iter().filter(|ended| ended.study.complete).map(|ended| (ended.name(), &ended.study)).collect();
    let Some((first, others)) = complete.split_first() else { return Vec::new() };
    let with_first = |other: &(String, &PtsStudy)| {
        let found = compare((&first.0, first.1), (&other.0, other.1), false);
        match found.is_refused() {
            true => format!("{}\n", report::pts::compare::refusal(&found, lang)),
            false => report::pts::compare::render(&found, lang, terminal::width()),
        }
    };
    others.iter().map(with_first).collect()
}
