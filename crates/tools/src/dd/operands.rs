//! The command line of `dd`: operands, and what their combination means.

use super::number::{self, NumberFault};
use crate::allow_destroy;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

/// Declares a set of names that operands list, separated by commas.
macro_rules! symbols {
    ($(#[$doc:meta])* $set:ident { $($(#[$member_doc:meta])* $name:ident = $word:literal => $bits:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $set(u32);

        #[allow(non_upper_case_globals)]
        impl $set {
            $($(#[$member_doc])* pub const $name: $set = $set($bits);)*
            const WORDS: &'static [(&'static str, $set)] = &[$(($word, $set::$name)),*];

            /// Returns whether all members of `other` are members.
            pub fn has(self, other: $set) -> bool {
                self.0 & other.0 == other.0
            }

            /// Returns whether a member of `other` is a member.
            pub fn has_any(self, other: $set) -> bool {
                self.0 & other.0 != 0
            }

            /// Returns the union of both sets.
            #[must_use]
            pub const fn with(self, other: $set) -> $set {
                $set(self.0 | other.0)
            }

            /// Returns the set without the members of `other`.
            #[must_use]
            pub fn without(self, other: $set) -> $set {
                $set(self.0 & !other.0)
            }

            fn named(word: &[u8]) -> Option<$set> {
                $set::WORDS.iter().find(|(name, _)| name.as_bytes() == word).map(|(_, set)| *set)
            }
        }
    };
}

symbols! {
    /// Conversions (`conv=`).
    Conversions {
        /// EBCDIC to ASCII.
        ASCII = "ascii" => 1 | 1 << 4 | TWO_BUFFERS,
        /// ASCII to EBCDIC.
        EBCDIC = "ebcdic" => 1 << 1 | 1 << 3 | TWO_BUFFERS,
        /// ASCII to IBM's variant of EBCDIC.
        IBM = "ibm" => 1 << 2 | 1 << 3 | TWO_BUFFERS,
        /// Lines become records of `cbs` bytes.
        BLOCK = "block" => 1 << 3 | TWO_BUFFERS,
        /// Records of `cbs` bytes become lines.
        UNBLOCK = "unblock" => 1 << 4 | TWO_BUFFERS,
        /// Upper case to lower case.
        LCASE = "lcase" => 1 << 5 | TWO_BUFFERS,
        /// Lower case to upper case.
        UCASE = "ucase" => 1 << 6 | TWO_BUFFERS,
        /// Blocks of zeros become holes of the output.
        SPARSE = "sparse" => 1 << 7,
        /// Every pair of bytes is swapped.
        SWAB = "swab" => 1 << 8 | TWO_BUFFERS,
        /// Continue after read errors.
        NOERROR = "noerror" => 1 << 9,
        /// Do not create the output.
        NOCREAT = "nocreat" => 1 << 10,
        /// The output must not exist.
        EXCL = "excl" => 1 << 11,
        /// Do not truncate the output.
        NOTRUNC = "notrunc" => 1 << 12,
        /// Pad input blocks to `ibs`.
        SYNC = "sync" => 1 << 13,
        /// Flush the data at the end.
        FDATASYNC = "fdatasync" => 1 << 14,
        /// Flush data and metadata at the end.
        FSYNC = "fsync" => 1 << 15,
    }
}

/// Input and output blocks are in buffers of their own.
const TWO_BUFFERS: u32 = 1 << 16;

impl Conversions {
    /// The members by which one conversion of the character set excludes another.
    const CHARACTER_SETS: [u32; 3] = [1, 1 << 1, 1 << 2];

    /// Returns whether the characters are converted to ASCII.
    pub fn to_ascii(self) -> bool {
        self.0 & 1 != 0
    }

    /// Returns whether the characters are converted to EBCDIC.
    pub fn to_ebcdic(self) -> bool {
        self.0 & 1 << 1 != 0
    }

    /// Returns whether the characters are converted to IBM's EBCDIC.
    pub fn to_ibm(self) -> bool {
        self.0 & 1 << 2 != 0
    }

    /// Returns whether lines become records; records become lines if [`Conversions::unblocks`].
    pub fn blocks(self) -> bool {
        self.0 & 1 << 3 != 0
    }

    /// Returns whether records become lines.
    pub fn unblocks(self) -> bool {
        self.0 & 1 << 4 != 0
    }

    /// Returns whether input and output blocks are in buffers of their own.
    pub fn two_buffers(self) -> bool {
        self.0 & TWO_BUFFERS != 0
    }
}

symbols! {
    /// Flags of the input or output (`iflag=`, `oflag=`).
    Flags {
        /// Append to the output.
        APPEND = "append" => 1,
        /// Bypass the page cache.
        DIRECT = "direct" => 1 << 1,
        /// Fail unless a directory.
        DIRECTORY = "directory" => 1 << 2,
        /// Synchronized data.
        DSYNC = "dsync" => 1 << 3,
        /// Synchronized data and metadata.
        SYNC = "sync" => 1 << 4,
        /// Do not update the access time.
        NOATIME = "noatime" => 1 << 5,
        /// Drop the data from the page cache.
        NOCACHE = "nocache" => 1 << 6,
        /// Do not make a terminal the controlling one.
        NOCTTY = "noctty" => 1 << 7,
        /// Do not follow symbolic links.
        NOFOLLOW = "nofollow" => 1 << 8,
        /// Do not block.
        NONBLOCK = "nonblock" => 1 << 9,
        /// Read until a block is full.
        FULLBLOCK = "fullblock" => 1 << 10,
        /// `count` is in bytes.
        COUNT_BYTES = "count_bytes" => 1 << 11,
        /// `skip` is in bytes.
        SKIP_BYTES = "skip_bytes" => 1 << 12,
        /// `seek` is in bytes.
        SEEK_BYTES = "seek_bytes" => 1 << 13,
    }
}

/// Amount of statistics (`status=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd)]
pub enum Status {
    /// Errors only.
    None,
    /// Records, but no rate.
    NoTransfer,
    /// Records and rate at the end.
    #[default]
    End,
    /// The rate every second, too.
    Progress,
}

/// A number of blocks and bytes beyond them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// Number of whole blocks.
    pub blocks: u64,
    /// Number of bytes beyond them, less than a block.
    pub bytes: u64,
}

