doctor-exact = { $n ->
        [one] { $n } byte
       *[other] { $n } bytes
    }
doctor-errno-not-permitted = operation not permitted
doctor-errno-no-free-slot = no free request slots
doctor-errno-memlock = not enough lockable memory (memlock limit)
doctor-errno-permission-denied = permission denied
doctor-errno-not-supported = not supported by this kernel
doctor-stack-unknown = storage stack unknown to the kernel
doctor-count-critical = { $n } critical (a measurement would be invalid)
doctor-count-warning = { $n ->
        [one] { $n } warning
       *[other] { $n } warnings
    } (a measurement would be distorted)
doctor-count-note = { $n ->
        [one] { $n } note
       *[other] { $n } notes
    }
doctor-count-ok = { $n } ok
doctor-heading-alignment = alignment
doctor-heading-target = target and file system
doctor-heading-queues = CPUs and queues
doctor-heading-block-size = block size
doctor-heading-device = disk, scheduler, caches
doctor-heading-network = network and server
doctor-heading-load = other load
doctor-heading-limits = limits
doctor-heading-host = links and host
doctor-mark-ok = ok
doctor-mark-note = note
doctor-mark-warning = WARNING
doctor-mark-critical = CRITICAL
doctor-label-why = why:
doctor-label-do = do:
doctor-begins-at-sector = { $what } begins at sector { $sector } of { $on }
doctor-begins-at-large-sector = { $what } begins at sector { $sector } of { $on } ({ $sector_bytes }-byte sectors)
doctor-begins-at-byte = { $what } begins at byte { $byte } of { $on }
doctor-begins-raid-data = the data of { $what } begins at byte { $byte } of { $on }
doctor-begins-file = file { $what } begins at byte { $byte } of { $on }
doctor-begins-all-layers = over all layers, { $what } begins at byte { $byte } of { $on }
doctor-begins-aligned = { $place }: aligned
doctor-begins-multiple = { $place }: a multiple of { $unit }
doctor-begins-misaligned = { $place }: { $beyond } past a multiple of { $unit }
doctor-begins-compensated-why = the offsets of the layers below compensate for it: the target itself begins at a block boundary
doctor-begins-compensated-do = nothing, unless one of the layers is changed
doctor-begins-sector-why = each 4k block spans two blocks of the disk: a 4k write costs two reads and two writes
doctor-begins-small-sector-why = each 4k block spans two blocks of the disk: a 4k write costs two reads and two writes ({ $on } reports { $physical_bytes }-byte sectors, but flash and virtual disks work in blocks of 4096)
doctor-begins-partition-do = back up the data, recreate the partition at sector 2048 (1 MiB) and restore the data
doctor-begins-loop-do = attach it with an offset that is a multiple of 4096
doctor-begins-raid-do = create the array with a data offset that is a multiple of 1 MiB
doctor-begins-file-do = create the file system with 4096-byte blocks
doctor-begins-all-layers-do = align the layers one by one, from the disk upwards
doctor-begins-chunk-why = some requests span two chunks of { $unit } and need two members of the array
doctor-begins-stripe-why = no write of { $unit } fills exactly one stripe: parity is read before it is written
doctor-begins-stripe-do = begin large sequential writes at a multiple of the stripe
doctor-kernel-says-misaligned = the kernel reports { $device } as misaligned (alignment_offset { $offset_bytes })
doctor-kernel-says-misaligned-why = its blocks span two blocks of the device below: small writes are done twice
doctor-kernel-says-misaligned-do = recreate the volume with its data at a multiple of 1 MiB
doctor-offset-unknown = only root can read where { $above } begins on { $device } (dmsetup table); the kernel reports no misalignment
doctor-table-ignored = { $device } has a { $kind } partition table ({ $entries ->
        [one] { $entries } partition
       *[other] { $entries } partitions
    }) that the kernel does not use
