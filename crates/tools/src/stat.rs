//! The job of `iostat`: rates of the block devices from the counters of the kernel.
