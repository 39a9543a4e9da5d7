import { basename } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import {
  ACTIONS,
  type Access,
  type AccessDecision,
  type Action,
  type Caller,
} from '../model/people/access.ts';
import { SCRIPT_RUNNERS, SHELLS } from '../model/shells.ts';
import { whoDecides } from '../platform/user-name.ts';
import { judgeProcess } from './person.ts';
import { type ReadProcess, readProcess } from './processes.ts';
import type { ScriptKeys } from './script-keys.ts';

type Refusal = AccessDecision & { readonly allowed: false };

interface AccessParts {
  readonly agents: readonly Agent[];
  readonly keys: ScriptKeys;
  /** Called for every denial, every use of a key, and every pause of protected rules. */
  record(action: Action, decision: AccessDecision): void;
  /** Programs that the user has added to those that open terminals. Asked each time. */
  terminals(): readonly string[];
  readonly read?: ReadProcess;
}

/** How a person does it instead: in the dashboard only what that can do, and keys are no way to get keys. */
function hintFor(action: Action): string {
  const yourself = 'Run it yourself in a terminal that was not opened by an agent';
  if (NOT_BY_KEY[action] !== undefined) return `${yourself}.`;
  const keys = 'Your own scripts need --as-script and a key (`hookline script-key create NAME`).';
  return `${yourself}${action === 'answer' ? ', or answer in the dashboard' : ''}. ${keys}`;
}

/** Allows only a person, the dashboard, and a script with a key. */
export function createAccess({ agents, keys, record, terminals, read = readProcess }: AccessParts): Access {
  async function judge(action: Action, caller: Caller): Promise<AccessDecision> {
    if (caller.kind === 'dashboard')
      return NEEDS_OWN_TERMINAL.has(action)
        ? refused(action, 'Other programs can read the link to the dashboard.')
        : allowed(`${whoDecides()} (dashboard)`);
    if (caller.kind === 'device')
      return action === 'answer'
        ? allowed(`${whoDecides()} (${caller.name})`)
        : refused(action, `${caller.name} is a paired device. It can only view and answer approvals.`);
    if (caller.kind === 'token')
      return refused(
        action,
        "This token can send hook calls and read data, but it can't approve or change anything.",
      );
    if (caller.scriptKey !== null) {
      const name = keys.nameOf(caller.scriptKey);
      if (name === null) return refused(action, 'This script key is unknown or was revoked.');
      const why = NOT_BY_KEY[action];
      return why === undefined
        ? { allowed: true, by: `script ${name}`, scriptKey: name }
        : refused(action, why);
    }
    if (caller.kind === 'unknown') return refused(action, "This system can't identify the calling process.");
    // What a setting calls a terminal may be one that any program can open.
    const listed = NEEDS_OWN_TERMINAL.has(action) ? [] : terminals();
    const user = { uid: process.getuid?.() ?? 0, terminals: listed };
    const found = await judgeProcess(caller.pid, agents, read, user);
    if (found.person && found.sharedBy !== null && NEEDS_OWN_TERMINAL.has(action))
      return refusedIn(found.sharedBy, action);
    if (found.person) return allowed(whoDecides());
    const decision = refused(action, found.why, found.agent);
    return found.opener === null || NEEDS_OWN_TERMINAL.has(action) || opensForAnyone(found.opener)
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

const PTY_MAKERS = ['script', 'expect', 'unbuffer', 'socat', 'python', 'perl', 'ruby'];

/** True for programs that open a terminal for any command, so that theirs doesn't prove a person. */
function opensForAnyone(opener: string): boolean {
  const name = basename(opener).replace(/[\d.]+$/, '');
  return [...PTY_MAKERS, ...SHELLS, ...SCRIPT_RUNNERS].includes(name);
}

function toAdd(opener: string): string {
  const setting = `access: { terminals: [${JSON.stringify(opener)}] }`;
  return `If you work in this terminal, add it to config.yaml: ${setting}. Then run \`hookline rules confirm\` in another terminal, such as a login on the console or over SSH.`;
}

/**
 * What lets an agent change Hookline itself: done where no other program of the user can read what is shown, or type.
 * Otherwise an agent that gets a line past the rules has a multiplexer open a terminal, and answers there by itself.
 */
const NEEDS_OWN_TERMINAL: ReadonlySet<Action> = new Set(['unlock']);

function refusedIn(multiplexer: string, action: Action): Refusal {
  return {
    ...refused(action, `Other programs can read and type into this terminal through ${multiplexer}.`),
    hint: `Run it outside ${multiplexer}: in another window, on the console, or with \`ssh -t HOST hookline ${action}\` from your own machine.`,
  };
}

/** One key must not make others, nor let in devices that stay when it is revoked. */
const NOT_BY_KEY: Readonly<Partial<Record<Action, string>>> = {
  'script-key': "A script key can't create or revoke script keys.",
  devices: "A script key can't pair devices.",
  unlock: "A script key can't pause protected rules.",
};

function allowed(by: string): AccessDecision {
  return { allowed: true, by, scriptKey: null };
}

function refused(action: Action, why: string, agent: string | null = null): Refusal {
  return {
    allowed: false,
    why: `Only a person can ${ACTIONS[action]}. ${why}`,
    hint: hintFor(action),
    agent,
  };
}
