//! The iSCSI engine against tgt; the files behind the LUNs and tgt's counters are the witnesses.
#![allow(clippy::unwrap_used)]

mod remote_case;

use engine::remote::Volume;
use engine::remote::iscsi::{Iscsi, IscsiTarget, IscsiVolume};
use engine::{Arena, Completion, Engine, Kind, Op};
use remote_case::{Target, cpu, interrupted, one, random_io, reap, stop};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use testbed::{Bounded, Draw, OtherInitiator, Server, TOOL_LIMIT, server};

fn target() -> IscsiTarget {
    IscsiTarget { initiator: "iqn.2026-01.test:initiator".into(), timeout: Duration::from_secs(20) }
}

fn url(server: &Server, lun: u32) -> String {
    format!("{}/{lun}", server.value("URL"))
}

fn open(server: &Server, luns: &[u32], arena: &Arena, depth: usize) -> Iscsi {
    let urls: Vec<String> = luns.iter().map(|lun| url(server, *lun)).collect();
    Iscsi::open(&target(), &urls, arena.blocks(), depth).unwrap()
}

fn op(kind: Kind, slot: u16, offset: u64, len: u32) -> Op {
    Op { kind, slot, offset, len, ..Op::NONE }
}

/// Runs tgt's administration and returns what it prints.
fn tgtadm(server: &Server, arguments: &str) -> String {
    let mut command = Command::new("tgtadm");
    command.env("TGT_IPC_SOCKET", server.value("CONTROL")).args(["-C", "0", "--lld", "iscsi"]);
    let output = command.args(arguments.split(' ')).output_within(TOOL_LIMIT).unwrap();
    assert!(output.status.success(), "tgtadm {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn random_io_reads_what_was_written_and_the_target_counts_the_same() {
    let server = server!("iscsi", &[("BYTES", "4M")]);
    let mut draw = Draw::fresh();
    let depth = 16;
    let mut arena = Arena::new(depth, 256 << 10).unwrap();
    let mut engine = open(&server, &[1, 3], &arena, depth);
    let mut targets = [512, 4096].map(|unit| Target { model: vec![0; 4 << 20], unit });
    let before = counters(&server);
    let done = random_io(&mut engine, &mut arena, &mut targets, &mut draw, (depth, 800, 256 << 10));
    for file in 0..2 {
        assert_eq!(one(&mut engine, Op { file, ..op(Kind::Fsync, 3, 0, 0) }), 0);
    }
    let counted: Vec<u64> = counters(&server).iter().zip(before).map(|(now, before)| now - before).collect();
    assert_eq!(counted, [done.read_bytes, done.reads, done.written_bytes, done.writes]);
    drop(engine);
    for (file, target) in ["LUN1", "LUN3"].iter().zip(&targets) {
        assert!(std::fs::read(server.value(file)).unwrap() == target.model, "{file} has other contents");
    }
}

/// Returns tgt's counters of the LUNs 1 and 3: bytes and commands read, bytes and commands written.
fn counters(server: &Server) -> [u64; 4] {
    let text = tgtadm(server, "--op stat --mode target --tid 1");
    let mut sums = [0; 4];
    for line in text.lines() {
        let words: Vec<u64> =
            line.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
        // Target, LUN, session; then submitted and done reads, and submitted and done writes, bytes and commands each.
        if let [_, 1 | 3, _, _, _, read, reads, _, _, written, writes, ..] = words[..] {
            for (sum, value) in sums.iter_mut().zip([read, reads, written, writes]) {
                *sum += value;
            }
        }
    }
    sums
}

#[test]
fn inquiry_and_contents_are_those_of_the_lun() {
    let server = server!("iscsi", &[("BYTES", "8M")]);
    let contents = Draw::fresh().bytes(8 << 20);
    for file in ["LUN1", "LUN3"] {
        std::fs::write(server.value(file), &contents).unwrap();
    }
    let mut volumes = [1, 2, 3].map(|lun| IscsiVolume::open(&target(), &url(&server, lun)).unwrap());
    let info = volumes[0].inquiry().clone();
    assert_eq!(
        (info.vendor.as_str(), info.product.as_str(), info.revision.as_str()),
        ("TEST", "DISK1", "0001")
    );
    assert_eq!((info.block, info.physical_blocks, info.bytes), (512, 8, 8 << 20));
    assert_eq!((info.rotation_rate, info.thin, info.unmap, info.lun), (Some(0), true, true, 1));
    assert_eq!(info.target, server.value("TARGET"));
    assert!(!info.serial.is_empty());
    assert_eq!((volumes[1].inquiry().block, volumes[1].size()), (4096, Some(1 << 40)));
    let third = volumes[2].inquiry();
    assert_eq!((third.block, third.thin, third.unmap, third.rotation_rate), (4096, false, false, None));
    for volume in [0, 2] {
        let volume = &mut volumes[volume];
        let mut all = vec![0; contents.len() + 100];
        assert_eq!(volume.read_at(0, &mut all).unwrap(), contents.len());
        assert!(all[..contents.len()] == contents);
        let mut part = vec![0; 70_000];
        assert_eq!(volume.read_at(1001, &mut part).unwrap(), part.len());
        assert!(part == contents[1001..1001 + part.len()]);
        assert_eq!(volume.read_at(contents.len() as u64 - 5, &mut part).unwrap(), 5);
        assert_eq!(volume.read_at(contents.len() as u64 + 5, &mut part).unwrap(), 0);
        assert_eq!(volume.users().unwrap(), Vec::<String>::new());
    }
}

/// Blocks of another size than the LUN's, and addresses behind its end.
#[test]
fn operations_that_the_lun_cannot_do_are_refused_with_a_reason() {
    let server = server!("iscsi", &[("BYTES", "4M")]);
    let arena = Arena::new(2, 8192).unwrap();
    let mut engine = open(&server, &[3], &arena, 2);
    for (offset, len) in [(512, 4096), (4096, 512)] {
        assert_eq!(one(&mut engine, op(Kind::Read, 0, offset, len)), -libc::EINVAL);
        let text = engine.remote_error().unwrap().to_string();
        assert!(text.contains("4096 bytes") && text.contains(server.value("TARGET")), "{text}");
    }
    assert!(engine.scsi_status(0).is_none());
    assert_eq!(one(&mut engine, op(Kind::Read, 1, 4 << 20, 4096)), -libc::ENOSPC);
    let text = engine.remote_error().unwrap().to_string();
    assert!(text.starts_with("READ(10): 127.0.0.1") && text.contains("LBA_OUT_OF_RANGE"), "{text}");
    let status = engine.scsi_status(1).unwrap();
    assert_eq!((status.status, status.driver, status.command[0]), (2, 8, 0x28));
    assert_eq!((status.sense()[0] & 0x7f, status.sense()[2] & 0xf, status.sense()[12]), (0x70, 5, 0x21));
    assert_eq!(one(&mut engine, op(Kind::Trim, 0, 0, 4096)), -libc::EOPNOTSUPP);
    // The next command is not affected, and the rest of a short operation is carried out.
    assert_eq!(one(&mut engine, Op { done: 4096, ..op(Kind::Read, 1, 0, 8192) }), 4096);
    assert!(engine.scsi_status(1).is_none());
}

/// A trim of a thinly provisioned LUN punches a hole in the file behind it.
#[test]
fn trims_free_the_space_of_a_thin_lun() {
    let server = server!("iscsi", &[("BYTES", "4M")]);
    std::fs::write(server.value("LUN1"), vec![7; 4 << 20]).unwrap();
    let mut arena = Arena::new(2, 1 << 20).unwrap();
    let mut engine = open(&server, &[1], &arena, 2);
    let allocated = || std::fs::metadata(server.value("LUN1")).unwrap().blocks() * 512;
    let before = allocated();
    assert_eq!(one(&mut engine, op(Kind::Trim, 0, 1 << 20, 1 << 20)), 1 << 20);
    assert_eq!(before - allocated(), 1 << 20);
    for (offset, expected) in [(0, 7), (1 << 20, 0), (2 << 20, 7)] {
        assert_eq!(one(&mut engine, op(Kind::Read, 1, offset, 1 << 20)), 1 << 20);
        assert!(arena.bytes(1, 1 << 20).iter().all(|byte| *byte == expected), "{offset}");
    }
}

/// LUN 2 confirms writes and loses them.
#[test]
fn lun_that_loses_writes_reads_other_data() {
    let server = server!("iscsi", &[]);
    let mut arena = Arena::new(2, 4096).unwrap();
    let mut engine = open(&server, &[2], &arena, 2);
    arena.bytes(0, 4096).fill(0xab);
    assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), 4096);
    arena.bytes(1, 4096).fill(0xcd);
    assert_eq!(one(&mut engine, op(Kind::Read, 1, 0, 4096)), 4096);
    assert_ne!(arena.bytes(1, 4096), [0xab; 4096]);
}

