//! Rules about layers on other machines: settings of the client, what happens when the server does not respond, and the
//! network path to the server.

use super::{Examined, Lines};
use facts::remote;
use stats::doctor::{Fact, Severity, Topic};
use stats::remote::{InterfaceKind, NetworkPath, NfsMount, RemoteClient, RemoteLayer};
use stats::server_fact::{SMALL_POOL, ServerFact, THIN, groups_per_osd};

/// Speed in Mbit/s up to which a link is slower than one SATA SSD.
const SLOW_MBIT: u64 = 1000;
/// Size of NFS requests, bytes, below which large I/O is sent in many requests; clients and servers agree on 1 MiB by
/// default.
const SMALL_REQUEST: u64 = 256 << 10;

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    for layer in examined.stack.layers.iter().filter_map(|layer| remote::of(examined.root, layer)) {
        of_layer(&layer, &mut |severity, fact| lines.add(Topic::Network, severity, fact));
    }
}

pub(super) fn of_layer(remote: &RemoteLayer, add: &mut dyn FnMut(Severity, Fact)) {
    let layer = || remote.name.clone();
    let servers = remote.servers.clone();
    add(Severity::Note, Fact::Client { layer: layer(), client: remote.client.clone(), servers });
    let mut on_network = true;
    match &remote.client {
        RemoteClient::Nfs(mount) => nfs(&remote.name, mount, add),
        RemoteClient::Smb { soft, .. } => {
            let fact = match soft {
                true => Fact::FailsAfter { layer: layer(), setting: "soft".into(), seconds: None },
                false => Fact::WaitsForServer { layer: layer(), setting: "hard".into() },
            };
            add(if *soft { Severity::Matters } else { Severity::Fine }, fact);
        }
        RemoteClient::CephFs { pools, .. } => {
            for pool in pools {
                add(copies(pool.size), Fact::Pool { layer: layer(), pool: pool.clone() });
            }
        }
        RemoteClient::HostDirectory { .. } => on_network = false,
        RemoteClient::Rbd { copies: pool, .. } => {
            if let Some(pool) = pool {
                add(copies(pool.size), Fact::Pool { layer: layer(), pool: pool.clone() });
            }
        }
        RemoteClient::Nbd { connected: false, .. } => {
            add(Severity::Spoils, Fact::NotConnected { layer: layer(), state: "no server".into() });
            return;
        }
        RemoteClient::Nbd { .. } => {}
        RemoteClient::Iscsi { state, .. } => {
            if state != "LOGGED_IN" {
                add(Severity::Spoils, Fact::NotConnected { layer: layer(), state: state.clone() });
            }
        }
        RemoteClient::Library { facts, .. } => {
            // A Unix socket leads to a server of this machine.
            on_network = !remote.servers.is_empty();
            facts.iter().for_each(|fact| server(remote, fact, add));
        }
        RemoteClient::NvmeOver { state, .. } => {
            if state != "live" {
                add(Severity::Spoils, Fact::NotConnected { layer: layer(), state: state.clone() });
            }
        }
    }
    if let Some((setting, seconds)) = remote.failure_limit() {
        let (layer, setting) = (layer(), setting.to_owned());
        // A device on a server fails at some time as a disk does; a file system that fails is unusual.
        let severity = if setting == "soft" { Severity::Matters } else { Severity::Fine };
        let fact = match seconds {
            Some(_) => Fact::FailsAfter { layer, setting, seconds },
            None => Fact::WaitsForServer { layer, setting },
        };
        add(severity, fact);
    }
    match &remote.path {
        Some(path) => {
            let payload = path.payload_bytes_per_second();
            add(route(path), Fact::Route { layer: layer(), path: path.clone(), payload });
            if let Some((shaper, payload)) = path.shaper.clone().zip(path.shaped_payload()) {
                let interface = path.interface.clone();
                add(Severity::Matters, Fact::Shaper { layer: layer(), interface, shaper, payload });
            }
        }
        None if on_network => add(Severity::Note, Fact::ServerUnknown { layer: layer() }),
        None => {}
    }
}

