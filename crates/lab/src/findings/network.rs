//! Rules about storage on other machines: settings of the client, the link, lost packets and lost connections.

use super::layers::{ABOVE_LINK, SERVED};
use super::{Found, Run, Work};
use job::job::{EngineChoice, NameCall};
use stats::remote::{InterfaceKind, NetworkPath, RemoteClient, RemoteLayer, TcpSegments};
use stats::server_fact::{SMALL_POOL, ServerFact, groups_per_osd};
use stats::{Claim, Direction};

/// Range of the ratio of a bandwidth to the payload of the link within which the link limited the bandwidth.
pub(super) const AT_LINK: std::ops::Range<f64> = 0.9..1.05;
/// Usual speeds of links, Mbit/s.
const USUAL_MBIT: [u64; 9] = [100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000];
/// Range of the ratio of a bandwidth to the payload of a link of a usual speed within which such a link is named although the
/// interface does not report its speed. It is narrow, because nothing else points to that link.
const NEAR_USUAL: std::ops::Range<f64> = 0.97..1.02;
/// Smallest share of TCP segments sent again that is reported.
pub(super) const REPEATED: f64 = 0.001;
/// Smallest number of TCP segments sent again that is reported.
pub(super) const REPEATED_LEAST: u64 = 10;
/// Shortest time without an answer of which the client's limit is reported, nanoseconds.
pub(super) const SILENT_NS: u64 = 1_000_000_000;

pub(super) fn look(run: &Run<'_>, found: &mut Found) {
    link(run, found);
    let l = &run.result.layers;
    if l.remote.is_empty() && l.connections.is_empty() {
        return;
    }
    mounts(run, found);
    clusters(run, found);
    requests(run, found);
    replication(run, found);
    // Fathom's own connections are only those to the servers.
    let own = l.connections.iter().map(|one| one.segments);
    let own = own.reduce(|a, b| TcpSegments {
        sent: a.sent + b.sent,
        retransmitted: a.retransmitted + b.retransmitted,
    });
    for (segments, own) in [(l.tcp, false), (own, true)] {
        let TcpSegments { sent, retransmitted: repeated } = segments.unwrap_or_default();
        if repeated >= REPEATED_LEAST && repeated as f64 >= REPEATED * sent as f64 {
            found.run(Claim::SegmentsRepeated { repeated, sent, own });
            break;
        }
    }
    silent(run, found);
}

/// Finds what the servers of libraries state that changes the meaning of the figures.
fn clusters(run: &Run<'_>, found: &mut Found) {
    let writes = || run.works().filter(|work| work.ios(Direction::Write) > 0);
    for layer in &run.result.layers.remote {
        for fact in layer.facts() {
            match fact {
                ServerFact::Pool { pool, osds, .. } if groups_per_osd(pool, *osds) < SMALL_POOL => {
                    let (groups, copies) = (pool.placement_groups, pool.size);
                    found.run(Claim::SmallPool { pool: pool.name.clone(), groups, copies, osds: *osds });
                }
                ServerFact::Activity(activity) if activity.is_busy() => {
                    let (layer, recovering, scrubbing) =
                        (layer.name.clone(), activity.recovering, activity.scrubbing);
                    found.run(Claim::ClusterBusy { layer, recovering, scrubbing });
                }
                // The engine flushes when it opens an image for writing: from then on the cache may confirm writes, also where it
                // writes through until the first flush.
                ServerFact::LibraryCache { library, bytes: Some(bytes), policy, .. }
                    if policy != "writethrough" && writes().next().is_some() =>
                {
                    let (library, policy) = (library.clone(), policy.clone());
                    found.run(Claim::LibraryCache { library, bytes: *bytes, policy });
                }
                ServerFact::Nfs { .. } if writes().any(|work| work.is_synced()) => {
                    found.run(Claim::ExportUnknown { layer: layer.name.clone() });
                }
                _ => {}
            }
        }
    }
}

