//! The card of the twenty-second check: some fifteen lines that a person reads in ten seconds.

use crate::card::stack;
use crate::scale::{bytes, megabytes, short, time};
use crate::{fit, fit_end, layers, prose};
use stats::{Direction, Grade, QuickCard, QuickRow, QuickTarget};

/// Most lines of a card.
const LINES: usize = 15;

/// At most fifteen lines of `width` columns (100 are enough), newline at the end.
pub fn render(card: &QuickCard, width: usize) -> String {
    let mut lines = vec![title(card, width)];
    lines.extend(if card.rows.is_empty() { vec!["nothing was measured".to_string()] } else { table(card) });
    lines.extend(tail(card, LINES.saturating_sub(lines.len()), width));
    lines.iter().take(LINES).map(|l| fit(l.trim_end(), width) + "\n").collect()
}

/// The same as data: one JSON document, newline at the end.
pub fn json(card: &QuickCard) -> String {
    let mut text = serde_json::to_string_pretty(card).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

fn title(card: &QuickCard, width: usize) -> String {
    let what = match card.kind {
        QuickTarget::ScratchFile => format!("scratch file of {}, gone now", bytes(card.size)),
        QuickTarget::File => format!("file of {}, only read", bytes(card.size)),
        QuickTarget::Device => format!("device of {}, only read", bytes(card.size)),
    };
    let rest = format!("   {what}   {}   {:.0} s", stack(&card.stack), card.seconds);
    let room = width.saturating_sub(rest.chars().count()).max(24);
    format!("{}{rest}", fit_end(&card.target, room))
}

/// Columns of one direction: IOPS, MB/s, p50, p99, in flight.
const COLUMNS: [(&str, usize); 5] = [("IOPS", 7), ("MB/s", 6), ("p50", 8), ("p99", 8), ("depth", 6)];
const BLOCK: usize = 7 + 6 + 8 + 8 + 6;

/// One line per pattern and depth, reads on the left and writes on the right.
fn table(card: &QuickCard) -> Vec<String> {
    let has = |d: Direction| card.rows.iter().any(|r| r.direction == d);
    let directions: Vec<Direction> =
        [Direction::Read, Direction::Write].into_iter().filter(|d| has(*d)).collect();
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for row in &card.rows {
        if !keys.contains(&(&row.pattern, row.depth)) {
            keys.push((&row.pattern, row.depth));
        }
    }
    let first = keys.iter().map(|(p, _)| p.chars().count()).max().unwrap_or(0).max(7);
    let title = |d: &Direction| format!("   {:-^BLOCK$}", format!(" {} ", d.name()));
    let heads = || COLUMNS.iter().map(|(name, w)| format!("{name:>w$}")).collect::<String>();
    let mut lines = vec![
        format!("{:first$}      {}", "", directions.iter().map(title).collect::<String>()),
        format!(
            "{:first$} depth{}",
            "pattern",
            directions.iter().map(|_| format!("   {}", heads())).collect::<String>()
        ),
    ];
    for (pattern, depth) in keys {
        let find = |d: &Direction| {
            card.rows.iter().find(|r| r.pattern == pattern && r.depth == depth && r.direction == *d)
        };
        let blocks: String =
            directions.iter().map(|d| format!("   {}", find(d).map_or(" ".repeat(BLOCK), block))).collect();
        lines.push(format!("{pattern:first$} {depth:>5}{blocks}"));
    }
    lines
}

fn block(row: &QuickRow) -> String {
    if let Some(error) = &row.error {
        return format!("{:BLOCK$}", fit(&format!("  failed: {error}"), BLOCK));
    }
    let quantile = |ns: Option<u64>| ns.map_or("-".to_string(), |ns| time(ns as f64));
    let figures = [
        short(row.iops),
        megabytes(row.bytes_per_second),
        quantile(row.p50_ns),
        quantile(row.p99_ns),
        format!("{:.1}", row.depth_reached),
    ];
    figures.iter().zip(COLUMNS).map(|(figure, (_, w))| format!("{figure:>w$}")).collect()
}

/// What stands below the table, `room` lines of it: layers, dependent reads, what is not said and the grade always; caveats as
/// there is room.
fn tail(card: &QuickCard, room: usize, width: usize) -> Vec<String> {
    // Depth over all patterns together means nothing: the table has it by pattern.
    let seen = layers::chains(&card.layers).into_iter().chain([layers::facts(&card.layers, false)]);
    let mut lines: Vec<String> = Vec::new();
    for text in seen {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 2 + text.chars().count() <= width => {
                line.push_str(&format!("; {text}"))
            }
            Some(_) => lines.push(format!("          {text}")),
            None => lines.push(format!("layers    {text}")),
        }
    }
    let grade = card.grade();
    let mut caveats: Vec<String> = Vec::new();
    let spoils = card.findings.iter().filter(|f| f.claim.grade() > Grade::Trusted);
    caveats.extend(spoils.map(|f| format!("{} {}", f.claim.grade().letter(), prose::words(&f.claim).0)));
    caveats.extend(card.caveats.iter().cloned());
    let mut last = Vec::new();
    if let Some(s) = card.dependent_reads_s(1000) {
        last.push(format!("so        1000 dependent reads take {}", seconds(s)));
    }
    if !card.not_said.is_empty() {
        let text = card.not_said.join("; ");
        let said = format!(";  not said: {text}");
        let fits = |so: &String| so.chars().count() + said.chars().count() <= width;
        match last.last_mut().filter(|so| !caveats.is_empty() && fits(so)) {
            Some(so) => so.push_str(&said),
            None => last.push(format!("not said  {text}")),
        }
    }
    lines.extend(last);
    lines.push(format!("believe   {}: {}", grade.letter(), prose::grade(grade)));
    let free = room.saturating_sub(lines.len());
    let hidden = caveats.len().saturating_sub(free);
    lines.extend(caveats.iter().take(free).map(|c| format!("but       {c}")));
    if let Some(line) = lines.last_mut().filter(|_| hidden > 0) {
        let more = format!(" (and {hidden} more: --json)");
        *line = fit(line, width.saturating_sub(more.len())) + &more;
    }
    lines
}

fn seconds(s: f64) -> String {
    if s < 10.0 { format!("{s:.2} s") } else { format!("{s:.0} s") }
}
