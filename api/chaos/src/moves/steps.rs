//! How far a move is, by the rows in which both cells keep where the tenant lives.

use crate::{
    engine::Cell,
    fleet::{Fleet, RECOVERY},
};
use sqlx::{Connection as _, PgConnection};
use std::{
    fmt, thread,
    time::{Duration, Instant},
};

/// Between two looks: the shortest steps take some tens of milliseconds.
const LOOK: Duration = Duration::from_millis(10);
/// How long the cells may take to answer a look.
const PATIENCE: Duration = Duration::from_secs(2);

/// A step of a move, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The command runs, and nothing is placed yet.
    Started,
    Copying,
    /// Nodes keep new writes waiting.
    Closing,
    /// The database refuses writes.
    Held,
    /// The tenant has left, and is not open in the new cell yet.
    Left,
    /// It is open there, and its old copy is readable yet.
    Open,
}

/// All of them.
pub const STEPS: [Step; 6] = [
    Step::Started,
    Step::Copying,
    Step::Closing,
    Step::Held,
    Step::Left,
    Step::Open,
];

impl Step {
    fn of(source: Option<&str>, target: Option<&str>) -> Self {
        match (source, target) {
            (Some("copying"), _) => Self::Copying,
            (Some("closing"), _) => Self::Closing,
            (Some("held"), _) => Self::Held,
            (Some("left"), Some("here")) => Self::Open,
            (Some("left"), _) => Self::Left,
            _ => Self::Started,
        }
    }

    /// About how long it takes, in milliseconds.
    pub const fn lasts(self) -> u64 {
        match self {
            Self::Started => 500,
            Self::Copying => 400,
            Self::Closing => 600,
            Self::Held => 80,
            Self::Left => 20,
            Self::Open => 3_000,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Started => "started",
            Self::Copying => "copying",
            Self::Closing => "closing",
            Self::Held => "held",
            Self::Left => "left",
            Self::Open => "open",
        })
    }
}

/// A look at both cells during a move.
pub struct Sight<'a> {
    fleet: &'a Fleet,
    tenant: &'a str,
    source: Row,
    target: Row,
}

/// A cell's row of the tenant.
struct Row {
    url: String,
    connection: Option<PgConnection>,
}

impl<'a> Sight<'a> {
    pub fn new(fleet: &'a Fleet, tenant: &'a str, source: Cell) -> Self {
        let row = |cell| Row {
            url: fleet.engine(cell).url().to_owned(),
            connection: None,
        };
        Self {
            fleet,
            tenant,
            source: row(source),
            target: row(source.other()),
        }
    }

    /// The present step; `None` while a cell does not answer.
    fn step(&mut self) -> Option<Step> {
        let (tenant, source, target) = (self.tenant, &mut self.source, &mut self.target);
        let states = self.fleet.runtime.block_on(async {
            let both = async { Ok::<_, sqlx::Error>((source.state(tenant).await?, target.state(tenant).await?)) };
            tokio::time::timeout(PATIENCE, both).await
        });
        if let Ok(Ok((here, there))) = states {
            return Some(Step::of(here.as_deref(), there.as_deref()));
        }
        source.connection = None;
        target.connection = None;
        None
    }

    /// Waits until both cells answer. Notes where they do not in time.
    pub fn answers(&mut self) -> bool {
        let deadline = Instant::now() + RECOVERY;
        while self.step().is_none() {
            if Instant::now() > deadline {
                self.fleet
                    .tally
                    .find(format!("a cell does not answer for {RECOVERY:?}"));
                return false;
            }
            thread::sleep(LOOK);
        }
        true
    }

    /// Waits until the move is at a step, or past it. The step at which it is; `None` where `is_over` before.
    pub fn reaches(&mut self, wanted: Step, mut is_over: impl FnMut() -> bool) -> Option<Step> {
        while !is_over() {
            match self.step() {
                Some(step) if step >= wanted => return Some(step),
                _ => thread::sleep(LOOK),
            }
        }
        None
    }
}

impl Row {
    async fn state(&mut self, tenant: &str) -> Result<Option<String>, sqlx::Error> {
        if self.connection.is_none() {
            let mut connection = PgConnection::connect(&self.url).await?;
            sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
                .bind(tenant)
                .execute(&mut connection)
                .await?;
            self.connection = Some(connection);
        }
        let connection = self.connection.as_mut().expect("it was put there");
        sqlx::query_scalar("SELECT state FROM journal.placements WHERE tenant = $1")
            .bind(tenant)
            .fetch_optional(connection)
            .await
    }
}
