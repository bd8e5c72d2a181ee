//! Match of a key file with its database: every key is checked before any is used.
//!
//! `journal.keyring` has a proof of the lookup key, `journal.master_keys` one per master and session key. A rotation of the
//! master key stores the proof before it changes the file; a key that wraps nothing any more may be absent from the file. A
//! session key's proof is stored by the first node that reads it.

use crate::{
    error::JournalError,
    journal::Journal,
    keys::{KeyError, KeySource, Keyring, MasterRotation},
    people::encryption,
};
use caudal_domain::ids::{SubjectId, TenantId};
use caudal_postgres::{Database, Durability, Options};
use sqlx::Row as _;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Loads the keys of a database. Creates a key file only when nothing was written with another.
///
/// # Errors
/// When the keys can't be read, or are missing beside data.
pub async fn open_keyring(database: &Database, source: &KeySource) -> Result<Keyring, JournalError> {
    let reading = source.clone();
    if let Some(keyring) = off_the_runtime(move || reading.read_existing()).await? {
        return Ok(keyring);
    }
    if is_written(database).await? {
        return Err(KeyError::Missing(source.path()?.to_owned()).into());
    }
    let making = source.clone();
    off_the_runtime(move || making.open_or_create()).await
}

/// Compares the keys with what a database knows of them, and changes neither.
///
/// # Errors
/// Where the keys can't be read, are missing beside data, or are other ones; where the database can't be read.
pub async fn inspect_keyring(url: &str, source: &KeySource) -> Result<(), JournalError> {
    let options = Options {
        max_connections: 2,
        accept_volatile: Durability::ALL.to_vec(),
        application_name: "caudal doctor".to_owned(),
        ..Options::default()
    };
    let database = Database::connect(url, options).await?;
    let outcome = inspect(&database, source).await;
    database.close().await;
    outcome
}

async fn inspect(database: &Database, source: &KeySource) -> Result<(), JournalError> {
    let reading = source.clone();
    let Some(keyring) = off_the_runtime(move || reading.read_existing()).await? else {
        return if is_written(database).await? {
            Err(KeyError::Missing(source.path()?.to_owned()).into())
        } else {
            Ok(())
        };
    };
    let proof: Option<Vec<u8>> = sqlx::query_scalar("SELECT proof FROM journal.keyring")
        .fetch_optional(database.pool())
        .await?;
    match proof {
        Some(proof) if proof == keyring.proof() => {}
        Some(_) => return Err(KeyError::OtherDatabase.into()),
        None if tenants(database).await?.is_empty() => return Ok(()),
        None => return Err(KeyError::NoProof.into()),
    }
    let in_file = keyring.master_proofs();
    let known = known(database).await?;
    for (id, proof) in keyring.session_proofs() {
        if known.get(&session_row(&id)).is_some_and(|known| known.proof != proof) {
            return Err(KeyError::OtherSession(id).into());
        }
    }
    for (id, known) in known.into_iter().filter(|(id, _)| !is_session_row(id)) {
        match in_file.iter().find(|(other, _)| *other == id) {
            Some((_, proof)) if known.proof != proof => return Err(KeyError::OtherMaster(id).into()),
            Some(_) => {}
            None if known.is_retired => {}
            None if wrapped_under(database, &id).await?.is_some() => return Err(KeyError::MissingMaster(id).into()),
            None => {}
        }
    }
    Ok(())
}

/// Checks every key, and keeps proofs of those that are new.
pub(crate) async fn check(database: &Database, keyring: &Keyring) -> Result<(), JournalError> {
    check_lookup(database, keyring).await?;
    let known = known(database).await?;
    let in_file = keyring.master_proofs();
    for (id, proof) in &in_file {
        match known.get(id) {
            Some(known) if known.proof != proof => return Err(KeyError::OtherMaster(id.clone()).into()),
            Some(_) => {}
            // A database from before proofs, or a manually edited file.
            None => {
                check_by_use(database, keyring, id).await?;
                if !register(database, id, proof).await? {
                    return Err(KeyError::OtherMaster(id.clone()).into());
                }
            }
        }
    }
    for (id, known) in known {
        if is_session_row(&id) || known.is_retired || in_file.iter().any(|(other, _)| *other == id) {
            continue;
        }
        if wrapped_under(database, &id).await?.is_some() {
            return Err(KeyError::MissingMaster(id).into());
        }
        sqlx::query("UPDATE journal.master_keys SET retired_at = now() WHERE id = $1")
            .bind(&id)
            .execute(database.pool())
            .await?;
    }
    check_sessions(database, &keyring.session_proofs()).await
}

/// Id of a session key's proof in `journal.master_keys`. An id in the key file has no space, so that no master key has it.
fn session_row(id: &str) -> String {
    format!("{SESSION_ROW}{id}")
}

const SESSION_ROW: &str = "session ";

fn is_session_row(id: &str) -> bool {
    id.starts_with(SESSION_ROW)
}

/// Checks session keys, and stores proofs of new ones. Nodes with different keys under one id would refuse each other's
/// tokens.
pub(crate) async fn check_sessions(database: &Database, proofs: &[(String, [u8; 32])]) -> Result<(), JournalError> {
    for (id, proof) in proofs {
        if !register(database, &session_row(id), proof).await? {
            return Err(KeyError::OtherSession(id.clone()).into());
        }
    }
    Ok(())
}