doctor-table-ignored-why = fathom read the table from the disk; its partitions cannot be mounted or measured yet
doctor-table-ignored-do = create the partition devices with partx -a, partprobe or losetup -P
doctor-table-other-sectors = the partition table on { $device } is for sectors of { $table_bytes } bytes, but the disk has sectors of { $device_bytes } bytes
doctor-table-other-sectors-why = the table was written for another disk: the kernel finds no partition or a wrong one
doctor-table-other-sectors-do = use the disk with { $table_bytes }-byte sectors, or partition it again
doctor-table-unread = { $device } may have a partition table: fathom may not read the device
doctor-table-unread-why = the kernel shows no partitions, and a table that it does not use is visible only on the disk
doctor-table-unread-do = repeat as root or as a member of group disk
doctor-small-blocks = the file system at { $at } has { $bytes }-byte blocks
doctor-small-blocks-why = a file may begin inside a flash page, even in an aligned partition
doctor-small-blocks-do = create it with 4096-byte blocks (ext4: mkfs -b 4096)
doctor-no-offset = no layer between the target and { $device } has an offset
doctor-on-memory = { $kind } at { $at } keeps its files in memory
doctor-on-memory-why = no disk is measured: every result is that of memory
doctor-on-memory-do = choose a directory on a disk
doctor-on-disk = { $kind } file system at { $at }
doctor-on-disk-why = results include the file system as well as the disk
doctor-on-disk-do = for the disk alone, measure the block device itself: with reads only, or an empty one
doctor-on-copy-on-write = { $kind } file system at { $at } (copy on write)
doctor-on-copy-on-write-why = every random write allocates space, checksums cost CPU time, and compression removes zeros
doctor-on-copy-on-write-do = use incompressible data (refill_buffers); for the disk alone, measure the block device itself
doctor-on-overlay = { $kind } at { $at } is layered over other file systems
doctor-on-overlay-why = the first write to a file of a lower layer copies the whole file
doctor-on-overlay-do = measure a newly created file, or a mounted volume
doctor-on-network = { $kind } at { $at } is a network file system
doctor-on-network-why = results are those of the network and the server; direct=1 bypasses only the local page cache
doctor-on-network-do = use more data than the memory of the server, and compare with the rate of the network link
doctor-on-served = { $kind } at { $at } is served by another program or by the host
doctor-on-served-why = results are those of that program, and its cache cannot be bypassed from here
doctor-on-served-do = measure on the system that stores the data
doctor-mount-option = { $at } is mounted with { $option }
doctor-mount-synchronous-why = every write waits for the disk, even without fsync
doctor-mount-synchronous-do = mount without this option, or state it with the results
doctor-mount-no-flush-why = fsync does not flush the cache of the disk: its latencies are too low
doctor-mount-no-flush-do = mount with barriers
doctor-mount-data-twice-why = each byte is written twice: to the journal and to its place
doctor-mount-data-twice-do = mount with data=ordered
doctor-mount-compressed-why = zeros and repeated patterns compress to almost nothing
doctor-mount-compressed-do = use incompressible data (refill_buffers)
doctor-mount-dax-why = the page cache is bypassed: buffered I/O is direct
doctor-mount-dax-do = compare with a mount without dax
doctor-mount-read-only-why = write tests fail
doctor-mount-read-only-do = measure reads only, or mount it read-write
doctor-mount-discard-why = deleting a file trims its blocks at once, which slows concurrent I/O
doctor-mount-discard-do = use fstrim between runs instead
doctor-target-with-size = { $kind }, { $size }
doctor-target-device = block device
doctor-target-partition = partition
doctor-target-file = regular file
doctor-target-directory = directory: fathom measures a scratch file in it
doctor-empty-file = the file is empty
doctor-empty-file-why = it has no data to read
doctor-empty-file-do = write it fully first, or name its directory to measure a scratch file
doctor-empty-device = the device has a size of 0
doctor-empty-device-why = it has no medium or no attached file, or it is not set up
doctor-empty-device-do = insert the medium, attach a file (losetup) or set the device up (zramctl), then repeat
doctor-loop-buffered = { $device }: loop device over { $backing }, through the page cache
doctor-loop-buffered-why = cached parts of the file are read from memory, even with direct=1
doctor-loop-buffered-do = use losetup --direct-io=on, or measure the layer below
doctor-loop-direct = { $device }: loop device over { $backing }, with direct I/O
doctor-loop-direct-why = each request passes two block layers and a kernel worker
doctor-loop-direct-do = for the disk alone, measure the layer below
doctor-in-use-mounted = { $device } is mounted on { $by }
doctor-in-use-swap = { $device } is used as swap space
doctor-in-use-member = { $device } is part of { $by }
doctor-in-use-loop = { $by } is a loop device over { $device }
doctor-in-use-why = the I/O of its users is included in the results; fathom refuses a write test because it would destroy their data
doctor-in-use-mounted-do = measure a file on it, or unmount it
doctor-in-use-swap-do = run swapoff for the duration of the test
doctor-in-use-member-do = measure the device above it, or dismantle that device
doctor-carries = { $device } contains: { $what }
doctor-carries-why = a write test would destroy it, so fathom refuses one
doctor-carries-do = measure reads only, or a file on it; if nothing on it is needed: wipefs -a
doctor-direct-accepted = the file system accepts direct I/O
doctor-direct-refused = the file system refuses direct I/O
doctor-direct-refused-why = only buffered I/O is possible, which mostly measures the page cache
doctor-direct-refused-do = use more data than there is memory, or another file system
doctor-unreadable = the target cannot be read ({ $error })
doctor-unreadable-why = its contents, partition table and signatures remain unknown
doctor-unreadable-do = repeat as a user who may read it
doctor-no-holes = the file has no holes and no unwritten extents
doctor-holes = { $holes } of { $size } are holes
doctor-holes-and-unwritten = { $holes } of { $size } are holes, and { $reserved } are allocated but never written
doctor-holes-why = reads of them return zeros without disk I/O, and first writes are slower because they allocate space
doctor-holes-do = fill the file before reading it: fathom prefill, or rw=write bs=1M
doctor-one-extent = the file is contiguous
doctor-fragments = the file has { $n } fragments of { $mean } on average
doctor-fragments-why = a sequential read of it jumps between fragments: on a rotational disk that is random I/O
doctor-fragments-do = free some space and copy the file
doctor-zero-blocks = { $zero } of { $sampled } sampled blocks contain only zeros
doctor-zero-blocks-why = a device may return trimmed, thin or zero blocks without reading its medium, and zeros compress to nothing
doctor-zero-blocks-do = write the whole target with random data before reading it (fathom prefill)
doctor-cached = { $cached } of { $size } are in the page cache
doctor-cached-why = buffered reads of that part are served from memory
doctor-cached-do = use direct=1, or invalidate=1 (the default)
doctor-space = { $free } of { $size } are free
doctor-space-why = a nearly full file system fragments new files, and nearly full flash does garbage collection during writes
doctor-space-do = free at least 15 % of the space
doctor-idle = { $device }: idle for { $look_ms } ms
doctor-busy = { $device }: { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } ({ $moved }) in { $look_ms } ms, busy { $busy }
doctor-busy-in-flight = { $device }: { $ios ->
        [one] { $ios } I/O
       *[other] { $ios } I/Os
    } ({ $moved }) in { $look_ms } ms, busy { $busy }, { $in_flight } in flight
