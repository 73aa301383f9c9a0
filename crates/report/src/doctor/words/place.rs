//! Where the target lies: alignment, and what is under it.

use super::{Words, errno, exact, raw, told};
use crate::Lang;
use crate::lang::{say, word};
use crate::scale::bytes;
use stats::doctor::*;

pub(super) fn alignment(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Begins {
            what,
            origin,
            on,
            byte,
            sector,
            sector_bytes,
            multiple_of,
            physical_bytes,
            fails,
            compensated,
        } => {
            let place = match origin {
                Origin::Partition | Origin::TableEntry if *sector_bytes == 512 => say!(lang;
                    "{what} begins at sector {sector} of {on}", "{what} 从 {on} 的扇区 {sector} 开始",
                    "{what} начинается с сектора {sector} на {on}", "{what} beginnt bei Sektor {sector} von {on}"),
                Origin::Partition | Origin::TableEntry => say!(lang;
                    "{what} begins at sector {sector} of {on} ({sector_bytes}-byte sectors)",
                    "{what} 从 {on} 的扇区 {sector} 开始（扇区 {sector_bytes} 字节）",
                    "{what} начинается с сектора {sector} на {on} (секторы по {sector_bytes} байт)",
                    "{what} beginnt bei Sektor {sector} von {on} (Sektoren von {sector_bytes} Byte)"),
                Origin::Loop => {
                    say!(lang; "{what} begins at byte {byte} of {on}", "{what} 从 {on} 的第 {byte} 字节开始",
                    "{what} начинается с байта {byte} на {on}", "{what} beginnt bei Position {byte} von {on}")
                }
                Origin::Raid => {
                    say!(lang; "the data of {what} begins at byte {byte} of {on}", "{what} 的数据从 {on} 的第 {byte} 字节开始",
                    "данные {what} начинаются с байта {byte} на {on}", "die Daten von {what} beginnen bei Position {byte} von {on}")
                }
                Origin::File => {
                    say!(lang; "{what} lies at byte {byte} of {on}", "{what} 位于 {on} 的第 {byte} 字节",
                    "{what} лежит с байта {byte} на {on}", "{what} liegt bei Position {byte} von {on}")
                }
                Origin::Sum => {
                    say!(lang; "all layers together, {what} begins at byte {byte} of {on}", "各层合计，{what} 从 {on} 的第 {byte} 字节开始",
                    "с учётом всех слоёв {what} начинается с байта {byte} на {on}",
                    "alle Ebenen zusammen: {what} beginnt bei Position {byte} von {on}")
                }
            };
            let Some(m) = fails else {
                let multiple = match multiple_of.map(|u| exact(lang, u)) {
                    None => say!(lang; "aligned", "已对齐", "выровнено", "ausgerichtet"),
                    Some(unit) => {
                        say!(lang; "a multiple of {unit}", "{unit} 的整数倍", "кратно {unit}", "ein Vielfaches von {unit}")
                    }
                };
                return told(format!("{place}: {multiple}"), "", "");
            };
            let (beyond, unit) = (exact(lang, m.beyond), exact(lang, m.bytes));
            let fact = say!(lang; "{place}: {beyond} beyond a multiple of {unit}", "{place}：比 {unit} 的整数倍多 {beyond}",
                "{place}: на {beyond} дальше кратного {unit}", "{place}: {beyond} hinter einem Vielfachen von {unit}");
            if *compensated {
                return told(
                    fact,
                    word!(lang; "the layers below make up for it: the target itself begins at a whole block", "下面各层把它抵消了：目标本身从整块开始",
                        "слои ниже это выправляют: сама цель начинается с целого блока",
                        "die Ebenen darunter gleichen es aus: das Ziel selbst beginnt bei einem ganzen Block"),
                    word!(lang; "nothing, unless one of the layers is changed", "无需处理，除非改动其中一层", "ничего, если не менять ни один из слоёв",
                        "nichts, solange keine der Ebenen geändert wird"),
                );
            }
            let reported = if *physical_bytes < 4096 {
                say!(lang;
                    " ({on} reports sectors of {physical_bytes} bytes; flash and virtual disks work in 4096 all the same)",
                    "（{on} 报告扇区为 {physical_bytes} 字节；闪存和虚拟盘仍按 4096 工作）",
                    " ({on} сообщает о секторах по {physical_bytes} байт; флеш и виртуальные диски всё равно работают по 4096)",
                    " ({on} meldet Sektoren von {physical_bytes} Byte; Flash-Speicher und virtuelle Platten arbeiten trotzdem mit 4096)")
            } else {
                String::new()
            };
            let act = match origin {
                Origin::Partition | Origin::TableEntry => word!(lang;
                    "save the data, make the partition anew at sector 2048 (1 MiB), copy it back",
                    "备份数据，从扇区 2048（1 MiB）重建分区，再拷回",
                    "сохраните данные, создайте раздел заново с сектора 2048 (1 MiB), скопируйте обратно",
                    "die Daten sichern, die Partition bei Sektor 2048 (1 MiB) neu anlegen, zurückkopieren"),
                Origin::Loop => {
                    word!(lang; "attach it with an offset that is a multiple of 4096", "挂接时偏移取 4096 的整数倍",
                    "подключите со смещением, кратным 4096", "mit einem Versatz anhängen, der ein Vielfaches von 4096 ist")
                }
                Origin::Raid => {
                    word!(lang; "create the array with a data offset that is a multiple of 1 MiB", "创建阵列时数据偏移取 1 MiB 的整数倍",
                    "создайте массив со смещением данных, кратным 1 MiB",
                    "den Verbund mit einem Datenversatz anlegen, der ein Vielfaches von 1 MiB ist")
                }
                Origin::File => {
                    word!(lang; "make the file system with blocks of 4096 bytes", "用 4096 字节的块建文件系统",
                    "создайте файловую систему с блоками 4096 байт", "das Dateisystem mit Blöcken von 4096 Byte anlegen")
                }
                Origin::Sum => {
                    word!(lang; "align the layers one by one, from the disk up", "从磁盘往上逐层对齐", "выровняйте слои по одному, начиная с диска",
                    "die Ebenen nacheinander ausrichten, von der Platte aufwärts")
                }
            };
            match m.unit {
                Unit::Sector => {
                    let why = say!(lang; "each 4k block lies across two; a write of one is two reads and two writes{reported}",
                        "每个 4k 块都跨两个扇区；写一块等于两读两写{reported}",
                        "каждый блок 4k лежит на двух; запись одного — это два чтения и две записи{reported}",
                        "jeder 4k-Block liegt über zweien; einen zu schreiben ist zweimal Lesen und zweimal Schreiben{reported}");
                    told(fact, why, act)
                }
                Unit::Chunk => {
                    let why = say!(lang; "some requests lie across two chunks of {unit} and ask two members", "有些请求跨两个 {unit} 的条带单元，要访问两个成员",
                        "часть запросов лежит на двух отрезках по {unit} и обращается к двум дискам",
                        "manche Anfragen liegen über zwei Stücken von {unit} und gehen an zwei Platten");
                    told(fact, why, act)
                }
                Unit::Stripe => told(
                    fact,
                    say!(lang; "no write of {unit} fills one stripe: parity is read before it is written", "{unit} 的写入填不满一个条带：写校验前要先读",
                        "ни одна запись в {unit} не заполняет полосу: чётность читается перед записью",
                        "kein Schreibzugriff von {unit} füllt einen Streifen: die Parität wird vor dem Schreiben gelesen"),
                    word!(lang; "for large sequential writes, begin at a multiple of the stripe", "大的顺序写应从条带的整数倍开始",
                        "для больших последовательных записей начинайте с кратного полосе",
                        "für große sequenzielle Schreibzugriffe bei einem Vielfachen des Streifens beginnen"),
                ),
            }
        }
        Fact::KernelSaysMisaligned { device, offset_bytes } => told(
            say!(lang; "the kernel calls {device} misaligned (alignment_offset {offset_bytes})", "内核认为 {device} 没有对齐（alignment_offset {offset_bytes}）",
                "ядро считает, что {device} не выровнено (alignment_offset {offset_bytes})",
                "der Kernel nennt {device} falsch ausgerichtet (alignment_offset {offset_bytes})"),
            word!(lang; "its blocks lie across those of what it is made of: small writes are done twice", "它的块跨着下层的块：小写入要做两遍",
                "его блоки лежат поперёк блоков того, из чего оно состоит: малые записи делаются дважды",
                "seine Blöcke liegen quer zu denen, aus denen es besteht: kleine Schreibzugriffe geschehen doppelt"),
            word!(lang; "make the volume anew with its data at a multiple of 1 MiB", "重建该卷，数据起点取 1 MiB 的整数倍",
                "создайте том заново, чтобы данные начинались с кратного 1 MiB",
                "den Datenträger neu anlegen, mit den Daten bei einem Vielfachen von 1 MiB"),
        ),
        Fact::OffsetNotTold { above, device } => told(
            say!(lang; "where {above} begins on {device} only root may ask (dmsetup table); the kernel sees no misfit",
                "{above} 从 {device} 的哪里开始，只有 root 能查（dmsetup table）；内核没有发现不对齐",
                "где {above} начинается на {device}, может спросить только root (dmsetup table); ядро несовпадения не видит",
                "wo {above} auf {device} beginnt, darf nur root fragen (dmsetup table); der Kernel sieht nichts Falsches"),
            "",
            "",
        ),
        Fact::TableWithoutPartitions { device, gpt, entries } => {
            let kind = if *gpt { "GPT" } else { "MBR" };
            let entries = match entries {
                1 => say!(lang; "1 partition", "1 个分区", "разделов: 1", "1 Partition"),
                n => say!(lang; "{n} partitions", "{n} 个分区", "разделов: {n}", "{n} Partitionen"),
            };
            told(
                say!(lang; "{device} has a table ({kind}, {entries}) that the kernel made nothing of", "{device} 有分区表（{kind}，{entries}），但内核没有采用",
                    "на {device} есть таблица ({kind}, {entries}), но ядро её не использовало",
                    "{device} hat eine Tabelle ({kind}, {entries}), aus der der Kernel nichts gemacht hat"),
                word!(lang; "read from the disk; nothing can be mounted or measured through them yet", "这是从磁盘读出的；还不能经它们挂载或测量",
                    "прочитано с диска; смонтировать или измерить через них пока ничего нельзя",
                    "von der Platte gelesen; darüber lässt sich noch nichts einhängen oder messen"),
                word!(lang; "partx -a, partprobe, or losetup -P makes them", "用 partx -a、partprobe 或 losetup -P 生成分区",
                    "их создаст partx -a, partprobe или losetup -P", "partx -a, partprobe oder losetup -P legt sie an"),
            )
        }
        Fact::TableForOtherSectors { device, table_bytes, device_bytes } => told(
            say!(lang; "the table on {device} counts in sectors of {table_bytes} bytes, the disk has {device_bytes}",
                "{device} 的分区表按 {table_bytes} 字节的扇区计，而磁盘是 {device_bytes}",
                "таблица на {device} считает в секторах по {table_bytes} байт, а у диска {device_bytes}",
                "die Tabelle auf {device} zählt in Sektoren von {table_bytes} Byte, die Platte hat {device_bytes}"),
            word!(lang; "it was made for another disk; the kernel finds no partition, or a wrong one", "它是为别的盘做的；内核找不到分区，或找错",
                "она сделана для другого диска; ядро не находит раздела или находит не тот",
                "sie ist für eine andere Platte gemacht; der Kernel findet keine Partition oder eine falsche"),
            say!(lang; "use the disk with {table_bytes}-byte sectors, or partition it anew", "让该盘使用 {table_bytes} 字节扇区，或重新分区",
                "используйте диск с секторами по {table_bytes} байт или разметьте заново",
                "die Platte mit Sektoren von {table_bytes} Byte betreiben, oder sie neu partitionieren"),
        ),
        Fact::TableUnread { device } => told(
            say!(lang; "whether {device} has a partition table is not known: it may not be read", "不知道 {device} 有没有分区表：无权读取",
                "есть ли на {device} таблица разделов, неизвестно: читать нельзя",
                "ob {device} eine Partitionstabelle hat, ist unbekannt: sie darf nicht gelesen werden"),
            word!(lang; "the kernel made no partitions of it; a table would be seen on the disk alone", "内核没有从中得到分区；只有读磁盘才看得到分区表",
                "ядро разделов из неё не сделало; таблица была бы видна только на самом диске",
                "der Kernel hat keine Partitionen daraus gemacht; eine Tabelle wäre nur auf der Platte selbst zu sehen"),
            word!(lang; "ask again as root or as a member of group disk", "以 root 或 disk 组成员身份再查", "спросите ещё раз как root или член группы disk",
                "noch einmal als root oder als Mitglied der Gruppe disk fragen"),
        ),
        Fact::SmallFileSystemBlocks { at, bytes } => told(
            say!(lang; "the file system at {at} has blocks of {bytes} bytes", "{at} 处的文件系统块为 {bytes} 字节",
                "у файловой системы на {at} блоки по {bytes} байт", "das Dateisystem unter {at} hat Blöcke von {bytes} Byte"),
            word!(lang; "a file may begin between two pages of flash, wherever the partition begins", "不管分区从哪里开始，文件都可能从两个闪存页之间开始",
                "файл может начаться между двумя страницами флеша, где бы ни начинался раздел",
                "eine Datei kann zwischen zwei Seiten des Flash-Speichers beginnen, wo auch immer die Partition beginnt"),
            word!(lang; "mkfs with 4096-byte blocks (ext4: -b 4096)", "mkfs 用 4096 字节的块（ext4：-b 4096）", "mkfs с блоками 4096 байт (ext4: -b 4096)",
                "mkfs mit Blöcken von 4096 Byte (ext4: -b 4096)"),
        ),
        Fact::NothingBetween { device } => told(
            say!(lang; "nothing between the target and {device} has an offset", "目标与 {device} 之间没有任何偏移", "между целью и {device} смещений нет",
                "zwischen dem Ziel und {device} hat nichts einen Versatz"),
            "",
            "",
        ),
        other => raw(other),
    }
}

