quick-no-rows = no result: no pattern was measured
quick-scratch-file = scratch file of { $size } (removed)
quick-scratch-objects = scratch objects on a server, { $size } (removed)
quick-file = file of { $size }, reads only
quick-server = volume or file on a server, { $size }, reads only
quick-device = device of { $size }, reads only
quick-pattern-random = random
quick-pattern-durable = durable
quick-pattern-sequential = sequential
quick-column-pattern = pattern
quick-column-depth = depth
quick-column-reached = reached
quick-label-failed = failed
quick-failed-row = { $pattern } { $way }, depth { $depth }: { $error }
quick-cell-failed = failed
quick-not-measured-sustained-writes = sustained writes
quick-not-measured-full-device = a full device
quick-not-measured-beyond-scratch = space beyond the scratch file
quick-not-measured-writes = writes (this target was only read)
quick-not-measured-busy-or-full = a busy or full device
quick-label-layers = layers
quick-label-latency = latency
quick-dependent-reads = 1000 reads one by one take { $took }
quick-label-not-measured = not measured
quick-label-trust = trust
quick-label-caveat = caveat
quick-more-caveats = { $text } ({ $hidden ->
        [one] { $hidden } more caveat
       *[other] { $hidden } more caveats
    }: see --json)
quick-iops-intervals = 95 % confidence intervals of IOPS: { $rows }
