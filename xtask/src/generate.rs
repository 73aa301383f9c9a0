//! Man pages, completions and documents, generated from the commands declared for clap and from fio's option table.

use crate::tool::workspace;
use crate::{Tally, documents};
use anyhow::{Context as _, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, StyledStr};
use clap::{Arg, ArgAction, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use job::exit_status::EXIT_STATUS;
use job::option::{Kind, Opt, Section};
use job::table;
use std::fmt::Write as _;

/// Names of the commands that accept fio's language.
const FIOS: &[&str] = &["run", "fio"];

/// Writes every generated file of the repository. Returns the number of files.
pub fn run(_: &[String]) -> Result<Tally> {
    let mut tally = Tally::default();
    for (name, text) in files()? {
        let path = workspace().join(&name);
        if std::fs::read_to_string(&path).is_ok_and(|there| there == text) {
            continue;
        }
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
        println!("{name}");
        tally.passed += 1;
    }
    Ok(tally)
}

/// Returns every generated file: its path in the workspace, and its content.
fn files() -> Result<Vec<(String, String)>> {
    let mut files = vec![
        ("docs/compat.md".to_owned(), documents::compat_md()),
        ("docs/options.md".to_owned(), documents::options_md()),
        ("completions/fathom.bash".to_owned(), bash()?),
        ("completions/_fathom".to_owned(), completion(Shell::Zsh, with_options(FIOS))?),
        ("completions/fathom.fish".to_owned(), completion(Shell::Fish, with_options(FIOS))?),
    ];
    files.extend(man_pages()?);
    Ok(files)
}

/// Returns the options that are built, by section.
fn options() -> Vec<&'static Opt> {
    let of = |section| table::rows().filter(move |row| row.section == section && row.compat.works());
    Section::ALL.into_iter().flat_map(of).collect()
}

/// Returns fio's command-line switches: name, name of the value, help.
fn switches() -> impl Iterator<Item = (&'static str, Option<&'static str>, &'static str)> {
    job::doc::switch_help().map(|(typed, help)| {
        let typed = typed.trim_start_matches('-').trim_end_matches(']');
        let (name, value) = typed.split_once('=').map_or((typed, None), |(name, value)| (name, Some(value)));
        (name.trim_end_matches('['), value, help)
    })
}

/// Returns the names that an option or switch accepts as its value.
fn choices(row: &Opt) -> Vec<PossibleValue> {
    let Kind::Choice { choices, .. } = row.kind else { return Vec::new() };
    let built = choices.iter().filter(|choice| choice.built);
    built.map(|choice| PossibleValue::new(choice.name).help(choice.help)).collect()
}

/// Returns an option of the table as an argument of clap.
fn argument(row: &'static Opt) -> Arg {
    let mut help = format!("{}.", row.help.trim_end_matches('.'));
    if !row.doc.is_empty() {
        let _ = write!(help, " {}", row.doc);
    }
    if !row.default.is_empty() {
        let _ = write!(help, " Default: {}.", row.default);
    }
    if !row.aliases.is_empty() {
        let _ = write!(help, " Also: {}.", row.aliases.join(", "));
    }
    let arg = Arg::new(row.name)
        .long(row.name)
        .help(StyledStr::from(row.help))
        .long_help(StyledStr::from(help))
        .help_heading(row.section.title());
    match choices(row) {
        _ if row.is_flag() => arg.num_args(0..=1).require_equals(true).value_name("0|1"),
        known if known.is_empty() => arg.value_name("VALUE"),
        known => arg.value_name("NAME").value_parser(PossibleValuesParser::new(known)),
    }
}

/// Returns the declared commands. The commands with a name in `fios` also have the switches and options of fio's
/// language.
fn with_options(fios: &[&str]) -> Command {
    let mut command = cli::declaration();
    for name in fios {
        command = command.mut_subcommand(name, |mut own| {
            let taken: Vec<String> =
                own.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect();
            let free = |name: &str| !taken.iter().any(|other| other == name);
            for (name, value, help) in switches().filter(|(name, ..)| free(name) && *name != "help") {
                let arg = Arg::new(name).long(name).help(help).help_heading("Switches of fio");
                own = own.arg(match value {
                    Some(value) => arg.value_name(value),
                    None => arg.action(ArgAction::SetTrue),
                });
            }
            own.args(options().into_iter().filter(|row| free(row.name)).map(argument))
        });
    }
    command
}

fn completion(shell: Shell, mut command: Command) -> Result<String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "fathom", &mut text);
    Ok(String::from_utf8(text)?)
}

