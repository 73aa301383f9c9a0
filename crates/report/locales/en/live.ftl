live-measuring = { $pattern } { $way }, depth { $depth }
live-filling = filling the scratch file
live-asking = { $question } of { $pattern } on { $target }, { $left_s } s left
live-preparing = { $what } preparing: { $done } of { $total } MiB written
live-status-line = { $spent } s, { $left } s left
