import { basename, isAbsolute, relative, resolve, sep } from 'node:path';

export interface ProtectionFacts {
  /** Capstan's own folders, absolute. No setting opens them. */
  readonly ownDirs: readonly string[];
  /** The person's home, absolute. */
  readonly home: string;
  /** Absolute. */
  readonly workspace: string;
  /** Paths that the user's setting opens, absolute or relative to the workspace; a folder with its content. */
  readonly openPaths: readonly string[];
}

/** Names of folders with keys and credentials, in any place. */
const secretFolders = new Set(words('.ssh .aws .gnupg .azure .kube .password-store'));

/** Below the home folder: credentials of clouds, package managers and tools. */
const secretInHome = words(`
  .config/git/credentials .config/gcloud .config/gh .config/hub .config/glab-cli .config/doctl .config/op .config/pip
  .config/composer/auth.json .config/containers/auth.json .config/google-chrome .config/chromium .local/share/keyrings
  .docker/config.json .oci .terraform.d .cargo/credentials .cargo/credentials.toml .gem/credentials .bundle/config
  .composer/auth.json .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .nuget/nuget.config .pip
  .mozilla library/keychains`);

/** The same for tools whose folder may be in any place, such as a copy of a home. */
const secretEndings = words(`
  /.claude/.credentials.json /.codex/auth.json /.gemini/oauth_creds.json /.cache/huggingface/token /.kaggle/kaggle.json
  /.docker/config.json /.config/gh/hosts.yml /.cargo/credentials.toml /.m2/settings.xml`);

/** Names of files with credentials, private keys or typed commands, in any folder. In lower case. */
const secretNames =
  /^(\.env.*|.*\.env|\.dev\.vars.*|\.(bash|zsh|python|node_repl|psql|mysql)_history|ssh_host_.*_key|\.?npmrc|\.yarnrc(\.yml)?|\.pypirc|[._]netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.boto|\.s3cfg|\.dockercfg|\.htpasswd|\.vault-token|\.terraformrc|credentials\.tfrc\.json|\.sentryclirc|\.cargo-credentials|id_(rsa|dsa|ecdsa|ed25519)(_sk)?([_-][^.]*)?(\.(bak|backup|old|orig|save|copy|\d)\d*|~)*|.*\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|gpg-key|ovpn)|.*_(rsa|dsa|ecdsa|ed25519)|service[-_]account.*\.json|application_default_credentials\.json)$/;

/** Exceptions that contain no secret: public certificates of authorities, declarations of types, templates, settings of Envoy. */
const harmlessNames =
  /^((cacerts?|(tls-)?ca-bundle|ca-certificates)\.pem|\.env(\..*)?\.d\.[cm]?ts|(example|sample|template|default|test)\.env|\.dev\.vars\.(example|sample|template)|\.envoy(\..*)?\.(ya?ml|json))$/;

/** Names of files that affect Capstan, an editor or an assistant when it is started in the folder. In lower case. */
const steeringNames = anyOf(String.raw`
  capstan.*\.ya?ml \.?mcp\.json \.aider\.conf\.ya?ml opencode\.jsonc? \.?crush\.json \.exrc \.g?vimrc \.nvimrc
  \.nvim\.lua \.lvimrc \.dir-locals(-2)?\.el \.emacs \.editorconfig\.lua .*\.code-workspace .*\.sublime-project
  \.devcontainer\.json`);

/** Names of files that developers often write, although a shell, an interpreter or a commit runs them. In lower case. */
const startingNames = anyOf(String.raw`
  \.envrc \.autoenv.* \.?mise(\..*)?\.toml \.?rtx(\..*)?\.toml \.pre-commit-config\.ya?ml
  \.?lefthook(-local)?\.(ya?ml|toml|json) \.(bash|zsh|k|mksh|c|tcsh|hg)rc \.bash_.* \.z(shenv|profile|login|logout)
  \.(profile|login|logout) \.x(initrc|session|sessionrc|profile)
  \.(tmux\.conf|screenrc|gitconfig|jjconfig\.toml|pam_environment)
  \.(gdbinit|lldbinit|pdbrc|irbrc|pryrc|rprofile|octaverc|ghci|iex\.exs)`);

