//! Documents generated from the option table: docs/options.md and docs/compat.md.

use job::doc::{REMOVED, bounds, choices, unbuilt};
use job::option::{Choice, Compat, Opt, Section};
use job::table;
use std::fmt::Write as _;

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
     log_avg_msec log_hist_msec log_max_value log_window_value log_offset log_prio log_issue_time log_compression \
     log_store_compressed log_alternate_epoch log_unix_epoch cmdprio_percentage cmdprio_class cmdprio_hint cmdprio \
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

/// Returns the tier of the option `name`: 0 is the most common tier, `None` is an option that only fathom has.
fn tier(name: &str) -> Option<usize> {
    TIERS.iter().position(|names| names.split_whitespace().any(|known| known == name))
}

/// Returns whether the option behaves as in fio, which includes the refusal of options that fio has removed.
fn is_fios(compat: Compat) -> bool {
    matches!(compat, Compat::Same | Compat::Removed)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Returns the text of docs/options.md with every implemented option.
pub(crate) fn options_md() -> String {
    let mut text = String::from(
        "# Options\n\nMade by `cargo xtask generate` from the option table (crates/job/src/table).\nOptions that fio knows and fathom refuses for now are in compat.md.\n",
    );
    for section in Section::ALL {
        let rows: Vec<&Opt> =
            table::rows().filter(|row| row.section == section && row.compat.works()).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n## {}", section.title());
        for row in rows {
            let _ = writeln!(text, "\n### {}\n\n{}.", row.name, row.help.trim_end_matches('.'));
            if !row.doc.is_empty() {
                let _ = writeln!(text, "{}", row.doc);
            }
            let mut facts = vec![format!("Example: `{}={}`", row.name, row.example)];
            if !row.default.is_empty() {
                facts.push(format!("default: `{}`", row.default));
            }
            if !row.aliases.is_empty() {
                facts.push(format!("also: `{}`", row.aliases.join("`, `")));
            }
            if !row.engines.is_empty() {
                facts.push(format!("engines: {}", row.engines.join(", ")));
            }
            facts.extend(bounds(row).map(|bounds| format!("bounds: {bounds}")));
            let _ = writeln!(text, "\n{}.", facts.join("; "));
            for choice in choices(row) {
                let _ = writeln!(text, "- `{}`: {}{}", choice.name, choice.help, unbuilt(choice));
            }
        }
    }
    text
}

/// Differences from fio that concern more than one option, one sentence each.
const DIFFERENCES: &[&str] = &[
    "`--bandwidth-log` takes a prefix (`--bandwidth-log=PREFIX`) as newer versions of fio do, and its files have a line every 0.5 s whether or not there is an ETA line; those of fio 3.33 are empty without one. Simulated devices have no lines.",
    "A negative value of an option that cannot be negative is refused; fio wraps it (`bs=-1` is 16 EiB) or takes the number without its sign.",
    "A list with a bad member (`bs=4k,foo`) is refused; fio uses the members before it.",
    "Text that is no value (`cpus_allowed=x`, `startdelay=soon`, `percentile_list=50:high`) is refused at once; fio takes it for 0 or goes on without it.",
    "Words of newer versions are taken (`fadvise_hint=noreuse`, `random_distribution=sequence`), and `pre_read` works with direct=1 and where a file to be written is still short; fio 3.33 fails with an I/O error.",
    "Where `numa_cpu_nodes` names no node (`!all`), the line about the failed job is one line; fio breaks it.",
    "`stats=0` adds an entry without name or figures to fio's terse output, with `-nan%` in it; not to ours.",
    "A size or number beyond 2^63 - 1 with its suffix is refused; fio wraps.",
    "`size=101%` is refused; fio hangs or wraps.",
    "Text behind a number (`iodepth=4x`) is ignored as in fio, and a note in the report says so.",
    "`--parse-only` and `--showcmd` hold for the whole command line; fio may run jobs that stand before them.",
    "A job file that cannot be included ends the program; fio goes on and fails that job.",
    "After fio's own lines on stderr come ours: file, line, option and what would be right. They are printed on errors only.",
    "At most 65536 clones per job, 1048576 files per clone, 65535 I/Os in flight.",
    "In JSON an option that was given twice appears once, as last given; fio repeats the key.",
    "`rwmixread` is dealt from a shuffled hundred of reads and writes: the share is exact per hundred I/Os. fio tosses a coin, so a short job may hold a few more of one kind.",
    "`lat (nsec/usec/msec)` ranges come from the histogram: a bucket that a limit cuts is divided in proportion, so a latency within 1.6 % of a limit may show on both sides of it.",
    "`file_service_type=normal:PERCENT:CENTER` and `random_distribution=normal:PERCENT:CENTER` with a center below 0.5: fio's arithmetic goes below zero, so that its middle lies elsewhere unless files or blocks are a power of two.",
    "`random_distribution=normal:PERCENT` over a few blocks (fewer than ten or so): fio 3.33 often hangs, using all of a CPU; fathom does the job.",
    "`create_on_open=1` with reads or with `overwrite=1`: which jobs fail and how long files become may differ.",
    "`rw=write:N` and a region that ends before its file does, with blocks of several sizes: fio's last I/O may reach beyond the region; ours stays inside. A line of blocks of one size ends as fio's does, whose last block may reach beyond the region where the file goes on.",
    "An offset in percent of a file that the job makes longer, with `loops` or `io_size`: from its second pass on fio takes the percent of the longer file and leaves out the beginning of the region; fathom begins each pass at the same place.",
    "`verify` with `number_ios` and `loops`: fio counts the reads that check blocks among `number_ios` from the second pass on; fathom counts the job's own I/Os.",
    "`verify` in a mix (`rw`, `randrw`) over several files or without the random map, in runs (`randwrite:N`), and in overlapping writes at `iodepth` above 1: fio 3.33 takes good blocks for damaged; fathom checks which write may have come last.",
    "`verify` with clones on one file: fio warns of false failures on standard output, even above its JSON; fathom's clones share a record of the writes, and there are none.",
    "`verify_backlog` that checks all blocks before the end of a pass: fio counts the reads but leaves their lines out of the text.",
    "`verify` with `io_size` beyond the region: a pass ends with the region, and fio begins another one until the bytes of the job and of its checks reach `io_size`; fathom makes one pass.",
    "`rw=write:N` with `offset`, `io_size` and `loops`: fio ends after the first pass.",
    "`latency_target` without measured latencies (`gtod_reduce`, `disable_lat`): fio does not end. The depth that a short job reaches depends on the number of windows that it has.",
    "`latency_target`: fio's result of the last window has the I/Os that were in flight when the window began, too: its IOPS are higher by iodepth / window; fathom's are those of the device.",
    "`ioengine=mtd` and `ioengine=dev-dax`: fathom does not examine what flash and DAX memory hold; writes and erases need `--allow-destroy=DEVICE`.",
    "`ioengine=e4defrag` with `verify` is refused; fio 3.33 makes the moves and fails at the first read. A failed sync is not counted.",
    "`verify` with `bs_unaligned` and a range of block sizes is refused; fio reports damage that is none.",
    "`zonemode=strided` in a part of a file: fio's zones go on behind the end of the part, up to the end of the file; fathom's stay inside. Lines that lead backwards (`rw=write:-4k`) with zones, several files, a range of `filesize` or an offset in percent begin elsewhere in the region.",
    "`filesize` with the larger number first (`filesize=8m-4m`): fio's arithmetic wraps, it fills the file system or makes an existing file shorter; fathom takes the range in either order.",
    "`ioengine=mmap` where the last block reaches beyond the region: fio 3.33 crashes in its mapping; where the file goes on fathom writes the block whole, as the other engines do.",
    "`random_distribution=zoned_abs`: fio's random writes stayed in the first 56 KiB of a region of 189 KiB with `zoned_abs:60/40k:40/200k`; the first draw behind the end of the region ends fio's pass; fathom uses the whole of both zones, within the region.",
    "`bs_unaligned` in a line: fio may end a few bytes before the end of the region; fathom goes up to it.",
    "`rw=randwrite:N` and a region that is no multiple of the block: a run of fio's may reach a block beyond the region where the file goes on; ours may end before.",
    "`filesize` as a range with clones at an `offset_increment`, or with an offset in percent: fio may refuse the job (`you need to specify valid offset=`); fathom leaves out the clone whose offset lies beyond the end of its file.",
    "`create_on_open=1` with several files and `size` in percent: fio makes files that have no region (empty ones); fathom does not.",
    "`ioengine=mmap` with an offset: fio 3.33 writes elsewhere than asked (from the beginning of the file, or offset bytes too early) or crashes; fathom writes the region.",
    "`group_reporting` on some members only: the entries are fio's, without the empty one (group 4294967295) that fio's JSON may add.",
    "A percent of a file that is not there yet is 0 as an offset, as in fio, and an error as a size.",
    "The note that a synchronous engine caps iodepth is on stderr, as newer fio has it; fio 3.33 prints it on stdout.",
    "`Did you mean` may name another option than fio where several are equally near.",
    "Writes and trims on a block device that is mounted, swapped to, part of another device, partitioned (the kernel knows partitions of it, whatever its label), that carries a file system, LVM, RAID, LUKS, ZFS or another signature known to fathom or libblkid, or that holds data that neither fathom nor fio writes (in its first or last MiB, or in one of 256 samples of 64 KiB between them, of which as many are read as take 3 s) are refused with status 3, unless `--allow-destroy=DEVICE` names it; the device is claimed with O_EXCL from the check to the end. fio refuses a mounted device by its exact name; `FATHOM_FIO_UNGUARDED=1` is that.",
    "`fathom run` refuses to overwrite a file that it has not made, or that has been changed, copied, linked or opened by another program since (fathom gives its files the attribute `user.fathom.scratch`, bound to inode, birth time, size and times); `fathom fio` follows fio.",
    "A regular file under a loop device or in use as swap is not overwritten or deleted (status 3) unless `--allow-destroy=FILE` names it; fio writes to it.",
    "What was checked is what is opened: a path that leads to another file or device when a job opens, lays out or deletes it (a symbolic link switched, a rename, a mount), or where a file has appeared that was not there, is refused with status 3 and the run ends; fio writes to whatever is there. A plan that runs programs (`ioengine=exec`, `exec_prerun`, `exec_postrun`) may write files that appear. `FATHOM_FIO_UNGUARDED=1` compares nothing.",
    "The scheduler that `ioscheduler` replaces, and the `nr_requests` that goes with it, are put back when the run ends, or by the next fathom if this one is killed; fio leaves the new one. A scheduler that a device does not have ends the program before the run with one line and status 1; fio fails each job.",
    "Outputs (`--output`, files that `exec` and `exec_prerun` write) go to regular files, pipes, terminals and /dev/null: a block device, another character device, a swap file or the backing file of a loop device is refused with status 3, and a named pipe that nobody reads for 2 s is an error; fio writes to the device, and waits. `--output`, logs, traces, the files of `exec` and `exec_prerun` and the state of `verify_state_save` are refused with status 3, before anything is written, if they would overwrite a file of a job or a job file; fio overwrites them.",
    "`fathom run` replaces only earlier outputs of their kind: reports, logs, traces, states. The output of a program (`NAME.stdout`, `NAME.stderr`, `NAME.prerun.txt`, `NAME.postrun.txt`) cannot be recognised: what an earlier run left there has to be removed or renamed. `verify_dump` writes to a free name (`FILE.OFFSET.received.1`). `fathom fio` replaces these files as fio does.",
    "An output that could not be written (a full disk) is told on stderr and by status 5; fio ends with status 0. A reader that closes standard output ends fathom with status 141, as SIGPIPE ends fio.",
    "A named pipe or a socket as a file of a job is refused with status 3; fio reads the pipe and replaces the socket by a file.",
    "`fathom run` removes only directories that the run itself made (`dirdelete`, `unlink=1`), and refuses others with status 3; `fathom fio` removes an empty one, as fio does.",
    "`posixaio` is carried out by io_uring, and where that is forbidden by kernel AIO; the notes of the result say so.",
    "`fathom run --filename=a:b` on the command line makes one job for each file, each with its own `size` and `iodepth`, and takes block devices in place of job files (`fathom run --rw=randread /dev/sda /dev/sdb`). With `file_service_type`, `nrfiles`, `openfiles`, `opendir`, `read_iolog` or `profile`, in job files and under `fathom fio`, one job alternates between its files, as in fio.",
    "What all jobs will write is summed up for each file system before anything is written. `fathom run` refuses with status 3 what does not fit with a hundredth of the file system (at most 256 MiB) left free, and `fill_device` without a size; `fathom fio` says so on stderr and goes on as fio does. Loop devices on sparse files count in the file system below. Nothing is started where the files that are written before the run do not fit.",
    "Descriptors, fs.aio-max-nr, locked memory and memory for buffers are checked for all jobs before the start; fio finds out job by job, some after hours of layout.",
    "A layout that fails or is interrupted leaves no half file; fio leaves one of full size, which its next run takes for a whole one.",
    "A blank before a number (`bs= 4k` in a job file) is dropped; fio loses the suffix behind the number (4 bytes).",
    "A transfer that moved less than asked is finished and its bytes count; fio 3.33 counts the rest as another I/O and only part of the bytes.",
    "A device that no longer answers when the run should have ended (signal, runtime) is waited for 30 s (`FATHOM_PATIENCE_S`); then the report comes with what had completed and error 110. fio waits for ever.",
    "`allow_file_create=0` does not delete a file that is too small; fio deletes it and then fails.",
    "`end_fsync` and `fsync_on_close` with `io_size` beyond the region: one fsync per file at the end; fio does one each time it begins the region anew.",
    "Buffered reads with `io_size` above `size`: fio drops the page cache each time it begins the region anew; fathom drops it at the start and between `loops`, so that its later passes may be served from memory. With `invalidate=0` and `loops` fio reopens a device for each loop, and the kernel drops the cache then; fathom keeps it open.",
    "Random I/O over more blocks than fio has memory for a map of: fio says so, does nothing and exits with 0 unless `softrandommap` is set; fathom does the job.",
    "`clocksource=gettimeofday`: whole microseconds as in fio, of a clock that nobody sets: a step of the wall clock is in no latency.",
    "`create_serialize=0`: a file that several jobs use is made before the start all the same, by the first of them; a directory that cannot be made is an error of the job (fio's ends without one).",
    "`fill_device` with random writes to a file and no size is refused; fio has no memory for its map, does nothing and exits with 0. With reads and an offset the region ends where the file does; fio's arithmetic wraps, and the job ends in an error.",
    "`random_generator=lfsr`: for a few seeds (`randrepeat=0 randseed=12345` over 16 blocks), and where directions have different smallest blocks, fio says `failed initializing LFSR`, does nothing and exits with 0; fathom does the job.",
    "When a run with several I/Os in flight is over, fio waits for all of them and gives them one and the same end; in fathom each has its own. At depth 32 on a disk of ten I/Os a second fio's p99 is 5.6 s for that reason, 3.3 s without those 32.",
    "`random_distribution=zipf` and `pareto` where reads and writes have different smallest blocks: fio numbers places in the smaller unit and ends at the first that lies beyond the end in the larger one, often at once; fathom numbers them in the direction's own.",
    "Storage on servers (`rbd`, `rados`, `nfs`, `libiscsi`, `nbd`, `http`): a missing option, library, server or volume is one line before the run; fio starts the job first. A volume is examined before it is written, as a device is. `nfs` opens files of writing jobs for reading too, so that they can be verified. `libiscsi` ends when its target is gone, where fio 3.33 waits for ever. `http` has up to `iodepth` requests in flight (fio: one), a sync completes at once (fio: the job fails), and a read of an object that does not exist fails with ENOENT (fio: it succeeds). Trims of `nbd` and `rbd` are asynchronous. A read of an object that is longer than the block is an error, and so is a writing job on a volume of 0 bytes. In the JSON the values of passwords and keys among the options are `***`.",
    "`zonemode=zbd`: a zone of a zoned device has one write in flight at a time, so that no path to the device can change the order of its writes; fio puts several in flight and relies on the scheduler. Where a block does not fit into the rest of a zone, fathom goes on in the next zone; fio 3.33 resets the zone and never leaves it. A sequential mix goes on after its reads have reached the write pointer, as reads without data become writes; fio ends. Offsets and sizes are rounded to whole zones without a line on the output. A missing file is laid out first; fio refuses it. `size`, `offset` and `io_size` in zones (`2z`) are not built.",
    "`zonemode=strided` in clones (`numjobs` above 1): in some jobs (files whose last zone is not whole, block sizes that do not divide a zone) fio 3.33 forgets it from the second clone on, which then visits everything or refuses (`zonemode=none and zonesize are not compatible`); fathom keeps it.",
    "`number_ios` with `fsync` or `fdatasync` and null, io_uring or posixaio beyond depth 1: fio counts the syncs that are in flight among the I/Os and ends before so many writes; fathom makes so many.",
    "`zonemode=strided` at random with a block size that does not divide `zonesize`: fio ends a pass within the first zone (5 of 342 blocks of 12k in zones of 64k); fathom goes on to the others.",
    "`zonemode=strided` with several files: fio goes on to zones behind the end of a file (block 672 of one of 341), or forgets zones where `openfiles` is smaller; in fathom the last zone of a file ends its pass.",
    "`percentage_random` and a file that is no multiple of the block size: fio ends the pass where the ordered I/O comes upon less than a block (132 to 257 of 257 I/Os, by the seed); fathom goes on.",
    "`percentage_random` with `loops` and syncs after n writes: fio leaves out the sync that is due between two loops (127 of 128); fathom does it.",
    "`rw=randtrimwrite` with `offset`: fio 3.33 trims one block and writes the others without a trim; fathom trims each block before it writes it.",
    "`log_compression` and `disable_slat`: fio 3.33 can lose the last row of a log (1024 of 1025), and with `log_compression` the histograms of `write_hist_log` have no counts; fathom loses nothing.",
    "`verify_backlog` with `openfiles` below the number of files, or files opened late for another reason: fathom reads all blocks after the pass.",
    "`zonemode=strided`, and `rw=write:N` over several files, with `verify`: fio goes on until `size` bytes are written, each block twice if half is skipped; fathom goes through them once, as without verify.",
    "`verify` of blocks that were written twice within a `verify_backlog`: fathom reads each block once, fio once for each write.",
    "`rw=randtrimwrite` with several files and `norandommap`: fio's last write may be left out (1024 of 1026); fathom leaves out the one whose trim came last (1025).",
    "`random_distribution=zipf` or `pareto` with a centre (`:0.5`), several files and a block size that does not divide them: in fio 3.33 a clone vanishes from the report; fathom's do their I/O.",
    "`random_distribution=normal` with several files and a block size that does not divide them: fio 3.33 ends after one I/O per file, or a clone vanishes; fathom's do their I/O.",
    "`rw=randwrite:N` over several files whose size is no multiple of the block: fio leaves out the last block of a file (1023 of 1024); fathom does it.",
    "`rw=trimwrite` with `zonemode=strided`: fathom also trims the zone that the last write reaches (14 trims, fio 13).",
    "`rw=write:8k` with `ioengine=vsync` and `loops`: fio begins each pass at offset 0; with other engines a pass goes on where the one before ended, as in fathom.",
    "`file_service_type` by a law with few `openfiles`: which file comes first, and so which is written, differs.",
    "`pre_read` with ioengine=splice: fio says that the engine is not seekable and leaves it out; fathom reads.",
    "`unlink_each_loop` with `io_size` above `size`, or at random without a random map: fio deletes after each `size` bytes; fathom's loop there ends with the last of them, so that nothing is deleted between.",
    "`unlink` with a file that several clones or jobs share: in fio the first that ends deletes it before the others have begun, which may fail then; in fathom it goes when all have ended.",
    "`zonemode=strided` with `zonesize` above `zonerange`: fio ends a pass after half of the zones; fathom goes through them all.",
    "`--readonly` refuses `exec_prerun`, `exec_postrun` and ioengine=exec with status 3, and `unlink` and `unlink_each_loop` delete nothing under it; fio starts the programs and deletes the files. `fathom run` names on standard error the programs that its jobs start, before it starts them.",
    "Control characters, marks that change the direction of text and invisible characters in names, paths and descriptions are shown escaped (`\\x1b`, `\\u{202e}`), in JSON with its own escapes; fio prints them as they are.",
    "`unlink_each_loop` with ioengine=null: fio's job fails, for there is no file to delete (ENOENT); fathom's goes on.",
    "IO depths: fathom takes all completions that are there and fills the queue again, fio one after the other, so that its line shows the full depth (`16=100.0%`) where fathom's shows how the queue is filled (`8=50%`); the I/Os in flight on the device are at least as many.",
    "`filename_format` without `$jobnum` and `numjobs` above 1: in fio 3.33 the first clone alone does I/O; fathom's share the files, as fio's manual says.",
    "`zonemode=strided` with `random_distribution=zipf`, `pareto` or `zoned` (there also `bug in offset generation`): fio draws from the whole region, whatever the zone, and ends after a few zones (51 of 768 blocks of a file of 12 zones); fathom draws within each zone.",
    "`fsync_on_close` with `ioengine=null`, `iodepth` above 1 and `rw=write:N`: fio's job fails (`func=file close, error=Bad file descriptor`).",
    "`random_distribution=zipf` or `pareto`, several files and a block size that does not divide them: fio may end early (133 of 375 I/Os); fathom does them all.",
    "`serialize_overlap=1` with `rw=trimwrite` or `randtrimwrite`, or with blocks of several sizes at random: fio 3.33 moves fewer I/Os than the job has, with trims nearly none; fathom does them all.",
    "`rw=randread:N` over a part of a file (`io_size`, `offset`): fio may end where a run of N passes the end of the part, after 2 to 16 of 16 by chance; fathom draws another place.",
    "An fdatasync is counted under `sync`; fio 3.33 counts it as a short read.",
    "Beyond depth 1 and without reads, one sync follows so many writes as asked; fio issues and counts more, for I/Os in flight meanwhile. In a mix with reads, both make more (about 860 for 2048 writes with fsync=5).",
    "Trims: `vsync` does them too (fio 3.33 fails with EFAULT). What the same job wrote through the page cache is written back before it is trimmed, for the device is held with O_EXCL; fio drops it unwritten. A failed trim has a line of ours on stderr.",
    "In flight never exceeds `iodepth`; fio's io_uring engine rounds it up to a power of two (24 becomes 32).",
    "io_uring: files are registered unless `registerfiles=0`, and buffers with `direct=1` unless `fixedbufs=0` or `nonvectored=0`; fio registers them where it is asked to. libaio with `userspace_reap` looks into the ring also where it waits for completions.",
    "`ioengine=sg`: the same commands as fio 3.33, with the length of their operation code (fio says 16 bytes for all) and one range per UNMAP (fio puts the trims of a batch into one). The driver takes 16 commands of an open file; further ones wait in fathom, where fio ends with EDOM. Jobs with a block device are synchronous, and the note about an iodepth of 1 is printed only for them (fio prints it for `/dev/sgN` too). A failed command is EIO, as in fio, and its status and sense data are printed also for block devices. fdatasync and sync_file_range are counted under `sync`, not as short writes. An I/O that is not whole blocks is EINVAL; fio ends without I/O and without an error. Partitions and devices above a SCSI disk are refused, as commands address the whole disk below; the disk behind `/dev/sgN` is checked and held as that of a write to its block device.",
    "`ioengine=io_uring_cmd`: registered buffers and files unless they are turned off. Trims are Dataset Management commands and syncs are flushes, as in newer fios (in 3.33 such jobs end without I/O). A status of the controller becomes the errno that the block device has for it (EILSEQ for protection information, ENODATA for media errors, EINVAL for an invalid field), fio 3.33 says e.g. `Unknown error -16386`. I/Os that are not whole blocks fail with EINVAL. A path that is no namespace is refused before the start, and the block device of the namespace is checked and held as that of a write to it. `nowait` has no effect, as there is no queue to wait in. Guards are those of 16 bits.",
    "`dataplacement`: no device with Flexible Data Placement was at hand (QEMU 7.2 has none): tests compare the fields of the commands with the figures of the NVMe base specification, and a device without it is refused before the start.",
    "`write_mode=zone_append`: with `verify`, and in mixtures with other commands, a zone has one write in flight, as the header of a block has its offset; without, as many as `iodepth` allows. `write_iolog` has the offsets that were expected. Needs a namespace with zones.",
    "`recover_zbd_write_error`: the zone continues at the write pointer that the device reports; newer fios write zeros up to the end of the failed write, or repeat its rest. Refused with `verify`, with any engine.",
    "`zonemode=zbd` with `verify`: blocks of a zone that is reset later in the pass are not read back; fio ends its pass before it resets zones, and writes less.",
    "Every I/O buffer begins at a page; fio's follow each other without gaps.",
    "`wait_for` is refused with `ioengine=model`, which is ours alone.",
    "I/Os are submitted and reaped in batches unless `iodepth_batch*` is given; fio makes one system call for each. The figures of `submit` and `complete` show it.",
    "Jobs are threads of one process; without `thread` they are called processes where fio has them, and share one pid.",
    "Reports while a run goes on (`--status-interval`, SIGUSR1, the file `fio-dump-status`): CPU time of running jobs comes in hundredths of a second; jobs of `ioengine=model` report at the end only.",
    "`--idle-prof` tells what the kernel counts (`/proc/stat`, in hundredths of a second, waiting for disks included). fio fills every CPU with a thread of the lowest priority and tells what that got done, which keeps CPUs awake that would sleep, and is wrong by its calibration: on an idle machine it said 84 % where the kernel counts 98, and 20 % of a CPU that a job kept fully busy (fathom: 98.7 and 0.3); in runs below a second it says 1 %, in reports while the run goes on numbers beyond all bounds. `unit work` is the time of a piece of work of ours.",
    "Contents of laid-out files are noise from the first byte to the last.",
];

/// Returns one job per option that demonstrates equal behaviour: name of the option, and arguments. `cargo xtask oracle
/// --cases` runs the jobs in fathom and fio.
pub(crate) fn cases() -> impl Iterator<Item = (&'static str, &'static str)> {
    cases_of(include_str!("../../crates/job/cases.txt"))
}

/// Returns the lines `NAME: ARGUMENTS` of a list of cases.
fn cases_of(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(": "))
}

