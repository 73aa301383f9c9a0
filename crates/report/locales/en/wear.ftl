# Wear of flash drives, stated before a test that writes.
wear-writes = { $name }: writes { $bytes }{ $share }
wear-writes-at-most = { $name }: writes at most { $bytes }{ $share }
wear-writes-for = { $name }: writes for { $seconds } s at the rate of the drive{ $share }
wear-writes-on = { $name }: writes until the jobs end, at the rate of the drive{ $share }
wear-no-flash = { "" } (no flash known, no wear)
wear-share = , { $percent } % of its endurance ({ $basis })
wear-share-of-unit = ; 100 GB are { $percent } % of its endurance ({ $basis })
wear-used = { $used } % used
wear-basis-health = health log
wear-basis-assumed = assumed: { $writes } drive writes
