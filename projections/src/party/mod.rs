//! Parties: agencies, agents, dealers and delivery men, with their terms; all of them as users.

pub mod agency;
pub mod agent;
pub mod dealer;
pub mod profile;
pub mod standing;
mod terms;
pub mod user;

pub use terms::ProfilePaymentGroup;

use crate::{
    batch::{Batch, existing},
    error::ProjectError,
    rows::{PartyRow, TermsRow},
    search,
    table::{Ids, Json, PersonalJson},
};
use caudal_domain::{
    Personal, Terms,
    ids::{MunicipalityId, PartyId, ProvinceId},
    party::{PartyDetails, PartyEvent, Role, Territory},
    reference_data::place,
};
use caudal_journal::Recorded;
use uuid::Uuid;

impl PartyRow {
    fn set_territory(&mut self, territory: &Territory) {
        self.province = territory.province.map(Uuid::from);
        self.zones = Ids(territory.zones.iter().map(|zone| zone.0).collect());
        self.handle_mlc = territory.handle_mlc;
    }

    fn set_personal(&mut self, personal: &Personal<PartyDetails>) {
        let details = personal.get();
        self.name = details.map(|details| details.name.clone());
        // A distributor is also found by residence and territory, which is set before.
        let city = details.and_then(|details| details.city.as_deref());
        let province = self.province.and_then(|id| place::province(ProvinceId(id)));
        let zones = self
            .zones
            .0
            .iter()
            .filter_map(|id| place::municipality(MunicipalityId(*id)));
        let places = province.map(|province| province.name.as_str()).into_iter();
        let places: Vec<&str> = places.chain(zones.map(|zone| zone.name.as_str())).chain(city).collect();
        let distributes = matches!(self.role, Role::Dealer | Role::DeliveryMan);
        self.search = details.map(|details| {
            let own = [
                Some(details.name.as_str()),
                Some(details.email.as_str()),
                details.phone.as_deref(),
                details.phone2.as_deref(),
                details.identification_number.as_deref(),
            ];
            let places = places.into_iter().filter(|_| distributes).map(Some);
            search::folded(own.into_iter().chain(places))
        });
        self.details = details.cloned().map(PersonalJson);
    }

    /// Personal details; empty after erasure.
    fn details(&self) -> PartyDetails {
        self.details.clone().map(|details| details.0).unwrap_or_default()
    }

    /// Fields that today's validation rejects.
    fn to_correct(&self) -> Vec<String> {
        let today = self.updated_at.date_naive();
        self.details
            .as_ref()
            .map(|details| details.0.to_correct(self.role, today))
            .unwrap_or_default()
    }
}

fn set_terms(batch: &mut Batch, party: PartyId, terms: &Terms) {
    batch.terms.put(TermsRow {
        party: party.0,
        group_id: terms.group.0,
        exchange_rate: terms.exchange_rate,
        commission: Json(terms.commission),
        name: terms.name.clone(),
        is_active: terms.is_active,
        credit_limit: terms.credit_limit,
    });
}

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &PartyEvent) -> Result<(), ProjectError> {
    match event {
        PartyEvent::PartyRegistered(registered) => {
            let party = &registered.party;
            let mut row = PartyRow {
                id: party.id.0,
                role: party.role,
                agency: party.agency.map(Uuid::from),
                dealer: party.dealer.map(Uuid::from),
                is_active: party.is_active,
                deleted: false,
                province: None,
                zones: Ids::default(),
                handle_mlc: false,
                name: None,
                details: None,
                created_at: recorded.recorded_at,
                updated_at: recorded.recorded_at,
                search: None,
                permission_set: None,
                access_expires_at: None,
            };
            row.set_territory(&party.territory);
            row.set_personal(&registered.personal);
            batch.kept.superiors.note(row.id, row.agency, row.dealer);
            batch.parties.put(row);
            for terms in party.terms.values() {
                set_terms(batch, party.id, terms);
            }
        }
        PartyEvent::PartyChanged(changed) => {
            let row = existing(&mut batch.parties, recorded, changed.id)?;
            row.is_active = changed.is_active;
            row.deleted = row.deleted && !changed.is_active;
            row.set_territory(&changed.territory);
            row.set_personal(&changed.personal);
            row.updated_at = recorded.recorded_at;
        }
        PartyEvent::TermsSet { id, terms } => {
            existing(&mut batch.parties, recorded, *id)?.updated_at = recorded.recorded_at;
            set_terms(batch, *id, terms);
        }
        PartyEvent::PartyDeactivated { id } => {
            let row = existing(&mut batch.parties, recorded, *id)?;
            (row.is_active, row.deleted) = (false, true);
            row.updated_at = recorded.recorded_at;
        }
        PartyEvent::PersonForgotten { id, .. } => {
            let row = existing(&mut batch.parties, recorded, *id)?;
            (row.is_active, row.deleted) = (false, true);
            (row.name, row.search, row.details) = (None, None, None);
            row.updated_at = recorded.recorded_at;
            batch.forgotten_parties.push(id.0);
        }
        PartyEvent::OfficeAccessSet { id, access } => {
            let row = existing(&mut batch.parties, recorded, *id)?;
            row.permission_set = access.permission_set.map(|name| name.to_string());
            row.access_expires_at = access.expires_at;
            row.updated_at = recorded.recorded_at;
        }
        // Of the tenant's state alone.
        PartyEvent::SecondFactorEnrolled { .. }
        | PartyEvent::SecondFactorRemoved { .. }
        | PartyEvent::RecoveryCodeUsed { .. }
        | PartyEvent::PasskeyAdded { .. }
        | PartyEvent::PasskeyRemoved { .. }
        | PartyEvent::PasskeyRefused { .. } => {}
    }
    Ok(())
}
