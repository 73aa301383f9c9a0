//! The card of a job run: what a person reads in ten seconds.

use crate::lang::{say, word};
use crate::scale::{bytes, megabytes, short, time};
use crate::{Grid, Lang, fill, lay, layers, left, prose, prose_width, wrap};
use stats::{JobOutcome, Layers, RowKind, RunResult, note::NoteKind};

/// Rows of figures before the rest is only counted.
const ROWS: usize = 6;
/// Notes shown.
const REMARKS: usize = 4;
/// Findings shown.
const FINDINGS: usize = 5;

/// A card of about 20 lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end: figures per job and direction, what lies
/// under the targets, whether the layers agree, notes, and what the result does not tell.
pub fn render(lang: Lang, r: &RunResult, width: usize) -> String {
    let (screen, width) = (width, prose_width(width));
    let mut lines = fill("fathom   ", &title(lang, r), width);
    let entries = r.entries();
    let rows: Vec<Vec<String>> = entries.iter().flat_map(|j| rows(lang, j)).collect();
    if !rows.is_empty() {
        let depth = word!(lang; "depth reached", "实际深度", "глубина очереди", "erreichte Tiefe");
        let head = ["", "", "IOPS", "MB/s", "p50", "p99", "max", depth].map(str::to_string).to_vec();
        let shown: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().take(ROWS).cloned()).collect();
        lines.extend(Grid { keys: 2, to_right: |c| c > 1, gap: 3 }.lines(&shown, screen));
        if rows.len() > ROWS {
            lines.extend(fill("", &more(lang, rows.len() - ROWS), width));
        }
    }
    lines.extend(commits(lang, &entries, width));
    let failed: Vec<&JobOutcome> = entries.iter().filter(|j| j.error.is_some()).collect();
    let label = label(lang, word!(lang; "failed", "失败", "ошибка", "Fehler"));
    for j in failed.iter().take(2) {
        let why = j.error.as_ref().map_or(String::new(), |e| match e.function.as_str() {
            "io_u error" | "" => e.text.clone(),
            function => format!("{function}: {}", e.text),
        });
        lines.extend(fill(&label, &format!("{}: {why}", j.name), width));
    }
    if let Some(rest @ 1..) = failed.len().checked_sub(2) {
        let said = say!(lang; "... and {rest} more jobs", "……另有 {rest} 个任务", "... и ещё заданий: {rest}",
            "... und {rest} weitere Jobs");
        lines.extend(fill(&label, &said, width));
    }
    let seen: Vec<String> =
        layers::chains(lang, &r.layers).into_iter().chain([layers::facts(lang, &r.layers, true)]).collect();
    lines.extend(wrap(&self::label(lang, word!(lang; "layers", "各层", "слои", "Ebenen")), &seen, width));
    lines.extend(believe(lang, r, width));
    // What is remarked below comes as text.
    let notes = r.notes.iter().filter(|n| n.kind != NoteKind::Fio);
    let remarks: Vec<String> = notes
        .map(|n| if n.job.is_empty() { n.text.clone() } else { format!("{}: {}", n.job, n.text) })
        .collect();
    let label = self::label(lang, word!(lang; "note", "备注", "заметка", "Hinweis"));
    for text in remarks.iter().take(REMARKS) {
        lines.extend(wrap(&label, std::slice::from_ref(text), width));
    }
    if remarks.len() > REMARKS {
        lines.extend(fill(&self::label(lang, ""), &more(lang, remarks.len() - REMARKS), width));
    }
    let label = self::label(lang, word!(lang; "not said", "未涉及", "неизвестно", "offen"));
    lines.extend(wrap(&label, &[unsaid(lang, r)], width));
    lay(&lines)
}

/// What stands before a line; all are as wide.
fn label(lang: Lang, word: &str) -> String {
    left(word, if lang == Lang::Ru { 11 } else { 9 })
}

