//! Correction of a mistyped command line, such as one copied from a printed page.

use crate::option::Opt;
use crate::table;

/// Returns the command line as it was probably meant: without blanks around `=` and stray asterisks, and with ordinary
/// dashes instead of a word processor's long dashes. `None` if nothing looks wrong.
pub fn corrected(words: &[String]) -> Option<String> {
    let mut corrected: Vec<String> = Vec::new();
    let mut changed = false;
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let mut word = word.clone();
        if word == "*" {
            changed = true;
            continue;
        }
        if word.starts_with(['\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}']) {
            word = format!(
                "--{}",
                word.trim_start_matches(['\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}', '-'])
            );
            changed = true;
        }
        let dashed = word.len() > 1 && word.starts_with('-');
        if dashed
            && !word.contains('=')
            && let Some(next) = words.next_if(|next| next.starts_with('='))
        {
            word += next;
            changed = true;
        }
        if dashed
            && word.ends_with('=')
            && let Some(next) = words.next_if(|next| !next.starts_with('-'))
        {
            word += next;
            changed = true;
        }
        let flag = dashed && table::find(word.trim_start_matches('-')).is_some_and(Opt::is_flag);
        if flag && let Some(next) = words.next_if(|next| matches!(next.as_str(), "0" | "1")) {
            word += &format!("={next}");
            changed = true;
        }
        corrected.push(quoted(&word));
    }
    changed.then(|| corrected.join(" "))
}

/// Returns a word quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,%@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
