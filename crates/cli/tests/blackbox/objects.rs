//! `fathom objects` against outside witnesses: the log of the testbed's server, a client in Python that shares no code
//! with fathom, and a radosgw.

use crate::common::{draws, fresh_seed};
use serde_json::Value;
use std::process::Command;
use std::time::Duration;
use testbed::child::{Ran, Running, run};
use testbed::object_server::{KEY_ID, Protocol, SECRET};
use testbed::{Bounded, Need, ObjectServer, Sandbox, Server, skip, skip_without};

const LIMIT: Duration = Duration::from_secs(120);
const KILL: i32 = 9;
const INT: i32 = 2;

/// A server of S3 with its account.
pub(crate) struct Place {
    endpoint: String,
    key: String,
    secret: String,
    region: String,
}

impl Place {
    pub(crate) fn of_testbed(server: &ObjectServer) -> Place {
        server.create_bucket("bkt");
        Place {
            endpoint: format!("http://{}", server.host()),
            key: KEY_ID.into(),
            secret: SECRET.into(),
            region: "us-east-1".into(),
        }
    }

    fn of_server(server: &Server) -> Place {
        let [endpoint, key, secret, region] =
            ["S3_ENDPOINT", "S3_KEY", "S3_SECRET", "S3_REGION"].map(|key| server.value(key).to_owned());
        let place = Place { endpoint, key, secret, region };
        place.python(&["put", "/bkt"], b"");
        place
    }

    /// Returns the program with the account in its environment.
    fn fathom(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        self.give_account(&mut command);
        command.args(args);
        command
    }

    /// Puts the account into the environment of a command.
    pub(crate) fn give_account(&self, command: &mut Command) {
        command.env("LC_ALL", "C").env_remove("AWS_PROFILE").env("HOME", "/nonexistent");
        command.env("AWS_ACCESS_KEY_ID", &self.key).env("AWS_SECRET_ACCESS_KEY", &self.secret);
        command.env("AWS_REGION", &self.region).env("AWS_ENDPOINT_URL", &self.endpoint);
    }

    fn objects(&self, target: &str, args: &[&str]) -> Ran {
        let mut command = self.fathom(&["objects", target]);
        if !args.iter().any(|word| word.starts_with("--store")) {
            command.arg("--no-store");
        }
        run(command.args(args), LIMIT).unwrap()
    }

    /// Runs the client in Python and returns the lines that it prints.
    pub(crate) fn python(&self, arguments: &[&str], input: &[u8]) -> Vec<String> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../objects/tests/s3_client.py");
        let mut command = Command::new("python3");
        command.arg(script).args([&self.endpoint, &self.key, &self.secret, &self.region]).args(arguments);
        let output = command.output_of_input(input, LIMIT).expect("Python starts");
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

fn result(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

pub(crate) fn row<'a>(result: &'a Value, operation: &str) -> &'a Value {
    result["rows"].as_array().unwrap().iter().find(|row| row["operation"] == operation).unwrap()
}

/// The counts of the report are those of the server's log: each operation, and what was prepared and removed.
#[test]
fn counts_of_the_report_are_those_of_the_server() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let ran = place.objects(
        "s3://bkt/p",
        &[
            "--json",
            "--time=1s",
            "--objects=40",
            "--jobs=6",
            "--mix=put=3,get=4,stat=2,delete=2,list=1",
            "--sizes=1k-70k",
        ],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
    let result = result(&ran);
    let log = server.log();
    let count = |method: &str| {
        log.iter().filter(|r| r.method == method && r.path != "/bkt" && r.status < 300).count() as u64
    };
    let requests = |operation| row(&result, operation)["requests"].as_u64().unwrap();
    let prepared = result["prepared"]["objects"].as_u64().unwrap();
    assert_eq!(prepared, 40);
    assert_eq!(count("PUT"), prepared + requests("put"));
    assert_eq!(count("GET"), requests("get"));
    assert_eq!(count("HEAD"), requests("stat"));
    assert_eq!(count("DELETE"), requests("delete") + result["removed"].as_u64().unwrap());
    for operation in ["put", "get", "stat", "delete", "list"] {
        assert!(requests(operation) > 0, "{operation}");
    }
    assert!(server.objects("bkt").is_empty());
    assert_eq!(server.connections(), 6);
}

