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
hosts-kept-apart = в его строке показатели до этого момента; в сумму они не входят
hosts-lost-ended = { $host }: соединение закончилось (статус { $status })
hosts-lost-killed = { $host }: соединение завершено сигналом
hosts-lost-said = { $host }: { $said }
hosts-lost-silent = { $host }: нет сообщений { $seconds } с
hosts-lost-signal = { $host }: { $signal } досрочно завершил его задания
hosts-lost-no-agent = { $host }: вывод команды — не сообщение fathom agent; см. --rsh и --agent
hosts-lost-version = { $host }: там fathom { $version }, здесь { $own }; всем хостам нужна одна версия
hosts-bad-name = --hosts: '{ $name }' не имя хоста
hosts-named-twice = --hosts: { $name } указан дважды; укажите каждый хост один раз
hosts-none = хосты не указаны
hosts-not-with = { $switch } нельзя указать вместе с --hosts
hosts-nothing-to-run = с --hosts нужны задания
hosts-not-utf8 = с --hosts аргументы должны быть в UTF-8
hosts-refused = ни на одном хосте ничего не запущено
hosts-not-split-small = --share={ $share }: { $path } содержит { $bytes } байт, меньше блока на каждый хост
hosts-not-split-unwritten = --share: { $path } ещё не имеет полного размера; сначала запишите его на одном узле, без --hosts
hosts-unknown = задание { $job }: hosts называет { $host }, которого нет среди --hosts
hosts-same-target = { $first } и { $second } писали бы в { $path } оба; если это намеренно, --share=split даёт каждому свою часть, --share=whole — каждому всё целиком
hosts-same-device = { $first } и { $second } испытывали бы { $path } оба; укажите для каждого хоста собственное устройство
hosts-stalled = { $host }: за { $seconds } с не завершился ни один ввод-вывод
hosts-awaited = { $hosts }: не готово уже { $seconds } с (проверка целей, запись файлов, exec_prerun); запуск ждёт
hosts-common = за { $seconds }, когда работали все хосты ({ $hosts }): { $rates }
hosts-common-rate = { $iops } IOPS { $direction }, { $rate } MB/s
hosts-rates-of-sum = скорости ниже — это ввод-вывод всех хостов, делённый на наибольшее время работы задания на хосте ({ $most }; наименьшее { $least })
hosts-use-common = общую скорость всех хостов даёт строка выше
hosts-slower = { $host } медленнее медианы остальных хостов на { $percent } % ({ $iops } против { $others } IOPS)
hosts-later = { $host } закончил на { $percent } % позже медианы остальных хостов (через { $done }, остальные через { $others })
hosts-no-reason = среди его собственных находок причины нет
hosts-more-behind = отстают ещё хосты ({ $count }): их перечисляет --json
hosts-left-out = самые медленные и самые быстрые хосты; промежуточные ({ $count }) не показаны: все есть в --json
hosts-table = Хосты, начиная с самого медленного
hosts-chart-section = Хосты
hosts-chart-joined = { $what } всех хостов во времени
hosts-chart-joined-note = Сумма хостов ({ $hosts }) по одним часам; время хоста может отличаться на { $wrong }.
hosts-chart-rate = { $what } каждого хоста
hosts-chart-rate-note = Сначала самый медленный хост: { $slowest }, { $low }; самый быстрый: { $fastest }, { $high }; медиана { $median }.
hosts-chart-latency = Задержка { $direction } каждого хоста
hosts-chart-latency-note = Процентили всех заданий хоста вместе, сначала наименьший 99-й процентиль: { $best }, { $low }; наибольший: { $worst }, { $high }.
hosts-chart-rank = хосты по порядку
hosts-chart-host = хост
hosts-chart-latency-axis = задержка
hosts-no-mpirun = mpirun не установлен: установите openmpi-bin (Open MPI)
hosts-other-mpi = этот mpirun не из Open MPI ({ $said }): установите openmpi-bin и поставьте его mpirun первым в PATH
hosts-verifies-overwritten = задание { $job }: с --share=whole каждый узел перезаписал бы то, что проверяют другие; дайте каждому свою часть (--share=split или offset_increment) или пусть пишет один узел (hosts=)
hosts-only-with = для { $switch } нужен --hosts или --hostfile, перед --name
hosts-waits-for-other = задание { $job }: wait_for называет { $other }, которое выполняется только на других узлах; stonewall ждёт все узлы
hosts-empty-rsh = --rsh пуст; нужна команда, которая запускает программу на узле, например ssh
hosts-not-with-study = { $switch } нельзя указать для исследования на нескольких хостах
hosts-simulated-target = моделируемое устройство не может быть целью исследования на нескольких хостах: у каждого хоста было бы своё
hosts-one-target = --hosts: укажите одну цель
hosts-other-hosts = S{ $study } измерялось на других хостах: укажите --hosts { $hosts }
hosts-simultaneously = { $count ->
    [one] { $count } хост
    [few] { $count } хоста
   *[other] { $count } хостов
} одновременно ({ $names }): скорости суммированы, глубина и задания указаны для каждого хоста
hosts-loading-together = { $count ->
    [one] { $count } хост
    [few] { $count } хоста
   *[other] { $count } хостов
} одновременно ({ $names }): скорости суммированы, одновременные I/O считаются по всем хостам; рекомендуемая iodepth указана для каждого хоста
hosts-uneven = больше всего хосты различаются при { $row }: у { $slowest } { $low } IOPS, у { $fastest } { $high } (справедливость { $index })
hosts-several-sizes = --share=interleave: у задания { $job } блоки разных размеров; задайте один размер или используйте --share=split
hosts-not-interleaved = --share=interleave: задание { $job }: { $option } не ограничивается каждым N-м блоком; используйте --share=split или --share=whole
hosts-other-blocks = --share=interleave: задания { $other } и { $job } обращаются к одному файлу разными блоками, и хосты перезаписали бы чужие блоки; задайте обоим одинаковые bs и offset или используйте --share=split
hosts-zoned = --share=interleave: { $path } имеет зоны, которые записываются по порядку; используйте --share=split с zonemode=zbd
finding-on-all-hosts = все хосты
finding-on-more-hosts = { $hosts } и ещё { $more }
finding-figures-of = значения хоста { $host }
hosts-measuring = измерение на хостах: { $hosts }
hosts-no-share = --share нельзя указать с этой командой: у каждого хоста собственные файлы, объекты или устройства
hosts-together = вместе
hosts-fairness-row = справедливость
hosts-rates = скорость хоста: за время работы его собственных потоков; вместе: операции всех хостов за время от первого начала потока на каком-либо хосте до последнего конца на каком-либо хосте
hosts-fairness-meaning = справедливость: индекс Jain скоростей хостов, 1 при равных скоростях
hosts-each = { $count ->
    [one] { $count } хост
    [few] { $count } хоста одновременно
   *[other] { $count } хостов одновременно
} ({ $names }): каждый выполняет всю нагрузку, и каждое значение относится к хосту с худшей оценкой
