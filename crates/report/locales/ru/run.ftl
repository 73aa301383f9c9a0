# Runs: errors, refusals, notes.
run-refused-overwrite = отказано: { $writer } перезаписал бы { $path }: { $found }; чтобы уничтожить содержимое, добавьте --allow-destroy={ $path }
run-refused-overwrite-fio = отказано: { $writer } перезаписал бы { $path }: { $found }; чтобы уничтожить содержимое, добавьте --allow-destroy={ $path } (или задайте FATHOM_FIO_UNGUARDED=1, чтобы действовали правила fio)
run-refused-in-use = отказано: { $writer } перезаписал бы { $path }: { $found }; { $writer } не пишет на то, что используется: сначала прекратите это использование
run-refused-used-elsewhere = отказано: { $writer } перезаписал бы { $path }: { $found }; сначала прекратите это использование: --allow-destroy этого не разрешает
run-refused-unusable = отказано: { $writer }: { $path } { $kind }
run-refused-fills-file-system = отказано: fill_device=1 заполнил бы файловую систему { $path } до последнего блока; задайте size=, не больше { $most }
run-refused-no-space = отказано: место: задания записали бы { $wanted } в файловую систему { $path }, где свободно { $free } ({ $reserve } должно остаться свободным); уменьшите size=, io_size=, nrfiles= или numjobs= либо выберите другой directory=
run-no-space-for-layout = fathom: место: файлам, которые записываются до запуска, нужно { $wanted }, а в файловой системе { $path } свободно { $free }; уменьшите size=, nrfiles= или numjobs= либо выберите другой directory=
run-refused-wear-budget = отказ: на { $path } было бы записано { $planned }, а из --wear-budget в { $budget } осталось { $left }; увеличьте --wear-budget или уберите его
run-refused-wear-budget-used = отказ: для записи на { $path } не хватает --wear-budget в { $budget }, из которого осталось { $left }; увеличьте --wear-budget или уберите его
run-refused-no-endurance = отказ: ресурс { $path } неизвестен (это не флеш-накопитель), поэтому --wear-budget задаётся в байтах, например 10G
run-writer-job = задание { $name }

# What speaks against writing to a target.
run-found-cannot-open = не удаётся открыть, чтобы узнать содержимое ({ $error })
run-found-cannot-read = не удаётся прочитать первый и последний МиБ, чтобы узнать содержимое ({ $error })
run-found-replaced = во время проверки его место занял другой файл или другое устройство
run-found-unknown-data = { $used } (`blkdiscard { $path }` их отбросит)
run-found-unknown-to-sysfs = в sysfs устройства нет, поэтому неизвестно, используется ли оно
run-found-not-examined = его содержимое не проверяется
run-found-not-named = эта команда пишет на устройство только с --allow-destroy
run-found-held-exclusively = другая программа или ядро держит устройство монопольно (EBUSY)
run-found-object = на сервере под этим именем есть объект { $name }
run-found-cannot-list = сервер не может сообщить, какие блоки с этим именем у него есть
run-found-clients = открыт другими клиентами: { $clients } (Ceph учитывает убитый клиент ещё около 30 с)
run-found-changing = содержимое ({ $what }) изменилось на байте { $offset } за время наблюдения: его использует другой хост или программа (смонтировано в другом месте?)
run-found-changing-by = содержимое ({ $what }) смонтировано на другом хосте: { $host } записал блок защиты (MMP) на байте { $offset } за время наблюдения, как { $device }
run-found-reserved = инициатор зарезервировал его ({ $kind }, ключ { $key }); снять резервирование: sg_persist
run-found-reserved-by = { $holder } зарезервировал его ({ $kind }, ключ { $key }); снять резервирование: sg_persist
run-found-open-elsewhere = файл открыт другой программой
run-found-other-run = на него пишет другой процесс fathom на этой машине
run-found-exists = файл уже существует ({ $bytes } байт), и { $because }

# Why a file does not count as fathom's.
run-not-ours-on-server = файлы и объекты на серверах не несут отметки fathom
run-not-ours-unmarked = создал его не fathom
run-not-ours-other-version = его метка поставлена другой версией fathom и ничего не доказывает
run-not-ours-copy = на нём метка другого файла: это копия, и создал её не fathom
run-not-ours-hard-links = число его имён (жёстких ссылок): { $names }
run-not-ours-changed = он изменён после того, как fathom его записал
run-not-ours-pattern-interrupted = запуск, который записывал в него шаблон, был прерван, поэтому содержимое ничего не доказывает
run-not-ours-unreadable-mark = его метку не удаётся прочитать
run-not-ours-unreadable = его содержимое не удаётся прочитать ({ $error })
run-not-ours-replaced = во время проверки его место занял другой файл
run-not-ours-foreign-data = с байта { $offset } в нём лежат данные, которых fathom не записывал

