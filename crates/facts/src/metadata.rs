//! Metadata service of a cloud provider: requests over plain HTTP to the link-local address, which never leave the host.

use crate::cloud::Provider;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// Address of the service.
const ADDRESS: (Ipv4Addr, u16) = (Ipv4Addr::new(169, 254, 169, 254), 80);
/// Time limit of all requests together.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Longest answer that is read, bytes.
const LONGEST: u64 = 4096;
/// Largest number of disks that are asked for.
const DISKS: usize = 16;

/// What the metadata service says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Type of the machine: `m5.large`.
    pub instance: Option<String>,
    /// Type of the volumes in the provider's words, if all have the same: `Premium_LRS`.
    pub volume: Option<String>,
}

/// Asks the metadata service of a provider. Providers without a link-local service are not asked.
pub fn ask(provider: Provider) -> Metadata {
    Service { address: ADDRESS.into(), end: Instant::now() + PATIENCE }.metadata(provider)
}

/// Service at an address until a point in time.
struct Service {
    address: SocketAddr,
    end: Instant,
}

impl Service {
    fn metadata(&self, provider: Provider) -> Metadata {
        match provider {
            Provider::Aws => {
                let token = ("X-aws-ec2-metadata-token-ttl-seconds", "60");
                let token = self.request("PUT", "/latest/api/token", token);
                let instance = token.and_then(|token| {
                    self.get("/latest/meta-data/instance-type", ("X-aws-ec2-metadata-token", &token))
                });
                Metadata { instance, volume: None }
            }
            Provider::Azure => {
                let of = |leaf: &str| {
                    let path =
                        format!("/metadata/instance/compute/{leaf}?api-version=2021-02-01&format=text");
                    self.get(&path, ("Metadata", "true"))
                };
                let kind =
                    |disk: String| of(&format!("storageProfile/{disk}/managedDisk/storageAccountType"));
                let data = (0..DISKS).map_while(|n| kind(format!("dataDisks/{n}")));
                Metadata {
                    instance: of("vmSize"),
                    volume: same(kind("osDisk".into()).into_iter().chain(data).collect()),
                }
            }
            Provider::Gcp => {
                let of = |leaf: String| {
                    self.get(&format!("/computeMetadata/v1/instance/{leaf}"), ("Metadata-Flavor", "Google"))
                };
                let machine = of("machine-type".into());
                Metadata {
                    // projects/123/machineTypes/n2-standard-8
                    instance: machine.and_then(|path| path.rsplit('/').next().map(str::to_owned)),
                    volume: same((0..DISKS).map_while(|n| of(format!("disks/{n}/type"))).collect()),
                }
            }
            Provider::Oracle => Metadata {
                instance: self.get("/opc/v2/instance/shape", ("Authorization", "Bearer Oracle")),
                volume: None,
            },
            Provider::Huawei => Metadata {
                instance: self.get("/latest/meta-data/instance-type", ("Accept", "text/plain")),
                volume: None,
            },
            Provider::Alibaba | Provider::Tencent | Provider::DigitalOcean | Provider::Hetzner => {
                Metadata::default()
            }
        }
    }

    fn get(&self, path: &str, header: (&str, &str)) -> Option<String> {
        self.request("GET", path, header)
    }

    /// Returns the body of an answer with status 200, if it is one line of a name.
    fn request(&self, verb: &str, path: &str, (header, value): (&str, &str)) -> Option<String> {
        let left = || self.end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero());
        let mut stream = TcpStream::connect_timeout(&self.address, left()?).ok()?;
        stream.set_write_timeout(left()).ok()?;
        let host = self.address.ip();
        let text = format!("{verb} {path} HTTP/1.0\r\nHost: {host}\r\n{header}: {value}\r\n");
        let length = if verb == "PUT" { "Content-Length: 0\r\n" } else { "" };
        stream.write_all(format!("{text}{length}\r\n").as_bytes()).ok()?;
        let mut answer = Vec::new();
        let mut part = [0; 512];
        while answer.len() < LONGEST as usize {
            stream.set_read_timeout(Some(left()?)).ok()?;
            match stream.read(&mut part).ok()? {
                0 => break,
                n => answer.extend_from_slice(&part[..n]),
            }
        }
        let answer = String::from_utf8(answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.lines().next()?.split(' ').nth(1)?;
        let name = |c: char| c.is_ascii_alphanumeric() || "._-/=+".contains(c);
        let body = body.trim();
        (status == "200" && !body.is_empty() && body.len() <= 512 && body.chars().all(name))
            .then(|| body.to_owned())
    }
}

