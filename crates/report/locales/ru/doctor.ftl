doctor-exact = { $n ->
        [one] { $n } байт
        [few] { $n } байта
        [many] { $n } байт
       *[other] { $n } байта
    }
doctor-errno-not-permitted = операция не разрешена
doctor-errno-no-free-slot = нет свободных мест для запросов
doctor-errno-memlock = недостаточно памяти, которую можно закрепить (лимит memlock)
doctor-errno-permission-denied = доступ запрещён
doctor-errno-not-supported = не поддерживается этим ядром
doctor-stack-unknown = ядро не показывает стек хранения
doctor-count-critical = критично: { $n } (измерение будет неверным)
doctor-count-warning = { $n ->
        [one] { $n } предупреждение
        [few] { $n } предупреждения
        [many] { $n } предупреждений
       *[other] { $n } предупреждения
    } (измерение будет искажено)
doctor-count-note = { $n ->
        [one] { $n } заметка
        [few] { $n } заметки
        [many] { $n } заметок
       *[other] { $n } заметки
    }
doctor-count-ok = в порядке: { $n }
doctor-heading-alignment = выравнивание
doctor-heading-target = цель и файловая система
doctor-heading-queues = процессоры и очереди
doctor-heading-block-size = размер блока
doctor-heading-device = диск, планировщик, кэши
doctor-heading-network = сеть и сервер
doctor-heading-load = посторонняя нагрузка
doctor-heading-limits = лимиты
doctor-heading-host = каналы и система
doctor-mark-ok = норма
doctor-mark-note = заметка
doctor-mark-warning = ВНИМАНИЕ
doctor-mark-critical = КРИТИЧНО
doctor-label-why = причина:
doctor-label-do = действие:
doctor-begins-at-sector = { $what } начинается с сектора { $sector } на { $on }
doctor-begins-at-large-sector = { $what } начинается с сектора { $sector } на { $on } (сектор { $sector_bytes } байт)
doctor-begins-at-byte = { $what } начинается с байта { $byte } на { $on }
doctor-begins-raid-data = данные { $what } начинаются с байта { $byte } на { $on }
doctor-begins-file = файл { $what } начинается с байта { $byte } на { $on }
doctor-begins-all-layers = с учётом всех слоёв { $what } начинается с байта { $byte } на { $on }
doctor-begins-aligned = { $place }: выровнено
doctor-begins-multiple = { $place }: кратно { $unit }
doctor-begins-misaligned = { $place }: на { $beyond } дальше кратного { $unit }
doctor-begins-compensated-why = смещения слоёв ниже это компенсируют: сама цель начинается на границе блока
doctor-begins-compensated-do = ничего, если слои не менять
doctor-begins-sector-why = каждый блок 4k попадает на два блока диска: запись 4k стоит двух чтений и двух записей
doctor-begins-small-sector-why = каждый блок 4k попадает на два блока диска: запись 4k стоит двух чтений и двух записей ({ $on } сообщает секторы по { $physical_bytes } байт, но флеш-память и виртуальные диски работают блоками по 4096)
doctor-begins-partition-do = сохраните данные, пересоздайте раздел с сектора 2048 (1 MiB) и верните данные
doctor-begins-loop-do = подключите его со смещением, кратным 4096
doctor-begins-raid-do = создайте массив со смещением данных, кратным 1 MiB
doctor-begins-file-do = создайте файловую систему с блоками по 4096 байт
doctor-begins-all-layers-do = выровняйте слои по одному, начиная с диска
doctor-begins-chunk-why = часть запросов попадает на два чанка по { $unit } и требует двух дисков массива
doctor-begins-stripe-why = запись в { $unit } не заполняет ровно одну полосу: чётность читается перед записью
doctor-begins-stripe-do = начинайте крупную последовательную запись с кратного полосе смещения
doctor-kernel-says-misaligned = ядро сообщает, что { $device } не выровнен (alignment_offset { $offset_bytes })
doctor-kernel-says-misaligned-why = его блоки попадают на два блока нижележащего устройства: малые записи выполняются дважды
doctor-kernel-says-misaligned-do = пересоздайте том с началом данных, кратным 1 MiB
doctor-offset-unknown = начало { $above } на { $device } может прочитать только root (dmsetup table); ядро нарушений выравнивания не видит
doctor-table-ignored = на { $device } есть таблица разделов { $kind } ({ $entries ->
        [one] { $entries } раздел
        [few] { $entries } раздела
        [many] { $entries } разделов
       *[other] { $entries } раздела
    }), которую ядро не использует
