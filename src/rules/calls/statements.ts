import { statementDeed } from '../../doors/statement.ts';
import { isProduction, saysTest } from '../../doors/test-names.ts';
import { snake, type Text } from '../../doors/text-words.ts';
import { stopsAll } from '../../doors/zero.ts';
import type { ToolCall } from '../../model/tools.ts';

const SQL_KEY = /sql|^(?:query|queries|query_?string|statements?|ddl)$/i;
/** What a call changes that a command line says, and that is ordinary but for where or to whom it happens. */
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

/** None of it runs any more, where it is not there to be tried out. */
function stopsTool({ mcp, nativeName, input }: ToolCall, texts: readonly Text[]): boolean {
  return stopsAll(snake(mcp?.tool ?? nativeName), input) && !saysTest(texts);
}
