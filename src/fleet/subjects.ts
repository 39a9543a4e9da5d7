import { HooklineError } from '../model/errors.ts';

/*
 * All names of a fleet on a server. Streams and buckets: `hookline-<team>-…`; subjects: `hookline.<team>.…`. Each
 * contains the machine's ID, so that one rule in the server's accounts can limit what it writes.
 */

const TEAM = /^[a-z\d](?:[a-z\d_-]{0,30}[a-z\d])?$/;

/** A team's name is used unchanged in names on the server. */
export function isTeamName(name: string): boolean {
  return TEAM.test(name);
}

/**
 * Encodes any text as one token of a subject, without dots, wildcards or spaces. Different texts give different
 * tokens.
 */
export function subjectToken(text: string): string {
  if (text === '') return '=';
  return text.replace(/[^\w-]+/gu, (run) =>
    [...Buffer.from(run)].map((byte) => `=${byte.toString(16).padStart(2, '0')}`).join(''),
  );
}

/** Reverses `subjectToken`. */
export function fromSubjectToken(token: string): string {
  if (token === '=') return '';
  const bytes = token.replace(/=([\da-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** The machine in a subject of the stream; any text if another sender forged the subject. */
export function machineInSubject(subject: string): string {
  return fromSubjectToken(subject.split('.')[3] ?? '');
}

/** The names of one team. */
export interface TeamNames {
  /** The stream of all records and signatures. */
  readonly auditStream: string;
  /** Subjects of that stream. */
  readonly audit: string;
  /** One record of a machine. */
  event(machine: string, agent: string, type: string): string;
  /** A signature in a machine's chain: a checkpoint or a gap. */
  chain(machine: string, kind: 'checkpoint' | 'gap'): string;
  /** Everything that a machine has written to the stream. */
  auditOf(machine: string): string;
  /** Records of all machines, optionally limited to an `agent`, `type` or `machine`. */
  events(agent?: string, type?: string, machine?: string): string;
  /** Bucket of rule files. */
  readonly policyBucket: string;
  /** Bucket of the machines' reports. */
  readonly machinesBucket: string;
  /** A machine's message to another one about approvals; `all` is every machine of the team. */
  approval(from: string, kind: string, to: string): string;
}

/** The server sends replies for a machine under this subject. Others may not listen there. */
export function inboxOf(machine: string): string {
  return `_INBOX.${machine}`;
}

/** The consumer with which a machine reads what it has sent. Its name is fixed, so that a permission can name it. */
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
