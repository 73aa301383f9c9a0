//! Devices with known answers, for tests only: loop devices, also under a block-cgroup cap, file systems on them,
//! partitions of them, compressed memory, and a FUSE disk with programmable service times and faults. Names of
//! everything created here contain the pid of the test process. Everything is removed on drop, and anything that a
//! killed test process leaves is removed by the next test run.

mod awake_cpus;
pub mod bounded;
pub mod browser;
mod capped_loop;
pub mod cgroup;
pub mod child;
pub mod draw;
pub mod fuse;
pub mod labels;
pub mod loopdev;
pub mod mount;
mod names;
pub mod need;
pub mod net_link;
pub mod object_server;
mod other_initiator;
pub mod partition;
pub mod pinned;
pub mod pty;
pub mod sandbox;
pub mod seccomp;
pub mod server;
pub mod traced;
mod undo;
pub mod witness;
pub mod workqueues;
pub mod zram;

pub use awake_cpus::AwakeCpus;
pub use bounded::{Bounded, TOOL_LIMIT};
pub use browser::{Browser, Tab, View};
pub use capped_loop::CappedLoop;
pub use cgroup::{Cap, Cgroup};
pub use draw::Draw;
pub use fuse::FuseDisk;
pub use loopdev::LoopDevice;
pub use mount::{FileSystem, Mount};
pub use need::{Need, have_program, missing, root, skip};
pub use net_link::NetLink;
pub use object_server::ObjectServer;
pub use other_initiator::OtherInitiator;
pub use partition::Partition;
pub use pty::Pty;
pub use sandbox::Sandbox;
pub use server::Server;
pub use zram::Zram;
