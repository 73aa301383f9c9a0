# Job files and the command line: errors and remarks.
job-named = задание { $name }: { $why }
job-plan-clones = клонов на данный момент: { $clones }; допустимо не более { $most }
job-plan-files = numjobs, умноженное на nrfiles, даёт файлов на данный момент: { $files }; допустимо не более { $most }
job-plan-no-hosts = hosts в задании называет узлы запуска на нескольких: укажите fathom run --hosts УЗЕЛ,УЗЕЛ перед --name или с файлом заданий
job-plan-path = { $path }: не удалось определить тип и размер: { $why }
job-plan-no-block-device = filetype=block, но путь не является блочным устройством
job-plan-no-character-device = filetype=char, но путь не является символьным устройством
job-plan-no-regular-file = filetype=file, но путь не является обычным файлом
job-plan-fill-without-size = fill_device: для случайной записи нужен size=, например size=1t
job-plan-mmap-appends = ioengine=mmap не может увеличить файл, как требует file_append=1; подойдёт, например, ioengine=psync
job-plan-no-size = { $path } отсутствует или пуст, и его размер неизвестен; правильно, например: size=64m
job-plan-no-namespace = { $path } не является символьным устройством пространства имён NVMe; для ioengine=io_uring_cmd нужно такое устройство, например filename=/dev/ng0n1
job-plan-no-flash = { $path } не является устройством MTD; для ioengine=mtd нужно такое устройство, например filename=/dev/mtd0
job-plan-no-dax = { $path } не является устройством DAX; для ioengine=dev-dax нужно такое устройство, например filename=/dev/dax0.0; для файлов есть ioengine=libpmem
job-plan-no-device = { $path } не является устройством; для ioengine=sg нужен диск SCSI, например filename=/dev/sg0 или filename=/dev/sdb
job-plan-no-scsi-disk = { $path } не является диском SCSI; для ioengine=sg нужен такой диск, например filename=/dev/sg0 или filename=/dev/sdb
job-plan-part-of-scsi-disk = { $path } — раздел, а команды SCSI адресуют весь диск; укажите диск и начало раздела в offset
job-plan-offset = offset { $start } выходит за пределы { $path } ({ $end } байт)
job-plan-no-block = { $total } байт, начиная с offset, не вмещают блок в { $block } байт
job-plan-sequence = random_distribution=sequence: в { $path } есть блоки с 0 по { $last }
job-plan-sprandom-cache = область sprandom не должна быть меньше spr_cs: задайте spr_num_regions не больше { $most }
job-at = { $place }: { $what }: { $why }
job-command-line = командная строка
job-either = { $first } или { $second }
job-one-per-target = fathom: целей { $targets }: для каждой своё задание ({ $jobs }) со своими size и iodepth; с file_service_type=roundrobin одно задание чередует их
job-did-you-mean = возможно, имелось в виду: { $program } { $line }
job-needs = требует { $what }, что fathom не использует
job-not-built = ещё не реализовано
job-other-engine = { $place }: { $option } относится к ioengine={ $engines }; сначала нужно задать этот параметр
job-other-profile = { $place }: { $option } относится к --profile={ $profiles }; этот параметр должен стоять раньше
job-no-value = сразу после `=` нужно значение
job-no-value-example = сразу после `=` нужно значение, например --{ $option }={ $example }
job-profile-size = здесь нужно число в МиБ, например --size=64
job-profile-unknown = допустимо только tiobench или act
job-profile-other-jobs = содержит собственные задания; --name и файлы заданий с ним не сочетаются
job-profile-no-devices = нужны устройства, например --device-names=/dev/nvme0n1
job-switch-time = нужно время, например 1s
job-switch-idle-prof = допустимо system, percpu или calibrate
job-switch-wear-budget = нужно число байтов (10G) или процент (0.1%)
job-switch-format = допустимо normal, terse, json, json+ или несколько из них
job-command-line-only = допустимо только в командной строке
job-unknown-option = параметра с таким именем нет
job-wait-for = wait_for={ $waitee }: должно быть имя ровно одного из предыдущих заданий
job-ramp-sizes = ramp_size: значение должно совпадать у всех заданий группы отчёта; у { $other } { $theirs } байт, у { $name } { $bytes } байт
job-steady-states = опции steadystate: значения должны совпадать у всех заданий группы отчёта; у { $other } они другие
job-opendir = нужен каталог, файлы которого можно перечислить
job-file = { $name }: { $why }; слово без дефисов — это файл задания
job-outside-section = должно следовать за строкой вида [global] или [jobname]
job-include-many = включённых файлов больше { $most }
job-include-deep = вложенность файлов больше { $most }
job-section-in-included = во включённом файле не может быть собственных секций
job-readonly-writes = --readonly разрешает только чтение
job-readonly-names = --readonly, а { $engine } создаёт или удаляет файлы
job-readonly-program = --readonly не запускает программ ({ $program }); уберите одно из двух
job-moves-no-bytes = ioengine={ $engine } не передаёт байтов; используйте ramp_time
job-at-least = должно быть не меньше { $least }
job-at-most = должно быть не больше { $most }
job-excludes = несовместимо с { $options }
job-no-clock = нужен номер часов: 0 (календарное время), 1 (монотонные), 4 (монотонные, raw), 7 (от загрузки) или 11 (TAI)
job-check-interval = нужно не меньше 1 ms, а steadystate_duration должно быть кратно этому интервалу
job-issue-time = требует write_lat_log и log_offset
job-working-set-size = working_set требует size=, например size=1g
job-working-set-files = working_set требует ровно один файл
job-working-set-large = при dedupe_percentage={ $dedupe } должно быть не больше { $most }
job-one-head = с model_disk должно быть 1: у него одна головка
job-offload-polled = offload с hipri: ещё не реализовано
job-atomic-engine = ioengine={ $engine } не поддерживает атомарную запись; подойдут pvsync2, libaio или io_uring
job-offload-engine = offload с ioengine={ $engine }: ещё не реализовано; подойдёт, например, psync
job-part-of-page = с direct, fsync или fdatasync нужно кратное { $page }
job-no-skip = после `:` нужно число пропускаемых байтов, например { $rw }:8k
job-net-direction = сокеты передают последовательное чтение или запись, без trim; UDP — только одно из них
job-net-listens = только для TCP; для чтения через udp и unix опция не нужна
job-net-port-of-unix = у сокета домена Unix нет порта
job-net-without-port = для tcp и udp нужен port=, например port=8888
job-remote-without = движку нужен { $option }=, например { $option }={ $example }
job-net-without-host = заданию, которое подключается или отправляет, нужен hostname=, например hostname=127.0.0.1
job-net-without-path = для protocol=unix нужен filename= — путь к сокету
job-net-host-of-receiver = задание, которое ждёт подключения или принимает данные, не использует hostname, кроме группы UDP multicast
job-zones-not-strided = требует zonemode=strided или zonemode=zbd
job-zone-capacity = больше зоны (zonesize={ $size })
job-zone-size = при zonemode=zbd должно быть не меньше 512 байт
job-zone-skip = должно быть кратно zonesize ({ $size })
job-zone-trims = ещё не реализовано; trim с zonemode=zbd
job-zone-block = блок должен помещаться в зону (zonesize={ $size })
job-zone-append = Zone Append требует zonemode=zbd
job-zone-recovery = требует continue_on_error для записей, например continue_on_error=write
job-sprandom-writes = требует rw=randwrite
job-sprandom-generator = с sprandom должно быть lfsr
job-sprandom-blocks = требует одного размера блока, например bs=4k
job-sprandom-files = требует одного файла или устройства
job-sprandom-ratio = должно быть больше 0 и меньше 1
job-ranges-without-trims = num_range больше 1 — для заданий, которые только делают trim (rw=trim или randtrim)
job-ranges-engine = trim из нескольких диапазонов требует ioengine=io_uring_cmd, а не { $engine }
job-ranges-long = trim должен быть меньше 2 ГиБ: при таком размере блока не более { $most } диапазонов
job-placement-engine = размещение данных требует команд записи ioengine=io_uring_cmd, а не { $engine }
job-placement-ids = требует чисел от 0 до 65535 и их диапазонов, не более 128, например 0,2-4
job-streams-ids = dataplacement=streams требует plids=, например plids=1-4
job-scheme-missing = требует dp_scheme= — файл со строкой НАЧАЛО, КОНЕЦ, ID на каждый диапазон
job-strided-size = strided требует zonesize=, например zonesize=256m
job-standard-stream = стандартный ввод или вывод как цель: ещё не реализовано
job-verify-without-pattern = блоки должны содержать образец: задайте verify_pattern, например verify_pattern=0xdeadbeef
job-verify-unaligned = у блоков любого размера (bs_unaligned с диапазоном) нет общего места для заголовков: уберите bs_unaligned
job-verify-without-data = { $engine } не передаёт данных: проверять нечего
job-verify-block-too-small = блоку или промежутку между заголовками нужно не меньше { $least } байт для заголовка, а есть { $interval }
job-size-below-block = должен вмещать хотя бы один блок ({ $block } байт)
trace-fault = read_iolog={ $path }: { $why }
trace-line = { $path }:{ $line }: { $why }
trace-event = { $path }: событие { $number }: { $why }
trace-unreadable = не удалось прочитать трассу
trace-errno = не удалось прочитать трассу: { $why }
trace-header = это неизвестная трасса: она начинается с "{ $found }". Текстовая трасса начинается с "fio version 3 iolog" или "fio version 2 iolog" либо имеет столбцы одной из коллекций CSV; двоичная трасса должна быть получена от blkparse -d
trace-no-io = в трассе нет ввода-вывода
trace-action-2 = "{ $found }" не является записью трассы; нужно FILE add|open|close, FILE read|write|trim|sync|datasync OFFSET LENGTH или FILE wait MICROSECONDS 0
trace-action-3 = "{ $found }" не является записью трассы; нужно TIME FILE add|open|close или TIME FILE read|write|trim|sync|datasync OFFSET LENGTH
trace-timestamp = время должно быть числом микросекунд от начала, а не "{ $found }"
trace-wait = ожидание должно быть числом микросекунд, а не "{ $found }"
trace-offset = смещение должно быть числом байт, а не "{ $found }"
trace-length = длина должна быть числом байт, а не "{ $found }"
trace-wait-in-3 = в версии 3 нет wait; вместо этого укажите время в начале каждой строки
trace-not-added = файл { $file } не добавлен; перед этой строкой нужна строка с его именем и add
trace-not-open = файл { $file } не открыт; перед этой строкой нужна строка с его именем и open
trace-length-range = длина равна { $bytes } байт; допустимо от 1 до { $most }
trace-offset-range = операция заканчивается дальше 2^63 - 1 байт
trace-line-too-long = строка длиннее { $most } байт
trace-files = в трассе больше { $most } файлов
trace-bad-event = это не полное событие blktrace версии 7; нужен вывод blkparse -d
trace-no-device = нет блочного устройства с номером { $major }:{ $minor }; выберите устройство с помощью replay_redirect
trace-row = в строке "{ $found }" нет столбцов { $columns }
trace-volumes = в трассе { $count } томов ({ $names }); выделите один командой fathom trace ФАЙЛ --volume ИМЯ --iolog ВЫВОД и воспроизведите его
trace-no-such-volume = в трассе нет операций тома { $volume }; её тома: { $names }
trace-no-volumes = тома есть только в трассах CSV
trace-not-a-file = том { $volume } не является файлом; выберите файл или устройство с replay_redirect
trace-not-blktrace = это не файл blktrace, а merge_blktrace_file объединяет только такие; используйте вывод blkparse -d
trace-changed = трасса изменилась после проверки
job-file-or-target = { $name }: { $why }; слово без дефисов — файл заданий или устройство. --filename={ $name } создаёт задание, которое измеряет файл
job-remote-target = { $name }: цель на сервере выбирается параметрами задания: { $options }
job-access-files = требует одного файла или устройства
