import { expect, it } from 'vitest';
import { askFiles } from '../../test/sentences/ask-files.ts';

const ask = askFiles({
  'gym.csv': 'member,day,trained\nAnn,1,30\nAnn,2,35\nAnn,3,20\nBob,1,120\n',
  'members.csv': 'member_id,name,joined,town\nM1,Ann,2016-04-12,Oak\nM2,Bob,2020-01-01,Elm\n',
  'events.json': JSON.stringify([
    { title: 'Talk', room: 'Garden Room', places: 20, booked: 17 },
    { title: 'Swap', room: 'Hall', places: 30, booked: 12 },
    { title: 'Club', room: 'Hall', places: 0, booked: 0 },
  ]),
  'fines.csv': 'fine_id,reason,amount\nF1,lost,10\nF2,late,2\nF3,late,3\n',
  'orders.csv': 'order_id,customer,quantity,total\n1,Ann,2,30\n2,Bob,1,10\n',
});

it.each([
  ['What is the average fine?', [[5]]],
  ['Which events take place in the Garden Room?', [['Talk', 'Garden Room', 20, 17]]],
  ['Who joined most recently?', [['M2', 'Bob', '2020-01-01', 'Elm']]],
  ['Who is our newest member, and when did they join?', [['M2', 'Bob', '2020-01-01', 'Elm']]],
])('answers %s', async (question, expected) => {
  expect((await ask(question)).data['rows']).toEqual(expected);
});

it.each([
  'What is the average member?',
  'What is the average order?',
  'What is the average event?',
  'Which events did not take place?',
  'Which events do not take place in the Garden Room?',
  'Which events will take place in the Garden Room?',
  'Which events could take place in the Garden Room?',
  'Which member has the most trainings?',
  'Which event has the longest booking?',
  'Who left most recently?',
  'Who is our newest member, and when did they leave?',
])('refuses %s', async (question) => {
  await expect(ask(question)).rejects.toMatchObject({ name: 'TaskError' });
});
