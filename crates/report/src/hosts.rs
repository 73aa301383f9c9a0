//! The result of a run on several hosts: a table of the hosts, what they did together, and the card of their sum.

use crate::catalog::{say, word};
use crate::scale::{megabytes, short, time};
use crate::{Grid, Lang, card, export, fill, findings, lay, prose_width};
use job::host_share::HostShareError;
use stats::Grade;
use stats::direction::Direction;
use stats::hosts::{CommonWindow, HostLoss, HostOutcome, HostsResult, Lag, Straggler, start_skew_ns};

/// Number of hosts up to which the terminal shows all, and beyond which it shows so many of the slowest and of the fastest.
const SHOWN: usize = 60;
const SHOWN_OF_EACH: usize = 15;
/// Largest number of sentences about hosts that are behind the others.
const STRAGGLERS: usize = 10;

/// Returns the table of the hosts and the card of all in lines of at most `width` columns, newline at the end.
pub fn render(lang: Lang, result: &HostsResult, width: usize) -> String {
    let prose = prose_width(width);
    let (few, left_out) = extremes(result);
    let mut lines = grid(lang, &few, width);
    if left_out > 0 {
        lines.extend(fill("", &say!(lang, "hosts-left-out", count = left_out.to_string()), prose));
    }
    lines.push(String::new());
    // The rate of a host alone is in the table.
    for window in result.common.iter().filter(|window| window.hosts > 1) {
        lines.extend(fill("", &common(lang, result, window), prose));
    }
    for straggler in result.stragglers.iter().take(STRAGGLERS) {
        lines.extend(fill("", &behind(lang, straggler), prose));
    }
    if let Some(more) = result.stragglers.len().checked_sub(STRAGGLERS).filter(|more| *more > 0) {
        lines.extend(fill("", &say!(lang, "hosts-more-behind", count = more.to_string()), prose));
    }
    lines.extend(skew(lang, &result.hosts).iter().flat_map(|text| fill("", text, prose)));
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
    if let Some((least_ms, most_ms)) = result.unequal_runtimes_ms() {
        let mut text = say!(lang, "hosts-rates-of-sum", least = seconds(least_ms), most = seconds(most_ms));
        if result.common.iter().any(|window| window.hosts > 1) {
            text = format!("{text}; {}", word!(lang, "hosts-use-common"));
        }
        lines.extend(fill("", &text, prose));
    }
    lines.push(String::new());
    lay(&lines) + &card::render(lang, &result.merged, width)
}

/// Rates of the hosts of a sum `R`, each with a result of the same kind.
pub(crate) struct HostRates<'a, R> {
    pub(crate) hosts: &'a [HostOutcome<R>],
    /// The sum.
    pub(crate) together: &'a R,
    /// Names of the columns, each with a rate.
    pub(crate) columns: Vec<&'a str>,
    /// Returns the rate of a result in a column.
    pub(crate) rate: &'a dyn Fn(&R, usize) -> Option<f64>,
    /// Returns Jain's index of the hosts' rates in a column.
    pub(crate) fairness: &'a dyn Fn(usize) -> Option<f64>,
    pub(crate) grade: &'a dyn Fn(&R) -> Grade,
}

