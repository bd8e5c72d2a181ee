//! Stored nodes of a log's Merkle tree: roots of full subtrees of 256 events and more, in `journal.merkle_nodes`.
//! Smaller subtrees are computed from events on demand: a root or a proof reads some 40 nodes and at most a few times
//! 256 hashes, whatever the log's length.

use super::{Frontier, Node, Range, bag};
use crate::{error::JournalError, journal::Journal, log::chain::Hash};
use caudal_domain::ids::TenantId;
use sqlx::{PgConnection, Row as _};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Lowest stored level: one node per 256 events, which is half a byte per event.
pub(crate) const LOWEST_KEPT: i16 = 8;
/// Events per node of the lowest stored level.
const CHUNK: i64 = 1 << LOWEST_KEPT;
/// Retries of a proof whose nodes a concurrent signing has dropped.
const RETRIES: u32 = 2;
/// Events added per transaction: half a megabyte of hashes.
const BATCH: i64 = 64 * CHUNK;

/// Two roots of one log with their consistency proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consistency {
    /// Root at the earlier position.
    pub from_root: Hash,
    /// Root at the later position.
    pub to_root: Hash,
    /// Verify with [`super::is_consistent`].
    pub proof: Vec<Hash>,
}

impl Journal {
    /// Stores the missing nodes of a tenant's tree. Concurrent nodes of the cluster compute equal nodes.
    ///
    /// # Errors
    /// When the database fails, or the log has a gap.
    pub async fn extend_tree(&self, tenant: &TenantId) -> Result<(), JournalError> {
        while self.extend_tree_once(tenant).await? {}
        Ok(())
    }

    /// Adds one batch; returns whether more remain.
    async fn extend_tree_once(&self, tenant: &TenantId) -> Result<bool, JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT h.position, (SELECT max(n.number) FROM journal.merkle_nodes AS n
                                  WHERE n.tenant = h.tenant AND n.level = $2) AS last
               FROM journal.heads AS h WHERE h.tenant = $1",
        )
        .bind(tenant.as_str())
        .bind(LOWEST_KEPT)
        .fetch_optional(&mut *transaction)
        .await?
        .ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        let (head, last): (i64, Option<i64>) = (row.try_get("position")?, row.try_get("last")?);
        let from = last.map_or(0, |last| (last + 1) * CHUNK);
        let to = (head / CHUNK * CHUNK).min(from + BATCH);
        if to <= from {
            return Ok(false);
        }
        let parts = Range { from: 0, to: from }.full_subtrees();
        let kept = read_nodes(&mut transaction, tenant, &parts).await?;
        let peaks = parts.iter().map(|part| kept.get(part).copied().ok_or_else(hole));
        let mut tree = Frontier::of_peaks(from, peaks.collect::<Result<_, _>>()?);
        let mut nodes = Vec::new();
        for hash in hashes(&mut transaction, tenant, from, to).await? {
            tree.push(&hash, |node| {
                if node.level >= LOWEST_KEPT {
                    nodes.push(node);
                }
            });
        }
        write_nodes(&mut transaction, tenant, &nodes).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Deletes the stored nodes over events after `position`; they are recomputed from the log on demand.
    pub(crate) async fn drop_nodes_after(&self, tenant: &TenantId, position: i64) -> Result<(), JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.merkle_nodes WHERE tenant = $1 AND (number + 1) << level::integer > $2")
            .bind(tenant.as_str())
            .bind(position)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Recomputes a tenant's stored tree from the log.
    pub async fn rebuild_tree(&self, tenant: &TenantId) -> Result<(), JournalError> {
        self.drop_nodes_after(tenant, 0).await?;
        self.extend_tree(tenant).await
    }

    /// Inclusion proof of the event at `position` under the root at `size`; verify with [`super::is_included`].
    ///
    /// # Errors
    /// When the log is shorter, or the database fails.
    pub async fn inclusion_proof(
        &self,
        tenant: &TenantId,
        position: i64,
        size: i64,
    ) -> Result<Vec<Hash>, JournalError> {
        let ranges = super::inclusion(position - 1, size);
        for attempt in 0.. {
            self.extend_tree(tenant).await?;
            let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
            match roots(&mut transaction, tenant, &ranges).await {
                Err(JournalError::Unexpected(_)) if attempt < RETRIES => {}
                proof => return proof,
            }
        }
        Err(hole())
    }

    /// Roots at two positions, `from` not after `to`, with their consistency proof.
    ///
    /// # Errors
    /// When the log is shorter, or the database fails.
    pub async fn consistency_proof(&self, tenant: &TenantId, from: i64, to: i64) -> Result<Consistency, JournalError> {
        for attempt in 0.. {
            self.extend_tree(tenant).await?;
            let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
            match consistency_on(&mut transaction, tenant, from, to).await {
                Err(JournalError::Unexpected(_)) if attempt < RETRIES => {}
                proof => return proof,
            }
        }
        Err(hole())
    }
}

