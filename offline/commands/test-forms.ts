import type { HandlerContext } from '../context.ts';
import { matching } from '../files/edit-text.ts';
import { findFile, readWhole } from '../files/file-tool.ts';
import { type Form, form, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import type { RunCommand } from './git-forms.ts';

const here = '[(in|of|for) [this|current] (repo|repository|project|folder|workspace|code)]';
const tests = '[unit|project|npm] (tests|test|test suite|test suites)';

/** Forms that run the tests of the folder, with the command that its files give. */
export const testForms = (run: RunCommand): readonly Form[] => [
  form(
    async (filled, context) =>
      run({ kind: 'command', text: await testCommand(context) }, filled, context),
    'Run the tests',
    `(run|execute|start) [all] ${tests} ${here} [and (show|tell|report|give) [me] (results?|output|whether they pass|if they pass|which fail|how many tests (pass|passed|fail|failed))]`,
    `(do|does) [all] ${tests} (pass|succeed|work|run) ${here}`,
    `(check|see|find out|tell me|verify) (that|whether|if) [all] ${tests} (pass|passes|succeed|work|run|are green) ${here}`,
    `are [all|any|some] ${tests} (passing|green|ok|failing|broken|red) ${here} [(at moment|right now|now|currently)]`,
  ),
  form(
    async (filled, context) =>
      run(
        { kind: 'command', text: await commandOf(context, need(filled, 'file')) },
        filled,
        context,
      ),
    'Run the tests in {file}',
    '(run|execute|start) [tests?] [(in|of|from)] [file] {file:file} [tests?]',
    '(do|does) [tests?] [(in|of)] {file} [tests?] (pass|succeed|work|run)',
    '(check|see|find out|tell me|verify) (that|whether|if) [tests?] [(in|of)] {file} [tests?] (pass|passes|succeed|succeeds|work|works|is green|run)',
    'is {file} (passing|green|ok)',
  ),
];

/** The command that runs the tests of one file, in its folder, by its name. @throws TaskError `NOT_SUPPORTED`. */
async function commandOf(context: HandlerContext, name: string): Promise<string> {
  const isHere = (await findFile(context, name)) !== undefined;
  const [only, ...others] = isHere ? [name] : await matching(context, name);
  const path = others.length === 0 ? (only ?? name) : name;
  const command = /\.(?:test|spec)\.[cm]?js$/.test(path)
    ? `node --test "${path}"`
    : /(?:^|\/)test_[^/]*\.py$/.test(path)
      ? `python3 -m unittest "${path}"`
      : undefined;
  if (command !== undefined && !/["'$`\\]/.test(path)) return command;
  throw new TaskError(
    'NOT_SUPPORTED',
    `It is not clear how the tests of ${path} are run: give the whole command in back-ticks.`,
  );
}

/** The file that shows how tests are run, what it must contain, and the command. */
const kinds: readonly (readonly [file: string, holds: RegExp, command: string])[] = [
  ['package.json', /"test"\s*:/, 'npm test'],
  ['Makefile', /^test\s*:/m, 'make test'],
  ['Cargo.toml', /^\[package\]/m, 'cargo test'],
  ['go.mod', /^module /m, 'go test ./...'],
  ['pytest.ini', /[\s\S]*/, 'python3 -m pytest'],
  ['pyproject.toml', /\[tool\.pytest/, 'python3 -m pytest'],
];

/** @throws TaskError `NOT_FOUND` if no file of the folder shows how tests are run. */
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
