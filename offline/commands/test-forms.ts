import type { HandlerContext } from '../context.ts';
import { findFile, readWhole } from '../files/file-tool.ts';
import { type Form, form } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import type { RunCommand } from './git-forms.ts';

const here = '[(in|of|for) [this|current] (repo|repository|project|folder|workspace|code)]';
const tests = '[unit|project|npm] (tests|test|test suite|test suites)';

/** Forms that run the tests of the folder, by the command that its own files say. */
export const testForms = (run: RunCommand): readonly Form[] => [
  form(
    async (filled, context) =>
      run({ kind: 'command', text: await testCommand(context) }, filled, context),
    'Run the tests',
    `(run|execute|start) [all] ${tests} ${here} [and (show|tell|report|give) [me] (results?|output|whether they pass|if they pass|which fail)]`,
    `(do|does) [all] ${tests} (pass|succeed|work|run) ${here}`,
    `(check|see|find out|tell me|verify) (that|whether|if) [all] ${tests} (pass|passes|succeed|work|run|are green) ${here}`,
    `are [all] ${tests} (passing|green|ok) ${here}`,
  ),
];

/** Which file says that there are tests, what it must hold, and the command. */
const kinds: readonly (readonly [file: string, holds: RegExp, command: string])[] = [
  ['package.json', /"test"\s*:/, 'npm test'],
  ['Makefile', /^test\s*:/m, 'make test'],
  ['Cargo.toml', /^\[package\]/m, 'cargo test'],
  ['go.mod', /^module /m, 'go test ./...'],
  ['pytest.ini', /[\s\S]*/, 'python3 -m pytest'],
  ['pyproject.toml', /\[tool\.pytest/, 'python3 -m pytest'],
];

/** @throws TaskError `NOT_FOUND` where no file of the folder says how tests are run. */
async function testCommand(context: HandlerContext): Promise<string> {
  for (const [file, holds, command] of kinds) {
    if ((await findFile(context, file)) === undefined) continue;
    if (holds.test((await readWhole(context, file)).content)) return command;
  }
  if ((await findFile(context, 'tests'))?.kind === 'folder')
    return 'python3 -m unittest discover tests';
  throw new TaskError(
    'NOT_FOUND',
    `No ${kinds.map(([file]) => file).join(', ')} says how tests are run here. Give the command in back-ticks, such as: run \`npm test\`.`,
  );
}
