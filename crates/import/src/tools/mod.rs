//! Results of fio and other tools as they printed them: text, CSV, XML and JSON, also inside mails and web pages.

mod as_ssd;
mod bench_sh;
mod bonnie;
mod command;
mod conclusion;
mod crystaldiskmark;
mod dd;
mod decoration;
mod diskspd;
mod elbencho;
mod environment;
mod filebench;
mod fio_groups;
mod fio_json;
mod fio_json_laws;
mod fio_terse;
mod fio_text;
mod hdparm;
mod iometer;
mod ioping;
mod iostat;
mod iozone;
mod link;
mod medium;
mod number;
mod page;
mod pg_test_fsync;
mod rados;
mod rate_first;
mod sysbench;
mod table;
mod typed;
mod vdbench;
mod winsat;
mod yabs;

use crate::files;
use crate::remark::Remark;
use page::TextPage;
use stats::audit::{PrintedResult, ReaderNote};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file, bytes.
const LONGEST: u64 = 64 << 20;

/// Results in texts of other tools.
#[derive(Debug, Default)]
pub struct ToolResults {
    /// Results in the order of files and lines.
    pub results: Vec<PrintedResult>,
    /// Text of each line that a result refers to is read from here: file and lines.
    pub texts: Vec<(String, Vec<String>)>,
    /// Lines of files without results of tools that have a rate which is no part of a result: file and numbers.
    pub unread: Vec<(String, Vec<usize>)>,
    /// Files that could not be read, with the reasons.
    pub skipped: Vec<(PathBuf, Remark)>,
}

impl ToolResults {
    /// Returns the text of a line of a file, from 1; empty if there is none.
    pub fn line(&self, file: &str, number: usize) -> &str {
        let lines = self.texts.iter().find(|(name, _)| name == file).map(|(_, lines)| lines);
        lines.and_then(|lines| lines.get(number.checked_sub(1)?)).map_or("", String::as_str)
    }
}

/// Reads the results in files and, recursively, directories; `-` is `input`, the text of standard input.
pub fn printed(paths: &[PathBuf], input: Option<&[u8]>) -> ToolResults {
    let mut found = ToolResults::default();
    let mut pages = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            pages.extend(input.map(|bytes| TextPage::new("-", bytes)));
            continue;
        }
        let mut paths = Vec::new();
        match std::fs::metadata(path) {
            Ok(about) if about.is_dir() => files::walk(path, &|_| true, &mut paths, &mut found.skipped),
            Ok(_) => paths.push(path.clone()),
            Err(why) => found.skipped.push((path.clone(), why.into())),
        }
        for file in paths {
            match load(&file) {
                Ok(bytes) => pages.push(TextPage::new(&file.to_string_lossy(), &bytes)),
                Err(why) => found.skipped.push((file, why)),
            }
        }
    }
    let sections: Vec<_> = pages.iter().flat_map(command::fio_sections).collect();
    for page in &pages {
        let start = found.results.len();
        let unread = read_page(page, &sections, &mut found.results);
        if found.results.len() == start
            && let Some(why) = fio_json::fault(page)
        {
            found.skipped.push((PathBuf::from(&page.file), why));
            continue;
        }
        found.results[start..].sort_by_key(|result| result.lines);
        if !unread.is_empty() {
            found.unread.push((page.file.clone(), unread));
        }
        let mut texts: Vec<String> = Vec::new();
        for line in &page.lines {
            if line.number > texts.len() {
                // Lines that were joined with the one before have no text of their own.
                texts.resize(line.number - 1, String::new());
                texts.push(line.text.clone());
            }
        }
        found.texts.push((page.file.clone(), texts));
    }
    found
}

/// Appends the results in one page, and returns the numbers of the lines with a rate that could not be read as a result. In
/// a page with results of tools, such lines are part of the tools' output or repeat it.
fn read_page(
    page: &TextPage,
    sections: &[(String, command::FioOptions)],
    out: &mut Vec<PrintedResult>,
) -> Vec<usize> {
    let start = out.len();
    fio_json::read(page, sections, out);
    fio_terse::read(page, sections, out);
    fio_text::read(page, sections, out);
    fio_groups::check(page, &mut out[start..]);
    let readers: [fn(&TextPage, &mut Vec<PrintedResult>); 19] = [
        dd::read,
        hdparm::read,
        ioping::read,
        iostat::read,
        sysbench::read,
        pg_test_fsync::read,
        bonnie::read,
        crystaldiskmark::read,
        as_ssd::read,
        diskspd::read,
        iometer::read,
        elbencho::read,
        vdbench::read,
        yabs::read,
        bench_sh::read,
        iozone::read,
        rados::read,
        filebench::read,
        winsat::read,
    ];
    for reader in readers {
        reader(page, out);
    }
    for result in &mut out[start..] {
        // The first entry of fio's percentiles holds their unit until here.
        for latency in [&mut result.latency, &mut result.sync_latency] {
            latency.percentiles.retain(|(percent, _)| *percent > 0.0);
            latency.percentiles.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
    }
    // A file of a structured format has no typed lines.
    let structured = out[start..].iter().any(|result| {
        result.lines[0] <= 1 && page.lines.len() > 1 && page.at(0).trim_start().starts_with(['{', '[', '<'])
    });
    let of_tools = out.len() > start;
    let mut unread = Vec::new();
    if !structured {
        let mut used: Vec<[usize; 2]> = out[start..].iter().map(|result| result.lines).collect();
        table::read(page, &mut used, out);
        unread = typed::read(page, &used, out);
        if of_tools {
            unread.clear();
        }
    }
    let (mut media, mut links) = (medium::StatedMedia::new(), link::StatedLinks::new());
    for result in &mut out[start..] {
        result.stated = medium::near(page, result, &mut media);
        result.link = link::near(page, result, &mut links);
    }
    conclusion::note(page, &mut out[start..]);
    environment::note(page, &mut out[start..]);
    // One result of the page says it: the one nearest to the first of these lines.
    if let Some(first) = unread.first().copied()
        && let Some(result) = out[start..].iter_mut().min_by_key(|result| result.lines[0].abs_diff(first))
    {
        result.notes.push(ReaderNote::UnreadRates { lines: unread.clone() });
    }
    unread
}

fn load(path: &Path) -> Result<Vec<u8>, Remark> {
    let mut file = files::open(path)?;
    let mut bytes = files::head(&mut file)?;
    // Of a disk image, no more than the head is read.
    if files::is_binary(&bytes) {
        return Ok(Vec::new());
    }
    file.take(LONGEST + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Remark::TooLong { most_mib: LONGEST >> 20 });
    }
    Ok(bytes)
}
