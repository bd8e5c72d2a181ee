//! Parser of libpq's two connection string forms, into one set of options per host.
//!
//! - `postgres://user:password@a:5432,b:5433/database?target_session_attrs=read-write`
//! - `host=a,b port=5432,5433 dbname=database user=caudal_login target_session_attrs=read-write`
//!
//! The options of one host are parsed by sqlx.

use super::{Host, MAX_HOSTS};
use std::collections::BTreeMap;
use thiserror::Error;
use url::Url;

const DEFAULT_PORT: u16 = 5432;

/// Keywords common to all hosts.
const KEYWORDS: [&str; 9] = [
    "dbname",
    "user",
    "password",
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "application_name",
    "options",
];

/// Parse errors. Messages never contain a value: it may be the password.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum ConninfoError {
    #[error("the URL of one host cannot be read: {0}")]
    Host(String),
    #[error("{0} hosts are named, and {MAX_HOSTS} at most can be")]
    TooManyHosts(usize),
    #[error("one host in the list is empty: write host names, comma-separated, without spaces")]
    EmptyHost,
    #[error("{ports} ports are named for {hosts} hosts: name one for all, or one for each")]
    Ports { ports: usize, hosts: usize },
    #[error("the port of host {0} is not a number from 1 to 65535")]
    Port(usize),
    #[error("target_session_attrs can be read-write, primary or any: Caudal writes, and never works on a standby")]
    TargetSessionAttrs,
    #[error("the keyword {0:?} is not known: known are host, port, target_session_attrs, {known}", known = KEYWORDS.join(", "))]
    Keyword(String),
    #[error("the connection string has {0} where keyword = value is expected")]
    Syntax(&'static str),
}

pub(super) fn parse(text: &str) -> Result<Vec<Host>, ConninfoError> {
    let text = text.trim();
    let hosts = if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        of_url(text)?
    } else {
        of_keywords(text)?
    };
    if hosts.len() > MAX_HOSTS {
        return Err(ConninfoError::TooManyHosts(hosts.len()));
    }
    Ok(hosts)
}

fn of_url(url: &str) -> Result<Vec<Host>, ConninfoError> {
    let (url, target) = without_target(url);
    if let Some(target) = target {
        check_target(target)?;
    }
    let Some((scheme, rest)) = url.split_once("://") else {
        return Err(ConninfoError::Syntax("no scheme"));
    };
    let (authority, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (login, hosts) = match authority.rsplit_once('@') {
        Some((login, hosts)) => (format!("{login}@"), hosts),
        None => (String::new(), authority),
    };
    if !hosts.contains(',') {
        return Ok(vec![one(&url)?]);
    }
    hosts
        .split(',')
        .map(|host| {
            if host.is_empty() {
                return Err(ConninfoError::EmptyHost);
            }
            one(&format!("{scheme}://{login}{host}{path}"))
        })
        .collect()
}

fn one(url: &str) -> Result<Host, ConninfoError> {
    url.parse()
        .map_err(|error: sqlx::Error| ConninfoError::Host(error.to_string()))
}

/// The URL without `target_session_attrs`, which sqlx does not know, and its value.
fn without_target(url: &str) -> (String, Option<&str>) {
    let Some((base, query)) = url.split_once('?') else {
        return (url.to_owned(), None);
    };
    let mut target = None;
    let mut kept = Vec::new();
    for pair in query.split('&') {
        match pair.strip_prefix("target_session_attrs=") {
            Some(value) => target = Some(value),
            None => kept.push(pair),
        }
    }
    let query = if kept.is_empty() {
        String::new()
    } else {
        format!("?{}", kept.join("&"))
    };
    (format!("{base}{query}"), target)
}

fn check_target(target: &str) -> Result<(), ConninfoError> {
    if ["read-write", "primary", "any"].contains(&target) {
        Ok(())
    } else {
        Err(ConninfoError::TargetSessionAttrs)
    }
}

fn of_keywords(text: &str) -> Result<Vec<Host>, ConninfoError> {
    let mut values = keywords(text)?;
    if let Some(target) = values.remove("target_session_attrs") {
        check_target(&target)?;
    }
    let hosts = values.remove("host").unwrap_or_else(|| "localhost".to_owned());
    let hosts: Vec<&str> = hosts.split(',').collect();
    if hosts.iter().any(|host| host.is_empty()) {
        return Err(ConninfoError::EmptyHost);
    }
    let ports = ports(values.remove("port").as_deref(), hosts.len())?;
    if let Some(unknown) = values.keys().find(|keyword| !KEYWORDS.contains(&keyword.as_str())) {
        return Err(ConninfoError::Keyword(unknown.clone()));
    }
    hosts
        .into_iter()
        .zip(ports)
        .map(|(host, port)| {
            let mut url = Url::parse("postgres:///").map_err(|error| ConninfoError::Host(error.to_string()))?;
            url.query_pairs_mut()
                .append_pair("host", host)
                .append_pair("port", &port.to_string())
                .extend_pairs(&values);
            one(url.as_str())
        })
        .collect()
}

/// One port per host.
fn ports(ports: Option<&str>, hosts: usize) -> Result<Vec<u16>, ConninfoError> {
    let Some(ports) = ports else {
        return Ok(vec![DEFAULT_PORT; hosts]);
    };
    let ports: Vec<u16> = ports
        .split(',')
        .enumerate()
        .map(|(index, port)| match port.parse() {
            // libpq reads an empty port as the default.
            _ if port.is_empty() => Ok(DEFAULT_PORT),
            Ok(port) if port > 0 => Ok(port),
            _ => Err(ConninfoError::Port(index + 1)),
        })
        .collect::<Result<_, _>>()?;
    match ports.as_slice() {
        [one] => Ok(vec![*one; hosts]),
        several if several.len() == hosts => Ok(ports),
        several => Err(ConninfoError::Ports {
            ports: several.len(),
            hosts,
        }),
    }
}

/// Parses `keyword = value` pairs; values with spaces are in single quotes, with backslash escapes.
fn keywords(text: &str) -> Result<BTreeMap<String, String>, ConninfoError> {
    let mut values = BTreeMap::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (keyword, after) = rest.split_once('=').ok_or(ConninfoError::Syntax("a word without ="))?;
        let keyword = keyword.trim();
        if keyword.is_empty() || keyword.contains(char::is_whitespace) {
            return Err(ConninfoError::Syntax("a word without ="));
        }
        let (value, after) = value(after.trim_start())?;
        values.insert(keyword.to_owned(), value);
        rest = after.trim_start();
    }
    Ok(values)
}

