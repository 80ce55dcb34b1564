import { posix } from 'node:path';

/** Files that a program runs, reads or obeys automatically: their `plainName`, or `*` and its ending. */
const namesOf: Readonly<Record<string, string>> = {
  make: 'makefile gnumakefile bsdmakefile *.mk',
  just: 'justfile',
  'Ruby tools': 'rakefile gemfile guardfile dangerfile config.ru *.rake *.gemspec',
  Vagrant: 'vagrantfile',
  Jenkins: 'jenkinsfile',
  'a process manager': 'procfile',
  Docker: 'dockerfile containerfile compose.yml docker-compose.yml',
  Task: 'taskfile.yml',
  'npm and other JavaScript tools':
    'package.json package-lock.json npm-shrinkwrap.json nx.json project.json lerna.json turbo.json pnpm-workspace.yml pnpm-lock.yml deno.json bunfig.toml bun.lockb tsconfig.json gulpfile.js gruntfile.js dangerfile.js',
  pytest: 'conftest.py pytest.ini',
  'Python and its tools':
    'setup.py setup.cfg pyproject.toml pylock.toml pipfile tox.ini noxfile.py sitecustomize.py usercustomize.py __main__.py manage.py fabfile.py tasks.py pixi.toml conf.py mkdocs.yml',
  Cargo: 'build.rs cargo.toml rust-toolchain rust-toolchain.toml',
  Go: 'go.mod go.sum go.work go.work.sum',
  CMake: 'cmakelists.txt cmakepresets.json cmakeuserpresets.json',
  Meson: 'meson.build',
  SCons: 'sconstruct',
  Zig: 'build.zig build.zig.zon',
  Cabal: 'setup.hs setup.lhs',
  Gradle: '*.gradle gradlew gradle.properties gradle-wrapper.properties gradle.lockfile',
  Maven: 'pom.xml mvnw',
  Ant: 'build.xml',
  Mix: 'mix.exs',
  'build tools': 'configure autogen.sh',
  'a package manager': '*.lock',
  Composer: 'composer.json',
  cron: 'crontab',
  'a web server': 'web.config',
  'AI coding tools': 'agent.md agents.md claude.md gemini.md warp.md qwen.md crush.md',
  Ansible: 'ansible.cfg',
  Nix: 'flake.nix shell.nix default.nix devenv.nix',
  Bazel: 'build build.bazel workspace workspace.bazel workspace.bzlmod module.bazel',
  Swift: 'package.swift',
  'Azure Pipelines': 'azure-pipelines.yml',
  'a build service':
    'bitbucket-pipelines.yml appveyor.yml cloudbuild.yml buildspec.yml codemagic.yml netlify.toml vercel.json render.yml wercker.yml codefresh.yml action.yml',
  Devbox: 'devbox.json',
  Tilt: 'tiltfile',
  Earthly: 'earthfile',
  // A folder with a HEAD may be a repository, whose configuration names programs.
  git: 'head commondir captainhook.json',
  Terragrunt: 'terragrunt.hcl',
  '.NET': 'nuget.config global.json *.sln *.targets *.props *.rsp',
  CocoaPods: 'podfile *.podspec',
};

const programs = new Map(
  Object.entries(namesOf).flatMap(([program, names]) =>
    names.split(' ').map((name): [string, string] => [name, program]),
  ),
);

/** One spelling of a name that tools look for in several: `Compose.override.yaml` is `compose.yml`. */
const plainName = (name: string): string =>
  name
    .replace(/\.(override|local|dist)(?=\.)/, '')
    .replace(/\.yaml$/, '.yml')
    .replace(/\.json[c5]$/, '.json')
    .replace(/\.([cm]?ts|[cm]js)$/, '.js')
    .replace(/\.kts$/, '');

function programOf(name: string): string | undefined {
  const plain = plainName(name);
  return programs.get(plain) ?? programs.get(`*${posix.extname(plain)}`);
}

/**
 * Files of a project that Capstan uses if it is started in the project's folder, and trusts it. The folder may be any: below
 * the top, where others have a folder `agents` too, the names of a capsule's files count.
 */
const ofCapstan =
  /^(agents|skills)\/.|(^|\/)(agents\/[^/]+\/(manifest\.json|skill\.md|(entrypoint|handlers|main)\.[^/]+)|skills\/[^/]+\.md)$/;

/** Endings of programs, units, and configuration that is code. */
const endings =
  /\.(sh|bash|zsh|fish|ksh|csh|ps1|psm1|bat|cmd|com|exe|msi|dll|so|dylib|app|jar|desktop|service|timer|socket|pth|plist|reg|vbs|wsf|scr|lnk|url|node|wasm|sbt|\w*proj(\.user)?)$|\.conf(ig)?\.[cm]?[jt]s$|rc\.[cm]?js$|^(mise|rtx)(\..*)?\.toml$|^lefthook(-local)?\.(ya?ml|toml|json)$/;

const programOfFolder: Readonly<Record<string, string>> = {
  '.github': 'GitHub',
  '.gitlab': 'GitLab',
  '.husky': 'git',
  '.vscode': 'the editor',
  '.idea': 'the editor',
  venv: 'Python',
  node_modules: 'Node.js',
  fastlane: 'fastlane',
};

/**
 * What runs or reads a file automatically because of its name: a dotfile, a file in a dot folder or one that programs use, a program, a name that a tool
 * knows, and capsules and skills of a project. Words for people; undefined for any other file.
 */
export function whatRuns(path: string): string | undefined {
  const parts = path.replaceAll('\\', '/').toLowerCase().split('/');
  const name = posix.basename(parts.join('/'));
  const hidden = parts.find((part) => part.startsWith('.') && part !== '.' && part !== '..');
  const folder = hidden ?? parts.find((part) => Object.hasOwn(programOfFolder, part));
  if (folder !== undefined) return programOfFolder[folder] ?? 'the program that it configures';
  if (ofCapstan.test(parts.join('/'))) return 'Capstan itself';
  return programOf(name) ?? (endings.test(name) ? 'the system or a tool' : undefined);
}
