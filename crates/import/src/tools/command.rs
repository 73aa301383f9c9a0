//! Command lines near a result: the prompt with the tool's name above the text, and fio's options in it.

use super::number;
use super::page::TextPage;
use stats::audit::{PrintedPayload, PrintedResult, PrintedSyncs};
use std::collections::BTreeMap;

/// Command line of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ToolCommand {
    /// The command from the name of the tool on.
    pub text: String,
    /// Words after the name, without quotes.
    pub words: Vec<String>,
}

/// Words that may stand before a command.
const BEFORE: [&str; 8] = ["sudo", "time", "$", "#", "%", "❯", "nice", "exec"];

/// Returns the last command with the name `tool` in the lines from `from` up to `index` (excluded).
pub(crate) fn above(page: &TextPage, from: usize, index: usize, tool: &str) -> Option<ToolCommand> {
    (from..index).rev().find_map(|at| at_line(page, at, tool))
}

/// Returns the command with the name `tool` that starts on a line, with its continuation lines.
pub(crate) fn at_line(page: &TextPage, index: usize, tool: &str) -> Option<ToolCommand> {
    let mut text = from_name(page.at(index), tool)?.to_owned();
    let mut next = index + 1;
    while let Some(open) = text.strip_suffix('\\') {
        text = format!("{} {}", open.trim_end(), page.at(next).trim());
        next += 1;
        if next > index + 40 {
            break;
        }
    }
    // Mails and pages wrap a long command without a mark.
    while next < index + 12 && is_wrapped(page.at(next)) {
        text = format!("{text} {}", page.at(next).trim());
        next += 1;
    }
    let words = words(&text);
    Some(ToolCommand { words: words.into_iter().skip(1).collect(), text })
}

/// Returns whether a line continues a command: it begins with a switch, or has one and only words with a value.
fn is_wrapped(line: &str) -> bool {
    let line = line.trim();
    let switch = |word: &str| {
        word.starts_with('-') && word[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
    };
    let first = line.split_whitespace().next().unwrap_or_default();
    switch(first) && !line.starts_with("---")
}

/// Returns the part of a line that begins with the tool's name, if it stands where a command does.
fn from_name<'a>(line: &'a str, tool: &str) -> Option<&'a str> {
    let mut at = 0;
    let mut command = true;
    for word in line.split_inclusive([' ', '\t']) {
        let name = word.trim().trim_matches('`');
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if base == tool || base.strip_suffix(".exe") == Some(tool) {
            let rest = line[at..].trim_start_matches('`').trim_end_matches('`');
            let next = rest.split_whitespace().nth(1).unwrap_or_default();
            let looks = next.starts_with('-')
                || next.contains('=')
                || next.starts_with('/')
                || next.ends_with(".fio");
            // In prose the name may stand anywhere; options behind it make it a command.
            if (command && !next.is_empty() && !next.ends_with(':')) || looks {
                return Some(rest.trim_end());
            }
        }
        let prompt =
            name.ends_with(['$', '#', '>', '%', ':']) || BEFORE.contains(&name) || name.contains('=');
        command = name.is_empty() || prompt || matches!(name, "&&" | ";" | "|" | "||");
        at += word.len();
    }
    None
}

/// Splits a command into words as a shell does, without expansions.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quote, mut open) = (None, false);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.push(c),
            None if c == '"' || c == '\'' => (quote, open) = (Some(c), true),
            None if c.is_whitespace() => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            None => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

/// fio's options by name, as given: of a command line, a job file or fio's JSON.
pub(crate) type FioOptions = BTreeMap<String, String>;

/// Returns the options of each job of a fio command line by the job's name; options before the first name are global.
pub(crate) fn fio_jobs(command: &ToolCommand) -> Vec<(String, FioOptions)> {
    let mut global = FioOptions::new();
    let mut jobs: Vec<(String, FioOptions)> = Vec::new();
    let mut words = command.words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { continue };
        let (key, value) = match option.split_once('=') {
            // "-direct= 1", as pages print it.
            Some((key, "")) => {
                (key, words.next_if(|next| !next.starts_with('-')).cloned().unwrap_or_default())
            }
            Some((key, value)) => (key, value.to_owned()),
            None => {
                let next = words.next_if(|next| !next.starts_with('-') && !next.contains('='));
                (option, next.cloned().unwrap_or_else(|| "1".to_owned()))
            }
        };
        if key == "name" && !(jobs.is_empty() && global.contains_key("name")) {
            if jobs.is_empty() {
                jobs.push((value.clone(), std::mem::take(&mut global)));
            } else {
                let shared = FioOptions::new();
                jobs.push((value.clone(), shared));
            }
            continue;
        }
        match jobs.last_mut() {
            Some((_, options)) => options.insert(key.to_owned(), value),
            None => global.insert(key.to_owned(), value),
        };
    }
    if jobs.is_empty() && !global.is_empty() {
        jobs.push((String::new(), global));
    }
    jobs
}

