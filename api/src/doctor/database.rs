//! Checks of the database.

use super::{DatabaseFacts, DatabaseUse, Finding, InstallationFacts, Outcome, SchemaState, Unreachable};
use caudal_projections::READ_MODELS_VERSION;
use chrono::TimeDelta;
use std::io::ErrorKind;

/// Why the checks of a database that does not answer look at nothing.
const NO_DATABASE: &str = "the database was not reached";

/// The oldest version that the migrations run on.
const OLDEST_VERSION: i32 = 150_000;

/// `/readyz` refuses work past it.
const WRONG_CLOCK: TimeDelta = TimeDelta::seconds(5);
/// NTP keeps clocks within some milliseconds; a second says that it does not run.
const ODD_CLOCK: TimeDelta = TimeDelta::seconds(1);

/// Events that read models may be behind while they are built; a server that runs catches up within a second.
const BEHIND: i64 = 1_000;

/// A standby that is further behind is passed over by most reads.
const SLOW_STANDBY_SECONDS: f64 = 10.0;

pub fn server(facts: &InstallationFacts) -> Outcome {
    let found = match &facts.database {
        DatabaseUse::Answers(facts) => answering(facts),
        DatabaseUse::Unreachable(why) => vec![unreachable(why)],
        DatabaseUse::NotMade => Vec::new(),
        DatabaseUse::NotStarted(why) => vec![Finding::wrong(
            "database.not_started",
            format!("the private PostgreSQL does not start: {why}"),
            "read postgres/server.log in the data folder; where no PostgreSQL is installed: apt-get install postgresql",
        )],
    };
    Outcome::Examined(found)
}

/// What a database that was not reached says, in an operator's words.
fn unreachable(why: &Unreachable) -> Finding {
    let Unreachable { setting, said, .. } = why;
    let wrong =
        |code, problem: &str, remedy: String| Finding::wrong(code, format!("{problem} ({setting}): {said}"), remedy);
    if why.is_url {
        return wrong(
            "database.url",
            "the database's URL can't be read",
            format!(
                "write {setting} like postgres://caudal_login:PASSWORD@HOST:5432/caudal, with %40 for @ in a password"
            ),
        );
    }
    match why.sqlstate.as_deref() {
        Some("28P01") => wrong(
            "database.password",
            "PostgreSQL refuses the password",
            format!("put the right password into {setting}, or set it: ALTER ROLE … PASSWORD '…'"),
        ),
        Some("28000") => wrong(
            "database.not_let_in",
            "PostgreSQL does not let this user in from this machine",
            "make the role with LOGIN, and a line for it in pg_hba.conf; then SELECT pg_reload_conf()".to_owned(),
        ),
        Some("3D000") => wrong(
            "database.no_such_database",
            "there is no such database",
            "as an administrator: CREATE DATABASE caudal OWNER caudal_owner".to_owned(),
        ),
        Some("53300") => wrong(
            "database.too_many_connections",
            "PostgreSQL has no connection left",
            "raise max_connections in postgresql.conf and restart it, or end what holds connections".to_owned(),
        ),
        Some("57P03") => wrong(
            "database.starting",
            "PostgreSQL is starting up, stopping or recovering",
            "wait for it and look again; its own log says how far it is".to_owned(),
        ),
        Some(_) => wrong(
            "database.refused",
            "PostgreSQL refuses the connection",
            "do what PostgreSQL says; its own log has more".to_owned(),
        ),
        None if why.io == Some(ErrorKind::ConnectionRefused) => wrong(
            "database.not_running",
            "nobody listens there",
            "start PostgreSQL (systemctl start postgresql), and check host and port and its listen_addresses"
                .to_owned(),
        ),
        None => wrong(
            "database.unreachable",
            "the database does not answer",
            format!("check the host and the port in {setting}, name service, firewall and TLS"),
        ),
    }
}

fn answering(database: &DatabaseFacts) -> Vec<Finding> {
    let mut found = Vec::new();
    keeping(database, &mut found);
    rights(database, &mut found);
    running(database, &mut found);
    found
}

