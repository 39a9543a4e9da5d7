import { defineHook, deny } from 'hookline';

export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  name: 'no-price-change',
  timeoutMs: 60_000,
  run(event) {
    if (event.tool.command.includes('set-price')) return deny('Prices are changed in the back office.');
  },
});
