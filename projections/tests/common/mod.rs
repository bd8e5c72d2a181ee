//! Shared set-up of the projections' tests: a small tenant on a real PostgreSQL.

pub mod journals;

use caudal_domain::{
    Actor, Answer, Command, Commission, Tenant, TenantCommand, TenantState,
    closure::ClosePeriod,
    customer::{
        AddCard, ChangeCustomer, CustomerCommand, CustomerDetails, CustomerKind, Place, RegisterCustomer, card::Brand,
    },
    ids::{
        CardId, ClosureId, CurrencyId, CustomerId, MovementId, ObligationId, PartyId, PaymentGroupId, RemittanceId,
        TenantId,
    },
    money::{Amount, CurrencyCode, Rate},
    movement::{
        Deposit, DepositTo, ExpectedParty, Expense, Funds, MovementCommand, PayDebits, TransferCash, TransferTo,
    },
    party::{PartyCommand, PartyDetails, RegisterParty, Registration, TermsChange, Territory},
    reference_data::{
        currency::{Currency, CurrencyCommand},
        payment_group::{PaymentGroup, PaymentGroupCommand},
        place,
    },
    remittance::{AssignDealer, CompleteRemittance, CreateRemittance, DeliveryChoice, EditAmount, RemittanceCommand},
};
use caudal_journal::{Clock, Committed, Journal, Keyring, Submission, SubmitError, SystemClock};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use caudal_projections::{Projector, ReadTransaction, Reads, Scope};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use uuid::Uuid;

pub const CUP: CurrencyCode = CurrencyCode::CUP;
pub const USD: CurrencyCode = CurrencyCode::USD;
pub const MLC: CurrencyCode = CurrencyCode::MLC;

/// A tenant with a group, an agency with an internal and an external agent, a dealer with a delivery man, an issuer
/// with a recipient, and a database of its own.
pub struct Office {
    pub database: Arc<TestDatabase>,
    pub node: Database,
    pub keyring: Keyring,
    pub journal: Journal,
    pub projector: Projector,
    pub reads: Reads,
    pub tenant: TenantId,
    pub group: PaymentGroupId,
    pub mlc_group: PaymentGroupId,
    pub manager: PartyId,
    pub agency: PartyId,
    pub clerk: PartyId,
    pub agent: PartyId,
    pub dealer: PartyId,
    pub delivery_man: PartyId,
    pub issuer: CustomerId,
    pub recipient: CustomerId,
    pub card: CardId,
}

pub fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

pub fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

pub fn details(name: &str) -> PartyDetails {
    let login = name.split_whitespace().next().unwrap().to_lowercase();
    PartyDetails {
        name: name.into(),
        email: format!("{login}-{}@example.com", Uuid::now_v7().simple()),
        phone: Some("+5375550100".into()),
        ..PartyDetails::default()
    }
}

/// A person. A telephone of a few digits is completed to a Cuban number.
pub fn person(name: &str, last_name: &str, phone: &str) -> CustomerDetails {
    let phone = if phone.starts_with('+') {
        phone.to_owned()
    } else {
        format!("+535{:0>7}", phone.strip_prefix('5').unwrap_or(phone))
    };
    CustomerDetails {
        name: name.into(),
        last_name: Some(last_name.into()),
        phone_number: Some(phone),
        address_line: Some("Calle 23 no. 456".into()),
        ..CustomerDetails::default()
    }
}

/// A municipality of La Habana, and its province.
pub fn home() -> Place {
    let province = place::provinces()
        .iter()
        .find(|province| province.name == "La Habana")
        .unwrap();
    Place {
        province: Some(province.id),
        municipality: Some(province.municipalities[0].id),
    }
}

pub fn terms(group: PaymentGroupId, credit_limit: Option<&str>) -> TermsChange {
    TermsChange {
        group,
        exchange_rate: None,
        commission: Some(Commission::percentage(rate("3"))),
        name: None,
        is_active: None,
        credit_limit: credit_limit.map(amount),
    }
}

impl Office {
    pub async fn open() -> Self {
        Self::open_as("worked", TestDatabase::new().await).await
    }

    pub async fn open_as(tenant: &str, database: TestDatabase) -> Self {
        Self::open_by(tenant, database, Arc::new(SystemClock)).await
    }