impl Amount {
    fn of(number: u64, block: u64, in_bytes: bool) -> Amount {
        if in_bytes {
            Amount { blocks: number / block, bytes: number % block }
        } else {
            Amount { blocks: number, bytes: 0 }
        }
    }

    /// Returns whether the amount is zero.
    pub fn is_zero(self) -> bool {
        self == Amount::default()
    }

    /// Returns the amount in bytes; `None` beyond the largest offset of a file.
    pub fn in_bytes(self, block: u64) -> Option<u64> {
        let bytes = self.blocks.checked_mul(block)?.checked_add(self.bytes)?;
        (bytes <= i64::MAX as u64).then_some(bytes)
    }
}

/// A copy as the command line describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Input file; `None` for standard input.
    pub input: Option<OsString>,
    /// Output file; `None` for standard output.
    pub output: Option<OsString>,
    /// Size of an input block in bytes.
    pub ibs: u64,
    /// Size of an output block in bytes.
    pub obs: u64,
    /// Size of a record in bytes.
    pub cbs: u64,
    /// Amount of input to skip, in blocks of `ibs`.
    pub skip: Amount,
    /// Amount of output to seek over, in blocks of `obs`.
    pub seek: Amount,
    /// Amount of input to copy, in blocks of `ibs`; `None` up to the end.
    pub count: Option<Amount>,
    /// Conversions.
    pub conversions: Conversions,
    /// Flags of the input.
    pub input_flags: Flags,
    /// Flags of the output.
    pub output_flags: Flags,
    /// Amount of statistics.
    pub status: Status,
    /// Switches that `dd` lacks.
    pub own: OwnSwitches,
}

impl Operands {
    /// Returns whether a partial read is worth a warning: the number of blocks then is not the amount of data.
    pub fn warns_of_partial_reads(&self) -> bool {
        let counted = self.skip.blocks > 0
            || self.count.is_some_and(|count| count.blocks > 0)
            || self.input_flags.with(self.output_flags).has(Flags::DIRECT);
        counted && !self.conversions.two_buffers() && !self.input_flags.has(Flags::FULLBLOCK)
    }
}

/// Switches of `fathom dd` that `dd` lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnSwitches {
    /// Print nothing that `dd` does not print.
    pub plain: bool,
    /// Flush the output after the copy and print the rate with the flush.
    pub sync_after: bool,
    /// Devices and files that may be overwritten in spite of their contents or use.
    pub allow_destroy: Vec<PathBuf>,
}

