//! The few elements of XML that S3's answers are made of.

/// Returns the text of the first element with this name, as it is written; `None` if there is none.
pub(crate) fn raw<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = text;
    loop {
        let start = rest.find('<')? + 1;
        rest = &rest[start..];
        let Some(after) = rest.strip_prefix(name) else { continue };
        let content = match after.as_bytes().first()? {
            b'>' => &after[1..],
            // Attributes, as the name space of the root.
            b' ' => &after[after.find('>')? + 1..],
            // An empty element.
            b'/' => return Some(""),
            _ => continue,
        };
        let end = content.find(&format!("</{name}>"))?;
        return Some(&content[..end]);
    }
}

/// Returns the text of the first element with this name, with its entities replaced.
pub(crate) fn text(text: &str, name: &str) -> Option<String> {
    raw(text, name).map(unescape)
}

/// Returns the texts of all elements with this name, as they are written.
pub(crate) fn all<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    let parts = text.split(open.as_str()).skip(1);
    parts.filter_map(|part| part.find(&close).map(|end| &part[..end])).collect()
}

/// Returns `text` with the characters that XML reserves as entities.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(';').unwrap_or(0);
        let character = match &rest[..=end] {
            "&amp;" => Some('&'),
            "&lt;" => Some('<'),
            "&gt;" => Some('>'),
            "&quot;" => Some('"'),
            "&apos;" => Some('\''),
            entity => entity
                .strip_prefix("&#")
                .and_then(|number| number.strip_suffix(';'))
                .and_then(|number| match number.strip_prefix('x') {
                    Some(hex) => u32::from_str_radix(hex, 16).ok(),
                    None => number.parse().ok(),
                })
                .and_then(char::from_u32),
        };
        match character {
            Some(character) => {
                out.push(character);
                rest = &rest[end + 1..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn elements_are_found_by_their_whole_name() {
        let xml = "<?xml version=\"1.0\"?><L xmlns=\"x\"><KeyCount>2</KeyCount><Key>a&amp;b&#33;</Key><Key>c</Key><E/></L>";
        assert_eq!(text(xml, "Key").as_deref(), Some("a&b!"));
        assert_eq!(text(xml, "E").as_deref(), Some(""));
        assert_eq!(text(xml, "Ke"), None);
        assert_eq!(all(xml, "Key"), ["a&amp;b&#33;", "c"]);
        assert!(raw(xml, "L").is_some_and(|inner| inner.starts_with("<KeyCount>")));
    }

    proptest! {
        #[test]
        fn escaped_text_is_read_back(original in ".*") {
            prop_assert_eq!(unescape(&escape(&original)), original);
        }

        #[test]
        fn any_text_can_be_searched(xml in "[<>/&;#a-z ]{0,60}") {
            let _ = (text(&xml, "a"), all(&xml, "a"));
        }
    }
}
