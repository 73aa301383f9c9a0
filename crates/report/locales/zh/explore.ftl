# 问题
explore-depth = 队列深度
explore-bs = 块大小
explore-runtime = 运行时长
explore-jobs = numjobs
explore-span = 测试区域大小
explore-grid = iodepth x numjobs 网格
explore-axis = 内核参数
explore-targets = 目标对比
explore-repeat = 可重复性
explore-slo = 延迟目标
explore-hosts = 主机数量

# 建议
explore-scratch-file = 临时测试文件 { $size }
explore-scratch-objects = 临时对象 { $size }
explore-load = { $jobs ->
    [1] iodepth { $depth }
   *[other] iodepth { $depth }、numjobs { $jobs }
}
explore-use = { $pattern }：建议 { $used }：{ $rate }；平均延迟 { $mean }
explore-use-below-knee = 不是拐点（{ $knee }，达到最大值 95 % 的最低深度）：该深度与拐点的差异小于噪声
explore-use-above-knee = 不是拐点（{ $knee }，达到最大值 95 % 的最低深度）：拐点的速率低 3 % 以上
explore-use-knee = { $pattern }：建议 { $used }：达到最大值 { $maximum } 的 { $share }；平均延迟 { $mean }（深度 1 时为 { $alone }）
explore-use-no-knee = { $pattern }：建议 { $used }：{ $rate }；在此深度吞吐量仍在上升，未找到拐点；平均延迟 { $mean }（深度 1 时为 { $alone }）
explore-use-one-limit = { $pattern }：建议 { $used }：{ $rate }；更大的深度也只能达到同样的速率；平均延迟 { $mean }
explore-use-cpu-limit = { $pattern }：建议 { $used }：{ $rate }；瓶颈是 CPU 而不是设备；平均延迟 { $mean }
explore-use-drifting = { $pattern }：建议 { $used }：{ $rate }；结束时吞吐量仍在漂移；平均延迟 { $mean }
explore-use-changed = { $pattern }：建议 { $used }：研究结束时 { $rate }，此前 { $maximum }；平均延迟 { $mean }

# 结果表
explore-pattern = 访问模式
explore-knee-depth = 拐点
explore-knee-depth-unit = QD
explore-maximum = 最大
explore-latency = 延迟
explore-at-depth-1 = QD 1
explore-at-knee = 拐点处
explore-device-busy = 利用率
explore-iops-bound = IOPS 受限
explore-block-up-to = 块不大于
explore-bandwidth-bound = 带宽受限
explore-block-from = 块不小于
explore-run-time = 时长
explore-run-time-seconds = 运行时长，s
explore-run-time-default = { $seconds }（默认）
explore-share-of-maximum = 占最大值
explore-mean-latency-here = 平均延迟
explore-mean-latency-depth-1 = QD 1 平均延迟
explore-p99-at-knee = 拐点处 p99 延迟

# 表下说明
explore-no-difference-jobs = 总队列深度相同时 numjobs 没有影响：{ $patterns }
explore-no-difference-span = 测试区域大小没有影响：{ $patterns }
explore-targets-compared = { $pattern }，在途 { $depth } 个：{ $first } 和 { $second }，比值 { $ratio }
explore-second-faster = 目标 2 在全部 { $loads } 种负载下都更快：IOPS 是目标 1 的 { $low } 到 { $high } 倍
explore-first-faster = 目标 1 在全部 { $loads } 种负载下都更快：IOPS 是目标 2 的 { $low } 到 { $high } 倍
explore-some-faster = { $loads } 种负载中，目标 1 在 { $first } 种下更快，目标 2 在 { $second } 种下更快；{ $same } 种无差异，{ $open } 种未知
explore-question-of = { $question }（{ $patterns }）
explore-question-of-all = { $question }（所有访问模式）
explore-not-answered = 没有结论：{ $question }：{ $reason }
explore-over-budget = 时间预算内没有结论，约需再加 { $minutes } min：{ $questions }
explore-not-the-device = 测到的不是设备本身：{ $statement }
explore-ended-by-signal = 研究被信号终止
explore-only-read = 目标只读；加 --write 才会写入
explore-every-question = 所有问题
explore-random-only = 区域大小只影响随机 I/O
explore-commits-not-paced = 每个任务同时只有一次提交：队列深度即任务数，提交不限速
explore-commits = { $sync }：IOPS 指每秒提交次数，延迟指一次提交的延迟（上次同步之后的写入加同步本身）；每个在途提交使用单独的任务
explore-resume = 研究提前结束；用 fathom explore --resume 继续
explore-summary = 测量 { $points } 个点，用时 { $spent } s，预算 { $budget } s
explore-legend = 拐点：达到最大值 95 % 的最小队列深度；+-%：95 % 置信区间
explore-details-why = 详情：fathom explore --why
explore-details-show = 详情：fathom show S{ $id }
explore-recommended-job = { $pattern } 的推荐任务（--job FILE 写出全部任务）：

