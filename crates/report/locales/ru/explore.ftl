# Вопросы
explore-depth = глубина очереди
explore-bs = размер блока
explore-runtime = длительность
explore-jobs = numjobs
explore-span = размер области
explore-grid = сетка iodepth x numjobs
explore-axis = параметр ядра
explore-targets = сравнение целей
explore-repeat = повторяемость
explore-slo = целевая задержка
explore-hosts = число хостов

# Что использовать
explore-scratch-file = временный файл размером { $size }
explore-scratch-objects = временные объекты размером { $size }
explore-load = { $jobs ->
    [1] iodepth { $depth }
   *[other] iodepth { $depth }, numjobs { $jobs }
}
explore-use = { $pattern }: используйте { $used }: { $rate }; средняя задержка { $mean }
explore-use-below-knee = не излом ({ $knee }, наименьшая глубина с 95 % максимума): эта глубина отличается от него меньше, чем на шум
explore-use-above-knee = не излом ({ $knee }, наименьшая глубина с 95 % максимума): скорость на нём ниже более чем на 3 %
explore-use-knee = { $pattern }: используйте { $used }: { $share } от максимума { $maximum }; средняя задержка { $mean } (на глубине 1 — { $alone })
explore-use-no-knee = { $pattern }: используйте { $used }: { $rate }; на этой глубине производительность ещё растёт, излом не найден; средняя задержка { $mean } (на глубине 1 — { $alone })
explore-use-one-limit = { $pattern }: используйте { $used }: { $rate }; большая глубина даёт столько же; средняя задержка { $mean }
explore-use-cpu-limit = { $pattern }: используйте { $used }: { $rate }; ограничивает процессор, а не устройство; средняя задержка { $mean }
explore-use-drifting = { $pattern }: используйте { $used }: { $rate }; к концу измерения производительность ещё менялась; средняя задержка { $mean }
explore-use-changed = { $pattern }: используйте { $used }: { $rate } в конце исследования, { $maximum } до этого; средняя задержка { $mean }

# Таблица
explore-pattern = шаблон
explore-knee-depth = излом
explore-knee-depth-unit = QD
explore-maximum = максимум
explore-latency = задержка
explore-at-depth-1 = на QD 1
explore-at-knee = на изломе
explore-device-busy = загрузка
explore-iops-bound = предел IOPS
explore-block-up-to = до
explore-bandwidth-bound = предел MB/s
explore-block-from = от
explore-run-time = прогон
explore-run-time-seconds = длительность, s
explore-run-time-default = { $seconds } (по умолчанию)
explore-share-of-maximum = доля максимума
explore-mean-latency-here = средняя задержка
explore-mean-latency-depth-1 = средняя задержка на QD 1
explore-p99-at-knee = задержка p99 на изломе

# Под таблицей
explore-no-difference-jobs = при той же общей глубине очереди numjobs не влияет: { $patterns }
explore-no-difference-span = размер области не влияет: { $patterns }
explore-targets-compared = { $pattern }, одновременно { $depth }: { $first } и { $second }, отношение { $ratio }
explore-second-faster = цель 2 быстрее при { $loads ->
    [one] этой нагрузке
   *[other] всех нагрузках ({ $loads })
}: IOPS в { $low }–{ $high } раза больше, чем у цели 1
explore-first-faster = цель 1 быстрее при { $loads ->
    [one] этой нагрузке
   *[other] всех нагрузках ({ $loads })
}: IOPS в { $low }–{ $high } раза больше, чем у цели 2
explore-some-faster = нагрузок: { $loads }; цель 1 быстрее при { $first }, цель 2 — при { $second }; без разницы — { $same }, неизвестно — { $open }
explore-question-of = { $question } ({ $patterns })
explore-question-of-all = { $question } (все шаблоны)
explore-not-answered = нет ответа: { $question }: { $reason }
explore-over-budget = не хватило бюджета времени, нужно ещё около { $minutes } min: { $questions }
explore-not-the-device = измерено не само устройство: { $statement }
explore-ended-by-signal = исследование прервано сигналом
explore-only-read = цель только читается; запись разрешает --write
explore-every-question = все вопросы
explore-random-only = размер области важен только для случайного доступа
explore-commits-not-paced = у задания одновременно одна фиксация: глубина очереди равна числу заданий, темп фиксаций не задаётся
explore-commits = { $sync }: IOPS — число фиксаций в секунду, задержка — время одной фиксации (записи после предыдущей синхронизации и сама синхронизация); каждая одновременная фиксация — отдельное задание
explore-resume = исследование прервано; продолжить: fathom explore --resume
explore-summary = { $points ->
    [one] измерена { $points } точка
    [few] измерены { $points } точки
   *[other] измерено { $points } точек
} за { $spent } s из { $budget } s
explore-legend = излом: наименьшая глубина очереди с 95 % от максимума; +-%: доверительный интервал 95 %
explore-details-why = подробности: fathom explore --why
explore-details-show = подробности: fathom show S{ $id }
explore-recommended-job = рекомендуемое задание для { $pattern } (все задания записывает --job FILE):

