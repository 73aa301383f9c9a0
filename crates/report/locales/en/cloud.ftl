cloud-kept = kept
cloud-likely-kept = likely kept
cloud-not-sure = not sure
cloud-likely-not-kept = likely not kept
cloud-not-kept = not kept
cloud-reason-at = { $reads } reach { $found }, { $share } of the limit of { $limit }; binding limit: { $binding }
cloud-reason-burst = { $reads } reach { $found }, a burst above the base limit of { $limit }; { $until }
cloud-burst-end = the base limit shows after { $time } from a full bucket
cloud-burst-unknown-end = the tables have no duration for the burst
cloud-reason-above = { $reads } reach { $found }, { $share } of the limit of { $limit }: a cache, a burst that the tables do not have, or an outdated row
cloud-reason-below = { $reads } reach { $found }, { $share } of the limit of { $limit }; binding limit: { $binding }
cloud-reason-unclear = { $reads } reach { $found } ({ $between }), { $share } of the limit of { $limit }: too unsteady or too close to a bound; measure longer with --seconds
cloud-nothing = nothing was measured
cloud-failed = the job failed: { $error }
cloud-failed-later = the job failed: { $error }; the patterns below were measured before
cloud-only-likely = only likely, for the row is unconfirmed or has no date
cloud-between = { $low } to { $high }
cloud-random-reads = { $size } random reads
cloud-sequential-reads = { $size } sequential reads
cloud-binds-volume-iops = IOPS of the volume
cloud-binds-volume-throughput = throughput of the volume
cloud-binds-instance-iops = IOPS of the instance
cloud-binds-instance-throughput = throughput of the instance
cloud-binds-depth = queue depth and latency (more requests in flight would give more)
cloud-binds-cpu = CPU of the measuring machine
cloud-binds-lower = a limit below the promised one (requests wait longer and do not get faster)
cloud-column-limit = limit
cloud-column-row = source
cloud-column-pattern = pattern
cloud-column-depth = depth
cloud-column-measured = measured
cloud-column-interval = 95 % interval
cloud-column-share = of limit
cloud-column-type = type
cloud-column-size = size
cloud-volume = volume
cloud-volume-reads = volume, reads
cloud-volume-writes = volume, writes
cloud-volume-burst = volume, burst
cloud-instance = instance
cloud-instance-burst = instance, burst
cloud-confirmed = confirmed
cloud-derived = derived
cloud-unconfirmed = unconfirmed
cloud-no-date = no date
cloud-label-crossover = crossover
cloud-label-depth = depth
cloud-label-burst = burst
cloud-label-duration = test length
cloud-label-counts = accounting
cloud-label-instance = instance
cloud-label-source = source
cloud-label-known = recognised
cloud-label-trust = trust
cloud-label-caveat = caveat
cloud-crossover = IOPS limit up to { $size } per I/O, throughput limit above
cloud-depth-assumed = { $depth ->
        [one] { $depth } I/O in flight reaches
       *[other] { $depth } I/Os in flight reach
    } the IOPS limit, if each takes { $latency } (assumed)
cloud-depth-stated = { $depth ->
        [one] { $depth } I/O in flight reaches
       *[other] { $depth } I/Os in flight reach
    } the IOPS limit at the provider's { $latency } each
cloud-depth-measured = { $depth ->
        [one] { $depth } I/O in flight reaches
       *[other] { $depth } I/Os in flight reach
    } the IOPS limit (alone: { $latency } each)
