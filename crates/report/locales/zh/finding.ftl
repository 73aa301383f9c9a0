grade-trusted = 未发现问题
grade-caveats = 有保留
grade-conditions = 仅在下列条件下有效
grade-not-the-device = 测到的不是该设备
finding-rule-memory = 内存
finding-rule-errors = 错误
finding-rule-end = 结束
finding-rule-stopped = 停止
finding-rule-size = 大小
finding-rule-network = 网络
finding-page-cache = 读取的 { $read } 中有 { $served } 来自页缓存，而非设备
finding-page-cache-fits-memory = 读取的 { $read } 中有 { $served } 来自页缓存，而非设备：{ $data } 数据可全部放入 { $memory } 内存
finding-writes-cached = 运行结束时，写入的 { $written } 中只有 { $there } 到达设备：其余仍在页缓存中
finding-writes-returned-early = 写延迟中位数 { $half } 是页缓存的延迟：{ $device } 上的一次写入耗时 { $at_device }
finding-cache-below-write = { $upper } 收到 { $above } 写入，但只有 { $below } 到达其下的 { $lower }：中间的缓存吸收了其余部分
finding-cache-below-read = { $upper } 返回了 { $above } 读取数据，但只有 { $below } 来自其下的 { $lower }：其余由中间的缓存提供
finding-above-link = 测得的 { $seen } 超出 { $device } 链路的能力（{ $ceiling }）：部分 I/O 由缓存完成
finding-too-fast-for-rotational = 随机读延迟中位数 { $p50 } 对机械硬盘 { $device } 来说过短：读取由缓存完成
finding-tiny-span-passes = { $span } 的区域被遍历 { $passes } 遍：可能全部放入硬盘自身的缓存
finding-tiny-span-random = 随机 I/O 仅覆盖 { $span }：页缓存可全部容纳
finding-no-queue = 引擎 { $engine } 只能保持一个在途 I/O：iodepth={ $asked } 未起作用
finding-no-queue-reached = 引擎 { $engine } 只能保持一个在途 I/O：iodepth={ $asked } 未起作用（平均队列深度 { $reached }）
finding-blocking-submit-buffered = 未使用 direct=1 时，{ $engine } 会阻塞在提交调用中
finding-blocking-submit-buffered-measured = 未使用 direct=1 时，{ $engine } 会阻塞在提交调用中：平均队列深度 { $reached } / { $asked }，延迟的 { $call } 耗费在该调用中
finding-blocking-submit-direct = 提交调用发生阻塞
finding-blocking-submit-direct-measured = 提交调用发生阻塞：平均队列深度 { $reached } / { $asked }，延迟的 { $call } 耗费在该调用中
finding-shallow = 平均队列深度为 { $reached }，而非 { $asked }（iodepth x numjobs）
finding-started-late = 设备跟不上跟踪文件的节奏：{ $late } 的请求比原定时间晚 { $limit } 以上才开始（延迟的 p99 为 { $p99 }）
finding-think-time = 思考时间（thinktime）使队列无法填满：iodepth={ $asked }，但每次暂停前队列都会排空
finding-think-time-blocks = 思考时间（thinktime）使队列无法填满：每 { $blocks } 个 I/O 后队列排空，而 iodepth={ $asked }
finding-think-time-reached = 思考时间（thinktime）使队列无法填满：平均队列深度 { $reached } / { $asked }（包含暂停时间）
finding-never-written = { $path } 的 { $part }（{ $missing }）从未写入：读取它们只返回零，不产生设备 I/O
finding-zeros = { $path } 的 { $sampled } 个抽样块中有 { $zero } 个全为零：硬盘返回这类块时可能不读取介质
finding-compressible = 写入数据的 { $smaller } 可压缩：带压缩功能的硬盘实际写入更少
finding-compressible-layer = { $layer } 会压缩数据，写入数据的 { $smaller } 可压缩：到达设备的数据更少
finding-step-down-write = 写入 { $at_s } s、{ $until } 后，写速率从 { $before } 降到 { $after }：写缓存已满或突发额度已用尽
finding-rate-dropped = { $at_s } s 后速率从 { $before } 降到 { $during } IOPS，持续 { $seconds } s
finding-rate-dropped-end = { $at_s } s 后速率从 { $before } 降到 { $during } IOPS，直到结束
finding-rate-dropped-stop = { $at_s } s 后速率从 { $before } 降到 { $during } IOPS，运行因此结束（--stop-on-drop）
finding-step-down-read = { $at_s } s、{ $until } 后，速率从 { $before } 降到 { $after }：突发额度已用尽或缓存不再命中
finding-unsteady = 未达到稳态：整个运行期间速率漂移 { $slope }，波动范围 { $range }
finding-write-back-cache = 随机写延迟中位数 { $p50 } 对机械硬盘 { $device } 来说过短：写入由回写缓存确认
finding-too-short-rate-uncertain = 运行 { $seconds } s 后，平均速率的不确定度为正负 { $half }
finding-too-short-few-ios = { $seconds } s 内仅 { $ios } 个 I/O，不足以给出 p99：其上{ $above ->
        [0] 没有 I/O
       *[other] 只有 { $above } 个
    }
