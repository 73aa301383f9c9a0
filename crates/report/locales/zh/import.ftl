# fio's files: why one was not read, and what of one was left out.

import-nothing-of-several = { $path }：{ $why }（另有 { $others } 个文件也无法读取）
import-empty-directory = 此目录中没有 .json 和 .log 文件
import-no-path = 没有可读取的文件或目录
import-too-long = 超过 1 GiB：fio 的结果不会这么长
import-not-regular = 不是普通文件
import-compressed = 已压缩（log_store_compressed）：请用 fio --inflate-log=FILE 解压
import-same-load = 与 { $first } 中的负载相同：两者都保留，不取平均值
import-empty-log = 日志中没有任何行
import-line = 第 { $line } 行：{ $fault }
import-last-line = 第 { $line } 行（最后一行）不完整，已略去：{ $fault }
import-no-rate = 没有速率：所有 I/O（{ $direction }）都在日志的第一毫秒内完成
import-earlier-reports = 略去同一次运行的 { $reports } 份较早的报告：最后一份已包含它们
import-no-io = 作业 { $job } 没有做任何 I/O：没有图表
import-no-job = JSON 中没有作业
import-empty = 空文件
import-breaks-off = JSON 在第 { $line } 行中断：{ $error }
import-document-breaks-off = 从第 { $line } 行开始的 JSON 文档不完整，已略去
import-text-before = 略去 JSON 之前的 { $lines } 行文本，第一行：{ $first }
import-readable = fathom 可读取 fio 的 JSON（--output-format=json 或 json+）及其日志（write_bw_log 及类似选项）
import-terse = fio 的 terse 输出，其中没有访问模式和深度；{ $readable }
import-text-report = fio 的文本报告；{ $readable }
import-foreign = 不是 fio 的输出；{ $readable }
import-unnamed-log = 日志的名称没有说明它记录什么；fio 的日志名为 PREFIX_bw.1.log，以及 _iops、_lat、_slat、_clat、_clat_hist
import-jobs-not-listed = "jobs" 不是列表
import-unified = 作业 { $job } 把所有方向合并计数（unified_rw_reporting）：无法区分读和写
import-job-failed = 作业 { $job } 因错误 { $error } 结束：其数值只涵盖出错之前的时间
import-line-too-long = 比 fio 日志中的任何行都长
import-line-columns = { $columns } 列；fio 的日志包含时间、值、方向、块大小
import-line-histogram-columns = { $columns } 列；fio 的直方图日志包含时间、方向、块大小、计数
import-line-not-whole = { $column } { $text } 不是从 0 起的整数
import-line-not-number = 值 { $text } 不是从 0 起的数
import-line-not-direction = { $number } 不是方向；fio 用 0 表示 read，1 表示 write，2 表示 trim
import-line-buckets = { $buckets } 个计数；fio 的直方图有 1856 个，log_hist_coarseness 每增加一级减半
import-line-count = 一个区间内不可能有 { $ios } 个 I/O
import-column-time = 时间
import-column-direction = 方向
import-column-block-size = 块大小
import-column-fifth = 第 5 列
import-column-count = 计数
