//! Event catalogue: types, versions, serialisation and upcasting.

mod versions;

pub use versions::AddedField;

use crate::{
    api_key::ApiKeyEvent,
    approval::ProposalEvent,
    closure::ClosureEvent,
    customer::CustomerEvent,
    ids::SubjectId,
    movement::MovementEvent,
    party::PartyEvent,
    personal::PersonalPart,
    rates::RatesEvent,
    reference_data::{currency::CurrencyEvent, payment_group::PaymentGroupEvent, place::PlaceEvent},
    remittance::RemittanceEvent,
    stream::StreamKind,
    tenant::TenantEvent,
    tenant_state::entry::Entry,
    webhook::WebhookEvent,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Event {
    Tenant(TenantEvent),
    Currency(CurrencyEvent),
    Place(PlaceEvent),
    PaymentGroup(PaymentGroupEvent),
    Party(PartyEvent),
    Customer(CustomerEvent),
    Remittance(RemittanceEvent),
    Movement(MovementEvent),
    Closure(ClosureEvent),
    Rates(RatesEvent),
    ApiKey(ApiKeyEvent),
    Webhook(WebhookEvent),
    Proposal(ProposalEvent),
}

/// A stored event that cannot be decoded. Readers stop: no event is ever skipped.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    #[error("{kind} event {event_type} has version {version}, which this program does not know")]
    UnknownVersion {
        kind: StreamKind,
        event_type: String,
        /// The version found.
        version: String,
    },
    #[error("{kind} event {event_type} can't be read")]
    Payload {
        kind: StreamKind,
        event_type: String,
        #[source]
        source: serde_json::Error,
    },
}

/// Every type says in the table below what of it is about people, so that a new one can't be written without an answer:
/// `plain`, nothing; `personal`, its field of that name; `erases`, its `id`'s person is forgotten by it. A `plain` type
/// with a [`crate::Personal`] field can't be written, and a type without one can't be `personal`.
///
/// A type that gains a field gets the next version by a line in [`Event::ADDED`].
macro_rules! event_types {
    (@pattern plain $kind:ident $events:ident $name:ident $found:ident) => { Event::$kind($events::$name { .. }) };
    (@pattern personal $kind:ident $events:ident $name:ident $found:ident) => { Event::$kind($events::$name($found)) };
    (@pattern erases $kind:ident $events:ident $name:ident $found:ident) => {
        Event::$kind($events::$name { id: $found, .. })
    };
    (@personal personal $found:ident) => { Some(&$found.personal) };
    (@personal plain $found:ident) => { None };
    (@personal erases $found:ident) => {{ let _ = $found; None }};
    (@personal_mut personal $found:ident) => { Some(&mut $found.personal) };
    (@personal_mut plain $found:ident) => { None };
    (@personal_mut erases $found:ident) => {{ let _ = $found; None }};
    (@erases erases $found:ident) => { Some((*$found).into()) };
    (@erases plain $found:ident) => { None };
    (@erases personal $found:ident) => {{ let _ = $found; None }};
    ($($kind:ident: $events:ident { $($name:ident: $people:ident),* $(,)? })*) => {
        impl Event {
            /// All event types, each with the kind of its streams.
            pub const TYPES: &'static [(StreamKind, &'static str)] = &[$($((StreamKind::$kind, stringify!($name)),)*)*];

            /// Stable name of the type in the log.
            #[must_use]
            pub const fn event_type(&self) -> &'static str {
                match self { $($(Self::$kind($events::$name { .. }) => stringify!($name),)*)* }
            }

            /// The person that it forgets: from then on their data key is no more.
            #[must_use]
            pub fn erases(&self) -> Option<SubjectId> {
                match self {
                    $($(event_types!(@pattern $people $kind $events $name found) => event_types!(@erases $people found),)*)*
                }
            }

            #[must_use]
            pub fn personal(&self) -> Option<&dyn PersonalPart> {
                match self {
                    $($(event_types!(@pattern $people $kind $events $name found) => event_types!(@personal $people found),)*)*
                }
            }

            /// The personal part, mutable: for encryption, decryption and erasure.
            #[must_use]
            pub fn personal_mut(&mut self) -> Option<&mut dyn PersonalPart> {
                match self {
                    $($(event_types!(@pattern $people $kind $events $name found) => event_types!(@personal_mut $people found),)*)*
                }
            }
        }
    };
}

