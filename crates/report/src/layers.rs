//! The layers of a run: the same I/O as counted by the application, the kernel and the devices, as a line and as a
//! table.

use crate::catalog::{say, word};
use crate::scale::{bytes, percent, time};
use crate::{Grid, Lang, prose_width};
use stats::remote::{RemoteOperation, TcpSegments};
use stats::{LayerBytes, Layers};

/// Returns the bytes at each layer: `read: app 12.3 GB = process 12.3 GB = loop3 12.3 GB`. If both directions agree in
/// all layers, one line reports this; otherwise each direction with I/O has a line.
pub(crate) fn chains(lang: Lang, l: &Layers) -> Vec<String> {
    let (read, write) = (l.bytes(false), l.bytes(true));
    let agrees = |b: &LayerBytes| [b.process, b.devices].iter().flatten().all(|seen| b.agrees(*seen));
    let layers = names(lang, l, read.process.is_some(), read.devices.is_some());
    match (read.app > 0, write.app > 0) {
        _ if l.targets.is_empty() => Vec::new(),
        (true, true) if agrees(&read) && agrees(&write) && !layers.is_empty() => {
            let (layers, read, written) = (layers.join(" = "), bytes(read.app), bytes(write.app));
            vec![say!(lang, "layers-all-agree", layers, read, written)]
        }
        (reads, writes) => [(reads, "read", &read), (writes, "write", &write)]
            .into_iter()
            .filter(|(moved, _, _)| *moved)
            .map(|(_, name, moved)| chain(lang, l, name, moved))
            .collect(),
    }
}

/// Returns the share of page cache hits, the holes, the queue depth (if `depth`), and the CPU time of the busiest job
/// thread.
pub(crate) fn facts(lang: Lang, l: &Layers, depth: bool) -> String {
    let mut facts = Vec::new();
    if let Some(share) = l.without_storage_percent() {
        let share = percent(share);
        // Zeros of holes need no device either, and are no hits.
        facts.push(match l.without_data() {
            Some(1..) => say!(lang, "layers-cached-or-holes", share),
            _ => say!(lang, "layers-page-cache-hits", share),
        });
    }
    match l.without_data() {
        Some(0) => facts.push(say!(lang, "layers-no-holes")),
        Some(n) => {
            let n = bytes(n);
            facts.push(say!(lang, "layers-holes", n));
        }
        None => {}
    }
    facts.extend(server_times(lang, l));
    if depth {
        let (reached, asked) = (l.depth_reached, whole(l.depth_asked));
        facts.push(say!(lang, "layers-queue-depth", reached = format!("{reached:.1}"), asked));
    }
    facts.push(busiest_thread(lang, l));
    facts.join("; ")
}

/// Returns the part of network and server in the time of reads and of writes, as the client of a network file system timed
/// them.
fn server_times(lang: Lang, l: &Layers) -> Vec<String> {
    let Some((_, traffic)) = l.server_file_system() else { return Vec::new() };
    let operations = traffic.operations.iter().filter(|op| matches!(op.name.as_str(), "READ" | "WRITE"));
    let line = |op: &RemoteOperation| {
        let [_, trip, all] = op.mean_ns()?;
        let (name, trip, all) = (&op.name, time(trip), time(all));
        Some(say!(lang, "layers-server-time", name, trip, all))
    };
    operations.filter_map(line).collect()
}

fn busiest_thread(lang: Lang, l: &Layers) -> String {
    say!(lang, "layers-busiest-thread", busy = percent(l.busiest_thread_percent))
}

/// Returns the names of the layers below the application that could be read.
fn names(lang: Lang, l: &Layers, process: bool, devices: bool) -> Vec<String> {
    let device = match l.top_devices().as_slice() {
        [one] => one.name.clone(),
        many => say!(lang, "layers-devices", n = many.len()),
    };
    let itself = say!(lang, "layers-process");
    [(process, itself), (devices, device)].into_iter().filter(|(known, _)| *known).map(|(_, n)| n).collect()
}

fn whole(depth: f64) -> String {
    if depth.fract() == 0.0 { format!("{depth:.0}") } else { format!("{depth:.1}") }
}

