//! Remittances as requests give them.

use super::{
    enumeration::DeliveryMethod,
    expected::{ExpectedInput, given},
    field::{Faults, Field},
    merge::{Mergeable as _, mergeable, standing},
    money,
};
use crate::{extract::MoneyInput, problem::ApiError};
use caudal_domain::{
    Expected, Refusal,
    customer::Place,
    ids::{CardId, CustomerId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId, RemittanceId},
    money::Amount,
    remittance::{
        Asked, AssignDealer, AttemptReason, CreateRemittance, DeliveryChoice, EditAmount, EditDetails, RecordAttempt,
        RemittanceDetails,
    },
};
use caudal_projections::remittance as view;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use utoipa::ToSchema;

/// The most remittances assigned by one call: each is a command of its own, and all must be done within a request.
pub const MAX_BULK: usize = 200;

/// A remittance to sell; a manager names the seller by agencyId or agentId.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceInput {
    /// The sender.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    sender_id: Field<CustomerId>,
    /// One of the sender's recipients.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    recipient_id: Field<CustomerId>,
    /// A group that the seller holds.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// What is sent, in USD.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// home: cash at the recipient's address; card: transfer to one of the recipient's cards.
    #[serde(default)]
    #[schema(value_type = view::DeliveryMethod, required)]
    delivery_method: Field<DeliveryMethod>,
    /// The card of a transfer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    card_id: Field<CardId>,
    /// The seller's own reference.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reference: Field<String>,
    /// The seller's notes.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    notes: Field<String>,
    /// The seller, where it is an agency.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// The seller, where it is an agent.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agent_id: Field<PartyId>,
    /// The figures that the person confirmed; nothing is done at others.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl RemittanceInput {
    /// The figures that the person confirmed; [`Self::command`] refuses what is no such thing.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self, id: RemittanceId) -> Result<CreateRemittance, Refusal> {
        let mut faults = Faults::default();
        let sender = faults.required("senderId", self.sender_id);
        let recipient = faults.required("recipientId", self.recipient_id);
        let group = faults.required("paymentGroupId", self.payment_group_id);
        let amount = faults.required("amount", self.amount);
        let method = faults.required("deliveryMethod", self.delivery_method);
        let card = faults.optional("cardId", self.card_id);
        let delivery = method.and_then(|method| choice(method, card, &mut faults));
        let reference = faults.text("reference", self.reference);
        let notes = faults.note("notes", self.notes);
        let agency = faults.optional("agencyId", self.agency_id);
        let agent = faults.optional("agentId", self.agent_id);
        faults.optional("expected", self.expected);
        faults.finish(|| {
            Some(CreateRemittance {
                id,
                // An agent's agency may stand beside it; the agent sells.
                seller: agent.or(agency),
                sender: sender?,
                recipient: recipient?,
                group: group?,
                amount: amount?,
                delivery: delivery?,
                reference,
                notes,
            })
        })
    }
}

fn choice(method: DeliveryMethod, card: Option<CardId>, faults: &mut Faults) -> Option<DeliveryChoice> {
    match (method, card) {
        (DeliveryMethod::Home, _) => Some(DeliveryChoice::Home),
        (DeliveryMethod::Card, Some(card)) => Some(DeliveryChoice::Card(card)),
        (DeliveryMethod::Card, None) => {
            faults.add("cardId", "required");
            None
        }
    }
}

/// New amount or group; quoted anew.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAmountInput {
    /// What is sent from now on, in USD.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// The group from now on.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// The figures that the person confirmed; nothing is done at others.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl RemittanceAmountInput {
    /// The figures that the person confirmed; [`Self::command`] refuses what is no such thing.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self) -> Result<EditAmount, Refusal> {
        let mut faults = Faults::default();
        let amount = faults.required("amount", self.amount);
        let group = faults.required("paymentGroupId", self.payment_group_id);
        faults.optional("expected", self.expected);
        faults.finish(|| {
            Some(EditAmount {
                amount: amount?,
                group: group?,
            })
        })
    }
}

/// What changes; absent fields stay.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDetailsInput {
    /// Another of the sender's recipients.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    recipient_id: Field<CustomerId>,
    /// Another address; null goes back to the recipient's own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    address: Field<String>,
    /// The province of that address.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    province_id: Field<ProvinceId>,
    /// The municipality of that address.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    municipality_id: Field<MunicipalityId>,
    /// home or card.
    #[serde(default)]
    #[schema(value_type = view::DeliveryMethod)]
    delivery_method: Field<DeliveryMethod>,
    /// The card of a transfer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    card_id: Field<CardId>,
    /// The seller's notes; null removes them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    notes: Field<String>,
    /// The seller's own reference, unique among the seller's; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reference: Field<String>,
    /// The values of the fields that are sent, as they were read: what another changed since is refused
    /// (409 `changed_since_read`).
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(RemittanceDetailsInput {
    recipient_id: "recipientId",
    address: "address",
    province_id: "provinceId",
    municipality_id: "municipalityId",
    delivery_method: "deliveryMethod",
    card_id: "cardId",
    notes: "notes",
    reference: "reference",
});

