import * as v from 'valibot';
import { subcommands, words } from './word-lists.ts';

/** What a program works on, which says how its words name a place and what is there. */
const WORKPLACES = [
  /** The client of a database. */
  'database',
  /** It builds the database of an application, for one of its environments. */
  'migration',
  /** Containers, clusters made of them, what runs in a cluster, by itself or in releases, and machines within this one. */
  'engine',
  'local-clusters',
  'cluster',
  'releases',
  'machines',
  /** What an address leads to. */
  'request',
  /** A cloud, and something that stands in for one and holds nothing but what was put in to be tried out. */
  'cloud',
  'emulator',
  'broker',
] as const;

const variables = v.strictObject({
  host: v.optional(words),
  name: v.optional(words),
  told: v.optional(words),
  environment: v.optional(words),
});

/**
 * How the words of a program say where it works. What is not said here is not known, and what is not known is never
 * considered disposable.
 */
export const place = v.strictObject({
  is: v.picklist(WORKPLACES),
  /** Options whose values are a host or an address, a port, a file through which it is spoken to, and a name. */
  host: v.optional(words),
  port: v.optional(words),
  socket: v.optional(words),
  name: v.optional(words),
  /** Options with which something else than its words says where it works, or on what. */
  told: v.optional(words),
  /** What its operands are; `settings`: `name=x`. */
  operands: v.optional(v.picklist(['name', 'address', 'host', 'verb', 'file', 'settings'])),
  /** The same by variables. `*` stands for any text; for a cloud, for the service that a command is about. */
  variables: v.optional(variables),
  /** Where nothing is said, it works on this machine. */
  unsaid: v.optional(v.literal('here')),
  /** Only with these subcommands. */
  on: v.optional(subcommands),
  /** `other.orders` is a table of another database. */
  'reaches-others': v.optional(v.literal(true)),
  /** A schema is a part of a database; to other programs it is one. */
  schemas: v.optional(v.literal('inside')),
  /** The signs of an emulator: its port, or an option with this value. */
  emulator: v.optional(
    v.strictObject({ ports: v.optional(words), with: v.optional(v.tuple([v.string(), v.string()])) }),
  ),
});
export type Place = v.InferOutput<typeof place>;
