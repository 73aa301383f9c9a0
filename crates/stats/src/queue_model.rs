//! Queue model of a device: duration of waits at a rate of random arrivals.

/// Queue model of a device with Poisson arrivals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueModel {
    /// Maximum rate, I/Os per second.
    pub most: f64,
    /// Mean service time of an I/O that does not wait, seconds.
    pub service_s: f64,
    /// Squared coefficient of variation of the service time.
    pub varied: f64,
}

impl QueueModel {
    /// Returns the utilization at a rate in I/Os per second, at most 0.999.
    pub fn load(&self, iops: f64) -> f64 {
        (iops / self.most).min(0.999)
    }

    /// Returns the number of I/Os served concurrently, at least 1.
    pub fn servers(&self) -> f64 {
        (self.most * self.service_s).max(1.0)
    }

    /// Returns the mean time in seconds for which the wait stays above a level: variance divided by twice the squared
    /// drift of the reflected Brownian motion that approximates a busy M/G/k queue (Whitt, Planning Queueing
    /// Simulations, Management Science 35, 1989), (1+cv^2)/2 s/(k(1-load)^2), plus a share of the remaining service
    /// time.
    pub fn clump_s(&self, iops: f64) -> f64 {
        let idle = 1.0 - self.load(iops);
        let remaining = (1.0 + self.varied) / 2.0;
        remaining * (1.0 / (self.most * idle * idle) + self.load(iops) * self.service_s / self.servers())
    }

    /// Returns the mean number of I/Os in a clump at a rate in I/Os per second, at least 1.
    pub fn clump_ios(&self, iops: f64) -> f64 {
        (iops * self.clump_s(iops)).max(1.0)
    }

    /// Returns the relaxation time in seconds, after which the queue no longer depends on its empty start: four times
    /// [`QueueModel::clump_s`], the inverse of the spectral gap of the Brownian motion (Abate and Whitt, Transient
    /// behavior of regulated Brownian motion, 1987), plus a service time.
    pub fn relaxation_s(&self, iops: f64) -> f64 {
        4.0 * self.clump_s(iops) + (1.0 + self.varied) * self.service_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clumps_last_longer_near_saturation_and_with_varied_service() {
        let queue = QueueModel { most: 100.0, service_s: 0.01, varied: 1.0 };
        let at = |iops| queue.clump_s(iops);
        assert!(at(90.0) > 50.0 * at(1.0) && at(99.0) > 50.0 * at(90.0));
        assert!(QueueModel { varied: 9.0, ..queue }.clump_s(90.0) > 4.0 * at(90.0));
        assert!(queue.relaxation_s(50.0) >= 4.0 * at(50.0));
    }
}