/// Times to the first byte are the injected delay of the server, within 2 ms, for each operation.
#[test]
fn measures_first_byte_as_the_delay_of_the_server() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    server.set(|faults| faults.delay = Duration::from_millis(25));
    let words = ["--json", "--time=2s", "--objects=8", "--jobs=4", "--sizes=4k"];
    let ran =
        place.objects("s3://bkt", &[&words[..], &["--mix=put=1,get=1,stat=1,delete=1,list=1"]].concat());
    let result = result(&ran);
    for operation in ["put", "get", "stat", "delete", "list"] {
        let row = row(&result, operation);
        for times in ["first_byte", "last_byte"] {
            let median = median_ms(&row[times]);
            assert!((25.0..27.0).contains(&median), "{operation}, {times}: {median} ms");
        }
    }
}

/// Returns the median of a histogram in the JSON, in milliseconds.
fn median_ms(histogram: &Value) -> f64 {
    let histogram: stats::Histogram = serde_json::from_value(histogram.clone()).unwrap();
    histogram.quantile(50.0).unwrap() as f64 / 1e6
}

/// After a kill at any moment, the next start leaves no scratch object and no unfinished upload, and everything of others
/// as it was, byte for byte.
fn leaves_nothing_after_kills(place: &Place, sizes: &[&str], seed: u64) {
    let mut draw = draws(seed);
    place.python(&["put", "/bkt/p/data"], b"precious");
    place.python(&["put", "/bkt/p/fathom-run-x/0000/1"], b"a similar name");
    place.python(&["put", "/bkt/p/fathom-run-0123456789abcdef-1-1-0/0000/1"], b"of another machine");
    place.python(&["put", "/bkt/q"], b"outside");
    place.python(&["begin", "/bkt/p/upload"], b"");
    let (sums, uploads) = (place.python(&["sums", "bkt"], b""), place.python(&["uploads", "bkt"], b""));
    assert_eq!((sums.len(), uploads.len()), (4, 1));
    let target = "s3://bkt/p";
    let consent = "--allow-destroy=s3://bkt/p";
    let (mut objects, mut unfinished) = (0, 0);
    for _ in 0..20 {
        let mut command =
            place.fathom(&["objects", target, "--no-store", "--mix=put=3,get=2,delete=2,list=1"]);
        command.args(["--objects=20", "--time=60s", "--jobs=8", consent]).args(sizes);
        let running = Running::start(&mut command).unwrap();
        std::thread::sleep(Duration::from_micros(draw(600_000) as u64));
        running.signal(KILL);
        running.finish(LIMIT).unwrap();
        objects += place.python(&["list", "bkt", ""], b"").len() - sums.len();
        unfinished += place.python(&["uploads", "bkt"], b"").len() - uploads.len();
        let next = ["--objects=0", "--mix=put=1", "--sizes=1k", "--time=1s", "--jobs=2", "--json", consent];
        let ran = place.objects(target, &next);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:#?}");
        assert_eq!(place.python(&["sums", "bkt"], b""), sums, "{ran:#?}");
        assert_eq!(place.python(&["uploads", "bkt"], b""), uploads, "{ran:#?}");
    }
    println!("kills left {objects} objects and {unfinished} unfinished uploads");
    assert!(objects > 100 && unfinished > 0, "{objects} objects, {unfinished} uploads");
}

