# Studies: why a question has no answer.
lab-failure-not-the-device = point { $point } did not measure the device
lab-failure-nothing-completed = no I/O completed
lab-failure-nothing-twice = no I/O completed while points { $first } and { $second } were measured
lab-failure-another-path = the stored study was measured by another version: this version would not measure its point { $point }
lab-failure-rate-changed-from = the rate of the device changed during every attempt; before the latest change it was { $iops } IOPS
lab-failure-rate-changed = the rate of the device changed during every attempt: nothing to compare
lab-failure-no-maximum = the maximum was not measured on the device (grade X, or no visit), so its shares are unknown
lab-failure-nothing-to-compare = one of the two targets has no answer to compare
lab-failure-pairs-differ = the rates of { $pairs } pairs of visits differ too much for a ratio
lab-failure-too-few-rounds = fewer than three rounds to compare
lab-failure-points-too-short = no point at depth 1 is long enough to recommend a runtime; ask for the depth as well: --questions depth,runtime
lab-failure-beyond-seen = { $seconds } s measured with one I/O in flight are too short to tell; a larger --budget measures longer
lab-failure-beyond-budget = more than { $budgets } times this budget would be needed
lab-failure-no-goal = no latency goal was given: --slo p99=2ms
lab-no-queue-settings = no block device under the target has settings

# Why a target cannot be used; the path stands before.
lab-target-not-measurable = neither a directory, a regular file nor a block device
lab-target-directory = is a directory: give a file or a block device (scratch files that fathom makes are always filled)
lab-target-not-fillable = neither a regular file nor a block device
lab-target-too-small = too small to measure: { $bytes } bytes, at least 1 MiB is needed
lab-target-server-name = is not the name of a target on a server: rbd:POOL/IMAGE, rados:POOL, s3://BUCKET/PREFIX, nbd://HOST/EXPORT, nbd+unix:///?socket=PATH, nfs://HOST/EXPORT/FILE, iscsi://HOST/IQN/LUN
lab-target-other-engine = is reached by ioengine={ $engine } only: leave ioengine out
lab-target-password = has a password, which stored results would repeat: leave it out (iscsi://USER@HOST/IQN/LUN) and set LIBISCSI_CHAP_PASSWORD
lab-target-not-on-server = does not exist on the server, or is empty. To make a file of 1 GiB: { $command }
lab-target-on-server = is a target on a server, which this command does not take; docs/network.md lists the commands that do
lab-target-on-server-fill = is a target on a server, which this command does not take. To fill it, which overwrites what it holds: { $command }
lab-target-job-file = looks like a job file: fathom run { $path }
lab-target-model-size = `{ $option }`: a size is a number of bytes (64g, 1t)
lab-target-model-option = a simulated device has no setting `{ $name }`; valid settings: size, { $known }
lab-target-scratch-not-filled = the scratch file could not be filled: { $error }
lab-target-scratch-too-slow = less than 1 MiB of the scratch file could be written in time
lab-target-read-only = the file system is mounted read-only: give a directory on a writable one, or a file or device to read
lab-target-no-room-for-scratch = { $free } MiB of free space are too little: a scratch file of at least 16 MiB may take a tenth of it; free { $more } MiB, or name an existing file or a device, which is only read
lab-target-no-room-for-scratch-in-image = { $free } MiB of free space in { $image }, which holds the image of this file system, are too little: a scratch file of at least 16 MiB may take a tenth of it; free { $more } MiB there, or name an existing file or a device, which is only read
lab-target-no-memory-for-scratch = { $memory } MiB of available memory are too little: a scratch file of at least 16 MiB may take an eighth of it; free { $more } MiB, or name an existing file or a device, which is only read
lab-target-no-scratch = no scratch file can be made here ({ $error }): give a directory that you may write to, or a file or device to read
lab-target-unknown-device = sysfs does not list the device, so its use is unknown
lab-target-no-room-to-fill = filling its holes needs { $needed } MiB, and { $free } MiB are free; nothing was written
lab-target-no-room-to-fill-under = filling its holes needs { $needed } MiB, and { $free } MiB are free under its file { $under }; nothing was written

# Settings of a block queue.
lab-axis-unknown = unknown setting "{ $name }"; valid settings: { $known }
lab-axis-one-value = { $path } has no other value than { $value }

# fathom prefill.
lab-prefill-unaligned = --{ $option }={ $value } is no multiple of { $block }: whole blocks are filled
lab-prefill-unreadable = { $path }: { $failed } of { $of } sampled blocks could not be read; nothing was filled, because it is not known what they hold
lab-prefill-after-end = --offset={ $offset } lies beyond the end: { $path } has { $size } bytes
lab-prefill-write-failed = { $path }: { $error }; what was written until then stays, nothing is recorded as filled
lab-prefill-holds-zeros = it was recorded as filled but holds zeros: filled again
lab-prefill-discarded-since = it was filled before, but then discarded or reconnected: filled again
lab-prefill-still-unwritten = the file system still reports { $bytes } bytes as unwritten: not recorded as filled
lab-prefill-no-state-directory = neither XDG_STATE_HOME nor HOME is set: not recorded as filled
lab-prefill-not-recorded = not recorded as filled: { $error }
lab-prefill-recorded-in-attribute = attribute { $name } of the file
lab-refused-written-meanwhile = refused: another program wrote to it while prefill was filling { $path }: { $filled } of { $of } bytes were filled, the rest was left; close it there and retry
lab-refused-opened-meanwhile = refused: another program opened it while prefill was filling { $path }: { $filled } of { $of } bytes were filled, the rest was left; close it there and retry
lab-refused-no-consent = refused: prefill would write { $bytes } bytes of random data into { $path } where zeros are read now, and fathom did not make the file; to have it filled, add --yes
lab-refused-changed = refused: { $path } changed while it was examined; nothing was written
lab-refused-replaced = refused: { $path } is not the file that was checked: another one took its place; nothing was written
lab-refused-no-lease = refused: { $path } cannot be leased ({ $error }), so a program that opens it during the filling would not be noticed; to have it filled anyway, add --allow-destroy={ $path }
lab-refused-open-elsewhere = refused: { $path } is open elsewhere (a program, a virtual machine, a mapping), which may write to it; close it there first
lab-refused-writable-elsewhere = refused: { $path } is open for writing elsewhere (a program, a virtual machine, a loop device), which may write data to what is a hole now; close it there first
lab-refused-carries = refused: prefill would write random data where zeros are read in { $path }, which carries { $content }; to have it filled: fathom prefill --yes --allow-destroy={ $path } { $path }
lab-refused-in-use = refused: prefill would overwrite { $path }: { $uses }; end that first
lab-refused-not-allowed = refused: prefill would overwrite { $path }: all { $bytes } bytes of the region, whatever they hold; to have it filled, add --allow-destroy={ $path }
lab-refused-held-exclusively = refused: prefill would overwrite { $path }: another program or the kernel holds it exclusively; end that first

# Caveats of the check.
lab-check-no-direct-io = the file system refuses O_DIRECT: the figures include the page cache
lab-check-interrupted = ended early by a signal: the missing patterns were not measured
lab-target-simulated = a simulated device has no storage stack to examine; give a file, a directory or a block device
lab-would-not-begin = the run would not begin: { $why }
