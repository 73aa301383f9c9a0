//! Rows of the options of SCSI commands.

use crate::option::*;
use crate::spec::*;

/// Rows of this file's options.
pub const ROWS: &[Opt] = &[
    Opt {
        name: "sg_write_mode",
        section: Section::Engine,
        engines: &["sg"],
        kind: Kind::Choice {
            choices: &[
                choice("write", "Issue standard SCSI WRITE commands"),
                choice("write_and_verify", "Issue SCSI WRITE AND VERIFY commands"),
                choice(
                    "verify",
                    "Issue SCSI WRITE AND VERIFY commands. This option is deprecated. Use write_and_verify instead.",
                ),
                choice("write_same", "Issue SCSI WRITE SAME commands"),
                choice(
                    "same",
                    "Issue SCSI WRITE SAME commands. This option is deprecated. Use write_same instead.",
                ),
                choice("write_same_ndob", "Issue SCSI WRITE SAME(16) commands with NDOB flag set"),
                choice("verify_bytchk_00", "Issue SCSI VERIFY commands with BYTCHK set to 00"),
                choice("verify_bytchk_01", "Issue SCSI VERIFY commands with BYTCHK set to 01"),
                choice("verify_bytchk_11", "Issue SCSI VERIFY commands with BYTCHK set to 11"),
                choice("write_stream", "Issue SCSI WRITE STREAM(16) commands"),
            ],
            tail: false,
        },
        default: "write",
        help: "SCSI command of writes",
        doc: "WRITE SAME and verify_bytchk_11 transfer one logical block for all blocks of an I/O; write_same_ndob and \
              verify_bytchk_00 transfer none. writefua has no effect on these and on write_and_verify.",
        example: "write_same",
        compat: Compat::Differs(
            "an I/O of 65536 blocks or more uses the commands with 16 bytes, whose length is not cut",
        ),
        ..field!(sg_write_mode)
    },
    Opt {
        name: "stream_id",
        section: Section::Engine,
        engines: &["sg"],
        kind: Kind::Int { min: 0, max: 0xffff },
        default: "0",
        help: "Stream of write_stream; 0 = open a stream, and close it at the end",
        example: "1",
        compat: Compat::Differs(
            "a disk without streams ends the job with an error; fio 3.33 aborts if it has to open a stream there",
        ),
        ..field!(stream_id)
    },
];
