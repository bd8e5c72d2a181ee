//! Settings: one table, and four places that a value may come from.
//!
//! | Place | Example | Before |
//! |---|---|---|
//! | a flag | `--database-url URL`, `--database-url-file FILE` | all others |
//! | the environment | `DATABASE_URL`, `DATABASE_URL_FILE` | credentials, the file |
//! | a systemd credential | `$CREDENTIALS_DIRECTORY/database-url` | the file |
//! | the configuration file | `database-url = "…"`, `database-url-file = "…"` | the default |
//!
//! The table is made from the arguments of the commands: an argument with a variable is a setting. Its key is the
//! variable's name without `CAUDAL_`, in small letters with `-`.

mod file;
mod layers;
mod page;

pub use file::{ConfigFile, FileError};
pub use layers::{Broken, InForce, Refused, Resolved, Source, Surroundings, resolve};
pub use page::page;

use clap::{Arg, ArgAction, Command};
use std::{collections::BTreeMap, path::Path};

/// The configuration file where none is named.
pub const DEFAULT_FILE: &str = "/etc/caudal/caudal.toml";
/// The variable that names another.
pub const FILE_VARIABLE: &str = "CAUDAL_CONFIG";
/// What the prefix of variables is.
const PREFIX: &str = "CAUDAL_";
/// Ends the name of a setting whose value is the content of a file.
const FILE_KEY_END: &str = "-file";
/// Ends the variable of such a setting.
const FILE_VARIABLE_END: &str = "_FILE";

/// Variables whose names are not ours, and the keys of their settings.
const OTHERS: [(&str, &str); 1] = [("RUST_LOG", "log")];

/// What can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key in the configuration file.
    pub key: String,
    /// The variable.
    pub variable: String,
    /// The flag, without `--`.
    pub flag: String,
    /// Meaning of the setting.
    pub help: String,
    /// Placeholder of the value; none for a switch.
    pub value_name: Option<String>,
    /// The value where nobody sets it.
    pub default: Option<String>,
    /// Whether it may hold a password.
    pub is_secret: bool,
    /// The commands that take it.
    pub commands: Vec<String>,
}

/// Settings that a running server takes over at SIGHUP.
const LIVE: [&str; 5] = [
    "log",
    "tenant-megabytes",
    "upload-files",
    "upload-megabytes",
    "write-rate",
];

/// Whether a running server takes a setting over.
#[must_use]
pub fn is_live(key: &str) -> bool {
    LIVE.contains(&key)
}

/// The key of a variable.
fn key_of(variable: &str) -> String {
    let other = OTHERS.iter().find(|(name, _)| *name == variable);
    other.map_or_else(
        || {
            let bare = variable.strip_prefix(PREFIX).unwrap_or(variable);
            bare.to_lowercase().replace('_', "-")
        },
        |(_, key)| (*key).to_owned(),
    )
}

/// The variable of an argument that is a setting.
fn variable_of(argument: &Arg) -> Option<String> {
    let name = argument.get_env()?.to_str()?.to_owned();
    // It says where the others are.
    (name != FILE_VARIABLE).then_some(name)
}

fn is_switch(argument: &Arg) -> bool {
    matches!(argument.get_action(), ArgAction::SetTrue)
}

fn default_of(argument: &Arg) -> Option<String> {
    if is_switch(argument) {
        return Some("false".to_owned());
    }
    let values: Vec<_> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    (!values.is_empty()).then(|| values.join(","))
}

/// All settings of a command and its subcommands, by key.
#[must_use]
pub fn table(command: &Command) -> Vec<Setting> {
    let mut settings = BTreeMap::new();
    collect(command, "", &mut settings);
    settings.into_values().collect()
}

fn collect(command: &Command, path: &str, settings: &mut BTreeMap<String, Setting>) {
    for argument in command.get_arguments() {
        let Some(variable) = variable_of(argument) else {
            continue;
        };
        let key = key_of(&variable);
        let setting = settings.entry(key.clone()).or_insert_with(|| Setting {
            key,
            flag: argument.get_long().unwrap_or_default().to_owned(),
            help: argument.get_help().map(ToString::to_string).unwrap_or_default(),
            value_name: (!is_switch(argument))
                .then(|| argument.get_value_names()?.first().map(ToString::to_string))
                .flatten(),
            default: default_of(argument),
            is_secret: argument.is_hide_env_values_set(),
            variable,
            commands: Vec::new(),
        });
        setting.commands.push(path.to_owned());
    }
    for child in command.get_subcommands() {
        let path = format!("{path} {}", child.get_name());
        collect(child, path.trim(), settings);
    }
}

/// Whether a configuration file for a command holds a value that may be a password. A file that can't be read is taken for one that does.
#[must_use]
pub fn holds_secrets(path: &Path, command: &Command) -> bool {
    let secrets = table(command);
    let is_secret = |key: &str| secrets.iter().any(|setting| setting.is_secret && setting.key == key);
    ConfigFile::read(path).map_or(true, |file| file.keys().any(is_secret))
}

/// The nearest of known names, where one is near enough to be meant.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// How alike two names must be, from 0 to 1.
    const ALIKE: f64 = 0.6;
    let written = key_of(&name.to_uppercase().replace('-', "_"));
    let likeness = |key: &str| strsim::normalized_damerau_levenshtein(&written, key);
    known
        .map(|key| (likeness(key), key))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, key)| key)
}

#[cfg(test)]
mod tests;
