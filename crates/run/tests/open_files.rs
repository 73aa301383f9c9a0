//! The limit of open files: the only test of its binary, because the limit applies to the whole process.
#![allow(clippy::unwrap_used)]

#[path = "together/plans.rs"]
mod plans;

use facts::SysRoot;
use job::job::Mix;
use plans::{file, job, plan};
use run::limits::{LimitError, check};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use testbed::Sandbox;

/// The soft limit is raised to the hard limit, and the error names the hard limit.
#[test]
fn soft_limit_is_raised_to_hard_limit() {
    let sandbox = Sandbox::new().unwrap();
    let reader = job("r", Mix::Read);
    let with = |n: u64| {
        let files = (0..n).map(|i| file(&reader, &sandbox.join(&i.to_string()), 1)).collect();
        plan(reader.clone(), files)
    };
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), maximum: Some(256) }).unwrap();
    check(&with(20), &SysRoot::machine()).unwrap();
    assert_eq!(getrlimit(Resource::Nofile).current, Some(64), "raised without need");
    check(&with(200), &SysRoot::machine()).unwrap();
    assert_eq!(getrlimit(Resource::Nofile).current, Some(256));
    let error = check(&with(250), &SysRoot::machine()).unwrap_err();
    assert_eq!(error, LimitError::OpenFiles { needed: 282, limit: 256 });
}
