//! Shared libraries that are loaded when they are first used, so that fathom runs where they are not installed. Each
//! table of functions is declared with [`c_library!`](crate::c_library).

pub use libloading;

/// A library, or one of its functions, that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Name under which the library is loaded.
    pub soname: &'static str,
    /// Function that the installed version lacks; `None` if the library itself is missing.
    pub function: Option<&'static str>,
}

/// Declares a struct whose fields are functions of a shared library, and `load`, which returns it; the library is
/// loaded once and stays loaded. Functions after `@optional` are `None` where the installed version lacks them.
///
/// The types have to be those of the library's public header, which its soname keeps stable. Several sonames are tried in
/// their order; the functions must have the same types in all of them. A missing library is named by the first.
#[macro_export]
macro_rules! c_library {
    (
        $(#[$meta:meta])*
        $vis:vis struct $table:ident = $soname:literal $(, $other:literal)* {
            $($field:ident = $symbol:ident: fn($($argument:ty),* $(,)?) $(-> $result:ty)?;)*
            $(@optional {
                $($maybe:ident = $maybe_symbol:ident: fn($($maybe_argument:ty),* $(,)?) $(-> $maybe_result:ty)?;)*
            })?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug)]
        $vis struct $table {
            $(
                #[doc = concat!("`", stringify!($symbol), "` of the library.")]
                $vis $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,
            )*
            $($(
                #[doc = concat!("`", stringify!($maybe_symbol), "` of the library.")]
                $vis $maybe: Option<unsafe extern "C" fn($($maybe_argument),*) $(-> $maybe_result)?>,
            )*)?
        }

        impl $table {
            /// Returns the functions of the library, which is loaded at the first call.
            ///
            /// # Errors
            /// The library is not installed, or lacks a function.
            $vis fn load() -> Result<&'static $table, $crate::library::Missing> {
                use $crate::library::{Missing, libloading::os::unix};
                static TABLE: std::sync::OnceLock<Result<$table, Missing>> = std::sync::OnceLock::new();
                const SONAMES: &[&str] = &[$soname $(, $other)*];
                let loaded = TABLE.get_or_init(|| {
                    // SAFETY: the library is a system library whose initialisers have no requirements; each symbol has
                    // the type that the library's public header declares, and the library is never unloaded.
                    unsafe {
                        let flags = unix::RTLD_NOW | unix::RTLD_LOCAL;
                        let open = |soname: &'static str| Some((soname, unix::Library::open(Some(soname), flags).ok()?));
                        let (soname, library) = SONAMES
                            .iter()
                            .copied()
                            .find_map(open)
                            .ok_or(Missing { soname: SONAMES[0], function: None })?;
                        let library = std::mem::ManuallyDrop::new(library);
                        let missing = |function| Missing { soname, function };
                        Ok($table {
                            $($field: *library
                                .get(concat!(stringify!($symbol), "\0").as_bytes())
                                .map_err(|_| missing(Some(stringify!($symbol))))?,)*
                            $($($maybe: library
                                .get(concat!(stringify!($maybe_symbol), "\0").as_bytes())
                                .ok()
                                .map(|symbol| *symbol),)*)?
                        })
                    }
                });
                loaded.as_ref().map_err(|missing| *missing)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    c_library! {
        struct Absent = "libfathom-does-not-exist.so.1" {
            nothing = nothing_at_all: fn();
        }
    }

    c_library! {
        struct C = "libc.so.6" {
            length = strlen: fn(*const libc::c_char) -> libc::size_t;
            @optional {
                never = fathom_never_declared: fn();
            }
        }
    }

    c_library! {
        struct Partial = "libc.so.6" {
            never = fathom_never_declared: fn();
        }
    }

    c_library! {
        struct Second = "libfathom-does-not-exist.so.1", "libc.so.6" {
            length = strlen: fn(*const libc::c_char) -> libc::size_t;
        }
    }

    c_library! {
        struct SecondPartial = "libfathom-does-not-exist.so.1", "libc.so.6" {
            never = fathom_never_declared: fn();
        }
    }

    /// The soname that is loaded is the one of a missing function.
    #[test]
    fn library_of_several_sonames_is_the_first_installed() {
        // SAFETY: the text is null-terminated.
        assert_eq!(unsafe { (Second::load().unwrap().length)(c"three".as_ptr()) }, 5);
        let missing = Missing { soname: "libc.so.6", function: Some("fathom_never_declared") };
        assert_eq!(SecondPartial::load().map(|table| table.never).unwrap_err(), missing);
    }

    #[test]
    fn library_or_function_that_is_missing_is_named() {
        let absent = Missing { soname: "libfathom-does-not-exist.so.1", function: None };
        assert_eq!(Absent::load().map(|table| table.nothing).unwrap_err(), absent);
        let partial = Missing { soname: "libc.so.6", function: Some("fathom_never_declared") };
        assert_eq!(Partial::load().map(|table| table.never).unwrap_err(), partial);
        let c = C::load().unwrap();
        assert!(c.never.is_none());
        // SAFETY: the text is null-terminated.
        assert_eq!(unsafe { (c.length)(c"four".as_ptr()) }, 4);
    }
}
