//! The server as `caudal serve` assembles it, on its own thread.

use super::Client;
use actix_web::{rt::System, web::Data};
use caudal_api::{
    addresses::Reachable,
    app::{App, Parts},
    auth::{
        address::Proxies,
        cookies::PublicUrl,
        passwords::{Cost, hash_at},
        sign_on::client::Providers,
    },
    dispatcher,
    files::{Files, Owner, Quotas},
    mail::{self, Mailer},
    proposal_expiry,
    rates::WriteRate,
    screened,
    screening::store::{About, EVERYBODY, Packer},
    server,
    spa::Interface,
};
use caudal_domain::{Actor, Command, DEFAULT_ZONE, ids::TenantId};
use caudal_journal::{Clock, Journal, Keyring, Manager, Opening, Submission, SystemClock};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use caudal_projections::{Projector, Reads};
use chrono::{DateTime, Utc};
use ipnet::IpNet;
use object_store::ObjectStore;
use std::{
    fs,
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
        mpsc,
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};
use tokio::sync::{mpsc::UnboundedSender, watch};

/// Password of all logins.
pub const PASSWORD: &str = "Caudal#2026";
/// The least that argon2 takes.
const CHEAP: Cost = Cost {
    memory_kib: 8,
    passes: 1,
};
/// Login of every tenant's manager.
pub const MANAGER: &str = "manager@example.test";

/// What a test asks of the server's journal, beside HTTP.
enum Order {
    /// A list that the operator loads, as CSV.
    LoadList(String, String, mpsc::Sender<()>),
    /// The removal of a list by the operator.
    RemoveList(String, mpsc::Sender<()>),
    /// The loss of the stored entries of a tenant's own lists.
    LoseOwnLists(TenantId, mpsc::Sender<()>),
    /// A screening of everybody.
    Screen(mpsc::Sender<()>),
    /// The end of expired proposals.
    EndExpired(mpsc::Sender<()>),
    /// The deletion of client secrets that are not in force.
    DeleteSecrets(mpsc::Sender<()>),
    /// The head position of a tenant's log.
    Head(TenantId, mpsc::Sender<i64>),
    /// Deletion of a tenant's old reads of personal data.
    DeleteOldReadings(TenantId, mpsc::Sender<()>),
    /// Removal of the files of some owners; answers the number of deleted ones.
    RemoveFiles(TenantId, Vec<Owner>, mpsc::Sender<usize>),
    /// A command by the system.
    Submit(TenantId, Box<Submission>, mpsc::Sender<()>),
}

/// Subject of mails about new devices.
const NEW_DEVICE: &str = "Subject: Login from a new device";

/// Timeout for a mail.
const MAIL_PATIENCE: Duration = Duration::from_secs(20);

/// The system's clock plus an offset set by the test.
#[derive(Debug, Default)]
struct SetAhead(AtomicI64);

impl Clock for SetAhead {
    fn now(&self) -> DateTime<Utc> {
        SystemClock.now() + chrono::Duration::seconds(self.0.load(Ordering::SeqCst))
    }
}

/// The server's dependencies, apart from its database.
#[derive(Default)]
pub struct Surroundings {
    pub mail: mail::Settings,
    /// Trusted proxies.
    pub proxies: Proxies,
    /// The object store; the server's folder if `None`.
    pub store: Option<Arc<dyn ObjectStore>>,
    /// The public address of the server.
    pub public_url: Option<PublicUrl>,
    pub write_rate: WriteRate,
    pub quotas: Quotas,
    /// Cost of passwords' hashes; as little as possible if `None`, since tests log in thousands of times.
    pub password_cost: Option<Cost>,
    /// Networks to which webhooks are sent; the server has a dispatcher where there are any.
    pub webhook_networks: Vec<IpNet>,
}

/// What the server's thread reports once it listens.
struct Started {
    address: SocketAddr,
    folder: PathBuf,
    database: Database,
    database_url: String,
}

/// A running server, stopped when dropped.
pub struct Server {
    address: SocketAddr,
    clock: Arc<SetAhead>,
    folder: PathBuf,
    database: Database,
    database_url: String,
    orders: Option<UnboundedSender<Order>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server over a new database with these tenants.
    pub fn start(tenants: &[&str]) -> Self {
        Self::among(tenants, Surroundings::default())
    }

    /// Starts a server with these mail settings.
    pub fn mailing(tenants: &[&str], mail: mail::Settings) -> Self {
        let surroundings = Surroundings {
            mail,
            ..Surroundings::default()
        };
        Self::among(tenants, surroundings)
    }

    /// Starts a server with these surroundings.
    pub fn among(tenants: &[&str], around: Surroundings) -> Self {
        let clock = Arc::new(SetAhead::default());
        let its_clock = clock.clone();
        let tenants: Vec<TenantId> = tenants.iter().map(|tenant| tenant.parse().unwrap()).collect();
        let (orders, ordered) = tokio::sync::mpsc::unbounded_channel();
        let (listens, listening) = mpsc::channel();
        let thread = thread::spawn(move || System::new().block_on(serve(tenants, around, its_clock, listens, ordered)));
        let Started {
            address,
            folder,
            database,
            database_url,
        } = listening.recv().expect("the server starts; its panic is above");
        Self {
            address,
            clock,
            folder,
            database,
            database_url,
            orders: Some(orders),
            thread: Some(thread),
        }
    }

    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn client(&self, tenant: &str) -> Client {
        Client::new(format!("http://{}", self.address), tenant)
    }

    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// The owner's URL of the database.
    pub fn database_url(&self) -> &str {
        &self.database_url
    }

