//! Answers in sentences: the estimate, its interval, how far it reaches, and what limits it.

use super::block;
use crate::Lang;
use crate::lang::{say, word};
use crate::scale::{percent, time};
use stats::bound::{Curve, Shape};
use stats::percentile::Goal;
use stats::study::{
    Cap, CapSign, Caveat, Claim, Conclusion, Estimate, Horizon, NotHere, Question, Regime, Unit, Verdict, Why,
};
use stats::unit::MIB;

/// A number with four digits at least, so that what is told can be read back.
fn plain(value: f64) -> String {
    match value.abs() {
        v if v >= 1000.0 => format!("{value:.0}"),
        v if v >= 100.0 => format!("{value:.1}"),
        v if v >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// `800.0 IOPS (796.2 to 803.9)`: the estimate and its 95 % interval.
pub fn figure(lang: Lang, estimate: &Estimate, unit: Unit) -> String {
    let name = match unit {
        Unit::Iops => " IOPS",
        Unit::Commits => word!(lang; " commits/s", " 次落盘/s", " фиксаций/s", " dauerhafte Zugriffe/s"),
        Unit::Bytes => word!(lang; " bytes", " 字节", " байт", " Byte"),
        Unit::BytesPerSecond => word!(lang; " bytes/s", " 字节/s", " байт/s", " Byte/s"),
        Unit::Seconds => " s",
        Unit::Ratio => "",
        Unit::Micros => " us",
    };
    let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(plain);
    if estimate.low == estimate.high {
        return format!("{value}{name}");
    }
    say!(lang; "{value}{name} ({low} to {high})", "{value}{name}（{low} 至 {high}）", "{value}{name} (от {low} до {high})",
        "{value}{name} ({low} bis {high})")
}

/// `seen 12.50 s, 51200 bytes, over 1073741824 bytes`.
fn horizon(lang: Lang, h: &Horizon) -> String {
    let (seconds, bytes, span) = (plain(h.seconds), h.bytes, h.span);
    say!(lang; "seen {seconds} s, {bytes} bytes, over {span} bytes", "观测 {seconds} s，{bytes} 字节，区域 {span} 字节",
        "наблюдалось {seconds} s, {bytes} байт, область {span} байт", "gesehen {seconds} s, {bytes} Byte, über {span} Byte")
}

/// A conclusion in a sentence, with how far it reaches.
pub fn words(lang: Lang, conclusion: &Conclusion) -> String {
    format!("{} [{}]", what(lang, conclusion), horizon(lang, &conclusion.horizon))
}

/// A question.
pub(crate) fn question(lang: Lang, question: Question) -> &'static str {
    match question {
        Question::Depth => word!(lang; "depth", "深度", "глубина", "Tiefe"),
        Question::Bs => word!(lang; "bs", "块大小", "размер блока", "Blockgröße"),
        Question::Runtime => word!(lang; "runtime", "时长", "длительность", "Laufzeit"),
        Question::Jobs => word!(lang; "jobs", "任务数", "задания", "Jobs"),
        Question::Span => word!(lang; "span", "区域", "область", "Bereich"),
        Question::Grid => word!(lang; "grid", "网格", "сетка", "Raster"),
        Question::Axis => word!(lang; "axis", "内核参数", "ядро", "Kernel"),
        Question::Targets => word!(lang; "targets", "目标比较", "сравнение", "Vergleich"),
        Question::Repeat => word!(lang; "repeat", "重复", "повтор", "Wiederholung"),
        Question::Slo => word!(lang; "slo", "延迟目标", "задержка", "Latenzziel"),
    }
}

pub(super) fn what(lang: Lang, conclusion: &Conclusion) -> String {
    let Conclusion { claim, estimate, unit, .. } = conclusion;
    let figure = figure(lang, estimate, *unit);
    let what = match claim {
        Claim::Knee { in_flight, there, mean_ns, alone_ns, bound, p99_ns, p99_between, between } => {
            let fewest = fewest(lang, *between);
            let share = percent(100.0 * (there.value / estimate.value).min(1.0));
            let (each, alone, bound) = (time(*mean_ns), time(*alone_ns), plain(*bound));
            let slowest = slowest(lang, *p99_ns, *p99_between);
            say!(lang; "{in_flight} in flight are enough{fewest}: {share} of at most {figure}; {each} each there{slowest}, {alone} alone; the most would need {bound} at that",
                "同时在途 {in_flight} 个就够了{fewest}：达到最大值 {figure} 的 {share}；此时每个 {each}{slowest}，单个时 {alone}；按此延迟，达到最大值需要 {bound} 个",
                "достаточно {in_flight} одновременно{fewest}: {share} от наибольших {figure}; там по {each}{slowest}, поодиночке {alone}; для наибольшего при такой задержке нужно {bound}",
                "{in_flight} gleichzeitig genügen{fewest}: {share} von höchstens {figure}; dort je {each}{slowest}, allein {alone}; das Höchste bräuchte dabei {bound}")
        }
        Claim::NoKnee { up_to, mean_ns, alone_ns } => {
            let (each, alone) = (time(*mean_ns), time(*alone_ns));
            say!(lang; "no knee up to {up_to} in flight: {figure} there and still rising; {each} each, {alone} alone",
                "到 {up_to} 个在途仍无拐点：此处 {figure}，还在上升；每个 {each}，单个时 {alone}",
                "до {up_to} одновременно перегиба нет: там {figure}, и ещё растёт; по {each}, поодиночке {alone}",
                "kein Knick bis {up_to} gleichzeitig: dort {figure} und noch steigend; je {each}, allein {alone}")
        }
        Claim::OneLimit { up_to, alone_ns, above_device } => {
            let alone = time(*alone_ns);
            let why = if *above_device {
                word!(lang; "a throttle above the device, which was idle meanwhile", "是设备之上的限速，设备那时空闲",
                    "это ограничение выше устройства, которое при этом простаивало",
                    "eine Drossel oberhalb des Geräts, das währenddessen nichts zu tun hatte")
            } else {
                word!(lang; "a throttle, or a device that serves one at a time", "是限速，或设备每次只处理一个",
                    "это ограничение или устройство, которое обслуживает по одному",
                    "eine Drossel, oder ein Gerät, das einen nach dem anderen bedient")
            };
            say!(lang; "one limit at every depth from 1 to {up_to}: {figure}, {alone} alone; {why}",
                "深度从 1 到 {up_to} 都是同一个上限：{figure}，单个时 {alone}；{why}",
                "один предел на всех глубинах от 1 до {up_to}: {figure}, поодиночке {alone}; {why}",
                "eine Grenze bei jeder Tiefe von 1 bis {up_to}: {figure}, allein {alone}; {why}")
        }
        Claim::Generator { in_flight, jobs, cpu_percent } => {
            let busy = percent(*cpu_percent);
            say!(lang; "the processor was the limit, not the device: {figure} at {in_flight} in flight of {jobs} jobs, the busiest used {busy} of its time",
                "瓶颈是处理器，不是设备：{figure}，同时在途 {in_flight} 个，{jobs} 个任务，最忙的占用 {busy} 的时间",
                "пределом был процессор, а не устройство: {figure} при {in_flight} одновременно, заданий {jobs}, самое занятое работало {busy} времени",
                "die Grenze war der Prozessor, nicht das Gerät: {figure} bei {in_flight} gleichzeitig von {jobs} Jobs, der fleißigste brauchte {busy} seiner Zeit")
        }
        Claim::Drifts { in_flight, before, over_s } => {
            let (before, over) = (plain(*before), plain(*over_s));
            say!(lang; "still drifting: {figure} at {in_flight} in flight, {before} before, {over} s apart; no lasting rate",
                "仍在漂移：在途 {in_flight} 个时 {figure}，先前为 {before}，相隔 {over} s；没有稳定的速率",
                "скорость ещё плывёт: {figure} при {in_flight} одновременно, раньше {before}, между ними {over} s; устойчивой скорости нет",
                "driftet noch: {figure} bei {in_flight} gleichzeitig, vorher {before}, {over} s auseinander; keine bleibende Rate")
        }
        Claim::Crossover { full_bandwidth, full_iops, bandwidth, iops, in_flight } => {
            let (up_to, iops) = (block(*full_iops), plain(iops.value));
            let (from, rate) = (block(*full_bandwidth), plain(bandwidth.value / 1e6));
            say!(lang; "bound by I/Os below and by bytes above {figure} a block; up to {up_to} for a test of IOPS ({iops} of them), from {from} on for one of bandwidth ({rate} MB/s), at {in_flight} in flight",
                "块大小低于 {figure} 受 I/O 数限制，高于则受带宽限制；测 IOPS 用不超过 {up_to} 的块（{iops} IOPS），测带宽用 {from} 起的块（{rate} MB/s），同时在途 {in_flight} 个",
                "при блоках меньше {figure} предел задают операции, при больших — байты; для IOPS берите до {up_to} ({iops} IOPS), для пропускной способности от {from} ({rate} MB/s), при {in_flight} одновременно",
                "unterhalb von {figure} je Block begrenzen die Zugriffe, oberhalb der Durchsatz; bis {up_to} für einen Test der IOPS ({iops}), ab {from} für einen des Durchsatzes ({rate} MB/s), bei {in_flight} gleichzeitig")
        }
        Claim::OneBlockLaw { of, sizes: [from, to], in_flight } => {
            let (from, to) = (block(*from), block(*to));
            match of {
                Cap::Iops => {
                    say!(lang; "the same IOPS with every block from {from} to {to}, {figure} at {in_flight} in flight: no limit of bytes was seen",
                    "从 {from} 到 {to} 的所有块大小 IOPS 相同：{figure}，同时在途 {in_flight} 个：未见带宽上限",
                    "столько же IOPS с каждым блоком от {from} до {to}: {figure} при {in_flight} одновременно; предела в байтах не видно",
                    "gleich viele IOPS mit jedem Block von {from} bis {to}: {figure} bei {in_flight} gleichzeitig; eine Grenze der Bytes war nicht zu sehen")
                }
                Cap::Bytes => {
                    say!(lang; "the same bytes per second with every block from {from} to {to}, {figure} at {in_flight} in flight: no limit of IOPS was seen",
                    "从 {from} 到 {to} 的所有块大小每秒字节数相同：{figure}，同时在途 {in_flight} 个：未见 IOPS 上限",
                    "столько же байт в секунду с каждым блоком от {from} до {to}: {figure} при {in_flight} одновременно; предела IOPS не видно",
                    "gleich viele Bytes je Sekunde mit jedem Block von {from} bis {to}: {figure} bei {in_flight} gleichzeitig; eine Grenze der IOPS war nicht zu sehen")
                }
            }
        }
        Claim::Runtime {
            statistics_s,
            percentile_s,
            warm_up_s,
            within_percent,
            percentile_percent,
            regime,
        } => {
            let [statistics, tail, warm_up] = [statistics_s, percentile_s, warm_up_s].map(|s| plain(*s));
            let seen = plain(conclusion.horizon.seconds);
            let regime = self::regime(lang, regime);
            say!(lang; "run for {figure}: {statistics} s for {within_percent} % either way, {tail} s for a 99th percentile within {percentile_percent} %, {warm_up} s of warm-up; {regime}, as far as {seen} s show",
                "应运行 {figure}：要使误差在上下 {within_percent} % 以内需 {statistics} s，要使第 99 百分位误差在 {percentile_percent} % 以内需 {tail} s，预热 {warm_up} s；{regime}，仅就所见的 {seen} s 而言",
                "запускайте на {figure}: {statistics} s ради точности {within_percent} % в обе стороны, {tail} s ради процентиля 99 с точностью {percentile_percent} %, {warm_up} s на разогрев; {regime}, насколько видно за {seen} s",
                "Laufzeit {figure}: {statistics} s für {within_percent} % nach beiden Seiten, {tail} s für ein Perzentil 99 auf {percentile_percent} % genau, {warm_up} s zum Warmlaufen; {regime}, soweit {seen} s es zeigen")
        }
        Claim::Curve { curve, up_to } => law(lang, curve, *up_to, &figure),
        Claim::Jobs { jobs, in_flight } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang; "more jobs are better", "任务多更好", "больше заданий лучше", "mehr Jobs sind besser"),
                    word!(lang; "fewer jobs are better", "任务少更好", "меньше заданий лучше", "weniger Jobs sind besser"),
                    word!(lang; "only the product matters", "只有乘积起作用", "важно лишь произведение", "nur das Produkt zählt"),
                ],
            );
            say!(lang; "{jobs} jobs do {figure} times what one does, both with {in_flight} in flight: {told}",
                "{jobs} 个任务的速率是单个任务的 {figure} 倍，在途同为 {in_flight} 个：{told}",
                "заданий {jobs} против одного, отношение скоростей {figure}, одновременно в обоих случаях {in_flight}: {told}",
                "{jobs} Jobs leisten {figure} mal so viel wie einer, beide mit {in_flight} gleichzeitig: {told}")
        }
        Claim::Span { part, whole } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang; "a small file flatters", "小文件会美化结果", "маленький файл приукрашивает", "eine kleine Datei schmeichelt"),
                    word!(lang; "a small file is slower", "小文件更慢", "маленький файл медленнее", "eine kleine Datei ist langsamer"),
                    word!(lang; "the size does not matter here", "这里大小无关紧要", "размер здесь не важен", "die Größe spielt hier keine Rolle"),
                ],
            );
            say!(lang; "{part} of {whole} bytes do {figure} times what all of it does: {told}",
                "{whole} 字节中的 {part} 字节，速率是全部的 {figure} 倍：{told}",
                "{part} из {whole} байт, отношение ко всей области {figure}: {told}",
                "{part} von {whole} Byte leisten {figure} mal so viel wie alles zusammen: {told}")
        }
        Claim::Targets { in_flight: [first, second] } => say!(lang;
            "2 does {figure} times what 1 does, at {second} and {first} in flight, visited in turn",
            "2 的速率是 1 的 {figure} 倍，在途分别为 {second} 和 {first} 个，轮流测量",
            "2 против 1, отношение {figure}, одновременно {second} и {first}, по очереди",
            "2 leistet {figure} mal so viel wie 1, bei {second} und {first} gleichzeitig, abwechselnd gemessen"),
        Claim::Axis { name, value, base } => {
            let told = told_apart(
                lang,
                conclusion,
                [
                    word!(lang; "better", "更好", "лучше", "besser"),
                    word!(lang; "worse", "更差", "хуже", "schlechter"),
                    word!(lang; "no difference", "没有差别", "разницы нет", "kein Unterschied"),
                ],
            );
            say!(lang; "{name} {value} does {figure} times what {base} does: {told}",
                "{name} {value} 的速率是 {base} 的 {figure} 倍：{told}",
                "{name} {value} против {base}, отношение {figure}: {told}",
                "{name} {value} leistet {figure} mal so viel wie {base}: {told}")
        }
        Claim::Moved { before, after_s, by_s: Some(by_s) } => {
            // Between the last look at the old rate and the first at the new one.
            let (before, from_s, to_s) = (plain(*before), plain(*after_s), plain(*by_s));
            say!(lang; "the rate changed between {from_s} s and {to_s} s of the study: {before} IOPS before, then {figure}",
                "速率在研究的第 {from_s} s 与第 {to_s} s 之间变了：之前为 {before} IOPS，之后为 {figure}",
                "скорость изменилась между {from_s} s и {to_s} s исследования: сначала {before} IOPS, потом {figure}",
                "die Rate änderte sich zwischen {from_s} s und {to_s} s der Studie: erst {before} IOPS, danach {figure}")
        }
        Claim::Moved { before, after_s, by_s: None } => {
            let (before, about_s) = (plain(*before), after_s.round());
            say!(lang; "the rate changed during the study, around {about_s} s: {before} IOPS before, then {figure}",
                "研究期间速率变了，约在 {about_s} s：之前为 {before} IOPS，之后为 {figure}", "скорость изменилась за время исследования, около {about_s} s: сначала {before} IOPS, потом {figure}",
                "die Rate änderte sich während der Studie, um {about_s} s: erst {before} IOPS, danach {figure}")
        }
        Claim::Repeat { rounds, over_s, in_flight, between_percent, within_percent } => {
            let over = plain(*over_s);
            let [apart, low, high] =
                [between_percent.value, between_percent.low, between_percent.high].map(percent);
            let own = percent(*within_percent);
            let told = if between_percent.low > *within_percent {
                word!(lang; "one run does not tell it", "跑一次说明不了问题", "один прогон этого не покажет", "ein Lauf verrät das nicht")
            } else {
                word!(lang; "one run tells as much as its interval says", "跑一次的结果与其误差区间相符",
                    "один прогон говорит столько, сколько обещает его интервал", "ein Lauf sagt so viel, wie sein Intervall verspricht")
            };
            say!(lang; "{rounds} rounds over {over} s at {in_flight} in flight: {figure} in the mean; they differ by {apart} ({low} to {high}), each knows itself to {own}: {told}",
                "{over} s 内 {rounds} 轮，在途 {in_flight} 个：平均 {figure}；各轮相差 {apart}（{low} 至 {high}），每轮自身误差 {own}：{told}",
                "раундов {rounds} за {over} s при {in_flight} одновременно: в среднем {figure}; различаются на {apart} (от {low} до {high}), точность каждого {own}: {told}",
                "{rounds} Runden über {over} s bei {in_flight} gleichzeitig: im Mittel {figure}; sie unterscheiden sich um {apart} ({low} bis {high}), jede kennt sich auf {own}: {told}")
        }
        Claim::Kept { goal, there, most } => {
            let (name, at_most, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            let there = there.map_or(String::new(), |t| {
                let [value, low, high] = [t.value, t.low, t.high].map(time);
                say!(lang; "; {value} there, between {low} and {high}", "；此时为 {value}，在 {low} 与 {high} 之间",
                    "; там {value}, между {low} и {high}", "; dort {value}, zwischen {low} und {high}")
            });
            say!(lang; "{figure} keep {name} at {at_most} or less, arriving at random, each counted from when it was due: the lowest of these rates was shown to, {share} of the most{there}",
                "{figure} 时 {name} 不超过 {at_most}，随机到达，每个从应发时刻算起：其中最低的速率已证实，为最大值的 {share}{there}",
                "при {figure} {name} не больше {at_most}, приход случайный, отсчёт от назначенного времени: показано для наименьшей из этих скоростей, {share} от наибольшего{there}",
                "{figure} halten {name} bei höchstens {at_most}, zufällig eintreffend, jeder gezählt ab dem Zeitpunkt, zu dem er fällig war: gezeigt für die kleinste dieser Raten, {share} des Höchsten{there}")
        }
        Claim::AlwaysKept { goal, most } => {
            let (name, at_most, share) =
                (goal_name(lang, goal), time(goal.nanos as f64), of_most(estimate, most));
            say!(lang; "{figure} keep {name} at {at_most} or less, arriving at random, at the highest rate that was tried: {share} of the most, beyond which the queue grows without end",
                "{figure} 时 {name} 不超过 {at_most}，随机到达，这是试过的最高速率：为最大值的 {share}，再高队列就会无限增长",
                "при {figure} {name} не больше {at_most}, приход случайный, это наибольшая испытанная скорость: {share} от наибольшего, а дальше очередь растёт без конца",
                "{figure} halten {name} bei höchstens {at_most}, zufällig eintreffend, bei der höchsten Rate, die versucht wurde: {share} des Höchsten, darüber wächst die Warteschlange ohne Ende")
        }
        Claim::NeverKept { goal, down_to } => {
            let (name, at_most, fewest) = (goal_name(lang, goal), time(goal.nanos as f64), plain(*down_to));
            say!(lang; "{name} at {at_most} or less is not kept: it is {figure} one at a time, and more at {fewest} IOPS, the fewest that were tried",
                "{name} 不超过 {at_most} 做不到：逐个发送时为 {figure}，在试过的最低速率 {fewest} IOPS 下更高",
                "{name} не больше {at_most} не выдерживается: поодиночке {figure}, а при наименьших испытанных {fewest} IOPS больше",
                "{name} bei höchstens {at_most} wird nicht gehalten: es sind {figure} einzeln nacheinander, und mehr bei {fewest} IOPS, dem Wenigsten, was versucht wurde")
        }
        Claim::Cap { of, sizes: [from, to], sign } => {
            let (from, to) = (block(*from), block(*to));
            let sign = cap_sign(lang, *sign);
            match of {
                Cap::Iops => {
                    say!(lang; "probably a cap of {figure}: the same IOPS with blocks of {from} and {to}, and {sign}",
                    "很可能是 {figure} 的限速：块大小 {from} 与 {to} 的 IOPS 相同，并且{sign}",
                    "вероятно, ограничение {figure}: столько же IOPS блоками {from} и {to}, и {sign}",
                    "vermutlich eine Obergrenze von {figure}: gleich viele IOPS mit Blöcken von {from} und {to}, und {sign}")
                }
                Cap::Bytes => {
                    let mib = plain(estimate.value / MIB as f64);
                    say!(lang; "probably a cap of {figure}, {mib} MiB/s: {sign} with blocks of {from} and {to}",
                    "很可能是 {figure} 的限速，即 {mib} MiB/s：块大小 {from} 与 {to} 时{sign}",
                    "вероятно, ограничение {figure}, {mib} MiB/s: {sign} блоками {from} и {to}",
                    "vermutlich eine Obergrenze von {figure}, {mib} MiB/s: {sign} mit Blöcken von {from} und {to}")
                }
            }
        }
        Claim::Best { depth, jobs } => {
            say!(lang; "iodepth={depth} numjobs={jobs} is the fewest near the best: {figure}",
            "iodepth={depth} numjobs={jobs} 是接近最好成绩的最少并发：{figure}",
            "iodepth={depth} numjobs={jobs} — наименьшее близкое к лучшему: {figure}",
            "iodepth={depth} numjobs={jobs} ist das Wenigste nahe am Besten: {figure}")
        }
    };
    let but = |c: &Caveat| {
        let caveat = caveat(lang, c);
        say!(lang; "; but {caveat}", "；但{caveat}", "; но {caveat}", "; aber {caveat}")
    };
    let caveats: String = conclusion.caveats.iter().map(but).collect();
    format!("{what}{caveats}")
}

