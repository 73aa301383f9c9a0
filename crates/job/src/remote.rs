//! Targets on servers: options of the engines `rbd`, `rados`, `nfs`, `libiscsi`, `nbd` and `http`.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What stands in the place of a password or key.
pub const HIDDEN: &str = "***";

/// Engine that reaches its target through a server, with its options.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RemoteSpec {
    /// Network block device (`nbd`).
    Nbd {
        /// URI of the export (`uri`).
        uri: String,
    },
    /// Image of Ceph (`rbd`).
    Rbd(RbdSpec),
    /// Objects of Ceph (`rados`).
    Rados(RadosSpec),
    /// Files of an NFS export (`nfs`).
    Nfs {
        /// URL of the export (`nfs_url`).
        url: String,
    },
    /// SCSI commands over TCP (`libiscsi`); the URL is the file's name.
    Iscsi {
        /// Name of the initiator (`initiator`).
        initiator: String,
    },
    /// Objects or files over HTTP (`http`).
    Http(Box<HttpSpec>),
}

/// How a client reaches a Ceph cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CephSpec {
    /// Name of the cluster (`clustername`); `None` = `ceph`.
    pub cluster: Option<String>,
    /// Name of the client (`clientname`); `None` = `admin`.
    pub client: Option<String>,
    /// Configuration file (`conf`); `None` = the library's own search, which `CEPH_CONF` begins.
    pub conf: Option<PathBuf>,
    /// Name of the pool (`pool`).
    pub pool: String,
    /// Whether the engine spins for completions (`busy_poll`).
    pub busy_poll: bool,
}

/// Options of `rbd`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RbdSpec {
    /// Cluster, client and pool.
    pub ceph: CephSpec,
    /// Name of the image (`rbdname`).
    pub image: String,
    /// Format of the image's encryption and its passphrase (`rbd_encryption_format`, `rbd_encryption_passphrase`).
    pub encryption: Option<(RbdEncryption, String)>,
}

/// Format of an encrypted image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RbdEncryption {
    /// LUKS version 1.
    Luks1,
    /// LUKS version 2.
    Luks2,
}

/// Options of `rados`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RadosSpec {
    /// Cluster, client and pool.
    pub ceph: CephSpec,
    /// Whether objects are created before the first I/O (`touch_objects`).
    pub touch_objects: bool,
}

/// Use of TLS (`https`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Https {
    /// No TLS.
    #[default]
    Off,
    /// TLS, with the server's certificate checked.
    On,
    /// TLS without a check of the certificate.
    Insecure,
}

/// Protocol over HTTP (`http_mode`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HttpMode {
    /// WebDAV.
    #[default]
    Webdav,
    /// Amazon S3.
    S3,
    /// OpenStack Swift.
    Swift,
}

/// Options of `http`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct HttpSpec {
    /// Use of TLS.
    pub https: Https,
    /// Host, with a port after a colon (`http_host`).
    pub host: String,
    /// User and password of WebDAV (`http_user`, `http_pass`).
    pub user: Option<(String, String)>,
    /// Access key of S3 (`http_s3_keyid`).
    pub key_id: String,
    /// Secret key of S3 (`http_s3_key`).
    pub key: String,
    /// Token of temporary credentials (`http_s3_security_token`).
    pub security_token: Option<String>,
    /// Region of the signature (`http_s3_region`).
    pub region: String,
    /// Algorithm and key of encryption by the server with the customer's key (`http_s3_sse_customer_*`).
    pub customer_key: Option<(String, String)>,
    /// Storage class of written objects (`http_s3_storage_class`).
    pub storage_class: String,
    /// Token of Swift (`http_swift_auth_token`).
    pub swift_token: Option<String>,
    /// Protocol.
    pub mode: HttpMode,
    /// Amount of tracing, 0 to 2 (`http_verbose`).
    pub verbose: u8,
    /// Whether each file is one object, read by ranges (`http_object_mode=range`); else each block is an object.
    pub ranges: bool,
}

/// Beginnings of the targets on servers, as commands take them.
const SCHEMES: [&str; 9] =
    ["rbd:", "rados:", "nfs://", "iscsi://", "nbd://", "nbds://", "nbd+unix://", "nbds+unix://", "s3://"];

