import { ok } from '../../../agents/setup/findings.ts';
import { ruleFindingsHere } from '../../rules/file-problems.ts';
import type { Check } from '../check.ts';
import { fileFindings, remarkFindings } from '../file-findings.ts';

/** Checks that every rule file is valid, also in this project, and has no likely typos. */
export const rules: Check = ({ paths }) => {
  const { problems, remarks } = ruleFindingsHere(paths);
  if (problems.length + remarks.length === 0) return [ok('rules', 'All rule files are valid.')];
  return [...fileFindings('rule', problems), ...remarkFindings(remarks)];
};
