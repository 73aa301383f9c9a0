//! What `fathom prefill` says, and what it asks.

use crate::card::stack;
use crate::lang::{say, word};
use crate::scale::{bytes, megabytes, percent};
use crate::{Lang, columns, fill, fit_end, lay, left, prose_width, wrap};
use stats::{Prefill, PrefillEnd, PrefillTarget, Unfilled};

/// Lines of at most `width` columns (`usize::MAX`: a file or pipe), newline at the end.
pub fn render(lang: Lang, p: &Prefill, width: usize) -> String {
    let size = bytes(p.size);
    let what = match p.kind {
        PrefillTarget::File => {
            say!(lang; "file of {size}", "文件 {size}", "файл в {size}", "Datei von {size}")
        }
        PrefillTarget::ScratchFile => {
            say!(lang; "scratch file of {size}", "临时文件 {size}", "временный файл в {size}",
            "Testdatei von {size}")
        }
        PrefillTarget::Device => {
            say!(lang; "device of {size}", "设备 {size}", "устройство в {size}", "Gerät von {size}")
        }
    };
    let part = if p.length == p.size {
        String::new()
    } else {
        let (length, offset) = (bytes(p.length), bytes(p.offset));
        say!(lang; ", {length} of it from {offset}", "，其中 {length}，从 {offset} 起", ", из них {length}, начиная с {offset}",
            ", davon {length} ab {offset}")
    };
    let rest = format!("   {what}{part}   {}", stack(lang, &p.stack));
    let room = width.saturating_sub(columns(&rest)).max(24);
    let width = prose_width(width);
    let mut lines = fill("", &format!("{}{rest}", fit_end(&p.target, room)), width);
    let label = |word: &str| left(word, if lang == Lang::Ru { 12 } else { 10 });
    lines.extend(wrap(&label(word!(lang; "found", "发现", "найдено", "gefunden")), &[found(lang, p)], width));
    lines.extend(wrap(
        &label(word!(lang; "filled", "填充", "заполнено", "gefüllt")),
        &filled(lang, p),
        width,
    ));
    let but = label(word!(lang; "but", "但是", "но", "aber"));
    lines.extend(p.notes.iter().flat_map(|note| wrap(&but, std::slice::from_ref(note), width)));
    lay(&lines)
}

/// The same as data: one JSON document, newline at the end.
pub fn json(p: &Prefill) -> String {
    let mut text = serde_json::to_string_pretty(p).unwrap_or_else(|e| format!("{{\"error\": \"{e}\"}}"));
    text.push('\n');
    text
}

/// What is asked before a file of the user's is filled; the last line waits for the answer.
pub fn question(lang: Lang, p: &Prefill) -> String {
    let (share, target, parts) = (percent(p.percent()), &p.target, words(lang, &p.found));
    let (noise, takes) = (bytes(p.to_write), seconds(lang, p.to_write));
    say!(lang;
        "{share} of {target} was never written ({parts}): reads there never reach the disk.\n\
         Filling writes {noise} of noise where zeros are read now ({takes}). Fill it? [y/N] ",
        "{target} 有 {share} 从未写过（{parts}）：读这些地方不会访问磁盘。\n\
         填充会在现在读出零的地方写入 {noise} 随机数据（{takes}）。要填充吗？[y/N] ",
        "{share} файла {target} никогда не записывалось ({parts}): чтения оттуда до диска не доходят.\n\
         Заполнение запишет {noise} шума туда, где сейчас читаются нули ({takes}). Заполнить? [y/N] ",
        "{share} von {target} wurden nie geschrieben ({parts}): Lesezugriffe dort erreichen die Platte nicht.\n\
         Füllen schreibt {noise} Rauschen dorthin, wo jetzt Nullen gelesen werden ({takes}). Füllen? [y/N] ")
}

/// What is asked before a read test of files that are not all there; the line waits for the answer.
pub fn question_before(lang: Lang, share: f64, of: &str, missing: u64) -> String {
    let (share, noise, takes) = (percent(share), bytes(missing), seconds(lang, missing));
    say!(lang;
        "{share} of {of} was never written; those reads never touch the disk.\n\
         Fill it now with noise, where zeros are read now ({noise}, {takes})? [y/N] ",
        "{of} 有 {share} 从未写过；读这些地方不会访问磁盘。\n\
         现在用随机数据填充读出零的地方吗（{noise}，{takes}）？[y/N] ",
        "{share} из {of} никогда не записывалось; такие чтения до диска не доходят.\n\
         Заполнить сейчас шумом там, где читаются нули ({noise}, {takes})? [y/N] ",
        "{share} von {of} wurden nie geschrieben; solche Lesezugriffe erreichen die Platte nicht.\n\
         Jetzt mit Rauschen füllen, wo Nullen gelesen werden ({noise}, {takes})? [y/N] ")
}

/// The files that such a question is about, several of them.
pub fn several(lang: Lang, files: usize, first: &str) -> String {
    say!(lang; "{files} files ({first}, ...)", "{files} 个文件（{first} 等）", "файлов: {files} ({first}, ...)", "{files} Dateien ({first}, ...)")
}

/// The same where nobody can be asked: a sentence with the command, for a note, which is data and English.
pub fn advice(share: f64, of: &str) -> String {
    format!("{}; those reads never touch the disk; to fill it: fathom prefill {of}", never_written(share, of))
}

