live-measuring = { $pattern }{ $way }，深度 { $depth }
live-filling = 正在写入临时文件
live-asking = { $target }：正在测量 { $pattern } 的{ $question }，剩余 { $left_s } s
live-preparing = { $what }：运行前写入文件，{ $done } / { $total } MiB
live-elapsed-and-left = 已用 { $spent } s，剩余 { $left } s
