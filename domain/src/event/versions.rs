//! The versions of event types. A type changes its shape in one way: it gains a field. Which field began which version is
//! data, [`Event::ADDED`]; one reader takes the events of all versions for today's, and the catalogue says by it what an
//! earlier version had.

use super::{DecodeError, Event};
use crate::{remittance, stream::StreamKind};
use serde::de::Error as _;
use serde_json::Value;

/// The version of an event type that has gained no field yet.
const FIRST_VERSION: &str = "1";

const COUNTRY_BEFORE: &str = "`personalIdentificationCountry` is absent from its personal part: nobody asked for the country of a \
                              document.";

/// A field that an event type gained. Events of the versions before have no such field, and may not.
#[derive(Clone, Copy, Debug)]
pub struct AddedField {
    /// The kind of the streams that the type stands in.
    pub kind: StreamKind,
    pub event_type: &'static str,
    /// The first version that has the field.
    pub since: &'static str,
    /// The field's name in a payload. Today's shape reads a payload without it.
    pub name: &'static str,
    /// Whether it is a field of the personal part, which is encrypted in the log: only the version shows that the field is there.
    pub is_personal: bool,
    /// The field's value in events of earlier versions, for docs/events.md.
    pub before: &'static str,
    /// Fills the field in older events; `None` if absence is its value.
    tell: Option<fn(&mut Event)>,
}

impl AddedField {
    fn is_of(&self, kind: StreamKind, event_type: &str) -> bool {
        self.kind == kind && self.event_type == event_type
    }
}

