//! JSON documents in fio's layout: `"key" : value`, two blanks per level, floats with six decimals.

/// JSON value. The keys of an object keep the order in which they were added.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Object(Vec<(String, Node)>),
    List(Vec<Node>),
    Int(i128),
    Float(f64),
    Text(String),
    Bool(bool),
    Null,
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Node::Text(text.to_string())
    }
}

impl From<&String> for Node {
    fn from(text: &String) -> Self {
        Node::Text(text.clone())
    }
}

impl From<f64> for Node {
    fn from(value: f64) -> Self {
        Node::Float(value)
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Node::Bool(value)
    }
}

macro_rules! whole_numbers {
    ($($kind:ty),*) => {$(
        impl From<$kind> for Node {
            fn from(value: $kind) -> Self {
                Node::Int(i128::from(value))
            }
        }
    )*};
}
whole_numbers!(u32, u64, i32);

impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        use serde_json::Value::*;
        match value {
            Null => Node::Null,
            Bool(b) => Node::Bool(b),
            Number(n) => match (n.as_u64(), n.as_i64()) {
                (Some(n), _) => Node::Int(n.into()),
                (None, Some(n)) => Node::Int(n.into()),
                _ => Node::Float(n.as_f64().unwrap_or(0.0)),
            },
            String(text) => Node::Text(text),
            Array(items) => Node::List(items.into_iter().map(Node::from).collect()),
            // What is not known is left out.
            Object(map) => Node::Object(
                map.into_iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k, v.into())).collect(),
            ),
        }
    }
}

impl Node {
    /// Returns an object with these keys and values.
    pub fn object<const N: usize>(pairs: [(&str, Node); N]) -> Node {
        Node::Object(pairs.map(|(key, value)| (key.to_string(), value)).into())
    }

    /// Adds a key to an object; other values are not changed.
    pub fn push(&mut self, key: &str, value: impl Into<Node>) {
        if let Node::Object(pairs) = self {
            pairs.push((key.to_string(), value.into()));
        }
    }

    /// Returns the document as text, newline at the end.
    pub fn render(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, level: usize) {
        match self {
            Node::Object(pairs) => {
                out.push('{');
                for (at, (key, value)) in pairs.iter().enumerate() {
                    out.push_str(if at == 0 { "\n" } else { ",\n" });
                    indent(out, level + 1);
                    quote(out, key);
                    out.push_str(" : ");
                    value.write(out, level + 1);
                }
                out.push('\n');
                indent(out, level);
                out.push('}');
            }
            Node::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "\n" } else { ",\n" });
                    indent(out, level + 1);
                    item.write(out, level + 1);
                }
                out.push('\n');
                indent(out, level);
                out.push(']');
            }
            Node::Int(value) => out.push_str(&value.to_string()),
            // JSON has no NaN and no infinity; no figure of ours means either.
            Node::Float(value) => {
                out.push_str(&format!("{:.6}", if value.is_finite() { *value } else { 0.0 }))
            }
            Node::Text(text) => quote(out, text),
            Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Node::Null => out.push_str("null"),
        }
    }
}

fn indent(out: &mut String, level: usize) {
    (0..level).for_each(|_| out.push_str("  "));
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_and_any_number_is_valid_json() {
        let all: String =
            (0u32..0x300).filter_map(char::from_u32).chain(['\u{fffd}', '\u{2028}', '\u{10ffff}']).collect();
        let node = Node::object([
            (all.as_str(), Node::from(all.as_str())),
            ("floats", Node::List(vec![f64::NAN.into(), f64::INFINITY.into(), (-0.5).into()])),
            ("whole", u64::MAX.into()),
            ("empty", Node::Object(Vec::new())),
            ("none", Node::List(Vec::new())),
        ]);
        let parsed: serde_json::Value = serde_json::from_str(&node.render()).unwrap();
        assert_eq!(parsed[&all], all.as_str());
        assert_eq!(parsed["floats"][0], 0.0);
        assert_eq!(parsed["whole"], u64::MAX);
    }
}
