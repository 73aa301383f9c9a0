//! Texts about layers on other machines and the network path to these.

use super::{Words, advised, exact, raw, told};
use crate::Lang;
use crate::catalog::{say, word};
use crate::scale::{bytes, percent, short, time};
use stats::doctor::*;
use stats::remote::{InterfaceKind, NetworkPath, RemoteClient};
use stats::server_fact::{CephOsd, ClusterActivity, ServerFact};

pub(super) fn network(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Client { layer, client, servers } => of_client(lang, layer, client, servers),
        Fact::NotConnected { layer, state } => advised!(lang, "doctor-not-connected", layer, state),
        Fact::FailsAfter { layer, setting, seconds } => {
            let fact = match seconds {
                Some(seconds) => say!(lang, "doctor-fails-after", layer, setting, seconds = short(*seconds)),
                None => say!(lang, "doctor-fails", layer, setting),
            };
            told(fact, word!(lang, "doctor-fails-why"), word!(lang, "doctor-fails-do"))
        }
        Fact::WaitsForServer { layer, setting } => {
            told(say!(lang, "doctor-waits-for-server", layer, setting), "", "")
        }
        Fact::AttributeCache {
            layer,
            file_s: [file, file_most],
            directory_s: [directory, directory_most],
        } => {
            advised!(lang, "doctor-attribute-cache", layer, file, file_most, directory, directory_most)
        }
        Fact::ExportUnknown { layer } => advised!(lang, "doctor-export-unknown", layer),
        Fact::SmallRequests { layer, read_bytes, write_bytes } => {
            let (read, written) = (exact(lang, *read_bytes), exact(lang, *write_bytes));
            advised!(lang, "doctor-small-requests", layer, read, written)
        }
        Fact::Pool { layer, pool } => {
            let (name, groups) = (&pool.name, pool.placement_groups);
            let (size, least) = (pool.size, pool.min_size);
            let fact = match pool.erasure {
                true => say!(lang, "doctor-pool-erasure", layer, name, size, least, groups),
                false => say!(lang, "doctor-pool", layer, name, size, least, groups),
            };
            match line.severity {
                Severity::Matters => told(
                    fact,
                    word!(lang, "doctor-pool-one-copy-why"),
                    word!(lang, "doctor-pool-one-copy-do"),
                ),
                _ => told(fact, word!(lang, "doctor-pool-why"), word!(lang, "doctor-pool-do")),
            }
        }
        Fact::SmallPool { layer, pool, osds, each } => {
            let (name, groups, size, each) = (&pool.name, pool.placement_groups, pool.size, short(*each));
            advised!(lang, "doctor-small-pool", layer, name, groups, size, osds, each)
        }
        Fact::Server { layer, server } => of_server(lang, layer, server, line.severity),
        Fact::ReplicationPayload { layer, copies, hosts, mbit, payload } => {
            advised!(lang, "doctor-replication", layer, copies, hosts, mbit, payload = bytes(*payload))
        }
        Fact::Route { layer, path, payload } => route(lang, layer, path, *payload),
        Fact::Shaper { layer, interface, shaper, payload } => {
            let (kind, mbit, payload) = (&shaper.kind, shaper.mbit(), bytes(*payload));
            advised!(lang, "doctor-shaper", layer, interface, kind, mbit, payload)
        }
        Fact::ServerUnknown { layer } => advised!(lang, "doctor-server-unknown", layer),
        other => raw(other),
    }
}

