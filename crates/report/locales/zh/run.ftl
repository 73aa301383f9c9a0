# Runs: errors, refusals, notes.
run-refused-overwrite = 已拒绝：{ $writer } 会覆盖 { $path }：{ $found }；要销毁其中的数据，请加 --allow-destroy={ $path }
run-refused-overwrite-fio = 已拒绝：{ $writer } 会覆盖 { $path }：{ $found }；要销毁其中的数据，请加 --allow-destroy={ $path }（或设置 FATHOM_FIO_UNGUARDED=1，采用 fio 自身的规则）
run-refused-in-use = 已拒绝：{ $writer } 会覆盖 { $path }：{ $found }；{ $writer } 不写入正在使用的目标，请先停止使用
run-refused-used-elsewhere = 已拒绝：{ $writer } 会覆盖 { $path }：{ $found }；请先停止该使用：--allow-destroy 不允许这样做
run-refused-unusable = 已拒绝：{ $writer }：{ $path } { $kind }
run-refused-fills-file-system = 已拒绝：fill_device=1 会把 { $path } 所在的文件系统写满；请指定 size=，最大为 { $most }
run-refused-no-space = 已拒绝：空间不足：作业将向 { $path } 所在的文件系统写入 { $wanted }，而可用空间为 { $free }（必须保留 { $reserve }）；请减小 size=、io_size=、nrfiles= 或 numjobs=，或换用其他 directory=
run-no-space-for-layout = fathom：空间不足：运行前写入的文件需要 { $wanted }，而 { $path } 所在的文件系统可用空间为 { $free }；请减小 size=、nrfiles= 或 numjobs=，或换用其他 directory=
run-refused-wear-budget = 已拒绝：将向 { $path } 写入 { $planned }，但 --wear-budget（{ $budget }）只剩 { $left }；请提高 --wear-budget 或不使用它
run-refused-wear-budget-used = 已拒绝：向 { $path } 的写入超出 --wear-budget（{ $budget }，剩余 { $left }）；请提高 --wear-budget 或不使用它
run-refused-no-endurance = 已拒绝：{ $path } 的写入寿命未知（不是闪存盘），因此 --wear-budget 需要字节数，例如 10G
run-writer-job = 作业 { $name }

# What speaks against writing to a target.
run-found-cannot-open = 无法打开以查看其内容（{ $error }）
run-found-cannot-read = 无法读取其开头和末尾的 1 MiB 以查看内容（{ $error }）
run-found-replaced = 检查期间它被另一个文件或设备取代
run-found-unknown-data = { $used }（`blkdiscard { $path }` 可将其丢弃）
run-found-unknown-to-sysfs = sysfs 中没有该设备，因此无法得知其用途
run-found-not-examined = 不检查其内容
run-found-not-named = 此命令只有在给出 --allow-destroy 时才写入设备
run-found-held-exclusively = 另一个程序或内核正独占该设备（EBUSY）
run-found-object = 服务器上此名称下已有对象 { $name }
run-found-cannot-list = 服务器无法告知它有哪些此名称的块
run-found-clients = 其他客户端已打开它：{ $clients }（被杀死的客户端约 30 秒内仍被 Ceph 计入）
run-found-changing = 其上的 { $what } 在观察期间于字节 { $offset } 处发生变化：另一台主机或程序正在使用它（在别处挂载？）
run-found-changing-by = 其上的 { $what } 已挂载在另一台主机上：{ $host } 在观察期间写入了字节 { $offset } 处的保护块（MMP），设备为 { $device }
run-found-reserved = 某个启动器已保留它（{ $kind }，密钥 { $key }）；可用 sg_persist 释放
run-found-reserved-by = { $holder } 已保留它（{ $kind }，密钥 { $key }）；可用 sg_persist 释放
run-found-open-elsewhere = 另一个程序已打开它
run-found-other-run = 本机上的另一个 fathom 进程正在写入它
run-found-exists = 它已存在（{ $bytes } 字节），且{ $because }

# Why a file does not count as fathom's.
run-not-ours-on-server = 服务器上的文件和对象没有 fathom 的标记
run-not-ours-unmarked = 不是由 fathom 创建的
run-not-ours-other-version = 其标记来自另一版本的 fathom，不能证明任何事
run-not-ours-copy = 带有另一个文件的标记：它是副本，不是由 fathom 创建的
run-not-ours-hard-links = 有 { $names } 个名称（硬链接）
run-not-ours-changed = 在 fathom 写入之后被修改过
run-not-ours-pattern-interrupted = 向它写入模式数据的运行被中断，因此其内容不能证明任何事
run-not-ours-unreadable-mark = 其标记无法读取
run-not-ours-unreadable = 其内容无法读取（{ $error }）
run-not-ours-replaced = 检查期间被另一个文件取代
run-not-ours-foreign-data = 在第 { $offset } 字节处含有并非由 fathom 写入的数据

