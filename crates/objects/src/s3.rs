//! Requests of S3.

use crate::request::{Body, Method, Request, Sink};
use crate::signature::{Credentials, Signer, UNSIGNED, sha256};
use crate::{Client, Endpoint, Error, Https, xml};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use md5::{Digest, Md5};
use std::time::SystemTime;

/// Settings of an account of S3, with fio's defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Key of the account; requests of an account without a key are not signed.
    pub credentials: Option<Credentials>,
    /// Region of the signature.
    pub region: String,
    /// Storage class of new objects; `STANDARD` is not sent, because it is the default of all servers.
    pub storage_class: String,
    /// Key with which the server encrypts objects: 32 bytes, or their base64.
    pub customer_key: Option<String>,
    /// Algorithm of this encryption.
    pub customer_algorithm: String,
    /// Whether contents are part of the signature; otherwise TLS alone protects them.
    pub sign_contents: bool,
}

impl Settings {
    /// Returns the settings of an account; contents are signed where TLS does not protect them.
    pub fn new(credentials: Option<Credentials>, https: Https) -> Settings {
        Settings {
            credentials,
            region: "us-east-1".into(),
            storage_class: "STANDARD".into(),
            customer_key: None,
            customer_algorithm: "AES256".into(),
            sign_contents: https == Https::Off,
        }
    }
}

/// Account of S3 at an endpoint.
#[derive(Debug)]
pub struct Account {
    host: String,
    signer: Option<Signer>,
    sign_contents: bool,
    storage_class: Option<String>,
    /// Headers of the encryption with a key of the customer.
    encryption: Vec<(&'static str, String)>,
}

impl Account {
    /// Returns the account.
    ///
    /// # Errors
    /// The key of the encryption has not 32 bytes.
    pub fn new(endpoint: &Endpoint, settings: &Settings) -> Result<Account, Error> {
        let encryption = match &settings.customer_key {
            None => Vec::new(),
            Some(text) => {
                let key = customer_key(text).ok_or(Error::Setting { option: "http_s3_sse_customer_key" })?;
                let sum = Md5::digest(&key);
                vec![
                    ("x-amz-server-side-encryption-customer-algorithm", settings.customer_algorithm.clone()),
                    ("x-amz-server-side-encryption-customer-key", BASE64_STANDARD.encode(&key)),
                    ("x-amz-server-side-encryption-customer-key-md5", BASE64_STANDARD.encode(sum)),
                ]
            }
        };
        let signer = settings.credentials.clone();
        Ok(Account {
            host: endpoint.host.clone(),
            signer: signer.map(|credentials| Signer::new(credentials, &settings.region)),
            sign_contents: settings.sign_contents,
            storage_class: Some(settings.storage_class.clone())
                .filter(|class| !class.is_empty() && class != "STANDARD"),
            encryption,
        })
    }

    /// Signs a request, the last step before it is sent. `contents` are the bytes of a [`Body::Buffer`].
    #[must_use]
    pub fn sign(&mut self, mut request: Request, contents: &[u8]) -> Request {
        let Some(signer) = &mut self.signer else { return request };
        let digest = match &request.body {
            Body::Empty => sha256(b""),
            Body::Text(text) => sha256(text),
            Body::Buffer(len) if self.sign_contents => sha256(&contents[..*len]),
            Body::Buffer(_) => UNSIGNED.into(),
        };
        signer.sign(&mut request, &self.host, &digest, SystemTime::now());
        request
    }

    fn encrypted(&self, mut request: Request) -> Request {
        request.headers.extend(self.encryption.iter().cloned());
        request
    }

    fn stored(&self, mut request: Request) -> Request {
        if let Some(class) = &self.storage_class {
            request.headers.push(("x-amz-storage-class", class.clone()));
        }
        self.encrypted(request)
    }

