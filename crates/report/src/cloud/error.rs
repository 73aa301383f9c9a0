//! Why the limits of a volume cannot be computed.

use super::count;
use crate::Lang;
use crate::catalog::{say, word};
use lab::cloud::error::CloudError;
use lab::cloud::order::Ordered;
use lab::cloud::table::providers;

/// Returns why the limits cannot be computed, and what would be right.
pub fn error(lang: Lang, error: &CloudError) -> String {
    match error {
        CloudError::NoProvider => word!(lang, "cloud-error-no-provider").to_owned(),
        CloudError::NoType { provider, types } => {
            say!(lang, "cloud-error-no-type", provider, types = types.join(", "))
        }
        CloudError::Provider { name, near } if near.is_empty() => {
            let known: Vec<&str> = providers().iter().map(|table| table.provider.as_str()).collect();
            say!(lang, "cloud-error-provider-unlike", name, known = known.join(", "))
        }
        CloudError::Provider { name, near } => {
            say!(lang, "cloud-error-provider", name, near = near.join(", "))
        }
        CloudError::Type { name, provider: Some(provider), near } => {
            say!(lang, "cloud-error-type-of", name, provider, near = near.join(", "))
        }
        CloudError::Type { name, provider: None, near } if near.is_empty() => {
            say!(lang, "cloud-error-type-unlike", name)
        }
        CloudError::Type { name, provider: None, near } => {
            say!(lang, "cloud-error-type", name, near = near.join(", "))
        }
        CloudError::Ambiguous { name, providers } => {
            say!(lang, "cloud-error-ambiguous", name, providers = providers.join(", "))
        }
        CloudError::NoSize { kind } => say!(lang, "cloud-error-no-size", kind),
        CloudError::Size { kind, range: [least, most], unit } => {
            let (least, most) = (count(*least), count(*most));
            say!(lang, "cloud-error-size", kind, least, most, unit)
        }
        CloudError::Tier { tier, range: [least, most], size, own } => {
            let (least, most, size) = (count(*least), count(*most), count(*size));
            match own {
                Some(own) => say!(lang, "cloud-error-tier", tier, least, most, size, own),
                None => say!(lang, "cloud-error-tier-none", tier, least, most, size),
            }
        }
        CloudError::NotOrdered { kind, ordered, types } => {
            let option = option(*ordered);
            if types.is_empty() {
                say!(lang, "cloud-error-not-ordered", kind, option)
            } else {
                say!(lang, "cloud-error-not-ordered-but", kind, option, types = types.join(", "))
            }
        }
        CloudError::Order { kind, ordered, range: [least, most], unit, missing } => {
            let unit = if *ordered == Ordered::Iops { "IOPS" } else { unit.rate() };
            let (option, least, most) = (option(*ordered), count(*least), count(*most));
            if *missing {
                say!(lang, "cloud-error-order-missing", kind, option, least, most, unit)
            } else if *ordered == Ordered::Iops {
                say!(lang, "cloud-error-order-iops", kind, option, least, most)
            } else {
                say!(lang, "cloud-error-order", kind, option, least, most, unit)
            }
        }
        CloudError::Instance { name, known, source, .. } if known.is_empty() => {
            say!(lang, "cloud-error-instance", name, source)
        }
        CloudError::Instance { name, near, known, source } => {
            let known = known.join(", ");
            if near.is_empty() {
                say!(lang, "cloud-error-instance-known", name, known, source)
            } else {
                say!(lang, "cloud-error-instance-near", name, near = near.join(", "), known, source)
            }
        }
        CloudError::NoFigures { kind } => say!(lang, "cloud-error-no-figures", kind),
        CloudError::LocalDisk => word!(lang, "cloud-error-local").to_owned(),
    }
}

fn option(ordered: Ordered) -> &'static str {
    match ordered {
        Ordered::Iops => "--iops",
        Ordered::Throughput => "--throughput",
    }
}
