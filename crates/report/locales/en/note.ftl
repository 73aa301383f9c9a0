# Notes about a run.
note-number-ends = read as { $value }; `{ $rest }` is ignored
note-space-short = fathom: space: the jobs will write { $wanted } into the file system of { $directory }, which has { $free } free: they will end with ENOSPC
note-cgroup-limit = the cgroup of this process limits { $device } to { $limits }: a rate near that is the limit, not the speed of the device
note-cgroup-reads = { $n } reads/s
note-cgroup-writes = { $n } writes/s
note-cgroup-read-rate = { $bytes } read per second
note-cgroup-write-rate = { $bytes } written per second
note-setting-unknown = unknown
note-setting-not-restored = { $disk }: { $setting } is { $now } and was { $before } before fathom (pid { $pid }) changed it; it cannot be put back ({ $error }): write { $before } to { $path }
note-setting-restored = { $disk }: { $setting } is { $before } again (it was { $changed }): fathom with pid { $pid }, which had changed it, was killed
note-setting-changed-since = { $disk }: { $setting } is { $now }, which fathom did not set, and stays (it was { $before } before fathom with pid { $pid } changed it)
note-memory-not-locked = lockmem={ $bytes }: { $error }; the job runs without locked memory (see ulimit -l)
note-log-waits = { $waits ->
    [one] the job waited once ({ $ms } ms) for its log to be written, which slowed it down; log_avg_msec makes logs shorter
   *[other] the job waited { $waits } times ({ $ms } ms in all) for its log to be written, which slowed it down; log_avg_msec makes logs shorter
}
note-log-interval-short = no I/O completed in { $percent } % of the intervals of log_avg_msec; use a longer interval
note-flash-traffic = simulated SSD: write amplification { $amplification } (pages written by the jobs: { $host }, programmed: { $nand }, trimmed: { $trimmed }; blocks erased: { $erases })
note-wear-budget-reached = the run ended early: { $written } of the --wear-budget of { $budget } are written
note-unanswered = { $ios ->
    [one] { $ios } I/O in flight never completed; the report shows what had completed
   *[other] { $ios } I/Os in flight never completed; the report shows what had completed
}
note-posixaio-on-kernel-aio = ioengine=posixaio: io_uring could not be set up ({ $error }); kernel AIO (libaio) does the I/O
note-measured-with-libaio = io_uring may not be used here ({ $error }): measured with ioengine=libaio
note-measured-with-psync = neither io_uring ({ $uring }) nor libaio ({ $libaio }) may be used here: measured with ioengine=psync, which has one I/O in flight whatever the queue depth
note-no-registered-files = io_uring: files could not be registered ({ $error }); plain descriptors are used
note-no-registered-buffer = io_uring: a buffer of { $bytes } bytes could not be registered ({ $error }; memory lock limit (ulimit -l) or size above 1 GiB); plain buffers are used
note-no-worker-limit = io_uring: the limit of kernel workers could not be set to the depth ({ $error })
note-no-deferred-task-work = io_uring: this kernel lacks DEFER_TASKRUN; plain ring
note-not-read-back = the runtime ended during the writes: nothing was read back and checked; leave runtime out, or set verify_backlog to check blocks during the writes
