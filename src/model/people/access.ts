/** The source of what Hookline records of itself: no agent's. */
export const OWN_SOURCE = 'hookline';

/** What a note is among the notifications of that source. */
export const NOTE = 'note';

/** Where people answer on this machine itself, as records name it. No device has one of these names. */
export const PLACES_HERE: readonly string[] = ['dashboard', 'terminal', 'command line'];

/** What only a person may do, each with the words for it after "may not". */
export const ACTIONS = {
  answer: 'answer approvals',
  grant: 'change grants',
  trust: 'change which projects are trusted',
  unlock: 'pause protected rules',
  rules: 'change rules',
  hooks: 'change hooks',
  settings: 'change the configuration',
  forget: 'delete history',
  dashboard: 'open the dashboard',
  export: 'send the history to another address',
  stop: 'stop the daemon',
  remove: "remove Hookline's hooks from an agent",
  away: 'switch away mode on or off',
  notify: 'show or test notification channels',
  'script-key': 'change script keys',
  devices: 'pair devices or change their limits',
  fleet: 'join or leave a fleet, or change its policy or approvers',
} as const;

export type Action = keyof typeof ACTIONS;

export function isAction(name: string): name is Action {
  return Object.hasOwn(ACTIONS, name);
}

/** Who wants to do it, as found out by us: never what a caller says of itself. */
export type Caller =
  | { readonly kind: 'process'; readonly pid: number; readonly scriptKey: string | null }
  /** The platform does not tell which process it is. */
  | { readonly kind: 'unknown'; readonly scriptKey: string | null }
  /** A page that was let in with a link which a person asked for. */
  | { readonly kind: 'dashboard' }
  /** A page on another device, which a person has paired. */
  | { readonly kind: 'device'; readonly name: string }
  /** A process that can read the token file, over HTTP. */
  | { readonly kind: 'token' };

export type AccessDecision =
  | { readonly allowed: true; readonly by: string; readonly scriptKey: string | null }
  | {
      readonly allowed: false;
      /** A sentence. */
      readonly why: string;
      readonly hint: string;
      /** Id of the agent that it comes from, where one was recognised. */
      readonly agent: string | null;
    };

/** The one place that says who may do what. What it decides is recorded when it returns. */
export interface Access {
  decide(action: Action, caller: Caller): Promise<AccessDecision>;
}
