grade-trusted = no problem found
grade-caveats = with caveats
grade-conditions = only under the conditions below
grade-not-the-device = the device was not measured
finding-rule-memory = memory
finding-rule-errors = errors
finding-rule-end = end
finding-rule-stopped = stopped
finding-rule-size = size
finding-rule-network = network
finding-page-cache = { $served } of the { $read } read came from the page cache, not from the device
finding-page-cache-fits-memory = { $served } of the { $read } read came from the page cache, not from the device: the { $data } of data fit in the { $memory } of memory
finding-writes-cached = only { $there } of the { $written } written had reached the device when the run ended: the rest was in the page cache
finding-writes-returned-early = the median write latency of { $half } is that of the page cache: a write took { $at_device } at { $device }
finding-cache-below-write = { $upper } received { $above } of writes, but only { $below } reached { $lower } below it: a cache in between absorbed the rest
finding-cache-below-read = { $upper } delivered { $above } of reads, but only { $below } came from { $lower } below it: a cache in between served the rest
finding-above-link = the measured { $seen } exceed what the link to { $device } can carry ({ $ceiling }): a cache served part of the I/O
finding-too-fast-for-rotational = the median random read latency of { $p50 } is too short for the rotational disk { $device }: a cache served the reads
finding-tiny-span-passes = the region of { $span } was traversed { $passes ->
        [one] { $passes } time
       *[other] { $passes } times
    }: it may fit in the cache of the drive
finding-tiny-span-random = random I/O covered only { $span }: the page cache can hold all of it
finding-no-queue = engine { $engine } keeps only one I/O in flight: iodepth={ $asked } had no effect
finding-no-queue-reached = engine { $engine } keeps only one I/O in flight: iodepth={ $asked } had no effect (mean queue depth { $reached })
finding-blocking-submit-buffered = without direct=1, { $engine } blocks in the submit call
finding-blocking-submit-buffered-measured = without direct=1, { $engine } blocks in the submit call: mean queue depth { $reached } of { $asked }, { $call } of the latency spent in the call
finding-blocking-submit-direct = the submit call blocked
finding-blocking-submit-direct-measured = the submit call blocked: mean queue depth { $reached } of { $asked }, { $call } of the latency spent in the call
finding-shallow = the mean queue depth was { $reached } instead of { $asked } (iodepth x numjobs)
finding-started-late = the device could not keep up with the trace: { $late } of the requests started more than { $limit } late (p99 of the delay { $p99 })
finding-think-time = the think time keeps the queue from filling: iodepth={ $asked }, but the queue drains before each pause
finding-think-time-blocks = the think time keeps the queue from filling: it drains after every { $blocks } I/Os, and iodepth={ $asked }
finding-think-time-reached = the think time keeps the queue from filling: mean queue depth { $reached } of { $asked }, pauses included
finding-never-written = { $part } of { $path } ({ $missing }) was never written: reads of it return zeros without device I/O
finding-zeros = { $zero } of { $sampled } sampled blocks of { $path } contain only zeros: a drive may return such blocks without reading its medium
finding-compressible = { $smaller } of the written data is compressible: a compressing drive stores fewer bytes
finding-compressible-layer = { $layer } compresses data, and { $smaller } of the written data is compressible: less of it reaches the device
finding-step-down-write = the write rate fell from { $before } to { $after } after { $at_s } s and { $until }: a write cache was full or a burst credit was used up
finding-rate-dropped = after { $at_s } s the rate fell from { $before } to { $during } IOPS for { $seconds } s
finding-rate-dropped-end = after { $at_s } s the rate fell from { $before } to { $during } IOPS, until the end
finding-rate-dropped-stop = after { $at_s } s the rate fell from { $before } to { $during } IOPS, which ended the run (--stop-on-drop)
finding-step-down-read = the rate fell from { $before } to { $after } after { $at_s } s and { $until }: a burst credit was used up or a cache no longer served the reads
finding-unsteady = no steady state: the rate drifted by { $slope } over the run and varied within a range of { $range }
finding-write-back-cache = the median random write latency of { $p50 } is too short for the rotational disk { $device }: a write-back cache acknowledged the writes
finding-too-short-rate-uncertain = after { $seconds } s the mean rate is uncertain by { $half } in either direction
finding-too-short-few-ios = { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } in { $seconds } s are too few for a p99: { $above ->
        [0] none of them lies
        [one] only { $above } of them lies
       *[other] only { $above } of them lie
    } above it
