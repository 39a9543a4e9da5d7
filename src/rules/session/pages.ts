import type { Page } from '../../doors/clicks.ts';
import { isTestHost } from '../../doors/test-names.ts';
import { IN_A_PAGE } from '../../doors/text-words.ts';
import { type HookEvent, isToolEvent, sessionKey } from '../../model/events.ts';
import type { ToolCall } from '../../model/tools.ts';
import { BoundedMap } from '../../platform/bounded.ts';
import { isOnOwnNetwork } from '../hosts/nearby.ts';

/** Which page the browser of a session shows: its host, as far as a call has led there or told it. */
export interface SessionPages {
  note(event: HookEvent): void;
  of(event: HookEvent): Page;
}

const REMEMBERED_SESSIONS = 500;
const LEADS =
  /navigate|goto|visit|open|new_?(?:page|tab)|browse|connect|load|launch|evaluate|run_?code|script|act$/i;
const ADDRESS = /\b(?:https?:\/\/|file:\/\/\/?)[^\s"'`<>)]{1,300}/gi;
/** How servers tell where they are: `Page URL: https://…`. */
const TOLD = /\b(?:page )?url"?\s*[:=]\s*"?((?:https?:\/\/|file:\/\/\/?)[^\s"'<>)\\]{1,300})/gi;
const LONGEST = 64 * 1024;

export function createSessionPages(): SessionPages {
  const pages = new BoundedMap<string, Page>(REMEMBERED_SESSIONS);
  return {
    note(event) {
      if (!isToolEvent(event) || !isBrowser(event.tool)) return;
      const { tool } = event;
      const url = event.type === 'after_tool' ? toldIn(event.tool.response) : ledTo(tool);
      if (url !== undefined) pages.set(sessionKey(event), pageAt(url));
    },
    of: (event) => pages.get(sessionKey(event)) ?? 'unknown',
  };
}

function isBrowser({ mcp, nativeName }: ToolCall): boolean {
  return IN_A_PAGE.test(`${mcp?.server ?? ''} ${mcp?.tool ?? nativeName}`);
}

function ledTo({ mcp, nativeName, input }: ToolCall): string | undefined {
  if (!LEADS.test(mcp?.tool ?? nativeName)) return undefined;
  return JSON.stringify(input).slice(0, LONGEST).match(ADDRESS)?.at(-1);
}

function toldIn(response: unknown): string | undefined {
  const text = typeof response === 'string' ? response : (JSON.stringify(response) ?? '');
  return [...text.slice(0, LONGEST).matchAll(TOLD)].at(-1)?.[1];
}

/** What is on this machine, or by its name for trials, nobody relies on. */
function pageAt(url: string): Page {
  if (/^file:/i.test(url)) return 'trial';
  if (!URL.canParse(url)) return 'unknown';
  const { hostname } = new URL(url);
  return isOnOwnNetwork(hostname) || isTestHost(hostname) ? 'trial' : 'real';
}