# 估计值
explore-separator = ；
explore-unit-commits = 次提交/s
explore-estimate = { $value }{ $unit }（{ $low } 至 { $high }）
explore-measured-on = 测量 { $seconds } s，在 { $region } 的区域内传输 { $moved }

# 队列深度
explore-knee = 拐点在 { $in_flight } 个在途 I/O：达到最大值的 { $share }，最大值为 { $figure }
explore-knee-between = 拐点在 { $low } 到 { $high } 个在途 I/O 之间
explore-mean-latency = 平均延迟 { $mean }（深度 1 时为 { $alone }）
explore-p99 = p99 延迟 { $p99 }
explore-p99-between = p99 延迟 { $p99 }（{ $low } 到 { $high }）
explore-little = 若延迟保持在深度 1 的水平，达到最大值需要 { $bound } 个在途 I/O（利特尔法则）
explore-no-knee = 在途 { $up_to } 个时吞吐量仍在上升：{ $figure }；未找到拐点
explore-one-limit = 深度从 1 到 { $up_to } 速率都相同：{ $figure }；深度 1 时平均延迟 { $alone }
explore-limit-above-device = 瓶颈是设备之上的限速：期间设备空闲
explore-limit-serial = 瓶颈是限速，或者设备一次只处理一个 I/O
explore-cpu-limit = 瓶颈是 CPU 而不是设备：{ $jobs } 个任务共 { $in_flight } 个在途 I/O 时为 { $figure }；最忙的线程占用一个 CPU 的 { $busy }
explore-drifting = 吞吐量仍在漂移：在途 { $in_flight } 个时为 { $figure }，{ $over } s 之前为 { $before }；没有稳定的速率
explore-law-two-lines = 吞吐量符合两条直线：每个在途 I/O 贡献 { $each } IOPS，到 { $meet } 为止，之后不变（预测误差 { $lines_off }；争用模型为 { $usl_off }）
explore-law-contention = 吞吐量符合争用模型（USL），串行部分占 { $contention }（预测误差 { $usl_off }；两条直线为 { $lines_off }）
explore-law-either = 两种模型同样符合吞吐量：两条直线，每个在途 I/O 贡献 { $each } IOPS，到 { $meet } 为止（预测误差 { $lines_off }）；或争用模型（USL），串行部分占 { $contention }（预测误差 { $usl_off }）
explore-law-peak = 模型在 { $peak } 个在途 I/O 处达到峰值
explore-law-no-peak = 到 { $up_to } 个在途 I/O 为止模型没有峰值
explore-law-maximum = 最大值 { $figure }
explore-cap-iops = 很可能有 IOPS 上限，为 { $figure }：{ $from } 和 { $to } 的块达到同样的 IOPS
explore-cap-bandwidth = 很可能有带宽上限，为 { $figure }，即 { $mib } MiB/s：{ $from } 和 { $to } 的块达到同样的带宽
explore-sign-same-bytes = 若没有上限，较小的块会因单个 I/O 的开销损失带宽
explore-sign-idle-beneath = 其下的设备大部分时间空闲
explore-sign-regular = 速率比深度 1 时平稳得多
explore-sign-longer-alone = 深度为 1 时较大的块耗时更长
explore-sign-quick-when-few = 低负载下单个 I/O 的完成速度高于该速率的串行设备所能达到的

