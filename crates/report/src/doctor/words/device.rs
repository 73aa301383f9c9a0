//! The disk: queue, sectors, what it is.

use super::{Words, errno, exact, raw, told};
use crate::Lang;
use crate::lang::{say, word};
use crate::scale::time;
use stats::doctor::*;

pub(super) fn queue(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Processors { usable, online } if usable == online => told(
            say!(lang; "{online} processors, all usable", "{online} 个处理器，全部可用", "процессоров: {online}, доступны все",
                "{online} Prozessoren, alle nutzbar"),
            "",
            "",
        ),
        Fact::Processors { usable, online } => told(
            say!(lang; "{usable} of {online} processors may be used", "{online} 个处理器中可用 {usable} 个",
                "доступны {usable} из {online} процессоров", "{usable} von {online} Prozessoren dürfen genutzt werden"),
            word!(lang; "more busy jobs than that share processors", "再多的忙碌任务就要共用处理器",
                "если занятых заданий больше, они делят процессоры", "mehr beschäftigte Jobs als das teilen sich Prozessoren"),
            word!(lang; "numjobs up to that; for more lift the affinity (taskset, cpuset)", "numjobs 不超过此数；要更多就放宽亲和性（taskset、cpuset）",
                "numjobs не больше этого; для большего снимите привязку (taskset, cpuset)",
                "numjobs bis dahin; für mehr die Bindung lockern (taskset, cpuset)"),
        ),
        Fact::Depth { device, hardware_queues, requests, disk_takes } => {
            let takes = disk_takes.map_or(String::new(), |n| {
                say!(lang; "; the disk itself takes {n}", "；磁盘本身接受 {n} 个", "; сам диск берёт {n}", "; die Platte selbst nimmt {n}")
            });
            let queues = match hardware_queues {
                1 => {
                    say!(lang; "1 hardware queue", "1 个硬件队列", "аппаратных очередей: 1", "1 Hardware-Warteschlange")
                }
                n => {
                    say!(lang; "{n} hardware queues", "{n} 个硬件队列", "аппаратных очередей: {n}", "{n} Hardware-Warteschlangen")
                }
            };
            let (why, act) = match disk_takes {
                Some(1) => (
                    word!(lang; "one request at a time: depth and jobs gain nothing", "每次一个请求：加深度和任务数都没有用",
                        "по одному запросу: глубина и задания ничего не дают",
                        "eine Anfrage nach der anderen: Tiefe und Jobs bringen nichts"),
                    word!(lang; "turn on NCQ (queue_depth, AHCI in the firmware) or UAS", "打开 NCQ（queue_depth，固件里的 AHCI）或 UAS",
                        "включите NCQ (queue_depth, AHCI в прошивке) или UAS",
                        "NCQ einschalten (queue_depth, AHCI im BIOS-Setup) oder UAS"),
                ),
                _ if *hardware_queues == 1 && *requests >= 32 => (
                    word!(lang; "all processors share one queue: more jobs than one gain little", "所有处理器共用一个队列：任务多于一个收益不大",
                        "все процессоры делят одну очередь: больше одного задания даёт мало",
                        "alle Prozessoren teilen sich eine Warteschlange: mehr als ein Job bringt wenig"),
                    word!(lang; "more depth before more jobs; nvme.write_queues, or the hypervisor's settings",
                        "先加深度再加任务；nvme.write_queues，或虚拟机管理程序的设置",
                        "сначала глубина, потом задания; nvme.write_queues или настройки гипервизора",
                        "erst mehr Tiefe, dann mehr Jobs; nvme.write_queues, oder die Virtualisierung anders einstellen"),
                ),
                _ => (
                    word!(lang; "what goes beyond waits before the disk, and its waiting is in the latency", "超出的要在磁盘之前排队，等待时间算在延迟里",
                        "что сверх этого, ждёт перед диском, и ожидание входит в задержку",
                        "was darüber hinausgeht, wartet vor der Platte, und das Warten steckt in der Latenz"),
                    word!(lang; "iodepth x numjobs no higher than that", "iodepth x numjobs 不超过此数", "iodepth x numjobs не больше этого",
                        "iodepth x numjobs nicht höher als das"),
                ),
            };
            told(
                say!(lang; "{device}: {queues} of {requests} requests{takes}", "{device}：{queues}，各 {requests} 个请求{takes}",
                    "{device}: {queues}, запросов в каждой {requests}{takes}", "{device}: {queues} zu {requests} Anfragen{takes}"),
                why,
                act,
            )
        }
        Fact::Engine { engine, errno: None } => {
            let engine = engine_name(*engine);
            told(
                say!(lang; "{engine} can be used", "{engine} 可用", "{engine} доступен", "{engine} ist nutzbar"),
                "",
                "",
            )
        }
        Fact::Engine { engine, errno: Some(n) } => {
            let (name, error) = (engine_name(*engine), errno(lang, *n));
            let (why, act) = match engine {
                EngineName::IoUring => (
                    word!(lang; "switched off by kernel.io_uring_disabled or by a container's seccomp filter",
                        "被 kernel.io_uring_disabled 或容器的 seccomp 过滤器关闭",
                        "выключен через kernel.io_uring_disabled или фильтром seccomp контейнера",
                        "abgeschaltet durch kernel.io_uring_disabled oder einen seccomp-Filter der Containerumgebung"),
                    word!(lang; "ioengine=libaio with direct=1 does nearly as well", "ioengine=libaio 加 direct=1 也差不多",
                        "ioengine=libaio с direct=1 почти не хуже", "ioengine=libaio mit direct=1 ist fast so gut"),
                ),
                EngineName::Libaio => (
                    word!(lang; "asynchronous I/O of that kind fails", "这类异步 I/O 会失败", "такой асинхронный ввод-вывод не работает",
                        "asynchrone Zugriffe dieser Art schlagen fehl"),
                    word!(lang; "raise fs.aio-max-nr, or use io_uring", "提高 fs.aio-max-nr，或用 io_uring",
                        "поднимите fs.aio-max-nr или используйте io_uring", "fs.aio-max-nr anheben, oder io_uring nehmen"),
                ),
            };
            told(
                say!(lang; "{name} cannot be used ({error})", "{name} 不可用（{error}）", "{name} недоступен ({error})",
                    "{name} ist nicht nutzbar ({error})"),
                why,
                act,
            )
        }
        Fact::AioRoom { used, most } => told(
            say!(lang; "{used} of {most} requests of kernel AIO are taken", "内核 AIO 的 {most} 个请求已占用 {used} 个",
                "занято {used} из {most} запросов AIO ядра", "{used} von {most} Anfragen des AIO im Kernel sind vergeben"),
            word!(lang; "libaio with a deep queue or many jobs will not start", "libaio 队列深或任务多时启动不了",
                "libaio с глубокой очередью или многими заданиями не запустится",
                "libaio mit großer Tiefe oder vielen Jobs startet nicht"),
            "sysctl fs.aio-max-nr=1048576",
        ),
        other => raw(other),
    }
}

