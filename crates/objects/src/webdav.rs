//! Requests of WebDAV: the path names the file.

use crate::request::Request;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// Adds user and password to a request (basic authentication); without a user it is sent as it is.
#[must_use]
pub fn authorize(request: Request, user: &str, password: &str) -> Request {
    if user.is_empty() {
        return request;
    }
    let word = BASE64_STANDARD.encode(format!("{user}:{password}"));
    request.header("authorization", format!("Basic {word}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;

    /// The example of RFC 7617.
    #[test]
    fn basic_authentication_is_that_of_its_rfc() {
        let request = authorize(Request::new(Method::Get, "/f"), "Aladdin", "open sesame");
        assert_eq!(request.headers, [("authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==".to_string())]);
        assert_eq!(authorize(Request::new(Method::Get, "/f"), "", "").headers, []);
    }
}
