//! Request bodies of remittances.

use super::{
    decimal::MoneyInput,
    enumeration::DeliveryMethod,
    expected::{ExpectedInput, given},
    field::{Faults, Field},
    merge::{Mergeable as _, mergeable, standing},
    money,
};
use crate::problem::ApiError;
use caudal_domain::{
    Expected, Refusal,
    customer::Place,
    ids::{CardId, CustomerId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId, RemittanceId},
    limits::{SaleChecks, SaleDeclaration},
    money::Amount,
    remittance::{
        AssignDealer, AttemptReason, CreateRemittance, DeliveryChoice, EditAmount, EditDetails, NamedAgent, QuoteBasis,
        RecordAttempt, RemittanceDetails,
    },
};
use caudal_projections::{from_log::OwnDetails, remittance as view, scalar};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use utoipa::ToSchema;

/// Maximum remittances of a bulk assignment; each is a command, and all must finish within the request's timeout.
pub const MAX_BULK: usize = 200;

/// A remittance to sell. A manager must name the seller by `agencyId` or `agentId`.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceInput {
    /// Id of the sender (issuer).
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    sender_id: Field<CustomerId>,
    /// Id of one of the sender's recipients.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    recipient_id: Field<CustomerId>,
    /// Id of a payment group in the seller's terms.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Amount sent, in USD, as a decimal string such as `100.00`.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Delivery method: `home` for cash at the recipient's address, `card` for a transfer to one of the recipient's
    /// cards.
    #[serde(default)]
    #[schema(value_type = scalar::DeliveryMethod, required)]
    delivery_method: Field<DeliveryMethod>,
    /// One of the recipient's cards; required for a card transfer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    card_id: Field<CardId>,
    /// The seller's own reference; unique per seller, at most 60 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reference: Field<String>,
    /// The seller's notes, at most 500 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    notes: Field<String>,
    /// Purpose of the transfer, at most 200 characters. Needed where the sale is refused with `needs_purpose`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "Family support")]
    purpose: Field<String>,
    /// Source of the funds, at most 200 characters. Needed where the sale is refused with `needs_source_of_funds`.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "Salary")]
    source_of_funds: Field<String>,
    /// Seller, when an agency. Beside `agentId` it must be that agent's agency.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agency_id: Field<PartyId>,
    /// Seller, when an agent.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    agent_id: Field<PartyId>,
    /// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl RemittanceInput {
    /// Confirmed figures; [`Self::command`] rejects invalid ones.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
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
        let purpose = faults.text("purpose", self.purpose);
        let source_of_funds = faults.text("sourceOfFunds", self.source_of_funds);
        let agency = faults.optional("agencyId", self.agency_id);
        let agent = faults.optional("agentId", self.agent_id);
        faults.optional("expected", self.expected);
        faults.finish(|| {
            Some(CreateRemittance {
                id,
                // With both given, the agent sells, and the agency must be the agent's.
                seller: agent.or(agency),
                named_agent: agent.map(|_| NamedAgent { agency }),
                sender: sender?,
                recipient: recipient?,
                group: group?,
                amount: amount?,
                delivery: delivery?,
                reference,
                notes,
                declaration: SaleDeclaration {
                    purpose,
                    source_of_funds,
                },
                checks: SaleChecks::default(),
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

/// New amount and payment group; the remittance is requoted.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceAmountInput {
    /// New amount sent, in USD, as a decimal string.
    #[serde(default)]
    #[schema(value_type = MoneyInput, required)]
    amount: Field<Amount>,
    /// Id of the new payment group.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    payment_group_id: Field<PaymentGroupId>,
    /// Figures that the person confirmed. If the command would result in others, it is refused: 409 `quote_changed`.
    #[serde(default)]
    #[schema(value_type = ExpectedInput)]
    expected: Field<Expected>,
}

impl RemittanceAmountInput {
    /// Confirmed figures; [`Self::command`] rejects invalid ones.
    #[must_use]
    pub const fn expected(&self) -> Option<Expected> {
        given(&self.expected)
    }

    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
    pub fn command(self) -> Result<EditAmount, Refusal> {
        let mut faults = Faults::default();
        let amount = faults.required("amount", self.amount);
        let group = faults.required("paymentGroupId", self.payment_group_id);
        faults.optional("expected", self.expected);
        faults.finish(|| Some(EditAmount::new(amount?, group?)))
    }
}

/// A partial change of details; absent fields stay unchanged.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceDetailsInput {
    /// Id of another of the sender's recipients.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    recipient_id: Field<CustomerId>,
    /// Delivery address; null restores the recipient's own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    address: Field<String>,
    /// Province of the address, from Cuba's catalogue.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    province_id: Field<ProvinceId>,
    /// Municipality of the address, from Cuba's catalogue.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid)]
    municipality_id: Field<MunicipalityId>,
    /// Delivery method: `home` or `card`.
    #[serde(default)]
    #[schema(value_type = scalar::DeliveryMethod)]
    delivery_method: Field<DeliveryMethod>,
    /// One of the recipient's cards; required for a card transfer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    card_id: Field<CardId>,
    /// The seller's notes, at most 500 characters; null removes them.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    notes: Field<String>,
    /// The seller's own reference, unique among the seller's; null removes it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reference: Field<String>,
    /// The values of the fields that are sent, as they were read: what another changed since is refused
    /// (409 `changed_since_read`).
    #[serde(default, deserialize_with = "crate::input::merge::was")]
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
    /// Whether the request contains `was`.
    pub(crate) const fn says_what_was(&self) -> bool {
        self.was.is_some()
    }

    /// Merges with the current details as readers see them. Absent fields stay absent: the address shown may be the
    /// recipient's own.
    ///
    /// # Errors
    /// 409 with the conflicting fields.
    pub(crate) fn merged_with(self, stands: view::Remittance) -> Result<Self, ApiError> {
        let sent = self.clone();
        let address = stands.address.as_ref();
        let shown = Self {
            recipient_id: Field::Given(CustomerId(stands.recipient.id)),
            address: standing(address.and_then(|address| address.address_line.clone())),
            province_id: standing(address.and_then(|address| address.province_id).map(ProvinceId)),
            municipality_id: standing(address.and_then(|address| address.municipality_id).map(MunicipalityId)),
            delivery_method: Field::Given(match stands.delivery_method {
                scalar::DeliveryMethod::Home => DeliveryMethod::Home,
                scalar::DeliveryMethod::Card => DeliveryMethod::Card,
            }),
            card_id: standing(stands.card.as_ref().map(|card| CardId(card.id))),
            notes: standing(stands.notes),
            reference: standing(stands.reference),
            was: None,
        };
        self.merged(|| shown).map(|_| Self { was: None, ..sent })
    }

    /// Converts to a command; absent fields keep the current value.
    ///
    /// # Errors
    /// All fields at fault.
    pub fn command(self, current: OwnDetails) -> Result<EditDetails, Refusal> {
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
            // Another recipient lives elsewhere: the address of the first one is dropped.
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
                checks: SaleChecks::default(),
            })
        })
    }
}