/// What shows that a limit is a cap.
fn cap_sign(lang: Lang, sign: CapSign) -> &'static str {
    match sign {
        CapSign::SameBytes => {
            word!(lang; "the same bytes per second", "每秒字节数相同", "столько же байт в секунду",
            "gleich viele Bytes je Sekunde")
        }
        CapSign::IdleBeneath => {
            word!(lang; "the device below was idle most of the time", "其下的设备大部分时间空闲",
            "устройство под ним почти всё время простаивало", "das Gerät darunter hatte die meiste Zeit nichts zu tun")
        }
        CapSign::Regular => {
            word!(lang; "the rate is far more regular than at depth 1", "速率比深度 1 时均匀得多",
            "скорость намного ровнее, чем на глубине 1", "die Rate ist weit gleichmäßiger als bei Tiefe 1")
        }
        CapSign::LongerAlone => {
            word!(lang; "at depth 1 the larger block takes longer", "深度为 1 时较大的块用时更长",
            "на глубине 1 больший блок идёт дольше", "bei Tiefe 1 dauert der größere Block länger")
        }
        CapSign::QuickWhenFew => {
            word!(lang; "an I/O is quicker than that when few are issued", "请求稀少时单个 I/O 更快",
            "при редких запросах один I/O идёт быстрее", "bei wenigen Zugriffen ist einer schneller")
        }
    }
}

