import { ok } from '../../../agents/kit/setup-findings.ts';
import { ruleProblemsHere } from '../../file-problems.ts';
import type { Check } from '../check.ts';
import { fileFindings } from '../file-findings.ts';

/** Every rule file can be read, those of this project too. */
export const rules: Check = ({ paths }) => {
  const problems = ruleProblemsHere(paths);
  if (problems.length === 0) return [ok('rules', 'Every rule file can be read.')];
  return fileFindings('rule', problems);
};
