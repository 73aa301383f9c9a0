# 研究：问题没有结论的原因。
lab-failure-not-the-device = 测量点 { $point } 测到的不是设备本身
lab-failure-nothing-completed = 没有任何 I/O 完成
lab-failure-nothing-twice = 测量点 { $first } 和 { $second } 期间没有任何 I/O 完成
lab-failure-another-path = 已保存的研究由其他版本测得：当前版本不会测量其测量点 { $point }
lab-failure-rate-changed-from = 每次尝试中设备速率都发生变化；最后一次变化之前为 { $iops } IOPS
lab-failure-rate-changed = 每次尝试中设备速率都发生变化：无可比较
lab-failure-no-maximum = 最大值不是在设备上测得的（等级 X 或没有测量），因此无法得知其份额
lab-failure-nothing-to-compare = 两个目标之一没有可供比较的结论
lab-failure-pairs-differ = { $pairs } 对测量的速率相差太大，无法给出比值
lab-failure-too-few-rounds = 可比较的轮次少于三轮
lab-failure-points-too-short = 深度 1 的测量点都不够长，无法推荐运行时长；请同时询问深度：--questions depth,runtime
lab-failure-beyond-seen = 仅凭 { $seconds } s 的单个 I/O 测量无法确定；更大的 --budget 可测量更久
lab-failure-beyond-budget = 在 { $budgets } 倍时间预算内也无法确定
lab-failure-no-goal = 未给出延迟目标：--slo p99=2ms
lab-no-queue-settings = 目标之下没有带队列设置的块设备

# 目标无法使用的原因；前面是路径。
lab-target-not-measurable = 既不是目录，也不是普通文件或块设备
lab-target-directory = 是目录：请给出文件或块设备（fathom 创建的临时测试文件总会被填充）
lab-target-not-fillable = 既不是普通文件，也不是块设备
lab-target-too-small = 只有 { $bytes } 字节，无法测量：至少需要 1 MiB
lab-target-server-name = 不是服务器上目标的名称：rbd:POOL/IMAGE、rados:POOL、s3://BUCKET/PREFIX、nbd://HOST/EXPORT、nbd+unix:///?socket=PATH、nfs://HOST/EXPORT/FILE、iscsi://HOST/IQN/LUN
lab-target-other-engine = 只能通过 ioengine={ $engine } 访问：请去掉 ioengine
lab-target-password = 包含密码，保存的结果会重复该密码：请去掉它（iscsi://USER@HOST/IQN/LUN），并设置 LIBISCSI_CHAP_PASSWORD
lab-target-not-on-server = 在服务器上不存在或为空。建立 1 GiB 的文件：{ $command }
lab-target-on-server = 是服务器上的目标，此命令不接受；docs/network.md 列出接受它的命令
lab-target-on-server-fill = 是服务器上的目标，此命令不接受。填充它（会覆盖其内容）：{ $command }
lab-target-job-file = 看起来是任务文件：fathom run { $path }
lab-target-model-size = `{ $option }`：大小应为字节数（64g、1t）
lab-target-model-option = 模拟设备没有选项 `{ $name }`；可用选项：size, { $known }
lab-target-scratch-not-filled = 无法填充临时测试文件：{ $error }
lab-target-scratch-too-slow = 在规定时间内写入临时测试文件的数据不足 1 MiB
lab-target-read-only = 文件系统以只读方式挂载：请给出可写文件系统上的目录，或要读取的文件或设备
lab-target-no-room-for-scratch = 空闲空间 { $free } MiB 太少：至少 16 MiB 的临时测试文件最多占用其十分之一；请再释放 { $more } MiB，或指定现有文件或设备（只读取）
lab-target-no-room-for-scratch-in-image = 存放此文件系统映像的 { $image } 空闲空间 { $free } MiB 太少：至少 16 MiB 的临时测试文件最多占用其十分之一；请在那里再释放 { $more } MiB，或指定现有文件或设备（只读取）
lab-target-no-memory-for-scratch = 可用内存 { $memory } MiB 太少：至少 16 MiB 的临时测试文件最多占用其八分之一；请再释放 { $more } MiB，或指定现有文件或设备（只读取）
lab-target-no-scratch = 此处无法创建临时测试文件（{ $error }）：请给出可写的目录，或要读取的文件或设备
lab-target-unknown-device = sysfs 中没有该设备，因此无法得知其用途
lab-target-no-room-to-fill = 填充空洞需要 { $needed } MiB，空闲 { $free } MiB；未写入任何数据
lab-target-no-room-to-fill-under = 填充空洞需要 { $needed } MiB，其文件 { $under } 之下空闲 { $free } MiB；未写入任何数据

