import { type EventType, type HookEvent, isToolEvent, projectFolderOf, typesNamed } from '../model/events.ts';

/** Conditions for asking a hook, in our own terms. */
export interface When {
  readonly on: ReadonlySet<EventType>;
  /** Canonical or native names; null for every tool, and for events without a tool. */
  readonly tools: ReadonlySet<string> | null;
  readonly agents: ReadonlySet<string> | null;
  /** Only for events of this project. */
  readonly project: string | null;
}

export function listOf(value: string | readonly string[] | undefined): readonly string[] | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? [value] : value;
}

/** The event types for names and groups, or the first unknown name. */
export function eventTypes(
  names: readonly string[],
): { types: ReadonlySet<EventType> } | { unknown: string } {
  const types = new Set<EventType>();
  for (const name of names) {
    const found = typesNamed(name);
    if (!found) return { unknown: name };
    for (const one of found) types.add(one);
  }
  return { types };
}

export function concerns(when: When, event: HookEvent): boolean {
  if (!when.on.has(event.type)) return false;
  if (when.agents && !when.agents.has(event.source)) return false;
  if (when.project !== null && !isIn(event, when.project)) return false;
  if (!when.tools) return true;
  return isToolEvent(event) && (when.tools.has(event.tool.name) || when.tools.has(event.tool.nativeName));
}

/** True if an event is in a project or a directory within it. */
export function isIn(event: HookEvent, project: string): boolean {
  return (
    projectFolderOf(event) === project || event.cwd === project || (event.cwd ?? '').startsWith(`${project}/`)
  );
}
