import * as v from 'valibot';
import type { Finding } from '../setup.ts';
import { type Contest, eventsOf, foreignFindings, problem, warning } from '../setup-findings.ts';
import type { HookFile } from './setup-inspect.ts';

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
        `${path} has hooks on ${eventsOf(hasty)} with less than a second to answer: the timeout was probably meant in seconds.`,
        'Gemini CLI counts in milliseconds: write 30000 for 30 s.',
      ),
    );
  return findings;
}

function isOurName(name: unknown): boolean {
  return name === 'hookline' || (typeof name === 'string' && /hookline-forward\b.* gemini /.test(name));
}

/** Where the order of several hooks decides whose word counts (0.61.0). */
const CONTEST: Contest = {
  events: ['BeforeTool', 'BeforeModel', 'AfterModel'],
  loss: (events) =>
    `On ${events} the last one wins: it can undo a rewrite, or on a model event even a refusal.`,
  fix: 'Move theirs into Hookline with `hookline import`, so that one entry speaks for all.',
};

/** What hooks of others in these files mean for ours. */
export function contestFindings(files: readonly HookFile[]): Finding[] {
  const others = files.flatMap(({ handlers }) =>
    handlers.filter(({ handler, ours }) => !ours && v.is(named, handler)),
  );
  return foreignFindings(others, CONTEST);
}