    /// Advances the server's clock.
    pub fn pass(&self, time: chrono::Duration) {
        self.clock.0.fetch_add(time.num_seconds(), Ordering::SeqCst);
    }

    /// Waits for this number of mails in the outbox. Returns them in order, without those about new devices: no client
    /// of these tests keeps its cookies.
    pub fn mails(&self, count: usize) -> Vec<String> {
        self.mails_of(count, |mail| !mail.contains(NEW_DEVICE))
    }

    /// Waits for this number of mails about new devices. Returns them in order.
    pub fn notices(&self, count: usize) -> Vec<String> {
        self.mails_of(count, |mail| mail.contains(NEW_DEVICE))
    }

    fn mails_of(&self, count: usize, which: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + MAIL_PATIENCE;
        loop {
            let mut names: Vec<PathBuf> = fs::read_dir(self.folder.join("outbox"))
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
                .collect();
            names.sort();
            let mails = names.iter().map(|name| fs::read_to_string(name).unwrap());
            let mails: Vec<String> = mails.filter(|mail| which(mail)).collect();
            if mails.len() >= count {
                return mails;
            }
            assert!(Instant::now() < deadline, "{} mails, not {count}", mails.len());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// The head position of a tenant's log.
    pub fn head(&self, tenant: &str) -> i64 {
        self.ask(|reply| Order::Head(tenant.parse().unwrap(), reply))
    }

    /// Carries out a command that only the system has, such as the erasure of a person.
    pub fn submit(&self, tenant: &str, command: Command) {
        self.submit_as(tenant, Actor::System, command);
    }

    /// Carries out a command of somebody's that has no call of its own.
    pub fn submit_as(&self, tenant: &str, actor: Actor, command: Command) {
        let submission = Box::new(Submission::of(actor, command));
        self.ask(|reply| Order::Submit(tenant.parse().unwrap(), submission, reply));
    }

    /// Loads a list for all tenants, as the operator does; the server looks at the lists anew.
    pub fn load_list(&self, name: &str, csv: &str) {
        self.ask(|reply| Order::LoadList(name.to_owned(), csv.to_owned(), reply));
    }

    /// Removes a list as the operator does.
    pub fn remove_list(&self, name: &str) {
        self.ask(|reply| Order::RemoveList(name.to_owned(), reply));
    }

    /// Deletes the entries of a tenant's own lists, which a log that is imported elsewhere has not either.
    pub fn lose_own_lists(&self, tenant: &str) {
        self.ask(|reply| Order::LoseOwnLists(tenant.parse().unwrap(), reply));
    }

    /// Screens everybody where it is due, as every node does each few seconds.
    pub fn screen_everybody(&self) {
        self.ask(Order::Screen);
    }

    /// Ends the proposals that are expired, as every node does each minute.
    pub fn end_expired_proposals(&self) {
        self.ask(Order::EndExpired);
    }

    /// Deletes the client secrets that are not in force, as every node does each hour.
    pub fn delete_secrets(&self) {
        self.ask(Order::DeleteSecrets);
    }

    /// Deletes old reads of personal data, as every node does each hour.
    pub fn delete_old_readings(&self, tenant: &str) {
        let tenant = tenant.parse().unwrap();
        self.ask(|reply| Order::DeleteOldReadings(tenant, reply));
    }

    /// Removes files from their owners, as the erasure of a person does. Returns the number deleted.
    pub fn remove_files(&self, tenant: &str, owners: &[Owner]) -> usize {
        let (tenant, owners) = (tenant.parse().unwrap(), owners.to_vec());
        self.ask(|reply| Order::RemoveFiles(tenant, owners, reply))
    }

    fn ask<T>(&self, order: impl FnOnce(mpsc::Sender<T>) -> Order) -> T {
        let (reply, answer) = mpsc::channel();
        let orders = self.orders.as_ref().expect("it is there until the server ends");
        assert!(orders.send(order(reply)).is_ok(), "the server runs");
        answer.recv().expect("the server answers")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Dropping the sender ends the server.
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the server ended in a panic");
        }
    }
}

async fn serve(
    tenants: Vec<TenantId>,
    around: Surroundings,
    clock: Arc<dyn Clock>,
    listens: mpsc::Sender<Started>,
    mut orders: tokio::sync::mpsc::UnboundedReceiver<Order>,
) {
    let test_database = TestDatabase::new().await;
    let database = test_database.connect().await;
    let folder = tempfile::tempdir().unwrap();
    let keyring = Keyring::open_or_create(&Keyring::path(folder.path())).unwrap();
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone())
        .await
        .unwrap();
    let password_cost = around.password_cost.unwrap_or(CHEAP);
    for tenant in tenants {
        open(&journal, tenant, password_cost).await;
    }
    let projector = Projector::new(database.clone(), journal.clone());
    let parts = Parts {
        journal: journal.clone(),
        database: database.clone(),
        reads: Reads::new(database.clone(), projector.clone()),
        clock,
        interface: Interface::default(),
        mailer: Mailer::new(&around.mail, folder.path()).unwrap(),
        files: match around.store {
            Some(store) => Files::in_store(store, database.clone(), journal.row_macs().clone()),
            None => Files::open(None, folder.path(), database.clone(), journal.row_macs().clone()).unwrap(),
        }
        .with_quotas(around.quotas),
        proxies: around.proxies,
        public_url: around.public_url,
        write_rate: around.write_rate,
        password_cost,
    };
    let mut app = App::new(parts, &keyring, folder.path()).unwrap();
    let delivers = !around.webhook_networks.is_empty();
    app.providers = Providers::new(Reachable::new(around.webhook_networks.clone())).unwrap();
    app.webhooks = app.webhooks.reaching(around.webhook_networks).unwrap();
    let app = Data::new(app);
    let (stop_projecting, stop) = watch::channel(false);
    let delivering = delivers.then(|| tokio::spawn(dispatcher::run(app.clone(), stop.clone())));
    let projecting = tokio::spawn(projector.run(stop));
    let listening = server::listen(app.clone(), SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let serving = tokio::spawn(listening.server);
    let started = Started {
        address: listening.address,
        folder: folder.path().to_owned(),
        database: database.clone(),
        database_url: test_database.url().to_owned(),
    };
    listens.send(started).unwrap();
    while let Some(order) = orders.recv().await {
        match order {
            Order::Head(tenant, reply) => reply.send(journal.head(&tenant).await.unwrap().position).unwrap(),
            Order::LoadList(name, csv, reply) => {
                let mut packer = Packer::default();
                let limits = caudal_screening::Limits::default();
                let format = caudal_screening::Format::Csv;
                let read =
                    caudal_screening::read::read(format, csv.as_bytes(), limits, &mut |entry| packer.take(entry));
                read.unwrap();
                let about = About {
                    scope: EVERYBODY.to_owned(),
                    name,
                    format: format.name(),
                    published: None,
                    now: app.now(),
                };
                app.screening.store.put(about, packer.finish().unwrap()).await.unwrap();
                app.screening.forget_catalogue();
                reply.send(()).unwrap();
            }
            Order::RemoveList(name, reply) => {
                assert!(app.screening.store.remove(EVERYBODY, &name).await.unwrap());
                app.screening.forget_catalogue();
                reply.send(()).unwrap();
            }
            Order::LoseOwnLists(tenant, reply) => {
                let store = &app.screening.store;
                let since = app.now() + chrono::Duration::days(1);
                store.keep_own(tenant.as_str(), &[], since).await.unwrap();
                app.screening.forget_catalogue();
                reply.send(()).unwrap();
            }
            Order::Screen(reply) => {
                app.screening.forget_catalogue();
                screened::job::round(&app).await;
                reply.send(()).unwrap();
            }
            Order::EndExpired(reply) => {
                proposal_expiry::round(&app).await;
                reply.send(()).unwrap();
            }
            Order::DeleteSecrets(reply) => {
                proposal_expiry::delete_secrets(&app).await;
                reply.send(()).unwrap();
            }
            Order::DeleteOldReadings(tenant, reply) => {
                app.readings.flush().await.unwrap();
                app.readings.delete_old(&tenant).await.unwrap();
                reply.send(()).unwrap();
            }
            Order::RemoveFiles(tenant, owners, reply) => {
                reply
                    .send(app.files.remove_of(&tenant, &owners).await.unwrap())
                    .unwrap();
            }
            Order::Submit(tenant, submission, reply) => {
                let committed = journal.submit(&tenant, *submission).await.unwrap();
                // Whoever asks next did not write it, and would be shown older rows.
                app.until_projected(&tenant, committed.position).await;
                reply.send(()).unwrap();
            }
        }
    }
    app.go_down();
    listening.handle.stop(false).await;
    serving.await.unwrap().unwrap();
    stop_projecting.send_replace(true);
    projecting.await.unwrap();
    if let Some(delivering) = delivering {
        delivering.await.unwrap();
    }
    journal.close().await;
    database.close().await;
}

async fn open(journal: &Journal, tenant: TenantId, password_cost: Cost) {
    let opening = Opening {
        name: format!("Tenant {tenant}"),
        tenant,
        time_zone: DEFAULT_ZONE,
        manager: Manager {
            name: "Manager".to_owned(),
            email: MANAGER.to_owned(),
            password_hash: hash_at(password_cost, PASSWORD).unwrap(),
        },
    };
    opening.run(journal).await.unwrap();
}

/// The code in a mail, with the blank between its halves.
pub fn code_in(mail: &str) -> String {
    let line = mail.lines().find(|line| line.starts_with("    "));
    let line = line.unwrap_or_else(|| panic!("no code in {mail}"));
    line.trim().to_owned()
}
