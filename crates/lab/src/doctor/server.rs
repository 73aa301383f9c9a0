//! Diagnosis of a target that a library of fathom reaches on a server.

use super::{DoctorError, Examined, Lines, host, network};
use crate::target::server_target;
use crate::target_fault::TargetFault;
use facts::SysRoot;
use facts::layers::Stack;
use job::remote::without_password;
use stats::doctor::{Diagnosis, LayerRow, TargetKind, Topic};
use stats::remote::RemoteClient;
use stats::server_fact::ServerFact;
use std::path::Path;

/// Returns the diagnosis of the target `name` on a server.
///
/// # Errors
/// The name lacks a part, the library is missing, or the server cannot be reached or refuses the target.
pub(super) fn diagnose(name: &str, root: &SysRoot) -> Result<Diagnosis, DoctorError> {
    let path = Path::new(name);
    let refuse = |fault| DoctorError { path: without_password(name).as_ref().into(), fault };
    let (spec, opened) = server_target(path, name).map_err(refuse)?;
    let mut volume = run::remote::open(&spec, &opened)
        .map_err(|error| refuse(TargetFault::Failed(run::remote::job_error(&error))))?;
    let mut layer = run::remote::layer(&mut *volume, name.to_owned(), root, true);
    let clients = volume.users().unwrap_or_default();
    let library = volume.library().to_owned();
    if let RemoteClient::Library { facts, .. } = &mut layer.client
        && !clients.is_empty()
    {
        facts.push(ServerFact::Clients { clients });
    }
    let size = volume.size();
    let examined =
        Examined::new(root, None, TargetKind::File, Stack::default(), Vec::new(), (None, None), size);
    let mut lines = Lines::default();
    network::of_layer(&layer, &mut |severity, fact| lines.add(Topic::Network, severity, fact));
    host::lines(&examined, &mut lines);
    let first = LayerRow { name: name.to_owned(), kind: library, size, model: None };
    let rows = volume.layers().into_iter().skip(1).map(|text| {
        let parts = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
        let (name, kind) = parts.unwrap_or((&text, "server"));
        LayerRow { name: name.into(), kind: kind.into(), size: None, model: None }
    });
    let stack = [first].into_iter().chain(rows).collect();
    Ok(Diagnosis { version: String::new(), target: name.to_owned(), stack, lines: lines.0 })
}
