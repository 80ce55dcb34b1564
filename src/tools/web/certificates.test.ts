import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleCode } from '../../../test/programs/bundle-program.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** A server on loopback with an untrusted certificate. */
async function serve(): Promise<{ readonly origin: string; readonly certificate: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-certificates-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
      .concat(['-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=127.0.0.1'])
      .concat(['-addext', 'subjectAltName=IP:127.0.0.1']),
    { stdio: 'ignore' },
  );
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(certificate) },
    (_request, response) => response.end('reached'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, certificate };
}

/** The output of the tool in its own process with this environment. */
async function ask(
  tool: 'http_api' | 'web_fetch',
  origin: string,
  environment: Record<string, string>,
): Promise<string> {
  const here = (path: string) => JSON.stringify(join(import.meta.dirname, path));
  const program = `
    import { createScratch } from ${here('../../../test/setup/tool-scratch.ts')};
    import { httpApi } from ${here('../http-api.ts')};
    import { webFetch } from ${here('../web-fetch.ts')};
    const scratch = createScratch();
    const [tool, origin] = process.argv.slice(2);
    scratch.ask({ http_api: httpApi, web_fetch: webFetch }[tool], { url: origin }, { privateOrigins: new Set([origin]) })
      .then((answer) => String(answer.status), (error) => error.message)
      .then((said) => { console.log(said); scratch[Symbol.dispose](); });`;
  const child = spawn(process.execPath, [bundleCode(program), tool, origin], {
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (await text(child.stdout)).trim();
}

describe.skipIf(!hasOpenssl)('a server with a self-signed certificate (needs openssl)', () => {
  it.each(['http_api', 'web_fetch'] as const)(
    'is refused by %s although NODE_TLS_REJECT_UNAUTHORIZED is 0, and used if it is trusted',
    async (tool) => {
      const { origin, certificate } = await serve();
      expect(await ask(tool, origin, { NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatch(
        /self-signed certificate/,
      );
      expect(await ask(tool, origin, { NODE_EXTRA_CA_CERTS: certificate })).toBe('200');
    },
  );
});
