compare-unequal = unequal
compare-note = note
compare-load = load
compare-metric = metric
compare-interval = interval
compare-verdict = verdict
compare-sides = {"*"}*A** { $a }, **B** { $b }
compare-same-run = A and B are the same run: there is nothing to compare
compare-shared-runs = { $shared ->
    [one] { $shared } run is on both sides; the intervals treat it as two different runs
   *[other] { $shared } runs are on both sides; the intervals treat them as different runs
}
compare-refused = { $a } (A) and { $b } (B) were not measured under equal conditions: { $why }; --anyway compares them nevertheless
compare-slower-than-bound = { $b } is more than { $bound } % slower than { $a }: { $list }
compare-bound-unknown = cannot tell whether { $b } is more than { $bound } % slower than { $a }: { $list }
compare-repeats = { $a } runs of A, { $b } runs of B
compare-mean = mean
compare-same = no difference
compare-unknown = cannot tell
compare-faster = B is faster
compare-slower = B is slower
compare-less = B uses less
compare-more = B uses more
compare-no-interval = no confidence interval; give several runs of each side: A1,A2,A3 B1,B2,B3
compare-too-few = too few independent I/Os; run longer
compare-more-runs = runs of one target differ by more than this; about { $each } runs of each side are needed
compare-longer-runs = the confidence interval is too wide; runs about { $times } times as long are needed
compare-never-known = runs like these cannot tell, and ten times as many cannot either
compare-no-intervals = No confidence interval is known: the table shows ratios only.
compare-judged-together = { $n ->
    [one] { $n } metric was judged
   *[other] { $n } metrics were judged together (Holm)
}: at least { $sure } % of comparisons of equal targets show no difference. A change below 5 % counts as no difference.
compare-runs-assumed-to-differ = Assumption: runs of one target differ by { $percent } % (standard deviation, default); repeated runs (A1,A2,A3 B1,B2,B3) measure it.
compare-runs-differ = Runs of one target differ by { $percent } % in their rate (standard deviation, from the repeated runs and { $n ->
    [one] { $n } other stored run
   *[other] { $n } other stored runs
}).
compare-only-in = Only in { $letter }: { $list }
compare-nothing-in-common = A and B have no load in common. { $list }
compare-different-loads = different loads: { $list }
compare-direct = { $past } bypassed the page cache (direct=1), { $through } used it
compare-not-the-device = { $side } did not measure the device: { $why }
compare-never-written = { $side } read ranges that were never written: { $why }
compare-cpu-limit = { $side } was limited by the CPU: { $why }
compare-different-regions = different regions: { $list }
compare-different-engines = different I/O engines: { $list }
compare-different-kernels = different kernels: { $list }
compare-different-hosts = different hosts: { $list }
compare-different-programs = measured by different programs: { $list }
compare-different-stacks = different storage stacks: { $list }
compare-different-targets = different targets: { $list }
compare-grade = { $side } has grade { $grade } ({ $rules })
compare-takes = fathom compare takes stored results (R7, S12), files of fathom export --json, and fio's JSON
compare-targets = { $path } is { $kind ->
    [device] a device
   *[directory] a directory without results
}. { compare-takes }. To compare targets, measure each (fathom { $path }), then compare the results (fathom compare R1 R2); or measure two alternately: fathom explore A B
compare-answer = { $name } is an answer of fathom { $command }, which has no figures to compare. { compare-takes } of runs, checks and studies; fathom show { $name } prints the answer
compare-zeros = { $side } read blocks of zeros: { $why }
