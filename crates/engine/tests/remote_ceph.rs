//! Engines `rbd` and `rados` on real Ceph clusters of one machine.
#![allow(clippy::unwrap_used)]

use engine::remote::ceph::{Cluster, ClusterTarget};
use engine::remote::rados::{Rados, RadosTarget, RadosVolume};
use engine::remote::rbd::{Encryption, EncryptionFormat, Rbd, RbdTarget};
use engine::remote::rbd_image::{OptionSource, RbdVolume};
use engine::remote::{RemoteError, Volume};
use engine::{Arena, Blocks, Completion, Engine, Kind, Op};
use rustix::process::{Pid, Signal, kill_process};
use std::os::unix::thread::JoinHandleExt;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use testbed::{Server, TOOL_LIMIT, skip};

const DEPTH: usize = 16;
const BLOCK: usize = 16384;
/// Bytes of the images and objects whose contents are compared with a model.
const SPACE: usize = 8 << 20;

/// Starts a cluster; `None` if the programs are not installed.
fn cluster(settings: &[(&str, &str)]) -> Option<Server> {
    Server::up("ceph", settings).map_err(|reason| skip(&reason)).ok()
}

fn target(server: &Server) -> ClusterTarget {
    ClusterTarget { conf: Some(server.value("CEPH_CONF").into()), ..ClusterTarget::default() }
}

fn image(server: &Server, image: &str) -> RbdTarget {
    RbdTarget { cluster: target(server), pool: "rbd".into(), image: image.into(), ..RbdTarget::default() }
}

fn object(server: &Server, name: &str) -> RadosTarget {
    let objects = vec![name.into()];
    RadosTarget {
        cluster: target(server),
        pool: "rbd".into(),
        objects,
        touch: true,
        ..RadosTarget::default()
    }
}

/// Sequence of pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Queues operations on `engine` and returns their results in order.
fn perform<E: Engine>(engine: &mut E, ops: &[Op]) -> Vec<i32> {
    engine.queue(ops);
    engine.submit().unwrap();
    let mut results = vec![None; ops.len()];
    let mut out = [Completion::default(); DEPTH];
    let begin = Instant::now();
    while results.contains(&None) {
        assert!(begin.elapsed() < TOOL_LIMIT, "the operations end");
        let n = engine.reap_within(TOOL_LIMIT.as_nanos() as u64, &mut out).unwrap();
        for completion in &out[..n] {
            let at = ops.iter().position(|op| op.slot == completion.slot).unwrap();
            assert_eq!(results[at].replace(completion.res), None, "a slot is reaped once");
        }
    }
    results.into_iter().flatten().collect()
}

/// Runs random operations on ranges that do not overlap at the same time, compares what is read with a model, and returns
/// the model. Offsets and lengths are multiples of `step`, and at most a block.
fn model<E: Engine>(engine: &mut E, arena: &mut Arena, step: usize, rounds: usize) -> Vec<u8> {
    let mut space = vec![0_u8; SPACE];
    let mut numbers = Numbers(0x1234_5678_9abc_def1);
    for _ in 0..rounds {
        let mut ops: Vec<Op> = Vec::new();
        for slot in 0..DEPTH as u16 {
            let len = (1 + numbers.below((BLOCK / step) as u64)) * step as u64;
            let offset = numbers.below((SPACE as u64 - len) / step as u64 + 1) * step as u64;
            let overlaps = |op: &Op| offset < op.offset + u64::from(op.len) && op.offset < offset + len;
            if ops.iter().any(overlaps) {
                continue;
            }
            let kind = match numbers.below(10) {
                0..4 => Kind::Read,
                4..8 => Kind::Write,
                8 => Kind::Trim,
                _ => Kind::Fdatasync,
            };
            let len = if kind == Kind::Fdatasync { 0 } else { len as u32 };
            if kind == Kind::Write {
                let fill = numbers.below(255) as u8 + 1;
                arena.bytes(slot, len as usize).fill(fill);
            } else if kind == Kind::Read {
                arena.bytes(slot, len as usize).fill(0xa5);
            }
            ops.push(Op { offset, len, slot, kind, ..Op::NONE });
        }
        let results = perform(engine, &ops);
        for (op, res) in ops.iter().zip(results) {
            assert_eq!(res, op.len as i32, "{op:?} {:?}", engine.remote_error());
            let range = op.offset as usize..op.offset as usize + op.len as usize;
            match op.kind {
                Kind::Read => {
                    assert!(arena.bytes(op.slot, op.len as usize) == &space[range], "{op:?}")
                }
                Kind::Write => space[range].copy_from_slice(arena.bytes(op.slot, op.len as usize)),
                Kind::Trim => space[range].fill(0),
                _ => {}
            }
        }
    }
    space
}

