quick-no-rows = результата нет: ни один вид доступа не измерен
quick-scratch-file = временный файл, { $size } (удалён)
quick-scratch-objects = временные объекты на сервере, { $size } (удалены)
quick-file = файл, { $size } (только чтение)
quick-server = том или файл на сервере, { $size } (только чтение)
quick-device = устройство, { $size } (только чтение)
quick-pattern-random = случайный
quick-pattern-durable = с фиксацией
quick-pattern-sequential = последов.
quick-column-pattern = доступ
quick-column-depth = глуб.
quick-column-reached = факт.
quick-label-failed = ошибка
quick-failed-row = { $way }, { $pattern }, глубина { $depth }: { $error }
quick-cell-failed = ошибка
quick-not-measured-sustained-writes = длительная запись
quick-not-measured-full-device = заполненное устройство
quick-not-measured-beyond-scratch = область за пределами временного файла
quick-not-measured-writes = запись (эта цель только читалась)
quick-not-measured-busy-or-full = загруженное или заполненное устройство
quick-label-layers = слои
quick-label-latency = задержка
quick-dependent-reads = 1000 чтений одно за другим займут { $took }
quick-label-not-measured = не измерено
quick-label-trust = доверие
quick-label-caveat = оговорка
quick-more-caveats = { $text } (ещё { $hidden ->
        [one] { $hidden } оговорка
        [few] { $hidden } оговорки
        [many] { $hidden } оговорок
       *[other] { $hidden } оговорки
    }: см. --json)
quick-iops-intervals = 95 % доверительные интервалы IOPS: { $rows }
