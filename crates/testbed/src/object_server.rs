//! A server of object storage inside the test process: S3 with signature 4, Swift and WebDAV, with contents that a test
//! can read, a log of its requests, and faults that a test sets. Written from the protocols' specifications, without
//! code of the client that it tests.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use md5::Md5;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Identifier of the key of the server.
pub const KEY_ID: &str = "AKTEST";
/// Secret of the key.
pub const SECRET: &str = "secret/of+tests";
/// Token of Swift.
pub const TOKEN: &str = "AUTH_tk0123";
/// User and password of WebDAV.
pub const USER: (&str, &str) = ("user", "pass:word");

/// Protocol of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// S3: buckets, signatures, lists, uploads in parts.
    S3,
    /// Swift: paths with a token.
    Swift,
    /// WebDAV: paths with basic authentication.
    WebDav,
}

/// Faults of a server; all can be changed while it runs.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    /// Time between the last byte of a request and the first byte of its answer.
    pub delay: Duration,
    /// Answer to each request: status and error code.
    pub fail: Option<(u16, &'static str)>,
    /// Whether answers are held back until this is false again.
    pub stall: bool,
    /// Number of answers after which a connection is closed, without `Connection: close`.
    pub close_after: Option<u32>,
    /// Whether contents are sent in chunks, without a length.
    pub chunked: bool,
    /// Whether ranges of objects are ignored.
    pub no_ranges: bool,
    /// Offset of a byte of each object that answers to GET have wrong.
    pub wrong_byte: Option<usize>,
}

/// A stored object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Contents.
    pub data: Vec<u8>,
    /// Headers with which it was written: metadata, storage class and the digest of the key of its encryption.
    pub headers: Vec<(String, String)>,
    /// ETag; kept, because the digest of a large object takes longer than reading it.
    pub etag: String,
}

/// A request as it was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logged {
    /// Method.
    pub method: String,
    /// Path, decoded.
    pub path: String,
    /// Status of the answer.
    pub status: u16,
    /// Connection on which it came, in the order in which they were accepted.
    pub connection: u32,
}

/// An upload in parts that was neither completed nor removed.
#[derive(Debug, Default)]
struct Upload {
    headers: Vec<(String, String)>,
    parts: BTreeMap<u32, Vec<u8>>,
}

#[derive(Debug, Default)]
struct State {
    /// Objects by bucket and key; of Swift and WebDAV, all in the bucket with an empty name.
    buckets: BTreeMap<String, BTreeMap<String, Stored>>,
    /// Uploads by their identifier, which is bucket and key.
    uploads: BTreeMap<String, Upload>,
    log: Vec<Logged>,
    faults: Faults,
    streams: Vec<TcpStream>,
    connections: u32,
    /// Requests that are held back.
    held: usize,
    ended: bool,
}

#[derive(Debug)]
struct Shared {
    protocol: Protocol,
    address: SocketAddr,
    state: Mutex<State>,
    changed: Condvar,
}

/// A running server; it ends on drop.
#[derive(Debug)]
pub struct ObjectServer {
    shared: Arc<Shared>,
    /// Thread that accepts connections, and holds the port.
    acceptor: Mutex<Option<JoinHandle<()>>>,
}

