# Job files and the command line: errors and remarks.
job-named = 作业 { $name }：{ $why }
job-plan-clones = 目前共有 { $clones } 个克隆；最多 { $most } 个
job-plan-files = numjobs 乘以 nrfiles，目前共有 { $files } 个文件；最多 { $most } 个
job-plan-no-hosts = 作业中的 hosts 指定多主机运行的主机：请在 --name 之前或与作业文件一起使用 fathom run --hosts 主机,主机
job-plan-path = { $path }：无法确定类型和大小：{ $why }
job-plan-no-block-device = filetype=block，但该路径不是块设备
job-plan-no-character-device = filetype=char，但该路径不是字符设备
job-plan-no-regular-file = filetype=file，但该路径不是普通文件
job-plan-fill-without-size = fill_device：随机写入需要 size=，例如 size=1t
job-plan-mmap-appends = ioengine=mmap 无法按 file_append=1 的要求增大文件；可改用 ioengine=psync 等
job-plan-no-size = { $path } 不存在或为空，且大小未知；正确写法例如 size=64m
job-plan-no-namespace = { $path } 不是 NVMe 命名空间的字符设备；ioengine=io_uring_cmd 需要这样的设备，例如 filename=/dev/ng0n1
job-plan-no-flash = { $path } 不是 MTD 设备；ioengine=mtd 需要这样的设备，例如 filename=/dev/mtd0
job-plan-no-dax = { $path } 不是 DAX 设备；ioengine=dev-dax 需要这样的设备，例如 filename=/dev/dax0.0；对文件请使用 ioengine=libpmem
job-plan-no-device = { $path } 不是设备；ioengine=sg 需要 SCSI 磁盘，例如 filename=/dev/sg0 或 filename=/dev/sdb
job-plan-no-scsi-disk = { $path } 不是 SCSI 磁盘；ioengine=sg 需要 SCSI 磁盘，例如 filename=/dev/sg0 或 filename=/dev/sdb
job-plan-part-of-scsi-disk = { $path } 是分区，而 SCSI 命令寻址整个磁盘；请指定磁盘，并用 offset 给出分区的起点
job-plan-offset = offset { $start } 超出了 { $path } 的 { $end } 字节
job-plan-no-block = 从 offset 起的 { $total } 字节容不下一个 { $block } 字节的块
job-plan-sequence = random_distribution=sequence：{ $path } 的块号为 0 到 { $last }
job-plan-sprandom-cache = sprandom 的区域不能小于 spr_cs：spr_num_regions 最多为 { $most }
job-at = { $place }：{ $what }：{ $why }
job-command-line = 命令行
job-either = { $first } 或 { $second }
job-one-per-target = fathom：{ $targets } 个目标：每个目标一个任务（{ $jobs }），各有自己的 size 和 iodepth；使用 file_service_type=roundrobin 时由一个任务轮流访问
job-did-you-mean = 您是否想输入：{ $program } { $line }
job-needs = 需要 { $what }，fathom 不使用它
job-not-built = 尚未实现
job-other-engine = { $place }：{ $option } 属于 ioengine={ $engines }，必须先设置该引擎
job-other-profile = { $place }：{ $option } 属于 --profile={ $profiles }，该选项必须写在前面
job-no-value = `=` 之后必须紧跟一个值
job-no-value-example = `=` 之后必须紧跟一个值，例如 --{ $option }={ $example }
job-profile-size = 此处需要以 MiB 为单位的数值，例如 --size=64
job-profile-unknown = 必须为 tiobench 或 act
job-profile-other-jobs = 自带作业；不能与 --name 或作业文件同时使用
job-profile-no-devices = 需要设备，例如 --device-names=/dev/nvme0n1
job-switch-time = 需要一个时间，例如 1s
job-switch-idle-prof = 必须为 system、percpu 或 calibrate
job-switch-wear-budget = 必须是字节数（10G）或百分比（0.1%）
job-switch-format = 必须为 normal、terse、json、json+ 中的一个或多个
job-command-line-only = 只能写在命令行上
job-unknown-option = 没有这个名称的选项
job-wait-for = wait_for={ $waitee }：必须是前面恰好一个作业的名称
job-ramp-sizes = ramp_size：同一报告组的所有作业必须相同；{ $other } 为 { $theirs } 字节，{ $name } 为 { $bytes } 字节
job-steady-states = steadystate 选项：同一报告组的所有作业必须相同；{ $other } 的设置不同
job-opendir = 必须是可以列出文件的目录
job-file = { $name }：{ $why }；不带短横线的词是作业文件
job-outside-section = 必须位于 [global] 或 [jobname] 之类的行之后
job-include-many = 包含的文件超过 { $most } 个
job-include-deep = 文件嵌套超过 { $most } 层
job-section-in-included = 被包含的文件不能有自己的节
job-readonly-writes = --readonly 只允许读
job-readonly-names = --readonly 与 { $engine } 冲突：它会创建或删除文件
job-readonly-program = --readonly 不启动程序（{ $program }）；请去掉其中之一
job-moves-no-bytes = ioengine={ $engine } 不传输字节；请用 ramp_time
job-at-least = 最小为 { $least }
job-at-most = 最大为 { $most }
job-excludes = 不能与 { $options } 同时使用
job-no-clock = 必须是时钟编号：0（挂钟时间）、1（monotonic）、4（monotonic raw）、7（自启动起）或 11（TAI）
job-check-interval = 至少为 1 ms，且 steadystate_duration 必须是它的整数倍
job-issue-time = 需要 write_lat_log 和 log_offset
job-working-set-size = working_set 需要 size=，例如 size=1g
job-working-set-files = working_set 只能用于单个文件
job-working-set-large = dedupe_percentage={ $dedupe } 时最大为 { $most }
job-one-head = 使用 model_disk 时必须为 1：它只有一个磁头
job-offload-polled = offload 与 hipri：尚未实现
job-atomic-engine = ioengine={ $engine } 不支持原子写；请使用 pvsync2、libaio 或 io_uring
job-offload-engine = offload 与 ioengine={ $engine }：尚未实现；可用例如 psync
job-part-of-page = 使用 direct、fsync 或 fdatasync 时必须是 { $page } 的倍数
job-no-skip = `:` 之后必须是要跳过的字节数，例如 { $rw }:8k
job-net-direction = 套接字只支持顺序读或写，不支持 trim；UDP 只能是其中之一
job-net-listens = 仅用于 TCP；udp 和 unix 的读取方不需要此选项
job-net-port-of-unix = Unix 域套接字没有端口
job-net-without-port = tcp 和 udp 需要 port=，例如 port=8888
job-remote-without = 该引擎需要 { $option }=，例如 { $option }={ $example }
job-net-without-host = 发起连接或发送的任务需要 hostname=，例如 hostname=127.0.0.1
job-net-without-path = protocol=unix 需要 filename=，即套接字的路径
job-net-host-of-receiver = 监听或接收的任务不接受 hostname，UDP 组播组除外
job-zones-not-strided = 需要 zonemode=strided 或 zonemode=zbd
job-zone-capacity = 大于一个区域（zonesize={ $size }）
job-zone-size = 使用 zonemode=zbd 时至少为 512 字节
job-zone-skip = 必须是 zonesize（{ $size }）的倍数
job-zone-trims = 尚未实现；zonemode=zbd 的 trim
job-zone-block = 一个块必须能放进一个区域（zonesize={ $size }）
job-zone-append = Zone Append 需要 zonemode=zbd
job-zone-recovery = 需要对写入设置 continue_on_error，例如 continue_on_error=write
job-sprandom-writes = 需要 rw=randwrite
job-sprandom-generator = 使用 sprandom 时必须为 lfsr
job-sprandom-blocks = 需要单一的块大小，例如 bs=4k
job-sprandom-files = 需要单个文件或设备
job-sprandom-ratio = 必须大于 0 且小于 1
job-ranges-without-trims = num_range 大于 1 只适用于仅执行 trim 的作业（rw=trim 或 randtrim）
job-ranges-engine = 多范围 trim 需要 ioengine=io_uring_cmd，而不是 { $engine }
job-ranges-long = 一次 trim 必须小于 2 GiB：此块大小下最多 { $most } 个范围
job-placement-engine = 数据放置需要 ioengine=io_uring_cmd 的写命令，而不是 { $engine }
job-placement-ids = 需要 0 到 65535 的数字及其范围，最多 128 个，例如 0,2-4
job-streams-ids = dataplacement=streams 需要 plids=，例如 plids=1-4
job-scheme-missing = 需要 dp_scheme=，即每个范围一行“起点, 终点, ID”的文件
job-strided-size = strided 需要 zonesize=，例如 zonesize=256m
job-standard-stream = 以标准输入或输出为目标：尚未实现
job-verify-without-pattern = 块的内容应为指定的模式：请设置 verify_pattern，例如 verify_pattern=0xdeadbeef
job-verify-unaligned = 任意大小的块（bs_unaligned 加范围）没有共同的块头位置：请去掉 bs_unaligned
job-verify-without-data = { $engine } 不传输数据：无法校验
job-verify-block-too-small = 块或两个块头之间的间隔至少需要 { $least } 字节来存放块头，现在只有 { $interval } 字节
job-size-below-block = 至少为一个块（{ $block } 字节）
trace-fault = read_iolog={ $path }：{ $why }
trace-line = { $path }:{ $line }：{ $why }
trace-event = { $path }：事件 { $number }：{ $why }
trace-unreadable = 无法读取跟踪文件
trace-errno = 无法读取跟踪文件：{ $why }
trace-header = 这不是已知的跟踪：开头是 "{ $found }"。文本跟踪以 "fio version 3 iolog" 或 "fio version 2 iolog" 开头，或具有某个 CSV 集合的列；二进制跟踪必须来自 blkparse -d
trace-no-io = 跟踪文件中没有 I/O
trace-action-2 = "{ $found }" 不是有效记录；应为 FILE add|open|close、FILE read|write|trim|sync|datasync OFFSET LENGTH 或 FILE wait MICROSECONDS 0
trace-action-3 = "{ $found }" 不是有效记录；应为 TIME FILE add|open|close 或 TIME FILE read|write|trim|sync|datasync OFFSET LENGTH
trace-timestamp = 时间必须是自开始起的微秒数，实际是 "{ $found }"
trace-wait = 等待时间必须是微秒数，实际是 "{ $found }"
trace-offset = 偏移必须是字节数，实际是 "{ $found }"
trace-length = 长度必须是字节数，实际是 "{ $found }"
trace-wait-in-3 = 版本 3 没有 wait；请在每行开头写时间
trace-not-added = { $file } 尚未添加；请在前面加一行该文件名和 add
trace-not-open = { $file } 未打开；请在前面加一行该文件名和 open
trace-length-range = 长度为 { $bytes } 字节；必须在 1 到 { $most } 之间
trace-offset-range = 该 I/O 的末尾超过 2^63 - 1 字节
trace-line-too-long = 该行超过 { $most } 字节
trace-files = 跟踪文件中的文件超过 { $most } 个
trace-bad-event = 这不是完整的版本 7 blktrace 事件；请使用 blkparse -d 的输出
trace-no-device = 没有设备号为 { $major }:{ $minor } 的块设备；请用 replay_redirect 指定一个
trace-row = 行 "{ $found }" 不具有列 { $columns }
trace-volumes = 跟踪有 { $count } 个卷（{ $names }）；请用 fathom trace 文件 --volume 名称 --iolog 输出 取出一个再回放
trace-no-such-volume = 跟踪中没有卷 { $volume } 的 I/O；其卷为 { $names }
trace-no-volumes = 只有 CSV 跟踪有卷
trace-not-a-file = 卷 { $volume } 不是文件；请用 replay_redirect 选择文件或设备
trace-not-blktrace = 这不是 blktrace 文件，而 merge_blktrace_file 只合并此类文件；请使用 blkparse -d 的输出
trace-changed = 跟踪文件在检查之后发生了变化
job-file-or-target = { $name }：{ $why }；不带横线的词是作业文件或设备。--filename={ $name } 可建立测量文件的作业
job-remote-target = { $name }：服务器上的目标由作业的选项选择：{ $options }
job-access-files = 需要单个文件或设备
