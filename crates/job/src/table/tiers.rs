//! Tier of each option, and options newer than fio 3.33. Both are lists of names, apart from the rows of the options.

use crate::option::Opt;

/// Option names by tier: basic options, other options of common recipes, other options that work on ordinary Linux,
/// options that need special hardware, a library or another system.
const TIERS: [&str; 4] = [
    "name numjobs thread group_reporting stonewall lockmem runtime time_based filename directory rw \
     rwmixread rwmixwrite direct end_fsync size bs ioengine iodepth zero_buffers refill_buffers",
    "description new_group wait_for startdelay exitall exit_what exitall_on_error loops prio prioclass \
     cpus_allowed cpus_allowed_policy numa_cpu_nodes numa_mem_policy flow flow_id flow_sleep ramp_time \
     gtod_reduce filename_format nrfiles openfiles file_service_type filesize fallocate create_serialize \
     create_on_open create_only allow_file_create unlink invalidate overwrite fill_device buffered sync \
     fsync fdatasync fsync_on_close io_size offset offset_increment number_ios norandommap \
     random_generator random_distribution random_sequence_stride percentage_random randrepeat randseed \
     sprandom spr_num_regions spr_op spr_cs bsrange bssplit ba iodepth_batch iodepth_batch_complete_min \
     iodepth_batch_complete_max iodepth_low serialize_overlap io_submit_mode rate rate_min rate_iops \
     rate_process thinktime thinktime_spin thinktime_blocks latency_target latency_window \
     latency_percentile latency_run steadystate steadystate_duration steadystate_ramp_time \
     steadystate_check_interval mem scramble_buffers buffer_pattern buffer_compress_percentage \
     buffer_compress_chunk dedupe_percentage dedupe_mode dedupe_working_set_percentage dedupe_global \
     verify do_verify verify_only verify_interval verify_offset verify_pattern verify_pattern_interval \
     verify_fatal verify_dump verify_async verify_async_cpus verify_backlog verify_backlog_batch \
     verify_policy verify_state_save verify_state_load verify_write_sequence verify_header_seed \
     experimental_verify trim_percentage trim_verify_zero trim_backlog trim_backlog_batch \
     block_error_percentiles continue_on_error ignore_error error_dump write_iolog read_iolog \
     replay_no_stall replay_redirect zonemode zonesize zonerange zoneskip percentile_list \
     clat_percentiles lat_percentiles slat_percentiles disable_lat disable_clat disable_slat bwavgtime \
     unified_rw_reporting per_job_logs write_bw_log write_lat_log write_iops_log write_hist_log \
     log_avg_msec log_hist_msec log_window_value log_offset log_prio log_issue_time log_compression \
     log_store_compressed log_alternate_epoch cmdprio_percentage cmdprio_class cmdprio_hint cmdprio \
     cmdprio_bssplit nowait hipri fixedbufs registerfiles sqthread_poll sqthread_poll_cpu nonvectored \
     force_async cpuload cpumode cpuchunks program arguments grace_time std_redirect stat_type donorname \
     inplace hostname port protocol listen pingpong allrandrepeat",
    "kb_base unit_base stats comm nice priohint uid gid cgroup cgroup_weight cgroup_nodelete cpumask \
     exec_prerun exec_postrun flow_watermark ramp_size clocksource gtod_cpu job_start_clock_id \
     unique_filename filetype opendir lockfile file_append fadvise_hint write_hint create_fsync \
     allow_mounted_write pre_read unlink_each_loop ioscheduler rw_sequencer rwmixcycle sync_file_range \
     write_barrier end_syncfs offset_align softrandommap percentage_sequential bs_unaligned \
     bs_is_seq_rand rate_iops_min rate_cycle rate_ignore_thinktime thinkcycles thinktime_blocks_type \
     thinktime_iotime max_latency iomem_align hugepage-size verifysort verifysort_nr read_iolog_chunked \
     replay_scale replay_align replay_time_scale replay_skip merge_blktrace_file merge_blktrace_scalars \
     merge_blktrace_iters significant_figures disable_bw_measurement iopsavgtime disk_util \
     log_hist_coarseness log_entries log_compression_cpus log_alternate_epoch_clock_id profile \
     userspace_reap libaio_vectored uncached hipri_percentage thp exit_on_io_done nodelay interface ttl \
     window_size mss device-names load test-duration threads-per-queue read-req-num-512-blocks \
     large-block-op-kbytes prep block numruns dir threads",
    "atomic num_range zonecapacity read_beyond_wp max_open_zones job_max_open_zones ignore_zone_limits \
     zone_reset_threshold zone_reset_frequency recover_zbd_write_error write_zone_remainder fdp \
     dataplacement plid_select plids dp_scheme gpu_dev_id cmd_type cdb_len readfua writefua write_mode \
     verify_mode verify_bytchk read_mode md_per_io_size pi_act pi_chk apptag apptag_mask deac dummy \
     no_completion_thread clustername rbdname pool clientname conf busy_poll touch_objects \
     rbd_encryption_format rbd_encryption_passphrase cont chunk_size object_class svcl volume brick \
     single-instance namenode hdfsdirectory single_instance hdfs_use_direct verb bindname https http_host \
     http_user http_pass http_s3_key http_s3_keyid http_s3_security_token http_swift_auth_token \
     http_s3_region http_s3_sse_customer_key http_s3_sse_customer_algorithm http_s3_storage_class \
     http_mode http_verbose http_object_mode initiator nfs_url uri skip_bad sg_write_mode stream_id \
     gpu_dev_ids cuda_io rocm_io libblkio_driver libblkio_path libblkio_pre_connect_props \
     libblkio_num_entries libblkio_queue_size libblkio_pre_start_props libblkio_vectored \
     libblkio_write_zeroes_on_trim libblkio_wait_mode libblkio_force_enable_completion_eventfd xnvme_be \
     xnvme_mem xnvme_async xnvme_sync xnvme_admin xnvme_dev_nsid xnvme_dev_subnqn xnvme_iovec",
];

/// Names of the options that fio 3.33 does not have, among the options of every job and of the engines in Debian's fio.
const NEWER: &str = "comm priohint ramp_size job_start_clock_id filetype end_syncfs num_range random_sequence_stride sprandom \
     spr_num_regions spr_op spr_cs thinkcycles steadystate_check_interval verify_pattern_interval verify_policy \
     verify_write_sequence verify_header_seed log_issue_time fdp dataplacement plid_select plids dp_scheme gpu_dev_id \
     recover_zbd_write_error write_zone_remainder cmdprio_hint libaio_vectored cdb_len write_mode verify_mode \
     verify_bytchk read_mode md_per_io_size pi_act pi_chk apptag apptag_mask deac rbd_encryption_format \
     rbd_encryption_passphrase";

/// Returns whether fio 3.33 lacks the option of this name.
fn newer(name: &str) -> bool {
    NEWER.split_whitespace().any(|known| known == name)
}

/// Returns the tier of the option of this name: 0 is the most common, `None` is an option of fathom only.
fn tier(name: &str) -> Option<usize> {
    TIERS.iter().position(|names| names.split_whitespace().any(|known| known == name))
}

impl Opt {
    /// Returns the tier of the option: 0 for basic options, 1 for others of common recipes, 2 for others that work on
    /// ordinary Linux, 3 for special hardware, libraries or systems; `None` for options of fathom only.
    pub fn tier(&self) -> Option<usize> {
        tier(self.name)
    }

    /// Returns whether fio 3.33 lacks the option; false for fathom's own options and for engines that Debian's fio does
    /// not have.
    pub fn newer(&self) -> bool {
        newer(self.name)
    }
}