doctor-busy-stuck-why = I/Os are in flight but none completes: the disk hangs or is throttled
doctor-busy-why = other processes use the device: their I/O and that of the test slow each other down
doctor-busy-do = find these processes (iotop, pidstat -d) and stop them, or state the load with the results
doctor-pressure = tasks were stalled on I/O during { $share } of the last 10 s (PSI)
doctor-pressure-why = disks of this machine are in use, possibly not those under the target
doctor-pressure-do = wait until this load has ended
doctor-dirty = { $waiting } of dirty pages in the page cache are not yet written back
doctor-dirty-why = the kernel will write them during the test
doctor-dirty-do = run sync before the test
doctor-array-resync-pending = { $device } ({ $level }): a resync is pending or stopped
doctor-array-resync-pending-why = it may start during the test, and until it has run the members may differ
doctor-array-resync-pending-do = let it finish before the test (/proc/mdstat)
doctor-array-resync = resync, which makes the members equal
doctor-array-recovery = recovery, which fills a new member
doctor-array-reshape = reshape, which changes the layout
doctor-array-check = check, which reads and compares all members
doctor-array-repair = repair, which reads and corrects all members
doctor-array-running = { $device } ({ $level }) is running a { $operation }
doctor-array-running-percent = { $device } ({ $level }) is running a { $operation }: { $p } % complete
doctor-array-running-why = its reads and writes compete with those of the test
doctor-array-stoppable-do = wait until it is complete (/proc/mdstat), or stop it: echo idle > /sys/block/{ $device }/md/sync_action
doctor-array-running-do = wait until it is complete (/proc/mdstat)
doctor-degraded = { $device } ({ $level }) is degraded: { $missing ->
        [one] { $missing } member is
       *[other] { $missing } members are
    } missing
doctor-degraded-of = { $device } ({ $level }) is degraded: { $missing ->
        [one] { $missing } of { $disks } members is
       *[other] { $missing } of { $disks } members are
    } missing
doctor-degraded-parity-why = each read of data on a missing member reads all other members to compute it
doctor-degraded-mirror-why = reads are spread over fewer disks, and writes go to fewer disks
doctor-degraded-do = replace the member and wait for the recovery before measuring
doctor-array = { $device }: { $facts }
doctor-array-members = { $n ->
        [one] { $n } member
       *[other] { $n } members
    }
