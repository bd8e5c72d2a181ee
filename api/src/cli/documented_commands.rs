//! Test: every command line in docs, alerts and messages parses.

use super::Cli;
use clap::{Arg, ArgAction, Command, CommandFactory as _};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Files and directories that are searched, from the repository's root.
const PLACES: [&str; 9] = [
    "README.md",
    "CHANGELOG.md",
    "docs",
    "deploy",
    "scripts",
    "api/src",
    "journal/src",
    "journal/postgres/src",
    "projections/src",
];
/// Characters with which a command in a text ends.
const ENDS: &[char] = &['`', '"', ';', '|', ')', '(', ',', '#', '&', '<', '>', '\\'];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            files(&entry.unwrap().path(), found);
        }
    } else if !path.ends_with(file!()) {
        found.push(path.to_owned());
    }
}

/// The commands that a text tells, without the program's name.
fn told(text: &str) -> impl Iterator<Item = &str> {
    const PROGRAM: &str = "caudal ";
    text.match_indices(PROGRAM).filter_map(|(at, _)| {
        let before = text[..at].chars().next_back();
        let is_word = before.is_none_or(|before| !before.is_alphanumeric() && !"-_.".contains(before));
        let rest = &text[at + PROGRAM.len()..];
        let end = rest
            .find(|c: char| c == '\n' || ENDS.contains(&c))
            .unwrap_or(rest.len());
        is_word.then(|| &rest[..end])
    })
}

/// What of a command the program does not take.
fn fault(program: &Command, words: &str) -> Option<String> {
    let mut words = words.split_whitespace().peekable();
    let mut command = program;
    while let Some(next) = words.peek().and_then(|word| command.find_subcommand(word)) {
        command = next;
        words.next();
    }
    if command.get_name() == program.get_name() {
        return None;
    }
    let globals = program.get_arguments().filter(|argument| argument.is_global_set());
    let known: Vec<&Arg> = command.get_arguments().chain(globals).collect();
    let takes_more = |argument: &&Arg| matches!(argument.get_action(), ArgAction::Append);
    let mut values = match command.get_positionals().any(|argument| takes_more(&argument)) {
        true => usize::MAX,
        false => command.get_positionals().count(),
    };
    let mut is_value = false;
    for word in words {
        if std::mem::take(&mut is_value) {
            continue;
        }
        if let Some(option) = word.strip_prefix("--") {
            let (name, value) = option
                .split_once('=')
                .map_or((option, None), |(name, value)| (name, Some(value)));
            let name = name.trim_end_matches(['.', ':']);
            if ["help", "version", ""].contains(&name) {
                continue;
            }
            let Some(option) = known.iter().find(|argument| argument.get_long() == Some(name)) else {
                return Some(format!("{} has no --{name}", command.get_name()));
            };
            is_value = value.is_none() && option.get_action().takes_values();
        } else if word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || "-_".contains(c)) {
            let Some(left) = values.checked_sub(1) else {
                return Some(format!("{} takes no {word}", command.get_name()));
            };
            values = left;
        } else if word.chars().any(char::is_lowercase) {
            // A value of an example, or the sentence goes on.
            break;
        }
    }
    None
}

#[test]
fn what_operators_are_told_to_type_is_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut program = Cli::command();
    program.build();
    assert_eq!(fault(&program, "rebuild --data-dir /tmp"), None);
    assert_eq!(
        fault(&program, "rebuild TENANT"),
        Some("rebuild takes no TENANT".to_owned())
    );
    assert_eq!(
        fault(&program, "verify TENANT --repaly"),
        Some("verify has no --repaly".to_owned())
    );
    let (mut found, mut count, mut wrong) = (Vec::new(), 0, Vec::new());
    PLACES.iter().for_each(|place| files(&root.join(place), &mut found));
    for file in found {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for command in told(&text) {
            count += 1;
            wrong
                .extend(fault(&program, command).map(|fault| format!("{}: caudal {command}: {fault}", file.display())));
        }
    }
    assert!(count > 100, "{count}");
    assert!(wrong.is_empty(), "{wrong:#?}");
}
