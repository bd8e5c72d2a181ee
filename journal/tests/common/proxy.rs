//! A proxy between a node and PostgreSQL that drops a chosen message.

use sqlx::postgres::PgConnectOptions;
use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
};

/// Fault for the next request that contains the armed text. Each fault also cuts the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The request is dropped.
    Request,
    /// The request is carried out, and its answer dropped.
    Answer,
    /// The request arrives long after its sender has given up.
    Late,
}

/// Delay of [`Loss::Late`]: long enough for the sender to have fenced it.
pub const LATE: Duration = Duration::from_millis(700);

/// The armed fault, with the text of its request.
type Armed = Option<(Loss, Vec<u8>)>;

pub struct Proxy {
    port: u16,
    armed: Arc<Mutex<Armed>>,
}

trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Socket for T {}

impl Proxy {
    /// Starts a proxy to the server of a URL.
    pub async fn to(url: &str) -> Self {
        let target: PgConnectOptions = url.parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let armed = Arc::new(Mutex::new(None));
        let shared = armed.clone();
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(carry(client, connect(&target).await, shared.clone()));
            }
        });
        Self { port, armed }
    }

    /// The URL of the same database through the proxy.
    pub fn url(&self, url: &str) -> String {
        let target: PgConnectOptions = url.parse().unwrap();
        let (user, database) = (target.get_username(), target.get_database().unwrap());
        format!("postgres://{user}@127.0.0.1:{}/{database}?sslmode=disable", self.port)
    }

    /// Arms a fault for the next request that contains a text.
    pub fn lose(&self, loss: Loss, text: &str) {
        *self.armed.lock().unwrap() = Some((loss, text.as_bytes().to_vec()));
    }

    /// Whether the armed fault has occurred.
    pub fn has_lost(&self) -> bool {
        self.armed.lock().unwrap().is_none()
    }
}

async fn connect(target: &PgConnectOptions) -> Box<dyn Socket> {
    match target.get_socket() {
        Some(folder) => Box::new(
            UnixStream::connect(PathBuf::from(folder).join(format!(".s.PGSQL.{}", target.get_port())))
                .await
                .unwrap(),
        ),
        None => Box::new(
            TcpStream::connect((target.get_host(), target.get_port()))
                .await
                .unwrap(),
        ),
    }
}

async fn carry(mut client: TcpStream, mut server: Box<dyn Socket>, armed: Arc<Mutex<Armed>>) {
    let (mut up, mut down) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(count @ 1..) = read else { return };
                let request = &up[..count];
                match take_loss(&armed, request) {
                    None => {}
                    Some(Loss::Request) => return,
                    Some(Loss::Answer) => {
                        server.write_all(request).await.unwrap();
                        // The answer arrives after the commit.
                        assert!(server.read(&mut down).await.unwrap() > 0);
                        return;
                    }
                    Some(Loss::Late) => {
                        drop(client);
                        tokio::time::sleep(LATE).await;
                        server.write_all(request).await.unwrap();
                        while !matches!(server.read(&mut down).await, Ok(0) | Err(_)) {}
                        return;
                    }
                }
                if server.write_all(request).await.is_err() { return }
            }
            read = server.read(&mut down) => {
                let Ok(count @ 1..) = read else { return };
                if client.write_all(&down[..count]).await.is_err() { return }
            }
        }
    }
}

fn take_loss(armed: &Mutex<Armed>, request: &[u8]) -> Option<Loss> {
    let mut armed = armed.lock().unwrap();
    let hit = armed
        .as_ref()
        .is_some_and(|(_, text)| request.windows(text.len()).any(|window| window == text));
    if hit { armed.take().map(|(loss, _)| loss) } else { None }
}
