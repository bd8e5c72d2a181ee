//! API keys: credentials of programs. A key acts as its party, within the key's scopes.
//!
//! The secret is never in an event: an event has its keyed hash and its first characters. The name is personal data of
//! the party; scopes, networks and limits are checked with every request, and are therefore in the tenant's state.

mod network;
#[cfg(test)]
mod tests;

pub use network::{InvalidNetwork, Network};

use crate::{
    decision::{Context, Decision},
    ids::{ApiKeyId, PartyId},
    party::{Party, Role},
    personal::Personal,
    refusal::{Refusal, require},
    text,
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeSet, fmt, net::IpAddr, str::FromStr};

/// In characters.
pub const MAX_NAME_LENGTH: usize = 80;
pub const MAX_SCOPES: usize = 100;
pub const MAX_NETWORKS: usize = 20;
/// Keys of a party that are neither revoked nor expired.
pub const MAX_KEYS: usize = 20;
/// From the issue or the rotation to the expiry.
pub const MAX_LIFETIME: Duration = Duration::days(731);
/// For which the secret before a rotation stays valid.
pub const MAX_OVERLAP: Duration = Duration::days(30);
/// Upper bound of a key's rate limit.
pub const MAX_REQUESTS_PER_MINUTE: u32 = 60_000;

/// Permission for a group of calls, as `remittances:read`. The groups are those of the API's policy table; a scope that
/// matches no call permits nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeyScope(String);

/// Returned for a text that is no scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a scope is a group of calls and read or write, like remittances:read")]
pub struct InvalidScope;

impl KeyScope {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyScope {
    type Err = InvalidScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (group, access) = text.split_once(':').ok_or(InvalidScope)?;
        let is_group = (1..=40).contains(&group.len()) && group.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if is_group && matches!(access, "read" | "write") {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidScope)
        }
    }
}

impl TryFrom<String> for KeyScope {
    type Error = InvalidScope;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<KeyScope> for String {
    fn from(scope: KeyScope) -> Self {
        scope.0
    }
}

impl fmt::Display for KeyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for KeyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is stored of a secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeySecret {
    /// First characters, by which people recognise the secret: `caudal_live_9f3c20ab`.
    pub start: String,
    /// Keyed hash (HMAC-SHA-256, hexadecimal).
    pub digest: String,
}

/// A key without personal data: what decisions and authentication may read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKey {
    pub id: ApiKeyId,
    /// The party as which the key acts.
    pub party: PartyId,
    pub scopes: BTreeSet<KeyScope>,
    pub expires_at: DateTime<Utc>,
    /// Networks from which it may be used; empty for all.
    pub networks: Vec<Network>,
    /// Rate limit per node.
    pub requests_per_minute: u32,
    pub secret: KeySecret,
    /// The secret before the last rotation, with the end of its validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<(KeySecret, DateTime<Utc>)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub revoked: bool,
}

/// Why a known secret is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyFault {
    Revoked,
    Expired,
    /// The secret was replaced, and the overlap has ended.
    Rotated,
    /// The client's address is in none of the key's networks.
    Network,
}

impl ApiKey {
    /// Whether one of the key's secrets is accepted now, from this address.
    ///
    /// # Errors
    /// The first fault.
    pub fn admit(&self, digest: &str, address: IpAddr, now: DateTime<Utc>) -> Result<(), KeyFault> {
        self.admit_anywhere(digest, now)?;
        let is_inside = self.networks.is_empty() || self.networks.iter().any(|network| network.contains(address));
        if is_inside { Ok(()) } else { Err(KeyFault::Network) }
    }

    /// [`Self::admit`] without a look at the address.
    ///
    /// # Errors
    /// The first fault.
    pub fn admit_anywhere(&self, digest: &str, now: DateTime<Utc>) -> Result<(), KeyFault> {
        if self.revoked {
            return Err(KeyFault::Revoked);
        }
        if now >= self.expires_at {
            return Err(KeyFault::Expired);
        }
        let is_previous = |(secret, until): &(KeySecret, DateTime<Utc>)| secret.digest == digest && now < *until;
        if self.secret.digest != digest && !self.previous.as_ref().is_some_and(is_previous) {
            return Err(KeyFault::Rotated);
        }
        Ok(())
    }

    /// Whether it is neither revoked nor expired.
    #[must_use]
    pub fn is_live(&self, now: DateTime<Utc>) -> bool {
        !self.revoked && now < self.expires_at
    }