# Оценки
explore-separator = {"; "}
explore-unit-commits = фиксаций/s
explore-estimate = { $value }{ $unit } (от { $low } до { $high })
explore-measured-on = измерялось { $seconds } s, передано { $moved } в области { $region }

# Глубина очереди
explore-knee = излом при { $in_flight } одновременных I/O: { $share } от максимума { $figure }
explore-knee-between = излом лежит между { $low } и { $high } одновременными I/O
explore-mean-latency = средняя задержка { $mean } (на глубине 1 — { $alone })
explore-p99 = задержка p99 { $p99 }
explore-p99-between = задержка p99 { $p99 } (между { $low } и { $high })
explore-little = если бы задержка оставалась как на глубине 1, для максимума понадобилось бы { $bound } одновременных I/O (закон Литтла)
explore-no-knee = при { $up_to } одновременных I/O производительность ещё растёт: { $figure }; излом не найден
explore-one-limit = одна и та же скорость на всех глубинах от 1 до { $up_to }: { $figure }; средняя задержка на глубине 1 — { $alone }
explore-limit-above-device = ограничивает дроссель выше устройства: само устройство при этом простаивало
explore-limit-serial = ограничивает дроссель либо устройство, которое обслуживает по одному I/O
explore-cpu-limit = ограничивал процессор, а не устройство: { $figure } при { $in_flight } одновременных I/O от { $jobs ->
    [one] { $jobs } задания
   *[other] { $jobs } заданий
}; самый занятый поток использовал { $busy } процессора
explore-drifting = производительность ещё менялась: { $figure } при { $in_flight } одновременных I/O, а за { $over } s до этого { $before }; устойчивой скорости нет
explore-law-two-lines = производительность описывают две прямые: { $each } IOPS на каждый одновременный I/O до { $meet }, далее постоянная (ошибка предсказания { $lines_off }; у модели конкуренции { $usl_off })
explore-law-contention = производительность описывает модель конкуренции (USL), последовательная доля { $contention } (ошибка предсказания { $usl_off }; у двух прямых { $lines_off })
explore-law-either = производительность одинаково хорошо описывают две модели: две прямые с { $each } IOPS на каждый одновременный I/O до { $meet } (ошибка предсказания { $lines_off }) или конкуренция (USL) с последовательной долей { $contention } (ошибка предсказания { $usl_off })
explore-law-peak = пик модели — при { $peak } одновременных I/O
explore-law-no-peak = до { $up_to } одновременных I/O у модели нет пика
explore-law-maximum = максимум { $figure }
explore-cap-iops = вероятно, установлен предел { $figure }: блоки { $from } и { $to } дают одинаковые IOPS
explore-cap-bandwidth = вероятно, установлен предел пропускной способности { $figure }, { $mib } MiB/s: блоки { $from } и { $to } дают одинаковую пропускную способность
explore-sign-same-bytes = без такого предела меньшие блоки теряли бы пропускную способность из-за накладных расходов на I/O
explore-sign-idle-beneath = устройство ниже большую часть времени простаивало
explore-sign-regular = скорость намного ровнее, чем на глубине 1
explore-sign-longer-alone = на глубине 1 больший блок выполняется дольше
explore-sign-quick-when-few = при малой нагрузке I/O выполняется быстрее, чем смогло бы последовательное устройство с такой скоростью

