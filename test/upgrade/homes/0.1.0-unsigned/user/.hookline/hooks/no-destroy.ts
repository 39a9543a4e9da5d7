import { defineHook, deny } from 'hookline';

export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  name: 'no-destroy',
  timeoutMs: 60_000,
  run(event) {
    if (event.tool.command.includes('terraform destroy')) return deny('Infrastructure is torn down by hand.');
  },
});
