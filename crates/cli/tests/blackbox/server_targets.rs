//! Targets on servers: what doctor says about them, who may write them, TCP of their connections, and commands that compare
//! them or refuse them.

use crate::common::{document, words};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use testbed::child::{DATA_HOME, Ran, Running, run};
use testbed::{Bounded, Need, OtherInitiator, Sandbox, Server, TOOL_LIMIT, server, skip_without};

const LIMIT: Duration = Duration::from_secs(60);

fn fathom(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.env("LC_ALL", "C").args(words(args));
    command
}

/// Returns the diagnosis of a target.
fn doctor(target: &str, environment: &[(&str, &str)]) -> Value {
    let ran = run(fathom("doctor --json").arg(target).envs(environment.iter().copied()), LIMIT).unwrap();
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{target}: {e}: {ran:#?}"))
}

/// Returns what the server states of this kind, with its severity.
fn stated(diagnosis: &Value, fact: &str) -> Option<(String, Value)> {
    let lines = diagnosis["lines"].as_array().unwrap();
    let found = lines.iter().find(|line| line["server"]["fact"] == fact);
    found.map(|line| (line["severity"].as_str().unwrap().to_owned(), line["server"].clone()))
}

/// Returns a text without the ends of its lines.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_line(diagnosis: &Value, fact: &str) -> bool {
    diagnosis["lines"].as_array().unwrap().iter().any(|line| line["fact"] == fact)
}

fn rbd(args: &str, cluster: &Server) {
    let mut rbd = Command::new("rbd");
    let ran =
        rbd.args(words(args)).env("CEPH_CONF", cluster.value("CEPH_CONF")).output_within(TOOL_LIMIT).unwrap();
    assert!(ran.status.success(), "rbd {args}: {ran:?}");
}

#[test]
fn doctor_states_pool_image_and_osds_of_a_cluster() {
    let cluster = server!("ceph", &[("FS", "0"), ("OSDS", "2"), ("SIZE", "2"), ("MGR", "1")]);
    let environment = [("CEPH_CONF", cluster.value("CEPH_CONF"))];
    let (pool, image) = (cluster.value("POOL"), cluster.value("IMAGE"));
    let target = format!("rbd:{pool}/{image}");
    rbd(&format!("config image set {pool}/{image} rbd_qos_iops_limit 500"), &cluster);
    rbd(
        &format!("bench --io-type write --io-size 4M --io-total 8M --io-pattern seq {pool}/{image}"),
        &cluster,
    );
    let seen = doctor(&target, &environment);
    let pool_line = seen["lines"].as_array().unwrap().iter().find(|line| line["fact"] == "pool").unwrap();
    assert_eq!(pool_line["pool"]["size"].as_u64(), Some(2), "{seen:#}");
    let (_, found) = stated(&seen, "image").unwrap();
    assert_eq!((found["size"].as_u64(), found["object_size"].as_u64()), (Some(256 << 20), Some(4 << 20)));
    let (severity, osds) = stated(&seen, "osds").unwrap();
    assert_eq!(
        (severity.as_str(), osds["all"].as_u64(), osds["hosts"].as_u64()),
        ("matters", Some(2), Some(1))
    );
    assert_eq!(osds["osds"][1]["store"].as_str(), Some("memstore"));
    let (severity, used) = stated(&seen, "allocated").unwrap();
    assert_eq!((severity.as_str(), used["bytes"].as_u64()), ("matters", Some(8 << 20)));
    let (_, limits) = stated(&seen, "limits").unwrap();
    assert_eq!(limits["limits"][0][1].as_u64(), Some(500), "{limits}");
    assert!(stated(&seen, "library_cache").is_some() && stated(&seen, "health").is_some(), "{seen:#}");
    assert!(stated(&seen, "activity").is_some() && stated(&seen, "round_trip").is_some(), "{seen:#}");
    assert!(has_line(&seen, "route"), "{seen:#}");
    // The pool has 2 x 8 groups and more on 2 OSDs: as few as these are named.
    let groups = pool_line["pool"]["placement_groups"].as_f64().unwrap();
    assert_eq!(has_line(&seen, "small_pool"), groups * 2.0 / 2.0 < 30.0, "{seen:#}");
    let of_object = doctor(&format!("rados:{pool}/o1"), &environment);
    assert!(has_line(&of_object, "pool") && stated(&of_object, "osds").is_some(), "{of_object:#}");
    let ran = run(fathom("doctor").arg(&target).envs(environment), LIMIT).unwrap();
    for text in ["memstore", "rbd_qos_iops_limit=500", "8.39 MB of 268 MB have storage"] {
        assert!(
            ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ").contains(text),
            "{text}: {ran:#?}"
        );
    }
}

