//! What tests measure is not for the user's own store.
use crate::common::words;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{self, DATA_HOME};
use testbed::{Bounded as _, Sandbox};

const LIMIT: Duration = Duration::from_secs(30);

/// However a test starts fathom, the user's own store (`HOME`, here a directory of this test's) stays as it is.
#[test]
fn studies_of_tests_are_kept_out_of_the_users_store() {
    let (home, sandbox) = (Sandbox::new().unwrap(), Sandbox::new().unwrap());
    let program = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(words("run --name=a --rw=write --size=64k --unlink=1")).current_dir(sandbox.path());
        command.env("HOME", home.path()).env("LC_ALL", "C");
        command
    };
    let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let set = std::env::var_os(DATA_HOME).map(std::path::PathBuf::from);
    let under = set.and_then(|set| std::fs::create_dir_all(&set).ok().and_then(|()| set.canonicalize().ok()));
    let target = store.canonicalize().unwrap();
    assert!(
        under.as_ref().is_some_and(|set| set.starts_with(&target)),
        "{DATA_HOME} is {under:?} for these tests: run them by cargo or scripts/test"
    );
    let ran = child::run(&mut program(), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ran = program().output_within(std::time::Duration::from_secs(60)).unwrap();
    assert!(ran.status.success(), "{ran:#?}");
    assert!(target.join("test-home/data/fathom/store.sqlite").exists());
    let left: Vec<_> = std::fs::read_dir(home.path()).unwrap().flatten().map(|e| e.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}
