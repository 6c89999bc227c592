/** Whether a host name or address means this machine alone. IPv6 with or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/i.test(host);
}

/** A host as it stands in a URL. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
