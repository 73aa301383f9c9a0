//! The engine `http` against the object server of the testbed, radosgw and s3s-fs.

use engine::remote::http::{Contents, Http, HttpMode, HttpTarget, HttpVolume, ObjectMode};
use engine::remote::{RemoteError, Volume};
use engine::{Arena, Completion, Engine, Kind, Op};
use std::time::Duration;
use testbed::object_server::{KEY_ID, Protocol, SECRET, TOKEN, USER};
use testbed::{ObjectServer, Server};

const BLOCK: u32 = 16 << 10;

/// An engine with its blocks, and the name of its one file.
struct Rig {
    arena: Arena,
    engine: Http,
}

fn rig(target: &HttpTarget, name: &str, depth: usize) -> Rig {
    let arena = Arena::new(depth, BLOCK as usize).expect("memory for the blocks");
    let engine = Http::open(target, &[name.into()], arena.blocks(), depth).expect("the engine opens");
    Rig { arena, engine }
}

fn s3(server: &ObjectServer) -> HttpTarget {
    HttpTarget {
        host: server.host(),
        mode: HttpMode::S3,
        key_id: KEY_ID.into(),
        key: SECRET.into(),
        ..HttpTarget::default()
    }
}

fn op(kind: Kind, block: u64, slot: u16) -> Op {
    Op { kind, offset: block * u64::from(BLOCK), len: BLOCK, slot, ..Op::NONE }
}

/// Contents of a block, different for each.
fn contents(block: u64) -> Vec<u8> {
    (0..BLOCK).map(|i| (i as u64 * 31 + block * 7 + u64::from(i / 256)) as u8).collect()
}

impl Rig {
    /// Queues and submits operations of one kind on these blocks, as many as there are slots at most, and returns the
    /// results in the order of the blocks.
    fn batch(&mut self, kind: Kind, blocks: &[u64]) -> Vec<i32> {
        let ops: Vec<Op> = blocks.iter().zip(0..).map(|(block, slot)| op(kind, *block, slot)).collect();
        for op in &ops {
            let bytes = self.arena.bytes(op.slot, BLOCK as usize);
            match kind {
                Kind::Write => bytes.copy_from_slice(&contents(op.offset / u64::from(BLOCK))),
                _ => bytes.fill(0xee),
            }
        }
        self.engine.queue(&ops);
        self.engine.submit().expect("the engine takes operations");
        let mut results = vec![None; ops.len()];
        while results.contains(&None) {
            let mut out = vec![Completion::default(); ops.len()];
            let n = self.engine.reap(1, &mut out).expect("the engine completes operations");
            for completion in &out[..n] {
                let result = &mut results[usize::from(completion.slot)];
                assert_eq!(result.replace(completion.res), None, "slot {} twice", completion.slot);
            }
        }
        results.into_iter().flatten().collect()
    }

    fn error(&self) -> String {
        self.engine.remote_error().expect("an error of the server").to_string()
    }
}

/// Writes, reads, checks and removes blocks at a depth of 8; `host` names a server that has the bucket.
fn blocks_pass_through(target: &HttpTarget, name: &str) {
    let mut rig = rig(target, name, 8);
    let blocks: Vec<u64> = (0..32).collect();
    for part in blocks.chunks(8) {
        assert_eq!(rig.batch(Kind::Write, part), [BLOCK as i32; 8]);
    }
    for part in blocks.chunks(8) {
        assert_eq!(rig.batch(Kind::Read, part), [BLOCK as i32; 8]);
        for (block, slot) in part.iter().zip(0..) {
            assert!(rig.arena.bytes(slot, BLOCK as usize) == contents(*block), "block {block}");
        }
    }
    for part in blocks.chunks(8) {
        assert_eq!(rig.batch(Kind::Trim, part), [BLOCK as i32; 8]);
    }
    // A trim of what does not exist has nothing to do; a read of it is an error.
    assert_eq!(rig.batch(Kind::Trim, &[3]), [BLOCK as i32]);
    assert_eq!(rig.batch(Kind::Read, &[3]), [-libc::ENOENT]);
    assert!(rig.error().contains("HTTP status 404"), "{}", rig.error());
}

#[test]
fn each_block_is_an_object_with_the_contents_of_its_slot() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let mut rig = rig(&s3(&server), "/bkt/a dir/f+1", 4);
    assert_eq!(rig.batch(Kind::Write, &[0, 1, 2, 5]), [BLOCK as i32; 4]);
    let objects = server.objects("bkt");
    let names: Vec<&str> = objects.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["a dir/f+1_0_16384", "a dir/f+1_16384_16384", "a dir/f+1_32768_16384", "a dir/f+1_81920_16384"]
    );
    for (object, block) in objects.values().zip([0, 1, 2, 5]) {
        assert!(object.data == contents(block), "block {block}");
    }
}