fn chain(lang: Lang, l: &Layers, name: &str, moved: &LayerBytes) -> String {
    let (way, app) = (crate::terms::direction(lang, name), bytes(moved.app));
    let mut chain = say!(lang, "layers-one-direction", way, app);
    let own = if name == "write" { l.file_system_writes() } else { None };
    let known = names(lang, l, moved.process.is_some(), moved.devices.is_some());
    // A sign is between two neighbours, so it compares these: the kernel counts requests anew that it sends again, and
    // the device may agree with the application where the process does not.
    let mut above = moved.clone();
    for (layer, seen) in known.iter().zip([moved.process, moved.devices].into_iter().flatten()) {
        let sign = match (above.agrees(seen), seen < above.app) {
            (true, _) => "=",
            (false, true) => ">",
            (false, false) => "<",
        };
        chain.push_str(&format!(" {sign} {layer} {}", bytes(seen)));
        above.app = seen;
    }
    match own.filter(|more| !moved.agrees(moved.app + more)).map(bytes) {
        Some(more) => say!(lang, "layers-including-file-system-writes", chain, more),
        None => chain,
    }
}

/// A row of the table of layers: name, I/Os, bytes, application I/Os for each of its I/Os, merges, await, util, queue
/// depth.
type Row = [String; 8];

/// Returns the table of layers, the application first. Reads and writes are added, and all figures are over the same
/// interval.
pub(crate) fn table(lang: Lang, l: &Layers, width: usize) -> Vec<String> {
    let ours: u64 = l.app_ios[..2].iter().sum();
    let none = String::new;
    let ratio = |ios: u64| if ios == 0 { "-".to_owned() } else { format!("{:.2}", ours as f64 / ios as f64) };
    let head = [
        word!(lang, "layers-column-layer"),
        word!(lang, "layers-column-ios"),
        word!(lang, "layers-column-bytes"),
        word!(lang, "layers-column-app-ios-per-io"),
        word!(lang, "layers-column-merges"),
        "await",
        "util",
        word!(lang, "layers-column-queue-depth"),
    ];
    let mut rows: Vec<Row> = vec![head.map(str::to_owned)];
    let app_bytes: u64 = l.app_bytes[..2].iter().sum();
    let depth = format!("{:.1}", l.depth_reached);
    rows.push([
        word!(lang, "layers-row-application").into(),
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
            word!(lang, "layers-row-system-calls").into(),
            calls.to_string(),
            bytes(moved),
            ratio(calls),
            none(),
            none(),
            none(),
            none(),
        ]);
        let fetched = p.read_bytes + p.write_bytes;
        let name = word!(lang, "layers-row-block-layer");
        rows.push([name.into(), none(), bytes(fetched), none(), none(), none(), none(), none()]);
    }
    let before: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_before).collect();
    let after: Vec<u64> = l.targets.iter().filter_map(|t| t.cached_after).collect();
    if !before.is_empty() {
        let text = format!("{} > {}", bytes(before.iter().sum()), bytes(after.iter().sum()));
        let name = word!(lang, "layers-row-page-cache");
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
                    say!(lang, "layers-cell-used", used)
                });
                rows.push([words.clone(), none(), used, none(), none(), none(), none(), none()]);
                if let Some(more) = l.file_system_writes().filter(|_| seen.len() == 1) {
                    let name = say!(lang, "layers-row-file-system-writes");
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
                let name = say!(lang, "layers-row-member-writes");
                let more = bytes(read.saturating_add(written));
                rows.push([name, none(), more, none(), none(), none(), none(), none()]);
            }
        }
    }
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.to_vec()).collect();
    let mut lines = Grid { keys: 1, to_right: |c| c > 0, gap: 2 }.lines(&rows, width);
    lines.extend(servers(lang, l, prose_width(width)));
    lines.extend(host(lang, l, prose_width(width)));
    lines
}

