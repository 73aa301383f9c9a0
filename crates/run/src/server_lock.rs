//! Locks of targets on servers between the processes of fathom on this machine. NFS files, objects and LUNs have no lock
//! that every server knows; a second process that writes the same target would spoil both runs.
//!
//! A lock is a socket with an abstract name: the kernel removes it with the process, however that ends, and it is visible to
//! all users (`ss -xl`).

use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::sync::{Mutex, PoisonError};
use sys::fnv::fnv1a;

/// Longest part of a target's name in the name of its lock; the kernel allows 107 bytes in all.
const SHOWN: usize = 70;

/// Locks that this process holds until its end, by target: jobs, and the study that they belong to, share them.
static HELD: Mutex<Vec<(String, UnixListener)>> = Mutex::new(Vec::new());

/// Holds the target until the end of the process; returns false if another process of this machine holds it. `server` tells
/// servers apart on which targets have the same name.
pub fn hold(server: &str, target: &str) -> bool {
    let key = format!("{server}/{target}");
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    if held.iter().any(|(known, _)| *known == key) {
        return true;
    }
    let lock =
        SocketAddr::from_abstract_name(name(server, target)).and_then(|name| UnixListener::bind_addr(&name));
    match lock {
        Ok(lock) => held.push((key, lock)),
        // Without sockets there is no lock: as on other machines.
        Err(e) => return e.kind() != std::io::ErrorKind::AddrInUse,
    }
    true
}

fn name(server: &str, target: &str) -> String {
    let shown: String = target.chars().take(SHOWN).filter(char::is_ascii_graphic).collect();
    format!("fathom/{:016x}/{shown}", fnv1a(&format!("{server}/{target}")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn target_that_another_process_holds_is_not_held() {
        let target = format!("rbd:pool/{}", std::process::id());
        assert!(hold("a", &target) && hold("a", &target), "one process may hold a target twice");
        // A socket that is not in the list is as one of another process.
        let other = format!("{target}-other");
        let bind =
            |server| UnixListener::bind_addr(&SocketAddr::from_abstract_name(name(server, &other)).unwrap());
        let theirs = bind("a").unwrap();
        assert!(!hold("a", &other));
        assert!(hold("b", &other), "another cluster");
        drop(theirs);
        assert!(hold("a", &other));
        assert!(bind("a").is_err());
        let long = "x".repeat(300);
        assert!(hold("a", &format!("{long}{}", std::process::id())));
        assert_ne!(name("a", &format!("{long}1")), name("a", &format!("{long}2")));
    }
}