fn file_system(lang: Lang, kind: &str, answers: FileSystemKind, at: &str) -> Words {
    match answers {
        FileSystemKind::Memory => told(
            say!(lang; "{kind} at {at} is memory", "{at} 处的 {kind} 是内存", "{kind} на {at} — это память", "{kind} unter {at} ist Arbeitsspeicher"),
            word!(lang; "there is no disk: every figure is the memory's", "没有磁盘：所有数字都是内存的", "диска нет: все цифры относятся к памяти",
                "da ist keine Platte: jede Zahl ist die des Arbeitsspeichers"),
            word!(lang; "choose a directory on a disk", "选一个磁盘上的目录", "выберите каталог на диске", "ein Verzeichnis auf einer Platte wählen"),
        ),
        FileSystemKind::Disk => told(
            say!(lang; "on a file system: {kind} at {at}", "在文件系统上：{at} 处的 {kind}", "на файловой системе: {kind} на {at}",
                "auf einem Dateisystem: {kind} unter {at}"),
            word!(lang; "figures are the file system's and the disk's together", "数字是文件系统和磁盘合在一起的", "цифры относятся к файловой системе и диску вместе",
                "die Zahlen sind die von Dateisystem und Platte zusammen"),
            word!(lang; "for the disk alone measure the raw device, empty, or by reads only", "只测磁盘就测裸设备，空的，或只读",
                "для одного диска измеряйте само устройство, пустое или только чтением",
                "für die Platte allein das Gerät selbst messen, leer, oder nur lesend"),
        ),
        FileSystemKind::CopyOnWrite => told(
            say!(lang; "on a file system that never writes in place: {kind} at {at}", "在从不原地写的文件系统上：{at} 处的 {kind}",
                "на файловой системе, которая не пишет на прежнее место: {kind} на {at}",
                "auf einem Dateisystem, das nie an Ort und Stelle schreibt: {kind} unter {at}"),
            word!(lang; "random writes allocate, checksums take processor time, compression makes zeros vanish", "随机写要分配空间，校验和耗处理器时间，压缩会让零消失",
                "случайные записи выделяют место, контрольные суммы тратят процессор, при сжатии нули исчезают",
                "zufällige Schreibzugriffe belegen Platz, Prüfsummen kosten Prozessorzeit, Kompression lässt Nullen verschwinden"),
            word!(lang; "use incompressible data (refill_buffers); for the disk alone measure the raw device", "使用不可压缩的数据（refill_buffers）；只测磁盘就测裸设备",
                "берите несжимаемые данные (refill_buffers); для одного диска измеряйте само устройство",
                "unkomprimierbare Daten nehmen (refill_buffers); für die Platte allein das Gerät selbst messen"),
        ),
        FileSystemKind::Overlay => told(
            say!(lang; "{kind} at {at} lies on other file systems", "{at} 处的 {kind} 叠在别的文件系统上", "{kind} на {at} лежит поверх других файловых систем",
                "{kind} unter {at} liegt auf anderen Dateisystemen"),
            word!(lang; "a file of a lower layer is copied up, whole, at its first write", "下层的文件在第一次写入时整个复制上来",
                "файл нижнего слоя при первой записи целиком копируется наверх",
                "eine Datei einer unteren Ebene wird beim ersten Schreibzugriff ganz nach oben kopiert"),
            word!(lang; "measure a file made here by you, or a mounted volume", "测你在这里新建的文件，或挂载的卷",
                "измеряйте файл, созданный здесь вами, или смонтированный том",
                "eine hier selbst angelegte Datei messen, oder einen eingehängten Datenträger"),
        ),
        FileSystemKind::Network => told(
            say!(lang; "{kind} at {at} is served over a network", "{at} 处的 {kind} 由网络提供", "{kind} на {at} приходит по сети", "{kind} unter {at} kommt über ein Netzwerk"),
            word!(lang; "figures are the network's and the server's; direct=1 leaves out only our own page cache", "数字是网络和服务器的；direct=1 只绕过本机的页缓存",
                "цифры относятся к сети и серверу; direct=1 обходит только наш страничный кэш",
                "die Zahlen sind die von Netzwerk und Gegenstelle; direct=1 umgeht nur unseren eigenen Page-Cache"),
            word!(lang; "use more data than the server's memory; compare with the link's rate", "数据量要超过服务器内存；与链路速率比较",
                "берите данных больше, чем памяти у сервера; сравните со скоростью канала",
                "mehr Daten nehmen, als die Gegenstelle Arbeitsspeicher hat; mit der Rate der Verbindung vergleichen"),
        ),
        FileSystemKind::Served => told(
            say!(lang; "{kind} at {at} is served by another program or by the host", "{at} 处的 {kind} 由别的程序或宿主机提供",
                "{kind} на {at} предоставляет другая программа или хост", "{kind} unter {at} kommt von einem anderen Programm oder vom Wirt"),
            word!(lang; "figures are that program's; its cache is out of our reach", "数字是那个程序的；它的缓存我们管不到", "цифры относятся к той программе; её кэш нам недоступен",
                "die Zahlen sind die jenes Programms; sein Puffer ist außer Reichweite"),
            word!(lang; "measure where the data lies", "到数据所在处去测", "измеряйте там, где лежат данные", "dort messen, wo die Daten liegen"),
        ),
    }
}

