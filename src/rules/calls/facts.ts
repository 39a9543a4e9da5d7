import type { Page } from '../../doors/clicks.ts';
import { snake, type Text, textsIn } from '../../doors/text-words.ts';
import type { ToolCall } from '../../model/tools.ts';
import { type DerivedFile, filesIn, URL_KEY } from './call-files.ts';
import { additionalChange, type Change, changeIn } from './changes.ts';
import { linesIn } from './lines.ts';
import { secretSearchIn } from './secret-searches.ts';
import { sendsFromPage } from './sends.ts';

/** What the arguments of an undescribed tool mean: an MCP tool, a search, a fetch. */
export interface CallFacts {
  /** Command lines that the tool runs, here or elsewhere. */
  readonly commands: readonly string[];
  readonly files: readonly DerivedFile[];
  readonly addresses: readonly { readonly host: string; readonly url: string }[];
  /** What it changes at a service; null if harmless. */
  readonly change: Change | null;
  /** The directory that it searches for credentials; null if it does not. */
  readonly secretSearch: string | null;
  /** True for code that sends the user's data from a web page to another host. */
  readonly sendsFromPage: boolean;
  /** The page that the session's browser shows. */
  readonly page: Page;
}

const NOTHING: CallFacts = {
  commands: [],
  files: [],
  addresses: [],
  change: null,
  secretSearch: null,
  sendsFromPage: false,
  page: 'unknown',
};

/** Longer than any client allows. */
const LONGEST_NAME = 256;

/**
 * Derived from argument names and the verb in the tool's name: good enough to deny or ask, never to allow. `page` is
 * what the session's browser shows.
 */
export function callFacts(tool: ToolCall, page: () => Page): CallFacts {
  const isCell = tool.name === 'NotebookEdit';
  // A described tool needs no guess. If its arguments could not be parsed, their names still count.
  const isDescribed = tool.command !== null || (tool.kind === 'write' && tool.files.length > 0 && !isCell);
  if (isDescribed || tool.kind === 'question') return NOTHING;
  const verb = snake((tool.mcp?.tool ?? tool.nativeName).slice(0, LONGEST_NAME));
  const texts = textsIn(tool.input);
  const commands = linesIn(tool, verb, texts);
  if (isCell) return { ...NOTHING, commands };
  const files = filesIn(tool, verb, texts);
  const change = () =>
    changeIn(
      tool,
      verb,
      texts,
      files.some(({ access }) => access === 'delete'),
      page,
    );
  return {
    commands,
    files,
    addresses: addressesIn(tool, texts),
    secretSearch: secretSearchIn(tool, verb, texts),
    sendsFromPage: sendsFromPage(tool, verb, texts),
    page: page(),
    // A command line says more than argument names.
    change:
      tool.kind === 'mcp'
        ? ((commands.length > 0 ? null : change()) ?? additionalChange(tool, verb, texts))
        : null,
  };
}

function addressesIn(tool: ToolCall, texts: readonly Text[]): CallFacts['addresses'] {
  const named = texts.flatMap(({ key, text }) => (URL_KEY.test(key) ? [text] : []));
  // Some fetch tools accept addresses inside a sentence.
  const isSentence = tool.kind === 'network' && named.length === 0;
  const urls = isSentence ? texts.flatMap(({ text }) => text.match(/https?:\/\/[^\s"'<>)]+/gi) ?? []) : named;
  return urls.flatMap((url) => {
    const host = URL.canParse(url) ? new URL(url).hostname : '';
    return host === '' ? [] : [{ host, url }];
  });
}
