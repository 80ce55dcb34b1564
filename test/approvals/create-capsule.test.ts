import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approval.ts';
import { escapeText } from '../../src/contract/text/escape-text.ts';
import { missingAbilities } from '../../src/registry/ability/ability.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Script, ScriptedRequest } from '../model-server/script.ts';
import { openTaskRunner } from '../programs/run-tasks.ts';
import { type OwnCapsules, ownCapsulesOf } from '../setup/own-capsules.ts';
import { type Person, temporaryPerson } from '../setup/temporary-person.ts';

let person: Person;
let own: OwnCapsules['own'];
let writeOwn: OwnCapsules['writeOwn'];
let server: ModelServer | undefined;
beforeEach(() => {
  person = temporaryPerson();
  ({ own, writeOwn } = ownCapsulesOf(person));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  person.remove();
});

const task = 'Compose a fugue in four voices';
const plan = {
  discovery: [],
  execution: [{ id: 's1', description: task, depends_on: [] }],
};

const profile = {
  id: '',
  name: 'Фуги и каноны',
  description: 'Composes counterpoint: fugues, canons and inventions in several voices.',
  role: 'You compose {{tools}} \u202E strictly.\u001b[2J',
  examples: ['Write a canon for two violins'],
  skills: ['file_system', 'no_such_skill'],
  grants: {
    file_io: { operations: ['read', 'write'], paths: ['scores/**', '/etc/**', '../out'] },
    terminal: { operations: ['read'], commands: ['lilypond **'] },
    sql_query: { paths: ['**'] },
    web_fetch: { operations: ['GET'] },
  },
};

const musician =
  (described: unknown = profile): Script =>
  (request: ScriptedRequest) => {
    const document = { plan, judge: { choice: null, why: 'none' }, answer: { answer: 'Done.' } };
    const { responseName = '' } = request;
    if (responseName === 'profile') return { json: described };
    if (Object.hasOwn(document, responseName))
      return { json: document[responseName as keyof typeof document] };
    return { json: { status: 'ok', result: 'A fugue.' }, text: 'A fugue.' };
  };

/** Runs the task with a scripted model. Every question is answered and collected. */
async function runTask(
  script: Script,
  answerTo: (question: Approval) => 'approve' | 'deny',
  environment: Readonly<Record<string, string>> = {},
) {
  server = await startModelServer({ vendor: 'openai', script });
  const asked: Approval[] = [];
  const runner = await openTaskRunner(person, {
    settings: { provider: 'openai', model: server.model, budgetUsd: '1' },
    environment: {
      CAPSTAN_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: 'key-of-the-test-0123456789',
      ...environment,
    },
    approver: {
      async ask(question) {
        asked.push(question);
        return { answer: answerTo(question), by: 'terminal' };
      },
    },
  });
  try {
    const run = await runner.run(task);
    const subtasks = runner.stores.subtasks.of(run.id);
    const chosen = subtasks.map(({ capsuleId }) => capsuleId);
    const errors = subtasks.map(({ error }) => error?.message);
    const notices = runner.events.flatMap((one) => (one.type === 'run.noticed' ? [one.text] : []));
    return {
      run,
      chosen,
      errors,
      notices,
      questions: asked.filter(({ kind }) => kind === 'create'),
    };
  } finally {
    await runner.close();
  }
}

