// Calls whose right answer is known, and what the answers say.

const FORBIDDEN_EVERY = 10;

/** Every tenth call is one that a rule denies; no rule allows anything. */
export function makeCall(id, number, more = {}) {
  const isForbidden = number % FORBIDDEN_EVERY === 0;
  const payload = {
    session_id: `session-${id.slice(0, id.lastIndexOf('-'))}-${Math.floor(number / 500)}`,
    transcript_path: '',
    cwd: '/home/dev/shop',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: isForbidden ? `npm publish --tag ${id}` : `echo ${id}` },
    tool_use_id: id,
    ...more,
  };
  return { id, isForbidden, payload };
}

export function lineOf({ id, payload }) {
  const event = payload.hook_event_name;
  return `${JSON.stringify({ request_id: id, ts: Date.now(), agent: 'claude', event, accepts: ['hold_ms', 'error'], env: {}, payload })}\n`;
}

/** @typedef {'deny' | 'ask' | 'allow' | 'none' | 'failed'} Decision `failed`: nothing judged it, and it is not a decision. */

/**
 * What an answer of the daemon means to the agent.
 *
 * @returns {Decision}
 */
export function decisionOfReply(reply) {
  const { payload } = reply ?? {};
  if (payload?.action === 'passthrough') return 'none';
  if (payload?.action === 'block_with_stderr') return 'deny';
  if (payload?.action === 'json_output') return decisionOfOutput(payload.stdout_json);
  return 'failed';
}

/**
 * What the output of a forwarder means to the agent.
 *
 * @returns {Decision}
 */
export function decisionOfRun({ code, stdout }) {
  if (code === 2) return 'deny';
  if (code !== 0) return 'failed';
  return stdout === '' ? 'none' : decisionOfOutput(JSON.parse(stdout));
}

function decisionOfOutput(output) {
  if (output?.continue === false || output?.decision === 'block') return 'deny';
  const decision = output?.hookSpecificOutput?.permissionDecision ?? output?.decision;
  return decision === 'approve' ? 'allow' : (decision ?? 'none');
}

/** Nothing may be allowed, and what a rule denies must be denied. */
export function isWronglyAllowed({ isForbidden }, decision) {
  return decision === 'allow' || (isForbidden && decision === 'none');
}