impl<R> HostRates<'_, R> {
    /// Returns the table, what its rates mean, when the hosts began, and which of them were lost, with an empty line before.
    pub(crate) fn lines(&self, lang: Lang, width: usize) -> Vec<String> {
        let row = |name: &str, cell: &dyn Fn(usize) -> Option<String>, last: [String; 2]| {
            let cells = (0..self.columns.len()).map(|column| cell(column).unwrap_or_else(|| "-".into()));
            std::iter::once(name.to_owned()).chain(cells).chain(last).collect::<Vec<String>>()
        };
        let rate = |of: Option<&R>, column| Some(short((self.rate)(of?, column)?));
        let mut rows = vec![row(
            word!(lang, "hosts-column-host"),
            &|column| self.columns.get(column).map(|name| (*name).to_owned()),
            [word!(lang, "hosts-column-began").to_owned(), word!(lang, "hosts-column-grade").to_owned()],
        )];
        for host in self.hosts {
            let grade = match (&host.lost, &host.result) {
                (Some(_), _) => word!(lang, "hosts-lost-cell").to_owned(),
                (None, Some(result)) => (self.grade)(result).letter().to_string(),
                (None, None) => "-".into(),
            };
            rows.push(row(&host.name, &|column| rate(host.result.as_ref(), column), [began(host), grade]));
        }
        let sum = |column| rate(Some(self.together), column);
        rows.push(row(word!(lang, "hosts-together"), &sum, Default::default()));
        let fairness = |column| (self.fairness)(column).map(|index| format!("{index:.3}"));
        rows.push(row(word!(lang, "hosts-fairness-row"), &fairness, Default::default()));
        let mut lines = vec![String::new()];
        lines.extend(Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width));
        lines.push(String::new());
        let mut say = |text: &str| lines.extend(fill("", text, width));
        say(word!(lang, "hosts-rates"));
        say(word!(lang, "hosts-fairness-meaning"));
        skew(lang, self.hosts).iter().for_each(|text| say(text));
        for host in self.hosts {
            if let Some(loss) = &host.lost {
                let kept = match host.result.is_some() {
                    true => word!(lang, "hosts-kept-apart"),
                    false => word!(lang, "hosts-nothing-kept"),
                };
                say(&format!("{}; {kept}", lost(lang, &host.name, loss)));
            }
        }
        lines
    }
}

/// Returns the sentence about the time within which the workers of the hosts began; `None` unless two hosts did.
fn skew<R>(lang: Lang, hosts: &[HostOutcome<R>]) -> Option<String> {
    let (skew, wrong) = start_skew_ns(hosts)?;
    Some(say!(lang, "hosts-skew", skew = time(skew as f64), wrong = time(wrong as f64)))
}

/// Returns the time after the common start at which the first worker of a host began.
fn began<R>(host: &HostOutcome<R>) -> String {
    let began = host.began_ns.first().map(|(first, _)| format!("{:+.0} us", *first as f64 / 1e3));
    began.unwrap_or_else(|| "-".into())
}

/// Returns the table of all hosts, the slowest first, in lines of at most `width` columns.
pub fn table(lang: Lang, result: &HostsResult, width: usize) -> String {
    grid(lang, &by_rate(result), width).join("\n")
}

/// Returns the hosts by their rate of I/Os, the slowest first.
fn by_rate(result: &HostsResult) -> Vec<&HostOutcome> {
    let mut hosts: Vec<&HostOutcome> = result.hosts.iter().collect();
    let iops = |host: &HostOutcome| host.rates().iter().map(|rate| rate.iops).sum::<f64>();
    hosts.sort_by(|one, other| iops(one).total_cmp(&iops(other)));
    hosts
}

/// Returns the hosts that the terminal shows: all in the order of the command line, or of many the slowest, the fastest and the
/// lost ones; and the number of the others.
fn extremes(result: &HostsResult) -> (Vec<&HostOutcome>, usize) {
    if result.hosts.len() <= SHOWN {
        return (result.hosts.iter().collect(), 0);
    }
    let all = by_rate(result);
    let last = all.len() - SHOWN_OF_EACH;
    let shown =
        all.iter().enumerate().filter(|(at, host)| *at < SHOWN_OF_EACH || *at >= last || host.lost.is_some());
    let shown: Vec<&HostOutcome> = shown.map(|(_, host)| *host).collect();
    let left_out = all.len() - shown.len();
    (shown, left_out)
}

/// Returns the lines of the table of these hosts.
fn grid(lang: Lang, hosts: &[&HostOutcome], width: usize) -> Vec<String> {
    let shown: Vec<Direction> = Direction::ALL
        .into_iter()
        .filter(|direction| hosts.iter().any(|host| host.rates()[*direction as usize].ios > 0))
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
    rows.extend(hosts.iter().map(|host| row(lang, host, &shown)));
    Grid { keys: 1, to_right: |column| column > 0, gap: 2 }.lines(&rows, width)
}