/// ` (the fewest lie between 12 and 16)`.
pub(super) fn fewest(lang: Lang, between: Option<[u32; 2]>) -> String {
    between.filter(|[low, high]| low < high).map_or(String::new(), |[low, high]| {
        say!(lang; " (the fewest lie between {low} and {high})", "（最少在 {low} 至 {high} 之间）", " (наименьшее между {low} и {high})",
            " (die wenigsten liegen zwischen {low} und {high})")
    })
}

fn of_most(estimate: &Estimate, most: &Estimate) -> String {
    percent(100.0 * (estimate.value / most.value).min(1.0))
}

fn regime(lang: Lang, regime: &Regime) -> String {
    match regime {
        Regime::Steady => {
            say!(lang; "a steady rate", "速率平稳", "скорость ровная", "eine gleichmäßige Rate")
        }
        Regime::Drift => say!(lang; "the rate drifts, so no time is long enough", "速率在漂移，多久都不够",
            "скорость плывёт, поэтому никакого времени не хватит", "die Rate driftet, darum reicht keine Zeit aus"),
        Regime::Bursts { every_s } => {
            let every = plain(*every_s);
            say!(lang; "in bursts, one every {every} s", "成阵突发，每 {every} s 一次", "всплесками, один за {every} s",
                "in Schüben, einer alle {every} s")
        }
        Regime::Stepped => say!(lang; "the rate left one level for another", "速率从一个水平跳到另一个",
            "скорость перешла с одного уровня на другой", "die Rate wechselte von einer Stufe auf eine andere"),
    }
}

