//! `fathom ceph POOL`: what a Ceph pool reaches compared with the disks of its OSDs.

use crate::environment::patience;
use crate::live::{OwnWatch, ViewSwitch, restore_kernel_settings};
use crate::output::print;
use crate::{duration, signal, terminal};
use job::unit::whole;
use lab::ceph::{CephError, CephRequest, ClusterTarget, DiskClaim, measure};
use lab::target::JobContext;
use report::Lang;
use run::consent::{Consent, Policy};
use stats::ceph::CephPattern;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// What does a Ceph pool reach compared with the disks under it?
///
/// Reads the disks of the OSDs on this host (never writes on them), measures the pool by rados, RBD and CephFS in the
/// same patterns, and shows where the factor goes: copies, placement, journal, CPU, client. Scratch objects and a scratch
/// image are made in the pool and removed; those of killed runs are removed by the next run on the same host.
#[derive(clap::Args)]
pub struct Arguments {
    /// Name of the pool
    #[arg(value_name = "POOL")]
    pool: String,
    /// Configuration file of the cluster [default: $CEPH_CONF or /etc/ceph/ceph.conf]
    #[arg(long, value_name = "FILE")]
    conf: Option<PathBuf>,
    /// Name of the client [default: admin]
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Directory on a mount of CephFS, in which a scratch file is written and read
    #[arg(long, value_name = "DIR")]
    cephfs: Option<PathBuf>,
    /// Do not make and measure an RBD image
    #[arg(long)]
    no_rbd: bool,
    /// Disk of an OSD: its device, which is read, or rates: osd.0=/dev/sdb,
    /// osd.0=randread:90k,randwrite:30k,read:500M,write:450M (4k in IOPS, 1M in bytes/s); osd.*= stands for all OSDs
    #[arg(long, value_name = "OSD=DISK", value_parser = disk)]
    disk: Vec<DiskClaim>,
    /// Patterns: randread, randwrite (4k), read, write (1M) [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = pattern)]
    patterns: Vec<CephPattern>,
    /// Time of each pattern on each disk and each client
    #[arg(long, value_name = "TIME", default_value = "8s", value_parser = duration::measuring)]
    seconds: Duration,
    /// Bytes of the scratch objects, and of the image: 256M to 1G [default: by the number of OSDs]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    view: ViewSwitch,
}

fn integer(text: &str, base: u32) -> Option<u64> {
    whole(text, base).filter(|value| *value > 0)
}

fn size(text: &str) -> Result<u64, &'static str> {
    integer(text, 1024).filter(|bytes| *bytes <= 1 << 30).ok_or("give a size up to 1G, e.g. 256M")
}

fn pattern(text: &str) -> Result<CephPattern, &'static str> {
    CephPattern::from_option(text).ok_or("give randread, randwrite, read or write")
}

fn disk(text: &str) -> Result<DiskClaim, &'static str> {
    const FORM: &str =
        "give osd.N=DEVICE or osd.N=PATTERN:RATE, e.g. osd.0=/dev/sdb or osd.0=randwrite:30k,write:450M";
    let (osd, disk) = text.split_once('=').ok_or(FORM)?;
    let osd = match osd.strip_prefix("osd.").ok_or(FORM)? {
        "*" => None,
        number => Some(number.parse().ok().filter(|number| *number >= 0).ok_or(FORM)?),
    };
    if disk.starts_with('/') {
        // One device is not that of all OSDs.
        return match osd {
            Some(_) => Ok(DiskClaim { osd, device: Some(disk.into()), rates: Vec::new() }),
            None => Err(FORM),
        };
    }
    let rates = disk.split(',').map(|part| {
        let (name, rate) = part.split_once(':')?;
        let pattern = CephPattern::from_option(name)?;
        let rate = integer(rate, 1000)? as f64;
        Some((pattern, if pattern.is_large() { rate / pattern.block() as f64 } else { rate }))
    });
    Ok(DiskClaim { osd, device: None, rates: rates.collect::<Option<_>>().ok_or(FORM)? })
}

impl lab::ceph::Progress for OwnWatch {
    fn filling(&mut self, target: &str) {
        self.what = report::ceph::filling(self.lang, target);
    }

    fn measuring(&mut self, target: &str, pattern: CephPattern) {
        self.what = report::ceph::measuring(self.lang, target, pattern);
    }

    fn leftover(&mut self, keys: &str) {
        let text = report::ceph::leftover(self.lang, keys);
        self.clear();
        eprintln!("fathom ceph: {text}");
    }

    fn waiting(&mut self, image: &str, limit: Duration) {
        let text = report::ceph::waiting(self.lang, image, limit);
        self.clear();
        eprintln!("fathom ceph: {text}");
    }
}

/// Runs the command and returns the exit status.
pub fn main(lang: Lang, asked: Arguments) -> i32 {
    let interrupt = signal::watch();
    let mut context = JobContext::here(interrupt.clone(), patience(), report::words::lab::stored);
    context.consent = Consent::new(Policy::Own, Vec::new());
    let chosen = |pattern: &CephPattern| asked.patterns.is_empty() || asked.patterns.contains(pattern);
    let request = CephRequest {
        patterns: CephPattern::ALL.into_iter().filter(chosen).collect(),
        pool: asked.pool,
        cluster: ClusterTarget { cluster: None, client: asked.client, conf: asked.conf },
        cephfs: asked.cephfs,
        rbd: !asked.no_rbd,
        disks: asked.disk,
        seconds: asked.seconds,
        size: asked.size,
        context,
    };
    restore_kernel_settings(lang);
    let mut watch = OwnWatch::new(lang).with_view(asked.view);
    let measured = measure(&request, &mut watch);
    watch.clear();
    let mut card = match measured {
        Ok(card) => card,
        Err(error) => {
            eprintln!("fathom ceph: {}", report::ceph::error(lang, &error));
            return status(&error, interrupt.load(Relaxed) != 0);
        }
    };
    card.version = env!("CARGO_PKG_VERSION").into();
    print(&if asked.json {
        report::ceph::json(&card)
    } else {
        report::ceph::render(lang, &card, terminal::width())
    });
    if card.interrupted { 128 } else { 0 }
}

fn status(error: &CephError, interrupted: bool) -> i32 {
    if interrupted { 128 } else { error.exit_code() }
}

#[cfg(test)]
mod tests {
    use super::disk;
    use stats::ceph::CephPattern;

    #[test]
    fn disk_takes_a_device_or_rates() {
        let device = disk("osd.3=/dev/sdb").expect("valid");
        assert_eq!((device.osd, device.device.as_deref()), (Some(3), Some("/dev/sdb".as_ref())));
        let rates = disk("osd.*=randwrite:30k,write:1048576").expect("valid");
        assert_eq!(rates.osd, None);
        assert_eq!(rates.rates, [(CephPattern::RandomWrite, 30_000.0), (CephPattern::LargeWrite, 1.0)]);
        for text in
            ["", "osd.0", "0=/dev/sdb", "osd.*=/dev/sdb", "osd.0=randwrite", "osd.0=seq:1", "osd.-1=/dev/sdb"]
        {
            assert!(disk(text).is_err(), "{text}");
        }
    }
}
