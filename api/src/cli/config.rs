//! `caudal config`.

use super::{Failure, InForce, say, serve::Serve};
use clap::Args;
use reqwest::Url;

/// Prints the settings of `caudal serve` that are in force, and where each comes from. Passwords are left out.
#[derive(Args, Debug)]
pub struct Config {
    /// Only what somebody set
    #[arg(long)]
    set: bool,
    #[command(flatten)]
    serve: Serve,
}

impl Config {
    pub fn run(self, in_force: &InForce) -> Result<(), Failure> {
        let Self { set, serve: _ } = self;
        let shown = in_force
            .settings
            .iter()
            .filter(|setting| !set || setting.source != crate::settings::Source::Default);
        let lines: Vec<_> = shown
            .map(|setting| {
                let value = setting.value.as_deref().map(|value| {
                    if setting.is_secret {
                        without_password(value)
                    } else {
                        value.to_owned()
                    }
                });
                let value = value.unwrap_or_else(|| "(not set)".to_owned());
                (setting.key.clone(), value, setting.source.to_string())
            })
            .collect();
        let width = |of: fn(&(String, String, String)) -> &String| {
            lines
                .iter()
                .map(|line| of(line).chars().count())
                .max()
                .unwrap_or_default()
        };
        let (keys, values) = (width(|line| &line.0), width(|line| &line.1).min(60));
        for (key, value, source) in &lines {
            say(&format!("{key:keys$}  {value:values$}  {source}"));
        }
        Ok(())
    }
}

/// A URL without its password. Hides everything else, such as a URL of several hosts.
fn without_password(value: &str) -> String {
    const HIDDEN: &str = "(set)";
    let Ok(mut url) = value.parse::<Url>() else {
        return HIDDEN.to_owned();
    };
    let may_hold_more = url.query().is_some_and(|query| query.to_lowercase().contains("pass"));
    if !url.has_host() || may_hold_more || (url.password().is_some() && url.set_password(Some("...")).is_err()) {
        return HIDDEN.to_owned();
    }
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        for (value, shown) in [
            ("postgres://u:secret@db/caudal", "postgres://u:...@db/caudal"),
            (
                "postgres://u@db:5433/caudal?sslmode=require",
                "postgres://u@db:5433/caudal?sslmode=require",
            ),
            ("postgres://u@db/caudal?password=secret", "(set)"),
            ("postgres://u:secret@db1:1,db2:2/caudal", "(set)"),
            ("host=db password=secret", "(set)"),
            ("smtps://me:secret@mail.example.org", "smtps://me:...@mail.example.org"),
        ] {
            assert_eq!(without_password(value), shown);
            assert!(!without_password(value).contains("secret"));
        }
    }
}
