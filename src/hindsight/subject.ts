import { type HookEvent, isToolEvent } from '../model/events.ts';

/** What an event was about, in the words of the call. */
export function subjectOf(event: HookEvent): string {
  if (!isToolEvent(event)) return 'prompt' in event && event.prompt ? event.prompt : event.type;
  const { name, command, files } = event.tool;
  return command ?? [name, ...files.map(({ path }) => path)].join(' ');
}