/// What a commit is, where a job has any: that its latency is the one that an application waits for.
fn commits(lang: Lang, entries: &[JobOutcome], width: usize) -> Vec<String> {
    let has_commits = |j: &&JobOutcome| j.commit.moments.n > 0;
    let Some(sync) = entries.iter().find(has_commits).and_then(|j| j.load.access.sync) else {
        return Vec::new();
    };
    // Writes of jobs that keep several in flight: those in front of a sync may not have completed when it begins.
    let queued = entries.iter().filter(has_commits).any(|j| j.depth.0[1..].iter().any(|n| *n > 0));
    let not_covered = if queued {
        say!(lang; "; with several in flight a sync does not cover the writes that have not completed when it begins",
            "；多个 I/O 在途时，同步开始时尚未完成的写入不受其保证",
            "; если в полёте несколько операций, синхронизация не охватывает записи, не завершённые к её началу",
            "; sind mehrere gleichzeitig unterwegs, gilt ein Sync nicht für Schreibzugriffe, die bei seinem Beginn noch laufen")
    } else {
        String::new()
    };
    let said = say!(lang; "the writes since the previous sync and the sync ({sync}), from the first submission to the end of the sync; commits per second in the column IOPS{not_covered}",
        "上次同步以来的写入加上该次同步（{sync}），从首次提交到同步结束；IOPS 列为每秒落盘次数{not_covered}",
        "записи после предыдущей синхронизации и она сама ({sync}), от первой отправки до её конца; в столбце IOPS — фиксаций в секунду{not_covered}",
        "die Schreibzugriffe seit dem vorigen Sync und der Sync ({sync}), vom ersten Absenden bis zum Ende des Syncs; Spalte IOPS: Vorgänge je Sekunde{not_covered}");
    fill(&label(lang, word!(lang; "commit", "落盘", "фиксация", "dauerhaft")), &said, width)
}

fn more(lang: Lang, n: usize) -> String {
    say!(lang; "... and {n} more (--output-format=json has all)", "……另有 {n} 项（全部见 --output-format=json）",
        "... и ещё {n} (все есть в --output-format=json)", "... und {n} weitere (alle in --output-format=json)")
}

/// The grade, and why: worst first.
fn believe(lang: Lang, r: &RunResult, width: usize) -> Vec<String> {
    let grade = r.grade();
    let label = label(lang, word!(lang; "believe", "可信度", "доверие", "Urteil"));
    let mut lines = fill(&label, &format!("{}: {}", grade.letter(), prose::grade(lang, grade)), width);
    for finding in r.findings.iter().take(FINDINGS) {
        let (what, next) = prose::words(lang, &finding.claim);
        let job = if finding.job.is_empty() { String::new() } else { format!("{}: ", finding.job) };
        let rule = left(prose::rule(lang, &finding.claim), 4);
        let label = format!("  {rule} {} ", finding.claim.grade().letter());
        let text = if next.is_empty() { format!("{job}{what}") } else { format!("{job}{what}; {next}") };
        lines.extend(fill(&label, &text, width));
    }
    if let Some(rest @ 1..) = r.findings.len().checked_sub(FINDINGS) {
        let said = say!(lang; "... and {rest} more (--json has all)", "……另有 {rest} 项（全部见 --json）",
            "... и ещё {rest} (все есть в --json)", "... und {rest} weitere (alle in --json)");
        lines.extend(fill(&self::label(lang, ""), &said, width));
    }
    lines
}

/// The table of layers, below the card.
pub fn layer_table(lang: Lang, r: &RunResult, width: usize) -> String {
    lay(&layers::table(lang, &r.layers, width))
}

fn title(lang: Lang, r: &RunResult) -> String {
    let jobs = r.jobs.len();
    let ended = r.provenance.ended_by_signal.map_or(String::new(), |signal| {
        say!(lang; ", ended early by signal {signal}", "，被信号 {signal} 提前结束", ", прерван сигналом {signal}",
            ", vorzeitig beendet durch Signal {signal}")
    });
    let seconds = r.layers.wall_ms as f64 / 1000.0;
    let place = place(lang, &r.layers);
    match jobs {
        1 => {
            say!(lang; "1 job, {seconds:.1} s{ended}; {place}", "1 个任务，{seconds:.1} s{ended}; {place}",
            "заданий: 1, {seconds:.1} s{ended}; {place}", "1 Job, {seconds:.1} s{ended}; {place}")
        }
        _ => say!(lang; "{jobs} jobs, {seconds:.1} s{ended}; {place}",
            "{jobs} 个任务，{seconds:.1} s{ended}; {place}",
            "заданий: {jobs}, {seconds:.1} s{ended}; {place}", "{jobs} Jobs, {seconds:.1} s{ended}; {place}"),
    }
}

