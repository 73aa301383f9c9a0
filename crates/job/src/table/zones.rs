//! Rows of the options for zones.

use crate::bad_value::BadValue;
use crate::distribution;
use crate::option::*;
use crate::spec::*;
use crate::value::*;

const MODES: &[Choice] = &[
    choice("none", "no zones"),
    choice("strided", "work on a part of each zone, one zone after the other"),
    choice("zbd", "write each zone in order, as zoned block devices require"),
];

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
        help: "strided: work on a part of each zone, one zone after the other; zbd: write each zone in order",
        doc: "strided: `zonesize` bytes are moved within `zonerange`, then the next zone begins `zoneskip` further; after the last one comes the first. Random I/O stays in its zone. zbd: writes go to the write pointer of their zone, a full zone is reset before it is written again, and reads stay below the write pointer. The zones are those of a zoned block device; other devices and files have zones of `zonesize`, all empty at first.",
        example: "strided",
        compat: Compat::Differs(
            "zbd: no trims; a zone of a zoned device has one write in flight; a block that does not fit into the rest of a zone goes to the next one; a read without written data becomes a write in a mix; strided: holes (rw=read:N) that lead out of the file end the pass; at random, several sizes are cut at the end of a zone",
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
        help: "Writable bytes of a zone, where the device has no zones; 0 = the whole zone",
        example: "64m",
        ..field!(zonecapacity)
    },
    Opt {
        name: "read_beyond_wp",
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "Allow reads beyond the write pointer of a zone",
        example: "1",
        ..field!(read_beyond_wp)
    },
    Opt {
        name: "max_open_zones",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: 4096 },
        default: "0",
        help: "Largest number of zones written at a time, by all jobs; 0 = the limit of the device",
        example: "8",
        ..field!(max_open_zones)
    },
    Opt {
        name: "job_max_open_zones",
        section: Section::Zones,
        kind: Kind::Int { min: 0, max: 4096 },
        default: "0",
        help: "Largest number of zones that one job writes at a time",
        example: "2",
        ..field!(job_max_open_zones)
    },
    Opt {
        name: "ignore_zone_limits",
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "Allow more open zones than the device reports",
        example: "1",
        ..field!(ignore_zone_limits)
    },
    Opt {
        name: "zone_reset_threshold",
        section: Section::Zones,
        kind: Kind::Floats { max: 1.0, count: 64 },
        help: "Share of written data from which zones are reset periodically",
        example: "0.5",
        ..field!(zone_reset_threshold)
    },
    Opt {
        name: "zone_reset_frequency",
        section: Section::Zones,
        kind: Kind::Floats { max: 1.0, count: 64 },
        help: "Zone resets per write, from the threshold on",
        example: "0.5",
        ..field!(zone_reset_frequency)
    },
    Opt {
        name: "recover_zbd_write_error",
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "After a failed write, ask the device for the write pointer of the zone and continue there",
        doc: "With zonemode=zbd, and with continue_on_error for the error of the write; not with verify.",
        example: "1",
        compat: Compat::Newer,
        ..field!(recover_zbd_write_error)
    },
    Opt {
        name: "write_zone_remainder",
        aliases: &["write_zone_remainders"],
        section: Section::Zones,
        kind: Kind::Bool,
        default: "0",
        help: "Write the rest of a zone that is smaller than the smallest block",
        doc: "With verify, only a rest of whole verify_intervals.",
        example: "1",
        compat: Compat::Newer,
        ..field!(write_zone_remainder)
    },
];
