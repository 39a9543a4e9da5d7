//! Who judges a call: the daemon; where there is none, or it says nothing, the fallback.

use crate::exchange::{Exchange, Heard, Unreached};
use crate::fallback::{self, Ended, Fallback};
use crate::home::Home;
use crate::limits::{SILENT_AGAIN_MS, SILENT_AT_FIRST_MS, SILENT_MS};
use crate::reply::Answer;
use crate::request::Request;
use crate::silence;
use crate::socket;
use crate::start::{self, Start};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

const SILENT: Duration = Duration::from_millis(SILENT_MS);
const SILENT_AGAIN: Duration = Duration::from_millis(SILENT_AGAIN_MS);
/// Between two looks at what else may have happened.
const LOOK: Duration = Duration::from_millis(5);
const TRY: Duration = Duration::from_millis(10);

pub struct Call<'a> {
    pub home: &'a Home,
    pub request: &'a Request,
    pub arguments: &'a [String],
    pub stdin: &'a [u8],
}

pub enum Verdict {
    Daemon(Answer),
    Fallback(Ended),
    /// Why there is none.
    Nobody(String),
}

pub fn judge(call: &Call) -> Verdict {
    let socket = match call.home.socket() {
        Ok(socket) => socket,
        Err(why) => return without_daemon(call, false, why),
    };
    let (why, starts_daemon) = match open(&socket, call.request) {
        Ok(exchange) => return ask(call, exchange, || silence::timeout(&call.home.path)),
        Err(Unreached::Failed(why)) => (why, false),
        Err(Unreached::Silent(why)) => {
            silence::note(&call.home.path);
            (why, false)
        }
        Err(Unreached::Nobody(why)) => match start::claim(&call.home.path) {
            Start::Us => (why, true),
            Start::Nobody => (why, false),
            Start::Others(left) if await_start(&call.home.path, &socket, left) => {
                return once_started(call, &socket, why);
            }
            Start::Others(_) => (why, false),
        },
    };
    without_daemon(call, starts_daemon, why)
}

fn open(socket: &Path, request: &Request) -> Result<Exchange, Unreached> {
    Exchange::open(socket, &request.line, &request.id, SILENT)
}

/// Whether the daemon that somebody else starts listens in the end.
fn await_start(home: &Path, socket: &Path, left: Duration) -> bool {
    let until = Instant::now() + left;
    while Instant::now() < until {
        // Looked at before the socket: it is gone when the daemon listens.
        let is_starting = matches!(start::by_others(home), Some(Start::Others(_)));
        if socket::dial(socket, SILENT).is_ok() {
            return true;
        }
        if !is_starting {
            return false;
        }
        thread::sleep(TRY);
    }
    false
}

/// With a request of now: the daemon takes one that is old for given up.
fn once_started(call: &Call, socket: &Path, why: String) -> Verdict {
    let request = call.request.anew();
    let call = Call { request: &request, ..*call };
    match open(socket, &request) {
        Ok(exchange) => ask(&call, exchange, || Duration::from_millis(SILENT_AT_FIRST_MS)),
        Err(_) => without_daemon(&call, false, why),
    }
}

fn ask(call: &Call, mut exchange: Exchange, timeout: impl Fn() -> Duration) -> Verdict {
    let began = Instant::now();
    let mut heard = exchange.listen(began + SILENT_AGAIN);
    if matches!(heard, Heard::Nothing) {
        heard = exchange.listen(began + timeout());
    }
    match heard {
        Heard::Answer(answer) => Verdict::Daemon(answer),
        Heard::Held => held(call, exchange),
        Heard::Failed(why) => without_daemon(call, false, why),
        Heard::Nothing => first_of_both(call, exchange),
    }
}

/// The daemon has the call: nobody else judges it meanwhile.
fn held(call: &Call, exchange: Exchange) -> Verdict {
    match exchange.finish() {
        Ok(answer) => Verdict::Daemon(answer),
        Err(why) => without_daemon(call, false, why),
    }
}

/// The daemon may be hung, or the machine busy: the fallback begins as well, and the first answer counts.
fn first_of_both(call: &Call, mut exchange: Exchange) -> Verdict {
    let mut fallback = match start_fallback(call, false) {
        Ok(fallback) => fallback,
        Err(also) => return daemon_only(exchange, also),
    };
    loop {
        match exchange.listen(Instant::now() + LOOK) {
            Heard::Answer(answer) => return Verdict::Daemon(answer),
            Heard::Held => {
                drop(fallback);
                return held(call, exchange);
            }
            Heard::Failed(_) => {
                silence::note(&call.home.path);
                return Verdict::Fallback(fallback.wait());
            }
            Heard::Nothing => {}
        }
        if let Some(ended) = fallback.poll() {
            if ended.code == 1 {
                return match exchange.finish() {
                    Ok(answer) => Verdict::Daemon(answer),
                    Err(_) => Verdict::Fallback(ended),
                };
            }
            silence::note(&call.home.path);
            return Verdict::Fallback(ended);
        }
    }
}

fn daemon_only(exchange: Exchange, also: String) -> Verdict {
    match exchange.finish() {
        Ok(answer) => Verdict::Daemon(answer),
        Err(why) => Verdict::Nobody(format!("{why}; and no fallback: {also}")),
    }
}

fn without_daemon(call: &Call, starts_daemon: bool, why: String) -> Verdict {
    match start_fallback(call, starts_daemon) {
        Ok(mut fallback) => match fallback.wait() {
            ended if ended.code == 1 => ask_again(call).unwrap_or(Verdict::Fallback(ended)),
            ended => Verdict::Fallback(ended),
        },
        Err(also) => Verdict::Nobody(format!("{why}; and no fallback: {also}")),
    }
}

/// On a machine that is busy, the daemon may be there by the time that the fallback has given up.
fn ask_again(call: &Call) -> Option<Verdict> {
    let exchange = open(&call.home.socket().ok()?, &call.request.anew()).ok()?;
    exchange.finish().ok().map(Verdict::Daemon)
}

fn start_fallback(call: &Call, starts_daemon: bool) -> Result<Fallback, String> {
    let Call { home, request, arguments, stdin } = call;
    Fallback::start(home, &fallback::Call { request_id: &request.id, arguments, stdin, starts_daemon })
}