    /// Returns the request that writes the object at `path` from the first `len` bytes of the buffer `contents`.
    #[must_use]
    pub fn put(
        &mut self,
        path: &str,
        len: usize,
        contents: &[u8],
        metadata: &[(&'static str, String)],
    ) -> Request {
        let mut request = self.stored(Request::new(Method::Put, path));
        request.headers.extend(metadata.iter().cloned());
        request.body = Body::Buffer(len);
        self.sign(request, contents)
    }

    /// Returns the request that reads the object at `path`, or `range` (start and length) of it.
    #[must_use]
    pub fn get(&mut self, path: &str, range: Option<(u64, u64)>, sink: Sink) -> Request {
        let mut request = self.encrypted(Request::new(Method::Get, path));
        if let Some((start, len)) = range {
            request = request.range(start, len);
        }
        request.sink = sink;
        self.sign(request, &[])
    }

    /// Returns the request for size and metadata of the object at `path`; of a bucket, whether it exists.
    #[must_use]
    pub fn head(&mut self, path: &str) -> Request {
        let mut request = self.encrypted(Request::new(Method::Head, path));
        request.keep_headers = true;
        self.sign(request, &[])
    }

    /// Returns the request that removes the object at `path`, or an empty bucket.
    #[must_use]
    pub fn delete(&mut self, path: &str) -> Request {
        self.sign(Request::new(Method::Delete, path), &[])
    }

    /// Returns the request that creates the bucket at `path`.
    #[must_use]
    pub fn create_bucket(&mut self, path: &str) -> Request {
        self.sign(Request::new(Method::Put, path), &[])
    }

    /// Returns the request for the names that begin with `prefix` in the bucket at `path`, at most `keys` of them, after
    /// those of an earlier page (`continuation`).
    #[must_use]
    pub fn list(&mut self, path: &str, prefix: &str, keys: u32, continuation: Option<&str>) -> Request {
        let mut request = Request::new(Method::Get, path)
            .query("list-type", "2")
            .query("max-keys", keys.to_string())
            .query("prefix", prefix);
        if let Some(token) = continuation {
            request = request.query("continuation-token", token);
        }
        self.sign(request, &[])
    }

    /// Returns the request that begins a multipart upload; [`upload_id`] reads its answer.
    #[must_use]
    pub fn create_upload(&mut self, path: &str, metadata: &[(&'static str, String)]) -> Request {
        let mut request = self.stored(Request::new(Method::Post, path).query("uploads", ""));
        request.headers.extend(metadata.iter().cloned());
        self.sign(request, &[])
    }

    /// Returns the request that sends part `number` (from 1) of an upload.
    #[must_use]
    pub fn part(&mut self, path: &str, id: &str, number: u32, len: usize, contents: &[u8]) -> Request {
        let mut request = self.encrypted(
            Request::new(Method::Put, path).query("partNumber", number.to_string()).query("uploadId", id),
        );
        request.body = Body::Buffer(len);
        self.sign(request, contents)
    }

    /// Returns the request that makes an object of the parts with these ETags, in the order of their numbers. The
    /// answer may be an error with status 200; [`completed`] checks it.
    #[must_use]
    pub fn complete_upload(&mut self, path: &str, id: &str, etags: &[String]) -> Request {
        let mut text = String::from("<CompleteMultipartUpload>");
        for (number, etag) in (1..).zip(etags) {
            let etag = xml::escape(etag);
            text += &format!("<Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>");
        }
        text += "</CompleteMultipartUpload>";
        let mut request = Request::new(Method::Post, path).query("uploadId", id);
        request.body = Body::Text(text.into_bytes());
        self.sign(request, &[])
    }

    /// Returns the request for the uploads in the bucket at `path` that were neither completed nor removed and whose keys
    /// begin with `prefix`, after `marker`; [`Uploads::read`] reads its answer.
    #[must_use]
    pub fn list_uploads(&mut self, path: &str, prefix: &str, marker: Option<&Upload>) -> Request {
        let mut request = Request::new(Method::Get, path)
            .query("uploads", "")
            .query("max-uploads", "1000")
            .query("prefix", prefix);
        if let Some(marker) = marker {
            request = request.query("key-marker", &*marker.key).query("upload-id-marker", &*marker.id);
        }
        self.sign(request, &[])
    }

    /// Returns the request that removes an upload and its parts.
    #[must_use]
    pub fn abort_upload(&mut self, path: &str, id: &str) -> Request {
        self.sign(Request::new(Method::Delete, path).query("uploadId", id), &[])
    }
}

/// Reads the key of an encryption: 32 bytes, or their base64.
fn customer_key(text: &str) -> Option<Vec<u8>> {
    if text.len() == 32 {
        return Some(text.as_bytes().to_vec());
    }
    BASE64_STANDARD.decode(text).ok().filter(|key| key.len() == 32)
}

/// One object of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Key, without the bucket.
    pub key: String,
    /// Size in bytes.
    pub size: u64,
}

/// One page of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Objects in the order of their keys.
    pub objects: Vec<Listed>,
    /// Token of the next page; `None` after the last.
    pub continuation: Option<String>,
}

impl Page {
    /// Reads the answer to [`Account::list`].
    pub fn read(text: &str) -> Page {
        let objects = xml::all(text, "Contents").into_iter().filter_map(|entry| {
            let key = xml::text(entry, "Key")?;
            let size = xml::raw(entry, "Size").and_then(|size| size.trim().parse().ok()).unwrap_or(0);
            Some(Listed { key, size })
        });
        let truncated = xml::raw(text, "IsTruncated").is_some_and(|value| value.trim() == "true");
        let continuation = xml::text(text, "NextContinuationToken").filter(|_| truncated);
        Page { objects: objects.collect(), continuation }
    }
}

/// A multipart upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Key of the object.
    pub key: String,
    /// Identifier of the upload.
    pub id: String,
}

/// One page of a list of uploads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uploads {
    /// Uploads in the order of their keys.
    pub uploads: Vec<Upload>,
    /// Marker of the next page; `None` after the last.
    pub marker: Option<Upload>,
}

impl Uploads {
    /// Reads the answer to [`Account::list_uploads`].
    pub fn read(text: &str) -> Uploads {
        let uploads = xml::all(text, "Upload").into_iter().filter_map(|entry| {
            Some(Upload { key: xml::text(entry, "Key")?, id: xml::text(entry, "UploadId")? })
        });
        let truncated = xml::raw(text, "IsTruncated").is_some_and(|value| value.trim() == "true");
        let marker = xml::text(text, "NextKeyMarker").filter(|_| truncated);
        let marker =
            marker.map(|key| Upload { key, id: xml::text(text, "NextUploadIdMarker").unwrap_or_default() });
        Uploads { uploads: uploads.collect(), marker }
    }
}

/// Reads the identifier of an upload from the answer to [`Account::create_upload`].
pub fn upload_id(text: &str) -> Option<String> {
    xml::text(text, "UploadId")
}

/// Returns whether the answer to [`Account::complete_upload`] says that the object was made.
pub fn completed(text: &str) -> bool {
    xml::raw(text, "CompleteMultipartUploadResult").is_some()
}

/// Returns all objects whose keys begin with `prefix` in the bucket at `path`.
///
/// # Errors
/// As [`Client::call`].
pub fn list_all(
    client: &mut Client,
    account: &mut Account,
    path: &str,
    prefix: &str,
) -> Result<Vec<Listed>, Error> {
    let (mut all, mut continuation) = (Vec::new(), None);
    loop {
        let request = account.list(path, prefix, 1000, continuation.as_deref());
        let page = Page::read(&client.call(&request)?.text());
        all.extend(page.objects);
        continuation = page.continuation;
        if continuation.is_none() {
            return Ok(all);
        }
    }
}

/// Style in which requests name the bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The bucket is the first part of the path.
    #[default]
    Path,
    /// The bucket is the first label of the host.
    VirtualHost,
}

