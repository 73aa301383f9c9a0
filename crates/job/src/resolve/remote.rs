//! Engines whose target is on a server.

use super::{Refusal, chosen, refuse};
use crate::defaults::default_text;
use crate::job_fault::JobFault;
use crate::remote::{CephSpec, HttpMode, HttpSpec, Https, RadosSpec, RbdEncryption, RbdSpec, RemoteSpec};
use crate::spec::JobSpec;
use std::path::PathBuf;

/// Returns the options of the engine. fio finds their faults when it sets up the engine.
pub(super) fn remote(spec: &JobSpec) -> Result<RemoteSpec, Refusal> {
    let given = |field: &Option<String>| field.clone().filter(|text| !text.is_empty());
    let needed = |field: &Option<String>, option: &'static str, example: &'static str| {
        given(field).ok_or_else(|| refuse(spec, option, JobFault::RemoteWithout { option, example }))
    };
    let or_default = |field: &Option<String>, name: &'static str| {
        field.clone().unwrap_or_else(|| default_text(name).into())
    };
    let ceph = || {
        Ok(CephSpec {
            cluster: given(&spec.clustername),
            client: given(&spec.clientname),
            conf: given(&spec.conf).map(PathBuf::from),
            pool: needed(&spec.pool, "pool", "rbd")?,
            busy_poll: spec.busy_poll.unwrap_or(false),
        })
    };
    Ok(match spec.engine() {
        "rbd" => {
            let format = match chosen(&spec.rbd_encryption_format) {
                Some("luks1") => Some(RbdEncryption::Luks1),
                Some(_) => Some(RbdEncryption::Luks2),
                None => None,
            };
            let passphrase =
                || needed(&spec.rbd_encryption_passphrase, "rbd_encryption_passphrase", "secret");
            RemoteSpec::Rbd(RbdSpec {
                ceph: ceph()?,
                image: needed(&spec.rbdname, "rbdname", "img")?,
                encryption: format.map(|format| Ok((format, passphrase()?))).transpose()?,
            })
        }
        "rados" => {
            RemoteSpec::Rados(RadosSpec { ceph: ceph()?, touch_objects: spec.touch_objects.unwrap_or(true) })
        }
        "nfs" => RemoteSpec::Nfs { url: needed(&spec.nfs_url, "nfs_url", "nfs://127.0.0.1/export")? },
        "libiscsi" => {
            let urls = spec.filename.iter().flatten();
            if spec.filename.as_ref().is_none_or(Vec::is_empty) || urls.into_iter().any(|url| !is_iscsi(url))
            {
                let fault = JobFault::RemoteWithout {
                    option: "filename",
                    example: "iscsi\\://127.0.0.1/iqn.2026-01.test\\:t1/1",
                };
                return Err(refuse(spec, "filename", fault));
            }
            RemoteSpec::Iscsi { initiator: or_default(&spec.initiator, "initiator") }
        }
        "http" => RemoteSpec::Http(Box::new(HttpSpec {
            https: match chosen(&spec.https) {
                Some("on") => Https::On,
                Some("insecure") => Https::Insecure,
                _ => Https::Off,
            },
            host: or_default(&spec.http_host, "http_host"),
            user: given(&spec.http_user).map(|user| (user, spec.http_pass.clone().unwrap_or_default())),
            key_id: or_default(&spec.http_s3_keyid, "http_s3_keyid"),
            key: or_default(&spec.http_s3_key, "http_s3_key"),
            security_token: given(&spec.http_s3_security_token),
            region: or_default(&spec.http_s3_region, "http_s3_region"),
            customer_key: given(&spec.http_s3_sse_customer_key).map(|key| {
                (or_default(&spec.http_s3_sse_customer_algorithm, "http_s3_sse_customer_algorithm"), key)
            }),
            storage_class: or_default(&spec.http_s3_storage_class, "http_s3_storage_class"),
            swift_token: given(&spec.http_swift_auth_token),
            mode: match chosen(&spec.http_mode) {
                Some("s3") => HttpMode::S3,
                Some("swift") => HttpMode::Swift,
                _ => HttpMode::Webdav,
            },
            verbose: spec.http_verbose.unwrap_or(0).clamp(0, 2) as u8,
            ranges: chosen(&spec.http_object_mode) == Some("range"),
        })),
        _ => RemoteSpec::Nbd { uri: needed(&spec.uri, "uri", "nbd+unix:///?socket=/tmp/socket")? },
    })
}

fn is_iscsi(url: &str) -> bool {
    url.starts_with("iscsi://")
}
