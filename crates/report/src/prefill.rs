//! Output of `fathom prefill`, and the questions for consent before data is written.

use crate::catalog::{say, word};
use crate::scale::{bytes, megabytes, percent};
use crate::terms::stack;
use crate::words::lab::{prefill_error, prefill_note, recorded_in};
use crate::{Lang, columns, export, fill, fit_end, lay, left, prose_width, wrap};
use lab::prefill::PrefillError;
use stats::{Prefill, PrefillEnd, PrefillNote, PrefillTarget, RecordedIn, Unfilled};

/// Returns the result in lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, p: &Prefill, width: usize) -> String {
    let size = bytes(p.size);
    let what = match p.kind {
        PrefillTarget::File => say!(lang, "prefill-file", size),
        PrefillTarget::ScratchFile => say!(lang, "prefill-scratch-file", size),
        PrefillTarget::Device => say!(lang, "prefill-device", size),
    };
    let what = if p.length == p.size {
        what
    } else {
        let (length, offset) = (bytes(p.length), bytes(p.offset));
        say!(lang, "prefill-part-of", what, length, offset)
    };
    let rest = format!("   {what}   {}", stack(lang, &p.stack));
    let room = width.saturating_sub(columns(&rest)).max(24);
    let width = prose_width(width);
    let mut lines = fill("", &format!("{}{rest}", fit_end(&p.target, room)), width);
    let label = |word: &str| left(word, if lang == Lang::Ru { 12 } else { 10 });
    lines.extend(wrap(&label(word!(lang, "prefill-found")), &[found(lang, p)], width));
    lines.extend(wrap(&label(word!(lang, "prefill-filled")), &filled(lang, p), width));
    let remark = label(word!(lang, "prefill-note"));
    lines.extend(p.notes.iter().flat_map(|note| wrap(&remark, &[prefill_note(lang, note)], width)));
    lay(&lines)
}

/// Returns the result as one JSON document with English notes, newline at the end.
pub fn json(p: &Prefill) -> String {
    let mut p = p.clone();
    for note in &mut p.notes {
        *note = PrefillNote::Text(prefill_note(Lang::En, note));
    }
    p.remembered_in = p.remembered_in.map(|place| RecordedIn::Text(recorded_in(Lang::En, &place)));
    export::json(&p)
}

/// Returns the question before a user's file is filled; the answer follows on the last line.
pub fn question(lang: Lang, p: &Prefill) -> String {
    let (share, target, parts) = (percent(p.percent()), &p.target, words(lang, &p.found));
    let (noise, takes) = (bytes(p.to_write), seconds(lang, p.to_write));
    say!(lang, "prefill-question", share, target, parts, noise, takes)
}

/// Returns the question before a read test of files with unwritten ranges; the answer follows on the last line.
pub fn question_before(lang: Lang, share: f64, of: &str, missing: u64) -> String {
    let (share, noise, takes) = (percent(share), bytes(missing), seconds(lang, missing));
    say!(lang, "prefill-question-before-read", share, of, noise, takes)
}

/// Returns the name of several files for this question.
pub fn several(lang: Lang, files: usize, first: &str) -> String {
    say!(lang, "prefill-files", files, first)
}

/// Returns the advice if no question can be asked: a note with the command, in English because notes are data.
pub fn advice(share: f64, of: &str) -> String {
    format!("{}; those reads never touch the disk; to fill it: fathom prefill {of}", never_written(share, of))
}

/// Returns the note that a file was not filled before the run, with the reason.
pub fn not_filled(error: &PrefillError) -> String {
    format!("not filled before the run: {}", prefill_error(Lang::En, error))
}

/// Returns the note that a file was filled before the run.
pub fn filled_before(p: &Prefill) -> String {
    let share = percent(p.percent());
    format!("{} of {} ({share}) was never written and was filled before this run", bytes(p.written), p.target)
}

