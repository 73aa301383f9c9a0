//! The NFS engine against nfs-ganesha; the exported directory and a proxy that reads the protocol are the witnesses.
#![allow(clippy::unwrap_used)]

mod remote_case;

use engine::remote::nfs::{Nfs, NfsAccess, NfsFile, NfsTarget, NfsVolume};
use engine::remote::{RemoteError, Volume};
use engine::{Arena, Completion, Engine, Kind, Op};
use remote_case::{Target, cpu, interrupted, one, random_io, reap, stop};
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use testbed::{Draw, Server, server};

const READ: u32 = 6;
const WRITE: u32 = 7;
const COMMIT: u32 = 21;
const JOB: NfsAccess = NfsAccess { write: true, create: true, sync: false };

fn target(url: &str) -> NfsTarget {
    NfsTarget { url: url.into(), timeout: Duration::from_secs(20) }
}

fn file(name: &str, size: usize) -> NfsFile {
    NfsFile { name: name.into(), size: size as u64 }
}

fn open(url: &str, files: &[NfsFile], arena: &Arena, depth: usize) -> Nfs {
    Nfs::open(&target(url), files, JOB, arena.blocks(), depth).unwrap()
}

fn op(kind: Kind, slot: u16, offset: u64, len: u32) -> Op {
    Op { kind, slot, offset, len, ..Op::NONE }
}

/// Counts calls of NFS version 3 and passes everything on. Replies are passed on in groups, the last one of a group first.
struct Proxy {
    port: u16,
    calls: Arc<Mutex<BTreeMap<u32, u64>>>,
    group: Arc<AtomicUsize>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
    /// How stable each write was asked to be.
    stable: Arc<Mutex<Vec<u32>>>,
}

impl Proxy {
    fn new(server: &Server) -> Proxy {
        let to: u16 = server.value("PORT").parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            calls: Arc::default(),
            group: Arc::new(AtomicUsize::new(1)),
            connections: Arc::default(),
            stable: Arc::default(),
        };
        let (calls, group, connections, stable) =
            (proxy.calls.clone(), proxy.group.clone(), proxy.connections.clone(), proxy.stable.clone());
        std::thread::spawn(move || {
            while let Ok((client, _)) = listener.accept() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
                connections.lock().unwrap().push(client.try_clone().unwrap());
                let (calls, group, stable) = (calls.clone(), group.clone(), stable.clone());
                let (mut client_in, mut server_out) =
                    (client.try_clone().unwrap(), server.try_clone().unwrap());
                std::thread::spawn(move || {
                    while let Some(call) = record(&mut client_in) {
                        let word = |at: usize| u32::from_be_bytes(call[at..at + 4].try_into().unwrap());
                        if word(16) == 100_003 {
                            *calls.lock().unwrap().entry(word(24)).or_default() += 1;
                            if word(24) == WRITE {
                                // Behind credentials, verifier and file handle, each with its length; offset and count.
                                let verifier = 36 + word(32) as usize;
                                let handle = verifier + 8 + word(verifier + 4) as usize;
                                let after = handle + 4 + (word(handle) as usize).next_multiple_of(4);
                                stable.lock().unwrap().push(word(after + 12));
                            }
                        }
                        if server_out.write_all(&call).is_err() {
                            break;
                        }
                    }
                    let _ = server_out.shutdown(Shutdown::Both);
                });
                std::thread::spawn(move || pass_replies(server, client, &group));
            }
        });
        proxy
    }

    /// Returns the URL of the server, with the proxy's port.
    fn url(&self, server: &Server) -> String {
        let url = server.value("URL");
        url.replace(&format!("nfsport={}", server.value("PORT")), &format!("nfsport={}", self.port))
    }

    fn calls(&self, procedure: u32) -> u64 {
        self.calls.lock().unwrap().get(&procedure).copied().unwrap_or(0)
    }
}

fn pass_replies(mut server: TcpStream, mut client: TcpStream, group: &AtomicUsize) {
    let mut held: Vec<Vec<u8>> = Vec::new();
    while let Some(reply) = record(&mut server) {
        held.push(reply);
        if held.len() >= group.load(Ordering::SeqCst) {
            for reply in held.drain(..).rev() {
                if client.write_all(&reply).is_err() {
                    return;
                }
            }
        }
    }
    let _ = client.shutdown(Shutdown::Both);
}