/// After a change of the target, the next command fails with a unit attention and is sent again.
#[test]
fn command_after_a_unit_attention_is_sent_again() {
    let server = server!("iscsi", &[("BYTES", "4M")]);
    let arena = Arena::new(4, 4096).unwrap();
    let mut engine = open(&server, &[1], &arena, 4);
    tgtadm(&server, "--op new --mode logicalunit --tid 1 --lun 4 -b 1G --bstype null");
    for slot in 0..4 {
        assert_eq!(one(&mut engine, op(Kind::Read, slot, 0, 4096)), 4096, "{:?}", engine.remote_error());
    }
}

#[test]
fn chap_password_is_needed_and_right() {
    let server = server!("iscsi", &[("CHAP_USER", "u1"), ("CHAP_PASSWORD", "secret of ours")]);
    let plain = url(&server, 1);
    let with = |login: &str| plain.replace("iscsi://", &format!("iscsi://{login}@"));
    let volume = IscsiVolume::open(&target(), &with("u1%secret of ours")).unwrap();
    assert_eq!(volume.inquiry().vendor, "TEST");
    for wrong in [plain.clone(), with("u1%secret of yours"), with("u2%secret of ours"), with("u1")] {
        let error = IscsiVolume::open(&target(), &wrong).map(drop).unwrap_err();
        let text = error.to_string();
        assert_eq!(error.errno(), libc::EACCES, "{text}");
        assert!(text.contains("127.0.0.1") && !text.contains("secret") && !text.contains('\n'), "{text}");
    }
}

