import { statementDeed } from '../../doors/statement.ts';
import { isProduction, saysTest } from '../../doors/test-names.ts';
import { snake, type Text } from '../../doors/text-words.ts';
import { stopsAll } from '../../doors/zero.ts';
import type { ToolCall } from '../../model/tools.ts';

const SQL_KEY = /sql|^(?:query|queries|query_?string|statements?|ddl)$/i;
/** Changes that a command line could express, and that matter only because of their target. */
export function changesWith(tool: ToolCall, texts: readonly Text[]): 'destructive' | 'access' | null {
  if (stopsTool(tool, texts)) return 'destructive';
  const places = texts.filter(({ key }) => !SQL_KEY.test(key));
  const own = tool.mcp === null ? [] : [{ key: '', text: tool.mcp.server }];
  const isReal = isProduction([...places, ...own]);
  if (!isReal && saysTest([...places, ...own])) return null;
  const statements = texts.flatMap(({ key, text }) => (SQL_KEY.test(key) ? [text.slice(0, LONGEST)] : []));
  const deeds = statements.map((one) => statementDeed(one, isReal));
  return deeds.find((one) => one === 'access') ?? deeds.find((one) => one !== null) ?? null;
}

const LONGEST = 16 * 1024;

/** True if the tool stops a whole service that is not for tests. */
function stopsTool({ mcp, nativeName, input }: ToolCall, texts: readonly Text[]): boolean {
  return stopsAll(snake(mcp?.tool ?? nativeName), input) && !saysTest(texts);
}
