//! A comparison in words: a card for a terminal, tables in Markdown, the line that says why there is none.

use crate::lang::{Lang, say};
use crate::scale::{bytes, megabytes, short, time};
use crate::study::block;
use crate::{Grid, card, fill, lay, left, prose, prose_width};
use stats::comparison::WRONG;
use stats::study::{Estimate, Verdict};
use stats::{Comparison, Metric, MetricRow, Pair, RowKind, Shape, TrackKind, Unequal, Unsure};
use std::fmt::Write;

/// Cards of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end: what was not equal, the metrics of each load, and how far the
/// verdicts reach.
pub fn render(c: &Comparison, lang: Lang, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let [a, b] = &c.sides;
    let mut lines = fill("fathom   ", &format!("A {a}   B {b}"), width);
    for what in &c.unequal {
        let mark = if what.refuses() {
            say!(lang; "unequal", "不等", "не равно", "ungleich")
        } else {
            say!(lang; "note", "注意", "заметьте", "Hinweis")
        };
        lines.extend(fill(&format!("{}  ", left(&mark, 8)), &words(what, c, lang), width));
    }
    let mark = say!(lang; "note", "注意", "заметьте", "Hinweis");
    lines.extend(shared(c, lang).iter().flat_map(|text| fill(&format!("{}  ", left(&mark, 8)), text, width)));
    for (n, pair) in c.pairs.iter().enumerate() {
        let rows: Vec<&MetricRow> = c.rows.iter().filter(|row| row.pair == n).collect();
        if rows.is_empty() {
            continue;
        }
        lines.push(String::new());
        lines.extend(fill("", &heading(pair, lang), width));
        lines.extend(table(&rows, lang, screen));
        lines.extend(reasons(&rows, lang).iter().flat_map(|text| fill("  ", text, width)));
    }
    if !c.rows.is_empty() {
        lines.push(String::new());
        lines.extend(fill("", &reach(c, lang), width));
        lines.extend(between(c, lang).iter().flat_map(|text| fill("", text, width)));
    }
    lines.extend(alone(c, lang).iter().flat_map(|text| fill("", text, width)));
    lay(&lines)
}

/// Runs that were given on both sides.
fn shared(c: &Comparison, lang: Lang) -> Option<String> {
    let runs: usize = c.pairs.iter().map(|pair| pair.repeats[0].max(pair.repeats[1])).sum();
    let shared = c.shared;
    (shared > 0).then(|| {
        if shared == runs {
            say!(lang; "A and B are one and the same run: there is nothing to compare",
                "A 和 B 是同一次运行：没有可比较的", "A и B — один и тот же прогон: сравнивать нечего",
                "A und B sind ein und derselbe Lauf: es gibt nichts zu vergleichen")
        } else {
            say!(lang; "runs on both sides: {shared}; the intervals take them for different ones",
                "两侧共有的运行：{shared} 个；区间把它们当作不同的运行", "прогонов на обеих сторонах: {shared}; интервалы считают их разными",
                "Läufe auf beiden Seiten: {shared}; die Intervalle halten sie für verschiedene")
        }
    })
}

