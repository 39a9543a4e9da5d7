import { AGENTS } from '../../agents/_registry.ts';
import { matrixCells } from '../../agents/kit/matrix.ts';
import { EVENT_TYPES } from '../../model/events.ts';
import { EFFECTS } from '../../model/responses.ts';
import { defineCommand, flag, usage } from '../command.ts';
import { paint } from '../output/paint.ts';
import { agentCalled } from './agent-name.ts';

export default defineCommand({
  name: 'matrix',
  summary: 'Show what each agent supports, by event.',
  words: '[agent/event]',
  options: { json: flag('One JSON object per cell and line.') },
  examples: [
    ['hookline matrix', 'all agents and events'],
    ['hookline matrix codex', 'one agent'],
    ['hookline matrix before_tool', 'one event, with notes on unexpected behavior'],
  ],
  async run({ json }, [only]) {
    const agent = only === undefined ? undefined : agentCalled(only);
    const tellNotes = only !== undefined && !agent;
    if (tellNotes && !EVENT_TYPES.some((type) => type === only)) {
      throw usage('matrix', `"${only}" is neither an agent nor an event.`);
    }
    const agents = agent ? [agent] : [...AGENTS.values()];
    const cells = matrixCells(agents).filter(({ event }) => !tellNotes || event === only);
    if (json) {
      for (const cell of cells) console.log(JSON.stringify(cell));
      return 0;
    }
    const marks = { native: paint.green('●'), emulated: paint.yellow('◐'), none: paint.dim('·') };
    const width = Math.max(...EVENT_TYPES.map((type) => type.length));
    console.log(`${marks.native} native  ${marks.emulated} emulated  ${marks.none} not possible\n`);
    for (const { id, label } of agents) {
      console.log(paint.bold(label));
      console.log(`  ${''.padEnd(width)}  ${EFFECTS.join('  ')}`);
      for (const event of EVENT_TYPES) {
        const row = cells.filter((cell) => cell.agent === id && cell.event === event);
        if (row.length === 0) continue;
        const line = row
          .map(({ effect, level }) => `${marks[level]}${' '.repeat(effect.length - 1)}`)
          .join('  ');
        console.log(`  ${event.padEnd(width)}  ${line.trimEnd()}`);
        const notes = tellNotes ? row.filter(({ note }) => note) : [];
        for (const { effect, note } of notes) console.log(paint.dim(`      ${effect}: ${note}`));
      }
      console.log('');
    }
    return 0;
  },
});