# What a path names that a job cannot use; the path stands before.
run-unusable-directory-to-remove = 是一个并非由本次运行创建的目录，而作业会将其删除
run-unusable-directory = 是目录；目标应为文件或设备
run-unusable-named-pipe = 是命名管道；目标应为文件或设备
run-unusable-socket = 是套接字；目标应为文件或设备
run-unusable-kernel-file = 是内核文件，不代表任何存储；目标应为文件或设备
run-unusable-no-device = 不存在，并且会在设备节点之间创建一个文件来代替它；lsblk 可列出磁盘

# Why a run did not begin.
run-error-counter-memory = 无法为计数器分配内存：{ $source }
run-error-job-thread = 无法启动作业的线程（numjobs 可能超过线程数上限）：{ $source }
run-error-model-beside-others = ioengine=model 在虚拟时间中运行：一次运行的作业要么全部使用 model，要么都不使用；请拆分作业文件
run-error-model-waits = ioengine=model 在虚拟时间中运行，此时不支持 wait_for；请改用 stonewall
run-error-not-agreed = 其他主机没有同意
run-scheduler-forbidden = 作业 { $job }：ioscheduler={ $scheduler }：不允许更改 { $disk } 的 I/O 调度器（{ $error }）：请以 root 身份运行
run-scheduler-unknown = 作业 { $job }：ioscheduler={ $scheduler }：{ $disk } 没有该 I/O 调度器；可用的有：{ $known }

# Limits of the host.
run-limit-open-files = 打开文件数：同时运行的作业需要 { $needed } 个描述符，硬限制为 { $limit }（ulimit -Hn）；请提高该限制、设置 openfiles=，或减小 nrfiles= 或 numjobs=
run-limit-threads = 线程数：同时运行 { $needed } 个作业，每个作业占用一个线程，而 { $limit } 只允许再启动 { $left } 个；请提高该限制，或减小 numjobs=
run-limit-pids-max = 控制组的 pids.max
run-limit-aio-requests = fs.aio-max-nr：同时运行的 libaio 作业需要 { $needed } 个请求（iodepth x numjobs），上限 { $most } 个中已占用 { $used } 个；请提高上限（sysctl fs.aio-max-nr={ $enough }），或减小 iodepth= 或 numjobs=
run-limit-io-uring-disabled = kernel.io_uring_disabled：此主机已禁用 io_uring；请启用它（sysctl kernel.io_uring_disabled=0），或使用 ioengine=libaio
run-limit-locked-memory = 锁定内存：同时运行的作业的 lockmem= 共 { $needed }，上限为 { $limit }（ulimit -Hl）；请提高上限，或减小 lockmem= 或 numjobs=
run-limit-memory = 内存：同时运行的作业需要 { $buffers } 缓冲区（iodepth x 最大块）和 { $locked } 的 lockmem=，可用内存为 { $available }；请减小 iodepth=、bs=、lockmem= 或 numjobs=
run-limit-inodes = inode：需要新建 { $needed } 个文件，而 { $directory } 所在的文件系统只有 { $free } 个空闲 inode；请减小 nrfiles= 或 numjobs=