# 其他问题
explore-crossover = IOPS 上限与带宽上限在块大小 { $figure } 处相交：测试 IOPS 用不大于 { $up_to } 的块（{ $iops } IOPS），测试带宽用不小于 { $from } 的块（{ $rate } MB/s），在途 { $in_flight } 个
explore-same-iops = 从 { $from } 到 { $to } 的所有块大小 IOPS 相同：在途 { $in_flight } 个时为 { $figure }；未发现带宽上限
explore-same-bandwidth = 从 { $from } 到 { $to } 的所有块大小带宽相同：在途 { $in_flight } 个时为 { $figure }；未发现 IOPS 上限
explore-run-for = 应运行 { $figure }：平均值误差在 +-{ $within } % 以内需 { $mean } s，p99 误差在 +-{ $within_p99 } % 以内需 { $tail } s，预热 { $warm_up } s
explore-run-for-mean = 应运行 { $figure }，使平均值误差在 +-{ $within } % 以内，其中预热 { $warm_up } s；p99 误差在 +-{ $within_p99 } % 以内所需的时间未知
explore-rate-steady = 在测量的 { $seen } s 内速率稳定
explore-rate-drifts = 在测量的 { $seen } s 内速率一直漂移，多长的运行都不够
explore-rate-bursts = 在测量的 { $seen } s 内速率呈突发式，每 { $every } s 一次
explore-rate-steps = 在测量的 { $seen } s 内速率从一个水平变到另一个水平
explore-jobs-faster = 任务多更快：总共 { $in_flight } 个在途 I/O 时，numjobs={ $jobs } 的 IOPS 是 numjobs=1 的 { $figure }倍
explore-jobs-slower = 任务多更慢：总共 { $in_flight } 个在途 I/O 时，numjobs={ $jobs } 的 IOPS 是 numjobs=1 的 { $figure }倍
explore-jobs-same = numjobs 没有影响：总共 { $in_flight } 个在途 I/O 时，numjobs={ $jobs } 的 IOPS 是 numjobs=1 的 { $figure }倍
explore-jobs-unknown = 无法判断 numjobs 的影响：总共 { $in_flight } 个在途 I/O 时，numjobs={ $jobs } 的 IOPS 是 numjobs=1 的 { $figure }倍
explore-span-faster = 区域太小会高估性能：{ $whole } 中的 { $part } 达到整个区域 IOPS 的 { $figure }倍
explore-span-slower = 小区域更慢：{ $whole } 中的 { $part } 达到整个区域 IOPS 的 { $figure }倍
explore-span-same = 区域大小没有影响：{ $whole } 中的 { $part } 达到整个区域 IOPS 的 { $figure }倍
explore-span-unknown = 无法判断区域大小的影响：{ $whole } 中的 { $part } 达到整个区域 IOPS 的 { $figure }倍
explore-targets-ratio = 目标 2 的 IOPS 是目标 1 的 { $figure }倍，在途分别为 { $second } 和 { $first } 个，交替测量
explore-setting-faster = { $name }={ $value } 更快：IOPS 是 { $name }={ $base } 的 { $figure }倍
explore-setting-slower = { $name }={ $value } 更慢：IOPS 是 { $name }={ $base } 的 { $figure }倍
explore-setting-same = { $name }={ $value } 没有影响：IOPS 是 { $name }={ $base } 的 { $figure }倍
explore-setting-unknown = 无法判断 { $name }={ $value } 的影响：IOPS 是 { $name }={ $base } 的 { $figure }倍
explore-changed-between = 吞吐量在研究的第 { $from_s } s 到 { $to_s } s 之间发生变化：之前为 { $before }，之后为 { $figure }
explore-changed-about = 吞吐量在研究的第 { $about_s } s 左右发生变化：之前为 { $before }，之后为 { $figure }
explore-rounds = { $over } s 内测量 { $rounds } 轮，在途 { $in_flight } 个：平均 { $figure }
explore-rounds-differ = 各轮之间的标准差为 { $deviation }（{ $low } 至 { $high }），按单轮估计应为 { $own }
explore-one-run-is-not-enough = 单次运行没有代表性：应重复测量并给出离散程度
explore-one-run-is-enough = 单次运行在其区间内有代表性
explore-goal-mean = 平均
explore-goal-kept = { $name } 延迟不超过 { $limit } 的速率可达 { $figure }，即最大值的 { $share }；随机到达，延迟从 I/O 应发出的时刻算起
explore-goal-latency = 在大约此速率下 { $name } 延迟为 { $value }，在 { $low } 与 { $high } 之间
explore-goal-interval = 区间的起点是已证实满足目标的速率，终点是已证实不满足的速率或最大值
explore-goal-always-kept = 即使在试过的最高速率 { $figure }（最大值的 { $share }）下，{ $name } 延迟也不超过 { $limit }；随机到达，超过最大值后队列会无限增长
explore-goal-never-kept = { $name } 延迟无法保持在 { $limit } 以内：只有一个在途 I/O 时为 { $figure }，在试过的最低速率 { $lowest } IOPS 下更高
explore-grid-best = iodepth={ $depth } numjobs={ $jobs } 是网格中接近最大值的最小负载：{ $figure }