doctor-array-complete = complete and idle
doctor-array-bitmap = write-intent bitmap
doctor-array-raid5-why = a small write costs two reads and two writes
doctor-array-raid6-why = a small write costs three reads and three writes
doctor-array-bitmap-why = the bitmap is updated before random writes
doctor-array-do = expect fewer random writes per second than the members can do together
doctor-io-limit = a control group limits this process on { $device }: { $all }
doctor-io-limit-read-bandwidth = { $n }/s read
doctor-io-limit-write-bandwidth = { $n }/s written
doctor-io-limit-read-iops = { $n } read IOPS
doctor-io-limit-write-iops = { $n } write IOPS
doctor-io-limit-why = the result is the limit, not the speed of the disk; iostat shows a mostly idle disk meanwhile
doctor-io-limit-do = run outside that control group (systemd slice, container), or measure the limit on purpose
doctor-no-io-limit = no control group limits this process on these devices
doctor-cpu-limit = a control group limits CPU time to { $cpus } of { $usable } CPUs
doctor-cpu-limit-why = the job threads are stopped part of the time, and these gaps count as latency
doctor-cpu-limit-do = raise cpu.max, or use less CPU time (fewer jobs, larger blocks)
doctor-memory-limit = the control group of this process has { $rest } of memory left
doctor-memory-limit-why = buffered writes are written back early, and the buffers of many jobs may not fit
doctor-memory-limit-do = use direct=1, or raise memory.max
doctor-pcie = { $device }: PCIe x{ $width } at { $speed } GT/s ({ $now }/s); the device supports x{ $most_width } at { $most_speed } GT/s ({ $most }/s)
doctor-pcie-why = the slot, an adapter or a bad contact slows the link down: the result is the rate of the link, not of the disk
doctor-pcie-do = try another slot, look for AER errors in dmesg, and turn off link power saving (pcie_aspm)
doctor-sata = { $device }: SATA at { $now }, at most { $most }/s
doctor-sata-limited = { $device }: SATA at { $now } (the port is limited to { $limit }), at most { $most }/s
doctor-sata-why = the port, the cable, the backplane, an old disk or link errors limit the rate: the result is that of the link
doctor-sata-do = try another port or cable, and look for link resets in dmesg
doctor-usb-storage = one request at a time (usb-storage)
doctor-usb-uas = with command queuing (uas)
doctor-usb = { $device }: USB at { $mbit } Mbit/s, { $protocol }
doctor-usb-slow-why = USB at 480 Mbit/s carries about 40 MB/s: the result is that of the link, not of the disk
doctor-usb-slow-do = use a USB 3 port and cable; for the disk alone, use a native port
doctor-usb-storage-why = the bridge takes one request at a time, so iodepth and numjobs have no effect
doctor-usb-storage-do = use a bridge and a driver with UAS; for the disk alone, use a native port
doctor-usb-why = results include the bridge between USB and the disk
doctor-usb-do = for the disk alone, use a native port
doctor-numa = { $device }: attached to NUMA node { $node }
doctor-numa-excluded = { $device }: attached to NUMA node { $node }, on which this process may not run
doctor-numa-why = threads on other nodes reach the device over the link between the CPUs
doctor-numa-excluded-why = all I/O crosses the link between the CPUs
doctor-numa-excluded-do = allow this process on node { $node } (cpuset, taskset), or state the node with the results
doctor-virtual-machine = this is a virtual machine
doctor-virtual-machine-named = this is a virtual machine ({ $name })
doctor-virtual-machine-why = the caches, limits and other guests of the host are not visible from here
doctor-virtual-machine-do = suspect a limit where results do not change with the queue depth, and repeat at another time of day
doctor-steal = the hypervisor gave { $share } of the CPU time to other guests (steal)
doctor-steal-why = the job threads are stopped meanwhile, and these gaps count as latency
doctor-steal-do = measure at another time, or on a machine with dedicated CPUs
doctor-governor = the CPU frequency governor is { $names }
doctor-governor-why = a CPU that slows down between I/Os adds microseconds of latency at low queue depth
doctor-governor-do = run cpupower frequency-set -g performance for the duration of the test
doctor-clock = the clocksource of the kernel is { $name }
doctor-clock-why = each clock read takes microseconds, and every I/O needs one
doctor-clock-do = find out from dmesg why the kernel rejected tsc, or boot with clocksource=tsc
doctor-cpus = { $online ->
        [one] { $online } CPU, usable
       *[other] { $online } CPUs, all usable
    }