fn mount(lang: Lang, effect: MountEffect) -> (&'static str, &'static str) {
    match effect {
        MountEffect::Synchronous => (
            word!(lang; "every write waits for the disk, asked or not", "每次写入都等磁盘，不管有没有要求", "каждая запись ждёт диска, просили о том или нет",
                "jeder Schreibzugriff wartet auf die Platte, verlangt oder nicht"),
            word!(lang; "mount without it, or keep it in mind", "去掉它再挂载，或记住这一点", "смонтируйте без неё или помните об этом",
                "ohne sie einhängen, oder daran denken"),
        ),
        MountEffect::NoFlush => (
            word!(lang; "fsync does not flush the disk's cache: its figures are too good", "fsync 不刷新磁盘缓存：它的数字好过头",
                "fsync не сбрасывает кэш диска: его цифры слишком хороши", "fsync leert den Puffer der Platte nicht: seine Zahlen sind zu gut"),
            word!(lang; "mount with barriers", "挂载时打开 barrier", "смонтируйте с барьерами", "mit Barrieren einhängen"),
        ),
        MountEffect::DataTwice => (
            word!(lang; "each byte is written twice", "每个字节写两遍", "каждый байт пишется дважды", "alles wird zweimal geschrieben"),
            word!(lang; "mount with data=ordered", "用 data=ordered 挂载", "смонтируйте с data=ordered", "mit data=ordered einhängen"),
        ),
        MountEffect::Compressed => (
            word!(lang; "zeros and patterns shrink to nothing", "零和图案会被压缩殆尽", "нули и узоры сжимаются в ничто", "Nullen und Muster schrumpfen zu nichts"),
            word!(lang; "use incompressible data (refill_buffers)", "使用不可压缩的数据（refill_buffers）", "берите несжимаемые данные (refill_buffers)",
                "unkomprimierbare Daten nehmen (refill_buffers)"),
        ),
        MountEffect::Dax => (
            word!(lang; "there is no page cache: buffered is direct", "没有页缓存：缓冲即直接", "страничного кэша нет: буферизованный доступ и есть прямой",
                "da ist kein Page-Cache: gepuffert ist direkt"),
            word!(lang; "compare with a mount without it", "与去掉它的挂载比较", "сравните с монтированием без неё", "mit einer Einhängung ohne sie vergleichen"),
        ),
        MountEffect::ReadOnly => (
            word!(lang; "nothing can be written", "什么都不能写", "записать ничего нельзя", "es kann nichts geschrieben werden"),
            word!(lang; "reads only", "只读", "только чтение", "nur lesen"),
        ),
        MountEffect::Discard => (
            word!(lang; "deleting trims at once, which slows what runs beside it", "删除时立即 TRIM，会拖慢同时运行的东西", "удаление сразу обрезает, и это замедляет всё рядом",
                "Löschen trimmt sofort, was Gleichzeitiges bremst"),
            word!(lang; "use fstrim between runs", "在两次运行之间用 fstrim", "между прогонами используйте fstrim", "fstrim zwischen den Läufen nehmen"),
        ),
    }
}

