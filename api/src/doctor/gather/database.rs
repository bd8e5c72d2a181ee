//! Facts of the database, read on a connection of its own: a pool would refuse the servers that are to be examined.

use super::{OwnerFacts, PRIVATE_DATABASE, Settings, StandbyFacts, Unreachable};
use crate::{
    doctor::{ArchiveFacts, DatabaseFacts, DatabaseUse, LogFacts, SchemaState},
    screening::store::{EVERYBODY, stored_name},
};
use caudal_journal::WithCauses;
use caudal_postgres::{DataDir, MigrationError, Storage, can_rewrite_history, check_schema};
use caudal_projections::other_version;
use chrono::{DateTime, Utc};
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _, postgres::PgRow};
use std::{
    collections::{BTreeMap, BTreeSet},
    error::Error as _,
    time::Duration,
};

/// How long a database may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a server says of itself to any user.
const SERVER: &str = "SELECT current_setting('server_version_num')::int AS version_number,
    current_setting('server_version') AS version, pg_is_in_recovery() AS is_in_recovery,
    current_setting('default_transaction_read_only') = 'on' AS is_read_only,
    current_setting('fsync') = 'on' AS fsync, current_setting('full_page_writes') = 'on' AS full_page_writes,
    current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('synchronous_standby_names') AS synchronous_standby_names,
    current_setting('data_checksums') = 'on' AS data_checksums, current_setting('autovacuum') = 'on' AS autovacuum,
    current_setting('server_encoding') AS encoding, current_setting('archive_mode') <> 'off' AS is_archiving,
    current_setting('log_error_verbosity') AS log_error_verbosity,
    current_setting('log_min_error_statement') AS log_min_error_statement,
    current_setting('log_parameter_max_length_on_error') AS log_parameter_max_length_on_error,
    current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint AS connections,
    (SELECT COALESCE(sum(numbackends), 0)::bigint FROM pg_stat_database) AS connections_used,
    (SELECT last_archived_time FROM pg_stat_archiver) AS archived_at,
    (SELECT last_failed_time FROM pg_stat_archiver) AS failed_at,
    inet_server_addr() IS NOT NULL AND NOT inet_server_addr() <<= '127.0.0.0/8' AND inet_server_addr() <> '::1'
        AND NOT COALESCE((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false) AS is_plain,
    (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS is_superuser, session_user::text AS user_name,
    to_regrole('caudal_node') IS NOT NULL AS has_node_role,
    COALESCE(pg_has_role(session_user, to_regrole('caudal_node'), 'MEMBER'), false) AS is_node_member,
    to_regnamespace('journal') IS NOT NULL AS has_schema,
    (pg_control_system()).system_identifier AS system_identifier, current_database()::text AS database_name,
    clock_timestamp() AS now";

/// The quiet values of the settings that write people's data into the server's own log.
const QUIET: [(&str, &[&str]); 3] = [
    ("log_error_verbosity", &["terse"]),
    ("log_min_error_statement", &["panic", "fatal"]),
    ("log_parameter_max_length_on_error", &["0"]),
];

/// The private database, started where it stands still. The server lives as long as the [`Storage`].
pub async fn private(settings: &Settings) -> (DatabaseUse, Option<Storage>) {
    if !settings.data_dir.join(PRIVATE_DATABASE).exists() {
        return (DatabaseUse::NotMade, None);
    }
    let opened = match DataDir::at(&settings.data_dir) {
        Ok(data_dir) => Storage::open(&data_dir, settings.given.clone()).await,
        Err(error) => return (DatabaseUse::NotStarted(error.to_string()), None),
    };
    let storage = match opened {
        Ok(storage) => storage,
        Err(error) => return (DatabaseUse::NotStarted(WithCauses(&error).to_string()), None),
    };
    let found = look(storage.node_url(), "the private database", settings, true).await;
    (found, Some(storage))
}

/// The database that the settings name.
pub async fn given(settings: &Settings) -> DatabaseUse {
    let (url, setting) = match (&settings.given.node, &settings.given.owner) {
        (Some(node), _) => (node, "DATABASE_URL"),
        (None, Some(owner)) => (owner, "CAUDAL_OWNER_DATABASE_URL"),
        (None, None) => return DatabaseUse::NotMade,
    };
    look(url, setting, settings, false).await
}

async fn look(url: &str, setting: &'static str, settings: &Settings, is_private: bool) -> DatabaseUse {
    let found = async {
        let mut connection = connect(url, setting).await?;
        let facts = facts(&mut connection, url, settings, is_private).await;
        facts.map_err(|error| unreachable(setting, &error))
    };
    match found.await {
        Ok(facts) => DatabaseUse::Answers(Box::new(facts)),
        Err(why) => DatabaseUse::Unreachable(why),
    }
}

async fn connect(url: &str, setting: &'static str) -> Result<PgConnection, Unreachable> {
    match tokio::time::timeout(PATIENCE, caudal_postgres::connect(url)).await {
        Ok(connected) => connected.map_err(|error| unreachable(setting, &error)),
        Err(_) => Err(Unreachable {
            setting,
            sqlstate: None,
            io: Some(std::io::ErrorKind::TimedOut),
            is_url: false,
            said: format!("no answer within {} seconds", PATIENCE.as_secs()),
        }),
    }
}

fn unreachable(setting: &'static str, error: &sqlx::Error) -> Unreachable {
    let sqlstate = error.as_database_error().and_then(|error| error.code());
    let io = match error {
        sqlx::Error::Io(error) => Some(error.kind()),
        _ => None,
    };
    // The error of a URL that can't be read may repeat the URL with its password.
    let is_url = matches!(error, sqlx::Error::Configuration(_)) && sqlstate.is_none();
    let said = match error {
        sqlx::Error::Configuration(_) => error.source().map_or_else(String::new, ToString::to_string),
        other => other.to_string(),
    };
    Unreachable {
        setting,
        sqlstate: sqlstate.map(|code| code.to_string()),
        io,
        is_url,
        said,
    }
}

async fn facts(
    connection: &mut PgConnection,
    url: &str,
    settings: &Settings,
    is_private: bool,
) -> Result<DatabaseFacts, sqlx::Error> {
    let asked = Utc::now();
    let row = connection.fetch_one(SERVER).await?;
    // Half of the round trip is a good guess at when the server looked at its clock.
    let here = asked + (Utc::now() - asked) / 2;
    let now: DateTime<Utc> = row.try_get("now")?;
    let is_node_member: bool = row.try_get("is_node_member")?;
    let has_schema: bool = row.try_get("has_schema")?;
    let schema = if has_schema {
        schema(url).await
    } else {
        SchemaState::Missing
    };
    if is_node_member {
        // A login that owns nothing sees the schema in this role alone.
        connection.execute("SET ROLE caudal_node").await?;
    }
    let rewrites = can_rewrite_history(&mut *connection).await;
    connection.execute("RESET ROLE").await?;
    // Who may not even look at the schema can't rewrite it.
    let can_rewrite_history = match rewrites {
        Err(error) if !is_node_member && error.as_database_error().is_some() => false,
        other => other?,
    };
    let is_readable = is_node_member && matches!(schema, SchemaState::Current | SchemaState::Newer(_));
    let log = if is_readable {
        Some(log(connection).await?)
    } else {
        None
    };
    let mut telling_log_settings = Vec::new();
    if !is_private {
        for (setting, quiet) in QUIET {
            let value: String = row.try_get(setting)?;
            if !quiet.contains(&value.as_str()) {
                telling_log_settings.push((setting.to_owned(), value));
            }
        }
    }
    let facts = |row: &PgRow| -> Result<DatabaseFacts, sqlx::Error> {
        Ok(DatabaseFacts {
            is_private,
            user: row.try_get("user_name")?,
            name: row.try_get("database_name")?,
            version_number: row.try_get("version_number")?,
            version: row.try_get("version")?,
            is_in_recovery: row.try_get("is_in_recovery")?,
            is_read_only: row.try_get("is_read_only")?,
            fsync: row.try_get("fsync")?,
            full_page_writes: row.try_get("full_page_writes")?,
            synchronous_commit: row.try_get("synchronous_commit")?,
            synchronous_standby_names: row.try_get("synchronous_standby_names")?,
            requires_standby: settings.options.require_synchronous_standby,
            data_checksums: row.try_get("data_checksums")?,
            autovacuum: row.try_get("autovacuum")?,
            encoding: row.try_get("encoding")?,
            connections: row.try_get("connections")?,
            connections_used: row.try_get("connections_used")?,
            connections_of_a_node: i64::from(settings.options.max_connections),
            telling_log_settings,
            is_plain_to_another_machine: row.try_get("is_plain")?,
            can_rewrite_history,
            is_superuser: row.try_get("is_superuser")?,
            has_node_role: row.try_get("has_node_role")?,
            is_node_member,
            schema,
            clock_ahead: now - here,
            log,
            archive: ArchiveFacts {
                is_on: row.try_get("is_archiving")?,
                archived_at: row.try_get("archived_at")?,
                failed_at: row.try_get("failed_at")?,
            },
            system_identifier: row.try_get("system_identifier")?,
        })
    };
    facts(&row)
}

async fn schema(url: &str) -> SchemaState {
    use sqlx::migrate::MigrateError;
    match check_schema(url).await {
        Ok(()) => SchemaState::Current,
        Err(MigrationError::Behind(what)) => SchemaState::Behind(what),
        Err(MigrationError::Migrate(MigrateError::VersionMissing(version))) => {
            SchemaState::Newer(format!("it has the migration {version}"))
        }
        Err(error) => SchemaState::Unknown(WithCauses(&error).to_string()),
    }
}

/// What the log's tables say of all tenants.
async fn log(connection: &mut PgConnection) -> Result<LogFacts, sqlx::Error> {
    connection
        .execute("SET ROLE caudal_node; SELECT set_config('caudal.tenant', '*', false)")
        .await?;
    let tenants: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.heads")
        .fetch_one(&mut *connection)
        .await?;
    let is_unadopted = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM journal.keyring WHERE adoption_began IS NULL OR heads_began IS NULL)",
    )
    .fetch_one(&mut *connection)
    .await?;
    let quarantined =
        sqlx::query_scalar("SELECT DISTINCT tenant FROM journal.quarantines WHERE ended_at IS NULL ORDER BY 1")
            .fetch_all(&mut *connection)
            .await?;
    let behind = sqlx::query_as(
        "SELECT h.tenant, h.position - COALESCE(c.position, 0)
           FROM journal.heads AS h LEFT JOIN read.checkpoints AS c USING (tenant)
          WHERE h.position > COALESCE(c.position, 0) ORDER BY 1",
    )
    .fetch_all(&mut *connection)
    .await?;
    let other_version = other_version(connection).await?;
    let node_addresses =
        sqlx::query_scalar("SELECT DISTINCT address FROM journal.writer_leases WHERE until > now() ORDER BY 1")
            .fetch_all(&mut *connection)
            .await?;
    let here: Vec<String> = sqlx::query_scalar(
        "SELECT h.tenant FROM journal.heads AS h
          WHERE NOT EXISTS (SELECT FROM journal.placements AS p
                             WHERE p.tenant = h.tenant AND p.state IN ('left', 'arriving'))
          ORDER BY h.tenant",
    )
    .fetch_all(&mut *connection)
    .await?;
    let missing_lists = missing_lists(connection, &here).await?;
    let signed_with = signed_with(connection, &here).await?;
    connection.execute("RESET ROLE").await?;
    Ok(LogFacts {
        tenants,
        is_unadopted,
        quarantined,
        behind,
        other_version,
        node_addresses,
        missing_lists,
        signed_with,
    })
}