fn engine_name(engine: EngineName) -> &'static str {
    match engine {
        EngineName::IoUring => "io_uring",
        EngineName::Libaio => "libaio",
    }
}

pub(super) fn block_size(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Sectors { device, logical, physical } => {
            let fact = say!(lang; "{device}: sectors of {logical} bytes logical, {physical} physical", "{device}：逻辑扇区 {logical} 字节，物理扇区 {physical}",
                "{device}: секторы, байт: логический {logical}, физический {physical}",
                "{device}: Sektoren von {logical} Byte logisch, {physical} physisch");
            let mut why = Vec::new();
            if *logical > 512 {
                why.push(say!(lang; "direct I/O smaller than {logical} bytes is refused", "小于 {logical} 字节的直接 I/O 会被拒绝",
                    "прямой доступ меньше {logical} байт отвергается", "direkte Zugriffe unter {logical} Byte werden abgelehnt"));
            }
            if physical > logical {
                why.push(say!(lang; "writes smaller than {physical} bytes are read, changed and written", "小于 {physical} 字节的写入要先读、再改、再写",
                    "записи меньше {physical} байт читаются, меняются и пишутся",
                    "Schreibzugriffe unter {physical} Byte werden gelesen, geändert und geschrieben"));
            }
            let act = say!(lang; "bs and offsets in multiples of {physical} bytes", "bs 和偏移取 {physical} 字节的整数倍",
                "bs и смещения кратно {physical} байт", "bs und Positionen in Vielfachen von {physical} Byte");
            told(fact, why.join("; "), act)
        }
        Fact::LargestRequest { device, bytes: n } => {
            let most = exact(lang, *n);
            told(
                say!(lang; "{device}: requests of at most {most}", "{device}：请求最大 {most}", "{device}: запросы не больше {most}",
                    "{device}: Anfragen von höchstens {most}"),
                word!(lang; "a larger block reaches the disk in pieces: iostat counts more I/Os than fathom", "更大的块会拆开到达磁盘：iostat 数到的 I/O 比 fathom 多",
                    "больший блок доходит до диска частями: iostat насчитает больше операций, чем fathom",
                    "ein größerer Block erreicht die Platte in Stücken: iostat zählt mehr Zugriffe als fathom"),
                say!(lang; "keep it in mind when bs is above {most}", "bs 大于 {most} 时要记得这一点", "помните об этом при bs больше {most}",
                    "bei bs über {most} daran denken"),
            )
        }
        Fact::Stripe { device, chunk, stripe } => {
            let chunk = exact(lang, *chunk);
            let stripe = stripe.map(|s| exact(lang, s));
            let whole = stripe.as_ref().map_or(
                String::new(),
                |s| say!(lang; ", stripes of {s}", "，条带 {s}", ", полосы по {s}", ", Streifen von {s}"),
            );
            told(
                say!(lang; "{device}: chunks of {chunk}{whole}", "{device}：条带单元 {chunk}{whole}", "{device}: отрезки по {chunk}{whole}",
                    "{device}: Chunk-Größe {chunk}{whole}"),
                word!(lang; "a block up to a chunk asks one member; with parity, writes of less than a stripe read first",
                    "不超过一个单元的块只访问一个成员；有校验时，小于一个条带的写入要先读",
                    "блок не больше отрезка обращается к одному диску; с чётностью запись меньше полосы сначала читает",
                    "ein Block bis zu dieser Größe geht an eine Platte; mit Parität liest erst, was weniger als einen Streifen schreibt"),
                match stripe {
                    Some(s) => {
                        say!(lang; "bandwidth: bs a multiple of {s}; IOPS: bs=4k", "带宽：bs 取 {s} 的整数倍；IOPS：bs=4k",
                        "пропускная способность: bs кратно {s}; IOPS: bs=4k", "Durchsatz: bs ein Vielfaches von {s}; IOPS: bs=4k")
                    }
                    None => {
                        say!(lang; "bandwidth: several chunks a block; IOPS: bs=4k", "带宽：一个块含多个单元；IOPS：bs=4k",
                        "пропускная способность: несколько отрезков в блоке; IOPS: bs=4k",
                        "Durchsatz: mehrere davon je Block; IOPS: bs=4k")
                    }
                },
            )
        }
        other => raw(other),
    }
}

