//! Sockets (`net`, `netsplice`): between two jobs, between fathom and fio, and with a peer that is absent, silent or gone.

use crate::common::{document, side_by_side, sum, words};
use std::net::{TcpListener, UdpSocket};
use std::process::Command;
use std::time::{Duration, Instant};
use testbed::child::{Ran, run};
use testbed::{Need, Sandbox, skip_without};

const LIMIT: Duration = Duration::from_secs(30);
const OURS: &str = env!("CARGO_BIN_EXE_fathom");
const FIO: (&str, &[&str]) = ("fio", &[]);
const FATHOM: (&str, &[&str]) = (OURS, &["fio"]);

fn ask(sandbox: &Sandbox, (program, first): (&str, &[&str]), args: &str) -> Ran {
    let mut command = Command::new(program);
    run(command.args(first).args(words(args)).current_dir(sandbox.path()), LIMIT).unwrap()
}

/// Returns a port that no socket uses at the moment.
fn free_port() -> u16 {
    loop {
        let (tcp, port) = TcpListener::bind("[::]:0")
            .map(|s| (s.local_addr().unwrap().port(), s))
            .map(|(p, s)| (s, p))
            .unwrap();
        if UdpSocket::bind(("::", port)).is_ok() {
            drop(tcp);
            return port;
        }
    }
}

