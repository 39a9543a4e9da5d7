/** Names of what people use for real: `shop-prod`, `live`, `db.production`, `shopprod`. */
const PRODUCTION = /(?:^|[^a-z])(?:prod|production|prd|live)(?:[^a-z]|$)|[a-z]{3}(?:prod|production)$/i;
/** Names of what is there to try something out. */
const TRIED =
  /(?:^|[^a-z])(?:dev|development|tests?|testing|staging|preview|sandbox|local|localhost|minikube|kind|ci|e2e|demo|qa|mock|scratch)(?:[^a-z]|$)/i;
const LONGEST_LABEL = 200;

export function isProduction(texts: readonly { readonly text: string }[]): boolean {
  return texts.some(({ text }) => text.length < LONGEST_LABEL && PRODUCTION.test(text));
}

/** Whether a name says that nobody uses it for real. */
export function isForTrial(name: string): boolean {
  return name.length < LONGEST_LABEL && TRIED.test(name) && !PRODUCTION.test(name);
}
