import { expect, it } from 'vitest';
import { askFiles } from '../../../test/sentences/ask-files.ts';

const files = {
  'loans.csv':
    'title,member,borrowed_on,returned\nDune,Olga,2026-02-01,2026-02-09\nDune,Ana,2026-03-01,\nEmma,Ana,2026-02-05,2026-02-20\n',
  'stays.csv': 'guest,room,nights,paid\nIto,101,2,no\nPaz,102,3,yes\nRau,101,1,no\n',
  'gifts.csv': 'donor,amount,received_on\nAnn,10,2026-01-02\nDan,500,2026-02-03\nAnn,20,\n',
  'bookings.csv':
    'member,date,attended\nKarl,2026-01-02,no\nKarl,2026-01-09,yes\nUma,2026-01-09,yes\n',
  'parcels.csv': 'sender,recipient,insured,value\nNils,Acme,Y,100\nAcme,Olga,Y,50\n',
  'flats.csv': 'flat,rent\nF1,900\nF2,1100\n',
  'payments.csv': 'payment,flat,date\n1,F1,2026-03-01\n2,F1,2026-02-01\n3,F2,2026-02-01\n',
  'budget.csv': 'item,spent,due\nStage,10,2026-01-01\nLights,20,2026-01-02\n',
  'visits.csv': 'guest,cost\nIto,5\nPaz,7\nIto,9\n',
  'charters.csv': 'charter,status\n1,cancelled\n2,done\n3,done\n',
  'boats.csv': 'code,name,bought\nB1,Marlin,2019-01-01\nB2,Otter,2020-01-01\n',
  'fuel.csv': 'day,litres,price\n2026-01-01,20,2\n2026-01-01,30,2\n2026-01-02,80,2\n',
  'handled.csv':
    'parcel,depot,handled_by,status\n1,North,Ada,ready\n2,South,Bo,sent\n3,East,Ada,ready\n',
  'events.csv': 'title,date,start\nPoetry open mic,2026-01-05,19:00\nQuiz night,2026-01-06,20:00\n',
  'vans.csv': 'van,last_service\nV1,2026-02-11\nV2,2026-04-02\n',
  'openings.csv': 'date,visitors\n2026-01-01,9\n2026-01-02,20\n2026-01-03,7\n',
  'runs.csv': 'runner,club,time_min\nKim,North,40\nLou,South,55\n',
};

const ask = askFiles(files);

it.each<[string, readonly unknown[]]>([
  ['who borrowed Dune?', ['Ana', 'Olga']],
  ['which titles are out?', ['Dune']],
  ['how many paid stays (add up the nights)', [3]],
  ['which loan was returned first?', ['Dune']],
  ['which guests have not paid?', ['Ito', 'Rau']],
  ['how much did we receive in gifts.csv?', [510]],
  ['total amount received in gifts.csv', [510]],
  ['loans that were returned later than borrowed in loans.csv', ['Dune', 'Emma']],
  ['how many different returned dates are in loans.csv?', [2]],
  ['has Ito paid?', ['Ito']],
  ['which vans had their last service before March in vans.csv', ['V1']],
  ['busiest day by number of visitors in openings.csv', ['2026-01-02']],
  ['flat of payment 2', ['F1']],
  ['is charter 1 cancelled?', [1]],
  ['which flat has the most payments, and how many', ['F1']],
])('answers %s', async (question, expected) => {
  const { rows } = (await ask(question)).data as { rows: readonly (readonly unknown[])[] };
  expect(rows.map(([first]) => first)).toEqual(expected);
});

it.each([
  ['our two best guests by total cost in visits.csv', 'best'],
  ['how many visits did Ito make, and how many Paz', 'Paz'],
  ['who donated the most in gifts.csv?', 'most'],
  ['when was the latest gift in gifts.csv and what happened', 'Ask for the row'],
  ['when was the first gift in gifts.csv, and what was it?', '"what was it"'],
  ['how many rooms do we have in stays.csv?', 'a sum or a number'],
  ['which members have never attended?', 'all rows of each member'],
  ['parcels to Nils', 'does not fit sender'],
  ['parcels sent by Nils', 'sent'],
  ['total value of insured parcels', 'value'],
  ['total rent per month', ''],
  ['have all charters been cancelled?', 'which rows do not'],
  ['the title that was lent out most often', 'lent|out'],
  ['tell me their names', 'not clear which rows'],
  ['whose parcel in handled.csv is ready', 'whose'],
  ['list the parcels in handled.csv from every depot', 'from every'],
  ['on which days did we open after 9:35 in events.csv', 'open'],
  ['the day with the most fuel', 'column that "most" compares'],
  ['who came most often in boats.csv', 'in only one row'],
  ['who has the best time in runs.csv?', 'Say "highest" or "lowest"'],
  ['on which day did we make the most money in budget.csv?', 'make'],
  ['bookings after 17:00', 'hours|after'],
  ['what was the last payment in payments.csv?', 'order of the file'],
])('refuses %s', async (question, reason) => {
  await expect(ask(question)).rejects.toThrow(new RegExp(reason));
});
