grade-trusted = проблем не найдено
grade-caveats = с оговорками
grade-conditions = только при условиях, указанных ниже
grade-not-the-device = измерено не устройство
finding-rule-memory = память
finding-rule-errors = ошибки
finding-rule-end = конец
finding-rule-stopped = остановка
finding-rule-size = размер
finding-rule-network = сеть
finding-page-cache = { $served } из прочитанных { $read } поступило из страничного кэша, а не с устройства
finding-page-cache-fits-memory = { $served } из прочитанных { $read } поступило из страничного кэша, а не с устройства: { $data } данных помещаются в { $memory } памяти
finding-writes-cached = к концу прогона до устройства дошло лишь { $there } из записанных { $written }: остальное осталось в страничном кэше
finding-writes-returned-early = медианная задержка записи { $half } — это задержка страничного кэша: на { $device } запись занимала { $at_device }
finding-cache-below-write = { $upper } принял { $above } записи, но до { $lower } под ним дошло лишь { $below }: остальное принял промежуточный кэш
finding-cache-below-read = { $upper } выдал { $above } чтения, но с { $lower } под ним поступило лишь { $below }: остальное отдал промежуточный кэш
finding-above-link = измеренные { $seen } превышают пропускную способность канала к { $device } ({ $ceiling }): часть операций выполнил кэш
finding-too-fast-for-rotational = медианная задержка случайного чтения { $p50 } слишком мала для жёсткого диска { $device }: данные отдал кэш
finding-tiny-span-passes = область { $span } пройдена { $passes ->
        [one] { $passes } раз
        [few] { $passes } раза
        [many] { $passes } раз
       *[other] { $passes } раза
    }: она может поместиться в кэш накопителя
finding-tiny-span-random = случайный доступ охватывал лишь { $span }: всё это помещается в страничный кэш
finding-no-queue = движок { $engine } держит только одну операцию в очереди: iodepth={ $asked } не подействовал
finding-no-queue-reached = движок { $engine } держит только одну операцию в очереди: iodepth={ $asked } не подействовал (средняя глубина очереди { $reached })
finding-blocking-submit-buffered = без direct=1 движок { $engine } блокируется в вызове отправки
finding-blocking-submit-buffered-measured = без direct=1 движок { $engine } блокируется в вызове отправки: средняя глубина очереди { $reached } из { $asked }, { $call } задержки приходится на этот вызов
finding-blocking-submit-direct = вызов отправки блокировался
finding-blocking-submit-direct-measured = вызов отправки блокировался: средняя глубина очереди { $reached } из { $asked }, { $call } задержки приходится на этот вызов
finding-shallow = средняя глубина очереди составила { $reached } вместо { $asked } (iodepth x numjobs)
finding-started-late = устройство не успевало за трассой: { $late } запросов начались позже срока более чем на { $limit } (p99 опоздания { $p99 })
finding-think-time = паузы (thinktime) не дают очереди заполниться: iodepth={ $asked }, но перед каждой паузой очередь пустеет
finding-think-time-blocks = паузы (thinktime) не дают очереди заполниться: она пустеет после каждых { $blocks } операций при iodepth={ $asked }
finding-think-time-reached = паузы (thinktime) не дают очереди заполниться: средняя глубина очереди { $reached } из { $asked }, включая паузы
finding-never-written = { $part } файла { $path } ({ $missing }) никогда не записывалось: чтение возвращает нули без обращения к устройству
finding-zeros = в { $path } только из нулей состоят { $zero } из { $sampled } проверенных блоков: накопитель может отдавать такие блоки, не читая носитель
finding-compressible = { $smaller } записанных данных поддаётся сжатию: накопитель со сжатием запишет меньше
finding-compressible-layer = { $layer } сжимает данные, а { $smaller } записанного поддаётся сжатию: до устройства доходит меньше
finding-step-down-write = через { $at_s } s и { $until } скорость записи упала с { $before } до { $after }: кэш записи заполнился или кредит на пиковую нагрузку исчерпан
finding-rate-dropped = через { $at_s } s скорость упала с { $before } до { $during } IOPS на { $seconds } s
finding-rate-dropped-end = через { $at_s } s скорость упала с { $before } до { $during } IOPS до конца прогона
finding-rate-dropped-stop = через { $at_s } s скорость упала с { $before } до { $during } IOPS, и прогон завершён (--stop-on-drop)
finding-step-down-read = через { $at_s } s и { $until } скорость упала с { $before } до { $after }: кредит на пиковую нагрузку исчерпан или кэш перестал отдавать данные
finding-unsteady = нет установившегося режима: за прогон скорость сместилась на { $slope } и колебалась в пределах { $range }
finding-write-back-cache = медианная задержка случайной записи { $p50 } слишком мала для жёсткого диска { $device }: запись подтверждал кэш с отложенной записью
finding-too-short-rate-uncertain = за { $seconds } s средняя скорость известна лишь с точностью до { $half } в обе стороны
finding-too-short-few-ios = { $ios ->
        [one] { $ios } операции
        [few] { $ios } операций
        [many] { $ios } операций
       *[other] { $ios } операции
    } за { $seconds } s мало для p99: выше него { $above ->
        [0] нет ни одной
       *[other] только { $above }
    }
