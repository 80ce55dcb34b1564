import { describe, expect, it } from 'vitest';
import { isClosedToProcesses, isProtectedPath, type ProtectionFacts } from './protected-paths.ts';

const facts = (changes: Partial<ProtectionFacts> = {}): ProtectionFacts => ({
  ownDirs: ['/home/ada/.config/capstan', '/home/ada/.local/state/capstan'],
  home: '/home/ada',
  workspace: '/home/ada/work',
  openPaths: [],
  ...changes,
});

describe('isProtectedPath', () => {
  it.each([
    '/home/ada/.config/capstan',
    '/home/ada/.config/capstan/.env',
    '/home/ada/.local/state/capstan/capstan.db',
    '/home/ada/work/.env',
    '/home/ada/work/.env.local',
    '/home/ada/work/sub/.ENV',
    '/home/ada/work/.envrc',
    '/home/ada/work/.env.d.ts.local',
    '/home/ada/work/.env-prod',
    '/home/ada/work/.envs',
    '/home/ada/work/server.pem',
    '/home/ada/work/cakey.pem',
    '/home/ada/work/tls/private.key',
    '/home/ada/work/id_rsa',
    '/home/ada/work/deploy_ed25519',
    '/home/ada/work/.ssh/known_hosts',
    '/home/ada/.ssh/config',
    '/home/ada/.aws/credentials',
    '/home/ada/.gnupg/x',
    '/home/ada/.npmrc',
    '/home/ada/work/.npmrc',
    '/home/ada/.pypirc',
    '/home/ada/.netrc',
    '/home/ada/.git-credentials',
    '/home/ada/.cargo/credentials.toml',
    '/home/ada/.docker/config.json',
    '/home/ada/.kube/config',
    '/home/ada/.config/gcloud/x.json',
    '/home/ada/.config/gh/hosts.yml',
    '/home/ada/.m2/settings.xml',
    '/home/ada/.claude/.credentials.json',
    '/home/ada/.codex/auth.json',
    '/home/ada/.gemini/oauth_creds.json',
    '/home/ada/.cache/huggingface/token',
    '/home/ada/.kaggle/kaggle.json',
    '/home/ada/work/.kaggle/kaggle.json',
    '/home/ada/work/sub/.docker/config.json',
    '/home/ada/work/.config/gh/hosts.yml',
    '/home/ada/work/.cargo/credentials.toml',
    '/home/ada/work/.m2/settings.xml',
    '/home/ada/work/ssh_host_ed25519_key',
    '/home/ada/work/id_rsa.bak',
    '/home/ada/work/id_ed25519_old',
    '/home/ada/work/id_rsa.1',
    '/home/ada/work/id_rsa~',
    '/home/ada/work/id_ecdsa_sk.old.2',
    '/home/ada/work/id_dsa.save',
    '/home/ada/work/id_ed25519_github',
    '/home/ada/work/.dev.vars',
    '/home/ada/work/.dev.vars.production',
    '/home/ada/work/.env.production',
    '/home/ada/work/example.prod.env',
    '/home/ada/work/prod.env',
    '/home/ada/.bash_history',
    '/home/ada/.zsh_history',
    '/home/ada/.python_history',
    '/home/ada/.node_repl_history',
    '/home/ada/.psql_history',
    '/home/ada/.mysql_history',
  ])('closes %s for reading and writing', (path) => {
    expect(isProtectedPath(path, 'read', facts())).toBe(true);
    expect(isProtectedPath(path, 'write', facts())).toBe(true);
    expect(isClosedToProcesses(path, 'write', facts())).toBe(true);
  });

  it.each([
    '/home/ada/work/.git/hooks/pre-commit',
    '/home/ada/work/.git/config',
    '/home/ada/work/.git',
    '/home/ada/work/.GIT/config',
    '/home/ada/work/.git/modules/x/hooks/post-checkout',
    '/home/ada/work/.git/worktrees/x/config.worktree',
    '/home/ada/work/.git/worktrees/refs/commondir',
    '/home/ada/work/.git/modules/refs/config',
    '/home/ada/work/.git/refs/x/.git/config',
    '/home/ada/work/sub/.git/config',
    '/home/ada/work/capstan.yaml',
    '/home/ada/work/capstan.policy.yaml',
    '/home/ada/work/capstan.yml',
    '/home/ada/work/.mcp.json',
    '/home/ada/work/.vscode/tasks.json',
    '/home/ada/work/.idea/workspace.xml',
    '/home/ada/work/x.code-workspace',
    '/home/ada/work/.exrc',
    '/home/ada/work/.git/rebase-merge/git-rebase-todo',
    '/home/ada/work/.git/rebase-apply',
    '/home/ada/work/.git/worktrees/x/sequencer/todo',
    '/home/ada/work/.git/info/attributes',
    '/home/ada/work/.hg/hgrc',
    '/home/ada/work/.hg/sharedpath',
    '/home/ada/work/.sl/config',
    '/home/ada/work/.jj/repo',
    '/home/ada/work/.jj/repo/config.toml',
    '/home/ada/work/.jj/repo/store/git/config',
    '/home/ada/work/.bzr/branch/branch.conf',
    '/home/ada/work/_darcs/prefs/defaults',
    '/home/ada/work/.dir-locals-2.el',
    '/home/ada/work/.devcontainer.json',
    '/home/ada/work/.helix/languages.toml',
    '/home/ada/.bashrc',
    '/home/ada/.local/bin/git',
    '/home/ada/.config/autostart/x.desktop',
    '/home/ada/.config/fish/config.fish',
  ])('closes %s for writing only', (path) => {
    expect(isProtectedPath(path, 'read', facts())).toBe(false);
    expect(isProtectedPath(path, 'write', facts())).toBe(true);
    expect(isClosedToProcesses(path, 'write', facts())).toBe(true);
  });

  it.each([
    '/home/ada/work/.husky/pre-commit',
    '/home/ada/work/.pre-commit-config.yaml',
    '/home/ada/work/lefthook-local.yml',
    '/home/ada/work/mise.local.toml',
    '/home/ada/work/sub/.gdbinit',
    '/home/ada/work/.Rprofile',
    '/home/ada/work/.zshenv',
    '/home/ada/work/.bashrc',
  ])('closes %s for the writing of processes only', (path) => {
    expect(isProtectedPath(path, 'write', facts())).toBe(false);
    expect(isClosedToProcesses(path, 'read', facts())).toBe(false);
    expect(isClosedToProcesses(path, 'write', facts())).toBe(true);
    expect(isClosedToProcesses(path, 'write', facts({ openPaths: [path] }))).toBe(false);
  });

  it.each([
    '/home/ada/work/README.md',
    '/home/ada/work/environment.ts',
    '/home/ada/work/keys.ts',
    '/home/ada/work/id_rsa.pub',
    '/home/ada/work/id_rsa.bak.pub',
    '/home/ada/work/id_rsa_test.go',
    '/home/ada/work/id_ed25519.rs',
    '/home/ada/work/id_rsa.md',
    '/home/ada/work/example.env',
    '/home/ada/work/sample.env',
    '/home/ada/work/template.env',
    '/home/ada/work/default.env',
    '/home/ada/work/test.env',
    '/home/ada/work/.dev.vars.example',
    '/home/ada/work/ssh_host_rsa_key.pub',
    '/home/ada/work/.cargo/config.toml',
    '/home/ada/work/.gitignore',
    '/home/ada/work/.git/index',
    '/home/ada/work/capstan-notes.md',
    '/home/ada/work/.github/workflows/ci.yml',
    '/home/ada/.config/capstan-other/x',
    '/home/ada/work/.git/refs/heads/main',
    '/home/ada/work/.git/refs/heads/feature/config',
    '/home/ada/work/.git/logs/refs/heads/fix/hooks/a',
    '/home/ada/work/.git/worktrees/x/logs/refs/heads/gitdir',
    '/home/ada/work/venv/certifi/cacert.pem',
    '/home/ada/work/etc/tls-ca-bundle.pem',
    '/home/ada/work/ca-certificates.pem',
    '/home/ada/work/.env.d.ts',
    '/home/ada/work/.envoy.yaml',
    '/home/ada/work/.hg/dirstate',
    '/home/ada/work/.jj/repo/op_store/x',
    '/home/ada/work/.jj/working_copy/checkout',
    '/home/ada/work/bin/tool',
    '/home/ada/work/premise.toml',
    '/home/ada/work/repo',
  ])('leaves %s open', (path) => {
    expect(isProtectedPath(path, 'write', facts())).toBe(false);
    expect(isClosedToProcesses(path, 'write', facts())).toBe(false);
  });

  it('opens what the person names, a folder with all its content', () => {
    const opened = facts({ openPaths: ['.env.example', '/home/ada/work/certs'] });
    expect(isProtectedPath('/home/ada/work/.env.example', 'write', opened)).toBe(false);
    expect(isProtectedPath('/home/ada/work/certs/a.pem', 'read', opened)).toBe(false);
    expect(isProtectedPath('/home/ada/work/.env', 'read', opened)).toBe(true);
  });

  it("never opens Capstan's own folders", () => {
    const opened = facts({ openPaths: ['/home/ada/.config/capstan', '/'] });
    expect(isProtectedPath('/home/ada/.config/capstan/.env', 'read', opened)).toBe(true);
  });

  it('still protects keys if the workspace is the home, or the folder of keys', () => {
    const home = facts({ workspace: '/home/ada' });
    expect(isProtectedPath('/home/ada/.ssh/x', 'read', home)).toBe(true);
    const keys = facts({ workspace: '/home/ada/.ssh' });
    expect(isProtectedPath('/home/ada/.ssh/x', 'read', keys)).toBe(true);
  });

  it('checks names below the workspace, not those above it', () => {
    const odd = facts({ workspace: '/srv/.vscode/work' });
    expect(isProtectedPath('/srv/.vscode/work/a.txt', 'write', odd)).toBe(false);
  });
});
