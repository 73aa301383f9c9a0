//! Suggestions for a misspelt command.

use job::suggest;
use std::path::Path;

/// Names under which other tools have such a check; in fathom the check has no command name.
const CHECK: [&str; 6] = ["check", "bench", "benchmark", "measure", "quick", "test"];

/// Returns the error message for `word`, the first argument, if it looks like a misspelt one of `commands` and is not
/// an existing file; `rest` is the next argument.
pub fn unknown<'a>(
    word: &str,
    rest: Option<&str>,
    commands: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    // An existing file is a target, and a word with a slash or a dot was meant as a target.
    if !is_word || word.starts_with('-') || Path::new(word).symlink_metadata().is_ok() {
        return None;
    }
    if CHECK.contains(&word.to_ascii_lowercase().as_str()) {
        let target = rest.unwrap_or("TARGET");
        return Some(format!("unknown command '{word}'; to check a target: fathom {target}"));
    }
    // At most one letter in three differs, so that other words are not taken for a misspelt command.
    let lower = word.to_ascii_lowercase();
    let letters = |text: &str| {
        let mut letters: Vec<char> = text.chars().collect();
        letters.sort_unstable();
        letters
    };
    // Swapped letters count as two differences, as many as those of another short name.
    let known: Vec<&str> = commands.collect();
    let swapped = known.iter().find(|name| letters(name) == letters(&lower)).copied();
    let near = swapped.or_else(|| suggest::nearest(&lower, known.into_iter()))?;
    let same = word.chars().filter(|c| near.contains(c.to_ascii_lowercase())).count();
    let slip = 3 * (word.len() - same) <= word.len() && word.len().abs_diff(near.len()) <= 2;
    slip.then(|| format!("unknown command '{word}'; did you mean {near}?"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_slip_is_guessed_and_a_path_is_left_alone() {
        let guess = |word| {
            super::unknown(word, None, ["rank", "report", "doctor", "run", "show", "list"].into_iter())
        };
        for (word, meant) in
            [("reprot", "report"), ("docter", "doctor"), ("lst", "list"), ("Show", "show"), ("rnu", "run")]
        {
            assert!(
                guess(word).is_some_and(|line| line.ends_with(&format!("did you mean {meant}?"))),
                "{word}"
            );
        }
        for word in ["data", "./reprot", "reprot.fio", "sda", "", "--reprot", "disk"] {
            assert_eq!(guess(word), None, "{word}");
        }
        assert!(guess("check").is_some_and(|line| line.ends_with("to check a target: fathom TARGET")));
    }
}
