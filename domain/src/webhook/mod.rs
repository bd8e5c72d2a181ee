//! Webhooks: endpoints of other systems, to which the public events in their party's scope are sent.
//!
//! The secret that signs deliveries is in no event: it derives from the key file and the `salt` of an event. Name and URL
//! are personal data of the party. What was delivered is no event, and stands beside the log.

#[cfg(test)]
mod tests;

use crate::{
    decision::{Actor, Context, Decision},
    ids::{PartyId, WebhookId},
    party::{Party, Role},
    personal::Personal,
    refusal::{Refusal, require},
    text,
};
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// In characters.
pub const MAX_NAME_LENGTH: usize = 80;
/// In characters.
pub const MAX_URL_LENGTH: usize = 500;
/// Event types of an endpoint.
pub const MAX_TYPES: usize = 100;
/// In bytes.
const MAX_TYPE_LENGTH: usize = 100;
/// Endpoints of a party that are not removed.
pub const MAX_ENDPOINTS: usize = 10;
/// For which deliveries are signed by the secret before a rotation too.
pub const MAX_OVERLAP: Duration = Duration::days(30);

/// Why nothing is sent to an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PauseReason {
    /// Its party, or a manager, paused it.
    Asked,
    /// It answered 410 Gone.
    Gone,
    /// It accepted nothing for three days.
    Failing,
}

impl PauseReason {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asked => "asked",
            Self::Gone => "gone",
            Self::Failing => "failing",
        }
    }
}

/// An endpoint without personal data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Webhook {
    pub id: WebhookId,
    /// The party in whose scope the events are.
    pub party: PartyId,
    /// Event types that are sent; empty for all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    /// What the secret derives from, beside the key file.
    pub salt: String,
    /// The salt before the last rotation, with the end of its use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<(String, DateTime<Utc>)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<PauseReason>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub removed: bool,
}

impl Webhook {
    /// The salts whose secrets sign a delivery: the present one first.
    #[must_use]
    pub fn salts(&self, now: DateTime<Utc>) -> Vec<&str> {
        let previous = self.previous.as_ref().filter(|(_, until)| now < *until);
        std::iter::once(self.salt.as_str())
            .chain(previous.map(|(salt, _)| salt.as_str()))
            .collect()
    }

    pub(crate) fn fold(state: Option<Self>, event: &WebhookEvent) -> Option<Self> {
        match event {
            WebhookEvent::WebhookAdded(added) => Some(Self {
                id: added.id,
                party: added.party,
                types: added.types.clone(),
                salt: added.salt.clone(),
                previous: None,
                paused: None,
                removed: false,
            }),
            WebhookEvent::WebhookChanged(changed) => state.map(|state| Self {
                types: changed.types.clone(),
                ..state
            }),
            WebhookEvent::WebhookSecretRotated {
                salt, previous_until, ..
            } => state.map(|state| Self {
                salt: salt.clone(),
                previous: Some((state.salt, *previous_until)),
                ..state
            }),
            WebhookEvent::WebhookPaused { reason, .. } => state.map(|state| Self {
                paused: Some(*reason),
                ..state
            }),
            WebhookEvent::WebhookResumed { .. } => state.map(|state| Self { paused: None, ..state }),
            WebhookEvent::WebhookReplayed { .. } => state,
            WebhookEvent::WebhookRemoved { .. } => state.map(|state| Self { removed: true, ..state }),
        }
    }
}

/// Personal data of an endpoint: encrypted under its party's key.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct WebhookDetails {
    /// What the endpoint is for, in the words of its party.
    pub name: String,
    pub url: String,
}

crate::personal::personal_data!(WebhookDetails);

impl WebhookDetails {
    fn validate(&self) -> Result<(), Refusal> {
        text::required("name", &self.name, MAX_NAME_LENGTH)?;
        text::required("url", &self.url, MAX_URL_LENGTH)?;
        require(is_url(&self.url), || Refusal::invalid("url", "url_invalid"))
    }
}

