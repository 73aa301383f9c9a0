cloud-kept = выполнено
cloud-likely-kept = вероятно выполнено
cloud-not-sure = неясно
cloud-likely-not-kept = вероятно не выполнено
cloud-not-kept = не выполнено
cloud-reason-at = { $reads }: { $found }, { $share } предела { $limit }; ограничивает: { $binding }
cloud-reason-burst = { $reads }: { $found }, всплеск выше базового предела { $limit }; { $until }
cloud-burst-end = при полном запасе базовый предел виден через { $time }
cloud-burst-unknown-end = длительности всплеска в таблицах нет
cloud-reason-above = { $reads }: { $found }, { $share } предела { $limit }: кэш, всплеск, которого нет в таблицах, или устаревшая строка
cloud-reason-below = { $reads }: { $found }, { $share } предела { $limit }; ограничивает: { $binding }
cloud-reason-unclear = { $reads }: { $found } ({ $between }), { $share } предела { $limit }: слишком неровно или слишком близко к границе; измеряйте дольше с --seconds
cloud-nothing = ничего не измерено
cloud-failed = задание не выполнено: { $error }
cloud-failed-later = задание не выполнено: { $error }; показанные ниже шаблоны измерены до этого
cloud-only-likely = только вероятно, так как строка не подтверждена или без даты
cloud-between = { $low } до { $high }
cloud-random-reads = случайное чтение { $size }
cloud-sequential-reads = последовательное чтение { $size }
cloud-binds-volume-iops = IOPS тома
cloud-binds-volume-throughput = пропускная способность тома
cloud-binds-instance-iops = IOPS машины
cloud-binds-instance-throughput = пропускная способность машины
cloud-binds-depth = глубина очереди и задержка (больше запросов в работе дали бы больше)
cloud-binds-cpu = процессор измеряющей машины
cloud-binds-lower = предел ниже обещанного (запросы ждут дольше, но не ускоряются)
cloud-column-limit = предел
cloud-column-row = источник
cloud-column-pattern = нагрузка
cloud-column-depth = глубина
cloud-column-measured = измерено
cloud-column-interval = 95 % интервал
cloud-column-share = доля
cloud-column-type = тип
cloud-column-size = размер
cloud-volume = том
cloud-volume-reads = том, чтение
cloud-volume-writes = том, запись
cloud-volume-burst = том, всплеск
cloud-instance = машина
cloud-instance-burst = машина, всплеск
cloud-confirmed = подтверждено
cloud-derived = выведено
cloud-unconfirmed = не подтверждено
cloud-no-date = без даты
cloud-label-crossover = переход
cloud-label-depth = глубина
cloud-label-burst = всплеск
cloud-label-duration = длительность
cloud-label-counts = учёт
cloud-label-instance = машина
cloud-label-source = источник
cloud-label-known = распознано
cloud-label-trust = доверие
cloud-label-caveat = оговорка
cloud-crossover = до { $size } на операцию предел IOPS, выше — пропускной способности
cloud-depth-assumed = { $depth ->
        [one] { $depth } операция одновременно достигает
        [few] { $depth } операции одновременно достигают
        [many] { $depth } операций одновременно достигают
       *[other] { $depth } операции одновременно достигают
    } предела IOPS при { $latency } (предположение)
cloud-depth-stated = { $depth ->
        [one] { $depth } операция одновременно достигает
        [few] { $depth } операции одновременно достигают
        [many] { $depth } операций одновременно достигают
       *[other] { $depth } операции одновременно достигают
    } предела IOPS при { $latency } (провайдер)
cloud-depth-measured = { $depth ->
        [one] { $depth } операция одновременно достигает
        [few] { $depth } операции одновременно достигают
        [many] { $depth } операций одновременно достигают
       *[other] { $depth } операции одновременно достигают
    } предела IOPS (одна: { $latency })
