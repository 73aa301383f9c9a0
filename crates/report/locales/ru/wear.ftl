# Износ флеш-накопителей: сообщается перед тестом с записью.
wear-writes = { $name }: запись { $bytes }{ $share }
wear-writes-at-most = { $name }: запись не более { $bytes }{ $share }
wear-writes-for = { $name }: запись { $seconds } с на скорости накопителя{ $share }
wear-writes-on = { $name }: запись до конца заданий на скорости накопителя{ $share }
wear-no-flash = { "" } (флеш не обнаружен, износа нет)
wear-share = , { $percent } % ресурса ({ $basis })
wear-share-of-unit = ; 100 GB — это { $percent } % ресурса ({ $basis })
wear-used = израсходовано { $used } %
wear-basis-health = журнал состояния
wear-basis-assumed = допущение: { $writes } объёмов накопителя
