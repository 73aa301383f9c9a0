//! NFS mounts: their settings, and the requests that the kernel's client counts and times (`/proc/self/mountstats`).

use super::value;
use crate::SysRoot;
use crate::layers::{Mounted, unescape};
use stats::remote::{NfsMount, RemoteOperation, RemoteTraffic};
use std::path::Path;

/// Times for which attributes are cached where the mount does not state them, seconds.
const ATTRIBUTES_S: [(&str, u32); 4] =
    [("acregmin", 3), ("acregmax", 60), ("acdirmin", 30), ("acdirmax", 60)];
/// Time without a request after which the client closes a connection, seconds (5 minutes, with room for rounding).
const IDLE_S: u64 = 295;

/// Returns the settings of an NFS mount. The kernel leaves out defaults.
pub(super) fn of_mount(mount: &Mounted) -> NfsMount {
    let has = |name: &str| mount.options.split(',').any(|option| option == name);
    let number = |name: &str| value(&mount.options, name).and_then(|text| text.parse::<u64>().ok());
    let small =
        |name: &str, default: u32| number(name).and_then(|n| u32::try_from(n).ok()).unwrap_or(default);
    let times = ATTRIBUTES_S.map(|(name, default)| small(name, default));
    let version = value(&mount.options, "vers").unwrap_or(if mount.kind == "nfs4" { "4" } else { "3" });
    NfsMount {
        export: mount.source.clone(),
        version: version.into(),
        transport: value(&mount.options, "proto").unwrap_or("tcp").trim_end_matches('6').into(),
        connections: small("nconnect", 1),
        read_bytes: number("rsize").unwrap_or(0),
        write_bytes: number("wsize").unwrap_or(0),
        soft: has("soft") || has("softerr"),
        timeout_ds: small("timeo", 600),
        retries: small("retrans", 2),
        sync: has("sync") || mount.flags.split(',').any(|flag| flag == "sync"),
        attribute_cache_s: (!has("noac") && times != [0; 4]).then_some(times),
        security: value(&mount.options, "sec").unwrap_or("sys").into(),
    }
}

/// Counters of one NFS mount since it was mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    operations: Vec<Operation>,
    /// Bytes that the server sent and received, [read, write].
    server_bytes: [u64; 2],
    connections: Vec<Connection>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Connection {
    /// Number of times that it was made.
    made: u64,
    /// Time without a request, seconds.
    idle_s: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Operation {
    name: String,
    /// Operations, transmissions, timeouts, bytes sent and received; sums of queue, round trip and execution in
    /// milliseconds; errors (0 before Linux 5.3).
    numbers: [u64; 9],
}

impl Counters {
    /// Returns the counters of the file system mounted at `at`; `None` if it is no NFS mount of this process.
    pub(crate) fn read(root: &SysRoot, at: &Path) -> Option<Counters> {
        let text = root.read("/proc/self/mountstats").ok()?;
        let lines: Vec<&str> = text.lines().collect();
        // A later mount hides an earlier one at the same place.
        let begin =
            lines.iter().rposition(|line| mounted_at(line).is_some_and(|found| Path::new(&found) == at))?;
        lines[begin].split_once(" fstype ").is_some_and(|(_, kind)| kind.starts_with("nfs")).then_some(())?;
        let mut counters = Counters::default();
        let mut operations = false;
        for line in lines[begin + 1..].iter().take_while(|line| !line.starts_with("device ")) {
            let line = line.trim();
            if operations {
                counters.operations.extend(operation(line));
            } else if line == "per-op statistics" {
                operations = true;
            } else if let Some(rest) = line.strip_prefix("bytes:") {
                let n = numbers(rest);
                counters.server_bytes = [n.get(4), n.get(5)].map(|n| n.copied().unwrap_or(0));
            } else if let Some(rest) = line.strip_prefix("xprt:") {
                counters.connections.extend(connection(rest));
            }
        }
        Some(counters)
    }

    /// Returns the requests since `before`.
    pub(crate) fn since(&self, before: &Counters) -> RemoteTraffic {
        let grown = |now: u64, then: u64| now.saturating_sub(then);
        let operations = self.operations.iter().filter_map(|now| {
            let then =
                before.operations.iter().find(|op| op.name == now.name).map_or([0; 9], |op| op.numbers);
            let n: [u64; 9] = std::array::from_fn(|at| grown(now.numbers[at], then[at]));
            let [ops, transmissions, _, _, _, queue_ms, round_trip_ms, execute_ms, errors] = n;
            (ops > 0).then(|| RemoteOperation {
                name: now.name.clone(),
                ops,
                retransmissions: transmissions.saturating_sub(ops),
                errors,
                queue_ms,
                round_trip_ms,
                execute_ms,
            })
        });
        RemoteTraffic {
            operations: operations.collect(),
            server_bytes: [0, 1].map(|at| grown(self.server_bytes[at], before.server_bytes[at])),
            reconnects: self.connections.iter().zip(&before.connections).map(reconnects).sum(),
        }
    }
}

/// Returns how often a connection was lost and made anew. The client closes a connection without requests by itself and makes
/// it anew for the next request.
fn reconnects((now, then): (&Connection, &Connection)) -> u64 {
    now.made.saturating_sub(then.made).saturating_sub(u64::from(then.idle_s >= IDLE_S))
}

/// Returns the mount point in a line such as `device 10.0.0.1:/e mounted on /mnt with fstype nfs4 statvers=1.1`.
fn mounted_at(line: &str) -> Option<String> {
    let (_, rest) = line.strip_prefix("device ")?.split_once(" mounted on ")?;
    Some(unescape(rest.rsplit_once(" with fstype ")?.0))
}

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().map_while(|word| word.parse().ok()).collect()
}

/// Reads a connection from `tcp PORT BINDS CONNECTS CONNECT_TIME IDLE_TIME ...`. Other transports count other things.
fn connection(line: &str) -> Option<Connection> {
    let n = numbers(line.trim().strip_prefix("tcp")?);
    Some(Connection { made: *n.get(2)?, idle_s: *n.get(4)? })
}

fn operation(line: &str) -> Option<Operation> {
    let (name, rest) = line.split_once(':')?;
    let found = numbers(rest);
    let mut numbers = [0; 9];
    (found.len() >= 8).then_some(())?;
    numbers.iter_mut().zip(found).for_each(|(to, from)| *to = from);
    Some(Operation { name: name.into(), numbers })
}
