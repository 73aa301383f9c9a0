# Job files and the command line: errors and remarks.
job-named = job { $name }: { $why }
job-plan-clones = { $clones } clones so far; at most { $most }
job-plan-files = numjobs times nrfiles is { $files } files so far; at most { $most }
job-plan-path = { $path }: cannot be examined: { $why }
job-plan-no-block-device = filetype=block, and it is no block device
job-plan-no-character-device = filetype=char, and it is no character device
job-plan-no-regular-file = filetype=file, and it is no regular file
job-plan-fill-without-size = fill_device: random writes need size=, e.g. size=1t
job-plan-mmap-appends = ioengine=mmap cannot make a file longer, as file_append=1 does; use e.g. ioengine=psync
job-plan-no-size = { $path } is missing or empty, and its size is unknown; set e.g. size=64m
job-plan-offset = offset { $start } is beyond the { $end } bytes of { $path }
job-plan-no-block = { $total } bytes from offset on hold no block of { $block } bytes
job-plan-sequence = random_distribution=sequence: { $path } has blocks 0 to { $last }
job-at = { $place }: { $what }: { $why }
job-command-line = command line
job-either = { $first } or { $second }
job-did-you-mean = did you mean: { $program } { $line }
job-not-built = not built yet
job-other-engine = { $place }: { $option } belongs to ioengine={ $engines }, which must be set first
job-other-profile = { $place }: { $option } belongs to --profile={ $profiles }, which must come first
job-no-value = needs a value right after `=`
job-no-value-example = needs a value right after `=`, e.g. --{ $option }={ $example }
job-profile-size = needs a number of MiB here, e.g. --size=64
job-profile-unknown = must be tiobench
job-profile-other-jobs = brings its own jobs; --name and job files cannot go with it
job-switch-time = needs a time, e.g. 1s
job-switch-idle-prof = must be system, percpu or calibrate
job-switch-format = must be normal, terse, json, json+ or several of them
job-command-line-only = belongs on the command line
job-unknown-option = no option has this name
job-wait-for = wait_for={ $waitee }: must be the name of exactly one earlier job
job-ramp-sizes = ramp_size: must be the same in all jobs of a reporting group; { $other } has { $theirs } bytes, { $name } { $bytes }
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
job-at-most = must be at most { $most }
job-excludes = cannot be combined with { $options }
job-no-clock = must be the number of a clock: 0 (wall clock), 1 (monotonic), 4 (monotonic, raw), 7 (since boot) or 11 (TAI)
job-working-set-size = working_set needs size=, e.g. size=1g
job-working-set-files = working_set needs a single file
job-working-set-large = must be at most { $most } with dedupe_percentage={ $dedupe }
job-one-head = must be 1 with model_disk, which has one head
job-offload-polled = offload with hipri: not built yet
job-offload-engine = offload with ioengine={ $engine }: not built yet; use e.g. ioengine=psync
job-part-of-page = with direct, fsync or fdatasync a multiple of { $page } is needed
job-no-skip = after `:`, a number of bytes to skip is needed, e.g. { $rw }:8k
job-zones-not-strided = needs zonemode=strided or zonemode=zbd
job-zone-capacity = is larger than a zone (zonesize={ $size })
job-zone-size = must be at least 512 bytes with zonemode=zbd
job-zone-skip = must be a multiple of zonesize (which is { $size })
job-zone-trims = not built yet; trims with zonemode=zbd
job-zone-block = a block must fit into a zone (zonesize={ $size })
job-strided-size = strided needs zonesize=, e.g. zonesize=256m
job-standard-stream = standard input or output as a target: not built yet
job-size-below-block = must be at least one block ({ $block } bytes)
