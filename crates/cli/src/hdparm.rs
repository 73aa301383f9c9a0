//! `fathom hdparm`: hdparm's timings with hdparm's command line, text and exit status.

use crate::lang;
use crate::output::print;
use facts::SysRoot;
use std::ffi::OsString;
use tools::hdparm::arguments::{Step, steps};
use tools::hdparm::{HdparmEvent, INVALID, time_device};

/// Runs `fathom hdparm` and returns the exit status. Unlike hdparm, the command has `--help`.
pub fn command(args: &[OsString]) -> i32 {
    match args {
        [word] if word == "--help" => main(&["-h".into()]),
        _ => main(args),
    }
}

/// Runs hdparm's command line, the words behind its name, and returns the exit status.
pub fn main(args: &[OsString]) -> i32 {
    let lang = lang::or_locale(None);
    let mut tell = |event: HdparmEvent<'_>| {
        let (out, error) = report::hdparm::event(lang, &event);
        if !out.is_empty() {
            print(&out);
        }
        if !error.is_empty() {
            eprint!("{error}");
        }
    };
    for step in steps(args) {
        match step {
            Step::Device(path, actions) => {
                let status = time_device(&path, &actions, &SysRoot::machine(), &mut tell);
                if status != 0 {
                    return status;
                }
            }
            Step::Help => print(&report::hdparm::help()),
            Step::Version => print(report::hdparm::VERSION),
            Step::Fault(fault) => {
                eprint!("{}", report::hdparm::fault(lang, &fault));
                return INVALID;
            }
        }
    }
    0
}