/// Returns the sentence about the time in which all hosts ran, with their rates in it.
fn common(lang: Lang, result: &HostsResult, window: &CommonWindow) -> String {
    let rates = Direction::ALL.into_iter().zip(&window.rates).filter(|(_, rate)| rate.ios > 0);
    let rates: Vec<String> = rates
        .map(|(direction, rate)| {
            let (iops, rate) = (short(rate.iops), megabytes(rate.bytes_per_second as u64));
            say!(lang, "hosts-common-rate", direction = direction.name(), iops, rate)
        })
        .collect();
    let seconds = format!("{:.2} s", (window.to_ns - window.from_ns) as f64 / 1e9);
    let text =
        say!(lang, "hosts-common", seconds, hosts = window.hosts.to_string(), rates = rates.join(", "));
    match window.name.as_str() {
        "" => text,
        _ if result.common.len() < 2 => text,
        name => format!("{name}: {text}"),
    }
}

/// Returns the sentence about a host that is behind the others, with the reason.
fn behind(lang: Lang, straggler: &Straggler) -> String {
    let (host, percent) = (straggler.host.as_str(), format!("{:.0}", straggler.lag.percent()));
    let lag = match straggler.lag {
        Lag::Slower { iops, others_iops, .. } => {
            say!(lang, "hosts-slower", host, percent, iops = short(iops), others = short(others_iops))
        }
        Lag::Later { done_s, others_done_s } => {
            let (done, others) = (format!("{done_s:.1} s"), format!("{others_done_s:.1} s"));
            say!(lang, "hosts-later", host, percent, done, others)
        }
    };
    let reason = match &straggler.finding {
        Some(finding) => findings::statement(lang, &finding.claim),
        None => word!(lang, "hosts-no-reason").to_owned(),
    };
    format!("{lag}: {reason}")
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
        let p99 = host.percentile_ns(*direction, 99.0);
        cells.push(if rate.ios > 0 { short(rate.iops) } else { none() });
        cells.push(if rate.ios > 0 { megabytes(rate.bytes_per_second as u64) } else { none() });
        cells.push(p99.map_or_else(none, |nanos| time(nanos as f64)));
    }
    cells.push(began(host));
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
        HostLoss::EndedBySignal { signal } => {
            say!(lang, "hosts-lost-signal", host, signal = findings::signal_name(*signal))
        }
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

/// Returns the sentence about a host that has completed no I/O for some time.
pub fn stalled(lang: Lang, host: &str, seconds: u64) -> String {
    say!(lang, "hosts-stalled", host, seconds = seconds.to_string())
}

/// Returns the sentence about hosts that are not ready, and for which the others wait.
pub fn awaited(lang: Lang, hosts: &[&str], seconds: u64) -> String {
    let hosts = findings::some_hosts(lang, hosts);
    say!(lang, "hosts-awaited", hosts, seconds = seconds.to_string())
}

/// Returns the line of a command that runs on this many hosts.
pub fn measuring(lang: Lang, hosts: usize) -> String {
    say!(lang, "hosts-measuring", hosts = hosts.to_string())
}

/// Returns the sentence about `--share` for a command whose hosts have targets of their own in the same place.
pub fn no_share(lang: Lang) -> String {
    word!(lang, "hosts-no-share").to_owned()
}

/// Returns the sentence about a name of a host that is none.
pub fn bad_name(lang: Lang, name: &str) -> String {
    say!(lang, "hosts-bad-name", name)
}

/// Returns the sentence about a host that was named twice.
pub fn named_twice(lang: Lang, name: &str) -> String {
    say!(lang, "hosts-named-twice", name)
}

/// Returns the sentence about a command of `--rsh` without words.
pub fn empty_rsh(lang: Lang) -> String {
    word!(lang, "hosts-empty-rsh").to_owned()
}

