//! Sum of the loads of several hosts at the same time.

use super::{ObjectEnd, ObjectEndpoint, ObjectOperation, ObjectResult, ObjectRow, Prepared};
use crate::hosts::{HostOutcome, fairness};

/// Phases of a load, in which hosts begin together: the objects that are written before, and the load.
const PREPARATION: usize = 0;
const LOAD: usize = 1;

/// Adds rows to the sum of rows of the same operations.
fn add(sum: &mut Vec<ObjectRow>, rows: &[ObjectRow]) {
    for row in rows {
        match sum.iter_mut().find(|sum| sum.operation == row.operation) {
            Some(sum) => sum.merge(row),
            None => sum.push(row.clone()),
        }
    }
}

/// Returns the seconds from the first start to the last end of a phase, by the offsets of the clocks.
fn span(
    of: &[(&HostOutcome<ObjectResult>, &ObjectResult)],
    phase: usize,
    took: fn(&ObjectResult) -> f64,
) -> f64 {
    let began =
        |host: &HostOutcome<ObjectResult>| host.began_ns.get(phase).map_or(0, |began| began.0) as f64 / 1e9;
    let first = of.iter().map(|(host, _)| began(host)).fold(f64::INFINITY, f64::min);
    let last = of.iter().map(|(host, result)| began(host) + took(result)).fold(0.0, f64::max);
    (last - first).max(0.0)
}

/// Returns different texts in their order, separated by commas.
fn joined<'a>(texts: impl Iterator<Item = &'a String>) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for text in texts {
        if !seen.contains(&text.as_str()) {
            seen.push(text);
        }
    }
    seen.join(", ")
}

impl ObjectResult {
    /// Returns the sum of the loads of the hosts, with their results; `None` if no host has one. Lost hosts are not in the sum.
    /// Requests, bytes, errors and times are those of all; the time of the load is that from the first start on any host to the last
    /// end on any host.
    pub fn of_hosts(target: &str, hosts: Vec<HostOutcome<ObjectResult>>) -> Option<ObjectResult> {
        let there = hosts.iter().filter(|host| host.lost.is_none());
        let there: Vec<_> = there.filter_map(|host| Some((host, host.result.as_ref()?))).collect();
        let (_, first) = *there.first()?;
        let results = || there.iter().map(|(_, result)| *result);
        let mut sum = ObjectResult {
            target: target.to_owned(),
            servers: Vec::new(),
            run: joined(results().map(|result| &result.run)),
            scratch: joined(results().map(|result| &result.scratch)),
            concurrency: results().map(|result| result.concurrency).sum(),
            prepared: Prepared {
                objects: results().map(|result| result.prepared.objects).sum(),
                bytes: results().map(|result| result.prepared.bytes).sum(),
                seconds: span(&there, PREPARATION, |result| result.prepared.seconds),
            },
            seconds: span(&there, LOAD, |result| result.seconds),
            rows: Vec::new(),
            endpoints: Vec::new(),
            mismatches: results().flat_map(|result| result.mismatches.clone()).collect(),
            reconnects: results().map(|result| result.reconnects).sum(),
            end: ObjectEnd::Duration,
            leftovers: results().map(|result| result.leftovers).sum(),
            removed: results().map(|result| result.removed).sum(),
            not_removed: None,
            hosts: Vec::new(),
            ..first.clone()
        };
        let mut not_removed = Vec::new();
        for (host, result) in &there {
            for server in &result.servers {
                if !sum.servers.contains(server) {
                    sum.servers.push(server.clone());
                }
            }
            add(&mut sum.rows, &result.rows);
            for ObjectEndpoint { endpoint, rows } in &result.endpoints {
                match sum.endpoints.iter_mut().find(|known| known.endpoint == *endpoint) {
                    Some(known) => add(&mut known.rows, rows),
                    None => {
                        sum.endpoints.push(ObjectEndpoint { endpoint: endpoint.clone(), rows: rows.clone() })
                    }
                }
            }
            sum.end = match (sum.end, &result.end) {
                (ObjectEnd::Failures(error), _) => ObjectEnd::Failures(error),
                (_, ObjectEnd::Failures(error)) => ObjectEnd::Failures(format!("{}: {error}", host.name)),
                (ObjectEnd::Signal, _) | (_, ObjectEnd::Signal) => ObjectEnd::Signal,
                (ObjectEnd::Duration, ObjectEnd::Duration) => ObjectEnd::Duration,
            };
            not_removed.extend(result.not_removed.as_ref().map(|why| format!("{}: {why}", host.name)));
        }
        sum.not_removed = (!not_removed.is_empty()).then(|| not_removed.join("; "));
        Some(ObjectResult { hosts, ..sum })
    }

