import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startModelServer } from './model-server.ts';
import { inOrder, type Script, type Vendor, vendors } from './script.ts';

/**
 * `tsx test/model-server/serve.ts --vendor openai --port 0 --script FILE`
 *
 * FILE is a module whose `script` is the script function, or a JSON array of answers given in order. Prints one JSON line
 * `{origin, base_url, pid}` once it listens, and ends with SIGTERM.
 */
const { values } = parseArgs({
  options: {
    vendor: { type: 'string', default: 'openai' },
    port: { type: 'string', default: '0' },
    script: { type: 'string' },
  },
});

const isVendor = (name: string): name is Vendor => (vendors as readonly string[]).includes(name);

async function loadScript(file: string | undefined): Promise<Script> {
  if (file === undefined) return () => ({ text: 'Done.' });
  if (file.endsWith('.json')) return inOrder(...JSON.parse(readFileSync(file, 'utf8')));
  const module = (await import(pathToFileURL(resolve(file)).href)) as { script: Script };
  return module.script;
}

if (!isVendor(values.vendor)) throw new Error(`--vendor is one of ${vendors.join(', ')}.`);
const server = await startModelServer({
  vendor: values.vendor,
  port: Number(values.port),
  script: await loadScript(values.script),
});
console.log(JSON.stringify({ origin: server.origin, base_url: server.baseUrl, pid: process.pid }));
