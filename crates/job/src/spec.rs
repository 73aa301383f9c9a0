//! `JobSpec`: options typed for one section, before defaults. A field is `None` unless the option was typed; `resolve`
//! makes a [`crate::job::Job`] of the specification.

use crate::bad_value::BadValue;
use crate::byte_pattern::BytePattern;
use crate::unit::Size;
use crate::value::Value;
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Place where an option was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the command line.
    CommandLine,
    /// In a job file.
    Line {
        /// Name of the job file as typed.
        file: Arc<str>,
        /// Number of the line, from 1.
        line: u32,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::CommandLine => f.write_str("command line"),
            Place::Line { file, line } => write!(f, "{file}:{line}"),
        }
    }
}

/// Option as typed.
#[derive(Clone, Debug)]
pub struct Typed {
    /// Name of the option, with aliases replaced.
    pub name: &'static str,
    /// Value as typed; `None` for a flag without a value.
    pub value: Option<String>,
    /// Place where the option was typed.
    pub place: Place,
}

impl fmt::Display for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}={}", self.name, stats::plain::line(value)),
            None => f.write_str(self.name),
        }
    }
}

/// A time in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nanos(pub u64);

/// Choice with its optional text after a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Name of the choice.
    pub name: &'static str,
    /// Text after the colon; `None` if the value has no colon.
    pub tail: Option<String>,
}

/// Type of a [`JobSpec`] field, converted from and to a [`Value`].
pub trait FieldValue: Sized {
    /// Converts a value into the field's type; `None` if the value is of another kind (an error in the option table).
    fn from_value(value: Value) -> Option<Self>;
    /// Returns the field's value.
    fn value(&self) -> Value;
}

macro_rules! field_values {
    ($($type:ty: $pattern:pat => $made:expr, $self:ident => $value:expr;)*) => {
        $(impl FieldValue for $type {
            fn from_value(value: Value) -> Option<Self> {
                match value { $pattern => Some($made), _ => None }
            }
            fn value(&$self) -> Value { $value }
        })*
    };
}

field_values! {
    bool: Value::Bool(on) => on, self => Value::Bool(*self);
    i64: Value::Int(n) => n, self => Value::Int(*self);
    [Option<i64>; 3]: Value::Ints(list) => list, self => Value::Ints(*self);
    [Option<(u64, u64)>; 3]: Value::Ranges(list) => list, self => Value::Ranges(*self);
    (u64, u64): Value::Range(low, high) => (low, high), self => Value::Range(self.0, self.1);
    Size: Value::Size(size) => size, self => Value::Size(*self);
    Nanos: Value::Time(n) => Nanos(n), self => Value::Time(self.0);
    (Nanos, Nanos): Value::Times(a, b) => (Nanos(a), Nanos(b)), self => Value::Times(self.0.0, self.1.0);
    Chosen: Value::Choice(name, tail) => Chosen { name, tail }, self => Value::Choice(self.name, self.tail.clone());
    Vec<f64>: Value::Floats(list) => list, self => Value::Floats(self.clone());
    Vec<u32>: Value::Cpus(list) => list, self => Value::Cpus(self.clone());
    Vec<String>: Value::Paths(list) => list, self => Value::Paths(self.clone());
    String: Value::Text(text) => text, self => Value::Text(self.clone());
    BytePattern: Value::Pattern(pattern) => pattern, self => Value::Pattern(self.clone());
}

/// Stores a value in a field.
///
/// # Errors
/// The value is of another kind than the field: an error in the option table.
pub fn store<T: FieldValue>(field: &mut Option<T>, value: Value) -> Result<(), BadValue> {
    *field = Some(T::from_value(value).ok_or(BadValue::WrongRow)?);
    Ok(())
}

