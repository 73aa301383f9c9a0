//! Loads on the object server of the testbed: its log and its objects are the witnesses.

use facts::SysRoot;
use lab::objects::{ObjectLoad, ObjectLoadError, ObjectPlace, RunId, S3Load, measure};
use objects::request::OneBuffer;
use objects::s3::{Account, Settings, Style};
use objects::signature::Credentials;
use objects::{Client, Endpoint, Https};
use stats::object_load::{ObjectEnd, ObjectMix, ObjectOperation, ObjectResult, ObjectSizes};
use std::time::Duration;
use testbed::ObjectServer;
use testbed::object_server::{KEY_ID, Protocol, SECRET};

const METADATA: &str = "x-amz-meta-fathom-run";

fn settings() -> Settings {
    let credentials = Credentials { key_id: KEY_ID.into(), secret: SECRET.into(), token: None };
    Settings::new(Some(credentials), Https::Off)
}

fn place(server: &ObjectServer) -> S3Load {
    S3Load {
        endpoints: vec![Endpoint::new(&server.host(), Https::Off)],
        settings: settings(),
        style: Style::Path,
        bucket: "bkt".into(),
        prefix: "p/".into(),
        part: None,
    }
}

fn load(server: &ObjectServer) -> ObjectLoad {
    ObjectLoad {
        place: ObjectPlace::S3(Box::new(place(server))),
        mix: ObjectMix { put: 3, get: 4, stat: 2, delete: 2, list: 1 },
        sizes: ObjectSizes::Weighted(vec![(1000, 1.0), (70_000, 1.0)]),
        prepared: 50,
        prefixes: 4,
        concurrency: 8,
        duration: Duration::from_millis(300),
        seed: 1,
        allow_destroy: false,
        gate: None,
    }
}

/// Returns the load at a changed place.
fn at(server: &ObjectServer, change: impl FnOnce(&mut S3Load)) -> ObjectLoad {
    let mut s3 = place(server);
    change(&mut s3);
    ObjectLoad { place: ObjectPlace::S3(Box::new(s3)), ..load(server) }
}

fn run(load: &ObjectLoad) -> Result<ObjectResult, ObjectLoadError> {
    measure(load, &|| false, &mut |_| {})
}

fn server() -> ObjectServer {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    server
}