pub(super) fn device(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Kind { device, medium, says_rotational, behaviour, read_ns } => {
            kind(lang, device, *medium, *says_rotational, *behaviour, *read_ns)
        }
        Fact::Cloud { device, provider, disk } => {
            let provider = match provider.as_str() {
                "aws" => "Amazon",
                "azure" => "Azure",
                "gcp" => "Google",
                "alibaba" => "Alibaba",
                "huawei" => "Huawei",
                "tencent" => "Tencent",
                "oracle" => "Oracle",
                "digitalocean" => "DigitalOcean",
                other => other,
            };
            match disk {
                CloudDisk::Network => told(
                    say!(lang; "{device} is a network disk of {provider}", "{device} 是 {provider} 的网络盘", "{device} — сетевой диск {provider}",
                        "{device} ist eine Netzwerkplatte von {provider}"),
                    word!(lang; "capped twice, by its size or plan and by the kind of machine; may run on credit at first",
                        "有两重限速：按容量或套餐，以及按机型；开始时可能靠突发额度",
                        "ограничен дважды: размером или тарифом и типом машины; вначале может идти в кредит",
                        "doppelt begrenzt, durch Größe oder Tarif und durch die Art der Maschine; läuft anfangs womöglich auf Guthaben"),
                    word!(lang; "depth = promised IOPS x latency (26500 x 1 ms: 27); run longer than the credit lasts",
                        "深度 = 承诺的 IOPS x 延迟（26500 x 1 ms：27）；运行时间要超过突发额度",
                        "глубина = обещанные IOPS x задержка (26500 x 1 ms: 27); измеряйте дольше, чем хватает кредита",
                        "Tiefe = zugesagte IOPS x Latenz (26500 x 1 ms: 27); länger laufen lassen, als das Guthaben reicht"),
                ),
                CloudDisk::Local => told(
                    say!(lang; "{device} is a disk in {provider}'s host", "{device} 是 {provider} 宿主机里的盘", "{device} — диск в хосте {provider}",
                        "{device} ist eine Platte im Wirt von {provider}"),
                    word!(lang; "what lies on it is lost when the machine stops; it slows down as it fills up", "停机后上面的数据会丢失；越满越慢",
                        "данные на нём пропадут при остановке машины; по мере заполнения он замедляется",
                        "was darauf liegt, geht beim Anhalten der Maschine verloren; sie wird langsamer, je voller sie wird"),
                    word!(lang; "write it fully once before write tests", "写测试前先完整写一遍", "перед тестами записи один раз запишите его целиком",
                        "vor Schreibtests einmal ganz beschreiben"),
                ),
                CloudDisk::Unknown => told(
                    say!(lang; "{device} is a disk of {provider}, most likely over a network", "{device} 是 {provider} 的盘，多半经网络",
                        "{device} — диск {provider}, скорее всего сетевой", "{device} ist eine Platte von {provider}, vermutlich über ein Netzwerk"),
                    word!(lang; "then capped twice, by its size or plan and by the kind of machine", "那就有两重限速：按容量或套餐，以及按机型",
                        "тогда ограничен дважды: размером или тарифом и типом машины",
                        "dann doppelt begrenzt, durch Größe oder Tarif und durch die Art der Maschine"),
                    word!(lang; "compare with the provider's figures for both; depth = promised IOPS x latency",
                        "与供应商的两项数字比较；深度 = 承诺的 IOPS x 延迟",
                        "сравните с обоими числами поставщика; глубина = обещанные IOPS x задержка",
                        "mit den Angaben des Anbieters zu beidem vergleichen; Tiefe = zugesagte IOPS x Latenz"),
                ),
            }
        }
        Fact::ControllerVolume { device, driver } => told(
            say!(lang; "{device} is a volume of a RAID controller ({driver}); the disks behind it are hidden", "{device} 是 RAID 控制器（{driver}）的卷；其后的磁盘不可见",
                "{device} — том контроллера RAID ({driver}); диски за ним скрыты",
                "{device} ist ein Verbund eines RAID-Controllers ({driver}); die Platten dahinter sind verborgen"),
            word!(lang; "its cache answers writes while its battery is good, and its checks and rebuilds are not seen here",
                "电池正常时由它的缓存应答写入，它的巡检和重建在这里看不到",
                "пока батарея исправна, на записи отвечает его кэш, а проверки и перестроения отсюда не видны",
                "sein Puffer beantwortet Schreibzugriffe, solange der Akku gut ist; seine Prüfungen und Wiederherstellungen sieht man hier nicht"),
            word!(lang; "ask its tool (storcli, perccli, ssacli): cache mode, battery, rebuild; test beyond its cache",
                "用它的工具查（storcli、perccli、ssacli）：缓存模式、电池、重建；测试量要超过其缓存",
                "спросите его утилиту (storcli, perccli, ssacli): режим кэша, батарея, перестроение; измеряйте за пределами его кэша",
                "sein Werkzeug fragen (storcli, perccli, ssacli): Puffermodus, Akku, Wiederherstellung; über seinen Puffer hinaus messen"),
        ),
        Fact::Scheduler { device, name, .. } => told(
            say!(lang; "{device}: I/O scheduler {name}", "{device}：I/O 调度器 {name}", "{device}: планировщик I/O {name}", "{device}: I/O-Planer {name}"),
            match line.severity {
                Severity::Matters => {
                    word!(lang; "it costs processor time for each request and holds requests back", "每个请求都耗处理器时间，还会扣住请求",
                    "он тратит процессорное время на каждый запрос и придерживает запросы",
                    "er kostet bei jeder Anfrage Prozessorzeit und hält Anfragen zurück")
                }
                _ => {
                    word!(lang; "a little processor time for each request, which this disk has no use for", "每个请求耗一点处理器时间，而这个盘并不需要",
                    "немного процессорного времени на каждый запрос, а этому диску это не нужно",
                    "ein wenig Prozessorzeit je Anfrage, wovon diese Platte nichts hat")
                }
            },
            say!(lang; "echo none > /sys/block/{device}/queue/scheduler, as root, or report it with the figures",
                "以 root 执行 echo none > /sys/block/{device}/queue/scheduler ，或在结果中注明",
                "от root: echo none > /sys/block/{device}/queue/scheduler , или укажите это рядом с цифрами",
                "als root: echo none > /sys/block/{device}/queue/scheduler , oder bei den Zahlen angeben"),
        ),
        Fact::ReadAhead { device, bytes: 0 } => told(
            say!(lang; "{device}: no read-ahead", "{device}：无预读", "{device}: без упреждающего чтения", "{device}: kein Vorauslesen"),
            word!(lang; "buffered sequential reads wait for each block", "缓冲的顺序读要等每个块", "буферизованные последовательные чтения ждут каждый блок",
                "gepufferte sequenzielle Lesezugriffe warten auf jeden Block"),
            word!(lang; "blockdev --setra 256, or direct=1", "blockdev --setra 256，或 direct=1", "blockdev --setra 256 или direct=1",
                "blockdev --setra 256, oder direct=1"),
        ),
        Fact::ReadAhead { device, bytes: n } => {
            let ahead = exact(lang, *n);
            told(
                say!(lang; "{device}: read-ahead of {ahead}", "{device}：预读 {ahead}", "{device}: упреждающее чтение {ahead}", "{device}: Vorauslesen von {ahead}"),
                word!(lang; "a buffered sequential read keeps that much in flight, whatever iodepth says", "缓冲的顺序读会保持这么多数据在途，与 iodepth 无关",
                    "буферизованное последовательное чтение держит столько в работе, что бы ни стояло в iodepth",
                    "ein gepufferter sequenzieller Lesezugriff hält so viel gleichzeitig offen, egal was iodepth sagt"),
                word!(lang; "direct=1 leaves it out", "direct=1 不经过它", "direct=1 его обходит", "direct=1 lässt es weg"),
            )
        }
        Fact::WriteCache { device, back, hidden } => {
            let hearsay = if *hidden {
                word!(lang; ", so it is said; what lies behind may cache", "（据称如此；其后可能另有缓存）", ", так заявлено; то, что за ним, может кэшировать",
                    ", so heißt es; was dahinter liegt, puffert vielleicht")
            } else {
                ""
            };
            if *back {
                told(
                    say!(lang; "{device}: write cache on (write back){hearsay}", "{device}：写缓存已开（write back）{hearsay}",
                        "{device}: кэш записи включён (write back){hearsay}", "{device}: Schreibcache an (write back){hearsay}"),
                    word!(lang; "a write is answered before it is safe; it is lost with the power unless flushed", "写入在落盘前就被应答；不刷新则断电丢失",
                        "на запись отвечают до того, как она надёжна; без сброса она пропадёт с питанием",
                        "ein Schreibzugriff wird beantwortet, bevor er sicher ist; ohne Flush geht er mit dem Strom verloren"),
                    word!(lang; "for durable figures add fsync=1 or fdatasync=1; for others write more than the cache holds",
                        "要持久化的数字就加 fsync=1 或 fdatasync=1；否则写入量要超过缓存",
                        "для надёжных записей добавьте fsync=1 или fdatasync=1; для прочих пишите больше, чем вмещает кэш",
                        "für dauerhafte Zahlen fsync=1 oder fdatasync=1 dazu; für andere mehr schreiben, als der Puffer fasst"),
                )
            } else {
                told(
                    say!(lang; "{device}: no volatile write cache (write through){hearsay}", "{device}：无易失写缓存（write through）{hearsay}",
                        "{device}: энергозависимого кэша записи нет (write through){hearsay}",
                        "{device}: kein flüchtiger Schreibcache (write through){hearsay}"),
                    word!(lang; "each write waits for the platters", "每次写入都要等盘片", "каждая запись ждёт пластин",
                        "jeder Schreibzugriff wartet auf die Scheiben"),
                    word!(lang; "hdparm -W1 if the power is safe, or keep it so and say so", "供电可靠就用 hdparm -W1，否则保持现状并注明",
                        "hdparm -W1, если питание надёжно, или оставьте так и укажите это",
                        "hdparm -W1, wenn der Strom gesichert ist, oder so lassen und es angeben"),
                )
            }
        }
        Fact::Zoned { device, host_managed: true } => told(
            say!(lang; "{device} has zones that are written in order only (host-managed)", "{device} 的分区带只能顺序写（host-managed）",
                "у {device} зоны, которые пишутся только по порядку (host-managed)",
                "{device} hat Zonen, die nur der Reihe nach beschrieben werden (host-managed)"),
            word!(lang; "random writes fail", "随机写会失败", "случайные записи не пройдут", "zufällige Schreibzugriffe schlagen fehl"),
            word!(lang; "zonemode=zbd, or reads only", "zonemode=zbd，或只读", "zonemode=zbd или только чтение", "zonemode=zbd, oder nur lesen"),
        ),
        Fact::Zoned { device, host_managed: false } => told(
            say!(lang; "{device} has zones (host-aware)", "{device} 有分区带（host-aware）", "у {device} есть зоны (host-aware)", "{device} hat Zonen (host-aware)"),
            word!(lang; "random writes are collected and put in order by the disk: fast at first, then slow", "随机写由磁盘收集并排序：先快后慢",
                "случайные записи диск собирает и упорядочивает: сначала быстро, потом медленно",
                "zufällige Schreibzugriffe sammelt und ordnet die Platte: anfangs schnell, dann langsam"),
            word!(lang; "write several times what its cache holds", "写入量要达到其缓存的数倍", "пишите в несколько раз больше, чем вмещает его кэш",
                "ein Mehrfaches dessen schreiben, was ihr Puffer fasst"),
        ),
        other => raw(other),
    }
}

