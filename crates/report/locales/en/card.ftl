card-title = { $jobs ->
        [one] { $jobs } job
       *[other] { $jobs } jobs
    }, { $seconds } s; { $place }
card-title-ended-by-signal = { $jobs ->
        [one] { $jobs } job
       *[other] { $jobs } jobs
    }, { $seconds } s, ended early by signal { $signal }; { $place }
card-place-none = no file or device was used
card-place-several = { $first } and { $more ->
        [one] { $more } more target
       *[other] { $more } more targets
    }
stack-unknown = storage stack unknown: no block device found
card-column-queue-depth = queue depth
card-depth = { $reached } of { $asked }
direction-read = read
direction-write = write
direction-trim = trim
row-commit = commit
row-sync = sync
card-row-all = all targets
card-label-failed = failed
card-damaged = { $job }: { $bad } of { $blocks } checked blocks do not contain what was written ({ $kinds })
card-label-commit = commit
card-label-layers = layers
card-label-trust = trust
card-label-note = note
card-label-not-measured = not measured
card-label-offsets = offsets
card-touched = touched { $part } of the region
card-touched-expected = touched { $part } of the region (expected share of independent random offsets)
card-touched-at-most = touched at most { $part } of the region
card-offsets-uniform = uniform (chi-square p { $chance }, { $samples } samples)
card-more-jobs-offsets = { $n ->
        [one] { $n } more job
       *[other] { $n } more jobs
    }: see --json
card-more-rows = { $n ->
        [one] { $n } more row
       *[other] { $n } more rows
    }: see --json
card-more-failed-jobs = { $n ->
        [one] { $n } more job
       *[other] { $n } more jobs
    } failed: see --json
card-more-findings = { $n ->
        [one] { $n } more finding
       *[other] { $n } more findings
    }: see --json
card-more-notes = { $n ->
        [one] { $n } more note
       *[other] { $n } more notes
    }: see --json
card-commit-meaning = a commit is the writes since the previous sync plus the sync itself ({ $sync }); latency from the first submission to the end of the sync; the IOPS column shows commits per second
card-commit-queued = with several I/Os in flight, a sync does not cover writes that are still incomplete when it begins
card-not-measured-storage = storage: no file or device was used, only the load generator was measured
card-not-measured-later-writes = writes beyond { $seconds } s of runtime
card-not-measured-later = performance beyond { $seconds } s of runtime
card-not-measured-rest = at least { $left } of the target
card-not-measured-full-device = a full device
layers-all-agree = app = { $layers }: { $read } read, { $written } written
layers-one-direction = { $way }: app { $app }
layers-including-file-system-writes = { $chain } (including { $more } of journal, metadata and other writers)
layers-process = process
layers-devices = { $n ->
        [one] { $n } device
       *[other] { $n } devices
    }
layers-page-cache-hits = page cache hits { $share }
layers-cached-or-holes = read from the page cache or from holes { $share }
layers-no-holes = no holes
layers-holes = holes { $n }
layers-server-time = { $name }: network and server { $trip } of { $all }
layers-server-operation = { $name } { $n }: mean { $all }, of which { $waiting } before sending and { $trip } network and server
layers-server-bytes = server sent { $sent }, received { $received }
layers-tcp-segments = segments sent { $sent }, again { $repeated } (whole machine)
layers-connections = connections { $n }, segments sent { $sent }, again { $repeated }, received out of order { $late }, round trip { $trip }
layers-reconnects = made anew { $n }
layers-queue-depth = queue depth { $reached } (the I/O engine allows { $asked })
layers-busiest-thread = busiest job thread { $busy } CPU
layers-column-layer = layer
layers-column-ios = I/Os
layers-column-bytes = bytes
layers-column-app-ios-per-io = app I/Os per I/O
layers-column-merges = merges
layers-column-queue-depth = queue depth
layers-row-application = application
layers-row-system-calls = read and write calls
layers-row-block-layer = process to block layer
layers-row-page-cache = target in page cache
layers-cell-used = { $used } used
layers-row-file-system-writes = journal, metadata, other writers
layers-row-member-writes = mirrors, parity, other I/O
layers-label-host = host{"  "}
layers-cpu-quota = CPU quota stopped the group { $times ->
        [one] { $times } time
       *[other] { $times } times
    } ({ $stopped })
layers-cpu-pressure = tasks stalled on CPU { $waited } of the time (PSI)
layers-io-pressure = tasks stalled on I/O { $waited } of the time (PSI)
