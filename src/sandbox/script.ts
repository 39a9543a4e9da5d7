/** One thing the scripted model says. Tool names and inputs are the client's own. */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** One answer of the scripted model; step k answers the call that has k assistant turns behind it. */
export type Step = string | readonly Block[];

/** What the client asked the model, newest last. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** The step that answered it; null for everything that is not the agent's own loop. */
  readonly step: number | null;
}

/** A model of our own on loopback, speaking the client's wire format. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Steps that were asked for and that the script does not have: the client went on longer than expected. */
  readonly missingSteps: readonly number[];
  /** All that the model was told when step k was asked for, as one text; undefined when it never was. */
  told(step: number): string | undefined;
  /** The results of the tool calls of the step before, in their order. */
  results(step: number): readonly string[];
  close(): Promise<void>;
}

export function blocksOf(step: Step): readonly Block[] {
  return typeof step === 'string' ? [{ text: step }] : step;
}
