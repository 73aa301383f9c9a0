//! What was found.

use super::{rate, share};
use crate::lang::say;
use crate::scale::{bytes, percent, short, time};
use crate::{Lang, fit_end};
use stats::{Claim, Direction, Unmeasured};

pub(super) fn what(lang: Lang, claim: &Claim) -> String {
    match claim {
        Claim::PageCache { app, storage, span, memory } => {
            let (served, read) = (share(app.saturating_sub(*storage), *app), bytes(*app));
            let fits = if *memory > *span && *memory > 0 {
                let (data, memory) = (bytes(*span), bytes(*memory));
                say!(lang; " ({data} of data, {memory} of memory)", "（数据 {data}，内存 {memory}）",
                    " (данных {data}, памяти {memory})", " ({data} Daten, {memory} Arbeitsspeicher)")
            } else {
                String::new()
            };
            say!(lang; "{served} of {read} read came from the page cache{fits}: that is memory",
                "读取的 {read} 中 {served} 来自页缓存{fits}：测的是内存",
                "{served} из прочитанных {read} дал страничный кэш{fits}: это память",
                "{served} der gelesenen {read} kamen aus dem Page-Cache{fits}: das ist Arbeitsspeicher")
        }
        Claim::WritesCached { app, device } => {
            let (there, written) = (bytes(*device), bytes(*app));
            say!(lang; "{there} of {written} written had reached the device when the run ended",
                "运行结束时，写入的 {written} 中只有 {there} 到达设备",
                "к концу прогона до устройства дошло {there} из записанных {written}",
                "am Ende des Laufs hatten {there} von {written} geschriebenen das Gerät erreicht")
        }
        Claim::WritesReturnedEarly { p50_ns, device, device_ns } => {
            let (half, at_device) = (time(*p50_ns as f64), time(*device_ns));
            say!(lang; "half of the writes returned within {half}, a write at {device} took {at_device}: these are the page cache's latencies",
                "一半的写入在 {half} 内返回，而 {device} 上每次写入要 {at_device}：这是页缓存的延迟",
                "половина записей вернулась за {half}, а запись на {device} длилась {at_device}: это задержки страничного кэша",
                "die Hälfte der Schreibzugriffe kehrte binnen {half} zurück, einer auf {device} dauerte {at_device}: das sind die Latenzen des Page-Cache")
        }
        Claim::CacheBelow { direction, upper, upper_bytes, lower, lower_bytes } => {
            let (above, below) = (bytes(*upper_bytes), bytes(*lower_bytes));
            if *direction == Direction::Write {
                say!(lang; "{below} of the {above} that {upper} had written reached {lower} below it: a cache there answered",
                    "{upper} 写入的 {above} 中只有 {below} 到达其下的 {lower}：那里有缓存应答",
                    "из {above}, записанных на {upper}, до {lower} под ним дошло {below}: ответил кэш между ними",
                    "von {above}, die {upper} geschrieben hat, kamen {below} bei {lower} darunter an: dort hat ein Cache geantwortet")
            } else {
                say!(lang; "{below} of the {above} that {upper} had read reached {lower} below it: a cache there answered",
                    "{upper} 读取的 {above} 中只有 {below} 到达其下的 {lower}：那里有缓存应答",
                    "из {above}, прочитанных с {upper}, до {lower} под ним дошло {below}: ответил кэш между ними",
                    "von {above}, die {upper} gelesen hat, kamen {below} bei {lower} darunter an: dort hat ein Cache geantwortet")
            }
        }
        Claim::AboveLink { device, seen, ceiling } => {
            let (seen, ceiling) = (rate(*seen as f64), rate(*ceiling as f64));
            say!(lang; "{seen} is more than the link to {device} carries ({ceiling})",
                "{seen} 超过了到 {device} 的链路所能承载的 {ceiling}",
                "{seen} больше, чем пропускает канал к {device} ({ceiling})",
                "{seen} sind mehr, als die Verbindung zu {device} hergibt ({ceiling})")
        }
        Claim::TooFastToTurn { device, p50_ns } => {
            let p50 = time(*p50_ns as f64);
            say!(lang; "half of the random reads of {device}, which turns, took under {p50}: a cache answered",
                "{device} 是旋转盘，而一半的随机读不到 {p50}：是缓存在应答",
                "половина случайных чтений с {device}, а это вращающийся диск, заняла меньше {p50}: ответил кэш",
                "die Hälfte der zufälligen Lesezugriffe auf {device}, das rotiert, dauerte unter {p50}: ein Cache hat geantwortet")
        }
        Claim::TinySpan { span, passes } => {
            let span = bytes(*span);
            if *passes > 0.0 {
                say!(lang; "{span} were gone over {passes:.0} times: any drive's own memory holds them",
                    "{span} 的区域被反复访问 {passes:.0} 遍：任何盘的自带缓存都装得下",
                    "область в {span} пройдена {passes:.0} раз: она помещается в память любого накопителя",
                    "{span} wurden {passes:.0}-mal durchlaufen: das fasst der eigene Puffer jedes Laufwerks")
            } else {
                say!(lang; "random I/O over {span}: the page cache holds that", "在 {span} 内随机读写：页缓存装得下",
                    "случайный доступ в пределах {span}: это помещается в страничный кэш",
                    "zufällige Zugriffe über {span}: das fasst der Page-Cache")
            }
        }
        Claim::NoQueue { engine, asked, reached } => {
            let had = if *reached > 0.0 {
                say!(lang; ", had {reached:.1} on average", "，平均只有 {reached:.1} 个", ", в среднем было {reached:.1}",
                    ", im Mittel waren es {reached:.1}")
            } else {
                String::new()
            };
            say!(lang; "asked for {asked} in flight{had}: engine {engine} holds one at a time, whatever iodepth says",
                "要求 {asked} 个 I/O 同时在途{had}：引擎 {engine} 每次只发一个，与 iodepth 无关",
                "запрошено {asked} одновременно{had}: движок {engine} ведёт по одной операции, что бы ни стояло в iodepth",
                "{asked} gleichzeitig verlangt{had}: {engine} führt immer nur einen Zugriff aus, egal was iodepth sagt")
        }
        Claim::BlockingSubmit { engine, buffered, asked, reached, in_submit_percent } => {
            let call = percent(*in_submit_percent);
            let seen = if *reached > 0.0 {
                say!(lang; ": {reached:.1} of {asked} in flight, {call} of the time in the call",
                    "：要求在途 {asked} 个，实际 {reached:.1} 个，{call} 的时间耗在该调用里",
                    ": одновременно {reached:.1} из {asked}, в вызове прошло {call} времени",
                    ": {reached:.1} von {asked} gleichzeitig, {call} der Zeit im Aufruf")
            } else {
                String::new()
            };
            if *buffered {
                say!(lang; "{engine} without direct=1 waits in the submit call{seen}",
                    "{engine} 未设 direct=1，提交调用会等待{seen}", "{engine} без direct=1 ждёт в вызове отправки{seen}",
                    "{engine} wartet ohne direct=1 schon beim Absenden{seen}")
            } else {
                say!(lang; "submitting blocked{seen}", "提交时发生阻塞{seen}", "отправка блокировалась{seen}",
                    "das Absenden hat blockiert{seen}")
            }
        }
        Claim::Shallow { reached, asked } => {
            let asked = short(*asked);
            say!(lang; "{reached:.1} I/Os were in flight, {asked} were asked for",
                "同时在途的 I/O 为 {reached:.1} 个，要求的是 {asked} 个",
                "одновременно в работе было {reached:.1} операций, запрошено {asked}",
                "{reached:.1} Zugriffe liefen gleichzeitig, verlangt waren {asked}")
        }
        Claim::NeverWritten { path, bytes: missing, size } => {
            let (part, path, missing) = (share(*missing, *size), fit_end(path, 24), bytes(*missing));
            say!(lang; "{part} of {path} was never written ({missing}): such reads do not touch the disk",
                "{path} 有 {part} 从未写过（{missing}）：读这些地方不会访问磁盘",
                "{part} файла {path} никогда не записывалось ({missing}): такие чтения до диска не доходят",
                "{part} von {path} wurden nie geschrieben ({missing}): solche Lesezugriffe erreichen die Platte nicht")
        }
        Claim::Zeros { path, zero, sampled, .. } => {
            let path = fit_end(path, 24);
            say!(lang; "{zero} of {sampled} sampled blocks of {path} are zeros: a drive may answer those from its map",
                "{path} 抽查的 {sampled} 个块中有 {zero} 个全为零：盘可能只查映射表就应答",
                "нули в {zero} из {sampled} проверенных блоков {path}: на них накопитель может ответить по своей таблице",
                "{zero} von {sampled} geprüften Blöcken von {path} sind Nullen: die kann ein Laufwerk aus seiner Tabelle beantworten")
        }
        Claim::Compressible { layer, percent: smaller } => {
            let smaller = percent(*smaller);
            if layer.is_empty() {
                say!(lang; "{smaller} of what was written can be made smaller, and a drive may do so",
                    "写入的数据有 {smaller} 可以压缩，盘可能会这样做",
                    "{smaller} записанного поддаётся сжатию, и накопитель может этим пользоваться",
                    "{smaller} des Geschriebenen lassen sich komprimieren, und ein Laufwerk tut das vielleicht")
            } else {
                say!(lang; "{layer} compresses, and {smaller} of what was written can be made smaller",
                    "{layer} 会压缩，而写入的数据有 {smaller} 可以压缩",
                    "{layer} сжимает данные, а {smaller} записанного поддаётся сжатию",
                    "{layer} komprimiert, und {smaller} des Geschriebenen lassen sich komprimieren")
            }
        }
        Claim::StepDown { write, before, after, at_s, bytes: until } => {
            let (before, after, until) = (rate(*before), rate(*after), bytes(*until));
            if *write {
                say!(lang; "{before} for {at_s:.1} s ({until}), then {after}: a write cache or a credit ran out",
                    "前 {at_s:.1} s（{until}）为 {before}，之后为 {after}：写缓存或突发额度用完了",
                    "{before} в течение {at_s:.1} s ({until}), затем {after}: кончился кэш записи или кредит",
                    "{before} über {at_s:.1} s ({until}), dann {after}: ein Schreibcache oder ein Guthaben war aufgebraucht")
            } else {
                say!(lang; "{before} for {at_s:.1} s ({until}), then {after}: a burst credit ran out, or a cache",
                    "前 {at_s:.1} s（{until}）为 {before}，之后为 {after}：突发额度或缓存用完了",
                    "{before} в течение {at_s:.1} s ({until}), затем {after}: кончился кредит на всплески или кэш",
                    "{before} über {at_s:.1} s ({until}), dann {after}: ein Burst-Guthaben war aufgebraucht, oder ein Cache")
            }
        }
        Claim::Unsteady { range_percent, slope_percent } => {
            let (slope, range) = (percent(*slope_percent), percent(*range_percent));
            say!(lang; "the rate still changed: by {slope} over the run, in a range of {range}",
                "速率仍在变化：运行期间变化 {slope}，波动范围 {range}",
                "скорость ещё менялась: на {slope} за прогон, разброс {range}",
                "die Rate änderte sich noch: um {slope} über den Lauf, in einer Spanne von {range}")
        }
        Claim::WriteBackCache { device, p50_ns } => {
            let p50 = time(*p50_ns as f64);
            say!(lang; "half of the random writes to {device}, which turns, took under {p50}: a cache acknowledged them",
                "{device} 是旋转盘，而一半的随机写不到 {p50}：是缓存提前确认的",
                "половина случайных записей на {device}, а это вращающийся диск, заняла меньше {p50}: их подтвердил кэш",
                "die Hälfte der zufälligen Schreibzugriffe auf {device}, das rotiert, dauerte unter {p50}: ein Cache hat sie bestätigt")
        }
        Claim::TooShort { ios, seconds, half_width_percent } => match half_width_percent {
            Some(half) if *half > 5.0 => {
                let half = percent(*half);
                say!(lang; "the rate is known to {half} either way after {seconds:.1} s",
                    "经过 {seconds:.1} s，速率的误差仍达上下 {half}",
                    "после {seconds:.1} s скорость известна с точностью до {half} в обе стороны",
                    "nach {seconds:.1} s ist die Rate auf {half} nach beiden Seiten bekannt")
            }
            _ if *ios < 1000 => {
                let above = ios / 100;
                say!(lang; "{ios} I/Os in {seconds:.1} s: a p99 of them rests on {above} of them",
                    "{seconds:.1} s 内仅 {ios} 个 I/O：p99 只取决于其中 {above} 个",
                    "операций за {seconds:.1} s: {ios}; p99 опирается лишь на {above} из них",
                    "{ios} Zugriffe in {seconds:.1} s: ein p99 davon beruht auf {above} Werten")
            }
            _ => say!(lang; "{seconds:.1} s are too few to tell how much the rate varies",
                "{seconds:.1} s 太短，看不出速率如何波动", "{seconds:.1} s мало, чтобы судить о колебаниях скорости",
                "{seconds:.1} s reichen nicht, um zu sagen, wie sehr die Rate schwankt"),
        },
        Claim::SizeRanOut { ran_s, asked_s } => say!(lang;
            "stopped after {ran_s:.1} s of {asked_s:.0} s: the size was done",
            "要求 {asked_s:.0} s，{ran_s:.1} s 后就停了：数据量已跑完",
            "остановка через {ran_s:.1} s из {asked_s:.0} s: весь объём пройден",
            "nach {ran_s:.1} s von {asked_s:.0} s beendet: die Größe war abgearbeitet"),
        Claim::ShortStroke { span, capacity, service_ns } => {
            let (part, each) = (share(*span, *capacity), time(*service_ns as f64));
            let (span, capacity) = (bytes(*span), bytes(*capacity));
            say!(lang; "random I/O over {span} of {capacity} ({part}), {each} each: the heads hardly moved",
                "随机 I/O 只覆盖 {capacity} 中的 {span}（{part}），每次 {each}：磁头几乎没动",
                "случайный доступ к {span} из {capacity} ({part}), по {each}: головки почти не двигались",
                "zufällige Zugriffe über {span} von {capacity} ({part}), je {each}: die Köpfe bewegten sich kaum")
        }
        Claim::Overlap { clones, counted, distinct } => {
            let (counted, distinct) = (bytes(*counted), bytes(*distinct));
            say!(lang; "{clones} sequential jobs go over the same bytes: {counted} are counted, {distinct} are different",
                "{clones} 个顺序任务访问同样的数据：计入 {counted}，其中不同的只有 {distinct}",
                "последовательные задания идут по одним и тем же данным (заданий: {clones}): учтено {counted}, разных {distinct}",
                "{clones} sequenzielle Jobs gehen über dieselben Daten: {counted} sind gezählt, {distinct} sind verschieden")
        }
        Claim::Repeated { times } => {
            say!(lang; "through the page cache each block was touched {times:.1} times on average",
            "经页缓存访问，每个块平均被访问 {times:.1} 次",
            "при работе через страничный кэш к каждому блоку обращались в среднем {times:.1} раза",
            "über den Page-Cache wurde jeder Block im Mittel {times:.1}-mal angefasst")
        }
        Claim::Generator { percent: busy } => {
            let busy = percent(*busy);
            say!(lang; "a generator thread was {busy} busy: the CPU was the limit, not the device",
                "一个负载线程的占用率达 {busy}：瓶颈是 CPU，不是设备",
                "поток нагрузки был занят на {busy}: пределом был CPU, а не устройство",
                "ein Lastthread war zu {busy} ausgelastet: die Grenze war die CPU, nicht das Gerät")
        }
        Claim::CpuTakenAway { throttled_ms, steal_percent } => {
            if *throttled_ms > 0 {
                let stopped = time(*throttled_ms as f64 * 1e6);
                say!(lang; "a CPU quota stopped this process for {stopped}", "CPU 配额使本进程停顿了 {stopped}",
                    "квота CPU останавливала этот процесс на {stopped}", "ein CPU-Kontingent hielt diesen Prozess {stopped} lang an")
            } else {
                let stolen = percent(*steal_percent);
                say!(lang; "the hypervisor gave {stolen} of the CPUs' time to others",
                    "虚拟机管理程序把 {stolen} 的 CPU 时间给了别人", "гипервизор отдал другим {stolen} времени CPU",
                    "der Hypervisor gab {stolen} der CPU-Zeit an andere")
            }
        }
        Claim::CpuContention { waited_percent } => {
            let part = percent(*waited_percent);
            say!(lang; "a load thread waited for a free CPU {part} of the time: its latencies hold that wait",
                "一个负载线程有 {part} 的时间在等待空闲的 CPU：其延迟包含这段等待",
                "поток нагрузки ждал свободного CPU {part} времени: это ожидание входит в его задержки",
                "ein Lastthread wartete {part} der Zeit auf eine freie CPU: seine Latenzen enthalten dieses Warten")
        }
        Claim::Stopped { stopped_ms, share_percent } => {
            let (stopped, part) = (time(*stopped_ms as f64 * 1e6), percent(*share_percent));
            say!(lang; "fathom was stopped for {stopped}, {part} of the run (SIGSTOP, Ctrl+Z, a frozen control group or a paused virtual machine): the figures hold that time",
                "fathom 被停止了 {stopped}，占运行的 {part}（SIGSTOP、Ctrl+Z、被冻结的控制组或被暂停的虚拟机）：这段时间也算在数字里",
                "fathom был остановлен на {stopped}, {part} прогона (SIGSTOP, Ctrl+Z, замороженная контрольная группа или приостановленная виртуальная машина): это время входит в цифры",
                "fathom war {stopped} lang angehalten, {part} des Laufs (SIGSTOP, Strg+Z, eine eingefrorene Kontrollgruppe oder eine pausierte virtuelle Maschine): die Zahlen enthalten diese Zeit")
        }
        Claim::FillingBuffers { user_percent } => {
            let part = percent(*user_percent);
            say!(lang; "{part} of the time went into making what is written", "{part} 的时间花在生成要写的数据上",
                "{part} времени ушло на подготовку записываемых данных",
                "{part} der Zeit gingen in das Erzeugen der geschriebenen Daten")
        }
        Claim::FarNode { device, node } => {
            say!(lang; "{device} hangs on NUMA node {node}, the job ran elsewhere",
            "{device} 挂在 NUMA 节点 {node} 上，任务却在别处运行",
            "{device} подключено к узлу NUMA {node}, а задание шло на другом",
            "{device} hängt am NUMA-Knoten {node}, der Job lief woanders")
        }
        Claim::SlowLink { device, now, most } => {
            let (now, most) = (rate(*now as f64), rate(*most as f64));
            say!(lang; "the link to {device} carries {now}; it could carry {most}",
                "到 {device} 的链路现为 {now}，本可达到 {most}",
                "канал к {device} даёт {now}, а мог бы {most}",
                "die Verbindung zu {device} schafft {now}, möglich wären {most}")
        }
        Claim::Misaligned { device, start_sector: None, block } => {
            let block = bytes(*block);
            say!(lang; "{device} lies across the blocks of {block} under it: each I/O touches two",
                "{device} 与其下 {block} 的块没有对齐：每次 I/O 都要碰两个块",
                "{device} не выровнено по блокам в {block} под ним: каждая операция задевает два",
                "{device} liegt quer zu den Blöcken von {block} darunter: jeder Zugriff trifft zwei")
        }
        Claim::Misaligned { device, start_sector: Some(start_sector), block } => {
            let block = bytes(*block);
            say!(lang; "{device} starts at sector {start_sector}, which no block of {block} does: each I/O touches two",
                "{device} 从扇区 {start_sector} 开始，没有与 {block} 的块对齐：每次 I/O 都要碰两个块",
                "{device} начинается с сектора {start_sector}, а это не граница блока в {block}: каждая операция задевает два",
                "{device} beginnt bei Sektor {start_sector}, kein Block von {block} tut das: jeder Zugriff trifft zwei")
        }
        Claim::PartialSector { device, block, sector } => {
            let (block, sector) = (bytes(*block), bytes(*sector));
            say!(lang; "writes of {block} to {device}, whose unit is {sector}: it reads the rest first",
                "向 {device} 每次写 {block}，而其最小单位是 {sector}：盘要先读出其余部分",
                "записи по {block} на {device}, чья единица {sector}: сначала оно дочитывает остальное",
                "Schreibzugriffe von {block} auf {device}, dessen Einheit {sector} ist: es liest erst den Rest")
        }
        Claim::Split { device, ratio, block, most } => {
            let (block, takes) = (bytes(*block), most.map(bytes));
            let takes = takes.map_or(String::new(), |most| {
                say!(lang; " (it takes {most} at a time)", "（它一次最多 {most}）", " (за раз оно берёт {most})",
                    " (es nimmt {most} auf einmal)")
            });
            say!(lang; "each {block} of ours is {ratio:.1} I/Os at {device}{takes}: its IOPS are that many times ours",
                "我们每个 {block} 的 I/O 在 {device} 上变成 {ratio:.1} 个{takes}：它的 IOPS 是我们的这么多倍",
                "каждые наши {block} — это {ratio:.1} операции на {device}{takes}: его IOPS во столько раз больше наших",
                "je {block} von uns sind {ratio:.1} Zugriffe auf {device}{takes}: dessen IOPS sind das Vielfache der unseren")
        }
        Claim::Merged { device, ratio, block } => {
            let block = bytes(*block);
            say!(lang; "{ratio:.1} of our I/Os of {block} are one at {device}: these IOPS are not its own",
                "我们 {ratio:.1} 个 {block} 的 I/O 在 {device} 上合并成一个：这个 IOPS 不是它的",
                "наши операции по {block} сливаются на {device} в одну, в среднем {ratio:.1}: эти IOPS не его",
                "{ratio:.1} unserer Zugriffe von {block} sind auf {device} einer: diese IOPS sind nicht seine eigenen")
        }
        Claim::BusyIsNotFull { device, util_percent, at_once } => {
            let busy = percent(*util_percent);
            say!(lang; "{device} was busy {busy} of the time, with {at_once:.1} requests at once: that alone does not show whether it was saturated",
                "{device} 有 {busy} 的时间在忙，同时处理 {at_once:.1} 个请求：仅凭这一点看不出是否饱和",
                "{device} было занято {busy} времени, одновременно {at_once:.1} запроса: был ли это предел, по одному этому не видно",
                "{device} war {busy} der Zeit beschäftigt, mit {at_once:.1} Anfragen zugleich: ob es gesättigt war, zeigt das allein nicht")
        }
        Claim::IdleWhileWaiting { device, util_percent, in_flight } => {
            let busy = percent(*util_percent);
            say!(lang; "{in_flight:.1} I/Os were in flight and {device} says it was busy {busy} of the time: they were held back above it",
                "有 {in_flight:.1} 个 I/O 在途，而 {device} 只有 {busy} 的时间在忙：它们被拦在它上面",
                "одновременно в работе было {in_flight:.1} операций, а {device} занято лишь {busy} времени: их держали выше него",
                "{in_flight:.1} Zugriffe liefen gleichzeitig, und {device} war nur {busy} der Zeit beschäftigt: sie wurden darüber zurückgehalten")
        }
        Claim::NoBusyTime { device } => {
            say!(lang; "{device} keeps no account of its time: its util means nothing",
            "{device} 不统计忙碌时间：它的 util 没有意义", "{device} не ведёт учёта времени: его util ничего не значит",
            "{device} führt über seine Zeit nicht Buch: sein util sagt nichts")
        }
        Claim::MeanHides { mean_ns, p50_ns, max_ns } => {
            let (mean, p50, most) = (time(*mean_ns), time(*p50_ns as f64), time(*max_ns as f64));
            say!(lang; "the mean of {mean} hides that half took under {p50} and one {most}",
                "平均值 {mean} 掩盖了实情：一半不到 {p50}，有一个却要 {most}",
                "среднее {mean} скрывает, что половина заняла меньше {p50}, а одна операция {most}",
                "der Mittelwert {mean} verbirgt, dass die Hälfte unter {p50} dauerte und einer {most}")
        }
        Claim::Stall { longest_ns, missed } => {
            let (longest, missed) = (time(*longest_ns as f64), short(*missed as f64));
            say!(lang; "one I/O took {longest}, in which {missed} would have been sent: few felt it here, many would have",
                "一个 I/O 耗时 {longest}，其间本应发出 {missed} 个：这里受影响的少，实际负载下会很多",
                "одна операция заняла {longest}, за это время ушло бы ещё {missed}: здесь пострадали немногие, в жизни было бы много",
                "ein Zugriff dauerte {longest}, in denen {missed} abgegangen wären: hier spürten es wenige, sonst viele")
        }
        Claim::Pauses { count, longest_ns, share_percent, every_s } => {
            let (longest, part) = (time(*longest_ns as f64), percent(*share_percent));
            let apart = every_s.map(|s| time(s * 1e9)).map_or(String::new(), |every| {
                say!(lang; ", {every} apart", "，间隔 {every}", ", с промежутком {every}", ", im Abstand von {every}")
            });
            say!(lang; "pauses in which nothing completed: {count}, the longest {longest}{apart}; {part} of the time",
                "有 {count} 次停顿，期间没有 I/O 完成，最长 {longest}{apart}：占时间的 {part}",
                "пауз, когда ничего не завершалось: {count}, до {longest}{apart}; это {part} времени",
                "Pausen, in denen kein Zugriff fertig wurde: {count}, die längste {longest}{apart}; {part} der Zeit")
        }
        Claim::OtherLoad { device, device_bytes, app_bytes, file_system } => {
            let [read, written] = device_bytes.map(bytes);
            let [our_read, our_written] = [0, 1].map(|d| bytes(app_bytes[d].min(device_bytes[d])));
            let or = if *file_system {
                say!(lang; ", or the file system", "，或是文件系统", ", или файловая система", ", oder das Dateisystem")
            } else {
                String::new()
            };
            say!(lang; "{device} read {read} and wrote {written}, of which {our_read} and {our_written} are ours: somebody else used it{or}",
                "{device} 读了 {read}，写了 {written}，其中我们的是 {our_read} 和 {our_written}：还有别人在用它{or}",
                "{device}: прочитано {read}, записано {written}, из них наших {our_read} и {our_written}: им пользовался кто-то ещё{or}",
                "{device} las {read} und schrieb {written}, davon sind {our_read} und {our_written} von uns: jemand anderes nutzte es{or}")
        }
        Claim::Rebuilding { device, action } => say!(lang; "{device} was at work beside ({action})",
            "{device} 同时在做别的事（{action}）", "{device} было занято и другим ({action})",
            "{device} war nebenher beschäftigt ({action})"),
        Claim::Cap { device, iops, limit, seen } => {
            let (seen, limit) = match iops {
                true => (format!("{} IOPS", short(*seen)), limit.to_string()),
                false => (rate(*seen), rate(*limit as f64)),
            };
            say!(lang; "{seen} is the limit that a control group sets for {device} ({limit})",
                "{seen} 是控制组（cgroup）为 {device} 设的上限（{limit}）",
                "{seen} — это предел контрольной группы (cgroup) для {device} ({limit})",
                "{seen} ist die Grenze, die eine Kontrollgruppe (cgroup) für {device} setzt ({limit})")
        }
        Claim::Bursts { waited_percent, wait_ns, p50_ns, iops } => {
            let (waited, wait, half) =
                (percent(*waited_percent), time(*wait_ns as f64), time(*p50_ns as f64));
            say!(lang; "{waited} of the I/Os took about {wait} and half of all under {half}: probably a limit of {iops:.0} IOPS that lets them through in bursts",
                "{waited} 的 I/O 用时约 {wait}，而一半不到 {half}：很可能有 {iops:.0} IOPS 的限速，成批放行",
                "{waited} операций заняли около {wait}, а половина всех меньше {half}: вероятно, ограничение в {iops:.0} IOPS, которое пропускает их порциями",
                "{waited} der Zugriffe dauerten etwa {wait} und die Hälfte aller unter {half}: vermutlich eine Grenze von {iops:.0} IOPS, die sie schubweise durchlässt")
        }
        Claim::NoTime { percent: share } => {
            let part = percent(*share);
            say!(lang; "{part} of the I/Os seem to have taken under 2 us: a clock or a cache, not the disk",
                "{part} 的 I/O 看来不到 2 us：是时钟或缓存的问题，不是磁盘",
                "{part} операций заняли будто бы меньше 2 us: это часы или кэш, а не диск",
                "{part} der Zugriffe dauerten scheinbar unter 2 us: das ist eine Uhr oder ein Cache, nicht die Platte")
        }
        Claim::NotDurable { device } => {
            if device.is_empty() {
                say!(lang; "nothing made these writes durable: they were in memory when they counted",
                    "这些写入没有落盘保证：计数时它们还在内存里", "надёжность этих записей ничто не обеспечило: в момент учёта они были в памяти",
                    "nichts hat diese Schreibzugriffe dauerhaft gemacht: als sie zählten, lagen sie im Arbeitsspeicher")
            } else {
                say!(lang; "nothing made these writes durable: {device} may keep them in a volatile cache",
                    "这些写入没有落盘保证：{device} 可能把它们留在易失缓存里",
                    "надёжность этих записей ничто не обеспечило: {device} может держать их в энергозависимом кэше",
                    "nichts hat diese Schreibzugriffe dauerhaft gemacht: {device} hält sie womöglich in einem flüchtigen Cache")
            }
        }
        Claim::SyncedAtEnd => say!(lang;
            "the writes went through the page cache and one sync at the end made them durable: the rate includes it, the latencies are the page cache's",
            "写入经过页缓存，最后由一次同步落盘：速率包含该同步，延迟则是页缓存的",
            "записи шли через страничный кэш, и надёжными их сделала одна синхронизация в конце: скорость её учитывает, задержки — страничного кэша",
            "die Schreibzugriffe gingen durch den Page-Cache, und erst ein Sync am Ende machte sie dauerhaft: die Rate enthält ihn, die Latenzen sind die des Page-Cache"),
        Claim::StateCarried { before } => {
            say!(lang; "reads what {before} had written at random before: not a fresh state",
            "读的是 {before} 先前随机写入的数据：不是初始状态",
            "читает то, что {before} до этого записало вразброс: состояние не исходное",
            "liest, was {before} vorher zufällig geschrieben hat: kein frischer Zustand")
        }
        Claim::NearlyFull { used_percent } => {
            let full = percent(*used_percent);
            say!(lang; "the file system is {full} full", "文件系统已用 {full}", "файловая система заполнена на {full}",
                "das Dateisystem ist zu {full} voll")
        }
        Claim::CopyOnWrite { kind } => say!(lang;
            "{kind} writes every block to a new place: this measures its allocation, too",
            "{kind} 每个块都写到新位置：测到的也包括它的空间分配",
            "{kind} пишет каждый блок на новое место: измерено и его распределение места",
            "{kind} schreibt jeden Block an eine neue Stelle: das misst auch dessen Platzvergabe"),
        Claim::RandomBeatsSequential { sequential, random_rate, sequential_rate } => {
            let (random, ordered) = (rate(*random_rate as f64), rate(*sequential_rate as f64));
            say!(lang; "{random} at random beats {ordered} of {sequential} in order",
                "随机 {random} 竟快于 {sequential} 的顺序 {ordered}",
                "вразброс {random} — быстрее, чем {ordered} по порядку у {sequential}",
                "{random} zufällig schlagen {ordered} der Reihe nach bei {sequential}")
        }
        Claim::Memory { kind } if kind == "null" => say!(lang;
            "no storage was involved: this measured the generator", "没有涉及任何存储：测的是负载发生器本身",
            "накопитель не участвовал: измерен сам генератор нагрузки",
            "kein Speichergerät war beteiligt: das hat den Lastgenerator gemessen"),
        Claim::Memory { kind } => {
            say!(lang; "{kind} is memory: no device is under it", "{kind} 就是内存：其下没有设备",
            "{kind} — это память: устройства под ней нет", "{kind} ist Arbeitsspeicher: darunter liegt kein Gerät")
        }
        Claim::BelowMemory { device, kind } => {
            say!(lang; "{device} keeps its data in memory ({kind})", "{device} 的数据在内存中（{kind}）",
                "{device} держит данные в памяти ({kind})", "{device} hält seine Daten im Arbeitsspeicher ({kind})")
        }
        Claim::Overlay { path } => {
            let path = fit_end(path, 24);
            say!(lang; "{path} lies on overlayfs: the first write to a file of a lower layer copies all of it",
                "{path} 位于 overlayfs 上：对下层文件的首次写入会复制整个文件",
                "{path} лежит на overlayfs: первая запись в файл нижнего слоя копирует его целиком",
                "{path} liegt auf overlayfs: der erste Schreibzugriff auf eine Datei der unteren Schicht kopiert sie ganz")
        }
        Claim::Failed { failed, ios } => {
            let all = failed.saturating_add(*ios);
            say!(lang; "{failed} of {all} I/Os failed: the figures are of the others",
                "{all} 个 I/O 中有 {failed} 个失败：数字只算其余的",
                "сбоев: {failed} из {all} операций; цифры относятся к остальным",
                "{failed} von {all} Zugriffen schlugen fehl: die Zahlen gelten für die anderen")
        }
        Claim::NotMeasured { why: Unmeasured::Interrupted } => {
            say!(lang; "the run was interrupted: this is a part of it",
            "运行被中断：这只是其中一部分", "прогон прерван: это лишь его часть", "der Lauf wurde unterbrochen: das ist ein Teil davon")
        }
        Claim::NotMeasured { why: Unmeasured::Failed } => {
            say!(lang; "an error ended the job: its figures are not what was asked for",
            "作业因错误而结束：这些数字不是所要求的", "задание прервала ошибка: это не те цифры, о которых просили",
            "ein Fehler beendete den Job: seine Zahlen sind nicht die verlangten")
        }
        Claim::NotMeasured { why: Unmeasured::Nothing } => {
            say!(lang; "no I/O completed: nothing was measured",
            "没有完成任何 I/O：什么也没测到", "ни одна операция не завершилась: ничего не измерено",
            "kein Zugriff wurde fertig: nichts wurde gemessen")
        }
        Claim::SizeTimesJobs { clones, each } => {
            let (whole, each) = (bytes(each.saturating_mul(u64::from(*clones))), bytes(*each));
            say!(lang; "{clones} jobs of {each} each: {whole} in all", "{clones} 个任务，每个 {each}：共 {whole}",
                "заданий: {clones}, по {each}: всего {whole}", "{clones} Jobs mit je {each}: zusammen {whole}")
        }
    }
}
