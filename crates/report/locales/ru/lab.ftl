# Исследования: почему на вопрос нет ответа.
lab-failure-not-the-device = точка { $point } измерила не само устройство
lab-failure-nothing-completed = ни одна операция не завершилась
lab-failure-nothing-twice = пока измерялись точки { $first } и { $second }, ни одна операция не завершилась
lab-failure-another-path = сохранённое исследование измерено другой версией: эта версия не стала бы измерять точку { $point }
lab-failure-rate-changed-from = скорость устройства менялась при каждой попытке; перед последним изменением она составляла { $iops } IOPS
lab-failure-rate-changed = скорость устройства менялась при каждой попытке: сравнивать нечего
lab-failure-no-maximum = максимум не измерен на устройстве (оценка X или нет измерений), поэтому доли от него неизвестны
lab-failure-nothing-to-compare = у одной из двух целей нет ответа для сравнения
lab-failure-pairs-differ = { $pairs ->
    [one] значения { $pairs } пары измерений
    [few] значения { $pairs } пар измерений
   *[other] значения { $pairs } пар измерений
} слишком различаются, чтобы назвать отношение
lab-failure-too-few-rounds = для сравнения меньше трёх проходов
lab-failure-points-too-short = ни одна точка с глубиной 1 не достаточно длинна, чтобы рекомендовать длительность; спросите и о глубине: --questions depth,runtime
lab-failure-beyond-seen = по { $seconds } s с одной операцией за раз определить нельзя; больший --budget измеряет дольше
lab-failure-beyond-budget = нельзя определить даже за { $budgets } таких бюджетов времени
lab-failure-no-goal = цель по задержке не задана: --slo p99=2ms
lab-no-queue-settings = ни у одного блочного устройства под целью нет настроек