/// Names of the keys that signed the last checkpoint of each tenant.
async fn signed_with(connection: &mut PgConnection, tenants: &[String]) -> Result<Vec<String>, sqlx::Error> {
    let mut keys = BTreeSet::new();
    for tenant in tenants {
        choose(connection, tenant).await?;
        let last: Option<String> = sqlx::query_scalar(
            "SELECT key FROM journal.checkpoints WHERE tenant = $1
              ORDER BY position DESC, format DESC, signed_at DESC LIMIT 1",
        )
        .bind(tenant)
        .fetch_optional(&mut *connection)
        .await?;
        keys.extend(last);
    }
    Ok(keys.into_iter().collect())
}

/// Events and checkpoints are of one tenant at a time.
async fn choose(connection: &mut PgConnection, tenant: &str) -> Result<(), sqlx::Error> {
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(tenant)
        .execute(connection)
        .await?;
    Ok(())
}

/// Tenants with chosen lists for screening that are not stored.
async fn missing_lists(
    connection: &mut PgConnection,
    tenants: &[String],
) -> Result<Vec<(String, Vec<String>)>, sqlx::Error> {
    let stored: Vec<(String, String)> =
        sqlx::query_as("SELECT scope, name FROM journal.screening_lists WHERE tenant = '*'")
            .fetch_all(&mut *connection)
            .await?;
    let is_stored = |scope: &str, name: &str| stored.iter().any(|(of, known)| of == scope && known == name);
    let mut found = Vec::new();
    for tenant in tenants {
        choose(connection, tenant).await?;
        let events: Vec<(String, String)> = sqlx::query_as(
            "SELECT event_type, payload::text FROM journal.events
              WHERE tenant = $1 AND aggregate_type = 'tenant'
                AND event_type IN ('ScreeningSet', 'OwnListLoaded', 'OwnListRemoved')
              ORDER BY sequence",
        )
        .bind(tenant)
        .fetch_all(&mut *connection)
        .await?;
        let (mut chosen, mut own) = (Vec::new(), BTreeMap::new());
        for (event_type, payload) in events {
            let Ok(payload) = serde_json::from_str::<serde_json::Value>(&payload) else {
                continue;
            };
            let text = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
            match event_type.as_str() {
                "ScreeningSet" => {
                    let lists = payload["lists"].as_object();
                    chosen = lists.map_or_else(Vec::new, |lists| lists.keys().cloned().collect());
                }
                "OwnListLoaded" => {
                    own.insert(text("name"), text("version"));
                }
                _ => {
                    own.remove(&text("name"));
                }
            }
        }
        chosen.retain(|name| match own.get(name) {
            Some(version) => !is_stored(tenant, &stored_name(name, version)),
            None => !is_stored(tenant, name) && !is_stored(EVERYBODY, name),
        });
        if !chosen.is_empty() {
            found.push((tenant.clone(), chosen));
        }
    }
    Ok(found)
}

