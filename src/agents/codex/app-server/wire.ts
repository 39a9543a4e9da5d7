import * as v from 'valibot';

/**
 * The JSON that the app-server of Codex 0.166.0 sends, as far as we read it, in its own spelling. Keys not named
 * here pass. There is no `jsonrpc` member: the server leaves it out.
 */

const text = v.nullish(v.string());
const number = v.nullish(v.number());
const required = v.pipe(v.string(), v.minLength(1));
const anyObject = v.looseObject({});

/** Ids of either side are numbers or strings; the server counts its own from 0 in every process. */
export const rpcId = v.union([v.string(), v.number()]);
export type RpcId = v.InferOutput<typeof rpcId>;

/** What we remember of a thread, because most messages carry its id and nothing else. */
export const threadWire = v.looseObject({
  id: required,
  /** Shared by the threads of one session: a subagent's thread has its root's. */
  sessionId: text,
  /** Set for subagents only. */
  parentThreadId: text,
  forkedFromId: text,
  cwd: text,
  path: text,
  model: text,
  name: text,
  agentRole: text,
  ephemeral: v.nullish(v.boolean()),
});
export type ThreadWire = v.InferOutput<typeof threadWire>;

const kindWire = v.looseObject({ type: v.string(), move_path: text });

interface FileChangeWire {
  readonly path: string;
  readonly kind: v.InferOutput<typeof kindWire>;
  readonly diff?: string | null | undefined;
}

/** Words of wrappers for what the server calls `add` and `update`. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['create', 'add'],
  ['modify', 'update'],
]);

/** What the server sends; wrappers write `type` and the whole new `content` instead of a kind and a diff. */
export const changeWire = v.pipe(
  v.looseObject({ path: required, kind: v.nullish(kindWire), diff: text, type: text, content: text }),
  v.transform(({ path, kind, diff, type, content }): FileChangeWire => {
    const word = kind?.type ?? KINDS.get(type ?? '') ?? type ?? 'update';
    const whole = content == null || word === 'add' ? content : content.replace(/^/gm, '+');
    return { path, kind: { type: word, move_path: kind?.move_path }, diff: diff ?? whole };
  }),
);

/** An item of a thread; which of the keys are there hangs on its type. */
export const itemWire = v.looseObject({
  type: required,
  id: required,
  status: text,
  durationMs: number,
});
export type ItemWire = v.InferOutput<typeof itemWire>;

export const ITEMS = {
  commandExecution: v.looseObject({
    /** Wrappers leave it out when a call ends. */
    command: text,
    cwd: text,
    source: text,
    aggregatedOutput: text,
    exitCode: number,
  }),
  fileChange: v.looseObject({ changes: v.nullish(v.array(changeWire), []) }),
  mcpToolCall: v.looseObject({
    server: required,
    tool: required,
    arguments: v.unknown(),
    result: v.nullish(v.unknown()),
    error: v.nullish(v.unknown()),
  }),
  dynamicToolCall: v.looseObject({
    namespace: text,
    tool: required,
    arguments: v.unknown(),
    contentItems: v.nullish(v.unknown()),
    success: v.nullish(v.boolean()),
  }),
  collabAgentToolCall: v.looseObject({ tool: required, prompt: text, model: text }),
  webSearch: v.looseObject({ query: text }),
  imageView: v.looseObject({ path: required }),
  userMessage: v.looseObject({ content: v.array(v.looseObject({ type: v.string(), text })) }),
  agentMessage: v.looseObject({ text: v.string() }),
  message: v.looseObject({
    text,
    content: v.nullish(v.union([v.string(), v.array(v.looseObject({ text }))])),
  }),
};

/** Wrappers leave out ids that the server always sends: a question without them is a question all the same. */
const inThread = { threadId: text, turnId: text };
const asked = { ...inThread, itemId: v.nullish(v.string(), null) };
const turnWire = v.looseObject({
  id: required,
  status: text,
  error: v.nullish(v.looseObject({ message: text, additionalDetails: text })),
  items: v.nullish(v.array(itemWire)),
});

