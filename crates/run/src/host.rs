//! The settings of a worker on the host: user, CPUs, memory, priorities, control group; commands before and after the
//! job.

use crate::finish::Finish;
use crate::job_error::{errno_of, failed, failed_because};
use crate::line::{HookFault, Line};
use crate::output;
use job::job::{Cgroup, HostSpec, Job};
use job::numa::{NodeList, numbers};
use job::plan::PlannedJob;
use rustix::fs::Gid;
use rustix::io::Errno;
use rustix::process::Uid;
use rustix::thread::CpuSet;
use stats::job_error::{ErrorCause, JobError};
use stats::note::NoteFact;
use std::io;
use std::path::{Path, PathBuf};
use sys::host::Policy;
use sys::locked_memory::LockedMemory;

const NODES: &str = "/sys/devices/system/node";

/// Locked memory and control group, which are released at the end of the job.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    _locked_memory: Option<LockedMemory>,
    _group: Option<Joined>,
}

/// Applies the control group, user, CPUs, NUMA policy and priorities of the job to the calling thread.
pub(crate) fn settle(host: &HostSpec, clone: &PlannedJob, finish: &mut Finish) -> Result<Settled, JobError> {
    let group = host.cgroup.as_ref().map(Joined::new).transpose()?;
    if let Some(gid) = host.gid {
        rustix::thread::set_thread_gid(Gid::from_raw(gid)).map_err(|e| failed("setgid", &e.into()))?;
    }
    if let Some(uid) = host.uid {
        rustix::thread::set_thread_uid(Uid::from_raw(uid)).map_err(|e| failed("setuid", &e.into()))?;
    }
    if host.no_cpu {
        run_on(&[])?;
    }
    let split = host.cpus.get(clone.clone as usize % host.cpus.len().max(1)).filter(|_| host.cpus_split);
    match (split, &host.numa_cpu_nodes) {
        (Some(cpu), _) => run_on(&[*cpu])?,
        (None, _) if !host.cpus.is_empty() => run_on(&host.cpus)?,
        (None, Some(nodes)) => {
            let put = cpus_of(nodes).map_err(|e| failed("", &e)).and_then(|cpus| run_on(&cpus));
            put.map_err(|error| {
                finish.lines.push(Line::System {
                    call: "numa_sched_setaffinity_v2_int() failed",
                    errno: error.errno,
                });
                JobError { function: "numa_run_on_node_mask failed".into(), ..error }
            })?;
        }
        (None, None) => {}
    }
    if let Some(policy) = &host.numa_mem_policy {
        // As in fio, the job continues without the policy.
        if let Err(e) = memory_policy(policy) {
            finish.lines.push(Line::System { call: "set_mempolicy", errno: failed("", &e).errno });
        }
    }
    if let Some(ioprio) = host.ioprio {
        sys::host::set_ioprio(ioprio).map_err(|e| failed("ioprio_set", &e))?;
    }
    if host.nice != 0 {
        rustix::process::setpriority_process(None, host.nice)
            .map_err(|e| failed_because("setpriority", &e.into(), ErrorCause::Nice))?;
    }
    let locked_memory = match host.lockmem {
        0 => None,
        bytes => LockedMemory::lock(bytes as usize)
            .inspect_err(|e| {
                finish.notes.push(NoteFact::MemoryNotLocked { bytes, errno: errno_of(e) });
            })
            .ok(),
    };
    Ok(Settled { _locked_memory: locked_memory, _group: group })
}

fn run_on(cpus: &[u32]) -> Result<(), JobError> {
    let mut set = CpuSet::new();
    cpus.iter().filter(|c| (**c as usize) < CpuSet::MAX_CPU).for_each(|c| set.set(*c as usize));
    rustix::thread::sched_setaffinity(None, &set).map_err(|e| failed("cpu_set_affinity", &e.into()))
}

/// Returns the node numbers of a list, as far as the nodes are online.
fn nodes_of(list: &str) -> io::Result<Vec<u32>> {
    let online = std::fs::read_to_string(Path::new(NODES).join("online"))?;
    let there = numbers(&online).ok_or(io::ErrorKind::InvalidData)?;
    // Nodes that do not exist were refused when the option was read.
    NodeList::read(list).and_then(|list| list.of(&there)).map_err(|_| rustix::io::Errno::INVAL.into())
}