doctor-table-ignored-why = fathom прочитал таблицу с диска; её разделы пока нельзя смонтировать или измерить
doctor-table-ignored-do = создайте устройства разделов: partx -a, partprobe или losetup -P
doctor-table-other-sectors = таблица разделов на { $device } рассчитана на секторы по { $table_bytes } байт, а у диска секторы по { $device_bytes } байт
doctor-table-other-sectors-why = таблица записана для другого диска: ядро не находит раздел или находит не тот
doctor-table-other-sectors-do = используйте диск с секторами по { $table_bytes } байт или разбейте его заново
doctor-table-unread = на { $device } может быть таблица разделов: у fathom нет права читать устройство
doctor-table-unread-why = ядро разделов не показывает, а неиспользуемую таблицу видно только на самом диске
doctor-table-unread-do = повторите от имени root или члена группы disk
doctor-small-blocks = у файловой системы на { $at } блоки по { $bytes } байт
doctor-small-blocks-why = файл может начинаться внутри страницы флеш-памяти даже в выровненном разделе
doctor-small-blocks-do = создайте её с блоками по 4096 байт (ext4: mkfs -b 4096)
doctor-no-offset = между целью и { $device } нет слоёв со смещением
doctor-on-memory = { $kind } на { $at } хранит файлы в памяти
doctor-on-memory-why = диск не измеряется: все результаты относятся к памяти
doctor-on-memory-do = выберите каталог на диске
doctor-on-disk = файловая система { $kind } на { $at }
doctor-on-disk-why = результаты включают и файловую систему, и диск
doctor-on-disk-do = чтобы измерить только диск, измеряйте само блочное устройство: только чтением или пустое
doctor-on-copy-on-write = файловая система { $kind } на { $at } (копирование при записи)
doctor-on-copy-on-write-why = каждая случайная запись выделяет место, контрольные суммы требуют времени CPU, а сжатие убирает нули
doctor-on-copy-on-write-do = используйте несжимаемые данные (refill_buffers); чтобы измерить только диск, измеряйте само блочное устройство
doctor-on-overlay = { $kind } на { $at } наложена на другие файловые системы
doctor-on-overlay-why = первая запись в файл нижнего слоя копирует его целиком
doctor-on-overlay-do = измеряйте заново созданный файл или смонтированный том
doctor-on-network = { $kind } на { $at } — сетевая файловая система
doctor-on-network-why = результаты относятся к сети и серверу; direct=1 обходит только локальный страничный кэш
doctor-on-network-do = возьмите данных больше, чем памяти у сервера, и сравните со скоростью сети
doctor-on-served = { $kind } на { $at } обслуживает другая программа или хост
doctor-on-served-why = результаты относятся к этой программе, и обойти её кэш отсюда нельзя
doctor-on-served-do = измеряйте на системе, где хранятся данные
doctor-mount-option = { $at } смонтирован с { $option }
doctor-mount-synchronous-why = каждая запись ждёт диска даже без fsync
doctor-mount-synchronous-do = смонтируйте без этого параметра или укажите его вместе с результатами
doctor-mount-no-flush-why = fsync не сбрасывает кэш диска: его задержки занижены
doctor-mount-no-flush-do = смонтируйте с барьерами
doctor-mount-data-twice-why = каждый байт записывается дважды: в журнал и на своё место
doctor-mount-data-twice-do = смонтируйте с data=ordered
doctor-mount-compressed-why = нули и повторяющиеся шаблоны сжимаются почти до нуля
doctor-mount-compressed-do = используйте несжимаемые данные (refill_buffers)
doctor-mount-dax-why = страничный кэш не используется: буферизованный ввод-вывод становится прямым
doctor-mount-dax-do = сравните с монтированием без dax
doctor-mount-read-only-why = тесты записи завершатся ошибкой
doctor-mount-read-only-do = измеряйте только чтение или смонтируйте для записи
doctor-mount-discard-why = удаление файла сразу освобождает блоки командой TRIM и замедляет параллельные операции
doctor-mount-discard-do = вместо этого выполняйте fstrim между прогонами
doctor-target-with-size = { $kind }, { $size }
doctor-target-device = блочное устройство
doctor-target-partition = раздел
doctor-target-file = обычный файл
doctor-target-directory = каталог: fathom измеряет временный файл в нём
doctor-empty-file = файл пуст
doctor-empty-file-why = в нём нет данных для чтения
doctor-empty-file-do = сначала запишите его целиком или укажите каталог, чтобы измерить временный файл
doctor-empty-device = размер устройства равен 0
doctor-empty-device-why = в нём нет носителя, к нему не подключён файл или оно не настроено
doctor-empty-device-do = вставьте носитель, подключите файл (losetup) или настройте устройство (zramctl) и повторите
doctor-loop-buffered = { $device }: loop-устройство над { $backing }, через страничный кэш
doctor-loop-buffered-why = кэшированные части файла читаются из памяти даже при direct=1
doctor-loop-buffered-do = используйте losetup --direct-io=on или измеряйте слой ниже
doctor-loop-direct = { $device }: loop-устройство над { $backing }, с прямым вводом-выводом
doctor-loop-direct-why = каждый запрос проходит два блочных уровня и рабочий поток ядра
doctor-loop-direct-do = чтобы измерить только диск, измеряйте слой ниже
doctor-in-use-mounted = { $device } смонтирован на { $by }
doctor-in-use-swap = { $device } используется как область подкачки
doctor-in-use-member = { $device } входит в состав { $by }
doctor-in-use-loop = { $by } — loop-устройство над { $device }
doctor-in-use-why = результаты включают операции его пользователей; тест записи уничтожил бы их данные, и fathom от него отказывается
doctor-in-use-mounted-do = измеряйте файл на нём или размонтируйте его
doctor-in-use-swap-do = на время теста выполните swapoff
doctor-in-use-member-do = измеряйте вышележащее устройство или разберите его
doctor-carries = { $device } содержит: { $what }
doctor-carries-why = тест записи уничтожил бы это, поэтому fathom от него отказывается
doctor-carries-do = измеряйте только чтение или файл на нём; если данные не нужны: wipefs -a
doctor-direct-accepted = файловая система принимает прямой ввод-вывод
doctor-direct-refused = файловая система отвергает прямой ввод-вывод
doctor-direct-refused-why = возможен только буферизованный ввод-вывод, а он измеряет в основном страничный кэш
doctor-direct-refused-do = возьмите данных больше, чем памяти, или другую файловую систему
doctor-unreadable = цель не удаётся прочитать ({ $error })
doctor-unreadable-why = содержимое, таблица разделов и сигнатуры остаются неизвестными
doctor-unreadable-do = повторите от имени пользователя с правом чтения
doctor-no-holes = в файле нет дыр и незаписанных экстентов
doctor-holes = из { $size } дыры занимают { $holes }
doctor-holes-and-unwritten = из { $size } дыры занимают { $holes }, и ещё { $reserved } выделено, но не записано
doctor-holes-why = чтение возвращает нули без обращения к диску, а первые записи медленнее, так как выделяют место
doctor-holes-do = заполните файл перед чтением: fathom prefill или rw=write bs=1M
doctor-one-extent = файл непрерывен
doctor-fragments = файл состоит из { $n ->
        [one] { $n } фрагмента
        [few] { $n } фрагментов
        [many] { $n } фрагментов
       *[other] { $n } фрагмента
    }, в среднем по { $mean }
