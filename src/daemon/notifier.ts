import type { Approval } from '../approvals/approval.ts';
import type { Config } from '../home/config.ts';
import { messageOf } from '../model/errors.ts';
import type { EventType } from '../model/events.ts';
import { approvalNotice, eventNotice, type Notice, occasionOf } from '../notify/notice.ts';
import { type Channel, desktopChannel, terminalChannel, webhookChannel } from '../notify/send.ts';
import type { StoredEvent } from '../store/read/stored-event.ts';

export interface Notifier {
  /** True if an event of this type, or of any, may send a notification. */
  wants(type: EventType | undefined): boolean;
  /** True if users want notifications for approvals now. */
  wantsApprovals(): boolean;
  approval(approval: Approval): void;
  event(event: StoredEvent): void;
  /** Sends events to this channel too; approvals go another way. Returns the function that stops it. */
  alsoTell(channel: Channel): () => void;
}

interface NotifierParts {
  readonly channels: readonly Channel[];
  readonly on: readonly string[];
  /** True in quiet hours. */
  readonly isQuiet: () => boolean;
  /** In away mode approvals are always sent, whatever the settings say. */
  readonly isAway: () => boolean;
  /** Applied to everything sent. */
  readonly redact: (text: string) => string;
  failed(message: string): void;
}

/** Sends notifications on every configured channel, and never delays a call. */
export function createNotifier(parts: NotifierParts): Notifier {
  const { channels, on, isQuiet, isAway, redact, failed } = parts;
  const others = new Set<Channel>();
  const isWanted = (occasion: Notice['occasion']) =>
    isAway() ? occasion === 'approval' || on.includes(occasion) : on.includes(occasion) && !isQuiet();
  function send(notice: Notice | null, to: readonly Channel[]): void {
    if (!notice || !isWanted(notice.occasion)) return;
    const safe = { ...notice, title: redact(notice.title), text: redact(notice.text) };
    for (const channel of to) {
      channel(safe).catch((error: unknown) => failed(messageOf(error)));
    }
  }
  return {
    wants(type) {
      if (channels.length + others.size === 0) return false;
      return type === undefined || on.some((occasion) => occasionOf(type) === occasion);
    },
    wantsApprovals: () => isWanted('approval'),
    approval: (approval) => send(approvalNotice(approval), channels),
    event: (event) => send(eventNotice(event), [...channels, ...others]),
    alsoTell(channel) {
      others.add(channel);
      return () => others.delete(channel);
    },
  };
}

/** The channels named in the settings. */
export function channelsOf({ desktop, webhook, sound, terminal }: Config['notify']): readonly Channel[] {
  const channels: (Channel | null)[] = [
    desktop ? desktopChannel(process.platform, sound) : null,
    terminal && process.stdout.isTTY ? terminalChannel((text) => process.stdout.write(text), sound) : null,
    webhook === null ? null : webhookChannel(webhook),
  ];
  return channels.filter((channel) => channel !== null);
}
