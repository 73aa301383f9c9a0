//! Switches about the hosts of a run, and the commands that start an agent on each.

use hosts::LossRule;
use job::host_share::HostShare;
use report::Lang;
use std::path::PathBuf;

/// Words that start an agent by ssh: no question for a password, and a host that vanishes is noticed within seconds.
const SSH: &str =
    "ssh -o BatchMode=yes -o ConnectTimeout=8 -o ServerAliveInterval=2 -o ServerAliveCountMax=3";

/// Place of the host's name in a command of `--rsh`.
const HOST: &str = "{}";

/// Switches about the hosts of a run.
#[derive(clap::Args, Default)]
pub struct HostSwitches {
    /// Run the jobs on these hosts at the same time
    #[arg(long, value_name = "HOST,HOST,...", value_delimiter = ',')]
    hosts: Vec<String>,
    /// File with a host in each line, for --hosts
    #[arg(long, value_name = "FILE", conflicts_with = "hosts")]
    hostfile: Option<PathBuf>,
    /// Command that starts a program on a host: COMMAND HOST PROGRAM; {} in it stands for the host [default: ssh, without questions]
    #[arg(long, value_name = "COMMAND")]
    rsh: Option<String>,
    /// Program of fathom on the hosts [default: fathom]
    #[arg(long, value_name = "PROGRAM")]
    agent: Option<String>,
    /// What the other hosts do when one is lost
    #[arg(long, value_name = "stop|continue", value_parser = on_loss, default_value = "stop")]
    pub on_loss: LossRule,
    /// Targets of the hosts: own ones, or shared ones, of which each host has all (whole) or a part of its own (split)
    #[arg(long, value_name = "own|whole|split", value_parser = share, default_value = "own")]
    pub share: HostShare,
    /// Print the command for each host, and run nothing
    #[arg(long)]
    pub dry_run: bool,
}

fn on_loss(word: &str) -> Result<LossRule, &'static str> {
    match word {
        "stop" => Ok(LossRule::Stop),
        "continue" => Ok(LossRule::Continue),
        _ => Err("stop or continue is right"),
    }
}

fn share(word: &str) -> Result<HostShare, &'static str> {
    match word {
        "own" => Ok(HostShare::Own),
        "whole" => Ok(HostShare::Whole),
        "split" => Ok(HostShare::Split),
        _ => Err("own, whole or split is right"),
    }
}

impl HostSwitches {
    /// Returns whether the jobs shall run on other hosts.
    pub fn is_asked(&self) -> bool {
        !self.hosts.is_empty() || self.hostfile.is_some()
    }

    /// Returns the names of the hosts.
    ///
    /// # Errors
    /// The reason why there are none, in the user's language.
    pub fn names(&self, lang: Lang) -> Result<Vec<String>, String> {
        let names = match &self.hostfile {
            None => self.hosts.clone(),
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
            }
        };
        // ssh would take it for an option.
        match names.iter().find(|name| name.is_empty() || name.starts_with('-')) {
            Some(name) => Err(report::hosts::bad_name(lang, name)),
            None if names.is_empty() => Err(report::hosts::no_hosts(lang)),
            None => Ok(names),
        }
    }

    /// Returns the words that start an agent on this host.
    pub fn command(&self, host: &str) -> Vec<String> {
        let shell = self.rsh.as_deref().unwrap_or(SSH);
        let host_after = if shell.contains(HOST) { None } else { Some(host.to_owned()) };
        let words = shell.split_whitespace().map(|word| word.replace(HOST, host)).chain(host_after);
        let agent = self.agent.as_deref().unwrap_or("fathom");
        words.chain([agent, "agent"].map(str::to_owned)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_is_the_shell_the_host_and_the_agent() {
        let switches = HostSwitches {
            rsh: Some("ip netns exec".into()),
            agent: Some("/opt/fathom".into()),
            ..HostSwitches::default()
        };
        assert_eq!(switches.command("a"), ["ip", "netns", "exec", "a", "/opt/fathom", "agent"]);
        let pod = HostSwitches { rsh: Some("kubectl exec -i {} --".into()), ..HostSwitches::default() };
        assert_eq!(pod.command("p"), ["kubectl", "exec", "-i", "p", "--", "fathom", "agent"]);
        assert!(HostSwitches::default().command("a").ends_with(&[
            "a".into(),
            "fathom".into(),
            "agent".into()
        ]));
    }

    #[test]
    fn name_that_ssh_would_take_for_an_option_is_refused() {
        let of = |names: &[&str]| HostSwitches {
            hosts: names.iter().map(|name| (*name).to_owned()).collect(),
            ..HostSwitches::default()
        };
        assert!(of(&["a", "-oProxyCommand=x"]).names(Lang::En).is_err());
        assert!(of(&["a", ""]).names(Lang::En).is_err());
        assert_eq!(of(&["a", "b"]).names(Lang::En).unwrap(), ["a", "b"]);
    }
}
