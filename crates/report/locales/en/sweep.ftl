# fathom sweep.
sweep-plan = { $cells } cells, { $visits } { $visits ->
    [one] visit
   *[other] visits
} each in random order (seed { $seed }); { $left } { $left ->
    [one] visit
   *[other] visits
} to make, at least { $time }
sweep-head = { $cells } cells, { $visits } { $visits ->
    [one] visit
   *[other] visits
} each in random order (seed { $seed }); { $made } of { $order } visits made
sweep-offered = offered
sweep-mean-latency = latency
sweep-visits = visits
sweep-grade = grade
sweep-best = { $pattern }: use { $used }: { $rate } IOPS (95 %: { $low } to { $high }), mean latency { $latency }
sweep-highest = the highest rate, { $rate } IOPS with { $load }, is at most 5 % higher
sweep-best-bs = { $pattern }: use bs={ $used }: { $rate } MB/s (95 %: { $low } to { $high }), mean latency { $latency }
sweep-highest-bs = the highest bandwidth, { $rate } MB/s with bs={ $load }, is at most 5 % higher
sweep-edge = this is the largest { $options } of the grid: a larger value may be better
sweep-unusable = { $rows } { $rows ->
    [one] row is
   *[other] rows are
} left out, because the device was not measured (grade X)
sweep-no-best = no best row: no row measured the device (grade X)
sweep-saturated = *: the offered rate was not reached or is the maximum; the latency grows as long as the load lasts
sweep-longer = { $rows } { $rows ->
    [one] row was
   *[other] rows were
} measured for longer than asked: a visit lasts at least 20 of its mean latencies, with a full queue
sweep-finding = in { $share } of the rows: { $statement }
sweep-imported = { $cells } { $cells ->
    [one] cell was
   *[other] cells were
} read from { $tree } and not measured again: these rows have no interval
sweep-left-out = { $cells } { $cells ->
    [one] cell is
   *[other] cells are
} left out: their blocks are no multiple of the target's sectors, or larger than the target
sweep-errors = { $errors } I/Os failed
sweep-failed = { $pattern }: a visit failed: { $why }
sweep-legend = +-%: half-width of the 95 % interval, from the differences between visits. Latencies are total latencies (slat + clat)
sweep-legend-one = +-%: half-width of the 95 % interval within the visit; --repeats 3 shows the differences between visits. Latencies are total latencies (slat + clat)
sweep-spent = { $spent } s measured
sweep-spent-show = { $spent } s measured; all visits: fathom show S{ $id }; page: fathom report S{ $id } -o sweep.html
sweep-resume = unfinished; to make the missing visits: fathom sweep --resume S{ $id }
sweep-other-target = { $target } is not the target of this sweep: { $why }
sweep-other-size = it had { $before } bytes and has { $now } now
sweep-other-file = another file has taken its place
sweep-other-disks = it was on { $before } and is on { $now } now
sweep-other-kind = it is another kind of target, or direct I/O is no longer possible
sweep-again = { $path } contains an error: this cell is measured again
sweep-wrote = { $files } new { $files ->
    [one] result
   *[other] results
} written to { $tree }
sweep-reads-only = { $target }: only the reading patterns of the table are measured; --write measures the others too
sweep-too-many = a sweep has at most { $most } cells
sweep-chart-title = { $name }: { $what } by { $across }
sweep-chart-note = Each point combines all visits to its cell; the thin line is the 95 % interval between visits.
sweep-axis-offered = offered rate, IOPS
sweep-axis-runtime = runtime