/// Whether a text is an `https://` or `http://` URL with a host, and without login and fragment.
fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let Some(rest) = rest else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let is_plain = text
        .bytes()
        .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'#' | b'`'));
    is_plain && !authority.is_empty() && !authority.starts_with(':') && !authority.contains('@')
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WebhookAdded {
    pub id: WebhookId,
    pub party: PartyId,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    /// Position after which the events are sent.
    pub after: i64,
    pub salt: String,
    pub personal: Personal<WebhookDetails>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WebhookChanged {
    pub id: WebhookId,
    pub party: PartyId,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub types: BTreeSet<String>,
    pub personal: Personal<WebhookDetails>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum WebhookEvent {
    WebhookAdded(WebhookAdded),
    WebhookChanged(WebhookChanged),
    #[serde(rename_all = "camelCase")]
    WebhookSecretRotated {
        id: WebhookId,
        party: PartyId,
        /// The new salt.
        salt: String,
        /// End of the use of the secret before.
        previous_until: DateTime<Utc>,
    },
    WebhookPaused {
        id: WebhookId,
        party: PartyId,
        reason: PauseReason,
    },
    WebhookResumed {
        id: WebhookId,
        party: PartyId,
    },
    WebhookReplayed {
        id: WebhookId,
        party: PartyId,
        /// Position after which the events are sent again.
        after: i64,
    },
    WebhookRemoved {
        id: WebhookId,
        party: PartyId,
    },
}

/// A new endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct AddWebhook {
    pub party: PartyId,
    pub details: WebhookDetails,
    /// Public event types, known to the API; empty for all.
    pub types: BTreeSet<String>,
    pub after: i64,
    pub salt: String,
}

/// Another name, URL or selection of types.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeWebhook {
    pub details: WebhookDetails,
    pub types: BTreeSet<String>,
    /// The present details, if the caller has read them: an equal change writes no event.
    pub known: Option<WebhookDetails>,
}

/// Commands of an endpoint.
#[derive(Clone, Debug, PartialEq)]
pub enum WebhookCommand {
    Add(AddWebhook),
    Change(ChangeWebhook),
    /// Gives it a new secret; the one before signs too for the overlap.
    Rotate {
        salt: String,
        overlap: Duration,
    },
    Pause,
    Resume,
    /// Sends the events after a position again.
    Replay {
        after: i64,
    },
    /// Ends it. A removed endpoint cannot be restored.
    Remove,
    /// The dispatcher's pause of an endpoint that takes nothing.
    Stop(PauseReason),
}

/// Whether a caller may act on a party's endpoint: the party itself, and managers.
///
/// # Errors
/// 404 when the caller does not see it.
pub fn judge((id, role): (PartyId, Role), party: PartyId, removed: bool) -> Result<(), Refusal> {
    require(!removed && (role == Role::Manager || id == party), || {
        Refusal::not_found("webhook_not_found")
    })
}

