//! `fathom-mpi`: carries the messages of `fathom --hosts ... --transport mpi` between the hosts. Each rank starts `fathom agent`, which
//! measures and knows nothing of MPI; rank 0 talks to the coordinator. No call of MPI waits, except at the beginning and the end.

mod libmpi;
mod process;
mod relay;

use libmpi::{MpiError, World};
use process::{Agent, ToCoordinator, fathom, follow_coordinator, start_coordinator};
use relay::{End, Relay};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Child;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Interval between looks for the names of the ranks.
const LOOK: Duration = Duration::from_millis(1);
/// Settings of Open MPI, unless mpirun was given others: those of `fathom run --transport mpi`, for srun and mpirun by hand.
const SETTINGS: [(&str, &str); 3] =
    [("OMPI_MCA_mpi_yield_when_idle", "1"), ("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl", "tcp,self")];

/// Reason why a rank ended, or a warning.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(
        "usage: fathom-mpi relay [PROGRAM]; in an allocation: srun fathom-mpi [COMMAND] ARGUMENTS, as after fathom --hosts ..."
    )]
    Usage,
    #[error(
        "--hosts, --hostfile, --transport, --rsh, --agent and --dry-run cannot be given here: the ranks are the hosts"
    )]
    Hosts,
    /// A warning: tests start several ranks on one machine.
    #[error("{0} has several ranks, and each counts as a host: start one rank on each machine")]
    SeveralRanks(String),
    #[error(transparent)]
    Mpi(#[from] MpiError),
    #[error(
        "Slurm has started {0} processes, which are alone as MPI sees them: give srun --mpi=pmix, or use mpirun"
    )]
    Alone(u32),
    #[error("{program}: {source}")]
    Coordinator { program: String, source: io::Error },
}

fn main() {
    let status = run(std::env::args_os().skip(1).collect()).unwrap_or_else(|failure| {
        eprintln!("fathom-mpi: {failure}");
        1
    });
    std::process::exit(status);
}

fn run(words: Vec<OsString>) -> Result<i32, Failure> {
    match words.as_slice() {
        [relay] if relay == "relay" => carry(fathom(), None),
        [relay, agent] if relay == "relay" => carry(PathBuf::from(agent), None),
        [] => Err(Failure::Usage),
        [word, ..] if ["relay", "--help", "-h"].iter().any(|other| word == other) => Err(Failure::Usage),
        words if starts_agents(words) => Err(Failure::Hosts),
        _ => carry(fathom(), Some(words)),
    }
}

/// Returns whether switches before the first job say which hosts there are, or how agents are started.
fn starts_agents(words: &[OsString]) -> bool {
    const SWITCHES: [&str; 6] = ["--hosts", "--hostfile", "--transport", "--rsh", "--agent", "--dry-run"];
    let starts = |word: &OsStr, with: &str| word.to_str().is_some_and(|word| word.starts_with(with));
    let mut before_jobs = words.iter().take_while(|word| !starts(word, "--name"));
    before_jobs.any(|word| SWITCHES.iter().any(|switch| starts(word, switch)))
}

/// Carries messages for the coordinator that has started this process, or, with the words of a command line of fathom, for one that
/// rank 0 starts. Returns the exit status.
fn carry(agent: PathBuf, arguments: Option<Vec<OsString>>) -> Result<i32, Failure> {
    for (name, value) in SETTINGS.iter().filter(|(name, _)| std::env::var_os(name).is_none()) {
        // SAFETY: this process has one thread so far.
        unsafe { std::env::set_var(name, value) };
    }
    let world = World::start()?;
    let tasks = std::env::var("SLURM_STEP_NUM_TASKS").ok().and_then(|tasks| tasks.parse().ok()).unwrap_or(1);
    if world.size == 1 && tasks > 1 {
        return Err(Failure::Alone(tasks));
    }
    let (sender, events) = channel();
    let mut started: Option<Child> = None;
    let coordinator: Option<ToCoordinator> = match arguments {
        Some(arguments) => match names(&world) {
            Some(names) => {
                let mut repeated = names.iter().enumerate().filter(|(at, name)| names[..*at].contains(name));
                if let Some((_, name)) = repeated.next() {
                    eprintln!("fathom-mpi: {}", Failure::SeveralRanks(name.clone()));
                }
                let coordinator = start_coordinator(&agent, &names, &arguments);
                let program = agent.display().to_string();
                let (child, stream) = coordinator
                    .map_err(|source| Failure::Coordinator { program: program.clone(), source })?;
                let input = stream.try_clone().map_err(|source| Failure::Coordinator { program, source })?;
                started = Some(child);
                follow_coordinator(input, sender.clone());
                Some(Box::new(stream))
            }
            None => None,
        },
        None if world.rank == 0 => {
            follow_coordinator(io::stdin(), sender.clone());
            Some(Box::new(io::stdout()))
        }
        None => None,
    };
    let agent = Agent::start(&agent, sender);
    let end = Relay::new(&world, agent, coordinator).carry(&events);
    if end == End::Orphaned {
        // The agent ends with its input, the coordinator with its socket. MPI could not end without the daemon.
        return Ok(1);
    }
    let status =
        started.and_then(|mut child| child.wait().ok()).map_or(0, |status| status.code().unwrap_or(1));
    if end == End::RanksMissing {
        // The end of MPI would wait for them.
        world.abort(1);
    }
    world.finish();
    Ok(status)
}

/// Returns the names of the machines of all ranks at rank 0; `None` at the others, which send theirs.
fn names(world: &World) -> Option<Vec<String>> {
    let own = world.processor_name();
    if world.rank > 0 {
        let mut sending = world.send(0, relay::NAME, own.into_bytes());
        while !world.is_done(&mut sending) {
            std::thread::sleep(LOOK);
        }
        return None;
    }
    let mut names = vec![own];
    names.resize(world.size as usize, String::new());
    let mut missing = world.size - 1;
    while missing > 0 {
        // A rank that has sent its name may have sent a frame of its agent too.
        let Some(arriving) = world.probe(Some(relay::NAME)) else {
            std::thread::sleep(LOOK);
            continue;
        };
        let mut receiving = world.receive(arriving);
        while !world.is_done(&mut receiving) {
            std::thread::sleep(LOOK);
        }
        names[arriving.source as usize] = String::from_utf8_lossy(&receiving.into_bytes()).into_owned();
        missing -= 1;
    }
    Some(names)
}
