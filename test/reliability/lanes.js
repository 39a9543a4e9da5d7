// Callers that come again as soon as they are answered, and do what forwarders do when they are not.
import { ask, isAnswering } from './ask.js';
import { decisionOfReply, decisionOfRun, lineOf, makeCall } from './calls.js';
import { until } from './home.js';

/**
 * Calls over the socket until `isDone`. A call that no daemon answered is judged by the forwarder's own fallback, under
 * the same id; the next one waits for a daemon.
 */
export async function socketLane(home, ledger, name, isDone) {
  for (let number = 1; !isDone(); number += 1) {
    const call = makeCall(`${name}-${number}`, number);
    const start = performance.now();
    let decision = decisionOfReply(await ask(home.socket, call.id, lineOf(call)));
    const isAnswered = decision !== 'failed';
    if (!isAnswered)
      decision = decisionOfRun(await home.fallBack(call.id, 'PreToolUse', JSON.stringify(call.payload)));
    ledger.note(call, decision, performance.now() - start);
    if (!isAnswered) await until(() => isAnswering(home.socket), 10_000);
  }
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
