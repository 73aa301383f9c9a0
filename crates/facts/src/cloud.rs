//! Cloud provider of a machine and its disks, according to firmware and disk names.

use crate::SysRoot;
use crate::attach::Identity;
use crate::layers::Device;

/// Cloud provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Amazon Web Services.
    Aws,
    /// Microsoft Azure.
    Azure,
    /// Google Cloud.
    Gcp,
    /// Alibaba Cloud.
    Alibaba,
    /// Huawei Cloud.
    Huawei,
    /// Tencent Cloud.
    Tencent,
    /// Oracle Cloud.
    Oracle,
    /// DigitalOcean.
    DigitalOcean,
    /// Hetzner Cloud.
    Hetzner,
}

impl Provider {
    /// Returns the short name of the provider, for messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Provider::Aws => "aws",
            Provider::Azure => "azure",
            Provider::Gcp => "gcp",
            Provider::Alibaba => "alibaba",
            Provider::Huawei => "huawei",
            Provider::Tencent => "tencent",
            Provider::Oracle => "oracle",
            Provider::DigitalOcean => "digitalocean",
            Provider::Hetzner => "hetzner",
        }
    }
}

/// Location of a cloud disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Network storage; the provider limits IOPS and bandwidth.
    Network,
    /// Local disk of the host, whose data is lost when the virtual machine stops.
    Local,
    /// Location that the disk does not report.
    Unknown,
}

/// Asset tag in the firmware of every Azure machine, which other Hyper-V hosts do not have.
const AZURE: &str = "7783-7084-3265-9085-8269-3286-77";

/// Returns the provider of this machine; `None` if the firmware names no known provider.
pub fn provider(root: &SysRoot) -> Option<Provider> {
    let dmi = |name: &str| root.read(format!("/sys/class/dmi/id/{name}")).unwrap_or_default();
    let (vendor, product, tag) = (dmi("sys_vendor"), dmi("product_name"), dmi("chassis_asset_tag"));
    let has = |part: &str| vendor.contains(part) || product.contains(part);
    if tag == AZURE {
        return Some(Provider::Azure);
    }
    if tag == "OracleCloud.com" {
        return Some(Provider::Oracle);
    }
    let known = [
        ("Amazon EC2", Provider::Aws),
        ("Google", Provider::Gcp),
        ("Alibaba", Provider::Alibaba),
        ("Huawei Cloud", Provider::Huawei),
        ("HUAWEICLOUD", Provider::Huawei),
        ("Tencent", Provider::Tencent),
        ("DigitalOcean", Provider::DigitalOcean),
        ("Hetzner", Provider::Hetzner),
    ];
    known.iter().find(|(part, _)| has(part)).map(|k| k.1)
}

/// Returns the provider and location of a disk; `None` if neither the disk nor the machine belongs to a known provider.
pub fn disk(root: &SysRoot, device: &Device, identity: &Identity) -> Option<(Provider, Place)> {
    let (vendor, model) =
        (identity.vendor.as_deref().unwrap_or_default(), identity.model.as_deref().unwrap_or_default());
    let host = provider(root);
    let by_name = match (vendor, model) {
        (_, "Amazon Elastic Block Store") => Some((Provider::Aws, Place::Network)),
        (_, "Amazon EC2 NVMe Instance Storage") => Some((Provider::Aws, Place::Local)),
        (_, m) if m.starts_with("nvme_card-pd") => Some((Provider::Gcp, Place::Network)),
        (_, m) if m.starts_with("nvme_card") => Some((Provider::Gcp, Place::Local)),
        ("Google", "PersistentDisk") => Some((Provider::Gcp, Place::Network)),
        ("Google", "EphemeralDisk") => Some((Provider::Gcp, Place::Local)),
        (_, m) if m.starts_with("MSFT NVMe Accelerator") => Some((Provider::Azure, Place::Network)),
        (_, m) if m.starts_with("Microsoft NVMe Direct Disk") => Some((Provider::Azure, Place::Local)),
        (_, m) if m.starts_with("Alibaba Cloud Elastic Block Storage") => {
            Some((Provider::Alibaba, Place::Network))
        }
        // Azure's managed disks and local temporary disk have the same name, as do disks of other Hyper-V hosts.
        ("Msft", _) => host.filter(|p| *p == Provider::Azure).map(|p| (p, Place::Unknown)),
        _ => None,
    };
    // A virtual disk without a known name belongs to the machine's provider.
    let nameless = ["vd", "xvd", "sd"].iter().any(|start| device.name.starts_with(start));
    by_name.or_else(|| host.filter(|_| nameless).map(|p| (p, Place::Unknown)))
}

/// Returns the type of this machine that the firmware names; `None` if it names none. Of the known providers only AWS
/// writes the type into the product name.
pub fn instance(root: &SysRoot) -> Option<String> {
    let product = root.read("/sys/class/dmi/id/product_name").ok()?;
    let is_type = product.contains('.') && !product.contains(' ');
    (provider(root) == Some(Provider::Aws) && is_type).then_some(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn firmware_of_aws_names_the_machine() {
        let tree = std::env::temp_dir().join(format!("fathom-dmi-{}", std::process::id()));
        let dmi = tree.join("sys/class/dmi/id");
        std::fs::create_dir_all(&dmi).unwrap();
        let named = |vendor: &str, product: &str| {
            std::fs::write(dmi.join("sys_vendor"), vendor).unwrap();
            std::fs::write(dmi.join("product_name"), product).unwrap();
            instance(&SysRoot::at(&tree))
        };
        assert_eq!(named("Amazon EC2\n", "m5.large\n").as_deref(), Some("m5.large"));
        assert_eq!(named("Google", "Google Compute Engine"), None);
        assert_eq!(named("Xen", "HVM domU"), None);
        std::fs::remove_dir_all(&tree).unwrap();
    }
}