/** The members of `params`, by method. */
export const PARAMS = {
  threadStarted: v.looseObject({ thread: threadWire }),
  thread: v.looseObject({ threadId: required }),
  turn: v.looseObject({ threadId: required, turn: turnWire }),
  item: v.looseObject({ ...inThread, item: itemWire }),
  tokenUsage: v.looseObject({ ...inThread, tokenUsage: anyObject }),
  hook: v.looseObject({
    threadId: required,
    turnId: text,
    run: v.looseObject({
      id: required,
      eventName: required,
      sourcePath: text,
      displayOrder: number,
      status: required,
      entries: v.nullish(v.array(v.looseObject({ kind: text, text }))),
    }),
  }),
  warning: v.looseObject({ threadId: text, message: v.string() }),
  error: v.looseObject({ ...inThread, error: v.looseObject({ message: v.string() }) }),
  status: v.looseObject({ threadId: required, status: v.looseObject({ type: required }) }),
  resolved: v.looseObject({ threadId: text, requestId: rpcId }),
  command: v.looseObject({
    ...asked,
    /** Absent before stdin of running programs could ask too. */
    kind: v.nullish(v.string(), 'command'),
    approvalId: text,
    reason: text,
    command: text,
    cwd: text,
    networkApprovalContext: v.nullish(v.looseObject({ host: v.string(), protocol: text })),
    additionalPermissions: v.nullish(anyObject),
    proposedExecpolicyAmendment: v.nullish(v.array(v.string())),
  }),
  fileChange: v.looseObject({
    ...asked,
    reason: text,
    grantRoot: text,
    /** Not sent by the server, which has them in the item; wrappers do. */
    changes: v.nullish(v.array(changeWire)),
  }),
  permissions: v.looseObject({
    ...asked,
    cwd: text,
    reason: text,
    permissions: v.looseObject({ network: v.nullish(anyObject), fileSystem: v.nullish(anyObject) }),
  }),
  userInput: v.looseObject({
    ...asked,
    questions: v.array(v.looseObject({ id: required, question: text })),
  }),
  elicitation: v.looseObject({
    ...inThread,
    serverName: required,
    mode: v.nullish(v.string(), 'form'),
    message: v.nullish(v.string(), ''),
    requestedSchema: v.nullish(v.unknown()),
    _meta: v.nullish(
      v.looseObject({ codex_approval_kind: text, persist: v.nullish(v.unknown()), tool_params: v.unknown() }),
    ),
  }),
};

/** A message as `decode` gets it: the server's, and what the bridge knew besides. */
export const messageWire = v.looseObject({
  method: required,
  params: v.nullish(v.unknown(), {}),
  /** The thread that the message is about. */
  thread: v.nullish(threadWire),
  /** The item that an approval, or the beginning of a turn, is about. */
  item: v.nullish(itemWire),
});
export type MessageWire = v.InferOutput<typeof messageWire>;

/** The questions that wait for an answer of ours. All other requests are for other clients. */
export const APPROVALS = {
  command: 'item/commandExecution/requestApproval',
  fileChange: 'item/fileChange/requestApproval',
  permissions: 'item/permissions/requestApproval',
  userInput: 'item/tool/requestUserInput',
  elicitation: 'mcpServer/elicitation/request',
} as const;

const ASKED: ReadonlySet<string> = new Set(Object.values(APPROVALS));

export function asksApproval(method: string): boolean {
  return ASKED.has(method);
}

/** The params read as a method's, or null when they are not: other versions of the server may say other things. */
export function read<S extends v.GenericSchema>(schema: S, params: unknown): v.InferOutput<S> | null {
  const parsed = v.safeParse(schema, params);
  return parsed.success ? parsed.output : null;
}
