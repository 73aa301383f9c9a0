//! Which class of devices measured figures resemble, and whether the device's own label says otherwise.

use super::{DeviceCatalogue, DeviceClass, KnownDevice};
use stats::cloud::{CloudMark, CloudSource};
use stats::ranking::{LabelContradiction, RankFigure, RankedClass, RankedDevice, Ranking};
use stats::{Direction, Finding, Measured};

/// Block size of the random patterns of the catalogue, bytes.
const RANDOM_BLOCK: u64 = 4096;
/// Smallest block size of the sequential pattern, bytes.
const SEQUENTIAL_BLOCK: u64 = 131_072;
/// Depths that count as depth 32.
const DEEP: std::ops::RangeInclusive<u32> = 16..=64;
/// Mean distance (decimal logarithm) from which a device resembles no class: a factor of three.
const STRANGE: f64 = 0.5;
/// Factor up to which figures of two devices are alike.
const ALIKE: f64 = 1.1;
/// Difference of distances below which two classes resemble the device equally.
const TIE: f64 = 0.03;

/// Returns the rate of a device; `None` if it is not known.
fn rate(figure: RankFigure, device: &KnownDevice) -> Option<f64> {
    match figure {
        RankFigure::ReadQd1 => device.read_qd1,
        RankFigure::ReadQd32 => device.read_qd32,
        RankFigure::WriteQd1 => device.write_qd1,
        RankFigure::SyncWriteQd1 => device.sync_write_qd1,
        RankFigure::Sequential => device.sequential,
    }
}

/// Returns the range of a class.
fn range(figure: RankFigure, class: &DeviceClass) -> [f64; 2] {
    match figure {
        RankFigure::ReadQd1 => class.read_qd1,
        RankFigure::ReadQd32 => class.read_qd32,
        RankFigure::WriteQd1 => class.write_qd1,
        RankFigure::SyncWriteQd1 => class.sync_write_qd1,
        RankFigure::Sequential => class.sequential,
    }
}

/// Returns a class without its place.
fn of_class(class: &DeviceClass, figures: &[(RankFigure, f64)]) -> RankedClass {
    RankedClass {
        name: class.name.clone(),
        ranges: figures.iter().map(|(figure, _)| Some(range(*figure, class))).collect(),
        row: CloudSource { mark: class.mark, source: class.source.clone(), date: class.date.clone() },
        ..RankedClass::default()
    }
}

/// Returns an own device without its place. Its figures were measured by fathom and are not estimates.
fn of_own(device: &KnownDevice, figures: &[(RankFigure, f64)]) -> RankedClass {
    RankedClass {
        name: device.name.clone(),
        own: true,
        ranges: figures.iter().map(|(figure, _)| rate(*figure, device).map(|rate| [rate; 2])).collect(),
        row: CloudSource { mark: CloudMark::R, source: device.source.clone(), date: None },
        ..RankedClass::default()
    }
}

/// Ranks measured loads. `None` if none of them has a pattern of the catalogue.
pub fn rank(all: &DeviceCatalogue, source: &str, measured: &[Measured]) -> Option<Ranking> {
    let figures: Vec<(RankFigure, f64)> =
        RankFigure::ALL.into_iter().filter_map(|figure| Some((figure, largest(figure, measured)?))).collect();
    if figures.is_empty() {
        return None;
    }
    let classes = all.classes.iter().map(|class| of_class(class, &figures));
    let own = all.own.iter().map(|device| of_own(device, &figures));
    let mut classes: Vec<RankedClass> = classes
        .chain(own)
        .map(|class| placed(class, &figures))
        .filter(|class| class.distance.is_finite())
        .collect();
    classes.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let least = classes.first().map_or(f64::INFINITY, |class| class.distance);
    let best = match least > STRANGE {
        true => 0,
        false => classes.iter().take_while(|class| class.distance <= least + TIE).count(),
    };
    let stack = measured.first().map(|m| m.conditions.stack.clone()).unwrap_or_default();
    let label = |word: &str| stack.iter().any(|layer| layer.contains(word));
    let is_disk = |class: &RankedClass| class.name.starts_with("hdd");
    let leading = &classes[..best];
    let contradiction = if best > 0 && label("rotational") && !leading.iter().any(is_disk) {
        Some(LabelContradiction::ReportsRotational)
    } else if best > 0 && label(", ssd") && leading.iter().all(is_disk) {
        Some(LabelContradiction::ReportsSsd)
    } else {
        None
    };
    let devices = all
        .devices
        .iter()
        .map(|device| RankedDevice {
            class: device.class.clone(),
            name: device.name.clone(),
            figures: figures.iter().map(|(figure, _)| rate(*figure, device)).collect(),
            source: device.source.clone(),
        })
        .filter(|device| device.figures.iter().any(Option::is_some))
        .collect();
    let mut findings: Vec<Finding> = Vec::new();
    for found in measured.iter().flat_map(|load| &load.findings) {
        // A finding of many loads is shown once, for the first of them.
        if findings.iter().all(|known| known.claim.rule() != found.claim.rule()) {
            findings.push(found.clone());
        }
    }
    findings.sort_by_key(|found| std::cmp::Reverse(found.claim.grade()));
    let source = source.to_owned();
    Some(Ranking {
        source,
        stack,
        figures,
        classes,
        devices,
        best,
        contradiction,
        findings,
        ..Ranking::default()
    })
}

