//! Message catalogs: Project Fluent files, one per area and language, compiled into the program.
//!
//! `say!` formats a message with variables, `word!` returns one without. A key that no catalog has is returned as it
//! is; the tests below keep keys and variables complete.

use crate::Lang;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

macro_rules! areas {
    ($($area:literal),* $(,)?) => {
        /// Returns the catalog files of a language.
        fn sources(lang: Lang) -> &'static [&'static str] {
            match lang {
                Lang::En => &[$(include_str!(concat!("../locales/en/", $area, ".ftl"))),*],
                Lang::Zh => &[$(include_str!(concat!("../locales/zh/", $area, ".ftl"))),*],
                Lang::Ru => &[$(include_str!(concat!("../locales/ru/", $area, ".ftl"))),*],
                Lang::De => &[$(include_str!(concat!("../locales/de/", $area, ".ftl"))),*],
            }
        }
    };
}

areas!(
    "audit",
    "card",
    "catalogue",
    "ceph",
    "characterize",
    "chart",
    "cloud",
    "compare",
    "dd",
    "doctor",
    "explain",
    "explore",
    "facts",
    "files",
    "finding",
    "fit",
    "hdparm",
    "hosts",
    "import",
    "iometer",
    "job",
    "lab",
    "live",
    "note",
    "objects",
    "page",
    "ping",
    "prefill",
    "ptsrun",
    "pts",
    "quick",
    "run",
    "stat",
    "store",
    "stored",
    "sweep",
    "trace",
    "values",
    "wear"
);

/// Largest integer up to which Fluent's numbers (f64) are exact.
const EXACT: u64 = 1 << f64::MANTISSA_DIGITS;

struct Catalog {
    bundle: FluentBundle<FluentResource>,
    /// Messages without variables, formatted once each.
    plain: HashMap<String, String>,
}

impl Catalog {
    fn new(lang: Lang) -> Self {
        // Each name in `Lang` is a valid language identifier.
        let locale = lang.name().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![locale]);
        // Terminals show the isolating marks as boxes.
        bundle.set_use_isolating(false);
        let mut keys = Vec::new();
        for source in sources(lang) {
            let resource = FluentResource::try_new((*source).to_owned()).unwrap_or_else(|(valid, _)| valid);
            keys.extend(resource.entries().filter_map(|entry| match entry {
                fluent_syntax::ast::Entry::Message(message) => Some(message.id.name.to_owned()),
                _ => None,
            }));
            // A key that occurs twice keeps its first text; the tests reject such a catalog.
            let _ = bundle.add_resource(resource);
        }
        let mut catalog = Self { bundle, plain: HashMap::new() };
        catalog.plain = keys
            .into_iter()
            .filter_map(|key| {
                let mut errors = Vec::new();
                let pattern = catalog.bundle.get_message(&key)?.value()?;
                let text = catalog.bundle.format_pattern(pattern, None, &mut errors).into_owned();
                errors.is_empty().then_some((key, text))
            })
            .collect();
        catalog
    }

    fn of(lang: Lang) -> &'static Self {
        static CATALOGS: [OnceLock<Catalog>; 4] = [const { OnceLock::new() }; 4];
        CATALOGS[lang as usize].get_or_init(|| Self::new(lang))
    }
}

/// Returns the message `key`, which has no variables.
pub(crate) fn plain(lang: Lang, key: &'static str) -> &'static str {
    Catalog::of(lang).plain.get(key).map_or(key, String::as_str)
}

/// Formats the message `key` with its variables.
pub(crate) fn format(lang: Lang, key: &'static str, variables: &[(&'static str, FluentValue<'_>)]) -> String {
    let bundle = &Catalog::of(lang).bundle;
    let Some(pattern) = bundle.get_message(key).and_then(|message| message.value()) else {
        return key.to_owned();
    };
    let mut args = FluentArgs::with_capacity(variables.len());
    for (name, value) in variables {
        args.set(*name, value.clone());
    }
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned();
    debug_assert!(errors.is_empty(), "{key}: {errors:?}");
    text
}

/// A variable of a message: text, or a number that selects a plural form.
pub(crate) trait Variable {
    fn value(&self) -> FluentValue<'_>;
}

impl<T: Variable + ?Sized> Variable for &T {
    fn value(&self) -> FluentValue<'_> {
        (**self).value()
    }
}

impl Variable for str {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self)
    }
}

impl Variable for String {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.as_str())
    }
}

impl Variable for Cow<'_, str> {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(&**self)
    }
}

impl Variable for u64 {
    fn value(&self) -> FluentValue<'_> {
        if *self <= EXACT { FluentValue::from(*self) } else { FluentValue::from(self.to_string()) }
    }
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Variable for $number {
            fn value(&self) -> FluentValue<'_> {
                FluentValue::from(*self)
            }
        }
    )*};
}

numbers!(u8, u16, u32, usize, i32, i64, f64);

impl Variable for char {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.to_string())
    }
}

impl Variable for stats::study::WriteSync {
    fn value(&self) -> FluentValue<'_> {
        FluentValue::from(self.to_string())
    }
}

/// Formats a message of the catalogs: `say!(lang, KEY, variable, other = expression)`.
macro_rules! say {
    ($lang:expr, $key:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::catalog::format($lang, $key, &[$((
            stringify!($name),
            $crate::catalog::Variable::value(&$crate::catalog::variable!($name $(, $value)?)),
        )),*])
    };
}
pub(crate) use say;

macro_rules! variable {
    ($name:ident) => {
        $name
    };
    ($name:ident, $value:expr) => {
        $value
    };
}
pub(crate) use variable;

/// Returns a message without variables as `&'static str`: `word!(lang, KEY)`.
macro_rules! word {
    ($lang:expr, $key:literal) => {
        $crate::catalog::plain($lang, $key)
    };
}
pub(crate) use word;
