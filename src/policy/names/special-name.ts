import { posix } from 'node:path';

/** Names that a tool, a shell or a service runs or obeys by itself once they stand in a folder. */
const names: ReadonlySet<string> = new Set([
  'makefile',
  'gnumakefile',
  'justfile',
  'rakefile',
  'gemfile',
  'guardfile',
  'vagrantfile',
  'jenkinsfile',
  'procfile',
  'dockerfile',
  'containerfile',
  'taskfile.yml',
  'taskfile.yaml',
  'package.json',
  'pnpm-workspace.yaml',
  'deno.json',
  'bunfig.toml',
  'tsconfig.json',
  'conftest.py',
  'setup.py',
  'setup.cfg',
  'pyproject.toml',
  'tox.ini',
  'noxfile.py',
  'pytest.ini',
  'sitecustomize.py',
  'usercustomize.py',
  '__main__.py',
  'manage.py',
  'fabfile.py',
  'tasks.py',
  'build.rs',
  'cargo.toml',
  'go.mod',
  'cmakelists.txt',
  'meson.build',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'pom.xml',
  'build.xml',
  'build.sbt',
  'mix.exs',
  'configure',
  'autogen.sh',
  'composer.json',
  'compose.yml',
  'compose.yaml',
  'docker-compose.yml',
  'docker-compose.yaml',
  'crontab',
  'web.config',
  'agents.md',
  'claude.md',
  'flake.nix',
  'shell.nix',
  'default.nix',
  'azure-pipelines.yml',
  'azure-pipelines.yaml',
  'gradlew',
  'mvnw',
]);

/** Folders of the workspace whose files Capstan itself uses once the project is trusted. */
const folders: ReadonlySet<string> = new Set(['agents', 'skills']);

/** Programs, units, and configuration that is code. */
const endings =
  /\.(sh|bash|zsh|fish|ksh|csh|ps1|psm1|bat|cmd|com|exe|msi|dll|so|dylib|app|jar|desktop|service|timer|socket|pth|plist|reg|vbs|wsf|scr|lnk|url|node|wasm|mk|gemspec|podspec|csproj|sln|targets|props)$|\.config\.[cm]?[jt]s$|rc\.[cm]?js$|^(mise|rtx)(\..*)?\.toml$|^lefthook(-local)?\.(ya?ml|toml|json)$/;

/** True for a dotfile, anything in a dot folder, a program, a name that something runs by itself, and Capstan's own folders of a project. */
export function specialName(path: string): boolean {
  const parts = path.replaceAll('\\', '/').toLowerCase().split('/');
  const isHidden = parts.some((part) => part.startsWith('.') && part !== '.' && part !== '..');
  const name = posix.basename(parts.join('/'));
  const isOfCapstan = parts.length > 1 && folders.has(parts[0] ?? '');
  return isHidden || isOfCapstan || names.has(name) || endings.test(name);
}