impl Style {
    /// Returns the endpoint for requests to `bucket`.
    #[must_use]
    pub fn endpoint(self, endpoint: &Endpoint, bucket: &str) -> Endpoint {
        match self {
            Self::Path => endpoint.clone(),
            Self::VirtualHost => endpoint.virtual_host(bucket),
        }
    }

    /// Returns the path of the object `key` in `bucket`; the bucket's own with an empty key.
    pub fn path(self, bucket: &str, key: &str) -> String {
        match self {
            Self::Path if key.is_empty() => format!("/{bucket}"),
            Self::Path => format!("/{bucket}/{key}"),
            Self::VirtualHost => format!("/{key}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(settings: impl FnOnce(&mut Settings)) -> Account {
        let credentials = Credentials { key_id: "ID".into(), secret: "S".into(), token: Some("T".into()) };
        let mut all = Settings::new(Some(credentials), Https::Off);
        settings(&mut all);
        Account::new(&Endpoint::new("h", Https::Off), &all).expect("valid settings")
    }

    fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
        request.headers.iter().find(|(of, _)| *of == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn storage_class_and_encryption_are_sent_where_they_apply() {
        let key = "0123456789abcdef0123456789abcdef";
        let mut account = account(|s| {
            s.storage_class = "REDUCED_REDUNDANCY".into();
            s.customer_key = Some(key.into());
        });
        let (put, get) = (account.put("/b/k", 1, b"x", &[]), account.get("/b/k", None, Sink::Buffer));
        assert_eq!(header(&put, "x-amz-storage-class"), Some("REDUCED_REDUNDANCY"));
        assert_eq!(header(&get, "x-amz-storage-class"), None);
        for request in [&put, &get, &account.head("/b/k")] {
            assert_eq!(header(request, "x-amz-server-side-encryption-customer-algorithm"), Some("AES256"));
            assert_eq!(
                header(request, "x-amz-server-side-encryption-customer-key"),
                Some("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")
            );
            // md5 of the key, by md5sum and base64.
            assert_eq!(
                header(request, "x-amz-server-side-encryption-customer-key-md5"),
                Some("hRasmdxgYDKV3nvbahU1MA==")
            );
            assert_eq!(header(request, "x-amz-security-token"), Some("T"));
            let signed = header(request, "authorization").expect("a signed request");
            assert!(signed.contains("x-amz-server-side-encryption-customer-key-md5"), "{signed}");
        }
        assert_eq!(header(&account.delete("/b/k"), "x-amz-server-side-encryption-customer-key"), None);
        let encoded = customer_key("MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        assert_eq!(encoded.as_deref(), Some(key.as_bytes()));
        assert_eq!(customer_key("short"), None);
    }

    #[test]
    fn contents_are_signed_unless_tls_protects_them() {
        let digest = |request: &Request| header(request, "x-amz-content-sha256").map(str::to_owned);
        let mut signing = account(|_| {});
        assert_eq!(digest(&signing.put("/b/k", 3, b"abcdef", &[])), Some(sha256(b"abc")));
        let mut trusting = account(|s| s.sign_contents = false);
        assert_eq!(digest(&trusting.put("/b/k", 3, b"abc", &[])).as_deref(), Some(UNSIGNED));
        assert_eq!(digest(&trusting.get("/b/k", None, Sink::Buffer)), Some(sha256(b"")));
    }

    #[test]
    fn pages_of_a_list_are_read_with_their_continuation() {
        let page = Page::read(
            "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>a/b=</NextContinuationToken>\
             <Contents><Key>x&amp;y</Key><Size>12</Size></Contents><Contents><Key>z</Key><Size>0</Size></Contents>\
             </ListBucketResult>",
        );
        let listed = |key: &str, size| Listed { key: key.into(), size };
        assert_eq!(page.objects, [listed("x&y", 12), listed("z", 0)]);
        assert_eq!(page.continuation.as_deref(), Some("a/b="));
        let last = Page::read("<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
        assert_eq!(last, Page::default());
    }

    #[test]
    fn lists_of_uploads_are_read_with_their_marker() {
        let upload = |key: &str, id: &str| Upload { key: key.into(), id: id.into() };
        let page = Uploads::read(
            "<ListMultipartUploadsResult><NextKeyMarker>b</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>\
             <IsTruncated>true</IsTruncated><Upload><Key>a&amp;</Key><UploadId>1</UploadId></Upload>\
             <Upload><Key>b</Key><UploadId>2</UploadId></Upload></ListMultipartUploadsResult>",
        );
        assert_eq!(page.uploads, [upload("a&", "1"), upload("b", "2")]);
        assert_eq!(page.marker, Some(upload("b", "2")));
        assert_eq!(
            Uploads::read(
                "<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>"
            ),
            Uploads::default()
        );
    }

    #[test]
    fn styles_name_the_bucket_in_the_path_or_in_the_host() {
        let endpoint = Endpoint::new("h:9000", Https::Off);
        assert_eq!(Style::Path.path("b", "k/l"), "/b/k/l");
        assert_eq!(Style::Path.path("b", ""), "/b");
        assert_eq!(Style::VirtualHost.path("b", "k/l"), "/k/l");
        assert_eq!(Style::VirtualHost.endpoint(&endpoint, "b").host, "b.h:9000");
        assert_eq!(Style::VirtualHost.endpoint(&endpoint, "b").address, "h:9000");
    }
}
