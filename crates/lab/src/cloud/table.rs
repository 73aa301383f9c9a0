//! Tables of cloud volumes and machines: `tables/`, one file for each provider.

use super::error::CloudError;
use super::formula::{Inputs, LimitFormula, OrderRange};
use super::names::{own_provider, own_type};
use super::order::{Ordered, VolumeOrder};
use serde::Deserialize;
use stats::cloud::{
    BurstKind, CloudBurst, CloudInstance, CloudMark, CloudSharing, CloudSharingRule, CloudSource, CloudUnit,
    CloudVolume,
};
use std::sync::OnceLock;

/// Texts of the tables in the order of the list.
const TEXTS: &[&str] = &include!("tables/list.in");

/// Table of a provider.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderTable {
    /// Name on the command line: `aws`.
    pub provider: String,
    /// Name of the provider: `AWS`.
    pub name: String,
    /// Unit of throughput.
    #[serde(default)]
    pub unit: CloudUnit,
    /// Unit of sizes.
    #[serde(default = "gib")]
    pub capacity: String,
    /// Where the figures of machines that the table does not have are.
    pub instances: RowSource,
    /// How limits apply to reads and writes together.
    pub sharing: Option<SharingRow>,
    /// Types of volumes.
    #[serde(rename = "volume", default)]
    pub volumes: Vec<VolumeRow>,
    /// Machines with figures by name.
    #[serde(default)]
    pub machines: Vec<MachineRow>,
    /// Machines with figures by family and number of CPUs.
    #[serde(default)]
    pub families: Vec<FamilyRow>,
}

fn gib() -> String {
    "GiB".into()
}

/// Source of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowSource {
    mark: CloudMark,
    source: String,
    date: Option<String>,
}

impl RowSource {
    /// Returns the source as a card shows it.
    pub fn shown(&self) -> CloudSource {
        CloudSource { mark: self.mark, source: self.source.clone(), date: self.date.clone() }
    }
}

/// How limits apply to reads and writes together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharingRow {
    kind: CloudSharing,
    mark: CloudMark,
    source: String,
    date: Option<String>,
}

/// Type of a volume.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeRow {
    /// Name on the command line: `gp3`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Origin of the figures.
    pub mark: CloudMark,
    /// Document.
    pub source: String,
    /// Date of the document.
    pub date: Option<String>,
    /// Month from which the figures hold.
    pub valid_from: Option<String>,
    /// Month from which other figures hold.
    pub valid_to: Option<String>,
    /// Whether the limits are those of all volumes of the type on a machine, by the sum of their sizes.
    #[serde(default)]
    pub pooled: bool,
    /// Whether another row of the same type replaces this one.
    #[serde(default)]
    pub replaced: bool,
    /// Smallest and largest size.
    pub size: [f64; 2],
    /// IOPS; those of reads if `write_iops` is given.
    pub iops: Option<LimitFormula>,
    /// IOPS of writes where they have their own limit.
    pub write_iops: Option<LimitFormula>,
    /// IOPS that can be ordered.
    pub iops_order: Option<OrderRange>,
    /// Throughput in the provider's unit.
    pub throughput: Option<LimitFormula>,
    /// Throughput that can be ordered.
    pub throughput_order: Option<OrderRange>,
    /// Tiers to which sizes are rounded up.
    #[serde(default)]
    pub tiers: Vec<VolumeTier>,
    /// Largest request that counts as one I/O, KiB.
    pub io_unit: Option<u64>,
    /// Whether smaller requests use up throughput like one of `io_unit`.
    #[serde(default)]
    pub whole_units: bool,
    /// Request size for which the provider states the maximum, KiB.
    pub stated_at: Option<u64>,
    /// Shape of the limit in time.
    #[serde(default)]
    pub shape: LimitShape,
    /// Latency at queue depth 1, milliseconds.
    pub qd1_ms: Option<f64>,
    /// Bursts by size.
    #[serde(rename = "burst", default)]
    pub bursts: Vec<BurstRow>,
    /// Sizes with the limits that the source states for them.
    #[serde(rename = "test", default)]
    pub vectors: Vec<VolumeVector>,
}

