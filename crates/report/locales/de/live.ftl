live-measuring = { $way }, { $pattern }, Tiefe { $depth }
live-filling = Testdatei wird geschrieben
live-asking = { $target }: Messung { $question } ({ $pattern }), noch { $left_s } s
live-preparing = { $what }: Dateien werden vor dem Lauf geschrieben, { $done } von { $total } MiB
live-elapsed-and-left = { $spent } s vergangen, noch { $left } s
