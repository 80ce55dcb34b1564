import type { HandlerContext, Outcome } from '../context.ts';
import { type Filled, type Form, form } from '../phrases/form.ts';
import { TaskError } from '../task-error.ts';
import type { Code } from './run-code.ts';

/** Runs one command for a form. */
export type RunCommand = (
  command: Code,
  filled: Filled,
  context: HandlerContext,
) => Promise<Outcome>;

const show = '(show|list|print|give|get|see|display|what is|what are|what was|what were|run) [me]';
const here =
  '[(in|of|for) [this|current] (repo|repository|project|folder|workspace|git repository)]';

/** Common requests to Git, without back-ticks. */
const commands: readonly (readonly [
  command: (count: number, file: string) => string,
  example: string,
  ...patterns: readonly string[],
])[] = [
  [
    () => 'git status --short --branch',
    'Show the git status',
    `[${show}] git status ${here}`,
    `(which|what) files (have|are|were) [been] (changed|modified|uncommitted|not committed) ${here} [since last commit]`,
    `(which|what) files have (uncommitted|unstaged|local) changes ${here}`,
    `(are there|do i have|is there) [any] (uncommitted|unstaged|local) changes ${here}`,
    `is (working tree|working directory|repo|repository) clean`,
    `(what|which) (has|have) changed ${here} since last commit`,
    `(what|which) (has|have) not [yet] been committed [yet] ${here}`,
    `(what|which) is (uncommitted|not committed) [yet] ${here}`,
  ],
  [
    // Files that may hold secrets can't be read inside the sandbox.
    () => 'git diff HEAD -- . ":(exclude).env*"',
    'Show the git diff',
    `[${show}] [git] diff ${here}`,
    `${show} (uncommitted|unstaged|local|current) (changes|diff|modifications) ${here}`,
    `(${show}|what) (changes|changed|did i change) since last commit ${here}`,
    `what did i change ${here} [since last commit]`,
    `what have i changed ${here} [since last commit]`,
  ],
  [
    (_count, file) => `git diff HEAD -- "${file}"`,
    'Show the diff of {file}',
    `[${show}] [git] (diff|changes) (of|in|to|for) [file] {file}`,
    `what (changed|has changed|did i change) in [file] {file} [since last commit]`,
  ],
  [
    (count) => `git log -n ${count} --date=short "--format=%h %ad %an: %s"`,
    'Show the last 5 commits',
    `[${show}] git (log|history) ${here} [one line per commit|with one line per commit]`,
    `${show} (last|latest|recent|newest|most recent) [{n}] [git] (isOne:(commit)|commits|commit messages) ${here}`,
    `${show} [all] [git] (commits|commit messages|commit history|commit log|git history) ${here}`,
    `(who|when) (made|wrote|did|was) [last|latest|most recent] isOne:(commit) [made] ${here}`,
    `what (did|does) [last|latest|most recent] isOne:(commit) (change|do|say) ${here}`,
    `message of [last|latest|most recent] isOne:(commit)`,
    `${show} (message|author|date|hash) of (last|latest|most recent) isOne:(commit) ${here}`,
  ],
  [
    () => 'git show -m --first-parent --name-status --date=short "--format=%h %ad %an: %s" HEAD',
    'Which files did the last commit change?',
    `(which|what) files (were|are|got) (changed|touched|modified|edited|affected) (by|in) [last|latest|most recent] commit ${here}`,
    `what (changed|was changed|has changed) (in|by|with) [last|latest|most recent] commit ${here}`,
    `(which|what) files (were|are) [part] (of|in) [last|latest|most recent] commit ${here}`,
    `(which|what) files (did|does) [last|latest|most recent] commit (change|touch|modify|edit|affect) ${here}`,
    `${show} files [that were] (changed|touched|modified) (by|in) [last|latest|most recent] commit ${here}`,
  ],
  [
    () => 'git branch --show-current',
    'Which branch am I on?',
    '(which|what) [git] branch (am i on|is this|is checked out|are we on|is active)',
    `${show} current [git] branch ${here}`,
    'what branch is it',
  ],
  [
    () => 'git branch --list',
    'List the git branches',
    `${show} [all] [local] git branches ${here}`,
    `(which|what) git branches (are there|exist|do i have) ${here}`,
  ],
  [
    () => 'git rev-list --count HEAD',
    'How many commits are there?',
    `how many [git] commits (does|do) [this|current] (repo|repository|project) have`,
    `(how many|count|count [all]|number of) [git] commits [are there|are|there are|exist|does|has|were made|have been made] ${here} [have]`,
  ],
];

/** Forms that read a git repository. */
export const gitForms = (run: RunCommand): readonly Form[] =>
  commands.map(([command, example, ...patterns]) =>
    form(
      (filled, context) => {
        const isOne = filled.word('isOne') === 'commit';
        const file = filled.text('file') ?? '';
        if (/["'$`\\]/.test(file))
          throw new TaskError('NOT_SUPPORTED', 'Give the whole command in back-ticks.');
        const text = command(filled.number('n') ?? (isOne ? 1 : 20), file);
        return run({ kind: 'command', text }, filled, context);
      },
      example,
      ...patterns,
    ),
  );
