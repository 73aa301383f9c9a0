//! `--hosts`: the same jobs, or the same command, on several hosts, begun together, with one result.

use crate::dialect::{argv0, diagnostics};
use crate::host_files::{HostFiles, HostSide};
use crate::host_switches::{Carrier, HostSwitches, MPIRUN};
use crate::live::OwnWatch;
use crate::output::print;
use crate::run_command::{Arguments, GRADE_TOO_LOW};
use crate::stored::{StoreChoice, title};
use crate::{signal, terminal};
use hosts::{
    AgentCommand, AgentWork, HostPlace, HostsError, HostsRequest, HostsWatch, LossRule, Transport, coordinate,
};
use job::host_share::{HostShare, unknown_host};
use job::job::Job;
use job::{Dialect, Format, Parsed, exit_status};
use report::Lang;
use report::client_stats::ClientStats;
use report::words;
use run::Watch;
use rustix::fs::{Mode, OFlags};
use stats::answer::Answer;
use stats::host_answer::HostAnswer;
use stats::hosts::{HostLoss, HostOutcome};
use stats::{Live, RunResult};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

/// Prints lines, each with the name of the host that said it.
fn said(watch: &mut OwnWatch, host: &str, text: &str) {
    watch.clear();
    text.lines().for_each(|line| eprintln!("{host}: {line}"));
}

/// Prints what happens during the run.
struct HostsPrinter {
    watch: OwnWatch,
    lang: Lang,
    names: Vec<String>,
    /// fio's report, if it was asked for.
    clients: Option<ClientStats>,
}

impl HostsWatch for HostsPrinter {
    fn said(&mut self, host: &str, line: &str) {
        said(&mut self.watch, host, line);
    }

    fn lost(&mut self, host: &str, loss: &HostLoss) {
        said(&mut self.watch, "fathom", &report::hosts::lost(self.lang, host, loss));
    }

    fn stalled(&mut self, host: &str, seconds: u64) {
        said(&mut self.watch, "fathom", &report::hosts::stalled(self.lang, host, seconds));
    }

    fn awaited(&mut self, hosts: &[&str], seconds: u64) {
        said(&mut self.watch, "fathom", &report::hosts::awaited(self.lang, hosts, seconds));
    }

    fn result(&mut self, host: usize, result: &RunResult) {
        if let Some(clients) = &mut self.clients {
            clients.add(host, &self.names[host], result);
        }
    }

    fn look(&mut self, live: &Live) {
        self.watch.look(live);
    }
}

/// Returns the socket to the relay, which is standard input; that is another one afterwards, for job files.
fn relay() -> io::Result<UnixStream> {
    let stream = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    Ok(UnixStream::from(stream))
}

/// Returns whether Open MPI's mpirun is installed.
///
/// # Errors
/// The reason why it cannot start the agents, in the user's language.
fn open_mpi(lang: Lang) -> Result<(), String> {
    let asked = Command::new(MPIRUN).arg("--version").stdin(Stdio::null()).output();
    let output = asked.map_err(|_| report::hosts::no_mpirun(lang))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match said.contains("Open MPI") {
        true => Ok(()),
        false => Err(report::hosts::other_mpi(lang, said.lines().next().unwrap_or_default())),
    }
}

/// Returns fio's lines about the jobs, with the name of each host that runs them.
fn banners(jobs: &[Job], names: &[String]) -> String {
    let mut text = String::new();
    for job in jobs {
        let banner = report::banner(&job::banner(job));
        for name in names.iter().filter(|name| job.hosts.is_empty() || job.hosts.contains(name)) {
            text.extend(banner.lines().map(|line| format!("<{name}> {line}\n")));
        }
    }
    text
}

/// Hosts of a command, and what starts their agents.
pub struct HostsOrder {
    /// Names of the hosts.
    pub names: Vec<String>,
    commands: Vec<Vec<String>>,
    carrier: Carrier,
    relay: Option<UnixStream>,
    on_loss: LossRule,
}

