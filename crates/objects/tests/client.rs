//! The client against the object server of the testbed.

use objects::request::{NoBuffers, OneBuffer};
use objects::s3::{self, Account, Settings, Style};
use objects::signature::Credentials;
use objects::{Client, Endpoint, Error, Https, Method, Request, Sink, Waited};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};
use testbed::ObjectServer;
use testbed::object_server::{KEY_ID, Protocol, SECRET};

const LIMIT: Duration = Duration::from_secs(20);

fn credentials() -> Credentials {
    Credentials { key_id: KEY_ID.into(), secret: SECRET.into(), token: None }
}

/// Client with one slot, and account, for a server of S3 with the bucket `bkt`.
fn connect(server: &ObjectServer, change: impl FnOnce(&mut Settings)) -> (Client, Account) {
    server.create_bucket("bkt");
    let endpoint = Endpoint::new(&server.host(), Https::Off);
    let mut settings = Settings::new(Some(credentials()), Https::Off);
    change(&mut settings);
    let client = Client::new(&endpoint, 1, LIMIT).expect("a client");
    (client, Account::new(&endpoint, &settings).expect("valid settings"))
}

fn put(client: &mut Client, account: &mut Account, path: &str, data: &mut [u8]) {
    let request = account.put(path, data.len(), data, &[]);
    client.call_with(&request, &mut OneBuffer(data)).expect("the object is written");
}

#[test]
fn objects_are_written_read_listed_and_removed() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    for key in ["a&b <c>", "d/e é", "f"] {
        let request = account.put(&format!("/bkt/{key}"), 3, b"xyz", &[("x-amz-meta-of", "run".into())]);
        client.call_with(&request, &mut OneBuffer(&mut b"xyz".to_owned())).expect("the object is written");
    }
    let request = account.list("/bkt", "", 2, None);
    let page = s3::Page::read(&client.call(&request).expect("a list").text());
    assert!(page.objects.len() == 2 && page.continuation.is_some(), "{page:?}");
    let all = s3::list_all(&mut client, &mut account, "/bkt", "").expect("a list");
    let keys: Vec<(&str, u64)> = all.iter().map(|object| (object.key.as_str(), object.size)).collect();
    assert_eq!(keys, [("a&b <c>", 3), ("d/e é", 3), ("f", 3)]);
    let request = account.head("/bkt/f");
    let head = client.call(&request).expect("a head");
    assert_eq!((head.content_length, head.header("x-amz-meta-of")), (Some(3), Some("run")));
    let request = account.get("/bkt/f", Some((1, 5)), Sink::Text);
    let got = client.call(&request).expect("a part");
    assert_eq!((got.status, got.text.as_slice()), (206, &b"yz"[..]));
    let request = account.delete("/bkt/f");
    assert_eq!(client.call(&request).expect("removed").status, 204);
    assert_eq!(server.objects("bkt").len(), 2);
    assert_eq!((server.connections(), client.reconnects()), (1, 0));
}

#[test]
fn lists_of_several_pages_have_each_object_once() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    for i in 0..1003 {
        put(&mut client, &mut account, &format!("/bkt/k{i:04}"), &mut []);
    }
    let all = s3::list_all(&mut client, &mut account, "/bkt", "k").expect("a list");
    assert!(all.iter().map(|object| object.key.clone()).eq((0..1003).map(|i| format!("k{i:04}"))));
}

#[test]
fn uploads_in_parts_become_one_object() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    let parts: Vec<Vec<u8>> = (0..3).map(|i| (0..70_000u32).map(|j| (j * 7 + i) as u8).collect()).collect();
    let request = account.create_upload("/bkt/big", &[]);
    let id = s3::upload_id(&client.call(&request).expect("an upload").text()).expect("its identifier");
    let mut etags = Vec::new();
    for (number, part) in (1..).zip(&parts) {
        let request = account.part("/bkt/big", &id, number, part.len(), part);
        let answer = client.call_with(&request, &mut OneBuffer(&mut part.clone())).expect("a part");
        etags.push(answer.etag.expect("an ETag"));
    }
    let request = account.complete_upload("/bkt/big", &id, &etags);
    assert!(s3::completed(&client.call(&request).expect("an object").text()));
    assert!(server.objects("bkt")["big"].data == parts.concat());

    let request = account.create_upload("/bkt/gone", &[]);
    let id = s3::upload_id(&client.call(&request).expect("an upload").text()).expect("its identifier");
    let request = account.part("/bkt/gone", &id, 1, 3, b"abc");
    client.call_with(&request, &mut OneBuffer(&mut b"abc".to_owned())).expect("a part");
    let request = account.complete_upload("/bkt/gone", &id, &["\"wrong\"".into()]);
    assert!(!s3::completed(&client.call(&request).expect("an answer").text()));
    let request = account.create_upload("/bkt/gone", &[]);
    let id = s3::upload_id(&client.call(&request).expect("an upload").text()).expect("its identifier");
    let request = account.abort_upload("/bkt/gone", &id);
    client.call(&request).expect("removed");
    assert_eq!(server.open_uploads(), 0);
    assert!(!server.objects("bkt").contains_key("gone"));
}