/// What a command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandLine {
    /// Print the help.
    Help,
    /// Print the version.
    Version,
    /// Copy.
    Copy(Box<Operands>),
}

/// Remark on a command line that is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A product begins with `0x`.
    ZeroMultiplier,
    /// The output is truncated before it is appended to.
    AppendTruncates,
}

/// List of names of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// `conv=`.
    Conversion,
    /// `iflag=`.
    InputFlag,
    /// `oflag=`.
    OutputFlag,
    /// `status=`.
    Status,
}

/// Conversions or flags that exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// `ascii`, `ebcdic`, `ibm`.
    CharacterSets,
    /// `block`, `unblock`.
    Blocks,
    /// `lcase`, `ucase`.
    Cases,
    /// `excl`, `nocreat`.
    Creation,
    /// `direct`, `nocache`.
    Caching,
}

/// Reason why a command line is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandFault {
    /// An unknown switch that begins with two hyphens.
    UnknownSwitch(OsString),
    /// An unknown switch of one letter.
    UnknownLetter(u8),
    /// A value for a switch that takes none.
    NeedlessValue(&'static str),
    /// A switch without its value.
    MissingValue(&'static str),
    /// An argument that is no operand.
    Unrecognized(OsString),
    /// A name that the list does not have.
    UnknownSymbol {
        /// The list.
        kind: SymbolKind,
        /// The name.
        given: OsString,
    },
    /// A number that cannot be read.
    Number {
        /// Text of the number.
        given: OsString,
        /// Whether it is too large.
        too_large: bool,
    },
    /// A combination that excludes itself.
    Exclusive(Exclusion),
}

/// Switches that `dd` has.
const SWITCHES: [&str; 2] = ["help", "version"];

/// Reads the arguments of `dd`. Calls `remark` for what is printed although the command line is carried out. Operands end
/// the search for switches if `posix`.
///
/// # Errors
/// The first argument that is wrong, or a combination that excludes itself.
pub fn read(
    args: &[OsString],
    posix: bool,
    remark: &mut dyn FnMut(Remark),
) -> Result<CommandLine, OperandFault> {
    let (args, own) = own_switches(args)?;
    let mut operands: Vec<&OsString> = Vec::new();
    let mut switches = true;
    for arg in &args {
        let bytes = arg.as_bytes();
        match bytes {
            b"--" if switches => switches = false,
            [b'-', b'-', ..] if switches => return switch(arg),
            [b'-', letter, ..] if switches => return Err(OperandFault::UnknownLetter(*letter)),
            _ => {
                operands.push(arg);
                switches &= !posix;
            }
        }
    }
    let mut given = Given::default();
    for operand in operands {
        given.take(operand, remark)?;
    }
    given.operands(own, remark).map(|operands| CommandLine::Copy(Box::new(operands)))
}

/// Returns the arguments without the switches that `dd` lacks, and these.
fn own_switches(args: &[OsString]) -> Result<(Vec<OsString>, OwnSwitches), OperandFault> {
    let (mut rest, allowed) =
        allow_destroy::taken(args).ok_or(OperandFault::MissingValue(allow_destroy::NAME))?;
    let mut own = OwnSwitches { allow_destroy: allowed, ..OwnSwitches::default() };
    let mut switches = true;
    rest.retain(|arg| {
        switches &= arg != "--";
        match arg.as_bytes() {
            b"--plain" if switches => own.plain = true,
            b"--sync-after" if switches => own.sync_after = true,
            _ => return true,
        }
        false
    });
    Ok((rest, own))
}

/// Reads `--help` and `--version`, which may be abbreviated.
fn switch(arg: &OsStr) -> Result<CommandLine, OperandFault> {
    let text = &arg.as_bytes()[2..];
    let (name, value) = match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (&text[..at], true),
        None => (text, false),
    };
    let found = SWITCHES.iter().find(|known| !name.is_empty() && known.as_bytes().starts_with(name));
    match found {
        Some(known) if value => Err(OperandFault::NeedlessValue(known)),
        Some(&"help") => Ok(CommandLine::Help),
        Some(_) => Ok(CommandLine::Version),
        None => Err(OperandFault::UnknownSwitch(arg.to_owned())),
    }
}

/// Operands as they are given.
#[derive(Default)]
struct Given {
    input: Option<OsString>,
    output: Option<OsString>,
    bs: u64,
    ibs: u64,
    obs: u64,
    cbs: u64,
    skip: (u64, bool),
    seek: (u64, bool),
    count: Option<(u64, bool)>,
    conversions: Conversions,
    input_flags: Flags,
    output_flags: Flags,
    status: Status,
}

