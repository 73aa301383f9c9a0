//! Messages that tell the agents that the coordinator lives.

use crate::link::Link;
use crate::message::ToAgent;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time after which an agent is told again that the coordinator lives.
pub(super) const ALIVE: Duration = Duration::from_secs(1);

/// Tells the agents once a second that the coordinator lives, also while it waits for a terminal that does not take its lines: an agent
/// that hears nothing ends its run.
pub(super) struct KeepAlive(Arc<Mutex<Vec<Link>>>);

impl KeepAlive {
    pub(super) fn new() -> KeepAlive {
        let links: Arc<Mutex<Vec<Link>>> = Arc::default();
        let of_thread = Arc::downgrade(&links);
        std::thread::spawn(move || {
            while let Some(links) = of_thread.upgrade() {
                let there = links.lock().unwrap_or_else(PoisonError::into_inner);
                there.iter().for_each(|link| link.send(ToAgent::Alive));
                drop(there);
                drop(links);
                std::thread::sleep(ALIVE);
            }
        });
        KeepAlive(links)
    }

    /// Adds an agent that has answered.
    pub(super) fn add(&self, link: &Link) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(link.clone());
    }
}

impl Drop for KeepAlive {
    /// The connections end here, not in the thread.
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
