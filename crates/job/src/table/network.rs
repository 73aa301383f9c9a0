//! Rows of the options of engines that access storage or a peer over a network.

use crate::option::*;

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "hostname",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        help: "Peer / listen address / vsock cid / multicast group",
        ..LATER
    },
    Opt {
        name: "port",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        kind: Kind::Int { min: 1, max: 65535 },
        help: "Port",
        ..LATER
    },
    Opt {
        name: "protocol",
        aliases: &["proto"],
        section: Section::Engine,
        engines: &["net", "netsplice"],
        default: "tcp",
        help: "Transport: tcp, udp, unix, vsock",
        ..LATER
    },
    Opt {
        name: "nodelay",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Bool,
        help: "TCP_NODELAY",
        ..LATER
    },
    Opt {
        name: "listen",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Flag,
        help: "Passive side",
        ..LATER
    },
    Opt {
        name: "pingpong",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Flag,
        help: "Echo each payload",
        ..LATER
    },
    Opt {
        name: "interface",
        section: Section::Engine,
        engines: &["net"],
        help: "Network interface for multicast",
        ..LATER
    },
    Opt {
        name: "ttl",
        section: Section::Engine,
        engines: &["net"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Hops of a multicast packet",
        ..LATER
    },
    Opt {
        name: "window_size",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Socket buffer",
        ..LATER
    },
    Opt {
        name: "mss",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Largest TCP segment",
        ..LATER
    },
    Opt {
        name: "clustername",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the cluster",
        ..LATER
    },
    Opt { name: "rbdname", section: Section::Engine, engines: &["rbd"], help: "Name of the image", ..LATER },
    Opt {
        name: "pool",
        section: Section::Engine,
        engines: &["rbd", "rados", "dfs"],
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "clientname",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "conf",
        section: Section::Engine,
        engines: &["rados"],
        default: "/etc/ceph/ceph.conf",
        help: "Name of the image",
        ..LATER
    },
    Opt {
        name: "busy_poll",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        kind: Kind::Bool,
        default: "0",
        help: "Spin for completion",
        ..LATER
    },
    Opt {
        name: "touch_objects",
        section: Section::Engine,
        engines: &["rados"],
        kind: Kind::Bool,
        default: "1",
        help: "Create objects at init",
        ..LATER
    },
    Opt {
        name: "rbd_encryption_format",
        section: Section::Engine,
        engines: &["rbd"],
        help: "Encrypted image",
        ..LATER
    },
    Opt {
        name: "rbd_encryption_passphrase",
        section: Section::Engine,
        engines: &["rbd"],
        help: "Passphrase",
        ..LATER
    },
    Opt { name: "cont", section: Section::Engine, engines: &["dfs"], help: "DAOS container", ..LATER },
    Opt {
        name: "chunk_size",
        aliases: &["chunck_size"],
        section: Section::Engine,
        engines: &["dfs", "libhdfs"],
        help: "DAOS container",
        ..LATER
    },
    Opt { name: "object_class", section: Section::Engine, engines: &["dfs"], help: "DAOS class", ..LATER },
    Opt { name: "svcl", section: Section::Engine, engines: &["dfs"], help: "DAOS service list", ..LATER },
    Opt {
        name: "volume",
        section: Section::Engine,
        engines: &["gfapi", "gfapi_async"],
        help: "Gluster volume",
        ..LATER
    },
    Opt {
        name: "brick",
        section: Section::Engine,
        engines: &["gfapi", "gfapi_async"],
        help: "Gluster server",
        ..LATER
    },
    Opt {
        name: "single-instance",
        section: Section::Engine,
        engines: &["gfapi"],
        kind: Kind::Bool,
        help: "One connection",
        ..LATER
    },
    Opt {
        name: "namenode",
        section: Section::Engine,
        engines: &["libhdfs"],
        default: "localhost",
        help: "Name node",
        ..LATER
    },
    Opt {
        name: "hdfsdirectory",
        section: Section::Engine,
        engines: &["libhdfs"],
        default: "/",
        help: "Directory",
        ..LATER
    },
    Opt {
        name: "single_instance",
        section: Section::Engine,
        engines: &["libhdfs"],
        kind: Kind::Bool,
        default: "1",
        help: "One handle",
        ..LATER
    },
    Opt {
        name: "hdfs_use_direct",
        section: Section::Engine,
        engines: &["libhdfs"],
        kind: Kind::Bool,
        default: "0",
        help: "Direct reads of Hadoop",
        ..LATER
    },
    Opt {
        name: "verb",
        section: Section::Engine,
        engines: &["rdma"],
        default: "write",
        help: "RDMA verb",
        ..LATER
    },
    Opt {
        name: "bindname",
        section: Section::Engine,
        engines: &["rdma"],
        help: "Local bind address",
        ..LATER
    },
    Opt { name: "https", section: Section::Engine, engines: &["http"], default: "off", help: "TLS", ..LATER },
    Opt {
        name: "http_host",
        section: Section::Engine,
        engines: &["http"],
        default: "localhost",
        help: "Host",
        ..LATER
    },
    Opt { name: "http_user", section: Section::Engine, engines: &["http"], help: "User", ..LATER },
    Opt { name: "http_pass", section: Section::Engine, engines: &["http"], help: "Password", ..LATER },
    Opt { name: "http_s3_key", section: Section::Engine, engines: &["http"], help: "S3 secret", ..LATER },
    Opt { name: "http_s3_keyid", section: Section::Engine, engines: &["http"], help: "S3 id", ..LATER },
    Opt {
        name: "http_s3_security_token",
        section: Section::Engine,
        engines: &["http"],
        help: "STS token",
        ..LATER
    },
    Opt {
        name: "http_swift_auth_token",
        section: Section::Engine,
        engines: &["http"],
        help: "Swift token",
        ..LATER
    },
    Opt {
        name: "http_s3_region",
        section: Section::Engine,
        engines: &["http"],
        default: "us-east-1",
        help: "Region",
        ..LATER
    },
    Opt {
        name: "http_s3_sse_customer_key",
        section: Section::Engine,
        engines: &["http"],
        help: "SSE-C key",
        ..LATER
    },
    Opt {
        name: "http_s3_sse_customer_algorithm",
        section: Section::Engine,
        engines: &["http"],
        default: "AES256",
        help: "SSE-C algorithm",
        ..LATER
    },
    Opt {
        name: "http_s3_storage_class",
        section: Section::Engine,
        engines: &["http"],
        default: "STANDARD",
        help: "Class header",
        ..LATER
    },
    Opt {
        name: "http_mode",
        section: Section::Engine,
        engines: &["http"],
        default: "webdav",
        help: "Protocol",
        ..LATER
    },
    Opt {
        name: "http_verbose",
        section: Section::Engine,
        engines: &["http"],
        default: "0",
        help: "Trace",
        ..LATER
    },
    Opt {
        name: "http_object_mode",
        section: Section::Engine,
        engines: &["http"],
        default: "block",
        help: "Object per block (<name>_<start>_<end>) or per file",
        ..LATER
    },
    Opt {
        name: "initiator",
        section: Section::Engine,
        engines: &["libiscsi"],
        default: "iqn.2019-04.org.fio:fio",
        help: "Initiator name",
        ..LATER
    },
    Opt { name: "nfs_url", section: Section::Engine, engines: &["nfs"], help: "libnfs URL", ..LATER },
    Opt { name: "uri", section: Section::Engine, engines: &["nbd"], help: "NBD URI", ..LATER },
];
