import { basename, dirname, join } from 'node:path';
import { Hono } from 'hono';
import * as v from 'valibot';
import { changeRecord } from '../../access/record.ts';
import { AGENTS } from '../../agents/_registry.ts';
import type { Agent } from '../../agents/agent.ts';
import { recordedCalls } from '../../history/replay/recorded-calls.ts';
import { tryRule } from '../../history/replay/try-rule.ts';
import { writeSetting } from '../../home/config.ts';
import { changeConfirmed } from '../../home/confirmed/pending.ts';
import { worldOf } from '../../home/engine.ts';
import { HooklineError } from '../../model/errors.ts';
import { readIfExists, writeUserFile } from '../../platform/files.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { redact } from '../../redact/redact.ts';
import { parseRules } from '../../rules/files/load.ts';
import { idToday } from '../../rules/gone.ts';
import { aboutPack, packNames } from '../../rules/pack.ts';
import { checkDraft, ruleText, withRuleText } from '../../rules/review/draft.ts';
import type { Rule } from '../../rules/rule.ts';
import { DEFAULT_PACKS } from '../../rules/rule-set.ts';
import { type ApiEnv, guarded } from '../http/guard.ts';
import { readBody } from '../http/read-body.ts';
import { sendRedacted } from '../http/send-redacted.ts';
import type { Daemon } from '../run-daemon.ts';
import { agentsHere, reachesOf } from './rules.ts';
import type { DraftCheck, EditableRule, PackView } from './shapes.ts';

const draft = v.strictObject({ text: v.pipe(v.string(), v.maxLength(50_000)), rule: v.nullable(v.string()) });
const packMode = v.strictObject({ mode: v.picklist(['on', 'observe', 'off']) });

const TRIED_DAYS = 14;
const TRY_MS = 8_000;
/** What keeps an agent from changing Hookline is not for a page to lift. */
const FIXED_PACK = 'self-protection';

/** Rules as texts: to read, to check while editing, to try on history, to save. And packs, to switch. */
export function ruleApiRoutes({ home, access, hub }: Daemon): Hono<ApiEnv> {
  const { paths, confirmed, rules, db } = home;
  const inForce = () => rules.inForce(null).rules;
  const api = new Hono<ApiEnv>();

  api.get('/rule-text', (c) => sendRedacted(c, sourceOf(inForce(), idToday(c.req.query('rule') ?? ''))));
  // To try a draft takes time from every agent, so an agent may not.
  api.post('/rules/check', guarded(access, 'rules'), async (c) =>
    sendRedacted(c, check((await readBody(c, draft)).text, agentsHere(home))),
  );
  api.post('/rules/try', guarded(access, 'rules'), async (c) => {
    const { text, rule: id } = await readBody(c, draft);
    const { rule } = checkDraft(text, 'rule.yaml');
    if (!rule) throw new HooklineError('USAGE', 'The rule is not valid yet.');
    const saved = inForce().find((one) => one.id === id) ?? null;
    const since = Date.now() - TRIED_DAYS * 86_400_000;
    const { home: user, real, branchOf, runOptions } = worldOf();
    const world = { home: user, real, branchOf, runOptions };
    const tried = await tryRule(recordedCalls(db, { since }), rule, saved, {
      agents: AGENTS,
      world,
      timeMs: TRY_MS,
    });
    return sendRedacted(c, { days: TRIED_DAYS, ...tried });
  });
  api.post('/rules/save', guarded(access, 'rules'), async (c) => {
    const { text, rule } = await readBody(c, draft);
    const saved = changeConfirmed(paths, confirmed, () => saveRule(paths.rules, inForce(), text, rule));
    hub.ownFiles.accept();
    hub.note(changeRecord('rules', c.var.by, `saved the rule ${saved}`));
    return sendRedacted(c, { rule: saved });
  });
  api.post('/packs/:name', guarded(access, 'rules'), async (c) => {
    const { mode } = await readBody(c, packMode);
    const name = c.req.param('name');
    if (!packNames().includes(name)) throw new HooklineError('NOT_FOUND', `Unknown pack ${name}.`);
    if (name === FIXED_PACK) throw new HooklineError('USAGE', `Switch the pack ${name} in config.yaml.`);
    changeConfirmed(paths, confirmed, () => writeSetting(paths.config, ['packs', name], mode));
    hub.ownFiles.accept();
    hub.note(changeRecord('rules', c.var.by, `switched the pack ${name} to ${mode}`));
    return sendRedacted(c, { packs: viewPacks(home.config.packs) });
  });
  return api;
}

export function viewPacks(chosen: Readonly<Record<string, PackView['mode']>>): readonly PackView[] {
  const modes = { ...DEFAULT_PACKS, ...chosen };
  return packNames().map((name) => ({
    name,
    ...aboutPack(name),
    mode: modes[name] ?? 'off',
    fixed: name === FIXED_PACK,
  }));
}

function check(text: string, agents: readonly Agent[]): DraftCheck {
  const { rule, problems, examples } = checkDraft(text, 'rule.yaml');
  return { id: rule?.id ?? null, problems, examples, reach: rule ? reachesOf(rule, agents) : [] };
}

const fileOf = ({ where }: Rule): string => where.replace(/:\d+:\d+$/, '');

function sourceOf(rules: readonly Rule[], id: string): EditableRule {
  const rule = rules.find((one) => one.id === id);
  const file = rule && fileOf(rule);
  const text = file === undefined ? null : ruleText(readIfExists(file) ?? '', file, id);
  if (!rule || file === undefined || text === null)
    throw new HooklineError('NOT_FOUND', `Unknown rule ${id}.`);
  // A text of which something is left out on the way would be saved without it.
  const editable = rule.layer === 'user' && redact(text) === text;
  return { text, where: shortPlace(rule.where), editable };
}

/** The file by its name, with the line. */
function shortPlace(where: string): string {
  const [, file = where, line = ''] = /^(.*):(\d+):\d+$/.exec(where) ?? [];
  return `${basename(file)}${line && `, line ${line}`}`;
}

/** Returns the ID of the rule that is active from the next call on. */
function saveRule(folder: string, rules: readonly Rule[], text: string, id: string | null): string {
  const { rule, problems } = checkDraft(text, 'rule.yaml');
  if (!rule) throw new HooklineError('USAGE', `Can't save the rule: ${problems[0]?.message}`);
  const before = id === null ? null : (rules.find((one) => one.id === id) ?? null);
  if (id !== null && before?.layer !== 'user')
    throw new HooklineError('USAGE', `${id} is not one of your own rules.`);
  if (rule.id !== id && rules.some((one) => one.id === rule.id))
    throw new HooklineError('USAGE', `A rule named ${rule.id} already exists.`);
  const file = before ? fileOf(before) : join(folder, 'own.yaml');
  const changed = withRuleText(readIfExists(file), file, id, text);
  if ('problem' in changed) throw new HooklineError('USAGE', changed.problem);
  const [broken] = parseRules(changed.text, file).problems;
  if (broken) throw new HooklineError('USAGE', `${shortPlace(broken.where)}: ${broken.message}`);
  makeFolder(dirname(file), 0o700);
  writeUserFile(file, changed.text, 0o600);
  return rule.id;
}
