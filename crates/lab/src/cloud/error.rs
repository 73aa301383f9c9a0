//! Reasons why the limits of a volume cannot be computed.

use super::order::Ordered;
use stats::cloud::CloudUnit;

/// Why the limits of a volume cannot be computed.
#[derive(Clone, Debug, PartialEq)]
pub enum CloudError {
    /// Neither the command line nor the machine names the provider.
    NoProvider,
    /// The type of the volume is not known.
    NoType {
        /// Provider.
        provider: String,
        /// Types of this provider.
        types: Vec<String>,
    },
    /// The tables do not have the provider.
    Provider {
        /// Name as typed.
        name: String,
        /// Similar providers of the tables, the most similar first.
        near: Vec<String>,
    },
    /// The tables do not have the type.
    Type {
        /// Name as typed.
        name: String,
        /// Provider; `None` if none was named.
        provider: Option<String>,
        /// Types of the tables, the most similar first.
        near: Vec<String>,
    },
    /// Several providers have the type.
    Ambiguous {
        /// Type.
        name: String,
        /// Providers that have it.
        providers: Vec<String>,
    },
    /// The limits depend on the size, and it is not known.
    NoSize {
        /// Type.
        kind: String,
    },
    /// The type does not exist in this size.
    Size {
        /// Type.
        kind: String,
        /// Smallest and largest size.
        range: [f64; 2],
        /// Unit of the size.
        unit: String,
    },
    /// The type is a tier, and a disk of the given size is of another one.
    Tier {
        /// Tier: `P20`.
        tier: String,
        /// Smallest and largest size of the tier, GiB.
        range: [f64; 2],
        /// Size that was given, GiB.
        size: f64,
        /// Tier of that size; `None` if it is larger than all.
        own: Option<String>,
    },
    /// The quantity of the type cannot be ordered.
    NotOrdered {
        /// Type.
        kind: String,
        /// Quantity.
        ordered: Ordered,
        /// Types of the provider whose quantity can be ordered.
        types: Vec<String>,
    },
    /// The quantity has to be ordered, or was ordered outside of the range.
    Order {
        /// Type.
        kind: String,
        /// Quantity.
        ordered: Ordered,
        /// Smallest and largest order.
        range: [f64; 2],
        /// Unit of throughput.
        unit: CloudUnit,
        /// Whether nothing was ordered.
        missing: bool,
    },
    /// The tables do not have the machine.
    Instance {
        /// Name as typed.
        name: String,
        /// Machines of the tables, the most similar first.
        near: Vec<String>,
        /// All machines of the tables, those of one family together.
        known: Vec<String>,
        /// Document with the figures.
        source: String,
    },
    /// The tables have no figures for the type.
    NoFigures {
        /// Type.
        kind: String,
    },
    /// The disk is a local disk of the host.
    LocalDisk,
}
