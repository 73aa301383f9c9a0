//! What commands beside a result say about the machine: a rebuild of an array, a link below its speed, a misaligned
//! partition, a full file system, the NUMA node.

use super::page::TextPage;
use stats::Claim;
use stats::audit::PrintedResult;

/// Lines above a result among which such output is looked for.
const REACH: usize = 40;
/// Used space from which a file system is nearly full, percent.
const FULL: f64 = 90.0;
/// Capacity of a link of USB 2 after its overhead, bytes per second.
const USB_2: u64 = 42_000_000;
/// Capacity of a link of USB 3, bytes per second.
const USB_3: u64 = 450_000_000;
/// Actions of an array in /proc/mdstat.
const ACTIONS: [&str; 4] = ["resync", "recovery", "check", "reshape"];

/// Adds the claims of command output above each result to it.
pub(super) fn note(page: &TextPage, results: &mut [PrintedResult]) {
    if results.len() > 200 {
        return;
    }
    let ends: Vec<usize> = results.iter().map(|result| result.lines[1]).collect();
    for result in results {
        let first = result.lines[0];
        // The first lines of a result of fio are its command and header.
        let last = result.lines[1];
        let before = ends.iter().copied().filter(|end| *end < first).max().unwrap_or(0);
        let near = page
            .lines
            .iter()
            .filter(|line| line.number > before.max(first.saturating_sub(REACH)) && line.number <= last)
            .map(|line| line.text.as_str());
        let lines: Vec<&str> = near.take(2 * REACH).collect();
        for claim in claims(&lines, &result.command) {
            if result
                .claims
                .iter()
                .all(|known| std::mem::discriminant(known) != std::mem::discriminant(&claim))
            {
                result.claims.push(claim);
            }
        }
    }
}

/// Returns what lines of command output say; `command` is that of the result.
fn claims(lines: &[&str], command: &str) -> Vec<Claim> {
    let mut found = Vec::new();
    let mut array = String::new();
    let mut physical = 0u64;
    let mut nodes: Vec<u32> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("md") && line.contains(" : active") {
            array = line.split_whitespace().next().unwrap_or_default().to_owned();
        }
        found.extend(rebuild(line, &array));
        found.extend(slow_link(line));
        if let Some(bytes) = physical_sector(line) {
            physical = bytes;
        }
        found.extend(misaligned(line, physical));
        found.extend(full(line, command));
        if line.trim_end().ends_with("numa_node")
            && let Some(node) = lines.get(at + 1).and_then(|next| next.trim().parse().ok())
        {
            nodes.push(node);
        }
    }
    found.extend(far_node(&nodes, command, lines));
    found
}

/// Reads `[==>..]  resync = 21.4% (209112064/976630464) finish=...` of /proc/mdstat.
fn rebuild(line: &str, array: &str) -> Option<Claim> {
    let action = ACTIONS
        .into_iter()
        .find(|action| line.split_once(action).is_some_and(|(_, rest)| rest.trim_start().starts_with('=')))?;
    let progress = line.contains('%') && line.contains("speed=");
    let device = if array.is_empty() { "md" } else { array }.to_owned();
    progress.then(|| Claim::Rebuilding { device, action: action.to_owned() })
}

/// Reads `LnkSta: Speed 8GT/s (ok), Width x1 (downgraded)` of lspci, and `Driver=uas, 480M` of lsusb.
fn slow_link(line: &str) -> Option<Claim> {
    let line = line.trim();
    if let Some(rest) = line.strip_prefix("LnkSta:").filter(|rest| rest.contains("(downgraded)")) {
        let speed: f64 = rest.split("Speed ").nth(1)?.split("GT/s").next()?.parse().ok()?;
        let width: f64 = rest.split("Width x").nth(1)?.split([' ', ',']).next()?.parse().ok()?;
        // Encoding of 8 of 10 bits below 8 GT/s, then 128 of 130.
        let lane = speed * 1e9 / 8.0 * if speed < 8.0 { 0.8 } else { 128.0 / 130.0 };
        let narrowed = rest.split("Width").nth(1).is_some_and(|width| width.contains("(downgraded)"));
        let most = lane * if narrowed { 4.0_f64.max(2.0 * width) } else { 2.0 * width };
        return Some(Claim::SlowLink {
            device: "PCIe".into(),
            now: (lane * width) as u64,
            most: most as u64,
        });
    }
    let storage = line.contains("Class=Mass Storage") && line.ends_with(", 480M");
    let plugged = {
        let lower = line.to_lowercase();
        lower.contains("480 mbit") && lower.contains("usb 3")
    };
    (storage || plugged).then(|| Claim::SlowLink { device: "USB".into(), now: USB_2, most: USB_3 })
}

