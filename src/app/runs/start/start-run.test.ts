import { expect, it } from 'vitest';
import { temporaryPerson } from '../../../../test/setup/temporary-person.ts';
import { openCapstan } from '../../open-capstan.ts';

it.skipIf(process.getuid?.() !== 0)(
  'a run of root in all of the machine is refused (skipped for other users)',
  async () => {
    const person = temporaryPerson();
    const capstan = await openCapstan({ env: person.environment, cwd: person.project });
    try {
      const starting = capstan.runs.start({ task: 'List the files', workspace: '/', dryRun: true });
      await expect(starting).rejects.toMatchObject({
        code: 'SETTINGS_INVALID',
        message: expect.stringContaining('Name the folder that the task is about'),
      });
    } finally {
      await capstan.close();
      person.remove();
    }
  },
);