/// Returns the completion for bash. The completion of clap does not complete after `=`, as users of fio write options;
/// this one does so after `run` and `fio`.
fn bash() -> Result<String> {
    let all = options();
    let names: Vec<String> = switches()
        .map(|(name, value, _)| format!("--{name}{}", if value.is_some() { "=" } else { "" }))
        .chain(all.iter().map(|row| format!("--{}=", row.name)))
        .collect();
    let declared = cli::declaration();
    let own = declared.find_subcommand("run").into_iter().flat_map(Command::get_arguments);
    let own: Vec<String> = own
        .filter_map(|arg| {
            let equals = if arg.get_action().takes_values() { "=" } else { "" };
            Some(format!("--{}{equals}", arg.get_long()?))
        })
        .collect();
    let mut values = String::new();
    for row in &all {
        let known: Vec<String> = choices(row).iter().map(|known| known.get_name().to_owned()).collect();
        if !known.is_empty() {
            let _ = writeln!(
                values,
                "        --{0}=*) words=\"{1}\" prefix=\"--{0}=\" ;;",
                row.name,
                known.join(" ")
            );
        }
    }
    let clap = completion(Shell::Bash, cli::declaration())?;
    Ok(format!(
        r#"{clap}
_fathom_fios_language() {{
    local line="${{COMP_LINE:0:COMP_POINT}}"
    local word="${{line##* }}" prefix=""
    local words="{names}"
    [[ ${{COMP_WORDS[1]}} == run ]] && words="$words {own}"
    case "$word" in
{values}        --*=*|[!-]*) words="" ;;
    esac
    # The shell takes `=` for a word of its own.
    COMPREPLY=($(compgen -W "$words" -- "${{word#"$prefix"}}"))
    if [[ -z $words ]]; then COMPREPLY=($(compgen -f -- "${{word##*=}}")); fi
    [[ ${{COMPREPLY[0]}} == *= ]] && compopt -o nospace
}}

_fathom_any() {{
    case "${{COMP_WORDS[1]}}" in
        run|fio) if [[ $COMP_CWORD -gt 1 ]]; then _fathom_fios_language; return; fi ;;
    esac
    _fathom "$@"
}}
complete -F _fathom_any -o bashdefault -o default fathom
"#,
        names = names.join(" "),
        own = own.join(" "),
    ))
}

/// Returns a man page for each command, and one for the program. Only the page of `fathom fio` has the options of jobs.
fn man_pages() -> Result<Vec<(String, String)>> {
    let mut command = with_options(&["fio"]);
    command.build();
    let mut pages = vec![("man/fathom.1".to_owned(), page(&command, &closing())?)];
    for own in command.get_subcommands() {
        let name = format!("fathom-{}", own.get_name());
        let closing = match own.get_name() {
            "run" => {
                ".SH SEE ALSO\n.BR fathom (1),\n.BR fathom\\-fio (1)\nfor fio's switches and job options\n"
            }
            _ => ".SH SEE ALSO\n.BR fathom (1)\n",
        };
        pages.push((format!("man/{name}.1"), page(&own.clone().display_name(name), closing)?));
    }
    Ok(pages)
}

/// Returns the man page of a command with the sections `closing` at its end.
fn page(command: &Command, closing: &str) -> Result<String> {
    let mut text = Vec::new();
    Man::new(command.clone()).render(&mut text)?;
    let text = String::from_utf8(text)?;
    Ok(format!(
        ".\\\" Made by `cargo xtask generate` from the declared commands and the option table.\n{text}{closing}"
    ))
}

/// Returns the last sections of the program's man page, which the pages of commands do not have.
fn closing() -> String {
    let mut text = String::from(
        ".SH FILES
.TP
.I $XDG_DATA_HOME/fathom/store.sqlite
Results of checks, studies and
.BR \"fathom run\" ;
in ~/.local/share without that variable.
.B \\-\\-store
names another file,
.B \\-\\-no\\-store
stores nothing.
.SH EXIT STATUS
",
    );
    for (status, meaning) in EXIT_STATUS {
        let _ = writeln!(text, ".TP\n.B {status}\n{}.", meaning.replace('-', "\\-"));
    }
    text + ".SH SEE ALSO\n.BR fio (1)\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_files_are_fresh() {
        for (name, text) in files().unwrap() {
            let there = std::fs::read_to_string(workspace().join(&name)).unwrap_or_default();
            assert!(there == text, "{name} is stale: cargo xtask generate");
        }
    }

    /// Tests that every declared switch and every built option is in the man page of its command and in the completion
    /// of each shell.
    #[test]
    fn generated_files_name_every_switch_and_option() {
        let files = files().unwrap();
        let file = |name: &str| &files.iter().find(|(other, _)| other == name).expect(name).1;
        let completions = [
            (file("completions/fathom.bash"), "--"),
            (file("completions/_fathom"), "--"),
            (file("completions/fathom.fish"), "-l "),
        ];
        let mut command = with_options(&["fio"]);
        command.build();
        let all = std::iter::once(("man/fathom.1".to_owned(), &command))
            .chain(command.get_subcommands().map(|own| (format!("man/fathom-{}.1", own.get_name()), own)));
        for (page, command) in all {
            for name in command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long) {
                assert!(file(&page).contains(&name.replace('-', "\\-")), "{page}: --{name}");
                for (text, lead) in completions {
                    assert!(text.contains(&format!("{lead}{name}")), "{lead}{name}");
                }
            }
        }
        assert!(options().len() > 200);
        for row in options() {
            assert!(file("man/fathom-fio.1").contains(&row.name.replace('-', "\\-")), "{}", row.name);
        }
    }
}
