import { describe, expect, it } from 'vitest';
import type { PlanPreview } from '../../../contract/plan-preview.ts';
import { parsePlanText, planText } from './plan-text.ts';

const step = (id: string, changes: Partial<PlanPreview['steps'][number]> = {}) => ({
  id,
  description: `Do ${id}`,
  depends_on: [],
  writes: [],
  needs: [],
  capsule_id: 'file-clerk',
  capsule: null,
  route: 'take' as const,
  hint: null,
  ...changes,
});

const plan = {
  steps: [
    step('a', { hint: 'fast' }),
    step('b', { depends_on: ['a'], writes: ['x.md'], capsule: 'file-clerk' }),
  ],
};

describe('a plan as text', () => {
  it('is read back as it was written', () => {
    expect(parsePlanText(planText(plan), plan)).toEqual({
      steps: [
        { id: 'a', description: 'Do a', depends_on: [], writes: [], needs: [], hint: 'fast' },
        {
          id: 'b',
          description: 'Do b',
          depends_on: ['a'],
          writes: ['x.md'],
          needs: [],
          capsule: 'file-clerk',
        },
      ],
    });
  });

  it('takes changed, deleted and added steps', () => {
    const parsed = parsePlanText('2 Do it well\n3. Then this\n  after: 2\n', plan);
    expect(parsed).toMatchObject({
      steps: [
        { id: 'b', description: 'Do it well', depends_on: [] },
        { id: 'added_3', description: 'Then this', depends_on: ['b'] },
      ],
    });
  });

  it.each([
    ['1 Do a\n  aftr: 1', 'Line 2: there is no field "aftr". Did you mean after?'],
    ['1 Do a\n\n1 Do b', 'Line 3: step 1 is on line 1 too. Give it another number.'],
    ['1 Do a\n  after: 4', 'Line 2: there is no step 4. There are: 1.'],
    ['after: 1', 'Line 1: "after: 1" is before the first step. Move it below one.'],
    ['1 Do a\n  hint: big', 'Line 2: hint is "big". It must be fast, balanced or best.'],
    [
      '# nothing',
      'The plan has no step. Write one, such as `1 Fix the tests`. Esc drops the plan.',
    ],
  ])('names the line and the fix: %j', (text, problem) => {
    expect(parsePlanText(text, plan)).toEqual({ problem });
  });
});