#[test]
fn blocks_are_written_read_and_removed_with_one_request_each() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    blocks_pass_through(&s3(&server), "/bkt/f");
    let log = server.log();
    let count = |method: &str| log.iter().filter(|request| request.method == method).count();
    assert_eq!([count("PUT"), count("GET"), count("DELETE")], [32, 33, 33]);
    assert_eq!(server.connections(), 8);
    assert!(server.objects("bkt").is_empty());
}

#[test]
fn swift_and_webdav_are_used_with_their_credentials() {
    let server = ObjectServer::start(Protocol::Swift);
    let swift = HttpTarget {
        host: server.host(),
        mode: HttpMode::Swift,
        swift_token: TOKEN.into(),
        ..HttpTarget::default()
    };
    blocks_pass_through(&swift, "/v1/AUTH_a/c/f");
    let dav = ObjectServer::start(Protocol::WebDav);
    let webdav = HttpTarget {
        host: dav.host(),
        user: USER.0.into(),
        password: USER.1.into(),
        ..HttpTarget::default()
    };
    blocks_pass_through(&webdav, "/dir/f");
    for (target, name) in [
        (HttpTarget { swift_token: "other".into(), ..swift }, "/v1/AUTH_a/c/f"),
        (HttpTarget { user: String::new(), ..webdav }, "/dir/f"),
    ] {
        let mut rig = rig(&target, name, 1);
        assert_eq!(rig.batch(Kind::Write, &[0]), [-libc::EACCES]);
        assert!(rig.error().contains("HTTP status 401"), "{}", rig.error());
    }
}

#[test]
fn range_mode_reads_parts_of_one_object() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let target = HttpTarget { objects: ObjectMode::Range, ..s3(&server) };
    let mut rig = rig(&target, "/bkt/f", 2);
    // A write replaces the object by its block.
    assert_eq!(rig.batch(Kind::Write, &[1]), [BLOCK as i32]);
    assert!(server.objects("bkt")["f"].data == contents(1));
    let mut rig = self::rig(&HttpTarget { objects: ObjectMode::Block, ..target.clone() }, "/bkt/g", 2);
    assert_eq!(rig.batch(Kind::Write, &[0]), [BLOCK as i32]);
    let mut volume = HttpVolume::open(&target, "/bkt/f").expect("the object exists");
    assert_eq!(volume.size(), Some(u64::from(BLOCK)));
    let mut part = [0; 100];
    assert_eq!(volume.read_at(u64::from(BLOCK) - 40, &mut part), Ok(40));
    assert_eq!(part[..40], contents(1)[BLOCK as usize - 40..]);
    assert_eq!(volume.read_at(u64::from(BLOCK), &mut part), Ok(0));
    // Beyond the end of the object nothing is read.
    let mut rig = self::rig(&target, "/bkt/f", 2);
    assert_eq!(rig.batch(Kind::Read, &[0, 1]), [BLOCK as i32, 0]);
    assert!(rig.arena.bytes(0, BLOCK as usize) == contents(1));
}

#[test]
fn server_that_ignores_ranges_is_an_error() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    server.set(|faults| faults.no_ranges = true);
    let mut rig = rig(&HttpTarget { objects: ObjectMode::Range, ..s3(&server) }, "/bkt/f", 2);
    assert_eq!(rig.batch(Kind::Write, &[0]), [BLOCK as i32]);
    assert_eq!(rig.batch(Kind::Read, &[0, 1]), [BLOCK as i32, -libc::EIO]);
    assert!(rig.error().contains("range"), "{}", rig.error());
}

#[test]
fn syncs_complete_without_a_request() {
    let server = ObjectServer::start(Protocol::S3);
    let mut rig = rig(&s3(&server), "/bkt/f", 2);
    assert_eq!(rig.batch(Kind::Fsync, &[0]), [0]);
    assert_eq!(rig.batch(Kind::Fdatasync, &[0, 1]), [0, 0]);
    assert_eq!(server.log(), []);
}

#[test]
fn all_operations_of_the_depth_are_in_flight_together() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    server.set(|faults| faults.stall = true);
    let host = server.host();
    let target = HttpTarget { host, ..s3(&server) };
    std::thread::scope(|scope| {
        let worker =
            scope.spawn(|| rig(&target, "/bkt/f", 32).batch(Kind::Write, &(0..32).collect::<Vec<_>>()));
        server.wait_for_held(32);
        server.set(|faults| faults.stall = false);
        assert_eq!(worker.join().expect("the writes complete"), [BLOCK as i32; 32]);
    });
}

