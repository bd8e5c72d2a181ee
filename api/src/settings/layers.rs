//! Which place each value comes from, and the arguments with those values in them.

use super::{
    ConfigFile, DEFAULT_FILE, FILE_KEY_END, FILE_VARIABLE, FILE_VARIABLE_END, FileError, default_of, is_switch, key_of,
    nearest, table, variable_of,
};
use caudal_journal::WithCauses;
use clap::{
    Arg, ArgMatches, Command,
    builder::Resettable,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};
use std::{
    ffi::{OsStr, OsString},
    fmt, fs,
    path::{Path, PathBuf},
};

/// The folder in which systemd puts a service's credentials.
const CREDENTIALS_VARIABLE: &str = "CREDENTIALS_DIRECTORY";

/// The argument that names the configuration file.
const FILE_ARGUMENT: &str = "config";

/// What surrounds the program: its variables, and the configuration file of the machine.
pub struct Surroundings<'a> {
    /// A variable's value.
    pub variable: &'a dyn Fn(&str) -> Option<OsString>,
    /// The configuration file where none is named.
    pub default_file: &'a Path,
}

impl Surroundings<'static> {
    /// Those of the process.
    #[must_use]
    pub fn of_process() -> Self {
        Self {
            variable: &|name| std::env::var_os(name),
            default_file: Path::new(DEFAULT_FILE),
        }
    }
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Flag(String),
    /// A variable.
    Variable(String),
    /// A systemd credential.
    Credential(PathBuf),
    /// The configuration file and the line.
    File(PathBuf, usize),
    /// A file that one of the others names.
    Content(PathBuf, Box<Source>),
    /// Nobody set it.
    Default,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "--{flag}"),
            Self::Variable(name) => f.write_str(name),
            Self::Credential(path) => write!(f, "credential {}", path.display()),
            Self::File(path, line) => write!(f, "{}, line {line}", path.display()),
            Self::Content(path, by) => write!(f, "{} ({by})", path.display()),
            Self::Default => f.write_str("default"),
        }
    }
}

/// A setting's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InForce {
    /// The key.
    pub key: String,
    /// The value; none where nobody sets it and it has no default.
    pub value: Option<String>,
    /// Where it comes from.
    pub source: Source,
    /// Whether it may hold a password.
    pub is_secret: bool,
}

/// A setting that can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Where it is set.
    pub source: String,
    /// Cause of the refusal.
    pub problem: String,
    /// Remedy.
    pub remedy: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.source, self.problem, self.remedy)
    }
}

/// Why the settings can't be used.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The arguments.
    #[error(transparent)]
    Arguments(#[from] clap::Error),
    /// A setting.
    #[error("{0}")]
    Setting(Broken),
}

/// Arguments whose values come from wherever they were set.
#[derive(Debug)]
pub struct Resolved {
    /// The arguments.
    pub matches: ArgMatches,
    /// Every setting of the command.
    pub in_force: Vec<InForce>,
    /// The configuration file.
    pub file: Option<PathBuf>,
    /// Settings that were passed over, for a command that reports them.
    pub broken: Vec<Broken>,
}

/// An argument of the command that was named, and where it is declared.
struct Place {
    /// The subcommands that lead to it.
    path: Vec<String>,
    argument: Arg,
    variable: String,
    key: String,
}

