import { readHistory } from '../../client/history.ts';
import { homeFolder, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { problemOf, toPublicEvent } from '../../store/public-event.ts';
import { findEvent } from '../../store/queries.ts';
import type { StoredEvent } from '../../store/stored-event.ts';
import { defineCommand, usage } from '../command.ts';
import { verdict } from '../event-line.ts';
import { paint } from '../paint.ts';

export default defineCommand({
  name: 'why',
  summary:
    'Show how one event was decided: who said what, the answer to the agent, and what could not be delivered.',
  words: '<id>',
  options: { json: { type: 'boolean', description: 'As one JSON object.' } },
  examples: [['hookline why 1794770000000-3f', 'the beginning of an id is enough']],
  async run({ json }, [id]) {
    if (id === undefined) throw usage('why', 'Which event? `hookline events` shows the ids.');
    const event = await readHistory(homePaths(homeFolder()), (db) => findEvent(db, id));
    if (!event) {
      throw new HooklineError('NOT_FOUND', `There is no event ${id}.`, {
        hint: '`hookline events` shows the ids.',
      });
    }
    if (json) {
      const { opinions, answer, native, event: decoded } = event;
      console.log(JSON.stringify({ ...toPublicEvent(event), opinions, answer, event: decoded, native }));
    } else {
      console.log(explanation(event).join('\n'));
    }
    return 0;
  },
});

function explanation(event: StoredEvent): string[] {
  const { tool, response, opinions, degraded, answer } = event;
  const problem = problemOf(event);
  return [
    `${paint.bold(event.type)} from ${event.source}, session ${event.sessionId || 'unknown'}, number ${event.sequence}`,
    `  ${new Date(event.timestamp).toISOString()}${event.cwd ? `, in ${event.cwd}` : ''}`,
    ...(problem !== null ? [`  ${paint.yellow('could not be read')}: ${problem}`] : []),
    ...(tool ? [`  ${tool.name}: ${JSON.stringify(tool.input)}`] : []),
    '',
    `${paint.bold('Decision')}  ${verdict(response.decision)}${response.reason ? `: ${response.reason}` : ''}`,
    ...(opinions.length === 0 ? ['  Nobody had an opinion: the agent’s own permissions applied.'] : []),
    ...opinions.map(
      (one) =>
        `  ${one.kind} ${paint.bold(one.by)}${one.where ? paint.dim(` (${one.where})`) : ''}: ${JSON.stringify(one.response)}${one.problem ? paint.yellow(` ${one.problem}`) : ''}${one.tookMs === undefined ? '' : paint.dim(` ${one.tookMs.toFixed(1)} ms`)}`,
    ),
    '',
    `${paint.bold('Sent to the agent')}  ${answer === null || answer.action === 'passthrough' ? 'nothing (no opinion)' : JSON.stringify(answer)}`,
    ...degraded.map((one) => `  ${paint.yellow('not delivered:')} ${one.effect}. ${one.reason}`),
    '',
    paint.dim(`Took ${event.latencyMs.toFixed(2)} ms.`),
  ];
}
