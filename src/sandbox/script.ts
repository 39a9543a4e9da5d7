/** One output of the scripted model, with the client's own tool names and inputs. */
export type Block =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** One answer of the scripted model; step k answers the call after k assistant turns. */
export type Step = string | readonly Block[];

/** The client's requests to the model, newest last. */
export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** The step that answered it; null outside the agent's loop. */
  readonly step: number | null;
}

/** A model on loopback that uses the client's wire format. */
export interface ModelServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  /** Requested steps that the script does not have: the client continued longer than expected. */
  readonly missingSteps: readonly number[];
  /** Everything the model received for step k as one text; undefined if it was never requested. */
  told(step: number): string | undefined;
  /** Results of the tool calls of the step before, in order. */
  results(step: number): readonly string[];
  close(): Promise<void>;
}

export function blocksOf(step: Step): readonly Block[] {
  return typeof step === 'string' ? [{ text: step }] : step;
}
