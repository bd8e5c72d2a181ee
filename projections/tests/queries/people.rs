//! Customers, parties, the top bar, and reference data.

use super::{Scopes, column, refused, shown};
use crate::common::{Office, home, person};
use caudal_domain::{
    Actor, Command,
    customer::{ChangeCustomer, CustomerCommand, DecidePair, PairOutcome, RecordScreening, ScreeningCandidate},
    ids::{CustomerId, RemittanceId},
    party::Role,
    remittance::{CreateRemittance, DeliveryChoice, EditDetails, RemittanceCommand},
};
use caudal_projections::{
    ListQuery, customer, erasure,
    party::{agency, agent, dealer, profile},
    reference_data::{currency, payment_group, place},
    scalar::CustomerType,
};
use serde_json::{Value, json};

#[tokio::test]
async fn customers_are_visible_to_their_agency_until_deleted() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    for (name, scope) in scopes.all() {
        let page = customer::list(&mut transaction, scope, CustomerType::Sender, &ListQuery::default())
            .await
            .unwrap();
        let sells = scope.role == Role::Manager || scope.role.sells();
        assert_eq!(page.total_records, i64::from(sells), "{name}");
        assert_eq!(
            customer::get(&mut transaction, scope, office.recipient).await.is_ok(),
            sells,
            "{name}"
        );
    }
    let issuer = shown(
        customer::get(&mut transaction, &scopes.agency, office.issuer)
            .await
            .unwrap(),
    );
    assert_eq!(issuer["customerType"], 0);
    assert_eq!(issuer["totalReceivers"], 1);
    assert_eq!(issuer["agencyId"], json!(office.agency.0));
    assert_eq!(
        (&issuer["alias"], &issuer["alternativeName"]),
        (&json!("José"), &json!("José"))
    );
    let recipient = shown(
        customer::get(&mut transaction, &scopes.agency, office.recipient)
            .await
            .unwrap(),
    );
    assert_eq!(recipient["senderId"], json!(office.issuer.0));
    assert_eq!(recipient["province"], "La Habana");
    assert_eq!(recipient["address"]["stateOrProvince"], "La Habana");
    assert_eq!(recipient["card"][0]["cardNumber"], "************7890");
    let of_sender = ListQuery::default().filter("senderId", office.issuer);
    let page = customer::list(&mut transaction, &scopes.manager, CustomerType::Recipient, &of_sender)
        .await
        .unwrap();
    assert_eq!(page.total_records, 1);
    drop(transaction);
    use caudal_domain::{Command, customer::CustomerCommand};
    let off = ChangeCustomer {
        details: person("José", "Ibáñez", "1"),
        is_active: Some(false),
        place: None,
        known: None,
    };
    office
        .manage(Command::Customer(office.issuer, CustomerCommand::Change(off)))
        .await;
    office
        .manage(Command::Customer(office.recipient, CustomerCommand::Delete))
        .await;
    let mut transaction = office.begin().await;
    let issuer = shown(
        customer::get(&mut transaction, &scopes.manager, office.issuer)
            .await
            .unwrap(),
    );
    assert_eq!(
        (&issuer["isActive"], &issuer["totalReceivers"]),
        (&json!(false), &json!(0))
    );
    let gone = customer::get(&mut transaction, &scopes.manager, office.recipient).await;
    assert_eq!(refused(gone).1, "customer_not_found");
    let unknown = customer::get(&mut transaction, &scopes.manager, CustomerId::generate()).await;
    assert_eq!(refused(unknown).1, "customer_not_found");
}