    pub async fn open_by(tenant: &str, database: TestDatabase, clock: Arc<dyn Clock>) -> Self {
        let node = database.connect().await;
        let keyring = Keyring::generate().unwrap();
        let journal = Journal::open(node.clone(), keyring.clone(), clock).await.unwrap();
        let projector = Projector::new(node.clone(), journal.clone());
        Self::furnished(tenant, Arc::new(database), (node, keyring), journal, projector).await
    }

    /// The office of another tenant on the same node.
    pub async fn beside(&self, tenant: &str) -> Self {
        let (node, keyring) = (self.node.clone(), self.keyring.clone());
        let (journal, projector) = (self.journal.clone(), self.projector.clone());
        Self::furnished(tenant, self.database.clone(), (node, keyring), journal, projector).await
    }

    async fn furnished(
        tenant: &str,
        database: Arc<TestDatabase>,
        (node, keyring): (Database, Keyring),
        journal: Journal,
        projector: Projector,
    ) -> Self {
        let reads = Reads::new(node.clone(), projector.clone());
        let mut office = Self {
            database,
            node,
            keyring,
            journal,
            projector,
            reads,
            tenant: tenant.parse().unwrap(),
            group: PaymentGroupId::generate(),
            mlc_group: PaymentGroupId::generate(),
            manager: PartyId::generate(),
            agency: PartyId::generate(),
            clerk: PartyId::generate(),
            agent: PartyId::generate(),
            dealer: PartyId::generate(),
            delivery_man: PartyId::generate(),
            issuer: CustomerId::generate(),
            recipient: CustomerId::generate(),
            card: CardId::generate(),
        };
        office.furnish().await;
        office
    }

    async fn furnish(&mut self) {
        self.journal.create_tenant(&self.tenant).await.unwrap();
        let open = TenantCommand::Open(Tenant {
            name: "Worked".into(),
            time_zone: caudal_domain::DEFAULT_ZONE,
        });
        self.system(Command::Tenant(open)).await;
        for code in [USD, CUP, MLC] {
            let currency = Currency {
                id: CurrencyId::generate(),
                code,
                symbol: "$".into(),
                exchange_rate: if code == CUP { rate("330") } else { Rate::ONE },
                distribution_rate: amount("2.00"),
                accounted: true,
                enabled: true,
            };
            self.system(Command::Currency(currency.id, CurrencyCommand::Add(currency)))
                .await;
        }
        self.register(self.manager, Registration::Manager, "Marta Manager")
            .await;
        for (id, name, currency) in [(self.group, "CUP a domicilio", CUP), (self.mlc_group, "MLC", MLC)] {
            let group = PaymentGroup {
                id,
                name: name.into(),
                currency_to: currency,
                exchange_rate: if currency == CUP { rate("318.5") } else { Rate::ONE },
                manager_commission: Commission::percentage(rate("2")),
                agency_commission: Commission::percentage(rate("5")),
                agent_commission: Commission::percentage(rate("4")),
                is_active: true,
            };
            self.manage(Command::PaymentGroup(id, PaymentGroupCommand::Create(group)))
                .await;
        }
        let agency = Registration::Agency {
            terms: vec![terms(self.group, Some("50000.00")), terms(self.mlc_group, None)],
        };
        self.register(self.agency, agency, "Águila Envíos").await;
        let agency = Some(self.agency);
        self.register(self.clerk, Registration::InternalAgent { agency }, "Clara Clerk")
            .await;
        let agent = Registration::ExternalAgent {
            agency,
            terms: vec![terms(self.group, None)],
        };
        self.register(self.agent, agent, "Ernesto Agent").await;
        let territory = Territory {
            province: home().province,
            zones: home().municipality.into_iter().collect(),
            handle_mlc: true,
        };
        self.register(self.dealer, Registration::Dealer { territory }, "Dora Dealer")
            .await;
        let dealer = Some(self.dealer);
        let delivery_man = Registration::DeliveryMan {
            dealer,
            handle_mlc: false,
        };
        self.register(self.delivery_man, delivery_man, "Víctor Vélez").await;
        self.issuer = self
            .customer(None, person("José", "Ibáñez Núñez", "+1 305 555 0101"))
            .await;
        self.recipient = self
            .customer(Some(self.issuer), person("María", "Pérez", "+53 5 123 4567"))
            .await;
        let card = AddCard {
            card: self.card,
            brand: Brand::BandecMlc,
            number: "9225 0612 3456 7890".into(),
        };
        self.manage(Command::Customer(self.recipient, CustomerCommand::AddCard(card)))
            .await;
    }

