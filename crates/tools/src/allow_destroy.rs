//! fathom's own switch `--allow-destroy` among the arguments of another tool.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The switch.
pub(crate) const NAME: &str = "--allow-destroy";

/// Returns the arguments without `--allow-destroy PATH` and `--allow-destroy=PATH`, and the paths; `None` if the switch has
/// no value. What follows `--` is no switch.
pub(crate) fn taken(args: &[OsString]) -> Option<(Vec<OsString>, Vec<PathBuf>)> {
    let (mut kept, mut paths) = (Vec::new(), Vec::new());
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        match arg.as_bytes().strip_prefix(NAME.as_bytes()) {
            Some(b"") => paths.push(rest.next()?.into()),
            Some([b'=', value @ ..]) => paths.push(OsStr::from_bytes(value).into()),
            _ => kept.push(arg.clone()),
        }
        if arg == "--" {
            kept.extend(rest.by_ref().cloned());
        }
    }
    Some((kept, paths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_out_up_to_the_end_of_the_switches() {
        let taken = |line: &str| taken(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        let (kept, paths) = taken("a --allow-destroy /b --allow-destroy=/c=d -- --allow-destroy e").unwrap();
        assert_eq!(kept.join(OsStr::new(" ")), "a -- --allow-destroy e");
        assert_eq!(paths, [PathBuf::from("/b"), PathBuf::from("/c=d")]);
        assert_eq!(taken("a --allow-destroy"), None);
        assert_eq!(taken("--allow-destroyed"), Some((vec!["--allow-destroyed".into()], Vec::new())));
    }
}
