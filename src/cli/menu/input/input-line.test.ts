import { describe, expect, it } from 'vitest';
import { createKeyParser } from '../terminal/parse-keys.ts';
import { type Candidates, type InputLine, listAt, openLine } from './input-line.ts';
import { answerKey, lineKey, sendPasted, withTasks } from './line-key.ts';

const names = ['approvals', 'clear', 'runs'];
const candidates: Candidates = ({ kind, word }) =>
  kind === 'command' ? names.filter((name) => name.startsWith(word)) : ['src/cart.js', 'a b.txt'];

const ESC = '\u001b[27u';
const UP = '\u001b[A';
const DOWN = '\u001b[B';
const PASTE = (text: string) => `\u001b[200~${text}\u001b[201~`;

function press(bytes: string, from: InputLine = openLine(), items = candidates) {
  const sent: unknown[] = [];
  let line = from;
  for (const input of createKeyParser().feed(bytes)) {
    const change = lineKey(line, input, items);
    if (change?.submitted) sent.push(change.submitted);
    line = change?.line ?? line;
  }
  return { line, text: line.edited.text, sent };
}

describe('Enter', () => {
  it('sends the line and empties it', () => {
    expect(press('fix it\r')).toMatchObject({
      text: '',
      sent: [{ text: 'fix it', attachments: [] }],
    });
  });

  it('does nothing on an empty line', () => {
    expect(press('  \r').sent).toEqual([]);
  });

  it('begins a new line after a backslash', () => {
    expect(press('one\\\rtwo\r').sent).toMatchObject([{ text: 'one\ntwo' }]);
  });
});

describe('the history', () => {
  const known = openLine(['first', 'second']);

  it('goes back and forth, and returns to what was being typed', () => {
    expect(press(`dra${UP}`, known).text).toBe('second');
    expect(press(`dra${UP}${UP}${UP}`, known).text).toBe('first');
    expect(press(`dra${UP}${UP}${DOWN}${DOWN}`, known).text).toBe('dra');
  });

  it('has the line that was sent', () => {
    expect(press(`third\r${UP}`, known).text).toBe('third');
  });

  it('is left alone inside a text of several lines', () => {
    expect(press(`a\nb${UP}`, known).text).toBe('a\nb');
  });

  it('is searched with Ctrl-R, older ones with Ctrl-R again; Enter takes one without sending it', () => {
    const many = openLine(['run tests', 'build', 'run all']);
    expect(press('\u0012run\r', many)).toMatchObject({ text: 'run all', sent: [] });
    expect(press('\u0012run\u0012\r', many).text).toBe('run tests');
    expect(press(`x\u0012run${ESC}`, many).text).toBe('x');
  });
});

describe('completion', () => {
  it('lists commands after / and takes the chosen one with Tab', () => {
    expect(listAt(press('/').line, candidates)?.items).toEqual(names);
    expect(press('/ap\t').text).toBe('/approvals ');
    expect(press(`/${DOWN}\t`).text).toBe('/clear ');
  });

  it('sends a command that was typed to its end', () => {
    expect(press('/clear\r').sent).toMatchObject([{ text: '/clear' }]);
  });

  it('completes a file after @, in quotes if its name has spaces', () => {
    expect(press('read @ca\t').text).toBe('read src/cart.js ');
    expect(press(`read @${DOWN}\r`)).toMatchObject({ text: 'read "a b.txt" ', sent: [] });
  });

  it('does not complete inside a word', () => {
    expect(listAt(press('me@home').line, candidates)).toBeUndefined();
  });

  it('takes the chosen file with Enter, unless the whole path was typed', () => {
    const files: Candidates = ({ word }) =>
      ['src/', 'src/cart.js', 'src/cart.js.md'].filter((path) => path.includes(word));
    const enter = (text: string) => press(text, openLine(), files);
    expect(enter('read @ca\r')).toMatchObject({ text: 'read src/cart.js ', sent: [] });
    expect(enter('read @src/cart.js\r').sent).toMatchObject([{ text: 'read @src/cart.js' }]);
    expect(enter('list @src\r').sent).toMatchObject([{ text: 'list @src' }]);
  });

  it('closes with Esc, which leaves no slash that makes the next words a command', () => {
    expect(listAt(press(`/${ESC}`).line, candidates)).toBeUndefined();
    expect(press(`/${ESC}fix it`).text).toBe('fix it');
    expect(press(`read @src${ESC}`).text).toBe('read @src');
  });
});

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n10';
const MANY = `${LINES}\n11`;