/// Returns the name that all of `names` are.
fn same(names: Vec<String>) -> Option<String> {
    let first = names.first()?.clone();
    names.iter().all(|name| *name == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Serves answers by path prefix; every request has to carry `header`.
    fn service(answers: &'static [(&'static str, &'static str)], header: &'static str) -> Service {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut text = [0; 1024];
                let n = stream.read(&mut text).unwrap();
                let text = String::from_utf8_lossy(&text[..n]).into_owned();
                let found = answers.iter().find(|(path, _)| text.starts_with(path) && text.contains(header));
                let answer = match found {
                    Some((_, body)) => format!("HTTP/1.0 200 OK\r\nServer: x\r\n\r\n{body}"),
                    None => "HTTP/1.0 404 Not Found\r\n\r\nnothing".into(),
                };
                stream.write_all(answer.as_bytes()).unwrap();
            }
        });
        Service { address, end: Instant::now() + Duration::from_secs(5) }
    }

    #[test]
    fn aws_answers_with_a_token_only() {
        let aws = service(
            &[("PUT /latest/api/token ", "abc=="), ("GET /latest/meta-data/instance-type ", "m5.large\n")],
            "X-aws-ec2-metadata-token",
        );
        assert_eq!(aws.metadata(Provider::Aws).instance.as_deref(), Some("m5.large"));
        assert_eq!(aws.metadata(Provider::Oracle), Metadata::default());
    }

    #[test]
    fn a_volume_type_is_known_if_all_volumes_have_it() {
        let gcp = service(
            &[
                ("GET /computeMetadata/v1/instance/machine-type ", "projects/1/machineTypes/n2-standard-8"),
                ("GET /computeMetadata/v1/instance/disks/0/type ", "PERSISTENT-SSD"),
                ("GET /computeMetadata/v1/instance/disks/1/type ", "PERSISTENT-SSD"),
            ],
            "Metadata-Flavor: Google",
        );
        let found = gcp.metadata(Provider::Gcp);
        assert_eq!(found.instance.as_deref(), Some("n2-standard-8"));
        assert_eq!(found.volume.as_deref(), Some("PERSISTENT-SSD"));
        let azure = service(
            &[
                ("GET /metadata/instance/compute/vmSize?", "Standard_D8s_v3"),
                ("GET /metadata/instance/compute/storageProfile/osDisk/", "Premium_LRS"),
                ("GET /metadata/instance/compute/storageProfile/dataDisks/0/", "PremiumV2_LRS"),
            ],
            "Metadata: true",
        );
        let found = azure.metadata(Provider::Azure);
        assert_eq!(found, Metadata { instance: Some("Standard_D8s_v3".into()), volume: None });
    }

    /// A service that accepts and never answers costs the time limit, and pages that are no name are no answer.
    #[test]
    fn silence_and_pages_are_no_answer() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let end = Instant::now() + Duration::from_millis(200);
        let silent = Service { address: listener.local_addr().unwrap(), end };
        assert_eq!(silent.metadata(Provider::Azure), Metadata::default());
        assert!(Instant::now() < end + Duration::from_secs(2));
        let page = service(&[("GET ", "<html>a proxy</html>")], "");
        assert_eq!(page.metadata(Provider::Oracle), Metadata::default());
    }
}