fn cpus_of(list: &str) -> io::Result<Vec<u32>> {
    let mut cpus = Vec::new();
    for node in nodes_of(list)? {
        let text = std::fs::read_to_string(format!("{NODES}/node{node}/cpulist"))?;
        // A node may have memory and no CPUs.
        cpus.extend(numbers(&text).unwrap_or_default());
    }
    Ok(cpus)
}

fn memory_policy(text: &str) -> io::Result<()> {
    let (mode, list) = text.split_once(':').unwrap_or((text, ""));
    let nodes = || if list.is_empty() { Ok(Vec::new()) } else { nodes_of(list) };
    match mode {
        "prefer" => sys::host::set_memory_policy(Policy::Prefer, &[list.parse().unwrap_or(0)]),
        "bind" => sys::host::set_memory_policy(Policy::Bind, &nodes()?),
        "interleave" => match nodes()?.as_slice() {
            // libnuma then sets the default policy; the kernel would refuse an empty set of nodes.
            [] => sys::host::set_memory_policy(Policy::Default, &[]),
            nodes => sys::host::set_memory_policy(Policy::Interleave, nodes),
        },
        "local" => sys::host::set_memory_policy(Policy::Local, &[]),
        _ => sys::host::set_memory_policy(Policy::Default, &[]),
    }
}

/// A thread in a control group; when dropped, the thread moves back to the root of the hierarchy.
#[derive(Debug)]
struct Joined {
    group: PathBuf,
    root: PathBuf,
    keep: bool,
}

impl Joined {
    fn new(cgroup: &Cgroup) -> Result<Self, JobError> {
        let none = || failed_because("cgroup", &Errno::OPNOTSUPP.into(), ErrorCause::NoBlkioHierarchy);
        let root = blkio_mount().ok_or_else(none)?;
        let group = root.join(&cgroup.name);
        let made = match std::fs::create_dir(&group) {
            Ok(()) => true,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => false,
            Err(e) => return Err(failed("cgroup mkdir", &e)),
        };
        // From here on, drop moves the thread back. A group that another program created is kept.
        let joined = Joined { keep: cgroup.keep || !made, group, root };
        if let Some(weight) = cgroup.weight {
            std::fs::OpenOptions::new()
                .write(true)
                .open(joined.group.join("blkio.weight"))
                .and_then(|mut file| io::Write::write_all(&mut file, weight.to_string().as_bytes()))
                .map_err(|e| failed_because("cgroup open weight", &e, ErrorCause::NoWeight))?;
        }
        joined.enter(&joined.group).map_err(|e| failed("cgroup open tasks", &e))?;
        Ok(joined)
    }

    fn enter(&self, group: &Path) -> io::Result<()> {
        std::fs::write(group.join("tasks"), rustix::thread::gettid().as_raw_nonzero().to_string())
    }
}

impl Drop for Joined {
    fn drop(&mut self) {
        // Another clone may still be in the group: the last clone that leaves removes it.
        let _ = self.enter(&self.root);
        if !self.keep {
            let _ = std::fs::remove_dir(&self.group);
        }
    }
}

fn blkio_mount() -> Option<PathBuf> {
    let mounts = std::fs::read_to_string("/proc/mounts").ok()?;
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ').skip(1);
        let (at, kind, options) = (words.next()?, words.next()?, words.next()?);
        (kind == "cgroup" && options.split(',').any(|o| o == "blkio")).then(|| PathBuf::from(at))
    })
}

/// Runs `command` in a shell with its output in `NAME.WHEN.txt`, adds fio's line about it, and returns whether it
/// succeeded.
pub(crate) fn command(job: &Job, command: &str, when: &'static str, finish: &mut Finish) -> bool {
    let file = format!("{}.{when}.txt", job.name);
    finish.said.push(Line::HookOutput { job: job.name.clone(), when, file: file.clone() });
    if let Err(e) = output::check(file.as_ref()) {
        finish.lines.push(Line::HookFailed { job: job.name.clone(), when, fault: HookFault::Output(e) });
        return false;
    }
    let line = format!("{command} > {file} 2>&1");
    let ran = std::process::Command::new("/bin/sh").arg("-c").arg(line).status();
    match &ran {
        Ok(status) if status.success() => {}
        Ok(status) => {
            let fault = HookFault::Ended(*status);
            finish.lines.push(Line::HookFailed { job: job.name.clone(), when, fault })
        }
        Err(e) => {
            let fault = HookFault::NotStarted { errno: errno_of(e) };
            finish.lines.push(Line::HookFailed { job: job.name.clone(), when, fault })
        }
    }
    ran.is_ok_and(|status| status.success())
}
