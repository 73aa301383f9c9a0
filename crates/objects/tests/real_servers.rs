//! The client against radosgw and s3s-fs, which check signatures; a Python client that shares no code with it checks
//! contents and lists.

use objects::request::OneBuffer;
use objects::s3::{self, Account, Settings};
use objects::signature::Credentials;
use objects::{Client, Endpoint, Https, Sink};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;
use testbed::Server;

fn python(server: &Server, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/s3_client.py");
    let settings = ["S3_ENDPOINT", "S3_KEY", "S3_SECRET", "S3_REGION"].map(|key| server.value(key));
    let mut child = Command::new("python3")
        .arg(script)
        .args(settings)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Python starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("the client reads its input");
    let output = child.wait_with_output().expect("the client ends");
    assert!(output.status.success(), "the Python client fails");
    output.stdout
}

fn client(server: &Server, secret: &str) -> (Client, Account) {
    let host = server.value("S3_ENDPOINT").trim_start_matches("http://");
    let endpoint = Endpoint::new(host, Https::Off);
    let credentials =
        Credentials { key_id: server.value("S3_KEY").into(), secret: secret.into(), token: None };
    let settings =
        Settings { region: server.value("S3_REGION").into(), ..Settings::new(Some(credentials), Https::Off) };
    let client = Client::new(&endpoint, 4, Duration::from_secs(20)).expect("a client");
    (client, Account::new(&endpoint, &settings).expect("valid settings"))
}

fn contents(len: usize, seed: u32) -> Vec<u8> {
    (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 ^ seed as u8).collect()
}

fn speaks_s3(server: &Server) {
    let (mut client, mut account) = client(server, server.value("S3_SECRET"));
    let request = account.create_bucket("/bkt");
    client.call(&request).expect("a bucket");
    let mut keys = vec!["a b+ü/k".to_string()];
    keys.extend((0..20).map(|i| format!("many/{i:02}")));
    for (key, seed) in keys.iter().zip(0..) {
        let mut data = contents(100_000, seed);
        let request =
            account.put(&format!("/bkt/{key}"), data.len(), &data, &[("x-amz-meta-of", "run".into())]);
        client.call_with(&request, &mut OneBuffer(&mut data)).expect("an object");
        let mut back = vec![0; data.len()];
        let request = account.get(&format!("/bkt/{key}"), None, Sink::Buffer);
        client.call_with(&request, &mut OneBuffer(&mut back)).expect("the object");
        assert!(back == data, "{key}");
        assert!(python(server, &["get", &format!("/bkt/{key}")], b"") == data, "{key} for the other client");
    }
    // What the other client writes is read, in parts.
    let data = contents(70_000, 99);
    python(server, &["put", "/bkt/other"], &data);
    let request = account.get("/bkt/other", Some((4096, 4096)), Sink::Text);
    let part = client.call(&request).expect("a part");
    assert_eq!(part.status, 206);
    assert!(part.text == data[4096..8192]);
    let request = account.head("/bkt/a b+ü/k");
    let head = client.call(&request).expect("a head");
    assert_eq!((head.content_length, head.header("x-amz-meta-of")), (Some(100_000), Some("run")));
    // Pages of five; the other client sees the same list.
    let (mut listed, mut continuation) = (Vec::new(), None);
    loop {
        let request = account.list("/bkt", "many/", 5, continuation.as_deref());
        let page = s3::Page::read(&client.call(&request).expect("a list").text());
        assert!(page.objects.len() <= 5);
        listed.extend(page.objects);
        continuation = page.continuation;
        if continuation.is_none() {
            break;
        }
    }
    let own: String = listed.iter().map(|object| format!("{} {}\n", object.size, object.key)).collect();
    assert_eq!(own, String::from_utf8_lossy(&python(server, &["list", "bkt", "many/"], b"")));
    assert_eq!(listed.len(), 20);
    // Parts of 5 MiB are the least that servers take.
    let parts = [contents(5 << 20, 1), contents(1000, 2)];
    let request = account.create_upload("/bkt/big", &[]);
    let id = s3::upload_id(&client.call(&request).expect("an upload").text()).expect("its identifier");
    let etags: Vec<String> = (1..)
        .zip(&parts)
        .map(|(number, part)| {
            let request = account.part("/bkt/big", &id, number, part.len(), part);
            let answer = client.call_with(&request, &mut OneBuffer(&mut part.clone())).expect("a part");
            answer.etag.expect("an ETag")
        })
        .collect();
    let request = account.complete_upload("/bkt/big", &id, &etags);
    assert!(s3::completed(&client.call(&request).expect("an object").text()));
    assert!(python(server, &["get", "/bkt/big"], b"") == parts.concat());
    // Nothing is left.
    for object in s3::list_all(&mut client, &mut account, "/bkt", "").expect("a list") {
        let request = account.delete(&format!("/bkt/{}", object.key));
        client.call(&request).expect("removed");
    }
    assert_eq!(python(server, &["list", "bkt", ""], b""), b"");
    // A wrong secret, a key that does not exist.
    let request = account.get("/bkt/none", None, Sink::Text);
    let error = client.call(&request).expect_err("no such object");
    assert_eq!((error.code(), error.errno()), (Some("NoSuchKey"), libc::ENOENT));
    let (mut client, mut account) = self::client(server, "wrong");
    let request = account.list("/bkt", "", 1, None);
    let error = client.call(&request).expect_err("the secret is wrong");
    assert_eq!((error.code(), error.errno()), (Some("SignatureDoesNotMatch"), libc::EACCES));
}

#[test]
fn radosgw_takes_requests_and_signatures() {
    testbed::skip_without!(testbed::Need::Program("python3"));
    match Server::up("ceph", &[("RGW", "1")]) {
        Ok(server) => speaks_s3(&server),
        Err(reason) => testbed::skip(&reason),
    }
}

#[test]
fn s3s_fs_takes_requests_and_signatures() {
    testbed::skip_without!(testbed::Need::Program("python3"));
    match Server::up("s3", &[]) {
        Ok(server) => speaks_s3(&server),
        Err(reason) => testbed::skip(&reason),
    }
}
