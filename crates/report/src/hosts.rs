//! The result of a run on several hosts: a table of the hosts, and the card of their sum.

use crate::catalog::{say, word};
use crate::scale::{megabytes, short, time};
use crate::{Grid, Lang, card, export, fill, lay, prose_width};
use job::host_share::HostShareError;
use stats::direction::Direction;
use stats::hosts::{HostLoss, HostOutcome, HostsResult};

/// Returns the table of the hosts and the card of all in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, result: &HostsResult, width: usize) -> String {
    let prose = prose_width(width);
    let mut lines = Vec::new();
    let shown: Vec<Direction> = Direction::ALL
        .into_iter()
        .filter(|direction| result.hosts.iter().any(|host| host.rates()[*direction as usize].ios > 0))
        .collect();
    let mut head = vec![word!(lang, "hosts-column-host").to_owned()];
    for direction in &shown {
        head.push(say!(lang, "hosts-column-iops", direction = direction.name()));
        head.push("MB/s".into());
        head.push(word!(lang, "hosts-column-p99").to_owned());
    }
    head.push(word!(lang, "hosts-column-began").to_owned());
    head.push(word!(lang, "hosts-column-grade").to_owned());
    let mut rows = vec![head];
    rows.extend(result.hosts.iter().map(|host| row(lang, host, &shown)));
    lines.extend(Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width));
    lines.push(String::new());
    if let Some((skew, wrong)) = result.start_skew_ns() {
        let text = say!(lang, "hosts-skew", skew = time(skew as f64), wrong = time(wrong as f64));
        lines.extend(fill("", &text, prose));
    }
    if let Some(index) = result.fairness() {
        let (first, last) = (seconds(result.first_done_ms), seconds(result.last_done_ms));
        lines.extend(fill(
            "",
            &say!(lang, "hosts-fairness", index = format!("{index:.3}"), first, last),
            prose,
        ));
    }
    for host in &result.hosts {
        if let Some(loss) = &host.lost {
            lines.extend(fill("", &lost(lang, &host.name, loss), prose));
            let kept = match (&host.result, host.lost_at_s) {
                (Some(_), Some(at)) => say!(lang, "hosts-kept", seconds = format!("{at:.1} s")),
                _ => word!(lang, "hosts-nothing-kept").to_owned(),
            };
            lines.extend(fill("", &kept, prose));
        }
    }
    lines.push(String::new());
    lay(&lines) + &card::render(lang, &result.merged, width)
}

fn seconds(ms: u64) -> String {
    format!("{:.1} s", ms as f64 / 1e3)
}

fn row(lang: Lang, host: &HostOutcome, shown: &[Direction]) -> Vec<String> {
    let mut cells = vec![host.name.clone()];
    let rates = host.rates();
    for direction in shown {
        let rate = rates[*direction as usize];
        let none = || "-".to_owned();
        let p99 = host.p99_ns(*direction);
        cells.push(if rate.ios > 0 { short(rate.iops) } else { none() });
        cells.push(if rate.ios > 0 { megabytes(rate.bytes_per_second as u64) } else { none() });
        cells.push(p99.map_or_else(none, |nanos| time(nanos as f64)));
    }
    let began = host.began_ns.first().map(|(first, _)| format!("{:+.0} us", *first as f64 / 1e3));
    cells.push(began.unwrap_or_else(|| "-".into()));
    cells.push(match (&host.lost, &host.result) {
        (Some(_), _) => word!(lang, "hosts-lost-cell").to_owned(),
        (None, Some(result)) => result.grade().letter().to_string(),
        (None, None) => "-".into(),
    });
    cells
}

/// Returns the result as one JSON document, newline at the end.
pub fn json(result: &HostsResult) -> String {
    export::json_with_words(result)
}

/// Returns the sentence about a lost host.
pub fn lost(lang: Lang, host: &str, loss: &HostLoss) -> String {
    match loss {
        HostLoss::ConnectionEnded { said, status } => match (said.as_str(), status) {
            ("", Some(status)) => say!(lang, "hosts-lost-ended", host, status = status.to_string()),
            ("", None) => say!(lang, "hosts-lost-killed", host),
            (said, _) => say!(lang, "hosts-lost-said", host, said),
        },
        HostLoss::Silent { seconds } => say!(lang, "hosts-lost-silent", host, seconds = seconds.to_string()),
        HostLoss::NotAnAgent => say!(lang, "hosts-lost-no-agent", host),
        HostLoss::OtherVersion { version } => {
            say!(
                lang,
                "hosts-lost-version",
                host,
                version = version.as_str(),
                own = env!("CARGO_PKG_VERSION")
            )
        }
    }
}

/// Returns the sentence about a name of a host that is none.
pub fn bad_name(lang: Lang, name: &str) -> String {
    say!(lang, "hosts-bad-name", name)
}

/// Returns the sentence about a list without hosts.
pub fn no_hosts(lang: Lang) -> String {
    word!(lang, "hosts-none").to_owned()
}

/// Returns the sentence about mpirun, which is not installed.
pub fn no_mpirun(lang: Lang) -> String {
    word!(lang, "hosts-no-mpirun").to_owned()
}

/// Returns the sentence about an mpirun of another MPI, which calls itself `said`.
pub fn other_mpi(lang: Lang, said: &str) -> String {
    say!(lang, "hosts-other-mpi", said)
}

/// Returns the sentence about a switch that cannot be given with `--hosts`.
pub fn not_with_hosts(lang: Lang, switch: &str) -> String {
    say!(lang, "hosts-not-with", switch)
}

/// Returns the sentence about a command line without jobs.
pub fn nothing_to_run(lang: Lang) -> String {
    word!(lang, "hosts-nothing-to-run").to_owned()
}

/// Returns the sentence about an argument that is no text.
pub fn not_utf8(lang: Lang) -> String {
    word!(lang, "hosts-not-utf8").to_owned()
}

/// Returns the sentence about targets that cannot be split among the hosts.
pub fn not_split(lang: Lang, error: &HostShareError) -> String {
    match error {
        HostShareError::TooSmall { path, bytes } => {
            say!(lang, "hosts-not-split-small", path = path.as_str(), bytes = bytes.to_string())
        }
        HostShareError::NotFilled { path } => say!(lang, "hosts-not-split-unwritten", path = path.as_str()),
    }
}

/// Returns the sentence about a run that did not begin.
pub fn refused(lang: Lang) -> String {
    word!(lang, "hosts-refused").to_owned()
}
