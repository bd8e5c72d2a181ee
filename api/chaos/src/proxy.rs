//! A proxy between two parts, which breaks what passes through it: it cuts, refuses, holds up, and loses what it is told
//! to lose, a commit's answer among it.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream, UnixStream},
    runtime::Handle,
    sync::watch,
};

/// What is read at a time.
const BUFFER: usize = 64 * 1024;

/// How long a request is on its way that arrives after its sender has given it up.
const LATE: Duration = Duration::from_millis(1_500);

/// How long the answer that is to be lost may take; a server that was killed meanwhile gives none.
const ANSWER_PATIENCE: Duration = Duration::from_secs(10);

/// Where a proxy leads.
#[derive(Clone, Debug)]
pub enum Target {
    /// Nowhere at the moment.
    Nowhere,
    Port(SocketAddr),
    /// A Unix socket.
    Socket(PathBuf),
}

/// What happens to a request. The connection is cut in each case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It never arrives.
    Request,
    /// It is carried out, and its answer lost.
    Answer,
    /// It arrives after its sender has given it up.
    Late,
}

/// A proxy on a free port of this machine; it ends with the runtime.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Goes up when all connections are cut.
    cuts: watch::Sender<u64>,
    /// Goes up when all connections fall silent for good.
    silences: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    target: Target,
    /// New connections are refused until then.
    refused_until: Instant,
    /// Nothing passes until then.
    held_until: Instant,
    /// What is to be lost, and the texts to know it by.
    armed: Option<(Loss, &'static [&'static str])>,
    losses: u64,
}

trait Socket: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Socket for T {}

impl Proxy {
    /// Starts a proxy.
    pub fn start(runtime: &Handle, target: Target) -> Self {
        let listener = runtime
            .block_on(TcpListener::bind(("127.0.0.1", 0)))
            .expect("a free port");
        let address = listener.local_addr().expect("a bound listener has an address");
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                target,
                refused_until: Instant::now(),
                held_until: Instant::now(),
                armed: None,
                losses: 0,
            }),
            cuts: watch::Sender::new(0),
            silences: watch::Sender::new(0),
        });
        runtime.spawn(listen(listener, shared.clone()));
        Self { address, shared }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Leads elsewhere from the next connection on.
    pub fn lead_to(&self, target: Target) {
        self.shared.state().target = target;
    }

    /// Cuts all connections.
    pub fn cut(&self) {
        self.shared.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Cuts all connections and refuses new ones for a time.
    pub fn refuse(&self, time: Duration) {
        self.shared.state().refused_until = Instant::now() + time;
        self.cut();
    }

    /// Lets nothing pass for a time, in silence.
    pub fn hold(&self, time: Duration) {
        self.shared.state().held_until = Instant::now() + time;
    }

    /// Lets nothing pass any more on the connections that there are, without ending them: what a machine leaves behind
    /// that lost its power. New connections work.
    pub fn silence(&self) {
        self.shared.silences.send_modify(|silences| *silences += 1);
    }

    /// Loses the next request that holds one of the texts.
    pub fn lose(&self, loss: Loss, texts: &'static [&'static str]) {
        self.shared.state().armed = Some((loss, texts));
    }

    /// Ends all faults.
    pub fn heal(&self) {
        let mut state = self.shared.state();
        state.armed = None;
        state.refused_until = Instant::now();
        state.held_until = Instant::now();
    }

    /// How many requests or answers it lost.
    pub fn losses(&self) -> u64 {
        self.shared.state().losses
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_loss(&self, request: &[u8]) -> Option<Loss> {
        let mut state = self.state();
        let (loss, texts) = state.armed?;
        let holds = |text: &&str| request.windows(text.len()).any(|window| window == text.as_bytes());
        if texts.iter().any(holds) {
            state.armed = None;
            state.losses += 1;
            Some(loss)
        } else {
            None
        }
    }

    /// Waits while nothing is to pass.
    async fn wait_while_held(&self) {
        loop {
            let held_until = self.state().held_until;
            if held_until <= Instant::now() {
                return;
            }
            // Looked at again and again: faults may end before their time.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn connect(&self) -> Option<Box<dyn Socket>> {
        let target = {
            let state = self.state();
            if state.refused_until > Instant::now() {
                return None;
            }
            state.target.clone()
        };
        match target {
            Target::Nowhere => None,
            Target::Port(address) => {
                let stream = TcpStream::connect(address).await.ok()?;
                stream.set_nodelay(true).ok()?;
                // Its end is a cut, which a node heeds at once: a client that only closed might still read the answer.
                stream.set_zero_linger().ok()?;
                Some(Box::new(stream))
            }
            Target::Socket(path) => Some(Box::new(UnixStream::connect(path).await.ok()?)),
        }
    }
}

async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    loop {
        // Out of file descriptors, for one: later there may be some.
        let Ok((client, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let shared = shared.clone();
        tokio::spawn(async move {
            let (mut cuts, mut silences) = (shared.cuts.subscribe(), shared.silences.subscribe());
            let carried = async {
                client.set_nodelay(true).ok()?;
                shared.wait_while_held().await;
                let server = shared.connect().await?;
                let mut pair = Pair { client, server };
                let is_over = tokio::select! {
                    () = carry(&mut pair, &shared) => true,
                    _ = silences.changed() => false,
                };
                if !is_over {
                    // Kept open until it is cut, or the harness ends.
                    std::future::pending::<()>().await;
                }
                Some(())
            };
            tokio::select! {
                _ = carried => {}
                _ = cuts.changed() => {}
            }
        });
    }
}

/// Both ends of a connection.
struct Pair {
    client: TcpStream,
    server: Box<dyn Socket>,
}

async fn carry(Pair { client, server }: &mut Pair, shared: &Shared) {
    let (mut up, mut down) = (vec![0; BUFFER], vec![0; BUFFER]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(count @ 1..) = read else { return };
                let Some(request) = up.get(..count) else { return };
                shared.wait_while_held().await;
                match shared.take_loss(request) {
                    None => {}
                    Some(Loss::Request) => return,
                    Some(Loss::Answer) => {
                        if server.write_all(request).await.is_ok() {
                            let _ = tokio::time::timeout(ANSWER_PATIENCE, server.read(&mut down)).await;
                        }
                        return;
                    }
                    Some(Loss::Late) => {
                        // The sender sees the end of it.
                        let _ = client.shutdown().await;
                        tokio::time::sleep(LATE).await;
                        if server.write_all(request).await.is_ok() {
                            let ended = async { while matches!(server.read(&mut down).await, Ok(1..)) {} };
                            let _ = tokio::time::timeout(ANSWER_PATIENCE, ended).await;
                        }
                        return;
                    }
                }
                if server.write_all(request).await.is_err() { return }
            }
            read = server.read(&mut down) => {
                let Ok(count @ 1..) = read else { return };
                let Some(answer) = down.get(..count) else { return };
                shared.wait_while_held().await;
                if client.write_all(answer).await.is_err() { return }
            }
        }
    }
}
