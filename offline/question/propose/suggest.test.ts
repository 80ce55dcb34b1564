import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const files = {
  'bookings.csv':
    'id,client,type,fee,status\n1,Weber,wedding,900,confirmed\n2,Otto,portrait,120,requested\n3,Kim,wedding,700,confirmed\n',
  'gear.tsv': 'item\tbrand\tprice\tlent_to\nX-T5\tFujifilm\t1799\tJonas\nXF 35\tFujifilm\t199\t\n',
  'clients.json': JSON.stringify([
    { name: 'Weber', city: 'Ulm', email: 'w@x.example' },
    { name: 'Otto', city: 'Bonn', email: null },
  ]),
};

const ask = askFiles(files);

it.each([
  ['How many gadgets of each brand?', 'How many items of each brand in gear.tsv?'],
  ['What did Kim choose?', 'rows where client is "Kim"'],
  ['Average fee per type and horoscope', 'Average fee per type in bookings.csv'],
  ['What has Jonas pinched?', 'rows where lent_to is "Jonas"'],
  ['typical fee of a rainy wedding', 'average fee where type is "wedding" in bookings.csv'],
  ['How often do we photograph dogs?', 'number of bookings'],
])('proposes for %s a sentence that works', async (question, proposed) => {
  const error = await ask(question).catch((one: Error) => one.message);
  const [, works = ''] = /works: "(.+)"\. (?:Or|Other)/.exec(String(error)) ?? [];
  expect(works).toContain(proposed);
  await expect(ask(works)).resolves.toBeDefined();
});

it.each([
  'Who invented the steam engine?',
  'Mark booking 2 as confirmed',
  'Confirmed bookings where the deposit has not come in',
  'unconfirmed bookings per type',
  'how many bookings were neither confirmed nor cancelled?',
  'how many bookings were not delivered?',
  'total fee in euros',
  'average fee per month',
  'total fee of the clients we hired',
  'who photographed the wedding of Otto and Maria?',
  'bookings over 500 of Otto that were rained off',
])('proposes nothing that drops or denies a part of %s', async (question) => {
  await expect(ask(question)).rejects.toThrow(/^(?!.*This works).*needs? a language model/s);
});
