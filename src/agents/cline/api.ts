// The parts of Cline 3.0.65 that our plugin uses.

export interface SetupContext {
  readonly session?: { readonly sessionId?: string };
  readonly workspaceInfo?: { readonly rootPath?: string };
  readonly client?: { readonly version?: string };
}

export interface Snapshot {
  readonly agentId?: string;
  readonly parentAgentId?: string;
  readonly conversationId?: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: readonly { readonly text?: string }[];
  }[];
}

export interface HookContext {
  readonly snapshot: Snapshot;
  readonly toolCall?: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
  /** The arguments that run, where a hook has changed those of the call. */
  readonly input?: unknown;
  readonly result?: {
    readonly output?: unknown;
    readonly status?: string;
    readonly outputText?: string;
    readonly error?: { readonly message?: string };
  };
  readonly durationMs?: number;
}

type Hook = (context: HookContext) => Promise<unknown>;

export interface Plugin {
  readonly name: string;
  readonly manifest: { readonly capabilities: readonly string[] };
  setup(api: unknown, context: SetupContext): void;
  readonly hooks: Readonly<Record<'beforeRun' | 'beforeTool' | 'afterTool' | 'afterRun', Hook>>;
}
