//! What the command line, the machine and its metadata service say about a volume.

use super::names::own_provider;
use facts::SysRoot;
use facts::attach::Identity;
use facts::cloud::{self, Place, Provider};
use facts::layers::Stack;
use facts::metadata;
use stats::cloud::{CloudFact, CloudKnown, CloudOrigin};
use std::path::Path;

/// What the user says about a volume.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloudClaims {
    /// Provider.
    pub provider: Option<String>,
    /// Type of the volume.
    pub kind: Option<String>,
    /// Size in the provider's unit.
    pub size: Option<f64>,
    /// Ordered IOPS.
    pub iops: Option<f64>,
    /// Ordered throughput in the provider's unit.
    pub throughput: Option<f64>,
    /// Type of the machine.
    pub instance: Option<String>,
    /// Number of such volumes that the machine uses together; 0 counts as one.
    pub volumes: u32,
}

/// Names of volume types in metadata services, and in the tables.
const KINDS: [(&str, &str); 10] = [
    ("Premium_", "premium"),
    ("PremiumV2_", "premium-v2"),
    ("StandardSSD_", "standard-ssd"),
    ("Standard_", "standard-hdd"),
    ("UltraSSD_", "ultra"),
    ("PERSISTENT-SSD", "pd-ssd"),
    ("PERSISTENT-BALANCED", "pd-balanced"),
    ("PERSISTENT-STANDARD", "pd-standard"),
    ("PERSISTENT-EXTREME", "pd-extreme"),
    ("HYPERDISK-BALANCED", "hyperdisk-balanced"),
];

/// Returns the name of a provider in the tables.
fn name(provider: Provider) -> &'static str {
    own_provider(provider.name())
}

/// Returns what is known about the volume under `target`, or about this machine: what the user says, then what disk and
/// firmware say. With `ask`, the metadata service is asked too.
pub fn recognise(root: &SysRoot, target: Option<&Path>, claims: &CloudClaims, ask: bool) -> CloudKnown {
    let given = |value: &Option<String>| {
        value.as_ref().map(|value| CloudFact { value: value.clone(), origin: CloudOrigin::Given })
    };
    let mut known = CloudKnown {
        provider: given(&claims.provider),
        kind: given(&claims.kind),
        instance: given(&claims.instance),
        size: given(&claims.size.map(|size| size.to_string())),
        local_disk: false,
    };
    let stack = target.and_then(|path| Stack::under(root, path).ok());
    let disk = stack.as_ref().and_then(|stack| stack.devices().last()).and_then(|device| device.whole(root));
    let of_disk = disk.as_ref().and_then(|disk| cloud::disk(root, disk, &Identity::of(root, disk)));
    let machine = cloud::provider(root);
    // A provider that the user names is not contradicted: the volume may be imitated.
    let same = |provider: Provider| {
        claims.provider.as_ref().is_none_or(|given| given.eq_ignore_ascii_case(name(provider)))
    };
    known.local_disk = claims.kind.is_none() && of_disk.is_some_and(|(_, place)| place == Place::Local);
    if known.provider.is_none() {
        let fact = |provider, origin| CloudFact { value: name(provider).into(), origin };
        let by_disk = of_disk.map(|(provider, _)| fact(provider, CloudOrigin::Disk));
        known.provider = by_disk.or_else(|| machine.map(|provider| fact(provider, CloudOrigin::Firmware)));
    }
    let Some(provider) = machine.filter(|provider| same(*provider)) else { return known };
    // A directory shows a part of the volume only where it is a file system on the whole disk; the disk has its size.
    let bytes = disk.as_ref().filter(|_| of_disk.is_some()).and_then(|disk| disk.size(root));
    if let (None, Some(bytes)) = (&known.size, bytes) {
        let unit = if provider == Provider::Oracle { 1e9 } else { 1_073_741_824.0 };
        let value = (bytes as f64 / unit).round().max(1.0).to_string();
        known.size = Some(CloudFact { value, origin: CloudOrigin::Disk });
    }
    if known.instance.is_none() {
        let instance = cloud::instance(root);
        known.instance = instance.map(|value| CloudFact { value, origin: CloudOrigin::Firmware });
    }
    if ask && (known.instance.is_none() || known.kind.is_none()) {
        let told = metadata::ask(provider);
        let fact = |value: String| CloudFact { value, origin: CloudOrigin::Metadata };
        known.instance = known.instance.or(told.instance.map(fact));
        let kind = told.volume.and_then(|told| {
            let known =
                KINDS.iter().find(|(start, _)| told.to_uppercase().starts_with(&start.to_uppercase()));
            known.map(|(_, kind)| (*kind).to_owned())
        });
        known.kind = known.kind.or(kind.map(fact));
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(vendor: &str, product: &str) -> (std::path::PathBuf, SysRoot) {
        let tree = std::env::temp_dir().join(format!("fathom-cloud-{}-{}", std::process::id(), vendor.len()));
        let dmi = tree.join("sys/class/dmi/id");
        std::fs::create_dir_all(&dmi).unwrap();
        std::fs::write(dmi.join("sys_vendor"), vendor).unwrap();
        std::fs::write(dmi.join("product_name"), product).unwrap();
        (tree.clone(), SysRoot::at(tree))
    }

    #[test]
    fn firmware_names_provider_and_machine() {
        let (tree, root) = tree("Amazon EC2", "m5.large");
        let known = recognise(&root, None, &CloudClaims::default(), false);
        let fact = |value: &str, origin| Some(CloudFact { value: value.into(), origin });
        assert_eq!(known.provider, fact("aws", CloudOrigin::Firmware));
        assert_eq!(known.instance, fact("m5.large", CloudOrigin::Firmware));
        assert_eq!((known.kind, known.size), (None, None));
        // Of a volume of another provider, the machine says nothing.
        let claims = CloudClaims { provider: Some("azure".into()), ..CloudClaims::default() };
        let known = recognise(&root, None, &claims, false);
        assert_eq!(known.provider, fact("azure", CloudOrigin::Given));
        assert_eq!(known.instance, None);
        std::fs::remove_dir_all(tree).unwrap();
    }
}
