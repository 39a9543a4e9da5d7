import { ok } from '../../../agents/setup/findings.ts';
import { ruleFindingsHere } from '../../rules/file-problems.ts';
import type { Check } from '../check.ts';
import { fileFindings, remarkFindings } from '../file-findings.ts';

/** Every rule file can be read, those of this project too, and nothing in it looks like a slip. */
export const rules: Check = ({ paths }) => {
  const { problems, remarks } = ruleFindingsHere(paths);
  if (problems.length + remarks.length === 0) return [ok('rules', 'All rule files are valid.')];
  return [...fileFindings('rule', problems), ...remarkFindings(remarks)];
};
