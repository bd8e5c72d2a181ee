//! Session cache: the caller behind an access token.

use crate::{
    auth::{
        caller::{Caller, Viewer},
        sessions::Sessions,
        tokens::TokenClaims,
    },
    problem::ApiError,
};
use caudal_domain::{
    TenantState,
    ids::{PartyId, TenantId},
    office::{Permissions, contain_member, permissions_of_login},
    party::Role,
};
use caudal_journal::{Clock, Journal};
use chrono::{DateTime, Utc};
use moka::future::Cache;
use std::{sync::Arc, time::Duration};
use uuid::Uuid;

/// Session cache TTL. A deactivation or revocation on another node takes effect within this.
const BELIEVED: Duration = Duration::from_secs(3);
/// Cache size in sessions; the least used are evicted.
const MAX_REMEMBERED: u64 = 50_000;

/// Tenant, generation of its history, and session: after a change of the database server, callers are looked up anew.
type Key = (TenantId, u64, Uuid);

/// What a party's permission set allows; everything for other roles than the manager.
///
/// # Errors
/// 401 after the end of the party's access.
pub fn permitted(state: &TenantState, party: PartyId, now: DateTime<Utc>) -> Result<Permissions, ApiError> {
    let access = state.office_access(party);
    if access.has_expired(now) {
        return Err(ApiError::unauthorized("access_expired"));
    }
    Ok(state.permissions_of(&access))
}

/// Refuses a party who may not see as another: it is no active manager, lacks a permission that the other has, or has an
/// access that ends before that of another member of the office. Nobody sees as himself.
///
/// # Errors
/// 401 for a viewer without access, 403 with what it lacks, 404 for a party that is not there or inactive.
pub fn may_see_as(state: &TenantState, viewer: PartyId, seen: PartyId, now: DateTime<Utc>) -> Result<(), ApiError> {
    let active = |party| state.party(party).filter(|party| party.is_active);
    let viewer = active(viewer).ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
    if viewer.role != Role::Manager {
        return Err(ApiError::forbidden("role_not_allowed"));
    }
    let permissions = permitted(state, viewer.id, now)?;
    let seen = active(seen)
        .filter(|seen| seen.id != viewer.id)
        .ok_or_else(|| ApiError::not_found("party_not_found"))?;
    if seen.role == Role::Manager {
        return contain_member(viewer.id, seen, state).map_err(ApiError::from);
    }
    match permissions.lack(permissions_of_login(seen.role)) {
        None => Ok(()),
        Some(lacking) => Err(ApiError::forbidden("beyond_own_permissions").with("permission", lacking)),
    }
}

/// The callers seen lately.
pub struct Callers {
    seen: Cache<Key, Caller>,
    journal: Journal,
    sessions: Sessions,
    clock: Arc<dyn Clock>,
}

impl Callers {
    /// Nobody seen yet. Who is new is looked up among the sessions and the parties of the journal.
    #[must_use]
    pub fn new(journal: Journal, sessions: Sessions, clock: Arc<dyn Clock>) -> Self {
        let seen = Cache::builder()
            .max_capacity(MAX_REMEMBERED)
            .time_to_live(BELIEVED)
            .support_invalidation_closures()
            .build();
        Self {
            seen,
            journal,
            sessions,
            clock,
        }
    }

    /// The party of a token, where its session is open and the party active. Requests of one session that come at once
    /// wait for one look.
    ///
    /// # Errors
    /// 401 otherwise.
    pub async fn identify(&self, claims: &TokenClaims) -> Result<Caller, ApiError> {
        let key = self.key(&claims.tenant, claims.sid);
        let looked_up = self.seen.try_get_with(key, self.look_up(claims)).await;
        let caller = looked_up.map_err(Arc::unwrap_or_clone)?;
        if caller.party != claims.sub {
            return Err(ApiError::unauthorized("session_ended"));
        }
        // What a manager sees as another is as old as the cache.
        if caller.role == Role::Manager && caller.viewer.is_none() {
            return self.with_present_permissions(caller).await;
        }
        Ok(caller)
    }

    /// The caller with the permission set of the tenant's state, at the present time: a narrowed set takes effect on all
    /// nodes with its commit. While the state can't be read, that of the session cache holds.
    async fn with_present_permissions(&self, caller: Caller) -> Result<Caller, ApiError> {
        let Ok((state, _)) = self.journal.state(&caller.tenant).await else {
            return Ok(caller);
        };
        let permissions = permitted(&state, caller.party, self.clock.now())?;
        Ok(Caller { permissions, ..caller })
    }

    /// Evicts an ended session.
    pub async fn forget(&self, tenant: &TenantId, session: Uuid) {
        self.seen.invalidate(&self.key(tenant, session)).await;
    }

    fn key(&self, tenant: &TenantId, session: Uuid) -> Key {
        (tenant.clone(), self.journal.history_generation(tenant), session)
    }

    /// Evicts a party's sessions.
    pub fn forget_party(&self, tenant: &TenantId, party: PartyId) {
        let tenant = tenant.clone();
        self.forget_where(move |(of, ..), caller| *of == tenant && caller.party == party);
    }

    /// Evicts a tenant's sessions after a change of one of its parties.
    pub fn forget_tenant(&self, tenant: &TenantId) {
        let tenant = tenant.clone();
        self.forget_where(move |(of, ..), _| *of == tenant);
    }

    fn forget_where(&self, which: impl Fn(&Key, &Caller) -> bool + Send + Sync + 'static) {
        if let Err(error) = self.seen.invalidate_entries_if(which) {
            tracing::error!(%error, "all callers are looked up anew");
            self.seen.invalidate_all();
        }
    }

    async fn look_up(&self, claims: &TokenClaims) -> Result<Caller, ApiError> {
        if claims.viewer.is_none() {
            // Who has no access is told so: the sessions have ended with it.
            self.active(claims).await?;
        }
        if !self
            .sessions
            .is_open(&claims.tenant, claims.sid, self.clock.now())
            .await?
        {
            return Err(ApiError::unauthorized("session_ended"));
        }
        match claims.viewer {
            None => self.active(claims).await,
            Some(viewer) => self.seen_as(claims, viewer).await,
        }
    }

    /// The party as which a manager sees, where the manager's own session is open and may still see as the party. It has no
    /// second factor: the manager gave a code of his own.
    async fn seen_as(&self, claims: &TokenClaims, viewer: Viewer) -> Result<Caller, ApiError> {
        let now = self.clock.now();
        if !self.sessions.is_open(&claims.tenant, viewer.session, now).await? {
            return Err(ApiError::unauthorized("session_ended"));
        }
        let caller = self.active(claims).await?;
        let (state, _) = self.journal.state(&claims.tenant).await?;
        may_see_as(&state, viewer.party, caller.party, now)?;
        Ok(Caller {
            second_factors: Vec::new(),
            must_enrol: false,
            viewer: Some(viewer),
            ..caller
        })
    }

    async fn active(&self, claims: &TokenClaims) -> Result<Caller, ApiError> {
        let (state, _) = self.journal.state(&claims.tenant).await?;
        let party = state
            .party(claims.sub)
            .filter(|party| party.is_active)
            .ok_or_else(|| ApiError::unauthorized("account_inactive"))?;
        Ok(Caller {
            tenant: claims.tenant.clone(),
            party: party.id,
            role: party.role,
            agency: party.agency,
            dealer: party.dealer,
            permissions: permitted(&state, party.id, self.clock.now())?,
            session: claims.sid,
            api_key: None,
            second_factors: state.second_factors(party.id),
            must_enrol: state.must_enrol_second_factor(party),
            viewer: None,
        })
    }
}
