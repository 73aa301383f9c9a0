//! Storage on another machine: the kernel's client of a layer, the network path to its server, and the requests that the
//! client sent during a run.

use crate::server_fact::ServerFact;
pub use crate::server_fact::{CephPool, TcpSegments};
use serde::{Deserialize, Serialize};

/// Layer whose data are on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RemoteLayer {
    /// Mount point, or kernel name of the device.
    pub name: String,
    /// Client of the kernel and its settings.
    pub client: RemoteClient,
    /// Addresses of the servers as the kernel reports them, with port where known; empty if it reports none.
    #[serde(default)]
    pub servers: Vec<String>,
    /// Path to the first server; `None` if its address or the route is not known.
    #[serde(default)]
    pub path: Option<NetworkPath>,
    /// Requests to the server during a run; `None` if the client does not count them, or without a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<RemoteTraffic>,
}

/// Client for storage on another machine, of the kernel or of fathom itself, with the settings that affect figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "protocol", rename_all = "snake_case")]
pub enum RemoteClient {
    /// NFS mount.
    Nfs(NfsMount),
    /// SMB mount.
    Smb {
        /// Share, such as `//server/share`.
        share: String,
        /// Version of the protocol; empty if not reported.
        version: String,
        /// Mode of the client's cache (`strict`, `none`, `loose`); empty if not reported.
        cache: String,
        /// Whether requests fail when the server does not respond.
        soft: bool,
    },
    /// CephFS mount of the kernel or of ceph-fuse.
    CephFs {
        /// Whether the client is a program (ceph-fuse) and not the kernel.
        fuse: bool,
        /// Directory of the file system that is mounted; empty if not reported.
        directory: String,
        /// Data pools in the client's map of the cluster; empty if not readable (debugfs, root).
        pools: Vec<CephPool>,
    },
    /// Directory of the hypervisor's host (`9p`, `virtiofs`).
    HostDirectory {
        /// Type of the file system.
        kind: String,
        /// Name of the directory in the configuration of the virtual machine.
        tag: String,
        /// Mode of the client's cache; empty if not reported.
        cache: String,
    },
    /// Image of a Ceph cluster (`rbd`).
    Rbd {
        /// Name of the pool, with its namespace where there is one.
        pool: String,
        /// Name of the image.
        image: String,
        /// Mapped snapshot; `None` if the image itself is mapped.
        snapshot: Option<String>,
        /// ID of the cluster.
        cluster: String,
        /// Features of the image as a bit mask; `None` if not reported.
        features: Option<u64>,
        /// The pool in the client's map of the cluster; `None` if not readable (debugfs, root).
        copies: Option<CephPool>,
    },
    /// Network block device (`nbd`).
    Nbd {
        /// Whether a server is connected.
        connected: bool,
        /// Identifier that the client program gave; `None` if it gave none.
        backend: Option<String>,
        /// Time after which a request fails, seconds; `Some(0)` = never, `None` if not readable (debugfs, root).
        timeout_s: Option<u64>,
    },
    /// Session with an iSCSI target.
    Iscsi {
        /// Name of the target.
        target: String,
        /// State of the session; `LOGGED_IN` when it works.
        state: String,
        /// Time without a connection after which I/Os fail, seconds; `None` = never, or not reported.
        recovery_s: Option<u64>,
        /// Largest burst of data, bytes.
        max_burst: Option<u64>,
        /// Number of connections.
        connections: u32,
        /// Whether data are protected by a digest, which the CPU computes.
        digests: bool,
    },
    /// Controller of NVMe over a network.
    NvmeOver {
        /// Transport: `tcp`, `rdma`, `fc`.
        transport: String,
        /// Name of the subsystem.
        subsystem: String,
        /// State of the controller; `live` when it works.
        state: String,
        /// Number of I/O queues.
        io_queues: Option<u32>,
        /// Number of controllers that lead to the namespace (multipath).
        controllers: u32,
        /// Keep-alive interval, seconds; `None` if off.
        keep_alive_s: Option<u64>,
        /// Time between two attempts to connect again, seconds.
        reconnect_s: Option<u64>,
        /// Time without a connection after which I/Os fail, seconds; `None` = never, or not reported.
        loss_s: Option<u64>,
    },
    /// Library by which fathom itself reaches the target.
    Library {
        /// Name of the library, such as `librbd`.
        library: String,
        /// What the server and the library state.
        facts: Vec<ServerFact>,
    },
}