    pub async fn register(&self, id: PartyId, registration: Registration, name: &str) {
        let party = RegisterParty {
            id,
            registration,
            details: details(name),
            is_active: true,
        };
        let actor = if id == self.manager {
            Actor::System
        } else {
            Actor::Party(self.manager)
        };
        self.submit(actor, Command::Party(id, PartyCommand::Register(party)))
            .await
            .unwrap();
    }

    pub async fn customer(&self, sender: Option<CustomerId>, details: CustomerDetails) -> CustomerId {
        let id = CustomerId::generate();
        let customer = RegisterCustomer {
            id,
            kind: if sender.is_some() {
                CustomerKind::Recipient
            } else {
                CustomerKind::Issuer
            },
            details,
            is_active: true,
            owner: sender.is_none().then_some(self.agency),
            sender,
            place: if sender.is_some() { home() } else { Place::default() },
        };
        self.manage(Command::Customer(id, CustomerCommand::Register(customer)))
            .await;
        id
    }

    pub async fn rename_customer(&self, id: CustomerId, details: CustomerDetails) {
        let change = ChangeCustomer {
            details,
            is_active: None,
            place: None,
            known: None,
        };
        self.manage(Command::Customer(id, CustomerCommand::Change(change)))
            .await;
    }

    pub async fn submit(&self, actor: Actor, command: Command) -> Result<Committed, SubmitError> {
        let submission = Submission::of(actor, command);
        self.journal.submit(&self.tenant, submission).await
    }

    async fn system(&self, command: Command) {
        self.submit(Actor::System, command).await.unwrap();
    }

    /// Submits a command as the manager.
    pub async fn manage(&self, command: Command) -> Answer {
        self.of(self.manager, command).await
    }

    pub async fn of(&self, party: PartyId, command: Command) -> Answer {
        self.submit(Actor::Party(party), command).await.unwrap().answer
    }