/// Recovery that does not end, because it is not permitted, is told by doctor and in the verdict of a run.
#[test]
fn recovery_of_a_cluster_is_told() {
    let cluster = server!("ceph", &[("FS", "0"), ("OSDS", "3"), ("SIZE", "2"), ("MGR", "1")]);
    let (pool, image) = (cluster.value("POOL"), cluster.value("IMAGE"));
    let environment = [("CEPH_CONF", cluster.value("CEPH_CONF"))];
    rbd(
        &format!("bench --io-type write --io-size 4M --io-total 200M --io-pattern seq {pool}/{image}"),
        &cluster,
    );
    for args in ["osd set norecover", "osd set nobackfill", "osd out 0"] {
        let mut ceph = Command::new("ceph");
        let ran = ceph.args(words(args)).envs(environment).output_within(TOOL_LIMIT).unwrap();
        assert!(ran.status.success(), "ceph {args}: {ran:?}");
    }
    let target = format!("rbd:{pool}/{image}");
    let recovering = || {
        let (severity, activity) = stated(&doctor(&target, &environment), "activity").unwrap();
        (severity == "matters").then_some(activity["recovering"].as_u64().unwrap())
    };
    // The monitor knows of it after the next report of the manager.
    let mut found = recovering();
    for _ in 0..100 {
        if found.is_some_and(|groups| groups > 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
        found = recovering();
    }
    assert!(found.is_some_and(|groups| groups > 0), "{found:?}");
    let mut job =
        fathom("run --name=a --ioengine=rbd --rw=randread --bs=4k --size=16M --time_based --runtime=1");
    job.arg(format!("--pool={pool}")).arg(format!("--rbdname={image}")).envs(environment);
    let ran = run(&mut job, LIMIT).unwrap();
    assert!(ran.code == Some(0) && unwrapped(&ran.stdout).contains("ran in the cluster of"), "{ran:#?}");
}

#[test]
fn doctor_states_export_and_allocated_bytes_of_nbd() {
    let sandbox = Sandbox::new().unwrap();
    let image = sandbox.sparse("image", 64 << 20).unwrap();
    std::os::unix::fs::FileExt::write_all_at(
        &std::fs::File::options().write(true).open(&image).unwrap(),
        &[1; 1 << 20],
        8 << 20,
    )
    .unwrap();
    let plugin = format!("file {}", image.display());
    let server = server!("nbd", &[("PLUGIN", &plugin)]);
    let seen = doctor(server.value("URI"), &[]);
    let (_, export) = stated(&seen, "export").unwrap();
    let flags: Vec<&str> =
        export["flags"].as_array().unwrap().iter().map(|flag| flag.as_str().unwrap()).collect();
    assert!(flags.contains(&"flush") && flags.contains(&"trim") && !flags.contains(&"read-only"), "{export}");
    assert_eq!(export["structured"].as_bool(), Some(true));
    let (severity, used) = stated(&seen, "allocated").unwrap();
    let bytes = used["bytes"].as_u64().unwrap();
    assert!(severity == "matters" && (1 << 20..2 << 20).contains(&bytes), "{used}");
    // A Unix socket has no route, and its server is not unknown.
    assert!(!has_line(&seen, "route") && !has_line(&seen, "server_unknown"), "{seen:#}");
}

#[test]
fn doctor_states_version_and_requests_of_nfs() {
    let server = server!("nfs", &[]);
    let target = |url: &str| {
        let (export, arguments) = url.split_once('?').unwrap();
        format!("{export}/f?{arguments}")
    };
    for (url, version) in [("URL", "3"), ("URL4", "4")] {
        let seen = doctor(&target(server.value(url)), &[]);
        let (_, nfs) = stated(&seen, "nfs").unwrap();
        assert_eq!(nfs["version"].as_str(), Some(version));
        // libnfs does not tell those of version 4.
        assert!(version == "4" || nfs["read_bytes"].as_u64().unwrap() >= 65536, "{nfs}");
        assert!(has_line(&seen, "export_unknown") && has_line(&seen, "route"), "{seen:#}");
        let (_, trip) = stated(&seen, "round_trip").unwrap();
        assert!((1..100_000).contains(&trip["mean_us"].as_u64().unwrap()), "{trip}");
    }
}

/// An initiator that has registered with the LUN is named by doctor, and its LUN is not written, by either command.
#[test]
fn lun_that_another_initiator_has_registered_is_refused() {
    let server = server!("iscsi", &[]);
    let target = format!("{}/1", server.value("URL"));
    let seen = doctor(&target, &[]);
    let (_, lun) = stated(&seen, "lun").unwrap();
    assert!(lun["model"].as_str().unwrap().starts_with("TEST DISK1"), "{lun}");
    assert_eq!((lun["thin"].as_bool(), lun["block"].as_u64()), (Some(true), Some(512)));
    assert!(stated(&seen, "clients").is_none() && stated(&seen, "round_trip").is_some(), "{seen:#}");
    let mut other = OtherInitiator::log_in(server.value("PORT").parse().unwrap(), server.value("TARGET"));
    other.register(1, 0xfeed_0001);
    let (_, clients) = stated(&doctor(&target, &[]), "clients").unwrap();
    assert!(clients["clients"][0].as_str().unwrap().contains("0xfeed0001"), "{clients}");
    let job = |command: &str, rw: &str| {
        let mut program = fathom(command);
        program.args(words("--name=a --ioengine=libiscsi --bs=4k --size=1M --number_ios=4"));
        let filename = format!("--filename={}", target.replace(':', "\\:"));
        run(program.args([filename, format!("--rw={rw}")]), LIMIT).unwrap()
    };
    for command in ["run", "fio"] {
        let ran = job(command, "randwrite");
        assert_eq!(ran.code, Some(3), "{ran:#?}");
        assert!(ran.stderr.contains("0xfeed0001") && ran.stderr.contains("--allow-destroy="), "{ran:#?}");
        let ran = job(command, "randread");
        assert_eq!(ran.code, Some(0), "{ran:#?}");
    }
    // A study refuses it as well, whatever is permitted.
    let mut explore = fathom("explore --no-store --budget=5s --write");
    let ran = run(explore.arg(&target).arg(format!("--allow-destroy={target}")), LIMIT).unwrap();
    assert_eq!(ran.code, Some(3), "{ran:#?}");
    assert!(
        std::fs::read(server.value("LUN1")).unwrap().iter().all(|byte| *byte == 0),
        "the LUN was written"
    );
}

/// Returns whether a process holds the lock of a target on a server: a socket with an abstract name.
fn holds_a_lock(pid: impl std::fmt::Display) -> bool {
    let table = std::fs::read_to_string("/proc/net/unix").unwrap();
    let locks = table.lines().filter(|line| line.contains(" @fathom/"));
    let sockets: Vec<String> = locks
        .filter_map(|line| line.split_whitespace().nth(6))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    let open = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let links = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    links.into_iter().any(|link| sockets.iter().any(|socket| link.as_os_str() == socket.as_str()))
}

/// Two processes that write one target: the second one is refused, and the first one goes on.
#[track_caller]
fn second_writer_is_refused(options: &[String], environment: &[(&str, &str)]) {
    let command = |rest: &str| {
        let mut program = fathom("run --name=a --bs=4k --size=1M --rw=randwrite");
        program.args(options).args(words(rest)).envs(environment.iter().copied());
        program
    };
    let first = Running::start(&mut command("--rate_iops=50 --time_based --runtime=60")).unwrap();
    // Otherwise the second one may be the first that holds the target.
    for _ in 0..1000 {
        if holds_a_lock(first.pid()) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let refused = run(&mut command("--number_ios=2"), LIMIT).unwrap();
    assert_eq!(refused.code, Some(3), "{refused:#?}");
    assert!(
        refused.stderr.contains("another process of fathom on this machine writes to it"),
        "{refused:#?}"
    );
    drop(first);
}

#[test]
fn second_writer_of_an_nfs_file_is_refused() {
    let server = server!("nfs", &[]);
    let url = format!("--nfs_url={}", server.value("URL"));
    second_writer_is_refused(&["--ioengine=nfs".into(), url, "--filename=f".into()], &[]);
}

#[test]
fn second_writer_of_a_lun_is_refused() {
    let server = server!("iscsi", &[]);
    let filename = format!("--filename={}/1", server.value("URL")).replace(':', "\\:");
    second_writer_is_refused(&["--ioengine=libiscsi".into(), filename], &[]);
}

#[test]
fn second_writer_of_an_image_and_of_an_object_is_refused() {
    let cluster = server!("ceph", &[("FS", "0")]);
    let environment = [("CEPH_CONF", cluster.value("CEPH_CONF"))];
    let pool = format!("--pool={}", cluster.value("POOL"));
    let image = format!("--rbdname={}", cluster.value("IMAGE"));
    second_writer_is_refused(&["--ioengine=rbd".into(), pool.clone(), image], &environment);
    second_writer_is_refused(&["--ioengine=rados".into(), pool, "--filename=o1".into()], &environment);
}

/// The kernel's counters of the connections of a run stand in its result: one connection for each job.
#[test]
fn connections_of_a_run_are_counted() {
    let server = server!("iscsi", &[]);
    let filename = format!("--filename={}/1", server.value("URL")).replace(':', "\\:");
    let options = "run --name=a --ioengine=libiscsi --rw=randread --bs=4k --size=64M --iodepth=4 --numjobs=2 \
                   --time_based --runtime=2 --output-format=json";
    let ran = run(fathom(options).arg(filename), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let layers = &document(&ran)["fathom"]["layers"];
    let connections = layers["connections"].as_array().unwrap();
    assert_eq!(connections.len(), 1, "{connections:?}");
    let one = &connections[0];
    let port = format!("127.0.0.1:{}", server.value("PORT"));
    assert_eq!((one["server"].as_str(), one["connections"].as_u64()), (Some(port.as_str()), Some(2)));
    assert_eq!(one["reconnects"].as_u64(), Some(0));
    // Each request is a segment at least; the last reading is some time before the end.
    let ios = layers["app_read_ios"].as_u64().unwrap();
    assert!(one["segments"]["sent"].as_u64().unwrap() > ios / 10, "{one} of {ios}");
    assert!(one["round_trip_us"].as_f64().unwrap() > 0.0, "{one}");
    // What the server states is part of the result, too.
    let facts = layers["remote"][0]["client"]["facts"].as_array().unwrap();
    assert!(facts.iter().any(|fact| fact["fact"] == "lun"), "{facts:?}");
}

/// Segments that are lost while the interface is down are sent again: the result counts them and has the finding.
#[test]
fn segments_that_were_lost_are_told() {
    skip_without!(Need::Root, Need::Program("unshare"), Need::Program("ip"), Need::Program("nbdkit"));
    let sandbox = Sandbox::new().unwrap();
    let script = "ip link set lo up; nbdkit -f -p 10809 memory 64M & server=$!; \
        until : 2>/dev/null </dev/tcp/127.0.0.1/10809; do sleep 0.05; done; \
        \"$FATHOM\" run --name=a --ioengine=nbd --uri=nbd://127.0.0.1 --rw=randwrite --bs=64k --size=64M --iodepth=16 \
          --numjobs=16 --time_based --runtime=6 --output-format=json >out 2>err & run=$!; \
        sleep 3; ip link set lo down; sleep 0.3; ip link set lo up; wait $run; code=$?; kill $server; exit $code";
    let mut shell = Command::new("unshare");
    shell.args(["-n", "bash", "-c", script]).current_dir(sandbox.path());
    shell.env("LC_ALL", "C").env("FATHOM", env!("CARGO_BIN_EXE_fathom"));
    let mut ran = run(&mut shell, LIMIT).unwrap();
    let read = |name: &str| std::fs::read_to_string(sandbox.join(name)).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?} {}", read("err"));
    ran.stdout = read("out");
    let connections = document(&ran)["fathom"]["layers"]["connections"].clone();
    let again = connections[0]["segments"]["retransmitted"].as_u64().unwrap();
    assert!(again >= 10, "{connections}");
    assert_eq!(connections[0]["reconnects"].as_u64(), Some(0), "{connections}");
}

/// Runs of a target on a server are compared; pts, which needs a device, says so in one line.
#[test]
fn compare_takes_runs_on_servers_and_pts_refuses_them() {
    let server =
        server!("nbd", &[("FILTERS", "delay"), ("PLUGIN", "pattern 16M"), ("SETTINGS", "delay-read=2ms")]);
    let sandbox = Sandbox::new().unwrap();
    let uri = server.value("URI");
    let stored = |mut command: Command, dir: &Path| -> Ran {
        run(command.current_dir(dir).env(DATA_HOME, dir.join("data")), LIMIT).unwrap()
    };
    let run =
        "run --name=a --ioengine=nbd --rw=randread --bs=4k --size=16M --iodepth=4 --time_based --runtime=3";
    for _ in 0..2 {
        let mut command = fathom(run);
        command.arg(format!("--uri={uri}"));
        assert_eq!(stored(command, sandbox.path()).code, Some(0));
    }
    let ran = stored(fathom("compare R1 R2"), sandbox.path());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    assert!(ran.stdout.contains("IOPS"), "{ran:#?}");
    for args in ["pts iops", "pts iops --dry-run"] {
        let mut command = fathom(args);
        command.arg(uri).arg(format!("--allow-destroy={uri}"));
        let ran = stored(command, sandbox.path());
        assert!(ran.code.is_some_and(|code| code != 0), "{ran:#?}");
        assert!(ran.stderr.contains("is on a server") && ran.stderr.lines().count() == 1, "{ran:#?}");
    }
}