impl HostsOrder {
    /// Returns what the switches order.
    ///
    /// # Errors
    /// The reason why they cannot be followed, in the user's language, and the exit status.
    pub fn of(lang: Lang, switches: &HostSwitches) -> Result<HostsOrder, (String, i32)> {
        let names = switches.names(lang).map_err(|why| (why, 2))?;
        let commands = match switches.transport {
            Carrier::Ssh => names.iter().map(|name| switches.command(name)).collect(),
            Carrier::Mpi => vec![switches.mpi_command(&names, rustix::process::geteuid().is_root())],
        };
        let relay = switches.relay.then(relay).transpose().map_err(|e| (e.to_string(), 1))?;
        Ok(HostsOrder { names, commands, carrier: switches.transport, relay, on_loss: switches.on_loss })
    }

    /// Returns the commands that start the agents, a line for each.
    pub fn command_lines(&self) -> String {
        let line = |command: &Vec<String>| words::shell::line(command.iter().map(String::as_str)) + "\n";
        self.commands.iter().map(line).collect()
    }

    /// Returns the request for these hosts.
    ///
    /// # Errors
    /// The reason why the agents cannot be started, in the user's language.
    pub fn request(self, lang: Lang) -> Result<HostsRequest, String> {
        let transport = match (self.relay, self.carrier) {
            (Some(stream), _) => Transport::Relay(stream),
            (None, Carrier::Ssh) => Transport::Shells(self.commands),
            (None, Carrier::Mpi) => {
                open_mpi(lang)?;
                Transport::Launcher(self.commands.into_iter().flatten().collect())
            }
        };
        Ok(HostsRequest {
            hosts: self.names,
            transport,
            version: env!("CARGO_PKG_VERSION").into(),
            on_loss: self.on_loss,
            interrupt: signal::watch(),
        })
    }
}

/// Prints why `fathom COMMAND` did not run on any host, and returns the exit status.
pub fn not_begun(lang: Lang, command: &str, error: HostsError) -> i32 {
    let fail = |why: &str, status: i32| {
        eprintln!("fathom {command}: {why}");
        status
    };
    match error {
        HostsError::Interrupted => 128,
        HostsError::Refused(refused) => {
            let status = refused.iter().map(|(_, _, status)| *status).max().unwrap_or(1);
            for (host, why, _) in &refused {
                why.lines().for_each(|line| eprintln!("{host}: {line}"));
            }
            fail(&report::hosts::refused(lang), status)
        }
        HostsError::SameTarget { path, hosts } => {
            let why = match command == AgentCommand::Pts.name() {
                true => report::hosts::same_device(lang, &path, &hosts),
                false => report::hosts::same_target(lang, &path, &hosts),
            };
            fail(&why, exit_status::REFUSED);
            fail(&report::hosts::refused(lang), exit_status::REFUSED)
        }
        HostsError::Lost(lost) => {
            for (host, loss) in &lost {
                eprintln!("fathom: {}", report::hosts::lost(lang, host, loss));
            }
            fail(&report::hosts::refused(lang), 1)
        }
    }
}

/// Receiver of the answers of hosts, or of parts of them, by the number of the host from 0. It must return soon: meanwhile
/// no message of a host is read.
pub type TakeAnswer<'a> = &'a mut dyn FnMut(usize, HostAnswer);

/// Prints what happens on hosts that run another command than jobs, and passes their answers on.
struct AnswersPrinter<'a> {
    watch: OwnWatch,
    lang: Lang,
    take: TakeAnswer<'a>,
}

impl HostsWatch for AnswersPrinter<'_> {
    fn said(&mut self, host: &str, line: &str) {
        said(&mut self.watch, host, line);
    }

    fn lost(&mut self, host: &str, loss: &HostLoss) {
        said(&mut self.watch, "fathom", &report::hosts::lost(self.lang, host, loss));
    }

    fn stalled(&mut self, _host: &str, _seconds: u64) {}

    fn awaited(&mut self, hosts: &[&str], seconds: u64) {
        said(&mut self.watch, "fathom", &report::hosts::awaited(self.lang, hosts, seconds));
    }

    fn result(&mut self, _host: usize, _result: &RunResult) {}

    fn answer(&mut self, host: usize, answer: HostAnswer) {
        (self.take)(host, answer);
    }

    fn look(&mut self, _live: &Live) {}
}

