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

/// A phrase in every language, English, Chinese, Russian and German in this order, in which `format!`'s `{name}` stand
/// for variables of the place. A phrase that lacks a language does not compile.
macro_rules! say {
    ($lang:expr; $en:literal, $zh:literal, $ru:literal, $de:literal $(,)?) => {
        match $lang {
            $crate::lang::Lang::En => format!($en),
            $crate::lang::Lang::Zh => format!($zh),
            $crate::lang::Lang::Ru => format!($ru),
            $crate::lang::Lang::De => format!($de),
        }
    };
}
pub(crate) use say;

/// The same of a phrase that holds no variable, as `&'static str`.
macro_rules! word {
    ($lang:expr; $en:literal, $zh:literal, $ru:literal, $de:literal $(,)?) => {
        match $lang {
            $crate::lang::Lang::En => $en,
            $crate::lang::Lang::Zh => $zh,
            $crate::lang::Lang::Ru => $ru,
            $crate::lang::Lang::De => $de,
        }
    };
}
pub(crate) use word;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_names_its_language() {
        assert_eq!(Lang::from_locale("de_DE.UTF-8"), Some(Lang::De));
        assert_eq!(Lang::from_locale("zh"), Some(Lang::Zh));
        assert_eq!(Lang::from_locale("ru@x"), Some(Lang::Ru));
        assert_eq!(Lang::from_locale("C"), None);
        assert_eq!(word!(Lang::Zh; "read", "读", "чтение", "Lesen"), "读");
        let n = 3;
        assert_eq!(say!(Lang::De; "{n} jobs", "{n} 个任务", "заданий: {n}", "{n} Jobs"), "3 Jobs");
    }
}