event_types! {
    Tenant: TenantEvent {
        TenantOpened: plain,
        HistoryAccepted: plain,
        SecondFactorRequired: plain,
        PasswordPolicySet: plain,
        SignOnSet: plain,
        SignOnRemoved: plain,
        ApprovalRuleSet: plain,
        ApprovalRuleRemoved: plain,
        PermissionSetDefined: plain,
        PermissionSetRemoved: plain,
        ScreeningSet: plain,
        OwnListLoaded: plain,
        OwnListRemoved: plain,
        LimitRuleSet: plain,
        LimitRuleRemoved: plain,
    }
    Currency: CurrencyEvent { CurrencyAdded: plain, CurrencyChanged: plain, CurrencyRemoved: plain }
    Place: PlaceEvent { ProvinceChanged: plain, MunicipalityChanged: plain }
    PaymentGroup: PaymentGroupEvent { PaymentGroupCreated: plain, PaymentGroupChanged: plain, PaymentGroupRemoved: plain }
    Party: PartyEvent {
        PartyRegistered: personal,
        PartyChanged: personal,
        TermsSet: plain,
        PartyDeactivated: plain,
        PersonForgotten: erases,
        SecondFactorEnrolled: plain,
        SecondFactorRemoved: plain,
        RecoveryCodeUsed: plain,
        PasskeyAdded: plain,
        PasskeyRemoved: plain,
        PasskeyRefused: plain,
        OfficeAccessSet: plain,
    }
    Customer: CustomerEvent {
        CustomerRegistered: personal,
        CustomerChanged: personal,
        CardAdded: personal,
        CustomerDeleted: plain,
        PersonForgotten: erases,
        DossierExported: plain,
        CustomerScreened: personal,
        ScreeningPairDecided: personal,
        PersonIdentified: personal,
        PersonDocumentReleased: plain,
        DocumentPicturesRecorded: plain,
    }
    Remittance: RemittanceEvent {
        RemittanceCreated: personal,
        RemittanceAmountEdited: plain,
        RemittanceDetailsEdited: personal,
        RemittanceAssigned: plain,
        RemittanceFailed: personal,
        RemittanceCanceled: personal,
        RemittanceCompleted: plain,
        DeliveryAttempted: plain,
        DeliveryDisputed: plain,
        DeliveryDisputeSettled: personal,
        RemittanceHeld: personal,
        HoldReleased: personal,
        HoldKept: personal,
        HeldRemittanceDelivered: plain,
        HoldBreachSettled: personal,
        SaleDeclared: personal,
    }
    Movement: MovementEvent { MovementPosted: personal, OpeningBalancePosted: personal, MovementReversed: personal }
    Closure: ClosureEvent { PeriodClosed: plain }
    Rates: RatesEvent { RatesScheduled: plain, RatesChanged: plain, RatesCanceled: plain, RatesUndone: plain }
    ApiKey: ApiKeyEvent { ApiKeyIssued: personal, ApiKeyRotated: plain, ApiKeyRevoked: plain }
    Webhook: WebhookEvent {
        WebhookAdded: personal,
        WebhookChanged: personal,
        WebhookSecretRotated: plain,
        WebhookPaused: plain,
        WebhookResumed: plain,
        WebhookReplayed: plain,
        WebhookRemoved: plain,
    }
    Proposal: ProposalEvent {
        CommandProposed: personal,
        ProposalApproved: plain,
        ProposalRejected: personal,
        ProposalWithdrawn: plain,
        ProposedPersonForgotten: erases,
    }
}

