import type { FileAppend } from '../../model/native.ts';
import type { HookResponse } from '../../model/responses.ts';
import { shellQuoted } from '../../platform/shell-words.ts';
import type { AnswerDraft } from './hook-answers.ts';

/** The lines that set a session's variables, for the file that a variable of the client names. */
export function sessionEnvLines(
  draft: AnswerDraft,
  response: HookResponse,
  { env, variable }: { readonly env: Readonly<Record<string, string>>; readonly variable: string },
): FileAppend[] {
  const variables = Object.entries(response.env ?? {});
  if (variables.length === 0) return [];
  const path = env[variable];
  if (!path) {
    draft.drop('env', `This call came without ${variable}.`);
    return [];
  }
  const [good, bad] = [variables.filter(isExportable), variables.filter((pair) => !isExportable(pair))];
  if (bad.length === 0) draft.deliver('env');
  else draft.drop('env', `Not exportable: ${bad.map(([name]) => JSON.stringify(name)).join(', ')}.`);
  if (good.length === 0) return [];
  // Begins on a line of its own, whatever another hook left at the end of the file.
  const text = good.map(([name, value]) => `\nexport ${name}=${shellQuoted(value)}`).join('');
  return [{ path, text: `${text}\n` }];
}

function isExportable([name, value]: readonly [string, unknown]): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof value === 'string' && !value.includes('\0');
}
