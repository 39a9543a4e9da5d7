const SCRIPT = '/sw.js';

/** What makes a checked address of a script; browsers without it take the address itself. */
interface PolicyMaker {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string };
}

function isPolicyMaker(value: unknown): value is PolicyMaker {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}

/** On a paired device: keeps the files of the page, and shows notifications where a page by itself cannot. */
export async function registerWorker(): Promise<void> {
  if (window.location.protocol !== 'https:' || !('serviceWorker' in navigator)) return;
  try {
    const maker: unknown = 'trustedTypes' in window ? window.trustedTypes : null;
    const policy = isPolicyMaker(maker)
      ? maker.createPolicy('service-worker', { createScriptURL: () => SCRIPT })
      : null;
    await navigator.serviceWorker.register(policy ? policy.createScriptURL(SCRIPT) : SCRIPT);
  } catch {
    // Browsers refuse it while they do not trust the certificate. Everything else works without it.
  }
}
