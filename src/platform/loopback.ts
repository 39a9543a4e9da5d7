const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;

/** True if a host is this machine, with or without the brackets of an IPv6 address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

/** The same for a URL, by its host alone, so `http://localhost.example.com` is another machine. */
export function isLoopbackUrl(address: string): boolean {
  return URL.canParse(address) && isLoopback(new URL(address).hostname);
}
