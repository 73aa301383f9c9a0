compare-unequal = условия
compare-note = заметка
compare-load = нагрузка
compare-metric = показатель
compare-interval = интервал
compare-verdict = вывод
compare-sides = {"*"}*A** { $a }, **B** { $b }
compare-same-run = A и B — один и тот же запуск: сравнивать нечего
compare-shared-runs = { $shared ->
    [one] { $shared } запуск входит в обе стороны
    [few] { $shared } запуска входят в обе стороны
   *[other] { $shared } запусков входят в обе стороны
}; интервалы считают их разными запусками
compare-refused = { $a } (A) и { $b } (B) измерены в неравных условиях: { $why }; --anyway всё равно сравнит их
compare-slower-than-bound = { $b } медленнее { $a } более чем на { $bound } %: { $list }
compare-bound-unknown = нельзя сказать, медленнее ли { $b }, чем { $a }, более чем на { $bound } %: { $list }
compare-repeats = запусков A: { $a }, запусков B: { $b }
compare-mean = среднее
compare-same = различия нет
compare-unknown = сказать нельзя
compare-faster = B быстрее
compare-slower = B медленнее
compare-less = B тратит меньше
compare-more = B тратит больше
compare-no-interval = нет доверительного интервала; укажите несколько запусков с каждой стороны: A1,A2,A3 B1,B2,B3
compare-too-few = слишком мало независимых I/O; увеличьте длительность
compare-more-runs = запуски одной цели различаются сильнее; нужно около { $each } запусков с каждой стороны
compare-longer-runs = доверительный интервал слишком широк; нужны запуски примерно в { $times } раза длиннее
compare-never-known = по таким запускам сказать нельзя, даже если их в десять раз больше
compare-no-intervals = Доверительные интервалы неизвестны: в таблице только отношения.
compare-judged-together = { $n ->
    [one] Проверен { $n } показатель
    [few] Вместе проверены { $n } показателя (Холм)
   *[other] Вместе проверено { $n } показателей (Холм)
}: не менее { $sure } % сравнений одинаковых целей не показывают различия. Изменение менее 5 % различием не считается.
compare-runs-assumed-to-differ = Допущение: запуски одной цели различаются на { $percent } % (стандартное отклонение, по умолчанию); повторные запуски (A1,A2,A3 B1,B2,B3) его измеряют.
compare-runs-differ = Запуски одной цели различаются по скорости на { $percent } % (стандартное отклонение по повторным запускам и ещё { $n ->
    [one] { $n } сохранённому запуску
   *[other] { $n } сохранённым запускам
}).
compare-only-in = Только в { $letter }: { $list }
compare-nothing-in-common = У A и B нет общих нагрузок. { $list }
compare-different-loads = разные нагрузки: { $list }
compare-direct = { $past } обходил страничный кэш (direct=1), { $through } его использовал
compare-not-the-device = { $side } измерил не само устройство: { $why }
compare-never-written = { $side } читал никогда не записанные области: { $why }
compare-cpu-limit = { $side } ограничен процессором: { $why }
compare-different-regions = разные области: { $list }
compare-different-engines = разные механизмы I/O: { $list }
compare-different-kernels = разные ядра: { $list }
compare-different-hosts = разные хосты: { $list }
compare-different-programs = измерено разными программами: { $list }
compare-different-stacks = разные стеки хранения: { $list }
compare-different-targets = разные цели: { $list }
compare-grade = оценка { $side }: { $grade } ({ $rules })
compare-takes = fathom compare принимает сохранённые результаты (R7, S12), файлы fathom export --json и JSON от fio
compare-targets = { $path } — { $kind ->
    [device] устройство
   *[directory] каталог без результатов
}. { compare-takes }. Чтобы сравнить цели, измерьте каждую (fathom { $path }), затем сравните результаты (fathom compare R1 R2); или измерьте две попеременно: fathom explore A B
compare-answer = { $name } — ответ команды fathom { $command }, в нём нет величин для сравнения. { compare-takes } с прогонами, проверками и исследованиями; fathom show { $name } показывает ответ
compare-zeros = { $side } читал блоки из нулей: { $why }