#[test]
fn wrong_key_is_one_clear_error() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let wrong = HttpTarget { key: "other".into(), ..s3(&server) };
    let mut rig = rig(&wrong, "/bkt/f", 2);
    assert_eq!(rig.batch(Kind::Write, &[0, 1]), [-libc::EACCES; 2]);
    let host = server.host();
    let refused = |what: &str| format!("{what}: {host}");
    assert!(rig.error().starts_with(&refused("PUT")), "{}", rig.error());
    assert!(rig.error().contains("HTTP status 403 SignatureDoesNotMatch"), "{}", rig.error());
    assert_eq!(rig.error().lines().count(), 1);
    // The text of an answer to HEAD is missing, and is asked for by another request.
    let error = HttpVolume::open(&wrong, "/bkt/f").expect_err("the key is wrong");
    assert!(error.to_string().contains("403 SignatureDoesNotMatch"), "{error}");
    assert_eq!(error.errno(), libc::EACCES);
}

#[test]
fn statuses_of_the_server_become_errnos() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let mut rig = rig(&s3(&server), "/bkt/f", 1);
    for (status, code, errno) in [
        (503, "SlowDown", libc::EBUSY),
        (500, "InternalError", libc::EIO),
        (404, "NoSuchBucket", libc::ENOENT),
    ] {
        server.set(|faults| faults.fail = Some((status, code)));
        assert_eq!(rig.batch(Kind::Write, &[0]), [-errno]);
        assert!(rig.error().contains(&format!("HTTP status {status} {code}")), "{}", rig.error());
    }
    server.set(|faults| faults.fail = None);
    assert_eq!(rig.batch(Kind::Write, &[0]), [BLOCK as i32]);
}

#[test]
fn killed_server_fails_all_operations_in_flight() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let target = s3(&server);
    server.set(|faults| faults.stall = true);
    let (killed, wait) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let target = &target;
        let worker = scope.spawn(move || {
            let mut rig = rig(target, "/bkt/f", 4);
            let first = rig.batch(Kind::Write, &[0, 1, 2, 3]);
            let first_error = rig.error();
            wait.recv().expect("the server is killed");
            (first, first_error, rig.batch(Kind::Write, &[0, 1, 2, 3]), rig.error())
        });
        server.wait_for_held(4);
        server.kill();
        killed.send(()).expect("the worker waits");
        let (first, first_error, second, second_error) = worker.join().expect("no operation hangs");
        let lost = [-libc::ECONNRESET, -libc::EPIPE, -libc::ECONNREFUSED];
        assert!(first.iter().all(|res| lost.contains(res)), "{first:?}");
        assert_eq!(second, [-libc::ECONNREFUSED; 4]);
        assert!(first_error.contains(&target.host) && second_error.contains(&target.host));
        assert!(second_error.starts_with("connect: "), "{second_error}");
    });
}

#[test]
fn closed_connections_are_made_again_without_an_error() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    server.set(|faults| faults.close_after = Some(3));
    blocks_pass_through(&s3(&server), "/bkt/f");
    assert!(server.connections() > 8);
}

#[test]
fn signal_ends_the_wait_for_a_stalled_server() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let target = s3(&server);
    sys::interrupts::watch().expect("a handler");
    server.set(|faults| faults.stall = true);
    let (thread, started) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || {
            let mut rig = rig(&target, "/bkt/f", 2);
            // SAFETY: it takes no arguments and always succeeds.
            thread.send(unsafe { libc::pthread_self() }).expect("the test waits");
            rig.engine.queue(&[op(Kind::Write, 0, 0)]);
            rig.engine.submit().expect("the engine takes operations");
            let mut out = [Completion::default(); 2];
            (rig.engine.reap(1, &mut out), rig.engine.reap_within(1_000_000, &mut out))
        });
        let thread = started.recv().expect("the worker starts");
        server.wait_for_held(1);
        while !worker.is_finished() {
            // SAFETY: the thread was not joined, so that its identifier is valid.
            unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(worker.join().expect("the worker ends"), (Ok(0), Ok(0)));
    });
}

