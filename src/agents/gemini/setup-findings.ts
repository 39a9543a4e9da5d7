import * as v from 'valibot';
import type { PlacedHandler } from '../hook-groups.ts';
import type { Finding } from '../setup.ts';
import { events, type HookFile } from './setup-inspect.ts';

const switches = v.looseObject({
  enabled: v.optional(v.unknown()),
  disabled: v.optional(v.unknown()),
});
const named = v.looseObject({ name: v.optional(v.string()), command: v.optional(v.string()) });
const underASecond = v.looseObject({ timeout: v.pipe(v.number(), v.ltValue(1000)) });

/** What one file switches off, and timeouts in it that were meant in another unit. */
export function switchFindings({ path, handlers, hooksConfig }: HookFile): Finding[] {
  const findings: Finding[] = [];
  const { enabled, disabled } = v.is(switches, hooksConfig) ? hooksConfig : {};
  if (enabled === false)
    findings.push(
      problem(
        'hooks-disabled',
        `${path} has "hooksConfig.enabled": false, so Gemini CLI runs no hooks, those of extensions included.`,
        'Remove that line, or ask whoever administers this machine.',
      ),
    );
  if (Array.isArray(disabled) && disabled.some(isOurName))
    findings.push(
      problem(
        'hook-disabled',
        `${path} has Hookline in "hooksConfig.disabled", so Gemini CLI does not call it.`,
        'Run `/hooks enable hookline` in Gemini CLI, or take it out of the list.',
      ),
    );
  const hasty = handlers.filter(({ handler, ours }) => !ours && v.is(underASecond, handler));
  if (hasty.length > 0)
    findings.push(
      warning(
        'timeout-unit',
        `${path} has hooks on ${events(hasty)} with less than a second to answer: the timeout was probably meant in seconds.`,
        'Gemini CLI counts in milliseconds: write 30000 for 30 s.',
      ),
    );
  return findings;
}

function isOurName(name: unknown): boolean {
  return name === 'hookline' || (typeof name === 'string' && /hookline-forward\b.* gemini /.test(name));
}

/** Where the order of several hooks decides whose word counts (0.61.0). */
const CONTESTED: readonly string[] = ['BeforeTool', 'BeforeModel', 'AfterModel'];

export function foreignFindings(files: readonly HookFile[]): Finding[] {
  const others = files.flatMap(({ handlers }) =>
    handlers.filter(({ handler, ours }) => !ours && v.is(named, handler)),
  );
  if (others.length === 0) return [];
  const message = `${others.length} hook${others.length > 1 ? 's' : ''} of others on ${events(others)} run in parallel with ours.`;
  const contested = others.filter(({ event }: PlacedHandler) => CONTESTED.includes(event));
  if (contested.length === 0) return [{ level: 'ok', code: 'foreign-hooks', message, fix: null }];
  return [
    warning(
      'foreign-hooks',
      `${message} On ${events(contested)} the last one wins: it can undo a rewrite, or on a model event even a refusal.`,
      'Move theirs into Hookline with `hookline import`, so that one entry speaks for all.',
    ),
  ];
}

export function problem(code: string, message: string, fix: string | null): Finding {
  return { level: 'problem', code, message, fix };
}

export function warning(code: string, message: string, fix: string): Finding {
  return { level: 'warning', code, message, fix };
}