/// Reads arguments with the values of all places. `is_lenient` tells of a subcommand whether settings that can't be used are
/// passed over and returned.
///
/// # Errors
/// Where the arguments or a setting can't be used.
pub fn resolve(
    command: &Command,
    arguments: &[OsString],
    surroundings: &Surroundings<'_>,
    is_lenient: fn(&str) -> bool,
) -> Result<Resolved, Refused> {
    let bare = extended(command.clone());
    let first = match without_variables(bare.clone()).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        // Only the help of the whole command names the variables.
        Err(error) if !error.use_stderr() => {
            return Err(bare.try_get_matches_from(arguments).err().unwrap_or(error).into());
        }
        Err(error) => return Err(error.into()),
    };
    let (path, leaf) = leaf(&first);
    let is_lenient = path.first().is_some_and(|name| is_lenient(name));
    let mut layers = Layers {
        leaf,
        surroundings,
        file: None,
        broken: Vec::new(),
        is_lenient,
    };
    layers.read_file()?;
    layers.check_keys(command)?;
    let places = places(&bare, &path);
    let mut values = Vec::new();
    for place in &places {
        let (value, source) = layers.look(place)?;
        values.push((place, value, source));
    }
    loop {
        let filled = values
            .iter()
            .filter(|(.., source)| !matches!(source, Source::Flag(_) | Source::Default))
            .filter_map(|(place, value, _)| Some((*place, value.as_deref()?)));
        let filled = filled.fold(without_variables(bare.clone()), |command, (place, value)| {
            with_default(command, &place.path, place.argument.get_id().as_str(), value)
        });
        let error = match filled.try_get_matches_from(arguments) {
            Ok(matches) => {
                let in_force = values.into_iter().map(|(place, value, source)| InForce {
                    key: place.key.clone(),
                    value,
                    source,
                    is_secret: place.argument.is_hide_env_values_set(),
                });
                return Ok(Resolved {
                    matches,
                    in_force: in_force.collect(),
                    file: layers.file.map(|file| file.path().to_owned()),
                    broken: layers.broken,
                });
            }
            Err(error) => error,
        };
        let at_fault = values.iter_mut().find(|(place, _, source)| {
            !matches!(source, Source::Flag(_) | Source::Default) && is_about(&error, &place.argument)
        });
        let Some((place, value, source)) = at_fault else {
            return Err(error.into());
        };
        layers.give_up(Broken {
            source: format!("{} ({source})", place.key),
            problem: problem(&error, place.argument.is_hide_env_values_set()),
            remedy: format!("see caudal {} --help, or docs/configuration.md", path.join(" ")),
        })?;
        (*value, *source) = (default_of(&place.argument), Source::Default);
    }
}

/// What clap says of a value, in one line and without the value where it is a secret.
fn problem(error: &clap::Error, is_secret: bool) -> String {
    let said = match error.get(ContextKind::InvalidValue) {
        Some(ContextValue::String(value)) if !is_secret => format!("{value:?} can't be read"),
        _ => "its value can't be read".to_owned(),
    };
    match std::error::Error::source(error) {
        Some(cause) if !is_secret => format!("{said}: {cause}"),
        _ => said,
    }
}

/// Whether an error is about the value of an argument.
fn is_about(error: &clap::Error, argument: &Arg) -> bool {
    let is_of_value = matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue);
    let flag = argument.get_long().map(|long| format!("--{long}"));
    match (error.get(ContextKind::InvalidArg), flag) {
        (Some(ContextValue::String(named)), Some(flag)) => {
            is_of_value && named.split_whitespace().next() == Some(flag.as_str())
        }
        _ => false,
    }
}

/// The command with a `-file` beside every secret.
fn extended(command: Command) -> Command {
    let secrets: Vec<_> = command
        .get_arguments()
        .filter(|argument| argument.is_hide_env_values_set())
        .filter_map(|argument| Some((argument.get_long()?.to_owned(), variable_of(argument)?)))
        .collect();
    let command = secrets.into_iter().fold(command, |command, (flag, variable)| {
        command.arg(
            Arg::new(file_argument(&flag))
                .long(format!("{flag}{FILE_KEY_END}"))
                .env(format!("{variable}{FILE_VARIABLE_END}"))
                .value_name("FILE")
                .help(format!(
                    "A file that holds the value of --{flag}, to keep it out of process lists"
                )),
        )
    });
    command.mut_subcommands(extended)
}

fn file_argument(flag: &str) -> String {
    format!("{flag}{FILE_KEY_END}")
}

fn without_variables(command: Command) -> Command {
    command
        .mut_args(|argument| argument.env(Resettable::Reset))
        .mut_subcommands(without_variables)
}

/// The command with a default of an argument that lies under some subcommands.
fn with_default(command: Command, path: &[String], id: &str, value: &str) -> Command {
    match path.split_first() {
        Some((name, rest)) => command.mut_subcommand(name, |child| with_default(child, rest, id, value)),
        None => command.mut_arg(id, |argument| argument.default_value(value.to_owned())),
    }
}