/// Reads one RPC record with its mark.
fn record(from: &mut TcpStream) -> Option<Vec<u8>> {
    let mut mark = [0; 4];
    from.read_exact(&mut mark).ok()?;
    let length = (u32::from_be_bytes(mark) & 0x7fff_ffff) as usize;
    let mut all = vec![0; 4 + length];
    all[..4].copy_from_slice(&mark);
    from.read_exact(&mut all[4..]).ok()?;
    Some(all)
}

#[test]
fn random_io_reads_what_was_written_and_the_server_counts_the_same() {
    let server = server!("nfs", &[]);
    let proxy = Proxy::new(&server);
    let mut draw = Draw::fresh();
    let (depth, sizes) = (16, [3 << 20, 1 << 20]);
    let mut arena = Arena::new(depth, 256 << 10).unwrap();
    let files = [file("a", sizes[0]), file("b", sizes[1])];
    let mut engine = open(&proxy.url(&server), &files, &arena, depth);
    let mut targets = sizes.map(|size| Target { model: vec![0; size], unit: 512 });
    let before = [READ, WRITE, COMMIT].map(|call| proxy.calls(call));
    let done = random_io(&mut engine, &mut arena, &mut targets, &mut draw, (depth, 2000, 64 << 10));
    assert_eq!(one(&mut engine, op(Kind::Fsync, 3, 0, 0)), 0);
    let after = [READ, WRITE, COMMIT].map(|call| proxy.calls(call));
    let counted: Vec<u64> = before.iter().zip(after).map(|(before, after)| after - before).collect();
    assert_eq!(counted, [done.reads, done.writes, 1]);
    drop(engine);
    let export = server.value("EXPORT");
    for (name, target) in ["a", "b"].iter().zip(&targets) {
        let contents = std::fs::read(format!("{export}/{name}")).unwrap();
        assert!(contents == target.model, "the exported file {name} has other contents");
    }
}

/// Replies are matched to operations, whatever their order: operations complete in the order of the replies.
#[test]
fn completions_come_in_the_order_of_the_replies() {
    let server = server!("nfs", &[]);
    let proxy = Proxy::new(&server);
    let depth = 4;
    let mut arena = Arena::new(depth, 4096).unwrap();
    std::fs::write(format!("{}/f", server.value("EXPORT")), [1u8, 2, 3, 4].map(|fill| [fill; 4096]).concat())
        .unwrap();
    let mut engine = open(&proxy.url(&server), &[file("f", 0)], &arena, depth);
    // Sent one by one, the requests are served in their order.
    proxy.group.store(depth, Ordering::SeqCst);
    for slot in 0..depth as u16 {
        engine.queue(&[op(Kind::Read, slot, u64::from(slot) * 4096, 4096)]);
        engine.submit().unwrap();
        std::thread::sleep(Duration::from_millis(50));
    }
    let slots: Vec<u16> = reap(&mut engine, depth).iter().map(|c| c.slot).collect();
    assert_eq!(slots, [3, 2, 1, 0]);
    for slot in 0..depth as u16 {
        assert_eq!(arena.bytes(slot, 4096), [slot as u8 + 1; 4096], "slot {slot}");
    }
    proxy.group.store(1, Ordering::SeqCst);
}

/// Reads beyond the end are short; trims are refused; a job that only reads cannot write.
#[test]
fn results_that_are_not_whole() {
    let server = server!("nfs", &[]);
    let mut arena = Arena::new(2, 8192).unwrap();
    std::fs::write(format!("{}/f", server.value("EXPORT")), [7; 5000]).unwrap();
    let mut engine = open(server.value("URL"), &[file("f", 0)], &arena, 2);
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 4096, 4096)), 904);
    assert_eq!(arena.bytes(0, 904), [7; 904]);
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 8192, 4096)), 0);
    assert_eq!(one(&mut engine, op(Kind::Trim, 0, 0, 4096)), -libc::EOPNOTSUPP);
    // The rest of an operation that was short.
    arena.bytes(1, 8192).fill(9);
    assert_eq!(one(&mut engine, Op { done: 4096, ..op(Kind::Write, 1, 0, 8192) }), 4096);
    drop(engine);
    let contents = std::fs::read(format!("{}/f", server.value("EXPORT"))).unwrap();
    assert_eq!(contents, [[7u8; 4096].as_slice(), &[9; 4096]].concat());
    let only_reads = NfsAccess::default();
    let mut engine =
        Nfs::open(&target(server.value("URL")), &[file("f", 0)], only_reads, arena.blocks(), 2).unwrap();
    assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), -libc::EBADF);
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
}