/// Finds a bandwidth of writes that is what the links of the cluster carry, where these carry less than the link to it.
fn replication(run: &Run<'_>, found: &mut Found) {
    if run.keeps_its_pace() {
        return;
    }
    let rate = run.works().fold(0u64, |sum, work| sum.saturating_add(work.rate(Direction::Write)));
    let limits = run.result.layers.remote.iter().filter_map(|layer| {
        let (payload, own) = (layer.replication_payload()?, layer.link_payload()?);
        let ((pool, hosts), mbit) = (layer.pool_and_hosts()?, layer.path.as_ref()?.mbit?);
        let hit = payload < own && AT_LINK.contains(&(rate as f64 / payload.max(1) as f64));
        hit.then_some(Claim::ReplicationLimit { seen: rate, payload, copies: pool.size, hosts, mbit })
    });
    if let Some(claim) = limits.into_iter().next() {
        found.run(claim);
    }
}

/// Finds settings of NFS mounts that change the meaning of the figures.
fn mounts(run: &Run<'_>, found: &mut Found) {
    for layer in &run.result.layers.remote {
        let RemoteClient::Nfs(mount) = &layer.client else { continue };
        let name = || layer.name.clone();
        if mount.soft {
            found.run(Claim::SoftMount { layer: name(), seconds: mount.fails_after_s() });
        }
        let asks = |work: &&Work<'_>| matches!(work.job.engine, EngineChoice::Names(_, NameCall::Stat(_)));
        if let (Some([_, seconds, _, _]), Some(work)) = (mount.attribute_cache_s, run.works().find(asks)) {
            found.job(work.job, Claim::AttributesCached { layer: name(), seconds });
        }
        // Writes that wait for the server are confirmed by it, on whatever terms.
        let waits = |work: &Work<'_>| {
            work.on_files()
                && work.ios(Direction::Write) > 0
                && (mount.sync || work.job.target.direct || work.is_synced())
        };
        if run.works().any(waits) {
            found.run(Claim::ExportUnknown { layer: name() });
        }
    }
}

fn requests(run: &Run<'_>, found: &mut Found) {
    for layer in &run.result.layers.remote {
        let Some(traffic) = &layer.traffic else { continue };
        let repeated = traffic.operations.iter().map(|op| op.retransmissions).sum();
        let requests = traffic.operations.iter().map(|op| op.ops).sum();
        if repeated > 0 {
            found.run(Claim::RequestsRepeated { layer: layer.name.clone(), repeated, requests });
        }
        if traffic.reconnects > 0 {
            found.run(Claim::Reconnected { layer: layer.name.clone(), times: traffic.reconnects });
        }
    }
    for one in run.result.layers.connections.iter().filter(|one| one.reconnects > 0) {
        found.run(Claim::Reconnected { layer: one.server.clone(), times: one.reconnects });
    }
}

/// Network path that the I/O of some jobs took.
struct UsedPath<'a> {
    path: &'a NetworkPath,
    /// Payload of its link, bytes per second and direction.
    payload: Option<u64>,
    /// Bytes of the jobs per second, without those from the client's cache, [read, write].
    seen: [u64; 2],
}

fn used_paths<'a>(run: &Run<'a>) -> Vec<UsedPath<'a>> {
    let l = &run.result.layers;
    let rate = |direction, by_library| {
        let works = run.works().filter(|work| work.job.engine.remote().is_some() == by_library);
        works.fold(0u64, |sum, work| sum.saturating_add(work.rate(direction)))
    };
    // What the client's cache served did not pass the link.
    let passed = |at: usize| {
        let served = l.server_file_system();
        served.map_or(1.0, |(_, traffic)| traffic.server_bytes[at] as f64 / l.app_bytes[at].max(1) as f64)
    };
    let by_kernel = [Direction::Read, Direction::Write]
        .map(|direction| (rate(direction, false) as f64 * passed(direction as usize).min(1.0)) as u64);
    let by_library = [Direction::Read, Direction::Write].map(|direction| rate(direction, true));
    let used = |layer: &'a RemoteLayer| {
        let path = layer.path.as_ref()?;
        let seen = if matches!(layer.client, RemoteClient::Library { .. }) { by_library } else { by_kernel };
        Some(UsedPath { path, payload: layer.link_payload(), seen })
    };
    l.remote.iter().filter_map(used).collect()
}