/// Runs a command that is not `fathom run` on the hosts that `switches` names, with the arguments as they were typed and these before
/// them. Returns the hosts with their answers, as `own` takes them from those of all commands; `None` after `--dry-run`.
///
/// # Errors
/// The command did not run on any host: the reason was printed, and this is the exit status.
pub fn answers<R>(
    lang: Lang,
    command: AgentCommand,
    switches: &HostSwitches,
    (before, typed): (&[String], &[OsString]),
    dry_run: bool,
    own: fn(HostAnswer) -> Option<R>,
) -> Result<Option<Vec<HostOutcome<R>>>, i32> {
    let mut answers: BTreeMap<usize, HostAnswer> = BTreeMap::new();
    let mut take = |host, answer| {
        answers.insert(host, answer);
    };
    let hosts = each_answer(lang, command, switches, (before, typed), dry_run, &mut take)?;
    let with_answer =
        |(number, host): (usize, HostOutcome)| host.with_result(answers.remove(&number).and_then(own));
    Ok(hosts.map(|hosts| hosts.into_iter().enumerate().map(with_answer).collect()))
}

/// As [`answers`], but passes each answer, or part of it, on when it arrives.
pub fn each_answer(
    lang: Lang,
    command: AgentCommand,
    switches: &HostSwitches,
    (before, typed): (&[String], &[OsString]),
    dry_run: bool,
    take: TakeAnswer<'_>,
) -> Result<Option<Vec<HostOutcome>>, i32> {
    let fail = |(why, status): (String, i32)| {
        eprintln!("fathom {}: {why}", command.name());
        status
    };
    if switches.share != HostShare::Own {
        return Err(fail((report::hosts::no_share(lang), 2)));
    }
    let order = HostsOrder::of(lang, switches).map_err(fail)?;
    let typed: Option<Vec<String>> = typed.iter().map(|word| word.to_str().map(str::to_owned)).collect();
    let typed = typed.ok_or_else(|| fail((report::hosts::not_utf8(lang), 2)))?;
    if dry_run {
        print(&order.command_lines());
        return Ok(None);
    }
    let arguments = before.iter().cloned().chain(typed).collect();
    let hosts = order.names.len();
    let (names, language) = (order.names.clone(), lang.name().to_owned());
    let work = AgentWork { command, arguments, names, language, ..AgentWork::default() };
    let request = order.request(lang).map_err(|why| fail((why, 1)))?;
    let mut printer = AnswersPrinter { watch: OwnWatch::new(lang), lang, take };
    printer.watch.progress(&report::hosts::measuring(lang, hosts));
    let ran = coordinate(request, work, &mut printer);
    printer.watch.clear();
    let result = ran.map_err(|error| not_begun(lang, command.name(), error))?;
    Ok(Some(result.hosts))
}

/// Returns the exit status of a command on hosts: 128 after a signal, 1 if a host was lost, else the largest of the hosts' own, 128 last.
pub fn status<R>(hosts: &[HostOutcome<R>]) -> i32 {
    // The others were stopped because of a host that refused or failed.
    let of =
        |stopped: bool| hosts.iter().map(|host| host.status).filter(|own| (*own == 128) == stopped).max();
    match hosts.iter().any(|host| host.lost.is_some()) {
        _ if signal::asked() => 128,
        true => 1,
        false => of(false).filter(|own| *own != 0).or(of(true)).unwrap_or(0),
    }
}