/// Returns the sections of fio's job files in a page, by name, with the options of `[global]`.
pub(crate) fn fio_sections(page: &TextPage) -> Vec<(String, FioOptions)> {
    let mut global = FioOptions::new();
    let mut sections: Vec<(String, FioOptions)> = Vec::new();
    let mut inside = None::<String>;
    for line in &page.lines {
        let text = line.text.trim();
        let text = text.split(" #").next().unwrap_or_default().trim();
        if let Some(name) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
            let is_name = !name.is_empty() && !name.contains(['[', ']', '%']);
            inside = is_name.then(|| name.to_owned());
            if is_name && name != "global" {
                sections.push((name.to_owned(), global.clone()));
            }
            continue;
        }
        let Some(name) = &inside else { continue };
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key.trim(), value.trim()),
            None => (text, "1"),
        };
        if key.is_empty() || key.starts_with(['#', ';']) || key.contains(char::is_whitespace) {
            if key.contains(char::is_whitespace) {
                inside = None;
            }
            continue;
        }
        match sections.last_mut().filter(|_| name != "global") {
            Some((_, options)) => options.insert(key.to_owned(), value.to_owned()),
            None => global.insert(key.to_owned(), value.to_owned()),
        };
    }
    // A section without an option of fio is one of another file format.
    sections.retain(|(_, options)| {
        ["rw", "readwrite", "ioengine", "bs", "filename", "directory"]
            .iter()
            .any(|k| options.contains_key(*k))
    });
    sections
}

/// Returns the options of a job: of the command line above it, or of a job file.
pub(crate) fn options_of(
    command: Option<&ToolCommand>,
    sections: &[(String, FioOptions)],
    name: &str,
) -> FioOptions {
    let of_command = command.map(fio_jobs).unwrap_or_default();
    let named =
        |jobs: &[(String, FioOptions)]| jobs.iter().find(|(job, _)| job == name).map(|(_, o)| o.clone());
    named(&of_command)
        .or_else(|| named(sections))
        .or_else(|| (of_command.len() == 1).then(|| of_command[0].1.clone()))
        .unwrap_or_default()
}

/// Engines with at most one I/O in flight per job.
const SYNCHRONOUS: [&str; 6] = ["sync", "psync", "vsync", "pvsync", "pvsync2", "mmap"];

/// Returns whether an engine has at most one I/O in flight; `None` for an empty name.
pub(crate) fn is_synchronous(engine: &str) -> Option<bool> {
    (!engine.is_empty()).then(|| SYNCHRONOUS.contains(&engine))
}