/// Shape of a limit in time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitShape {
    /// Requests are spread evenly.
    #[default]
    Smooth,
    /// Each slice of 100 ms has a tenth of the limit.
    Slices,
}

/// Tier of a type.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeTier {
    /// Name: `P15`.
    pub name: String,
    /// Largest size.
    pub size: f64,
    /// IOPS.
    pub iops: f64,
    /// Throughput in the provider's unit.
    pub throughput: f64,
}

/// Burst of the volumes in a range of sizes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BurstRow {
    kind: BurstKind,
    /// Origin, where it is not that of the row.
    mark: Option<CloudMark>,
    above: Option<f64>,
    up_to: Option<f64>,
    iops: Option<LimitFormula>,
    throughput: Option<LimitFormula>,
    /// I/Os in a full bucket, filled at the base rate.
    credits: Option<f64>,
    /// MiB in a full bucket for each unit of size, filled at the base rate.
    mib_per_gib: Option<f64>,
    /// Seconds from a full bucket.
    seconds: Option<f64>,
    /// Seconds in which an empty bucket fills, where it is not the base that fills it.
    refill_seconds: Option<f64>,
}

/// Limits that the source states for a size, or that follow by hand from the formula.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeVector {
    size: f64,
    order_iops: Option<f64>,
    order_throughput: Option<f64>,
    instance: Option<String>,
    volumes: Option<u32>,
    tier: Option<String>,
    iops: Option<f64>,
    write_iops: Option<f64>,
    throughput: Option<f64>,
    most_iops: Option<f64>,
    most_throughput: Option<f64>,
    burst_iops: Option<f64>,
    burst_throughput: Option<f64>,
    burst_seconds: Option<f64>,
    #[serde(default)]
    no_burst: bool,
    crossover_kib: Option<f64>,
    cap_iops: Option<f64>,
    cap_throughput: Option<f64>,
}

/// Machines with figures by name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineRow {
    mark: CloudMark,
    source: String,
    date: Option<String>,
    unit: CloudUnit,
    burst_seconds: Option<f64>,
    limits: Vec<MachineLimits>,
    #[serde(rename = "test", default)]
    vectors: Vec<MachineVector>,
}

/// Figures of a machine.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineLimits {
    name: String,
    iops: Option<f64>,
    throughput: Option<f64>,
    burst_iops: Option<f64>,
    burst_throughput: Option<f64>,
    /// Limits through the cache of the host, which do not count here.
    #[serde(rename = "cached_iops")]
    _cached_iops: Option<f64>,
    #[serde(rename = "cached_throughput")]
    _cached_throughput: Option<f64>,
}

/// Machines with figures by family and number of CPUs; throughput in MiB/s.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyRow {
    name: String,
    types: Vec<String>,
    mark: CloudMark,
    source: String,
    date: Option<String>,
    limits: Vec<FamilyLimits>,
    #[serde(rename = "test", default)]
    vectors: Vec<MachineVector>,
}

/// Figures from a number of CPUs on.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyLimits {
    vcpus: u32,
    read_iops: f64,
    write_iops: f64,
    read_throughput: f64,
    write_throughput: f64,
}

/// Machine with the limits that the source states for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineVector {
    name: String,
    iops: Option<f64>,
    throughput: Option<f64>,
}

/// Returns the tables of all providers.
pub fn providers() -> &'static [ProviderTable] {
    static TABLES: OnceLock<Vec<ProviderTable>> = OnceLock::new();
    // A wrong table is left out; the tests parse all.
    TABLES.get_or_init(|| TEXTS.iter().filter_map(|text| toml::from_str(text).ok()).collect())
}

/// Returns up to three names, the most similar first.
fn similar<'a>(name: &str, all: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for _ in 0..3 {
        let rest = all.clone().filter(|other| !found.iter().any(|known| known == other));
        match job::suggest::nearest(name, rest) {
            Some(near) => found.push(near.into()),
            None => break,
        }
    }
    found
}