/// With mutual CHAP the target has to identify itself, too.
#[test]
fn target_that_does_not_know_its_own_password_is_refused() {
    let server = server!(
        "iscsi",
        &[
            ("CHAP_USER", "u1"),
            ("CHAP_PASSWORD", "secret of ours"),
            ("CHAP_TARGET_USER", "t1"),
            ("CHAP_TARGET_PASSWORD", "secret of the target")
        ]
    );
    let plain = url(&server, 1).replace("iscsi://", "iscsi://u1%secret of ours@");
    let with = |password: &str| format!("{plain}?target_user=t1&target_password={password}");
    IscsiVolume::open(&target(), &with("secret of the target")).unwrap();
    let error = IscsiVolume::open(&target(), &with("another secret")).map(drop).unwrap_err();
    assert!(!error.to_string().contains("another secret"), "{error}");
}

#[test]
fn wrong_target_lun_or_port_is_one_clear_error() {
    let server = server!("iscsi", &[]);
    let error = |url: &str| IscsiVolume::open(&target(), url).map(drop).unwrap_err();
    let lun = error(&url(&server, 9));
    assert_eq!(lun.errno(), libc::ENXIO, "{lun}");
    assert!(lun.to_string().contains("t1/9"), "{lun}");
    let controller = error(&url(&server, 0));
    assert!(controller.to_string().contains("not a disk"), "{controller}");
    let name = error(&url(&server, 1).replace(":t1", ":t2"));
    assert!(name.to_string().contains(":t2"), "{name}");
    assert_eq!(name.errno(), libc::ENOENT, "{name}");
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let dead = error(&url(&server, 1).replace(server.value("PORT"), &port.to_string()));
    assert_eq!(dead.errno(), libc::ECONNREFUSED, "{dead}");
    assert_eq!(error("iscsi://127.0.0.1/iqn.x").errno(), libc::EINVAL);
    for error in [lun, controller, name, dead] {
        assert!(!error.to_string().contains('\n'), "{error}");
    }
}

