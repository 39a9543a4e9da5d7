// Callers that come again as soon as they are answered, and do what forwarders do when they are not.
import { ask, isAnswering } from './ask.js';
import { decisionOfReply, decisionOfRun, lineOf, makeCall } from './calls.js';
import { PATIENCE_MS, until } from './home.js';

/** As long as a forwarder waits for a daemon that another one starts. */
const START_WAIT_MS = 20_000;

/** Calls over the socket until `isDone`. */
export async function socketLane(home, ledger, name, isDone) {
  for (let number = 1; !isDone(); number += 1) {
    const call = makeCall(`${name}-${number}`, number);
    const start = performance.now();
    const decision = await decide(home, call);
    ledger.note(call, decision, performance.now() - start);
    if (decision === 'failed') await until(() => isAnswering(home.socket), PATIENCE_MS);
  }
}

/** Asks; asks the next daemon when the connection broke; then the fallback, under the same id; and once more when that failed. */
async function decide(home, call) {
  const asked = async () => decisionOfReply(await ask(home.socket, call.id, lineOf(call)));
  const askedNext = async () => {
    await until(() => isAnswering(home.socket), START_WAIT_MS);
    return asked();
  };
  const judged = async () =>
    decisionOfRun(await home.fallBack(call.id, 'PreToolUse', JSON.stringify(call.payload)));
  for (const attempt of [asked, askedNext, judged]) {
    const decision = await attempt();
    if (decision !== 'failed') return decision;
  }
  return askedNext();
}

/** The same with forwarders, each a process of its own. */
export async function forwarderLane(home, ledger, name, isDone) {
  for (let number = 1; !isDone(); number += 1)
    await forwardOne(home, ledger, makeCall(`${name}-${number}`, number));
}

export async function forwardOne(home, ledger, call) {
  const start = performance.now();
  const decision = decisionOfRun(
    await home.forward(call.payload.hook_event_name, JSON.stringify(call.payload)),
  );
  const ms = performance.now() - start;
  ledger.note(call, decision, ms);
  return ms;
}

/** Several callers at once, so many calls in all. */
export async function load(home, ledger, name, callers, calls, deadline = Number.POSITIVE_INFINITY) {
  let begun = 0;
  // Asked once before each call.
  const isDone = () => begun++ >= calls || performance.now() > deadline;
  const lanes = Array.from({ length: callers }, (_, lane) =>
    socketLane(home, ledger, `${name}-${lane}`, isDone),
  );
  await Promise.all(lanes);
}
