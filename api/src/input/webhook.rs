//! Request bodies of webhooks.

use super::{
    api_key::OVERLAP_HOURS,
    field::{Faults, Field, FromJson, fault},
    merge::{Shown, mergeable, standing},
    scalar::Whole,
};
use caudal_domain::{
    FieldError, Refusal,
    ids::PartyId,
    webhook::{AddWebhook, ChangeWebhook, WebhookCommand, WebhookDetails},
};
use caudal_projections::{public_events::PublicData, scalar, webhook::Webhook};
use chrono::Duration;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use utoipa::ToSchema;

/// A type of public events.
#[derive(Clone, Debug, PartialEq, Eq)]
struct EventType(String);

impl FromJson for EventType {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let name = String::from_json(raw)?;
        let is_known = PublicData::TYPES.iter().any(|known| known.name == name);
        if is_known {
            Ok(Self(name))
        } else {
            Err(fault("event_type_unknown"))
        }
    }
}

impl Shown for Vec<EventType> {
    /// Sorted: order is irrelevant. None are all types, as an absent field.
    fn shown(&self) -> Value {
        let mut names: Vec<&str> = self.iter().map(|one| one.0.as_str()).collect();
        names.sort_unstable();
        if names.is_empty() { Value::Null } else { names.into() }
    }
}

/// A position of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position(i64);

impl FromJson for Position {
    const BLANK_IS_NULL: bool = true;

    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        scalar::whole(raw.get().trim_matches('"')).map(Self).map_err(fault)
    }
}

/// A new endpoint.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WebhookInput {
    /// What the endpoint is for.
    #[serde(default)]
    #[schema(value_type = String, required, example = "Online shop")]
    name: Field<String>,
    /// Where deliveries are sent: `https://`, at a public address.
    #[serde(default)]
    #[schema(value_type = String, required, example = "https://shop.example.org/caudal")]
    url: Field<String>,
    /// Party in whose scope the events are; absent for the caller. Only managers add endpoints for others.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    party_id: Field<PartyId>,
    /// Types of events, as `GET /api/feed/types` lists them; absent or empty for all, also future ones.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, max_items = 100, example = json!(["caudal.remittance.created.v1"]))]
    types: Field<Vec<EventType>>,
    /// Position after which events are sent; 0 for all that there ever were, absent for those from now on.
    #[serde(default)]
    #[schema(value_type = Option<i64>, minimum = 0, example = 118)]
    after: Field<Position>,
}

impl WebhookInput {
    /// Converts to a command for the caller, with a salt. `head` is the end of the log.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, caller: PartyId, salt: String, head: i64) -> Result<AddWebhook, Refusal> {
        let mut faults = Faults::default();
        let name = faults.required_text("name", self.name);
        let url = faults.required_text("url", self.url);
        let party = faults.optional("partyId", self.party_id);
        let types = faults.optional("types", self.types);
        let after = faults.optional("after", self.after);
        let wanted = faults.finish(|| {
            Some(AddWebhook {
                party: party.unwrap_or(caller),
                details: WebhookDetails { name: name?, url: url? },
                types: types.unwrap_or_default().into_iter().map(|name| name.0).collect(),
                after: after.map_or(head, |after| after.0),
                salt,
            })
        })?;
        within(wanted.after, head)?;
        Ok(wanted)
    }
}

fn within(after: i64, head: i64) -> Result<(), Refusal> {
    if after <= head {
        return Ok(());
    }
    let bounds = [("min", "0".to_owned()), ("max", head.to_string())];
    Err(Refusal::invalid_with("after", "number_out_of_range", bounds))
}

/// A change of an endpoint.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WebhookChangeInput {
    /// What the endpoint is for.
    #[serde(default)]
    #[schema(value_type = String, required, example = "Online shop")]
    name: Field<String>,
    /// Where deliveries are sent: `https://`, at a public address.
    #[serde(default)]
    #[schema(value_type = String, required, example = "https://shop.example.org/caudal")]
    url: Field<String>,
    /// Types of events; absent or empty for all.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, max_items = 100, example = json!(["caudal.remittance.created.v1"]))]
    types: Field<Vec<EventType>>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(WebhookChangeInput {
    name: "name",
    url: "url",
    types: "types",
});

impl WebhookChangeInput {
    /// Current values in the shape of a request.
    pub(crate) fn standing(webhook: Webhook) -> Self {
        Self {
            name: standing(webhook.name),
            url: standing(webhook.url),
            types: Field::Given(webhook.types.into_iter().map(EventType).collect()),
            was: None,
        }
    }

    /// Converts to a change of an endpoint with these details.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, known: Option<WebhookDetails>) -> Result<ChangeWebhook, Refusal> {
        let mut faults = Faults::default();
        let name = faults.required_text("name", self.name);
        let url = faults.required_text("url", self.url);
        let types = faults.optional("types", self.types);
        faults.finish(|| {
            Some(ChangeWebhook {
                details: WebhookDetails { name: name?, url: url? },
                types: types.unwrap_or_default().into_iter().map(|name| name.0).collect(),
                known,
            })
        })
    }
}

/// A rotation of an endpoint's secret.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WebhookRotationInput {
    /// Hours in which deliveries are signed by the secret before too; 0 for none, 24 when absent.
    #[serde(default)]
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 720, example = 24)]
    overlap_hours: Field<Whole>,
}

impl WebhookRotationInput {
    /// Converts to a command with a salt.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, salt: String) -> Result<WebhookCommand, Refusal> {
        let mut faults = Faults::default();
        let overlap = faults.optional("overlapHours", self.overlap_hours);
        faults.finish(|| {
            Some(WebhookCommand::Rotate {
                salt,
                overlap: Duration::hours(overlap.map_or(OVERLAP_HOURS, |hours| hours.0).into()),
            })
        })
    }
}

/// Where deliveries begin again.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WebhookReplayInput {
    /// Position after which events are sent again; 0 for all.
    #[serde(default)]
    #[schema(value_type = i64, required, minimum = 0, example = 118)]
    after: Field<Position>,
}

impl WebhookReplayInput {
    /// Converts to a command. `head` is the end of the log.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self, head: i64) -> Result<WebhookCommand, Refusal> {
        let mut faults = Faults::default();
        let after = faults.required("after", self.after);
        let after = faults.finish(|| Some(after?.0))?;
        within(after, head)?;
        Ok(WebhookCommand::Replay { after })
    }
}
