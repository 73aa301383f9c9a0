hosts-column-host = 主机
hosts-column-iops = { $direction } IOPS
hosts-column-p99 = lat p99
hosts-column-began = 开始
hosts-column-grade = 等级
hosts-lost-cell = 丢失
hosts-skew = 所有工作线程在 { $skew } 内开始（时钟误差不超过 { $wrong }）
hosts-fairness = 公平性 { $index }（Jain：各主机速率相同时为 1）；第一台主机在 { $first } 后完成，最后一台在 { $last } 后完成
hosts-kept = 它在开始后 { $seconds } 的最后数值计入总和
hosts-nothing-kept = 没有收到它的任何数值
hosts-kept-apart = 该行是它到那时为止的数值，未计入合计
hosts-lost-ended = { $host }：连接已结束（状态 { $status }）
hosts-lost-killed = { $host }：连接被信号终止
hosts-lost-said = { $host }：{ $said }
hosts-lost-silent = { $host }：{ $seconds } 秒没有消息
hosts-lost-signal = { $host }：{ $signal } 提前结束了它的作业
hosts-lost-no-agent = { $host }：这不是 fathom 的代理
hosts-lost-version = { $host }：那里是 fathom { $version }，这里是 { $own }；所有主机需要相同版本
hosts-bad-name = --hosts：'{ $name }' 不是主机名
hosts-named-twice = --hosts：{ $name } 出现了两次；每个主机只写一次
hosts-none = 没有给出主机
hosts-not-with = { $switch } 不能与 --hosts 一起使用
hosts-nothing-to-run = 使用 --hosts 时需要作业
hosts-not-utf8 = 使用 --hosts 时参数必须是 UTF-8
hosts-refused = 没有在任何主机上运行
hosts-not-split-small = --share={ $share }：{ $path } 有 { $bytes } 字节，每台主机不足一个块
hosts-not-split-unwritten = --share：{ $path } 尚未达到完整大小；请先在一台主机上写入，不用 --hosts
hosts-unknown = 作业 { $job }：hosts 指定的 { $host } 不在 --hosts 中
hosts-same-target = { $first } 和 { $second } 都会写入 { $path }；如果是有意共享，--share=split 让每台主机各用一部分，--share=whole 让每台主机使用全部
hosts-same-device = { $first } 和 { $second } 都会测试 { $path }；请为每台主机指定各自的设备
hosts-stalled = { $host }：{ $seconds } 秒内没有完成任何 I/O
hosts-common = 在全部 { $hosts } 台主机同时运行的 { $seconds } 内：{ $rates }
hosts-common-rate = { $direction } { $iops } IOPS，{ $rate } MB/s
hosts-rates-of-sum = 下面的速率是所有主机的 I/O 除以作业在各主机上的最长运行时间（{ $most }；最短为 { $least }）
hosts-use-common = 所有主机的共同速率请看上面
hosts-slower = { $host } 比其他主机的中位数慢 { $percent } %（{ $iops } 对 { $others } IOPS）
hosts-later = { $host } 比其他主机的中位数晚结束 { $percent } %（{ $done } 后结束，其他主机 { $others } 后结束）
hosts-no-reason = 它自己的发现中没有原因
hosts-more-behind = 还有 { $count } 台主机落后：见 --json
hosts-left-out = 最慢和最快的主机；中间的 { $count } 台未显示：--json 含全部主机
hosts-table = 主机（最慢的在前）
hosts-chart-section = 主机
hosts-chart-joined = 所有主机的{ $what }随时间变化
hosts-chart-joined-note = { $hosts } 台主机在同一时钟上的总和；一台主机的时间误差不超过 { $wrong }。
hosts-chart-rate = 各主机的{ $what }
hosts-chart-rate-note = 最慢的主机在前：{ $slowest }，{ $low }；最快的是 { $fastest }，{ $high }；中位数为 { $median }。
hosts-chart-latency = 各主机的 { $direction } 延迟
hosts-chart-latency-note = 一台主机所有作业合计的百分位数，第 99 百分位最低的在前：{ $best }，{ $low }；最高的是 { $worst }，{ $high }。
hosts-chart-rank = 主机（按顺序）
hosts-chart-host = 主机
hosts-chart-latency-axis = 延迟
hosts-no-mpirun = 未安装 mpirun：请安装 openmpi-bin（Open MPI）
hosts-other-mpi = 此 mpirun 不属于 Open MPI（{ $said }）：请安装 openmpi-bin，并将其 mpirun 置于 PATH 首位
hosts-verifies-overwritten = 作业 { $job }：使用 --share=whole 时，每台主机会覆盖其他主机要校验的数据；请让每台主机各用一部分（--share=split 或 offset_increment），或只让一台主机写入（hosts=）
hosts-only-with = { $switch } 需要 --hosts 或 --hostfile（放在 --name 之前）
hosts-waits-for-other = 作业 { $job }：wait_for 指定的 { $other } 只在其他主机上运行；stonewall 会等待所有主机
hosts-empty-rsh = --rsh 为空；需要一个能在主机上启动程序的命令，例如 ssh
hosts-not-with-study = 多台主机上的研究不能使用 { $switch }
hosts-simulated-target = 模拟设备不能作为多台主机上研究的目标：每台主机会各有一个
hosts-one-target = --hosts：请只给出一个目标
hosts-other-hosts = S{ $study } 是在其他主机上测量的：请给出 --hosts { $hosts }
hosts-simultaneously = { $count } 台主机同时运行（{ $names }）：速率为总和，深度和任务数为每台主机的值
hosts-loading-together = { $count } 台主机同时运行（{ $names }）：速率为总和，在途 I/O 为所有主机合计；建议的 iodepth 为每台主机的值
hosts-uneven = 各主机在 { $row } 中差别最大：{ $slowest } 为 { $low } IOPS，{ $fastest } 为 { $high }（公平性 { $index }）
hosts-several-sizes = --share=interleave：作业 { $job } 的块有多种大小；请只指定一种，或使用 --share=split
hosts-not-interleaved = --share=interleave：作业 { $job }：{ $option } 无法只访问每 N 个块中的一个；请使用 --share=split 或 --share=whole
hosts-other-blocks = --share=interleave：作业 { $other } 和 { $job } 以不同的块访问同一个文件，主机会覆盖其他主机的块；请让两者的 bs 和 offset 相同，或使用 --share=split
hosts-zoned = --share=interleave：{ $path } 有必须按顺序写入的区域；请使用 --share=split 和 zonemode=zbd
finding-on-all-hosts = 所有主机
finding-on-more-hosts = { $hosts } 等，另有 { $more } 台
finding-figures-of = { $host } 的数值
hosts-measuring = 正在 { $hosts } 台主机上测量
hosts-no-share = --share 不能与此命令一起使用：每台主机有各自的文件、对象或设备
hosts-together = 合计
hosts-fairness-row = 公平性
hosts-rates = 主机的速率：按其自身工作线程的时间计算；合计：所有主机的操作数，除以从任一主机上第一个工作线程开始到任一主机上最后一个结束的时间
hosts-fairness-meaning = 公平性：各主机速率的 Jain 指数，全部相同时为 1
hosts-each = { $count } 台主机同时运行（{ $names }）：每台都运行全部负载，每个数值属于结论最差的主机
