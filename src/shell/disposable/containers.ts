import { anyServiceBy } from '../../knowledge/load.ts';
import { once } from '../../platform/bounded.ts';
import type { SimpleCommand, Word } from '../analysis.ts';
import { isFed } from '../traits/feeders.ts';
import { isHere, readUrl } from './addresses.ts';
import {
  hasOption,
  type InLine,
  isCluster,
  isKnown,
  like,
  operandsOf,
  optionOf,
  placeOfTool,
  valuesOf,
} from './line.ts';
import { isContext, isKept, isPassing } from './place-names.ts';
import { reaching } from './reach.ts';

function isLocalEngine({ command, line }: InLine): boolean {
  const context = optionOf(command, '--context');
  const { variables = {} } = placeOfTool(command) ?? {};
  const hosts = valuesOf(line, like(variables.host));
  const contexts = [...valuesOf(line, like(variables.name)), ...(context === undefined ? [] : [context])];
  return (
    !isToldElsewhere(command) &&
    valuesOf(line, like(variables.told)).length === 0 &&
    hosts.every(
      (host) => host !== null && (host.startsWith('unix://') || isHere(readUrl(host)?.host ?? '?')),
    ) &&
    contexts.every((one) => one !== null && isContext('here-engine', one))
  );
}

function isToldElsewhere(command: SimpleCommand): boolean {
  return hasOption(command, ...(placeOfTool(command)?.told ?? []));
}

/** Contexts from other files may reuse the same names. */
const LOCAL_SETTINGS = /(?:^|[/._-])(?:kind|k3d|minikube|tmp|test|e2e|ci|local)(?:$|[/._-])/;

/** The local cluster context of a command; null if it is remote or unnamed. */
export function localContext({ command, line }: InLine): string | null {
  if (hasOption(command, '--server', '--cluster', '--kube-apiserver')) return null;
  const file = optionOf(command, '--kubeconfig');
  const files = [...valuesOf(line, /^KUBECONFIG$/), ...(file === undefined ? [] : [file])];
  if (!files.every((one) => one !== null && LOCAL_SETTINGS.test(one) && !isKept(one))) return null;
  const context = optionOf(command, '--context', '--kube-context') ?? null;
  return context !== null && isContext('here-cluster', context) ? context : null;
}

/** Whether the container that runs a program is on this machine, and whether its data is disposable. */
export function containerIs(container: InLine): 'elsewhere' | 'here' | 'passing' {
  const { command } = container;
  if (isCluster(command)) {
    const context = localContext(container);
    if (context === null) return 'elsewhere';
    return [context, optionOf(command, '--namespace') ?? ''].some(isPassing) ? 'passing' : 'here';
  }
  // An environment file may name the database.
  const settings = optionOf(command, '--env-file');
  if (!isLocalEngine(container) || (settings !== undefined && !isPassing(settings ?? ''))) return 'elsewhere';
  const [name] = operandsOf(command) ?? [];
  const project = projectOf(container);
  if (project?.every(isPassing)) return 'passing';
  // A new container has no data yet, so only data outside it is at risk.
  if (command.sub.at(-1) === 'run') return isSealed(command) ? 'here' : 'elsewhere';
  return name !== undefined && (isPassing(name) || isStartedHere(container, name)) ? 'passing' : 'here';
}

/** True if `localhost` inside the container is only the container itself. */
function isSealed(command: SimpleCommand): boolean {
  const network = optionOf(command, '--network', '--net');
  return (
    !hasOption(command, '--link', '--add-host', '--dns') &&
    (network === undefined || (network !== null && !network.startsWith('container:')))
  );
}

const KEEPS = ['--volume', '--mount', '--volumes-from', '-v'];

/** True if the line itself started the container, without a volume. */
function isStartedHere({ line, index }: InLine, name: string): boolean {
  return line.commands
    .slice(0, index)
    .some(
      (command) =>
        command.tool === 'docker' &&
        command.sub.at(-1) === 'run' &&
        optionOf(command, '--name') === name &&
        !hasOption(command, ...KEEPS),
    );
}

/** Images that contain only a database. Others, such as `alpine/socat`, may forward anywhere. */
const servers = once(() => new RegExp(`^(?:[\\w.-]+/)*${anyServiceBy('images')}(?:[:@][\\w.:-]+)?$`));

function isServer({ operands }: SimpleCommand): boolean {
  const [image, first] = operands.map(({ text }) => text ?? '?');
  return servers().test(image ?? '') && (first === undefined || /^-|^[\w-]+(?:-server|d)$/.test(first));
}

/** The port of a database that the line itself started. */
export function isStartedPort({ line, index }: InLine, port: string | null): boolean {
  return line.commands.slice(0, index).some((command) => {
    const published = optionOf(command, '--publish')?.split(':').at(-2);
    return (
      command.tool === 'docker' &&
      command.sub.at(-1) === 'run' &&
      !isToldElsewhere(command) &&
      !hasOption(command, ...KEEPS, '--context') &&
      isServer(command) &&
      port !== null &&
      published === port
    );
  });
}