impl ObjectServer {
    /// Starts a server on a free port of 127.0.0.1.
    pub fn start(protocol: Protocol) -> ObjectServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared { protocol, address, state: Mutex::default(), changed: Condvar::new() });
        let accepting = shared.clone();
        let acceptor = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = accepting.clone();
                let mut state = shared.state();
                if state.ended {
                    return;
                }
                state.connections += 1;
                let number = state.connections;
                state.streams.extend(stream.try_clone());
                drop(state);
                std::thread::spawn(move || shared.serve(stream, number));
            }
        });
        ObjectServer { shared, acceptor: Mutex::new(Some(acceptor)) }
    }

    /// Returns host and port.
    pub fn host(&self) -> String {
        self.shared.address.to_string()
    }

    /// Changes the faults.
    pub fn set(&self, change: impl FnOnce(&mut Faults)) {
        change(&mut self.shared.state().faults);
        self.shared.changed.notify_all();
    }

    /// Creates a bucket.
    pub fn create_bucket(&self, bucket: &str) {
        self.shared.state().buckets.entry(bucket.into()).or_default();
    }

    /// Returns the objects of a bucket by key; of Swift and WebDAV, those of the bucket with an empty name by path.
    pub fn objects(&self, bucket: &str) -> BTreeMap<String, Stored> {
        self.shared.state().buckets.get(bucket).cloned().unwrap_or_default()
    }

    /// Returns the requests so far, in the order in which they were answered.
    pub fn log(&self) -> Vec<Logged> {
        self.shared.state().log.clone()
    }

    /// Returns the number of connections so far.
    pub fn connections(&self) -> u32 {
        self.shared.state().connections
    }

    /// Waits until the server, whose answers are held back, has this number of requests.
    ///
    /// # Panics
    /// The requests do not come within a minute.
    pub fn wait_for_held(&self, requests: usize) {
        let end = Instant::now() + Duration::from_secs(60);
        while self.shared.state().held < requests {
            assert!(Instant::now() < end, "the server has {} requests", self.shared.state().held);
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the number of uploads that were neither completed nor removed.
    pub fn open_uploads(&self) -> usize {
        self.shared.state().uploads.len()
    }

    /// Closes all connections, as a server that is killed; later attempts to connect are refused.
    pub fn kill(&self) {
        let mut state = self.shared.state();
        if std::mem::replace(&mut state.ended, true) {
            return;
        }
        for stream in state.streams.drain(..) {
            // The client may have closed it.
            let _ = stream.shutdown(Shutdown::Both);
        }
        drop(state);
        self.shared.changed.notify_all();
        // Ends the wait for a connection, so that the port is closed.
        let _ = TcpStream::connect(self.shared.address);
        let acceptor = self.acceptor.lock().ok().and_then(|mut acceptor| acceptor.take());
        if let Some(acceptor) = acceptor {
            let _ = acceptor.join();
        }
    }
}

impl Drop for ObjectServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A request.
#[derive(Debug, Default)]
struct Received {
    method: String,
    /// Path and query as they were sent.
    raw_path: String,
    raw_query: String,
    path: String,
    query: BTreeMap<String, String>,
    /// Names in lower case.
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

#[derive(Debug, Default)]
struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
    /// Size of an object that an answer to HEAD names instead of the length of its contents.
    length: Option<usize>,
}

fn answer(status: u16) -> Answer {
    Answer { status, ..Answer::default() }
}

fn text(body: String) -> Answer {
    Answer { status: 200, body: body.into_bytes(), ..Answer::default() }
}

fn refusal(status: u16, code: &str) -> Answer {
    let body = format!(
        "<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>refused: {code}</Message></Error>"
    );
    Answer { status, body: body.into_bytes(), ..Answer::default() }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread of the server panics")
    }

    fn serve(&self, stream: TcpStream, connection: u32) {
        // Both fail only if the client has gone.
        let _ = stream.set_nodelay(true);
        let Ok(reader) = stream.try_clone() else { return };
        let (mut reader, mut stream) = (BufReader::new(reader), stream);
        let mut answered = 0;
        while let Some(request) = read_request(&mut reader) {
            let arrived = Instant::now();
            let mut state = self.state();
            state.held += 1;
            while state.faults.stall && !state.ended {
                state = self.changed.wait(state).expect("no thread of the server panics");
            }
            state.held -= 1;
            if state.ended {
                return;
            }
            let faults = state.faults.clone();
            let mut out = match faults.fail {
                Some((status, code)) => refusal(status, code),
                None => self.answer(&mut state, &request, &faults),
            };
            let (method, path) = (request.method.clone(), request.path.clone());
            state.log.push(Logged { method, path, status: out.status, connection });
            drop(state);
            if faults.delay > Duration::ZERO {
                let ms = faults.delay.as_secs_f64() * 1e3;
                out.headers.push(("Server-Timing".into(), format!("total;dur={ms}")));
                std::thread::sleep((arrived + faults.delay).saturating_duration_since(Instant::now()));
            }
            answered += 1;
            if stream.write_all(&written(&request, &out, faults.chunked)).is_err() {
                return;
            }
            if faults.close_after.is_some_and(|limit| answered >= limit) {
                let _ = stream.shutdown(Shutdown::Both);
                return;
            }
        }
    }

    fn answer(&self, state: &mut State, request: &Received, faults: &Faults) -> Answer {
        let header = |name: &str| request.headers.get(name).map(String::as_str);
        match self.protocol {
            Protocol::S3 => {
                if let Err(code) = check_signature(request) {
                    return refusal(if code == "XAmzContentSHA256Mismatch" { 400 } else { 403 }, code);
                }
                let (bucket, key) = self.place(request);
                if key.is_empty() {
                    return of_bucket(state, request, &bucket);
                }
                if request.query.contains_key("uploads") || request.query.contains_key("uploadId") {
                    return of_upload(state, request, &bucket, &key);
                }
                let Some(objects) = state.buckets.get_mut(&bucket) else {
                    return refusal(404, "NoSuchBucket");
                };
                of_object(objects, &key, request, faults)
            }
            Protocol::Swift if header("x-auth-token") != Some(TOKEN) => answer(401),
            Protocol::Swift if request.query.contains_key("format") => {
                let objects = state.buckets.entry(String::new()).or_default();
                let prefix = format!("{}/{}", request.path, request.query["prefix"]);
                let limit = request.query["limit"].parse().unwrap_or(10_000);
                let names = objects.keys().filter(|path| path.starts_with(&prefix)).take(limit);
                text(names.map(|path| format!("{}\n", &path[request.path.len() + 1..])).collect())
            }
            Protocol::WebDav if header("authorization") != Some(&basic_authentication()) => answer(401),
            Protocol::Swift
                if header("etag").is_some_and(|sum| sum != etag(&request.body).trim_matches('"')) =>
            {
                answer(422)
            }
            Protocol::Swift | Protocol::WebDav => {
                let objects = state.buckets.entry(String::new()).or_default();
                of_object(objects, &request.path, request, faults)
            }
        }
    }

    /// Returns bucket and key of a request, in path style or in virtual-host style.
    fn place(&self, request: &Received) -> (String, String) {
        let host = request.headers.get("host").map(String::as_str).unwrap_or_default();
        let own = self.address.to_string();
        let path = request.path.trim_start_matches('/');
        match host.strip_suffix(&own).and_then(|label| label.strip_suffix('.')) {
            Some(bucket) => (bucket.into(), path.into()),
            None => {
                let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
                (bucket.into(), key.into())
            }
        }
    }
}

