import { basename, isAbsolute, relative, resolve, sep } from 'node:path';

export interface ProtectionFacts {
  /** Capstan's own folders, absolute. Nothing opens them. */
  readonly ownDirs: readonly string[];
  /** The person's home, absolute. */
  readonly home: string;
  /** Absolute. */
  readonly workspace: string;
  /** Paths that the person's setting opens by name, absolute or relative to the workspace; a folder opens what it holds. */
  readonly openPaths: readonly string[];
}

/** Folders that hold keys and credentials, wherever they are. */
const secretFolders: ReadonlySet<string> = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.azure',
  '.kube',
  '.password-store',
]);

/** Below the home: credentials of clouds, package managers and tools. */
const secretInHome = [
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/glab-cli',
  '.config/doctl',
  '.config/op',
  '.config/pip',
  '.config/composer/auth.json',
  '.config/containers/auth.json',
  '.local/share/keyrings',
  '.docker/config.json',
  '.oci',
  '.terraform.d',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bundle/config',
  '.composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/nuget.config',
  '.pip',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  'library/keychains',
];

/** Names of files that hold credentials or private keys, wherever they are. In lower case. */
const secretNames =
  /^(\.env.*|\.?npmrc|\.yarnrc(\.yml)?|\.pypirc|[._]netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.boto|\.s3cfg|\.dockercfg|\.htpasswd|\.vault-token|\.terraformrc|credentials\.tfrc\.json|\.sentryclirc|\.cargo-credentials|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx|gpg-key|ovpn)|.*_(rsa|dsa|ecdsa|ed25519)|service[-_]account.*\.json|application_default_credentials\.json)$/;

/** Names that change what Capstan or an editor does. In lower case. */
const steeringNames =
  /^(capstan.*\.ya?ml|\.mcp\.json|mcp\.json|\.envrc|\.exrc|\.vimrc|\.nvimrc|\.nvim\.lua|\.lvimrc|\.dir-locals\.el|\.editorconfig\.lua|.*\.code-workspace|.*\.sublime-project)$/;

/** Folders of editors and assistants, whose settings run programs. */
const steeringFolders: ReadonlySet<string> = new Set([
  '.vscode',
  '.vscode-insiders',
  '.idea',
  '.cursor',
  '.zed',
  '.fleet',
  '.windsurf',
  '.devcontainer',
  '.claude',
  '.codex',
  '.gemini',
]);

/**
 * True where no tool may touch a path, whatever was granted. Names count in any case, as some file systems read them.
 *
 * @param path Absolute.
 */
export function isProtectedPath(
  path: string,
  access: 'read' | 'write',
  facts: ProtectionFacts,
): boolean {
  if (facts.ownDirs.some((own) => holds(own, path))) return true;
  if (facts.openPaths.some((open) => holds(resolve(facts.workspace, open), path))) return false;
  return holdsSecrets(path, facts) || (access === 'write' && steers(path, facts));
}

function holdsSecrets(path: string, { home, workspace }: ProtectionFacts): boolean {
  const belowHome = namesBelow(home.toLowerCase(), path.toLowerCase());
  if (namesBelow(workspace, path).some(isSecretFolder) || belowHome.some(isSecretFolder))
    return true;
  if (secretNames.test(basename(path).toLowerCase())) return true;
  const below = `${belowHome.join('/')}/`;
  return secretInHome.some((name) => below.startsWith(name) && below[name.length] === '/');
}

const isSecretFolder = (name: string): boolean => secretFolders.has(name);

function steers(path: string, { workspace }: ProtectionFacts): boolean {
  const parts = namesBelow(workspace, path);
  if (parts.some((part) => steeringFolders.has(part)) || steersGit(parts)) return true;
  return steeringNames.test(basename(path).toLowerCase());
}

/** Hooks, configuration, and whatever says where Git finds these; also of worktrees and submodules. */
function steersGit(parts: readonly string[]): boolean {
  const at = parts.indexOf('.git');
  if (at === -1) return false;
  const below = parts.slice(at + 1);
  const last = below.at(-1);
  return (
    last === undefined ||
    below.includes('hooks') ||
    ['config', 'config.worktree', 'commondir', 'gitdir', 'attributes'].includes(last)
  );
}

/** The names of a path below a folder, in lower case; none where it lies elsewhere. */
function namesBelow(folder: string, path: string): readonly string[] {
  if (!holds(folder, path)) return [];
  const below = isPlain ? path.slice(withoutEnd(folder).length + 1) : relative(folder, path);
  return below.toLowerCase().split(sep);
}

/** Normal paths are compared as they stand: a whole tree of them may be looked through. */
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
