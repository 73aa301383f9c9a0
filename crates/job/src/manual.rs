//! The man page and the completions of three shells, made from the option table.

use crate::option::{Kind, Opt, Section};
use crate::switches::switches;
use crate::table;
use std::fmt::Write as _;

fn built(section: Section) -> Vec<&'static Opt> {
    table::rows().filter(|row| row.section == section && row.compat.works()).collect()
}

/// Text for roff: no line may begin with a control character, and a hyphen is one that can be copied.
fn roff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('`', "");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// man/fathom.1.
pub fn man_page() -> String {
    let mut text = String::from(
        ".\\\" Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.
.TH FATHOM 1
.SH NAME
fathom \\- measures storage, in fio's language or without any
.SH SYNOPSIS
.B fathom
.RI [ target ]
.br
.B fathom doctor
.I target
.br
.B fathom list
.br
.BR \"fathom show \" | \" fathom export \"
.I name
.br
.B fathom fio
.RI [ switches \"] [\" \"job options\" \"] [\" \"job files\" ]
.br
.B fathom run
.RI [ switches \"] [\" \"job options\" \"] [\" \"job files\" ]
.SH DESCRIPTION
Without a command fathom looks at a directory, a file or a block device for twenty seconds; a device or an existing file is
only read.
.B fathom doctor
says what lies under one and what of that spoils a measurement.
Results of checks and of
.B fathom run
are kept in $XDG_DATA_HOME/fathom/store.sqlite (~/.local/share without that variable) unless
.B \\-\\-store
names another file or
.B \\-\\-no\\-store
forbids it;
.B fathom list
names them,
.B fathom show
shows one again,
.B fathom export
prints it as JSON or CSV.
.B fathom fio
reads fio's command lines and job files and prints fio's report;
.B fathom run
reads the same and prints a card. Called under the name fio, fathom is fio.
.SH SWITCHES
",
    );
    for (name, value) in switches() {
        let value = value.map_or(String::new(), |optional| {
            if optional { " [\\fIvalue\\fR]".into() } else { " \\fIvalue\\fR".into() }
        });
        let _ = writeln!(text, ".TP\n.B \\-\\-{}\\fR{value}", roff(name));
    }
    for section in Section::ALL {
        let rows = built(section);
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, ".SH JOB OPTIONS: {}", roff(&section.title().to_uppercase()));
        for row in rows {
            let _ = writeln!(text, ".TP\n.B {}", roff(row.name));
            let _ = writeln!(text, "{}.", roff(row.help.trim_end_matches('.')));
            if !row.doc.is_empty() {
                let _ = writeln!(text, "{}", roff(row.doc));
            }
            if !row.default.is_empty() {
                let _ = writeln!(text, "Default: {}.", roff(row.default));
            }
            let words = words(row);
            if !words.is_empty() {
                let _ = writeln!(text, "One of: {}.", roff(&words.join(", ")));
            }
            if !row.aliases.is_empty() {
                let _ = writeln!(text, "Also: {}.", roff(&row.aliases.join(", ")));
            }
        }
    }
    text += ".SH EXIT STATUS
0 good, 1 failed (with fio's command line the number of failed jobs), 2 usage, 3 refused for safety, 128 ended by a signal.
.SH SEE ALSO
.BR fio (1)
";
    text
}

fn words(row: &Opt) -> Vec<&'static str> {
    match row.kind {
        Kind::Words { words, .. } => words.iter().filter(|word| word.built).map(|word| word.name).collect(),
        _ => Vec::new(),
    }
}

/// Every name that may follow two dashes, with its words.
fn names() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let options = Section::ALL.into_iter().flat_map(built).map(|row| (row.name, row.help, words(row)));
    switches().map(|(name, _)| (name, "", Vec::new())).chain(options).collect()
}

/// completions/fathom.bash.
pub fn bash() -> String {
    let all: Vec<String> = names().iter().map(|(name, ..)| format!("--{name}=")).collect();
    let mut text = format!(
        "# Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.
_fathom() {{
    local line=\"${{COMP_LINE:0:COMP_POINT}}\"
    local word=\"${{line##* }}\" prefix=\"\"
    local words=\"{}\"
    case \"$word\" in
",
        all.join(" ")
    );
    for (name, _, words) in names().iter().filter(|(_, _, words)| !words.is_empty()) {
        let _ = writeln!(text, "    --{name}=*) words=\"{}\" prefix=\"--{name}=\" ;;", words.join(" "));
    }
    text += "    --*=*|[!-]*) words=\"\" ;;
    esac
    # The shell takes `=` for a word of its own.
    COMPREPLY=($(compgen -W \"$words\" -- \"${word#\"$prefix\"}\"))
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- \"${word##*=}\")); fi
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -F _fathom fathom
";
    text
}

/// completions/_fathom, for zsh.
pub fn zsh() -> String {
    let mut text = String::from(
        "#compdef fathom
# Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.
_arguments -s \\
",
    );
    for (name, help, words) in names() {
        let help = help.replace(['[', ']', ':'], " ").replace('\'', "'\\''");
        let values = if words.is_empty() { "_files".to_string() } else { format!("({})", words.join(" ")) };
        let _ = writeln!(text, "  '--{name}=[{help}]:value:{values}' \\");
    }
    text + "  '*:job file:_files'\n"
}

/// completions/fathom.fish.
pub fn fish() -> String {
    let mut text = String::from(
        "# Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.\n",
    );
    for (name, help, words) in names() {
        let _ = write!(text, "complete -c fathom -l {name}");
        if !help.is_empty() {
            let _ = write!(text, " -d '{}'", help.replace('\\', "\\\\").replace('\'', "\\'"));
        }
        if !words.is_empty() {
            let _ = write!(text, " -x -a '{}'", words.join(" "));
        }
        text.push('\n');
    }
    text
}