impl RemoteLayer {
    /// Returns what the server states about the target of a library; empty for clients of the kernel.
    pub fn facts(&self) -> &[ServerFact] {
        match &self.client {
            RemoteClient::Library { facts, .. } => facts,
            _ => &[],
        }
    }

    /// Returns the pool that holds the data of a target of a library, and the number of machines of the cluster's OSDs.
    pub fn pool_and_hosts(&self) -> Option<(&CephPool, u32)> {
        let pool = self.facts().iter().rev().find_map(|fact| match fact {
            ServerFact::Pool { pool, .. } => Some(pool),
            _ => None,
        })?;
        let hosts = self.facts().iter().find_map(|fact| match fact {
            ServerFact::Osds { hosts, .. } => Some(*hosts),
            _ => None,
        })?;
        Some((pool, hosts))
    }

    /// Returns the payload of client writes in bytes per second that the links of the cluster's machines carry, if each is as
    /// fast as this machine's link to them: each copy of each write passes one of these links. `None` for other targets
    /// and if a figure is not known.
    pub fn replication_payload(&self) -> Option<u64> {
        let (pool, hosts) = self.pool_and_hosts()?;
        let payload = self.path.as_ref()?.payload_bytes_per_second()?;
        Some((u128::from(payload) * u128::from(hosts) / u128::from(pool.size.max(1))) as u64)
    }

    /// Returns the setting by which I/O fails when the server does not answer, and the time in seconds; a time of `None` is no
    /// limit. Returns `None` if the client has no such setting or does not report it.
    pub fn failure_limit(&self) -> Option<(&'static str, Option<f64>)> {
        let seconds = |time: &Option<u64>| time.map(|s| s as f64);
        Some(match &self.client {
            RemoteClient::Nfs(mount) if mount.soft => ("soft", Some(mount.fails_after_s())),
            RemoteClient::Nfs(_) => ("hard", None),
            RemoteClient::Nbd { timeout_s: Some(s), .. } => {
                ("timeout", seconds(&Some(*s).filter(|s| *s > 0)))
            }
            RemoteClient::Iscsi { recovery_s, .. } => ("recovery_tmo", seconds(recovery_s)),
            RemoteClient::NvmeOver { loss_s, .. } => ("ctrl_loss_tmo", seconds(loss_s)),
            _ => return None,
        })
    }

    /// Returns the payload in bytes per second and direction that the links to the server carry. Of a bond, each connection
    /// uses one member.
    pub fn link_payload(&self) -> Option<u64> {
        let path = self.path.as_ref()?;
        let payload = path.payload_bytes_per_second()?;
        let connections = match &self.client {
            RemoteClient::Nfs(mount) => mount.connections,
            RemoteClient::Iscsi { connections, .. } => *connections,
            _ => return Some(payload),
        };
        let members = path.members.len().max(1) as u64;
        Some(payload / members * u64::from(connections.max(1)).min(members))
    }
}

/// Settings of an NFS mount.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NfsMount {
    /// Directory of the server that is mounted, as `server:/directory`.
    pub export: String,
    /// Version of the protocol, such as `4.1`.
    pub version: String,
    /// Transport: `tcp`, `udp`, `rdma`.
    pub transport: String,
    /// Number of connections (`nconnect`).
    pub connections: u32,
    /// Largest read request, bytes (`rsize`).
    pub read_bytes: u64,
    /// Largest write request, bytes (`wsize`).
    pub write_bytes: u64,
    /// Whether requests fail when the server does not respond (`soft`, `softerr`); otherwise they are repeated for ever.
    pub soft: bool,
    /// Time after which a request is sent again, tenths of a second (`timeo`).
    pub timeout_ds: u32,
    /// Number of repetitions before a soft mount fails, or a hard mount reports the server as not responding
    /// (`retrans`).
    pub retries: u32,
    /// Whether each write is sent at once and waits for stable storage (`sync`).
    pub sync: bool,
    /// Shortest and longest time for which attributes are cached, seconds: of files, of directories; `None` if they are
    /// not cached (`noac`, `actimeo=0`).
    pub attribute_cache_s: Option<[u32; 4]>,
    /// Security: `sys`, `krb5`, `krb5i`, `krb5p`.
    pub security: String,
}

