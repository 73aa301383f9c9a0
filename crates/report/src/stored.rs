//! The list of stored runs, checks and studies, one line each.

use crate::catalog::{say, word};
use crate::{Lang, columns, fit, lay, left};
use stats::answer::Answer;
use stats::{Listed, StoredId, StoredKind};
use std::path::Path;

/// Returns headings and a line for each entry, newest first, newline at the end. `when` formats a time in milliseconds
/// since 1970, `all` is the number of stored entries.
pub fn render(
    lang: Lang,
    listed: &[Listed],
    all: usize,
    when: impl Fn(u64) -> String,
    width: usize,
) -> String {
    let headings = [
        word!(lang, "stored-id"),
        word!(lang, "stored-began"),
        word!(lang, "stored-trust"),
        word!(lang, "stored-kind"),
        word!(lang, "stored-title"),
    ]
    .map(str::to_owned);
    let row = |l: &Listed| {
        let grade = l.grade.map_or("-", |grade| grade.letter()).to_owned();
        [l.id.to_string(), when(l.began_ms), grade, kind(lang, l.kind).to_owned(), words(lang, l)]
    };
    let rows: Vec<[String; 5]> = std::iter::once(headings).chain(listed.iter().map(row)).collect();
    let width_of = |at: usize| rows.iter().map(|row| columns(&row[at])).max().unwrap_or(0);
    let widths: [usize; 4] = std::array::from_fn(width_of);
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| left(cell, width) + "   ");
        cells.collect::<String>() + &row[4]
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if let Some(more) = all.checked_sub(listed.len()).filter(|more| *more > 0) {
        lines.push(say!(lang, "stored-older", more, all));
    }
    if listed.is_empty() {
        lines = vec![say!(lang, "stored-empty")];
    }
    lay(&lines.iter().map(|line| fit(line.trim_end(), width)).collect::<Vec<_>>())
}

fn words(lang: Lang, l: &Listed) -> String {
    let Some(points) = l.points else { return l.title.clone() };
    format!("{}: {}", l.title, crate::points::count(lang, points as usize, l.complete))
}

fn kind(lang: Lang, kind: StoredKind) -> &'static str {
    match kind {
        StoredKind::Run => word!(lang, "stored-run"),
        StoredKind::Check => word!(lang, "stored-check"),
        StoredKind::Study => word!(lang, "stored-study"),
        // The names of the commands are the same in every language.
        StoredKind::Fit
        | StoredKind::Explain
        | StoredKind::Cloud
        | StoredKind::Rank
        | StoredKind::Pts
        | StoredKind::Characterize
        | StoredKind::Files
        | StoredKind::Objects
        | StoredKind::Hosts => kind.name(),
    }
}

/// Returns that the rows of stored results are damaged.
pub fn damaged(lang: Lang, ids: &[StoredId]) -> String {
    let names: Vec<String> = ids.iter().map(ToString::to_string).collect();
    say!(lang, "stored-damaged", names = names.join(", "))
}

/// Returns that an answer has nothing to draw.
pub fn answer_without_charts(lang: Lang, name: &str, answer: &Answer) -> String {
    say!(lang, "stored-answer-without-charts", name, command = answer.kind().name())
}

/// Returns that results have nothing to draw.
pub fn no_charts(lang: Lang, names: &str) -> String {
    say!(lang, "stored-no-charts", names)
}

/// Returns that a file is in the place of the directory for charts.
pub fn not_a_directory(lang: Lang, path: &Path) -> String {
    say!(lang, "stored-no-directory", path = path.to_string_lossy())
}

/// Returns that an answer has no rows for CSV.
pub fn no_rows(lang: Lang, id: StoredId) -> String {
    say!(lang, "stored-no-rows", id = id.to_string())
}

/// Returns the line that reports that Iometer's results.csv has no form for the result, and which results it has one for.
pub fn not_iometer(lang: Lang, id: StoredId) -> String {
    say!(lang, "stored-not-iometer", id = id.to_string())
}

/// Returns the list as one JSON document, newline at the end.
pub fn json(listed: &[Listed]) -> String {
    crate::export::json(&listed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::{Grade, StoredId};

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
        let text = render(Lang::En, &[run, study], 5, |ms| format!("at {ms}"), 80);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with("R7    at 5    B       run     --name=a --x") && lines[1].ends_with('…'),
            "{text}"
        );
        assert_eq!(lines[0], "id    began   trust   kind    job or target");
        assert_eq!(lines[2], "S12   at 5    -       study   /dev/sda: 3 points, not finished");
        assert_eq!(lines[3], "3 older entries not shown; --limit 5 shows all");
        assert!(lines.iter().all(|l| l.chars().count() <= 80), "{text}");
        assert_eq!(render(Lang::En, &[], 0, |_| String::new(), 80), "nothing is stored yet\n");
    }
}
