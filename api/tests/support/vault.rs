//! The part of Vault's transit engine that Caudal uses: `encrypt` and `decrypt` with one key, over HTTP. The
//! ciphertext is authenticated.

use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The token that the engine accepts.
pub const VAULT_TOKEN: &str = "s.token-of-the-test";

/// The name of the key.
pub const VAULT_KEY: &str = "caudal";

const PREFIX: &str = "vault:v1:";
const NONCE_BYTES: usize = 16;
const TAG_BYTES: usize = 32;

/// A running engine; its thread ends with the process.
pub struct Vault {
    address: String,
    calls: Arc<AtomicUsize>,
}

impl Vault {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let mut key = [0; 32];
        getrandom::fill(&mut key).unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
                serve(stream.unwrap(), &key);
            }
        });
        Self { address, calls }
    }

    pub fn address(&self) -> &str {
        &self.address
    }

    /// Number of calls.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, key: &[u8; 32]) {
    let mut reader = BufReader::new(stream);
    let mut request = String::new();
    reader.read_line(&mut request).unwrap();
    let (mut length, mut token) = (0, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "x-vault-token" => token = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let (status, answer) = answer(request.trim(), &token, &body, key);
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.len()
    );
    let mut stream = reader.into_inner();
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(answer.as_bytes()).unwrap();
}

fn answer(request: &str, token: &str, body: &[u8], key: &[u8; 32]) -> (&'static str, Value) {
    let refused = |status, why: &str| (status, json!({ "errors": [why] }));
    if token != VAULT_TOKEN {
        return refused("403 Forbidden", "permission denied");
    }
    let Ok(body) = serde_json::from_slice::<Value>(body) else {
        return refused("400 Bad Request", "failed to parse JSON input");
    };
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    let line: Vec<_> = request.split(' ').collect();
    let path = |operation: &str| format!("/v1/transit/{operation}/{VAULT_KEY}");
    if line.first() != Some(&"POST") {
        refused("405 Method Not Allowed", "unsupported operation")
    } else if line[1] == path("encrypt") {
        match BASE64.decode(text("plaintext")) {
            Ok(plaintext) => ("200 OK", json!({"data": {"ciphertext": encrypt(key, &plaintext)}})),
            Err(_) => refused("400 Bad Request", "failed to base64-decode plaintext"),
        }
    } else if line[1] == path("decrypt") {
        match decrypt(key, &text("ciphertext")) {
            Some(plaintext) => ("200 OK", json!({"data": {"plaintext": BASE64.encode(plaintext)}})),
            None => refused("400 Bad Request", "invalid ciphertext: unable to decrypt"),
        }
    } else {
        refused("400 Bad Request", "encryption key not found")
    }
}

fn hash(key: &[u8; 32], purpose: &str, bytes: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(purpose.as_bytes());
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

/// One block of the key stream is long enough for a key.
fn mixed(key: &[u8; 32], nonce: &[u8], text: &[u8]) -> Vec<u8> {
    let stream = hash(key, "stream", nonce);
    assert!(text.len() <= stream.len());
    text.iter().zip(stream).map(|(byte, with)| byte ^ with).collect()
}

fn encrypt(key: &[u8; 32], plaintext: &[u8]) -> String {
    let mut sealed = vec![0; NONCE_BYTES];
    getrandom::fill(&mut sealed).unwrap();
    let ciphertext = mixed(key, &sealed, plaintext);
    sealed.extend(ciphertext);
    let tag = hash(key, "tag", &sealed);
    sealed.extend(tag);
    format!("{PREFIX}{}", BASE64.encode(sealed))
}

fn decrypt(key: &[u8; 32], ciphertext: &str) -> Option<Vec<u8>> {
    let sealed = BASE64.decode(ciphertext.strip_prefix(PREFIX)?).ok()?;
    let (body, tag) = sealed.split_at_checked(sealed.len().checked_sub(TAG_BYTES)?)?;
    if hash(key, "tag", body) != tag {
        return None;
    }
    let (nonce, text) = body.split_at_checked(NONCE_BYTES)?;
    Some(mixed(key, nonce, text))
}
