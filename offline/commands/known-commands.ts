import type { HandlerContext } from '../context.ts';
import { findFile, readWhole } from '../files/file-tool.ts';
import { pathsIn } from '../files/which-files.ts';
import { type Filled, need } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';

/** The command for a request without back-ticks. */
type CommandFor = (filled: Filled, context: HandlerContext) => Promise<string> | string;

const show = '(show|list|print|give|get|see|display|what is|what are|what was|what were|run) [me]';
const here =
  '[(in|of|for|does|do) [this|current] (repo|repository|project|folder|workspace|code|git repository)]';
const last = '[last|latest|most recent]';
const wasChanged = '(changed|touched|modified|edited|affected)';
const one = 'isOne:(commit)';
const test = '[unit|project|npm] (tests|test|test suite|test suites)';
const check = '(check|see|find out|tell me|verify) (that|whether|if)';
const pass = '(pass|passes|succeed|succeeds|work|works|run|is green|are green)';

/** Common requests to Git and for tests: the command, a sentence that works, patterns. */
export const knownCommands: readonly (readonly [CommandFor, string, ...string[]])[] = [
  [
    () => 'git status --short --branch',
    'Show the git status',
    `[${show}] git status ${here}`,
    `(which|what) files (have|are|were) [been] (changed|modified|uncommitted|not committed) ${here} [since last commit]`,
    `((which|what) files have|(are there|do i have|is there) [any]) (uncommitted|unstaged|local) changes ${here}`,
    'is (working tree|working directory|repo|repository) clean',
    `(what|which) (has|have) changed ${here} since last commit`,
    `(what|which) (has|have|is) (not [yet] been committed|uncommitted|not committed) [yet] ${here}`,
  ],
  [
    // Files that may hold secrets can't be read inside the sandbox.
    () => 'git diff HEAD -- . ":(exclude).env*"',
    'Show the git diff',
    `[${show}] [git] diff ${here}`,
    `${show} (uncommitted|unstaged|local|current) (changes|diff|modifications) ${here}`,
    `(${show}|what) (changes|changed) since last commit ${here}`,
    `what (did i change|have i changed) ${here} [since last commit]`,
  ],
  [
    (filled) => `git diff HEAD -- "${need(filled, 'file')}"`,
    'Show the diff of {file}',
    `[${show}] [git] (diff|changes) (of|in|to|for) [file] {file}`,
    'what (changed|has changed|did i change) in [file] {file} [since last commit]',
  ],
  [
    (filled) => {
      const count = filled.number('n') ?? (filled.has('isOne') ? 1 : 20);
      return `git log -n ${count} --date=short "--format=%h %ad %an: %s"`;
    },
    'Show the last 5 commits',
    `[${show}] git (log|history) ${here} [[with] one line per commit]`,
    `${show} (last|latest|recent|newest|most recent) [{n}] [git] (${one}|commits|commit messages) ${here}`,
    `${show} [all] [git] (commits|commit messages|commit history|commit log|git history) ${here}`,
    `(who|when) (made|wrote|did|was) ${last} ${one} [made] ${here}`,
    `what (did|does) ${last} ${one} (change|do|say) ${here}`,
    `[${show}] (message|author|date|hash) of ${last} ${one} ${here}`,
  ],
  [
    () => 'git show -m --first-parent --name-status --date=short "--format=%h %ad %an: %s" HEAD',
    'Which files did the last commit change?',
    `((which|what) files (were|are|got)|what [was|has]|${show} files [that were]) ${wasChanged} (by|in|with) ${last} commit ${here}`,
    `(which|what) files (were|are) [part] (of|in) ${last} commit ${here}`,
    `(which|what) files (did|does) ${last} commit (change|touch|modify|edit|affect) ${here}`,
  ],
  [
    () => 'git branch --show-current',
    'Which branch am I on?',
    '(which|what) [git] branch (am i on|is this|is checked out|are we on|is active|is it)',
    `${show} current [git] branch ${here}`,
  ],
  [
    () => 'git branch --list',
    'List the git branches',
    `(${show} [all] [local]|which|what) git branches [are there|exist|do i have] ${here}`,
  ],
  [
    () => 'git rev-list --count HEAD',
    'How many commits are there?',
    `(how many|count [all]|number of) [git] commits [are there|are|there are|exist|were made|have been made] ${here} [have|has]`,
  ],
  [
    testCommand,
    'Run the tests',
    `(run|execute|start) [all] ${test} ${here} [and (show|tell|report|give) [me] (results?|output|whether they pass|if they pass|which fail|how many tests (pass|passed|fail|failed))]`,
    `(do|does|${check}) [all] ${test} ${pass} ${here}`,
    `are [all|any|some] ${test} (passing|green|ok|failing|broken|red) ${here} [(at moment|right now|now|currently)]`,
  ],
  [
    testsOfFile,
    'Run the tests in {file}',
    '(run|execute|start) [tests?] [(in|of|from)] [file] {file} [tests?]',
    `(do|does|${check}) [tests?] [(in|of)] {file} [tests?] ${pass}`,
    'is {file} (passing|green|ok)',
  ],
];

/** The command that runs the tests of one file, in its folder, by its name. @throws TaskError `NOT_SUPPORTED`. */
async function testsOfFile(filled: Filled, context: HandlerContext): Promise<string> {
  const name = need(filled, 'file');
  const isHere = (await findFile(context, name)) !== undefined;
  const below = { path: '.', globs: [`**/${name}`], recursive: true, isFile: false };
  const [only, ...others] = isHere ? [name] : await pathsIn(context, [below]);
  const path = others.length === 0 ? (only ?? name) : name;
  if (/\.(?:test|spec)\.[cm]?js$/.test(path)) return `node --test "${path}"`;
  if (/(?:^|\/)test_[^/]*\.py$/.test(path)) return `python3 -m unittest "${path}"`;
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
async function testCommand(_filled: Filled, context: HandlerContext): Promise<string> {
  for (const [file, holds, command] of kinds) {
    const isThere = (await findFile(context, file)) !== undefined;
    if (isThere && holds.test((await readWhole(context, file)).content)) return command;
  }
  if ((await findFile(context, 'tests'))?.kind === 'folder')
    return 'python3 -m unittest discover tests';
  throw new TaskError(
    'NOT_FOUND',
    `No ${kinds.map(([file]) => file).join(', ')} says how tests are run here. Give the command in back-ticks, such as: run \`npm test\`.`,
  );
}