fn read_all(volume: &mut dyn Volume) -> Vec<u8> {
    let (mut all, mut part) = (Vec::new(), vec![0; 1 << 20]);
    loop {
        let n = volume.read_at(all.len() as u64, &mut part).unwrap();
        if n == 0 {
            return all;
        }
        all.extend_from_slice(&part[..n]);
    }
}

/// `rbd export`, another client, reads what the engine wrote, with the cache of librbd and without, and in a namespace.
#[test]
fn image_contents_agree_with_model_and_export() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("rbd namespace create rbd/ns");
    for (n, (name, cache, busy_poll)) in
        [("a", "true", false), ("b", "false", true), ("ns/c", "false", false)].into_iter().enumerate()
    {
        server.tool(&format!("rbd create --size {} rbd/{name}", SPACE >> 20));
        server.tool(&format!("rbd config image set rbd/{name} rbd_cache {cache}"));
        // Smaller discards are not carried out by librbd.
        server.tool(&format!("rbd config image set rbd/{name} rbd_discard_granularity_bytes 4096"));
        let (namespace, image_name) = name.split_once('/').unwrap_or(("", name));
        let pool = if namespace.is_empty() { "rbd".into() } else { format!("rbd/{namespace}") };
        let target = RbdTarget { pool, busy_poll, ..image(&server, image_name) };
        let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
        let mut engine = Rbd::open(&target, arena.blocks(), DEPTH).unwrap();
        let expected = model(&mut engine, &mut arena, 4096, 200 + 100 * n);
        let flush = Op { kind: Kind::Fsync, ..Op::NONE };
        assert_eq!(perform(&mut engine, &[flush]), [0]);
        drop(engine);
        assert!(server.tool(&format!("rbd export --no-progress rbd/{name} -")) == expected, "{name}");
        let mut volume = RbdVolume::open(&target).unwrap();
        assert_eq!(volume.size(), Some(SPACE as u64));
        assert!(read_all(&mut volume) == expected, "{name}");
    }
}

#[test]
fn object_contents_agree_with_model_and_get() {
    let Some(server) = cluster(&[]) else { return };
    let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
    let target = object(&server, "o");
    let mut engine = Rados::open(&target, arena.blocks(), DEPTH).unwrap();
    // Until the first write at the end, reads beyond the end of the object find zeros.
    let expected = model(&mut engine, &mut arena, 512, 300);
    assert_eq!(perform(&mut engine, &[Op { kind: Kind::Fsync, ..Op::NONE }]), [0]);
    assert!(engine.reads_past_end() > 0);
    drop(engine);
    let got = server.tool("rados -p rbd get o -");
    let (object, rest) = expected.split_at(got.len());
    assert!(got == object && rest.iter().all(|byte| *byte == 0));
    let mut volume = RadosVolume::open(&target, "o").unwrap();
    assert_eq!(volume.size(), Some(got.len() as u64));
    assert!(read_all(&mut volume) == got);
    assert_eq!(RadosVolume::open(&target, "other").unwrap().size(), None);
}

/// Objects stay, as with fio, unless their removal is asked for; objects that existed before are never removed.
#[test]
fn created_objects_are_removed_on_request_only() {
    let Some(server) = cluster(&[]) else { return };
    let list = || String::from_utf8(server.tool("rados -p rbd ls")).unwrap();
    let had = |name: &str| list().lines().any(|line| line == name);
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let run = |target: &RadosTarget| {
        let mut engine = Rados::open(target, arena.blocks(), DEPTH).unwrap();
        let write = |file| Op { kind: Kind::Write, len: 512, file, slot: file as u16, ..Op::NONE };
        let ops: Vec<Op> = (0..target.objects.len() as u32).map(write).collect();
        assert!(perform(&mut engine, &ops).iter().all(|res| *res == 512));
    };
    run(&object(&server, "kept"));
    assert!(had("kept"));
    for touch in [true, false] {
        let objects = vec!["kept".into(), "made".into()];
        run(&RadosTarget { objects, touch, remove_created: true, ..object(&server, "") });
        assert!(had("kept") && !had("made"));
    }
    // A read of an object that does not exist is an error.
    let mut engine =
        Rados::open(&RadosTarget { touch: false, ..object(&server, "none") }, arena.blocks(), DEPTH).unwrap();
    assert_eq!(perform(&mut engine, &[Op { len: 512, ..Op::NONE }]), [-libc::ENOENT]);
    let error = engine.remote_error().unwrap().to_string();
    assert!(error.starts_with("rados_aio_read: rbd/none at [v2:127.0.0.1:"), "{error}");
    assert!(!had("none"));
}