/// The same as Markdown: a list of what was not equal, one table.
pub fn markdown(c: &Comparison, lang: Lang) -> String {
    let [a, b] = c.sides.each_ref().map(|name| cell(name));
    let mut text = say!(lang; "**A** {a}, **B** {b}", "**A** {a}，**B** {b}", "**A** {a}, **B** {b}",
        "**A** {a}, **B** {b}")
        + "\n\n";
    for what in &c.unequal {
        let _ = writeln!(text, "- {}", cell(&words(what, c, lang)));
    }
    if let Some(what) = shared(c, lang) {
        let _ = writeln!(text, "- {}", cell(&what));
    }
    if !c.unequal.is_empty() || c.shared > 0 {
        text.push('\n');
    }
    text += &say!(lang;
        "| load | direction | metric | A | B | B/A | interval | verdict |",
        "| 负载 | 方向 | 指标 | A | B | B/A | 区间 | 结论 |",
        "| нагрузка | направление | показатель | A | B | B/A | интервал | вывод |",
        "| Last | Richtung | Größe | A | B | B/A | Intervall | Urteil |");
    text += "\n|---|---|---|--:|--:|--:|---|---|\n";
    for row in &c.rows {
        let load = c.pairs.get(row.pair).map(|pair| heading(pair, lang)).unwrap_or_default();
        let [a, b] = row.sides.each_ref().map(|side| figure(row.metric, side.value));
        let cells = [
            cell(&load),
            row.direction.name().into(),
            metric(row, lang),
            a,
            b,
            format!("{:.3}", row.ratio.value),
            interval(&row.ratio),
            cell(&match row.why {
                Some(why) => format!("{}: {}", verdict(row, lang), reason(why, lang)),
                None => verdict(row, lang),
            }),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    let below = std::iter::once(reach(c, lang)).chain(between(c, lang)).filter(|_| !c.rows.is_empty());
    for line in below.chain(alone(c, lang)) {
        let _ = write!(text, "\n{}\n", cell(&line));
    }
    text
}

/// One line: that the two are not compared, and why.
pub fn refusal(c: &Comparison, lang: Lang) -> String {
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    let why: Vec<String> = c.unequal.iter().filter(|u| u.refuses()).map(|u| words(u, c, lang)).collect();
    let why = clean(&why.join("; "));
    say!(lang;
        "{a} (A) and {b} (B) are not equal: {why} (--anyway compares them all the same)",
        "{a}（A）与 {b}（B）条件不等：{why}（--anyway 可强行比较）",
        "{a} (A) и {b} (B) измерены в неравных условиях: {why} (--anyway сравнит и так)",
        "{a} (A) und {b} (B) sind ungleich: {why} (--anyway vergleicht sie trotzdem)")
}

/// One line: what is slower by more than the bound.
pub fn slower(c: &Comparison, bound: f64, lang: Lang) -> Option<String> {
    let rows: Vec<&MetricRow> = c.slower_by(bound).collect();
    let one = |row: &&MetricRow| {
        let load = c.pairs.get(row.pair).map(|pair| heading(pair, lang)).unwrap_or_default();
        let what = format!("{} {}", row.direction.name(), metric(row, lang));
        format!("{load} {what} {:.1} % ({})", row.slower_percent(), interval(&row.ratio))
    };
    let list = clean(&rows.iter().map(one).collect::<Vec<_>>().join("; "));
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    (!rows.is_empty()).then(|| {
        say!(lang;
            "{b} is slower than {a} by more than {bound} %: {list}",
            "{b} 比 {a} 慢 {bound} % 以上：{list}",
            "{b} медленнее {a} более чем на {bound} %: {list}",
            "{b} ist um mehr als {bound} % langsamer als {a}: {list}")
    })
}

/// One line: which metrics might be slower by more than the bound and could not be told.
pub fn untold(c: &Comparison, bound: f64, lang: Lang) -> Option<String> {
    let hides = |row: &&MetricRow| row.metric.is_speed() && row.may_be_slower_by(bound);
    let names: Vec<String> = c
        .rows
        .iter()
        .filter(hides)
        .map(|row| format!("{} {}", row.direction.name(), metric(row, lang)))
        .collect();
    let [a, b] = c.sides.each_ref().map(|name| clean(name));
    let list = names.join(", ");
    (!names.is_empty()).then(|| {
        say!(lang;
            "whether {b} is slower than {a} by more than {bound} % cannot be told of: {list}",
            "无法判断 {b} 是否比 {a} 慢 {bound} % 以上：{list}",
            "нельзя сказать, медленнее ли {b}, чем {a}, более чем на {bound} %: {list}",
            "ob {b} um mehr als {bound} % langsamer ist als {a}, lässt sich nicht sagen von: {list}")
    })
}

/// Without what would break a line or obey a terminal.
fn clean(text: &str) -> String {
    stats::plain::line(text).into_owned()
}

/// The text as a cell of a table in Markdown.
fn cell(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('|', "\\|")
}

/// `randread 4k, depth 8, 2 jobs (one, other)`.
fn heading(pair: &Pair, lang: Lang) -> String {
    let [a, b] = &pair.names;
    let name = if a == b { a.clone() } else { format!("{a}, {b}") };
    let shape = shape(&pair.shape, lang);
    let repeats = match pair.repeats {
        [1, 1] => String::new(),
        [a, b] => say!(lang; "; {a} and {b} runs", "；{a} 次和 {b} 次", "; прогонов: {a} и {b}",
            "; {a} und {b} Läufe"),
    };
    if shape.is_empty() { format!("{name}{repeats}") } else { format!("{shape} ({name}{repeats})") }
}

fn shape(shape: &Shape, lang: Lang) -> String {
    let (access, depth, jobs) = (&shape.access, shape.depth, shape.jobs);
    let mut parts = Vec::new();
    if !access.rw.is_empty() {
        let bs = if access.bs > 0 { format!(" {}", block(access.bs)) } else { String::new() };
        let reads = access.reads.map(|r| format!(" {r} %")).unwrap_or_default();
        let sync = access.sync.map(|sync| format!(" {sync}")).unwrap_or_default();
        parts.push(format!("{}{bs}{reads}{sync}", access.rw));
    }
    if depth > 0 {
        parts.push(say!(lang; "depth {depth}", "深度 {depth}", "глубина {depth}", "Tiefe {depth}"));
    }
    if jobs > 1 {
        parts.push(say!(lang; "{jobs} jobs", "{jobs} 个任务", "заданий: {jobs}", "{jobs} Jobs"));
    }
    parts.join(", ")
}

/// `p99`, or `clat p99` where total latency is not what was compared.
fn metric(row: &MetricRow, lang: Lang) -> String {
    let name = name(row.metric, lang);
    match row.latency {
        Some(TrackKind::Clat) => format!("clat {name}"),
        Some(TrackKind::Commit) => format!("{} {name}", card::row_kind(lang, RowKind::Commits)),
        Some(TrackKind::Sync) => format!("{} {name}", card::row_kind(lang, RowKind::Syncs)),
        _ => name,
    }
}

fn name(metric: Metric, lang: Lang) -> String {
    match metric {
        Metric::Iops => "IOPS".into(),
        Metric::Bandwidth => "MB/s".into(),
        Metric::Mean => say!(lang; "mean", "平均", "среднее", "Mittel"),
        Metric::P50 => "p50".into(),
        Metric::P99 => "p99".into(),
        Metric::P999 => "p99.9".into(),
        Metric::Cpu => "CPU/IO".into(),
    }
}

fn figure(metric: Metric, value: f64) -> String {
    match metric {
        Metric::Iops => short(value),
        Metric::Bandwidth => megabytes(value as u64),
        _ => time(value),
    }
}

/// `1.087 - 1.113`.
fn interval(ratio: &Estimate) -> String {
    if ratio.is_known() { format!("{:.3} - {:.3}", ratio.low, ratio.high) } else { "-".into() }
}

fn verdict(row: &MetricRow, lang: Lang) -> String {
    let more = match row.verdict {
        Verdict::Same => return say!(lang; "no difference", "无差异", "различия нет", "kein Unterschied"),
        Verdict::Unknown => {
            return say!(lang; "cannot tell", "无法判断", "сказать нельзя", "nicht zu sagen");
        }
        Verdict::More => true,
        Verdict::Less => false,
    };
    match (row.metric.is_speed(), more == row.metric.more_is_better()) {
        (true, true) => {
            say!(lang; "difference: faster", "有差异：更快", "различие: быстрее", "Unterschied: schneller")
        }
        (true, false) => {
            say!(lang; "difference: slower", "有差异：更慢", "различие: медленнее", "Unterschied: langsamer")
        }
        (false, true) => {
            say!(lang; "difference: less", "有差异：更少", "различие: меньше", "Unterschied: weniger")
        }
        (false, false) => {
            say!(lang; "difference: more", "有差异：更多", "различие: больше", "Unterschied: mehr")
        }
    }
}

fn reason(why: Unsure, lang: Lang) -> String {
    match why {
        Unsure::NoInterval => say!(lang;
            "nothing says how well it is known; give several runs of each side: A1,A2,A3 B1,B2,B3",
            "不知其误差；请每一方给出多次运行：A1,A2,A3 B1,B2,B3",
            "неизвестно, насколько оно точно; дайте по нескольку прогонов: A1,A2,A3 B1,B2,B3",
            "nichts sagt, wie genau es ist; mehrere Läufe je Seite angeben: A1,A2,A3 B1,B2,B3"),
        Unsure::TooFew => say!(lang;
            "too few independent I/Os; run longer", "独立的 I/O 太少；请延长运行时间",
            "слишком мало независимых операций; нужен прогон длиннее",
            "zu wenige unabhängige I/Os; länger laufen lassen"),
        Unsure::MoreRuns { each } => say!(lang;
            "runs differ by more than this; about {each} runs of each side would tell",
            "运行间的差异比这更大；每一方约需 {each} 次运行才能判断",
            "прогоны различаются сильнее; сказали бы примерно {each} прогонов с каждой стороны",
            "Läufe unterscheiden sich um mehr; etwa {each} Läufe je Seite würden es zeigen"),
        Unsure::Wide { longer } => {
            let times = format!("{longer:.1}");
            say!(lang;
                "runs about {times} times as long would tell", "运行时间约为现在的 {times} 倍才能判断",
                "сказали бы прогоны примерно в {times} раза длиннее",
                "etwa {times}-mal so lange Läufe würden es zeigen")
        }
        Unsure::Unknowable => say!(lang;
            "not known from runs like these, nor from ten times as many",
            "从这样的运行中无法得知，次数增加十倍也不行",
            "из таких прогонов неизвестно, и из вдесятеро большего числа тоже",
            "aus solchen Läufen nicht bekannt, auch nicht aus zehnmal so vielen"),
    }
}

/// Why nothing can be told, the metrics with the same reason together.
fn reasons(rows: &[&MetricRow], lang: Lang) -> Vec<String> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row.metric.is_speed()) {
        let Some(why) = row.why else { continue };
        let (text, name) = (reason(why, lang), format!("{} {}", row.direction.name(), metric(row, lang)));
        match found.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(name),
            None => found.push((text, vec![name])),
        }
    }
    found.into_iter().map(|(text, names)| format!("{}: {text}", names.join(", "))).collect()
}

