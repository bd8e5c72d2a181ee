//! What a presented refresh token does: it renews its session, or ends it, at a logout or by its reuse.

use super::{
    End, IDLE_LIFETIME, LIFETIME, Opened, Sessions,
    rows::{Lock, note_access, note_origin},
};
use crate::{
    auth::{
        origins::Origin,
        refresh::{self, Known, Rotation, Token, Verdict},
    },
    problem::ApiError,
};
use caudal_domain::ids::TenantId;
use caudal_journal::SessionRow;
use chrono::{DateTime, Utc};
use uuid::Uuid;
use zeroize::Zeroizing;

impl Sessions {
    /// Exchanges a refresh token for its successor; within the grace period the same successor again. Reuse ends the
    /// session.
    ///
    /// # Errors
    /// 401 for an invalid token.
    pub async fn renew(
        &self,
        tenant: &TenantId,
        text: &str,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<Opened, ApiError> {
        let refused = || ApiError::unauthorized("session_ended");
        let token = Token::parse(text).ok_or_else(refused)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two requests with one token the second waits here and then sees the successor.
        let mut session = self
            .usable(&mut transaction, tenant, token.session, now, Lock::ForUpdate)
            .await?
            .ok_or_else(refused)?;
        let party = session.party;
        let in_force = session.token_hash.clone();
        let next = match known(&session).judge(&token.hash, now) {
            Verdict::Rotate => {
                let salt = refresh::random()?;
                let (next, successor) = token.successor(text, &self.successors.current(now)?, salt.as_slice());
                session.expires_at = (now + IDLE_LIFETIME).min(session.created_at + LIFETIME);
                session.token_hash = successor.hash.to_vec();
                session.rotation = Some((token.hash.to_vec(), salt.to_vec(), now));
                session.renewed_at = now;
                self.save(&mut transaction, tenant, &session).await?;
                next
            }
            Verdict::Keep => Zeroizing::new(text.to_owned()),
            Verdict::Repeat(salt) => {
                // The session keys may have been rotated since: compare with the current token.
                let made = self.successors.valid(now).into_iter();
                let mut made = made.map(|key| token.successor(text, &key, &salt));
                made.find(|(_, successor)| in_force == successor.hash)
                    .ok_or_else(refused)?
                    .0
            }
            // Nobody was given it: who made it up learned no more than the session's id.
            Verdict::Reuse if !token.was_issued(&self.successors.valid(now)) => return Err(refused()),
            Verdict::Reuse => {
                session.ended = Some((now, End::Reuse.as_str().to_owned()));
                self.save(&mut transaction, tenant, &session).await?;
                transaction.commit().await?;
                tracing::warn!(session = %token.session, "a refresh token was used twice; its session is over");
                metrics::counter!("caudal_refresh_token_reused").increment(1);
                return Err(refused());
            }
        };
        note_origin(&mut transaction, tenant, token.session, origin).await?;
        note_access(&mut transaction, tenant, party, now).await?;
        transaction.commit().await?;
        Ok(Opened {
            id: token.session,
            party,
            token: next,
            expires_at: session.expires_at,
            is_first: false,
        })
    }

    /// Ends the session of a refresh token, and returns its id. A token that was not issued for it is ignored.
    pub async fn end_by_token(
        &self,
        tenant: &TenantId,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Uuid>, ApiError> {
        let Some(token) = Token::parse(token) else {
            return Ok(None);
        };
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let session = self
            .usable(&mut transaction, tenant, token.session, now, Lock::ForUpdate)
            .await?;
        let Some(mut session) = session else {
            return Ok(None);
        };
        // An older token suffices: its holder could end the session by using it.
        let is_known = matches!(
            known(&session).judge(&token.hash, now),
            Verdict::Rotate | Verdict::Keep | Verdict::Repeat(_)
        );
        if !is_known && !token.was_issued(&self.successors.valid(now)) {
            return Ok(None);
        }
        session.ended = Some((now, End::Logout.as_str().to_owned()));
        self.save(&mut transaction, tenant, &session).await?;
        transaction.commit().await?;
        Ok(Some(token.session))
    }
}

/// Token state of a session's row.
fn known(session: &SessionRow) -> Known {
    Known {
        in_force: session.token_hash.clone(),
        rotation: session
            .rotation
            .clone()
            .map(|(from, salt, at)| Rotation { from, salt, at }),
    }
}