finding-too-short-no-interval = { $seconds } s слишком мало, чтобы оценить разброс скорости
finding-size-ran-out = задание завершилось через { $ran_s } s из { $asked_s } s: весь его объём передан
finding-short-stroke = случайный доступ охватывал лишь { $span } из { $capacity } ({ $part }), по { $each } на операцию: головки почти не двигались
finding-overlap = последовательные задания ({ $clones }) прошли одну и ту же область: засчитано { $counted }, различны { $distinct }
finding-repeated = каждый блок прошёл через страничный кэш в среднем { $times } раза, а повторные чтения он отдаёт из памяти
finding-uneven-offsets = случайные смещения не равномерны: { $ios } операций пришлись на { $part } области (выборка { $samples }, хи-квадрат p { $chance })
finding-generator = поток задания занимал { $busy } одного CPU: пределом был процессор, а не устройство
finding-cpu-quota = квота CPU (cpu.max) останавливала fathom на { $stopped }
finding-cpu-steal = гипервизор отдал { $stolen } процессорного времени другим гостям (steal)
finding-cpu-contention = поток задания { $part } времени прогона ждал свободного CPU, и это ожидание входит в задержку
finding-cpus-busy = задачи { $part } времени измерения ждали свободного CPU: размеры и задержки могут быть неверны
finding-stopped = fathom был остановлен на { $stopped }, это { $part } прогона (SIGSTOP, Ctrl+Z, замороженная контрольная группа или приостановленная виртуальная машина), и это время вошло в результаты
finding-filling-buffers = поток задания тратил { $part } времени на подготовку записываемых данных
finding-far-node = { $device } подключён к узлу NUMA { $node }, а задание работало на другом узле
finding-slowed-by-heat = { $device } замедлялось из-за температуры (раз: { $times }), по своему счёту { $seconds } с
finding-hot = { $device } было у порога предупреждения температуры { $minutes } мин
finding-slow-link = канал к { $device } работает на { $now }, хотя поддерживает { $most }
finding-misaligned = { $device } не выровнен по нижележащим блокам в { $block }: каждая операция затрагивает два блока
finding-misaligned-partition = { $device } начинается с сектора { $start_sector }, что не кратно { $block }: каждая операция затрагивает два нижележащих блока
finding-partial-sector = записи по { $block } меньше секторов { $device } ({ $sector }): устройство читает, изменяет и записывает сектор целиком
finding-split = каждая операция в { $block } разбивалась на { $device } на { $ratio }: IOPS устройства в { $ratio } раза больше IOPS задания
finding-split-largest = каждая операция в { $block } разбивалась на { $device } на { $ratio } (за один раз не больше { $most }): IOPS устройства в { $ratio } раза больше IOPS задания
finding-merged = по { $ratio } операции в { $block } сливались на { $device } в одну: IOPS задания — это не IOPS устройства
finding-busy-is-not-full = { $device } был занят { $busy } времени при { $at_once } параллельных запросах: одна только загрузка не доказывает насыщения
finding-idle-while-waiting = в очереди было { $in_flight } операции, а { $device } был занят лишь { $busy } времени: операции задерживались выше устройства
finding-no-busy-time = { $device } не ведёт учёт времени занятости: его util ничего не значит
finding-mean-hides = среднее { $mean } не показательно: медиана { $p50 }, максимум { $most }
finding-stall = одна операция заняла { $longest }: при такой скорости за это время должно было поступить { $missed } запросов (coordinated omission)
finding-pauses = { $count ->
        [one] { $count } пауза
        [few] { $count } паузы
        [many] { $count } пауз
       *[other] { $count } паузы
    } без единого завершения: самая долгая { $longest }, всего { $part } прогона
