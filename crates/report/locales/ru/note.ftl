# Notes about a run.
note-number-ends = прочитано как { $value }; `{ $rest }` не учитывается
note-space-short = fathom: место: задания запишут { $wanted } в файловую систему { $directory }, где свободно { $free }: они завершатся с ENOSPC
note-cgroup-limit = cgroup этого процесса ограничивает { $device }: { $limits }; близкая к этому скорость — лимит, а не скорость устройства
note-cgroup-reads = { $n } чтений/с
note-cgroup-writes = { $n } записей/с
note-cgroup-read-rate = чтение { $bytes } в секунду
note-cgroup-write-rate = запись { $bytes } в секунду
note-setting-unknown = неизвестно
note-setting-not-restored = { $disk }: { $setting } сейчас { $now }, а до изменения fathom (pid { $pid }) было { $before }; вернуть не удалось ({ $error }): запишите { $before } в { $path }
note-setting-restored = { $disk }: { $setting } снова { $before } (было { $changed }): fathom с pid { $pid }, изменивший значение, был убит
note-setting-changed-since = { $disk }: { $setting } равно { $now }; это установил не fathom, и значение остаётся (до изменения процессом fathom с pid { $pid } было { $before })
note-memory-not-locked = lockmem={ $bytes }: { $error }; задание работает без закреплённой памяти (см. ulimit -l)
note-log-waits = { $waits ->
    [one] задание { $waits } раз ждало записи своего журнала (всего { $ms } мс), что замедлило его; с log_avg_msec журналы короче
    [few] задание { $waits } раза ждало записи своего журнала (всего { $ms } мс), что замедлило его; с log_avg_msec журналы короче
   *[other] задание { $waits } раз ждало записи своего журнала (всего { $ms } мс), что замедлило его; с log_avg_msec журналы короче
}
note-log-interval-short = в { $percent } % интервалов log_avg_msec не завершилось ни одного I/O; выберите больший интервал
note-flash-traffic = модель твердотельного накопителя: усиление записи { $amplification } (страниц записано заданиями: { $host }, запрограммировано: { $nand }, освобождено trim: { $trimmed }; стёрто блоков: { $erases })
note-wear-budget-reached = прогон завершён досрочно: из --wear-budget в { $budget } записано { $written }
note-unanswered = { $ios ->
    [one] { $ios } выполнявшаяся операция так и не завершилась; отчёт показывает завершённые
    [few] { $ios } выполнявшиеся операции так и не завершились; отчёт показывает завершённые
   *[other] { $ios } выполнявшихся операций так и не завершились; отчёт показывает завершённые
}
note-posixaio-on-kernel-aio = ioengine=posixaio: io_uring не удалось создать ({ $error }); ввод-вывод выполняет AIO ядра (libaio)
note-measured-with-libaio = io_uring здесь использовать нельзя ({ $error }): измерено с ioengine=libaio
note-measured-with-psync = ни io_uring ({ $uring }), ни libaio ({ $libaio }) здесь использовать нельзя: измерено с ioengine=psync, где при любой глубине очереди выполняется один I/O
note-no-registered-files = io_uring: файлы не удалось зарегистрировать ({ $error }); используются обычные дескрипторы
note-no-registered-buffer = io_uring: буфер в { $bytes } байт не удалось зарегистрировать ({ $error }; предел закреплённой памяти (ulimit -l) или больше 1 GiB); используются обычные буферы
note-no-worker-limit = io_uring: предел рабочих потоков ядра не удалось приравнять к глубине очереди ({ $error })
note-no-deferred-task-work = io_uring: в этом ядре нет DEFER_TASKRUN; используется обычное кольцо
note-not-read-back = время выполнения истекло во время записи: ничего не прочитано и не проверено; уберите runtime или задайте verify_backlog, чтобы проверять блоки во время записи
