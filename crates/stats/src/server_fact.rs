//! What a server says about a target that a library of fathom reaches, and fathom's TCP connections to servers.

use serde::{Deserialize, Serialize};

/// Placement groups per OSD below which a pool is small: Ceph's own balancer aims at 100, and its warning begins below 30.
pub const SMALL_POOL: f64 = 30.0;
/// Share of a target that has storage of its own, below which the target is thin.
pub const THIN: f64 = 0.9;

/// Property of a target as its server or the library states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum ServerFact {
    /// Pool that holds the data.
    Pool {
        /// The pool.
        pool: CephPool,
        /// Parameters of the erasure code, such as `k=2 m=1 plugin=jerasure`; `None` for a replicated pool.
        profile: Option<String>,
        /// Number of OSDs of the cluster that are up and in.
        osds: u32,
    },
    /// Health of the cluster.
    Health {
        /// Status, such as `HEALTH_OK`.
        status: String,
        /// Names of the checks that failed.
        checks: Vec<String>,
    },
    /// Work of the cluster beside that of its clients, in placement groups.
    Activity(ClusterActivity),
    /// OSDs of the cluster that are up.
    Osds {
        /// The OSDs, at most [`OSDS_SHOWN`].
        osds: Vec<CephOsd>,
        /// Number of OSDs.
        all: u32,
        /// Number of machines that the OSDs are on.
        hosts: u32,
    },
    /// Image of Ceph.
    Image {
        /// Size in bytes.
        size: u64,
        /// Size of an object in bytes.
        object_size: u64,
        /// Bytes that are written to an object before the next object follows.
        stripe_unit: u64,
        /// Number of objects over which stripe units are distributed.
        stripe_count: u64,
        /// Names of the enabled features.
        features: Vec<String>,
        /// Parent of a clone; `None` if the image is no clone.
        parent: Option<String>,
    },
    /// Part of the target that has storage of its own.
    Allocated {
        /// Bytes with storage.
        bytes: u64,
        /// Size of the target in bytes.
        size: u64,
    },
    /// Cache of the client's library.
    LibraryCache {
        /// Name of the library.
        library: String,
        /// Size in bytes; `None` if the cache is off.
        bytes: Option<u64>,
        /// Policy, such as `writearound`.
        policy: String,
        /// Whether writes pass the cache until the first flush.
        until_flush: bool,
    },
    /// Limits (QoS) of the target.
    Limits {
        /// Name and value of each limit.
        limits: Vec<(String, u64)>,
    },
    /// Other clients that have the target open, or are registered with it.
    Clients {
        /// Names, as the server has them.
        clients: Vec<String>,
    },
    /// Server of NFS.
    Nfs {
        /// Version of the protocol.
        version: String,
        /// Export, as `server:/directory`.
        export: String,
        /// Largest read request, bytes; 0 = not stated, as by libnfs of version 4.
        read_bytes: u64,
        /// Largest write request, bytes; 0 = not stated.
        write_bytes: u64,
    },
    /// LUN of an iSCSI target.
    Lun {
        /// Name of the target.
        target: String,
        /// Number of the LUN.
        lun: u16,
        /// Vendor, product and revision.
        model: String,
        /// Bytes of a logical block.
        block: u32,
        /// Bytes of a physical block.
        physical_block: u32,
        /// Whether space is allocated when it is written first.
        thin: bool,
        /// Whether UNMAP frees space.
        unmap: bool,
        /// Whether the target has a volatile write cache; `None` if it does not say.
        write_cache: Option<bool>,
        /// Rotations per minute, 0 if the medium does not rotate; `None` if the LUN does not say.
        rotation_rate: Option<u16>,
    },
    /// Export of an NBD server.
    Export {
        /// Commands and properties that the server offers, as `flush`, `fua`, `trim`, `zero`, `multi-conn`.
        flags: Vec<String>,
        /// Whether replies are structured; `None` if the library cannot tell.
        structured: Option<bool>,
        /// Smallest, preferred and largest request in bytes; 0 = not stated.
        blocks: [u64; 3],
    },
    /// Round-trip time of the connection, microseconds.
    RoundTrip {
        /// Smoothed round-trip time of TCP (`tcpi_rtt`).
        mean_us: u32,
        /// Smallest round-trip time of TCP (`tcpi_min_rtt`).
        least_us: u32,
    },
}

