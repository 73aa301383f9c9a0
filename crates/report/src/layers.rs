//! The layer line: what the application, the kernel and the devices each say of the same run, in words.

use crate::scale::{bytes, percent, time};
use stats::{LayerBytes, Layers};

/// Who moved what: `read: app 12.3 GB = process 12.3 GB = loop3 12.3 GB`. Where both directions agree in all layers
/// one line says so; otherwise one line per direction that moved anything.
pub(crate) fn chains(l: &Layers) -> Vec<String> {
    let (read, write) = (l.bytes(false), l.bytes(true));
    let agrees = |b: &LayerBytes| [b.process, b.devices].iter().flatten().all(|seen| b.agrees(*seen));
    let layers = names(l, read.process.is_some(), read.devices.is_some());
    match (read.app > 0, write.app > 0) {
        _ if l.targets.is_empty() => Vec::new(),
        (true, true) if agrees(&read) && agrees(&write) && !layers.is_empty() => {
            vec![format!(
                "app = {}: {} read, {} written",
                layers.join(" = "),
                bytes(read.app),
                bytes(write.app)
            )]
        }
        (reads, writes) => [(reads, "read", &read), (writes, "write", &write)]
            .into_iter()
            .filter(|(moved, _, _)| *moved)
            .map(|(_, name, moved)| chain(l, name, moved))
            .collect(),
    }
}

/// Page cache, holes, depth (if asked for) and how busy the generator was.
pub(crate) fn facts(l: &Layers, depth: bool) -> String {
    let mut facts = Vec::new();
    if let Some(share) = l.cache_percent() {
        facts.push(format!("page cache {}", percent(share)));
    }
    match l.without_data() {
        Some(0) => facts.push("holes none".to_string()),
        Some(n) => facts.push(format!("holes {}", bytes(n))),
        None => {}
    }
    if depth {
        facts.push(format!("depth {:.1} of {}", l.depth_reached, whole(l.depth_asked)));
    }
    facts.push(format!("generator {} busy", percent(l.busiest_thread_percent)));
    facts.join("; ")
}

/// The layers below the application that could be read, by name.
fn names(l: &Layers, process: bool, devices: bool) -> Vec<String> {
    let device = match l.top_devices().as_slice() {
        [one] => one.name.clone(),
        many => format!("{} devices", many.len()),
    };
    [(process, "process".to_string()), (devices, device)]
        .into_iter()
        .filter(|(known, _)| *known)
        .map(|(_, n)| n)
        .collect()
}

fn whole(depth: f64) -> String {
    if depth.fract() == 0.0 { format!("{depth:.0}") } else { format!("{depth:.1}") }
}

fn chain(l: &Layers, name: &str, moved: &LayerBytes) -> String {
    let mut line = format!("{name}: app {}", bytes(moved.app));
    let own = if name == "write" { l.file_system_writes() } else { None };
    let known = names(l, moved.process.is_some(), moved.devices.is_some());
    for (layer, seen) in known.iter().zip([moved.process, moved.devices].into_iter().flatten()) {
        let sign = match (moved.agrees(seen), seen < moved.app) {
            (true, _) => "=",
            (false, true) => ">",
            (false, false) => "<",
        };
        line.push_str(&format!(" {sign} {layer} {}", bytes(seen)));
    }
    if let Some(more) = own.filter(|more| !moved.agrees(moved.app + more)) {
        line.push_str(&format!(" ({} of it journal, metadata or others)", bytes(more)));
    }
    line
}

/// One row of the table of layers: name, I/Os, bytes, I/Os of ours for one of its, merges, await, busy, queue.
type Row = [String; 8];

/// Every layer on one clock, the application first: reads and writes together.
pub(crate) fn table(l: &Layers, width: usize) -> Vec<String> {
    let ours: u64 = l.app_ios[..2].iter().sum();
    let none = String::new;
    let ratio = |ios: u64| if ios == 0 { "-".to_owned() } else { format!("{:.2}", ours as f64 / ios as f64) };
    let mut rows: Vec<Row> = vec![
        ["layer", "I/Os", "bytes", "ours for one", "merged", "await", "busy", "queue"].map(str::to_owned),
    ];
    let app_bytes: u64 = l.app_bytes[..2].iter().sum();
    let depth = format!("{:.1}", l.depth_reached);
    rows.push([
        "application".into(),
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
            "read, write calls".into(),
            calls.to_string(),
            bytes(moved),
            ratio(calls),
            none(),
            none(),
            none(),
            none(),
        ]);
        let fetched = p.read_bytes + p.write_bytes;
        rows.push(["to storage".into(), none(), bytes(fetched), none(), none(), none(), none(), none()]);
    }
    let before: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_before).collect();
    let after: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_after).collect();
    if !before.is_empty() {
        let text = format!("{} > {}", bytes(before.iter().sum()), bytes(after.iter().sum()));
        rows.push(["page cache holds".into(), none(), text, none(), none(), none(), none(), none()]);
    }
    let mut seen: Vec<&str> = Vec::new();
    for target in &l.targets {
        for (name, words) in target.names().zip(&target.stack) {
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let Some(d) = l.device(name) else {
                let used = target.used_percent.map_or(none(), |u| format!("{} used", percent(u)));
                rows.push([words.clone(), none(), used, none(), none(), none(), none(), none()]);
                if let Some(more) = l.file_system_writes().filter(|_| seen.len() == 1) {
                    let name = "journal, metadata, others".into();
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
                let name = "copies, parity, others".into();
                let more = bytes(read.saturating_add(written));
                rows.push([name, none(), more, none(), none(), none(), none(), none()]);
            }
        }
    }
    let widest = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: [usize; 8] = std::array::from_fn(widest);
    let cell = |c: usize, text: &str| {
        if c == 0 { format!("{text:<0$}", widths[c]) } else { format!("{text:>0$}", widths[c]) }
    };
    let line = |row: &Row| row.iter().enumerate().map(|(c, t)| cell(c, t)).collect::<Vec<_>>().join("  ");
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    lines.extend(host(l, width));
    lines
}

/// The processors.
fn host(l: &Layers, width: usize) -> Vec<String> {
    let h = &l.host;
    let mut parts = vec![
        format!("generator {} busy", percent(l.busiest_thread_percent)),
        format!("steal {}", percent(h.steal_percent)),
        format!("throttled {} times, {}", h.throttled, time(h.throttled_ms as f64 * 1e6)),
    ];
    for (what, waited) in [("a CPU", h.cpu_pressure_ms), ("I/O", h.io_pressure_ms)] {
        if let Some(ms) = waited {
            parts.push(format!(
                "somebody waited for {what} {}",
                percent(100.0 * ms as f64 / l.wall_ms.max(1) as f64)
            ));
        }
    }
    crate::wrap("host  ", &parts, width)
}
