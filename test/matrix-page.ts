import type { Agent } from '../src/agents/agent.ts';
import { matrixCells } from '../src/agents/kit/matrix.ts';
import { EVENT_TYPES, type EventType } from '../src/model/events.ts';
import { EFFECTS, type Effect } from '../src/model/responses.ts';

type MatrixCell = ReturnType<typeof matrixCells>[number];

const MARKS = { native: '●', emulated: '◐', none: '·' } as const;

/** The matrix as Markdown: a table an event, a row an effect, a column an agent; then what is surprising. */
export function matrixMarkdown(agents: readonly Agent[]): string {
  const cells = matrixCells(agents);
  const parts = EVENT_TYPES.flatMap((event) => {
    const ofEvent = cells.filter((cell) => cell.event === event && cell.level !== 'none');
    const having = agents.filter((agent) => agent.supports[event]);
    if (having.length === 0) return [];
    return [eventSection(event, agents, ofEvent)];
  });
  return [...parts, blindSpots(agents)].join('\n');
}

/** What no rule sees: nothing else on the page tells. */
function blindSpots(agents: readonly Agent[]): string {
  const spots = agents.flatMap(({ label, blindSpots }) =>
    blindSpots.map(({ note }) => `- ${label}: ${note}`),
  );
  return `## Calls that fire no hook\n\nRules can't see these calls.\n\n${spots.join('\n')}\n`;
}

function eventSection(event: EventType, agents: readonly Agent[], cells: readonly MatrixCell[]): string {
  const effects = EFFECTS.filter((effect) => cells.some((cell) => cell.effect === effect));
  const mark = (agent: Agent, effect: Effect) => {
    if (!agent.supports[event]) return '';
    const cell = cells.find((one) => one.agent === agent.id && one.effect === effect);
    return MARKS[cell?.level ?? 'none'];
  };
  const notes = cells.filter((cell) => cell.note);
  return [
    `## ${event}`,
    '',
    ...(effects.length === 0
      ? [
          `Observed only: ${agents
            .filter((agent) => agent.supports[event])
            .map((agent) => agent.label)
            .join(', ')}.`,
          '',
        ]
      : [
          `| effect | ${agents.map((agent) => agent.label).join(' | ')} |`,
          `|---|${agents.map(() => '---').join('|')}|`,
          ...effects.map(
            (effect) => `| ${effect} | ${agents.map((agent) => mark(agent, effect)).join(' | ')} |`,
          ),
          '',
          ...notes.map((cell) => `- ${cell.agent}, ${cell.effect}: ${cell.note}`),
          ...(notes.length > 0 ? [''] : []),
        ]),
  ].join('\n');
}
