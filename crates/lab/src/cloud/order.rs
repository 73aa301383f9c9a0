//! What a user orders of a volume beside its size.

/// Volume as ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VolumeOrder {
    /// Size in the provider's unit.
    pub size: Option<f64>,
    /// Ordered IOPS.
    pub iops: Option<f64>,
    /// Ordered throughput in the provider's unit.
    pub throughput: Option<f64>,
    /// Number of such volumes on the machine; 0 counts as one.
    pub volumes: u32,
}

/// Ordered quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// IOPS.
    Iops,
    /// Throughput.
    Throughput,
}
