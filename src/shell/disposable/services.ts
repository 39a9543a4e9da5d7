import type { SimpleCommand } from '../analysis.ts';
import { isHere, readUrl } from './addresses.ts';
import { localContext } from './containers.ts';
import { hostIn, ofService } from './environments.ts';
import {
  areHere,
  effectsOf,
  hasOption,
  type InLine,
  isKnown,
  like,
  operandsOf,
  optionOf,
  placeOfTool,
  valuesOf,
} from './line.ts';
import { isKept, isPassing } from './place-names.ts';
import { reaching } from './reach.ts';

/** Names of the local resources that are removed; null if they may be remote or have no name. */
type Names = readonly string[] | null;

/** Stands for resources that the line recreates. */
const MADE_AGAIN = ['tmp'];

/** True if a later command of the line recreates what this one deletes. */
function isMadeAgain({ line, index, command }: InLine, makes: (later: SimpleCommand) => boolean): boolean {
  return line.commands
    .slice(index + 1)
    .some(
      (later) => later.tool === command.tool && !later.inert && isSamePlace(later, command) && makes(later),
    );
}

function isSamePlace(one: SimpleCommand, other: SimpleCommand): boolean {
  return [['--context', '--kube-context'], ['--namespace']].every(
    (names) => optionOf(one, ...names) === optionOf(other, ...names),
  );
}

/** `kind delete cluster --name x`: a cluster in local containers. */
export function localCluster(given: InLine): Names {
  const { command } = given;
  if (!isKnown(command) || hasOption(command, '--all', '--purge') || command.sub.includes('clusters'))
    return null;
  const names = clusterNames(command);
  const isMade = (later: SimpleCommand) =>
    allWords(later).some((word) => /^(?:create|start)$/.test(word)) &&
    clusterNames(later).join() === names.join();
  return isMadeAgain(given, isMade) ? MADE_AGAIN : names;
}

function clusterNames(command: SimpleCommand): readonly string[] {
  const named = optionOf(command, '--name', '--profile', '-p') ?? null;
  const rest = command.tool === 'k3d' ? allWords(command).slice(2) : [];
  const names = named === null ? rest : [named, ...rest];
  return names.length > 0 ? names : [command.tool ?? ''];
}

/** Verbs and names in the order they are written. */
function allWords(command: SimpleCommand): readonly string[] {
  return [...command.sub, ...(operandsOf(command) ?? ['?'])];
}

/** Resources that a controller recreates, or that are defined in files and hold no data. */
const WITHOUT_DATA =
  /^(?:po|pods?|deploy|deployments?|rs|replicasets?|ds|daemonsets?|jobs?|cj|cronjobs?|cm|configmaps?|svc|services?|ing|ingress(?:es)?|hpa|ev|events?|ep|endpoints|networkpolic(?:y|ies)|netpol)(?:\.[\w.]+)?$/;
/** Resources without a namespace. */
const OF_THE_CLUSTER = /^(?:ns|namespaces?|project|projects)$/;

/** What `kubectl` and `helm` delete in a local cluster. */
export function inLocalCluster(given: InLine): Names {
  const { command } = given;
  const context = localContext(given);
  const operands = operandsOf(command);
  if (context === null || operands === null || !isKnown(command)) return null;
  if (isPassing(context)) return [context];
  const namespace = optionOf(command, '--namespace');
  if (placeOfTool(command)?.is === 'releases')
    return namespace == null ? releases(given, operands) : releases(given, operands, namespace);
  if (command.sub[0] !== 'delete') return null;
  const files = optionOf(command, '--filename', '--kustomize');
  if (files !== undefined) return isMadeAgain(given, (later) => appliesTo(later, files)) ? MADE_AGAIN : null;
  const things = thingsIn(operands);
  if (things === null) return null;
  const { kind, names } = things;
  if (OF_THE_CLUSTER.test(kind)) return names.length > 0 && !hasOption(command, '--all') ? names : null;
  if (kind.split(',').every((one) => WITHOUT_DATA.test(one))) return MADE_AGAIN;
  if (hasOption(command, '--all-namespaces')) return null;
  if (!isNamespaced(kind)) return null;
  return names.length > 0 && names.every(isPassing) ? names : namespace == null ? null : [namespace];
}

/** `pvc a b`, `pvc/a pvc/b`: a kind and names; null for several kinds with names. */
function thingsIn(operands: readonly string[]): { kind: string; names: readonly string[] } | null {
  const parts = operands.map((word) => word.split('/'));
  const [[kind = '', ...first] = [], ...rest] = parts;
  if (first.length === 0) return { kind, names: rest.flat() };
  if (!parts.every((part) => part.length === 2 && part[0] === kind)) return null;
  return { kind, names: parts.flatMap(([, name]) => name ?? []) };
}

const isNamespaced = (kind: string): boolean =>
  /^(?:all|pvc|persistentvolumeclaims?|sts|statefulsets?|secrets?)$/.test(kind);

function appliesTo(later: SimpleCommand, files: string | null): boolean {
  return (
    /^(?:apply|create)$/.test(later.sub[0] ?? '') && optionOf(later, '--filename', '--kustomize') === files
  );
}