/// Returns whether a target is on a server: `rbd:POOL/IMAGE`, `nbd://HOST/EXPORT` and the like.
pub fn is_remote_target(target: &str) -> bool {
    SCHEMES.iter().any(|scheme| target.starts_with(scheme))
}

/// Returns the options of a job on a target on a server, in the form of the command line; `None` for other targets and if
/// a part of the name is missing.
pub fn target_options(target: &str) -> Option<Vec<String>> {
    let filename = |name: &str| format!("--filename={}", name.replace('\\', "\\\\").replace(':', "\\:"));
    let (scheme, rest) = target.split_once(':')?;
    Some(match scheme {
        "rbd" | "rados" => {
            let (rest, cluster) = cluster_options(rest);
            let mut options = vec![format!("--ioengine={scheme}")];
            if scheme == "rbd" {
                let (pool, image) =
                    rest.rsplit_once('/').filter(|(pool, image)| !pool.is_empty() && !image.is_empty())?;
                options.extend([format!("--pool={pool}"), format!("--rbdname={image}")]);
            } else {
                let (pool, object) =
                    rest.split_once('/').filter(|(pool, object)| !pool.is_empty() && !object.is_empty())?;
                options.extend([format!("--pool={pool}"), filename(object)]);
            }
            options.extend(cluster);
            options
        }
        "nfs" => {
            let (path, arguments) =
                target.split_once('?').map_or((target, None), |(path, rest)| (path, Some(rest)));
            let (directory, name) = path.rsplit_once('/').filter(|(_, name)| !name.is_empty())?;
            let (host, _) = directory.strip_prefix("nfs://")?.split_once('/')?;
            let url = arguments.map_or(directory.into(), |arguments| format!("{directory}?{arguments}"));
            let named = (!host.is_empty()).then(|| filename(name))?;
            vec!["--ioengine=nfs".into(), format!("--nfs_url={url}"), named]
        }
        "iscsi" => vec!["--ioengine=libiscsi".into(), filename(target)],
        "nbd" | "nbds" | "nbd+unix" | "nbds+unix" => vec!["--ioengine=nbd".into(), format!("--uri={target}")],
        _ => return None,
    })
}

/// Splits the name of an image or object of Ceph from the options after it, as QEMU writes them: `:id=USER`, `:conf=FILE`
/// and `:cluster=NAME`, of which fathom's options are returned.
fn cluster_options(name: &str) -> (&str, Vec<String>) {
    const NAMES: [(&str, &str); 3] =
        [(":id=", "clientname"), (":conf=", "conf"), (":cluster=", "clustername")];
    let begins = |at: &usize| NAMES.iter().any(|(begin, _)| name[*at..].starts_with(begin));
    let starts: Vec<usize> = name.match_indices(':').map(|(at, _)| at).filter(begins).collect();
    let ends = starts.iter().skip(1).copied().chain([name.len()]);
    let parts = starts.iter().zip(ends).map(|(&from, to)| &name[from..to]);
    let option = |part: &str| {
        let value = |(begin, option)| Some(format!("--{option}={}", part.strip_prefix(begin)?));
        NAMES.into_iter().find_map(value)
    };
    let options = parts.filter_map(option).collect();
    (&name[..starts.first().copied().unwrap_or(name.len())], options)
}

/// Returns whether two names are those of one target: the user and the configuration of Ceph and passwords do not count.
pub fn same_target(a: &str, b: &str) -> bool {
    let plain = |name: &str| match name.split_once(':') {
        Some(("rbd" | "rados", _)) => cluster_options(name).0.to_owned(),
        _ => without_password(name).into_owned(),
    };
    plain(a) == plain(b)
}