/// Whether the server keeps what it acknowledges.
fn keeping(database: &DatabaseFacts, found: &mut Vec<Finding>) {
    if database.version_number < OLDEST_VERSION {
        found.push(Finding::wrong(
            "database.version",
            format!(
                "PostgreSQL has the version {}, and 15 or later is needed",
                database.version
            ),
            "upgrade it: pg_upgradecluster on Debian",
        ));
    }
    if database.is_in_recovery {
        found.push(Finding::wrong(
            "database.standby",
            "DATABASE_URL names a standby, or a server that is still recovering",
            "name the primary, or all servers of the cluster with target_session_attrs=read-write; or promote this one",
        ));
    }
    if database.is_read_only {
        found.push(Finding::wrong(
            "database.read_only",
            "default_transaction_read_only is on: nothing can be written",
            "ALTER SYSTEM RESET default_transaction_read_only (or ALTER DATABASE/ROLE … RESET), then SELECT pg_reload_conf()",
        ));
    }
    for (code, setting, is_on) in [
        ("database.fsync", "fsync", database.fsync),
        (
            "database.full_page_writes",
            "full_page_writes",
            database.full_page_writes,
        ),
    ] {
        if !is_on {
            found.push(Finding::wrong(
                code,
                format!("PostgreSQL has {setting} = off and may lose acknowledged commits, or all data, when the machine crashes"),
                format!("set {setting} = on in postgresql.conf, then SELECT pg_reload_conf()"),
            ));
        }
    }
    if ["off", "local"].contains(&database.synchronous_commit.as_str()) {
        found.push(Finding::warning(
            "database.synchronous_commit",
            format!(
                "PostgreSQL has synchronous_commit = {}: Caudal turns it on for its own sessions, other programs lose commits",
                database.synchronous_commit
            ),
            "set synchronous_commit = on in postgresql.conf, then SELECT pg_reload_conf()",
        ));
    }
    if database.requires_standby && database.synchronous_standby_names.trim().is_empty() {
        found.push(Finding::wrong(
            "database.no_synchronous_standby",
            "a synchronous standby is required (CAUDAL_REQUIRE_SYNCHRONOUS_STANDBY), and PostgreSQL waits for none",
            "name the standbys in synchronous_standby_names, like 'FIRST 1 (db2, db3)', then SELECT pg_reload_conf()",
        ));
    }
    if !database.data_checksums && !database.is_private {
        found.push(Finding::warning(
            "database.checksums",
            "pages have no checksums: a disk that returns other bytes is noticed late",
            "stop PostgreSQL and run pg_checksums --enable on its data folder",
        ));
    }
    let archive = &database.archive;
    if archive.is_on
        && archive
            .failed_at
            .is_some_and(|failed| archive.archived_at.is_none_or(|at| at < failed))
    {
        found.push(Finding::wrong(
            "database.archive_failing",
            "PostgreSQL's archive_command fails: segments pile up on its disk, and nothing newer can be restored",
            "read PostgreSQL's log for what archive_command says, and make room or mount where it writes",
        ));
    }
}

/// Whether the user is the right one.
fn rights(database: &DatabaseFacts, found: &mut Vec<Finding>) {
    let user = &database.user;
    if database.is_superuser {
        found.push(Finding::wrong(
            "database.superuser",
            format!("{user} is a superuser of PostgreSQL: one tenant's data is not kept from another's by it"),
            "make two users, and name the one that owns nothing in DATABASE_URL: docs/operations.md, the database's two users",
        ));
    } else if database.can_rewrite_history {
        found.push(Finding::warning(
            "database.owner_as_login",
            format!("{user} owns the database or may make itself its owner: whoever takes this server over can rewrite the log"),
            "CREATE ROLE caudal_login LOGIN NOINHERIT, then as the owner: caudal migrate --grant-login caudal_login",
        ));
    }
    if !database.is_private && database.schema != SchemaState::Missing {
        if !database.has_node_role {
            found.push(Finding::wrong(
                "database.no_node_role",
                "the role caudal_node is missing on this server: roles are in no dump of a database",
                "restore with scripts/restore, which makes it, or CREATE ROLE caudal_node NOLOGIN NOINHERIT and restore the grants",
            ));
        } else if !database.is_node_member {
            found.push(Finding::wrong(
                "database.not_a_member",
                format!("{user} is no member of caudal_node and may not work as a node"),
                format!("as the owner: caudal migrate --grant-login {user}"),
            ));
        }
    }
    if database.is_plain_to_another_machine {
        found.push(Finding::warning(
            "database.no_tls",
            "the connection to the database's machine is not encrypted",
            "add ?sslmode=verify-full to DATABASE_URL and give PostgreSQL a certificate (ssl = on)",
        ));
    }
}

