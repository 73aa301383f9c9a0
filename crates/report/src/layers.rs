//! The layer line: what the application, the kernel and the devices each say of the same run, in words.

use crate::scale::{bytes, percent};
use stats::{Doubt, LayerBytes, Layers};

/// `read: app 12.3 GB = process 12.3 GB = loop3 12.3 GB`; one line per direction that moved anything.
pub(crate) fn lines(l: &Layers) -> Vec<String> {
    let mut out = Vec::new();
    for (name, write) in [("read", false), ("write", true)] {
        let moved = l.bytes(write);
        if moved.app > 0 && !l.targets.is_empty() {
            out.push(chain(l, name, &moved));
        }
    }
    let mut facts = Vec::new();
    if let Some(share) = l.cache_percent() {
        facts.push(format!("page cache served {} of reads", percent(share)));
    }
    match l.without_data() {
        Some(0) => facts.push("no holes".to_string()),
        Some(n) => facts.push(format!("{} of holes", bytes(n))),
        None => {}
    }
    facts.push(format!("depth {:.1} of {}", l.depth_reached, whole(l.depth_asked)));
    facts.push(format!("generator {} busy", percent(l.busiest_thread_percent)));
    out.push(facts.join("; "));
    out
}

fn whole(depth: f64) -> String {
    if depth.fract() == 0.0 { format!("{depth:.0}") } else { format!("{depth:.1}") }
}

fn chain(l: &Layers, name: &str, moved: &LayerBytes) -> String {
    let mut line = format!("{name}: app {}", bytes(moved.app));
    let devices = l.top_devices();
    let device = match devices.as_slice() {
        [one] => one.name.clone(),
        many => format!("{} devices", many.len()),
    };
    for (layer, seen) in [("process", moved.process), (&*device, moved.devices)] {
        let Some(seen) = seen else { continue };
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
            "the page cache served {} of {} read: this is memory, not the device (direct=1 reads the device)",
            bytes(app.saturating_sub(*process)),
            bytes(*app)
        ),
        Doubt::WriteNotArrived { app, devices } => format!(
            "only {} of {} written had arrived at the device when the run ended (direct=1 or end_fsync=1 waits)",
            bytes(*devices),
            bytes(*app)
        ),
        Doubt::DeviceDidMore { write, app, devices } => format!(
            "the device {} {} for our {}: somebody else, read-ahead or the file system used it too",
            if *write { "wrote" } else { "read" },
            bytes(*devices),
            bytes(*app)
        ),
        Doubt::DeviceDidLess { app, devices } => {
            format!("the device read only {} of our {}: something above it answered", bytes(*devices), bytes(*app))
        }
        Doubt::NoData { path, bytes: missing, size, zeros } => {
            let zeros = zeros.map_or(String::new(), |(zero, of)| format!("{zero} of {of} sampled blocks are zeros; "));
            let holes = if *missing > 0 { format!("{} of {} are holes; ", bytes(*missing), bytes(*size)) } else { String::new() };
            format!("{path}: {holes}{zeros}reading what was never written is faster than reading data")
        }
        Doubt::Shallow { reached, asked } => {
            format!("{reached:.1} I/Os were in flight, {} were asked for", whole(*asked))
        }
        Doubt::BusyGenerator { percent: busy } => {
            format!("a generator thread was {} busy: the CPU may be the limit, not the device", percent(*busy))
        }
    }
}
