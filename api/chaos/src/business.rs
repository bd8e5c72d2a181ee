//! The small business of each worker: an agency that sells to one group, a dealer, an issuer with a recipient.

use crate::{
    client::{Answer, Call, Client},
    dice::Dice,
    fleet::MANAGER,
};
use serde_json::{Value, json};

/// What the workers of a tenant share.
#[derive(Clone, Debug)]
pub struct Office {
    /// A group that pays out CUP at [`RATE`].
    pub group: String,
    province: String,
    municipality: String,
}

/// Who and what belongs to one worker alone.
#[derive(Clone, Debug)]
pub struct Business {
    /// The agency's login.
    pub agency_email: String,
    pub agency: String,
    pub dealer: String,
    /// An issuer.
    pub sender: String,
    pub recipient: String,
}

/// CUP for a dollar: whole dollars make whole payouts.
pub const RATE: i64 = 320;
/// The manager's commission in percent: whole dollars yield whole cents.
pub const COMMISSION_PERCENT: i64 = 2;

fn done(client: &Client, dice: &mut Dice, email: &str, call: &Call) -> Answer {
    let answer = client.ask(dice, email, call);
    assert!(answer.is_done(), "{call:?}: {} {}", answer.status, answer.body);
    answer
}

impl Office {
    /// Opens the group of a tenant.
    pub fn open(client: &Client, dice: &mut Dice) -> Self {
        let body = json!({"name": "CUP home", "currencyTo": "CUP", "exchangeRate": RATE.to_string(),
                          "managerCommission": {"rate": COMMISSION_PERCENT.to_string()}});
        let call = Call::new("POST", "/api/nomenclators/payment_group")
            .key("setup-group")
            .json(&body);
        let group = done(client, dice, MANAGER, &call).text("id");
        let mut first = |path: String| {
            let answer = done(client, dice, MANAGER, &Call::new("GET", path));
            answer.body["results"][0]["id"]
                .as_str()
                .expect("Cuba's places are there")
                .to_owned()
        };
        let province = first("/api/nomenclators/cuban_states".to_owned());
        let municipality = first(format!("/api/nomenclators/cuban_cities?provinceId={province}"));
        Self {
            group,
            province,
            municipality,
        }
    }
}

impl Business {
    /// Sets a worker's business up.
    pub fn open(client: &Client, dice: &mut Dice, office: &Office, number: usize) -> Self {
        let mut post = |email: &str, path: &str, what: &str, body: Value| {
            let call = Call::new("POST", path)
                .key(&format!("setup-{number}-{what}"))
                .json(&body);
            done(client, dice, email, &call).text("id")
        };
        let agency_email = format!("agency{number}@example.test");
        let agency = post(
            MANAGER,
            "/api/agency",
            "agency",
            json!({"name": format!("Agency {number}"), "email": agency_email, "password": crate::fleet::PASSWORD,
                   "paymentGroups": [{"paymentGroupId": office.group, "agencyCommission": {"rate": "1"}}]}),
        );
        let dealer = post(
            MANAGER,
            "/api/dealer",
            "dealer",
            json!({"name": format!("Dealer {number}"), "email": format!("dealer{number}@example.test"),
                   "password": crate::fleet::PASSWORD, "handleMLC": true, "provinceId": office.province,
                   "zones": [office.municipality]}),
        );
        let sender = post(
            &agency_email,
            "/api/customer",
            "sender",
            json!({"name": "Ana", "customerType": 0}),
        );
        let recipient = post(
            &agency_email,
            "/api/customer",
            "recipient",
            json!({"name": "Berta", "customerType": 1, "senderId": sender, "addressLine": "Calle 23",
                   "provinceId": office.province, "municipalityId": office.municipality}),
        );
        Self {
            agency_email,
            agency,
            dealer,
            sender,
            recipient,
        }
    }
}
