//! Whose machine and whose disk this is, as far as firmware and disk say.

use crate::SysRoot;
use crate::attach::Identity;
use crate::layers::Device;

/// A provider of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Amazon.
    Aws,
    /// Microsoft.
    Azure,
    /// Google.
    Gcp,
    /// Alibaba.
    Alibaba,
    /// Huawei.
    Huawei,
    /// Tencent.
    Tencent,
    /// Oracle.
    Oracle,
    /// DigitalOcean.
    DigitalOcean,
    /// Hetzner.
    Hetzner,
}

/// Where a cloud's disk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Behind a network: the provider caps it.
    Network,
    /// In the host: fast, and gone when the machine stops.
    Local,
    /// Not said.
    Unknown,
}

/// The asset tag of every Azure machine; other Hyper-V hosts have another.
const AZURE: &str = "7783-7084-3265-9085-8269-3286-77";

/// Whose machine this is; `None` where the firmware does not say.
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

/// Whose disk this is and where it is; `None` if neither the disk nor the machine is a known provider's.
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
        // Managed disks and the local temporary one look alike, and so do those of a Hyper-V of one's own.
        ("Msft", _) => host.filter(|p| *p == Provider::Azure).map(|p| (p, Place::Unknown)),
        _ => None,
    };
    // A hypervisor's disk without a name of its own is its provider's.
    let nameless = ["vd", "xvd", "sd"].iter().any(|start| device.name.starts_with(start));
    by_name.or_else(|| host.filter(|_| nameless).map(|p| (p, Place::Unknown)))
}
