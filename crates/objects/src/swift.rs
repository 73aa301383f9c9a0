//! Requests of OpenStack Swift: the path names account, container and object (`/v1/AUTH_account/container/object`).

use crate::request::{Method, Request};
use md5::{Digest, Md5};

/// Adds the token of the session to a request.
#[must_use]
pub fn authorize(request: Request, token: &str) -> Request {
    if token.is_empty() { request } else { request.header("x-auth-token", token) }
}

/// Adds the MD5 of the contents to a request that writes them: the server refuses what does not match it.
#[must_use]
pub fn checksum(request: Request, contents: &[u8]) -> Request {
    request.header("etag", crate::signature::hex(&Md5::digest(contents)))
}

/// Returns the request for the names that begin with `prefix` in the container at `path`, at most `names` of them,
/// after `marker`; the answer has one name in each line.
#[must_use]
pub fn list(path: &str, prefix: &str, names: u32, marker: &str) -> Request {
    Request::new(Method::Get, path)
        .query("format", "plain")
        .query("limit", names.to_string())
        .query("marker", marker)
        .query("prefix", prefix)
}
