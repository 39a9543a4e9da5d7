import { HooklineError } from '../model/errors.ts';

/*
 * Every name that a fleet has on a server. Streams and buckets: `hookline-<team>-…`; subjects: `hookline.<team>.…`.
 * A machine is named by its id in all of them, so that one rule in the server's accounts says what it may write.
 */

const TEAM = /^[a-z\d](?:[a-z\d_-]{0,30}[a-z\d])?$/;

/** A team's name is a part of names on the server, and is used there as it is. */
export function isTeamName(name: string): boolean {
  return TEAM.test(name);
}

/** Any text as one token of a subject: no dots, wildcards or spaces. Different texts give different tokens. */
export function subjectToken(text: string): string {
  if (text === '') return '=';
  return text.replace(/[^\w-]+/gu, (run) =>
    [...Buffer.from(run)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

/** What `subjectToken` was given. */
export function fromSubjectToken(token: string): string {
  if (token === '=') return '';
  const bytes = token.replace(/=([\da-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The machine that a subject of the stream is below; any text, if another sender made the subject. */
export function machineInSubject(subject: string): string {
  return fromSubjectToken(subject.split('.')[3] ?? '');
}

/** The names of one team. */
export interface TeamNames {
  /** The stream of all records and signatures. */
  readonly auditStream: string;
  /** What that stream takes. */
  readonly audit: string;
  /** One record of a machine. */
  event(machine: string, agent: string, type: string): string;
  /** A signature of a machine's chain: of a link, or of links that were deleted. */
  chain(machine: string, kind: 'checkpoint' | 'gap'): string;
  /** All that a machine has written to the stream. */
  auditOf(machine: string): string;
  /** All of its records, of every machine; `agent`, `type` and `machine` narrow them. */
  events(agent?: string, type?: string, machine?: string): string;
  /** Bucket of rule files. */
  readonly policyBucket: string;
  /** Bucket of what each machine says of itself. */
  readonly machinesBucket: string;
  /** What a machine tells another one about approvals; `all` is every one of the team. */
  approval(from: string, kind: string, to: string): string;
}

/** Below this the server answers a machine. Others have no right to listen there. */
export function inboxOf(machine: string): string {
  return `_INBOX.${machine}`;
}

/** With which a machine reads what it has sent. A name of its own, so that a right can name it. */
export function outboxConsumer(machine: string): string {
  return `outbox-${machine}`;
}

const tokenOrAny = (text: string): string => (text === '*' ? text : subjectToken(text));
const anyOr = (text: string | undefined): string => (text === undefined ? '*' : subjectToken(text));

export function teamNames(team: string): TeamNames {
  if (!isTeamName(team))
    throw new HooklineError('USAGE', `"${team}" is not a valid fleet name.`, {
      hint: 'Use up to 32 lower-case letters, digits, - and _, with a letter or digit at both ends.',
    });
  const audit = `hookline.${team}.audit`;
  return {
    auditStream: `hookline-${team}-audit`,
    audit: `${audit}.>`,
    event: (machine, agent, type) =>
      `${audit}.${subjectToken(machine)}.event.${subjectToken(agent)}.${subjectToken(type)}`,
    chain: (machine, kind) => `${audit}.${subjectToken(machine)}.chain.${kind}`,
    auditOf: (machine) => `${audit}.${subjectToken(machine)}.>`,
    events: (agent, type, machine) => `${audit}.${anyOr(machine)}.event.${anyOr(agent)}.${anyOr(type)}`,
    policyBucket: `hookline-${team}-policy`,
    machinesBucket: `hookline-${team}-machines`,
    approval: (from, kind, to) => `hookline.${team}.approvals.${tokenOrAny(from)}.${kind}.${tokenOrAny(to)}`,
  };
}
