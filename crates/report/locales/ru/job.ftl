# Job files and the command line: errors and remarks.
job-named = задание { $name }: { $why }
job-plan-clones = клонов на данный момент: { $clones }; допустимо не более { $most }
job-plan-files = numjobs, умноженное на nrfiles, даёт файлов на данный момент: { $files }; допустимо не более { $most }
job-plan-path = { $path }: не удалось определить тип и размер: { $why }
job-plan-no-block-device = filetype=block, но путь не является блочным устройством
job-plan-no-character-device = filetype=char, но путь не является символьным устройством
job-plan-no-regular-file = filetype=file, но путь не является обычным файлом
job-plan-fill-without-size = fill_device: для случайной записи нужен size=, например size=1t
job-plan-mmap-appends = ioengine=mmap не может увеличить файл, как требует file_append=1; подойдёт, например, ioengine=psync
job-plan-no-size = { $path } отсутствует или пуст, и его размер неизвестен; правильно, например: size=64m
job-plan-offset = offset { $start } выходит за пределы { $path } ({ $end } байт)
job-plan-no-block = { $total } байт, начиная с offset, не вмещают блок в { $block } байт
job-plan-sequence = random_distribution=sequence: в { $path } есть блоки с 0 по { $last }
job-at = { $place }: { $what }: { $why }
job-command-line = командная строка
job-either = { $first } или { $second }
job-did-you-mean = возможно, имелось в виду: { $program } { $line }
job-not-built = ещё не реализовано
job-other-engine = { $place }: { $option } относится к ioengine={ $engines }; сначала нужно задать этот параметр
job-other-profile = { $place }: { $option } относится к --profile={ $profiles }; этот параметр должен стоять раньше
job-no-value = сразу после `=` нужно значение
job-no-value-example = сразу после `=` нужно значение, например --{ $option }={ $example }
job-profile-size = здесь нужно число в МиБ, например --size=64
job-profile-unknown = допустимо только tiobench
job-profile-other-jobs = содержит собственные задания; --name и файлы заданий с ним не сочетаются
job-switch-time = нужно время, например 1s
job-switch-idle-prof = допустимо system, percpu или calibrate
job-switch-format = допустимо normal, terse, json, json+ или несколько из них
job-command-line-only = допустимо только в командной строке
job-unknown-option = параметра с таким именем нет
job-wait-for = wait_for={ $waitee }: должно быть имя ровно одного из предыдущих заданий
job-ramp-sizes = ramp_size: значение должно совпадать у всех заданий группы отчёта; у { $other } { $theirs } байт, у { $name } { $bytes } байт
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
job-at-most = должно быть не больше { $most }
job-excludes = несовместимо с { $options }
job-no-clock = нужен номер часов: 0 (календарное время), 1 (монотонные), 4 (монотонные, raw), 7 (от загрузки) или 11 (TAI)
job-working-set-size = working_set требует size=, например size=1g
job-working-set-files = working_set требует ровно один файл
job-working-set-large = при dedupe_percentage={ $dedupe } должно быть не больше { $most }
job-one-head = с model_disk должно быть 1: у него одна головка
job-offload-polled = offload с hipri: ещё не реализовано
job-offload-engine = offload с ioengine={ $engine }: ещё не реализовано; подойдёт, например, psync
job-part-of-page = с direct, fsync или fdatasync нужно кратное { $page }
job-no-skip = после `:` нужно число пропускаемых байтов, например { $rw }:8k
job-zones-not-strided = требует zonemode=strided или zonemode=zbd
job-zone-capacity = больше зоны (zonesize={ $size })
job-zone-size = при zonemode=zbd должно быть не меньше 512 байт
job-zone-skip = должно быть кратно zonesize ({ $size })
job-zone-trims = ещё не реализовано; trim с zonemode=zbd
job-zone-block = блок должен помещаться в зону (zonesize={ $size })
job-strided-size = strided требует zonesize=, например zonesize=256m
job-standard-stream = стандартный ввод или вывод как цель: ещё не реализовано
job-size-below-block = должен вмещать хотя бы один блок ({ $block } байт)