/// Returns the sentence about a list without hosts.
pub fn no_hosts(lang: Lang) -> String {
    word!(lang, "hosts-none").to_owned()
}

/// Returns the sentence about mpirun, which is not installed.
pub fn no_mpirun(lang: Lang) -> String {
    word!(lang, "hosts-no-mpirun").to_owned()
}

/// Returns the sentence about a switch that cannot be given for a study on several hosts.
pub fn not_with_study(lang: Lang, switch: &str) -> String {
    say!(lang, "hosts-not-with-study", switch)
}

/// Returns the sentence about a simulated device as the target of a study on several hosts.
pub fn simulated_target(lang: Lang) -> String {
    word!(lang, "hosts-simulated-target").to_owned()
}

/// Returns the sentence about more than one target of a study on several hosts.
pub fn one_target(lang: Lang) -> String {
    word!(lang, "hosts-one-target").to_owned()
}

/// Returns the sentence about a study that goes on with other hosts than those that it has.
pub fn other_hosts(lang: Lang, study: i64, hosts: &[String]) -> String {
    say!(lang, "hosts-other-hosts", study, hosts = hosts.join(","))
}

/// Returns the sentence about an mpirun of another MPI, which calls itself `said`.
pub fn other_mpi(lang: Lang, said: &str) -> String {
    say!(lang, "hosts-other-mpi", said)
}

/// Returns the sentence about a switch that cannot be given with `--hosts`.
pub fn not_with_hosts(lang: Lang, switch: &str) -> String {
    say!(lang, "hosts-not-with", switch)
}

/// Returns the sentence about a switch that has a meaning only with `--hosts`.
pub fn only_with_hosts(lang: Lang, switch: &str) -> String {
    say!(lang, "hosts-only-with", switch)
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
        HostShareError::TooSmall { share, path, bytes } => {
            let (share, path, bytes) = (share.word(), path.as_str(), bytes.to_string());
            say!(lang, "hosts-not-split-small", share, path, bytes)
        }
        HostShareError::SeveralSizes { job } => say!(lang, "hosts-several-sizes", job = job.as_str()),
        HostShareError::NotInterleaved { job, option } => {
            say!(lang, "hosts-not-interleaved", job = job.as_str(), option = option.as_str())
        }
        HostShareError::OtherBlocks { job, other } => {
            say!(lang, "hosts-other-blocks", job = job.as_str(), other = other.as_str())
        }
        HostShareError::VerifiesOverwritten { job } => {
            say!(lang, "hosts-verifies-overwritten", job = job.as_str())
        }
        HostShareError::NotFilled { path } => say!(lang, "hosts-not-split-unwritten", path = path.as_str()),
    }
}

/// Returns the sentence about a device with zones that hosts would write block by block.
pub fn zoned(lang: Lang, path: &str) -> String {
    say!(lang, "hosts-zoned", path)
}

/// Returns the sentence about a job that waits for one of another host.
pub fn waits_for_other_host(lang: Lang, job: &str, other: &str) -> String {
    say!(lang, "hosts-waits-for-other", job, other)
}

/// Returns the sentence about a job that names a host which does not take part.
pub fn unknown_host(lang: Lang, job: &str, host: &str) -> String {
    say!(lang, "hosts-unknown", job, host)
}

/// Returns the sentence about a file or device that two hosts would write.
pub fn same_target(lang: Lang, path: &str, [first, second]: &[String; 2]) -> String {
    say!(lang, "hosts-same-target", path, first = first.as_str(), second = second.as_str())
}

/// Returns the sentence about a device that two hosts would test.
pub fn same_device(lang: Lang, path: &str, [first, second]: &[String; 2]) -> String {
    say!(lang, "hosts-same-device", path, first = first.as_str(), second = second.as_str())
}

/// Returns the sentence about a run that did not begin.
pub fn refused(lang: Lang) -> String {
    word!(lang, "hosts-refused").to_owned()
}
