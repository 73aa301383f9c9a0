//! The layer line: what the application, the kernel and the devices each say of the same run, in words.

use crate::fit_end;
use crate::scale::{bytes, percent};
use stats::{Doubt, LayerBytes, Layers};

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
    let known = names(l, moved.process.is_some(), moved.devices.is_some());
    for (layer, seen) in known.iter().zip([moved.process, moved.devices].into_iter().flatten()) {
        let sign = match (moved.agrees(seen), seen < moved.app) {
            (true, _) => "=",
            (false, true) => ">",
            (false, false) => "<",
        };
        line.push_str(&format!(" {sign} {layer} {}", bytes(seen)));
    }
    line
}

/// A doubt as one sentence.
pub(crate) fn words(doubt: &Doubt) -> String {
    match doubt {
        Doubt::ReadFromCache { app, process } => format!(
            "the page cache served {} of {} read: that is memory; direct=1 asks the device",
            bytes(app.saturating_sub(*process)),
            bytes(*app)
        ),
        Doubt::WriteNotArrived { app, devices } => format!(
            "{} of {} written had reached the device; direct=1 or end_fsync=1 waits",
            bytes(*devices),
            bytes(*app)
        ),
        Doubt::DeviceDidMore { write, app, devices } => format!(
            "the device {} {} for our {}: others used it, or read-ahead, or a file system",
            if *write { "wrote" } else { "read" },
            bytes(*devices),
            bytes(*app)
        ),
        Doubt::DeviceDidLess { app, devices } => {
            format!(
                "the device read {} of our {}: something above it answered the rest",
                bytes(*devices),
                bytes(*app)
            )
        }
        Doubt::NoData { path, bytes: missing, size, zeros } => {
            let holes = (*missing > 0).then(|| format!("{} of {} are holes", bytes(*missing), bytes(*size)));
            let zeros = zeros.map(|(zero, of)| format!("{zero} of {of} samples are zeros"));
            let found: Vec<String> = holes.into_iter().chain(zeros).collect();
            format!("{}: {}: no data there to read", fit_end(path, 24), found.join(", "))
        }
        Doubt::Shallow { reached, asked } => {
            format!("{reached:.1} I/Os were in flight, {} were asked for", whole(*asked))
        }
        Doubt::BusyGenerator { percent: busy } => {
            format!(
                "a generator thread was {} busy: the CPU may be what limits, not the device",
                percent(*busy)
            )
        }
    }
}