# What a path names that a job cannot use; the path stands before.
run-unusable-directory-to-remove = — каталог, созданный не этим запуском, а задание удалило бы его
run-unusable-directory = — каталог; цель — файл или устройство
run-unusable-named-pipe = — именованный канал; цель — файл или устройство
run-unusable-socket = — сокет; цель — файл или устройство
run-unusable-kernel-file = — файл ядра, за которым нет хранилища; цель — файл или устройство
run-unusable-no-device = не существует, и вместо него среди узлов устройств появился бы файл; диски показывает lsblk

# Why a run did not begin.
run-error-counter-memory = не удалось выделить память для счётчиков: { $source }
run-error-job-thread = не удалось запустить поток задания (numjobs больше предела числа потоков?): { $source }
run-error-model-beside-others = ioengine=model работает в виртуальном времени: либо все задания запуска используют model, либо ни одно; разделите файл заданий
run-error-model-waits = ioengine=model работает в виртуальном времени, где wait_for не поддерживается; используйте stonewall
run-error-not-agreed = другие хосты не согласились
run-scheduler-forbidden = задание { $job }: ioscheduler={ $scheduler }: менять планировщик ввода-вывода { $disk } не разрешено ({ $error }): запустите от имени root
run-scheduler-unknown = задание { $job }: ioscheduler={ $scheduler }: у { $disk } нет такого планировщика ввода-вывода; доступны: { $known }

# Limits of the host.
run-limit-open-files = открытые файлы: одновременно работающим заданиям нужно дескрипторов: { $needed }, жёсткий предел: { $limit } (ulimit -Hn); увеличьте его, задайте openfiles= или уменьшите nrfiles= либо numjobs=
run-limit-threads = потоки: одновременно работает заданий: { $needed }, каждое занимает поток, а { $limit } оставляет { $left }; увеличьте предел или уменьшите numjobs=
run-limit-pids-max = pids.max контрольной группы
run-limit-aio-requests = fs.aio-max-nr: одновременно работающим заданиям libaio нужно запросов: { $needed } (iodepth x numjobs), занято { $used } из { $most }; увеличьте предел (sysctl fs.aio-max-nr={ $enough }) или уменьшите iodepth= либо numjobs=
run-limit-io-uring-disabled = kernel.io_uring_disabled: io_uring на этом хосте отключён; разрешите его (sysctl kernel.io_uring_disabled=0) или используйте ioengine=libaio
run-limit-locked-memory = закреплённая память: lockmem= одновременно работающих заданий составляет { $needed }, предел: { $limit } (ulimit -Hl); увеличьте его или уменьшите lockmem= либо numjobs=
run-limit-memory = память: одновременно работающим заданиям нужно { $buffers } на буферы (iodepth x наибольший блок) и { $locked } на lockmem=, доступно { $available }; уменьшите iodepth=, bs=, lockmem= или numjobs=
run-limit-inodes = индексные дескрипторы: нужно создать новых файлов: { $needed }, в файловой системе { $directory } свободно inode: { $free }; уменьшите nrfiles= или numjobs=