impl RemittanceDetailsInput {
    /// Whether it says what its fields were when they were read.
    pub(crate) const fn says_what_was(&self) -> bool {
        self.was.is_some()
    }

    /// A remittance's details merged with what stands, as readers see it. What is not sent stays absent: the address that
    /// is shown may be the recipient's own.
    ///
    /// # Errors
    /// 409 with the fields that another changed since.
    pub(crate) fn merged_with(self, stands: view::Remittance) -> Result<Self, ApiError> {
        let sent = self.clone();
        let address = stands.address.as_ref();
        let shown = Self {
            recipient_id: Field::Given(CustomerId(stands.recipient.id)),
            address: standing(address.and_then(|address| address.address_line.clone())),
            province_id: standing(address.and_then(|address| address.province_id).map(ProvinceId)),
            municipality_id: standing(address.and_then(|address| address.municipality_id).map(MunicipalityId)),
            delivery_method: Field::Given(match stands.delivery_method {
                view::DeliveryMethod::Home => DeliveryMethod::Home,
                view::DeliveryMethod::Card => DeliveryMethod::Card,
            }),
            card_id: standing(stands.card.as_ref().map(|card| CardId(card.id))),
            notes: standing(stands.notes),
            reference: standing(stands.reference),
            was: None,
        };
        self.merged(|| shown).map(|_| Self { was: None, ..sent })
    }

    /// The command, with what stays taken from the details as they are.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self, current: view::OwnDetails) -> Result<EditDetails, Refusal> {
        let mut faults = Faults::default();
        let recipient = faults.optional("recipientId", self.recipient_id);
        let address = faults.text_change("address", self.address);
        let province = faults.optional("provinceId", self.province_id);
        let municipality = faults.optional("municipalityId", self.municipality_id);
        if province.is_some() && municipality.is_none() {
            faults.add("municipalityId", "required");
        }
        let method = faults.optional("deliveryMethod", self.delivery_method);
        let card = faults.optional("cardId", self.card_id);
        let delivery = match method {
            Some(method) => choice(method, card, &mut faults),
            None => card.map(DeliveryChoice::Card),
        };
        let notes = faults.note_change("notes", self.notes);
        let reference = faults.text_change("reference", self.reference);
        faults.finish(|| {
            let recipient = recipient.unwrap_or(current.recipient);
            let known = RemittanceDetails {
                address: current.address.clone(),
                notes: current.notes.clone(),
            };
            // Another recipient lives elsewhere: an address set for the first one does not stay.
            let kept = current.address.filter(|_| recipient == current.recipient);
            Some(EditDetails {
                recipient,
                place: municipality.map(|municipality| Place {
                    province,
                    municipality: Some(municipality),
                }),
                delivery,
                address: address.unwrap_or(kept),
                notes: notes.unwrap_or(current.notes),
                reference,
                known: Some(known),
            })
        })
    }
}

/// The dealer, and one of its delivery men.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssignDealerInput {
    /// The dealer.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    dealer_id: Field<PartyId>,
    /// One of his delivery men; nobody where absent.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    delivery_man_id: Field<PartyId>,
}

impl AssignDealerInput {
    /// The command.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self) -> Result<AssignDealer, Refusal> {
        let mut faults = Faults::default();
        let dealer = faults.required("dealerId", self.dealer_id);
        let delivery_man = faults.optional("deliveryManId", self.delivery_man_id);
        faults.finish(|| {
            Some(AssignDealer {
                dealer: dealer?,
                delivery_man,
            })
        })
    }
}

/// Several remittances to one dealer.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BulkAssignInput {
    /// Which, each once; at most 200.
    #[serde(default)]
    #[schema(value_type = Vec<uuid::Uuid>, required, min_items = 1, max_items = 200)]
    remittance_ids: Field<Vec<RemittanceId>>,
    /// The dealer.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    dealer_id: Field<PartyId>,
    /// One of the dealer's delivery men.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    delivery_man_id: Field<PartyId>,
}

impl BulkAssignInput {
    /// The remittances, and the command for each.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn commands(self) -> Result<(Vec<RemittanceId>, AssignDealer), Refusal> {
        let mut faults = Faults::default();
        let ids = faults.required("remittanceIds", self.remittance_ids);
        let dealer = faults.required("dealerId", self.dealer_id);
        let delivery_man = faults.optional("deliveryManId", self.delivery_man_id);
        if let Some(ids) = &ids {
            if ids.is_empty() {
                faults.add("remittanceIds", "required");
            }
            if ids.len() > MAX_BULK {
                let params = [("max", MAX_BULK.to_string())];
                faults.add_all("remittanceIds", super::field::fault_with("too_many", params));
            }
            let mut seen = std::collections::HashSet::new();
            for (index, id) in ids.iter().enumerate() {
                if !seen.insert(*id) {
                    faults.add(format!("remittanceIds[{index}]"), "duplicate");
                }
            }
        }
        faults.finish(|| {
            let assign = AssignDealer {
                dealer: dealer?,
                delivery_man,
            };
            Some((ids?, assign))
        })
    }
}

