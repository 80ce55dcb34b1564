import { describe, expect, it } from 'vitest';
import type { NextAction } from '../../contract/next.ts';
import { commandLinesOf, commandOf, withCommands } from './next-command.ts';

const unknownOutcome: NextAction = {
  action: 'answer',
  id: 'q1',
  choices: ['it_happened', 'do_it', 'abandon'],
};

describe('the command line of an action', () => {
  it.each<[NextAction, string]>([
    [{ action: 'answer', id: 'q1', choices: ['approve', 'deny'] }, 'capstan approvals approve q1'],
    [unknownOutcome, 'capstan approvals answer q1 "<it_happened|do_it|abandon>"'],
    [
      { action: 'answer', id: 'q1', choices: ['approve', 'x'], free_text: false },
      'capstan approvals answer q1 "<1|2>"',
    ],
    [
      { action: 'answer', id: 'q1', choices: ['approve'], free_text: true },
      'capstan approvals answer q1 "<1|text>"',
    ],
    [
      { action: 'answer', id: 'q1', choices: [], free_text: true },
      'capstan approvals answer q1 "<text>"',
    ],
    [{ action: 'resume', id: 'r1' }, 'capstan resume r1'],
    [{ action: 'resume' }, 'capstan resume'],
    [{ action: 'raise_budget', id: 'r1', value: 0.5 }, 'capstan resume r1 --budget-usd 0.5'],
    [{ action: 'raise_timeout', id: 'r1', value: 60 }, 'capstan resume r1 --timeout 60'],
    [
      { action: 'raise_setting', id: 'r1', setting: 'CAPSTAN_MAX_INTENTS', value: 800 },
      'CAPSTAN_MAX_INTENTS=800 capstan resume r1',
    ],
  ])('of %j is %s', (action, command) => {
    expect(commandOf(action)).toBe(command);
  });

  it('is one line for each choice if none of them is approve', () => {
    expect(commandLinesOf(unknownOutcome)).toEqual([
      'capstan approvals answer q1 it_happened',
      'capstan approvals answer q1 do_it',
      'capstan approvals answer q1 abandon',
    ]);
  });

  it('has the short id for people, and the full one in JSON', () => {
    const id = '0199a1b2-0000-7000-8000-00001234abcd';
    expect(commandLinesOf({ action: 'resume', id })).toEqual(['capstan resume 1234abcd']);
    expect(commandLinesOf({ action: 'answer', id, choices: ['do_it', 'abandon'] })).toEqual([
      'capstan approvals answer 1234abcd do_it',
      'capstan approvals answer 1234abcd abandon',
    ]);
    expect(withCommands([{ action: 'resume', id }])[0]?.command).toBe(`capstan resume ${id}`);
  });

  it('is added to the data of the action in JSON', () => {
    expect(withCommands([{ action: 'show_run', id: 'r1' }])).toEqual([
      { action: 'show_run', id: 'r1', command: 'capstan runs show r1' },
    ]);
  });
});
