import { isOnOwnNetwork, isThisMachine } from './nearby.ts';

/**
 * Ports of programs that run other programs or store credentials, and that need no authentication or accept a token
 * from the environment: Docker, etcd, Consul, Vault, Nomad, the kubelet.
 */
const ADMIN_PORT = /^(?:237[5-9]|2380|4243|4646|8200|850[01]|1025[05])$/;
const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+):(\d{4,5})([^?#]*)/i;

/** Endpoints for health checks, or pages for people. */
const SMALL_TALK =
  /^\/?(?:$|ui(?:\/|$)|(?:v[\d.]+\/)?(?:_ping|ping|version|info|metrics|health\w*|livez|readyz)$|v1\/(?:status\/|sys\/(?:health|leader|seal-status)))/i;

/** A cluster's API server. The token of any pod may be enough to read it. */
const CLUSTER =
  /^(?:[a-z]+:\/\/)?kubernetes(?:\.default(?:\.svc(?:\.cluster(?:\.local)?)?)?)?(?::\d+)?(\/[^?#]*)?/i;
/** Endpoints that return stored data, or the memory of a program. */
const KEPT =
  /^(?:[a-z]+:\/\/)?(\[[^\]]*\]|[^/?#:]+)(?::\d+)?\/(?:apis?\/(?:[\w.-]+\/)?v\d\w{0,9}\/(?:namespaces\/[\w.-]+\/)?(?:secrets|pods\/[\w.-]+\/exec|serviceaccounts\/[\w.-]+\/token)\b|(?:[\w-]+\/)?actuator\/heapdump\b|scriptText\b)/i;

/** True for a request to such a program on this machine or nearby. */
export function asksAdminPort(url: string | null): boolean {
  if (url === null) return false;
  const [, host = '', port = '', path = ''] = ADDRESS.exec(url) ?? [];
  if (ADMIN_PORT.test(port) && isOnOwnNetwork(host) && !SMALL_TALK.test(path)) return true;
  const cluster = CLUSTER.exec(url);
  if (cluster !== null) return !SMALL_TALK.test(cluster[1] ?? '');
  const [kept = '', where = ''] = KEPT.exec(url) ?? [];
  return isOnOwnNetwork(where) && (/\/apis?\//i.test(kept) || !isThisMachine(where));
}