# Остальные вопросы
explore-crossover = предел IOPS и предел пропускной способности сходятся при размере блока { $figure }: для IOPS берите блоки до { $up_to } ({ $iops } IOPS), для пропускной способности — от { $from } ({ $rate } MB/s), при { $in_flight } одновременных I/O
explore-same-iops = одинаковые IOPS при всех размерах блока от { $from } до { $to }: { $figure } при { $in_flight } одновременных I/O; предел пропускной способности не найден
explore-same-bandwidth = одинаковая пропускная способность при всех размерах блока от { $from } до { $to }: { $figure } при { $in_flight } одновременных I/O; предел IOPS не найден
explore-run-for = длительность прогона { $figure }: { $mean } s для среднего с точностью +-{ $within } %, { $tail } s для p99 с точностью +-{ $within_p99 } %, { $warm_up } s на разогрев
explore-run-for-mean = длительность прогона { $figure } для среднего с точностью +-{ $within } %, из них { $warm_up } s на разогрев; время для p99 с точностью +-{ $within_p99 } % неизвестно
explore-rate-steady = за { $seen } s измерения скорость была постоянной
explore-rate-drifts = за { $seen } s измерения скорость всё время менялась, поэтому никакой длительности не хватит
explore-rate-bursts = за { $seen } s измерения скорость шла всплесками, один за { $every } s
explore-rate-steps = за { $seen } s измерения скорость перешла с одного уровня на другой
explore-jobs-faster = больше заданий — быстрее: отношение IOPS numjobs={ $jobs } к numjobs=1 — { $figure }, всего { $in_flight } одновременных I/O
explore-jobs-slower = больше заданий — медленнее: отношение IOPS numjobs={ $jobs } к numjobs=1 — { $figure }, всего { $in_flight } одновременных I/O
explore-jobs-same = numjobs не влияет: отношение IOPS numjobs={ $jobs } к numjobs=1 — { $figure }, всего { $in_flight } одновременных I/O
explore-jobs-unknown = о влиянии numjobs вывода нет: отношение IOPS numjobs={ $jobs } к numjobs=1 — { $figure }, всего { $in_flight } одновременных I/O
explore-span-faster = малая область завышает результат: отношение IOPS { $part } из { $whole } ко всей области — { $figure }
explore-span-slower = малая область медленнее: отношение IOPS { $part } из { $whole } ко всей области — { $figure }
explore-span-same = размер области не влияет: отношение IOPS { $part } из { $whole } ко всей области — { $figure }
explore-span-unknown = о влиянии размера области вывода нет: отношение IOPS { $part } из { $whole } ко всей области — { $figure }
explore-targets-ratio = отношение IOPS цели 2 к цели 1 — { $figure }, одновременных I/O { $second } и { $first }, измерено поочерёдно
explore-setting-faster = { $name }={ $value } быстрее: отношение IOPS к { $name }={ $base } — { $figure }
explore-setting-slower = { $name }={ $value } медленнее: отношение IOPS к { $name }={ $base } — { $figure }
explore-setting-same = { $name }={ $value } не влияет: отношение IOPS к { $name }={ $base } — { $figure }
explore-setting-unknown = о влиянии { $name }={ $value } вывода нет: отношение IOPS к { $name }={ $base } — { $figure }
explore-changed-between = производительность изменилась между { $from_s } s и { $to_s } s исследования: до этого { $before }, затем { $figure }
explore-changed-about = производительность изменилась примерно через { $about_s } s после начала исследования: до этого { $before }, затем { $figure }
explore-rounds = { $rounds ->
    [one] { $rounds } серия
    [few] { $rounds } серии
   *[other] { $rounds } серий
} за { $over } s при { $in_flight } одновременных I/O: в среднем { $figure }
explore-rounds-differ = стандартное отклонение между сериями { $deviation } (от { $low } до { $high }), по одной серии ожидалось { $own }
explore-one-run-is-not-enough = один прогон не показателен: повторите его и укажите разброс
explore-one-run-is-enough = один прогон показателен в пределах своего интервала
explore-goal-mean = средняя
explore-goal-kept = задержка ({ $name }) не превышает { $limit } вплоть до { $figure }, { $share } от максимума; запросы приходят случайно, задержка считается от назначенного времени I/O
explore-goal-latency = задержка ({ $name }) примерно при этой скорости { $value }, между { $low } и { $high }
explore-goal-interval = интервал начинается со скорости, при которой цель доказанно соблюдается, и кончается той, при которой доказанно нарушается, либо максимумом
explore-goal-always-kept = задержка ({ $name }) не превышает { $limit } даже при наибольшей испытанной скорости, { $figure }, { $share } от максимума; запросы приходят случайно, выше максимума очередь растёт неограниченно
explore-goal-never-kept = задержка ({ $name }) никогда не бывает в пределах { $limit }: при одном I/O она { $figure }, а при { $lowest } IOPS, наименьшей испытанной скорости, ещё больше
explore-grid-best = iodepth={ $depth } numjobs={ $jobs } — наименьшая нагрузка вблизи максимума сетки: { $figure }