doctor-cpus-restricted = this process may use { $usable } of { $online } CPUs
doctor-cpus-restricted-why = more busy jobs than that share CPUs, and waiting for a CPU counts as latency
doctor-cpus-restricted-do = keep numjobs within that number, or widen the CPU affinity (taskset, cpuset)
doctor-queues = { $device }: { $queues ->
        [one] { $queues } hardware queue
       *[other] { $queues } hardware queues
    } of { $requests ->
        [one] { $requests } request
       *[other] { $requests } requests
    }
doctor-queues-and-disk = { $device }: { $queues ->
        [one] { $queues } hardware queue
       *[other] { $queues } hardware queues
    } of { $requests ->
        [one] { $requests } request
       *[other] { $requests } requests
    }; the disk accepts { $disk } at a time
doctor-queues-one-request-why = the disk handles one request at a time, so iodepth and numjobs have no effect
doctor-queues-one-request-do = enable NCQ (queue_depth; AHCI mode in the firmware) or UAS
doctor-queues-shared-why = all CPUs share one queue, so more than one job gains little
doctor-queues-shared-do = raise iodepth before numjobs, and check nvme.write_queues or the settings of the hypervisor
doctor-queues-why = requests beyond that wait in the scheduler queue, and the wait counts as latency
doctor-queues-do = keep iodepth x numjobs within that number
doctor-engine = { $engine } is available
doctor-engine-unavailable = { $engine } is not available ({ $error })
doctor-io-uring-why = kernel.io_uring_disabled or the seccomp filter of a container disables it
doctor-io-uring-do = use ioengine=libaio with direct=1, which performs nearly as well
doctor-libaio-why = jobs with ioengine=libaio fail
doctor-libaio-do = raise fs.aio-max-nr, or use io_uring
doctor-aio-slots = { $used } of { $most } kernel AIO request slots are in use (fs.aio-max-nr)
doctor-aio-slots-why = libaio jobs with a high iodepth or numjobs may fail to start
doctor-aio-slots-do = raise the limit: sysctl fs.aio-max-nr=1048576
doctor-sectors = { $device }: logical sectors of { $logical } bytes, physical sectors of { $physical } bytes
doctor-sectors-logical-why = direct I/O smaller than { $logical } bytes fails
doctor-sectors-physical-why = for writes smaller than { $physical } bytes the disk reads, modifies and writes a whole sector
doctor-sectors-do = use block sizes and offsets that are multiples of { $physical } bytes
doctor-largest-request = { $device }: the largest request is { $most }
doctor-largest-request-why = the kernel splits larger blocks, so iostat counts more I/Os than fathom
doctor-largest-request-do = compare bandwidth, not IOPS, for block sizes above { $most }
doctor-chunks = { $device }: chunks of { $chunk }
doctor-chunks-and-stripes = { $device }: chunks of { $chunk }, stripes of { $stripe }
doctor-chunks-why = a block of up to one chunk uses one member; with parity, writes smaller than a stripe read first
doctor-stripes-do = for bandwidth use a bs that is a multiple of { $stripe }; for IOPS use bs=4k
doctor-chunks-do = for bandwidth use a bs of several chunks; for IOPS use bs=4k
doctor-cloud-network = { $device }: network disk of { $provider }
doctor-cloud-network-why = both the volume (size or plan) and the machine type limit its rate, and it may start with burst credit
doctor-cloud-network-do = use a queue depth of promised IOPS x latency (26500 x 1 ms: 27), and run longer than the credit lasts
doctor-cloud-local = { $device }: local disk of a { $provider } host
doctor-cloud-local-why = its data is lost when the machine stops, and it becomes slower as it fills up
doctor-cloud-local-do = write it fully once before write tests
doctor-cloud-unknown = { $device }: disk of { $provider }, probably a network disk
doctor-cloud-unknown-why = a network disk is limited by its size or plan as well as by the machine type
doctor-cloud-unknown-do = compare with the limits that the provider publishes; use a queue depth of promised IOPS x latency
doctor-controller-volume = { $device }: volume of a RAID controller ({ $driver }); its disks are hidden
doctor-controller-volume-why = its cache acknowledges writes while its battery is good; its checks and rebuilds are not visible here
doctor-controller-volume-do = check cache mode, battery and rebuild with its tool (storcli, perccli, ssacli), and use more data than its cache holds
doctor-scheduler = { $device }: I/O scheduler { $name }
doctor-scheduler-warning-why = it costs CPU time for each request and holds requests back
doctor-scheduler-why = it costs some CPU time for each request without benefit on this disk
doctor-scheduler-do = as root: { $command }, or state the scheduler with the results
doctor-no-read-ahead = { $device }: read-ahead is off
doctor-no-read-ahead-why = buffered sequential reads wait for each block
doctor-no-read-ahead-do = run blockdev --setra 256, or use direct=1
doctor-read-ahead = { $device }: read-ahead of { $ahead }
doctor-read-ahead-why = a buffered sequential read keeps that much in flight, independent of iodepth
doctor-read-ahead-do = use direct=1, which has no read-ahead
doctor-write-back = { $device }: volatile write cache is on (write back)
doctor-write-back-hidden = { $device }: reports a volatile write cache (write back); caches behind it are unknown
doctor-write-back-why = a write completes before its data is durable: without a flush, a power failure loses it
doctor-write-back-do = for durable writes add fsync=1 or fdatasync=1; otherwise write more than the cache holds
doctor-write-through = { $device }: no volatile write cache (write through)
doctor-write-through-hidden = { $device }: reports no volatile write cache (write through); caches behind it are unknown
doctor-write-through-why = each write waits for the rotating medium
doctor-write-through-do = run hdparm -W1 if power failures are covered, or state the cache mode with the results
doctor-zoned-managed = { $device }: zoned (host-managed): each zone must be written sequentially
doctor-zoned-managed-why = random writes fail
doctor-zoned-managed-do = use zonemode=zbd, or measure reads only
doctor-zoned-aware = { $device }: zoned (host-aware)
doctor-zoned-aware-why = the disk collects random writes in a cache and sorts them into zones: fast at first, then slow
doctor-zoned-aware-do = write several times as much as its cache holds
doctor-medium-read-latency = { $medium }; random 4k reads took { $took }
doctor-medium-memory = { $device }: keeps its data in memory
doctor-medium-memory-why = no disk is measured: every result is that of memory
doctor-medium-memory-do = choose another device
doctor-medium-fast-rotational = { $device }: reported as rotational
doctor-medium-fast-rotational-why = moving heads are not that fast: a cache served the reads, or the disk is flash with a wrong flag
doctor-medium-fast-rotational-do = use a region larger than any cache, and trust the measured latency rather than the flag
doctor-medium-rotational = { $device }: rotational disk
doctor-medium-rotational-why = it does about 75 to 200 random I/Os per second, and its outer tracks are twice as fast as its inner ones
doctor-medium-rotational-do = measure random I/O over the whole disk, and state the position of sequential I/O
doctor-medium-flash = { $device }: flash
doctor-medium-slow-flash-why = that is too slow for flash: the disk was asleep or busy, or a slower device is behind it
doctor-medium-slow-flash-do = check the other load on the device, and repeat
doctor-medium-hidden-rotational = { $device }: reported as rotational, but the real medium is hidden (virtual disk, controller, bridge or network)
doctor-medium-hidden-not-rotational = { $device }: reported as not rotational, but the real medium is hidden (virtual disk, controller, bridge or network)
doctor-medium-hidden = { $device }: the medium is hidden (virtual disk, controller, bridge or network)
doctor-medium-unmeasured-why = such disks report the default of their driver, which says nothing about the medium
doctor-medium-unmeasured-do = measure random reads: a disk with moving heads takes 3 ms or more for each
doctor-medium-fast-hidden-why = such fast reads exclude moving heads: the medium is flash, or a cache served the reads
doctor-medium-fast-hidden-do = expect the results of a flash disk, and ignore the rotational flag
doctor-medium-between-why = that is too slow for idle flash and too fast for moving heads: probably a network disk or other load
doctor-medium-between-do = expect a network disk: its latency limits queue depth 1, its plan limits higher depths
doctor-medium-slow-hidden-why = the cause is moving heads, a network behind the disk, or other load
doctor-medium-slow-hidden-do = find out which of these applies before comparing results
doctor-numa-do = set numa_cpu_nodes={ $node } and numa_mem_policy=bind:{ $node }
doctor-client-nfs = { $layer }: NFS { $version } over { $transport }, { $export }, connections: { $n }, rsize { $read }, wsize { $written }, sec={ $security }
doctor-client-smb = { $layer }: SMB { $version }, { $share } on { $servers }, cache={ $cache }
doctor-client-ceph = { $layer }: directory { $directory } of CephFS, kernel client, monitors { $servers }
doctor-client-ceph-fuse = { $layer }: CephFS through the program ceph-fuse
doctor-client-ceph-fuse-why = each request passes through a program (FUSE), which needs CPU time and has a cache of its own
doctor-client-ceph-fuse-do = mount with the kernel client to compare; quote results with "ceph-fuse"
doctor-client-host = { $layer }: directory { $tag } of the hypervisor host by { $kind }
doctor-client-host-why = results include the host's file system and its page cache, which direct=1 in this machine does not bypass
doctor-client-host-do = use more data than the memory of the host, or measure on a virtual disk
doctor-client-rbd = { $layer }: Ceph image { $pool }/{ $image } of cluster { $cluster }, kernel client, monitors { $servers }
doctor-client-rbd-snapshot = { $layer }: snapshot { $snapshot } of Ceph image { $pool }/{ $image } of cluster { $cluster }, kernel client, monitors { $servers }
doctor-client-nbd = { $layer }: network block device of server { $servers }
doctor-client-nbd-backend = { $layer }: network block device of server { $servers }, backend { $backend }
doctor-client-iscsi = { $layer }: iSCSI target { $target } at { $servers }, connections: { $n }
doctor-client-nvme = { $layer }: NVMe over { $transport }, subsystem { $subsystem } at { $servers }, I/O queues: { $queues }, paths: { $n }
doctor-client-why = results are those of client, network, server and the server's disks together
doctor-client-do = measure the disks on the server, too: the difference is network and protocol
doctor-not-connected = { $layer }: no working connection to the server (state: { $state })
doctor-not-connected-why = I/O waits or fails
doctor-not-connected-do = restore the connection, then measure
doctor-fails-after = { $layer }: I/O fails after { $seconds } s without an answer ({ $setting })
doctor-fails = { $layer }: I/O fails when the server does not answer for some time ({ $setting })
doctor-fails-why = a slow server or a short outage becomes an I/O error, and writes can be lost
doctor-fails-do = mount with "hard"; for a test of outages, state this setting
doctor-waits-for-server = { $layer }: I/O waits without limit for a server that does not answer ({ $setting })
doctor-attribute-cache = { $layer }: the client caches attributes of files for { $file } to { $file_most } s, of directories for { $directory } to { $directory_most } s
doctor-attribute-cache-why = within these times, stat and open of known files send no request to the server
doctor-attribute-cache-do = to measure the server's metadata, mount with actimeo=0 or use more files than are known
doctor-export-unknown = { $layer }: whether the server exports with sync or async is not visible here
doctor-export-unknown-why = with async, the server confirms writes and syncs before its disk has them
doctor-export-unknown-do = look at the exports on the server (exportfs -v)
doctor-small-requests = { $layer }: requests of at most { $read } (rsize) and { $written } (wsize)
doctor-small-requests-why = a larger block is sent as several requests
doctor-small-requests-do = mount without rsize and wsize: client and server then agree on the largest size
doctor-pool = { $layer }: pool { $name }, copies: { $size } (at least { $least } to write), placement groups: { $groups }
doctor-pool-erasure = { $layer }: erasure-coded pool { $name }, chunks: { $size } (at least { $least } to write), placement groups: { $groups }
doctor-pool-why = each write goes to several disks over the cluster's network before it is confirmed
doctor-pool-do = compare with the disks: a pool writes as fast as its slowest copy
doctor-pool-one-copy-why = without a second copy, results are better than those of a pool that survives the loss of a disk
doctor-pool-one-copy-do = measure a pool with the number of copies that is used in production
doctor-route = { $layer }: server { $server } is reached through { $interface } ({ $mbit } Mbit/s, MTU { $mtu }), at most { $payload }/s in each direction
doctor-route-why = the link limits the bandwidth: results near this rate are those of the link
doctor-route-do = use a faster link, or quote the bandwidth as that of the link
doctor-route-half-duplex = { $layer }: server { $server } is reached through { $interface } ({ $mbit } Mbit/s, half duplex, MTU { $mtu }), at most { $payload }/s in both directions together
doctor-route-half-duplex-why = a link in half duplex has collisions; it is usually a failed negotiation with the switch
doctor-route-half-duplex-do = set both ends to automatic negotiation, or replace the cable
doctor-route-bond = { $layer }: server { $server } is reached through { $interface } ({ $members }; { $mbit } Mbit/s together, MTU { $mtu }), at most { $payload }/s in each direction
doctor-route-bond-why = one connection uses one member: a mount with one connection reaches only its share
doctor-route-bond-do = use several connections (nconnect, multipath), or quote the rate of one member
doctor-route-unknown-speed = { $layer }: server { $server } is reached through { $interface } (speed not known, MTU { $mtu })
doctor-route-unknown-speed-why = the limit of the network is not visible here
doctor-route-unknown-speed-do = measure the network with iperf3, and compare the bandwidth
doctor-route-loopback = { $layer }: server { $server } is this machine
doctor-route-loopback-why = client and server share CPUs and memory, and no network is measured
doctor-route-loopback-do = measure from another machine
doctor-shaper = { $layer }: { $kind } (tc) limits what { $interface } sends to { $mbit } Mbit/s, at most { $payload }/s of data
doctor-shaper-why = writes near this rate are limited by this machine, not by the server
doctor-shaper-do = raise or remove the limit (tc qdisc show dev INTERFACE), or quote the bandwidth as that of the limit
doctor-server-unknown = { $layer }: the server's address, or the route to it, is not visible here
doctor-server-unknown-why = whether the network limits the results cannot be said
doctor-server-unknown-do = compare the bandwidth with the link's speed yourself
doctor-client-library = { $layer }: reached by { $library }, servers { $servers }
doctor-small-pool = { $layer }: pool { $name }: { $groups } placement groups x { $size } (copies) / { $osds } (OSDs) = { $each } for each OSD
doctor-small-pool-why = an OSD works on the writes of a group one after the other, and few groups spread the load unevenly
doctor-small-pool-do = raise pg_num (Ceph aims at 100 for each OSD), or state it with the result
doctor-server-profile = { $layer }: erasure code of pool { $name }: { $profile }
doctor-server-profile-why = a write smaller than a stripe reads the rest of the stripe first
doctor-server-profile-do = write whole stripes, or compare with a replicated pool
doctor-server-health = { $layer }: cluster { $checks }
doctor-server-health-why = a cluster with open problems may be slower, or keep fewer copies
doctor-server-health-do = see ceph health detail
doctor-server-idle = { $layer }: no recovery and no scrub in the cluster
doctor-server-activity = { $layer }: placement groups in recovery: { $recovering }, in scrub: { $scrubbing }, with missing copies: { $degraded }
doctor-server-activity-why = recovery and scrub take disks and network from the clients; with missing copies, writes go to fewer disks
doctor-server-activity-do = wait until ceph -s shows active+clean, or set noscrub and nodeep-scrub while you measure
doctor-server-osds = { $layer }: OSDs: { $n }, machines: { $hosts }: { $list }
doctor-server-osds-why = a pool is not faster than these disks
doctor-server-osds-do = measure the disks, too: the difference is Ceph and network
doctor-server-osds-memory-why = an OSD with memstore keeps its objects in memory: no disk is measured
doctor-server-osds-memory-do = measure a cluster with BlueStore on disks
doctor-server-image = { $layer }: image of { $size }, objects of { $object }, stripes of { $n } x { $unit }, features: { $features }
doctor-server-image-why = a request that crosses the end of an object becomes several requests
doctor-server-image-do = use blocks that divide the objects, and state layout and features with the result
doctor-server-allocated = { $layer }: { $used } of { $size } have storage ({ $part })
doctor-server-allocated-why = reads of blocks that were never written reach no disk, and first writes allocate space
doctor-server-allocated-do = write the whole target once before you measure
doctor-server-cache = { $layer }: cache of { $library }: { $size }, { $policy }
doctor-server-cache-why = the cache may confirm writes before the cluster has them, and answer reads itself
doctor-server-cache-do = set rbd_cache=false, or use more data than the cache and sync the writes
doctor-server-cache-off = { $layer }: cache of { $library } is off
doctor-server-limits = { $layer }: limits: { $limits }
doctor-server-limits-why = results near a limit are those of the limit
doctor-server-limits-do = remove the limits to measure the storage, or quote them with the result
doctor-server-clients = { $layer }: other clients: { $clients }
doctor-server-clients-why = their requests affect the results, and a run that writes would destroy their data
doctor-server-clients-do = stop these clients, or measure another target
doctor-server-nfs = { $layer }: NFS { $version }, { $export }, largest requests: { $read } read, { $written } written
doctor-server-lun = { $layer }: LUN { $lun } of { $target }: { $model }, logical blocks of { $block } bytes, physical of { $physical_block }, { $flags }
doctor-server-export = { $layer }: NBD export: { $flags }; smallest request { $least }, preferred { $wanted }, largest { $most }
doctor-server-round-trip = { $layer }: round-trip time of TCP: { $mean } (smallest { $least })
doctor-replication = { $layer }: { $copies } copies on { $hosts } machines: with links of { $mbit } Mbit/s at each machine, writes of all clients reach at most { $payload }/s
doctor-replication-why = each copy of each write passes the link of a machine; the links between the machines are not visible here
doctor-replication-do = use a faster network between the OSDs, or quote this limit
