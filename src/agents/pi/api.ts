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
