import type * as jetstream from '@nats-io/jetstream';
import type * as transport from '@nats-io/transport-node';

/** The client's packages. They are loaded when a fleet is joined: a daemon without one pays nothing for them. */
export interface Nats {
  readonly transport: typeof transport;
  readonly jetstream: typeof jetstream;
}

let loaded: Promise<Nats> | null = null;

export function loadNats(): Promise<Nats> {
  loaded ??= Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]).then(
    ([first, second]) => ({ transport: first, jetstream: second }),
  );
  return loaded;
}
