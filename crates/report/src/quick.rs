//! The card of the twenty-second check: some fifteen lines that a person reads in ten seconds.

use crate::card::{direction, stack};
use crate::lang::{say, word};
use crate::scale::{bytes, megabytes, short, time};
use crate::{Lang, columns, fit, fit_end, layers, left, prose, right, ruled};
use stats::{Direction, Grade, QuickCard, QuickRow, QuickTarget, Unsaid};

/// Most lines of a card.
const LINES: usize = 15;

/// At most fifteen lines of `width` columns (100 are enough), newline at the end.
pub fn render(lang: Lang, card: &QuickCard, width: usize) -> String {
    let mut lines = vec![title(lang, card, width)];
    if card.rows.is_empty() {
        lines.push(
            say!(lang; "nothing was measured", "什么都没有测", "ничего не измерено", "nichts wurde gemessen"),
        );
    } else {
        lines.extend(table(lang, card));
    }
    lines.extend(tail(lang, card, LINES.saturating_sub(lines.len()), width));
    lines.iter().take(LINES).map(|l| fit(l.trim_end(), width) + "\n").collect()
}

/// The same as data: one JSON document, newline at the end.
pub fn json(card: &QuickCard) -> String {
    let mut text = serde_json::to_string_pretty(card).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

fn title(lang: Lang, card: &QuickCard, width: usize) -> String {
    let size = bytes(card.size);
    let what = match card.kind {
        QuickTarget::ScratchFile => say!(lang; "scratch file of {size}, gone now", "临时文件 {size}，已删除",
            "временный файл в {size}, уже удалён", "Testdatei von {size}, wieder gelöscht"),
        QuickTarget::File => {
            say!(lang; "file of {size}, only read", "文件 {size}，只读未写", "файл в {size}, только чтение",
            "Datei von {size}, nur gelesen")
        }
        QuickTarget::Device => say!(lang; "device of {size}, only read", "设备 {size}，只读未写",
            "устройство в {size}, только чтение", "Gerät von {size}, nur gelesen"),
    };
    let rest = format!("   {what}   {}   {:.0} s", stack(lang, &card.stack), card.seconds);
    let room = width.saturating_sub(columns(&rest)).max(24);
    format!("{}{rest}", fit_end(&card.target, room))
}

/// `4k random`.
pub fn pattern(lang: Lang, name: &str) -> String {
    let part = |word: &str| match word {
        "random" => word!(lang; "random", "随机", "вразброс", "zufällig").to_string(),
        "sequential" => word!(lang; "sequential", "顺序", "подряд", "sequenziell").to_string(),
        other => other.to_string(),
    };
    name.split(' ').map(part).collect::<Vec<_>>().join(" ")
}

/// Columns of one direction: IOPS, MB/s, p50, p99, in flight.
const WIDTHS: [usize; 5] = [7, 6, 8, 8, 6];
const BLOCK: usize = 7 + 6 + 8 + 8 + 6;

/// One line per pattern and depth, reads on the left and writes on the right.
fn table(lang: Lang, card: &QuickCard) -> Vec<String> {
    let has = |d: Direction| card.rows.iter().any(|r| r.direction == d);
    let directions: Vec<Direction> =
        [Direction::Read, Direction::Write].into_iter().filter(|d| has(*d)).collect();
    let mut keys: Vec<(&str, u32)> = Vec::new();
    for row in &card.rows {
        if !keys.contains(&(&row.pattern, row.depth)) {
            keys.push((&row.pattern, row.depth));
        }
    }
    let depth_word = word!(lang; "depth", "深度", "глуб.", "Tiefe");
    let pattern_word = word!(lang; "pattern", "模式", "доступ", "Zugriff");
    let names = keys.iter().map(|(p, _)| columns(&pattern(lang, p)));
    let first = names.max().unwrap_or(0).max(7);
    let title = |d: &Direction| format!("   {}", ruled(&format!(" {} ", direction(lang, d.name())), BLOCK));
    let head = ["IOPS", "MB/s", "p50", "p99", depth_word].into_iter().zip(WIDTHS);
    let heads: String = head.map(|(name, w)| right(name, w)).collect();
    let mut lines = vec![
        format!("{:first$}      {}", "", directions.iter().map(title).collect::<String>()),
        format!(
            "{} {}{}",
            left(pattern_word, first),
            right(depth_word, 5),
            directions.iter().map(|_| format!("   {heads}")).collect::<String>()
        ),
    ];
    for (name, depth) in keys {
        let find = |d: &Direction| {
            card.rows.iter().find(|r| r.pattern == name && r.depth == depth && r.direction == *d)
        };
        let block = |d: &Direction| find(d).map_or(" ".repeat(BLOCK), |row| block(lang, row));
        let blocks: String = directions.iter().map(|d| format!("   {}", block(d))).collect();
        lines.push(format!("{} {depth:>5}{blocks}", left(&pattern(lang, name), first)));
    }
    lines
}

fn block(lang: Lang, row: &QuickRow) -> String {
    if let Some(error) = &row.error {
        let failed =
            say!(lang; "  failed: {error}", "  失败：{error}", "  ошибка: {error}", "  Fehler: {error}");
        return left(&fit(&failed, BLOCK), BLOCK);
    }
    let quantile = |ns: Option<u64>| ns.map_or("-".to_string(), |ns| time(ns as f64));
    let figures = [
        short(row.iops),
        megabytes(row.bytes_per_second),
        quantile(row.p50_ns),
        quantile(row.p99_ns),
        format!("{:.1}", row.depth_reached),
    ];
    figures.iter().zip(WIDTHS).map(|(figure, w)| right(figure, w)).collect()
}

/// What no figure of the check is about.
fn unsaid(lang: Lang, what: &Unsaid) -> String {
    match what {
        Unsaid::SustainedWrites => {
            word!(lang; "sustained writes", "持续写入", "длительная запись", "Dauerschreiben").into()
        }
        Unsaid::FullDevice => {
            word!(lang; "a full device", "写满的设备", "заполненное устройство", "ein volles Gerät").into()
        }
        Unsaid::BeyondScratch => word!(lang; "anything beyond the scratch file", "临时文件以外的部分",
            "всё за пределами временного файла", "alles jenseits der Testdatei")
        .into(),
        Unsaid::Writes => word!(lang; "writes (this target was only read)", "写入（此目标只读未写）",
            "запись (эта цель только читалась)", "Schreiben (dieses Ziel wurde nur gelesen)")
        .into(),
        Unsaid::BusyOrFull => {
            word!(lang; "a busy or full device", "繁忙或写满的设备", "занятое или заполненное устройство",
            "ein ausgelastetes oder volles Gerät")
            .into()
        }
        Unsaid::Other(text) => text.clone(),
    }
}

/// What stands before a line; all are as wide.
fn label(lang: Lang, word: &str) -> String {
    left(word, if lang == Lang::Ru { 12 } else { 10 })
}

/// What stands below the table, `room` lines of it: layers, dependent reads, what is not said and the grade always; caveats as
/// there is room.
fn tail(lang: Lang, card: &QuickCard, room: usize, width: usize) -> Vec<String> {
    // Depth over all patterns together means nothing: the table has it by pattern.
    let seen =
        layers::chains(lang, &card.layers).into_iter().chain([layers::facts(lang, &card.layers, false)]);
    let mut lines: Vec<String> = Vec::new();
    for text in seen {
        match lines.last_mut() {
            Some(line) if columns(line) + 2 + columns(&text) <= width => line.push_str(&format!("; {text}")),
            Some(_) => lines.push(label(lang, "") + &text),
            None => lines.push(label(lang, word!(lang; "layers", "各层", "слои", "Ebenen")) + &text),
        }
    }
    let grade = card.grade();
    let mut caveats: Vec<String> = card.engine_note.iter().cloned().collect();
    let spoils = card.findings.iter().filter(|f| f.claim.grade() > Grade::Trusted);
    caveats
        .extend(spoils.map(|f| format!("{} {}", f.claim.grade().letter(), prose::words(lang, &f.claim).0)));
    caveats.extend(card.caveats.iter().cloned());
    let mut last = Vec::new();
    if let Some(s) = card.dependent_reads_s(1000) {
        let took = seconds(s);
        let said = say!(lang; "1000 dependent reads take {took}", "1000 次相互依赖的读取需要 {took}",
            "1000 чтений друг за другом займут {took}", "1000 voneinander abhängige Lesezugriffe dauern {took}");
        last.push(label(lang, word!(lang; "so", "因此", "значит", "also")) + &said);
    }
    if !card.not_said.is_empty() {
        let parts: Vec<String> = card.not_said.iter().map(|what| unsaid(lang, what)).collect();
        let (text, word) = (parts.join("; "), word!(lang; "not said", "未涉及", "неизвестно", "offen"));
        let said = format!(";  {word}: {text}");
        let fits = |so: &String| columns(so) + columns(&said) <= width;
        match last.last_mut().filter(|so| !caveats.is_empty() && fits(so)) {
            Some(so) => so.push_str(&said),
            None => last.push(label(lang, word) + &text),
        }
    }
    lines.extend(last);
    let believe = label(lang, word!(lang; "believe", "可信度", "доверие", "Urteil"));
    lines.push(format!("{believe}{}: {}", grade.letter(), prose::grade(lang, grade)));
    let free = room.saturating_sub(lines.len());
    let hidden = caveats.len().saturating_sub(free);
    let but = label(lang, word!(lang; "but", "但是", "но", "aber"));
    lines.extend(caveats.iter().take(free).map(|c| format!("{but}{c}")));
    if let Some(line) = lines.last_mut().filter(|_| hidden > 0) {
        let more = say!(lang; " (and {hidden} more: --json)", "（另有 {hidden} 项：--json）", " (и ещё {hidden}: --json)",
            " (und {hidden} weitere: --json)");
        *line = fit(line, width.saturating_sub(columns(&more))) + &more;
    }
    lines
}

fn seconds(s: f64) -> String {
    if s < 10.0 { format!("{s:.2} s") } else { format!("{s:.0} s") }
}
