import { IN_A_BROWSER, type Page } from '../../doors/clicks.ts';
import { isTestHost } from '../../doors/test-names.ts';
import { type HookEvent, isToolEvent, sessionKey } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import { isOnOwnNetwork } from '../hosts/nearby.ts';

/**
 * The host of the page in a session's browser, as far as a call opened or reported it. Pages and agents control most of
 * what is read here, so if addresses differ, the non-test one counts.
 */
export interface SessionPages {
  note(event: HookEvent): void;
  of(event: HookEvent): Page;
}

const REMEMBERED_SESSIONS = 500;
const LEADS = /navigate|goto|visit|open|new_?(?:page|tab)|browse(?!r)|connect|(?<!up|down)load|launch/i;
/** Page code and instructions in prose: both may open a page, or only mention an address. */
const MAY_LEAD = /evaluate|run_?code|script|act$/i;
const ADDRESS = /\b(?:https?:\/\/|file:\/\/\/?)[^\s"'`<>)]{1,300}/gi;
/** How servers report their page: `Page URL: https://…`. A link on a page is `/url: https://…`. */
const TOLD = /(?<![/\w])(?:page )?url"?\s*[:=]\s*"?((?:https?:\/\/|file:\/\/\/?)[^\s"'<>)\\]{1,300})/gi;
const LONGEST = 1 << 20;

export function createSessionPages(): SessionPages {
  const pages = new BoundedMap<string, Page>(REMEMBERED_SESSIONS);
  return {
    note(event) {
      if (!isToolEvent(event) || !isBrowser(event.tool)) return;
      const page = event.type === 'after_tool' ? pageTold(event.tool.response) : pageLedTo(event.tool);
      if (page !== null) pages.set(sessionKey(event), page);
    },
    of: (event) => pages.get(sessionKey(event)) ?? 'unknown',
  };
}

function isBrowser({ mcp, nativeName }: ToolCall): boolean {
  return IN_A_BROWSER.test(`${mcp?.server ?? ''} ${mcp?.tool ?? nativeName}`);
}

function pageLedTo({ mcp, nativeName, input }: ToolCall): Page | null {
  const name = mcp?.tool ?? nativeName;
  const leads = LEADS.test(name);
  if (!leads && !MAY_LEAD.test(name)) return null;
  const page = pageAmong(JSON.stringify(input), ADDRESS);
  return leads || page === 'real' ? page : null;
}

function pageTold(response: unknown): Page | null {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
  return pageAmong(text, TOLD);
}

/** Null without an address. */
function pageAmong(text: string, address: RegExp): Page | null {
  const found = [...text.slice(0, LONGEST).matchAll(address)].map(([whole, told = whole]) => pageAt(told));
  if (found.includes('real')) return 'real';
  return found.length > 0 && (found.includes('unknown') || text.length > LONGEST)
    ? 'unknown'
    : (found[0] ?? null);
}

/** Local pages and those with a test name are for tests. */
function pageAt(url: string): Page {
  if (/^file:/i.test(url)) return 'trial';
  if (!URL.canParse(url)) return 'unknown';
  const { hostname } = new URL(url);
  return isOnOwnNetwork(hostname) || isTestHost(hostname) ? 'trial' : 'real';
}
