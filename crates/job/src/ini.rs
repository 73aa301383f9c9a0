//! Lexer of job files: sections, options and includes with their line numbers.

/// Contents of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'t> {
    /// Title of a section (`[title]`): as in fio, the text between the bracket and the last character of the line.
    Section(&'t str),
    /// Name of an included file (`include FILE`).
    Include(&'t str),
    /// Option: `name` or `name=value`.
    Option(&'t str),
}

/// Returns the lines that are not empty, numbered from 1, without comments; `;` and `#` begin a comment anywhere.
pub fn lines(text: &str) -> impl Iterator<Item = (u32, Line<'_>)> {
    text.split('\n').enumerate().filter_map(|(at, line)| {
        let line = line.split([';', '#']).next().unwrap_or_default().trim();
        let number = at.min(u32::MAX as usize - 1) as u32 + 1;
        let include = line.strip_prefix("include").filter(|rest| rest.starts_with([' ', '\t', '=']));
        let said = match (line.strip_prefix('['), include) {
            _ if line.is_empty() => return None,
            (Some(title), _) if !title.is_empty() => {
                Line::Section(title.char_indices().next_back().map_or("", |(last, _)| &title[..last]))
            }
            (_, Some(rest)) => Line::Include(rest.trim_start_matches([' ', '\t', '='])),
            _ => Line::Option(line),
        };
        Some((number, said))
    })
}

/// Splits an option into name and value. Blanks before `=` are dropped; blanks after it belong to the value.
pub fn split(option: &str) -> (&str, Option<&str>) {
    match option.split_once('=') {
        Some((name, value)) => (name.trim_end(), Some(value)),
        None => (option, None),
    }
}

/// Replaces each `${NAME}` with the value that `env` returns; `None` is replaced with nothing.
pub fn expand(text: &str, env: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, behind)) = after.split_once('}') else { break };
        out += before;
        out += &env(name).unwrap_or_default();
        rest = behind;
    }
    out + rest
}

/// Replaces `$pagesize`, `$mb_memory` and `$ncpus`, and then evaluates the value if it is an arithmetic expression.
pub fn keywords(value: &str, of: impl Fn(&str) -> u64) -> String {
    let mut out = value.to_owned();
    for name in ["pagesize", "mb_memory", "ncpus"] {
        let word = format!("${name}");
        if out.contains(&word) {
            out = out.replace(&word, &of(name).to_string());
        }
    }
    let computed = out != value && out.contains(['+', '-', '*', '/']);
    if computed && let Some(result) = (Sum { text: out.as_bytes() }).whole() {
        return result.to_string();
    }
    out
}

/// Evaluator of integer expressions with `+ - * /` and parentheses, for which fio calls `bc`.
struct Sum<'t> {
    text: &'t [u8],
}

impl Sum<'_> {
    fn whole(mut self) -> Option<i128> {
        let value = self.sum(0)?;
        self.blanks();
        self.text.is_empty().then_some(value)
    }

    fn blanks(&mut self) {
        self.text = self.text.trim_ascii_start();
    }

    fn next(&mut self, wanted: &[u8]) -> Option<u8> {
        self.blanks();
        let first = *self.text.first().filter(|c| wanted.contains(c))?;
        self.text = &self.text[1..];
        Some(first)
    }

    fn sum(&mut self, depth: u32) -> Option<i128> {
        let mut value = self.product(depth)?;
        while let Some(sign) = self.next(b"+-") {
            let term = self.product(depth)?;
            value = if sign == b'+' { value.checked_add(term)? } else { value.checked_sub(term)? };
        }
        Some(value)
    }

    fn product(&mut self, depth: u32) -> Option<i128> {
        let mut value = self.factor(depth)?;
        while let Some(sign) = self.next(b"*/") {
            let factor = self.factor(depth)?;
            value = if sign == b'*' { value.checked_mul(factor)? } else { value.checked_div(factor)? };
        }
        Some(value)
    }

    fn factor(&mut self, depth: u32) -> Option<i128> {
        if depth > 32 {
            return None;
        }
        if self.next(b"-").is_some() {
            return self.factor(depth + 1)?.checked_neg();
        }
        if self.next(b"(").is_some() {
            let value = self.sum(depth + 1)?;
            return self.next(b")").map(|_| value);
        }
        self.blanks();
        let digits = self.text.iter().take_while(|c| c.is_ascii_digit()).count();
        let (number, rest) = self.text.split_at(digits);
        self.text = rest;
        std::str::from_utf8(number).ok()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_cut_into_lines_as_fio_cuts_it() {
        let text = "; c\n[a] # b\r\n bs =4k;x\n\nrw= read\n[]\n[x\ninclude  f.inc\nincludes=1\n[a]b\n";
        let said: Vec<_> = lines(text).collect();
        assert_eq!(
            said,
            [
                (2, Line::Section("a")),
                (3, Line::Option("bs =4k")),
                (5, Line::Option("rw= read")),
                (6, Line::Section("")),
                (7, Line::Section("")),
                (8, Line::Include("f.inc")),
                (9, Line::Option("includes=1")),
                (10, Line::Section("a]")),
            ]
        );
        assert_eq!(split("bs =4k"), ("bs", Some("4k")));
        assert_eq!(split("rw= read"), ("rw", Some(" read")));
        assert_eq!(split("thread"), ("thread", None));
    }

    #[test]
    fn words_are_replaced() {
        let env = |name: &str| (name == "A").then(|| "x".to_owned());
        assert_eq!(expand("${A}-${B}-${A", env), "x--${A");
        let of = |name: &str| if name == "ncpus" { 8 } else { 4096 };
        assert_eq!(keywords("$ncpus", of), "8");
        assert_eq!(keywords("$ncpus*2+(3-1)/2", of), "17");
        assert_eq!(keywords("$ncpus/0", of), "8/0");
        assert_eq!(keywords("a-b", of), "a-b");
        let overflow = ["$pagesize"; 12].join("*");
        assert_eq!(keywords(&overflow, of), ["4096"; 12].join("*"));
    }
}
