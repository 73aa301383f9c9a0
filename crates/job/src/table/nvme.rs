//! Rows of the options of NVMe commands through io_uring.

use crate::bad_value::BadValue;
use crate::nvme;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

/// What SCSI commands through io_uring need.
pub(super) const BSG: &str = "io_uring commands on bsg nodes (no Linux up to 6.18 has them)";

fn set_write_mode(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    nvme::write_shares(text.as_deref().unwrap_or_default())?;
    job.write_mode = text;
    Ok(())
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "cmd_type",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Choice {
            choices: &[choice("nvme", "NVMe commands"), needs("bsg", "SCSI commands", BSG)],
            tail: false,
        },
        default: "nvme",
        help: "Kind of commands",
        example: "nvme",
        ..field!(cmd_type)
    },
    Opt {
        name: "readfua",
        section: Section::Engine,
        engines: &["io_uring_cmd", "sg"],
        kind: Kind::Bool,
        default: "0",
        help: "Force unit access for reads",
        example: "1",
        compat: Compat::Differs(
            "belongs to io_uring_cmd too, as in newer fios; fio 3.33 has it for sg alone",
        ),
        ..field!(readfua)
    },
    Opt {
        name: "writefua",
        section: Section::Engine,
        engines: &["io_uring_cmd", "sg"],
        kind: Kind::Bool,
        default: "0",
        help: "Force unit access for writes",
        example: "1",
        compat: Compat::Differs(
            "belongs to io_uring_cmd too, as in newer fios; fio 3.33 has it for sg alone",
        ),
        ..field!(writefua)
    },
    Opt {
        name: "write_mode",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        default: "write",
        help: "Command of writes: write, uncor, zeroes, verify or zone_append, or a mixture of them",
        doc: "`uncor` is Write Uncorrectable, `zeroes` Write Zeroes, `zone_append` Zone Append, which needs zonemode=zbd. A mixture names commands with their share of the writes in percent, `write/70:zeroes/30`; each write draws its command. With zone_append alone and without verify, a zone has as many writes in flight as iodepth allows, and the logs have the offsets at which the device put the data; else a zone has one write in flight.",
        example: "zeroes",
        set: set_write_mode,
        get: get!(write_mode),
        compat: Compat::Newer,
        ..OPT
    },
    Opt {
        name: "md_per_io_size",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Int { min: 0, max: 1 << 24 },
        default: "0",
        help: "Bytes of separate metadata per I/O",
        doc: "An I/O whose blocks have more metadata fails with EINVAL.",
        example: "64",
        compat: Compat::Newer,
        ..field!(md_per_io_size)
    },
    Opt {
        name: "pi_act",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Bool,
        default: "1",
        help: "The controller inserts and strips protection information",
        doc: "With pi_act=0, fathom makes the protection information of writes and checks that of reads.",
        example: "0",
        compat: Compat::Newer,
        ..field!(pi_act)
    },
    Opt {
        name: "pi_chk",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Choice {
            choices: &[
                choice("GUARD", "guard"),
                choice("REFTAG", "reference tag"),
                choice("APPTAG", "application tag"),
                choice("GUARD,REFTAG", "guard and reference tag"),
                choice("GUARD,APPTAG", "guard and application tag"),
                choice("REFTAG,APPTAG", "both tags"),
                choice("GUARD,REFTAG,APPTAG", "all"),
            ],
            tail: false,
        },
        help: "Checks of protection information",
        example: "GUARD,REFTAG",
        compat: Compat::Newer,
        ..field!(pi_chk)
    },
    Opt {
        name: "apptag",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Int { min: 0, max: 0xffff },
        default: "0x1234",
        help: "Application tag of protection information",
        example: "0x5678",
        compat: Compat::Newer,
        ..field!(apptag)
    },
    Opt {
        name: "apptag_mask",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Int { min: 0, max: 0xffff },
        default: "0xffff",
        help: "Bits of the application tag that are checked",
        example: "0xff00",
        compat: Compat::Newer,
        ..field!(apptag_mask)
    },
    Opt {
        name: "deac",
        section: Section::Engine,
        engines: &["io_uring_cmd"],
        kind: Kind::Bool,
        default: "0",
        help: "Deallocate the blocks of Write Zeroes",
        example: "1",
        compat: Compat::Newer,
        ..field!(deac)
    },
];
