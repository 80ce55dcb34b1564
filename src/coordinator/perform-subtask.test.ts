import { expect, it } from 'vitest';
import { openTaskRunner } from '../../test/programs/run-tasks.ts';
import { temporaryPerson } from '../../test/setup/temporary-person.ts';

it('names the capsule whose words a refusal has, after several have declined', async () => {
  const person = temporaryPerson();
  const runner = await openTaskRunner(person);
  try {
    const run = await runner.run('Count the unicorns in the sky by their mood');
    const [step] = runner.stores.subtasks.of(run.id);
    expect(step?.error?.message).toMatch(
      /^No capsule understands this without a language model\. [a-z-]+: \w/,
    );
  } finally {
    await runner.close();
    person.remove();
  }
});
