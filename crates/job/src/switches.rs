//! Switches of the program (fio's and fathom's own): names and arguments.

/// Argument of a switch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// No argument.
    None,
    /// Argument after `=` or as the next word.
    Required,
    /// Optional argument, only after `=`.
    Optional,
}

/// Switch of the program.
pub(crate) struct Switch {
    /// Name without dashes.
    pub(crate) name: &'static str,
    /// Kind of argument.
    pub(crate) argument: Argument,
    /// Whether the switch works; other switches are recognised and refused.
    pub(crate) built: bool,
}

const fn switch(name: &'static str, argument: Argument) -> Switch {
    Switch { name, argument, built: true }
}

const fn later(name: &'static str, argument: Argument) -> Switch {
    Switch { name, argument, built: false }
}

/// All switches of the program.
pub(crate) const SWITCHES: &[Switch] = {
    use Argument::*;
    &[
        switch("output", Required),
        later("latency-log", Required),
        switch("bandwidth-log", Optional),
        switch("minimal", None),
        switch("output-format", Required),
        switch("append-terse", Optional),
        switch("version", None),
        switch("help", None),
        switch("cmdhelp", Optional),
        switch("enghelp", Optional),
        switch("showcmd", None),
        switch("readonly", None),
        switch("eta", Required),
        switch("eta-interval", Required),
        switch("eta-newline", Required),
        later("debug", Required),
        switch("parse-only", None),
        switch("section", Required),
        switch("terse-version", Required),
        later("alloc-size", Required),
        switch("warnings-fatal", None),
        switch("max-jobs", Required),
        later("server", Optional),
        later("daemonize", Required),
        later("client", Required),
        later("remote-config", Required),
        later("cpuclock-test", None),
        later("crctest", Optional),
        switch("idle-prof", Required),
        switch("status-interval", Required),
        later("trigger-file", Required),
        later("trigger-timeout", Required),
        later("trigger", Required),
        later("trigger-remote", Required),
        later("aux-path", Required),
        switch("inflate-log", Required),
        later("merge-blktrace-only", None),
        switch("allow-destroy", Required),
        switch("wear-budget", Required),
    ]
};
