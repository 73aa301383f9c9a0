catalogue-column-class = 类别
catalogue-column-read-1 = 读 QD1
catalogue-column-read-32 = 读 QD32
catalogue-column-write = 写 QD1
catalogue-column-sync = 同步写
catalogue-column-latency = 延迟
catalogue-range = 范围
catalogue-end = 4 KiB 随机，每秒 I/O 数；均为估计。fathom catalog 类别 显示来源和已发表的数据
catalogue-unknown-near = 没有类别 { $name }；是否指 { $near }？fathom catalog 可列出
catalogue-unknown = 没有类别 { $name }；fathom catalog 可列出
rank-own = 此设备
rank-like = 其数值类似于 { $names }
rank-none = 其数值与目录中任何类别都不相似
rank-reports-rotational = 但设备报告为旋转介质：它是虚拟磁盘，或标识有误
rank-reports-ssd = 但设备报告为 SSD：标识有误，或受到限速
rank-end = = 在该类别范围内，3.2x 高于上限，1/3.2 低于下限。fathom catalog 显示范围
rank-nothing = { $source } 没有目录中的负载：深度 1 或 32 的 4 KiB 随机、带同步的 4 KiB 写，或 128 KiB 以上的顺序