macro_rules! job_spec {
    ($($field:ident: $type:ty,)*) => {
        /// Options typed for one job; fields have the names of options.
        #[derive(Clone, Debug, Default)]
        #[allow(missing_docs, reason = "each field is documented by the option of its name")]
        pub struct JobSpec {
            $(pub $field: Option<$type>,)*
            /// Block size ranges in bytes from `bsrange` and `bssplit`, the later one winning per direction; `bs`
            /// applies to directions without a range.
            pub block: Option<[Option<(u64, u64)>; 3]>,
            /// Percentage of reads: `rwmixread`, or 100 minus `rwmixwrite`.
            pub reads: Option<i64>,
            /// Kinds of errors that do not end the job (`continue_on_error`, `ignore_error`): bit 0 reads, bit 1
            /// writes, bit 2 verification.
            pub errors_let_pass: Option<i64>,
            /// All options typed, in the order of reading.
            pub typed: Vec<Typed>,
            /// Files found below each directory of `opendir=`, with their sizes in bytes.
            pub found: Vec<(PathBuf, u64)>,
            /// Remarks made while the options were read.
            pub remarks: Vec<stats::note::NoteFact>,
        }

        impl JobSpec {
            /// Returns whether both specifications have the same values, whatever the places and spellings of their
            /// options.
            pub fn means_the_same(&self, other: &JobSpec) -> bool {
                $(self.$field == other.$field &&)* self.block == other.block
                    && self.reads == other.reads
                    && self.errors_let_pass == other.errors_let_pass
            }
        }
    };
}

