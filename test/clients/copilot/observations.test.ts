import copilot from '../../../src/agents/copilot/client.ts';
import { patchToEdit } from '../../../src/agents/kit/patch.ts';
import { tellsTheSame } from '../scenarios/observations.ts';

tellsTheSame(copilot, {
  read: (path) => ({ tool: 'view', input: { path } }),
  edit: (path, from, to) => ({
    tool: 'apply_patch',
    input: { patch: `${patchToEdit(path, `  ${from}`, `  ${to}`)}\n` },
  }),
});
