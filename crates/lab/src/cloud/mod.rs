//! `fathom cloud`: the limits of a cloud volume, from the tables in `tables/`, and whether a measurement reaches them.

pub mod error;
pub mod formula;
pub mod measure;
pub mod names;
pub mod order;
pub mod recognise;
pub mod table;

use crate::target::JobContext;
use error::CloudError;
use order::VolumeOrder;
use recognise::{CloudClaims, recognise};
use run::Watch;
use stats::cloud::{CloudCard, CloudFact, CloudKnown, CloudLimits, CloudLoad, CloudOrigin};
use std::path::PathBuf;
use std::time::Duration;

/// Latency of an I/O with which the depth is computed before anything is measured, milliseconds.
const ASSUMED_MS: f64 = 1.0;
/// Question of `fathom cloud`.
pub struct CloudRequest {
    /// What the user says about the volume.
    pub claims: CloudClaims,
    /// Directory, file or device to measure; `None` computes the limits only.
    pub target: Option<PathBuf>,
    /// Whether the metadata service may be asked.
    pub metadata: bool,
    /// Measuring time of all patterns together.
    pub measure: Duration,
    /// Environment in which the jobs run.
    pub context: JobContext,
}

/// Receiver of the progress.
pub trait Progress: Watch {
    /// Called before the scratch file is filled.
    fn filling(&mut self);

    /// Called before each pattern with its direction, block size in bytes and queue depth.
    fn measuring(&mut self, load: CloudLoad, block: u64, depth: u32);
}

/// Returns the card with the computed limits.
///
/// # Errors
/// The type is not known, or the order is not possible.
pub fn limits(request: &CloudRequest) -> Result<CloudCard, CloudError> {
    let claims = &request.claims;
    let known = recognise(&request.context.root, request.target.as_deref(), claims, request.metadata);
    limits_of(known, claims)
}

fn limits_of(mut known: CloudKnown, claims: &CloudClaims) -> Result<CloudCard, CloudError> {
    if known.local_disk {
        return Err(CloudError::LocalDisk);
    }
    let named = known.provider.as_ref().map(|fact| table::provider(&fact.value)).transpose()?;
    let Some(kind) = known.kind.clone() else {
        return Err(match named {
            None => CloudError::NoProvider,
            Some(table) => CloudError::NoType {
                provider: table.provider.clone(),
                types: table.current().map(|row| row.kind.clone()).collect(),
            },
        });
    };
    let (table, row) = match table::volume(named, &kind.value) {
        // The machine is of another provider than the volume that the user asks about, and says nothing about it.
        Err(CloudError::Type { .. }) if claims.provider.is_none() => {
            let given = |fact: &CloudFact| fact.origin == CloudOrigin::Given;
            known.provider = None;
            known.instance = known.instance.filter(given);
            known.size = known.size.filter(given);
            table::volume(None, &kind.value)?
        }
        found => found?,
    };
    let size = known.size.as_ref().and_then(|fact| fact.value.parse().ok());
    let order =
        VolumeOrder { size, iops: claims.iops, throughput: claims.throughput, volumes: claims.volumes };
    let volume = row.limits(table, order)?;
    if volume.size.is_none() {
        known.size = None;
    }
    let instance = known.instance.as_ref().and_then(|fact| table.machine(&fact.value, &volume.kind));
    if let (Some(name), None) = (&claims.instance, &instance) {
        return Err(table.no_machine(name));
    }
    let missing = known.instance.is_some() && instance.is_none();
    let latency = volume.qd1_ms.unwrap_or(ASSUMED_MS) * 1e6;
    let mut limits =
        CloudLimits { volume, volumes: claims.volumes.max(1), instance, ..CloudLimits::default() };
    limits.complete(latency);
    Ok(CloudCard {
        known,
        limits,
        instance_source: missing.then(|| table.instances.shown()),
        ..CloudCard::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::cloud::CloudLimit;

    fn claims(text: &str) -> CloudClaims {
        let mut words = text.split(' ').map(|word| (word != "-").then(|| word.to_owned()));
        let mut next = || words.next().flatten();
        CloudClaims {
            provider: next(),
            kind: next(),
            size: next().and_then(|n| n.parse().ok()),
            instance: next(),
            ..CloudClaims::default()
        }
    }

    fn card(text: &str) -> Result<CloudCard, CloudError> {
        let claims = claims(text);
        let root = facts::SysRoot::at("/nonexistent");
        limits_of(recognise(&root, None, &claims, false), &claims)
    }

    #[test]
    fn crossover_and_depth_follow_from_volume_and_machine() {
        let gp3 = card("- gp3 500 -").unwrap().limits;
        assert_eq!((gp3.crossover.map(|b| (b / 102.4).round() / 10.0), gp3.depth), (Some(42.7), Some(3.0)));
        let small = card("gcp pd-ssd 500 e2-standard-4").unwrap().limits;
        assert_eq!(small.cap(CloudLoad::Reads, 4096).map(|cap| cap.limit), Some(CloudLimit::InstanceIops));
        assert_eq!(small.depth, Some(15.0));
        // Four volumes: the base comes once, and the machine limits the sum.
        let claims = CloudClaims { volumes: 4, ..claims("gcp pd-balanced 100 n2-standard-4") };
        let root = facts::SysRoot::at("/nonexistent");
        let four = limits_of(recognise(&root, None, &claims, false), &claims).unwrap().limits;
        assert_eq!(four.volume.iops, Some(5400.0));
    }

    /// On a machine of Azure, `premium` is Azure's type, and `gp3` is still a type of AWS, of an unknown machine.
    #[test]
    fn the_machine_decides_between_types_of_the_same_name() {
        let fact = |value: &str| Some(CloudFact { value: value.into(), origin: CloudOrigin::Firmware });
        let on_azure = |kind: &str| {
            let claims = claims(&format!("- {kind} 100 -"));
            let mut known = recognise(&facts::SysRoot::at("/nonexistent"), None, &claims, false);
            known.provider = fact("azure");
            known.instance = fact("Standard_D8s_v3");
            limits_of(known, &claims).unwrap()
        };
        let premium = on_azure("premium");
        assert_eq!(premium.limits.volume.provider, "azure");
        assert_eq!(premium.limits.instance.and_then(|i| i.iops), Some(12800.0));
        let gp3 = on_azure("gp3");
        assert_eq!((gp3.limits.volume.provider.as_str(), gp3.known.instance), ("aws", None));
    }

    #[test]
    fn missing_facts_say_what_is_missing() {
        assert!(matches!(card("- - - -"), Err(CloudError::NoProvider)));
        assert!(matches!(card("aws - - -"), Err(CloudError::NoType { .. })));
        assert!(matches!(card("aws gp3 500 m5.huge"), Err(CloudError::Instance { .. })));
        assert!(matches!(card("awss gp3 500 -"), Err(CloudError::Provider { .. })));
    }
}
