//! `caudal forget`: erases a person's data and leaves the books unchanged.

use super::{Failure, Place, node::Node, say};
use crate::{
    auth::{passkeys::Passkeys, second_factors::SecondFactors, sign_on::SignOns},
    files::Owner,
    imports::store::Imports,
    webhooks::positions::Positions,
};
use caudal_domain::{
    Command,
    customer::CustomerCommand,
    erasure::{DEFAULT_RETENTION_DAYS, Forget as Order, MAX_RETENTION_DAYS},
    ids::{CustomerId, PartyId, RemittanceId, TenantId},
    party::PartyCommand,
};
use caudal_projections::{
    Projector, Reads,
    erasure::{self, Traces},
};
use clap::Args;
use sqlx::{Connection as _, Executor as _};
use uuid::Uuid;

/// Tables of the log and beside it with rows of people. Each is vacuumed and analysed, as those of the read models are, so that
/// neither dead rows nor the planner's statistics keep erased values.
const CLEANED: [&str; 13] = [
    "subject_keys",
    "credentials",
    "claims",
    "sessions",
    "passkeys",
    "second_factors",
    "sign_on_subjects",
    "imports",
    "import_chunks",
    "import_rows",
    "import_profiles",
    "import_proofs",
    "webhook_deliveries",
];

/// Erases a party or a customer: their key, their login, their files and what the read models say of them. What the
/// books say stays, and the chain still verifies. It can be repeated; it can't be undone.
///
/// It is refused while the books need the person: remittances under way, debits, balances, others who work for them, and
/// until the retention after their last business is over.
#[derive(Args, Debug)]
pub struct Forget {
    /// The tenant
    tenant: TenantId,
    /// The person: a party's or a customer's id
    person: Uuid,
    /// How many days a person is kept after their last business
    #[arg(
        long,
        env = "CAUDAL_RETENTION_DAYS",
        value_name = "DAYS",
        default_value_t = DEFAULT_RETENTION_DAYS,
        value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_RETENTION_DAYS)),
    )]
    retention_days: u32,
    #[command(flatten)]
    place: Place,
}

impl Forget {
    pub async fn run(self) -> Result<(), Failure> {
        let node = Node::open_for(&self.place, &self.tenant, "caudal forget").await?;
        let outcome = self.forget(&node).await;
        let closed = node.close().await;
        let files = outcome?;
        closed?;
        say(&format!(
            "{} is forgotten in {}; files removed: {files}",
            self.person, self.tenant
        ));
        say("backups made before still hold the data, until they are gone or their keys are: see docs/operations.md");
        Ok(())
    }

    async fn forget(&self, node: &Node) -> Result<usize, Failure> {
        let tenant = &self.tenant;
        // The final vacuum requires the owner: this is checked before anything is erased.
        node.owner_url().await?;
        let head = node.journal.head(tenant).await?;
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        projector.catch_up(tenant).await?;
        let reads = Reads::new(node.database.clone(), projector.clone());
        let mut transaction = reads.begin(tenant, head.position).await?;
        let (state, _) = node.journal.state(tenant).await?;
        let (party, customer) = (PartyId(self.person), CustomerId(self.person));
        let is_party = state.party(party).is_some();
        let traces = if is_party {
            Traces {
                last_business: erasure::last_business(&mut transaction, party).await?,
                ..Traces::default()
            }
        } else {
            erasure::of_customer(&node.journal, &mut transaction, customer).await?
        };
        drop(transaction);
        let order = Order {
            retention_days: self.retention_days,
            last_business: traces.last_business,
        };
        let command = if is_party {
            Command::Party(party, PartyCommand::Forget(order))
        } else {
            Command::Customer(customer, CustomerCommand::Forget(order))
        };
        node.submit(tenant, command).await?;
        projector.catch_up(tenant).await?;
        let mut owners = vec![
            Owner::Party(party),
            Owner::ScreeningReview(customer),
            Owner::CustomerDocument(customer),
        ];
        let (received, reviewed) = (traces.received.into_iter(), traces.reviewed.into_iter());
        owners.extend(received.map(|id| Owner::Remittance(RemittanceId(id))));
        owners.extend(reviewed.map(|id| Owner::HoldReview(RemittanceId(id))));
        Imports::new(node.database.clone(), &node.keyring)
            .erase_all(tenant, node.clock.now())
            .await?;
        Positions::new(node.database.clone()).erase_answers(tenant).await?;
        let (database, macs) = (node.database.clone(), node.journal.row_macs().clone());
        Passkeys::new(database.clone(), macs.clone(), &node.keyring)
            .delete_all(tenant, party)
            .await?;
        SecondFactors::new(database.clone(), macs.clone(), &node.keyring)
            .delete_all(tenant, party)
            .await?;
        SignOns::new(database, macs, &node.keyring)
            .unbind(tenant, party)
            .await?;
        let files = node.files()?;
        let removed = files.remove_of(tenant, &owners).await?;
        clean(node).await?;
        Ok(removed)
    }
}

async fn clean(node: &Node) -> Result<(), Failure> {
    let mut owner = caudal_postgres::connect(node.owner_url().await?).await?;
    let read = erasure::ERASED_IN.iter().map(|table| format!("read.{table}"));
    for table in read.chain(CLEANED.map(|table| format!("journal.{table}"))) {
        owner.execute(format!("VACUUM (ANALYZE) {table}").as_str()).await?;
    }
    owner.close().await?;
    Ok(())
}
