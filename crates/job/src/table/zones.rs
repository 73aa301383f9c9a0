//! Rows of the options for zones.

use crate::bad_value::BadValue;
use crate::distribution;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

const MODES: &[Choice] = &[
    choice("none", "no zones"),
    choice("strided", "work on a part of each zone, one zone after the other"),
    not_built("zbd", "the rules of zoned block devices"),
];

/// Reason why an option of zoned block devices has no effect.
const ZBD_ONLY: Compat =
    Compat::Accepted("it belongs to zonemode=zbd, which is not built; without that fio does nothing with it");

fn set_zoneskip(job: &mut JobSpec, value: Value) -> Result<(), BadValue> {
    let mut text: Option<String> = None;
    store(&mut text, value)?;
    distribution::zone_skip(text.as_deref().unwrap_or_default(), job.base(), 0)?;
    job.zoneskip = text;
    Ok(())
}

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "zonemode",
        section: Section::Zones,
        kind: Kind::Choice { choices: MODES, tail: false },
        default: "none",
        help: "strided: work on a part of each zone, one zone after the other",
        doc: "`zonesize` bytes are moved within `zonerange`, then the next zone begins `zoneskip` further; after the last one comes the first. Random I/O stays in its zone.",
        example: "strided",
        compat: Compat::Differs(
            "no zbd; holes (rw=read:N) that lead out of the file end the pass; at random, several sizes are cut at the end of a zone",
        ),
        ..field!(zonemode)
    },
    Opt {
        name: "zonesize",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Bytes to move in a zone before the next one begins",
        example: "256m",
        ..field!(zonesize)
    },
    Opt {
        name: "zonerange",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Bytes of a zone; 0 = zonesize",
        example: "1g",
        ..field!(zonerange)
    },
    Opt {
        name: "zoneskip",
        section: Section::Zones,
        default: "0",
        help: "Bytes between the end of a zone and the next one; with z times zonesize",
        example: "1m",
        set: set_zoneskip,
        get: get!(zoneskip),
        ..OPT
    },
    Opt {
        name: "zonecapacity",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: i64::MAX },
        default: "0",
        help: "Bytes of a zone that can be written, where the device is no zoned one",
        example: "64m",
        compat: ZBD_ONLY,
        ..field!(zonecapacity)
    },
    Opt {
        name: "read_beyond_wp",
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "Reads past the write pointer of a zone are allowed",
        example: "1",
        compat: ZBD_ONLY,
        ..field!(read_beyond_wp)
    },
    Opt {
        name: "max_open_zones",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: 4096 },
        default: "0",
        help: "Most zones open for writing, all jobs together",
        example: "8",
        compat: ZBD_ONLY,
        ..field!(max_open_zones)
    },
    Opt {
        name: "job_max_open_zones",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: 4096 },
        default: "0",
        help: "The same for each job",
        example: "2",
        compat: ZBD_ONLY,
        ..field!(job_max_open_zones)
    },
    Opt {
        name: "ignore_zone_limits",
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "More zones may be open than the device says",
        example: "1",
        compat: ZBD_ONLY,
        ..field!(ignore_zone_limits)
    },
    Opt {
        name: "zone_reset_threshold",
        section: Section::Zones,
        kind: Kind::Floats { max: 1.0, count: 64 },
        help: "Share of written data above which zones are reset",
        example: "0.5",
        compat: ZBD_ONLY,
        ..field!(zone_reset_threshold)
    },
    Opt {
        name: "zone_reset_frequency",
        section: Section::Zones,
        kind: Kind::Floats { max: 1.0, count: 64 },
        help: "Resets of zones per write",
        example: "0.5",
        compat: ZBD_ONLY,
        ..field!(zone_reset_frequency)
    },
    later(
        Section::Zones,
        "recover_zbd_write_error",
        Kind::Bool,
        "0",
        "Repair write pointers after failed writes",
    ),
    later(Section::Zones, "write_zone_remainder", Kind::Bool, "", "Write small tail instead of zone finish"),
];
