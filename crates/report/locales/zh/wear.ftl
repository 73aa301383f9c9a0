# 写测试开始前说明的闪存磨损。
wear-writes = { $name }：写入 { $bytes }{ $share }
wear-writes-at-most = { $name }：最多写入 { $bytes }{ $share }
wear-writes-for = { $name }：写入 { $seconds } s，数据量取决于磁盘速度{ $share }
wear-writes-on = { $name }：写到作业结束，数据量取决于磁盘速度{ $share }
wear-no-flash = （未发现闪存，无磨损）
wear-share = ，占写入寿命的 { $percent } %（{ $basis }）
wear-share-of-unit = ；每 100 GB 占写入寿命的 { $percent } %（{ $basis }）
wear-used = 已用 { $used } %
wear-basis-health = 健康日志
wear-basis-assumed = 假设：全盘写入 { $writes } 次
