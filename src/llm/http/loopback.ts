/** Whether a URL's host is this machine by its very address or name, so that nothing asked of it leaves or costs. */
export function isLoopback(url: string): boolean {
  const host = hostOf(url);
  return (
    host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host ?? '')
  );
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : undefined;
}
