prefill-file = file of { $size }
prefill-scratch-file = scratch file of { $size }
prefill-device = device of { $size }
prefill-part-of = { $what }, of which { $length } from offset { $offset }
prefill-found = found
prefill-filled = filled
prefill-note = note
prefill-question = { $share } of { $target } was never written ({ $parts }): reads of these ranges do not reach the disk.{"\u000A"}Filling writes { $noise } of random data where reads return zeros now ({ $takes }). Fill it? [y/N]{" "}
prefill-question-before-read = { $share } of { $of } was never written: reads of these ranges do not reach the disk.{"\u000A"}Fill them now with { $noise } of random data ({ $takes })? [y/N]{" "}
prefill-files = { $files } files ({ $first }, ...)
prefill-duration = { $takes } s at 500 MB/s
prefill-holes = { $holes } in holes
prefill-unwritten = { $unwritten } in unwritten extents
prefill-zeros = { $zeros } written as zeros
prefill-sampled = { $zero } of { $of } sampled blocks contain only zeros
prefill-all-written = every range was written; { $sampled }
prefill-never-written = { $share } never written: { $parts }; { $pieces ->
    [one] { $pieces } range
   *[other] { $pieces } ranges
}
prefill-nothing-to-fill = nothing: every range holds data
prefill-already-filled = nothing: fathom filled it before
prefill-declined = nothing: the answer was no
prefill-interrupted = { $written } of { $asked }; a signal ended it, so it is not remembered as filled
prefill-filled-in = { $written } of random data in { $took } s
prefill-filled-at = { $written } of random data in { $took } s, { $rate } MB/s
prefill-through-page-cache = written through the page cache
prefill-recorded-in = recorded in { $place }