/// Options that no job of the oracle can show, and the test that shows them beside fio: the profiles go with no job, and
/// what is left behind is no result.
const TESTED: [(&str, &str); 9] = [
    ("donorname", "moves_exchange_all_blocks_and_keep_the_contents"),
    ("device-names", "act_does_what_fio_does_and_judges_the_device"),
    ("load", "act_does_what_fio_does_and_judges_the_device"),
    ("threads-per-queue", "act_does_what_fio_does_and_judges_the_device"),
    ("read-req-num-512-blocks", "act_does_what_fio_does_and_judges_the_device"),
    ("large-block-op-kbytes", "act_does_what_fio_does_and_judges_the_device"),
    ("trim_verify_zero", "trimmed_blocks_are_read_back_as_by_fio"),
    ("verify_async_cpus", "checking_threads_run_on_their_cpus"),
    ("cgroup_nodelete", "control_group_stays_with_cgroup_nodelete"),
];

/// Returns what shows that an option does the same as in fio: a case of the oracle, a case that needs a device of a virtual
/// machine (crates/cli/tests/guest), or a test; `None` without any.
fn shown_by(row: &Opt) -> Option<String> {
    let named = |name: &str| name == row.name;
    let in_guest = cases_of(include_str!("../../crates/cli/tests/guest/zone_cases.txt"));
    // nvme.sh compares cmd_type.
    if in_guest.map(|(name, _)| name).chain(["cmd_type"]).any(named) {
        return Some("guest case".into());
    }
    if cases().any(|(name, _)| named(name)) {
        return Some(format!("case `{}`", row.name));
    }
    TESTED.iter().find(|(name, _)| named(name)).map(|(_, test)| format!("test `{test}`"))
}