finding-too-short-no-interval = a run of { $seconds } s is too short to estimate how much the rate varies
finding-size-ran-out = the job ended after { $ran_s } s of { $asked_s } s because all of its size was transferred
finding-short-stroke = random I/O covered only { $span } of { $capacity } ({ $part }) and took { $each } each: the heads hardly moved (short stroking)
finding-overlap = { $clones } sequential jobs traversed the same region: { $counted } are counted, { $distinct } are distinct
finding-repeated = each block was accessed { $times } times on average through the page cache, which serves repeated reads and merges repeated writes in memory
finding-uneven-offsets = random offsets were not uniform: { $ios } of the I/Os went to { $part } of the region ({ $samples } sampled offsets, chi-square p { $chance })
finding-generator = a job thread used { $busy } of a CPU: the CPU was the limit, not the device
finding-cpu-quota = a CPU quota (cpu.max) stopped fathom for { $stopped }
finding-cpu-steal = the hypervisor gave { $stolen } of the CPU time to other guests (steal)
finding-cpu-contention = a job thread waited for a free CPU during { $part } of the run, and the wait counts as latency
finding-cpus-busy = tasks waited for a free CPU during { $part } of the measurement: sizes and latencies may be wrong
finding-stopped = fathom was stopped for { $stopped }, { $part } of the run (SIGSTOP, Ctrl+Z, a frozen control group or a paused virtual machine), and the figures include that time
finding-filling-buffers = a job thread spent { $part } of its time generating the data to write
finding-far-node = { $device } is attached to NUMA node { $node }, but the job ran on another node
finding-slowed-by-heat = { $device } slowed down { $times } times because of its temperature, for { $seconds } s by its own count
finding-hot = { $device } was at its warning temperature for { $minutes } min
finding-slow-link = the link to { $device } runs at { $now }, although it supports { $most }
finding-misaligned = { $device } is not aligned to the { $block } blocks below it: each I/O touches two of them
finding-misaligned-partition = { $device } starts at sector { $start_sector }, which is not a multiple of { $block }: each I/O touches two blocks below it
finding-partial-sector = writes of { $block } are smaller than the { $sector } sectors of { $device }, which reads, modifies and writes whole sectors
finding-split = each I/O of { $block } was split into { $ratio } I/Os at { $device }: the IOPS of the device are { $ratio } times those of the job
finding-split-largest = each I/O of { $block } was split into { $ratio } I/Os at { $device }, which takes at most { $most } at once: the IOPS of the device are { $ratio } times those of the job
finding-merged = { $ratio } I/Os of { $block } were merged into one at { $device }: the IOPS of the job are not those of the device
finding-busy-is-not-full = { $device } was busy { $busy } of the time with { $at_once } requests in parallel: utilization alone does not show saturation
finding-idle-while-waiting = { $in_flight } I/Os were in flight while { $device } was busy only { $busy } of the time: they were held back above the device
finding-no-busy-time = { $device } does not count its busy time: its util is meaningless
finding-mean-hides = mean { $mean } is not typical: median { $p50 }, maximum { $most }
finding-stall = one I/O took { $longest }: at this rate { $missed } requests would have been due meanwhile (coordinated omission)
finding-pauses = { $count ->
        [one] { $count } pause
       *[other] { $count } pauses
    } without any completion: the longest { $longest }, in total { $part } of the run
finding-pauses-periodic = { $count ->
        [one] { $count } pause
       *[other] { $count } pauses
    } without any completion, one every { $every }: the longest { $longest }, in total { $part } of the run
finding-pauses-cpu-busy = { $pauses }; job threads also waited for a CPU, which need not be the cause
finding-pauses-pattern = { $pattern }: { $count ->
        [one] { $count } pause
       *[other] { $count } pauses
    } without any completion: the longest { $longest }, in total { $part } of the { $seconds } of this pattern
