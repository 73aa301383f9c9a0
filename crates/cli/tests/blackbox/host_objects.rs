//! `fathom objects --hosts` against the log of the testbed's server.

use crate::hosts::{Hosts, KILL, LIMIT, array, document, ends, signal};
use crate::objects::{Place, row};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use testbed::child::{self, Ran, Running};
use testbed::object_server::Protocol;
use testbed::{Need, ObjectServer, skip_without};

const INT: i32 = 2;
const OPERATIONS: [&str; 5] = ["put", "get", "stat", "delete", "list"];
const LOAD: &str = "--objects=20 --jobs=3 --mix=put=3,get=4,stat=2,delete=2,list=1 --sizes=1k-70k --json --no-store s3://bkt/p";

fn objects(hosts: &Hosts, place: &Place, args: &str) -> Command {
    let mut command = hosts.command_of(&["objects"], Path::new(env!("CARGO_BIN_EXE_fathom")), args);
    place.give_account(&mut command);
    command
}

fn run(hosts: &Hosts, place: &Place, args: &str) -> Ran {
    child::run(&mut objects(hosts, place, args), LIMIT).unwrap()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// Counts of each host are those of the server's requests below the names of its run, the sum is that of the hosts; no host begins the
/// load before the objects of all are written, nor the removal before the load of all has ended; nothing is left.
#[test]
fn phases_are_common_and_counts_are_those_of_the_server() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let hosts = Hosts::new(&["a", "b"]);
    let ran = run(&hosts, &place, &format!("--time=1s {LOAD}"));
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let sum = document(&ran);
    let log = server.log();
    let there = array(&sum["hosts"]);
    assert_eq!(there.len(), 2);
    for host in there {
        let own = &host["result"];
        let run = own["run"].as_str().unwrap();
        let count = |method: &str| {
            log.iter().filter(|r| r.method == method && r.path.contains(run) && r.status < 300).count() as u64
        };
        let requests = |operation| number(&row(own, operation)["requests"]);
        assert_eq!(number(&own["prepared"]["objects"]), 20);
        assert_eq!(count("PUT"), 20 + requests("put"));
        assert_eq!((count("GET"), count("HEAD")), (requests("get"), requests("stat")));
        assert_eq!(count("DELETE"), requests("delete") + number(&own["removed"]));
        // Preparation, load and removal.
        assert_eq!(array(&host["began_ns"]).len(), 3, "{host}");
    }
    for operation in OPERATIONS {
        for figure in ["requests", "bytes"] {
            let all = there.iter().map(|host| number(&row(&host["result"], operation)[figure])).sum::<u64>();
            assert_eq!(number(&row(&sum, operation)[figure]), all, "{operation} {figure}");
        }
        let times: stats::Histogram =
            serde_json::from_value(row(&sum, operation)["last_byte"].clone()).unwrap();
        assert_eq!(times.count(), number(&row(&sum, operation)["requests"]), "{operation}");
    }
    assert_eq!((number(&sum["prepared"]["objects"]), sum["concurrency"].as_u64()), (40, Some(6)));
    assert_ne!(there[0]["result"]["run"], there[1]["result"]["run"]);
    // The first forty puts are those of both preparations: nothing else is asked of objects before.
    let of_objects = || log.iter().filter(|r| r.path.contains("fathom-run-"));
    let prepared: Vec<&str> = of_objects().take(40).map(|r| r.method.as_str()).collect();
    assert_eq!(prepared, ["PUT"; 40]);
    // The removals are last: those of a load are as many as the rows say.
    let removed = there.iter().map(|host| number(&host["result"]["removed"])).sum::<u64>();
    let last: Vec<&str> = of_objects().rev().take(removed as usize).map(|r| r.method.as_str()).collect();
    assert!(last.iter().all(|method| *method == "DELETE"), "{last:?}");
    assert!(server.objects("bkt").is_empty());
}

/// Objects of others refuse on all hosts, and a host without a key refuses for all; nothing is written.
#[test]
fn objects_of_others_and_missing_keys_refuse_for_all() {
    skip_without!(Need::Program("python3"));
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let hosts = Hosts::new(&["a", "b"]);
    let ran = child::run(
        objects(&hosts, &place, LOAD).env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY"),
        LIMIT,
    )
    .unwrap();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:#?}");
    assert!(ran.stderr.contains("a: ") && ran.stderr.contains("b: "), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was run on any host"), "{ran:#?}");
    place.python(&["put", "/bkt/p/data"], b"precious");
    let ran = run(&hosts, &place, LOAD);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
    assert!(ran.stderr.contains("nothing was run on any host"), "{ran:#?}");
    assert!(server.log().iter().all(|r| !r.path.contains("fathom-run-")));
}

/// Starts a long load and waits until both hosts have objects of the load.
fn long(hosts: &Hosts, place: &Place, server: &ObjectServer, args: &str) -> Running {
    let running = Running::start(&mut objects(hosts, place, &format!("{args} {LOAD}"))).unwrap();
    let began = Instant::now();
    // Deletions are only in the load.
    while server.log().iter().filter(|r| r.method == "DELETE").count() < 20 {
        assert!(began.elapsed() < LIMIT, "{}", running.stderr_so_far());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    running
}

/// A host that is killed is named, the figures of the other are the sum, and what the killed process left is removed.
#[test]
fn host_that_is_killed_is_named_and_the_other_removes_its_objects() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let hosts = Hosts::new(&["a", "b"]);
    let running = long(&hosts, &place, &server, "--time=60s");
    signal(hosts.agent("b"), KILL);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    assert!(ran.stderr.contains("b: a signal ended the connection"), "{ran:#?}");
    let sum = document(&ran);
    let there = array(&sum["hosts"]);
    assert!(there[0]["lost"].is_null() && !there[1]["lost"].is_null(), "{ran:#?}");
    for operation in OPERATIONS {
        let of = |result: &Value| number(&row(result, operation)["requests"]);
        assert_eq!(of(&sum), of(&there[0]["result"]), "{operation}");
    }
    assert!(ends(hosts.agent("a")) && ends(hosts.agent("b")));
    // The hosts are processes of one machine here: the end of one removes what the other left.
    assert!(number(&there[0]["result"]["leftovers"]) > 0, "{sum}");
    let next = run(&hosts, &place, &format!("--time=1s {LOAD}"));
    assert_eq!((next.code, next.stderr.as_str()), (Some(0), ""), "{next:#?}");
    assert!(server.objects("bkt").is_empty());
}

/// Ctrl-C ends all hosts with a report, and nothing is left.
#[test]
fn interrupt_ends_all_hosts_and_removes_their_objects() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let hosts = Hosts::new(&["a", "b"]);
    let running = long(&hosts, &place, &server, "--time=60s");
    running.signal(INT);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!(ran.code, Some(128), "{ran:#?}");
    let sum = document(&ran);
    assert_eq!(sum["end"], "signal");
    assert!(array(&sum["hosts"]).iter().all(|host| host["lost"].is_null()), "{sum}");
    assert!(number(&row(&sum, "put")["requests"]) > 0);
    assert!(server.objects("bkt").is_empty());
}
