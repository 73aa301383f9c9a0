# Questions
explore-depth = queue depth
explore-bs = block size
explore-runtime = runtime
explore-jobs = numjobs
explore-span = region size
explore-grid = iodepth x numjobs grid
explore-axis = kernel setting
explore-targets = comparison of targets
explore-repeat = repeatability
explore-slo = latency goal
explore-hosts = number of hosts

# What to use
explore-scratch-file = scratch file of { $size }
explore-scratch-objects = scratch objects of { $size }
explore-load = { $jobs ->
    [1] iodepth { $depth }
   *[other] iodepth { $depth }, numjobs { $jobs }
}
explore-use = { $pattern }: use { $used }: { $rate }; mean latency { $mean }
explore-use-below-knee = not the knee ({ $knee }, the lowest depth with 95 % of the maximum): this depth differs from it by less than the noise
explore-use-above-knee = not the knee ({ $knee }, the lowest depth with 95 % of the maximum): its rate is more than 3 % lower
explore-use-knee = { $pattern }: use { $used }: { $share } of the maximum of { $maximum }; mean latency { $mean } ({ $alone } at depth 1)
explore-use-no-knee = { $pattern }: use { $used }: { $rate }; throughput still rises at this depth, no knee found; mean latency { $mean } ({ $alone } at depth 1)
explore-use-one-limit = { $pattern }: use { $used }: { $rate }; every higher depth reaches the same; mean latency { $mean }
explore-use-cpu-limit = { $pattern }: use { $used }: { $rate }; the CPU is the limit, not the device; mean latency { $mean }
explore-use-drifting = { $pattern }: use { $used }: { $rate }; throughput was still drifting at the end; mean latency { $mean }
explore-use-changed = { $pattern }: use { $used }: { $rate } at the end of the study, { $maximum } before; mean latency { $mean }

# Table of the card
explore-pattern = pattern
explore-knee-depth = knee
explore-knee-depth-unit = QD
explore-maximum = maximum
explore-latency = latency
explore-at-depth-1 = at QD 1
explore-at-knee = at knee
explore-device-busy = util
explore-iops-bound = IOPS-bound
explore-block-up-to = up to
explore-bandwidth-bound = BW-bound
explore-block-from = from
explore-run-time = runtime
explore-run-time-seconds = runtime, s
explore-run-time-default = { $seconds } (default)
explore-share-of-maximum = share of maximum
explore-mean-latency-here = mean latency
explore-mean-latency-depth-1 = mean latency at QD 1
explore-p99-at-knee = p99 latency at knee

# Below the table
explore-no-difference-jobs = numjobs makes no difference at the same total queue depth: { $patterns }
explore-no-difference-span = the size of the region makes no difference: { $patterns }
explore-targets-compared = { $pattern }, { $depth } in flight: { $first } and { $second }, ratio { $ratio }
explore-second-faster = target 2 is faster with { $loads ->
    [one] this load
   *[other] all { $loads } loads
}: { $low } to { $high } times the IOPS of target 1
explore-first-faster = target 1 is faster with { $loads ->
    [one] this load
   *[other] all { $loads } loads
}: { $low } to { $high } times the IOPS of target 2
explore-some-faster = of { $loads } loads target 1 is faster with { $first }, target 2 with { $second }; no difference with { $same }, not known with { $open }
explore-question-of = { $question } ({ $patterns })
explore-question-of-all = { $question } (all patterns)
explore-not-answered = not answered: { $question }: { $reason }
explore-over-budget = not answered within the budget, about { $minutes } min more needed: { $questions }
explore-not-the-device = the points did not measure the device: { $statement }
explore-ended-by-signal = a signal ended the study
explore-only-read = the target is only read; --write permits writes
explore-every-question = all questions
explore-random-only = region size matters for random I/O only
explore-commits-not-paced = a job has one commit in flight: the queue depth is the number of jobs, and commits are not paced
explore-commits = { $sync }: IOPS are commits per second, latency is that of a commit (the writes since the previous sync, and the sync); every commit in flight has a job of its own
explore-resume = the study ended early; fathom explore --resume continues it
explore-summary = { $points ->
    [one] { $points } point
   *[other] { $points } points
} measured in { $spent } s of { $budget } s
explore-legend = knee: lowest queue depth with 95 % of the maximum; +-%: 95 % confidence interval
explore-details-why = details: fathom explore --why
explore-details-show = details: fathom show S{ $id }
explore-recommended-job = recommended job for { $pattern } (--job FILE writes all of them):

# Estimates
explore-separator = {"; "}
explore-unit-commits = commits/s
explore-estimate = { $value }{ $unit } ({ $low } to { $high })
explore-measured-on = measured for { $seconds } s, { $moved } transferred in a region of { $region }