fn table(rows: &[&MetricRow], lang: Lang, width: usize) -> Vec<String> {
    let head = ["", "", "A", "B", "B/A", "", ""].map(String::from);
    let mut last = None;
    let figures = rows.iter().map(|row| {
        let [a, b] = row.sides.each_ref().map(|side| figure(row.metric, side.value));
        let direction = if last == Some(row.direction) { "" } else { row.direction.name() };
        last = Some(row.direction);
        let (name, ratio) = (metric(row, lang), format!("{:.3}", row.ratio.value));
        [direction.into(), name, a, b, ratio, interval(&row.ratio), verdict(row, lang)]
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(figures).map(|line| line.to_vec()).collect();
    let grid = Grid { keys: 2, to_right: |c| (2..=4).contains(&c), gap: 2 };
    grid.lines(&lines, width.saturating_sub(2)).iter().map(|line| format!("  {line}")).collect()
}

/// How far the verdicts reach.
fn reach(c: &Comparison, lang: Lang) -> String {
    let (n, sure) = (c.at_once, 100.0 * (1.0 - WRONG));
    if n == 0 {
        return say!(lang;
            "No interval is known: only the plain ratios can be told.",
            "没有已知的区间：只能给出比值。",
            "Интервалы неизвестны: можно назвать лишь отношения.",
            "Kein Intervall ist bekannt: nur die bloßen Verhältnisse lassen sich nennen.");
    }
    say!(lang;
        "{n} metrics were judged together (Holm): at least {sure} % of comparisons of equal targets show no difference. Below 5 % is no difference.",
        "同时判断了 {n} 个指标（Holm）：相同目标的比较中至少 {sure} % 不显示差异。小于 5 % 不算差异。",
        "Вместе проверено показателей: {n} (Холм); не менее {sure} % сравнений равных целей не показывают различия. Менее 5 % различием не считается.",
        "{n} Größen wurden gemeinsam beurteilt (Holm): mindestens {sure} % der Vergleiche gleicher Ziele zeigen keinen Unterschied. Unter 5 % ist kein Unterschied.")
}

/// What runs of one target are taken to differ by.
fn between(c: &Comparison, lang: Lang) -> Option<String> {
    let (percent, n) = (format!("{:.1}", 100.0 * c.between), c.learned_from);
    let single = c.pairs.iter().any(|pair| pair.repeats.contains(&1));
    let default = n == 0 && single;
    (c.at_once > 0).then(|| {
        if default {
            say!(lang;
                "Runs of one target are taken to differ by {percent} % (standard deviation, a default); repeats (A1,A2,A3 B1,B2,B3) measure it.",
                "假定同一目标的各次运行相差 {percent} %（标准差，默认值）；重复运行（A1,A2,A3 B1,B2,B3）可测出它。",
                "Принято, что прогоны одной цели различаются на {percent} % (стандартное отклонение, по умолчанию); его измерят повторы (A1,A2,A3 B1,B2,B3).",
                "Läufe eines Ziels unterscheiden sich nach Annahme um {percent} % (Standardabweichung, Vorgabe); Wiederholungen (A1,A2,A3 B1,B2,B3) messen es.")
        } else {
            say!(lang;
                "Runs of one target differ by {percent} % in their rate (standard deviation, learned from the repeats and {n} other stored runs).",
                "同一目标各次运行的速率相差 {percent} %（标准差，由重复运行和另外 {n} 次已存储的运行得出）。",
                "Прогоны одной цели различаются по скорости на {percent} % (стандартное отклонение, по повторам и другим сохранённым прогонам: {n}).",
                "Läufe eines Ziels unterscheiden sich in der Rate um {percent} % (Standardabweichung, aus den Wiederholungen und {n} anderen gespeicherten Läufen).")
        }
    })
}

/// Loads that one side alone has.
fn alone(c: &Comparison, lang: Lang) -> Vec<String> {
    let of = |side: usize| {
        let mine = c.alone.iter().filter(|(at, ..)| *at == side);
        let names: Vec<String> = mine
            .map(|(_, name, of)| match shape(of, lang) {
                shape if shape.is_empty() => name.clone(),
                shape => format!("{shape} ({name})"),
            })
            .collect();
        let (letter, list) = (letter(side), names.join("; "));
        (!names.is_empty()).then(|| {
            say!(lang; "Only in {letter}: {list}", "仅 {letter} 有：{list}", "Только в {letter}: {list}",
                "Nur in {letter}: {list}")
        })
    };
    [0, 1].into_iter().filter_map(of).collect()
}

fn letter(side: usize) -> char {
    if side == 0 { 'A' } else { 'B' }
}

/// What was not equal.
fn words(what: &Unequal, c: &Comparison, lang: Lang) -> String {
    let two = |[a, b]: &[String; 2]| format!("A {a}, B {b}");
    match what {
        Unequal::NothingInCommon => {
            let list = alone(c, lang).join("; ");
            say!(lang; "they have no load in common. {list}", "没有共同的负载。{list}",
                "общих нагрузок нет. {list}", "sie haben keine Last gemeinsam. {list}")
        }
        Unequal::Load { shapes } => {
            let list = two(&shapes.each_ref().map(|s| shape(s, lang)));
            say!(lang; "the loads differ: {list}", "负载不同：{list}", "нагрузки разные: {list}",
                "die Lasten sind verschieden: {list}")
        }
        Unequal::Direct { side } => {
            let (past, through) = (letter(*side), letter(1 - *side));
            say!(lang;
                "{past} went past the page cache (direct=1), {through} through it",
                "{past} 绕过页缓存（direct=1），{through} 经过页缓存",
                "{past} шёл мимо страничного кэша (direct=1), {through} через него",
                "{past} ging am Page-Cache vorbei (direct=1), {through} durch ihn")
        }
        Unequal::NotTheDevice { side, finding } => {
            let (side, why) = (letter(*side), prose::words(lang, &finding.claim).0);
            say!(lang; "{side} did not measure the device: {why}", "{side} 测到的不是该设备：{why}",
                "{side} измерил не устройство: {why}", "{side} hat nicht das Gerät gemessen: {why}")
        }
        Unequal::NeverWritten { side, finding } => {
            let (side, why) = (letter(*side), prose::words(lang, &finding.claim).0);
            say!(lang; "{side} read what was never written: {why}", "{side} 读了从未写过的数据：{why}",
                "{side} читал то, что никогда не писалось: {why}", "{side} las nie Geschriebenes: {why}")
        }
        Unequal::Generator { side, finding } => {
            let (side, why) = (letter(*side), prose::words(lang, &finding.claim).0);
            say!(lang; "{side} was bound by its processor: {why}", "{side} 受处理器限制：{why}",
                "{side} упёрся в процессор: {why}", "{side} war durch den Prozessor begrenzt: {why}")
        }
        Unequal::Span { bytes: spans } => {
            let list = two(&spans.map(bytes));
            say!(lang; "the regions differ: {list}", "区域大小不同：{list}", "области разные: {list}",
                "die Bereiche sind verschieden groß: {list}")
        }
        Unequal::Engine { names } => {
            let list = two(names);
            say!(lang; "other engines: {list}", "引擎不同：{list}", "движки разные: {list}", "andere Engines: {list}")
        }
        Unequal::Kernel { names } => {
            let list = two(names);
            say!(lang; "other kernels: {list}", "内核不同：{list}", "ядра разные: {list}", "andere Kernel: {list}")
        }
        Unequal::Host { names } => {
            let list = two(names);
            say!(lang; "other hosts: {list}", "主机不同：{list}", "машины разные: {list}", "andere Rechner: {list}")
        }
        Unequal::By { names } => {
            let list = two(names);
            say!(lang; "measured by others: {list}", "测量程序不同：{list}", "измеряли разные программы: {list}",
                "anders gemessen: {list}")
        }
        Unequal::Stack { layers } => {
            let list = two(&layers.each_ref().map(|l| card::stack(lang, l)));
            say!(lang; "other layers below: {list}", "底层不同：{list}", "слои разные: {list}",
                "andere Schichten darunter: {list}")
        }
        Unequal::Grade { side, grade, rules } => {
            let (side, grade, rules) = (letter(*side), grade.letter(), rules.join(", "));
            say!(lang; "{side} has grade {grade} ({rules})", "{side} 的评级为 {grade}（{rules}）",
                "оценка {side}: {grade} ({rules})", "{side} hat die Note {grade} ({rules})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::comparison::compare;
    use stats::study::Access;
    use stats::{Claim, Conditions, Finding, Flow, Measured, Quantile, Side, Spread};

    fn load(name: &str, iops: f64, percent: f64) -> Measured {
        let latency = Spread {
            n: 100_000,
            mean_ns: 8e9 / iops,
            quantiles: vec![Quantile { percent: 99.0, ns: 2e10 / iops, between: None }],
            ..Spread::default()
        };
        Measured {
            name: name.into(),
            access: Access { rw: "randrw".into(), bs: 4096, reads: Some(70), sync: None },
            depth: 8,
            jobs: 4,
            seconds: 10.0,
            flows: vec![Flow {
                ios: 100_000,
                iops: Estimate::around(iops, iops * percent / 100.0),
                bytes_per_second: 4096.0 * iops,
                lat: Some(latency),
                ..Flow::default()
            }],
            cpu_percent: Some([10.0, 20.0]),
            conditions: Conditions {
                direct: Some(true),
                span: Some(1 << 30),
                engine: Some("io_uring".into()),
                kernel: Some("6.8.0".into()),
                host: "one".into(),
                by: "fathom 0.1.0".into(),
                stack: vec!["ext4".into(), "vda (disk, ssd)".into()],
                ..Conditions::default()
            },
            ..Measured::default()
        }
    }

    fn unlike() -> Measured {
        let mut other = load("j", 900.0, 1.0);
        other.conditions = Conditions {
            direct: Some(false),
            span: Some(1 << 32),
            engine: Some("psync".into()),
            kernel: Some("5.15.0".into()),
            host: "two".into(),
            by: "fio-3.33".into(),
            stack: vec!["vdb (disk, reports rotational)".into()],
            ..Conditions::default()
        };
        let finding = |claim| Finding { job: String::new(), claim };
        other.findings = vec![
            finding(Claim::PageCache { app: 100 << 20, storage: 1 << 20, span: 1 << 20, memory: 1 << 30 }),
            finding(Claim::NeverWritten { path: "f".into(), bytes: 80, size: 100 }),
            finding(Claim::Generator { percent: 99.0 }),
        ];
        other
    }

    fn side(name: &str, loads: Vec<Measured>) -> Side {
        Side { name: name.into(), loads }
    }

    /// In each language every word is there, nothing is cut, and no line is too long.
    #[test]
    fn a_card_fits_in_eighty_columns_and_a_refusal_in_one_line() {
        let (a, b) = (side("R1", vec![load("j", 500.0, 1.0)]), side("R2", vec![unlike()]));
        let far = side("R3", vec![load("j", 500.0, 30.0), Measured { depth: 1, ..load("alone", 5.0, 1.0) }]);
        for lang in Lang::ALL {
            let refused = compare(&a, &b, false);
            let line = refusal(&refused, lang);
            assert!(refused.rows.is_empty() && line.lines().count() == 1, "{line}");
            assert!(line.contains("--anyway") && line.contains("R2"), "{line}");
            for found in [compare(&a, &b, true), compare(&a, &far, false), compare(&a, &a, false)] {
                let text = render(&found, lang, 80);
                assert!(text.lines().count() > 5 && !text.contains('…'), "{text}");
                assert!(text.lines().all(|line| crate::columns(line) <= 80), "{text}");
                let table = markdown(&found, lang);
                let rows: Vec<&str> = table.lines().filter(|l| l.starts_with('|')).collect();
                assert!(rows.len() > 4 && rows.iter().all(|l| l.matches('|').count() == 9), "{table}");
            }
        }
        let text = render(&compare(&a, &b, true), Lang::En, 80);
        for part in [
            "unequal   A went past the page cache",
            "other engines: A io_uring, B psync",
            "difference: faster",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn what_is_slower_is_named_and_what_may_be_too() {
        let base = side("R1", vec![load("j", 500.0, 0.5)]);
        let of = |rate: f64, percent: f64| compare(&base, &side("R2", vec![load("j", rate, percent)]), false);
        let line = slower(&of(450.0, 0.5), 5.0, Lang::En).unwrap_or_default();
        assert!(line.starts_with("R2 is slower than R1 by more than 5 %: randrw 4k"), "{line}");
        assert!(line.contains("read IOPS 10.0 % (0.8") && line.contains("read mean 11.1 %"), "{line}");
        assert_eq!(slower(&of(500.0, 0.5), 5.0, Lang::En), None);
        // Its interval reaches to a tenth less.
        let line = untold(&of(500.0, 10.0), 5.0, Lang::En).unwrap_or_default();
        assert!(line.ends_with("cannot be told of: read IOPS, read MB/s, read mean, read p99"), "{line}");
        let line = untold(&of(500.0, 0.5), 15.0, Lang::En).unwrap_or_default();
        assert!(line.ends_with("cannot be told of: read p99"), "{line}");
    }
}