/// The subcommand that was named, and its arguments.
fn leaf(matches: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let (mut path, mut leaf) = (Vec::new(), matches);
    while let Some((name, child)) = leaf.subcommand() {
        path.push(name.to_owned());
        leaf = child;
    }
    (path, leaf)
}

/// The settings of the named subcommand, and those of the whole command.
fn places(command: &Command, path: &[String]) -> Vec<Place> {
    let mut found = Vec::new();
    let mut at = Some(command);
    for depth in 0..=path.len() {
        let Some(command) = at else { break };
        let way = path.get(..depth).unwrap_or_default();
        for argument in command.get_arguments() {
            // The contents of files are looked up with the secrets that they hold.
            let is_content = argument.get_id().as_str().ends_with(FILE_KEY_END);
            if let Some(variable) = variable_of(argument).filter(|_| !is_content) {
                found.push(Place {
                    path: way.to_vec(),
                    key: key_of(&variable),
                    variable,
                    argument: argument.clone(),
                });
            }
        }
        at = path.get(depth).and_then(|name| command.find_subcommand(name));
    }
    found
}

/// The places in which a setting is looked for.
struct Layers<'a> {
    leaf: &'a ArgMatches,
    surroundings: &'a Surroundings<'a>,
    file: Option<ConfigFile>,
    broken: Vec<Broken>,
    is_lenient: bool,
}

