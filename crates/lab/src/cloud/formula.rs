//! Formulas of the tables of cloud volumes: limits as functions of the size, and what can be ordered.

use serde::Deserialize;

/// Limit as a function of the size and of other limits, between `min` and `max`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitFormula {
    /// Constant part.
    pub base: f64,
    /// Increase with each unit of size.
    pub per_gib: f64,
    /// Increase with each IOPS.
    pub per_iops: f64,
    /// Increase with each unit of throughput.
    pub per_throughput: f64,
    /// Increase with each IOPS that is ordered beyond the included ones; not limited by `max`.
    pub per_ordered_iops: f64,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
    /// Sizes count in multiples of this unit, rounded up.
    pub step: Option<f64>,
    /// Largest sizes with the value up to each; they replace `base`.
    pub steps: Vec<[f64; 2]>,
    /// Second formula; the larger value applies.
    #[serde(rename = "or")]
    pub alternative: Option<Box<LimitFormula>>,
}

/// Quantities that a formula depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inputs {
    /// Size in the provider's unit.
    pub size: f64,
    /// IOPS of the volume.
    pub iops: f64,
    /// IOPS that are ordered beyond the included ones.
    pub beyond: f64,
    /// Throughput of the volume in the provider's unit.
    pub throughput: f64,
}

impl LimitFormula {
    /// Returns the limit.
    pub fn value(&self, of: Inputs) -> f64 {
        let size = self.step.map_or(of.size, |step| (of.size / step).ceil() * step);
        let step = self.steps.iter().find(|[up_to, _]| size <= *up_to).or(self.steps.last());
        let base = step.map_or(self.base, |[_, value]| *value);
        let sum = base + self.per_gib * size + self.per_iops * of.iops + self.per_throughput * of.throughput;
        let limited = sum.max(self.min.unwrap_or(0.0)).min(self.max.unwrap_or(f64::INFINITY));
        let other = self.alternative.as_ref().map_or(0.0, |formula| formula.value(of));
        limited.max(other) + self.per_ordered_iops * of.beyond
    }

    /// Returns whether the limit depends on the size.
    pub fn needs_size(&self) -> bool {
        self.per_gib > 0.0 || !self.steps.is_empty()
    }
}

/// Limit that the customer orders.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OrderRange {
    /// Smallest order; without it, what is included.
    pub min: Option<f64>,
    /// Largest order.
    pub max: Option<f64>,
    /// Largest order for each unit of size.
    pub per_gib: Option<f64>,
    /// Largest order for each IOPS.
    pub per_iops: Option<f64>,
    /// Largest order beyond what is included.
    pub beyond: Option<f64>,
    /// Only larger volumes can order.
    pub above: Option<f64>,
}

impl OrderRange {
    /// Returns the smallest and the largest order, where `included` comes without one.
    pub fn range(&self, included: Option<f64>, of: Inputs) -> [f64; 2] {
        let included = included.unwrap_or(0.0);
        let least = self.min.unwrap_or(included);
        if self.above.is_some_and(|above| of.size <= above) {
            return [included, included];
        }
        let bounds = [
            self.max,
            self.per_gib.map(|each| each * of.size),
            self.per_iops.map(|each| each * of.iops),
            self.beyond.map(|beyond| included + beyond),
        ];
        let most = bounds.into_iter().flatten().fold(f64::INFINITY, f64::min);
        [least, most.max(least).max(included.min(self.max.unwrap_or(f64::INFINITY)))]
    }
}
