import { expect, it } from 'vitest';
import type { ModelDelta } from '../../contract/event.ts';
import { createStyle } from '../style.ts';
import { createLiveText } from './live-text.ts';

const delta = (text: string, from = 0, intent_id = 'i1'): ModelDelta => ({
  type: 'model.delta',
  at: '',
  run_id: 'r',
  subtask_id: 's1',
  capsule_id: 'c',
  intent_id,
  from,
  text,
});

function open(isShown: () => boolean = () => true) {
  const written: string[] = [];
  const write = (text: string) => void written.push(text);
  const style = createStyle({}, false);
  const live = createLiveText(write, { style, isShown, columns: () => 24 });
  return { live, written, write };
}
const ERASE = '\r\u001b[2K';

it('shows the end of the text in one line of the terminal, whatever it holds', () => {
  const { live, written } = open();
  live.update(delta('A first line,\nand '));
  live.update(delta('\u001b[31ma second one'));
  live.update(delta('Again: 漢字漢字漢字漢字漢字漢字'));
  expect(written).toEqual([
    `${ERASE}  s1 A first line, and `,
    `${ERASE}  s1 1b[31ma second one`,
    `${ERASE}  s1 字漢字漢字漢字漢字`,
  ]);
});

it('gives way to other output, to the end of its call, and to a question', () => {
  let isAsking = false;
  const { live, written, write } = open(() => !isAsking);
  live.update(delta('one'));
  live.beside(write)('a line\n');
  live.beside(write)('another\n');
  live.update(delta('two'));
  live.end('another call');
  live.end('i1');
  isAsking = true;
  live.update(delta('three'));
  expect(written).toEqual([
    `${ERASE}  s1 one`,
    ERASE,
    'a line\n',
    'another\n',
    `${ERASE}  s1 two`,
    ERASE,
  ]);
});
