import { emulated, impossible, type Support, type Supports } from './agent.ts';

export type Row = NonNullable<Supports['stop']>;

/** Native, but not without a surprise. */
export const but = (note: string): Support => ({ level: 'native', note });

/** What an event that can only be watched says where the agents differ. */
type OwnNotes = Readonly<
  Record<'systemMessage' | 'grants' | 'env' | 'llmRequest' | 'llmResponse' | 'toolConfig', Support>
>;

/** Makes the rows of events: each is one that can only be watched, and what it can do more is named by the caller. */
export function supportRows(version: string, own: OwnNotes): (more?: Row) => Row {
  const watched: Row = {
    deny: impossible(`${version} does not let a hook stop this.`),
    ask: impossible(`${version} neither asks a person nor takes a refusal here.`),
    allow: emulated(`${version}: nothing here waits for permission; silence lets it happen.`),
    rewrite: impossible(`${version} takes no changed arguments on this event.`),
    context: impossible(`${version} takes no context for the model on this event.`),
    systemMessage: own.systemMessage,
    halt: impossible(`${version} does not end the turn from this event.`),
    replaceOutput: impossible(`${version} has no output to replace on this event.`),
    grants: own.grants,
    env: own.env,
    llmRequest: own.llmRequest,
    llmResponse: own.llmResponse,
    toolConfig: own.toolConfig,
  };
  return (more = {}) => ({ ...watched, ...more });
}

/** A question in a place where nobody can be asked. */
export const askAsRefusal = (version: string): Support =>
  emulated(`${version}: nobody can be asked here; sent as a refusal with the reason.`);

/** Context in a place where the only text for the model is the reason of a refusal. */
export const contextInRefusal = (version: string): Support =>
  emulated(
    `${version} takes no context here; it goes along in the reason of a refusal and otherwise has to wait.`,
  );

/** A message in a place where the person gets none. */
export const messageLost = (version: string): Support =>
  impossible(`${version} does not read a message to the person on this event.`);

/** A payload that could not be read has no event to say more about. */
export const UNREAD: Row = {
  deny: emulated('Only for a payload that could not be read, on an event that can be refused.'),
};