#[test]
fn look_at_a_target_tells_what_the_server_has() {
    let server = ObjectServer::start(Protocol::S3);
    let target = s3(&server);
    let look = |name: &str| HttpVolume::open(&target, name).and_then(|mut volume| volume.contents());
    assert_eq!(look("/bkt/f"), Ok(Contents::NoBucket));
    server.create_bucket("bkt");
    assert_eq!(look("/bkt/f"), Ok(Contents::Empty));
    assert_eq!(rig(&target, "/bkt/f", 1).batch(Kind::Write, &[2]), [BLOCK as i32]);
    assert_eq!(look("/bkt/f"), Ok(Contents::Objects { first: "f_32768_16384".into() }));
    assert_eq!(look("/bkt"), Ok(Contents::Objects { first: "f_32768_16384".into() }));
    assert_eq!(look("/bkt/g"), Ok(Contents::Empty));
    assert_eq!(HttpVolume::open(&target, "/bkt/f").map(|volume| volume.size()), Ok(None));

    let swift = ObjectServer::start(Protocol::Swift);
    let target = HttpTarget {
        host: swift.host(),
        mode: HttpMode::Swift,
        swift_token: TOKEN.into(),
        ..HttpTarget::default()
    };
    assert_eq!(rig(&target, "/v1/AUTH_a/c/f", 1).batch(Kind::Write, &[0]), [BLOCK as i32]);
    let look = HttpVolume::open(&target, "/v1/AUTH_a/c/f").and_then(|mut volume| volume.contents());
    assert_eq!(look, Ok(Contents::Objects { first: "f_0_16384".into() }));
}

#[test]
fn unknown_host_and_invalid_key_are_errors_of_open() {
    let arena = Arena::new(1, 4096).expect("memory for a block");
    let open = |target: &HttpTarget| {
        Http::open(target, &["/b/f".into()], arena.blocks(), 1)
            .map(|_| ())
            .map_err(|error: RemoteError| error.errno())
    };
    let host = HttpTarget { host: "host.invalid".into(), ..HttpTarget::default() };
    assert_eq!(open(&host), Err(libc::EHOSTUNREACH));
    let key = HttpTarget {
        mode: HttpMode::S3,
        customer_key: "short".into(),
        host: "127.0.0.1".into(),
        ..HttpTarget::default()
    };
    assert_eq!(open(&key), Err(libc::EINVAL));
}

/// The same against servers that check signatures and store for real.
fn real_server_passes_blocks_through(kind: &'static str, settings: &[(&str, &str)]) {
    let server = match Server::up(kind, settings) {
        Ok(server) => server,
        Err(reason) => return testbed::skip(&reason),
    };
    let target = HttpTarget {
        host: server.value("S3_ENDPOINT").trim_start_matches("http://").into(),
        mode: HttpMode::S3,
        key_id: server.value("S3_KEY").into(),
        key: server.value("S3_SECRET").into(),
        region: server.value("S3_REGION").into(),
        ..HttpTarget::default()
    };
    let look = |target: &HttpTarget, name: &str| {
        HttpVolume::open(target, name).and_then(|mut volume| volume.contents())
    };
    assert_eq!(look(&target, "/bkt/f"), Ok(Contents::NoBucket));
    let endpoint = objects::Endpoint::new(&target.host, objects::Https::Off);
    let credentials = objects::signature::Credentials {
        key_id: target.key_id.clone(),
        secret: target.key.clone(),
        token: None,
    };
    let settings = objects::s3::Settings::new(Some(credentials), objects::Https::Off);
    let mut account = objects::s3::Account::new(&endpoint, &settings).expect("valid settings");
    let mut client = objects::Client::new(&endpoint, 1, Duration::from_secs(20)).expect("a client");
    client.call(&account.create_bucket("/bkt")).expect("a bucket");
    blocks_pass_through(&target, "/bkt/f");
    assert_eq!(look(&target, "/bkt/f"), Ok(Contents::Empty));
    let range = HttpTarget { objects: ObjectMode::Range, ..target.clone() };
    let mut rig = rig(&range, "/bkt/g", 2);
    assert_eq!(rig.batch(Kind::Write, &[0]), [BLOCK as i32]);
    assert_eq!(rig.batch(Kind::Read, &[0, 1]), [BLOCK as i32, 0]);
    assert_eq!(look(&target, "/bkt/g"), Ok(Contents::Objects { first: "g".into() }));
    let wrong = HttpTarget { key: "wrong".into(), ..target };
    let error = look(&wrong, "/bkt/f").expect_err("the key is wrong");
    assert_eq!(error.errno(), libc::EACCES);
    assert!(error.to_string().contains("SignatureDoesNotMatch"), "{error}");
}

#[test]
fn radosgw_stores_blocks_as_objects() {
    real_server_passes_blocks_through("ceph", &[("RGW", "1")]);
}

#[test]
fn s3s_fs_stores_blocks_as_objects() {
    real_server_passes_blocks_through("s3", &[]);
}
