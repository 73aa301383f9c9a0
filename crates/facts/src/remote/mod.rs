//! Layers whose data are on another machine: which client of the kernel serves them, with its settings and its server.

mod block;
mod ceph;
mod nfs;

use crate::layers::{Layer, Mounted};
use crate::{SysRoot, network};
use stats::remote::{RemoteClient, RemoteLayer, RemoteTraffic};
use std::path::Path;

/// Returns the client and the server of a layer; `None` if its data are on this machine or in a program.
pub fn of(root: &SysRoot, layer: &Layer) -> Option<RemoteLayer> {
    let (name, client, servers) = match layer {
        Layer::FileSystem(mount) => {
            let (client, servers) = of_mount(root, mount)?;
            (mount.at.to_string_lossy().into_owned(), client, servers)
        }
        Layer::Device(device) => {
            let (client, servers) = block::of_device(root, device)?;
            (device.name.clone(), client, servers)
        }
    };
    let path = servers.first().and_then(|server| network::path_to(root, server));
    Some(RemoteLayer { name, client, servers, path, traffic: None })
}

/// Requests that the client of a layer has counted since it was mounted.
#[derive(Debug)]
pub(crate) enum Counters {
    Nfs(nfs::Counters),
    Ceph(ceph::Counters),
}

impl Counters {
    /// Reads the counters of a layer; `None` if its client has none that are readable.
    pub(crate) fn read(root: &SysRoot, layer: &RemoteLayer) -> Option<Counters> {
        match layer.client {
            RemoteClient::Nfs(_) => nfs::Counters::read(root, Path::new(&layer.name)).map(Counters::Nfs),
            RemoteClient::CephFs { fuse: false, .. } => {
                ceph::Counters::read(root, &layer.servers).map(Counters::Ceph)
            }
            _ => None,
        }
    }

    /// Returns the requests since `before`.
    pub(crate) fn since(&self, before: &Counters) -> Option<RemoteTraffic> {
        match (self, before) {
            (Counters::Nfs(now), Counters::Nfs(then)) => Some(now.since(then)),
            (Counters::Ceph(now), Counters::Ceph(then)) => Some(now.since(then)),
            _ => None,
        }
    }
}

fn of_mount(root: &SysRoot, mount: &Mounted) -> Option<(RemoteClient, Vec<String>)> {
    let option = |name: &str| value(&mount.options, name);
    let server = || option("addr").map(str::to_owned).into_iter().collect();
    Some(match mount.kind.as_str() {
        "nfs" | "nfs4" => (RemoteClient::Nfs(nfs::of_mount(mount)), server()),
        "cifs" | "smb3" => {
            let client = RemoteClient::Smb {
                share: mount.source.clone(),
                version: option("vers").unwrap_or_default().into(),
                cache: option("cache").unwrap_or_default().into(),
                soft: mount.options.split(',').any(|o| o == "soft"),
            };
            (client, server())
        }
        "ceph" | "fuse.ceph-fuse" => ceph::of_mount(root, mount),
        "9p" | "virtiofs" => {
            let client = RemoteClient::HostDirectory {
                kind: mount.kind.clone(),
                tag: mount.source.clone(),
                cache: option("cache").unwrap_or_default().into(),
            };
            (client, Vec::new())
        }
        _ => return None,
    })
}

/// Returns the value of the mount option `name=value`.
fn value<'a>(options: &'a str, name: &str) -> Option<&'a str> {
    options.split(',').find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
}
