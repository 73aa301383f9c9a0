//! What goes on beside: load, limits, the host.

use super::{Words, raw, told};
use crate::Lang;
use crate::lang::{say, word};
use crate::scale::{bytes, percent, short};
use stats::doctor::*;

pub(super) fn load(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::Busy { device, look_ms, ios, bytes: n, util_percent, in_flight } => {
            let fact = if *ios == 0 && *in_flight == 0 {
                say!(lang; "{device} was idle for {look_ms} ms", "{device} 在 {look_ms} ms 内空闲",
                    "{device} простаивал {look_ms} ms", "{device} war {look_ms} ms lang untätig")
            } else {
                let (moved, busy) = (bytes(*n), percent(*util_percent));
                let fly = if *in_flight > 0 {
                    say!(lang; ", {in_flight} in flight", "，在途 {in_flight} 个", ", в работе {in_flight}", ", {in_flight} offen")
                } else {
                    String::new()
                };
                say!(lang; "{device} in {look_ms} ms: {ios} I/Os, {moved}, busy {busy}{fly}",
                    "{device} 在 {look_ms} ms 内：{ios} 个 I/O，{moved}，忙 {busy}{fly}",
                    "{device} за {look_ms} ms: операций {ios}, {moved}, занят на {busy}{fly}",
                    "{device} in {look_ms} ms: {ios} Zugriffe, {moved}, zu {busy} belegt{fly}")
            };
            let why = if *ios == 0 && *in_flight > 0 {
                word!(lang; "I/Os are waiting and none is answered: the disk hangs, or is capped",
                    "有 I/O 在等而无一应答：磁盘挂起，或被限速",
                    "операции ждут, и ни одной нет ответа: диск завис или ограничен",
                    "Zugriffe warten, und keiner wird beantwortet: die Platte hängt oder ist gedrosselt")
            } else {
                word!(lang; "others use it: their I/O takes from yours, and yours waits for theirs",
                    "别人也在用它：他们的 I/O 占用你的份额，你的要等他们的",
                    "им пользуются другие: их операции отнимают у ваших, а ваши ждут их",
                    "andere nutzen es: ihre Zugriffe gehen zu Lasten der eigenen, und die warten auf sie")
            };
            told(
                fact,
                why,
                word!(lang; "find them (iotop, pidstat -d) and stop them, or say so with the figures",
                "找出它们（iotop、pidstat -d）并停掉，或在结果中说明",
                "найдите их (iotop, pidstat -d) и остановите или укажите это рядом с цифрами",
                "sie finden (iotop, pidstat -d) und anhalten, oder es bei den Zahlen angeben"),
            )
        }
        Fact::Pressure { percent: p } => {
            let share = percent(*p);
            told(
                say!(lang; "somebody waited for a disk in {share} of the last 10 s", "最近 10 s 中有 {share} 的时间有人在等磁盘",
                    "в последние 10 s кто-то ждал диск {share} времени", "in {share} der letzten 10 s wartete jemand auf eine Platte"),
                word!(lang; "this machine's disks are in use, this target's or others", "本机的磁盘正在使用，不论是此目标的还是别的",
                    "диски этой машины заняты, этой цели или другие", "die Platten dieses Rechners sind in Gebrauch, die des Ziels oder andere"),
                word!(lang; "wait until it is over", "等它结束", "дождитесь окончания", "warten, bis es vorbei ist"),
            )
        }
        Fact::Dirty { bytes: n } => {
            let waiting = bytes(*n);
            told(
                say!(lang; "{waiting} in the page cache are yet to be written", "页缓存中还有 {waiting} 未写出",
                    "в страничном кэше ещё не записано {waiting}", "{waiting} im Page-Cache sind noch zu schreiben"),
                word!(lang; "they will be written during the test", "测试期间会写出", "они будут записаны во время теста",
                    "sie werden während der Messung geschrieben"),
                word!(lang; "sync, then begin", "先 sync，再开始", "сначала sync, потом начинайте", "erst sync, dann anfangen"),
            )
        }
        Fact::ArrayBusy { device, level, work: ArrayWork::Waiting, done_percent: _ } => told(
            say!(lang; "{device} ({level}) has a resync that waits or is stopped", "{device}（{level}）有一个等待中或已停止的 resync",
                "у {device} ({level}) есть resync, который ждёт или остановлен", "{device} ({level}) hat einen Resync, der wartet oder angehalten ist"),
            word!(lang; "it may begin during the test, and until then the members are not equal", "它可能在测试中开始，在那之前各成员不一致",
                "он может начаться во время теста, а до тех пор диски не одинаковы",
                "er kann während der Messung beginnen, und bis dahin sind die Platten nicht gleich"),
            word!(lang; "let it finish: /proc/mdstat", "让它做完：/proc/mdstat", "дайте ему закончить: /proc/mdstat",
                "ihn fertig werden lassen: /proc/mdstat"),
        ),
        Fact::ArrayBusy { device, level, work, done_percent } => {
            let doing = match work {
                ArrayWork::Resync => {
                    word!(lang; "makes its members equal (resync)", "正在使各成员一致（resync）",
                    "выравнивает диски (resync)", "gleicht seine Platten an (resync)")
                }
                ArrayWork::Recover => {
                    word!(lang; "fills a new member (recovery)", "正在填充新成员（recovery）",
                    "заполняет новый диск (recovery)", "füllt eine neue Platte (recovery)")
                }
                ArrayWork::Reshape => word!(lang; "changes its layout (reshape)", "正在改变布局（reshape）",
                    "меняет раскладку (reshape)", "ändert seinen Aufbau (reshape)"),
                ArrayWork::Check | ArrayWork::Waiting => {
                    word!(lang; "reads and compares all members (check)",
                    "正在读取并比较所有成员（check）", "читает и сверяет все диски (check)", "liest und vergleicht alle Platten (check)")
                }
                ArrayWork::Repair => {
                    word!(lang; "reads and mends all members (repair)", "正在读取并修复所有成员（repair）",
                    "читает и чинит все диски (repair)", "liest und repariert alle Platten (repair)")
                }
            };
            // Only what nobody waits for may be stopped.
            let act = match work {
                ArrayWork::Check | ArrayWork::Waiting | ArrayWork::Repair => say!(lang;
                    "wait (/proc/mdstat), or stop it: echo idle > /sys/block/{device}/md/sync_action",
                    "等待（/proc/mdstat），或停掉它：echo idle > /sys/block/{device}/md/sync_action",
                    "подождите (/proc/mdstat) или остановите: echo idle > /sys/block/{device}/md/sync_action",
                    "warten (/proc/mdstat), oder anhalten: echo idle > /sys/block/{device}/md/sync_action"),
                _ => {
                    say!(lang; "wait until it is done: /proc/mdstat", "等它做完：/proc/mdstat", "дождитесь окончания: /proc/mdstat",
                    "warten, bis es fertig ist: /proc/mdstat")
                }
            };
            let done = done_percent.map_or(
                String::new(),
                |p| say!(lang; ", {p} % done", "，已完成 {p} %", ", готово {p} %", ", zu {p} % fertig"),
            );
            told(
                say!(lang; "{device} ({level}) {doing}{done}", "{device}（{level}）{doing}{done}", "{device} ({level}) {doing}{done}",
                    "{device} ({level}) {doing}{done}"),
                word!(lang; "its reads and writes go on beside the test and take turns with it", "它的读写与测试同时进行，轮流占用磁盘",
                    "его чтения и записи идут рядом с тестом и чередуются с ним",
                    "seine Lese- und Schreibzugriffe laufen neben der Messung und wechseln sich mit ihr ab"),
                act,
            )
        }
        Fact::Degraded { device, level, missing, disks } => {
            let of = disks.map_or(String::new(), |d| say!(lang; " of {d}", "/{d}", " из {d}", " von {d}"));
            told(
                say!(lang; "{device} ({level}) lacks {missing}{of} members", "{device}（{level}）缺少 {missing}{of} 个成员",
                    "{device} ({level}): не хватает дисков: {missing}{of}", "{device} ({level}): es fehlen {missing}{of} Platten"),
                match level.as_str() {
                    "raid4" | "raid5" | "raid6" => word!(lang;
                        "what the missing one held is computed from all others at each read",
                        "缺失成员的数据每次读取都要由其余成员算出",
                        "данные недостающего при каждом чтении вычисляются по всем остальным",
                        "was auf der fehlenden lag, wird bei jedem Lesezugriff aus allen anderen berechnet"),
                    _ => {
                        word!(lang; "reads have fewer disks to go to, writes fewer to wait for", "读可用的盘变少，写要等的盘也变少",
                        "чтениям доступно меньше дисков, записи ждут меньше дисков",
                        "Lesezugriffe haben weniger Platten zur Wahl, Schreibzugriffe warten auf weniger")
                    }
                },
                word!(lang; "replace the member, wait for the recovery, then measure", "更换成员，等恢复完成，再测",
                    "замените диск, дождитесь восстановления, затем измеряйте",
                    "die Platte ersetzen, die Wiederherstellung abwarten, dann messen"),
            )
        }
        Fact::Array { device, level, disks, bitmap } => {
            let of = match disks {
                Some(d) => say!(lang; " of {d} members", "，{d} 个成员", ", дисков {d}", " aus {d} Platten"),
                None => say!(lang; " members", "", "", ""),
            };
            let with = if *bitmap {
                word!(lang; ", with a write-intent bitmap", "，带写意图位图", ", с битовой картой намерений записи",
                    ", mit einer Write-Intent-Bitmap")
            } else {
                ""
            };
            let mut why = Vec::new();
            match level.as_str() {
                "raid4" | "raid5" => why.push(word!(lang; "a small write is two reads and two writes", "一次小写入要两读两写",
                    "малая запись — это два чтения и две записи", "ein kleiner Schreibzugriff ist zweimal Lesen und zweimal Schreiben")),
                "raid6" => why.push(word!(lang; "a small write is three reads and three writes", "一次小写入要三读三写",
                    "малая запись — это три чтения и три записи", "ein kleiner Schreibzugriff ist dreimal Lesen und dreimal Schreiben")),
                _ => {}
            }
            if *bitmap {
                why.push(word!(lang; "the bitmap is written before random writes", "随机写之前要先写位图",
                    "перед случайными записями пишется карта", "vor zufälligen Schreibzugriffen wird die Bitmap geschrieben"));
            }
            told(
                say!(lang; "{device}: {level}{of}, whole and idle{with}", "{device}：{level}{of}，完整且空闲{with}",
                    "{device}: {level}{of}, цел и свободен{with}", "{device}: {level}{of}, vollständig und untätig{with}"),
                why.join("; "),
                word!(lang; "expect fewer random writes than the members could do together", "随机写会少于各成员之和",
                    "ждите меньше случайных записей, чем могли бы все диски вместе",
                    "weniger zufällige Schreibzugriffe erwarten, als die Platten zusammen schaffen"),
            )
        }
        other => raw(other),
    }
}

