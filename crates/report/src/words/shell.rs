//! Words of a command line as a shell reads them.

use std::borrow::Cow;

/// Returns a word, in quotes if a shell would read something else without them.
pub fn word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "-_=./,:+@%^~".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.into();
    }
    format!("'{}'", text.replace('\'', "'\\''")).into()
}

/// Returns words with blanks between them.
pub fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_is_what_a_shell_reads() {
        let words = ["--name=a", "--filename=my file", "", "it's", "nbd+unix:///?socket=/s"];
        assert_eq!(line(words), r"--name=a '--filename=my file' '' 'it'\''s' 'nbd+unix:///?socket=/s'");
    }
}