/// Returns the table of a provider.
///
/// # Errors
/// There is none.
pub fn provider(name: &str) -> Result<&'static ProviderTable, CloudError> {
    let lower = name.to_lowercase();
    let wanted = own_provider(&lower);
    let table = providers().iter().find(|table| table.provider == wanted);
    table.ok_or_else(|| {
        let near = similar(wanted, providers().iter().map(|table| table.provider.as_str()));
        CloudError::Provider { name: name.into(), near }
    })
}

/// Returns the current row of a type, of one provider or of the only one that has it.
///
/// # Errors
/// No provider has the type, or several have it.
pub fn volume(
    table: Option<&'static ProviderTable>,
    kind: &str,
) -> Result<(&'static ProviderTable, &'static VolumeRow), CloudError> {
    let wanted = own_type(&kind.to_lowercase()).to_owned();
    let tables =
        || providers().iter().filter(move |t| table.is_none_or(|wanted| wanted.provider == t.provider));
    let rows = || tables().flat_map(|table| table.current().map(move |row| (table, row)));
    let found: Vec<_> = rows().filter(|(_, row)| row.kind == wanted).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let names: Vec<&str> = rows().map(|(_, row)| row.kind.as_str()).collect();
            let near = similar(&wanted, names.iter().copied());
            let near = match table {
                Some(_) if near.is_empty() => names.iter().map(|name| (*name).to_owned()).collect(),
                _ => near,
            };
            Err(CloudError::Type {
                name: kind.into(),
                provider: table.map(|table| table.provider.clone()),
                near,
            })
        }
        several => Err(CloudError::Ambiguous {
            name: kind.into(),
            providers: several.iter().map(|(table, _)| table.provider.clone()).collect(),
        }),
    }
}

impl ProviderTable {
    /// Returns the rows that hold today.
    pub fn current(&self) -> impl Iterator<Item = &VolumeRow> {
        self.volumes.iter().filter(|row| !row.replaced && row.valid_to.is_none())
    }

    /// Returns the limits of a machine for a type of volume; `None` if the table does not have the machine.
    pub fn machine(&self, name: &str, kind: &str) -> Option<CloudInstance> {
        let wanted = plain(name);
        let by_name = self.machines.iter().find_map(|row| {
            let limits = row.limits.iter().find(|limits| plain(&limits.name) == wanted)?;
            let rate = |rate: Option<f64>| rate.map(|rate| rate * row.unit.bytes());
            let bursts = limits.burst_iops.or(limits.burst_throughput).is_some();
            Some(CloudInstance {
                name: name.into(),
                iops: limits.iops,
                throughput: rate(limits.throughput),
                burst_iops: limits.burst_iops,
                burst_throughput: rate(limits.burst_throughput),
                burst_seconds: row.burst_seconds.filter(|_| bursts),
                write_iops: None,
                write_throughput: None,
                row: CloudSource { mark: row.mark, source: row.source.clone(), date: row.date.clone() },
            })
        });
        by_name.or_else(|| {
            let (family, rest) = wanted.split_once('-')?;
            let vcpus: u32 = rest.rsplit('-').next()?.parse().ok()?;
            let row = self.families.iter().find(|r| r.name == family && r.types.iter().any(|t| t == kind))?;
            let limits = row.limits.iter().rfind(|limits| limits.vcpus <= vcpus)?;
            Some(CloudInstance {
                name: name.into(),
                iops: Some(limits.read_iops),
                throughput: Some(limits.read_throughput * CloudUnit::Mebibyte.bytes()),
                write_iops: Some(limits.write_iops),
                write_throughput: Some(limits.write_throughput * CloudUnit::Mebibyte.bytes()),
                row: CloudSource { mark: row.mark, source: row.source.clone(), date: row.date.clone() },
                ..CloudInstance::default()
            })
        })
    }

