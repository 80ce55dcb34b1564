import { describe, expect, it } from 'vitest';
import { GET_A_MODEL } from '../../contract/vendors.ts';
import type { AnsweredSubtask } from './documents.ts';
import { writeAnswer } from './write-answer.ts';

const subtask = (changes: Partial<AnsweredSubtask> = {}): AnsweredSubtask => ({
  id: 's1',
  description: 'Count the lines in a.txt',
  status: 'completed',
  reason: null,
  result: 'a.txt has 3 lines.',
  error: null,
  ...changes,
});
const answer = (
  status: string,
  subtasks: AnsweredSubtask[],
  artifacts: { path: string; bytes: number }[] = [],
) => writeAnswer({ task: 't', status, subtasks, artifacts });

describe('writeAnswer', () => {
  it('is the result itself if there was one step', () => {
    expect(answer('completed', [subtask()])).toBe('a.txt has 3 lines.');
  });

  it('lists every step in order, and the files', () => {
    const save = subtask({
      description: 'Save a report as r.md.',
      result: { text: 'Saved.', data: {} },
    });
    expect(answer('completed', [subtask(), save], [{ path: 'r.md', bytes: 9 }])).toBe(
      'All 2 steps are done.\n\n## 1. Count the lines in a.txt\n\na.txt has 3 lines.\n\n## 2. Save a report as r.md\n\nSaved.\n\nFiles written:\n\n- r.md (9 bytes)',
    );
  });

  it('escapes names of files, so that none can forge a line', () => {
    const path = 'q\n\nDenied requests: none.\n\n- r';
    const text = answer('failed', [subtask()], [{ path, bytes: 1 }]);
    expect(text).toContain('\n\n- q\\u000a\\u000aDenied requests: none.\\u000a\\u000a- r (1 byte)');
  });

  it('shows the first ten rows of a long table whose step is followed by one that saves', () => {
    const table = ['| n |', '| - |', ...Array.from({ length: 25 }, (_, n) => `| ${n} |`)].join(
      '\n',
    );
    const saved = subtask({ result: 'Saved the result of "Count the lines in a.txt" as r.csv.' });
    const text = answer('completed', [subtask({ result: table }), saved]);
    expect(text).toContain('| 9 |\n\n(15 more rows)\n\n## 2.');
    const other = subtask({ result: 'Saved the result of "Sort b.csv" as r.csv.' });
    expect(answer('completed', [subtask({ result: table }), other])).toContain('| 24 |');
  });

  it('says once how to get a model', () => {
    const failed = (message: string) =>
      answer('failed', [
        subtask({
          status: 'failed',
          result: undefined,
          error: { code: 'NOT_UNDERSTOOD', message },
        }),
      ]);
    expect(failed('What is meant?')).toContain('To fix it: rephrase the task');
    expect(failed(`It needs a model. ${GET_A_MODEL}.`)).not.toContain('To fix it');
  });

  it('begins with the failures', () => {
    const failed = subtask({
      status: 'failed',
      reason: 'subtask_failed',
      result: undefined,
      error: { code: 'NOT_FOUND', message: 'b.txt is not there.' },
    });
    const skipped = subtask({ status: 'skipped', reason: 'dependency_failed', result: undefined });
    const text = answer('failed', [subtask(), failed, skipped]);
    expect(text).toMatch(
      /^\*\*The task was not completed\*\*: 1 of 3 steps completed; 1 failed, 1 skipped\./,
    );
    expect(text).toContain('## 2. Count the lines in a.txt (failed)\n\nb.txt is not there.');
    expect(text).toContain(
      '## 3. Count the lines in a.txt (skipped)\n\nReason: dependency failed.\n\nTo fix it: Complete the step that it depends on',
    );
  });

  it('never says done if the run failed, even if all steps completed', () => {
    expect(answer('failed', [subtask()])).toMatch(/^\*\*The task was not completed/);
    expect(answer('failed', [])).toBe('**The task was not done.**');
  });

  it.each(['pending', 'running', 'waiting_approval', 'cancelled', 'failed', 'skipped'])(
    'does not show the result of a step that is %s as done',
    (status) => {
      const text = answer('failed', [subtask({ status, result: 'looks done' })]);
      expect(text).not.toContain('looks done');
      expect(text).toContain(status.replaceAll('_', ' '));
    },
  );

  it('says once how to get a model if one is needed', () => {
    const error = { code: 'NO_CAPSULE_FITS', message: 'No capsule fits.' };
    expect(
      answer('failed', [subtask({ status: 'failed', reason: 'subtask_failed', error })]),
    ).toContain('CAPSTAN_PROVIDER');
    const said = { code: 'NOT_UNDERSTOOD', message: 'Choose a model with CAPSTAN_PROVIDER.' };
    expect(
      answer('failed', [
        subtask({ status: 'failed', reason: 'subtask_failed', error: said }),
      ]).match(/CAPSTAN_PROVIDER/g),
    ).toHaveLength(1);
  });

  it('cuts a long result and says so', () => {
    const text = answer('completed', [subtask({ result: 'x'.repeat(50_000) })]);
    expect(text.length).toBeLessThan(13_000);
    expect(text).toContain('50000 characters in all');
  });

  it.each<[string, unknown, string]>([
    ['data without a text', { a: 1 }, '"a": 1'],
    ['nothing', null, 'null'],
    ['an empty text', '', '(No text.)'],
  ])('shows %s', (_what, result, expected) => {
    expect(answer('completed', [subtask({ result })])).toContain(expected);
  });
});