cloud-burst-credits = длится { $time } при полном запасе; в покое запас пополняется за { $refill }
cloud-burst-on-demand = только если заказан; без ограничения времени
cloud-burst-unstated = поставщик не указывает длительность
cloud-duration = дольше { $time }, иначе полный запас скрывает базовые пределы
cloud-duration-any = любая длина показывает пределы: кредитов нет
cloud-counts = запрос считается за одну операцию на каждые начатые { $size }
cloud-counts-whole = каждый запрос считается не менее чем за { $size }
cloud-slices = на каждые 100 мс приходится десятая часть предела
cloud-instance-missing = нет в таблицах, её пределы не учтены; данные: { $source }
cloud-instance-unknown = неизвестна; её пределы могут быть ниже (--instance)
cloud-known-firmware = { $value } по прошивке
cloud-known-disk = { $value } по диску
cloud-known-metadata = { $value } по службе метаданных
cloud-size-range = { $least } до { $most } { $unit }
cloud-list-end = Дата: дата источника. fathom cloud --list --provider ИМЯ выводит размеры; --type ТИП вычисляет пределы
cloud-list-type-end = fathom cloud --type ТИП --size N вычисляет пределы
cloud-error-no-provider = машина не называет известного облачного поставщика; укажите --provider и --type (fathom cloud --list)
cloud-error-no-type = машина не сообщает тип тома; укажите --type или --metadata. Типы { $provider }: { $types }
cloud-error-provider = поставщика { $name } в таблицах нет; может быть, { $near }?
cloud-error-type = типа тома { $name } в таблицах нет; может быть, { $near }?
cloud-error-type-of = у { $provider } нет типа тома { $name }; может быть, { $near }?
cloud-error-type-unlike = типа тома { $name } в таблицах нет; их список: fathom cloud --list
cloud-error-ambiguous = тип { $name } есть у нескольких поставщиков; укажите --provider, один из { $providers }
cloud-error-no-size = пределы { $kind } зависят от размера; укажите --size, например --size 500
cloud-error-size = размер { $kind }: { $least } до { $most } { $unit }
cloud-error-not-ordered = у { $kind } нельзя задать { $option }; уберите этот параметр
cloud-error-not-ordered-but = у { $kind } нельзя задать { $option }; можно у типов: { $types }
cloud-error-order-missing = для { $kind } нужен { $option }: { $least } до { $most } { $unit } при этом размере
cloud-error-order = { $option } для { $kind }: { $least } до { $most } { $unit } при этом размере и IOPS
cloud-error-instance = машины { $name } в таблицах нет; без --instance вычисляются пределы тома. Данные: { $source }
cloud-error-instance-near = машины { $name } в таблицах нет; может быть, { $near }? В таблицах есть { $known }. Данные о других: { $source }
cloud-error-no-figures = в таблицах нет данных о { $kind }
cloud-error-local = это локальный диск хоста, а не том: пределы таблиц к нему не относятся; используйте fathom DEVICE
cloud-live = чтение { $size }, глубина { $depth }
cloud-error-order-iops = { $option } для { $kind }: { $least } до { $most } при этом размере
cloud-error-provider-unlike = поставщика { $name } в таблицах нет; поставщики: { $known }
cloud-no-crossover = нет: при любом размере блока ограничивает { $binding }
cloud-reason-short = { $reads }: { $found }, { $share } предела { $limit }; измерение слишком коротко для 95 % интервала, измеряйте дольше с --seconds
cloud-random-writes = случайная запись { $size }
cloud-sequential-writes = последовательная запись { $size }
cloud-mixed = случайно { $size }, 50 % записей
cloud-live-writes = запись { $size }, глубина { $depth }
cloud-live-mixed = чтение и запись { $size }, глубина { $depth }
cloud-volumes = томов: { $volumes }
cloud-volume-pooled = все тома
cloud-instance-reads = машина, чтение
cloud-instance-writes = машина, запись
cloud-label-sharing = общность
cloud-label-volumes = тома
cloud-label-writes = запись
cloud-sharing-joint = пределы общие для чтения и записи
cloud-sharing-apart = у чтения и записи свои пределы
cloud-sharing-weighted = чтение и запись делят один ресурс: среднее обоих пределов по долям
cloud-sharing-measured = измерено: { $found }; по таблице: { $stated }
cloud-sharing-measured-only = измерено: { $found }; в таблицах об этом ничего нет
cloud-volumes-both = машина ограничивает IOPS начиная с { $iops ->
        [one] { $iops } тома
       *[other] { $iops } томов
    }, пропускную способность — с { $rate }
cloud-volumes-iops = машина ограничивает IOPS начиная с { $iops ->
        [one] { $iops } тома
       *[other] { $iops } томов
    }
cloud-volumes-throughput = машина ограничивает пропускную способность начиная с { $rate ->
        [one] { $rate } тома
       *[other] { $rate } томов
    }
cloud-volumes-pooled = один предел на все тома этого типа, по сумме их размеров
cloud-writes-consent = не измерена; --allow-destroy { $target } разрешает её и уничтожает данные
cloud-writes-budget = не измерена: от бюджета записи осталось слишком мало, или измерение прервано
cloud-allowed-burst = { $lower } из { $higher } { $unit } ({ $burst } в течение не более { $time })
cloud-conclusion-instance = ограничивает машина: из пределов тома { $name } допускает { $parts }
cloud-conclusion-instance-of-several = ограничивает машина: из пределов всех томов вместе ({ $volumes }) { $name } допускает { $parts }
cloud-conclusion-volume = ограничивает том: из пределов { $name } он допускает { $parts }
cloud-conclusion-volumes = ограничивают тома ({ $volumes }): из пределов { $name } вместе они допускают { $parts }
cloud-allowed = { $lower } из { $higher } { $unit }
cloud-allowed-burst-capped = { $lower } из { $higher } { $unit } (не более { $time } — все { $higher }: её всплеск { $burst })
cloud-error-instance-known = машины { $name } в таблицах нет, в них есть { $known }; без --instance вычисляются пределы тома. Данные о других: { $source }
cloud-error-tier = --type { $tier } — диск от { $least } до { $most } GiB, а --size { $size } — диск типа { $own }: уберите одно из двух
cloud-error-tier-none = --type { $tier } — диск от { $least } до { $most } GiB, а --size { $size } больше любого уровня: уберите --size