/// Finds bandwidths that are those of the link to the server, or above.
fn link(run: &Run<'_>, found: &mut Found) {
    if run.keeps_its_pace() {
        return;
    }
    let mut told: Vec<&str> = Vec::new();
    for used in used_paths(run) {
        if told.contains(&used.path.interface.as_str()) {
            continue;
        }
        if let Some(claim) = of_path(&used) {
            told.push(&used.path.interface);
            found.run(claim);
        }
    }
}

/// Returns the limit of a path that the bandwidth reached.
fn of_path(used: &UsedPath<'_>) -> Option<Claim> {
    let &UsedPath { path, payload, seen: [read, written] } = used;
    let interface = || path.interface.clone();
    let at = |seen: u64, limit: u64| AT_LINK.contains(&(seen as f64 / limit.max(1) as f64));
    if let Some((shaper, limit)) = path.shaper.as_ref().zip(path.shaped_payload()) {
        // The interface sends what is written; what a server of this machine sends, too, passes the loopback interface.
        let sent = if path.kind == InterfaceKind::Loopback { read.saturating_add(written) } else { written };
        if at(sent, limit) {
            let (mbit, shaper) = (shaper.mbit(), shaper.kind.clone());
            return Some(Claim::ShaperLimit {
                interface: interface(),
                shaper,
                seen: sent,
                payload: limit,
                mbit,
            });
        }
    }
    let directions = [(Direction::Read, read), (Direction::Write, written)];
    if let Some((payload, mbit)) = payload.zip(path.mbit) {
        return directions.into_iter().find_map(|(direction, seen)| {
            if at(seen, payload) {
                return Some(Claim::LinkLimit { interface: interface(), direction, seen, payload, mbit });
            }
            let above = seen as f64 >= ABOVE_LINK * payload.max(1) as f64;
            above.then(|| Claim::AboveLink { device: interface(), seen, ceiling: payload })
        });
    }
    if path.kind == InterfaceKind::Loopback {
        return None;
    }
    directions.into_iter().find_map(|(direction, seen)| {
        let (mbit, payload) = USUAL_MBIT
            .into_iter()
            .map(|mbit| (mbit, path.payload_of_link(mbit)))
            .find(|(_, payload)| NEAR_USUAL.contains(&(seen as f64 / *payload as f64)))?;
        Some(Claim::RateOfLink { interface: interface(), direction, seen, payload, mbit })
    })
}

/// Finds long times without an answer, with the limit of the client.
fn silent(run: &Run<'_>, found: &mut Found) {
    let longest = found.0.iter().filter_map(|finding| match finding.claim {
        Claim::Stall { longest_ns, .. } | Claim::Pauses { longest_ns, .. } => Some(longest_ns),
        _ => None,
    });
    let Some(longest_ns) = longest.max().filter(|ns| *ns >= SILENT_NS) else { return };
    let mut limits =
        run.result.layers.remote.iter().filter_map(|layer| Some((layer, layer.failure_limit()?)));
    if let Some((layer, (setting, seconds))) = limits.next() {
        let (layer, setting) = (layer.name.clone(), setting.to_owned());
        found.run(Claim::ServerSilent { layer, longest_ns, setting, seconds });
    }
}

/// Returns whether the client's cache served reads: the server sent fewer bytes than were read.
pub(super) fn cached_reads(app: u64, server: u64) -> bool {
    (server as f64) < SERVED * app as f64
}
