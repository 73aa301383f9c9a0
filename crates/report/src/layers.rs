//! The layer line: what the application, the kernel and the devices each say of the same run, in words.

use crate::catalog::{say, word};
use crate::scale::{bytes, percent, time};
use crate::{Grid, Lang, prose_width};
use stats::{LayerBytes, Layers};

/// Who moved what: `read: app 12.3 GB = process 12.3 GB = loop3 12.3 GB`. Where both directions agree in all layers
/// one line says so; otherwise one line per direction that moved anything.
pub(crate) fn chains(lang: Lang, l: &Layers) -> Vec<String> {
    let (read, write) = (l.bytes(false), l.bytes(true));
    let agrees = |b: &LayerBytes| [b.process, b.devices].iter().flatten().all(|seen| b.agrees(*seen));
    let layers = names(lang, l, read.process.is_some(), read.devices.is_some());
    match (read.app > 0, write.app > 0) {
        _ if l.targets.is_empty() => Vec::new(),
        (true, true) if agrees(&read) && agrees(&write) && !layers.is_empty() => {
            let (layers, read, written) = (layers.join(" = "), bytes(read.app), bytes(write.app));
            vec![say!(lang, "layers-chains", layers, read, written)]
        }
        (reads, writes) => [(reads, "read", &read), (writes, "write", &write)]
            .into_iter()
            .filter(|(moved, _, _)| *moved)
            .map(|(_, name, moved)| chain(lang, l, name, moved))
            .collect(),
    }
}

/// Page cache, holes, depth (if asked for) and how busy the generator was.
pub(crate) fn facts(lang: Lang, l: &Layers, depth: bool) -> String {
    let mut facts = Vec::new();
    if let Some(share) = l.cache_percent() {
        let share = percent(share);
        facts.push(say!(lang, "layers-facts-page-cache", share));
    }
    match l.without_data() {
        Some(0) => facts.push(say!(lang, "layers-facts-holes-none")),
        Some(n) => {
            let n = bytes(n);
            facts.push(say!(lang, "layers-facts-holes", n));
        }
        None => {}
    }
    if depth {
        let (reached, asked) = (l.depth_reached, whole(l.depth_asked));
        facts.push(say!(lang, "layers-facts-depth", reached = format!("{reached:.1}"), asked));
    }
    facts.push(generator(lang, l));
    facts.join("; ")
}

fn generator(lang: Lang, l: &Layers) -> String {
    let busy = percent(l.busiest_thread_percent);
    say!(lang, "layers-generator", busy)
}

/// The layers below the application that could be read, by name.
fn names(lang: Lang, l: &Layers, process: bool, devices: bool) -> Vec<String> {
    let device = match l.top_devices().as_slice() {
        [one] => one.name.clone(),
        many => {
            let n = many.len();
            say!(lang, "layers-names-devices", n)
        }
    };
    let itself = say!(lang, "layers-names-process");
    [(process, itself), (devices, device)].into_iter().filter(|(known, _)| *known).map(|(_, n)| n).collect()
}

fn whole(depth: f64) -> String {
    if depth.fract() == 0.0 { format!("{depth:.0}") } else { format!("{depth:.1}") }
}

fn chain(lang: Lang, l: &Layers, name: &str, moved: &LayerBytes) -> String {
    let (way, app) = (crate::terms::direction(lang, name), bytes(moved.app));
    let mut line = say!(lang, "layers-chain-app", way, app);
    let own = if name == "write" { l.file_system_writes() } else { None };
    let known = names(lang, l, moved.process.is_some(), moved.devices.is_some());
    for (layer, seen) in known.iter().zip([moved.process, moved.devices].into_iter().flatten()) {
        let sign = match (moved.agrees(seen), seen < moved.app) {
            (true, _) => "=",
            (false, true) => ">",
            (false, false) => "<",
        };
        line.push_str(&format!(" {sign} {layer} {}", bytes(seen)));
    }
    if let Some(more) = own.filter(|more| !moved.agrees(moved.app + more)) {
        let more = bytes(more);
        line.push_str(&say!(lang, "layers-chain-journal-metadata-others", more));
    }
    line
}

/// One row of the table of layers: name, I/Os, bytes, I/Os of ours for one of its, merges, await, busy, queue.
type Row = [String; 8];

