import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedAnswer } from '../model-server/script.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const KEY = `sk-story-${'k'.repeat(40)}x4Qd`;
const TASK = 'Rewrite poem.txt in capitals';
const FOLLOW_UP = 'How many words did you say it has?';
const POEM = 'Roses are red\n';
const ANSWER = 'The poem shouts now. It has three words.';

const launcher = join(import.meta.dirname, '../../bin/capstan.js');

const final = (result: string): ScriptedAnswer => ({
  tool_calls: [{ name: 'final', args: { status: 'ok', result } }],
});

/** Plans one step for each request; the second answer depends on the first. */
const script: Script = ({ responseName, messages, tools }): ScriptedAnswer => {
  const words = JSON.stringify(messages);
  const isFollowUp = words.includes(FOLLOW_UP);
  if (responseName === 'plan') {
    const description = isFollowUp ? 'Say how many words it has' : TASK;
    const step = { id: 'step', description, depends_on: [], capsule: 'file-clerk' };
    return { json: { discovery: [], execution: [step] } };
  }
  if (responseName === 'judge') return { json: { choice: 'file-clerk', why: 'files' } };
  if (tools.length === 0) return { text: 'ok' };
  if (isFollowUp) return final(words.includes(ANSWER) ? 'Three, as I said.' : 'Nobody told me.');
  if (messages.some(({ role }) => role === 'tool')) return final(ANSWER);
  const args = { operation: 'write', path: 'poem.txt', content: POEM.toUpperCase() };
  return { tool_calls: [{ name: 'file_io', args }] };
};

let person: Person;
let vendor: ModelServer;
let screen: Screen;
beforeEach(async () => {
  person = temporaryPerson();
  person.writeProject('poem.txt', POEM);
  vendor = await startModelServer({ vendor: 'openai', key: KEY, models: ['small'], script });
});
afterEach(async () => {
  screen.kill();
  await vendor.close();
  person.remove();
});

/** Opens `capstan` in a shell that shows the state of the terminal afterwards. */
function open(): void {
  const shell = `"${process.execPath}" "${launcher}"; echo "code $?"; stty -a`;
  screen = openScreen({
    program: 'sh',
    args: ['-c', shell],
    cwd: person.project,
    env: {
      CAPSTAN_HOME: person.home,
      HOME: person.environment['HOME'] ?? '',
      OLLAMA_BASE_URL: 'http://127.0.0.1:9',
    },
  });
}

/** A text without the differences between two runs and two machines. */
const steady = (text: string): string =>
  text
    .replace(/^! Capstan runs as root.*\n {2}normal user\.\n/gm, '')
    .replace(/\d+(\.\d+)? m?s\b/g, '0 s')
    .replace(/\d+k? tok\b/g, '1 tok')
    .replace(/\brun [0-9a-f]{8}/g, 'run 00000000')
    .replace(/(127\.0\.0\.1):\d+/g, '$1:1')
    .replace(/^Sandbox .*$/gm, 'Sandbox')
    .replace(/(?:no )?sandbox(?: [ABC])?/g, 'sandbox')
    .replace(/^Capstan \S+ in/gm, 'Capstan in');

/** The text of the terminal and its scrollback, from the last line that begins like this. */
function since(start: string): string {
  const text = `\n${screen.allText()}`;
  return steady(text.slice(text.lastIndexOf(`\n${start}`) + 1));
}

