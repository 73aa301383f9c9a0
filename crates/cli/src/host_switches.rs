//! Switches about the hosts of a run, and the commands that start an agent on each.

use hosts::LossRule;
use job::host_share::HostShare;
use report::Lang;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Words that start an agent by ssh: no question for a password, and a host that vanishes is noticed within seconds.
const SSH: &str =
    "ssh -o BatchMode=yes -o ConnectTimeout=8 -o ServerAliveInterval=2 -o ServerAliveCountMax=3";

/// Place of the host's name in a command of `--rsh`.
const HOST: &str = "{}";
/// Program that starts processes on all hosts.
pub const MPIRUN: &str = "mpirun";
/// Program that carries messages over MPI.
const RELAY: &str = "fathom-mpi";
/// Options of mpirun. Ranks that wait give way to others and use TCP alone, which leaves the network of the storage free; a
/// daemon whose host has vanished is noticed within nine seconds, which are minutes otherwise.
const MPI: &str = "--mca mpi_yield_when_idle 1 --mca pml ob1 --mca btl tcp,self --mca oob_tcp_keepalive_time 3 \
    --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3";

/// Programs that start the agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// A shell for each host.
    #[default]
    Ssh,
    /// mpirun for all hosts.
    Mpi,
}

/// Switches about the hosts of a run.
#[derive(clap::Args, Default)]
pub struct HostSwitches {
    /// Run on these hosts simultaneously and add the results
    #[arg(long, value_name = "HOST,...", value_delimiter = ',')]
    hosts: Vec<String>,
    /// File with a host in each line, for --hosts
    #[arg(long, value_name = "FILE", conflicts_with = "hosts")]
    hostfile: Option<PathBuf>,
    /// How the agents are started: by ssh, or by Open MPI's mpirun
    #[arg(long, value_name = "ssh|mpi", value_parser = carrier, default_value = "ssh")]
    pub transport: Carrier,
    /// Standard input is a socket to fathom-mpi, which has started this process.
    #[arg(long, hide = true)]
    pub relay: bool,
    /// Remote shell: the command before HOST PROGRAM, or one in which {} stands for the host [default: ssh, without prompts]
    #[arg(long, value_name = "COMMAND")]
    rsh: Option<String>,
    /// Path of fathom on the hosts [default: fathom]
    #[arg(long, value_name = "PROGRAM")]
    agent: Option<String>,
    /// What the other hosts do when a host is lost: stop or continue
    #[arg(long, value_name = "RULE", value_parser = on_loss, default_value = "stop")]
    pub on_loss: LossRule,
    /// Targets: own, if each host has its own; shared, if each uses all (whole), a separate part (split), or every Nth block of N
    /// hosts (interleave)
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "own")]
    pub share: HostShare,
}

fn carrier(word: &str) -> Result<Carrier, &'static str> {
    match word {
        "ssh" => Ok(Carrier::Ssh),
        "mpi" => Ok(Carrier::Mpi),
        _ => Err("ssh or mpi is right"),
    }
}

fn on_loss(word: &str) -> Result<LossRule, &'static str> {
    match word {
        "stop" => Ok(LossRule::Stop),
        "continue" => Ok(LossRule::Continue),
        _ => Err("stop or continue is right"),
    }
}

fn share(word: &str) -> Result<HostShare, &'static str> {
    let all = [HostShare::Own, HostShare::Whole, HostShare::Split, HostShare::Interleave];
    all.into_iter().find(|share| share.word() == word).ok_or("own, whole, split or interleave is right")
}

impl HostSwitches {
    /// Returns whether the jobs shall run on other hosts.
    pub fn is_asked(&self) -> bool {
        !self.hosts.is_empty() || self.hostfile.is_some()
    }

