//! Database login of nodes: a member of `caudal_node` that owns nothing.
//!
//! A node runs every statement as `caudal_node`, but `RESET ROLE` returns to the login's own rights. A login that owns
//! the tables could then change the log, drop triggers and policies, or delete events; a mere member of `caudal_node`
//! gains nothing.

use sqlx::{Connection as _, Executor as _, PgConnection, PgExecutor};
use thiserror::Error;

/// Login of nodes in a private cluster.
pub const NODE_LOGIN: &str = "caudal_login";

/// Whether a role can become the log's owner, as an SQL expression over `pg_roles AS r`: directly, by membership, or by
/// granting itself the membership; or change the log's rows by a privilege. Before the log exists, a role that may create it counts as owner.
pub(crate) const REWRITES: &str = "(r.rolsuper OR r.rolcreaterole OR r.rolbypassrls
    OR (SELECT pg_has_role(r.oid, d.datdba, 'MEMBER') FROM pg_database AS d WHERE d.datname = current_database())
    OR COALESCE(
    (SELECT pg_has_role(r.oid, c.relowner, 'MEMBER')
            OR has_table_privilege(r.oid, c.oid, 'UPDATE') OR has_table_privilege(r.oid, c.oid, 'DELETE')
            OR has_table_privilege(r.oid, c.oid, 'TRUNCATE') OR has_table_privilege(r.oid, c.oid, 'TRIGGER')
       FROM pg_class AS c WHERE c.oid = to_regclass('journal.events')),
    has_database_privilege(r.oid, current_database(), 'CREATE')))";

/// Why a login was not let in.
#[derive(Debug, Error)]
pub enum LoginError {
    #[error("cannot grant the login {0} its role")]
    Database(String, #[source] sqlx::Error),
    #[error("there is no role {0}: make it first, as an administrator: CREATE ROLE {0} LOGIN PASSWORD '...'")]
    Missing(String),
    #[error(
        "the role {0} can rewrite history: it is a superuser, may create roles, bypasses row-level security, owns the \
         database or its schemas, or may change rows of journal.events. Nodes need a login of their own: CREATE ROLE ... LOGIN PASSWORD '...'"
    )]
    TooMighty(String),
}

/// Grants node membership to an existing login.
///
/// # Errors
/// When the role is missing or could rewrite history, or the owner may not grant `caudal_node`.
pub async fn grant_login(owner_url: &str, login: &str) -> Result<(), LoginError> {
    let failed = |source| LoginError::Database(login.to_owned(), source);
    let mut owner = crate::connect(owner_url).await.map_err(failed)?;
    let found: Option<(bool, String)> = sqlx::query_as(&format!(
        "SELECT {REWRITES}, format('GRANT caudal_node TO %I', r.rolname) FROM pg_roles AS r WHERE r.rolname = $1"
    ))
    .bind(login)
    .fetch_optional(&mut owner)
    .await
    .map_err(failed)?;
    let (rewrites, grant) = found.ok_or_else(|| LoginError::Missing(login.to_owned()))?;
    if rewrites {
        return Err(LoginError::TooMighty(login.to_owned()));
    }
    owner.execute(grant.as_str()).await.map_err(failed)?;
    owner.close().await.map_err(failed)
}

/// Creates [`NODE_LOGIN`] in a private cluster when missing. No password: access to the socket's folder is the
/// authentication. The owner becomes a member, so that it can terminate a node's connections.
pub(crate) async fn prepare_node_login(owner: &mut PgConnection) -> Result<(), sqlx::Error> {
    let made: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)")
        .bind(NODE_LOGIN)
        .fetch_one(&mut *owner)
        .await?;
    if !made {
        // Two processes may start concurrently.
        owner
            .execute(
                format!(
                    "DO $$ BEGIN
                        CREATE ROLE {NODE_LOGIN} LOGIN NOINHERIT;
                        GRANT {NODE_LOGIN} TO CURRENT_USER;
                     EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
                     END $$"
                )
                .as_str(),
            )
            .await?;
    }
    Ok(())
}

/// Whether the user of a pool or a connection could change or delete what stands in the log.
///
/// # Errors
/// Where the database fails.
pub async fn can_rewrite_history<'e>(through: impl PgExecutor<'e>) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(&format!(
        "SELECT {REWRITES} FROM pg_roles AS r WHERE r.rolname = session_user"
    ))
    .fetch_one(through)
    .await
}
