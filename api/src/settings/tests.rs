use super::*;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::{collections::HashMap, ffi::OsString, fs};

#[derive(Debug, Parser)]
#[command(name = "caudal")]
struct Cli {
    #[arg(long, global = true, env = "CAUDAL_CONFIG")]
    config: Option<std::path::PathBuf>,
    #[arg(long, global = true, env = "RUST_LOG")]
    log: Option<String>,
    #[command(subcommand)]
    command: Sub,
}

#[derive(Debug, Subcommand)]
enum Sub {
    Serve(Serve),
    Doctor(Serve),
}

#[derive(Args, Debug)]
struct Serve {
    /// Where it listens
    #[arg(long, env = "CAUDAL_LISTEN", default_value = "127.0.0.1:8080")]
    listen: std::net::SocketAddr,
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database_url: Option<String>,
    #[arg(long, env = "CAUDAL_WITNESSES", value_delimiter = ',')]
    witnesses: Vec<String>,
    #[arg(long, env = "CAUDAL_STRICT")]
    strict: bool,
}

/// A machine with a folder for files and some variables.
struct Machine {
    folder: tempfile::TempDir,
    variables: HashMap<String, String>,
}

impl Machine {
    fn new(variables: &[(&str, &str)]) -> Self {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self {
            folder: tempfile::tempdir().unwrap(),
            variables: variables.iter().map(own).collect(),
        }
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn resolve(&self, arguments: &[&str]) -> Result<Resolved, Refused> {
        let variable = |name: &str| self.variables.get(name).map(OsString::from);
        let default_file = self.folder.path().join("caudal.toml");
        let surroundings = Surroundings {
            variable: &variable,
            default_file: &default_file,
        };
        let all: Vec<_> = ["caudal"].iter().chain(arguments).map(OsString::from).collect();
        resolve(&Cli::command(), &all, &surroundings, |name| name == "doctor")
    }

    fn serve(&self, arguments: &[&str]) -> (Serve, Vec<InForce>) {
        let resolved = self.resolve(arguments).unwrap();
        match Cli::from_arg_matches(&resolved.matches).unwrap().command {
            Sub::Serve(serve) | Sub::Doctor(serve) => (serve, resolved.in_force),
        }
    }
}

fn source<'a>(in_force: &'a [InForce], key: &str) -> &'a Source {
    &in_force.iter().find(|setting| setting.key == key).unwrap().source
}

#[test]
fn a_flag_counts_before_the_environment_before_the_file_before_the_default() {
    let mut machine = Machine::new(&[]);
    let listen = |machine: &Machine, arguments: &[&str]| {
        let (serve, in_force) = machine.serve(arguments);
        (serve.listen.port(), source(&in_force, "listen").to_string())
    };
    assert_eq!(listen(&machine, &["serve"]), (8080, "default".to_owned()));
    let path = machine.file("caudal.toml", "# the machine's\nlisten = \"127.0.0.1:1\"\n");
    assert_eq!(listen(&machine, &["serve"]), (1, format!("{path}, line 2")));
    machine
        .variables
        .insert("CAUDAL_LISTEN".to_owned(), "127.0.0.1:2".to_owned());
    assert_eq!(listen(&machine, &["serve"]), (2, "CAUDAL_LISTEN".to_owned()));
    let flagged = ["serve", "--listen", "127.0.0.1:3"];
    assert_eq!(listen(&machine, &flagged), (3, "--listen".to_owned()));
    machine.variables.insert("CAUDAL_LISTEN".to_owned(), String::new());
    assert_eq!(
        listen(&machine, &["serve"]).0,
        1,
        "a variable that is set to nothing is not set"
    );
}

#[test]
fn lists_switches_and_numbers_of_the_file_are_taken_as_flags_are() {
    let machine = Machine::new(&[]);
    machine.file(
        "caudal.toml",
        "witnesses = [\"a\", \"b\"]\nstrict = true\nlog = \"debug\"\n",
    );
    let (serve, in_force) = machine.serve(&["serve"]);
    assert_eq!(serve.witnesses, ["a", "b"]);
    assert!(serve.strict);
    let log = in_force.iter().find(|setting| setting.key == "log").unwrap();
    assert_eq!(log.value.as_deref(), Some("debug"));
    let resolved = machine.resolve(&["serve"]).unwrap();
    let cli = Cli::from_arg_matches(&resolved.matches).unwrap();
    assert_eq!(
        cli.log.as_deref(),
        Some("debug"),
        "a setting of all commands reaches the command"
    );
    let resolved = machine.resolve(&["serve", "--log", "trace"]).unwrap();
    assert_eq!(
        Cli::from_arg_matches(&resolved.matches).unwrap().log.as_deref(),
        Some("trace")
    );
    let other = machine.file("other.toml", "strict = false\nwitnesses = \"c,d\"\n");
    let (serve, _) = machine.serve(&["serve", "--config", &other]);
    assert_eq!(
        (serve.witnesses, serve.strict),
        (vec!["c".to_owned(), "d".to_owned()], false)
    );
    let (serve, _) = machine.serve(&["serve", "--config", &other, "--strict"]);
    assert!(serve.strict);
}