    /// Returns a switch that was given and has no effect without hosts.
    pub fn without_hosts(&self) -> Option<&'static str> {
        let given = [
            ("--share", self.share != HostShare::Own),
            ("--rsh", self.rsh.is_some()),
            ("--agent", self.agent.is_some()),
            ("--transport", self.transport != Carrier::Ssh),
            ("--on-loss", self.on_loss != LossRule::Stop),
        ];
        given.iter().find(|(_, given)| *given).map(|(switch, _)| *switch)
    }

    /// Returns the names of the hosts.
    ///
    /// # Errors
    /// The reason why there are none, in the user's language.
    pub fn names(&self, lang: Lang) -> Result<Vec<String>, String> {
        if self.rsh.as_ref().is_some_and(|rsh| rsh.trim().is_empty()) {
            return Err(report::hosts::empty_rsh(lang));
        }
        let names = match &self.hostfile {
            None => self.hosts.clone(),
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
                lines.filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
            }
        };
        // ssh would take it for an option.
        let unfit = |name: &&String| {
            let odd = |c: char| c.is_whitespace() || c.is_control() || "/$,\u{feff}".contains(c);
            name.is_empty() || name.starts_with('-') || name.contains(odd)
        };
        if let Some(name) = names.iter().find(unfit) {
            return Err(report::hosts::bad_name(lang, name));
        }
        // Ranks of an allocation may be on one machine.
        let mut seen = BTreeSet::new();
        match names.iter().find(|name| !seen.insert(*name)).filter(|_| !self.relay) {
            Some(name) => Err(report::hosts::named_twice(lang, name)),
            None if names.is_empty() => Err(report::hosts::no_hosts(lang)),
            None => Ok(names),
        }
    }

    /// Returns the words that start an agent on this host.
    pub fn command(&self, host: &str) -> Vec<String> {
        let shell = self.shell();
        let host_after = if shell.contains(HOST) { None } else { Some(host.to_owned()) };
        let words = shell.split_whitespace().map(|word| word.replace(HOST, host)).chain(host_after);
        let agent = self.agent.as_deref().unwrap_or("fathom");
        words.chain([agent, "agent"].map(str::to_owned)).collect()
    }

    /// Returns the words that start the agents of all hosts by mpirun. With `root`, mpirun is told that it may run as root.
    pub fn mpi_command(&self, hosts: &[String], root: bool) -> Vec<String> {
        let mut command = vec![MPIRUN.to_owned()];
        command.extend(root.then(|| "--allow-run-as-root".to_owned()));
        // By itself mpirun binds each rank, and so its agent, to one core; and "ppr:1:node" puts the host on which mpirun runs
        // before those named before it.
        command.extend(["--bind-to", "none", "--map-by", "seq"].map(str::to_owned));
        command.extend(MPI.split_whitespace().map(str::to_owned));
        command.extend(["--mca", "plm_rsh_agent", self.shell()].map(str::to_owned));
        command.extend(["-np".into(), hosts.len().to_string(), "--host".into(), hosts.join(",")]);
        let beside = |agent: &String| Path::new(agent).with_file_name(RELAY).to_string_lossy().into_owned();
        command.extend([self.agent.as_ref().map_or_else(|| RELAY.to_owned(), beside), "relay".into()]);
        command.extend(self.agent.clone());
        command
    }

    fn shell(&self) -> &str {
        self.rsh.as_deref().unwrap_or(SSH)
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

    /// Hosts are in the order given, the program is the one beside that of the agents.
    #[test]
    fn command_of_mpi_starts_a_relay_on_each_host() {
        let switches = HostSwitches {
            agent: Some("/opt/fathom".into()),
            rsh: Some("ssh -4".into()),
            ..HostSwitches::default()
        };
        let command = switches.mpi_command(&["b".into(), "a".into()], true);
        assert_eq!(command[..6], ["mpirun", "--allow-run-as-root", "--bind-to", "none", "--map-by", "seq"]);
        let end = [
            "plm_rsh_agent",
            "ssh -4",
            "-np",
            "2",
            "--host",
            "b,a",
            "/opt/fathom-mpi",
            "relay",
            "/opt/fathom",
        ];
        assert!(command.ends_with(&end.map(str::to_owned)), "{command:?}");
        let plain = HostSwitches::default().mpi_command(&["a".into()], false);
        assert!(
            plain.ends_with(&["fathom-mpi".into(), "relay".into()]) && plain[1] == "--bind-to",
            "{plain:?}"
        );
    }

    #[test]
    fn name_that_ssh_would_take_for_an_option_or_is_given_twice_is_refused() {
        let of = |names: &[&str]| HostSwitches {
            hosts: names.iter().map(|name| (*name).to_owned()).collect(),
            ..HostSwitches::default()
        };
        assert!(of(&["a", "-oProxyCommand=x"]).names(Lang::En).is_err());
        assert!(of(&["a", ""]).names(Lang::En).is_err());
        assert!(of(&["a", "b", "a"]).names(Lang::En).is_err());
        let ranks = HostSwitches { relay: true, ..of(&["a", "a"]) };
        assert_eq!(ranks.names(Lang::En).unwrap(), ["a", "a"]);
        assert_eq!(of(&["a", "b"]).names(Lang::En).unwrap(), ["a", "b"]);
    }
}