/// Reads `Sector size (logical/physical): 512 bytes / 4096 bytes` of fdisk.
fn physical_sector(line: &str) -> Option<u64> {
    let rest = line.split_once("Sector size (logical/physical):")?.1;
    rest.split('/').nth(1)?.split_whitespace().next()?.parse().ok()
}

/// Reads fdisk's warning, and a partition that starts at sector 63.
fn misaligned(line: &str, physical: u64) -> Option<Claim> {
    if line.contains("does not start on physical sector boundary") {
        let number = line.split_whitespace().nth(1)?.parse::<u32>().ok()?;
        return Some(Claim::Misaligned {
            device: number.to_string(),
            start_sector: None,
            block: physical.max(4096),
        });
    }
    let mut words = line.split_whitespace().filter(|word| *word != "*");
    let device = words.next().filter(|word| word.starts_with("/dev/"))?;
    let start: u64 = words.next()?.parse().ok()?;
    let end: u64 = words.next()?.parse().ok()?;
    let wrong = physical >= 4096 && end > start && !(start * 512).is_multiple_of(physical);
    wrong.then(|| Claim::Misaligned {
        device: device.trim_start_matches("/dev/").to_owned(),
        start_sector: Some(start),
        block: physical,
    })
}

/// Reads `/dev/sdb1  932G  905G  19G  98% /data` of df, of a mount point that the command names.
fn full(line: &str, command: &str) -> Option<Claim> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, .., used, mount] = words.as_slice() else { return None };
    let used_percent: f64 = used.strip_suffix('%')?.parse().ok()?;
    let named = mount.starts_with('/') && mount.len() > 1 && command.contains(&format!("{mount}/"));
    (named && words.len() == 6 && (FULL..=100.0).contains(&used_percent))
        .then_some(Claim::NearlyFull { used_percent })
}

/// Compares the node of the drive with the one that `numactl` or `numa_cpu_nodes` binds to.
fn far_node(nodes: &[u32], command: &str, lines: &[&str]) -> Option<Claim> {
    let [node] = nodes else { return None };
    let bound = |text: &str| -> Option<u32> {
        let rest = ["--cpunodebind=", "-N ", "numa_cpu_nodes="]
            .into_iter()
            .find_map(|option| text.split_once(option).map(|(_, rest)| rest))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    let used = bound(command).or_else(|| lines.iter().find_map(|line| bound(line)))?;
    (used != *node).then(|| Claim::FarNode { device: String::from("drive"), node: *node })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str, command: &str) -> Vec<&'static str> {
        let lines: Vec<&str> = text.lines().collect();
        claims(&lines, command).iter().map(Claim::rule).collect()
    }

    #[test]
    fn command_output_beside_a_result_is_read() {
        let mdstat = "md0 : active raid1 sdb1[1] sda1[0]\n [==>.....]  resync = 21.4% (1/9) finish=112.7min speed=113460K/sec";
        assert_eq!(rules(mdstat, ""), ["M32"]);
        assert_eq!(rules("md0 : active raid1 sdb1[1] sda1[0]\n 976630464 blocks [2/2] [UU]", ""), [""; 0]);
        assert_eq!(rules("LnkSta:\tSpeed 8GT/s (ok), Width x1 (downgraded)", ""), ["M25"]);
        assert_eq!(rules("LnkSta:\tSpeed 8GT/s (ok), Width x4 (ok)", ""), [""; 0]);
        assert_eq!(rules("|__ Port 3: Dev 7, If 0, Class=Mass Storage, Driver=uas, 480M", ""), ["M25"]);
        assert_eq!(rules("|__ Port 3: Dev 7, If 0, Class=Mass Storage, Driver=uas, 5000M", ""), [""; 0]);
        let fdisk = "Sector size (logical/physical): 512 bytes / 4096 bytes\n/dev/sdb1   63  3907024064  1953512001   83  Linux";
        assert_eq!(rules(fdisk, ""), ["M26"]);
        assert_eq!(rules(&fdisk.replace("  63 ", " 2048 "), ""), [""; 0]);
        let df = "Filesystem  Size  Used Avail Use% Mounted on\n/dev/sdb1  932G  905G   19G  98% /data";
        assert_eq!(rules(df, "fio --filename=/data/x"), ["M39"]);
        assert_eq!(rules(df, "fio --filename=/other/x"), [""; 0]);
        let node = "# cat /sys/class/nvme/nvme3/device/numa_node\n1";
        assert_eq!(rules(node, "numactl --cpunodebind=0 fio --name=a"), ["M24"]);
        assert_eq!(rules(node, "numactl --cpunodebind=1 fio --name=a"), [""; 0]);
    }
}