# Queue depth
explore-knee = knee at { $in_flight } in flight: { $share } of the maximum of { $figure }
explore-knee-between = the knee lies between { $low } and { $high } in flight
explore-mean-latency = mean latency { $mean } ({ $alone } at depth 1)
explore-p99 = p99 latency { $p99 }
explore-p99-between = p99 latency { $p99 } (between { $low } and { $high })
explore-little = if latency stayed at that of depth 1, the maximum would need { $bound } in flight (Little's law)
explore-no-knee = throughput still rises at { $up_to } in flight: { $figure }; no knee found
explore-one-limit = the same rate at every depth from 1 to { $up_to }: { $figure }; mean latency at depth 1 { $alone }
explore-limit-above-device = a throttle above the device is the limit: the device was idle meanwhile
explore-limit-serial = a throttle, or a device that serves one I/O at a time, is the limit
explore-cpu-limit = the CPU was the limit, not the device: { $figure } with { $in_flight } in flight from { $jobs ->
    [one] { $jobs } job
   *[other] { $jobs } jobs
}; the busiest thread used { $busy } of a CPU
explore-drifting = throughput was still drifting: { $figure } with { $in_flight } in flight, { $before } { $over } s earlier; no steady rate
explore-law-two-lines = throughput follows two straight lines: { $each } IOPS per I/O in flight up to { $meet }, then constant (prediction error { $lines_off }; contention model { $usl_off })
explore-law-contention = throughput follows the contention model (USL) with { $contention } of the time serialized (prediction error { $usl_off }; two straight lines { $lines_off })
explore-law-either = two models fit throughput equally well: two straight lines with { $each } IOPS per I/O in flight up to { $meet } (prediction error { $lines_off }), or contention (USL) with { $contention } of the time serialized (prediction error { $usl_off })
explore-law-peak = the model peaks at { $peak } in flight
explore-law-no-peak = the model has no peak up to { $up_to } in flight
explore-law-maximum = maximum { $figure }
explore-cap-iops = probably an IOPS cap of { $figure }: { $from } and { $to } blocks reach the same IOPS
explore-cap-bandwidth = probably a bandwidth cap of { $figure }, { $mib } MiB/s: { $from } and { $to } blocks reach the same bandwidth
explore-sign-same-bytes = without a cap, smaller blocks would lose bandwidth to the cost per I/O
explore-sign-idle-beneath = the device below was idle most of the time
explore-sign-regular = the rate is far more regular than at depth 1
explore-sign-longer-alone = the larger block takes longer at depth 1
explore-sign-quick-when-few = at low load an I/O completes faster than a serial device of this rate could

# Other questions
explore-crossover = the IOPS limit and the bandwidth limit meet at a block size of { $figure }: use blocks up to { $up_to } to test IOPS ({ $iops } IOPS), from { $from } to test bandwidth ({ $rate } MB/s), with { $in_flight } in flight
explore-same-iops = the same IOPS at every block size from { $from } to { $to }: { $figure } with { $in_flight } in flight; no bandwidth limit found
explore-same-bandwidth = the same bandwidth at every block size from { $from } to { $to }: { $figure } with { $in_flight } in flight; no IOPS limit found
explore-run-for = run for { $figure }: { $mean } s for the mean within +-{ $within } %, { $tail } s for p99 within +-{ $within_p99 } %, { $warm_up } s of warm-up
explore-run-for-mean = run for { $figure } for the mean within +-{ $within } %, { $warm_up } s of it warm-up; the time for p99 within +-{ $within_p99 } % is not known
explore-rate-steady = the rate was steady during the { $seen } s measured
explore-rate-drifts = the rate drifted during the { $seen } s measured, so no runtime is long enough
explore-rate-bursts = the rate came in bursts, one every { $every } s, during the { $seen } s measured
explore-rate-steps = the rate changed from one level to another during the { $seen } s measured
explore-jobs-faster = more jobs are faster: numjobs={ $jobs } reaches { $figure } times the IOPS of numjobs=1 with { $in_flight } in flight in total
explore-jobs-slower = more jobs are slower: numjobs={ $jobs } reaches { $figure } times the IOPS of numjobs=1 with { $in_flight } in flight in total
explore-jobs-same = numjobs makes no difference: numjobs={ $jobs } reaches { $figure } times the IOPS of numjobs=1 with { $in_flight } in flight in total
explore-jobs-unknown = no conclusion about numjobs: numjobs={ $jobs } reaches { $figure } times the IOPS of numjobs=1 with { $in_flight } in flight in total
explore-span-faster = a small region overstates performance: { $part } of { $whole } reach { $figure } times the IOPS of the whole
explore-span-slower = a small region is slower: { $part } of { $whole } reach { $figure } times the IOPS of the whole
explore-span-same = the size of the region makes no difference: { $part } of { $whole } reach { $figure } times the IOPS of the whole
explore-span-unknown = no conclusion about the size of the region: { $part } of { $whole } reach { $figure } times the IOPS of the whole
explore-targets-ratio = target 2 reaches { $figure } times the IOPS of target 1, with { $second } and { $first } in flight, measured alternately
explore-setting-faster = { $name }={ $value } is faster: { $figure } times the IOPS of { $name }={ $base }
explore-setting-slower = { $name }={ $value } is slower: { $figure } times the IOPS of { $name }={ $base }
explore-setting-same = { $name }={ $value } makes no difference: { $figure } times the IOPS of { $name }={ $base }
explore-setting-unknown = no conclusion about { $name }={ $value }: { $figure } times the IOPS of { $name }={ $base }
explore-changed-between = throughput changed between { $from_s } s and { $to_s } s of the study: { $before } before, then { $figure }
explore-changed-about = throughput changed about { $about_s } s into the study: { $before } before, then { $figure }
explore-rounds = { $rounds } rounds over { $over } s with { $in_flight } in flight: mean { $figure }
explore-rounds-differ = standard deviation between rounds { $deviation } ({ $low } to { $high }), expected from single rounds { $own }
explore-one-run-is-not-enough = one run is not representative: repeat it and report the spread
explore-one-run-is-enough = one run is representative within its interval
explore-goal-mean = mean
explore-goal-kept = { $name } latency stays at or below { $limit } up to { $figure }, { $share } of the maximum; arrivals are random, and latency counts from the time an I/O was due
explore-goal-latency = { $name } latency at about that rate { $value }, between { $low } and { $high }
explore-goal-interval = the interval begins at a rate shown to keep the goal and ends at one shown to miss it, or at the maximum
explore-goal-always-kept = { $name } latency stays at or below { $limit } even at the highest rate tried, { $figure }, { $share } of the maximum; arrivals are random, and beyond the maximum the queue grows without bound
explore-goal-never-kept = { $name } latency never stays at or below { $limit }: it is { $figure } with one I/O in flight, and more at { $lowest } IOPS, the lowest rate tried
explore-grid-best = iodepth={ $depth } numjobs={ $jobs } is the smallest load near the maximum of the grid: { $figure }

# What limits an answer
explore-caveat = caveat: { $caveat }
explore-caveat-drifts = throughput still changed by { $by } while it was measured
explore-caveat-noise = neighbouring depths differ by less than the noise
explore-caveat-pauses = the target paused for about { $each } every { $every }; the rate includes the pauses
explore-caveat-may-be-more = the maximum may be up to { $up } higher
explore-caveat-too-few = too few I/Os completed to know the rate
explore-caveat-wide = the confidence interval is as wide as +-{ $half }
explore-caveat-changed = the same load reached { $now } IOPS later in the study
explore-caveat-errors = { $failed } of { $all } I/Os failed and are not counted
explore-caveat-grade = some points have grade { $grade } only

# Points and loads
points-none = no points were measured
points-title = study of { $targets }: { $points }; { $spent } s
points-count = { $points ->
    [one] { $points } point
   *[other] { $points } points
}
points-count-unfinished = { $points ->
    [one] { $points } point
   *[other] { $points } points
}, not finished
points-whole-region = all
points-drifting = drifts
points-level-shift = level shift
points-time-limit = time up
points-interrupted = interrupted
points-point = point
points-question = question
points-target = target
points-region = region
points-mean-latency = mean lat
points-p99-latency = p99 lat
points-seconds = secs
points-jobs = jobs
points-grade = grade
points-note = note
points-load = load
points-mean = mean
points-latency = latency
study-other-target = { $target } is not the target of S{ $id }: { $why }
study-other-size = it had { $before } bytes and has { $now } now
study-other-file = another file has taken its place
study-other-disks = it was on { $before } and is on { $now } now
study-other-kind = it is another kind of target, or direct I/O is no longer possible
explore-hosts-share = { $hosts ->
    [one] { $hosts } host { $share } %
   *[other] { $hosts } hosts { $share } %
}
explore-hosts-enough = { $enough ->
    [one] { $enough } host suffices: it reaches
   *[other] { $enough } hosts suffice: they reach
} { $figure } times the IOPS of all { $all } hosts with the same { $in_flight } in flight in total
explore-hosts-all = all { $all } hosts are needed, and more might reach more: { $fewer ->
    [one] { $fewer } host reaches
   *[other] { $fewer } hosts reach
} { $figure } times their IOPS with the same { $in_flight } in flight in total
explore-hosts-others = share of the IOPS: { $shares }
explore-hosts-fairness = fairness of the hosts { $index } (1: all have the same IOPS)
explore-hosts-between = between { $fewest } and { $most } hosts may be needed: the intervals of the shares contain 95 %
explore-hosts-uneven = { $slowest } is the slowest with { $low }, { $fastest } has { $high }
