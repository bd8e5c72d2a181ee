//! A small business in a tenant: one payment group, one agency, one dealer, an issuer with a recipient.

use super::{Call, Client, MANAGER, PASSWORD, Server};
use serde_json::{Value, json};

/// The parties and records of the business.
pub struct Business {
    pub client: Client,
    pub manager: String,
    /// A group that pays out CUP at 320.
    pub cup: String,
    pub agency: String,
    pub agency_token: String,
    pub dealer: String,
    pub province: String,
    pub municipality: String,
    pub sender: String,
    pub recipient: String,
}

/// The string of a JSON value.
pub fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("a text, not {value}"))
        .to_owned()
}

impl Business {
    pub fn new(server: &Server, tenant: &str) -> Self {
        Self::set_up(server.client(tenant))
    }

    /// Sets a new tenant up through its client.
    pub fn set_up(client: Client) -> Self {
        let manager = client.login(MANAGER, PASSWORD);
        let post = |path: &str, body: Value| client.expect(201, &manager, "POST", path, Some(body));
        let cup = post(
            "/nomenclators/payment_group",
            json!({"name": "CUP home", "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}}),
        );
        let cup = text(&cup["id"]);
        let agency = post(
            "/agency",
            json!({"name": "Agency", "email": "agency@example.test", "password": PASSWORD,
                   "paymentGroups": [{"paymentGroupId": cup, "agencyCommission": {"rate": "1"}}]}),
        );
        let provinces = client.expect(200, &manager, "GET", "/nomenclators/cuban_states", None);
        let province = text(&provinces["results"][0]["id"]);
        let path = format!("/nomenclators/cuban_cities?provinceId={province}");
        let municipalities = client.expect(200, &manager, "GET", &path, None);
        let municipality = text(&municipalities["results"][0]["id"]);
        let dealer = post(
            "/dealer",
            json!({"name": "Dealer", "email": "dealer@example.test", "password": PASSWORD, "handleMLC": true,
                   "provinceId": province, "zones": [municipality]}),
        );
        let mut business = Self {
            agency_token: client.login("agency@example.test", PASSWORD),
            agency: text(&agency["id"]),
            dealer: text(&dealer["id"]),
            client: client.clone(),
            manager: manager.clone(),
            cup,
            province,
            municipality,
            sender: String::new(),
            recipient: String::new(),
        };
        (business.sender, business.recipient) = business.issuer_with_recipient("Ana");
        business
    }

    /// Adds an issuer of the agency with one recipient.
    pub fn issuer_with_recipient(&self, name: &str) -> (String, String) {
        let add = |body: Value| text(&self.as_agency(201, "POST", "/customer", body)["id"]);
        let sender = add(json!({"name": name, "customerType": 0}));
        let recipient = add(
            json!({"name": format!("{name}'s aunt"), "customerType": 1, "senderId": sender,
            "addressLine": "Calle 23", "provinceId": self.province, "municipalityId": self.municipality}),
        );
        (sender, recipient)
    }

    pub fn as_agency(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        self.client.expect(status, &self.agency_token, method, path, Some(body))
    }

    pub fn as_manager(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        self.client.expect(status, &self.manager, method, path, Some(body))
    }

    /// Assigns balance of the group to the agency, paid cash.
    pub fn fund(&self, amount: &str) {
        let path = format!("/sources/deposit/agency/{}", self.agency);
        self.as_manager(
            201,
            "POST",
            &path,
            json!({"paymentGroupId": self.cup, "amount": amount}),
        );
    }

    /// The body of a sale of this amount, delivered to the issuer's recipient.
    pub fn sale(&self, amount: &str) -> Value {
        json!({"senderId": self.sender, "recipientId": self.recipient, "paymentGroupId": self.cup,
               "amount": amount, "deliveryMethod": "home"})
    }

    /// The closing balance of an account, by kind and currency.
    pub fn balance(&self, kind: &str, currency: &str) -> String {
        let path = "/accounting/balances?RecordsPerPage=0";
        let answer = self.client.send(Call::new("GET", path).token(&self.manager));
        let rows = answer.body["data"]
            .as_array()
            .unwrap_or_else(|| panic!("{}", answer.body));
        let row = rows
            .iter()
            .find(|row| row["kind"] == kind && row["currency"] == currency);
        row.map_or_else(|| "0.00".to_owned(), |row| text(&row["closing"]))
    }
}
