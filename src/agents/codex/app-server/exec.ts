import * as v from 'valibot';
import { type Approvals, createApprovals } from './approvals.ts';
import type { Connect } from './connect.ts';
import { refusal } from './encode.ts';
import { createObserver, type Observer } from './observer.ts';
import { type ClientInfo, connectPeer, type Peer, type ServerRequest } from './peer.ts';
import type { ObserverParts } from './thread-observer.ts';
import { asksApproval, ITEMS, PARAMS, read } from './wire.ts';

interface ExecParts extends Omit<ObserverParts, 'ask'> {
  readonly client: ClientInfo;
  readonly signal: AbortSignal;
  /** What the agent says, for stdout. */
  answer(text: string): void;
}

export interface Task {
  readonly prompt: string;
  readonly cwd: string;
  readonly model: string | null;
  readonly sandbox: string | null;
}

const started = v.looseObject({ thread: v.looseObject({ id: v.string() }) });

/**
 * One prompt, worked on until the turn ends. No other client can answer, so what Hookline does not accept is declined: an
 * unanswered request would wait forever (0.166.0). Returns whether the turn completed.
 */
export async function execute(connect: Connect, task: Task, parts: ExecParts): Promise<boolean> {
  let peer: Peer | null = null;
  const observer = createObserver({
    ...parts,
    ask: async (method, params) => {
      if (peer === null) throw new Error('not connected');
      return await peer.ask(method, params);
    },
  });
  const run = new TaskRun(parts, observer);
  const present = await connectPeer(connect, parts.client, {
    notification: (method, params) => run.notification(method, params),
    request: (request) => run.request(request, present),
  });
  peer = present;
  const leave = () => present.close();
  parts.signal.addEventListener('abort', leave, { once: true });
  try {
    await run.start(task, present);
    const status = await Promise.race([run.finished, present.closed.then(() => 'closed')]);
    return status === 'completed';
  } finally {
    parts.signal.removeEventListener('abort', leave);
    await observer.ended();
    present.close();
    await present.closed;
  }
}

/** The task's own thread, and what the server sends while it is worked on. */
class TaskRun {
  /** The status with which the turn ended. */
  readonly finished: Promise<string>;
  readonly #parts: ExecParts;
  readonly #observer: Observer;
  readonly #approvals: Approvals;
  #finish: (status: string) => void = () => {};
  #threadId = '';

  constructor(parts: ExecParts, observer: Observer) {
    this.#parts = parts;
    this.#observer = observer;
    this.#approvals = createApprovals(observer.decide);
    this.finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  async start({ prompt, cwd, model, sandbox }: Task, peer: Peer): Promise<void> {
    const answer = await peer.ask('thread/start', {
      cwd,
      approvalPolicy: 'untrusted',
      approvalsReviewer: 'user',
      ...(model === null ? {} : { model }),
      ...(sandbox === null ? {} : { sandbox }),
    });
    this.#threadId = v.parse(started, answer).thread.id;
    const input = [{ type: 'text', text: prompt, text_elements: [] }];
    await peer.ask('turn/start', { threadId: this.#threadId, input });
  }

  notification(method: string, params: unknown): void {
    if (method === 'serverRequest/resolved')
      this.#approvals.resolved(read(PARAMS.resolved, params)?.requestId);
    this.#observer.notification(method, params);
    const item = method === 'item/completed' ? read(PARAMS.item, params) : null;
    const message = item?.item.type === 'agentMessage' ? read(ITEMS.agentMessage, item.item) : null;
    if (message && item?.threadId === this.#threadId) this.#parts.answer(message.text);
    const ended = method === 'turn/completed' ? read(PARAMS.turn, params) : null;
    if (ended?.turn.error?.message) this.#parts.problem(ended.turn.error.message);
    if (ended?.threadId === this.#threadId) this.#finish(ended.turn.status ?? '');
  }

  request(request: ServerRequest, peer: Peer): void {
    if (!asksApproval(request.method)) {
      peer.refuse(request.id, 'not supported in a headless run');
      return;
    }
    void this.#approvals.take(request, (result) => {
      if (result === null)
        this.#parts.problem(`declined, because no rule allows it: ${subjectOf(request.params)}`);
      peer.answer(request.id, result ?? refusal(request.method, false));
    });
  }
}

/** What the approval is about, for the output of the run. */
function subjectOf(params: unknown): string {
  const request = read(subject, params);
  return request?.command ?? request?.itemId ?? 'a question';
}

const subject = v.looseObject({ command: v.nullish(v.string()), itemId: v.nullish(v.string()) });