doctor-fragments-why = последовательное чтение прыгает между фрагментами: на жёстком диске это случайный доступ
doctor-fragments-do = освободите место и скопируйте файл
doctor-zero-blocks = только нули содержат { $zero } из { $sampled } проверенных блоков
doctor-zero-blocks-why = устройство может отдавать освобождённые, «тонкие» и нулевые блоки без чтения носителя, а нули сжимаются до нуля
doctor-zero-blocks-do = перед чтением запишите всю цель случайными данными (fathom prefill)
doctor-cached = { $cached } из { $size } находится в страничном кэше
doctor-cached-why = буферизованное чтение этой части идёт из памяти
doctor-cached-do = используйте direct=1 или invalidate=1 (по умолчанию)
doctor-space = свободно { $free } из { $size }
doctor-space-why = почти заполненная файловая система фрагментирует новые файлы, а почти заполненная флеш-память собирает мусор во время записи
doctor-space-do = освободите не менее 15 % места
doctor-idle = { $device }: простаивал { $look_ms } ms
doctor-busy = { $device }: { $ios ->
        [one] { $ios } операция
        [few] { $ios } операции
        [many] { $ios } операций
       *[other] { $ios } операции
    } ({ $moved }) за { $look_ms } ms, загрузка { $busy }
doctor-busy-in-flight = { $device }: { $ios ->
        [one] { $ios } операция
        [few] { $ios } операции
        [many] { $ios } операций
       *[other] { $ios } операции
    } ({ $moved }) за { $look_ms } ms, загрузка { $busy }, в очереди { $in_flight }
doctor-busy-stuck-why = операции отправлены, но ни одна не завершается: диск завис или ограничен лимитом
doctor-busy-why = устройством пользуются другие процессы: их операции и операции теста замедляют друг друга
doctor-busy-do = найдите эти процессы (iotop, pidstat -d) и остановите их или укажите нагрузку вместе с результатами
doctor-pressure = за последние 10 s задачи { $share } времени простаивали в ожидании ввода-вывода (PSI)
doctor-pressure-why = диски этой машины заняты; это могут быть и не диски цели
doctor-pressure-do = дождитесь окончания этой нагрузки
doctor-dirty = в страничном кэше { $waiting } ещё не записано на диск
doctor-dirty-why = ядро запишет их во время теста
doctor-dirty-do = перед тестом выполните sync
doctor-array-resync-pending = { $device } ({ $level }): синхронизация (resync) ожидает или остановлена
doctor-array-resync-pending-why = она может начаться во время теста, а до её окончания диски массива могут различаться
doctor-array-resync-pending-do = дайте ей завершиться до теста (/proc/mdstat)
doctor-array-resync = синхронизация (resync) выравнивает содержимое дисков
doctor-array-recovery = восстановление (recovery) заполняет новый диск
doctor-array-reshape = перестройка (reshape) меняет раскладку
doctor-array-check = проверка (check) читает и сравнивает все диски
doctor-array-repair = исправление (repair) читает и исправляет все диски
doctor-array-running = { $device } ({ $level }): идёт операция: { $operation }
doctor-array-running-percent = { $device } ({ $level }): идёт операция: { $operation }; выполнено { $p } %
doctor-array-running-why = её чтение и запись конкурируют с операциями теста
doctor-array-stoppable-do = дождитесь завершения (/proc/mdstat) или остановите: echo idle > /sys/block/{ $device }/md/sync_action
doctor-array-running-do = дождитесь завершения (/proc/mdstat)
doctor-degraded = { $device } ({ $level }): массив неполный, не хватает { $missing ->
        [one] { $missing } диска
        [few] { $missing } дисков
        [many] { $missing } дисков
       *[other] { $missing } диска
    }