/// Adds what a server or a library states about a target.
fn server(remote: &RemoteLayer, fact: &ServerFact, add: &mut dyn FnMut(Severity, Fact)) {
    let layer = || remote.name.clone();
    let severity = match fact {
        ServerFact::Pool { pool, profile, osds } => {
            add(copies(pool.size), Fact::Pool { layer: layer(), pool: pool.clone() });
            let each = groups_per_osd(pool, *osds);
            if each < SMALL_POOL {
                let fact = Fact::SmallPool { layer: layer(), pool: pool.clone(), osds: *osds, each };
                add(Severity::Matters, fact);
            }
            if profile.is_none() {
                return;
            }
            Severity::Note
        }
        ServerFact::Health { status, .. } => match status.as_str() {
            "HEALTH_OK" => Severity::Fine,
            "HEALTH_WARN" => Severity::Note,
            _ => Severity::Matters,
        },
        ServerFact::Activity(activity) if activity.is_busy() => Severity::Matters,
        ServerFact::Activity(activity) if activity.degraded > 0 => Severity::Note,
        ServerFact::Activity(_) => Severity::Fine,
        ServerFact::Osds { osds, .. } if osds.iter().any(|osd| osd.store == "memstore") => Severity::Matters,
        ServerFact::Allocated { bytes, size } if (*bytes as f64) < THIN * *size as f64 => Severity::Matters,
        ServerFact::Allocated { .. } | ServerFact::LibraryCache { bytes: None, .. } => Severity::Fine,
        ServerFact::Limits { .. } => Severity::Matters,
        ServerFact::RoundTrip { .. } => Severity::Fine,
        ServerFact::Osds { .. }
        | ServerFact::LibraryCache { .. }
        | ServerFact::Image { .. }
        | ServerFact::Clients { .. }
        | ServerFact::Nfs { .. }
        | ServerFact::Lun { .. }
        | ServerFact::Export { .. } => Severity::Note,
    };
    add(severity, Fact::Server { layer: layer(), server: fact.clone() });
    if let ServerFact::Nfs { read_bytes, write_bytes, .. } = fact {
        requests(&remote.name, *read_bytes, *write_bytes, add);
    }
    let pool = remote.pool_and_hosts().zip(remote.replication_payload());
    if let (ServerFact::Osds { .. }, Some(((pool, hosts), payload))) = (fact, pool) {
        let mbit = remote.path.as_ref().and_then(|path| path.mbit).unwrap_or(0);
        let (layer, copies) = (layer(), pool.size);
        add(Severity::Note, Fact::ReplicationPayload { layer, copies, hosts, mbit, payload });
    }
}

/// Adds the size of requests if it is small, and that the export's mode is unknown.
fn requests(name: &str, read_bytes: u64, write_bytes: u64, add: &mut dyn FnMut(Severity, Fact)) {
    if [read_bytes, write_bytes].iter().any(|bytes| (1..SMALL_REQUEST).contains(bytes)) {
        add(Severity::Note, Fact::SmallRequests { layer: name.to_owned(), read_bytes, write_bytes });
    }
    add(Severity::Note, Fact::ExportUnknown { layer: name.to_owned() });
}

fn nfs(name: &str, mount: &NfsMount, add: &mut dyn FnMut(Severity, Fact)) {
    let layer = || name.to_owned();
    if let Some([file_least, file_most, directory_least, directory_most]) = mount.attribute_cache_s {
        let fact = Fact::AttributeCache {
            layer: layer(),
            file_s: [file_least, file_most],
            directory_s: [directory_least, directory_most],
        };
        add(Severity::Note, fact);
    }
    requests(name, mount.read_bytes, mount.write_bytes, add);
}

fn copies(size: u32) -> Severity {
    if size <= 1 { Severity::Matters } else { Severity::Note }
}

fn route(path: &NetworkPath) -> Severity {
    match path.kind {
        _ if path.full_duplex == Some(false) => Severity::Matters,
        InterfaceKind::Loopback | InterfaceKind::Virtual | InterfaceKind::Bond => Severity::Note,
        InterfaceKind::Card => match path.mbit {
            Some(mbit) if mbit <= SLOW_MBIT => Severity::Matters,
            Some(_) => Severity::Fine,
            None => Severity::Note,
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use stats::remote::Shaper;

    fn facts(client: RemoteClient, path: Option<NetworkPath>) -> Vec<(Severity, Fact)> {
        let servers = vec!["10.0.0.1".into()];
        let layer = RemoteLayer { name: "/mnt/n".into(), client, servers, path, traffic: None };
        let mut all = Vec::new();
        of_layer(&layer, &mut |severity, fact| all.push((severity, fact)));
        all
    }

    fn smb(soft: bool) -> RemoteClient {
        RemoteClient::Smb { share: "//s/d".into(), version: "3.1.1".into(), cache: "strict".into(), soft }
    }

    #[test]
    fn soft_smb_mounts_are_warnings_and_hard_ones_are_not() {
        let severity = |soft| {
            let is_limit =
                |fact: &Fact| matches!(fact, Fact::FailsAfter { .. } | Fact::WaitsForServer { .. });
            facts(smb(soft), None).into_iter().find(|(_, fact)| is_limit(fact)).unwrap()
        };
        assert!(matches!(severity(true), (Severity::Matters, Fact::FailsAfter { seconds: None, .. })));
        assert!(matches!(severity(false), (Severity::Fine, Fact::WaitsForServer { .. })));
    }

    #[test]
    fn limit_of_the_interface_is_a_warning_with_its_number() {
        let path = |shaper| NetworkPath {
            server: "10.0.0.1".into(),
            interface: "eth0".into(),
            kind: InterfaceKind::Virtual,
            mbit: None,
            full_duplex: None,
            mtu: Some(1500),
            members: Vec::new(),
            shaper,
        };
        let told = |shaper| {
            let all = facts(smb(false), Some(path(shaper)));
            all.into_iter().find(|(_, fact)| matches!(fact, Fact::Shaper { .. }))
        };
        let shaper = Shaper { kind: "tbf".into(), bytes_per_second: 12_500_000 };
        let (severity, fact) = told(Some(shaper)).unwrap();
        assert!(severity == Severity::Matters && matches!(fact, Fact::Shaper { payload: 11_955_085, .. }));
        assert!(told(None).is_none());
    }
}
