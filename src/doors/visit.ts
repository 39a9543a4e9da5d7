/** It is read by people, or tells how something is deleted. */
const PAGE =
  /\.(?:html?|md|pdf|txt)$|^\/(?:docs?|help|wiki|blog)\/|^(?:docs?|help|support|learn|developers?|wiki|blog)\./i;
/** Parameters that say that it is meant. */
export const MEANT: RegExp = /^(?:confirm\w*|force|yes|sure|really|now|true|execute|token|key|auth|apply)$/i;
/** Parameters that name the action. */
const ACTION = /^(?:action|do|op|cmd|method)(?:\[\])?$/i;
/** Parameters that hold a query. */
const QUERY = /^(?:query|sql|statement|stmt)$/i;

/** What opening an address triggers, as on many admin pages. */
export interface Visit {
  /** The value of a parameter: `?action=delete_user`. */
  readonly operations: readonly string[];
  /** True if the verb in its path counts. */
  readonly isMeant: boolean;
  /** The method that a parameter puts in the place of the request's own. */
  readonly method: string | undefined;
  readonly queries: readonly string[];
}

const NOTHING: Visit = { operations: [], isMeant: false, method: undefined, queries: [] };

export function visitOf(url: string, login: string | undefined): Visit {
  // Removes unknown parts, which would keep it from being parsed.
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