# Ограничения ответа
explore-caveat = оговорка: { $caveat }
explore-caveat-drifts = во время измерения производительность ещё изменилась на { $by }
explore-caveat-noise = соседние глубины различаются меньше, чем шум
explore-caveat-pauses = цель останавливалась примерно на { $each } каждые { $every }; скорость включает эти паузы
explore-caveat-may-be-more = максимум может быть выше, но не более чем на { $up }
explore-caveat-too-few = завершилось слишком мало I/O, чтобы знать скорость
explore-caveat-wide = доверительный интервал достигает +-{ $half }
explore-caveat-changed = позже в исследовании та же нагрузка дала { $now } IOPS
explore-caveat-errors = из { $all } I/O с ошибкой завершились { $failed }, они не учтены
explore-caveat-grade = часть точек имеет лишь оценку { $grade }

# Точки и нагрузки
points-none = не измерено ни одной точки
points-title = исследование { $targets }: { $points }; { $spent } s
points-count = { $points ->
    [one] { $points } точка
    [few] { $points } точки
   *[other] { $points } точек
}
points-count-unfinished = { $points ->
    [one] { $points } точка
    [few] { $points } точки
   *[other] { $points } точек
}, не закончено
points-whole-region = вся
points-drifting = дрейф
points-level-shift = смена уровня
points-time-limit = лимит времени
points-interrupted = прервано
points-point = точка
points-question = вопрос
points-target = цель
points-region = область
points-mean-latency = сред. зад.
points-p99-latency = зад. p99
points-seconds = сек.
points-jobs = заданий
points-grade = оценка
points-note = примечание
points-load = нагрузка
points-mean = среднее
points-latency = задержка
study-other-target = { $target } не является целью S{ $id }: { $why }
study-other-size = размер был { $before } байт, сейчас { $now }
study-other-file = его место занял другой файл
study-other-disks = цель была на { $before }, сейчас на { $now }
study-other-kind = это цель другого рода, или прямой ввод-вывод больше невозможен
explore-hosts-share = { $hosts ->
    [one] { $hosts } хост { $share } %
    [few] { $hosts } хоста { $share } %
   *[other] { $hosts } хостов { $share } %
}
explore-hosts-enough = { $enough ->
    [one] достаточно { $enough } хоста: он достигает
   *[other] достаточно { $enough } хостов: они достигают
} IOPS всех хостов, умноженных на { $figure } (хостов { $all }, в сумме те же { $in_flight } одновременных I/O)
explore-hosts-all = нужны все хосты ({ $all }), и большее их число может дать больше: { $fewer ->
    [one] { $fewer } хост достигает
    [few] { $fewer } хоста достигают
   *[other] { $fewer } хостов достигают
} их IOPS, умноженных на { $figure }, при тех же { $in_flight } одновременных I/O в сумме
explore-hosts-others = доля IOPS: { $shares }
explore-hosts-fairness = справедливость хостов { $index } (1: IOPS всех хостов равны)
explore-hosts-between = может понадобиться от { $fewest } до { $most } хостов: интервалы долей содержат 95 %
explore-hosts-uneven = медленнее всех { $slowest }: { $low }, у { $fastest } { $high }