doctor-degraded-of = { $device } ({ $level }): массив неполный, не хватает дисков: { $missing } из { $disks }
doctor-degraded-parity-why = данные отсутствующего диска при каждом чтении вычисляются по всем остальным
doctor-degraded-mirror-why = чтение распределяется по меньшему числу дисков, и запись идёт на меньшее число
doctor-degraded-do = замените диск и дождитесь восстановления, затем измеряйте
doctor-array = { $device }: { $facts }
doctor-array-members = дисков: { $n }
doctor-array-complete = полный, фоновых операций нет
doctor-array-bitmap = битовая карта намерений записи
doctor-array-raid5-why = малая запись стоит двух чтений и двух записей
doctor-array-raid6-why = малая запись стоит трёх чтений и трёх записей
doctor-array-bitmap-why = перед случайными записями обновляется битовая карта
doctor-array-do = ожидайте меньше случайных записей в секунду, чем могут все диски вместе
doctor-io-limit = контрольная группа ограничивает этот процесс на { $device }: { $all }
doctor-io-limit-read-bandwidth = чтение { $n }/s
doctor-io-limit-write-bandwidth = запись { $n }/s
doctor-io-limit-read-iops = чтение { $n } IOPS
doctor-io-limit-write-iops = запись { $n } IOPS
doctor-io-limit-why = результатом будет лимит, а не скорость диска; iostat при этом покажет почти свободный диск
doctor-io-limit-do = запускайте вне этой контрольной группы (systemd slice, контейнер) или измеряйте лимит намеренно
doctor-no-io-limit = контрольные группы не ограничивают этот процесс на этих устройствах
doctor-cpu-limit = контрольная группа ограничивает процессорное время до { $cpus } из { $usable } CPU
doctor-cpu-limit-why = потоки заданий часть времени остановлены, и эти промежутки входят в задержку
doctor-cpu-limit-do = увеличьте cpu.max или снизьте расход CPU (меньше заданий, больше размер блока)
doctor-memory-limit = контрольной группе этого процесса осталось { $rest } памяти
doctor-memory-limit-why = буферизованные записи раньше сбрасываются на диск, а буферы многих заданий могут не поместиться
doctor-memory-limit-do = используйте direct=1 или увеличьте memory.max
doctor-pcie = { $device }: PCIe x{ $width }, { $speed } GT/s ({ $now }/s); устройство поддерживает x{ $most_width }, { $most_speed } GT/s ({ $most }/s)
doctor-pcie-why = слот, переходник или плохой контакт замедляют канал: результатом будет скорость канала, а не диска
doctor-pcie-do = попробуйте другой слот, поищите ошибки AER в dmesg и отключите энергосбережение канала (pcie_aspm)
doctor-sata = { $device }: SATA { $now }, не более { $most }/s
doctor-sata-limited = { $device }: SATA { $now } (порт ограничен до { $limit }), не более { $most }/s
doctor-sata-why = скорость ограничивают порт, кабель, объединительная плата, старый диск или ошибки канала: результат относится к каналу
doctor-sata-do = попробуйте другой порт или кабель и поищите сбросы канала в dmesg
doctor-usb-storage = по одному запросу за раз (usb-storage)
doctor-usb-uas = с очередью команд (uas)
doctor-usb = { $device }: USB { $mbit } Mbit/s, { $protocol }
doctor-usb-slow-why = USB на 480 Mbit/s даёт около 40 MB/s: результат относится к каналу, а не к диску
doctor-usb-slow-do = используйте порт и кабель USB 3; чтобы измерить только диск, подключите его напрямую
doctor-usb-storage-why = мост принимает по одному запросу, поэтому iodepth и numjobs не действуют
doctor-usb-storage-do = используйте мост и драйвер с UAS; чтобы измерить только диск, подключите его напрямую
doctor-usb-why = результаты включают мост между USB и диском
doctor-usb-do = чтобы измерить только диск, подключите его напрямую
doctor-numa = { $device }: подключён к узлу NUMA { $node }
doctor-numa-excluded = { $device }: подключён к узлу NUMA { $node }, на котором этому процессу работать нельзя
doctor-numa-why = потоки на других узлах обращаются к устройству через межпроцессорный канал
doctor-numa-excluded-why = весь ввод-вывод идёт через межпроцессорный канал
doctor-numa-excluded-do = разрешите процессу узел { $node } (cpuset, taskset) или укажите это вместе с результатами
doctor-virtual-machine = это виртуальная машина
doctor-virtual-machine-named = это виртуальная машина ({ $name })
doctor-virtual-machine-why = кэши, лимиты и другие гости хоста отсюда не видны
doctor-virtual-machine-do = если результаты не зависят от глубины очереди, подозревайте лимит; повторите в другое время суток
doctor-steal = гипервизор отдал { $share } процессорного времени другим гостям (steal)
doctor-steal-why = потоки заданий в это время стоят, и эти промежутки входят в задержку
doctor-steal-do = измеряйте в другое время или на машине с выделенными CPU
doctor-governor = регулятор частоты CPU: { $names }
doctor-governor-why = CPU, замедляющийся между операциями, добавляет микросекунды задержки при малой глубине очереди
doctor-governor-do = на время теста выполните cpupower frequency-set -g performance
doctor-clock = источник времени ядра: { $name }
doctor-clock-why = каждое чтение часов занимает микросекунды и нужно на каждую операцию
doctor-clock-do = выясните по dmesg, почему ядро отказалось от tsc, или загрузитесь с clocksource=tsc
doctor-cpus = CPU: { $online }, доступны все
doctor-cpus-restricted = процессу доступны { $usable } из { $online } CPU
doctor-cpus-restricted-why = если занятых заданий больше, они делят CPU, и ожидание CPU входит в задержку
doctor-cpus-restricted-do = держите numjobs в этих пределах или расширьте привязку к CPU (taskset, cpuset)
doctor-queues = { $device }: { $queues ->
        [one] { $queues } аппаратная очередь
        [few] { $queues } аппаратные очереди
        [many] { $queues } аппаратных очередей
       *[other] { $queues } аппаратной очереди
    } по { $requests ->
        [one] { $requests } запросу
        [few] { $requests } запроса
        [many] { $requests } запросов
       *[other] { $requests } запроса
    }