# 结论的限制
explore-caveat = 注意：{ $caveat }
explore-caveat-drifts = 测量期间吞吐量仍变化了 { $by }
explore-caveat-noise = 相邻深度的差别小于噪声
explore-caveat-pauses = 目标每 { $every } 停顿约 { $each }；速率已包含停顿
explore-caveat-may-be-more = 最大值可能还要高出至多 { $up }
explore-caveat-too-few = 完成的 I/O 太少，无法得知速率
explore-caveat-wide = 置信区间宽达 +-{ $half }
explore-caveat-changed = 同样的负载在研究后期达到 { $now } IOPS
explore-caveat-errors = { $all } 个 I/O 中有 { $failed } 个失败，未计入
explore-caveat-grade = 部分测量点的等级仅为 { $grade }

# 测量点与负载
points-none = 没有测量任何点
points-title = 对 { $targets } 的研究：{ $points }；{ $spent } s
points-count = { $points } 个点
points-count-unfinished = { $points } 个点，未完成
points-whole-region = 全部
points-drifting = 漂移
points-level-shift = 跳变
points-time-limit = 到时限
points-interrupted = 被中断
points-point = 点
points-question = 问题
points-target = 目标
points-region = 区域
points-mean-latency = 平均延迟
points-p99-latency = p99 延迟
points-seconds = 秒
points-jobs = 任务
points-grade = 等级
points-note = 备注
points-load = 负载
points-mean = 平均
points-latency = 延迟
study-other-target = { $target } 不是 S{ $id } 的目标：{ $why }
study-other-size = 原有 { $before } 字节，现有 { $now } 字节
study-other-file = 已被另一个文件取代
study-other-disks = 原来在 { $before } 上，现在在 { $now } 上
study-other-kind = 目标的类型不同，或不再能使用直接 I/O
explore-hosts-share = { $hosts } 台主机 { $share } %
explore-hosts-enough = { $enough } 台主机已足够：合计同为 { $in_flight } 个在途 I/O 时，达到全部 { $all } 台主机 IOPS 的 { $figure } 倍
explore-hosts-all = 需要全部 { $all } 台主机，更多主机可能更快：合计同为 { $in_flight } 个在途 I/O 时，{ $fewer } 台主机达到其 IOPS 的 { $figure } 倍
explore-hosts-others = 占 IOPS 的比例：{ $shares }
explore-hosts-fairness = 各主机的公平性 { $index }（1：所有主机的 IOPS 相同）
explore-hosts-between = 可能需要 { $fewest } 到 { $most } 台主机：比例的区间包含 95 %
explore-hosts-uneven = 最慢的是 { $slowest }：{ $low }，{ $fastest } 为 { $high }
