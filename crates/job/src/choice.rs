//! Named values of an option (`rw=randread`).

/// One of the names that an option takes as its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// As typed.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Whether fathom can do it.
    pub built: bool,
}

/// Returns a choice that works.
pub const fn choice(name: &'static str, help: &'static str) -> Choice {
    Choice { name, help, built: true }
}

/// Returns a choice that is recognised and refused.
pub const fn not_built(name: &'static str, help: &'static str) -> Choice {
    Choice { name, help, built: false }
}

/// Returns the list that fio prints on stdout when no choice has the name that was typed.
pub fn valid_values(choices: &[Choice]) -> String {
    let mut text = String::new();
    for (at, choice) in choices.iter().enumerate() {
        let lead = if at == 0 { "        valid values: " } else { "                    : " };
        text += &format!("{lead}{:<10} {}\n", choice.name, choice.help);
    }
    text + "\n"
}

/// Returns the names of the choices that work, separated by commas.
pub fn built_names(choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().filter(|choice| choice.built).map(|choice| choice.name).collect();
    names.join(", ")
}
