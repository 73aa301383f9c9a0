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
hosts-lost-ended = { $host }：连接已结束（状态 { $status }）
hosts-lost-killed = { $host }：连接被信号终止
hosts-lost-said = { $host }：{ $said }
hosts-lost-silent = { $host }：{ $seconds } 秒没有消息
hosts-lost-no-agent = { $host }：这不是 fathom 的代理
hosts-lost-version = { $host }：那里是 fathom { $version }，这里是 { $own }；所有主机需要相同版本
hosts-bad-name = --hosts：'{ $name }' 不是主机名
hosts-none = 没有给出主机
hosts-not-with = { $switch } 不能与 --hosts 一起使用
hosts-nothing-to-run = 使用 --hosts 时需要作业
hosts-not-utf8 = 使用 --hosts 时参数必须是 UTF-8
hosts-refused = 没有在任何主机上运行
hosts-not-split-small = --share=split：{ $path } 有 { $bytes } 字节，每台主机不足一个块
hosts-not-split-unwritten = --share=split：{ $path } 必须在运行前写满；请先在一台主机上不带 --hosts 写满
hosts-no-mpirun = 未安装 mpirun：请安装 openmpi-bin（Open MPI）
hosts-other-mpi = 此 mpirun 不属于 Open MPI（{ $said }）：请安装 openmpi-bin，并将其 mpirun 置于 PATH 首位