/// Checks the lookup key; the first node stores its proof.
async fn check_lookup(database: &Database, keyring: &Keyring) -> Result<(), JournalError> {
    let kept = "SELECT proof FROM journal.keyring";
    let mut proof: Option<Vec<u8>> = sqlx::query_scalar(kept).fetch_optional(database.pool()).await?;
    if proof.is_none() {
        if !tenants(database).await?.is_empty() {
            return Err(KeyError::NoProof.into());
        }
        sqlx::query("INSERT INTO journal.keyring (proof) VALUES ($1) ON CONFLICT DO NOTHING")
            .bind(keyring.proof())
            .execute(database.pool())
            .await?;
        proof = sqlx::query_scalar(kept).fetch_optional(database.pool()).await?;
    }
    if proof.as_deref() == Some(keyring.proof().as_slice()) {
        Ok(())
    } else {
        Err(KeyError::OtherDatabase.into())
    }
}

/// Stored facts about a master or session key.
struct Known {
    proof: Vec<u8>,
    is_retired: bool,
}

async fn known(database: &Database) -> Result<BTreeMap<String, Known>, JournalError> {
    let rows = sqlx::query("SELECT id, proof, retired_at IS NOT NULL AS is_retired FROM journal.master_keys")
        .fetch_all(database.pool())
        .await?;
    let known = |row: sqlx::postgres::PgRow| {
        let (proof, is_retired) = (row.try_get("proof")?, row.try_get("is_retired")?);
        Ok((row.try_get("id")?, Known { proof, is_retired }))
    };
    rows.into_iter().map(known).collect()
}

/// Stores a key's proof. Returns whether the stored one is equal.
async fn register(database: &Database, id: &str, proof: &[u8; 32]) -> Result<bool, JournalError> {
    sqlx::query("INSERT INTO journal.master_keys (id, proof) VALUES ($1, $2) ON CONFLICT DO NOTHING")
        .bind(id)
        .bind(proof)
        .execute(database.pool())
        .await?;
    let kept: Vec<u8> = sqlx::query_scalar("SELECT proof FROM journal.master_keys WHERE id = $1")
        .bind(id)
        .fetch_one(database.pool())
        .await?;
    Ok(kept == proof)
}

/// Any data key wrapped under a master key, of any tenant.
async fn wrapped_under(
    database: &Database,
    master: &str,
) -> Result<Option<(TenantId, SubjectId, Vec<u8>)>, JournalError> {
    for tenant in tenants(database).await? {
        let mut transaction = database.begin_read(tenant.as_str()).await?;
        let row =
            sqlx::query("SELECT subject, wrapped FROM journal.subject_keys WHERE tenant = $1 AND master = $2 LIMIT 1")
                .bind(tenant.as_str())
                .bind(master)
                .fetch_optional(&mut *transaction)
                .await?;
        if let Some(row) = row {
            let subject = SubjectId(row.try_get::<Uuid, _>("subject")?);
            return Ok(Some((tenant, subject, row.try_get("wrapped")?)));
        }
    }
    Ok(None)
}

/// Verifies a master key without a proof by unwrapping one of its data keys, if any.
async fn check_by_use(database: &Database, keyring: &Keyring, id: &str) -> Result<(), JournalError> {
    let Some((tenant, subject, wrapped)) = wrapped_under(database, id).await? else {
        return Ok(());
    };
    match encryption::unwrap(keyring, &tenant, subject, id, &wrapped) {
        Ok(_) => Ok(()),
        Err(_) => Err(KeyError::OtherMaster(id.to_owned()).into()),
    }
}

async fn tenants(database: &Database) -> Result<Vec<TenantId>, JournalError> {
    let mut transaction = database.begin_directory().await?;
    let names: Vec<String> = sqlx::query_scalar("SELECT tenant FROM journal.heads ORDER BY tenant")
        .fetch_all(&mut *transaction)
        .await?;
    let parse = |name: String| {
        name.parse()
            .map_err(|_| JournalError::Unexpected(format!("a tenant {name}")))
    };
    names.into_iter().map(parse).collect()
}

/// Whether the database contains anything that depends on the keys.
async fn is_written(database: &Database) -> Result<bool, JournalError> {
    let proven: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM journal.keyring)")
        .fetch_one(database.pool())
        .await?;
    Ok(proven || !tenants(database).await?.is_empty())
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, KeyError> + Send + 'static,
) -> Result<T, JournalError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(outcome) => Ok(outcome?),
        Err(error) => Err(JournalError::Unexpected(error.to_string())),
    }
}

impl Journal {
    /// Creates a new current master key. Its proof is stored in the database first, so that of two diverging copies of
    /// the key file the second is refused. Returns its id.
    ///
    /// # Errors
    /// When the file or the database can't be written; the previous key stays current.
    pub async fn rotate_master(&self, source: &KeySource) -> Result<String, JournalError> {
        let database = &self.shared.database;
        let taken: Vec<String> = known(database).await?.into_keys().collect();
        let source = source.clone();
        let rotation = off_the_runtime(move || MasterRotation::begin(&source, &taken)).await?;
        if !register(database, rotation.id(), &rotation.proof()).await? {
            return Err(KeyError::OtherMaster(rotation.id().to_owned()).into());
        }
        off_the_runtime(move || rotation.finish()).await
    }
}
