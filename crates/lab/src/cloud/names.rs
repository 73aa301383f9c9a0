//! Names of providers, types and tiers that people and interfaces use, as the tables have them.

use super::error::CloudError;

/// Returns the provider in the tables for another usual name.
pub(super) fn own_provider(name: &str) -> &str {
    match name {
        "amazon" | "ec2" | "ebs" => "aws",
        "google" | "gce" => "gcp",
        "microsoft" => "azure",
        "aliyun" => "alibaba",
        "oracle" => "oci",
        other => other,
    }
}

/// Returns the type in the tables for a name that a provider's interface uses.
pub(super) fn own_type(kind: &str) -> &str {
    match kind {
        "premium_lrs" | "premium_zrs" | "premium-ssd" => "premium",
        "premiumv2_lrs" => "premium-v2",
        "standardssd_lrs" | "standardssd_zrs" => "standard-ssd",
        "standard_lrs" => "standard-hdd",
        "ultrassd_lrs" => "ultra",
        other => other,
    }
}

/// Numbers of Azure's performance tiers, with the largest size of each, GiB.
const TIERS: [(&str, f64); 14] = [
    ("1", 4.0),
    ("2", 8.0),
    ("3", 16.0),
    ("4", 32.0),
    ("6", 64.0),
    ("10", 128.0),
    ("15", 256.0),
    ("20", 512.0),
    ("30", 1024.0),
    ("40", 2048.0),
    ("50", 4096.0),
    ("60", 8192.0),
    ("70", 16384.0),
    ("80", 32767.0),
];

/// Returns the type and the size in GiB of an Azure performance tier: `P20` is premium of 512 GiB, or of the `size` that was
/// given. `None` if `name` is no tier.
///
/// # Errors
/// A disk of the given size is of another tier.
pub fn tier(name: &str, size: Option<f64>) -> Result<Option<(&'static str, f64)>, CloudError> {
    let lower = name.to_lowercase();
    let kind = match lower.chars().next() {
        Some('p') => "premium",
        Some('e') => "standard-ssd",
        Some('s') => "standard-hdd",
        _ => return Ok(None),
    };
    let Some(at) = TIERS.iter().position(|(number, _)| lower[1..] == **number) else { return Ok(None) };
    let least = at.checked_sub(1).map_or(1.0, |before| TIERS[before].1 + 1.0);
    let range = [least, TIERS[at].1];
    let Some(size) = size else { return Ok(Some((kind, range[1]))) };
    let own = TIERS.iter().position(|(_, most)| size <= *most);
    if own == Some(at) {
        return Ok(Some((kind, size)));
    }
    let upper = |at: usize| lower[..1].to_uppercase() + TIERS[at].0;
    Err(CloudError::Tier { tier: upper(at), range, size, own: own.map(upper) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_of_another_tier_is_objected_to() {
        assert_eq!(tier("P20", None), Ok(Some(("premium", 512.0))));
        assert_eq!(tier("e10", Some(100.0)), Ok(Some(("standard-ssd", 100.0))));
        assert_eq!(tier("premium", Some(100.0)), Ok(None));
        assert_eq!(tier("", None), Ok(None));
        for (name, size, range, own) in [
            ("p20", 100.0, [257.0, 512.0], Some("P10")),
            ("S4", 33.0, [17.0, 32.0], Some("S6")),
            ("E1", 40_000.0, [1.0, 4.0], None),
        ] {
            let own = own.map(str::to_owned);
            let wrong = CloudError::Tier { tier: name.to_uppercase(), range, size, own };
            assert_eq!(tier(name, Some(size)), Err(wrong));
        }
    }
}
