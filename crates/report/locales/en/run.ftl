# Runs: errors, refusals, notes.
run-refused-overwrite = refused: { $writer } would overwrite { $path }: { $found }; to destroy what is on it, add --allow-destroy={ $path }
run-refused-overwrite-fio = refused: { $writer } would overwrite { $path }: { $found }; to destroy what is on it, add --allow-destroy={ $path } (or set FATHOM_FIO_UNGUARDED=1 for fio's own rules)
run-refused-in-use = refused: { $writer } would overwrite { $path }: { $found }; { $writer } writes to nothing that is in use, so end this use first
run-refused-used-elsewhere = refused: { $writer } would overwrite { $path }: { $found }; end that use first: --allow-destroy does not permit this
run-refused-unusable = refused: { $writer }: { $path } { $kind }
run-refused-fills-file-system = refused: fill_device=1 would fill the file system of { $path } to its last block; give size=, which may be as large as { $most }
run-refused-no-space = refused: space: the jobs would write { $wanted } into the file system of { $path }, which has { $free } free ({ $reserve } must stay free); lower size=, io_size=, nrfiles= or numjobs=, or choose another directory=
run-no-space-for-layout = fathom: space: the files that are written before the run need { $wanted }, the file system of { $path } has { $free } free; lower size=, nrfiles= or numjobs=, or choose another directory=
run-refused-wear-budget = refused: { $planned } would be written to { $path }, but { $left } are left of the --wear-budget of { $budget }; raise --wear-budget or leave it out
run-refused-wear-budget-used = refused: the writes to { $path } need more than the --wear-budget of { $budget }, of which { $left } are left; raise --wear-budget or leave it out
run-refused-no-endurance = refused: the endurance of { $path } is not known (no flash drive), so --wear-budget needs bytes, as 10G
run-writer-job = job { $name }

# What speaks against writing to a target.
run-found-cannot-open = it cannot be opened to see what it carries ({ $error })
run-found-cannot-read = its first and last MiB cannot be read to see what it carries ({ $error })
run-found-replaced = another file or device took its place during the check
run-found-unknown-data = { $used } (`blkdiscard { $path }` discards it)
run-found-unknown-to-sysfs = sysfs does not list it, so its use is unknown
run-found-not-examined = what it holds is not examined
run-found-not-named = this command writes to a device only with --allow-destroy
run-found-held-exclusively = another program or the kernel holds it exclusively (EBUSY)
run-found-object = the server has the object { $name } under this name
run-found-cannot-list = the server cannot tell which blocks with this name it has
run-found-clients = other clients have it open: { $clients } (Ceph counts a client that was killed for about 30 s)
run-found-changing = its { $what } changed at byte { $offset } while it was watched: another host or program uses it (mounted elsewhere?)
run-found-changing-by = its { $what } is mounted on another host: { $host } wrote its protection block (MMP) at byte { $offset } while it was watched, as { $device }
run-found-reserved = an initiator has reserved it ({ $kind }, key { $key }); sg_persist releases it
run-found-reserved-by = { $holder } has reserved it ({ $kind }, key { $key }); sg_persist releases it
run-found-open-elsewhere = another program has it open
run-found-other-run = another process of fathom on this machine writes to it
run-found-exists = it exists already ({ $bytes } bytes) and { $because }

# Why a file does not count as fathom's.
run-not-ours-on-server = files and objects on servers carry no mark of fathom
run-not-ours-unmarked = fathom did not make it
run-not-ours-other-version = its mark is from another version of fathom and proves nothing
run-not-ours-copy = it carries the mark of another file: it is a copy, and fathom did not make it
run-not-ours-hard-links = it has { $names } names (hard links)
run-not-ours-changed = it has been changed since fathom wrote it
run-not-ours-pattern-interrupted = a run that wrote a pattern into it was interrupted, so its content proves nothing
run-not-ours-unreadable-mark = its mark cannot be read
run-not-ours-unreadable = its content cannot be examined ({ $error })
run-not-ours-replaced = another file took its place during the check
run-not-ours-foreign-data = at byte { $offset } it holds data that fathom has not written

# What a path names that a job cannot use; the path stands before.
run-unusable-directory-to-remove = is a directory that this run did not make, and the job would remove it
run-unusable-directory = is a directory; a target is a file or a device
run-unusable-named-pipe = is a named pipe; a target is a file or a device
run-unusable-socket = is a socket; a target is a file or a device
run-unusable-kernel-file = is an interface of the kernel, not storage; a target is a file or a device
run-unusable-no-device = does not exist, and a regular file would be created among the device nodes; lsblk lists the disks

# Why a run did not begin.
run-error-counter-memory = memory for counters: { $source }
run-error-job-thread = starting a job's thread (numjobs above the limit of threads?): { $source }
run-error-model-beside-others = ioengine=model runs in virtual time: a run is either all model jobs or has none; split the job file
run-error-model-waits = ioengine=model runs in virtual time, where wait_for is not built; use stonewall
run-error-not-agreed = the other hosts have not agreed
run-scheduler-forbidden = job { $job }: ioscheduler={ $scheduler }: the I/O scheduler of { $disk } may not be changed ({ $error }): run as root
run-scheduler-unknown = job { $job }: ioscheduler={ $scheduler }: { $disk } has no such I/O scheduler; it has: { $known }

# Limits of the host.
run-limit-open-files = open files: the jobs that run at once need { $needed } descriptors, the hard limit is { $limit } (ulimit -Hn); raise it, set openfiles=, or lower nrfiles= or numjobs=
run-limit-threads = threads: { $needed } jobs run at once and each is a thread, { $limit } leaves { $left }; raise it, or lower numjobs=
run-limit-pids-max = pids.max of the control group
run-limit-aio-requests = fs.aio-max-nr: the libaio jobs that run at once need { $needed } requests (iodepth x numjobs), { $used } of { $most } are in use; raise it (sysctl fs.aio-max-nr={ $enough }), or lower iodepth= or numjobs=
run-limit-io-uring-disabled = kernel.io_uring_disabled: io_uring is switched off on this host; allow it (sysctl kernel.io_uring_disabled=0), or use ioengine=libaio
run-limit-locked-memory = locked memory: lockmem= of the jobs that run at once is { $needed }, the limit is { $limit } (ulimit -Hl); raise it, or lower lockmem= or numjobs=
run-limit-memory = memory: the jobs that run at once need { $buffers } of buffers (iodepth x largest block) and { $locked } of lockmem=, { $available } are available; lower iodepth=, bs=, lockmem= or numjobs=
run-limit-inodes = inodes: { $needed } new files are to be made, the file system of { $directory } has { $free } inodes free; lower nrfiles= or numjobs=

# Lines about a job.
run-line-damage = fathom: { $file }, offset { $offset }: { $damage }
run-damage-flip = { $bits -> 
    [one] flipped bit: one bit differs from what was written
   *[other] flipped bits: { $bits } bits differ from what was written
}
run-damage-torn = torn write: part of the block is what was written, the rest is not
run-damage-lost = lost write: the block contains an earlier write to this place
run-damage-misdirected = misdirected: the block contains what was written to offset { $from }
run-damage-zeroed = zeroed: the block contains only zeros
run-damage-shifted = shifted: the data is { $by } bytes away from its place
run-damage-foreign = foreign: the block contains what this job never wrote
run-damage-unknown = damaged: the data does not match its checksum
run-damage-untrimmed = trim without effect: the block was trimmed and still contains its old data
run-limit-records = memory: the records of verified writes need { $needed }, { $available } are available; raise verify_interval= or bs=, or verify a smaller size=
run-line-damaged = fathom: job { $job }: { $bad } of { $blocks } checked blocks do not contain what was written ({ $kinds })
run-damage-count = { $kind }: { $n }
run-damaged-flip = flipped bits
run-damaged-torn = torn write
run-damaged-lost = lost write
run-damaged-misdirected = misdirected
run-damaged-zeroed = zeroed
run-damaged-shifted = shifted
run-damaged-foreign = foreign
run-damaged-unknown = damaged
run-damaged-untrimmed = trim without effect
run-line-no-atomic = fio: atomic=1: { $path } has no atomic writes (statx reports none); a device, or xfs or ext4 on a recent kernel, may have them
run-line-not-atomic = fio: atomic=1: blocks of { $small } to { $large } cannot be written atomically to { $path }: use powers of two from { $least } to { $most }
run-line-trim-failed = fio: trim of { $path } failed: { $error }: offset={ $offset }, length={ $length }
run-line-trim-failed-because = fio: trim of { $path } failed: { $error }: offset={ $offset }, length={ $length }; { $cause }
run-line-trim-no-block-device = only block devices can be trimmed (ioengine=falloc punches holes into files)
run-line-trim-misaligned = bs and offset must be multiples of the device's logical block size
run-line-trim-unsupported = the device cannot discard
run-line-direct-io-refused = fio: the device refused this direct I/O (EINVAL): bs and offset must be multiples of its logical block size; try a larger bs, or direct=0
run-line-engine-needs = fathom: job { $job }: ioengine={ $engine } needs e.g. { $example }
run-line-unanswered = fathom: job { $job }: { $ios } I/Os in flight were never answered; the report shows what had completed
run-setting-not-recorded = { $path } is not changed: its old value cannot be recorded in { $directory } ({ $error })
run-setting-busy = { $disk }: { $setting } is being varied by another fathom (pid { $pid }): wait until it ends
run-error-log = the log { $path } cannot be written: { $why }
run-output-refused = refused: the output { $path } { $why }; outputs go to regular files, pipes, terminals and /dev/null: give another path
run-output-failed = the result could not be written to { $path }: { $why }
run-output-not-regular = is not a regular file
run-output-block-device = is a block device
run-output-character-device = is a character device
run-output-no-terminal = is a character device other than a terminal
run-output-named-pipe = is a named pipe
run-output-socket = is a socket
run-output-holds = already holds other data: { $what }
run-output-database = an SQLite database
run-output-in-use = would be overwritten: { $used }
run-output-job-file = is a job file of this run
run-output-file-of-job = is a file of a job
run-output-report-source = is an input of this report
run-output-store = is the store of this run
run-output-other-text = holds a text that fathom did not write
run-output-holds-data = already holds data, perhaps of an earlier run: remove or rename it
run-output-no-reader = no process reads from this named pipe
run-output-directory = it is a directory: give the path of a file
run-output-is-socket = it is a socket: give the path of a file
run-output-not-writable = it is neither a file, a pipe nor a terminal
run-refused-changed = refused: { $change }
run-changed = { $path } changed after it was checked ({ $why }); nothing was written to it after the change was found
run-changed-appeared = it was not there when it was checked
run-changed-content = its content has changed since
run-changed-replaced = another file or device has taken its place
run-changed-resized = its size has changed since
run-changed-other-file = another file has taken its place
run-line-uring-forbidden = fathom: job { $job }: kernel.io_uring_disabled or a seccomp filter (a container's) forbids io_uring: use ioengine=libaio
run-error-state-file = { $system } (no saved state of this job in { $path })
run-error-engine-setup = { $system } ({ $engine } could not be set up)
run-error-libaio-setup = { $system } (libaio could not be set up; is /proc/sys/fs/aio-max-nr used up?)
run-error-posixaio-setup = { $system } (posixaio could not be set up, by neither io_uring nor kernel AIO: use ioengine=psync)
run-error-model-with-others = { $system } (a simulated device beside real engines)
run-error-file-name = { $system } (the name of a file)
run-error-buffers = { $system } (I/O buffers: iodepth x block size)
run-error-no-weight = { $system } (this kernel's groups may have no blkio.weight)
run-error-no-blkio = no version 1 blkio hierarchy is mounted, and groups of version 2 hold whole processes, not the threads that jobs are; start fathom inside the group instead (cgroup=)
run-error-panicked = the worker panicked (a bug in fathom)
run-error-no-answer = { $system }: the device did not answer
run-error-no-zone-size = the device has no zones: set zonesize=
run-error-other-zone-size = zonesize= must be that of the device ({ $device } bytes), or unset
run-error-no-placement = the device reports no placement identifiers: FDP is not enabled
run-error-placement-id = the device has { $count } placement identifiers, with the indices from 0; there is no index { $id }
run-error-placement-scheme = { $path }:{ $line }: the line is not START, END, ID
run-error-open-zones = max_open_zones= is above the limit of the device ({ $limit }); ignore_zone_limits=1 ignores the limit
run-error-append-zones = Zone Append needs a zoned namespace; this one has no zones
run-error-below-zone = the file or device is smaller than one zone ({ $zone } bytes)
run-error-no-whole-zone = offset and size contain no whole zone ({ $zone } bytes)
run-error-flash-too-large = the SSD of model_ftl has more than { $pages } pages; use a smaller size or larger pages
