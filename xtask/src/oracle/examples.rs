//! Comparison of the job file parsers: every job file of a directory, such as fio's examples (Debian's package
//! fio-examples), is read by both programs with `--parse-only` and with `--showcmd`.
//!
//! A line whose option or value fathom refuses as not built is removed for both programs, and the rest is compared.

use crate::Tally;
use crate::tool::Tool;
use anyhow::{Context as _, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use testbed::Sandbox;
use testbed::child::Ran;

const LIMIT: Duration = Duration::from_secs(20);
/// Directory of Debian's package fio-examples.
pub(super) const DEFAULT: &str = "/usr/share/doc/fio/examples";
/// Name of the copy of a job file that is read.
const COPY: &str = "example.fio";

pub(super) fn run(fathom: &Tool, fio: &Tool, dir: &Path) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut files: Vec<PathBuf> = match std::fs::read_dir(dir) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?,
        Err(why) => {
            println!(
                "SKIP xtask::oracle::examples: {}: {why} (Debian's package fio-examples)",
                dir.display()
            );
            return Ok(tally);
        }
    };
    files.retain(|file| file.extension().is_some_and(|extension| extension == "fio"));
    files.sort();
    let mut blocking: BTreeMap<String, usize> = BTreeMap::new();
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file)?).into_owned();
        let (not_built, problems) =
            compare(fathom, fio, &text).with_context(|| file.display().to_string())?;
        let verdict = tally.add(problems.is_empty());
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let lacking: Vec<&str> = not_built.iter().map(String::as_str).collect();
        let lacking =
            if lacking.is_empty() { String::new() } else { format!(", not built: {}", lacking.join(" ")) };
        println!("{verdict:4} {name}{lacking}");
        problems.iter().for_each(|problem| println!("     {problem}"));
        not_built.into_iter().for_each(|option| *blocking.entry(option).or_default() += 1);
    }
    let mut blocking: Vec<(String, usize)> = blocking.into_iter().collect();
    blocking.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let blocking: Vec<String> =
        blocking.into_iter().map(|(option, files)| format!("{option} ({files})")).collect();
    println!("oracle: {} files are read as fio reads them, {} are not", tally.passed, tally.failed);
    println!("options and values that are not built, with the number of files: {}", blocking.join(", "));
    Ok(tally)
}

/// Returns the options and values of a job file that are not built, and all differences in the rest of the file.
fn compare(fathom: &Tool, fio: &Tool, text: &str) -> Result<(BTreeSet<String>, Vec<String>)> {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut not_built = BTreeSet::new();
    loop {
        let ours = read(fathom, "--parse-only", &lines.join("\n"))?;
        let refused: Vec<(usize, String)> = ours.stderr.lines().filter_map(not_built_at).collect();
        if refused.is_empty() {
            break;
        }
        for (line, option) in refused {
            let line =
                lines.get_mut(line.wrapping_sub(1)).context("a diagnostic names a line that is not there")?;
            *line = "";
            not_built.insert(option);
        }
    }
    let text = lines.join("\n");
    let mut problems = Vec::new();
    for switch in ["--parse-only", "--showcmd"] {
        let (theirs, ours) = (read(fio, switch, &text)?, read(fathom, switch, &text)?);
        if theirs.code != ours.code {
            problems.push(format!("{switch}: exit status {:?}, fathom {:?}", theirs.code, ours.code));
        }
        // fathom's own lines begin with the place. Of several known names that are equally similar to an unknown one,
        // fio suggests the first in its own order.
        let errors = |ran: &Ran| -> Vec<String> {
            let fios = ran.stderr.lines().filter(|line| !line.starts_with(COPY));
            fios.map(|line| if line.starts_with("Did you mean ") { "Did you mean" } else { line }.to_owned())
                .collect()
        };
        // fio begins to print the command of a file in which it then finds an error.
        let commands = |ran: &Ran| -> Vec<String> {
            let complete =
                ran.stdout.lines().filter(|line| ran.code == Some(0) && line.starts_with("fio --"));
            complete.map(str::to_owned).collect()
        };
        for (theirs, ours) in [(errors(&theirs), errors(&ours)), (commands(&theirs), commands(&ours))] {
            if theirs != ours {
                problems.push(format!("{switch}: fio {theirs:?}, fathom {ours:?}"));
            }
        }
    }
    Ok((not_built, problems))
}

/// Returns the line number and the option of a diagnostic about an option or a value that is not built: the name, and
/// the value where only that is not built.
fn not_built_at(diagnostic: &str) -> Option<(usize, String)> {
    let rest = diagnostic.strip_prefix(COPY)?.strip_prefix(':')?;
    let (line, rest) = rest.split_once(": ")?;
    let (typed, why) = rest.split_once(": ")?;
    let name = typed.split_once('=').map_or(typed, |(name, _)| name);
    let of_value = why.strip_prefix("not built yet;").is_some();
    (why.starts_with("not built yet")).then_some(())?;
    Some((line.parse().ok()?, if of_value { typed } else { name }.to_owned()))
}

fn read(tool: &Tool, switch: &str, text: &str) -> Result<Ran> {
    let sandbox = Sandbox::new()?;
    std::fs::write(sandbox.join(COPY), text)?;
    tool.run(&[switch.to_owned(), COPY.to_owned()], sandbox.path(), None, LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostics_name_the_line_and_what_is_not_built() {
        for (diagnostic, found) in [
            ("example.fio:9: thinktime=2000: not built yet", Some((9, "thinktime"))),
            ("example.fio:16: write_bw_log: not built yet", Some((16, "write_bw_log"))),
            (
                "example.fio:3: ioengine=net: not built yet; must be one of sync, psync",
                Some((3, "ioengine=net")),
            ),
            ("example.fio:3: rw=x: must be one of read, write", None),
            ("fio: job a dropped", None),
        ] {
            let found = found.map(|(line, option): (usize, &str)| (line, option.to_owned()));
            assert_eq!(not_built_at(diagnostic), found, "{diagnostic}");
        }
    }
}
