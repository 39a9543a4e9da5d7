import { emulated, impossible, type Support, type Supports } from '../agent.ts';

export type Row = NonNullable<Supports['stop']>;

/** Native, with a surprise. */
export const nativeBut = (note: string): Support => ({ level: 'native', note });

/** Notes of events that can only be watched, where agents differ. */
type OwnNotes = Readonly<
  Record<'systemMessage' | 'grants' | 'env' | 'llmRequest' | 'llmResponse' | 'toolConfig', Support>
>;

/** Makes the rows of a table: an event can only be watched, except for what the caller adds. */
export function supportRows(version: string, own: OwnNotes): (more?: Row) => Row {
  const watched: Row = {
    deny: impossible(`${version} does not let a hook stop this.`),
    ask: impossible(`${version} can't ask the user or deny here.`),
    allow: emulated(`${version}: nothing waits for permission here; without an answer it happens.`),
    rewrite: impossible(`${version} accepts no changed arguments on this event.`),
    context: impossible(`${version} accepts no context for the model on this event.`),
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

/** Support for ask where no approval is possible. */
export const askAsRefusal = (version: string): Support =>
  emulated(`${version}: asking isn’t possible here; sent as a denial with the reason.`);

/** Context where the only text for the model is the reason of a refusal. */
export const contextInRefusal = (version: string): Support =>
  emulated(
    `${version} accepts no context here; it is sent in the reason of a denial, otherwise with a later event.`,
  );

/** A message in a place where the user gets none. */
export const messageLost = (version: string): Support =>
  impossible(`${version} does not read a message to the user on this event.`);

/** A payload that could not be read can only be refused. */
export const UNREAD: Row = {
  deny: emulated('Only for an unreadable payload, on an event that can be denied.'),
};
