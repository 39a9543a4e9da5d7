import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../model/errors.ts';
import { parseJson } from '../../model/json.ts';

/** A server that takes longer is asked again. */
const DEADLINE_MS = 10_000;

interface Posting {
  /** What the server is called in an error: its address may have a secret in it. */
  readonly who: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
}

/** Sends JSON and gives the JSON that comes back. Rejects for every answer that is no success. */
export async function postJson(url: string, body: unknown, posting: Posting): Promise<unknown> {
  const { who, headers = {}, signal, deadlineMs = DEADLINE_MS } = posting;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    // A secret in a header or a path is for this server.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${who} answered ${response.status}`);
  return parseJson(text);
}

/** Why a request failed: what `fetch` says of it stands in the cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return messageOf(error.cause);
  return messageOf(error);
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/** Waits longer with every failure; not at all once the signal says so. */
export async function waitAfter(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS);
  await pause(ms, undefined, { signal }).catch(() => {});
}

/** Aborts when nothing was heard for so long; `heard` begins anew. */
export function createSilence(ms: number): { readonly signal: AbortSignal; heard(): void; stop(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`nothing was heard for ${ms} ms`)), ms);
  return { signal: controller.signal, heard: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}
