//! Labels of file systems, volumes and partition tables on image files. Each is written by its own tool, or byte by
//! byte as published if Debian has no small package with the tool.

use crate::child::run;
use crate::have_program;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A signature on an image file, and the way it is made.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    /// Name of the signature: `ext4`, `mbr, empty`.
    pub name: &'static str,
    /// Size of the image, MiB.
    pub mib: u64,
    /// Program or bytes that make the signature.
    pub maker: Maker,
}

/// Way in which a signature is made.
#[derive(Clone, Copy, Debug)]
pub enum Maker {
    /// A required program, and a shell line in which `$1` is the image.
    Line(&'static str, &'static str),
    /// Bytes and their offsets; a negative offset counts from the end.
    Bytes(&'static [(i64, &'static [u8])]),
}

const fn line(name: &'static str, mib: u64, program: &'static str, line: &'static str) -> Label {
    Label { name, mib, maker: Maker::Line(program, line) }
}

const fn bytes(name: &'static str, bytes: &'static [(i64, &'static [u8])]) -> Label {
    Label { name, mib: 8, maker: Maker::Bytes(bytes) }
}

/// Expands to the shell line that packs a directory (`$d`) into an image (`$1.new`) with a command, and writes the
/// image to the device.
macro_rules! from_directory {
    ($command:literal) => {
        concat!(
            "d=$(mktemp -d) && echo a >$d/a && ",
            $command,
            " && dd if=$1.new of=$1 conv=notrunc status=none && rm -r $d $1.new"
        )
    };
}

const LIMIT: Duration = Duration::from_secs(30);

/// All signatures of the tests.
pub const LABELS: &[Label] = &[
    line("ext2", 8, "mkfs.ext2", "mkfs.ext2 -q -F $1"),
    line("ext3", 16, "mkfs.ext3", "mkfs.ext3 -q -F $1"),
    line("ext4", 16, "mkfs.ext4", "mkfs.ext4 -q -F $1"),
    line("ext4 journal", 16, "mke2fs", "mke2fs -q -F -b 4096 -O journal_dev $1"),
    line("xfs", 320, "mkfs.xfs", "mkfs.xfs -q -f $1"),
    line("btrfs", 128, "mkfs.btrfs", "mkfs.btrfs -q -f $1"),
    line("jfs", 32, "mkfs.jfs", "mkfs.jfs -q $1"),
    line("jfs journal", 32, "mkfs.jfs", "mkfs.jfs -q -J journal_dev $1"),
    line("nilfs2", 160, "mkfs.nilfs2", "mkfs.nilfs2 -q -f $1"),
    line("minix 1", 8, "mkfs.minix", "mkfs.minix -1 $1"),
    line("minix 1, 14 letters", 8, "mkfs.minix", "mkfs.minix -1 -n 14 $1"),
    line("minix 2", 8, "mkfs.minix", "mkfs.minix -2 $1"),
    line("minix 2, 14 letters", 8, "mkfs.minix", "mkfs.minix -2 -n 14 $1"),
    line("minix 3", 8, "mkfs.minix", "mkfs.minix -3 $1"),
    line("bfs", 8, "mkfs.bfs", "mkfs.bfs $1"),
    line("cramfs", 8, "mkfs.cramfs", from_directory!("mkfs.cramfs $d $1.new")),
    line("fat12", 8, "mkfs.vfat", "mkfs.vfat -F 12 $1"),
    line("fat16", 16, "mkfs.vfat", "mkfs.vfat -F 16 $1"),
    line("fat32", 40, "mkfs.vfat", "mkfs.vfat -F 32 $1"),
    line("exfat", 8, "mkfs.exfat", "mkfs.exfat $1"),
    line("ntfs", 8, "mkfs.ntfs", "mkfs.ntfs -q -F -Q $1"),
    line("f2fs", 64, "mkfs.f2fs", "mkfs.f2fs -q -f $1"),
    line("reiserfs", 64, "mkfs.reiserfs", "mkfs.reiserfs -q -ff $1"),
    line("gfs2", 64, "mkfs.gfs2", "mkfs.gfs2 -q -O -p lock_nolock -J 8 $1"),
    line("udf", 8, "mkfs.udf", "mkfs.udf $1"),
    line("iso9660", 8, "genisoimage", from_directory!("genisoimage -quiet -o $1.new $d")),
    line("squashfs", 8, "mksquashfs", from_directory!("mksquashfs $d $1.new -quiet -no-progress")),
    line("erofs", 8, "mkfs.erofs", from_directory!("mkfs.erofs --quiet $1.new $d")),
    line("romfs", 8, "genromfs", from_directory!("genromfs -f $1.new -d $d")),
    line("swap", 8, "mkswap", "mkswap -q $1"),
    line("swap, pages of 64 KiB", 8, "mkswap", "mkswap -q --pagesize 65536 $1"),
    line(
        "luks1",
        16,
        "cryptsetup",
        "echo secret | cryptsetup -q --pbkdf-force-iterations 1000 luksFormat --type luks1 $1 -",
    ),
    line(
        "luks2",
        32,
        "cryptsetup",
        "echo secret | cryptsetup -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 luksFormat --type luks2 $1 -",
    ),
    line(
        "luks2, second header",
        32,
        "cryptsetup",
        "echo secret | cryptsetup -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 luksFormat --type luks2 $1 - && dd if=/dev/zero of=$1 bs=4096 count=1 conv=notrunc status=none",
    ),
    line("gpt", 16, "sfdisk", "echo size=8M | sfdisk -q --label gpt $1"),
    line("gpt, empty", 16, "sfdisk", "echo label: gpt | sfdisk -q $1"),
    line(
        "gpt, copy",
        16,
        "sfdisk",
        "echo size=8M | sfdisk -q --label gpt $1 && dd if=/dev/zero of=$1 bs=1M count=1 conv=notrunc status=none",
    ),
    line("mbr", 16, "sfdisk", "echo size=8M | sfdisk -q --label dos $1"),
    line("mbr, empty", 16, "sfdisk", "echo label: dos | sfdisk -q $1"),
    line("sun", 16, "sfdisk", "echo label: sun | sfdisk -q $1"),
    line("sgi", 16, "sfdisk", "echo label: sgi | sfdisk -q $1"),
    line("parted gpt", 16, "parted", "parted -s $1 mklabel gpt"),
    line("parted msdos", 16, "parted", "parted -s $1 mklabel msdos"),
    line("parted sun", 16, "parted", "parted -s $1 mklabel sun"),
    line("parted dvh", 16, "parted", "parted -s $1 mklabel dvh"),
    line("parted amiga", 16, "parted", "parted -s $1 mklabel amiga"),
    line("parted bsd", 16, "parted", "parted -s $1 mklabel bsd"),
    line("parted mac", 16, "parted", "parted -s $1 mklabel mac"),
    line("parted pc98", 16, "parted", "parted -s $1 mklabel pc98"),
    line("parted loop", 16, "parted", "parted -s $1 mklabel loop"),
    line("parted atari", 16, "parted", "parted -s $1 mklabel atari"),
    bytes(
        "hfs",
        &[
            (1024, b"BD"),
            (1038, &[0, 3]),
            (1042, &[3, 0xfe]),
            (1044, &[0, 0, 0x20, 0]),
            (1060, b"\x06Photos"),
        ],
    ),
    bytes("hfs+", &[(1024, b"H+\0\x04")]),
    bytes("lvm2", &[(512, b"LABELONE"), (536, b"LVM2 001")]),
    bytes("md 0.90", &[(-65536, &[0xfc, 0x4e, 0x2b, 0xa9, 0, 0, 0, 0, 90, 0, 0, 0])]),
    bytes("md 1.0", &[(-8192, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0])]),
    bytes("md 1.1", &[(0, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0])]),
    bytes("md 1.2", &[(4096, &[0xfc, 0x4e, 0x2b, 0xa9, 1, 0, 0, 0])]),
    bytes("bcache", &[(4096 + 24, b"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d\x81")]),
    bytes("bcachefs", &[(4096 + 24, b"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7\xef")]),
    bytes("drbd", &[(-4096 + 60, &[0x83, 0x74, 0x02, 0x6d])]),
    bytes("zfs, names and values", &[(16384, &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), (16400, b"version")]),
    bytes("zfs, last label", &[(-(256 << 10) + 16384, &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])]),
    bytes("ocfs2", &[(8192, b"OCFSV2")]),
    bytes("reiser4", &[(65536, b"ReIsEr4")]),
    bytes("bluestore", &[(0, b"bluestore block device\n")]),
    bytes("stratis", &[(512 + 8, b"!Stra0tis\x86\xff\x02^\x41rh")]),
    bytes("vdo", &[(0, b"dmvdo001")]),
    bytes("bitlocker", &[(3, b"-FVE-FS-")]),
    bytes("refs", &[(3, b"ReFS\0\0\0\0")]),
    bytes("apfs", &[(32, b"NXSB")]),
    bytes("ufs2", &[(65536 + 1372, &[0x19, 0x01, 0x54, 0x19])]),
    bytes("ufs1, big endian", &[(8192 + 1372, &[0x00, 0x01, 0x19, 0x54])]),
    bytes("hpfs", &[(8192, &[0x49, 0xe8, 0x95, 0xf9, 0xc5, 0xe9, 0x53, 0xfa])]),
    bytes("befs", &[(544, b"1SFB")]),
    bytes("vxfs", &[(1024, &[0xf5, 0xfc, 0x01, 0xa5])]),
    bytes("sysv", &[(512 + 504, &[0x20, 0x7e, 0x18, 0xfd])]),
    bytes("xenix", &[(1024 + 1016, &[0x44, 0x55, 0x2b, 0])]),
    bytes("ubi", &[(0, b"UBI#\x01")]),
    bytes("ubifs", &[(0, &[0x31, 0x18, 0x10, 0x06])]),
    bytes("jffs2", &[(0, &[0x85, 0x19, 0x03, 0x20])]),
    bytes("squashfs, big endian", &[(0, b"sqsh")]),
    bytes("zonefs", &[(0, b"SFOZ")]),
    bytes(
        "minix 1, big endian",
        &[(1024, &[0x02, 0x80, 0x07, 0xd0, 0, 1, 0, 1, 0, 0x18, 0, 0]), (1040, &[0x13, 0x7f])],
    ),
    bytes(
        "minix 3, big endian",
        &[(1024, &[0, 0, 0x02, 0x80, 0, 0, 0, 1, 0, 1, 0, 0x18, 0, 0]), (1048, &[0x4d, 0x5a, 0, 0, 0x10, 0])],
    ),
    bytes("vmfs", &[(1 << 20, &[0x0d, 0xd0, 0x01, 0xc0])]),
    bytes("oracle asm", &[(32, b"ORCLDISK")]),
    bytes("intel raid", &[(-1024, b"Intel Raid ISM Cfg Sig. 1.1.00")]),
    bytes("ddf raid", &[(-512, &[0xde, 0x11, 0xde, 0x11])]),
    bytes("promise raid", &[(-63 * 512, b"Promise Technology, Inc.")]),
    bytes("nvidia raid", &[(-1024, b"NVIDIA  ")]),
    bytes("highpoint raid", &[(-11 * 512, &[0xf3, 0x16, 0x78, 0x5a])]),
    bytes("ldm", &[(-512, b"PRIVHEAD")]),
    bytes("hibernation", &[(4086, b"S1SUSPEND")]),
];

