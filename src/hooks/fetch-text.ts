interface Fetched {
  readonly status: number;
  readonly text: string;
}

const MAX_BODY_BYTES = 1 << 20;

/** Posts JSON and reads a bounded answer. Doesn't follow redirects. Rejects with a readable error. */
export async function postForText(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  budgetMs: number,
): Promise<Fetched> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(budgetMs),
    });
    return { status: response.status, text: await bounded(response) };
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new Error(`no answer within ${budgetMs} ms`);
    throw new Error(`${new URL(url).host} is unreachable: ${causeOf(error)}`);
  }
}

async function bounded(response: Response): Promise<string> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the response is too long');
    kept.push(chunk);
  }
  return Buffer.concat(kept).toString('utf8');
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