impl Given {
    fn take(&mut self, operand: &OsStr, remark: &mut dyn FnMut(Remark)) -> Result<(), OperandFault> {
        let bytes = operand.as_bytes();
        let unrecognized = || OperandFault::Unrecognized(operand.to_owned());
        let at = bytes.iter().position(|byte| *byte == b'=').ok_or_else(unrecognized)?;
        let (name, text) = (&bytes[..at], &bytes[at + 1..]);
        match name {
            b"if" => self.input = Some(OsString::from_vec(text.to_vec())),
            b"of" => self.output = Some(OsString::from_vec(text.to_vec())),
            b"conv" => {
                for word in text.split(|byte| *byte == b',') {
                    let member = Conversions::named(word);
                    let member = member.ok_or_else(|| unknown(SymbolKind::Conversion, word))?;
                    self.conversions = self.conversions.with(member);
                }
            }
            b"iflag" => self.input_flags = flags(self.input_flags, SymbolKind::InputFlag, text)?,
            b"oflag" => self.output_flags = flags(self.output_flags, SymbolKind::OutputFlag, text)?,
            b"status" => {
                for word in text.split(|byte| *byte == b',') {
                    self.status = match word {
                        b"none" => Status::None,
                        b"noxfer" => Status::NoTransfer,
                        b"progress" => Status::Progress,
                        _ => return Err(unknown(SymbolKind::Status, word)),
                    };
                }
            }
            _ => self.take_number(name, text, remark)?.then_some(()).ok_or_else(unrecognized)?,
        }
        Ok(())
    }

    /// Takes an operand with a number; `false` if no operand has this name.
    fn take_number(
        &mut self,
        name: &[u8],
        text: &[u8],
        remark: &mut dyn FnMut(Remark),
    ) -> Result<bool, OperandFault> {
        let found = number::read(text);
        let zero_multipliers = match found {
            Ok((_, warnings)) | Err((_, warnings)) => warnings,
        };
        (0..zero_multipliers).for_each(|_| remark(Remark::ZeroMultiplier));
        let fault =
            |too_large| Err(OperandFault::Number { given: OsString::from_vec(text.to_vec()), too_large });
        let (least, most) = match name {
            // The largest buffer leaves room for one byte.
            b"bs" | b"ibs" | b"obs" | b"cbs" => (1, i64::MAX as u64 - 1),
            _ => (0, i64::MAX as u64),
        };
        let in_bytes = text.contains(&b'B');
        let slot = match name {
            b"bs" => &mut self.bs,
            b"ibs" => &mut self.ibs,
            b"obs" => &mut self.obs,
            b"cbs" => &mut self.cbs,
            b"skip" | b"iseek" => {
                self.skip.1 = in_bytes;
                &mut self.skip.0
            }
            b"seek" | b"oseek" => {
                self.seek.1 = in_bytes;
                &mut self.seek.0
            }
            b"count" => &mut self.count.insert((0, in_bytes)).0,
            _ => return Ok(false),
        };
        match found {
            Ok((value, _)) if value < least => fault(false),
            Ok((value, _)) if value > most => fault(true),
            Ok((value, _)) => {
                *slot = value;
                Ok(true)
            }
            Err((fault_kind, _)) => fault(fault_kind == NumberFault::TooLarge),
        }
    }

    fn operands(self, own: OwnSwitches, remark: &mut dyn FnMut(Remark)) -> Result<Operands, OperandFault> {
        const DEFAULT: u64 = 512;
        let mut conversions = self.conversions;
        let or_default = |size: u64| if size == 0 { DEFAULT } else { size };
        let (ibs, obs) = if self.bs > 0 {
            (self.bs, self.bs)
        } else {
            conversions.0 |= TWO_BUFFERS;
            (or_default(self.ibs), or_default(self.obs))
        };
        if self.cbs == 0 {
            conversions.0 &= !(1 << 3 | 1 << 4);
        }
        if self.output_flags.has(Flags::FULLBLOCK) {
            return Err(unknown(SymbolKind::OutputFlag, b"fullblock"));
        }
        let skip_in_bytes = self.skip.1 || self.input_flags.has(Flags::SKIP_BYTES);
        let count_in_bytes = |by_suffix| by_suffix || self.input_flags.has(Flags::COUNT_BYTES);
        let seek_in_bytes = self.seek.1 || self.output_flags.has(Flags::SEEK_BYTES);
        exclusive(conversions, self.input_flags, self.output_flags)?;
        if self.output_flags.has(Flags::APPEND) && !conversions.has(Conversions::NOTRUNC) {
            remark(Remark::AppendTruncates);
        }
        // The largest count stands for no count.
        let count = self.count.filter(|(number, _)| *number < i64::MAX as u64);
        Ok(Operands {
            input: self.input,
            output: self.output,
            ibs,
            obs,
            cbs: self.cbs,
            skip: Amount::of(self.skip.0, ibs, skip_in_bytes),
            seek: Amount::of(self.seek.0, obs, seek_in_bytes),
            count: count.map(|(number, by_suffix)| Amount::of(number, ibs, count_in_bytes(by_suffix))),
            conversions,
            input_flags: self.input_flags,
            output_flags: self.output_flags,
            status: self.status,
            own,
        })
    }
}

