//! Database logins of analysts: members of `caudal_analyst` that own nothing, each bound to one tenant.
//!
//! The binding is a row of `analytics.logins`. The policies of the tables behind the views look it up by the session's
//! login, so that no setting and no `SET ROLE` of an analyst changes the tenant.

use sqlx::{Connection as _, Executor as _};
use thiserror::Error;

use crate::logins::REWRITES;

/// Whether a role reads or becomes more than an analyst, as an SQL expression over `pg_roles AS r`.
const READS_MORE: &str = "(pg_has_role(r.oid, 'caudal_node', 'MEMBER') OR pg_has_role(r.oid, 'caudal_search', 'MEMBER')
    OR pg_has_role(r.oid, 'caudal_views', 'MEMBER') OR pg_has_role(r.oid, 'pg_read_all_data', 'MEMBER')
    OR has_schema_privilege(r.oid, 'journal', 'USAGE') OR has_schema_privilege(r.oid, 'read', 'USAGE')
    OR has_schema_privilege(r.oid, 'analytics', 'USAGE'))";

/// Whether a role may take advisory locks, write large objects or create temporary tables, as an SQL expression over
/// `pg_roles AS r`. PostgreSQL gives these rights to every login; `deploy/postgres/analysts.sql` takes them back. Writes
/// wait for an advisory lock of their tenant (`journal.guard_placement`): a login that takes it stops them.
const LOCKS_OR_WRITES: &str = "(has_database_privilege(r.oid, current_database(), 'TEMPORARY')
    OR EXISTS (SELECT FROM pg_proc AS p
                WHERE p.pronamespace = 'pg_catalog'::regnamespace
                  AND (p.proname ~ '^pg_(try_)?advisory_(xact_)?lock(_shared)?$'
                       OR p.proname IN ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_import', 'lo_open', 'lo_put',
                                        'lo_truncate', 'lo_truncate64', 'lo_unlink', 'lowrite'))
                  AND has_function_privilege(r.oid, p.oid, 'EXECUTE')))";

/// Why an analyst's login was not changed.
#[derive(Debug, Error)]
pub enum AnalystError {
    #[error("cannot change the analyst's login {0}")]
    Database(String, #[source] sqlx::Error),
    #[error("there is no login {0}: make it first, as an administrator: CREATE ROLE {0} LOGIN PASSWORD '...'")]
    Missing(String),
    #[error("there is no tenant {0}; `caudal tenant list` names them")]
    NoTenant(String),
    #[error(
        "the login {0} may do more than read the views of one tenant: it is a superuser, a server's login or the owner, may \
         create roles, bypasses row-level security, or has privileges on the tables. Analysts need a login of their own: \
         CREATE ROLE ... LOGIN PASSWORD '...'"
    )]
    TooMighty(String),
    #[error(
        "the login {0} may take advisory locks, write large objects or create temporary tables, as PostgreSQL lets every \
         login. Run deploy/postgres/analysts.sql in this database as a superuser, which takes these rights from PUBLIC, and \
         grant again"
    )]
    LocksOrWrites(String),
}

/// A login that reads the views.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analyst {
    pub login: String,
    pub tenant: String,
}

/// Lets an existing login read the views of a tenant, and no other tenant's.
///
/// # Errors
/// When the role is no login or the tenant is missing, when the role has other rights or the database is not prepared
/// by `deploy/postgres/analysts.sql`, or the database fails.
pub async fn grant_analyst(owner_url: &str, login: &str, tenant: &str) -> Result<(), AnalystError> {
    let failed = |source| AnalystError::Database(login.to_owned(), source);
    let mut owner = crate::connect(owner_url).await.map_err(failed)?;
    let mut transaction = owner.begin().await.map_err(failed)?;
    let found: Option<(bool, bool, String)> = sqlx::query_as(&format!(
        "SELECT {REWRITES} OR {READS_MORE}, {LOCKS_OR_WRITES}, format('GRANT caudal_analyst TO %I', r.rolname)
           FROM pg_roles AS r WHERE r.rolname = $1 AND r.rolcanlogin"
    ))
    .bind(login)
    .fetch_optional(&mut *transaction)
    .await
    .map_err(failed)?;
    let (is_mighty, locks_or_writes, grant) = found.ok_or_else(|| AnalystError::Missing(login.to_owned()))?;
    if is_mighty {
        return Err(AnalystError::TooMighty(login.to_owned()));
    }
    if locks_or_writes {
        return Err(AnalystError::LocksOrWrites(login.to_owned()));
    }
    // The directory of tenants is read under this name.
    transaction
        .execute("SET LOCAL caudal.tenant TO '*'")
        .await
        .map_err(failed)?;
    let exists: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM journal.heads WHERE tenant = $1)")
        .bind(tenant)
        .fetch_one(&mut *transaction)
        .await
        .map_err(failed)?;
    if !exists {
        return Err(AnalystError::NoTenant(tenant.to_owned()));
    }
    sqlx::query(
        "INSERT INTO analytics.logins (login, tenant) VALUES ($1, $2)
         ON CONFLICT (login) DO UPDATE SET tenant = EXCLUDED.tenant, granted_at = now()",
    )
    .bind(login)
    .bind(tenant)
    .execute(&mut *transaction)
    .await
    .map_err(failed)?;
    transaction.execute(grant.as_str()).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Takes the views from a login. Open sessions of it see no more rows. Returns whether it had them.
///
/// # Errors
/// When the database fails.
pub async fn revoke_analyst(owner_url: &str, login: &str) -> Result<bool, AnalystError> {
    let failed = |source| AnalystError::Database(login.to_owned(), source);
    let mut owner = crate::connect(owner_url).await.map_err(failed)?;
    let mut transaction = owner.begin().await.map_err(failed)?;
    let revoke: Option<String> =
        sqlx::query_scalar("SELECT format('REVOKE caudal_analyst FROM %I', rolname) FROM pg_roles WHERE rolname = $1")
            .bind(login)
            .fetch_optional(&mut *transaction)
            .await
            .map_err(failed)?;
    let deleted = sqlx::query("DELETE FROM analytics.logins WHERE login = $1")
        .bind(login)
        .execute(&mut *transaction)
        .await
        .map_err(failed)?;
    // A role that was dropped has left its row.
    if let Some(revoke) = revoke {
        transaction.execute(revoke.as_str()).await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)?;
    Ok(deleted.rows_affected() == 1)
}

/// The logins that read the views, with their tenants, by name.
///
/// # Errors
/// When the database fails.
pub async fn analysts(owner_url: &str) -> Result<Vec<Analyst>, sqlx::Error> {
    let mut owner = crate::connect(owner_url).await?;
    let found: Vec<(String, String)> = sqlx::query_as("SELECT login, tenant FROM analytics.logins ORDER BY login")
        .fetch_all(&mut owner)
        .await?;
    owner.close().await?;
    let found = found.into_iter().map(|(login, tenant)| Analyst { login, tenant });
    Ok(found.collect())
}