doctor-queues-and-disk = { $device }: { $queues ->
        [one] { $queues } аппаратная очередь
        [few] { $queues } аппаратные очереди
        [many] { $queues } аппаратных очередей
       *[other] { $queues } аппаратной очереди
    } по { $requests ->
        [one] { $requests } запросу
        [few] { $requests } запроса
        [many] { $requests } запросов
       *[other] { $requests } запроса
    }; диск принимает за раз { $disk }
doctor-queues-one-request-why = диск обрабатывает по одному запросу, поэтому iodepth и numjobs не действуют
doctor-queues-one-request-do = включите NCQ (queue_depth; режим AHCI в прошивке) или UAS
doctor-queues-shared-why = все CPU делят одну очередь, поэтому несколько заданий мало что дают
doctor-queues-shared-do = сначала увеличивайте iodepth, потом numjobs; проверьте nvme.write_queues или настройки гипервизора
doctor-queues-why = запросы сверх этого ждут в очереди планировщика, и ожидание входит в задержку
doctor-queues-do = держите iodepth x numjobs в этих пределах
doctor-engine = { $engine } доступен
doctor-engine-unavailable = { $engine } недоступен ({ $error })
doctor-io-uring-why = его отключает kernel.io_uring_disabled или фильтр seccomp контейнера
doctor-io-uring-do = используйте ioengine=libaio с direct=1: он почти не уступает
doctor-libaio-why = задания с ioengine=libaio завершатся ошибкой
doctor-libaio-do = увеличьте fs.aio-max-nr или используйте io_uring
doctor-aio-slots = занято { $used } из { $most } мест для запросов AIO ядра (fs.aio-max-nr)
doctor-aio-slots-why = задания libaio с большим iodepth или numjobs могут не запуститься
doctor-aio-slots-do = увеличьте предел: sysctl fs.aio-max-nr=1048576
doctor-sectors = { $device }: логический сектор { $logical } байт, физический { $physical } байт
doctor-sectors-logical-why = прямые операции меньше { $logical } байт завершаются ошибкой
doctor-sectors-physical-why = при записи меньше { $physical } байт диск читает, изменяет и записывает сектор целиком
doctor-sectors-do = берите размеры блоков и смещения, кратные { $physical } байт
doctor-largest-request = { $device }: наибольший запрос — { $most }
doctor-largest-request-why = ядро разбивает более крупные блоки, поэтому iostat насчитает больше операций, чем fathom
doctor-largest-request-do = при размере блока больше { $most } сравнивайте пропускную способность, а не IOPS
doctor-chunks = { $device }: чанки по { $chunk }
doctor-chunks-and-stripes = { $device }: чанки по { $chunk }, полосы по { $stripe }
doctor-chunks-why = блок не больше чанка использует один диск; при чётности запись меньше полосы сначала читает
doctor-stripes-do = для пропускной способности берите bs, кратный { $stripe }; для IOPS — bs=4k
doctor-chunks-do = для пропускной способности берите bs в несколько чанков; для IOPS — bs=4k
doctor-cloud-network = { $device }: сетевой диск { $provider }
doctor-cloud-network-why = его скорость ограничивают и том (размер или тариф), и тип машины, а вначале может действовать кредит на пиковую нагрузку
doctor-cloud-network-do = глубина очереди = обещанные IOPS x задержка (26500 x 1 ms: 27); измеряйте дольше, чем хватает кредита
doctor-cloud-local = { $device }: локальный диск хоста { $provider }
doctor-cloud-local-why = при остановке машины данные теряются, а по мере заполнения диск замедляется
doctor-cloud-local-do = перед тестами записи один раз запишите его целиком
doctor-cloud-unknown = { $device }: диск { $provider }, вероятно сетевой
doctor-cloud-unknown-why = сетевой диск ограничен и размером или тарифом, и типом машины
doctor-cloud-unknown-do = сравните с лимитами провайдера; глубина очереди = обещанные IOPS x задержка
doctor-controller-volume = { $device }: том RAID-контроллера ({ $driver }); его диски скрыты
doctor-controller-volume-why = пока батарея исправна, записи подтверждает кэш контроллера; его проверки и перестроения отсюда не видны
doctor-controller-volume-do = проверьте его утилитой (storcli, perccli, ssacli) режим кэша, батарею и перестроение; данных берите больше объёма кэша
doctor-scheduler = { $device }: планировщик ввода-вывода { $name }
doctor-scheduler-warning-why = он тратит время CPU на каждый запрос и задерживает запросы
doctor-scheduler-why = он тратит немного времени CPU на каждый запрос без пользы для этого диска
doctor-scheduler-do = от имени root: { $command }, или укажите планировщик вместе с результатами
doctor-no-read-ahead = { $device }: упреждающее чтение отключено
doctor-no-read-ahead-why = буферизованное последовательное чтение ждёт каждого блока
doctor-no-read-ahead-do = выполните blockdev --setra 256 или используйте direct=1
doctor-read-ahead = { $device }: упреждающее чтение { $ahead }
doctor-read-ahead-why = буферизованное последовательное чтение держит в очереди столько данных независимо от iodepth
doctor-read-ahead-do = используйте direct=1: он работает без упреждающего чтения
doctor-write-back = { $device }: энергозависимый кэш записи включён (write back)
doctor-write-back-hidden = { $device }: сообщает об энергозависимом кэше записи (write back); кэши за ним неизвестны
doctor-write-back-why = запись завершается раньше, чем данные окажутся на носителе: без сброса кэша они теряются при отключении питания
doctor-write-back-do = для надёжной записи добавьте fsync=1 или fdatasync=1; иначе записывайте больше объёма кэша
doctor-write-through = { $device }: энергозависимого кэша записи нет (write through)
doctor-write-through-hidden = { $device }: сообщает, что энергозависимого кэша записи нет (write through); кэши за ним неизвестны
doctor-write-through-why = каждая запись ждёт вращающегося носителя
doctor-write-through-do = если питание защищено, выполните hdparm -W1; иначе укажите режим кэша вместе с результатами
doctor-zoned-managed = { $device }: зонированный (host-managed): каждую зону можно писать только последовательно
doctor-zoned-managed-why = случайные записи завершаются ошибкой
doctor-zoned-managed-do = используйте zonemode=zbd или измеряйте только чтение
doctor-zoned-aware = { $device }: зонированный (host-aware)
doctor-zoned-aware-why = диск собирает случайные записи в кэше и раскладывает их по зонам: сначала быстро, потом медленно
doctor-zoned-aware-do = записывайте в несколько раз больше объёма кэша
doctor-medium-read-latency = { $medium }; случайные чтения 4k заняли { $took }
doctor-medium-memory = { $device }: хранит данные в памяти
doctor-medium-memory-why = диск не измеряется: все результаты относятся к памяти
doctor-medium-memory-do = выберите другое устройство
doctor-medium-fast-rotational = { $device }: сообщает, что вращается
doctor-medium-fast-rotational-why = головки так быстро не движутся: данные отдал кэш или это флеш-память с неверным признаком
doctor-medium-fast-rotational-do = возьмите область больше любого кэша и верьте измеренной задержке, а не признаку
doctor-medium-rotational = { $device }: жёсткий диск (вращающийся)
doctor-medium-rotational-why = он выполняет около 75–200 случайных операций в секунду, а внешние дорожки вдвое быстрее внутренних
doctor-medium-rotational-do = случайный доступ измеряйте по всему диску, а для последовательного указывайте место
doctor-medium-flash = { $device }: флеш-память
doctor-medium-slow-flash-why = для флеш-памяти это слишком медленно: диск спал или был занят, или за ним более медленное устройство
doctor-medium-slow-flash-do = проверьте постороннюю нагрузку на устройство и повторите
doctor-medium-hidden-rotational = { $device }: сообщает, что вращается, но настоящий носитель скрыт (виртуальный диск, контроллер, мост или сеть)
doctor-medium-hidden-not-rotational = { $device }: сообщает, что не вращается, но настоящий носитель скрыт (виртуальный диск, контроллер, мост или сеть)
doctor-medium-hidden = { $device }: носитель скрыт (виртуальный диск, контроллер, мост или сеть)
doctor-medium-unmeasured-why = такие диски сообщают значение драйвера по умолчанию, и о носителе оно не говорит
doctor-medium-unmeasured-do = измерьте случайное чтение: диску с головками нужно 3 ms и больше на каждое
doctor-medium-fast-hidden-why = столь быстрое чтение исключает движение головок: это флеш-память или данные отдал кэш
doctor-medium-fast-hidden-do = ожидайте результатов флеш-диска и не смотрите на признак вращения
doctor-medium-between-why = для свободной флеш-памяти это медленно, для головок быстро: вероятно, сетевой диск или посторонняя нагрузка
doctor-medium-between-do = ожидайте сетевой диск: при глубине 1 его ограничивает задержка, при большей — тариф
doctor-medium-slow-hidden-why = причина — движение головок, сеть за диском или посторонняя нагрузка
doctor-medium-slow-hidden-do = выясните, что из этого верно, прежде чем сравнивать результаты
doctor-numa-do = задайте numa_cpu_nodes={ $node } и numa_mem_policy=bind:{ $node }
doctor-client-nfs = { $layer }: NFS { $version } через { $transport }, { $export }, соединений: { $n }, rsize { $read }, wsize { $written }, sec={ $security }
doctor-client-smb = { $layer }: SMB { $version }, { $share } на { $servers }, cache={ $cache }
doctor-client-ceph = { $layer }: каталог { $directory } в CephFS, клиент ядра, мониторы { $servers }
doctor-client-ceph-fuse = { $layer }: CephFS через программу ceph-fuse
doctor-client-ceph-fuse-why = каждый запрос проходит через программу (FUSE), которая тратит время CPU и имеет свой кэш
doctor-client-ceph-fuse-do = для сравнения смонтируйте клиентом ядра; приводите результаты с пометкой «ceph-fuse»
doctor-client-host = { $layer }: каталог { $tag } хоста гипервизора через { $kind }
doctor-client-host-why = результаты включают файловую систему хоста и его страничный кэш, который direct=1 в этой машине не обходит
doctor-client-host-do = возьмите данных больше, чем памяти у хоста, или измеряйте на виртуальном диске
doctor-client-rbd = { $layer }: образ Ceph { $pool }/{ $image } кластера { $cluster }, клиент ядра, мониторы { $servers }
doctor-client-rbd-snapshot = { $layer }: снимок { $snapshot } образа Ceph { $pool }/{ $image } кластера { $cluster }, клиент ядра, мониторы { $servers }
doctor-client-nbd = { $layer }: сетевое блочное устройство сервера { $servers }
doctor-client-nbd-backend = { $layer }: сетевое блочное устройство сервера { $servers }, хранилище { $backend }
doctor-client-iscsi = { $layer }: цель iSCSI { $target } на { $servers }, соединений: { $n }
doctor-client-nvme = { $layer }: NVMe через { $transport }, подсистема { $subsystem } на { $servers }, очередей I/O: { $queues }, путей: { $n }
doctor-client-why = результаты относятся к клиенту, сети, серверу и его дискам вместе
doctor-client-do = измерьте и диски на самом сервере: разница — это сеть и протокол
doctor-not-connected = { $layer }: нет рабочего соединения с сервером (состояние: { $state })
doctor-not-connected-why = ввод-вывод ждёт или завершается ошибкой
doctor-not-connected-do = восстановите соединение, затем измеряйте
doctor-fails-after = { $layer }: ввод-вывод завершается ошибкой через { $seconds } с без ответа ({ $setting })
doctor-fails = { $layer }: ввод-вывод завершается ошибкой, если сервер некоторое время не отвечает ({ $setting })
doctor-fails-why = медленный сервер или короткий сбой становится ошибкой ввода-вывода, и записи могут пропасть
doctor-fails-do = смонтируйте с «hard»; для проверки сбоев укажите эту настройку
doctor-waits-for-server = { $layer }: ввод-вывод без ограничения ждёт сервер, который не отвечает ({ $setting })
doctor-attribute-cache = { $layer }: клиент хранит атрибуты файлов от { $file } до { $file_most } с, каталогов — от { $directory } до { $directory_most } с
doctor-attribute-cache-why = в течение этого времени stat и open известных файлов не посылают запросов серверу
doctor-attribute-cache-do = чтобы измерить метаданные сервера, смонтируйте с actimeo=0 или возьмите больше файлов, чем известно
doctor-export-unknown = { $layer }: экспортирует ли сервер с sync или async, отсюда не видно
doctor-export-unknown-why = с async сервер подтверждает записи и синхронизации раньше, чем они попали на его диск
doctor-export-unknown-do = посмотрите экспорт на сервере (exportfs -v)
doctor-small-requests = { $layer }: запросы не больше { $read } (rsize) и { $written } (wsize)
doctor-small-requests-why = больший блок посылается несколькими запросами
doctor-small-requests-do = смонтируйте без rsize и wsize: клиент и сервер тогда договорятся о наибольшем размере
doctor-pool = { $layer }: пул { $name }, копий: { $size } (для записи не меньше { $least }), групп размещения: { $groups }
doctor-pool-erasure = { $layer }: пул { $name } со стирающим кодом, частей: { $size } (для записи не меньше { $least }), групп размещения: { $groups }
doctor-pool-why = каждая запись до подтверждения идёт по сети кластера на несколько дисков
doctor-pool-do = сравните с дисками: пул пишет так же быстро, как его самая медленная копия
doctor-pool-one-copy-why = без второй копии результаты лучше, чем у пула, который переживёт потерю диска
doctor-pool-one-copy-do = измерьте пул с тем числом копий, которое используется в работе
doctor-route = { $layer }: сервер { $server } доступен через { $interface } ({ $mbit } Mbit/s, MTU { $mtu }), не больше { $payload }/s в каждом направлении
doctor-route-why = канал ограничивает пропускную способность: результаты около этой скорости — это скорость канала
doctor-route-do = используйте более быстрый канал или укажите скорость как скорость канала
doctor-route-half-duplex = { $layer }: сервер { $server } доступен через { $interface } ({ $mbit } Mbit/s, полудуплекс, MTU { $mtu }), не больше { $payload }/s в обоих направлениях вместе
doctor-route-half-duplex-why = в полудуплексе возникают коллизии; обычно не удалось согласование с коммутатором
doctor-route-half-duplex-do = включите автоматическое согласование на обоих концах или замените кабель
doctor-route-bond = { $layer }: сервер { $server } доступен через { $interface } ({ $members }; вместе { $mbit } Mbit/s, MTU { $mtu }), не больше { $payload }/s в каждом направлении
doctor-route-bond-why = одно соединение идёт через одного участника: при одном соединении доступна только его доля
doctor-route-bond-do = используйте несколько соединений (nconnect, multipath) или укажите скорость одного участника
doctor-route-unknown-speed = { $layer }: сервер { $server } доступен через { $interface } (скорость неизвестна, MTU { $mtu })
doctor-route-unknown-speed-why = предел сети отсюда не виден
doctor-route-unknown-speed-do = измерьте сеть с помощью iperf3 и сравните скорость
doctor-route-loopback = { $layer }: сервер { $server } — эта же машина
doctor-route-loopback-why = клиент и сервер делят CPU и память, и сеть не измеряется
doctor-route-loopback-do = измеряйте с другой машины
doctor-shaper = { $layer }: { $kind } (tc) ограничивает отправку через { $interface } до { $mbit } Mbit/s, не более { $payload }/s данных
doctor-shaper-why = запись с такой скоростью ограничена этой машиной, а не сервером
doctor-shaper-do = повысьте или снимите ограничение (tc qdisc show dev ИНТЕРФЕЙС) либо укажите скорость как скорость ограничения
doctor-server-unknown = { $layer }: адрес сервера или маршрут к нему отсюда не виден
doctor-server-unknown-why = нельзя сказать, ограничивает ли сеть результаты
doctor-server-unknown-do = сравните скорость с каналом самостоятельно
doctor-client-library = { $layer }: доступ через { $library }, серверы { $servers }
doctor-small-pool = { $layer }: пул { $name }: { $groups } (группы размещения) x { $size } (копии) / { $osds } (OSD) = { $each } на каждый OSD
doctor-small-pool-why = OSD выполняет записи одной группы по очереди, а немногие группы распределяют нагрузку неравномерно
doctor-small-pool-do = увеличить pg_num (цель Ceph — 100 на OSD) или указать его вместе с результатом
doctor-server-profile = { $layer }: код стирания пула { $name }: { $profile }
doctor-server-profile-why = запись меньше полосы сначала читает остаток полосы
doctor-server-profile-do = писать целыми полосами или сравнить с реплицируемым пулом
doctor-server-health = { $layer }: кластер { $checks }
doctor-server-health-why = кластер с нерешёнными проблемами может быть медленнее или хранить меньше копий
doctor-server-health-do = см. ceph health detail
doctor-server-idle = { $layer }: в кластере нет ни восстановления, ни проверки (scrub)
doctor-server-activity = { $layer }: группы размещения в восстановлении: { $recovering }, в проверке (scrub): { $scrubbing }, с недостающими копиями: { $degraded }
doctor-server-activity-why = восстановление и проверка отнимают у клиентов диски и сеть; без части копий записи идут на меньшее число дисков
doctor-server-activity-do = дождаться active+clean в ceph -s или на время измерения установить noscrub и nodeep-scrub
doctor-server-osds = { $layer }: OSD: { $n }, машин: { $hosts }: { $list }
doctor-server-osds-why = пул не быстрее этих дисков
doctor-server-osds-do = измерить и диски: разница — Ceph и сеть
doctor-server-osds-memory-why = OSD с memstore держит объекты в памяти: диск не измеряется
doctor-server-osds-memory-do = измерять кластер с BlueStore на дисках
doctor-server-image = { $layer }: образ { $size }, объекты по { $object }, полосы { $n } x { $unit }, свойства: { $features }
doctor-server-image-why = запрос через границу объекта становится несколькими запросами
doctor-server-image-do = брать блоки, кратно укладывающиеся в объект, и указать разметку и свойства вместе с результатом
doctor-server-allocated = { $layer }: место занимают { $used } из { $size } ({ $part })
doctor-server-allocated-why = чтения никогда не записанных блоков не доходят до диска, а первые записи выделяют место
doctor-server-allocated-do = перед измерением один раз записать всю цель
doctor-server-cache = { $layer }: кэш { $library }: { $size }, { $policy }
doctor-server-cache-why = кэш может подтверждать записи раньше, чем их получит кластер, и сам отвечать на чтения
doctor-server-cache-do = установить rbd_cache=false или взять больше данных, чем кэш, и синхронизировать записи
doctor-server-cache-off = { $layer }: кэш { $library } выключен
doctor-server-limits = { $layer }: ограничения: { $limits }
doctor-server-limits-why = результаты вблизи ограничения показывают само ограничение
doctor-server-limits-do = снять ограничения, чтобы измерить хранилище, или указать их вместе с результатом
doctor-server-clients = { $layer }: другие клиенты: { $clients }
doctor-server-clients-why = их запросы влияют на результаты, а запуск с записью уничтожил бы их данные
doctor-server-clients-do = остановить этих клиентов или измерять другую цель
doctor-server-nfs = { $layer }: NFS { $version }, { $export }, наибольшие запросы: чтение { $read }, запись { $written }
doctor-server-lun = { $layer }: LUN { $lun } цели { $target }: { $model }, логические блоки { $block } байт, физические { $physical_block }, { $flags }
doctor-server-export = { $layer }: экспорт NBD: { $flags }; наименьший запрос { $least }, предпочтительный { $wanted }, наибольший { $most }
doctor-server-round-trip = { $layer }: время оборота TCP: { $mean } (наименьшее { $least })
doctor-replication = { $layer }: копий { $copies } на машинах { $hosts }: при { $mbit } Мбит/с у каждой машины записи всех клиентов достигают не более { $payload }/с
doctor-replication-why = каждая копия каждой записи проходит через канал одной из машин; каналы между машинами отсюда не видны
doctor-replication-do = использовать более быструю сеть между OSD или указать это ограничение
