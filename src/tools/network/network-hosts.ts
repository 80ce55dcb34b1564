import * as z from 'zod';

const MAX_HOSTS = 20;

/** Hosts that a command may reach, parsed as URLs: `example.com` is port 443, `example.com:80` is plain http. */
export const networkHosts = () =>
  z
    .array(
      z
        .string()
        .min(1)
        .max(300)
        .transform((text, context): URL => {
          const url = parseNetworkHost(text);
          if (url !== undefined) return url;
          const message =
            'write example.com (port 443) or example.com:8080, without scheme or path';
          context.addIssue({ code: 'custom', message });
          return z.NEVER;
        }),
    )
    .min(1)
    .max(MAX_HOSTS)
    .optional()
    .describe(
      'Hosts that it has to reach, each `example.com` (port 443) or `example.com:8080`. Others are blocked; programs use the proxy in HTTPS_PROXY. Default: no network.',
    );

/** A host and port as a URL; undefined if the text is not one. */
export function parseNetworkHost(text: string): URL | undefined {
  if (/[\s/?#@*\\]/.test(text) || !URL.canParse(`https://${text}`)) return undefined;
  const url = new URL(`https://${text}`);
  if (/^\.*$/.test(url.hostname)) return undefined;
  return url.port === '80' ? new URL(`http://${url.hostname}`) : url;
}

/** The port that a URL connects to. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port);

/** Host and port in normal form, independent of the scheme. */
export const hostAndPort = (url: URL): string =>
  `${url.hostname.replace(/\.+$/, '')}:${portOf(url)}`;