/// `/data/f, 1.07 GB: ext4 > vda1 (partition) > vda (disk, ssd)`.
fn place(lang: Lang, l: &Layers) -> String {
    let Some(first) = l.targets.first() else {
        return say!(lang; "no file or device was involved", "没有涉及文件或设备",
            "ни файл, ни устройство не участвовали", "keine Datei und kein Gerät war beteiligt");
    };
    let more = match l.targets.len() {
        1 => String::new(),
        n => {
            let n = n - 1;
            say!(lang; " and {n} more", " 等另外 {n} 个", " и ещё {n}", " und {n} weitere")
        }
    };
    format!("{}{more}, {}: {}", first.path, bytes(first.size), stack(lang, &first.stack))
}

/// Layers from the top down.
pub(crate) fn stack(lang: Lang, layers: &[String]) -> String {
    if layers.is_empty() {
        say!(lang; "no block device is known under it", "其下没有已知的块设备", "блочное устройство под ним неизвестно",
            "darunter ist kein Blockgerät bekannt")
    } else {
        layers.join(" > ")
    }
}

/// What a row of figures is of.
pub(crate) fn row_kind(lang: Lang, kind: RowKind) -> &'static str {
    match kind {
        RowKind::Ios(of) => direction(lang, of.name()),
        RowKind::Commits => word!(lang; "commit", "落盘", "фиксация", "dauerhaft"),
        RowKind::Syncs => word!(lang; "sync", "同步", "синхронизация", "Sync"),
    }
}

/// A direction.
pub(crate) fn direction(lang: Lang, name: &str) -> &'static str {
    match name {
        "read" => word!(lang; "read", "读", "чтение", "lesen"),
        "write" => word!(lang; "write", "写", "запись", "schreiben"),
        _ => word!(lang; "trim", "裁剪", "обрезка", "trimmen"),
    }
}

fn rows(lang: Lang, j: &JobOutcome) -> Vec<Vec<String>> {
    let clones = if j.members > 1 { format!(" x{}", j.members) } else { String::new() };
    let asked = u64::from(j.iodepth) * u64::from(j.members.max(1));
    let reached = j.depth_reached;
    let depth = say!(lang; "{reached:.1} of {asked}", "{reached:.1} / {asked}", "{reached:.1} из {asked}", "{reached:.1} von {asked}");
    j.rows()
        .iter()
        .enumerate()
        .map(|(at, row)| {
            let quantile =
                |p| row.latency.histogram.quantile(p).map_or("-".to_string(), |ns| time(ns as f64));
            let moments = &row.latency.moments;
            let most = if moments.n > 0 { time(moments.max() as f64) } else { "-".to_string() };
            let first = at == 0;
            vec![
                if first { format!("{}{clones}", j.name) } else { String::new() },
                row_kind(lang, row.kind).to_string(),
                short(row.per_second),
                row.bytes_per_second.map_or("-".into(), megabytes),
                quantile(50.0),
                quantile(99.0),
                most,
                if first { depth.clone() } else { String::new() },
            ]
        })
        .collect()
}

/// What nobody should read into the figures.
fn unsaid(lang: Lang, r: &RunResult) -> String {
    let l = &r.layers;
    if l.targets.is_empty() {
        return say!(lang; "anything about storage: this measured the generator alone",
            "任何有关存储的情况：只测了负载发生器", "всё о накопителе: измерен один генератор нагрузки",
            "alles über Speichergeräte: das hat nur den Lastgenerator gemessen");
    }
    let mut parts = Vec::new();
    let seconds = l.wall_ms as f64 / 1000.0;
    if l.app_bytes[1] > 0 && seconds < 600.0 {
        parts.push(say!(lang; "how writes go on after {seconds:.0} s", "{seconds:.0} s 之后写入会怎样",
            "как пойдёт запись после {seconds:.0} s", "wie das Schreiben nach {seconds:.0} s weitergeht"));
    } else if seconds < 60.0 {
        parts.push(say!(lang; "how it goes on after {seconds:.0} s", "{seconds:.0} s 之后会怎样",
            "что будет после {seconds:.0} s", "wie es nach {seconds:.0} s weitergeht"));
    }
    let (moved, size) =
        (l.app_bytes.iter().sum::<u64>(), l.targets.iter().fold(0u64, |sum, t| sum.saturating_add(t.size)));
    if moved < size {
        let left = bytes(size - moved);
        parts
            .push(say!(lang; "the {left} that were not touched", "没有碰到的 {left}", "незатронутые {left}",
            "die {left}, die nicht angefasst wurden"));
    }
    parts.push(say!(lang; "a full device", "写满的设备", "заполненное устройство", "ein volles Gerät"));
    parts.join("; ")
}