# Lines about a job.
run-line-damage = fathom: { $file }, смещение { $offset }: { $damage }
run-damage-flip = { $bits -> 
    [one] перевёрнутые биты: от записанного отличается { $bits } бит
    [few] перевёрнутые биты: от записанного отличаются { $bits } бита
   *[other] перевёрнутые биты: от записанного отличаются { $bits } бит
}
run-damage-torn = разорванная запись: часть блока такая, как записано, остальное нет
run-damage-lost = потерянная запись: в блоке то, что было записано на это место раньше
run-damage-misdirected = запись не туда: в блоке то, что записано по смещению { $from }
run-damage-zeroed = обнулён: в блоке одни нули
run-damage-shifted = сдвиг: данные лежат в { $by } байтах от своего места
run-damage-foreign = чужие данные: в блоке то, чего это задание не писало
run-damage-unknown = повреждён: данные не соответствуют контрольной сумме
run-damage-untrimmed = trim не подействовал: в освобождённом блоке остались прежние данные
run-limit-records = память: записям о проверяемых данных нужно { $needed }, доступно { $available }; увеличьте verify_interval= или bs= либо проверяйте меньший size=
run-line-damaged = fathom: задание { $job }: в { $bad } из { $blocks } проверенных блоков не то, что было записано ({ $kinds })
run-damage-count = { $kind }: { $n }
run-damaged-flip = перевёрнутые биты
run-damaged-torn = разорванная запись
run-damaged-lost = потерянная запись
run-damaged-misdirected = запись не туда
run-damaged-zeroed = обнулено
run-damaged-shifted = сдвиг
run-damaged-foreign = чужие данные
run-damaged-unknown = повреждено
run-damaged-untrimmed = trim не подействовал
run-line-no-atomic = fio: atomic=1: { $path } не поддерживает атомарную запись (statx её не сообщает); её могут поддерживать устройство либо xfs или ext4 в новом ядре
run-line-not-atomic = fio: atomic=1: блоки от { $small } до { $large } нельзя записать в { $path } атомарно: возможны степени двойки от { $least } до { $most }
run-line-trim-failed = fio: ошибка trim для { $path }: { $error }: offset={ $offset }, length={ $length }
run-line-trim-failed-because = fio: ошибка trim для { $path }: { $error }: offset={ $offset }, length={ $length }; { $cause }
run-line-trim-no-block-device = trim возможен только на блочных устройствах (ioengine=falloc создаёт дыры в файлах)
run-line-trim-misaligned = bs и offset должны быть кратны размеру логического блока устройства
run-line-trim-unsupported = устройство не поддерживает discard
run-line-direct-io-refused = fio: устройство отклонило этот прямой ввод-вывод (EINVAL): bs и offset должны быть кратны размеру его логического блока; увеличьте bs или задайте direct=0
run-line-engine-needs = fathom: задание { $job }: для ioengine={ $engine } нужно, например, { $example }
run-line-unanswered = fathom: задание { $job }: без ответа остались запросы ввода-вывода: { $ios }; отчёт показывает то, что успело завершиться
run-setting-not-recorded = { $path } не изменён: прежнее значение нельзя записать в { $directory } ({ $error })
run-setting-busy = { $disk }: { $setting } сейчас изменяет другой fathom (pid { $pid }): дождитесь его завершения
run-error-log = журнал { $path } записать нельзя: { $why }
run-output-refused = отказано: вывод { $path } { $why }; вывод идёт в обычные файлы, каналы, терминалы и /dev/null: укажите другой путь
run-output-failed = результат не удалось записать в { $path }: { $why }
run-output-not-regular = не обычный файл
run-output-block-device = — блочное устройство
run-output-character-device = — символьное устройство
run-output-no-terminal = — символьное устройство, а не терминал
run-output-named-pipe = — именованный канал
run-output-socket = — сокет
run-output-holds = — файл другого рода: в нём { $what }
run-output-database = база данных SQLite
run-output-in-use = был бы перезаписан: { $used }
run-output-job-file = — файл задания этого запуска
run-output-file-of-job = — файл, с которым работает задание
run-output-report-source = — источник самого отчёта
run-output-store = — хранилище этого запуска
run-output-other-text = содержит текст, записанный не fathom
run-output-holds-data = уже содержит данные, возможно, прежнего прогона: удалите или переименуйте его
run-output-no-reader = ни один процесс не читает из этого именованного канала
run-output-directory = это каталог: укажите путь к файлу
run-output-is-socket = это сокет: укажите путь к файлу
run-output-not-writable = это не файл, не канал и не терминал
run-refused-changed = отказано: { $change }
run-changed = { $path } изменился после проверки ({ $why }); после обнаружения изменения в него ничего не записано
run-changed-appeared = при проверке его не было
run-changed-content = его содержимое с тех пор изменилось
run-changed-replaced = его место занял другой файл или устройство
run-changed-resized = его размер с тех пор изменился
run-changed-other-file = его место занял другой файл
run-line-uring-forbidden = fathom: задание { $job }: kernel.io_uring_disabled или фильтр seccomp (контейнера) запрещает io_uring: используйте ioengine=libaio
run-error-state-file = { $system } (в { $path } нет сохранённого состояния этого задания)
run-error-engine-setup = { $system } ({ $engine } не удалось создать)
run-error-libaio-setup = { $system } (libaio не удалось создать; не исчерпан ли /proc/sys/fs/aio-max-nr?)
run-error-posixaio-setup = { $system } (posixaio не удалось создать ни через io_uring, ни через AIO ядра: используйте ioengine=psync)
run-error-model-with-others = { $system } (имитируемое устройство рядом с настоящими движками)
run-error-file-name = { $system } (имя файла)
run-error-buffers = { $system } (буферы: iodepth x размер блока)
run-error-no-weight = { $system } (в группах этого ядра может не быть blkio.weight)
run-error-no-blkio = иерархия blkio версии 1 не смонтирована, а группы версии 2 содержат процессы целиком, но не потоки, которыми являются задания; запустите fathom внутри группы (cgroup=)
run-error-panicked = рабочий поток аварийно завершился (ошибка в fathom)
run-error-no-answer = { $system }: устройство не ответило
run-error-no-zone-size = у устройства нет зон: задайте zonesize=
run-error-other-zone-size = zonesize= должен быть равен размеру зоны устройства ({ $device } байт) или не задан
run-error-no-placement = устройство не сообщает идентификаторов размещения: FDP не включено
run-error-placement-id = у устройства идентификаторов размещения: { $count }, индексы с 0; индекса { $id } нет
run-error-placement-scheme = { $path }:{ $line }: строка не имеет вида НАЧАЛО, КОНЕЦ, ID
run-error-open-zones = max_open_zones= больше предела устройства ({ $limit }); ignore_zone_limits=1 отменяет предел
run-error-append-zones = Zone Append требует пространства имён с зонами; у этого зон нет
run-error-below-zone = файл или устройство меньше одной зоны ({ $zone } байт)
run-error-no-whole-zone = offset и size не содержат целой зоны ({ $zone } байт)
run-error-flash-too-large = у накопителя из model_ftl больше { $pages } страниц; уменьшите размер или увеличьте страницы
