import { isProduction } from './test-names.ts';
import { type Text, wordSet } from './text-words.ts';

const RELEASES = wordSet('deploy promote release publish rollout ship redeploy');
/** What is started or made, where it goes to those who use it: POST /deployments. */
const STARTS = wordSet('create add trigger dispatch start run execute');
const RELEASED = wordSet(
  'deploy deploys deployment deployments rollout release pipeline workflow build dispatches dispatch',
);
const PUBLISHED = wordSet('package packages app application extension crate gem module plugin');
const REQUESTS = /(?:^|_)(?:(?:pull|merge)_requests?|pulls?|prs?|mrs?)(?:_|$)/;

/** What others get from. */
const MAIN = /^(?:(?:refs\/)?heads\/)?(?:main|master|trunk|production|prod|release\b.*)$/i;

/** A proposed change is merged, or a build goes to its users. */
export function releases(named: readonly string[], texts: readonly Text[]): boolean {
  const [first = ''] = named;
  const name = named.join('_');
  if (/auto_?merge/.test(name)) return /^(?:enable|set|turn|allow)/.test(first);
  if (/^(?:merge|accept|complete)$/.test(first)) return REQUESTS.test(named.slice(1).join('_'));
  if (named.at(-1) === 'merge' && first !== 'create') return REQUESTS.test(name);
  if (/^(?:push|commit)$/.test(first) && named.some((word) => /^(?:files?|commit|changes)$/.test(word)))
    return texts.some(({ key, text }) => key === 'branch' && MAIN.test(text));
  if (first === 'publish' || name.includes('for_review'))
    if (
      name.includes('for_review') ||
      named.some((word) => PUBLISHED.has(word)) ||
      texts.some(({ key }) => PUBLISHED.has(key))
    )
      return true;
  if (named.some((word) => /^(?:flags?|toggles?)$/.test(word))) return isProduction(texts);
  if (STARTS.has(first) && named.some((word) => RELEASED.has(word)))
    return named.some((word) => isProduction([{ text: word }])) || isProduction(texts);
  return RELEASES.has(first) && (named.includes('production') || isProduction(texts));
}
