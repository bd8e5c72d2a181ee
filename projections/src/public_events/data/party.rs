//! Payloads about parties.

use crate::names::names;
use caudal_domain::party::Role;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

names! {
    /// Role of a party.
    PublicRole(Role) {
        /// Runs the business.
        Manager,
        /// Sells remittances.
        Agency,
        /// Sells on its own terms and balances.
        ExternalAgent,
        /// Sells on its agency's terms and balances.
        InternalAgent,
        /// Distributes payouts.
        Dealer,
        /// Delivers for one dealer.
        DeliveryMan,
    }
}

/// A party was registered.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyRegisteredV1 {
    /// UUID.
    pub id: Uuid,
    /// Role of the party.
    pub role: PublicRole,
    /// An agent's agency.
    pub agency_id: Option<Uuid>,
    /// A delivery man's dealer.
    pub dealer_id: Option<Uuid>,
    /// Whether the party may log in and be named by new commands.
    pub is_active: bool,
    /// Name; null after erasure.
    pub name: Option<String>,
}

/// A party was changed.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyChangedV1 {
    /// Party.
    pub id: Uuid,
    /// Whether the party may log in and be named by new commands.
    pub is_active: bool,
    /// Name after the change; null after erasure.
    pub name: Option<String>,
}

/// A party's terms for a payment group were set.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyTermsSetV1 {
    /// Party.
    pub id: Uuid,
    /// Payment group.
    pub payment_group_id: Uuid,
}

/// A party was deactivated.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyDeactivatedV1 {
    /// Party.
    pub id: Uuid,
}

/// A party's personal data was erased. Erase it in every copy.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartyErasedV1 {
    /// Party.
    pub id: Uuid,
}