/// A smaller file is extended and a larger one is left as it is.
#[test]
fn files_are_created_and_extended_and_never_shortened() {
    let server = server!("nfs", &[]);
    let arena = Arena::new(1, 4096).unwrap();
    let size = |name: &str| {
        std::fs::metadata(format!("{}/{name}", server.value("EXPORT"))).map(|data| data.len()).ok()
    };
    drop(open(server.value("URL"), &[file("new", 12345)], &arena, 1));
    assert_eq!(size("new"), Some(12345));
    drop(open(server.value("URL"), &[file("new", 100)], &arena, 1));
    assert_eq!(size("new"), Some(12345));
    drop(open(server.value("URL"), &[file("new", 20000)], &arena, 1));
    assert_eq!(size("new"), Some(20000));
    let reads = Nfs::open(
        &target(server.value("URL")),
        &[file("missing", 100)],
        NfsAccess::default(),
        arena.blocks(),
        1,
    );
    let error = reads.unwrap_err();
    assert_eq!((error.errno(), size("missing")), (libc::ENOENT, None));
    assert!(error.to_string().contains("missing"), "{error}");
}

#[test]
fn volume_has_size_contents_and_server() {
    let server = server!("nfs", &[]);
    let (limit, mut draw) = (Duration::from_secs(20), Draw::fresh());
    let contents = draw.bytes((3 << 20) + 77);
    std::fs::write(format!("{}/f", server.value("EXPORT")), &contents).unwrap();
    let url = server.value("URL").replace("/e?", "/e/f?");
    let (target, name) = NfsTarget::of_file(&url, limit).unwrap();
    let mut volume = NfsVolume::open(&target, &name).unwrap();
    assert_eq!(volume.size(), Some(contents.len() as u64));
    let info = volume.info();
    assert_eq!((info.server.as_str(), info.export.as_str(), info.version), ("127.0.0.1", "/e", 3));
    assert!(info.read_max >= 4096 && info.write_max >= 4096, "{info:?}");
    let mut all = vec![0; contents.len() + 100];
    assert_eq!(volume.read_at(0, &mut all).unwrap(), contents.len());
    assert!(all[..contents.len()] == contents);
    let mut part = [0; 1000];
    assert_eq!(volume.read_at(contents.len() as u64 - 500, &mut part).unwrap(), 500);
    assert_eq!(part[..500], contents[contents.len() - 500..]);

    let mut scratch = NfsVolume::open(&target, "scratch").unwrap();
    assert_eq!(scratch.size(), None);
    scratch.create(1 << 20).unwrap();
    assert_eq!(scratch.size(), Some(1 << 20));
    let path = format!("{}/scratch", server.value("EXPORT"));
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1 << 20);
    let again = NfsVolume::open(&target, "scratch").unwrap().create(5).unwrap_err();
    assert_eq!(again.errno(), libc::EEXIST);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1 << 20);
    scratch.remove().unwrap();
    assert_eq!((scratch.size(), std::fs::exists(&path).unwrap()), (None, false));
}

