# fio's files: why one was not read, and what of one was left out.

import-nothing-of-several =
    { $path }: { $why } (не удалось прочитать ещё { $others ->
        [one] { $others } файл
        [few] { $others } файла
       *[other] { $others } файлов
    })
import-empty-directory = в этом каталоге нет файлов .json и .log
import-no-path = нет файла или каталога для чтения
import-too-long = длиннее { $most } МиБ: результаты такими не бывают
import-not-regular = не обычный файл
import-compressed = сжатые гистограммы: в таком журнале fio хранит адреса, а не счётчики
import-same-load = та же нагрузка, что и в { $first }: сохраняются обе, среднее не берётся
import-empty-log = в журнале нет ни одной строки
import-line = строка { $line }: { $fault }
import-last-line = строка { $line }, последняя, обрывается и пропущена: { $fault }
import-no-rate = скорости нет: все операции ({ $direction }) завершились в первую миллисекунду журнала
import-earlier-reports =
    { $reports ->
        [one] пропущен { $reports } более ранний отчёт
        [few] пропущено { $reports } более ранних отчёта
       *[other] пропущено { $reports } более ранних отчётов
    } о том же запуске: последний их включает
import-no-io = задание { $job } не выполнило ни одной операции: графика нет
import-no-job = в JSON нет ни одного задания
import-empty = пустой файл
import-breaks-off = JSON обрывается в строке { $line }: { $error }
import-document-breaks-off = документ JSON, начинающийся в строке { $line }, обрывается и пропущен
import-text-before =
    { $lines ->
        [one] пропущена { $lines } строка
        [few] пропущены { $lines } строки
       *[other] пропущено { $lines } строк
    } текста перед JSON, первая: { $first }
import-readable = fathom читает JSON от fio (--output-format=json или json+) и его журналы (write_bw_log и подобные параметры)
import-terse = вывод fio в формате terse, в котором нет ни шаблона, ни глубины; { $readable }
import-text-report = текстовый отчёт fio; { $readable }
import-foreign = не вывод fio; { $readable }
import-unnamed-log = журнал, имя которого не говорит, что в нём записано; журналы fio называются PREFIX_bw.1.log, а также _iops, _lat, _slat, _clat, _clat_hist
import-jobs-not-listed = "jobs" не является списком
import-unified = задание { $job } считает все направления вместе (unified_rw_reporting): чтение и запись не различить
import-job-failed = задание { $job } завершилось с ошибкой { $error }: его показатели относятся ко времени до неё
import-line-too-long = длиннее любой строки журналов fio
import-line-columns =
    { $columns ->
        [one] { $columns } столбец
        [few] { $columns } столбца
       *[other] { $columns } столбцов
    }; в журналах fio есть время, значение, направление, размер блока
import-line-histogram-columns =
    { $columns ->
        [one] { $columns } столбец
        [few] { $columns } столбца
       *[other] { $columns } столбцов
    }; в журналах гистограмм fio есть время, направление, размер блока, количества
import-line-not-whole = { $column } { $text } не является целым числом от 0
import-line-not-number = значение { $text } не является числом от 0
import-line-not-direction = { $number } не является направлением; у fio 0 означает read, 1 — write, 2 — trim
import-line-buckets =
    { $buckets ->
        [one] { $buckets } значение
        [few] { $buckets } значения
       *[other] { $buckets } значений
    }; в гистограммах fio их 1856, и с каждым шагом log_hist_coarseness вдвое меньше
import-line-count = { $ios } операций за один интервал невозможны
import-column-time = время
import-column-direction = направление
import-column-block-size = размер блока
import-column-fifth = столбец 5
import-column-count = количество
