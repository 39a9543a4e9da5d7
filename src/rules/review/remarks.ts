import { AGENT_IDS } from '../../agents/_names.ts';
import { nearestName, suggestion } from '../../model/suggestion.ts';
import { TOOL_NAMES } from '../../model/tools.ts';
import type { FileProblem } from '../../platform/last-good.ts';
import { ACCESSES } from '../match/effects.ts';
import { listed } from '../match/word-match.ts';
import type { Rule } from '../rule.ts';
import type { ConditionsText } from '../schema.ts';
import { effectRemarks } from './effect-remarks.ts';

/** A likely mistake in a valid rule. The rule stays active. */
export interface RuleFinding extends FileProblem {
  /** True if it can never match, so that the rule or a part of it never applies. */
  readonly never: boolean;
}

/** A finding without the rule it belongs to. */
export type Doubt = Pick<RuleFinding, 'message' | 'never'>;

/** Names in rules that must be checked against agents and packs. */
export interface KnownNames {
  /** Whether an agent has a tool that it calls so. */
  isNativeTool(name: string): boolean;
  /** Names that other rules use after this effect kind. */
  effectNames(kind: string): readonly string[];
}

/** Skips packs, which come with Hookline and are tested. */
export function ruleFindings(rules: readonly Rule[], known: KnownNames): readonly RuleFinding[] {
  return rules
    .filter(({ layer }) => layer !== 'pack')
    .flatMap(({ id, where, written, former }) =>
      [...former.map(formerDoubt), ...written.flatMap((text) => doubtsAbout(text, known))].map(
        ({ message, never }) => ({ where, message: `rule ${id}: ${message}`, never }),
      ),
    );
}

function doubtsAbout(text: ConditionsText, known: KnownNames): readonly Doubt[] {
  const each = (value: string | string[] | undefined, doubt: (one: string) => Doubt | null) =>
    (listed(value) ?? []).flatMap((one) => doubt(one) ?? []);
  return [
    ...each(text.agent, agentDoubt),
    ...each(text.tool, (name) => toolDoubt(name, known)),
    ...each(text.mcp, serverDoubt),
    ...each(text.host, hostDoubt),
    ...ACCESSES.flatMap((access) => each(text[`${access}s`], driveDoubt)),
    ...(listed(text.effects) ?? []).flatMap((words) => effectRemarks(words, known)),
  ];
}

function formerDoubt(what: string): Doubt {
  return { message: `${what}; the old word still works`, never: false };
}

/** Other programs can send events under their own agent name. */
function agentDoubt(id: string): Doubt | null {
  if (AGENT_IDS.includes(id)) return null;
  const hint = suggestion(id, AGENT_IDS) ?? `known agents: ${AGENT_IDS.join(', ')}`;
  return { message: `agent: unknown agent "${id}"; ${hint}`, never: false };
}

/** Shorter names are similar to too many others. */
const TELLING_LENGTH = 4;

/** Reports an unknown tool only if it looks like a typo; it may belong to a server or a new client version. */
function toolDoubt(name: string, known: KnownNames): Doubt | null {
  if (/[*?{]|__|\//.test(name) || TOOL_NAMES.includes(name)) return null;
  const sameLetters = TOOL_NAMES.find((one) => one.toLowerCase() === name.toLowerCase());
  const meant = sameLetters ?? (name.length < TELLING_LENGTH ? null : nearestName(name, TOOL_NAMES));
  if (meant === null || known.isNativeTool(name)) return null;
  return {
    message: `tool: unknown tool "${name}"; did you mean ${meant}?`,
    never: false,
  };
}

/** Agents show a server and its tool as one name. */
function serverDoubt(name: string): Doubt | null {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server === undefined) return null;
  return {
    message: `mcp: "${name}" never matches, because names are server/tool; use ${server}/${tool}`,
    never: true,
  };
}

function driveDoubt(path: string): Doubt | null {
  const [, drive = '', rest = ''] = /^([a-z]):[\\/]+(.*)$/i.exec(path) ?? [];
  if (drive === '') return null;
  const meant = `/${drive.toLowerCase()}/${rest.replace(/\\+/g, '/')}`;
  return {
    message: `"${path}" has a Windows drive; use ${meant}`,
    never: false,
  };
}

/** The directory of a database socket counts as a host, so a slash may come first. */
function hostDoubt(host: string): Doubt | null {
  const [, bare = ''] = /^(?:[a-z*][\w+.*-]*:)?\/\/([^/]*)/i.exec(host) ?? /^([^/]+)\//.exec(host) ?? [];
  if (bare !== '') {
    const name = bare.replace(/^.*@|:\d*$/g, '');
    const message = `host: "${host}" is a URL; use the host name ${name}`;
    return { message, never: true };
  }
  const [, name] = /^([^:]+):\d+$/.exec(host) ?? [];
  return name === undefined
    ? null
    : {
        message: `host: "${host}" includes a port; use ${name}`,
        never: false,
      };
}
