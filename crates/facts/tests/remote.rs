//! Layers on other machines, read from files of real clients (Linux 6.1 as its own server): NFS, CephFS, rbd, nbd, iSCSI, NVMe
//! over TCP.
#![allow(clippy::unwrap_used)]

use facts::layers::{Device, DeviceNumber, Layer, mounts};
use facts::{Before, Sample, SysRoot, remote};
use stats::remote::*;
use std::path::Path;
use testbed::Sandbox;

const DEVICES: &str = include_str!("remote/devices.tree");
const CEPH: &str = include_str!("remote/ceph.tree");

fn machine(tree: &str, mountinfo: &str) -> (Sandbox, SysRoot) {
    let sandbox = Sandbox::new().unwrap();
    sandbox.put_tree(tree).unwrap();
    sandbox.put("proc/self/mountinfo", mountinfo).unwrap();
    let root = SysRoot::at(sandbox.path());
    (sandbox, root)
}

fn devices() -> (Sandbox, SysRoot) {
    machine(DEVICES, include_str!("remote/nfs-mountinfo"))
}

fn of_device(root: &SysRoot, number: &str) -> Option<RemoteLayer> {
    let device = Device::of(root, DeviceNumber::parse(number).unwrap()).unwrap();
    remote::of(root, &Layer::Device(device))
}

fn of_mount(root: &SysRoot, at: &str) -> Option<RemoteLayer> {
    let mount = mounts(root).into_iter().find(|m| m.at == Path::new(at)).unwrap();
    remote::of(root, &Layer::FileSystem(mount))
}

fn loopback(server: &str) -> Option<NetworkPath> {
    Some(NetworkPath {
        server: server.into(),
        interface: "lo".into(),
        kind: InterfaceKind::Loopback,
        mbit: None,
        full_duplex: None,
        mtu: Some(65536),
        members: Vec::new(),
        shaper: None,
    })
}

#[test]
fn nfs_mounts_have_their_settings_and_defaults() {
    let (_sandbox, root) = devices();
    let layer = of_mount(&root, "/mnt/n4").unwrap();
    assert_eq!(
        (layer.servers.as_slice(), &layer.path),
        (["127.0.0.1".to_owned()].as_slice(), &loopback("127.0.0.1"))
    );
    let expected = NfsMount {
        export: "127.0.0.1:/e".into(),
        version: "4.1".into(),
        transport: "tcp".into(),
        connections: 2,
        read_bytes: 1 << 20,
        write_bytes: 1 << 20,
        soft: false,
        timeout_ds: 600,
        retries: 2,
        sync: false,
        attribute_cache_s: Some([3, 60, 30, 60]),
        security: "sys".into(),
    };
    assert_eq!(layer.client, RemoteClient::Nfs(expected.clone()));
    let layer = of_mount(&root, "/mnt/n3").unwrap();
    let expected = NfsMount {
        version: "3".into(),
        connections: 1,
        soft: true,
        timeout_ds: 50,
        sync: true,
        attribute_cache_s: None,
        ..expected
    };
    assert_eq!(layer.client, RemoteClient::Nfs(expected));
    assert_eq!(of_mount(&root, "/exp"), None);
}

#[test]
fn iscsi_disks_name_target_portal_and_recovery_time() {
    let (_sandbox, root) = devices();
    let layer = of_device(&root, "8:0").unwrap();
    assert_eq!(
        (layer.name.as_str(), layer.servers.as_slice()),
        ("sda", ["127.0.0.1:3260".to_owned()].as_slice())
    );
    assert_eq!(layer.path, loopback("127.0.0.1"));
    assert_eq!(
        layer.client,
        RemoteClient::Iscsi {
            target: "iqn.2026-01.test:t1".into(),
            state: "LOGGED_IN".into(),
            recovery_s: Some(120),
            max_burst: Some(262_144),
            connections: 1,
            digests: false,
        }
    );
}

#[test]
fn nvme_over_tcp_names_subsystem_address_and_loss_time() {
    let (_sandbox, root) = devices();
    let layer = of_device(&root, "259:1").unwrap();
    assert_eq!(
        (layer.name.as_str(), layer.servers.as_slice()),
        ("nvme0n1", ["127.0.0.1:4420".to_owned()].as_slice())
    );
    assert_eq!(
        layer.client,
        RemoteClient::NvmeOver {
            transport: "tcp".into(),
            subsystem: "s1".into(),
            state: "live".into(),
            io_queues: Some(1),
            controllers: 1,
            keep_alive_s: Some(5),
            reconnect_s: Some(10),
            loss_s: Some(600),
        }
    );
}