job_spec! {
    name: String, description: String, hosts: String, numjobs: i64, thread: bool, group_reporting: bool, new_group: bool,
    stonewall: bool, startdelay: (Nanos, Nanos), exitall: bool, loops: i64, nice: i64, cpus_allowed: Vec<u32>,
    cpus_allowed_policy: Chosen, lockmem: i64,
    wait_for: String, exit_what: Chosen, exitall_on_error: bool, stats: bool, prio: i64, prioclass: i64, cpumask: i64,
    uid: i64, gid: i64, exec_prerun: String, exec_postrun: String, numa_cpu_nodes: String, numa_mem_policy: String,
    cgroup: String, cgroup_weight: i64, cgroup_nodelete: bool, ioscheduler: String,
    runtime: Nanos, time_based: bool, ramp_time: Nanos, clocksource: Chosen, gtod_reduce: bool, ramp_size: i64,
    job_start_clock_id: i64, gtod_cpu: i64, comm: String, priohint: i64, filetype: Chosen, end_syncfs: bool, random_sequence_stride: bool,
    filename: Vec<String>, directory: Vec<String>, filename_format: String, opendir: String, nrfiles: i64, openfiles: i64,
    file_service_type: Chosen, filesize: (u64, u64), fallocate: Chosen, fadvise_hint: Chosen, create_serialize: bool,
    create_fsync: bool, create_on_open: bool, create_only: bool, allow_file_create: bool, allow_mounted_write: bool,
    unlink: bool, invalidate: bool, overwrite: bool, unlink_each_loop: bool, pre_read: bool, write_hint: Chosen,
    unique_filename: bool, file_append: bool, fill_device: bool,
    rw: Chosen, io_submit_mode: Chosen, direct: bool, sync: Chosen, fsync: i64, fdatasync: i64, sync_file_range: String, max_latency: String, lockfile: Chosen, write_barrier: i64, end_fsync: bool, fsync_on_close: bool,
    size: Size, io_size: Size, offset: Size, offset_align: i64, offset_increment: Size, number_ios: i64,
    bs: [Option<i64>; 3], bssplit: String, bs_unaligned: bool, bs_is_seq_rand: bool, ba: [Option<i64>; 3],
    access_spec: String, sprandom: bool, spr_num_regions: i64, spr_op: Vec<f64>, spr_cs: i64, random_distribution: Chosen, random_generator: Chosen, percentage_random: [Option<i64>; 3],
    softrandommap: bool, rw_sequencer: Chosen,
    zonemode: Chosen, zonesize: i64, zonerange: i64, zoneskip: String, zonecapacity: i64, read_beyond_wp: bool,
    max_open_zones: i64, job_max_open_zones: i64, ignore_zone_limits: bool, zone_reset_threshold: Vec<f64>,
    zone_reset_frequency: Vec<f64>,
    norandommap: bool, randrepeat: bool, allrandrepeat: bool, randseed: i64,
    ioengine: Chosen, iodepth: i64, iodepth_batch: i64, iodepth_batch_complete_min: i64,
    iodepth_batch_complete_max: i64, iodepth_low: i64, serialize_overlap: bool,
    rate: [Option<i64>; 3], rate_min: [Option<i64>; 3], rate_iops: [Option<i64>; 3], rate_iops_min: [Option<i64>; 3],
    rate_process: Chosen, rate_cycle: i64,
    latency_target: Nanos, latency_window: Nanos, latency_percentile: Vec<f64>, latency_run: bool,
    flow: i64, flow_id: i64, flow_sleep: Nanos, flow_watermark: String,
    thinktime: Nanos, thinktime_spin: Nanos, thinkcycles: i64, thinktime_blocks: i64, thinktime_blocks_type: Chosen,
    thinktime_iotime: Nanos, rate_ignore_thinktime: bool,
    cmdprio_percentage: [Option<i64>; 3], cmdprio_class: [Option<i64>; 3], cmdprio: [Option<i64>; 3], cmdprio_bssplit: String,
    cmdprio_hint: [Option<i64>; 3], libaio_vectored: bool,
    mem: Chosen, iomem_align: i64, hugepage_size: i64,
    zero_buffers: bool, refill_buffers: bool, scramble_buffers: bool, buffer_compress_percentage: i64,
    buffer_compress_chunk: i64, buffer_pattern: BytePattern, dedupe_percentage: i64, dedupe_mode: Chosen,
    dedupe_working_set_percentage: i64, dedupe_global: bool,
    verify: Chosen, do_verify: bool, verify_only: bool, verify_interval: i64, verify_offset: i64, verify_pattern: BytePattern,
    verify_pattern_interval: i64, verify_fatal: bool, verify_dump: bool, verify_async: i64, verify_async_cpus: Vec<u32>,
    verify_backlog: i64, verify_backlog_batch: i64, verify_policy: Chosen, verify_state_save: bool, verify_state_load: bool,
    verify_write_sequence: bool, verify_header_seed: bool, experimental_verify: bool,
    verifysort: String, verifysort_nr: String, trim_percentage: i64, trim_verify_zero: bool, trim_backlog: i64,
    trim_backlog_batch: i64, block_error_percentiles: bool,
    write_iolog: String, read_iolog: Vec<String>, read_iolog_chunked: bool, replay_no_stall: bool,
    replay_redirect: String, replay_scale: i64, replay_align: i64, replay_time_scale: i64, replay_skip: String,
    merge_blktrace_file: String, merge_blktrace_scalars: Vec<f64>, merge_blktrace_iters: Vec<f64>,
    percentile_list: Vec<f64>, clat_percentiles: bool, lat_percentiles: bool, slat_percentiles: bool,
    significant_figures: i64, disable_lat: bool, disable_clat: bool, disable_slat: bool, disable_bw: bool,
    bwavgtime: i64, iopsavgtime: i64, disk_util: bool, continue_on_error: Chosen,
    ignore_error: String, error_dump: bool, unified_rw_reporting: Chosen,
    kb_base: Chosen, unit_base: Chosen,
    write_bw_log: String, write_lat_log: String, write_iops_log: String, write_hist_log: String, per_job_logs: bool,
    log_avg_msec: i64, log_hist_msec: i64, log_hist_coarseness: i64, log_max_value: Chosen, log_offset: bool, log_prio: bool,
    log_issue_time: bool, log_entries: i64, log_compression: i64, log_compression_cpus: Vec<u32>, log_store_compressed: bool,
    log_unix_epoch: bool, log_alternate_epoch: bool, log_alternate_epoch_clock_id: i64,
    fixedbufs: bool, registerfiles: bool, nonvectored: i64, hipri: bool, hipri_percentage: i64, uncached: i64,
    nowait: bool, stat_type: Chosen, sqthread_poll: bool, sqthread_poll_cpu: i64, force_async: i64, userspace_reap: bool, thp: i64,
    cpuload: i64, cpumode: Chosen, cpuchunks: i64, exit_on_io_done: bool, program: String, arguments: String,
    grace_time: i64, std_redirect: bool,
    donorname: String, inplace: i64, skip_bad: bool,
    hostname: String, port: i64, protocol: Chosen, nodelay: bool, listen: bool, pingpong: bool, interface: String,
    ttl: i64, window_size: i64, mss: i64,
    clustername: String, rbdname: String, pool: String, clientname: String, conf: String, busy_poll: bool, touch_objects: bool,
    rbd_encryption_format: Chosen, rbd_encryption_passphrase: String, https: Chosen, http_host: String, http_user: String,
    http_pass: String, http_s3_key: String, http_s3_keyid: String, http_s3_security_token: String, http_swift_auth_token: String,
    http_s3_region: String, http_s3_sse_customer_key: String, http_s3_sse_customer_algorithm: String,
    http_s3_storage_class: String, http_mode: Chosen, http_verbose: i64, http_object_mode: Chosen, initiator: String,
    nfs_url: String, uri: String,
    cmd_type: Chosen, readfua: bool, writefua: bool, write_mode: String, recover_zbd_write_error: bool, write_zone_remainder: bool, sg_write_mode: Chosen, atomic: bool, stream_id: i64, md_per_io_size: i64, pi_act: bool, pi_chk: Chosen,
    apptag: i64, apptag_mask: i64, deac: bool, num_range: i64,
    fdp: bool, dataplacement: Chosen, plid_select: Chosen, plids: String, dp_scheme: String,
    profile: Chosen, block_of_profile: i64, numruns: i64, dir: String, threads: i64,
    model_servers: i64, model_law: String, model_transfer: i64, model_iops: i64, model_bw: i64, model_burst: String,
    model_cache: String, model_cliff: String, model_drift: Vec<f64>, model_step: String, model_stall: String, model_disk: String,
    steadystate: Chosen, steadystate_duration: Nanos, steadystate_ramp_time: Nanos, steadystate_check_interval: Nanos,
    device_names: String, load_of_profile: i64, test_duration: Nanos, threads_per_queue: i64, read_blocks: i64, large_block: i64, prep: bool,
    model_cpu: Nanos, model_cores: i64, model_contention: Vec<f64>, model_hit: String, model_zone_size: i64, model_zone_capacity: i64, model_open_zones: i64, model_zone_errors: i64, model_ftl: String, model_ftl_times: String, model_surface: String, model_slc: String, model_read_cache: String, null_jitter: bool,
}

