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
