# fathom sweep.
sweep-plan = { $cells } { $cells ->
    [one] cell
   *[other] cells
}, { $visits } { $visits ->
    [one] visit
   *[other] visits
} each in random order (seed { $seed }); { $left } { $left ->
    [one] visit
   *[other] visits
} to make, at least { $time }
sweep-head = { $cells } { $cells ->
    [one] cell
   *[other] cells
}, { $visits } { $visits ->
    [one] visit
   *[other] visits
} each in random order (seed { $seed }); { $made } of { $order } visits made
sweep-offered = offered
sweep-mean-latency = latency
sweep-commit-latency = commit latency
sweep-latency-or-commit = latency (writes: commit)
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
sweep-no-best = { $pattern }: no best row: { $usable } of { $of } rows measured the device, the others have grade X
sweep-no-best-yet = { $pattern }: no best row yet: { $cells } of { $of } cells are not measured
sweep-no-best-uncertain = { $pattern }: no best row: the visits differ too much (+-{ $half } % for { $used }); more --repeats or a longer --runtime narrow the interval
sweep-no-best-imported = { $pattern }: no best row: { $used } would be the row to use, but it was read from the tree and has no interval; a sweep without --bench-fio measures it again
sweep-no-best-no-interval = { $pattern }: no best row: the only visit of { $used } was too short for an interval; more --repeats or a longer --runtime give one
sweep-provisional = provisional: { $visits } { $visits ->
    [one] visit is
   *[other] visits are
} missing
sweep-saturated = *: the offered rate was not reached or is the maximum; the latency grows as long as the load lasts
sweep-longer = { $rows } { $rows ->
    [one] row was
   *[other] rows were
} measured for longer than asked: a visit lasts at least 20 of its mean latencies, with a full queue
sweep-finding = in { $share } of the rows: { $statement }
sweep-finding-row = in { $share } of the rows, e.g. row { $load }: { $statement }
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
sweep-nothing-imported = { $path } has no result of this grid: all cells are measured
sweep-nothing-fits = --bs: the blocks of sequential jobs together, or one block, must not exceed the target ({ $size } bytes), and must be multiples of its sectors ({ $sector } bytes)
