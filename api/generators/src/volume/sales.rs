//! A wave: new customers, new sales, and what becomes of those before.

use super::{
    Year,
    cast::{Group, Issuer, Recipient},
    crowd::Given,
};
use crate::demo::{
    DemoError,
    cast::{EUR, MLC, USD, identity_card, units},
    people,
};
use caudal_domain::{
    Command,
    customer::{
        AddCard, CustomerCommand, CustomerDetails, CustomerKind, IdentificationType, Place, RegisterCustomer,
        card::Brand,
    },
    ids::{CardId, CustomerId, PartyId, RemittanceId},
    money::Amount,
    remittance::{AssignDealer, CompleteRemittance, CreateRemittance, DeliveryChoice, EditAmount, RemittanceCommand},
};

/// Sales per issuer.
const SALES_AN_ISSUER: u64 = 10;
/// Issuers of the first wave.
const FIRST_ISSUERS: u64 = 400;
/// Shares of a hundred.
const WITH_CARD: i64 = 40;
const WITH_NOTES: i64 = 12;
const CANCELED: i64 = 3;
const EDITED: i64 = 2;
const FAILED: i64 = 4;
const BY_DELIVERY_MAN: i64 = 55;
/// A sale whose balance is short is one fewer; a command that comes after another's is too late.
const SHORT: &[&str] = &["balance_insufficient"];

/// How far a remittance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Sold,
    Edited,
    Assigned,
    Failed,
    Done,
}

/// A remittance under way.
#[derive(Clone, Copy, Debug)]
pub struct Sold {
    id: RemittanceId,
    by: PartyId,
    group: Group,
    amount: Amount,
    to: Recipient,
    /// The delivery man that it is with.
    man: Option<PartyId>,
    failed_before: bool,
    stage: Stage,
}

impl Year {
    /// The customers that a wave brings.
    pub async fn bring_customers(&mut self, sales: u64) -> Result<(), DemoError> {
        let wanted = if self.cast.issuers.is_empty() {
            FIRST_ISSUERS
        } else {
            sales / SALES_AN_ISSUER
        };
        let (mut issuers, mut recipients, mut cards) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..wanted {
            let last = i64::try_from(self.cast.sellers.len()).unwrap_or(1) - 1;
            let place = usize::try_from(self.chance.between(0, last)).unwrap_or_default();
            let Some(by) = self.cast.sellers.get(place).map(|seller| seller.id) else {
                continue;
            };
            let id = CustomerId::generate();
            issuers.push((by, self.issuer(id)));
            let mut issuer = Issuer {
                id,
                recipients: Vec::new(),
            };
            for _ in 0..self.chance.between(1, 2) {
                let (to, command) = self.recipient(id);
                recipients.push((by, command));
                cards.extend(to.mlc_card.map(|card| (by, self.card(to.id, card))));
                issuer.recipients.push(to);
            }
            if let Some(seller) = self.cast.sellers.get_mut(place) {
                seller.issuers.push(self.cast.issuers.len());
            }
            self.cast.issuers.push(issuer);
        }
        for given in [issuers, recipients, cards] {
            self.crowd.all_or(given, &[]).await?;
        }
        Ok(())
    }

    /// Sells, and moves on what was sold before.
    pub async fn sell_and_move(&mut self, wanted: u64) -> Result<(), DemoError> {
        let mut earlier: Vec<Sold> = self.moving.drain(..).collect();
        earlier.append(&mut self.sold);
        let (mut given, mut sold) = (Vec::new(), Vec::new());
        for _ in 0..wanted {
            if let Some((sale, command)) = self.sale() {
                given.push((sale.by, command));
                sold.push(sale);
            }
        }
        let sales = given.len();
        for of in &mut earlier {
            given.push(self.next_of(of));
        }
        let outcomes = self.crowd.all_or(given, SHORT).await?;
        self.sold = sold
            .into_iter()
            .zip(outcomes.iter().take(sales))
            .filter_map(|(sale, outcome)| outcome.as_ref().map(|_| sale))
            .collect();
        self.count += u64::try_from(self.sold.len()).unwrap_or_default();
        self.moving = earlier.into_iter().filter(|of| of.stage != Stage::Done).collect();
        Ok(())
    }

    fn sale(&mut self) -> Option<(Sold, Command)> {
        let seller = self.chance.pick(&self.cast.sellers)?;
        let issuer = self.cast.issuers.get(*self.chance.pick(&seller.issuers)?)?;
        let to = *self.chance.pick(&issuer.recipients)?;
        let group = *self.chance.pick(&self.cast.groups)?;
        let card = to.mlc_card.filter(|_| group.currency == MLC);
        if group.currency == MLC && card.is_none() {
            return None;
        }
        let amount = match group.currency {
            USD | EUR => units(self.chance.between(4, 30) * 10),
            _ => units(self.chance.between(5, 60) * 5),
        };
        let id = RemittanceId::generate();
        let create = CreateRemittance {
            delivery: card.map_or(DeliveryChoice::Home, DeliveryChoice::Card),
            notes: self
                .chance
                .percent(WITH_NOTES)
                .then(|| self.chance.word(people::NOTES).to_owned()),
            ..CreateRemittance::new(id, issuer.id, to.id, group.id, amount)
        };
        let sold = Sold {
            id,
            by: seller.id,
            group,
            amount,
            to,
            man: None,
            failed_before: false,
            stage: Stage::Sold,
        };
        Some((sold, Command::Remittance(id, RemittanceCommand::Create(create))))
    }

