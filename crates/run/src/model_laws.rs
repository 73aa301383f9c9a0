//! Laws of a simulated device, from its specification.

use engine::model::{Cache, Disk, Law, Laws, ReadCacheRules, Slc, Surface, ZoneRules};
use job::job::{ModelSpec, ServiceLaw};
use std::num::NonZeroU64;

/// Returns the laws of a simulated device of `bytes` bytes.
pub(crate) fn laws(spec: &ModelSpec, bytes: u64) -> Laws {
    let law = match &spec.law {
        ServiceLaw::Constant(nanos) => Law::Constant(*nanos),
        ServiceLaw::Uniform(low, high) => Law::Uniform(*low, *high),
        ServiceLaw::Exponential(mean) => Law::Exponential(*mean),
        ServiceLaw::Mixture(parts) => Law::Mixture(parts.clone()),
    };
    Laws {
        transfer: spec.transfer,
        iops: spec.iops,
        bandwidth: spec.bandwidth,
        burst: spec.burst.map(|burst| (burst.ios, burst.base)),
        cache: spec.cache.map(|c| Cache { bytes: c.bytes, drain: c.drain, nanos: c.nanos }),
        cliff: spec.cliff,
        drift: spec.drift / 100.0,
        step: spec.step.as_deref().copied(),
        stall: spec.stall,
        disk: spec.disk.map(|disk| Disk {
            seek: disk.seek,
            rotation: disk.rotation,
            queue: disk.queue,
            size: disk.size.map_or(bytes, NonZeroU64::get),
        }),
        contention: spec.contention / 100.0,
        hit: spec.hit.as_deref().map(|(percent, nanos)| (percent / 100.0, *nanos)),
        zones: spec.zones.as_deref().map(|zones| ZoneRules {
            size: zones.size,
            capacity: zones.capacity,
            most_open: zones.most_open,
            errors: zones.errors,
        }),
        surface: spec.surface.as_deref().map(|surface| Surface {
            outer: surface.rates[0],
            inner: surface.rates[1],
            zones: surface.zones,
            settle: surface.settle,
            size: spec.disk.and_then(|disk| disk.size).map_or(bytes, NonZeroU64::get),
        }),
        slc: spec.slc.as_deref().map(|slc| Slc {
            bytes: slc.bytes,
            fast: slc.rates[0],
            folding: slc.rates[1],
            recovery: slc.rates[2],
        }),
        read_cache: spec.read_cache.as_deref().map(|cache| ReadCacheRules {
            bytes: cache.bytes,
            nanos: cache.nanos,
            line: cache.line,
        }),
        ..Laws::of(spec.servers, law)
    }
}
