import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const Report = v.object({
  violations: v.array(
    v.object({ id: v.string(), nodes: v.array(v.object({ html: v.string(), failureSummary: v.string() })) }),
  ),
  passes: v.array(v.unknown()),
});

/** Run outside of the page's own world, where the page's policy does not hold. */
export async function axeViolations(page: Page): Promise<unknown[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
  await evaluate(`${axe};0`);
  const { result } = await evaluate('axe.run(document).then((r) => JSON.stringify(r))');
  const report = v.parse(v.pipe(v.string(), v.parseJson(), Report), result.value);
  expect(report.passes.length).toBeGreaterThan(10);
  return report.violations.map(({ id, nodes }) => ({
    id,
    where: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
}
