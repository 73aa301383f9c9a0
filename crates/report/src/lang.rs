//! Languages of the output. `fathom fio` prints fio's English, and data (JSON, CSV) has English texts.

/// Language of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English, also used for data and for languages without a catalog.
    #[default]
    En,
    /// Simplified Chinese, `zh`.
    Zh,
    /// Russian, `ru`.
    Ru,
    /// German, `de`.
    De,
}

impl Lang {
    /// Languages with a catalog.
    pub const ALL: [Lang; 4] = [Lang::En, Lang::Zh, Lang::Ru, Lang::De];

    /// Returns the code of the language, as in `--lang` and the `lang` attribute of a page.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh",
            Lang::Ru => "ru",
            Lang::De => "de",
        }
    }

    /// Returns the language of a locale such as `de_DE.UTF-8`, `zh` or `C`; `None` if there are no catalogs for it.
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