/// Largest number of OSDs that are listed.
pub const OSDS_SHOWN: usize = 32;

/// Work of a cluster beside that of its clients, in placement groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterActivity {
    /// Groups that copy data, or wait for it (recovery, backfill).
    pub recovering: u32,
    /// Groups that compare their copies (scrub).
    pub scrubbing: u32,
    /// Groups with fewer copies than the pool asks for.
    pub degraded: u32,
}

impl ClusterActivity {
    /// Returns whether the cluster does work beside that of its clients.
    pub fn is_busy(&self) -> bool {
        self.recovering > 0 || self.scrubbing > 0
    }

    /// Returns the larger of both numbers of each kind.
    #[must_use]
    pub fn most(self, other: ClusterActivity) -> ClusterActivity {
        ClusterActivity {
            recovering: self.recovering.max(other.recovering),
            scrubbing: self.scrubbing.max(other.scrubbing),
            degraded: self.degraded.max(other.degraded),
        }
    }
}

/// OSD of a Ceph cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CephOsd {
    /// Number.
    pub id: u32,
    /// Machine.
    pub host: String,
    /// Object store, such as `bluestore`.
    pub store: String,
    /// Whether the device rotates; `None` if not reported.
    pub rotational: Option<bool>,
    /// Kernel names of the devices, separated by commas; empty if not reported.
    pub devices: String,
}

/// Pool of a Ceph cluster as a client knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CephPool {
    /// Name of the pool.
    pub name: String,
    /// Whether the pool is erasure coded and not replicated.
    pub erasure: bool,
    /// Number of copies; number of chunks of an erasure-coded pool (`size`).
    pub size: u32,
    /// Smallest number of copies with which the pool takes writes (`min_size`).
    pub min_size: u32,
    /// Number of placement groups.
    pub placement_groups: u32,
}

/// TCP segments of the whole machine, or of some connections, during a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpSegments {
    /// Segments sent, without retransmissions.
    pub sent: u64,
    /// Segments sent again.
    pub retransmitted: u64,
}

/// Returns the placement groups of a pool that each OSD holds, on average.
pub fn groups_per_osd(pool: &CephPool, osds: u32) -> f64 {
    f64::from(pool.placement_groups) * f64::from(pool.size) / f64::from(osds.max(1))
}

/// TCP connections of this process to one server during a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ServerConnections {
    /// Address and port of the server.
    pub server: String,
    /// Number of connections, without those made anew.
    pub connections: u32,
    /// Segments that this machine sent with data or alone, and of these again.
    pub segments: TcpSegments,
    /// Segments that arrived out of order, as after a loss.
    pub out_of_order: u64,
    /// Smoothed round-trip time, mean of all readings, microseconds.
    pub round_trip_us: f64,
    /// Smallest round-trip time, microseconds.
    pub least_us: u32,
    /// Connections that ended while their job ran and were made anew.
    pub reconnects: u64,
}

impl ServerConnections {
    /// Adds the connections of a later run.
    pub fn add(&mut self, later: &ServerConnections) {
        let (mine, theirs) = (f64::from(self.connections), f64::from(later.connections));
        let sum = self.round_trip_us * mine + later.round_trip_us * theirs;
        self.round_trip_us = sum / (mine + theirs).max(1.0);
        self.least_us = self.least_us.min(later.least_us);
        self.connections += later.connections;
        self.segments.sent += later.segments.sent;
        self.segments.retransmitted += later.segments.retransmitted;
        self.out_of_order += later.out_of_order;
        self.reconnects += later.reconnects;
    }
}