fn basic_authentication() -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{}:{}", USER.0, USER.1)))
}

fn of_bucket(state: &mut State, request: &Received, bucket: &str) -> Answer {
    if request.method == "PUT" {
        state.buckets.entry(bucket.into()).or_default();
        return answer(200);
    }
    let Some(objects) = state.buckets.get(bucket) else { return refusal(404, "NoSuchBucket") };
    match request.method.as_str() {
        "GET" if request.query.contains_key("uploads") => {
            let start = format!("{bucket}/{}", request.query.get("prefix").cloned().unwrap_or_default());
            let mut out = String::from("<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>");
            for id in state.uploads.keys().filter(|id| id.starts_with(&start)) {
                let key = xml(&id[bucket.len() + 1..]);
                let _ = write!(out, "<Upload><Key>{key}</Key><UploadId>{}</UploadId></Upload>", xml(id));
            }
            text(out + "</ListMultipartUploadsResult>")
        }
        "HEAD" => answer(200),
        "DELETE" if objects.is_empty() => {
            state.buckets.remove(bucket);
            answer(204)
        }
        "DELETE" => refusal(409, "BucketNotEmpty"),
        "GET" => {
            let value = |name: &str| request.query.get(name).cloned().unwrap_or_default();
            let (prefix, after) = (value("prefix"), value("continuation-token"));
            let limit: usize = value("max-keys").parse().unwrap_or(1000).min(1000);
            let all = objects.iter().filter(|(key, _)| key.starts_with(&prefix) && **key > after);
            let page: Vec<_> = all.clone().take(limit).collect();
            let more = all.count() > page.len();
            let mut out = format!(
                "<?xml version=\"1.0\"?><ListBucketResult><Name>{bucket}</Name><IsTruncated>{more}</IsTruncated>"
            );
            if let Some((last, _)) = page.last().filter(|_| more) {
                let _ = write!(out, "<NextContinuationToken>{}</NextContinuationToken>", xml(last));
            }
            for (key, object) in page {
                let _ = write!(
                    out,
                    "<Contents><Key>{}</Key><Size>{}</Size></Contents>",
                    xml(key),
                    object.data.len()
                );
            }
            text(out + "</ListBucketResult>")
        }
        _ => refusal(405, "MethodNotAllowed"),
    }
}