#[test]
fn next_start_removes_what_twenty_kills_left() {
    skip_without!(Need::Program("python3"));
    let seed = fresh_seed("next_start_removes_what_twenty_kills_left");
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    // Slow enough that uploads are unfinished when their process is killed.
    server.set(|faults| faults.delay = Duration::from_millis(2));
    leaves_nothing_after_kills(&place, &["--sizes=4k:1,60k:1", "--part=20k"], seed);
    assert_eq!(server.open_uploads(), 1);
}

/// The check of a bucket reads ranges of a scratch object and writes blocks as objects; names them, and removes them, at
/// its end or, after a kill at any moment, at the end of the next start. Objects of others stay.
#[test]
fn check_of_a_bucket_leaves_nothing_after_twenty_kills() {
    skip_without!(Need::Program("python3"));
    let seed = fresh_seed("check_of_a_bucket_leaves_nothing_after_twenty_kills");
    let mut draw = draws(seed);
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    place.python(&["put", "/bkt/p/data"], b"precious");
    let before = server.objects("bkt");
    let check = ["s3://bkt/p", "--no-store", "--seconds=1s", "--json"];
    let ran = run(&mut place.fathom(&check), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stderr.contains("scratch objects: s3://bkt/p/fathom-run-"), "{ran:#?}");
    for secret in [SECRET, KEY_ID] {
        assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret), "{ran:#?}");
    }
    let card = result(&ran);
    let rows = card["rows"].as_array().unwrap();
    assert!(rows.len() == 9 && rows.iter().all(|row| row["iops"].as_f64().unwrap() > 0.0), "{ran:#?}");
    assert_eq!(server.objects("bkt"), before);
    let mut objects = 0;
    for _ in 0..20 {
        let running =
            Running::start(place.fathom(&["s3://bkt/p", "--no-store"]).args(["--seconds=30s"])).unwrap();
        std::thread::sleep(Duration::from_micros(draw(1_500_000) as u64));
        running.signal(KILL);
        running.finish(LIMIT).unwrap();
        objects += server.objects("bkt").len() - before.len();
        let ran = run(&mut place.fathom(&check), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(server.objects("bkt").keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    }
    assert!(objects > 0);
    assert_eq!(server.objects("bkt"), before);
}

/// The jobs of a profile have the engine of the target: its own would write files of this machine.
#[test]
fn fit_of_a_bucket_writes_objects_and_no_file() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let sandbox = Sandbox::new().unwrap();
    let mut command = place.fathom(&["fit", "etcd", "s3://bkt/p", "--no-store", "--seconds=1s"]);
    let ran = run(command.current_dir(sandbox.path()), LIMIT).unwrap();
    assert!(ran.stdout.contains("http (S3)"), "{ran:#?}");
    assert_eq!(std::fs::read_dir(sandbox.path()).unwrap().count(), 0, "{ran:#?}");
    let puts = server.log().iter().filter(|r| r.method == "PUT" && r.path.contains("written_")).count();
    assert!(puts > 10, "{puts}");
    assert!(server.objects("bkt").is_empty());
}

/// The objects of a study are gone at its end, so that no job on them is recommended.
#[test]
fn explore_of_a_bucket_recommends_loads_without_a_job() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    server.set(|faults| faults.delay = Duration::from_millis(1));
    let sandbox = Sandbox::new().unwrap();
    let job = sandbox.join("j.fio");
    let words = [
        "explore",
        "s3://bkt/p",
        "--no-store",
        "--budget=25s",
        "--questions=depth",
        "--patterns=4k-randread",
    ];
    let ran = run(place.fathom(&words).arg("--job").arg(&job), LIMIT).unwrap();
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("scratch objects of 33.6 MB   http (S3)"), "{ran:#?}");
    assert!(ran.stdout.contains("4k randread: use iodepth "), "{ran:#?}");
    assert!(!ran.stdout.contains("fathom-scratch") && !ran.stdout.contains("fathom run"), "{ran:#?}");
    assert!(!job.exists());
    assert!(server.objects("bkt").is_empty());
}