/// nbd-client keeps the connection of nbd0 open; that of nbd1 gave its connection to the kernel and ended.
#[test]
fn nbd_servers_are_known_while_their_client_runs() {
    let (sandbox, root) = devices();
    let layer = of_device(&root, "43:0").unwrap();
    assert_eq!(layer.servers, ["127.0.0.1:10809"]);
    assert_eq!(layer.client, RemoteClient::Nbd { connected: true, backend: None, timeout_s: None });
    let layer = of_device(&root, "43:32").unwrap();
    assert_eq!((layer.servers.len(), layer.path), (0, None));
    assert_eq!(layer.client, RemoteClient::Nbd { connected: true, backend: None, timeout_s: Some(0) });
    std::fs::remove_file(sandbox.join("sys/devices/virtual/block/nbd1/pid")).unwrap();
    let layer = of_device(&root, "43:32").unwrap();
    assert_eq!(layer.client, RemoteClient::Nbd { connected: false, backend: None, timeout_s: Some(0) });
}

fn pool(name: &str, placement_groups: u32) -> CephPool {
    CephPool { name: name.into(), erasure: false, size: 1, min_size: 1, placement_groups }
}

#[test]
fn rbd_images_name_pool_cluster_and_copies() {
    let (_sandbox, root) = machine(CEPH, include_str!("remote/ceph-mountinfo"));
    let layer = of_device(&root, "254:0").unwrap();
    assert_eq!(
        (layer.name.as_str(), layer.servers.as_slice()),
        ("rbd0", ["127.0.0.1:6789".to_owned()].as_slice())
    );
    assert_eq!(
        layer.client,
        RemoteClient::Rbd {
            pool: "rbd".into(),
            image: "img".into(),
            snapshot: None,
            cluster: "11111111-2222-3333-4444-555555555555".into(),
            features: Some(1),
            copies: Some(pool("rbd", 4)),
        }
    );
}

#[test]
fn ceph_mounts_of_kernel_and_program_are_told_apart() {
    let (_sandbox, root) = machine(CEPH, include_str!("remote/ceph-mountinfo"));
    let layer = of_mount(&root, "/mnt/c").unwrap();
    assert_eq!(layer.servers, ["127.0.0.1:6789"]);
    let pools = vec![pool("rbd", 4), pool("m", 2), pool("d", 2)];
    assert_eq!(layer.client, RemoteClient::CephFs { fuse: false, directory: "/".into(), pools });
    let layer = of_mount(&root, "/mnt/f").unwrap();
    assert_eq!(
        layer.client,
        RemoteClient::CephFs { fuse: true, directory: String::new(), pools: Vec::new() }
    );
}

/// Sources of mounts since Linux 5.17, and of mounts with several monitors.
#[test]
fn ceph_sources_of_both_syntaxes_give_the_monitors() {
    let lines = "29 1 0:25 / /a rw - ceph admin@11111111-2222-3333-4444-555555555555.cephfs=/dir rw,name=admin,mon_addr=10.0.0.1:3300/10.0.0.2:3300\n\
                 30 1 0:26 / /b rw - ceph 10.0.0.1:6789,[fd00::2]:6789:/ rw,name=admin\n";
    let (_sandbox, root) = machine("", lines);
    let seen = |at: &str| {
        let layer = of_mount(&root, at).unwrap();
        let RemoteClient::CephFs { directory, .. } = layer.client else { panic!("{layer:?}") };
        (directory, layer.servers)
    };
    assert_eq!(seen("/a"), ("/dir".into(), vec!["10.0.0.1:3300".into(), "10.0.0.2:3300".into()]));
    assert_eq!(seen("/b"), ("/".into(), vec!["10.0.0.1:6789".into(), "[fd00::2]:6789".into()]));
}