/// [`Journal::consistency_proof`] over an extended tree.
pub(crate) async fn consistency_on(
    connection: &mut PgConnection,
    tenant: &TenantId,
    from: i64,
    to: i64,
) -> Result<Consistency, JournalError> {
    let whole = [Range { from: 0, to: from }, Range { from: 0, to }];
    let ranges: Vec<_> = whole.into_iter().chain(super::consistency(from, to)).collect();
    let mut roots = roots(connection, tenant, &ranges).await?.into_iter();
    match (roots.next(), roots.next()) {
        (Some(from_root), Some(to_root)) => Ok(Consistency {
            from_root,
            to_root,
            proof: roots.collect(),
        }),
        _ => Err(hole()),
    }
}

/// Root over the first `size` events of an extended tree.
pub(crate) async fn root(connection: &mut PgConnection, tenant: &TenantId, size: i64) -> Result<Hash, JournalError> {
    let roots = roots(connection, tenant, &[Range { from: 0, to: size }]).await?;
    roots.first().copied().ok_or_else(hole)
}

/// Roots of subtrees.
async fn roots(connection: &mut PgConnection, tenant: &TenantId, ranges: &[Range]) -> Result<Vec<Hash>, JournalError> {
    let parts: Vec<Vec<(i16, i64)>> = ranges.iter().map(|range| range.full_subtrees()).collect();
    let (kept, small): (Vec<_>, Vec<_>) = parts.iter().flatten().partition(|(level, _)| *level >= LOWEST_KEPT);
    let mut nodes = read_nodes(connection, tenant, &kept).await?;
    let chunks: BTreeSet<i64> = small.iter().map(|(level, number)| (number << level) / CHUNK).collect();
    let mut events: BTreeMap<i64, Vec<Hash>> = BTreeMap::new();
    for chunk in chunks {
        let first = chunk * CHUNK;
        let through = small
            .iter()
            .map(|(level, number)| (number + 1) << level)
            .filter(|end| (first + 1..=first + CHUNK).contains(end))
            .max()
            .unwrap_or(first);
        events.insert(chunk, hashes(connection, tenant, first, through).await?);
    }
    for (level, number) in small {
        let (from, to) = (number << level, (number + 1) << level);
        let chunk = events.get(&(from / CHUNK)).ok_or_else(hole)?;
        let within = |position: i64| usize::try_from(position % CHUNK).unwrap_or_default();
        let leaves = chunk
            .iter()
            .skip(within(from))
            .take(usize::try_from(to - from).unwrap_or_default());
        let mut tree = Frontier::default();
        leaves.for_each(|event| tree.push(event, |_| {}));
        nodes.insert((level, number), tree.root());
    }
    let bagged = |parts: &Vec<(i16, i64)>| -> Result<Hash, JournalError> {
        let peaks = parts.iter().map(|part| nodes.get(part).copied().ok_or_else(hole));
        Ok(bag(&peaks.collect::<Result<Vec<_>, _>>()?))
    };
    parts.iter().map(bagged).collect()
}