/// `, 99 % below 1.20 ms (between 1.10 ms and 1.30 ms)`.
fn slowest(lang: Lang, p99_ns: Option<u64>, between: Option<[u64; 2]>) -> String {
    let between = between.map_or(String::new(), |ends| {
        let [low, high] = ends.map(|ns| time(ns as f64));
        say!(lang; " (between {low} and {high})", "（{low} 至 {high} 之间）", " (между {low} и {high})",
            " (zwischen {low} und {high})")
    });
    p99_ns.map_or(String::new(), |ns| {
        let p99 = time(ns as f64);
        say!(lang; ", 99 % below {p99}{between}", "，99 % 低于 {p99}{between}", ", 99 % меньше {p99}{between}",
            ", 99 % unter {p99}{between}")
    })
}

/// Which law the rates follow.
fn law(lang: Lang, curve: &Curve, up_to: u32, figure: &str) -> String {
    let Curve { shape, lines, scalability, lines_off_percent, scalability_off_percent } = curve;
    let (each, meet) = (plain(lines.each), plain(lines.meet()));
    let two = say!(lang; "two straight lines: {each} IOPS for each in flight until they meet at {meet}",
        "两条直线：每个在途 {each} IOPS，在 {meet} 处相交", "две прямые: по {each} IOPS на каждую одновременную до встречи при {meet}",
        "zwei Geraden: {each} IOPS je gleichzeitigem Zugriff, bis sie sich bei {meet} treffen");
    // A peak beyond what was tried is a guess.
    let peak = match scalability.peak().filter(|p| *p <= f64::from(up_to)) {
        Some(peak) => {
            let peak = plain(peak);
            say!(lang; "a peak at {peak} in flight", "峰值在途 {peak} 个", "вершина при {peak} одновременно",
                "ein Gipfel bei {peak} gleichzeitig")
        }
        None => {
            say!(lang; "no peak up to {up_to} in flight", "到 {up_to} 个在途仍无峰值", "до {up_to} одновременно вершины нет",
            "kein Gipfel bis {up_to} gleichzeitig")
        }
    };
    let waits = percent(100.0 * scalability.contention);
    let bends = say!(lang; "contention: {waits} for each other, {peak}", "争用：彼此等待 {waits}，{peak}",
        "соперничество: {waits} на ожидание друг друга, {peak}", "Konkurrenz: {waits} für das Warten aufeinander, {peak}");
    let most = say!(lang; "{figure} at most", "最大 {figure}", "не больше {figure}", "höchstens {figure}");
    let off = |first: f64, second: f64| {
        let (first, second) = (percent(first), percent(second));
        say!(lang; "depths that it foretells are off by {first}, the other's by {second}",
            "它预测的深度误差 {first}，另一个的 {second}", "его предсказания глубин ошибаются на {first}, другого — на {second}",
            "seine Vorhersagen für Tiefen liegen um {first} daneben, die des anderen um {second}")
    };
    match shape {
        Shape::TwoLines => format!("{two}; {most}; {}", off(*lines_off_percent, *scalability_off_percent)),
        Shape::Contention => {
            format!("{bends}; {most}; {}", off(*scalability_off_percent, *lines_off_percent))
        }
        Shape::Either => {
            let either = say!(lang; "{two}, or {bends}", "{two}；或{bends}", "{two}, или {bends}", "{two}, oder {bends}");
            format!("{either}; {most}; {}", off(*lines_off_percent, *scalability_off_percent))
        }
    }
}