impl Layers<'_> {
    /// A variable's text; one that is set to nothing is not set.
    fn variable(&self, name: &str) -> Option<OsString> {
        (self.surroundings.variable)(name).filter(|value| !value.is_empty())
    }

    fn give_up(&mut self, broken: Broken) -> Result<(), Refused> {
        if !self.is_lenient {
            return Err(Refused::Setting(broken));
        }
        self.broken.push(broken);
        Ok(())
    }

    fn read_file(&mut self) -> Result<(), Refused> {
        let named = given(self.leaf, FILE_ARGUMENT)
            .or_else(|| self.variable(FILE_VARIABLE))
            .map(PathBuf::from);
        let path = named
            .clone()
            .unwrap_or_else(|| self.surroundings.default_file.to_owned());
        match ConfigFile::read(&path) {
            Ok(file) => self.file = Some(file),
            Err(FileError::Read { source, .. }) if named.is_none() && source.kind() == std::io::ErrorKind::NotFound => {
            }
            Err(error) => {
                self.give_up(Broken {
                    source: "configuration".to_owned(),
                    problem: WithCauses(&error).to_string(),
                    remedy: "name another by --config, mend the line, or run as the user that may read it".to_owned(),
                })?;
            }
        }
        Ok(())
    }

    /// Refuses keys that no command knows.
    fn check_keys(&mut self, command: &Command) -> Result<(), Refused> {
        let Some(file) = &self.file else { return Ok(()) };
        let settings = table(command);
        let contents = settings
            .iter()
            .filter(|setting| setting.is_secret)
            .map(|setting| format!("{}{FILE_KEY_END}", setting.key));
        let known: Vec<String> = settings
            .iter()
            .map(|setting| setting.key.clone())
            .chain(contents)
            .collect();
        let mut unknown = Vec::new();
        for key in file.keys().filter(|key| !known.iter().any(|known| known == key)) {
            let line = file.get(key).map_or(1, |entry| entry.line);
            unknown.push(Broken {
                source: format!("{}, line {line}", file.path().display()),
                problem: format!("there is no setting {key:?}"),
                remedy: nearest(key, known.iter().map(String::as_str)).map_or_else(
                    || "docs/configuration.md lists them all".to_owned(),
                    |near| format!("did you mean {near}?"),
                ),
            });
        }
        unknown.into_iter().try_for_each(|broken| self.give_up(broken))
    }

    /// A setting's value and where it comes from.
    fn look(&mut self, place: &Place) -> Result<(Option<String>, Source), Refused> {
        let is_secret = place.argument.is_hide_env_values_set();
        let flag = place.argument.get_long().unwrap_or_default().to_owned();
        let default = (default_of(&place.argument), Source::Default);
        let from_file = |key: &str| {
            let file = self.file.as_ref()?;
            let entry = file.get(key)?;
            Some((entry.value.clone(), Source::File(file.path().to_owned(), entry.line)))
        };
        // Each place: the value itself, and the file that holds it.
        let is_flagged = self.leaf.value_source(place.argument.get_id().as_str()) == Some(ValueSource::CommandLine);
        let flagged = is_flagged.then(|| (raw(self.leaf, &place.argument), Source::Flag(flag.clone())));
        let variable = self.variable(&place.variable).map(|value| {
            (
                value.to_string_lossy().into_owned(),
                Source::Variable(place.variable.clone()),
            )
        });
        let credential = self.credential(&place.key).filter(|_| is_secret);
        let mut contents = [None, None, None];
        if is_secret {
            let named = given(self.leaf, &file_argument(&flag)).map(|value| value.to_string_lossy().into_owned());
            let variable_name = format!("{}{FILE_VARIABLE_END}", place.variable);
            contents = [
                named.map(|value| (value, Source::Flag(format!("{flag}{FILE_KEY_END}")))),
                self.variable(&variable_name)
                    .map(|value| (value.to_string_lossy().into_owned(), Source::Variable(variable_name))),
                from_file(&format!("{}{FILE_KEY_END}", place.key)),
            ];
        }
        let [flagged_file, variable_file, file_file] = contents;
        let in_file = from_file(&place.key);
        for (value, content) in [
            (flagged, flagged_file),
            (variable, variable_file),
            (
                None,
                credential.map(|path| (path.to_string_lossy().into_owned(), Source::Credential(path))),
            ),
            (in_file, file_file),
        ] {
            let found = match (value, content) {
                (None, None) => continue,
                (Some((_, one)), Some((_, other))) => Err(Broken {
                    source: format!("{one} and {other}"),
                    problem: format!("both set {}", place.key),
                    remedy: "leave one of them".to_owned(),
                }),
                (Some((value, source)), None) => Ok((Some(value), source)),
                (None, Some((path, source))) => content_of(Path::new(&path), source),
            };
            match found {
                Ok((value, _)) if value.as_deref() == Some("") && !is_switch(&place.argument) => return Ok(default),
                Ok(found) => return Ok(found),
                Err(broken) => {
                    self.give_up(broken)?;
                    return Ok(default);
                }
            }
        }
        Ok(default)
    }

    fn credential(&self, key: &str) -> Option<PathBuf> {
        let path = Path::new(&self.variable(CREDENTIALS_VARIABLE)?).join(key);
        path.is_file().then_some(path)
    }
}

/// The value of a file that holds one setting; a line break at its end does not belong to it.
fn content_of(path: &Path, source: Source) -> Result<(Option<String>, Source), Broken> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let value = text.trim_end_matches(['\r', '\n']).to_owned();
            let source = match source {
                Source::Credential(path) => Source::Credential(path),
                other => Source::Content(path.to_owned(), Box::new(other)),
            };
            Ok((Some(value), source))
        }
        Err(error) => Err(Broken {
            source: source.to_string(),
            problem: format!("{} can't be read: {error}", path.display()),
            remedy: "name the right file, and let this user alone read it (chmod 600)".to_owned(),
        }),
    }
}

/// What the command line says of an argument, where the command has it.
fn given(leaf: &ArgMatches, id: &str) -> Option<OsString> {
    let mut values = leaf.try_get_raw(id).ok().flatten()?;
    let is_given = leaf.value_source(id) == Some(ValueSource::CommandLine);
    values.next_back().filter(|_| is_given).map(OsStr::to_owned)
}

/// What the command line says, for showing it.
fn raw(leaf: &ArgMatches, argument: &Arg) -> String {
    if is_switch(argument) {
        return "true".to_owned();
    }
    let values = leaf.get_raw(argument.get_id().as_str()).into_iter().flatten();
    let values: Vec<_> = values.map(|value| value.to_string_lossy().into_owned()).collect();
    values.join(",")
}
