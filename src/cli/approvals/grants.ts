import { randomBytes } from 'node:crypto';
import { AGENTS } from '../../agents/_registry.ts';
import { GRANT_SCOPES, type GrantScope, grantFor, type StandingGrant } from '../../approvals/grant.ts';
import type { GrantFile } from '../../approvals/grant-file.ts';
import { readHistory } from '../../client/history.ts';
import { grantSurroundings, openHomeGrants } from '../../home/engine.ts';
import { type HomePaths, homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { isToolEvent } from '../../model/events.ts';
import { whoDecides } from '../../platform/user-name.ts';
import { findEvent } from '../../store/read/queries.ts';
import type { StoredEvent } from '../../store/read/stored-event.ts';
import { defineCommand, flag, unknownWord, usage, value } from '../command.ts';
import { verdict } from '../output/event-line.ts';
import { paint } from '../output/paint.ts';
import { spanOf } from '../values.ts';

export default defineCommand({
  name: 'grants',
  summary: 'Manage grants: stored answers that apply to every agent.',
  words: '[list|add|revoke] [id]',
  options: {
    scope: value(GRANT_SCOPES.join('|'), 'Scope of the grant (default: project).', { of: 'add' }),
    deny: flag('Deny instead of allow.', { of: 'add' }),
    'any-arguments': flag('Cover any arguments of this MCP tool.', { of: 'add' }),
    server: flag('Cover every tool of this MCP server.', { of: 'add' }),
    for: value('30m|8h|7d|2w', 'How long the grant applies (default: permanently).', { of: 'add' }),
    json: flag('As JSON, one object per line.'),
  },
  examples: [
    ['hookline grants add 3fa9c2 --scope project', 'from a call; `hookline events` shows the IDs'],
    ['hookline grants revoke 3fa9', 'the call needs approval again'],
  ],
  asScript: true,
  access: (_, [what]) => (what === 'add' || what === 'revoke' ? 'grant' : null),
  async run(options, [what, id]) {
    const paths = homePaths();
    const grants = openHomeGrants(paths);
    switch (what) {
      case undefined:
      case 'list':
        return list(grants, options.json ?? false);
      case 'add':
        return add(paths, grants, id, options);
      case 'revoke': {
        console.log(`Revoked: ${revoked(grants, id).text}`);
        return 0;
      }
      default:
        throw unknownWord('grants', what, ['list', 'add', 'revoke']);
    }
  },
});

/** Finds a grant by its ID or an unambiguous start of it. */
function revoked(grants: GrantFile, id: string | undefined): StandingGrant {
  if (id === undefined) throw usage('grants', 'Missing grant ID. Run `hookline grants` to list them.');
  const known = [...grants.list(), ...grants.outdated()].map((grant) => grant.id);
  const [found, other] = known.includes(id) ? [id] : known.filter((one) => one.startsWith(id));
  if (other !== undefined) {
    throw new HooklineError('USAGE', `More than one grant ID starts with "${id}".`, {
      hint: 'Use more of the ID; `hookline grants` shows it.',
    });
  }
  const gone = found === undefined ? null : grants.revoke(found);
  if (!gone)
    throw new HooklineError('NOT_FOUND', `Unknown grant ${id}.`, {
      hint: 'Run `hookline grants` to list them.',
    });
  return gone;
}

function list(grants: GrantFile, json: boolean): number {
  for (const grant of grants.list()) {
    if (json) console.log(JSON.stringify(grant));
    else {
      const place =
        grant.scope === 'always' ? '' : ` in ${grant.cwd}${grant.branch ? ` on ${grant.branch}` : ''}`;
      const end = grant.expiresAt ? `, until ${grant.expiresAt}` : '';
      console.log(
        `${paint.bold(grant.id)}  ${verdict(grant.behavior)}  ${grant.text}  ${paint.dim(`${grant.scope}${place}${end}, by ${grant.by}`)}`,
      );
      console.log(`    ${paint.dim(grant.covers)}`);
    }
  }
  for (const { id, text } of json ? [] : grants.outdated()) {
    console.log(`${paint.yellow('Not applied')} ${id}  ${text}  ${paint.dim(OUTDATED)}`);
  }
  const problem = grants.problem();
  // With --json, only grants are printed.
  if (problem) console.error(`${paint.red('✗')} ${problem.where} ${problem.message}`);
  else if (grants.list().length === 0 && !json) console.log('No grants.');
  return problem ? 1 : 0;
}

const OUTDATED = 'covers more than one call; approve the call again for an exact grant';

interface AddOptions {
  readonly scope?: string;
  readonly deny?: boolean;
  readonly 'any-arguments'?: boolean;
  readonly server?: boolean;
  readonly for?: string;
  readonly json?: boolean;
}

async function add(
  paths: HomePaths,
  grants: GrantFile,
  id: string | undefined,
  options: AddOptions,
): Promise<number> {
  if (id === undefined) throw usage('grants', 'Missing event ID. Run `hookline events` to see the IDs.');
  const stored = await readHistory(paths, (db) => findEvent(db, id));
  if (!stored) throw new HooklineError('NOT_FOUND', `Unknown event ${id}.`);
  const grant = grantFor(
    callOf(stored),
    {
      id: randomBytes(4).toString('hex'),
      behavior: options.deny ? 'deny' : 'allow',
      scope: options.server ? 'always' : scopeNamed(options.scope),
      reach: options.server ? 'server' : options['any-arguments'] ? 'tool' : 'exact',
      expiresAt:
        options.for === undefined
          ? null
          : new Date(Date.now() + spanOf('grants', 'for', options.for)).toISOString(),
      by: whoDecides(),
    },
    grantSurroundings(),
  );
  if ('problem' in grant) throw new HooklineError('USAGE', `Can't create a grant: ${grant.problem}.`);
  grants.add(grant);
  console.log(
    options.json
      ? JSON.stringify(grant)
      : `${paint.green('Granted')} ${grant.id}: ${grant.text}\n${grant.covers}`,
  );
  return 0;
}

/** Decodes the original payload again: the stored event is redacted and no longer in the agent's format. */
function callOf(stored: StoredEvent) {
  const agent = AGENTS.get(stored.source);
  const decoded = agent?.decode({
    id: stored.id,
    receivedAt: stored.timestamp,
    event: null,
    payload: stored.native,
    env: {},
  });
  const tool = decoded && isToolEvent(decoded) ? decoded.tool : null;
  return {
    eventId: stored.id,
    source: stored.source,
    tool,
    sessionId: stored.sessionId,
    projectId: stored.projectId,
    cwd: stored.cwd,
  };
}

function scopeNamed(name = 'project'): GrantScope {
  const known = GRANT_SCOPES.find((scope) => scope === name);
  if (!known) throw usage('grants', `--scope takes one of ${GRANT_SCOPES.join(', ')}.`);
  return known;
}
