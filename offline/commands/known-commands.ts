import { findFile, readWhole } from '../files/file-tool.ts';
import type { Step } from '../phrases/form.ts';
import { fail } from '../task-error.ts';
import { commitFormat } from './git-history.ts';

/** Forms for common requests to Git and for tests, without back-ticks. */
export const knownForms = `
show = (show|list|print|give|get|see|display|what is|what are|what was|what were|run) [me]
which = (which|what)
here = [here|(in|of|for|does|do) [this|current] (repo|repository|project|folder|workspace|code|git repository)|in (here|git)] [now|right now|currently|at moment]
last = [last|latest|newest|most recent]
since = [since last commit]
test = [unit|project|npm] (tests|test|test suite|test suites)
check = (do|does|(check|see|find out|tell me|verify) (that|whether|if))
pass = (pass|passes|succeed|succeeds|work|works|run|is green|are green)
local = (uncommitted|uncommited|unstaged|untracked|modified|changed|touched|edited|affected|local|current|not [yet] [been] (committed|tracked|in git|under version control|checked in) [yet])
dirty = <local> [(or|and) <local>]
saying = (with|and|using) [commit] [message] {message:quote}
all = [(all [of] [files|changes|my changes]|everything|it|them|this|that|changes|files|all local changes|{files:file+}|changes (in|to|of) [file] {files:file+}) [to git]]
source = ([<fold>] {source:file} [<fold>]|<fold> {source:name}|{source:name} <fold>)
copy = [new] [<fold>] [called|named] ({copy:file}|{copy:name}) [<fold>]
clean = (is everything (committed|clean)|(did|have) i (commit|committed) everything|did i forget to commit (anything|something)|is (working tree|working directory|repo|repository) clean|is there anything [left] to commit)
any = ([<show>|<which>|(is|are) there|(do|have) (i|we) [have|got]] [any|all] [anything|files|changes|work])
add = (add|added|introduce|introduced|commit|committed|create|created|import|imported)
git = [to (git|repo|repository|project)] <here>
day = time:(today|yesterday|{date})
diff: Show the git diff
  [<show>] [git] only:(diff) <here>
  <show> <local> (changes|diff|modifications) <here>
  (what|<which> files) (did i change|have i changed|[has|have|were] changed in git) <here> <since>
diffOf: Show the diff of {file}
  [<show>] [git] (diff|changes) (of|in|to|for) [file] {file}
lastDiff: Show the diff of the last commit
  <show> [git] (diff|changes) (of|in|from) <last> commit <here>
  <show> <last> commit's (diff|changes) <here>
status: Show the git status
  [<show>] git status <here> [<clean>]
  <clean> <here>
  <any> <dirty> [files|changes] <here> <since>
  (did|have|has) (i|we|anybody|anyone) (change|changed|edited|edit|modified|modify|touched) (anything|something|any files) [that (isn't|is not|hasn't been|has not been|is not yet|isn't yet) committed [yet]] <here> <since>
  (what|<which> files) ((did i|have i|were) (change|changed|edited|modified) (or|and) (add|added|created|removed|deleted)) <here> <since>
  (what|<which> files) have (i|we) [changed (but|and)] not [yet] committed [yet] <here>
  <any> <here> [that] [git says] (is|are|has|have|were) [been] <dirty> [changes] <here> <since>
logSince: Show the commits since yesterday
  what [was|has|has been] (changed|committed) (since <day>|time:(today)) <here>
logOf: Who last changed {file}?
  (who|<which> commit) [isOne:(last)] (changed|edited|modified|touched|committed|wrote|worked on) [file] {file} [isOne:(last)] <here>
  when was [file] {file} isOne:(last) (changed|edited|modified|touched) (in git [[,] and by (whom|who)]|[,] and by (whom|who) [in git])
  [<show>] [git] (log|history|commits) (of|for) [file] {file} <here>
addedIn: In which commit was {file} added?
  (in|with) <which> commit ((did|have) (i|we) [first] <add> [file] {file}|(was|is) [file] {file} [first] <add>) <git>
  (<which> commit|who) [first] <add> [file] {file} <git> [and when]
  when ((did|have) (i|we) [first] <add> [file] {file}|was [file] {file} [first] <add>) <git>
branch: Which branch am I on?
  [on] <which> [git] branch (am i [on]|are we [on]|is (this|checked out|active|it)) <here>
branches: List the git branches
  (<show> [all] [local]|<which>) git branches [are there|exist|do i have] <here>
newBranch: Create a branch called "new-branch"
  (create|make|start|add|open) [new] [git] branch [called|named] {name:word|quote|file} <here>
  mayGo:(switch to|check out|checkout|change to|go to|move to) new [git] branch [called|named] {name:word|quote|file} <here>
switching: Switch to the branch main
  ((switch|change|go|go back|move) to|check out|checkout) ([git] branch {name:word|quote|file}|{name:word|quote|file} [git] branch) <here>
tagging: Tag the current commit as "v1.0"
  tag ([<last>|current|this] (commit|version|state)|it|this) [as|with] {name:word|quote|file} <here>
committing: Commit everything with the message "what changed"
  [git] commit <all> <here> <saying>
  [git] [:] commit (<all>|what i changed) (as|message|with message) {message:quote}
newFolder: Create a folder called new-folder
  (create|make|add) [new|empty] (<fold>|subfolder) [called|named] {name:word|quote|file} [<fold>]
copyFolder: Copy the folder docs to docs-backup
  (copy|duplicate|back up) <source> (to|as|into) <copy>
  (make|create) (copy|backup|duplicate) of <source> (to|as|called|named|in|at) <copy>
tests: Run the tests
  (run|execute|start) [all] <test> <here> [and (show|tell|report|give) [me] (results?|output|whether they pass|if they pass|which fail|how many tests (pass|passed|fail|failed))]
  <check> [all] <test> <pass> <here>
`;

