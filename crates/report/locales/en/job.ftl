# Job files and the command line: errors and remarks.
job-named = job { $name }: { $why }
job-plan-clones = { $clones } clones so far; at most { $most }
job-plan-files = numjobs times nrfiles is { $files } files so far; at most { $most }
job-plan-no-hosts = hosts in a job names hosts of a run on several: give fathom run --hosts HOST,HOST before --name or with a job file
job-plan-path = { $path }: cannot be examined: { $why }
job-plan-no-block-device = filetype=block, and it is no block device
job-plan-no-character-device = filetype=char, and it is no character device
job-plan-no-regular-file = filetype=file, and it is no regular file
job-plan-fill-without-size = fill_device: random writes need size=, e.g. size=1t
job-plan-mmap-appends = ioengine=mmap cannot make a file longer, as file_append=1 does; use e.g. ioengine=psync
job-plan-no-size = { $path } is missing or empty, and its size is unknown; set e.g. size=64m
job-plan-no-namespace = { $path } is not the character device of an NVMe namespace; ioengine=io_uring_cmd needs one, e.g. filename=/dev/ng0n1
job-plan-no-flash = { $path } is not an MTD device; ioengine=mtd needs one, e.g. filename=/dev/mtd0
job-plan-no-dax = { $path } is not a DAX device; ioengine=dev-dax needs one, e.g. filename=/dev/dax0.0; for files use ioengine=libpmem
job-plan-no-device = { $path } is not a device; ioengine=sg needs a SCSI disk, e.g. filename=/dev/sg0 or filename=/dev/sdb
job-plan-no-scsi-disk = { $path } is not a SCSI disk; ioengine=sg needs one, e.g. filename=/dev/sg0 or filename=/dev/sdb
job-plan-part-of-scsi-disk = { $path } is a partition, and SCSI commands address the whole disk; name the disk, and the start of the partition as offset
job-plan-offset = offset { $start } is beyond the { $end } bytes of { $path }
job-plan-no-block = { $total } bytes from offset on hold no block of { $block } bytes
job-plan-sequence = random_distribution=sequence: { $path } has blocks 0 to { $last }
job-plan-sprandom-cache = a region of sprandom must not be smaller than spr_cs: use spr_num_regions of { $most } or less
job-at = { $place }: { $what }: { $why }
job-command-line = command line
job-either = { $first } or { $second }
job-one-per-target = fathom: { $targets } targets: one job for each ({ $jobs }), each with its own size and iodepth; with file_service_type=roundrobin one job alternates between them
job-did-you-mean = did you mean: { $program } { $line }
job-needs = needs { $what }, which fathom does not use
job-not-built = not built yet
job-other-engine = { $place }: { $option } belongs to ioengine={ $engines }, which must be set first
job-other-profile = { $place }: { $option } belongs to --profile={ $profiles }, which must come first
job-no-value = needs a value right after `=`
job-no-value-example = needs a value right after `=`, e.g. --{ $option }={ $example }
job-profile-size = needs a number of MiB here, e.g. --size=64
job-profile-unknown = must be tiobench or act
job-profile-other-jobs = brings its own jobs; --name and job files cannot go with it
job-profile-no-devices = needs devices, e.g. --device-names=/dev/nvme0n1
job-switch-time = needs a time, e.g. 1s
job-switch-idle-prof = must be system, percpu or calibrate
job-switch-wear-budget = must be bytes (10G) or a percentage (0.1%)
job-switch-format = must be normal, terse, json, json+ or several of them
job-command-line-only = belongs on the command line
job-unknown-option = no option has this name
job-wait-for = wait_for={ $waitee }: must be the name of exactly one earlier job
job-ramp-sizes = ramp_size: must be the same in all jobs of a reporting group; { $other } has { $theirs } bytes, { $name } { $bytes }
job-steady-states = steadystate options: must be the same in all jobs of a reporting group; those of { $other } differ
job-opendir = must be a directory whose files can be listed
job-file = { $name }: { $why }; a word without dashes is a job file
job-outside-section = must follow a line like [global] or [jobname]
job-include-many = more than { $most } included files
job-include-deep = more than { $most } files deep
job-section-in-included = an included file has no sections of its own
job-readonly-writes = --readonly allows reads only
job-readonly-names = not allowed with --readonly: ioengine={ $engine } creates or deletes files
job-readonly-program = --readonly starts no program ({ $program }); leave one of them out
job-moves-no-bytes = ioengine={ $engine } moves no bytes; use ramp_time
job-at-least = must be at least { $least }
job-at-most = must be at most { $most }
job-excludes = cannot be combined with { $options }
job-no-clock = must be the number of a clock: 0 (wall clock), 1 (monotonic), 4 (monotonic, raw), 7 (since boot) or 11 (TAI)
job-check-interval = must be at least 1 ms, and steadystate_duration a multiple of it
job-issue-time = needs write_lat_log and log_offset
job-working-set-size = working_set needs size=, e.g. size=1g
job-working-set-files = working_set needs a single file
job-working-set-large = must be at most { $most } with dedupe_percentage={ $dedupe }
job-one-head = must be 1 with model_disk, which has one head
job-offload-polled = offload with hipri: not built yet
job-atomic-engine = ioengine={ $engine } has no atomic writes; use pvsync2, libaio or io_uring
job-offload-engine = offload with ioengine={ $engine }: not built yet; use e.g. ioengine=psync
job-part-of-page = with direct, fsync or fdatasync a multiple of { $page } is needed
job-no-skip = after `:`, a number of bytes to skip is needed, e.g. { $rw }:8k
job-net-direction = sockets carry sequential reads or writes, no trims; UDP only one of them
job-net-listens = is for TCP only; readers of udp and unix need no option
job-net-port-of-unix = a socket of the Unix domain has no port
job-net-without-port = tcp and udp need port=, e.g. port=8888
job-remote-without = the engine needs { $option }=, e.g. { $option }={ $example }
job-net-without-host = a job that connects or sends needs hostname=, e.g. hostname=127.0.0.1
job-net-without-path = protocol=unix needs filename=, the path of the socket
job-net-host-of-receiver = a job that listens or receives takes no hostname, except a UDP multicast group
job-zones-not-strided = needs zonemode=strided or zonemode=zbd
job-zone-capacity = is larger than a zone (zonesize={ $size })
job-zone-size = must be at least 512 bytes with zonemode=zbd
job-zone-skip = must be a multiple of zonesize (which is { $size })
job-zone-trims = not built yet: trims with zonemode=zbd
job-zone-block = a block must fit into a zone (zonesize={ $size })
job-zone-append = Zone Append needs zonemode=zbd
job-zone-recovery = needs continue_on_error for writes, e.g. continue_on_error=write
job-sprandom-writes = needs rw=randwrite
job-sprandom-generator = must be lfsr with sprandom
job-sprandom-blocks = needs one block size, e.g. bs=4k
job-sprandom-files = needs one file or device
job-sprandom-ratio = must be above 0 and below 1
job-ranges-without-trims = num_range above 1 is for jobs that only trim (rw=trim or randtrim)
job-ranges-engine = trims with several ranges need ioengine=io_uring_cmd, not { $engine }
job-ranges-long = a trim must be smaller than 2 GiB: with this block size, at most { $most } ranges
job-placement-engine = data placement needs the write commands of ioengine=io_uring_cmd, not { $engine }
job-placement-ids = needs numbers from 0 to 65535 and ranges of them, at most 128, e.g. 0,2-4
job-streams-ids = dataplacement=streams needs plids=, e.g. plids=1-4
job-scheme-missing = needs dp_scheme=, a file with a line START, END, ID per range
job-strided-size = strided needs zonesize=, e.g. zonesize=256m
job-standard-stream = standard input or output as a target: not built yet
job-verify-without-pattern = this method compares blocks with a pattern: set verify_pattern, e.g. verify_pattern=0xdeadbeef
job-verify-unaligned = with bs_unaligned and a range of block sizes, headers have no fixed distance: leave bs_unaligned out
job-verify-without-data = { $engine } transfers no data: nothing can be verified
job-verify-block-too-small = a block, or the interval between two headers, needs at least { $least } bytes for the header; it has { $interval }
job-size-below-block = must be at least one block ({ $block } bytes)
trace-fault = read_iolog={ $path }: { $why }
trace-line = { $path }:{ $line }: { $why }
trace-event = { $path }: event { $number }: { $why }
trace-unreadable = the trace cannot be read
trace-errno = the trace cannot be read: { $why }
trace-header = this is no known trace: it begins with "{ $found }". A text trace begins with "fio version 3 iolog" or "fio version 2 iolog", or has the columns of one of the CSV collections; binary traces must come from blkparse -d
trace-no-io = the trace has no I/O
trace-action-2 = "{ $found }" is not a record; use FILE add|open|close, FILE read|write|trim|sync|datasync OFFSET LENGTH or FILE wait MICROSECONDS 0
trace-action-3 = "{ $found }" is not a record; use TIME FILE add|open|close or TIME FILE read|write|trim|sync|datasync OFFSET LENGTH
trace-timestamp = the time must be a number of microseconds since the start, and it is "{ $found }"
trace-wait = the wait must be a number of microseconds, and it is "{ $found }"
trace-offset = the offset must be a number of bytes, and it is "{ $found }"
trace-length = the length must be a number of bytes, and it is "{ $found }"
trace-wait-in-3 = version 3 has no wait; each line begins with its time instead
trace-not-added = { $file } was not added; write a line with its name and "add" before this one
trace-not-open = { $file } is not open; write a line with its name and "open" before this one
trace-length-range = the length is { $bytes } bytes; it must be 1 to { $most }
trace-offset-range = the I/O ends beyond 2^63 - 1 bytes
trace-line-too-long = the line is longer than { $most } bytes
trace-files = the trace has more than { $most } files
trace-bad-event = this is not a complete blktrace event of version 7; use the output of blkparse -d
trace-no-device = no block device has the number { $major }:{ $minor }; choose one with replay_redirect
trace-row = the line "{ $found }" does not have the columns { $columns }
trace-volumes = the trace has { $count } volumes ({ $names }); extract one with fathom trace FILE --volume NAME --iolog OUT and replay that
trace-no-such-volume = the trace has no I/O of volume { $volume }; its volumes are { $names }
trace-no-volumes = only CSV traces have volumes
trace-not-a-file = volume { $volume } is not a file; choose a file or device with replay_redirect
trace-not-blktrace = this is not a blktrace file, and merge_blktrace_file merges only those; use the output of blkparse -d
trace-changed = the trace has changed since it was checked
job-file-or-target = { $name }: { $why }; a word without dashes is a job file or a device. --filename={ $name } makes a job that measures a file
job-remote-target = { $name }: a target on a server is chosen by options of a job: { $options }
job-access-files = needs one file or device
