//! Language of the output: that of `--lang`, else that of the locale.

use report::Lang;
use std::ffi::OsString;

/// Values of `--lang`, for messages.
pub const SPOKEN: &str = "en, zh, ru or de";

/// Parses the value of `--lang`.
///
/// # Errors
/// A message for the user if `name` is none of [`SPOKEN`].
pub fn parse(name: &str) -> Result<Lang, String> {
    Lang::ALL.into_iter().find(|lang| lang.name() == name).ok_or_else(|| format!("one of {SPOKEN} is right"))
}

/// Returns `asked`, else the language of the locale: the first of LC_ALL, LC_MESSAGES and LANG that is set and not
/// empty decides. A language that fathom does not have becomes English.
pub fn or_locale(asked: Option<Lang>) -> Lang {
    asked.unwrap_or_else(|| of_locale(|name| std::env::var_os(name)))
}

fn of_locale(variable: impl Fn(&str) -> Option<OsString>) -> Lang {
    let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable);
    let locale = set.into_iter().find(|value| !value.is_empty()).unwrap_or_default();
    Lang::from_locale(&locale.to_string_lossy()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let lang = |set: &[(&str, &str)]| {
            of_locale(|name| set.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value)))
        };
        assert_eq!(lang(&[]), Lang::En);
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8")]), Lang::De);
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8"), ("LC_MESSAGES", "ru_RU")]), Lang::Ru);
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8"), ("LC_MESSAGES", "ru_RU"), ("LC_ALL", "zh_CN")]), Lang::Zh);
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]), Lang::En);
        assert_eq!(lang(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "")]), Lang::De);
        assert_eq!(lang(&[("LC_ALL", "pt_BR.UTF-8"), ("LANG", "de_DE")]), Lang::En);
        assert_eq!((parse("zh"), parse("fr").is_err()), (Ok(Lang::Zh), true));
    }
}
