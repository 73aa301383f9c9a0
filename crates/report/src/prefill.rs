//! What `fathom prefill` says, and what it asks.

use crate::card::stack;
use crate::scale::{bytes, megabytes, percent};
use crate::{fit, fit_end, wrap};
use stats::{Prefill, PrefillEnd, PrefillTarget, Unfilled};

/// Lines of at most `width` columns, newline at the end.
pub fn render(p: &Prefill, width: usize) -> String {
    let what = match p.kind {
        PrefillTarget::File => "file",
        PrefillTarget::ScratchFile => "scratch file",
        PrefillTarget::Device => "device",
    };
    let part = if p.length == p.size {
        String::new()
    } else {
        format!(", {} of it from {}", bytes(p.length), bytes(p.offset))
    };
    let rest = format!("   {what} of {}{part}   {}", bytes(p.size), stack(&p.stack));
    let room = width.saturating_sub(rest.chars().count()).max(24);
    let mut lines = vec![format!("{}{rest}", fit_end(&p.target, room))];
    lines.extend(wrap("found     ", &[found(p)], width));
    lines.extend(wrap("filled    ", &filled(p), width));
    lines.extend(p.notes.iter().flat_map(|note| wrap("but       ", std::slice::from_ref(note), width)));
    lines.iter().map(|line| fit(line.trim_end(), width) + "\n").collect()
}

/// The same as data: one JSON document, newline at the end.
pub fn json(p: &Prefill) -> String {
    let mut text = serde_json::to_string_pretty(p).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// What is asked before a file of the user's is filled; the last line waits for the answer.
pub fn question(p: &Prefill) -> String {
    format!(
        "{} of {} was never written ({}): reads there never reach the disk.\n\
         Filling writes {} of noise where zeros are read now ({}). Fill it? [y/N] ",
        percent(p.percent()),
        p.target,
        words(&p.found),
        bytes(p.to_write),
        seconds(p.to_write),
    )
}

/// What is asked before a read test of files that are not all there; the line waits for the answer.
pub fn question_before(share: f64, of: &str, missing: u64) -> String {
    format!(
        "{}; those reads never touch the disk.\nFill it now with noise, where zeros are read now ({}, {})? [y/N] ",
        never_written(share, of),
        bytes(missing),
        seconds(missing),
    )
}

/// The same where nobody can be asked: a sentence with the command.
pub fn advice(share: f64, of: &str) -> String {
    format!("{}; those reads never touch the disk; to fill it: fathom prefill {of}", never_written(share, of))
}

/// What was done before a run.
pub fn filled_before(p: &Prefill) -> String {
    let share = percent(p.percent());
    format!("{} of {} ({share}) was never written and was filled before this run", bytes(p.written), p.target)
}

fn never_written(share: f64, of: &str) -> String {
    format!("{} of {of} was never written", percent(share))
}

/// Nobody knows before how fast it will be.
fn seconds(n: u64) -> String {
    format!("{:.0} s at 500 MB/s", (n as f64 / 500e6).max(1.0))
}

fn words(u: &Unfilled) -> String {
    let parts =
        [(u.holes, "in holes"), (u.unwritten, "reserved and unwritten"), (u.zeros, "written as zeros")];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", bytes(*n))).collect();
    parts.join(", ")
}

fn found(p: &Prefill) -> String {
    let sampled = format!("{} of {} blocks looked at hold only zeros", p.zero_blocks, p.sampled_blocks);
    if p.kind == PrefillTarget::Device {
        return sampled;
    }
    if p.found.total() == 0 {
        return format!("nothing that was never written; {sampled}");
    }
    let of = if p.pieces == 1 { "1 piece".to_string() } else { format!("{} pieces", p.pieces) };
    format!("{} never written: {}; {of}", percent(p.percent()), words(&p.found).replace(", ", "; "))
}

fn filled(p: &Prefill) -> Vec<String> {
    let mut parts = vec![match p.end {
        PrefillEnd::Whole => "nothing: there is data everywhere".to_string(),
        PrefillEnd::FilledBefore => "nothing: fathom has filled it before".to_string(),
        PrefillEnd::Declined => "nothing: you said no".to_string(),
        PrefillEnd::Interrupted => {
            format!("{} of {}, ended by a signal, not remembered", bytes(p.written), bytes(p.to_write))
        }
        PrefillEnd::Filled => {
            let rate = p.bytes_per_second().map_or(String::new(), |r| format!(", {} MB/s", megabytes(r)));
            format!("{} of noise in {:.1} s{rate}", bytes(p.written), p.seconds)
        }
    }];
    if p.written > 0 && !p.direct {
        parts.push("through the page cache".to_string());
    }
    parts.extend(p.remembered_in.iter().map(|place| format!("remembered: {place}")));
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
            remembered_in: Some(format!("/{}", "state/".repeat(30))),
            notes: vec!["a note ".repeat(30)],
            ..Prefill::default()
        };
        let text = render(&p, 100);
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
        for part in [
            "6.0 % never written",
            "1.05 MB in holes",
            "2.10 MB reserved",
            "3.15 MB written as zeros",
            "12.6 MB/s",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        p.end = PrefillEnd::Interrupted;
        assert!(render(&p, 100).contains("not remembered"));
        assert!(question(&p).ends_with("[y/N] "));
    }
}