#[test]
fn a_secret_is_read_from_a_file_or_a_credential_and_one_place_has_it_once() {
    let mut machine = Machine::new(&[]);
    let url = |machine: &Machine, arguments: &[&str]| machine.serve(arguments).0.database_url;
    let of_file = machine.file("secrets/of-file", "postgres://file\n");
    machine.file("caudal.toml", &format!("database-url-file = {of_file:?}\n"));
    assert_eq!(url(&machine, &["serve"]).as_deref(), Some("postgres://file"));
    machine.file("credentials/database-url", "postgres://credential");
    let credentials = machine.folder.path().join("credentials").to_str().unwrap().to_owned();
    machine
        .variables
        .insert("CREDENTIALS_DIRECTORY".to_owned(), credentials);
    assert_eq!(url(&machine, &["serve"]).as_deref(), Some("postgres://credential"));
    let of_variable = machine.file("secrets/of-variable", "postgres://variable");
    machine.variables.insert("DATABASE_URL_FILE".to_owned(), of_variable);
    assert_eq!(url(&machine, &["serve"]).as_deref(), Some("postgres://variable"));
    let of_flag = machine.file("secrets/of-flag", "postgres://flag");
    assert_eq!(
        url(&machine, &["serve", "--database-url-file", &of_flag]).as_deref(),
        Some("postgres://flag")
    );
    machine
        .variables
        .insert("DATABASE_URL".to_owned(), "postgres://itself".to_owned());
    let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
    assert!(
        refused.contains("DATABASE_URL and DATABASE_URL_FILE: both set database-url"),
        "{refused}"
    );
    let missing = machine
        .resolve(&["serve", "--database-url-file", "/nowhere"])
        .unwrap_err()
        .to_string();
    assert!(missing.contains("/nowhere can't be read"), "{missing}");
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_right_one_and_its_line() {
    let machine = Machine::new(&[]);
    for (written, near) in [
        ("lisen", "listen"),
        ("CAUDAL_LISTEN", "listen"),
        ("database_url", "database-url"),
        ("databse-url-file", "database-url-file"),
    ] {
        machine.file("caudal.toml", &format!("strict = true\n{written} = \"x\"\n"));
        let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
        assert!(refused.contains("line 2"), "{refused}");
        assert!(refused.contains(&format!("did you mean {near}?")), "{refused}");
    }
    machine.file("caudal.toml", "zebra = 1\n");
    let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
    assert!(refused.contains("docs/configuration.md"), "{refused}");
    machine.file("caudal.toml", "[serve]\nlisten = \"127.0.0.1:1\"\n");
    let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
    assert!(refused.contains("no sections"), "{refused}");
    machine.file("caudal.toml", "strict = true\nlisten = \n");
    let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
    assert!(refused.contains("line 2"), "{refused}");
}

#[test]
fn a_value_that_cannot_be_read_is_told_with_its_place_and_a_lenient_command_goes_on() {
    let machine = Machine::new(&[("CAUDAL_LISTEN", "everywhere")]);
    machine.file("caudal.toml", "lisen = 1\nstrict = \"perhaps\"\n");
    let resolved = machine.resolve(&["doctor"]).unwrap();
    let sources: Vec<_> = resolved.broken.iter().map(|broken| broken.source.clone()).collect();
    assert_eq!(sources.len(), 3, "{:?}", resolved.broken);
    assert!(
        sources.iter().any(|source| source.contains("CAUDAL_LISTEN")),
        "{sources:?}"
    );
    assert_eq!(machine.serve(&["doctor"]).0.listen.port(), 8080);
    machine.file("caudal.toml", "");
    let refused = machine.resolve(&["serve"]).unwrap_err().to_string();
    assert!(
        refused.contains("listen (CAUDAL_LISTEN): \"everywhere\" can't be read"),
        "{refused}"
    );
}

#[test]
fn help_names_the_variables() {
    let machine = Machine::new(&[]);
    let help = machine.resolve(&["serve", "--help"]).unwrap_err().to_string();
    assert!(
        help.contains("DATABASE_URL_FILE") && help.contains("[env: CAUDAL_LISTEN"),
        "{help}"
    );
}
