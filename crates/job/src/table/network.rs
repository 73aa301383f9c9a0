//! Rows of the options of engines that access storage or a peer over a network.

use crate::option::*;
use crate::spec::*;

const PROTOCOLS: &[Choice] = &[
    choice("tcp", "Transmission Control Protocol"),
    choice("tcpv6", "Transmission Control Protocol V6"),
    choice("udp", "User Datagram Protocol"),
    choice("udpv6", "User Datagram Protocol V6"),
    choice("unix", "UNIX domain socket"),
];

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "hostname",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        help: "Peer to connect or send to, or multicast group to receive from",
        doc: "A job that listens or receives has none, except a multicast group. With protocol=unix it is the path of the \
              socket, unless filename names one.",
        example: "127.0.0.1",
        ..field!(hostname)
    },
    Opt {
        name: "port",
        section: Section::Engine,
        engines: &["net", "netsplice", "rdma", "libhdfs"],
        kind: Kind::Int { min: 1, max: 65535 },
        help: "Port of the first clone; each further clone uses the next port",
        example: "8888",
        ..field!(port)
    },
    Opt {
        name: "protocol",
        aliases: &["proto"],
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Choice { choices: PROTOCOLS, tail: false },
        default: "tcp",
        help: "Network protocol",
        doc: "The options of the sockets are checked before the run. A receiver of datagrams begins with the first message of a \
              sender that was started after it, and ends with the sender's last message. A sender of the Unix domain \
              connects, a reader listens.",
        example: "udp",
        compat: Compat::Differs(
            "wrong combinations are refused before the run starts; a block of a stream that arrives in parts is one read of its \
             whole size, where fio 3.33 counts short reads and may lose the rest; jobs of Unix sockets end without the error of \
             fio 3.33's last message (EISCONN); a waiting job ends at once on a signal, and a silent peer does not keep it \
             beyond runtime; with loops the connection is kept; lost datagrams are not counted (dropped is 0); randomly ordered \
             jobs, trims, and datagrams both ways are refused",
        ),
        ..field!(protocol)
    },
    Opt {
        name: "nodelay",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Bool,
        default: "0",
        help: "Set TCP_NODELAY",
        example: "1",
        ..field!(nodelay)
    },
    Opt {
        name: "listen",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Flag,
        help: "Wait for TCP connections instead of connecting",
        example: "1",
        ..field!(listen)
    },
    Opt {
        name: "pingpong",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Flag,
        help: "The receiver sends each block back, and the sender waits for it",
        doc: "Set in both jobs. The latency is that of the round trip.",
        example: "1",
        ..field!(pingpong)
    },
    Opt {
        name: "interface",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        help: "IPv4 address of the interface for multicast",
        example: "192.0.2.1",
        ..field!(interface)
    },
    Opt {
        name: "ttl",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "1",
        help: "Hops of a multicast datagram",
        example: "4",
        ..field!(ttl)
    },
    Opt {
        name: "window_size",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Size of the socket buffer in bytes; 0 = the kernel's",
        example: "256k",
        ..field!(window_size)
    },
    Opt {
        name: "mss",
        section: Section::Engine,
        engines: &["net", "netsplice"],
        kind: Kind::Int { min: 0, max: i64::MAX },
        help: "Maximum segment size of TCP in bytes; 0 = the kernel's",
        example: "1400",
        ..field!(mss)
    },
    later_of(&["rbd", "rados"], "clustername", Kind::Text, "", "Name of the cluster"),
    later_of(&["rbd"], "rbdname", Kind::Text, "", "Name of the image"),
    later_of(&["rbd", "rados", "dfs"], "pool", Kind::Text, "", "Name of the image"),
    later_of(&["rbd", "rados"], "clientname", Kind::Text, "", "Name of the image"),
    later_of(&["rados"], "conf", Kind::Text, "/etc/ceph/ceph.conf", "Name of the image"),
    later_of(&["rbd", "rados"], "busy_poll", Kind::Bool, "0", "Spin for completion"),
    later_of(&["rados"], "touch_objects", Kind::Bool, "1", "Create objects at init"),
    later_of(&["rbd"], "rbd_encryption_format", Kind::Text, "", "Encrypted image"),
    later_of(&["rbd"], "rbd_encryption_passphrase", Kind::Text, "", "Passphrase"),
    needs_of(&["dfs"], "cont", Kind::Text, "", "DAOS container", "libdfs (DAOS)"),
    Opt {
        aliases: &["chunck_size"],
        ..needs_of(&["dfs", "libhdfs"], "chunk_size", Kind::Text, "", "DAOS container", "libdfs (DAOS)")
    },
    needs_of(&["dfs"], "object_class", Kind::Text, "", "DAOS class", "libdfs (DAOS)"),
    needs_of(&["dfs"], "svcl", Kind::Text, "", "DAOS service list", "libdfs (DAOS)"),
    needs_of(&["gfapi", "gfapi_async"], "volume", Kind::Text, "", "Gluster volume", "libgfapi (GlusterFS)"),
    needs_of(&["gfapi", "gfapi_async"], "brick", Kind::Text, "", "Gluster server", "libgfapi (GlusterFS)"),
    needs_of(&["gfapi"], "single-instance", Kind::Bool, "", "One connection", "libgfapi (GlusterFS)"),
    needs_of(&["libhdfs"], "namenode", Kind::Text, "localhost", "Name node", "libhdfs (Hadoop)"),
    needs_of(&["libhdfs"], "hdfsdirectory", Kind::Text, "/", "Directory", "libhdfs (Hadoop)"),
    needs_of(&["libhdfs"], "single_instance", Kind::Bool, "1", "One handle", "libhdfs (Hadoop)"),
    needs_of(&["libhdfs"], "hdfs_use_direct", Kind::Bool, "0", "Direct reads of Hadoop", "libhdfs (Hadoop)"),
    needs_of(&["rdma"], "verb", Kind::Text, "write", "RDMA verb", "librdmacm (RDMA)"),
    needs_of(&["rdma"], "bindname", Kind::Text, "", "Local bind address", "librdmacm (RDMA)"),
    later_of(&["http"], "https", Kind::Text, "off", "TLS"),
    later_of(&["http"], "http_host", Kind::Text, "localhost", "Host"),
    later_of(&["http"], "http_user", Kind::Text, "", "User"),
    later_of(&["http"], "http_pass", Kind::Text, "", "Password"),
    later_of(&["http"], "http_s3_key", Kind::Text, "", "S3 secret"),
    later_of(&["http"], "http_s3_keyid", Kind::Text, "", "S3 id"),
    later_of(&["http"], "http_s3_security_token", Kind::Text, "", "STS token"),
    later_of(&["http"], "http_swift_auth_token", Kind::Text, "", "Swift token"),
    later_of(&["http"], "http_s3_region", Kind::Text, "us-east-1", "Region"),
    later_of(&["http"], "http_s3_sse_customer_key", Kind::Text, "", "SSE-C key"),
    later_of(&["http"], "http_s3_sse_customer_algorithm", Kind::Text, "AES256", "SSE-C algorithm"),
    later_of(&["http"], "http_s3_storage_class", Kind::Text, "STANDARD", "Class header"),
    later_of(&["http"], "http_mode", Kind::Text, "webdav", "Protocol"),
    later_of(&["http"], "http_verbose", Kind::Text, "0", "Trace"),
    later_of(
        &["http"],
        "http_object_mode",
        Kind::Text,
        "block",
        "Object per block (<name>_<start>_<end>) or per file",
    ),
    later_of(&["libiscsi"], "initiator", Kind::Text, "iqn.2019-04.org.fio:fio", "Initiator name"),
    later_of(&["nfs"], "nfs_url", Kind::Text, "", "libnfs URL"),
    later_of(&["nbd"], "uri", Kind::Text, "", "NBD URI"),
];
