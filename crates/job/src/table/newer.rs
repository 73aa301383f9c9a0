//! The options that fio 3.33 does not have: a list of names, apart from the rows of the options.

use crate::option::Opt;

/// Names of the options that fio 3.33 does not have, among the options of every job and of the engines in Debian's fio.
const NEWER: &str = "comm priohint ramp_size job_start_clock_id filetype end_syncfs num_range random_sequence_stride sprandom \
     spr_num_regions spr_op spr_cs thinkcycles steadystate_check_interval verify_pattern_interval verify_policy \
     verify_write_sequence verify_header_seed log_issue_time log_window_value fdp dataplacement plid_select plids dp_scheme gpu_dev_id \
     recover_zbd_write_error write_zone_remainder cmdprio_hint libaio_vectored cdb_len write_mode verify_mode \
     verify_bytchk read_mode md_per_io_size pi_act pi_chk apptag apptag_mask deac rbd_encryption_format \
     rbd_encryption_passphrase";

impl Opt {
    /// Returns whether fio 3.33 lacks the option; false for fathom's own options and for engines that Debian's fio does
    /// not have.
    pub fn newer(&self) -> bool {
        NEWER.split_whitespace().any(|known| known == self.name)
    }
}
