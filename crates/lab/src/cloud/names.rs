//! Names of providers, types and tiers that people and interfaces use, as the tables have them.

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

/// Returns the type and the size in GiB of an Azure performance tier: `P20` is premium of 512 GiB.
pub fn tier(name: &str) -> Option<(&'static str, f64)> {
    const SIZES: [(&str, f64); 14] = [
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
    let lower = name.to_lowercase();
    let kind = match lower.chars().next()? {
        'p' => "premium",
        'e' => "standard-ssd",
        's' => "standard-hdd",
        _ => return None,
    };
    let (_, size) = SIZES.iter().find(|(number, _)| lower[1..] == **number)?;
    Some((kind, *size))
}
