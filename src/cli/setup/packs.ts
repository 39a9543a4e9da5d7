import { changeAsPerson } from '../../client/confirm.ts';
import { requireAccess } from '../../client/require-access.ts';
import { writeSetting } from '../../home/config.ts';
import { configInForceOrStrictest } from '../../home/confirmed/in-force.ts';
import { pendingLine } from '../../home/confirmed/pending.ts';
import type { HomePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { confirmedHere, isAtTerminal } from '../confirm.ts';
import { programName } from '../program.ts';

interface Wanted {
  readonly calm: boolean | undefined;
  readonly builds: boolean | undefined;
  readonly yes: boolean | undefined;
  /** The person or script that was admitted, if that was checked. */
  readonly by: string;
  /** The agent to set up; by default all that are installed. */
  readonly agent?: string | undefined;
}

/**
 * Turns on the packs that allow calls, if they were asked for. A person at a terminal who gave no option is asked.
 * `--yes` confirms the edit that was shown, but not this.
 */
export async function offerCalm(paths: HomePaths, { calm, builds, yes, by, agent }: Wanted): Promise<void> {
  const { packs } = configInForceOrStrictest(paths);
  if (calm || builds) {
    if (calm) await switchOn(paths, by, 'calm', 'Read-only calls in the project are now auto-allowed.');
    if (builds)
      await switchOn(paths, by, 'calm-builds', 'Builds and tests of the project are now auto-allowed.');
    return;
  }
  if (packs.calm !== undefined) return;
  if (yes || !isAtTerminal()) {
    console.log(
      `To get fewer prompts, run ${setupWith('--calm', agent)}: it auto-allows read-only calls in the project.`,
    );
    return;
  }
  if (!(await confirmedHere('Auto-allow calls that only read files in the project?'))) return;
  // An agent can have a terminal too, and must not decide this.
  await switchOn(
    paths,
    await requireAccess(paths, 'settings'),
    'calm',
    'Read-only calls are now auto-allowed.',
  );
}

interface ProjectOnly {
  readonly wanted: boolean | undefined;
  readonly yes: boolean | undefined;
  readonly agent?: string | undefined;
}

/** Asks a person at the terminal; null without one. */
type Ask = ((question: string, initial: boolean) => Promise<boolean>) | null;

/** The pack that keeps agents in the project. It only adds approvals, so an agent may turn it on too. */
export async function offerProjectOnly(
  paths: HomePaths,
  { wanted, yes, agent }: ProjectOnly,
  ask: Ask = isAtTerminal() ? confirmedHere : null,
): Promise<void> {
  if (!wanted) {
    if (configInForceOrStrictest(paths).packs['project-only'] !== undefined) return;
    if (yes || ask === null) {
      const command = setupWith('--project-only', agent);
      console.log(folded(`To approve changes outside the project, run ${command}`));
      return;
    }
    if (!(await ask('Require approval for changes outside the project?', false))) return;
  }
  writeSetting(paths.config, ['packs', 'project-only'], 'on');
  tell('project-only', 'Changes outside the project now need approval.');
  const waiting = pendingLine(paths);
  if (waiting !== null) console.log(folded(waiting));
}

function setupWith(option: string, agent: string | undefined): string {
  return [programName(), 'setup', ...(agent === undefined ? [] : [agent]), option].join(' ');
}

async function switchOn(paths: HomePaths, by: string, pack: string, message: string): Promise<void> {
  const waiting = await changeAsPerson(paths, by, () => writeSetting(paths.config, ['packs', pack], 'on'));
  tell(pack, message);
  if (waiting !== null) console.log(folded(waiting));
}

function tell(pack: string, message: string): void {
  console.log(folded(`${message} Set \`packs: {${pack}: off}\` in config.yaml to turn this off.`));
}
