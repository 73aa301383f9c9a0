//! The man page and the completions of three shells, made from the option table.

use crate::option::{Kind, Opt, Section};
use crate::switches::switches;
use crate::table;
use std::fmt::Write as _;

/// Every exit status of the program and what it means: the one list that the man page and `fathom help status` show.
pub const EXIT_STATUS: [(&str, &str); 8] = [
    ("0", "Success"),
    ("1", "Failure; with fathom fio and fathom run the number of failed jobs, or wrong usage"),
    ("2", "Wrong usage of one of the other commands"),
    ("3", "Refused for safety: nothing was written; the message says how to insist"),
    ("4", "The grade is worse than --fail-under allows, or something is slower than --fail-if-slower allows"),
    ("5", "The result could not be written"),
    (
        "6",
        "Nothing is known to be slower than --fail-if-slower allows, but of some metric that cannot be told",
    ),
    ("128", "Ended early by a signal; the number of failed jobs is added"),
];

/// Exit status of what is refused for safety, in every command.
pub const REFUSED: i32 = 3;

/// A switch of an own command, or the command itself where its name is empty.
struct Own {
    command: &'static str,
    switch: &'static str,
    value: &'static str,
    help: &'static str,
}

/// The own commands and their switches, as the program declares them (a test of cli's writes the list).
fn own() -> impl Iterator<Item = Own> {
    include_str!("own.txt").lines().filter_map(|line| {
        let mut cells = line.split('\t');
        let mut next = || cells.next();
        Some(Own { command: next()?, switch: next()?, value: next()?, help: next()? })
    })
}

/// Names of the commands that do not read fio's language; the check has none.
fn commands() -> impl Iterator<Item = &'static str> {
    own().filter(|o| o.switch.is_empty() && !matches!(o.command, "" | RUN)).map(|o| o.command)
}

/// The command that takes fio's switches and options beside its own.
const RUN: &str = "run";

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
.RI [ target ...]
.br
.B fathom prefill
.I target
.br
.B fathom explore
.RI [ target ...]
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
    let own_at = text.len();
    for (name, value) in switches() {
        let value = value.map_or(String::new(), |optional| {
            if optional { " [\\fIvalue\\fR]".into() } else { " \\fIvalue\\fR".into() }
        });
        let _ = writeln!(text, ".TP\n.B \\-\\-{}\\fR{value}", roff(name));
    }
    text.insert_str(own_at - ".SH SWITCHES\n".len(), &own_commands());
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
    text += ".SH EXIT STATUS\n";
    for (status, meaning) in EXIT_STATUS {
        let _ = writeln!(text, ".TP\n.B {status}\n{}.", roff(meaning));
    }
    text += ".SH SEE ALSO
.BR fio (1)
";
    text
}

/// The own commands with their switches, for the man page.
fn own_commands() -> String {
    let mut text = String::from(".SH COMMANDS\n");
    for Own { command, switch, value, help } in own() {
        let help = roff(help.trim_end_matches('.'));
        let _ = match (switch, value) {
            ("", _) => writeln!(text, ".SS fathom {}\n{help}.", roff(command)),
            (_, "") => writeln!(text, ".TP\n.B \\-\\-{}\n{help}.", roff(switch)),
            _ => writeln!(text, ".TP\n.B \\-\\-{} \\fI{}\\fR\n{help}.", roff(switch), roff(value)),
        };
    }
    text.replace(".SS fathom \n", ".SS fathom\n")
}

fn words(row: &Opt) -> Vec<&'static str> {
    match row.kind {
        Kind::Choice { choices, .. } => {
            choices.iter().filter(|choice| choice.built).map(|choice| choice.name).collect()
        }
        _ => Vec::new(),
    }
}

/// Every name that may follow two dashes, with its words.
fn names() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let options = Section::ALL.into_iter().flat_map(built).map(|row| (row.name, row.help, words(row)));
    let of_run = own().filter(|o| o.command == RUN && !o.switch.is_empty());
    let of_run = of_run.filter(|o| switches().all(|(name, _)| name != o.switch));
    let of_run = of_run.map(|o| {
        let words = if o.value.contains('|') { o.value.split('|').collect() } else { Vec::new() };
        (o.switch, o.help, words)
    });
    switches().map(|(name, _)| (name, "", Vec::new())).chain(of_run).chain(options).collect()
}

