//! The page of all settings: docs/configuration.md.

use super::{Setting, table};
use clap::Command;
use std::fmt::Write as _;

const HEAD: &str = "# Settings

Written by `cargo run -p caudal-api --example configuration > docs/configuration.md`; a test keeps it up to date.

A setting may stand in four places. The first that has it counts:

1. a flag: `caudal serve --listen 0.0.0.0:8080`
2. the environment: `CAUDAL_LISTEN=0.0.0.0:8080`. A variable that is set to nothing is not set
3. for secrets, a systemd credential of the key's name: `LoadCredential=database-url:/etc/caudal/secrets/database-url`
4. the file `/etc/caudal/caudal.toml`, or the one that `--config` or `CAUDAL_CONFIG` names: `listen = \"0.0.0.0:8080\"`

The file is TOML without sections, one setting a line; a list is written as `[\"10.0.0.1\", \"10.0.0.2\"]` or with commas in
one text. A key that does not exist is refused, with the nearest that does. Keys that a command does not use are passed
over, so that one file serves all commands.

```toml
listen = \"127.0.0.1:8080\"
public-url = \"https://caudal.example.org\"
trusted-proxies = [\"127.0.0.1\"]
database-url-file = \"/etc/caudal/secrets/database-url\"
```

**Secrets** (marked 🔑) may stand in a file of their own: `…-file` in the configuration file, `…_FILE` in the environment, or
the flag with `-file`. A line break at the file's end does not belong to the value.

`caudal config` prints what is in force and where each value comes from, without secrets. `caudal doctor` checks it all.
`systemctl reload caudal` (SIGHUP) takes over what is marked ↻ while the server runs; of other changes it logs that they
need a restart.

";

const ENVIRONMENT: &str = "
## Only in the environment

Other programs' names, or what no file should hold. The package's unit reads `/etc/caudal/caudal.env`.

| Variable | Meaning |
|---|---|
| `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ALLOW_HTTP` | how to reach the buckets of files and checkpoints |
| `CAUDAL_CONFIG` | the configuration file |
| `CAUDAL_MASTER_KEYS` | the keys themselves, with `;` between lines; they can't be rotated then ([keys](operations.md#keys)) |
| `CREDENTIALS_DIRECTORY` | set by systemd |
| `PG_BIN_DIR` | the programs of a PostgreSQL for the private cluster; otherwise the packaged one, then the system's |
";

/// The page of a command's settings.
#[must_use]
pub fn page(command: &Command) -> String {
    let settings = table(command);
    let is_of_all = |setting: &Setting| {
        setting
            .commands
            .iter()
            .any(|command| command == "migrate" || command.is_empty())
    };
    let mut page = HEAD.to_owned();
    section(
        &mut page,
        "For every command",
        settings.iter().filter(|setting| is_of_all(setting)),
    );
    let is_served = |setting: &Setting| setting.commands.iter().any(|command| command == "serve");
    let served = settings
        .iter()
        .filter(|setting| !is_of_all(setting) && is_served(setting));
    section(&mut page, "For `serve`", served);
    let others = settings
        .iter()
        .filter(|setting| !is_of_all(setting) && !is_served(setting));
    section(&mut page, "For other commands", others);
    page + ENVIRONMENT
}

fn section<'a>(page: &mut String, title: &str, settings: impl Iterator<Item = &'a Setting>) {
    let _ = write!(
        page,
        "## {title}\n\n| Key | Variable, flag | Unless set | Meaning |\n|---|---|---|---|\n"
    );
    for setting in settings {
        let key = if setting.is_secret { " 🔑" } else { "" };
        let live = if super::is_live(&setting.key) { " ↻" } else { "" };
        let value = setting
            .value_name
            .as_ref()
            .map_or_else(String::new, |name| format!(" {name}"));
        let default = setting
            .default
            .as_ref()
            .map_or_else(|| "–".to_owned(), |value| format!("`{value}`"));
        let help = setting
            .help
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .replace('|', "\\|");
        let of = if setting
            .commands
            .iter()
            .any(|command| ["", "migrate", "serve"].contains(&command.as_str()))
        {
            String::new()
        } else {
            format!(" (`caudal {}`)", setting.commands.join("`, `"))
        };
        let Setting {
            key: name,
            variable,
            flag,
            ..
        } = setting;
        let _ = writeln!(
            page,
            "| `{name}`{key}{live} | `{variable}`, `--{flag}{value}` | {default} | {help}{of} |"
        );
    }
    page.push('\n');
}
