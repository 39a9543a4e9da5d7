//! Times whole programs as an agent runs them: `sh -c <command>` with a file on stdin. The commands take turns, so
//! that a busy moment of the machine falls on all of them alike.
//!
//! spawn <rounds> <stdin-file> <command>...  prints one line a command: its times in nanoseconds.

use std::env;
use std::fs::File;
use std::process::{Command, Stdio};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [rounds, input, commands @ ..] = arguments.as_slice() else {
        return Err("usage: spawn <rounds> <stdin-file> <command>...".into());
    };
    let rounds: usize = rounds.parse()?;
    let mut times: Vec<Vec<u128>> = commands.iter().map(|_| Vec::with_capacity(rounds)).collect();
    for _ in 0..rounds {
        for (command, taken) in commands.iter().zip(times.iter_mut()) {
            let stdin = File::open(input)?;
            let start = Instant::now();
            let status = Command::new("/bin/sh")
                .args(["-c", command])
                .stdin(stdin)
                .stdout(Stdio::null())
                .stderr(Stdio::inherit())
                .status()?;
            taken.push(start.elapsed().as_nanos());
            if !status.success() {
                return Err(format!("{command}: {status}").into());
            }
        }
    }
    for taken in times {
        let line: Vec<String> = taken.iter().map(u128::to_string).collect();
        println!("{}", line.join(" "));
    }
    Ok(())
}
