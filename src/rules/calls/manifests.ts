import { snake } from '../../doors/text-words.ts';
import type { ToolCall } from '../../model/tools.ts';
import { containerLine } from '../written/container-rights.ts';
import { hasField } from '../written/yaml-lines.ts';

const APPLIES =
  /kube|k8s|openshift|rancher|argo|portainer|swarm|compose|apply|deploy|(?:create|update|patch)_resource|resources?_create/i;
const MANIFEST_KEY =
  /manifest|ya?ml|compose|^(?:resources?|content|spec|template|definition|body|object|patch|stack_?file\w*)$/i;
const MANIFEST = /^[\s{-]*(?:apiVersion|kind|services|spec|template)\s*:/m;
const LONGEST = 64 * 1024;

/** Translates a cluster manifest into commands that start an equivalent container or grant the same access. */
export function manifestLines({ kind, input }: ToolCall, place: string): readonly string[] {
  if (kind !== 'mcp' || !APPLIES.test(place)) return [];
  return Object.entries(input).flatMap(([key, value]) => {
    if (!MANIFEST_KEY.test(snake(key))) return [];
    const text = asYaml(value);
    if (text === null || !MANIFEST.test(text)) return [];
    const start = containerLine(text);
    return [...(start === null ? [] : [start]), ...(givesCluster(text) ? [GIVES_CLUSTER] : [])];
  });
}

/** Some servers take the fields as arguments. */
function asYaml(value: unknown): string | null {
  if (typeof value === 'object' && value !== null) return unquoted(JSON.stringify(value));
  if (typeof value !== 'string') return null;
  return /^\s*[{[]/.test(value) ? unquoted(value) : value.slice(0, LONGEST);
}

function unquoted(json: string): string {
  return json.slice(0, LONGEST).replace(/"(\w+)"\s*:/g, '\n$1: ');
}

const GIVES_CLUSTER = 'kubectl create clusterrolebinding x --clusterrole=cluster-admin';

function givesCluster(text: string): boolean {
  return hasField(text, 'kind', 'ClusterRoleBinding') && hasField(text, 'name', 'cluster-admin');
}
