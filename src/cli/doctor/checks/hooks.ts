import { ok, problem, warning } from '../../../agents/setup/findings.ts';
import type { DaemonStatus } from '../../../client/client.ts';
import { counted } from '../../../model/text.ts';
import { hookProblemsHere } from '../../rules/file-problems.ts';
import type { Check, Diagnosis } from '../check.ts';
import { fileFindings } from '../file-findings.ts';

/** Checks that every hook file compiles and that no hook keeps failing. */
export const hooks: Check = async ({ paths, presence }) => {
  const problems = await hookProblemsHere(paths);
  const running = presence.kind === 'answers' ? presence.status.hooks : [];
  const findings = [...fileFindings('hook', problems), ...running.flatMap(runFindings)];
  return findings.length > 0 ? findings : [ok('hooks', 'All hook files load.')];
};

function runFindings({
  name,
  state,
  failures,
  problem: last,
}: DaemonStatus['hooks'][number]): readonly Diagnosis[] {
  // Load errors are found in the hook's file.
  if (state === 'broken' || failures === 0) return [];
  const message = `Hook ${name} failed ${counted(failures, 'time')}, last error: ${last}`;
  const fix = 'See `hookline hooks list`. Hookline reloads the file when you change it.';
  if (state === 'paused') return [problem('hook-paused', `${message}. It is paused.`, fix)];
  return [warning('hook-failing', message, fix)];
}