impl Label {
    /// Returns whether the required program is installed.
    pub fn can_be_made(&self) -> bool {
        match self.maker {
            Maker::Line(program, _) => have_program(program),
            Maker::Bytes(_) => true,
        }
    }

    /// Creates an image file with only this signature.
    ///
    /// # Errors
    /// The file cannot be created, or the program fails.
    pub fn make(&self, image: &Path) -> io::Result<()> {
        let file = File::create(image)?;
        file.set_len(self.mib << 20)?;
        match self.maker {
            Maker::Bytes(pieces) => pieces.iter().try_for_each(|(at, bytes)| {
                let at = if *at < 0 { (self.mib << 20).saturating_add_signed(*at) } else { *at as u64 };
                file.write_all_at(bytes, at)
            }),
            Maker::Line(_, line) => {
                let mut shell = Command::new("sh");
                let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap_or_default());
                // Some tools ask on their terminal whether to proceed.
                shell.args(["-c", &line.replace("$1", "\"$1\""), "sh"]).arg(image).env("PATH", path);
                let ran = run(shell.stdin(std::process::Stdio::null()), LIMIT)?;
                match ran.code {
                    Some(0) => Ok(()),
                    _ => Err(io::Error::other(format!("{}: {ran:?}", self.name))),
                }
            }
        }
    }
}
