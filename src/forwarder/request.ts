import { payloadHead, payloadProblem } from './payload.ts';

/** What an agent wrote to our stdin. */
export interface Stdin {
  readonly bytes: Buffer;
  /** How many there were; beyond a limit they are counted, but not kept. */
  readonly total: number;
}

export interface RequestParts {
  readonly id: string;
  readonly ts: number;
  readonly agent: string;
  readonly event: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Stdin;
}

/** The line for the daemon. A payload that is proper JSON goes in as it came: parsing it here would only cost time. */
export function requestLine(parts: RequestParts): Buffer {
  const { id, ts, agent, event, env, stdin } = parts;
  const head = JSON.stringify({ request_id: id, ts, agent, ...(event === null ? {} : { event }), env });
  const open = Buffer.from(`${head.slice(0, -1)},"payload":`);
  const problem = payloadProblem(stdin.bytes);
  if (problem === null) return Buffer.concat([open, onOneLine(stdin.bytes), Buffer.from('}\n')]);
  const text = JSON.stringify(payloadHead(stdin.bytes));
  return Buffer.concat([open, Buffer.from(`${text},"bytes":${stdin.total},"problem":"${problem}"}\n`)]);
}

/** A line break in valid JSON is always between tokens, where a space means the same. */
function onOneLine(json: Buffer): Buffer {
  const line = Buffer.from(json);
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = line.indexOf(lineBreak); at !== -1; at = line.indexOf(lineBreak, at + 1)) line[at] = 0x20;
  }
  return line;
}

/** Sortable by time, and never the same twice. */
export function newRequestId(ms: number): string {
  const random = crypto.getRandomValues(Buffer.alloc(8)).toString('hex');
  return `${String(ms).padStart(13, '0')}-${random}`;
}
