//! What mails, logs and web pages put before, behind and around the lines of a result: removed before it is read.

use super::page::PageLine;

/// Lines in a row that have to be decorated alike, where a single one may be of a format.
const RUN: usize = 3;
/// Smallest indent of a quoted block, columns.
const INDENT: usize = 4;
/// Longest decoration, bytes.
const LONGEST: usize = 120;
/// Rows of HTML that may be spread over lines.
const LONGEST_ROW: usize = 60;

/// Returns the lines of a text with their numbers, from 1: quoted-printable is decoded, and a row of an HTML table is one
/// line.
pub(super) fn source_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> =
        text.split('\n').enumerate().map(|(at, line)| (at + 1, line.to_owned())).collect();
    if is_quoted_printable(text) {
        lines = decoded(&lines);
    }
    if text.contains("<tr") && text.contains("<td") { rows_joined(lines) } else { lines }
}

fn is_quoted_printable(text: &str) -> bool {
    let soft = |line: &str| line.trim_end_matches('\r').ends_with('=') && line.len() >= 60;
    text.to_lowercase().contains("transfer-encoding: quoted-printable")
        || text.matches("=3D").count() >= 2
        || (text.split('\n').filter(|line| soft(line)).count() >= 2 && text.contains("=20"))
}

/// Decodes quoted-printable: `=3D` is a byte, and `=` at the end of a line joins it with the next one.
fn decoded(lines: &[(usize, String)]) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in lines {
        let line = line.trim_end_matches('\r');
        let soft = line.ends_with('=');
        let (first, mut whole) = open.take().unwrap_or((*number, String::new()));
        whole.push_str(line.strip_suffix('=').unwrap_or(line));
        if soft {
            open = Some((first, whole));
        } else {
            out.push((first, bytes_decoded(&whole)));
        }
    }
    out.extend(open.map(|(first, whole)| (first, bytes_decoded(&whole))));
    out
}

fn bytes_decoded(line: &str) -> String {
    let mut bytes = Vec::with_capacity(line.len());
    let raw = line.as_bytes();
    let mut at = 0;
    while at < raw.len() {
        let hex = raw.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        let upper = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b)));
        match upper.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| raw[at] == b'=') {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(raw[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Joins the lines of each row of an HTML table; cells are divided by pipes.
fn rows_joined(lines: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open: Option<(usize, usize, String)> = None;
    for (number, line) in lines {
        let (first, parts, row) = match open.take() {
            Some((first, parts, mut row)) => {
                row.push(' ');
                row.push_str(line.trim());
                (first, parts + 1, row)
            }
            None if line.contains("<tr") => (number, 1, line),
            None => {
                out.push((number, line));
                continue;
            }
        };
        if !row[row.rfind("<tr").unwrap_or(0)..].contains("</tr") && parts < LONGEST_ROW {
            open = Some((first, parts, row));
            continue;
        }
        // Several rows may stand on one line.
        for row in row.split("</tr>").filter(|row| !row.trim().is_empty()) {
            let cells = ["</td>", "</th>"].iter().fold(row.to_owned(), |row, end| row.replace(end, " | "));
            out.push((first, cells));
        }
    }
    out.extend(open.map(|(first, _, row)| (first, row)));
    out
}

/// Decoration that a line begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prefix {
    /// `Nov 24 12:00:01 host fio[123]: `.
    Syslog,
    /// `[2026-11-24 12:00] `, `2026-11-24T12:00:01Z `, `[12:00:01] `.
    Stamp,
    /// `12:00:01 `.
    Clock,
    /// `name_1  | `.
    Container,
    /// `| ` or `│ `.
    Pipe,
    /// `>`.
    Quote,
    /// `# ` or `// `.
    Comment,
}

const PREFIXES: [Prefix; 7] = [
    Prefix::Syslog,
    Prefix::Stamp,
    Prefix::Clock,
    Prefix::Container,
    Prefix::Pipe,
    Prefix::Quote,
    Prefix::Comment,
];

impl Prefix {
    /// Returns the length of the decoration at the start of a line; `None` if it has none of this kind.
    fn length(self, line: &str) -> Option<usize> {
        let blank = |at: usize| at + usize::from(line.get(at..).is_some_and(|rest| rest.starts_with(' ')));
        match self {
            Prefix::Syslog => {
                let mut words = line.split_whitespace();
                let (month, day, time) = (words.next()?, words.next()?, words.next()?);
                let named = MONTHS.contains(&month) && day.parse::<u32>().is_ok_and(|day| day <= 31);
                if !named || !is_clock(time) {
                    return None;
                }
                let end = line.find("]: ").map(|at| at + 3).or_else(|| {
                    // Without a process number: the tag is the second word behind the time.
                    let tag = words.nth(1)?.strip_suffix(':')?;
                    line.find(&format!(" {tag}: ")).map(|at| at + tag.len() + 3)
                });
                end.or_else(|| line.find("]:").filter(|at| at + 2 == line.len()).map(|at| at + 2))
                    .filter(|end| *end <= LONGEST)
            }
            Prefix::Stamp => {
                let (inside, end) = match line.strip_prefix('[') {
                    Some(rest) => (rest.split(']').next()?, line.find(']')? + 1),
                    None => stamp_end(line).map(|end| (&line[..end], end))?,
                };
                is_stamp(inside).then(|| {
                    let rest = &line[end..];
                    let mark = ["| ", "- ", ": "].iter().find(|mark| rest.trim_start().starts_with(**mark));
                    let marked = mark.map(|mark| end + rest.find(mark).unwrap_or(0) + mark.len());
                    marked.unwrap_or_else(|| blank(end + usize::from(rest.starts_with(':'))))
                })
            }
            Prefix::Clock => {
                let word = line.split(' ').next()?;
                let rest = line.get(word.len()..)?;
                let mark = [" | ", " - ", " > ", ": "].iter().find(|mark| rest.starts_with(**mark));
                is_clock(word.trim_end_matches(':'))
                    .then(|| mark.map_or_else(|| blank(word.len()), |mark| word.len() + mark.len()))
            }
            Prefix::Container => {
                let (name, _) = line.split_once('|')?;
                let word = name.trim_end();
                let named = !word.is_empty()
                    && name.len() > word.len()
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
                    && word.contains(['_', '-']);
                named.then(|| blank(name.len() + 1))
            }
            Prefix::Pipe => {
                let rest = line.trim_start().strip_prefix(['|', '│', '¦'])?;
                let closed = rest.trim_end().ends_with(['|', '│']);
                // fio's percentiles begin with a pipe of their own.
                let percentiles = rest.contains("th=[");
                let start = line.len() - rest.len();
                let own = percentiles && !rest.trim_start().starts_with('|');
                (!closed && !own).then(|| blank(start))
            }
            Prefix::Quote => {
                let initials = line.bytes().take_while(u8::is_ascii_alphabetic).count();
                (initials <= 3 && line[initials..].starts_with('>')).then(|| blank(initials + 1))
            }
            Prefix::Comment => {
                let length =
                    line.strip_prefix("# ").map(|_| 2).or_else(|| line.strip_prefix("// ").map(|_| 3));
                length.or_else(|| matches!(line, "#" | "//").then_some(line.len()))
            }
        }
    }

    /// Returns whether lines without text behind the decoration, or a fio percentile row, may belong to a run.
    fn continues(self, line: &str) -> bool {
        line.is_empty() || (self == Prefix::Pipe && line.contains("th=["))
    }
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns whether a word is a time of day: `12:00:01`, `12:00:01.123`.
fn is_clock(word: &str) -> bool {
    let parts: Vec<&str> = word.trim_end_matches('Z').split(':').collect();
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit());
    (2..=3).contains(&parts.len())
        && digits(parts[0])
        && digits(parts[1])
        && parts.get(2).is_none_or(|s| {
            s.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'+' | b'-'))
                && s.get(..2).is_some_and(digits)
        })
}

