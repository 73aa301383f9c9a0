//! Block devices on another machine: images of Ceph, network block devices, iSCSI disks, and NVMe over a network.

use super::ceph;
use crate::SysRoot;
use crate::attach::{Attachment, Identity, controller, way};
use crate::layers::{Device, DeviceKind};
use crate::network;
use stats::remote::RemoteClient;
use std::path::Path;

pub(super) fn of_device(root: &SysRoot, device: &Device) -> Option<(RemoteClient, Vec<String>)> {
    if !matches!(device.kind, DeviceKind::Disk { .. }) {
        return None;
    }
    match Identity::of(root, device).attachment {
        Attachment::Network("rbd") => Some(rbd(root, device)),
        Attachment::Network("nbd") => Some(nbd(root, device)),
        Attachment::Network("iSCSI") => iscsi(root, device),
        Attachment::NvmeOver(transport) => Some(nvme(root, device, transport)),
        _ => None,
    }
}

fn rbd(root: &SysRoot, device: &Device) -> (RemoteClient, Vec<String>) {
    let dir = device.number.sysfs().join("device");
    let text = |name: &str| root.read(dir.join(name)).unwrap_or_default();
    let (pool, space) = (text("pool"), text("pool_ns"));
    let (cluster, client) = (text("cluster_fsid"), text("client_id"));
    let features = text("features");
    let known = ceph::pools(root, &format!("{cluster}.{client}"));
    // `MONITOR[,MONITOR] OPTIONS POOL IMAGE SNAPSHOT`, as the device was added.
    let config = text("config_info");
    let monitors = config.split(' ').next().unwrap_or_default();
    let client = RemoteClient::Rbd {
        copies: known.into_iter().find(|p| p.name == pool),
        pool: if space.is_empty() { pool } else { format!("{pool}/{space}") },
        image: text("name"),
        snapshot: Some(text("current_snap")).filter(|s| !s.is_empty() && s != "-"),
        cluster,
        features: features.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()),
    };
    (client, monitors.split(',').filter(|m| !m.is_empty()).map(str::to_owned).collect())
}

fn nbd(root: &SysRoot, device: &Device) -> (RemoteClient, Vec<String>) {
    let dir = device.number.sysfs();
    let pid = root.number::<u32>(dir.join("pid"));
    let debug = format!("/sys/kernel/debug/nbd/{}", device.name);
    let client = RemoteClient::Nbd {
        connected: pid.is_some(),
        backend: root.read(dir.join("backend")).ok().filter(|text| !text.is_empty()),
        // In milliseconds, although the setting is in seconds.
        timeout_s: root.number::<u64>(Path::new(&debug).join("timeout")).map(|ms| ms.div_ceil(1000)),
    };
    // A client that hands its connection to the kernel and ends, as nbd-client does by netlink, has none.
    (client, pid.map_or(Vec::new(), |pid| network::peers(root, pid)))
}

fn iscsi(root: &SysRoot, device: &Device) -> Option<(RemoteClient, Vec<String>)> {
    let number =
        way(root, device).iter().find_map(|part| part.strip_prefix("session")?.parse::<u32>().ok())?;
    let dir = format!("/sys/class/iscsi_session/session{number}");
    let text = |name: &str| root.read(format!("{dir}/{name}")).unwrap_or_default();
    let start = format!("connection{number}:");
    let names = root.names("/sys/class/iscsi_connection").into_iter();
    let connections: Vec<String> = names.filter(|name| name.starts_with(&start)).collect();
    let of_connection = |connection: &str, name: &str| {
        let text = root.read(format!("/sys/class/iscsi_connection/{connection}/{name}")).unwrap_or_default();
        Some(text).filter(|text| !text.is_empty() && text != "(null)")
    };
    let portal = |connection: &String| {
        // The address that answered; the persistent one is that of the configuration.
        let of = |name: &str| of_connection(connection, name);
        let address = of("address").or_else(|| of("persistent_address"))?;
        Some(network::with_port(&address, &of("port").or_else(|| of("persistent_port")).unwrap_or_default()))
    };
    let digest = |c: &String| {
        ["header_digest", "data_digest"]
            .iter()
            .any(|d| of_connection(c, d).is_some_and(|on| on != "0" && on != "None"))
    };
    let client = RemoteClient::Iscsi {
        target: text("targetname"),
        state: text("state"),
        recovery_s: text("recovery_tmo").parse().ok(),
        max_burst: text("max_burst_len").parse().ok(),
        connections: connections.len() as u32,
        digests: connections.iter().any(digest),
    };
    Some((client, connections.iter().filter_map(portal).collect()))
}

fn nvme(root: &SysRoot, device: &Device, transport: String) -> (RemoteClient, Vec<String>) {
    let dir = controller(root, device).unwrap_or_default();
    let text = |name: &str| root.read(dir.join(name)).unwrap_or_default();
    let seconds = |name: &str| text(name).parse::<u64>().ok();
    let subsystem = way(root, device).into_iter().rev().find(|part| part.starts_with("nvme-subsys"));
    let siblings =
        subsystem.map_or(Vec::new(), |name| root.names(format!("/sys/class/nvme-subsystem/{name}")));
    let is_controller = |name: &&String| {
        name.strip_prefix("nvme").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    let address = text("address");
    let server = super::value(&address, "traddr")
        .map(|host| network::with_port(host, super::value(&address, "trsvcid").unwrap_or_default()));
    let client = RemoteClient::NvmeOver {
        transport,
        subsystem: text("subsysnqn"),
        state: text("state"),
        // One of the queues is that of the administrative commands.
        io_queues: text("queue_count").parse::<u32>().ok().map(|n| n.saturating_sub(1)),
        controllers: (siblings.iter().filter(is_controller).count() as u32).max(1),
        keep_alive_s: seconds("kato").filter(|s| *s > 0),
        reconnect_s: seconds("reconnect_delay"),
        loss_s: seconds("ctrl_loss_tmo"),
    };
    (client, server.into_iter().collect())
}