#[test]
fn session_token_and_virtual_host_are_part_of_the_signature() {
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let endpoint = Style::VirtualHost.endpoint(&Endpoint::new(&server.host(), Https::Off), "bkt");
    let credentials = Credentials { token: Some("session".into()), ..credentials() };
    let settings = Settings { region: "eu-1".into(), ..Settings::new(Some(credentials), Https::Off) };
    let mut account = Account::new(&endpoint, &settings).expect("valid settings");
    let mut client = Client::new(&endpoint, 1, LIMIT).expect("a client");
    put(&mut client, &mut account, &Style::VirtualHost.path("bkt", "k"), &mut b"abc".to_owned());
    assert_eq!(server.objects("bkt")["k"].data, b"abc");
}

#[test]
fn encrypted_objects_are_read_with_their_key_alone() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |settings| {
        settings.customer_key = Some("0123456789abcdef0123456789abcdef".into());
        settings.storage_class = "COLD".into();
    });
    put(&mut client, &mut account, "/bkt/k", &mut b"abc".to_owned());
    let stored = server.objects("bkt")["k"].headers.clone();
    assert!(stored.contains(&("x-amz-storage-class".into(), "COLD".into())), "{stored:?}");
    let request = account.get("/bkt/k", None, Sink::Text);
    assert_eq!(client.call(&request).expect("the object").text, b"abc");
    let (mut client, mut account) = connect(&server, |_| {});
    let request = account.get("/bkt/k", None, Sink::Text);
    assert_eq!(client.call(&request).expect_err("no key").status(), Some(400));
}

#[test]
fn refused_signatures_are_one_line_with_code_and_host() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, _) = connect(&server, |_| {});
    let endpoint = Endpoint::new(&server.host(), Https::Off);
    for (credentials, code) in [
        (Some(Credentials { secret: "other".into(), ..credentials() }), "SignatureDoesNotMatch"),
        (Some(Credentials { key_id: "OTHER".into(), ..credentials() }), "InvalidAccessKeyId"),
        (None, "AccessDenied"),
    ] {
        let mut account =
            Account::new(&endpoint, &Settings::new(credentials, Https::Off)).expect("valid settings");
        let request = account.list("/bkt", "", 1, None);
        let error = client.call(&request).expect_err("the key is wrong");
        assert_eq!((error.code(), error.errno(), error.call()), (Some(code), libc::EACCES, "GET"));
        assert_eq!(
            error.to_string(),
            format!("{}/bkt: HTTP status 403 {code}: refused: {code}", server.host())
        );
    }
}

#[test]
fn contents_that_differ_from_their_digest_are_refused() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    let request = account.put("/bkt/k", 3, b"abc", &[]);
    let error =
        client.call_with(&request, &mut OneBuffer(&mut b"abd".to_owned())).expect_err("other contents");
    assert_eq!(error.code(), Some("XAmzContentSHA256Mismatch"));
}

#[test]
fn chunked_contents_reach_the_buffer() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    let mut data: Vec<u8> = (0..300_000u32).map(|i| (i / 3) as u8).collect();
    put(&mut client, &mut account, "/bkt/k", &mut data);
    server.set(|faults| faults.chunked = true);
    let mut buffer = vec![0; data.len()];
    let request = account.get("/bkt/k", None, Sink::Buffer);
    let answer = client.call_with(&request, &mut OneBuffer(&mut buffer)).expect("the object");
    assert_eq!((answer.received, answer.content_length), (300_000, None));
    assert!(buffer == data);
}