/// The database as its owner reaches it.
pub async fn owner(url: &str, database: &DatabaseUse) -> Result<OwnerFacts, Unreachable> {
    const SETTING: &str = "CAUDAL_OWNER_DATABASE_URL";
    let mut connection = connect(url, SETTING).await?;
    let row = connection
        .fetch_one(
            "SELECT session_user::text AS user_name, (SELECT rolsuper FROM pg_roles WHERE rolname = session_user) AS is_superuser,
                    COALESCE((SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'journal'),
                             has_database_privilege(current_database(), 'CREATE')) AS owns,
                    (pg_control_system()).system_identifier AS system_identifier,
                    current_database()::text AS database_name",
        )
        .await;
    let facts = row.and_then(|row| {
        let (identifier, name): (i64, String) = (row.try_get("system_identifier")?, row.try_get("database_name")?);
        let same = |of: &DatabaseFacts| of.system_identifier == identifier && of.name == name;
        Ok(OwnerFacts {
            user: row.try_get("user_name")?,
            owns: row.try_get("owns")?,
            is_superuser: row.try_get("is_superuser")?,
            is_same_database: database.facts().map(same),
        })
    });
    let facts = facts.map_err(|error| unreachable(SETTING, &error));
    // The answer is there; how the connection ends does not matter.
    let _ = connection.close().await;
    facts
}

/// The standby for reading.
pub async fn standby(url: &str) -> Result<StandbyFacts, Unreachable> {
    const SETTING: &str = "CAUDAL_STANDBY_DATABASE_URL";
    let mut connection = connect(url, SETTING).await?;
    let row = connection
        .fetch_one(
            "SELECT pg_is_in_recovery() AS is_in_recovery, (pg_control_system()).system_identifier AS system_identifier,
                    current_setting('hot_standby_feedback') = 'on' AS feedback,
                    CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
                         ELSE COALESCE(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)
                    END::float8 AS delay",
        )
        .await;
    row.and_then(|row| {
        Ok(StandbyFacts {
            is_in_recovery: row.try_get("is_in_recovery")?,
            system_identifier: row.try_get("system_identifier")?,
            hot_standby_feedback: row.try_get("feedback")?,
            delay_seconds: row.try_get("delay")?,
        })
    })
    .map_err(|error| unreachable(SETTING, &error))
}
