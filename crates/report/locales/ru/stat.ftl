stat-solid-state = { $device }: %util { $util } не означает насыщения: устройство обслуживает запросы параллельно; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-one-head = { $device }: %util { $util } — доля времени, в течение которого диск работал; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-stacked = { $device }: %util { $util } не означает насыщения: под ним { $members ->
    [one] работает { $members } устройство
    [few] работают { $members } устройства
   *[other] работают { $members } устройств
    }; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-software = { $device }: %util { $util } не означает насыщения: работу выполняют нижележащие слои; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-virtual = { $device }: %util { $util } может не означать насыщения: носитель за этим виртуальным диском скрыт, и большинство обслуживает запросы параллельно; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-unknown = { $device }: %util { $util } — доля времени, когда в обработке был хотя бы один запрос; в среднем в обработке { $mean } ({ $busy } за время работы)
stat-pid = PID
stat-command = команда
stat-read = чтение/с
stat-written = запись/с
stat-ios = I/O в с
stat-cgroup = контрольная группа
stat-device = устройство
stat-no-processes = ни один процесс не читал с накопителей и не писал на них
stat-no-cgroups = ни одна контрольная группа не выполняла ввод-вывод
stat-watch-title = fathom stat, каждые { $seconds } с  { $time }
stat-watch-paused = пауза
stat-watch-keys = q выход  вверх/вниз устройство  p пауза
stat-watch-no-devices = нет устройств
stat-watch-detail = { $device }, последние { $seconds } с (слева наибольшее значение)
stat-no-terminal = --watch нужен терминал на стандартном вводе и выводе
stat-no-history = { $file }: { $error }
stat-bad-history = { $file }: строка { $line } не является отчётом fathom stat --history
stat-history-lost = не удалось записать историю { $file }: { $error }
stat-needs-value = { $option }: нужно значение
stat-excluded = { $first } нельзя сочетать с { $second }
stat-bad-top = --top: укажите число процессов от 1, например --top=10