#[test]
fn silent_server_is_given_up_and_named() {
    let server = ObjectServer::start(Protocol::S3);
    server.set(|faults| faults.stall = true);
    let endpoint = Endpoint::new(&server.host(), Https::Off);
    let mut client = Client::new(&endpoint, 2, Duration::from_secs(1)).expect("a client");
    let error = client.call(&Request::new(Method::Get, "/")).expect_err("no answer");
    assert_eq!(error, Error::TimedOut { host: server.host(), seconds: 1 });
    assert_eq!(error.errno(), libc::ETIMEDOUT);
}

#[test]
fn wait_ends_at_its_limit_with_the_request_in_flight() {
    let server = ObjectServer::start(Protocol::S3);
    server.set(|faults| faults.stall = true);
    let endpoint = Endpoint::new(&server.host(), Https::Off);
    let mut client = Client::new(&endpoint, 2, LIMIT).expect("a client");
    assert_eq!(client.wait(1, None, &mut NoBuffers), Waited::Ready);
    client.start(1, &Request::new(Method::Get, "/"), &mut NoBuffers);
    assert_eq!(client.wait(1, Some(Duration::from_millis(20)), &mut NoBuffers), Waited::TimedOut);
    assert_eq!((client.in_flight(), client.ready()), (1, 0));
    server.wait_for_held(1);
    server.set(|faults| faults.stall = false);
    assert_eq!(client.wait(1, None, &mut NoBuffers), Waited::Ready);
    assert_eq!(client.take_done().map(|done| (done.slot, done.result.is_ok())), Some((1, true)));
}

/// A server that answers before it has read the whole request, and closes: the answer counts, not the closed connection.
#[test]
fn early_refusal_of_a_large_request_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let endpoint = Endpoint::new(&listener.local_addr().expect("an address").to_string(), Https::Off);
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut some = [0; 1000];
        let _ = stream.read(&mut some);
        stream
            .write_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .expect("an answer");
        // The rest stays unread until the client has closed.
        std::thread::sleep(Duration::from_millis(50));
    });
    let mut data = vec![0; 20 << 20];
    let mut request = Request::new(Method::Put, "/k");
    request.body = objects::Body::Buffer(data.len());
    let mut client = Client::new(&endpoint, 1, LIMIT).expect("a client");
    let error = client.call_with(&request, &mut OneBuffer(&mut data)).expect_err("refused");
    assert_eq!(error.status(), Some(403));
    server.join().expect("the server ends");
}

#[test]
fn refused_connection_is_an_error_with_the_host() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let host = listener.local_addr().expect("an address").to_string();
    drop(listener);
    let mut client = Client::new(&Endpoint::new(&host, Https::Off), 1, LIMIT).expect("a client");
    let error = client.call(&Request::new(Method::Get, "/")).expect_err("nothing listens");
    assert_eq!(error, Error::Connection { host, call: "connect", errno: libc::ECONNREFUSED });
}

#[test]
fn answer_that_is_no_http_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let host = listener.local_addr().expect("an address").to_string();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n\r\n").expect("a greeting");
        let _ = stream.read(&mut [0; 1000]);
    });
    let mut client = Client::new(&Endpoint::new(&host, Https::Off), 1, LIMIT).expect("a client");
    let error = client.call(&Request::new(Method::Get, "/")).expect_err("not HTTP");
    assert_eq!(error, Error::Answer { host, what: "head" });
    drop(client);
    server.join().expect("the server ends");
}

#[test]
fn times_have_their_order_and_the_connection_is_made_once() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    server.set(|faults| faults.delay = Duration::from_millis(5));
    for kept in [false, true] {
        let request = account.list("/bkt", "", 1, None);
        let before = Instant::now();
        let times = client.call(&request).expect("a list").timings;
        let whole = before.elapsed();
        assert_eq!(times.connect.is_none(), kept);
        assert!(times.connect.unwrap_or_default() <= times.first_byte, "{times:?}");
        assert!(times.first_byte <= times.last_byte && times.last_byte <= whole, "{times:?} in {whole:?}");
        assert!(times.first_byte >= Duration::from_millis(5), "{times:?}");
        assert_eq!(times.server, Some(Duration::from_millis(5)));
    }
}

