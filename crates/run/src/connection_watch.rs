//! TCP connections of the workers to the servers of their targets: segments sent again, round-trip times, and connections
//! that were lost and made anew. The libraries do not tell these; the kernel does.

use job::plan::Plan;
use stats::remote::TcpSegments;
use stats::server_fact::ServerConnections;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use sys::tcp::Connection;

/// Shortest time between two readings. A connection that ends between two readings has the counters of the last one.
const EVERY: Duration = Duration::from_millis(100);
/// Share of the time that readings may take.
const SHARE: u32 = 100;

/// Connections seen so far.
#[derive(Default)]
pub(crate) struct ConnectionWatch {
    /// Whether a job reaches its target through a server.
    on_servers: bool,
    open: BTreeMap<u64, Connection>,
    peers: BTreeMap<SocketAddr, Peer>,
    /// Number of workers at the last reading.
    workers: usize,
    due: Option<Instant>,
}

/// Connections to one address and port.
#[derive(Default)]
struct Peer {
    /// Counters of connections that have ended.
    ended: [u64; 3],
    connections: u32,
    reconnects: u64,
    /// Connections that ended although their worker went on.
    lost: u64,
    /// Sum and number of the round-trip times read.
    round_trips: (f64, u32),
    least_us: Option<u32>,
}

fn counters(one: &Connection) -> [u64; 3] {
    [one.sent, one.retransmitted, one.out_of_order].map(u64::from)
}

impl ConnectionWatch {
    /// Returns a watch that reads nothing unless a job of the plan is on a server.
    pub(crate) fn of(plan: &Plan) -> ConnectionWatch {
        let on_servers = plan.jobs.iter().any(|job| job.engine.remote().is_some());
        ConnectionWatch { on_servers, ..ConnectionWatch::default() }
    }

    /// Reads the connections if a reading is due. `workers` is the number of workers that run.
    pub(crate) fn look(&mut self, workers: usize) {
        let now = Instant::now();
        if !self.on_servers || self.due.is_some_and(|due| now < due) {
            return;
        }
        let seen = sys::tcp::own_connections();
        self.due = Some(now + EVERY.max(now.elapsed() * SHARE));
        self.add(&seen, workers);
    }

    fn add(&mut self, seen: &[Connection], workers: usize) {
        let ended: Vec<Connection> =
            self.open.values().filter(|old| seen.iter().all(|one| one.inode != old.inode)).copied().collect();
        for old in ended {
            self.open.remove(&old.inode);
            let peer = self.peers.entry(old.peer).or_default();
            peer.ended.iter_mut().zip(counters(&old)).for_each(|(sum, n)| *sum += n);
            peer.lost += 1;
        }
        // A worker that has ended closed its connections itself; a later one opens its own.
        if workers != self.workers {
            self.peers.values_mut().for_each(|peer| peer.lost = 0);
            self.workers = workers;
        }
        for one in seen {
            let peer = self.peers.entry(one.peer).or_default();
            if self.open.insert(one.inode, *one).is_none() {
                match peer.lost {
                    0 => peer.connections += 1,
                    _ => (peer.lost, peer.reconnects) = (peer.lost - 1, peer.reconnects + 1),
                }
            }
            if one.round_trip_us > 0 {
                peer.round_trips.0 += f64::from(one.round_trip_us);
                peer.round_trips.1 += 1;
                peer.least_us = Some(peer.least_us.map_or(one.least_us, |least| least.min(one.least_us)));
            }
        }
    }

    /// Returns the connections of the run, by server.
    pub(crate) fn finish(self) -> Vec<ServerConnections> {
        let mut peers = self.peers;
        for one in self.open.values() {
            let peer = peers.entry(one.peer).or_default();
            peer.ended.iter_mut().zip(counters(one)).for_each(|(sum, n)| *sum += n);
        }
        let all = peers.into_iter().map(|(server, peer)| ServerConnections {
            server: server.to_string(),
            connections: peer.connections,
            segments: TcpSegments { sent: peer.ended[0], retransmitted: peer.ended[1] },
            out_of_order: peer.ended[2],
            round_trip_us: peer.round_trips.0 / f64::from(peer.round_trips.1.max(1)),
            least_us: peer.least_us.unwrap_or(0),
            reconnects: peer.reconnects,
        });
        all.collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn connection(inode: u64, sent: u32, retransmitted: u32) -> Connection {
        Connection {
            inode,
            peer: "10.0.0.1:3260".parse().unwrap(),
            round_trip_us: 200 + inode as u32,
            least_us: 150,
            sent,
            retransmitted,
            out_of_order: 1,
        }
    }

    #[test]
    fn counters_of_ended_connections_stay_and_reconnects_are_told() {
        let mut watch = ConnectionWatch::default();
        watch.add(&[connection(1, 10, 0), connection(2, 20, 1)], 2);
        watch.add(&[connection(1, 30, 2), connection(2, 40, 1)], 2);
        // The second one is lost and made anew.
        watch.add(&[connection(1, 50, 2), connection(3, 5, 0)], 2);
        let [found] = &watch.finish()[..] else { panic!() };
        assert_eq!((found.connections, found.reconnects), (2, 1));
        assert_eq!(found.segments, TcpSegments { sent: 50 + 40 + 5, retransmitted: 3 });
        assert_eq!((found.out_of_order, found.least_us), (3, 150));
        assert!((201.0..203.0).contains(&found.round_trip_us), "{found:?}");
    }

    /// A connection that is lost may be made anew some readings later.
    #[test]
    fn connection_that_returns_late_is_a_reconnect() {
        let mut watch = ConnectionWatch::default();
        for seen in [&[connection(1, 1, 0)][..], &[], &[], &[connection(2, 1, 0)]] {
            watch.add(seen, 1);
        }
        let found = watch.finish();
        assert_eq!((found[0].connections, found[0].reconnects), (1, 1));
    }

    /// Workers that end close their connections, and those that start later open their own.
    #[test]
    fn connections_of_other_workers_are_no_reconnects() {
        let mut watch = ConnectionWatch::default();
        watch.add(&[connection(1, 1, 0)], 1);
        watch.add(&[], 1);
        watch.add(&[], 0);
        watch.add(&[connection(2, 1, 0)], 1);
        let found = watch.finish();
        assert_eq!((found[0].connections, found[0].reconnects), (2, 0));
    }
}
