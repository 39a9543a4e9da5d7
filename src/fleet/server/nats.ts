import type * as jetstream from '@nats-io/jetstream';
import type * as kv from '@nats-io/kv';
import type * as transport from '@nats-io/transport-node';

/** The client's packages. Loaded when a fleet is joined, so that a daemon without one pays nothing. */
export interface Nats {
  readonly transport: typeof transport;
  readonly jetstream: typeof jetstream;
  readonly kv: typeof kv;
}

let loaded: Promise<Nats> | null = null;

export function loadNats(): Promise<Nats> {
  loaded ??= Promise.all([
    import('@nats-io/transport-node'),
    import('@nats-io/jetstream'),
    import('@nats-io/kv'),
  ]).then(([first, second, third]) => ({ transport: first, jetstream: second, kv: third }));
  return loaded;
}