fn kind(
    lang: Lang,
    device: &str,
    medium: Medium,
    says_rotational: Option<bool>,
    behaviour: Behaviour,
    read_ns: Option<u64>,
) -> Words {
    let took = read_ns.map_or(String::new(), |ns| {
        let took = time(ns as f64);
        say!(lang; "; random 4k reads took {took}", "；4k 随机读耗时 {took}", "; случайные чтения 4k заняли {took}", "; zufällige Lesezugriffe von 4k dauerten {took}")
    });
    match (medium, behaviour) {
        (Medium::Memory, _) => told(
            say!(lang; "{device} is memory", "{device} 是内存", "{device} — это память", "{device} ist Arbeitsspeicher"),
            word!(lang; "there is no disk: every figure is the memory's", "没有磁盘：所有数字都是内存的", "диска нет: все цифры относятся к памяти",
                "da ist keine Platte: jede Zahl ist die des Arbeitsspeichers"),
            word!(lang; "choose another device", "换一个设备", "выберите другое устройство", "ein anderes Gerät wählen"),
        ),
        (Medium::Platters, Behaviour::Quick) => told(
            say!(lang; "{device} says that it rotates{took}", "{device} 自称是旋转盘{took}", "{device} сообщает, что вращается{took}", "{device} gibt an, dass es rotiert{took}"),
            word!(lang; "heads do not move that fast: a cache answers, or it is flash that says the wrong thing", "磁头没有这么快：是缓存在应答，或是谎报的闪存",
                "головки так быстро не двигаются: отвечает кэш, или это флеш, который сообщает неправду",
                "so schnell bewegen sich keine Köpfe: ein Cache antwortet, oder es ist Flash mit falscher Angabe"),
            word!(lang; "use a span beyond any cache; believe the behaviour, not the flag", "使用超出任何缓存的区域；信行为，别信标志",
                "берите область больше любого кэша; верьте поведению, а не флагу",
                "einen Bereich jenseits jedes Caches nehmen; dem Verhalten glauben, nicht der Angabe"),
        ),
        (Medium::Platters, _) => told(
            say!(lang; "{device} is a disk with platters{took}", "{device} 是带盘片的磁盘{took}", "{device} — диск с пластинами{took}", "{device} ist eine Platte mit Scheiben{took}"),
            word!(lang; "some 75 to 200 random I/Os a second; outer tracks are twice as fast as inner ones", "每秒约 75 至 200 次随机 I/O；外圈磁道比内圈快一倍",
                "около 75–200 случайных операций в секунду; внешние дорожки вдвое быстрее внутренних",
                "etwa 75 bis 200 zufällige Zugriffe pro Sekunde; äußere Spuren sind doppelt so schnell wie innere"),
            word!(lang; "random: use the whole span, a small file keeps the heads still; sequential: say where", "随机：用整个区域，小文件会让磁头不动；顺序：注明位置",
                "случайно: берите всю область, на маленьком файле головки стоят; последовательно: укажите где",
                "zufällig: den ganzen Bereich nehmen, eine kleine Datei hält die Köpfe still; sequenziell: angeben, wo"),
        ),
        (Medium::Flash, Behaviour::Slow) => told(
            say!(lang; "{device} is flash{took}", "{device} 是闪存{took}", "{device} — это флеш{took}", "{device} ist Flash-Speicher{took}"),
            word!(lang; "too long for flash: it was asleep or busy, or something slower lies behind it", "对闪存来说太久：它在休眠或忙，或其后有更慢的东西",
                "для флеша слишком долго: он спал или был занят, или за ним что-то медленнее",
                "zu lang dafür: es schlief oder war beschäftigt, oder dahinter liegt etwas Langsameres"),
            word!(lang; "look at the load above, and again", "看上面的负载，再测一次", "посмотрите нагрузку выше и ещё раз", "die Last oben ansehen, und noch einmal"),
        ),
        (Medium::Flash, _) => told(
            say!(lang; "{device} is flash{took}", "{device} 是闪存{took}", "{device} — это флеш{took}", "{device} ist Flash-Speicher{took}"),
            "",
            "",
        ),
        (Medium::Hidden, _) => {
            let says = match says_rotational {
                Some(true) => {
                    word!(lang; "says that it rotates", "自称是旋转盘", "сообщает, что вращается", "gibt an, dass es rotiert")
                }
                Some(false) => {
                    word!(lang; "says that it does not rotate", "自称不是旋转盘", "сообщает, что не вращается", "gibt an, dass es nicht rotiert")
                }
                None => {
                    word!(lang; "does not say whether it rotates", "没有说明是否旋转", "не сообщает, вращается ли", "gibt nicht an, ob es rotiert")
                }
            };
            let (why, act) = match behaviour {
                Behaviour::Unseen => (
                    word!(lang; "such disks say so whatever lies behind them: it tells nothing", "这类盘不管其后是什么都这么说：说明不了什么",
                        "такие диски сообщают это, что бы за ними ни лежало: это ничего не значит",
                        "solche Platten sagen das, was auch dahinter liegt: es verrät nichts"),
                    word!(lang; "let a short test tell: heads take 3 ms and more for a random read", "用短测试判断：磁头随机读要 3 ms 以上",
                        "пусть скажет короткий тест: головкам на случайное чтение нужно 3 ms и больше",
                        "kurz messen: Köpfe brauchen 3 ms und mehr für einen zufälligen Lesezugriff"),
                ),
                Behaviour::Quick => (
                    word!(lang; "reads that quick are no moving heads: flash, or a cache in front", "读得这么快不是磁头：是闪存，或前面有缓存",
                        "такие быстрые чтения — не головки: флеш или кэш впереди",
                        "so schnelle Lesezugriffe sind keine bewegten Köpfe: Flash-Speicher, oder ein Puffer davor"),
                    word!(lang; "expect a flash disk's figures; keep the flag out of it", "按闪存盘的数字来看；不理会标志", "ждите цифр флеш-диска; на флаг не смотрите",
                        "Zahlen wie von einer SSD erwarten; die Angabe außer Acht lassen"),
                ),
                Behaviour::Between => (
                    word!(lang; "the flag tells nothing; too long for flash at rest, too short for heads: a network, or load",
                        "标志说明不了什么；对空闲的闪存太久，对磁头太短：是网络，或有负载",
                        "флаг ничего не говорит; для свободного флеша долго, для головок коротко: сеть или нагрузка",
                        "die Angabe verrät nichts; zu lang für ruhenden Flash-Speicher, zu kurz für Köpfe: ein Netzwerk, oder Last"),
                    word!(lang; "expect a network disk: latency bounds depth 1, the plan the rest", "按网络盘来看：深度 1 受延迟限制，其余受套餐限制",
                        "ждите сетевого диска: глубину 1 ограничивает задержка, остальное тариф",
                        "eine Netzwerkplatte erwarten: bei Tiefe 1 begrenzt die Latenz, sonst der Tarif"),
                ),
                Behaviour::Slow => (
                    word!(lang; "moving heads, or a network behind the disk, or somebody else's load", "是移动的磁头，或盘后的网络，或别人的负载",
                        "движущиеся головки, или сеть за диском, или чужая нагрузка",
                        "bewegte Köpfe, oder ein Netzwerk hinter der Platte, oder fremde Last"),
                    word!(lang; "find out which before comparing figures", "先弄清是哪种再比较数字", "выясните, что именно, прежде чем сравнивать цифры",
                        "herausfinden, was davon, bevor Zahlen verglichen werden"),
                ),
            };
            told(
                say!(lang; "{device} {says}; what lies behind it is hidden{took}", "{device} {says}；其后是什么看不到{took}", "{device} {says}; что за ним, не видно{took}",
                    "{device} {says}; was dahinter liegt, ist verborgen{took}"),
                why,
                act,
            )
        }
    }
}
