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

/** Contexts of other files may be called the same. */
const LOCAL_SETTINGS = /(?:^|[/._-])(?:kind|k3d|minikube|tmp|test|e2e|ci|local)(?:$|[/._-])/;

/** The context of a cluster on this machine; null for another one, and where it is not said which. */
export function localContext({ command, line }: InLine): string | null {
  if (hasOption(command, '--server', '--cluster', '--kube-apiserver')) return null;
  const file = optionOf(command, '--kubeconfig');
  const files = [...valuesOf(line, /^KUBECONFIG$/), ...(file === undefined ? [] : [file])];
  if (!files.every((one) => one !== null && LOCAL_SETTINGS.test(one) && !isKept(one))) return null;
  const context = optionOf(command, '--context', '--kube-context') ?? null;
  return context !== null && isContext('here-cluster', context) ? context : null;
}

/** What a program works in that runs in a container: whether that is on this machine, and gone with what is in it. */
export function containerIs(container: InLine): 'elsewhere' | 'here' | 'passing' {
  const { command } = container;
  if (isCluster(command)) {
    const context = localContext(container);
    if (context === null) return 'elsewhere';
    return [context, optionOf(command, '--namespace') ?? ''].some(isPassing) ? 'passing' : 'here';
  }
  // A file of variables may say where its database is.
  const settings = optionOf(command, '--env-file');
  if (!isLocalEngine(container) || (settings !== undefined && !isPassing(settings ?? ''))) return 'elsewhere';
  const [name] = operandsOf(command) ?? [];
  const project = projectOf(container);
  if (project?.every(isPassing)) return 'passing';
  // A new one has no data yet: what is in reach is what others have.
  if (command.sub.at(-1) === 'run') return isSealed(command) ? 'here' : 'elsewhere';
  return name !== undefined && (isPassing(name) || isStartedHere(container, name)) ? 'passing' : 'here';
}

/** Where `localhost` may be another one. */
function isSealed(command: SimpleCommand): boolean {
  const network = optionOf(command, '--network', '--net');
  return (
    !hasOption(command, '--link', '--add-host', '--dns') &&
    (network === undefined || (network !== null && !network.startsWith('container:')))
  );
}

const KEEPS = ['--volume', '--mount', '--volumes-from', '-v'];

/** A container that the line itself has started, without a place where it would keep anything. */
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

/** Images of databases, and no other program in them: `alpine/socat` may lead anywhere. */
const servers = once(() => new RegExp(`^(?:[\\w.-]+/)*${anyServiceBy('images')}(?:[:@][\\w.:-]+)?$`));

function isServer({ operands }: SimpleCommand): boolean {
  const [image, first] = operands.map(({ text }) => text ?? '?');
  return servers().test(image ?? '') && (first === undefined || /^-|^[\w-]+(?:-server|d)$/.test(first));
}

/** The port of a database that the line itself has started. */
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

/** What a project of Docker Compose is called, by its name or by its files; null where only its folder says it. */
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
  // The last file may add to the first: then it is another project only by its name.
  return texts.length === 1 && last !== undefined ? [last] : null;
}

/** The volumes, containers or images that a command of Docker takes away; null where that cannot be said. */
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

/** `--filter label=x=shop_test`: what has to be true of each thing that it finds; null where nothing has. */
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

/** Stands for what has ended, whatever it is called. */
const ENDED = 'tmp';

function isLeftOver(key: string, value: string): boolean {
  if (key === 'dangling') return /^(?:true|1)$/.test(value);
  return key === 'status' && /^(?:exited|created|dead)$/.test(value);
}

/** Programs that choose lines, or a part of each. */
const SIEVES = /^(?:grep|egrep|awk|cut|head|tail|sort|uniq|tr|xargs)$/;

/** `docker rm $(docker ps -aq --filter status=exited)`, and the same with xargs. */
function removedByList({ command, index, line }: InLine): readonly string[] | null {
  // The volumes of a container that has ended are not.
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