/// A target that is killed fails all operations in flight and all later ones.
#[test]
fn killed_target_fails_every_operation() {
    let server = server!("iscsi", &[]);
    let depth = 8;
    let arena = Arena::new(depth, 4096).unwrap();
    let mut engine = open(&server, &[1, 3], &arena, depth);
    stop(&server);
    let ops: Vec<Op> = (0..depth as u16)
        .map(|slot| Op {
            file: u32::from(slot % 2),
            ..op(if slot % 4 < 2 { Kind::Read } else { Kind::Write }, slot, u64::from(slot) * 4096, 4096)
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

/// A target that answers nothing for the timeout is given up.
#[test]
fn silent_target_fails_after_the_timeout() {
    let server = server!("iscsi", &[]);
    let arena = Arena::new(2, 4096).unwrap();
    let target = IscsiTarget { timeout: Duration::from_millis(300), ..target() };
    let mut engine = Iscsi::open(&target, &[url(&server, 1)], arena.blocks(), 2).unwrap();
    stop(&server);
    let used = cpu();
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -libc::ETIMEDOUT);
    assert!(cpu() - used < Duration::from_millis(100), "the wait used {:?} of CPU", cpu() - used);
    let error = engine.remote_error().unwrap().to_string();
    assert!(error.contains("0.3 s"), "{error}");
    assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), -libc::ETIMEDOUT);
}

/// Workers log in at the same time, each with a session of its own.
#[test]
fn several_sessions_at_once_do_not_disturb_each_other() {
    let server = server!("iscsi", &[("BYTES", "4M")]);
    let url = url(&server, 1);
    std::thread::scope(|scope| {
        for worker in 0..8u8 {
            let url = url.clone();
            scope.spawn(move || {
                let mut arena = Arena::new(1, 4096).unwrap();
                let mut engine = Iscsi::open(&target(), &[url], arena.blocks(), 1).unwrap();
                for turn in 0..50 {
                    arena.bytes(0, 4096).fill(worker + turn);
                    let at = (u64::from(worker) * 50 + u64::from(turn)) * 4096;
                    let written = one(&mut engine, op(Kind::Write, 0, at, 4096));
                    assert_eq!(written, 4096, "{:?}", engine.remote_error());
                    arena.bytes(0, 4096).fill(0xee);
                    assert_eq!(one(&mut engine, op(Kind::Read, 0, at, 4096)), 4096);
                    assert_eq!(arena.bytes(0, 4096), [worker + turn; 4096]);
                }
            });
        }
    });
}

/// Behind 2 TiB, blocks of 512 bytes need the commands of 16 bytes.
#[test]
fn offsets_have_64_bits() {
    let server = server!("iscsi", &[("BYTES", "3T")]);
    let (mut arena, far) = (Arena::new(1, 4096).unwrap(), (5u64 << 39) + 512);
    let mut engine = open(&server, &[1], &arena, 1);
    arena.bytes(0, 4096).fill(0x77);
    assert_eq!(one(&mut engine, op(Kind::Write, 0, far, 4096)), 4096);
    let mut seen = [0; 4096];
    let file = std::fs::File::options().read(true).write(true).open(server.value("LUN1")).unwrap();
    file.read_exact_at(&mut seen, far).unwrap();
    assert_eq!(seen, [0x77; 4096]);
    file.write_all_at(&[0x66; 4096], far).unwrap();
    assert_eq!(one(&mut engine, op(Kind::Read, 0, far, 4096)), 4096);
    assert_eq!(arena.bytes(0, 4096), [0x66; 4096]);
    let mut volume = IscsiVolume::open(&target(), &url(&server, 1)).unwrap();
    assert_eq!(volume.size(), Some(3 << 40));
    assert_eq!(volume.read_at(far, &mut seen).unwrap(), 4096);
    assert_eq!(seen, [0x66; 4096]);
}

