import { expect, it } from 'vitest';
import { draftOf, followSaved } from './overlay-draft.ts';

const first = { text: 'Be brief.', version: '1' };
const second = { text: 'Be kind.', version: '2' };

it('a draft in which nothing was written becomes what is saved', () => {
  expect(followSaved(draftOf(first), second)).toEqual(draftOf(second));
});

it('a draft is kept, with the version that it began with, when another text is saved', () => {
  const draft = { text: 'Be brief. Name files.', base: first };
  expect(followSaved(draft, second)).toEqual(draft);
});

it('a draft that says what was saved elsewhere is saved', () => {
  expect(followSaved({ text: second.text, base: first }, second)).toEqual(draftOf(second));
});
