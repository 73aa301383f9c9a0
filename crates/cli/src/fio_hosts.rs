//! `fathom fio` on several hosts: the switches about hosts before fio's words.

use crate::host_switches::HostSwitches;
use crate::run_command;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;

/// Command line of `fathom fio` with switches about hosts.
#[derive(Parser)]
#[command(name = "fio", no_binary_name = true, args_override_self = true, disable_help_flag = true)]
struct OfFio {
    #[command(flatten)]
    hosts: HostSwitches,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    fios: Vec<OsString>,
}

/// Returns the switches about hosts in a command line of `fathom fio`, and its other words; `None` if it names no hosts before the
/// first job: the words are then all fio's.
///
/// # Errors
/// A line for standard error about a switch that is wrong.
pub fn switches(args: &[OsString]) -> Result<Option<(HostSwitches, Vec<OsString>)>, String> {
    let is_switch = |word: &str, switch: &str| {
        word.strip_prefix(switch).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let before_jobs = args.iter().map_while(|word| word.to_str().filter(|word| !word.starts_with("--name")));
    if !before_jobs.into_iter().any(|word| is_switch(word, "--hosts") || is_switch(word, "--hostfile")) {
        return Ok(None);
    }
    let words = run_command::switches_first(&OfFio::command(), args);
    let parsed = OfFio::try_parse_from(words).map_err(|e| run_command::refusal("fio", &e))?;
    Ok(Some((parsed.hosts, parsed.fios)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::Lang;

    /// Words of fio are left to fio unless hosts are named before the first job.
    #[test]
    fn switches_of_fio_are_those_about_hosts_before_the_first_job() {
        let of = |text: &str| switches(&text.split(' ').map(OsString::from).collect::<Vec<_>>()).unwrap();
        for fios in ["--name=j --hosts=a", "--share=split --name=j", "j.fio --output-format=json"] {
            assert!(of(fios).is_none(), "{fios}");
        }
        let (hosts, fios) =
            of("--hosts a,b --rsh=x --output-format=json j.fio --agent /f --name=j --hosts=a").unwrap();
        assert_eq!(hosts.names(Lang::En).unwrap(), ["a", "b"]);
        assert_eq!(hosts.command("a"), ["x", "a", "/f", "agent"]);
        assert_eq!(fios, ["--output-format=json", "j.fio", "--name=j", "--hosts=a"]);
        let wrong = switches(&["--hosts=a".into(), "--share=half".into()]).err().unwrap();
        assert!(wrong.starts_with("fathom fio: --share=half: "), "{wrong}");
    }
}
