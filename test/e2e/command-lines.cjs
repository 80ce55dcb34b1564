'use strict';

// Runs command lines of the built program one after another, and prints as JSON how each ended.
const { Readable } = require('node:stream');
const { main } = require('../../dist/main.cjs');

async function run(words) {
  const printed = { stdout: '', stderr: '' };
  const code = await main(words, () => ({
    stdout(text) {
      printed.stdout += text;
    },
    stderr(text) {
      printed.stderr += text;
    },
    isTerminal: false,
    environment: process.env,
    cwd: process.cwd(),
    input: Readable.from([]),
  }));
  return { code, ...printed };
}

async function runAll() {
  const ended = [];
  for (const words of JSON.parse(process.argv[2])) ended.push(await run(words));
  process.stdout.write(JSON.stringify(ended));
}

void runAll();