finding-other-load = { $device } read { $read } and wrote { $written }, of which this run caused { $our_read } and { $our_written }: another process used the device
finding-other-load-or-file-system = { $device } read { $read } and wrote { $written }, of which this run caused { $our_read } and { $our_written }: another process or the file system used the device
finding-rebuilding = { $device } was running a background operation during the test ({ $action })
finding-cap-server = the measured { $seen } match the limit that the server sets for { $device } ({ $limit })
finding-cap = the measured { $seen } match the control group limit of { $device } ({ $limit })
finding-bursts = { $waited } of the I/Os took about { $wait }, the median is { $half }: probably a limit of { $iops } IOPS that releases I/Os in bursts
finding-bursts-every = { $waited } of the I/Os took about { $wait }, the median is { $half }: probably a limit of { $iops } IOPS that releases I/Os every { $period }
finding-no-time = { $part } of the I/Os took less than 2 us: the clock is wrong or a cache answered
finding-not-durable = writes were not flushed: they were still in memory when they were counted
finding-not-durable-device-cache = writes were not flushed: { $device } may hold them in a volatile cache
finding-synced-at-end = writes went through the page cache and one sync at the end flushed them: the rate includes the sync, the latencies are those of the page cache
finding-state-carried = this job reads what { $before } wrote at random before it: the state of the device is not fresh
finding-nearly-full = the file system is { $full } full
finding-copy-on-write = { $kind } writes every block to a new location (copy on write): the figures include its allocation
finding-random-beats-sequential = random I/O ({ $random }) is faster than the sequential job { $sequential } ({ $ordered })
finding-memory-no-storage = no storage was used: only the load generator was measured
finding-memory-no-device = { $kind } keeps its files in memory: no disk was measured
finding-below-memory = { $device } keeps its data in memory ({ $kind }): no disk was measured
finding-overlay = { $path } is on overlayfs: the first write to a file of a lower layer copies the whole file
finding-failed = { $failed } of { $all } I/Os failed: the figures cover only I/Os that succeeded
finding-interrupted = the run was interrupted before an I/O completed
finding-ended-early = ended by { $by }: the figures cover the time until then
finding-ended-by-error = an error ended the job: the figures do not cover all of it
finding-no-completion = no I/O completed: nothing was measured
finding-size-times-jobs = { $clones ->
        [one] { $clones } job
       *[other] { $clones } jobs
    } of { $each } each transfer { $whole } in total
