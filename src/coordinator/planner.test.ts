import { expect, it } from 'vitest';
import { makePlan, type PlanQuestion } from './planner.ts';

const question: PlanQuestion = {
  task: 'Have @bard rhyme it',
  phase: 'execution',
  found: [],
  capsules: [{ id: 'bard', description: 'Rhymes.' }],
  max_subtasks: 5,
  named: '@bard',
};

/** Plans one step for each answer, one after the other. */
async function plan(answers: readonly string[], changes: Partial<PlanQuestion> = {}) {
  const left = [...answers];
  const problems: string[] = [];
  const made = await makePlan(
    { ...question, ...changes },
    async () => {
      const description = left.shift() ?? '';
      return {
        discovery: [],
        execution: [{ id: 's1', description, depends_on: [], writes: [], needs: [] }],
      };
    },
    (problem) => problems.push(problem),
  ).catch(String);
  return { problems, steps: typeof made === 'string' ? made : made.steps };
}

it('a plan that leaves the named capsule out goes back once', async () => {
  const { steps, problems } = await plan(['Rhyme it', '@bard Rhyme it']);
  expect(problems).toEqual(['no step begins with @bard, which the task names']);
  expect(steps).toMatchObject([{ description: '@bard Rhyme it' }]);
  expect((await plan(['Rhyme it', 'Rhyme it'])).steps).toContain('which the task names');
});

it('one that was named in what was done before is not missed', async () => {
  const found = [{ subtask_id: 's0', description: '@bard Rhyme it', result: 'rhymes' }];
  expect((await plan(['Print it'], { found })).problems).toEqual([]);
});