/// The check of a pool of Ceph measures scratch objects, also after kills.
#[test]
fn check_of_a_pool_leaves_nothing_after_twenty_kills() {
    skip_without!(Need::Program("rados"));
    let seed = fresh_seed("check_of_a_pool_leaves_nothing_after_twenty_kills");
    let mut draw = draws(seed);
    let server = match Server::up("ceph", &[]) {
        Ok(server) => server,
        Err(reason) => return skip(&reason),
    };
    let before = rados(&server, &["ls"]);
    assert!(!before.is_empty());
    let fathom = |seconds: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").env("CEPH_CONF", server.value("CEPH_CONF"));
        command.args(["rados:rbd", "--no-store", "--json", seconds]);
        command
    };
    let mut objects = 0;
    for _ in 0..20 {
        let running = Running::start(&mut fathom("--seconds=30s")).unwrap();
        std::thread::sleep(Duration::from_micros(draw(1_500_000) as u64));
        running.signal(KILL);
        running.finish(LIMIT).unwrap();
        objects += rados(&server, &["ls"]).len() - before.len();
        let ran = run(&mut fathom("--seconds=1s"), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert!(ran.stderr.contains("scratch objects: rados:rbd/fathom-run-"), "{ran:#?}");
        let card = result(&ran);
        let rows = card["rows"].as_array().unwrap();
        assert!(rows.len() == 9 && rows.iter().all(|row| row["iops"].as_f64().unwrap() > 0.0), "{ran:#?}");
        assert_eq!(rados(&server, &["ls"]), before, "{ran:#?}");
    }
    assert!(objects > 0);
}

/// Returns what `rados` prints of the pool `rbd`, in lines.
fn rados(server: &Server, args: &[&str]) -> Vec<String> {
    let mut command = Command::new("rados");
    command.args(["--conf", server.value("CEPH_CONF"), "--pool", server.value("POOL")]).args(args);
    let output = command.output_within(LIMIT).unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    let mut lines: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    lines.sort_unstable();
    lines
}

/// On a pool of Ceph: refused beside objects of others, counts of the report, and nothing left after twenty kills.
#[test]
fn pool_of_ceph_is_left_as_it_was_after_twenty_kills() {
    skip_without!(Need::Program("rados"));
    let seed = fresh_seed("pool_of_ceph_is_left_as_it_was_after_twenty_kills");
    let mut draw = draws(seed);
    let server = match Server::up("ceph", &[]) {
        Ok(server) => server,
        Err(reason) => return skip(&reason),
    };
    let sandbox = Sandbox::new().unwrap();
    let file = sandbox.join("f");
    std::fs::write(&file, b"precious").unwrap();
    let file = file.to_str().unwrap();
    for name in ["data", "fathom-run-x/0000/1", "fathom-run-0123456789abcdef-1-1-0/0000/1"] {
        rados(&server, &["put", name, file]);
    }
    let before = rados(&server, &["ls"]);
    let fathom = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.env("LC_ALL", "C").env("CEPH_CONF", server.value("CEPH_CONF"));
        command.args(["objects", "rados:rbd", "--no-store"]).args(args);
        command
    };
    let refused = run(&mut fathom(&["--time=1s"]), LIMIT).unwrap();
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{refused:#?}");
    let list = run(&mut fathom(&["--mix=list=1,put=1"]), LIMIT).unwrap();
    assert!(list.code == Some(1) && list.stderr.contains("leave list out of --mix"), "{list:#?}");
    let consent = "--allow-destroy=rados:rbd";
    let short = [consent, "--objects=30", "--time=1s", "--jobs=4", "--sizes=1k:1,200k:1", "--json"];
    let ran = run(&mut fathom(&short), LIMIT).unwrap();
    let result = result(&ran);
    assert_eq!((ran.code, result["prepared"]["objects"].as_u64()), (Some(0), Some(30)), "{ran:#?}");
    for operation in ["put", "get", "stat", "delete"] {
        assert!(row(&result, operation)["requests"].as_u64().unwrap() > 0, "{operation}: {ran:#?}");
    }
    assert_eq!(rados(&server, &["ls"]), before);
    let mut objects = 0;
    for _ in 0..20 {
        let running =
            Running::start(&mut fathom(&[consent, "--objects=50", "--time=60s", "--sizes=4k"])).unwrap();
        std::thread::sleep(Duration::from_micros(draw(500_000) as u64));
        running.signal(KILL);
        running.finish(LIMIT).unwrap();
        objects += rados(&server, &["ls"]).len() - before.len();
        let ran = run(&mut fathom(&short), LIMIT).unwrap();
        assert_eq!(ran.code, Some(0), "{ran:#?}");
        assert_eq!(rados(&server, &["ls"]), before, "{ran:#?}");
    }
    assert!(objects > 100, "{objects}");
    for name in ["data", "fathom-run-x/0000/1", "fathom-run-0123456789abcdef-1-1-0/0000/1"] {
        let got = sandbox.join("got");
        rados(&server, &["get", name, got.to_str().unwrap()]);
        assert_eq!(std::fs::read(got).unwrap(), b"precious", "{name}");
    }
}

