//! Decides who evaluates a call: the daemon, or the fallback if there is none or it is silent.

use crate::exchange::{Exchange, Heard, Unreached, TRY};
use crate::fallback::{self, Ended, Fallback};
use crate::home::Home;
use crate::impostor;
use crate::limits::{SILENT_AGAIN_MS, SILENT_AT_FIRST_MS, SILENT_MS, START_WAIT_MS};
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
const SILENT_AT_FIRST: Duration = Duration::from_millis(SILENT_AT_FIRST_MS);
const START_WAIT: Duration = Duration::from_millis(START_WAIT_MS);
/// Interval for checking what else may have happened.
const LOOK: Duration = Duration::from_millis(5);

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
    Unchecked(String),
}

/// The next step when a connection breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    /// The daemon may have ended, and the next one be starting: ask it.
    AskAgain,
    /// It was asked already.
    Fallback,
}

pub fn judge(call: &Call) -> Verdict {
    reach(call, Left::AskAgain, || silence::timeout(&call.home.path))
}

fn reach(call: &Call, left: Left, timeout: impl Fn() -> Duration) -> Verdict {
    let socket = match call.home.socket() {
        Ok(socket) => socket,
        Err(why) => return without_daemon(call, false, why),
    };
    let (why, starts_daemon) = match open(call, &socket) {
        Ok(exchange) => return ask(call, exchange, left, timeout),
        Err(Unreached::Failed(why)) => (why, false),
        Err(Unreached::Silent(why)) => {
            silence::note(&call.home.path);
            (why, false)
        }
        Err(Unreached::Impostor(pid)) => {
            (format!("process {pid} listens on the socket of the daemon"), false)
        }
        Err(Unreached::NotListening(why)) => match start::claim(&call.home.path) {
            Start::Us => (why, true),
            Start::NotNow => (why, false),
            Start::Others(time) if await_start(&call.home.path, &socket, time) => {
                return once_started(call, &socket, left, why);
            }
            Start::Others(_) => (why, false),
        },
    };
    without_daemon(call, starts_daemon, why)
}

fn open(call: &Call, socket: &Path) -> Result<Exchange, Unreached> {
    let home = &call.home.path;
    Exchange::open(home, socket, call.request, SILENT).inspect_err(|why| {
        if let Unreached::Impostor(pid) = *why {
            impostor::note(home, pid);
        }
    })
}

/// True once the daemon that another process starts listens.
fn await_start(home: &Path, socket: &Path, left: Duration) -> bool {
    let until = Instant::now() + left;
    while Instant::now() < until {
        // Checked before the socket, because the mark is deleted once the daemon listens.
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

/// With a new request time, because the daemon ignores an old request.
fn once_started(call: &Call, socket: &Path, left: Left, why: String) -> Verdict {
    let request = call.request.with_current_time();
    let call = Call { request: &request, ..*call };
    match open(&call, socket) {
        Ok(exchange) => ask(&call, exchange, left, || SILENT_AT_FIRST),
        Err(_) => without_daemon(&call, false, why),
    }
}

fn ask(call: &Call, mut exchange: Exchange, left: Left, timeout: impl Fn() -> Duration) -> Verdict {
    if exchange.is_held() {
        return held(call, exchange, left);
    }
    let began = Instant::now();
    let mut heard = exchange.listen(began + SILENT_AGAIN);
    if matches!(heard, Heard::Nothing) {
        heard = exchange.listen(began + timeout());
    }
    match heard {
        Heard::Answer(answer) => Verdict::Daemon(answer),
        Heard::Held => held(call, exchange, left),
        Heard::Failed(why) if left == Left::Fallback => without_daemon(call, false, why),
        // Otherwise all callers of a killed daemon would run their fallbacks at once, next to the one that starts.
        Heard::Failed(_) => {
            let request = call.request.with_current_time();
            reach(&Call { request: &request, ..*call }, Left::Fallback, timeout)
        }
        Heard::Nothing | Heard::Late => first_of_both(call, exchange, left),
    }
}

/// The daemon has the call, so no fallback evaluates it. If that daemon is killed, the next one has the approval.
fn held(call: &Call, mut exchange: Exchange, left: Left) -> Verdict {
    let mut without = START_WAIT;
    loop {
        let why = match exchange.wait() {
            Heard::Answer(answer) => return Verdict::Daemon(answer),
            Heard::Failed(why) => why,
            // It may only be busy, and still answer.
            _ => {
                exchange.wait_longer();
                return first_of_both(call, exchange, left);
            }
        };
        let broke = Instant::now();
        exchange = match regain(call, without) {
            Regained::Answer(answer) => return Verdict::Daemon(answer),
            Regained::Held(next) => next,
            Regained::Lost => return without_daemon(call, false, why),
        };
        without = without.saturating_sub(broke.elapsed());
    }
}

enum Regained {
    Answer(Answer),
    Held(Exchange),
    Lost,
}

/// A person may have been asked: the next daemon has the approval, and only it has the answer.
fn regain(call: &Call, within: Duration) -> Regained {
    let until = Instant::now() + within;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Regained::Lost;
        }
        match reconnect(call, left) {
            // It announced a hold while a large line was being sent, and for how long.
            Ok(exchange) if exchange.is_held() => return Regained::Held(exchange),
            Ok(mut exchange) => match exchange.listen_for(first_word_within(until, Instant::now())) {
                Heard::Answer(answer) => return Regained::Answer(answer),
                Heard::Failed(_) => {}
                _ => return Regained::Held(exchange),
            },
            Err(Unreached::Failed(_)) => {}
            Err(_) => return Regained::Lost,
        }
        // The connection closed with an ending daemon.
        thread::sleep(TRY);
    }
}

