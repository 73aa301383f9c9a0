//! Results of fio and other tools as they printed them: text, CSV, XML and JSON, also inside mails and web pages.

mod as_ssd;
mod bonnie;
mod command;
mod crystaldiskmark;
mod dd;
mod diskspd;
mod elbencho;
mod fio_json;
mod fio_terse;
mod fio_text;
mod hdparm;
mod iometer;
mod ioping;
mod iostat;
mod medium;
mod number;
mod page;
mod pg_test_fsync;
mod sysbench;
mod typed;
mod vdbench;
mod yabs;

use crate::remark::Remark;
use page::TextPage;
use stats::audit::PrintedResult;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Largest file, bytes.
const LONGEST: u64 = 64 << 20;
/// Flag of open(2): a read that would wait fails.
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits() as i32;
/// Largest depth of directories.
const DEEPEST: usize = 16;

/// Results in texts of other tools.
#[derive(Debug, Default)]
pub struct ToolResults {
    /// Results in the order of files and lines.
    pub results: Vec<PrintedResult>,
    /// Text of each line that a result refers to is read from here: file and lines.
    pub texts: Vec<(String, Vec<String>)>,
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
        let mut files = Vec::new();
        match std::fs::metadata(path) {
            Ok(about) if about.is_dir() => walk(path, 0, &mut files, &mut found.skipped),
            Ok(_) => files.push(path.clone()),
            Err(why) => found.skipped.push((path.clone(), why.into())),
        }
        for file in files {
            match load(&file) {
                Ok(bytes) => pages.push(TextPage::new(&file.to_string_lossy(), &bytes)),
                Err(why) => found.skipped.push((file, why)),
            }
        }
    }
    let sections: Vec<_> = pages.iter().flat_map(command::fio_sections).collect();
    for page in &pages {
        let start = found.results.len();
        read_page(page, &sections, &mut found.results);
        found.results[start..].sort_by_key(|result| result.lines);
        let mut texts: Vec<String> = Vec::new();
        for line in &page.lines {
            if line.number > texts.len() {
                texts.push(line.text.clone());
            }
        }
        found.texts.push((page.file.clone(), texts));
    }
    found
}

/// Appends the results in one page.
fn read_page(page: &TextPage, sections: &[(String, command::FioOptions)], out: &mut Vec<PrintedResult>) {
    let start = out.len();
    fio_json::read(page, sections, out);
    fio_terse::read(page, sections, out);
    fio_text::read(page, sections, out);
    let readers: [fn(&TextPage, &mut Vec<PrintedResult>); 14] = [
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
    if !structured {
        let used: Vec<[usize; 2]> = out[start..].iter().map(|result| result.lines).collect();
        typed::read(page, &used, out);
    }
    for result in &mut out[start..] {
        result.stated = medium::near(page, result);
    }
}

fn walk(directory: &Path, depth: usize, files: &mut Vec<PathBuf>, skipped: &mut Vec<(PathBuf, Remark)>) {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(why) => return skipped.push((directory.to_path_buf(), why.into())),
    };
    let mut paths: Vec<(PathBuf, bool)> =
        entries.flatten().map(|entry| (entry.path(), entry.file_type().is_ok_and(|t| t.is_dir()))).collect();
    paths.sort_by(|(a, _), (b, _)| alphanumeric_sort::compare_path(a, b));
    for (path, is_directory) in paths {
        if !is_directory {
            files.push(path);
        } else if depth < DEEPEST {
            walk(&path, depth + 1, files, skipped);
        }
    }
}

fn load(path: &Path) -> Result<Vec<u8>, Remark> {
    // Opening a pipe without a writer would block forever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Remark::NotRegular);
    }
    let mut bytes = Vec::new();
    // Some files of the kernel look regular and block.
    let open =
        std::os::unix::fs::OpenOptionsExt::custom_flags(File::options().read(true), NONBLOCK).open(path)?;
    open.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(Remark::TooLong);
    }
    Ok(if is_binary(&bytes) { Vec::new() } else { bytes })
}

/// Returns whether bytes are no text: zeros outside of UTF-16, or many that are no UTF-8 in the first kilobytes. Data files
/// lie beside the results of benchmarks.
fn is_binary(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(8192)];
    let wide = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    let wrong = String::from_utf8_lossy(head).chars().filter(|c| *c == char::REPLACEMENT_CHARACTER).count();
    !wide && (head.iter().filter(|byte| **byte == 0).count() > head.len() / 50 || wrong > head.len() / 10)
}
