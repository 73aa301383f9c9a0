//! The job of `hdparm -tT`: buffered and cached read rates of a device.
