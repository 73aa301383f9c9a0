hosts-column-host = host
hosts-column-iops = { $direction } IOPS
hosts-column-p99 = lat p99
hosts-column-began = began
hosts-column-grade = grade
hosts-lost-cell = lost
hosts-skew = all workers began within { $skew } of each other (clock offsets known to { $wrong })
hosts-fairness = fairness { $index } (Jain's index: 1 if all hosts have the same rate); the first host finished after { $first }, the last after { $last }
hosts-kept = the report includes its figures up to { $seconds } after the start
hosts-nothing-kept = it sent no figures
hosts-kept-apart = its row has its figures until then, which are not in the sum
hosts-lost-ended = { $host }: the connection ended (status { $status })
hosts-lost-killed = { $host }: a signal ended the connection
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: no message for { $seconds } s
hosts-lost-signal = { $host }: { $signal } ended its jobs early
hosts-lost-no-agent = { $host }: what the command printed is no message of fathom agent; see --rsh and --agent
hosts-lost-version = { $host }: has fathom { $version }, but this machine has { $own }; all hosts need the same version
hosts-bad-name = --hosts: '{ $name }' is not a valid host name
hosts-named-twice = --hosts: { $name } is named twice; name each host once
hosts-none = no hosts are given
hosts-not-with = { $switch } cannot be given with --hosts
hosts-nothing-to-run = --hosts needs jobs to run: name a job file, or give --name
hosts-not-utf8 = with --hosts, arguments must be UTF-8
hosts-refused = nothing was run on any host
hosts-not-split-small = --share={ $share }: { $path } has { $bytes } bytes, less than a block for each host
hosts-not-split-unwritten = --share: { $path } does not have its full size yet; write it on one host first, without --hosts
hosts-unknown = job { $job }: hosts= names { $host }, which is not among --hosts
hosts-same-target = { $first } and { $second } would both write to { $path }; if they share it on purpose, use --share=split (each host writes a part of its own) or --share=whole (each host writes all of it)
hosts-same-device = { $first } and { $second } would both test { $path }; name a device of its own for each host
hosts-stalled = { $host }: no I/O has completed for { $seconds } s
hosts-awaited = { $hosts }: not ready for { $seconds } s (checks of the target, writing of files, exec_prerun); the run waits
hosts-common = in the { $seconds } in which all { $hosts } hosts ran: { $rates }
hosts-common-rate = { $iops } { $direction } IOPS, { $rate } MB/s
hosts-rates-of-sum = the rates below are the I/Os of all hosts divided by the longest runtime of a job on a host ({ $most }; the shortest is { $least })
hosts-use-common = the rate of all hosts together is the one above
hosts-slower = { $host } is { $percent } % slower than the median of the other hosts ({ $iops } against { $others } IOPS)
hosts-later = { $host } ended { $percent } % later than the median of the other hosts (after { $done }, the others after { $others })
hosts-no-reason = its own findings do not explain it
hosts-more-behind = { $count } more hosts are slower or later than the others; --json lists them
hosts-left-out = only the slowest and the fastest hosts are shown, { $count } are left out; --json has all
hosts-table = Hosts, the slowest first
hosts-chart-section = Hosts
hosts-chart-joined = { $what } of all hosts over time
hosts-chart-joined-note = Sum of { $hosts } hosts on one clock; the times of a host may be wrong by { $wrong }.
hosts-chart-rate = { $what } of each host
hosts-chart-rate-note = The slowest host first: { $slowest } with { $low }, the fastest is { $fastest } with { $high }; the median is { $median }.
hosts-chart-latency = { $direction } latency of each host
hosts-chart-latency-note = Percentiles of all jobs of a host together, the lowest 99th percentile first: { $best } with { $low }, the highest is { $worst } with { $high }.
hosts-chart-rank = hosts, ordered
hosts-chart-host = host
hosts-chart-latency-axis = latency
hosts-no-mpirun = mpirun is not installed: install openmpi-bin (Open MPI)
hosts-other-mpi = the mpirun in PATH is not Open MPI's ({ $said }): install openmpi-bin and put its mpirun first in PATH
hosts-verifies-overwritten = job { $job }: with --share=whole, each host would overwrite what the others verify; give each a part of its own (--share=split or offset_increment), or let one host write (hosts=)
hosts-only-with = { $switch } needs --hosts or --hostfile, given before --name
hosts-waits-for-other = job { $job }: wait_for names { $other }, which runs only on other hosts; use stonewall, which waits for all hosts
hosts-empty-rsh = --rsh is empty: give a command that starts a program on a host, such as ssh
hosts-not-with-study = { $switch } cannot be given for a study on several hosts
hosts-simulated-target = a simulated device cannot be the target of a study on several hosts: each host would have one of its own
hosts-one-target = --hosts: give one target
hosts-other-hosts = S{ $study } was measured on other hosts: give --hosts { $hosts }
hosts-simultaneously = { $count ->
    [one] { $count } host
   *[other] { $count } hosts simultaneously
} ({ $names }): rates are sums, depth and jobs are those of each host
hosts-loading-together = { $count ->
    [one] { $count } host
   *[other] { $count } hosts simultaneously
} ({ $names }): rates are sums, I/Os in flight are those of all hosts together; the recommended iodepth is that of each host
hosts-uneven = the hosts differ most in { $row }: { $slowest } has { $low } IOPS, { $fastest } has { $high } (fairness { $index })
hosts-several-sizes = --share=interleave: job { $job } has blocks of several sizes; give it one, or use --share=split
hosts-not-interleaved = --share=interleave: job { $job }: { $option } does not keep to every Nth block; use --share=split or --share=whole
hosts-other-blocks = --share=interleave: jobs { $other } and { $job } use one file in different blocks, so hosts would overwrite blocks of others; give both the same bs and offset, or use --share=split
hosts-zoned = --share=interleave: { $path } has zones, which are written in order; use --share=split with zonemode=zbd
finding-on-all-hosts = all hosts
finding-on-more-hosts = { $hosts } and { $more } more
finding-figures-of = figures of { $host }
hosts-measuring = measuring on { $hosts } hosts
hosts-no-share = --share cannot be given with this command: each host has files, objects or devices of its own
hosts-together = together
hosts-fairness-row = fairness
hosts-rates = rate of a host: over the time of its own workers; together: operations of all hosts in the time from the first start of a worker on any host to the last end on any host
hosts-fairness-meaning = fairness: Jain's index of the rates of the hosts, 1 if all are the same
hosts-each = { $count ->
    [one] { $count } host
   *[other] { $count } hosts simultaneously
} ({ $names }): each runs the whole workload, and each figure is that of the host with the worst verdict