/// Without the cache, each write and each read is one operation of the OSD. The first write is not counted: it takes the
/// lock of the image.
#[test]
fn operations_agree_with_counters_of_osd() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("rbd config image set rbd/img rbd_cache false");
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let blocks = arena.blocks();
    count(&server, || Rbd::open(&image(&server, "img"), blocks, DEPTH).unwrap());
    count(&server, || Rados::open(&object(&server, "o"), blocks, DEPTH).unwrap());
}

/// The same on BlueStore, which writes to a file, with keys and a client that may only use the pool; the tools of Ceph read
/// what the engines wrote.
#[test]
fn counts_and_contents_hold_on_bluestore_with_keys() {
    let Some(server) = cluster(&[("STORE", "bluestore"), ("CEPHX", "1")]) else { return };
    server.tool("rbd config image set rbd/img rbd_cache false");
    let client = ClusterTarget { client: Some("bench".into()), ..target(&server) };
    let of_image = RbdTarget { cluster: client.clone(), ..image(&server, "img") };
    let of_object = RadosTarget { cluster: client, ..object(&server, "o") };
    let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
    count(&server, || Rbd::open(&of_image, arena.blocks(), DEPTH).unwrap());
    count(&server, || Rados::open(&of_object, arena.blocks(), DEPTH).unwrap());
    let stored = server.tool("ceph osd metadata 0");
    assert!(String::from_utf8(stored).unwrap().contains("\"osd_objectstore\": \"bluestore\""));
    server.tool(&format!("rbd create --size {} rbd/b", SPACE >> 20));
    server.tool("rbd config image set rbd/b rbd_discard_granularity_bytes 4096");
    let mut engine = Rbd::open(&RbdTarget { image: "b".into(), ..of_image }, arena.blocks(), DEPTH).unwrap();
    let expected = model(&mut engine, &mut arena, 4096, 100);
    assert_eq!(perform(&mut engine, &[Op { kind: Kind::Fsync, ..Op::NONE }]), [0]);
    drop(engine);
    assert!(server.tool("rbd export --no-progress rbd/b -") == expected);
}

/// Interval at which a client that has an image open shows it to the OSD by a read without data (Ceph's
/// `objecter_tick_interval`), from its start.
const TICK: Duration = Duration::from_secs(5);

/// Time without an operation after which the opening of a client is over.
const SETTLED: Duration = Duration::from_millis(300);

/// Counts writes and reads of a client that it opens; how long that takes counts for the ticks, too.
fn count<E: Engine>(server: &Server, open: impl FnOnce() -> E) {
    let begin = Instant::now();
    let mut engine = open();
    const WRITES: usize = 500;
    const READS: usize = 700;
    let mut io = |kind, n: usize| {
        for at in 0..n {
            let offset = (at % WRITES * BLOCK) as u64;
            let op = Op { kind, offset, len: BLOCK as u32, ..Op::NONE };
            assert_eq!(perform(&mut engine, &[op]), [BLOCK as i32]);
        }
    };
    let counted = || server.osd_counters(["op_w", "op_r", "op_w_in_bytes", "op_r_out_bytes"]);
    io(Kind::Write, 1);
    // A client that has taken the lock tells others of it, by operations that end some milliseconds after the write.
    let mut before = counted();
    loop {
        std::thread::sleep(SETTLED);
        let now = counted();
        if std::mem::replace(&mut before, now) == now {
            break;
        }
    }
    io(Kind::Write, WRITES);
    io(Kind::Read, READS);
    let after = counted();
    let [writes, reads, written, read] = [0, 1, 2, 3].map(|at| (after[at] - before[at]) as usize);
    assert_eq!([writes, written, read], [WRITES, WRITES * BLOCK, READS * BLOCK]);
    let ticks = ((begin.elapsed() + TICK / 5).as_secs() / TICK.as_secs()) as usize;
    assert!((READS..=READS + ticks).contains(&reads), "{reads} in {:?}", begin.elapsed());
}