finding-pauses-periodic = { $count ->
        [one] { $count } пауза
        [few] { $count } паузы
        [many] { $count } пауз
       *[other] { $count } паузы
    } без единого завершения, с интервалом { $every }: самая долгая { $longest }, всего { $part } прогона
finding-pauses-cpu-busy = { $pauses }; потоки заданий также ждали CPU, но причина не обязательно в этом
finding-pauses-pattern = { $pattern }: { $count ->
        [one] { $count } пауза
        [few] { $count } паузы
        [many] { $count } пауз
       *[other] { $count } паузы
    } без единого завершения: самая долгая { $longest }, всего { $part } из { $seconds } этого шаблона
finding-other-load = { $device } прочитал { $read } и записал { $written }, из них на этот прогон приходится { $our_read } и { $our_written }: устройством пользовался другой процесс
finding-other-load-or-file-system = { $device } прочитал { $read } и записал { $written }, из них на этот прогон приходится { $our_read } и { $our_written }: устройством пользовался другой процесс или сама файловая система
finding-rebuilding = во время теста { $device } выполнял фоновую операцию ({ $action })
finding-cap-server = измеренные { $seen } совпадают с ограничением сервера для { $device } ({ $limit })
finding-cap = измеренные { $seen } совпадают с лимитом контрольной группы для { $device } ({ $limit })
finding-bursts = { $waited } операций заняли около { $wait } при медиане { $half }: вероятно, действует лимит { $iops } IOPS, пропускающий операции пачками
finding-bursts-every = { $waited } операций заняли около { $wait } при медиане { $half }: вероятно, действует лимит { $iops } IOPS, пропускающий операции каждые { $period }
finding-no-time = { $part } операций заняли меньше 2 us: неверны часы или ответил кэш
finding-not-durable = записи не сбрасывались на носитель: при подсчёте они ещё были в памяти
finding-not-durable-device-cache = записи не сбрасывались на носитель: { $device } может держать их в энергозависимом кэше
finding-synced-at-end = запись шла через страничный кэш и была сброшена одной синхронизацией в конце: скорость её учитывает, а задержки — страничного кэша
finding-state-carried = задание читает то, что до него записало вразброс { $before }: состояние устройства не исходное
finding-nearly-full = файловая система заполнена на { $full }
finding-copy-on-write = { $kind } пишет каждый блок на новое место (копирование при записи): результаты включают выделение места
finding-random-beats-sequential = случайный доступ ({ $random }) быстрее последовательного задания { $sequential } ({ $ordered })
finding-memory-no-storage = хранилище не использовалось: измерен только генератор нагрузки
finding-memory-no-device = { $kind } хранит файлы в памяти: диск не измерялся
finding-below-memory = { $device } хранит данные в памяти ({ $kind }): диск не измерялся
finding-overlay = { $path } находится на overlayfs: первая запись в файл нижнего слоя копирует его целиком
finding-failed = с ошибкой завершились { $failed } из { $all } операций: результаты относятся только к остальным
finding-interrupted = прогон прерван до завершения первой операции
finding-ended-early = прервано: { $by }; результаты охватывают время до этого момента
finding-ended-by-error = задание завершилось с ошибкой: результаты охватывают его не полностью
finding-no-completion = ни одна операция не завершилась: ничего не измерено
finding-size-times-jobs = { $clones ->
        [one] { $clones } задание
        [few] { $clones } задания
        [many] { $clones } заданий
       *[other] { $clones } задания
    } по { $each }, всего { $whole }