fn of_client(lang: Lang, layer: &str, client: &RemoteClient, servers: &[String]) -> Words {
    let servers = if servers.is_empty() { "?".to_owned() } else { servers.join(", ") };
    let mut why = word!(lang, "doctor-client-why");
    let mut act = word!(lang, "doctor-client-do");
    let fact = match client {
        RemoteClient::Nfs(m) => {
            let (read, written) = (exact(lang, m.read_bytes), exact(lang, m.write_bytes));
            let (version, transport, security) = (&m.version, &m.transport, &m.security);
            let (export, n) = (&m.export, m.connections);
            say!(lang, "doctor-client-nfs", layer, version, transport, export, n, read, written, security)
        }
        RemoteClient::Smb { share, version, cache, .. } => {
            say!(lang, "doctor-client-smb", layer, version, share, servers, cache)
        }
        RemoteClient::CephFs { fuse: true, .. } => {
            why = word!(lang, "doctor-client-ceph-fuse-why");
            act = word!(lang, "doctor-client-ceph-fuse-do");
            say!(lang, "doctor-client-ceph-fuse", layer)
        }
        RemoteClient::CephFs { directory, .. } => say!(lang, "doctor-client-ceph", layer, directory, servers),
        RemoteClient::HostDirectory { kind, tag, .. } => {
            why = word!(lang, "doctor-client-host-why");
            act = word!(lang, "doctor-client-host-do");
            say!(lang, "doctor-client-host", layer, tag, kind)
        }
        RemoteClient::Rbd { pool, image, snapshot: Some(snapshot), cluster, .. } => {
            say!(lang, "doctor-client-rbd-snapshot", layer, pool, image, snapshot, cluster, servers)
        }
        RemoteClient::Rbd { pool, image, cluster, .. } => {
            say!(lang, "doctor-client-rbd", layer, pool, image, cluster, servers)
        }
        RemoteClient::Nbd { backend: Some(backend), .. } => {
            say!(lang, "doctor-client-nbd-backend", layer, servers, backend)
        }
        RemoteClient::Nbd { .. } => say!(lang, "doctor-client-nbd", layer, servers),
        RemoteClient::Iscsi { target, connections, .. } => {
            say!(lang, "doctor-client-iscsi", layer, target, servers, n = connections)
        }
        RemoteClient::Library { library, .. } => say!(lang, "doctor-client-library", layer, library, servers),
        RemoteClient::NvmeOver { transport, subsystem, io_queues, controllers, .. } => {
            let queues = io_queues.map_or("?".to_owned(), |n| n.to_string());
            let transport = transport.to_uppercase();
            say!(lang, "doctor-client-nvme", layer, transport, subsystem, servers, queues, n = controllers)
        }
    };
    told(fact, why, act)
}

/// Returns the words of what a server or a library states. Names of features and flags are those of the protocol.
fn of_server(lang: Lang, layer: &str, server: &ServerFact, severity: Severity) -> Words {
    let of_client = |fact| told(fact, word!(lang, "doctor-client-why"), word!(lang, "doctor-client-do"));
    match server {
        ServerFact::Pool { pool, profile, .. } => {
            let (name, profile) = (&pool.name, profile.as_deref().unwrap_or("?"));
            advised!(lang, "doctor-server-profile", layer, name, profile)
        }
        ServerFact::Health { status, checks } => {
            let checks =
                if checks.is_empty() { status.clone() } else { format!("{status}: {}", checks.join(", ")) };
            advised!(lang, "doctor-server-health", layer, checks)
        }
        ServerFact::Activity(_) if severity == Severity::Fine => {
            told(say!(lang, "doctor-server-idle", layer), "", "")
        }
        ServerFact::Activity(found) => {
            let ClusterActivity { recovering, scrubbing, degraded } = found;
            advised!(lang, "doctor-server-activity", layer, recovering, scrubbing, degraded)
        }
        ServerFact::Osds { osds, all, hosts } => {
            let list = osds.iter().map(osd).collect::<Vec<_>>().join(", ");
            let fact = say!(lang, "doctor-server-osds", layer, n = all, hosts, list);
            match severity {
                Severity::Matters => told(
                    fact,
                    word!(lang, "doctor-server-osds-memory-why"),
                    word!(lang, "doctor-server-osds-memory-do"),
                ),
                _ => told(fact, word!(lang, "doctor-server-osds-why"), word!(lang, "doctor-server-osds-do")),
            }
        }
        ServerFact::Image { size, object_size, stripe_unit, stripe_count, features, parent } => {
            let (size, object, unit) = (bytes(*size), exact(lang, *object_size), exact(lang, *stripe_unit));
            let mut features = features.join(" ");
            if let Some(parent) = parent {
                features = format!("{features}, parent {parent}");
            }
            advised!(lang, "doctor-server-image", layer, size, object, unit, n = stripe_count, features)
        }
        ServerFact::Allocated { bytes: used, size } => {
            let part = percent(100.0 * *used as f64 / (*size).max(1) as f64);
            advised!(lang, "doctor-server-allocated", layer, used = bytes(*used), size = bytes(*size), part)
        }
        ServerFact::LibraryCache { library, bytes: None, .. } => {
            told(say!(lang, "doctor-server-cache-off", layer, library), "", "")
        }
        ServerFact::LibraryCache { library, bytes: Some(size), policy, .. } => {
            advised!(lang, "doctor-server-cache", layer, library, size = exact(lang, *size), policy)
        }
        ServerFact::Limits { limits } => {
            let limits = limits.iter().map(|(name, value)| format!("{name}={value}"));
            advised!(lang, "doctor-server-limits", layer, limits = limits.collect::<Vec<_>>().join(", "))
        }
        ServerFact::Clients { clients } => {
            advised!(lang, "doctor-server-clients", layer, clients = clients.join(", "))
        }
        ServerFact::Nfs { version, export, read_bytes, write_bytes } => {
            let [read, written] = [*read_bytes, *write_bytes].map(|size| limit(lang, size));
            of_client(say!(lang, "doctor-server-nfs", layer, version, export, read, written))
        }
        ServerFact::Lun { target, lun, model, block, physical_block, .. } => {
            let flags = lun_flags(server);
            of_client(say!(
                lang,
                "doctor-server-lun",
                layer,
                lun,
                target,
                model,
                block,
                physical_block,
                flags
            ))
        }
        ServerFact::Export { flags, structured, blocks } => {
            let mut flags = flags.clone();
            flags.extend(structured.filter(|known| *known).map(|_| "structured-replies".into()));
            let [least, wanted, most] = blocks.map(|size| limit(lang, size));
            of_client(say!(lang, "doctor-server-export", layer, flags = flags.join(" "), least, wanted, most))
        }
        ServerFact::RoundTrip { mean_us, least_us } => {
            let [mean, least] = [mean_us, least_us].map(|us| time(f64::from(*us) * 1000.0));
            told(say!(lang, "doctor-server-round-trip", layer, mean, least), "", "")
        }
    }
}