fn goal_name(lang: Lang, goal: &Goal) -> String {
    let mean = word!(lang; "the mean", "平均值", "среднее", "den Mittelwert");
    goal.percentile.map_or(mean.into(), |p| format!("p{p}"))
}

/// What is said of more, of less and of the same.
fn told_apart(lang: Lang, conclusion: &Conclusion, [more, less, same]: [&'static str; 3]) -> &'static str {
    match conclusion.verdict() {
        Verdict::More => more,
        Verdict::Less => less,
        Verdict::Same => same,
        Verdict::Unknown => {
            word!(lang; "cannot be told", "无法判断", "сказать нельзя", "lässt sich nicht sagen")
        }
    }
}

pub(super) fn caveat(lang: Lang, caveat: &Caveat) -> String {
    match caveat {
        Caveat::Drifts { percent: p } => {
            let by = percent(p.abs());
            say!(lang; "it still changed by {by} when it ended", "结束时仍变化 {by}", "под конец ещё менялось на {by}",
                "am Ende änderte es sich noch um {by}")
        }
        Caveat::WithinNoise => say!(lang; "the next depths are within the noise", "相邻深度在噪声以内",
            "соседние глубины в пределах шума", "die nächsten Tiefen liegen im Rauschen"),
        Caveat::Pauses { each_s, every_s } => {
            let (each, every) = (time(each_s * 1e9), time(every_s * 1e9));
            say!(lang; "pauses of about {each} were seen, one every {every}", "观察到停顿：每次约 {each}，每 {every} 一次",
                "замечены паузы: около {each}, одна за {every}", "Pausen von etwa {each} wurden beobachtet, eine alle {every}")
        }
        Caveat::MayBeMore { percent: p } => {
            let up = percent(*p);
            say!(lang; "the rate may be up to {up} higher", "实际速率可能最多高出 {up}", "скорость может быть выше не более чем на {up}",
                "die Rate kann bis zu {up} höher sein")
        }
        Caveat::Wide { half_percent } if *half_percent >= 100.0 => {
            say!(lang; "the rate is not known from so few I/Os", "I/O 太少，速率尚不可知", "по столь немногим операциям скорость неизвестна",
                "aus so wenigen I/Os ist die Rate nicht bekannt")
        }
        Caveat::Wide { half_percent } => {
            let half = percent(*half_percent);
            say!(lang; "the interval is {half} wide either way", "误差区间达上下 {half}", "интервал шириной {half} в обе стороны",
                "das Intervall ist nach beiden Seiten {half} breit")
        }
        Caveat::Changed { now } => {
            let now = plain(*now);
            say!(lang; "the same load had {now} IOPS later in the study", "同样的负载在研究后期为 {now} IOPS",
                "та же нагрузка позже в исследовании давала {now} IOPS", "dieselbe Last hatte später in der Studie {now} IOPS")
        }
        Caveat::Errors { failed, ios } => {
            let all = failed + ios;
            say!(lang; "{failed} of {all} I/Os failed and are not counted", "{all} 个 I/O 中有 {failed} 个失败，未计入",
                "не удалось {failed} из {all} I/O, они не учтены", "{failed} von {all} Zugriffen schlugen fehl und zählen nicht")
        }
        Caveat::Grade { grade } => {
            let grade = grade.letter();
            say!(lang; "some points are believed only to {grade}", "有些点的可信度只到 {grade}",
                "некоторым точкам можно верить лишь на {grade}", "manche Punkte verdienen nur die Note {grade}")
        }
    }
}

/// Why a question of this name has no answer; nothing of what only time is missing for, which is told of all together.
pub(super) fn why(lang: Lang, name: &str, why: &Why) -> Option<String> {
    let reason = match why {
        Why::Budget { .. } => return None,
        Why::NotTheDevice { findings } => {
            let worst = findings.iter().max_by_key(|f| f.claim.grade());
            let what = worst.map_or(String::new(), |f| crate::prose::words(lang, &f.claim).0);
            say!(lang; "did not measure the device: {what}", "测到的不是该设备：{what}", "измерено не устройство: {what}",
                "hat nicht das Gerät gemessen: {what}")
        }
        Why::Interrupted => {
            say!(lang; "ended by a signal", "被信号中止", "прервано сигналом", "durch ein Signal beendet")
        }
        Why::Failed { text } => text.clone(),
        Why::NotHere { text: NotHere::OnlyRead } => say!(lang; "this target is only read: --write insists",
            "此目标只读不写：要写须加 --write", "эта цель только читается: для записи нужен --write",
            "dieses Ziel wird nur gelesen: --write besteht darauf"),
        Why::NotHere { text: NotHere::RandomAlone } => say!(lang; "the region's size matters to random I/O",
            "区域大小只影响随机 I/O", "размер области важен для случайного доступа",
            "die Größe des Bereichs ist für zufällige Zugriffe von Belang"),
        Why::NotHere { text: NotHere::Commits } => {
            say!(lang; "a job has one commit in flight: its depth is the number of jobs, and commits are not paced",
            "每个任务同时只有一次落盘：深度即任务数，落盘不限速",
            "у задания одна фиксация за раз: глубина — это число заданий, а темп фиксаций не задаётся",
            "ein Job hat einen dauerhaften Zugriff gleichzeitig: die Tiefe ist die Zahl der Jobs, und ihre Rate wird nicht vorgegeben")
        }
        Why::NotHere { text: NotHere::Other(text) } => text.clone(),
    };
    Some(
        say!(lang; "no answer  {name}: {reason}", "无答案  {name}：{reason}", "нет ответа  {name}: {reason}",
        "keine Antwort  {name}: {reason}"),
    )
}