/** Project name of Docker Compose, by option or files; null if only the directory gives it. */
function projectOf(given: InLine): readonly string[] | null {
  const { command, line } = given;
  if (command.sub[0] !== 'compose' && command.tool !== 'docker-compose') return null;
  const files = command.options.filter(({ name: option }) => option === '--file');
  const texts = files.flatMap(({ value }) => value?.text ?? []);
  const set = valuesOf(line, /^COMPOSE_(?:FILE|PROJECT_NAME)$/);
  const folder = optionOf(command, '--project-directory');
  if (
    [...texts, ...set, ...(folder === undefined ? [] : [folder])].some((one) => one === null || isKept(one))
  )
    return null;
  const name = optionOf(command, '--project-name') ?? reaching(given, /^COMPOSE_PROJECT_NAME$/).at(-1);
  if (name != null) return [name];
  const last = texts.at(-1);
  // With several files, a later one may extend the first, so only a project name identifies the project.
  return texts.length === 1 && last !== undefined ? [last] : null;
}

/** The volumes, containers or images that a Docker command removes; null if unknown. */
export function removedByDocker(given: InLine): readonly string[] | null {
  const { command } = given;
  if (!isLocalEngine(given)) return null;
  if (command.sub[0] === 'compose' || command.tool === 'docker-compose') return projectOf(given);
  const [group = '', verb = group] = command.sub;
  if (group === 'volume' && verb === 'rm')
    return isKnown(command) && !hasOption(command, '--all', '-a') ? operandsOf(command) : null;
  if (group === 'volume' && verb === 'prune') return hasOption(command, '--all') ? null : filteredBy(command);
  return /^(?:rm|rmi)$/.test(verb) ? removedByList(given) : null;
}

/** `--filter label=x=shop_test`: filters that all removed resources match; null without any. */
function filteredBy(command: SimpleCommand): readonly string[] | null {
  const filters = new Map<string, string[]>();
  for (const { name, value } of command.options) {
    if (name !== '--filter' && name !== '-f') continue;
    const [, key, of] = /^(name|label|status|dangling)=(?:.*=)?(.+)$/.exec(value?.text ?? '') ?? [];
    if (key !== undefined && of !== undefined) filters.set(key, [...(filters.get(key) ?? []), of]);
  }
  for (const [key, values] of filters) {
    if (values.every((value) => isLeftOver(key, value))) return [ENDED];
    if (/^(?:name|label)$/.test(key) && values.every((value) => isPassing(value.replace(/^[\^/]+|\$$/g, ''))))
      return values;
  }
  return null;
}

/** Stands for stopped containers, which count as disposable. */
const ENDED = 'tmp';

function isLeftOver(key: string, value: string): boolean {
  if (key === 'dangling') return /^(?:true|1)$/.test(value);
  return key === 'status' && /^(?:exited|created|dead)$/.test(value);
}

/** Programs that select lines or parts of lines. */
const SIEVES = /^(?:grep|egrep|awk|cut|head|tail|sort|uniq|tr|xargs)$/;

/** `docker rm $(docker ps -aq --filter status=exited)`, and the same with xargs. */
function removedByList({ command, index, line }: InLine): readonly string[] | null {
  // The volumes of a stopped container are not disposable.
  if (hasOption(command, '--volumes', '-v')) return null;
  const unknown = command.operands.filter(({ text }) => text === null);
  if (unknown.length === 0 || unknown.length < command.operands.length) return null;
  const sources = unknown.flatMap((word) => sourcesOf(word, { command, index, line }));
  const commands = sources.flatMap((at) => line.commands[at] ?? []);
  const lists = commands.filter(({ tool }) => !SIEVES.test(tool ?? ''));
  const [list] = lists;
  if (list === undefined || lists.length > 1 || list.tool !== command.tool || !isListing(list)) return null;
  if (isToldElsewhere(list) || hasOption(list, '--context')) return null;
  return filteredBy(list) ?? keptBy(commands);
}

function sourcesOf(word: Word, { command, index, line }: InLine): readonly number[] {
  if (word.sources !== undefined) return word.sources;
  const feeder = line.commands.findLast(
    ({ tool, span }, at) => at < index && isFed([tool ?? '']) && span.start === command.span.start,
  );
  return feeder?.stdin.sources ?? [];
}

function isListing({ sub }: SimpleCommand): boolean {
  return /^(?:ps|ls|list|images)$/.test(sub.at(-1) ?? '');
}

/** `docker ps -a | grep Exited`. */
function keptBy(commands: readonly SimpleCommand[]): readonly string[] | null {
  const kept = commands.some(
    (one) =>
      /^e?grep$/.test(one.tool ?? '') &&
      one.options.every(({ name }) =>
        /^-[iwEF]$|^--(?:ignore-case|word-regexp|extended-regexp)$/.test(name),
      ) &&
      one.operands.length === 1 &&
      /^(?:Exited|Dead|Created)(?: [\w\\()[\] ]*)?$|^<none>$/i.test(one.operands[0]?.text ?? ''),
  );
  return kept ? [ENDED] : null;
}
