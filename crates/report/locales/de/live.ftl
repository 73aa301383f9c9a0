live-measuring = { $pattern } { $way }, Tiefe { $depth }
live-filling = Testdatei wird gefüllt
live-asking = { $question } ({ $pattern }) auf { $target }, noch { $left_s } s
live-preparing = { $what } Vorbereitung: { $done } von { $total } MiB geschrieben
live-status-line = { $spent } s, noch { $left } s