fn of_upload(state: &mut State, request: &Received, bucket: &str, key: &str) -> Answer {
    let id = format!("{bucket}/{key}");
    let known = request.query.get("uploadId").is_some_and(|of| *of == id) && state.uploads.contains_key(&id);
    match request.method.as_str() {
        "POST" if request.query.contains_key("uploads") => {
            let upload = Upload { headers: kept_headers(request), parts: BTreeMap::new() };
            state.uploads.insert(id.clone(), upload);
            text(format!(
                "<InitiateMultipartUploadResult><UploadId>{}</UploadId></InitiateMultipartUploadResult>",
                xml(&id)
            ))
        }
        _ if !known => refusal(404, "NoSuchUpload"),
        "PUT" => {
            let number = request.query.get("partNumber").and_then(|n| n.parse().ok()).unwrap_or(0);
            let mut out = answer(200);
            out.headers.push(("ETag".into(), etag(&request.body)));
            state.uploads.entry(id).or_default().parts.insert(number, request.body.clone());
            out
        }
        "DELETE" => {
            state.uploads.remove(&id);
            answer(204)
        }
        "POST" => {
            let Upload { headers, parts } = state.uploads.remove(&id).unwrap_or_default();
            let wanted = String::from_utf8_lossy(&request.body);
            // The answer to a complete upload is 200 before its outcome is known; errors come in the contents.
            if !parts.values().all(|part| wanted.contains(&xml(&etag(part)))) {
                return text("<Error><Code>InvalidPart</Code><Message>wrong ETag</Message></Error>".into());
            }
            let data: Vec<u8> = parts.into_values().flatten().collect();
            let object = Stored { etag: etag(&data), data, headers };
            state.buckets.entry(bucket.into()).or_default().insert(key.into(), object);
            text("<CompleteMultipartUploadResult><Key>k</Key></CompleteMultipartUploadResult>".into())
        }
        _ => refusal(405, "MethodNotAllowed"),
    }
}

/// Header with the digest of the key of an object's encryption.
const ENCRYPTION: &str = "x-amz-server-side-encryption-customer-key-md5";

/// Returns the headers that are stored with an object.
fn kept_headers(request: &Received) -> Vec<(String, String)> {
    let kept =
        |name: &str| name.starts_with("x-amz-meta-") || name == "x-amz-storage-class" || name == ENCRYPTION;
    let headers = request.headers.iter().filter(|(name, _)| kept(name));
    headers.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn of_object(
    objects: &mut BTreeMap<String, Stored>,
    key: &str,
    request: &Received,
    faults: &Faults,
) -> Answer {
    match request.method.as_str() {
        "PUT" => {
            let etag = etag(&request.body);
            let mut out = answer(200);
            out.headers.push(("ETag".into(), etag.clone()));
            let stored = Stored { data: request.body.clone(), headers: kept_headers(request), etag };
            objects.insert(key.into(), stored);
            out
        }
        "DELETE" => answer(if objects.remove(key).is_some() || key.is_empty() { 204 } else { 404 }),
        "GET" | "HEAD" => {
            let Some(object) = objects.get(key) else { return refusal(404, "NoSuchKey") };
            let secret = object.headers.iter().find(|(name, _)| name == ENCRYPTION).map(|(_, value)| value);
            if secret != request.headers.get(ENCRYPTION) {
                return refusal(400, "InvalidRequest");
            }
            let mut out = answer(200);
            out.headers = object.headers.clone();
            out.headers.push(("ETag".into(), object.etag.clone()));
            out.length = Some(object.data.len());
            let range = request.headers.get("range").filter(|_| !faults.no_ranges);
            out.body = match range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) {
                Some((first, last)) => {
                    let (first, last): (usize, usize) =
                        (first.parse().unwrap_or(0), last.parse().unwrap_or(0));
                    if first >= object.data.len() {
                        return refusal(416, "InvalidRange");
                    }
                    out.status = 206;
                    object.data[first..(last + 1).min(object.data.len())].to_vec()
                }
                None => object.data.clone(),
            };
            if let Some(byte) = faults.wrong_byte.and_then(|at| out.body.get_mut(at)) {
                *byte ^= 1;
            }
            out
        }
        _ => refusal(405, "MethodNotAllowed"),
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<Received> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|len| *len > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (raw_path, raw_query) = target.split_once('?').unwrap_or((&target, ""));
    let mut request = Received {
        method,
        raw_path: raw_path.into(),
        raw_query: raw_query.into(),
        path: decoded(raw_path),
        ..Received::default()
    };
    for part in raw_query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        request.query.insert(decoded(name), decoded(value));
    }
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok().filter(|len| *len > 0)?;
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        request.headers.insert(name.to_ascii_lowercase(), value.trim().into());
    }
    let length = request.headers.get("content-length").and_then(|len| len.parse().ok()).unwrap_or(0);
    request.body = vec![0; length];
    reader.read_exact(&mut request.body).ok()?;
    Some(request)
}

