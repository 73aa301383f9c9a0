//! Address of a server.

use crate::Error;
use std::net::{SocketAddr, ToSocketAddrs};

/// Whether requests are encrypted (fio's `https`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Https {
    /// HTTP without TLS.
    #[default]
    Off,
    /// TLS; the certificate is checked against the authorities that the machine trusts.
    On,
    /// TLS; any certificate is accepted.
    Insecure,
}

/// Server of object storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Name and port that requests carry in `Host`, and the name of the certificate.
    pub host: String,
    /// Name and port to which connections are made.
    pub address: String,
    /// Encryption.
    pub https: Https,
}

impl Endpoint {
    /// Returns the endpoint `host`, which is a name or an address with or without a port.
    pub fn new(host: &str, https: Https) -> Endpoint {
        Endpoint { host: host.into(), address: host.into(), https }
    }

    /// Returns the endpoint for requests to `bucket` in virtual-host style: the same server, with the bucket as the first
    /// label of the host.
    #[must_use]
    pub fn virtual_host(&self, bucket: &str) -> Endpoint {
        Endpoint { host: format!("{bucket}.{}", self.host), ..self.clone() }
    }

    /// Returns whether requests are encrypted.
    pub fn is_https(&self) -> bool {
        self.https != Https::Off
    }

    /// Returns the name of the host without its port.
    pub fn name(&self) -> &str {
        split(&self.host).0
    }

    /// Returns the addresses of the server, in the order of the resolver.
    ///
    /// # Errors
    /// The name has no address.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, Error> {
        let (name, port) = split(&self.address);
        let failed = |text: String| Error::Address { host: self.address.clone(), text };
        let default = if self.https == Https::Off { 80 } else { 443 };
        let port = match port {
            Some(port) => port.parse().map_err(|e: std::num::ParseIntError| failed(e.to_string()))?,
            None => default,
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let addresses: Vec<SocketAddr> =
            (name, port).to_socket_addrs().map_err(|e| failed(crate::error::resolver_text(&e)))?.collect();
        if addresses.is_empty() { Err(failed("no address".into())) } else { Ok(addresses) }
    }
}

/// Parts a host from its port; addresses of version 6 with a port are in brackets.
fn split(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if name.ends_with(']') || !name.contains(':') => (name, Some(port)),
        _ => (host, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_their_port_or_that_of_the_scheme() {
        let port = |host: &str, https| Endpoint::new(host, https).resolve().map(|a| a[0].to_string());
        assert_eq!(port("127.0.0.1", Https::Off).as_deref(), Ok("127.0.0.1:80"));
        assert_eq!(port("127.0.0.1", Https::On).as_deref(), Ok("127.0.0.1:443"));
        assert_eq!(port("127.0.0.1:9000", Https::On).as_deref(), Ok("127.0.0.1:9000"));
        assert_eq!(port("[::1]:9000", Https::Off).as_deref(), Ok("[::1]:9000"));
        assert_eq!(port("::1", Https::Off).as_deref(), Ok("[::1]:80"));
        assert!(port("127.0.0.1:x", Https::Off).is_err());
    }
}
