//! `hookline-forward <agent> [<event>]`: carries the hook call on stdin to the daemon and outputs its answer. Exit
//! codes are 0, 1 and, only for a decision to block, 2: from the daemon, the fallback, or failure mode closed.

#[cfg(unix)]
mod exchange;
#[cfg(unix)]
mod fallback;
#[cfg(unix)]
mod files;
#[cfg(unix)]
mod holder;
#[cfg(unix)]
mod home;
#[cfg(unix)]
mod impostor;
#[cfg(unix)]
mod json;
#[cfg(unix)]
mod judge;
#[cfg(unix)]
mod limits;
#[cfg(unix)]
mod outline;
#[cfg(unix)]
mod payload;
#[cfg(unix)]
mod peer;
#[cfg(unix)]
mod reply;
#[cfg(unix)]
mod request;
#[cfg(unix)]
mod silence;
#[cfg(unix)]
mod socket;
#[cfg(unix)]
mod start;

use std::io::Write;

fn main() {
    std::process::exit(run());
}

#[cfg(not(unix))]
fn run() -> i32 {
    complain("hookline-forward: this system needs the JavaScript forwarder; run `hookline setup` again")
}

#[cfg(unix)]
fn run() -> i32 {
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    let Some(agent) = arguments.first() else {
        return complain("usage: hookline-forward <agent> [<event>], with the hook's JSON on stdin");
    };
    if agent == "--version" {
        return print(concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).as_bytes());
    }
    if agent == "--peer" {
        return match peer::of(0) {
            Ok(peer) => print(format!("{} {}", peer.pid, peer.uid).as_bytes()),
            Err(error) => complain(&format!("hookline: standard input is not a connection: {error}")),
        };
    }
    let home = match home::find() {
        Ok(home) => home,
        Err(why) => return complain(&format!("hookline: no home found ({why}); run `hookline setup`")),
    };
    let input = payload::read(std::io::stdin().lock());
    let event = arguments.get(1).map(String::as_str);
    let request = request::build(agent, event, &home.environment(), &input);
    let call = judge::Call { home: &home, request: &request, arguments: &arguments, stdin: &input.bytes };
    let failure = match judge::judge(&call) {
        judge::Verdict::Daemon(answer) => return act(answer),
        judge::Verdict::Fallback(ended) if ended.code != 1 => return pass_on(&ended),
        judge::Verdict::Fallback(ended) => ended.stderr,
        judge::Verdict::Unchecked(why) => {
            format!("hookline: this call was not checked: {why}; run `hookline doctor`\n").into_bytes()
        }
    };
    // The call couldn't be evaluated: a denial in failure mode closed, otherwise no decision.
    if let Some(refusal) = event.and_then(|event| home.refusal(agent, event)) {
        return act(refusal);
    }
    let _ = std::io::stderr().write_all(&failure);
    1
}

/// The fallback's output and exit code.
#[cfg(unix)]
fn pass_on(ended: &fallback::Ended) -> i32 {
    let _ = std::io::stderr().write_all(&ended.stderr);
    let mut out = std::io::stdout().lock();
    match out.write_all(&ended.stdout).and_then(|()| out.flush()) {
        Ok(()) => ended.code,
        // It still blocks without its text.
        Err(_) if ended.code == 2 => 2,
        Err(error) => complain(&format!("hookline: the answer could not be written: {error}")),
    }
}

#[cfg(unix)]
fn act(answer: reply::Answer) -> i32 {
    match answer {
        reply::Answer::Passthrough => 0,
        reply::Answer::Print(json) => print(&json),
        reply::Answer::Block(reason) => {
            // It still blocks without the reason.
            let _ = std::io::stderr().write_all(reason.as_bytes());
            2
        }
    }
}

#[cfg(unix)]
fn print(text: &[u8]) -> i32 {
    let mut out = std::io::stdout().lock();
    match out.write_all(text).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush()) {
        Ok(()) => 0,
        Err(error) => complain(&format!("hookline: the answer could not be written: {error}")),
    }
}

/// Not eprintln: it panics if stderr is closed.
fn complain(line: &str) -> i32 {
    let _ = writeln!(std::io::stderr(), "{line}");
    1
}