/// What was done before a run, for a note.
pub fn filled_before(p: &Prefill) -> String {
    let share = percent(p.percent());
    format!("{} of {} ({share}) was never written and was filled before this run", bytes(p.written), p.target)
}

fn never_written(share: f64, of: &str) -> String {
    format!("{} of {of} was never written", percent(share))
}

/// Nobody knows before how fast it will be.
fn seconds(lang: Lang, n: u64) -> String {
    let takes = (n as f64 / 500e6).max(1.0);
    say!(lang; "{takes:.0} s at 500 MB/s", "以 500 MB/s 需 {takes:.0} s", "{takes:.0} s при 500 MB/s", "{takes:.0} s bei 500 MB/s")
}

fn words(lang: Lang, u: &Unfilled) -> String {
    let [holes, unwritten, zeros] = [u.holes, u.unwritten, u.zeros].map(bytes);
    let parts = [
        (u.holes, say!(lang; "{holes} in holes", "空洞 {holes}", "дыр на {holes}", "{holes} in Löchern")),
        (
            u.unwritten,
            say!(lang; "{unwritten} reserved and unwritten", "已预留未写 {unwritten}", "выделено и не записано {unwritten}",
            "{unwritten} reserviert und ungeschrieben"),
        ),
        (
            u.zeros,
            say!(lang; "{zeros} written as zeros", "写成零 {zeros}", "записано нулями {zeros}", "{zeros} als Nullen geschrieben"),
        ),
    ];
    parts.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words).collect::<Vec<_>>().join(", ")
}

fn found(lang: Lang, p: &Prefill) -> String {
    let (zero, of) = (p.zero_blocks, p.sampled_blocks);
    let sampled = say!(lang; "{zero} of {of} blocks looked at hold only zeros", "抽查的 {of} 个块中 {zero} 个全为零",
        "одни нули в {zero} из {of} проверенных блоков", "{zero} von {of} geprüften Blöcken enthalten nur Nullen");
    if p.kind == PrefillTarget::Device {
        return sampled;
    }
    if p.found.total() == 0 {
        return say!(lang; "nothing that was never written; {sampled}", "没有从未写过的部分; {sampled}",
            "незаписанных мест нет; {sampled}", "nichts, was nie geschrieben wurde; {sampled}");
    }
    let pieces = p.pieces;
    let of = match pieces {
        1 => say!(lang; "1 piece", "1 段", "кусков: 1", "1 Stück"),
        _ => say!(lang; "{pieces} pieces", "{pieces} 段", "кусков: {pieces}", "{pieces} Stücke"),
    };
    let (share, parts) = (percent(p.percent()), words(lang, &p.found).replace(", ", "; "));
    say!(lang; "{share} never written: {parts}; {of}", "{share} 从未写过：{parts}; {of}", "{share} никогда не записывалось: {parts}; {of}",
        "{share} nie geschrieben: {parts}; {of}")
}

fn filled(lang: Lang, p: &Prefill) -> Vec<String> {
    let (written, asked, took) = (bytes(p.written), bytes(p.to_write), p.seconds);
    let mut parts = vec![match p.end {
        PrefillEnd::Whole => {
            say!(lang; "nothing: there is data everywhere", "无需填充：处处都有数据", "ничего: данные есть везде",
            "nichts: überall liegen Daten")
        }
        PrefillEnd::FilledBefore => {
            say!(lang; "nothing: fathom has filled it before", "无需填充：fathom 之前已填过",
            "ничего: fathom уже заполнил его раньше", "nichts: fathom hat es früher schon gefüllt")
        }
        PrefillEnd::Declined => {
            say!(lang; "nothing: you said no", "没有填充：你选择了否", "ничего: вы ответили нет",
            "nichts: die Antwort war nein")
        }
        PrefillEnd::Interrupted => say!(lang; "{written} of {asked}, ended by a signal, not remembered",
            "{asked} 中的 {written}，被信号中止，未记录", "{written} из {asked}, прервано сигналом, не запомнено",
            "{written} von {asked}, durch ein Signal beendet, nicht vermerkt"),
        PrefillEnd::Filled => {
            let rate = p.bytes_per_second().map_or(String::new(), |r| format!(", {} MB/s", megabytes(r)));
            say!(lang; "{written} of noise in {took:.1} s{rate}", "随机数据 {written}，用时 {took:.1} s{rate}",
                "{written} шума за {took:.1} s{rate}", "{written} Rauschen in {took:.1} s{rate}")
        }
    }];
    if p.written > 0 && !p.direct {
        parts.push(
            say!(lang; "through the page cache", "经过页缓存", "через страничный кэш", "über den Page-Cache"),
        );
    }
    parts.extend(p.remembered_in.iter().map(|place| {
        say!(lang; "remembered: {place}", "已记录：{place}", "запомнено: {place}", "vermerkt: {place}")
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
            remembered_in: Some(format!("/{}", "state/".repeat(30))),
            notes: vec!["a note ".repeat(30)],
            ..Prefill::default()
        };
        let text = render(Lang::En, &p, 100);
        // A path stays whole: it is to be copied.
        let fits = |l: &str| l.chars().count() <= 100 || l.split_whitespace().count() == 1;
        assert!(text.lines().all(fits), "{text}");
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
        assert!(render(Lang::En, &p, 100).contains("not remembered"));
        assert!(question(Lang::En, &p).ends_with("[y/N] "));
    }
}
