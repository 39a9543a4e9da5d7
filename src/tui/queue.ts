import type { ShownApproval } from '../approvals/approval.ts';
import { shortClock } from '../history/sessions/activity.ts';
import { oneLine } from '../model/text.ts';
import { cutMiddle } from '../terminal/cells.ts';
import { groupSource, type RequestGroup } from './groups.ts';
import { requestTitle, timeLeft } from './labels.ts';
import { between, fitted, type Line, type Look, line, span } from './line.ts';

interface QueueOptions {
  readonly groups: readonly RequestGroup[];
  readonly selected: RequestGroup | null;
  readonly width: number;
  readonly height: number;
  readonly now: number;
}

/** One row per approval, soonest to expire first. */
export function queueRows({ groups, selected, width, height, now }: QueueOptions): readonly Line[] {
  const { shown, more } = windowOf(groups, selected, height, 1);
  const place = Math.min(36, Math.floor(width * 0.44));
  const rows = shown.map((group) =>
    between(
      [
        ...head(group, group === selected, place),
        span(` ${requestTitle(group.first)}`, ...(group === selected ? (['bold'] as const) : [])),
      ],
      leftOf(group, now),
      width,
    ),
  );
  return more > 0 ? [...rows, line(`   ${more} more (j/k)`, 'quiet')] : rows;
}

/** Two rows per approval, for the column of a wide screen. */
export function queueColumn({ groups, selected, width, height, now }: QueueOptions): readonly Line[] {
  const { shown, more } = windowOf(groups, selected, height, 2);
  const rows = shown.flatMap((group) => {
    const isSelected = group === selected;
    return [
      between(head(group, isSelected, width - 8), leftOf(group, now), width),
      fitted([edge(isSelected), span(`   ${requestTitle(group.first)}`)], width),
    ];
  });
  return more > 0 ? [...rows, line(`   ${more} more (j/k)`, 'quiet')] : rows;
}

/** As many as fit, always with the selected one. */
function windowOf(
  groups: readonly RequestGroup[],
  selected: RequestGroup | null,
  height: number,
  rowsEach: number,
): { shown: readonly RequestGroup[]; more: number } {
  const most = Math.max(1, Math.floor(height / rowsEach));
  if (groups.length <= most) return { shown: groups, more: 0 };
  const room = Math.max(1, Math.floor((height - 1) / rowsEach));
  const at = selected ? groups.indexOf(selected) : 0;
  const from = Math.max(0, Math.min(at - room + 1, groups.length - room));
  return { shown: groups.slice(from, from + room), more: height > 1 ? groups.length - room : 0 };
}

const edge = (isSelected: boolean) => (isSelected ? span('▌', 'running', 'bold') : span('▏', 'waiting'));

function head(group: RequestGroup, isSelected: boolean, width: number): Line {
  const { badge, repo, branch } = groupSource(group);
  const looks: readonly Look[] = isSelected ? ['bold'] : [];
  const room = Math.max(6, width - badge.length - repo.length - 3);
  const place = [span(`${badge} ${repo}`, ...looks), span(branch && ` ${cutMiddle(branch, room)}`)];
  return fitted([edge(isSelected), ...place], width);
}

function leftOf({ first }: RequestGroup, now: number): Line {
  const left = first.expiresAt - now;
  return line(
    ` ${timeLeft(left)} `,
    ...(left < 60_000 ? (['waiting', 'bold'] as const) : (['waiting'] as const)),
  );
}

const STATE_LOOKS: Readonly<Partial<Record<ShownApproval['state'], Look>>> = {
  allowed: 'allowed',
  denied: 'denied',
};

/** The latest answers. */
export function answeredRows(recent: readonly ShownApproval[], width: number, most: number): readonly Line[] {
  const rows = recent
    .filter(({ state, settledAt }) => state !== 'pending' && settledAt !== null)
    .sort((a, b) => (b.settledAt ?? 0) - (a.settledAt ?? 0))
    .slice(0, Math.max(0, most - 1))
    .map((one) => {
      const look = STATE_LOOKS[one.state] ?? 'quiet';
      const time = shortClock(one.settledAt ?? 0);
      return between(
        [span('  '), span(one.state.padEnd(10), look), span(oneLine(requestTitle(one)))],
        line(` ${time} `, 'quiet'),
        width,
      );
    });
  return rows.length === 0 ? [] : [line(' Just answered', 'quiet'), ...rows];
}