#[test]
fn wrong_export_port_or_url_is_one_clear_error() {
    let server = server!("nfs", &[]);
    let url = server.value("URL");
    let error = |url: &str| NfsVolume::open(&target(url), "f").map(drop).unwrap_err();
    let wrong = error(&url.replace("/e?", "/other?"));
    assert!(wrong.to_string().contains("127.0.0.1") && wrong.to_string().contains("/other"), "{wrong}");
    assert!(matches!(&wrong, RemoteError::Refused { text, .. } if text.contains("MNT3ERR")), "{wrong}");
    let port: u16 = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let dead = error(&format!("nfs://127.0.0.1/e?nfsport={port}&mountport={port}"));
    assert_eq!(dead.errno(), libc::ECONNREFUSED, "{dead}");
    assert_eq!(error("nfs://").errno(), libc::EINVAL);
    assert_eq!(error(&url.replace("version=3", "version=2")).errno(), libc::EINVAL);
    for error in [wrong, dead] {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

/// NFS version 4: reads of any size, and writes of the size that this libnfs can send, or a clear error.
#[test]
fn version_4_reads_and_says_why_it_cannot_write() {
    let server = server!("nfs", &[]);
    let url = server.value("URL4");
    let mut arena = Arena::new(2, 64 << 10).unwrap();
    let contents = Draw::fresh().bytes(64 << 10);
    std::fs::write(format!("{}/f", server.value("EXPORT")), &contents).unwrap();
    assert_eq!(NfsVolume::open(&target(url), "f").unwrap().info().version, 4);
    let mut engine = open(url, &[file("f", 0)], &arena, 2);
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 64 << 10)), 64 << 10);
    assert!(arena.bytes(0, 64 << 10) == contents);
    arena.bytes(1, 1024).fill(5);
    assert_eq!(one(&mut engine, op(Kind::Write, 1, 1024, 1024)), 1024);
    let large = one(&mut engine, op(Kind::Write, 1, 0, 16 << 10));
    if large != 16 << 10 {
        let text = engine.remote_error().unwrap().to_string();
        assert!(large < 0 && text.contains("version=3"), "{large} {text}");
    }
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
    assert_eq!(arena.bytes(0, 4096)[1024..2048], [5; 1024]);
}

/// A server that is killed fails all operations in flight and all later ones; the wait costs no CPU time.
#[test]
fn killed_server_fails_every_operation() {
    let server = server!("nfs", &[]);
    let depth = 8;
    let arena = Arena::new(depth, 4096).unwrap();
    let mut engine = open(server.value("URL"), &[file("f", 1 << 20)], &arena, depth);
    stop(&server);
    let ops: Vec<Op> = (0..depth as u16)
        .map(|slot| {
            op(if slot % 2 == 0 { Kind::Read } else { Kind::Write }, slot, u64::from(slot) * 4096, 4096)
        })
        .collect();
    engine.queue(&ops);
    engine.submit().unwrap();
    server.signal(Signal::KILL);
    let mut done = reap(&mut engine, depth);
    done.sort_by_key(|completion| completion.slot);
    let expected: Vec<(u16, i32)> = (0..depth as u16).map(|slot| (slot, -libc::ENOTCONN)).collect();
    assert_eq!(done.iter().map(|c| (c.slot, c.res)).collect::<Vec<_>>(), expected);
    let error = engine.remote_error().unwrap().to_string();
    assert!(error.contains("127.0.0.1") && !error.contains('\n'), "{error}");
    assert_eq!(one(&mut engine, op(Kind::Read, 1, 0, 4096)), -libc::ENOTCONN);
    let mut none = [Completion::default(); 4];
    assert_eq!(engine.reap(0, &mut none).unwrap(), 0);
}

/// A server that answers nothing for the timeout is given up.
#[test]
fn silent_server_fails_after_the_timeout() {
    let server = server!("nfs", &[]);
    let arena = Arena::new(2, 4096).unwrap();
    let target = NfsTarget { timeout: Duration::from_millis(300), ..target(server.value("URL")) };
    let mut engine = Nfs::open(&target, &[file("f", 1 << 20)], JOB, arena.blocks(), 2).unwrap();
    stop(&server);
    let used = cpu();
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -libc::ETIMEDOUT);
    assert!(cpu() - used < Duration::from_millis(100), "the wait used {:?} of CPU", cpu() - used);
    let error = engine.remote_error().unwrap().to_string();
    assert!(error.contains("0.3 s"), "{error}");
    assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), -libc::ETIMEDOUT);
}

/// With the URL's argument `autoreconnect`, a connection that ends is made again, and counted.
#[test]
fn reconnects_that_the_url_allows_are_counted() {
    let server = server!("nfs", &[]);
    let proxy = Proxy::new(&server);
    let arena = Arena::new(2, 4096).unwrap();
    let url = format!("{}&autoreconnect=3", proxy.url(&server));
    let mut engine = open(&url, &[file("f", 1 << 20)], &arena, 2);
    assert_eq!((one(&mut engine, op(Kind::Read, 0, 0, 4096)), engine.reconnects()), (4096, 0));
    for connection in proxy.connections.lock().unwrap().drain(..) {
        connection.shutdown(Shutdown::Both).unwrap();
    }
    assert_eq!(one(&mut engine, op(Kind::Read, 1, 4096, 4096)), 4096);
    assert_eq!(engine.reconnects(), 1);
}

