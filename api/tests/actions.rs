//! The actions offered by a remittance equal the actions accepted by the server, for every role and state.

use crate::support::{Answer, Branch, Business, Call, Kind, Server, Surroundings, picture, text};
use caudal_api::rates::WriteRate;
use caudal_domain::party::Role;
use serde_json::{Value, json};

const ACTIONS: [&str; 6] = ["complete", "assign", "editDetails", "editAmount", "error", "cancel"];
const STATUSES: [&str; 5] = ["pending", "canceled", "shipping", "completed", "error"];

/// A business with a branch that sells and an unrelated branch.
struct Desk {
    business: Business,
    ours: Branch,
    others: Branch,
    /// Counter that makes every uploaded picture unique.
    made: std::cell::Cell<u32>,
}

impl Desk {
    fn new(server: &Server) -> Self {
        let business = Business::new(server, "acme");
        let (ours, others) = (Branch::found(&business, "Norte"), Branch::found(&business, "Sur"));
        let funds = json!({"paymentGroupId": business.cup, "amount": "900000"});
        let agency = format!("/sources/deposit/agency/{}", ours.any(Kind::Agency));
        business.as_manager(201, "POST", &agency, funds.clone());
        let agent = format!("/sources/deposit/agent/{}", ours.any(Kind::Agent));
        let half = json!({"paymentGroupId": business.cup, "amount": "450000"});
        business
            .client
            .expect(201, &ours.tokens[&Role::Agency], "POST", &agent, Some(half));
        Self {
            business,
            ours,
            others,
            made: std::cell::Cell::new(0),
        }
    }

    fn send(&self, token: &str, remittance: &str, action: &str) -> Answer {
        let path = format!("/remittances/{remittance}");
        let call = |method: &str, path: String, body: Value| Call::new(method, &path).token(token).json(&body);
        let call = match action {
            "complete" => {
                self.made.set(self.made.get() + 1);
                let shown = picture(&format!("proof {}", self.made.get()));
                let files = [
                    ("identificationDocument", "id.png", shown.as_slice()),
                    ("firmPicture", "signature.png", shown.as_slice()),
                ];
                Call::new("POST", &format!("{path}/complete"))
                    .token(token)
                    .multipart(files)
            }
            "assign" => {
                let to =
                    json!({"dealerId": self.ours.any(Kind::Dealer), "deliveryManId": self.ours.any(Kind::DeliveryMan)});
                call("PUT", format!("{path}/assign/dealer"), to)
            }
            "editDetails" => call(
                "PUT",
                format!("/remittances/details/{remittance}"),
                json!({"notes": "Third floor"}),
            ),
            "editAmount" => call("PUT", path, json!({"amount": "2", "paymentGroupId": self.business.cup})),
            "error" => call("PUT", format!("{path}/error"), json!({"reason": "nobody at home"})),
            "cancel" => call("POST", format!("{path}/cancel"), json!({"reason": "changed her mind"})),
            other => panic!("no action {other}"),
        };
        self.business.client.send(call)
    }

    /// A remittance sold by the branch's agent and brought to a state by the manager.
    fn remittance(&self, status: &str) -> String {
        let sale = json!({"senderId": self.ours.any(Kind::Sender), "recipientId": self.ours.any(Kind::Recipient),
                          "paymentGroupId": self.business.cup, "amount": "1", "deliveryMethod": "home"});
        let seller = &self.ours.tokens[&Role::ExternalAgent];
        let sold = self
            .business
            .client
            .expect(201, seller, "POST", "/remittances", Some(sale));
        let sold = text(&sold["id"]);
        let way: &[&str] = match status {
            "pending" => &[],
            "canceled" => &["cancel"],
            "shipping" => &["assign"],
            "completed" => &["assign", "complete"],
            "error" => &["assign", "error"],
            other => panic!("no status {other}"),
        };
        for action in way {
            let done = self.send(&self.business.manager, &sold, action);
            assert_eq!(done.status, 200, "{action}: {}", done.body);
        }
        sold
    }
}

#[test]
fn actions_offered_and_actions_accepted_agree_for_every_role_and_status() {
    let around = Surroundings {
        write_rate: WriteRate::per_second(0),
        ..Surroundings::default()
    };
    let server = Server::among(&["acme"], around);
    let desk = Desk::new(&server);
    let branches = [("ours", &desk.ours), ("others", &desk.others)];
    let people = branches.iter().flat_map(|(whose, branch)| {
        let token = move |(role, token): (&Role, &String)| (format!("{whose} {}", role.as_str()), token.clone());
        branch.tokens.iter().map(token)
    });
    let mut callers: Vec<(String, String)> = people.collect();
    callers.push(("manager".into(), desk.business.manager.clone()));
    let (mut wrong, mut allowed, mut refused) = (Vec::new(), 0, 0);
    for status in STATUSES {
        for (who, token) in &callers {
            let remittance = desk.remittance(status);
            let seen = desk
                .business
                .client
                .send(Call::new("GET", &format!("/remittances/{remittance}")).token(token));
            let list = desk
                .business
                .client
                .send(Call::new("GET", "/remittances?RecordsPerPage=0").token(token));
            let row = list.body["data"]
                .as_array()
                .unwrap()
                .iter()
                .find(|row| row["id"] == remittance.as_str())
                .cloned();
            assert_eq!(
                row.as_ref().map(|row| &row["actions"]),
                Some(&seen.body["actions"]).filter(|_| seen.status == 200)
            );
            for action in ACTIONS {
                let Some(row) = &row else {
                    let answer = desk.send(token, &remittance, action);
                    if !matches!(answer.status, 403 | 404) {
                        wrong.push(format!(
                            "{who} {action} {status}, not seen: {} {}",
                            answer.status, answer.body
                        ));
                    }
                    continue;
                };
                let offered = row["actions"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|offered| offered["action"] == action);
                let refusal = offered.unwrap_or_else(|| panic!("no {action} in {row}"))["refusal"].as_str();
                let answer = match refusal {
                    // An action changes the row, so each case uses a row of its own.
                    None => desk.send(token, &desk.remittance(status), action),
                    Some(_) => desk.send(token, &remittance, action),
                };
                let agrees = match refusal {
                    None => answer.status == 200,
                    Some(code) => matches!(answer.status, 403 | 409) && answer.code() == code,
                };
                if !agrees {
                    wrong.push(format!(
                        "{who} {action} {status}: {refusal:?}, {} {}",
                        answer.status, answer.body
                    ));
                }
                if refusal.is_none() { allowed += 1 } else { refused += 1 }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Of the manager, the three owners and the two carriers (domain design, section 4).
    assert_eq!(allowed, (5 + 5 + 4) + 3 * (3 + 3) + (3 + 2));
    assert!(refused > 100, "{refused}");
}
