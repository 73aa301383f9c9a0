live-measuring = { $pattern } { $way }, depth { $depth }
live-filling = writing the scratch file
live-asking = { $target }: measuring { $question } of { $pattern }, { $left_s } s left
live-preparing = { $what }: writing files before the run, { $done } of { $total } MiB
live-elapsed-and-left = { $spent } s elapsed, { $left } s left