/// Waits until a socket of the protocol is bound to the port, or the path exists.
fn wait_for(sandbox: &Sandbox, protocol: &str, port: u16) {
    let began = Instant::now();
    let bound = || match protocol {
        "unix" => sandbox.path().join("s").exists(),
        _ => {
            let table = std::fs::read_to_string(format!("/proc/net/{}", protocol.replace('v', ""))).unwrap();
            table.lines().any(|line| {
                line.split_whitespace().nth(1).is_some_and(|at| at.ends_with(&format!(":{port:04X}")))
            })
        }
    };
    while !bound() {
        assert!(began.elapsed() < LIMIT, "{protocol} {port}: no receiver");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Returns the options of the receiver and of the sender.
fn ends(protocol: &str, port: u16) -> (String, String) {
    match protocol {
        "unix" => ("--protocol=unix --filename=s".into(), "--protocol=unix --filename=s".into()),
        _ => {
            let host = if protocol.ends_with("v6") { "::1" } else { "127.0.0.1" };
            let listen = if protocol.starts_with("tcp") { " --listen" } else { "" };
            let common = format!("--protocol={protocol} --port={port}");
            (format!("{common}{listen}"), format!("{common} --hostname={host}"))
        }
    }
}

/// Each byte that one job sends is received by the other; the receiver is bound before the sender begins.
#[test]
fn each_protocol_carries_all_bytes_between_two_jobs() {
    side_by_side(
        &[
            ("net", "tcp", ""),
            ("net", "tcpv6", "--nodelay=1 --window_size=64k --mss=1000"),
            ("net", "udp", ""),
            ("net", "udpv6", "--pingpong"),
            ("net", "unix", ""),
            ("net", "tcp", "--pingpong --loops=2"),
            ("net", "tcp", "--nrfiles=2 --numjobs=2 --group_reporting"),
            ("netsplice", "tcp", ""),
            ("netsplice", "udp", ""),
        ],
        |(engine, protocol, more)| {
            let sandbox = Sandbox::in_memory().unwrap();
            let (receiver, sender) = ends(protocol, free_port());
            let args = format!(
                "--ioengine={engine} --bs=1k --size=64k --output-format=json {more} --name=r --rw=read {receiver} \
                 --name=s --new_group --ioengine={engine} --bs=1k --size=64k {more} --rw=write {sender}"
            );
            let ran = ask(&sandbox, FATHOM, &args);
            assert_eq!(ran.code, Some(0), "{args}: {ran:?}");
            let text = ran.stdout.replace("fio: waiting for connection\n", "");
            let document = document(&Ran { stdout: text, ..ran });
            let each =
                64 * if more.contains("jobs=2") || more.contains("loops=2") { 2.0 } else { 1.0 } as u64;
            for (job, direction) in [(0, "read"), (1, "write")] {
                let side = &document["jobs"][job][direction];
                assert_eq!(side["total_ios"], each, "{args}");
                assert_eq!(side["io_bytes"], each * 1024, "{args}");
            }
            assert!(!sandbox.path().join("s").exists());
        },
    );
}

/// fathom and fio send to each other, with the same counts on both ends; a receiver that expects more ends with the
/// data and without an error.
#[test]
fn fathom_and_fio_send_to_each_other() {
    skip_without!(Need::Program("fio"));
    side_by_side(
        &[("net", "tcp", ""), ("net", "udp", ""), ("netsplice", "tcp", ""), ("net", "tcp", "--pingpong")],
        |(engine, protocol, more)| {
            let pairs = [(FATHOM, FIO), (FIO, FATHOM)];
            for (from, to) in pairs.into_iter().take(if more.is_empty() { 2 } else { 1 }) {
                let sandbox = Sandbox::in_memory().unwrap();
                let port = free_port();
                let (receiver, sender) = ends(protocol, port);
                // fio ends neither a round trip nor a splice whose sender has gone.
                let size = if *engine == "net" && more.is_empty() { "64k" } else { "32k" };
                let common = format!("--ioengine={engine} --bs=1k {more}");
                let receiver = format!("--name=r --rw=read --size={size} {common} {receiver}");
                let sender = format!("--name=s --rw=write --size=32k {common} {sender}");
                let (received, sent) = std::thread::scope(|scope| {
                    let receiving = scope.spawn(|| ask(&sandbox, to, &receiver));
                    wait_for(&sandbox, protocol, port);
                    let sent = ask(&sandbox, from, &sender);
                    (receiving.join().unwrap(), sent)
                });
                let line =
                    |counts: &str| format!("issued rwts: total={counts},0 short=0,0,0,0 dropped=0,0,0,0");
                for (ran, counts) in [(&received, "32,0,0"), (&sent, "0,32,0")] {
                    assert_eq!(ran.code, Some(0), "{receiver}: {ran:?}");
                    assert!(ran.stdout.contains(&line(counts)), "{receiver}: {ran:?}");
                    assert!(ran.stdout.contains("io=32.0KiB (32.8kB)"), "{receiver}: {ran:?}");
                    assert_eq!(ran.stdout.contains("bit/s"), *engine == "net", "{receiver}: {ran:?}");
                }
            }
        },
    );
}

#[test]
fn an_absent_peer_and_wrong_options_fail_as_in_fio() {
    skip_without!(Need::Program("fio"));
    let sandbox = Sandbox::in_memory().unwrap();
    let cases = [
        ("--rw=write --hostname=127.0.0.1 --port=1", "func=connect, error=Connection refused"),
        ("--rw=write --protocol=unix --filename=none", "func=connect, error=No such file or directory"),
        ("--rw=write --hostname=none.invalid --port=1", "func=getaddrinfo: "),
        ("--rw=write --port=1", "fio: connect with no host to connect to."),
        ("--rw=write --hostname=127.0.0.1", "fio: network IO requires port for tcp or udp"),
        ("--rw=randread --listen --port=1", "fio: network IO can't be random"),
        (
            "--rw=read --listen --port=1 --hostname=127.0.0.1",
            "fio: hostname not valid for non-multicast inbound network IO",
        ),
        ("--rw=read --protocol=udp --listen --port=1", "fio: listen only valid for TCP proto IO"),
        ("--rw=write --protocol=unix", "fio: UNIX sockets need host/filename"),
        (
            "--rw=write --protocol=unix --filename=x --port=1",
            "fio: network IO port not valid with unix socket",
        ),
        ("--rw=write --protocol=sctp", "fio: failed parsing protocol=sctp"),
    ];
    side_by_side(&cases, |(args, text)| {
        for tool in [FIO, FATHOM] {
            let ran = ask(&sandbox, tool, &format!("--name=a --ioengine=net --bs=1k --size=4k {args}"));
            assert_eq!(ran.code, Some(1), "{args}: {ran:?}");
            assert!(format!("{}{}", ran.stdout, ran.stderr).contains(text), "{args}: {ran:?}");
        }
    });
}

/// A sender that falls silent does not keep the receiver beyond its runtime, and what it sent is counted.
#[test]
fn a_silent_peer_does_not_keep_the_job_beyond_its_runtime() {
    let (sandbox, port) = (Sandbox::in_memory().unwrap(), free_port());
    let (receiver, _) = ends("udp", port);
    let args = format!(
        "--name=r --ioengine=net --rw=read --bs=1k --size=1m --runtime=400ms --output-format=json {receiver}"
    );
    let ran = std::thread::scope(|scope| {
        let receiving = scope.spawn(|| ask(&sandbox, FATHOM, &args));
        wait_for(&sandbox, "udp", port);
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        socket.send_to(b"link\0\0\0\x98", ("127.0.0.1", port)).unwrap();
        for _ in 0..3 {
            socket.send_to(&[7; 1024], ("127.0.0.1", port)).unwrap();
        }
        receiving.join().unwrap()
    });
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let document = document(&ran);
    assert_eq!(sum(&document, "read", "io_bytes"), 3072.0);
    let runtime = sum(&document, "read", "runtime");
    assert!((400.0..2000.0).contains(&runtime), "{runtime}");
}