impl NfsMount {
    /// Returns the time after which a request fails on a soft mount, seconds: over TCP each wait is longer than the one before
    /// by `timeo`, but the last one ends when `timeo` times the number of transmissions has passed.
    pub fn fails_after_s(&self) -> f64 {
        f64::from(self.timeout_ds) / 10.0 * f64::from(self.retries + 1)
    }
}

/// Kind of a network interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterfaceKind {
    /// Loopback: the server is on this machine.
    Loopback,
    /// Network card.
    Card,
    /// Several cards as one (bonding).
    Bond,
    /// Interface without a card of its own, such as a bridge, a tunnel, or the card of a virtual machine.
    Virtual,
}

/// Interface through which packets to a server leave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkPath {
    /// IP address of the server.
    pub server: String,
    /// Name of the interface.
    pub interface: String,
    /// Kind of the interface.
    pub kind: InterfaceKind,
    /// Speed of the link, Mbit/s; `None` if not known. The speed that virtual interfaces report is not that of a link.
    pub mbit: Option<u64>,
    /// Whether the link sends and receives at the same time; `None` if not known.
    pub full_duplex: Option<bool>,
    /// Largest packet, bytes.
    pub mtu: Option<u32>,
    /// Names of the members of a bond.
    #[serde(default)]
    pub members: Vec<String>,
    /// Limit that this machine sets for what it sends through the interface; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shaper: Option<Shaper>,
}

/// Queueing discipline (`tc qdisc`) that limits the rate at which an interface sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shaper {
    /// Name of the discipline: `tbf`, `netem`, `cake`.
    pub kind: String,
    /// Limit in bytes per second, of packets with their Ethernet headers.
    pub bytes_per_second: u64,
}

impl Shaper {
    /// Returns the limit in Mbit/s, rounded.
    pub fn mbit(&self) -> u64 {
        self.bytes_per_second.saturating_mul(8).saturating_add(500_000) / 1_000_000
    }
}

impl NetworkPath {
    /// Returns the bytes of payload per second and direction that the link carries by TCP over IPv4; `None` if its speed
    /// is not known. Preamble, Ethernet, IP and TCP headers, checksum and gap are subtracted.
    pub fn payload_bytes_per_second(&self) -> Option<u64> {
        Some(self.payload_of_link(self.mbit?))
    }

    /// Returns the bytes of payload per second that a link of this speed carries with the MTU of the interface.
    pub fn payload_of_link(&self, mbit: u64) -> u64 {
        (mbit as f64 * 125_000.0 * self.payload_share(38.0)) as u64
    }

    /// Returns the bytes of payload per second that the shaper of the interface lets pass; `None` without one. Preamble,
    /// checksum and gap do not count there.
    pub fn shaped_payload(&self) -> Option<u64> {
        let limit = self.shaper.as_ref()?.bytes_per_second;
        Some((limit as f64 * self.payload_share(14.0)) as u64)
    }

    /// Returns the share of payload in full packets with `around` bytes beside the IP packet.
    fn payload_share(&self, around: f64) -> f64 {
        let mtu = f64::from(self.mtu.unwrap_or(1500).max(576));
        (mtu - 52.0) / (mtu + around)
    }
}