/// Passes everything on; the status of as many responses as `full` says becomes TASK SET FULL.
fn full_target(server: &Server, full: &Arc<AtomicU32>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, to) = (listener.local_addr().unwrap().port(), server.value("PORT").parse::<u16>().unwrap());
    let full = full.clone();
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut server = TcpStream::connect(("127.0.0.1", to)).unwrap();
        let (mut from, mut into) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut into);
            let _ = into.shutdown(Shutdown::Both);
        });
        let mut header = [0; 48];
        while server.read_exact(&mut header).is_ok() {
            let length = u32::from_be_bytes([0, header[5], header[6], header[7]]) as usize;
            let mut data = vec![0; length.next_multiple_of(4)];
            server.read_exact(&mut data).unwrap();
            let left = full.load(Ordering::SeqCst);
            if header[0] == 0x21 && left > 0 {
                header[3] = 0x28;
                full.store(left - 1, Ordering::SeqCst);
            }
            if client.write_all(&[&header[..], &data].concat()).is_err() {
                break;
            }
        }
        let _ = client.shutdown(Shutdown::Both);
    });
    port
}

/// A session that ends while it is not used is opened again, if the target is there.
#[test]
fn session_that_ended_while_idle_is_opened_again() {
    let server = server!("iscsi", &[]);
    let arena = Arena::new(2, 4096).unwrap();
    let mut engine = open(&server, &[1], &arena, 2);
    let close = || {
        // tgt's number of the session, and of its connection.
        let text = tgtadm(&server, "--op show --mode conn --tid 1");
        let number = |name: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap();
            line.trim_start_matches([':', ' ']).to_string()
        };
        let (session, connection) = (number("Session"), number("Connection"));
        tgtadm(&server, &format!("--op delete --mode conn --tid 1 --sid {session} --cid {connection}"));
    };
    assert_eq!((one(&mut engine, op(Kind::Read, 0, 0, 4096)), engine.reconnects()), (4096, 0));
    close();
    std::thread::sleep(Duration::from_millis(1100));
    engine.queue(&[op(Kind::Read, 0, 0, 4096), op(Kind::Write, 1, 4096, 4096)]);
    engine.submit().unwrap();
    assert!(reap(&mut engine, 2).iter().all(|completion| completion.res == 4096));
    assert_eq!(engine.reconnects(), 1);
    server.signal(Signal::KILL);
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -libc::ENOTCONN);
    assert!(engine.remote_error().unwrap().to_string().contains("refused"), "{:?}", engine.remote_error());
}

/// A LUN without room for a command gets it again, until it takes it.
#[test]
fn command_for_which_the_lun_has_no_room_is_sent_again() {
    let server = server!("iscsi", &[]);
    let full = Arc::new(AtomicU32::new(0));
    let port = full_target(&server, &full);
    let url = url(&server, 1).replace(server.value("PORT"), &port.to_string());
    let mut arena = Arena::new(4, 4096).unwrap();
    let mut engine = Iscsi::open(&target(), &[url], arena.blocks(), 4).unwrap();
    let before = counters(&server);
    full.store(9, Ordering::SeqCst);
    let ops: Vec<Op> = (0..4).map(|slot| op(Kind::Write, slot, u64::from(slot) * 4096, 4096)).collect();
    ops.iter().for_each(|op| arena.bytes(op.slot, 4096).fill(op.slot as u8 + 1));
    engine.queue(&ops);
    engine.submit().unwrap();
    assert!(reap(&mut engine, 4).iter().all(|completion| completion.res == 4096));
    assert_eq!((counters(&server)[3] - before[3], full.load(Ordering::SeqCst)), (4 + 9, 0));
    assert!(engine.remote_error().is_none());
    let contents = std::fs::read(server.value("LUN1")).unwrap();
    for slot in 0..4 {
        assert_eq!(contents[slot * 4096..][..4096], [slot as u8 + 1; 4096], "slot {slot}");
    }
}

