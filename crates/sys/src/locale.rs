//! What the C library knows of the user's locale: whether it is installed decides on its character set.

use std::ffi::CStr;

/// Properties of a locale that change how a program prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    /// Whether the character set is UTF-8.
    pub utf8: bool,
    /// Decimal separator.
    pub radix: String,
}

/// Sets the locale of characters and numbers from the environment, and returns its properties. Must be called before the
/// program has a second thread.
pub fn from_environment() -> Locale {
    let text = |item| {
        // SAFETY: nl_langinfo returns a string of the C library that is valid until the next setlocale; it is copied.
        let found = unsafe { libc::nl_langinfo(item) };
        if found.is_null() {
            return String::new();
        }
        // SAFETY: not null, and ended by a zero byte.
        unsafe { CStr::from_ptr(found) }.to_string_lossy().into_owned()
    };
    // SAFETY: the name is a valid empty string; no other thread uses the locale.
    unsafe {
        libc::setlocale(libc::LC_CTYPE, c"".as_ptr());
        libc::setlocale(libc::LC_NUMERIC, c"".as_ptr());
    }
    let radix = text(libc::RADIXCHAR);
    let locale = Locale {
        utf8: text(libc::CODESET) == "UTF-8",
        radix: if radix.is_empty() { ".".into() } else { radix },
    };
    // Numbers that other code formats or reads keep their point.
    // SAFETY: as above.
    unsafe { libc::setlocale(libc::LC_NUMERIC, c"C".as_ptr()) };
    locale
}