    /// Returns the names of all machines; those of one family that follow each other are one entry: `m5.large..24xlarge`,
    /// `n2-*`.
    pub fn machine_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let mut family = "";
        for limits in self.machines.iter().flat_map(|row| &row.limits) {
            match (limits.name.split_once('.'), names.last_mut()) {
                (Some((own, size)), Some(last)) if own == family => {
                    let first = last.split("..").next().unwrap_or_default().to_owned();
                    *last = format!("{first}..{size}");
                }
                _ => names.push(limits.name.clone()),
            }
            family = limits.name.split_once('.').map_or("", |(own, _)| own);
        }
        for row in &self.families {
            let name = format!("{}-*", row.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Returns the error for a machine that the table does not have.
    pub fn no_machine(&self, name: &str) -> CloudError {
        let names = self.machines.iter().flat_map(|row| row.limits.iter().map(|limits| limits.name.as_str()));
        CloudError::Instance {
            name: name.into(),
            near: similar(name, names),
            known: self.machine_names(),
            source: self.instances.source.clone(),
        }
    }
}

/// Returns the name of a machine without Azure's prefix, in lower case.
fn plain(name: &str) -> String {
    let name = name.to_lowercase();
    name.strip_prefix("standard_").map(str::to_owned).unwrap_or(name)
}

impl VolumeRow {
    /// Returns whether a limit depends on the size.
    fn needs_size(&self) -> bool {
        let formulas = [&self.iops, &self.write_iops, &self.throughput];
        let orders = [&self.iops_order, &self.throughput_order];
        !self.tiers.is_empty()
            || formulas.into_iter().flatten().any(LimitFormula::needs_size)
            || orders.into_iter().flatten().any(|o| o.above.is_some())
            || orders.into_iter().flatten().any(|o| o.per_gib.is_some() && o.min.is_some())
    }

    /// Returns the included, smallest and largest IOPS.
    fn orders_of_iops(&self, inputs: Inputs) -> (Option<f64>, Option<[f64; 2]>) {
        let included = self.iops.as_ref().map(|formula| formula.value(inputs));
        (included, self.iops_order.as_ref().map(|order| order.range(included, inputs)))
    }

    /// Returns the limits of a volume of this type.
    ///
    /// # Errors
    /// The order is not possible.
    pub fn limits(&self, table: &ProviderTable, order: VolumeOrder) -> Result<CloudVolume, CloudError> {
        let kind = || self.kind.clone();
        if self.tiers.is_empty() && self.iops.is_none() && self.iops_order.is_none() {
            return Err(CloudError::NoFigures { kind: kind() });
        }
        let [least, most] = self.size;
        if order.size.is_some_and(|size| size < least || size > most) {
            return Err(CloudError::Size { kind: kind(), range: self.size, unit: table.capacity.clone() });
        }
        if order.size.is_none() && (self.needs_size() || order.iops.is_some() && self.iops_order.is_some()) {
            return Err(CloudError::NoSize { kind: kind() });
        }
        let pool = if self.pooled { order.volumes.max(1) } else { 1 };
        let size = order.size.unwrap_or(most) * f64::from(pool);
        for (wanted, range, ordered) in [
            (order.iops, &self.iops_order, Ordered::Iops),
            (order.throughput, &self.throughput_order, Ordered::Throughput),
        ] {
            if wanted.is_some() && range.is_none() {
                let orders = |row: &&VolumeRow| match ordered {
                    Ordered::Iops => row.iops_order.is_some(),
                    Ordered::Throughput => row.throughput_order.is_some(),
                };
                let types = table.current().filter(orders).map(|row| row.kind.clone()).collect();
                return Err(CloudError::NotOrdered { kind: kind(), ordered, types });
            }
        }
        let checked = |wanted: Option<f64>, range: Option<[f64; 2]>, included: Option<f64>, ordered| {
            let Some(range) = range else { return Ok(included) };
            let of = |missing| CloudError::Order { kind: kind(), ordered, range, unit: table.unit, missing };
            match (wanted, included) {
                (Some(wanted), _) if wanted >= range[0] && wanted <= range[1] => Ok(Some(wanted)),
                (Some(_), _) => Err(of(false)),
                (None, None) => Err(of(true)),
                (None, included) => Ok(included),
            }
        };
        let mut inputs = Inputs { size, ..Inputs::default() };
        let tier = self.tiers.iter().find(|tier| size <= tier.size);
        if self.iops.as_ref().is_some_and(|formula| formula.per_throughput > 0.0) {
            let range = self.throughput_order.as_ref().map(|order| order.range(None, inputs));
            inputs.throughput = checked(order.throughput, range, None, Ordered::Throughput)?.unwrap_or(0.0);
        }
        let (included, range) = self.orders_of_iops(inputs);
        let iops = match tier {
            Some(tier) => Some(tier.iops),
            None => checked(order.iops, range, included, Ordered::Iops)?,
        };
        inputs.iops = iops.unwrap_or(0.0);
        inputs.beyond = iops.zip(included).map_or(0.0, |(iops, included)| (iops - included).max(0.0));
        let included = self.throughput.as_ref().map(|formula| formula.value(inputs));
        let throughput = match tier {
            Some(tier) => Some(tier.throughput),
            None if inputs.throughput > 0.0 => Some(inputs.throughput),
            None => {
                let range = self.throughput_order.as_ref().map(|order| order.range(included, inputs));
                checked(order.throughput, range, included, Ordered::Throughput)?
            }
        };
        let mut volume = CloudVolume {
            provider: table.provider.clone(),
            provider_name: table.name.clone(),
            kind: kind(),
            size: order.size,
            capacity_unit: table.capacity.clone(),
            tier: tier.map(|tier| tier.name.clone()),
            unit: table.unit,
            iops,
            write_iops: self.write_iops.as_ref().map(|formula| formula.value(inputs)),
            throughput: throughput.map(|rate| rate * table.unit.bytes()),
            io_unit: self.io_unit.map(|kib| kib << 10),
            whole_units: self.whole_units,
            burst: None,
            sharing: table.sharing.as_ref().map(|rule| CloudSharingRule {
                kind: rule.kind,
                row: CloudSource { mark: rule.mark, source: rule.source.clone(), date: rule.date.clone() },
            }),
            pooled: self.pooled,
            slices: self.shape == LimitShape::Slices,
            qd1_ms: self.qd1_ms,
            row: CloudSource { mark: self.mark, source: self.source.clone(), date: self.date.clone() },
        };
        volume.burst = self.bursts.iter().find_map(|row| row.burst(&volume, inputs, self.mark));
        Ok(volume)
    }
}

impl BurstRow {
    /// Returns the burst of a volume; `None` if the row is for other sizes, or the base is as high.
    fn burst(&self, volume: &CloudVolume, inputs: Inputs, mark: CloudMark) -> Option<CloudBurst> {
        let size = inputs.size;
        if self.above.is_some_and(|above| size <= above) || self.up_to.is_some_and(|up_to| size > up_to) {
            return None;
        }
        let above = |formula: &Option<LimitFormula>, base: Option<f64>, unit: f64| {
            let rate = formula.as_ref().map(|formula| formula.value(inputs) * unit);
            rate.filter(|rate| base.is_none_or(|base| *rate > base))
        };
        let iops = above(&self.iops, volume.iops, 1.0);
        let throughput = above(&self.throughput, volume.throughput, volume.unit.bytes());
        iops.or(throughput)?;
        // Bucket, rate that empties it, and rate that fills it.
        let bucket = self.credits.zip(iops).zip(volume.iops);
        let bytes = self.mib_per_gib.map(|mib| mib * CloudUnit::Mebibyte.bytes() * size);
        let bucket = bucket.or_else(|| bytes.zip(throughput).zip(volume.throughput));
        let seconds = bucket.map(|((bucket, burst), base)| bucket / (burst - base)).or(self.seconds);
        let filled = bucket.map(|((bucket, _), base)| bucket / base);
        let unused = self.seconds.zip(iops.zip(volume.iops));
        let filled =
            filled.or_else(|| unused.map(|(seconds, (burst, base))| (burst - base) * seconds / base));
        let credits = self.kind == BurstKind::Credits;
        Some(CloudBurst {
            kind: self.kind,
            iops,
            throughput,
            seconds: seconds.filter(|_| credits),
            refill_seconds: self.refill_seconds.or(filled).filter(|_| credits),
            mark: self.mark.unwrap_or(mark),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::cloud::{CloudLimits, CloudLoad};

    fn near(found: Option<f64>, right: Option<f64>, what: &str) {
        let Some(right) = right else { return };
        let found = found.unwrap_or_else(|| panic!("{what}: no value instead of {right}"));
        assert!((found / right - 1.0).abs() < 0.002, "{what}: {found} instead of {right}");
    }

    fn check(table: &ProviderTable, row: &VolumeRow, vector: &VolumeVector) {
        let what = format!("{} {} of {}", table.provider, row.kind, vector.size);
        let inputs = Inputs { size: vector.size, ..Inputs::default() };
        let (included, range) = row.orders_of_iops(inputs);
        let most = range.map(|[_, most]| most);
        near(most, vector.most_iops, &format!("{what}, most IOPS"));
        let inputs = Inputs { iops: most.or(included).unwrap_or(0.0), ..inputs };
        let included = row.throughput.as_ref().map(|formula| formula.value(inputs));
        let most = row.throughput_order.as_ref().map(|order| order.range(included, inputs)[1]);
        near(most, vector.most_throughput, &format!("{what}, most throughput"));
        let most_only =
            vector.iops.or(vector.throughput).or(vector.cap_iops).or(vector.burst_seconds).is_none();
        if most_only && !vector.no_burst {
            return;
        }
        let order = VolumeOrder {
            size: Some(vector.size),
            iops: vector.order_iops,
            throughput: vector.order_throughput,
            volumes: vector.volumes.unwrap_or(1),
        };
        let volume = row.limits(table, order).unwrap_or_else(|e| panic!("{what}: {e:?}"));
        let unit = volume.unit.bytes();
        near(volume.iops, vector.iops, &format!("{what}, IOPS"));
        near(volume.write_iops, vector.write_iops, &format!("{what}, write IOPS"));
        near(volume.throughput.map(|rate| rate / unit), vector.throughput, &format!("{what}, throughput"));
        assert!(vector.tier.is_none() || volume.tier == vector.tier, "{what}: {:?}", volume.tier);
        assert!(!vector.no_burst || volume.burst.is_none(), "{what}: {:?}", volume.burst);
        let burst = volume.burst.as_ref();
        near(burst.and_then(|b| b.iops), vector.burst_iops, &format!("{what}, burst IOPS"));
        let rate = burst.and_then(|b| b.throughput).map(|rate| rate / unit);
        near(rate, vector.burst_throughput, &format!("{what}, burst throughput"));
        near(burst.and_then(|b| b.seconds), vector.burst_seconds, &format!("{what}, burst time"));
        let instance = vector.instance.as_ref().map(|name| {
            table.machine(name, &row.kind).unwrap_or_else(|| panic!("{what}: no machine {name}"))
        });
        let volumes = vector.volumes.unwrap_or(1);
        let mut limits = CloudLimits { volume, volumes, instance, ..CloudLimits::default() };
        limits.complete(1e6);
        near(limits.crossover.map(|b| b / 1024.0), vector.crossover_kib, &format!("{what}, crossover"));
        near(
            limits.cap(CloudLoad::Reads, 512).map(|cap| cap.iops),
            vector.cap_iops,
            &format!("{what}, IOPS with the machine"),
        );
        let large = limits.cap(CloudLoad::Reads, 256 << 10).map(|cap| cap.iops * 262_144.0 / unit);
        near(large, vector.cap_throughput, &format!("{what}, throughput with the machine"));
    }

    /// Every confirmed row states at least one size with its limits, and the formula gives them.
    #[test]
    fn every_row_gives_its_test_vectors() {
        let mut rows = 0;
        for text in TEXTS {
            let table: ProviderTable = toml::from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            for row in &table.volumes {
                rows += 1;
                let what = format!("{} {}", table.provider, row.kind);
                assert!(row.mark == CloudMark::K || !row.vectors.is_empty(), "{what} has no test vector");
                assert!(!row.source.is_empty() && row.size[0] <= row.size[1], "{what}");
                for vector in &row.vectors {
                    check(&table, row, vector);
                }
            }
            let unit =
                |machine: &CloudInstance, unit: CloudUnit| machine.throughput.map(|t| t / unit.bytes());
            for row in &table.machines {
                assert!(row.mark == CloudMark::K || row.vectors.len() == row.limits.len(), "{}", row.source);
                for vector in &row.vectors {
                    let found = table.machine(&vector.name, "").unwrap();
                    near(found.iops, vector.iops, &vector.name);
                    near(unit(&found, row.unit), vector.throughput, &vector.name);
                }
            }
            for row in &table.families {
                assert!(!row.vectors.is_empty(), "{}", row.name);
                for (vector, kind) in row.vectors.iter().flat_map(|v| row.types.iter().map(move |t| (v, t))) {
                    let found = table.machine(&vector.name, kind).unwrap();
                    near(found.iops, vector.iops, &vector.name);
                    near(unit(&found, CloudUnit::Mebibyte), vector.throughput, &vector.name);
                }
            }
        }
        assert_eq!(
            (providers().len(), rows),
            (TEXTS.len(), providers().iter().map(|t| t.volumes.len()).sum())
        );
    }

    /// A larger volume is never slower.
    #[test]
    fn limits_grow_with_the_size() {
        for table in providers() {
            for row in table.current() {
                let mut before = (0.0, 0.0);
                for size in [1.0, 4.0, 10.0, 33.0, 100.0, 170.0, 333.0, 500.0, 1000.0, 4000.0, 16000.0] {
                    let order = VolumeOrder { size: Some(size), ..VolumeOrder::default() };
                    let Ok(volume) = row.limits(table, order) else { continue };
                    let now = (volume.iops.unwrap_or(0.0), volume.throughput.unwrap_or(0.0));
                    assert!(now.0 >= before.0 && now.1 >= before.1, "{} at {size}", row.kind);
                    before = now;
                }
            }
        }
    }

    #[test]
    fn a_type_has_one_row_that_holds_today() {
        for table in providers() {
            for row in table.current() {
                assert!(volume(Some(table), &row.kind).is_ok(), "{} {}", table.provider, row.kind);
            }
        }
        assert_eq!(volume(None, "gp3").map(|(table, _)| table.provider.as_str()), Ok("aws"));
        assert!(
            matches!(volume(None, "ultra"), Err(CloudError::Ambiguous { providers, .. }) if providers.len() == 2)
        );
        assert!(
            matches!(volume(None, "gp33"), Err(CloudError::Type { near, .. }) if near.iter().any(|n| n == "gp3"))
        );
    }

    #[test]
    fn impossible_orders_say_what_is_possible() {
        let aws = provider("aws").unwrap();
        let of = |kind: &str, size: Option<f64>, iops: Option<f64>, throughput: Option<f64>| {
            volume(Some(aws), kind).unwrap().1.limits(aws, VolumeOrder { size, iops, throughput, volumes: 1 })
        };
        assert!(matches!(of("gp2", None, None, None), Err(CloudError::NoSize { .. })));
        assert!(matches!(of("gp2", Some(20000.0), None, None), Err(CloudError::Size { .. })));
        let wrong = of("gp2", Some(100.0), Some(3000.0), None);
        assert!(
            matches!(wrong, Err(CloudError::NotOrdered { ref types, .. }) if types.iter().any(|t| t == "gp3")),
            "{wrong:?}"
        );
        let wrong = of("gp3", Some(10.0), Some(6000.0), None);
        assert!(
            matches!(wrong, Err(CloudError::Order { range: [3000.0, 5000.0], missing: false, .. })),
            "{wrong:?}"
        );
        let wrong = of("gp3", Some(500.0), None, Some(1000.0));
        assert!(matches!(wrong, Err(CloudError::Order { range: [125.0, 750.0], .. })), "{wrong:?}");
        let wrong = of("io2", Some(500.0), None, None);
        assert!(
            matches!(wrong, Err(CloudError::Order { range: [100.0, 256000.0], missing: true, .. })),
            "{wrong:?}"
        );
        assert!(of("gp3", None, None, None).is_ok());
    }
}