#[test]
fn next_start_removes_what_twenty_kills_left_on_radosgw() {
    skip_without!(Need::Program("python3"));
    let seed = fresh_seed("next_start_removes_what_twenty_kills_left_on_radosgw");
    let server = match Server::up("ceph", &[("RGW", "1")]) {
        Ok(server) => server,
        Err(reason) => return skip(&reason),
    };
    leaves_nothing_after_kills(&Place::of_server(&server), &["--sizes=4k:4,6m:1", "--part=5m"], seed);
}

/// Objects of others are refused with status 3, and the consent must name the target.
#[test]
fn prefix_with_objects_of_others_is_refused() {
    skip_without!(Need::Program("python3"));
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    place.python(&["put", "/bkt/p/data"], b"precious");
    let short = ["--time=1s", "--objects=5", "--jobs=2", "--sizes=1k"];
    for (target, first) in [("s3://bkt", "p/data"), ("s3://bkt/p", "p/data"), ("s3://bkt/p/", "p/data")] {
        let ran = place.objects(target, &short);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{ran:#?}");
        assert!(ran.stderr.contains(first) && ran.stderr.contains("--allow-destroy"), "{ran:#?}");
        let ran = place.objects(target, &[&short[..], &["--allow-destroy=s3://other"]].concat());
        assert_eq!(ran.code, Some(2), "{ran:#?}");
    }
    // Nothing was written or removed so far.
    assert!(server.log().iter().filter(|r| r.method != "GET").count() == 1, "{:?}", server.log());
    // A prefix is a directory: `p` does not begin `pq`, and `s3://bkt/q` is empty.
    let ran = place.objects("s3://bkt/q", &short);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    let ran = place.objects("s3://bkt/p", &[&short[..], &["--allow-destroy=s3://bkt/p"]].concat());
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("s3://bkt/p/fathom-run-"), "{ran:#?}");
    assert_eq!(server.objects("bkt").keys().collect::<Vec<_>>(), ["p/data"]);
    assert_eq!(server.objects("bkt")["p/data"].data, b"precious");
}

