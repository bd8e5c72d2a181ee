//! A node of Caudal in a process of its own, and a client over HTTP that costs little.

use crate::{office::Office, process::Serving};
use serde_json::{Value, json};
use std::{fs::File, net::SocketAddr, path::Path, process::Command};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use uuid::Uuid;

/// This program as `caudal`, on a database and with the keys in a folder.
pub fn caudal(database_url: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.env("DATABASE_URL", database_url).env("CAUDAL_DATA_DIR", folder);
    command
}

/// Starts a node on a database, with its keys and log in a folder, and waits until it serves.
pub fn start(database_url: &str, folder: &Path) -> Serving {
    let log = File::options().create(true).append(true).open(folder.join("serve.log"));
    let mut command = caudal(database_url, folder);
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        // One caller writes as fast as it can here.
        .env("CAUDAL_WRITE_RATE", "0")
        .env("CAUDAL_NODE_ADDRESS", "http://127.0.0.1:0");
    Serving::start(&mut command, log.expect("the log of a node can be written"))
}

/// Header of a JSON body.
const JSON: &str = "Content-Type: application/json\r\n";
/// Between the parts of an upload.
const BOUNDARY: &str = "a8c1f0b6e2";

/// A user who has signed in.
#[derive(Clone, Debug)]
pub struct Login {
    tenant: String,
    /// Empty before signing in.
    token: String,
}

impl Login {
    /// Headers of the user's requests.
    pub fn headers(&self) -> String {
        let authorization = if self.token.is_empty() {
            String::new()
        } else {
            format!("Authorization: Bearer {}\r\n", self.token)
        };
        format!("Host: bench\r\nX-Tenant: {}\r\n{authorization}", self.tenant)
    }
}

/// A user's connection to a node.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    login: Login,
    buffer: Vec<u8>,
}

/// Answer of a node.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// `X-Ledger-Position`.
    pub position: Option<i64>,
    body: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a body is JSON")
    }
}

impl Connection {
    /// Signs in.
    pub async fn open(address: SocketAddr, tenant: &str, email: &str, password: &str) -> Self {
        let nobody = Login {
            tenant: tenant.to_owned(),
            token: String::new(),
        };
        let mut connection = Self::of(nobody, address).await;
        let login = json!({"email": email, "password": password}).to_string();
        let answer = connection
            .send("POST", "/api/auth0/login", JSON, login.as_bytes())
            .await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        let token = answer.json()["token"]["accessToken"].as_str().map(str::to_owned);
        connection.login.token = token.expect("a token");
        connection
    }

    /// A connection of a user who has signed in.
    pub async fn of(login: Login, address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the node takes connections");
        stream.set_nodelay(true).expect("a socket option");
        Self {
            stream,
            login,
            buffer: Vec::new(),
        }
    }

    /// Who sends requests.
    pub const fn login(&self) -> &Login {
        &self.login
    }

    /// Sends the next requests as another user.
    pub fn act_as(&mut self, login: &Login) {
        self.login.clone_from(login);
    }

    /// Another connection to a node, with the same token.
    pub async fn another(&self, address: SocketAddr) -> Self {
        Self::of(self.login.clone(), address).await
    }

    /// Sells a remittance to the customer of a number.
    pub async fn sell(&mut self, office: &Office, number: usize) -> Answer {
        let (sender, recipient) = office.customers[number % office.customers.len()];
        let body = format!(
            r#"{{"senderId":"{}","recipientId":"{}","paymentGroupId":"{}","amount":"100","deliveryMethod":"home","notes":"Call before noon, please"}}"#,
            sender.0, recipient.0, office.group.0
        );
        let key = format!("{JSON}Idempotency-Key: {}\r\n", Uuid::now_v7());
        let answer = self.send("POST", "/api/remittances", &key, body.as_bytes()).await;
        assert_eq!(answer.status, 201, "{}", answer.json());
        assert!(answer.position.is_some(), "a sale has a position");
        answer
    }

    /// Uploads a spreadsheet of sales.
    pub async fn upload(&mut self, name: &str, content: &[u8]) -> Answer {
        let part = |head: &str, content: &[u8]| {
            let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n");
            [head.as_bytes(), content, b"\r\n"].concat()
        };
        let body = [
            part("name=\"kind\"", b"remittances"),
            part("name=\"name\"", name.as_bytes()),
            part(&format!("name=\"file\"; filename=\"{name}\""), content),
            format!("--{BOUNDARY}--\r\n").into_bytes(),
        ]
        .concat();
        let headers = format!("Content-Type: multipart/form-data; boundary={BOUNDARY}\r\n");
        self.send("POST", "/api/imports", &headers, &body).await
    }

    /// Replaces something.
    pub async fn put(&mut self, path: &str, body: &Value) -> Answer {
        self.send("PUT", path, JSON, body.to_string().as_bytes()).await
    }

    /// Asks for an act that takes no body.
    pub async fn post(&mut self, path: &str) -> Answer {
        let key = format!("Idempotency-Key: {}\r\n", Uuid::now_v7());
        self.send("POST", path, &key, b"").await
    }

    /// Reads at least at a position.
    pub async fn read(&mut self, path: &str, position: i64) -> Answer {
        self.send("GET", path, &format!("X-Min-Ledger-Position: {position}\r\n"), b"")
            .await
    }

    async fn send(&mut self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{}{headers}Content-Length: {}\r\n\r\n",
            self.login.headers(),
            body.len()
        );
        let request = [request.as_bytes(), body].concat();
        self.stream.write_all(&request).await.expect("a node listens");
        self.buffer.clear();
        let head = loop {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("a node answers");
            assert!(read > 0, "the node hung up");
            if let Some(end) = self.buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
        };
        let text = String::from_utf8_lossy(&self.buffer[..head]).to_ascii_lowercase();
        let header = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let status = text.split_whitespace().nth(1).and_then(|status| status.parse().ok());
        let length: usize = header("content-length:")
            .and_then(|length| length.parse().ok())
            .unwrap_or(0);
        let position = header("x-ledger-position:").and_then(|position| position.parse().ok());
        while self.buffer.len() < head + length {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("a node answers");
            assert!(read > 0, "the node hung up");
        }
        Answer {
            status: status.expect("an answer has a status"),
            position,
            body: self.buffer[head..head + length].to_vec(),
        }
    }
}
