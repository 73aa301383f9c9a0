//! Passwords and keys in options and in names of targets: no result, list or page repeats them.

use crate::remote::{HIDDEN, without_password};
use crate::spec::Typed;
use crate::table;
use std::borrow::Cow;

/// Returns an argument of a command line without its passwords and keys.
pub fn shown(argument: &str) -> Cow<'_, str> {
    let option = argument.strip_prefix("--").and_then(|option| option.split_once('='));
    match option {
        Some((name, value)) if is_secret(name) && !value.is_empty() => format!("--{name}={HIDDEN}").into(),
        _ => without_password(argument),
    }
}

/// Returns the arguments of a command line without their passwords and keys, also where a value is an argument of its own.
pub fn all_shown<'a>(arguments: &'a [Cow<'a, str>]) -> impl Iterator<Item = Cow<'a, str>> {
    let before = [None].into_iter().chain(arguments.iter().map(Some));
    before.zip(arguments).map(|(before, argument)| {
        let option = before.and_then(|before| before.strip_prefix("--"));
        match option.is_some_and(is_secret) {
            true => HIDDEN.into(),
            false => shown(argument),
        }
    })
}

/// Returns an option as results repeat it: name and value; the value of a flag without one is empty.
pub fn echo(typed: &Typed) -> (String, String) {
    let value = typed.value.as_deref().unwrap_or_default();
    let value = match is_secret(typed.name) && !value.is_empty() {
        true => HIDDEN.into(),
        false => without_password(value).into_owned(),
    };
    (typed.name.to_owned(), value)
}

/// Returns whether results hide the value of this option.
fn is_secret(name: &str) -> bool {
    table::find(name).is_some_and(|option| option.secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_passwords_are_hidden() {
        let cases = [
            ("--http_s3_key=abc", "--http_s3_key=***"),
            ("--http_pass=a=b", "--http_pass=***"),
            ("--rbd_encryption_passphrase=x", "--rbd_encryption_passphrase=***"),
            ("--http_s3_keyid=abc", "--http_s3_keyid=abc"),
            ("--http_s3_key=", "--http_s3_key="),
            ("--name=a%b@c", "--name=a%b@c"),
            ("iscsi://me%se@cr/et@host:1/iqn.2026-01.x:t/1", "iscsi://me%***@host:1/iqn.2026-01.x:t/1"),
            (
                "--filename=iscsi\\://me%secret@host/iqn.x\\:t/1?target_user=u&target_password=pw&x=1",
                "--filename=iscsi\\://me%***@host/iqn.x\\:t/1?target_user=u&target_password=***&x=1",
            ),
            ("iscsi://me@host/iqn.x/1", "iscsi://me@host/iqn.x/1"),
            ("iscsi://host/iqn.x%3at/1", "iscsi://host/iqn.x%3at/1"),
        ];
        for (given, expected) in cases {
            assert_eq!(shown(given), expected, "{given}");
        }
    }
}