/// completions/fathom.bash.
pub fn bash() -> String {
    let all: Vec<String> = names().iter().map(|(name, ..)| format!("--{name}=")).collect();
    let mut own_words = String::new();
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
    for command in commands() {
        let switches: Vec<String> = own()
            .filter(|o| o.command == command && !o.switch.is_empty())
            .map(|o| format!("--{}{}", o.switch, if o.value.is_empty() { "" } else { "=" }))
            .collect();
        let _ = writeln!(
            own_words,
            "    [[ $line == *\"fathom {command} \"* ]] && words=\"{}\"",
            switches.join(" ")
        );
    }
    let plain =
        own().filter(|o| o.command.is_empty() && !o.switch.is_empty()).map(|o| format!("--{}", o.switch));
    let first: Vec<String> = commands().map(String::from).chain(plain).collect();
    text = text.replace("    case \"$word\" in\n", &(own_words + "    case \"$word\" in\n"));
    for (name, _, words) in names().iter().filter(|(_, _, words)| !words.is_empty()) {
        let _ = writeln!(text, "    --{name}=*) words=\"{}\" prefix=\"--{name}=\" ;;", words.join(" "));
    }
    text += "    --*=*|[!-]*) words=\"\" ;;
    esac
    if [[ $line != *\" \"*\" \"* ]]; then
        COMPREPLY=($(compgen -W \"FIRST\" -- \"$word\") $(compgen -f -- \"$word\"))
        return
    fi
    # The shell takes `=` for a word of its own.
    COMPREPLY=($(compgen -W \"$words\" -- \"${word#\"$prefix\"}\"))
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- \"${word##*=}\")); fi
    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -F _fathom fathom
";
    text.replace("FIRST", &format!("fio run {}", first.join(" ")))
}

/// completions/_fathom, for zsh.
pub fn zsh() -> String {
    let mut text = String::from(
        "#compdef fathom
# Generated from the option table; FATHOM_BLESS=1 cargo test -p fathom-job writes it anew.
case $words[2] in
",
    );
    for command in commands() {
        let _ = writeln!(text, "{command})\n_arguments -s \\");
        for Own { switch, value, help, .. } in own().filter(|o| o.command == command && !o.switch.is_empty())
        {
            let help = help.replace(['[', ']', ':'], " ").replace('\'', "'\\''");
            let (equals, value) =
                if value.is_empty() { ("", String::new()) } else { ("=", format!(":{value}:_files")) };
            let _ = writeln!(text, "  '--{switch}{equals}[{help}]{value}' \\");
        }
        text += "  '*:target:_files'\nreturn ;;\n";
    }
    text += "esac\n_arguments -s \\\n";
    let mut known: Vec<&str> = names().iter().map(|(name, ..)| *name).collect();
    for Own { switch, help, .. } in own().filter(|o| o.command.is_empty() && !o.switch.is_empty()) {
        if !known.contains(&switch) {
            known.push(switch);
            let help = help.replace(['[', ']', ':'], " ").replace('\'', "'\\''");
            let _ = writeln!(text, "  '--{switch}[{help}]' \\");
        }
    }
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
    let quoted = |help: &str| help.replace('\\', "\\\\").replace('\'', "\\'");
    for Own { command, switch, value, help } in own() {
        let when = if command.is_empty() {
            "__fish_use_subcommand".into()
        } else {
            format!("__fish_seen_subcommand_from {command}")
        };
        let _ = match (command, switch) {
            ("", "") => Ok(()),
            (_, "") => writeln!(
                text,
                "complete -c fathom -n __fish_use_subcommand -a {command} -d '{}'",
                quoted(help)
            ),
            _ => writeln!(
                text,
                "complete -c fathom -n '{when}' -l {switch}{} -d '{}'",
                if value.is_empty() { "" } else { " -r" },
                quoted(help)
            ),
        };
    }
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