fn written(request: &Received, answer: &Answer, chunked: bool) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {} X\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n", answer.status);
    for (name, value) in &answer.headers {
        let _ = write!(out, "{name}: {value}\r\n");
    }
    let head = request.method == "HEAD";
    let chunked = chunked && !head && answer.status != 204;
    if chunked {
        out += "Transfer-Encoding: chunked\r\n\r\n";
    } else if answer.status == 204 {
        out += "\r\n";
    } else {
        let length = if head { answer.length.unwrap_or(0) } else { answer.body.len() };
        let _ = write!(out, "Content-Length: {length}\r\n\r\n");
    }
    let mut out = out.into_bytes();
    if head || answer.status == 204 {
        return out;
    }
    if chunked {
        for chunk in answer.body.chunks(1000) {
            out.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
            out.extend_from_slice(chunk);
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"0\r\n\r\n");
    } else {
        out.extend_from_slice(&answer.body);
    }
    out
}

/// Checks the signature of a request as AWS's "Authenticating Requests" says; returns the code of the error.
fn check_signature(request: &Received) -> Result<(), &'static str> {
    let header = |name: &str| request.headers.get(name).map(String::as_str);
    let value = header("authorization").ok_or("AccessDenied")?;
    let value = value.strip_prefix("AWS4-HMAC-SHA256 ").ok_or("AuthorizationHeaderMalformed")?;
    let field = |name: &str| {
        let mut parts = value.split(',').map(str::trim);
        parts
            .find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
            .ok_or("AuthorizationHeaderMalformed")
    };
    let credential: Vec<&str> = field("Credential")?.split('/').collect();
    let [id, day, region, "s3", "aws4_request"] = credential[..] else {
        return Err("AuthorizationHeaderMalformed");
    };
    if id != KEY_ID {
        return Err("InvalidAccessKeyId");
    }
    let time = header("x-amz-date").filter(|time| time.starts_with(day)).ok_or("AccessDenied")?;
    let names: Vec<&str> = field("SignedHeaders")?.split(';').collect();
    // Host and all headers of Amazon have to be signed.
    let needed = request.headers.keys().filter(|name| name.starts_with("x-amz-") || *name == "host");
    if !needed.clone().all(|name| names.contains(&name.as_str())) || !names.is_sorted() {
        return Err("AccessDenied");
    }
    let digest = header("x-amz-content-sha256").ok_or("AccessDenied")?;
    if digest != "UNSIGNED-PAYLOAD" && digest != hex(&Sha256::digest(&request.body)) {
        return Err("XAmzContentSHA256Mismatch");
    }
    let mut query: Vec<&str> = request.raw_query.split('&').filter(|part| !part.is_empty()).collect();
    query.sort_unstable();
    let headers: String =
        names.iter().map(|name| format!("{name}:{}\n", header(name).unwrap_or_default())).collect();
    let canonical = format!(
        "{}\n{}\n{}\n{headers}\n{}\n{digest}",
        request.method,
        request.raw_path,
        query.join("&"),
        names.join(";")
    );
    let to_sign = format!(
        "AWS4-HMAC-SHA256\n{time}\n{day}/{region}/s3/aws4_request\n{}",
        hex(&Sha256::digest(canonical.as_bytes()))
    );
    let mut key = hmac(format!("AWS4{SECRET}").as_bytes(), day.as_bytes());
    for part in [region, "s3", "aws4_request"] {
        key = hmac(&key, part.as_bytes());
    }
    if field("Signature")? == hex(&hmac(&key, to_sign.as_bytes())) {
        Ok(())
    } else {
        Err("SignatureDoesNotMatch")
    }
}

/// HMAC of RFC 2104 with SHA-256.
fn hmac(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut block = [0; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner: Vec<u8> = block.iter().map(|byte| byte ^ 0x36).chain(data.iter().copied()).collect();
    let outer: Vec<u8> = block.iter().map(|byte| byte ^ 0x5c).chain(Sha256::digest(inner)).collect();
    Sha256::digest(outer).to_vec()
}

fn etag(data: &[u8]) -> String {
    format!("\"{}\"", hex(&Md5::digest(data)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let digits = (bytes[i] == b'%').then(|| text.get(i + 1..i + 3)).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                i += 3;
            }
            None => {
                out.push(bytes[i]);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
