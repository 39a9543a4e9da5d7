import * as v from 'valibot';
import { createApprovals } from './approvals.ts';
import type { Connect } from './connect.ts';
import { refusal } from './encode.ts';
import { createObserver, type ObserverParts } from './observer.ts';
import { type ClientInfo, connectPeer, type Peer } from './peer.ts';
import { ITEMS, isApproval, PARAMS, read } from './wire.ts';

export interface ExecParts extends Omit<ObserverParts, 'ask'> {
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
 * One prompt, worked on until the turn ends. There is no other client and nobody to ask, so that what Hookline does not
 * accept is declined: a question that nobody answers would wait for ever (0.166.0). Says whether it went well.
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
  const approvals = createApprovals(observer.judge);
  let finish = (_status: string): void => {};
  const finished = new Promise<string>((resolve) => {
    finish = resolve;
  });
  let root = '';

  const present = await connectPeer(connect, parts.client, {
    notification: (method, params) => {
      if (method === 'serverRequest/resolved') approvals.resolved(read(PARAMS.resolved, params)?.requestId);
      observer.notification(method, params);
      const item = method === 'item/completed' ? read(PARAMS.item, params) : null;
      const said = item?.item.type === 'agentMessage' ? read(ITEMS.agentMessage, item.item) : null;
      if (said && item?.threadId === root) parts.answer(said.text);
      const over = method === 'turn/completed' ? read(PARAMS.turn, params) : null;
      if (over?.turn.error?.message) parts.problem(over.turn.error.message);
      if (over?.threadId === root) finish(over.turn.status ?? '');
    },
    request: (request) => {
      if (!isApproval(request.method)) {
        present.refuse(request.id, 'nobody here can do this');
        return;
      }
      void approvals.take(request, (result) => {
        if (result === null)
          parts.problem(`declined, because no rule allows it: ${subjectOf(request.params)}`);
        present.answer(request.id, result ?? refusal(request.method, false));
      });
    },
  });
  peer = present;
  const leave = () => present.close();
  parts.signal.addEventListener('abort', leave, { once: true });
  try {
    const { cwd, model, sandbox } = task;
    const answer = await present.ask('thread/start', {
      cwd,
      approvalPolicy: 'untrusted',
      approvalsReviewer: 'user',
      ...(model === null ? {} : { model }),
      ...(sandbox === null ? {} : { sandbox }),
    });
    root = v.parse(started, answer).thread.id;
    const input = [{ type: 'text', text: task.prompt, text_elements: [] }];
    await present.ask('turn/start', { threadId: root, input });
    const status = await Promise.race([finished, present.closed.then(() => 'gone')]);
    return status === 'completed';
  } finally {
    parts.signal.removeEventListener('abort', leave);
    await observer.ended();
    present.close();
    await present.closed;
  }
}

/** What was asked about, for the person who reads along. */
function subjectOf(params: unknown): string {
  const asked = read(subject, params);
  return asked?.command ?? asked?.itemId ?? 'a question';
}

const subject = v.looseObject({ command: v.nullish(v.string()), itemId: v.nullish(v.string()) });