pub(super) fn ground(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Target { kind, size } => {
            let size = size.map_or(String::new(), |s| {
                let size = bytes(s);
                say!(lang; " of {size}", "，{size}", ", {size}", " von {size}")
            });
            let fact = match kind {
                TargetKind::Device => {
                    say!(lang; "a block device{size}", "块设备{size}", "блочное устройство{size}", "ein Blockgerät{size}")
                }
                TargetKind::Partition => {
                    say!(lang; "a partition{size}", "分区{size}", "раздел{size}", "eine Partition{size}")
                }
                TargetKind::File => {
                    say!(lang; "a file{size}", "文件{size}", "файл{size}", "eine Datei{size}")
                }
                TargetKind::Directory => {
                    say!(lang; "a directory: fathom measures a scratch file in it{size}", "目录：fathom 在其中测一个临时文件{size}",
                    "каталог: fathom измеряет временный файл в нём{size}", "ein Verzeichnis: fathom misst eine Testdatei darin{size}")
                }
            };
            told(fact, "", "")
        }
        Fact::Empty { kind: TargetKind::File } => told(
            word!(lang; "the file is empty", "文件是空的", "файл пуст", "die Datei ist leer"),
            word!(lang; "there is nothing to read", "没有可读的内容", "читать нечего", "es gibt nichts zu lesen"),
            word!(lang; "write it fully first, or name its directory: fathom makes a scratch file", "先把它写满，或给出其目录：fathom 会建临时文件",
                "сначала запишите его целиком или укажите его каталог: fathom создаст временный файл",
                "erst ganz beschreiben, oder sein Verzeichnis nennen: fathom legt eine Testdatei an"),
        ),
        Fact::Empty { .. } => told(
            word!(lang; "the device has no bytes", "设备容量为零", "у устройства нет ни байта", "das Gerät hat keine Größe"),
            word!(lang; "no medium is in it, no file is attached, or it was not set up", "里面没有介质，没有挂接文件，或没有设置",
                "в нём нет носителя, не подключён файл, или оно не настроено",
                "es ist kein Medium darin, keine Datei angehängt, oder es wurde nicht eingerichtet"),
            word!(lang; "insert, attach (losetup) or set up (zramctl), then ask again", "插入、挂接（losetup）或设置（zramctl）后再查",
                "вставьте, подключите (losetup) или настройте (zramctl), затем спросите снова",
                "einlegen, anhängen (losetup) oder einrichten (zramctl), dann noch einmal fragen"),
        ),
        Fact::OnFileSystem { kind, answers, at } => file_system(lang, kind, *answers, at),
        Fact::MountOption { at, option, effect } => {
            let (why, act) = mount(lang, *effect);
            told(
                say!(lang; "{at} is mounted with {option}", "{at} 以 {option} 挂载", "{at} смонтирован с {option}", "{at} ist mit {option} eingehängt"),
                why,
                act,
            )
        }
        Fact::LoopOverFile { device, backing, direct: false } => told(
            say!(lang; "{device} is a loop device over {backing}, through the page cache", "{device} 是 {backing} 上的回环设备，经过页缓存",
                "{device} — петлевое устройство поверх {backing}, через страничный кэш",
                "{device} ist ein Loop-Gerät über {backing}, durch den Page-Cache"),
            word!(lang; "what its file has in memory is answered from memory, direct=1 or not", "文件在内存里的部分都由内存应答，不管有没有 direct=1",
                "что у его файла в памяти, то и отдаётся из памяти, с direct=1 или без",
                "was von seiner Datei im Arbeitsspeicher liegt, kommt von dort, mit oder ohne direct=1"),
            word!(lang; "losetup --direct-io=on, or measure what lies under it", "losetup --direct-io=on，或测它下面的东西",
                "losetup --direct-io=on или измеряйте то, что под ним", "losetup --direct-io=on, oder messen, was darunter liegt"),
        ),
        Fact::LoopOverFile { device, backing, direct: true } => told(
            say!(lang; "{device} is a loop device over {backing}, with direct I/O", "{device} 是 {backing} 上的回环设备，直接 I/O",
                "{device} — петлевое устройство поверх {backing}, прямой доступ", "{device} ist ein Loop-Gerät über {backing}, mit direkten Zugriffen"),
            word!(lang; "each request passes two block layers and a worker", "每个请求要过两层块层和一个工作线程",
                "каждый запрос проходит два блочных слоя и рабочий поток", "jede Anfrage durchläuft zwei Blockschichten und einen Arbeits-Thread"),
            word!(lang; "for the disk alone measure what lies under it", "只测磁盘就测它下面的东西", "для одного диска измеряйте то, что под ним",
                "für die Platte allein messen, was darunter liegt"),
        ),
        Fact::InUse { device, used, by } => {
            let fact = match used {
                UsedAs::Mounted => {
                    say!(lang; "{device} is mounted on {by}", "{device} 挂载在 {by}", "{device} смонтировано на {by}", "{device} ist unter {by} eingehängt")
                }
                UsedAs::Swap => {
                    say!(lang; "{device} is swapped to", "{device} 用作交换区", "{device} используется для подкачки", "{device} dient als Auslagerungsbereich")
                }
                UsedAs::Part => {
                    say!(lang; "{device} is part of {by}", "{device} 是 {by} 的一部分", "{device} входит в {by}", "{device} ist Teil von {by}")
                }
                UsedAs::Loop => {
                    say!(lang; "{by} lies on {device}", "{by} 位于 {device} 上", "{by} лежит на {device}", "{by} liegt auf {device}")
                }
            };
            let act = match used {
                UsedAs::Mounted => {
                    word!(lang; "measure a file in it, or unmount it", "测其中的文件，或卸载它", "измеряйте файл на нём или размонтируйте его",
                    "eine Datei darin messen, oder es aushängen")
                }
                UsedAs::Swap => {
                    word!(lang; "swapoff for the time of the test", "测试期间 swapoff", "swapoff на время теста", "swapoff für die Dauer der Messung")
                }
                UsedAs::Part | UsedAs::Loop => {
                    word!(lang; "measure that instead, or take it apart", "改测那个，或把它拆开", "измеряйте то или разберите его",
                    "stattdessen jenes messen, oder es auflösen")
                }
            };
            let why = word!(lang; "its users' I/O is in the figures; a write test would destroy it and is refused", "数字里有其使用者的 I/O；写测试会毁掉它，故拒绝",
                "в цифрах есть чужие операции; тест записи уничтожил бы данные и потому отвергается",
                "Zugriffe seiner Nutzer stecken in den Zahlen; ein Schreibtest würde es zerstören und wird abgelehnt");
            told(fact, why, act)
        }
        Fact::Carries { device, what } => told(
            say!(lang; "{device} carries: {what}", "{device} 上有：{what}", "на {device} есть: {what}", "{device} trägt: {what}"),
            word!(lang; "a write test would destroy it; fathom refuses", "写测试会毁掉它；fathom 拒绝", "тест записи уничтожил бы это; fathom отказывается",
                "ein Schreibtest würde es zerstören; fathom lehnt ab"),
            word!(lang; "measure by reads only, or a file in it; wipefs -a if nothing is needed", "只读测量，或测其中的文件；都不需要就 wipefs -a",
                "измеряйте только чтением или файл на нём; wipefs -a, если ничего не нужно",
                "nur lesend messen, oder eine Datei darin; wipefs -a, wenn nichts mehr gebraucht wird"),
        ),
        Fact::DirectIo { accepted: true } => told(
            word!(lang; "direct I/O is accepted", "接受直接 I/O", "прямой доступ разрешён", "direkte Zugriffe werden angenommen"),
            "",
            "",
        ),
        Fact::DirectIo { accepted: false } => told(
            word!(lang; "direct I/O is refused", "拒绝直接 I/O", "прямой доступ отвергается", "direkte Zugriffe werden abgelehnt"),
            word!(lang; "only buffered I/O is left, which is the page cache's for the better part", "只剩缓冲 I/O，其大部分是页缓存的",
                "остаётся буферизованный доступ, а это по большей части страничный кэш",
                "es bleiben gepufferte Zugriffe, und die bedient zum größten Teil der Page-Cache"),
            word!(lang; "use more data than there is memory, or another file system", "数据量要超过内存，或换文件系统",
                "берите данных больше, чем памяти, или другую файловую систему",
                "mehr Daten als Arbeitsspeicher nehmen, oder ein anderes Dateisystem"),
        ),
        Fact::Unreadable { errno: n } => {
            let error = errno(lang, *n);
            told(
                say!(lang; "the target may not be read ({error})", "无权读取目标（{error}）", "цель нельзя прочитать ({error})", "das Ziel darf nicht gelesen werden ({error})"),
                word!(lang; "its contents, partition table and signatures are not known", "其内容、分区表和签名都不知道", "содержимое, таблица разделов и сигнатуры неизвестны",
                    "Inhalt, Partitionstabelle und Signaturen sind unbekannt"),
                word!(lang; "ask again as somebody who may read it", "以有读取权限的身份再查", "спросите снова от имени того, кому можно читать",
                    "noch einmal fragen als jemand, der es lesen darf"),
            )
        }
        Fact::Holes { size, holes, unwritten } => {
            let missing = holes.saturating_add(unwritten.unwrap_or(0));
            if missing == 0 {
                let whole = word!(lang; "no holes, nothing unwritten", "没有空洞，没有未写部分", "дыр нет, незаписанного нет", "keine Löcher, nichts Ungeschriebenes");
                return told(whole, "", "");
            }
            let unwritten = unwritten.filter(|u| *u > 0).map_or(String::new(), |u| {
                let reserved = bytes(u);
                say!(lang; " and {reserved} reserved but never written", "，另有 {reserved} 已预留而从未写过", " и {reserved} выделено, но не записано",
                    " und {reserved} reserviert, aber nie geschrieben")
            });
            let (holes, size) = (bytes(*holes), bytes(*size));
            told(
                say!(lang; "{holes} of {size} are holes{unwritten}", "{size} 中有 {holes} 是空洞{unwritten}", "{holes} из {size} — дыры{unwritten}",
                    "{holes} von {size} sind Löcher{unwritten}"),
                word!(lang; "reads of them give zeros without asking the disk; first writes allocate and are slower", "读这些地方不问磁盘就得到零；首次写要分配空间，更慢",
                    "чтения оттуда дают нули без обращения к диску; первые записи выделяют место и медленнее",
                    "Lesezugriffe darauf liefern Nullen, ohne die Platte zu fragen; erste Schreibzugriffe belegen Platz und sind langsamer"),
                word!(lang; "write the file fully before it is read (rw=write bs=1M)", "读之前先把文件写满（rw=write bs=1M）",
                    "запишите файл целиком до чтения (rw=write bs=1M)", "die Datei vor dem Lesen ganz beschreiben (rw=write bs=1M)"),
            )
        }
        Fact::Pieces { pieces, mean_bytes, .. } => {
            let mean = bytes(*mean_bytes);
            told(
                match pieces {
                    1 => {
                        say!(lang; "the file lies in one piece", "文件是连续的一段", "файл лежит одним куском", "die Datei liegt an einem Stück")
                    }
                    n => {
                        say!(lang; "the file lies in {n} pieces of {mean} on average", "文件分成 {n} 段，平均 {mean}", "файл лежит кусками: {n}, в среднем по {mean}",
                        "die Datei liegt in {n} Stücken von im Mittel {mean}")
                    }
                },
                word!(lang; "a sequential read of it jumps: heads that move make it a random one", "顺序读它会跳转：磁头移动使之变成随机读",
                    "последовательное чтение скачет: движение головок делает его случайным",
                    "sequenzielles Lesen springt: durch die Kopfbewegungen wird es ein zufälliges"),
                word!(lang; "copy it to a file of its own, or make room first", "把它复制成新文件，或先腾出空间", "скопируйте его в новый файл или сначала освободите место",
                    "sie in eine neue Datei kopieren, oder erst Platz schaffen"),
            )
        }
        Fact::ZeroBlocks { sampled, zero } => told(
            say!(lang; "{zero} of {sampled} sampled blocks hold only zeros", "抽查的 {sampled} 个块中 {zero} 个全为零", "одни нули в {zero} из {sampled} проверенных блоков",
                "{zero} von {sampled} geprüften Blöcken enthalten nur Nullen"),
            word!(lang; "trimmed or thin blocks are answered without the medium, and zeros compress to nothing", "已 TRIM 或精简配置的块不经介质就应答，而零会被压缩殆尽",
                "обрезанные и тонкие блоки отдаются без носителя, а нули сжимаются в ничто",
                "getrimmte oder dünn belegte Blöcke werden ohne das Medium beantwortet, und Nullen schrumpfen zu nichts"),
            word!(lang; "write the target fully with random data before it is read", "读之前先用随机数据把目标写满",
                "до чтения запишите цель целиком случайными данными", "das Ziel vor dem Lesen ganz mit Zufallsdaten beschreiben"),
        ),
        Fact::Cached { size, cached } => {
            let (cached, size) = (bytes(*cached), bytes(*size));
            told(
                say!(lang; "{cached} of {size} are in the page cache", "{size} 中有 {cached} 在页缓存里", "{cached} из {size} лежит в страничном кэше",
                    "{cached} von {size} liegen im Page-Cache"),
                word!(lang; "buffered reads of them are answered from memory", "对这些的缓冲读由内存应答", "буферизованные чтения оттуда отдаются из памяти",
                    "gepufferte Lesezugriffe darauf kommen aus dem Arbeitsspeicher"),
                word!(lang; "direct=1, or invalidate=1 (the default)", "direct=1，或 invalidate=1（默认）", "direct=1 или invalidate=1 (по умолчанию)",
                    "direct=1, oder invalidate=1 (die Voreinstellung)"),
            )
        }
        Fact::Space { size, free } => {
            let (free, size) = (bytes(*free), bytes(*size));
            told(
                say!(lang; "{free} of {size} are free", "{size} 中有 {free} 空闲", "свободно {free} из {size}", "{free} von {size} sind frei"),
                word!(lang; "full file systems scatter what they write, and full flash cleans up while it writes", "快满的文件系统写得零散，快满的闪存边写边清理",
                    "полные файловые системы разбрасывают записи, а полный флеш чистит себя во время записи",
                    "volle Dateisysteme verstreuen, was sie schreiben, und voller Flash-Speicher räumt beim Schreiben auf"),
                word!(lang; "make room: 15 % and more", "腾出空间：15 % 以上", "освободите место: 15 % и больше", "Platz schaffen: 15 % und mehr"),
            )
        }
        other => raw(other),
    }
}
