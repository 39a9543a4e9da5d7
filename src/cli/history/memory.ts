import { readObserved } from '../../client/observed.ts';
import { memoryPack } from '../../history/memory/pack.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { defineCommand, flag } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'memory',
  summary: 'Show the memory that a new session here would get.',
  words: '[folder]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline memory', 'for the project in this directory'],
    ['hookline why <id of a session_start>', 'the memory that a session got'],
  ],
  async run({ json }, [folder]) {
    const paths = homePaths();
    const { on, tokens } = configInForce(paths).memory;
    const project = createProjectFinder()(folder ?? process.cwd());
    const request = { project, tokens, session: null };
    const text = await readObserved(paths, (db) => memoryPack(db, request, Date.now()));
    if (json) {
      console.log(JSON.stringify({ on, tokens, project, text }));
      return 0;
    }
    console.log(text ?? 'No history for this project yet.');
    if (!on)
      console.error(paint.dim('Memory is off. Set `memory: {on: true}` in config.yaml to turn it on.'));
    return 0;
  },
});