/// Whether the server runs as it should.
fn running(database: &DatabaseFacts, found: &mut Vec<Finding>) {
    if database.encoding != "UTF8" {
        found.push(Finding::wrong(
            "database.encoding",
            format!(
                "the database has the encoding {}, in which names can't be written",
                database.encoding
            ),
            "make the database anew: CREATE DATABASE caudal OWNER caudal_owner ENCODING 'UTF8' TEMPLATE template0",
        ));
    }
    if !database.autovacuum {
        found.push(Finding::warning(
            "database.autovacuum",
            "autovacuum is off: tables grow without end and queries get slower",
            "set autovacuum = on in postgresql.conf, then SELECT pg_reload_conf()",
        ));
    }
    let (all, used, node) = (
        database.connections,
        database.connections_used,
        database.connections_of_a_node,
    );
    if all < node {
        found.push(Finding::wrong(
            "database.max_connections",
            format!("PostgreSQL takes {all} connections, and one node opens up to {node}"),
            format!(
                "set max_connections = {} or more in postgresql.conf and restart PostgreSQL",
                node * 3
            ),
        ));
    } else if used + node > all {
        found.push(Finding::warning(
            "database.connections_used",
            format!("{used} of {all} connections are in use, and one more node opens up to {node}"),
            "raise max_connections in postgresql.conf and restart PostgreSQL, or run fewer nodes",
        ));
    }
    for (setting, value) in &database.telling_log_settings {
        let wanted = match setting.as_str() {
            "log_error_verbosity" => "terse",
            "log_min_error_statement" => "panic",
            _ => "0",
        };
        found.push(Finding::warning(
            "database.telling_log",
            format!("PostgreSQL has {setting} = {value}: its log names people when a statement fails"),
            format!("set {setting} = {wanted} in postgresql.conf, then SELECT pg_reload_conf()"),
        ));
    }
}

pub fn schema(facts: &InstallationFacts) -> Outcome {
    let Some(database) = facts.database.facts() else {
        return Outcome::Skipped(NO_DATABASE);
    };
    let migrate = "as the owner (CAUDAL_OWNER_DATABASE_URL): caudal migrate, after a backup";
    let found = match &database.schema {
        SchemaState::Current => Vec::new(),
        SchemaState::Missing => vec![Finding::wrong(
            "schema.missing",
            "the database is empty: it has no schema of Caudal",
            format!(
                "as the owner (CAUDAL_OWNER_DATABASE_URL): caudal migrate --grant-login {}",
                database.user
            ),
        )],
        SchemaState::Behind(what) => vec![Finding::wrong(
            "schema.behind",
            format!("the schema is older than this program: {what}"),
            migrate,
        )],
        SchemaState::Newer(what) => vec![Finding::wrong(
            "schema.newer",
            format!("the schema is newer than this program: {what}"),
            "install the program's version that made it, or a newer one; there is no way back but a restore",
        )],
        SchemaState::Unknown(why) => vec![Finding::wrong(
            "schema.unknown",
            format!("which migrations ran can't be read: {why}"),
            migrate,
        )],
    };
    Outcome::Examined(found)
}

pub fn owner(facts: &InstallationFacts) -> Outcome {
    let owner = match &facts.owner {
        None => return Outcome::Skipped("no owner's URL is set, as a server needs none"),
        Some(Err(why)) => return Outcome::Examined(vec![unreachable(why)]),
        Some(Ok(owner)) => owner,
    };
    let mut found = Vec::new();
    let login = facts.database.facts().map(|database| database.user.as_str());
    if login == Some(owner.user.as_str()) {
        found.push(Finding::warning(
            "owner.same_user",
            format!("{} is both the owner and the login of nodes", owner.user),
            "name a login that owns nothing in DATABASE_URL: docs/operations.md, the database's two users",
        ));
    }
    if !owner.owns {
        found.push(Finding::wrong(
            "owner.owns_nothing",
            format!("{}, of CAUDAL_OWNER_DATABASE_URL, does not own the schema", owner.user),
            "name the user who owns it: \\dn in psql tells",
        ));
    }
    if owner.is_superuser {
        found.push(Finding::warning(
            "owner.superuser",
            format!(
                "{}, of CAUDAL_OWNER_DATABASE_URL, is a superuser, which the owner need not be",
                owner.user
            ),
            "ALTER DATABASE caudal OWNER TO caudal_owner, and name that user",
        ));
    }
    if owner.is_same_database == Some(false) {
        found.push(Finding::wrong(
            "owner.other_database",
            "CAUDAL_OWNER_DATABASE_URL names another database than DATABASE_URL",
            "let both name the same host, port and database",
        ));
    }
    Outcome::Examined(found)
}

