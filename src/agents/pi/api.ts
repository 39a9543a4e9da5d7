// The parts of Pi 1.5.0 that our extension uses.

export type Event = Readonly<Record<string, unknown>>;

export interface Context {
  readonly cwd: string;
  readonly mode: string;
  readonly hasUI: boolean;
  readonly model?: { readonly id: string };
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
  readonly ui: { confirm(title: string, text: string): Promise<boolean>; notify(text: string): void };
  abort(): void;
}

export interface Pi {
  on(event: string, handler: (event: Event, context: Context) => unknown): void;
  sendMessage(message: object, options: { readonly deliverAs: unknown }): void;
}

/** The fields of an event that are sent to Hookline: never a request to a provider or the conversation. */
const FIELDS = [
  ...['reason', 'text', 'source', 'command', 'outcome', 'aborted', 'customInstructions', 'kind', 'title'],
  ...['toolName', 'toolCallId', 'parentToolCallId', 'input', 'details', 'structuredContent', 'isError'],
];

/** What Hookline is asked about: the event, and where it happened. */
export function payloadOf(
  event: Event,
  { cwd, mode, hasUI, model, sessionManager }: Context,
  more: object = {},
) {
  const fields = FIELDS.filter((field) => event[field] !== undefined).map((field) => [field, event[field]]);
  const session = { session_id: sessionManager.getSessionId(), cwd, mode, has_ui: hasUI };
  const record = { transcript_path: sessionManager.getSessionFile() ?? null, model: model?.id ?? null };
  return { ...session, ...record, event: { ...Object.fromEntries(fields), ...more } };
}
