hosts-column-host = хост
hosts-column-iops = IOPS { $direction }
hosts-column-p99 = lat p99
hosts-column-began = начало
hosts-column-grade = оценка
hosts-lost-cell = потерян
hosts-skew = все рабочие потоки начали в пределах { $skew } (часы известны с точностью { $wrong })
hosts-fairness = справедливость { $index } (Jain: 1, если у всех хостов одинаковая скорость); первый хост закончил через { $first }, последний через { $last }
hosts-kept = его последние значения, через { $seconds } после начала, входят в сумму
hosts-nothing-kept = ни одно его значение не пришло
hosts-lost-ended = { $host }: соединение закончилось (статус { $status })
hosts-lost-killed = { $host }: соединение завершено сигналом
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: нет сообщений { $seconds } с
hosts-lost-no-agent = { $host }: это не агент fathom
hosts-lost-version = { $host }: там fathom { $version }, здесь { $own }; всем хостам нужна одна версия
hosts-bad-name = --hosts: '{ $name }' не имя хоста
hosts-none = хосты не указаны
hosts-not-with = { $switch } нельзя указать вместе с --hosts
hosts-nothing-to-run = с --hosts нужны задания
hosts-not-utf8 = с --hosts аргументы должны быть в UTF-8
hosts-refused = ни на одном хосте ничего не запущено
hosts-not-split-small = --share=split: { $path } содержит { $bytes } байт, меньше блока на каждый хост
hosts-not-split-unwritten = --share=split: { $path } нужно заполнить до запуска; сначала заполните его на одном хосте, без --hosts
hosts-no-mpirun = mpirun не установлен: установите openmpi-bin (Open MPI)
hosts-other-mpi = этот mpirun не из Open MPI ({ $said }): установите openmpi-bin и поставьте его mpirun первым в PATH
