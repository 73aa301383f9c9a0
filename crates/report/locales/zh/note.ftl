# Notes about a run.
note-number-ends = 读作 { $value }；`{ $rest }` 被忽略
note-space-short = fathom: 空间：任务将向 { $directory } 所在的文件系统写入 { $wanted }，而它只有 { $free } 可用：任务会以 ENOSPC 结束
note-cgroup-limit = 此进程的 cgroup 将 { $device } 限制为 { $limits }：接近该值的速率是限制值，而非设备的速度
note-cgroup-reads = 每秒 { $n } 次读
note-cgroup-writes = 每秒 { $n } 次写
note-cgroup-read-rate = 每秒读 { $bytes }
note-cgroup-write-rate = 每秒写 { $bytes }
note-setting-unknown = 未知
note-setting-not-restored = { $disk }：{ $setting } 现为 { $now }，在 fathom（pid { $pid }）更改之前为 { $before }；无法恢复（{ $error }）：请将 { $before } 写入 { $path }
note-setting-restored = { $disk }：{ $setting } 已恢复为 { $before }（曾为 { $changed }）：更改它的 fathom（pid { $pid }）被杀死
note-setting-changed-since = { $disk }：{ $setting } 现为 { $now }，不是 fathom 设置的，保持不变（fathom（pid { $pid }）更改前为 { $before }）
note-memory-not-locked = lockmem={ $bytes }：{ $error }；任务在没有锁定内存的情况下运行（见 ulimit -l）
note-log-waits = 作业等待写日志 { $waits } 次（共 { $ms } ms），速度因此降低；log_avg_msec 可缩短日志
note-log-interval-short = log_avg_msec 的 { $percent } % 的区间内没有 I/O 完成；请使用更长的区间
note-flash-traffic = 模拟固态硬盘：写放大 { $amplification }（作业写入的页：{ $host }，编程的页：{ $nand }，trim 的页：{ $trimmed }；擦除的块：{ $erases }）
note-wear-budget-reached = 运行提前结束：--wear-budget（{ $budget }）已写入 { $written }
note-unanswered = 有 { $ios } 个在途 I/O 始终未完成；报告只含已完成的部分
note-posixaio-on-kernel-aio = ioengine=posixaio：无法建立 io_uring（{ $error }）；改由内核 AIO（libaio）执行 I/O
note-measured-with-libaio = 此处不允许使用 io_uring（{ $error }）：用 ioengine=libaio 测量
note-measured-with-psync = 此处不允许使用 io_uring（{ $uring }）和 libaio（{ $libaio }）：用 ioengine=psync 测量，无论队列深度为何都只有一个在途 I/O
note-no-registered-files = io_uring：无法注册文件（{ $error }）；使用普通描述符
note-no-registered-buffer = io_uring：无法注册 { $bytes } 字节的缓冲区（{ $error }；内存锁定限制（ulimit -l）或大于 1 GiB）；使用普通缓冲区
note-no-worker-limit = io_uring：无法将内核工作线程上限设为队列深度（{ $error }）
note-no-deferred-task-work = io_uring：此内核没有 DEFER_TASKRUN；使用普通的环
note-not-read-back = 运行时间在写入期间结束：没有读回和校验任何数据；请去掉 runtime，或设置 verify_backlog 在写入期间校验