/// Initiators that have registered with the LUN are users of it.
#[test]
fn registrations_of_other_initiators_are_users() {
    let server = server!("iscsi", &[]);
    let mut volume = IscsiVolume::open(&target(), &url(&server, 1)).unwrap();
    assert_eq!(volume.users().unwrap(), Vec::<String>::new());
    let mut other = OtherInitiator::log_in(server.value("PORT").parse().unwrap(), server.value("TARGET"));
    // A session alone is not visible.
    let mut volume = IscsiVolume::open(&target(), &url(&server, 1)).unwrap();
    assert_eq!(volume.users().unwrap(), Vec::<String>::new());
    other.register(1, 0xfeed_0001);
    let mut volume = IscsiVolume::open(&target(), &url(&server, 1)).unwrap();
    assert_eq!(volume.users().unwrap(), ["registration 0xfeed0001"]);
    // Writes of others conflict.
    other.reserve(1, 0xfeed_0001);
    let arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(&server, &[1], &arena, 1);
    assert_eq!(one(&mut engine, op(Kind::Write, 0, 0, 4096)), -libc::EBADE);
    let text = engine.remote_error().unwrap().to_string();
    assert!(text.starts_with("WRITE(10)") && text.to_lowercase().contains("conflict"), "{text}");
    assert_eq!(engine.scsi_status(0).map(|status| status.status), Some(0x18));
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), 4096);
}

#[test]
fn signal_ends_the_wait() {
    let server = server!("iscsi", &[]);
    let arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(&server, &[1], &arena, 1);
    stop(&server);
    engine.queue(&[op(Kind::Read, 0, 0, 4096)]);
    engine.submit().unwrap();
    interrupted(&mut engine);
    server.signal(Signal::CONT);
    assert_eq!(reap(&mut engine, 1)[0].res, 4096);
}

/// A target that is lost does not disturb the other one.
#[test]
fn lost_target_does_not_end_the_session_with_another() {
    let (lost, kept) = (server!("iscsi", &[]), server!("iscsi", &[]));
    let arena = Arena::new(4, 4096).unwrap();
    let urls = [url(&lost, 1), url(&kept, 1)];
    let mut engine = Iscsi::open(&target(), &urls, arena.blocks(), 4).unwrap();
    stop(&lost);
    engine.queue(&[op(Kind::Read, 0, 0, 4096), op(Kind::Read, 1, 0, 4096)]);
    engine.submit().unwrap();
    lost.signal(Signal::KILL);
    let mut both = reap(&mut engine, 2);
    both.sort_by_key(|completion| completion.slot);
    assert_eq!([both[0].res, both[1].res], [-libc::ENOTCONN; 2]);
    for slot in 0..4 {
        assert_eq!(one(&mut engine, Op { file: 1, ..op(Kind::Read, slot, 0, 4096) }), 4096);
    }
    assert_eq!(one(&mut engine, op(Kind::Read, 0, 0, 4096)), -libc::ENOTCONN);
}

/// A target that is stopped for a second is one latency of a second, without error and without CPU time.
#[test]
fn measures_stopped_target_is_one_long_latency() {
    let server = server!("iscsi", &[]);
    let mut arena = Arena::new(1, 4096).unwrap();
    let mut engine = open(&server, &[1], &arena, 1);
    arena.bytes(0, 4096).fill(1);
    let mut latencies = Vec::new();
    for turn in 0..200 {
        if turn == 100 {
            stop(&server);
            let pids = server.pids();
            std::thread::spawn(move || {
                std::thread::sleep(Duration::from_secs(1));
                pids.into_iter()
                    .for_each(|pid| kill_process(Pid::from_raw(pid).unwrap(), Signal::CONT).unwrap());
            });
        }
        let (started, used) = (Instant::now(), cpu());
        assert_eq!(one(&mut engine, op(Kind::Write, 0, turn * 4096, 4096)), 4096);
        assert!(cpu() - used < Duration::from_millis(100), "one I/O used {:?} of CPU", cpu() - used);
        latencies.push(started.elapsed());
    }
    let long: Vec<_> = latencies.iter().filter(|l| **l > Duration::from_millis(500)).collect();
    assert!(long.len() == 1 && *long[0] < Duration::from_millis(1500), "{long:?}");
    assert!(engine.remote_error().is_none());
}