fn never_written(share: f64, of: &str) -> String {
    format!("{} of {of} was never written", percent(share))
}

/// Returns the expected duration at an assumed rate, because the real rate is not known in advance.
fn seconds(lang: Lang, n: u64) -> String {
    let takes = (n as f64 / 500e6).max(1.0);
    say!(lang, "prefill-duration", takes = format!("{takes:.0}"))
}

fn words(lang: Lang, u: &Unfilled) -> String {
    let [holes, unwritten, zeros] = [u.holes, u.unwritten, u.zeros].map(bytes);
    let parts = [
        (u.holes, say!(lang, "prefill-holes", holes)),
        (u.unwritten, say!(lang, "prefill-unwritten", unwritten)),
        (u.zeros, say!(lang, "prefill-zeros", zeros)),
    ];
    parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

fn found(lang: Lang, p: &Prefill) -> String {
    let (zero, of) = (p.zero_blocks, p.sampled_blocks);
    let sampled = say!(lang, "prefill-sampled", zero, of);
    if p.kind == PrefillTarget::Device {
        return sampled;
    }
    if p.found.total() == 0 {
        return say!(lang, "prefill-all-written", sampled);
    }
    let pieces = p.pieces;
    let (share, parts) = (percent(p.percent()), words(lang, &p.found).replace(", ", "; "));
    say!(lang, "prefill-never-written", share, parts, pieces)
}

fn filled(lang: Lang, p: &Prefill) -> Vec<String> {
    let (written, asked, took) = (bytes(p.written), bytes(p.to_write), p.seconds);
    let mut parts = vec![match p.end {
        PrefillEnd::Whole => say!(lang, "prefill-nothing-to-fill"),
        PrefillEnd::FilledBefore => say!(lang, "prefill-already-filled"),
        PrefillEnd::Declined => say!(lang, "prefill-declined"),
        PrefillEnd::Interrupted => say!(lang, "prefill-interrupted", written, asked),
        PrefillEnd::Filled => {
            let took = format!("{took:.1}");
            match p.bytes_per_second().map(megabytes) {
                Some(rate) => say!(lang, "prefill-filled-at", written, took, rate),
                None => say!(lang, "prefill-filled-in", written, took),
            }
        }
    }];
    if p.written > 0 && !p.direct {
        parts.push(say!(lang, "prefill-through-page-cache"));
    }
    parts.extend(p.remembered_in.iter().map(|place| {
        let place = recorded_in(lang, place);
        say!(lang, "prefill-recorded-in", place)
    }));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_the_width_and_say_what_is_missing() {
        let mut p = Prefill {
            target: format!("/{}", "long/".repeat(40)),
            stack: vec!["ext4".into(), "loop0 (loop)".into()],
            size: 100 << 20,
            length: 100 << 20,
            found: Unfilled { holes: 1 << 20, unwritten: 2 << 20, zeros: 3 << 20 },
            to_write: 6 << 20,
            pieces: 3,
            end: PrefillEnd::Filled,
            written: 6 << 20,
            seconds: 0.5,
            remembered_in: Some(RecordedIn::Text(format!("/{}", "state/".repeat(30)))),
            notes: vec![PrefillNote::Text("a note ".repeat(30))],
            ..Prefill::default()
        };
        let text = render(Lang::En, &p, 100);
        // Paths are not broken, so that they can be copied.
        let fits = |l: &str| l.chars().count() <= 100 || l.split_whitespace().count() == 1;
        assert!(text.lines().all(fits), "{text}");
        for part in [
            "6.0 % never written",
            "1.05 MB in holes",
            "2.10 MB in unwritten extents",
            "3.15 MB written as zeros",
            "12.6 MB/s",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        p.end = PrefillEnd::Interrupted;
        assert!(render(Lang::En, &p, 100).contains("not remembered"));
        assert!(question(Lang::En, &p).ends_with("[y/N] "));
    }
}
