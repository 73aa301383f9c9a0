//! From a path down to the disks.