/// A wrong key, a pool or image that does not exist, and a client without the right to write end with one line each.
#[test]
fn refused_clients_get_one_line_and_no_hang() {
    let Some(server) = cluster(&[("CEPHX", "1")]) else { return };
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let begin = Instant::now();
    let with = |client: &str| {
        let cluster = ClusterTarget { client: Some(client.into()), ..target(&server) };
        RbdTarget { cluster, ..image(&server, "img") }
    };
    let refused = |target: &RbdTarget| match Rbd::open(target, arena.blocks(), DEPTH).map(drop) {
        Err(RemoteError::Refused { call, errno, text }) => {
            assert!(!text.contains('\n'), "{text}");
            (call, errno, text)
        }
        other => panic!("{target:?}: {other:?}"),
    };
    // Both forms of a name work, also beside the name of a cluster.
    for client in ["bench", "client.bench"] {
        for name in [None, Some("ceph".into())] {
            let mut target = with(client);
            target.cluster.cluster = name;
            let mut engine = Rbd::open(&target, arena.blocks(), DEPTH).unwrap();
            let write = Op { kind: Kind::Write, len: 4096, ..Op::NONE };
            assert_eq!(perform(&mut engine, &[write]), [4096]);
        }
    }
    // Reads are allowed, writes are not: the image is refused when it is opened for writing.
    let reader = with("ro");
    let (call, errno, text) = refused(&reader);
    assert_eq!((call, errno), ("rbd_open", libc::EPERM), "{text}");
    assert!(text.starts_with("rbd/img at ") && text.contains(" as client.ro: "), "{text}");
    let mut engine =
        Rbd::open(&RbdTarget { read_only: true, ..reader.clone() }, arena.blocks(), DEPTH).unwrap();
    assert_eq!(perform(&mut engine, &[Op { len: 4096, ..Op::NONE }]), [4096]);
    assert_eq!(perform(&mut engine, &[Op { kind: Kind::Write, len: 4096, ..Op::NONE }]), [-libc::EROFS]);
    drop(engine);
    assert_eq!(RbdVolume::open(&reader).unwrap().size(), Some(256 << 20));
    let cluster = reader.cluster.clone();
    let read_only = RadosTarget { cluster, touch: false, ..object(&server, "o") };
    let mut engine = Rados::open(&read_only, arena.blocks(), DEPTH).unwrap();
    assert_eq!(perform(&mut engine, &[Op { kind: Kind::Write, len: 4096, ..Op::NONE }]), [-libc::EPERM]);
    let error = engine.remote_error().unwrap().to_string();
    assert!(error.starts_with("rados_aio_write: rbd/o at ") && error.contains(" as client.ro: "), "{error}");
    drop(engine);
    // A wrong key, a client that does not exist, and a missing configuration.
    let conf = std::fs::read_to_string(server.value("CEPH_CONF")).unwrap();
    let keys = server.dir().join("wrong-keyring");
    server.tool(&format!("ceph-authtool --create-keyring {} --gen-key -n client.bench", keys.display()));
    let wrong = server.dir().join("wrong.conf");
    let right_keys = format!("keyring = {}\n", server.dir().join("keyring").display());
    assert!(conf.contains(&right_keys));
    let wrong_keys = format!("keyring = {}\n", keys.display());
    std::fs::write(&wrong, conf.replacen(&right_keys, &wrong_keys, 1)).unwrap();
    let mut target = with("bench");
    target.cluster.conf = Some(wrong);
    let (call, errno, text) = refused(&target);
    assert_eq!((call, errno), ("rados_connect", libc::EACCES), "{text}");
    let (call, _, text) = refused(&with("nobody"));
    assert_eq!(call, "rados_connect", "{text}");
    target.cluster.conf = Some(Path::new("/nonexistent/ceph.conf").into());
    let (call, errno, text) = refused(&target);
    assert_eq!((call, errno), ("rados_conf_read_file", libc::ENOENT));
    assert!(text.starts_with("/nonexistent/ceph.conf: "), "{text}");
    let (call, errno, _) = refused(&RbdTarget { pool: "none".into(), ..with("bench") });
    assert_eq!((call, errno), ("rados_ioctx_create", libc::ENOENT));
    let (call, errno, _) = refused(&RbdTarget { image: "none".into(), ..with("bench") });
    assert_eq!((call, errno), ("rbd_open", libc::ENOENT));
    assert!(begin.elapsed() < TOOL_LIMIT, "nothing waits for a limit of the library");
}

