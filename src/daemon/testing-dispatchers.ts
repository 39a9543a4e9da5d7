import { connect } from 'node:net';
import { isObject, parseJson } from '../model/json.ts';

/** What an agent sees of a hook script. */
interface ScriptEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Dispatch {
  readonly url: string;
  readonly type: string;
  readonly input: unknown;
  readonly source?: string;
}

/**
 * Behaves like the dispatcher scripts that post to `/hooks/execute`: whatever is odd lets the call pass, with exit code
 * 0 when it takes the daemon for stopped, else 1.
 */
export async function runDispatcher({ url, type, input, source }: Dispatch): Promise<ScriptEnd> {
  const health = await fetch(`${url}/admin/status`).catch(() => null);
  if (health?.status !== 200) return { code: 0, stdout: '{"status":"daemon_not_running"}', stderr: '' };
  const response = await fetch(`${url}/hooks/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hook_type: type, input_data: input, ...(source === undefined ? {} : { source }) }),
  });
  const text = await response.text();
  const result = parseJson(text);
  if (response.status !== 200 || !isObject(result)) return { code: 1, stdout: '', stderr: text };
  if (result.continue === false || result.decision === 'deny' || result.decision === 'block') {
    return { code: 2, stdout: '', stderr: String(result.stopReason || result.reason || 'Blocked by hook') };
  }
  return { code: 0, stdout: Object.keys(result).length === 0 ? '' : JSON.stringify(result), stderr: '' };
}

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