finding-too-short-no-interval = { $seconds } s 过短，无法估计速率的波动
finding-size-ran-out = 任务在 { $asked_s } s 中的第 { $ran_s } s 结束，因为其全部数据量已传完
finding-short-stroke = 随机 I/O 仅覆盖 { $capacity } 中的 { $span }（{ $part }），每次 { $each }：磁头几乎没有移动（短行程）
finding-overlap = { $clones } 个顺序任务遍历同一区域：计入 { $counted }，不重复的只有 { $distinct }
finding-repeated = 每个块经页缓存平均被访问 { $times } 次，重复读取由内存提供
finding-uneven-offsets = 随机偏移不均匀：{ $ios } 的 I/O 落在 { $part } 的区域内（抽样 { $samples } 个，卡方检验 p { $chance }）
finding-generator = 某个任务线程占用了一个 CPU 的 { $busy }：瓶颈是 CPU，而非设备
finding-cpu-quota = CPU 配额（cpu.max）使 fathom 停顿 { $stopped }
finding-cpu-steal = 虚拟机监控器把 { $stolen } 的 CPU 时间分给了其他虚拟机（steal）
finding-cpu-contention = 某个任务线程在运行的 { $part } 时间里等待空闲 CPU，等待计入延迟
finding-cpus-busy = 测量期间有 { $part } 的时间任务在等待空闲 CPU：容量和延迟可能有误
finding-stopped = fathom 被停住 { $stopped }，占运行时间的 { $part }（SIGSTOP、Ctrl+Z、控制组冻结或虚拟机暂停），结果包含这段时间
finding-filling-buffers = 某个任务线程有 { $part } 的时间用于生成待写数据
finding-far-node = { $device } 连接在 NUMA 节点 { $node } 上，而任务运行在其他节点
finding-slowed-by-heat = { $device } 因温度降速 { $times } 次，按其自身计数共 { $seconds } 秒
finding-hot = { $device } 处于警告温度 { $minutes } 分钟
finding-slow-link = { $device } 的链路运行在 { $now }，而它支持 { $most }
finding-misaligned = { $device } 未与其下的 { $block } 块对齐：每个 I/O 触及两个块
finding-misaligned-partition = { $device } 起始于扇区 { $start_sector }，不是 { $block } 的整数倍：每个 I/O 触及其下的两个块
finding-partial-sector = { $block } 的写入小于 { $device } 的 { $sector } 扇区，设备须对整个扇区先读、再改、后写
finding-split = 每个 { $block } 的 I/O 在 { $device } 上被拆成 { $ratio } 个 I/O：设备的 IOPS 是任务的 { $ratio } 倍
finding-split-largest = 每个 { $block } 的 I/O 在 { $device } 上被拆成 { $ratio } 个 I/O（一次最多 { $most }）：设备的 IOPS 是任务的 { $ratio } 倍
finding-merged = { $ratio } 个 { $block } 的 I/O 在 { $device } 上合并为一个：任务的 IOPS 不是设备的 IOPS
finding-busy-is-not-full = { $device } 有 { $busy } 的时间处于忙碌状态，平均并行 { $at_once } 个请求：仅凭利用率不能说明已饱和
finding-idle-while-waiting = 有 { $in_flight } 个 I/O 在途，而 { $device } 仅 { $busy } 的时间忙碌：I/O 被挡在设备之上
finding-no-busy-time = { $device } 不统计忙碌时间：其 util 没有意义
finding-mean-hides = 平均值 { $mean } 不具代表性：中位数 { $p50 }，最大值 { $most }
finding-stall = 有一个 I/O 耗时 { $longest }：按此速率，期间本应发出 { $missed } 个请求（协同遗漏）
finding-pauses = 有 { $count } 次没有任何 I/O 完成的停顿：最长 { $longest }，共占运行时间的 { $part }
finding-pauses-periodic = 有 { $count } 次没有任何 I/O 完成的停顿，间隔 { $every }：最长 { $longest }，共占运行时间的 { $part }
finding-pauses-cpu-busy = { $pauses }；任务线程也在等待 CPU，但这未必是原因
finding-pauses-pattern = { $pattern }：有 { $count } 次没有任何 I/O 完成的停顿：最长 { $longest }，共占该模式 { $seconds } 的 { $part }
finding-other-load = { $device } 共读 { $read }、写 { $written }，其中本次运行只占 { $our_read } 和 { $our_written }：另有进程在使用该设备
finding-other-load-or-file-system = { $device } 共读 { $read }、写 { $written }，其中本次运行只占 { $our_read } 和 { $our_written }：另有进程或文件系统本身在使用该设备
finding-rebuilding = 测试期间 { $device } 在执行后台操作（{ $action }）
finding-cap-server = 测得的 { $seen } 等于服务器为 { $device } 设置的上限（{ $limit }）
finding-cap = 测得的 { $seen } 与控制组对 { $device } 的限制（{ $limit }）相符
finding-bursts = { $waited } 的 I/O 耗时约 { $wait }，而中位数为 { $half }：很可能存在 { $iops } IOPS 的限制，按突发方式放行
finding-bursts-every = { $waited } 的 I/O 耗时约 { $wait }，而中位数为 { $half }：很可能存在 { $iops } IOPS 的限制，每 { $period } 放行一批 I/O
finding-no-time = { $part } 的 I/O 耗时不足 2 us：时钟有误或由缓存应答
finding-not-durable = 写入未落盘：计数时数据仍在内存中
finding-not-durable-device-cache = 写入未落盘：数据可能仍在 { $device } 的易失性缓存中
finding-synced-at-end = 写入经过页缓存，最后由一次同步落盘：速率包含该同步，延迟则是页缓存的延迟
finding-state-carried = 此任务读取 { $before } 先前随机写入的数据：设备并非全新状态
finding-nearly-full = 文件系统已用 { $full }
finding-copy-on-write = { $kind } 把每个块写到新位置（写时复制）：结果包含其空间分配开销
finding-random-beats-sequential = 随机 I/O（{ $random }）快于顺序任务 { $sequential }（{ $ordered }）
finding-memory-no-storage = 未使用存储：只测量了负载发生器
finding-memory-no-device = { $kind } 把文件保存在内存中：没有测量磁盘
finding-below-memory = { $device } 把数据保存在内存中（{ $kind }）：没有测量磁盘
finding-overlay = { $path } 位于 overlayfs：首次写入下层文件时会复制整个文件
finding-failed = { $all } 个 I/O 中有 { $failed } 个失败：结果只涵盖其余 I/O
finding-interrupted = 运行在第一个 I/O 完成前被中断
finding-ended-early = 被 { $by } 终止：结果涵盖此前的时间
finding-ended-by-error = 任务因错误结束：结果并未涵盖全部
finding-no-completion = 没有任何 I/O 完成：什么都没有测到
finding-size-times-jobs = { $clones } 个任务各 { $each }，合计 { $whole }
advice-page-cache = 使用 direct=1
advice-writes-returned-early = 使用 direct=1，或用 fdatasync=1 等待设备
advice-writes-cached = 使用 direct=1，或用 end_fsync=1 把其余部分计入结果
advice-cache-below = 同时绕过 { $upper } 之下的缓存（对 loop 设备：losetup --direct-io=on）
advice-above-link = 找出链路之上的缓存并绕过它
advice-too-fast-for-rotational = 在整个磁盘范围内随机读取
advice-tiny-span = 使用远大于所有缓存的区域，或整个设备
advice-no-queue = 使用 ioengine=io_uring，或 libaio 加 direct=1，或增大 numjobs
advice-blocking-submit-buffered = 加上 direct=1
advice-blocking-submit-direct = 检查是否有分配空间的写入、请求队列已满（nr_requests），或文件系统不支持异步直接 I/O
advice-think-time = 这些数值反映的是暂停而非设备：要测量设备，请去掉 thinktime
advice-think-time-blocks = 将 thinktime_blocks 提高到 iodepth 的倍数，或用 rate_iops 代替 thinktime 来限制负载
advice-never-written = 先填充：fathom prefill { $path }
advice-zeros = 先用不可压缩的数据填充
advice-zeros-server = 先用不可压缩的数据填充（会覆盖其内容）：{ $command }（如被拒绝，加 --allow-destroy={ $path }）
advice-compressible = 改写不可压缩的数据（不用 zero_buffers、pattern、dedupe、compress 选项）并比较
advice-rate-dropped = 检查那时缓存是否写满、额度是否用尽、设备温度以及其他负载
advice-step-down = 引用较低的速率；把 ramp_time 设到下降之后可单独测量它
advice-unsteady = 延长运行时间，或用 ramp_time 排除开头部分
advice-write-back-cache = 写入量应超过控制器缓存的容量
advice-too-short = 延长运行时间后再比较此结果
advice-size-ran-out = 加上 time_based
advice-short-stroke = 在整个设备范围内测量随机 I/O，那样更慢
advice-overlap = 给每个任务单独的区域（offset_increment）或单独的文件
advice-repeated = 使用更大的文件，或 direct=1
advice-uneven-offsets = 不要当作整个区域的随机 I/O 引用；请将该任务作为 fathom 的错误报告
advice-generator = 使用更多任务、更大的块或更高效的引擎
advice-cpu-limited = 在 CPU 时间不受限的环境中测量
advice-cpu-contention = 停止其他 CPU 负载，或减少任务数
advice-cpus-busy = 在空闲的 CPU 上重新测量
advice-stopped = 在不停顿的情况下重新运行
advice-pauses = 运行足够长的时间以涵盖多次停顿，并引用百分位数而非平均值
advice-below-memory = 不要把这些结果当作磁盘的性能引用
advice-overlay = 使用有独立设备的文件系统，或卷
advice-filling-buffers = 使用更多任务，或去掉 refill_buffers
advice-far-node = 设置 numa_cpu_nodes={ $node }
advice-slowed-by-heat = 冷却硬盘，或注明这是高温时的速率
advice-slow-link = 检查插槽和线缆
advice-misaligned = 重新创建，起点取 1 MiB 的整数倍
advice-misaligned-partition = 重新创建分区，从扇区 2048 开始
advice-partial-sector = 写入大小取 { $sector } 的整数倍
advice-split = 引用带宽，或使用不会被拆分的块大小
advice-merged = 引用带宽，或使用 direct=1 加随机 I/O
advice-idle-while-waiting = 查找设备之上的限制（控制组、云盘）
advice-no-busy-time = 查看其下各设备的 util
advice-mean-hides = 引用百分位数
advice-other-load = 停止其他负载后重新运行
advice-rebuilding = 等待其完成
advice-cap = 应作为限制值引用，而非设备的速度
advice-bursts = 以两倍 iodepth 重复测量：若有限制，IOPS 不变
advice-no-time = 检查时钟源（clocksource）
advice-not-durable = 与 fdatasync=1 的结果比较
advice-synced-at-end = 只引用速率；延迟请用 direct=1 或 fdatasync=1 测量
advice-state-carried = 安排任务顺序，使每个任务都从想要测量的状态开始
advice-nearly-full = 腾出空间：许多文件系统在接近写满时变慢
advice-random-beats-sequential = 检查是否有缓存，或顺序任务只有一个在途 I/O
advice-interrupted = 让运行完整结束
advice-ended-by-error = 排除错误后重新运行
advice-no-completion = 检查任务的大小和限制
advice-failed = 阅读错误文本；若是本机磁盘，检查内核日志（dmesg）和下面各层
advice-started-late = 提高 iodepth，或用 replay_time_scale 放慢回放
finding-not-committed = 对 { $layer } 的写入没有同步：写入 { $written }，运行结束时服务器收到 { $there }；COMMIT 请求数：{ $commits }
finding-export-unknown = { $layer } 的服务器确认写入时数据是否已在其磁盘上，客户端看不到：async 导出在内存中就确认
finding-soft-mount = { $layer } 是 soft 挂载：服务器在 { $seconds } 秒内没有应答的请求会变成 I/O 错误
finding-attributes-cached = { $layer } 缓存属性最长 { $seconds } 秒：对已知文件的调用没有向服务器发送请求
finding-link-limit = { $seen } 就是链路的有效载荷：{ $interface } 运行在 { $mbit } Mbit/s，可传输 { $payload }
finding-shaper-limit = { $seen } 就是 { $interface } 的限速所允许的：{ $shaper }（tc）最多发送 { $mbit } Mbit/s，可传输 { $payload }
finding-rate-of-link = { $seen } 就是 { $mbit } Mbit/s 链路的有效载荷（{ $payload }）；{ $interface } 不报告其速度
finding-segments-repeated = { $sent } 个 TCP 报文段中有 { $repeated } 个（{ $part }，本机所有连接）被重发
finding-requests-repeated = 对 { $layer } 的服务器的 { $requests } 个请求中有 { $repeated } 个因没有应答而重发
finding-reconnected = { $layer } 与服务器的连接丢失并重新建立，次数：{ $times }
finding-server-silent = { $layer }：{ $longest } 内没有任何 I/O 完成；{ $seconds } 秒后 I/O 会失败（{ $setting }）
finding-server-silent-waits = { $layer }：{ $longest } 内没有任何 I/O 完成；I/O 会无限等待服务器（{ $setting }）
advice-not-committed = 加上 fsync=1 或 end_fsync=1，或使用 direct=1
advice-export-unknown = 在服务器上检查导出设置（exportfs -v），并随结果注明
advice-soft-mount = 用 “hard” 挂载，或随结果注明此设置
advice-attributes-cached = 用 actimeo=0 挂载来测量服务器，或使用客户端没有见过的文件
advice-link-limit = 使用更快的链路或多条链路，或注明这是链路的带宽
advice-shaper-limit = 提高或取消限速（tc qdisc show dev 网口），或注明这是限速的带宽
advice-rate-of-link = 检查到服务器的每段链路的速度（在两台机器以及虚拟机的宿主机上用 ethtool），或用 iperf3 测量网络
advice-segments-repeated = 查看网口和交换机的错误（ip -s link、ethtool -S）以及拥塞
advice-requests-repeated = 查看服务器的负载，并查找丢包
advice-reconnected = 查看当时服务器和内核（dmesg）的日志
advice-server-silent = 查看当时服务器的日志和网络
finding-segments-repeated-own = 发往服务器的 { $sent } 个 TCP 段中有 { $repeated } 个（{ $part }）被重传
finding-small-pool = 存储池 { $pool } 的归置组太少：{ $groups }，副本：{ $copies }，OSD：{ $osds }
finding-cluster-busy = 运行期间 { $layer } 的集群有其他工作：恢复中的归置组：{ $recovering }，清洗中：{ $scrubbing }
finding-library-cache = { $library } 的缓存（{ $size }，{ $policy }）可能在集群收到写入之前就确认写入
finding-replication-limit = 以 { $copies } 份副本写入 { $seen }，正是 { $hosts } 台机器的 { $mbit } Mbit/s 链路所能承载的：{ $payload }
advice-small-pool = 增大 pg_num（Ceph 的目标是每个 OSD 100 个），或随结果注明
advice-cluster-busy = 待 ceph -s 显示 active+clean 且没有清洗时重新运行
advice-library-cache = 设置 rbd_cache=false 以测量集群，或随结果注明缓存
advice-replication-limit = 在 OSD 之间使用更快的网络，或将带宽注明为该网络的带宽