/// A daemon that keeps dying must not delay a call by the time limit of each start, so all starts share one limit.
fn first_word_within(until: Instant, now: Instant) -> Duration {
    until.saturating_duration_since(now).max(SILENT_AT_FIRST)
}

/// The daemon may hang, or the machine may be busy: the fallback starts too, and the first answer counts.
fn first_of_both(call: &Call, mut exchange: Exchange, mut left: Left) -> Verdict {
    let mut fallback = match start_fallback(call, false) {
        Ok(fallback) => fallback,
        Err(also) => return daemon_only(call, exchange, also),
    };
    loop {
        match exchange.listen(Instant::now() + LOOK) {
            Heard::Answer(answer) => return Verdict::Daemon(answer),
            Heard::Held => {
                drop(fallback);
                return held(call, exchange, left);
            }
            // A stopped daemon considers the call abandoned.
            Heard::Failed(_) => match (left == Left::AskAgain).then(|| reopen(call).ok()).flatten() {
                Some(next) => {
                    left = Left::Fallback;
                    exchange = next;
                }
                None => {
                    silence::note(&call.home.path);
                    return or_ask_again(call, fallback.wait());
                }
            },
            // The answer still counts if a daemon that wakes up now has opened an approval.
            Heard::Late => {
                silence::note(&call.home.path);
                exchange.wait_longer();
            }
            Heard::Nothing => {}
        }
        if let Some(ended) = fallback.poll() {
            if ended.code == 1 {
                return match exchange.finish() {
                    Ok(answer) => Verdict::Daemon(answer),
                    Err(_) => or_ask_again(call, ended),
                };
            }
            silence::note(&call.home.path);
            return Verdict::Fallback(ended);
        }
    }
}

fn daemon_only(call: &Call, mut exchange: Exchange, also: String) -> Verdict {
    let mut heard = exchange.wait();
    if matches!(heard, Heard::Late) {
        exchange.wait_longer();
        heard = exchange.wait();
    }
    let why = match heard {
        Heard::Answer(answer) => return Verdict::Daemon(answer),
        Heard::Failed(why) => why,
        _ => "the daemon took too long to answer".to_owned(),
    };
    ask_again(call).unwrap_or_else(|| Verdict::Unchecked(format!("{why}; and no fallback: {also}")))
}

fn without_daemon(call: &Call, starts_daemon: bool, why: String) -> Verdict {
    match start_fallback(call, starts_daemon) {
        Ok(mut fallback) => or_ask_again(call, fallback.wait()),
        Err(also) => Verdict::Unchecked(format!("{why}; and no fallback: {also}")),
    }
}

/// On a busy machine, the daemon may be available by the time the fallback gives up.
fn or_ask_again(call: &Call, ended: Ended) -> Verdict {
    if ended.code == 1 {
        if let Some(verdict) = ask_again(call) {
            return verdict;
        }
    }
    Verdict::Fallback(ended)
}

fn ask_again(call: &Call) -> Option<Verdict> {
    reconnect(call, START_WAIT).ok()?.finish().ok().map(Verdict::Daemon)
}

/// Asks the daemon that listens, or the one that is started for it, which may take that long.
fn reconnect(call: &Call, limit: Duration) -> Result<Exchange, Unreached> {
    let unreached = match reopen(call) {
        Err(Unreached::NotListening(why)) => Unreached::NotListening(why),
        opened => return opened,
    };
    let home = &call.home.path;
    let Ok(socket) = call.home.socket() else { return Err(unreached) };
    let until = Instant::now() + limit;
    let left = || until.saturating_duration_since(Instant::now());
    let is_there = match start::claim(home) {
        Start::Us => start_daemon(call, limit) && await_start(home, &socket, left()),
        Start::Others(time) => !start::is_left_by_us(home) && await_start(home, &socket, time.min(limit)),
        Start::NotNow => false,
    };
    if is_there {
        reopen(call)
    } else {
        Err(unreached)
    }
}

/// With a new request time.
fn reopen(call: &Call) -> Result<Exchange, Unreached> {
    let request = call.request.with_current_time();
    let call = Call { request: &request, ..*call };
    open(&call, &call.home.socket().map_err(Unreached::NotListening)?)
}

/// Only starts it, which is all that the script does then. A hanging one is ended.
fn start_daemon(call: &Call, limit: Duration) -> bool {
    let arguments = ["--start".to_owned()];
    let start = fallback::Call {
        request_id: &call.request.id,
        arguments: &arguments,
        stdin: b"",
        starts_daemon: true,
    };
    Fallback::start(call.home, &start).is_ok_and(|script| script.has_succeeded_within(limit))
}

fn start_fallback(call: &Call, starts_daemon: bool) -> Result<Fallback, String> {
    let Call { home, request, arguments, stdin } = call;
    Fallback::start(home, &fallback::Call { request_id: &request.id, arguments, stdin, starts_daemon })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daemons_that_die_one_after_the_other_share_the_time_of_one_start() {
        let now = Instant::now();
        let until = now + START_WAIT;
        assert_eq!(first_word_within(until, now), START_WAIT);
        assert_eq!(first_word_within(until, now + START_WAIT / 2), START_WAIT / 2);
        assert_eq!(first_word_within(until, until), SILENT_AT_FIRST);
        assert_eq!(first_word_within(until, until + START_WAIT), SILENT_AT_FIRST);
    }
}