/// Returns a text without the passwords of the URLs of LUNs in it: `iscsi://USER%PASSWORD@HOST/TARGET/LUN`, also with the
/// escaped colons of `filename=`.
pub fn without_password(text: &str) -> Cow<'_, str> {
    const BEGIN: &str = "iscsi";
    const ARGUMENT: &str = "target_password=";
    if !text.contains(BEGIN) {
        return text.into();
    }
    let mut pieces = text.split(BEGIN);
    let mut clean = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        clean.push_str(BEGIN);
        // The host follows the last @ of the URL's first part: the password may have @ and /.
        let (url, rest) = piece.find("/iqn").map_or((piece, ""), |at| piece.split_at(at));
        match (url.find('%'), url.rfind('@')) {
            (Some(from), Some(to)) if from < to => {
                clean.extend([&url[..=from], HIDDEN, &url[to..]]);
            }
            _ => clean.push_str(url),
        }
        match rest.find(ARGUMENT).map(|at| rest.split_at(at + ARGUMENT.len())) {
            Some((before, password)) => {
                let end = password.find(['&', ' ', '\'', '"']).unwrap_or(password.len());
                clean.extend([before, HIDDEN, &password[end..]]);
            }
            None => clean.push_str(rest),
        }
    }
    clean.into()
}

impl RemoteSpec {
    /// Returns the engine's name in `ioengine=`.
    pub fn engine(&self) -> &'static str {
        match self {
            Self::Nbd { .. } => "nbd",
            Self::Rbd(_) => "rbd",
            Self::Rados(_) => "rados",
            Self::Nfs { .. } => "nfs",
            Self::Iscsi { .. } => "libiscsi",
            Self::Http(_) => "http",
        }
    }

    /// Returns the name of the target with this file, in the form that commands take as a target.
    pub fn target(&self, file: &Path) -> String {
        let file = file.display();
        match self {
            Self::Nbd { uri } => uri.clone(),
            Self::Rbd(spec) => format!("rbd:{}/{}", spec.ceph.pool, spec.image),
            Self::Rados(spec) => format!("rados:{}/{file}", spec.ceph.pool),
            Self::Nfs { url } => match url.split_once('?') {
                Some((export, options)) => format!("{export}/{file}?{options}"),
                None => format!("{url}/{file}"),
            },
            Self::Iscsi { .. } => file.to_string(),
            Self::Http(spec) => {
                let scheme = match (spec.mode, spec.https) {
                    (HttpMode::S3, _) => "s3",
                    (HttpMode::Swift, _) => "swift",
                    (HttpMode::Webdav, Https::Off) => "http",
                    (HttpMode::Webdav, _) => "https",
                };
                format!("{scheme}://{}/{}", spec.host, file.to_string().trim_start_matches('/'))
            }
        }
    }

    /// Returns whether the target is a volume with a size of its own; else it consists of files or objects, which grow.
    pub fn is_volume(&self) -> bool {
        matches!(self, Self::Nbd { .. } | Self::Rbd(_) | Self::Iscsi { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(target: &str) -> Option<String> {
        target_options(target).map(|options| options.join(" "))
    }

    #[test]
    fn names_of_ceph_have_a_user_and_a_configuration() {
        let cases = [
            ("rbd:rbd/img", "--ioengine=rbd --pool=rbd --rbdname=img"),
            ("rbd:p/ns/img:id=kube", "--ioengine=rbd --pool=p/ns --rbdname=img --clientname=kube"),
            (
                "rbd:p/img:conf=/etc/c:x.conf:id=a",
                "--ioengine=rbd --pool=p --rbdname=img --conf=/etc/c:x.conf --clientname=a",
            ),
            ("rbd:p/a:b", "--ioengine=rbd --pool=p --rbdname=a:b"),
            ("rados:p/o:cluster=c", "--ioengine=rados --pool=p --filename=o --clustername=c"),
        ];
        for (target, expected) in cases {
            assert_eq!(options(target).as_deref(), Some(expected));
        }
        for wrong in ["rbd:img", "rbd:/img", "rbd:p/", "rados:/o", "rbd:p/:id=x"] {
            assert_eq!(options(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn consent_is_for_the_target_whoever_opens_it() {
        assert!(same_target("rbd:p/img", "rbd:p/img:id=kube"));
        assert!(same_target("iscsi://u%p@h/iqn.x/1", "iscsi://u%***@h/iqn.x/1"));
        for (one, other) in [("rbd:p/a", "rbd:p/a:b"), ("rbd:p/a", "rbd:p/b"), ("rbd:p/a", "rados:p/a")] {
            assert!(!same_target(one, other), "{one} {other}");
        }
    }
}
