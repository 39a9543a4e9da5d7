import { grantPreview } from '../../approvals/approval.ts';
import { fetchApprovals } from '../../client/approvals.ts';
import { connect } from '../../client/client.ts';
import { homePaths } from '../../home/paths.ts';
import { folded } from '../../terminal/fold.ts';
import { defineCommand, flag, unknownWord } from '../command.ts';
import { approvalLines } from '../output/approval-lines.ts';
import { paint } from '../output/paint.ts';
import { PARTS } from '../summaries.ts';

export default defineCommand({
  name: 'approvals',
  summary: "List pending approvals. Allow or deny one, or hand it back to the agent's own prompt.",
  words: `[${PARTS.approvals?.join('|')}]`,
  options: {
    json: flag('One JSON object per line.'),
    all: flag('Include recently answered approvals.'),
  },
  examples: [
    ['hookline approvals', 'pending approvals'],
    ['hookline approvals approve 3fa9', 'the start of an ID is enough; also for `deny` and `leave`'],
    ['hookline approvals --all --json', 'with who answered and when'],
  ],
  async run({ json, all }, [what]) {
    if (what !== undefined) throw unknownWord('approvals', what, PARTS.approvals ?? []);
    const client = await connect(homePaths());
    const { pending, recent } = client ? await fetchApprovals(client) : { pending: [], recent: [] };
    const shown = all ? [...recent].reverse() : pending;
    for (const approval of shown) {
      console.log(json ? JSON.stringify(approval) : approvalLines(approval).join('\n'));
      if (!json && approval.state === 'pending' && approval.tool !== null)
        console.log(paint.dim(folded(`  ${grantPreview(approval)}`, 2)));
    }
    if (shown.length === 0 && !json) {
      console.log(client ? 'No pending approvals.' : 'No pending approvals: the daemon is not running.');
    }
    return 0;
  },
});
