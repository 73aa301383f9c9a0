//! Reason why a command that starts agents has ended, out of what it printed on standard error.

/// Beginning of a line of the relay.
const RELAY: &str = "fathom-mpi: ";

/// Beginning of mpirun's message that a process has failed; the next one says which.
const FAILED: &str = "Primary job";
/// Beginning of mpirun's message that a host could not be reached; the shell has said why in the line before.
const NOT_STARTED: &str = "ORTE was unable to reliably start";

/// Returns the line, or the first sentence of mpirun's message, that says why the command ended; empty if it printed nothing.
///
/// A shell such as ssh says it in its last line. mpirun puts each message between lines of dashes; lines of its libraries begin
/// with a bracket and may stand anywhere.
pub(crate) fn complaint(lines: &[String]) -> String {
    if let Some(line) = lines.iter().find(|line| line.starts_with(RELAY)) {
        return line.clone();
    }
    let last =
        |lines: &[&str]| lines.iter().rfind(|line| !line.trim().is_empty()).map(|line| (*line).to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let said: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with('[')).collect();
    let is_rule = |line: &&str| line.len() > 20 && line.bytes().all(|byte| byte == b'-');
    let mut parts = said.split(is_rule);
    let before = parts.next().unwrap_or_default();
    let mut messages = parts.filter(|part| !part.is_empty()).peekable();
    if let Some(at) = messages.clone().position(|message| message[0].starts_with(FAILED)) {
        let which = messages.clone().nth(at + 1).or_else(|| messages.nth(at));
        return which.map(sentence).unwrap_or_default();
    }
    let shell = || last(before).filter(|_| !before.is_empty());
    match messages.peek() {
        Some(message) if message[0].starts_with(NOT_STARTED) => shell().unwrap_or_else(|| sentence(message)),
        Some(message) => sentence(message),
        None => shell().or_else(|| last(&lines)).unwrap_or_default(),
    }
}

/// Returns the first paragraph of a message of mpirun, and the second if it is the names that the first one announces.
fn sentence(message: &[&str]) -> String {
    let mut paragraphs = message.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
    let first = paragraphs.next().unwrap_or_default();
    let names = paragraphs
        .next()
        .filter(|lines| lines.iter().all(|line| line.starts_with(' ') || line.contains(": ")));
    let lines = first.iter().chain(names.unwrap_or_default());
    lines.flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::complaint;

    const RULE: &str = "--------------------------------------------------------------------------";
    const FAILED: &str = "RULE\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code. Per user-direction, the job has been aborted.\nRULE\n";

    fn of(text: &str) -> String {
        complaint(&text.replace("RULE", RULE).lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn shell_says_it_in_its_last_line() {
        assert_eq!(of("Warning: added key\nh1: Permission denied\n\n"), "h1: Permission denied");
        assert_eq!(of(""), "");
    }

    /// What Open MPI 4.1.4 printed.
    #[test]
    fn process_that_failed_is_named_by_mpirun() {
        let killed = "RULE\nmpirun noticed that process rank 1 with PID 28044 on node h2 exited on signal 9 (Killed).\nRULE";
        let wanted =
            "mpirun noticed that process rank 1 with PID 28044 on node h2 exited on signal 9 (Killed).";
        assert_eq!(of(&format!("a warning\n{FAILED}{killed}")), wanted);
        assert_eq!(of(&format!("{FAILED}[h1][[11958,1],0] recv(20) failed\n{killed}")), wanted);
        let status = "RULE\nmpirun detected that one or more processes exited with non-zero status, thus causing\nthe job to be terminated. The first process to do so was:\n\n  Process name: [[353,1],1]\n  Exit code:    3\nRULE";
        assert!(of(&format!("{FAILED}{status}")).ends_with("was: Process name: [[353,1],1] Exit code: 3"));
        let lacks = format!("fathom-mpi: libmpi.so.40 is missing\n{FAILED}{status}");
        assert_eq!(of(&lacks), "fathom-mpi: libmpi.so.40 is missing");
    }

    /// What Open MPI 4.1.4 printed.
    #[test]
    fn host_that_is_gone_or_not_reached_is_named() {
        let lost = "RULE\nORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[1020,0],0] on node vm\n  Remote daemon: [[1020,0],2] on node h2\n\nThis is usually due to either a failure of the TCP network\nconnection to the node, or possibly an internal failure.\nRULE";
        let wanted = "ORTE has lost communication with a remote daemon. HNP daemon : [[1020,0],0] on node vm Remote daemon: [[1020,0],2] on node h2";
        assert_eq!(of(&format!("Warning: added key\n{lost}")), wanted);
        let unknown = "ssh: Could not resolve hostname h9: no such name\nRULE\nORTE was unable to reliably start one or more daemons.\nThis usually is caused by:\n\n* not finding the required libraries\nRULE\n[vm:1] 1 more process";
        assert_eq!(of(unknown), "ssh: Could not resolve hostname h9: no such name");
        let program = "RULE\nmpirun was unable to launch the specified application as it could not access\nor execute an executable:\n\nExecutable: /nonexistent/fathom-mpi\nNode: h2\n\nwhile attempting to start process rank 1.\nRULE\n3 total processes failed to start";
        assert!(
            of(program).ends_with("an executable: Executable: /nonexistent/fathom-mpi Node: h2"),
            "{}",
            of(program)
        );
    }
}