fn value(text: &str) -> Result<(String, &str), ConninfoError> {
    let (quoted, body) = match text.strip_prefix('\'') {
        Some(body) => (true, body),
        None => (false, text),
    };
    let mut value = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, escaped)) => value.push(escaped),
                None => return Err(ConninfoError::Syntax("a backslash at the end")),
            },
            '\'' if quoted => return Ok((value, &body[at + 1..])),
            _ if !quoted && character.is_whitespace() => return Ok((value, &body[at..])),
            _ => value.push(character),
        }
    }
    if quoted {
        return Err(ConninfoError::Syntax("a quote that is not closed"));
    }
    Ok((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::postgres::PgSslMode;

    fn places(text: &str) -> Vec<(String, u16)> {
        let hosts = parse(text).unwrap();
        hosts
            .iter()
            .map(|host| (host.get_host().to_owned(), host.get_port()))
            .collect()
    }

    fn refusal(text: &str) -> ConninfoError {
        parse(text).unwrap_err()
    }

    #[test]
    fn a_url_names_hosts_each_with_its_port() {
        let url = "postgres://u:p%40s@a:5433,b,10.0.0.3:6432/caudal?target_session_attrs=read-write&sslmode=require";
        assert_eq!(
            places(url),
            [("a".into(), 5433), ("b".into(), 5432), ("10.0.0.3".into(), 6432)]
        );
        for host in parse(url).unwrap() {
            assert_eq!(host.get_database(), Some("caudal"));
            assert_eq!(host.get_username(), "u");
            assert!(matches!(host.get_ssl_mode(), PgSslMode::Require));
        }
    }

    #[test]
    fn a_url_of_one_host_is_read_as_before() {
        assert_eq!(places("postgresql://u@db/caudal"), [("db".into(), 5432)]);
        let socket = parse("postgres:///caudal?host=/run/postgresql&user=u").unwrap();
        assert_eq!(socket.len(), 1);
        assert!(socket[0].get_socket().is_some());
    }

    #[test]
    fn keywords_name_hosts_with_one_port_for_all_or_one_for_each() {
        let text = "host=a,b,c port=6432 dbname=caudal user=u password='it\\'s a secret' target_session_attrs=primary";
        assert_eq!(
            places(text),
            [("a".into(), 6432), ("b".into(), 6432), ("c".into(), 6432)]
        );
        assert_eq!(
            places("host = a,b port = 1,2 user=u"),
            [("a".into(), 1), ("b".into(), 2)]
        );
        assert_eq!(places("host=a,b port=,5433 user=u")[0].1, 5432);
    }

    #[test]
    fn a_folder_is_a_socket() {
        let hosts = parse("host=/run/a,/run/b port=5432 user=u").unwrap();
        assert!(hosts.iter().all(|host| host.get_socket().is_some()));
    }

    #[test]
    fn mistakes_are_named_without_values() {
        assert_eq!(
            refusal("host=a,b port=1,2,3"),
            ConninfoError::Ports { ports: 3, hosts: 2 }
        );
        assert_eq!(refusal("host=a,,b"), ConninfoError::EmptyHost);
        assert_eq!(refusal("postgres://a,,b/x"), ConninfoError::EmptyHost);
        assert_eq!(refusal("host=a port=seventy"), ConninfoError::Port(1));
        assert_eq!(refusal("host=a hots=b"), ConninfoError::Keyword("hots".into()));
        assert_eq!(refusal("host=a secret"), ConninfoError::Syntax("a word without ="));
        assert_eq!(
            refusal("host=a password='x"),
            ConninfoError::Syntax("a quote that is not closed")
        );
        assert_eq!(
            refusal("host=a target_session_attrs=standby"),
            ConninfoError::TargetSessionAttrs
        );
        assert_eq!(
            refusal("postgres://a/x?target_session_attrs=prefer-standby"),
            ConninfoError::TargetSessionAttrs
        );
        let many = vec!["a"; MAX_HOSTS + 1].join(",");
        assert_eq!(
            refusal(&format!("host={many}")),
            ConninfoError::TooManyHosts(MAX_HOSTS + 1)
        );
        assert!(matches!(refusal("host=a sslmode=maybe"), ConninfoError::Host(_)));
    }
}
