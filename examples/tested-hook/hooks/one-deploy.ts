import { defineHook, deny } from 'hookline';

// A second deploy of the same session is most often an agent that tries its luck: somebody should look at the first.
export default defineHook({
  on: 'before_tool',
  tool: 'Bash',
  run(event, { session }) {
    if (!/\bdeploy\.sh\b/.test(event.tool.command)) return;
    if (session.state.deployed)
      return deny('This session has deployed already. Look at what came of it first.');
    session.state.deployed = true;
  },
});