/// Returns whether a text is a date with or without a time, or a time of day.
fn is_stamp(text: &str) -> bool {
    let text = text.trim();
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let bytes = date.as_bytes();
    let dated = bytes.len() == 10
        && bytes.iter().filter(|b| matches!(b, b'-' | b'/' | b'.')).count() == 2
        && bytes.iter().filter(|b| b.is_ascii_digit()).count() == 8;
    let time = time.split(' ').next().unwrap_or_default();
    (dated && (time.is_empty() || is_clock(time.split('+').next().unwrap_or_default()))) || is_clock(text)
}

/// Returns the end of a date with a time at the start of a line without brackets.
fn stamp_end(line: &str) -> Option<usize> {
    let date = line.get(..10)?;
    let rest = line.get(10..)?;
    if !is_stamp(date) || !rest.starts_with(['T', ' ']) {
        return None;
    }
    let time = rest.get(1..)?.split(' ').next()?;
    is_clock(time.split('+').next()?).then(|| 11 + time.len())
}

/// Removes decorations that at least three lines in a row have in common, also several around each other.
pub(super) fn removed(lines: &mut [PageLine]) {
    for _ in 0..4 {
        let mut any = dedented(lines);
        for prefix in PREFIXES {
            any |= removed_kind(lines, prefix);
        }
        if !any {
            break;
        }
    }
}

fn removed_kind(lines: &mut [PageLine], prefix: Prefix) -> bool {
    let mut any = false;
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        let mut decorated = 0;
        while at < lines.len() {
            let line = &lines[at].text;
            if prefix.length(line).is_some() {
                decorated += 1;
            } else if !(decorated > 0 && prefix.continues(line)) {
                break;
            }
            at += 1;
        }
        let run = &mut lines[start..at];
        let marked = |line: &PageLine| line.text.contains(" | ");
        let certain = prefix == Prefix::Clock && run.iter().any(marked)
            || matches!(prefix, Prefix::Syslog | Prefix::Stamp | Prefix::Quote);
        let enough = match prefix {
            _ if certain => 1,
            Prefix::Pipe => RUN - 1,
            _ => RUN,
        };
        if decorated >= enough && is_decoration(run, prefix) {
            for line in run {
                if let Some(length) = prefix.length(&line.text) {
                    line.text.drain(..length);
                    any = true;
                }
            }
        }
        at = at.max(start + 1);
    }
    any
}