/// Servers close connections that are not used: the next operation opens it again, also if the URL allows no reconnects.
#[test]
fn connection_that_was_closed_while_idle_is_made_again() {
    let server = server!("nfs", &[]);
    let proxy = Proxy::new(&server);
    let arena = Arena::new(4, 4096).unwrap();
    let mut engine = open(&proxy.url(&server), &[file("f", 1 << 20)], &arena, 4);
    let close = || {
        for connection in proxy.connections.lock().unwrap().drain(..) {
            connection.shutdown(Shutdown::Both).unwrap();
        }
    };
    for reconnects in 1..3 {
        assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
        close();
        std::thread::sleep(Duration::from_millis(1100));
        let ops: Vec<Op> = (0..4).map(|slot| op(Kind::Write, slot, 0, 4096)).collect();
        engine.queue(&ops);
        engine.submit().unwrap();
        let results: Vec<i32> = reap(&mut engine, 4).iter().map(|completion| completion.res).collect();
        assert_eq!(results, [4096; 4], "{:?}", engine.remote_error());
        assert_eq!(engine.reconnects(), reconnects);
    }
    // While it is used, the connection is not made again.
    proxy.group.store(2, Ordering::SeqCst);
    engine.queue(&[op(Kind::Read, 0, 0, 4096)]);
    engine.submit().unwrap();
    close();
    assert_eq!(reap(&mut engine, 1)[0].res, -libc::ENOTCONN);
    // A server that has ended meanwhile is not waited for.
    let mut engine = open(server.value("URL"), &[file("f", 1 << 20)], &arena, 4);
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
    server.signal(Signal::KILL);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -libc::ENOTCONN);
    assert!(engine.remote_error().unwrap().to_string().contains("refused"), "{:?}", engine.remote_error());
}

/// A server that does not come back is given up although reconnects are allowed, without attempts that use the CPU.
#[test]
fn server_that_does_not_come_back_is_given_up() {
    for (reconnects, errno) in [("-1", libc::ETIMEDOUT), ("3", libc::ENOTCONN)] {
        let server = server!("nfs", &[]);
        let arena = Arena::new(2, 4096).unwrap();
        let url = format!("{}&autoreconnect={reconnects}", server.value("URL"));
        let target = NfsTarget { timeout: Duration::from_millis(500), ..target(&url) };
        let mut engine = Nfs::open(&target, &[file("f", 1 << 20)], JOB, arena.blocks(), 2).unwrap();
        assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
        server.signal(Signal::KILL);
        let used = cpu();
        assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -errno, "{:?}", engine.remote_error());
        assert!(cpu() - used < Duration::from_millis(200), "the wait used {:?} of CPU", cpu() - used);
        assert_eq!(engine.reconnects(), 0);
        assert!(engine.remote_error().unwrap().to_string().contains("127.0.0.1"));
    }
}

/// Workers connect at the same time, each with a client of its own; also in version 4, where the server knows clients by
/// their names.
#[test]
fn several_connections_at_once_do_not_disturb_each_other() {
    let server = server!("nfs", &[]);
    for url in [server.value("URL"), server.value("URL4")] {
        std::thread::scope(|scope| {
            for worker in 0..6u8 {
                scope.spawn(move || {
                    let mut arena = Arena::new(1, 1024).unwrap();
                    let mut engine = open(url, &[file(&format!("f{worker}"), 64 << 10)], &arena, 1);
                    for turn in 0..50 {
                        arena.bytes(0, 1024).fill(worker + turn);
                        let at = u64::from(turn) * 1024;
                        let written = one(&mut engine, op(Kind::Write, 0, at, 1024));
                        assert_eq!(written, 1024, "{:?}", engine.remote_error());
                        arena.bytes(0, 1024).fill(0xee);
                        assert_eq!(one(&mut engine, op(Kind::Read, 0, at, 1024)), 1024);
                        assert_eq!(arena.bytes(0, 1024), [worker + turn; 1024]);
                    }
                });
            }
        });
    }
}