/// Returns a size that the server may not state (0).
fn limit(lang: Lang, size: u64) -> String {
    if size == 0 { "?".to_owned() } else { exact(lang, size) }
}

/// Returns an OSD with its object store, medium, devices and machine.
fn osd(osd: &CephOsd) -> String {
    // Objects in memory have no medium.
    let medium =
        osd.rotational.filter(|_| osd.store != "memstore").map(|rotates| if rotates { "HDD" } else { "SSD" });
    let parts = [Some(osd.store.as_str()), medium, Some(osd.devices.as_str()), Some(osd.host.as_str())];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    format!("osd.{} ({})", osd.id, parts.join(" "))
}

/// Returns the properties of a LUN by the names of the SCSI standard.
fn lun_flags(lun: &ServerFact) -> String {
    let ServerFact::Lun { thin, unmap, write_cache, rotation_rate, .. } = lun else { return String::new() };
    let bit = |set: bool| u8::from(set);
    let mut flags = vec![format!("LBPME={}", bit(*thin)), format!("UNMAP={}", bit(*unmap))];
    flags.extend(write_cache.map(|on| format!("WCE={}", bit(on))));
    flags.extend(rotation_rate.map(|rate| if rate == 0 { "SSD".into() } else { format!("{rate} rpm") }));
    flags.join(" ")
}

fn route(lang: Lang, layer: &str, path: &NetworkPath, payload: Option<u64>) -> Words {
    let (server, interface) = (&path.server, &path.interface);
    let mtu = path.mtu.map_or("?".to_owned(), |mtu| mtu.to_string());
    let half = path.full_duplex == Some(false);
    match (path.kind, path.mbit.zip(payload)) {
        (InterfaceKind::Loopback, _) => advised!(lang, "doctor-route-loopback", layer, server),
        (_, Some((mbit, payload))) if half => {
            let payload = bytes(payload);
            advised!(lang, "doctor-route-half-duplex", layer, server, interface, mbit, mtu, payload)
        }
        (InterfaceKind::Bond, Some((mbit, payload))) => {
            let (payload, members) = (bytes(payload), path.members.join(", "));
            advised!(lang, "doctor-route-bond", layer, server, interface, members, mbit, mtu, payload)
        }
        (_, Some((mbit, payload))) => {
            let payload = bytes(payload);
            advised!(lang, "doctor-route", layer, server, interface, mbit, mtu, payload)
        }
        _ => advised!(lang, "doctor-route-unknown-speed", layer, server, interface, mtu),
    }
}
