//! `fathom run --help`, and the switches that only `fathom run` has.

use crate::terminal;
use std::fmt::Write as _;

/// A switch of `fathom run` beside fio's: name, value and help.
pub const SWITCHES: [(&str, &str, &str); 9] = [
    ("json", "", "Print the result as JSON"),
    ("layers", "", "Print what each layer of the storage stack saw, below the card"),
    ("charts", "", "Draw small charts below the card"),
    ("fail-under", "A|B|C", "Fail (status 4) on a grade worse than this"),
    ("prefill", "yes|no|ask", "Fill unwritten ranges of an existing file before reading it [default: ask]"),
    ("store", "FILE", "Store the result in this file instead of your own store"),
    ("no-store", "", "Do not store the result"),
    ("lang", "en|zh|ru|de", "Language of the card [default: that of the locale]"),
    ("help", "", "Print this text"),
];

/// What `fathom run` does, in one line.
pub const ABOUT: &str =
    "Run fio's job options and job files, and print a card with a grade instead of fio's report";

/// The text for standard output.
pub fn text() -> String {
    let width = terminal::width();
    let row = |(name, value, help): &(&str, &str, &str)| {
        let value = if value.is_empty() { String::new() } else { format!("={value}") };
        (format!("--{name}{value}"), (*help).to_owned())
    };
    let ours: Vec<(String, String)> = SWITCHES.iter().map(row).collect();
    let fios: Vec<(String, String)> = job::doc::switch_help()
        .filter(|(name, _)| !name.starts_with("--help"))
        .map(|(name, help)| (name.to_owned(), help.to_owned()))
        .collect();
    let usage = "Usage: fathom run [SWITCHES] [JOB OPTIONS] [JOB FILES]";
    let mut text = format!("{}\n{}\n", report::paragraph(ABOUT, width), report::paragraph(usage, width));
    let _ = write!(text, "Switches of fathom run:\n{}\n", report::definitions(&ours, width));
    let _ = write!(text, "Switches of fio:\n{}\n", report::definitions(&fios, width));
    let more = "Job options are fio's, as --name=JOB --rw=randread; fathom run --cmdhelp lists them, fathom run \
                --cmdhelp=NAME explains one, man fathom has all of them. Exit status: fathom help status";
    text + &report::paragraph(more, width)
}
