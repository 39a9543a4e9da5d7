import { connect } from 'node:net';
import { isObject, parseJson } from '../../../src/model/json.ts';

/** What an agent sees of a hook script. */
interface ScriptEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The scripts that exist, by what they make of an answer: print it, exit with 2 for every refusal, or print the refusals
 * that the agent reads itself. The last is a program, which does not check first whether the daemon is there.
 */
type Script = 'prints' | 'exits' | 'newer' | 'program';
export const SCRIPTS: readonly Script[] = ['prints', 'exits', 'newer', 'program'];

interface Dispatch {
  readonly url: string;
  readonly type: string;
  readonly input: unknown;
  readonly source?: string;
  readonly script?: Script;
  readonly project?: string;
}

type Result = Readonly<Record<string, unknown>>;

/** Events that newer ones refuse when anything is odd; they let everything else pass. */
const CRITICAL: Readonly<Record<string, readonly string[]>> = {
  claude: ['session-start', 'session-end', 'pre-compact'],
  gemini: ['SessionStart'],
  codex: ['SessionStart', 'Stop'],
};

/** Behaves like the dispatcher scripts of another system, including what they do when anything is odd. */
export async function runDispatcher(dispatch: Dispatch): Promise<ScriptEnd> {
  const { url, type, input, source, script = 'exits', project } = dispatch;
  const isOld = script === 'prints' || script === 'exits';
  const health = isOld ? '/admin/status' : '/api/admin/health';
  if (script !== 'program' && (await fetch(`${url}${health}`).catch(() => null))?.status !== 200)
    return isOld || !isCritical(dispatch) ? print({ status: 'daemon_not_running' }) : refuse('Not running.');
  const response = await fetch(`${url}${isOld ? '' : '/api'}/hooks/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(project ? { 'x-gobby-project-id': project } : {}) },
    body: JSON.stringify({ hook_type: type, input_data: input, ...(source === undefined ? {} : { source }) }),
  });
  const text = await response.text();
  const result = parseJson(text);
  if (response.status !== 200 || !isObject(result))
    return !isOld && isCritical(dispatch) ? refuse(text) : { code: 1, stdout: '', stderr: text };
  return mapped(result, dispatch);
}

function mapped(result: Result, { script = 'exits', source = 'claude', type }: Dispatch): ScriptEnd {
  const reads = source === 'gemini' || source === 'codex';
  const exits = {
    prints: false,
    exits: isBlocked(result),
    newer: (isBlocked(result) || isDenied(result)) && (!reads || type === 'Stop'),
    program: reads
      ? (isBlocked(result) || isDenied(result)) && type === 'Stop'
      : result.continue === false && Boolean(result.stopReason),
  };
  return exits[script]
    ? refuse(String(result.stopReason || result.reason || 'Blocked by hook'))
    : print(result);
}

const isCritical = ({ type, source = 'claude' }: Dispatch) => CRITICAL[source]?.includes(type) ?? false;

const isBlocked = (result: Result) =>
  result.continue === false || result.decision === 'deny' || result.decision === 'block';

function isDenied({ hookSpecificOutput: own }: Result): boolean {
  return isObject(own) && own.permissionDecision === 'deny';
}

const refuse = (reason: string): ScriptEnd => ({ code: 2, stdout: '', stderr: reason });

const print = (result: Result): ScriptEnd => ({
  code: 0,
  stdout: Object.keys(result).length === 0 ? '' : JSON.stringify(result),
  stderr: '',
});

/**
 * Behaves like a forwarder that wraps the payload in an envelope without an agent, takes the first line for the
 * answer, and lets the call pass whatever that line is.
 */
export function runForwarder(
  socketFile: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<ScriptEnd> {
  const silent: ScriptEnd = { code: 0, stdout: '', stderr: '' };
  return new Promise((resolve) => {
    const socket = connect(socketFile);
    let received = '';
    const end = (ended: ScriptEnd) => {
      socket.destroy();
      resolve(ended);
    };
    socket.on('error', () => end(silent));
    socket.on('close', () => resolve(silent));
    socket.on('connect', () => {
      const { session_id, hook_event_name } = payload;
      const envelope = {
        request_id: `${Date.now()}-abc1234`,
        ts: Date.now(),
        session_id,
        hook_event_name,
        payload,
      };
      socket.write(`${JSON.stringify(envelope)}\n`);
    });
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      const [first, ...more] = received.split('\n');
      if (more.length === 0) return;
      const line = parseJson(first ?? '');
      const answer = isObject(line) ? line.payload : null;
      if (!isObject(answer)) end(silent);
      else if (answer.action === 'block_with_stderr')
        end({ code: 2, stdout: '', stderr: String(answer.stderr) });
      else if (answer.action === 'json_output')
        end({ code: 0, stdout: JSON.stringify(answer.stdout_json), stderr: '' });
      else end(silent);
    });
  });
}
