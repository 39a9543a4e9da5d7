import { expect, expectTypeOf, test } from 'vitest';
import { defineHook, deny, rewrite } from '../index.ts';

test("types the event by the hook's declaration", () => {
  const guard = defineHook({
    on: 'before_tool',
    tool: 'Bash',
    run(event) {
      expectTypeOf(event.tool.command).toEqualTypeOf<string>();
      expectTypeOf(event.tool.name).toEqualTypeOf<'Bash'>();
      expectTypeOf(event.tool.input.command).toEqualTypeOf<string | undefined>();
      return event.tool.command === '' ? deny('Nothing to do.') : undefined;
    },
  });
  expect(guard.tool).toBe('Bash');

  defineHook({
    on: ['stop', 'after_agent'],
    async run(event, { signal }) {
      expectTypeOf(event.stopHookActive).toEqualTypeOf<boolean>();
      expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    },
  });
  defineHook({ on: 'turn_start', run: (event) => rewrite({ prompt: event.prompt }) });
  // @ts-expect-error a turn's end has no prompt of its own
  defineHook({ on: 'stop', run: (event) => deny(event.prompt) });
  // @ts-expect-error there is no such event
  defineHook({ on: 'lunch', run: () => null });
});