/// Returns how a row stands that is the same as in fio.
fn same(row: &Opt) -> String {
    shown_by(row).map_or_else(|| "same, but no case shows it yet".into(), |how| format!("same ({how})"))
}

/// Returns whether the option belongs to a planned feature: verification, rates, trace replay or networks.
fn is_later_stage(row: &Opt) -> bool {
    let net = ["net", "netsplice"];
    matches!(row.section, Section::Verify | Section::Rate | Section::Trace)
        || row.name.starts_with("flow")
        || !row.engines.is_empty() && row.engines.iter().any(|engine| net.contains(engine))
}

/// Returns one line with the number of ordinary Linux options that work, differ or are not built.
fn common_ones() -> String {
    let rows: Vec<&Opt> = table::rows()
        .filter(|row| tier(row.name).is_some_and(|tier| tier <= 2) && !is_later_stage(row))
        .collect();
    let count = |wanted: fn(Compat) -> bool| rows.iter().filter(|row| wanted(row.compat)).count();
    let same = count(is_fios);
    format!(
        "Of T0, T1 and T2 without verify, pace, replay and net: {} rows; {same} same ({} %), {} differ, {} accepted \
         without effect, {} not built, {} newer than fio 3.33 and built. fio 3.33 does not know {} of them \
         ({} of all rows).\n",
        rows.len(),
        same * 100 / rows.len().max(1),
        count(|compat| matches!(compat, Compat::Differs(_))),
        count(|compat| matches!(compat, Compat::Accepted(_))),
        count(|compat| compat == Compat::NotYet),
        count(|compat| compat == Compat::Newer),
        rows.iter().filter(|row| row.newer()).count(),
        table::rows().filter(|row| row.newer()).count(),
    )
}