    pub(crate) fn fold(state: Option<Self>, event: &ApiKeyEvent) -> Option<Self> {
        match event {
            ApiKeyEvent::ApiKeyIssued(issued) => Some(Self {
                id: issued.id,
                party: issued.party,
                scopes: issued.scopes.clone(),
                expires_at: issued.expires_at,
                networks: issued.networks.clone(),
                requests_per_minute: issued.requests_per_minute,
                secret: issued.secret.clone(),
                previous: None,
                revoked: false,
            }),
            ApiKeyEvent::ApiKeyRotated(rotated) => state.map(|state| Self {
                expires_at: rotated.expires_at,
                secret: rotated.secret.clone(),
                previous: Some((state.secret, rotated.previous_until)),
                ..state
            }),
            ApiKeyEvent::ApiKeyRevoked { .. } => state.map(|state| Self { revoked: true, ..state }),
        }
    }
}

/// Personal data of a key: encrypted under its party's key.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ApiKeyDetails {
    /// What the key is for, in the words of its party.
    pub name: String,
}

crate::personal::personal_data!(ApiKeyDetails);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKeyIssued {
    pub id: ApiKeyId,
    pub party: PartyId,
    pub scopes: BTreeSet<KeyScope>,
    pub expires_at: DateTime<Utc>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<Network>,
    pub requests_per_minute: u32,
    pub secret: KeySecret,
    pub personal: Personal<ApiKeyDetails>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApiKeyRotated {
    pub id: ApiKeyId,
    pub party: PartyId,
    /// The new secret.
    pub secret: KeySecret,
    /// End of the validity of the secret before.
    pub previous_until: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum ApiKeyEvent {
    ApiKeyIssued(ApiKeyIssued),
    ApiKeyRotated(ApiKeyRotated),
    ApiKeyRevoked { id: ApiKeyId, party: PartyId },
}

/// A new key.
#[derive(Clone, Debug, PartialEq)]
pub struct IssueApiKey {
    pub party: PartyId,
    pub details: ApiKeyDetails,
    /// Within the calls of the party's role: the API compares them with its policy table.
    pub scopes: BTreeSet<KeyScope>,
    pub expires_at: DateTime<Utc>,
    pub networks: Vec<Network>,
    pub requests_per_minute: u32,
    pub secret: KeySecret,
}

/// A new secret for a key.
#[derive(Clone, Debug, PartialEq)]
pub struct RotateApiKey {
    pub secret: KeySecret,
    /// How long the secret before stays valid.
    pub overlap: Duration,
    /// A new expiry; `None` keeps it.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Commands of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum ApiKeyCommand {
    Issue(IssueApiKey),
    Rotate(RotateApiKey),
    /// Ends the key at once. A revoked key cannot be restored.
    Revoke,
}

/// An action on an existing key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Rotate,
    Revoke,
}

/// Whether a caller may do this with a key: its party, and managers.
///
/// # Errors
/// 404 when the caller does not see the key, 409 when its state forbids the action.
pub fn judge(
    caller: (PartyId, Role),
    party: PartyId,
    (is_revoked, is_expired): (bool, bool),
    action: Action,
) -> Result<(), Refusal> {
    let (id, role) = caller;
    require(role == Role::Manager || id == party, || {
        Refusal::not_found("api_key_not_found")
    })?;
    require(!is_revoked, || Refusal::conflict("api_key_is_revoked"))?;
    require(action == Action::Revoke || !is_expired, || {
        Refusal::conflict("api_key_is_expired")
    })
}

pub(crate) fn decide(
    id: ApiKeyId,
    own: Option<&ApiKey>,
    command: &ApiKeyCommand,
    ctx: &Context<'_>,
) -> Result<Decision<ApiKeyEvent>, Refusal> {
    let caller = ctx.caller()?;
    match command {
        ApiKeyCommand::Issue(wanted) => Decision::of_new(issue(id, wanted, caller, ctx), own.is_some()),
        ApiKeyCommand::Rotate(rotation) => {
            let key = permitted(own, caller, Action::Rotate, ctx)?;
            if let Some(party) = ctx.state.party(key.party) {
                require_unapproving(caller, party, ctx)?;
            }
            rotate(key, rotation, ctx)
        }
        ApiKeyCommand::Revoke => {
            let key = permitted(own, caller, Action::Revoke, ctx)?;
            let revoked = ApiKeyEvent::ApiKeyRevoked {
                id: key.id,
                party: key.party,
            };
            Ok(Decision::of(revoked, key.id))
        }
    }
}

fn permitted<'a>(
    own: Option<&'a ApiKey>,
    caller: &Party,
    action: Action,
    ctx: &Context<'_>,
) -> Result<&'a ApiKey, Refusal> {
    let key = own.ok_or_else(|| Refusal::not_found("api_key_not_found"))?;
    let state = (key.revoked, ctx.now >= key.expires_at);
    judge((caller.id, caller.role), key.party, state, action)?;
    Ok(key)
}