function releases(given: InLine, operands: readonly string[], namespace = ''): Names {
  if (!/^(?:uninstall|delete|un|del)$/.test(given.command.sub[0] ?? '') || operands.length === 0) return null;
  if (isPassing(namespace)) return [namespace];
  const isMade = (later: SimpleCommand) =>
    /^(?:install|upgrade)$/.test(later.sub[0] ?? '') &&
    operands.every((name) => later.operands[0]?.text === name);
  return isMadeAgain(given, isMade) ? MADE_AGAIN : operands;
}

/** Resources that a request to this machine names in its path. */
export function requested(given: InLine): Names {
  const effects = effectsOf(given);
  const hosts = effects.flatMap((effect) => (effect.kind === 'network' ? [effect.host] : []));
  if (!hosts.every((host) => host !== null && isHere(host)) || hosts.length === 0) return null;
  if (!isKnown(given.command) || valuesOf(given.line, /^(?:all|https?)_proxy$/i).length > 0) return null;
  if (hasOption(given.command, '--config', '--unix-socket', '--location')) return null;
  const names = effects.flatMap((effect) =>
    effect.kind === 'resource' && effect.destructive ? pathNames(effect.target) : [],
  );
  const known = names.flatMap((name) => name ?? []);
  return known.length === names.length ? known : null;
}

/**
 * The first segment of a path that is a name, or a list of names, rather than a word of the service:
 * `/indexes/movies_test/documents`.
 */
function pathNames(url: string | null): readonly (string | null)[] {
  const path = /^(?:https?:\/\/)?[^/?#]+\/([\w./:,*-]+)(?:\?[\w=&.,-]*)?$/.exec(url ?? '')?.[1];
  // A path with `..` names something else than it seems to.
  if (path === undefined || path.includes('..')) return [null];
  const part = path.split('/').find((one) => one !== '' && !WORDS_OF_SERVICES.test(one));
  // After a whole word, the rest of the name may be a wildcard.
  return part?.split(',').map((name) => name.replace(/[-_]\*$/, '')) ?? [null];
}

const WORDS_OF_SERVICES =
  /^(?:_.*|v\d+|api|index(?:es)?|indices|collections?|databases?|db|buckets?|queues|topics|tables|solr|admin|data_stream)$/;

/** What a cloud client deletes behind a local address. */
export function localCloud(given: InLine): Names {
  const { command, line } = given;
  const { host = [], name = [], variables = {}, emulator } = placeOfTool(command) ?? {};
  const option = optionOf(command, ...host);
  const set = reaching(given, like(ofService(command, variables.host ?? [])));
  const addresses = option === undefined ? set : [option];
  if (addresses.length === 0 || !isKnown(command)) return null;
  if (option === undefined && valuesOf(line, like(variables.told)).length > 0) return null;
  const read = addresses.map((one) => (one === null ? null : readUrl(one)));
  if (!read.every((one) => one !== null && isHere(one.host))) return null;
  if (read.every((one) => emulator?.ports?.includes(one?.port ?? ''))) return MADE_AGAIN;
  const names = command.argv.flatMap(({ text, template }, at) => {
    if (name.includes(template)) return [command.argv[at + 1]?.text ?? '?'];
    return template.startsWith('s3://') ? [(text ?? '?').slice('s3://'.length).split('/')[0] ?? '?'] : [];
  });
  return names.length > 0 ? names : null;
}

/** Broker options that load settings, which may choose another host. */
const SETTINGS = ['--zookeeper', '--command-config', '--config', '-c', '-N'];

/** What is removed from a local queue or configuration store. */
export function fromBroker(given: InLine): Names {
  const { command } = given;
  const { told = [], on, name, operands: role } = placeOfTool(command) ?? {};
  const operands = operandsOf(command);
  if (operands === null || !isKnown(command)) return null;
  if (hasOption(command, ...SETTINGS, ...told) || !isBrokerHere(given)) return null;
  if (command.argv.some(({ template }) => isKept(template))) return null;
  // Excludes users and permissions, where `ci` is an account name.
  if (on !== undefined && !on.includes(command.sub[0] ?? '')) return null;
  if (name !== undefined)
    return command.options.flatMap((option) =>
      name.includes(option.name) ? [option.value?.text ?? '?'] : [],
    );
  return role === 'settings' ? operands.flatMap((word) => /^name=(.+)$/.exec(word)?.[1] ?? []) : operands;
}

/** True if options and variables say so, or without any, if the default is local. */
function isBrokerHere({ command, line }: InLine): boolean {
  const { host = [], variables = {}, unsaid } = placeOfTool(command) ?? {};
  const given = optionOf(command, ...host);
  if (given === undefined) return unsaid === 'here' && areHere(line, like(variables.host));
  return given?.split(',').every((one) => isHere(hostIn(one))) ?? false;
}

/** A local virtual machine. */
export function localMachine({ command }: InLine): Names {
  if (!isKnown(command) || hasOption(command, '--all')) return null;
  const profile = optionOf(command, '--profile', '-p');
  return profile == null ? allWords(command).slice(1) : [profile];
}