it('a new user sets up, changes a file, asks a follow-up question, undoes the change and leaves', async () => {
  open();
  await screen.shows('6 none yet');
  screen.type('5\r');
  await screen.shows('Its address');
  screen.type(`${vendor.baseUrl}\r`);
  await screen.shows('Its key (hidden');
  screen.paste(`${KEY}\n`);
  await screen.shows('› 53 characters');
  screen.type('\r');
  await screen.shows('y write  n change nothing');
  expect(since('Capstan')).toBe(`Capstan in ~/project. It asks before it changes anything of yours.
Sandbox
Which model should it use?
  1 Anthropic   2 OpenAI   3 Gemini   4 Ollama (not running)
  5 another OpenAI-compatible server   6 none yet: explicit instructions only
✓ http://127.0.0.1:1/v1 · key (hidden): 53 characters pasted; a check is
  free
✓ The server answers. Its model: small
✓ small answered in 0 s. Write this? Only you can read these files.
  ~/capstan/config/config.yaml   provider: openai
  ~/capstan/config/config.yaml   base_url: http://127.0.0.1:1/v1
  ~/capstan/config/config.yaml   model.balanced: small
  ~/capstan/config/.env          OPENAI_API_KEY=********x4Qd
  y write  n change nothing:
›
  Enter sends the answer · Esc goes to the conversation, nothing is saved`);
  screen.type('y\r');
  await screen.shows('~/project · small');
  expect(since('✓ Written')).toBe(`✓ Written. Type what to do, such as: What is in this folder?
›
  ~/project · small · sandbox · / menu · ? keys`);

  screen.type(`${TASK}\r`);
  await screen.shows('y allow once');
  expect(since('› Rewrite')).toBe(`› ${TASK}
  small · sandbox · run 00000000
? Allow file-clerk to change poem.txt?
   1 - Roses are red
   1 + ROSES ARE RED
  Asked because it changes poem.txt, a file that Capstan did not create. Once
  allowed, this run may change it again without asking, until you change it.
  y allow once  Y always  n deny once  N always  e explain  s skip  ? help
  m deny and say why
  free (local model) · 0 s · 0 of 1 done`);
  screen.type('y');
  await screen.shows(/Done in[\s\S]*~\/project · small/);
  expect(since('✓ Allowed')).toBe(`✓ Allowed once: change poem.txt

${ANSWER}

✓ Done in 0 s · 1 of 1 · 1 tok
  changed poem.txt +1 -1
  /diff shows it · /undo takes it back · or type what is next
›
  ~/project · small · sandbox · / menu · ? keys`);
  expect(poem()).toBe(POEM.toUpperCase());

  screen.type(`${FOLLOW_UP}\r`);
  await screen.shows(/nothing changed[\s\S]*~\/project · small/);
  expect(since('› How many')).toBe(`› ${FOLLOW_UP}
  small · sandbox · run 00000000

Three, as I said.

✓ Done in 0 s · 1 of 1 · 1 tok
  nothing changed
  type what is next
›
  ~/project · small · sandbox · / menu · ? keys`);

  screen.type('/diff\r');
  await screen.shows('/diff <file> · /undo takes it back');
  savePicture(screen, 'diff');
  expect(since('› /diff')).toBe(`› /diff

1 file, +1 -1, run 00000000
  changed poem.txt +1 -1
poem.txt
   1 - Roses are red
   1 + ROSES ARE RED
  /diff <file> · /undo takes it back
›
  ~/project · small · sandbox · / menu · ? keys`);

  screen.type('/undo\r');
  await screen.shows('y yes');
  expect(since('› /undo')).toBe(`› /undo
  Changes of: Rewrite poem.txt in capitals
  restore  poem.txt
? Undo 1 file?  y yes  n no`);
  savePicture(screen, 'undo');
  screen.type('y');
  await screen.shows('restored  poem.txt\n  /redo takes it back');
  expect(poem()).toBe(POEM);

  screen.type('/redo\r');
  await screen.shows('Redo 1 file?  y yes');
  screen.type('y');
  await screen.shows(/› \/redo[\s\S]*restored {2}poem\.txt\n›/);
  expect(poem()).toBe(POEM.toUpperCase());
  screen.type('/redo\r');
  await screen.shows('Nothing is left to redo in this conversation.');

  screen.type('/cost\r');
  await screen.shows('more: capstan runs cost');
  savePicture(screen, 'cost');
  screen.type('/model\r');
  await screen.shows('Enter use in this conversation');
  savePicture(screen, 'model');
  screen.type('\r');
  await screen.shows('✓ small from the next task of this conversation on');

  screen.type('/quit\r');
  expect(await screen.ended).toBe(0);
  await screen.shows('isig icanon');
  expect(since('› /quit')).toMatch(/^› \/quit\ncode 0\nspeed /);
  expectRestored();
});

const poem = () => readFileSync(join(person.project, 'poem.txt'), 'utf8');

/** The terminal is as it was found, nothing was cleared, and the key was never on it. */
function expectRestored(): void {
  const written = screen.written();
  expect(since('speed')).toMatch(/^isig icanon iexten echo\b/m);
  for (const [on, off] of [
    ['\u001b[?2026h', '\u001b[?2026l'],
    ['\u001b[?25l', '\u001b[?25h'],
    ['\u001b[?2004h', '\u001b[?2004l'],
    ['\u001b[>1u', '\u001b[<u'],
  ] as const) {
    expect(written.lastIndexOf(off)).toBeGreaterThan(written.lastIndexOf(on));
  }
  for (const sequence of ['\u001b[2J', '\u001b[3J', '?1049h', '?47h']) {
    expect(written).not.toContain(sequence);
  }
  for (const seen of [written, screen.allText()]) {
    expect(seen).not.toContain('kkkk');
    expect(seen).not.toContain('sk-story');
  }
  const frames = written.split('\u001b[?2026h').slice(1);
  expect(Math.max(...frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThanOrEqual(4_096);
}
