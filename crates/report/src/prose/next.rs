//! What to do about it.

use crate::Lang;
use crate::lang::{say, word};
use crate::scale::bytes;
use stats::{Claim, Unmeasured};

pub(super) fn next(lang: Lang, claim: &Claim) -> String {
    let advice = match claim {
        Claim::PageCache { .. } => {
            word!(lang; "run it with direct=1", "加 direct=1 再跑", "запустите с direct=1",
            "mit direct=1 laufen lassen")
        }
        Claim::WritesReturnedEarly { .. } => {
            word!(lang; "run it with direct=1, or with fdatasync=1 to wait for the device",
            "加 direct=1 再跑，或用 fdatasync=1 等待设备", "запустите с direct=1 или с fdatasync=1, чтобы ждать устройство",
            "mit direct=1 laufen lassen, oder mit fdatasync=1, um auf das Gerät zu warten")
        }
        Claim::WritesCached { .. } => word!(lang; "run it with direct=1, or end_fsync=1 to count the rest",
            "加 direct=1 再跑，或用 end_fsync=1 把其余的也算上",
            "запустите с direct=1 или с end_fsync=1, чтобы учесть остальное",
            "mit direct=1 laufen lassen, oder mit end_fsync=1, um den Rest mitzuzählen"),
        Claim::CacheBelow { upper, .. } => {
            return say!(lang;
            "open what lies under {upper} around its cache too (a loop device: losetup --direct-io=on)",
            "也让 {upper} 绕过缓存打开其下层（回环设备：losetup --direct-io=on）",
            "откройте и то, что лежит под {upper}, в обход кэша (для петлевого устройства: losetup --direct-io=on)",
            "auch das unter {upper} am Cache vorbei öffnen (bei einem Loop-Gerät: losetup --direct-io=on)");
        }
        Claim::AboveLink { .. } => word!(lang; "look for a cache above the link", "查找链路之上的缓存",
            "ищите кэш выше канала", "nach einem Cache oberhalb der Verbindung suchen"),
        Claim::TooFastToTurn { .. } => word!(lang; "read at random over the whole disk", "在整个盘上随机读",
            "читайте вразброс по всему диску", "zufällig über die ganze Platte lesen"),
        Claim::TinySpan { .. } => word!(lang; "use a region many times the caches, or the whole device",
            "使用远大于缓存的区域，或整个设备", "возьмите область во много раз больше кэшей или всё устройство",
            "einen Bereich nehmen, der die Caches weit übersteigt, oder das ganze Gerät"),
        Claim::NoQueue { .. } => word!(lang; "use ioengine=io_uring or libaio with direct=1, or numjobs",
            "改用 ioengine=io_uring，或 libaio 加 direct=1，或 numjobs",
            "возьмите ioengine=io_uring или libaio с direct=1, либо numjobs",
            "ioengine=io_uring nehmen, oder libaio mit direct=1, oder numjobs"),
        Claim::BlockingSubmit { buffered: true, .. } => {
            word!(lang; "add direct=1", "加 direct=1", "добавьте direct=1",
            "direct=1 dazu setzen")
        }
        Claim::BlockingSubmit { .. } => word!(lang;
            "look for allocating writes, a full queue (nr_requests) or a file system that is not asynchronous",
            "检查是否有分配空间的写入、队列已满（nr_requests）或文件系统不支持异步",
            "ищите записи с выделением места, полную очередь (nr_requests) или файловую систему без асинхронности",
            "nach Schreibzugriffen suchen, die Platz belegen, einer vollen Warteschlange (nr_requests) oder einem Dateisystem, das nicht asynchron arbeitet"),
        Claim::NeverWritten { path, .. } => return format!("fathom prefill {path}"),
        Claim::Zeros { .. } => {
            word!(lang; "fill it with data that does not compress first", "先用不可压缩的数据填满它",
            "сначала заполните его несжимаемыми данными", "erst mit Daten füllen, die sich nicht komprimieren lassen")
        }
        Claim::Compressible { .. } => word!(lang;
            "write noise (no zero_buffers, pattern, dedupe or compress options) and compare",
            "改写随机数据（不用 zero_buffers、pattern、dedupe、compress 类选项）再比较",
            "пишите шум (без zero_buffers и без опций pattern, dedupe и compress) и сравните",
            "Rauschen schreiben (ohne zero_buffers und die Optionen pattern, dedupe und compress) und vergleichen"),
        Claim::StepDown { .. } => {
            word!(lang; "quote the second figure; measure it with ramp_time beyond the step",
            "以后一个数字为准；把 ramp_time 设到下降之后再测",
            "приводите вторую цифру; измеряйте с ramp_time дольше этого перепада",
            "die zweite Zahl nennen; sie mit ramp_time über die Stufe hinaus messen")
        }
        Claim::Unsteady { .. } => word!(lang; "run longer, or cut the beginning off with ramp_time",
            "跑久一点，或用 ramp_time 去掉开头", "увеличьте время или отрежьте начало через ramp_time",
            "länger laufen lassen, oder den Anfang mit ramp_time abschneiden"),
        Claim::WriteBackCache { .. } => word!(lang; "write more than the controller's cache holds",
            "写入量要超过控制器缓存", "пишите больше, чем вмещает кэш контроллера",
            "mehr schreiben, als der Puffer des Festplattencontrollers fasst"),
        Claim::TooShort { .. } => word!(lang; "do not compare by it; run longer", "不要用它作比较；跑久一点",
            "не сравнивайте по нему; увеличьте время", "nicht damit vergleichen; länger laufen lassen"),
        Claim::SizeRanOut { .. } => word!(lang; "add time_based", "加 time_based", "добавьте time_based",
            "time_based dazu setzen"),
        Claim::ShortStroke { .. } => word!(lang; "random I/O over the whole of it is slower; measure that",
            "在整个盘上随机 I/O 会更慢；应测那个", "случайный доступ ко всему диску медленнее; измеряйте его",
            "zufällige Zugriffe über die ganze Platte sind langsamer; das messen"),
        Claim::Overlap { .. } => word!(lang; "give each its own part with offset_increment, or its own file",
            "用 offset_increment 给每个任务各自的区域，或各自的文件",
            "дайте каждому свою часть через offset_increment или свой файл",
            "jedem mit offset_increment seinen eigenen Teil geben, oder eine eigene Datei"),
        Claim::Repeated { .. } => word!(lang; "use a larger file, or direct=1", "用更大的文件，或 direct=1",
            "возьмите файл побольше или direct=1", "eine größere Datei nehmen, oder direct=1"),
        Claim::Generator { .. } => word!(lang; "use more jobs, larger blocks or a cheaper engine",
            "增加任务数、加大块，或换开销更小的引擎", "больше заданий, крупнее блоки или движок полегче",
            "mehr Jobs, größere Blöcke oder eine sparsamere ioengine nehmen"),
        Claim::CpuTakenAway { .. } => {
            word!(lang; "measure where the CPU is not limited", "换到不限制 CPU 的地方测",
            "измеряйте там, где CPU не ограничен", "dort messen, wo die CPU nicht begrenzt ist")
        }
        Claim::CpuContention { .. } => {
            word!(lang; "measure while nothing else needs the CPU, or with fewer jobs", "在 CPU 空闲时测，或减少任务数",
            "измеряйте, пока CPU свободны, или с меньшим числом заданий", "messen, wenn nichts anderes die CPU braucht, oder mit weniger Jobs")
        }
        Claim::Stopped { .. } => {
            word!(lang; "run it again without a stop", "不中断地重跑一次", "повторите без остановки",
            "ohne Anhalten wiederholen")
        }
        Claim::Pauses { .. } => {
            word!(lang; "run long enough for many pauses; ask for percentiles, not means",
            "运行足够长，以包含多次停顿；看百分位数而不是平均值",
            "дайте прогону длиться много пауз; смотрите на процентили, а не на средние",
            "so lange laufen lassen, dass viele Pausen hineinfallen; Perzentile statt Mittelwerte nehmen")
        }
        Claim::BelowMemory { .. } => {
            word!(lang; "these figures are not those of a disk", "这些数字不是磁盘的",
            "это цифры не диска", "das sind nicht die Zahlen einer Platte")
        }
        Claim::Overlay { .. } => {
            word!(lang; "measure on a file system with a device of its own, or on a volume", "在有自己设备的文件系统或卷上测",
            "измеряйте на файловой системе со своим устройством или на томе",
            "auf einem Dateisystem mit eigenem Gerät messen, oder auf einem Datenträger")
        }
        Claim::FillingBuffers { .. } => {
            word!(lang; "more jobs, or no refill_buffers", "增加任务数，或去掉 refill_buffers",
            "больше заданий или без refill_buffers", "mehr Jobs, oder ohne refill_buffers")
        }
        Claim::FarNode { node, .. } => return format!("numa_cpu_nodes={node}"),
        Claim::SlowLink { .. } => {
            word!(lang; "look at the slot and the cable", "检查插槽和线缆", "проверьте слот и кабель",
            "Steckplatz und Kabel prüfen")
        }
        Claim::Misaligned { start_sector: None, .. } => word!(lang; "make it anew, at a multiple of 1 MiB",
            "重新建立，起点取 1 MiB 的整数倍", "создайте заново, с началом, кратным 1 MiB",
            "neu anlegen, bei einem Vielfachen von 1 MiB"),
        Claim::Misaligned { .. } => {
            word!(lang; "make the partition anew, at sector 2048", "重建分区，从扇区 2048 开始",
            "создайте раздел заново, с сектора 2048", "die Partition neu anlegen, bei Sektor 2048")
        }
        Claim::PartialSector { sector, .. } => {
            let sector = bytes(*sector);
            return say!(lang; "write multiples of {sector}", "按 {sector} 的整数倍写", "пишите кратно {sector}",
                "in Vielfachen von {sector} schreiben");
        }
        Claim::Split { .. } => word!(lang; "quote bytes per second, or use blocks that fit",
            "请引用每秒字节数，或用放得下的块", "приводите байты в секунду или возьмите блоки, которые помещаются",
            "den Durchsatz nennen, oder Blöcke nehmen, die hineinpassen"),
        Claim::Merged { .. } => word!(lang; "quote bytes per second, or use direct=1 at random",
            "请引用每秒字节数，或用 direct=1 随机访问", "приводите байты в секунду или берите direct=1 вразброс",
            "den Durchsatz nennen, oder direct=1 mit zufälligen Zugriffen nehmen"),
        Claim::IdleWhileWaiting { .. } => word!(lang; "look for a limit (control group, cloud volume)",
            "查找限速（控制组、云盘）", "ищите ограничение (контрольная группа, облачный том)",
            "nach einer Grenze suchen (Kontrollgruppe, Cloud-Laufwerk)"),
        Claim::NoBusyTime { .. } => word!(lang; "look at the devices under it", "看它下面的设备",
            "смотрите устройства под ним", "die Geräte darunter ansehen"),
        Claim::MeanHides { .. } => word!(lang; "quote percentiles", "请引用百分位数", "приводите процентили",
            "Perzentile nennen"),
        Claim::OtherLoad { .. } => word!(lang; "measure while nothing else runs on it", "在没有别的负载时测",
            "измеряйте, пока на нём больше ничего нет", "messen, wenn nichts anderes darauf läuft"),
        Claim::Rebuilding { .. } => word!(lang; "wait until it is done", "等它做完", "дождитесь окончания",
            "warten, bis es fertig ist"),
        Claim::Cap { .. } => {
            word!(lang; "this is the limit's figure, not the device's", "这是上限的数字，不是设备的",
            "это цифра ограничения, а не устройства", "das ist die Zahl der Grenze, nicht die des Geräts")
        }
        Claim::Bursts { .. } => {
            word!(lang; "measure at twice the iodepth: a limit keeps the rate where it is", "用两倍 iodepth 再测：若有限速，速率不变",
            "измерьте с удвоенным iodepth: при ограничении скорость останется той же",
            "mit doppelter iodepth messen: bei einer Grenze bleibt die Rate gleich")
        }
        Claim::NoTime { .. } => {
            word!(lang; "check the clocksource", "检查系统时钟源", "проверьте источник времени ядра",
            "die Zeitquelle des Kernels prüfen")
        }
        Claim::NotDurable { .. } => {
            word!(lang; "compare with fdatasync=1", "与 fdatasync=1 比较", "сравните с fdatasync=1",
            "mit fdatasync=1 vergleichen")
        }
        Claim::SyncedAtEnd => word!(lang; "quote the rate alone; for latencies use direct=1 or fdatasync=1",
            "只引用速率；要测延迟请用 direct=1 或 fdatasync=1", "приводите только скорость; для задержек возьмите direct=1 или fdatasync=1",
            "nur die Rate nennen; für Latenzen direct=1 oder fdatasync=1 nehmen"),
        Claim::StateCarried { .. } => word!(lang; "measure in the order that you mean", "按你想要的顺序测",
            "измеряйте в том порядке, который имеете в виду", "in der Reihenfolge messen, die gemeint ist"),
        Claim::NearlyFull { .. } => {
            word!(lang; "make room; many slow down there", "腾出空间；许多文件系统快满时会变慢",
            "освободите место; многие там замедляются", "Platz schaffen; viele werden da langsamer")
        }
        Claim::RandomBeatsSequential { .. } => word!(lang;
            "look for a cache, or for sequential I/O one object at a time", "查找缓存，或顺序 I/O 是否一次只访问一个对象",
            "ищите кэш или последовательный доступ по одному объекту за раз",
            "nach einem Cache suchen, oder nach sequenziellen Zugriffen auf ein Objekt nach dem anderen"),
        Claim::NotMeasured { why: Unmeasured::Interrupted } => {
            word!(lang; "let it run to its end", "让它运行到结束",
            "дайте ему дойти до конца", "bis zum Ende laufen lassen")
        }
        Claim::NotMeasured { why: Unmeasured::Failed } => {
            word!(lang; "mend the error and run it again", "排除错误后重新运行",
            "устраните ошибку и повторите", "den Fehler beheben und wiederholen")
        }
        Claim::NotMeasured { why: Unmeasured::Nothing } => {
            word!(lang; "look at how much the job is asked to do", "检查任务被要求做多少",
            "проверьте, сколько заданию велено сделать", "ansehen, wie viel der Job tun soll")
        }
        Claim::Failed { .. } => word!(lang; "look at the kernel's log (dmesg) and at what lies under it",
            "查看内核日志（dmesg）和其下各层", "смотрите журнал ядра (dmesg) и то, что лежит ниже",
            "das Kernel-Log (dmesg) ansehen und was darunter liegt"),
        Claim::Shallow { .. }
        | Claim::BusyIsNotFull { .. }
        | Claim::Stall { .. }
        | Claim::CopyOnWrite { .. }
        | Claim::Memory { .. }
        | Claim::SizeTimesJobs { .. } => "",
    };
    advice.to_string()
}
