import type { Approval } from '../approvals/approval.ts';
import type { OpenHome } from '../home/open.ts';
import { CHANNEL_DOWN } from '../model/alert.ts';
import { messageOf } from '../model/errors.ts';
import type { AnswerChannel } from '../notify/channel.ts';
import { ntfyChannel } from '../notify/ntfy.ts';
import { recordRejections } from '../notify/rejected-answers.ts';
import { type RunningChannel, runChannel } from '../notify/run-channel.ts';
import { ntfyTopics, ntfyWarnings, readSecret } from '../notify/secrets.ts';
import type { Detail } from '../notify/settings.ts';
import { slackChannel } from '../notify/slack.ts';
import { telegramChannel } from '../notify/telegram.ts';
import { whoDecides } from '../platform/user-name.ts';
import { redact } from '../redact/redact.ts';
import { shownApproval } from './approval-view.ts';
import type { CallHandler } from './call-handler.ts';

/** The channels for answering remotely. */
interface Channels {
  readonly running: readonly RunningChannel[];
  close(): void;
}

interface Named {
  readonly name: string;
  readonly detail: Detail;
  open(): AnswerChannel;
}

/** Opens the channels named in the settings. One that fails raises an alert and doesn't affect the rest. */
export function openChannels(home: OpenHome, hub: CallHandler, link: () => string): Channels {
  const { queue, notifier } = hub.approvals;
  const running = channelsIn(home).flatMap((one) => start(one, home, hub, link) ?? []);
  if (running.length === 0) return { running, close: () => {} };
  // A call must not wait for this: while it is decided, only the pending approval is noted.
  const soon = (work: () => void) => setImmediate(() => carefully(work, home));
  const offer = (approval: Approval) => {
    if (approval.state === 'pending' && notifier.wantsApprovals())
      for (const channel of running) channel.offer(approval);
  };
  const endings = [
    queue.subscribe((approval) => {
      if (approval.state === 'pending') soon(() => offer(queue.find(approval.id) ?? approval));
      else
        soon(() => {
          for (const channel of running) channel.settled(approval);
        });
    }),
    // Away mode sends the approvals that are already pending.
    hub.away.subscribe(() =>
      soon(() => {
        for (const approval of queue.pending()) offer(approval);
      }),
    ),
    ...running.map((channel) => notifier.alsoTell(channel.tell)),
  ];
  return {
    running,
    close() {
      for (const end of endings) end();
      for (const channel of running) channel.close();
    },
  };
}

function carefully(work: () => void, { log }: OpenHome): void {
  try {
    work();
  } catch (error) {
    log('error', `a message was not delivered to a channel: ${messageOf(error)}`);
  }
}

function channelsIn({ config: { notify }, paths, log }: OpenHome): readonly Named[] {
  const { ntfy, telegram, slack } = notify;
  const secret = (one: Parameters<typeof readSecret>[0]) => readSecret(one, paths);
  return [
    ntfy && {
      name: 'ntfy',
      detail: ntfy.detail,
      open() {
        const topics = ntfyTopics(paths, ntfy);
        for (const { message, fix } of ntfyWarnings(ntfy)) log('warning', message, { fix });
        const [token, replyToken] = [ntfy.token, ntfy.replyToken].map((one) =>
          one === null ? null : secret(one),
        );
        return ntfyChannel({
          server: ntfy.server,
          topics,
          token: token ?? null,
          replyToken: replyToken ?? null,
        });
      },
    },
    telegram && {
      name: 'Telegram',
      detail: telegram.detail,
      open: () => telegramChannel({ ...telegram, token: secret(telegram.token) }),
    },
    slack && {
      name: 'Slack',
      detail: slack.detail,
      open: () =>
        slackChannel({ ...slack, appToken: secret(slack.appToken), botToken: secret(slack.botToken) }),
    },
  ].filter((one) => one !== null);
}

function start(
  { name, detail, open }: Named,
  home: OpenHome,
  hub: CallHandler,
  link: () => string,
): RunningChannel | null {
  const { alerts } = home;
  const code = `${CHANNEL_DOWN}${name.toLowerCase()}`;
  const raise = (why: string) =>
    alerts.raise({
      code,
      level: 'problem',
      message: `Answers over ${name} don't work: ${redact(why)}.`,
      fix: `Check \`notify.${name.toLowerCase()}\` in config.yaml and run \`hookline notify test\`. You can answer approvals here with \`hookline watch\`.`,
    });
  try {
    const failureAlert = createFailureAlert(raise, () => alerts.clear(code));
    return runChannel(open(), {
      detail,
      queue: hub.approvals.queue,
      shown: shownApproval,
      now: Date.now,
      link,
      person: whoDecides,
      refused: recordRejections(name, home, hub),
      ...failureAlert,
    });
  } catch (error) {
    raise(messageOf(error).replace(/\.$/, ''));
    return null;
  }
}

/** The third failure in a row is reported, because a connection may break at any time. */
const TOLD_AFTER = 3;

function createFailureAlert(raise: (why: string) => void, clear: () => void) {
  let failures = 0;
  return {
    failed(why: string): void {
      failures += 1;
      if (failures === TOLD_AFTER) raise(why);
    },
    worked(): void {
      if (failures >= TOLD_AFTER) clear();
      failures = 0;
    },
  };
}