/// Writes an object of 3 bytes as another client would.
fn write(server: &ObjectServer, key: &str, metadata: &[(&'static str, String)]) {
    let endpoint = Endpoint::new(&server.host(), Https::Off);
    let mut account = Account::new(&endpoint, &settings()).expect("valid settings");
    let mut client = Client::new(&endpoint, 1, Duration::from_secs(20)).expect("a client");
    let request = account.put(&format!("/bkt/{key}"), 3, b"abc", metadata);
    client.call_with(&request, &mut OneBuffer(&mut b"abc".to_owned())).expect("the object is written");
}

#[test]
fn mixed_load_counts_what_the_server_counts_and_leaves_nothing() {
    let server = server();
    let result = run(&load(&server)).expect("a result");
    assert_eq!((&result.end, &result.not_removed), (&ObjectEnd::Duration, &None));
    assert_eq!(result.prepared.objects, 50);
    let log = server.log();
    let count = |method: &str, object: bool| {
        log.iter().filter(|r| r.method == method && (r.path != "/bkt") == object && r.status < 300).count()
            as u64
    };
    let row = |operation: ObjectOperation| {
        result.rows.iter().find(|row| row.operation == operation).expect("a row of each operation")
    };
    for operation in ObjectOperation::ALL {
        let row = row(operation);
        assert!(row.requests > 0 && row.errors.is_empty(), "{row:?}");
        assert_eq!((row.first_byte.count(), row.last_byte.count()), (row.requests, row.requests));
    }
    let requests = |operation: ObjectOperation| row(operation).requests;
    assert_eq!(count("PUT", true), 50 + requests(ObjectOperation::Put));
    assert_eq!(count("GET", true), requests(ObjectOperation::Get));
    assert_eq!(count("HEAD", true), requests(ObjectOperation::Stat));
    assert_eq!(count("DELETE", true), requests(ObjectOperation::Delete) + result.removed);
    // Whether objects of others and of killed runs exist, and what is left at the end: at least four more lists.
    assert!(count("GET", false) >= requests(ObjectOperation::List) + 4);
    assert_eq!(result.removed, 50 + requests(ObjectOperation::Put) - requests(ObjectOperation::Delete));
    assert!(row(ObjectOperation::Put).bytes >= 1000 * requests(ObjectOperation::Put));
    assert!(server.objects("bkt").is_empty());
    assert_eq!(server.connections(), 8);
}

#[test]
fn names_are_spread_and_carry_the_run() {
    let server = server();
    server.set(|faults| faults.delay = Duration::from_millis(1));
    let load = load(&server);
    let seen = std::sync::Mutex::new(Vec::new());
    // The last look before the end of the load; its objects are removed after it.
    let stopped = || {
        let objects = server.objects("bkt");
        let enough = objects.len() >= 40;
        *seen.lock().expect("one thread") = objects.into_iter().collect();
        enough
    };
    let result = measure(&load, &stopped, &mut |_| {}).expect("a result");
    assert_eq!(result.end, ObjectEnd::Signal);
    let objects = seen.into_inner().expect("one thread");
    let start = format!("p/fathom-run-{}/", result.run);
    let prefixes: std::collections::BTreeSet<String> = objects
        .iter()
        .map(|(key, _)| {
            key.strip_prefix(&start).expect("a name of the run").split('/').next().unwrap_or("").into()
        })
        .collect();
    assert_eq!(prefixes.into_iter().collect::<Vec<_>>(), ["0000", "0001", "0002", "0003"]);
    for (key, object) in &objects {
        assert!([1000, 70_000].contains(&object.data.len()), "{key}");
        assert!(object.headers.contains(&(METADATA.into(), result.run.clone())), "{key}");
    }
    assert!(server.objects("bkt").is_empty());
}

#[test]
fn bucket_with_objects_of_others_is_refused_and_never_touched() {
    let server = server();
    assert_eq!(
        run(&at(&server, |s3| s3.bucket = "none".into())),
        Err(ObjectLoadError::NoBucket { bucket: "none".into() })
    );
    write(&server, "p/data", &[]);
    let before = server.objects("bkt");
    assert_eq!(run(&load(&server)), Err(ObjectLoadError::Foreign { first: "p/data".into() }));
    assert!(!server.log().iter().any(|request| request.method == "DELETE"));
    assert_eq!(server.log().iter().filter(|request| request.method == "PUT").count(), 1);
    // Beside them with consent, and below another prefix.
    let consented = ObjectLoad { allow_destroy: true, ..load(&server) };
    for load in [consented, at(&server, |s3| s3.prefix = "q".into())] {
        let result = run(&load).expect("a result");
        assert_eq!(result.end, ObjectEnd::Duration);
        assert_eq!(server.objects("bkt"), before);
    }
}

#[test]
fn objects_of_killed_runs_are_removed_before_the_next() {
    let server = server();
    // The loads of the tests of this process number themselves from 0.
    let own = RunId::own(&SysRoot::machine(), 70_007).to_string();
    let parts: Vec<&str> = own.split('-').collect();
    // A process with this number, that started at another time: it has ended.
    let ended = format!("{}-{}-{}-70007", parts[0], parts[1], parts[2].parse::<u64>().expect("a time") + 1);
    for key in 0..20 {
        write(&server, &format!("p/fathom-run-{ended}/0000/{key}"), &[(METADATA, ended.clone())]);
    }
    let result = run(&load(&server)).expect("a result");
    assert_eq!(result.leftovers, 20);
    assert!(server.objects("bkt").is_empty());
    // A run that goes on, one of another machine, and a name without the metadata: all three are foreign.
    for (run, metadata) in [(own.clone(), own.clone()), ("00-1-1-0".into(), "00-1-1-0".into()), (ended, own)]
    {
        let key = format!("p/fathom-run-{run}/0000/1");
        write(&server, &key, &[(METADATA, metadata)]);
        assert_eq!(self::run(&load(&server)), Err(ObjectLoadError::Foreign { first: key.clone() }));
        let objects = server.objects("bkt");
        assert_eq!(objects.keys().collect::<Vec<_>>(), [&key]);
        self::run(&ObjectLoad { allow_destroy: true, ..load(&server) }).expect("a result");
        assert_eq!(server.objects("bkt"), objects);
        let mut client = Client::new(&Endpoint::new(&server.host(), Https::Off), 1, Duration::from_secs(20))
            .expect("a client");
        let mut account = Account::new(client.endpoint(), &settings()).expect("valid settings");
        let request = account.delete(&format!("/bkt/{key}"));
        client.call(&request).expect("removed");
    }
}

/// Objects above the size of a part are uploads in parts, which the server counts, with the contents and the run of the
/// others.
#[test]
fn large_objects_are_written_in_parts_and_read_back() {
    let server = server();
    let load = ObjectLoad {
        sizes: ObjectSizes::Weighted(vec![(1000, 1.0), (250_000, 1.0)]),
        ..at(&server, |s3| s3.part = Some(100_000))
    };
    let result = run(&load).expect("a result");
    assert_eq!((&result.end, &result.not_removed), (&ObjectEnd::Duration, &None));
    assert!(!result.failed() && result.mismatches.is_empty(), "{result:?}");
    let log = server.log();
    let posts = log.iter().filter(|r| r.method == "POST").count() as u64;
    let puts = log.iter().filter(|r| r.method == "PUT").count() as u64;
    let row = |operation| result.rows.iter().find(|row| row.operation == operation).expect("a row");
    let written = row(ObjectOperation::Put).requests + result.prepared.objects;
    // An upload has two POSTs and three parts; any other object has one PUT.
    let large = posts / 2;
    assert!(large > 10 && posts.is_multiple_of(2), "{posts}");
    assert_eq!(puts, written - large + 3 * large);
    assert_eq!(
        row(ObjectOperation::Put).bytes + result.prepared.bytes,
        1000 * (written - large) + 250_000 * large
    );
    assert!(row(ObjectOperation::Get).requests > 0);
    assert_eq!((server.open_uploads(), server.objects("bkt").len()), (0, 0));
    assert_eq!(run(&ObjectLoad { sizes: ObjectSizes::Fixed(1 << 30), ..load }), Err(ObjectLoadError::Parts));
}

#[test]
fn wrong_contents_are_errors_with_key_and_offset() {
    let server = server();
    server.set(|faults| faults.wrong_byte = Some(777));
    let load = ObjectLoad { sizes: ObjectSizes::Fixed(70_000), ..load(&server) };
    let result = run(&load).expect("a result");
    let get = result.rows.iter().find(|row| row.operation == ObjectOperation::Get).expect("a row");
    assert_eq!((get.requests, &get.errors[0].0), (0, &"contents".to_owned()));
    assert!(get.errors[0].1 > 0 && result.failed(), "{get:?}");
    assert!(result.mismatches.len() <= 16 && result.mismatches.iter().all(|wrong| wrong.offset == 777));
    let key = &result.mismatches[0].key;
    assert!(key.starts_with(&format!("p/fathom-run-{}/", result.run)), "{key}");
    assert_eq!(result.grade(), stats::finding::Grade::Conditions);
}

/// Each operation is counted at the endpoint that served it, as the logs of the servers say.
#[test]
fn endpoints_have_their_own_figures() {
    let (a, b) = (server(), server());
    // Two servers that share no objects: only puts and lists can be asked of both.
    let load = ObjectLoad {
        mix: ObjectMix { put: 1, list: 1, ..ObjectMix::default() },
        prepared: 0,
        concurrency: 5,
        ..at(&a, |s3| s3.endpoints.push(Endpoint::new(&b.host(), Https::Off)))
    };
    let result = run(&load).expect("a result");
    assert_eq!(result.end, ObjectEnd::Duration);
    let hosts: Vec<&str> = result.endpoints.iter().map(|of| of.endpoint.as_str()).collect();
    assert_eq!(hosts, [a.host(), b.host()]);
    let mut sum = 0;
    for (server, rows) in [&a, &b].into_iter().zip(&result.endpoints) {
        let puts = server.log().iter().filter(|r| r.method == "PUT").count() as u64;
        assert!(puts > 0);
        assert_eq!(rows.rows[0].requests, puts);
        sum += puts;
    }
    assert_eq!(result.rows[0].requests, sum);
    assert_eq!((a.connections(), b.connections()), (3, 2));
}

#[test]
fn errors_are_counted_by_their_code() {
    let server = server();
    let load = ObjectLoad {
        mix: ObjectMix { get: 1, ..ObjectMix::default() },
        duration: Duration::from_secs(60),
        ..load(&server)
    };
    let failing = |progress: &lab::objects::ObjectProgress| {
        if progress.elapsed.is_some() {
            server.set(|faults| faults.fail = Some((503, "SlowDown")));
        }
    };
    let result = measure(&load, &|| false, &mut |progress| failing(progress)).expect("a result");
    let ObjectEnd::Failures(text) = &result.end else { panic!("{:?}", result.end) };
    assert!(text.contains("503 SlowDown") && text.contains(&server.host()), "{text}");
    assert_eq!(result.rows.len(), 1);
    assert_eq!(result.grade(), stats::finding::Grade::Conditions);
    let row = &result.rows[0];
    assert!(row.requests > 0 && row.errors[0].0 == "SlowDown" && row.errors[0].1 >= 100, "{:?}", row.errors);
    assert!(result.not_removed.as_ref().is_some_and(|why| why.contains("503 SlowDown")), "{result:?}");
    // The next run finds what this one could not remove: its process goes on.
    server.set(|faults| faults.fail = None);
    assert!(matches!(run(&load), Err(ObjectLoadError::Foreign { .. })));
}

#[test]
fn killed_server_ends_the_load_with_its_result() {
    let server = server();
    let load = ObjectLoad { duration: Duration::from_secs(60), ..load(&server) };
    let mut killing = |progress: &lab::objects::ObjectProgress| {
        if progress.elapsed.is_some() {
            server.kill();
        }
    };
    let result = measure(&load, &|| false, &mut killing).expect("a result");
    assert!(
        matches!(&result.end, ObjectEnd::Failures(text) if text.starts_with("connect: ")),
        "{:?}",
        result.end
    );
    assert!(result.not_removed.is_some());
}

#[test]
fn loads_that_cannot_be_made_are_refused_before_any_request() {
    let server = server();
    let load = load(&server);
    for (load, error) in [
        (ObjectLoad { mix: ObjectMix::default(), ..load.clone() }, ObjectLoadError::Mix),
        (
            ObjectLoad { mix: ObjectMix { get: 1, ..ObjectMix::default() }, prepared: 0, ..load.clone() },
            ObjectLoadError::Mix,
        ),
        (ObjectLoad { concurrency: 0, ..load.clone() }, ObjectLoadError::Mix),
        (ObjectLoad { sizes: ObjectSizes::Weighted(Vec::new()), ..load.clone() }, ObjectLoadError::Sizes),
        (ObjectLoad { sizes: ObjectSizes::Fixed(6 << 30), ..load.clone() }, ObjectLoadError::Sizes),
    ] {
        assert_eq!(run(&load), Err(error));
    }
    assert_eq!(server.log(), []);
    let wrong = at(&server, |s3| {
        s3.settings.credentials =
            Some(Credentials { key_id: KEY_ID.into(), secret: "no".into(), token: None });
    });
    let Err(ObjectLoadError::Server { call: "GET", text }) = run(&wrong) else { panic!("refused") };
    assert!(text.contains("403 SignatureDoesNotMatch"), "{text}");
}

/// Times to the first byte are the delay of the server, within 2 ms at the median, for each operation.
#[test]
fn measures_times_of_all_operations_as_the_delay_of_the_server() {
    let server = server();
    server.set(|faults| faults.delay = Duration::from_millis(10));
    let load = ObjectLoad {
        sizes: ObjectSizes::Fixed(4096),
        duration: Duration::from_secs(1),
        concurrency: 4,
        ..load(&server)
    };
    let result = run(&load).expect("a result");
    for row in &result.rows {
        let median = row.first_byte.quantile(50.0).expect("requests") as f64 / 1e6;
        assert!((10.0..12.0).contains(&median), "{:?}: {median} ms", row.operation);
        assert_eq!(row.server.count(), row.requests);
    }
    // Four in flight, each at least 10 ms.
    let rate: f64 = result.rows.iter().map(|row| result.rate(row)).sum();
    assert!(rate > 0.0 && rate <= 400.0, "{rate}");
}
