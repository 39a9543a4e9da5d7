import { isOnOwnNetwork } from './nearby-hosts.ts';

/**
 * Where programs listen that run others or keep what others log in with, and that ask nobody who they are or take a
 * token that is in the environment: Docker, etcd, Consul, Vault, Nomad, the kubelet.
 */
const ADMIN_PORT = /^(?:237[5-9]|2380|4243|4646|8200|850[01]|1025[05])$/;
const ADDRESS = /^(?:[a-z][\w+.-]*:\/\/)?(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]+):(\d{4,5})([^?#]*)/i;

/** What tells whether it is there, or is a page for people. */
const SMALL_TALK =
  /^\/?(?:$|ui(?:\/|$)|(?:v[\d.]+\/)?(?:_ping|ping|version|info|metrics|health\w*|livez|readyz)$|v1\/(?:status\/|sys\/(?:health|leader|seal-status)))/i;

/** Whether an address is that of such a program on this machine or nearby, and something is asked of it. */
export function asksAdminPort(url: string | null): boolean {
  const [, host = '', port = '', path = ''] = (url !== null && ADDRESS.exec(url)) || [];
  return ADMIN_PORT.test(port) && isOnOwnNetwork(host) && !SMALL_TALK.test(path);
}