    /// What happens to a remittance next, and who does it.
    fn next_of(&mut self, of: &mut Sold) -> Given {
        let (by, command) = match of.stage {
            Stage::Sold if self.chance.percent(CANCELED) => {
                of.stage = Stage::Done;
                let reason = self.chance.word(people::CANCELLATIONS).to_owned();
                (of.by, RemittanceCommand::Cancel { reason })
            }
            Stage::Sold if self.chance.percent(EDITED) => {
                of.stage = Stage::Edited;
                let (amount, group) = (of.amount - units(5), of.group.id);
                (of.by, RemittanceCommand::EditAmount(EditAmount::new(amount, group)))
            }
            Stage::Sold | Stage::Edited | Stage::Failed | Stage::Done => {
                of.stage = Stage::Assigned;
                (self.cast.manager, self.assign(of))
            }
            Stage::Assigned if !of.failed_before && self.chance.percent(FAILED) => {
                (of.stage, of.failed_before) = (Stage::Failed, true);
                let reason = self.chance.word(people::ERRORS).to_owned();
                (self.deliverer(of), RemittanceCommand::MarkError { reason })
            }
            Stage::Assigned => {
                of.stage = Stage::Done;
                let complete = CompleteRemittance {
                    identification: Some(self.images.identification.clone()),
                    signature: Some(self.images.signature.clone()).filter(|_| of.group.currency != MLC),
                    ..CompleteRemittance::default()
                };
                (self.deliverer(of), RemittanceCommand::Complete(complete))
            }
        };
        (by, Command::Remittance(of.id, command))
    }

    fn assign(&mut self, of: &mut Sold) -> RemittanceCommand {
        let dealer = self.cast.dealers.get(of.to.dealer);
        of.man = dealer
            .filter(|_| self.chance.percent(BY_DELIVERY_MAN))
            .and_then(|dealer| self.chance.pick(&dealer.delivery_men).copied());
        RemittanceCommand::Assign(AssignDealer {
            dealer: dealer.map_or(self.cast.manager, |dealer| dealer.id),
            delivery_man: of.man,
        })
    }

    fn deliverer(&self, of: &Sold) -> PartyId {
        let dealer = self.cast.dealers.get(of.to.dealer).map(|dealer| dealer.id);
        of.man.or(dealer).unwrap_or(self.cast.manager)
    }

    fn issuer(&mut self, id: CustomerId) -> Command {
        let (country, state, city) = self.chance.pick(people::ABROAD).copied().unwrap_or_default();
        let details = CustomerDetails {
            phone_number: Some(self.chance.american_phone()),
            personal_identification_type: Some(IdentificationType::DriverLicense),
            personal_identification_number: Some(format!("D{}", self.chance.digits(12))),
            address_line: Some(format!("{} SW 8th St", self.chance.between(100, 9_900))),
            municipality: Some(city.to_owned()),
            province: Some(state.to_owned()),
            country: Some(country.to_owned()),
            zip_code: Some(self.chance.digits(5)),
            ..self.named()
        };
        register(id, CustomerKind::Issuer, details, None, Place::default())
    }

    fn recipient(&mut self, sender: CustomerId) -> (Recipient, Command) {
        let id = CustomerId::generate();
        let last = i64::try_from(self.cast.dealers.len()).unwrap_or(1) - 1;
        // The capital is in the first provinces: the smaller of two draws.
        let draw = self.chance.between(0, last).min(self.chance.between(0, last));
        let dealer = usize::try_from(draw).unwrap_or_default();
        let home = self.cast.dealers.get(dealer);
        let place = Place {
            province: home.map(|home| home.province),
            municipality: home.and_then(|home| self.chance.pick(&home.municipalities).copied()),
        };
        let (street, number) = (self.chance.word(people::STREETS), self.chance.between(1, 980));
        let details = CustomerDetails {
            phone_number: Some(format!("+535{}", self.chance.digits(7))),
            personal_identification_type: Some(IdentificationType::Ci),
            personal_identification_number: Some(identity_card(&mut self.chance)),
            address_line: Some(format!("{street} No. {number}")),
            repart: Some(self.chance.word(people::NEIGHBOURHOODS).to_owned()),
            ..self.named()
        };
        let recipient = Recipient {
            id,
            dealer,
            mlc_card: self.chance.percent(WITH_CARD).then(CardId::generate),
        };
        (
            recipient,
            register(id, CustomerKind::Recipient, details, Some(sender), place),
        )
    }

    fn card(&mut self, of: CustomerId, card: CardId) -> Command {
        let brand = Brand::BpaMlc;
        let number = format!("{}{}", brand.prefix(), self.chance.digits(16 - brand.prefix().len()));
        Command::Customer(of, CustomerCommand::AddCard(AddCard { card, brand, number }))
    }

    fn named(&mut self) -> CustomerDetails {
        CustomerDetails {
            name: self.chance.word(people::FIRST_NAMES).to_owned(),
            last_name: Some(self.chance.word(people::SURNAMES).to_owned()),
            second_surname: Some(self.chance.word(people::SURNAMES).to_owned()),
            ..CustomerDetails::default()
        }
    }
}

const fn register(
    id: CustomerId,
    kind: CustomerKind,
    details: CustomerDetails,
    sender: Option<CustomerId>,
    place: Place,
) -> Command {
    let register = RegisterCustomer {
        id,
        kind,
        details,
        is_active: true,
        owner: None,
        sender,
        place,
    };
    Command::Customer(id, CustomerCommand::Register(register))
}
