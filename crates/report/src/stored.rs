//! What the store holds, a line each.

use crate::fit;
use stats::Listed;

/// A line for each, newest first, newline at the end; `when` words a time in milliseconds since the epoch, `all` is how
/// many there are.
pub fn render(listed: &[Listed], all: usize, when: impl Fn(u64) -> String, width: usize) -> String {
    let names: Vec<String> = listed.iter().map(|l| l.id.to_string()).collect();
    let longest = names.iter().map(String::len).max().unwrap_or(0);
    let line = |(l, name): (&Listed, &String)| {
        let grade = l.grade.map_or("-", |grade| grade.letter());
        format!("{name:<longest$}   {}   {grade}   {:<5}   {}", when(l.began_ms), l.kind.name(), words(l))
    };
    let mut lines: Vec<String> = listed.iter().zip(&names).map(line).collect();
    if let Some(more) = all.checked_sub(listed.len()).filter(|more| *more > 0) {
        lines.push(format!("... and {more} older: --limit {all}"));
    }
    if listed.is_empty() {
        lines.push("nothing is stored yet".into());
    }
    lines.iter().map(|line| fit(line.trim_end(), width) + "\n").collect()
}

fn words(l: &Listed) -> String {
    let points = match l.points {
        None => return l.title.clone(),
        Some(1) => "1 point".to_string(),
        Some(n) => format!("{n} points"),
    };
    let end = if l.complete { "" } else { ", not finished" };
    format!("{}: {points}{end}", l.title)
}

/// The same as data: one JSON document, newline at the end.
pub fn json(listed: &[Listed]) -> String {
    crate::export::json(&listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Grade, StoredId, StoredKind};

    #[test]
    fn each_has_its_line_and_what_is_left_out_is_counted() {
        let run = Listed {
            id: StoredId::Run(7),
            kind: StoredKind::Run,
            began_ms: 5,
            version: "0.1.0".into(),
            title: format!("--name=a {}", "--x ".repeat(50)),
            grade: Some(Grade::Caveats),
            points: None,
            complete: true,
        };
        let study = Listed {
            id: StoredId::Study(12),
            kind: StoredKind::Study,
            title: "/dev/sda".into(),
            grade: None,
            points: Some(3),
            complete: false,
            ..run.clone()
        };
        let text = render(&[run, study], 5, |ms| format!("at {ms}"), 80);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("R7    at 5   B   run     --name=a --x") && lines[0].ends_with('…'),
            "{text}"
        );
        assert_eq!(lines[1], "S12   at 5   -   study   /dev/sda: 3 points, not finished");
        assert_eq!(lines[2], "... and 3 older: --limit 5");
        assert!(lines.iter().all(|l| l.chars().count() <= 80), "{text}");
        assert_eq!(render(&[], 0, |_| String::new(), 80), "nothing is stored yet\n");
    }
}
