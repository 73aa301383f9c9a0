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

const ENCRYPTIONS: &[Choice] = &[choice("luks1", "LUKS version 1"), choice("luks2", "LUKS version 2")];

const HTTPS: &[Choice] = &[
    choice("off", "No TLS"),
    choice("on", "TLS, with the certificate checked"),
    choice("insecure", "TLS without a check of the certificate"),
];

const HTTP_MODES: &[Choice] =
    &[choice("webdav", "WebDAV"), choice("s3", "Amazon S3"), choice("swift", "OpenStack Swift")];

const OBJECT_MODES: &[Choice] =
    &[choice("block", "One object per block"), choice("range", "Ranges of one object per file")];

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
    Opt {
        name: "clustername",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the Ceph cluster",
        example: "ceph",
        ..field!(clustername)
    },
    Opt {
        name: "rbdname",
        section: Section::Engine,
        engines: &["rbd"],
        help: "Name of the image",
        example: "img",
        ..field!(rbdname)
    },
    Opt {
        name: "pool",
        section: Section::Engine,
        engines: &["rbd", "rados", "dfs"],
        help: "Name of the pool",
        doc: "For rbd, a namespace of the pool follows after a slash.",
        example: "rbd",
        ..field!(pool)
    },
    Opt {
        name: "clientname",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        help: "Name of the Ceph client: the part after client., or with clustername the whole name",
        example: "admin",
        ..field!(clientname)
    },
    Opt {
        name: "conf",
        section: Section::Engine,
        engines: &["rados", "rbd"],
        help: "Configuration file of the Ceph cluster",
        doc: "Without it, the library looks at CEPH_CONF and then in its usual places.",
        example: "/etc/ceph/ceph.conf",
        compat: Compat::Differs(
            "also for rbd; without it, rados honours CEPH_CONF as rbd does, where fio 3.33 reads /etc/ceph/ceph.conf",
        ),
        ..field!(conf)
    },
    Opt {
        name: "busy_poll",
        section: Section::Engine,
        engines: &["rbd", "rados"],
        kind: Kind::Bool,
        default: "0",
        help: "Spin for completions instead of sleeping",
        example: "1",
        ..field!(busy_poll)
    },
    Opt {
        name: "touch_objects",
        section: Section::Engine,
        engines: &["rados"],
        kind: Kind::Bool,
        default: "1",
        help: "Create the objects before the first I/O",
        example: "0",
        ..field!(touch_objects)
    },
    Opt {
        name: "rbd_encryption_format",
        section: Section::Engine,
        engines: &["rbd"],
        kind: Kind::Choice { choices: ENCRYPTIONS, tail: false },
        help: "Format of the image encryption",
        example: "luks2",
        compat: Compat::Newer,
        ..field!(rbd_encryption_format)
    },
    Opt {
        name: "rbd_encryption_passphrase",
        secret: true,
        section: Section::Engine,
        engines: &["rbd"],
        help: "Passphrase of the image encryption",
        example: "secret",
        compat: Compat::Newer,
        ..field!(rbd_encryption_passphrase)
    },
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
    Opt {
        name: "https",
        section: Section::Engine,
        engines: &["http"],
        kind: Kind::Choice { choices: HTTPS, tail: false },
        default: "off",
        help: "Use of TLS",
        example: "on",
        ..field!(https)
    },
    Opt {
        name: "http_host",
        section: Section::Engine,
        engines: &["http"],
        default: "localhost",
        help: "Host name, with a port after a colon",
        example: "127.0.0.1:9000",
        ..field!(http_host)
    },
    Opt {
        name: "http_user",
        section: Section::Engine,
        engines: &["http"],
        help: "User of WebDAV",
        example: "user",
        ..field!(http_user)
    },
    Opt {
        name: "http_pass",
        secret: true,
        section: Section::Engine,
        engines: &["http"],
        help: "Password of WebDAV",
        example: "secret",
        ..field!(http_pass)
    },
    Opt {
        name: "http_s3_key",
        secret: true,
        section: Section::Engine,
        engines: &["http"],
        default: "",
        help: "Secret key of S3",
        example: "secret",
        ..field!(http_s3_key)
    },
    Opt {
        name: "http_s3_keyid",
        section: Section::Engine,
        engines: &["http"],
        default: "",
        help: "Access key of S3",
        example: "key",
        ..field!(http_s3_keyid)
    },
    Opt {
        name: "http_s3_security_token",
        secret: true,
        section: Section::Engine,
        engines: &["http"],
        default: "",
        help: "Token of temporary credentials of S3",
        example: "token",
        ..field!(http_s3_security_token)
    },
    Opt {
        name: "http_swift_auth_token",
        secret: true,
        section: Section::Engine,
        engines: &["http"],
        default: "",
        help: "Token of Swift",
        example: "token",
        ..field!(http_swift_auth_token)
    },
    Opt {
        name: "http_s3_region",
        section: Section::Engine,
        engines: &["http"],
        default: "us-east-1",
        help: "Region of the S3 signature",
        example: "eu-central-1",
        ..field!(http_s3_region)
    },
    Opt {
        name: "http_s3_sse_customer_key",
        secret: true,
        section: Section::Engine,
        engines: &["http"],
        default: "",
        help: "Key with which the S3 server encrypts objects",
        example: "0123456789abcdef0123456789abcdef",
        ..field!(http_s3_sse_customer_key)
    },
    Opt {
        name: "http_s3_sse_customer_algorithm",
        section: Section::Engine,
        engines: &["http"],
        default: "AES256",
        help: "Algorithm of the encryption with that key",
        example: "AES256",
        ..field!(http_s3_sse_customer_algorithm)
    },
    Opt {
        name: "http_s3_storage_class",
        section: Section::Engine,
        engines: &["http"],
        default: "STANDARD",
        help: "Storage class of the objects written",
        example: "REDUCED_REDUNDANCY",
        ..field!(http_s3_storage_class)
    },
    Opt {
        name: "http_mode",
        section: Section::Engine,
        engines: &["http"],
        kind: Kind::Choice { choices: HTTP_MODES, tail: false },
        default: "webdav",
        help: "Protocol",
        example: "s3",
        ..field!(http_mode)
    },
    Opt {
        name: "http_verbose",
        section: Section::Engine,
        engines: &["http"],
        kind: Kind::Int { min: 0, max: 2 },
        default: "0",
        help: "Trace requests: 1 shows errors, 2 everything",
        example: "1",
        compat: Compat::Accepted("requests are not traced; the error of a job has the text of the server"),
        ..field!(http_verbose)
    },
    Opt {
        name: "http_object_mode",
        section: Section::Engine,
        engines: &["http"],
        kind: Kind::Choice { choices: OBJECT_MODES, tail: false },
        default: "block",
        help: "One object per block (named FILE_OFFSET_LENGTH) or one object per file, with ranges",
        example: "range",
        ..field!(http_object_mode)
    },
    Opt {
        name: "initiator",
        section: Section::Engine,
        engines: &["libiscsi"],
        default: "iqn.2019-04.org.fio:fio",
        help: "Name of the iSCSI initiator",
        example: "iqn.2026-01.org.example:host",
        ..field!(initiator)
    },
    Opt {
        name: "nfs_url",
        section: Section::Engine,
        engines: &["nfs"],
        help: "URL of the NFS export in the form of libnfs",
        doc: "The names of the files are below the export.",
        example: "nfs://127.0.0.1/export?version=3",
        ..field!(nfs_url)
    },
    Opt {
        name: "uri",
        section: Section::Engine,
        engines: &["nbd"],
        help: "URI of the NBD export",
        example: "nbd+unix:///?socket=/tmp/socket",
        ..field!(uri)
    },
];