# 块队列的设置。
lab-axis-unknown = “{ $name }”不在以下设置之中：{ $known }
lab-axis-one-value = { $path } 除 { $value } 外没有其他取值

# fathom prefill。
lab-prefill-unaligned = --{ $option }={ $value } 不是 { $block } 的倍数：只填充整块
lab-prefill-unreadable = { $path }：抽查的 { $of } 个块中有 { $failed } 个无法读取；其内容未知，因此未填充任何数据
lab-prefill-after-end = --offset={ $offset } 在末尾之后：{ $path } 有 { $size } 字节
lab-prefill-write-failed = { $path }：{ $error }；此前写入的数据保留，不记为已填充
lab-prefill-holds-zeros = 曾记为已填充，但其中有零：已重新填充
lab-prefill-discarded-since = 之前已填充，但此后有数据被丢弃（discard）或设备被重新连接：已重新填充
lab-prefill-still-unwritten = 文件系统仍报告 { $bytes } 字节未写入：不记为已填充
lab-prefill-no-state-directory = XDG_STATE_HOME 和 HOME 均未设置：不记为已填充
lab-prefill-not-recorded = 无法记为已填充：{ $error }
lab-prefill-recorded-in-attribute = 文件属性 { $name }
lab-refused-written-meanwhile = 已拒绝：prefill 填充 { $path } 时另一个程序写入了该文件：{ $of } 字节中已填充 { $filled } 字节，其余未动；请在那里关闭后重试
lab-refused-opened-meanwhile = 已拒绝：prefill 填充 { $path } 时另一个程序打开了该文件：{ $of } 字节中已填充 { $filled } 字节，其余未动；请在那里关闭后重试
lab-refused-no-consent = 已拒绝：prefill 会向 { $path } 中目前读出零的位置写入 { $bytes } 字节随机数据，而该文件不是 fathom 创建的；要填充，请加 --yes
lab-refused-changed = 已拒绝：{ $path } 在检查期间发生了变化；未写入任何数据
lab-refused-replaced = 已拒绝：{ $path } 不是检查过的文件：已被另一个文件取代；未写入任何数据
lab-refused-no-lease = 已拒绝：无法取得 { $path } 的租约（{ $error }），填充期间打开它的程序将不会被发现；仍要填充，请加 --allow-destroy={ $path }
lab-refused-open-elsewhere = 已拒绝：{ $path } 已在别处打开（程序、虚拟机或内存映射），可能被写入；请先在那里关闭
lab-refused-writable-elsewhere = 已拒绝：{ $path } 已在别处以写方式打开（程序、虚拟机或 loop 设备），目前的空洞可能被写入数据；请先在那里关闭
lab-refused-carries = 已拒绝：prefill 会在 { $path } 读出零的位置写入随机数据，而其中包含：{ $content }；要填充：fathom prefill --yes --allow-destroy={ $path } { $path }
lab-refused-in-use = 已拒绝：prefill 会覆盖 { $path }：{ $uses }；请先停止使用
lab-refused-not-allowed = 已拒绝：prefill 会覆盖 { $path }：该区域全部 { $bytes } 字节，无论其中是什么；要填充，请加 --allow-destroy={ $path }
lab-refused-held-exclusively = 已拒绝：prefill 会覆盖 { $path }：另一个程序或内核正独占该设备；请先停止使用

# 快速检查的说明。
lab-check-no-direct-io = 文件系统不支持 O_DIRECT：这些数字包含页缓存
lab-check-interrupted = 被信号提前终止：缺少的项目未测量
lab-target-simulated = 模拟设备没有可检查的存储栈；请给出文件、目录或块设备
lab-would-not-begin = 该运行不会开始：{ $why }