describe('a capsule for a subtask that none fits', () => {
  it('is shown in full before it is created, and is created as shown', async () => {
    const { chosen, questions } = await runTask(musician(), () => 'approve');
    const id = 'fugi-i-kanony';
    expect(chosen).toEqual([id]);
    const [question] = questions;
    const manifest = readFileSync(own(`${id}/manifest.json`), 'utf8');
    const overlay = readFileSync(own(`${id}/skill.md`), 'utf8');
    expect(question?.details).toBe(`manifest.json\n${manifest}\nskill.md\n${overlay}`);
    expect(overlay).toMatch(/^You compose \\{{tools}} strictly\. \[2J\n\n/);
    expect(escapeText(question?.details ?? '', true)).toBe(question?.details);
    expect(JSON.parse(manifest)).toMatchObject({
      name: 'Фуги и каноны',
      skills: ['file_system'],
      grants: {
        tools: {
          file_io: { operations: ['read', 'write'], paths: ['scores/**'] },
          terminal: { operations: ['read'], commands: ['lilypond **'], hosts: [] },
          web_fetch: { operations: ['GET'], hosts: [] },
        },
        services: [],
      },
      task_kinds: [{ examples: ['Write a canon for two violins'] }],
    });
    expect(Object.keys(JSON.parse(manifest).grants.tools)).toEqual([
      'file_io',
      'terminal',
      'web_fetch',
    ]);
  });

  it('is not created if a person denies it', async () => {
    const { run } = await runTask(musician(), () => 'deny');
    expect(run.status).toBe('failed');
    expect(existsSync(own('fugi-i-kanony'))).toBe(false);
  });

  it('is not created if an existing one does nearly the same, which then gets the subtask', async () => {
    writeOwn('counterpoint', {
      description: profile.description,
      name: profile.name,
      task_kinds: [{ name: 'work', mode: 'agentic', description: 'Works.' }],
    });
    const { chosen, questions } = await runTask(musician(), () => 'approve');
    expect({ chosen, asked: questions.length }).toEqual({ chosen: ['counterpoint'], asked: 0 });
  });

  it('is created once if two subtasks need the same at the same time', async () => {
    const [step] = plan.execution;
    const two = { discovery: [], execution: [step, { ...step, id: 's2' }] };
    const script: Script = (request) =>
      request.responseName === 'plan' ? { json: two } : musician()(request);
    const { run, chosen, questions } = await runTask(script, () => 'approve');
    expect([run.status, questions.length]).toEqual(['completed', 1]);
    expect(chosen).toEqual(['fugi-i-kanony', 'fugi-i-kanony']);
    expect(readdirSync(own())).toEqual(['fugi-i-kanony']);
  });

  it.each([
    ['no description', { nonsense: true }],
    ['a grant of an unknown tool', { ...profile, grants: { root: { operations: ['read'] } } }],
    [
      'a grant of an unknown operation',
      { ...profile, grants: { file_io: { operations: ['read', 'chmod'] } } },
    ],
    ['a grant that is no object', { ...profile, grants: { http_api: 'all' } }],
  ])('is described by the heuristic if the model gives %s', async (_what, described) => {
    const { chosen, notices } = await runTask(musician(described), () => 'approve');
    expect(notices).toContainEqual(
      expect.stringMatching(/^The new capsule is described by the words of its task: The model's/),
    );
    expect(chosen).toEqual(['compose-fugue-four-voices']);
    const manifest = JSON.parse(
      readFileSync(join(own('compose-fugue-four-voices'), 'manifest.json'), 'utf8'),
    );
    expect(manifest.description).toBe(task);
    expect(Object.keys(manifest.grants.tools)).toEqual(['file_io']);
  });
});

describe('a new capsule for a step with needs', () => {
  const deleting: Script = (request) => {
    const step = { id: 's1', description: task, depends_on: [], needs: ['database_write'] };
    if (request.responseName === 'plan') return { json: { discovery: [], execution: [step] } };
    return musician()(request);
  };

  it('gets the grants for them, also if the model leaves them out', async () => {
    writeOwn('reader', { grants: { tools: { file_io: { paths: ['**'] } } } });
    const { chosen } = await runTask(deleting, () => 'approve');
    const [id = ''] = chosen;
    const manifest = JSON.parse(readFileSync(own(`${id}/manifest.json`), 'utf8'));
    expect(missingAbilities(manifest.grants.tools, ['database_write'])).toEqual([]);
  });

  it('is neither described nor asked about if the gates deny them', async () => {
    const names: string[] = [];
    const script: Script = (request) => {
      names.push(request.responseName ?? '');
      return deleting(request);
    };
    const gates = { CAPSTAN_EXECUTE_GATE: 'deny', CAPSTAN_WRITE_GATE: 'deny' };
    const { errors, questions } = await runTask(script, () => 'approve', gates);
    expect([...new Set(errors)]).toEqual([expect.stringContaining('it needs to change databases')]);
    expect([names.includes('profile'), questions]).toEqual([false, []]);
  });
});

it('a run that has used all of its capsules does not ask for another one', async () => {
  const names: string[] = [];
  const execution = [
    { id: 's1', description: '@file-clerk list the files', depends_on: [] },
    { id: 's2', description: task, depends_on: ['s1'] },
  ];
  const script: Script = (request) => {
    names.push(request.responseName ?? '');
    if (request.responseName === 'plan') return { json: { discovery: [], execution } };
    return musician()(request);
  };
  const { errors, questions } = await runTask(script, () => 'approve', {
    CAPSTAN_MAX_CAPSULES: '1',
  });
  expect([...new Set(errors)]).toEqual([
    undefined,
    expect.stringContaining('maximum of 1 capsules'),
  ]);
  expect(names).not.toContain('judge');
  expect(names).not.toContain('profile');
  expect(questions).toEqual([]);
});