/** Folders of editors and assistants, whose settings can run programs. */
const steeringFolders = new Set(
  words(`.vscode .vscode-insiders .idea .cursor .zed .fleet .windsurf .vs .helix .trae .kiro .devcontainer .claude .codex
    .gemini .continue .amazonq .roo .qwen .opencode`),
);

/** Folders of hooks, and of files that such programs use. */
const startingFolders = new Set(words('.mise .husky .githooks .lefthook'));

/** Below the home folder: files that a shell, a desktop or a common program runs when it starts. */
const steeringInHome = words(`
  bin .local/bin .vim .emacs.d .oh-my-zsh .jupyter .ipython .config/autostart .config/systemd .config/environment.d
  .config/fish .config/nushell .config/git .config/hg .config/jj .config/nvim .config/emacs .config/helix .config/zed
  .config/code .config/vscodium .config/mise .config/direnv .config/tmux .local/share/applications .local/share/nvim
  library/launchagents`);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** A pattern of complete names that match one of the words. */
function anyOf(patterns: string): RegExp {
  return new RegExp(`^(${words(patterns).join('|')})$`);
}

type Closes = (path: string, facts: ProtectionFacts) => boolean;

/** True if no tool may touch an absolute path, even with a grant. Names match in any letter case, as on some file systems. */
export const isProtectedPath = (
  path: string,
  access: 'read' | 'write',
  facts: ProtectionFacts,
): boolean => isClosed(path, facts, access === 'read' ? holdsSecrets : mustNotBeWritten);

/**
 * The same for processes, whose changes nobody sees in advance: they may not write files that start programs either. If a
 * tool writes such a file, the person is asked and sees the change.
 */
export const isClosedToProcesses = (
  path: string,
  access: 'read' | 'write',
  facts: ProtectionFacts,
): boolean => isClosed(path, facts, access === 'read' ? holdsSecrets : mustNotBeWrittenUnseen);

function isClosed(path: string, facts: ProtectionFacts, closes: Closes): boolean {
  if (facts.ownDirs.some((own) => holds(own, path))) return true;
  return !isOpenedByName(path, facts) && closes(path, facts);
}

/** @param path Absolute. */
export const isOpenedByName = (
  path: string,
  { openPaths, workspace }: Pick<ProtectionFacts, 'openPaths' | 'workspace'>,
): boolean => openPaths.some((open) => holds(resolve(workspace, open), path));

const mustNotBeWritten: Closes = (path, facts) => holdsSecrets(path, facts) || steers(path, facts);

const mustNotBeWrittenUnseen: Closes = (path, facts) =>
  mustNotBeWritten(path, facts) ||
  isStartingName(path) ||
  namesBelow(facts.workspace, path).some((part) => startingFolders.has(part));

function holdsSecrets(path: string, { home, workspace }: ProtectionFacts): boolean {
  const belowHome = namesBelow(home.toLowerCase(), path.toLowerCase());
  if (namesBelow(workspace, path).some(isSecretFolder) || belowHome.some(isSecretFolder))
    return true;
  const name = basename(path).toLowerCase();
  const lower = path.toLowerCase();
  if (secretEndings.some((ending) => lower.endsWith(ending))) return true;
  return isSecretName(name) || isIn(belowHome, secretInHome) || isGitStore(path, name);
}

/** Files of Git helpers in a repository. A branch or a submodule may have such a name. */
const isGitStore = (path: string, name: string): boolean =>
  /credential|cookie|netrc/.test(name) &&
  /\/\.git\/(?!(?:refs|logs|objects|modules|worktrees|hooks|lfs)\/)/i.test(path);