    pub async fn deposit(&self, by: PartyId, to: DepositTo, funds: Funds, sum: &str, on_credit: bool) -> Answer {
        let deposit = Deposit {
            to,
            funds,
            amount: amount(sum),
            on_credit,
            note: Some("Nota".into()),
            debit: ObligationId::generate(),
        };
        self.of(
            by,
            Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit)),
        )
        .await
    }

    pub async fn sell(&self, by: PartyId, sum: &str, delivery: DeliveryChoice) -> RemittanceId {
        let id = RemittanceId::generate();
        let group = if delivery == DeliveryChoice::Home {
            self.group
        } else {
            self.mlc_group
        };
        let create = CreateRemittance {
            delivery,
            reference: Some(format!("ref {}", id.0.simple())),
            notes: Some("Tocar dos veces".into()),
            ..CreateRemittance::new(id, self.issuer, self.recipient, group, amount(sum))
        };
        self.of(by, Command::Remittance(id, RemittanceCommand::Create(create)))
            .await;
        id
    }

    pub async fn remit(&self, by: PartyId, id: RemittanceId, command: RemittanceCommand) {
        self.of(by, Command::Remittance(id, command)).await;
    }

    pub async fn assign(&self, id: RemittanceId, delivery_man: Option<PartyId>) {
        let assign = AssignDealer {
            dealer: self.dealer,
            delivery_man,
        };
        self.remit(self.manager, id, RemittanceCommand::Assign(assign)).await;
    }

    pub async fn complete(&self, by: PartyId, id: RemittanceId) {
        let hash = "a".repeat(64);
        let complete = CompleteRemittance {
            identification: Some(hash.clone()),
            signature: Some(hash),
            ..CompleteRemittance::default()
        };
        self.remit(by, id, RemittanceCommand::Complete(complete)).await;
    }

    /// Funds every party: the manager's cash, the agency's and the agent's balances, the dealer's cash.
    pub async fn fund(&self) {
        let party = |id, sort| DepositTo::Party(id, sort);
        for currency in [CUP, USD, MLC] {
            self.deposit(
                self.manager,
                DepositTo::Treasury,
                Funds::Currency(currency),
                "1000000.00",
                false,
            )
            .await;
        }
        let agency = party(self.agency, ExpectedParty::Agency);
        self.deposit(self.manager, agency, Funds::Group(self.group), "300000.00", false)
            .await;
        self.deposit(self.manager, agency, Funds::Group(self.group), "31850.00", true)
            .await;
        self.deposit(self.manager, agency, Funds::Group(self.mlc_group), "500.00", false)
            .await;
        let agent = party(self.agent, ExpectedParty::Agent);
        self.deposit(self.agency, agent, Funds::Group(self.group), "50000.00", true)
            .await;
        let dealer = party(self.dealer, ExpectedParty::Dealer);
        self.deposit(self.manager, dealer, Funds::Currency(CUP), "200000.00", false)
            .await;
        self.deposit(self.manager, dealer, Funds::Currency(MLC), "500.00", false)
            .await;
        let delivery_man = party(self.delivery_man, ExpectedParty::DeliveryMan);
        self.deposit(self.dealer, delivery_man, Funds::Currency(CUP), "60000.00", false)
            .await;
    }

    /// A day with every kind of event. Returns its remittances: completed, canceled, in error, shipping to a card,
    /// pending.
    pub async fn day(&self) -> [RemittanceId; 5] {
        self.fund().await;
        let reason = |text: &str| text.to_owned();
        let completed = self.sell(self.clerk, "100.00", DeliveryChoice::Home).await;
        self.assign(completed, Some(self.delivery_man)).await;
        self.complete(self.delivery_man, completed).await;
        let canceled = self.sell(self.agent, "20.00", DeliveryChoice::Home).await;
        let cancel = RemittanceCommand::Cancel {
            reason: reason("Se arrepintió"),
        };
        self.remit(self.agent, canceled, cancel).await;
        let failed = self.sell(self.agency, "50.00", DeliveryChoice::Home).await;
        self.assign(failed, None).await;
        let error = RemittanceCommand::MarkError {
            reason: reason("No estaba"),
        };
        self.remit(self.dealer, failed, error).await;
        let shipping = self.sell(self.agency, "30.00", DeliveryChoice::Card(self.card)).await;
        self.assign(shipping, None).await;
        let pending = self.sell(self.agent, "10.00", DeliveryChoice::Home).await;
        let edit = EditAmount::new(amount("12.00"), self.group);
        self.remit(self.agent, pending, RemittanceCommand::EditAmount(edit))
            .await;
        let expense = Expense {
            party: self.dealer,
            amount: amount("150.00"),
            currency: CUP,
            concept: "Gasolina".into(),
        };
        let expense = self.move_money(self.dealer, MovementCommand::Expense(expense)).await;
        let back = TransferCash {
            from: self.dealer,
            to: TransferTo::Manager,
            amount: amount("1000.00"),
            currency: CUP,
            exchange: None,
            note: None,
        };
        self.move_money(self.manager, MovementCommand::Transfer(back)).await;
        let close = ClosePeriod {
            id: ClosureId::generate(),
            party: self.agency,
            to: None,
            debit: ObligationId::generate(),
            agency_debit: ObligationId::generate(),
        };
        let closed = self.manage(Command::Closure(close)).await;
        let pay = PayDebits {
            debits: vec![ObligationId(closed.debit_id.unwrap())],
            amount: None,
            note: None,
        };
        self.move_money(self.manager, MovementCommand::PayDebits(pay)).await;
        let reverse = MovementCommand::Reverse {
            reason: reason("Doble"),
        };
        self.manage(Command::Movement(MovementId(expense.id), reverse)).await;
        [completed, canceled, failed, shipping, pending]
    }

    pub async fn move_money(&self, by: PartyId, command: MovementCommand) -> Answer {
        self.of(by, Command::Movement(MovementId::generate(), command)).await
    }

    pub async fn state(&self) -> TenantState {
        self.journal.state(&self.tenant).await.unwrap().0
    }

    /// A snapshot of the committed state.
    pub async fn begin(&self) -> ReadTransaction {
        let head = self.journal.head(&self.tenant).await.unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        self.reads
            .wait_for(&self.tenant, head.position, deadline)
            .await
            .unwrap();
        self.reads.begin(&self.tenant, head.position).await.unwrap()
    }

    pub async fn scope(&self, party: PartyId) -> Scope {
        let state = self.state().await;
        Scope::of(state.party(party).unwrap(), &state)
    }
}