/// Refuses to show a caller the secret of another's key where changes of logins need an approval: with it he could approve what
/// he proposed himself. A login that writes nothing proposes nothing.
fn require_unapproving(caller: &Party, party: &Party, ctx: &Context<'_>) -> Result<(), Refusal> {
    let writes_nothing = party.role == Role::Manager
        && ctx
            .state
            .permissions_of(&ctx.state.office_access(party.id))
            .writes_nothing();
    require(
        caller.id == party.id || writes_nothing || !ctx.state.approves_logins_by(caller.role),
        || Refusal::forbidden("api_key_needs_its_owner"),
    )
}

fn issue(
    id: ApiKeyId,
    wanted: &IssueApiKey,
    caller: &Party,
    ctx: &Context<'_>,
) -> Result<Decision<ApiKeyEvent>, Refusal> {
    let party = ctx.state.party(wanted.party).filter(|party| !party.forgotten);
    let is_seen = caller.role == Role::Manager || caller.id == wanted.party;
    let party = party
        .filter(|_| is_seen)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    require(party.is_active, || Refusal::conflict("party_inactive"))?;
    require_unapproving(caller, party, ctx)?;
    text::required("name", &wanted.details.name, MAX_NAME_LENGTH)?;
    require(!wanted.scopes.is_empty(), || Refusal::invalid("scopes", "required"))?;
    require(wanted.scopes.len() <= MAX_SCOPES, || {
        Refusal::invalid_with("scopes", "too_many", [("max", MAX_SCOPES.to_string())])
    })?;
    require(wanted.networks.len() <= MAX_NETWORKS, || {
        Refusal::invalid_with("networks", "too_many", [("max", MAX_NETWORKS.to_string())])
    })?;
    require(
        (1..=MAX_REQUESTS_PER_MINUTE).contains(&wanted.requests_per_minute),
        || {
            Refusal::invalid_with(
                "requestsPerMinute",
                "number_out_of_range",
                [("max", MAX_REQUESTS_PER_MINUTE.to_string())],
            )
        },
    )?;
    require_expiry(wanted.expires_at, ctx)?;
    let live = ctx
        .state
        .api_keys()
        .filter(|key| key.party == party.id && key.is_live(ctx.now));
    require(live.count() < MAX_KEYS, || {
        Refusal::conflict("too_many_api_keys").with("max", MAX_KEYS)
    })?;
    let mut networks = wanted.networks.clone();
    networks.sort_unstable();
    networks.dedup();
    let issued = ApiKeyIssued {
        id,
        party: party.id,
        scopes: wanted.scopes.clone(),
        expires_at: wanted.expires_at,
        networks,
        requests_per_minute: wanted.requests_per_minute,
        secret: wanted.secret.clone(),
        personal: Personal::clear(party.id, wanted.details.clone()),
    };
    Ok(Decision::of(ApiKeyEvent::ApiKeyIssued(issued), id))
}

fn rotate(key: &ApiKey, rotation: &RotateApiKey, ctx: &Context<'_>) -> Result<Decision<ApiKeyEvent>, Refusal> {
    let overlap = rotation.overlap;
    require(Duration::zero() <= overlap && overlap <= MAX_OVERLAP, || {
        Refusal::invalid_with(
            "overlapHours",
            "number_out_of_range",
            [("max", MAX_OVERLAP.num_hours().to_string())],
        )
    })?;
    if let Some(at) = rotation.expires_at {
        require_expiry(at, ctx)?;
    }
    let rotated = ApiKeyRotated {
        id: key.id,
        party: key.party,
        secret: rotation.secret.clone(),
        previous_until: ctx.now + overlap,
        expires_at: rotation.expires_at.unwrap_or(key.expires_at),
    };
    Ok(Decision::of(ApiKeyEvent::ApiKeyRotated(rotated), key.id))
}

fn require_expiry(at: DateTime<Utc>, ctx: &Context<'_>) -> Result<(), Refusal> {
    require(at > ctx.now, || Refusal::invalid("expiresAt", "moment_is_past"))?;
    require(at <= ctx.now + MAX_LIFETIME, || {
        Refusal::invalid_with(
            "expiresAt",
            "moment_too_far",
            [("days", MAX_LIFETIME.num_days().to_string())],
        )
    })
}