#[tokio::test]
async fn the_top_bar_shows_balance_expenses_and_terms() {
    let office = Office::open().await;
    office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let agency = shown(profile::get(&mut transaction, &scopes.agency).await.unwrap());
    assert_eq!(
        (&agency["userType"], &agency["agencyName"]),
        (&json!(4), &json!("Águila Envíos"))
    );
    assert_eq!(agency["timeZone"], "America/Havana");
    let cup = &agency["paymentGroups"][0];
    // 300000 + 31850 assigned, 50000 given, 31850 and 15925 sold.
    assert_eq!(
        (&cup["currencyTo"], &cup["amount"], &cup["expenses"]),
        (&json!("CUP"), &json!("234075.00"), &json!("47775.00"))
    );
    assert_eq!(
        (&cup["creditLimit"], &cup["exchangeRate"]),
        (&json!("50000.00"), &json!("318.5"))
    );
    assert_eq!(
        (&cup["agencyCommission"]["rate"], &cup["agentCommission"]),
        (&json!("3"), &Value::Null)
    );
    let clerk = shown(profile::get(&mut transaction, &scopes.clerk).await.unwrap());
    assert_eq!((&clerk["userType"], &clerk["agentType"]), (&json!(3), &json!(0)));
    assert_eq!(
        clerk["paymentGroups"], agency["paymentGroups"],
        "an internal agent sees its agency's"
    );
    // What the ticket of a sale says beside the agency's name.
    assert_eq!(
        (&agency["sellerPhone"], &clerk["sellerPhone"]),
        (&json!("+5375550100"), &json!("+5375550100"))
    );
    let agent = shown(profile::get(&mut transaction, &scopes.agent).await.unwrap());
    let own = &agent["paymentGroups"][0];
    // 50000 received; 20 USD sold and canceled, 10 USD edited to 12 and still sold.
    assert_eq!(
        (&own["amount"], &own["expenses"]),
        (&json!("46178.00"), &json!("3822.00"))
    );
    assert_eq!(
        (&own["agencyCommission"]["rate"], &own["agentCommission"]["rate"]),
        (&json!("3"), &json!("3"))
    );
    let dealer = shown(profile::get(&mut transaction, &scopes.dealer).await.unwrap());
    let cash: Vec<_> = dealer["paymentGroups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["groupName"], &row["amount"], &row["expenses"]))
        .collect();
    assert_eq!(
        cash,
        [
            (&json!("CUP"), &json!("139000.00"), &json!("0.00")),
            (&json!("MLC"), &json!("500.00"), &json!("0.00")),
            (&json!("USD"), &json!("0.00"), &json!("0.00")),
        ],
        "200000 less 60000 handed over and 1000 returned; the expense was taken back"
    );
    let manager = shown(profile::get(&mut transaction, &scopes.manager).await.unwrap());
    assert_eq!(manager["paymentGroups"], json!([]));
    for other in [&manager, &dealer] {
        assert_eq!(other["sellerPhone"], Value::Null, "sells under no name of its own");
    }
}

#[tokio::test]
async fn parties_are_visible_to_their_superiors() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let query = ListQuery::default();
    for ((name, scope), counts) in
        scopes
            .all()
            .into_iter()
            .zip([[1, 2, 2], [1, 2, 0], [1, 2, 0], [1, 1, 0], [0, 0, 2], [0, 0, 1]])
    {
        let seen = [
            agency::list(&mut transaction, scope, &query)
                .await
                .unwrap()
                .total_records,
            agent::list(&mut transaction, scope, &query)
                .await
                .unwrap()
                .total_records,
            dealer::list(&mut transaction, scope, &query)
                .await
                .unwrap()
                .total_records,
        ];
        assert_eq!(seen, counts, "{name}");
    }
    let internal = ListQuery::default()
        .filter("AgentType", 0)
        .filter("AgencyId", office.agency);
    let agents = agent::list(&mut transaction, &scopes.manager, &internal).await.unwrap();
    assert_eq!(column(&agents, "/name"), ["Clara Clerk"]);
    assert_eq!(column(&agents, "/agencyName"), ["Águila Envíos"]);
    let men = ListQuery::default().filter("type", 1);
    let men = dealer::list(&mut transaction, &scopes.dealer, &men).await.unwrap();
    let man = shown(&men.data[0]);
    assert_eq!((&man["type"], &man["dealerName"]), (&json!(1), &json!("Dora Dealer")));
    let zone = man["zones"][0]["name"].as_str().unwrap();
    assert_eq!(man["distributionArea"], format!(",La Habana,{zone},"));
    for (name, place, found) in [
        ("municipalityId", man["zones"][0]["id"].as_str().unwrap(), 2),
        ("municipalityId", man["provinceId"].as_str().unwrap(), 0),
        ("provinceId", man["provinceId"].as_str().unwrap(), 2),
    ] {
        let there = ListQuery::default().filter(name, place);
        let there = dealer::list(&mut transaction, &scopes.manager, &there).await.unwrap();
        assert_eq!(there.total_records, found, "{name}={place}");
    }
    let single = dealer::get(&mut transaction, &scopes.dealer, office.delivery_man)
        .await
        .unwrap();
    assert_eq!(single.id, office.delivery_man.0);
    assert_eq!(
        refused(dealer::get(&mut transaction, &scopes.delivery_man, office.dealer).await).1,
        "party_not_found"
    );
    let directory = dealer::directory(&mut transaction, &scopes.delivery_man, &query)
        .await
        .unwrap();
    assert_eq!(column(&directory, "/name"), ["Dora Dealer"]);
    let searched = ListQuery {
        query: Some("aguila".into()),
        ..ListQuery::default()
    };
    assert_eq!(
        agency::list(&mut transaction, &scopes.manager, &searched)
            .await
            .unwrap()
            .total_records,
        1
    );
}

