stored-render-older-limit = ……另有 { $more } 项更早：--limit { $all }
stored-render-nothing-stored-yet = 还没有存下任何结果
stored-run = 运行
stored-check = 检查
stored-study = 研究
