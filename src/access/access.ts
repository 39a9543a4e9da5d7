import type { Agent } from '../agents/agent.ts';
import { ACTIONS, type Access, type AccessDecision, type Action, type Caller } from '../model/access.ts';
import { whoDecides } from '../platform/user-name.ts';
import { judgeProcess } from './person.ts';
import { type ReadProcess, readProcess } from './processes.ts';
import type { ScriptKeys } from './script-keys.ts';

type Refusal = AccessDecision & { readonly allowed: false };

interface AccessParts {
  readonly agents: readonly Agent[];
  readonly keys: ScriptKeys;
  /** Called for every refusal, of every use of a key, and of whoever pauses protected rules. */
  record(action: Action, decision: AccessDecision): void;
  /** Programs that the user has added to those that open terminals. Asked each time. */
  terminals(): readonly string[];
  readonly read?: ReadProcess;
}

/** How a person does it instead: in the dashboard only what that can do, and keys are no way to get keys. */
function hintFor(action: Action): string {
  const yourself = 'Run it yourself, in a terminal that no agent has opened';
  if (NOT_BY_KEY[action] !== undefined) return `${yourself}.`;
  const keys = 'Your own scripts need --as-script and a key (`hookline script-key create NAME`).';
  return `${yourself}${action === 'answer' ? ', or answer in the dashboard' : ''}. ${keys}`;
}

/** Lets a person, the dashboard, and a script with a key; nobody else. */
export function createAccess({ agents, keys, record, terminals, read = readProcess }: AccessParts): Access {
  async function judge(action: Action, caller: Caller): Promise<AccessDecision> {
    if (caller.kind === 'dashboard') return allowed(`${whoDecides()} (dashboard)`);
    if (caller.kind === 'device')
      return action === 'answer'
        ? allowed(`${whoDecides()} (${caller.name})`)
        : refused(action, `${caller.name} is a paired device, which only looks and answers.`);
    if (caller.kind === 'token')
      return refused(action, 'The token admits hooks and readers, and decides nothing.');
    if (caller.scriptKey !== null) {
      const name = keys.nameOf(caller.scriptKey);
      if (name === null) return refused(action, 'This script key does not exist, or was revoked.');
      const why = NOT_BY_KEY[action];
      return why === undefined
        ? { allowed: true, by: `script ${name}`, scriptKey: name }
        : refused(action, why);
    }
    if (caller.kind === 'unknown')
      return refused(action, 'This system does not tell which process a command is.');
    const user = { uid: process.getuid?.() ?? 0, terminals: terminals() };
    const found = await judgeProcess(caller.pid, agents, read, user);
    if (found.person) return allowed(whoDecides());
    const decision = refused(action, found.why, found.agent);
    return found.opener === null
      ? decision
      : { ...decision, hint: `${decision.hint} ${toAdd(found.opener)}` };
  }
  return {
    async decide(action, caller) {
      const decision = await judge(action, caller);
      if (!decision.allowed || decision.scriptKey !== null || action === 'unlock') record(action, decision);
      return decision;
    },
  };
}

function toAdd(opener: string): string {
  return `If it is a terminal that you work in, add it to config.yaml: access: { terminals: [${JSON.stringify(opener)}] }`;
}

/** One key must not make others, nor let in devices that stay when it is revoked. */
const NOT_BY_KEY: Readonly<Partial<Record<Action, string>>> = {
  'script-key': 'A script key makes or revokes no script keys.',
  devices: 'A script key lets no devices in.',
};

function allowed(by: string): AccessDecision {
  return { allowed: true, by, scriptKey: null };
}

function refused(action: Action, why: string, agent: string | null = null): Refusal {
  return {
    allowed: false,
    why: `Only a person may ${ACTIONS[action]}. ${why}`,
    hint: hintFor(action),
    agent,
  };
}