/// Runs the jobs on the hosts and returns the exit status.
pub fn run(lang: Lang, dialect: Dialect, ours: &Arguments, typed: &[OsString]) -> i32 {
    let switches = &ours.hosts;
    let of_fio = dialect == Dialect::Fio;
    let command = if of_fio { "fathom fio" } else { "fathom run" };
    let fail = |why: &str, status: i32| {
        why.lines().for_each(|line| eprintln!("{command}: {line}"));
        status
    };
    let order = match HostsOrder::of(lang, switches) {
        Ok(order) => order,
        Err((why, status)) => return fail(&why, status),
    };
    let names = order.names.clone();
    let unfit = [
        ("--stop-on-drop", ours.stop_on_drop),
        ("--results", ours.results.is_some()),
        ("--write-job", ours.write_job.is_some()),
        ("--write-icf", ours.write_icf.is_some()),
        ("--iometer-target", !ours.iometer_target.is_empty()),
    ];
    if let Some((switch, _)) = unfit.iter().find(|(_, given)| *given) {
        return fail(&report::hosts::not_with_hosts(lang, switch), 2);
    }
    let arguments = ours.fios.iter().map(|word| word.to_str().map(str::to_owned));
    let Some(arguments) = arguments.collect::<Option<Vec<String>>>() else {
        return fail(&report::hosts::not_utf8(lang), 2);
    };
    // The jobs are read here with the name of the first host.
    let place = HostPlace { name: names[0].clone(), number: 0, hosts: names.len() as u32 };
    let keep = StoreChoice::of_switches(ours.store.clone(), ours.no_store);
    if let Err((why, status)) = keep.may_be_written(lang) {
        return fail(&why, status);
    }
    let formats;
    let mut files = HostFiles::new(HostSide::Coordinator, &place, BTreeMap::new());
    let first: Vec<OsString> = arguments.iter().map(|word| place.fill(word).into()).collect();
    match job::command_line(&first, argv0(dialect), dialect, &mut files) {
        Ok(Parsed::Run(line)) => {
            let said = diagnostics(dialect, lang, &line.diagnostics);
            eprint!("{}", said.stderr);
            if let Some((job, host)) = unknown_host(&line.jobs, &names) {
                return fail(&report::hosts::unknown_host(lang, job, host), 1);
            }
            if line.switches.output.is_some() {
                return fail(&report::hosts::not_with_hosts(lang, "--output"), 2);
            }
            formats = line.switches.formats;
            if formats.contains(&Format::Terse) {
                return fail(&report::hosts::not_with_hosts(lang, "--output-format=terse"), 2);
            }
            if of_fio && formats.contains(&Format::Normal) && !ours.dry_run {
                print(&banners(&line.jobs, &names));
            }
        }
        Ok(_) => return fail(&report::hosts::nothing_to_run(lang), 2),
        Err(usage) => {
            let said = diagnostics(dialect, lang, &usage.diagnostics);
            eprint!("{}", said.stderr);
            return usage.code;
        }
    }
    if ours.dry_run {
        print(&order.command_lines());
        return 0;
    }
    let work = AgentWork {
        arguments,
        of_fio,
        files: files.contents,
        share: switches.share,
        names: names.clone(),
        language: lang.name().to_owned(),
        ..AgentWork::default()
    };
    let request = match order.request(lang) {
        Ok(request) => request,
        Err(why) => return fail(&why, 1),
    };
    let bins = formats.contains(&Format::JsonPlus);
    let fios_json = bins || formats.contains(&Format::Json);
    let fios_text = of_fio && formats.contains(&Format::Normal);
    let clients = (fios_json || fios_text).then(|| ClientStats::new(bins));
    let mut printer = HostsPrinter { watch: OwnWatch::new(lang).with_view(ours.view), lang, names, clients };
    let began_ms = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let ran = coordinate(request, work, &mut printer);
    printer.watch.clear();
    let mut result = match ran {
        Ok(result) => result,
        Err(error) => return not_begun(lang, if of_fio { "fio" } else { "run" }, error),
    };
    result.merged.provenance.host.command = title(typed);
    print(&match printer.clients {
        Some(clients) => {
            let text = if fios_text { clients.text(&result.merged) } else { String::new() };
            // As in fio, the text comes last.
            if fios_json { clients.render(&result.merged) + &text } else { text }
        }
        None if ours.json => report::hosts::json(&result),
        None => report::hosts::render(lang, &result, terminal::width()),
    });
    let result = Answer::Hosts(Box::new(result));
    let lost = keep.titled(&result, &title(typed), began_ms, lang);
    let Answer::Hosts(result) = result else { return 1 };
    let worst = result.hosts.iter().map(|host| host.status).max().unwrap_or(0);
    match worst {
        _ if result.ended_by_signal.is_some() => 128,
        _ if result.hosts.iter().any(|host| host.lost.is_some()) => 1,
        0 if lost => run::output::NOT_WRITTEN,
        0 if ours.required.fails(result.merged.grade()) => GRADE_TOO_LOW,
        worst => worst,
    }
}