/// An attempt to deliver that failed.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AttemptInput {
    /// Why it failed.
    #[serde(default)]
    #[schema(value_type = view::AttemptReason, required)]
    reason: Field<AttemptReason>,
    /// When it was tried, where it is sent later: between the assignment and now, at most 30 days ago.
    #[serde(default)]
    #[schema(value_type = Option<DateTime<Utc>>)]
    attempted_at: Field<DateTime<Utc>>,
}

impl AttemptInput {
    /// The command of a caller who has carried the remittance since then.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self, carried_since: Option<DateTime<Utc>>) -> Result<RecordAttempt, Refusal> {
        let mut faults = Faults::default();
        let reason = faults.required("reason", self.reason);
        let attempted_at = faults.optional("attemptedAt", self.attempted_at);
        faults.finish(|| {
            Some(RecordAttempt {
                reason: reason?,
                attempted_at,
                carried_since,
            })
        })
    }
}

/// Why.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReasonInput {
    /// The reason, in the caller's words.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    reason: Field<String>,
}

impl ReasonInput {
    /// The reason.
    ///
    /// # Errors
    /// None was given.
    pub fn reason(self) -> Result<String, Refusal> {
        let mut faults = Faults::default();
        let reason = faults.required_note("reason", self.reason);
        faults.finish(|| reason)
    }
}

/// The agencies whose remittances the dealer desk shows; all that the caller sees where empty.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DealerDeskInput {
    /// Their ids.
    #[serde(default)]
    #[schema(value_type = Option<Vec<uuid::Uuid>>)]
    agency_ids: Field<Vec<PartyId>>,
}

impl DealerDeskInput {
    /// The agencies.
    ///
    /// # Errors
    /// All ids at fault.
    pub fn agencies(self) -> Result<Vec<PartyId>, Refusal> {
        let mut faults = Faults::default();
        let agencies = faults.optional("agencyIds", self.agency_ids).unwrap_or_default();
        faults.finish(|| Some(agencies))
    }
}

/// What a quote is asked for. Exactly one of Amount and Payout.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct QuoteQuery {
    /// The group.
    #[serde(rename = "PaymentGroupId")]
    #[param(value_type = uuid::Uuid, required)]
    payment_group_id: Option<String>,
    /// What is sent, in USD.
    #[serde(rename = "Amount")]
    #[param(value_type = String, required = false, pattern = r"^\d+(\.\d{1,2}0*)?$")]
    amount: Option<String>,
    /// What is to be paid out, at least.
    #[serde(rename = "Payout")]
    #[param(value_type = String, required = false, pattern = r"^\d+(\.\d{1,2}0*)?$")]
    payout: Option<String>,
    /// The seller, which a manager must name.
    #[serde(rename = "sellerId")]
    #[param(value_type = uuid::Uuid, required = false)]
    seller_id: Option<String>,
}

/// A quote asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// The group.
    pub group: PaymentGroupId,
    /// For how much sent or paid out.
    pub asked: Asked,
    /// The seller named.
    pub seller: Option<PartyId>,
}

impl QuoteQuery {
    /// What it asks for.
    ///
    /// # Errors
    /// All parameters at fault.
    pub fn request(self) -> Result<QuoteRequest, Refusal> {
        let mut faults = Faults::default();
        let group = match self.payment_group_id.filter(|text| !text.is_empty()) {
            Some(text) => text
                .parse()
                .map_err(|_| faults.add("PaymentGroupId", "id_invalid"))
                .ok(),
            None => {
                faults.add("PaymentGroupId", "required");
                None
            }
        };
        let seller = self
            .seller_id
            .filter(|text| !text.is_empty())
            .and_then(|text| text.parse().map_err(|_| faults.add("sellerId", "id_invalid")).ok());
        let mut read = |name, text: &str| money(text).map_err(|found| faults.add_all(name, found)).ok();
        let asked = match (&self.amount, &self.payout) {
            (Some(amount), None) => read("Amount", amount).map(Asked::Amount),
            (None, Some(payout)) => read("Payout", payout).map(Asked::Payout),
            (Some(_), Some(_)) => {
                faults.add("Payout", "amount_or_payout");
                None
            }
            (None, None) => {
                faults.add("Amount", "required");
                None
            }
        };
        faults.finish(|| {
            Some(QuoteRequest {
                group: group?,
                asked: asked?,
                seller,
            })
        })
    }
}