# Почему цель нельзя использовать; перед текстом стоит путь.
lab-target-not-measurable = не каталог, не обычный файл и не блочное устройство
lab-target-directory = это каталог: укажите файл или блочное устройство (временные файлы fathom заполняются всегда)
lab-target-not-fillable = не обычный файл и не блочное устройство
lab-target-too-small = { $bytes } байт слишком мало для измерения: нужен хотя бы 1 MiB
lab-target-server-name = не является именем цели на сервере: rbd:POOL/IMAGE, rados:POOL, s3://BUCKET/PREFIX, nbd://HOST/EXPORT, nbd+unix:///?socket=PATH, nfs://HOST/EXPORT/FILE, iscsi://HOST/IQN/LUN
lab-target-other-engine = доступна только через ioengine={ $engine }: уберите ioengine
lab-target-password = содержит пароль, который попал бы в сохранённые результаты: уберите его (iscsi://USER@HOST/IQN/LUN) и задайте LIBISCSI_CHAP_PASSWORD
lab-target-not-on-server = на сервере не существует или пуст. Создать файл размером 1 GiB: { $command }
lab-target-on-server = — цель на сервере, которую эта команда не принимает; команды, которые её принимают, перечислены в docs/network.md
lab-target-on-server-fill = — цель на сервере, которую эта команда не принимает. Заполнить её (содержимое будет перезаписано): { $command }
lab-target-job-file = похоже на файл заданий: fathom run { $path }
lab-target-model-size = `{ $option }`: размер задаётся числом байт (64g, 1t)
lab-target-model-option = у моделируемого устройства нет параметра `{ $name }`; его параметры: size, { $known }
lab-target-scratch-not-filled = не удалось заполнить временный файл: { $error }
lab-target-scratch-too-slow = за отведённое время записано меньше 1 MiB временного файла
lab-target-read-only = файловая система смонтирована только для чтения: укажите каталог на доступной для записи либо файл или устройство для чтения
lab-target-no-room-for-scratch = { $free } MiB свободного места слишком мало: временный файл не менее 16 MiB может занимать десятую часть; освободите { $more } MiB или укажите существующий файл или устройство: они только читаются
lab-target-no-room-for-scratch-in-image = { $free } MiB свободного места в { $image }, где лежит образ этой файловой системы, слишком мало: временный файл не менее 16 MiB может занимать десятую часть; освободите там { $more } MiB или укажите существующий файл или устройство: они только читаются
lab-target-no-memory-for-scratch = { $memory } MiB доступной памяти слишком мало: временный файл не менее 16 MiB может занимать восьмую часть; освободите { $more } MiB или укажите существующий файл или устройство: они только читаются
lab-target-no-scratch = здесь нельзя создать временный файл ({ $error }): укажите каталог, доступный для записи, либо файл или устройство для чтения
lab-target-unknown-device = sysfs не знает это устройство, поэтому неизвестно, используется ли оно
lab-target-no-room-to-fill = для заполнения дыр нужно { $needed } MiB, свободно { $free } MiB; ничего не записано
lab-target-no-room-to-fill-under = для заполнения дыр нужно { $needed } MiB, под файлом { $under } свободно { $free } MiB; ничего не записано

# Настройки очереди блочного устройства.
lab-axis-unknown = «{ $name }» не входит в список: { $known }
lab-axis-one-value = у { $path } нет другого значения, кроме { $value }

# fathom prefill.
lab-prefill-unaligned = --{ $option }={ $value } не кратно { $block }: заполняются целые блоки
lab-prefill-unreadable = { $path }: { $failed } из { $of } проверенных блоков не удалось прочитать; ничего не заполнено, потому что их содержимое неизвестно
lab-prefill-after-end = --offset={ $offset } лежит за концом: размер { $path } — { $size } байт
lab-prefill-write-failed = { $path }: { $error }; записанное до этого остаётся, ничего не отмечено как заполненное
lab-prefill-holds-zeros = было отмечено как заполненное, но содержит нули: заполнено заново
lab-prefill-discarded-since = было заполнено раньше, но с тех пор часть данных отброшена (discard) или устройство подключено заново: заполнено заново
lab-prefill-still-unwritten = файловая система всё ещё считает незаписанными { $bytes } байт: не отмечено как заполненное
lab-prefill-no-state-directory = не заданы ни XDG_STATE_HOME, ни HOME: не отмечено как заполненное
lab-prefill-not-recorded = не отмечено как заполненное: { $error }
lab-prefill-recorded-in-attribute = атрибут { $name } файла
lab-refused-written-meanwhile = отказано: другая программа писала в { $path }, пока prefill заполнял этот файл: заполнено { $filled } из { $of } байт, остальное не тронуто; закройте его там и повторите
lab-refused-opened-meanwhile = отказано: другая программа открыла { $path }, пока prefill заполнял этот файл: заполнено { $filled } из { $of } байт, остальное не тронуто; закройте его там и повторите
lab-refused-no-consent = отказано: prefill записал бы { $bytes } байт случайных данных в { $path }, где сейчас читаются нули, а файл создан не fathom; чтобы заполнить его, добавьте --yes
lab-refused-changed = отказано: { $path } изменился во время проверки; ничего не записано
lab-refused-replaced = отказано: { $path } — не тот файл, который проверялся: его место занял другой; ничего не записано
lab-refused-no-lease = отказано: для { $path } нельзя получить аренду (lease): { $error }, поэтому программа, открывшая его во время заполнения, осталась бы незамеченной; чтобы всё же заполнить, добавьте --allow-destroy={ $path }
lab-refused-open-elsewhere = отказано: { $path } открыт ещё где-то (программа, виртуальная машина, отображение в память), откуда в него могут писать; сначала закройте его там
lab-refused-writable-elsewhere = отказано: { $path } открыт для записи ещё где-то (программа, виртуальная машина, loop-устройство), и в нынешние дыры могут записать данные; сначала закройте его там
lab-refused-carries = отказано: prefill записал бы случайные данные туда, где в { $path } читаются нули; в нём находится: { $content }; чтобы заполнить: fathom prefill --yes --allow-destroy={ $path } { $path }
lab-refused-in-use = отказано: prefill перезаписал бы { $path }: { $uses }; сначала завершите это
lab-refused-not-allowed = отказано: prefill перезаписал бы { $path }: все { $bytes } байт области, что бы там ни было; чтобы заполнить, добавьте --allow-destroy={ $path }
lab-refused-held-exclusively = отказано: prefill перезаписал бы { $path }: другая программа или ядро держит устройство монопольно; сначала завершите это

# Оговорки проверки.
lab-check-no-direct-io = файловая система не принимает O_DIRECT: в цифры входит страничный кэш
lab-check-interrupted = прервано сигналом: недостающие шаблоны не измерены
lab-target-simulated = у имитируемого устройства нет стека хранения; укажите файл, каталог или блочное устройство
lab-would-not-begin = запуск не начался бы: { $why }
