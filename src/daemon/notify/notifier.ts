import type { Approval } from '../../approvals/approval.ts';
import type { Config } from '../../home/config.ts';
import { messageOf } from '../../model/errors.ts';
import type { StoredEvent } from '../../store/stored-event.ts';
import { approvalNotice, eventNotice, isQuiet, type Notice } from './notice.ts';
import { type Channel, desktopChannel, terminalChannel, webhookChannel } from './send.ts';

export interface Notifier {
  /** Whether there is any channel at all. */
  readonly reaches: boolean;
  approval(approval: Approval): void;
  event(event: StoredEvent): void;
}

interface NotifierParts {
  readonly channels: readonly Channel[];
  readonly on: readonly string[];
  readonly quiet: string | null;
  /** Applied to what is sent. */
  readonly redact: (text: string) => string;
  readonly now: () => Date;
  failed(message: string): void;
}

/** Notifies users of what they asked for, on every channel they have, and never delays a call. */
export function createNotifier({ channels, on, quiet, redact, now, failed }: NotifierParts): Notifier {
  function send(notice: Notice | null): void {
    if (!notice || !on.includes(notice.occasion)) return;
    if (quiet !== null && isQuiet(quiet, now())) return;
    const safe = { ...notice, title: redact(notice.title), text: redact(notice.text) };
    for (const channel of channels) {
      channel(safe).catch((error: unknown) => failed(messageOf(error)));
    }
  }
  return {
    reaches: channels.length > 0,
    approval: (approval) => send(approvalNotice(approval)),
    event: (event) => send(eventNotice(event)),
  };
}

/** The channels that the settings name. */
export function channelsOf({ desktop, webhook, sound, terminal }: Config['notify']): readonly Channel[] {
  const channels: (Channel | null)[] = [
    desktop ? desktopChannel(process.platform, sound) : null,
    terminal && process.stdout.isTTY ? terminalChannel((text) => process.stdout.write(text), sound) : null,
    webhook === null ? null : webhookChannel(webhook),
  ];
  return channels.filter((channel) => channel !== null);
}