pub(super) fn limits(lang: Lang, fact: &Fact) -> Words {
    match fact {
        Fact::IoCap { device, bytes_per_second, iops } => {
            let [read, written] = bytes_per_second.map(|n| n.map(bytes));
            // Whole numbers are not rounded: they were set by somebody.
            let [reads, writes] = iops;
            let all: Vec<String> = [
                read.map(|n| say!(lang; "{n}/s read", "读 {n}/s", "чтение {n}/s", "{n}/s lesen")),
                written.map(|n| say!(lang; "{n}/s written", "写 {n}/s", "запись {n}/s", "{n}/s schreiben")),
                reads.map(|n| say!(lang; "{n} reads/s", "读 {n} 次/s", "чтений {n}/s", "{n} Lesezugriffe/s")),
                writes.map(
                    |n| say!(lang; "{n} writes/s", "写 {n} 次/s", "записей {n}/s", "{n} Schreibzugriffe/s"),
                ),
            ]
            .into_iter()
            .flatten()
            .collect();
            let all = all.join(", ");
            told(
                say!(lang; "a control group caps {device} for this process: {all}", "控制组（cgroup）对本进程限制了 {device}：{all}",
                    "контрольная группа (cgroup) ограничивает {device} для этого процесса: {all}",
                    "eine Kontrollgruppe (cgroup) begrenzt {device} für diesen Prozess: {all}"),
                word!(lang; "the cap is measured, not the disk; iostat shows an idle disk meanwhile", "测到的是限速，不是磁盘；这时 iostat 显示磁盘空闲",
                    "измеряется ограничение, а не диск; iostat тем временем показывает простой",
                    "gemessen wird die Grenze, nicht die Platte; iostat zeigt derweil eine untätige Platte"),
                word!(lang; "run outside that group (systemd slice, container), or measure the cap on purpose",
                    "在该组（systemd slice、容器）之外运行，或就是要测限速",
                    "запускайте вне этой группы (slice в systemd, контейнер) или измеряйте ограничение намеренно",
                    "außerhalb dieser Gruppe laufen lassen (systemd-Slice, Container-Umgebung), oder die Grenze mit Absicht messen"),
            )
        }
        Fact::NoIoCap => told(
            word!(lang; "no control group caps these devices for this process", "没有控制组对本进程限制这些设备",
                "ни одна контрольная группа не ограничивает эти устройства для этого процесса",
                "keine Kontrollgruppe begrenzt diese Geräte für diesen Prozess"),
            "",
            "",
        ),
        Fact::CpuCap { cpus, usable } => {
            let cpus = short(*cpus);
            told(
                say!(lang; "a control group caps processor time at {cpus} of {usable} processors",
                    "控制组把处理器时间限制在 {usable} 个处理器中的 {cpus} 个",
                    "контрольная группа ограничивает процессорное время: {cpus} из {usable} процессоров",
                    "eine Kontrollgruppe begrenzt die Prozessorzeit auf {cpus} von {usable} Prozessoren"),
                word!(lang; "the load generator is stopped part of the time: latencies have gaps that are not the disk's",
                    "负载发生器有时被停住：延迟里的空档不是磁盘造成的",
                    "генератор нагрузки временами останавливают: разрывы в задержках не от диска",
                    "der Lastgenerator wird zeitweise angehalten: Latenzen haben Lücken, die nicht von der Platte kommen"),
                word!(lang; "lift cpu.max, or keep jobs x load below it", "提高 cpu.max，或让任务数 x 负载低于它",
                    "поднимите cpu.max или держите задания x нагрузку ниже", "cpu.max anheben, oder Jobs x Last darunter halten"),
            )
        }
        Fact::MemoryCap { left_bytes } => {
            let rest = bytes(*left_bytes);
            told(
                say!(lang; "{rest} of memory are left to this process's control group", "本进程的控制组还剩 {rest} 内存",
                    "контрольной группе этого процесса осталось {rest} памяти",
                    "der Kontrollgruppe dieses Prozesses bleiben {rest} Arbeitsspeicher"),
                word!(lang; "buffered writes are written back early, and many jobs do not fit", "缓冲写会提早回写，任务多了放不下",
                    "буферизованные записи сбрасываются раньше, и много заданий не поместится",
                    "gepufferte Schreibzugriffe gehen früh auf die Platte, und viele Jobs passen nicht hinein"),
                word!(lang; "direct=1, or lift memory.max", "direct=1，或提高 memory.max", "direct=1 или поднимите memory.max",
                    "direct=1, oder memory.max anheben"),
            )
        }
        other => raw(other),
    }
}

