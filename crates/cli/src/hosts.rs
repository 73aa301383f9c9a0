//! `fathom run --hosts` and `fathom fio --hosts`: the same jobs on several hosts, begun together, with one result.

use crate::dialect::{argv0, diagnostics};
use crate::host_files::{HostFiles, HostSide};
use crate::host_switches::{Carrier, HostSwitches, MPIRUN};
use crate::live::OwnWatch;
use crate::output::print;
use crate::run_command::{Arguments, GRADE_TOO_LOW};
use crate::stored::{StoreChoice, title};
use crate::{signal, terminal};
use hosts::{AgentWork, HostPlace, HostsError, HostsRequest, HostsWatch, Transport, coordinate};
use job::host_share::unknown_host;
use job::job::Job;
use job::{Dialect, Format, Parsed, exit_status};
use report::Lang;
use report::client_stats::ClientStats;
use report::words;
use run::Watch;
use rustix::fs::{Mode, OFlags};
use stats::answer::Answer;
use stats::hosts::HostLoss;
use stats::{Live, RunResult};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

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
        self.watch.clear();
        line.lines().for_each(|line| eprintln!("{host}: {line}"));
    }

    fn lost(&mut self, host: &str, loss: &HostLoss) {
        self.watch.clear();
        eprintln!("fathom: {}", report::hosts::lost(self.lang, host, loss));
    }

    fn stalled(&mut self, host: &str, seconds: u64) {
        self.watch.clear();
        eprintln!("fathom: {}", report::hosts::stalled(self.lang, host, seconds));
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

/// Returns how the agents of these hosts are started.
///
/// # Errors
/// The reason why they cannot be, in the user's language.
pub fn transport(
    switches: &HostSwitches,
    names: &[String],
    relay: Option<UnixStream>,
    lang: Lang,
) -> Result<Transport, String> {
    let commands = switches.commands(names);
    Ok(match (relay, switches.transport) {
        (Some(stream), _) => Transport::Relay(stream),
        (None, Carrier::Ssh) => Transport::Shells(commands),
        (None, Carrier::Mpi) => {
            open_mpi(lang)?;
            Transport::Launcher(commands.into_iter().flatten().collect())
        }
    })
}

/// Returns the line of a command as a shell takes it.
pub fn line(command: &[String]) -> String {
    words::shell::line(command.iter().map(String::as_str)) + "\n"
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

/// Runs the jobs on the hosts and returns the exit status.
pub fn run(lang: Lang, dialect: Dialect, ours: &Arguments, typed: &[OsString]) -> i32 {
    let switches = &ours.hosts;
    let of_fio = dialect == Dialect::Fio;
    let command = if of_fio { "fathom fio" } else { "fathom run" };
    let fail = |why: &str, status: i32| {
        why.lines().for_each(|line| eprintln!("{command}: {line}"));
        status
    };
    let names = match switches.names(lang) {
        Ok(names) => names,
        Err(why) => return fail(&why, 2),
    };
    let relay = match switches.relay.then(relay).transpose() {
        Ok(relay) => relay,
        Err(e) => return fail(&e.to_string(), 1),
    };
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
            if of_fio && formats.contains(&Format::Normal) && !switches.dry_run {
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
    if switches.dry_run {
        print(&switches.commands(&names).iter().map(|words| line(words)).collect::<String>());
        return 0;
    }
    let transport = match transport(switches, &names, relay, lang) {
        Ok(transport) => transport,
        Err(why) => return fail(&why, 1),
    };
    let work = AgentWork {
        arguments,
        of_fio,
        files: files.contents,
        share: switches.share,
        names: names.clone(),
        language: lang.name().to_owned(),
        ..AgentWork::default()
    };
    let request = HostsRequest {
        hosts: names.clone(),
        transport,
        version: env!("CARGO_PKG_VERSION").into(),
        on_loss: switches.on_loss,
        interrupt: signal::watch(),
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
        Err(HostsError::Interrupted) => return 128,
        Err(HostsError::Refused(refused)) => {
            let status = refused.iter().map(|(_, _, status)| *status).max().unwrap_or(1);
            for (host, why, _) in &refused {
                why.lines().for_each(|line| eprintln!("{host}: {line}"));
            }
            return fail(&report::hosts::refused(lang), status);
        }
        Err(HostsError::SameTarget { path, hosts }) => {
            fail(&report::hosts::same_target(lang, &path, &hosts), exit_status::REFUSED);
            return fail(&report::hosts::refused(lang), exit_status::REFUSED);
        }
        Err(HostsError::Lost(lost)) => {
            for (host, loss) in &lost {
                eprintln!("fathom: {}", report::hosts::lost(lang, host, loss));
            }
            return fail(&report::hosts::refused(lang), 1);
        }
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
