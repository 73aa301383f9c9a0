//! The languages that fathom speaks. `fathom fio` speaks fio's, and data (JSON, CSV) has none.

/// A language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
    /// Russian.
    Ru,
    /// German.
    De,
}

impl Lang {
    /// All of them.
    pub const ALL: [Lang; 4] = [Lang::En, Lang::Zh, Lang::Ru, Lang::De];

    /// As `--lang` and a page's `lang` attribute have it.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
            Lang::Ru => "ru",
            Lang::De => "de",
        }
    }

    /// What a locale asks for: `de_DE.UTF-8`, `zh`, `C`; `None` for a language that is not spoken here.
    pub fn from_locale(locale: &str) -> Option<Lang> {
        let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
        Lang::ALL.into_iter().find(|lang| lang.name() == language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language() {
        assert_eq!(Lang::from_locale("de_DE.UTF-8"), Some(Lang::De));
        assert_eq!(Lang::from_locale("zh"), Some(Lang::Zh));
        assert_eq!(Lang::from_locale("ru@x"), Some(Lang::Ru));
        assert_eq!(Lang::from_locale("C"), None);
    }
}