const isSecretName = (name: string): boolean => secretNames.test(name) && !harmlessNames.test(name);

/** True if the names are one of the paths, or are below it. */
function isIn(parts: readonly string[], paths: readonly string[]): boolean {
  if (parts.length === 0) return false;
  const below = `${parts.join('/')}/`;
  return paths.some((path) => below.startsWith(path) && below[path.length] === '/');
}

/** Also files that were taken away from a command: no tool restores them. */
const isSecretFolder = (name: string): boolean =>
  secretFolders.has(name) || name.startsWith('.capstan-taken-');

function steers(path: string, { workspace, home }: ProtectionFacts): boolean {
  const parts = namesBelow(workspace, path);
  if (parts.some((part) => steeringFolders.has(part))) return true;
  if (steeringNames.test(basename(path).toLowerCase())) return true;
  if (parts.some((part, at) => histories.get(part)?.(parts.slice(at + 1)))) return true;
  const belowHome = namesBelow(home.toLowerCase(), path.toLowerCase());
  return isIn(belowHome, steeringInHome) || (belowHome.length === 1 && isStartingName(path));
}

const isStartingName = (path: string): boolean => startingNames.test(basename(path).toLowerCase());

type Steers = (below: readonly string[]) => boolean;

/** Names below these folders are those of branches and contents: `refs/heads/feature/config`. */
const namedByPeople: ReadonlySet<string> = new Set(['refs', 'logs', 'objects']);

/** Hooks, configuration, the remaining steps of a rebase, and files that point to these; also of worktrees and submodules. */
const steersGit: Steers = (below) => {
  const [first = ''] = below[0] === 'worktrees' ? below.slice(2) : below;
  if (namedByPeople.has(first)) return false;
  const last = below.at(-1);
  return (
    last === undefined ||
    ['config', 'config.worktree', 'commondir', 'gitdir', 'attributes'].includes(last) ||
    below.some((name) => ['hooks', 'rebase-merge', 'rebase-apply', 'sequencer'].includes(name))
  );
};

/** Configuration, and files that point to configuration: `sharedpath`. */
const steersMercurial: Steers = ([first = '']) =>
  /^(hgrc.*|config|sharedpath|requires)$/.test(first);

/** `repo` may be a file that points to another repository; below it is a Git repository. */
const steersJujutsu: Steers = (below) => {
  const path = below.join('/');
  return (
    /^(repo|workspace-config.*|repo\/(config|workspace-config).*|repo\/store\/git_target)$/.test(
      path,
    ) ||
    (path.startsWith('repo/store/git/') && steersGit(below.slice(3)))
  );
};

/** The protected files of version control systems, by the name of their folder; paths below it in lower case. */
const histories: ReadonlyMap<string, Steers> = new Map([
  ['.git', steersGit],
  ['.hg', steersMercurial],
  ['.sl', steersMercurial],
  ['.jj', steersJujutsu],
  ['.bzr', (below) => /\.conf$/.test(below.at(-1) ?? '')],
  ['.pijul', ([first]) => first === 'config'],
  ['_darcs', ([first]) => first === 'prefs'],
]);

/** The names of a path below a folder, in lower case; empty if it is outside. */
function namesBelow(folder: string, path: string): readonly string[] {
  if (!holds(folder, path)) return [];
  const below = isPlain ? path.slice(withoutEnd(folder).length + 1) : relative(folder, path);
  return below.toLowerCase().split(sep);
}

/** Compares normalized paths without resolving links, since whole trees may be searched. */
const isPlain = sep === '/';

const withoutEnd = (folder: string): string =>
  folder.endsWith('/') ? folder.slice(0, -1) : folder;

function holds(folder: string, path: string): boolean {
  if (isPlain) {
    const start = withoutEnd(folder);
    return path.startsWith(start) && (path.length === start.length || path[start.length] === '/');
  }
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
