//! Whether a stored study may go on with the targets that its paths lead to now.

use stats::loop_file::LoopFile;
use stats::study::StudyTarget;

/// Difference between the target of a stored study and the one found now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OtherTarget {
    /// The target has another size, bytes.
    Size {
        /// Size of the stored target.
        before: u64,
        /// Size now.
        now: u64,
    },
    /// Another file has taken the place, also under a loop device.
    File,
    /// The device has other layers or disks.
    Disks {
        /// Layers and disks of the stored target.
        before: String,
        /// Layers and disks now.
        now: String,
    },
    /// The target opens with other flags: with direct I/O before or now, but not both.
    Direct,
}

/// Returns how the target found now differs from that of a stored study; `None` if the study may go on. A scratch file
/// is made anew, so that only its size must suffice.
pub fn other_target(before: &StudyTarget, found: &StudyTarget) -> Option<OtherTarget> {
    let (then, now) = (before.size, found.size);
    if before.scratch != found.scratch || before.direct != found.direct {
        return Some(OtherTarget::Direct);
    }
    if found.scratch {
        return (now < then).then_some(OtherTarget::Size { before: then, now });
    }
    if then != now {
        return Some(OtherTarget::Size { before: then, now });
    }
    let same = LoopFile::same(&before.loop_files, &found.loop_files);
    if !same || before.file.is_some() && before.file != found.file {
        return Some(OtherTarget::File);
    }
    // Studies of older versions have no disks.
    let disks = |of: &StudyTarget| if before.disks.is_empty() { Vec::new() } else { of.disks.clone() };
    let names = |of: &StudyTarget| [of.stack.clone(), disks(of)].concat().join(", ");
    let (then, now) = (names(before), names(found));
    (then != now).then_some(OtherTarget::Disks { before: then, now })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device() -> StudyTarget {
        StudyTarget {
            name: "/dev/sdb".into(),
            size: 1 << 30,
            stack: vec!["sdb".into()],
            direct: Some(true),
            disks: vec!["sdb (ATA one)".into()],
            ..StudyTarget::default()
        }
    }

    #[test]
    fn target_of_a_study_is_told_from_others() {
        let (device, file) = (device(), StudyTarget { file: Some((1, 2)), ..device() });
        assert_eq!(other_target(&device, &device), None);
        let smaller = StudyTarget { size: 1 << 29, ..device.clone() };
        let size = OtherTarget::Size { before: 1 << 30, now: 1 << 29 };
        assert_eq!(other_target(&device, &smaller), Some(size.clone()));
        assert_eq!(
            other_target(&file, &StudyTarget { file: Some((1, 3)), ..file.clone() }),
            Some(OtherTarget::File)
        );
        assert_eq!(
            other_target(&file, &StudyTarget { direct: Some(false), ..file.clone() }),
            Some(OtherTarget::Direct)
        );
        let disks = StudyTarget { disks: vec!["sdb (ATA two)".into()], ..device.clone() };
        assert!(matches!(other_target(&device, &disks), Some(OtherTarget::Disks { .. })));
        let older = StudyTarget { disks: Vec::new(), ..device.clone() };
        assert_eq!(other_target(&older, &disks), None);
        // A loop device over another file of the same name: the number of its inode or its birth time differs.
        let over = |inode, born_ns| StudyTarget {
            loop_files: vec![LoopFile { device: 1, inode, born_ns }],
            ..device.clone()
        };
        for (other, expected) in [
            (over(2, Some(3)), None),
            (over(2, None), None),
            (over(4, Some(3)), Some(OtherTarget::File)),
            (over(2, Some(4)), Some(OtherTarget::File)),
            (device.clone(), None),
        ] {
            assert_eq!(other_target(&over(2, Some(3)), &other), expected, "{other:?}");
        }
        let scratch = |size| StudyTarget { scratch: true, size, ..StudyTarget::default() };
        assert_eq!(other_target(&scratch(1 << 30), &scratch(1 << 31)), None);
        assert_eq!(other_target(&scratch(1 << 30), &scratch(1 << 29)), Some(size));
    }
}