/// What lies beyond the end of an image is neither read nor written.
#[test]
fn operations_beyond_end_of_image_are_short_or_refused() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("rbd create --size 8 rbd/small");
    let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
    let mut engine = Rbd::open(&image(&server, "small"), arena.blocks(), DEPTH).unwrap();
    arena.bytes(0, BLOCK).fill(1);
    let len = BLOCK as u32;
    for kind in [Kind::Write, Kind::Read, Kind::Trim] {
        let results = [SPACE - BLOCK / 2, SPACE, SPACE + BLOCK].map(|offset| {
            let op = Op { kind, offset: offset as u64, len, ..Op::NONE };
            perform(&mut engine, &[op])[0]
        });
        assert_eq!(results, [BLOCK as i32 / 2, -libc::EINVAL, -libc::EINVAL], "{kind:?}");
    }
}

#[test]
fn encrypted_image_is_read_with_its_passphrase_only() {
    let Some(server) = cluster(&[]) else { return };
    let file = server.dir().join("passphrase");
    std::fs::write(&file, "secret words").unwrap();
    let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
    for (name, format) in [("luks1", EncryptionFormat::Luks1), ("luks2", EncryptionFormat::Luks2)] {
        server.tool(&format!("rbd create --size 64 rbd/{name}"));
        server.tool(&format!("rbd encryption format rbd/{name} {name} {}", file.display()));
        let encryption = |passphrase: &str| Some(Encryption { format, passphrase: passphrase.into() });
        let target = RbdTarget { encryption: encryption("secret words"), ..image(&server, name) };
        let mut engine = Rbd::open(&target, arena.blocks(), DEPTH).unwrap();
        arena.bytes(0, BLOCK).fill(b'x');
        let len = BLOCK as u32;
        assert_eq!(perform(&mut engine, &[Op { kind: Kind::Write, len, ..Op::NONE }]), [BLOCK as i32]);
        assert_eq!(perform(&mut engine, &[Op { kind: Kind::Fsync, ..Op::NONE }]), [0]);
        drop(engine);
        let raw = server.tool(&format!("rbd export --no-progress rbd/{name} -"));
        assert!(!raw.windows(64).any(|window| window.iter().all(|byte| *byte == b'x')));
        // A passphrase costs seconds of CPU.
        if format == EncryptionFormat::Luks1 {
            continue;
        }
        let mut volume = RbdVolume::open(&target).unwrap();
        let mut got = vec![0; BLOCK];
        assert_eq!(volume.read_at(0, &mut got).unwrap(), BLOCK);
        assert!(got.iter().all(|byte| *byte == b'x'));
        assert!(volume.size() < Some(64 << 20), "the header of the encryption takes space");
        let wrong = RbdTarget { encryption: encryption("other words"), ..target };
        let error = Rbd::open(&wrong, arena.blocks(), DEPTH).map(drop).unwrap_err();
        assert_eq!((error.call(), error.errno()), ("rbd_encryption_load", libc::EPERM), "{error}");
    }
}