/// The time to the first byte is the delay of the server, within 2 ms at the median.
#[test]
fn measures_time_to_first_byte_as_the_delay_of_the_server() {
    let server = ObjectServer::start(Protocol::S3);
    let (mut client, mut account) = connect(&server, |_| {});
    put(&mut client, &mut account, "/bkt/k", &mut vec![1; 65_536]);
    for delay in [10, 30] {
        server.set(|faults| faults.delay = Duration::from_millis(delay));
        let mut times: Vec<Duration> = (0..25)
            .map(|_| {
                let request = account.get("/bkt/k", None, Sink::Discard);
                client.call(&request).expect("the object").timings.first_byte
            })
            .collect();
        times.sort_unstable();
        let beyond = times[12].checked_sub(Duration::from_millis(delay)).expect("no earlier than the delay");
        assert!(beyond <= Duration::from_millis(2), "{delay} ms: {times:?}");
    }
}

/// Passes connections with TLS on to `to`, with this certificate and key; returns host and port.
fn tls_front(to: String, certificate: &std::path::Path, key: &std::path::Path) -> String {
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    let chain = vec![CertificateDer::from_pem_file(certificate).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_file(key).expect("a key");
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate with its key");
    let config = std::sync::Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (config, to) = (config.clone(), to.clone());
            std::thread::spawn(move || {
                let connection = rustls::ServerConnection::new(config).expect("a connection");
                let mut tls = rustls::StreamOwned::new(connection, stream);
                let mut plain = TcpStream::connect(to).expect("the server behind");
                // A request, then its answer: HTTP without pipelining needs no more.
                loop {
                    let mut buffer = vec![0; 1 << 20];
                    tls.sock.set_nonblocking(false).expect("a socket");
                    match tls.read(&mut buffer) {
                        Ok(len) if len > 0 => plain.write_all(&buffer[..len]).expect("a request"),
                        _ => return,
                    }
                    plain.set_read_timeout(Some(Duration::from_millis(50))).expect("a socket");
                    while let Ok(len) = plain.read(&mut buffer) {
                        if len == 0 || tls.write_all(&buffer[..len]).is_err() {
                            return;
                        }
                    }
                }
            });
        }
    });
    format!("localhost:{port}")
}

#[test]
fn tls_checks_the_certificate_unless_it_is_told_not_to() {
    testbed::skip_without!(testbed::Need::Program("openssl"));
    let dir = std::env::temp_dir().join(format!("fathom-tls-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    let (certificate, key) = (dir.join("cert.pem"), dir.join("key.pem"));
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-keyout"])
        .args([&key, std::path::Path::new("-out"), &certificate])
        .output()
        .expect("openssl runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let server = ObjectServer::start(Protocol::S3);
    server.create_bucket("bkt");
    let host = tls_front(server.host(), &certificate, &key);
    std::fs::remove_dir_all(&dir).expect("the directory");
    let call = |https: Https| {
        let endpoint = Endpoint::new(&host, https);
        let mut client = Client::new(&endpoint, 1, LIMIT)?;
        let mut account = Account::new(&endpoint, &Settings::new(Some(credentials()), https))?;
        let mut data: Vec<u8> = (0..200_000u32).map(|i| (i / 7) as u8).collect();
        let request = account.put("/bkt/k", data.len(), &data, &[]);
        let times = client.call_with(&request, &mut OneBuffer(&mut data))?.timings;
        assert!(times.connect.is_some_and(|connect| connect <= times.first_byte), "{times:?}");
        let mut back = vec![0; data.len()];
        let request = account.get("/bkt/k", None, Sink::Buffer);
        client.call_with(&request, &mut OneBuffer(&mut back))?;
        Ok::<bool, Error>(back == data)
    };
    assert_eq!(call(Https::Insecure), Ok(true));
    let error = call(Https::On).expect_err("nobody vouches for the certificate");
    assert_eq!((error.call(), error.errno()), ("TLS", libc::EIO));
    assert!(error.to_string().starts_with(&host), "{error}");
    assert!(error.to_string().to_lowercase().contains("certificate"), "{error}");
    let error = call(Https::Off).expect_err("the server expects TLS");
    assert!(
        matches!(error, Error::Answer { .. } | Error::Closed { .. } | Error::Connection { .. }),
        "{error:?}"
    );
}
