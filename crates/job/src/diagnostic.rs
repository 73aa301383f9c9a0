//! What is wrong with a command line, a job file or a section, or remarkable about it, as data; `report` has the words.

/// One thing to say about a command line or its job files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diagnostic {
    /// The value of an option is refused.
    Value(Box<crate::refused_value::RefusedValue>),
    /// Finished English text: what has no variant of its own yet.
    Text {
        /// For standard output.
        stdout: String,
        /// For standard error.
        stderr: String,
    },
}

impl Diagnostic {
    /// Returns text for standard error.
    pub fn error(stderr: impl Into<String>) -> Self {
        Diagnostic::Text { stdout: String::new(), stderr: stderr.into() }
    }
}
