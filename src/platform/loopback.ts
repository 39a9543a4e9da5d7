const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;

/** Whether a host is this machine itself, with or without the brackets of an IPv6 address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** The same for an address; by its host alone, so that `http://localhost.example.com` is another machine. */
export function isLoopbackUrl(address: string): boolean {
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}
