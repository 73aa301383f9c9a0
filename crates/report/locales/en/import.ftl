# fio's files: why one was not read, and what of one was left out.

import-nothing-of-several =
    { $path }: { $why } ({ $others ->
        [one] { $others } other file
       *[other] { $others } other files
    } could not be read either)
import-empty-directory = no .json and no .log file in this directory
import-no-path = no file or directory to read
import-too-long = longer than { $most } MiB, which no result is
import-not-regular = not a regular file
import-compressed = compressed histograms cannot be read: fio stores addresses in them instead of counts
import-same-load = the same load as in { $first }: both are kept, no mean is taken
import-empty-log = the log has no line
import-line = line { $line }: { $fault }
import-last-line = line { $line }, the last, is cut off and left out: { $fault }
import-no-rate = no rate: all I/Os ({ $direction }) completed in the first millisecond of the log
import-earlier-reports =
    { $reports ->
        [one] { $reports } earlier report
       *[other] { $reports } earlier reports
    } of the same run left out: the last one includes them
import-no-io = job { $job } did no I/O: it has no chart
import-no-job = the JSON has no job
import-empty = empty
import-breaks-off = the JSON breaks off at line { $line }: { $error }
import-document-breaks-off = the JSON document that begins at line { $line } breaks off and is left out
import-text-before =
    { $lines ->
        [one] { $lines } line
       *[other] { $lines } lines
    } of text before the JSON left out, the first: { $first }
import-readable = fathom reads fio's JSON (--output-format=json or json+) and its logs (write_bw_log and similar options)
import-terse = terse output of fio, which has neither pattern nor depth; { $readable }
import-text-report = a text report of fio; { $readable }
import-foreign = no output of fio; { $readable }
import-unnamed-log = a log whose name does not say what it counts; fio's logs are named PREFIX_bw.1.log, and _iops, _lat, _slat, _clat, _clat_hist
import-jobs-not-listed = "jobs" is not a list
import-unified = job { $job } counts all directions as one (unified_rw_reporting): reads and writes cannot be told apart
import-job-failed = job { $job } ended with error { $error }: its figures cover the time before it
import-line-too-long = longer than any line of fio's logs
import-line-columns =
    { $columns ->
        [one] { $columns } column
       *[other] { $columns } columns
    }; fio's logs have time, value, direction, block size
import-line-histogram-columns =
    { $columns ->
        [one] { $columns } column
       *[other] { $columns } columns
    }; fio's histogram logs have time, direction, block size, counts
import-line-not-whole = { $column } { $text } is not a whole number from 0 up
import-line-not-number = the value { $text } is not a number from 0 up
import-line-not-direction = { $number } is not a direction; fio has 0 for read, 1 for write, 2 for trim
import-line-buckets =
    { $buckets ->
        [one] { $buckets } count
       *[other] { $buckets } counts
    }; fio's histograms have 1856, or half as many for each step of log_hist_coarseness
import-line-count = { $ios } I/Os in one interval are not possible
import-column-time = the time
import-column-direction = the direction
import-column-block-size = the block size
import-column-fifth = column 5
import-column-count = the count