/// Writes of a job with `sync` are FILE_SYNC (2), others UNSTABLE (0).
#[test]
fn writes_of_a_synchronous_job_are_stable() {
    let server = server!("nfs", &[]);
    let arena = Arena::new(1, 4096).unwrap();
    for (sync, stable) in [(false, 0), (true, 2)] {
        let proxy = Proxy::new(&server);
        let access = NfsAccess { sync, ..JOB };
        let url = proxy.url(&server);
        let mut engine = Nfs::open(&target(&url), &[file("f", 4096)], access, arena.blocks(), 1).unwrap();
        assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), 4096);
        assert_eq!(*proxy.stable.lock().unwrap(), [stable]);
    }
}

/// Offsets behind 4 GiB, in a file of a directory.
#[test]
fn offsets_have_64_bits() {
    let server = server!("nfs", &[]);
    let path = format!("{}/dir/far", server.value("EXPORT"));
    std::fs::create_dir(format!("{}/dir", server.value("EXPORT"))).unwrap();
    let (mut arena, far) = (Arena::new(1, 4096).unwrap(), (5u64 << 30) + 512);
    let mut engine = open(server.value("URL"), &[file("dir/far", 6 << 30)], &arena, 1);
    arena.bytes(0, 4096).fill(0x77);
    assert_eq!(one(&mut engine, op(Kind::Write, 0, far, 4096)), 4096);
    let mut seen = [0; 4096];
    std::fs::File::open(&path).unwrap().read_exact_at(&mut seen, far).unwrap();
    assert_eq!(seen, [0x77; 4096]);
    std::fs::File::options().write(true).open(&path).unwrap().write_all_at(&[0x66; 4096], far).unwrap();
    assert_eq!(one(&mut engine, op(Kind::Read, 0, far, 4096)), 4096);
    assert_eq!(arena.bytes(0, 4096), [0x66; 4096]);
}

#[test]
fn signal_ends_the_wait() {
    let server = server!("nfs", &[]);
    let arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(server.value("URL"), &[file("f", 1 << 20)], &arena, 1);
    stop(&server);
    engine.queue(&[op(Kind::Read, 0, 0, 4096)]);
    engine.submit().unwrap();
    interrupted(&mut engine);
    server.signal(Signal::CONT);
    assert_eq!(reap(&mut engine, 1)[0].res, 4096);
}

/// A server that is stopped for a second is one latency of a second, without error and without CPU time.
#[test]
fn measures_stopped_server_is_one_long_latency() {
    let server = server!("nfs", &[]);
    let mut arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(server.value("URL"), &[file("f", 1 << 20)], &arena, 1);
    arena.bytes(0, 4096).fill(1);
    let pids = server.pids();
    let mut latencies = Vec::new();
    for turn in 0..200 {
        let started = Instant::now();
        if turn == 100 {
            stop(&server);
            let pids = pids.clone();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(1));
                for pid in pids {
                    rustix::process::kill_process(rustix::process::Pid::from_raw(pid).unwrap(), Signal::CONT)
                        .unwrap();
                }
            });
        }
        let used = cpu();
        assert_eq!(one(&mut engine, op(Kind::Write, 0, turn * 4096, 4096)), 4096);
        assert!(cpu() - used < Duration::from_millis(100), "one I/O used {:?} of CPU", cpu() - used);
        latencies.push(started.elapsed());
    }
    let long: Vec<_> = latencies.iter().filter(|l| **l > Duration::from_millis(500)).collect();
    assert!(long.len() == 1 && *long[0] < Duration::from_millis(1500), "{long:?}");
    assert!(engine.remote_error().is_none());
}

/// Each I/O of a server that adds 1 ms takes 1 ms at least.
#[test]
fn measures_delay_of_the_server_is_in_each_latency() {
    let server = server!("nfs", &[("FSAL", "MEM"), ("DELAY_US", "1000")]);
    let arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(server.value("URL"), &[file("f", 1 << 20)], &arena, 1);
    for turn in 0..200 {
        let kind = if turn % 2 == 0 { Kind::Write } else { Kind::Read };
        let started = Instant::now();
        assert_eq!(one(&mut engine, op(kind, 0, turn / 2 * 4096, 4096)), 4096);
        assert!(started.elapsed() >= Duration::from_millis(1), "{kind:?} took {:?}", started.elapsed());
    }
}
