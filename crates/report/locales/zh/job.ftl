# Job files and the command line: errors and remarks.
job-named = 作业 { $name }：{ $why }
job-plan-clones = 目前共有 { $clones } 个克隆；最多 { $most } 个
job-plan-files = numjobs 乘以 nrfiles，目前共有 { $files } 个文件；最多 { $most } 个
job-plan-path = { $path }：无法确定类型和大小：{ $why }
job-plan-no-block-device = filetype=block，但该路径不是块设备
job-plan-no-character-device = filetype=char，但该路径不是字符设备
job-plan-no-regular-file = filetype=file，但该路径不是普通文件
job-plan-fill-without-size = fill_device：随机写入需要 size=，例如 size=1t
job-plan-mmap-appends = ioengine=mmap 无法按 file_append=1 的要求增大文件；可改用 ioengine=psync 等
job-plan-no-size = { $path } 不存在或为空，且大小未知；正确写法例如 size=64m
job-plan-offset = offset { $start } 超出了 { $path } 的 { $end } 字节
job-plan-no-block = 从 offset 起的 { $total } 字节容不下一个 { $block } 字节的块
job-plan-sequence = random_distribution=sequence：{ $path } 的块号为 0 到 { $last }
job-at = { $place }：{ $what }：{ $why }
job-command-line = 命令行
job-either = { $first } 或 { $second }
job-did-you-mean = 您是否想输入：{ $program } { $line }
job-not-built = 尚未实现
job-other-engine = { $place }：{ $option } 属于 ioengine={ $engines }，必须先设置该引擎
job-other-profile = { $place }：{ $option } 属于 --profile={ $profiles }，该选项必须写在前面
job-no-value = `=` 之后必须紧跟一个值
job-no-value-example = `=` 之后必须紧跟一个值，例如 --{ $option }={ $example }
job-profile-size = 此处需要以 MiB 为单位的数值，例如 --size=64
job-profile-unknown = 必须为 tiobench
job-profile-other-jobs = 自带作业；不能与 --name 或作业文件同时使用
job-switch-time = 需要一个时间，例如 1s
job-switch-idle-prof = 必须为 system、percpu 或 calibrate
job-switch-format = 必须为 normal、terse、json、json+ 中的一个或多个
job-command-line-only = 只能写在命令行上
job-unknown-option = 没有这个名称的选项
job-wait-for = wait_for={ $waitee }：必须是前面恰好一个作业的名称
job-ramp-sizes = ramp_size：同一报告组的所有作业必须相同；{ $other } 为 { $theirs } 字节，{ $name } 为 { $bytes } 字节
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
job-at-most = 最大为 { $most }
job-excludes = 不能与 { $options } 同时使用
job-no-clock = 必须是时钟编号：0（挂钟时间）、1（monotonic）、4（monotonic raw）、7（自启动起）或 11（TAI）
job-working-set-size = working_set 需要 size=，例如 size=1g
job-working-set-files = working_set 只能用于单个文件
job-working-set-large = dedupe_percentage={ $dedupe } 时最大为 { $most }
job-one-head = 使用 model_disk 时必须为 1：它只有一个磁头
job-offload-polled = offload 与 hipri：尚未实现
job-offload-engine = offload 与 ioengine={ $engine }：尚未实现；可用例如 psync
job-part-of-page = 使用 direct、fsync 或 fdatasync 时必须是 { $page } 的倍数
job-no-skip = `:` 之后必须是要跳过的字节数，例如 { $rw }:8k
job-zones-not-strided = 需要 zonemode=strided 或 zonemode=zbd
job-zone-capacity = 大于一个区域（zonesize={ $size }）
job-zone-size = 使用 zonemode=zbd 时至少为 512 字节
job-zone-skip = 必须是 zonesize（{ $size }）的倍数
job-zone-trims = 尚未实现；zonemode=zbd 的 trim
job-zone-block = 一个块必须能放进一个区域（zonesize={ $size }）
job-strided-size = strided 需要 zonesize=，例如 zonesize=256m
job-standard-stream = 以标准输入或输出为目标：尚未实现
job-size-below-block = 至少为一个块（{ $block } 字节）
