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
