//! Who a token speaks for, remembered for a moment.

use crate::{app::App, auth::tokens::Claims, extract::Caller, problem::ApiError};
use caudal_domain::ids::{PartyId, TenantId};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// How long what was found about a session is believed: so long may a party that another node has deactivated, or
/// a session that was ended there, go on.
const BELIEVED: Duration = Duration::from_secs(3);
/// So many sessions are remembered; past it all are looked up anew.
const MAX_REMEMBERED: usize = 50_000;

/// The callers seen lately, by tenant and session.
#[derive(Debug, Default)]
pub struct Callers {
    seen: Mutex<HashMap<(TenantId, Uuid), (Instant, Caller)>>,
}

impl Callers {
    /// The party of a token, where its session is open and the party active.
    ///
    /// # Errors
    /// 401 otherwise.
    pub async fn identify(&self, app: &App, claims: &Claims) -> Result<Caller, ApiError> {
        let key = (claims.tenant.clone(), claims.sid);
        let now = Instant::now();
        {
            let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((at, caller)) = seen.get(&key)
                && now.duration_since(*at) < BELIEVED
                && caller.party == claims.sub
            {
                return Ok(caller.clone());
            }
        }
        if !app.sessions.is_open(&claims.tenant, claims.sid, app.now()).await? {
            return Err(ApiError::unauthorized("session_ended"));
        }
        let caller = active(app, claims).await?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_REMEMBERED {
            seen.clear();
        }
        seen.insert(key, (now, caller.clone()));
        Ok(caller)
    }

    /// Forgets a session: it has ended.
    pub fn forget(&self, tenant: &TenantId, session: Uuid) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.remove(&(tenant.clone(), session));
    }

    /// Forgets a party: its sessions have ended.
    pub fn forget_party(&self, tenant: &TenantId, party: PartyId) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|(of, _), (_, caller)| of != tenant || caller.party != party);
    }

    /// Forgets a tenant's callers: one of its parties has changed.
    pub fn forget_tenant(&self, tenant: &TenantId) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|(of, _), _| of != tenant);
    }
}

async fn active(app: &App, claims: &Claims) -> Result<Caller, ApiError> {
    let (books, _) = app.journal.books(&claims.tenant).await?;
    let party = books
        .party(claims.sub)
        .filter(|party| party.is_active)
        .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    Ok(Caller {
        tenant: claims.tenant.clone(),
        party: party.id,
        role: party.role,
        agency: party.agency,
        dealer: party.dealer,
        session: claims.sid,
    })
}