pub fn standby(facts: &InstallationFacts) -> Outcome {
    let standby = match &facts.standby {
        None => return Outcome::Skipped("none is set"),
        Some(Err(why)) => return Outcome::Examined(vec![unreachable(why)]),
        Some(Ok(standby)) => standby,
    };
    let mut found = Vec::new();
    if !standby.is_in_recovery {
        found.push(Finding::warning(
            "standby.primary",
            "CAUDAL_STANDBY_DATABASE_URL names a server that is no standby",
            "name a standby or a balancer of standbys, or leave it out",
        ));
    }
    let primary = facts.database.facts().map(|database| database.system_identifier);
    if primary.is_some_and(|primary| primary != standby.system_identifier) {
        found.push(Finding::wrong(
            "standby.other_cluster",
            "CAUDAL_STANDBY_DATABASE_URL names a server of another cluster: it never has what the primary has",
            "name a standby of the cluster of DATABASE_URL",
        ));
    }
    if standby.is_in_recovery && !standby.hot_standby_feedback {
        found.push(Finding::warning(
            "standby.feedback",
            "the standby has hot_standby_feedback = off: long exports are ended by what it replays",
            "set hot_standby_feedback = on on the standby, then SELECT pg_reload_conf()",
        ));
    }
    if standby.delay_seconds > SLOW_STANDBY_SECONDS {
        found.push(Finding::warning(
            "standby.behind",
            format!(
                "the standby is {:.0} seconds behind, so that most reads go to the primary",
                standby.delay_seconds
            ),
            "look at its disk and its network: SELECT * FROM pg_stat_replication on the primary",
        ));
    }
    Outcome::Examined(found)
}

pub fn clock(facts: &InstallationFacts) -> Outcome {
    let Some(database) = facts.database.facts() else {
        return Outcome::Skipped(NO_DATABASE);
    };
    let apart = database.clock_ahead.abs();
    let seconds = database.clock_ahead.num_milliseconds() as f64 / 1000.0;
    let remedy = "run NTP on both machines: timedatectl set-ntp true; timedatectl timesync-status";
    let problem = format!("the database's clock is {seconds:+.1} seconds off this machine's");
    Outcome::Examined(if apart > WRONG_CLOCK {
        vec![Finding::wrong(
            "clock.wrong",
            format!("{problem}: /readyz refuses work"),
            remedy,
        )]
    } else if apart > ODD_CLOCK {
        vec![Finding::warning("clock.odd", problem, remedy)]
    } else {
        Vec::new()
    })
}

pub fn log(facts: &InstallationFacts) -> Outcome {
    let Some(database) = facts.database.facts() else {
        return Outcome::Skipped(NO_DATABASE);
    };
    let Some(log) = &database.log else {
        return Outcome::Skipped("the schema can't be read");
    };
    let mut found = Vec::new();
    if log.tenants == 0 {
        found.push(Finding::warning(
            "log.no_tenant",
            "there is no tenant: nobody can log in",
            "caudal tenant create acme --name \"Acme\" --manager-email … --manager-password-stdin",
        ));
    }
    if log.is_unadopted && log.tenants > 0 {
        found.push(Finding::wrong(
            "log.unadopted",
            "rows beside the log, or the heads of logs, have no MACs: no node of this version starts",
            "compare the database with a backup, then caudal migrate --adopt-rows, once",
        ));
    }
    for tenant in &log.quarantined {
        found.push(Finding::wrong(
            "log.quarantine",
            format!("{tenant} is in quarantine: its log lacks or contradicts what nodes acknowledged, and nothing is written"),
            format!("caudal quarantine show {tenant}, then docs/operations.md, a log that went back"),
        ));
    }
    for (tenant, lists) in &log.missing_lists {
        let lists = lists.join(", ");
        found.push(Finding::wrong(
            "log.screening_list",
            format!("{tenant} compares its customers with lists that are not stored here, and sells nothing: {lists}"),
            format!(
                "caudal screening load --list …, or the managers of {tenant} load their own list again or no longer choose it"
            ),
        ));
    }
    if let Some(version) = log.other_version {
        found.push(Finding::wrong(
            "log.other_version",
            format!("read models are of version {version}, this program's are of {READ_MODELS_VERSION}: it reads none of them"),
            "caudal rebuild, with the version that is to serve",
        ));
    }
    for (tenant, events) in &log.behind {
        if *events > BEHIND {
            found.push(Finding::warning(
                "log.behind",
                format!("the read models of {tenant} are {events} events behind its log"),
                "start a server, which catches up; where one runs, its log says what stops it; once that is gone, caudal rebuild",
            ));
        }
    }
    if log.tenants > 0 && !log.node_addresses.is_empty() && facts.network.node.is_none() {
        found.push(Finding::warning(
            "log.no_node_address",
            format!(
                "other nodes have addresses ({}), and this one has none: tenants are slow that both write for",
                log.node_addresses.join(", ")
            ),
            "give this node --node-address (CAUDAL_NODE_ADDRESS) too",
        ));
    }
    Outcome::Examined(found)
}
