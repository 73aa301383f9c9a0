//! Named values of an option (`rw=randread`).

/// Named value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name as typed.
    pub name: &'static str,
    /// Help text of the value.
    pub help: &'static str,
    /// Whether fathom has built this value; else the value is recognised and refused.
    pub built: bool,
    /// Name of the hardware, library or system that the value needs and fathom does not use; empty if there is none.
    /// Such a value is refused for good.
    pub needs: &'static str,
}

/// Returns a choice that fathom has built.
pub const fn choice(name: &'static str, help: &'static str) -> Choice {
    Choice { name, help, built: true, needs: "" }
}

/// Returns a choice that is refused because fathom does not use what it needs: hardware, a library or another system.
pub const fn needs(name: &'static str, help: &'static str, needs: &'static str) -> Choice {
    Choice { name, help, built: false, needs }
}

/// Returns the list of valid values that fio prints on standard output after an unknown value.
pub fn valid_values(choices: &[Choice]) -> String {
    let mut text = String::new();
    for (at, choice) in choices.iter().enumerate() {
        let lead = if at == 0 { "        valid values: " } else { "                    : " };
        text += &format!("{lead}{:<10} {}\n", choice.name, choice.help);
    }
    text + "\n"
}

/// Returns the names of all built choices, separated by commas.
pub fn built_names(choices: &[Choice]) -> String {
    let names: Vec<&str> = choices.iter().filter(|choice| choice.built).map(|choice| choice.name).collect();
    names.join(", ")
}