/// Every layer on one clock, the application first: reads and writes together.
pub(crate) fn table(lang: Lang, l: &Layers, width: usize) -> Vec<String> {
    let ours: u64 = l.app_ios[..2].iter().sum();
    let none = String::new;
    let ratio = |ios: u64| if ios == 0 { "-".to_owned() } else { format!("{:.2}", ours as f64 / ios as f64) };
    let head = [
        word!(lang, "layers-head-layer"),
        word!(lang, "layers-head-ios"),
        word!(lang, "layers-head-bytes"),
        word!(lang, "layers-head-ratio"),
        word!(lang, "layers-head-merged"),
        "await",
        word!(lang, "layers-head-busy"),
        word!(lang, "layers-head-queue"),
    ];
    let mut rows: Vec<Row> = vec![head.map(str::to_owned)];
    let app_bytes: u64 = l.app_bytes[..2].iter().sum();
    let depth = format!("{:.1}", l.depth_reached);
    rows.push([
        word!(lang, "layers-application").into(),
        ours.to_string(),
        bytes(app_bytes),
        "1.00".into(),
        none(),
        none(),
        none(),
        depth,
    ]);
    if let Some(p) = &l.process {
        let calls = p.read_calls + p.write_calls;
        let moved = p.read_chars + p.write_chars;
        rows.push([
            word!(lang, "layers-read-write-calls").into(),
            calls.to_string(),
            bytes(moved),
            ratio(calls),
            none(),
            none(),
            none(),
            none(),
        ]);
        let fetched = p.read_bytes + p.write_bytes;
        let name = word!(lang, "layers-storage");
        rows.push([name.into(), none(), bytes(fetched), none(), none(), none(), none(), none()]);
    }
    let before: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_before).collect();
    let after: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_after).collect();
    if !before.is_empty() {
        let text = format!("{} > {}", bytes(before.iter().sum()), bytes(after.iter().sum()));
        let name = word!(lang, "layers-page-cache-holds");
        rows.push([name.into(), none(), text, none(), none(), none(), none(), none()]);
    }
    let mut seen: Vec<&str> = Vec::new();
    for target in &l.targets {
        for (name, words) in target.names().zip(&target.stack) {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let Some(d) = l.device(name) else {
                let used = target.used_percent.map_or(none(), |used| {
                    let used = percent(used);
                    say!(lang, "layers-used", used)
                });
                rows.push([words.clone(), none(), used, none(), none(), none(), none(), none()]);
                if let Some(more) = l.file_system_writes().filter(|_| seen.len() == 1) {
                    let name = say!(lang, "layers-journal-metadata-others");
                    rows.push([name, none(), bytes(more), none(), none(), none(), none(), none()]);
                }
                continue;
            };
            let ios: u64 = d.ios.iter().sum();
            let ticks: u64 = d.ticks_ms.iter().sum();
            rows.push([
                words.clone(),
                ios.to_string(),
                bytes(d.sectors.iter().sum::<u64>() * 512),
                ratio(ios),
                d.merges.iter().sum::<u64>().to_string(),
                if ios == 0 { "-".into() } else { time(ticks as f64 * 1e6 / ios as f64) },
                percent(d.util_percent),
                format!("{:.1}", d.in_queue_ms as f64 / l.wall_ms.max(1) as f64),
            ]);
            if let Some([read, written]) = l.members_beyond(name) {
                let name = say!(lang, "layers-copies-parity-others");
                let more = bytes(read.saturating_add(written));
                rows.push([name, none(), more, none(), none(), none(), none(), none()]);
            }
        }
    }
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
    let mut lines = Grid { keys: 1, to_right: |c| c > 0, gap: 2 }.lines(&rows, width);
    lines.extend(host(lang, l, prose_width(width)));
    lines
}

/// The processors.
fn host(lang: Lang, l: &Layers, width: usize) -> Vec<String> {
    let h = &l.host;
    let (times, stopped) = (h.throttled, time(h.throttled_ms as f64 * 1e6));
    let mut parts = vec![
        generator(lang, l),
        format!("steal {}", percent(h.steal_percent)),
        say!(lang, "layers-host-throttled-times", times, stopped),
    ];
    let share = |ms: u64| percent(100.0 * ms as f64 / l.wall_ms.max(1) as f64);
    if let Some(waited) = h.cpu_pressure_ms.map(share) {
        parts.push(say!(lang, "layers-host-somebody-waited-cpu", waited));
    }
    if let Some(waited) = h.io_pressure_ms.map(share) {
        parts.push(say!(lang, "layers-host-somebody-waited-i", waited));
    }
    crate::wrap(word!(lang, "layers-host-host"), &parts, width)
}
