card-title = { $jobs ->
        [one] { $jobs } задание
        [few] { $jobs } задания
        [many] { $jobs } заданий
       *[other] { $jobs } задания
    }, { $seconds } s; { $place }
card-title-ended-by-signal = { $jobs ->
        [one] { $jobs } задание
        [few] { $jobs } задания
        [many] { $jobs } заданий
       *[other] { $jobs } задания
    }, { $seconds } s, прервано сигналом { $signal }; { $place }
card-place-none = файлы и устройства не использовались
card-place-several = { $first } и ещё { $more ->
        [one] { $more } цель
        [few] { $more } цели
        [many] { $more } целей
       *[other] { $more } цели
    }
stack-unknown = стек хранения неизвестен: блочное устройство не найдено
card-column-queue-depth = глубина очереди
card-depth = { $reached } из { $asked }
direction-read = чтение
direction-write = запись
direction-trim = TRIM
row-commit = фиксация
row-sync = синхронизация
card-row-all = все цели
card-label-failed = ошибка
card-damaged = { $job }: в { $bad } из { $blocks } проверенных блоков не то, что было записано ({ $kinds })
card-label-commit = фиксация
card-label-layers = слои
card-label-trust = доверие
card-label-note = примечание
card-label-not-measured = не измерено
card-label-offsets = смещения
card-touched = затронуто { $part } области
card-touched-expected = затронуто { $part } области (ожидаемая доля для независимых случайных смещений)
card-touched-at-most = затронуто не более { $part } области
card-offsets-uniform = равномерны (хи-квадрат p { $chance }, выборка { $samples })
card-more-jobs-offsets = ещё { $n ->
        [one] { $n } задание
        [few] { $n } задания
        [many] { $n } заданий
       *[other] { $n } задания
    }: см. --json
card-more-rows = ещё { $n ->
        [one] { $n } строка
        [few] { $n } строки
        [many] { $n } строк
       *[other] { $n } строки
    }: см. --json
card-more-failed-jobs = ошибка ещё в { $n ->
        [one] { $n } задании
        [few] { $n } заданиях
        [many] { $n } заданиях
       *[other] { $n } задания
    }: см. --json
card-more-findings = ещё { $n ->
        [one] { $n } вывод
        [few] { $n } вывода
        [many] { $n } выводов
       *[other] { $n } вывода
    }: см. --json
card-more-notes = ещё { $n ->
        [one] { $n } примечание
        [few] { $n } примечания
        [many] { $n } примечаний
       *[other] { $n } примечания
    }: см. --json
card-commit-meaning = фиксация — это записи после предыдущей синхронизации и сама синхронизация ({ $sync }); задержка считается от отправки первой записи до конца синхронизации; в столбце IOPS — число фиксаций в секунду
card-commit-queued = если в очереди несколько операций, синхронизация не охватывает записи, не завершённые к её началу
card-not-measured-storage = хранилище: файлы и устройства не использовались, измерен только генератор нагрузки
card-not-measured-later-writes = запись дольше { $seconds } s
card-not-measured-later = производительность за пределами { $seconds } s
card-not-measured-rest = не менее { $left } цели
card-not-measured-full-device = заполненное устройство
layers-all-agree = приложение = { $layers }: прочитано { $read }, записано { $written }
layers-one-direction = { $way }: приложение { $app }
layers-including-file-system-writes = { $chain } (в том числе { $more } — журнал, метаданные и другие процессы)
layers-process = процесс
layers-devices = { $n ->
        [one] { $n } устройство
        [few] { $n } устройства
        [many] { $n } устройств
       *[other] { $n } устройства
    }
layers-page-cache-hits = попадания в страничный кэш { $share }
layers-cached-or-holes = прочитано из страничного кэша или дыр { $share }
layers-no-holes = дыр нет
layers-holes = дыры { $n }
layers-server-time = { $name }: сеть и сервер { $trip } из { $all }
layers-server-operation = { $name } { $n }: в среднем { $all }, из них { $waiting } до отправки и { $trip } сеть и сервер
layers-server-bytes = сервер послал { $sent }, получил { $received }
layers-tcp-segments = сегментов послано { $sent }, повторно { $repeated } (вся машина)
layers-connections = соединений { $n }, сегментов отправлено { $sent }, повторно { $repeated }, получено не по порядку { $late }, время оборота { $trip }
layers-reconnects = установлено заново { $n }
layers-queue-depth = глубина очереди { $reached } (движок I/O допускает { $asked })
layers-busiest-thread = самый занятый поток: { $busy } CPU
layers-column-layer = слой
layers-column-ios = операции
layers-column-bytes = объём
layers-column-app-ios-per-io = операций приложения на одну
layers-column-merges = слияния
layers-column-queue-depth = глубина очереди
layers-row-application = приложение
layers-row-system-calls = системные вызовы чтения и записи
layers-row-block-layer = от процесса к блочному уровню
layers-row-page-cache = цель в страничном кэше
layers-cell-used = занято { $used }
layers-row-file-system-writes = журнал, метаданные, другие процессы
layers-row-member-writes = зеркала, чётность, прочий ввод-вывод
layers-label-host = система{"  "}
layers-cpu-quota = квота CPU останавливала группу { $times ->
        [one] { $times } раз
        [few] { $times } раза
        [many] { $times } раз
       *[other] { $times } раза
    } ({ $stopped })
layers-cpu-pressure = задачи простаивали в ожидании CPU { $waited } времени (PSI)
layers-io-pressure = задачи простаивали в ожидании I/O { $waited } времени (PSI)