#[tokio::test]
async fn reference_data_combines_the_catalogue_with_the_tenants_settings() {
    let office = Office::open().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let currencies = currency::list(&mut transaction, &scopes.agent, &ListQuery::all())
        .await
        .unwrap();
    assert_eq!(column(&currencies, "/code"), ["CUP", "MLC", "USD"]);
    assert_eq!(column(&currencies, "/exchangeRate"), ["330", "1", "1"]);
    assert_eq!(place::provinces(&mut transaction).await.unwrap().results.len(), 16);
    assert_eq!(
        place::municipalities(&mut transaction, None)
            .await
            .unwrap()
            .results
            .len(),
        168
    );
    let havana = place::municipalities(&mut transaction, home().province).await.unwrap();
    assert!(havana.results.len() == 15 && havana.results[0].province_name == "La Habana");
    let catalogue = payment_group::list(&mut transaction, &scopes.agency, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!(column(&catalogue, "/agencyCommission/rate"), ["5", "5"]);
    assert_eq!(column(&catalogue, "/type"), [0, 0]);
    let own = ListQuery::default().filter("Type", 1);
    let terms = payment_group::list(&mut transaction, &scopes.agent, &own)
        .await
        .unwrap();
    assert_eq!(column(&terms, "/agentCommission/rate"), ["3"]);
    assert_eq!(column(&terms, "/type"), [1]);
    let wrong = ListQuery::default().filter("Type", 2);
    assert_eq!(
        refused(payment_group::list(&mut transaction, &scopes.agent, &wrong).await).0,
        "Type"
    );
}

#[tokio::test]
async fn the_last_business_of_a_person_counts_former_remittances_reviews_and_dossiers() {
    let office = Office::open().await;
    office.fund().await;
    let other = office
        .customer(Some(office.issuer), person("Otra", "Soto", "5550009"))
        .await;
    let last = async |id: CustomerId| {
        let traces = erasure::of_customer(&office.journal, &mut office.begin().await, id).await;
        traces.unwrap().last_business
    };
    assert_eq!(last(other).await, None, "a registration is none");
    let id = RemittanceId::generate();
    let create = CreateRemittance {
        delivery: DeliveryChoice::Home,
        ..CreateRemittance::new(id, office.issuer, other, office.group, "10".parse().unwrap())
    };
    let create = Command::Remittance(id, RemittanceCommand::Create(create));
    office.of(office.agency, create).await;
    let sold = last(other).await;
    assert!(sold.is_some());
    let edit = RemittanceCommand::EditDetails(EditDetails::new(office.recipient));
    office.remit(office.agency, id, edit).await;
    let edited = last(other).await;
    assert!(edited > sold, "it was sold to them");
    assert_eq!(edited, last(office.recipient).await);

    let candidate = ScreeningCandidate {
        list: "sample".into(),
        entry: "7".into(),
        name: "SOTO, Otra".into(),
        score: 97,
    };
    let screening = CustomerCommand::RecordScreening(RecordScreening {
        lists: [("sample".to_owned(), "0a1b2c".to_owned())].into(),
        candidates: vec![candidate],
        is_confirmed: false,
    });
    office
        .submit(Actor::System, Command::Customer(other, screening))
        .await
        .unwrap();
    assert_eq!(last(other).await, edited, "a finding is none");
    let decision = CustomerCommand::DecidePair(DecidePair {
        list: "sample".into(),
        entry: "7".into(),
        outcome: PairOutcome::Different,
        reason: "Otra fecha de nacimiento".into(),
        files: Vec::new(),
        others_remain: false,
        listed: None,
    });
    office.manage(Command::Customer(other, decision)).await;
    let decided = last(other).await;
    assert!(decided > edited, "a review is business");
    let export = CustomerCommand::ExportDossier(Vec::new());
    office.manage(Command::Customer(other, export)).await;
    let exported = last(other).await;
    assert!(exported > decided, "an export for an authority is business");
    assert_eq!(last(office.recipient).await, edited);
}