/// Requests of one kind that a client sent to its server, as the client counted and timed them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemoteOperation {
    /// Name of the operation in the protocol, such as `READ`.
    pub name: String,
    /// Number of operations.
    pub ops: u64,
    /// Number of transmissions beyond the first.
    pub retransmissions: u64,
    /// Number of operations that failed.
    #[serde(default)]
    pub errors: u64,
    /// Sum of the times before the request was sent, milliseconds.
    pub queue_ms: u64,
    /// Sum of the times from the last transmission to the answer, milliseconds: network and server.
    pub round_trip_ms: u64,
    /// Sum of the times from the call to its end, milliseconds.
    pub execute_ms: u64,
}

impl RemoteOperation {
    /// Returns the mean times of an operation in nanoseconds: before the request was sent, from the transmission to the answer
    /// (network and server), and from the call to its end; `None` if there was no operation.
    pub fn mean_ns(&self) -> Option<[f64; 3]> {
        let mean = |ms: u64| ms as f64 * 1e6 / self.ops as f64;
        (self.ops > 0).then(|| [self.queue_ms, self.round_trip_ms, self.execute_ms].map(mean))
    }
}

/// Requests of a client to its server during a run, of all processes that use the same mount.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemoteTraffic {
    /// Operations with at least one request, in the order of the protocol.
    pub operations: Vec<RemoteOperation>,
    /// Bytes of file data that the server received and sent, [read, write].
    pub server_bytes: [u64; 2],
    /// Number of connections that were made anew.
    pub reconnects: u64,
}

impl RemoteTraffic {
    /// Returns the operations of this name; all counts are 0 if there were none.
    pub fn operation(&self, name: &str) -> RemoteOperation {
        self.operations.iter().find(|op| op.name == name).cloned().unwrap_or_default()
    }

    /// Adds the requests of a later run.
    pub fn add(&mut self, later: &RemoteTraffic) {
        for theirs in &later.operations {
            match self.operations.iter_mut().find(|op| op.name == theirs.name) {
                Some(mine) => {
                    mine.ops += theirs.ops;
                    mine.retransmissions += theirs.retransmissions;
                    mine.errors += theirs.errors;
                    mine.queue_ms += theirs.queue_ms;
                    mine.round_trip_ms += theirs.round_trip_ms;
                    mine.execute_ms += theirs.execute_ms;
                }
                None => self.operations.push(theirs.clone()),
            }
        }
        self.server_bytes.iter_mut().zip(later.server_bytes).for_each(|(a, b)| *a += b);
        self.reconnects += later.reconnects;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payload_of_a_gigabit_link_is_what_tcp_reaches_on_it() {
        let path = |mbit, mtu| NetworkPath {
            server: "10.0.0.1".into(),
            interface: "eth0".into(),
            kind: InterfaceKind::Card,
            mbit,
            full_duplex: Some(true),
            mtu,
            members: Vec::new(),
            shaper: Some(Shaper { kind: "tbf".into(), bytes_per_second: 12_500_000 }),
        };
        assert_eq!(path(None, Some(1500)).shaped_payload(), Some(11_955_085));
        assert_eq!(path(None, None).shaper.as_ref().map(Shaper::mbit), Some(100));
        assert_eq!(path(Some(1000), Some(1500)).payload_bytes_per_second(), Some(117_685_305));
        assert_eq!(path(Some(10_000), Some(9000)).payload_bytes_per_second(), Some(1_237_552_555));
        assert_eq!(path(None, Some(1500)).payload_bytes_per_second(), None);
    }

    #[test]
    fn traffic_of_two_runs_adds_up_by_operation() {
        let op = |name: &str, ops| RemoteOperation {
            name: name.into(),
            ops,
            execute_ms: 2 * ops,
            ..Default::default()
        };
        let mut sum = RemoteTraffic { operations: vec![op("READ", 3)], server_bytes: [10, 0], reconnects: 1 };
        sum.add(&RemoteTraffic {
            operations: vec![op("READ", 4), op("WRITE", 1)],
            server_bytes: [5, 6],
            reconnects: 0,
        });
        assert_eq!(sum.operation("READ"), op("READ", 7));
        assert_eq!(sum.operation("WRITE").ops, 1);
        assert_eq!((sum.server_bytes, sum.reconnects, sum.operation("COMMIT").ops), ([15, 6], 1, 0));
    }
}