/// The stored result is shown again without a server, and neither output nor store have the secret.
#[test]
fn stored_result_is_shown_again_without_server_and_secret() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let sandbox = Sandbox::new().unwrap();
    let store = format!("--store={}", sandbox.join("s.db").display());
    let words = ["--time=1s", "--objects=5", "--jobs=2", "--sizes=1k", "--endpoint", &place.endpoint, &store];
    let first = place.objects("s3://bkt", &words);
    assert_eq!(first.code, Some(0), "{first:#?}");
    server.kill();
    let show = |args: &[&str]| run(place.fathom(args).arg(&store), LIMIT).unwrap();
    let again = show(&["show", "R1"]);
    assert_eq!((again.code, &again.stdout), (Some(0), &first.stdout), "{again:#?}");
    let json = show(&["export", "R1", "--json"]);
    assert_eq!(result(&json)["target"], "s3://bkt");
    let list = show(&["list"]);
    assert!(list.stdout.contains("objects") && list.stdout.contains("s3://bkt"), "{list:#?}");
    let kept = std::fs::read(sandbox.join("s.db")).unwrap();
    for text in [first.stdout.as_bytes(), json.stdout.as_bytes(), &kept] {
        for secret in [SECRET, KEY_ID] {
            assert!(!text.windows(secret.len()).any(|part| part == secret.as_bytes()));
        }
    }
}

/// A wrong key, a server that is not there, an unknown bucket and no credentials: one line each, without the secret.
#[test]
fn faults_of_the_place_are_one_clear_line() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let wrong = Place { secret: "wrong-secret".into(), ..Place::of_testbed(&server) };
    let gone = ObjectServer::start(Protocol::S3);
    let nowhere = Place::of_testbed(&gone);
    gone.kill();
    let line = |ran: Ran, status: i32, text: &str| {
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr.lines().count()),
            (Some(status), "", 1),
            "{ran:#?}"
        );
        assert!(ran.stderr.contains(text) && !ran.stderr.contains("wrong-secret"), "{text}: {ran:#?}");
        assert!(!ran.stderr.contains("os error"), "{ran:#?}");
    };
    line(wrong.objects("s3://bkt", &[]), 1, "403 SignatureDoesNotMatch");
    line(nowhere.objects("s3://bkt", &[]), 1, "Connection refused");
    line(place.objects("s3://none", &[]), 1, "bucket none does not exist");
    line(place.objects("/tmp", &[]), 2, "s3://BUCKET");
    line(place.objects("s3://bkt", &["--profile=p"]), 2, "profile p");
    line(place.objects("s3://bkt", &["--endpoint=host:9000"]), 2, "http://HOST:PORT");
    let mut command = place.fathom(&["objects", "s3://bkt"]);
    line(run(command.env_remove("AWS_SECRET_ACCESS_KEY"), LIMIT).unwrap(), 2, "AWS_ACCESS_KEY_ID");
    assert!(!server.log().iter().any(|request| request.method != "GET"));
}

/// Wrong contents are an error with key and offset, and status 1.
#[test]
fn wrong_contents_are_reported_with_key_and_offset() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    server.set(|faults| faults.wrong_byte = Some(4711));
    let ran = place.objects("s3://bkt", &["--time=1s", "--objects=5", "--jobs=2", "--sizes=8k"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    let text: Vec<&str> = ran.stdout.split_whitespace().collect();
    let text = text.join(" ");
    assert!(text.contains(": the contents differ from what was written, from byte 4711 on"), "{text}");
    assert!(text.contains("fathom-run-") && text.contains("failed: contents"), "{text}");
}

/// INT ends the load with its report, and nothing is left.
#[test]
fn interrupted_load_reports_and_removes_its_objects() {
    let server = ObjectServer::start(Protocol::S3);
    let place = Place::of_testbed(&server);
    let mut command = place.fathom(&["objects", "s3://bkt", "--no-store", "--time=60s", "--jobs=4"]);
    let running = Running::start(command.args(["--sizes=60k", "--part=20k", "--json"])).unwrap();
    while server.objects("bkt").len() < 20 {
        std::thread::sleep(Duration::from_millis(5));
    }
    running.signal(INT);
    let ran = running.finish(LIMIT).unwrap();
    assert_eq!((ran.code, &result(&ran)["end"]), (Some(128), &Value::from("signal")), "{ran:#?}");
    assert_eq!((server.objects("bkt").len(), server.open_uploads()), (0, 0));
}
