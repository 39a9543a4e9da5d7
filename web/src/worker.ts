const SCRIPT = '/sw.js';

/** Makes a trusted script URL; browsers without it take the plain URL. */
interface PolicyMaker {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

function isPolicyMaker(value: unknown): value is PolicyMaker {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

/** On a paired device: caches the page's files, and shows notifications where a page alone can't. */
export async function registerWorker(): Promise<void> {
  if (window.location.protocol !== 'https:' || !('serviceWorker' in navigator)) return;
  try {
    const maker: unknown = 'trustedTypes' in window ? window.trustedTypes : null;
    const policy = isPolicyMaker(maker)
      ? maker.createPolicy('service-worker', { createScriptURL: () => SCRIPT })
      : null;
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(SCRIPT) : SCRIPT);
  } catch {
    // Browsers reject it until they trust the certificate. Everything else works without it.
  }
}