impl Event {
    /// The kind of the stream that it belongs to.
    #[must_use]
    pub const fn stream_kind(&self) -> StreamKind {
        match self {
            Self::Tenant(_) => StreamKind::Tenant,
            Self::Currency(_) => StreamKind::Currency,
            Self::Place(_) => StreamKind::Place,
            Self::PaymentGroup(_) => StreamKind::PaymentGroup,
            Self::Party(_) => StreamKind::Party,
            Self::Customer(_) => StreamKind::Customer,
            Self::Remittance(_) => StreamKind::Remittance,
            Self::Movement(_) => StreamKind::Movement,
            Self::Closure(_) => StreamKind::Closure,
            Self::Rates(_) => StreamKind::Rates,
            Self::ApiKey(_) => StreamKind::ApiKey,
            Self::Webhook(_) => StreamKind::Webhook,
            Self::Proposal(_) => StreamKind::Proposal,
        }
    }

    /// Payload as JSON: the bytes that are hashed and stored.
    ///
    /// # Errors
    /// When the personal part is not encrypted, or serialisation fails.
    pub fn encode(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Payload as JSON with the personal part in clear: for authorised readers, never for storage.
    ///
    /// # Errors
    /// When serialisation fails.
    pub fn encode_in_clear(&self) -> Result<String, serde_json::Error> {
        // Matches a field only: inside a string value these quotes would be escaped.
        const SEALED: &str = r#""sealed":"in clear""#;
        let Some(clear) = self.personal().and_then(PersonalPart::clear_json) else {
            return self.encode();
        };
        let mut sealed = self.clone();
        if let Some(part) = sealed.personal_mut() {
            part.set_encrypted("in clear".to_owned());
        }
        let clear = clear?;
        Ok(sealed.encode()?.replacen(SEALED, &format!(r#""clear":{clear}"#), 1))
    }

    /// Reads a payload of today's shape.
    fn read(kind: StreamKind, payload: &str) -> serde_json::Result<Self> {
        match kind {
            StreamKind::Tenant => serde_json::from_str(payload).map(Self::Tenant),
            StreamKind::Currency => serde_json::from_str(payload).map(Self::Currency),
            StreamKind::Place => serde_json::from_str(payload).map(Self::Place),
            StreamKind::PaymentGroup => serde_json::from_str(payload).map(Self::PaymentGroup),
            StreamKind::Party => serde_json::from_str(payload).map(Self::Party),
            StreamKind::Customer => serde_json::from_str(payload).map(Self::Customer),
            StreamKind::Remittance => serde_json::from_str(payload).map(Self::Remittance),
            StreamKind::Movement => serde_json::from_str(payload).map(Self::Movement),
            StreamKind::Closure => serde_json::from_str(payload).map(Self::Closure),
            StreamKind::Rates => serde_json::from_str(payload).map(Self::Rates),
            StreamKind::ApiKey => serde_json::from_str(payload).map(Self::ApiKey),
            StreamKind::Webhook => serde_json::from_str(payload).map(Self::Webhook),
            StreamKind::Proposal => serde_json::from_str(payload).map(Self::Proposal),
        }
    }

    /// The event's postings.
    #[must_use]
    pub const fn entry(&self) -> Option<&Entry> {
        match self {
            Self::Remittance(event) => event.entry(),
            Self::Movement(MovementEvent::MovementPosted(event) | MovementEvent::OpeningBalancePosted(event)) => {
                Some(&event.movement.entry)
            }
            Self::Movement(MovementEvent::MovementReversed(event)) => Some(&event.entry),
            Self::Closure(ClosureEvent::PeriodClosed(closure)) => Some(&closure.entry),
            Self::Tenant(_)
            | Self::Currency(_)
            | Self::Place(_)
            | Self::PaymentGroup(_)
            | Self::Party(_)
            | Self::Rates(_)
            | Self::ApiKey(_)
            | Self::Webhook(_)
            | Self::Proposal(_)
            | Self::Customer(_) => None,
        }
    }
}