#[test]
fn shares_and_directories_of_the_host_are_named() {
    let lines = "29 1 0:25 / /s rw - cifs //nas/data rw,vers=3.1.1,cache=strict,soft,addr=10.0.0.9\n\
                 30 1 0:26 / /p rw - 9p hostshare rw,access=client,trans=virtio,cache=loose\n\
                 31 1 0:27 / /v rw - virtiofs shared rw\n\
                 32 1 0:28 / /x rw - tmpfs none rw\n";
    let (_sandbox, root) = machine("", lines);
    let layer = of_mount(&root, "/s").unwrap();
    assert_eq!((layer.servers.as_slice(), layer.path), (["10.0.0.9".to_owned()].as_slice(), None));
    let smb = RemoteClient::Smb {
        share: "//nas/data".into(),
        version: "3.1.1".into(),
        cache: "strict".into(),
        soft: true,
    };
    assert_eq!(layer.client, smb);
    let host = |kind: &str, tag: &str, cache: &str| RemoteClient::HostDirectory {
        kind: kind.into(),
        tag: tag.into(),
        cache: cache.into(),
    };
    assert_eq!(of_mount(&root, "/p").unwrap().client, host("9p", "hostshare", "loose"));
    assert_eq!(of_mount(&root, "/v").unwrap().client, host("virtiofs", "shared", ""));
    assert_eq!(of_mount(&root, "/x"), None);
}

/// Requests between two readings of the counters, through the examination before and after a run. The path of the target is that
/// of a file of the sandbox, whose mount the fixture calls NFS.
fn traffic(before: &str, after: &str) -> RemoteTraffic {
    let sandbox = Sandbox::new().unwrap();
    let target = sandbox.file("target", 4096).unwrap();
    let meta = rustix::fs::statx(
        rustix::fs::CWD,
        &target,
        rustix::fs::AtFlags::empty(),
        rustix::fs::StatxFlags::MNT_ID,
    )
    .unwrap();
    let line = include_str!("remote/nfs-mountinfo").lines().find(|l| l.contains(" /mnt/n4 ")).unwrap();
    let (_, rest) = line.split_once(' ').unwrap();
    sandbox.put("proc/self/mountinfo", &format!("{} {rest}\n", meta.stx_mnt_id)).unwrap();
    sandbox.put("proc/self/mountstats", before).unwrap();
    sandbox.put("proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 100 1\n").unwrap();
    let look = Before::look(&SysRoot::at(sandbox.path()), std::slice::from_ref(&target), Sample::Files);
    sandbox.put("proc/self/mountstats", after).unwrap();
    sandbox.put("proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 700 4\n").unwrap();
    let (layers, _) = look.after([0; 3], [0; 3]);
    assert_eq!(layers.tcp, Some(TcpSegments { sent: 600, retransmitted: 3 }));
    assert_eq!(layers.targets[0].stack, ["nfs4"]);
    let [layer] = &layers.remote[..] else { panic!("{:?}", layers.remote) };
    assert_eq!(layer.name, "/mnt/n4");
    layer.traffic.clone().unwrap()
}

#[test]
fn direct_reads_of_an_nfs_file_are_read_requests_with_their_times() {
    let seen =
        traffic(include_str!("remote/mountstats-begin"), include_str!("remote/mountstats-direct-reads"));
    // The job: 500 direct reads of 4096 bytes, after the file was laid out with 8 MiB.
    let read = seen.operation("READ");
    assert_eq!((read.ops, read.retransmissions, read.errors), (500, 0, 0));
    assert!(read.round_trip_ms > 0 && read.round_trip_ms + read.queue_ms <= read.execute_ms + 1, "{read:?}");
    assert_eq!(seen.server_bytes, [500 * 4096, 8 << 20]);
    assert_eq!((seen.operation("WRITE").ops, seen.operation("COMMIT").ops, seen.reconnects), (8, 1, 0));
}

#[test]
fn buffered_reads_of_cached_nfs_data_send_no_request() {
    let seen =
        traffic(include_str!("remote/mountstats-cached"), include_str!("remote/mountstats-cached-reads"));
    assert_eq!((seen.operation("READ").ops, seen.server_bytes), (0, [0, 0]));
}

/// A connection that the server closed is counted; one that the client closed because it was idle is not.
#[test]
fn reconnects_count_lost_connections_only() {
    let text = |made: u32, idle: u32| {
        include_str!("remote/mountstats-begin")
            .replace("tcp 0 0 2 0 1 ", &format!("tcp 0 0 {made} 0 {idle} "))
    };
    assert!(text(7, 9).contains("tcp 0 0 7 0 9 "));
    assert_eq!(traffic(&text(2, 3), &text(3, 0)).reconnects, 2);
    assert_eq!(traffic(&text(2, 300), &text(3, 0)).reconnects, 0);
    assert_eq!(traffic(&text(2, 300), &text(4, 0)).reconnects, 2);
}