/// What `RbdVolume` and `Cluster` report is what Ceph's own tools have set.
#[test]
fn image_and_cluster_are_described_as_set() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("ceph osd pool create data 4");
    let create = "rbd create --size 32M --object-size 1M --stripe-unit 64K --stripe-count 4 --data-pool data";
    server.tool(&format!("{create} --image-feature layering,exclusive-lock,object-map rbd/striped"));
    server.tool("rbd config image set rbd/striped rbd_qos_iops_limit 500");
    server.tool("rbd image-meta set rbd/striped note two");
    let volume = RbdVolume::open(&image(&server, "striped")).unwrap();
    let facts = volume.facts().unwrap();
    assert_eq!((facts.size, facts.object_size, facts.objects), (32 << 20, 1 << 20, 32));
    assert_eq!((facts.stripe_unit, facts.stripe_count), (64 << 10, 4));
    // Ceph adds fast-diff to object-map.
    let features = ["layering", "striping", "exclusive-lock", "object-map", "fast-diff", "data-pool"];
    assert_eq!(facts.features, features);
    assert_eq!((facts.data_pool.as_deref(), facts.parent.as_deref()), (Some("data"), None));
    assert_eq!(facts.limits(), [("rbd_qos_iops_limit", 500)]);
    assert_eq!(facts.option("rbd_cache"), Some("true"));
    let limit = facts.options.iter().find(|option| option.name == "rbd_qos_iops_limit").unwrap();
    assert_eq!(limit.source, OptionSource::Image);
    let entry = |key: &str, value: &str| (key.to_string(), value.to_string());
    assert_eq!(facts.metadata, [entry("conf_rbd_qos_iops_limit", "500"), entry("note", "two")]);
    assert_eq!(volume.used_bytes().unwrap(), 0);
    // A clone, of which one block was written.
    server.tool("rbd snap create --no-progress rbd/img@s");
    server.tool("rbd snap protect rbd/img@s");
    server.tool("rbd clone rbd/img@s rbd/clone");
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let mut clone = RbdVolume::open(&image(&server, "clone")).unwrap();
    assert_eq!(clone.facts().unwrap().parent.as_deref(), Some("rbd/img@s"));
    assert_eq!(clone.users().unwrap(), Vec::<String>::new());
    let mut engine = Rbd::open(&image(&server, "clone"), arena.blocks(), DEPTH).unwrap();
    let offset = 4 << 20;
    let write = Op { kind: Kind::Write, offset, len: BLOCK as u32, ..Op::NONE };
    assert_eq!(perform(&mut engine, &[write]), [BLOCK as i32]);
    assert_eq!(perform(&mut engine, &[Op { kind: Kind::Fsync, ..Op::NONE }]), [0]);
    // The engine's watch, and its lock, are one user.
    let users = clone.users().unwrap();
    assert_eq!(users.len(), 1, "{users:?}");
    assert!(users[0].starts_with("client.") && users[0].contains("127.0.0.1"), "{users:?}");
    drop(engine);
    assert_eq!(clone.users().unwrap(), Vec::<String>::new());
    assert_eq!(clone.used_bytes().unwrap(), BLOCK as u64);
    server.tool("rbd lock add rbd/clone tape");
    // Locks are those at the time of opening.
    let mut clone = RbdVolume::open(&image(&server, "clone")).unwrap();
    assert_eq!(clone.users().unwrap().len(), 1);
    // The cluster.
    let cluster = Cluster::connect(&target(&server)).unwrap();
    assert_eq!(cluster.pools().unwrap(), ["rbd", "data"]);
    let fsid = cluster.fsid().unwrap();
    let conf = std::fs::read_to_string(server.value("CEPH_CONF")).unwrap();
    assert!(conf.contains(&format!("fsid = {fsid}\n")));
    let dump = cluster.mon_command(r#"{"prefix":"osd pool get","pool":"data","var":"pg_num"}"#).unwrap();
    assert_eq!(dump.output.trim(), "pg_num: 4");
    let error = cluster.mon_command(r#"{"prefix":"osd pool get","pool":"no","var":"size"}"#).unwrap_err();
    assert_eq!(error.errno(), libc::ENOENT);
    assert!(error.to_string().contains("unrecognized pool 'no'"), "{error}");
    let version = cluster.osd_command(0, r#"{"prefix":"version"}"#).unwrap();
    assert!(version.output.contains("\"release\""), "{version:?}");
    cluster.pool_stat("data").unwrap();
    cluster.space().unwrap();
}

/// Runs `reads` one after the other for `time`; returns their number and the latency of each.
fn read_for<E: Engine>(engine: &mut E, depth: usize, time: Duration) -> Vec<Duration> {
    let mut numbers = Numbers(77);
    let mut op = |slot| {
        let offset = numbers.below(1024) * 4096;
        Op { offset, len: 4096, slot, ..Op::NONE }
    };
    let (begin, mut latencies) = (Instant::now(), Vec::new());
    let mut begun = vec![begin; depth];
    let mut out = [Completion::default(); DEPTH];
    let first: Vec<Op> = (0..depth as u16).map(&mut op).collect();
    engine.queue(&first);
    let mut in_flight = depth;
    while in_flight > 0 {
        engine.submit().unwrap();
        assert!(begin.elapsed() < TOOL_LIMIT, "the reads end");
        let n = engine.reap_within(TOOL_LIMIT.as_nanos() as u64, &mut out).unwrap();
        for completion in &out[..n] {
            assert_eq!(completion.res, 4096);
            let start = &mut begun[usize::from(completion.slot)];
            latencies.push(start.elapsed());
            *start = Instant::now();
            if begin.elapsed() < time {
                engine.queue(&[op(completion.slot)]);
            } else {
                in_flight -= 1;
            }
        }
    }
    latencies
}

#[test]
fn measures_iops_limit_of_image() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("rbd config image set rbd/img rbd_qos_iops_limit 500");
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let mut engine = Rbd::open(&image(&server, "img"), arena.blocks(), DEPTH).unwrap();
    // The bucket of the limit is full at the beginning.
    read_for(&mut engine, DEPTH, Duration::from_secs(2));
    let begin = Instant::now();
    let n = read_for(&mut engine, DEPTH, Duration::from_secs(6)).len();
    let rate = n as f64 / begin.elapsed().as_secs_f64();
    assert!((490.0..=510.0).contains(&rate), "{rate} IOPS");
}

fn kill(server: &Server, process: &str, signal: Signal) {
    let pid = server.value(&format!("PID_{process}")).parse().ok().and_then(Pid::from_raw).unwrap();
    kill_process(pid, signal).unwrap();
}

/// An OSD that stops for a second is one latency of a second, and no error.
#[test]
fn measures_stopped_osd_as_one_long_latency() {
    let Some(server) = cluster(&[]) else { return };
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let mut engine = Rbd::open(&image(&server, "img"), arena.blocks(), DEPTH).unwrap();
    perform(&mut engine, &[Op { kind: Kind::Write, len: BLOCK as u32, ..Op::NONE }]);
    let latencies = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            kill(&server, "osd.0", Signal::STOP);
            std::thread::sleep(Duration::from_secs(1));
            kill(&server, "osd.0", Signal::CONT);
        });
        read_for(&mut engine, 1, Duration::from_secs(3))
    });
    let long: Vec<f64> =
        latencies.iter().map(Duration::as_secs_f64).filter(|latency| *latency > 0.5).collect();
    assert!(matches!(long[..], [latency] if (0.98..1.1).contains(&latency)), "{long:?}");
}