/// Returns the lines about the requests of each client to its server, and about TCP of the whole machine.
fn servers(lang: Lang, l: &Layers, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for layer in &l.remote {
        let Some(traffic) = &layer.traffic else { continue };
        let mut parts = Vec::new();
        for op in &traffic.operations {
            let Some([waiting, trip, all]) = op.mean_ns() else { continue };
            let (name, n) = (&op.name, op.ops);
            let (waiting, trip, all) = (time(waiting), time(trip), time(all));
            parts.push(say!(lang, "layers-server-operation", name, n, all, waiting, trip));
        }
        let [sent, received] = traffic.server_bytes.map(bytes);
        parts.push(say!(lang, "layers-server-bytes", sent, received));
        lines.extend(crate::wrap(&layer.name, &parts, width));
    }
    if let Some(tcp) = &l.tcp {
        let (sent, repeated) = (tcp.sent, tcp.retransmitted);
        let part = say!(lang, "layers-tcp-segments", sent, repeated);
        lines.extend(crate::wrap("TCP", &[part], width));
    }
    for one in &l.connections {
        let TcpSegments { sent, retransmitted: repeated } = one.segments;
        let (n, late, trip) = (one.connections, one.out_of_order, time(one.round_trip_us * 1000.0));
        let part = say!(lang, "layers-connections", n, sent, repeated, late, trip);
        let mut parts = vec![format!("{}: {part}", one.server)];
        if one.reconnects > 0 {
            parts.push(say!(lang, "layers-reconnects", n = one.reconnects));
        }
        lines.extend(crate::wrap("TCP", &parts, width));
    }
    lines
}

/// Returns the line about the CPUs of the host.
fn host(lang: Lang, l: &Layers, width: usize) -> Vec<String> {
    let h = &l.host;
    let (times, stopped) = (h.throttled, time(h.throttled_ms as f64 * 1e6));
    let mut parts = vec![
        busiest_thread(lang, l),
        format!("steal {}", percent(h.steal_percent)),
        say!(lang, "layers-cpu-quota", times, stopped),
    ];
    // The counters also cover what came before the measured part. The kernel adds to them every 2 s, so that a
    // difference can still be longer than the time between the readings.
    let watched_ms = h.watched_ms.max(l.wall_ms).max(1);
    let share = |ms: u64| percent(100.0 * ms.min(watched_ms) as f64 / watched_ms as f64);
    if let Some(waited) = h.cpu_pressure_ms.map(share) {
        parts.push(say!(lang, "layers-cpu-pressure", waited));
    }
    if let Some(waited) = h.io_pressure_ms.map(share) {
        parts.push(say!(lang, "layers-io-pressure", waited));
    }
    crate::wrap(word!(lang, "layers-label-host"), &parts, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests that stalls before the measured part (such as during layout), which the kernel counts too, are related to
    /// the whole time observed.
    #[test]
    fn stalls_longer_than_measured_part_are_shares_of_watched_time() {
        let mut layers = Layers { wall_ms: 1000, ..Default::default() };
        layers.host.io_pressure_ms = Some(3000);
        layers.host.watched_ms = 4000;
        assert!(host(Lang::En, &layers, 400).concat().contains("stalled on I/O 75 %"));
        layers.host.watched_ms = 0;
        assert!(host(Lang::En, &layers, 400).concat().contains("stalled on I/O 100 %"));
    }

    /// The sign between two layers compares these two: requests that the kernel sent again are counted twice by the
    /// process, and the device agrees with the application.
    #[test]
    fn signs_compare_neighbours() {
        let device =
            stats::DiskOutcome { name: "loop1".into(), sectors: [44_726_562, 0], ..Default::default() };
        let layers = Layers {
            targets: vec![stats::TargetLayers { stack: vec!["loop1 (loop)".into()], ..Default::default() }],
            app_bytes: [22_900_000_000, 0, 0],
            process: Some(stats::ProcessIo { read_bytes: 45_700_000_000, ..Default::default() }),
            devices: vec![device],
            ..Default::default()
        };
        let [chain] = &chains(Lang::En, &layers)[..] else { panic!("not one line") };
        assert!(chain.ends_with("22.9 GB < process 45.7 GB > loop1 22.9 GB"), "{chain}");
    }
}
