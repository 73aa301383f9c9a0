//! Rules about the link to the disk, the clock source and the hypervisor.

use super::{Disk, Examined, Lines};
use facts::link::{self, Link};
use facts::{cpu, machine};
use stats::doctor::{Fact, Severity, Topic};

/// Clock sources that are read without a system call or an exit to the hypervisor.
const QUICK_CLOCKS: [&str; 6] =
    ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase", "xen"];
/// Link rate of the second SATA generation, tenths of Gbit/s: more than a disk with platters transfers.
const SATA_3: u32 = 30;
/// Link rate of the third SATA generation, tenths of Gbit/s.
const SATA_6: u32 = 60;
/// Link rate of USB 3, Mbit/s.
const SUPER_SPEED: u32 = 5000;

pub(super) fn lines(examined: &Examined, lines: &mut Lines) {
    for disk in &examined.disks {
        way(examined, disk, lines);
        node(examined, disk, lines);
    }
    if let Some(name) = machine::hypervisor(examined.root) {
        lines.add(Topic::Host, Severity::Note, Fact::Hypervisor { name });
    }
    let names = machine::governors(examined.root);
    if !names.is_empty() {
        let severity = if names == ["performance"] { Severity::Fine } else { Severity::Matters };
        lines.add(Topic::Host, severity, Fact::Governor { names });
    }
    if let Some(name) = machine::clocksource(examined.root) {
        let slow = !QUICK_CLOCKS.contains(&name.as_str());
        let severity = if slow { Severity::Matters } else { Severity::Fine };
        lines.add(Topic::Host, severity, Fact::Clock { name, slow });
    }
}

fn way(examined: &Examined, disk: &Disk, lines: &mut Lines) {
    let device = disk.device.name.clone();
    let (severity, fact) = match Link::of(examined.root, &disk.device, &disk.identity) {
        Some(Link::Pcie { now, most }) => {
            let less = now.width < most.width || now.speed < most.speed;
            let fact = Fact::Pcie {
                device,
                width: now.width,
                speed: now.speed,
                most_width: most.width,
                most_speed: most.speed,
                bytes_per_second: now.bytes_per_second(),
                most_bytes_per_second: most.bytes_per_second(),
            };
            (if less { Severity::Spoils } else { Severity::Fine }, fact)
        }
        Some(Link::Sata { now, limit }) => {
            let platters = disk.queue.rotational == Some(true);
            let severity = match now {
                n if n >= SATA_6 => Severity::Fine,
                // A rotational disk does not exceed 3 Gbit/s.
                n if platters && n >= SATA_3 => Severity::Fine,
                _ if platters => Severity::Matters,
                _ => Severity::Spoils,
            };
            // SATA transfers a byte as ten bits.
            let bytes_per_second = u64::from(now) * 10_000_000;
            (severity, Fact::Sata { device, tenths: now, limit_tenths: limit, bytes_per_second })
        }
        Some(Link::Usb { mbit, one_at_a_time }) => {
            let severity = match mbit {
                m if m < SUPER_SPEED => Severity::Spoils,
                _ if one_at_a_time => Severity::Matters,
                _ => Severity::Note,
            };
            (severity, Fact::Usb { device, mbit, one_at_a_time })
        }
        None => return,
    };
    lines.add(Topic::Host, severity, fact);
}

fn node(examined: &Examined, disk: &Disk, lines: &mut Lines) {
    let nodes = machine::nodes(examined.root);
    let Some(node) = link::numa_node(examined.root, &disk.device).filter(|_| nodes.len() > 1) else { return };
    let Some((_, cpus)) = nodes.iter().find(|(n, _)| *n == node) else { return };
    let allowed = cpu::allowed();
    let local = allowed.iter().any(|cpu| cpus.contains(cpu));
    let severity = if local { Severity::Note } else { Severity::Matters };
    lines.add(Topic::Host, severity, Fact::Numa { device: disk.device.name.clone(), node, local });
}