/// Opening ends with an error if an OSD does not answer, and works again when it does.
#[test]
fn open_with_stopped_osd_times_out() {
    let Some(server) = cluster(&[]) else { return };
    let open = || {
        std::thread::scope(|scope| {
            let rbd = scope.spawn(|| {
                let arena = Arena::new(DEPTH, BLOCK).unwrap();
                Rbd::open(&image(&server, "img"), arena.blocks(), DEPTH).map(drop)
            });
            let rados = scope.spawn(|| {
                let arena = Arena::new(DEPTH, BLOCK).unwrap();
                Rados::open(&object(&server, "o"), arena.blocks(), DEPTH).map(drop)
            });
            [rbd.join().unwrap(), rados.join().unwrap()]
        })
    };
    kill(&server, "osd.0", Signal::STOP);
    let errors = open().map(|opened| {
        let error = opened.unwrap_err();
        (error.call(), error.errno())
    });
    kill(&server, "osd.0", Signal::CONT);
    let timed_out = libc::ETIMEDOUT;
    assert_eq!(errors, [("rbd_open", timed_out), ("rados_write_op_create", timed_out)]);
    assert_eq!(open(), [Ok(()), Ok(())]);
}

/// With a limit in the configuration, operations of a lost server fail; by default they wait.
#[test]
fn operations_of_lost_server_fail_after_configured_limit() {
    let Some(server) = cluster(&[]) else { return };
    server.tool("rbd config image set rbd/img rbd_cache false");
    let conf = std::fs::read_to_string(server.value("CEPH_CONF")).unwrap();
    let limited = server.dir().join("limited.conf");
    std::fs::write(&limited, format!("{conf}rados osd op timeout = 2\n")).unwrap();
    let cluster = ClusterTarget { conf: Some(limited), ..ClusterTarget::default() };
    let arena = Arena::new(DEPTH, BLOCK).unwrap();
    let mut rbd =
        Rbd::open(&RbdTarget { cluster: cluster.clone(), ..image(&server, "img") }, arena.blocks(), DEPTH)
            .unwrap();
    let mut rados =
        Rados::open(&RadosTarget { cluster, ..object(&server, "o") }, arena.blocks(), DEPTH).unwrap();
    kill(&server, "osd.0", Signal::KILL);
    let ops = [Kind::Write, Kind::Read].map(|kind| Op {
        kind,
        len: 4096,
        slot: u16::from(kind == Kind::Read),
        ..Op::NONE
    });
    assert_eq!(perform(&mut rbd, &ops), [-libc::ETIMEDOUT; 2]);
    let error = rbd.remote_error().unwrap().to_string();
    assert!(error.starts_with("rbd_aio_") && error.contains(": rbd/img at [v2:127.0.0.1:"), "{error}");
    assert_eq!(perform(&mut rados, &ops), [-libc::ETIMEDOUT; 2]);
}

