//! Signing of a log's end, provided that the log extends everything signed before.

use super::{Previous, SignedCheckpoint, SignedTree, SigningKeys};
use crate::{
    error::JournalError,
    journal::Journal,
    log::{chain::Hash, stored},
    proof::{
        merkle::{self, nodes},
        verify::{self, Fault, LogEnd},
    },
};
use caudal_domain::ids::TenantId;

/// Why a log's end is not signed.
#[derive(Debug, thiserror::Error)]
pub enum SignError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{tenant}: the log does not extend what was signed before, and was not signed: {fault}")]
    Diverged { tenant: TenantId, fault: Fault },
}

impl Journal {
    /// Signs the current end of a tenant's log. `signed` are verified checkpoints of the log: the log must have each
    /// one's hash at its position, and the last one's root must be consistent with the new root. Returns the last
    /// checkpoint when the log has not grown.
    ///
    /// # Errors
    /// When the log contradicts a checkpoint or its head, the tenant is unknown, or the database fails.
    pub async fn checkpoint(
        &self,
        tenant: &TenantId,
        keys: &SigningKeys,
        signed: &[SignedCheckpoint],
    ) -> Result<SignedCheckpoint, SignError> {
        let last = signed
            .iter()
            .max_by_key(|checkpoint| (checkpoint.position, checkpoint.format(), checkpoint.signed_at));
        let root = last.and_then(|last| Some((last.position, last.root()?)));
        // Nodes up to the signed root are proved by it; later ones are recomputed from the log.
        let proved = root.map_or(0, |(position, _)| position);
        self.drop_nodes_after(tenant, proved).await?;
        let end = match self.signable(tenant, signed, root).await {
            Ok(Err(Fault::RootChanged { .. })) | Err(JournalError::Unexpected(_)) if proved > 0 => {
                self.drop_nodes_after(tenant, 0).await?;
                self.signable(tenant, signed, root).await
            }
            first => first,
        };
        let diverged = |fault| SignError::Diverged {
            tenant: tenant.clone(),
            fault,
        };
        let (end, root) = match end {
            Ok(found) => found.map_err(diverged)?,
            Err(JournalError::Gap { expected, found, .. }) => {
                let position = expected;
                return Err(diverged(Fault::Missing { position, found }));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(self.signed_after(tenant, keys, last, &end, root))
    }

    /// Signs the current end although it contradicts earlier checkpoints: an operator accepts the log. The new
    /// checkpoint references the last one of the abandoned history, so that the break stays visible.
    ///
    /// # Errors
    /// When the log contradicts its head, the tenant is unknown, or the database fails.
    pub async fn accept_history(
        &self,
        tenant: &TenantId,
        keys: &SigningKeys,
        given_up: &SignedCheckpoint,
    ) -> Result<SignedCheckpoint, SignError> {
        self.drop_nodes_after(tenant, 0).await?;
        let found = self.signable(tenant, &[], None).await?;
        let (end, root) = found.map_err(|fault| SignError::Diverged {
            tenant: tenant.clone(),
            fault,
        })?;
        Ok(self.signed_after(tenant, keys, Some(given_up), &end, root))
    }

    fn signed_after(
        &self,
        tenant: &TenantId,
        keys: &SigningKeys,
        last: Option<&SignedCheckpoint>,
        end: &LogEnd,
        root: Hash,
    ) -> SignedCheckpoint {
        let is_signed = |last: &&SignedCheckpoint| {
            (last.position, last.root(), last.key.as_str()) == (end.position, Some(root), keys.current_id())
        };
        if let Some(last) = last.filter(is_signed) {
            return last.clone();
        }
        let previous = last.map(|last| Previous {
            position: last.position,
            digest: last.digest(),
        });
        let tree = SignedTree { root, previous };
        SignedCheckpoint::sign(keys, tenant, end, Some(tree), self.shared.clock.now())
    }

    /// The end of the log and its root, verified against the head and all checkpoints.
    async fn signable(
        &self,
        tenant: &TenantId,
        signed: &[SignedCheckpoint],
        last: Option<(i64, Hash)>,
    ) -> Result<Result<(LogEnd, Hash), Fault>, JournalError> {
        self.extend_tree(tenant).await?;
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let (end, is_vouched_for) = verify::signed_end(&mut transaction, &self.shared.macs, tenant).await?;
        if let Some(fault) = verify::compare_on(&mut transaction, tenant, &end, signed).await? {
            return Ok(Err(fault));
        }
        let page = stored::page(&mut transaction, tenant, (end.position - 1).max(0), 2).await?;
        let found = page.last().map_or(0, |event| event.position);
        if found != end.position {
            let (end, head) = (found, end.position);
            return Ok(Err(Fault::HeadMoved { end, head }));
        }
        if page.last().is_some_and(|event| event.hash != Some(end.hash)) {
            let position = end.position;
            return Ok(Err(Fault::HeadChanged { position }));
        }
        if !is_vouched_for {
            let position = end.position;
            return Ok(Err(Fault::HeadUnsigned { position }));
        }
        let Some((position, root)) = last else {
            let root = nodes::root(&mut transaction, tenant, end.position).await?;
            return Ok(Ok((end, root)));
        };
        let now = nodes::consistency_on(&mut transaction, tenant, position, end.position).await?;
        let is_extended = merkle::is_consistent(position, &root, end.position, &now.to_root, &now.proof);
        Ok(if is_extended {
            Ok((end, now.to_root))
        } else {
            Err(Fault::RootChanged { position })
        })
    }
}