/** The command of each form. */
export const knownCommands: Readonly<
  Record<string, (step: Step) => Promise<string> | string | readonly string[]>
> = {
  status: () => 'git status',
  // Files that may hold secrets can't be read inside the sandbox.
  diff: (step) => [
    // A diff does not show new files.
    ...(step.has('only') ? [] : ['git status --short']),
    'git diff HEAD -- . ":(exclude).env*"',
  ],
  lastDiff: () => 'git show -m --first-parent HEAD -- . ":(exclude).env*"',
  diffOf: (step) => `git diff HEAD -- "${step.text('file')}"`,
  logSince: (step) => {
    const day = step.tokens('date')[0]?.norm.padEnd(10, '-01') ?? step.word('time');
    const from =
      day === 'today' ? 'midnight' : day === 'yesterday' ? `${day}.midnight` : `${day} 00:00`;
    return [`git log "--since=${from}" --name-status ${commitFormat}`, 'git status --short'];
  },
  logOf: (step) =>
    `git log -n ${step.has('isOne') ? 1 : 20} ${commitFormat} -- "${step.text('file')}"`,
  addedIn: (step) => `git log --diff-filter=A ${commitFormat} -- "${step.text('file')}"`,
  newBranch: (step) => `git ${step.has('mayGo') ? 'switch -c' : 'branch'} ${nameIn(step)}`,
  switching: (step) => `git switch ${nameIn(step)}`,
  tagging: (step) => `git tag ${nameIn(step)}`,
  committing: (step) => {
    const paths = step.texts('files').map((path) => `"${path}"`);
    const message = `git commit -m "${step.text('message')}"`;
    return [`git add ${paths.length > 0 ? paths.join(' ') : '-A'}`, message];
  },
  newFolder: (step) => `mkdir ${nameIn(step)}`,
  copyFolder: (step) => {
    const [from, to] = [step.text('source'), step.text('copy').replace(/\/$/, '')];
    return `test -d "${from}" && test ! -e "${to}" && cp -R "${from}" "${to}"`;
  },
  branch: () => 'git branch --show-current',
  branches: () => 'git branch --list',
  tests: testCommand,
};

/** The quoted name of a step. A leading hyphen is refused, because it would be an option. */
function nameIn(step: Step): string {
  const name = step.text('name').replace(/\/$/, '');
  return /^[^-].*/.test(name)
    ? `"${name}"`
    : fail('INPUT_INVALID', `"${name}" cannot be a name: it begins with a hyphen.`);
}

/** Files that show how tests are run, what they must contain, and the command. */
const testRunners: readonly (readonly [file: string, contains: RegExp, command: string])[] = [
  ['package.json', /"test"\s*:/, 'npm test'],
  ['Makefile', /^test\s*:/m, 'make test'],
  ['Cargo.toml', /^\[package\]/m, 'cargo test'],
  ['go.mod', /^module /m, 'go test ./...'],
  ['pytest.ini', /[\s\S]*/, 'python3 -m pytest'],
  ['pyproject.toml', /\[tool\.pytest/, 'python3 -m pytest'],
];

/** The command that runs the tests of the folder. @throws TaskError `NOT_FOUND` if no file shows how they are run. */
async function testCommand(step: Step): Promise<string> {
  for (const [file, contains, command] of testRunners) {
    const isThere = (await findFile(step, file)) !== undefined;
    if (isThere && contains.test((await readWhole(step, file)).content)) return command;
  }
  if ((await findFile(step, 'tests'))?.kind === 'folder')
    return 'python3 -m unittest discover tests';
  const files = testRunners.map(([file]) => file).join(', ');
  return fail('NOT_FOUND', `No test command is in ${files}. Name it, such as \`npm test\`.`);
}
