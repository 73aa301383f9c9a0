//! Two network namespaces with a link between them, for servers that are reached through an interface with a limit.

use crate::bounded::{Bounded, TOOL_LIMIT};
use crate::child::Running;
use std::io;
use std::process::Command;

/// Address of the client's end.
pub const CLIENT: &str = "10.209.0.1";
/// Address of the server's end.
pub const SERVER: &str = "10.209.0.2";

/// Link between a namespace of a client and one of a server. Both have a mount namespace of their own, in which `/sys` shows
/// their interfaces. They end on drop, and after some minutes if the test process is killed.
#[derive(Debug)]
pub struct NetLink {
    client: Running,
    server: Running,
}

impl NetLink {
    /// Makes a link whose interfaces (`link0` at both ends) have these queueing disciplines, as `tc qdisc add` takes them;
    /// an empty text is the kernel's default. Needs root, `ip` and `tc`.
    ///
    /// # Errors
    /// A program is missing or refuses.
    pub fn new(client_qdisc: &str, server_qdisc: &str) -> io::Result<NetLink> {
        let link = NetLink { client: namespace()?, server: namespace()? };
        let peer = link.server.pid();
        tool(
            link.on_client("ip")
                .args(["link", "add", "link0", "type", "veth", "peer", "name", "link0", "netns"])
                .arg(peer.to_string()),
        )?;
        for (end, address, qdisc) in [(0, CLIENT, client_qdisc), (1, SERVER, server_qdisc)] {
            let on = |program| if end == 0 { link.on_client(program) } else { link.on_server(program) };
            tool(on("ip").args(["addr", "add", &format!("{address}/24"), "dev", "link0"]))?;
            for interface in ["lo", "link0"] {
                tool(on("ip").args(["link", "set", interface, "up"]))?;
            }
            if !qdisc.is_empty() {
                let add = ["qdisc", "add", "dev", "link0", "root"];
                tool(on("tc").args(add).args(qdisc.split_whitespace()))?;
            }
        }
        Ok(link)
    }

    /// Returns a command in the namespace of the client.
    pub fn on_client(&self, program: &str) -> Command {
        within(&self.client, program)
    }

    /// Returns a command in the namespace of the server.
    pub fn on_server(&self, program: &str) -> Command {
        within(&self.server, program)
    }
}

/// Starts a process with namespaces of its own, and waits until they are ready.
fn namespace() -> io::Result<Running> {
    let mut holder = Command::new("unshare");
    holder.args(["--net", "--mount", "sh", "-c", "mount -t sysfs none /sys && echo ready && exec sleep 300"]);
    let running = Running::start(&mut holder)?;
    let begun = std::time::Instant::now();
    while !running.stdout_so_far().contains("ready") {
        if begun.elapsed() > TOOL_LIMIT {
            return Err(io::Error::other("no namespace"));
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok(running)
}

fn within(holder: &Running, program: &str) -> Command {
    let mut command = Command::new("nsenter");
    command.arg(format!("--target={}", holder.pid())).args(["--net", "--mount", "--", program]);
    command
}

fn tool(command: &mut Command) -> io::Result<()> {
    let output = command.output_within(TOOL_LIMIT)?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr))))
}
