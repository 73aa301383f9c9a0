//! The kernel interfaces that rustix lacks, one file each, each as a safe function. No policy.

pub mod aio;
pub mod blkid;
pub mod block;
pub mod cachestat;
pub mod copy;
pub mod ext4;
pub mod fallocate;
pub mod fiemap;
pub mod hint;
pub mod host;
pub mod inode;
pub mod lease;
pub mod limits;
pub mod locked_memory;
pub mod mtd;
pub mod nvme;
pub mod nvme_health;
pub mod nvme_placement;
pub mod nvme_zones;
pub mod persist;
pub mod raw;
pub mod rusage;
pub mod scsi;
pub mod uring;
pub mod zones;