impl Event {
    /// All fields that types gained, a type's in the order in which it gained them.
    pub const ADDED: &'static [AddedField] = &[
        AddedField {
            kind: StreamKind::Remittance,
            event_type: "RemittanceDetailsEdited",
            since: "2",
            name: "reference",
            is_personal: false,
            before: "`reference` is absent: no edit changed it.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Remittance,
            event_type: "RemittanceAssigned",
            since: "2",
            name: "previousDealer",
            is_personal: false,
            before: "`previousDealer` is read from the entry: whose shipping account the payout leaves; nobody where it \
                     leaves those pending or in error; `dealer` where nothing moves.",
            tell: Some(remittance::tell_previous_dealer),
        },
        AddedField {
            kind: StreamKind::Remittance,
            event_type: "RemittanceCompleted",
            since: "2",
            name: "deliveredAt",
            is_personal: false,
            before: "`deliveredAt` is absent: it was delivered when that was recorded.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "DossierExported",
            since: "2",
            name: "samePerson",
            is_personal: false,
            before: "`samePerson` is absent: the dossier has no sums.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "DossierExported",
            since: "3",
            name: "content",
            is_personal: false,
            before: "`content` is absent: the dossier has the first content, without approvals, edits, holds and proposals.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Remittance,
            event_type: "HoldReleased",
            since: "2",
            name: "files",
            is_personal: false,
            before: "`files` is absent: a review had no files.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Remittance,
            event_type: "HoldKept",
            since: "2",
            name: "files",
            is_personal: false,
            before: "`files` is absent: a review had no files.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "ScreeningPairDecided",
            since: "2",
            name: "files",
            is_personal: false,
            before: "`files` is absent: a review had no files.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "ScreeningPairDecided",
            since: "3",
            name: "listed",
            is_personal: true,
            before: "`listed` is absent from its personal part: the listed person was not kept with the decision.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "CustomerRegistered",
            since: "2",
            name: "personalIdentificationCountry",
            is_personal: true,
            before: COUNTRY_BEFORE,
            tell: None,
        },
        AddedField {
            kind: StreamKind::Customer,
            event_type: "CustomerChanged",
            since: "2",
            name: "personalIdentificationCountry",
            is_personal: true,
            before: COUNTRY_BEFORE,
            tell: None,
        },
        AddedField {
            kind: StreamKind::Tenant,
            event_type: "SecondFactorRequired",
            since: "2",
            name: "codeFrom",
            is_personal: false,
            before: "`codeFrom` is absent: no movement asked for a code.",
            tell: None,
        },
        AddedField {
            kind: StreamKind::Tenant,
            event_type: "SignOnSet",
            since: "2",
            name: "secretId",
            is_personal: false,
            before: "`secretId` is absent: the client secret was kept under the provider's id.",
            tell: None,
        },
    ];

    fn added(kind: StreamKind, event_type: &str) -> impl Iterator<Item = &'static AddedField> {
        Self::ADDED.iter().filter(move |added| added.is_of(kind, event_type))
    }

    /// The version that a type is written in today; none of a type that there is not.
    #[must_use]
    pub fn present_version(kind: StreamKind, event_type: &str) -> Option<&'static str> {
        let mut types = Self::TYPES.iter();
        types.find(|(of, name)| (*of, *name) == (kind, event_type))?;
        Some(
            Self::added(kind, event_type)
                .last()
                .map_or(FIRST_VERSION, |added| added.since),
        )
    }

    /// Its version in the log: its type's present one, in which it is written.
    #[must_use]
    pub fn event_version(&self) -> &'static str {
        Self::present_version(self.stream_kind(), self.event_type()).unwrap_or(FIRST_VERSION)
    }

    /// The versions that a type had before today's, oldest first.
    #[must_use]
    pub fn earlier_versions(kind: StreamKind, event_type: &str) -> Vec<&'static str> {
        let mut versions = vec![FIRST_VERSION];
        versions.extend(Self::added(kind, event_type).map(|added| added.since));
        versions.dedup();
        versions.pop();
        versions
    }

    /// The fields that a version of a type has not gained yet; none of a version that there is not.
    #[must_use]
    pub fn lacking(
        kind: StreamKind,
        event_type: &str,
        version: &str,
    ) -> Option<impl Iterator<Item = &'static AddedField> + Clone + use<>> {
        let known = match version {
            FIRST_VERSION => 0,
            _ => {
                let mut added = Self::ADDED.iter().enumerate();
                let last = added.rfind(|(_, added)| added.is_of(kind, event_type) && added.since == version);
                last?.0 + 1
            }
        };
        let of_type = Self::TYPES.iter().find(|(of, name)| (*of, *name) == (kind, event_type));
        let later = Self::ADDED.iter().skip(known);
        Some(later.filter(move |added| of_type.is_some_and(|(kind, name)| added.is_of(*kind, name))))
    }

    /// Reads a stored event, of whichever version it is, as today's.
    ///
    /// # Errors
    /// An unknown version, or a payload of another shape.
    pub fn decode(kind: StreamKind, event_type: &str, version: &str, payload: &str) -> Result<Self, DecodeError> {
        let lacking = Self::lacking(kind, event_type, version);
        let lacking = lacking.ok_or_else(|| DecodeError::UnknownVersion {
            kind,
            event_type: event_type.into(),
            version: version.into(),
        })?;
        let read = lacks(payload, version, lacking.clone()).and_then(|()| Self::read(kind, payload));
        let read = read.and_then(|mut event| {
            let tagged = event.event_type();
            if tagged != event_type {
                return Err(serde_json::Error::custom(format_args!("its payload is a {tagged}")));
            }
            lacking.filter_map(|added| added.tell).for_each(|tell| tell(&mut event));
            Ok(event)
        });
        read.map_err(|source| DecodeError::Payload {
            kind,
            event_type: event_type.to_owned(),
            source,
        })
    }
}

/// Requires a payload to have no field that its version had not gained yet.
fn lacks(
    payload: &str,
    version: &str,
    mut lacking: impl Iterator<Item = &'static AddedField> + Clone,
) -> serde_json::Result<()> {
    if lacking.clone().next().is_none() {
        return Ok(());
    }
    let payload: Value = serde_json::from_str(payload)?;
    let has = |added: &AddedField| {
        let part = if added.is_personal {
            payload.pointer("/personal/clear")
        } else {
            Some(&payload)
        };
        part.and_then(|part| part.get(added.name)).is_some()
    };
    match lacking.find(|added| has(added)) {
        Some(AddedField { name, .. }) => Err(serde_json::Error::custom(format_args!(
            "version {version} has no field {name}"
        ))),
        None => Ok(()),
    }
}
