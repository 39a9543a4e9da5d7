import { useEffect, useRef, useState } from 'preact/hooks';
import type { AnswerScope, Approval, Reply, ShownApproval } from '../../src/approvals/approval.ts';
import { useLive } from './hooks.ts';
import type { Request } from './requests.ts';

/** Keys rest for this long after a card has come: who was about to press one meant the card before. */
const SETTLE_MS = 400;

/** What is done to a card beside answering it. */
type Doing = 'menu' | 'edit' | 'message' | null;

/** The answer to a request while it is being made. */
export interface Answering {
  readonly busy: boolean;
  readonly doing: Doing;
  /** Those that the answer is for. */
  readonly chosen: readonly ShownApproval[];
  readonly problem: string | null;
  setDoing(doing: Doing): void;
  toggle(id: string): void;
  give(answer: Reply): Promise<void>;
  /** For longer than this once. */
  allowFor(scope: AnswerScope): void;
  /** Whether it has been on the screen for long enough to be answered by a key. */
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
    // What was left out is still here, to be answered otherwise.
    if (taken.every(Boolean)) {
      if (chosen.length < request.all.length) setBusy(false);
      setLeft(new Set());
      return;
    }
    setProblem('The answer did not reach the daemon. Nothing was decided; try again.');
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
  ['branch', (place) => `On branch ${place.split(' · ')[1] ?? 'of now'}`],
  ['project', (place) => `Everywhere in ${place.split(' · ')[0] || 'this folder'}`],
  ['always', () => 'Always, in every project'],
];

/** How long something can be allowed for; empty where it can only be this once. */
export function scopesOf({
  tool,
  covers,
  place,
}: ShownApproval): readonly (readonly [AnswerScope, string])[] {
  if (!tool || covers === null) return [];
  const all = SCOPES.map(([scope, words]) => [scope, words(place)] as const);
  const known = place.includes(' · ') ? all : all.filter(([scope]) => scope !== 'branch');
  return tool.mcp ? [...known, ['server', `Always, all of ${tool.mcp.server}`]] : known;
}

/** The arguments that a person can change: texts, each as it is. */
export function editableFields({ tool }: Approval): readonly (readonly [name: string, text: string])[] {
  const texts = Object.entries(tool?.input ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  // What it runs is what is edited; how it is described is not.
  return tool?.command ? texts.filter(([, text]) => text === tool.command) : texts;
}
