//! The surface of a simulated hard disk: recording zones, and the angle of the platter.

use super::law::Surface;
use crate::Ticks;

impl Surface {
    /// Returns the transfer rate in bytes per second at a place, and the first byte of its zone.
    ///
    /// With a constant recording density, the length of a track is proportional to its radius and the square of the
    /// radius falls linearly with the bytes outside of it.
    pub(super) fn zone(&self, place: u64, size: u64) -> (f64, u64) {
        let zones = u64::from(self.zones.max(1));
        let bytes = (size / zones).max(1);
        let zone = (place / bytes).min(zones - 1);
        let (outer, inner) = (self.outer as f64, self.inner as f64);
        if zones == 1 {
            return (outer, 0);
        }
        let depth = zone as f64 / (zones - 1) as f64;
        ((outer * outer - (outer * outer - inner * inner) * depth).sqrt().max(1.0), zone * bytes)
    }

    /// Returns the track and the angle (0 to 1) of a place; each zone begins with a track of its own.
    pub(super) fn angle(&self, place: u64, size: u64, rotation: Ticks) -> ((u64, u64), f64) {
        let (rate, first) = self.zone(place, size);
        let track = (rate * rotation as f64 / 1e9).max(512.0);
        let turns = (place - first) as f64 / track;
        ((first, turns as u64), turns.fract())
    }
}
