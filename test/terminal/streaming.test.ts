import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';
import { addTeller } from '../streaming/add-teller.ts';
import { type StreamServer, startStreamServer } from '../streaming/stream-server.ts';
import { openScreen, type Screen } from './open-screen.ts';
import { savePicture } from './save-picture.ts';

const TEXT =
  'The harbour opens at six. Boats under ten metres pay nothing; all others pay by the day, in advance, at the office.\n\nIn winter the office is closed on Mondays.';

let person: Person;
let server: StreamServer;
let screen: Screen;
/** Sends the rest of the text. */
let release: () => void;
beforeEach(async () => {
  person = temporaryPerson();
  addTeller(person);
  const lastAfter = new Promise<void>((resolve) => {
    release = resolve;
  });
  server = await startStreamServer(TEXT.split(/(?<= )/), { lastAfter });
});
afterEach(() => {
  screen.kill();
  server.close();
  person.remove();
});

/** Starts a run whose answer is streamed. */
function ask() {
  screen = openScreen({
    args: ['run', '--capsule', 'teller', 'Tell me about the harbour'],
    cwd: person.project,
    env: {
      CAPSTAN_HOME: person.home,
      HOME: person.environment['HOME'] ?? '',
      CAPSTAN_PROVIDER: 'openai',
      CAPSTAN_BASE_URL: server.baseUrl,
      CAPSTAN_MODEL_BALANCED: 'm',
      OPENAI_API_KEY: 'sk-harbour-0123456789',
    },
  });
}

it('the text of an answer is shown while it arrives, and once when it is there', async () => {
  ask();
  await screen.shows('The harbour opens at six.');
  expect(screen.text()).not.toContain('on Mondays.');
  expect(screen.text()).toMatch(/Tell me about the harbour +teller +think/);
  await screen.shows('in advance');
  savePicture(screen, 'streaming');
  release();
  expect(await screen.ended).toBe(0);
  savePicture(screen, 'streamed');
  expect(screen.allText().match(/on Mondays\./g)).toHaveLength(1);
});

it('the text that arrived stays on the screen when Esc stops the run', async () => {
  ask();
  await screen.shows('in advance');
  screen.type('\u001b');
  expect(await screen.ended).toBe(3);
  expect(screen.text()).toMatch(/The harbour opens at six\.[\s\S]*its text ends here[\s\S]*Parked/);
});