impl JobSpec {
    /// Returns the value of `kb_base` after the options read so far: 1000 or 1024.
    pub fn base(&self) -> u32 {
        if self.kb_base.as_ref().is_some_and(|chosen| chosen.name == "1000") { 1000 } else { 1024 }
    }

    /// Returns the value of `kb_base` (1000 or 1024) when the option `name` was last typed, with which its sizes are
    /// read.
    pub fn base_of(&self, name: &str) -> u32 {
        let at = self.typed.iter().rposition(|typed| typed.name == name).unwrap_or(self.typed.len());
        let base = self.typed[..at].iter().rfind(|typed| typed.name == "kb_base");
        if base.is_some_and(|typed| typed.value.as_deref().map(str::trim) == Some("1000")) {
            1000
        } else {
            1024
        }
    }

    /// Returns the name of the engine after the options read so far.
    pub fn engine(&self) -> &'static str {
        self.ioengine.as_ref().map_or("psync", |chosen| chosen.name)
    }

    /// Returns the last occurrence of the option `name`.
    pub fn place_of(&self, name: &str) -> Option<&Typed> {
        self.typed.iter().rev().find(|typed| typed.name == name)
    }

    /// Removes from `typed` each option that was typed again later. The order of the others is kept, and so is each
    /// `kb_base` before an option that is kept.
    pub(crate) fn drop_repeated(&mut self) {
        let mut seen = HashSet::new();
        let mut base_wanted = true;
        let mut kept: Vec<Typed> = Vec::new();
        for typed in std::mem::take(&mut self.typed).into_iter().rev() {
            if typed.name == "kb_base" {
                if base_wanted {
                    kept.push(typed);
                }
                base_wanted = false;
            } else if seen.insert(typed.name) {
                kept.push(typed);
                base_wanted = true;
            }
        }
        kept.reverse();
        self.typed = kept;
    }

    /// Sets block size ranges in bytes; directions with `None` keep their range.
    pub fn set_blocks(&mut self, list: [Option<(u64, u64)>; 3]) {
        let block = self.block.get_or_insert_default();
        block.iter_mut().zip(list).filter(|(_, new)| new.is_some()).for_each(|(old, new)| *old = new);
    }
}