/// Returns whether a run of lines is decorated, and not one of a format that begins its lines this way.
fn is_decoration(run: &[PageLine], prefix: Prefix) -> bool {
    let rests: Vec<&str> =
        run.iter().filter_map(|line| line.text.get(prefix.length(&line.text)?..)).map(str::trim).collect();
    match prefix {
        // vdbench begins its rows with a time and the number of the interval.
        Prefix::Clock => !rests.iter().all(|rest| {
            let word = rest.split_whitespace().next().unwrap_or_default();
            word.is_empty() || word.parse::<u32>().is_ok() || word.starts_with("avg_")
        }),
        // Commands of a root shell.
        Prefix::Comment => rests.iter().filter(|rest| is_command(rest)).count() <= 1,
        // A row of a table has cells.
        Prefix::Pipe => {
            let plain = rests.iter().filter(|rest| !rest.contains('|')).count();
            rests.iter().any(|rest| rest.contains(['=', ':', ','])) || plain * 2 > rests.len()
        }
        _ => true,
    }
}

fn is_command(text: &str) -> bool {
    let option = |word: &str| {
        word.strip_prefix("--")
            .is_some_and(|rest| rest.starts_with(char::is_alphabetic) && !rest.ends_with('-'))
    };
    text.split_whitespace().any(|word| option(word) || word.starts_with("if="))
}

/// Removes the common indent of blocks of lines, as Markdown quotes them.
fn dedented(lines: &mut [PageLine]) -> bool {
    let indent = |text: &str| text.bytes().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let mut any = false;
    let mut at = 0;
    while at < lines.len() {
        let start = at;
        while at < lines.len() && (lines[at].text.is_empty() || indent(&lines[at].text) >= INDENT) {
            at += 1;
        }
        // Rows of a format may be indented below their first one.
        let apart = start == 0 || lines[start].text.is_empty() || lines[start - 1].text.is_empty();
        let block = &mut lines[start..at];
        let filled = block.iter().filter(|line| !line.text.is_empty());
        let least = filled.clone().map(|line| indent(&line.text)).min().unwrap_or(0);
        if filled.count() >= RUN && least > 0 && apart {
            for line in block.iter_mut().filter(|line| !line.text.is_empty()) {
                line.text.drain(..least);
            }
            any = true;
        }
        at = at.max(start + 1);
    }
    any
}

#[cfg(test)]
mod tests {
    use super::super::page::TextPage;

    fn cleaned(text: &str) -> Vec<String> {
        TextPage::new("f", text.as_bytes()).lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn decorations_of_lines_in_a_row_are_removed() {
        for (before, behind) in [
            ("Nov 24 12:00:01 host fio[123]: ", ""),
            ("[2026-11-24 12:00] ", ""),
            ("2026-11-24T12:00:01.123Z ", ""),
            ("12:00:01 | ", ""),
            ("[12:00:01] ", ""),
            ("bench_1  | ", ""),
            ("| ", ""),
            ("> | ", ""),
            (">> ", ""),
            ("> > > ", ""),
            ("# ", ""),
            ("JD> ", ""),
            ("    ", ""),
            ("    > ", ""),
        ] {
            let plain = ["4+0 records in", "4+0 records out", "9 bytes copied, 1 s, 9 B/s"];
            let text: Vec<String> = plain.iter().map(|line| format!("{before}{line}{behind}")).collect();
            assert_eq!(cleaned(&text.join("\n")), plain, "{before}");
        }
    }

    #[test]
    fn rows_of_formats_that_look_decorated_stay() {
        let vdbench = "12:01:02.050   2  10.0  1.0\n12:01:03.050   3  10.0  1.0\n12:01:04.050  4  9.0  1.0";
        assert_eq!(cleaned(vdbench).join("\n"), vdbench);
        let table = "| a | b |\n|---|---|\n| 1 | 2 |";
        assert_eq!(cleaned(table).join("\n"), table);
        let percentiles = "x\n     |  1.00th=[    1],\n     | 30.00th=[    2],\n     | 99.00th=[    3]";
        assert!(cleaned(percentiles)[1..].iter().all(|line| line.trim().starts_with('|')));
    }

    #[test]
    fn quoted_printable_and_rows_of_html_are_undone() {
        assert_eq!(
            cleaned("rw=3Dread, bs=3D4k, io=\ndepth=3D1 =C2=B5s\nx"),
            ["rw=read, bs=4k, iodepth=1 us", "x"]
        );
        let table = "<table>\n<tr><th>test</th><th>IOPS</th></tr>\n<tr>\n<td>4k</td>\n<td>9</td>\n</tr>";
        let rows = cleaned(table);
        let cells: Vec<Vec<&str>> = rows
            .iter()
            .map(|row| row.split('|').map(str::trim).filter(|c| !c.is_empty()).collect())
            .collect();
        assert!(cells.contains(&vec!["test", "IOPS"]) && cells.contains(&vec!["4k", "9"]), "{rows:?}");
    }
}
