stored-older = 还有 { $more } 条更早的记录未显示；--limit { $all } 显示全部
stored-empty = 还没有存储任何结果
stored-run = 运行
stored-check = 检查
stored-study = 研究
# Headings of the columns.
stored-id = 编号
stored-began = 开始时间
stored-trust = 可信度
stored-kind = 类型
stored-title = 作业或目标
stored-no-rows = { $id } 是没有数据行的答案：请用 --json
stored-not-iometer = { $id } 不是一次运行：--iometer 只导出运行（fathom run）；请用 --json，研究和检查也可用 --csv
stored-answer-without-charts = { $name } 是 fathom { $command } 的答案，没有图表：fathom show { $name } 打印它，fathom report { $name } -o 文件 将其写成页面
stored-no-charts = { $names } 中没有可绘制的内容：fathom show 打印已存储的结果
stored-no-directory = { $path } 是文件：图表写入目录，每张图一个文件；请给出目录的路径
stored-damaged = 未列出，因为存储中的行已损坏：{ $names }
