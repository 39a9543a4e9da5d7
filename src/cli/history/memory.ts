import { readObserved } from '../../client/observed.ts';
import { memoryPack } from '../../history/sessions/memory-pack.ts';
import { configInForce } from '../../home/confirmed/in-force.ts';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { defineCommand, flag } from '../command.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'memory',
  summary: 'Show exactly what a session that begins here would be given.',
  words: '[folder]',
  options: { json: flag('As one JSON object.') },
  examples: [
    ['hookline memory', 'for the project in this folder'],
    ['hookline why <id of a session_start>', 'what a session was given'],
  ],
  async run({ json }, [folder]) {
    const paths = homePaths();
    const { on, tokens } = configInForce(paths).memory;
    const project = createProjectFinder()(folder ?? process.cwd());
    const text = await readObserved(paths, (db) => memoryPack(db, { project, tokens, session: null }));
    if (json) {
      console.log(JSON.stringify({ on, tokens, project, text }));
      return 0;
    }
    console.log(text ?? 'Nothing is known of this project yet.');
    if (!on) console.error(paint.dim('Memory is off. Turn it on with `memory: {on: true}` in config.yaml.'));
    return 0;
  },
});
