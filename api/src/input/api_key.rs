//! Request bodies of API keys.

use super::{
    field::{Faults, Field, FromJson, fault},
    rates::Moment,
    scalar::Whole,
};
use caudal_domain::{
    FieldError, Refusal,
    api_key::{ApiKeyDetails, IssueApiKey, KeyScope, KeySecret, Network, RotateApiKey},
    ids::PartyId,
};
use chrono::Duration;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Rate limit of a key without one of its own.
const REQUESTS_PER_MINUTE: u32 = 600;
/// Overlap of a rotation without one of its own.
pub(super) const OVERLAP_HOURS: u32 = 24;

impl FromJson for KeyScope {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        String::from_json(raw)?.parse().map_err(|_| fault("scope_unknown"))
    }
}

impl FromJson for Network {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        String::from_json(raw)?
            .trim()
            .parse()
            .map_err(|_| fault("network_invalid"))
    }
}

/// A new API key.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApiKeyInput {
    /// Purpose of the key, such as `Online shop`.
    #[serde(default)]
    #[schema(value_type = String, required, example = "Online shop")]
    name: Field<String>,
    /// Party as which the key acts; absent for the caller. Only managers issue keys for others.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    party_id: Field<PartyId>,
    /// Scopes, of those of the party's role: `GET /api/keys/scopes` lists them.
    #[serde(default)]
    #[schema(value_type = Vec<String>, required, min_items = 1, max_items = 100,
             example = json!(["customer:write", "remittances:write"]))]
    scopes: Field<Vec<KeyScope>>,
    /// Time from which the key is refused, RFC 3339; at most two years ahead.
    #[serde(default)]
    #[schema(value_type = chrono::DateTime<chrono::Utc>, required)]
    expires_at: Field<Moment>,
    /// Networks in CIDR notation, or addresses, from which the key may be used; absent or empty for all.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, max_items = 20, example = json!(["203.0.113.0/24"]))]
    networks: Field<Vec<Network>>,
    /// Rate limit, per node of the installation; 600 when absent.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 60000, example = 600)]
    requests_per_minute: Field<Whole>,
}

impl ApiKeyInput {
    /// Converts to a command for the caller, with a secret.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, caller: PartyId, secret: KeySecret) -> Result<IssueApiKey, Refusal> {
        let mut faults = Faults::default();
        let name = faults.required_text("name", self.name);
        let party = faults.optional("partyId", self.party_id);
        let scopes = faults.required("scopes", self.scopes);
        let expires_at = faults.required("expiresAt", self.expires_at);
        let networks = faults.optional("networks", self.networks);
        let requests_per_minute = faults.optional("requestsPerMinute", self.requests_per_minute);
        faults.finish(|| {
            Some(IssueApiKey {
                party: party.unwrap_or(caller),
                details: ApiKeyDetails { name: name? },
                scopes: BTreeSet::from_iter(scopes?),
                expires_at: expires_at?.0,
                networks: networks.unwrap_or_default(),
                requests_per_minute: requests_per_minute.map_or(REQUESTS_PER_MINUTE, |number| number.0),
                secret,
            })
        })
    }
}

/// A rotation of an API key.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApiKeyRotationInput {
    /// Hours in which the secret before is accepted too; 0 for none, 24 when absent.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 720, example = 24)]
    overlap_hours: Field<Whole>,
    /// A new expiry, RFC 3339, at most two years ahead; absent to keep the expiry.
    #[serde(default)]
    #[schema(value_type = Option<chrono::DateTime<chrono::Utc>>)]
    expires_at: Field<Moment>,
}

impl ApiKeyRotationInput {
    /// Converts to a command with a secret.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, secret: KeySecret) -> Result<RotateApiKey, Refusal> {
        let mut faults = Faults::default();
        let overlap = faults.optional("overlapHours", self.overlap_hours);
        let expires_at = faults.optional("expiresAt", self.expires_at);
        faults.finish(|| {
            Some(RotateApiKey {
                secret,
                overlap: Duration::hours(overlap.map_or(OVERLAP_HOURS, |hours| hours.0).into()),
                expires_at: expires_at.map(|moment| moment.0),
            })
        })
    }
}
