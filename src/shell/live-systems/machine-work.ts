import { entryOf } from '../../model/lookup.ts';
import type { Effect, SimpleCommand } from '../analysis.ts';

const STARTS =
  /(?:^| )(?:restart|start|stop|reload|try-restart|force-reload|graceful|enable|disable|mask|kill|update|delete|daemon-reload)(?: |$)/;

/** What they do to a machine, by the words that they are given. */
const WORK: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'systemctl service rc-service initctl supervisorctl pm2 monit apachectl sv launchctl pumactl svc'
      .split(' ')
      .map((name) => [name, STARTS]),
  ),
  git: /^(?:pull|reset|checkout|switch|merge|clean|rebase|restore|revert)(?: |$)/,
  kubectl: /^(?:apply|create|replace|patch|edit|scale|set|rollout (?:restart|undo)|annotate|label|cp)(?: |$)/,
  helm: /^(?:install|upgrade|rollback)(?: |$)/,
  'passenger-config': /^restart-app/,
  certbot: /^(?:renew|certonly|delete|revoke)?(?: |$)/,
};

const LOOKING =
  /^(?:ps|images|logs?|inspect|stats|top|version|info|events|port|diff|search|history|ls|list|config|df|ping|show|help|wait|attach|exec)$/;
const PACKAGE = /^(?:install|uninstall|upgrade|dist-upgrade|full-upgrade|autoremove|ci|sync)$/;
const NAMED = /(?:^|[_.-])(?:deploy|migrate|restart|release|rollback|upgrade)(?:[_.-]|$)/i;

/** Whether docker, or one of its kind, is told to do more than to look. */
export function changesContainers({ tool, sub }: SimpleCommand): boolean {
  const verb = sub.at(-1) ?? '';
  const isCompose = sub[0] === 'compose' || tool === 'docker-compose';
  if (sub[0] === 'context' || (isCompose && verb === 'compose')) return false;
  return sub.length > 0 && !LOOKING.test(verb);
}

/** What a command changes on the machine that it runs on, beyond files; null where it does not, or only looks. */
export function machineWork(command: SimpleCommand, own: readonly Effect[]): string | null {
  const { tool, name, sub, operands } = command;
  if (tool === null) return null;
  const words = [...sub, ...operands.map(({ template }) => template)].join(' ');
  if (entryOf(WORK, tool)?.test(words)) return tool;
  if (/^(?:docker|podman|nerdctl|docker-compose)$/.test(tool))
    return changesContainers(command) ? tool : null;
  if (tool === 'nginx' && command.options.some(({ name: option }) => option === '-s')) return tool;
  if (own.some((effect) => effect.kind === 'system' && effect.action === 'kill')) return tool;
  if (own.some((effect) => effect.kind === 'package' && PACKAGE.test(effect.action))) return 'packages';
  if (own.some((effect) => effect.kind === 'write' && /^(?:sed|perl)$/.test(tool))) return tool;
  const goals = tool === 'make' || tool === 'just' ? words.split(' ') : [];
  return [name ?? '', ...goals].some((one) => NAMED.test(one)) ? (name ?? tool) : null;
}