/// A dealer, and optionally one of its delivery men.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssignDealerInput {
    /// Id of the dealer.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    dealer_id: Field<PartyId>,
    /// Id of one of the dealer's delivery men; absent leaves it with the dealer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    delivery_man_id: Field<PartyId>,
}

impl AssignDealerInput {
    /// Converts to a command.
    ///
    /// # Errors
    /// All field errors.
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

/// An assignment of several remittances to one dealer.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BulkAssignInput {
    /// Ids of the remittances, each once; at most 200.
    #[serde(default)]
    #[schema(value_type = Vec<uuid::Uuid>, required, min_items = 1, max_items = 200)]
    remittance_ids: Field<Vec<RemittanceId>>,
    /// Id of the dealer.
    #[serde(default)]
    #[schema(value_type = uuid::Uuid, required)]
    dealer_id: Field<PartyId>,
    /// Id of one of the dealer's delivery men; absent leaves them with the dealer.
    #[serde(default)]
    #[schema(value_type = Option<uuid::Uuid>)]
    delivery_man_id: Field<PartyId>,
}

impl BulkAssignInput {
    /// The remittances, and the command for each.
    ///
    /// # Errors
    /// All field errors.
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

/// A failed delivery attempt.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AttemptInput {
    /// Reason of the failure, such as `nobodyHome`.
    #[serde(default)]
    #[schema(value_type = scalar::AttemptReason, required)]
    reason: Field<AttemptReason>,
    /// Time of an attempt recorded offline, RFC 3339: between the assignment and now, at most 30 days ago. Absent for
    /// now.
    #[serde(default)]
    #[schema(value_type = Option<DateTime<Utc>>)]
    attempted_at: Field<DateTime<Utc>>,
}

impl AttemptInput {
    /// Converts to a command of a carrier since `carried_since`.
    ///
    /// # Errors
    /// All field errors.
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

/// A reason.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReasonInput {
    /// Reason in the caller's words, at most 500 characters.
    #[serde(default)]
    #[schema(value_type = String, required, min_length = 1)]
    reason: Field<String>,
}

impl ReasonInput {
    /// The reason.
    ///
    /// # Errors
    /// A missing reason.
    pub fn reason(self) -> Result<String, Refusal> {
        let mut faults = Faults::default();
        let reason = faults.required_note("reason", self.reason);
        faults.finish(|| reason)
    }
}

/// Agencies of the dealer desk.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DealerDeskInput {
    /// Ids of the agencies; empty for all in the caller's scope.
    #[serde(default)]
    #[schema(value_type = Option<Vec<uuid::Uuid>>)]
    agency_ids: Field<Vec<PartyId>>,
}

impl DealerDeskInput {
    /// The agencies.
    ///
    /// # Errors
    /// All invalid ids.
    pub fn agencies(self) -> Result<Vec<PartyId>, Refusal> {
        let mut faults = Faults::default();
        let agencies = faults.optional("agencyIds", self.agency_ids).unwrap_or_default();
        faults.finish(|| Some(agencies))
    }
}

/// Parameters of a quote. Exactly one of Amount and Payout is required.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct QuoteQuery {
    /// Id of the payment group.
    #[serde(rename = "PaymentGroupId")]
    #[param(value_type = uuid::Uuid, required)]
    payment_group_id: Option<String>,
    /// Amount sent, in USD.
    #[serde(rename = "Amount")]
    #[param(value_type = String, required = false, pattern = r"^\d+(\.\d{1,2}0*)?$")]
    amount: Option<String>,
    /// Minimum payout; the quote is for the smallest amount that reaches it.
    #[serde(rename = "Payout")]
    #[param(value_type = String, required = false, pattern = r"^\d+(\.\d{1,2}0*)?$")]
    payout: Option<String>,
    /// Id of the seller; required from a manager.
    #[serde(rename = "sellerId")]
    #[param(value_type = uuid::Uuid, required = false)]
    seller_id: Option<String>,
}

/// A requested quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuoteRequest {
    /// The group.
    pub group: PaymentGroupId,
    /// Amount sent or paid out.
    pub asked: QuoteBasis,
    /// Named seller.
    pub seller: Option<PartyId>,
}

impl QuoteQuery {
    /// Converts to a request.
    ///
    /// # Errors
    /// All parameter errors.
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
            (Some(amount), None) => read("Amount", amount).map(QuoteBasis::Amount),
            (None, Some(payout)) => read("Payout", payout).map(QuoteBasis::Payout),
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