/// Hashes of the events after `from` up to `to`, without gaps.
async fn hashes(
    connection: &mut PgConnection,
    tenant: &TenantId,
    from: i64,
    to: i64,
) -> Result<Vec<Hash>, JournalError> {
    let rows = sqlx::query(
        "SELECT position, hash FROM journal.events WHERE tenant = $1 AND position > $2 AND position <= $3 ORDER BY position",
    )
    .bind(tenant.as_str())
    .bind(from)
    .bind(to)
    .fetch_all(connection)
    .await?;
    let mut hashes = Vec::with_capacity(rows.len());
    for (expected, row) in (from + 1..).zip(&rows) {
        let found: i64 = row.try_get("position")?;
        if found != expected {
            return Err(JournalError::Gap {
                tenant: tenant.clone(),
                expected,
                found,
            });
        }
        hashes.push(row.try_get("hash")?);
    }
    if i64::try_from(hashes.len()).ok() != Some(to - from) {
        return Err(JournalError::Gap {
            tenant: tenant.clone(),
            expected: from + hashes.len() as i64 + 1,
            found: to,
        });
    }
    Ok(hashes)
}

/// Stored nodes by level and number; missing ones are omitted.
pub(crate) async fn read_nodes(
    connection: &mut PgConnection,
    tenant: &TenantId,
    wanted: &[(i16, i64)],
) -> Result<HashMap<(i16, i64), Hash>, JournalError> {
    if wanted.is_empty() {
        return Ok(HashMap::new());
    }
    let (levels, numbers): (Vec<i16>, Vec<i64>) = wanted.iter().copied().unzip();
    let rows = sqlx::query(
        "SELECT n.level, n.number, n.hash FROM unnest($2::smallint[], $3::bigint[]) AS wanted (level, number)
           JOIN journal.merkle_nodes AS n ON n.tenant = $1 AND n.level = wanted.level AND n.number = wanted.number",
    )
    .bind(tenant.as_str())
    .bind(levels)
    .bind(numbers)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok(((row.try_get("level")?, row.try_get("number")?), row.try_get("hash")?)))
        .collect()
}

async fn write_nodes(connection: &mut PgConnection, tenant: &TenantId, nodes: &[Node]) -> Result<(), JournalError> {
    let levels: Vec<i16> = nodes.iter().map(|node| node.level).collect();
    let numbers: Vec<i64> = nodes.iter().map(|node| node.number).collect();
    let hashes: Vec<Vec<u8>> = nodes.iter().map(|node| node.hash.to_vec()).collect();
    sqlx::query(
        "INSERT INTO journal.merkle_nodes (tenant, level, number, hash)
         SELECT $1, * FROM unnest($2::smallint[], $3::bigint[], $4::bytea[]) ON CONFLICT DO NOTHING",
    )
    .bind(tenant.as_str())
    .bind(levels)
    .bind(numbers)
    .bind(hashes)
    .execute(connection)
    .await?;
    Ok(())
}

/// The first computed node that differs from the stored one.
pub(crate) async fn first_changed(
    connection: &mut PgConnection,
    tenant: &TenantId,
    computed: &[Node],
) -> Result<Option<Node>, JournalError> {
    let wanted: Vec<_> = computed.iter().map(|node| (node.level, node.number)).collect();
    let kept = read_nodes(connection, tenant, &wanted).await?;
    let is_changed = |node: &&Node| {
        kept.get(&(node.level, node.number))
            .is_some_and(|hash| *hash != node.hash)
    };
    Ok(computed.iter().find(is_changed).copied())
}

/// First position of a stored node beyond the log's end; `None` if there is none.
pub(crate) async fn beyond_the_log(
    connection: &mut PgConnection,
    tenant: &TenantId,
) -> Result<Option<i64>, JournalError> {
    let first: Option<i64> = sqlx::query_scalar(
        "SELECT min((n.number << n.level::integer) + 1) FROM journal.merkle_nodes AS n
           JOIN journal.heads AS h ON h.tenant = n.tenant
          WHERE n.tenant = $1 AND n.level = $2 AND (n.number + 1) << n.level::integer > h.position",
    )
    .bind(tenant.as_str())
    .bind(LOWEST_KEPT)
    .fetch_one(connection)
    .await?;
    Ok(first)
}

fn hole() -> JournalError {
    JournalError::Unexpected("the kept Merkle tree has a hole".to_owned())
}