cloud-burst-credits = lasts { $time } from a full bucket; an idle volume fills it in { $refill }
cloud-burst-on-demand = only if it was ordered; no time limit
cloud-burst-unstated = the provider states no duration
cloud-duration = longer than { $time }, or a full bucket hides the base limits
cloud-duration-any = any length shows the limits: no burst credits
cloud-counts = a request counts as one I/O per started { $size }
cloud-counts-whole = each request counts as at least { $size }
cloud-slices = each slice of 100 ms gets a tenth of the limit
cloud-instance-missing = not in the tables, so its limits are left out; figures: { $source }
cloud-instance-unknown = not known; its limits may be lower (--instance)
cloud-known-firmware = { $value } by the firmware
cloud-known-disk = { $value } by the disk
cloud-known-metadata = { $value } by the metadata service
cloud-size-range = { $least } to { $most } { $unit }
cloud-list-end = Date: source read. fathom cloud --list --provider NAME lists sizes; --type TYPE computes limits
cloud-list-type-end = fathom cloud --type TYPE --size N computes the limits
cloud-error-no-provider = the machine names no known cloud provider; give --provider and --type (fathom cloud --list)
cloud-error-no-type = the machine does not tell the volume type; give --type or --metadata. Types of { $provider }: { $types }
cloud-error-provider = no provider { $name } in the tables; did you mean { $near }?
cloud-error-type = no volume type { $name } in the tables; did you mean { $near }?
cloud-error-type-of = { $provider } has no volume type { $name }; did you mean { $near }?
cloud-error-type-unlike = no volume type { $name } in the tables; fathom cloud --list lists them
cloud-error-ambiguous = several providers have a type { $name }; give --provider, one of { $providers }
cloud-error-no-size = the limits of { $kind } depend on the size; give --size, e.g. --size 500
cloud-error-size = the size of { $kind } is { $least } to { $most } { $unit }
cloud-error-not-ordered = { $kind } has nothing to set with { $option }; leave it out
cloud-error-not-ordered-but = { $kind } has nothing to set with { $option }; types that have: { $types }
cloud-error-order-missing = { $kind } needs { $option }: { $least } to { $most } { $unit } at this size
cloud-error-order = { $option } of { $kind } is { $least } to { $most } { $unit } at this size and IOPS
cloud-error-instance = no instance { $name } in the tables; without --instance the limits of the volume are computed. Figures: { $source }
cloud-error-instance-near = no instance { $name } in the tables; did you mean { $near }? The tables have { $known }. Figures of others: { $source }
cloud-error-no-figures = the tables have no figures for { $kind }
cloud-error-local = this is a local disk of the host, not a volume: no limits of the tables apply; use fathom DEVICE
cloud-live = { $size } reads at depth { $depth }
cloud-error-order-iops = { $option } of { $kind } is { $least } to { $most } at this size
cloud-error-provider-unlike = no provider { $name } in the tables; providers: { $known }
cloud-no-crossover = none: at every block size the limit is { $binding }
cloud-reason-short = { $reads } reach { $found }, { $share } of the limit of { $limit }, in a run too short for a 95 % interval; measure longer with --seconds
cloud-random-writes = { $size } random writes
cloud-sequential-writes = { $size } sequential writes
cloud-mixed = { $size } random, 50 % writes
cloud-live-writes = { $size } writes at depth { $depth }
cloud-live-mixed = { $size } reads and writes at depth { $depth }
cloud-volumes = { $volumes } volumes
cloud-volume-pooled = all volumes
cloud-instance-reads = instance, reads
cloud-instance-writes = instance, writes
cloud-label-sharing = sharing
cloud-label-volumes = volumes
cloud-label-writes = writes
cloud-sharing-joint = reads and writes share the limits
cloud-sharing-apart = reads and writes have limits of their own
cloud-sharing-weighted = reads and writes share one resource: the mean of both limits by their shares
cloud-sharing-measured = measured: { $found }; by the tables: { $stated }
cloud-sharing-measured-only = measured: { $found }; the tables do not say it
cloud-volumes-both = the instance limits their IOPS from { $iops ->
        [one] { $iops } volume
       *[other] { $iops } volumes
    } on, their throughput from { $rate }
cloud-volumes-iops = the instance limits their IOPS from { $iops ->
        [one] { $iops } volume
       *[other] { $iops } volumes
    } on
cloud-volumes-throughput = the instance limits their throughput from { $rate ->
        [one] { $rate } volume
       *[other] { $rate } volumes
    } on
cloud-volumes-pooled = one limit applies to all volumes of the type, by the sum of their sizes
cloud-writes-consent = not measured; --allow-destroy { $target } permits them and destroys its data
cloud-writes-budget = not measured: too little is left of the budget of writes, or the measurement was ended
cloud-allowed-burst = { $lower } of { $higher } { $unit } ({ $burst } for up to { $time })
cloud-conclusion-instance = the instance binds: of the volume's limits, { $name } allows { $parts }
cloud-conclusion-instance-of-several = the instance binds: of the limits of all { $volumes } volumes together, { $name } allows { $parts }
cloud-conclusion-volume = the volume binds: of the limits of { $name }, it allows { $parts }
cloud-conclusion-volumes = the volumes bind: of the limits of { $name }, all { $volumes } volumes together allow { $parts }
cloud-allowed = { $lower } of { $higher } { $unit }
cloud-allowed-burst-capped = { $lower } of { $higher } { $unit } (all { $higher } for up to { $time }: its burst is { $burst })
cloud-error-instance-known = no instance { $name } in the tables, which have { $known }; without --instance the limits of the volume are computed. Figures of others: { $source }
cloud-error-tier = --type { $tier } is a disk of { $least } to { $most } GiB, and --size { $size } is one of type { $own }: leave out one of the two
cloud-error-tier-none = --type { $tier } is a disk of { $least } to { $most } GiB, and --size { $size } is larger than every tier: leave out --size
