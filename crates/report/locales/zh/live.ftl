live-measuring = { $pattern }{ $way }，深度 { $depth }
live-filling = 正在填充临时文件
live-asking = { $target } 上的 { $pattern }：{ $question }，剩余 { $left_s } s
live-preparing = { $what } 准备中：已写 { $done } / { $total } MiB
live-status-line = { $spent } s，剩余 { $left } s