extern "C" fn ignore(_: i32) {}

/// With a killed server, `reap` waits without using the CPU, a signal ends the wait, and the engine can be dropped.
#[test]
fn reap_with_killed_server_is_interruptible_and_idle() {
    // SAFETY: the handler does nothing. With SA_RESTART, system calls that can be restarted are not interrupted.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = ignore as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART;
        assert_eq!(libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut()), 0);
    }
    waits(|server, blocks| {
        server.tool("rbd config image set rbd/img rbd_cache false");
        Rbd::open(&image(server, "img"), blocks, DEPTH)
    });
    waits(|server, blocks| Rados::open(&object(server, "o"), blocks, DEPTH));
}

/// The cache of librbd cannot be written back if the server is lost: the engine can be dropped all the same.
#[test]
fn engine_with_dirty_cache_of_lost_server_can_be_dropped() {
    let Some(server) = cluster(&[]) else { return };
    let (send, receive) = mpsc::channel();
    let target = image(&server, "img");
    std::thread::spawn(move || {
        let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
        let mut engine = Rbd::open(&target, arena.blocks(), DEPTH).unwrap();
        kill(&server, "osd.0", Signal::KILL);
        assert_eq!(perform(&mut engine, &[Op { kind: Kind::Write, len: 4096, ..Op::NONE }]), [4096]);
        drop(engine);
        arena.leak();
        drop(server);
        send.send(()).unwrap();
    });
    receive.recv_timeout(TOOL_LIMIT).expect("the engine is dropped");
}

fn waits<E: Engine>(open: impl FnOnce(&Server, Blocks) -> Result<E, RemoteError> + Send + 'static) {
    let Some(server) = cluster(&[]) else { return };
    let server = Arc::new(server);
    let (send, receive) = mpsc::channel();
    // Not joined if a wait does not end: the test fails then.
    let of_worker = server.clone();
    let worker = std::thread::spawn(move || {
        let mut arena = Arena::new(DEPTH, BLOCK).unwrap();
        let mut engine = open(&of_worker, arena.blocks()).unwrap();
        kill(&of_worker, "osd.0", Signal::KILL);
        kill(&of_worker, "mon", Signal::KILL);
        drop(of_worker);
        let op = |slot, kind| Op { kind, len: 4096, slot, ..Op::NONE };
        engine.queue(&[op(0, Kind::Read), op(1, Kind::Write)]);
        engine.submit().unwrap();
        send.send((0, 0)).unwrap();
        let cpu = || {
            let used = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            used.tv_sec * 1_000_000_000 + used.tv_nsec
        };
        let before = cpu();
        let mut out = [Completion::default(); DEPTH];
        let n = engine.reap(1, &mut out).unwrap();
        send.send((n, cpu() - before)).unwrap();
        assert_eq!(engine.reap_within(1_000_000, &mut out).unwrap(), 0);
        drop(engine);
        // The library uses the blocks as long as operations are in flight.
        arena.leak();
        send.send((0, 0)).unwrap();
    });
    receive.recv_timeout(TOOL_LIMIT).unwrap();
    assert_eq!(receive.recv_timeout(Duration::from_secs(2)), Err(mpsc::RecvTimeoutError::Timeout));
    // SAFETY: the thread runs: it is joined below.
    unsafe { libc::pthread_kill(worker.as_pthread_t(), libc::SIGUSR1) };
    let (n, nanos) = receive.recv_timeout(TOOL_LIMIT).expect("a signal ends the wait");
    assert_eq!(n, 0);
    assert!(nanos < 20_000_000, "{nanos} ns of CPU for a wait");
    receive.recv_timeout(TOOL_LIMIT).expect("the engine is dropped");
    worker.join().unwrap();
}