/// Returns the text of docs/compat.md: the compatibility of every option of fio.
pub(crate) fn compat_md() -> String {
    let mut text = String::from(
        "# Compatibility with fio\n\nMade by `cargo xtask generate` from the option table (crates/job/src/table).\nThe reference is fio 3.33.\n\n## Differences\n\n",
    );
    for difference in DIFFERENCES {
        let _ = writeln!(text, "- {difference}");
    }
    let count = |wanted: fn(&Opt) -> bool| table::rows().filter(|row| wanted(row)).count();
    let (all, later) = (count(|_| true), count(|row| !row.compat.works()));
    let _ = writeln!(
        text,
        "\n## Options\n\n{all} options, {} of them built, {later} recognised and refused. {} are the same and {} of these \
         are shown to be: by a case of `cargo xtask oracle --case NAME`, by a guest case, which the long tests compare \
         with fio on devices of a virtual machine, or by the test that is named.",
        all - later,
        count(|row| is_fios(row.compat)),
        count(|row| is_fios(row.compat) && shown_by(row).is_some()),
    );
    text += &common_ones();
    for section in Section::ALL {
        let rows: Vec<&Opt> = table::rows().filter(|row| row.section == section).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(
            text,
            "\n### {}\n\n| option | aliases | engines | fathom | what it does |\n|---|---|---|---|---|",
            section.title()
        );
        for row in rows {
            let (refused, missing): (Vec<&Choice>, Vec<&Choice>) = choices(row)
                .iter()
                .filter(|choice| !choice.built && row.name != "ioengine")
                .partition(|choice| !choice.needs.is_empty());
            let mut how = match row.compat {
                Compat::Same => same(row),
                Compat::Differs(how) => format!("differs: {how}"),
                Compat::Accepted(why) => format!("accepted: {why}"),
                Compat::Newer => "newer than fio 3.33: as its manual says".to_owned(),
                Compat::Ours => "ours".to_owned(),
                Compat::Removed => format!("{}: {REMOVED}", same(row)),
                Compat::NotYet => "not built yet".to_owned(),
                Compat::Refused(what) => format!("refused: needs {what}"),
            };
            for choice in missing {
                how += &format!("; not built yet: {}", choice.name);
            }
            for choice in refused {
                how += &format!("; refused: {}, which needs {}", choice.name, choice.needs);
            }
            let (aliases, engines) = (row.aliases.join(", "), row.engines.join(", "));
            let _ = writeln!(
                text,
                "| `{}` | {aliases} | {engines} | {} | {} |",
                row.name,
                cell(&how),
                cell(row.help)
            );
        }
    }
    if let Some(row) = table::find("ioengine") {
        text += "\n## Engines\n\n| engine | fathom | what it does |\n|---|---|---|\n";
        for choice in choices(row) {
            let _ = writeln!(
                text,
                "| `{}` | {} | {} |",
                choice.name,
                match (choice.built, choice.needs) {
                    (true, _) => "built".to_owned(),
                    (false, "") => "not built yet".to_owned(),
                    (false, what) => format!("refused: needs {what}"),
                },
                choice.help
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that each case sets the option after which the case is named, and that fathom implements this option.
    #[test]
    fn each_case_sets_the_option_whose_name_it_has() {
        for (name, args) in cases() {
            let row = table::find(name).expect(name);
            let sets =
                |arg: &str| row.is_called(arg.trim_start_matches('-').split('=').next().unwrap_or(arg));
            assert!(args.split_whitespace().any(sets), "{name}: {args}");
            assert!(row.compat != Compat::NotYet, "{name}");
        }
    }

    #[test]
    fn each_option_but_our_own_has_a_tier() {
        for row in table::rows() {
            assert_eq!(tier(row.name).is_none(), row.compat == Compat::Ours, "{}", row.name);
        }
    }
}