fn exclusive(conversions: Conversions, input: Flags, output: Flags) -> Result<(), OperandFault> {
    let sets = Conversions::CHARACTER_SETS.iter().filter(|bit| conversions.0 & **bit != 0).count();
    let caching = Flags::DIRECT.with(Flags::NOCACHE);
    let found = [
        (sets > 1, Exclusion::CharacterSets),
        (conversions.blocks() && conversions.unblocks(), Exclusion::Blocks),
        (conversions.has(Conversions::LCASE.with(Conversions::UCASE)), Exclusion::Cases),
        (conversions.has(Conversions::EXCL.with(Conversions::NOCREAT)), Exclusion::Creation),
        (input.has(caching) || output.has(caching), Exclusion::Caching),
    ];
    match found.iter().find(|(excluded, _)| *excluded) {
        Some((_, exclusion)) => Err(OperandFault::Exclusive(*exclusion)),
        None => Ok(()),
    }
}

fn unknown(kind: SymbolKind, given: &[u8]) -> OperandFault {
    OperandFault::UnknownSymbol { kind, given: OsString::from_vec(given.to_vec()) }
}

fn flags(before: Flags, kind: SymbolKind, text: &[u8]) -> Result<Flags, OperandFault> {
    text.split(|byte| *byte == b',')
        .try_fold(before, |set, word| Ok(set.with(Flags::named(word).ok_or_else(|| unknown(kind, word))?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<CommandLine, OperandFault> {
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        read(&args, false, &mut |_| {})
    }

    fn copy(line: &str) -> Operands {
        match parsed(line) {
            Ok(CommandLine::Copy(operands)) => *operands,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_suffix_or_flag_makes_an_amount_one_of_bytes() {
        let amount = |blocks, bytes| Amount { blocks, bytes };
        assert_eq!(copy("count=10B").count, Some(amount(0, 10)));
        assert_eq!(copy("count=1KB").count, Some(amount(1, 488)));
        assert_eq!(copy("count=1K").count, Some(amount(1024, 0)));
        assert_eq!(copy("bs=100 skip=250 iflag=skip_bytes").skip, amount(2, 50));
        assert_eq!(copy("obs=100 oseek=250B").seek, amount(2, 50));
        assert_eq!(copy("count=9223372036854775807").count, None);
    }

    #[test]
    fn block_sizes_decide_on_one_or_two_buffers() {
        assert!(!copy("bs=1k").conversions.two_buffers());
        assert!(copy("ibs=1k obs=1k").conversions.two_buffers());
        assert!(copy("bs=1k conv=swab").conversions.two_buffers());
        assert!(!copy("bs=1k conv=sync,sparse,noerror").conversions.two_buffers());
        assert_eq!((copy("ibs=3 bs=1k obs=7").ibs, copy("ibs=3").obs), (1024, 512));
    }

    #[test]
    fn switches_are_found_between_operands_and_own_ones_are_taken_out() {
        assert_eq!(parsed("if=a --he"), Ok(CommandLine::Help));
        assert_eq!(parsed("--v"), Ok(CommandLine::Version));
        assert_eq!(parsed("-- --v"), Err(OperandFault::Unrecognized("--v".into())));
        let own = copy("--plain --allow-destroy /dev/a --allow-destroy=/dev/b --sync-after if=a").own;
        assert_eq!(own.allow_destroy, [PathBuf::from("/dev/a"), PathBuf::from("/dev/b")]);
        assert!(own.plain && own.sync_after);
    }
}
