import { expect, test } from 'vitest';
import { plainWorld, shellCall } from '../../../test/support/rules/rules.ts';
import type { EventOf } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { createFacts } from '../facts.ts';
import { createSessionMemory } from './memory.ts';

function browser(tool: string, input: ToolCall['input'], sessionId = 's1'): EventOf<'before_tool'> {
  const name = `mcp__playwright__${tool}`;
  const event = shellCall('');
  return {
    ...event,
    sessionId,
    tool: {
      ...event.tool,
      name,
      nativeName: name,
      kind: 'mcp',
      mcp: { server: 'playwright', tool },
      command: null,
      input,
    },
  };
}

function startSession() {
  const memory = createSessionMemory();
  return {
    goTo: (url: string) => memory.pages.note(browser('browser_navigate', { url })),
    evaluates: (code: string) => memory.pages.note(browser('browser_evaluate', { function: code })),
    shows: (response: unknown) => {
      const event = browser('browser_snapshot', {});
      const tool = { ...event.tool, response, error: null, outcome: 'ok' as const, durationMs: null };
      memory.pages.note({ ...event, type: 'after_tool', tool });
    },
    isAsked: (element: string, sessionId?: string) =>
      createFacts(browser('browser_click', { element }, sessionId), plainWorld, memory)
        .effects()
        .some(({ tags }) => tags.includes('destructive')),
  };
}

test.each([
  'http://localhost:3000/settings',
  'http://127.0.0.1:8080/',
  'http://app.internal/',
  'https://staging.example.com/admin',
  'file:///home/dev/x.html',
])('does not ask on %s', (url) => {
  const { goTo, isAsked } = startSession();
  expect(isAsked('Delete this repository')).toBe(true);
  goTo(url);
  expect(isAsked('Delete this repository')).toBe(false);
  expect(isAsked('Delete this repository', 'other')).toBe(true);
});

test('the last page counts, whether a call opened it or the browser reported it', () => {
  const { goTo, shows, isAsked } = startSession();
  goTo('http://localhost:3000/');
  goTo('https://github.com/acme/shop/settings');
  expect(isAsked('Delete this repository')).toBe(true);
  shows([{ type: 'text', text: '### Page\n- Page URL: http://localhost:3000/x\n- Page Title: x' }]);
  expect(isAsked('Delete this repository')).toBe(false);
  shows('- Page URL: https://shop.example.com/x');
  expect(isAsked('Delete this repository')).toBe(true);
});

test('neither a page nor code for one can pass it off as a test page', () => {
  const { goTo, shows, evaluates, isAsked } = startSession();
  shows('- Page URL: https://github.com/acme/shop\n- text: "Page URL: http://localhost/"');
  expect(isAsked('Delete this repository')).toBe(true);
  evaluates("() => 'http://localhost:3000/'");
  expect(isAsked('Delete this repository')).toBe(true);
  goTo('http://localhost:3000/');
  shows('- Page URL: http://localhost:3000/\n- link "Source":\n  - /url: https://github.com/acme/shop');
  expect(isAsked('Delete this repository')).toBe(false);
  evaluates("() => { location.href = 'https://github.com/acme/shop/settings' }");
  expect(isAsked('Delete this repository')).toBe(true);
});
