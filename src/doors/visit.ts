/** It is read by people, or tells how something is deleted. */
const PAGE =
  /\.(?:html?|md|pdf|txt)$|^\/(?:docs?|help|wiki|blog)\/|^(?:docs?|help|support|learn|developers?|wiki|blog)\./i;
/** Parameters that say that it is meant. */
export const MEANT: RegExp = /^(?:confirm\w*|force|yes|sure|really|now|true|execute|token|key|auth|apply)$/i;
/** Parameters that name what to do. */
const ACTION = /^(?:action|do|op|cmd|method)(?:\[\])?$/i;
/** Parameters that say it in a language of its own. */
const QUERY = /^(?:query|sql|statement|stmt)$/i;

/** What an address asks for by being looked at, as many a page for administrators does. */
export interface Visit {
  /** What a parameter names: `?action=delete_user`. */
  readonly operations: readonly string[];
  /** Whether the verb in its path is meant. */
  readonly isMeant: boolean;
  /** The method that a parameter puts in the place of the request's own. */
  readonly method: string | undefined;
  readonly queries: readonly string[];
}

const NOTHING: Visit = { operations: [], isMeant: false, method: undefined, queries: [] };

export function visitOf(url: string, login: string | undefined): Visit {
  // What is not known of it keeps it from being parsed.
  const known = url.replace(/[\ue000-\uf8ff]/g, '0');
  const address = /^[a-z][\w+.-]*:\/\//i.test(known) ? known : `http://${known}`;
  if (!URL.canParse(address)) return NOTHING;
  const { hostname, pathname, searchParams } = new URL(address);
  if (PAGE.test(pathname) || PAGE.test(hostname)) return NOTHING;
  const parameters = [...searchParams].slice(0, MOST_PARAMETERS);
  return {
    operations: parameters.flatMap(([name, value]) => (ACTION.test(name) ? [value] : [])),
    queries: parameters.flatMap(([name, value]) => (QUERY.test(name) ? [value] : [])),
    method: parameters.find(([name]) => name === '_method')?.[1],
    isMeant: login !== undefined || parameters.some(([name]) => MEANT.test(name)),
  };
}

const MOST_PARAMETERS = 50;
