//! A node on the data, in a process of its own.

use super::calls::Call;
use crate::process::Serving;
use serde_json::{Value, json};
use std::{
    fs::File,
    io::Read as _,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

/// How long a call may take before the measurement gives up.
const PATIENCE: Duration = Duration::from_secs(300);
const PASSWORD: &str = "Caudal#2026";

/// A `caudal serve`; it ends with this value.
pub struct Server {
    serving: Serving,
    base: String,
    agent: ureq::Agent,
    /// From its start until `/readyz` said so.
    pub ready_after: Duration,
}

impl Server {
    /// Starts it and waits until it is ready.
    pub fn start(binary: &Path, data_dir: &Path) -> Self {
        let started = Instant::now();
        let log = File::create(data_dir.join("bench-serve.log")).expect("the data folder can be written");
        let mut command = Command::new(binary);
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--data-dir"])
            .arg(data_dir)
            .env_remove("DATABASE_URL")
            .env_remove("CAUDAL_DATA_DIR")
            .env("CAUDAL_WRITE_RATE", "0");
        let serving = Serving::start(&mut command, log);
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        let mut server = Self {
            base: format!("http://{}", serving.address),
            serving,
            agent: config.into(),
            ready_after: Duration::ZERO,
        };
        while !server.is_ready() {
            thread::sleep(Duration::from_millis(5));
        }
        server.ready_after = started.elapsed();
        server
    }

    fn is_ready(&self) -> bool {
        let answer = self.agent.get(format!("{}/readyz", self.base)).call();
        answer.is_ok_and(|answer| answer.status() == 200)
    }

    /// Resident memory in MiB.
    pub fn resident_mib(&self) -> f64 {
        self.serving.resident_mib()
    }

    /// Signs in and answers the token.
    pub fn login(&self, tenant: &str, email: &str) -> String {
        let body = json!({"email": email, "password": PASSWORD}).to_string();
        let answer = self
            .agent
            .post(format!("{}/api/auth0/login", self.base))
            .header("X-Tenant", tenant)
            .header("Content-Type", "application/json")
            .send(&body);
        let mut answer = answer.expect("the node answers");
        let text = answer.body_mut().read_to_string().expect("a body");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        value["token"]["accessToken"]
            .as_str()
            .unwrap_or_else(|| panic!("{email} of {tenant}: {text}"))
            .to_owned()
    }

    /// Makes a call and reads its answer to the end.
    pub fn send(&self, call: &Call) -> Vec<u8> {
        let url = format!("{}{}", self.base, call.path);
        let answer = match &call.body {
            None => self
                .agent
                .get(&url)
                .header("X-Tenant", &call.tenant)
                .header("Authorization", format!("Bearer {}", call.token))
                .call(),
            Some(body) => self
                .agent
                .post(&url)
                .header("X-Tenant", &call.tenant)
                .header("Authorization", format!("Bearer {}", call.token))
                .header("Content-Type", "application/json")
                .send(body),
        };
        let mut answer = answer.unwrap_or_else(|error| panic!("{}: {error}", call.path));
        let status = answer.status();
        let body = answer
            .body_mut()
            .with_config()
            .limit(u64::MAX)
            .read_to_vec()
            .expect("a body");
        assert!(
            status == 200,
            "{} {}: {status} {}",
            call.name,
            call.path,
            String::from_utf8_lossy(&body)
        );
        body
    }

    /// An answer's JSON.
    pub fn json(&self, tenant: &str, token: &str, path: &str) -> Value {
        let call = Call::get("", tenant, token, path.to_owned());
        serde_json::from_slice(&self.send(&call)).expect("JSON")
    }

    /// How many rows a list has.
    pub fn total(&self, tenant: &str, token: &str, path: &str) -> i64 {
        self.json(tenant, token, path)["totalRecords"]
            .as_i64()
            .unwrap_or_default()
    }

    /// Downloads a file: its bytes, its lines, and the most that the node held in memory meanwhile, in MiB.
    pub fn download(&self, tenant: &str, token: &str, path: &str) -> (usize, i64, f64) {
        let answer = self
            .agent
            .get(format!("{}{path}", self.base))
            .header("X-Tenant", tenant)
            .header("Authorization", format!("Bearer {token}"))
            .call();
        let mut answer = answer.expect("the node answers");
        assert!(answer.status() == 200, "{path}: {}", answer.status());
        let mut reader = answer.body_mut().as_reader();
        let (mut bytes, mut lines, mut peak) = (0, 0, self.resident_mib());
        let mut buffer = vec![0; 1 << 20];
        loop {
            let read = reader.read(&mut buffer).expect("the file comes to its end");
            if read == 0 {
                return (bytes, lines, peak);
            }
            bytes += read;
            lines += buffer.iter().take(read).filter(|byte| **byte == b'\n').count() as i64;
            peak = peak.max(self.resident_mib());
        }
    }
}
