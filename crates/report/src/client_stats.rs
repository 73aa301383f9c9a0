//! fio's output about several clients (`fio --client`), JSON and text, for a run on several hosts: the entries of all hosts, and one entry
//! with the sum of all their jobs. fathom's own keys are all below a key `fathom`.

use crate::{fio_layout, json, text};
use serde_json::{Map, Value, json};
use stats::{JobOutcome, RunResult};
use std::collections::BTreeMap;

/// Name of the entry with the sum.
const ALL: &str = "All clients";

/// Entries of the hosts, made as their results arrive.
#[derive(Debug, Default)]
pub struct ClientStats {
    /// Whether each latency that has percentiles has its histogram, too (`json+`).
    bins: bool,
    /// Report entries and disks of each host, by its number.
    hosts: BTreeMap<usize, (Vec<Value>, Vec<Value>)>,
    /// Report of each host as text, by its number.
    texts: BTreeMap<usize, String>,
    all: Option<JobOutcome>,
    /// Name of the host with the highest number, which fio names in the sum.
    last: (usize, String),
}

impl ClientStats {
    /// Returns the document without hosts; with `bins` (`json+`) each latency that has percentiles has its histogram, too.
    pub fn new(bins: bool) -> ClientStats {
        ClientStats { bins, ..ClientStats::default() }
    }

    /// Adds the result of the host with this number and name.
    pub fn add(&mut self, number: usize, name: &str, result: &RunResult) {
        let of_host = |node: Value| named(node, name);
        let entries = json::entries(result, self.bins).into_iter().map(of_host).collect();
        let disks = json::disk_util(result).into_iter().map(of_host).collect();
        self.hosts.insert(number, (entries, disks));
        self.texts.insert(number, format!("<{name}> {}", text::render(result)));
        for job in result.jobs.iter().filter(|job| job.members > 0) {
            match &mut self.all {
                Some(all) => all.merge(job),
                None => self.all = Some(job.clone()),
            }
        }
        if number >= self.last.0 {
            self.last = (number, name.to_owned());
        }
    }

    /// Returns the sum of all jobs as the only one of a result; `None` for one host.
    fn sum(&self) -> Option<RunResult> {
        let mut all = self.all.clone().filter(|_| self.hosts.len() > 1)?;
        all.name = ALL.into();
        // fio's sum has neither options nor what is a property of one job.
        (all.description, all.steady, all.iodepth, all.start_clock_ms) = (None, None, 0, None);
        all.options.clear();
        Some(RunResult { jobs: vec![all], ..RunResult::default() })
    }

    /// Returns the text; `merged` is the sum of the hosts, of which it has the time.
    pub fn text(&self, merged: &RunResult) -> String {
        let mut out: String = self.texts.values().map(String::as_str).collect();
        if let Some(mut sum) = self.sum() {
            for job in &mut sum.jobs {
                // As in fio, the sum has no percentiles, and no process.
                let shown = &mut job.shown;
                (shown.slat_percentiles, shown.clat_percentiles, shown.lat_percentiles) =
                    (false, false, false);
                job.pid = 0;
            }
            out += &text::entry(&sum, &merged.provenance.time);
        }
        out
    }

    /// Returns the document; `merged` is the sum of the hosts, of which it has time, options, and what is below `fathom`.
    pub fn render(self, merged: &RunResult) -> String {
        let sum = self.sum();
        let (mut entries, mut disks) = (Vec::new(), Vec::new());
        for (of_host, own_disks) in self.hosts.into_values() {
            entries.extend(of_host);
            disks.extend(own_disks);
        }
        if let Some(sum) = sum {
            entries.extend(json::entries(&sum, self.bins).into_iter().map(|node| named(node, &self.last.1)));
        }
        fio_layout::render(&json!({
            "fio version": stats::FIO_VERSION,
            "timestamp": (merged.provenance.timestamp_ms / 1000),
            "time": merged.provenance.time,
            "global options": json::options(&merged.provenance.global_options),
            "client_stats": entries,
            "disk_util": disks,
            "fathom": json::ours(merged),
        }))
    }
}

/// Returns the entry as one of a client: without estimates of its end, with the name of the host, and a port, which no host has
/// here. What is fathom's own stays last.
fn named(entry: Value, host: &str) -> Value {
    let Value::Object(keys) = entry else { return entry };
    let (own, fios): (Map<String, Value>, Map<String, Value>) = keys
        .into_iter()
        .filter(|(key, _)| !["eta", "elapsed"].contains(&key.as_str()))
        .partition(|(key, _)| key == "fathom");
    let client = [("hostname".to_owned(), json!(host)), ("port".to_owned(), json!(0))];
    fios.into_iter().chain(client).chain(own).collect()
}