advice-page-cache = use direct=1
advice-writes-returned-early = use direct=1, or fdatasync=1 to wait for the device
advice-writes-cached = use direct=1, or end_fsync=1 to include the rest in the result
advice-cache-below = bypass the cache below { $upper } as well (for a loop device: losetup --direct-io=on)
advice-above-link = find the cache above the link and bypass it
advice-too-fast-for-rotational = read at random over the whole disk
advice-tiny-span = use a region many times larger than all caches, or the whole device
advice-no-queue = use ioengine=io_uring or libaio with direct=1, or raise numjobs
advice-blocking-submit-buffered = add direct=1
advice-blocking-submit-direct = check for writes that allocate space, a full request queue (nr_requests), or a file system without asynchronous direct I/O
advice-think-time = the figures describe the pauses, not the device: leave thinktime out to measure the device
advice-think-time-blocks = raise thinktime_blocks to a multiple of iodepth, or limit the load with rate_iops instead of thinktime
advice-never-written = fill it first: fathom prefill { $path }
advice-zeros = fill it with incompressible data first
advice-zeros-server = fill it with incompressible data first, which overwrites what it holds: { $command } (add --allow-destroy={ $path } if it is refused)
advice-compressible = write incompressible data (no zero_buffers, pattern, dedupe or compress options) and compare
advice-rate-dropped = look for a full cache, used-up credits, the drive's temperature or other load at that time
advice-step-down = quote the lower rate, and set ramp_time beyond the drop to measure it alone
advice-unsteady = run longer, or exclude the start with ramp_time
advice-write-back-cache = write more than the cache of the controller holds
advice-too-short = run longer before comparing this figure
advice-size-ran-out = add time_based
advice-short-stroke = measure random I/O over the whole device, which is slower
advice-overlap = give each job its own region (offset_increment) or its own file
advice-repeated = use a larger file, or direct=1
advice-uneven-offsets = do not quote this as random I/O over the whole region; report the job as an error of fathom
advice-generator = use more jobs, larger blocks or a more efficient engine
advice-cpu-limited = measure where CPU time is not limited
advice-cpu-contention = stop other CPU load, or use fewer jobs
advice-cpus-busy = measure again on idle CPUs
advice-stopped = repeat the run without a stop
advice-pauses = run long enough for many pauses, and quote percentiles instead of means
advice-below-memory = do not quote these figures as those of a disk
advice-overlay = use a file system with its own device, or a volume
advice-filling-buffers = use more jobs, or drop refill_buffers
advice-far-node = set numa_cpu_nodes={ $node }
advice-slowed-by-heat = cool the drive, or quote the rate as that of a hot drive
advice-slow-link = check the slot and the cable
advice-misaligned = recreate it at a multiple of 1 MiB
advice-misaligned-partition = recreate the partition at sector 2048
advice-partial-sector = write multiples of { $sector }
advice-split = quote bandwidth, or use a block size that is not split
advice-merged = quote bandwidth, or use direct=1 with random I/O
advice-idle-while-waiting = look for a limit above the device (control group, cloud volume)
advice-no-busy-time = use the util of the devices below it
advice-mean-hides = quote percentiles
advice-other-load = stop the other load and repeat the run
advice-rebuilding = wait until it is complete
advice-cap = quote it as the limit, not as the speed of the device
advice-bursts = repeat at twice the iodepth: under a limit the IOPS stay the same
advice-no-time = check the clocksource
advice-not-durable = compare with fdatasync=1
advice-synced-at-end = quote the rate only; for latencies use direct=1 or fdatasync=1
advice-state-carried = order the jobs so that each begins in the state that you want to measure
advice-nearly-full = free some space: many file systems are slower when nearly full
advice-random-beats-sequential = look for a cache, or for a sequential job that has one I/O in flight
advice-interrupted = let the run finish
advice-ended-by-error = fix the error and repeat the run
advice-no-completion = check the size and the limits of the job
advice-failed = read the error's text; for a disk of this machine, check the kernel log (dmesg) and the layers below
advice-started-late = raise iodepth, or slow the trace down with replay_time_scale
finding-not-committed = writes to { $layer } were not synced: of { $written } written, the server had received { $there } when the run ended; COMMIT requests: { $commits }
finding-export-unknown = whether the server of { $layer } has writes on its disk when it confirms them is not visible to the client: an async export confirms them from memory
finding-soft-mount = { $layer } is a soft mount: a request that the server does not answer within { $seconds } s becomes an I/O error
finding-attributes-cached = { $layer } caches attributes for up to { $seconds } s: calls on known files sent no request to the server
finding-link-limit = { $seen } is the payload of the link: { $interface } runs at { $mbit } Mbit/s, which carries { $payload }
finding-shaper-limit = { $seen } is the limit of { $interface }: { $shaper } (tc) sends at most { $mbit } Mbit/s, which carry { $payload } of data
finding-rate-of-link = { $seen } is the payload of a link of { $mbit } Mbit/s ({ $payload }); { $interface } does not report its speed
finding-segments-repeated = { $repeated } of { $sent } TCP segments ({ $part }, all connections of the machine) were sent again
finding-requests-repeated = { $repeated } of { $requests } requests to the server of { $layer } were sent again because no answer had come
finding-reconnected = the connection of { $layer } to its server was lost and made anew, times: { $times }
finding-server-silent = { $layer }: nothing completed for { $longest }; I/O would have failed after { $seconds } s ({ $setting })
finding-server-silent-waits = { $layer }: nothing completed for { $longest }; I/O waits without limit for the server ({ $setting })
advice-not-committed = add fsync=1 or end_fsync=1, or use direct=1
advice-export-unknown = check the export on the server (exportfs -v), and state it with the result
advice-soft-mount = mount with "hard", or state the setting with the result
advice-attributes-cached = mount with actimeo=0 to measure the server, or use files that the client has not seen
advice-link-limit = use a faster link or several, or quote the bandwidth as that of the link
advice-shaper-limit = raise or remove the limit (tc qdisc show dev INTERFACE), or quote the bandwidth as that of the limit
advice-rate-of-link = check the speed of each link to the server (ethtool on both machines and on the host of a virtual machine), or measure the network with iperf3
advice-segments-repeated = look for errors of interface and switch (ip -s link, ethtool -S), and for congestion
advice-requests-repeated = look at the load of the server, and for lost packets
advice-reconnected = look at the log of the server and of the kernel (dmesg) at that time
advice-server-silent = look at the log of the server, and at the network, at that time
finding-segments-repeated-own = { $repeated } of { $sent } TCP segments to the servers ({ $part }) were sent again
finding-small-pool = pool { $pool } has few placement groups: { $groups }, copies: { $copies }, OSDs: { $osds }
finding-cluster-busy = recovery or scrub ran in the cluster of { $layer } during the run: placement groups in recovery: { $recovering }, in scrub: { $scrubbing }
finding-library-cache = the cache of { $library } ({ $size }, { $policy }) may confirm writes before the cluster has them
finding-replication-limit = { $seen } written with { $copies } copies is what the links of { $hosts } machines carry at { $mbit } Mbit/s: { $payload }
advice-small-pool = raise pg_num (Ceph aims at 100 for each OSD), or state it with the result
advice-cluster-busy = repeat the run when ceph -s shows active+clean and no scrub
advice-library-cache = set rbd_cache=false to measure the cluster, or state the cache with the result
advice-replication-limit = use a faster network between the OSDs, or quote the bandwidth as that of this network
