live-measuring = { $way }, { $pattern }, глубина { $depth }
live-filling = запись временного файла
live-asking = { $target }: измеряется { $question } ({ $pattern }), осталось { $left_s } s
live-preparing = { $what }: запись файлов перед запуском, { $done } из { $total } MiB
live-elapsed-and-left = прошло { $spent } s, осталось { $left } s