/// Completes a result of fio by its options, where fio's output does not state them.
pub(crate) fn complete(result: &mut PrintedResult, options: &FioOptions) {
    let get = |names: &[&str]| names.iter().find_map(|name| options.get(*name)).map(|v| v.trim());
    let flag = |name: &str| options.get(name).map(|v| v.trim() != "0");
    // A percentage is of a size that the text need not state.
    let size = |value: &str| {
        number::bytes(value, number::Base::Binary)
            .filter(|(_, rest)| !rest.starts_with('%'))
            .map(|(n, _)| n.value)
    };
    let rw = get(&["rw", "readwrite"]).map(|rw| rw.contains("rand"));
    result.random = result.random.or(rw);
    if !options.is_empty() {
        let buffered = flag("buffered").map(|b| !b);
        result.direct = result.direct.or(flag("direct").or(buffered)).or(Some(false));
    }
    if result.engine.is_empty() {
        result.engine =
            get(&["ioengine"]).unwrap_or_default().split(':').next().unwrap_or_default().to_owned();
        result.synchronous = is_synchronous(&result.engine);
    }
    result.depth = result.depth.or_else(|| get(&["iodepth"])?.parse().ok());
    let one = (!options.is_empty()).then_some(1);
    result.jobs = result.jobs.or_else(|| get(&["numjobs"])?.parse().ok()).or(one);
    if result.block.is_none() {
        result.block = get(&["bs", "blocksize"]).and_then(size).map(stats::audit::PrintedNumber::exact);
    }
    match (get(&["filename"]), get(&["directory"])) {
        (Some(file), _) if result.target.is_empty() => file.clone_into(&mut result.target),
        // A slash at the end tells a directory from a file.
        (None, Some(directory)) if result.target.is_empty() || result.target == directory => {
            result.target = format!("{}/", directory.trim_end_matches('/'));
        }
        _ => {}
    }
    let clones = if get(&["filename"]).is_some() { 1.0 } else { f64::from(result.jobs.unwrap_or(1)) };
    result.region = result.region.or_else(|| get(&["size", "filesize"]).and_then(size).map(|s| s * clones));
    let together = get(&["filename"]).is_some() && get(&["offset_increment"]).is_none();
    if together && result.random == Some(false) && result.jobs.is_some_and(|jobs| jobs > 1) {
        result.notes.push(stats::audit::ReaderNote::SharedRegion);
    }
    result.asked_seconds = result.asked_seconds.or_else(|| {
        let value = get(&["runtime", "timeout"])?;
        let (number, rest) = number::leading(value)?;
        let unit = if rest.trim().is_empty() { 1e9 } else { number::nanoseconds(rest.trim())? };
        Some(number.value * unit / 1e9)
    });
    if result.kind.writes() {
        let each = |name: &str| get(&[name]).and_then(|v| v.parse::<u64>().ok()).filter(|n| *n > 0);
        let synced = get(&["sync"]).is_some_and(|v| v != "0" && v != "none");
        let syncs = match (each("fsync").into_iter().chain(each("fdatasync")).min(), synced) {
            (Some(1), _) | (_, true) => PrintedSyncs::Each,
            (Some(_), _) => PrintedSyncs::Regular,
            (None, _) if flag("end_fsync") == Some(true) || flag("fsync_on_close") == Some(true) => {
                PrintedSyncs::AtEnd
            }
            _ => PrintedSyncs::Never,
        };
        result.syncs = result.syncs.or(Some(syncs));
    }
    let full =
        get(&["buffer_compress_percentage"]).and_then(|v| v.parse::<u32>().ok()).is_some_and(|p| p >= 90);
    if flag("zero_buffers") == Some(true) {
        result.payload = Some(PrintedPayload::Zeros);
    } else if get(&["buffer_pattern"]).is_some() || full {
        result.payload = Some(PrintedPayload::Pattern);
    } else if flag("refill_buffers") == Some(true) {
        result.payload = Some(PrintedPayload::Random);
    }
    let limits = ["rate", "rate_iops", "thinktime", "rate_process", "latency_target"];
    if limits.iter().any(|name| get(&[name]).is_some_and(|v| v != "0")) {
        result.notes.push(stats::audit::ReaderNote::RateLimited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> TextPage {
        TextPage::new("f", text.as_bytes())
    }

    #[test]
    fn commands_above_a_result_are_found() {
        let text = "root@box:~# dd if=/dev/zero of=x bs=1M count=64\nWe ran dd and liked it.\n";
        let command = above(&page(text), 0, 2, "dd").unwrap();
        assert_eq!(command.text, "dd if=/dev/zero of=x bs=1M count=64");
        let text = "$ sudo fio --name=a \\\n   --rw=randread -bs= 4k\n";
        let jobs = fio_jobs(&above(&page(text), 0, 2, "fio").unwrap());
        assert_eq!(jobs.len(), 1);
        assert_eq!(jobs[0].0, "a");
        assert_eq!(jobs[0].1["bs"], "4k");
        assert_eq!(above(&page("the tool fio is good"), 0, 1, "fio"), None);
    }

    #[test]
    fn sections_of_job_files_have_the_global_options() {
        let sections = fio_sections(&page(
            "[global]\ndirect=1 # no cache\nioengine=libaio\n\n[a]\nrw=read\nstonewall\n\n[b]\nbs=4k\n",
        ));
        assert_eq!(sections.len(), 2);
        assert_eq!(sections[0].1["direct"], "1");
        assert_eq!(sections[0].1["stonewall"], "1");
        assert_eq!(sections[1].1["bs"], "4k");
        assert!(fio_sections(&page("[Unit]\nDescription=x\n")).is_empty());
    }
}