/// Returns the largest value of a figure among the loads; `None` without a load of its pattern.
fn largest(figure: RankFigure, measured: &[Measured]) -> Option<f64> {
    let values = measured.iter().filter_map(|load| value(figure, load));
    values.fold(None, |most: Option<f64>, value| Some(most.map_or(value, |most| most.max(value))))
}

fn value(figure: RankFigure, load: &Measured) -> Option<f64> {
    let access = &load.access;
    let depth = load.depth.max(1).saturating_mul(load.jobs.max(1));
    let flow = |direction: Direction| load.flows.iter().find(|flow| flow.direction == direction);
    let random = access.bs == RANDOM_BLOCK && access.rw.starts_with("rand") && !load.conditions.paced;
    let synced = access.sync.is_some_and(|sync| sync.every == 1);
    match figure {
        RankFigure::ReadQd1 if random && depth == 1 && access.rw == "randread" => {
            Some(flow(Direction::Read)?.iops.value)
        }
        RankFigure::ReadQd32 if random && DEEP.contains(&depth) && access.rw == "randread" => {
            Some(flow(Direction::Read)?.iops.value)
        }
        RankFigure::WriteQd1 if random && depth == 1 && access.rw == "randwrite" && access.sync.is_none() => {
            Some(flow(Direction::Write)?.iops.value)
        }
        RankFigure::SyncWriteQd1
            if access.bs == RANDOM_BLOCK && depth == 1 && synced && access.rw.ends_with("write") =>
        {
            Some(flow(Direction::Write)?.iops.value)
        }
        RankFigure::Sequential
            if access.bs >= SEQUENTIAL_BLOCK && matches!(access.rw.as_str(), "read" | "write") =>
        {
            load.flows.iter().map(|flow| flow.bytes_per_second / 1e6).reduce(f64::max)
        }
        _ => None,
    }
}

/// Returns the class with the place of the figures; figures without a range do not count.
fn placed(class: RankedClass, figures: &[(RankFigure, f64)]) -> RankedClass {
    let alike = if class.own { ALIKE } else { 1.0 };
    let ratio = |(range, (_, value)): (&Option<[f64; 2]>, &(RankFigure, f64))| {
        range.map(|[low, high]| match (low / alike, high * alike) {
            (_, high) if *value > high => value / high,
            (low, _) if *value < low => value / low,
            _ => 1.0,
        })
    };
    let ratios: Vec<Option<f64>> = class.ranges.iter().zip(figures).map(ratio).collect();
    let known = || ratios.iter().flatten();
    // Without a common figure, the distance is not a number.
    let distance = known().map(|ratio| ratio.max(1e-9).log10().abs()).sum::<f64>() / known().count() as f64;
    RankedClass { distance, ratios, ..class }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_class::catalogue;
    use stats::study::{Access, Estimate};
    use stats::{Conditions, Flow};

    fn load(rw: &str, bs: u64, depth: u32, iops: f64, stack: &str) -> Measured {
        let direction = if rw.ends_with("write") { Direction::Write } else { Direction::Read };
        let iops_value = Estimate { value: iops, low: iops, high: iops };
        Measured {
            access: Access { rw: rw.into(), bs, ..Access::default() },
            depth,
            jobs: 1,
            flows: vec![Flow {
                direction,
                iops: iops_value,
                bytes_per_second: iops * bs as f64,
                ..Flow::default()
            }],
            conditions: Conditions { stack: vec![stack.into()], ..Conditions::default() },
            ..Measured::default()
        }
    }

    /// The middle of every class resembles that class or one with the same ranges of the figures measured.
    #[test]
    fn middle_of_each_class_resembles_it() {
        let all = catalogue();
        for class in &all.classes {
            let middle = |[low, high]: [f64; 2]| (low * high).sqrt();
            let loads = [
                load("randread", 4096, 1, middle(class.read_qd1), ""),
                load("randread", 4096, 32, middle(class.read_qd32), ""),
                load("randwrite", 4096, 1, middle(class.write_qd1), ""),
                load("read", 1 << 20, 8, middle(class.sequential) * 1e6 / (1 << 20) as f64, ""),
            ];
            let ranking = rank(all, "R1", &loads).unwrap();
            let leading = &ranking.classes[..ranking.best];
            assert!(
                leading.iter().any(|c| c.name == class.name && c.distance == 0.0),
                "{}: {leading:?}",
                class.name
            );
        }
    }

    #[test]
    fn a_label_that_contradicts_the_figures_is_told() {
        let all = catalogue();
        let hdd = |stack: &str| {
            [
                load("randread", 4096, 1, 78.0, stack),
                load("randread", 4096, 32, 190.0, stack),
                load("read", 1 << 20, 1, 170.0, stack),
            ]
        };
        let found = rank(all, "R1", &hdd("sda (disk, ssd)")).unwrap();
        assert_eq!(found.contradiction, Some(LabelContradiction::ReportsSsd), "{found:?}");
        assert_eq!(rank(all, "R1", &hdd("sda (disk, reports rotational)")).unwrap().contradiction, None);
        let nvme = [load("randread", 4096, 1, 14e3, "vda (disk, reports rotational)")];
        let found = rank(all, "R1", &nvme).unwrap();
        assert_eq!(found.contradiction, Some(LabelContradiction::ReportsRotational), "{found:?}");
        assert_eq!(rank(all, "R1", &[load("randread", 512, 1, 14e3, "")]), None);
    }
}
