import { requireAccess } from '../client/require-access.ts';
import { readConfigOrStrictest, writeSetting } from '../home/config.ts';
import type { HomePaths } from '../home/paths.ts';
import { folded } from '../terminal/fold.ts';
import { confirmedHere, isAtTerminal } from './confirm.ts';
import { programName } from './program.ts';

interface Wanted {
  readonly calm: boolean | undefined;
  readonly builds: boolean | undefined;
  readonly yes: boolean | undefined;
  /** Which agent is set up; all that are installed unless given. */
  readonly agent?: string | undefined;
}

/**
 * Switches the packs on that say yes by themselves, where that was asked for. A person at a terminal who has not said
 * anything about them is asked; `--yes` agrees to the edit that was shown, and not to this.
 */
export async function offerCalm(paths: HomePaths, { calm, builds, yes, agent }: Wanted): Promise<void> {
  const { config } = paths;
  const { packs } = readConfigOrStrictest(config);
  if (calm || builds) {
    if (calm) switchOn(config, 'calm', 'Calls that only read in the project run without a question.');
    if (builds) switchOn(config, 'calm-builds', 'Builds and tests of the project run without a question.');
    return;
  }
  if (packs.calm !== undefined) return;
  if (yes || !isAtTerminal()) {
    const command = [programName(), 'setup', ...(agent === undefined ? [] : [agent]), '--calm'].join(' ');
    console.log(`To be asked less: ${command} lets calls run that only read in the project.`);
    return;
  }
  if (!(await confirmedHere('Let calls that only read in the project run without asking you?'))) return;
  // An agent can have a terminal too, and this is not for it to say.
  await requireAccess(paths, 'settings');
  switchOn(config, 'calm', 'They will.');
}

function switchOn(config: string, pack: string, message: string): void {
  writeSetting(config, ['packs', pack], 'on');
  console.log(folded(`${message} \`packs: {${pack}: off}\` in config.yaml switches it off again.`));
}
