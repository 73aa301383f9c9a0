live-measuring = { $pattern }: { $way }, глубина { $depth }
live-filling = заполняется временный файл
live-asking = { $question } ({ $pattern }) на { $target }, осталось { $left_s } s
live-preparing = { $what } подготовка: записано { $done } из { $total } MiB
live-status-line = { $spent } s, осталось { $left } s
