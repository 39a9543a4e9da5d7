import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerScope, Approval, Reply, ShownApproval } from '../../src/approvals/approval.ts';
import { useLive } from './hooks.ts';
import type { Request } from './requests.ts';

/** Keys do nothing for this long after a card appears: they were meant for the card before. */
const SETTLE_MS = 400;

/** The menu or form that is open on a card. */
type Doing = 'menu' | 'edit' | 'message' | null;

/** An answer that is being composed. */
export interface Answering {
  readonly busy: boolean;
  readonly doing: Doing;
  /** The approvals that the answer is for. */
  readonly chosen: readonly ShownApproval[];
  readonly problem: string | null;
  setDoing(doing: Doing): void;
  toggle(id: string): void;
  give(answer: Reply): Promise<void>;
  /** Allows with a grant. */
  allowFor(scope: AnswerScope): void;
  /** True once the card has been on the screen long enough for a key to answer it. */
  isSettled(): boolean;
}

export function useAnswering(request: Request): Answering {
  const { live, state } = useLive();
  const [busy, setBusy] = useState(false);
  const [doing, setDoing] = useState<Doing>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const since = useRef(Date.now());
  useEffect(() => {
    since.current = Date.now();
  }, [request.key]);
  const chosen = request.all.filter(({ id }) => !left.has(id));

  async function give(answer: Reply): Promise<void> {
    if (busy || chosen.length === 0 || !state.connected) return;
    setBusy(true);
    setProblem(null);
    const taken = await Promise.all(chosen.map((approval) => live.answer(approval, answer)));
    // Approvals that were left out stay, to be answered separately.
    if (taken.every(Boolean)) {
      if (chosen.length < request.all.length) setBusy(false);
      setLeft(new Set());
      return;
    }
    setProblem("Couldn't reach the daemon. Your answer was not saved; try again.");
    setBusy(false);
  }

  return {
    busy: busy || !state.connected,
    doing,
    chosen,
    problem,
    setDoing,
    toggle: (id) =>
      setLeft(left.has(id) ? new Set([...left].filter((one) => one !== id)) : new Set([...left, id])),
    give,
    allowFor: (scope) => void give({ decision: 'allow', scope }),
    isSettled: () => Date.now() - since.current > SETTLE_MS,
  };
}

const SCOPES: readonly (readonly [scope: AnswerScope, words: (place: string) => string])[] = [
  ['session', () => 'For this session'],
  ['branch', (place) => `On branch ${place.split(' · ')[1] ?? ''}`],
  ['project', (place) => `In project ${place.split(' · ')[0] || 'here'}`],
  ['always', () => 'In all projects'],
];

/** The scopes of a grant; empty if the call can only be allowed once. */
export function scopesOf({
  tool,
  covers,
  place,
}: ShownApproval): readonly (readonly [AnswerScope, string])[] {
  if (!tool || covers === null) return [];
  const all = SCOPES.map(([scope, words]) => [scope, words(place)] as const);
  const known = place.includes(' · ') ? all : all.filter(([scope]) => scope !== 'branch');
  return tool.mcp ? [...known, ['server', `All tools of ${tool.mcp.server}`]] : known;
}

/** The arguments that a person can edit: those that are text. */
export function editableFields({ tool }: Approval): readonly (readonly [name: string, text: string])[] {
  const texts = Object.entries(tool?.input ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  // Only the command can be edited, not its description.
  return tool?.command ? texts.filter(([, text]) => text === tool.command) : texts;
}