# Lines about a job.
run-line-damage = fathom：{ $file }，偏移 { $offset }：{ $damage }
run-damage-flip = { $bits ->
   *[other] 位翻转：有 { $bits } 位与写入的不同
}
run-damage-torn = 撕裂写：块的一部分与写入的相同，其余不同
run-damage-lost = 丢失写：块中是更早写到此处的内容
run-damage-misdirected = 写错位置：块中是写到偏移 { $from } 的内容
run-damage-zeroed = 清零：块中全是零
run-damage-shifted = 移位：数据偏离其位置 { $by } 字节
run-damage-foreign = 外来数据：块中的内容不是本作业写的
run-damage-unknown = 损坏：数据与校验和不符
run-damage-untrimmed = TRIM 无效：块已被 TRIM，但仍是原来的数据
run-limit-records = 内存：校验写入所需的记录要 { $needed }，可用 { $available }；请增大 verify_interval= 或 bs=，或校验更小的 size=
run-line-damaged = fathom：作业 { $job }：校验的 { $blocks } 个块中有 { $bad } 个与写入的内容不同（{ $kinds }）
run-damage-count = { $kind }：{ $n }
run-damaged-flip = 位翻转
run-damaged-torn = 撕裂写
run-damaged-lost = 丢失写
run-damaged-misdirected = 写错位置
run-damaged-zeroed = 清零
run-damaged-shifted = 移位
run-damaged-foreign = 外来数据
run-damaged-unknown = 损坏
run-damaged-untrimmed = TRIM 无效
run-line-no-atomic = fio: atomic=1：{ $path } 不支持原子写（statx 未报告）；某些设备，或较新内核上的 xfs、ext4 可能支持
run-line-not-atomic = fio: atomic=1：大小为 { $small } 到 { $large } 的块无法原子地写入 { $path }：请使用 { $least } 到 { $most } 的 2 的幂
run-line-trim-failed = fio：对 { $path } 的 trim 失败：{ $error }：offset={ $offset }，length={ $length }
run-line-trim-failed-because = fio：对 { $path } 的 trim 失败：{ $error }：offset={ $offset }，length={ $length }；{ $cause }
run-line-trim-no-block-device = 只有块设备可以 trim（ioengine=falloc 可在文件中打洞）
run-line-trim-misaligned = bs 和 offset 必须是设备逻辑块大小的整数倍
run-line-trim-unsupported = 设备不支持 discard
run-line-direct-io-refused = fio：设备拒绝了这次直接 I/O（EINVAL）：bs 和 offset 必须是其逻辑块大小的整数倍；请尝试更大的 bs，或 direct=0
run-line-engine-needs = fathom：作业 { $job }：ioengine={ $engine } 需要例如 { $example }
run-line-unanswered = fathom：作业 { $job }：{ $ios } 个在途 I/O 始终没有得到应答；报告只显示已完成的部分
run-setting-not-recorded = { $path } 未更改：无法在 { $directory } 中记录其原值（{ $error }）
run-setting-busy = { $disk }：另一个 fathom（pid { $pid }）正在改变 { $setting }：请等它结束
run-error-log = 无法写入日志 { $path }：{ $why }
run-output-refused = 已拒绝：输出 { $path } { $why }；输出只写入普通文件、管道、终端和 /dev/null：请给出其他路径
run-output-failed = 结果无法写入 { $path }：{ $why }
run-output-not-regular = 不是普通文件
run-output-block-device = 是块设备
run-output-character-device = 是字符设备
run-output-no-terminal = 是字符设备而不是终端
run-output-named-pipe = 是命名管道
run-output-socket = 是套接字
run-output-holds = 是另一种文件：内含 { $what }
run-output-database = SQLite 数据库
run-output-in-use = 会被覆盖：{ $used }
run-output-job-file = 是本次运行的作业文件
run-output-file-of-job = 是某个作业读写的文件
run-output-report-source = 是生成报告所用的来源
run-output-store = 是本次运行的结果库
run-output-other-text = 包含并非由 fathom 写入的文本
run-output-holds-data = 已含有数据，可能来自先前的运行：请删除或重命名它
run-output-no-reader = 没有进程读取此命名管道
run-output-directory = 是目录：请给出文件路径
run-output-is-socket = 是套接字：请给出文件路径
run-output-not-writable = 既不是文件，也不是管道或终端
run-refused-changed = 已拒绝：{ $change }
run-changed = { $path } 在检查之后发生变化（{ $why }）；发现变化后没有向其写入任何内容
run-changed-appeared = 检查时它还不存在
run-changed-content = 其内容此后已改变
run-changed-replaced = 已被另一个文件或设备取代
run-changed-resized = 其大小此后已改变
run-changed-other-file = 已被另一个文件取代
run-line-uring-forbidden = fathom: 作业 { $job }：kernel.io_uring_disabled 或（容器的）seccomp 过滤器禁止 io_uring：请用 ioengine=libaio
run-error-state-file = { $system }（{ $path } 中没有本作业保存的状态）
run-error-engine-setup = { $system }（无法建立 { $engine }）
run-error-libaio-setup = { $system }（无法建立 libaio；/proc/sys/fs/aio-max-nr 是否已用尽？）
run-error-posixaio-setup = { $system }（posixaio 无法通过 io_uring 或内核 AIO 建立：请用 ioengine=psync）
run-error-model-with-others = { $system }（模拟设备与真实引擎混用）
run-error-file-name = { $system }（文件名）
run-error-buffers = { $system }（I/O 缓冲区：iodepth x 块大小）
run-error-no-weight = { $system }（此内核的 cgroup 可能没有 blkio.weight）
run-error-no-blkio = 没有挂载 cgroup v1 的 blkio 层级，而 v2 的组只能容纳整个进程，不能容纳作为线程的作业；请在该组内启动 fathom（cgroup=）
run-error-panicked = 工作线程崩溃（fathom 的缺陷）
run-error-no-answer = { $system }：设备没有应答
run-error-no-zone-size = 设备没有区域：请设置 zonesize=
run-error-other-zone-size = zonesize= 必须等于设备的区域大小（{ $device } 字节）或不设置
run-error-no-placement = 设备未报告放置标识符：未启用 FDP
run-error-placement-id = 设备有 { $count } 个放置标识符，索引从 0 开始；没有索引 { $id }
run-error-placement-scheme = { $path }:{ $line }: 该行不是“起点, 终点, ID”
run-error-open-zones = max_open_zones= 超过设备的上限（{ $limit }）；ignore_zone_limits=1 可忽略该上限
run-error-append-zones = Zone Append 需要分区命名空间；此命名空间没有区域
run-error-below-zone = 文件或设备小于一个区域（{ $zone } 字节）
run-error-no-whole-zone = offset 和 size 不包含完整的区域（{ $zone } 字节）
run-error-flash-too-large = model_ftl 的固态硬盘超过 { $pages } 页；请减小容量或增大页
