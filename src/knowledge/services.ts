import * as v from 'valibot';
import { parse } from 'yaml';
import { words } from './word-lists.ts';

const part = v.pipe(v.string(), v.regex(/^\w+(?:[- ]\w+)*$/, 'a name, which is not a pattern'));
const list = v.optional(v.pipe(words, v.array(part)), []);

/** How programs speak to it. */
const code = v.strictObject({
  modules: words,
  own: v.optional(words, []),
  rows: v.optional(v.literal(true)),
  methods: v.optional(words, []),
  program: v.optional(
    v.strictObject({
      name: v.string(),
      client: words,
      'group-in': v.optional(v.string()),
      groups: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
});

const service = v.strictObject({
  keeps: v.picklist(['data', 'keys', 'secrets']),
  speaks: v.optional(v.picklist(['sql', 'cypher'])),
  servers: list,
  words: list,
  images: list,
  schemes: list,
  pages: list,
  code: v.optional(code),
});

/** Who keeps something for others, as `services.yaml` says. */
export type Service = v.InferOutput<typeof service> & { readonly system: string };

/** One that programs speak to through a module. */
export type CodeService = v.InferOutput<typeof code> & { readonly system: string };

/** Reads `services.yaml`, when Hookline is built. A name means one service. */
export function parseServices(yaml: string): readonly Service[] {
  const parsed = v.safeParse(v.record(v.string(), service), parse(yaml));
  if (!parsed.success) {
    const [{ message, path }] = parsed.issues;
    throw new Error(`services.yaml, ${(path ?? []).map(({ key }) => key).join('.')}: ${message}`);
  }
  const services = Object.entries(parsed.output).map(([system, text]) => ({ ...text, system }));
  for (const key of ['servers', 'words', 'images', 'schemes', 'pages'] as const) {
    const names = services.flatMap((one) => one[key]);
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined) throw new Error(`services.yaml: ${twice} stands there twice`);
  }
  const modules = services.flatMap((one) => one.code?.modules ?? []);
  const again = modules.find((name, at) => modules.indexOf(name) !== at);
  if (again !== undefined) throw new Error(`services.yaml: the module ${again} stands there twice`);
  return services;
}
