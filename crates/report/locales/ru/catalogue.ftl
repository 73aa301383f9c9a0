catalogue-column-class = класс
catalogue-column-read-1 = чт. QD1
catalogue-column-read-32 = чт. QD32
catalogue-column-write = зап. QD1
catalogue-column-sync = с sync
catalogue-column-latency = задержка
catalogue-range = диапазон
catalogue-end = 4 KiB, случайно, операций в секунду; оценки. fathom catalog КЛАСС показывает источники и опубликованные данные
catalogue-unknown-near = нет класса { $name }; может быть, { $near }? Список: fathom catalog
catalogue-unknown = нет класса { $name }; список: fathom catalog
rank-own = это устройство
rank-like = его показатели похожи на { $names }
rank-none = его показатели не похожи ни на один класс каталога
rank-reports-rotational = но устройство сообщает о вращении: это виртуальный диск, или сведения неверны
rank-reports-ssd = но устройство сообщает, что это SSD: сведения неверны, или его сдерживает ограничение
rank-end = = в диапазоне класса, 3.2x выше, 1/3.2 ниже. fathom catalog показывает диапазоны
rank-nothing = в { $source } нет нагрузок каталога: 4 KiB случайно с глубиной 1 или 32, запись 4 KiB с sync или последовательно от 128 KiB
