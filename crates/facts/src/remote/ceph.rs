//! CephFS mounts: their pools in the client's map of the cluster, and the requests that the client counts and times.

use super::value;
use crate::SysRoot;
use crate::layers::Mounted;
use stats::remote::{CephPool, RemoteClient, RemoteOperation, RemoteTraffic};

/// Directory of the kernel's clients of Ceph; readable by root where debugfs is mounted.
const CLIENTS: &str = "/sys/kernel/debug/ceph";

/// Returns the client and the monitors of a CephFS mount. Sources are `MONITOR[,MONITOR]:/directory`, and since Linux 5.17
/// `user@fsid.name=/directory` with the monitors in `mon_addr`.
pub(super) fn of_mount(root: &SysRoot, mount: &Mounted) -> (RemoteClient, Vec<String>) {
    let fuse = mount.kind != "ceph";
    let (left, directory) = match mount.source.rsplit_once(":/") {
        Some((left, directory)) if !fuse => (left, format!("/{directory}")),
        _ => match mount.source.split_once("=/") {
            Some((left, directory)) if !fuse => (left, format!("/{directory}")),
            _ => ("", String::new()),
        },
    };
    let monitors: Vec<String> = match value(&mount.options, "mon_addr") {
        Some(monitors) => monitors.split('/').map(str::to_owned).collect(),
        None if left.contains('@') => Vec::new(),
        None => left.split(',').filter(|m| !m.is_empty()).map(str::to_owned).collect(),
    };
    let pools =
        if fuse { Vec::new() } else { client_of(root, &monitors).map_or(Vec::new(), |c| pools(root, &c)) };
    (RemoteClient::CephFs { fuse, directory, pools }, monitors)
}

/// Returns the name of the client of a CephFS mount with these monitors; `None` if not readable.
fn client_of(root: &SysRoot, monitors: &[String]) -> Option<String> {
    let mut clients = root.names(CLIENTS).into_iter();
    clients.find(|client| {
        let file = |name: &str| root.read(format!("{CLIENTS}/{client}/{name}")).ok();
        // Clients of images (rbd) have no map of the metadata servers.
        file("mdsmap").is_some()
            && file("monmap").is_some_and(|map| monitors.iter().any(|m| map.contains(m.as_str())))
    })
}

/// Returns the pools of the cluster in a client's map; empty if not readable.
pub(super) fn pools(root: &SysRoot, client: &str) -> Vec<CephPool> {
    let map = root.read(format!("{CLIENTS}/{client}/osdmap")).unwrap_or_default();
    map.lines().filter_map(pool).collect()
}

/// Reads a pool from a line such as `pool 1 'rbd' type 1 size 3 min_size 2 pg_num 32 pg_num_mask 31 flags 0x1 ...`.
fn pool(line: &str) -> Option<CephPool> {
    let rest = line.strip_prefix("pool ")?;
    let (_, rest) = rest.split_once(" '")?;
    let (name, rest) = rest.split_once("' ")?;
    let words: Vec<&str> = rest.split_whitespace().collect();
    let number =
        |key: &str| words.iter().position(|w| *w == key).and_then(|at| words.get(at + 1)?.parse().ok());
    Some(CephPool {
        name: name.into(),
        erasure: number("type") == Some(3),
        size: number("size")?,
        min_size: number("min_size")?,
        placement_groups: number("pg_num")?,
    })
}

/// Requests of a CephFS mount since it was mounted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counters {
    /// Name, number, and sum of the latencies in microseconds.
    operations: Vec<(String, u64, f64)>,
    /// Bytes that the servers sent and received, [read, write].
    server_bytes: [u64; 2],
}

impl Counters {
    /// Reads the counters of the mount with these monitors; `None` if not readable.
    pub(crate) fn read(root: &SysRoot, monitors: &[String]) -> Option<Counters> {
        let dir = format!("{CLIENTS}/{}/metrics", client_of(root, monitors)?);
        let rows = |name: &str| -> Option<Vec<Vec<String>>> {
            let text = root.read(format!("{dir}/{name}")).ok()?;
            let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect();
            // A heading and a line of dashes.
            Some(text.lines().skip(2).map(cells).collect())
        };
        let operations = rows("latency")?.into_iter().filter_map(|row| {
            let [name, total, mean, ..] = &row[..] else { return None };
            let total: u64 = total.parse().ok()?;
            Some((name.to_uppercase(), total, total as f64 * mean.parse::<f64>().ok()?))
        });
        let sizes = rows("size").unwrap_or_default();
        let bytes = |name: &str| {
            let row = sizes.iter().find(|row| row.first().is_some_and(|n| n == name));
            row.and_then(|row| row.last()?.parse().ok()).unwrap_or(0)
        };
        Some(Counters { operations: operations.collect(), server_bytes: [bytes("read"), bytes("write")] })
    }

    /// Returns the requests since `before`. The client does not tell apart the time before a request was sent.
    pub(crate) fn since(&self, before: &Counters) -> RemoteTraffic {
        let operations = self.operations.iter().filter_map(|(name, total, sum_us)| {
            let then = before.operations.iter().find(|(n, _, _)| n == name);
            let (ops_then, us_then) = then.map_or((0, 0.0), |(_, ops, us)| (*ops, *us));
            let (ops, ms) =
                (total.saturating_sub(ops_then), ((sum_us - us_then) / 1000.0).round().max(0.0) as u64);
            (ops > 0).then(|| RemoteOperation {
                name: name.clone(),
                ops,
                round_trip_ms: ms,
                execute_ms: ms,
                ..Default::default()
            })
        });
        RemoteTraffic {
            operations: operations.collect(),
            server_bytes: [0, 1].map(|at| self.server_bytes[at].saturating_sub(before.server_bytes[at])),
            reconnects: 0,
        }
    }
}
