import { defineHook, deny } from 'hookline';

// A second deploy in a session is usually an agent that retries: the first one should be checked instead.
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
