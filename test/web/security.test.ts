import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessResult } from '../../src/tools/process/run-process.ts';
import { pythonExec } from '../../src/tools/python-exec.ts';
import { hasBubblewrap, levelA } from '../isolation/sandboxes.ts';
import { builtCommandLine } from '../programs/built-command-line.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { createScratch } from '../setup/tool-scratch.ts';
import { type Server, startServer } from './open-dashboard.ts';

const run = promisify(execFile);

let person: Person;
let server: Server | undefined;
beforeEach(() => {
  person = temporaryPerson();
});
afterEach(() => {
  server?.process.kill('SIGKILL');
  server = undefined;
  person.remove();
});

const place = () => ({ cwd: person.project, home: dirname(person.home) });

/** What a command prints and how it ends. */
async function capstan(
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const { project: cwd, environment } = person;
  const { exitCode, stdout, stderr } = await builtCommandLine(args, { cwd, environment });
  return { code: exitCode, out: stdout, err: stderr };
}

describe('the address of the server', () => {
  it('is refused with a fix if another program uses the port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await capstan('serve', '--no-open', '--port', String(port));
    other.close();
    expect(code).toBe(2);
    expect(err).toContain(`Port ${port} is held by another program`);
    expect(err).toContain('choose another port');
    expect(err).not.toContain('CAPSTAN_SERVE_PORT');
  });

  it('is kept by the running server: another --port is reported as unused', async () => {
    server = await startServer(place());
    const { code, err } = await capstan('serve', '--no-open', '--port', '1');
    expect(code).toBe(0);
    expect(err).toContain(`A server runs already, at ${server.url}: --port is not used.`);
  });

  it('is that of the running server for the next `serve`, with its own code that works once', async () => {
    server = await startServer(place());
    const { code, out } = await capstan('serve', '--no-open');
    expect(code).toBe(0);
    const link = new URL(out.trim());
    expect(link.origin).toBe(server.url);
    const exchange = () =>
      fetch(`${server?.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: server?.url ?? '' },
        body: JSON.stringify({ code: new URLSearchParams(link.hash.slice(1)).get('code') }),
      });
    const first = await exchange();
    expect(first.status).toBe(200);
    expect(((await first.json()) as { token: string }).token).toMatch(/^[\w-]{40,}$/);
    expect((await exchange()).status).toBe(401);
  });
});

describe('a token', () => {
  it('is in no file of Capstan, and works after the server was started again', async () => {
    server = await startServer(place());
    const { token } = server;
    const found = await run('grep', ['-rlaF', token, person.home]).catch(({ stdout }) => ({
      stdout,
    }));
    expect(found.stdout).toBe('');
    server.process.kill('SIGKILL');
    server = await startServer(place());
    const answer = await fetch(`${server.url}/api/v1/overview`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
  });
});

/** A program that tries to reach the server, and to find a token or code. */
const intruder = (port: string, home: string) => `
const { connect } = require('node:net');
const { readFileSync, readdirSync } = require('node:fs');
const tried = [];
const read = (path) => { try { readFileSync(path); tried.push('read ' + path); } catch {} };
read('${home}/state/capstan.db');
for (const path of ['${home}', '${home}/state']) { try { if (readdirSync(path).length > 0) tried.push('listed ' + path); } catch {} }
for (const id of readdirSync('/proc').filter((name) => /^\\\\d+$/.test(name))) {
  try { if (readFileSync('/proc/' + id + '/cmdline', 'utf8').includes('serve')) tried.push('saw the server'); } catch {}
}
const socket = connect({ host: '127.0.0.1', port: ${port} });
const end = () => { console.log('TRIED ' + JSON.stringify(tried)); process.exit(0); };
socket.on('connect', () => { tried.push('connected'); end(); });
socket.on('error', end);
setTimeout(end, 3000);
`;

describe.skipIf(!hasBubblewrap)('from inside level A (needs bubblewrap)', () => {
  const port = () => new URL(server?.url ?? '').port;

  it('a command reaches neither the port nor a token', async () => {
    server = await startServer(place());
    person.writeProject('try.js', intruder(port(), person.home));
    const { out } = await capstan('run', '--json', '--approve-mode', 'allow', 'Run `node try.js`');
    expect(out).toContain('TRIED []');
  });

  it('a page that a command opens in a browser reaches neither', async () => {
    server = await startServer(place());
    const fetching = `fetch('${server.url}/api/v1/overview').then((r) => console.log('GOT ' + r.status), (e) => console.log('FAILED ' + e.cause?.code));`;
    person.writeProject('page.js', fetching);
    const { out } = await capstan('run', '--json', '--approve-mode', 'allow', 'Run `node page.js`');
    expect(out).toMatch(/FAILED E\w+/);
    expect(out).not.toContain('GOT');
  });

  it('a command with network that was granted this very address does not reach it', async () => {
    server = await startServer(place());
    const target = `127.0.0.1:${port()}`;
    using scratch = createScratch();
    const code = `
import socket
s = socket.create_connection(('127.0.0.1', 3128), 5)
s.sendall(b'CONNECT ${target} HTTP/1.1\\r\\nHost: ${target}\\r\\n\\r\\n')
print(s.recv(4096).decode())
`;
    const { stdout } = await scratch.ask<ProcessResult>(
      pythonExec,
      { code, network: [target] },
      { sandbox: levelA() },
    );
    expect(stdout).toContain('is not a public address');
  });
});
