//! Signature 4 of AWS for S3, in the header `authorization`.
//!
//! Written from AWS's "Authenticating Requests: Using the Authorization Header". A signature covers the method, the path
//! encoded once, the sorted query, all headers that the request has, and the digest of the contents.

use crate::date::basic;
use crate::request::{Request, canonical_query, encoded};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::SystemTime;

/// Digest that stands for contents that are not signed.
pub const UNSIGNED: &str = "UNSIGNED-PAYLOAD";

/// Credentials of S3.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Identifier of the key.
    pub key_id: String,
    /// Secret of the key.
    pub secret: String,
    /// Token of a temporary session.
    pub token: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Secrets are in no log.
        f.debug_struct("Credentials").field("key_id", &self.key_id).finish_non_exhaustive()
    }
}

/// Signs requests with one key for one region.
#[derive(Debug)]
pub struct Signer {
    credentials: Credentials,
    region: String,
    /// Day of the derived key, and the key.
    derived: Option<(String, [u8; 32])>,
}

impl Signer {
    /// Returns the signer of `credentials` in `region`.
    pub fn new(credentials: Credentials, region: &str) -> Signer {
        Signer { credentials, region: region.into(), derived: None }
    }

    /// Adds the headers of the signature to a request to `host`. `digest` is the hexadecimal SHA-256 of the contents, or
    /// [`UNSIGNED`].
    pub fn sign(&mut self, request: &mut Request, host: &str, digest: &str, now: SystemTime) {
        let time = basic(now);
        request.headers.push(("x-amz-content-sha256", digest.into()));
        request.headers.push(("x-amz-date", time.clone()));
        if let Some(token) = &self.credentials.token {
            request.headers.push(("x-amz-security-token", token.clone()));
        }
        let value = self.authorization(request, host, digest, &time);
        request.headers.push(("authorization", value));
    }

    fn authorization(&mut self, request: &Request, host: &str, digest: &str, time: &str) -> String {
        let mut headers: Vec<(&str, &str)> = request
            .headers
            .iter()
            .map(|(name, value)| (*name, value.trim()))
            .chain([("host", host)])
            .collect();
        headers.sort_unstable();
        let names: Vec<&str> = headers.iter().map(|(name, _)| *name).collect();
        let names = names.join(";");
        let mut canonical = String::with_capacity(512);
        let (path, query) = (encoded(&request.path, true), canonical_query(&request.query));
        let _ = writeln!(canonical, "{}\n{path}\n{query}", request.method.name());
        for (name, value) in &headers {
            let _ = writeln!(canonical, "{name}:{value}");
        }
        let _ = write!(canonical, "\n{names}\n{digest}");
        let day = &time[..8];
        let scope = format!("{day}/{}/s3/aws4_request", self.region);
        let to_sign = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", sha256(canonical.as_bytes()));
        let signature = hex(&mac(&self.key(day), to_sign.as_bytes()));
        let id = &self.credentials.key_id;
        format!("AWS4-HMAC-SHA256 Credential={id}/{scope},SignedHeaders={names},Signature={signature}")
    }

    /// Returns the key of a day, which is derived once.
    fn key(&mut self, day: &str) -> [u8; 32] {
        if let Some((of, key)) = &self.derived
            && of == day
        {
            return *key;
        }
        let first = mac(format!("AWS4{}", self.credentials.secret).as_bytes(), day.as_bytes());
        let key =
            [self.region.as_bytes(), b"s3", b"aws4_request"].iter().fold(first, |key, part| mac(&key, part));
        self.derived = Some((day.into(), key));
        key
    }
}

fn mac(key: &[u8], data: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(data);
    mac.finalize().into_bytes().into()
}

/// Returns the SHA-256 of `data` in hexadecimal.
pub fn sha256(data: &[u8]) -> String {
    hex(&Sha256::digest(data))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Method;
    use std::time::{Duration, UNIX_EPOCH};

    /// Host of the examples in AWS's documentation, and their time: 2013-05-24T00:00:00Z.
    const HOST: &str = "examplebucket.s3.amazonaws.com";

    fn signature(mut request: Request, body: &[u8]) -> String {
        let credentials = Credentials {
            key_id: "AKIAIOSFODNN7EXAMPLE".into(),
            secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".into(),
            token: None,
        };
        let now = UNIX_EPOCH + Duration::from_secs(1_369_353_600);
        Signer::new(credentials, "us-east-1").sign(&mut request, HOST, &sha256(body), now);
        let (_, value) = request.headers.last().expect("a signed request has headers");
        assert!(value.starts_with(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="
        ));
        value.rsplit_once('=').expect("a signature").1.into()
    }

    #[test]
    fn signatures_are_those_of_the_examples_of_aws() {
        let get = Request::new(Method::Get, "/test.txt").header("range", "bytes=0-9");
        assert_eq!(signature(get, b""), "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
        let put = Request::new(Method::Put, "/test$file.text")
            .header("date", "Fri, 24 May 2013 00:00:00 GMT")
            .header("x-amz-storage-class", "REDUCED_REDUNDANCY");
        assert_eq!(
            signature(put, b"Welcome to Amazon S3."),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        );
        let lifecycle = Request::new(Method::Get, "/").query("lifecycle", "");
        assert_eq!(
            signature(lifecycle, b""),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
        );
        let list = Request::new(Method::Get, "/").query("prefix", "J").query("max-keys", "2");
        assert_eq!(signature(list, b""), "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
    }

    #[test]
    fn debug_text_of_credentials_has_no_secret() {
        let credentials =
            Credentials { key_id: "ID".into(), secret: "S3CRET".into(), token: Some("T0KEN".into()) };
        let text = format!("{credentials:?}");
        assert!(text.contains("ID") && !text.contains("S3CRET") && !text.contains("T0KEN"), "{text}");
    }
}