describe('a paste', () => {
  it('of a few short lines is text', () => {
    expect(press(PASTE(LINES)).text).toBe(LINES);
  });

  it.each([
    ['a long line', `${'a'.repeat(101)}\nb\nc\nd`],
    ['the name of a host, which a task would name', 'a\nb\nc\nget https://a.example/x'],
    ['a command at its beginning', '/quit\nb\nc\nd'],
    ['more lines', `${LINES}\n11`],
  ])('with %s is an attachment', (_what, paste) => {
    expect(press(PASTE(paste)).text).toMatch(/^\[pasted \d+ lines\]$/);
  });

  it('of one long line is an attachment that is named after its length', () => {
    const long = 'word '.repeat(2_240);
    const { sent } = press(`sum up ${PASTE(long)}\r`);
    expect(sent).toMatchObject([
      { text: 'sum up [pasted 11,200 characters]', attachments: [{ text: long }] },
    ]);
    expect(press(PASTE('word '.repeat(300))).text).toBe('word '.repeat(300));
  });

  it('is attached again when its line is recalled or found', () => {
    const { line, sent } = press(`look at ${PASTE(MANY)} twice\r`);
    expect(press(`${UP}\r`, line).sent).toEqual(sent);
    expect(press('\u0012look\r\r', openLine(line.history.entries)).sent).toEqual(sent);
    expect(press(`${PASTE(MANY)}${UP}${DOWN} x\r`, line).sent).toMatchObject([
      { text: '[pasted 11 lines] x', attachments: [{ text: MANY }] },
    ]);
  });

  it('of more lines is an attachment', () => {
    const { sent } = press(`look at ${PASTE(`${MANY}\n`)}\r`);
    expect(sent).toEqual([
      {
        text: 'look at [pasted 11 lines]',
        typed: 'look at [pasted 11 lines]',
        attachments: [{ name: 'pasted 11 lines', text: `${MANY}\n` }],
      },
    ]);
  });

  it('is part of an answer as text', () => {
    const answers: string[] = [];
    const question = {
      isAnswerKey: () => false,
      onKey: () => undefined,
      onText: (text: string) => answers.push(text),
    };
    let line = openLine();
    for (const input of createKeyParser().feed(`the log: ${PASTE('a\nb\n$&\nd')}\r`))
      line = answerKey(line, input, question);
    expect(answers).toEqual(['the log: a\nb\n$&\nd']);
  });

  it('sent alone is never a command, even when taken back into the line, and may end with a backslash', () => {
    const { line, submitted } = sendPasted(press(PASTE('/quit\nb\nc\nd\\')).line);
    expect(submitted).toMatchObject({ text: '/quit\nb\nc\nd\\', isTask: true });
    expect(press(UP, line).text).toBe('');
    const back = withTasks(line, submitted ? [submitted] : []);
    expect(back.edited.text).toBe('[pasted 4 lines]');
    expect(sendPasted(back).submitted).toEqual(submitted);
  });

  it('that was deleted again is not sent', () => {
    expect(press(`${PASTE(MANY)}\u0015hello\r`).sent).toMatchObject([{ attachments: [] }]);
  });

  it('twice has two names', () => {
    const { line } = press(PASTE(MANY) + PASTE(`x${MANY}`));
    expect(line.edited.text).toBe('[pasted 11 lines][pasted 11 lines, 2]');
  });

  it('never sends, even with a line break at its end', () => {
    expect(press(PASTE('rm -rf /\n')).sent).toEqual([]);
  });
});