    /// Returns Jain's index of the requests per second of the hosts in an operation ([`fairness`]), without lost hosts; `None` unless
    /// two have one.
    pub fn fairness(&self, operation: ObjectOperation) -> Option<f64> {
        let there =
            self.hosts.iter().filter(|host| host.lost.is_none()).filter_map(|host| host.result.as_ref());
        let rates = there.filter_map(|result| {
            let row = result.rows.iter().find(|row| row.operation == operation)?;
            Some(result.rate(row))
        });
        fairness(&rates.collect::<Vec<f64>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_load::{ObjectMix, ObjectSizes};
    use proptest::prelude::*;

    /// Operation, bytes and time of a request; 0 nanoseconds: it failed.
    type Request = (u8, u64, u64);

    fn row(operation: ObjectOperation, requests: &[Request]) -> ObjectRow {
        let mut row = ObjectRow::new(operation);
        for (_, bytes, nanos) in requests.iter().filter(|request| request.0 == operation as u8) {
            if *nanos == 0 {
                row.fail("SlowDown");
                continue;
            }
            (row.requests, row.bytes) = (row.requests + 1, row.bytes + bytes);
            row.first_byte.record(*nanos, 1);
            row.last_byte.record(2 * nanos, 1);
        }
        row
    }

    fn host(late_ns: i64, seconds: f64, requests: &[Request]) -> HostOutcome<ObjectResult> {
        let result = ObjectResult {
            version: String::new(),
            target: String::new(),
            servers: vec!["s:1".into()],
            run: "r".into(),
            scratch: "s".into(),
            mix: ObjectMix::default(),
            sizes: ObjectSizes::Fixed(1),
            concurrency: 2,
            prefixes: 1,
            seed: 0,
            prepared: Prepared { objects: 3, bytes: 30, seconds },
            seconds,
            rows: ObjectOperation::ALL.map(|operation| row(operation, requests)).to_vec(),
            endpoints: Vec::new(),
            part: None,
            mismatches: Vec::new(),
            reconnects: 1,
            end: ObjectEnd::Duration,
            leftovers: 0,
            removed: 5,
            not_removed: None,
            hosts: Vec::new(),
        };
        HostOutcome::<()> { began_ns: vec![(late_ns, late_ns); 2], ..HostOutcome::default() }
            .with_result(Some(result))
    }

    proptest! {
        /// Requests, bytes, errors and histograms of the sum are those of all requests of all hosts; its time is that from the first
        /// start to the last end.
        #[test]
        fn sum_of_hosts_is_what_all_of_them_measured(
            drawn in prop::collection::vec(
                (0i64..3_000_000_000, 0.1f64..5.0, prop::collection::vec((0u8..5, 0u64..1000, 0u64..1_000_000), 0..50)),
                1..5,
            ),
        ) {
            let hosts = drawn.iter().map(|(late, seconds, requests)| host(*late, *seconds, requests)).collect();
            let sum = ObjectResult::of_hosts("t", hosts).unwrap();
            let all: Vec<Request> = drawn.iter().flat_map(|(_, _, requests)| requests.clone()).collect();
            prop_assert_eq!(&sum.rows, &ObjectOperation::ALL.map(|operation| row(operation, &all)).to_vec());
            let n = drawn.len() as u64;
            prop_assert_eq!((sum.removed, sum.prepared.objects, sum.concurrency), (5 * n, 3 * n, 2 * drawn.len()));
            let first = drawn.iter().map(|(late, ..)| *late as f64 / 1e9).fold(f64::INFINITY, f64::min);
            let last = drawn.iter().map(|(late, seconds, _)| *late as f64 / 1e9 + seconds).fold(0.0, f64::max);
            prop_assert!((sum.seconds - (last - first)).abs() < 1e-9);
            prop_assert_eq!(sum.hosts.len(), drawn.len());
        }
    }
}
