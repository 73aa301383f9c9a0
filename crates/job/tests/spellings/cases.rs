//! What is typed.

use job::option::{Compat, Opt, Section};
use job::table;
use std::collections::BTreeSet;

/// Something to type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Case {
    /// A word of the command line, after a name, an engine and a size.
    Word(String),
    /// Lines of a job.
    Line(String),
}

impl Case {
    /// The case in one line.
    pub fn text(&self) -> String {
        match self {
            Case::Word(word) => word.clone(),
            Case::Line(line) => format!("job file: {}", line.escape_default()),
        }
    }
}

/// Switches of fio that change nothing but the report.
const SWITCHES: [&str; 9] = [
    "append-terse=",
    "append-terse",
    "minimal",
    "minimal=",
    "minimal=1",
    "eta=never",
    "eta-interval=1s",
    "terse-version=3",
    "warnings-fatal",
];

/// An option of each type, for values.
const TYPES: [&str; 13] = [
    "direct",
    "group_reporting",
    "iodepth",
    "bs",
    "bssplit",
    "size",
    "runtime",
    "percentile_list",
    "rw",
    "rwmixread",
    "random_distribution",
    "fallocate",
    "sync",
];

const VALUES: [&str; 29] = [
    "",
    "0",
    "1",
    "2",
    "-1",
    "true",
    "yes",
    "4k",
    "4K",
    "4KiB",
    "4kb",
    "0x10",
    "1m",
    "1h",
    "500ms",
    "10us",
    "1.5",
    "50%",
    "1024z",
    "4k-8k",
    "4k,8k",
    "1x",
    " 1",
    "1 ",
    "\"1\"",
    "read",
    "none",
    "4k/50:8k/50",
    "1,2,3,4",
];

/// Forms of a line in a job file.
const FORMS: [&str; 24] = [
    "OPT",
    "OPT=",
    "OPT =1",
    "OPT= 1",
    "OPT = 1",
    "  OPT=1",
    "\tOPT=1",
    "OPT=1 ",
    "OPT=1;",
    "OPT=1 ; x",
    "OPT=1 # x",
    "#OPT=x",
    ";OPT=x",
    "\"OPT=1\"",
    "OPT='1'",
    "OPT=\"1\"",
    "OPT:1",
    "OPT 1",
    "OPT==1",
    "OPT=1\nOPT=1",
    "--OPT=1",
    "OPT=1=2",
    "[b]\nOPT=1",
    "OPT=1\r",
];

/// Lines that were once taken by fio and not by fathom.
const LINES: [&str; 8] = [
    "threads=1",
    "numruns=2",
    "dir=/tmp",
    "block=4096",
    "buffer_pattern=\"abcd\"-120xdeadface",
    "buffer_pattern=1200xab",
    "buffer_pattern=-10x",
    "buffer_pattern=00xab",
];

/// Whether fio 3.33 has the option for every job, and fathom works with it.
fn is_fios(row: &Opt) -> bool {
    let anywhere = row.engines.is_empty() || row.section == Section::Profile;
    anywhere
        && !row.newer()
        && !matches!(row.compat, Compat::NotYet | Compat::Refused(_) | Compat::Ours | Compat::Newer)
}

/// All cases in order, each once.
pub fn all() -> Vec<Case> {
    let mut cases = BTreeSet::new();
    for row in table::rows().filter(|row| is_fios(row)) {
        for name in std::iter::once(&row.name).chain(row.aliases) {
            // The first letters are mostly ambiguous; the last one is what people leave away.
            let lengths = (1..=name.len()).filter(|n| *n <= 3 || n + 1 == name.len());
            cases.extend(lengths.map(|n| Case::Word(format!("--{}=1", &name[..n]))));
        }
    }
    cases.extend(SWITCHES.iter().map(|switch| Case::Word(format!("--{switch}"))));
    for name in TYPES.into_iter().filter(|name| table::find(name).is_some_and(is_fios)) {
        cases.extend(VALUES.iter().map(|value| Case::Word(format!("--{name}={value}"))));
    }
    for name in ["iodepth", "direct", "runtime"] {
        cases.extend(FORMS.iter().map(|form| Case::Line(form.replace("OPT", name))));
    }
    cases.extend(LINES.iter().map(|line| Case::Line(line.to_string())));
    cases.into_iter().collect()
}