advice-page-cache = используйте direct=1
advice-writes-returned-early = используйте direct=1 или fdatasync=1, чтобы дождаться устройства
advice-writes-cached = используйте direct=1 или end_fsync=1, чтобы учесть и остальное
advice-cache-below = обойдите и кэш под { $upper } (для loop-устройства: losetup --direct-io=on)
advice-above-link = найдите кэш выше канала и обойдите его
advice-too-fast-for-rotational = читайте случайно по всему диску
advice-tiny-span = возьмите область во много раз больше всех кэшей или всё устройство
advice-no-queue = используйте ioengine=io_uring или libaio с direct=1 либо увеличьте numjobs
advice-blocking-submit-buffered = добавьте direct=1
advice-blocking-submit-direct = проверьте, нет ли записей с выделением места, переполненной очереди запросов (nr_requests) или файловой системы без асинхронного прямого ввода-вывода
advice-think-time = показатели описывают паузы, а не устройство: чтобы измерить устройство, уберите thinktime
advice-think-time-blocks = увеличьте thinktime_blocks до кратного iodepth или ограничьте нагрузку через rate_iops вместо thinktime
advice-never-written = сначала заполните: fathom prefill { $path }
advice-zeros = сначала заполните несжимаемыми данными
advice-zeros-server = сначала заполните несжимаемыми данными (содержимое будет перезаписано): { $command } (при отказе добавьте --allow-destroy={ $path })
advice-compressible = запишите несжимаемые данные (без параметров zero_buffers, pattern, dedupe и compress) и сравните
advice-rate-dropped = проверьте на это время полный кэш, исчерпанный кредит, температуру накопителя и другую нагрузку
advice-step-down = приводите меньшую скорость; чтобы измерить только её, задайте ramp_time больше момента падения
advice-unsteady = увеличьте длительность или исключите начало с помощью ramp_time
advice-write-back-cache = записывайте больше, чем вмещает кэш контроллера
advice-too-short = прежде чем сравнивать, увеличьте длительность
advice-size-ran-out = добавьте time_based
advice-short-stroke = измерьте случайный доступ по всему устройству: он медленнее
advice-overlap = дайте каждому заданию свою область (offset_increment) или свой файл
advice-repeated = возьмите файл большего размера или direct=1
advice-uneven-offsets = не приводите это как случайный ввод-вывод по всей области; сообщите о задании как об ошибке fathom
advice-generator = увеличьте число заданий или размер блока либо возьмите более экономный движок
advice-cpu-limited = измеряйте там, где процессорное время не ограничено
advice-cpu-contention = уберите другую нагрузку на CPU или уменьшите число заданий
advice-cpus-busy = повторите измерение при незанятых CPU
advice-stopped = повторите прогон без остановки
advice-pauses = измеряйте достаточно долго, чтобы пауз было много, и приводите процентили, а не средние
advice-below-memory = не приводите эти результаты как показатели диска
advice-overlay = используйте файловую систему на отдельном устройстве или том
advice-filling-buffers = увеличьте число заданий или уберите refill_buffers
advice-far-node = задайте numa_cpu_nodes={ $node }
advice-slowed-by-heat = охладите накопитель или указывайте скорость как скорость горячего
advice-slow-link = проверьте слот и кабель
advice-misaligned = пересоздайте его с началом, кратным 1 MiB
advice-misaligned-partition = пересоздайте раздел с сектора 2048
advice-partial-sector = записывайте кратно { $sector }
advice-split = приводите пропускную способность или возьмите размер блока, который не разбивается
advice-merged = приводите пропускную способность или используйте direct=1 со случайным доступом
advice-idle-while-waiting = ищите ограничение выше устройства (контрольная группа, облачный том)
advice-no-busy-time = смотрите util устройств под ним
advice-mean-hides = приводите процентили
advice-other-load = уберите другую нагрузку и повторите прогон
advice-rebuilding = дождитесь её завершения
advice-cap = приводите её как лимит, а не как скорость устройства
advice-bursts = повторите с удвоенным iodepth: при лимите IOPS не изменятся
advice-no-time = проверьте источник времени (clocksource)
advice-not-durable = сравните с fdatasync=1
advice-synced-at-end = приводите только скорость; для задержек используйте direct=1 или fdatasync=1
advice-state-carried = расположите задания так, чтобы каждое начиналось с нужного состояния
advice-nearly-full = освободите место: многие файловые системы замедляются, когда почти заполнены
advice-random-beats-sequential = ищите кэш или последовательное задание с одной операцией в очереди
advice-interrupted = дайте прогону завершиться
advice-ended-by-error = устраните ошибку и повторите прогон
advice-no-completion = проверьте размер и ограничения задания
advice-failed = прочитайте текст ошибки; для диска этой машины проверьте журнал ядра (dmesg) и слои ниже
advice-started-late = увеличьте iodepth или замедлите трассу с помощью replay_time_scale
finding-not-committed = записи в { $layer } не были синхронизированы: из записанных { $written } сервер к концу теста получил { $there }; запросов COMMIT: { $commits }
finding-export-unknown = клиенту не видно, записал ли сервер { $layer } данные на диск, когда подтверждает запись: экспорт с async подтверждает из памяти
finding-soft-mount = { $layer } смонтирована с soft: запрос без ответа сервера в течение { $seconds } с становится ошибкой ввода-вывода
finding-attributes-cached = { $layer } хранит атрибуты до { $seconds } с: вызовы для известных файлов не посылали запросов серверу
finding-link-limit = { $seen } — это полезная нагрузка канала: { $interface } работает на { $mbit } Mbit/s, то есть передаёт { $payload }
finding-shaper-limit = { $seen } — столько пропускает ограничение { $interface }: { $shaper } (tc) посылает не более { $mbit } Mbit/s, то есть передаёт { $payload }
finding-rate-of-link = { $seen } — это полезная нагрузка канала на { $mbit } Mbit/s ({ $payload }); { $interface } не сообщает свою скорость
finding-segments-repeated = { $repeated } из { $sent } сегментов TCP ({ $part }, все соединения машины) посланы повторно
finding-requests-repeated = { $repeated } из { $requests } запросов к серверу { $layer } посланы повторно, потому что ответа не было
finding-reconnected = соединение { $layer } с сервером терялось и создавалось заново, раз: { $times }
finding-server-silent = { $layer }: ничего не завершалось { $longest }; через { $seconds } с ввод-вывод завершился бы ошибкой ({ $setting })
finding-server-silent-waits = { $layer }: ничего не завершалось { $longest }; ввод-вывод ждёт сервер без ограничения ({ $setting })
advice-not-committed = добавьте fsync=1 или end_fsync=1 либо используйте direct=1
advice-export-unknown = проверьте экспорт на сервере (exportfs -v) и укажите его вместе с результатом
advice-soft-mount = смонтируйте с «hard» или укажите настройку вместе с результатом
advice-attributes-cached = смонтируйте с actimeo=0, чтобы измерить сервер, или возьмите файлы, которых клиент не видел
advice-link-limit = используйте более быстрый канал или несколько либо укажите скорость как скорость канала
advice-shaper-limit = повысьте или снимите ограничение (tc qdisc show dev ИНТЕРФЕЙС) либо укажите скорость как скорость ограничения
advice-rate-of-link = проверьте скорость каждого канала до сервера (ethtool на обеих машинах и на хосте виртуальной машины) или измерьте сеть с помощью iperf3
advice-segments-repeated = поищите ошибки интерфейса и коммутатора (ip -s link, ethtool -S) и перегрузку
advice-requests-repeated = посмотрите на нагрузку сервера и поищите потерянные пакеты
advice-reconnected = посмотрите журналы сервера и ядра (dmesg) за это время
advice-server-silent = посмотрите журнал сервера и сеть за это время
finding-segments-repeated-own = { $repeated } из { $sent } сегментов TCP к серверам ({ $part }) отправлены повторно
finding-small-pool = в пуле { $pool } мало групп размещения: { $groups }, копий: { $copies }, OSD: { $osds }
finding-cluster-busy = во время запуска в кластере { $layer } шло восстановление или scrub: групп размещения в восстановлении: { $recovering }, в проверке (scrub): { $scrubbing }
finding-library-cache = кэш { $library } ({ $size }, { $policy }) может подтверждать записи раньше, чем их получит кластер
finding-replication-limit = { $seen } записи с копиями ({ $copies }) — столько пропускают каналы машин ({ $hosts }) по { $mbit } Мбит/с: { $payload }
advice-small-pool = увеличить pg_num (цель Ceph — 100 на OSD) или указать его вместе с результатом
advice-cluster-busy = повторить запуск, когда ceph -s покажет active+clean без проверки
advice-library-cache = установить rbd_cache=false, чтобы измерить кластер, или указать кэш вместе с результатом
advice-replication-limit = использовать более быструю сеть между OSD или указать полосу как полосу этой сети