pub(super) fn host(lang: Lang, line: &Line) -> Words {
    match &line.fact {
        Fact::Pcie {
            device,
            width,
            speed,
            most_width,
            most_speed,
            bytes_per_second,
            most_bytes_per_second,
        } => {
            let (now, most) = (bytes(*bytes_per_second), bytes(*most_bytes_per_second));
            told(
                say!(lang; "{device}: PCIe x{width} at {speed} GT/s of x{most_width} at {most_speed} GT/s: at most {now}/s of {most}/s",
                    "{device}：PCIe x{width}，{speed} GT/s，本可 x{most_width}，{most_speed} GT/s：最多 {now}/s，本可 {most}/s",
                    "{device}: PCIe x{width} на {speed} GT/s из x{most_width} на {most_speed} GT/s: не больше {now}/s из {most}/s",
                    "{device}: PCIe x{width} mit {speed} GT/s von x{most_width} mit {most_speed} GT/s: höchstens {now}/s von {most}/s"),
                word!(lang; "the slot, an adapter or a bad contact holds the link down: its rate is measured, not the disk's",
                    "插槽、转接卡或接触不良拖慢了链路：测到的是链路的速率，不是磁盘的",
                    "слот, переходник или плохой контакт держит канал: измеряется его скорость, а не диска",
                    "Steckplatz, Zwischenstück oder ein schlechter Kontakt bremst die Verbindung: deren Rate wird gemessen, nicht die der Platte"),
                word!(lang; "another slot; look for AER errors (dmesg); power saving of the link (pcie_aspm) off",
                    "换插槽；查 AER 错误（dmesg）；关闭链路节能（pcie_aspm）",
                    "другой слот; ищите ошибки AER (dmesg); выключите энергосбережение канала (pcie_aspm)",
                    "einen anderen Steckplatz; nach AER-Fehlern suchen (dmesg); Stromsparen der Verbindung (pcie_aspm) aus"),
            )
        }
        Fact::Sata { device, tenths, limit_tenths, bytes_per_second } => {
            let rate = |t: u32| format!("{}.{} Gbit/s", t / 10, t % 10);
            let held = limit_tenths.filter(|l| *l < 60).map_or(String::new(), |l| {
                let limit = rate(l);
                say!(lang; ", held down to {limit}", "，被压到 {limit}", ", ограничен до {limit}", ", herabgesetzt auf {limit}")
            });
            let (now, most) = (rate(*tenths), bytes(*bytes_per_second));
            told(
                say!(lang; "{device}: SATA at {now}{held}: at most {most}/s", "{device}：SATA {now}{held}：最多 {most}/s",
                    "{device}: SATA на {now}{held}: не больше {most}/s", "{device}: SATA mit {now}{held}: höchstens {most}/s"),
                word!(lang; "port, cable, backplane or an old disk allows no more, or errors held it down: that is what is measured",
                    "端口、线缆、背板或旧盘只能这样，或因出错而降速：测到的就是它",
                    "порт, кабель, корзина или старый диск больше не даёт, или скорость снизили ошибки: это и измеряется",
                    "Anschluss, Kabel, Backplane oder eine alte Platte erlauben nicht mehr, oder Fehler haben es herabgesetzt: das wird gemessen"),
                word!(lang; "another port or cable; look for link resets in dmesg", "换端口或线缆；在 dmesg 中查链路重置",
                    "другой порт или кабель; ищите сбросы канала в dmesg",
                    "einen anderen Anschluss oder ein anderes Kabel; in dmesg nach Neustarts der Verbindung suchen"),
            )
        }
        Fact::Usb { device, mbit, one_at_a_time } => {
            let protocol = if *one_at_a_time {
                word!(lang; "one request at a time (usb-storage)", "每次一个请求（usb-storage）", "по одному запросу (usb-storage)",
                    "eine Anfrage nach der anderen (usb-storage)")
            } else {
                word!(lang; "with a queue (uas)", "带队列（uas）", "с очередью (uas)", "mit Warteschlange (uas)")
            };
            let (why, act) = match line.severity {
                Severity::Spoils => (
                    word!(lang; "some 40 MB/s at 480 Mbit/s: the link is measured, not the disk", "480 Mbit/s 约合 40 MB/s：测到的是链路，不是磁盘",
                        "около 40 MB/s при 480 Mbit/s: измеряется канал, а не диск",
                        "etwa 40 MB/s bei 480 Mbit/s: gemessen wird die Verbindung, nicht die Platte"),
                    word!(lang; "a USB 3 port and cable; for the disk alone a native port", "用 USB 3 端口和线缆；只测磁盘则用原生端口",
                        "порт и кабель USB 3; для одного диска — родной порт",
                        "Anschluss und Kabel für USB 3; für die Platte allein ein eigener Anschluss"),
                ),
                Severity::Matters => (
                    word!(lang; "depth gains nothing: the bridge takes one request at a time", "加大深度没有用：桥接芯片一次只收一个请求",
                        "глубина ничего не даёт: мост берёт по одному запросу",
                        "Tiefe bringt nichts: die Brücke nimmt eine Anfrage nach der anderen"),
                    word!(lang; "a bridge and a driver with UAS; for the disk alone a native port", "用支持 UAS 的桥接和驱动；只测磁盘则用原生端口",
                        "мост и драйвер с UAS; для одного диска — родной порт",
                        "eine Brücke und ein Treiber mit UAS; für die Platte allein ein eigener Anschluss"),
                ),
                _ => (
                    word!(lang; "the bridge between USB and disk is measured as well", "USB 与磁盘之间的桥接也被测进去了",
                        "мост между USB и диском измеряется тоже", "die Brücke zwischen USB und Platte wird mitgemessen"),
                    word!(lang; "for the disk alone a native port", "只测磁盘则用原生端口", "для одного диска — родной порт",
                        "für die Platte allein ein eigener Anschluss"),
                ),
            };
            told(
                say!(lang; "{device}: USB at {mbit} Mbit/s, {protocol}", "{device}：USB {mbit} Mbit/s，{protocol}",
                    "{device}: USB на {mbit} Mbit/s, {protocol}", "{device}: USB mit {mbit} Mbit/s, {protocol}"),
                why,
                act,
            )
        }
        Fact::Numa { device, node, local } => {
            let (why, act) = match local {
                true => (
                    word!(lang; "threads on other nodes reach it over the link between the processors", "其他节点上的线程要经处理器间的链路访问它",
                        "потоки на других узлах идут к нему через связь между процессорами",
                        "Threads auf anderen Knoten erreichen es über die Verbindung zwischen den Prozessoren"),
                    format!("numa_cpu_nodes={node} numa_mem_policy=bind:{node}"),
                ),
                false => (
                    word!(lang; "all I/O crosses the link between the processors", "所有 I/O 都要经过处理器间的链路",
                        "все операции идут через связь между процессорами",
                        "alle Zugriffe gehen über die Verbindung zwischen den Prozessoren"),
                    say!(lang; "let it run on node {node} (cpuset, taskset), or say so with the figures", "让它在节点 {node} 上运行（cpuset、taskset），或在结果中说明",
                        "запускайте на узле {node} (cpuset, taskset) или укажите это рядом с цифрами",
                        "auf Knoten {node} laufen lassen (cpuset, taskset), oder es bei den Zahlen angeben"),
                ),
            };
            let mine = if *local {
                ""
            } else {
                word!(lang; "; this process may not run there", "；本进程不得在那里运行", "; этому процессу там работать нельзя",
                    "; dieser Prozess darf dort nicht laufen")
            };
            told(
                say!(lang; "{device} hangs on NUMA node {node}{mine}", "{device} 挂在 NUMA 节点 {node} 上{mine}",
                    "{device} подключён к узлу NUMA {node}{mine}", "{device} hängt am NUMA-Knoten {node}{mine}"),
                why,
                act,
            )
        }
        Fact::Hypervisor { name } => {
            let name = if name.is_empty() { String::new() } else { format!(" ({name})") };
            told(
                say!(lang; "a virtual machine{name}", "虚拟机{name}", "виртуальная машина{name}", "eine virtuelle Maschine{name}"),
                word!(lang; "the host's cache, its caps and its other guests are not seen from here", "宿主机的缓存、限速和其他虚拟机从这里看不到",
                    "кэш хоста, его ограничения и другие гости отсюда не видны",
                    "Cache, Grenzen und andere Gäste des Wirts sind von hier aus nicht zu sehen"),
                word!(lang; "suspect a cap where figures stay the same at any depth; repeat at another hour", "若任何深度数字都一样，就要怀疑有限速；换个时间再测",
                    "если цифры одинаковы на любой глубине, подозревайте ограничение; повторите в другой час",
                    "eine Grenze vermuten, wo Zahlen bei jeder Tiefe gleich bleiben; zu anderer Stunde wiederholen"),
            )
        }
        Fact::Steal { percent: p } => {
            let share = percent(*p);
            told(
                say!(lang; "{share} of processor time went to other guests of this host", "{share} 的处理器时间给了同一宿主机的其他虚拟机",
                    "{share} процессорного времени ушло другим гостям этого хоста",
                    "{share} der Prozessorzeit gingen an andere Gäste dieses Wirts"),
                word!(lang; "latencies have gaps that are not the disk's", "延迟里的空档不是磁盘造成的", "разрывы в задержках не от диска",
                    "Latenzen haben Lücken, die nicht von der Platte kommen"),
                word!(lang; "another hour, or a machine with processors of its own", "换个时间，或用独占处理器的机器",
                    "другой час или машина со своими процессорами", "zu anderer Stunde, oder ein Rechner mit eigenen Prozessoren"),
            )
        }
        Fact::Governor { names } => {
            let names = names.join(", ");
            told(
                say!(lang; "processors are clocked by: {names}", "处理器调频策略：{names}", "частотой процессоров управляет: {names}",
                    "den Takt der Prozessoren bestimmt: {names}"),
                word!(lang; "a processor that slows down between I/Os adds microseconds at low depth", "处理器在 I/O 之间降频，深度小时会多出几微秒",
                    "процессор, который замедляется между операциями, добавляет микросекунды на малой глубине",
                    "ein Prozessor, der zwischen Zugriffen langsamer wird, kostet bei kleiner Tiefe Mikrosekunden"),
                word!(lang; "cpupower frequency-set -g performance for the time of the test", "测试期间执行 cpupower frequency-set -g performance",
                    "на время теста: cpupower frequency-set -g performance", "für die Dauer der Messung: cpupower frequency-set -g performance"),
            )
        }
        Fact::Clock { name, .. } => told(
            say!(lang; "the kernel's clock is {name}", "内核时钟为 {name}", "часы ядра: {name}", "die Uhr des Kernels ist {name}"),
            word!(lang; "each reading takes microseconds, and every I/O reads it", "每次读取要几微秒，而每个 I/O 都要读它",
                "каждое чтение часов занимает микросекунды, а нужно оно при каждой операции",
                "jedes Ablesen dauert Mikrosekunden, und jeder Zugriff liest sie ab"),
            word!(lang; "find out why tsc was given up (dmesg); clocksource=tsc", "查明为何放弃 tsc（dmesg）；clocksource=tsc",
                "выясните, почему отказались от tsc (dmesg); clocksource=tsc", "herausfinden, warum tsc aufgegeben wurde (dmesg); clocksource=tsc"),
        ),
        other => raw(other),
    }
}