pub(crate) fn decide(
    id: WebhookId,
    own: Option<&Webhook>,
    command: &WebhookCommand,
    ctx: &Context<'_>,
) -> Result<Decision<WebhookEvent>, Refusal> {
    if let WebhookCommand::Stop(reason) = command {
        return stop(own, *reason, ctx);
    }
    let caller = ctx.caller()?;
    if let WebhookCommand::Add(wanted) = command {
        return Decision::of_new(add(id, wanted, caller, ctx), own.is_some());
    }
    let own = own.ok_or_else(|| Refusal::not_found("webhook_not_found"))?;
    judge((caller.id, caller.role), own.party, own.removed)?;
    let party = own.party;
    let (event, is_unchanged) = match command {
        WebhookCommand::Add(_) | WebhookCommand::Stop(_) => return Ok(Decision::nothing(id)),
        WebhookCommand::Change(change) => {
            change.details.validate()?;
            check_types(&change.types)?;
            let is_unchanged = change.known.as_ref() == Some(&change.details) && change.types == own.types;
            let changed = WebhookChanged {
                id,
                party,
                types: change.types.clone(),
                personal: Personal::clear(party, change.details.clone()),
            };
            (WebhookEvent::WebhookChanged(changed), is_unchanged)
        }
        WebhookCommand::Rotate { salt, overlap } => {
            require(Duration::zero() <= *overlap && *overlap <= MAX_OVERLAP, || {
                Refusal::invalid_with(
                    "overlapHours",
                    "number_out_of_range",
                    [("max", MAX_OVERLAP.num_hours().to_string())],
                )
            })?;
            let rotated = WebhookEvent::WebhookSecretRotated {
                id,
                party,
                salt: salt.clone(),
                previous_until: ctx.now + *overlap,
            };
            (rotated, false)
        }
        WebhookCommand::Pause => {
            let reason = PauseReason::Asked;
            (WebhookEvent::WebhookPaused { id, party, reason }, own.paused.is_some())
        }
        WebhookCommand::Resume => (WebhookEvent::WebhookResumed { id, party }, own.paused.is_none()),
        WebhookCommand::Replay { after } => {
            let after = *after;
            require(after >= 0, || Refusal::invalid("after", "number_negative"))?;
            (WebhookEvent::WebhookReplayed { id, party, after }, false)
        }
        WebhookCommand::Remove => (WebhookEvent::WebhookRemoved { id, party }, false),
    };
    Ok(Decision::of(event, id).unless(is_unchanged))
}

fn add(
    id: WebhookId,
    wanted: &AddWebhook,
    caller: &Party,
    ctx: &Context<'_>,
) -> Result<Decision<WebhookEvent>, Refusal> {
    let party = ctx.state.party(wanted.party).filter(|party| !party.forgotten);
    let is_seen = caller.role == Role::Manager || caller.id == wanted.party;
    let party = party
        .filter(|_| is_seen)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    require(party.is_active, || Refusal::conflict("party_inactive"))?;
    wanted.details.validate()?;
    check_types(&wanted.types)?;
    require(wanted.after >= 0, || Refusal::invalid("after", "number_negative"))?;
    let present = ctx
        .state
        .webhooks()
        .filter(|webhook| webhook.party == party.id && !webhook.removed);
    require(present.count() < MAX_ENDPOINTS, || {
        Refusal::conflict("too_many_webhooks").with("max", MAX_ENDPOINTS)
    })?;
    let added = WebhookAdded {
        id,
        party: party.id,
        types: wanted.types.clone(),
        after: wanted.after,
        salt: wanted.salt.clone(),
        personal: Personal::clear(party.id, wanted.details.clone()),
    };
    Ok(Decision::of(WebhookEvent::WebhookAdded(added), id))
}

fn check_types(types: &BTreeSet<String>) -> Result<(), Refusal> {
    require(types.len() <= MAX_TYPES, || {
        Refusal::invalid_with("types", "too_many", [("max", MAX_TYPES.to_string())])
    })?;
    let is_type = |name: &String| {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_');
        (1..=MAX_TYPE_LENGTH).contains(&name.len()) && name.bytes().all(is_plain)
    };
    require(types.iter().all(is_type), || {
        Refusal::invalid("types", "event_type_unknown")
    })
}

/// A stop by the dispatcher. It changes nothing where somebody paused or removed the endpoint meanwhile.
fn stop(own: Option<&Webhook>, reason: PauseReason, ctx: &Context<'_>) -> Result<Decision<WebhookEvent>, Refusal> {
    require(ctx.actor == Actor::System, || Refusal::forbidden("role_not_allowed"))?;
    let own = own.ok_or_else(|| Refusal::not_found("webhook_not_found"))?;
    let (id, party) = (own.id, own.party);
    let is_over = own.removed || own.paused.is_some();
    Ok(Decision::of(WebhookEvent::WebhookPaused { id, party, reason }, id).unless(is_over))
}
